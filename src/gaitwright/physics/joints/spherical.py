"""Spherical joint (ball and socket): two points coincide."""

from gaitwright.physics.attachments import Place
from gaitwright.physics.declarations import Joint
from gaitwright.physics.symbolic import minus


class Spherical(Joint):
    """Phi = r_b - r_a. Leaves all three rotations free."""

    name = "spherical"
    dimensions = (3,)
    drawn_as = "ball"
    attachments = {"a": Place("point of the reference body"), "b": Place("point held there")}
    rows = {"x": ("", "m"), "y": ("", "m"), "z": ("", "m")}

    @staticmethod
    def residual(a, b):
        return minus(b.position, a.position)
