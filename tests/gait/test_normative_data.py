"""Normative bands: order, sources, and agreement with textbooks."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright.gait.normative_data import normative_band, normative_curve_names


@pytest.mark.parametrize("name", normative_curve_names())
def test_bands_are_in_order(name: str) -> None:
    found = normative_band(name)
    assert found is not None and found.source and found.unit
    assert found.percent[0] == 0 and found.percent[-1] == 100 and (np.diff(found.percent) > 0).all()
    assert (found.high > found.low).all()
    # the end of a cycle equals its start
    assert found.low[0] == pytest.approx(found.low[-1], abs=0.25) and found.high[0] == pytest.approx(
        found.high[-1], abs=0.25
    )


@pytest.mark.parametrize(
    ("name", "percent", "value"),
    [
        ("knee_flexion", 14, 18), ("knee_flexion", 72, 60), ("hip_flexion", 0, 30), ("hip_flexion", 50, -10),
        ("ankle_dorsiflexion", 45, 10), ("ankle_dorsiflexion", 62, -16), ("ankle_moment", 48, 1.5), ("ankle_power", 54, 3.0),
        ("knee_moment", 14, 0.6), ("force_up", 13, 1.1), ("force_up", 30, 0.75), ("force_forward", 50, 0.2),
    ],
)  # fmt: skip
def test_extremes_of_textbooks_are_inside_the_bands(name: str, percent: float, value: float) -> None:
    found = normative_band(name)
    assert found is not None
    assert np.interp(percent, found.percent, found.low) < value < np.interp(percent, found.percent, found.high)


def test_unknown_curve_has_no_band() -> None:
    assert normative_band("elbow_flexion") is None
