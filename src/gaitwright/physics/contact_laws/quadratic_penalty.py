"""Quadratic penalty: the contact of paper 004."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import PowerLaw
from gaitwright.physics.declarations import Number, Parameter


class QuadraticPenalty(PowerLaw):
    """p = kappa d^2, with a stiffness that begins at zero, too: no kink for Newton's method, but lightly loaded parts penetrate
    far, 0.03 to 0.9 mm under a foot. kappa h^2 = 1e4 E unless given.

    It is a pressure, kappa in Pa/m^2, on a region of a solid, and a force, kappa in N/m^2, on a single point; paper 004 has it
    as a force of each node, whatever its area, so that a finer mesh is stiffer. Source: R. Courant (1943) and E. Beltrami, J.
    Math. Anal. Appl. 26 (1969) 297-306; paper 004 Eq 4.17."""

    name = "quadratic-penalty"
    valid = "Surfaces of solids; where a small penetration matters, `penalty` or `augmented-lagrange`."
    remembers = False
    parameters: ClassVar[dict[str, Parameter]] = {"stiffness": Number("Pa/m^2", "kappa", minimum=0.0)}

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, stiffness: Any) -> Any:
        return stiffness * penetration**2

    @staticmethod
    def energy(penetration: Any, stiffness: Any) -> Any:
        return stiffness * penetration**3 / 3
