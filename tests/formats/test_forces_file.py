"""Plates in .forces: written and read back; truncated files and missing columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.formats.forces_file import PlateForceTable, read_forces, write_forces


@pytest.fixture
def table() -> PlateForceTable:
    random = np.random.default_rng(2)
    return PlateForceTable(
        450.0, *(random.normal(size=(6, 2, 3)) * 300 for _ in range(2)), random.normal(size=(6, 2)) * 1e4
    )


def test_written_table_is_read_back(table: PlateForceTable, tmp_path: Path) -> None:
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
def test_defects_are_noted(change, says: str, table: PlateForceTable, tmp_path: Path) -> None:
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
def test_invalid_forces_file_has_a_message(change, says: str, table: PlateForceTable, tmp_path: Path) -> None:
    path = write_forces(tmp_path / "x.forces", table)
    path.write_text(change(path.read_text()))
    with pytest.raises(ModelError, match=says):
        read_forces(path)
