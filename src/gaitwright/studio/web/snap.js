// Snap step for positions: by default a five-hundredth of the mechanism size, or as selected; disabled by a key.
import { byId, el, metres, recall, remember } from "./dom.js";
import { roundStep } from "./view.js";

const PARTS = 500; // steps along the mechanism
const STEPS_MM = [0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const KEPT = "gaitwright-snap";

export class Snap {
  constructor(model, view) {
    Object.assign(this, { model, view, on: true, chosen: Number(recall(KEPT)) || null });
    this.box = byId("snap");
    this.list = byId("snap-step");
    this.box.addEventListener("change", () => this.turn(this.box.checked));
    this.list.addEventListener("change", () => { this.chosen = Number(this.list.value) || null; remember(KEPT, this.chosen ?? ""); this.update(); });
    model.on("state", () => this.update());
    view.onChange(() => this.update());
    this.update();
  }

  turn(on) { this.on = this.box.checked = on; this.update(); }
  toggle() { this.turn(!this.on); }

  // Metres. A file with fewer than two points has no size; the visible area is used.
  get step() { return this.chosen ? this.chosen / 1000 : this.own; }
  get own() {
    const places = (this.model.state?.points || []).map((point) => this.model.place(point.name)).filter((at) => at?.length === 2);
    const span = (k) => Math.max(...places.map((at) => at[k])) - Math.min(...places.map((at) => at[k]));
    const size = places.length > 1 ? Math.max(span(0), span(1)) : 0;
    return roundStep((size || Math.min(this.view.width, this.view.height) / this.view.scale) / PARTS);
  }

  at(place) { return this.on ? this.view.snap(place, this.step) : place.map((value) => Number(value.toPrecision(6))); }

  update() {
    const own = `auto: ${metres(this.own)}`;
    if (this.shown === own + this.chosen) return;
    this.shown = own + this.chosen;
    const steps = this.chosen && !STEPS_MM.includes(this.chosen) ? [...STEPS_MM, this.chosen] : STEPS_MM;
    this.list.replaceChildren(el("option", { value: "", text: own, selected: !this.chosen }), ...steps.map((mm) => el("option", { value: mm, text: `${mm} mm`, selected: mm === this.chosen })));
  }
}
