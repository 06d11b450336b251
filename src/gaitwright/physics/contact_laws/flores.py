"""Flores, Machado, Silva and Martins: a factor for both soft and hard bodies."""

from typing import Any

from gaitwright.physics.contact_laws.base import HysteresisLaw


class Flores(HysteresisLaw):
    """F = K d^n (1 + k d'/v0), k = 8 (1 - e) / (5 e).

    Infinite damping at e = 0. A little too much damping everywhere: 0.5 gives 0.470; near 1 the loss is 16/15 of the
    specified one. The largest force is not monotonic in e. Source: P. Flores, M. Machado, M. T. Silva, J. M. Martins,
    Multibody Syst. Dyn. 25 (2011) 357-375; paper 004 Eq 2.7 and 2.8. The same factor in K. Ye, L. Li, H. Zhu, Earthq.
    Eng. Struct. Dyn. 38 (2009) 1135-1142."""

    name = "flores"
    formula = r"$8 (1 - e) / (5 e)$"
    valid = "Soft and hard bodies, restitution above 0; the rebound is at most 0.05 too small."
    rebound_error = (0.0, 1.0, 0.05, 0.0)
    finite_at_zero = False

    @staticmethod
    def factor(restitution: Any) -> Any:
        return 8 * (1 - restitution) / (5 * restitution)
