"""Alignment of a measured print: rotated, moved, mirrored and reversed prints return to their original position."""

import numpy as np
import pytest
import xarray as xr

from foot.prints import LENGTH, on_a_platform, pressure_at, step
from gaitwright._core.errors import ModelError
from gaitwright.foot.footprints import align_footprint
from gaitwright.foot.pressure_files import from_platform_picture, to_platform_picture


def test_a_print_aligned_with_itself_does_not_move():
    peak = step().peak
    alignment = align_footprint(from_platform_picture(to_platform_picture(peak)), peak, LENGTH)
    x, y = np.meshgrid(peak.x.values, peak.y.values)
    assert alignment.pressure.x.values == pytest.approx(x, abs=1e-12)
    assert alignment.pressure.y.values == pytest.approx(y, abs=1e-12)
    assert (
        alignment.match == pytest.approx(1.0)
        and alignment.turned == pytest.approx(0.0, abs=1e-12)
        and not alignment.reversed
    )


@pytest.mark.parametrize(
    ("turn", "side", "toes_first"),
    [(0.0, "right", False), (12.0, "right", False), (-18.0, "left", False), (10.0, "right", True)],
)
def test_a_rotated_coarse_print_is_aligned(turn: float, side: str, toes_first: bool):
    """Aligned pressures match those of the foot within a tenth of a sensor."""
    picture = on_a_platform(turn, side)
    if toes_first:
        picture = picture.copy(data=picture.values[::-1, ::-1])
    alignment = align_footprint(picture, step().peak, LENGTH, mirrored=side == "left")
    turned = (180.0 if toes_first else 0.0) - (turn if side == "right" else -turn)
    assert np.degrees(alignment.turned) == pytest.approx(turned, abs=0.5)
    assert alignment.reversed == toes_first and alignment.match > 0.995
    x, y = alignment.pressure.x.values, alignment.pressure.y.values
    true = np.max([pressure_at(x, y, t) for t in np.linspace(0.0, 1.0, 29)], axis=0)
    for axis in (x, y):
        middle = [float((values * axis).sum() / values.sum()) for values in (alignment.pressure.values, true)]
        assert middle[0] == pytest.approx(middle[1], abs=1e-3)


def test_the_opposite_foot_has_a_lower_match():
    right, left = (align_footprint(on_a_platform(10.0), step().peak, LENGTH, mirrored=m).match for m in (False, True))
    assert right > left + 0.05


@pytest.mark.parametrize(("change", "said"), [
    (lambda p: 1e-3 * p, "touches nowhere"), (lambda p: p.where(p.x < 0.36, 0.0), "no heel or no ball"),
])  # fmt: skip
def test_invalid_prints_are_rejected(change, said: str):
    picture: xr.DataArray = change(on_a_platform(0.0))
    with pytest.raises(ModelError, match=said):
        align_footprint(picture, step().peak, LENGTH)
