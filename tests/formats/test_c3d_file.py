"""C3D: written and read back, gaps, plates, events; other processors, truncated files, OpenSim in the same process, and a
missing ezc3d package."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from formats.other_processors import with_numbers_of
from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright._core.isolation import run_isolated
from gaitwright.formats.c3d_file import C3dPlate, C3dTrial, import_ezc3d, read_c3d, write_c3d

pytest.importorskip("ezc3d")
CORNERS = np.array([[0.4, 0.6, 0], [0.4, 0, 0], [0, 0, 0], [0, 0.6, 0.0]])


@pytest.fixture
def trial() -> C3dTrial:
    random = np.random.default_rng(3)
    points = random.normal(size=(40, 3, 3))
    points[5:9, 1] = np.nan
    units = ["N"] * 3 + ["Nm"] * 3
    plates = [
        C3dPlate(2, random.normal(size=(120, 6)), units, CORNERS, np.array([0, 0, -0.04])),
        C3dPlate(3, random.normal(size=(120, 8)), ["N"] * 8, CORNERS + 1, np.array([0.12, 0.2, -0.05])),
        C3dPlate(4, random.normal(size=(120, 6)), units, CORNERS, np.zeros(3), random.normal(size=(6, 6))),
    ]
    events = [("Foot Strike", "Left", 0.25), ("Foot Off", "Right", 0.31)]
    return C3dTrial(["LHEE", "RHEE", "LTOE"], points, "m", 100.0, 0.5, 300.0, plates, events)


def test_written_trial_is_read_back(trial: C3dTrial, tmp_path: Path) -> None:
    found = read_c3d(write_c3d(tmp_path / "x.c3d", trial))
    assert (found.labels, found.unit, found.rate, found.start, found.analog_rate) == (trial.labels, "m", 100, 0.5, 300)
    assert found.points == pytest.approx(trial.points, rel=1e-6, abs=1e-7, nan_ok=True)
    assert [(label, side) for label, side, _ in found.events] == [(label, side) for label, side, _ in trial.events]
    assert [t for *_, t in found.events] == pytest.approx([0.25, 0.31], abs=1e-6)
    for one, other in zip(found.plates, trial.plates, strict=True):
        assert (one.type, one.units) == (other.type, other.units)
        for name in ("channels", "corners", "origin", "matrix"):
            if getattr(other, name) is not None:
                assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-6, abs=1e-7)
    assert not found.notes


def test_truncated_file_reports_the_remaining_frames(trial: C3dTrial, tmp_path: Path) -> None:
    path = write_c3d(tmp_path / "x.c3d", trial)
    path.write_bytes(path.read_bytes()[:-6000])
    try:
        found = read_c3d(path)
    except ModelError as error:
        assert "cannot be read" in str(error)
    else:
        assert len(found.points) < 40 and "40 frames, but there are" in " ".join(found.notes)


@pytest.mark.parametrize("size", [0, 100, 600, 1100, 2500])
def test_severely_truncated_file_is_rejected(size: int, trial: C3dTrial, tmp_path: Path) -> None:
    """Truncated within its parameters, for which ezc3d would search in gigabytes for half a minute."""
    path = write_c3d(tmp_path / "x.c3d", trial)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(ModelError, match=r"expected a C3D file, complete|expected a complete file"):
        read_c3d(path)


@pytest.mark.parametrize("processor", ["Intel", "DEC", "MIPS"])
@pytest.mark.parametrize(
    ("name", "byte", "put", "says"),
    [
        (b"OFFSET", 3, b"\xff", "its parameter 'OFFSET' has 255 dimensions, more than 7"),
        (b"OFFSET", 3, b"\x03\xff\xff\xff", "its parameter 'OFFSET' has 16581375 values, more than the file"),
        (b"OFFSET", 2, b"\x09", "its parameter 'OFFSET' has the type 9, which is none of -1, 1, 2 and 4"),
        (b"OFFSET", -7, b"\x00", "its parameter 'OFFSET' belongs to no group"),
        (b"FORCE_PLATFORM", 2, b"\xff", "the description of 'FORCE_PLATFORM' has 255 characters, more than 127"),
        (b"FORCE_PLATFORM", 0, b"\xff\xff", "its parameters go on beyond the end of the file"),
    ],
)
def test_invalid_parameter_is_reported(
    processor: str, name: bytes, byte: int, put: bytes, says: str, trial: C3dTrial, tmp_path: Path
) -> None:
    """ezc3d would end the process, or allocate 4 GB, or take 20 s. byte: counted from the end of the name."""
    content = write_c3d(tmp_path / "x.c3d", trial).read_bytes()
    damaged = bytearray(content if processor == "Intel" else with_numbers_of(processor, content))
    at = damaged.index(name) + len(name) + byte
    damaged[at : at + len(put)] = put
    (tmp_path / "x.c3d").write_bytes(damaged)
    with pytest.raises(ModelError, match=f"cannot be read: {says}"):
        read_c3d(tmp_path / "x.c3d")


@pytest.mark.parametrize("processor", ["DEC", "MIPS"])
def test_files_of_old_computers_are_read(processor: str, trial: C3dTrial, tmp_path: Path) -> None:
    path = write_c3d(tmp_path / "x.c3d", trial)
    expected = read_c3d(path)
    path.write_bytes(with_numbers_of(processor, path.read_bytes()))
    found = read_c3d(path)
    assert found.points == pytest.approx(expected.points, rel=1e-6, nan_ok=True)
    assert np.isnan(found.points[5:9, 1]).all()
    for name in ("labels", "unit", "rate", "start", "analog_rate", "events", "notes"):
        assert getattr(found, name) == getattr(expected, name)
    for one, other in zip(found.plates, expected.plates, strict=True):
        assert one.channels == pytest.approx(other.channels, rel=1e-6)
        assert one.corners == pytest.approx(other.corners, rel=1e-6)


def test_ezc3d_agrees_on_dec(trial: C3dTrial, tmp_path: Path) -> None:
    """ezc3d reads such files itself, except for gaps."""
    path = write_c3d(tmp_path / "x.c3d", trial)
    path.write_bytes(with_numbers_of("DEC", path.read_bytes()))
    own = run_isolated(_points, str(path), source="the file")
    found = read_c3d(path).points
    there = ~np.isnan(found)
    assert found[there] == pytest.approx(own[there], rel=1e-6)


def _points(path: str) -> Any:
    return import_ezc3d().c3d(path)["data"]["points"][:3].transpose(2, 1, 0).copy()


@pytest.mark.parametrize(("processor", "named"), [(85, "DEC"), (86, "Motorola"), (7, "unknown")])
def test_wrong_processor_code_is_reported(processor: int, named: str, trial: C3dTrial, tmp_path: Path) -> None:
    """An Intel file declared as that of another processor has implausible numbers: a message, not a crash."""
    path = write_c3d(tmp_path / "x.c3d", trial)
    content = bytearray(path.read_bytes())
    content[512 * (content[0] - 1) + 3] = processor
    path.write_bytes(content)
    with pytest.raises(ModelError, match=named):
        read_c3d(path)


def test_missing_package_is_reported(trial: C3dTrial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ezc3d", None)
    with pytest.raises(GaitwrightError, match=r"need the package ezc3d: pip install 'gaitwright\[gait\]'"):
        write_c3d(tmp_path / "x.c3d", trial)


USE_OPENSIM = """
import opensim
opensim.TimeSeriesTable().setColumnLabels(opensim.StdVectorString(["a"]))
"""
"""A call with a vector: OpenSim stores its type of string vectors where ezc3d, in the same process, looks for its own."""
USE_C3D = """
import numpy as np
from gaitwright.formats.c3d_file import C3dTrial, read_c3d, write_c3d
assert read_c3d(write_c3d("x.c3d", C3dTrial(["A"], np.ones((4, 1, 3)), "m", 100.0))).labels == ["A"]
"""


@pytest.mark.skipif(importlib.util.find_spec("opensim") is None, reason="OpenSim is not installed")
@pytest.mark.parametrize("script", [USE_OPENSIM + USE_C3D, USE_C3D + USE_OPENSIM], ids=["before", "after"])
def test_opensim_in_the_same_process_works(script: str, tmp_path: Path) -> None:
    """In either order. OpenSim leaves a log in the working folder."""
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_ezc3d_is_not_loaded_by_the_calling_process(tmp_path: Path) -> None:
    script = USE_C3D + "import sys; assert 'ezc3d' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_trial_that_ezc3d_cannot_write_raises(trial: C3dTrial, tmp_path: Path) -> None:
    with pytest.raises(GaitwrightError, match=r"the C3D file '.*x\.c3d' cannot be written: "):
        write_c3d(tmp_path / "x.c3d", replace(trial, labels=trial.labels[:1]))
    assert not (tmp_path / "x.c3d").exists()


def test_computed_points_and_measures_of_the_person_are_read(tmp_path: Path) -> None:
    """POINT:ANGLES names points that are no markers; PROCESSING has the widths of the joints."""
    path = write_c3d(tmp_path / "walk.c3d", C3dTrial(["RASI", "RSpecial", "LKNE"], np.ones((10, 3, 3)), "mm", 100.0))
    path.write_bytes(run_isolated(_with_parameters, str(path), source="the file"))
    found = read_c3d(path)
    assert found.computed == ["RSpecial"] and found.parameters == {"LKneeWidth": 104.0, "RKneeWidth": 106.0}
    trial = gw.gait.load(path)
    assert trial.labels == ["RASI", "LKNE"] and trial.measures.knee_width == pytest.approx(0.105)
    assert "1 computed points are no markers and are left out: RSpecial" in trial.notes
    assert gw.gait.load(path, markers={"right_heel": "RSpecial"}).labels == ["RASI", "RSpecial", "LKNE"]


def _with_parameters(path: str) -> bytes:
    file = import_ezc3d().c3d(path)
    file.add_parameter("POINT", "ANGLES", ["RSpecial"])
    file.add_parameter("PROCESSING", "LKneeWidth", [104.0])
    file.add_parameter("PROCESSING", "RKneeWidth", [106.0])
    file.write(path)
    return Path(path).read_bytes()
