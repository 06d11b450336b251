"""Rack and pinion: a slider moves in proportion to the rotation of a wheel."""

from gaitwright.physics.attachments import BodyFrame, CountedAngle, JointTravel
from gaitwright.physics.declarations import Joint, Number
from gaitwright.physics.joints.gear import SpatialGear
from gaitwright.physics.parameters import DRAWN, Direction
from gaitwright.physics.symbolic import dot, minus


class Rack(Joint):
    """Point b of the rack moves along an axis of its guide a, in proportion to the rotation of the pinion relative to a.

    Phi = axis_a . (r_b - r_a) - radius (theta_pinion - theta_a) - offset. Reaction: force on the rack along the axis. A
    negative radius lets the rack move in the opposite direction. Guide and bearing are separate joints; the pressure between
    the teeth is not modelled."""

    name = "rack"
    drawn_as = "rack"
    attachments = {
        "a": BodyFrame("point of the body that guides the rack"),
        "b": BodyFrame("point of the rack"),
        "pinion": CountedAngle("wheel that rolls on it"),
    }
    parameters = {
        "axis": Direction("a", "direction of the rack in the frame of a's body"),
        "radius": Number("m", "travel of the rack per rad of the pinion"),
        "offset": Number("m", "displacement of b from a with the pinion at zero; as drawn unless given", DRAWN),
    }
    rows = {"force": ("N", "m")}

    @staticmethod
    def residual(a, b, pinion, axis, radius, offset):
        return (_displacement_along(a, b, axis) - radius * (pinion.angle - a.angle) - offset,)

    @staticmethod
    def drawn(a, b, pinion, axis, radius):
        return {"offset": _displacement_along(a, b, axis) - radius * (pinion.angle - a.angle)}


class SpatialRack(Joint):
    """The slider b moves `radius` as far as the hinge a turns: a gear in space between a hinge and a slider.

    Phi = displacement_b - radius angle_a - offset. Reaction: force on the slider along its axis."""

    name = "rack"
    dimensions = (3,)
    stands_for_others = True
    attachments = {"a": JointTravel("hinge of the pinion", "rad"), "b": JointTravel("slider of the rack", "m")}
    parameters = {
        "radius": Number("m", "travel of the rack per rad of the pinion"),
        "offset": Number("m", "displacement of the rack with the pinion at zero; as drawn unless given", DRAWN),
    }
    rows = {"force": ("N", "m")}

    @classmethod
    def expand(cls, fields):
        return [(SpatialGear, {**{key: fields[key] for key in ("a", "b", "offset")}, "ratio": fields["radius"]})]


def _displacement_along(a, b, axis):
    return dot(a.direction(axis), minus(b.position, a.position))
