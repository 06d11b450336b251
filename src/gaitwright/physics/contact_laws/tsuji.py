"""Tsuji, Tanaka and Ishida: the dashpot that makes the rebound of round bodies independent of the speed."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import PowerLaw
from gaitwright.physics.declarations import Number, Parameter


class Tsuji(PowerLaw):
    """F = K d^(3/2) + c d^(1/4) d', cut off at zero; in the source c = alpha sqrt(m K).

    alpha alone determines the restitution; for small damping e = 1 - pi alpha / sqrt(5). m is the mass of the impacting
    body; in a mechanism it changes with the pose, so c is specified here. The tangent dF/dd is infinite at touchdown, which
    costs implicit methods iterations. Source: Y. Tsuji, T. Tanaka, T. Ishida, Powder Technol. 71 (1992) 239-250."""

    name = "tsuji"
    valid = "Round bodies, any restitution, when the mass that meets the surface is known."
    remembers = False
    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": Number("N/m^1.5", "K", minimum=0.0),
        "damping": Number("N s/m^1.25", "c", minimum=0.0),
    }

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, stiffness: Any, damping: Any) -> Any:
        return stiffness * penetration**1.5 + damping * penetration**0.25 * rate

    @staticmethod
    def energy(penetration: Any, stiffness: Any, damping: Any) -> Any:
        return stiffness * penetration**2.5 / 2.5
