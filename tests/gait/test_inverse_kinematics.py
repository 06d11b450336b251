"""Inverse kinematics: lost markers, residuals, velocities and accelerations, coordinates."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.person import Person, built, standing, walking
from gaitwright._core.errors import ModelError
from gaitwright.gait.inverse_kinematics import INVERSE_KINEMATICS_METHODS
from gaitwright.gait.multibody_fit import SkeletonChain, rotation_from_vectors

SUBJECT = gw.gait.Subject(73.0, 1.741, "male")


@pytest.fixture(scope="module")
def static(tmp_path_factory: pytest.TempPathFactory) -> gw.gait.GaitTrial:
    return gw.gait.load(standing().save(tmp_path_factory.mktemp("static") / "static.trc"))


def trial_of(person: Person, folder: Path, **more) -> gw.gait.GaitTrial:
    return gw.gait.load(person.save(folder / "walk.trc", **more))


@pytest.mark.parametrize("method", INVERSE_KINEMATICS_METHODS)
def test_known_poses_are_recovered(method: str, static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    truth = walking()
    trial = trial_of(truth, tmp_path)
    motion = gw.gait.follow(trial, gw.gait.skeleton_of(trial, SUBJECT, static), method, cutoff=None)
    for name in motion.segments:
        assert motion.origin(name) == pytest.approx(truth.origins[name], abs=1e-7)
        assert motion.turned(name) == pytest.approx(truth.rotations[name], abs=1e-6)
    assert motion.residual.max() < 1e-7
    assert motion.joint_centre("left_knee") == pytest.approx(truth.origins["left_shank"], abs=1e-7)


@pytest.mark.parametrize("method", INVERSE_KINEMATICS_METHODS)
def test_lost_markers_do_not_change_the_poses(method: str, static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    """As long as three points of a segment are visible, including the joint above; fewer are enough with joint
    constraints."""
    truth = walking()
    points = truth.points.copy()
    labels = list(truth.markers)
    lost = {"R.GTR": 20, "R.Knee": 100, "L.HF": 30, "L.TT": 30, "R.MT5": 120, "L.ASIS": 60, "R.Heel": 120}
    for label, start in lost.items():
        points[start : start + 60, labels.index(label)] = np.nan
    trial = trial_of(truth, tmp_path, points=points)
    motion = gw.gait.follow(trial, gw.gait.skeleton_of(trial, SUBJECT, static), method, cutoff=None)
    for name in motion.segments:
        assert motion.turned(name) == pytest.approx(truth.rotations[name], abs=2e-6), name
    assert np.isnan(motion.residual.sel(marker="R.Heel")).sum() == 60


def test_joint_constraints_replace_the_markers_of_a_segment(static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    """A thigh without markers: hip and shank define it, except for rotation about their line in a straight leg."""
    truth = walking()
    points, labels = truth.points.copy(), list(truth.markers)
    for label in ("R.GTR", "R.Knee", "R.Knee.Medial"):
        points[100:160, labels.index(label)] = np.nan
    trial = trial_of(truth, tmp_path, points=points)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, static)
    one, other = (gw.gait.follow(trial, skeleton, method, cutoff=None) for method in ("segments", "joints"))
    assert np.isnan(one.origin("right_thigh")[100:160]).all()
    assert other.joint_centre("right_knee") == pytest.approx(truth.origins["right_shank"], abs=1e-4)


@pytest.mark.parametrize("kind", ["spherical", "hinge"])
def test_jacobian_equals_differences(kind: str, static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    """Against central differences of the markers."""
    trial = trial_of(walking(0.5), tmp_path)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, static, knee=kind, ankle=kind)
    labels = [label for one in skeleton.segments.values() for label in one.markers]
    chain = SkeletonChain(skeleton, labels)
    random = np.random.default_rng(1)
    root = random.normal(size=(1, 3))
    relative = np.stack([rotation_from_vectors(random.normal(size=(1, 3))) for _ in skeleton.segments], axis=1)

    def markers(step: np.ndarray) -> np.ndarray:
        _, rotation = chain.poses(root, relative)
        return chain.markers(*chain.poses(*chain.moved(root, relative, rotation, step[None]))).ravel()

    position, rotation = chain.poses(root, relative)
    found = chain.jacobian(position, rotation, chain.markers(position, rotation), np.ones((1, len(labels))))[0]
    h = 1e-6
    numeric = np.stack([(markers(h * e) - markers(-h * e)) / (2 * h) for e in np.eye(chain.count)], axis=1)
    assert found == pytest.approx(numeric, abs=1e-8)


@pytest.mark.parametrize("method", INVERSE_KINEMATICS_METHODS)
def test_weights_and_residuals_identify_a_slipped_marker(
    method: str, static: gw.gait.GaitTrial, tmp_path: Path
) -> None:
    truth = walking()
    points = truth.points.copy()
    points[:, list(truth.markers).index("R.HF")] += [0.02, 0, 0]
    trial = trial_of(truth, tmp_path, points=points)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, static)
    plain = gw.gait.follow(trial, skeleton, method, cutoff=None)
    assert plain.residual.mean("time").idxmax() == "R.HF"
    motion = gw.gait.follow(trial, skeleton, method, cutoff=None, weights={"R.HF": 0.0})
    assert motion.residual.sel(marker="R.HF").mean() == pytest.approx(0.02, abs=1e-6)
    assert motion.turned("right_shank") == pytest.approx(truth.rotations["right_shank"], abs=1e-6)


def test_velocities_and_accelerations_of_a_known_motion(static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    """Angular velocity and acceleration of the pelvis in its own frame, from its angles: with only tilt a(t) and rotation b(t),
    R = R_y(b) R_z(a), omega = (b' sin a, b' cos a, a')."""
    times = np.arange(200) / 200.0
    truth = walking(1.0, 200.0)
    a, b = 0.3 * np.sin(5 * times), 0.4 * np.cos(4 * times)
    angles = {**truth.angles, "pelvis_rotation": b, "pelvis_obliquity": 0 * a, "pelvis_tilt": -a}
    path = np.column_stack([1.2 * times, 0.1 * np.sin(6 * times), 0.92 + 0 * times])
    trial = trial_of(built(200.0, path, angles), tmp_path)
    motion = gw.gait.follow(trial, gw.gait.skeleton_of(trial, SUBJECT, static), "segments", cutoff=None)
    a1, b1, a2, b2 = (
        1.5 * np.cos(5 * times),
        -1.6 * np.sin(4 * times),
        -7.5 * np.sin(5 * times),
        -6.4 * np.cos(4 * times),
    )
    omega = np.column_stack([b1 * np.sin(a), b1 * np.cos(a), a1])
    alpha = np.column_stack([b2 * np.sin(a) + b1 * a1 * np.cos(a), b2 * np.cos(a) - b1 * a1 * np.sin(a), a2])
    inside = slice(10, -10)
    assert motion.angular_velocity.sel(segment="pelvis").to_numpy()[inside] == pytest.approx(omega[inside], abs=1e-4)
    assert motion.angular_acceleration.sel(segment="pelvis").to_numpy()[inside] == pytest.approx(
        alpha[inside], abs=2e-2
    )
    speed = motion.velocity.sel(segment="pelvis", axis="y").to_numpy()
    assert speed[inside] == pytest.approx((0.6 * np.cos(6 * times))[inside], abs=1e-4)
    pull = motion.acceleration.sel(segment="pelvis", axis="y").to_numpy()
    assert pull[inside] == pytest.approx((-3.6 * np.sin(6 * times))[inside], abs=1e-2)


def test_joints_stay_connected_when_filtered(static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    truth = walking()
    noise = np.random.default_rng(5).normal(scale=2e-3, size=truth.points.shape)
    trial = trial_of(truth, tmp_path, points=truth.points + noise)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, static, knee="hinge")
    motion = gw.gait.follow(trial, skeleton)
    assert (motion.method, motion.cutoff) == ("joints", 6.0)
    for name, joint in skeleton.joints.items():
        assert motion.joint_centre(name) == pytest.approx(motion.origin(joint.child), abs=1e-12)
    angles = gw.gait.joint_angles(motion)
    assert np.ptp(angles["right_knee_adduction"].to_numpy()) < 1e-9 < np.ptp(angles["right_knee_flexion"].to_numpy())
    assert motion.coordinates is not None and "right_knee_rotation" not in motion.coordinates.coordinate
    assert motion.coordinates.shape == (len(trial.times), 3 + 3 + 3 * 5 + 2)


def test_centre_of_mass_is_that_of_the_segments(static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    trial = trial_of(walking(), tmp_path)
    motion = gw.gait.follow(trial, gw.gait.skeleton_of(trial, SUBJECT, static), "segments")
    centre = motion.centre_of_mass()
    assert centre.dims == ("time", "axis") and 0.9 < float(centre.sel(axis="z").mean()) < 1.1
    assert np.polyfit(trial.times, centre.sel(axis="x"), 1)[0] == pytest.approx(1.2, abs=0.02)


@pytest.mark.parametrize("method", ["joints", "segments"])
def test_a_thigh_with_one_marker_turns_with_the_pelvis(method: str, static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    """The hip and the marker of the knee define its direction; its rotation is that of the pelvis. The true one is -6 +- 5
    degrees, and the marker lies 8 degrees beside the line from hip to knee."""
    person = walking()
    few = {label: at for label, at in person.markers.items() if label not in ("R.GTR", "R.Knee.Medial")}
    trial = trial_of(replace(person, markers=few), tmp_path)
    angles = gw.gait.joint_angles(
        gw.gait.follow(trial, gw.gait.skeleton_of(trial, SUBJECT, static), method, cutoff=None)
    )
    for name, limit in (("right_hip_flexion", 1.5), ("right_hip_rotation", 15.0), ("left_hip_rotation", 0.1)):
        assert np.degrees(np.abs(angles[name].to_numpy() - person.angles[name]).max()) < limit, name


def test_a_pelvis_that_is_never_complete_is_reported(static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    person = walking()
    few = {label: at for label, at in person.markers.items() if "PSIS" not in label and "Iliac" not in label}
    trial = trial_of(replace(person, markers=few), tmp_path)
    with pytest.raises(ModelError, match=r"too few markers on the pelvis: R\.ASIS, L\.ASIS.*pelvis_2"):
        gw.gait.follow(trial, gw.gait.skeleton_of(trial, SUBJECT, static))


@pytest.mark.parametrize("method", ["joints", "segments"])
def test_a_segment_that_is_lost_all_the_time_has_no_pose(
    method: str, static: gw.gait.GaitTrial, tmp_path: Path
) -> None:
    person = walking()
    few = {label: at for label, at in person.markers.items() if label[:2] != "L." or "IS" in label or "Iliac" in label}
    trial = trial_of(replace(person, markers=few), tmp_path)
    motion = gw.gait.follow(trial, gw.gait.skeleton_of(trial, SUBJECT, static), method, cutoff=None)
    angles = gw.gait.joint_angles(motion)
    assert np.isnan(motion.turned("left_shank")).all() and np.isnan(angles["left_knee_flexion"]).all()
    for name, truth in person.angles.items():
        if not name.startswith("left"):
            assert angles[name].to_numpy() == pytest.approx(truth, abs=1e-6), name


def test_unknown_choices_are_refused(static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    trial = trial_of(walking(), tmp_path)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, static)
    with pytest.raises(ModelError, match="did you mean 'joints'"):
        gw.gait.follow(trial, skeleton, "joint")
    with pytest.raises(ModelError, match=r"did you mean 'R\.HF'"):
        gw.gait.follow(trial, skeleton, weights={"R.HFF": 1.0})


@pytest.mark.slow
def test_fit_is_ten_times_faster_than_real_time(static: gw.gait.GaitTrial, tmp_path: Path) -> None:
    """Ten seconds at 100 Hz with 32 noisy markers take 0.4 s of CPU time; the limit is one second, for the best of three."""
    truth = walking(10.0)
    noise = np.random.default_rng(0).normal(scale=2e-3, size=truth.points.shape)
    trial = trial_of(truth, tmp_path, points=truth.points + noise)
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, static)
    spent = []
    for _ in range(3):
        before = time.process_time()  # CPU time of all cores together
        gw.gait.follow(trial, skeleton, "joints")
        spent.append(time.process_time() - before)
    assert min(spent) < 1.0
