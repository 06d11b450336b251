"""What printed digits leave open: half a digit, and bands of drawn legs."""

from __future__ import annotations

import math

import pytest

from gaitwright.papers import rounding
from gaitwright.papers import walking_legs_data as data
from gaitwright.papers.rounding import BANDS, Band, drawn_lengths, rounding_bands
from gaitwright.papers.sheet import half_digit


def test_half_a_digit() -> None:
    assert [half_digit(text) for text in ("0.454", "-2.4313", "18", "1.4e8")] == pytest.approx([5e-4, 5e-5, 0.5, 5e6])


def test_room_in_a_band() -> None:
    band = Band(1.0, 2.0, 0.5, 2.5)
    assert (band.room(3.0, 1.2), band.room(0.0, 1.2)) == pytest.approx((0.8, 0.2))
    assert band.room(3.0, 1.2, all_legs=True) == pytest.approx(1.3)


@pytest.mark.parametrize(
    ("computed", "all_legs"), [(2.2, False), (0.9, False), (2.6, True), (-5.0, True), (math.nan, True)]
)
def test_no_room_for_a_number_outside_the_band(computed: float, all_legs: bool) -> None:
    """Else the worse a number, the more room it would get."""
    band = Band(1.0, 2.0, 0.5, 2.5)
    for published in (-9.0, 0.9, 1.5, 2.4, 9.0):
        assert band.room(published, computed, all_legs=all_legs) == 0.0
    assert BANDS["jansen"]["step_length"].room(0.38, -5.0) == 0.0


def test_drawn_lengths_print_alike() -> None:
    lengths = data.LEGS["jansen"].lengths
    for drawn in drawn_lengths(lengths, 20, seed=3):
        assert all(abs(drawn[name] - lengths[name]) <= 5e-4 for name in drawn if name != "O2_x")
        assert math.hypot(drawn["O2_x"], lengths["O2_y"]) == pytest.approx(0.257, abs=5e-4)
        assert "O2_y" not in drawn


@pytest.mark.slow
@pytest.mark.parametrize("name", data.NAMES)
def test_stored_bands_are_those_that_are_drawn(name: str) -> None:
    """With fewer draws, roughly; and REFERENCE A's band of the Jansen leg: SH 0.158 to 0.189, acceleration 73 to 123."""
    leg = data.LEGS[name]
    for number, band in rounding_bands(leg, draws=30, seed=1).items():
        stored = BANDS[name][number]
        width = stored.high - stored.low
        assert (band.low, band.high) == pytest.approx((stored.low, stored.high), abs=0.35 * width + 1e-12), number
        assert stored.least <= stored.low <= stored.high <= stored.most
    assert rounding.DRAWS == 200
    if name == "jansen":
        height, acceleration = BANDS[name]["step_height"], BANDS[name]["acceleration_swing_max"]
        assert (height.low, height.high) == pytest.approx((0.158, 0.189), abs=4e-3)
        assert (acceleration.low, acceleration.high) == pytest.approx((73, 123), abs=6)
