"""Files of the pressure under a foot."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gaitwright as gw
from foot.test_pressure import rolled
from gaitwright.foot.pressure_files import read_picture, to_platform_picture

MEASURED = Path(__file__).parents[3] / "shared" / "data" / "gait_bmclab" / "MDwalk2.apd"


def test_files_contain_the_results(tmp_path: Path):
    """The files contain the computed values."""
    roll = rolled()
    roll.save(tmp_path)
    regions, path, cells = (pd.read_csv(tmp_path / f"{name}.csv") for name in ("regions", "path", "maps"))
    assert regions.set_index("area").share.to_dict() == pytest.approx(roll.regions.share.to_dict())
    assert path["normal force (N)"].to_numpy() == pytest.approx(roll.force.values)
    half = cells[cells["time (s)"] == roll.time[20]]
    assert float(np.sum(half["pressure (Pa)"])) == pytest.approx(float(roll.maps[20].sum()))
    again = read_picture(tmp_path / "peak.apd")
    assert again.values == pytest.approx(roll.peak.values, abs=6.0)  # a thousandth of N/cm^2
    assert np.diff(again.x.values) == pytest.approx(roll.cell)
    assert len(list((tmp_path / "maps").glob("*.vtu"))) == len(roll.time) and (tmp_path / "maps" / "maps.pvd").exists()
    some = gw.mesh.read(tmp_path / "maps" / "maps_00000.vtu")
    assert len(some.nodes) == roll.maps.sizes["x"] * roll.maps.sizes["y"]


def test_platform_rows_run_from_heel_to_toe():
    picture = to_platform_picture(rolled().peak)
    assert picture.pressure.shape == (rolled().maps.sizes["x"], rolled().maps.sizes["y"])
    assert picture.force == pytest.approx(float(rolled().peak.sum()) * rolled().cell ** 2)


@pytest.mark.skipif(not MEASURED.exists(), reason="needs the measured picture of a step")
def test_a_measured_step():
    """Peak pressures of a walking person: 27 cm, a force that belongs to no single instant, and the heel first."""
    picture = read_picture(MEASURED)
    assert picture.shape == (15, 32) and 2e5 < float(picture.max()) < 6e5
    assert float(picture.x.max()) == pytest.approx(0.267, abs=0.002)
