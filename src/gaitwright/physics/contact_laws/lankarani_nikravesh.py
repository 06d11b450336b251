"""Lankarani and Nikravesh: the factor that equates the loss of Hertz's impact to that of Newton's restitution."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import HysteresisLaw


class LankaraniNikravesh(HysteresisLaw):
    """F = K d^n (1 + k d'/v0), k = 3 (1 - e^2) / 4.

    The law of papers 000 and 003. It equates the loss (1 - e^2) m v0^2 / 2 to the work of the damping along an undamped
    impact, and is therefore accurate for a small loss only: restitution 0 rebounds with 0.663, and the force is never more
    than 1.75 times the elastic one unless the bodies are driven together faster than their approach speed. Source: H. M.
    Lankarani, P. E. Nikravesh, J. Mech. Des. 112 (1990) 369-376; paper 003 Eq 3.9; paper 000 Eq 8 and 9."""

    name = "lankarani-nikravesh"
    formula = r"$3 (1 - e^2) / 4$"
    valid = "Hard bodies, restitution above 0.9; derived for a small loss of energy."
    rebound_error = (0.9, 1.0, 0.0, 0.014)
    exact_near: ClassVar[tuple[float, ...]] = (1.0,)

    @staticmethod
    def factor(restitution: Any) -> Any:
        return 3 * (1 - restitution**2) / 4
