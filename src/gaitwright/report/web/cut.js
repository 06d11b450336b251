// Marching tetrahedra: the section of a mesh by a plane, computed for every picture. See renderers/plane_cuts.py.

/** Array of numbers that grows on demand; it always has space for whole points. */
class Growing {
  constructor() { this.array = new Float32Array(6144); this.length = 0; }
  room(count) {
    if (this.length + count <= this.array.length) return;
    const larger = new Float32Array(2 * this.array.length + 6 * count);
    larger.set(this.array);
    this.array = larger;
  }
}

// The three other corners for each corner, such that adjacent ones share a face of the tetrahedron with it.
const OTHERS = [[1, 2, 3], [2, 3, 0], [3, 0, 1], [0, 1, 2]];

/** A cutter for tetrahedra `cells` (four nodes each); `sides` has a bit for every face that is a face of an element.
    Its function `at(nodes, values, axis, place, side)` fills points (x, y, z of triangles), values (one per corner) and lines
    (x, y, z of pairs of ends); side: 1 or -1, the sign of the removed half. */
function createCutter(cells, sides) {
  const points = new Growing(), values = new Growing(), lines = new Growing();
  const x = new Float32Array(4), y = new Float32Array(4), z = new Float32Array(4), v = new Float32Array(4);
  let nodes, field, heights;

  function corner(k, a, b) {
    const s = heights[a] / (heights[a] - heights[b]);
    x[k] = nodes[3 * a] + s * (nodes[3 * b] - nodes[3 * a]);
    y[k] = nodes[3 * a + 1] + s * (nodes[3 * b + 1] - nodes[3 * a + 1]);
    z[k] = nodes[3 * a + 2] + s * (nodes[3 * b + 2] - nodes[3 * a + 2]);
    v[k] = field ? field[a] + s * (field[b] - field[a]) : 0;
  }
  function put(k) {
    const {array} = points;
    array[points.length++] = x[k]; array[points.length++] = y[k]; array[points.length++] = z[k];
    values.array[values.length++] = v[k];
  }
  function triangle(a, b, c) { points.room(9); values.room(3); put(a); put(b); put(c); }
  function line(a, b) {
    lines.room(6);
    const {array} = lines;
    for (const k of [a, b]) { array[lines.length++] = x[k]; array[lines.length++] = y[k]; array[lines.length++] = z[k]; }
  }

  function at(places, shares, axis, place, side) {
    nodes = places; field = shares;
    const count = nodes.length / 3;
    heights ??= new Float32Array(count);
    for (let i = 0, j = axis; i < count; i++, j += 3) heights[i] = side * (nodes[j] - place);
    points.length = values.length = lines.length = 0;
    const above = [], below = [];
    for (let i = 0; i < cells.length; i += 4) {
      const h0 = heights[cells[i]] > 0, h1 = heights[cells[i + 1]] > 0, h2 = heights[cells[i + 2]] > 0, h3 = heights[cells[i + 3]] > 0;
      const number = h0 + h1 + h2 + h3;
      if (number === 0 || number === 4) continue;
      const flags = sides[i / 4], on = k => flags >> k & 1;
      if (number === 2) {
        above.length = below.length = 0;
        [h0, h1, h2, h3].forEach((up, k) => (up ? above : below).push(k));
        const [a, b] = above, [c, d] = below;
        corner(0, cells[i + a], cells[i + c]); corner(1, cells[i + a], cells[i + d]);
        corner(2, cells[i + b], cells[i + d]); corner(3, cells[i + b], cells[i + c]);
        triangle(0, 1, 2); triangle(0, 2, 3);
        if (on(b)) line(0, 1);
        if (on(c)) line(1, 2);
        if (on(a)) line(2, 3);
        if (on(d)) line(3, 0);
        continue;
      }
      const lone = [h0, h1, h2, h3].indexOf(number === 1), [b, c, d] = OTHERS[lone];
      corner(0, cells[i + lone], cells[i + b]); corner(1, cells[i + lone], cells[i + c]); corner(2, cells[i + lone], cells[i + d]);
      triangle(0, 1, 2);
      if (on(d)) line(0, 1);
      if (on(b)) line(1, 2);
      if (on(c)) line(2, 0);
    }
    return {points, values, lines};
  }
  return {at};
}
