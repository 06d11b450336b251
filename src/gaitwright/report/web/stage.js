/** Animated mechanism in the section `root`; `scene` is the data from planar_animation.py.
    keys: the element whose keys play and step. embedded: in a longer page, which the wheel scrolls.
    Returns the player: seek(t), pause(), follow(listener), its times and colours. */
function createPlayer(root, scene, {keys = root, embedded = false, autoplay = true} = {}) {
  const part = name => root.querySelector("." + name);

  // ---- time -----------------------------------------------------------------------------------------------------------

  const shortcuts = {f: fit, "+": () => zoomBy(1.4), "-": () => zoomBy(1 / 1.4)};
  const clock = createClock(root, scene, {paint: paintStage, keys, autoplay, shortcuts});

  /** Cubic interpolation of frames (arrays of coordinates): linear interpolation would shorten a rotating bar. */
  function pose(frames) {
    const n = frames.length;
    if (n === 1) return frames[0];
    const [i, s] = locate(scene.time, clock.now), T = scene.time, h = T[i + 1] - T[i];
    const before = Math.max(i - 1, 0), after = Math.min(i + 2, n - 1);
    const [p, a, b, q] = [frames[before], frames[i], frames[i + 1], frames[after]];
    const left = h / (T[i + 1] - T[before]), right = h / (T[after] - T[i]);
    const u = s * s * (3 - 2 * s), v = s * (1 - s) * (1 - s), w = s * s * (s - 1);
    return a.map((x, k) => x + u * (b[k] - x) + v * left * (b[k] - p[k]) + w * right * (q[k] - x));
  }

  // ---- camera: metres to pixels ---------------------------------------------------------------------------------------

  const canvas = part("picture"), pen = canvas.getContext("2d");
  const [left, right, bottom, top_] = scene.bounds;
  // A walker is followed sideways; a mechanism with a fixed support remains visible anyway.
  const supported = scene.joints.some(joint => joint.fixed);
  const travels = right - left > 2.2 * Math.max(scene.size, top_ - bottom) && clock.duration > 0 && !supported;
  const camera = {x: 0, y: 0, zoom: 1, follow: travels};
  let width = 1, height = 1, scale = 1, origin = [0, 0], highlighted = null, colours = {};
  let showNames = false, showTraces = true, showForces = true;

  function aim() {
    // When followed, a walker fills the picture; for a small ball on a long path, a part of the path remains visible.
    const wide = camera.follow ? Math.max(1.4 * scene.size, Math.min(.3 * (right - left), 4 * scene.size)) : right - left;
    const x = camera.follow ? pose(scene.centre)[0] : (left + right) / 2;
    scale = camera.zoom * Math.min(width / wide, height / (top_ - bottom));
    origin = [width / 2 - (x + camera.x) * scale, height / 2 + ((bottom + top_) / 2 + camera.y) * scale];
  }
  const X = x => origin[0] + x * scale, Y = y => origin[1] - y * scale;

  function zoomBy(factor, px = width / 2, py = height / 2) {
    const zoom = clamp(camera.zoom * factor, 0.2, 60), gain = 1 / scale * (1 - camera.zoom / zoom);
    camera.x += (px - width / 2) * gain;
    camera.y -= (py - height / 2) * gain;
    camera.zoom = zoom;
    paintStage();
  }
  function fit() { Object.assign(camera, {x: 0, y: 0, zoom: 1}); paintStage(); }

  // ---- drawing one frame ----------------------------------------------------------------------------------------------

  function path(points, closed) {
    pen.beginPath();
    for (let i = 0; i < points.length; i += 2) pen.lineTo(X(points[i]), Y(points[i + 1]));
    if (closed) pen.closePath();
  }
  function stroke(colour, lineWidth) { pen.strokeStyle = colour; pen.lineWidth = lineWidth; pen.stroke(); }
  function fill(colour, alpha) {
    const before = pen.globalAlpha;
    pen.globalAlpha = before * alpha; pen.fillStyle = colour; pen.fill(); pen.globalAlpha = before;
  }
  const darker = colour => `rgb(${[1, 3, 5].map(i => Math.floor(parseInt(colour.slice(i, i + 2), 16) * .68)).join(" ")})`;
  // Strong colour of a part: darker on a white page, unchanged on a dark page, where a darker one would be invisible.
  const edge = colour => colours.dark === "1" ? colour : darker(colour);
  const barWidth = () => clamp(0.03 * scene.size * scale, 2, 60);

  const paint = {
    link(points, shape) {
      path(points, shape.closed);
      if (shape.closed) fill(shape.colour, .24);
      stroke(darker(shape.colour), barWidth() + 2);
      stroke(shape.colour, barWidth());
    },
    body(points, shape) {
      path(points, shape.closed);
      if (shape.closed) fill(shape.colour, .38);
      stroke(shape.colour, Math.max(1.5, .3 * barWidth()));
    },
    round([x, y, rx, ry], shape) {
      const r = radius(shape) * scale, angle = Math.atan2(ry - y, rx - x);
      const line = Math.max(1.5, Math.min(.3 * barWidth(), .1 * r));
      pen.beginPath(); pen.arc(X(x), Y(y), r, 0, 7);
      fill(shape.colour, .38); stroke(shape.colour, line);
      pen.beginPath(); pen.moveTo(X(x), Y(y)); pen.lineTo(X(x) + r * Math.cos(angle), Y(y) - r * Math.sin(angle));
      stroke(edge(shape.colour), line);
      pen.beginPath(); pen.arc(X(x), Y(y), 1.3 * line, 0, 7); fill(edge(shape.colour), 1);
    },
    surface(points, shape) {
      path(points, shape.closed);
      stroke(edge(shape.colour), Math.max(2.5, .45 * barWidth()));
    },
    beam(points, shape) {
      path(points, shape.closed);
      if (shape.values) return paintValues(points, pose(shape.values));
      stroke(darker(shape.colour), .45 * barWidth() + 2);
      stroke(shape.colour, .45 * barWidth());
    },
    spring([x0, y0, x1, y1]) {
      const dx = x1 - x0, dy = y1 - y0, side = .024 * scene.size / (Math.hypot(dx, dy) || 1), turns = 12, line = [x0, y0];
      for (let i = 0; i <= turns; i++) {
        const along = .15 + .7 * i / turns, aside = i % turns ? (i % 2 ? side : -side) : 0;
        line.push(x0 + along * dx - aside * dy, y0 + along * dy + aside * dx);
      }
      path([...line, x1, y1], false);
      stroke(colours.muted, Math.max(1.5, .2 * barWidth()));
    },
    rod([x0, y0, x1, y1]) {
      path([x0, y0, x1, y1], false);
      stroke(colours.muted, Math.max(1.6, .3 * barWidth()));
      eyes([[x0, y0], [x1, y1]]);
    },
    actuator([x0, y0, xb, yb, x1, y1]) {  // a piston rod that comes out of a barrel
      path([x0, y0, x1, y1], false);
      stroke(colours.muted, Math.max(1.6, .32 * barWidth()));
      path([x0, y0, xb, yb], false);
      stroke(colours.ink, .8 * barWidth() + 2); stroke(colours.surface, .8 * barWidth());
      eyes([[x0, y0], [x1, y1]]);
    },
    rail(points) {
      path(points, false);
      stroke(colours.surface, .75 * barWidth() + 2.4); stroke(colours.card, .75 * barWidth());
    },
    gear([x, y, rx, ry], shape) {  // a pitch circle with teeth that rotate with its spoke
      const r = radius(shape), angle = Math.atan2(ry - y, rx - x), teeth = clamp(Math.round(90 * r / scene.size), 8, 80);
      pen.beginPath();
      for (let i = 0; i <= 8 * teeth; i++) {
        const turn = angle + 2 * Math.PI * i / (8 * teeth), far = r + (i % 8 < 4 ? .5 : -.5) * Math.PI * r / teeth;
        pen.lineTo(X(x + far * Math.cos(turn)), Y(y + far * Math.sin(turn)));
      }
      fill(shape.colour, .16); stroke(shape.colour, Math.max(1.2, .16 * barWidth()));
      path([x, y, rx, ry], false); stroke(shape.colour, Math.max(1.2, .16 * barWidth()));
    },
    spiral([x, y, rx, ry], shape) {
      const r = radius(shape), angle = Math.atan2(ry - y, rx - x);
      pen.beginPath();
      for (let i = 0; i <= 60; i++) {
        const part = .3 + .7 * i / 60, turn = angle + 5 * Math.PI * (part - 1);
        pen.lineTo(X(x + r * part * Math.cos(turn)), Y(y + r * part * Math.sin(turn)));
      }
      stroke(colours.muted, Math.max(1.5, .16 * barWidth()));
    },
    ground(points, shape) {
      path(shape.closed ? points : [...points, ...backOf(points, Math.max(.05 * scene.size, 11 / scale))], true);
      // The hatching is fixed to the ground: it moves with a belt, and passes by when the camera follows.
      colours.hatching.setTransform(new DOMMatrix([1, 0, 0, 1, X(points[0]) % 8, Y(points[1]) % 8]));
      fill(colours.solid, 1); fill(colours.hatching, 1);
      path(points, shape.closed);
      stroke(colours.surface, 2);
    },
  };

  /** The eyes at the ends of a rod. */
  function eyes(ends) {
    for (const [x, y] of ends) {
      pen.beginPath(); pen.arc(X(x), Y(y), clamp(.26 * barWidth(), 1.6, 12), 0, 7);
      fill(colours.pin, 1); stroke(colours.ink, 1.2);
    }
  }

  /** Colour of a value from -1 to 1 along a beam. */
  function tint(value) {
    const stops = scene.colouring.stops, at = (clamp(value, -1, 1) + 1) / 2 * (stops.length - 1);
    const i = Math.min(Math.floor(at), stops.length - 2), s = at - i;
    return `rgb(${stops[i].map((c, k) => Math.round(c + s * (stops[i + 1][k] - c))).join(" ")})`;
  }
  function paintValues(points, values) {
    const line = .55 * barWidth();
    stroke(colours.muted, line + 2);
    for (let i = 0; i + 1 < values.length; i++) {
      path(points.slice(2 * i, 2 * i + 4), false);
      stroke(tint((values[i] + values[i + 1]) / 2), line);
    }
  }
  function paintScale() {
    const {name, unit, limit} = scene.colouring, long = Math.min(180, width / 3), x = width - long - 22, y = height - 22;
    for (let i = 0; i < long; i += 2) { pen.fillStyle = tint(2 * i / long - 1); pen.fillRect(x + i, y - 6, 2.5, 6); }
    const number = v => minus(String(Number(v.toPrecision(3))));
    write(`${name} (${unit})`, x + long / 2, y - 15, colours.muted);
    write(number(-limit), x + 6, y + 9, colours.muted);
    write("0", x + long / 2, y + 9, colours.muted);
    write(number(limit), x + long - 6, y + 9, colours.muted);
  }

  /** Radius, m, of a round part: from one frame, since between frames the rim is interpolated. */
  const radius = ({points: [[x, y, rx, ry]]}) => Math.hypot(rx - x, ry - y);

  /** The line offset to its right, in reverse order: the underside of an open ground; see offset_right in planar_renderer.py. */
  function backOf(points, depth) {
    const back = [], normals = [], corners = [];
    for (let i = 0; i + 3 < points.length; i += 2) {
      const dx = points[i + 2] - points[i], dy = points[i + 3] - points[i + 1], length = Math.hypot(dx, dy);
      if (length) { normals.push([dy / length, -dx / length]); corners.push([points[i], points[i + 1]]); }
    }
    corners.push(points.slice(-2));
    const n = normals.length, ring = n > 2 && Math.hypot(corners[0][0] - corners[n][0], corners[0][1] - corners[n][1]) === 0;
    corners.forEach(([x, y], i) => {
      const [ax, ay] = normals[i - 1] ?? normals[ring ? n - 1 : 0], [bx, by] = normals[i] ?? normals[ring ? 0 : n - 1];
      const shift = (dx, dy) => back.unshift(x + depth * dx, y + depth * dy);
      if (ax * by - ay * bx > 1e-9) { shift(ax, ay); shift(bx, by); }
      else { const share = 1 / Math.max(1 + ax * bx + ay * by, .2); shift((ax + bx) * share, (ay + by) * share); }
    });
    return back;
  }

  function paintForce(force) {
    const [i, s] = locate(scene.time, clock.now), frames = force.frames;
    const a = frames[i], b = frames[Math.min(i + 1, frames.length - 1)];
    const near = s < .5 ? a : b;
    if (!near) return;
    const [x, y, fx, fy] = a && b ? a.map((v, k) => v + s * (b[k] - v)) : near;
    const size = Math.hypot(fx, fy), length = Math.min(scene.forceScale * size, scene.longestForce) * scale;
    if (!(length > 1)) return;
    const c = fx / size, d = -fy / size, head = Math.min(.4 * length, Math.max(11, .05 * scene.size * scale));
    const px = X(x), py = Y(y), along = (k, side) => [px + c * k - d * side, py + d * k + c * side];
    pen.beginPath(); pen.moveTo(px, py); pen.lineTo(...along(length - head, 0));
    stroke(colours.card, Math.max(2.5, .3 * barWidth()) + 1.5); stroke(colours.force, Math.max(2.5, .3 * barWidth()));
    pen.beginPath(); pen.moveTo(...along(length, 0));
    pen.lineTo(...along(length - head, .38 * head)); pen.lineTo(...along(length - head, -.38 * head)); pen.closePath();
    fill(colours.force, 1);
    const [tx, ty] = along(length + 14, 0);
    write(`${minus(String(Number(size.toPrecision(3))))} N`, tx, ty, colours.force);
  }

  function paintSupport([x, y]) {
    const foot = .055 * scene.size, base = y - foot;
    path([x - foot, base, x + foot, base, x + foot, base - .45 * foot, x - foot, base - .45 * foot], true);
    fill(colours.hatching, 1);
    path([x, y, x - .62 * foot, base, x + .62 * foot, base], true);
    fill(colours.solid, 1); stroke(colours.muted, 1.3);
    path([x - foot, base, x + foot, base]); stroke(colours.muted, 1.6);
  }
  function paintPin([x, y]) {
    pen.beginPath(); pen.arc(X(x), Y(y), clamp(.36 * barWidth(), 1.8, 16), 0, 7);
    fill(colours.pin, 1); stroke(colours.ink, 1.6);
  }

  function paintGrid() {
    const step = niceStep(70 / scale);
    pen.beginPath();
    for (let i = Math.ceil(-origin[0] / scale / step), x; (x = X(i * step)) < width; i++) {
      pen.moveTo(x, 0); pen.lineTo(x, height);
    }
    for (let i = Math.ceil((origin[1] - height) / scale / step), y; (y = Y(i * step)) > 0; i++) {
      pen.moveTo(0, y); pen.lineTo(width, y);
    }
    stroke(colours.grid, 1);
    return step;
  }
  function paintRuler(step) {
    const x = 14, y = 30, long = step * scale;
    pen.beginPath(); pen.moveTo(x, y - 5); pen.lineTo(x, y); pen.lineTo(x + long, y); pen.lineTo(x + long, y - 5);
    stroke(colours.card, 5); stroke(colours.muted, 1.5);
    const units = [[1, "m"], [.01, "cm"], [.001, "mm"], [1e-6, "µm"]];
    const [metres, unit] = units.find(([size]) => step >= size * .999) ?? units.at(-1);
    write(`${Number((step / metres).toPrecision(3))} ${unit}`, x + long / 2, y - 10, colours.muted);
  }
  function write(text, x, y, colour) {
    pen.lineWidth = 4; pen.strokeStyle = colours.card; pen.strokeText(text, x, y);
    pen.fillStyle = colour; pen.fillText(text, x, y);
  }
  function paintTrace(trace) {
    const points = trace.points;
    const line = until => {
      pen.beginPath();
      for (let i = 0; i < until; i++) pen.lineTo(X(points[i][0]), Y(points[i][1]));
    };
    line(points.length);
    pen.globalAlpha = trace.time ? .35 : .8;
    pen.setLineDash(trace.time ? [3, 4] : []);
    stroke(colours.muted, 1.3);
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    if (!trace.time) return;
    line(clock.now >= clock.end ? points.length : locate(trace.time, clock.now)[0] + 1);
    stroke(colours.accent, 2);
  }

  const order = {ground: 0, rail: .5, gear: .8, body: 1, round: 1, surface: 2, beam: 2, link: 3, rod: 4, actuator: 4, spring: 4, spiral: 5};
  const layers = [...scene.shapes].sort((a, b) => order[a.kind] - order[b.kind]);
  const grounds = layers.filter(shape => shape.kind === "ground"), parts = layers.filter(shape => shape.kind !== "ground");

  function paintStage() {
    aim();
    pen.clearRect(0, 0, width, height);
    pen.lineCap = pen.lineJoin = "round";
    pen.font = "500 12px system-ui, sans-serif"; pen.textAlign = "center"; pen.textBaseline = "middle";
    const step = paintGrid();
    for (const shape of grounds) paint.ground(pose(shape.points), shape);
    if (showTraces) scene.traces.forEach(paintTrace);
    for (const {name, at: [x, y]} of scene.marks) {  // unused points of the ground
      pen.beginPath();
      pen.moveTo(X(x) - 5, Y(y)); pen.lineTo(X(x) + 5, Y(y)); pen.moveTo(X(x), Y(y) - 5); pen.lineTo(X(x), Y(y) + 5);
      stroke(colours.muted, 1.4);
      if (showNames) write(name, X(x) + 12, Y(y) - 10, colours.muted);
    }
    const pins = scene.joints.map(joint => [joint, pose(joint.points)]);
    for (const [joint, point] of pins) if (joint.fixed) paintSupport(point);
    soft?.paint(pen, {X, Y, now: clock.now, colours, highlighted, names: showNames, write});
    const placed = parts.map(shape => [shape, pose(shape.points)]);
    for (const [shape, points] of placed) {
      pen.globalAlpha = highlighted && highlighted !== shape.part ? .18 : 1;
      paint[shape.kind](points, shape);
    }
    pen.globalAlpha = 1;
    for (const [, point] of pins) paintPin(point);
    if (showForces) scene.forces.forEach(paintForce);
    if (showNames) {
      for (const [shape, p] of placed) {
        if (shape.kind === "rail" || !firstOf(shape)) continue;
        const [x, y] = ["round", "gear", "spiral"].includes(shape.kind) ? p : [mean(p, 0), mean(p, 1)];
        write(shape.name, X(x), Y(y), colours.ink);
      }
      // The name of a pin is on its outer side, seen from the centre of the mechanism, where there are fewer bars.
      const middle = pins.reduce((sum, [, p]) => [sum[0] + p[0] / pins.length, sum[1] + p[1] / pins.length], [0, 0]);
      for (const [joint, [x, y]] of pins) {
        const dx = x - middle[0], dy = y - middle[1], away = (.5 * barWidth() + 10) / (Math.hypot(dx, dy) || 1);
        write(joint.name, X(x) + dx * away, Y(y) - dy * away, colours.muted);
      }
    }
    paintRuler(step);
    if (scene.colouring) paintScale();
  }
  /** True if no earlier shape is a part of the same body. */
  const firstOf = shape => parts.find(other => other.name === shape.name) === shape;
  const mean = (points, axis) => points.reduce((sum, x, i) => i % 2 === axis ? sum + x : sum, 0) * 2 / points.length;

  function readColours() {
    Object.assign(colours, themeColours());
    const tile = Object.assign(document.createElement("canvas"), {width: 8, height: 8}), ink = tile.getContext("2d");
    ink.strokeStyle = colours.hatch; ink.lineWidth = 1.2;
    for (const x of [-8, 0, 8]) { ink.moveTo(x - 1, 9); ink.lineTo(x + 9, -1); }
    ink.stroke();
    colours.hatching = pen.createPattern(tile, "repeat");
  }

  // ---- putting it together --------------------------------------------------------------------------------------------

  const soft = scene.deforming && createDeformingPlane(root, scene, paintStage);
  canvas.setAttribute("aria-label", `${scene.title}: ${[...new Set(scene.shapes.map(s => s.name))].join(", ")}`);
  part("traces").hidden = !scene.traces.length;
  part("forces").hidden = !scene.forces.length;
  part("follow").hidden = !travels;
  part("follow").setAttribute("aria-pressed", camera.follow);
  canvas.style.setProperty("--aspect", clamp(travels ? 1.5 : (right - left) / (top_ - bottom), .85, 2));

  // With many parts, those of a group share a chip.
  const firstOfGroup = shape => parts.find(other => other.part === shape.part) === shape;
  const groups = parts.filter(shape => shape.kind !== "rail" && firstOfGroup(shape)).sort((a, b) => scene.shapes.indexOf(a) - scene.shapes.indexOf(b));
  addChips(part("parts"), [...groups, ...(scene.deforming?.bodies ?? [])], name => { highlighted = name; paintStage(); });

  part("fit").onclick = fit;
  part("closer").onclick = () => zoomBy(1.4);
  part("farther").onclick = () => zoomBy(1 / 1.4);
  const toggle = (name, action) => addToggle(part(name), on => { action(on); paintStage(); });
  toggle("traces", on => { showTraces = on; });
  toggle("forces", on => { showForces = on; });
  toggle("names", on => { showNames = on; });
  toggle("follow", on => { Object.assign(camera, {x: 0, y: 0, zoom: 1, follow: on}); });

  const fingers = new Map();
  canvas.addEventListener("wheel", event => {
    if (embedded && !event.ctrlKey) return;  // in embedded pages, the wheel scrolls the page
    event.preventDefault();
    const gain = event.ctrlKey ? .01 : .0015;  // a touchpad's pinch arrives as a fine wheel with Ctrl
    zoomBy(Math.exp(-event.deltaY * gain), event.offsetX, event.offsetY);
  }, {passive: false});
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
  });
  for (const gone of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(gone, event => fingers.delete(event.pointerId));
  }
  canvas.addEventListener("pointermove", event => {
    const old = fingers.get(event.pointerId);
    if (!old) return;
    const fresh = [event.offsetX, event.offsetY], other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, fresh);
    const share = other ? .5 : 1;  // two fingers: each moves half of the picture
    camera.x -= (fresh[0] - old[0]) * share / scale;
    camera.y += (fresh[1] - old[1]) * share / scale;
    if (!other) return paintStage();
    const apart = p => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
    zoomBy(apart(fresh) / apart(old), (fresh[0] + other[0]) / 2, (fresh[1] + other[1]) / 2);
  });

  function layOut() {
    readColours();
    sharpen(canvas); width = canvas.clientWidth; height = canvas.clientHeight;
    clock.refresh();
  }
  onLayout(canvas, layOut);
  layOut();
  clock.begin();

  return {...clock, scene, colours};
}
