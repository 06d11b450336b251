// View of the drawing plane: conversion of metres to pixels, panning, zooming, pinching, the grid.
import { set, svg } from "./dom.js";

const CLOSEST = 1e6, FARTHEST = 0.5; // pixels per metre
const STEPS = [1, 2, 5];

// Largest 1, 2 or 5 times a power of ten that does not exceed a length.
export function roundStep(length) {
  const power = 10 ** Math.floor(Math.log10(length) + 1e-9);
  return Number((power * STEPS.findLast((step) => step * power <= length * (1 + 1e-9))).toPrecision(3));
}

export class View {
  constructor(root, grid) {
    Object.assign(this, { root, grid, x: 0, y: 0, scale: 500, width: 100, height: 100, listeners: [] });
    new ResizeObserver(() => this.measure()).observe(root);
    this.measure();
  }

  measure() {
    const box = this.root.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const corner = this.toWorld([0, 0]); // kept in place: a message line that appears must not move the drawing
    this.width = box.width;
    this.height = box.height;
    this.x = corner[0] + this.width / 2 / this.scale;
    this.y = corner[1] - this.height / 2 / this.scale;
    this.changed();
  }

  onChange(listener) { this.listeners.push(listener); }

  changed() {
    this.drawGrid();
    for (const listener of this.listeners) listener();
  }

  toScreen([x, y]) { return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale]; }
  toWorld([u, v]) { return [this.x + (u - this.width / 2) / this.scale, this.y - (v - this.height / 2) / this.scale]; }
  place(event) {
    const box = this.root.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  pan(du, dv) {
    this.x -= du / this.scale;
    this.y += dv / this.scale;
    this.changed();
  }

  zoom(factor, at = [this.width / 2, this.height / 2]) {
    const before = this.toWorld(at);
    this.scale = Math.min(CLOSEST, Math.max(FARTHEST, this.scale * factor));
    const after = this.toWorld(at);
    this.x += before[0] - after[0];
    this.y += before[1] - after[1];
    this.changed();
  }

  fit(points, margin = 60) {
    const known = points.filter((p) => p && Number.isFinite(p[0]) && Number.isFinite(p[1]));
    if (!known.length) { this.x = 0; this.y = 0; this.scale = 500; this.changed(); return; }
    const xs = known.map((p) => p[0]), ys = known.map((p) => p[1]);
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const wide = Math.max(right - left, 0.02), tall = Math.max(high - low, 0.02);
    this.x = (left + right) / 2;
    this.y = (low + high) / 2;
    this.scale = Math.min((this.width - 2 * margin) / wide, (this.height - 2 * margin) / tall, CLOSEST);
    this.scale = Math.max(this.scale, FARTHEST);
    this.changed();
  }

  // Distance of grid lines in metres: 1, 2 or 5 of a power of ten, about 50 pixels or more apart.
  spacing() {
    const least = 48 / this.scale, power = 10 ** Math.floor(Math.log10(least));
    return power * (STEPS.find((step) => step * power >= least) || 10);
  }

  // Positions at multiples of a step, m.
  snap([x, y], step = this.spacing() / 5) {
    const tidy = (value) => Number((Math.round(value / step) * step).toPrecision(12));
    return [tidy(x), tidy(y)];
  }

  drawGrid() {
    const step = this.spacing(), lines = [];
    const [left, top] = this.toWorld([0, 0]), [right, low] = this.toWorld([this.width, this.height]);
    let fine = "", axes = "";
    for (let k = Math.ceil(left / step); k * step < right; k++) {
      const u = this.toScreen([k * step, 0])[0].toFixed(1);
      if (k === 0) axes += `M${u} 0V${this.height}`; else fine += `M${u} 0V${this.height}`;
    }
    for (let k = Math.ceil(low / step); k * step < top; k++) {
      const v = this.toScreen([0, k * step])[1].toFixed(1);
      if (k === 0) axes += `M0 ${v}H${this.width}`; else fine += `M0 ${v}H${this.width}`;
    }
    const size = step * this.scale, said = step < 1 ? `${Number((step * 1000).toPrecision(3))} mm` : `${step} m`;
    if (!this.parts) {
      this.parts = { fine: svg("path", { class: "grid" }), axes: svg("path", { class: "axes" }), bar: svg("path", { class: "scale-bar" }), text: svg("text", { class: "scale-text" }) };
      this.grid.append(...Object.values(this.parts));
    }
    set(this.parts.fine, { d: fine });
    set(this.parts.axes, { d: axes });
    const u = this.width - 24 - size, v = this.height - 18;
    set(this.parts.bar, { d: `M${u} ${v - 4}v4h${size}v-4` });
    set(this.parts.text, { x: u + size / 2, y: v - 6 });
    this.parts.text.textContent = said;
    return lines;
  }
}
