"""Forces of a separate file on the clock and in the axes of the markers, whatever their columns are called."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.synthetic import WEIGHT, walk
from gaitwright._core.errors import ModelError
from gaitwright.formats.opensim_table import OpenSimTable, read_table, write_table
from gaitwright.gait.events import clock_shift

SUBJECT = gw.gait.Subject(WEIGHT / 9.81, 1.75, "male")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, OpenSimTable]:
    """Markers with y up, and a table of ground forces with y up: time, plate_1_force_vx ..."""
    folder = tmp_path_factory.mktemp("walk")
    trial = gw.gait.load(*walk(3.0).save(folder))
    return trial.save(folder / "markers.trc"), read_table(trial.save(folder / "forces.mot"))


def loaded(
    files: tuple[Path, OpenSimTable], folder: Path, names: list[str] | None = None, values: np.ndarray | None = None
) -> gw.gait.GaitTrial:
    markers, table = files
    values = table.values if values is None else values
    return gw.gait.load(markers, forces=write_table(folder / "grf.mot", names or table.names, values))


def plate_contacts(trial: gw.gait.GaitTrial) -> list[tuple[str, float, float]]:
    return [(one.side, one.start, one.end) for one in gw.gait.contacts(trial) if one.whole and one.near]


@pytest.fixture(scope="module")
def known(files: tuple[Path, OpenSimTable], tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, float, float]]:
    steps = plate_contacts(loaded(files, tmp_path_factory.mktemp("known")))
    assert len(steps) >= 3
    return steps


def same(steps: list[tuple[str, float, float]], known: list[tuple[str, float, float]]) -> bool:
    return [side for side, *_ in steps] == [side for side, *_ in known] and np.allclose(
        [times for _, *times in steps], [times for _, *times in known], atol=1e-3
    )


STYLES = {
    "number in the middle": lambda k: (f"ground_force_{k}_v", f"ground_force_{k}_p", f"ground_torque_{k}_"),
    "number before": lambda k: (f"{k}_ground_force_v", f"{k}_ground_force_p", f"{k}_ground_torque_"),
    "moments": lambda k: (f"ground_force_{k}_v", f"ground_force_{k}_p", f"ground_moment_{k}_m"),
    "letter": lambda k: (
        f"ground_force_{'rlabcdef'[k - 1]}_v",
        f"ground_force_{'rlabcdef'[k - 1]}_p",
        f"ground_torque_{'rlabcdef'[k - 1]}_",
    ),
    "points": lambda k: (f"Force{k}.v", f"Force{k}.p", f"Torque{k}."),
}


@pytest.mark.parametrize("style", STYLES)
def test_usual_names_of_columns_are_read(
    style: str, files: tuple[Path, OpenSimTable], known: list[tuple[str, float, float]], tmp_path: Path
) -> None:
    names = ["time"]
    for k in range(1, 1 + (len(files[1].names) - 1) // 9):
        names += [f"{name}{axis}" for name in STYLES[style](k) for axis in "xyz"]
    trial = loaded(files, tmp_path, names)
    assert same(plate_contacts(trial), known)
    usual = loaded(files, tmp_path)
    for one, other in zip(trial.plates, usual.plates, strict=True):
        assert one.moment == pytest.approx(other.moment, abs=1e-6)


def test_forces_that_begin_later_keep_their_times(
    files: tuple[Path, OpenSimTable], known: list[tuple[str, float, float]], tmp_path: Path
) -> None:
    values = files[1].values
    trial = loaded(files, tmp_path, values=values[values[:, 0] >= 0.2])
    assert same([step for step in plate_contacts(trial) if step[1] > 0.3], [step for step in known if step[1] > 0.3])
    assert any("the forces begin +0.200 s from the first frame" in note for note in trial.faults)
    whole, late = (gw.gait.analyse(one, SUBJECT) for one in (loaded(files, tmp_path), trial))
    assert clock_shift(trial) is None and whole.contacts[-1].end == pytest.approx(late.contacts[-1].end, abs=1e-3)


def test_clocks_without_common_times_begin_together(
    files: tuple[Path, OpenSimTable], known: list[tuple[str, float, float]], tmp_path: Path
) -> None:
    values = files[1].values.copy()
    values[:, 0] += 100.0
    trial = loaded(files, tmp_path, values=values)
    assert same(plate_contacts(trial), known) and any("have nothing in common" in note for note in trial.faults)


@pytest.mark.parametrize("shift", [0.1, -0.06])
def test_a_shifted_clock_is_found_and_its_events_do_not_count(
    shift: float, files: tuple[Path, OpenSimTable], tmp_path: Path
) -> None:
    values = files[1].values.copy()
    values[:, 0] += shift
    trial = loaded(files, tmp_path, values=values)
    assert clock_shift(trial) == pytest.approx(shift, abs=0.01)
    analysis = gw.gait.analyse(trial, SUBJECT)
    (finding,) = (one for one in analysis.findings if one.about == "clock")
    assert finding.how_bad == "wrong" and f"{1e3 * abs(finding.value):.0f} ms" in str(finding)
    assert finding.value == pytest.approx(shift, abs=0.012), (
        "events of markers differ by up to 12 ms from those of plates"
    )
    assert {event.source for event in analysis.events} == {"markers"}


def test_points_in_millimetres_are_recognised(
    files: tuple[Path, OpenSimTable], known: list[tuple[str, float, float]], tmp_path: Path
) -> None:
    values = files[1].values.copy()
    for k, name in enumerate(files[1].names):
        if "_p" in name[-3:] or "torque" in name:
            values[:, k] *= 1e3
    trial = loaded(files, tmp_path, values=values)
    assert same(plate_contacts(trial), known) and any("are in mm" in note for note in trial.faults)


@pytest.mark.parametrize("order", [(0, 2, 1), (2, 0, 1), (1, 0, 2)], ids=["z up", "y forward, z up", "x up"])
def test_forces_in_other_axes_are_rotated(
    order: tuple[int, int, int], files: tuple[Path, OpenSimTable], known: list[tuple[str, float, float]], tmp_path: Path
) -> None:
    """The vector columns in another order of axes, right-handed: for an odd order the second axis is reversed."""
    values = files[1].values.copy()
    turn = np.eye(3)[list(order)]
    if np.linalg.det(turn) < 0:
        turn[1] *= -1
    for first in range(1, values.shape[1], 3):
        values[:, first : first + 3] = values[:, first : first + 3] @ turn.T
    trial = loaded(files, tmp_path, values=values)
    assert same(plate_contacts(trial), known)
    assert any("other axes than the markers" in note for note in trial.faults)


def test_forces_in_body_weights_are_refused_in_one_sentence(files: tuple[Path, OpenSimTable], tmp_path: Path) -> None:
    values = files[1].values.copy()
    values[:, 1:] /= WEIGHT
    with pytest.raises(ModelError, match="they are not in N"):
        loaded(files, tmp_path, values=values)


def test_unknown_columns_are_named(files: tuple[Path, OpenSimTable], tmp_path: Path) -> None:
    names = ["time", *(f"column {k}" for k in range(len(files[1].names) - 1))]
    with pytest.raises(ModelError, match=r"has no forces of plates; its columns are time, column 0.*1_ground_force_vx"):
        loaded(files, tmp_path, names)
