"""What a spatial mechanism looks like: bodies by their shapes or, where none is given, as the uniform solid of their inertia
with bars to their points, or a plate through many; joints with their axes, what connects them (spatial_elements.py), curves of
points and forces of contacts."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from gaitwright.formats.mesh_file import MeshError, read_mesh
from gaitwright.geometry.quaternions import along as turned_along
from gaitwright.geometry.quaternions import rotate
from gaitwright.geometry.rotation import matrix_of, quaternion_of, spin_of
from gaitwright.report.spatial_scene import JointMark, MovingBody, Solid, SpaceScene, plate, terrain
from gaitwright.report.views.solid_picture import bodies_of, solid_frames
from gaitwright.report.views.spatial_beam_picture import beams_of
from gaitwright.report.views.spatial_elements import (
    add_connections,
    axis_of,
    ends_of,
    free_points,
    plate_of,
    stands,
    support,
    wheels,
)
from gaitwright.report.views.traces import traces
from gaitwright.result.between import at_rest, interpolate, never_back
from gaitwright.result.given_forces import components, given_forces
from gaitwright.result.outputs import Motion
from gaitwright.result.touches import along, contact_outputs
from gaitwright.system.blocks import Element
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.base import MARK, Part
from gaitwright.system.parts.body import Body

FEWEST, MOST_STATES = 600, 3000
"""Frames of a picture, and of one in which a body spins fast."""
THIN = 0.012
"""Radius of a bar between the points of a body, in sizes of the mechanism."""
LARGEST = 0.3
"""Half the side, in sizes of the mechanism, that the solid of a body's inertia has at most."""
MOST_SUPPORTS = 60
"""Joints with the ground that are drawn with a support: a field of pendulums needs none."""
ALIKE = 1e-6
"""Relative difference of moments of inertia below which they count as equal."""


def space_scene(
    mechanism: Mechanism,
    motion: Motion,
    *,
    trace: list[str] | None = None,
    forces: bool = False,
    colour: str | None = None,
    include: int | None = None,
    max_frames: int = FEWEST,
) -> SpaceScene:
    """The scene of a motion, thinned to at most `max_frames` frames, or more where something spins fast.

    trace: points such as F, foot.F. forces: arrows, of contacts and given ones. include: a time (its index) to keep.
    colour: quantity along beams that colours them, such as torque; see spatial_beam_picture.py."""
    frames = _frames(mechanism, motion, solid_frames(mechanism, max_frames), include)
    bodies, problems, turning = [], dict[str, None](), dict[str, list[Solid]]()
    for name, wheel in wheels(mechanism, frames):
        turning.setdefault(name, []).append(wheel)
    for name, part in mechanism.parts.items():
        if isinstance(part, Body):
            q = frames.q[:, part.index]
            solids = [*_solids(part, mechanism, problems), *turning.get(name, ())]
            bodies.append(MovingBody(name, q[:, :3], quaternion_of(matrix_of(q)), solids))
        elif part.centre is not None:
            bodies.append(_ball(part, frames, mechanism.size))
    scene = SpaceScene(
        mechanism.name,
        never_back(frames.t),
        bodies,
        up=-np.array(mechanism.gravity),
        deforming=[*bodies_of(mechanism, frames), *beams_of(mechanism, frames, colour)],
    )
    for names, element in mechanism.attached():
        _add_joint(scene, names, element, frames)
    add_connections(scene, mechanism, frames)
    seen = mechanism, frames, scene.size(), scene.up
    scene.ground += itertools.islice(_supports(*seen) if scene.held else (), MOST_SUPPORTS)
    scene.ground += itertools.islice(stands(*seen), MOST_SUPPORTS)
    scene.ground += itertools.islice(free_points(mechanism, scene), MOST_SUPPORTS)
    scene.ground += _shown("ground", mechanism.ground.shapes, problems)
    for problem in problems:
        warnings.warn(f"a mesh is not shown: {problem}", stacklevel=2)
    _add_surfaces(scene, mechanism)
    scene.traces = traces(mechanism, frames, trace)
    if forces:
        scene.forces = _forces(mechanism, frames)
    return scene


def _frames(mechanism: Mechanism, motion: Motion, most: int, include: int | None) -> Motion:
    """The states that are shown, evenly in time; more of them where a body turns fast."""
    kept = [] if include is None else [include]
    spin = max((_turned(motion, body.index) for body in mechanism.body_names.values()), default=0.0)
    most = max(most, min(int(2.0 * spin), MOST_STATES, 60_000 // max(len(mechanism.body_names), 1)))
    first, last, count = motion.t[0], motion.t[-1], min(max(most, 2), motion.t.size)
    keep = np.unique(np.r_[np.linspace(0, motion.t.size - 1, count).round(), kept].astype(int))
    if at_rest(motion) or np.max(np.diff(motion.t[keep]), initial=0.0) < 3.0 * (last - first) / count:
        return Motion(*(x[keep] for x in motion))
    return interpolate(motion, np.union1d(np.linspace(first, last, max(most, 2)), motion.t[kept]))


def _turned(motion: Motion, index: np.ndarray) -> float:
    """How far a body turns altogether, rad: the integral of its angular speed."""
    speed = np.linalg.norm(spin_of(motion.q[:, index], motion.v[:, index]), axis=1)
    return float(np.sum((speed[1:] + speed[:-1]) / 2.0 * np.abs(np.diff(motion.t))))


# Bodies -------------------------------------------------------------------------------------------------------------


def _shown(name: str, shapes: tuple[Any, ...], problems: dict[str, None]) -> list[Solid]:
    """Shapes as they were given; a mesh that cannot be read is left out, and why is put to the problems."""
    solids = []
    for s in shapes:
        where = (tuple(s["size"]), s["at"], quaternion_of(s["rotation"]), s.get("colour"))
        try:
            mesh = read_mesh(s["file"], s["scale"]) if s["kind"] == "mesh" else ()
        except MeshError as error:
            problems[str(error)] = None
        else:
            solids.append(Solid(name, s["kind"], *where, *mesh))
    return solids


def _solids(body: Body, mechanism: Mechanism, problems: dict[str, None]) -> list[Solid]:
    if shown := _shown(body.name, body.shapes, problems):
        return shown
    solids = _touching(mechanism, body.name)
    if not any(np.linalg.norm(np.subtract(ball.at, body.centre)) < ball.size[0] for ball in solids):
        solids = [_of_inertia(body, LARGEST * mechanism.size if mechanism.constraints else np.inf), *solids]
    points = np.array(list(body.points.values()), dtype=float).reshape(-1, 3)
    apart = [point for point in points if all(_outside(solid, point) for solid in solids)]
    if len(apart) > 2 and len(solids) == 1 and (plate := plate_of(body, mechanism.size)) is not None:
        return [plate]
    return [*solids, *(_bar(body, body.centre, point, mechanism) for point in apart)]


def _ball(part: Part, frames: Motion, size: float) -> MovingBody:
    """A part that has no axes, as a small sphere about its centre."""
    upright = np.tile([1.0, 0.0, 0.0, 0.0], (frames.t.size, 1))
    ball = Solid(part.name, "sphere", (MARK * size,))
    return MovingBody(part.name, part.position(frames.q, part.centre or ()), upright, [ball])


def _outside(solid: Solid, point: np.ndarray) -> bool:
    """Whether a point is not in the box around a solid, with a little to spare."""
    turned_back = solid.rotation * (1.0, -1.0, -1.0, -1.0)
    half = np.abs(Solid("box", solid.kind, solid.size).extent()).max(axis=0)
    return bool((np.abs(rotate(turned_back, point - solid.at)) > 1.001 * half).any())


def _bar(body: Body, start: Any, end: Any, mechanism: Mechanism) -> Solid:
    """A bar from one point of a body to another, thin enough to be seen as one."""
    way, middle = np.subtract(end, start), np.add(start, end) / 2.0
    return Solid(body.name, "capsule", (THIN * mechanism.size, float(np.linalg.norm(way))), middle, turned_along(way))


def _of_inertia(body: Body, largest: float) -> Solid:
    """The uniform solid that has the mass and inertia of a body: a sphere, a cylinder or a box. largest: half its side, m."""
    moments, axes = np.linalg.eigh(np.asarray(body.inertia, dtype=float))
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1.0
    m, scale = body.mass, moments[2]
    same = [abs(moments[(k + 1) % 3] - moments[(k + 2) % 3]) <= ALIKE * scale for k in range(3)]
    if all(same):
        return Solid(body.name, "sphere", (min((2.5 * scale / m) ** 0.5, largest),), body.centre)
    if any(same):
        k = same.index(True)  # the axis of symmetry: I_k = m r^2 / 2, the others m r^2 / 4 + m h^2 / 12
        radius = (2.0 * moments[k] / m) ** 0.5
        height = max(12.0 * (moments[(k + 1) % 3] - moments[k] / 2.0) / m, 0.0) ** 0.5
        size = np.minimum((radius, height), (largest, 2.0 * largest))
        thick = np.maximum(size, 0.02 * size.max())  # a rod or a disc without thickness can still be seen
        return Solid(body.name, "cylinder", tuple(thick), body.centre, turned_along(axes[:, k]))
    sides = np.sqrt(np.maximum(6.0 * (moments.sum() - 2.0 * moments) / m, 0.0)).clip(max=2.0 * largest)
    sides = np.maximum(sides, 0.02 * sides.max())
    return Solid(body.name, "box", tuple(sides), body.centre, quaternion_of(axes))


# Joints, springs, curves, forces --------------------------------------------------------------------------------------


def _add_joint(scene: SpaceScene, names: Any, element: Element, frames: Motion) -> None:
    kind = names.declaration.drawn_as
    ends = ends_of(frames, element)
    if names.kind != "joint" or kind not in ("pin", "ball", "guide") or "a" not in ends:
        return
    moving = "b" if names.bodies[1] != "ground" else "a"
    axis = None if kind == "ball" else axis_of(element, ends)
    scene.joints.append(JointMark(names.name.partition(":")[0], kind, ends[moving][0], axis))
    scene.held = scene.held or "ground" in names.bodies


def _supports(mechanism: Mechanism, frames: Motion, size: float, up: np.ndarray) -> Iterator[Solid]:
    """What carries the joints with the ground: a cone for each, with its tip at the joint, on the side where the body is
    not. size: of the mechanism as it is seen, m."""
    for names, element in mechanism.attached():
        if names.kind != "joint" or names.declaration.drawn_as not in ("pin", "ball") or "ground" not in names.bodies:
            continue
        ends = ends_of(frames, element)
        (at, _), other = ends["ab"[names.bodies.index("ground")]], names.bodies[1 - names.bodies.index("ground")]
        part = mechanism.part(other)
        middle = at[0] if part.centre is None else part.position(frames.q[:1], part.centre)[0]
        away, axis = at[0] - middle, axis_of(element, ends)
        if axis is not None:
            away = away - (away @ axis[0]) * axis[0]
        length = float(np.linalg.norm(away))
        away = away / length if length > 1e-9 * size else -up
        yield support(names.name, at[0], away, size)


def _touching(mechanism: Mechanism, body: str) -> list[Solid]:
    """Spheres of a body that touch something, and meshes that something touches, each once, however many contacts it has."""
    found = {}
    for names in mechanism.contact_names:
        if names.bodies[1] == body and names.radius > 0.0:
            at = np.asarray(names.place)
            found.setdefault((*at, names.radius), Solid(names.name, "sphere", (names.radius,), at))
        if names.bodies[0] == body and names.outline.ndim == 2 and len(names.outline) > 2:
            found.setdefault(names.outline.tobytes(), _triangles(names.name, names.outline))
    return list(found.values())


def _add_surfaces(scene: SpaceScene, mechanism: Mechanism) -> None:
    """Surfaces of the ground that contacts touch, each once.

    The outline of a contact in space is a point and the outward normal, (2, 3), of a plane without end, or a grid of points,
    (n, m, 3), of a height field, walked so that n x m points out of it, or corners of triangles, (3 t, 3), of a mesh; other
    surfaces are seen as the bodies that carry them. A level plane is the floor of the picture."""
    outlines = {names.outline.tobytes(): names for names in mechanism.contact_names if names.bodies[0] == "ground"}
    for names in outlines.values():
        if names.outline.ndim == 3:
            scene.ground.append(terrain(names.name, names.outline))
        elif names.outline.shape == (2, 3):
            _add_plane(scene, names.name, *names.outline)
        elif len(names.outline):
            scene.ground.append(_triangles(names.name, names.outline))


def _triangles(name: str, corners: np.ndarray) -> Solid:
    return Solid(name, "mesh", vertices=corners, faces=np.arange(len(corners)).reshape(-1, 3))


def _add_plane(scene: SpaceScene, name: str, point: np.ndarray, normal: np.ndarray) -> None:
    """The floor of the picture if it is level, otherwise a plate below the mechanism."""
    if normal @ scene.up > 1.0 - 1e-9 and scene.floor is None:
        scene.floor = float(point @ scene.up)
        return
    low, high = scene.bounds()
    middle, half = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    foot = middle - ((middle - point) @ normal) * normal
    scene.ground.append(plate(name, foot, normal, 1.2 * half, 0.02 * scene.size()))


def _forces(mechanism: Mechanism, frames: Motion) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Where each contact acts and with which force on the touching body, (n_times, 3) each, or NaN; and given forces."""
    found = {
        name: (ends_of(frames, element)["at"][0], components(mechanism, element, frames.t))
        for name, element in given_forces(mechanism)
    }
    if frames.memory.shape[1] == 0:
        return found
    data = along(mechanism, frames)
    for names in mechanism.contact_names:
        outputs = contact_outputs(names)
        place, force = (
            np.stack([outputs[what][2](data) for what in axes], axis=1)
            for axes in (("x", "y", "z"), ("fx", "fy", "fz"))
        )
        found[names.name] = place, force
    return found
