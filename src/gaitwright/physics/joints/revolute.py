"""Revolute joint (hinge): two points coincide. Paper 003 Eq 2.3."""

from gaitwright.physics.declare import Joint, Point
from gaitwright.physics.symbolic import minus


class Revolute(Joint):
    """Pins point b to point a.

    Phi = r_b - r_a. Reaction: force on b, ground frame. Leaves one rotation free."""

    name = "revolute"
    drawn_as = "pin"
    attachments = {"a": Point("point of the reference body"), "b": Point("point pinned to it")}
    rows = {"fx": ("N", "m"), "fy": ("N", "m")}

    @staticmethod
    def residual(a, b):
        return minus(b.position, a.position)
