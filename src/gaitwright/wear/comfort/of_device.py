"""Pads, pressures and comfort of a device that is worn.

A cuff of type pad says what it is; of others the size is not known: they count as closed cuffs of WIDTH, which is said. The
limb's axis is the line of the segment; a pad that is drawn on the skin has its cuff's centre a radius further in. Straps that
nobody told have the least tension of a few with which the cuff carries its wrenches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.foot.layer import Layer
from gaitwright.mesh.kinds import Array
from gaitwright.wear.comfort.judging import Comfort, judge
from gaitwright.wear.comfort.thresholds import Table
from gaitwright.wear.pads.holding import TENSIONS
from gaitwright.wear.pads.pad import Pad
from gaitwright.wear.pads.pressure import METHODS, PadPressure, press

if TYPE_CHECKING:
    from gaitwright.model.worn_spec import Cuff
    from gaitwright.wear.worn import Side, Worn

WIDTH = 0.08
"""m, along the limb, of cuffs that do not tell theirs."""
REGIONS = {
    "thigh": {"": "thigh"},
    "shank": {"": "calf", "front": "shin"},
    "pelvis": {"": "pelvis", "back": "lower back"},
    "trunk": {"": "chest", "back": "upper back"},
    "foot": {"": "sole", "above": "instep"},
}
"""Which region of the body a segment's cuff presses, by its face."""
TRIED = 5
"""Instants of each kind of large load."""
SIDES = {"front": 0.0, "back": 180.0, "outer": 90.0, "inner": 270.0}
"""Degrees from the front, of the right leg; the left one is mirrored."""


class Placed(NamedTuple):
    """A pad on a limb. centre: (3,), m, from the cuff's place to the limb's axis. assumed: what was not told."""

    pad: Pad
    centre: Array
    assumed: tuple[str, ...]


def pads_of(worn: Worn, pads: Mapping[str, Pad] | None = None) -> dict[str, Placed]:
    """By cuff; pads: your own for some of them. Cuffs of the foot are left out: no limb, and no threshold is known."""
    given = dict(pads or {})
    names = [name for side in worn.sides.values() for name in side.cuffs]
    for name in given:
        At("pads").one_of(name, names, "is no cuff of this device")
    found = {}
    for side in worn.sides.values():
        for name in side.cuffs:
            made = _pad(side, name, given.get(name))
            if made is not None:
                found[name] = made
    return found


def _pad(side: Side, name: str, own: Pad | None) -> Placed | None:
    bound = side.bound[name]
    segment = bound.segment.rpartition("_")[2]
    if segment == "foot":
        return None
    place = side.place_of(name)
    made, assumed = (own, ()) if own is not None else _told(bound.cuff, segment, name, side.mirror)
    off = np.array([place[0], 0.0, place[2]])
    inward = made.outward * made.mean_radius
    centre = -inward if made.around < 360.0 and off @ made.outward > 0.5 * made.mean_radius else np.zeros(3)
    return Placed(made, centre, assumed)


def _told(cuff: Cuff, segment: str, name: str, mirrored: bool) -> tuple[Pad, tuple[str, ...]]:
    pad = cuff.pad
    face = "around" if pad is None else pad.face
    region = REGIONS[segment].get(face, REGIONS[segment][""])
    if pad is None:
        return Pad(region, WIDTH, 360.0, name=name), (f"a closed cuff {1e3 * WIDTH:.0f} mm wide",)
    cushion = Layer(float(pad.thickness), float(pad.youngs_modulus), float(pad.poissons_ratio))
    radius = None if pad.radius is None else float(pad.radius)
    assumed = () if radius is not None else ("the limb's radius",)
    if face not in SIDES or pad.width is None:
        return Pad(region, float(pad.height), 360.0, radius=radius, cushion=cushion, name=name), assumed
    facing = (-SIDES[face] if mirrored else SIDES[face]) % 360.0
    made = Pad.of_length(
        region, float(pad.height), float(pad.width), radius=radius, cushion=cushion, facing=facing, name=name
    )
    return made, assumed


def pressures_of(
    worn: Worn, method: str = "foundation", pads: Mapping[str, Pad] | None = None
) -> tuple[dict[str, PadPressure], list[str]]:
    """By cuff, over the frames in which the device is known, and notes: what was assumed, and what was left out and why."""
    At("press", "method").one_of(method, METHODS, "is no way to find a pressure")
    cuffs, worn_pads = worn.cuffs, pads_of(worn, pads)
    found: dict[str, PadPressure] = {}
    notes: list[str] = []
    for name, one in worn_pads.items():
        force, moment = (cuffs[kind].sel(cuff=name).to_numpy() for kind in ("force", "moment"))
        known = np.isfinite(force).all(axis=1) & np.isfinite(moment).all(axis=1)
        force, moment = force[known], moment[known]
        # about the limb's axis instead of the cuff's place: M' = M - c x F
        moment = moment - np.cross(one.centre, force)
        try:
            found[name], tension = _held(one.pad, force, moment, cuffs["time"].to_numpy()[known], method)
        except ModelError as error:
            notes.append(f"{name}: its pressure is not known: {error}")
            continue
        told = [*one.assumed, *([] if tension is None else [f"a strap of {tension:g} N"])]
        if told:
            notes.append(f"{name}: {' and '.join(told)} assumed")
    left = [name for name in cuffs["cuff"].to_numpy().tolist() if name not in worn_pads]
    notes += [f"{name}: on the foot; pressure and comfort there are not computed" for name in left]
    return found, notes


def _held(pad: Pad, force: Array, moment: Array, time: Array, method: str) -> tuple[PadPressure, float | None]:
    """With the strap that the pad has, or the least that holds it; which one is tried at the instants of the largest loads."""
    if pad.strap is not None:
        return press(pad, force, moment, time, method=method), None
    sizes = (np.linalg.norm(force[:, [0, 2]], axis=1), np.abs(force[:, 1]), np.linalg.norm(moment, axis=1))
    some = np.unique([np.argsort(size)[-TRIED:] for size in sizes])
    refused: ModelError | None = None
    for tension in TENSIONS:
        tied = replace(pad, strap=tension)
        try:
            tried = press(tied, force[some], moment[some], time[some])
            if tried.unheld.max() <= 0.0 or tension == TENSIONS[-1]:
                return press(tied, force, moment, time, method=method), tension
        except ModelError as error:
            refused = error
    assert refused is not None
    raise refused


def comfort_of(
    worn: Worn,
    *,
    thresholds: Table | None = None,
    sex: str | None = None,
    method: str = "foundation",
    pads: Mapping[str, Pad] | None = None,
    cycles_per_hour: float | None = None,
) -> Comfort:
    """Of a device that is worn, in all that the motion has. sex: men, women or all; that of the subject unless given. See
    judge."""
    found, notes = pressures_of(worn, method, pads)
    if not found:
        At(f"device '{worn.name}'", "cuffs").fail("have no pressure that could be judged", "; ".join(notes))
    records = None if cycles_per_hour is None else _records_per_hour(worn, cycles_per_hour)
    comfort = judge(found, thresholds=thresholds, sex=sex or people_like(worn), cycles_per_hour=records)
    return replace(comfort, notes=(*notes, *comfort.notes))


def people_like(worn: Worn) -> str:
    """men or women, as who wears it is; all where that is not told."""
    return {"male": "men", "female": "women"}.get(worn.motion.skeleton.subject.sex or "", "all")


def _records_per_hour(worn: Worn, cycles_per_hour: float) -> float:
    """How often the frames in which the device is known go by: several cycles at once, of who walks."""
    cycles = [cycle.duration for cycle in worn.cycles.all]
    times = worn.motion.times[worn.known]
    return cycles_per_hour * float(np.mean(cycles)) / float(times[-1] - times[0]) if cycles else cycles_per_hour
