"""Fixed joint (weld): two points coincide and the relative angle stays."""

from gaitwright.physics.declare import DRAWN, Joint, Number, Point
from gaitwright.physics.symbolic import minus, turn


class Fixed(Joint):
    """Welds b to a.

    Phi = (r_b - r_a, theta_b - theta_a - angle). Reaction: force (ground frame) and moment on b.
    On a beam the angle is that of its tangent; the stretch there stays free."""

    name = "fixed"
    drawn_as = "pin"
    attachments = {"a": Point("point of the reference body"), "b": Point("point welded to it")}
    parameters = {"angle": Number("rad", "angle of b relative to a; as drawn unless given", DRAWN)}
    rows = {"fx": ("N", "m"), "fy": ("N", "m"), "moment": ("N m", "rad")}

    @staticmethod
    def residual(a, b, angle):
        return (*minus(b.position, a.position), turn(a, b, angle))

    @staticmethod
    def drawn(a, b):
        return {"angle": b.angle - a.angle}
