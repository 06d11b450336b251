"""Fixed joint (weld): two points coincide and the relative angle stays."""

from typing import Any

from gaitwright.physics.attachments import Point
from gaitwright.physics.declarations import Joint, Number, Parameter
from gaitwright.physics.parameters import DRAWN, ComputedVector
from gaitwright.physics.symbolic import Vector, dot, minus, turn


class Fixed(Joint):
    """Welds b to a.

    Phi = (r_b - r_a, theta_b - theta_a - angle). Reaction: force (ground frame) and moment on b.
    On a beam the angle is that of its tangent; the stretch there stays free."""

    name = "fixed"
    drawn_as = "pin"
    attachments = {"a": Point("point of the reference body"), "b": Point("point welded to it")}
    parameters = {"angle": Number("rad", "angle of b relative to a; as drawn unless given", DRAWN)}
    rows = {"fx": ("N", "m"), "fy": ("N", "m"), "moment": ("N m", "rad")}

    @staticmethod
    def residual(a, b, angle):
        return (*minus(b.position, a.position), turn(a, b, angle))

    @staticmethod
    def drawn(a, b):
        return {"angle": b.angle - a.angle}


WELD_PARAMETERS: dict[str, Parameter] = {
    "first": ComputedVector("the x axis of a, in the frame of b as drawn"),
    "second": ComputedVector("the y axis of a, in the frame of b as drawn"),
    "last": ComputedVector("the z axis of a, in the frame of b as drawn"),
}


def drawn_axes(a: Any, b: Any) -> dict[str, Vector]:
    """The axes of a in the frame of b in the drawn pose."""
    return {name: b.local(axis) for name, axis in zip(WELD_PARAMETERS, a.axes, strict=True)}


def axes_alignment(a: Any, b: Any, first: Vector, second: Vector, last: Vector) -> tuple[Any, Any, Any]:
    """Three residuals that vanish if these vectors of b coincide with the axes of a."""
    x, y, z = a.axes
    return dot(y, b.direction(last)), dot(z, b.direction(first)), dot(x, b.direction(second))


class SpatialFixed(Joint):
    """Welds b to a, in the drawn relative orientation.

    Phi = (r_b - r_a, y_a . z_b, z_a . x_b, x_a . y_b), with axes of b that coincide with those of a in the drawing."""

    name = "fixed"
    dimensions = (3,)
    attachments = {"a": Point("point of the reference body"), "b": Point("point welded to it")}
    parameters = WELD_PARAMETERS
    rows = {
        "x": ("", "m"), "y": ("", "m"), "z": ("", "m"), "turn_1": ("", "1"), "turn_2": ("", "1"), "turn_3": ("", "1"),
    }  # fmt: skip

    @staticmethod
    def residual(a, b, first, second, last):
        return (*minus(b.position, a.position), *axes_alignment(a, b, first, second, last))

    drawn = staticmethod(drawn_axes)
