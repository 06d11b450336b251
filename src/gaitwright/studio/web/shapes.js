// Paths of drawn parts: the same for thumbnails and the canvas. A row is [x0, y0, x1, y1, ...] in metres.
export function zigzag([x0, y0], [x1, y1], width, turns = 6) {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1, ux = (x1 - x0) / length, uy = (y1 - y0) / length;
  const points = [[x0, y0]], lead = 0.18 * length, way = length - 2 * lead;
  for (let k = 0; k <= 2 * turns; k++) {
    const along = lead + (way * k) / (2 * turns), side = k === 0 || k === 2 * turns ? 0 : k % 2 ? width : -width;
    points.push([x0 + ux * along - uy * side, y0 + uy * along + ux * side]);
  }
  points.push([x1, y1]);
  return points;
}

export function pairs(row) {
  const points = [];
  for (let k = 0; k < row.length; k += 2) points.push([row[k], row[k + 1]]);
  return points;
}

export const rowAt = (rows, frame) => rows[rows.length === 1 ? 0 : Math.min(frame, rows.length - 1)];

export const path = (points, closed) => (points.length ? `M${points.map(([u, v]) => `${u.toFixed(2)} ${v.toFixed(2)}`).join("L")}${closed ? "Z" : ""}` : "");

export const CIRCLES = ["round", "gear", "spiral"]; // kinds of shapes given by a centre and a point on the circle

// The path of a shape on the screen; `to` converts metres to pixels.
export function shapePath(shape, row, to) {
  const points = pairs(row).map(to);
  if (shape.kind === "spring") return path(zigzag(points[0], points[1], 6), false);
  if (CIRCLES.includes(shape.kind)) {
    const [[u, v], [s, t]] = points, r = Math.hypot(s - u, t - v);
    return `M${u - r} ${v}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0M${u} ${v}L${s} ${t}`;
  }
  return path(points, shape.closed);
}

// Geometry for distance measurement (nearest.js), pixels.
export function shapeLines(shape, row, to) {
  const points = pairs(row).map(to);
  if (!CIRCLES.includes(shape.kind)) return [{ points, closed: shape.closed }];
  const [[u, v], [s, t]] = points;
  return [{ centre: [u, v], radius: Math.hypot(s - u, t - v), filled: shape.kind === "round" }, { points }];
}
