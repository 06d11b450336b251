"""Plots of many designs: values outside the axes are reported."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from gaitwright.design.batch.design_table import (
    BEST_IN_ALL_LABEL,
    DesignGoals,
    count_designs,
    find_best_designs,
    judge_designs,
)
from gaitwright.report.figures.design_plots import describe_outliers, plot_front, plot_parallel, plot_parameter_maps

COUNT = 200
FAR = np.array([40.0, 90.0])


def values() -> np.ndarray:
    """Numbers from 0 to 1, and two outliers, as near a dead point."""
    return np.concatenate([np.linspace(0.0, 1.0, COUNT), FAR])


def noted(figure: object) -> str:
    """The note below a picture."""
    return figure.get_supxlabel()  # type: ignore[attr-defined]


def test_axis_counts_values_outside_its_range() -> None:
    assert describe_outliers(values(), 0.0, 1.0) == "2 outside, 0 to 90"
    assert describe_outliers(np.array([0.0, np.nan, 1.0, -3.0]), 0.0, 1.0) == "1 outside, -3 to 1"
    assert describe_outliers(values(), 0.0, 90.0) == describe_outliers(np.full(3, np.nan), 0.0, 1.0) == ""


@pytest.mark.parametrize("far", [True, False])
def test_pictures_report_values_outside_their_axes(far: bool) -> None:
    y = values() if far else np.linspace(0.0, 1.0, COUNT + len(FAR))
    x, good = np.linspace(2.0, 3.0, y.size), np.ones(y.size, dtype=bool)
    front = np.arange(y.size) < 3
    words = {
        "parallel": noted(plot_parallel({"L3": x, "energy (J)": y}, front, split=1)),
        "front": noted(plot_front(x, y, good, front, labels=("step_length (m)", "energy (J)"))),
        "map": noted(plot_parameter_maps(x, x[::-1], {"energy (J)": y}, labels=("L3", "L6"))),
    }
    for picture, said in words.items():
        assert ("energy (J): 2 outside, 0 to 90" in said) == far, picture
        assert said.startswith("Not shown: ") == far and "L3" not in said and "step_length" not in said


def test_front_of_one_design() -> None:
    """The design is the best in all goals, and appears once."""
    codes = np.array([0, 0, 0, 1], dtype=np.int32)
    data = xr.Dataset({"energy": ("design", [1.0, 2.0, 3.0, np.nan]), "step": ("design", [0.5, 0.4, 0.3, np.nan])})
    data["failure"] = ("design", codes)
    found = judge_designs(data, DesignGoals({"energy": False, "step": True}, {}))
    assert count_designs(found).front == int(found["front"].sum()) == 1
    assert find_best_designs(found) == {BEST_IN_ALL_LABEL: 0}
    figure = plot_front(
        found["energy"].values, found["step"].values, found["feasible"].values, found["front"].values,
        labels=("energy (J)", "step (m)"), best=[(BEST_IN_ALL_LABEL, 0)],
    )  # fmt: skip
    (axes,) = figure.axes
    (line,) = (line for line in axes.lines if line.get_label() == "front")
    assert (
        len(line.get_xdata()) == 1 and len([text for text in axes.texts if text.get_text() == BEST_IN_ALL_LABEL]) == 1
    )
