"""Penalty: a pressure that grows with the penetration, for deformable surfaces."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import PowerLaw
from gaitwright.physics.declarations import Number, Parameter


class Penalty(PowerLaw):
    """p = eps d (1 + c d'): keeps the points of a surface outside of another one; it is no material property.

    On a region of a solid it is a pressure, eps in Pa/m, and the solid itself deforms; eps h = 50 E unless given, with the
    length h of its sides and Young's modulus E, leaves a penetration of p h / (50 E), which is negligible. A larger eps makes
    the equations stiffer, not more accurate: the remaining error is that of the mesh. On a single point it is a spring, eps in
    N/m. c, s/m, dissipates energy of rebounding bodies; the force begins and ends at zero. Source: P. Wriggers, Computational
    Contact Mechanics (2006), ch. 6.3; c as in Hunt and Crossley (1975)."""

    name = "penalty"
    valid = "Surfaces of solids, whose own elasticity is that of the contact."
    remembers = False
    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": Number("Pa/m", "eps", minimum=0.0),
        "damping": Number("s/m", "c", 0.0, minimum=0.0),
    }

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, stiffness: Any, damping: Any) -> Any:
        return stiffness * penetration * (1 + damping * rate)

    @staticmethod
    def energy(penetration: Any, stiffness: Any, damping: Any) -> Any:
        return stiffness * penetration**2 / 2
