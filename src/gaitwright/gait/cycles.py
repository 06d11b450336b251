"""Gait cycles: from a strike of a foot to its next strike, with phases after Perry, and curves over 0 to 100 %.

Phases of one foot, from its own events and those of the other foot (J. Perry and J. M. Burnfield, Gait Analysis, 2nd ed.,
chapter 2):

    loading response    from strike to off of the other foot
    mid stance          the first half of single support
    terminal stance     the second half, to strike of the other foot
    pre-swing           to off
    initial, mid and terminal swing    thirds of the swing, to the next strike
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import xarray as xr
from scipy.interpolate import make_interp_spline

from gaitwright.gait.events import GaitEvent
from gaitwright.gait.filters import true_runs

SIDES = ("right", "left")
CYCLE_POINT_COUNT = 101
MAX_STRIDE_SECONDS = 3.0
"""s: upper bound between two strikes of a foot; longer means standing, or a missed strike."""
GAIT_PHASES = (
    "loading response", "mid stance", "terminal stance", "pre-swing", "initial swing", "mid swing", "terminal swing",
)  # fmt: skip


@dataclass(frozen=True)
class Cycle:
    """A complete cycle of one foot, times in s of the trial: from strike to strike, with its off, and off and strike of
    the other foot in between; NaN if the trial has no events of the other foot. flight: True for a stride of a run: the
    other foot strikes after the off, and leaves the ground before the end."""

    side: str
    start: float
    other_off: float
    other_strike: float
    off: float
    end: float
    flight: bool = False

    @property
    def duration(self) -> float:
        return self.end - self.start

    def percent(self, time: float) -> float:
        return 100.0 * (time - self.start) / self.duration

    @property
    def limits(self) -> tuple[float, ...]:
        """Starts of the phases and end of the cycle: %, (8,)."""
        middle = 0.5 * (self.other_off + self.other_strike)
        swing = np.linspace(self.off, self.end, 4)
        return tuple(self.percent(float(t)) for t in (self.start, self.other_off, middle, self.other_strike, *swing))

    @property
    def phases(self) -> dict[str, tuple[float, float]]:
        """Phases by name: (start, end), %; none for a run, or without events of the other foot."""
        if self.flight or not np.isfinite(self.limits).all():
            return {}
        return dict(zip(GAIT_PHASES, zip(self.limits[:-1], self.limits[1:], strict=True), strict=True))


@dataclass(frozen=True)
class Cycles:
    """Cycles of both feet. all: complete ones, by start. incomplete: sentences about strikes without a complete cycle."""

    all: tuple[Cycle, ...]
    incomplete: tuple[str, ...] = ()

    def of(self, side: str) -> list[Cycle]:
        return [cycle for cycle in self.all if cycle.side == side]

    def limits(self, side: str) -> np.ndarray | None:
        """Limits of the phases, mean over the cycles of a side, %, (8,); None without cycles that have phases."""
        limits = [cycle.limits for cycle in self.of(side) if cycle.phases]
        return np.mean(limits, axis=0) if limits else None


def find_cycles(events: Iterable[GaitEvent]) -> Cycles:
    """Complete cycles of both feet: other off, other strike and off, in this order, between one strike and the next; for a
    stride of a run off, other strike and other off. If only one foot has events, its off is sufficient."""
    events = sorted(events, key=lambda event: event.time)
    complete, incomplete = [], []
    single = len({event.side for event in events}) == 1
    for side in SIDES:
        strikes = [event.time for event in events if (event.kind, event.side) == ("strike", side)]
        for start, end in pairwise(strikes):
            between = [event for event in events if start < event.time < end]
            order = [(event.kind, event.side == side) for event in between]
            if end - start > MAX_STRIDE_SECONDS:
                incomplete.append(f"{_after_strike_text(side, start)} no strike follows for {end - start:.2f} s")
            elif order == [("off", True), ("strike", False), ("off", False)]:
                off, other_strike, other_off = (event.time for event in between)
                complete.append(Cycle(side, start, other_off, other_strike, off, end, flight=True))
            elif single and order == [("off", True)]:
                complete.append(Cycle(side, start, np.nan, np.nan, between[0].time, end))
            elif order == [("off", False), ("strike", False), ("off", True)]:
                other_off, other_strike, off = (event.time for event in between)
                complete.append(Cycle(side, start, other_off, other_strike, off, end))
            else:
                incomplete.append(f"{_after_strike_text(side, start)} {_missing_event_text(order)}")
        if strikes:
            incomplete.append(f"{_after_strike_text(side, strikes[-1])} the trial ends before the next")
        else:
            incomplete.append(f"no strike of the {side} foot was seen")
    return Cycles(tuple(sorted(complete, key=lambda cycle: cycle.start)), tuple(incomplete))


def _after_strike_text(side: str, start: float) -> str:
    return f"after the strike of the {side} foot at {start:.2f} s"


def _missing_event_text(order: list[tuple[str, bool]]) -> str:
    needed = {
        ("off", False): "off of the other foot",
        ("strike", False): "strike of the other foot",
        ("off", True): "off",
    }
    lost = [name for event, name in needed.items() if event not in order]
    twice = [name for event, name in needed.items() if order.count(event) > 1]
    if lost:
        return f"the {' and the '.join(lost)} was not seen"
    return f"there is more than one {' and '.join(twice)}" if twice else "events are not in the order of walking"


def resample_over_cycle(
    values: np.ndarray, times: np.ndarray, cycle: Cycle, points: int = CYCLE_POINT_COUNT
) -> np.ndarray:
    """Resample values (samples, ...) at `times`, s, to (points, ...) over 0 to 100 % of a cycle, by cubic splines through the
    samples; NaN outside the samples."""
    values = np.asarray(values, dtype=float)
    at = np.linspace(cycle.start, cycle.end, points)
    flat = values.reshape(len(values), -1)
    result = np.full((points, flat.shape[1]), np.nan)
    pause = 1e-9 + 1e-6 * (times[1] - times[0])
    whole = np.isfinite(flat).all(axis=1)
    columns = [slice(None)] if (whole | ~np.isfinite(flat).any(axis=1)).all() else [[k] for k in range(flat.shape[1])]
    for column in columns:
        for one in true_runs(np.asarray(np.isfinite(flat[:, column]).all(axis=1))):
            inside = (at >= times[one.start] - pause) & (at <= times[one.stop - 1] + pause)
            if one.stop - one.start >= 2 and inside.any():
                order = min(3, one.stop - one.start - 1)
                spline = make_interp_spline(times[one], flat[one][:, column], k=order)
                result[np.ix_(inside, np.arange(flat.shape[1])[column])] = spline(at[inside])
    return result.reshape(points, *values.shape[1:])


def split_into_cycles(data: xr.Dataset, cycles: Cycles, points: int = CYCLE_POINT_COUNT) -> xr.Dataset:
    """Split series over time into cycles: dimensions (cycle, percent, ...), with `side`, `start` and `end` of each cycle.

    `right_knee_flexion` and `left_knee_flexion` become `knee_flexion` of the foot that defines the cycle; quantities
    without a side appear in cycles of both feet. points: number of samples per cycle."""
    times = data["time"].to_numpy()
    curves: dict[str, tuple[tuple[str, ...], np.ndarray, dict]] = {}
    for name in dict.fromkeys(_strip_side(str(name)) for name in data.data_vars):
        sample = next(data[k] for k in (name, *(f"{side}_{name}" for side in SIDES)) if k in data)
        if sample.dims[:1] != ("time",):
            continue
        cut = np.full((len(cycles.all), points, *sample.shape[1:]), np.nan)
        for k, cycle in enumerate(cycles.all):
            own = f"{cycle.side}_{name}" if f"{cycle.side}_{name}" in data else name
            if own in data:
                cut[k] = resample_over_cycle(data[own].to_numpy(), times, cycle, points)
        curves[name] = (("cycle", "percent", *map(str, sample.dims[1:])), cut, dict(sample.attrs))
    coords = {
        "percent": np.linspace(0.0, 100.0, points),
        "side": ("cycle", [cycle.side for cycle in cycles.all]),
        "start": ("cycle", [cycle.start for cycle in cycles.all], {"units": "s"}),
        "end": ("cycle", [cycle.end for cycle in cycles.all], {"units": "s"}),
    }
    return xr.Dataset(curves, coords)


def mean_and_spread(cut: xr.Dataset, sides: Sequence[str] = SIDES) -> tuple[xr.Dataset, xr.Dataset]:
    """Mean and standard deviation between cycles, per side: (side, percent, ...). The deviation of a single cycle
    is NaN. cut: from `split_into_cycles`.

    If a curve is complete in some cycles of a side, cycles with gaps do not count: otherwise the mean would cover other
    cycles in stance than in swing (for example with a plate that is hit once) and would jump between them."""
    if not cut.data_vars:  # only markers, without a subject: xarray has no mean of an empty dataset
        bare = cut.drop_dims("cycle").assign_coords(side=list(sides))
        return bare, bare.copy()
    means: list[xr.Dataset] = []
    spreads: list[xr.Dataset] = []
    for side in sides:
        own = cut.isel(cycle=np.flatnonzero(cut["side"].to_numpy() == side)).map(
            _drop_cycles_with_gaps, keep_attrs=True
        )
        count = own.count("cycle")
        means.append(own.mean("cycle", skipna=True, keep_attrs=True))
        spreads.append(own.std("cycle", skipna=True, ddof=1, keep_attrs=True).where(count > 1))
    dimension = xr.DataArray(list(sides), dims="side", name="side")
    mean: Any = xr.concat(means, dimension)
    spread: Any = xr.concat(spreads, dimension)
    return mean, spread


def _drop_cycles_with_gaps(curves: xr.DataArray) -> xr.DataArray:
    """Drop cycles with gaps, unless all have gaps."""
    if "cycle" not in curves.dims:
        return curves
    whole = curves.notnull().all([dim for dim in curves.dims if dim != "cycle"])
    return curves.where(whole) if whole.any() else curves


def _strip_side(name: str) -> str:
    side, _, rest = name.partition("_")
    return rest if side in SIDES else name
