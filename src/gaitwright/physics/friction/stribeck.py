"""Stribeck's curve: friction that decreases from breakaway to sliding and increases again with a viscous film."""

from typing import Any, ClassVar

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.declarations import Friction, Number, Parameter
from gaitwright.physics.friction.checks import require_not_negative, require_positive, require_static_above_kinetic
from gaitwright.physics.symbolic import exp, tanh


class Stribeck(Friction):
    """F = -F_n ((mu_k + (mu_s - mu_k) exp(-(v / v_s)^2)) tanh(v / v_t) + mu_v v).

    mu_s between v_t and v_s, mu_k far above v_s. The viscous part is proportional to the normal force, so that there is no
    force without contact. The falling branch is unstable (stick-slip, squeal). It never sticks: below v_t the bodies creep.
    Source: the Gaussian form of B. Armstrong-Helouvry, P. Dupont, C. Canudas de Wit, Automatica 30 (1994) 1083-1138; its
    jump at v = 0 is smoothed here by the tanh."""

    name = "stribeck"
    parameters: ClassVar[dict[str, Parameter]] = {
        "static_coefficient": Number("1", "mu_s, to break loose", minimum=0.0),
        "kinetic_coefficient": Number("1", "mu_k, to keep sliding", minimum=0.0),
        "stribeck_speed": Number("m/s", "v_s, at which 37 % of the difference is left", 0.1, minimum=0.0),
        "viscous": Number("s/m", "mu_v, increase with the speed", 0.0, minimum=0.0),
        "transition_speed": Number("m/s", "v_t, over which friction changes its sign", 1e-3, minimum=0.0),
    }

    @staticmethod
    def force(
        slip: Any, stretch: Any, normal: Any, static_coefficient: Any, kinetic_coefficient: Any, stribeck_speed: Any,
        viscous: Any, transition_speed: Any,
    ) -> Any:  # fmt: skip
        static_part = (static_coefficient - kinetic_coefficient) * exp(-((slip / stribeck_speed) ** 2))
        return -normal * ((kinetic_coefficient + static_part) * tanh(slip / transition_speed) + viscous * slip)

    @classmethod
    def check(
        cls, *, static_coefficient: float, kinetic_coefficient: float, stribeck_speed: float = 0.1, viscous: float = 0.0,
        transition_speed: float = 1e-3,
    ) -> None:  # fmt: skip
        require_static_above_kinetic(static_coefficient, kinetic_coefficient)
        require_not_negative(viscous=viscous)
        require_positive(stribeck_speed=stribeck_speed, transition_speed=transition_speed)
        if transition_speed >= stribeck_speed:
            ErrorContext(field="transition_speed").fail(
                "friction would fall before it has risen",
                transition_speed,
                f"well below the stribeck_speed, for example {stribeck_speed / 100:g} m/s",
            )
