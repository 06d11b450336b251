// Five steps for the first time.
import { byId, el, recall, remember } from "./dom.js";

const STEPS = [
  ["#tools", "Draw", "Pick a tool. Ground points hold the mechanism, links join points, a drive turns a link. A click on an empty place makes a new point."],
  ["#canvas", "Pull", "Drag a point: lengths follow and the foot curve is redrawn at once. With Lock lengths the mechanism follows your hand instead. What cannot close is red, with the gap in millimetres."],
  [".numbers", "Read", "Step, torque and energy follow while you drag. Play moves the mechanism through a turn."],
  [".editor", "The file", "Everything drawn is in this file, and what you type here is drawn. Comments and order stay; undo has no end."],
  ["#tab-runs", "Run", "Under Runs are all analyses: forces, walking, sweeps, improvement. Results can be laid over each other and taken home."],
];
const DONE = "gaitwright-toured";

export function tour(first = false) {
  if (first && recall(DONE)) return;
  const home = byId("tour"), back = document.activeElement;
  let at = 0;
  const mark = (on) => document.querySelector(STEPS[at][0])?.classList.toggle("toured", on);
  function end() { mark(false); home.hidden = true; remember(DONE, "1"); back?.focus?.(); document.removeEventListener("keydown", escape); }
  function escape(event) { if (event.key === "Escape") end(); }
  function show() {
    const [selector, title, text] = STEPS[at], target = document.querySelector(selector);
    home.replaceChildren(el("h2", { id: "tour-title", text: `${at + 1} of ${STEPS.length}: ${title}` }), el("p", { text }), el("div", { class: "row" }, el("button", { text: "End", onclick: end }), at ? el("button", { text: "Back", onclick: () => go(-1) }) : null, el("button", { class: "primary", text: at < STEPS.length - 1 ? "Next" : "Begin", onclick: () => (at < STEPS.length - 1 ? go(1) : end()) })));
    home.hidden = false;
    mark(true);
    place(home, target);
    home.querySelector(".primary").focus({ preventScroll: true });
  }
  function go(step) { mark(false); at += step; show(); }
  document.addEventListener("keydown", escape);
  show();
}

// Place the step beside its target, always on the screen.
function place(home, target) {
  const box = target?.getBoundingClientRect() || { left: 40, right: 40, top: 40, bottom: 40, width: 0 }, size = home.getBoundingClientRect();
  const beside = box.right + 12 + size.width < innerWidth ? box.right + 12 : box.left - size.width - 12 > 0 ? box.left - size.width - 12 : box.left + 20;
  const clamp = (value, most) => Math.max(8, Math.min(value, most));
  home.style.left = `${clamp(beside, innerWidth - size.width - 8)}px`;
  home.style.top = `${clamp(box.top + 10, innerHeight - size.height - 8)}px`;
}
