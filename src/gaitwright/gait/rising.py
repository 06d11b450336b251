"""Rising from a chair without a laboratory: motion, forces of the ground and of the seat of a person of a size.

rise = gw.gait.sit_to_stand(gw.gait.Subject(73, 1.74))
rise.motion, rise.forces, rise.loads["pelvis"]        # the seat
rise.moments()["right_knee_moment"], rise.seat_off    # N m/kg, s

SCHEMATIC: angles of normal/sit_to_stand.yaml, both legs alike, feet flat and still, arms hanging. What all segments need is
given by feet and seat together. While both carry, the feet push at a line below the ankles, the seat below the hips, both in
the same direction, and the seat has the share

    (M_y + x_f F_z) / (h F_x + (x_f - x_s) F_z)      h: height of the seat, x_f, x_s: where they push

When it comes to zero, the seat is left: by the momentum of the trunk, as in people. How far the feet are drawn back is what
makes that the instant at which the hips begin to rise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gaitwright.checks import At
from gaitwright.gait.loads import Wrench
from gaitwright.gait.moments import GRAVITY
from gaitwright.gait.motion import Motion
from gaitwright.gait.normal import motion_sheet
from gaitwright.gait.schematic_motion import SchematicMotion, acting_at, from_ground, instants, motion_of
from gaitwright.gait.still_feet import Angles, StillFeet, moved
from gaitwright.gait.subject import Subject

Array = np.ndarray
REST = 0.3
"""s, before and after."""
FURTHEST = np.radians(15.0)
"""How much further than usual feet are drawn back or put ahead, at most, as an angle of the shank."""


@dataclass(frozen=True, repr=False)
class SitToStand(SchematicMotion):
    """loads: the seat, on the pelvis. phases after Schenkman: `flexion` until the seat is left, `transfer` until the ankles are
    bent most, `extension`, and before and after them `sitting` and `standing`. seat_off: s. seat_height: m."""

    seat_off: float
    seat_height: float


def sit_to_stand(
    subject: Subject, seconds: float | None = None, rate: float = 100.0, *, gravity: float = GRAVITY
) -> SitToStand:
    """A person of this mass, height and sex who rises from a seat on which the thighs are level; 0.3 s of rest before and
    after.

    seconds: from the first movement to the last; 2 unless told. A slower one draws the feet further back. rate: frames a
    second. Refused where the ground would have to act outside the feet."""
    at = At("sit_to_stand")
    sheet = motion_sheet("sit_to_stand")
    seconds = at["seconds"].positive(sheet["seconds"] if seconds is None else seconds, "s")
    times = instants(at, seconds + 2 * REST, rate)
    rise = _Rise(subject, times, rate, seconds, gravity)
    motion = rise.fitting(at)
    height = float(motion.origin("pelvis")[0, 2]) - sheet["seat_below_hips"] * subject.height
    seat, off = rise.seat(motion, height)
    loads = {"pelvis": seat}
    whole = from_ground(motion, gravity, loads)
    behind, before = rise.body.inside(whole)
    if min(behind, before) < 0:
        at["seconds"].fail(
            f"rising within {seconds:g} s, the ground would act {1e3 * -min(behind, before):.0f} mm outside the feet",
            expected="about 1.5 to 3 s",
        )
    bent = float(times[np.argmax(rise.angles().ankle)])
    bent, end = max(bent, off), REST + seconds
    phases = {
        "sitting": (0.0, REST), "flexion": (REST, off), "transfer": (off, bent), "extension": (bent, end),
        "standing": (end, float(times[-1])),
    }  # fmt: skip
    notes = [
        "SCHEMATIC: nobody's rising from a chair, by gw.gait.sit_to_stand; arms hang, both legs do the same",
        f"the seat, {height:.3f} m high, is left at {off:.2f} s; until then it pushes on the pelvis, below the hips",
        f"feet are drawn back to {np.degrees(rise.angles().ankle[0]):.0f} degrees of dorsiflexion; the ground acts at least "
        f"{1e3 * min(behind, before):.0f} mm inside their outline",
    ]
    return SitToStand(motion, rise.body.forces(motion, whole), loads, phases, notes, off, height)


class _Rise:
    def __init__(self, subject: Subject, times: Array, rate: float, seconds: float, gravity: float) -> None:
        self.body, self.times, self.rate, self.gravity = StillFeet(subject), times, rate, gravity
        self.sheet = motion_sheet("sit_to_stand")
        self.part = (times - REST) / seconds
        self.before = self.sheet["feet_before"] * subject.height
        self.drawn_back = 0.0

    def angles(self) -> Angles:
        """Feet that are drawn back by an angle bend ankles and knees by it, which goes with the extension."""
        told = Angles.read(self.sheet["angles"], self.part)
        more = self.drawn_back * moved(self.part, [[self.sheet["seat_off"], 1.0, -1.0]], 1.0)
        return replace(told, ankle=told.ankle + more, knee=told.knee + more)

    def motion(self) -> Motion:
        return motion_of(self.body.skeleton, self.times, self.rate, self.body.poses(self.angles()))

    def fitting(self, at: At) -> Motion:
        """Feet drawn back so that the seat's force ends when the hips begin to rise: by the rule of false position."""
        tried: list[tuple[float, float]] = []
        for step in (0.0, np.radians(2.0)):
            tried.append((step, self._left_to_seat(step)))
        for _ in range(20):
            (a, low), (b, high) = tried[-2:]
            if abs(high) < 1e-6 or high == low:
                break
            next_one = float(np.clip(b - high * (b - a) / (high - low), -1.5 * FURTHEST, 1.5 * FURTHEST))
            tried.append((next_one, self._left_to_seat(next_one)))
        self.drawn_back = tried[-1][0]
        if abs(tried[-1][1]) > 1e-4 or abs(self.drawn_back) > FURTHEST:
            at["seconds"].fail(
                "is a time within which nobody gets off a seat like this: the momentum does not fit, wherever the feet are",
                round(float(1 / (self.part[1] - self.part[0]) / self.rate), 3), "about 1.5 to 3 s",
            )  # fmt: skip
        return self.motion()

    def _left_to_seat(self, drawn_back: float) -> float:
        """m: how far behind the feet's line the ground would have to act without a seat, when the seat is to be left."""
        self.drawn_back = drawn_back
        ahead = acting_at(from_ground(self.motion(), self.gravity, {}))[:, 0]
        return self.before - float(np.interp(self.sheet["seat_off"], self.part, ahead))

    def seat(self, motion: Motion, height: float) -> tuple[Wrench, float]:
        """What the seat gives, and when that ends, s."""
        whole, hips = from_ground(motion, self.gravity, {}), motion.origin("pelvis")
        force, moment = whole.force, whole.moment
        share = (moment[:, 1] + self.before * force[:, 2]) / (
            height * force[:, 0] + (self.before - hips[:, 0]) * force[:, 2]
        )
        left = int(np.argmax((share <= 0) | (self.part > self.sheet["seat_off"])))
        share[left:] = 0.0
        place = np.column_stack([hips[:, 0], hips[:, 1], np.full(len(hips), height)])
        return Wrench.at(place, share[:, None] * force), float(self.times[left])
