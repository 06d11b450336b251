"""Lifting a load from the ground without a laboratory: motion, forces of the ground and of the load of a person of a size.

box = gw.gait.lift(gw.gait.Subject(73, 1.74), style="stoop", load=15)
box.motion, box.forces, box.loads["trunk"]            # the load, through the arms
box.moments()["lumbar_moment"]                        # N m/kg
gw.gait.spine_load(box.motion, box.loads).compression

SCHEMATIC: angles of knee, hip and trunk of normal/lift.yaml, from standing down to the load, where hands take it, and up again
the same way. Feet stay flat and still; the ankles balance (still_feet.py), first for the body, then for half of the load before
it is taken, as people get ready, and at last for all of it.

Arms have no joints: their mass is in the trunk, hanging along it. So load and arms act on the trunk as loads. Hands are so far
ahead and below the shoulders as the sheet says, whatever the trunk's lean; there the load pulls with taken m (g + a), taken
from 0 to 1 while the hands are still. Arms pull where they are, between shoulders and hands, less where the trunk has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gaitwright.checks import At, is_number
from gaitwright.gait.filters import derivative
from gaitwright.gait.loads import Wrench
from gaitwright.gait.moments import GRAVITY
from gaitwright.gait.normal import motion_sheet
from gaitwright.gait.schematic_motion import SchematicMotion, from_ground, instants, motion_of
from gaitwright.gait.still_feet import Angles, Carried, Moves, StillFeet, moved
from gaitwright.gait.subject import Subject

Array = np.ndarray
REST = 0.3
"""s, before and after."""


@dataclass(frozen=True, repr=False)
class Lift(SchematicMotion):
    """loads: that in the hands and the arms, on the trunk. phases: `standing`, `reaching`, `taking`, `lifting`, `holding`.
    style: 'stoop' or 'squat'. load: kg. hands: (time, 3), m, where they are; they have the load from `taking` on."""

    style: str
    load: float
    hands: Array


class Arms(NamedTuple):
    """mass: kg, of both. below: m, of their centre, below the shoulders while they hang. part: of the way to the hands."""

    mass: float
    below: float
    part: float


def _arms(subject: Subject) -> Arms:
    top, mass, moment = 0.0, 0.0, 0.0
    for kind in ("upper_arm", "forearm", "hand"):
        share = subject.share(kind)
        mass, moment = mass + share.mass, moment + share.mass * (top + share.centre * share.length)
        top += share.length
    return Arms(2 * mass, moment / mass, moment / mass / top)


def _timed(row: list[float], start: float, down: float, up: float, end: float) -> Moves:
    """Standing, at the load, holding it: the way down and the way up."""
    standing, low, held = row
    return [[start, down, low - standing], [up, end, held - low]]


def lift(
    subject: Subject, style: str = "stoop", load: float = 10.0, seconds: float | None = None, rate: float = 100.0,
    *, gravity: float = GRAVITY,
) -> Lift:  # fmt: skip
    """A person of this mass, height and sex who bends to a load before the feet, takes it and lifts it; 0.3 s of rest before
    and after.

    style: 'stoop', by the back, or 'squat', by the legs. load: kg, 0 for the motion alone. seconds: of the way down, and again
    of the way up; 2 unless told. rate: frames a second. Refused where the ground would have to act outside the feet."""
    at = At("lift")
    sheet = motion_sheet("lift")
    at["style"].one_of(style, sheet["styles"], "is no style of lifting")
    if not is_number(load) or load < 0:
        at["load"].fail("is no mass", load, "a number of kg, 0 or more")
    seconds = at["seconds"].positive(sheet["seconds"] if seconds is None else seconds, "s")
    down, up = REST + seconds, REST + seconds + sheet["take"]
    times = instants(at, up + seconds + REST, rate)
    body = StillFeet(subject)
    part = np.minimum(np.clip((times - REST) / seconds, 0, 1), np.clip(1 - (times - up) / seconds, 0, 1))
    hands_of = sheet["styles"][style]["hands"]
    ahead, below = (
        subject.height * moved(times, _timed(hands_of[name], REST, down, up, up + seconds), hands_of[name][0])
        for name in ("ahead", "below")
    )
    reach = np.column_stack([ahead, 0 * ahead, -below])
    arms, shoulders = _arms(subject), subject.above_hips("shoulders") - subject.share("pelvis").length
    top, along = np.array([0.0, shoulders, 0.0]), np.array([0.0, shoulders - arms.below, 0.0])
    ready, still = sheet["ready"], np.ones(len(times))
    counted = load * moved(times, [[REST, down, ready], [up, up + 0.6 * seconds, 1 - ready]])
    carried = [
        Carried(counted, top, reach), Carried(arms.mass * still, top, arms.part * reach),
        Carried(-arms.mass * still, along, 0 * reach),
    ]  # fmt: skip
    angles = body.balanced(Angles.read(sheet["styles"][style], part), sheet["over"] * subject.height, carried)
    motion = motion_of(body.skeleton, times, rate, body.poses(angles))
    hands = motion.place("trunk", top) + reach

    def pulling(mass: Array, place: Array) -> Wrench:
        return Wrench.at(place, -mass[:, None] * (derivative(place, rate, 2) + np.array([0.0, 0.0, gravity])))

    taken = load * moved(times, [[down, up, 1.0]])
    loads = {"trunk": pulling(taken, hands)}
    for one in carried[1:]:
        loads["trunk"] += pulling(one.mass, motion.place("trunk", one.local) + one.reach)
    whole = from_ground(motion, gravity, loads)
    inside = min(body.inside(whole))
    if inside < 0:
        at["load"].fail(
            f"lifting {load:g} kg like this within {seconds:g} s, the ground would act {-1e3 * inside:.0f} mm outside the feet",
            expected="a lighter load, or more seconds",
        )
    phases = {
        "standing": (0.0, REST), "reaching": (REST, down), "taking": (down, up), "lifting": (up, up + seconds),
        "holding": (up + seconds, float(times[-1])),
    }  # fmt: skip
    grip = hands[np.searchsorted(times, down)]
    notes = [
        f"SCHEMATIC: nobody's lifting by {style}, by gw.gait.lift; both sides do the same, arms are part of the trunk",
        f"{load:g} kg are taken at a height of {grip[2]:.2f} m, {grip[0]:.2f} m before the ankles, and held {ahead[-1]:.2f} m "
        f"before and {below[-1]:.2f} m below the shoulders",
        f"the ground acts at least {1e3 * inside:.0f} mm inside the outline of the feet",
    ]  # fmt: skip
    return Lift(motion, body.forces(motion, whole), loads, phases, notes, style, float(load), hands)
