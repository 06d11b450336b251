"""Universal joint (Cardan's): two points coincide and two axes, one of each body, stay perpendicular."""

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.attachments import Point
from gaitwright.physics.declarations import Joint
from gaitwright.physics.parameters import DRAWN, Direction
from gaitwright.physics.symbolic import cross3, dot, minus

MAX_AXES_COSINE = 0.2
"""Largest cosine of the angle between the axes as drawn; a larger one indicates an input error."""


class Universal(Joint):
    """Phi = (r_b - r_a, axis_a . axis_b). Leaves a rotation about either axis free."""

    name = "universal"
    dimensions = (3,)
    drawn_as = "ball"
    attachments = {"a": Point("point of the reference body"), "b": Point("point held there")}
    parameters = {
        "axis": Direction("a", "the axis that is fixed in a, in its frame"),
        "axis_b": Direction("b", "the axis that is fixed in b, in its frame", DRAWN),
    }
    rows = {"x": ("", "m"), "y": ("", "m"), "z": ("", "m"), "square": ("", "1")}

    @staticmethod
    def residual(a, b, axis, axis_b):
        return (*minus(b.position, a.position), dot(a.direction(axis), b.direction(axis_b)))

    @staticmethod
    def drawn(a, b, axis, axis_b=None):
        if axis_b is None:
            ErrorContext(field="axis_b").fail("is missing", expected="the second axis of the cross, in the frame of b")
        cosine = dot(a.direction(axis), b.direction(axis_b))
        if abs(cosine) > MAX_AXES_COSINE:
            suggested = tuple(round(x, 6) for x in b.local(cross3(a.direction(axis), b.direction(axis_b))))
            ErrorContext(field="axis_b").fail(
                "is not perpendicular to the axis of a in the drawn pose",
                list(axis_b),
                f"an axis across it, such as {list(suggested)}" if any(suggested) else "an axis across it",
            )
        return {"axis_b": axis_b}
