// Page of a report: players, charts that follow their time, filters of verdicts, copy buttons.
const read = id => JSON.parse(document.getElementById(id).textContent);
const scenes = read("scenes"), chartData = read("charts");

const players = [...document.querySelectorAll(".player")].map((box, k) => {
  const scene = scenes[box.dataset.scene];
  const create = PLAYERS[scene.kind ?? "plane"];
  return {name: scene.name, ...create(box.querySelector(".stage"), scene, {embedded: true, autoplay: k < 4})};
});

/** Create an SVG element. */
function draw(tag, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

/** Position on a line at a time: x and y, null if undefined. A line with spans is traversed in each of them. */
function placeAt(line, t) {
  if (!line.spans) return [line.x ? valueAt(line.time, line.x, t) : t, valueAt(line.time, line.y, t)];
  const span = line.spans.find(([from, to]) => from <= t && t <= to);
  if (!span) return [null, null];
  const x = line.x[0] + (t - span[0]) / (span[1] - span[0]) * (line.x.at(-1) - line.x[0]);
  return [x, valueAt(line.x, line.y, x)];
}

/** Time at which a line with spans is at x, in the span nearest to the present time. */
function timeOf({spans, x}, at, now) {
  const away = ([from, to]) => Math.max(from - now, now - to, 0);
  const [from, to] = spans.reduce((best, span) => away(span) < away(best) ? span : best);
  return from + clamp((at - x[0]) / (x.at(-1) - x[0]), 0, 1) * (to - from);
}

/** Show the time of the player in a chart: a vertical line if x is the time, a dot on every curve, and values. */
function link(box, {axes, lines, over_time, follows}) {
  const player = follows ? players.find(p => p.name === follows) : players[0];
  if (!player || !(player.duration > 0) || !lines.some(line => line)) return;
  const svg = box.querySelector("svg"), values = box.querySelectorAll(".legend output"), keys = box.querySelectorAll(".key");
  const [x0, x1, left, right] = axes.x, [y0, y1, bottom, top] = axes.y;
  const log = axes.logarithmic ? Math.log : y => y;
  const px = x => left + (x - x0) / (x1 - x0) * (right - left);
  const py = y => bottom + (log(y) - log(y0)) / (log(y1) - log(y0)) * (top - bottom);
  const rule = over_time ? draw("line", {class: "now", y1: top, y2: bottom}, svg) : null;
  const rules = lines.map((line, k) => {  // one for each line with its own time
    if (!line?.spans) return null;
    const own = draw("line", {class: "now own", y1: top, y2: bottom}, svg);
    if (keys.length) own.style.stroke = keys[k].style.getPropertyValue("--key");
    return own;
  });
  const spanned = lines.find(line => line?.spans);
  const dots = lines.map((line, k) => {
    if (!line) return null;
    const fill = keys.length ? keys[k].style.getPropertyValue("--key") : "var(--series-0)";
    const dot = draw("circle", {class: "here", r: over_time ? 3.4 : 5}, svg);
    dot.style.fill = fill;
    return dot;
  });
  const decimals = clamp(2 - Math.floor(Math.log10(Math.abs(y1 - y0) || 1)), 0, 6);  // as many as are visible in the chart
  let now = player.start;
  player.follow(t => {
    now = t;
    if (rule) for (const end of ["x1", "x2"]) rule.setAttribute(end, clamp(px(t), left, right));
    lines.forEach((line, k) => {
      if (!line) return;
      const [x, y] = placeAt(line, t);
      // a line may start after the animation, or end before: its dot would be outside the chart
      const [first, last] = [line.time?.[0], line.time?.at(-1)], slack = 1e-5 * (last - first);
      const known = !line.time || (t >= first - slack && t <= last + slack);
      const there = known && y !== null && x !== null && !(axes.logarithmic && y <= 0);
      dots[k].style.display = there ? "" : "none";
      if (there) { dots[k].setAttribute("cx", px(x)); dots[k].setAttribute("cy", py(y)); }
      if (rules[k]) {
        rules[k].style.display = x === null ? "none" : "";
        if (x !== null) for (const end of ["x1", "x2"]) rules[k].setAttribute(end, clamp(px(x), left, right));
      }
      if (values[k] && line.spans) values[k].value = y === null ? "–" : minus((Number(y.toFixed(decimals)) || 0).toFixed(decimals));
      else if (values[k] && over_time) values[k].value = y === null || !known ? "–" : show(Math.abs(y) < 1e-6 * Math.abs(y1 - y0) ? 0 : y);
    });
  });
  if (!over_time && !spanned) return;
  box.classList.add("timed");
  const scrub = event => {
    if (!event.buttons) return;
    const area = svg.getBoundingClientRect(), x = (event.clientX - area.left) / area.width * svg.viewBox.baseVal.width;
    player.pause();
    const at = x0 + (x - left) / (right - left) * (x1 - x0);
    player.seek(over_time ? at : timeOf(spanned, at, now));
  };
  svg.addEventListener("pointerdown", event => { svg.setPointerCapture(event.pointerId); scrub(event); });
  svg.addEventListener("pointermove", scrub);
}
for (const bar of document.querySelectorAll(".time-bar")) {
  const player = players[0], slider = bar.querySelector("input"), out = bar.querySelector("output");
  bar.hidden = !(player?.duration > 0);
  if (bar.hidden) continue;
  Object.assign(slider, {min: player.start, max: player.end});
  slider.oninput = () => { player.pause(); player.seek(Number(slider.value)); };
  const play = bar.querySelector("button"), other = document.querySelector(".player .play");
  play.onclick = () => other.click();
  const label = () => { play.textContent = other.getAttribute("aria-label"); };
  new MutationObserver(label).observe(other, {attributes: true, attributeFilter: ["aria-label"]});
  label();
  player.follow(t => { slider.value = t; out.value = `${t.toFixed(2)} s`; });
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

/** Content of a copy button: code unchanged, a table with tabs, as spreadsheets expect. */
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

// Printed pages cannot be unfolded; texts of many pages remain folded there, too.
let opened = [];
const isLong = details => (details.querySelector("pre")?.textContent.split("\n").length ?? 0) > 200;
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")].filter(details => !isLong(details));
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => { for (const details of opened) details.open = false; });
