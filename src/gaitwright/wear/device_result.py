"""Result of a worn device: cuff loads, joint moments with and without it, as numbers, files and a report page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import xarray as xr

from gaitwright.analysis.inverse import describe_free_motion
from gaitwright.gait.angles import joint_angles
from gaitwright.gait.cycles import Cycles
from gaitwright.gait.ground_reaction import GroundForces
from gaitwright.gait.inverse_dynamics import joint_moments
from gaitwright.gait.motion import AXIS_NAMES, SkeletonMotion
from gaitwright.gait.segment_loads import Wrench
from gaitwright.gait.spine import SpineLoad, spine_load
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright.wear.assistance import Assistance, assistance_of, joint_power
from gaitwright.wear.cuff_loads import CuffLoad
from gaitwright.wear.device_assembly import CuffAttachment, DeviceAssembly
from gaitwright.wear.device_ground_forces import add_device_loads
from gaitwright.wear.mirror import SEGMENT_MIRROR_SIGNS, opposite_side_name

if TYPE_CHECKING:
    from gaitwright.wear.comfort.assessment import Comfort

Array = np.ndarray


UNCHANGED_MOTION_CAVEAT = "people adapt to a device; these numbers hold for an unchanged motion"
"""The caveat of every analysis of a worn device."""


class DeviceSide(NamedTuple):
    """Run of a device on one side ('' for a device on the whole body). put: the assembled device. run: of device and
    segments, starting from standing; mirrored for a device on the left. cuffs: by name. loads: by segment."""

    side: str
    put: DeviceAssembly
    run: Result
    cuffs: dict[str, CuffLoad]
    loads: dict[str, Wrench]
    mirror: bool
    doubts: list[str]

    @property
    def bound(self) -> dict[str, CuffAttachment]:
        """Cuff attachments by name; in the mirrored frame for a device on the left."""
        return dict(zip(self.cuffs, self.put.bound, strict=True))

    @property
    def warnings(self) -> list[str]:
        """Warnings of the run, without the one about free motion: forward dynamics is intended for a device with degrees of
        freedom."""
        usual = describe_free_motion(self.run.mechanism.degrees_of_freedom)
        return [text for text in self.run.evidence.warnings if text != usual]

    def segment_of(self, cuff: str) -> str:
        """Name of the person's segment below a cuff."""
        segment = self.bound[cuff].segment
        return opposite_side_name(segment) if self.mirror else segment

    def place_of(self, cuff: str) -> Array:
        """Position of a cuff in the frame of its segment, m."""
        position = self.bound[cuff].place
        return position * SEGMENT_MIRROR_SIGNS if self.mirror else position

    def output(self, name: str) -> Array:
        """Values of an output of the run at the frames of the motion."""
        return self.run.array(name)[self.put.driven.first :]


@dataclass(frozen=True, repr=False)
class DeviceResult:
    """Result of gw.wear.put_on. device: as given. motion, forces, others: of the person, the ground and other loads on
    segments, without the device. phases: by name, start and end, s, of a motion without cycles. sides: by right, left or
    ''."""

    device: Model
    motion: SkeletonMotion
    forces: GroundForces
    others: dict[str, Wrench]
    cycles: Cycles
    phases: dict[str, tuple[float, float]]
    sides: dict[str, DeviceSide]
    source: str

    @property
    def name(self) -> str:
        return self.device.document.name

    @property
    def side(self) -> str | None:
        """right, left or both: the sides with a device; None for a device on the whole body."""
        sides = [side for side in self.sides if side]
        return "both" if len(sides) == 2 else next(iter(sides), None)

    @property
    def mass(self) -> float:
        """Mass of all devices, kg."""
        return sum(side.put.mass for side in self.sides.values())

    @property
    def notes(self) -> list[str]:
        """Warnings about the person, the device and the run."""
        person = self.motion.skeleton.subject.warnings
        return list(
            dict.fromkeys([*person, *(t for side in self.sides.values() for t in (*side.doubts, *side.warnings))])
        )

    @cached_property
    def loads(self) -> dict[str, Wrench]:
        """Loads of the device on the person, by segment; 0 in frames without a known motion."""
        loads: dict[str, Wrench] = {}
        for side in self.sides.values():
            for segment, wrench in side.loads.items():
                wrench_at_frames = Wrench(
                    *(self._at_all_times(side, part, 0.0) for part in (wrench.force, wrench.moment))
                )
                loads[segment] = loads[segment] + wrench_at_frames if segment in loads else wrench_at_frames
        return loads

    @cached_property
    def forces_with(self) -> GroundForces:
        """Ground forces with the device."""
        return add_device_loads(self.forces, self.loads.values())

    @cached_property
    def moments(self) -> xr.Dataset:
        """Joint moments without the device, as returned by gw.gait.joint_moments."""
        return joint_moments(self.motion, self.forces, loads=self.others)

    @cached_property
    def moments_with(self) -> xr.Dataset:
        """Joint moments that remain for the muscles with the device. NaN in frames without a known device."""
        moments = joint_moments(self.motion, self.forces_with, loads=self._all_loads())
        return moments.where(xr.DataArray(self.known, dims="time"))

    @property
    def known(self) -> Array:
        """(time,): True in frames in which all devices are known."""
        is_known = np.ones(len(self.motion.times), dtype=bool)
        for side in self.sides.values():
            in_run = np.zeros_like(is_known)
            in_run[side.put.driven.frames] = True
            is_known &= in_run
        return is_known

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
        return xr.Dataset(
            data, {"time": self.motion.times, "cuff": names, "axis": AXIS_NAMES, "segment": ("cuff", segments)}
        )

    def _at_all_times(self, side: DeviceSide, values: Array, outside: float) -> Array:
        filled = np.full((len(self.motion.times), *values.shape[1:]), outside)
        filled[side.put.driven.frames] = values
        return filled

    def power(self) -> xr.DataArray:
        """Power of all cuffs together on the person over time, W."""
        from gaitwright.gait.inverse_dynamics import segment_motions

        segments, total = segment_motions(self.motion), np.zeros(len(self.motion.times))
        for name, wrench in self.loads.items():
            segment_motion = segments[name]
            velocity = self.motion.velocity.to_numpy()[:, self.motion.segments.index(name)]
            moment = wrench.about(segment_motion.origin)
            total += np.einsum("ti,ti->t", wrench.force, velocity) + np.einsum("ti,ti->t", moment, segment_motion.spin)
        values = np.where(self.known, total, np.nan)
        return xr.DataArray(values, {"time": self.motion.times}, ("time",), "device power", {"units": "W"})

    def _repr_html_(self) -> str | None:
        """HTML for notebooks; None if it cannot be shown."""
        from gaitwright.report.views.gait_cards import device_card

        return device_card(self)

    def __repr__(self) -> str:
        subject = self.motion.skeleton.subject
        return f"<Worn: {self.name} on {self.where} of a person of {subject.mass:g} kg, {subject.height:g} m; {self.source}>"

    @property
    def where(self) -> str:
        """Parts of the body with cuffs, as text: 'the left leg', 'the right and the left leg', 'the whole body'."""
        segments = [str(name).partition("_")[0] for name in self.cuffs["segment"].to_numpy()]
        legs = [side for side in ("right", "left") if side in segments]
        if not set(segments) <= set(legs):
            return "the whole body"
        return f"the {' and the '.join(legs)} leg"

    def assistance(self) -> dict[str, Assistance]:
        """Assistance by joint: reduction of its moment by the device."""
        return self._assistance

    @cached_property
    def _assistance(self) -> dict[str, Assistance]:
        mass = self.motion.skeleton.subject.mass
        # compare with and without at the same instants
        without = self.moments.where(xr.DataArray(self.known, dims="time"))
        return assistance_of(without, self.moments_with, self.joint_power, self.cycles, mass, self.phases)

    @cached_property
    def joint_power(self) -> xr.Dataset:
        """Power of the device at each joint over time, about all its axes, W/kg."""
        return joint_power(self.moments, self.moments_with)

    def spine(self) -> dict[str, SpineLoad]:
        """Load at L5/S1, `without` and `with` the device, in frames with a known device; empty unless the device holds the
        trunk or the person lifts."""
        if self.motion.skeleton.carried or not ("trunk" in self.loads or "trunk" in self.others):
            return {}
        load_cases = {"without": self.others, "with": self._all_loads()}
        return {case: spine_load(self.motion, loads).at(self.known) for case, loads in load_cases.items()}

    def _all_loads(self) -> dict[str, Wrench]:
        """Loads of the device plus the other loads, by segment."""
        loads = dict(self.others)
        for segment, wrench in self.loads.items():
            loads[segment] = loads[segment] + wrench if segment in loads else wrench
        return loads

    @cached_property
    def mass_penalty(self) -> dict[str, float]:
        """Increase of each joint's peak moment by the mass of the device alone, N m. The device is simulated once more for
        it; empty if the light device cannot follow the motion."""
        from gaitwright.wear.mass_penalty import compute_mass_penalty

        return compute_mass_penalty(self)

    def measures(self) -> dict[str, float]:
        """Scalar measures for choosing and sweeping: see gw.wear.measures."""
        from gaitwright.wear.device_measures import measures

        return measures(self)

    def summary(self) -> dict[str, Any]:
        """Complete result as JSON-compatible numbers."""
        return self._summary

    @cached_property
    def _summary(self) -> dict[str, Any]:
        from gaitwright.wear.device_summary import summary_of

        return summary_of(self)

    def save(self, folder: str | Path, comfort: Comfort | None = None) -> dict[str, Path]:
        """Write device.yaml (fitted to the person), cuffs.csv, moments.csv, result.nc and summary.json; with the result of
        comfort() also comfort.csv. Return paths by content."""
        from gaitwright.wear.device_files import save_device_result

        return save_device_result(self, Path(folder), comfort)

    def comfort(self, **more: Any) -> Comfort:
        """Share of people that feels its cuffs: see gw.wear.comfort.comfort_of for the arguments."""
        from gaitwright.wear.comfort.device_comfort import comfort_of

        return comfort_of(self, **more)

    def report(self, folder: str | Path, comfort: Comfort | None = None) -> dict[str, Path]:
        """Write device.html: moments with and without the device on one page, and the result of comfort() if given."""
        from gaitwright.report.views.pages.device_page import device_report

        return device_report(self, comfort).save(Path(folder) / "device.html")


def mirror_cuff_load(load: CuffLoad, wrench: Wrench) -> CuffLoad:
    """Transform a mirrored load back: forces and positions are polar vectors, moments and rotations axial."""
    return CuffLoad(
        load.force * SEGMENT_MIRROR_SIGNS,
        -load.moment * SEGMENT_MIRROR_SIGNS,
        load.migration * SEGMENT_MIRROR_SIGNS,
        -load.turn * SEGMENT_MIRROR_SIGNS,
        wrench,
    )
