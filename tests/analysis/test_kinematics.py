"""Motion of driven mechanisms: every drive, exact rates, singular passages, dead points."""

import math

import numpy as np
import pytest

import gaitwright as gw
from analysis.mechanisms import drawn_four_bar, five_bar, parallelogram, slider_crank
from gaitwright.mechanisms import four_bar, jansen_leg, pendulum
from gaitwright.physics.declarations import Drive
from mechanism.systems import Dense

T = np.linspace(0.0, 0.5, 26)


def slotted_arm():
    """A pin on a driven disc moves an arm through a slot (Whitworth)."""
    model = gw.Model("slotted arm").ground_point("O", 0, 0).ground_point("C", 0, -0.3)
    model.body("disc", mass=1, inertia=0.01, at=(0, 0), points={"M": (0, 0), "P": (0.1, 0)}).joint.revolute(
        "O", "disc.M"
    )
    model.body("arm", mass=1, inertia=0.1, at=(0.1, 0), angle=math.atan2(0.3, 0.1), points={"S": (-(0.1**0.5), 0)})
    model.joint.revolute("C", "arm.S").joint.slot("arm.S", "disc.P", (1, 0), name="slot")
    return model


def geared_pair():
    model = gw.Model("gears").ground_point("O", 0, 0).ground_point("C", 1, 0)
    for name, pin, at in (("a", "O", (0, 0)), ("b", "C", (1, 0))):
        model.body(name, mass=1, inertia=0.1, at=at, points={"M": (0, 0)}).joint.revolute(pin, f"{name}.M")
    return model.joint.gear("a", "b", -1.5)


SIGNAL = "0.4 + 0.3*sin(4*t)"
DRIVEN = {
    "rotation": lambda: four_bar(speed=None, angle=0.4).drive.rotation("crank", SIGNAL),
    "relative-rotation": lambda: (
        pendulum((0.4,))
        .body("wheel", mass=1, inertia=0.1, at=(0.9, 0.4), points={"M": (0, 0)})
        .joint.revolute("rod1.P1", "wheel.M")
        .drive.rotation("rod1", SIGNAL)
        .drive.relative_rotation("rod1", "wheel", "5*t^2")
    ),
    "distance": lambda: drawn_four_bar((0.05, 0.08), (0.3, 0.25)).drive.distance(
        "O", "coupler.B", f"0.3 + 0.1*({SIGNAL})"
    ),
    "position": lambda: pendulum((0.4, 1.2)).drive.position("rod2.P2", x="1.2 + 0.2*sin(3*t)", y=f"1 + 0.5*({SIGNAL})"),
    "position-x": lambda: pendulum((0.6,)).drive.position("rod1.P1", x="0.8 - 0.1*sin(4*t)"),
    "position-y": lambda: pendulum((0.6,)).drive.position("rod1.P1", y=SIGNAL),
    "slider-crank": slider_crank,
    "pushed slider-crank": lambda: slider_crank(0.7, "block"),
    "slot": lambda: slotted_arm().drive.rotation("disc", "3*t + t^2"),
    "gear": lambda: geared_pair().drive.rotation("a", SIGNAL),
    "five-bar": five_bar,
    "jansen": jansen_leg,
    "parallelogram": lambda: parallelogram(drive="1 + 2*t"),
}


def test_every_drive_of_the_library_is_driven_here():
    used = set()
    for build in DRIVEN.values():
        used |= {names.type for names in build().mechanism().constraint_names if names.kind == "drive"}
    library = {name for name, d in Drive.registry[2].items() if d.__module__.startswith("gaitwright.physics.")}
    assert used == library - {"displacement"}  # tests/model/test_solid_drives.py


@pytest.mark.parametrize("name", DRIVEN)
def test_rates_are_the_derivatives_of_the_positions(name):
    """Sixth-order differences of q over time give v, of v give a; every sample satisfies joints and drives."""
    model, h = DRIVEN[name](), 2e-3
    times = 0.21 + h * np.arange(-3, 4)
    run = model.kinematics(times=times)
    weights = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * h)
    q, v, a = run.motion.q, run.motion.v, run.motion.a
    speed, rise = np.abs(v).max(), np.abs(a).max()
    assert np.abs(weights @ q - v[3]).max() < 1e-9 * (1 + speed)
    assert np.abs(weights @ v - a[3]).max() < 1e-8 * (1 + rise)
    assert run.evidence.max_position_violation < 1e-13 and run.evidence.max_velocity_violation < 1e-12 * (1 + speed)
    assert run.evidence.analysis == "kinematic" and run.evidence.steps == times.size


@pytest.mark.parametrize("name", DRIVEN)
def test_a_sample_does_not_depend_on_the_others(name):
    """Coarse and fine sampling meet in the same states: nothing is integrated."""
    fine, coarse = DRIVEN[name]().kinematics(times=T), DRIVEN[name]().kinematics(times=T[::5])
    for mine, theirs in zip(coarse.motion[1:4], fine.motion[1:4], strict=True):
        assert np.abs(mine - theirs[::5]).max() < 1e-11 * (1 + np.abs(mine).max())


def test_a_slider_crank_by_its_closed_form():
    run = slider_crank(0.7).kinematics(1.0, step=0.01)
    r, l, w = 0.1, 0.3, 5.0
    phi = 0.7 + w * run.time
    s, c = np.sin(phi), np.cos(phi)
    root = np.sqrt(l**2 - (r * s) ** 2)
    assert np.allclose(run.array("block.x"), r * c + root, rtol=0, atol=1e-14)
    assert np.allclose(run.array("block.vx"), -w * r * s * (1 + r * c / root), rtol=0, atol=1e-13)
    slope = -(w**2) * r * (c + r * (c**2 - s**2) / root + r**3 * s**2 * c**2 / root**3)
    assert np.allclose(run.array("block.ax"), slope, rtol=0, atol=1e-12)


def test_signals_are_followed():
    run = DRIVEN["position"]().kinematics(times=T)
    assert np.allclose(run.array("rod2.P2.x"), 1.2 + 0.2 * np.sin(3 * T), rtol=0, atol=1e-14)
    assert np.allclose(run.array("rod2.P2.ay"), -0.5 * 0.3 * 16 * np.sin(4 * T), rtol=0, atol=1e-12)
    run = DRIVEN["relative-rotation"]().kinematics(times=T)
    assert np.allclose(run.array("wheel.angle") - run.array("rod1.angle"), 5 * T**2, rtol=0, atol=1e-13)
    run = DRIVEN["distance"]().kinematics(times=T)
    length = np.hypot(run.array("B.x"), run.array("B.y"))
    assert np.allclose(length, 0.3 + 0.1 * (0.4 + 0.3 * np.sin(4 * T)), rtol=0, atol=1e-14)
    run = DRIVEN["gear"]().kinematics(times=T)
    assert np.allclose(run.array("b.spin"), -1.5 * run.array("a.spin"), rtol=0, atol=1e-13)
    run = DRIVEN["slot"]().kinematics(times=T)
    arm = np.arctan2(run.array("disc.P.y") + 0.3, run.array("disc.P.x"))
    assert np.allclose(run.array("arm.angle"), arm, rtol=0, atol=1e-13)


def test_a_crank_turns_many_times_without_losing_its_branch():
    run = four_bar().kinematics(5.0, step=0.05)
    rocker = run.array("rocker.angle")
    assert np.allclose(rocker[:-20], rocker[20:], rtol=0, atol=1e-12)  # a turn takes 1 s
    assert run.array("crank.angle")[-1] == pytest.approx(10 * math.pi, rel=1e-14)


def test_large_intervals_are_bridged_by_smaller_ones():
    """A sample per quarter turn is enough: the way between them is found by continuation, not by luck."""
    coarse = jansen_leg().kinematics(times=np.arange(0, 3.1, 0.25))
    fine = jansen_leg().kinematics(3.0, step=0.01)
    assert np.allclose(coarse.array("F.x"), fine.array("F.x")[::25], rtol=0, atol=1e-11)


def test_times_may_start_anywhere_and_be_uneven():
    times = np.array([0.3, 0.31, 0.4, 0.77])
    run = four_bar().kinematics(times=times)
    assert np.array_equal(run.time, times)
    assert np.allclose(run.array("crank.angle"), 2 * math.pi * times, rtol=1e-14, atol=0)
    assert four_bar().kinematics(times=[0.2]).time.size == 1


@pytest.mark.parametrize("times", [[], [0.0, np.nan], [0.0, 0.2, 0.1], [0.0, 0.0], [[0.0, 0.1]]])
def test_wrong_times_raise(times):
    with pytest.raises(gw.ModelError, match="times"):
        four_bar().kinematics(times=times)


@pytest.mark.parametrize("arguments", [{}, {"until": -1.0}, {"until": math.inf}, {"until": 1.0, "step": 0.0}])
def test_wrong_ends_raise(arguments):
    with pytest.raises(gw.ModelError):
        four_bar().kinematics(**arguments)


@pytest.mark.parametrize(("model", "free"), [(lambda: four_bar(speed=None), 1), (lambda: pendulum((0.1, 0.2, 0.3)), 3)])
def test_too_few_drives_are_counted(model, free):
    with pytest.raises(gw.ModelError, match=f"leave {free} degree.* of freedom free.*{free} more drive"):
        model().kinematics(0.1)


def test_a_passage_near_a_singular_pose_is_flagged_with_time_and_value():
    """A four-bar that is a parallelogram up to 1 um barely gets past its flat pose: value against the dense SVD."""
    model = drawn_four_bar((0.05, -0.08), (0.36, -0.08), (0.1, 0.3, 0.100001)).drive.rotation("crank", "-1 + 2*t")
    run = model.kinematics(0.9, step=0.001)
    sigma = run.array("evidence.sigma")
    k = int(np.argmin(sigma))
    assert abs(run.time[k] - 0.5) < 0.01  # the crank is at zero after half a second
    (warning,) = (text for text in run.evidence.warnings if "singular" in text)
    assert f"t = {run.time[k]:.6g} s" in warning and f"{sigma[k]:.3g}" in warning
    assert run.evidence.smallest_singular_value == sigma[k]
    for k in (0, 200, int(np.argmin(sigma)), run.time.size - 1):
        scaled = Dense(run.mechanism.system, run.time[k]).jacobian(run.motion.q[k]) * run.mechanism.scale
        assert sigma[k] == pytest.approx(np.linalg.svd(scaled, compute_uv=False)[-1], rel=1e-2)


def test_a_regular_motion_is_not_flagged():
    for build in (four_bar, jansen_leg, slider_crank, five_bar):
        assert not build().kinematics(1.0, step=0.01).evidence.warnings


def test_a_dead_point_stops_with_time_and_partial_result():
    """A block is pushed beyond the reach of its crank: from x = 0.376 m at 0.1 m/s to the dead centre at 0.2 m."""
    model = slider_crank(0.7, "block")
    x = 0.1 * math.cos(0.7) + math.sqrt(0.09 - (0.1 * math.sin(0.7)) ** 2)
    end = (x - 0.2) / 0.1
    with pytest.raises(gw.SingularPose) as caught:
        model.kinematics(3.0, step=0.01)
    error = caught.value
    assert error.time == pytest.approx(end, abs=0.011) and "dead point" in str(error) and error.suggestion
    assert error.partial.time[-1] == pytest.approx(end, abs=0.021) and error.partial.time.size > 150
    assert error.partial.evidence.max_position_violation < 1e-13
    assert np.all(np.isfinite(error.partial.array("push.force_x")))


def test_a_drive_out_of_reach_stops_a_jansen_leg():
    """A foot that shall rise for ever."""
    leg = jansen_leg()
    leg.document.drives.clear()
    y = float(jansen_leg().kinematics(times=[0.0]).array("F.y")[0])
    leg.drive.position("F", y=f"{y!r} + 0.2*t", name="lift")
    with pytest.raises(gw.SingularPose) as caught:
        leg.kinematics(10.0, step=0.01)
    assert 0 < caught.value.time < 10 and caught.value.partial.time.size > 5


def test_progress_callback_is_called():
    told = []
    four_bar().kinematics(5.0, step=1e-3, progress=told.append)
    assert told[-1] == 1.0 and told == sorted(told) and len(told) > 2
