// Creation of DOM elements, and number formatting.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else if (name === "data") Object.assign(node.dataset, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(4)) if (child !== null && child !== undefined) node.append(child);
  return node;
}

export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const byId = (id) => document.getElementById(id);

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  }
  return node;
}

// At most four significant digits; a typographic minus sign.
export function number(value, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 1) : Number(value.toPrecision(digits)).toString();
  return text.replace("-", "−").replace("e-", "e−");
}

export const metres = (value) => (Math.abs(value) < 1 ? `${number(value * 1000)} mm` : `${number(value)} m`);

let counter = 0;
export const fresh = (prefix = "id") => `${prefix}-${(counter += 1)}`;

// Small drawings for buttons, 20 x 20.
export const icon = (path) => svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, svg("path", { d: path }));

const DARK = "gaitwright-theme";
export function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
function kept(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}
export const remember = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private window */ } };
export const recall = kept;
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
export function themeButton(button) {
  setTheme(kept(DARK));
  const say = () => { button.textContent = isDark() ? "Light" : "Dark"; button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`); };
  button.addEventListener("click", () => { const next = isDark() ? "light" : "dark"; setTheme(next); remember(DARK, next); say(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", say);
  say();
}
