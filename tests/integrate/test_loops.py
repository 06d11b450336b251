"""Time stepping loops, their projection, dense output and failures."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright import mechanisms
from gaitwright.integrate import load_all
from verification import analytical as an
from verification.models import CRANK_ROCKER, four_bar, hanging_rod, slider_crank

METHODS = load_all()
ADAPTIVE = sorted(name for name, method in METHODS.items() if method.adaptive)
FIXED = sorted(name for name, method in METHODS.items() if not method.adaptive)
W0 = an.rod_pendulum_frequency(1.0)


@pytest.mark.parametrize("method", FIXED)
def test_fixed_steps_are_multiples_and_end_at_the_end(method: str) -> None:
    run = hanging_rod(1.0).simulate(0.0105, method=method, step=1e-3)
    assert run.time == pytest.approx([*np.arange(11) * 1e-3, 0.0105], abs=1e-15)
    assert run.time[-1] == 0.0105
    every = hanging_rod(1.0).simulate(0.0105, method=method, step=1e-3, every=4)
    assert every.time == pytest.approx([0.0, 4e-3, 8e-3, 0.0105], abs=1e-15)
    assert every.evidence.steps == 11
    assert every.array("rod.angle")[-1] == run.array("rod.angle")[-1]


@pytest.mark.parametrize("method", ADAPTIVE)
def test_outputs_do_not_change_the_steps(method: str) -> None:
    """Dense output does not affect the integration: the same steps for any number of outputs, and the same end."""
    model = four_bar(CRANK_ROCKER, 1.0)
    runs = [model.simulate(0.5, method=method, tolerance=1e-7, output_step=dt) for dt in (0.5, 0.01, 1e-4)]
    assert len({run.evidence.steps for run in runs}) == 1
    assert len({run.array("crank.angle")[-1] for run in runs}) == 1
    every = model.simulate(0.5, method=method, tolerance=1e-7, output_step=0)
    assert every.time.size == every.evidence.steps + 1
    assert every.evidence.smallest_step == pytest.approx(np.diff(every.time).min(), rel=1e-6)
    assert every.evidence.largest_step == pytest.approx(np.diff(every.time).max(), rel=1e-6)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_outputs_are_at_the_requested_times(method: str) -> None:
    run = hanging_rod(1.0).simulate(1.0, method=method, tolerance=1e-5, output_step=0.03)
    assert run.time == pytest.approx([*np.arange(34) * 0.03, 1.0], abs=1e-12)


def test_many_outputs_inside_one_step() -> None:
    """Free flight is exact for any step: 20 000 outputs within a few steps must not stall the loop between them."""
    model = gw.Model("ball").body("ball", mass=1.0, inertia=1.0, velocity=(1.0, 2.0))
    run = model.simulate(10.0, method="dopri5", output_step=10.0 / 20_000)
    assert run.time.size == 20_001
    assert run.evidence.steps < 100
    np.testing.assert_allclose(run.array("ball.y"), 2 * run.time - an.G * run.time**2 / 2, rtol=0, atol=1e-10)


@pytest.mark.parametrize("method", ["dopri5", "radau5"])
def test_dense_output_is_as_accurate_as_the_steps(method: str) -> None:
    """Fifth-order interpolation of positions and velocities, accelerations from the equations of motion."""
    run = hanging_rod(2.0, 1.0).simulate(3.0, method=method, tolerance=1e-8, output_step=1e-3)
    assert run.evidence.steps < 1000  # three and more outputs per step
    angle, rate, acceleration = an.pendulum_motion(run.time, 2.0, 1.0, W0)
    # at the ends of the steps the errors are some 3e-8 by then
    np.testing.assert_allclose(run.array("rod.angle") + np.pi / 2, angle, rtol=0, atol=1e-7)
    np.testing.assert_allclose(run.array("rod.spin"), rate, rtol=0, atol=5e-7)
    np.testing.assert_allclose(run.array("rod.angular_acceleration"), acceleration, rtol=0, atol=2e-6)


@pytest.mark.parametrize("method", ["dopri5", "radau5"])
def test_works_between_the_steps_close_the_balance(method: str) -> None:
    """Works are interpolated as accurately as the motion: with a cubic between the ends of a step the residual was 300 times
    the tolerance (2.4e-6 J at 1e-8)."""
    model = four_bar(CRANK_ROCKER, 0.3, drive="0.3 + 2*pi*t")
    x, y = model.document.points["B"]
    model.point("P", x + 0.25, y).link("rod", "B", "P", length=0.25, mass=0.3)
    dense = model.simulate(2.0, method=method, tolerance=1e-8)
    at_steps = model.simulate(2.0, method=method, tolerance=1e-8, output_step=0)
    assert dense.evidence.max_energy_residual < 3 * at_steps.evidence.max_energy_residual + 2e-8


@pytest.mark.parametrize("method", ADAPTIVE)
def test_step_control_keeps_most_steps(method: str) -> None:
    run = four_bar(CRANK_ROCKER, 1.0).simulate(2.0, method=method, tolerance=1e-5)
    assert run.evidence.rejected < 0.15 * run.evidence.steps


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_sudden_load_is_found_by_the_step_control(method: str) -> None:
    """The force appears at t = 0.5: the step that contains it is shortened until the error estimate is below the tolerance.

    For dopri5 the estimate can be 160 times too small there: a jump between its second and third node changes the result
    by the weight 1/5 of the missed interval, the estimate by 71/57600. The error of the speed is then 1.6e-6 m/s."""
    model = gw.Model("cart", gravity=(0, 0)).ground_point("O", 0, 0)
    model.body("cart", mass=2.0, inertia=1.0).joint.prismatic("ground.O", "cart", (1, 0))
    model.force.at_point("cart", ["if(t < 0.5, 0, 8)", 0], name="push")
    run = model.simulate(1.0, method=method, tolerance=1e-8, output_step=0.1)
    exact = np.where(run.time < 0.5, 0.0, 2.0 * (run.time - 0.5) ** 2)
    np.testing.assert_allclose(run.array("cart.x"), exact, rtol=0, atol=1e-6)
    np.testing.assert_allclose(
        run.array("cart.vx"), np.where(run.time < 0.5, 0, 4 * (run.time - 0.5)), rtol=0, atol=2e-6
    )
    assert run.evidence.rejected > 0
    assert run.array("push.work")[-1] == pytest.approx(0.5 * 2.0 * run.array("cart.vx")[-1] ** 2, rel=1e-6)


COARSE = [("euler", 0.1), ("rk4", 0.5), ("gauss1", 0.5), ("gauss3", 0.5)]


@pytest.mark.parametrize(("method", "step"), COARSE, ids=[m for m, _ in COARSE])
def test_steps_too_long_to_be_projected_fail_instead_of_jumping(method: str, step: float) -> None:
    """gauss1 with h = 0.5 s once ended without an error with its pins 0.87 m apart: the projection had failed silently."""
    with pytest.raises(gw.DidNotConverge) as stop:
        mechanisms.pendulum((0.0, 0.0)).simulate(20.0, method=method, step=step)
    assert stop.value.partial.evidence.max_position_violation < 1e-14
    assert "smaller step" in stop.value.suggestion


def test_newton_iteration_of_gauss_methods_converges_to_rounding() -> None:
    """A tolerance of 1e-13 on positions alone gave an error of 1.7e-8 J after 100 s, a thousand times that of the method."""
    run = hanging_rod(np.pi / 2).simulate(100.0, method="gauss3", step=0.01, stabilisation="none", every=10)
    assert run.evidence.max_energy_residual < 1e-10  # [1.5e-11] of 4.9 J: truncation h^6 over 10 000 steps
    assert run.evidence.newton_iterations < 4 * run.evidence.steps


def test_continuation_in_the_step_reaches_steps_that_newton_alone_does_not() -> None:
    """Double pendulum, h = 0.1 s: Newton's method from the start of the step fails at step 57, though a solution exists."""
    run = mechanisms.pendulum((0.0, 0.0)).simulate(10.0, method="gauss2", step=0.1, stabilisation="none")
    assert run.time[-1] == 10.0
    assert run.evidence.newton_iterations > 6.5 * run.evidence.steps  # the continuation was needed


def test_generalized_alpha_starts_without_a_transient() -> None:
    """A crank at 150 rad/s: reactions are accurate from the first step on, not only after a damped transient."""
    s = an.uniform_slider_crank(0.1, 0.3, 0.2, 0.5, 0.4)
    model = slider_crank(s, 1.0, drive="1 + 20*t")
    run = model.simulate(0.3, method="generalized-alpha", step=1e-4)
    exact = an.slider_crank_torque(s, 1 + 20 * run.time, 20.0 + 0 * run.time)
    error = np.abs(run.array("crank.torque") - exact)
    assert error[:50].max() < 3 * error[200:].max()


@pytest.mark.parametrize("method", sorted(METHODS))
def test_counters_are_reported(method: str) -> None:
    how = {"tolerance": 1e-6} if METHODS[method].adaptive else {"step": 1e-3}
    evidence = four_bar(CRANK_ROCKER, 1.0).simulate(0.2, method=method, **how).evidence
    assert evidence.method == method
    assert evidence.steps > 0
    assert evidence.evaluations >= evidence.steps
    chosen = METHODS[method]
    own_system = chosen.coupled_stages > 0 or chosen.tangent or chosen.workspace is not None
    assert (evidence.factorisations > 0) == own_system


def test_generalized_alpha_without_damping_warns():
    model = mechanisms.pendulum()
    assert any("ring" in text for text in model.simulate(0.1, step=0.01, spectral_radius=1.0).evidence.warnings)
    assert not model.simulate(0.1, step=0.01, spectral_radius=0.8).evidence.warnings


@pytest.mark.parametrize("until", [2.1115, 2.113])
def test_many_outputs_inside_the_last_step_fit_the_buffer(until):
    """A last step may be 1 % longer than the largest: with it, the outputs once did not fit and the run never ended."""
    ball = gw.Model("ball").body("ball", mass=1, inertia=1)
    run = ball.simulate(until, method="dopri5", tolerance=1e-3, output_step=1e-4)
    assert run.time[-1] == until
    assert np.all(np.diff(run.time) > 0)


@pytest.mark.slow
@pytest.mark.parametrize(("until", "output_step"), [(0.1, 1e-7), (1.0, 1e-3 / 3), (0.3, 0.1), (0.7, 0.1), (1.0, 0.3)])
def test_output_times_are_multiples_and_the_end_comes_once(until, output_step):
    """Regression: output times were sums; their rounding stored the end twice and, if it accumulated, wrote beyond the buffer
    (10^6 outputs were enough to corrupt the heap)."""
    run = hanging_rod(1.0).simulate(until, method="dopri5", tolerance=1e-4, output_step=output_step)
    count = math.ceil(until / output_step - 1e-9)
    assert run.time.size == count + 1 and run.time[-1] == until
    # Within the rounding of one product and one sum, whether the processor fuses them or not.
    assert np.abs(run.time[:-1] - output_step * np.arange(count)).max() <= np.spacing(until)


def test_outputs_that_rounding_cannot_tell_apart_are_refused():
    with pytest.raises(gw.ModelError, match=r"output_step.*is lost in rounding.*got 1e-20.*1e-12 s"):
        hanging_rod(1.0).simulate(1.0, output_step=1e-20)


@pytest.mark.parametrize("method", ["euler", "gauss1", "rk4", "generalized-alpha"])
def test_a_drive_with_infinite_rate_is_a_failure_in_every_method(method):
    model = mechanisms.four_bar(speed=None).drive.rotation("crank", "sqrt(1-t)-1")
    with pytest.raises(gw.AnalysisError) as caught:
        model.simulate(1.0, method=method, step=0.1)
    assert np.all(np.isfinite(caught.value.partial.array("crank.torque")))


@pytest.mark.parametrize("excess", [1e-8, 1e-10])
def test_a_tiny_remainder_of_time_keeps_the_last_reactions_accurate(excess):
    leg = mechanisms.four_bar()
    torque = leg.simulate(1.0, step=1e-3).array("crank.torque")[-1]
    assert leg.simulate(1.0 + excess, step=1e-3).array("crank.torque")[-1] == pytest.approx(torque, rel=1e-4)
