"""What connects the bodies of a spatial mechanism besides joints, as it is drawn: rods, actuators, rails of sliders, springs,
wheels of gears; what carries their ends on the ground; and bodies with many points as plates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gaitwright.geometry.quaternions import along as turned_along
from gaitwright.geometry.rotation import matrix_of
from gaitwright.physics.declare import VECTORS, Direction, Frame, Place
from gaitwright.report.spatial_scene import JointMark, Solid, SpaceScene
from gaitwright.report.views.planar_elements import BETWEEN, OVER, SPIRAL, barrel, pitch_radii
from gaitwright.result.outputs import Motion
from gaitwright.system.blocks import Element
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.body import Body

ROD, PISTON, BARREL, RAIL, WIRE = 0.006, 0.008, 0.018, 0.005, 0.003
"""Radii, in sizes of the mechanism."""
WHEEL, WIDTH = 0.09, 0.025
"""Radius of the larger of two gears whose axes are not parallel, and width of all, in sizes of the mechanism."""
PLATE = 0.012
"""Half the thickness of a plate, in sizes of the mechanism."""
UPRIGHT = 0.3
"""Part of a direction along gravity from which on a support stands upright."""

Ends = dict[str, tuple[np.ndarray, np.ndarray]]


def locals_of(element: Element) -> dict[str, np.ndarray]:
    """Where an element is attached to its bodies, (3,), m, in their frames, by the name of the attachment."""
    found, first = {}, 0
    for (name, kind), family in zip(element.declaration.attachments.items(), element.families, strict=True):
        count = len(family.markers[type(kind)].parameters)
        if isinstance(kind, (Place, Frame)):
            found[name] = np.asarray(element.parameters[first : first + count], dtype=float)
        first += count
    return found


def ends_of(motion: Motion, element: Element) -> Ends:
    """Position (n_times, 3), m, and axes as columns (n_times, 3, 3; none where there are no axes) of every point that an
    element attaches to, by the name of the attachment."""
    attached = zip(element.declaration.attachments.items(), element.families, element.coordinates, strict=True)
    markers = {name: (family.markers[type(kind)], index) for (name, kind), family, index in attached}
    found = {}
    for name, local in locals_of(element).items():
        marker, index = markers[name]
        at = marker.build(*motion.q[:, index].T, *local)  # the ground is the last column of q, which is zero
        axes = [np.stack(np.broadcast_arrays(*axis), axis=1) for axis in at.axes]
        found[name] = np.stack(at.position, axis=1), np.stack(axes, axis=2) if axes else np.zeros((motion.t.size, 3, 0))
    return found


def axis_of(element: Element, ends: Ends) -> np.ndarray | None:
    """The axis of a joint, (n_times, 3), if it has one."""
    declaration = element.declaration
    kinds = zip(declaration.attachments.values(), element.families, strict=True)
    first = sum(len(family.markers[type(kind)].parameters) for kind, family in kinds)
    for name, parameter in declaration.parameters.items():
        if name == "axis" and isinstance(parameter, Direction):
            local = np.asarray(element.parameters[first : first + 3], dtype=float)
            return ends[parameter.frame][1] @ local
        first += 3 if isinstance(parameter, VECTORS) else 1
    return None


def add_connections(scene: SpaceScene, mechanism: Mechanism, frames: Motion) -> None:
    """Rods, actuators, rails and springs of a scene, with what they stand on."""
    for names, element in (*mechanism.attached(), *mechanism.acting()):
        kind = names.declaration.drawn_as
        if kind == "spiral":
            _add_spiral(scene, mechanism, names, frames)
        if kind == "guide":
            _add_rail(scene, mechanism, names, element, frames)
        if kind not in BETWEEN:
            continue
        start, end = (at for at, _ in list(ends_of(frames, element).values())[:2])
        if kind == "spring":
            scene.springs[names.name] = np.stack([start, end], axis=1)
        else:
            scene.lines[names.name] = np.stack([start, end], axis=1)
            scene.thickness[names.name] = ROD if kind == "rod" else PISTON
            scene.joints += [JointMark(names.name, "ball", at) for at in (start, end)]
        if kind == "actuator":
            scene.lines[f"{names.name}, barrel"] = barrel(start, end)[:, :2]
            scene.thickness[f"{names.name}, barrel"] = BARREL
        scene.held = scene.held or "ground" in names.bodies[:2]


def stands(mechanism: Mechanism, frames: Motion, size: float, up: np.ndarray) -> Iterator[Solid]:
    """A cone below every end of a rod, an actuator or a spring that is on the ground. size: of what is seen, m."""
    for names, element in (*mechanism.attached(), *mechanism.acting()):
        if names.declaration.drawn_as in BETWEEN and "ground" in names.bodies[:2]:
            k = names.bodies.index("ground")
            start, end = (at[0] for at, _ in list(ends_of(frames, element).values())[:2])
            at, other = (start, end) if k == 0 else (end, start)
            away = at - other
            length = float(np.linalg.norm(away))
            away = away / length if length else -up
            if abs(away @ up) > UPRIGHT:
                away = np.sign(away @ up) * up
            yield support(names.name, at, away, size)


def free_points(mechanism: Mechanism, scene: SpaceScene) -> Iterator[Solid]:
    """A small ball at every point of the ground where nothing else is drawn."""
    size = scene.size()
    drawn = [joint.position[0] for joint in scene.joints]
    drawn += [ends[0, k] for ends in (*scene.lines.values(), *scene.springs.values()) for k in (0, -1)]
    for name, at in mechanism.ground_points.items():
        if not any(np.linalg.norm(np.asarray(at) - other) <= 1e-6 * size for other in drawn):
            yield Solid(name, "sphere", (0.008 * size,), at)


def support(name: str, at: np.ndarray, away: np.ndarray, size: float) -> Solid:
    """A cone with its tip at a point, which widens away from the mechanism."""
    return Solid(name, "cone", (0.025 * size, 0.05 * size), at + 0.025 * size * away, turned_along(-away))


def _add_rail(scene: SpaceScene, mechanism: Mechanism, names: Any, element: Element, frames: Motion) -> None:
    """The line along which something slides, as long as its way."""
    ends = ends_of(frames, element)
    axis = axis_of(element, ends)
    if axis is None or "a" not in ends or "b" not in ends:
        return
    start, end = ends["a"][0], ends["b"][0]
    way, room = ((end - start) * axis).sum(axis=1), OVER * mechanism.size
    label = f"{names.name}, rail"
    scene.lines[label] = np.stack([start + s * axis for s in (way.min() - room, way.max() + room)], axis=1)
    scene.thickness[label] = RAIL


def _add_spiral(scene: SpaceScene, mechanism: Mechanism, names: Any, frames: Motion) -> None:
    """A torsion spring about the hinge of its two bodies."""
    bodies = set(names.bodies[:2])
    for hinge, element in mechanism.attached():
        if hinge.kind != "joint" or hinge.declaration.name != "revolute" or set(hinge.bodies) != bodies:
            continue
        ends = ends_of(frames, element)
        axis = axis_of(element, ends)
        if axis is None:
            return
        at, frame = ends["b"][0], ends["b"][1]
        first = frame[:, :, int(np.argmin(np.abs(np.einsum("nij,ni->nj", frame, axis)[0])))]  # turns with the body
        first = first - (first * axis).sum(axis=1, keepdims=True) * axis
        first /= np.linalg.norm(first, axis=1, keepdims=True)
        second, part = np.cross(axis, first), np.linspace(0.35, 1.0, 40)
        angle, radius = 5.0 * np.pi * part, SPIRAL * mechanism.size * part
        across = np.cos(angle)[:, None] * first[:, None] + np.sin(angle)[:, None] * second[:, None]
        scene.lines[names.name] = at[:, None] + radius[:, None] * across
        scene.thickness[names.name] = WIRE
        return


# Gears --------------------------------------------------------------------------------------------------------------


class Hinge(NamedTuple):
    """The second body of a hinge, where that is in its frame, m, and in the drawn pose its place, m, and its axis."""

    body: str
    local: np.ndarray
    at: np.ndarray
    axis: np.ndarray


def wheels(mechanism: Mechanism, frames: Motion) -> Iterator[tuple[str, Solid]]:
    """Discs of gears between two hinges, each with the body that it turns with."""
    hinges = dict(_hinges(mechanism, frames))
    for names, element in mechanism.attached():
        if names.declaration.name != "hinge-travel" or names.kind != "joint":
            continue
        *bodies, counter = names.bodies
        first = hinges.get(counter.removesuffix(".counter"))
        second = next((hinge for hinge in hinges.values() if hinge.body == bodies[-1] and hinge is not first), None)
        if first is None or second is None:
            continue
        names_of = list(names.declaration.parameters)
        after = sum(1 for name in names_of[names_of.index("ratio") :])
        ratio = float(element.parameters[len(element.parameters) - after])
        radii = _radii(first, second, ratio, mechanism.size)
        for hinge, radius in zip((first, second), radii or (), strict=False):
            part = mechanism.part(hinge.body)
            axis = matrix_of(frames.q[:1, part.index])[0].T @ hinge.axis
            size = (radius, WIDTH * mechanism.size)
            yield hinge.body, Solid(hinge.body, "cylinder", size, hinge.local, turned_along(axis))


def _hinges(mechanism: Mechanism, frames: Motion) -> Iterator[tuple[str, Hinge]]:
    for names, element in mechanism.attached():
        if names.kind == "joint" and names.declaration.name == "revolute" and names.bodies[1] != "ground":
            ends = ends_of(frames, element)
            axis = axis_of(element, ends)
            if axis is not None:
                place = ends["b"][0][0]
                yield names.name, Hinge(names.bodies[1], locals_of(element)["b"], place, axis[0])


def _radii(a: Hinge, b: Hinge, ratio: float, size: float) -> tuple[float, float] | None:
    """Pitch radii where the axes are parallel; otherwise wheels of some size, in the ratio of the gear."""
    cosine = float(a.axis @ b.axis)
    if abs(cosine) > 1.0 - 1e-9:
        between = b.at - a.at
        return pitch_radii(ratio * np.sign(cosine), float(np.linalg.norm(between - (between @ a.axis) * a.axis)))
    part = abs(ratio)
    return (WHEEL * size * min(part, 1.0), WHEEL * size * min(1.0 / part, 1.0)) if part else None


# Plates -------------------------------------------------------------------------------------------------------------


def plate_of(body: Body, size: float) -> Solid | None:
    """A body with three points or more as what they span: a plate if they lie in a plane, otherwise their hull. None where
    they do not span anything."""
    from scipy.spatial import ConvexHull, QhullError

    points = np.array(list(body.points.values()), dtype=float).reshape(-1, 3)
    if len(points) < 3:
        return None
    middle = points.mean(axis=0)
    _, stretch, axes = np.linalg.svd(points - middle)
    if stretch[1] < 1e-6 * stretch[0]:
        return None
    if stretch[2] < 0.05 * stretch[0]:  # nearly flat: with a thickness that is seen
        half = PLATE * size * axes[2]
        points = np.concatenate([points - half, points + half])
    try:
        hull = ConvexHull(points)
    except QhullError:
        return None
    faces, outward = hull.simplices, hull.equations[:, :3]
    corners = points[faces]
    turned = (np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) * outward).sum(axis=1) < 0.0
    faces = np.where(turned[:, None], faces[:, ::-1], faces)
    return Solid(body.name, "mesh", vertices=points, faces=faces)
