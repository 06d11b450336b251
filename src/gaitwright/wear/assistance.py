"""What a device takes off a joint: moments and powers with and without it, over the cycle and by phase.

peak          largest magnitude of the moment, of the mean over the cycles
share of peak 1 - peak with / peak without: negative where it gets worse
share         1 - mean |M with| / mean |M without|, of a phase or of the whole cycle
device power  what the device does at the joint, its moment there times the angular velocity of the lower segment against the
              upper one: the power without less that with it; stored where it is negative, returned where it is positive

Moments are those of the sagittal plane, and power is that of all three: a foot that turns inwards while a spring is bent takes
energy out of it which the sagittal plane alone gets for nothing, 0.8 J of 2.5 J on a measured walk.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import xarray as xr

from gaitwright.gait.cycles import Cycles
from gaitwright.wear.cycle import over_cycles, phases_of

WORSE = 0.02
"""Of the peak: a joint is called worse off by more."""
LEAST = 0.05
"""N m/kg: of moments below, no share is told: next to nothing of next to nothing."""


class Assistance(NamedTuple):
    """Of one joint, moments in its sagittal plane. Peaks and means: N m, magnitudes. share_of_peak, share: 1. stored, returned:
    J, in the known part of a cycle, of what the device does about all axes of the joint; known: that part, 1. when: % of the
    cycle, of the peak without the device. added: N m, by which the magnitude grows most at any instant; added_when: %. phases:
    the share by phase."""

    peak_without: float
    peak_with: float
    share_of_peak: float
    mean_without: float
    mean_with: float
    share: float
    stored: float
    returned: float
    when: float
    added: float
    added_when: float
    phases: dict[str, float]
    known: float

    @property
    def worse(self) -> bool:
        """That its peak has grown."""
        return self.share_of_peak < -WORSE


ANGLES = {"hip": "flexion", "knee": "flexion", "ankle": "dorsiflexion", "lumbar": "flexion"}
"""Of each joint, the angle against whose plus a positive moment works."""


def angle_of(joint: str) -> str:
    """The name of its sagittal angle, as gw.gait.joint_angles has it."""
    kind = joint.rpartition("_")[2]
    return f"{'trunk' if kind == 'lumbar' else joint}_{ANGLES[kind]}"


def joint_power(without: xr.Dataset, with_device: xr.Dataset) -> xr.Dataset:
    """Of the device at each joint, W/kg, over time: what its moment about all axes does."""
    names = joints_in(without)
    found = {name: without[f"{name}_power"] - with_device[f"{name}_power"] for name in names}
    return xr.Dataset({name: one.assign_attrs(units="W/kg") for name, one in found.items()})


def joints_in(moments: xr.Dataset) -> list[str]:
    """Joints that have moments."""
    names = [str(name) for name, one in moments.data_vars.items() if one.dims == ("time",)]
    return [name.removesuffix("_moment") for name in names if name.endswith("_moment")]


def assistance_of(
    without: xr.Dataset, with_device: xr.Dataset, power: xr.Dataset, cycles: Cycles, mass: float,
    phases: Mapping[str, tuple[float, float]] | None = None,
) -> dict[str, Assistance]:  # fmt: skip
    """By joint. power: of the device there, W/kg. mass: kg, of the person. phases: from and to, s, where there are no
    cycles."""
    names = [f"{joint}_moment" for joint in joints_in(without)]
    before, after = (over_cycles(one[names], cycles) for one in (without, with_device))
    done = over_cycles(power, cycles)
    found = {}
    for name in (str(name).removesuffix("_moment") for name in before.data_vars):
        moment = tuple(one[f"{name}_moment"].to_numpy() * mass for one in (before, after))
        if not np.isfinite(moment[0]).any():
            continue
        work = mass * done[name].to_numpy() if name in done else np.full_like(moment[0], np.nan)
        own = phases_of(cycles, name) or _in_percent(phases or {}, without["time"].to_numpy())
        found[name] = _of_joint(moment[0], moment[1], work, own, _duration(name, without, cycles), mass)
    return found


def _of_joint(
    before: np.ndarray, after: np.ndarray, power: np.ndarray, phases: Mapping[str, tuple[float, float]], duration: float,
    mass: float,
) -> Assistance:  # fmt: skip
    percent = np.linspace(0.0, 100.0, len(before))
    peaks = [float(np.nanmax(np.abs(one))) for one in (before, after)]
    means = [_mean(np.abs(one)) for one in (before, after)]
    known = _mean(np.isfinite(power).astype(float))
    work = [known * duration * _mean(np.clip(power, *limits)) for limits in ((None, 0.0), (0.0, None))]
    more = np.where(np.isfinite(before + after), np.abs(after) - np.abs(before), -np.inf)
    grown, shares = int(np.argmax(more)), {}
    for phase, (begin, end) in phases.items():
        inside = (percent >= begin) & (percent <= end)
        shares[phase] = _share(_mean(np.abs(before[inside])), _mean(np.abs(after[inside])), mass)
    return Assistance(
        peaks[0], peaks[1], _share(peaks[0], peaks[1], mass), means[0], means[1], _share(means[0], means[1], mass),
        abs(work[0]), work[1], float(percent[int(np.nanargmax(np.abs(before)))]),
        max(0.0, float(more[grown])), float(percent[grown]), shares, known,
    )  # fmt: skip


def _in_percent(phases: Mapping[str, tuple[float, float]], times: np.ndarray) -> dict[str, tuple[float, float]]:
    scale = 100.0 / float(times[-1] - times[0])
    return {name: ((a - times[0]) * scale, (b - times[0]) * scale) for name, (a, b) in phases.items()}


def _mean(values: np.ndarray) -> float:
    """Over evenly spaced points, the ends by half; NaN of points that are not known are left out."""
    weight = np.ones(len(values))
    weight[[0, -1]] = 0.5
    weight[~np.isfinite(values)] = 0.0
    return float((weight * np.nan_to_num(values)).sum() / weight.sum()) if weight.sum() else float("nan")


def _share(without: float, with_device: float, mass: float) -> float:
    return 1.0 - with_device / without if without > LEAST * mass else float("nan")


def _duration(name: str, data: xr.Dataset, cycles: Cycles) -> float:
    """s, of the cycles of the side of a joint, or of the whole motion."""
    side = name.partition("_")[0]
    own = cycles.of(side) or list(cycles.all)
    times = data["time"].to_numpy()
    return float(np.mean([cycle.duration for cycle in own])) if own else float(times[-1] - times[0])
