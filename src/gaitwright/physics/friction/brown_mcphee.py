"""Brown and McPhee: a Stribeck curve with given position and height of the peak."""

from typing import Any, ClassVar

from gaitwright.physics.declarations import Friction, Number, Parameter
from gaitwright.physics.friction.checks import require_positive, require_static_above_kinetic
from gaitwright.physics.symbolic import tanh


class BrownMcPhee(Friction):
    """F = -F_n (mu_k tanh(4 x) + (mu_s - mu_k) x / (x^2/4 + 3/4)^2), x = v / v_t.

    The second term has its peak, 1, at x = 1: v_t is the speed of breakaway. Smooth everywhere, and used for feet in
    forward dynamics of gait. It never sticks: below v_t the bodies creep. Source: P. Brown, J. McPhee, J. Comput. Nonlinear
    Dyn. 11 (2016) 054502, without its viscous term."""

    name = "brown-mcphee"
    parameters: ClassVar[dict[str, Parameter]] = {
        "static_coefficient": Number("1", "mu_s, at the transition speed", minimum=0.0),
        "kinetic_coefficient": Number("1", "mu_k, far above it", minimum=0.0),
        "transition_speed": Number("m/s", "v_t, of breakaway", 1e-2, minimum=0.0),
    }

    @staticmethod
    def force(
        slip: Any, stretch: Any, normal: Any, static_coefficient: Any, kinetic_coefficient: Any, transition_speed: Any
    ) -> Any:
        x = slip / transition_speed
        peak = x / (x**2 / 4 + 3 / 4) ** 2
        return -normal * (kinetic_coefficient * tanh(4 * x) + (static_coefficient - kinetic_coefficient) * peak)

    @classmethod
    def check(cls, *, static_coefficient: float, kinetic_coefficient: float, transition_speed: float = 1e-2) -> None:
        require_static_above_kinetic(static_coefficient, kinetic_coefficient)
        require_positive(transition_speed=transition_speed)
