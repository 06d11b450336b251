"""Outputs in files of other programs: read back by the readers of these programs, with names and units."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.io import loadmat

import gaitwright as gw
from gaitwright.mechanisms import four_bar
from gaitwright.result.files.table_files import MAX_MATLAB_NAME_LENGTH, TABLE_WRITERS, matlab_field_paths


@pytest.fixture(scope="module")
def run() -> Any:
    return four_bar().kinematics(0.1, step=0.01)


def test_matlab_structs_follow_the_dots_of_names(run: Any, tmp_path: Path) -> None:
    read = loadmat(run.save(tmp_path / "run.mat"), simplify_cells=True)
    assert read["time"] == pytest.approx(run.time, abs=0)
    assert list(read["names"]) == run.default_names()
    for name, field in zip(read["names"], read["fields"], strict=True):
        values, unit, text = read["outputs"], read["units"], read["descriptions"]
        for part in field.split("."):
            values, unit, text = values[part], unit[part], text[part]
        assert np.array_equal(values, run.array(name), equal_nan=True)
        assert (unit, text) == (run.catalogue[name].unit, run.catalogue[name].description)


def test_parquet_keeps_units_for_pandas_and_arrow(run: Any, tmp_path: Path) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet", reason="pip install 'gaitwright[tables]'")
    path = run.save(tmp_path / "run.parquet")
    table = pd.read_parquet(path)
    assert list(table.columns) == ["time", *run.default_names()]
    assert table.attrs["units"]["crank.torque"] == "N m" and table.attrs["title"] == run.mechanism.name
    assert np.array_equal(table["crank.torque"], run.array("crank.torque"))
    assert parquet.read_schema(path).field("crank.torque").metadata[b"units"] == b"N m"


def test_csv_has_units_in_its_header_and_all_digits(run: Any, tmp_path: Path) -> None:
    table = pd.read_csv(run.save(tmp_path / "run.csv", names=["crank.torque"]))
    assert list(table.columns) == ["time [s]", "crank.torque [N m]"]
    assert np.array_equal(table["crank.torque [N m]"], run.array("crank.torque"))


WORD = st.text("abAB_-:019", min_size=1, max_size=70)


@given(st.lists(st.lists(WORD, min_size=1, max_size=3).map(".".join), unique=True, max_size=12))
def test_matlab_field_paths_are_valid(names: list[str]) -> None:
    """Every path is unique, and no path is both a number and a struct."""
    fields = matlab_field_paths(names)
    assert list(fields) == names and len(set(fields.values())) == len(names)
    leaves = set(fields.values())
    for field in leaves:
        parts = field.split(".")
        assert all(re.fullmatch(r"[A-Za-z]\w*", part) and len(part) <= MAX_MATLAB_NAME_LENGTH for part in parts)
        assert not {".".join(parts[:k]) for k in range(1, len(parts))} & leaves


@pytest.mark.parametrize(
    ("name", "names", "said"),
    [
        ("run.xls", None, r"path.*no such file \(got '.*run.xls'\); expected .nc, or one of .mat, .parquet, .csv"),
        ("run.nc", ["crank.torque"], "names.*netCDF holds the whole result"),
        ("run.mat", ["crank.torqe"], "crank.torqe.*did you mean crank.torque"),
    ],
)
def test_unsupported_table_is_refused(run: Any, tmp_path: Path, name: str, names: Any, said: str) -> None:
    with pytest.raises(gw.ModelError, match=said):
        run.save(tmp_path / name, names=names)
    assert not list(tmp_path.iterdir())


def test_missing_pyarrow_names_the_extra(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(gw.ModelError, match=r"pyarrow.*gaitwright\[tables\]"):
        run.save(tmp_path / "run.parquet")


def test_every_table_is_written(run: Any, tmp_path: Path) -> None:
    for ending in TABLE_WRITERS:
        content = run.save(tmp_path / f"run{ending.upper()}").read_bytes()
        begin = {".mat": b"MATLAB 5.0", ".parquet": b"PAR1", ".csv": b"time"}.get(ending, b"")
        assert len(content) > 1000 and content.startswith(begin), ending
