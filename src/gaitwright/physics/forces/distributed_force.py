"""A force spread along a beam, constant or a function of time."""

from gaitwright.physics.beams.quadrature import GAUSS3
from gaitwright.physics.declarations import Effect, ElementSpan, Force, Number
from gaitwright.physics.parameters import DRAWN, Choice, Signal


class DistributedForce(Force):
    """f = value(t) per unit length along a whole beam: in the ground frame per unstressed length (a dead load), or along
    tangent and normal per current length (a follower load, such as pressure).

    Three Gauss points per element integrate its work exactly: r is cubic and r_x quadratic along the element."""

    name = "distributed-force"
    attachments = {"beam": ElementSpan("loaded beam")}
    parameters = {
        "value": Signal("N/m", "components [x, y], or [tangential, normal]", vector=True),
        "frame": Choice({"ground": 0.0, "body": 1.0}, "frame of the components", "ground"),
        "length": Number("m", "of the element", DRAWN),
    }

    @staticmethod
    def effect(beam, value, frame, length):
        loads = []
        for xi, weight in GAUSS3:
            (x, y), (u, v), part = beam.r(xi, length), beam.r_x(xi, length), weight * length
            f_x = value[0] + frame * (value[0] * (u - 1) - value[1] * v)
            f_y = value[1] + frame * (value[0] * v + value[1] * (u - 1))
            loads += [(part * f_x, x), (part * f_y, y)]
        return Effect(loads=tuple(loads))

    @staticmethod
    def drawn(beam):
        return {"length": beam.length}
