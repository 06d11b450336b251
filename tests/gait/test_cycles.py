"""Cycles of known events, and curves split by them."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import gaitwright as gw
from gaitwright.gait.cycles import GAIT_PHASES, resample_over_cycle
from gaitwright.gait.events import GaitEvent

STRIDE, STANCE = 1.2, 0.72


def steps(seconds: float = 4.5, without: tuple[str, str, int] | None = None) -> list[GaitEvent]:
    """Right strikes at 0.1, left ones half a stride later; without: the k-th event of a kind and side."""
    found = []
    for side, shift in (("right", 0.1), ("left", 0.1 + 0.5 * STRIDE)):
        for kind, later in (("strike", 0.0), ("off", STANCE)):
            times = np.arange(shift + later - STRIDE, seconds, STRIDE)
            found += [
                GaitEvent(kind, side, t, "markers")
                for k, t in enumerate(times[times > 0])
                if (kind, side, k) != without
            ]
    return sorted(found, key=lambda event: event.time)


def test_phases_follow_perry() -> None:
    """Double support lasts a tenth of the cycle: 0.72 s of stance in strides of 1.2 s."""
    cycles = gw.gait.find_cycles(steps())
    assert [cycle.side for cycle in cycles.all] == ["right", "left"] * 3
    expected = [0, 10, 30, 50, 60, 60 + 40 / 3, 60 + 80 / 3, 100]
    for cycle in cycles.all:
        assert cycle.limits == pytest.approx(expected)
        assert tuple(cycle.phases) == GAIT_PHASES
    assert cycles.limits("left") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("without", "said", "right", "left"),
    [
        (("off", "left", 1), "at 1.30 s the off of the other foot was not seen", 2, 2),
        (("off", "right", 1), "after the strike of the right foot at 1.30 s the off was not seen", 2, 2),
        (("strike", "left", 1), "the strike of the other foot was not seen", 2, 1),
        (("strike", "right", 1), "there is more than one", 1, 2),
    ],
)
def test_incomplete_cycles_are_reported(without, said: str, right: int, left: int) -> None:
    cycles = gw.gait.find_cycles(steps(without=without))
    assert any(said in text for text in cycles.incomplete)
    assert (len(cycles.of("right")), len(cycles.of("left"))) == (right, left)


def test_a_pause_is_no_cycle() -> None:
    events = [GaitEvent("strike", "right", t, "markers") for t in (0.0, 4.0)]
    cycles = gw.gait.find_cycles(events)
    assert not cycles.all and "no strike follows for 4.00 s" in cycles.incomplete[0]
    assert any("no strike of the left foot" in text for text in cycles.incomplete)


def test_curves_of_a_side_come_from_its_cycles() -> None:
    """A wave of one stride is equal in all cycles: its mean is itself, its spread zero; the left one lies half a cycle
    later."""
    times = np.arange(0.0, 5.0, 0.01)
    wave = np.sin(2 * np.pi * (times - 0.1) / STRIDE)
    data = xr.Dataset(
        {"right_knee": ("time", wave, {"units": "rad"}), "left_knee": ("time", wave), "pelvis": ("time", times)},
        {"time": times},
    )
    cut = gw.gait.split_into_cycles(data, gw.gait.find_cycles(steps()))
    assert set(cut.data_vars) == {"knee", "pelvis"} and cut["knee"].shape == (6, 101)
    mean, spread = gw.gait.mean_and_spread(cut)
    exact = np.sin(np.linspace(0, 2 * np.pi, 101))
    np.testing.assert_allclose(mean["knee"].sel(side="right"), exact, atol=1e-6)
    np.testing.assert_allclose(mean["knee"].sel(side="left"), -exact, atol=1e-6)
    assert float(spread["knee"].max()) < 1e-6 and mean["knee"].attrs["units"] == "rad"
    # a value that grows by a stride of seconds per cycle has the spread of 0, 1, 2 strides
    np.testing.assert_allclose(spread["pelvis"], STRIDE, rtol=1e-9)


def test_gaps_remain_gaps() -> None:
    cycle = gw.gait.find_cycles(steps()).of("right")[0]
    times = np.arange(0.0, 5.0, 0.01)
    values = np.column_stack([times, times**2])
    values[(times > 0.4) & (times < 0.5), 1] = np.nan
    cut = resample_over_cycle(values, times, cycle)
    at = np.linspace(cycle.start, cycle.end, 101)
    np.testing.assert_allclose(cut[:, 0], at, atol=1e-12)
    hole = (at > 0.401) & (at < 0.499)
    assert np.isnan(cut[hole, 1]).all()
    np.testing.assert_allclose(
        cut[~hole & np.isfinite(cut[:, 1]), 1], at[~hole & np.isfinite(cut[:, 1])] ** 2, atol=1e-12
    )
    assert np.isfinite(cut[:, 1]).sum() > 85


def test_single_cycle_has_no_spread() -> None:
    times = np.arange(0.0, 3.0, 0.01)
    cut = gw.gait.split_into_cycles(
        xr.Dataset({"a": ("time", times)}, {"time": times}), gw.gait.find_cycles(steps(1.5))
    )
    mean, spread = gw.gait.mean_and_spread(cut)
    assert np.isfinite(mean["a"].sel(side="right")).all() and np.isnan(spread["a"]).all()
    assert np.isnan(mean["a"].sel(side="left")).all()


def test_cycles_with_gaps_count_only_without_complete_ones() -> None:
    """Otherwise the mean would jump at the start of the gap."""
    cycles = gw.gait.find_cycles(steps())
    times = np.arange(0.0, 4.5, 0.01)
    first, last = cycles.of("right")[0], cycles.of("right")[-1]
    level = np.where(times < last.start, 1.0, 3.0)
    gap = np.where((times > last.start + 0.2) & (times < last.start + 0.5), np.nan, level)
    everywhere = np.where((times - first.start) % STRIDE < 0.3, np.nan, level)
    data = xr.Dataset({"a": ("time", gap), "b": ("time", everywhere)}, {"time": times})
    mean, spread = gw.gait.mean_and_spread(gw.gait.split_into_cycles(data, cycles))
    inside = slice(5, 95)
    np.testing.assert_allclose(mean["a"].sel(side="right")[inside], 1.0, atol=0.02)
    assert float(spread["a"].sel(side="right")[inside].max()) < 0.02
    assert np.isnan(mean["b"].sel(side="right")[5]) and float(mean["b"].sel(side="right")[60]) == pytest.approx(
        5 / 3, abs=0.02
    )
