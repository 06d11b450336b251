// Mouse, finger and keyboard on the canvas: clicking, dragging, panning, pinching, and a cursor moved by the arrow keys.
import { byId, metres, set, svg } from "./dom.js";
import { nameOf, nearest } from "./nearest.js";

const CLICK = 5; // maximum pointer movement during a click, pixels
const AGAIN = 3; // maximum distance of two clicks at the same position, pixels
const DOUBLE = 400; // maximum time between the clicks of a double click, ms
const TOOL_REACH = 7; // pixels beyond the edge of a point within which a tool uses it instead of a new one
const BODIES = ["links", "bodies", "beams"];
const ON_A_MAC = /Mac/.test(navigator.platform);

export class Hand {
  constructor(model, view, toolbox, drawing, snap, menu, editor) {
    Object.assign(this, { model, view, toolbox, drawing, snap, menu, editor, pointers: new Map(), held: null, cross: null, last: null });
    const root = view.root;
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    root.addEventListener("pointercancel", (event) => this.cancel(event));
    root.addEventListener("dblclick", () => { if (toolbox.tool.many && toolbox.taken.length) toolbox.finish(); });
    root.addEventListener("pointerleave", () => this.drawing.setNear(null));
    root.addEventListener("contextmenu", (event) => { event.preventDefault(); if (event.pointerType === "touch") { this.letGo(); this.openMenu(this.view.place(event), "touch"); } }); // a long press; the mouse opens it in `up`
    root.addEventListener("wheel", (event) => { event.preventDefault(); view.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), view.place(event)); }, { passive: false });
    root.addEventListener("keydown", (event) => this.key(event));
    view.onChange(() => { this.drawCross(); toolbox.draw(); });
  }

  // Elements at a screen position. all: everything within reach, the nearest first; any: the first of them; point: for tools; body: the
  // nearest link, body or beam.
  under(at, pointer = "mouse") {
    const { drawn } = this.drawing, all = nearest(drawn, at, pointer), points = nearest(drawn, at, pointer, ["point"]);
    const parts = nearest(drawn, at, pointer, ["part"]).filter(({ part }) => BODIES.includes(this.model.element(part)?.section));
    const reach = pointer === "touch" ? 2 * TOOL_REACH : TOOL_REACH;
    return { all, any: all[0] || {}, point: points.find((one) => one.distance <= reach)?.point || null, body: parts[0]?.part || null };
  }

  world(event) {
    const at = this.view.toWorld(this.view.place(event));
    return event.altKey ? at.map((value) => Number(value.toPrecision(6))) : this.snap.at(at);
  }

  down(event) {
    if (!this.model.state) return;
    this.view.root.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.view.place(event));
    if (this.pointers.size === 2) { this.letGo(); this.held = { kind: "pinch", ...this.spread() }; return; }
    this.hideCross();
    const start = this.view.place(event), under = this.under(start, event.pointerType), second = event.button === 2 || (ON_A_MAC && event.ctrlKey && event.button === 0);
    this.menu.close();
    this.editor.close();
    if (second || event.button === 1) this.held = { kind: "pan", start, moved: false, last: start, menu: second };
    else if (this.toolbox.drawing) this.held = { kind: "tool", start, under, at: this.world(event), last: start };
    else if (under.any.point) { this.held = { kind: "point", start, name: under.any.point, under, moved: false }; this.focusNode(`[data-point="${CSS.escape(under.any.point)}"]`); }
    else if (event.shiftKey) this.held = { kind: "band", start, moved: false, under };
    else this.held = { kind: "pan", start, moved: false, last: start, under };
  }

  focusNode(selector) { this.view.root.querySelector(selector)?.focus({ preventScroll: true }); }

  spread() {
    const [a, b] = [...this.pointers.values()];
    return { middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], apart: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1 };
  }

  move(event) {
    const here = this.view.place(event);
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, here);
    const at = this.world(event);
    byId("where").textContent = `${metres(at[0])}, ${metres(at[1])}`;
    const { held } = this;
    if (this.toolbox.drawing) this.toolbox.move(at);
    if (!held) { if (event.pointerType !== "touch") this.drawing.setNear(this.wanted(this.under(here, event.pointerType))); return; }
    held.moved ||= Math.hypot(here[0] - held.start?.[0], here[1] - held.start?.[1]) > CLICK;
    if (held.kind === "pinch" && this.pointers.size === 2) this.pinch();
    else if (held.kind === "pan" || (held.kind === "tool" && held.moved && this.toolbox.tool.name === "select")) { if (held.moved) this.view.pan(here[0] - held.last[0], here[1] - held.last[1]); if (held.moved) held.last = here; }
    else if (held.kind === "point" && held.moved) this.dragTo(held, at);
    else if (held.kind === "band" && held.moved) this.drawBand(held.start, here);
  }

  pinch() {
    const now = this.spread(), { held } = this;
    this.view.pan(now.middle[0] - held.middle[0], now.middle[1] - held.middle[1]);
    this.view.zoom(now.apart / held.apart, now.middle);
    Object.assign(held, now);
  }

  dragTo(held, at) {
    if (!held.dragging) { held.dragging = true; this.model.beginDrag(byId("lock").checked); this.model.choose({ points: [held.name] }); }
    this.model.drag(held.name, at);
  }

  async up(event) {
    this.pointers.delete(event.pointerId);
    const { held } = this;
    if (held?.kind === "pinch") { if (!this.pointers.size) this.held = null; return; }
    this.held = null;
    if (!held) return;
    if (held.kind === "tool") { this.toolClick(held, event); return; }
    if (held.dragging) { await this.model.endDrag(); return; }
    if (held.kind === "band" && held.moved) { this.chooseBand(held.start, this.view.place(event)); return; }
    if (held.moved) return;
    if (held.menu) { this.openMenu(held.start, event.pointerType); return; }
    if (event.button === 0) this.click(held, event);
  }

  // Element that a click here would select; marked while the pointer is over it.
  wanted(under) {
    if (!this.toolbox.drawing) return under.any;
    const wants = this.toolbox.wants;
    if (wants === "part" || wants === "link" || (wants === "pivot" && !under.any.point)) return under.body ? { part: under.body } : null;
    if (wants === "pivot") return under.any;
    return under.point && wants !== "place" ? { point: under.point } : null;
  }

  // A repeated click at the same position selects the next element; a double click opens its editor.
  click({ start, under }, event) {
    const found = under.all, names = found.map(nameOf).join(" "), { last } = this;
    if (!found.length) { this.last = null; if (!event.shiftKey) this.model.choose({}); return; }
    const same = last && last.names === names && Math.hypot(last.at[0] - start[0], last.at[1] - start[1]) <= AGAIN;
    if (event.shiftKey) { this.last = null; this.choose(found[0], true); return; }
    if (same && event.timeStamp - last.when < DOUBLE && !last.edited) { last.edited = true; this.editor.open(found[last.k], start); return; }
    const k = same ? (last.k + 1) % found.length : 0;
    this.last = { at: start, names, k, when: event.timeStamp };
    this.choose(found[k]);
    if (found.length > 1) this.toolbox.say(`${k + 1} of ${found.length} here: ${this.label(found[k])}. Click again for ${this.label(found[(k + 1) % found.length])}.`);
    else this.toolbox.hint();
  }

  label(one) { return one.point ? `point ${one.point}` : this.model.element(one.part).label; }
  choose(one, more = false) { this.model.choose(one.point ? { points: [one.point] } : { parts: [one.part] }, more); }

  openMenu(at, pointer) {
    const under = this.under(at, pointer);
    if (under.any.point || under.any.part) this.choose(under.any);
    this.menu.open(at, under, this.snap.at(this.view.toWorld(at)));
  }

  // Press and release at one position is one click; a drag from one point to another counts as two.
  async toolClick(held, event) {
    const end = this.world(event), { tool } = this.toolbox, over = this.under(this.view.place(event), event.pointerType);
    if (held.moved && tool.line && this.toolbox.taken.length) { await this.toolbox.click({ at: end, under: over, line: [held.at, end] }); return; }
    await this.toolbox.click({ at: held.at, under: held.under });
    if (held.moved && this.toolbox.taken.length && !tool.many) await this.toolbox.click({ at: end, under: over });
  }

  cancel(event) {
    this.pointers.delete(event.pointerId);
    this.letGo();
  }

  letGo() {
    if (this.held?.dragging) this.model.endDrag();
    this.held = null;
    byId("layer-tool").replaceChildren();
  }

  drawBand([u0, v0], [u1, v1]) { byId("layer-tool").replaceChildren(svg("rect", { class: "band", x: Math.min(u0, u1), y: Math.min(v0, v1), width: Math.abs(u1 - u0), height: Math.abs(v1 - v0) })); }

  chooseBand([u0, v0], [u1, v1]) {
    byId("layer-tool").replaceChildren();
    const inside = (name) => { const at = this.model.place(name); if (!at || at.length > 2) return false; const [u, v] = this.view.toScreen(at); return u >= Math.min(u0, u1) && u <= Math.max(u0, u1) && v >= Math.min(v0, v1) && v <= Math.max(v0, v1); };
    const points = this.model.state.points.map((point) => point.name).filter(inside);
    const parts = this.model.state.elements.filter((element) => element.points.length && element.points.every(inside)).map((element) => this.model.key(element));
    this.model.choose({ points, parts });
  }

  // The keyboard -------------------------------------------------------------------------------------------------------
  key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (way) { event.preventDefault(); this.arrow(way, event.shiftKey ? 5 : 1); return; }
    if (event.key === "Enter") { event.preventDefault(); this.enter(); return; }
    if (event.key === "F2") { event.preventDefault(); this.editChosen(); return; }
    if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) { event.preventDefault(); this.menuByKey(); return; }
    if (event.key === "Tab" && !event.altKey) this.goRound(event);
    if (event.key === "+" || event.key === "=") this.view.zoom(1.25);
    if (event.key === "-") this.view.zoom(0.8);
  }

  arrow([dx, dy], times) {
    const chosen = [...this.model.chosen.points];
    if (!this.toolbox.drawing && chosen.length === 1) {
      const at = this.model.place(chosen[0]), step = this.snap.step * times;
      this.model.edit({ do: "move-point", name: chosen[0], to: [at[0] + dx * step, at[1] + dy * step].map((v) => Number(v.toPrecision(9))), lengths: byId("lock").checked ? "keep" : "follow", time: this.model.time });
      return;
    }
    const step = (this.view.spacing() / 5) * times, at = this.cross || this.view.snap([this.view.x, this.view.y]);
    this.cross = this.view.snap([at[0] + dx * step, at[1] + dy * step]);
    this.toolbox.move(this.cross);
    this.drawCross();
    byId("where").textContent = `${metres(this.cross[0])}, ${metres(this.cross[1])}`;
  }

  async enter() {
    const focused = document.activeElement;
    if (this.toolbox.tool.many && this.toolbox.taken.length >= this.toolbox.tool.many && !focused?.dataset?.point && !this.crossMoved()) { await this.toolbox.finish(); return; }
    const { point, part } = focused?.dataset || {};
    if (point || part) {
      const one = point ? { point } : { part }, { chosen } = this.model;
      if (this.toolbox.drawing) await this.toolbox.click({ at: point ? this.model.place(point) : null, under: { all: [one], any: one, point: point || null, body: BODIES.includes(this.model.element(part)?.section) ? part : null } });
      else if (point ? chosen.points.has(point) : chosen.parts.has(part)) this.editChosen();
      else this.choose(one);
      return;
    }
    if (!this.cross) return;
    const screen = this.view.toScreen(this.cross);
    this.enteredAt = this.cross;
    if (this.toolbox.drawing) await this.toolbox.click({ at: this.cross, under: this.under(screen) });
    else if (this.under(screen).all.length) this.choose(this.under(screen).any);
  }

  // Focused or selected element, and its screen position.
  current() {
    const { point, part } = document.activeElement?.dataset || {}, { chosen } = this.model;
    const one = point ? { point } : part && this.model.element(part) ? { part } : chosen.points.size ? { point: [...chosen.points][0] } : chosen.parts.size ? { part: [...chosen.parts][0] } : null;
    if (!one) return { one, at: this.cross ? this.view.toScreen(this.cross) : [this.view.width / 2, this.view.height / 2] };
    const box = (one.point ? this.drawing.drawn.points.get(one.point)?.at : this.drawing.middle(one.part)) || [this.view.width / 2, this.view.height / 2];
    return { one, at: box };
  }

  editChosen() {
    const { one, at } = this.current();
    if (one) this.editor.open(one, at);
    else this.toolbox.say("Nothing is selected: select a point or a part, then F2 shows its numbers.");
  }

  menuByKey() {
    const { one, at } = this.current();
    if (one) this.choose(one);
    this.menu.open(at, { all: one ? [one] : [], any: one || {} }, this.snap.at(this.cross || this.view.toWorld(at)));
  }

  crossMoved() { return this.cross && this.cross !== this.enteredAt; }

  // Tab inside the canvas: from point to point and part to part; leave the canvas after the last.
  goRound(event) {
    const nodes = [...this.view.root.querySelectorAll("[data-point], [data-part]")], k = nodes.indexOf(document.activeElement);
    const next = event.shiftKey ? k - 1 : k + 1;
    if (next < 0 || next >= nodes.length) { if (k >= 0 && event.shiftKey) { event.preventDefault(); this.view.root.focus(); } return; }
    event.preventDefault();
    nodes[next].focus();
  }

  hideCross() { this.cross = null; this.drawCross(); }

  drawCross() {
    this.crossNode ||= this.view.root.appendChild(svg("path", { class: "cross" }));
    if (!this.cross) { set(this.crossNode, { d: "" }); return; }
    const [u, v] = this.view.toScreen(this.cross);
    set(this.crossNode, { d: `M${u - 14} ${v}h28M${u} ${v - 14}v28` });
  }
}
