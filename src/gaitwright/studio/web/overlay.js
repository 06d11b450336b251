// Outputs of runs in one chart: any outputs, of any number of runs, over time or over another output.
import { el, fresh } from "./dom.js";
import { plot } from "./plot.js";

const MOST = 300; // outputs that the list shows at once; the filter finds the others

export class Overlay {
  constructor(model) {
    Object.assign(this, { model, outputs: new Map(), picked: { runs: new Set(), names: new Set() }, without: new Set() }); // without: runs whose results have no outputs over time, such as those of devices
    this.home = el("section", { "aria-label": "Plots", hidden: true });
    this.runBox = el("div", { class: "row" });
    this.filter = el("input", { type: "text", placeholder: "find an output", "aria-label": "Find an output", oninput: () => this.list() });
    this.box = el("div", { class: "outputs", role: "group", "aria-label": "Outputs" });
    const id = fresh("against");
    this.against = el("select", { id, onchange: () => this.draw() });
    this.chart = el("div");
    this.home.append(el("h2", { text: "Plot" }), this.runBox, this.filter, this.box, el("div", { class: "row" }, el("label", { for: id, text: "over" }), this.against), this.chart);
  }

  update(runs) {
    const whole = runs.filter((run) => run.state === "done" && !this.without.has(run.id) && run.files.some((file) => file.name === "result.nc"));
    this.home.hidden = !whole.length;
    const key = whole.map((run) => run.id).join();
    if (key === this.key) return;
    this.key = key;
    this.runs = runs;
    this.titles = new Map(whole.map((run) => [run.id, `${run.command} ${run.id}`]));
    for (const id of this.picked.runs) if (!whole.some((run) => run.id === id)) this.picked.runs.delete(id);
    if (whole.length && !this.picked.runs.size) this.picked.runs.add(whole[0].id);
    this.runBox.replaceChildren(...whole.map((run) => el("label", { class: "switch" }, el("input", { type: "checkbox", checked: this.picked.runs.has(run.id), data: { run: run.id }, onchange: (event) => { if (event.target.checked) this.picked.runs.add(run.id); else this.picked.runs.delete(run.id); this.load(); } }), `${run.command} ${run.id}`)));
    this.load();
  }

  async load() {
    this.chart.replaceChildren(el("p", { class: "muted", text: "Reading results …" }));
    try {
      for (const id of this.picked.runs) if (!this.outputs.has(id)) this.outputs.set(id, await this.model.line.ask("outputs", { run: id }));
    } catch (error) {
      const found = [...this.picked.runs].find((id) => !this.outputs.has(id));
      if (error.kind === "gone" || !found) { this.model.fail(error); return; }
      this.without.add(found);
      this.picked.runs.delete(found);
      this.update(this.runs);
      return;
    }
    const names = this.names();
    if (!this.picked.names.size || ![...this.picked.names].some((name) => names.has(name))) {
      const usual = [...names.keys()].find((name) => name.endsWith(".torque")) || [...names.keys()][0];
      this.picked.names = new Set(usual ? [usual] : []);
    }
    const before = this.against.value;
    this.against.replaceChildren(el("option", { value: "", text: "time" }), ...[...names.keys()].slice(0, MOST).map((name) => el("option", { value: name, text: name })));
    this.against.value = names.has(before) ? before : "";
    this.list();
    await this.draw();
  }

  names() {
    const found = new Map();
    for (const id of this.picked.runs) for (const output of this.outputs.get(id) || []) found.set(output.name, output);
    return found;
  }

  list() {
    const wanted = this.filter.value.trim().toLowerCase(), names = [...this.names().values()].filter((output) => output.name.toLowerCase().includes(wanted));
    names.sort((a, b) => Number(this.picked.names.has(b.name)) - Number(this.picked.names.has(a.name)));
    this.box.replaceChildren(...names.slice(0, MOST).map((output) => el("label", { title: output.text }, el("input", { type: "checkbox", value: output.name, checked: this.picked.names.has(output.name), onchange: (event) => { if (event.target.checked) this.picked.names.add(output.name); else this.picked.names.delete(output.name); this.draw(); } }), `${output.name} (${output.unit})`)));
  }

  // One chart per unit: newtons and metres have no common axis.
  async draw() {
    const curves = [...this.picked.runs].flatMap((id) => [...this.picked.names].filter((name) => (this.outputs.get(id) || []).some((output) => output.name === name)).map((name) => ({ id, name })));
    if (!curves.length) { this.chart.replaceChildren(el("p", { class: "muted", text: "Choose a run and an output." })); return; }
    try {
      const found = await this.model.line.ask("curves", { curves, against: this.against.value || null }), units = new Map();
      for (const curve of found) units.set(curve.unit, [...(units.get(curve.unit) || []), curve]);
      this.chart.replaceChildren(...[...units].map(([unit, members]) => plot(members.map((curve) => ({ label: `${curve.name}, ${this.titles.get(curve.id) || curve.id}`, x: curve.x, y: curve.y })), { xlabel: `${members[0].x_name || "time"} (${members[0].x_unit || "s"})`, ylabel: unit === "1" ? "" : unit, title: [...new Set(members.map((curve) => curve.name))].join(", ") })));
    } catch (error) { this.model.fail(error); }
  }
}
