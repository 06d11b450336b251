"""Bushing: an elastic joint with stiffness and damping in all six directions."""

from typing import Any

from gaitwright.physics.attachments import Point
from gaitwright.physics.declarations import Effect, Force
from gaitwright.physics.joints.fixed import WELD_PARAMETERS, drawn_axes
from gaitwright.physics.parameters import Components
from gaitwright.physics.symbolic import Vector, dot, minus, rate


def relative_deformation(a: Any, b: Any, first: Vector, second: Vector, last: Vector) -> tuple[list[Any], list[Any]]:
    """Displacement d of b and its rotation e relative to a, both in the frame of a. e is the axis times the sine of the
    angle: half of the sum of x_a x x_b over the three axes."""
    shift = minus(b.position, a.position)
    x, y, z = (b.direction(axis) for axis in (first, second, last))
    a_x, a_y, a_z = a.axes
    turned = [(dot(a_z, y) - dot(a_y, z)) / 2, (dot(a_x, z) - dot(a_z, x)) / 2, (dot(a_y, x) - dot(a_x, y)) / 2]
    return [a.named(dot(axis, shift)) for axis in a.axes], [a.named(part) for part in turned]


class Bushing(Force):
    """V = sum k_i d_i^2 / 2 + sum kappa_i e_i^2 / 2, R the same with the rates, in the frame of a; unstressed as drawn.

    d: displacement of b from a. e: rotation of b from the drawn relative orientation, as axis times sine of the angle; so the
    torque is linear for small angles and has its largest value at a quarter turn, where a real bushing would have failed."""

    name = "bushing"
    dimensions = (3,)
    drawn_as = "ball"
    attachments = {"a": Point("one side, whose frame the stiffnesses belong to"), "b": Point("other side")}
    parameters = {
        "stiffness": Components("N/m", "k along x, y, z of a", minimum=0.0),
        "torsional_stiffness": Components("N m/rad", "kappa about x, y, z of a", (0.0, 0.0, 0.0), minimum=0.0),
        "damping": Components("N s/m", "along x, y, z of a", (0.0, 0.0, 0.0), minimum=0.0),
        "torsional_damping": Components("N m s/rad", "about x, y, z of a", (0.0, 0.0, 0.0), minimum=0.0),
        **WELD_PARAMETERS,
    }
    observed = {
        **{f"d{axis}": ("m", f"displacement of b along {axis} of a") for axis in "xyz"},
        **{f"e{axis}": ("rad", f"rotation of b about {axis} of a, as a sine") for axis in "xyz"},
        **{f"f{axis}": ("N", f"force on b along {axis} of a") for axis in "xyz"},
        **{f"m{axis}": ("N m", f"torque on b about {axis} of a, for small rotations") for axis in "xyz"},
    }

    @staticmethod
    def effect(a, b, stiffness, torsional_stiffness, damping, torsional_damping, first, second, last):
        d, e = relative_deformation(a, b, first, second, last)
        elastic = zip((*stiffness, *torsional_stiffness), (*d, *e), strict=True)
        viscous = zip((*damping, *torsional_damping), (*d, *e), strict=True)
        return Effect(
            potential=sum(k * x**2 for k, x in elastic) / 2, dissipation=sum(c * rate(x) ** 2 for c, x in viscous) / 2
        )

    @staticmethod
    def observe(a, b, stiffness, torsional_stiffness, damping, torsional_damping, first, second, last):
        d, e = relative_deformation(a, b, first, second, last)
        forces = [-k * x - c * rate(x) for k, c, x in zip(stiffness, damping, d, strict=True)]
        torques = [-k * x - c * rate(x) for k, c, x in zip(torsional_stiffness, torsional_damping, e, strict=True)]
        return dict(zip(Bushing.observed, [*d, *e, *forces, *torques], strict=True))

    drawn = staticmethod(drawn_axes)
