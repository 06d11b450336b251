"""Tables of OpenSim: written and read back; the three headers; truncated and ragged tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.formats.opensim_table import read_table, write_ground_reaction, write_table

ROWS = "time\tknee_angle_r\tpelvis_tx\n0\t90\t0.5\n0.01\t45\t0.6\n"
HEADERS = {
    "opensim": ("Coordinates\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\n\nendheader\n", True),
    "words": (
        "first trial\nnRows=2\nnColumns=3\n\n# SIMM Motion File Header:\nname x\nAngles are in degrees.\nendheader\n",
        True,
    ),
    "simm": ("name x\ndatacolumns 3\ndatarows 2\nrange 0.0 0.01\nendheader\n", None),
    "csv": ("", None),
}


@pytest.mark.parametrize("suffix", [".mot", ".sto", ".csv"])
def test_written_table_is_read_back(suffix: str, tmp_path: Path) -> None:
    values = np.column_stack([np.arange(5) / 100, np.random.default_rng(1).normal(size=(5, 2)) * [1e-3, 1e4]])
    values[2, 1] = np.nan
    found = read_table(write_table(tmp_path / f"x{suffix}", ["time", "a", "b"], values, degrees=True))
    assert found.names == ["time", "a", "b"] and not found.notes
    assert found.degrees == (None if suffix == ".csv" else True)
    assert found.values == pytest.approx(values, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("header", HEADERS)
def test_headers(header: str, tmp_path: Path) -> None:
    head, degrees = HEADERS[header]
    (tmp_path / "x.mot").write_text(head + ROWS)
    found = read_table(tmp_path / "x.mot")
    assert found.degrees == degrees and found.values.shape == (2, 3)
    turned = found.angles()
    assert turned.column("knee_angle_r") == pytest.approx(np.radians([90, 45]) if degrees else [90, 45])
    assert turned.column("pelvis_tx") == pytest.approx([0.5, 0.6])


@pytest.mark.parametrize(
    ("text", "rows", "note"),
    [
        (ROWS + "0.02\t4", 2, "cut: its last line"),
        ("nRows=9\nendheader\n" + ROWS, 2, "9 rows, but there are 2"),
        (ROWS.replace("45", ""), 2, None),
        (ROWS.replace("45\t0.6", "45   0.6"), 2, None),
        (ROWS.replace("pelvis_tx", "knee_angle_r"), 2, "occurs twice"),
    ],
    ids=["cut", "count", "gap", "blanks", "twice"],
)
def test_defects_are_noted(text: str, rows: int, note: str | None, tmp_path: Path) -> None:
    (tmp_path / "x.sto").write_text(text)
    found = read_table(tmp_path / "x.sto")
    assert found.values.shape == (rows, 3)
    assert [one for one in found.notes if note in one] if note else not found.notes


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("time\ta\n0\tx\n", "no number"),
        ("time\ta\n", "no rows"),
        ("", "is empty"),
        ("time\ta\n0\t1\t2\n", "more numbers"),
    ],
)
def test_invalid_table_has_a_message(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "x.mot").write_text(text)
    with pytest.raises(ModelError, match=says):
        read_table(tmp_path / "x.mot")


def test_ground_forces_have_the_names_that_external_loads_require(tmp_path: Path) -> None:
    force, point = np.ones((3, 3)), np.full((3, 3), np.nan)
    found = read_table(write_ground_reaction(tmp_path / "x.mot", np.arange(3.0), {"right": (force, point, 2 * force)}))
    assert found.names[:2] == ["time", "right_force_vx"] and found.names[-1] == "right_torque_z"
    assert found.column("right_force_py") == pytest.approx(0) and np.isfinite(found.values).all()
    with pytest.raises(ModelError, match="did you mean 'right_force_vx'"):
        found.column("rigt_force_vx")
