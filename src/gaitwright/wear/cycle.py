"""Cycles of who walks, from the forces of the ground; of any other motion the whole of it is one."""

from __future__ import annotations

import numpy as np
import xarray as xr

from gaitwright.gait.cycles import POINTS, Cycles, find_cycles, mean_and_spread, per_cycle
from gaitwright.gait.events import Event
from gaitwright.gait.forces import FEET, GroundForces
from gaitwright.gait.steps import THRESHOLD

Array = np.ndarray


def cycles_of(forces: GroundForces) -> Cycles:
    """Complete ones, from strikes and offs where the force of a foot that is known crosses a threshold."""
    events = []
    for k, side in enumerate(FEET):
        up, known = forces.force[:, k, 2] - THRESHOLD, forces.known[:, k]
        for first in np.flatnonzero((up[:-1] > 0) != (up[1:] > 0)):
            if known[first] and known[first + 1]:
                part = up[first] / (up[first] - up[first + 1])
                time = float(forces.time[first] + part * (forces.time[first + 1] - forces.time[first]))
                events.append(Event("strike" if up[first + 1] > 0 else "off", side, time, "forces"))
    return find_cycles(events)


def phase_of(cycles: Cycles, side: str, times: Array) -> Array | None:
    """(time,): where each instant is in the cycles of a foot; continued before the first and after the last, and through gaps
    between them, with the nearest's duration. From 0 to 1 over the whole motion where there are no cycles at all."""
    own = cycles.of(side)
    if not own:
        return None if cycles.all else (times - times[0]) / (times[-1] - times[0]) * (1 - 1e-9)
    nearest = np.array([min(own, key=lambda c: max(c.start - t, t - c.end, 0.0)).start for t in times])
    lasting = {c.start: c.duration for c in own}
    duration = np.array([lasting[start] for start in nearest])
    return ((times - nearest) / duration) % 1.0


def over_cycles(data: xr.Dataset, cycles: Cycles) -> xr.Dataset:
    """Mean curves over 0 to 100 %, (percent,), by the full name: those of a right joint in cycles of the right foot, those of
    the whole body likewise; over the whole motion where there are no cycles."""
    found = {}
    percent = np.linspace(0.0, 100.0, POINTS)
    if not cycles.all:
        times = data["time"].to_numpy()
        at = np.linspace(times[0], times[-1], POINTS)
        for name, values in data.data_vars.items():
            found[name] = ("percent", np.interp(at, times, values.to_numpy()), values.attrs)
        return xr.Dataset(found, {"percent": percent})
    mean = mean_and_spread(per_cycle(data, cycles))[0]
    for name in data.data_vars:
        side, _, rest = str(name).partition("_")
        own = (side, rest) if side in FEET else ("right", str(name))
        if not len(cycles.of(own[0])):
            own = (next(s for s in FEET if cycles.of(s)), own[1])
            if side in FEET:
                continue
        found[name] = ("percent", mean[own[1]].sel(side=own[0]).to_numpy(), data[name].attrs)
    return xr.Dataset(found, {"percent": percent})


def phases_of(cycles: Cycles, joint: str) -> dict[str, tuple[float, float]]:
    """Name -> from, to, %: of the foot on whose side a joint is; of the right one for the whole body; none without cycles."""
    from gaitwright.gait.cycles import PHASES

    side = joint.partition("_")[0]
    limits = cycles.limits(side if side in FEET else "right")
    if limits is None:
        return {}
    return dict(zip(PHASES, zip(limits[:-1].tolist(), limits[1:].tolist(), strict=True), strict=True))
