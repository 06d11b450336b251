"""Where a foot comes in a model: names and poses of its bodies, which all speeds share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.foot.anatomy import Anatomy, Core
from gaitwright.geometry.rotation import matrix_of
from gaitwright.mesh.kinds import Array
from gaitwright.model.model import Model

GROUND = "ground"


@dataclass(frozen=True)
class Placing:
    """A foot in a model. name: begins all names; bodies: that of each core; hinges: names of joints; contacts: of its sole,
    one or one per core. at: m, where the origin of the foot stands as drawn; angle (rad) and axis: how it is turned there."""

    name: str
    bodies: Mapping[str, str]
    hinges: tuple[str, ...]
    at: tuple[float, float, float]
    angle: float
    axis: tuple[float, float, float]
    contacts: tuple[str, ...] = ()

    @property
    def turned(self) -> dict[str, Any]:
        """As a solid says it."""
        return {"angle": self.angle, "axis": list(self.axis)} if self.angle else {}

    @property
    def rotation(self) -> Array:
        """From the frame of the foot to that of the ground (3, 3), as drawn."""
        x, y, z = self.axis
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        return np.eye(3) + math.sin(self.angle) * cross + (1.0 - math.cos(self.angle)) * cross @ cross

    def to_ground(self, points: Any) -> Array:
        """Points (..., 3) of the frame of the foot in that of the ground, m, as drawn."""
        return np.asarray(points) @ self.rotation.T + np.array(self.at)


def put_bodies(
    model: Model, found: Anatomy, name: str, body: str | None, at: Sequence[float], angle: float, axis: Sequence[float],
    points: Mapping[str, Array], cores: Sequence[Core],
) -> Placing:  # fmt: skip
    """Bodies of cores and their hinges. cores: with or without their tissue. body: what carries the rearfoot, or None for a
    body of its own; points: more places of the rearfoot, m, in the frame of the foot."""
    here = At(f"foot '{name}'")
    if len(at) != 3 or len(axis) != 3 or not any(axis):
        here["at" if len(at) != 3 else "axis"].fail("is no vector of space", list(at), "three numbers, m")
    direction = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    bodies = {core.name: f"{name}_{core.name}" for core in found.cores}
    if body is not None:
        bodies["rearfoot"] = body
    hinges = tuple(f"{name}_{hinge.name}" for hinge in found.hinges)
    placing = Placing(
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
        model.revolute(a, b, axis=_axis_in(model, bodies[hinge.a], placing, hinge.axis, body), name=joint)
        model.joint_spring(
            joint, stiffness=hinge.stiffness, damping=hinge.damping, rest_angle=hinge.rest, name=f"{joint}_spring"
        )
    return placing


def _axis_in(model: Model, name: str, placing: Placing, axis: Array, body: str | None) -> list[float]:
    """An axis of the foot in the frame of a body."""
    if name != body:
        return axis.tolist()
    return (pose_of(model, name)[1].T @ placing.rotation @ axis).tolist()


def pose_of(model: Model, body: str) -> tuple[Array, Array]:
    """Origin (3,), m, and rotation (3, 3) of a body as it is drawn."""
    if body == GROUND:
        return np.zeros(3), np.eye(3)
    drawn = model.mechanism().parts[body].drawn
    return drawn[:3], matrix_of(drawn[None])[0]


def _add_points(model: Model, body: str, points: Mapping[str, Array], here: At) -> None:
    """Points of the ground frame as those of a body, where it is drawn."""
    if body == GROUND:
        for name, x in points.items():
            model.ground_point(name, *map(float, x))
        return
    document = model.document
    known = {entry.name: entry for entry in (*document.bodies, *document.links)}
    if body not in known:
        here["body"].fail(f"there is no body '{body}'", expected=offer(body, [*known, GROUND]))
    origin, rotation = pose_of(model, body)
    known[body].points.update({name: (rotation.T @ (x - origin)).tolist() for name, x in points.items()})
