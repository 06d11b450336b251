// A report of a run in a window over the page. It runs in a sandbox without access to the studio.
import { byId, el } from "./dom.js";

export function openReport(run, page) {
  const dialog = byId("report"), pages = run.files.filter((file) => file.name.endsWith(".html"));
  const frame = el("iframe", { title: `Report of ${run.command} ${run.id}`, sandbox: "allow-scripts allow-downloads" });
  const id = encodeURIComponent(run.id), show = (name) => { frame.src = name ? `/run/${id}/${name.split("/").map(encodeURIComponent).join("/")}` : `/view/${id}`; };
  const choice = pages.length > 1 ? el("select", { "aria-label": "Page", onchange: () => show(choice.value) }, pages.map((file) => el("option", { value: file.name, text: file.name, selected: file.name === page?.name }))) : "";
  dialog.replaceChildren(el("div", { class: "row" }, el("strong", { text: `${run.command} ${run.id}: ${run.name}` }), choice, el("span", { class: "spacer" }), el("button", { text: "Close", onclick: () => dialog.close() })), frame);
  show(page?.name); // a run without a page gets one generated
  dialog.showModal();
}

byId("report").addEventListener("close", () => byId("report").replaceChildren());
