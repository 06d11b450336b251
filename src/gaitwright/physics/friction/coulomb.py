"""Coulomb's friction with a ramp at small speeds, the law of the papers."""

import math
from typing import Any, ClassVar

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.declarations import Friction, Number, Parameter
from gaitwright.physics.friction.checks import require_not_negative
from gaitwright.physics.symbolic import clip, direction, magnitude, smaller


class Coulomb(Friction):
    """F = -mu F_n c_d sign(v), with c_d = 0 up to |v| = v0, rising linearly to 1 at v1.

    It never sticks: below v0 there is no friction at all, so a foot on a slope creeps at a speed between v0 and v1. Choose
    `bristle` if sticking matters. Source: paper 003 Eq 3.10 and 3.11, with two corrections. The text gives
    c_f = |v_T|; only the unit direction makes F a force of size mu F_n. And it calls v0 the upper and v1 the lower limit;
    its Eq 3.11 has the opposite order, as here."""

    name = "coulomb"
    parameters: ClassVar[dict[str, Parameter]] = {
        "coefficient": Number("1", "mu, kinetic", minimum=0.0),
        "v0": Number("m/s", "speed below which there is no friction", 1e-3, minimum=0.0),
        "v1": Number("m/s", "speed above which friction is full", 1e-2, minimum=0.0),
    }

    @staticmethod
    def force(slip: Any, stretch: Any, normal: Any, coefficient: Any, v0: Any, v1: Any) -> Any:
        ramp = smaller(clip((magnitude(slip) - v0) / (v1 - v0)), 1)
        return -coefficient * normal * ramp * direction(slip)

    @classmethod
    def check(cls, *, coefficient: float, v0: float = 1e-3, v1: float = 1e-2) -> None:
        require_not_negative(coefficient=coefficient, v0=v0)
        if not v0 < v1 < math.inf:
            ErrorContext(field="v1").fail(
                "the ramp must end faster than it begins",
                v1,
                f"a speed above v0 = {v0:g} m/s, for example {10 * v0 or 1e-2:g} m/s",
            )
