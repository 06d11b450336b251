"""Rack and pinion: a slider moves as far as a wheel of some radius turns."""

from gaitwright.physics.declare import DRAWN, Direction, Frame, Joint, Number, Travel, Turns
from gaitwright.physics.joints.gear import SpatialGear
from gaitwright.physics.symbolic import dot, minus


class Rack(Joint):
    """Point b of the rack moves along an axis of a, which guides it, as the pinion turns relative to a.

    Phi = axis_a . (r_b - r_a) - radius (theta_pinion - theta_a) - offset. Reaction: force on the rack along the axis. A
    negative radius lets the rack move the other way. Guide and bearing are joints of their own; the pressure between the
    teeth is not modelled."""

    name = "rack"
    drawn_as = "rack"
    attachments = {
        "a": Frame("point of the body that guides the rack"),
        "b": Frame("point of the rack"),
        "pinion": Turns("wheel that rolls on it"),
    }
    parameters = {
        "axis": Direction("a", "direction of the rack in the frame of a's body"),
        "radius": Number("m", "travel of the rack per rad of the pinion"),
        "offset": Number("m", "displacement of b from a with the pinion at zero; as drawn unless given", DRAWN),
    }
    rows = {"force": ("N", "m")}

    @staticmethod
    def residual(a, b, pinion, axis, radius, offset):
        return (_along(a, b, axis) - radius * (pinion.angle - a.angle) - offset,)

    @staticmethod
    def drawn(a, b, pinion, axis, radius):
        return {"offset": _along(a, b, axis) - radius * (pinion.angle - a.angle)}


class SpatialRack(Joint):
    """The slider b moves `radius` as far as the hinge a turns: a gear in space between a hinge and a slider.

    Phi = displacement_b - radius angle_a - offset. Reaction: force on the slider along its axis."""

    name = "rack"
    dimensions = (3,)
    stands_for_others = True
    attachments = {"a": Travel("hinge of the pinion", "rad"), "b": Travel("slider of the rack", "m")}
    parameters = {
        "radius": Number("m", "travel of the rack per rad of the pinion"),
        "offset": Number("m", "displacement of the rack with the pinion at zero; as drawn unless given", DRAWN),
    }
    rows = {"force": ("N", "m")}

    @classmethod
    def expand(cls, fields):
        return [(SpatialGear, {**{key: fields[key] for key in ("a", "b", "offset")}, "ratio": fields["radius"]})]


def _along(a, b, axis):
    return dot(a.direction(axis), minus(b.position, a.position))
