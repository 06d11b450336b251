"""Springs with a user-defined expression for force or torque: of length and rate, or of angle and rate."""

from typing import Any

from gaitwright.physics.attachments import Orientation, Place
from gaitwright.physics.axis import HINGE_PARAMETERS, JOINT_FIELDS, angle_about, hinge_vectors
from gaitwright.physics.declarations import Effect, Force
from gaitwright.physics.forces.torsion_spring import OBSERVED_QUANTITIES
from gaitwright.physics.parameters import Formula
from gaitwright.physics.symbolic import distance, make_angle_wrapper, rate, turn


def restoring_effect(formula: Any, deflection: Any) -> Effect:
    """f(x, x') against the deflection x. If f(x, 0) can be integrated, its integral is stored as V, and the rest of f is
    dissipated. Otherwise all of f counts as a load; its work appears in the energy balance."""
    stored = formula.integral(deflection)
    if stored is None:
        return Effect(loads=((-formula(deflection, rate(deflection)), deflection),))
    lost = formula(deflection, rate(deflection)) - formula(deflection, 0)
    return Effect(potential=stored, loads=((-lost, deflection),) if lost != 0 else (), dissipative=True)


class NonlinearSpring(Force):
    """F = f(l, l') along the line from a to b, positive if it pulls the ends together.

    V is the integral of f(l, 0) if that is a sum of powers, exponentials, sines and one-sided powers max(l - l0, 0)^n;
    the rate-dependent part is dissipated. If the points coincide f must vanish: its direction is undefined there."""

    name = "nonlinear-spring"
    dimensions = (2, 3)
    drawn_as = "spring"
    stands_for_others = True
    attachments = {"a": Place("one end"), "b": Place("other end")}
    parameters = {
        "restoring_force": Formula(
            "N", "f(length, rate), positive where it pulls the ends together", ("length", "rate")
        )
    }
    aliases = {"force": "restoring_force"}
    observed = {
        "length": ("m", "distance of the ends"),
        "rate": ("m/s", "rate of the length"),
        "force": ("N", "force on b along the line from a to b, positive when it pushes"),
    }
    directed = ("length", "force")

    @staticmethod
    def effect(a, b, restoring_force):
        return restoring_effect(restoring_force, distance(a, b))

    @staticmethod
    def observe(a, b, restoring_force):
        length = distance(a, b)
        return {"length": length, "rate": rate(length), "force": -restoring_force(length, rate(length))}


TORQUE_PARAMETER = Formula("N m", "f(angle, rate), positive where it turns b back", ("angle", "rate"))


class NonlinearTorsionSpring(Force):
    """tau = -f(phi, phi') on b, with phi = theta_b - theta_a, not wrapped except on a beam. Energies: see NonlinearSpring."""

    name = "nonlinear-torsion-spring"
    stands_for_others = True
    attachments = {"a": Orientation("reference body"), "b": Orientation("other body")}
    parameters = {"restoring_torque": TORQUE_PARAMETER}
    aliases = {"torque": "restoring_torque"}
    observed = OBSERVED_QUANTITIES

    @staticmethod
    def effect(a, b, restoring_torque):
        return restoring_effect(restoring_torque, turn(a, b))

    @staticmethod
    def observe(a, b, restoring_torque):
        angle = turn(a, b)
        return {"angle": angle, "torque": -restoring_torque(angle, rate(angle))}


class SpatialNonlinearTorsionSpring(Force):
    """The same about an axis of two bodies, usually that of a joint; phi from -pi to pi, measured from the drawn pose."""

    name = "nonlinear-torsion-spring"
    dimensions = (3,)
    stands_for_others = True
    attachments = {"a": Orientation("reference body"), "b": Orientation("other body")}
    parameters = {**HINGE_PARAMETERS, "restoring_torque": TORQUE_PARAMETER}
    aliases = {"torque": "restoring_torque"}
    observed = OBSERVED_QUANTITIES
    of_joint = JOINT_FIELDS

    @staticmethod
    def effect(a, b, axis, axis_b, drawn_angle, across, third, across_b, restoring_torque):
        return restoring_effect(restoring_torque, make_angle_wrapper()(angle_about(a, b, across, third, across_b)))

    @staticmethod
    def observe(a, b, axis, axis_b, drawn_angle, across, third, across_b, restoring_torque):
        angle = make_angle_wrapper()(angle_about(a, b, across, third, across_b))
        return {"angle": angle, "torque": -restoring_torque(angle, rate(angle))}

    drawn = staticmethod(hinge_vectors)
