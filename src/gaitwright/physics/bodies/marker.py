"""Markers: the quantities of an attachment to a body that declarations use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gaitwright.physics.symbolic import Vector, dot, norm, perpendicular


class Marker(NamedTuple):
    """position: m. axis: along the x axis of the body or the tangent of the beam; a unit vector for rigid bodies only.
    angle: of the axis against the ground's, rad; counts: True if it counts full turns. named: function through which parts of
    longer expressions pass; `derive/` may give them names, so that the differentiated expressions stay short."""

    position: Vector
    axis: Vector
    angle: Any
    counts: bool
    named: Callable[[Any], Any] = lambda value: value

    def direction(self, vector: Vector) -> Vector:
        """A vector of the body frame (of tangent and normal of a beam) in the ground frame."""
        t_x, t_y = self.tangent
        return (t_x * vector[0] - t_y * vector[1], t_y * vector[0] + t_x * vector[1])

    @property
    def tangent(self) -> Vector:
        """The axis as a unit vector."""
        if self.counts:
            return self.axis
        return tuple(part / norm(self.axis) for part in self.axis)

    @property
    def axes(self) -> tuple[Vector, Vector]:
        """The axis and the perpendicular one, unit vectors."""
        return self.tangent, perpendicular(self.tangent)

    def local(self, vector: Vector) -> Vector:
        """A vector of the ground frame in the body frame."""
        return tuple(dot(axis, vector) for axis in self.axes)


GROUND_MARKER = Marker((0, 0), (1, 0), 0, True)
"""The origin of the ground and its x axis."""
