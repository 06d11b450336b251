"""Observed order of every registered method on two closed loops, with and without projection.

- a four-bar that swings under gravity from rest, no drive;
- a four-bar with a driven crank that carries a pendulum at B: constraints that depend on time, and a free coordinate.

Reference: the one-coordinate equations of motion in closed-form kinematics, integrated by SciPy's DOP853 at 1e-13. Every
registered method is tested: methods with fixed steps by their step, adaptive methods by a largest step and no tolerance, so
that nearly all steps have that size.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gaitwright as gw
from gaitwright.integrate import load_all
from verification import analytical as an
from verification.models import CRANK_ROCKER, four_bar

END = 0.8
RATE, START = 2 * np.pi, 0.3
ROD_LENGTH, ROD_MASS = 0.25, 0.3
METHODS = load_all()
#: Numbers of steps by order, fine enough for the leading term of the error, coarse enough to stay above rounding.
STEPS = {1: (8000, 16000), 2: (800, 1600), 3: (400, 800), 4: (160, 320), 5: (160, 320), 6: (120, 240)}

#: Per body: angle, spin and angular acceleration at the given times, (3, n_times).
Truth = Callable[[np.ndarray], dict[str, np.ndarray]]


def bars(angle, rate, acceleration):
    a = an.crank_point(CRANK_ROCKER[0], angle, rate, acceleration)
    o, c = an.fixed_point(0j, angle), an.fixed_point(CRANK_ROCKER[3], angle)
    b = an.dyad(a, c, CRANK_ROCKER[1], CRANK_ROCKER[2], 1)
    return [(o, a, CRANK_ROCKER[0]), (a, b, CRANK_ROCKER[1]), (c, b, CRANK_ROCKER[2])], b  # 1 kg/m


def solve(acceleration, start: tuple[float, float]) -> Callable[[np.ndarray], np.ndarray]:
    """Angle, rate, acceleration over time of a one-coordinate motion. Short steps keep SciPy's dense output at 1e-12."""
    run = solve_ivp(
        lambda t, y: [y[1], acceleration(t, *y)],
        (0.0, END), start, method="DOP853", rtol=1e-13, atol=1e-14, max_step=END / 200, dense_output=True,
    )  # fmt: skip

    def at(times: np.ndarray) -> np.ndarray:
        state = run.sol(times)
        return np.array([*state, acceleration(times, *state)])

    return at


def four_bar_bodies(angle, rate, acceleration) -> dict[str, np.ndarray]:
    f = an.four_bar(*CRANK_ROCKER, angle, rate, acceleration)
    return {
        "crank": np.array([angle, rate, acceleration]),
        "coupler": np.array(f[0::2]),
        "rocker": np.array(f[1::2]),
    }


def swinging() -> tuple[gw.Model, Truth]:
    def acceleration(_t, angle, rate):
        """J theta'' + J' theta'^2 / 2 + V' = 0, each term from the torque of a trial motion."""
        torque = [
            an.bars_drive_torque(bars(angle, 1.0, trial)[0], 1.0, gravity)
            for trial, gravity in ((1.0, 0.0), (0.0, 0.0), (0.0, an.G))
        ]
        inertia, half_slope, weight = torque[0] - torque[1], torque[1], torque[2] - torque[1]
        return (-half_slope * rate**2 - weight) / inertia

    crank = solve(acceleration, (1.0, 0.0))
    return four_bar(CRANK_ROCKER, 1.0), lambda times: four_bar_bodies(*crank(times))


def driven() -> tuple[gw.Model, Truth]:
    arm, about = ROD_LENGTH / 2, ROD_LENGTH**2 / 3  # inertia about the pin, per mass

    def acceleration(t, angle, _rate):
        pin = bars(START + RATE * t, RATE, 0.0)[1]
        return -arm * an.dot(1j * np.exp(1j * angle), pin[2] + 1j * an.G) / about

    # The pendulum's start velocity is not specified: it has the least kinetic energy, no momentum about its pin.
    spin = -arm * float(an.dot(1j, bars(START, RATE, 0.0)[1][1])) / about
    model = four_bar(CRANK_ROCKER, START, drive=f"{START} + {RATE!r}*t")
    x, y = model.document.points["B"]
    model.point("P", x + ROD_LENGTH, y).link("rod", "B", "P", length=ROD_LENGTH, mass=ROD_MASS)
    rod = solve(acceleration, (0.0, spin))

    def truth(times: np.ndarray) -> dict[str, np.ndarray]:
        crank = START + RATE * times, np.full(times.size, RATE), np.zeros(times.size)
        return {**four_bar_bodies(*crank), "rod": rod(times)}

    return model, truth


@functools.cache
def problem(name: str) -> tuple[gw.Model, Truth]:
    return {"swinging": swinging, "driven": driven}[name]()


def run_with(model: gw.Model, method: str, steps: int, stabilisation: str):
    """Run that stores every step; adaptive methods grow from 1e-4 s to the largest step within a few steps."""
    how = {"method": method, "stabilisation": stabilisation}
    if METHODS[method].adaptive:
        return model.simulate(END, max_step=END / steps, tolerance=1e6, output_step=0, **how)
    return model.simulate(END, step=END / steps, **how)


def errors(run, truth: Truth) -> np.ndarray:
    """Largest error at any time over all bodies: angle (rad), spin, angular acceleration."""
    worst = np.zeros(3)
    for body, exact in truth(run.time).items():
        found = [run.array(f"{body}.{what}") for what in ("angle", "spin", "angular_acceleration")]
        difference = np.array(found) - exact
        difference[0] -= 2 * np.pi * np.round(difference[0] / (2 * np.pi))
        worst = np.maximum(worst, np.abs(difference).max(axis=1))
    return worst


def cases() -> list[tuple[str, str]]:
    return [
        (name, stabilisation)
        for name, method in sorted(METHODS.items())
        for stabilisation in ("none", "projection")
        if not (method.tangent and stabilisation == "none")  # index 3: the constraints hold without projection
    ]


@pytest.mark.parametrize("which", ["swinging", "driven"])
@pytest.mark.parametrize(("name", "stabilisation"), cases(), ids=lambda value: value)
def test_order(name: str, stabilisation: str, which: str) -> None:
    model, truth = problem(which)
    coarse, fine = (errors(run_with(model, name, n, stabilisation), truth) for n in STEPS[METHODS[name].order])
    observed = np.log2(coarse / fine)
    expected = METHODS[name].order
    # The next term of the error is one power of h smaller: some tenths of an order at these steps; more for dopri5, whose
    # leading term was made small by design and shows only below 1e-11 on the swinging loop (6.2 here, 5.4 at 640 steps).
    # moreau is of order 1 where forces depend on velocities and at impacts; here only its accelerations show that, which
    # belong to the middle of the step.
    assert np.all(observed > expected - 0.3), (observed, coarse, fine)
    assert np.all(observed < expected + 1.4), (observed, coarse, fine)


@pytest.mark.parametrize("which", ["swinging", "driven"])
@pytest.mark.parametrize(("name", "stabilisation"), cases(), ids=lambda value: value)
def test_work_energy_residual_has_the_order_of_the_method(name: str, stabilisation: str, which: str) -> None:
    model, _ = problem(which)
    coarse, fine = (
        run_with(model, name, n, stabilisation).evidence.max_energy_residual for n in STEPS[METHODS[name].order]
    )
    # Higher is possible: Gauss methods conserve energy better than they follow the motion.
    assert np.log2(coarse / fine) > METHODS[name].order - 0.5, (coarse, fine)


def test_generalized_alpha_ends_with_a_shorter_step_as_accurately() -> None:
    """The end is seldom a multiple of the step. Accelerations and reactions in the last, shorter step had an error of O(h)
    before the method was restarted for it."""
    model, truth = problem("driven")
    run = model.simulate(END, method="generalized-alpha", step=END / 800.3)
    assert run.time[-1] == END
    assert run.steps["step_sizes"][-1] == pytest.approx(0.3 * END / 800.3, rel=1e-6)
    last = run.array("rod.angular_acceleration")[-1] - truth(run.time)["rod"][2, -1]
    before = run.array("rod.angular_acceleration")[-2] - truth(run.time)["rod"][2, -2]
    assert abs(last) < 2 * abs(before) + 1e-3  # 1e-3 rad/s^2: h^2 times the fourth derivative of the angle


def test_moreau_is_of_order_one_where_forces_depend_on_velocities() -> None:
    """m x'' + c x' + k x = 0: the velocity at the start of the step is used throughout the step."""
    m, c, k = 2.0, 3.0, 50.0
    decay, frequency = c / (2 * m), np.sqrt(k / m - (c / (2 * m)) ** 2)
    model = gw.Model("cart", gravity=(0, 0)).ground_point("O", -1, 0)
    model.body("cart", mass=m, inertia=1.0, at=(0.2, 0)).force.spring_damper(
        "O", "cart", stiffness=k, damping=c, rest_length=1.0
    )
    exact = 0.2 * np.exp(-decay) * (np.cos(frequency) + decay / frequency * np.sin(frequency))
    coarse, fine = (abs(model.simulate(1.0, method="moreau", step=h).array("cart.x")[-1] - exact) for h in (2e-3, 1e-3))
    assert np.log2(coarse / fine) == pytest.approx(1.0, abs=0.1)


ADAPTIVE = [name for name, method in sorted(METHODS.items()) if method.adaptive]


@pytest.mark.parametrize("which", ["swinging", "driven"])
@pytest.mark.parametrize("name", ADAPTIVE)
def test_error_follows_the_tolerance(name: str, which: str) -> None:
    """Error per step is held at the tolerance, so the error at the end goes with tolerance^(p / k), k = exponent of the
    error estimate: 5/5 for dopri5, 5/4 for radau5, 2/3 for rosenbrock23."""
    model, truth = problem(which)
    order = METHODS[name].order
    tolerances = (1e-5, 1e-7) if order < 3 else (1e-6, 1e-8)
    runs = [model.simulate(END, method=name, tolerance=tol, output_step=0) for tol in tolerances]
    coarse, fine = (errors(run, truth)[:2].max() for run in runs)
    rate = np.log(coarse / fine) / np.log(tolerances[0] / tolerances[1])
    exponent = order / (METHODS[name].estimate_order + 1)
    assert rate == pytest.approx(exponent, abs=0.3)
    # Errors grow along the motion, by 1000 at most here; much less would mean wasted steps, more a broken estimate.
    assert fine < 3000 * tolerances[1] ** min(1.0, exponent)
    for run in runs:
        assert run.evidence.rejected < 0.15 * run.evidence.steps + 5
        assert run.evidence.max_position_violation < 1e-14
