/** Animated spatial mechanism in the section `root`; `scene` is the data from spatial_animation.py. Options and return value are
    those of createPlayer in stage.js; view: the initial camera, and onView: callback for each change of the camera. */
function createSpacePlayer(root, scene, {keys = root, embedded = false, autoplay = true, view = null, onView = null} = {}) {
  const part = name => root.querySelector("." + name);
  const views = {x: () => look("x"), y: () => look("y"), z: () => look("z"), c: () => look("corner")};
  const shortcuts = {f: () => fit(), "+": () => zoomBy(1.4), "-": () => zoomBy(1 / 1.4), ...views};
  const canvas = part("picture"), colours = themeColours();

  if (!document.createElement("canvas").getContext("webgl2")) {
    root.classList.add("flat");
    part("unseen").hidden = false;
    const clock = createClock(root, scene, {paint() {}, keys, autoplay, shortcuts: {}});
    clock.refresh(); clock.begin();
    return {...clock, scene, colours};
  }
  const clock = createClock(root, scene, {paint, keys, autoplay, shortcuts});

  const {Vector3} = THREE, size = scene.size, up = new Vector3(...scene.up);
  const low = new Vector3(...scene.low), high = new Vector3(...scene.high);
  const extent = high.clone().sub(low), middle = low.clone().addScaledVector(extent, .5);
  const radius = Math.max(extent.length(), size) / 2;
  const across = Math.abs(up.x) < .9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);  // a horizontal direction, and the other one
  across.addScaledVector(up, -across.dot(up)).normalize();
  const deep = new Vector3().crossVectors(up, across);
  const renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true});
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
  const shadows = canvas.clientWidth > 640 ? 2048 : 1024;  // pixels of the shadow map; a phone needs fewer
  const rigid = buildWorld(scene, colours, {radius, across, deep, up, shadows});
  const stage = scene.deforming ? withDeforming(rigid, scene, {root, renderer, repaint: paint}) : rigid;
  const {bodies, joints, forces, traces} = stage;
  const camera = new THREE.PerspectiveCamera(28, 1);
  let pen, width = 1, height = 1, highlighted = null, seen = true, fitted = true, showNames = false, showForces = true;

  // ---- camera ---------------------------------------------------------------------------------------------------------

  const followed = new Vector3(), here = new Vector3(), way = new Vector3();
  const hull = scene.hull.map(point => new Vector3(...point));
  const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map(k => new Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
  let follow = scene.travels;
  camera.up.copy(up);
  const controls = new THREE.OrbitControls(camera, canvas);
  controls.enableDamping = false;
  controls.zoomToCursor = true;
  if (embedded) canvas.style.touchAction = "pan-y";  // one finger up and down scrolls the page
  controls.addEventListener("change", () => { fitted = false; paint(); onView?.(seenFrom()); });
  /** Position of the camera and its target, m; fitted: set by the program, to show everything. */
  function seenFrom() { return {at: camera.position.toArray(), to: controls.target.toArray(), fitted}; }
  part("view").addEventListener("wheel", event => {
    if (embedded && !event.ctrlKey) event.stopPropagation();  // in embedded pages, the wheel scrolls the page
  }, {capture: true});

  /** View of the centre along an axis such that the other two point to the right and up. */
  function backOf(name) {
    if (name === "corner") return up.clone().multiplyScalar(.52).addScaledVector(across, .62).sub(deep).normalize();
    const axis = new Vector3(name === "x", name === "y", name === "z");
    if (Math.abs(axis.dot(up)) > .9) return up.clone().addScaledVector(deep, -1e-4).normalize();
    const right = new Vector3().crossVectors(up, axis);
    return right.x + right.y + right.z < 0 ? axis.negate() : axis;
  }
  function fit(back = camera.position.clone().sub(controls.target).normalize()) {
    stage.centreAt(clock.now, followed);
    // When followed, a walker fills the picture; for a small ball on a long path, a part of the path remains visible.
    const target = follow ? followed : middle, half = Math.max(.62 * size, Math.min(.1 * radius, 2 * size));
    camera.position.copy(target).add(back);
    camera.lookAt(target);
    camera.updateMatrixWorld();
    const tangent = Math.tan(camera.fov * Math.PI / 360) * .94, turned = camera.quaternion.clone().invert();
    let distance = .01 * size;
    for (const point of follow ? CORNERS : hull) {
      const corner = follow ? here.copy(point).multiplyScalar(half) : here.subVectors(point, target);
      corner.applyQuaternion(turned);
      distance = Math.max(distance, corner.z + Math.max(Math.abs(corner.y), Math.abs(corner.x) / camera.aspect) / tangent);
    }
    camera.position.copy(target).addScaledVector(back, distance);
    controls.target.copy(target);
    controls.update();
    fitted = true;
    paint();
    onView?.(seenFrom());
  }
  function look(name) { fit(backOf(name)); }
  function zoomBy(factor) {
    camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
    controls.update();
    paint();
  }

  // ---- drawing --------------------------------------------------------------------------------------------------------

  function paint() {
    if (!pen || !seen) return;
    stage.place(clock.now, showForces, camera);
    if (follow) {
      stage.centreAt(clock.now, here);
      way.subVectors(here, followed);
      camera.position.add(way); controls.target.add(way); followed.copy(here);
    }
    const distance = camera.position.distanceTo(controls.target);
    camera.near = .01 * distance; camera.far = distance + 12 * stage.reach;
    camera.updateProjectionMatrix();
    stage.light(follow ? followed : middle, follow ? 1.6 * size : 1.15 * radius, camera, controls.target);
    renderer.render(stage.world, camera);
    paintLabels();
  }

  function write(text, x, y, colour) {
    pen.lineWidth = 4; pen.strokeStyle = colours.card; pen.strokeText(text, x, y);
    pen.fillStyle = colour; pen.fillText(text, x, y);
  }
  const spot = new Vector3();
  /** Position of a point on the screen, in pixels; null behind the camera. */
  function project(point) {
    spot.copy(point).project(camera);
    return spot.z < 1 ? [(spot.x + 1) / 2 * width, (1 - spot.y) / 2 * height] : null;
  }
  function paintLabels() {
    pen.clearRect(0, 0, width, height);
    pen.lineJoin = "round"; pen.textAlign = "center"; pen.textBaseline = "middle"; pen.font = "500 12px system-ui, sans-serif";
    if (showNames) {
      for (const joint of joints) {
        const at = project(joint.here);
        if (at) write(joint.name, at[0], at[1] - 12, colours.muted);
      }
      for (const body of bodies) {
        const at = project(here.fromArray(body.middle).applyMatrix4(body.matrix));
        if (at) write(body.name, ...at, colours.ink);
      }
    }
    for (const force of forces) {
      const at = force.value && project(force.tip);
      if (at) write(`${minus(String(Number(force.value.toPrecision(3))))} N`, at[0], at[1] - 11, colours.force);
    }
    paintCorner();
  }
  /** Axes of the ground frame, and the side of a square of the floor. */
  function paintCorner() {
    const x = 40, y = height - 42, long = 26, turned = camera.quaternion.clone().invert();
    const ends = AXES.map(([colour, axis], k) => [colour, axis.clone().applyQuaternion(turned), "xyz"[k]]);
    pen.lineCap = "round";
    for (const [colour, end, letter] of ends.sort((a, b) => a[1].z - b[1].z)) {
      pen.beginPath(); pen.moveTo(x, y); pen.lineTo(x + long * end.x, y - long * end.y);
      pen.strokeStyle = colour; pen.lineWidth = 2.4; pen.stroke();
      if (Math.hypot(end.x, end.y) < .15) continue;
      write(letter, x + (long + 9) * end.x, y - (long + 9) * end.y, colours.dark === "1" ? colours.ink : colour);
    }
    const units = [[1, "m"], [.01, "cm"], [.001, "mm"], [1e-6, "µm"]];
    const [metres, unit] = units.find(([size]) => stage.step >= size * .999) ?? units.at(-1);
    pen.textAlign = "right";
    write(`squares of ${Number((stage.step / metres).toPrecision(3))} ${unit}`, width - 12, height - 14, colours.muted);
  }

  // ---- putting it together --------------------------------------------------------------------------------------------

  canvas.setAttribute("aria-label", `${scene.title}: ${bodies.map(body => body.name).slice(0, 20).join(", ")}`);
  part("traces").hidden = !traces.length;
  part("forces").hidden = !forces.length;
  part("frames").hidden = !scene.bodies.length;
  part("follow").hidden = !scene.travels;
  part("follow").setAttribute("aria-pressed", follow);
  const first = new Map(bodies.map(body => [body.part, body]).reverse());
  addChips(part("parts"), [...new Set(bodies.map(body => body.part))].map(name => first.get(name)), name => {
    highlighted = name; stage.recolour(colours, highlighted); paint();
  });
  for (const button of root.querySelectorAll(".along")) button.onclick = () => look(button.dataset.view);
  part("fit").onclick = () => fit();
  part("closer").onclick = () => zoomBy(1.4);
  part("farther").onclick = () => zoomBy(1 / 1.4);
  canvas.addEventListener("dblclick", () => look("corner"));
  addToggle(part("traces"), on => { for (const {whole, grown} of traces) whole.visible = grown.visible = on; paint(); });
  addToggle(part("forces"), on => { showForces = on; paint(); });
  addToggle(part("names"), on => { showNames = on; paint(); });
  addToggle(part("frames"), on => { for (const {mesh} of stage.frameMarks) mesh.visible = on; paint(); });
  addToggle(part("follow"), on => { follow = on; fit(); });

  function layOut() {
    if (!canvas.clientWidth) return;  // printed: the still picture is shown instead
    width = canvas.clientWidth; height = canvas.clientHeight;
    renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    pen = sharpen(part("labels"));
    stage.recolour(Object.assign(colours, themeColours()), highlighted);
    if (fitted) fit(); else paint();
    clock.refresh();
  }
  camera.position.copy(middle).add(backOf("corner"));
  controls.target.copy(middle);
  if (view && !view.fitted) { camera.position.fromArray(view.at); controls.target.fromArray(view.to); controls.update(); fitted = false; }
  onLayout(canvas, layOut);
  layOut();
  new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; paint(); }).observe(canvas);
  clock.begin();
  return {...clock, scene, colours, seenFrom};
}
