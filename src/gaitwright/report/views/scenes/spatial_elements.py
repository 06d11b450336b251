"""Drawing of connections in a spatial mechanism other than joints: rods, actuators, rails of sliders, springs, gear wheels;
supports of their ends on the ground; and bodies with many points as plates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gaitwright.geometry.rotation import matrix_of
from gaitwright.geometry.rotation import quaternion_from_direction as turned_along
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.parts.rigid_body import RigidBodyPart
from gaitwright.physics.attachments import BodyFrame, Place
from gaitwright.physics.parameters import VECTOR_PARAMETERS, Direction
from gaitwright.report.scenes.spatial_scene import JointMark, SceneSolid, SpatialScene
from gaitwright.report.views.scenes.planar_elements import (
    RAIL_OVERHANG_RATIO,
    SPIRAL_RADIUS_RATIO,
    TWO_POINT_KINDS,
    actuator_points,
    pitch_radii,
)
from gaitwright.result.outputs import StateHistory

ROD_RADIUS_RATIO, PISTON_RADIUS_RATIO, BARREL_RADIUS_RATIO, RAIL_RADIUS_RATIO, WIRE_RADIUS_RATIO = (
    0.006,
    0.008,
    0.018,
    0.005,
    0.003,
)
"""Radii, relative to the size of the mechanism."""
GEAR_RADIUS_RATIO, GEAR_WIDTH_RATIO = 0.09, 0.025
"""Radius of the larger of two gears with non-parallel axes, and width of all gears, relative to the size of the mechanism."""
PLATE_HALF_THICKNESS_RATIO = 0.012
"""Half the thickness of a plate, relative to the size of the mechanism."""
MIN_UPRIGHT_COSINE = 0.3
"""Cosine between a direction and gravity above which a support is vertical."""

AttachmentPoses = dict[str, tuple[np.ndarray, np.ndarray]]


def local_attachment_points(element: MechanismElement) -> dict[str, np.ndarray]:
    """Attachment points of an element on its bodies, (3,), m, in their frames, by attachment name."""
    points, first = {}, 0
    for (name, kind), family in zip(element.declaration.attachments.items(), element.families, strict=True):
        count = len(family.markers[type(kind)].parameters)
        if isinstance(kind, (Place, BodyFrame)):
            points[name] = np.asarray(element.parameters[first : first + count], dtype=float)
        first += count
    return points


def attachment_poses(motion: StateHistory, element: MechanismElement) -> AttachmentPoses:
    """Position (n_times, 3), m, and axes as columns (n_times, 3, 3; (n_times, 3, 0) without axes) of every attachment point
    of an element, by attachment name."""
    attached = zip(element.declaration.attachments.items(), element.families, element.coordinates, strict=True)
    markers = {name: (family.markers[type(kind)], index) for (name, kind), family, index in attached}
    poses = {}
    for name, local in local_attachment_points(element).items():
        marker, index = markers[name]
        at = marker.build(*motion.q[:, index].T, *local)  # the ground is the last column of q, which is zero
        axes = [np.stack(np.broadcast_arrays(*axis), axis=1) for axis in at.axes]
        poses[name] = np.stack(at.position, axis=1), np.stack(axes, axis=2) if axes else np.zeros((motion.t.size, 3, 0))
    return poses


def joint_axis(element: MechanismElement, ends: AttachmentPoses) -> np.ndarray | None:
    """The axis of a joint, (n_times, 3); None if it has none."""
    declaration = element.declaration
    kinds = zip(declaration.attachments.values(), element.families, strict=True)
    first = sum(len(family.markers[type(kind)].parameters) for kind, family in kinds)
    for name, parameter in declaration.parameters.items():
        if name == "axis" and isinstance(parameter, Direction):
            local = np.asarray(element.parameters[first : first + 3], dtype=float)
            return ends[parameter.frame][1] @ local
        first += 3 if isinstance(parameter, VECTOR_PARAMETERS) else 1
    return None


def add_connections(scene: SpatialScene, mechanism: Mechanism, frames: StateHistory) -> None:
    """Add rods, actuators, rails and springs, with their joints, to a scene."""
    for names, element in (*mechanism.attached(), *mechanism.acting()):
        kind = names.declaration.drawn_as
        if kind == "spiral":
            _add_spiral(scene, mechanism, names, frames)
        if kind == "guide":
            _add_rail(scene, mechanism, names, element, frames)
        if kind not in TWO_POINT_KINDS:
            continue
        start, end = (at for at, _ in list(attachment_poses(frames, element).values())[:2])
        if kind == "spring":
            scene.springs[names.name] = np.stack([start, end], axis=1)
        else:
            scene.lines[names.name] = np.stack([start, end], axis=1)
            scene.thickness[names.name] = ROD_RADIUS_RATIO if kind == "rod" else PISTON_RADIUS_RATIO
            scene.joints += [JointMark(names.name, "ball", at) for at in (start, end)]
        if kind == "actuator":
            scene.lines[f"{names.name}, barrel"] = actuator_points(start, end)[:, :2]
            scene.thickness[f"{names.name}, barrel"] = BARREL_RADIUS_RATIO
        scene.held = scene.held or "ground" in names.bodies[:2]


def ground_end_supports(
    mechanism: Mechanism, frames: StateHistory, size: float, up: np.ndarray
) -> Iterator[SceneSolid]:
    """A cone below every end of a rod, an actuator or a spring on the ground. size: of the scene, m."""
    for names, element in (*mechanism.attached(), *mechanism.acting()):
        if names.declaration.drawn_as in TWO_POINT_KINDS and "ground" in names.bodies[:2]:
            k = names.bodies.index("ground")
            start, end = (at[0] for at, _ in list(attachment_poses(frames, element).values())[:2])
            at, other_end = (start, end) if k == 0 else (end, start)
            away = at - other_end
            length = float(np.linalg.norm(away))
            away = away / length if length else -up
            if abs(away @ up) > MIN_UPRIGHT_COSINE:
                away = np.sign(away @ up) * up
            yield support_cone(names.name, at, away, size)


def free_ground_points(mechanism: Mechanism, scene: SpatialScene) -> Iterator[SceneSolid]:
    """A small ball at every ground point without other symbols."""
    size = scene.size()
    drawn = [joint.position[0] for joint in scene.joints]
    drawn += [ends[0, k] for ends in (*scene.lines.values(), *scene.springs.values()) for k in (0, -1)]
    for name, at in mechanism.ground_points.items():
        if not any(np.linalg.norm(np.asarray(at) - drawn_place) <= 1e-6 * size for drawn_place in drawn):
            yield SceneSolid(name, "sphere", (0.008 * size,), at)


def support_cone(name: str, at: np.ndarray, away: np.ndarray, size: float) -> SceneSolid:
    """A cone with its tip at a point, opening away from the mechanism."""
    return SceneSolid(name, "cone", (0.025 * size, 0.05 * size), at + 0.025 * size * away, turned_along(-away))


def _add_rail(
    scene: SpatialScene, mechanism: Mechanism, names: Any, element: MechanismElement, frames: StateHistory
) -> None:
    """Add the rail of a slider, as long as its path."""
    ends = attachment_poses(frames, element)
    axis = joint_axis(element, ends)
    if axis is None or "a" not in ends or "b" not in ends:
        return
    start, end = ends["a"][0], ends["b"][0]
    travel, room = ((end - start) * axis).sum(axis=1), RAIL_OVERHANG_RATIO * mechanism.size
    label = f"{names.name}, rail"
    scene.lines[label] = np.stack([start + s * axis for s in (travel.min() - room, travel.max() + room)], axis=1)
    scene.thickness[label] = RAIL_RADIUS_RATIO


def _add_spiral(scene: SpatialScene, mechanism: Mechanism, names: Any, frames: StateHistory) -> None:
    """Add a torsion spring at the hinge of its two bodies."""
    bodies = set(names.bodies[:2])
    for hinge, element in mechanism.attached():
        if hinge.kind != "joint" or hinge.declaration.name != "revolute" or set(hinge.bodies) != bodies:
            continue
        ends = attachment_poses(frames, element)
        axis = joint_axis(element, ends)
        if axis is None:
            return
        at, frame = ends["b"][0], ends["b"][1]
        first = frame[:, :, int(np.argmin(np.abs(np.einsum("nij,ni->nj", frame, axis)[0])))]  # rotates with the body
        first = first - (first * axis).sum(axis=1, keepdims=True) * axis
        first /= np.linalg.norm(first, axis=1, keepdims=True)
        second, part = np.cross(axis, first), np.linspace(0.35, 1.0, 40)
        angle, radius = 5.0 * np.pi * part, SPIRAL_RADIUS_RATIO * mechanism.size * part
        across = np.cos(angle)[:, None] * first[:, None] + np.sin(angle)[:, None] * second[:, None]
        scene.lines[names.name] = at[:, None] + radius[:, None] * across
        scene.thickness[names.name] = WIRE_RADIUS_RATIO
        return


# Gears --------------------------------------------------------------------------------------------------------------


class GearHinge(NamedTuple):
    """A hinge: its second body, its position in that body's frame, m, and its position, m, and axis in the drawn pose."""

    body: str
    local: np.ndarray
    at: np.ndarray
    axis: np.ndarray


def gear_wheels(mechanism: Mechanism, frames: StateHistory) -> Iterator[tuple[str, SceneSolid]]:
    """Discs of gears between two hinges, each with the body that it rotates with."""
    hinges = dict(_find_hinges(mechanism, frames))
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
        radii = _gear_radii(first, second, ratio, mechanism.size)
        for hinge, radius in zip((first, second), radii or (), strict=False):
            part = mechanism.part(hinge.body)
            axis = matrix_of(frames.q[:1, part.index])[0].T @ hinge.axis
            size = (radius, GEAR_WIDTH_RATIO * mechanism.size)
            yield hinge.body, SceneSolid(hinge.body, "cylinder", size, hinge.local, turned_along(axis))


def _find_hinges(mechanism: Mechanism, frames: StateHistory) -> Iterator[tuple[str, GearHinge]]:
    for names, element in mechanism.attached():
        if names.kind == "joint" and names.declaration.name == "revolute" and names.bodies[1] != "ground":
            ends = attachment_poses(frames, element)
            axis = joint_axis(element, ends)
            if axis is not None:
                place = ends["b"][0][0]
                yield names.name, GearHinge(names.bodies[1], local_attachment_points(element)["b"], place, axis[0])


def _gear_radii(a: GearHinge, b: GearHinge, ratio: float, size: float) -> tuple[float, float] | None:
    """Pitch radii if the axes are parallel; otherwise wheels of a default size, in the ratio of the gear."""
    cosine = float(a.axis @ b.axis)
    if abs(cosine) > 1.0 - 1e-9:
        between = b.at - a.at
        return pitch_radii(ratio * np.sign(cosine), float(np.linalg.norm(between - (between @ a.axis) * a.axis)))
    part = abs(ratio)
    return (
        (GEAR_RADIUS_RATIO * size * min(part, 1.0), GEAR_RADIUS_RATIO * size * min(1.0 / part, 1.0)) if part else None
    )


# Plates -------------------------------------------------------------------------------------------------------------


def body_plate(body: RigidBodyPart, size: float) -> SceneSolid | None:
    """Solid spanned by the points of a body with three or more points: a plate if they are coplanar, otherwise their hull.
    None if they are collinear."""
    from scipy.spatial import ConvexHull, QhullError

    points = np.array(list(body.points.values()), dtype=float).reshape(-1, 3)
    if len(points) < 3:
        return None
    middle = points.mean(axis=0)
    _, stretch, axes = np.linalg.svd(points - middle)
    if stretch[1] < 1e-6 * stretch[0]:
        return None
    if stretch[2] < 0.05 * stretch[0]:  # nearly flat: add a visible thickness
        half = PLATE_HALF_THICKNESS_RATIO * size * axes[2]
        points = np.concatenate([points - half, points + half])
    try:
        hull = ConvexHull(points)
    except QhullError:
        return None
    faces, outward = hull.simplices, hull.equations[:, :3]
    corners = points[faces]
    turned = (np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) * outward).sum(axis=1) < 0.0
    faces = np.where(turned[:, None], faces[:, ::-1], faces)
    return SceneSolid(body.name, "mesh", vertices=points, faces=faces)
