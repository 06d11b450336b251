// The drawing tools: each is a row of a table with its expected clicks and its command.
import { byId, el, icon, svg } from "./dom.js";

// take: targets of the clicks, in order. "point": an existing or new point; "old": an existing point; "part": a link, beam or
// body; "link": a link alone; "pivot": a link, or the point about which it turns; "place": anywhere. many: any number, ended by Enter,
// a double click or the first point. make: the command. edit: its editor opens after creation.
export const TOOLS = [
  { name: "select", title: "Select", key: "v", icon: "M4 3l11 7-5 1.5L7.500 17z", hint: "Click: select; again: the next one there; double click: edit; right click: more. Drag points, or the paper." },
  { name: "point", title: "Point", key: "p", icon: "M10 7a3 3 0 1 0 .01 0", take: ["place"], hint: ["Click where the point is to be."], make: ([at]) => ({ do: "add-point", at: at.to, ground: false }) },
  { name: "ground", title: "Ground point", key: "g", icon: "M10 4a2 2 0 1 0 .01 0M10 8l-5 8h10zM3 16h14", take: ["place"], hint: ["Click where the mechanism is held to the ground."], make: ([at]) => ({ do: "add-point", at: at.to, ground: true }) },
  { name: "link", title: "Link", key: "l", icon: "M5 15L15 5M5 13a2 2 0 1 0 .01 0M15 3a2 2 0 1 0 .01 0", take: ["point", "point"], hint: ["Click the first end: a point, or an empty place for a new one.", "Click the other end."], make: ([a, b]) => ({ do: "add-link", from: a.name, to: b.name }) },
  { name: "body", title: "Body", key: "b", icon: "M4 16L10 4l7 9z", take: ["point"], many: 2, hint: ["Click the points of the body, one after the other; Enter or a double click ends.", "Next point; Enter or a double click ends."], make: (points) => ({ do: "add-body", points: points.map((p) => p.name) }) },
  { name: "beam", title: "Beam", key: "e", icon: "M3 14c5-9 9 1 14-8", take: ["point", "point"], hint: ["Click the first end of the flexible beam.", "Click the other end."], make: ([a, b]) => ({ do: "add-beam", from: a.name, to: b.name }) },
  { name: "slider", title: "Slider", key: "s", icon: "M2 7h16M2 13h16M7 8h6v4H7z", take: ["point", "place"], hint: ["Click the point that slides.", "Click where it slides to: this gives the direction."], make: ([a, b]) => ({ do: "add-slider", point: a.name, type: "slot", axis: direction(a.at, b.to), on: "ground" }) },
  { name: "slot", title: "Slot", key: "u", icon: "M5 7h10a3 3 0 0 1 0 6H5a3 3 0 0 1 0-6M9 10a1.500 1.500 0 1 0 .01 0", take: ["link", "old"], hint: ["Click the link that has the groove.", "Click the point of another link that slides in it."], make: ([link, pin]) => ({ do: "add-slider", point: pin.name, type: "slot", on: link.body }) },
  { name: "guide", title: "Guide", key: "i", icon: "M2 5h16M2 15h16M5 7h10v6H5z", take: ["link", "place"], hint: ["Click the link that slides without turning.", "Click where it slides to: this gives the direction."], make: ([link, b]) => ({ do: "add-guide", body: link.body, axis: direction(link.at, b.to) }) },
  { name: "gear", title: "Gear", key: "w", icon: "M7 4a5 5 0 1 0 .01 0M15 9a3 3 0 1 0 .01 0", take: ["link", "link"], edit: true, hint: ["Click the link that drives.", "Click the link that follows; the ratio can be changed then."], make: ([a, b]) => ({ do: "add-gear", a: a.body, b: b.body }) },
  { name: "rack", title: "Rack", key: "r", icon: "M2 16h16M3 16v-2h2v2m2 0v-2h2v2m2 0v-2h2v2m2 0v-2h2v2M10 4a4 4 0 1 0 .01 0", take: ["link", "link"], edit: true, hint: ["Click the link that slides, the rack; it slides along itself unless it has a guide.", "Click the link that turns, the pinion."], make: ([a, b]) => ({ do: "add-rack", rack: a.body, pinion: b.body }) },
  { name: "rod", title: "Rod", key: "h", icon: "M5 15L15 5M3 17l2-2M15 5l2-2", take: ["old", "old"], hint: ["Click one end of the rod without mass: it keeps the distance of two points.", "Click the other end."], make: ([a, b]) => ({ do: "add-joint", type: "distance", a: a.name, b: b.name }) },
  { name: "weld", title: "Weld", key: "x", icon: "M3 15L10 8l7 7M7 5h6v6H7z", take: ["link", "link"], hint: ["Click one of two links that meet in a point.", "Click the other: they keep their angle."], make: ([a, b]) => ({ do: "add-weld", a: a.body, b: b.body }) },
  { name: "pin", title: "Pin", key: "j", icon: "M10 7a3 3 0 1 0 .01 0M3 10h4m6 0h4", take: ["old", "old"], hint: ["Click a point.", "Click the point that is pinned to it: the assembly brings them together."], make: ([a, b]) => ({ do: "add-joint", type: "revolute", a: a.name, b: b.name }) },
  { name: "spring", title: "Spring", key: "k", icon: "M2 10h3l1.500-4 3 8 3-8 1.500 4H18", take: ["point", "point"], hint: ["Click one end of the spring.", "Click the other end."], make: ([a, b]) => ({ do: "add-spring", a: a.name, b: b.name }) },
  { name: "drive", title: "Drive", key: "d", icon: "M15 6a6.500 6.500 0 1 0 1.500 6M16 2v5h-5", take: ["pivot"], hint: ["Click the link that the motor turns, or the ground point about which it turns."], make: ([at]) => ({ do: "add-drive", ...at, turns_per_second: 1 }) },
  { name: "contact", title: "Ground contact", key: "c", icon: "M10 4a3 3 0 1 0 .01 0M2 13h16M5 17l2-4m3 4l2-4m3 4l2-4", take: ["old", "place"], line: true, hint: ["Click the point that touches the ground.", "Click the height of the ground, or press and drag along a slope."], make: ([a, b]) => (b.line ? { do: "add-contact", point: a.name, line: b.line } : { do: "add-contact", point: a.name, level: b.to[1] }) },
  { name: "force", title: "Force", key: "o", icon: "M10 3v13m-4-4l4 4 4-4", take: ["old", "place"], hint: ["Click the point where the force acts.", "Click where it points to; its size, 10 N, can be changed under Parts."], make: ([a, b]) => ({ do: "add-force", at: a.name, value: direction(a.at, b.to).map((c) => Number((10 * c).toPrecision(4))) }) },
  { name: "foot", title: "Foot", key: "t", icon: "M6 3v8l-2 4h12c0-3-4-2-5-4V3", take: ["old"], hint: ["Click the point that is the foot of the leg."], make: ([a]) => ({ do: "set-foot", point: a.name }) },
];

function direction([x0, y0], [x1, y1]) {
  const size = Math.hypot(x1 - x0, y1 - y0);
  return size > 0 ? [(x1 - x0) / size, (y1 - y0) / size].map((c) => Number(c.toPrecision(6))) : [1, 0];
}

export class Toolbox {
  constructor(model, view) {
    Object.assign(this, { model, view, tool: TOOLS[0], taken: [], byName: new Map(TOOLS.map((tool) => [tool.name, tool])) });
    const home = byId("tools");
    home.append(...TOOLS.map((tool) => el("button", { "aria-pressed": "false", title: `${tool.title} (${tool.key.toUpperCase()})`, data: { tool: tool.name }, onclick: () => this.pick(tool.name) }, icon(tool.icon), el("span", { text: tool.title }), el("kbd", { text: tool.key.toUpperCase(), "aria-hidden": "true" }))));
    home.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const buttons = [...home.children], next = buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
      next.focus();
      event.preventDefault();
    });
    this.pick("select");
  }

  pick(name) {
    this.tool = this.byName.get(name);
    for (const button of byId("tools").children) button.setAttribute("aria-pressed", String(button.dataset.tool === name));
    this.reset();
  }

  reset() {
    this.taken = [];
    this.hover = null;
    this.hint();
    this.draw();
  }

  get drawing() { return Boolean(this.tool.take); }
  get wants() { return this.tool.many ? "point" : this.tool.take[this.taken.length]; }

  hint() {
    const { hint } = this.tool;
    this.say(Array.isArray(hint) ? hint[Math.min(this.taken.length, hint.length - 1)] : hint);
  }

  // A click: at: metres; under: elements there (Hand.under). line: of a press and drag, two places.
  async click({ at, under, line }) {
    const wants = this.wants, missing = this.missing(wants, under);
    if (missing) { this.say(missing); return; }
    const point = wants === "pivot" ? under.any.point : under.point, part = under.body && this.model.element(under.body);
    if (wants === "pivot") this.taken.push(point ? { point } : { body: part.name });
    else if (wants === "part" || wants === "link") {
      if (this.taken.some((one) => one.body === part.name)) { this.say("Both are the same link: click another one."); return; }
      this.taken.push({ body: part.name, at: this.model.place(part.points[0]) });
    }
    else if (wants === "place") this.taken.push({ to: at, line: this.tool.line && line });
    else if (this.tool.many && point && this.taken[0]?.name === point && this.taken.length >= this.tool.many) { await this.finish(); return; }
    else if (this.taken.some((one) => (point ? one.name === point : one.name === null && Math.hypot(one.at[0] - at[0], one.at[1] - at[1]) === 0))) { this.say("The two ends must be different points."); return; }
    else this.taken.push({ name: point || null, at: point ? this.model.place(point) : at });
    if (!this.tool.many && this.taken.length === this.tool.take.length) await this.finish();
    else { this.hint(); this.draw(); }
  }

  // Reason why a click is invalid, as a sentence.
  missing(wants, under) {
    if (wants === "old" && !under.point) return "There is no point here: click one of the points.";
    if (wants === "pivot" && !under.any.point && !under.body) return "There is no link and no pivot here: click a link, or the ground point about which it turns.";
    if ((wants === "part" || wants === "link") && !under.body) return "There is no link here: click one of the links.";
    const element = under.body && this.model.element(under.body);
    if (wants === "link" && element.section !== "links") return `This is ${element.label}: click a link.`;
    return null;
  }

  say(text) { byId("hint").textContent = text; }

  // New points and the part between them are one step to undo.
  async finish() {
    const { tool, taken } = this;
    if (tool.many && taken.length < tool.many) { this.say("A body needs two points or more."); return; }
    this.reset();
    const commands = [], names = new Set(this.model.state.points.map((point) => point.name));
    for (const one of taken) if (one.name === null) { one.name = freshName(names); commands.push({ do: "add-point", at: one.at, ground: false, name: one.name }); }
    commands.push(tool.make(taken));
    const reply = await this.model.edit(commands.length === 1 ? commands[0] : { do: "all", commands });
    if (reply?.made?.length) this.model.tell("made", { names: reply.made, edit: tool.edit });
  }

  move(at) {
    this.hover = at;
    if (this.taken.length) this.draw();
  }

  // Preview of the new element: from the selected points to the pointer.
  draw() {
    const home = byId("layer-tool");
    home.replaceChildren();
    if (!this.taken.length) return;
    const places = this.taken.map((one) => this.view.toScreen(one.at || one.to || [0, 0]));
    if (this.hover) places.push(this.view.toScreen(this.hover));
    home.append(svg("path", { class: "making", d: `M${places.map((p) => p.join(" ")).join("L")}` }), ...places.map(([u, v]) => svg("circle", { class: "making-dot", cx: u, cy: v, r: 4 })));
    if (this.tool.line && this.hover) { const v = this.view.toScreen(this.hover)[1]; home.append(svg("path", { class: "making", d: `M0 ${v}H${this.view.width}` })); }
  }
}

export function freshName(names) {
  for (let round = 0; ; round++) {
    for (const letter of "ABCDEFGHIJKLMNPQRSTUVW") {
      const name = round ? `${letter}${round}` : letter;
      if (!names.has(name)) { names.add(name); return name; }
    }
  }
}

