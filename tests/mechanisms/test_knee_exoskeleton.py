"""Knee with a moving axis: instant centre, torque by virtual work, springs, free swing."""

import numpy as np
import pytest

import gaitwright as gw
from documents import EXAMPLES
from gaitwright.mechanisms import instant_centre, knee_exoskeleton
from mechanisms.linkages import place

SHANK = 0.061 * 70
"""Mass of the shank with the foot, kg."""
OPEN = {"A_forward": 0.02, "A_up": 0.02, "B_forward": -0.02, "B_up": 0.02, "C_up": -0.03, "D_up": -0.03}
"""Pins of a four-bar with links that do not cross."""
WIDE = {"A_forward": -0.06, "A_up": 0.01, "B_forward": 0.06, "B_up": 0.01, "C_forward": -0.06, "D_forward": 0.06}
"""Short links far apart, with a small range of rotation."""


def turning_point(run):
    """Centre of rotation of the shank relative to the thigh, from velocities: its relative velocity is zero."""
    centre = place(run, "shank")
    velocity = run.array("shank.vx") + 1j * run.array("shank.vy")
    hip, spin = place(run, "thigh.hip"), run.array("thigh.spin")
    relative = velocity - 1j * spin * (centre - hip)  # the hip is fixed
    with np.errstate(divide="ignore", invalid="ignore"):  # the velocity is zero at the ends of the motion
        about = centre + 1j * relative / (run.array("shank.spin") - spin)
        return (about - place(run, "thigh.K")) * np.exp(-1j * run.array("thigh.angle"))


@pytest.mark.parametrize("pins", [{}, OPEN], ids=["crossed", "open"])
def test_the_instant_centre_has_no_relative_velocity(pins):
    flexion = 120 if not pins else 40
    run = knee_exoskeleton(flexion, thigh=25, thigh_swing=15, **pins).kinematics(2.0, step=0.02)
    moving = np.abs(run.array("shank.spin") - run.array("thigh.spin")) > 0.05
    assert moving.sum() > 80
    centre = instant_centre(run) @ [1, 1j]
    assert centre[moving] == pytest.approx(turning_point(run)[moving], abs=1e-9)


def test_centrodes_roll_on_each_other():
    """The instant centre has the same speed in thigh and shank frames: equal arcs, and one common point of the
    plane."""
    run = knee_exoskeleton().kinematics(1.0, step=1e-3)
    fixed, moving = (instant_centre(run, frame) @ [1, 1j] for frame in ("thigh", "shank"))
    lengths = [np.abs(np.diff(path)).sum() for path in (fixed, moving)]
    assert lengths[0] == pytest.approx(lengths[1], rel=1e-5) and lengths[0] > 0.015
    there = place(run, "shank.T") + moving * np.exp(1j * run.array("shank.angle"))
    assert there == pytest.approx(place(run, "thigh.K") + fixed, abs=1e-12)


def test_the_axis_moves_backwards_as_the_knee_bends():
    run = knee_exoskeleton().kinematics(1.0, step=0.01)
    forward, up = instant_centre(run).T
    assert np.degrees(-run.array("shank.angle"))[[0, -1]] == pytest.approx([0, 120])
    bent = np.degrees(-run.array("shank.angle")) < 110
    assert (np.diff(forward[bent]) < 0).all() and forward[0] - forward[-1] == pytest.approx(0.0132, abs=2e-4)
    assert np.abs(up).max() < 0.01
    parted = np.abs(place(run, "shank.T") - place(run, "thigh.K"))
    assert parted[0] < 1e-12 and parted[-1] == pytest.approx(0.0179, abs=1e-4)


def test_the_pose_is_regular_over_the_whole_range():
    run = knee_exoskeleton().inverse(2.0, step=0.01)
    assert run.evidence.smallest_singular_value > 0.01 and not run.evidence.warnings and not run.evidence.redundant


def test_quasi_static_torque_is_the_weight_moment_about_the_instant_centre():
    """Virtual work: m g times the lever of the shank's weight about the axis. Negative, because flexion lifts the
    shank."""
    slow = knee_exoskeleton(duration=2e3, link_mass=1e-9).inverse(2e3, step=20.0)
    lever = slow.array("shank.x") - instant_centre(slow)[:, 0]  # the thigh hangs straight
    assert slow.array("knee.torque") == pytest.approx(SHANK * 9.81 * lever, abs=1e-4)
    assert slow.array("knee.torque").min() == pytest.approx(-10.6, abs=0.1)


def test_a_torsion_spring_reduces_the_drive_torque():
    bare, sprung = (
        knee_exoskeleton(torsion_stiffness=stiffness, rest_flexion=10).inverse(2.0, step=0.02)
        for stiffness in (None, 8.0)
    )
    turned = bare.array("shank.angle") + np.radians(10)
    assert sprung.array("knee.torque") == pytest.approx(bare.array("knee.torque") + 8.0 * turned, abs=1e-9)


def test_a_linear_spring_stores_the_work_of_the_knee():
    bare, sprung = (knee_exoskeleton(spring_stiffness=stiffness).inverse(1.0, step=1e-3) for stiffness in (None, 800.0))
    longer = sprung.array("spring.length") - 0.06
    assert longer[0] == pytest.approx(0, abs=1e-12) and (np.diff(longer) > 0).all(), "it helps to extend at all angles"
    more = sprung.array("knee.work") - bare.array("knee.work")
    assert -more[-1] == pytest.approx(-0.5 * 800.0 * longer[-1] ** 2, rel=1e-6)


def test_a_free_shank_swings_from_its_start_angle():
    run = knee_exoskeleton(start=70, driven=False).simulate(1.0, tolerance=1e-9)
    assert np.degrees(run.array("shank.angle")[0]) == pytest.approx(-70, abs=1e-9)
    assert run.array("shank.spin")[0] == pytest.approx(0, abs=1e-12)
    assert run.evidence.max_energy_residual < 1e-6 and run.array("shank.angle").max() > 0.3


def test_stops_keep_a_free_shank_from_bending_forwards():
    run = knee_exoskeleton(start=70, driven=False, stop_stiffness=2e3).simulate(2.0)
    assert np.degrees(run.array("shank.angle").max()) < 5 and np.degrees(run.array("shank.angle").min()) > -71


def test_invalid_arguments_are_refused():
    with pytest.raises(gw.ModelError, match=r"start.*out of reach"):
        knee_exoskeleton(start=90, **WIDE)
    with pytest.raises(gw.ModelError, match=r"A_back.*A_forward"):
        knee_exoskeleton(A_back=0.01)
    with pytest.raises(gw.ModelError, match=r"foot.*thigh or shank"):
        instant_centre(knee_exoskeleton().kinematics(0.1, step=0.05), frame="foot")


def test_the_example_is_this_knee():
    ours, theirs = knee_exoskeleton().inverse(2.0, step=0.004), gw.load(EXAMPLES / "knee_exoskeleton.yaml").analyse()
    for name in ("shank.angle", "knee.torque", "shank.T.x", "shank.T.y", "pin_A.fy"):
        assert theirs.array(name) == pytest.approx(ours.array(name), abs=1e-9)
    assert theirs.array("knee.torque").min() == pytest.approx(-9.12, abs=0.01)


@pytest.mark.parametrize("thigh", [0, 30])
def test_its_axis_is_an_output(thigh):
    run = knee_exoskeleton(thigh=thigh, thigh_swing=10).kinematics(2.0, step=0.1)
    seen = np.column_stack([run.array("axis.forward"), run.array("axis.up")])
    assert seen == pytest.approx(1e3 * instant_centre(run), abs=1e-9)
    assert run.array("knee.flexion") == pytest.approx(60 * (1 - np.cos(np.pi * run.time)), abs=1e-9)


@pytest.mark.parametrize(
    "springs",
    [
        {"torsion_stiffness": 5.0, "rest_flexion": 20},
        {"spring_stiffness": 8e3},
        {"torsion_stiffness": 5.0, "spring_stiffness": 8e3},
    ],
)
def test_the_assist_moment_reduces_the_drive_torque(springs):
    """Virtual work: springs act by their moment about the instant centre, independent of their end points."""
    bare, sprung = (knee_exoskeleton(thigh=20, **how).inverse(1.0, step=0.1) for how in ({}, springs))
    spared = bare.array("knee.torque") - sprung.array("knee.torque")
    assert sprung.array("assist.moment") == pytest.approx(spared, abs=1e-9)


def test_the_work_of_the_spring_is_read_from_its_chart():
    run = knee_exoskeleton(spring_stiffness=8e3).inverse(2.0, step=0.01)
    chart = run.summary()["charts"][0]
    assert (chart["x"], chart["y"]) == ("knee.flexion", "assist.moment")
    assert chart["work_rising"] == pytest.approx(run.array("spring.energy").max(), rel=1e-3)
    assert chart["work_falling"] == pytest.approx(-chart["work_rising"], rel=1e-9)


def test_the_lock_moment_balances_the_load():
    """Virtual work: moment of the load, and of the weight below, about the instant centre."""
    run = knee_exoskeleton(locked=True, start=15, gravity=0, load=700, heel=-0.1, toe=0.2).inverse(2.0, step=0.2)
    lever = run.array("shank.ankle.x") - 0.1 + 0.15 * run.time - run.array("axis.x")
    assert run.array("lock.moment") == pytest.approx(-700 * lever, abs=1e-9)
    assert run.array("load.lever") == pytest.approx(1e3 * lever, abs=1e-9)
    assert np.degrees(run.array("thigh.angle") - run.array("shank.angle")) == pytest.approx(15, abs=1e-9)


def test_a_stop_is_sufficient_while_the_load_is_in_front_of_the_axis():
    """Upright, the axis is slightly in front of the ankle: with the load at the heel, the knee would bend without a
    lock."""
    run = knee_exoskeleton(locked=True).inverse(2.0, step=0.02)
    moment, ahead = run.array("lock.moment"), run.array("load.lever")
    assert moment[0] > 30 and moment[-1] < -100 and run.summary()["charts"][0]["x"] == "load.reach"
    clear = np.abs(ahead) > 5  # the weight of the shank is small compared with the load
    assert (np.sign(moment[clear]) == -np.sign(ahead[clear])).all()
