"""Least, greatest and mean over time intervals, against functions with known extremes and integrals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gaitwright.legs.phase_statistics import (
    PhaseStatistics,
    compute_statistics,
    cut_series,
    drop_repeated_times,
    fit_spline,
    merge_statistics,
    sampled_statistics,
    smooth_statistics,
)

T = np.linspace(0.0, 1.0, 41)
SINE = fit_spline(T, np.sin(2 * np.pi * T))


def test_extremes_lie_between_samples() -> None:
    found = compute_statistics(
        fit_spline(np.linspace(0, 1, 38), np.sin(2 * np.pi * np.linspace(0, 1, 38))), [(0.0, 1.0)]
    )
    assert found == pytest.approx((-1.0, 1.0, 0.0), abs=1e-4)
    assert max(np.sin(2 * np.pi * np.linspace(0, 1, 38))) < 0.9992  # no sample is as large


def test_several_intervals_are_one_phase() -> None:
    """From 0 to 1/12 and from 11/12 to 1: the sine between -1/2 and 1/2, mean 0; in the first alone, its integral."""
    both = compute_statistics(SINE, [(0.0, 1 / 12), (11 / 12, 1.0)])
    assert both == pytest.approx((-0.5, 0.5, 0.0), abs=1e-5)
    first = compute_statistics(SINE, [(0.0, 1 / 12)])
    assert first.mean == pytest.approx((1 - math.cos(math.pi / 6)) / (2 * math.pi) * 12, abs=1e-5)


def test_means_are_weighted_by_length() -> None:
    found = merge_statistics(
        [
            (3.0, PhaseStatistics(-1.0, 2.0, 1.0)),
            (1.0, PhaseStatistics(0.0, 5.0, 3.0)),
            (0.0, PhaseStatistics(9.0, 9.0, 9.0)),
        ]
    )
    assert found == (-1.0, 5.0, 1.5)
    assert found.largest == 5.0 and PhaseStatistics(-7.0, 2.0, 0.0).largest == 7.0


def test_a_phase_that_does_not_occur_is_not_a_number() -> None:
    for found in (
        compute_statistics(SINE, []),
        sampled_statistics(T, T, []),
        smooth_statistics(T, T, []),
        merge_statistics([]),
    ):
        assert all(math.isnan(value) for value in found)


def test_a_kink_at_the_end_of_an_interval_causes_no_error() -> None:
    """|t - 1/2| is linear in each half: separate splines are exact, one through both is not."""
    values = np.abs(T - 0.5)
    assert smooth_statistics(T, values, [(0.0, 0.5), (0.5, 1.0)]) == pytest.approx((0.0, 0.5, 0.25), abs=1e-12)
    assert compute_statistics(fit_spline(T, values), [(0.0, 1.0)]).mean != pytest.approx(0.25, abs=1e-6)


def test_jumps_cause_no_overshoot() -> None:
    """A force that jumps: a spline would overshoot below zero."""
    values = np.where(T > 0.5, 1.0, 0.0)
    assert sampled_statistics(T, values, [(0.0, 1.0)])[:2] == (0.0, 1.0)
    assert compute_statistics(fit_spline(T, values), [(0.0, 1.0)]).least < -0.01


def test_ends_are_interpolated() -> None:
    t, y = cut_series(T, 2 * T, 0.13, 0.31)
    assert t[0] == 0.13 and t[-1] == 0.31 and np.all(np.diff(t) > 0)
    assert y == pytest.approx(2 * t)
    assert sampled_statistics(T, 2 * T, [(0.13, 0.31)]) == pytest.approx((0.26, 0.62, 0.44))


def test_a_repeated_time_counts_once() -> None:
    t, y = drop_repeated_times(np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0, 4.0]))
    assert t.tolist() == [0.0, 1.0, 2.0] and y.tolist() == [0.0, 1.0, 4.0]
