"""Planar rigid body: (x, y, theta), with its origin at the centre of mass (physics/bodies/planar.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gaitwright.mechanism.parts.base import PartOutline, PartOutput, PlaceCoordinates
from gaitwright.mechanism.parts.rigid_body import RigidBodyPart, ground_fields
from gaitwright.mechanism.tables import Array
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.declarations import Family
from gaitwright.physics.symbolic import rotate

PLANAR_BODY_OUTPUTS = {
    "x": ("m", "x of the centre of mass", lambda m, i: m.q[:, i[0]]),
    "y": ("m", "y of the centre of mass", lambda m, i: m.q[:, i[1]]),
    "angle": ("rad", "angle against the x axis, counter-clockwise", lambda m, i: m.q[:, i[2]]),
    "vx": ("m/s", "velocity of the centre of mass along x", lambda m, i: m.v[:, i[0]]),
    "vy": ("m/s", "velocity of the centre of mass along y", lambda m, i: m.v[:, i[1]]),
    "spin": ("rad/s", "angular velocity", lambda m, i: m.v[:, i[2]]),
    "ax": ("m/s^2", "acceleration of the centre of mass along x", lambda m, i: m.a[:, i[0]]),
    "ay": ("m/s^2", "acceleration of the centre of mass along y", lambda m, i: m.a[:, i[1]]),
    "angular_acceleration": ("rad/s^2", "angular acceleration", lambda m, i: m.a[:, i[2]]),
}
MAX_BLOCK_HALF_SIDE_RATIO = 0.2
"""Maximum half side, relative to the size of the mechanism, of the square that represents a body's inertia in graphics."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanarBodyPart(RigidBodyPart):
    """Planar link or body."""

    family: type[Family] = PlanarRigidBody
    middle: PlaceCoordinates = (0.0, 0.0)
    turns: ClassVar[int | None] = 2

    def coordinates(self) -> list[tuple[str, str]]:
        return [(f"{self.name}.x", "m"), (f"{self.name}.y", "m"), (f"{self.name}.angle", "rad")]

    def motion_at(self, motion: Any, local: PlaceCoordinates) -> tuple[Array, Array, Array]:
        x, y, theta = self.index
        arm = np.stack(rotate(local, motion.q[:, theta]), axis=1)
        across = np.stack([-arm[:, 1], arm[:, 0]], axis=1)
        w, alpha = motion.v[:, theta, None], motion.a[:, theta, None]
        return (
            motion.q[:, [x, y]] + arm,
            motion.v[:, [x, y]] + w * across,
            motion.a[:, [x, y]] + alpha * across - w**2 * arm,
        )

    def carried(self, places: Array) -> tuple[type[Family], Array, Array]:
        return self.family, self.index, places

    def position(self, q: Array, local: PlaceCoordinates) -> Array:
        x, y = rotate(local, q[..., self.index[2]])
        return q[..., self.index[:2]] + np.stack([x, y], axis=-1)

    def positions(self, q: Array, places: Array) -> Array:
        x, y = rotate(tuple(places.T), q[..., self.index[2], None])
        return q[..., None, self.index[:2]] + np.stack([x, y], axis=-1)

    def velocity_at(self, local: PlaceCoordinates) -> tuple[Array, Callable[[Array], Array]]:
        def rows(pose: Array) -> Array:
            x, y = rotate(local, pose[2])
            return np.array([[1.0, 0.0, -y], [0.0, 1.0, x]])

        return self.index, rows

    def outputs(self) -> Iterator[PartOutput]:
        for quantity, (unit, text, value) in PLANAR_BODY_OUTPUTS.items():
            yield PartOutput(quantity, unit, text, _coordinate_output(value, self.index))

    def outline(self, q: Array, size: float) -> Iterator[PartOutline]:
        points, closed = self.hull(MAX_BLOCK_HALF_SIDE_RATIO * size)
        kind = "link" if self.kind == "link" and not closed else "body"
        yield PartOutline(kind, self.positions(q, points), closed)

    def hull(self, largest: float) -> tuple[Array, bool]:
        """Return its outline in its own frame, in drawing order, and True if it is closed. A body without points is drawn as
        the square block of its inertia; `largest` (m) limits the distance from side to centre."""
        points = np.array(list(self.points.values()), dtype=float).reshape(-1, 2)
        if not points.any():
            half = min((1.5 * self.inertia / self.mass) ** 0.5, largest)
            return half * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]), True
        if len(points) <= 1:
            points = np.vstack([np.zeros((1, 2)), points])
        if len(points) <= 2:
            return points, False
        centre = points.mean(axis=0)
        order = np.argsort(np.arctan2(*(points - centre).T[::-1]))
        spread = np.linalg.matrix_rank(points - centre, tol=1e-9 * np.abs(points).max(initial=1e-300))
        if spread < 2:
            along = points @ (points[-1] - points[0])
            return points[[int(np.argmin(along)), int(np.argmax(along))]], False
        return points[order], True


def planar_ground(points: Mapping[str, PlaceCoordinates]) -> PlanarBodyPart:
    """The ground as a planar body with these points."""
    return PlanarBodyPart(name="ground", kind="ground", points=points, inertia=0.0, **ground_fields(3))


def _coordinate_output(value: Any, index: Array) -> Callable[[Any], Array]:
    return lambda motion: value(motion, index)
