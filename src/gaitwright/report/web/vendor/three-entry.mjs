// What the pages use of three.js; esbuild leaves the rest out. See README.md.
export {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, Curve, CylinderGeometry, DirectionalLight, DoubleSide,
  EdgesGeometry, HemisphereLight, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshStandardMaterial,
  PCFShadowMap, PerspectiveCamera, PlaneGeometry, Quaternion, Scene, ShadowMaterial, SphereGeometry, TubeGeometry, Vector3,
  WebGLRenderer,
} from "three";
export {OrbitControls} from "three/examples/jsm/controls/OrbitControls.js";
export {Line2} from "three/examples/jsm/lines/Line2.js";
export {LineGeometry} from "three/examples/jsm/lines/LineGeometry.js";
export {LineMaterial} from "three/examples/jsm/lines/LineMaterial.js";
