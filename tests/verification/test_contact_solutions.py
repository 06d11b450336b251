"""Tests of the contact reference solutions: quadrature, ODE solutions and closed forms against each other and the
recomputation of 004."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from verification import contact_solutions as cs

BALL: dict[str, Any] = {"mass": cs.C_MASS, "approach": cs.C_APPROACH}


@pytest.mark.parametrize("row", cs.TABLE_C, ids=str)
def test_every_printed_digit_of_reference_c(row: tuple[str, float]) -> None:
    """An integration of our own to 1e-13: all 17 x 7 numbers are right to half a unit of their last digit."""
    law, e = row
    k = cs.FACTORS[law](e)
    found = cs.pressed_impact(cs.hysteresis(k, cs.C_STIFFNESS, 1.5, cs.C_APPROACH), **BALL)
    ours = (found.depth * 1e6, found.duration * 1e6, *found[2:5], cs.rebound(k), found.loss)
    half_units = (5e-6, 5e-5, 5e-5, 5e-8, 5e-8, 5e-8, 5e-7)
    for value, printed, half in zip(ours, cs.TABLE_C[row], half_units, strict=True):
        assert abs(value - printed) <= half


@pytest.mark.parametrize("k", [0.0, 1e-6, 0.01, 0.5, 1.0, 3.0, 20.0])
def test_rebound_solves_its_equation(k: float) -> None:
    e = cs.rebound(k)
    assert 0 < e <= 1 and k * e < 1
    # both sides lose a digit per decade of k e towards 1, where the logarithm is steep
    assert k * (1 + e) == pytest.approx(math.log1p(k) - math.log1p(-k * e), rel=1e-7 if k > 10 else 1e-13, abs=1e-15)
    if 0 < k <= 0.01:
        assert e == pytest.approx(1 - 2 * k / 3 + 4 * k**2 / 9, abs=k**3)  # its series
    if 0 < e < 1 and k > 0.005:
        assert cs.exact_factor(e) == pytest.approx(k, rel=1e-7)


@pytest.mark.parametrize("n", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("k", [0.0, 0.3, 1.6, 8.0])
def test_first_integral_and_quadrature_equal_the_ode(k: float, n: float) -> None:
    given: dict[str, Any] = {"mass": 0.7, "approach": 2.0}
    exact = cs.free_impact(k, stiffness=3e5, exponent=n, **given)
    ode = cs.pressed_impact(cs.hysteresis(k, 3e5, n, 2.0), gravity=0.0, **given)
    # DOP853 at 1e-13, some 100 steps; the energy loss also as the difference of two squares
    np.testing.assert_allclose(ode, exact, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("n", [1.0, 1.5, 2.0, 3.0])
def test_elastic_impact_in_closed_form(n: float) -> None:
    given = {"stiffness": cs.C_STIFFNESS, "exponent": n, **BALL}
    np.testing.assert_allclose(cs.free_impact(0.0, **given), cs.hertz_impact(**given), rtol=1e-13)
    if n == 1.0:
        assert cs.hertz_impact(**given).duration == pytest.approx(math.pi / math.sqrt(cs.C_STIFFNESS), rel=1e-14)
    if n == 1.5:  # The recomputation of 004, below the table
        printed = (1.983318177e-3, 1.317873604e-3, 12365.6407)
        np.testing.assert_allclose(
            cs.hertz_impact(**given)[:3], printed, rtol=4e-9
        )  # half a unit of the last digit of the force


def test_dashpot_rebound_equals_the_ode() -> None:
    K, c, m = 1e5, 80.0, 0.9
    ode = cs.pressed_impact(lambda d, rate: K * d + c * rate, mass=m, approach=1.3, gravity=0.0, pulls=True)
    assert cs.dashpot_rebound(K, c, m) == pytest.approx(ode.restitution, rel=1e-11)


def test_bouncing_sums_up() -> None:
    H, e = 1.0, 0.7
    assert cs.bounce_times(H, e, 200)[-1] == pytest.approx(cs.rest_time(H, e), rel=1e-14)
    times = cs.bounce_times(H, e, 4)
    np.testing.assert_allclose(cs.bouncing(times, H, e), 0.0, atol=1e-14)
    np.testing.assert_allclose(
        cs.bouncing((times[:-1] + times[1:]) / 2, H, e), H * e ** (2 * np.arange(1, 4)), rtol=1e-13
    )
    assert cs.bouncing(cs.rest_time(H, e) + 1, H, e) == 0.0


@pytest.mark.parametrize("slip", [0.4, -0.4, 0.005, 0.0])
@pytest.mark.parametrize("drive", [0.0, 1.5, -1.5, -7.0, 7.0])
def test_coulomb_slip_equals_the_ode(slip: float, drive: float) -> None:
    """Creeping, through the dead zone to the other side, sliding away."""
    most, v0, v1, t = 5.0, 1e-3, 1e-2, np.linspace(0.0, 0.4, 41)
    ours = cs.coulomb_slip(t, slip, drive, most, v0, v1)
    ramp = lambda s: np.sign(s) * min(max((abs(s) - v0) / (v1 - v0), 0.0), 1.0)  # noqa: E731
    run = solve_ivp(
        lambda _, y: [drive - most * ramp(y[0]), y[0], ramp(y[0])], (0, t[-1]), [slip, 0, 0], t_eval=t, max_step=4e-4,
        rtol=1e-10, atol=1e-13, method="DOP853",
    )  # fmt: skip
    np.testing.assert_allclose([ours.slip, ours.path, ours.grip], run.y, rtol=0, atol=1e-8)  # corners of the ramp


def test_smooth_slip_equals_the_ode() -> None:
    t = np.linspace(0.0, 0.5, 51)
    ode = cs.slip_motion(t, 1.3, 0.0, lambda s: 4.0 * math.tanh(s / 5e-3))
    np.testing.assert_allclose(cs.smooth_slip(t, 1.3, 4.0, 5e-3), ode, rtol=0, atol=1e-11)
    np.testing.assert_allclose(cs.smooth_slip(t, -1.3, 4.0, 5e-3), -ode, rtol=0, atol=1e-11)


def test_newton_impact_of_a_disc() -> None:
    """Textbook: with J = m R^2/2 the tangential mass is m/3, so a disc grips if mu (1 + e) v_n >= |slip| / 3."""
    m, R, e = 2.0, 0.1, 0.5
    G = cs.point_delassus(m, m * R**2 / 2, (0.0, -R))
    np.testing.assert_allclose(G, np.diag([1 / m, 3 / m]), rtol=1e-14)
    grips = cs.newton_impact(G, (-1.0, 0.8), e, 0.2)
    assert grips.how == "stick" and grips.impulse == pytest.approx((m * (1 + e), -m * 0.8 / 3))
    slides = cs.newton_impact(G, (-1.0, 1.2), e, 0.2)
    assert slides.how == "slide+1" and slides.after == pytest.approx((0.5, 1.2 - 3 * 0.2 * (1 + e)))
    assert cs.newton_impact(G, (-1.0, -1.2), e, 0.2).after == pytest.approx((0.5, -1.2 + 3 * 0.2 * (1 + e)))


def test_sliding_block_balances() -> None:
    """Rigid feet: N = weight/2 (1 -+ mu h/a); a block pushed over its front foot carries more there."""
    stand = cs.sliding_block(1e9, 1.5, 100.0, half=0.2, below=0.1, friction=0.3)
    assert sum(stand.forces) == pytest.approx(100.0, rel=1e-10)
    assert stand.forces == pytest.approx((100 / 2 * (1 - 0.3 * 0.5), 100 / 2 * (1 + 0.3 * 0.5)), rel=1e-4)


def test_other_closed_forms() -> None:
    assert math.cos(cs.leaving_angle(0.4)) == pytest.approx(10 / 17) and math.cos(cs.leaving_angle(0)) == pytest.approx(
        2 / 3
    )
    assert cs.rolling_speed(3.0, 0.0, 2.0, 2.0 * 0.01 / 2, 0.1) == pytest.approx(2.0)
    assert cs.rolling_speed(3.0, -30.0, 2.0, 0.01, 0.1) == pytest.approx(3.0)  # rolls already
    assert cs.rolling_speed(3.0, 7.0, 2.0, 0.01, 0.1, slip=3.0 + 0.7) == pytest.approx(3.0)  # nothing happened yet
