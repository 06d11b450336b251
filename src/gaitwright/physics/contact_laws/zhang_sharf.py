"""Zhang and Sharf, Gonthier et al.: the law of this family with a rebound equal to the specified restitution."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import HysteresisLaw


class ZhangSharf(HysteresisLaw):
    """F = K d^n (1 + k d'/v0) with k(e) the root of (1 + k) / (1 - k e) = exp(k (1 + e)).

    The equation is exact for two bodies that collide freely. Its root has no closed form. Here

        k = (1 - e) / e  (1 + a1 e + a2 e^2 + a3 e^3 + a4 e^4) / (1 + b1 e + b2 e^2 + b3 e^3 + b4 e^4)

    a rational function that we fitted by minimising the largest error, with both limits (k e -> 1 and k -> 3 (1 - e) / 2)
    exact: relative error 6e-5 of k, and a rebound within 2e-5 of e. Infinite damping at e = 0. Gravity and other forces
    during the impact still change the rebound a little. Source: the equation: Y. Gonthier et al., Multibody Syst. Dyn. 11
    (2004) 209-233, and Y. Zhang, I. Sharf, J. Appl. Mech. 76 (2009) 051002; its root as a rational function: here."""

    name = "zhang-sharf"
    formula = r"root of $(1 + k) / (1 - k e) = \exp(k (1 + e))$"
    valid = "Soft and hard bodies, restitution above 0; the rebound is within 2e-5 of the restitution."
    rebound_error = (0.0, 1.0, 2e-05, 2e-05)
    exact_near: ClassVar[tuple[float, ...]] = (0.0, 1.0)
    finite_at_zero = False

    @staticmethod
    def factor(restitution: Any) -> Any:
        e = restitution
        above = 1 + e * (-1.157 + e * (22.412 + e * (46.995 + e * 43.6775)))
        below = 1 + e * (-2.166 + e * (24.096 + e * (15.955 + e * 36.4)))
        return (1 - e) * above / (e * below)
