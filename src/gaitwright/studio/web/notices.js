// Notices: bars at the top, with buttons for choices.
import { byId, el } from "./dom.js";

const STAYS = 6000;

export function notice(text, { bad = false, choices = [], key = text, stays = choices.length > 0 } = {}) {
  const home = byId("notices");
  for (const old of [...home.children]) {
    if (old.dataset.key !== key) continue;
    if (stays && old.firstChild.textContent === text) return () => old.remove(); // shown already: keep its buttons in place
    old.remove();
  }
  const bar = el("div", { class: `notice${bad ? " bad" : ""}`, data: { key }, role: bad ? "alert" : "status" }, el("span", { text }));
  const close = () => bar.remove();
  for (const [title, act] of choices) bar.append(el("button", { text: title, onclick: () => { close(); act(); } }));
  if (!choices.length) bar.append(el("button", { class: "help", text: "×", "aria-label": "Close", onclick: close }));
  home.append(bar);
  if (!stays) setTimeout(close, STAYS);
  return close;
}

export function withdraw(key) { for (const old of [...byId("notices").children]) if (old.dataset.key === key) old.remove(); }

export function watch(model, pane) {
  model.on("note", ({ detail }) => notice(detail, { key: "note" }));
  model.on("problem", ({ detail }) => notice(detail.message, { bad: true }));
  model.on("gone", () => notice("The studio does not answer. What was drawn until now is kept; start gaitwright studio again and open the address it prints.", { bad: true, key: "gone", stays: true }));
  model.on("failed", ({ detail }) => notice(`The studio closed this window: ${detail.reason}.`, { bad: true, key: "gone", choices: [["Connect again", () => model.line.open()]] }));
  model.on("ready back", () => withdraw("gone"));
  model.on("refused", ({ detail }) => notice(detail.message, { bad: true, choices: [["All models", () => { location.href = "/"; }]] }));
  model.on("elsewhere", ({ detail }) => notice(`Changed by ${detail}; here is the newest.`, { key: "elsewhere" }));
  model.on("unsaved", ({ detail }) => notice(detail.message, { bad: true, key: "unsaved", choices: [["Write over it", () => save(model, true)], ["Take the file", () => model.takeOver()]] }));
  model.on("conflict", ({ detail }) => {
    if (detail.with === "disk") notice("Another program has changed the file, and there are changes here that are not saved.", { bad: true, key: "conflict", choices: [["Keep mine", () => save(model, true)], ["Take the file", () => model.takeOver()]] });
    else notice("This file was changed in another window while you typed.", { bad: true, key: "conflict", choices: [["Keep my text", () => pane.keepMine()], ["Take the other", () => pane.takeTheirs()]] });
  });
  model.on("ready", () => {
    if (model.state.elsewhere) notice("Another studio has this file open: what both save is the last one's.", { bad: true, key: "elsewhere-studio", stays: true });
    if (model.state.recovered) notice("The studio ended before this file was saved. What was drawn then is shown here.", { key: "recovered", choices: [["Keep it", () => save(model, true)], ["Take the file", () => model.takeOver()]] });
  });
}

export async function save(model, force = false) {
  try {
    await model.queue;
    await model.line.ask("save", { force });
    model.state.saved = true;
    model.tell("saved");
  } catch (error) {
    if (error.kind === "changed-outside") notice(error.message, { bad: true, key: "unsaved", choices: [["Write over it", () => save(model, true)], ["Take the file", () => model.takeOver()]] });
    else model.fail(error);
  }
}
