// The page of a report: players, charts that follow their time, filters of verdicts, buttons that copy.
const read = id => JSON.parse(document.getElementById(id).textContent);
const scenes = read("scenes"), chartData = read("charts");

const players = [...document.querySelectorAll(".player")].map((box, k) => {
  const scene = scenes[box.dataset.scene];
  const create = PLAYERS[scene.kind ?? "plane"];
  return {name: scene.name, ...create(box.querySelector(".stage"), scene, {embedded: true, autoplay: k < 4})};
});

/** An element of an SVG. */
function draw(tag, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

/** Let a chart show the time of its player: a line where x is the time, a dot on every curve, and values. */
function link(box, {axes, lines, over_time, follows}) {
  const player = follows ? players.find(p => p.name === follows) : players[0];
  if (!player || !(player.duration > 0) || !lines.some(line => line)) return;
  const svg = box.querySelector("svg"), values = box.querySelectorAll(".legend output"), keys = box.querySelectorAll(".key");
  const [x0, x1, left, right] = axes.x, [y0, y1, bottom, top] = axes.y;
  const log = axes.logarithmic ? Math.log : y => y;
  const px = x => left + (x - x0) / (x1 - x0) * (right - left);
  const py = y => bottom + (log(y) - log(y0)) / (log(y1) - log(y0)) * (top - bottom);
  const rule = over_time ? draw("line", {class: "now", y1: top, y2: bottom}, svg) : null;
  const dots = lines.map((line, k) => {
    if (!line) return null;
    const fill = keys.length ? keys[k].style.getPropertyValue("--key") : "var(--series-0)";
    const dot = draw("circle", {class: "here", r: over_time ? 3.4 : 5}, svg);
    dot.style.fill = fill;
    return dot;
  });
  player.follow(t => {
    if (rule) for (const end of ["x1", "x2"]) rule.setAttribute(end, clamp(px(t), left, right));
    lines.forEach((line, k) => {
      if (!line) return;
      const y = valueAt(line.time, line.y, t), x = line.x ? valueAt(line.time, line.x, t) : t;
      const there = y !== null && x !== null && !(axes.logarithmic && y <= 0);
      dots[k].style.display = there ? "" : "none";
      if (there) { dots[k].setAttribute("cx", px(x)); dots[k].setAttribute("cy", py(y)); }
      if (values[k] && over_time) values[k].value = y === null ? "–" : show(y);
    });
  });
  if (!over_time) return;
  box.classList.add("timed");
  const scrub = event => {
    if (!event.buttons) return;
    const area = svg.getBoundingClientRect(), x = (event.clientX - area.left) / area.width * svg.viewBox.baseVal.width;
    player.pause();
    player.seek(x0 + (x - left) / (right - left) * (x1 - x0));
  };
  svg.addEventListener("pointerdown", event => { svg.setPointerCapture(event.pointerId); scrub(event); });
  svg.addEventListener("pointermove", scrub);
}
for (const box of document.querySelectorAll("[data-chart]")) link(box, chartData[box.dataset.chart]);

for (const box of document.querySelectorAll(".verdicts")) {
  const buttons = [...box.querySelectorAll(".filter button")], search = box.querySelector("input");
  const rows = [...box.querySelectorAll("tbody tr")];
  const apply = () => {
    const verdict = buttons.find(b => b.getAttribute("aria-pressed") === "true").dataset.verdict;
    const words = search.value.toLowerCase().split(/\s+/).filter(word => word);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = verdict && row.dataset.verdict !== verdict || !words.every(word => text.includes(word));
    }
    box.querySelector(".nothing").hidden = rows.some(row => !row.hidden);
  };
  for (const button of buttons) {
    button.onclick = () => {
      for (const other of buttons) other.setAttribute("aria-pressed", other === button);
      apply();
    };
  }
  search.oninput = apply;
}

/** What a button copies: code as it is, a table with tabs, which spreadsheets understand. */
function copied(box) {
  const code = box.querySelector("pre");
  if (code) return code.textContent;
  return [...box.querySelectorAll("tr")].map(row => [...row.cells].map(cell => cell.innerText.trim()).join("\t")).join("\n");
}
for (const button of document.querySelectorAll(".copy")) {
  button.onclick = async () => {
    try { await navigator.clipboard.writeText(copied(button.parentElement)); button.textContent = "Copied"; }
    catch { getSelection().selectAllChildren(button.parentElement.querySelector("pre, table")); button.textContent = "Selected"; }
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  };
}

// Paper cannot be unfolded; texts of many pages stay folded there, too.
let opened = [];
const isLong = details => (details.querySelector("pre")?.textContent.split("\n").length ?? 0) > 200;
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")].filter(details => !isLong(details));
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => { for (const details of opened) details.open = false; });
