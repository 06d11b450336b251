"""Devices to choose from: what `gw.sweep`, `choose`, `trade_off`, `optimise` and `study` need to know of one that is worn.

walking = gw.wear.on(gw.gait.schematic_walk(gw.gait.Subject(73, 1.74)))
gw.choose(orthosis, "stiffness", output="right_ankle.share_of_peak", target=0.3, bounds=(50, 600), analysis=walking)
gw.optimise(orthosis, {"stiffness": (50, 600)}, objective="right_ankle.share_of_peak", maximise=True,
            constraints={"right_calf.force": 250}, analysis=walking)

Numbers by name, besides those of `gw.wear.measures`:

NAME.pressure        Pa: the largest below a cuff, on springs unless asked otherwise (wear/pads); cuffs on the foot have none
comfort.discomfort, .pain   the share of people who would feel it at the worst cuff (wear/comfort), where thresholds are known
NAME.max_strain, .max_stress, .max_energy   of a beam, the largest in the motion (1, Pa, J)
NAME.fatigue_margin  of a beam, by parameters `strain_limit` and `cycles` of the device, or assumed ones: structure.py
spine.moment, .compression, .shear, and with _without   N m, N, N: largest at L5/S1 (gait/spine.py), of who lifts,
                     or of a device on the trunk
spine.share          1 - compression with / without
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.gait.forces import GroundForces
from gaitwright.model.model import Model
from gaitwright.saving import save_bytes
from gaitwright.wear.assistance import joints_in
from gaitwright.wear.comfort.judging import judge
from gaitwright.wear.comfort.of_device import people_like, pressures_of
from gaitwright.wear.files import dataset_of
from gaitwright.wear.pads.pressure import METHODS
from gaitwright.wear.putting_on import STEP, put_on
from gaitwright.wear.structure import flexible_parts, moment_angle
from gaitwright.wear.worn import Worn

UNITS = {
    "share_of_peak": "1", "share": "1", "peak_without": "N m", "peak_with": "N m", "stored": "J", "returned": "J", "force": "N",
    "moment": "N m", "migration": "m", "mass": "kg", "worst": "N m", "pressure": "Pa", "max_strain": "1",
    "max_stress": "Pa", "max_energy": "J", "fatigue_margin": "1", "stiffness": "N m/rad", "compression": "N", "shear": "N",
}  # fmt: skip
"""By the last word of a name."""


class Tried(NamedTuple):
    """A device that was put on, and its numbers by name. unknown: those that it cannot have, with the reason."""

    worn: Worn
    numbers: dict[str, float]
    unknown: dict[str, str]

    def measures(self) -> dict[str, float]:
        return self.numbers

    def save(self, path: str | Path) -> Path:
        """Curves over time as netCDF, as `worn.save` writes them."""
        memory = io.BytesIO()
        dataset_of(self.worn).to_netcdf(memory, engine="h5netcdf")
        return save_bytes(Path(path), memory.getvalue())

    def why_not(self, name: str) -> str:
        """Why there is no such number, where that is known."""
        return self.unknown.get(name, "")

    def unit_of(self, name: str) -> str:
        last = name.rpartition(".")[2]
        return UNITS.get(last) or UNITS.get(last.removesuffix("_without"), "1")


class On(NamedTuple):
    """An analysis of a device: who wears it, and how it is put on."""

    walk: Any
    forces: GroundForces | None = None
    side: str | None = None
    step: float = STEP
    pressure: str = "foundation"

    def __call__(self, device: Model) -> Tried:
        worn = put_on(device, self.walk, self.forces, side=self.side, step=self.step)
        unknown: dict[str, str] = {}
        return Tried(worn, dict(_numbers(worn, self.pressure, unknown)), unknown)


def on(
    walk: Any, forces: GroundForces | None = None, *, side: str | None = None, step: float = STEP, pressure: str = "foundation"
) -> On:  # fmt: skip
    """What a search does with every variant of a device: put it on someone in a motion, as `gw.wear.put_on` does.

    pressure: below cuffs, as on the page of the device: foundation; uniform (quicker, less at edges); solid; "" for none."""
    if pressure:
        At("on", "pressure").one_of(pressure, METHODS, "is no way to find a pressure")
    return On(walk, forces, side, step, pressure)


def helped(worn: Worn) -> str:
    """The joint at which the device gives the largest moment."""
    most = {joint: float(np.nanmax(np.abs(moment_angle(worn, joint)[1]))) for joint in joints_in(worn.moments)}
    return max(most, key=lambda joint: most[joint])


def _numbers(worn: Worn, pressure: str, unknown: dict[str, str]) -> Iterator[tuple[str, float]]:
    yield from worn.measures().items()
    if pressure:
        yield from _pressures(worn, pressure, unknown)
    else:
        unknown |= {f"{name}.pressure": "it was not asked for" for name in worn.cuffs["cuff"].to_numpy().tolist()}
    yield from _strains(worn)
    yield from _spine(worn)


def _pressures(worn: Worn, method: str, unknown: dict[str, str]) -> Iterator[tuple[str, float]]:
    found, notes = pressures_of(worn, method)
    for name in worn.cuffs["cuff"].to_numpy().tolist():
        if name not in found:
            said = (note.removeprefix(f"{name}: ") for note in notes if note.startswith(f"{name}: "))
            unknown[f"{name}.pressure"] = next(said, "")
    for name in ("comfort.discomfort", "comfort.pain"):
        unknown[name] = "no threshold is known for any cuff whose pressure is known"
    for name, pressure in found.items():
        yield f"{name}.pressure", float(pressure.peak.max())
    if found:
        comfort = judge(found, sex=people_like(worn))
        for name, share in (("discomfort", comfort.share_discomfort), ("pain", comfort.share_pain)):
            if share is not None:
                del unknown[f"comfort.{name}"]
                yield f"comfort.{name}", share


def _strains(worn: Worn) -> Iterator[tuple[str, float]]:
    for part in flexible_parts(worn):
        yield f"{part.name}.max_strain", part.strain
        yield f"{part.name}.max_stress", part.stress
        yield f"{part.name}.max_energy", part.energy
        yield f"{part.name}.fatigue_margin", part.fatigue_margin


def _spine(worn: Worn) -> Iterator[tuple[str, float]]:
    both = worn.spine()
    peaks = {ending: both[which].peak for which, ending in (("with", ""), ("without", "_without")) if both}
    for ending, peak in peaks.items():
        for kind in ("moment", "compression", "shear"):
            yield f"spine.{kind}{ending}", peak[kind]
    if peaks:
        yield "spine.share", 1.0 - peaks[""]["compression"] / peaks["_without"]["compression"]
