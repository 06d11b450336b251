"""Bristles: elastic friction that sticks, and slides at Coulomb's limit."""

from typing import Any, ClassVar

from gaitwright.physics.declarations import Friction, Number, Parameter
from gaitwright.physics.friction.checks import require_not_negative, require_positive
from gaitwright.physics.symbolic import limit_magnitude


class Bristle(Friction):
    """F = -(k z + c v), at most mu F_n in either direction; z is the bristle deflection, at most mu F_n / k.

    While z is below its limit the contact sticks: the force balances a load at rest, displaced by load / k, without creep.
    At the limit the bristles slide along. Choose k like the normal stiffness (a foot: 1e4 to 1e6 N/m), and c so that
    c^2 is about k times the mass that oscillates on them; c = 0 rings. Not a law with mu_s above mu_k. Source: P. A. Cundall,
    O. D. L. Strack, Geotechnique 29 (1979) 47-65; as a model of friction, P. R. Dahl, AIAA J. 14 (1976) 1675-1682."""

    name = "bristle"
    parameters: ClassVar[dict[str, Parameter]] = {
        "coefficient": Number("1", "mu", minimum=0.0),
        "stiffness": Number("N/m", "k, of the bristles", minimum=0.0),
        "damping": Number("N s/m", "c, of the bristles", 0.0, minimum=0.0),
    }

    @staticmethod
    def force(slip: Any, stretch: Any, normal: Any, coefficient: Any, stiffness: Any, damping: Any) -> Any:
        limit = coefficient * normal
        # The deflection above the limit was lost by sliding within the step; the damper acts on the rest.
        elastic = limit_magnitude(stiffness * stretch, limit)
        return -limit_magnitude(elastic + damping * slip, limit)

    @staticmethod
    def limit(normal: Any, coefficient: Any, stiffness: Any, damping: Any) -> Any:
        return coefficient * normal / stiffness

    @classmethod
    def check(cls, *, coefficient: float, stiffness: float, damping: float = 0.0) -> None:
        require_not_negative(coefficient=coefficient, damping=damping)
        require_positive(stiffness=stiffness)
