// The elements nearest to a place of the screen, by the distance to their drawn geometry in pixels.
const REACH = { mouse: 10, pen: 14, touch: 22 };
const POINT_RADIUS = { mouse: 6, pen: 8, touch: 14 }; // minimum click radius of a point, pixels
const INSIDE = 8; // distance assigned to positions inside a filled outline, so that a crossing line can be nearer
const EQUAL = 0.5; // pixels by which a part must be nearer than a point

const toSegment = ([u, v], [a, b], [c, d]) => {
  const x = c - a, y = d - b, size = x * x + y * y;
  const along = size > 0 ? Math.min(1, Math.max(0, ((u - a) * x + (v - b) * y) / size)) : 0;
  return Math.hypot(u - a - along * x, v - b - along * y);
};

function isInside([u, v], points) {
  let inside = false;
  for (let k = 0, last = points.length - 1; k < points.length; last = k++) {
    const [a, b] = points[k], [c, d] = points[last];
    if (b > v !== d > v && u < ((c - a) * (v - b)) / (d - b) + a) inside = !inside;
  }
  return inside;
}

// line: { points, closed } as a polyline, or { centre, radius } as a circle; in pixels.
export function distanceTo(at, line) {
  if (line.centre) {
    const off = Math.hypot(at[0] - line.centre[0], at[1] - line.centre[1]) - line.radius;
    return off < 0 && line.filled ? Math.min(-off, INSIDE) : Math.abs(off);
  }
  const { points, closed } = line;
  if (points.length === 1) return Math.hypot(at[0] - points[0][0], at[1] - points[0][1]);
  let least = Infinity;
  for (let k = 1; k < points.length; k++) least = Math.min(least, toSegment(at, points[k - 1], points[k]));
  if (closed && points.length > 2) {
    least = Math.min(least, toSegment(at, points[points.length - 1], points[0]));
    if (isInside(at, points)) least = Math.min(least, INSIDE);
  }
  return least;
}

// Points and parts within reach, the nearest first; at equal distance, points before parts, and later drawn before earlier.
// drawn: { points: Map of name to { at, radius }, parts: Map of key to lines }, in pixels. kinds: "point", "part" or both.
export function nearest(drawn, at, pointer = "mouse", kinds = ["point", "part"]) {
  const reach = REACH[pointer] || REACH.mouse, least = POINT_RADIUS[pointer] || POINT_RADIUS.mouse, found = [];
  let order = 0;
  if (kinds.includes("part")) for (const [part, lines] of drawn.parts) {
    const distance = Math.min(...lines.map((line) => distanceTo(at, line)));
    found.push({ part, distance, rank: distance, centre: 0, order: order++ });
  }
  if (kinds.includes("point")) for (const [point, { at: [u, v], radius, owned }] of drawn.points) {
    const centre = Math.hypot(at[0] - u, at[1] - v) + (owned ? 0.5 : 0), distance = Math.max(0, centre - Math.max(radius, least));
    found.push({ point, distance, rank: distance - EQUAL, centre, order: order++ });
  }
  return found.filter((one) => one.distance <= reach).sort((a, b) => a.rank - b.rank || a.centre - b.centre || b.order - a.order);
}

export const nameOf = (one) => one?.point ?? one?.part;
