// Tables of sweeps and searches, with a map where two parameters were varied and a line where one was.
import { el, fresh, number } from "./dom.js";
import { heatmap, plot } from "./plot.js";

const ROWS = 200;
const EVIDENCE = ["max_constraint_violation", "max_energy_residual", "wall_seconds"]; // accuracy indicators of a row, not results

export async function showTable(model, run, home) {
  let table;
  try { table = await model.line.ask("table", { run: run.id }); } catch (error) { model.fail(error); return; }
  const full = table.columns.map((_, c) => c).filter((c) => table.rows.some((row) => row[c] !== "" && row[c] !== null));
  const columns = full.map((c) => table.columns[c]), rows = table.rows.map((row) => full.map((c) => row[c])), numeric = columns.filter((_, c) => rows.some((row) => typeof row[c] === "number"));
  const picks = ["x", "y", "of"].map((what) => { const id = fresh(what); return { what, id, select: el("select", { id, onchange: () => draw() }, what === "y" ? el("option", { value: "", text: "–" }) : null, numeric.map((name) => el("option", { value: name, text: name }))) }; });
  const chart = el("div");
  const given = [run.options?.parameters || []].flat().map((text) => String(text).split("=")[0].trim()), varied = numeric.filter((name) => given.includes(name));
  picks[0].select.value = varied[0] || numeric[0] || "";
  picks[1].select.value = varied[1] || "";
  const asked = [run.options?.outputs || []].flat().map(String), others = numeric.filter((name) => !varied.includes(name) && !EVIDENCE.includes(name));
  picks[2].select.value = others.find((name) => asked.some((one) => name.startsWith(one))) || others[0] || numeric[numeric.length - 1] || "";
  function draw() {
    const [x, y, of] = picks.map((pick) => columns.indexOf(pick.select.value)), known = rows.filter((row) => typeof row[x] === "number");
    if (x < 0 || of < 0) { chart.replaceChildren(); return; }
    if (y < 0) {
      known.sort((a, b) => a[x] - b[x]);
      chart.replaceChildren(plot([{ label: columns[of], x: known.map((row) => row[x]), y: known.map((row) => row[of]) }], { xlabel: columns[x], ylabel: columns[of], markers: true }));
      return;
    }
    const distinct = (c) => [...new Set(known.map((row) => row[c]))].sort((a, b) => a - b), across = distinct(x), up = distinct(y);
    const cells = up.map((b) => across.map((a) => known.find((row) => row[x] === a && row[y] === b)?.[of] ?? null));
    chart.replaceChildren(heatmap({ title: columns[of], columns: across, rows: up, cells, xlabel: columns[x], ylabel: columns[y] }));
  }
  const body = rows.slice(0, ROWS).map((row) => el("tr", {}, row.map((cell) => el("td", { text: typeof cell === "number" ? number(cell, 5) : cell === null ? "–" : String(cell) }))));
  home.replaceChildren(el("section", { "aria-label": "Table" }, el("div", { class: "row" }, el("h2", { text: `${run.command} ${run.id}` }), el("button", { text: "Close", onclick: () => home.replaceChildren() })), el("div", { class: "row" }, picks.map((pick) => el("label", { class: "switch", for: pick.id }, { x: "across", y: "up", of: "shown" }[pick.what], pick.select))), chart, el("div", { class: "scroll", tabindex: "0" }, el("table", {}, el("thead", {}, el("tr", {}, columns.map((name) => el("th", { text: name })))), el("tbody", {}, body)))));
  draw();
  home.scrollIntoView({ block: "nearest" });
}
