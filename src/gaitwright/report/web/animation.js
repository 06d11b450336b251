// Page of an animation: signals over time beside the stage, and a table below.
const byId = id => document.getElementById(id);
const scene = JSON.parse(byId("scene").textContent);
// In the studio the page is created again after each edit: the URL passes the camera of the previous page, and the studio gets
// each new camera.
const framed = location.hash.startsWith("#view=");
const player = PLAYERS[scene.kind ?? "plane"](document.querySelector(".stage"), scene, {keys: document, view: framed ? viewIn(location.hash) : null, onView: framed ? view => parent.postMessage({view}, "*") : null});
function viewIn(hash) { try { return JSON.parse(decodeURIComponent(hash.slice("#view=".length))); } catch { return null; } }
if (player.duration > 0) byId("facts").textContent = `${Number(player.duration.toPrecision(4))} s`;
else byId("help").hidden = true;

const allTimes = scene.signals.flatMap(s => [s.time[0], s.time.at(-1)]);
const first = Math.min(player.start, ...allTimes), final = Math.max(player.end, ...allTimes);

function buildChart(signal) {
  const box = make("div", "card chart"), head = make("h2"), plot = make("div", "plot");
  const swatch = make("span", "swatch"), value = make("span", "value");
  const area = make("canvas"), line = make("div", "cursor"), dot = make("div", "dot");
  const known = signal.values.filter(y => y !== null);  // null is a gap, for example while a contact is open
  let low = Math.min(...known), high = Math.max(...known);
  if (!known.length) low = high = 0;
  area.setAttribute("role", "img");
  area.setAttribute("aria-label", `${signal.name}: from ${show(low)} to ${show(high)} ${signal.unit}`);
  const pad = (high - low) * .08 || Math.abs(high) * .1 || 1;
  low -= pad; high += pad;
  swatch.style.background = dot.style.background = signal.colour;
  head.append(swatch, make("span", "", signal.name), value);
  head.title = signal.name;
  plot.append(area, line, dot);
  box.append(head, plot);
  byId("charts").append(box);
  const edge = {left: 46, right: 8, top: 6, bottom: 20};
  let w = 1, h = 1;
  const px = t => edge.left + (t - first) / (final - first || 1) * (w - edge.left - edge.right);
  const py = y => h - edge.bottom - (y - low) / (high - low) * (h - edge.top - edge.bottom);

  function draw() {
    const ink = sharpen(area); w = area.clientWidth; h = area.clientHeight;
    ink.font = "11px system-ui, sans-serif"; ink.textBaseline = "middle";
    ink.fillStyle = player.colours.muted; ink.lineWidth = 1;
    const rows = niceStep((high - low) / 4), columns = niceStep((final - first || 1) / Math.max(2, w / 70));
    const levels = [];
    for (let i = Math.ceil(low / rows); i * rows <= high; i++) levels.push(i);
    edge.left = Math.max(46, 14 + Math.max(...levels.map(i => ink.measureText(tick(i * rows, rows)).width)));
    ink.beginPath(); ink.textAlign = "right";
    for (const i of levels) {
      ink.moveTo(edge.left, py(i * rows)); ink.lineTo(w - edge.right, py(i * rows));
      ink.fillText(tick(i * rows, rows), edge.left - 6, py(i * rows));
    }
    ink.textAlign = "center";
    for (let i = Math.ceil(first / columns); i * columns <= final; i++) {
      const text = tick(i * columns, columns), half = ink.measureText(text).width / 2;
      ink.fillText(text, Math.min(px(i * columns), w - half), h - 8);
    }
    ink.strokeStyle = player.colours.line; ink.stroke();
    ink.beginPath();
    signal.values.forEach((y, i) => {
      if (y !== null) ink[signal.values[i - 1] == null ? "moveTo" : "lineTo"](px(signal.time[i]), py(y));
    });
    ink.strokeStyle = signal.colour; ink.lineWidth = 1.8; ink.lineJoin = "round"; ink.stroke();
    line.style.height = h - edge.bottom + "px";
  }
  function update(now) {
    const y = valueAt(signal.time, signal.values, now);
    line.style.transform = `translateX(${px(now)}px)`;
    dot.hidden = y === null;
    value.textContent = dot.hidden ? "–" : `${show(Math.abs(y) < 1e-6 * (high - low) ? 0 : y)} ${signal.unit}`;
    if (!dot.hidden) dot.style.transform = `translate(${px(now)}px, ${py(y)}px)`;
  }
  const scrub = event => {
    if (!event.buttons) return;
    player.pause();
    player.seek(first + (event.offsetX - edge.left) / (w - edge.left - edge.right) * (final - first));
  };
  area.addEventListener("pointerdown", event => { area.setPointerCapture(event.pointerId); scrub(event); });
  area.addEventListener("pointermove", scrub);
  return {draw, update};
}
function tick(x, step) {
  if (x && extreme(step)) {
    // Enough digits to distinguish adjacent lines.
    return minus(x.toExponential(clamp(Math.floor(Math.log10(Math.abs(x))) - Math.floor(Math.log10(step) + 1e-9), 0, 6)));
  }
  return minus(x.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))));
}

const charts = scene.signals.map(buildChart);
if (charts.length) byId("columns").classList.add("beside");
if (charts.length < 3) byId("charts").style.setProperty("--chart", "180px");
let now = player.start;
function drawCharts() { for (const chart of charts) { chart.draw(); chart.update(now); } }
new ResizeObserver(drawCharts).observe(byId("charts"));
for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", drawCharts);
drawCharts();
player.follow(t => { now = t; for (const chart of charts) chart.update(t); });

if (scene.table.length) {
  const [header, ...rows] = scene.table, table = byId("table").firstChild;
  const isNumber = text => text.trim() !== "" && !isNaN(text.replaceAll("−", "-"));
  const align = header.map((_, column) => rows.length && rows.every(row => isNumber(row[column])) ? "number" : "");
  const line = (cells, tag) => {
    const row = make("tr");
    row.append(...cells.map((text, i) => make(tag(i), align[i], text)));
    return row;
  };
  table.createTHead().append(line(header, () => "th"));
  const body = table.createTBody();
  for (const row of rows) body.append(line(row, i => i ? "td" : "th"));
  for (const cell of table.querySelectorAll("thead th")) cell.scope = "col";
  for (const cell of table.querySelectorAll("tbody th")) cell.scope = "row";
  byId("table").hidden = false;
}
