// Line chart: axes, legend, and values at the pointer or selected by arrow keys.
import { el, number, set, svg } from "./dom.js";

const WIDE = 460, TALL = 250, LEFT = 58, RIGHT = 14, TOP = 12, BOTTOM = 40;
export const COLOURS = ["#0b6bb0", "#d1495b", "#3a8f5c", "#b8791c", "#7a5bb5", "#3aa6a0", "#c2568f", "#6b7785"];

// Round numbers between two values, about `wanted` of them.
export function ticks(low, high, wanted = 5) {
  const span = high - low || Math.abs(high) || 1, raw = span / wanted, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 2.5, 5, 10].find((k) => k * power >= raw * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

function range(lines, key) {
  let low = Infinity, high = -Infinity;
  for (const line of lines) for (const value of line[key]) if (value !== null && Number.isFinite(value)) { if (value < low) low = value; if (value > high) high = value; }
  if (low > high) return [0, 1];
  if (low === high) { const room = Math.abs(low) * 0.1 || 1; return [low - room, high + room]; }
  return [low, high];
}

// lines: [{label, x: [], y: [], dash}]; options: title, xlabel, ylabel, equal (same scale both ways), markers.
export function plot(lines, options = {}) {
  let [x0, x1] = range(lines, "x"), [y0, y1] = range(lines, "y");
  const room = (y1 - y0) * 0.06;
  y0 -= room; y1 += room;
  const wide = WIDE - LEFT - RIGHT, tall = TALL - TOP - BOTTOM;
  if (options.equal) {
    const scale = Math.min(wide / (x1 - x0), tall / (y1 - y0)), cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
    [x0, x1, y0, y1] = [cx - wide / scale / 2, cx + wide / scale / 2, cy - tall / scale / 2, cy + tall / scale / 2];
  }
  const u = (x) => LEFT + ((x - x0) / (x1 - x0)) * wide, v = (y) => TOP + tall - ((y - y0) / (y1 - y0)) * tall;
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, class: "plot", tabindex: "0", role: "img", "aria-label": `${options.title || "Chart"}: ${lines.map((l) => l.label).join(", ")}; arrow keys read values` });
  for (const x of ticks(x0, x1, 5)) picture.append(svg("path", { class: "grid", d: `M${u(x)} ${TOP}v${tall}` }), svg("text", { class: "tick", x: u(x), y: TOP + tall + 16, "text-anchor": "middle", text: number(x) }));
  for (const y of ticks(y0, y1)) picture.append(svg("path", { class: "grid", d: `M${LEFT} ${v(y)}h${wide}` }), svg("text", { class: "tick", x: LEFT - 6, y: v(y) + 4, "text-anchor": "end", text: number(y) }));
  picture.append(svg("text", { class: "label", x: LEFT + wide / 2, y: TALL - 6, "text-anchor": "middle", text: options.xlabel || "" }));
  picture.append(svg("text", { class: "label", transform: `translate(13 ${TOP + tall / 2}) rotate(-90)`, "text-anchor": "middle", text: options.ylabel || "" }));
  lines.forEach((line, k) => {
    let path = "", pen = false;
    for (let i = 0; i < line.x.length; i++) {
      const good = line.x[i] !== null && line.y[i] !== null && Number.isFinite(line.x[i]) && Number.isFinite(line.y[i]);
      if (good) path += `${pen ? "L" : "M"}${u(line.x[i]).toFixed(1)} ${v(line.y[i]).toFixed(1)}`;
      pen = good;
    }
    const curve = svg("path", { class: "curve", d: path, "stroke-dasharray": line.dash || null });
    curve.style.stroke = line.colour || COLOURS[k % COLOURS.length];
    picture.append(curve);
    if (options.markers) for (let i = 0; i < line.x.length; i++) if (Number.isFinite(line.y[i]) && line.y[i] !== null) { const dot = svg("circle", { cx: u(line.x[i]), cy: v(line.y[i]), r: 3 }); dot.style.fill = line.colour || COLOURS[k % COLOURS.length]; picture.append(dot); }
  });
  const cursor = svg("path", { class: "cursor" });
  picture.append(cursor);
  const reading = el("output", { class: "reading", "aria-live": "polite" });
  const legend = el("ul", { class: "legend" }, lines.map((line, k) => { const swatch = el("span", { class: "swatch" }); swatch.style.background = line.colour || COLOURS[k % COLOURS.length]; return el("li", {}, swatch, line.label); }));
  let at = 0;
  const first = lines[0];
  function read(index) {
    if (!first || !first.x.length) return;
    at = Math.max(0, Math.min(first.x.length - 1, index));
    const x = first.x[at];
    set(cursor, { d: `M${u(x).toFixed(1)} ${TOP}v${tall}` });
    const values = lines.map((line) => `${line.label} ${number(line.y[line === first ? at : nearest(line.x, x)], 5)}`);
    reading.textContent = `${options.xlabel || "x"} ${number(x, 5)}: ${values.join(", ")}`;
    if (options.onread) options.onread(x);
  }
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect(), x = x0 + (((event.clientX - box.left) / box.width) * WIDE - LEFT) / wide * (x1 - x0);
    read(nearest(first ? first.x : [], x));
  });
  picture.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageUp: 20, PageDown: -20 }[event.key];
    if (!step) return;
    event.preventDefault();
    read(at + step);
  });
  return el("figure", { class: "chart" }, options.title ? el("figcaption", { text: options.title }) : null, picture, legend, reading);
}

// Index of the value that is nearest to x; values need not be sorted (curves of points are not).
function nearest(values, x) {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (Math.abs(values[i] - x) < Math.abs(values[best] - x)) best = i;
  return best;
}

// A map of a number over two parameters, as coloured squares with a value display. columns, rows: values; cells: [row][column].
export function heatmap({ title, columns, rows, cells, xlabel, ylabel, unit }) {
  const known = cells.flat().filter((value) => value !== null && Number.isFinite(value));
  const low = Math.min(...known), high = Math.max(...known);
  const wide = (WIDE - LEFT - RIGHT) / columns.length, tall = (TALL - TOP - BOTTOM) / rows.length;
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, class: "plot", role: "img", "aria-label": `${title}, from ${number(low)} to ${number(high)} ${unit || ""}` });
  const reading = el("output", { class: "reading" });
  cells.forEach((row, r) => row.forEach((value, c) => {
    const cell = svg("rect", { x: LEFT + c * wide, y: TOP + (rows.length - 1 - r) * tall, width: wide + 0.5, height: tall + 0.5 });
    const part = high > low ? (value - low) / (high - low) : 0.5;
    cell.style.fill = value === null || !Number.isFinite(value) ? "var(--line)" : `hsl(${230 - 190 * part} 70% ${28 + 38 * part}%)`;
    cell.addEventListener("pointerenter", () => { reading.textContent = `${xlabel} ${number(columns[c])}, ${ylabel} ${number(rows[r])}: ${number(value, 5)} ${unit || ""}`; });
    picture.append(cell);
  }));
  [0, columns.length - 1].forEach((c) => picture.append(svg("text", { class: "tick", x: LEFT + (c + 0.5) * wide, y: TALL - BOTTOM + 16, "text-anchor": "middle", text: number(columns[c]) })));
  [0, rows.length - 1].forEach((r) => picture.append(svg("text", { class: "tick", x: LEFT - 6, y: TOP + (rows.length - 0.5 - r) * tall + 4, "text-anchor": "end", text: number(rows[r]) })));
  picture.append(svg("text", { class: "label", x: WIDE / 2, y: TALL - 6, "text-anchor": "middle", text: xlabel }), svg("text", { class: "label", transform: `translate(13 ${TALL / 2}) rotate(-90)`, "text-anchor": "middle", text: ylabel }));
  return el("figure", { class: "chart" }, el("figcaption", { text: `${title}: ${number(low)} to ${number(high)} ${unit || ""}` }), picture, reading);
}
