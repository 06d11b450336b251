"""Augmented Lagrange: contact without penetration, by pressures that are found along with the equilibrium."""

import math
from typing import Any, ClassVar

from gaitwright.checks import At
from gaitwright.physics.contact_laws.family import PowerLaw
from gaitwright.physics.declare import Number, Parameter


class AugmentedLagrange(PowerLaw):
    """p = <lambda + eps d>, with a pressure lambda of each point that statics finds in rounds: after each, lambda is the p that
    was found, until no point is deeper inside than `tolerance` or pulled that far off while lambda holds it.

    The memory of a point holds lambda / eps, by which its surface is moved outwards, so that the law itself is a penalty. eps
    decides how many rounds it takes (three or four with eps h = 50 E), not what comes out. In motion lambda is zero: a penalty.
    Source: J. C. Simo, T. A. Laursen, Comput. Struct. 42 (1992) 97-116 (Uzawa's rounds)."""

    name = "augmented-lagrange"
    valid = "Surfaces of solids at rest."
    remembers = False
    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": Number("Pa/m", "eps", minimum=0.0),
        "tolerance": Number("m", "largest penetration that may be left", 1e-6, minimum=0.0),
    }

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, stiffness: Any, tolerance: Any) -> Any:
        return stiffness * penetration

    @classmethod
    def check(cls, *, stiffness: float, tolerance: float = 1e-6) -> None:
        super().check(stiffness=stiffness)
        if not 0 < tolerance < math.inf:
            At(field="tolerance").fail("cannot be reached", tolerance, "a number of m above 0")

    @staticmethod
    def energy(penetration: Any, stiffness: Any, tolerance: Any) -> Any:
        return stiffness * penetration**2 / 2
