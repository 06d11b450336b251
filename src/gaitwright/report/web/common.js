// Utilities of all pages.
const make = (tag, className = "", textContent = "") =>
  Object.assign(document.createElement(tag), {className, textContent});
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const minus = text => text.replaceAll("-", "−");
const extreme = x => Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3;
const show = x => minus(x === 0 ? "0" : extreme(x) ? x.toExponential(3) : x.toPrecision(4));

/** Index i of the interval times[i] <= t <= times[i + 1], and the relative position of t in it (0 to 1). */
function locate(times, t) {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  return [low, clamp((t - times[low]) / (times[high] - times[low] || 1), 0, 1)];
}

/** Value of a signal at a time; null in a gap, for example while a contact is open. */
function valueAt(times, values, t) {
  const [i, s] = locate(times, t), before = values[i], after = values[i + 1] ?? before;
  return before === null ? null : before + s * (after - before);
}

/** The next larger of 1, 2, 5, 10, 20, ... */
function niceStep(rough) {
  const unit = 10 ** Math.floor(Math.log10(rough));
  return unit * [1, 2, 5, 10].find(m => m * unit >= rough * .999);
}

/** Fit a canvas to its box and the pixels of the screen; returns its drawing context, in CSS pixels. */
function sharpen(element) {
  const ratio = devicePixelRatio || 1, ink = element.getContext("2d");
  element.width = Math.round(element.clientWidth * ratio); element.height = Math.round(element.clientHeight * ratio);
  ink.scale(ratio, ratio);
  return ink;
}

// A button clicked with the mouse releases the focus, so that the space bar still means play.
document.addEventListener("click", event => { if (event.detail) event.target.closest?.("button")?.blur(); });
