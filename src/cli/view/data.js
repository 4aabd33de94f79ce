// The scene as it was packed: texts and places of what lies in the data.
const scene = JSON.parse(document.getElementById("scene").textContent);

const buffer = (() => {
  const text = atob(document.getElementById("data").textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
})();

const bytes = (at, count) => new Uint8Array(buffer, at, count);
const floats = (at, count) => new Float32Array(buffer, at, count);

// A body's points: roots in full, all else from the root in steps of reach / 32767.
class Body {
  constructor(saved) {
    Object.assign(this, saved);
    this.roots = floats(saved.roots, 3 * scene.frames);
    this.steps = new Int16Array(buffer, saved.steps, 3 * saved.points * scene.frames);
    this.places = new Float32Array(3 * saved.points);
    this.frame = -1;
  }

  // Fills `places` with the points of a frame; legs, Y up, floor at 0.
  go(frame) {
    if (frame === this.frame) return;
    this.frame = frame;
    const step = this.reach / 32767;
    const first = 3 * this.points * frame;
    for (let i = 0; i < this.places.length; i++) {
      this.places[i] = this.roots[3 * frame + (i % 3)] + step * this.steps[first + i];
    }
  }

  // One point of any frame.
  point(frame, i) {
    const step = this.reach / 32767;
    const first = 3 * (this.points * frame + i);
    return [0, 1, 2].map((k) => this.roots[3 * frame + k] + step * this.steps[first + k]);
  }
}

const bodies = {
  source: new Body(scene.source),
  result: new Body(scene.result),
  copy: new Body(scene.copy),
};

// Whether a part of a foot stands in a frame: by foot, then heel, ball and tip, a byte a frame.
const stands = scene.feet.map((foot) =>
  foot.intervals.map((intervals) => {
    const mask = new Uint8Array(scene.frames);
    for (const [start, end] of intervals) mask.fill(1, start, end);
    return mask;
  }),
);

const rootStyle = () => getComputedStyle(document.documentElement);
let colours = {};
const readColours = () => {
  const style = rootStyle();
  for (const name of ["page", "ink", "faint", "left-arm", "left-leg", "right-arm", "right-leg", "trunk", "none"]) {
    colours[name] = style.getPropertyValue(`--${name}`).trim();
  }
};
readColours();
