"""Plots of a foot are drawn, for both sides."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.views.foot_plots import draw_pressure


@pytest.mark.parametrize("side", ["left", "right"])
def test_sole_shows_its_measures_at_their_positions(side, tmp_path):
    shape = gw.foot.from_measures(length=0.24, side=side, size=0.008)
    figure = shape.plot(tmp_path / "sole.png")
    texts = {text.get_text(): text.get_position() for text in figure.axes[0].texts}
    assert {"length 240 mm", "ball\n92 mm", "heel\n60 mm", "arch\n17 mm", "hallux", "MT 1", "MT 2-3", "MT 4-5"} <= set(
        texts
    )
    low, high = figure.axes[0].get_xlim()
    assert low > high  # y increases to the left
    hallux = texts["hallux"][0]
    assert np.sign(hallux) == shape.medial
    assert (tmp_path / "sole.png").stat().st_size > 10_000


def test_surface_and_pressure(tmp_path):
    import xarray as xr

    shape = gw.foot.from_measures(size=0.01)
    shape.plot(tmp_path / "surface.png", "surface")
    with pytest.raises(gw.ModelError, match=r"view.*one of sole, surface"):
        shape.plot(view="soul")
    x, y = np.arange(0.0, 0.26, 0.01), np.arange(-0.05, 0.05, 0.01)
    pressure = xr.DataArray(np.full((len(y), len(x)), 5e4), coords={"y": y, "x": x}, dims=("y", "x"))
    figure = draw_pressure(shape, pressure, (0.1, 0.0), tmp_path / "pressure.png")
    assert "centre of pressure" in {text.get_text() for text in figure.axes[0].texts}
    assert all((tmp_path / name).stat().st_size > 10_000 for name in ("surface.png", "pressure.png"))
