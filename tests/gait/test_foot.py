"""The curve of a foot: on a circle in closed form, and of both legs of the thesis against closed kinematics."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gait.turning import HIP, RADIUS, RATE, Circle, crank
from gaitwright.gait.foot import foot_curve, foot_path
from gaitwright.gait.leg import analyse_leg
from gaitwright.gait.phases import STANCE, SWING, TURN
from gaitwright.mechanisms import chebyshev_leg, jansen_leg
from verification import benchmarks as bm

CIRCLE = Circle(0.05)
TIMES = np.linspace(0.0, CIRCLE.period, 501)
LEVEL = HIP - RADIUS + CIRCLE.depth


@pytest.fixture(scope="module", params=["rate*t", "-rate*t", "rate*t-pi/2", "1-rate*t"])
def run(request):
    """Both ways round; the third starts and ends in the middle of the stance."""
    return crank(request.param).inverse(times=TIMES), -1.0 if "-rate" in request.param else 1.0


def test_circle(run) -> None:
    result, sign = run
    found = foot_curve(result, "F", level=LEVEL, hip=HIP)
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
    found = foot_curve(result, "F", level=LEVEL, hip=HIP)
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


def test_flatness_is_the_spread_of_the_height(run) -> None:
    result, _ = run
    found = foot_curve(result, "F", level=LEVEL, hip=HIP)
    angle = np.linspace(-CIRCLE.half, CIRCLE.half, 20001)
    height = -RADIUS * np.cos(angle)
    assert found.flatness == pytest.approx(float(height.std()), rel=1e-2)


def test_speed_of_the_body_may_be_given(run) -> None:
    result, _ = run
    found = foot_curve(result, "F", level=LEVEL, hip=HIP, body_speed=0.25)
    assert found.body_speed == 0.25
    assert found.relative_speed[TURN].greatest == pytest.approx(RADIUS * RATE + 0.25, rel=1e-7)


def test_lowest_point_lies_between_samples() -> None:
    result = crank("rate*t").inverse(times=np.linspace(0.0, CIRCLE.period, 38))
    assert result.values("F.y").min() > HIP - RADIUS + 1e-5
    assert foot_path(result, "F").heights.least == pytest.approx(HIP - RADIUS, abs=2e-6)


def test_a_foot_that_never_touches_has_no_step() -> None:
    found = foot_curve(crank("rate*t").inverse(times=TIMES), "F", level=0.1, hip=HIP)
    assert found.phases.steps == () and found.touchdown_speed == () and found.speed_before() is None
    assert math.isnan(found.step_length) and math.isnan(found.flatness)


def test_who_stands_at_the_begin_touched_down_before() -> None:
    middle = foot_curve(crank("rate*t-pi/2").inverse(times=TIMES), "F", level=LEVEL, hip=HIP)
    assert middle.speed_before() == pytest.approx(CIRCLE.touchdown_speed, rel=1e-7)
    assert foot_curve(crank("rate*t").inverse(times=TIMES), "F", level=LEVEL, hip=HIP).speed_before() is None


@pytest.mark.parametrize(("name", "make"), [("chebyshev", chebyshev_leg), ("jansen", jansen_leg)])
def test_legs_of_the_thesis(name: str, make) -> None:
    """Closed kinematics with bisection (tests/verification): REFERENCE A sampled the curve and is off by up to 1e-4 where a
    number depends on the edge of the stance."""
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
