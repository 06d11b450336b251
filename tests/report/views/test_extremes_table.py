"""Least and greatest values of the curves of a page, with their times."""

import numpy as np
import pytest

from gaitwright.report.blocks import Chart, ChartLine, Heading
from gaitwright.report.views.extremes_table import extremes_table

T = np.linspace(0.0, 2.0, 201)
WAVE = Chart(
    "Torque", [ChartLine("air", T, np.sin(np.pi * T)), ChartLine("ground", T, 2 * T)], ylabel="drive torque (N m)"
)
PATH = Chart("Curve", [ChartLine("F", T, T)], xlabel="x (m)", ylabel="y (m)")
GAP = Chart("Force", [ChartLine("", T, np.where(T < 1.0, np.nan, T))], ylabel="number of feet")


def test_every_line_over_time_has_a_row() -> None:
    table = extremes_table([Heading("x"), WAVE, PATH, GAP])
    assert [row[0] for row in table.rows] == ["Torque: air", "Torque: ground", "Force"]
    assert table.rows[0][1:] == (pytest.approx(-1.0), "1.5", pytest.approx(1.0), "0.5", "N m")
    assert table.rows[2][1:] == (1.0, "1", 2.0, "2", "")


def test_only_values_in_the_window_count() -> None:
    table = extremes_table([WAVE, GAP], (0.0, 0.9))
    assert len(table.rows) == 2 and table.rows[1][1:] == (0.0, "0", pytest.approx(1.8), "0.9", "N m")
