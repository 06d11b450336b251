"""Simulate a device on a person in a motion: `worn = gw.wear.put_on(device, walk)`.

The person's motion is prescribed, measured or schematic, and the same as without the device. The device follows it, by
forward dynamics if cuffs or its own joints leave degrees of freedom, otherwise exactly. The cuff loads on the segments
enter the inverse dynamics of the person, and the ground also carries the weight and inertial loads of the device:
device_ground_forces.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import AnalysisError
from gaitwright.analysis.inverse import solve_inverse_dynamics
from gaitwright.gait.cycles import Cycles
from gaitwright.gait.ground_reaction import GroundForces
from gaitwright.gait.motion import SkeletonMotion
from gaitwright.gait.segment_loads import Wrench
from gaitwright.model.model import Model
from gaitwright.model.spec.device import PAIRED_SEGMENTS
from gaitwright.result.result import Result
from gaitwright.wear.cuff_loads import CuffLoad, cuff_load
from gaitwright.wear.device_assembly import DeviceAssembly, assemble_device, cuff_element_name, device_section
from gaitwright.wear.device_result import DeviceResult, DeviceSide, mirror_cuff_load
from gaitwright.wear.mirror import mirror_motion, mirror_wrench, opposite_side_name
from gaitwright.wear.motion_cycles import cycle_phases, find_force_cycles
from gaitwright.wear.plausibility import plausibility_warnings, spring_warnings

MAX_STEP_SECONDS = 2.5e-3
"""s: largest step of forward dynamics; half of it changes cuff forces on a walk by 0.1 % of their largest."""
SPECTRAL_RADIUS = 0.5
"""Spectral radius of generalized-alpha: vibrations faster than the sampling rate of a motion are damped out."""
MAX_STIFF_CUFF_SHIFT_M, MAX_STIFF_CUFF_ROTATION_RAD = 2e-3, 0.05
"""Displacement, m, and rotation, rad, that a stiff cuff in place of a rigid one may reach: 2 kN, 500 N m, more than limbs
bear."""
SIDE_CHOICES = {"right": ("right",), "left": ("left",), "both": ("right", "left")}


class PersonMotion(NamedTuple):
    """Motion of a person with the ground forces and other loads on the segments."""

    motion: SkeletonMotion
    forces: GroundForces
    loads: dict[str, Wrench]
    cycles: Cycles
    phases: dict[str, tuple[float, float]]
    name: str


def put_on(
    device: Model,
    walk: Any,
    forces: GroundForces | None = None,
    *,
    side: str | None = None,
    step: float = MAX_STEP_SECONDS,
) -> DeviceResult:
    """Put a device on a person and simulate it along a motion.

    device: a model with cuffs, gw.wear.load(file) or one of gw.wear.devices. walk: an object with a motion and forces: the
    result of gw.gait.schematic_walk, sit_to_stand, lift or analyse; or a SkeletonMotion, with `forces`. side: right, left
    or both; overrides the side of the device. step: s, largest step of forward dynamics. Raises ModelError for invalid
    arguments, and an AnalysisError if the device cannot follow the motion."""
    worn = device_section(device)
    is_for_leg = any(cuff.segment in PAIRED_SEGMENTS for cuff in worn.cuffs)
    if side is not None:
        ErrorContext("put_on", "side").one_of(side, SIDE_CHOICES, "is not a side of the body")
        if not is_for_leg:
            ErrorContext("put_on", "side").fail(
                "is given for a device that is worn by the whole body: its cuffs name their sides", side, "no side"
            )
    chosen_side = (side or worn.side or "right") if is_for_leg else None
    person = _read_person_motion(walk, forces)
    sides: dict[str, DeviceSide] = {}
    for side_name in SIDE_CHOICES[chosen_side] if chosen_side else ("",):
        sides[side_name] = _simulate_side(device, person, side_name, ErrorContext("put_on", "step").positive(step, "s"))
    return DeviceResult(
        device, person.motion, person.forces, person.loads, person.cycles, person.phases, sides, person.name
    )


def _read_person_motion(walk: Any, forces: GroundForces | None) -> PersonMotion:
    if isinstance(walk, DeviceResult):  # reuse its person and motion for another device
        return PersonMotion(walk.motion, walk.forces, walk.others, walk.cycles, walk.phases, walk.source)
    motion = walk if isinstance(walk, SkeletonMotion) else getattr(walk, "motion", None)
    if motion is None:
        ErrorContext("put_on", "walk").fail(
            "has no motion of a person", type(walk).__name__,
            "gw.gait.schematic_walk(subject), gw.gait.analyse(trial, subject), or a motion with forces",
        )  # fmt: skip
    ground_forces = forces if forces is not None else getattr(walk, "forces", None)
    if isinstance(ground_forces, Mapping):
        ground_forces = ground_forces.get("measured") or ground_forces.get("predicted")
    if ground_forces is None:
        ErrorContext("put_on", "forces").fail(
            "are missing", expected="forces of the ground: gw.gait.ground_forces_from_plates(trial) or predicted"
        )
    cycles = getattr(walk, "cycles", None)
    if not isinstance(cycles, Cycles):
        cycles = find_force_cycles(ground_forces)
    loads = getattr(walk, "loads", None)
    phases = {} if cycles.all else getattr(walk, "phases", {})
    notes = [str(note) for note in getattr(walk, "notes", ()) if str(note).startswith("SCHEMATIC")]
    name = getattr(walk, "name", None) or next(iter(notes), None) or "a motion"
    return PersonMotion(
        motion, ground_forces, dict(loads) if isinstance(loads, Mapping) else {}, cycles, phases, str(name)
    )


def _simulate_side(device: Model, person: PersonMotion, side: str, step: float) -> DeviceSide:
    mirror = side == "left"
    motion = mirror_motion(person.motion) if mirror else person.motion
    phase = cycle_phases(person.cycles, side or "right", person.motion.times)
    assembly = assemble_device(device, motion, phase)
    try:
        run = _run_assembly(assembly, motion.rate, step)
    except AnalysisError as error:
        rigid = [attachment.cuff.name for attachment in assembly.bound if attachment.cuff.type == "rigid"]
        if spring_notes := spring_warnings(device):
            raise type(error)(f"{error}; {'; '.join(spring_notes)}") from None
        if len(rigid) < 2:
            raise
        assembly = assemble_device(device, motion, phase, tuple(rigid[1:]))
        run = _run_with_stiff_cuffs(assembly, motion.rate, step, error)
    cuff_loads: dict[str, CuffLoad] = {}
    loads: dict[str, Wrench] = {}
    for attachment in assembly.bound:
        load = cuff_load(attachment, run, assembly.driven, motion)
        segment = attachment.segment
        if mirror:
            load, segment = mirror_cuff_load(load, mirror_wrench(load.wrench)), opposite_side_name(segment)
        name = f"{side}_{attachment.cuff.name}" if side else attachment.cuff.name
        cuff_loads[name] = load
        loads[segment] = loads[segment] + load.wrench if segment in loads else load.wrench
    return DeviceSide(
        side, assembly, run, cuff_loads, loads, mirror, plausibility_warnings(assembly, run, motion.skeleton)
    )


def _run_assembly(assembly: DeviceAssembly, rate: float, step: float) -> Result:
    """Run device and segments, with an output at every frame."""
    parts = max(1, math.ceil(1.0 / (rate * step) - 1e-9))
    return solve_inverse_dynamics(
        assembly.model.mechanism(), assembly.driven.times, document=assembly.model.to_dict(), method="generalized-alpha",
        step=1.0 / (rate * parts), every=parts, spectral_radius=SPECTRAL_RADIUS,
    )  # fmt: skip


def _run_with_stiff_cuffs(assembly: DeviceAssembly, rate: float, step: float, error: AnalysisError) -> Result:
    """Run with all rigid cuffs except the first replaced by stiff ones: rigid cuffs and the joints of the device can demand
    motions that the person's joints deviate from, if only by rounding of measured data. Raises if a stiff cuff moves too
    far."""
    stiff = [f"{cuff_element_name(name)}.{kind}{axis}" for name in assembly.stiff for kind in "de" for axis in "xyz"]
    try:
        run = _run_assembly(assembly, rate, step)
        displacements = np.array([np.abs(run.array(name)[assembly.driven.first :]).max() for name in stiff]).reshape(
            -1, 2, 3
        )
    except AnalysisError:
        displacements = np.array([[[np.inf]], [[np.inf]]])
    if (displacements[:, 0] > MAX_STIFF_CUFF_SHIFT_M).any() or (
        displacements[:, 1] > MAX_STIFF_CUFF_ROTATION_RAD
    ).any():
        raise type(error)(
            f"the device '{assembly.device.document.name}' cannot follow the person, whose joints turn about other axes than "
            f"its own; its rigid cuffs leave no room for {', '.join(assembly.stiff)} to give: make one of them a bushing "
            "or a pad"
        ) from None
    return run
