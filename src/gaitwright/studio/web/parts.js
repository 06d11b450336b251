// Selected element with all its fields; and a list of all elements, for keyboard and screen readers.
import { byId, el, fresh, number } from "./dom.js";

const GROUPS = { links: "Links", bodies: "Bodies", beams: "Beams", solids: "Solids", parts: "Other parts", joints: "Joints", drives: "Drives", forces: "Springs and forces", contacts: "Contacts", charts: "Charts" };

const plain = (value) => (value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));

// Parse the text of a field: a number, a list or mapping, nothing, or an expression as text.
export function meant(text) {
  const tidy = text.trim();
  if (tidy === "") return null;
  if (tidy === "true" || tidy === "false") return tidy === "true";
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(tidy)) return Number(tidy);
  if (/^[[{]/.test(tidy)) { try { return JSON.parse(tidy); } catch { return tidy; } }
  return tidy;
}

export class PartsPanel {
  constructor(model) {
    this.model = model;
    model.on("state chosen forms", () => this.update());
  }

  update() {
    if (!this.model.state) return;
    this.properties();
    this.outline();
  }

  properties() {
    const { model } = this, home = byId("properties"), points = [...model.chosen.points], parts = [...model.chosen.parts];
    if (home.contains(document.activeElement) && this.shown === `${points} ${parts}` && this.version === model.state.version) return;
    const refocus = home.contains(document.activeElement) && this.shown === `${points} ${parts}` ? document.activeElement.dataset.field : null;
    this.shown = `${points} ${parts}`;
    this.version = model.state.version;
    if (points.length + parts.length === 0) home.replaceChildren(el("p", { class: "muted", text: "Nothing is selected. Select a point or a part on the drawing or in the list below." }));
    else if (points.length + parts.length > 1) home.replaceChildren(el("h2", { text: `${points.length} points, ${parts.length} parts` }));
    else if (points.length) home.replaceChildren(...this.ofPoint(model.point(points[0])));
    else home.replaceChildren(...this.ofPart(model.element(parts[0])));
    if (refocus) home.querySelector(`[data-field="${CSS.escape(refocus)}"]`)?.focus();
  }

  ofPoint(point) {
    if (!point) return [];
    const fields = el("div", { class: "fields" });
    if (!point.owner) this.field(fields, { name: "name", value: point.name, change: (text) => this.rename("point", point.name, text.trim()) });
    const written = Array.isArray(point.written) ? point.written : point.at;
    written.forEach((value, k) => this.field(fields, { name: "xyz"[k], value, unit: "m", change: (text) => this.model.edit({ do: "set", path: [...point.path, k], value: meant(text) ?? 0 }) }));
    return [el("h2", { text: `${point.ground ? "Ground point" : "Point"} ${point.name}` }), fields];
  }

  rename(kind, name, to, section) {
    if (!to || to === name) return;
    this.model.edit({ do: "rename", kind, name, to, ...(section ? { section } : {}) }).then((reply) => { if (reply && kind === "point") this.model.choose({ points: [to] }); });
  }

  // Present fields of the element, then its optional ones.
  ofPart(element) {
    if (!element) return [];
    const fields = el("div", { class: "fields" }), known = this.known(element), more = el("div", { class: "fields" });
    const units = new Map(known.map((field) => [field.name, field.unit])), choices = new Map(known.map((field) => [field.name, field.choices]));
    for (const [name, value] of Object.entries(element.fields)) {
      const change = name === "name" && element.name ? (text) => this.rename("element", element.name, text.trim(), element.section)
        : name === "length" && element.section === "links" && element.name ? (text) => this.model.edit(typeof meant(text) === "number" ? { do: "set-length", name: element.name, length: meant(text) } : { do: "set", path: [...element.path, name], value: meant(text) })
        : (text) => this.model.edit({ do: "set", path: [...element.path, name], value: meant(text) });
      this.field(fields, { name, value, unit: units.get(name), choices: choices.get(name), help: this.about(element, name), change });
    }
    for (const field of known) if (!(field.name in element.fields) && field.name !== "type") this.field(more, { name: field.name, value: "", unit: field.unit, choices: field.choices, hint: field.default, help: this.about(element, field.name), change: (text) => { if (text.trim()) this.model.edit({ do: "set", path: [...element.path, field.name], value: meant(text) }); } });
    const rest = more.children.length ? el("details", {}, el("summary", { text: "More fields" }), more) : null;
    return [el("h2", { text: element.label }), fields, rest];
  }

  known(element) {
    const forms = this.model.forms?.[element.section];
    if (Array.isArray(forms)) return forms;
    return forms?.[element.type] || [];
  }

  about(element, name) {
    const listed = Array.isArray(this.model.forms?.[element.section]), path = listed ? [element.section, name] : [element.section, element.type, name];
    return this.known(element).some((field) => field.name === name) ? path.join(".") : null;
  }

  field(home, { name, value, unit, help, change, choices, hint }) {
    const id = fresh("field");
    const input = Array.isArray(choices) && choices.length
      ? el("select", { id, data: { field: name }, onchange: () => change(input.value) }, el("option", { value: "", text: "–" }), choices.map((choice) => el("option", { value: choice, text: choice, selected: String(choice) === plain(value) })))
      : el("input", { type: "text", id, data: { field: name }, value: plain(value), placeholder: plain(hint), spellcheck: "false", autocomplete: "off", onchange: () => change(input.value), onkeydown: (event) => { if (event.key === "Escape") { input.value = plain(value); input.blur(); } } });
    const button = help ? el("button", { class: "help", type: "button", "aria-label": `What is ${name}?`, "aria-expanded": "false", text: "?", onclick: () => this.explain(button, help) }) : el("span");
    home.append(el("label", { for: id, text: unit && unit !== "1" ? `${name} (${unit})` : name }), input, button);
  }

  async explain(button, path) {
    const open = button.nextElementSibling?.classList.contains("help-text");
    if (open) { button.nextElementSibling.remove(); button.setAttribute("aria-expanded", "false"); return; }
    try {
      const help = await this.model.line.ask("explain", { path, dimension: this.model.state.dimension });
      const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}` : "");
      const facts = [sentence(help.text), help.unit && help.unit !== "1" ? `Unit: ${help.unit}.` : "", help.default !== null && help.default !== undefined ? `Unless given: ${plain(help.default)}.` : "", help.choices ? `One of ${help.choices.join(", ")}.` : ""];
      button.after(el("p", { class: "help-text", role: "note", text: facts.filter(Boolean).join(" ") || help.title }));
      button.setAttribute("aria-expanded", "true");
    } catch (error) { this.model.fail(error); }
  }

  outline() {
    const { model } = this, home = byId("outline"), groups = new Map();
    const open = new Set([...home.querySelectorAll("details[open]")].map((node) => node.dataset.group));
    const first = !home.children.length, focus = home.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    groups.set("Points", model.state.points.map((point) => ({ key: `point ${point.name}`, text: `${point.name}${point.ground ? " (ground)" : ""}${point.at ? `: ${point.at.map((v) => number(v)).join(", ")} m` : ""}`, chosen: model.chosen.points.has(point.name), pick: (more) => model.choose({ points: [point.name] }, more) })));
    for (const element of model.state.elements) {
      const group = GROUPS[element.section] || element.section;
      groups.set(group, [...(groups.get(group) || []), { key: model.key(element), text: element.label + (element.points.length ? `: ${element.points.join(", ")}` : ""), chosen: model.chosen.parts.has(model.key(element)), pick: (more) => model.choose({ parts: [model.key(element)] }, more) }]);
    }
    home.replaceChildren(...[...groups].map(([group, rows]) => el("details", { open: first || open.has(group), data: { group } }, el("summary", { text: `${group} (${rows.length})` }), el("ul", { class: "list" }, rows.map((row) => el("li", {}, el("button", { "aria-pressed": String(row.chosen), data: { key: row.key }, text: row.text, onclick: (event) => row.pick(event.shiftKey || event.ctrlKey) })))))));
    if (focus) home.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }
}
