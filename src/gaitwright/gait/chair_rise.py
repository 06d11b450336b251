"""Rising from a chair without laboratory data: motion, ground and seat forces for a person of given size.

rise = gw.gait.sit_to_stand(gw.gait.Subject(73, 1.74))
rise.motion, rise.forces, rise.loads["pelvis"]        # the seat
rise.moments()["right_knee_moment"], rise.seat_off    # N m/kg, s

SCHEMATIC: angles of normative_data/sit_to_stand.yaml, both legs alike, feet flat and still, arms hanging. Feet and seat
together provide the force and moment that all segments need. While both carry load, the ground force acts at a line below
the ankles, the seat force below the hips, both in the same direction, and the share of the seat is

    (M_y + x_f F_z) / (h F_x + (x_f - x_s) F_z)      h: height of the seat, x_f, x_s: positions of the two forces

When it becomes zero, the person leaves the seat: by the momentum of the trunk, as real people do. The feet are drawn back
as far as needed to make this the instant at which the hips begin to rise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2
from gaitwright.gait.motion import SkeletonMotion
from gaitwright.gait.normative_data import schematic_motion_sheet
from gaitwright.gait.schematic_motion import (
    SchematicMotion,
    build_motion,
    point_of_application,
    required_ground_wrench,
    sample_times,
)
from gaitwright.gait.segment_loads import Wrench
from gaitwright.gait.stationary_feet import SagittalAngles, StationaryFeetModel, minimum_jerk_path
from gaitwright.gait.subject import Subject

Array = np.ndarray
REST_SECONDS = 0.3
"""s: rest before and after the motion."""
MAX_FOOT_SHIFT_ANGLE_RAD = np.radians(15.0)
"""Upper bound of the deviation of the feet from their usual position, forward or back, as an angle of the shank."""


@dataclass(frozen=True, repr=False)
class SitToStand(SchematicMotion):
    """Result of sit_to_stand. loads: the seat, on the pelvis. phases after Schenkman: `flexion` until seat-off, `transfer`
    until the largest ankle angle, `extension`; `sitting` before and `standing` after them. seat_off: s. seat_height: m."""

    seat_off: float
    seat_height: float


def sit_to_stand(
    subject: Subject, seconds: float | None = None, rate: float = 100.0, *, gravity: float = GRAVITY_M_PER_S2
) -> SitToStand:
    """Rising of a person from a seat with level thighs, with 0.3 s of rest before and after.

    seconds: duration of the motion; default 2. A slower motion draws the feet further back. rate: frames per second. Raises
    ModelError for invalid numbers, and if the ground force would act outside the feet."""
    at = ErrorContext("sit_to_stand")
    sheet = schematic_motion_sheet("sit_to_stand")
    seconds = at["seconds"].positive(sheet["seconds"] if seconds is None else seconds, "s")
    times = sample_times(at, seconds + 2 * REST_SECONDS, rate)
    rise = _ChairRise(subject, times, rate, seconds, gravity)
    motion = rise.fitting(at)
    height = float(motion.origin("pelvis")[0, 2]) - sheet["seat_below_hips"] * subject.height
    seat, off = rise.seat(motion, height)
    loads = {"pelvis": seat}
    whole = required_ground_wrench(motion, gravity, loads)
    behind, before = rise.body.inside(whole)
    if min(behind, before) < 0:
        at["seconds"].fail(
            f"rising within {seconds:g} s, the ground would act {1e3 * -min(behind, before):.0f} mm outside the feet",
            expected="about 1.5 to 3 s",
        )
    bent = float(times[np.argmax(rise.angles().ankle)])
    bent, end = max(bent, off), REST_SECONDS + seconds
    phases = {
        "sitting": (0.0, REST_SECONDS), "flexion": (REST_SECONDS, off), "transfer": (off, bent), "extension": (bent, end),
        "standing": (end, float(times[-1])),
    }  # fmt: skip
    notes = [
        "SCHEMATIC: rising from a chair of no real person, by gw.gait.sit_to_stand; arms hang, both legs do the same",
        f"the seat, {height:.3f} m high, is left at {off:.2f} s; until then it pushes on the pelvis, below the hips",
        f"feet are drawn back to {np.degrees(rise.angles().ankle[0]):.0f} degrees of dorsiflexion; the ground acts at least "
        f"{1e3 * min(behind, before):.0f} mm inside their outline",
    ]
    return SitToStand(motion, rise.body.forces(motion, whole), loads, phases, notes, off, height)


class _ChairRise:
    def __init__(self, subject: Subject, times: Array, rate: float, seconds: float, gravity: float) -> None:
        self.body, self.times, self.rate, self.gravity = StationaryFeetModel(subject), times, rate, gravity
        self.sheet = schematic_motion_sheet("sit_to_stand")
        self.part = (times - REST_SECONDS) / seconds
        self.before = self.sheet["feet_before"] * subject.height
        self.drawn_back = 0.0

    def angles(self) -> SagittalAngles:
        """Angles with the feet drawn back: additional ankle and knee flexion, which vanishes with the extension."""
        base = SagittalAngles.read(self.sheet["angles"], self.part)
        more = self.drawn_back * minimum_jerk_path(self.part, [[self.sheet["seat_off"], 1.0, -1.0]], 1.0)
        return replace(base, ankle=base.ankle + more, knee=base.knee + more)

    def motion(self) -> SkeletonMotion:
        return build_motion(self.body.skeleton, self.times, self.rate, self.body.poses(self.angles()))

    def fitting(self, at: ErrorContext) -> SkeletonMotion:
        """Draw the feet back so that the seat force ends when the hips begin to rise, by the rule of false position."""
        tried: list[tuple[float, float]] = []
        for step in (0.0, np.radians(2.0)):
            tried.append((step, self._left_to_seat(step)))
        for _ in range(20):
            (a, low), (b, high) = tried[-2:]
            if abs(high) < 1e-6 or high == low:
                break
            next_one = float(
                np.clip(
                    b - high * (b - a) / (high - low), -1.5 * MAX_FOOT_SHIFT_ANGLE_RAD, 1.5 * MAX_FOOT_SHIFT_ANGLE_RAD
                )
            )
            tried.append((next_one, self._left_to_seat(next_one)))
        self.drawn_back = tried[-1][0]
        if abs(tried[-1][1]) > 1e-4 or abs(self.drawn_back) > MAX_FOOT_SHIFT_ANGLE_RAD:
            at["seconds"].fail(
                "is a time within which nobody gets off a seat like this: the momentum does not fit, wherever the feet are",
                round(float(1 / (self.part[1] - self.part[0]) / self.rate), 3), "about 1.5 to 3 s",
            )  # fmt: skip
        return self.motion()

    def _left_to_seat(self, drawn_back: float) -> float:
        """Distance, m, by which the ground force without a seat would act behind the feet's line at the planned seat-off."""
        self.drawn_back = drawn_back
        ahead = point_of_application(required_ground_wrench(self.motion(), self.gravity, {}))[:, 0]
        return self.before - float(np.interp(self.sheet["seat_off"], self.part, ahead))

    def seat(self, motion: SkeletonMotion, height: float) -> tuple[Wrench, float]:
        """Seat force and the instant at which it ends, s."""
        whole, hips = required_ground_wrench(motion, self.gravity, {}), motion.origin("pelvis")
        force, moment = whole.force, whole.moment
        share = (moment[:, 1] + self.before * force[:, 2]) / (
            height * force[:, 0] + (self.before - hips[:, 0]) * force[:, 2]
        )
        left = int(np.argmax((share <= 0) | (self.part > self.sheet["seat_off"])))
        share[left:] = 0.0
        place = np.column_stack([hips[:, 0], hips[:, 1], np.full(len(hips), height)])
        return Wrench.at(place, share[:, None] * force), float(self.times[left])
