"""Kuwabara and Kono: bodies of a viscoelastic material, derived rather than fitted."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import EXPONENT_PARAMETER, STIFFNESS_PARAMETER, PowerLaw
from gaitwright.physics.declarations import Number, Parameter


class KuwabaraKono(PowerLaw):
    """F = K (d^n + A (d^n)') = K d^n + n K A d^(n-1) d', cut off at zero.

    A (s) is a property of the material, so the rebound follows from the speed instead of being specified: for n = 3/2,
    e = 1 - 1.730 A (K/m)^(2/5) v0^(1/5) + ..., slower bodies rebound better. The tangent dF/dd is infinite at touchdown
    for n below 2, which costs implicit methods iterations. Source: G. Kuwabara, K. Kono, Jpn. J. Appl. Phys. 26 (1987)
    1230-1233; with A as here N. V. Brilliantov et al., Phys. Rev. E 53 (1996) 5382-5392."""

    name = "kuwabara-kono"
    valid = "Viscoelastic round bodies at speeds far below that of sound, with little loss."
    remembers = False
    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": STIFFNESS_PARAMETER,
        "relaxation_time": Number("s", "A", minimum=0.0),
        "exponent": EXPONENT_PARAMETER,
    }

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, stiffness: Any, relaxation_time: Any, exponent: Any) -> Any:
        loss = exponent * relaxation_time * penetration ** (exponent - 1) * rate
        return stiffness * (penetration**exponent + loss)
