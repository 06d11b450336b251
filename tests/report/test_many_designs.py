"""Pictures of many designs: what their axes leave out is stated."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from gaitwright.commands.many import ONLY, best_designs
from gaitwright.design.many.table import Goals, account, judged
from gaitwright.report.many_designs import left_out, plot_front, plot_over_two, plot_parallel

COUNT = 200
FAR = np.array([40.0, 90.0])


def values() -> np.ndarray:
    """Numbers from 0 to 1, and two that lie far off, as near a dead point."""
    return np.concatenate([np.linspace(0.0, 1.0, COUNT), FAR])


def noted(figure: object) -> str:
    """The sentence below a picture."""
    return figure.get_supxlabel()  # type: ignore[attr-defined]


def test_an_axis_counts_what_it_does_not_show() -> None:
    assert left_out(values(), 0.0, 1.0) == "2 outside, 0 to 90"
    assert left_out(np.array([0.0, np.nan, 1.0, -3.0]), 0.0, 1.0) == "1 outside, -3 to 1"
    assert left_out(values(), 0.0, 90.0) == left_out(np.full(3, np.nan), 0.0, 1.0) == ""


@pytest.mark.parametrize("far", [True, False])
def test_pictures_state_what_their_axes_leave_out(far: bool) -> None:
    y = values() if far else np.linspace(0.0, 1.0, COUNT + len(FAR))
    x, good = np.linspace(2.0, 3.0, y.size), np.ones(y.size, dtype=bool)
    front = np.arange(y.size) < 3
    words = {
        "parallel": noted(plot_parallel({"L3": x, "energy (J)": y}, front, split=1)),
        "front": noted(plot_front(x, y, good, front, labels=("step_length (m)", "energy (J)"))),
        "map": noted(plot_over_two(x, x[::-1], {"energy (J)": y}, labels=("L3", "L6"))),
    }
    for picture, said in words.items():
        assert ("energy (J): 2 outside, 0 to 90" in said) == far, picture
        assert said.startswith("Not shown: ") == far and "L3" not in said and "step_length" not in said


def test_a_front_of_one_design_shows_one_design() -> None:
    """It is the best in all goals, and comes once."""
    codes = np.array([0, 0, 0, 1], dtype=np.int32)
    data = xr.Dataset({"energy": ("design", [1.0, 2.0, 3.0, np.nan]), "step": ("design", [0.5, 0.4, 0.3, np.nan])})
    data["failure"] = ("design", codes)
    found = judged(data, Goals({}, ["energy"], ["step"]))
    assert account(found).front == int(found["front"].sum()) == 1
    assert best_designs(found) == {ONLY: 0}
    figure = plot_front(
        found["energy"].values, found["step"].values, found["feasible"].values, found["front"].values,
        labels=("energy (J)", "step (m)"), best=[(ONLY, 0)],
    )  # fmt: skip
    (axes,) = figure.axes
    (line,) = (line for line in axes.lines if line.get_label() == "front")
    assert len(line.get_xdata()) == 1 and len([text for text in axes.texts if text.get_text() == ONLY]) == 1
