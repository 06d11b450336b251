// Page of one model: connects the other modules, and handles buttons, keys and tabs.
import { byId, el, themeButton } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Editor } from "./editor.js";
import { Hand } from "./hand.js";
import { Menu } from "./menu.js";
import { Model } from "./model.js";
import { notice, save, watch } from "./notices.js";
import { follow } from "./numbers.js";
import { ParametersPanel } from "./parameters.js";
import { PartsPanel } from "./parts.js";
import { Player } from "./play.js";
import { RunsPanel } from "./runs.js";
import { Snap } from "./snap.js";
import { TextPane } from "./text.js";
import { TOOLS, Toolbox } from "./tools.js";
import { tour } from "./tour.js";
import { View } from "./view.js";

const file = new URLSearchParams(location.search).get("file") || "";
const model = new Model(file);
const view = new View(byId("canvas"), byId("layer-grid"));
const drawing = new Drawing(model, view);
const toolbox = new Toolbox(model, view);
const snap = new Snap(model, view);
const pane = new TextPane(model);
const player = new Player(model);
follow(model);
const parts = new PartsPanel(model);
new ParametersPanel(model);
new RunsPanel(model);
watch(model, pane);
themeButton(byId("theme"));
window.studio = { model, view, drawing }; // for tests and for the console

document.title = `${file} – Gaitwright studio`;
byId("file").textContent = file;

let camera = null, shownInSpace = null; // of a spatial model

// The first preview sets the view; later ones do not move it.
let fitted = false;
model.on("picture unseen", () => {
  if (fitted) return;
  fitted = true;
  view.fit(drawing.extent());
  document.documentElement.dataset.ready = "yes";
});

model.on("state saved", () => {
  byId("saved").textContent = model.state.problem && !model.isNew ? "kept, not yet a model" : model.state.saved ? "saved" : "saving by itself";
  if ((!model.state.problem || model.isNew) && !model.state.saved && model.state.autosave === false) byId("saved").textContent = "not saved";
  byId("undo").disabled = !model.state.can_undo;
  byId("redo").disabled = !model.state.can_redo;
  if (model.state.autosave !== undefined) byId("autosave").checked = model.state.autosave;
  inSpace(model.state.dimension === 3);
});
model.on("text", () => { byId("undo").disabled = !model.state.can_undo; byId("redo").disabled = !model.state.can_redo; byId("saved").textContent = "saving by itself"; });
model.on("state chosen", () => { for (const id of ["copy", "mirror", "delete"]) byId(id).disabled = !model.anyChosen; });

// A spatial model is shown read-only in the report view, with orbit and playback.
function inSpace(spatial) {
  byId("space").hidden = !spatial;
  byId("canvas").toggleAttribute("hidden", spatial);
  for (const node of document.querySelectorAll(".corner, .play, #where")) node.hidden = spatial;
  byId("tools").hidden = spatial;
  document.querySelector(".desk").classList.toggle("spatial", spatial);
  if (!spatial) return;
  byId("hint").textContent = "A model in space: change numbers in the file, under Parts and Parameters; drag turns the view.";
  const address = `/space?file=${encodeURIComponent(file)}&version=${model.state.version}`;
  if (model.state.problem || shownInSpace === address) return;
  shownInSpace = address;
  byId("space").setAttribute("src", `${address}#view=${camera ? encodeURIComponent(JSON.stringify(camera)) : ""}`);
}

// The view reports its camera, so that the view after an edit starts there.
addEventListener("message", ({ source, data }) => {
  const places = [data?.view?.at, data?.view?.to];
  if (source === byId("space").contentWindow && places.every((place) => Array.isArray(place) && place.length === 3 && place.every(Number.isFinite))) camera = { at: places[0], to: places[1], fitted: data.view.fitted === true };
});

// Buttons ---------------------------------------------------------------------------------------------------------------
const acts = {
  undo: () => model.undo(),
  redo: () => model.redo(),
  delete: () => { if (model.anyChosen) model.edit({ do: "delete", ...model.chosenList(), parameters: [] }); },
  copy: () => withCopy({ do: "copy", by: [view.spacing(), -view.spacing()] }),
  mirror: () => { const xs = chosenPlaces().map((p) => p[0]); withCopy({ do: "mirror", x: xs.length ? Math.max(...xs) : 0 }); },
  save: () => save(model),
  fit: () => view.fit(drawing.extent()),
  closer: () => view.zoom(1.3),
  farther: () => view.zoom(1 / 1.3),
  "tour-button": () => tour(),
  "keys-button": () => showKeys(),
};
// Further actions of the context menu and the editor window.
const showInFile = (line) => { openTab(byId("tab-file")); if (line) pane.goTo(line); };
const editor = new Editor(model, parts, { delete: acts.delete, showInFile });
const menu = new Menu(model, { ...acts, snap, showInFile, edit: (one, at) => editor.open(one, at) });
const hand = new Hand(model, view, toolbox, drawing, snap, menu, editor);
model.on("made", ({ detail }) => {
  const element = detail.edit && model.state.elements.find((one) => one.name === detail.names[detail.names.length - 1]);
  if (element) editor.open({ part: model.key(element) }, drawing.middle(model.key(element)) || [view.width / 2, view.height / 2]);
});
for (const [id, act] of Object.entries(acts)) byId(id).addEventListener("click", act);
byId("names").addEventListener("change", (event) => { drawing.showNames = event.target.checked; drawing.draw(); });
byId("autosave").addEventListener("change", (event) => { model.state.autosave = event.target.checked; model.line.ask("autosave", { on: event.target.checked }).catch((error) => model.fail(error)); });

function chosenPlaces() {
  const names = new Set(model.chosen.points);
  for (const key of model.chosen.parts) for (const name of model.element(key)?.points || []) names.add(name);
  return [...names].map((name) => model.place(name)).filter(Boolean);
}

async function withCopy(command) {
  if (!model.anyChosen) return;
  const reply = await model.edit({ ...command, ...model.chosenList() });
  if (!reply) return;
  const made = new Set(reply.made);
  model.choose({ points: model.state.points.filter((p) => made.has(p.name)).map((p) => p.name), parts: model.state.elements.filter((e) => made.has(e.name)).map((e) => model.key(e)) });
}

// Tabs ------------------------------------------------------------------------------------------------------------------
const tabs = [...document.querySelectorAll("[role=tab]")];
function openTab(tab) {
  for (const one of tabs) {
    const on = one === tab;
    one.setAttribute("aria-selected", String(on));
    one.tabIndex = on ? 0 : -1;
    byId(one.getAttribute("aria-controls")).hidden = !on;
  }
}
for (const tab of tabs) {
  tab.addEventListener("click", () => openTab(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    openTab(next);
    next.focus();
  });
}

// Keys ------------------------------------------------------------------------------------------------------------------
const typing = (target) => target.closest("input:not([type=checkbox]):not([type=range]), textarea, select, dialog");
document.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
  if (command && key === "s") { event.preventDefault(); save(model); return; }
  if (typing(event.target) || !model.state) return;
  if (command && key === "z") { event.preventDefault(); if (event.shiftKey) model.redo(); else model.undo(); return; }
  if (command && key === "y") { event.preventDefault(); model.redo(); return; }
  if (command && key === "d") { event.preventDefault(); acts.copy(); return; }
  if (command && key === "a") { event.preventDefault(); model.choose({ points: model.state.points.map((p) => p.name), parts: model.state.elements.map((e) => model.key(e)) }); return; }
  if (command || event.altKey) return;
  if (key === "escape") { toolbox.pick("select"); hand.hideCross(); model.choose({}); return; }
  if (key === "delete" || key === "backspace") { acts.delete(); return; }
  if (key === " " && !event.target.closest("button")) { event.preventDefault(); player.toggle(); return; }
  if (key === "f") { acts.fit(); return; }
  if (key === "m") { acts.mirror(); return; }
  if (key === "n") { snap.toggle(); return; }
  const tool = TOOLS.find((one) => one.key === key);
  if (tool && model.state.dimension === 2) { toolbox.pick(tool.name); byId("canvas").focus(); }
});

function showKeys() {
  const rows = [...TOOLS.map((tool) => [tool.key.toUpperCase(), tool.title]), ["Arrows", "move the cross; Shift: five times as far. With a selected point: move it"], ["Enter", "click at the cross, or select what has the focus and then edit it; ends a body"], ["F2", "edit what is selected: name, lengths, values (double click)"], ["Menu, Shift+F10", "what can be done with what is selected (right click)"], ["N", "snap on or off"], ["Tab", "from point to point and part to part, in the drawing"], ["Alt", "held while drawing: no snap"], ["Shift", "select more; drag a frame around points"], ["Ctrl+Z, Ctrl+Y", "undo, redo"], ["Ctrl+D", "copy"], ["M", "mirror"], ["Del", "delete"], ["Space", "play"], ["F", "show everything"], ["Ctrl+S", "save"], ["Esc", "stop what you are doing"]];
  const dialog = byId("dialog");
  dialog.setAttribute("aria-label", "Keys");
  dialog.replaceChildren(el("h2", { text: "Keys" }), el("table", {}, el("tbody", {}, rows.map(([key, what]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", { text: key })), el("td", { text: what }))))), el("p", {}, el("button", { class: "primary", text: "Close", onclick: () => dialog.close() })));
  dialog.showModal();
}

// On leaving the page, send typed text that still waits for the pause.
addEventListener("beforeunload", (event) => { if (model.typing) { pane.send(); event.preventDefault(); } });
model.on("ready", () => { if (!navigator.webdriver) tour(true); });
if (!file) notice("No file is named in this address.", { bad: true, choices: [["All models", () => { location.href = "/"; }]] });
