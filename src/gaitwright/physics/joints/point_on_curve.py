"""Point on a curve: contact as a constraint with a surface parameter, such as a follower on a cam or a wheel on a rail."""

from gaitwright.physics.attachments import JointTravel, Place, Point
from gaitwright.physics.declarations import Coupling, Joint, Number
from gaitwright.physics.parameters import Formula
from gaitwright.physics.symbolic import dot, minus, norm, perpendicular

CURVE_PARAMETERS = {
    "x": Formula("m", "coordinate of the curve in the frame of a, from point a, as an expression of s", ("s",)),
    "y": Formula("m", "the other coordinate", ("s",)),
}


class PointOnCurve(Joint):
    """Point b stays on the curve (x(s), y(s)), which is fixed in the body of a; it slides along it without friction.

    Phi(q, s, t) = 0 with the surface parameter s as a coordinate without mass and the equation Phi_s^T lambda = 0 (paper 003
    Eq 5.16 to 5.18): the reaction has no part along the curve. Reaction: force on b along the tangent turned by +90 degrees.

    The joint holds in both directions: where the reaction pulls, a real contact would open; use a contact there. Tangent
    and curvature of the curve must be continuous along the path of the point (only the start is checked), and the point
    must stay nearer to the curve than its radius of curvature."""

    name = "point-on-curve"
    drawn_as = "guide"
    stands_for_others = True
    attachments = {"a": Point("origin of the curve"), "b": Place("point that stays on it")}
    parameters = {**CURVE_PARAMETERS, "start": Number("1", "s in the drawn pose, about", 0.0)}
    aliases = {"curve": "a", "point": "b"}
    rows = {"along": ("", "m"), "normal": ("N", "m")}


class CurveContact(Coupling):
    """Phi = (t . d, n . d): d from the place s on the curve to b, t the unit tangent there, n = t turned by +90 degrees."""

    name = "curve-contact"
    stands_for_others = True
    fused = False
    attachments = {**PointOnCurve.attachments, "parameter": JointTravel("surface parameter")}
    parameters = CURVE_PARAMETERS
    rows = PointOnCurve.rows

    @staticmethod
    def residual(a, b, parameter, x, y):
        s = parameter.travel
        offset = minus(minus(b.position, a.position), a.direction((x(s), y(s))))
        tangent = a.direction((x.derivative(s), y.derivative(s)))
        size = norm(tangent)
        return dot(tangent, offset) / size, dot(perpendicular(tangent), offset) / size
