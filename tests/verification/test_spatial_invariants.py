"""Invariants of every motion in space: the order of the method, rigidity for a long time, momentum, energy, and independence
of the frame in which bodies and the world are described."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.integrate import load_all
from gaitwright.model.spec.spatial_bodies import OrientationSpec
from gaitwright.result.result import Result
from verification import spatial_solutions as sol

METHODS = load_all()
ADAPTIVE = {name: method.adaptive for name, method in METHODS.items()}


def vector(run: Result, name: str, *parts: str) -> np.ndarray:
    return np.stack([run.array(f"{name}.{part}") for part in parts], axis=1)


def matrices(run: Result, body: str) -> np.ndarray:
    return np.stack([[run.array(f"{body}.r{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]).transpose(2, 0, 1)


# Orders --------------------------------------------------------------------------------------------------------------

ARM = sol.ArmAndBody(
    axis=sol.unit(np.array([0.2, 1.0, 0.3])), arm_mass=1.2, arm_inertia=np.diag([0.03, 0.04, 0.05]),
    arm_centre=np.array([0.2, 0.02, 0.0]), tip=np.array([0.4, 0.0, 0.1]), mass=0.8,
    inertia=np.array([[0.012, 0.001, 0.0], [0.001, 0.015, 0.002], [0.0, 0.002, 0.01]]),
    centre=np.array([0.1, 0.15, -0.1]),
)  # fmt: skip
END, RATE, SPIN = 0.5, 1.0, np.array([1.0, -2.0, 3.0])
#: Numbers of steps by order: fine enough for the leading term of the error, above rounding.
STEPS = {1: (4000, 8000), 2: (500, 1000), 3: (250, 500), 4: (100, 200), 5: (80, 160), 6: (40, 80)}


def arm_and_body() -> gw.Model:
    """Hinge and ball joint; the origin of the arm's frame is the hinge, that of the body its centre of mass."""
    model = gw.Model("arm and body", dimension=3).ground_point("O", 0, 0, 0)
    spin = RATE * ARM.axis
    model.body("arm", mass=ARM.arm_mass, inertia=np.diag(ARM.arm_inertia).tolist(), centre=ARM.arm_centre, spin=spin,
               points={"O": [0, 0, 0], "tip": ARM.tip}, velocity=np.cross(spin, ARM.arm_centre))  # fmt: skip
    i = ARM.inertia
    six = [i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]]
    speed = np.cross(spin, ARM.tip) + np.cross(SPIN, ARM.centre)
    model.body("body", mass=ARM.mass, inertia=six, at=ARM.tip + ARM.centre, points={"top": -ARM.centre}, spin=SPIN,
               velocity=speed)  # fmt: skip
    return model.joint.revolute("ground.O", "arm.O", axis=ARM.axis, name="hinge").joint.spherical(
        "arm.tip", "body.top", name="ball"
    )


@functools.cache
def truth():
    return ARM.motion(END, RATE, SPIN)


def errors(run: Result) -> np.ndarray:
    """Largest error at any time: rotation matrix and angle, rates, force in the ball joint relative to its size."""
    angle, rate, matrix, spin = truth()(run.time)
    force = [ARM.accelerations(*state)[2] for state in zip(angle, rate, matrix, spin, strict=True)]
    found = vector(run, "ball", "fx", "fy", "fz")
    return np.array(
        [
            max(np.abs(matrices(run, "body") - matrix).max(), np.abs(run.array("hinge.angle") - angle).max()),
            max(
                np.abs(vector(run, "body", "wx", "wy", "wz") - spin).max(),
                np.abs(run.array("hinge.rate") - rate).max(),
            ),
            np.abs(found - force).max() / np.abs(force).max(),
        ]
    )


def run_with(model: gw.Model, method: str, steps: int, stabilisation: str) -> Result:
    how = {"method": method, "stabilisation": stabilisation}
    if ADAPTIVE[method]:  # grows to the largest step within a few steps
        return model.simulate(END, max_step=END / steps, tolerance=1e6, output_step=0, **how)
    return model.simulate(END, step=END / steps, every=steps // 20, **how)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(METHODS))
def test_order(name: str) -> None:
    order = METHODS[name].order
    coarse, fine = (errors(run_with(arm_and_body(), name, n, "projection")) for n in STEPS[order])
    observed = np.log2(coarse / fine)
    # moreau, first-order at impacts, is second-order for smooth motions except in the forces, those of the middle of a step
    assert np.all(observed > order - 0.3), (observed, coarse, fine)
    assert np.all(observed < order + 1.4), (observed, coarse, fine)


# A hundred seconds ---------------------------------------------------------------------------------------------------


def long_run() -> gw.Model:
    """A tumbling body, and two bodies on ball joints, one hanging on the other."""
    model = gw.Model("for a long time", dimension=3).ground_point("O", 0, 0, 0)
    model.body("upper", mass=1.0, inertia=[0.02, 0.02, 0.01], at=[0.15, 0, -0.3], spin=[0.4, 0.2, 1.0],
               points={"top": [-0.15, 0, 0.3], "end": [0.15, 0, -0.2]})  # fmt: skip
    model.body("lower", mass=0.5, inertia=[0.01, 0.012, 0.006], at=[0.3, 0.2, -0.7], points={"top": [0, -0.2, 0.2]})
    model.joint.spherical("ground.O", "upper.top").joint.spherical("upper.end", "lower.top")
    model.body("stone", mass=1.0, inertia=[0.2, 0.3, 0.4], at=[2, 0, 0], spin=[0.01, 1.0, 0.02], velocity=[0, 0, 490.5])
    return model


SECONDS = 100.0
#: Step, s (or tolerance of adaptive methods), and largest work-energy residual in 100 s, J; some 5 J swing back and forth.
#: Of that of euler m g^2 h t / 2 = 9.6 J belongs to the throw alone.
LONG = {
    "euler": (2e-3, 15.0), "rk4": (1e-2, 1e-3), "gill": (1e-2, 1e-3), "gauss1": (1e-2, 3e-2), "gauss2": (1e-2, 3e-6),
    "gauss3": (2e-2, 1e-6), "generalized-alpha": (1e-2, 3e-2), "moreau": (1e-2, 0.2), "dopri5": (1e-7, 1e-5),
    "radau5": (1e-6, 1e-5), "rosenbrock23": (1e-5, 1e-2),
}  # fmt: skip
#: The same for other methods, by whether they are adaptive.
LONG_OF_OTHERS = {False: (2e-3, 15.0), True: (1e-6, 1e-2)}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(METHODS))
def test_bodies_stay_rigid_for_a_hundred_seconds(name: str) -> None:
    size, most = LONG.get(name, LONG_OF_OTHERS[ADAPTIVE[name]])
    how = {"tolerance": size, "output_step": 0.5} if ADAPTIVE[name] else {"step": size, "every": round(0.5 / size)}
    model = long_run()
    if name == "euler":  # lets every swing grow without bounds: the free body alone
        model = gw.Model("stone", dimension=3).body("stone", **model.document.bodies[2].model_dump(exclude={"name"}))
    run = model.simulate(SECONDS, method=name, **how)
    for body in run.mechanism.body_names:
        a = matrices(run, body)
        assert np.abs(np.einsum("tji,tjk->tik", a, a) - np.eye(3)).max() < 1e-10, body
    assert run.evidence.max_position_violation < 1e-10
    assert run.evidence.max_energy_residual < most


# Momentum and energy -------------------------------------------------------------------------------------------------


def floating() -> gw.Model:
    """Two bodies on a hinge with a spring about it, a third on a bushing, a fourth on a spring; nothing touches the ground."""
    model = gw.Model("floating", dimension=3, gravity=(0, 0, 0))
    model.body("a", mass=1.0, inertia=[0.02, 0.03, 0.04, 0.002, 0.001, -0.003], at=[0, 0, 0], spin=[1, 2, 0.5],
               points={"P": [0.2, 0, 0.1], "Q": [-0.2, 0.1, 0]})  # fmt: skip
    model.body("b", mass=0.7, inertia=[0.01, 0.02, 0.015], centre=[0.1, 0, 0.05], at=[0.3, 0.1, 0.2],
               points={"P": [-0.1, -0.1, -0.1], "R": [0.1, 0.1, 0]})  # fmt: skip
    model.body("c", mass=0.4, inertia=[0.004, 0.005, 0.006], at=[-0.4, 0.2, 0], velocity=[0.3, -0.2, 0.4],
               points={"Q": [0.2, -0.1, 0]})  # fmt: skip
    model.body(
        "d", mass=0.3, inertia=[0.002, 0.002, 0.003], at=[0.8, 0.3, 0.3], spin=[0, 3, 1], points={"R": [-0.1, 0, 0]}
    )
    model.joint.revolute("a.P", "b.P", axis=[0.3, 0.5, 1.0], name="hinge").force.joint_spring(
        "hinge", stiffness=2.0, rest_angle=0.3
    )
    model.force("bushing", a="a.Q", b="c.Q", stiffness=[200, 300, 100], torsional_stiffness=[2, 3, 4])
    return model.force.spring_damper("b.R", "d.R", stiffness=50.0, rest_length=0.2)


def momenta(run: Result) -> tuple[np.ndarray, np.ndarray]:
    """Linear momentum, and angular momentum about the origin, by the definition."""
    linear, angular = np.zeros((run.time.size, 3)), np.zeros((run.time.size, 3))
    for name, body in run.mechanism.body_names.items():
        p = body.mass * vector(run, name, "vx", "vy", "vz")
        own = np.einsum("ij,tj->ti", body.inertia, vector(run, name, "wx_body", "wy_body", "wz_body"))
        linear += p
        angular += np.cross(vector(run, name, "x", "y", "z"), p) + np.einsum("tij,tj->ti", matrices(run, name), own)
    return linear, angular


def test_floating_bodies_conserve_momenta_and_energy() -> None:
    run = floating().simulate(3.0, method="dopri5", tolerance=1e-11, output_step=0.05)
    linear, angular = momenta(run)
    np.testing.assert_allclose(linear, np.tile(linear[0], (run.time.size, 1)), rtol=0, atol=1e-11)
    np.testing.assert_allclose(angular, np.tile(angular[0], (run.time.size, 1)), rtol=0, atol=1e-9)
    total = run.array("energy.kinetic") + run.array("energy.potential")
    np.testing.assert_allclose(total, total[0], rtol=1e-8)
    assert np.ptp(run.array("energy.potential")) > 0.05  # the springs do take part


# Frames --------------------------------------------------------------------------------------------------------------


def test_motion_is_independent_of_body_frame() -> None:
    """The same body with another origin and other axes of its frame: a tensor of six numbers, a centre elsewhere."""
    turn = sol.about(sol.unit(np.array([1.0, -2.0, 0.5])), 1.1)
    shift = np.array([0.3, -0.2, 0.5])  # of the new origin, in the old frame
    plain = arm_and_body()
    model = arm_and_body()
    body = model.document.bodies[1]
    at, top = np.array(body.at, dtype=float), np.array(body.points["top"], dtype=float)
    inertia = turn.T @ ARM.inertia @ turn
    body.at = (at + shift).tolist()
    body.centre = (turn.T @ -shift).tolist()
    body.points = {"top": (turn.T @ (top - shift)).tolist()}
    body.orientation = OrientationSpec(axes=turn.T.tolist())
    body.inertia = [inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 1], inertia[0, 2], inertia[1, 2]]
    one, two = (m.simulate(0.5, method="gauss3", step=5e-3, every=10) for m in (plain, model))
    for parts in (("x", "y", "z"), ("vx", "vy", "vz"), ("ax", "ay", "az"), ("wx", "wy", "wz")):
        np.testing.assert_allclose(vector(two, "body", *parts), vector(one, "body", *parts), rtol=0, atol=1e-9)
    np.testing.assert_allclose(matrices(two, "body"), matrices(one, "body") @ turn, rtol=0, atol=1e-10)
    for name in ("ball", "hinge"):
        for what in ("f", "m"):
            parts = [f"{what}{axis}" for axis in "xyz"]
            np.testing.assert_allclose(vector(two, name, *parts), vector(one, name, *parts), rtol=0, atol=1e-9)
    np.testing.assert_allclose(two.array("energy.kinetic"), one.array("energy.kinetic"), rtol=1e-11)


@pytest.mark.parametrize("make", [arm_and_body, floating], ids=["arm", "floating"])
def test_a_turned_and_shifted_world_moves_turned_and_shifted(make) -> None:
    turn, shift = sol.about(sol.unit(np.array([0.4, 1.0, -0.7])), 2.0), np.array([1.0, -2.0, 0.5])
    plain, moved = make(), make()
    document = moved.document
    document.gravity = (turn @ np.array(document.gravity, dtype=float)).tolist()
    for name, place in document.ground.points.items():
        document.ground.points[name] = (turn @ place + shift).tolist()
    for body in document.bodies:
        body.at = (turn @ np.array(body.at, dtype=float) + shift).tolist()
        body.orientation = OrientationSpec(axes=turn.T.tolist())
        for field in ("velocity", "spin"):
            if getattr(body, field) is not None:
                setattr(body, field, (turn @ np.array(getattr(body, field), dtype=float)).tolist())
    for joint in document.joints:
        if joint["a"].startswith("ground"):
            joint["axis"] = (turn @ np.array(joint["axis"], dtype=float)).tolist()
    one, two = (model.simulate(0.5, method="gauss3", step=5e-3, every=10) for model in (plain, moved))
    for name in one.mechanism.body_names:
        place = vector(one, name, "x", "y", "z") @ turn.T + shift
        np.testing.assert_allclose(vector(two, name, "x", "y", "z"), place, rtol=0, atol=1e-11)
        np.testing.assert_allclose(matrices(two, name), turn @ matrices(one, name), rtol=0, atol=1e-11)
    for joint in [names.name for names in one.mechanism.constraint_names if names.kind == "joint"]:
        for what in ("f", "m"):
            parts = [f"{what}{axis}" for axis in "xyz"]
            seen = vector(one, joint, *parts) @ turn.T
            np.testing.assert_allclose(vector(two, joint, *parts), seen, rtol=0, atol=1e-9)
