"""Gonthier, McPhee, Lange and Piedboeuf: the explicit approximation of the exact factor."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import HysteresisLaw


class Gonthier(HysteresisLaw):
    """F = K d^n (1 + k d'/v0), k = (1 - e^2) / e.

    The authors solve the motion and find (1 + k) / (1 - k e) = exp(k (1 + e)); this is their approximation of its root,
    exact for e towards 0, with 4/3 of the specified loss near 1. Infinite damping at e = 0. The root itself is the law
    zhang-sharf. Source: Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedboeuf, Multibody Syst. Dyn. 11 (2004)
    209-233."""

    name = "gonthier"
    formula = r"$(1 - e^2) / e$"
    valid = "Restitution above 0, best below 0.5; the rebound is at most 0.033 off."
    rebound_error = (0.0, 1.0, 0.033, 0.0053)
    exact_near: ClassVar[tuple[float, ...]] = (0.0,)
    finite_at_zero = False

    @staticmethod
    def factor(restitution: Any) -> Any:
        return (1 - restitution**2) / restitution
