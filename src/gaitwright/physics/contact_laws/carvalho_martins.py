"""Carvalho and Martins: a short factor that is nearly exact for e above 0.3."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import HysteresisLaw


class CarvalhoMartins(HysteresisLaw):
    """F = K d^n (1 + k d'/v0), k = 3 (1 - e) (11 - e) / (2 (1 + 9 e)).

    Finite at e = 0, with a rebound of 0.061: the law to choose if 0 means "as little as possible". Exudyn
    uses it above e = 1/3. Source: A. S. Carvalho, J. M. Martins, Mech. Mach. Theory 139 (2019) 174-194."""

    name = "carvalho-martins"
    formula = r"$3 (1 - e) (11 - e) / (2 (1 + 9 e))$"
    valid = "Restitution from 0.3; the rebound is then at most 0.004 off."
    rebound_error = (0.3, 1.0, 5e-05, 0.004)
    exact_near: ClassVar[tuple[float, ...]] = (1.0,)

    @staticmethod
    def factor(restitution: Any) -> Any:
        return 3 * (1 - restitution) * (11 - restitution) / (2 * (1 + 9 * restitution))
