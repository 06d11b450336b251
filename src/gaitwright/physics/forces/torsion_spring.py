"""Torsion spring and damper between two bodies."""

from gaitwright.physics.attachments import Orientation
from gaitwright.physics.axis import HINGE_PARAMETERS, JOINT_FIELDS, angle_about, hinge_vectors
from gaitwright.physics.declarations import Effect, Force, Number, Parameter
from gaitwright.physics.symbolic import make_angle_wrapper, rate, turn

SPRING_PARAMETERS: dict[str, Parameter] = {
    "stiffness": Number("N m/rad", "k", minimum=0.0),
    "damping": Number("N m s/rad", "c", 0.0, minimum=0.0),
    "rest_angle": Number("rad", "phi0, angle of b relative to a without torque", 0.0),
}
OBSERVED_QUANTITIES = {"angle": ("rad", "angle of b relative to a"), "torque": ("N m", "torque on b")}


class TorsionSpring(Force):
    """tau = -(k (phi - phi0) + c phi') on b, with phi = theta_b - theta_a.

    V = k (phi - phi0)^2 / 2, R = c phi'^2 / 2. Angles are not wrapped: a full turn winds the spring up;
    except on a beam, where the spring must stay within half a turn of rest."""

    name = "torsion-spring"
    drawn_as = "spiral"
    attachments = {"a": Orientation("reference body"), "b": Orientation("other body")}
    parameters = SPRING_PARAMETERS
    observed = OBSERVED_QUANTITIES

    @staticmethod
    def effect(a, b, stiffness, damping, rest_angle):
        wound = turn(a, b, rest_angle)
        return Effect(potential=stiffness * wound**2 / 2, dissipation=damping * rate(wound) ** 2 / 2)

    @staticmethod
    def observe(a, b, stiffness, damping, rest_angle):
        wound = turn(a, b, rest_angle)
        return {"angle": wound + rest_angle, "torque": -(stiffness * wound + damping * rate(wound))}


class SpatialTorsionSpring(Force):
    """The same about an axis of two bodies, usually that of a joint. phi is measured from the drawn pose and must stay within
    half a turn of rest."""

    name = "torsion-spring"
    drawn_as = "spiral"
    dimensions = (3,)
    attachments = {"a": Orientation("reference body"), "b": Orientation("other body")}
    parameters = {**HINGE_PARAMETERS, **SPRING_PARAMETERS}
    observed = OBSERVED_QUANTITIES
    of_joint = JOINT_FIELDS

    @staticmethod
    def effect(a, b, axis, axis_b, drawn_angle, across, third, across_b, stiffness, damping, rest_angle):
        wound = make_angle_wrapper()(angle_about(a, b, across, third, across_b) - rest_angle)
        return Effect(potential=stiffness * wound**2 / 2, dissipation=damping * rate(wound) ** 2 / 2)

    @staticmethod
    def observe(a, b, axis, axis_b, drawn_angle, across, third, across_b, stiffness, damping, rest_angle):
        wound = make_angle_wrapper()(angle_about(a, b, across, third, across_b) - rest_angle)
        return {"angle": wound + rest_angle, "torque": -(stiffness * wound + damping * rate(wound))}

    drawn = staticmethod(hinge_vectors)
