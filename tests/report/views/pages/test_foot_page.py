"""Page about a foot, without and with the parts that need a solver."""

from types import SimpleNamespace

import numpy as np

import gaitwright as gw
from gaitwright.foot.measures import FOOT_MEASURES
from gaitwright.report.views.pages.foot_page import foot_report, measure_table


def test_the_table_has_every_measure_with_its_description():
    shape = gw.foot.from_measures(size=0.01)
    table = measure_table(shape.measures)
    assert [row[0] for row in table.rows] == [name.replace("_", " ") for name in FOOT_MEASURES]
    assert [row[-1] for row in table.rows] == [measure.description for measure in FOOT_MEASURES.values()]
    assert list(shape.measures.to_dict()) == list(FOOT_MEASURES)


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
