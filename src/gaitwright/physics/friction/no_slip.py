"""No slip: bristles that never give way, as long as the contact is closed."""

from typing import Any, ClassVar

from gaitwright.physics.declare import Friction, Number, Parameter
from gaitwright.physics.friction.checks import require_not_negative, require_positive

NEVER = 1e300
"""N: a force at which no bristle gives way."""


class NoSlip(Friction):
    """F = -(k z + c v), z being the stretch of the bristles since the contact closed: rough surfaces that hold on to each other
    whatever they are pressed with. It is also what statics begins with where bristles may give way. Not friction: nothing is
    lost but by c, and the force may exceed what any coefficient allows."""

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
        return NEVER

    @classmethod
    def check(cls, *, stiffness: float, damping: float = 0.0) -> None:
        require_not_negative(damping=damping)
        require_positive(stiffness=stiffness)
