"""Augmented Lagrange: contact without penetration, by pressures that are computed together with the equilibrium."""

import math
from typing import Any, ClassVar

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.contact_laws.base import PowerLaw
from gaitwright.physics.declarations import Number, Parameter


class AugmentedLagrange(PowerLaw):
    """p = <lambda + eps d>, with a pressure lambda of each point that statics computes in rounds: after each, lambda is set to
    the resulting p, until no point penetrates deeper than `tolerance` or is further outside than that while lambda holds it.

    The memory of a point holds lambda / eps, the outward displacement of its surface, so that the law itself is a penalty. eps
    affects the number of rounds (three or four with eps h = 50 E), not the result. In motion lambda is zero: a penalty.
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
            ErrorContext(field="tolerance").fail("cannot be reached", tolerance, "a number of m above 0")

    @staticmethod
    def energy(penetration: Any, stiffness: Any, tolerance: Any) -> Any:
        return stiffness * penetration**2 / 2
