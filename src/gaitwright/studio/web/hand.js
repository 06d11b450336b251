// Mouse, finger and keyboard on the canvas: clicking, dragging, panning, pinching, and a cross moved by the arrow keys.
import { byId, metres, set, svg } from "./dom.js";

const CLICK = 5; // pixels that a hand shakes in a click

export class Hand {
  constructor(model, view, toolbox) {
    Object.assign(this, { model, view, toolbox, pointers: new Map(), held: null, snap: true, cross: null });
    const root = view.root;
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    root.addEventListener("pointercancel", (event) => this.cancel(event));
    root.addEventListener("dblclick", () => { if (toolbox.tool.many && toolbox.taken.length) toolbox.finish(); });
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    root.addEventListener("wheel", (event) => { event.preventDefault(); view.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), view.place(event)); }, { passive: false });
    root.addEventListener("keydown", (event) => this.key(event));
    view.onChange(() => { this.drawCross(); toolbox.draw(); });
  }

  // Names of what lies under the pointer. Points win over parts; a finger is thicker than a mouse.
  under(event) {
    const at = this.view.place(event), reach = event.pointerType === "touch" ? 24 : 13;
    return { point: this.nearPoint(at, reach), part: event.target.closest?.("[data-part]")?.dataset.part || null };
  }

  nearPoint([u, v], reach) {
    let best = null, least = reach;
    for (const point of this.model.state?.points || []) {
      const at = this.model.place(point.name);
      if (!at || at.length > 2) continue;
      const [a, b] = this.view.toScreen(at), distance = Math.hypot(a - u, b - v) + (point.owner ? 0.5 : 0);
      if (distance < least) { best = point.name; least = distance; }
    }
    return best;
  }

  world(event) {
    const at = this.view.toWorld(this.view.place(event));
    return this.snap && !event.altKey ? this.view.snap(at) : at.map((value) => Number(value.toPrecision(6)));
  }

  down(event) {
    if (!this.model.state) return;
    this.view.root.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.view.place(event));
    if (this.pointers.size === 2) { this.letGo(); this.held = { kind: "pinch", ...this.spread() }; return; }
    this.hideCross();
    const under = this.under(event), start = this.view.place(event);
    const panning = event.button === 1 || event.button === 2;
    if (panning) this.held = { kind: "pan", start, moved: false, last: start };
    else if (this.toolbox.drawing) this.held = { kind: "tool", start, under, at: this.world(event), last: start };
    else if (under.point) { this.held = { kind: "point", start, name: under.point, more: event.shiftKey, moved: false }; this.focusNode(`[data-point="${CSS.escape(under.point)}"]`); }
    else if (event.shiftKey) this.held = { kind: "band", start, moved: false, under };
    else this.held = { kind: "pan", start, moved: false, last: start, under, more: event.shiftKey };
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
    if (!held) return;
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
    if (held.kind === "point") this.model.choose({ points: [held.name] }, held.more);
    else if (held.under?.part) this.model.choose({ parts: [held.under.part] }, event.shiftKey);
    else if (!event.shiftKey && event.button === 0) this.model.choose({});
  }

  // Press and release at one place is a click; drawn from one point to another it is two.
  async toolClick(held, event) {
    const end = this.world(event), { tool } = this.toolbox, over = this.under(event);
    if (held.moved && tool.line && this.toolbox.taken.length) { await this.toolbox.click({ at: end, line: [held.at, end] }); return; }
    await this.toolbox.click({ at: held.at, ...held.under });
    if (held.moved && this.toolbox.taken.length && !tool.many) await this.toolbox.click({ at: end, point: over.point, part: over.part });
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
    if (event.key === "Tab" && !event.altKey) this.goRound(event);
    if (event.key === "+" || event.key === "=") this.view.zoom(1.25);
    if (event.key === "-") this.view.zoom(0.8);
  }

  arrow([dx, dy], times) {
    const step = (this.view.spacing() / 5) * times, chosen = [...this.model.chosen.points];
    if (!this.toolbox.drawing && chosen.length === 1) {
      const at = this.model.place(chosen[0]);
      this.model.edit({ do: "move-point", name: chosen[0], to: [at[0] + dx * step, at[1] + dy * step].map((v) => Number(v.toPrecision(9))), lengths: byId("lock").checked ? "keep" : "follow", time: this.model.time });
      return;
    }
    const at = this.cross || this.view.snap([this.view.x, this.view.y]);
    this.cross = this.view.snap([at[0] + dx * step, at[1] + dy * step]);
    this.toolbox.move(this.cross);
    this.drawCross();
    byId("where").textContent = `${metres(this.cross[0])}, ${metres(this.cross[1])}`;
  }

  async enter() {
    const focused = document.activeElement;
    if (this.toolbox.tool.many && this.toolbox.taken.length >= this.toolbox.tool.many && !focused?.dataset?.point && !this.crossMoved()) { await this.toolbox.finish(); return; }
    const over = focused?.dataset || {};
    if (over.point || over.part) {
      if (this.toolbox.drawing) await this.toolbox.click({ at: over.point ? this.model.place(over.point) : null, point: over.point, part: over.part });
      else this.model.choose(over.point ? { points: [over.point] } : { parts: [over.part] });
      return;
    }
    if (!this.toolbox.drawing || !this.cross) return;
    const screen = this.view.toScreen(this.cross), [u, v] = screen, box = this.view.root.getBoundingClientRect();
    const part = document.elementFromPoint(box.left + u, box.top + v)?.closest?.("[data-part]")?.dataset.part || null;
    this.enteredAt = this.cross;
    await this.toolbox.click({ at: this.cross, point: this.nearPoint(screen, 13), part });
  }

  crossMoved() { return this.cross && this.cross !== this.enteredAt; }

  // Tab inside the canvas: from point to point and part to part; out of it after the last.
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
