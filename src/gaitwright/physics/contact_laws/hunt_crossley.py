"""Hunt and Crossley: damping in proportion to the elastic force."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import HysteresisLaw


class HuntCrossley(HysteresisLaw):
    """F = K d^n (1 + k d'/v0), k = 3 (1 - e) / 2.

    Not for soft bodies: restitution 0 rebounds with 0.488. Source: K. H. Hunt, F. R. E. Crossley, J. Appl. Mech. 42 (1975)
    440-445; paper 003 Eq 3.6 and 3.8 (its text calls the factor infinite at e = 0, which is wrong); paper 004 Eq 2.4
    to 2.6."""

    name = "hunt-crossley"
    formula = r"$3 (1 - e) / 2$"
    valid = "Hard bodies, restitution above 0.9; the factor is the first term of a series in 1 - e."
    rebound_error = (0.9, 1.0, 0.0, 0.01)
    exact_near: ClassVar[tuple[float, ...]] = (1.0,)

    @staticmethod
    def factor(restitution: Any) -> Any:
        return 3 * (1 - restitution) / 2
