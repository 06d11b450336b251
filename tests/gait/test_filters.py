"""The filter: 3 dB at its cut-off after both passes, no lag, gaps unchanged; derivatives of known curves."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.gait.filters import derivative, low_pass

RATE = 200.0
TIMES = np.arange(4000) / RATE


@pytest.mark.parametrize("order", [2, 4, 8])
@pytest.mark.parametrize("cutoff", [5.0, 12.0, 60.0])
def test_half_of_the_power_is_left_at_the_cutoff(cutoff: float, order: int) -> None:
    """Exactly, also near half the rate, because the cut-off of each pass is warped like the filter; and without lag."""
    for phase in (np.sin, np.cos):
        wave = phase(2 * np.pi * cutoff * TIMES)
        middle = slice(1500, 2500)
        assert low_pass(wave, RATE, cutoff, order)[middle] == pytest.approx(np.sqrt(0.5) * wave[middle], abs=2e-4)


def test_slow_curves_pass_and_lines_stay_lines() -> None:
    line = 3.0 + 2.0 * TIMES[:400]
    assert low_pass(line, RATE, 6.0) == pytest.approx(line, abs=1e-6)
    slow = np.sin(2 * np.pi * 0.5 * TIMES)
    assert low_pass(slow, RATE, 10.0)[200:-200] == pytest.approx(slow[200:-200], abs=1e-4)


def test_gaps_remain_gaps_without_side_effects() -> None:
    values = np.column_stack([TIMES, TIMES**2])[:300]
    values[100:110, 0] = np.nan
    found = low_pass(values, RATE, 10.0)
    assert (np.isnan(found) == np.isnan(values)).all()
    assert found[:100, 0] == pytest.approx(TIMES[:100], abs=1e-6)


def test_derivatives_of_known_curves() -> None:
    wave = np.sin(2 * np.pi * 2 * TIMES[:400])
    assert derivative(wave, RATE) == pytest.approx(4 * np.pi * np.cos(4 * np.pi * TIMES[:400]), abs=1e-4)
    assert derivative(wave, RATE, 2)[5:-5] == pytest.approx(-((4 * np.pi) ** 2) * wave[5:-5], abs=1e-2)
    assert np.isnan(derivative(wave[:4], RATE)).all()


@pytest.mark.parametrize(
    ("cutoff", "order", "says"), [(0.0, 4, "positive"), (100.0, 4, "half the rate"), (6.0, 3, "2, 4 or 8")]
)
def test_invalid_filters_are_refused(cutoff: float, order: int, says: str) -> None:
    with pytest.raises(ModelError, match=says):
        low_pass(TIMES, RATE, cutoff, order)
