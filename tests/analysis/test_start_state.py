"""The start of an analysis: closed joints on the drawn branch, redundant joints, singular poses, consistent velocities."""

import math

import numpy as np
import pytest

import gaitwright as gw
from analysis.mechanisms import (
    drawn_four_bar,
    five_bar,
    minimum_norm_multipliers,
    parallelogram,
    slider_crank,
)
from gaitwright.analysis.start_state import find_start, solve_determined_velocity
from gaitwright.mechanism.pose_assembly import start_velocity
from gaitwright.mechanisms import four_bar, four_bar_chain, jansen, jansen_leg, pendulum
from mechanism.systems import Dense


def point(model, name, state):
    """Position of a point such as rod.B in an assembled state."""
    body, at = name.split(".")
    names = model.mechanism().body_names[body]
    x, y, theta = state.q[names.index]
    sx, sy = names.points[at]
    return np.array([x + math.cos(theta) * sx - math.sin(theta) * sy, y + math.sin(theta) * sx + math.cos(theta) * sy])


def violation(mechanism, state):
    """Largest |Phi| and |Phi'|, all rows."""
    phi, _, phi_dot, _ = Dense(mechanism.system, state.t).motion(state.q, state.v)
    return np.abs(phi).max(), np.abs(phi_dot).max()


MODELS = {
    "four-bar": four_bar,
    "chain": lambda: four_bar_chain(5),
    "jansen": jansen_leg,
    "pendulum": lambda: pendulum((0.3, -0.4, 1.0)),
    "slider-crank": slider_crank,
    "five-bar": five_bar,
    "parallelogram": lambda: parallelogram(drive="1 + 2*t"),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_start_satisfies_joints_and_drives(name):
    mechanism = MODELS[name]().mechanism()
    state = find_start(mechanism)
    position, velocity = violation(mechanism, state)
    assert position < 1e-15 * 10 and velocity < 1e-13
    assert state.gap < 1e-14 and not state.singular and not state.warnings
    assert state.q[-1] == 0 and state.v[-1] == 0


# which branch


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("crank", [0.3, 2.0, 4.0, 5.5])
def test_a_four_bar_closes_on_the_side_that_is_drawn(crank, side):
    """Against the intersection of two circles."""
    a = np.array([0.1 * math.cos(crank), 0.1 * math.sin(crank)])
    across = np.array([0.3, 0.0]) - a
    d = np.hypot(*across)
    along = (0.3**2 - 0.25**2 + d**2) / (2 * d)
    height = math.sqrt(0.3**2 - along**2)
    b = a + (along * across + side * height * np.array([-across[1], across[0]])) / d
    model = drawn_four_bar(a, b + np.array([0.04, 0.05 * side])).drive.rotation("crank", crank)
    state = model.assemble()
    assert point(model, "coupler.B", state) == pytest.approx(b, abs=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_a_jansen_leg_drawn_by_an_unsteady_hand(seed, monkeypatch):
    """Points off by up to 5 cm (half the crank) give the same leg; a point drawn on the other side another one."""
    reference = jansen_leg().assemble().q
    rng = np.random.default_rng(seed)
    shaky = {
        name: (x + rng.uniform(-0.05, 0.05), y + rng.uniform(-0.05, 0.05))
        for name, (x, y) in jansen.DRAWN_POINTS.items()
    }
    monkeypatch.setattr(jansen, "DRAWN_POINTS", shaky)
    assert np.abs(jansen_leg().assemble().q - reference).max() < 1e-12


@pytest.mark.parametrize(("moved", "to"), [("B", (-0.13, -0.25)), ("F", (-0.6, -0.1))])
def test_a_jansen_leg_with_a_triangle_flipped(moved, to, monkeypatch):
    reference = jansen_leg().assemble().q
    monkeypatch.setattr(jansen, "DRAWN_POINTS", {**jansen.DRAWN_POINTS, moved: to})
    state = jansen_leg().assemble()
    assert state.gap < 1e-14 and np.abs(state.q - reference).max() > 0.1


@pytest.mark.parametrize(
    ("a", "b"), [((0.5, 0.5), (1, 1)), ((5, 5), (-3, 7)), ((0.1, 0), (0.3, -9)), ((0.01, 0), (0.3, 0.001))]
)
def test_a_very_rough_drawing_still_closes(a, b):
    """Points drawn up to thirty lengths away."""
    assert drawn_four_bar(a, b).assemble().gap < 1e-14


def test_the_drawing_is_measured_before_it_is_closed():
    state = drawn_four_bar((0.1, 0.0), (0.3, 0.2)).assemble()
    assert 0.01 < state.drawn_gap < 0.3


# joints of every type close


def test_a_slider_crank_closes():
    model = slider_crank(0.7)
    state = model.assemble()
    x = 0.1 * math.cos(0.7) + math.sqrt(0.09 - (0.1 * math.sin(0.7)) ** 2)
    assert point(model, "block.P", state) == pytest.approx([x, 0], abs=1e-14)
    assert state.q[2] == pytest.approx(0, abs=1e-15)  # bodies come before links: the block does not turn


def test_a_distance_joint_keeps_the_given_or_the_drawn_length():
    for length, expected in ((0.6, 0.6), (None, 0.5)):
        model = gw.Model().ground_point("O", 0, 0).body("ball", mass=1, inertia=1, at=(0.3, 0.4), points={"P": (0, 0)})
        state = model.joint.distance("O", "ball.P", length).assemble()
        assert np.hypot(*state.q[:2]) == pytest.approx(expected, abs=1e-14)
        assert math.atan2(state.q[1], state.q[0]) == pytest.approx(math.atan2(0.4, 0.3), abs=1e-12)  # smallest change


def test_a_slot_puts_its_pin_on_the_line():
    model = gw.Model().ground_point("O", 0, 0.1).body("ball", mass=1, inertia=1, at=(0.5, 0.7), points={"P": (0.1, 0)})
    state = model.joint.slot("O", "ball.P", (1, 1)).assemble()
    x, y = point(model, "ball.P", state)
    assert y - 0.1 == pytest.approx(x, abs=1e-14)


def test_a_prismatic_joint_on_a_moving_guide():
    model = gw.Model().ground_point("O", 0, 0).point("A", 0.6, 0.8).link("arm", "O", "A", mass=1)
    model.body("carriage", mass=1, inertia=1, at=(0.5, 0.4), angle=1.2, points={"P": (0, 0.05)})
    model.joint.prismatic("arm.O", "carriage.P", (1, 0))
    state = model.assemble()
    arm, carriage = state.q[5], state.q[2]  # bodies come before links
    assert carriage - arm == pytest.approx(1.2 - math.atan2(0.8, 0.6), abs=1e-14)  # the drawn angle is kept
    x, y = point(model, "carriage.P", state)
    assert math.atan2(y, x) == pytest.approx(arm, abs=1e-13)


def test_gears_keep_the_drawn_offset_and_the_ratio():
    model = gw.Model().ground_point("O", 0, 0).ground_point("C", 1, 0)
    for name, pin, at, angle in (("sun", "O", (0, 0), 0.4), ("wheel", "C", (1, 0), -0.3)):
        model.body(name, mass=1, inertia=1, at=at, angle=angle, points={"M": (0, 0)}).joint.revolute(pin, f"{name}.M")
    model.joint.gear("sun", "wheel", -2.0).drive.rotation("sun", "0.9 + 3*t")
    state = model.assemble()
    assert state.q[2] == pytest.approx(0.9) and state.q[5] == pytest.approx(-0.3 - 2 * (0.9 - 0.4), abs=1e-14)
    assert state.v[5] == pytest.approx(-6.0, abs=1e-13)


@pytest.mark.parametrize("turn", [-1, 0, 2])
def test_a_weld_keeps_the_drawn_or_the_given_angle(turn):
    """A given angle is meant up to full turns: the body is not wound up."""
    for angle, expected in ((None, 0.7), (0.5, 0.5)):
        model = gw.Model().ground_point("O", 0, 0)
        model.body("flag", mass=1, inertia=1, at=(0.5, 0), angle=0.7 + 2 * math.pi * turn, points={"P": (0.5, 0)})
        state = model.joint.fixed("O", "flag.P", angle=angle).assemble()
        assert state.q[2] == pytest.approx(expected + 2 * math.pi * turn, abs=1e-13)
        assert point(model, "flag.P", state) == pytest.approx([0, 0], abs=1e-14)


@pytest.mark.parametrize(
    ("drawn", "drive", "turns"), [(0.0, "6*pi + t", 3), (-1.5, "3*pi/2 + t", 0.75), (1.0, "1 - 4*pi", None)]
)
def test_a_drive_counts_in_turns(drawn, drive, turns):
    """The angle of a driven body is that of its drive, not the drawn one up to half a turn."""
    model = drawn_four_bar((0.1 * math.cos(drawn), 0.1 * math.sin(drawn)), (0.3, 0.2)).drive.rotation("crank", drive)
    angle = model.assemble().q[2] / (2 * math.pi)
    assert angle == pytest.approx(turns if turns is not None else 1 / (2 * math.pi) - 2, abs=1e-14)


def test_a_relative_drive_counts_in_turns():
    model = pendulum((0.3, -0.4)).drive.relative_rotation("rod1", "rod2", "4*pi - 0.7 + t")
    q = model.assemble().q
    assert q[5] - q[2] == pytest.approx(4 * math.pi - 0.7, abs=1e-13)


# what cannot close


def test_open_joints_are_named_with_their_gaps():
    """Two bars of 0.1 and 0.2 m between pins 0.5 m apart: the 200 mm that are missing are spread over three pins."""
    model = gw.Model("gap").ground_point("O", 0, 0).ground_point("C", 0.5, 0).point("A", 0.1, 0.02)
    model.link("short", "O", "A", length=0.1, mass=1).link("long", "A", "C", length=0.2, mass=1)
    with pytest.raises(gw.AssemblyError) as caught:
        model.assemble()
    error = caught.value
    assert set(error.open_joints) == {"O", "A", "C"}
    assert sum(error.open_joints.values()) == pytest.approx(0.2, rel=1e-6)
    assert "joint 'A' by 66.7 mm" in str(error) and error.time == 0.0 and error.suggestion


def test_an_angle_that_cannot_close_is_given_in_radians():
    model = gw.Model().ground_point("O", 0, 0).body("flag", mass=1, inertia=1, points={"P": (0, 0)})
    model.joint.fixed("O", "flag.P", angle=0.3, name="weld").drive.rotation("flag", 0.5, name="motor")
    with pytest.raises(gw.AssemblyError) as caught:
        model.assemble()
    assert "drive 'motor' by 0.1 rad" in str(caught.value) and "joint 'weld' by 0.1 rad" in str(caught.value)
    assert caught.value.open_joints == pytest.approx({"motor": 0.1, "weld": 0.1})


@pytest.mark.parametrize("analysis", ["simulate", "kinematics", "inverse"])
def test_every_analysis_needs_a_closed_start(analysis):
    model = drawn_four_bar((0.1, 0), (0.3, 0.2), lengths=(0.1, 0.1, 0.05)).drive.rotation("crank", "t")
    with pytest.raises(gw.AssemblyError):
        getattr(model, analysis)(0.1)


def test_one_length_in_millimetres_is_named_where_the_joints_stay_open():
    model = drawn_four_bar((0.1, 0), (0.3, 0.2), lengths=(0.1, 300.0, 0.25))
    with pytest.raises(gw.AssemblyError, match=r"is 300 m long .* looks like millimetres.*; check the lengths"):
        model.assemble()


def test_conflicting_joints_are_reported_by_check():
    model = gw.Model().ground_point("O", 0, 0).ground_point("P", 0.01, 0)
    model.body("plate", mass=1, inertia=1, points={"M": (0, 0)})
    model.joint.revolute("O", "plate.M", name="left").joint.revolute("P", "plate.M", name="right")
    report = model.check()
    assert not report.closed
    assert sorted(report.conflicts) == ["joint 'left' by 5 mm stays open", "joint 'right' by 5 mm stays open"]
    assert "start pose: cannot be closed" in report.lines()
    assert report.degrees_of_freedom == 1


def test_conflicting_drives_are_not_silently_dropped():
    """Both drives fit the start pose, so that the second looks redundant; but it prescribes another velocity."""
    angle = float(four_bar().assemble().q[8])
    model = four_bar().drive.rotation("rocker", f"{angle!r} + t", name="second")
    with pytest.raises(gw.AssemblyError, match=r"drive 'second' is off by .* rad/s"):
        model.kinematics(0.1)
    (conflict,) = model.check().conflicts
    assert "drives 'second' and 'crank' prescribe the same degree of freedom" in conflict


def test_drives_that_part_later_are_warned_of():
    """Same angle and speed at the start, another acceleration."""
    model = pendulum((0.0,)).drive.rotation("rod1", "t", name="first")
    model.drive.rotation("rod1", "t + t^2", name="second")
    run = model.kinematics(0.2, step=0.01)
    (warning,) = (text for text in run.evidence.warnings if "drive 'second'" in text)
    assert "conflicts with the others from t = 0.01 s on" in warning and "0.04 rad" in warning
    assert run.evidence.max_position_violation == pytest.approx(0.04)


def test_a_drive_given_twice_is_only_redundant():
    model = four_bar().drive.rotation("crank", "2*pi*t", name="again")
    run = model.kinematics(0.1, step=0.01)
    assert run.evidence.redundant == ["drive 'again' (torque) follows from crank"] and not run.evidence.warnings
    assert np.allclose(run.array("again.torque"), run.array("crank.torque"), rtol=1e-12, atol=0)
    once = four_bar().kinematics(0.1, step=0.01)
    assert np.allclose(2 * run.array("again.torque"), once.array("crank.torque"), rtol=1e-12, atol=0)


# redundancy


def twice_hinged(times=2):
    model = pendulum((0.2, -0.5))
    for k in range(1, times):
        model.joint.revolute("rod1.P1", "rod2.P1", name=f"again{k}")
    return model


def test_a_hinge_given_twice():
    """It is named, and each hinge carries half; the motion is that of one hinge to the last bit."""
    once, twice = (twice_hinged(k).simulate(0.5, method="rk4", step=1e-3) for k in (1, 2))
    assert twice.evidence.redundant == ["joint 'again1' (fx) follows from P1", "joint 'again1' (fy) follows from P1"]
    assert np.array_equal(once.motion.q, twice.motion.q) and np.array_equal(once.motion.v, twice.motion.v)
    for what in ("fx", "fy"):
        half = once.array(f"P1.{what}") / 2
        size = np.abs(half).max()
        assert np.allclose(twice.array(f"P1.{what}"), half, rtol=0, atol=1e-13 * size)
        assert np.allclose(twice.array(f"again1.{what}"), half, rtol=0, atol=1e-13 * size)
        assert np.allclose(once.array(f"P0.{what}"), twice.array(f"P0.{what}"), rtol=0, atol=1e-13 * size)


def test_a_hinge_given_three_times():
    state = find_start(twice_hinged(3).mechanism())
    assert len(state.redundant) == 4 and state.mechanism.degrees_of_freedom == 2
    assert state.redundant[2] == "joint 'again2' (fx) follows from P1"


@pytest.mark.parametrize("angle", [1e-3, 0.01, 0.1, 1.0, 3.0])
def test_a_parallelogram_with_a_third_crank(angle):
    """One row too many, also close to the flat pose, where rounding hides it from the pivots."""
    mechanism = parallelogram(angle).mechanism()
    state = find_start(mechanism)
    (sentence,) = state.redundant
    assert sentence.startswith("joint 'A3'") and all(name in sentence for name in ("O1", "O2", "O3", "A1", "A2"))
    assert (
        state.mechanism.degrees_of_freedom == 1
        and mechanism.degrees_of_freedom == 0
        and not state.singular
        and not state.warnings
    )
    report = parallelogram(angle).check()
    assert report.redundant == state.redundant and report.mobility == 1 and report.closed


def test_a_third_crank_moves_as_if_geared():
    """The redundant model against one without redundancy that has the same motion; free and driven."""
    for drive, analyse in (
        (None, lambda m: m.simulate(0.2, tolerance=1e-11, output_step=0.01)),  # it is flat, so singular, at 0.286 s
        ("1 + 2*t", lambda m: m.kinematics(0.6, step=0.01)),
    ):
        pinned, geared = (analyse(parallelogram(1.0, third, drive)) for third in ("pinned", "geared"))
        assert len(pinned.evidence.redundant) == 1 and not geared.evidence.redundant
        for name in ("crank1.angle", "crank2.angle", "crank3.angle", "coupler.x", "coupler.y", "coupler.ay"):
            assert np.allclose(pinned.array(name), geared.array(name), rtol=0, atol=1e-8)
        assert pinned.evidence.max_position_violation < 1e-12
        if drive:
            assert np.allclose(pinned.array("motor.torque"), geared.array("motor.torque"), rtol=1e-11, atol=0)


@pytest.mark.parametrize("drive", [None, "1 + 2*t"])
def test_reactions_of_minimum_norm(drive):
    """Against the dense pseudo-inverse of all rows, redundant ones included."""
    model = parallelogram(1.0, "pinned", drive).joint.revolute("ground.O2", "crank2.O2", name="again")
    run = model.inverse(0.3, step=0.05)
    mechanism = run.mechanism
    assert len(run.evidence.redundant) == 3
    for k in range(run.time.size):
        truth, size = minimum_norm_multipliers(mechanism, run, k)
        assert np.abs(run.motion.lam[k] - truth).max() < 1e-10 * size
    assert np.allclose(run.array("again.fx"), run.array("O2.fx"), rtol=0, atol=1e-12 * size)


# singular poses


@pytest.mark.parametrize("tilt", [0.0, 0.3])
@pytest.mark.parametrize("third", [None, "pinned"])
def test_a_singular_start_pose_is_flagged(third, tilt):
    """A flat parallelogram, also one with pivots that do not vanish exactly because of rounding errors."""
    model = parallelogram(0.0, third)
    if tilt:
        turned = model.to_dict()
        c, s = math.cos(tilt), math.sin(tilt)
        for section in (turned["ground"]["points"], turned["points"]):
            for name, (x, y) in section.items():
                section[name] = [c * x - s * y, s * x + c * y]
        model = gw.Model.from_dict(turned)
    state = model.assemble()
    assert state.singular and len(state.redundant) == (1 if third else 0)
    assert any("singular" in warning for warning in state.warnings)
    assert any("singular" in line for line in model.check().lines())
    for analyse in (lambda: model.simulate(0.1), lambda: model.drive.rotation("crank1", f"{tilt} + t").kinematics(0.1)):
        with pytest.raises(gw.SingularPose) as caught:
            analyse()
        assert caught.value.time == 0.0 and "singular" in str(caught.value)


def test_a_drive_that_the_start_pose_does_not_allow():
    """A slider-crank at its dead centre with a prescribed velocity of the block."""
    model = slider_crank(0.0, None).drive.position("block.P", x="0.4 - 0.1*t", name="push")
    with pytest.raises(gw.SingularPose, match="no velocity satisfies all joints and drives"):
        model.assemble()
    assert any("no velocity" in text for text in model.check().conflicts)


# velocities


def test_velocities_follow_from_the_drive():
    model = slider_crank(0.7)
    state = model.assemble()
    s, c = math.sin(0.7), math.cos(0.7)
    root = math.sqrt(0.09 - 0.01 * s * s)
    block = -0.1 * 5 * s - 0.01 * 5 * s * c / root
    assert state.v[0] == pytest.approx(block, rel=1e-13)  # bodies come first
    assert state.v[2] == pytest.approx(0, abs=1e-14)


def test_a_wanted_velocity_of_a_point():
    """The pin of a crank at angle 0 moves along y; the rest follows."""
    model = four_bar(speed=None).velocity("A", 0, 1.0)
    state = model.assemble()
    assert state.v[2] == pytest.approx(10.0, rel=1e-9) and not state.warnings
    driven = four_bar(speed=10.0).assemble()
    assert np.allclose(state.v, driven.v, rtol=0, atol=1e-8)


def test_a_wanted_velocity_and_spin_of_a_body():
    model = gw.Model().body("free", mass=2, inertia=0.5, velocity=(1, -2), spin=3, points={"P": (0.5, 0)})
    assert model.assemble().v[:3] == pytest.approx([1, -2, 3], abs=1e-9)
    pinned = gw.Model().ground_point("O", 0, 0)
    pinned.body("disc", mass=2, inertia=0.5, at=(0.5, 0), spin=3, points={"P": (-0.5, 0)}).joint.revolute("O", "disc.P")
    state = pinned.assemble()
    assert state.v[:3] == pytest.approx([0, 1.5, 3], abs=1e-9) and not state.warnings


def test_free_velocities_have_least_kinetic_energy():
    """A free double pendulum with a given end velocity: the rest as after an impulse at that end, v = M^-1 (J^T mu + p)."""
    model = pendulum((0.3, -0.4)).velocity("rod2.P2", 0.2, 0.7)
    mechanism = model.mechanism()
    state = find_start(mechanism)
    assert not state.warnings
    dense = Dense(mechanism.system, 0.0)
    J = dense.jacobian(state.q)
    theta = state.q[5]
    end = np.zeros((2, 6))
    end[:, 3:5] = np.eye(2)
    end[:, 5] = -0.5 * math.sin(theta), 0.5 * math.cos(theta)
    C = np.vstack([J, end])
    K = np.block([[dense.M, C.T], [C, np.zeros((6, 6))]])
    truth = np.linalg.solve(K, np.r_[np.zeros(6), np.zeros(4), 0.2, 0.7])[:6]
    assert np.allclose(state.v[:6], truth, rtol=0, atol=1e-8)


def test_start_is_at_rest_without_drives_and_given_velocities():
    assert np.all(pendulum((0.3, -0.4)).assemble().v == 0)


@pytest.mark.parametrize(
    ("model", "label"),
    [
        (lambda: four_bar(speed=None).velocity("A", 0.5, 1.0), "A.velocity"),  # not along the circle
        (lambda: four_bar(speed=3.0).velocity("A", 0, 1.0), "A.velocity"),  # the drive prescribes 0.3 m/s
    ],
)
def test_a_wanted_velocity_that_cannot_be_met_is_warned_of(model, label):
    mechanism = model().mechanism()
    state = find_start(mechanism)
    assert state.warnings == [f"the wanted {label} cannot be met; the nearest possible is used"]
    assert violation(mechanism, state)[1] < 1e-11
    run = model().simulate(0.01)
    assert state.warnings[0] in run.evidence.warnings


def test_the_start_time_is_that_of_the_analysis():
    model = slider_crank(0.7)
    assert model.assemble(0.1).q[5] == pytest.approx(1.2, abs=1e-13)


def test_turns_are_counted_before_drawn_values_are_measured():
    """A gear drawn beside a crank at -pi/2 that is driven from 3 pi/2 stays where it is drawn."""
    model = gw.Model("gears", gravity=(0, 0))
    model.ground_point("O", 0, 0).ground_point("C", 1, 0).point("A", 0, -0.1).point("B", 1.1, 0)
    model.link("crank", "O", "A", mass=1).link("wheel", "C", "B", mass=1)
    model.joint.gear("crank", "wheel", 0.5).drive.rotation("crank", "3*pi/2 + t")
    run = model.kinematics(1.0, step=0.1)
    assert run.array("wheel.angle")[0] == pytest.approx(0.0, abs=1e-12)
    assert run.array("wheel.angle")[-1] == pytest.approx(0.5, abs=1e-12)


def test_a_drive_that_has_run_for_long_meets_the_drawing():
    late = four_bar().kinematics(times=np.linspace(50.0, 50.5, 51))
    early = four_bar().kinematics(times=np.linspace(0.0, 0.5, 51))
    np.testing.assert_allclose(late.array("rocker.angle"), early.array("rocker.angle"), atol=1e-9)
    assert late.array("crank.angle")[0] == pytest.approx(100 * np.pi)


@pytest.mark.parametrize("name", ["four-bar", "jansen"])
def test_velocities_that_drives_determine_need_no_search(name):
    """The direct solution equals the search for the least kinetic energy if the velocities are determined completely."""
    mechanism = MODELS[name]().mechanism()
    state = find_start(mechanism, 0.1)
    short = solve_determined_velocity(mechanism, state.q, 0.1)
    none = np.zeros(0, dtype=int)
    searched, _ = start_velocity(mechanism.system, state.q, 0.1, (none, none, none), none.astype(float))
    assert np.abs(searched).max() > 0.1
    np.testing.assert_allclose(short, searched, atol=1e-10 * np.abs(searched).max())


def test_velocities_that_are_free_are_not_determined():
    mechanism = pendulum((0.3,)).mechanism()
    assert solve_determined_velocity(mechanism, find_start(mechanism).q, 0.0) is None


def test_run_continues_from_a_state_with_velocity_drift():
    """generalized-alpha enforces positions only; the velocity violation that it leaves is projected out at the new start."""
    model = gw.Model("pendulum").ground_point("O", 0, 0).point("A", 0.5, 0).link("bar", "O", "A", mass=1.0)
    first = model.simulate(60.0, step=1e-3)
    left = first.evidence.max_velocity_violation
    again = model.simulate(0.5, step=1e-3, start=first)
    assert left > 1e-6 and again.array("evidence.velocity_violation")[0] < 1e-12
    assert again.array("bar.spin")[0] == pytest.approx(first.array("bar.spin")[-1], rel=1e-4)
    assert again.array("energy.kinetic")[0] == pytest.approx(first.array("energy.kinetic")[-1], rel=1e-4)
