// Deforming bodies in three.js: a mesh with moving corners, coloured by a field in the shader, and its section at a cut.

/** The world of space_world.js with the deforming bodies of the scene, which are placed and coloured as well. They appear as soon
    as they are unpacked. */
function withDeforming(stage, scene, {root, renderer, repaint}) {
  const {Color, Matrix4} = THREE, packed = scene.deforming, axisOf = name => name ? "xyz".indexOf(name) : -1;
  const anyCells = packed.bodies.some(body => body.cells.rows), ranges = anyCells && [0, 1, 2].map(k => [scene.low[k], scene.high[k]]);
  const chosen = addDeformingControls(root, packed, {ranges, changed: repaint});
  const named = packed.bodies.map(({name, part, colour}) => ({name, part, colour, middle: [0, 0, 0], matrix: new Matrix4()}));
  const plane = {normal: new THREE.Vector3(), constant: 0};  // data that three.js needs about a plane
  let parts = [], theme = null, highlighted = null;
  renderer.localClippingEnabled = true;

  unpackInto(root, packed, bodies => {
    parts = bodies.map((body, k) => buildDeforming(body, named[k], stage.world));
    if (theme) recolour(theme, highlighted);
    repaint();
  });

  function place(t, showForces, camera) {
    stage.place(t, showForces);
    const field = packed.fields.find(({name}) => name === chosen.field), axis = axisOf(chosen.axis);
    // The part between the cut and the camera is removed.
    const side = axis >= 0 && camera.position.getComponent(axis) < chosen.at ? -1 : 1;
    if (axis >= 0) {
      plane.normal.set(0, 0, 0).setComponent(axis, -side);
      plane.constant = side * chosen.at;
    }
    for (const part of parts) part.place(t, {...chosen, axis, side, field}, plane, camera);
  }
  function recolour(colours, chip) {
    theme = colours; highlighted = chip;
    stage.recolour(colours, chip);
    parts.forEach((part, k) => part.recolour(colours, chip && named[k].part !== chip));
  }
  return {...stage, place, recolour, bodies: [...stage.bodies, ...named]};

  function buildDeforming(body, mark, world) {
    const {nodes, corners, faces, edges, cells, sides} = body, count = corners.length;
    const points = new Float32Array(3 * count), normals = new Float32Array(3 * count), values = new Float32Array(count);
    const attribute = (array, size) => Object.assign(new THREE.BufferAttribute(array, size), {usage: 35048});  // changes often
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", attribute(points, 3));
    geometry.setAttribute("normal", attribute(normals, 3));
    geometry.setAttribute("value", attribute(values, 1));
    geometry.setIndex(new THREE.BufferAttribute(faces, 1));
    const skin = fieldMaterial({side: THREE.DoubleSide, clipShadows: true}), inside = fieldMaterial({side: THREE.DoubleSide, flatShading: true});
    inside.tint.lit.value = 0;
    const mesh = new THREE.Mesh(geometry, skin.material);
    mesh.castShadow = mesh.receiveShadow = true;
    const ink = () => new THREE.LineBasicMaterial({transparent: true, color: 0x0f141c, depthWrite: false});
    const lines = new THREE.BufferGeometry();
    lines.setAttribute("position", attribute(nodes, 3));
    lines.setIndex(new THREE.BufferAttribute(edges, 1));
    const wire = new THREE.LineSegments(lines, ink());
    const section = new THREE.Mesh(new THREE.BufferGeometry(), inside.material), seams = new THREE.LineSegments(new THREE.BufferGeometry(), ink());
    const cutter = cells.length ? createCutter(cells, sides) : null;
    for (const one of [mesh, wire, section, seams]) { one.frustumCulled = false; world.add(one); }
    let last = "", typical = 0;

    function place(t, {field, edges: meshed, gain, axis, at, side}, plane, camera) {
      const cut = Boolean(cutter) && axis >= 0, colour = field && body.values[field.name];
      skin.material.clippingPlanes = wire.material.clippingPlanes = cut ? [plane] : null;
      section.visible = cut; seams.visible = cut && meshed; wire.visible = meshed;
      const strength = clamp((pixelsOf(camera) - 2.5) / 14, 0, 1);  // a dense mesh would hide its colours
      wire.material.opacity = .36 * strength; seams.material.opacity = .2 * strength;
      const now = JSON.stringify([t, field?.name, gain, cut && [axis, at, side]]);
      if (now === last) return;
      last = now;
      body.place(t, gain);
      for (let i = 0; i < count; i++) {
        const from = 3 * corners[i];
        points[3 * i] = nodes[from]; points[3 * i + 1] = nodes[from + 1]; points[3 * i + 2] = nodes[from + 2];
      }
      turnNormals();
      const shares = field ? body.share(t, field.name) : null;
      if (shares) for (let i = 0; i < count; i++) values[i] = shares[corners[i]];
      for (const name of ["position", "normal", "value"]) geometry.getAttribute(name).needsUpdate = true;
      lines.getAttribute("position").needsUpdate = true;
      setStops(skin, shares && field); setStops(inside, shares && !colour.onSurface && field);
      if (cut) fill(cutter.at(nodes, shares, axis, at, side));
      markMiddle();
    }
    function turnNormals() {
      normals.fill(0);
      for (let i = 0; i < faces.length; i += 3) {
        const a = 3 * faces[i], b = 3 * faces[i + 1], c = 3 * faces[i + 2];
        const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
        const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
        const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
        for (const k of [a, b, c]) { normals[k] += x; normals[k + 1] += y; normals[k + 2] += z; }
      }  // the shader normalises them
    }
    function fill({points, values, lines}) {
      refill(section.geometry, "position", points, 3); refill(section.geometry, "value", values, 1);
      refill(seams.geometry, "position", lines, 3);
    }
    function refill(geometry, name, {array, length}, size) {
      if (geometry.getAttribute(name)?.array !== array) geometry.setAttribute(name, attribute(array, size));
      geometry.getAttribute(name).needsUpdate = true;
      if (name === "position") geometry.setDrawRange(0, length / 3);
    }
    function markMiddle() {
      let [x, y, z] = [0, 0, 0];
      for (let i = 0; i < nodes.length; i += 3) { x += nodes[i]; y += nodes[i + 1]; z += nodes[i + 2]; }
      mark.matrix.makeTranslation(3 * x / nodes.length, 3 * y / nodes.length, 3 * z / nodes.length);
    }
    /** Approximate length of an edge on the screen. */
    function pixelsOf(camera) {
      if (!typical) {
        const some = [];
        for (let i = 0; i + 1 < edges.length; i += 2 * Math.ceil(edges.length / 400)) {
          const a = 3 * edges[i], b = 3 * edges[i + 1];
          some.push(Math.hypot(nodes[a] - nodes[b], nodes[a + 1] - nodes[b + 1], nodes[a + 2] - nodes[b + 2]));
        }
        typical = some.sort((a, b) => a - b)[some.length >> 1] ?? 0;
      }
      const distance = Math.max(camera.near, Math.hypot(camera.position.x - mark.matrix.elements[12],
        camera.position.y - mark.matrix.elements[13], camera.position.z - mark.matrix.elements[14]));
      return typical / distance / (2 * Math.tan(camera.fov * Math.PI / 360)) * renderer.domElement.clientHeight;
    }
    function recolour(colours, faded) {
      for (const {tint} of [skin, inside]) { tint.card.value.set(colours.card); tint.faded.value = faded ? .8 : 0; }
      skin.material.color.set(mark.colour); inside.material.color.set(colours.hatch);
      wire.material.color.set(0x0f141c); last = "";
    }
    return {place, recolour};
  }

  function setStops({tint}, field) {
    tint.coloured.value = field ? 1 : 0;
    if (field) stopsOf(field).forEach(([r, g, b], k) => tint.stops.value[k].setRGB(r / 255, g / 255, b / 255, "srgb"));
  }

  /** Material coloured by a field if there is one; `tint` are the numbers read by the shader. */
  function fieldMaterial(more) {
    const tint = {
      stops: {value: Array.from({length: 17}, () => new Color())}, coloured: {value: 0}, lit: {value: .62}, faded: {value: 0},
      card: {value: new Color()},
    };
    const back = {polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2};
    const material = new THREE.MeshStandardMaterial({roughness: .75, ...back, ...more});
    material.onBeforeCompile = shader => {
      Object.assign(shader.uniforms, tint);
      const into = (text, after, more) => text.replace(after, `${after}\n${more}`);
      shader.vertexShader = into(into(shader.vertexShader, "#include <common>", "attribute float value; varying float share;"),
        "#include <begin_vertex>", "share = value;");
      let text = into(shader.fragmentShader, "#include <common>",
        "varying float share; uniform vec3 stops[17]; uniform float coloured, lit, faded; uniform vec3 card;");
      text = into(text, "#include <color_fragment>", `if (coloured > .5) {
        float at = clamp(share, 0., 1.) * 16.; int k = min(int(at), 15);
        diffuseColor.rgb = mix(stops[k], stops[k + 1], at - float(k));
      }`);
      // Colours of a field are shaded less.
      text = text.replace("#include <opaque_fragment>", `
        outgoingLight = mix(diffuseColor.rgb, outgoingLight, coloured > .5 || lit == 0. ? lit : 1.);
        outgoingLight = mix(outgoingLight, card, faded);
        #include <opaque_fragment>`);
      shader.fragmentShader = text;
    };
    return {material, tint};
  }
}
