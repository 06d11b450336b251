"""A force at a point, constant or a function of time, in the ground frame or turning with the body."""

from gaitwright.physics.declare import Choice, Effect, Force, Point, Signal
from gaitwright.physics.symbolic import rotate


class PointForce(Force):
    """F = value(t) in the ground frame (dead load) or in the frame of the body (follower load).

    Counted as a load: its work appears in the energy balance, not in the potential. A follower load has an
    unsymmetric tangent."""

    name = "force"
    attachments = {"at": Point("point of application")}
    parameters = {
        "value": Signal("N", "components [x, y]", size=2),
        "frame": Choice({"ground": 0.0, "body": 1.0}, "frame of the components", "ground"),
    }

    @staticmethod
    def effect(at, value, frame):
        # The angle times 0 or 1 keeps one kernel for both frames.
        f_x, f_y = rotate(value, frame * at.angle)
        x, y = at.position
        return Effect(loads=((f_x, x), (f_y, y)))
