// Analyses: start, monitor, cancel, view, compare, export.
import { byId, el, fresh, number } from "./dom.js";
import { plot } from "./plot.js";
import { Overlay } from "./overlay.js";
import { openReport } from "./report.js";
import { showTable } from "./table.js";

const DOWNLOADS = { html: "Report", png: "PNG", gif: "GIF", csv: "CSV", nc: "netCDF" };
const FIRST = ["run", "leg", "walk", "sweep", "optimise", "compare"];
const ENDED = ["done", "failed", "cancelled"];

export class RunsPanel {
  constructor(model) {
    Object.assign(this, { model, home: byId("panel-runs"), runs: [], best: new Map(), cards: new Map() });
    this.form = el("form", { onsubmit: (event) => this.start(event) });
    this.list = el("div", { class: "results", "aria-label": "Results" });
    this.overlay = new Overlay(model, this);
    this.extra = el("div");
    this.home.append(this.form, el("h2", { text: "Results" }), this.list, this.overlay.home, this.extra);
    model.on("runs", ({ detail }) => this.update(detail));
    model.on("ready back", () => this.load());
  }

  async load() {
    try { this.commands = await this.model.line.ask("commands"); } catch (error) { this.model.fail(error); return; }
    const rank = (command) => (FIRST.includes(command.name) ? FIRST.indexOf(command.name) : FIRST.length);
    this.commands.sort((a, b) => rank(a) - rank(b));
    this.build();
  }

  build() {
    const id = fresh("analysis");
    this.choice = el("select", { id, onchange: () => this.options() }, this.commands.map((command) => el("option", { value: command.name, text: command.name })));
    this.about = el("p", { class: "muted" });
    this.fields = el("div");
    this.form.replaceChildren(el("div", { class: "row" }, el("label", { for: id, text: "Analysis" }), this.choice, el("button", { class: "primary", id: "start-run", text: "Start" })), this.about, this.fields);
    this.options();
  }

  options() {
    const command = this.commands.find((one) => one.name === this.choice.value);
    this.about.textContent = command.help;
    const needed = el("div", { class: "fields" }), more = el("div", { class: "fields" });
    this.inputs = new Map();
    for (const option of command.options) this.field(option.needed ? needed : more, option);
    if (this.model.state.feet.length && this.inputs.has("outputs")) this.inputs.get("outputs").input.value = "energy; step_length"; // of a leg
    this.others = null;
    const parts = [needed];
    if (command.models === "many") {
      this.others = el("select", { multiple: true, size: "4", "aria-label": "Compare with these files" });
      this.model.line.ask("files").then((files) => this.others?.replaceChildren(...files.filter((file) => file.path !== this.model.file).map((file) => el("option", { value: file.path, text: file.path })))).catch((error) => this.model.fail(error));
      parts.push(el("label", {}, "Compare with ", this.others));
    }
    parts.push(el("details", { open: command.options.filter((o) => !o.needed).length <= 3 }, el("summary", { text: "Options" }), more));
    this.fields.replaceChildren(...parts);
  }

  field(home, option) {
    const id = fresh("option");
    const input = option.type === "bool" ? el("input", { type: "checkbox", id, checked: option.default === true }) : el("input", { type: "text", id, placeholder: option.default === null || option.default === undefined ? `${option.metavar || ""}${option.many ? "; several with ;" : ""}` : String(option.default), autocomplete: "off", spellcheck: "false", required: option.needed });
    this.inputs.set(option.name, { input, option });
    home.append(el("label", { for: id, text: option.name.replaceAll("_", " "), title: option.help }), input, el("button", { class: "help", type: "button", text: "?", "aria-label": `What is ${option.name}?`, onclick: (event) => { const open = event.target.nextElementSibling?.classList.contains("help-text"); if (open) event.target.nextElementSibling.remove(); else event.target.after(el("p", { class: "help-text", text: option.help })); } }));
  }

  async start(event) {
    event.preventDefault();
    const options = {};
    for (const [name, { input, option }] of this.inputs) {
      if (option.type === "bool") { if (input.checked !== (option.default === true)) options[name] = input.checked; continue; }
      const text = input.value.trim();
      if (!text) continue;
      options[name] = option.many ? text.split(/\s*;\s*|\s*\n\s*/).filter(Boolean) : text;
    }
    const others = this.others ? [...this.others.selectedOptions].map((one) => one.value) : [];
    try {
      await this.model.queue;
      await this.model.line.ask("start_run", { command: this.choice.value, options, ...(others.length ? { others } : {}) });
    } catch (error) { this.model.fail(error); }
  }

  update(runs) {
    this.runs = runs;
    for (const run of runs) if (run.best) this.noteBest(run);
    const keep = new Set(runs.map((run) => run.id));
    for (const [id, card] of this.cards) if (!keep.has(id)) { card.node.remove(); this.cards.delete(id); }
    runs.forEach((run, k) => {
      let card = this.cards.get(run.id);
      if (!card) { card = { node: el("article", { class: "run", data: { run: run.id } }) }; this.cards.set(run.id, card); }
      if (this.list.children[k] !== card.node) this.list.insertBefore(card.node, this.list.children[k] || null);
      const shown = JSON.stringify(run);
      if (card.shown !== shown) { card.shown = shown; this.draw(card.node, run); }
    });
    if (!runs.length) this.list.textContent = "Nothing has been run yet.";
    else for (const node of [...this.list.childNodes]) if (node.nodeType === 3) node.remove();
    this.overlay.update(runs);
  }

  // History of the best result of a search: the objective, or the first number.
  noteBest(run) {
    const numbers = run.best.numbers || {}, wanted = [...(run.options?.minimise || []), ...(run.options?.maximise || [])].find((name) => name in numbers) || Object.keys(numbers)[0];
    const value = numbers[wanted], found = this.best.get(run.id) || { label: wanted, x: [], y: [] };
    if (Number.isFinite(value) && found.y[found.y.length - 1] !== value) { found.x.push(found.x.length + 1); found.y.push(value); this.best.set(run.id, found); }
  }

  draw(node, run) {
    node.className = `run ${run.state}`;
    node.setAttribute("aria-label", `${run.command} ${run.id}, ${run.state}`);
    const going = !ENDED.includes(run.state), focus = node.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    const has = (name) => run.files.some((file) => file.name === name);
    const buttons = [];
    if (going) buttons.push(el("button", { text: "Cancel", data: { act: "cancel" }, onclick: () => this.act("cancel_run", run) }));
    else {
      const page = run.files.find((file) => file.name.endsWith(".html"));
      if (page || has("result.nc")) buttons.push(el("button", { text: "Look", class: "primary", data: { act: "look" }, onclick: () => openReport(run, page) }));
      const kinds = Object.entries(DOWNLOADS).filter(([kind]) => has("result.nc") || run.files.some((file) => file.name.endsWith(`.${kind}`)));
      buttons.push(...kinds.map(([kind, title]) => el("button", { text: title, data: { act: kind }, onclick: () => this.download(run, kind) })));
      if (run.files.some((file) => file.name.endsWith(".csv"))) buttons.push(el("button", { text: "Table", data: { act: "table" }, onclick: () => showTable(this.model, run, this.extra) }));
      if (run.best?.values) buttons.push(el("button", { text: "Use these values", data: { act: "use" }, onclick: () => this.use(run) }));
      if (run.command !== "run") buttons.push(el("button", { text: "Numbers", data: { act: "numbers" }, onclick: () => this.numbers(run) }));
      buttons.push(el("button", { text: "Delete", data: { act: "delete" }, onclick: () => this.act("delete_run", run) }));
    }
    const found = this.best.get(run.id);
    node.replaceChildren(
      el("div", { class: "row" }, el("strong", { text: `${run.command} ${run.id}` }), el("span", { class: "muted", text: run.name }), el("span", { class: "state", text: going ? run.stage || run.state : `${run.state}, ${number(run.seconds, 3)} s` })),
      going ? el("progress", { max: "1", value: run.progress ?? null, "aria-label": "Progress" }) : "",
      run.message ? el("p", { class: "says", text: run.message }) : "",
      run.best ? el("p", { class: "best says", text: `best so far: ${this.toldBest(run.best)}` }) : "",
      found && found.x.length > 1 ? plot([found], { title: `Best so far: ${found.label}`, xlabel: "improvement", markers: true }) : "",
      el("div", { class: "row" }, buttons));
    if (focus) node.querySelector(`[data-act="${focus}"]`)?.focus();
  }

  toldBest({ values = {}, numbers = {} }) {
    const told = (pairs) => Object.entries(pairs).map(([name, value]) => `${name} ${typeof value === "number" ? number(value) : value}`).join(", ");
    return [told(numbers), told(values)].filter(Boolean).join(" with ");
  }

  // Apply the result of a search to the model parameters, as one undo step.
  use(run) { return this.model.edit({ do: "all", commands: Object.entries(run.best.values).map(([name, value]) => ({ do: "set-parameter", name, value: Number(value.toPrecision(7)) })) }); }

  // Summary of a command: single numbers, and values before and after a search.
  async numbers(run) {
    let told;
    try { told = await this.model.line.ask("summary", { run: run.id }); } catch (error) { this.model.fail(error); return; }
    const rows = [], walk = (value, name) => {
      if (typeof value === "number") rows.push([name, number(value, 5)]);
      else if (typeof value === "string" && value && value.length < 80) rows.push([name, value]);
      else if (value && typeof value === "object" && !Array.isArray(value) && rows.length < 200) for (const [key, inner] of Object.entries(value)) walk(inner, name ? `${name}.${key}` : key);
    };
    walk(told.summary, "");
    this.extra.replaceChildren(el("section", { "aria-label": "Numbers" }, el("div", { class: "row" }, el("h2", { text: `${run.command} ${run.id}` }), el("button", { text: "Close", onclick: () => this.extra.replaceChildren() })), rows.length ? el("div", { class: "scroll", tabindex: "0" }, el("table", { class: "facts" }, el("tbody", {}, rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row", text: name }), el("td", { text: value })))))) : el("pre", { text: told.log })));
    this.extra.scrollIntoView({ block: "nearest" });
  }

  async act(what, run) {
    try {
      const answer = await this.model.line.ask(what, { run: run.id });
      if (what === "delete_run") this.update(answer);
    } catch (error) { this.model.fail(error); }
  }

  // The error of a failed export is shown here, not on a separate page.
  async download(run, kind) {
    const answer = await fetch(`/export/${encodeURIComponent(run.id)}/${kind}`).catch(() => null);
    if (!answer?.ok) { this.model.fail(new Error(((await answer?.json().catch(() => null)) || {}).error || "the file cannot be made")); return; }
    const name = /filename\*?="?(?:utf-8'')?([^";]+)/i.exec(answer.headers.get("content-disposition") || "")?.[1] || `${run.command}-${run.id}.${kind}`;
    const link = el("a", { href: URL.createObjectURL(await answer.blob()), download: decodeURIComponent(name) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
}
