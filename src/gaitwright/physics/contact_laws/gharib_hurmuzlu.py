"""Gharib and Hurmuzlu: the limit of the exact factor for bodies that hardly rebound."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import HysteresisLaw


class GharibHurmuzlu(HysteresisLaw):
    """F = K d^n (1 + k d'/v0), k = 1 / e.

    The bound that k approaches as e goes to 0: within 0.02 up to e = 0.3. Not for hard bodies: with restitution 1 it still
    damps and rebounds with 0.594. Infinite damping at e = 0. Source: M. Gharib, Y. Hurmuzlu, J. Appl. Mech. 79 (2012)
    064506."""

    name = "gharib-hurmuzlu"
    formula = r"$1 / e$"
    valid = "Soft bodies, restitution above 0 and up to 0.3."
    rebound_error = (0.0, 0.3, 0.02, 0.0)
    exact_near: ClassVar[tuple[float, ...]] = (0.0,)
    finite_at_zero = False

    @staticmethod
    def factor(restitution: Any) -> Any:
        return 1 / restitution
