"""Bands that follow from printed digits: half a digit, and extremes over the box of lengths and masses that print
alike."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np
import pytest

from gaitwright_apps.reproductions import walking_legs_data as data
from gaitwright_apps.reproductions.rounding_bands import (
    PINNED_DEPTH,
    PRINTED_DEPTH,
    ROUNDING_BANDS,
    RoundingBand,
    compute_rounding_bands,
    find_extremes,
    leg_measure_function,
    required_numbers,
)
from gaitwright_apps.reproductions.sheets import half_digit
from gaitwright_apps.reproductions.walking_legs_closed_form import closed_form_measures, precise_measures


def test_half_a_digit() -> None:
    assert [half_digit(text) for text in ("0.454", "-2.4313", "18", "1.4e8")] == pytest.approx([5e-4, 5e-5, 0.5, 5e6])


def test_room_in_a_band() -> None:
    band = RoundingBand(1.0, 2.0)
    assert (band.room(3.0, 1.2), band.room(0.0, 1.2)) == pytest.approx((0.8, 0.2))


@pytest.mark.parametrize("computed", [2.2, 0.9, -5.0, math.nan])
def test_no_room_for_a_number_outside_the_band(computed: float) -> None:
    """Otherwise a worse number would get a larger tolerance."""
    for published in (-9.0, 0.9, 1.5, 2.4, 9.0):
        assert RoundingBand(1.0, 2.0).room(published, computed) == 0.0
    assert ROUNDING_BANDS["jansen"][PRINTED_DEPTH]["step_length"].room(0.38, -5.0) == 0.0


def several(points: np.ndarray) -> Mapping[str, np.ndarray]:
    """Return functions of three coordinates with known extremes over [-1, 1]^3."""
    x, y, z = points.T
    return {
        "at a corner": 2 * x - y + 3 * z + 0.5 * x * y,
        "inside": (x - 0.3) ** 2 + (y + 0.2) ** 2 + 0.1 * z,
        "on a face": -((x + y - 0.4) ** 2) + z,
        "undefined in part": np.where(x > 0.5, np.nan, x + y + z),
    }


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("at a corner", -6.5, 5.5),
        ("inside", -0.1, 1.69 + 1.44 + 0.1),
        ("on a face", -1 - 2.4**2, 1.0),
        ("undefined in part", -3.0, 2.0),
    ],
)
def test_extremes_of_known_functions(name: str, least: float, most: float) -> None:
    """Extremes at corners, inside and on a face. A function that is undefined beyond 0.5 counts with its best
    defined corner."""
    band = find_extremes(several, 3, [name])[name]
    if name == "undefined in part":
        assert band.least == -3.0 and band.most >= 1.0
        return
    assert band == pytest.approx((least, most), abs=1e-6)


def test_extremes_are_not_exceeded_by_brute_force() -> None:
    """No point of a 5 x 5 grid and none of 50 random points exceeds the extremes; the random ones, with best values that
    were once used as extremes, are less extreme. Lengths other than L2 and base are fixed."""
    free = ["base", "L2"]
    table = data.PRINTED_LEGS["chebyshev"].table
    depth = data.pinned_depth("chebyshev")

    def values(points: np.ndarray) -> Mapping[str, np.ndarray]:
        by_link = dict(zip(free, points.T, strict=True))
        lengths = {link: value + 5e-4 * by_link.get(link, np.zeros(len(points))) for link, value in table.items()}
        return precise_measures("chebyshev", depth, lengths)

    names = ["normal_mean"]
    bands = find_extremes(values, len(free), names)
    grid = values(np.array(list(itertools.product(np.linspace(-1, 1, 5), repeat=len(free)))))
    drawn = values(np.random.default_rng(0).uniform(-1, 1, (50, len(free))))
    for name in names:
        band, width = bands[name], bands[name].most - bands[name].least
        for tried in (grid[name], drawn[name]):
            assert band.least - 1e-9 <= tried.min() and tried.max() <= band.most + 1e-9, name
        assert drawn[name].max() < band.most - 0.005 * width, name


def test_stored_bands() -> None:
    """The bands contain the values of 200 random legs (0.81657 N was once given as the greatest mean force at the
    prescribed penetration) and of the simulated leg."""
    assert ROUNDING_BANDS["chebyshev"][PINNED_DEPTH]["normal_mean"].most == pytest.approx(0.8471, abs=1e-4)
    for leg in data.LEG_NAMES:
        for at, depth in ((PRINTED_DEPTH, data.PRINTED_LEGS[leg].depth), (PINNED_DEPTH, data.pinned_depth(leg))):
            assert list(ROUNDING_BANDS[leg][at]) == required_numbers(leg, at)
            for name, value in closed_form_measures(leg, depth).items():
                if name in ROUNDING_BANDS[leg][at]:
                    band = ROUNDING_BANDS[leg][at][name]
                    assert band.least - 1e-4 * abs(value) <= value <= band.most + 1e-4 * abs(value), name
    height, acceleration = (
        ROUNDING_BANDS["jansen"][PRINTED_DEPTH][name] for name in ("step_height", "acceleration_swing_max")
    )
    assert (
        height.least < 0.158 and height.most > 0.189 and acceleration.least < 73 and acceleration.most > 123
    )  # The recomputation of 003


@pytest.mark.slow
def test_stored_bands_are_those_that_are_computed() -> None:
    """Only one number, because all of them take minutes."""
    assert compute_rounding_bands("chebyshev", names=["step_height"])["step_height"] == pytest.approx(
        ROUNDING_BANDS["chebyshev"][PRINTED_DEPTH]["step_height"], rel=2e-6
    )


def test_box_of_a_leg() -> None:
    """Its centre is Table 4.2; torque needs the masses, too, and increases with heavier links."""
    values, size, lengths = leg_measure_function("chebyshev", 2e-3)
    assert (size, lengths) == (13, 7)
    at = values(np.vstack([np.zeros(13), np.concatenate([np.zeros(7), np.ones(6)])]))
    assert at["step_height"] == pytest.approx([0.0876004583] * 2, abs=1e-8)  # The recomputation of 003
    assert at["torque_swing_max"][1] > 1.003 * at["torque_swing_max"][0]
    assert leg_measure_function("chebyshev", 2e-3, masses=False)[1:] == (7, 7)


@pytest.mark.parametrize("name", data.LEG_NAMES)
def test_precise_measures_are_those_of_many_samples(name: str) -> None:
    leg = data.PRINTED_LEGS[name]
    lengths = {link: np.array([length]) for link, (_, _, length, _) in leg.links.items()} | {
        "base": np.array([leg.base])
    }
    ours, samples = precise_measures(name, leg.depth, lengths), closed_form_measures(name, leg.depth)
    for number, value in samples.items():
        assert ours[number][0] == pytest.approx(value, rel=1e-3), number


def test_a_leg_that_cannot_be_assembled_has_no_numbers() -> None:
    lengths = {link: np.array([length]) for link, length in data.PRINTED_LEGS["jansen"].table.items()} | {
        "L11": np.array([2.0])
    }
    assert np.isnan(precise_measures("jansen", 8e-3, lengths)["step_length"]).all()
