"""Registries of the measures of a worn device, for sweeps, choices and trade-offs over the parameters of a device.

right_ankle.share_of_peak      a measure of a joint, a cuff or a beam, after the name of that part
spine.compression, mass        measures of the spine, of the comfort, and of the whole device
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.measures.measure import Measure, MeasureRegistry
from gaitwright.wear.device_structure import effective_stiffness

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.wear.device_result import DeviceResult


def _largest(cuff: xr.Dataset, name: str) -> float:
    """Largest magnitude of a vector of a cuff over time."""
    return float(np.nanmax(np.linalg.norm(cuff[name].to_numpy(), axis=-1)))


def _greatest_growth(worn: DeviceResult) -> float:
    return max((0.0, *(assistance.peak_with - assistance.peak_without for assistance in worn.assistance().values())))


JOINT_MEASURES = MeasureRegistry(
    "joint of the wearer",
    [
        Measure(
            "share_of_peak", "1", "1 - largest moment with / without the device", lambda joint: joint.share_of_peak
        ),
        Measure("share", "1", "1 - mean moment with / without the device", lambda joint: joint.share),
        Measure("peak_without", "N m", "largest moment without the device", lambda joint: joint.peak_without),
        Measure("peak_with", "N m", "largest moment with the device", lambda joint: joint.peak_with),
        Measure("stored", "J", "energy that the device stores in a cycle", lambda joint: joint.stored),
        Measure("returned", "J", "energy that the device returns in a cycle", lambda joint: joint.returned),
    ],
    prefix="right_ankle.",
)
"""Measures of an Assistance."""
CUFF_MEASURES = MeasureRegistry(
    "cuff of a device",
    [
        Measure("force", "N", "largest force on the segment", lambda cuff: _largest(cuff, "force")),
        Measure("moment", "N m", "largest moment on the segment", lambda cuff: _largest(cuff, "moment")),
        Measure("migration", "m", "largest displacement on the segment", lambda cuff: _largest(cuff, "migration")),
    ],
    prefix="right_calf.",
)
"""Measures of the loads of a cuff over time, a Dataset."""
SUPPORTED_JOINT_MEASURES = MeasureRegistry(
    "joint that a device supports",
    [
        Measure(
            "stiffness", "N m/rad", "effective stiffness; NaN if the moment is not a function of the angle",
            lambda joint: np.nan if joint.stiffness is None else joint.stiffness,
        ),
    ],
    prefix="right_ankle.",
)  # fmt: skip
"""Measures of an EffectiveStiffness."""
DEVICE_MEASURES = MeasureRegistry(
    "device",
    [
        Measure("mass", "kg", "mass of the device", lambda worn: worn.mass),
        Measure("worst", "N m", "largest growth of the peak moment of a joint", _greatest_growth),
    ],
)
"""Measures of a DeviceResult."""
PAD_MEASURES = MeasureRegistry(
    "pad of a cuff",
    [Measure("pressure", "Pa", "largest pressure below the cuff", lambda pressure: pressure.peak.max())],
    prefix="right_calf.",
)
"""Measures of a PadPressure; not for cuffs on the foot."""
COMFORT_MEASURES = MeasureRegistry(
    "comfort of a device",
    [
        Measure(
            "discomfort", "1", "share of people that feels discomfort at the worst cuff",
            lambda comfort: comfort.share_discomfort,
        ),
        Measure("pain", "1", "share of people that feels pain at the worst cuff", lambda comfort: comfort.share_pain),
    ],
    prefix="comfort.",
)  # fmt: skip
"""Measures of a comfort assessment; None without known thresholds."""
BEAM_MEASURES = MeasureRegistry(
    "beam of a device",
    [
        Measure("max_strain", "1", "largest strain in the motion", lambda part: part.strain),
        Measure("max_stress", "Pa", "largest stress in the motion", lambda part: part.stress),
        Measure("max_energy", "J", "largest stored energy in the motion", lambda part: part.energy),
        Measure(
            "fatigue_margin",
            "1",
            "strain limit after the cycles / largest strain - 1",
            lambda part: part.fatigue_margin,
        ),
    ],
    prefix="right_spring.",
)
"""Measures of a FlexiblePart."""
SPINE_MEASURES = MeasureRegistry(
    "spine of the wearer",
    [
        *(
            Measure(
                f"{name}{ending}", unit, f"largest {name} at L5/S1 {which} the device",
                lambda spine, which=which, name=name: spine[which].peak[name],
            )
            for which, ending in (("with", ""), ("without", "_without"))
            for name, unit in (("moment", "N m"), ("compression", "N"), ("shear", "N"))
        ),
        Measure(
            "share", "1", "1 - largest compression with / without the device",
            lambda spine: 1.0 - spine["with"].peak["compression"] / spine["without"].peak["compression"],
        ),
    ],
    prefix="spine.",
)  # fmt: skip
"""Measures of the loads of the spine with and without a device, if the person lifts or the device holds the trunk."""
PART_REGISTRIES = (
    JOINT_MEASURES, CUFF_MEASURES, SUPPORTED_JOINT_MEASURES, DEVICE_MEASURES, PAD_MEASURES, COMFORT_MEASURES,
    BEAM_MEASURES, SPINE_MEASURES,
)  # fmt: skip
_PARTS: tuple[tuple[MeasureRegistry[Any], Callable[[DeviceResult], Mapping[str, Any]]], ...] = (
    (JOINT_MEASURES, lambda worn: worn.assistance()),
    (CUFF_MEASURES, lambda worn: {name: worn.cuffs.sel(cuff=name) for name in worn.cuffs["cuff"].to_numpy()}),
    (SUPPORTED_JOINT_MEASURES, lambda worn: {joint.joint: joint for joint in effective_stiffness(worn)}),
    (DEVICE_MEASURES, lambda worn: {"": worn}),
)
"""Measured parts of a device, by name."""


def measures(worn: DeviceResult) -> dict[str, float]:
    """Measures of all joints, supported joints and cuffs, such as right_ankle.share_of_peak, right_ankle.stiffness and
    right_calf.force, and those of the whole device: mass and worst. SI units; the registries of this module have the
    description of each."""
    return {
        f"{part}.{name}" if part else name: value
        for registry, parts in _PARTS
        for part, measured in parts(worn).items()
        for name, value in registry.compute(measured).items()
    }


def measure_unit(name: str) -> str:
    """Unit of a measure of a device by its full name; "1" if it is unknown."""
    last = name.rpartition(".")[2]
    return next((registry[last].unit for registry in PART_REGISTRIES if last in registry), "1")
