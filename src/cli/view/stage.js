// The bodies in space: a camera that turns about a point, and what it sees.
// From below: the floor, the meshes where there are any, and all lines and marks.
const [ground, space] = ["ground", "space"].map((id) => document.getElementById(id));
const [below, above] = [ground, space].map((canvas) => canvas.getContext("2d"));
let ink = above;
const shown = { beside: true, ghost: false, follow: true, mesh: true, joint: -1 };
const front = Math.atan2(scene.facing[0], scene.facing[1]);
const camera = { yaw: front + 0.6, pitch: 0.16, far: 4.4, at: [0, 0.98, 0], pan: [0, 0, 0] };
// Half of how far source and result stand apart, legs.
let apart = 0.8;
const eye = { right: [0, 0, 0], up: [0, 0, 0], ahead: [0, 0, 0], place: [0, 0, 0], lens: 1, middle: [0, 0] };

// A body of people is so high, legs.
const USUAL = 2;
// The camera looks so much higher than the hips, where bodies are higher than people.
let lift = 0;
const stepBack = (height) => {
  lift = Math.max(0, 0.5 * (height - USUAL));
  camera.far *= Math.max(1, height / USUAL);
  apart *= Math.max(1, height / USUAL);
};

// How high the camera looks: as the hips over a second, so that it climbs stairs and does not jump.
const heights = (() => {
  const { roots } = bodies.result;
  const reach = Math.ceil(0.5 * scene.fps);
  const sums = new Float64Array(scene.frames + 1);
  for (let i = 0; i < scene.frames; i++) sums[i + 1] = sums[i] + roots[3 * i + 1];
  return Float32Array.from({ length: scene.frames }, (_, i) => {
    const [start, end] = [Math.max(0, i - reach), Math.min(scene.frames, i + reach + 1)];
    return (sums[end] - sums[start]) / (end - start);
  });
})();

const lookFrom = () => {
  const [sy, cy] = [Math.sin(camera.yaw), Math.cos(camera.yaw)];
  const [sp, cp] = [Math.sin(camera.pitch), Math.cos(camera.pitch)];
  eye.ahead = [-cp * sy, -sp, -cp * cy];
  eye.right = [cy, 0, -sy];
  eye.up = [-sp * sy, cp, -sp * cy];
  for (let k = 0; k < 3; k++) eye.place[k] = camera.at[k] + camera.pan[k] - camera.far * eye.ahead[k];
  const [w, h] = [space.clientWidth, space.clientHeight];
  eye.lens = 1.35 * Math.min(h, 0.8 * w);
  eye.middle = [w / 2, h / 2];
};

// Where a point is on the page; depth is the distance ahead, below which nothing is seen.
const NEAR = 0.1;
const seen = (x, y, z, out) => {
  const [dx, dy, dz] = [x - eye.place[0], y - eye.place[1], z - eye.place[2]];
  const depth = dx * eye.ahead[0] + dy * eye.ahead[1] + dz * eye.ahead[2];
  const size = eye.lens / Math.max(depth, NEAR);
  out[0] = eye.middle[0] + size * (dx * eye.right[0] + dz * eye.right[2]);
  out[1] = eye.middle[1] - size * (dx * eye.up[0] + dy * eye.up[1] + dz * eye.up[2]);
  out[2] = depth;
  return out;
};

const [a, b] = [[0, 0, 0], [0, 0, 0]];
const segment = (from, to) => {
  seen(...from, a);
  seen(...to, b);
  if (a[2] < NEAR || b[2] < NEAR) return false;
  ink.beginPath();
  ink.moveTo(a[0], a[1]);
  ink.lineTo(b[0], b[1]);
  ink.stroke();
  return true;
};

const drawFloor = () => {
  const [reach, cell] = [4, 0.5];
  const [cx, cz] = [camera.at[0], camera.at[2]].map((c) => Math.round(c / cell) * cell);
  ink.strokeStyle = colours.faint;
  ink.lineWidth = 1;
  for (let i = -reach; i <= reach; i += cell) {
    const part = Math.sqrt(Math.max(0, 1 - (i / reach) ** 2));
    ink.globalAlpha = 0.08 + 0.16 * part;
    const half = reach * part;
    segment([cx + i, 0, cz - half], [cx + i, 0, cz + half]);
    segment([cx - half, 0, cz + i], [cx + half, 0, cz + i]);
  }
  ink.globalAlpha = 1;
};

// A body's lines, far ones first. `shift` is where it stands apart from its place.
const drawBody = (body, shift, alpha, thick, dashed) => {
  const p = body.places;
  const depth = (i) => (p[3 * i] * eye.ahead[0] + p[3 * i + 1] * eye.ahead[1] + p[3 * i + 2] * eye.ahead[2]);
  body.lines.sort((m, n) => depth(n[0]) + depth(n[1]) - depth(m[0]) - depth(m[1]));
  ink.lineCap = "round";
  ink.globalAlpha = alpha;
  ink.setLineDash(dashed ? [2, 5] : []);
  const at = (i) => [p[3 * i] + shift[0], p[3 * i + 1], p[3 * i + 2] + shift[2]];
  for (const [from, to, limb] of body.lines) {
    const middle = seen(...at(from), a)[2];
    const unit = eye.lens / Math.max(middle, NEAR);
    ink.lineWidth = Math.max(1, thick * unit * (limb === "none" ? 0.012 : 0.03));
    ink.strokeStyle = colours[dashed ? "faint" : limb];
    segment(at(from), at(to));
  }
  ink.setLineDash([]);
  ink.globalAlpha = 1;
};

const disc = (point, radius, fill, stroke) => {
  seen(...point, a);
  if (a[2] < NEAR) return;
  ink.beginPath();
  ink.arc(a[0], a[1], Math.max(1.5, (radius * eye.lens) / a[2]), 0, 2 * Math.PI);
  if (fill) {
    ink.fillStyle = fill;
    ink.fill();
  }
  if (stroke) {
    ink.strokeStyle = stroke;
    ink.lineWidth = 2;
    ink.stroke();
  }
};

// Heel, ball and tip are lit while they stand.
const drawStanding = (body, shift, frame) => {
  scene.feet.forEach((foot, f) => {
    const soles = body.soles[f];
    if (!soles) return;
    foot.intervals.forEach((_, part) => {
      if (!stands[f][part][frame]) return;
      const i = soles[part];
      const [x, y, z] = [0, 1, 2].map((k) => body.places[3 * i + k] + shift[k]);
      disc([x, y, z], 0.045, colours[foot.limb], colours.ink);
    });
  });
};

// Where the balls of the result stand within some seconds around a frame.
const AROUND_S = 3;
const BALL = 1;
const drawPrints = (frame, shift) => {
  const around = AROUND_S * scene.fps;
  ink.globalAlpha = 0.35;
  scene.feet.forEach((foot, f) => {
    for (const [start, end] of foot.intervals[BALL]) {
      if (end < frame - around || start > frame + around) continue;
      const soles = bodies.result.soles[f];
      const [x, y, z] = bodies.result.point((start + end - 1) >> 1, soles[BALL]);
      disc([x + shift[0], y, z + shift[2]], 0.03, colours[foot.limb], null);
    }
  });
  ink.globalAlpha = 1;
};

const name = (text, body, shift) => {
  let top = shown.mesh && body.height ? body.height : -Infinity;
  for (let i = 1; i < body.places.length; i += 3) top = Math.max(top, body.places[i]);
  seen(body.root[0] + shift[0], top + 0.16, body.root[2] + shift[2], a);
  ink.font = "600 12.5px system-ui, sans-serif";
  ink.textAlign = "center";
  ink.fillStyle = colours.faint;
  ink.fillText(text, a[0], a[1]);
};

const fit = (canvas, context) => {
  const dots = Math.min(devicePixelRatio || 1, 2);
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(w * dots) || canvas.height !== Math.round(h * dots)) {
    canvas.width = Math.round(w * dots);
    canvas.height = Math.round(h * dots);
  }
  context.setTransform(dots, 0, 0, dots, 0, 0);
  return [w, h];
};

// The characters whose meshes are to be seen, and their names. Over each other the result alone has one.
const drawMeshes = (frame, shifts) => {
  const names = Object.keys(characters).filter((name) => shown.mesh && (shown.beside || name === "result"));
  if (!theatre) return [];
  theatre.canvas.style.visibility = names.length ? "visible" : "hidden";
  if (!names.length) return [];
  for (const name of names) characters[name].go(frame, shifts[name]);
  const size = [space.clientWidth, space.clientHeight];
  theatre.draw(names.map((name) => characters[name]), eye, size, space.width / size[0]);
  return names;
};

const drawStage = (frame) => {
  for (const [canvas, brush] of [[ground, below], [space, above]]) {
    const [w, h] = fit(canvas, brush);
    brush.clearRect(0, 0, w, h);
  }
  for (const body of Object.values(bodies)) {
    body.go(frame);
    body.root = body.roots.subarray(3 * frame, 3 * frame + 3);
  }
  const root = bodies.result.root;
  if (shown.follow) camera.at = [root[0], heights[frame] + lift, root[2]];
  lookFrom();
  const side = (sign) => eye.right.map((k) => (shown.beside ? sign * apart * k : 0));
  const [left, right] = [side(-1), side(1)];
  ink = below;
  drawFloor();
  drawPrints(frame, right);
  ink = above;
  const skinned = drawMeshes(frame, { source: left, result: right });
  if (shown.ghost) drawBody(bodies.copy, right, 0.9, 0.7, true);
  if (!skinned.includes("source")) drawBody(bodies.source, left, shown.beside ? 1 : 0.4, shown.beside ? 1 : 0.8, false);
  drawStanding(bodies.source, left, frame);
  if (!skinned.includes("result")) drawBody(bodies.result, right, 1, 1, false);
  drawStanding(bodies.result, right, frame);
  if (shown.joint >= 0) {
    const at = [0, 1, 2].map((k) => bodies.result.places[3 * shown.joint + k] + right[k]);
    disc(at, 0.1, null, colours.ink);
  }
  if (shown.beside) {
    name("source", bodies.source, left);
    name("result", bodies.result, right);
  }
};

// Drag turns, with shift or another button it moves; the wheel and two fingers zoom.
const fingers = new Map();
space.addEventListener("pointerdown", (event) => {
  space.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, event);
});
for (const end of ["pointerup", "pointercancel"]) {
  space.addEventListener(end, (event) => fingers.delete(event.pointerId));
}
space.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
  if (fingers.size === 2) {
    const other = [...fingers.values()].find((f) => f.pointerId !== event.pointerId);
    const span = (f) => Math.hypot(f.clientX - other.clientX, f.clientY - other.clientY);
    zoom(span(before) / Math.max(span(event), 1));
  } else if (event.shiftKey || event.buttons & 6) {
    const unit = camera.far / eye.lens;
    for (let k = 0; k < 3; k++) camera.pan[k] += unit * (dy * eye.up[k] - dx * eye.right[k]);
  } else {
    camera.yaw -= 0.008 * dx;
    camera.pitch = Math.min(1.55, Math.max(-0.4, camera.pitch + 0.008 * dy));
  }
  fingers.set(event.pointerId, event);
  changed();
});
space.addEventListener("contextmenu", (event) => event.preventDefault());
const zoom = (by) => {
  camera.far = Math.min(60, Math.max(1, camera.far * by));
  changed();
};
space.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(0.0012 * event.deltaY));
}, { passive: false });
