// The characters' own meshes, by three.js: drawn on a canvas of their own, between floor and marks.
class Character {
  // Reads the file of a body.
  static async of(body) {
    const { file } = body.mesh;
    const named = file.outside.map(([name, place]) => [name, URL.createObjectURL(new Blob([bytes(...place)]))]);
    const urls = new Map(named);
    const manager = new THREE.LoadingManager();
    manager.setURLModifier((url) => urls.get(url) ?? url);
    const whole = bytes(...file.bytes).slice().buffer;
    const gltf = await new THREE.GLTFLoader(manager).parseAsync(whole, "");
    const nodes = await Promise.all(file.nodes.map((node) => gltf.parser.getDependency("node", node)));
    return new Character(file, gltf, nodes);
  }

  constructor(file, gltf, nodes) {
    Object.assign(this, { file, nodes });
    this.holder = new THREE.Group();
    this.holder.add(gltf.scene);
    this.holder.quaternion.set(...file.turn);
    this.holder.scale.setScalar(file.unit);
    gltf.scene.traverse((thing) => {
      // What is on the stage is seen from far enough to be seen whole.
      thing.frustumCulled = false;
      thing.castShadow = thing.isMesh;
    });
    this.mixer = new THREE.AnimationMixer(gltf.scene);
    this.action = this.mixer.clipAction(gltf.animations[file.animation]).play();
    this.frame = -1;
  }

  // Moves to a frame, and stands so far from its place.
  go(frame, shift) {
    if (frame !== this.frame) {
      this.frame = frame;
      this.action.time = this.file.start_s + frame * this.file.frame_time_s;
      this.mixer.update(0);
    }
    this.holder.position.set(shift[0], -this.file.floor, shift[2]);
    this.holder.updateMatrixWorld(true);
  }

  // How high it stands over the floor where it is, legs.
  height() {
    return new THREE.Box3().setFromObject(this.holder, true).max.y;
  }

  // Where the joints are, each by its own node; legs, Y up, floor at 0.
  joints() {
    const at = new THREE.Vector3();
    return this.nodes.map((node) => at.setFromMatrixPosition(node.matrixWorld).toArray());
  }
}

// Light from all around, so that metal is not black: bright above, darker below.
const surroundings = (renderer) => {
  const room = new THREE.Scene();
  const shell = new THREE.SphereGeometry(10, 24, 12);
  const heights = shell.attributes.position;
  const tones = new Float32Array(3 * heights.count);
  for (let i = 0; i < heights.count; i++) tones.fill(0.35 + 0.045 * (heights.getY(i) + 10), 3 * i, 3 * i + 3);
  shell.setAttribute("color", new THREE.BufferAttribute(tones, 3));
  room.add(new THREE.Mesh(shell, new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide })));
  return new THREE.PMREMGenerator(renderer).fromScene(room).texture;
};

// A picture of characters, with their shadows on the floor.
class Theatre {
  constructor() {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    this.canvas = this.renderer.domElement;
    ground.after(this.canvas);
    this.renderer.shadowMap.enabled = true;
    this.camera = new THREE.PerspectiveCamera();
    this.camera.matrixAutoUpdate = false;
    this.scene = new THREE.Scene();
    this.scene.environment = surroundings(this.renderer);
    this.scene.environmentIntensity = 0.6;
    this.sun = new THREE.DirectionalLight(0xffffff, 1.5);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.01;
    Object.assign(this.sun.shadow.camera, { left: -3, right: 3, top: 3, bottom: -3, near: 1, far: 16 });
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(40, 40), new THREE.ShadowMaterial({ opacity: 0.28 }));
    floor.rotation.x = -Math.PI / 2;
    floor.receiveShadow = true;
    this.scene.add(this.sun, this.sun.target, floor);
  }

  // Draws characters that were moved to their places, by an eye as the stage has it.
  draw(characters, eye, [w, h], dots) {
    this.renderer.setPixelRatio(dots);
    this.renderer.setSize(w, h, false);
    const axis = (v) => new THREE.Vector3(...v);
    const back = eye.ahead.map((x) => -x);
    this.camera.matrix.makeBasis(axis(eye.right), axis(eye.up), axis(back)).setPosition(...eye.place);
    this.camera.matrixWorldNeedsUpdate = true;
    this.camera.fov = (2 * Math.atan2(0.5 * h, eye.lens) * 180) / Math.PI;
    Object.assign(this.camera, { aspect: w / h, near: NEAR, far: 300 });
    this.camera.updateProjectionMatrix();
    // The sun goes along, for its shadows are sharp only near where it looks.
    const [x, , z] = camera.at;
    this.sun.target.position.set(x, 0.9, z);
    this.sun.position.set(x + 2.5 * eye.right[0] - 2 * eye.ahead[0], 7, z + 2.5 * eye.right[2] - 2 * eye.ahead[2]);
    this.scene.remove(...this.scene.children.filter((thing) => thing.isGroup));
    this.scene.add(...characters.map((character) => character.holder));
    this.renderer.render(this.scene, this.camera);
  }
}

// The characters that were read, by body, and what draws them; bones alone are shown until then, and where that fails.
const characters = {};
let theatre = null;

const unshown = (words) => {
  const note = document.getElementById("unshown");
  note.hidden = false;
  note.textContent = `${note.textContent} ${words}`.trim();
};

const readMeshes = async () => {
  for (const body of [bodies.source, bodies.result]) {
    if (body.mesh.hidden) unshown(`${body.mesh.hidden} Its bones are.`);
    if (body.mesh.lacking) unshown(body.mesh.lacking);
  }
  const meshed = ["source", "result"].filter((name) => bodies[name].mesh.file);
  if (!meshed.length) return;
  try {
    theatre = new Theatre();
    for (const name of meshed) characters[name] = await Character.of(bodies[name]);
    for (const name of meshed) {
      characters[name].go(0, [0, 0, 0]);
      bodies[name].height = characters[name].height();
    }
    stepBack(Math.max(...meshed.map((name) => bodies[name].height)));
  } catch (error) {
    theatre?.canvas.remove();
    theatre = null;
    unshown(`This browser does not show the mesh: ${error.message ?? error}`);
  }
};
