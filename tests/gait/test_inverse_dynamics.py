"""Joint moments: those of the solver for the same motion and forces, and those of a recursion written here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.gait import person
from tests.gait.walker import MASS, TURNED, Walker, vector, walker

import gaitwright as gw
from gaitwright.gait.ground_reaction import FOOT_SIDES, ground_forces_at_points
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2, SegmentMotion, inverse_dynamics, joint_axes


@pytest.fixture(scope="module")
def made() -> Walker:
    return walker()


def test_moments_equal_those_of_the_solver(made: Walker) -> None:
    """Knees and ankles are hinges there; their drive torque is the moment about the axis; the other two come from the
    joint."""
    found = inverse_dynamics(made.skeleton, made.segments, made.forces)
    for side, sign in (("right", 1.0), ("left", -1.0)):
        knee, ankle = (made.run.array(f"{side}_{joint}.torque") / MASS for joint in ("knee", "ankle"))
        assert found[f"{side}_knee_moment"].values == pytest.approx(-knee, abs=1e-6), "there plus bends"
        assert found[f"{side}_ankle_moment"].values == pytest.approx(-ankle, abs=1e-6), "there plus lifts the toes"
        torque = np.stack([made.run.array(f"{side}_hip.torque_{axis}") for axis in "xyz"], axis=1)
        pelvis, thigh = made.segments["pelvis"], made.segments[f"{side}_thigh"]
        whole = np.einsum("tij,tj->ti", pelvis.rotation, torque) / MASS
        first, floating, third = (np.einsum("ti,ti->t", whole, axis) for axis in joint_axes(pelvis, thigh))
        assert found[f"{side}_hip_moment"].values == pytest.approx(-first, abs=1e-6)
        assert found[f"{side}_hip_moment_frontal"].values == pytest.approx(-sign * floating, abs=1e-6)
        assert found[f"{side}_hip_moment_transverse"].values == pytest.approx(-sign * third, abs=1e-6)


def test_powers_forces_and_residuals_equal_those_of_the_solver(made: Walker) -> None:
    found = inverse_dynamics(made.skeleton, made.segments, made.forces)
    for side in FOOT_SIDES:
        for joint, below in (("hip", "thigh"), ("knee", "shank"), ("ankle", "foot")):
            power = made.run.array(f"{side}_{joint}.power") / MASS
            assert found[f"{side}_{joint}_power"].values == pytest.approx(power, abs=1e-6)
            force = vector(made.run, f"{side}_{joint}_joint.f")
            own = np.einsum("tji,tj->ti", made.segments[f"{side}_{below}"].rotation, force)
            assert found[f"{side}_{joint}_force"].values == pytest.approx(own, abs=1e-5)
    assert found["residual_force"].values == pytest.approx(vector(made.run, "pelvis_drive.force_"), abs=1e-5)
    assert np.linalg.norm(found["residual_moment"].values, axis=1) == pytest.approx(
        np.linalg.norm(vector(made.run, "pelvis_drive.torque_"), axis=1), abs=1e-5
    )


def recursion(made: Walker, side: str, t: int) -> dict[str, np.ndarray]:
    """Moment on the segment below at each joint, N m: foot, shank, thigh in turn, in the axes of each segment and about
    its centre of mass, as in textbooks."""
    k, force_above, moment_above, at = FOOT_SIDES.index(side), np.zeros(3), np.zeros(3), np.zeros(3)
    found = {}
    for kind, joint in (("foot", "ankle"), ("shank", "knee"), ("thigh", "hip")):
        one = made.segments[f"{side}_{kind}"]
        segment, R, centre = one.segment, one.rotation[t], one.centre[t]
        w, alpha = R.T @ one.spin[t], R.T @ one.spin_rate[t]
        turning = R @ (segment.inertia @ alpha + np.cross(w, segment.inertia @ w))
        force = segment.mass * one.acceleration[t] - segment.mass * np.array([0, 0, -GRAVITY_M_PER_S2])
        place = one.origin[t] + R @ segment.joints[f"{side}_{joint}"]
        if kind == "foot":
            ground = made.forces.force[t, k]
            upper = force - ground
            moment = turning - (made.forces.moment[t, k] - np.cross(centre, ground)) - np.cross(place - centre, upper)
        else:
            upper = force + force_above
            moment = turning + moment_above + np.cross(at - centre, force_above) - np.cross(place - centre, upper)
        found[joint] = moment
        force_above, moment_above, at = upper, moment, place
    return found


def test_moments_equal_those_of_a_recursion(made: Walker) -> None:
    found = inverse_dynamics(made.skeleton, made.segments, made.forces)
    for side in FOOT_SIDES:
        for t in range(0, len(made.run.time), 13):
            by_hand = recursion(made, side, t)
            for joint, above, below in (
                ("hip", "pelvis", "thigh"),
                ("knee", "thigh", "shank"),
                ("ankle", "shank", "foot"),
            ):
                upper = made.segments[above if above == "pelvis" else f"{side}_{above}"]
                axes = joint_axes(upper, made.segments[f"{side}_{below}"])
                names = [f"{side}_{joint}_moment{plane}" for plane in ("", "_frontal", "_transverse")]
                sizes = [abs(by_hand[joint] @ axis[t]) / MASS for axis in axes]
                assert [abs(float(found[name][t])) for name in names] == pytest.approx(sizes, abs=1e-9)


@pytest.mark.parametrize(
    ("joint", "plane", "ahead", "inwards", "inward_turn"),
    [
        ("ankle", "", 0.1, 0, 0), ("knee", "", -0.1, 0, 0), ("hip", "", 0.1, 0, 0),
        *((joint, "_frontal", 0, 0.05, 0) for joint in ("hip", "knee", "ankle")),
        *((joint, "_transverse", 0, 0, 5.0) for joint in ("hip", "knee", "ankle")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("side", FOOT_SIDES)
def test_positive_moments_oppose_the_ground(
    made: Walker, side: str, joint: str, plane: str, ahead: float, inwards: float, inward_turn: float
) -> None:
    """Upright, massless, 700 N under one foot, ahead of the ankle or behind the knee or closer to the other leg, and a
    moment that turns the toes inwards: the resisting moment is positive and of equal magnitude."""
    still, k, inner = np.zeros((1, 3)), FOOT_SIDES.index(side), {"right": 1.0, "left": -1.0}[side]
    segments, at = {}, {"pelvis": np.zeros(3)}
    for one in made.skeleton.joints.values():
        at[one.child] = at[one.parent] + TURNED @ made.skeleton.segments[one.parent].joints[one.name]
    for name, segment in made.skeleton.segments.items():
        segments[name] = SegmentMotion(segment, at[name][None], TURNED[None], at[name][None], still, still, still)
    force, centre, free = np.zeros((1, 2, 3)), np.full((1, 2, 3), np.nan), np.zeros((1, 2))
    force[0, k], free[0, k] = [0, 0, 700], inner * inward_turn
    centre[0, k] = at[f"{side}_foot"] + [ahead, inner * inwards, -0.07]
    found = inverse_dynamics(
        made.skeleton, segments, ground_forces_at_points(np.zeros(1), force, centre, free), gravity=0.0
    )
    expected = (700 * (abs(ahead) + inwards) + inward_turn) / MASS
    assert found[f"{side}_{joint}_moment{plane}"].values == pytest.approx([expected])


def test_moments_are_nan_while_a_force_is_unknown(made: Walker) -> None:
    known = made.forces.known.copy()
    known[20:30, 1] = False
    found = inverse_dynamics(made.skeleton, made.segments, replace(made.forces, known=known))
    for name, values in found.items():
        gone = np.isnan(values.values.reshape(len(known), -1)).any(axis=1)
        expected = ~known[:, 1] if str(name).startswith(("left", "residual")) else np.zeros(len(known), dtype=bool)
        assert (gone == expected).all(), name


def slope(values: np.ndarray, step: float) -> np.ndarray:
    """Central differences of order 8 along the first axis; the ends are not valid."""
    found = np.zeros_like(values)
    for k, weight in enumerate((4 / 5, -1 / 5, 4 / 105, -1 / 280), start=1):
        found += weight * (np.roll(values, -k, axis=0) - np.roll(values, k, axis=0)) / step
    return found


def test_moments_from_markers_equal_the_change_of_angular_momentum(tmp_path: Path) -> None:
    """Markers of a synthetic person, and arbitrary forces: the moment at a joint is the change of the angular momentum of
    all distal segments about a fixed point, minus the moments of weight and ground. By differences of the motion, ten
    times as fine; no filter."""
    rate, fine = 250.0, 10
    drawn, dense = (person.walking(seconds=1.2, rate=r) for r in (rate, fine * rate))
    trial = gw.gait.load(drawn.save(tmp_path / "walk.trc"))
    trial = replace(trial, markers=trial.markers.copy(data=drawn.points))  # without the rounding of the file
    stands = person.standing()
    static = gw.gait.load(stands.save(tmp_path / "static.trc"))
    static = replace(static, markers=static.markers.copy(data=stands.points))
    skeleton = gw.gait.skeleton_of(trial, gw.gait.Subject(70.0, 1.741, "male"), static)
    motion = gw.gait.follow(trial, skeleton, cutoff=None)
    t = motion.times[:, None]
    force = np.stack([300 + 200 * np.cos(5 * t + k) * [0.1, 0.05, 1.0] for k in range(2)], axis=1)
    centre = np.stack([np.hstack([0.9 * t, 0.1 * np.sin(3 * t), 0 * t]) for k in range(2)], axis=1)
    forces = ground_forces_at_points(motion.times, force, centre, np.hstack([4 * np.cos(2 * t), -3 * np.sin(4 * t)]))
    found = gw.gait.joint_moments(motion, forces)
    inner = slice(20, -20)
    for side in FOOT_SIDES:
        below: list[str] = []
        for kind, joint in (("foot", "ankle"), ("shank", "knee"), ("thigh", "hip")):
            below.append(f"{side}_{kind}")
            linear, angular, weighing = (np.zeros((len(dense.points), 3)) for _ in range(3))
            for name in below:
                one, R = skeleton.segments[name], dense.rotations[name]
                at = dense.origins[name] + R @ one.centre
                speed, turn = slope(at, 1 / (fine * rate)), slope(R, 1 / (fine * rate)) @ np.swapaxes(R, 1, 2)
                spin = np.stack([turn[:, 2, 1], turn[:, 0, 2], turn[:, 1, 0]], axis=1)
                own = np.einsum("tij,jk,tlk,tl->ti", R, one.inertia, R, spin)
                linear += one.mass * speed
                angular += own + np.cross(at, one.mass * speed)
                weighing += np.cross(at, one.mass * np.array([0, 0, -GRAVITY_M_PER_S2]))
            mass, k = sum(skeleton.segments[name].mass for name in below), FOOT_SIDES.index(side)
            pull = (
                slope(linear, 1 / (fine * rate))[::fine]
                - mass * np.array([0, 0, -GRAVITY_M_PER_S2])
                - forces.force[:, k]
            )
            turning = slope(angular, 1 / (fine * rate))[::fine] - weighing[::fine] - forces.moment[:, k]
            place = dense.origins[below[-1]][::fine]
            moment = turning - np.cross(place, pull)
            above = "pelvis" if joint == "hip" else {"ankle": f"{side}_shank", "knee": f"{side}_thigh"}[joint]
            first = dense.rotations[above][::fine, :, 2]
            sign = 1 if joint == "knee" else -1
            expected = sign * np.einsum("ti,ti->t", moment, first) / 70.0
            assert found[f"{side}_{joint}_moment"].values[inner] == pytest.approx(expected[inner], abs=1e-6)
            assert np.ptp(expected[inner]) > 0.5
    assert "lumbar_moment" in found


def test_trunk_without_markers_has_weight_but_no_moment(tmp_path: Path) -> None:
    trial = gw.gait.load(person.without_trunk(person.walking()).save(tmp_path / "walk.trc"))
    motion = gw.gait.follow(trial, gw.gait.skeleton_of(trial, gw.gait.Subject(70.0, 1.741)))
    none = np.zeros((len(motion.times), 2, 3))
    found = gw.gait.joint_moments(motion, ground_forces_at_points(motion.times, none, none, none[..., 0]))
    assert not [name for name in found if "lumbar" in str(name)]
    assert float(found["residual_force"].sel(axis="z").mean()) == pytest.approx(70.0 * GRAVITY_M_PER_S2, rel=0.02)


def test_forces_at_other_instants_are_refused(tmp_path: Path) -> None:
    trial = gw.gait.load(person.walking(seconds=1.0).save(tmp_path / "walk.trc"))
    motion = gw.gait.follow(trial, gw.gait.skeleton_of(trial, gw.gait.Subject(70.0, 1.741)))
    none = np.zeros((50, 2, 3))
    with pytest.raises(gw.ModelError, match=r"other instants.*motion\.times"):
        gw.gait.joint_moments(motion, ground_forces_at_points(np.arange(50) / 50, none, none, none[..., 0]))
