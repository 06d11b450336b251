// Display options of deforming bodies: the field with its legend, edges, a cut, exaggeration of displacements.

/** Controls below the stage `root`. ranges: [low, high], m, of a cut across each axis, or null if nothing can be cut. Returns the
    chosen options, {field, edges, gain, axis, at}; changed: callback for each change. */
function addDeformingControls(root, packed, {ranges = null, changed}) {
  const chosen = {field: packed.field, edges: packed.edges, gain: packed.gain, axis: packed.cut?.axis ?? "", at: packed.cut?.at};
  const row = make("div", "bar deforming"), legend = make("div", "colourscale");
  root.querySelector(".view").append(legend);
  root.querySelector(".bar").after(row);

  function labelled(text, ...parts) {
    const label = make("label");
    label.append(make("span", "", text), ...parts);
    row.append(label);
    return label;
  }
  function choice(className, name, options, value, choose) {
    const select = make("select", className);
    for (const [text, key] of options) select.add(new Option(text, key, key === value, key === value));
    select.setAttribute("aria-label", name);
    select.onchange = () => { choose(select.value); changed(); };
    return select;
  }
  function slider(className, name, {min, max, value}, choose) {
    const input = Object.assign(make("input", className), {type: "range", min, max, step: "any", value});
    input.setAttribute("aria-label", name);
    input.oninput = () => { choose(Number(input.value)); changed(); };
    // Here, arrow keys move the slider and not the time.
    input.addEventListener("keydown", event => { if (/^(Arrow|Home|End)/.test(event.key)) event.stopPropagation(); });
    return input;
  }

  // Colour and legend.
  if (packed.fields.length) {
    const options = [...packed.fields.map(field => [field.name, field.name]), ["none", ""]];
    labelled("Colour", choice("field", "Colour", options, chosen.field, name => { chosen.field = name; showLegend(); }));
  }
  function showLegend() {
    const field = packed.fields.find(({name}) => name === chosen.field);
    legend.hidden = !field;
    if (!field) return;
    const colours = make("div", "colours"), ticks = make("div", "ticks");
    colours.style.background = `linear-gradient(to right, ${field.stops.join(", ")})`;
    for (const [share, text] of field.ticks) {
      const tick = make("span", "", text);
      tick.style.left = `${100 * share}%`;
      ticks.append(tick);
    }
    const [below, above] = field.beyond;
    const note = below && above ? "values go beyond" : below ? "values go below" : above ? "values go above" : "";
    legend.replaceChildren(make("div", "caption", field.caption), colours, ticks, ...(note ? [make("div", "note", note)] : []));
  }

  // Edges of elements.
  const edges = make("button", "edges", "Mesh");
  edges.setAttribute("aria-pressed", chosen.edges);
  addToggle(edges, on => { chosen.edges = on; changed(); });
  row.append(edges);

  // A cut across an axis.
  if (ranges) {
    const where = make("output", "where"), depth = slider("depth", "Place of the cut", {min: 0, max: 1, value: .5}, at => aim(at));
    const aim = at => { chosen.at = at; where.textContent = `${chosen.axis} = ${minus(asLength(at))}`; };
    const across = axis => {
      chosen.axis = axis;
      depth.hidden = where.hidden = !axis;
      if (!axis) return;
      const [low, high] = ranges["xyz".indexOf(axis)];
      Object.assign(depth, {min: low, max: high});
      depth.value = axis === packed.cut?.axis ? packed.cut.at : (low + high) / 2;
      aim(Number(depth.value));
    };
    const axes = [["none", ""], ["across x", "x"], ["across y", "y"], ["across z", "z"]];
    labelled("Cut", choice("cut", "Cut", axes, chosen.axis, across), depth, where);
    across(chosen.axis);
  }

  // Exaggeration of displacements, on a logarithmic scale; at its left end it is 1.
  if (packed.mostGain > 1) {
    const times = make("output", "times");
    const aim = power => {
      chosen.gain = power < .02 ? 1 : Number((10 ** power).toPrecision(2));
      times.textContent = `×${chosen.gain}`;
    };
    const start = Math.log10(clamp(packed.gain, 1, packed.mostGain));
    labelled("Displacement", slider("gain", "Exaggeration of displacements", {min: 0, max: Math.log10(packed.mostGain), value: start}, aim), times);
    times.textContent = `×${chosen.gain}`;
  }
  showLegend();
  return chosen;
}

/** A length in a suitable unit. */
function asLength(metres) {
  const units = [[1, "m"], [.001, "mm"], [1e-6, "µm"]], [size, unit] = units.find(([size]) => Math.abs(metres) >= size) ?? [.001, "mm"];
  return `${Number((metres / size).toPrecision(3))} ${unit}`;
}
