// The mechanism on the canvas: parts, points, curves, open joints.
import { byId, set, svg } from "./dom.js";
import { pairs, path, rowAt, shapeLines, shapePath, zigzag } from "./shapes.js";

const KINDS = { links: "link", bodies: "body", beams: "beam", joints: "slider", drives: "drive", forces: "spring", contacts: "contact", solids: "body", parts: "body" };
const layer = (name) => byId(`layer-${name}`);

// Three quarters of a circle with an arrow at its end.
function turning([u, v], r, clockwise) {
  const at = (angle) => [u + r * Math.cos(angle), v - r * Math.sin(angle)];
  const ends = [-Math.PI / 4, (5 * Math.PI) / 4], [begin, end] = clockwise ? ends.reverse() : ends;
  const [a, b] = at(begin), [c, d] = at(end), way = clockwise ? 1 : -1;
  const ahead = Math.atan2(way * Math.cos(end), way * Math.sin(end)), wing = (turn) => `M${c} ${d}l${-8 * Math.cos(ahead + turn)} ${-8 * Math.sin(ahead + turn)}`;
  return `M${a} ${b}A${r} ${r} 0 1 ${clockwise ? 1 : 0} ${c} ${d}${wing(0.6)}${wing(-0.6)}`;
}

// Of overlapping names, the later ones are omitted.
function apart(names) {
  const kept = [];
  for (const name of names) {
    const [, { x, y }, text] = name, box = [Number(x), Number(y), Number(x) + 7 * text.length, Number(y) - 12];
    if (!kept.some(([, , , b]) => b[0] < box[2] && box[0] < b[2] && b[3] < box[1] && box[3] < b[1])) kept.push([...name, box]);
  }
  return kept;
}

// Shapes that a joint adds to its bodies: drawn with the joint.
const OF_JOINTS = ["gear", "spiral"];
const GLYPH = 19; // radius of the arrow of a drive, pixels

const ring = ([u, v], r) => `M${u - r} ${v}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

export class Drawing {
  constructor(model, view) {
    Object.assign(this, { model, view, showNames: true, drawn: { points: new Map(), parts: new Map() } }); // drawn: geometry in pixels, for nearest.js
    view.onChange(() => this.draw());
    model.on("state picture chosen", () => this.draw());
  }

  draw() {
    const { model } = this;
    if (!model.state) return;
    const to = (p) => this.view.toScreen(p);
    this.fine = this.fineness();
    this.view.root.style.setProperty("--fine", this.fine);
    const shapes = new Map();
    for (const shape of model.picture?.shapes || []) shapes.set(shape.name, [...(shapes.get(shape.name) || []), shape]);
    this.wrong = this.wrongParts();
    this.drawGrounds(to);
    this.drawTraces(to);
    this.shapes = shapes;
    this.drawn = { points: new Map(), parts: new Map() };
    this.reuse("parts", model.state.elements.map((element) => [model.key(element), () => this.part(element, shapes, to)]).filter(([, make]) => make));
    this.reuse("points", this.points().map((point) => [point.name, () => this.drawPoint(point, to)]));
    this.drawFaults(to);
    this.drawNames(to);
  }

  // Line and point sizes are reduced if links are short on the screen: 1 from 60 pixels on, down to 0.4.
  fineness() {
    const lengths = [];
    for (const element of this.model.state.elements) {
      const ends = element.section === "links" ? this.ends(element) : [];
      if (ends.length > 1 && ends[0].length === 2) lengths.push(Math.hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]) * this.view.scale);
    }
    if (!lengths.length) return 1;
    lengths.sort((a, b) => a - b);
    return Number(Math.min(1, Math.max(0.4, lengths[Math.floor(lengths.length / 2)] / 60)).toFixed(2));
  }

  // DOM nodes are reused between previews, so that focus and pointer capture survive; only attributes change.
  reuse(name, wanted) {
    const home = layer(name), known = (this[`nodes_${name}`] ||= new Map()), keep = new Set();
    for (const [key, make] of wanted) {
      const what = make();
      if (!what) continue;
      keep.add(key);
      let node = known.get(key);
      if (!node) {
        node = svg("g", { tabindex: "-1", role: "button" });
        known.set(key, node);
        home.append(node);
      }
      node.dataset[what.point ? "point" : "part"] = key;
      set(node, { class: what.class, "aria-label": what.label, "aria-pressed": what.chosen ? "true" : "false" });
      what.shapes.forEach(([tag, attributes], k) => {
        let child = node.children[k];
        if (!child || child.tagName !== tag) { const fresh = svg(tag); if (child) child.replaceWith(fresh); else node.append(fresh); child = fresh; }
        for (const old of [...child.attributes]) if (!(old.name in attributes)) child.removeAttribute(old.name);
        set(child, attributes);
      });
      while (node.children.length > what.shapes.length) node.lastChild.remove();
    }
    for (const [key, node] of known) if (!keep.has(key)) { node.remove(); known.delete(key); }
  }

  // Mark the element that a click would select, without redrawing.
  setNear(one) {
    const name = one?.point ?? one?.part ?? null;
    if (name === this.near && Boolean(one?.point) === this.nearPoint) return;
    Object.assign(this, { near: name, nearPoint: Boolean(one?.point) });
    for (const old of this.view.root.querySelectorAll(".near")) old.classList.remove("near");
    if (name !== null) (this.nearPoint ? this.nodes_points : this.nodes_parts)?.get(name)?.classList.add("near");
    this.view.root.classList.toggle("over-point", Boolean(one?.point));
    this.view.root.classList.toggle("over-part", Boolean(one?.part));
  }

  // Screen position of a part: the middle of its first line, pixels.
  middle(key) {
    const line = this.drawn.parts.get(key)?.[0];
    if (!line) return null;
    if (line.centre) return line.centre;
    const [[a, b], [c, d]] = [line.points[0], line.points[line.points.length - 1]];
    return [(a + c) / 2, (b + d) / 2];
  }

  // Ground points, moving points and points of bodies; a point that belongs only to bodies is drawn with them.
  points() { return this.model.state.points; }

  wrongParts() {
    const wrong = new Set(), { picture, state } = this.model;
    const note = (element) => { if (element && element.index !== undefined && element.index !== null) wrong.add(`${element.section}/${element.index}`); };
    note(state.problem?.element);
    for (const fault of picture?.faults || []) if (fault.what === "open" || fault.what === "model") note(fault.element);
    for (const gap of picture?.gaps || []) for (const body of gap.bodies || []) { const found = state.elements.find((e) => e.name === body); if (found) wrong.add(this.model.key(found)); }
    return wrong;
  }

  part(element, shapes, to) {
    const key = this.model.key(element), own = element.name ? shapes.get(element.name) || [] : [];
    const chosen = this.model.chosen.parts.has(key);
    const glyph = this.glyph(element, own, to);
    if (!glyph) return null;
    this.drawn.parts.set(key, glyph.lines);
    const marks = `${chosen ? " chosen" : ""}${this.wrong.has(key) ? " wrong" : ""}${!this.nearPoint && this.near === key ? " near" : ""}`;
    return { class: `part ${glyph.kind}${marks}`, label: element.label, chosen, shapes: glyph.paths.map((d) => ["path", { class: "seen", d }]) };
  }

  ends(element) { return element.points.map((name) => this.model.place(name)).filter(Boolean); }

  // kind: style class; paths: drawn paths; lines: geometry for distance measurement.
  glyph(element, own, to) {
    if (["links", "bodies", "beams", "solids", "parts"].includes(element.section)) {
      const seen = own.filter((shape) => shape.kind !== "ground" && !OF_JOINTS.includes(shape.kind));
      if (seen.length) return this.ofShapes(seen, seen.some((s) => s.closed || s.kind === "round") ? "body" : KINDS[element.section], to);
      const ends = this.ends(element).map(to);
      if (ends.length === 1 && this.wrong.has(this.model.key(element))) return { kind: KINDS[element.section], paths: [ring(ends[0], 16)], lines: [{ centre: ends[0], radius: 16 }] };
      return ends.length > 1 ? { kind: ends.length > 2 ? "body" : KINDS[element.section], paths: [path(ends, ends.length > 2)], lines: [{ points: ends, closed: ends.length > 2 }] } : null;
    }
    const makers = { joints: "jointGlyph", drives: "driveGlyph", forces: "forceGlyph", contacts: "contactGlyph" };
    const maker = makers[element.section];
    return maker ? this[maker](element, own, to) : null;
  }

  ofShapes(shapes, kind, to) {
    const rows = shapes.map((shape) => rowAt(shape.points, this.model.frame));
    return { kind, paths: shapes.map((shape, k) => shapePath(shape, rows[k], to)), lines: shapes.flatMap((shape, k) => shapeLines(shape, rows[k], to)) };
  }

  jointGlyph(element, own, to) {
    const { fields, type } = element;
    if (type === "gear" || type === "rack") {
      const wheels = (type === "gear" ? [fields.a, fields.b] : [fields.pinion]).flatMap((body) => (this.shapes.get(body) || []).filter((shape) => shape.kind === "gear"));
      if (wheels.length) return this.ofShapes(wheels, "gear", to);
      const [one, other] = [fields.a, fields.b].map((name) => this.model.state.elements.find((e) => e.section === "links" && e.name === name)), shared = one?.points.find((point) => other?.points.includes(point));
      return type === "gear" && fields.ratio === 1 && shared ? this.weldGlyph(this.model.place(shared), to) : null;
    }
    if (type === "distance") {
      const ends = this.ends(element).map(to);
      return ends.length > 1 ? { kind: "rod", paths: [path(ends)], lines: [{ points: ends }] } : null;
    }
    if (type === "fixed") {
      return this.weldGlyph(this.ends(element)[0], to);
    }
    if (type !== "slot" && type !== "prismatic") return null;
    const at = this.sliding(element);
    if (!at) return null;
    const [x, y] = this.axis(element), size = Math.hypot(x, y) || 1;
    const [u, v] = to(at), reach = 70, du = (x / size) * reach, dv = (-y / size) * reach, nu = -dv / reach * 9, nv = du / reach * 9;
    if (![du, dv].every(Number.isFinite)) return null;
    const rails = [1, -1].map((s) => ({ points: [[u - du + s * nu, v - dv + s * nv], [u + du + s * nu, v + dv + s * nv]] }));
    return { kind: "slider", paths: [rails.map((rail) => path(rail.points)).join("")], lines: rails };
  }

  weldGlyph(at, to) {
    if (!at) return null;
    const [u, v] = to(at), square = [[u - 9, v - 9], [u + 9, v - 9], [u + 9, v + 9], [u - 9, v + 9]];
    return { kind: "weld", paths: [path(square, true)], lines: [{ points: [...square, square[0]] }] };
  }

  // Sliding direction on the screen; the axes of a link rotate with it.
  axis({ fields }) {
    const axis = fields.axis || fields.direction, [x, y] = Array.isArray(axis) ? axis.map(Number) : [1, 0];
    const holder = String(fields.a ?? fields.line ?? "").split(".")[0], link = this.model.state.elements.find((one) => one.section === "links" && one.name === holder);
    const [a, b] = link ? this.ends(link) : [];
    if (!a || !b) return [x, y];
    const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
    return [Math.cos(angle) * x - Math.sin(angle) * y, Math.sin(angle) * x + Math.cos(angle) * y];
  }

  // Position of the sliding part, the one not on the ground; of a body, its centre.
  sliding({ fields }) {
    const names = [fields.b, fields.a].filter((name) => typeof name === "string" && name !== "ground");
    const free = names.filter((name) => !name.startsWith("ground.") && !this.model.point(name)?.ground);
    for (const name of [...free, ...names]) {
      const at = this.model.place(name) || this.model.place(`${name}.centre`) || this.model.place(name.replace(/^[^.]*\./, ""));
      if (at && at.length === 2) return at;
    }
    return null;
  }

  driveGlyph(element, own, to) {
    const body = element.fields.body || element.fields.b || element.fields.a;
    const carrier = this.model.state.elements.find((one) => one.name === body);
    const at = carrier ? this.model.place(carrier.points[0]) : this.ends(element)[0];
    if (!at) return null;
    const text = String(element.fields.angle ?? element.fields.value ?? "");
    const [u, v] = to(at), around = Array.from({ length: 19 }, (_, k) => { const angle = -Math.PI / 4 + (k / 18) * 1.5 * Math.PI; return [u + GLYPH * Math.cos(angle), v - GLYPH * Math.sin(angle)]; });
    return { kind: "drive", paths: [turning([u, v], GLYPH, /-[^+-]*\bt\b/.test(text))], lines: [{ points: around }] };
  }

  forceGlyph(element, own, to) {
    const ends = this.ends(element).map(to);
    if (ends.length >= 2) return { kind: "spring", paths: [path(zigzag(ends[0], ends[1], 6))], lines: [{ points: ends.slice(0, 2) }] };
    const spring = own.find((shape) => shape.kind === "spring");
    if (spring) return this.ofShapes([spring], "spring", to);
    const spirals = (element.type || "").includes("torsion") || element.type === "bumper" ? [element.fields.b, element.fields.a].flatMap((body) => (this.shapes.get(element.name) || this.shapes.get(body) || []).filter((shape) => shape.kind === "spiral")).slice(0, 1) : [];
    if (spirals.length) return this.ofShapes(spirals, "spring", to);
    if (!ends.length) return null;
    const value = Array.isArray(element.fields.value) ? element.fields.value.map(Number) : [0, -1];
    const size = Math.hypot(...value) || 1, [u, v] = ends[0];
    if (!Number.isFinite(size)) return { kind: "force", paths: [`M${u} ${v}v44m-5 -8l5 8l5 -8`], lines: [{ points: [[u, v], [u, v + 44]] }] };
    const [a, b] = [u + (value[0] / size) * 46, v - (value[1] / size) * 46], angle = Math.atan2(b - v, a - u);
    const wing = (turn) => `M${a} ${b}L${a - 10 * Math.cos(angle + turn)} ${b - 10 * Math.sin(angle + turn)}`;
    return { kind: "force", paths: [`M${u} ${v}L${a} ${b}${wing(0.5)}${wing(-0.5)}`], lines: [{ points: [[u, v], [a, b]] }] };
  }

  contactGlyph(element, own, to) {
    const at = this.ends(element)[0];
    if (!at) return null;
    const [u, v] = to(at);
    return { kind: "contact", paths: [`M${u - 11} ${v + 9}h22M${u - 7} ${v + 13}h14`], lines: [{ points: [[u - 11, v + 9], [u + 11, v + 9]] }, { points: [[u - 7, v + 13], [u + 7, v + 13]] }] };
  }

  drawPoint(point, to) {
    const at = this.model.place(point.name);
    if (!at || at.length > 2) return null;
    const [u, v] = to(at).map((value) => Number(value.toFixed(2)));
    const chosen = this.model.chosen.points.has(point.name), { feet } = this.model.state;
    const shapes = [];
    if (point.ground) shapes.push(["path", { class: "base", d: `M${u} ${v}l${-9 * this.fine} ${15 * this.fine}h${18 * this.fine}z` }]);
    const radius = (point.owner ? 4.5 : 6) * this.fine;
    this.drawn.points.set(point.name, { at: [u, v], radius, owned: Boolean(point.owner) });
    shapes.push(["circle", { class: "seen", cx: u, cy: v, r: radius }]);
    if (feet.includes(point.name)) shapes.push(["circle", { class: "foot", cx: u, cy: v, r: 3 }]);
    const wrong = (this.model.picture?.gaps || []).some((gap) => gap.joint === point.name);
    const what = point.ground ? "ground point" : "point";
    return { point: true, class: `point${chosen ? " chosen" : ""}${wrong ? " wrong" : ""}${this.nearPoint && this.near === point.name ? " near" : ""}`, label: `${what} ${point.name}`, chosen, shapes };
  }

  drawGrounds(to) {
    const shapes = (this.model.picture?.shapes || []).filter((shape) => shape.kind === "ground" || shape.kind === "surface");
    this.simple("ground", shapes.map((shape) => {
      const points = pairs(rowAt(shape.points, this.model.frame)).map(to);
      if (shape.kind === "surface") return ["path", { class: "ground-line", d: path(points, shape.closed) }];
      if (shape.closed) return ["path", { class: "ground-line", d: path(points, true) }];
      const [[u0, v0], [u1, v1]] = [points[0], points[points.length - 1]], length = Math.hypot(u1 - u0, v1 - v0) || 1;
      const nu = (-(v1 - v0) / length) * 4000, nv = ((u1 - u0) / length) * 4000; // solid on the right of its outline
      return ["path", { class: "ground-line", d: path([...points, [u1 + nu, v1 + nv], [u0 + nu, v0 + nv]], true) }];
    }));
  }

  drawTraces(to) { this.simple("traces", (this.model.picture?.traces || []).map((trace) => ["path", { class: "trace", d: path(trace.points.filter(Boolean).map(to)), "data-trace": trace.name }])); }

  drawFaults(to) {
    const found = [];
    for (const gap of this.model.picture?.gaps || []) {
      if (!gap.at || gap.at.length < 2) continue;
      const [[u0, v0], [u1, v1]] = gap.at.map(to);
      found.push(["path", { class: "gap", d: `M${u0} ${v0}L${u1} ${v1}` }], ["circle", { class: "gap-end", cx: u0, cy: v0, r: 9 }], ["circle", { class: "gap-end", cx: u1, cy: v1, r: 9 }]);
      const said = gap.mm !== null && gap.mm !== undefined ? `${Number(gap.mm.toPrecision(3))} mm` : `${Number((gap.rad * 180 / Math.PI).toPrecision(3))}°`;
      found.push(["text", { class: "gap-text", x: (u0 + u1) / 2 + 12, y: (v0 + v1) / 2 + 22 }, said]);
    }
    for (const fault of this.model.picture?.faults || []) {
      if (!fault.element || fault.what === "open" || fault.what === "model") continue;
      const element = this.model.state.elements.find((one) => one.section === fault.element.section && one.index === fault.element.index);
      const at = element && this.ends(element)[0];
      if (at) { const [u, v] = to(at); found.push(["path", { class: "mark", d: `M${u} ${v - 26}l11 18h-22zM${u} ${v - 20}v6m0 3v.5` }]); }
    }
    this.simple("faults", found);
  }

  drawNames(to) {
    const found = [];
    if (this.showNames) {
      const many = this.model.state.elements.length > 40;
      for (const point of this.points()) {
        const at = !point.owner && this.model.place(point.name);
        if (at && at.length === 2) { const [u, v] = to(at); found.push(["text", { class: "name", x: (u + 9).toFixed(1), y: (v - 9).toFixed(1) }, point.name]); }
      }
      for (const element of many ? [] : this.model.state.elements) {
        if (!["links", "bodies", "beams"].includes(element.section) || !element.name) continue;
        const ends = this.ends(element);
        if (ends.length < 2) continue;
        const [u, v] = to([(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2]);
        found.push(["text", { class: "name of-part", x: (u + 6).toFixed(1), y: (v + 14).toFixed(1) }, element.name]);
      }
    }
    this.simple("names", apart(found));
  }

  simple(name, wanted) {
    const home = layer(name);
    wanted.forEach(([tag, attributes, text], k) => {
      let node = home.children[k];
      if (!node || node.tagName !== tag) { const fresh = svg(tag); if (node) node.replaceWith(fresh); else home.append(fresh); node = fresh; }
      set(node, attributes);
      if (text !== undefined && node.textContent !== text) node.textContent = text;
    });
    while (home.children.length > wanted.length) home.lastChild.remove();
  }

  extent() {
    const points = this.points().map((point) => this.model.place(point.name));
    for (const trace of this.model.picture?.traces || []) points.push(...trace.points);
    for (const shape of this.model.picture?.shapes || []) if (shape.kind !== "ground") points.push(...pairs(rowAt(shape.points, this.model.frame)));
    return points;
  }
}
