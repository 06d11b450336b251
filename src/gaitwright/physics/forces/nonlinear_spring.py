"""Springs whose force, or torque, is an expression of the user: of length and rate, or of angle and rate."""

from typing import Any

from gaitwright.physics.axis import HINGE, OF_JOINT, angle_about, hinge_vectors
from gaitwright.physics.declare import Effect, Force, Formula, Orientation, Place
from gaitwright.physics.forces.torsion_spring import OBSERVED
from gaitwright.physics.symbolic import distance, rate, turn, wrapped


def restored(formula: Any, deflection: Any) -> Effect:
    """f(x, x') against the deflection x. Of f(x, 0), what can be integrated is stored as V; the rest of f is lost. Where it
    cannot, all of f counts as a load, whose work appears in the balance of energy."""
    stored = formula.integral(deflection)
    if stored is None:
        return Effect(loads=((-formula(deflection, rate(deflection)), deflection),))
    lost = formula(deflection, rate(deflection)) - formula(deflection, 0)
    return Effect(potential=stored, loads=((-lost, deflection),) if lost != 0 else (), dissipative=True)


class NonlinearSpring(Force):
    """F = f(l, l') along the line from a to b, positive where it pulls the ends together.

    V is the integral of f(l, 0) where that is a sum of powers, exponentials, sines and one-sided powers max(l - l0, 0)^n;
    what depends on the rate is dissipated. Where the points coincide f must vanish: its direction is undefined there."""

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
        return restored(restoring_force, distance(a, b))

    @staticmethod
    def observe(a, b, restoring_force):
        length = distance(a, b)
        return {"length": length, "rate": rate(length), "force": -restoring_force(length, rate(length))}


TORQUE = Formula("N m", "f(angle, rate), positive where it turns b back", ("angle", "rate"))


class NonlinearTorsionSpring(Force):
    """tau = -f(phi, phi') on b, with phi = theta_b - theta_a, not wrapped except on a beam. Energies: see NonlinearSpring."""

    name = "nonlinear-torsion-spring"
    stands_for_others = True
    attachments = {"a": Orientation("reference body"), "b": Orientation("other body")}
    parameters = {"restoring_torque": TORQUE}
    aliases = {"torque": "restoring_torque"}
    observed = OBSERVED

    @staticmethod
    def effect(a, b, restoring_torque):
        return restored(restoring_torque, turn(a, b))

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
    parameters = {**HINGE, "restoring_torque": TORQUE}
    aliases = {"torque": "restoring_torque"}
    observed = OBSERVED
    of_joint = OF_JOINT

    @staticmethod
    def effect(a, b, axis, axis_b, drawn_angle, across, third, across_b, restoring_torque):
        return restored(restoring_torque, wrapped()(angle_about(a, b, across, third, across_b)))

    @staticmethod
    def observe(a, b, axis, axis_b, drawn_angle, across, third, across_b, restoring_torque):
        angle = wrapped()(angle_about(a, b, across, third, across_b))
        return {"angle": angle, "torque": -restoring_torque(angle, rate(angle))}

    drawn = staticmethod(hinge_vectors)
