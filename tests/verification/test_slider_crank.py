"""Slider-cranks against the closed form: motion, torque and reactions; Simeon's high-speed mechanism, driven and free."""

from __future__ import annotations

import numpy as np
import pytest

from verification import analytical as an
from verification import benchmarks as bm
from verification.models import complex_of, slider_crank

PLAIN = an.uniform_slider_crank(0.1, 0.3, 0.2, 0.5, 0.4)
OFFSET = an.uniform_slider_crank(0.1, 0.35, 0.2, 0.5, 0.4, offset=0.06)
TIMES = np.linspace(0.0, 0.5, 301)
CASES = {
    "in line": (PLAIN, "1 + 20*t", (1 + 20 * TIMES, 20 + 0 * TIMES, 0 * TIMES)),
    "offset": (OFFSET, "1 - 20*t", (1 - 20 * TIMES, -20 + 0 * TIMES, 0 * TIMES)),
    "speeding up": (OFFSET, "1 + 2*t + 9*t^2", (1 + 2 * TIMES + 9 * TIMES**2, 2 + 18 * TIMES, 18 + 0 * TIMES)),
    "Simeon": (bm.SIMEON, "150*t", (150 * TIMES, 150 + 0 * TIMES, 0 * TIMES)),
}


def mirrored(s: an.SliderCrank, motion):
    """The mechanism with its slider on the -x side is the mirror image of one that turns the other way."""
    angle, rate, acceleration = motion
    return s, (np.pi - angle, -rate, -acceleration)


@pytest.fixture(scope="module", params=[(case, side) for case in CASES for side in (1, -1)], ids=str)
def driven(request):
    case, side = request.param
    s, expression, motion = CASES[case]
    run = slider_crank(s, float(motion[0][0]), side=side, drive=expression).inverse(times=TIMES)
    return side, *((s, motion) if side > 0 else mirrored(s, motion)), run


def relative(found, exact) -> float:
    return float(np.abs(found - exact).max() / np.abs(exact).max())


def test_motion(driven) -> None:
    side, s, motion, run = driven
    exact = an.slider_crank(s, *motion)
    # No integration: rounding only, once per differentiation.
    assert relative(side * run.array("slider.x"), exact.position) < 1e-14
    assert relative(side * run.array("slider.vx"), exact.velocity) < 1e-13
    assert relative(side * run.array("slider.ax"), exact.acceleration) < 1e-12
    assert relative(side * run.array("rod.spin"), exact.rod_rate) < 1e-13
    assert relative(side * run.array("rod.angular_acceleration"), exact.rod_acceleration) < 1e-12
    centre = complex_of(run, "rod")
    assert relative(centre if side > 0 else -centre.conj(), exact.rod_centre[0]) < 1e-14
    np.testing.assert_allclose(run.array("slider.y"), s.offset, atol=1e-15)


def test_reactions_and_torque(driven) -> None:
    side, s, motion, run = driven
    exact = an.slider_crank_reactions(s, *motion)

    def force(name: str) -> np.ndarray:
        z = run.array(f"{name}.fx") + 1j * run.array(f"{name}.fy")
        return z if side > 0 else -z.conj()

    # Forces on the later link: crank at O, rod at A, slider at the pin, as in the closed form.
    assert relative(force("O"), exact.at_o) < 1e-12
    assert relative(force("A"), exact.at_a) < 1e-12
    assert relative(force("pin"), exact.at_b) < 1e-12
    assert relative(run.array("guide.normal"), exact.guide) < 1e-12
    assert relative(side * run.array("crank.torque"), exact.torque) < 1e-12
    assert relative(side * run.array("crank.torque"), an.slider_crank_torque(s, *motion)) < 1e-12


def test_slider_load_reaches_the_drive() -> None:
    s, expression, motion = CASES["offset"]
    model = slider_crank(s, float(motion[0][0]), drive=expression).force.at_point("slider", ["30*cos(7*t)", 0])
    torque = model.inverse(times=TIMES).array("crank.torque")
    assert relative(torque, an.slider_crank_torque(s, *motion, slider_force=30 * np.cos(7 * TIMES))) < 1e-12


def test_simeon_driven_is_the_rigid_limit_of_the_published_flexible_one() -> None:
    """At t = 0.1 s the published rod is bent: its values differ from the rigid ones by the elastic part alone.

    The steel rod (8 x 8 mm, 0.3 m) vibrates by some 1e-4 m, at 150 rad/s and its own 1300 rad/s: 4e-4 rad in the rod's
    angle, 1e-5 m in the slider's position, up to 1 % in rates, and a tenth of the torque."""
    run = slider_crank(bm.SIMEON, 0.0, drive="150*t", gravity=0.0).inverse(times=[0.0, 0.05, bm.SIMEON_END])
    rod_angle, x, rod_rate, v, *_ = bm.SIMEON_FLEXIBLE_END
    assert run.array("rod.angle")[-1] == pytest.approx(rod_angle, abs=1e-3)
    assert run.array("slider.x")[-1] == pytest.approx(x, abs=1e-4)
    assert run.array("rod.spin")[-1] == pytest.approx(rod_rate, rel=0.02)
    assert run.array("slider.vx")[-1] == pytest.approx(v, rel=0.01)


FREE = [
    ({"method": "dopri5", "tolerance": 1e-12}, 1e-10),
    ({"method": "radau5", "tolerance": 1e-10}, 1e-9),
    ({"method": "gauss3", "step": 1e-4}, 1e-10),
    ({"method": "gauss2", "step": 1e-4}, 1e-6),
    ({"method": "rk4", "step": 2e-5}, 1e-8),
    ({"method": "generalized-alpha", "step": 1e-5}, 1e-5),
    ({"method": "rosenbrock23", "tolerance": 1e-7}, 1e-4),
]


@pytest.mark.parametrize(("how", "tolerance"), FREE, ids=[how["method"] for how, _ in FREE])
def test_free_running_crank_turns_in_the_time_of_the_energy_integral(how: dict, tolerance: float) -> None:
    """No drive, no gravity, 150 rad/s at the start: the crank swings between 100 and 150 rad/s every half turn.

    Tolerances: relative error of the time of ten turns at these settings, ten times the error estimate from the method's order
    for steps of 1/500 of a turn."""
    model = slider_crank(bm.SIMEON, 0.0, gravity=0.0).velocity("A", 0.0, bm.SIMEON_RATE * bm.SIMEON.crank)
    until = 10.02 * bm.SIMEON_FREE_TURN
    run = model.simulate(until, **how)
    for turns in (1, 10):
        (passage,) = run.crossings("crank.angle", 2 * np.pi * turns)
        assert passage == pytest.approx(turns * bm.SIMEON_FREE_TURN, rel=tolerance)
    rate = run.array("crank.spin")
    exact = an.free_slider_crank_rate(bm.SIMEON, run.array("crank.angle"), 0.0, bm.SIMEON_RATE)
    np.testing.assert_allclose(rate, exact, rtol=50 * tolerance)
    # samples are 1/100 of a turn apart: the least rate is met within its curvature, (2 pi / 100)^2 / 8 of 50 rad/s
    assert rate.min() == pytest.approx(bm.SIMEON_FREE_LEAST_RATE, abs=0.05)
