"""Base classes of normal laws: the elastic part K d^n, and the family K d^n (1 + k(e) d'/v0) of Hunt and Crossley's kind.

This module defines no law: a class without a `name` is not registered.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.declarations import ContactLaw, Number, Parameter

STIFFNESS_PARAMETER = Number("N/m^n", "K", minimum=0.0)
EXPONENT_PARAMETER = Number("1", "n, at least 1; 3/2 where a surface is round", 1.5, minimum=0.0)
"""Its minimum is 0, not 1, so that 2/3 reaches check(), which explains this misprint in its message."""
RESTITUTION_PARAMETER = Number("1", "e, from which the factor k is computed", minimum=0.0)


class PowerLaw(ContactLaw):
    """The elastic force K d^n with the energy K d^(n+1) / (n+1); a law adds its dissipation."""

    parameters: ClassVar[dict[str, Parameter]] = {"stiffness": STIFFNESS_PARAMETER, "exponent": EXPONENT_PARAMETER}

    @staticmethod
    def energy(penetration: Any, stiffness: Any, exponent: Any, **_: Any) -> Any:
        return stiffness * penetration ** (exponent + 1) / (exponent + 1)

    @classmethod
    def check(cls, *, stiffness: float, exponent: float = 1.5, **others: float) -> None:
        if not 0 < stiffness < math.inf:
            ErrorContext(field="stiffness").fail(
                "a contact without stiffness carries nothing",
                stiffness,
                f"a number of {cls.parameters['stiffness'].unit} above 0, for example from hertz_stiffness()",
            )
        if not 1 <= exponent < math.inf:
            ErrorContext(field="exponent").fail(
                "the contact would be infinitely stiff at touchdown",
                exponent,
                "at least 1, and 3/2 where a surface is round (the 2/3 printed in paper 000 is a misprint of it)",
            )
        for name, value in others.items():
            if not 0 <= value < math.inf:
                ErrorContext(field=name).fail(
                    f"{cls.name} would add energy",
                    value,
                    f"a number of {cls.parameters[name].unit} that is not negative",
                )


class HysteresisLaw(PowerLaw):
    """F = K d^n (1 + k(e) d'/v0), in the papers K d^n + chi d^n d' with chi = k K / v0; v0 is the approach speed.

    Damping grows with the penetration, so the force starts and ends at zero. Two bodies that collide freely part with a
    restitution that depends on k alone, not on mass, stiffness, exponent or speed (see contact/restitution.py):

        k (1 + e_out) = ln((1 + k) / (1 - k e_out))

    A law is a choice of k(e), and few of them give e_out = e. If the bodies are driven apart faster than v0 / k, the
    force would pull; it is set to zero."""

    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": STIFFNESS_PARAMETER, "restitution": RESTITUTION_PARAMETER, "exponent": EXPONENT_PARAMETER,
    }  # fmt: skip
    formula: ClassVar[str] = ""
    """k(e) in Markdown, for the table of the documentation."""
    exact_near: ClassVar[tuple[float, ...]] = ()
    """The ends, 0 or 1, at which e_out / e or (1 - e_out) / (1 - e) tends to 1."""
    finite_at_zero: ClassVar[bool] = True
    """True if k(0) is finite; bodies then rebound even with restitution 0."""
    rebound_error: ClassVar[tuple[float, float, float, float]] = (0.0, 1.0, 1.0, 1.0)
    """(least, largest restitution of the valid range, largest error of the rebound there below, above); the statement of
    `valid`. Default: no statement."""

    @staticmethod
    def factor(restitution: Any) -> Any:
        """Damping factor k(e)."""
        raise NotImplementedError

    @classmethod
    def force(cls, penetration: Any, rate: Any, approach: Any, stiffness: Any, restitution: Any, exponent: Any) -> Any:
        return stiffness * penetration**exponent * (1 + cls.factor(restitution) * rate / approach)

    @classmethod
    def check(cls, *, stiffness: float, restitution: float, exponent: float = 1.5) -> None:
        super().check(stiffness=stiffness, exponent=exponent)
        if not 0 <= restitution <= 1:
            ErrorContext(field="restitution").fail(
                "bodies cannot part faster than they met, nor pass through each other",
                restitution,
                "a number from 0 to 1",
            )
        if restitution == 0 and not cls.finite_at_zero:
            ErrorContext(field="restitution").fail(
                f"the damping of {cls.name} is infinite at restitution 0",
                restitution,
                "a small number such as 0.01, or one of carvalho-martins, hunt-crossley and lankarani-nikravesh, "
                "which take 0 but rebound with 0.061, 0.488 and 0.663",
            )
