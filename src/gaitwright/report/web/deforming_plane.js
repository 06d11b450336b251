// Planar deforming bodies, painted into the picture of stage.js. Triangles and edges are filled pixel by pixel, which is smooth,
// leaves no seams, and is faster than thousands of paths.

/** Returns paint(pen, {X, Y, now, colours, highlighted, names, write}), which draws nothing until the bodies are unpacked. */
function createDeformingPlane(root, scene, repaint) {
  const packed = scene.deforming, chosen = addDeformingControls(root, packed, {changed: repaint}), raster = createRaster();
  let bodies = [];
  unpackInto(root, packed, opened => { bodies = opened; repaint(); });

  function paint(pen, {X, Y, now, colours, highlighted, names, write}) {
    const field = packed.fields.find(({name}) => name === chosen.field), ratio = devicePixelRatio || 1;
    for (const body of bodies) {
      const nodes = body.place(now, chosen.gain), shares = field && body.share(now, field.name), strong = shares || colours.dark !== "1";
      const x = new Float32Array(body.count), y = new Float32Array(body.count);
      for (let i = 0; i < body.count; i++) { x[i] = ratio * X(nodes[2 * i]); y[i] = ratio * Y(nodes[2 * i + 1]); }
      pen.globalAlpha = highlighted && highlighted !== body.part ? .18 : 1;
      if (raster.open(x, y, pen.canvas.width, pen.canvas.height)) {
        const lookup = shares ? lookupOf(stopsOf(field), 255) : lookupOf(stopsOf({stops: [body.colour, body.colour]}), 140);
        raster.fill(body.faces, shares, lookup);
        if (chosen.edges) raster.lines(body.edges, strong ? 16 : 235, .3);
        raster.put(pen, ratio);
      }
      pen.beginPath();
      for (let i = 0; i < body.outline.length; i += 2) {
        const [a, b] = [body.outline[i], body.outline[i + 1]];
        pen.moveTo(x[a] / ratio, y[a] / ratio); pen.lineTo(x[b] / ratio, y[b] / ratio);
      }
      pen.strokeStyle = colours.dark === "1" ? colours.muted : colours.ink; pen.lineWidth = 1.5; pen.stroke();
      pen.globalAlpha = 1;
      const middle = values => values.reduce((a, b) => a + b) / values.length / ratio;
      if (names) write(body.name, middle(x), middle(y), colours.ink);
    }
  }
  return {paint};
}

/** 256 colours between stops [red, green, blue], as pixels. */
function lookupOf(stops, alpha) {
  const bytes = new Uint8ClampedArray(4 * 256);
  for (let i = 0; i < 256; i++) {
    const at = i / 255 * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2), s = at - k;
    bytes.set([...stops[k].map((c, j) => c + s * (stops[k + 1][j] - c)), alpha], 4 * i);
  }
  return new Uint32Array(bytes.buffer);
}

/** Paints a mesh into a picture of the size of its visible part, which put() then shows. Coordinates are pixels. */
function createRaster() {
  const canvas = document.createElement("canvas"), ink = canvas.getContext("2d", {willReadFrequently: true});
  let x, y, left, top, width, height, image, pixels;

  /** Set the positions of the nodes; false if no part of them is visible. */
  function open(xs, ys, right, bottom) {
    let [lowX, highX, lowY, highY] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < xs.length; i++) {
      lowX = Math.min(lowX, xs[i]); highX = Math.max(highX, xs[i]); lowY = Math.min(lowY, ys[i]); highY = Math.max(highY, ys[i]);
    }
    x = xs; y = ys;
    left = Math.max(0, Math.floor(lowX) - 1); top = Math.max(0, Math.floor(lowY) - 1);
    width = Math.min(right, Math.ceil(highX) + 1) - left; height = Math.min(bottom, Math.ceil(highY) + 1) - top;
    if (!(width > 0 && height > 0)) return false;
    if (canvas.width < width || canvas.height < height) Object.assign(canvas, {width, height});
    image = new ImageData(width, height);
    pixels = new Uint32Array(image.data.buffer);
    return true;
  }

  /** Fill every pixel with its centre in a triangle, with the colour of the value there, 0 to 1. */
  function fill(faces, values, lookup) {
    for (let i = 0; i < faces.length; i += 3) {
      const a = faces[i], b = faces[i + 1], c = faces[i + 2], va = values ? values[a] : 0;
      // The value is va + gx (x - xa) + gy (y - ya).
      const bx = x[b] - x[a], by = y[b] - y[a], cx = x[c] - x[a], cy = y[c] - y[a], area = bx * cy - by * cx;
      const vb = values ? values[b] - va : 0, vc = values ? values[c] - va : 0;
      const gx = area ? (vb * cy - vc * by) / area : 0, gy = area ? (vc * bx - vb * cx) / area : 0;
      const low = Math.min(y[a], y[b], y[c]) - top, high = Math.max(y[a], y[b], y[c]) - top;
      for (let row = Math.max(0, Math.ceil(low - .5)); row < height && row + .5 <= high; row++) {
        const level = row + .5 + top;
        let from = Infinity, to = -Infinity;
        for (const [p, q] of [[a, b], [b, c], [c, a]]) {
          if (y[p] <= level === y[q] <= level) continue;
          const cross = x[p] + (level - y[p]) / (y[q] - y[p]) * (x[q] - x[p]);
          if (cross < from) from = cross;
          if (cross > to) to = cross;
        }
        const start = Math.max(0, Math.ceil(from - left - .5)), end = Math.min(width - 1, Math.floor(to - left - .5));
        let value = 255 * (va + gx * (start + left + .5 - x[a]) + gy * (level - y[a])) + .5;
        for (let k = row * width + start, last = row * width + end; k <= last; k++, value += 255 * gx) {
          pixels[k] = lookup[value < 0 ? 0 : value > 255 ? 255 : value | 0];
        }
      }
    }
  }

  /** Thin lines between pairs of nodes, on top of the picture: each step is shared by the two pixels nearest to the line. */
  function lines(pairs, grey, strength) {
    const {data} = image, some = [];
    for (let i = 0; i < pairs.length; i += 2 * Math.ceil(pairs.length / 400)) {
      some.push(Math.hypot(x[pairs[i]] - x[pairs[i + 1]], y[pairs[i]] - y[pairs[i + 1]]));
    }
    strength *= clamp((some.sort((a, b) => a - b)[some.length >> 1] - 2) / 14, 0, 1);  // a dense mesh would hide its colours
    const blend = (column, row, share) => {
      if (column < 0 || row < 0 || column >= width || row >= height) return;
      const k = 4 * (row * width + column), s = share * strength;
      if (data[k + 3]) for (let j = k; j < k + 3; j++) data[j] += s * (grey - data[j]);
    };
    for (let i = 0; i < pairs.length; i += 2) {
      const ax = x[pairs[i]] - left, ay = y[pairs[i]] - top, bx = x[pairs[i + 1]] - left, by = y[pairs[i + 1]] - top;
      const steep = Math.abs(by - ay) > Math.abs(bx - ax), steps = Math.round(Math.max(Math.abs(by - ay), Math.abs(bx - ax)));
      for (let k = 0; k < steps; k++) {
        const s = (k + .5) / steps, px = ax + s * (bx - ax) - .5, py = ay + s * (by - ay) - .5;
        const across = steep ? px : py, floor = Math.floor(across), along = Math.round(steep ? py : px), part = across - floor;
        blend(steep ? floor : along, steep ? along : floor, 1 - part);
        blend(steep ? floor + 1 : along, steep ? along : floor + 1, part);
      }
    }
  }

  function put(pen, ratio) {
    ink.putImageData(image, 0, 0);
    pen.drawImage(canvas, 0, 0, width, height, left / ratio, top / ratio, width / ratio, height / ratio);
  }
  return {open, fill, lines, put};
}
