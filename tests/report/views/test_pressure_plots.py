"""Plots of the pressure under a foot."""

from pathlib import Path

from foot.test_pressure import found_along, rolled
from gaitwright.report.views.pressure_plots import draw_peak_pressure, draw_rollover


def test_a_roll_over_has_a_panel_for_each_instant(tmp_path: Path):
    figure = draw_rollover(rolled(), tmp_path / "roll.png")
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert [t.split("\n")[0] for t in titles[:6]] == [
        "heel strike", "foot flat", "heel-off", "toe-off", "swing", "largest pressures",
    ]  # fmt: skip
    assert (tmp_path / "roll.png").stat().st_size > 10_000
    assert rolled().plot().axes[0].get_title(loc="left").startswith("heel strike")


def test_missing_instant_is_labelled(tmp_path: Path):
    found = found_along()
    assert "not in this run" in draw_rollover(found).axes[3].get_title(loc="left")
    assert "10 kPa" in draw_peak_pressure(found, tmp_path / "peak.png").axes[0].get_title(loc="left")
