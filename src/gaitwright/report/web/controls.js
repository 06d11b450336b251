// Controls below a stage, shared by planar and spatial pictures: time, toggle buttons, chips of parts.

/** Clock of a player, moved by the controls in the section `root` and by keys.
    paint: draws the picture at `now`. keys: the element whose keys play and step. shortcuts: what further keys do. */
function createClock(root, {time, digits, fps}, {paint, keys, autoplay, shortcuts}) {
  const part = name => root.querySelector("." + name);
  const start = time[0], end = time.at(-1), duration = end - start, listeners = [];
  let playing = false, speed = 1, lastTick = 0;
  const clock = {now: start, start, end, duration, seek, pause, refresh, begin, follow};

  function seek(t) { clock.now = clamp(t, start, end); refresh(); }
  function refresh() {
    paint();
    for (const listener of listeners) listener(clock.now);
    part("time").value = clock.now;
    part("time").setAttribute("aria-valuetext", `${clock.now.toFixed(digits)} seconds`);
    part("clock").firstChild.data = clock.now.toFixed(digits);
  }
  /** Register a listener for the time, s; it is called now and at every change. */
  function follow(listener) { listeners.push(listener); listener(clock.now); }
  function setPlaying(value) {
    playing = value;
    part("icon").setAttribute("d", playing ? "M5 3h4v14H5zM11 3h4v14h-4z" : "M6 3l11 7-11 7z");
    part("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    if (playing) { lastTick = performance.now(); requestAnimationFrame(tickClock); }
  }
  function pause() { if (playing) setPlaying(false); }
  function tickClock(stamp) {
    if (!playing) return;
    const passed = stamp - lastTick;
    if (passed >= 1000 / fps - 4) {  // slightly early rather than a whole screen refresh late
      lastTick = stamp;
      const t = clock.now + Math.min(passed, 250) / 1000 * speed;  // a hidden tab resumes at its last time
      seek(t > end ? start + (t - end) % duration : t);
    }
    requestAnimationFrame(tickClock);
  }

  /** Real time if the motion can be followed; slow motion for an impact, time lapse for a long run. */
  function setUpSpeeds() {
    const series = [];
    for (let k = -6; k <= 4; k++) for (const m of [1, 2, 5]) series.push(Number(`${m}e${k}`));
    if (duration < .8) speed = series.findLast(s => duration / s >= 3) ?? series[0];
    if (duration > 60) speed = series.find(s => duration / s <= 40) ?? series.at(-1);
    for (const s of series.filter(s => s > speed / 30 && s < speed * 12)) {
      part("speed").add(new Option(`${s}×`, s, s === speed, s === speed));
    }
    part("speed").onchange = event => { speed = Number(event.target.value); };
  }

  part("clock").append("", make("span", "", ` / ${end.toFixed(digits)} s`));
  Object.assign(part("time"), {min: start, max: end});
  if (duration > 0) setUpSpeeds();
  else for (const name of ["play", "time", "clock", "speed"]) part(name).hidden = true;
  part("play").onclick = () => setPlaying(!playing);
  part("time").oninput = event => { pause(); seek(Number(event.target.value)); };
  keys.addEventListener("keydown", event => {
    const tag = event.target.tagName;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (tag === "SELECT" || tag === "BUTTON" && event.key === " ") return;
    const frame = duration / Math.max(time.length - 1, 1);
    const actions = {
      " ": () => duration && setPlaying(!playing),
      ArrowLeft: () => { pause(); seek(clock.now - frame); }, ArrowRight: () => { pause(); seek(clock.now + frame); },
      Home: () => seek(start), End: () => { pause(); seek(end); }, ...shortcuts,
    };
    if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  });

  /** Play, unless there is no motion or the reader prefers reduced motion. */
  function begin() {
    setPlaying(duration > 0 && autoplay && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  }
  return clock;
}

/** Turn a button into a switch. */
function addToggle(button, action) {
  button.onclick = () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", on);
    action(on);
  };
}

/** One chip per part {part, colour}; choose is called with the name of the pressed chip, or with null. */
function addChips(box, parts, choose) {
  let chosen = null;
  for (const {part, colour} of parts) {
    const chip = make("button"), swatch = make("span", "swatch");
    swatch.style.background = colour;
    chip.setAttribute("aria-pressed", false);
    chip.append(swatch, make("span", "", part));
    chip.onclick = () => {
      chosen = chosen === part ? null : part;
      for (const other of box.children) other.setAttribute("aria-pressed", other === chip && chosen !== null);
      choose(chosen);
    };
    box.append(chip);
  }
}

/** Call a function when the box, the colours of the page or the medium change. */
function onLayout(element, layOut) {
  new ResizeObserver(layOut).observe(element);
  for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", layOut);
}

/** Colours of the page, by their names in theme.css. */
function themeColours() {
  const css = getComputedStyle(document.documentElement);
  const names = ["dark", "card", "ink", "muted", "grid", "line", "accent", "solid", "hatch", "surface", "pin", "force"];
  return Object.fromEntries(names.map(name => [name, css.getPropertyValue("--" + name).trim()]));
}
