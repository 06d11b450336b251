"""Ristow: Hertz's spring and a linear dashpot in parallel."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import EXPONENT_PARAMETER, STIFFNESS_PARAMETER, PowerLaw
from gaitwright.physics.declarations import Number, Parameter


class Ristow(PowerLaw):
    """F = K d^n + c d', set to zero where it would pull.

    For n = 3/2 the rebound grows with the speed, from 0 for slow bodies, which real materials do not do. Source: G. H.
    Ristow, J. Phys. I France 2 (1992) 649-662, with c = gamma m; paper 003 Eq 3.4 with a constant D. For n = 1 it is
    Kelvin-Voigt."""

    name = "ristow"
    valid = "One impact speed, at which c was fitted; the force jumps by c v0 at touchdown."
    remembers = False
    jumps = True
    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": STIFFNESS_PARAMETER,
        "damping": Number("N s/m", "c", minimum=0.0),
        "exponent": EXPONENT_PARAMETER,
    }

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, stiffness: Any, damping: Any, exponent: Any) -> Any:
        return stiffness * penetration**exponent + damping * rate
