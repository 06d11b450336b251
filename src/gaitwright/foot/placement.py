"""Placement of a foot in a model: names and poses of its bodies, common to all speeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.foot.anatomy import FootAnatomy, FootCore
from gaitwright.geometry.rotation import matrix_of
from gaitwright.mesh.cell_kinds import Array
from gaitwright.model.model import Model

GROUND_NAME = "ground"


@dataclass(frozen=True)
class FootPlacement:
    """A foot in a model. name: prefix of all names; bodies: that of each core; hinges: names of joints; contacts: of
    its sole, one, or one per core. at: m, position of the foot's origin, as drawn; angle (rad) and axis: rotation
    there."""

    name: str
    bodies: Mapping[str, str]
    hinges: tuple[str, ...]
    at: tuple[float, float, float]
    angle: float
    axis: tuple[float, float, float]
    contacts: tuple[str, ...] = ()

    @property
    def turned(self) -> dict[str, Any]:
        """Rotation as keyword arguments of a solid."""
        return {"angle": self.angle, "axis": list(self.axis)} if self.angle else {}

    @property
    def rotation(self) -> Array:
        """Rotation matrix (3, 3) from the frame of the foot to that of the ground, as drawn."""
        x, y, z = self.axis
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        return np.eye(3) + math.sin(self.angle) * cross + (1.0 - math.cos(self.angle)) * cross @ cross

    def to_ground(self, points: Any) -> Array:
        """Transform points (..., 3) from the frame of the foot to that of the ground, m, as drawn."""
        return np.asarray(points) @ self.rotation.T + np.array(self.at)


def add_foot_bodies(
    model: Model, found: FootAnatomy, name: str, body: str | None, at: Sequence[float], angle: float, axis: Sequence[float],
    points: Mapping[str, Array], cores: Sequence[FootCore],
) -> FootPlacement:  # fmt: skip
    """Add bodies of cores and their hinges. cores: with or without their tissue. body: carries the rearfoot, or None
    for a new body; points: more points of the rearfoot, m, in the frame of the foot."""
    here = ErrorContext(f"foot '{name}'")
    if len(at) != 3 or len(axis) != 3 or not any(axis):
        here["at" if len(at) != 3 else "axis"].fail("is no vector of space", list(at), "three numbers, m")
    direction = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    bodies = {core.name: f"{name}_{core.name}" for core in found.cores}
    if body is not None:
        bodies["rearfoot"] = body
    hinges = tuple(f"{name}_{hinge.name}" for hinge in found.hinges)
    placing = FootPlacement(
        name, bodies, hinges, (float(at[0]), float(at[1]), float(at[2])), float(angle),
        (float(direction[0]), float(direction[1]), float(direction[2])),
    )  # fmt: skip
    places = {core.name: dict(points) if core.name == "rearfoot" else {} for core in found.cores}
    for hinge in found.hinges:
        places[hinge.a][hinge.name] = places[hinge.b][hinge.name] = hinge.at
    for core in cores:
        if core.name == "rearfoot" and body is not None:
            _add_points(model, body, {f"{name}_{p}": placing.to_ground(x) for p, x in places["rearfoot"].items()}, here)
            continue
        model.body(
            bodies[core.name], mass=core.mass, inertia=core.inertia.tolist(), at=list(placing.at),
            centre=core.centre.tolist(), points={f"{name}_{p}": x.tolist() for p, x in places[core.name].items()},
            orientation={"axes": placing.rotation.T.tolist()} if placing.angle else None,
        )  # fmt: skip
    for hinge, joint in zip(found.hinges, hinges, strict=True):
        a, b = (f"{bodies[core]}.{name}_{hinge.name}" for core in (hinge.a, hinge.b))
        model.joint.revolute(
            a, b, axis=_axis_in_body_frame(model, bodies[hinge.a], placing, hinge.axis, body), name=joint
        )
        model.force.joint_spring(
            joint, stiffness=hinge.stiffness, damping=hinge.damping, rest_angle=hinge.rest, name=f"{joint}_spring"
        )
    return placing


def _axis_in_body_frame(model: Model, name: str, placing: FootPlacement, axis: Array, body: str | None) -> list[float]:
    """Transform an axis of the foot to the frame of a body."""
    if name != body:
        return axis.tolist()
    return (drawn_pose(model, name)[1].T @ placing.rotation @ axis).tolist()


def drawn_pose(model: Model, body: str) -> tuple[Array, Array]:
    """Origin (3,), m, and rotation (3, 3) of a body as drawn."""
    if body == GROUND_NAME:
        return np.zeros(3), np.eye(3)
    drawn = model.mechanism().parts[body].drawn
    return drawn[:3], matrix_of(drawn[None])[0]


def _add_points(model: Model, body: str, points: Mapping[str, Array], here: ErrorContext) -> None:
    """Add points given in the ground frame to a body, in its drawn pose."""
    if body == GROUND_NAME:
        for name, x in points.items():
            model.ground_point(name, *map(float, x))
        return
    document = model.document
    known = {entry.name: entry for entry in (*document.bodies, *document.links)}
    if body not in known:
        here["body"].fail(f"there is no body '{body}'", expected=format_choices(body, [*known, GROUND_NAME]))
    origin, rotation = drawn_pose(model, body)
    known[body].points.update({name: (rotation.T @ (x - origin)).tolist() for name, x in points.items()})
