"""Rolling foot compared with the mean of 104 people (T. C. Pataky et al., Gait Posture 33 (2011) 418): peak pressure of each
sensor over a step, as shares of the areas of the sole."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.foot.areas import AREAS, area_of

FILE = Path(__file__).parents[3] / "shared" / "data" / "plantar_mun104" / "MUN104.csv.zip"
pytestmark = pytest.mark.skipif(not FILE.exists(), reason="pressure of 104 people is not here")
SENSOR, PRINT = 5e-3, 10.0  # m; kPa, threshold of a loaded sensor


def people(side):
    """Peak pressure, kPa, with x and y of sensors in the frame of a foot, length and ball width of the print, m."""
    with zipfile.ZipFile(FILE) as held:
        seen = np.loadtxt(io.StringIO(held.read(f"MUN104{side[0].upper()}.csv").decode()), delimiter=",")
    across, medial = (-1.0, 1.0) if side == "right" else (-1.0, -1.0)
    x, y = np.meshgrid(SENSOR * np.arange(seen.shape[0]), across * SENSOR * np.arange(seen.shape[1]), indexing="ij")
    on = seen > PRINT
    part = (x - x[on].min()) / np.ptp(x[on])
    heel, ball = (
        np.array([np.average(c[zone], weights=seen[zone]) for c in (x, y)])
        for zone in (on & (part < 0.25), on & (part > 0.6) & (part < 0.75))
    )
    # Axis from the middle of the heel to the second metatarsal, slightly medial of the middle of the ball.
    ahead = ball + np.array([0.0, medial * 2e-3]) - heel
    ahead /= np.linalg.norm(ahead)
    dx, dy = x - heel[0], y - heel[1]
    along, beside = dx * ahead[0] + dy * ahead[1], dy * ahead[0] - dx * ahead[1]
    along = along - along[on].min() + 0.5 * SENSOR
    length = along[on].max() + 0.5 * SENSOR
    ball = on & (along > 0.55 * length) & (along < 0.8 * length)
    return seen, along, beside, length, np.ptp(beside[ball]) + SENSOR


def quarters(pressure, areas):
    """Shares of heel, midfoot, forefoot and toes in the sum over all sensors."""
    sums = np.bincount(areas.ravel(), pressure.ravel(), minlength=len(AREAS)) / pressure.sum()
    return np.array([sums[0], sums[1], sums[2:5].sum(), sums[5:].sum()])


@pytest.mark.parametrize("side", ["left", "right"])
def test_shares_and_peaks_match_measurements(side):
    theirs, x, y, length, ball = people(side)
    assert 0.24 < length < 0.28 and 0.085 < ball < 0.11
    there = quarters(theirs, area_of(x, y, length=length, ball_width=ball, side=side))
    shape = gw.foot.from_measures(side=side)
    pressure = gw.foot.Foot(shape, shape.fill(0.009)).roll(frames=41, speed="foundation").pressure
    peak = pressure.peak.transpose("x", "y").fillna(0.0)
    x, y = np.meshgrid(peak["x"].values, peak["y"].values, indexing="ij")
    here = quarters(peak.values, area_of(x, y, length=0.26, ball_width=0.1, side=side))
    assert here == pytest.approx(there, abs=0.1), (here, there)
    assert float(peak.max()) == pytest.approx(1e3 * theirs.max(), rel=0.3)
