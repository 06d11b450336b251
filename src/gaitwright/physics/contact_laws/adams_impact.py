"""The IMPACT function of Adams: a dashpot with damping that increases over a given depth."""

import math
from typing import Any, ClassVar

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.contact_laws.base import EXPONENT_PARAMETER, STIFFNESS_PARAMETER, PowerLaw
from gaitwright.physics.declarations import Number, Parameter
from gaitwright.physics.symbolic import smaller


class AdamsImpact(PowerLaw):
    """F = K d^n + c s(d / depth) d', cut off at zero, with s(x) = x^2 (3 - 2 x) up to x = 1 and 1 beyond.

    The rebound depends on mass and speed and is not one of its parameters: compute it by rebound(). Source: the function
    IMPACT(x, x', x1, K, n, c, depth) of Adams, MotionSolve, RecurDyn and SOLIDWORKS Motion."""

    name = "adams-impact"
    valid = "One impact speed, at which c and the depth were fitted."
    remembers = False
    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": STIFFNESS_PARAMETER,
        "damping": Number("N s/m", "c, reached at the depth", minimum=0.0),
        "depth": Number("m", "penetration from which the dashpot acts in full", minimum=0.0),
        "exponent": EXPONENT_PARAMETER,
    }

    @staticmethod
    def force(
        penetration: Any, rate: Any, approach: Any, stiffness: Any, damping: Any, depth: Any, exponent: Any
    ) -> Any:
        x = smaller(penetration / depth, 1)
        return stiffness * penetration**exponent + damping * x**2 * (3 - 2 * x) * rate

    @classmethod
    def check(cls, *, stiffness: float, damping: float, depth: float, exponent: float = 1.5) -> None:
        super().check(stiffness=stiffness, exponent=exponent, damping=damping)
        if not 0 < depth < math.inf:
            ErrorContext(field="depth").fail(
                "the dashpot needs a depth over which its damping increases",
                depth,
                "a number of m above 0, or the law ristow, whose dashpot acts at once",
            )
