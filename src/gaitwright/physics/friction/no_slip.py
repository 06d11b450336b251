"""No slip: bristles that never slide, as long as the contact is closed."""

from typing import Any, ClassVar

from gaitwright.physics.declarations import Friction, Number, Parameter
from gaitwright.physics.friction.checks import require_not_negative, require_positive

UNREACHABLE_FORCE_N = 1e300
"""Force, N, at which no bristle slides."""


class NoSlip(Friction):
    """F = -(k z + c v), z being the bristle deflection since the contact closed: rough surfaces that interlock at any pressure.
    Statics also uses it as the first step for bristles that may slide. No friction law: only c dissipates energy, and the force
    may exceed the limit of any coefficient."""

    name = "no-slip"
    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": Number("N/m", "k, of the bristles", minimum=0.0),
        "damping": Number("N s/m", "c, of the bristles", 0.0, minimum=0.0),
    }

    @staticmethod
    def force(slip: Any, stretch: Any, normal: Any, stiffness: Any, damping: Any) -> Any:
        return -(stiffness * stretch + damping * slip)

    @staticmethod
    def limit(normal: Any, stiffness: Any, damping: Any) -> Any:
        return UNREACHABLE_FORCE_N

    @classmethod
    def check(cls, *, stiffness: float, damping: float = 0.0) -> None:
        require_not_negative(damping=damping)
        require_positive(stiffness=stiffness)
