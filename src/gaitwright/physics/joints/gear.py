"""Gear pair: the angles of two bodies keep a ratio, both seen from a carrier."""

from gaitwright.physics.declare import DRAWN, Joint, Number, Turns


class Gear(Joint):
    """b turns `ratio` times as far as a, both relative to the carrier (the ground unless given).

    Phi = (theta_b - theta_c) - ratio (theta_a - theta_c) - offset. External gears with z_a and z_b teeth have
    ratio = -z_a / z_b, internal ones +z_a / z_b. Reaction: torque on b. The forces between the teeth, and with them the
    bearing loads, are not modelled: the joint transmits pure torques."""

    name = "gear"
    attachments = {
        "a": Turns("driving body"),
        "b": Turns("driven body"),
        "carrier": Turns("body that carries the bearings", default="ground"),
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
