"""Torsion spring and damper between two bodies."""

from gaitwright.physics.declare import Effect, Force, Number, Orientation
from gaitwright.physics.symbolic import rate, turn


class TorsionSpring(Force):
    """tau = -(k (phi - phi0) + c phi') on b, with phi = theta_b - theta_a.

    V = k (phi - phi0)^2 / 2, R = c phi'^2 / 2. Angles are not wrapped: a full turn winds the spring up;
    except on a beam, where the spring must stay within half a turn of rest."""

    name = "torsion-spring"
    attachments = {"a": Orientation("reference body"), "b": Orientation("other body")}
    parameters = {
        "stiffness": Number("N m/rad", "k", minimum=0.0),
        "damping": Number("N m s/rad", "c", 0.0, minimum=0.0),
        "rest_angle": Number("rad", "phi0, angle of b relative to a without torque", 0.0),
    }

    observed = {"angle": ("rad", "angle of b relative to a"), "torque": ("N m", "torque on b")}

    @staticmethod
    def effect(a, b, stiffness, damping, rest_angle):
        wound = turn(a, b, rest_angle)
        return Effect(potential=stiffness * wound**2 / 2, dissipation=damping * rate(wound) ** 2 / 2)

    @staticmethod
    def observe(a, b, stiffness, damping, rest_angle):
        wound = turn(a, b, rest_angle)
        return {"angle": wound + rest_angle, "torque": -(stiffness * wound + damping * rate(wound))}
