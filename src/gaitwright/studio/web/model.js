// Client-side model of the open file: state, preview, selection; and all methods that change it.
import { Line, Newest } from "./socket.js";

const FRAMES = 96;
const PROTOCOL = location.protocol === "https:" ? "wss:" : "ws:";

export class Model extends EventTarget {
  constructor(file) {
    super();
    Object.assign(this, { file, state: null, picture: null, film: null, time: 0, frame: 0, chosen: { points: new Set(), parts: new Set() }, queue: Promise.resolve(), drags: 0, typing: false });
    this.line = new Line(`${PROTOCOL}//${location.host}/socket?file=${encodeURIComponent(file)}`);
    this.line.addEventListener("open", () => this.load());
    this.line.addEventListener("gone", () => this.tell("gone"));
    this.line.addEventListener("failed", ({ detail }) => this.tell("failed", detail));
    for (const news of ["unanswered", "defect"]) this.line.addEventListener(news, ({ detail }) => this.tell("problem", detail));
    this.line.addEventListener("refused", ({ detail }) => { this.line.finished = true; this.tell("refused", detail); });
    this.line.addEventListener("changed", () => this.elsewhere.send("another window"));
    this.line.addEventListener("outside", ({ detail }) => (detail.changed === "conflict" ? this.tell("conflict", { with: "disk" }) : this.elsewhere.send("another program")));
    this.line.addEventListener("saved", () => { if (this.state) { this.state.saved = true; this.tell("saved"); } });
    this.line.addEventListener("unsaved", ({ detail }) => this.tell("unsaved", detail));
    this.line.addEventListener("runs", ({ detail }) => this.tell("runs", detail.runs));
    this.elsewhere = new Newest((who) => this.changedElsewhere(who), () => {}, (error) => this.fail(error)); // a drag in another window sends many changes
    this.pictures = new Newest((wish) => this.line.ask("show", wish), (picture) => this.see(picture), (error) => { this.fail(error); this.tell("unseen"); });
    this.moves = new Newest((wish) => this.askMove(wish), (answer) => this.moved(answer), (error) => this.fail(error), ({ reply }) => this.patched(reply));
  }

  tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
  fail(error) { if (error.kind !== "gone") this.tell("problem", error); }
  on(types, listener) { for (const type of types.split(" ")) this.addEventListener(type, listener); }

  // Edits are sequential: each starts after the reply to the previous one.
  inOrder(work) {
    const done = this.queue.then(work);
    this.queue = done.catch(() => {});
    return done;
  }

  async load() {
    try {
      const first = !this.state;
      this.accept(await this.line.ask("state"));
      this.tell(first ? "ready" : "back");
      if (!this.forms) this.line.ask("forms", { dimension: this.state.dimension }).then((forms) => { this.forms = forms; this.tell("forms"); }).catch((error) => this.fail(error));
      this.line.ask("runs").then((runs) => this.tell("runs", runs)).catch((error) => this.fail(error));
    } catch (error) { this.fail(error); }
  }

  accept(state) {
    const autosave = state.autosave ?? this.state?.autosave;
    this.state = { ...state, autosave };
    this.film = null;
    this.keepChosen();
    this.tell("state");
    this.show();
  }

  // Curves of the feet and of selected points.
  traced() {
    const { feet } = this.state, extra = [...this.chosen.points].filter((name) => !feet.includes(name) && !this.point(name)?.ground);
    return extra.length ? [...feet, ...extra] : null;
  }

  show() { return this.pictures.send({ time: this.time, exact: true, frames: 0, trace: this.traced() }); }

  see(picture) {
    this.picture = picture;
    this.frame = 0;
    this.tell("picture");
    if (this.playing) this.getFilm();
  }

  // Poses of a whole turn, to play and to scrub.
  async getFilm() {
    if (this.film && this.film.version === this.state.version) return this.film;
    const film = await this.line.ask("show", { time: 0, exact: true, frames: FRAMES, trace: this.traced() });
    this.film = film;
    return film;
  }

  async goTo(time) {
    this.time = time;
    if (!this.picture?.period) return;
    const film = await this.getFilm().catch((error) => { this.fail(error); return null; });
    if (!film || this.time !== time) return;
    let best = 0;
    film.time.forEach((t, k) => { if (Math.abs(t - time) < Math.abs(film.time[best] - time)) best = k; });
    this.picture = film;
    this.frame = best;
    this.tell("picture");
  }

  edit(command) { return this.change("edit", { command }); }
  undo() { return this.change("undo"); }
  redo() { return this.change("redo"); }
  takeOver() { return this.change("take_over"); }

  change(what, values = {}) {
    return this.inOrder(async () => {
      await this.moves.settled();
      try {
        const given = what === "edit" || what === "type_text" ? { version: this.state.version } : {};
        const { reply, state } = await this.line.ask(what, { ...given, ...values });
        this.accept(state);
        for (const note of reply?.notes || []) this.tell("note", note);
        return reply;
      } catch (error) {
        await this.refused(error, what);
        return null;
      }
    });
  }

  async refused(error, what) {
    if (error.kind === "stale" && what === "type_text") { this.tell("conflict", { with: "window" }); return; }
    if (error.kind === "stale") this.accept(await this.line.ask("state"));
    this.fail(error);
  }

  async changedElsewhere(who) {
    try {
      const state = await this.line.ask("state");
      if (state.version === this.state.version) return;
      if (this.typing) { this.tell("conflict", { with: "window" }); return; }
      this.accept(state);
      this.tell("elsewhere", who);
    } catch (error) { this.fail(error); }
  }

  // Dragging -----------------------------------------------------------------------------------------------------------
  beginDrag(locked) {
    this.drags += 1;
    this.dragging = { id: `drag-${Date.now()}-${this.drags}`, locked, any: false, since: performance.now(), answers: 0 };
  }

  drag(name, to) {
    this.dragging.any = true;
    return this.moves.send({ name, to, drag: this.dragging });
  }

  askMove({ name, to, drag }) {
    if (drag.locked) return this.line.ask("pull", { point: name, to, time: this.time }).then((picture) => ({ picture }));
    return this.sendDrag({ do: "move-point", name, to, lengths: "follow", time: this.time, drag: drag.id });
  }

  sendDrag(command) { return this.line.ask("drag", { command, version: this.state.version, time: this.time, trace: this.traced() }); }

  // Draw the last reply at the next animation frame.
  moved({ reply, picture }) {
    if (this.dragging) this.dragging.answers += 1;
    Object.assign(this, { picture, frame: 0 });
    this.textChanged ||= Boolean(reply);
    this.drawing ??= requestAnimationFrame(() => {
      const { textChanged } = this;
      Object.assign(this, { drawing: null, textChanged: false });
      this.tell("picture");
      if (textChanged) this.tell("text");
    });
  }

  patched(reply) {
    if (!reply) return;
    let text = this.state.text;
    for (const [start, removed, inserted] of reply.patches) text = text.slice(0, start) + inserted + text.slice(start + removed);
    Object.assign(this.state, { text, version: reply.version, can_undo: reply.can_undo, can_redo: reply.can_redo, saved: reply.saved, problem: reply.problem });
    this.film = null;
  }

  async endDrag() {
    const drag = this.dragging;
    this.dragging = null;
    if (!drag?.any) return;
    await this.moves.settled();
    if (drag.locked) { await this.leavePose(); return; }
    try { this.accept(await this.line.ask("state")); } catch (error) { this.fail(error); }
  }

  // End a pull: with a drive, go to the corresponding time of the turn; otherwise the pose becomes the drawing.
  async leavePose() {
    const time = this.picture.pulled?.time ?? null;
    if (time !== null) this.time = time;
    await this.change("let_go", { keep: time === null });
  }

  // Parameter change during a slider drag.
  slide(name, value, id) {
    this.sliders ||= new Newest(({ command }) => this.sendDrag(command), (answer) => this.moved(answer), (error) => this.fail(error), ({ reply }) => this.patched(reply));
    return this.sliders.send({ command: { do: "set-parameter", name, value, drag: id } });
  }
  async endSlide() {
    await this.sliders?.settled();
    try { this.accept(await this.line.ask("state")); } catch (error) { this.fail(error); }
  }

  // A file without movable parts is new, not faulty.
  get isNew() { return this.state.problem?.kind === "unfinished"; }

  // Selection ------------------------------------------------------------------------------------------------------
  key(element) { return `${element.section}/${element.index}`; }
  element(key) { return this.state.elements.find((element) => this.key(element) === key); }
  point(name) { return this.state.points.find((point) => point.name === name); }

  choose({ points = [], parts = [] }, more = false) {
    if (!more) { this.chosen.points.clear(); this.chosen.parts.clear(); }
    for (const name of points) if (more && this.chosen.points.has(name)) this.chosen.points.delete(name); else this.chosen.points.add(name);
    for (const key of parts) if (more && this.chosen.parts.has(key)) this.chosen.parts.delete(key); else this.chosen.parts.add(key);
    this.tell("chosen");
    this.film = null;
    if (this.picture?.period && !this.dragging && !this.playing) this.show();
  }

  keepChosen() {
    for (const name of this.chosen.points) if (!this.point(name)) this.chosen.points.delete(name);
    for (const key of this.chosen.parts) if (!this.element(key)) this.chosen.parts.delete(key);
  }

  chosenList() { return { points: [...this.chosen.points], elements: [...this.chosen.parts].map((key) => { const [section, index] = key.split("/"); return [section, Number(index)]; }) }; }
  get anyChosen() { return this.chosen.points.size + this.chosen.parts.size > 0; }

  // Present position of a point: in the displayed pose, or as drawn.
  place(name) {
    const rows = this.picture?.places?.[name];
    if (rows && rows.length) return rows[Math.min(this.frame, rows.length - 1)];
    return this.point(name)?.at || null;
  }
}
