"""Curve of a foot: on a circle in closed form, and for both legs of the thesis against closed-form kinematics."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from gaitwright.legs.foot import find_foot_path, measure_foot_curve
from gaitwright.legs.leg import analyse_leg
from gaitwright.legs.phases import STANCE, SWING, TURN
from gaitwright.mechanisms import chebyshev_leg, jansen_leg
from legs.turning import HIP, RADIUS, RATE, Circle, crank
from mechanisms.straight_lines import hoeken_leg, hoeken_point
from verification import benchmarks as bm

CIRCLE = Circle(0.05)
TIMES = np.linspace(0.0, CIRCLE.period, 501)
LEVEL = HIP - RADIUS + CIRCLE.depth


@pytest.fixture(scope="module", params=["rate*t", "-rate*t", "rate*t-pi/2", "1-rate*t"])
def run(request):
    """Turns in both directions; the third starts and ends in the middle of the stance."""
    return crank(request.param).inverse(times=TIMES), -1.0 if "-rate" in request.param else 1.0


def test_circle(run) -> None:
    result, sign = run
    found = measure_foot_curve(result, "F", level=LEVEL, hip=HIP)
    assert found.duty == pytest.approx(CIRCLE.duty, rel=1e-8)
    assert found.step_length == pytest.approx(CIRCLE.step_length, rel=1e-8)
    assert found.step_height == pytest.approx(2 * RADIUS, rel=1e-8)
    assert found.curve_length == pytest.approx(2 * RADIUS, rel=1e-8)
    assert found.leg_length == pytest.approx(RADIUS, rel=1e-8)
    assert found.lifting == pytest.approx(2.0, rel=1e-8)
    assert found.straightness == pytest.approx(math.sin(CIRCLE.half), rel=1e-8)
    assert found.lowest == pytest.approx(HIP - RADIUS, rel=1e-8)
    assert found.touchdown_speed == pytest.approx((CIRCLE.touchdown_speed,), rel=1e-7)
    # below the hip a foot that turns counter-clockwise goes to the right, so the body goes to the left
    assert found.body_speed == pytest.approx(-sign * CIRCLE.body_speed, rel=1e-7)


def test_speeds_and_accelerations_of_a_circle(run) -> None:
    result, _ = run
    found = measure_foot_curve(result, "F", level=LEVEL, hip=HIP)
    for phase in (STANCE, SWING, TURN):
        assert found.speed[phase] == pytest.approx([RADIUS * RATE] * 3, rel=1e-9)
        assert found.acceleration[phase] == pytest.approx([RADIUS * RATE**2] * 3, rel=1e-9)
    slow, fast = RADIUS * RATE * math.cos(CIRCLE.half), RADIUS * RATE
    assert sorted(np.abs(found.vx[STANCE][:2])) == pytest.approx([slow, fast], rel=1e-7)
    assert found.vx[TURN].mean == pytest.approx(0.0, abs=1e-9)
    relative = found.relative_speed
    assert relative[STANCE].mean == pytest.approx(0.0, abs=1e-8)  # by positions, and by a spline of velocities
    assert relative[TURN].mean == pytest.approx(found.body_speed)
    assert relative[STANCE].largest == pytest.approx(max(fast - CIRCLE.body_speed, CIRCLE.body_speed - slow), rel=1e-6)


def test_flatness_is_the_rms_deviation_of_the_height(run) -> None:
    """Integrals of cos and cos^2 over the stance; the error of the curve through 500 samples is about 1e-9."""
    result, _ = run
    found = measure_foot_curve(result, "F", level=LEVEL, hip=HIP)
    h = CIRCLE.half
    variance = 0.5 + math.sin(2 * h) / (4 * h) - (math.sin(h) / h) ** 2
    assert found.flatness == pytest.approx(RADIUS * math.sqrt(variance), rel=1e-7)


def hoeken_flatness(penetration: float) -> float:
    """Flatness of the closed form over time: midpoint rule with 1e5 intervals of a stance between ends found by bisection."""

    def height(angle: float) -> float:
        return float(np.imag(hoeken_point(angle)))

    dense = np.linspace(0.0, 2 * math.pi, 20001)
    lowest = brentq(lambda a: (height(a + 1e-5) - height(a - 1e-5)) / 2e-5, *_around(dense, hoeken_point(dense).imag))
    level = height(lowest) + penetration
    below = hoeken_point(dense).imag < level
    edges = [brentq(lambda a: height(a) - level, dense[k], dense[k + 1]) for k in np.flatnonzero(np.diff(below))]
    begin, end = edges  # one stance, which does not extend over the end of the turn
    angles = begin + (end - begin) * (np.arange(100_000) + 0.5) / 100_000
    return float(hoeken_point(angles).imag.std())


def _around(angles: np.ndarray, heights: np.ndarray) -> tuple[float, float]:
    k = int(heights.argmin())
    return float(angles[k - 1]), float(angles[k + 1])


def test_flatness_of_a_hoeken_leg_is_that_of_its_closed_form() -> None:
    """A flat stance with steep ends: counting the samples at the ends of the stance twice would give 6 % too much."""
    foot = analyse_leg(hoeken_leg(), penetration=0.005, restitutions=(), directions=("as driven",)).foot
    assert foot.flatness == pytest.approx(hoeken_flatness(0.005), rel=1e-7)


@pytest.mark.parametrize("make", [hoeken_leg, jansen_leg])
def test_flatness_does_not_depend_on_the_samples(make) -> None:
    """Order 4: twice the samples give about a sixteenth of the error; an eighth is required."""
    options = {"penetration": 0.01, "restitutions": (), "directions": ("as driven",)}
    exact, *coarse = (analyse_leg(make(), samples=n, **options).foot.flatness for n in (2000, 40, 80, 160))
    errors = np.abs(np.array(coarse) / exact - 1)
    assert errors[0] < 5e-3 and errors[2] < 1e-4
    assert errors[2] < errors[0] / 64


def test_scuffing_is_a_fraction_of_the_stance(run) -> None:
    """A foot on a circle with the ground through its centre: in stance it moves backward under the body and never forward; with
    a given body speed in the other direction it moves forward all the time."""
    result, sign = run
    assert measure_foot_curve(result, "F", level=LEVEL, hip=HIP).scuffing == 0.0
    assert measure_foot_curve(result, "F", level=LEVEL, hip=HIP, body_speed=sign * 0.1).scuffing == 1.0
    # above the hip it goes forward: of a stance up to 30 degrees above, 60 of 240 degrees
    high = measure_foot_curve(result, "F", level=HIP + RADIUS * 0.5, hip=HIP)
    assert high.scuffing == pytest.approx(60 / 240, rel=1e-6)


def test_numbers_do_not_depend_on_the_samples() -> None:
    """All numbers of a leg: smooth ones are of order 4, those with kinks due to friction of order 2, so 1000 samples instead of
    500 change the former by less than 1e-5 and the latter by less than 5e-4 of their scale."""
    found = [analyse_leg(jansen_leg(), samples=n, directions=("as driven",)).numbers for n in (500, 1000)]
    scale = {"m/s": found[1]["speed_turn_mean"].value, "N m": found[1]["air_torque_turn_greatest"].value}
    for name, quantity in found[1].items():
        size = max(abs(quantity.value), scale.get(quantity.unit, 0.0))
        allowed = 5e-4 if name.startswith("restitution") else 1e-5
        assert found[0][name].value == pytest.approx(quantity.value, abs=allowed * size), name


def test_speed_of_the_body_may_be_given(run) -> None:
    result, _ = run
    found = measure_foot_curve(result, "F", level=LEVEL, hip=HIP, body_speed=0.25)
    assert found.body_speed == 0.25
    assert found.relative_speed[TURN].greatest == pytest.approx(RADIUS * RATE + 0.25, rel=1e-7)


def test_lowest_point_lies_between_samples() -> None:
    result = crank("rate*t").inverse(times=np.linspace(0.0, CIRCLE.period, 38))
    assert result.array("F.y").min() > HIP - RADIUS + 1e-5
    assert find_foot_path(result, "F").heights.least == pytest.approx(HIP - RADIUS, abs=2e-6)


def test_a_foot_that_never_touches_has_no_step() -> None:
    found = measure_foot_curve(crank("rate*t").inverse(times=TIMES), "F", level=0.1, hip=HIP)
    assert found.phases.steps == () and found.touchdown_speed == () and found.speed_before() is None
    assert math.isnan(found.step_length) and math.isnan(found.flatness)


def test_a_foot_on_the_ground_at_the_start_touched_down_before() -> None:
    middle = measure_foot_curve(crank("rate*t-pi/2").inverse(times=TIMES), "F", level=LEVEL, hip=HIP)
    assert middle.speed_before() == pytest.approx(CIRCLE.touchdown_speed, rel=1e-7)
    assert measure_foot_curve(crank("rate*t").inverse(times=TIMES), "F", level=LEVEL, hip=HIP).speed_before() is None


@pytest.mark.parametrize(("name", "make"), [("chebyshev", chebyshev_leg), ("jansen", jansen_leg)])
def test_legs_of_the_thesis(name: str, make) -> None:
    """Closed-form kinematics with bisection (tests/verification): the recomputation of 003 sampled the curve; its error is
    up to 1e-4 for numbers that depend on the ends of the stance."""
    known = bm.LEG_REFERENCE[name]
    found = analyse_leg(make(), restitutions=())
    for direction, touchdown in (("as driven", "clockwise"), ("backwards", "counter_clockwise")):
        foot = found.turns[direction].foot
        ours = {
            "lowest_y": foot.lowest,
            "step_height": foot.step_height,
            "x_range": foot.curve_length,
            "step_length": foot.step_length,
            "duty": foot.duty,
            "speed_max": foot.speed[TURN].greatest,
            "speed_min": foot.speed[TURN].least,
            "speed_mean": foot.speed[TURN].mean,
            "acceleration_mean": foot.acceleration[TURN].mean,
            "acceleration_max_swing": foot.acceleration[SWING].greatest,
            "acceleration_min_swing": foot.acceleration[SWING].least,
            "acceleration_max_stance": foot.acceleration[STANCE].greatest,
            "acceleration_min_stance": foot.acceleration[STANCE].least,
            f"touchdown_speed_{touchdown}": foot.touchdown_speed[0],
        }
        for quantity, value in ours.items():
            assert value == pytest.approx(known[quantity], rel=1e-6), (direction, quantity)
