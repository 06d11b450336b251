"""Walking people against OpenSim: the same skeleton, markers and forces through its inverse kinematics and dynamics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw

opensim: Any = pytest.importorskip("opensim", reason="OpenSim is not installed: pip install 'gaitwright[bench]'")
from gait.person import standing, walking  # noqa: E402
from gaitwright.gait.ground_reaction import GroundForces  # noqa: E402
from gaitwright.gait.inverse_dynamics import MOMENT_PLANE_SUFFIXES, SAGITTAL_MOMENT_SIGNS, SIDE_MOMENT_SIGNS  # noqa: E402
from gaitwright_apps.benchmarks.opensim_peer import (  # noqa: E402
    ROTATIONAL_COORDINATE,
    body_pose,
    gimbal_axes,
    inverse_kinematics,
    motion_coordinates,
    to_opensim,
    to_vector,
)

pytestmark = pytest.mark.peer
NOISE = 0.002
"""m, on every marker: without it any method finds the only answer."""


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("opensim")
    person = walking(0.4)
    noise = np.random.default_rng(1).normal(scale=NOISE, size=person.points.shape)
    trial = gw.gait.load(person.save(folder / "walk.trc"))
    noisy = gw.gait.load(person.save(folder / "noisy.trc", person.points + noise))
    still = gw.gait.load(standing().save(folder / "standing.trc"))
    return trial, noisy, gw.gait.skeleton_of(trial, gw.gait.Subject(76.0, 1.741, "male"), static=still)


@pytest.fixture
def model(walk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)  # it leaves a log where it stands
    model = to_opensim(walk[2])
    model.initSystem()
    return model


def test_inverse_kinematics(walk: Any, model: Any, tmp_path: Path) -> None:
    """Least squares over all markers, joints kept together: one minimum, two ways to it. Its file has 8 digits of a degree."""
    _, trial, skeleton = walk
    tool = inverse_kinematics(model, trial.save(tmp_path / "markers.trc"), trial.times, tmp_path)
    tool.set_accuracy(1e-9)
    assert tool.run()
    motion = gw.gait.follow(trial, skeleton, cutoff=None)
    table = opensim.TimeSeriesTable(str(tmp_path / "found.mot"))
    coordinates = [model.getCoordinateSet().get(name) for name in table.getColumnLabels()]
    state = model.initSystem()
    found = table.getMatrix().to_numpy()
    assert len(found) == len(trial.times)
    for frame in range(0, len(found), 5):
        for coordinate, value in zip(coordinates, found[frame], strict=True):
            angle = coordinate.getMotionType() == ROTATIONAL_COORDINATE
            coordinate.setValue(state, float(np.deg2rad(value) if angle else value), False)
        model.realizePosition(state)
        for segment in skeleton.segments:
            origin, rotation = body_pose(model, state, segment)
            assert rotation == pytest.approx(motion.turned(segment)[frame], abs=2e-6)
            assert origin == pytest.approx(motion.origin(segment)[frame], abs=2e-7)


def test_inverse_dynamics(walk: Any, model: Any) -> None:
    """Forces of our own choice on the feet of the moving person. OpenSim's solver gets accelerations and the forces on every
    body, gravity among them, and returns the generalised force of each coordinate: our moment along that axis."""
    trial, _, skeleton = walk
    motion = gw.gait.follow(trial, skeleton, cutoff=None)
    forces = _pushed(motion)
    ours = gw.gait.joint_moments(motion, forces)
    state, bodies, known = model.initSystem(), model.getBodySet(), model.getCoordinateSet()
    names = [known.get(i).getName() for i in range(known.getSize())]
    q, u, a = motion_coordinates(motion, names)
    solver = opensim.InverseDynamicsSolver(model)
    for frame in (10, 20, 30):
        for name, value, speed in zip(names, q[frame], u[frame], strict=True):
            known.get(name).setValue(state, float(value), False)
            known.get(name).setSpeedValue(state, float(speed))
        model.realizeVelocity(state)
        order = [_place(state, speed) for speed in u[frame]]  # OpenSim counts bodies in another order
        assert sorted(order) == list(range(len(names)))
        rates = opensim.Vector(len(names), 0.0)
        for at, value in zip(order, a[frame], strict=True):
            rates.set(at, float(value))
        acting = opensim.VectorOfSpatialVec(len(skeleton.segments) + 1, opensim.SpatialVec())
        for name, wrench in _wrenches(motion, forces, frame).items():
            acting.set(int(bodies.get(name).getMobilizedBodyIndex()), opensim.SpatialVec(*map(to_vector, wrench)))
        found = solver.solve(state, rates, opensim.Vector(len(names), 0.0), acting)
        for joint in skeleton.joints:
            expected = [found.get(order[names.index(f"{joint}_coord_{i}")]) for i in range(3)]
            assert gimbal_axes(motion, joint, frame) @ _moment(ours, motion, joint, frame) == pytest.approx(
                expected, rel=1e-6, abs=1e-4
            )


def _pushed(motion: Any) -> GroundForces:
    t = motion.times
    force = np.stack(
        [
            np.column_stack([60 * np.sin(5 * t + s), 30 * np.cos(4 * t + s), 400 + 200 * np.sin(3 * t + s)])
            for s in (0, 1)
        ],
        axis=1,
    )
    places = np.stack([motion.place(f"{side}_foot", [0.05, -0.08, 0.01]) for side in ("right", "left")], axis=1)
    moment = np.cross(places, force) + np.array([0.0, 0.0, 3.0])
    return GroundForces(t, force, moment, places[..., 2], np.ones(force.shape[:2], dtype=bool), "plates")


def _place(state: Any, speed: float) -> int:
    return int(np.argmin([abs(state.getU().get(i) - speed) for i in range(state.getNU())]))


def _wrenches(motion: Any, forces: GroundForces, frame: int) -> dict[str, list[np.ndarray]]:
    """Moment about the origin of each segment, and force."""
    found = {}
    for name, segment in motion.skeleton.segments.items():
        weight = np.array([0.0, 0.0, -9.81 * segment.mass])
        found[name] = [np.cross(motion.turned(name)[frame] @ segment.centre, weight), weight]
    for k, side in enumerate(("right", "left")):
        foot = f"{side}_foot"
        found[foot][0] = found[foot][0] + forces.about(motion.origin(foot)[:, None])[frame, k]
        found[foot][1] = found[foot][1] + forces.force[frame, k]
    return found


def _moment(ours: Any, motion: Any, joint: str, frame: int) -> np.ndarray:
    """The vector in the ground frame, N m, with our components along the axes of Grood and Suntay."""
    of = motion.skeleton.joints[joint]
    above, below = motion.turned(of.parent)[frame], motion.turned(of.child)[frame]
    floating = np.cross(below[:, 1], above[:, 2])
    axes = np.array([above[:, 2], floating / np.linalg.norm(floating), below[:, 1]])
    sign = SIDE_MOMENT_SIGNS[joint.partition("_")[0]]
    signs = (SAGITTAL_MOMENT_SIGNS[joint.rpartition("_")[2]], sign, sign)
    parts = [
        s * float(ours[f"{joint}_moment{plane}"][frame]) for s, plane in zip(signs, MOMENT_PLANE_SUFFIXES, strict=True)
    ]
    return motion.skeleton.subject.mass * np.linalg.solve(axes, parts)
