// Headline numbers below the drawing, and faults and warnings of the pose.
import { byId, el, number } from "./dom.js";

const UNITS = { m: [1000, "mm"], rad: [180 / Math.PI, "°"] };

export function told(value, unit) {
  if (unit === "1" && value !== null) return number(value, 3);
  const [factor, name] = UNITS[unit] || [1, unit];
  return `${number(value === null ? NaN : value * factor)} ${name}`.trim();
}

export function follow(model) {
  model.on("picture", () => {
    const { picture } = model;
    const shown = picture.numbers.map((one) => el("div", { data: { number: one.name } }, el("dt", { text: one.title }), el("dd", { text: told(one.value, one.unit), data: { value: String(one.value) } })));
    if (picture.freedom > 0) shown.push(el("div", {}, el("dt", { text: "free to move in" }), el("dd", { text: `${picture.freedom} way${picture.freedom > 1 ? "s" : ""}` })));
    byId("numbers").replaceChildren(...shown);
    faults(model);
  });
  model.on("state", () => faults(model));
}

function faults(model) {
  const { picture, state } = model, home = byId("faults"), rows = [];
  if (model.isNew) rows.push({ text: "Nothing moves yet: place ground points, then draw links between points, and give one a drive.", mild: true });
  else if (state.problem) rows.push({ text: state.problem.message, element: state.problem.element });
  for (const fault of model.isNew ? [] : picture?.faults || []) rows.push({ text: fault.time ? `${fault.text} (at ${number(fault.time, 3)} s)` : fault.text, element: fault.element, mild: fault.what === "redundant" || fault.what === "singular", time: fault.time });
  for (const warning of picture?.warnings || []) rows.push({ text: warning, mild: true });
  for (let k = rows.length - 1; k > 0; k--) if (rows.findIndex((row) => row.text === rows[k].text) < k) rows.splice(k, 1);
  const said = rows.map((row) => row.text).join("\n");
  if (home.dataset.said === said) return;
  home.dataset.said = said;
  home.replaceChildren(...rows.map((row) => el("button", { class: row.mild ? "mild" : null, text: row.text, onclick: () => { if (row.time !== null && row.time !== undefined) model.goTo(row.time); if (row.element && row.element.index !== null && row.element.index !== undefined) model.choose({ parts: [`${row.element.section}/${row.element.index}`] }); } })));
}
