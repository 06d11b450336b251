"""Bumper: elastic stops at both ends of an angle range, such as a knee that must not overextend."""

from typing import Any

from gaitwright.physics.attachments import Orientation
from gaitwright.physics.axis import HINGE_PARAMETERS, JOINT_FIELDS, angle_about, hinge_vectors
from gaitwright.physics.declarations import Effect, Force, Number, Parameter
from gaitwright.physics.symbolic import clip, rate, turn

STOP_PARAMETERS: dict[str, Parameter] = {
    "lower": Number("rad", "lower stop"),
    "upper": Number("rad", "upper stop"),
    "stiffness": Number("N m/rad", "k", minimum=0.0),
    "damping": Number("s/rad", "d", 0.0, minimum=0.0),
}
OBSERVED_QUANTITIES = {"angle": ("rad", "angle of b relative to a"), "torque": ("N m", "torque on b")}


def bumper_effect(angle: Any, lower: Any, upper: Any, stiffness: Any, damping: Any) -> Effect:
    above, below = clip(angle - upper), clip(lower - angle)
    return Effect(
        potential=stiffness * (above**2 + below**2) / 2,
        dissipation=stiffness * damping * (above + below) * rate(angle) ** 2 / 2,
    )


def observe_bumper(angle: Any, lower: Any, upper: Any, stiffness: Any, damping: Any) -> dict[str, Any]:
    above, below = clip(angle - upper), clip(lower - angle)
    loss = damping * (above + below) * rate(angle)
    return {"angle": angle, "torque": -stiffness * (above - below + loss)}


class Bumper(Force):
    """Free between `lower` and `upper`; beyond a stop, tau = -k p (1 + d p') with p the angle beyond it.

    V = k p^2 / 2, R = k d p phi'^2 / 2: the damping grows with p, so the torque does not jump at the stop. With
    d p' > 1 on the way out the torque would pull; real rubber separates. Choose d below 1 / (largest speed, rad/s).
    phi = theta_b - theta_a, not wrapped."""

    name = "bumper"
    attachments = {"a": Orientation("reference body"), "b": Orientation("other body")}
    parameters = STOP_PARAMETERS
    observed = OBSERVED_QUANTITIES

    @staticmethod
    def effect(a, b, lower, upper, stiffness, damping):
        return bumper_effect(turn(a, b), lower, upper, stiffness, damping)

    @staticmethod
    def observe(a, b, lower, upper, stiffness, damping):
        return observe_bumper(turn(a, b), lower, upper, stiffness, damping)


class SpatialBumper(Force):
    """The same about an axis of two bodies, usually that of a joint; angles from -pi to pi, measured from the drawn pose."""

    name = "bumper"
    dimensions = (3,)
    attachments = {"a": Orientation("reference body"), "b": Orientation("other body")}
    parameters = {**HINGE_PARAMETERS, **STOP_PARAMETERS}
    observed = OBSERVED_QUANTITIES
    of_joint = JOINT_FIELDS

    @staticmethod
    def effect(a, b, axis, axis_b, drawn_angle, across, third, across_b, lower, upper, stiffness, damping):
        return bumper_effect(angle_about(a, b, across, third, across_b), lower, upper, stiffness, damping)

    @staticmethod
    def observe(a, b, axis, axis_b, drawn_angle, across, third, across_b, lower, upper, stiffness, damping):
        return observe_bumper(angle_about(a, b, across, third, across_b), lower, upper, stiffness, damping)

    drawn = staticmethod(hinge_vectors)
