// The start page: files of the folder, and the gallery with animated thumbnails.
import { byId, el, svg, set, themeButton } from "./dom.js";
import { path, rowAt, shapePath } from "./shapes.js";

const WIDE = 250, TALL = 150, MARGIN = 16, SECONDS = 2.4;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const players = [];

themeButton(byId("theme"));

async function fetched(address, options) {
  const answer = await fetch(address, options);
  const data = await answer.json().catch(() => ({ error: "the studio does not answer as expected; open the address it printed again" }));
  if (!answer.ok) throw new Error(data.error);
  return data;
}

function complain(error) {
  byId("problem").textContent = error.message === "Failed to fetch" ? "The studio does not answer: has it ended? Start gaitwright studio again." : error.message;
  byId("problem").hidden = false;
}

const edit = (file) => `/edit?file=${encodeURIComponent(file)}`;

function listFiles(files) {
  byId("none").hidden = files.length > 0;
  byId("files").hidden = files.length === 0;
  byId("files").replaceChildren(...files.map((file) => el("li", {}, el("a", { href: edit(file.path) }, el("span", { text: file.path }), el("span", { class: "when", text: new Date(file.changed * 1000).toLocaleString() })))));
}

function listGallery(entries) {
  const groups = new Map();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) || []), entry]);
  for (const [group, members] of groups) {
    const title = group[0].toUpperCase() + group.slice(1);
    byId("gallery").append(el("section", { "aria-label": title }, el("h2", { text: title }), el("ul", { class: "cards" }, members.map(card))));
  }
}

function card(entry) {
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, "aria-hidden": "true" });
  const button = el("button", { data: { name: entry.name }, onclick: () => ask(entry.name) }, picture, el("strong", { text: entry.title || entry.name }), el("span", { class: "question", text: entry.question }));
  watcher.observe(picture);
  waiting.set(picture, entry.name);
  return el("li", {}, button);
}

// Thumbnails are computed when they become visible, one after the other.
const waiting = new Map();
let queue = Promise.resolve();
const watcher = new IntersectionObserver((seen) => {
  for (const one of seen) {
    const player = players.find((p) => p.picture === one.target);
    if (player) player.visible = one.isIntersecting;
    const name = waiting.get(one.target);
    if (!one.isIntersecting || !name) continue;
    waiting.delete(one.target);
    queue = queue.then(async () => {
      try { players.push(film(one.target, await fetched(`/api/thumbnail/${encodeURIComponent(name)}`))); } catch { /* the card has no thumbnail */ }
    });
  }
});

function film(picture, data) {
  const scene = data.scene ? null : data;
  if (!scene) return { picture, visible: false, draw: () => {}, ...spatialStill(picture, data) };
  const [left, right, low, high] = scene.bounds;
  const scale = Math.min((WIDE - 2 * MARGIN) / (right - left || 1), (TALL - 2 * MARGIN) / (high - low || 1));
  const to = ([x, y]) => [WIDE / 2 + (x - (left + right) / 2) * scale, TALL / 2 - (y - (low + high) / 2) * scale];
  for (const trace of scene.traces) picture.append(svg("path", { class: "thumb-trace", d: path(trace.points.map(to)), "stroke-width": 1.4 }));
  const parts = scene.shapes.map((shape) => {
    const kind = { link: "link", body: "body", round: "body", surface: "ground", ground: "ground", spring: "spring", beam: "beam" }[shape.kind];
    const node = svg("path", { class: `thumb-${kind}`, "stroke-width": shape.kind === "link" ? 3 : 1.6 });
    picture.append(node);
    return (frame) => set(node, { d: shapePath(shape, rowAt(shape.points, frame), to) });
  });
  for (const joint of scene.joints) {
    const node = svg("circle", { class: "thumb-pin", r: 2.2 });
    picture.append(node);
    parts.push((frame) => { const [u, v] = to(rowAt(joint.points, frame)); set(node, { cx: u.toFixed(1), cy: v.toFixed(1) }); });
  }
  const draw = (frame) => { for (const part of parts) part(frame); };
  draw(0);
  return { picture, draw, frames: scene.time.length, visible: true, shown: 0 };
}

// Thumbnail of a spatial model: its named points in an oblique view.
function spatialStill(picture, data) {
  const places = Object.values(data.places || {}), frames = data.time ? data.time.length : 1;
  const up = data.scene.up || [0, 0, 1], k = up.map(Math.abs).indexOf(Math.max(...up.map(Math.abs))), sign = Math.sign(up[k]);
  const from = (p) => { const a = p[(k + 1) % 3], b = p[(k + 2) % 3]; return [0.87 * (a - b), sign * p[k] + 0.21 * (a + b)]; };
  const all = places.flatMap((rows) => rows.map(from));
  if (!all.length) return { frames: 1, shown: 0 };
  const xs = all.map((p) => p[0]), ys = all.map((p) => p[1]);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((WIDE - 2 * MARGIN) / (right - left || 1), (TALL - 2 * MARGIN) / (high - low || 1));
  const to = (p) => { const [a, b] = from(p); return [WIDE / 2 + (a - (left + right) / 2) * scale, TALL / 2 - (b - (low + high) / 2) * scale]; };
  const groups = new Map();
  for (const [name, rows] of Object.entries(data.places)) { const owner = name.includes(".") ? name.split(".")[0] : ""; groups.set(owner, [...(groups.get(owner) || []), rows]); }
  const parts = [];
  for (const [owner, members] of groups) {
    const node = owner && members.length > 1 && owner !== "ground" ? svg("path", { class: "thumb-body", "stroke-width": 2 }) : null;
    if (node) { picture.append(node); parts.push((frame) => set(node, { d: path(members.map((rows) => to(rowAt(rows, frame))), members.length > 2) })); }
    for (const rows of members) { const dot = svg("circle", { class: "thumb-pin", r: 2.2 }); picture.append(dot); parts.push((frame) => { const [u, v] = to(rowAt(rows, frame)); set(dot, { cx: u.toFixed(1), cy: v.toFixed(1) }); }); }
  }
  const draw = (frame) => { for (const part of parts) part(frame); };
  draw(0);
  return { draw, frames, visible: true, shown: 0 };
}

function tick(now) {
  for (const player of players) {
    if (!player.visible || player.frames < 2) continue;
    const frame = Math.floor(((now / 1000 / SECONDS) % 1) * player.frames);
    if (frame !== player.shown) { player.shown = frame; player.draw(frame); }
  }
  requestAnimationFrame(tick);
}

function ask(like) {
  const dialog = byId("naming"), input = byId("naming-name");
  byId("naming-problem").textContent = "";
  input.value = like === "blank" ? "my-mechanism.yaml" : `${like}.yaml`;
  dialog.dataset.like = like;
  dialog.showModal();
  input.focus();
  input.setSelectionRange(0, input.value.lastIndexOf("."));
}

byId("naming-go").addEventListener("click", async (event) => {
  event.preventDefault();
  const typed = byId("naming-name").value.trim(), name = /\.ya?ml$/i.test(typed) ? typed : `${typed}.yaml`;
  try {
    const made = await fetched("/api/create", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ path: name, like: byId("naming").dataset.like }) });
    location.href = edit(made.path);
  } catch (error) { byId("naming-problem").textContent = error.message; }
});
byId("blank").addEventListener("click", () => ask("blank"));

const arrived = new URLSearchParams(location.search);
try {
  const start = await fetched("/api/start");
  if (start.first && arrived.has("token")) location.replace(edit(start.first));
  byId("folder").textContent = start.folder;
  listFiles(start.files);
  listGallery(start.gallery);
  if (!still.matches) requestAnimationFrame(tick);
} catch (error) { complain(error); }
if (arrived.has("token")) history.replaceState(null, "", "/");
