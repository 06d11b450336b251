// Deforming bodies: data packed by deformable_data.py are unpacked, and interpolated in time.

/** Promise of the bodies in `packed`, each with the functions place and share. */
function openDeforming(packed) {
  return Promise.all(packed.bodies.map(body => openBody(body, packed.time)));
}

/** Unpack the bodies and pass them on, or show in the stage `root` that this is impossible. */
function unpackInto(root, packed, take) {
  const opened = bodies => { take(bodies); root.classList.add("unpacked"); };
  const failed = () => {
    const note = make("p", "packed", "This browser is too old to unpack the bodies that deform.");
    root.querySelector(".view").after(note);
  };
  openDeforming(packed).then(opened, failed);
}

async function openBody(body, times) {
  const names = ["offsets", "corners", "faces", "edges", "outline", "cells", "sides"];
  const tables = Object.fromEntries(await Promise.all(names.map(async name => [name, await unsqueeze(body[name])])));
  const values = {};
  for (const [name, table] of Object.entries(body.values)) {
    values[name] = {bytes: await unsqueeze(table), onSurface: table.onSurface};
  }
  const d = body.dimension, n = body.count, {low, step} = body.offsets, {offsets} = tables;
  const rest = floats(body.rest), motion = floats(body.motion), nodes = new Float32Array(d * n), shares = new Float32Array(n);

  /** Positions of the nodes at a time, m, with displacements multiplied by `gain`. */
  function place(t, gain) {
    const [index, weight] = cubic(times, t), moved = new Float64Array(d * d + d), k = body.exaggerated ? gain : 1;
    for (let m = 0; m < 4; m++) {
      const first = index[m] * moved.length;
      for (let i = 0; i < moved.length; i++) moved[i] += weight[m] * motion[first + i];
    }
    const [a, b, c, e] = index.map(frame => frame * d * n), [wa, wb, wc, we] = weight;
    for (let axis = 0; axis < d; axis++) {
      const scale = k * step[axis], start = moved[d * d + axis] + k * low[axis], turn = moved.subarray(axis * d, axis * d + d);
      const [tx, ty, tz] = [turn[0], turn[1], d > 2 ? turn[2] : 0];
      for (let i = 0, j = axis; i < n; i++, j += d) {
        const u = wa * offsets[a + j] + wb * offsets[b + j] + wc * offsets[c + j] + we * offsets[e + j];
        const x = d * i, carried = tx * rest[x] + ty * rest[x + 1] + (tz ? tz * rest[x + 2] : 0);
        nodes[j] = start + carried + scale * u;
      }
    }
    return nodes;
  }

  /** Field at the nodes, 0 to 1 between the ends of its colours; null if the body does not have it. */
  function share(t, name) {
    if (!values[name]) return null;
    const [i, s] = locate(times, t), {bytes} = values[name], before = i * n, after = Math.min(i + 1, times.length - 1) * n;
    for (let k = 0; k < n; k++) shares[k] = (bytes[before + k] + s * (bytes[after + k] - bytes[before + k])) / 255;
    return shares;
  }
  return {...body, ...tables, values, nodes, place, share};
}

/** Four frames and their weights: cubic interpolation, as in stage.js. */
function cubic(times, t) {
  const last = times.length - 1, [i, s] = locate(times, t), j = Math.min(i + 1, last), h = times[j] - times[i];
  const before = Math.max(i - 1, 0), after = Math.min(j + 1, last);
  const left = h / (times[j] - times[before]) || 0, right = h / (times[after] - times[i]) || 0;
  const u = s * s * (3 - 2 * s), v = s * (1 - s) * (1 - s) * left, w = s * s * (s - 1) * right;
  return [[before, i, j, after], [-v, 1 - u - w, u + v, w]];
}

function fromBase64(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}
const floats = text => new Float32Array(fromBase64(text).buffer);

/** Decode a table of whole numbers; see compress_table in deformable_data.py. */
async function unsqueeze({bytes, rows, columns, order, text}) {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer()), total = rows * columns;
  const table = new {1: Uint8Array, 2: Uint16Array, 4: Uint32Array}[bytes](total);
  for (let k = 0; k < bytes; k++) {
    for (let i = 0, from = k * total; i < total; i++) table[i] += planes[from + i] << 8 * k;
  }
  for (let pass = 0; pass < order; pass++) for (let i = columns; i < total; i++) table[i] += table[i - columns];
  return table;
}

/** Colours of a field as [red, green, blue], 0 to 255. */
const stopsOf = field => field.stops.map(c => [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16)));
