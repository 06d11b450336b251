"""Page of a sweep: curves over one parameter, lines or maps over two, dots over more; extremes with their parameter values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

from gaitwright.report.blocks import Chart, Map
from gaitwright.report.views.pages.sweep_page import parameter_blocks, sweep_extremes_table, sweep_report


def swept(**grid: Any) -> xr.Dataset:
    """Sum of the parameters; NaN for a sum of 3."""
    data = xr.Dataset(coords={name: np.asarray(values, dtype=float) for name, values in grid.items()})
    total: Any = sum(data[name] for name in grid)
    data["total"] = total.where(total != 3.0)
    data["failure"] = xr.where(total == 3.0, "no number", "")
    data["total"].attrs["units"] = "J"
    return data


SHOWN = {
    "one": ({"a": [0, 1, 2, 3]}, [Chart]),
    "few lines": ({"a": [0, 1], "b": range(9)}, [Chart]),
    "map": ({"a": range(10), "b": range(10)}, [Map]),
    "one of two": ({"a": [0, 1, 2], "b": [5]}, [Chart]),
    "three": ({"a": [0, 1], "b": [0, 1], "c": [0, 2]}, [Chart] * 3),
    "single": ({"a": [1]}, []),
}


@pytest.mark.parametrize("case", SHOWN)
def test_block_of_a_number(case: str) -> None:
    grid, kinds = SHOWN[case]
    found = parameter_blocks(swept(**grid), ["total"], list(grid))
    assert [type(block) for block in found] == kinds
    if case == "few lines":
        assert [line.label for line in found[0].lines] == ["a = 0", "a = 1"]  # type: ignore[attr-defined]
    if case == "map":
        assert found[0].marks == [("least 0", 0.0, 0.0), ("greatest 18", 9.0, 9.0)]  # type: ignore[attr-defined]


def test_extremes_have_parameter_values_and_failures_are_counted(tmp_path: Any) -> None:
    data = swept(a=[0, 1, 2, 3], b=[0, 10])
    assert sweep_extremes_table(data, ["total"]).rows == [("total", 0.0, "a = 0, b = 0", 13.0, "a = 3, b = 10", "J")]
    files = sweep_report(data, ["total"], "sums").save(tmp_path / "sums.html")
    text = files["report"].read_text()
    assert "8 variants over a, b, 1 of them without numbers" in text and "total (J)" in text
