"""Analysis of a worn device for `gw.sweep`, `choose`, `trade_off`, `optimise` and `study`.

walking = gw.wear.device_analysis(gw.gait.schematic_walk(gw.gait.Subject(73, 1.74)))
gw.choose(orthosis, {"stiffness": (50, 600)}, target={"right_ankle.share_of_peak": 0.3}, analysis=walking)
gw.optimise(orthosis, {"stiffness": (50, 600)}, maximise=["right_ankle.share_of_peak"],
            limits={"right_calf.force": 250}, analysis=walking)

Measures by name, besides those of `gw.wear.measures`; the registries in device_measures.py describe them:

NAME.pressure        below a cuff, by elastic foundation by default (wear/pads); not for cuffs on the foot
comfort.discomfort   of the worst cuff (wear/comfort), if thresholds are known
NAME.fatigue_margin  of a beam, by the device's parameters `strain_limit` and `cycles`, or assumed ones: device_structure.py
spine.compression    at L5/S1 (gait/spine.py), if the person lifts or the device holds the trunk
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.output_files import save_bytes
from gaitwright.gait.ground_reaction import GroundForces
from gaitwright.model.model import Model
from gaitwright.wear.assistance import joint_names
from gaitwright.wear.comfort.assessment import judge
from gaitwright.wear.comfort.device_comfort import pressures_of, threshold_sex
from gaitwright.wear.device_files import dataset_of
from gaitwright.wear.device_measures import BEAM_MEASURES, COMFORT_MEASURES, PAD_MEASURES, SPINE_MEASURES, measure_unit
from gaitwright.wear.device_result import DeviceResult
from gaitwright.wear.device_simulation import MAX_STEP_SECONDS, put_on
from gaitwright.wear.device_structure import flexible_parts, moment_angle
from gaitwright.wear.pads.pressure import PRESSURE_METHODS


class DeviceEvaluation(NamedTuple):
    """A worn device and its measures by name. unknown: measures it cannot have, with the reason."""

    worn: DeviceResult
    numbers: dict[str, float]
    unknown: dict[str, str]

    def measures(self) -> dict[str, float]:
        return self.numbers

    def save(self, path: str | Path) -> Path:
        """Save curves over time as netCDF, with the content of the `result.nc` of `worn.save`."""
        memory = io.BytesIO()
        dataset_of(self.worn).to_netcdf(memory, engine="h5netcdf")
        return save_bytes(Path(path), memory.getvalue())

    def why_not(self, name: str) -> str:
        """Reason why there is no such measure; empty if unknown."""
        return self.unknown.get(name, "")

    def unit_of(self, name: str) -> str:
        return measure_unit(name)


class DeviceAnalysis(NamedTuple):
    """Analysis of a device: the motion of the wearer, and the options of put_on."""

    walk: Any
    forces: GroundForces | None = None
    side: str | None = None
    step: float = MAX_STEP_SECONDS
    pressure: str = "foundation"

    def __call__(self, device: Model) -> DeviceEvaluation:
        worn = put_on(device, self.walk, self.forces, side=self.side, step=self.step)
        unknown: dict[str, str] = {}
        return DeviceEvaluation(worn, dict(_device_measures(worn, self.pressure, unknown)), unknown)


def device_analysis(
    walk: Any,
    forces: GroundForces | None = None,
    *,
    side: str | None = None,
    step: float = MAX_STEP_SECONDS,
    pressure: str = "foundation",
) -> DeviceAnalysis:
    """Analysis that puts each variant of a device on a person in a motion, as `gw.wear.put_on` does.

    walk, forces, side, step: as for put_on. pressure: method for the pressure below cuffs: foundation, as on the device page;
    uniform (quicker, less accurate at edges); solid; "" for none. Raises ModelError for an unknown method."""
    if pressure:
        ErrorContext("on", "pressure").one_of(pressure, PRESSURE_METHODS, "is no way to find a pressure")
    return DeviceAnalysis(walk, forces, side, step, pressure)


def most_assisted_joint(worn: DeviceResult) -> str:
    """The joint at which the device gives the largest moment."""
    largest_moments = {
        joint: float(np.nanmax(np.abs(moment_angle(worn, joint)[1]))) for joint in joint_names(worn.moments)
    }
    return max(largest_moments, key=lambda joint: largest_moments[joint])


def _device_measures(worn: DeviceResult, pressure: str, unknown: dict[str, str]) -> Iterator[tuple[str, float]]:
    yield from worn.measures().items()
    if pressure:
        yield from _pressure_measures(worn, pressure, unknown)
    else:
        unknown |= {f"{name}.pressure": "it was not asked for" for name in worn.cuffs["cuff"].to_numpy().tolist()}
    yield from _strain_measures(worn)
    yield from _spine_measures(worn)


def _pressure_measures(worn: DeviceResult, method: str, unknown: dict[str, str]) -> Iterator[tuple[str, float]]:
    pressures, notes = pressures_of(worn, method)
    for name in worn.cuffs["cuff"].to_numpy().tolist():
        if name not in pressures:
            own_notes = (note.removeprefix(f"{name}: ") for note in notes if note.startswith(f"{name}: "))
            unknown[f"{name}.pressure"] = next(own_notes, "")
    for name in COMFORT_MEASURES:
        unknown[f"comfort.{name}"] = "no threshold is known for any cuff whose pressure is known"
    for name, pressure in pressures.items():
        yield from _named(name, PAD_MEASURES.compute(pressure))
    if pressures:
        comfort = judge(pressures, sex=threshold_sex(worn))
        for name, measure in COMFORT_MEASURES.items():
            share = measure.of(comfort)
            if share is not None:
                del unknown[f"comfort.{name}"]
                yield f"comfort.{name}", share


def _strain_measures(worn: DeviceResult) -> Iterator[tuple[str, float]]:
    for part in flexible_parts(worn):
        yield from _named(part.name, BEAM_MEASURES.compute(part))


def _spine_measures(worn: DeviceResult) -> Iterator[tuple[str, float]]:
    spine = worn.spine()
    if spine:
        yield from _named("spine", SPINE_MEASURES.compute(spine))


def _named(part: str, values: dict[str, float]) -> Iterator[tuple[str, float]]:
    return ((f"{part}.{name}", value) for name, value in values.items())
