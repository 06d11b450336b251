"""Beam element with one axial strain and a constant bending stiffness matrix. Paper 002 Eq 8-23, after Takahashi and
Shimizu 2001."""

from gaitwright.physics.declarations import ELEMENT_LENGTH, Effect, Elasticity, Number
from gaitwright.physics.symbolic import dot, minus, norm


class Takahashi(Elasticity):
    """V = EA l (|r_1 - r_0| / l - 1)^2 / 2 + int EI |r_xx|^2 dx / 2, where r_xx is linear between the ends.

    The strain is that of the chord, so bent elements are too short (Eq 9), and |r_xx| is the curvature only where
    stretching is small (Eq 16). A straight unstressed shape; no membrane locking."""

    name = "takahashi"
    parameters = {
        "length": ELEMENT_LENGTH,
        "axial_stiffness": Number("N", "axial stiffness E A"),
        "bending_stiffness": Number("N m^2", "bending stiffness E I"),
    }
    along = {name: (name, 0.5) for name in ("axial_stiffness", "bending_stiffness")}

    @staticmethod
    def effect(element, length, axial_stiffness, bending_stiffness):
        strain = norm(minus(element.end, element.start)) / length - 1
        a, b = element.r_xx(0, length), element.r_xx(1, length)
        bent = length * (dot(a, a) + dot(a, b) + dot(b, b)) / 3
        return Effect(potential=axial_stiffness * length * strain**2 / 2 + bending_stiffness * bent / 2)
