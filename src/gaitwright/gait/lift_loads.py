"""Lifting a load from the ground without laboratory data: motion, ground forces and load for a person of given size.

box = gw.gait.lift(gw.gait.Subject(73, 1.74), style="stoop", load=15)
box.motion, box.forces, box.loads["trunk"]            # the load, through the arms
box.moments()["lumbar_moment"]                        # N m/kg
gw.gait.spine_load(box.motion, box.loads).compression

SCHEMATIC: angles of knee, hip and trunk of normative_data/lift.yaml, from standing down to the load, where hands take it,
and up again along the same path. Feet stay flat and still; the ankles balance (stationary_feet.py), first the body, then
half of the load before it is taken, as people do in preparation, and finally all of it.

Arms have no joints: the trunk includes their mass, hanging along it. So load and arms act on the trunk as loads. The sheet
defines the distance of the hands ahead of and below the shoulders, independent of the trunk's lean; the load acts there with
taken m (g + a), with taken rising from 0 to 1 while the hands are still. The weight of the arms acts at their position
between shoulders and hands, minus its part that the trunk already includes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright.gait.filters import derivative
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2
from gaitwright.gait.normative_data import schematic_motion_sheet
from gaitwright.gait.schematic_motion import SchematicMotion, build_motion, required_ground_wrench, sample_times
from gaitwright.gait.segment_loads import Wrench
from gaitwright.gait.stationary_feet import (
    MinimumJerkMoves,
    SagittalAngles,
    StationaryFeetModel,
    TrunkCarriedMass,
    minimum_jerk_path,
)
from gaitwright.gait.subject import Subject

Array = np.ndarray
REST_SECONDS = 0.3
"""s: rest before and after the motion."""


@dataclass(frozen=True, repr=False)
class Lift(SchematicMotion):
    """Result of lift. loads: load in the hands, and arms, on the trunk. phases: `standing`, `reaching`, `taking`, `lifting`,
    `holding`. style: 'stoop' or 'squat'. load: kg. hands: (time, 3), m, position; they hold the load from `taking` on."""

    style: str
    load: float
    hands: Array


class ArmProperties(NamedTuple):
    """Both arms. mass: kg. below: m, distance of their centre below the shoulders while they hang. part: fraction of the
    distance to the hands."""

    mass: float
    below: float
    part: float


def _arm_properties(subject: Subject) -> ArmProperties:
    top, mass, moment = 0.0, 0.0, 0.0
    for kind in ("upper_arm", "forearm", "hand"):
        share = subject.share(kind)
        mass, moment = mass + share.mass, moment + share.mass * (top + share.centre * share.length)
        top += share.length
    return ArmProperties(2 * mass, moment / mass, moment / mass / top)


def _lifting_moves(row: list[float], start: float, down: float, up: float, end: float) -> MinimumJerkMoves:
    """Moves from standing to the load and from there to holding it."""
    standing, low, held = row
    return [[start, down, low - standing], [up, end, held - low]]


def lift(
    subject: Subject, style: str = "stoop", load: float = 10.0, seconds: float | None = None, rate: float = 100.0,
    *, gravity: float = GRAVITY_M_PER_S2,
) -> Lift:  # fmt: skip
    """Lifting of a load in front of the feet by a person, with 0.3 s of rest before and after.

    style: 'stoop', by the back, or 'squat', by the legs. load: kg, 0 for the motion alone. seconds: duration of the way
    down, and again of the way up; default 2. rate: frames per second. Raises ModelError for invalid arguments, and if the
    ground force would act outside the feet."""
    at = ErrorContext("lift")
    sheet = schematic_motion_sheet("lift")
    at["style"].one_of(style, sheet["styles"], "is no style of lifting")
    if not is_number(load) or load < 0:
        at["load"].fail("is no mass", load, "a number of kg, 0 or more")
    seconds = at["seconds"].positive(sheet["seconds"] if seconds is None else seconds, "s")
    down, up = REST_SECONDS + seconds, REST_SECONDS + seconds + sheet["take"]
    times = sample_times(at, up + seconds + REST_SECONDS, rate)
    body = StationaryFeetModel(subject)
    part = np.minimum(np.clip((times - REST_SECONDS) / seconds, 0, 1), np.clip(1 - (times - up) / seconds, 0, 1))
    hands_of = sheet["styles"][style]["hands"]
    ahead, below = (
        subject.height
        * minimum_jerk_path(
            times, _lifting_moves(hands_of[name], REST_SECONDS, down, up, up + seconds), hands_of[name][0]
        )
        for name in ("ahead", "below")
    )
    reach = np.column_stack([ahead, 0 * ahead, -below])
    arms, shoulders = _arm_properties(subject), subject.above_hips("shoulders") - subject.share("pelvis").length
    top, along = np.array([0.0, shoulders, 0.0]), np.array([0.0, shoulders - arms.below, 0.0])
    ready, still = sheet["ready"], np.ones(len(times))
    counted = load * minimum_jerk_path(times, [[REST_SECONDS, down, ready], [up, up + 0.6 * seconds, 1 - ready]])
    carried = [
        TrunkCarriedMass(counted, top, reach), TrunkCarriedMass(arms.mass * still, top, arms.part * reach),
        TrunkCarriedMass(-arms.mass * still, along, 0 * reach),
    ]  # fmt: skip
    angles = body.balanced(SagittalAngles.read(sheet["styles"][style], part), sheet["over"] * subject.height, carried)
    motion = build_motion(body.skeleton, times, rate, body.poses(angles))
    hands = motion.place("trunk", top) + reach

    def pulling(mass: Array, place: Array) -> Wrench:
        return Wrench.at(place, -mass[:, None] * (derivative(place, rate, 2) + np.array([0.0, 0.0, gravity])))

    taken = load * minimum_jerk_path(times, [[down, up, 1.0]])
    loads = {"trunk": pulling(taken, hands)}
    for one in carried[1:]:
        loads["trunk"] += pulling(one.mass, motion.place("trunk", one.local) + one.reach)
    whole = required_ground_wrench(motion, gravity, loads)
    inside = min(body.inside(whole))
    if inside < 0:
        at["load"].fail(
            f"lifting {load:g} kg like this within {seconds:g} s, the ground would act {-1e3 * inside:.0f} mm outside the feet",
            expected="a lighter load, or more seconds",
        )
    phases = {
        "standing": (0.0, REST_SECONDS), "reaching": (REST_SECONDS, down), "taking": (down, up), "lifting": (up, up + seconds),
        "holding": (up + seconds, float(times[-1])),
    }  # fmt: skip
    grip = hands[np.searchsorted(times, down)]
    notes = [
        f"SCHEMATIC: lifting by {style} of no real person, by gw.gait.lift; both sides do the same, arms are part of the trunk",
        f"{load:g} kg are taken at a height of {grip[2]:.2f} m, {grip[0]:.2f} m before the ankles, and held {ahead[-1]:.2f} m "
        f"before and {below[-1]:.2f} m below the shoulders",
        f"the ground acts at least {1e3 * inside:.0f} mm inside the outline of the feet",
    ]  # fmt: skip
    return Lift(motion, body.forces(motion, whole), loads, phases, notes, style, float(load), hands)
