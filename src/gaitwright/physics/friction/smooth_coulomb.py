"""Coulomb's friction, smoothed: no kink anywhere."""

from typing import Any, ClassVar

from gaitwright.physics.declarations import Friction, Number, Parameter
from gaitwright.physics.friction.checks import require_not_negative, require_positive
from gaitwright.physics.symbolic import tanh


class SmoothCoulomb(Friction):
    """F = -mu F_n tanh(v / v_s): 76 % of the full friction at v_s, 99.5 % at 3 v_s.

    Differentiable everywhere, which suits implicit methods and optimisers. It never sticks: under a tangential load T the
    bodies creep with v_s atanh(T / (mu F_n)). A smaller v_s creeps less and is stiffer. Source: the review of E. Pennestri,
    V. Rossi, P. Salvini, P. P. Valentini, Nonlinear Dyn. 83 (2016) 1785-1801."""

    name = "smooth-coulomb"
    parameters: ClassVar[dict[str, Parameter]] = {
        "coefficient": Number("1", "mu", minimum=0.0),
        "transition_speed": Number("m/s", "v_s", 5e-3, minimum=0.0),
    }

    @staticmethod
    def force(slip: Any, stretch: Any, normal: Any, coefficient: Any, transition_speed: Any) -> Any:
        return -coefficient * normal * tanh(slip / transition_speed)

    @classmethod
    def check(cls, *, coefficient: float, transition_speed: float = 5e-3) -> None:
        require_not_negative(coefficient=coefficient)
        require_positive(transition_speed=transition_speed)
