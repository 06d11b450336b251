"""A measured print in the frame of a foot: turned, moved, mirrored and reversed prints come back to where they were."""

import numpy as np
import pytest
import xarray as xr

from foot.prints import LENGTH, on_a_platform, pressure_at, step
from gaitwright.errors import ModelError
from gaitwright.foot.footprints import lay
from gaitwright.foot.pressure_files import map_of, picture_of


def test_a_print_laid_on_itself_stays():
    peak = step().peak
    found = lay(map_of(picture_of(peak)), peak, LENGTH)
    x, y = np.meshgrid(peak.x.values, peak.y.values)
    assert found.pressure.x.values == pytest.approx(x, abs=1e-12)
    assert found.pressure.y.values == pytest.approx(y, abs=1e-12)
    assert found.match == pytest.approx(1.0) and found.turned == pytest.approx(0.0, abs=1e-12) and not found.reversed


@pytest.mark.parametrize(
    ("turn", "side", "toes_first"),
    [(0.0, "right", False), (12.0, "right", False), (-18.0, "left", False), (10.0, "right", True)],
)
def test_a_turned_print_of_coarser_sensors_comes_back(turn: float, side: str, toes_first: bool):
    """Its pressures are those of the foot where they are laid, within a tenth of a sensor."""
    picture = on_a_platform(turn, side)
    if toes_first:
        picture = picture.copy(data=picture.values[::-1, ::-1])
    found = lay(picture, step().peak, LENGTH, mirrored=side == "left")
    turned = (180.0 if toes_first else 0.0) - (turn if side == "right" else -turn)
    assert np.degrees(found.turned) == pytest.approx(turned, abs=0.5)
    assert found.reversed == toes_first and found.match > 0.995
    x, y = found.pressure.x.values, found.pressure.y.values
    true = np.max([pressure_at(x, y, t) for t in np.linspace(0.0, 1.0, 29)], axis=0)
    for axis in (x, y):
        middle = [float((values * axis).sum() / values.sum()) for values in (found.pressure.values, true)]
        assert middle[0] == pytest.approx(middle[1], abs=1e-3)


def test_the_other_foot_fits_worse():
    right, left = (lay(on_a_platform(10.0), step().peak, LENGTH, mirrored=m).match for m in (False, True))
    assert right > left + 0.05


@pytest.mark.parametrize(("change", "said"), [
    (lambda p: 1e-3 * p, "touches nowhere"), (lambda p: p.where(p.x < 0.36, 0.0), "no heel or no ball"),
])  # fmt: skip
def test_what_is_no_print(change, said: str):
    picture: xr.DataArray = change(on_a_platform(0.0))
    with pytest.raises(ModelError, match=said):
        lay(picture, step().peak, LENGTH)
