"""Pads, pressures and comfort of a worn device.

A cuff of type pad defines its size; other cuffs count as closed cuffs of width DEFAULT_CUFF_WIDTH_M, which is noted. The limb's
axis is the line of the segment; for a pad drawn on the skin, the cuff's centre lies one radius further in. A strap without a
given tension gets the smallest of the STRAP_TENSIONS_N with which the cuff carries its wrenches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.foot.soft_layers import SoftLayer
from gaitwright.mesh.cell_kinds import Array
from gaitwright.wear.comfort.assessment import Comfort, judge
from gaitwright.wear.comfort.thresholds import ThresholdTable
from gaitwright.wear.pads.load_limits import STRAP_TENSIONS_N
from gaitwright.wear.pads.pad import CuffPad
from gaitwright.wear.pads.pressure import PRESSURE_METHODS, PadPressure, press

if TYPE_CHECKING:
    from gaitwright.model.spec.device import CuffSpec
    from gaitwright.wear.device_result import DeviceResult, DeviceSide

DEFAULT_CUFF_WIDTH_M = 0.08
"""m, along the limb, of cuffs that define no width."""
REGIONS_BY_SEGMENT_AND_FACE = {
    "thigh": {"": "thigh"},
    "shank": {"": "calf", "front": "shin"},
    "pelvis": {"": "pelvis", "back": "lower back"},
    "trunk": {"": "chest", "back": "upper back"},
    "foot": {"": "sole", "above": "instep"},
}
"""Body region below a cuff, by segment and face."""
STRAP_TRIAL_INSTANTS = 5
"""Instants of each kind of large load (radial force, axial force, moment) at which a strap tension is tried."""
FACE_ANGLES_DEG = {"front": 0.0, "back": 180.0, "outer": 90.0, "inner": 270.0}
"""Degrees from the front, of the right leg; the left one is mirrored."""


class PadPlacement(NamedTuple):
    """A pad on a limb. centre: (3,), m, from the cuff's position to the limb's axis. assumed: values that the device omits."""

    pad: CuffPad
    centre: Array
    assumed: tuple[str, ...]


def pads_of(worn: DeviceResult, pads: Mapping[str, CuffPad] | None = None) -> dict[str, PadPlacement]:
    """Pads by cuff; pads: your own for some of them. Foot cuffs are left out: a foot has no limb section, and no threshold is
    known."""
    given = dict(pads or {})
    names = [name for side in worn.sides.values() for name in side.cuffs]
    for name in given:
        ErrorContext("pads").one_of(name, names, "is no cuff of this device")
    placements = {}
    for side in worn.sides.values():
        for name in side.cuffs:
            placement = _place_pad(side, name, given.get(name))
            if placement is not None:
                placements[name] = placement
    return placements


def _place_pad(side: DeviceSide, name: str, own: CuffPad | None) -> PadPlacement | None:
    bound = side.bound[name]
    segment = bound.segment.rpartition("_")[2]
    if segment == "foot":
        return None
    place = side.place_of(name)
    pad, assumed = (own, ()) if own is not None else _pad_from_cuff(bound.cuff, segment, name, side.mirror)
    off = np.array([place[0], 0.0, place[2]])
    inward = pad.outward * pad.mean_radius
    centre = -inward if pad.around < 360.0 and off @ pad.outward > 0.5 * pad.mean_radius else np.zeros(3)
    return PadPlacement(pad, centre, assumed)


def _pad_from_cuff(cuff: CuffSpec, segment: str, name: str, mirrored: bool) -> tuple[CuffPad, tuple[str, ...]]:
    pad = cuff.pad
    face = "around" if pad is None else pad.face
    region = REGIONS_BY_SEGMENT_AND_FACE[segment].get(face, REGIONS_BY_SEGMENT_AND_FACE[segment][""])
    if pad is None:
        return CuffPad(region, DEFAULT_CUFF_WIDTH_M, 360.0, name=name), (
            f"a closed cuff {1e3 * DEFAULT_CUFF_WIDTH_M:.0f} mm wide",
        )
    cushion = SoftLayer(float(pad.thickness), float(pad.youngs_modulus), float(pad.poissons_ratio))
    radius = None if pad.radius is None else float(pad.radius)
    assumed = () if radius is not None else ("the limb's radius",)
    if face not in FACE_ANGLES_DEG or pad.width is None:
        return CuffPad(region, float(pad.height), 360.0, radius=radius, cushion=cushion, name=name), assumed
    facing = (-FACE_ANGLES_DEG[face] if mirrored else FACE_ANGLES_DEG[face]) % 360.0
    made = CuffPad.of_length(
        region, float(pad.height), float(pad.width), radius=radius, cushion=cushion, facing=facing, name=name
    )
    return made, assumed


def pressures_of(
    worn: DeviceResult, method: str = "foundation", pads: Mapping[str, CuffPad] | None = None
) -> tuple[dict[str, PadPressure], list[str]]:
    """Pressures by cuff, over the frames with a known device, and notes about assumptions and omitted cuffs.

    method: as in gw.wear.press. pads: as in pads_of. Raises ModelError for an unknown method."""
    ErrorContext("press", "method").one_of(method, PRESSURE_METHODS, "is no way to find a pressure")
    cuffs, worn_pads = worn.cuffs, pads_of(worn, pads)
    pressures: dict[str, PadPressure] = {}
    notes: list[str] = []
    for name, one in worn_pads.items():
        force, moment = (cuffs[kind].sel(cuff=name).to_numpy() for kind in ("force", "moment"))
        known = np.isfinite(force).all(axis=1) & np.isfinite(moment).all(axis=1)
        force, moment = force[known], moment[known]
        # about the limb's axis instead of the cuff's place: M' = M - c x F
        moment = moment - np.cross(one.centre, force)
        try:
            pressures[name], tension = _press_with_strap(
                one.pad, force, moment, cuffs["time"].to_numpy()[known], method
            )
        except ModelError as error:
            notes.append(f"{name}: its pressure is not known: {error}")
            continue
        assumptions = [*one.assumed, *([] if tension is None else [f"a strap of {tension:g} N"])]
        if assumptions:
            notes.append(f"{name}: {' and '.join(assumptions)} assumed")
    left = [name for name in cuffs["cuff"].to_numpy().tolist() if name not in worn_pads]
    notes += [f"{name}: on the foot; pressure and comfort there are not computed" for name in left]
    return pressures, notes


def _press_with_strap(
    pad: CuffPad, force: Array, moment: Array, time: Array, method: str
) -> tuple[PadPressure, float | None]:
    """Pressure with the pad's own strap, or with the smallest tension that holds the pad at the instants of the largest loads;
    also return that tension, N (None for the pad's own strap)."""
    if pad.strap is not None:
        return press(pad, force, moment, time, method=method), None
    sizes = (np.linalg.norm(force[:, [0, 2]], axis=1), np.abs(force[:, 1]), np.linalg.norm(moment, axis=1))
    some = np.unique([np.argsort(size)[-STRAP_TRIAL_INSTANTS:] for size in sizes])
    refused: ModelError | None = None
    for tension in STRAP_TENSIONS_N:
        tied = replace(pad, strap=tension)
        try:
            tried = press(tied, force[some], moment[some], time[some])
            if tried.unheld.max() <= 0.0 or tension == STRAP_TENSIONS_N[-1]:
                return press(tied, force, moment, time, method=method), tension
        except ModelError as error:
            refused = error
    assert refused is not None
    raise refused


def comfort_of(
    worn: DeviceResult,
    *,
    thresholds: ThresholdTable | None = None,
    sex: str | None = None,
    method: str = "foundation",
    pads: Mapping[str, CuffPad] | None = None,
    cycles_per_hour: float | None = None,
) -> Comfort:
    """Assess the comfort of a worn device over its whole motion. sex: men, women or all; default: sex of the subject.

    See judge for the other arguments. Raises ModelError if no cuff has a pressure."""
    pressures, notes = pressures_of(worn, method, pads)
    if not pressures:
        ErrorContext(f"device '{worn.name}'", "cuffs").fail("have no pressure that could be judged", "; ".join(notes))
    records = None if cycles_per_hour is None else _records_per_hour(worn, cycles_per_hour)
    comfort = judge(pressures, thresholds=thresholds, sex=sex or threshold_sex(worn), cycles_per_hour=records)
    return replace(comfort, notes=(*notes, *comfort.notes))


def threshold_sex(worn: DeviceResult) -> str:
    """men or women, by the sex of the wearer; all if it is not given."""
    return {"male": "men", "female": "women"}.get(worn.motion.skeleton.subject.sex or "", "all")


def _records_per_hour(worn: DeviceResult, cycles_per_hour: float) -> float:
    """Number of repetitions per hour of the known frames; in a walk they can hold several cycles."""
    cycles = [cycle.duration for cycle in worn.cycles.all]
    times = worn.motion.times[worn.known]
    return cycles_per_hour * float(np.mean(cycles)) / float(times[-1] - times[0]) if cycles else cycles_per_hour
