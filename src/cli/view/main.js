// The state of the page, and what changes it.
const by = (id) => document.getElementById(id);
const last = scene.frames - 1;
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const state = { frame: 0, playing: false, speed: 1, time: 0, drawn: false };

by("title").textContent = scene.title;
by("about").textContent = scene.about;
by("leg-cm").textContent = scene.leg_cm;
by("scrub").max = last;

const digits = (value) => (Number.isFinite(value) ? String(Number(value.toFixed(3))) : "–");

// What a change asks for is drawn once, with the next picture.
let asked = false;
function changed() {
  if (asked) return;
  asked = true;
  requestAnimationFrame((now) => {
    asked = false;
    if (state.playing) advance(now);
    show();
  });
}

function advance(now) {
  const passed = state.then === undefined ? 0 : (now - state.then) / 1000;
  state.then = now;
  state.time += passed * state.speed;
  const length = scene.frames / scene.fps;
  if (state.time >= length) state.time %= length;
  state.frame = Math.min(last, Math.floor(state.time * scene.fps));
  changed();
}

function show() {
  drawStage(state.frame);
  movePlots(state.frame);
  const seconds = (frame) => (frame / scene.fps).toFixed(2);
  by("now").textContent = `frame ${state.frame} of ${last} · ${seconds(state.frame)} s of ${seconds(last)} s`;
  by("scrub").value = state.frame;
}

function seek(frame) {
  state.frame = Math.min(last, Math.max(0, frame));
  state.time = (state.frame + 0.5) / scene.fps;
  shown.joint = -1;
  changed();
}

function play(on) {
  state.playing = on;
  state.then = undefined;
  by("play").textContent = on ? "❚❚" : "▶";
  by("play").setAttribute("aria-label", on ? "Pause" : "Play");
  if (on) shown.joint = -1;
  changed();
}

function faster(by_steps) {
  const i = SPEEDS.indexOf(state.speed) + by_steps;
  state.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, i))];
  by("speed").textContent = `${state.speed}×`;
}

// The frame where a number is worst, and the joint that is.
function toWorst(number) {
  play(false);
  seek(number.frame);
  shown.joint = scene.result.joints.indexOf(number.joint);
}

function nextWorst() {
  const places = scene.numbers.filter((n) => n.joint).sort((m, n) => m.frame - n.frame);
  const next = places.find((n) => n.frame > state.frame) ?? places[0];
  if (next) toWorst(next);
}

function toggle(what) {
  shown[what] = !shown[what];
  by(what).setAttribute("aria-pressed", shown[what]);
  changed();
}

function look(yaw, pitch) {
  camera.yaw = front + yaw;
  camera.pitch = pitch;
  camera.pan = [0, 0, 0];
  changed();
}

function help() {
  by("help").hidden = !by("help").hidden;
  by("help-button").setAttribute("aria-expanded", !by("help").hidden);
}

const looks = { "from-front": [0, 0.1], "from-left": [Math.PI / 2, 0.1], "from-above": [0, 1.55] };

for (const number of scene.numbers) {
  const row = by("numbers").insertRow();
  row.className = number.over ? "missed" : "";
  const name = row.insertCell();
  name.textContent = number.name;
  const about = document.createElement("small");
  about.textContent = number.about;
  name.append(about);
  row.insertCell().textContent = digits(number.value) + (number.over ? " !" : "");
  row.insertCell().textContent = digits(number.threshold);
  row.insertCell().textContent = digits(number.copied);
  const place = row.insertCell();
  if (!number.joint) continue;
  const button = document.createElement("button");
  button.textContent = number.frame;
  button.dataset.number = number.name;
  button.setAttribute("aria-label", `${number.name}: go to frame ${number.frame}, ${number.joint}`);
  button.addEventListener("click", () => toWorst(number));
  const joint = document.createElement("small");
  joint.textContent = `${number.joint}, ${digits(number.worst)}`;
  place.append(button, joint);
}

by("play").addEventListener("click", () => play(!state.playing));
by("slower").addEventListener("click", () => faster(-1));
by("faster").addEventListener("click", () => faster(1));
by("help-button").addEventListener("click", help);
by("scrub").addEventListener("input", (event) => seek(Number(event.target.value)));
for (const what of ["beside", "ghost", "follow", "mesh"]) by(what).addEventListener("click", () => toggle(what));
for (const [id, angles] of Object.entries(looks)) by(id).addEventListener("click", () => look(...angles));

const keys = {
  " ": () => play(!state.playing),
  ArrowLeft: (event) => seek(state.frame - (event.shiftKey ? 10 : 1)),
  ArrowRight: (event) => seek(state.frame + (event.shiftKey ? 10 : 1)),
  Home: () => seek(0),
  End: () => seek(last),
  "+": () => faster(1),
  "=": () => faster(1),
  "-": () => faster(-1),
  n: nextWorst,
  b: () => toggle("beside"),
  g: () => toggle("ghost"),
  f: () => toggle("follow"),
  m: () => toggle("mesh"),
  1: () => look(...looks["from-front"]),
  2: () => look(...looks["from-left"]),
  3: () => look(...looks["from-above"]),
  "?": help,
};
addEventListener("keydown", (event) => {
  const act = keys[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  // A button that has the focus is pressed by space, as everywhere.
  if (event.key === " " && event.target.closest("button")) return;
  event.preventDefault();
  act(event);
});

const redraw = () => {
  readColours();
  drawPlots();
  changed();
};
addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
redraw();

// Asked in a page's console they tell where three.js has the joints of a frame.
const read = readMeshes().then(() => {
  by("mesh").hidden = !theatre;
  redraw();
});
globalThis.meshes = {
  read,
  joints: (name, frame) => {
    const character = characters[name];
    character.go(frame, [0, 0, 0]);
    return character.joints();
  },
  places: (name, frame) => bodies[name].joints.map((_, i) => bodies[name].point(frame, i)),
};
