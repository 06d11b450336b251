// Parameters of the model: a number and a slider each.
import { byId, el, fresh, number } from "./dom.js";
import { meant } from "./parts.js";

export class ParametersPanel {
  constructor(model) {
    Object.assign(this, { model, home: byId("panel-parameters"), rows: new Map() });
    model.on("state", () => this.update());
  }

  update() {
    const { parameters } = this.model.state, names = parameters.map((p) => p.name).join();
    if (names !== this.names) { this.names = names; this.build(parameters); }
    for (const parameter of parameters) {
      const row = this.rows.get(parameter.name);
      if (document.activeElement !== row.input) row.input.value = String(parameter.written ?? parameter.value);
      if (row.range && !row.sliding) { row.range.min = parameter.low; row.range.max = parameter.high; row.range.value = parameter.value; }
      if (row.range) row.range.disabled = !parameter.plain;
    }
  }

  build(parameters) {
    this.rows.clear();
    const list = parameters.map((parameter) => this.row(parameter));
    const empty = el("p", { class: "muted", text: "A parameter is a number with a name, to be used in any field of the file: a length, a speed, a stiffness." });
    const name = el("input", { type: "text", "aria-label": "Name of the new parameter", placeholder: "name", size: "10" }), value = el("input", { type: "text", "aria-label": "Its value", placeholder: "value", size: "8" });
    const add = async (event) => { event.preventDefault(); const number = meant(value.value); if (name.value.trim() && number !== null) await this.model.edit({ do: "set-parameter", name: name.value.trim(), value: number }); };
    this.home.replaceChildren(parameters.length ? el("div", {}, list) : empty, el("form", { class: "row", onsubmit: add }, name, value, el("button", { text: "Add" })));
  }

  row(parameter) {
    const id = fresh("parameter");
    const input = el("input", { type: "text", id, size: "8", onchange: () => { const value = meant(input.value); if (value !== null) this.model.edit({ do: "set-parameter", name: parameter.name, value }); } });
    const range = el("input", { type: "range", step: "any", "aria-label": `${parameter.name}, slider`, min: parameter.low, max: parameter.high });
    const row = { input, range, sliding: null };
    range.addEventListener("input", () => {
      row.sliding ||= `slide-${parameter.name}-${Date.now()}`;
      const value = Number(Number(range.value).toPrecision(4));
      input.value = number(value).replace("−", "-");
      this.model.slide(parameter.name, value, row.sliding);
    });
    range.addEventListener("change", () => { row.sliding = null; this.model.endSlide(); });
    const remove = el("button", { class: "help", "aria-label": `Delete the parameter ${parameter.name}`, text: "×", onclick: () => this.model.edit({ do: "delete", points: [], elements: [], parameters: [parameter.name] }) });
    this.rows.set(parameter.name, row);
    return el("div", { class: "slider" }, el("label", { for: id, text: parameter.name }), input, remove, range);
  }
}
