// Editor window beside a point or part, opened by a double click: the fields of the panel Parts in a small window.
import { byId, el } from "./dom.js";

const FIRST = ["length", "ratio", "radius", "stiffness", "angle", "value", "x", "name"]; // fields that get the initial focus, by priority

// Place a box beside a position, fully visible. at: pixels of the canvas.
export function inside(box, [u, v]) {
  const paper = box.parentElement.getBoundingClientRect(), { width, height } = box.getBoundingClientRect();
  box.style.left = `${Math.max(6, Math.min(u + 14, paper.width - width - 6))}px`;
  box.style.top = `${Math.max(6, Math.min(v + 14, paper.height - height - 6))}px`;
}

export class Editor {
  // parts: the panel that provides the fields; act: { delete, showInFile } of studio.js.
  constructor(model, parts, acts) {
    Object.assign(this, { model, parts, acts, home: byId("editor"), one: null });
    this.home.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") { event.preventDefault(); this.close(); byId("canvas").focus({ preventScroll: true }); }
    });
    model.on("state forms", () => this.update());
  }

  // one: { point } or { part }. at: pixels of the canvas.
  open(one, at) {
    this.one = one;
    this.model.choose(one.point ? { points: [one.point] } : { parts: [one.part] });
    this.home.hidden = false;
    this.fill();
    inside(this.home, at);
    const field = FIRST.map((name) => this.home.querySelector(`[data-field="${name}"]`)).find(Boolean) || this.home.querySelector("input, select");
    field?.focus({ preventScroll: true });
    field?.select?.();
  }

  fill() {
    const { one, model } = this, { point, part } = one;
    const rows = point ? this.parts.ofPoint(model.point(point)) : this.parts.ofPart(model.element(part));
    const line = (point ? model.point(point) : model.element(part))?.line;
    if (rows[0]) rows[0].id = "editor-title";
    this.home.replaceChildren(...rows.filter(Boolean), el("div", { class: "row" }, el("button", { text: "In the file", onclick: () => { this.close(); this.acts.showInFile(line); } }), el("button", { text: "Delete", onclick: () => { this.close(); this.acts.delete(); } }), el("button", { class: "primary", text: "Close", onclick: () => this.close() })));
  }

  // After a change, refresh the fields and keep the focus.
  update() {
    if (this.home.hidden) return;
    const { one, model } = this, [renamed] = model.chosen.points;
    if (one.point && !model.point(one.point) && renamed) this.one = { point: renamed };
    if (!(this.one.point ? model.point(this.one.point) : model.element(this.one.part))) { this.close(); return; }
    const field = this.home.contains(document.activeElement) ? document.activeElement.dataset.field : null;
    this.fill();
    if (field) this.home.querySelector(`[data-field="${CSS.escape(field)}"]`)?.focus({ preventScroll: true });
  }

  close() {
    if (this.home.hidden) return;
    if (this.home.contains(document.activeElement)) document.activeElement.blur(); // commits the typed value
    this.home.hidden = true;
  }
}
