"""Lee and Wang: half of Hunt and Crossley's damping."""

from typing import Any

from gaitwright.physics.contact_laws.base import HysteresisLaw


class LeeWang(HysteresisLaw):
    """F = K d^n (1 + k d'/v0), k = 3 (1 - e) / 4.

    Half of the specified loss even near e = 1, and restitution 0 rebounds with 0.663: for comparison with published work, not
    for new models. Source: T. W. Lee, A. C. Wang, J. Mech. Transm. Autom. Des. 105 (1983) 534-540."""

    name = "lee-wang"
    formula = r"$3 (1 - e) / 4$"
    valid = "Comparison with published results; too little damping at every restitution."
    rebound_error = (0.0, 1.0, 0.0, 0.67)

    @staticmethod
    def factor(restitution: Any) -> Any:
        return 3 * (1 - restitution) / 4
