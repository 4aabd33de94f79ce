// What of three.js the page uses.
export {
  AnimationMixer,
  BackSide,
  Box3,
  BufferAttribute,
  DirectionalLight,
  Group,
  LoadingManager,
  Mesh,
  MeshBasicMaterial,
  PMREMGenerator,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  ShadowMaterial,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from "three";
export { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
