"""Effect of a device on a joint: moments and powers with and without it, over the cycle and by phase.

peak          largest magnitude of the moment, of the mean over the cycles
share of peak 1 - peak with / peak without: negative where it gets worse
share         1 - mean |M with| / mean |M without|, of a phase or of the whole cycle
device power  power of the device at the joint: its moment there times the angular velocity of the lower segment relative to
              the upper one = power without minus power with it; energy is stored while it is negative, returned while positive

Moments are those of the sagittal plane; power includes all three planes: a foot that turns inwards while a spring is bent
takes energy out of the spring without any sagittal power, 0.8 J of 2.5 J on a measured walk.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import xarray as xr

from gaitwright.gait.cycles import Cycles
from gaitwright.wear.motion_cycles import gait_phase_limits, mean_curves

MAX_PEAK_INCREASE_RATIO = 0.02
"""Increase of the peak moment, as a fraction of the peak, above which a joint counts as worse."""
MIN_MOMENT_N_M_PER_KG = 0.05
"""N m/kg: no share is computed for smaller reference moments, where the ratio is meaningless."""


class Assistance(NamedTuple):
    """Assistance of a device at one joint; moments in its sagittal plane. Peaks and means: N m, magnitudes. share_of_peak,
    share: 1. stored, returned: J, device work about all axes of the joint in the known part of a cycle; known: that part, 1.
    when: % of the cycle, time of the peak without the device. added: N m, largest increase of the magnitude at any instant;
    added_when: % of the cycle. phases: share by phase."""

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
        """True if the peak moment grows by more than the tolerance."""
        return self.share_of_peak < -MAX_PEAK_INCREASE_RATIO


SAGITTAL_ANGLE_NAMES = {"hip": "flexion", "knee": "flexion", "ankle": "dorsiflexion", "lumbar": "flexion"}
"""Angle name of each joint kind; a positive moment acts against this angle."""


def sagittal_angle_name(joint: str) -> str:
    """Name of the sagittal angle of a joint in the result of gw.gait.joint_angles."""
    kind = joint.rpartition("_")[2]
    return f"{'trunk' if kind == 'lumbar' else joint}_{SAGITTAL_ANGLE_NAMES[kind]}"


def joint_power(without: xr.Dataset, with_device: xr.Dataset) -> xr.Dataset:
    """Power of the device at each joint over time, W/kg: work rate of its moment about all axes."""
    names = joint_names(without)
    power = {name: without[f"{name}_power"] - with_device[f"{name}_power"] for name in names}
    return xr.Dataset({name: values.assign_attrs(units="W/kg") for name, values in power.items()})


def joint_names(moments: xr.Dataset) -> list[str]:
    """Names of the joints that have moments."""
    names = [str(name) for name, values in moments.data_vars.items() if values.dims == ("time",)]
    return [name.removesuffix("_moment") for name in names if name.endswith("_moment")]


def assistance_of(
    without: xr.Dataset, with_device: xr.Dataset, power: xr.Dataset, cycles: Cycles, mass: float,
    phases: Mapping[str, tuple[float, float]] | None = None,
) -> dict[str, Assistance]:  # fmt: skip
    """Assistance by joint. power: of the device at each joint, W/kg. mass: of the person, kg. phases: start and end of each
    phase, s; used if there are no cycles."""
    names = [f"{joint}_moment" for joint in joint_names(without)]
    before, after = (mean_curves(data[names], cycles) for data in (without, with_device))
    device_power = mean_curves(power, cycles)
    assistance = {}
    for name in (str(name).removesuffix("_moment") for name in before.data_vars):
        moment = tuple(data[f"{name}_moment"].to_numpy() * mass for data in (before, after))
        if not np.isfinite(moment[0]).any():
            continue
        work = mass * device_power[name].to_numpy() if name in device_power else np.full_like(moment[0], np.nan)
        phase_limits = gait_phase_limits(cycles, name) or _phases_in_percent(phases or {}, without["time"].to_numpy())
        assistance[name] = _joint_assistance(
            moment[0], moment[1], work, phase_limits, _cycle_duration(name, without, cycles), mass
        )
    return assistance


def _joint_assistance(
    before: np.ndarray, after: np.ndarray, power: np.ndarray, phases: Mapping[str, tuple[float, float]], duration: float,
    mass: float,
) -> Assistance:  # fmt: skip
    percent = np.linspace(0.0, 100.0, len(before))
    peaks = [float(np.nanmax(np.abs(moment))) for moment in (before, after)]
    means = [_mean_over_cycle(np.abs(moment)) for moment in (before, after)]
    known_fraction = _mean_over_cycle(np.isfinite(power).astype(float))
    work = [
        known_fraction * duration * _mean_over_cycle(np.clip(power, *limits)) for limits in ((None, 0.0), (0.0, None))
    ]
    increase = np.where(np.isfinite(before + after), np.abs(after) - np.abs(before), -np.inf)
    worst_index, shares = int(np.argmax(increase)), {}
    for phase, (begin, end) in phases.items():
        inside = (percent >= begin) & (percent <= end)
        shares[phase] = _moment_reduction(
            _mean_over_cycle(np.abs(before[inside])), _mean_over_cycle(np.abs(after[inside])), mass
        )
    return Assistance(
        peaks[0],
        peaks[1],
        _moment_reduction(peaks[0], peaks[1], mass),
        means[0],
        means[1],
        _moment_reduction(means[0], means[1], mass),
        abs(work[0]),
        work[1],
        float(percent[int(np.nanargmax(np.abs(before)))]),
        max(0.0, float(increase[worst_index])),
        float(percent[worst_index]),
        shares,
        known_fraction,
    )


def _phases_in_percent(phases: Mapping[str, tuple[float, float]], times: np.ndarray) -> dict[str, tuple[float, float]]:
    scale = 100.0 / float(times[-1] - times[0])
    return {name: ((a - times[0]) * scale, (b - times[0]) * scale) for name, (a, b) in phases.items()}


def _mean_over_cycle(values: np.ndarray) -> float:
    """Trapezoidal mean of evenly spaced values; NaN values are left out."""
    weight = np.ones(len(values))
    weight[[0, -1]] = 0.5
    weight[~np.isfinite(values)] = 0.0
    return float((weight * np.nan_to_num(values)).sum() / weight.sum()) if weight.sum() else float("nan")


def _moment_reduction(without: float, with_device: float, mass: float) -> float:
    return 1.0 - with_device / without if without > MIN_MOMENT_N_M_PER_KG * mass else float("nan")


def _cycle_duration(name: str, data: xr.Dataset, cycles: Cycles) -> float:
    """Mean duration of the cycles on the side of a joint, s; duration of the whole motion if there are no cycles."""
    side = name.partition("_")[0]
    side_cycles = cycles.of(side) or list(cycles.all)
    times = data["time"].to_numpy()
    return float(np.mean([cycle.duration for cycle in side_cycles])) if side_cycles else float(times[-1] - times[0])
