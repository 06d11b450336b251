"""Joints, drives and springs about an axis in space: the vectors they need besides it, and the angle about it.

An axis is a unit vector of body a; (across, third, axis) are three perpendicular unit vectors of a, right-handed. Body b has
the same axis and a vector `across_b` that shows its angle: zero, or `drawn_angle`, in the drawn pose.
"""

from __future__ import annotations

import math
from typing import Any

from gaitwright.checks import At
from gaitwright.physics.declare import DRAWN, Computed, Direction, Number, Parameter
from gaitwright.physics.symbolic import Vector, atan2, cross3, dot, minus

AXIS = Direction("a", "axis in the frame of a's body")
AXIS_B = Direction("b", "the same axis in the frame of b's body; as drawn unless given", DRAWN)
ACROSS, THIRD = Computed("perpendicular to the axis, in a"), Computed("axis x across, in a")
ACROSS_B = Computed("perpendicular to the axis, in b; at the angle of b against `across`")
DRAWN_ANGLE = Number("rad", "angle of b relative to a that the drawn pose stands for", 0.0)
HINGE: dict[str, Parameter] = {
    "axis": AXIS,
    "axis_b": AXIS_B,
    "drawn_angle": DRAWN_ANGLE,
    "across": ACROSS,
    "third": THIRD,
    "across_b": ACROSS_B,
}
"""Parameters of everything that knows the angle about an axis."""
ROUNDING = 1e-15
"""Components of unit vectors below it are rounding."""
OPPOSITE = 1e-6
"""Cosine of the angle between the axes as drawn from which on they would close the wrong way round."""
OF_JOINT = ("a", "b", "axis", "axis_b", "drawn_angle")
"""What a drive or a force about an axis may take from a joint instead."""


def perpendiculars(axis: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors across a unit vector, right-handed with it."""
    least = min(range(3), key=lambda k: abs(axis[k]))
    along = [float(k == least) for k in range(3)]
    across = _unit(minus(along, tuple(axis[least] * x for x in axis)))
    return across, cross3(axis, across)


def frame_of(axis: Vector) -> dict[str, Any]:
    """`across` and `third` of an axis in a."""
    across, third = perpendiculars(axis)
    return {"across": across, "third": third}


def same_axis(a: Any, b: Any, axis: Vector) -> Vector:
    """An axis of a, seen from b in the drawn pose. Rounding is taken off: a component of zero makes joints cheaper, see
    system/sparsity.py."""
    return tuple(0.0 if abs(x) < ROUNDING else x for x in b.local(a.direction(axis)))


def shown_by_b(a: Any, b: Any, axis: Vector, axis_b: Vector, drawn_angle: float) -> Vector:
    """The vector of b that makes the drawn pose the angle `drawn_angle`."""
    across, third = perpendiculars(axis)
    c, s = math.cos(drawn_angle), math.sin(drawn_angle)
    seen = b.local(a.direction(tuple(c * x + s * y for x, y in zip(across, third, strict=True))))
    along = dot(seen, axis_b)  # the axes need not be drawn alike
    rest = minus(seen, tuple(along * x for x in axis_b))
    # Where b is drawn with its axis across that of a, any vector will do.
    return _unit(rest) if dot(rest, rest) > 1e-12 else perpendiculars(axis_b)[0]


def hinge_vectors(
    a: Any, b: Any, axis: Vector, axis_b: Vector | None = None, drawn_angle: float = 0.0
) -> dict[str, Any]:
    """What HINGE leaves to the drawn pose."""
    seen = same_axis(a, b, axis)
    axis_b = seen if axis_b is None else axis_b
    if dot(seen, axis_b) <= OPPOSITE:
        At(field="axis_b").fail(
            "points away from the axis of a in the drawn pose",
            [float(f"{x:.6g}") for x in axis_b],
            f"an axis less than a quarter turn from it, such as {[float(f'{x:.6g}') for x in seen]}",
        )
    return {"axis_b": axis_b, **frame_of(axis), "across_b": shown_by_b(a, b, axis, axis_b, drawn_angle)}


def angle_about(a: Any, b: Any, across: Vector, third: Vector, across_b: Vector) -> Any:
    """Angle of b relative to a about the axis, rad, from -pi to pi."""
    shown = b.direction(across_b)
    sine, cosine = a.named(dot(a.direction(third), shown)), a.named(dot(a.direction(across), shown))
    return a.named(atan2(sine, cosine))


def aligned(a: Any, b: Any, axis_b: Vector, across: Vector, third: Vector) -> tuple[Any, Any]:
    """Two rows that vanish when the axis of b lies along that of a."""
    shown = b.direction(axis_b)
    return dot(a.direction(across), shown), dot(a.direction(third), shown)


def _unit(vector: Vector) -> Vector:
    size = math.sqrt(dot(vector, vector))
    return tuple(x / size for x in vector)
