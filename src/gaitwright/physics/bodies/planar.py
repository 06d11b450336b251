"""Planar rigid body: q = (x, y, theta), the position of the centre of mass and the angle, counter-clockwise.

A point with body coordinates s = (s_x, s_y) is at r = (x, y) + A(theta) s (paper 003 Eq 2.1, 2.3).
The ground is a body of this family with constant zero coordinates.
"""

from __future__ import annotations

from typing import Any

from gaitwright.physics.attachments import BodyFrame, Centre, CountedAngle, Orientation, Place, Point
from gaitwright.physics.bodies.marker import Marker
from gaitwright.physics.declarations import Family, LinearExpression, MarkerConstraint, MarkerKind
from gaitwright.physics.symbolic import cos, rotate, sin


def _orientation(theta: Any) -> Marker:
    return Marker((), (cos(theta), sin(theta)), theta, True)


def _point(x: Any, y: Any, theta: Any, s_x: Any, s_y: Any) -> Marker:
    along_x, along_y = rotate((s_x, s_y), theta)
    return _orientation(theta)._replace(position=(x + along_x, y + along_y))


class PlanarMarkerConstraint(MarkerConstraint):
    """Position and axis of a point of a body."""

    name = "marker"
    attachments = {"body": BodyFrame("point of a rigid body")}
    rows = {"x": ("", "m"), "y": ("", "m"), "u": ("", "1"), "v": ("", "1")}

    @staticmethod
    def residual(body):
        return (*body.position, *body.axis)


class PlanarRigidBody(Family):
    """Family of the three coordinates of a planar body."""

    name = "planar"
    coordinates = ("x", "y", "theta")
    units = ("m", "m", "rad")
    fused = True
    marking = PlanarMarkerConstraint
    markers = {
        Place: MarkerKind((0, 1, 2), ("s_x", "s_y"), _point),
        Point: MarkerKind((0, 1, 2), ("s_x", "s_y"), _point),
        BodyFrame: MarkerKind((0, 1, 2), ("s_x", "s_y"), _point),
        Orientation: MarkerKind((2,), (), _orientation),
        CountedAngle: MarkerKind((2,), (), _orientation),
        Centre: MarkerKind((0, 1), (), lambda x, y: Marker((x, y), (), None, False)),
    }

    @staticmethod
    def still(*local: Any) -> dict[tuple[Any, ...], LinearExpression]:
        x, y = local or (0.0, 0.0)
        values = {("position", 0): x, ("position", 1): y, ("axis", 0, 0): 1.0, ("axis", 0, 1): 0.0}
        return {key: LinearExpression(value, ()) for key, value in values.items()}
