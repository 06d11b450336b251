"""Penalty: a pressure that grows with the penetration, for surfaces that deform themselves."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.family import PowerLaw
from gaitwright.physics.declare import Number, Parameter


class Penalty(PowerLaw):
    """p = eps d (1 + c d'): what keeps the points of a surface out of another, not what the bodies are made of.

    On a region of a solid it is a pressure, eps in Pa/m, and what bends is the solid; eps h = 50 E unless given, with the
    length h of its sides and Young's modulus E, leaves a penetration of p h / (50 E), which nobody sees. More makes the
    equations stiffer, not better: what is left is the error of the mesh. Of a single point it is a spring, eps in N/m. c, s/m,
    takes energy from what bounces; the force begins and ends at zero. Source: P. Wriggers, Computational Contact Mechanics
    (2006), ch. 6.3; c as in Hunt and Crossley (1975)."""

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
