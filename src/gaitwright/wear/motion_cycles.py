"""Gait cycles from ground forces; a motion without cycles counts as one cycle."""

from __future__ import annotations

import numpy as np
import xarray as xr

from gaitwright.gait.cycles import CYCLE_POINT_COUNT, Cycles, find_cycles, mean_and_spread, split_into_cycles
from gaitwright.gait.events import GaitEvent
from gaitwright.gait.ground_reaction import FOOT_SIDES, GroundForces
from gaitwright.gait.plate_contacts import CONTACT_THRESHOLD_N

Array = np.ndarray


def find_force_cycles(forces: GroundForces) -> Cycles:
    """Complete cycles, from strikes and offs at which the known vertical force of a foot crosses the contact threshold."""
    events = []
    for k, side in enumerate(FOOT_SIDES):
        up, is_known = forces.force[:, k, 2] - CONTACT_THRESHOLD_N, forces.known[:, k]
        for first in np.flatnonzero((up[:-1] > 0) != (up[1:] > 0)):
            if is_known[first] and is_known[first + 1]:
                fraction = up[first] / (up[first] - up[first + 1])
                time = float(forces.time[first] + fraction * (forces.time[first + 1] - forces.time[first]))
                events.append(GaitEvent("strike" if up[first + 1] > 0 else "off", side, time, "forces"))
    return find_cycles(events)


def cycle_phases(cycles: Cycles, side: str, times: Array) -> Array | None:
    """(time,): position of each instant in the cycles of a foot, 0 to 1; before, after and between the cycles it continues
    with the duration of the nearest one. From 0 to 1 over the whole motion if no foot has cycles; None if only the other
    foot has."""
    side_cycles = cycles.of(side)
    if not side_cycles:
        return None if cycles.all else (times - times[0]) / (times[-1] - times[0]) * (1 - 1e-9)
    nearest = np.array([min(side_cycles, key=lambda c: max(c.start - t, t - c.end, 0.0)).start for t in times])
    duration_by_start = {c.start: c.duration for c in side_cycles}
    duration = np.array([duration_by_start[start] for start in nearest])
    return ((times - nearest) / duration) % 1.0


def mean_curves(data: xr.Dataset, cycles: Cycles) -> xr.Dataset:
    """Mean curves over 0 to 100 %, (percent,), by full name: curves of one side over the cycles of that foot, curves of
    the whole body over those of the right foot; over the whole motion if there are no cycles."""
    curves = {}
    percent = np.linspace(0.0, 100.0, CYCLE_POINT_COUNT)
    if not cycles.all:
        times = data["time"].to_numpy()
        sample_times = np.linspace(times[0], times[-1], CYCLE_POINT_COUNT)
        for name, values in data.data_vars.items():
            curves[name] = ("percent", np.interp(sample_times, times, values.to_numpy()), values.attrs)
        return xr.Dataset(curves, {"percent": percent})
    mean = mean_and_spread(split_into_cycles(data, cycles))[0]
    for name in data.data_vars:
        side, _, rest = str(name).partition("_")
        curve_key = (side, rest) if side in FOOT_SIDES else ("right", str(name))
        if not len(cycles.of(curve_key[0])):
            curve_key = (next(s for s in FOOT_SIDES if cycles.of(s)), curve_key[1])
            if side in FOOT_SIDES:
                continue
        curves[name] = ("percent", mean[curve_key[1]].sel(side=curve_key[0]).to_numpy(), data[name].attrs)
    return xr.Dataset(curves, {"percent": percent})


def gait_phase_limits(cycles: Cycles, joint: str) -> dict[str, tuple[float, float]]:
    """Limits of the gait phases, name -> (from, to) in %, of the foot on the side of a joint; of the right foot for joints
    without a side; empty without cycles."""
    from gaitwright.gait.cycles import GAIT_PHASES

    side = joint.partition("_")[0]
    limits = cycles.limits(side if side in FOOT_SIDES else "right")
    if limits is None:
        return {}
    return dict(zip(GAIT_PHASES, zip(limits[:-1].tolist(), limits[1:].tolist(), strict=True), strict=True))
