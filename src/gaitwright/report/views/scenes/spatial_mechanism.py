"""Spatial scene of a mechanism: bodies by their shapes or, if none are given, as the uniform solid of their inertia with
bars to their points, or a plate through many points; joints with their axes, connections (spatial_elements.py), paths of
points and contact forces."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from gaitwright.formats.mesh_file import MeshFileError, read_mesh
from gaitwright.geometry.rotation import angular_rate_of, matrix_of, quaternion_of, rotate_vectors
from gaitwright.geometry.rotation import quaternion_from_direction as turned_along
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.parts.base import MARK_HALF_SIDE_RATIO, Part
from gaitwright.mechanism.parts.rigid_body import RigidBodyPart
from gaitwright.report.scenes.spatial_scene import (
    JointMark,
    MovingBody,
    SceneSolid,
    SpatialScene,
    grid_terrain,
    square_plate,
)
from gaitwright.report.views.scenes.deformable_solids import count_solid_frames, deforming_solid_bodies
from gaitwright.report.views.scenes.point_traces import point_traces
from gaitwright.report.views.scenes.spatial_beams import beam_bodies
from gaitwright.report.views.scenes.spatial_elements import (
    add_connections,
    attachment_poses,
    body_plate,
    free_ground_points,
    gear_wheels,
    ground_end_supports,
    joint_axis,
    support_cone,
)
from gaitwright.result.applied_forces import applied_force_components, find_applied_forces
from gaitwright.result.contact_episodes import contact_outputs, sample_contacts
from gaitwright.result.outputs import StateHistory
from gaitwright.result.state_interpolation import accumulate_times, interpolate_states, is_at_rest

DEFAULT_MAX_FRAMES, MAX_SPIN_FRAMES = 600, 3000
"""Maximum number of frames, and of frames if a body spins fast."""
BAR_RADIUS_RATIO = 0.012
"""Radius of a bar between the points of a body, relative to the size of the mechanism."""
MAX_INERTIA_SOLID_RATIO = 0.3
"""Maximum half side of the inertia solid of a body, relative to the size of the mechanism."""
MAX_SUPPORTS = 60
"""Maximum number of ground joints drawn with a support: a field of pendulums needs none."""
EQUAL_INERTIA_RTOL = 1e-6
"""Relative difference of moments of inertia below which they count as equal."""


def build_spatial_scene(
    mechanism: Mechanism,
    motion: StateHistory,
    *,
    trace: list[str] | None = None,
    forces: bool = False,
    colour: str | None = None,
    include: int | None = None,
    max_frames: int = DEFAULT_MAX_FRAMES,
) -> SpatialScene:
    """Create the scene of a motion, thinned to at most `max_frames` frames, or more if a body spins fast.

    trace: points such as F, foot.F. forces: add arrows of contact forces and applied forces. include: index of a time that
    must be kept. colour: quantity that colours beams, such as torque; see spatial_beams.py."""
    frames = _select_frames(mechanism, motion, count_solid_frames(mechanism, max_frames), include)
    bodies, problems, turning = [], dict[str, None](), dict[str, list[SceneSolid]]()
    for name, wheel in gear_wheels(mechanism, frames):
        turning.setdefault(name, []).append(wheel)
    for name, part in mechanism.parts.items():
        if isinstance(part, RigidBodyPart):
            q = frames.q[:, part.index]
            solids = [*_body_solids(part, mechanism, problems), *turning.get(name, ())]
            bodies.append(MovingBody(name, q[:, :3], quaternion_of(matrix_of(q)), solids))
        elif part.centre is not None:
            bodies.append(_ball_body(part, frames, mechanism.size))
    scene = SpatialScene(
        mechanism.name,
        accumulate_times(frames.t),
        bodies,
        up=-np.array(mechanism.gravity),
        deforming=[*deforming_solid_bodies(mechanism, frames), *beam_bodies(mechanism, frames, colour)],
    )
    for names, element in mechanism.attached():
        _add_joint(scene, names, element, frames)
    add_connections(scene, mechanism, frames)
    view_arguments = mechanism, frames, scene.size(), scene.up
    scene.ground += itertools.islice(_joint_supports(*view_arguments) if scene.held else (), MAX_SUPPORTS)
    scene.ground += itertools.islice(ground_end_supports(*view_arguments), MAX_SUPPORTS)
    scene.ground += itertools.islice(free_ground_points(mechanism, scene), MAX_SUPPORTS)
    scene.ground += _shape_solids("ground", mechanism.ground.shapes, problems)
    for problem in problems:
        warnings.warn(f"a mesh is not shown: {problem}", stacklevel=2)
    _add_surfaces(scene, mechanism)
    scene.traces = point_traces(mechanism, frames, trace)
    if forces:
        scene.forces = _force_vectors(mechanism, frames)
    return scene


def _select_frames(mechanism: Mechanism, motion: StateHistory, max_frames: int, include: int | None) -> StateHistory:
    """States for the frames, evenly spaced in time; more of them if a body rotates fast."""
    included = [] if include is None else [include]
    spin = max((_total_rotation(motion, body.index) for body in mechanism.body_names.values()), default=0.0)
    max_frames = max(max_frames, min(int(2.0 * spin), MAX_SPIN_FRAMES, 60_000 // max(len(mechanism.body_names), 1)))
    first, last, count = motion.t[0], motion.t[-1], min(max(max_frames, 2), motion.t.size)
    keep = np.unique(np.r_[np.linspace(0, motion.t.size - 1, count).round(), included].astype(int))
    if is_at_rest(motion) or np.max(np.diff(motion.t[keep]), initial=0.0) < 3.0 * (last - first) / count:
        return StateHistory(*(x[keep] for x in motion))
    return interpolate_states(motion, np.union1d(np.linspace(first, last, max(max_frames, 2)), motion.t[included]))


def _total_rotation(motion: StateHistory, index: np.ndarray) -> float:
    """Total rotation of a body, rad: the integral of its angular speed."""
    speed = np.linalg.norm(angular_rate_of(motion.q[:, index], motion.v[:, index]), axis=1)
    return float(np.sum((speed[1:] + speed[:-1]) / 2.0 * np.abs(np.diff(motion.t))))


# Bodies -------------------------------------------------------------------------------------------------------------


def _shape_solids(name: str, shapes: tuple[Any, ...], problems: dict[str, None]) -> list[SceneSolid]:
    """Solids of given shapes; an unreadable mesh is left out, and the reason is added to the problems."""
    solids = []
    for s in shapes:
        where = (tuple(s["size"]), s["at"], quaternion_of(s["rotation"]), s.get("colour"))
        try:
            mesh = read_mesh(s["file"], s["scale"]) if s["kind"] == "mesh" else ()
        except MeshFileError as error:
            problems[str(error)] = None
        else:
            solids.append(SceneSolid(name, s["kind"], *where, *mesh))
    return solids


def _body_solids(body: RigidBodyPart, mechanism: Mechanism, problems: dict[str, None]) -> list[SceneSolid]:
    if shape_solids := _shape_solids(body.name, body.shapes, problems):
        return shape_solids
    solids = _contact_solids(mechanism, body.name)
    if not any(np.linalg.norm(np.subtract(ball.at, body.centre)) < ball.size[0] for ball in solids):
        solids = [
            _inertia_solid(body, MAX_INERTIA_SOLID_RATIO * mechanism.size if mechanism.constraints else np.inf),
            *solids,
        ]
    points = np.array(list(body.points.values()), dtype=float).reshape(-1, 3)
    outside = [point for point in points if all(_is_outside(solid, point) for solid in solids)]
    if len(outside) > 2 and len(solids) == 1 and (plate := body_plate(body, mechanism.size)) is not None:
        return [plate]
    return [*solids, *(_bar_solid(body, body.centre, point, mechanism) for point in outside)]


def _ball_body(part: Part, frames: StateHistory, size: float) -> MovingBody:
    """A part without axes, as a small sphere about its centre."""
    upright = np.tile([1.0, 0.0, 0.0, 0.0], (frames.t.size, 1))
    ball = SceneSolid(part.name, "sphere", (MARK_HALF_SIDE_RATIO * size,))
    return MovingBody(part.name, part.position(frames.q, part.centre or ()), upright, [ball])


def _is_outside(solid: SceneSolid, point: np.ndarray) -> bool:
    """True if a point is outside the box around a solid, with a small tolerance."""
    turned_back = solid.rotation * (1.0, -1.0, -1.0, -1.0)
    half = np.abs(SceneSolid("box", solid.kind, solid.size).extent()).max(axis=0)
    return bool((np.abs(rotate_vectors(turned_back, point - solid.at)) > 1.001 * half).any())


def _bar_solid(body: RigidBodyPart, start: Any, end: Any, mechanism: Mechanism) -> SceneSolid:
    """A bar from one point of a body to another."""
    span, middle = np.subtract(end, start), np.add(start, end) / 2.0
    return SceneSolid(
        body.name,
        "capsule",
        (BAR_RADIUS_RATIO * mechanism.size, float(np.linalg.norm(span))),
        middle,
        turned_along(span),
    )


def _inertia_solid(body: RigidBodyPart, largest: float) -> SceneSolid:
    """The uniform solid with the mass and inertia of a body: a sphere, a cylinder or a box. largest: maximum of half its
    side, m."""
    moments, axes = np.linalg.eigh(np.asarray(body.inertia, dtype=float))
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1.0
    m, scale = body.mass, moments[2]
    is_equal = [abs(moments[(k + 1) % 3] - moments[(k + 2) % 3]) <= EQUAL_INERTIA_RTOL * scale for k in range(3)]
    if all(is_equal):
        return SceneSolid(body.name, "sphere", (min((2.5 * scale / m) ** 0.5, largest),), body.centre)
    if any(is_equal):
        k = is_equal.index(True)  # the axis of symmetry: I_k = m r^2 / 2, the others m r^2 / 4 + m h^2 / 12
        radius = (2.0 * moments[k] / m) ** 0.5
        height = max(12.0 * (moments[(k + 1) % 3] - moments[k] / 2.0) / m, 0.0) ** 0.5
        size = np.minimum((radius, height), (largest, 2.0 * largest))
        thick = np.maximum(size, 0.02 * size.max())  # keep a rod or a disc without thickness visible
        return SceneSolid(body.name, "cylinder", tuple(thick), body.centre, turned_along(axes[:, k]))
    sides = np.sqrt(np.maximum(6.0 * (moments.sum() - 2.0 * moments) / m, 0.0)).clip(max=2.0 * largest)
    sides = np.maximum(sides, 0.02 * sides.max())
    return SceneSolid(body.name, "box", tuple(sides), body.centre, quaternion_of(axes))


# Joints, springs, curves, forces --------------------------------------------------------------------------------------


def _add_joint(scene: SpatialScene, names: Any, element: MechanismElement, frames: StateHistory) -> None:
    kind = names.declaration.drawn_as
    ends = attachment_poses(frames, element)
    if names.kind != "joint" or kind not in ("pin", "ball", "guide") or "a" not in ends:
        return
    moving = "b" if names.bodies[1] != "ground" else "a"
    axis = None if kind == "ball" else joint_axis(element, ends)
    scene.joints.append(JointMark(names.name.partition(":")[0], kind, ends[moving][0], axis))
    scene.held = scene.held or "ground" in names.bodies


def _joint_supports(mechanism: Mechanism, frames: StateHistory, size: float, up: np.ndarray) -> Iterator[SceneSolid]:
    """Supports of the joints with the ground: a cone for each, with its tip at the joint, on the side opposite to the body.
    size: of the scene, m."""
    for names, element in mechanism.attached():
        if names.kind != "joint" or names.declaration.drawn_as not in ("pin", "ball") or "ground" not in names.bodies:
            continue
        ends = attachment_poses(frames, element)
        (at, _), body_name = ends["ab"[names.bodies.index("ground")]], names.bodies[1 - names.bodies.index("ground")]
        part = mechanism.part(body_name)
        middle = at[0] if part.centre is None else part.position(frames.q[:1], part.centre)[0]
        away, axis = at[0] - middle, joint_axis(element, ends)
        if axis is not None:
            away = away - (away @ axis[0]) * axis[0]
        length = float(np.linalg.norm(away))
        away = away / length if length > 1e-9 * size else -up
        yield support_cone(names.name, at[0], away, size)


def _contact_solids(mechanism: Mechanism, body: str) -> list[SceneSolid]:
    """Contact spheres of a body, and its contact meshes, each once, independent of the number of contacts."""
    solids = {}
    for names in mechanism.contact_names:
        if names.bodies[1] == body and names.radius > 0.0:
            at = np.asarray(names.place)
            solids.setdefault((*at, names.radius), SceneSolid(names.name, "sphere", (names.radius,), at))
        if names.bodies[0] == body and names.outline.ndim == 2 and len(names.outline) > 2:
            solids.setdefault(names.outline.tobytes(), _triangle_mesh(names.name, names.outline))
    return list(solids.values())


def _add_surfaces(scene: SpatialScene, mechanism: Mechanism) -> None:
    """Add the contact surfaces of the ground, each once.

    The outline of a contact in space is a point and the outward normal, (2, 3), of an infinite plane, or a grid of points,
    (n, m, 3), of a height field, ordered such that n x m points outwards, or corners of triangles, (3 t, 3), of a mesh;
    other surfaces are drawn with the bodies that carry them. A level plane is the floor of the picture."""
    outlines = {names.outline.tobytes(): names for names in mechanism.contact_names if names.bodies[0] == "ground"}
    for names in outlines.values():
        if names.outline.ndim == 3:
            scene.ground.append(grid_terrain(names.name, names.outline))
        elif names.outline.shape == (2, 3):
            _add_plane(scene, names.name, *names.outline)
        elif len(names.outline):
            scene.ground.append(_triangle_mesh(names.name, names.outline))


def _triangle_mesh(name: str, corners: np.ndarray) -> SceneSolid:
    return SceneSolid(name, "mesh", vertices=corners, faces=np.arange(len(corners)).reshape(-1, 3))


def _add_plane(scene: SpatialScene, name: str, point: np.ndarray, normal: np.ndarray) -> None:
    """Use a level plane as the floor of the picture; add any other plane as a plate below the mechanism."""
    if normal @ scene.up > 1.0 - 1e-9 and scene.floor is None:
        scene.floor = float(point @ scene.up)
        return
    low, high = scene.bounds()
    middle, half = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    foot = middle - ((middle - point) @ normal) * normal
    scene.ground.append(square_plate(name, foot, normal, 1.2 * half, 0.02 * scene.size()))


def _force_vectors(mechanism: Mechanism, frames: StateHistory) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Point of application and force on the touching body of each contact, (n_times, 3) each, NaN if open; and applied
    forces."""
    forces = {
        name: (attachment_poses(frames, element)["at"][0], applied_force_components(mechanism, element, frames.t))
        for name, element in find_applied_forces(mechanism)
    }
    if frames.memory.shape[1] == 0:
        return forces
    data = sample_contacts(mechanism, frames)
    for names in mechanism.contact_names:
        outputs = contact_outputs(names)
        place, force = (
            np.stack([outputs[quantity][2](data) for quantity in axes], axis=1)
            for axes in (("x", "y", "z"), ("fx", "fy", "fz"))
        )
        forces[names.name] = place, force
    return forces
