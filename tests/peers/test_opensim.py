"""Walking people against OpenSim: the same skeleton, markers and forces through its inverse kinematics and dynamics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw

opensim: Any = pytest.importorskip("opensim", reason="OpenSim is not installed: pip install 'gaitwright[bench]'")
from gait.person import standing, walking  # noqa: E402
from peers.opensim_models import as_opensim, pose  # noqa: E402

pytestmark = pytest.mark.peer
NOISE = 0.002
"""m, on every marker: without it any method finds the only answer."""
ANGLES = 1
"""What OpenSim calls a coordinate that is an angle, which its files have in degrees."""


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("opensim")
    person = walking(0.4)
    noise = np.random.default_rng(1).normal(scale=NOISE, size=person.points.shape)
    trial = gw.gait.load(person.save(folder / "walk.trc", person.points + noise))
    still = gw.gait.load(standing().save(folder / "standing.trc"))
    return trial, gw.gait.skeleton_of(trial, gw.gait.Subject(76.0, 1.741, "male"), static=still)


@pytest.fixture
def model(walk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)  # it leaves a log where it stands
    opensim.Logger.setLevelString("error")
    model = as_opensim(walk[1])
    model.initSystem()
    return model


def test_inverse_kinematics(walk: Any, model: Any, tmp_path: Path) -> None:
    """Least squares over all markers, joints kept together: one minimum, two ways to it. Its file has 8 digits of a degree."""
    trial, skeleton = walk
    tool = opensim.InverseKinematicsTool()
    tool.setModel(model)
    tool.setMarkerDataFileName(str(trial.save(tmp_path / "markers.trc")))
    tool.setStartTime(float(trial.times[0]))
    tool.setEndTime(float(trial.times[-1]))
    tool.setResultsDir(str(tmp_path))
    tool.setOutputMotionFileName(str(tmp_path / "found.mot"))
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
            angle = coordinate.getMotionType() == ANGLES
            coordinate.setValue(state, float(np.deg2rad(value) if angle else value), False)
        model.realizePosition(state)
        for segment in skeleton.segments:
            origin, rotation = pose(model, state, segment)
            assert rotation == pytest.approx(motion.turned(segment)[frame], abs=2e-6)
            assert origin == pytest.approx(motion.origin(segment)[frame], abs=2e-7)
