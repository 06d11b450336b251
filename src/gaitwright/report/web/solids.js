// Shapes of spatial mechanisms as geometries of three.js. Long sides are along z, as in spatial_scene.py.

/** Rotate a geometry from y to z. */
const upright = geometry => geometry.rotateX(Math.PI / 2);
const unitRod = () => upright(new THREE.CylinderGeometry(1, 1, 1, 16));

const SOLIDS = {
  box: ([x, y, z]) => new THREE.BoxGeometry(x, y, z),
  sphere: ([radius]) => upright(new THREE.SphereGeometry(radius, 36, 24)),
  cylinder: ([radius, length]) => upright(new THREE.CylinderGeometry(radius, radius, length, 48)),
  cone: ([radius, length]) => upright(new THREE.CylinderGeometry(0, radius, length, 48)),
  capsule: ([radius, length]) => upright(new THREE.CapsuleGeometry(radius, length, 10, 28)),
  mesh: (size, {vertices, faces}) => {
    // Separate faces, so that edges remain sharp.
    const points = unpack(vertices, Float32Array), corners = unpack(faces, Uint32Array);
    const flat = new Float32Array(3 * corners.length);
    corners.forEach((corner, i) => flat.set(points.subarray(3 * corner, 3 * corner + 3), 3 * i));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(flat, 3));
    geometry.computeVertexNormals();
    return geometry;
  },
};

/** Lines on a solid, as pairs of points: its edges, and marks that make the rotation of a round solid visible. */
const MARKS = {
  sphere: ([r]) => [...ring(r, 0), ...ring(r, 0).map(([x, y, z]) => [x, z, y])],
  cylinder: ([r, l]) => [
    ...[-l / 2, l / 2].flatMap(z => [...ring(r, z), [-r, 0, z], [r, 0, z], [0, -r, z], [0, r, z]]),
    ...[[-r, 0], [r, 0], [0, -r], [0, r]].flatMap(([x, y]) => [[x, y, -l / 2], [x, y, l / 2]]),
  ],
  cone: ([r, l]) => [
    ...ring(r, -l / 2),
    ...[[-r, 0], [r, 0], [0, -r], [0, r]].flatMap(([x, y]) => [[x, y, -l / 2], [0, 0, l / 2]]),
  ],
  grid: (size, geometry) => {
    // Two sides of every face without its longest, which is the diagonal if the faces come from a grid.
    const points = geometry.getAttribute("position").array, pairs = [];
    for (let i = 0; i < points.length; i += 9) {
      const corners = [0, 3, 6].map(k => [...points.subarray(i + k, i + k + 3)]);
      const sides = corners.map((a, k) => [a, corners[(k + 1) % 3]]);
      const long = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      for (const side of sides.sort((one, other) => long(one) - long(other)).slice(0, 2)) pairs.push(...side);
    }
    return pairs;
  },
  capsule: ([r, l]) => circle(a => [r * Math.cos(a), 0, r * Math.sin(a) + l / 2 * Math.sign(Math.round(1e9 * Math.sin(a)))]),
};

const ring = (r, z) => circle(a => [r * Math.cos(a), r * Math.sin(a), z]);
function circle(point, pieces = 64) {
  const pairs = [];
  for (let i = 0; i < pieces; i++) pairs.push(point(2 * Math.PI * i / pieces), point(2 * Math.PI * (i + 1) / pieces));
  return pairs;
}

/** Lines on a solid; for a mesh of the ground, the lines of its grid. */
function marksOf(shape, geometry, ground = false) {
  const own = ground && shape.kind === "mesh" ? MARKS.grid : MARKS[shape.kind];
  if (!own) return new THREE.EdgesGeometry(geometry, 30);
  const lines = new THREE.BufferGeometry();
  lines.setAttribute("position", new THREE.BufferAttribute(new Float32Array(own(shape.size, geometry).flat().map(x => 1.002 * x)), 3));
  return lines;
}

/** A coil from 0 to 1 along z with straight ends, of the given radius and thickness of wire (m). */
function coil(radius, wire, turns = 9) {
  class Coil extends THREE.Curve {
    getPoint(t, target = new THREE.Vector3()) {
      const s = clamp((t - .12) / .76, 0, 1), angle = 2 * Math.PI * turns * s;
      const spread = radius * Math.min(1, 12 * s, 12 * (1 - s));
      return target.set(spread * Math.cos(angle), spread * Math.sin(angle), t);
    }
  }
  return new THREE.TubeGeometry(new Coil(), 40 * turns, wire, 6);
}

/** Decode numbers that were packed as text by spatial_animation.py. */
function unpack(text, Type) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Type(bytes.buffer);
}

/** A floor of lines, `step` apart, that fades out at `reach` from its centre; in the plane z = 0. */
function floorLines(step, reach) {
  const points = [], alphas = [], count = Math.floor(reach / step), pieces = 24;
  const add = (x, y) => { points.push(x, y, 0); alphas.push(1, 1, 1, Math.max(0, 1 - Math.hypot(x, y) / reach) ** 1.4); };
  for (let i = -count; i <= count; i++) {
    for (let k = -pieces; k < pieces; k++) {
      const [a, b] = [reach * k / pieces, reach * (k + 1) / pieces];
      add(i * step, a); add(i * step, b); add(a, i * step); add(b, i * step);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(alphas), 4));
  return geometry;
}
