"""A device that is worn: what its cuffs do, what that takes off the joints, in numbers, files and a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import xarray as xr

from gaitwright.analyse.inverse import left_free
from gaitwright.gait.angles import joint_angles
from gaitwright.gait.cycles import Cycles
from gaitwright.gait.forces import GroundForces
from gaitwright.gait.loads import Wrench
from gaitwright.gait.moments import joint_moments
from gaitwright.gait.motion import AXES, Motion
from gaitwright.gait.spine import SpineLoad, spine_load
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright.wear.assistance import Assistance, assistance_of, joint_power
from gaitwright.wear.cuffs import CuffLoad
from gaitwright.wear.ground import with_device
from gaitwright.wear.mirror import OWN, other_side
from gaitwright.wear.wearing import Bound, Put

if TYPE_CHECKING:
    from gaitwright.wear.comfort.judging import Comfort

Array = np.ndarray


UNCHANGED_MOTION = "people adapt to a device; these numbers hold for an unchanged motion"
"""The caveat of every analysis of a worn device."""


class Side(NamedTuple):
    """One device on one side ('' where it is worn by the whole body). put: how it was put on. run: of device and segments, from
    standing on, in a mirror where it is worn on the left. cuffs: by name. loads: by segment."""

    side: str
    put: Put
    run: Result
    cuffs: dict[str, CuffLoad]
    loads: dict[str, Wrench]
    mirror: bool
    doubts: list[str]

    @property
    def bound(self) -> dict[str, Bound]:
        """Cuffs as they were put on, by name; in the mirror, if there is one."""
        return dict(zip(self.cuffs, self.put.bound, strict=True))

    @property
    def warnings(self) -> list[str]:
        """Of the run; that it is forward dynamics is no doubt here: a device that has freedom is meant to be followed so."""
        usual = left_free(self.run.mechanism.degrees_of_freedom)
        return [text for text in self.run.evidence.warnings if text != usual]

    def segment_of(self, cuff: str) -> str:
        """On which segment of the person a cuff is."""
        segment = self.bound[cuff].segment
        return other_side(segment) if self.mirror else segment

    def place_of(self, cuff: str) -> Array:
        """Where on it, in the frame of the segment, m."""
        place = self.bound[cuff].place
        return place * OWN if self.mirror else place

    def output(self, name: str) -> Array:
        """Of the run, at the frames of the motion."""
        return self.run.values(name)[self.put.driven.first :]


@dataclass(frozen=True, repr=False)
class Worn:
    """device: as it was given. motion, forces, others: of the person, the ground and what else acts on segments, without it.
    phases: by name, from and to, s, of a motion without cycles. sides: by right, left or ''."""

    device: Model
    motion: Motion
    forces: GroundForces
    others: dict[str, Wrench]
    cycles: Cycles
    phases: dict[str, tuple[float, float]]
    sides: dict[str, Side]
    source: str

    @property
    def name(self) -> str:
        return self.device.document.name

    @property
    def side(self) -> str | None:
        """right, left or both, on which it is worn; None of what the whole body wears."""
        sides = [side for side in self.sides if side]
        return "both" if len(sides) == 2 else next(iter(sides), None)

    @property
    def mass(self) -> float:
        """kg, of all devices."""
        return sum(side.put.mass for side in self.sides.values())

    @property
    def notes(self) -> list[str]:
        """What is doubtful about the device or the run."""
        person = self.motion.skeleton.subject.warnings
        return list(
            dict.fromkeys([*person, *(t for side in self.sides.values() for t in (*side.doubts, *side.warnings))])
        )

    @cached_property
    def loads(self) -> dict[str, Wrench]:
        """Of the device on the person, by segment; 0 in frames in which the motion is not known."""
        found: dict[str, Wrench] = {}
        for side in self.sides.values():
            for segment, wrench in side.loads.items():
                whole = Wrench(*(self._at_all_times(side, part, 0.0) for part in (wrench.force, wrench.moment)))
                found[segment] = found[segment] + whole if segment in found else whole
        return found

    @cached_property
    def forces_with(self) -> GroundForces:
        """Of the ground, when the device is worn."""
        return with_device(self.forces, self.loads.values())

    @cached_property
    def moments(self) -> xr.Dataset:
        """Without the device, as gw.gait.joint_moments has them."""
        return joint_moments(self.motion, self.forces, loads=self.others)

    @cached_property
    def moments_with(self) -> xr.Dataset:
        """With it: what is left for the muscles. NaN in frames in which the device is not known."""
        found = joint_moments(self.motion, self.forces_with, loads=self._all_loads())
        return found.where(xr.DataArray(self.known, dims="time"))

    @property
    def known(self) -> Array:
        """(time,): frames in which all devices are."""
        found = np.ones(len(self.motion.times), dtype=bool)
        for side in self.sides.values():
            mine = np.zeros_like(found)
            mine[side.put.driven.frames] = True
            found &= mine
        return found

    @cached_property
    def angles(self) -> xr.Dataset:
        return joint_angles(self.motion)

    @cached_property
    def cuffs(self) -> xr.Dataset:
        """(time, cuff, axis), on the person in the axes of the segment, x forward, y up, z to the right: `force`, N, `moment`,
        N m, about the cuff's place on the limb; `migration`, m, and `turn`, rad, of the device on it. NaN where not known."""
        kinds = {"force": "N", "moment": "N m", "migration": "m", "turn": "rad"}
        names = [name for side in self.sides.values() for name in side.cuffs]
        data = {}
        for kind, unit in kinds.items():
            columns = [
                self._at_all_times(side, getattr(load, kind), np.nan)
                for side in self.sides.values()
                for load in side.cuffs.values()
            ]
            data[kind] = (("time", "cuff", "axis"), np.stack(columns, axis=1), {"units": unit})
        segments = [side.segment_of(name) for side in self.sides.values() for name in side.cuffs]
        return xr.Dataset(data, {"time": self.motion.times, "cuff": names, "axis": AXES, "segment": ("cuff", segments)})

    def _at_all_times(self, side: Side, values: Array, outside: float) -> Array:
        found = np.full((len(self.motion.times), *values.shape[1:]), outside)
        found[side.put.driven.frames] = values
        return found

    def power(self) -> xr.DataArray:
        """Of the device on the person, W, over time: of all cuffs together."""
        from gaitwright.gait.moments import moving

        segments, total = moving(self.motion), np.zeros(len(self.motion.times))
        for name, wrench in self.loads.items():
            one = segments[name]
            velocity = self.motion.velocity.to_numpy()[:, self.motion.segments.index(name)]
            about = wrench.about(one.origin)
            total += np.einsum("ti,ti->t", wrench.force, velocity) + np.einsum("ti,ti->t", about, one.spin)
        values = np.where(self.known, total, np.nan)
        return xr.DataArray(values, {"time": self.motion.times}, ("time",), "device power", {"units": "W"})

    def _repr_html_(self) -> str | None:
        """For notebooks; None if it cannot be shown."""
        from gaitwright.report.views.people_cards import worn_card

        return worn_card(self)

    def __repr__(self) -> str:
        subject = self.motion.skeleton.subject
        return f"<Worn: {self.name} on {self.where} of a person of {subject.mass:g} kg, {subject.height:g} m; {self.source}>"

    @property
    def where(self) -> str:
        """In words: 'the left leg', 'the right and the left leg', 'the whole body'."""
        segments = [str(name).partition("_")[0] for name in self.cuffs["segment"].to_numpy()]
        legs = [side for side in ("right", "left") if side in segments]
        if not set(segments) <= set(legs):
            return "the whole body"
        return f"the {' and the '.join(legs)} leg"

    def assistance(self) -> dict[str, Assistance]:
        """By joint: what the device takes off it."""
        return self._assistance

    @cached_property
    def _assistance(self) -> dict[str, Assistance]:
        mass = self.motion.skeleton.subject.mass
        # with and without are compared at the same instants
        without = self.moments.where(xr.DataArray(self.known, dims="time"))
        return assistance_of(without, self.moments_with, self.joint_power, self.cycles, mass, self.phases)

    @cached_property
    def joint_power(self) -> xr.Dataset:
        """Of the device at each joint, about all its axes, W/kg, over time."""
        return joint_power(self.moments, self.moments_with)

    def spine(self) -> dict[str, SpineLoad]:
        """At L5/S1, `without` and `with` the device, where it holds the trunk or the person lifts; nothing otherwise. Of frames
        in which the device is known."""
        if self.motion.skeleton.carried or not ("trunk" in self.loads or "trunk" in self.others):
            return {}
        both = {"without": self.others, "with": self._all_loads()}
        return {which: spine_load(self.motion, loads).at(self.known) for which, loads in both.items()}

    def _all_loads(self) -> dict[str, Wrench]:
        """Of the device and of what else there is, by segment."""
        loads = dict(self.others)
        for segment, wrench in self.loads.items():
            loads[segment] = loads[segment] + wrench if segment in loads else wrench
        return loads

    @cached_property
    def mass_penalty(self) -> dict[str, float]:
        """By joint, N m: by how much its peak is larger for the mass of the device alone. It is put on once more for that;
        empty where a light one cannot follow."""
        from gaitwright.wear.mass_penalty import penalty_of

        return penalty_of(self)

    def measures(self) -> dict[str, float]:
        """One number each, for choosing and sweeping: see gw.wear.measures."""
        from gaitwright.wear.figures import measures

        return measures(self)

    def summary(self) -> dict[str, Any]:
        """Everything in plain numbers."""
        return self._summary

    @cached_property
    def _summary(self) -> dict[str, Any]:
        from gaitwright.wear.summary import summary_of

        return summary_of(self)

    def save(self, folder: str | Path, comfort: Comfort | None = None) -> dict[str, Path]:
        """device.yaml as it fits the person, cuffs.csv, moments.csv, result.nc, summary.json; with that of comfort() also
        comfort.csv; paths by what they are."""
        from gaitwright.wear.files import save_all

        return save_all(self, Path(folder), comfort)

    def comfort(self, **more: Any) -> Comfort:
        """How many people would feel its cuffs: see gw.wear.comfort.comfort_of for what may be given."""
        from gaitwright.wear.comfort.of_device import comfort_of

        return comfort_of(self, **more)

    def report(self, folder: str | Path, comfort: Comfort | None = None) -> dict[str, Path]:
        """device.html: with and without, on one page. comfort: that of comfort(), shown there, too."""
        from gaitwright.report.views.device_page import device_report

        return device_report(self, comfort).save(Path(folder) / "device.html")


def mirrored_load(load: CuffLoad, wrench: Wrench) -> CuffLoad:
    """As seen outside of the mirror: forces and places are polar, moments and turns axial."""
    return CuffLoad(load.force * OWN, -load.moment * OWN, load.migration * OWN, -load.turn * OWN, wrench)
