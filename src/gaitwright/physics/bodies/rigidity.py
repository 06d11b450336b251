"""Rigidity of a spatial body: its axes stay perpendicular unit vectors. Paper 004 Eq 3.9 to 3.12."""

from gaitwright.physics.attachments import Orientation
from gaitwright.physics.declarations import Rigidity
from gaitwright.physics.symbolic import dot


class OrthonormalAxes(Rigidity):
    """Phi = ((v_i . v_i - 1) / 2, v_i . v_j).

    Halved, so that the gradient of every row has the size of an axis."""

    name = "orthonormal"
    dimensions = (3,)
    attachments = {"body": Orientation("rigid body")}
    rows = {
        "length_1": ("", "1"), "length_2": ("", "1"), "length_3": ("", "1"),
        "angle_12": ("", "1"), "angle_23": ("", "1"), "angle_31": ("", "1"),
    }  # fmt: skip

    @staticmethod
    def residual(body):
        v1, v2, v3 = body.axes
        lengths = tuple((dot(v, v) - 1) / 2 for v in body.axes)
        return (*lengths, dot(v1, v2), dot(v2, v3), dot(v3, v1))
