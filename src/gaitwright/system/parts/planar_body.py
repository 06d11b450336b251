"""Rigid body of the plane: (x, y, theta), whose origin is its centre of mass (physics/bodies/planar.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gaitwright.physics.bodies.planar import Planar
from gaitwright.physics.declare import Family
from gaitwright.physics.symbolic import rotate
from gaitwright.system.parts.base import Local, Outline, OutputOf
from gaitwright.system.parts.body import Body, grounded
from gaitwright.system.tables import Array

WHOLE = {
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
BLOCK = 0.2
"""Half the side, in sizes of the mechanism, that the block of a body's inertia has at most in a picture."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanarBody(Body):
    """A link or body of the plane."""

    family: type[Family] = Planar
    middle: Local = (0.0, 0.0)
    turns: ClassVar[int | None] = 2

    def coordinates(self) -> list[tuple[str, str]]:
        return [(f"{self.name}.x", "m"), (f"{self.name}.y", "m"), (f"{self.name}.angle", "rad")]

    def motion_at(self, motion: Any, local: Local) -> tuple[Array, Array, Array]:
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

    def position(self, q: Array, local: Local) -> Array:
        x, y = rotate(local, q[..., self.index[2]])
        return q[..., self.index[:2]] + np.stack([x, y], axis=-1)

    def positions(self, q: Array, places: Array) -> Array:
        x, y = rotate(tuple(places.T), q[..., self.index[2], None])
        return q[..., None, self.index[:2]] + np.stack([x, y], axis=-1)

    def velocity_at(self, local: Local) -> tuple[Array, Callable[[Array], Array]]:
        def rows(pose: Array) -> Array:
            x, y = rotate(local, pose[2])
            return np.array([[1.0, 0.0, -y], [0.0, 1.0, x]])

        return self.index, rows

    def outputs(self) -> Iterator[OutputOf]:
        for what, (unit, text, value) in WHOLE.items():
            yield OutputOf(what, unit, text, _of_coordinates(value, self.index))

    def outline(self, q: Array, size: float) -> Iterator[Outline]:
        points, closed = self.hull(BLOCK * size)
        kind = "link" if self.kind == "link" and not closed else "body"
        yield Outline(kind, self.positions(q, points), closed)

    def hull(self, largest: float) -> tuple[Array, bool]:
        """Its outline in its own frame, in drawing order, and whether it is closed. A body without points is the square block
        of its inertia, at most `largest` (m) from side to centre."""
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


def planar_ground(points: Mapping[str, Local]) -> PlanarBody:
    return PlanarBody(name="ground", kind="ground", points=points, inertia=0.0, **grounded(3))


def _of_coordinates(value: Any, index: Array) -> Callable[[Any], Array]:
    return lambda motion: value(motion, index)
