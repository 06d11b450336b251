"""Joints, drives and springs about an axis in space: the vectors they need besides it, and the angle about it.

An axis is a unit vector of body a; (across, third, axis) are three perpendicular unit vectors of a, right-handed. Body b has
the same axis and a vector `across_b` that indicates its angle: zero, or `drawn_angle`, in the drawn pose.
"""

from __future__ import annotations

import math
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.declarations import Number, Parameter
from gaitwright.physics.parameters import DRAWN, ComputedVector, Direction
from gaitwright.physics.symbolic import Vector, atan2, cross3, dot, minus

AXIS_PARAMETER = Direction("a", "axis in the frame of a's body")
AXIS_B_PARAMETER = Direction("b", "the same axis in the frame of b's body; as drawn unless given", DRAWN)
ACROSS_PARAMETER = ComputedVector("perpendicular to the axis, in a")
THIRD_PARAMETER = ComputedVector("axis x across, in a")
ACROSS_B_PARAMETER = ComputedVector("perpendicular to the axis, in b; at the angle of b against `across`")
DRAWN_ANGLE_PARAMETER = Number("rad", "angle of b relative to a in the drawn pose", 0.0)
HINGE_PARAMETERS: dict[str, Parameter] = {
    "axis": AXIS_PARAMETER,
    "axis_b": AXIS_B_PARAMETER,
    "drawn_angle": DRAWN_ANGLE_PARAMETER,
    "across": ACROSS_PARAMETER,
    "third": THIRD_PARAMETER,
    "across_b": ACROSS_B_PARAMETER,
}
"""Parameters of all declarations with an angle about an axis."""
UNIT_VECTOR_ROUNDING_TOL = 1e-15
"""Components of unit vectors below it count as rounding error."""
MIN_AXES_COSINE = 1e-6
"""Cosine of the angle between the axes as drawn below which they would close in the opposite direction."""
JOINT_FIELDS = ("a", "b", "axis", "axis_b", "drawn_angle")
"""Fields that a drive or a force about an axis may take from a joint."""


def perpendiculars(axis: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors perpendicular to a unit vector, right-handed with it."""
    smallest = min(range(3), key=lambda k: abs(axis[k]))
    along = [float(k == smallest) for k in range(3)]
    across = _unit_vector(minus(along, tuple(axis[smallest] * x for x in axis)))
    return across, cross3(axis, across)


def axis_frame(axis: Vector) -> dict[str, Any]:
    """Parameters `across` and `third` of an axis in a."""
    across, third = perpendiculars(axis)
    return {"across": across, "third": third}


def transfer_axis(a: Any, b: Any, axis: Vector) -> Vector:
    """An axis of a in the frame of b in the drawn pose. Rounding errors are set to zero: zero components make joints cheaper
    (mechanism/structural_sparsity.py)."""
    return tuple(0.0 if abs(x) < UNIT_VECTOR_ROUNDING_TOL else x for x in b.local(a.direction(axis)))


def find_across_b(a: Any, b: Any, axis: Vector, axis_b: Vector, drawn_angle: float) -> Vector:
    """The vector of b that gives the drawn pose the angle `drawn_angle`."""
    across, third = perpendiculars(axis)
    c, s = math.cos(drawn_angle), math.sin(drawn_angle)
    direction_b = b.local(a.direction(tuple(c * x + s * y for x, y in zip(across, third, strict=True))))
    along = dot(direction_b, axis_b)  # the axes need not be drawn parallel
    rest = minus(direction_b, tuple(along * x for x in axis_b))
    # If b is drawn with its axis perpendicular to that of a, any vector will do.
    return _unit_vector(rest) if dot(rest, rest) > 1e-12 else perpendiculars(axis_b)[0]


def hinge_vectors(
    a: Any, b: Any, axis: Vector, axis_b: Vector | None = None, drawn_angle: float = 0.0
) -> dict[str, Any]:
    """Values of the hinge parameters that follow from the drawn pose."""
    axis_in_b = transfer_axis(a, b, axis)
    axis_b = axis_in_b if axis_b is None else axis_b
    if dot(axis_in_b, axis_b) <= MIN_AXES_COSINE:
        ErrorContext(field="axis_b").fail(
            "points away from the axis of a in the drawn pose",
            [float(f"{x:.6g}") for x in axis_b],
            f"an axis less than a quarter turn from it, such as {[float(f'{x:.6g}') for x in axis_in_b]}",
        )
    return {"axis_b": axis_b, **axis_frame(axis), "across_b": find_across_b(a, b, axis, axis_b, drawn_angle)}


def angle_about(a: Any, b: Any, across: Vector, third: Vector, across_b: Vector) -> Any:
    """Angle of b relative to a about the axis, rad, from -pi to pi."""
    direction = b.direction(across_b)
    sine, cosine = a.named(dot(a.direction(third), direction)), a.named(dot(a.direction(across), direction))
    return a.named(atan2(sine, cosine))


def axis_alignment(a: Any, b: Any, axis_b: Vector, across: Vector, third: Vector) -> tuple[Any, Any]:
    """Two residuals that vanish if the axis of b is parallel to that of a."""
    direction = b.direction(axis_b)
    return dot(a.direction(across), direction), dot(a.direction(third), direction)


def _unit_vector(vector: Vector) -> Vector:
    size = math.sqrt(dot(vector, vector))
    return tuple(x / size for x in vector)
