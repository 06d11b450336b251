"""Hu and Guo: a factor of Flores' form that is right for hard bodies."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import HysteresisLaw


class HuGuo(HysteresisLaw):
    """F = K d^n (1 + k d'/v0), k = 3 (1 - e) / (2 e).

    Two terms of the exact series near e = 1; infinite damping at e = 0, near which the rebound is 2/3 of e. Source: S. Hu,
    X. Guo, Multibody Syst. Dyn. 35 (2015) 131-151."""

    name = "hu-guo"
    formula = r"$3 (1 - e) / (2 e)$"
    valid = "Soft and hard bodies, restitution above 0; the rebound is at most 0.035 too small."
    rebound_error = (0.0, 1.0, 0.035, 0.0)
    exact_near: ClassVar[tuple[float, ...]] = (1.0,)
    finite_at_zero = False

    @staticmethod
    def factor(restitution: Any) -> Any:
        return 3 * (1 - restitution) / (2 * restitution)
