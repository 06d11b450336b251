"""Qin Zhiying and Lu Qishao: Lankarani and Nikravesh's factor, raised for soft bodies."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import HysteresisLaw
from gaitwright.physics.symbolic import exp


class ZhiyingQishao(HysteresisLaw):
    """F = K d^n (1 + k d'/v0), k = 3 (1 - e^2) exp(2 (1 - e)) / 4.

    Restitution 0 rebounds with 0.179. Source: Z. Qin, Q. Lu, J. Dyn. Control 4 (2006) 294-298 (in Chinese); the reviews
    (M. Machado et al., Mech. Mach. Theory 53 (2012) 99-121) list it by the given names."""

    name = "zhiying-qishao"
    formula = r"$3 (1 - e^2) \exp(2 (1 - e)) / 4$"
    valid = "Restitution above 0.4; the rebound is then at most 0.025 off."
    rebound_error = (0.4, 1.0, 0.025, 0.0)
    exact_near: ClassVar[tuple[float, ...]] = (1.0,)

    @staticmethod
    def factor(restitution: Any) -> Any:
        return 3 * (1 - restitution**2) * exp(2 * (1 - restitution)) / 4
