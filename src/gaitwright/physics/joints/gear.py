"""Gear pair: the angles of two bodies relative to a carrier keep a ratio; in space, the travels of two joints."""

from gaitwright.physics.attachments import CountedAngle, JointTravel
from gaitwright.physics.declarations import Joint, Number
from gaitwright.physics.parameters import DRAWN


class Gear(Joint):
    """b turns `ratio` times as far as a, both relative to the carrier (the ground unless given).

    Phi = (theta_b - theta_c) - ratio (theta_a - theta_c) - offset. External gears with z_a and z_b teeth have
    ratio = -z_a / z_b, internal ones +z_a / z_b. Reaction: torque on b. The forces between the teeth, and therefore the
    bearing loads, are not modelled: the joint transmits pure torques."""

    name = "gear"
    drawn_as = "gear"
    attachments = {
        "a": CountedAngle("driving body"),
        "b": CountedAngle("driven body"),
        "carrier": CountedAngle("body that carries the bearings", default="ground"),
    }
    parameters = {
        "ratio": Number("1", "turns of b per turn of a"),
        "offset": Number("rad", "angle of b when a is at zero; as drawn unless given", DRAWN),
    }
    rows = {"torque": ("N m", "rad")}

    @staticmethod
    def residual(a, b, carrier, ratio, offset):
        return ((b.angle - carrier.angle) - ratio * (a.angle - carrier.angle) - offset,)

    @staticmethod
    def drawn(a, b, carrier, ratio):
        return {"offset": (b.angle - carrier.angle) - ratio * (a.angle - carrier.angle)}


class SpatialGear(Joint):
    """The joint b turns, or slides, `ratio` times as far as the joint a, over any number of turns.

    Phi = travel_b - ratio travel_a - offset; the travel of a hinge is its angle and that of a slider its displacement, counted
    from the drawn pose unless the joint specifies another zero. Reaction: torque on the second body of b about its axis, or
    force along it; -ratio times as much acts on that of a. Two hinges on a common body with external gears of z_a and z_b
    teeth have ratio = -z_a / z_b if their axes point in the same direction; axes may have any directions, as for bevel gears.
    The forces between the teeth are not modelled. Both joints have to be revolute or prismatic.

    Stands for one or two conditions of joints/travel.py, on a counter of the joint a."""

    name = "gear"
    dimensions = (3,)
    stands_for_others = True
    attachments = {"a": JointTravel("driving joint"), "b": JointTravel("joint that follows")}
    parameters = {
        "ratio": Number("1", "travel of b per travel of a"),
        "offset": Number("1", "travel of b when a is at zero, rad or m; as drawn unless given", DRAWN),
    }
    rows = {"torque": ("N m", "rad")}
