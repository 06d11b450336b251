"""Hertz: elastic contact, no loss."""

from typing import Any

from gaitwright.physics.contact_laws.base import PowerLaw


class Hertz(PowerLaw):
    """F = K d^n, the same on the way in and out: bodies separate at the speed of approach.

    n = 3/2 for round bodies, 1 for a flat-ended punch, 2 for a cone. Not for bodies that must come to rest: there is no energy
    loss. Source: H. Hertz, J. reine angew. Math. 92 (1882) 156-171; paper 003 Eq 3.3, paper 004 Eq 2.1."""

    name = "hertz"
    valid = "Elastic bodies, small contact area, slow approach (fastest_approach)."
    remembers = False

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, stiffness: Any, exponent: Any) -> Any:
        return stiffness * penetration**exponent
