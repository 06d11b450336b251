"""A force at a point, constant or a function of time, in the ground frame or turning with the body."""

from gaitwright.physics.declare import Choice, Effect, Force, Point, Signal
from gaitwright.physics.symbolic import plus, times


class PointForce(Force):
    """F = value(t) in the ground frame (dead load) or in the frame of the body (follower load).

    Counted as a load: its work appears in the energy balance, not in the potential. A follower load has an
    unsymmetric tangent."""

    name = "force"
    dimensions = (2, 3)
    attachments = {"at": Point("point of application")}
    parameters = {
        "value": Signal("N", "components", vector=True),
        "frame": Choice({"ground": 0.0, "body": 1.0}, "frame of the components", "ground"),
    }

    @staticmethod
    def effect(at, value, frame):
        # One kernel for both frames: `frame` is 0 or 1.
        force = plus(times(1 - frame, value), times(frame, at.direction(value)))
        return Effect(loads=tuple(zip(force, at.position, strict=True)))
