"""Herbert and McWhannell: a factor from the pulse shape of an impact pair."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import HysteresisLaw


class HerbertMcWhannell(HysteresisLaw):
    """F = K d^n (1 + k d'/v0), k = 6 (1 - e) / ((2 e - 1)^2 + 3).

    Better than Hunt and Crossley in between and the same at both ends: restitution 0 rebounds with 0.488. Source: R. G.
    Herbert, D. C. McWhannell, J. Eng. Ind. 99 (1977) 513-518."""

    name = "herbert-mcwhannell"
    formula = r"$6 (1 - e) / ((2 e - 1)^2 + 3)$"
    valid = "Hard bodies, restitution above 0.8."
    rebound_error = (0.8, 1.0, 0.0, 0.0071)
    exact_near: ClassVar[tuple[float, ...]] = (1.0,)

    @staticmethod
    def factor(restitution: Any) -> Any:
        return 6 * (1 - restitution) / ((2 * restitution - 1) ** 2 + 3)
