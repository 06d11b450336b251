"""Files of the pressure under a foot."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gaitwright as gw
from foot.test_pressure import rolled
from gaitwright.foot.pressure_files import picture_of, read_picture

MEASURED = Path(__file__).parents[3] / "shared" / "data" / "gait_bmclab" / "MDwalk2.apd"


def test_tables_maps_and_pictures(tmp_path: Path):
    """What is in them is what was found."""
    found = rolled()
    found.save(tmp_path)
    regions, path, cells = (pd.read_csv(tmp_path / f"{name}.csv") for name in ("regions", "path", "maps"))
    assert regions.set_index("area").share.to_dict() == pytest.approx(found.regions.share.to_dict())
    assert path["normal force (N)"].to_numpy() == pytest.approx(found.force.values)
    half = cells[cells["time (s)"] == found.time[20]]
    assert float(np.sum(half["pressure (Pa)"])) == pytest.approx(float(found.maps[20].sum()))
    again = read_picture(tmp_path / "peak.apd")
    assert again.values == pytest.approx(found.peak.values, abs=6.0)  # a thousandth of N/cm^2
    assert np.diff(again.x.values) == pytest.approx(found.cell)
    assert len(list((tmp_path / "maps").glob("*.vtu"))) == len(found.time) and (tmp_path / "maps" / "maps.pvd").exists()
    some = gw.mesh.read(tmp_path / "maps" / "maps_00000.vtu")
    assert len(some.nodes) == found.maps.sizes["x"] * found.maps.sizes["y"]


def test_a_picture_has_rows_from_heel_to_toe():
    picture = picture_of(rolled().peak)
    assert picture.pressure.shape == (rolled().maps.sizes["x"], rolled().maps.sizes["y"])
    assert picture.force == pytest.approx(float(rolled().peak.sum()) * rolled().cell ** 2)


@pytest.mark.skipif(not MEASURED.exists(), reason="needs the measured picture of a step")
def test_a_measured_step():
    """Largest pressures of a person who walks: 27 cm, a force that is none of an instant, and a heel behind."""
    found = read_picture(MEASURED)
    assert found.shape == (15, 32) and 2e5 < float(found.max()) < 6e5
    assert float(found.x.max()) == pytest.approx(0.267, abs=0.002)
