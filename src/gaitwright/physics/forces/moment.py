"""A moment at a point of a beam, constant or a function of time. Paper 002 Eq 26."""

from gaitwright.physics.attachments import Orientation
from gaitwright.physics.declarations import Effect, Force
from gaitwright.physics.parameters import Signal


class Moment(Force):
    """M = value(t), counter-clockwise positive, on the tangent of a beam at a point (or on a body).

    Its virtual work is M times the change of the angle of the tangent, so that the forces on the slopes of a node are
    M (-r_y', r_x') / |r'|^2: they stay a moment under any rotation and stretch."""

    name = "moment"
    attachments = {"at": Orientation("point of a beam, such as rod.end, or body")}
    parameters = {"value": Signal("N m", "moment")}

    @staticmethod
    def effect(at, value):
        return Effect(loads=((value, at.angle),))
