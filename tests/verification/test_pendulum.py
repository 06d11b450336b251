"""Pendulums: period by the elliptic integral, motion by Jacobi functions, pin force; paper 001's angles; IFToMM A01."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright import mechanisms
from verification import analytical as an
from verification import benchmarks as bm
from verification.models import complex_of, hanging_rod, point_pendulum

W0 = an.rod_pendulum_frequency(1.0)
TIGHT = {"method": "dopri5", "tolerance": 1e-12}
#: Methods with settings that give an error below 1e-10 over a few swings (orders: test_orders).
ACCURATE = [
    pytest.param(TIGHT, id="dopri5"),
    pytest.param({"method": "radau5", "tolerance": 1e-11}, id="radau5"),
    pytest.param({"method": "gauss3", "step": 5e-3}, id="gauss3"),
    pytest.param({"method": "gauss2", "step": 5e-4}, id="gauss2"),
    pytest.param({"method": "rk4", "step": 5e-4}, id="rk4"),
]


@pytest.mark.parametrize("amplitude", [0.01, 0.5, np.pi / 2, 2.5, 3.1])
def test_period_is_that_of_the_elliptic_integral(amplitude: float) -> None:
    period = an.pendulum_period(amplitude, W0)
    run = hanging_rod(amplitude).simulate(2.2 * period, **TIGHT)
    passages = run.crossings("rod.angle", -np.pi / 2, direction=-1)
    assert passages.size == 2
    # The tolerance of the run is 1e-12 per step; the time of a passage is its angle error over the speed there.
    assert passages[1] - passages[0] == pytest.approx(period, rel=1e-10)
    assert passages[0] == pytest.approx(period / 4, rel=1e-10)


@pytest.mark.parametrize("how", ACCURATE)
@pytest.mark.parametrize(
    ("angle", "rate"),
    [(np.pi / 2, 0.0), (0.3, -2.0), (3.0, 1.0), (0.0, -9.0)],
    ids=["swing", "push", "top", "rotation"],
)
def test_motion_is_that_of_the_jacobi_functions(angle: float, rate: float, how: dict) -> None:
    run = hanging_rod(angle, rate).simulate(3.0, **how)
    exact = an.pendulum_motion(run.time, angle, rate, W0)
    names = ("rod.angle", "rod.spin", "rod.angular_acceleration")
    # Local errors of 1e-12 (rad, rad/s) and less, some 1000 steps, and a growth of up to 100 past the top.
    for name, values, tolerance in zip(names, exact, (2e-10, 1e-9, 3e-9), strict=True):
        shift = -np.pi / 2 if name == "rod.angle" else 0.0
        np.testing.assert_allclose(run.array(name) - shift, values, rtol=0, atol=tolerance, err_msg=name)


def test_pin_force_is_that_of_the_closed_form() -> None:
    run = hanging_rod(2.0, 1.0, mass=2.0).simulate(2.0, **TIGHT)
    angle, rate, _ = an.pendulum_motion(run.time, 2.0, 1.0, W0)
    force = run.array("O.fx") + 1j * run.array("O.fy")  # of the pin on the rod
    exact = an.pendulum_pin_force(angle, rate, mass=2.0, inertia=2.0 / 12.0, arm=0.5)
    np.testing.assert_allclose(force, exact, rtol=0, atol=1e-8)  # up to 90 N; m L w dw = 2 N s times the rate's 1e-9


SINGLE = [
    # method, step, error: h^order times a constant of the motion, orders of the recomputation of 001
    ("gill", 1e-3, 1e-9),
    ("rk4", 1e-3, 1e-9),
    ("gauss2", 1e-3, 1e-10),
    ("gauss3", 1e-2, 1e-10),
]


@pytest.mark.parametrize(("method", "step", "tolerance"), SINGLE)
@pytest.mark.parametrize("stabilisation", ["none", "projection"])
def test_paper_001_pendulums(method: str, step: float, tolerance: float, stabilisation: str) -> None:
    how = {"method": method, "step": step, "stabilisation": stabilisation}
    single = mechanisms.pendulum((0.0,)).simulate(2.0, **how)
    assert single.array("rod1.angle")[-1] == pytest.approx(an.SINGLE_ROD_ANGLE_AT_2S, abs=tolerance)
    double = mechanisms.pendulum((0.0, 0.0)).simulate(1.0, **how)
    angles = [double.array(f"rod{k}.angle")[-1] for k in (1, 2)]
    # the second rod whips round: errors are some 100 times those of the single pendulum
    assert angles == pytest.approx(an.DOUBLE_ROD_ANGLES_AT_1S, abs=100 * tolerance)


def test_double_pendulum_to_all_digits_of_the_reference() -> None:
    run = mechanisms.pendulum((0.0, 0.0)).simulate(1.0, **TIGHT)
    angles = [run.array(f"rod{k}.angle")[-1] for k in (1, 2)]
    assert angles == pytest.approx(an.DOUBLE_ROD_ANGLES_AT_1S, abs=2e-11)  # 1e-12 per step, some 100 steps
    exact = an.rod_chain_motion(run.time[1:], [0.0, 0.0])[0]
    for k in (0, 1):
        np.testing.assert_allclose(run.array(f"rod{k + 1}.angle")[1:], exact[k], rtol=0, atol=2e-11)


@pytest.mark.parametrize("side", [1, -1])
def test_iftomm_a01(side: int) -> None:
    """Simple pendulum of the IFToMM library: point mass, massless bar, 10 s; the library's own limit is 1e-3 m."""
    run = point_pendulum(side).simulate(10.0, **TIGHT)
    exact = bm.iftomm_a01(run.time, side)
    for order, tolerance in enumerate((1e-10, 1e-9, 1e-9)):
        np.testing.assert_allclose(complex_of(run, "P1", order), exact[order], rtol=0, atol=tolerance)
    passages = run.crossings("P1.x", 0.0, direction=-side)
    np.testing.assert_allclose(np.diff(passages), bm.A01_PERIOD, rtol=1e-10)
    np.testing.assert_allclose(run.array("P1.angle"), 0.0, atol=1e-12)  # nothing turns the point mass


@pytest.mark.slow
def test_iftomm_a01_for_2000_seconds() -> None:
    """The specification of 2005 requires 2000 s: 845 periods. gauss3 with 200 000 steps of 0.01 s."""
    run = point_pendulum(1).simulate(2000.0, method="gauss3", step=0.01, every=2000)
    exact = bm.iftomm_a01(run.time)
    # The error is a phase that grows with the square of time, as the energy error does with time: 2e-8 m in the end.
    np.testing.assert_allclose(complex_of(run, "P1"), exact[0], rtol=0, atol=1e-7)
    assert run.evidence.max_energy_residual < 1e-9  # [2e-10] J, of 9.81
    assert run.evidence.max_position_violation < 1e-14


def test_wrong_results_would_be_noticed() -> None:
    """The comparison itself: a pendulum 0.1 permille too long misses by far more than the tolerances above."""
    run = hanging_rod(np.pi / 2, length=1.0001).simulate(3.0, **TIGHT)
    angle = an.pendulum_motion(run.time, np.pi / 2, 0.0, W0)[0]
    assert np.abs(run.array("rod.angle") + np.pi / 2 - angle).max() > 1e-4
