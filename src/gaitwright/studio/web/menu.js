// Context menu: actions for the elements at the pointer. Arrow keys, Home and End move in it, Esc closes it.
import { byId, el } from "./dom.js";
import { inside } from "./editor.js";

export class Menu {
  // acts: available actions, by name (studio.js).
  constructor(model, acts) {
    Object.assign(this, { model, acts, home: byId("menu"), back: null });
    this.home.addEventListener("keydown", (event) => this.key(event));
    this.home.addEventListener("focusout", (event) => { if (!this.home.contains(event.relatedTarget)) this.close(); });
    this.home.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  // at: pixels of the canvas; under: elements there (Hand.under); place: metres.
  open(at, under, place) {
    const rows = this.rows(under, place, at).filter(Boolean), { home } = this;
    this.back = document.activeElement;
    home.replaceChildren(...rows.map(([text, act, key]) => (act ? el("button", { role: "menuitem", tabindex: "-1", onclick: () => { this.close(); act(); } }, el("span", { text }), key ? el("kbd", { text: key, "aria-hidden": "true" }) : null) : el("p", { role: "presentation", text }))));
    home.hidden = false;
    inside(home, at);
    home.querySelector("button")?.focus({ preventScroll: true });
  }

  rows(under, place, at) {
    const { model, acts } = this, { any } = under, others = under.all.slice(1, 6);
    const also = others.length ? [["Here, too:"], ...others.map((one) => [this.label(one), () => model.choose(one.point ? { points: [one.point] } : { parts: [one.part] })])] : [];
    if (any.point) {
      const point = model.point(any.point);
      return [
        [`${point.ground ? "Ground point" : "Point"} ${point.name}`],
        ["Edit", () => acts.edit(any, at), "F2"],
        point.ground && ["Drive the link that turns here", () => model.edit({ do: "add-drive", point: any.point, turns_per_second: 1 })],
        !point.ground && !model.state.feet.includes(point.name) && ["Make it the foot", () => model.edit({ do: "set-foot", point: any.point })],
        ["Show in the file", () => acts.showInFile(point.line)],
        ["Copy", acts.copy, "Ctrl+D"],
        ["Delete", acts.delete, "Del"],
        ...also,
      ];
    }
    if (any.part) {
      const element = model.element(any.part), { angle } = element.fields;
      return [
        [element.label[0].toUpperCase() + element.label.slice(1)],
        ["Edit", () => acts.edit(any, at), "F2"],
        ["links", "bodies"].includes(element.section) && element.name && ["Drive it", () => model.edit({ do: "add-drive", body: element.name, turns_per_second: 1 })],
        element.section === "drives" && typeof angle === "string" && reversed(angle) && ["Turn the other way", () => model.edit({ do: "set", path: [...element.path, "angle"], value: reversed(angle) })],
        ["Show in the file", () => acts.showInFile(element.line)],
        ["links", "bodies", "beams"].includes(element.section) && ["Copy", acts.copy, "Ctrl+D"],
        ["links", "bodies", "beams"].includes(element.section) && ["Mirror", acts.mirror, "M"],
        ["Delete", acts.delete, "Del"],
        ...also,
      ];
    }
    return [
      ["Add a point here", () => model.edit({ do: "add-point", at: place, ground: false })],
      ["Add a ground point here", () => model.edit({ do: "add-point", at: place, ground: true })],
      model.state.can_undo && ["Undo", acts.undo, "Ctrl+Z"],
      model.state.can_redo && ["Redo", acts.redo, "Ctrl+Y"],
      [acts.snap.on ? "Snap off" : "Snap on", () => acts.snap.toggle(), "N"],
      ["Show everything", acts.fit, "F"],
    ];
  }

  label(one) { return one.point ? `Point ${one.point}` : this.model.element(one.part).label; }

  key(event) {
    const buttons = [...this.home.querySelectorAll("button")], k = buttons.indexOf(document.activeElement);
    const next = { ArrowDown: (k + 1) % buttons.length, ArrowUp: (k - 1 + buttons.length) % buttons.length, Home: 0, End: buttons.length - 1 }[event.key];
    event.stopPropagation();
    if (next !== undefined) { event.preventDefault(); buttons[next].focus(); }
    if (event.key === "Escape" || event.key === "Tab") { event.preventDefault(); this.close(true); }
  }

  close(back = false) {
    if (this.home.hidden) return;
    this.home.hidden = true;
    if (back) this.back?.focus({ preventScroll: true });
  }
}

// Reverse a drive angle: negate its term in t, if the angle is only this term and a number.
export function reversed(angle) {
  const found = /^\s*(?:([-+]?[\d.e]+(?:[-+]\d+)?)\s*([-+])\s*|([-+]?)\s*)([^-+]*\bt\b[^-+]*)$/.exec(angle);
  if (!found) return null;
  const [, phase, sign, alone, term] = found;
  if (phase !== undefined) return `${phase} ${sign === "-" ? "+" : "-"} ${term}`;
  return alone === "-" ? term : `-${term}`;
}
