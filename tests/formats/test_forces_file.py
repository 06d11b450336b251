"""Plates in .forces: written and read back; what is cut or lacks a column."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gaitwright.errors import ModelError
from gaitwright.formats.forces_file import PlateTable, read_forces, write_forces


@pytest.fixture
def table() -> PlateTable:
    random = np.random.default_rng(2)
    return PlateTable(450.0, *(random.normal(size=(6, 2, 3)) * 300 for _ in range(2)), random.normal(size=(6, 2)) * 1e4)


def test_what_is_written_is_read(table: PlateTable, tmp_path: Path) -> None:
    found = read_forces(write_forces(tmp_path / "x.forces", table))
    assert found.rate == 450 and not found.notes
    for name in ("force", "point", "free_moment"):
        assert getattr(found, name) == pytest.approx(getattr(table, name), rel=1e-8)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text[:-20], "is cut"),
        (lambda text: text.replace("Samples=6", "Samples=60"), "60 samples, but there are 6"),
    ],
)
def test_what_is_wrong_is_noted(change, says: str, table: PlateTable, tmp_path: Path) -> None:
    path = write_forces(tmp_path / "x.forces", table)
    path.write_text(change(path.read_text()))
    assert [note for note in read_forces(path).notes if says in note]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace("SampleRate", "Nothing"), "at which rate"),
        (lambda text: text.replace("FY2", "F2"), "no column FY2"),
        (lambda text: text.replace("#Sample", "Sample"), "#Sample"),
        (lambda text: text[: text.index("MZ2") + 4], "no samples"),
        (lambda text: text + "7\tx\n", "no number"),
    ],
)
def test_what_is_no_forces_file_is_said(change, says: str, table: PlateTable, tmp_path: Path) -> None:
    path = write_forces(tmp_path / "x.forces", table)
    path.write_text(change(path.read_text()))
    with pytest.raises(ModelError, match=says):
        read_forces(path)
