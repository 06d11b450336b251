"""Spatial rigid body in fully Cartesian coordinates: q = (r, v1, v2, v3), the position of its reference point and its three
axes in the ground frame, 12 numbers (paper 004 Eq 3.8).

A point or vector with body coordinates s is linear in them (Eq 3.18 to 3.25):

    r_P = r + s_x v1 + s_y v2 + s_z v3 = C_P q         a = a_x v1 + a_y v2 + a_z v3 = C_a q

so its velocity and acceleration are C q' and C q'', a force f at P is C_P^T f (Eq 3.27), and joints are polynomials of
second degree. The mass matrix is constant; see geometry/inertia.py. Six conditions keep the axes perpendicular unit vectors:
rigidity.py.

The tables hold d_i = v_i - e_i instead of v_i, with e_i the axes of the ground: then all coordinates of the ground are
zero, and it is a body of this family like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gaitwright.physics.attachments import BodyFrame, Centre, Orientation, Place, Point
from gaitwright.physics.declarations import Family, LinearExpression, MarkerKind
from gaitwright.physics.symbolic import Vector, dot

UNIT_AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


class SpatialMarker(NamedTuple):
    """Marker of a spatial body. position: m. axes: v1, v2, v3. named: function through which parts of longer expressions pass;
    `derive/` gives them names, so that the differentiated expressions stay short."""

    position: Vector
    axes: Vector
    named: Callable[[Any], Any] = lambda value: value

    def direction(self, vector: Vector) -> Vector:
        """A vector of the body frame in the ground frame."""
        parts = (sum(a * axis[k] for a, axis in zip(vector, self.axes, strict=True)) for k in range(3))
        return tuple(self.named(part) for part in parts)

    def local(self, vector: Vector) -> Vector:
        """A vector of the ground frame in the body frame."""
        return tuple(dot(axis, vector) for axis in self.axes)


def _orientation(*d: Any) -> SpatialMarker:
    rows = (d[0:3], d[3:6], d[6:9])
    axes = tuple(
        tuple(e + x for e, x in zip(unit, row, strict=True)) for unit, row in zip(UNIT_AXES, rows, strict=True)
    )
    return SpatialMarker((), axes)


def _point(x: Any, y: Any, z: Any, *rest: Any) -> SpatialMarker:
    body, s = _orientation(*rest[:9]), rest[9:]
    arm = body.direction(s)
    return body._replace(position=tuple(r + a for r, a in zip((x, y, z), arm, strict=True)))


LOCAL_COORDINATES = ("s_x", "s_y", "s_z")


class SpatialRigidBody(Family):
    """Family of the twelve coordinates of a rigid body: position and d_i = v_i - e_i."""

    name = "spatial"
    dimension = 3
    coordinates = ("x", "y", "z", *(f"d{i}{axis}" for i in (1, 2, 3) for axis in "xyz"))
    units = ("m", "m", "m", *("1",) * 9)
    markers = {
        Place: MarkerKind(tuple(range(12)), LOCAL_COORDINATES, _point),
        Point: MarkerKind(tuple(range(12)), LOCAL_COORDINATES, _point),
        BodyFrame: MarkerKind(tuple(range(12)), LOCAL_COORDINATES, _point),
        Centre: MarkerKind(tuple(range(12)), LOCAL_COORDINATES, _point),
        Orientation: MarkerKind(tuple(range(3, 12)), (), _orientation),
    }

    @staticmethod
    def components(*local: Any) -> dict[tuple[Any, ...], LinearExpression]:
        s = local or (0.0, 0.0, 0.0)
        places = {
            ("position", k): LinearExpression(s[k], ((k, 1.0), (3 + k, s[0]), (6 + k, s[1]), (9 + k, s[2])))
            for k in range(3)
        }
        axes = {
            ("axis", m, k): LinearExpression(float(m == k), ((3 + 3 * m + k, 1.0),)) for m in range(3) for k in range(3)
        }
        return {**places, **axes}
