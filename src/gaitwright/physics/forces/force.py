"""A force at a point, constant or a function of time, in the ground frame or turning with the body."""

from gaitwright.physics.attachments import Place, Point
from gaitwright.physics.declarations import Effect, Force
from gaitwright.physics.parameters import Choice, Signal

FORCE_PARAMETER = Signal("N", "components", vector=True)
FRAME_PARAMETER = Choice({"ground": 0.0, "body": 1.0}, "frame of the components", "ground")


class PointForce(Force):
    """F = value(t) in the ground frame (dead load), at any place with a position, or in the frame of the body (follower load),
    at a place with axes.

    Counted as a load: its work appears in the energy balance, not in the potential."""

    name = "force"
    dimensions = (2, 3)
    drawn_as = "load"
    attachments = {"at": Place("point of application")}
    parameters = {"value": FORCE_PARAMETER, "frame": FRAME_PARAMETER}

    @staticmethod
    def effect(at, value, frame):
        return Effect(loads=tuple(zip(value, at.position, strict=True)))

    @classmethod
    def expand(cls, fields):
        return [(FollowerForce if fields["frame"] == "body" else cls, fields)]


class FollowerForce(Force):
    """Point force in the frame of the body. Its tangent is not symmetric."""

    name = "follower-force"
    dimensions = (2, 3)
    attachments = {"at": Point("point of application")}
    parameters = {"value": FORCE_PARAMETER, "frame": FRAME_PARAMETER}

    @staticmethod
    def effect(at, value, frame):
        return Effect(loads=tuple(zip(at.direction(value), at.position, strict=True)))
