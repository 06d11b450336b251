"""Page about a foot, without and with the parts that need a solver."""

from types import SimpleNamespace

import numpy as np

import gaitwright as gw
from gaitwright.report.views.pages.foot_page import MEASURE_TEXTS, foot_report


def test_every_measure_has_a_description():
    assert set(MEASURE_TEXTS) == set(gw.foot.from_measures(size=0.01).measures.to_dict())


def test_page_has_pictures_measures_and_notes(tmp_path):
    import xarray as xr

    shape = gw.foot.from_measures(size=0.01)
    x, y = np.arange(0.0, 0.26, 0.01), np.arange(-0.05, 0.05, 0.01)
    pressure = xr.DataArray(np.full((len(y), len(x)), 5e4), coords={"y": y, "x": x}, dims=("y", "x"))
    standing = SimpleNamespace(
        pressure=pressure, centre_of_pressure=(0.1, 0.0), force=400.0, area=0.01, peak_pressure=5e4, sinking=0.004,
        shares={"heel": 0.6, "toes": 0.4}, notes=("32 % of the nodes are rigid",),
    )  # fmt: skip
    for given, words in (
        (None, ("drawn, not scanned", "arch index")),
        (standing, ("Load per area", "32 % of the nodes")),
    ):
        report, files = foot_report(shape, shape.fill(0.016), given, tmp_path, title="Foot of someone")  # pyright: ignore[reportArgumentType]
        page = report.save(tmp_path / "foot.html")["report"].read_text()
        assert all(word in page for word in ("Foot of someone", "right foot, 260 mm long", *words))
        assert all(path.exists() for path in files.values()) and ("pressure" in files) == (given is not None)
