// Text panel: the model file beside the drawing, synchronised in both directions.
import { byId, el } from "./dom.js";

const PAUSE = 220; // delay after the last key before the text is sent, ms

export class TextPane {
  constructor(model) {
    Object.assign(this, { model, area: byId("text"), gutter: byId("gutter"), timer: null, turn: 0, base: 0 });
    this.area.addEventListener("input", () => this.typed());
    this.area.addEventListener("scroll", () => { this.gutter.scrollTop = this.area.scrollTop; });
    // Undo uses the model history here as well: the browser's undo does not include drawn changes.
    this.area.addEventListener("keydown", async (event) => {
      const key = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
      event.preventDefault();
      if (this.model.typing) await this.send();
      if (key === "y" || event.shiftKey) this.model.redo(); else this.model.undo();
    });
    model.on("state text", () => this.update());
    model.on("chosen", () => this.marked());
  }

  // Typed text is newer than the model until its reply; meanwhile it is not overwritten.
  update() {
    if (!this.model.typing && this.area.value !== this.model.state.text) {
      const { scrollTop, selectionStart, selectionEnd } = this.area;
      this.area.value = this.model.state.text;
      this.area.setSelectionRange(Math.min(selectionStart, this.area.value.length), Math.min(selectionEnd, this.area.value.length));
      this.area.scrollTop = scrollTop;
    }
    this.marked();
    this.complain();
  }

  typed() {
    if (!this.model.typing) this.base = this.model.state.version; // version that this text is based on
    this.model.typing = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), PAUSE);
    this.marked();
  }

  async send() {
    clearTimeout(this.timer);
    const text = this.area.value, { turn } = this;
    await this.model.queue;
    if (turn !== this.turn) return; // the other text was accepted meanwhile
    const reply = await this.model.change("type_text", { text, version: this.base });
    if (!reply) return;
    this.base = reply.version;
    if (this.area.value === text) { this.model.typing = false; this.update(); } else this.typed();
  }

  // Resolve a conflict: our text, or the other one.
  async keepMine() {
    this.base = (await this.model.line.ask("state")).version;
    await this.send();
  }
  async takeTheirs() {
    clearTimeout(this.timer);
    this.turn += 1;
    this.model.typing = false;
    this.model.accept(await this.model.line.ask("state"));
  }

  lines() {
    const { elements, points } = this.model.state, problem = this.model.isNew ? null : this.model.state.problem, chosen = new Set();
    for (const key of this.model.chosen.parts) chosen.add(elements.find((one) => this.model.key(one) === key)?.line);
    for (const name of this.model.chosen.points) chosen.add(points.find((one) => one.name === name)?.line);
    return { bad: problem?.line ?? null, chosen };
  }

  marked() {
    const count = this.area.value.split("\n").length, { bad, chosen } = this.lines();
    const key = `${count} ${bad} ${[...chosen].join()}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const rows = [];
    for (let k = 1; k <= count; k++) {
      if (k === bad) rows.push(el("span", { class: "bad", text: `● ${k}` }));
      else if (chosen.has(k)) rows.push(el("span", { class: "chosen", text: String(k) }));
      else rows.push(String(k));
      rows.push("\n");
    }
    this.gutter.replaceChildren(...rows);
    this.gutter.scrollTop = this.area.scrollTop;
  }

  complain() {
    const problem = this.model.isNew ? null : this.model.state.problem, home = byId("problem");
    home.hidden = !problem;
    this.area.setAttribute("aria-invalid", String(Boolean(problem)));
    if (!problem) return;
    const where = problem.line ? el("button", { text: `line ${problem.line}`, onclick: () => this.goTo(problem.line) }) : null;
    home.replaceChildren(problem.message, " ", where || "");
  }

  goTo(line) {
    const before = this.area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const end = this.area.value.indexOf("\n", before);
    this.area.focus();
    this.area.setSelectionRange(before, end < 0 ? this.area.value.length : end);
    this.area.scrollTop = Math.max(0, (line - 6) * 18);
  }
}
