// Objects of a spatial mechanism in three.js, and their poses at a time. Equal solids are instances of one mesh, so that
// thousands of them are drawn fast.

const AXES = [["#d43f3a", 1, 0, 0], ["#2e9e4f", 0, 1, 0], ["#2f6fd0", 0, 0, 1]].map(
  ([colour, ...direction]) => [colour, new THREE.Vector3(...direction)]);

/** Everything except the camera. Returns the scene of three.js, functions that place and colour its objects, the placed bodies,
    joints and forces, and the meshes that buttons hide. */
function buildWorld(scene, colours, {radius, across, deep, up, shadows}) {
  const {Vector3, Quaternion, Matrix4, Color} = THREE;
  const size = scene.size, Z = new Vector3(0, 0, 1), world = new THREE.Scene();

  const sky = new THREE.HemisphereLight(0xffffff, 0xd3d8e0, 1.95), sun = new THREE.DirectionalLight(0xffffff, 1.5);
  const lamp = new THREE.DirectionalLight(0xffffff, .55);  // moves with the camera
  sky.position.copy(up);
  sun.castShadow = true;
  sun.shadow.mapSize.set(shadows, shadows);
  sun.shadow.radius = 5;
  sun.shadow.bias = -.0004;
  sun.shadow.normalBias = .004 * size;
  world.add(sky, sun, sun.target, lamp, lamp.target);

  // Offset to the back, so that lines on a solid are not hidden by it.
  const back = {polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2};
  const plain = (colour, more = {}) => new THREE.MeshStandardMaterial({color: colour, roughness: .62, ...back, ...more});
  const metal = plain(colours.surface), spring = plain(colours.muted);
  const soil = plain(colours.solid, {side: THREE.DoubleSide, roughness: 1});
  const arrow = plain(colours.force, {roughness: 1, depthTest: false, transparent: true});

  /** Instances of one geometry, each with a matrix and an optional colour. */
  function swarm(geometry, material, count, shadow = true) {
    const mesh = new THREE.InstancedMesh(geometry, material, count);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = shadow;
    world.add(mesh);
    return mesh;
  }

  // Bodies: the matrix of each, and instances fixed to it.
  const bodies = scene.bodies.map(body => ({
    ...body, position: unpack(body.position, Float32Array), rotation: unpack(body.rotation, Int16Array), matrix: new Matrix4(),
  }));
  const ground = {matrix: new Matrix4(), colour: null};
  const shapes = scene.shapes.map(shape => shape.kind === "frame" ? null : SOLIDS[shape.kind](shape.size, shape));
  const local = solid => {
    const [w, x, y, z] = solid.rotation;
    return new Matrix4().compose(new Vector3(...solid.at), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
  };
  const stuck = [];  // {mesh, entries: [{body, local, colour}]}: instances that move with bodies
  const all = bodies.flatMap(body => body.solids.map(solid => ({solid, body, local: local(solid), colour: solid.colour})));
  scene.shapes.forEach((shape, k) => {
    const entries = all.filter(({solid}) => solid.shape === k);
    if (!entries.length || shape.kind === "frame") return;
    stuck.push({mesh: swarm(shapes[k], plain(0xffffff), entries.length), entries});
  });
  const outlines = [];
  if (all.length <= 250) {
    for (const {solid, body, local} of all) {
      const shape = scene.shapes[solid.shape];
      if (shape.kind === "frame") continue;
      const ink = new THREE.LineBasicMaterial({transparent: true});
      const lines = new THREE.LineSegments(marksOf(shape, shapes[solid.shape]), ink);
      lines.matrixAutoUpdate = false;
      lines.frustumCulled = false;
      world.add(lines);
      outlines.push({lines, body, local, colour: new Color(solid.colour).multiplyScalar(.42)});
    }
  }
  for (const solid of scene.ground) {
    if (!shapes[solid.shape]) continue;
    const wide = ["mesh", "box"].includes(scene.shapes[solid.shape].kind);  // a floor; others are supports
    const material = solid.colour ? plain(solid.colour, {side: THREE.DoubleSide}) : wide ? soil : metal;
    const mesh = new THREE.Mesh(shapes[solid.shape], material);
    mesh.applyMatrix4(local(solid));
    mesh.castShadow = mesh.receiveShadow = true;
    world.add(mesh);
    if (!wide) continue;
    const wire = new THREE.LineSegments(
      marksOf(scene.shapes[solid.shape], shapes[solid.shape], true), new THREE.LineBasicMaterial({transparent: true}));
    wire.applyMatrix4(local(solid));
    outlines.push({lines: wire, ground: true});
    world.add(wire);
  }

  // Frames: three arrows each, red, green and blue.
  function axes(frames, shown) {
    const parts = [["rod", .018, 1, .5], ["tip", .055, .2, 1]].map(([kind, thick, long, along]) => {
      const geometry = kind === "rod" ? unitRod() : upright(new THREE.CylinderGeometry(0, 1, 1, 16));
      const entries = frames.flatMap(({body, local, length}) => AXES.map(([colour, axis]) => {
        const turn = new Quaternion().setFromUnitVectors(Z, axis), place = axis.clone().multiplyScalar(along * length);
        const scale = new Vector3(thick * length, thick * length, long * length);
        return {body, local: local.clone().multiply(new Matrix4().compose(place, turn, scale)), colour};
      }));
      const material = plain(0xffffff, {roughness: 1, depthTest: false, transparent: true});
      const mesh = swarm(geometry, material, entries.length, false);
      mesh.renderOrder = 2;  // in front of the bodies, since their frames are mostly inside them
      return {mesh, entries, frames: true};
    });
    for (const one of parts) { one.mesh.visible = shown; stuck.push(one); }
    return parts;
  }
  const short = size * clamp(.5 / Math.cbrt(bodies.length + 1), .05, .16);
  const frameOf = body => ({body, local: new Matrix4(), length: clamp(.8 * body.reach, short, .25 * size)});
  const frameMarks = axes(bodies.map(frameOf), false);
  const fixed = scene.ground.map(solid => ({solid, body: ground, local: local(solid)}));
  const given = [...all, ...fixed].filter(({solid}) => scene.shapes[solid.shape].kind === "frame");
  if (given.length) axes(given.map(({solid, body, local}) => ({body, local, length: scene.shapes[solid.shape].size[0]})), true);

  // Joints, lines, springs, forces: placed again at every time.
  const joints = scene.joints.map(joint => ({
    ...joint, here: new Vector3(), position: unpack(joint.position, Float32Array),
    axis: joint.axis && unpack(joint.axis, Float32Array),
  }));
  const thin = size * clamp(.16 / Math.sqrt(joints.length + 1), .004, .014);
  const JOINTS = {  // radius and length, relative to `thin`
    ball: [new THREE.SphereGeometry(1, 20, 14), 1.5, 1.5],
    pin: [unitRod(), .8, 8],
    guide: [unitRod(), .5, 16],
  };
  const marks = Object.entries(JOINTS).map(([kind, [geometry, thick, long]]) => {
    const own = joints.filter(joint => (joint.axis ? joint.kind : "ball") === kind);
    return {own, scale: new Vector3(thick * thin, thick * thin, long * thin), mesh: swarm(geometry, metal, own.length)};
  });
  const lines = scene.lines.map(line => ({...line, points: unpack(line.points, Float32Array)}));
  const rods = swarm(unitRod().translate(0, 0, .5), spring, lines.reduce((sum, line) => sum + line.count - 1, 0));
  const springs = scene.springs.map(one => ({...one, points: unpack(one.points, Float32Array)}));
  const coils = swarm(coil(.022 * size, .0045 * size), spring, springs.length);
  const forces = scene.forces.map(force => ({
    ...force, points: unpack(force.points, Float32Array), vectors: unpack(force.vectors, Float32Array),
    tip: new Vector3(), value: 0,
  }));
  const shafts = swarm(unitRod(), arrow, forces.length, false);
  const heads = swarm(upright(new THREE.CylinderGeometry(0, 1, 1, 20)), arrow, forces.length, false);
  shafts.renderOrder = heads.renderOrder = 3;  // in front of everything: forces often act inside bodies

  const traces = scene.traces.map(trace => {
    const points = unpack(trace.points, Float32Array), time = unpack(trace.time, Float32Array);
    const curve = (opacity, linewidth) => {
      const geometry = new THREE.LineGeometry();
      geometry.setPositions(points);
      const ink = new THREE.LineMaterial({linewidth, transparent: true, opacity, depthWrite: opacity === 1});
      const line = new THREE.Line2(geometry, ink);
      line.renderOrder = opacity;
      world.add(line);
      return line;
    };
    return {time, count: time.length, whole: curve(.28, 1.2), grown: curve(1, 2.4)};
  });

  // The floor: a grid with soft shadows, below everything unless the model has a ground there.
  const step = niceStep(radius / 8), reach = Math.min(4 * radius, 40 * step);
  const squares = new THREE.LineBasicMaterial({vertexColors: true, transparent: true, depthWrite: false});
  const floor = new THREE.LineSegments(floorLines(step, reach), squares);
  const shade = new THREE.Mesh(new THREE.PlaneGeometry(8 * reach, 8 * reach), new THREE.ShadowMaterial({depthWrite: false}));
  const level = new Quaternion().setFromUnitVectors(Z, up);
  for (const one of [floor, shade]) { one.quaternion.copy(level); one.renderOrder = -1; world.add(one); }
  shade.receiveShadow = true;

  /** Move the sun and the floor to the target of the camera: to `focus`, with the range `wide` around it. */
  function light(focus, wide, camera, target) {
    const lit = sun.shadow.camera;
    Object.assign(lit, {left: -wide, right: wide, bottom: -wide, top: wide, near: 0, far: 8 * wide});
    lit.updateProjectionMatrix();
    sun.target.position.copy(focus);
    sun.position.copy(focus).addScaledVector(up, 3 * wide);
    sun.position.addScaledVector(across, -.7 * wide).addScaledVector(deep, -.9 * wide);
    lamp.position.copy(camera.position); lamp.target.position.copy(target);
    // The floor follows a walker in whole steps.
    const steps = direction => step * Math.round(focus.dot(direction) / step);
    floor.position.copy(up).multiplyScalar(scene.floor);
    floor.position.addScaledVector(across, steps(across)).addScaledVector(deep, steps(deep));
    shade.position.copy(floor.position).addScaledVector(up, -.0005 * size);
  }

  // ---- one instant ----------------------------------------------------------------------------------------------------

  const times = scene.time, count = times.length;
  const centre = unpack(scene.centre, Float32Array);
  let index = [0, 0, 0, 0], weight = [0, 1, 0, 0], share = 0;

  /** Cubic interpolation, as in stage.js, as four frames and their weights. */
  function locateFrames(t) {
    const [i, s] = locate(times, t), j = Math.min(i + 1, count - 1), h = times[j] - times[i];
    const before = Math.max(i - 1, 0), after = Math.min(j + 1, count - 1);
    const left = h / (times[j] - times[before]) || 0, right = h / (times[after] - times[i]) || 0;
    const u = s * s * (3 - 2 * s), v = s * (1 - s) * (1 - s) * left, w = s * s * (s - 1) * right;
    index = [before, i, j, after]; weight = [-v, 1 - u - w, u + v, w]; share = s;
  }
  const blend = (array, stride, k) => {
    let sum = 0;
    for (let m = 0; m < 4; m++) sum += weight[m] * array[index[m] * stride + k];
    return sum;
  };
  const vector = (array, target, stride = 3, first = 0) =>
    target.set(blend(array, stride, first), blend(array, stride, first + 1), blend(array, stride, first + 2));
  const turn = new Quaternion(), next = new Quaternion(), here = new Vector3(), there = new Vector3(), way = new Vector3();
  const scale = new Vector3(1, 1, 1), one = new Vector3(1, 1, 1);
  const matrix = new Matrix4(), nothing = new Matrix4().makeScale(0, 0, 0);
  const quaternion = (array, frame, target) =>  // stored as w, x, y, z
    target.set(array[4 * frame + 1], array[4 * frame + 2], array[4 * frame + 3], array[4 * frame]).normalize();

  function poseBodies() {
    for (const body of bodies) {
      quaternion(body.rotation, index[1], turn).slerp(quaternion(body.rotation, index[2], next), share);
      body.matrix.compose(vector(body.position, here), turn, one);
    }
    for (const {mesh, entries} of stuck) {
      if (!mesh.visible) continue;
      entries.forEach(({body, local}, k) => mesh.setMatrixAt(k, matrix.multiplyMatrices(body.matrix, local)));
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const {lines, body, local} of outlines) if (body) lines.matrix.multiplyMatrices(body.matrix, local);
  }
  /** Place a part of unit length along z from `here` to `there`. */
  function stretch(mesh, k, thick) {
    way.subVectors(there, here);
    const length = way.length();
    turn.setFromUnitVectors(Z, length ? way.divideScalar(length) : Z);
    mesh.setMatrixAt(k, matrix.compose(here, turn, scale.set(thick, thick, length)));
  }
  function poseOthers() {
    for (const {own, scale, mesh} of marks) {
      own.forEach((joint, k) => {
        vector(joint.position, joint.here);
        turn.setFromUnitVectors(Z, joint.axis ? vector(joint.axis, way).normalize() : Z);
        mesh.setMatrixAt(k, matrix.compose(joint.here, turn, scale));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
    let k = 0;
    for (const line of lines) {
      for (let i = 0; i + 1 < line.count; i++) {
        vector(line.points, here, 3 * line.count, 3 * i);
        vector(line.points, there, 3 * line.count, 3 * i + 3);
        stretch(rods, k++, (line.thick ?? .006) * size);
      }
    }
    rods.instanceMatrix.needsUpdate = true;
    springs.forEach(({points}, k) => {
      vector(points, here, 6, 0); vector(points, there, 6, 3);
      stretch(coils, k, 1);
    });
    coils.instanceMatrix.needsUpdate = true;
  }
  function poseForces(shown) {
    forces.forEach((force, k) => {
      // Linear between two frames, or the nearer one if the other has no force.
      const {points, vectors} = force, a = 3 * index[1], b = 3 * index[2];
      const known = at => [0, 1, 2].every(c => isFinite(points[at + c] + vectors[at + c]));
      const s = known(a) && known(b) ? share : Math.round(share);
      const mix = (array, c) => (s < 1 ? (1 - s) * array[a + c] : 0) + (s ? s * array[b + c] : 0);
      here.set(mix(points, 0), mix(points, 1), mix(points, 2));
      way.set(mix(vectors, 0), mix(vectors, 1), mix(vectors, 2));
      force.value = way.length();
      const length = Math.min(scene.forceScale * force.value, scene.longestForce);
      if (!(length > .004 * size) || !shown) {
        force.value = 0;
        shafts.setMatrixAt(k, nothing); heads.setMatrixAt(k, nothing);
        return;
      }
      way.divideScalar(force.value);
      turn.setFromUnitVectors(Z, way);
      const head = Math.min(.4 * length, .06 * size), thick = .16 * head;
      force.tip.copy(here).addScaledVector(way, length);
      there.copy(here).addScaledVector(way, .5 * (length - head));
      shafts.setMatrixAt(k, matrix.compose(there, turn, scale.set(thick, thick, length - head)));
      there.copy(here).addScaledVector(way, length - .5 * head);
      heads.setMatrixAt(k, matrix.compose(there, turn, scale.set(.42 * head, .42 * head, head)));
    });
    shafts.instanceMatrix.needsUpdate = heads.instanceMatrix.needsUpdate = true;
  }
  function place(t, showForces) {
    locateFrames(t);
    poseBodies(); poseOthers(); poseForces(showForces);
    for (const {time, count, grown} of traces) {
      grown.geometry.instanceCount = t >= times.at(-1) ? count - 1 : locate(time, t)[0];
    }
  }

  // ---- colours --------------------------------------------------------------------------------------------------------

  const faded = new Color();
  function recolour(colours, highlighted) {
    const card = new Color(colours.card);
    for (const {mesh, entries, frames} of stuck) {
      entries.forEach(({body, colour}, k) => {
        faded.set(colour ?? colours.muted);
        if (highlighted && body.part !== highlighted && !frames) faded.lerp(card, .82);
        mesh.setColorAt(k, faded);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    for (const {lines, body, colour, ground} of outlines) {
      lines.material.color.copy(ground ? faded.set(colours.hatch) : colour);
      lines.material.opacity = ground ? .6 : highlighted && body.part !== highlighted ? .12 : .7;
    }
    metal.color.set(colours.surface); spring.color.set(colours.muted); arrow.color.set(colours.force);
    soil.color.set(colours.solid).multiplyScalar(.9);
    arrow.emissive.set(colours.force); arrow.emissiveIntensity = .25;
    floor.material.color.set(colours.dark === "1" ? colours.hatch : colours.surface);
    floor.material.opacity = colours.dark === "1" ? .55 : .5;
    shade.material.opacity = colours.dark === "1" ? .38 : .16;
    for (const {whole, grown} of traces) { whole.material.color.set(colours.muted); grown.material.color.set(colours.accent); }
  }

  /** Position of the mechanism, for a camera that follows it. */
  function centreAt(t, target) { locateFrames(t); return vector(centre, target); }
  return {world, bodies, joints, forces, traces, frameMarks, step, reach, light, place, recolour, centreAt};
}
