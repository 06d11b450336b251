"""Bumper: elastic stops at both ends of an angle range, such as a knee that must not overextend."""

from gaitwright.physics.declare import Effect, Force, Number, Orientation
from gaitwright.physics.symbolic import clip, rate, turn


class Bumper(Force):
    """Free between `lower` and `upper`; beyond a stop, tau = -k p (1 + d p') with p the angle beyond it.

    V = k p^2 / 2, R = k d p phi'^2 / 2: the damping grows with p, so the torque does not jump at the stop. With
    d p' > 1 on the way out the torque would pull; real rubber lets go. Choose d below 1 / (largest speed, rad/s).
    phi = theta_b - theta_a, not wrapped."""

    name = "bumper"
    attachments = {"a": Orientation("reference body"), "b": Orientation("other body")}
    parameters = {
        "lower": Number("rad", "lower stop"),
        "upper": Number("rad", "upper stop"),
        "stiffness": Number("N m/rad", "k", minimum=0.0),
        "damping": Number("s/rad", "d", 0.0, minimum=0.0),
    }

    observed = {"angle": ("rad", "angle of b relative to a"), "torque": ("N m", "torque on b")}

    @staticmethod
    def effect(a, b, lower, upper, stiffness, damping):
        angle = turn(a, b)
        above, below = clip(angle - upper), clip(lower - angle)
        return Effect(
            potential=stiffness * (above**2 + below**2) / 2,
            dissipation=stiffness * damping * (above + below) * rate(angle) ** 2 / 2,
        )

    @staticmethod
    def observe(a, b, lower, upper, stiffness, damping):
        angle = turn(a, b)
        above, below = clip(angle - upper), clip(lower - angle)
        loss = damping * (above + below) * rate(angle)
        return {"angle": angle, "torque": -stiffness * (above - below + loss)}
