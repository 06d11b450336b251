"""Gaps are filled within limits and marked; spikes are removed; smooth motion stays."""

from __future__ import annotations

import numpy as np
import pytest

from gait.synthetic import walk
from gaitwright.gait.gap_filling import fill_gaps, find_duplicate_markers, find_spikes

WALK = walk()


@pytest.mark.parametrize(("seconds", "filled"), [(0.05, True), (0.19, True), (0.3, False)])
def test_short_gaps_are_filled_near_the_truth(seconds: float, filled: bool) -> None:
    points, count = WALK.points.copy(), round(seconds * WALK.rate)
    points[200 : 200 + count, 3] = np.nan
    found = fill_gaps(points, WALK.rate, WALK.labels)
    assert found.filled.sum() == (count if filled else 0)
    assert np.isfinite(found.points).all() == filled
    if filled:
        assert found.points == pytest.approx(WALK.points, abs=0.02 if seconds < 0.1 else 0.08)
    assert f"marker {WALK.labels[3]}" in found.notes[0]


def test_ends_are_not_filled() -> None:
    points = WALK.points.copy()
    points[:5, 0] = points[-5:, 0] = np.nan
    found = fill_gaps(points, WALK.rate, WALK.labels)
    assert np.isnan(found.points[:5, 0]).all() and not found.filled.any()


def test_markers_that_are_never_visible_are_named() -> None:
    points = WALK.points.copy()
    points[:, 2] = np.nan
    assert f"never seen: {WALK.labels[2]}" in fill_gaps(points, WALK.rate, WALK.labels).notes[-1]


@pytest.mark.parametrize("width", [1, 2, 3])
def test_spikes_are_removed(width: int) -> None:
    points = WALK.points.copy()
    points[150 : 150 + width, 1] += [0.0, 0.15, 0.1]
    assert np.flatnonzero(find_spikes(points[:, 1])).tolist() == list(range(150, 150 + width))
    found = fill_gaps(points, WALK.rate, WALK.labels)
    assert found.points == pytest.approx(WALK.points, abs=1e-3) and found.filled.sum() == width


@pytest.mark.parametrize("noise", [0.0, 0.001, 0.003])
def test_walk_has_no_spikes(noise: float) -> None:
    points = WALK.points + noise * np.random.default_rng(4).normal(size=WALK.points.shape)
    assert not any(find_spikes(points[:, k]).any() for k in range(points.shape[1]))


def test_duplicate_markers_are_found() -> None:
    points = WALK.points.copy()
    points[:, 5] = points[:, 4]
    assert find_duplicate_markers(points, WALK.labels) == [(WALK.labels[4], WALK.labels[5])]
