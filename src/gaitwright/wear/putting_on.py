"""A device on a person in a motion: `worn = gw.wear.put_on(device, walk)`.

The person moves as without it: measured, or schematic. The device follows, by forward dynamics where cuffs or its own joints
leave it freedom, exactly where they do not. What its cuffs do to the segments goes into the inverse dynamics of the person, and
the ground carries what the device weighs and needs: ground.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.inverse import inverse
from gaitwright.checks import At
from gaitwright.errors import AnalysisError
from gaitwright.gait.cycles import Cycles
from gaitwright.gait.forces import GroundForces
from gaitwright.gait.loads import Wrench
from gaitwright.gait.motion import Motion
from gaitwright.model.model import Model
from gaitwright.model.worn_spec import PAIRED
from gaitwright.result.result import Result
from gaitwright.wear.cuffs import CuffLoad, cuff_load
from gaitwright.wear.cycle import cycles_of, phase_of
from gaitwright.wear.mirror import mirrored_motion, mirrored_wrench, other_side
from gaitwright.wear.plausible import doubts, slips
from gaitwright.wear.wearing import Put, element_of, put, worn_of
from gaitwright.wear.worn import Side, Worn, mirrored_load

STEP = 2.5e-3
"""s, at most, of forward dynamics: half of it changes forces of cuffs by 0.1 % of their largest on a walk."""
RADIUS = 0.5
"""Spectral radius of generalized-alpha: what vibrates faster than a motion is sampled dies out."""
GIVES, TURNS = 2e-3, 0.05
"""m and rad, by which a rigid cuff that is taken as stiff may give: 2 kN, 500 N m, more than limbs bear."""
SIDES = {"right": ("right",), "left": ("left",), "both": ("right", "left")}


class Worked(NamedTuple):
    """Of a person who moves: what the ground and other things do to the segments."""

    motion: Motion
    forces: GroundForces
    loads: dict[str, Wrench]
    cycles: Cycles
    phases: dict[str, tuple[float, float]]
    name: str


def put_on(
    device: Model, walk: Any, forces: GroundForces | None = None, *, side: str | None = None, step: float = STEP
) -> Worn:
    """device: a model with cuffs, gw.wear.load(file) or one of gw.wear.devices. walk: whatever has a motion and forces: that of
    gw.gait.schematic_walk, sit_to_stand or lift, of gw.gait.analyse; or a Motion, with forces. side: right, left or both, over
    that of the device. step: s, at most, of forward dynamics."""
    worn = worn_of(device)
    of_a_leg = any(cuff.segment in PAIRED for cuff in worn.cuffs)
    if side is not None:
        At("put_on", "side").one_of(side, SIDES, "is not a side of the body")
        if not of_a_leg:
            At("put_on", "side").fail(
                "is asked of a device that is worn by the whole body: its cuffs name their sides", side, "no side"
            )
    wanted = (side or worn.side or "right") if of_a_leg else None
    person = _person(walk, forces)
    sides: dict[str, Side] = {}
    for one in SIDES[wanted] if wanted else ("",):
        sides[one] = _worn_on(device, person, one, At("put_on", "step").positive(step, "s"))
    return Worn(device, person.motion, person.forces, person.loads, person.cycles, person.phases, sides, person.name)


def _person(walk: Any, forces: GroundForces | None) -> Worked:
    if isinstance(walk, Worn):  # the same person and motion, with another device
        return Worked(walk.motion, walk.forces, walk.others, walk.cycles, walk.phases, walk.source)
    motion = walk if isinstance(walk, Motion) else getattr(walk, "motion", None)
    if motion is None:
        At("put_on", "walk").fail(
            "has no motion of a person", type(walk).__name__,
            "gw.gait.schematic_walk(subject), gw.gait.analyse(trial, subject), or a motion with forces",
        )  # fmt: skip
    known = forces if forces is not None else getattr(walk, "forces", None)
    if isinstance(known, Mapping):
        known = known.get("measured") or known.get("predicted")
    if known is None:
        At("put_on", "forces").fail(
            "are missing", expected="forces of the ground: gw.gait.measured(trial) or predicted"
        )
    cycles = getattr(walk, "cycles", None)
    if not isinstance(cycles, Cycles):
        cycles = cycles_of(known)
    loads = getattr(walk, "loads", None)
    phases = {} if cycles.all else getattr(walk, "phases", {})
    notes = [str(note) for note in getattr(walk, "notes", ()) if str(note).startswith("SCHEMATIC")]
    name = getattr(walk, "name", None) or next(iter(notes), None) or "a motion"
    return Worked(motion, known, dict(loads) if isinstance(loads, Mapping) else {}, cycles, phases, str(name))


def _worn_on(device: Model, person: Worked, side: str, step: float) -> Side:
    mirror = side == "left"
    motion = mirrored_motion(person.motion) if mirror else person.motion
    phase = phase_of(person.cycles, side or "right", person.motion.times)
    what = put(device, motion, phase)
    try:
        run = _follow(what, motion.rate, step)
    except AnalysisError as error:
        rigid = [one.cuff.name for one in what.bound if one.cuff.type == "rigid"]
        if said := slips(device):
            raise type(error)(f"{error}; {'; '.join(said)}") from None
        if len(rigid) < 2:
            raise
        what = put(device, motion, phase, tuple(rigid[1:]))
        run = _with_stiff_cuffs(what, motion.rate, step, error)
    found: dict[str, CuffLoad] = {}
    loads: dict[str, Wrench] = {}
    for one in what.bound:
        load = cuff_load(one, run, what.driven, motion)
        segment = one.segment
        if mirror:
            load, segment = mirrored_load(load, mirrored_wrench(load.wrench)), other_side(segment)
        name = f"{side}_{one.cuff.name}" if side else one.cuff.name
        found[name] = load
        loads[segment] = loads[segment] + load.wrench if segment in loads else load.wrench
    return Side(side, what, run, found, loads, mirror, doubts(what, run, motion.skeleton))


def _follow(what: Put, rate: float, step: float) -> Result:
    """The run of device and segments, with an output at every frame."""
    parts = max(1, math.ceil(1.0 / (rate * step) - 1e-9))
    return inverse(
        what.model.mechanism(), what.driven.times, document=what.model.to_dict(), method="generalized-alpha",
        step=1.0 / (rate * parts), every=parts, spectral_radius=RADIUS,
    )  # fmt: skip


def _with_stiff_cuffs(what: Put, rate: float, step: float, error: AnalysisError) -> Result:
    """Where rigid cuffs and the joints of the device ask for what the person's joints do not quite do, if only by rounding of
    what was measured: all but the first of them stiff instead."""
    stiff = [f"{element_of(name)}.{kind}{axis}" for name in what.stiff for kind in "de" for axis in "xyz"]
    try:
        run = _follow(what, rate, step)
        moved = np.array([np.abs(run.values(name)[what.driven.first :]).max() for name in stiff]).reshape(-1, 2, 3)
    except AnalysisError:
        moved = np.array([[[np.inf]], [[np.inf]]])
    if (moved[:, 0] > GIVES).any() or (moved[:, 1] > TURNS).any():
        raise type(error)(
            f"the device '{what.device.document.name}' cannot follow the person, whose joints turn about other axes than its "
            f"own; its rigid cuffs leave no room for {', '.join(what.stiff)} to give: make one of them a bushing or a pad"
        ) from None
    return run
