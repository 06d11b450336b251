"""What every motion in space must keep: the order of the method, rigidity for a long time, momentum, energy, and indifference
to the frame in which bodies and the world are described."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analyse.result import Result
from gaitwright.integrate import load_all
from verification import spatial_solutions as sol

METHODS = load_all()
ADAPTIVE = {name: method.adaptive for name, method in METHODS.items()}


def vector(run: Result, name: str, *parts: str) -> np.ndarray:
    return np.stack([run.values(f"{name}.{part}") for part in parts], axis=1)


def matrices(run: Result, body: str) -> np.ndarray:
    return np.stack([[run.values(f"{body}.r{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]).transpose(2, 0, 1)


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
    return model.revolute("ground.O", "arm.O", axis=ARM.axis, name="hinge").spherical("arm.tip", "body.top", name="ball")


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
            max(np.abs(matrices(run, "body") - matrix).max(), np.abs(run.values("hinge.angle") - angle).max()),
            max(np.abs(vector(run, "body", "wx", "wy", "wz") - spin).max(), np.abs(run.values("hinge.rate") - rate).max()),
            np.abs(found - force).max() / np.abs(force).max(),
        ]
    )


def run_with(model: gw.Model, method: str, steps: int, stabilisation: str) -> Result:
    how = {"method": method, "stabilisation": stabilisation}
    if ADAPTIVE[method]:  # grows to the largest step within a few steps
        return model.simulate(END, max_step=END / steps, tolerance=1e6, output_step=0, **how)
    return model.simulate(END, step=END / steps, **how)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_order(name: str) -> None:
    order = METHODS[name].order
    coarse, fine = (errors(run_with(arm_and_body(), name, n, "projection")) for n in STEPS[order])
    observed = np.log2(coarse / fine)
    # moreau, of order 1 at impacts, is of order 2 for smooth motions but in the forces, which belong to the middle of a step
    assert np.all(observed > order - 0.3), (observed, coarse, fine)
    assert np.all(observed < order + 1.4), (observed, coarse, fine)


# A hundred seconds ---------------------------------------------------------------------------------------------------


def long_run() -> gw.Model:
    """A tumbling body, and two bodies on ball joints, one hanging on the other."""
    model = gw.Model("for a long time", dimension=3).ground_point("O", 0, 0, 0)
    model.body("upper", mass=1.0, inertia=[0.02, 0.02, 0.01], at=[0.15, 0, -0.3], spin=[0.4, 0.2, 1.0],
               points={"top": [-0.15, 0, 0.3], "end": [0.15, 0, -0.2]})  # fmt: skip
    model.body("lower", mass=0.5, inertia=[0.01, 0.012, 0.006], at=[0.3, 0.2, -0.7], points={"top": [0, -0.2, 0.2]})
    model.spherical("ground.O", "upper.top").spherical("upper.end", "lower.top")
    model.body("stone", mass=1.0, inertia=[0.2, 0.3, 0.4], at=[2, 0, 0], spin=[0.01, 1.0, 0.02], velocity=[0, 0, 490.5])
    return model


SECONDS = 100.0
#: Step, s, and energy error after 100 s relative to the largest kinetic energy but for the throw, J/J.
LONG = {
    "euler": (1e-3, 1.0), "rk4": (1e-2, 1e-3), "gill": (1e-2, 1e-3), "gauss1": (1e-2, 1e-2), "gauss2": (1e-2, 1e-5),
    "gauss3": (2e-2, 1e-6), "generalized-alpha": (1e-2, 1.0), "moreau": (1e-2, 1.0), "dopri5": (None, 1e-5),
    "radau5": (None, 1e-5), "rosenbrock23": (None, 1e-3),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(METHODS))
def test_bodies_stay_rigid_for_a_hundred_seconds(name: str) -> None:
    step, _ = LONG[name]
    how = {"step": step, "every": round(0.5 / step)} if step else {"tolerance": 1e-7, "output_step": 0.5}
    run = long_run().simulate(SECONDS, method=name, **how)
    for body in ("upper", "lower", "stone"):
        a = matrices(run, body)
        assert np.abs(np.einsum("tji,tjk->tik", a, a) - np.eye(3)).max() < 1e-10, body
    assert run.evidence.max_position_violation < 1e-10
