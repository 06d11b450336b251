"""Motions in which both feet stand flat and still, side by side below the hips, and both legs do the same.

What is told are angles of joints, as moves from rest to rest: an angle goes on by `by` from `start` to `end` as

    by (10 u^3 - 15 u^4 + 6 u^5),      u = (t - start) / (end - start)

which has the least jerk of all such moves (T. Flash and N. Hogan, J. Neurosci. 5 (1985) 1688-1703); moves that overlap add up.
Poses go up from the feet. Either foot has half of what the ground gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gaitwright.gait.drawn_skeleton import HEEL, TOE, drawn_skeleton
from gaitwright.gait.forces import FEET, GroundForces
from gaitwright.gait.loads import Wrench
from gaitwright.gait.motion import Motion
from gaitwright.gait.schematic_motion import Poses, acting_at, hang, on_feet, turned
from gaitwright.gait.segment_frames import SIDES, UPRIGHT
from gaitwright.gait.subject import ANKLE_HEIGHT, Subject

Array = np.ndarray
Moves = Sequence[Sequence[float]]
"""Rows of start, end, and by how much."""
LEG = (("ankle", "shank"), ("knee", "thigh"), ("hip", "pelvis"))


def moved(times: Array, moves: Moves, first: float = 0.0) -> Array:
    """(time,): where an angle, or anything else, gets by moves of least jerk."""
    found = np.full(len(times), float(first))
    for start, end, by in moves:
        u = np.clip((times - start) / (end - start), 0.0, 1.0)
        found += by * u**3 * (10 - 15 * u + 6 * u**2)
    return found


@dataclass(frozen=True)
class Angles:
    """rad, (time,): plus is dorsiflexion, flexion of knee and hip, and the trunk bent forward on the pelvis."""

    ankle: Array
    knee: Array
    hip: Array
    trunk: Array

    @staticmethod
    def read(curves: Mapping[str, Mapping], times: Array) -> Angles:
        """Of a sheet in degrees, by joint: `from` and `moves`. An ankle that is not told is to be balanced: 0."""
        rows = {name: curves.get(name, {"from": 0.0, "moves": []}) for name in ("ankle", "knee", "hip", "trunk")}
        return Angles(**{name: np.radians(moved(times, one["moves"], one["from"])) for name, one in rows.items()})


class Carried(NamedTuple):
    """Of the trunk. mass: (time,), kg. local: (3,), m, a place of the trunk. reach: (time, 3), m, from there, level and upright
    whatever the trunk's lean."""

    mass: Array
    local: Array
    reach: Array


class StillFeet:
    """A person who stands on the origin: ankles at x = 0, the ground at z = 0."""

    def __init__(self, subject: Subject) -> None:
        self.subject, self.skeleton = subject, drawn_skeleton(subject)
        foot = self.skeleton.segments["right_foot"].length
        self.heel, self.toe = HEEL * foot, TOE * foot

    def poses(self, angles: Angles) -> Poses:
        skeleton, count = self.skeleton, len(angles.knee)
        half = abs(skeleton.segments["pelvis"].joints["right_hip"][2])
        lean = {"foot": np.zeros(count)}
        lean["shank"] = -angles.ankle  # about z, to the right: forward is minus
        lean["thigh"] = lean["shank"] + angles.knee
        lean["pelvis"] = lean["thigh"] - angles.hip
        found: Poses = {}
        for side, sign in SIDES.items():
            ankle = np.tile([0.0, -sign * half, ANKLE_HEIGHT * self.subject.height], (count, 1))
            found[f"{side}_foot"] = (ankle, UPRIGHT @ turned(lean["foot"]))
            end = ankle
            for joint, kind in LEG[:2]:  # each limb has its lower joint where the one below ends
                segment, rotation = skeleton.segments[f"{side}_{kind}"], UPRIGHT @ turned(lean[kind])
                end = end - rotation @ segment.joints[f"{side}_{joint}"]
                found[f"{side}_{kind}"] = (end, rotation)
        middle = 0.5 * (found["right_thigh"][0] + found["left_thigh"][0])
        found["pelvis"] = (middle, UPRIGHT @ turned(lean["pelvis"]))
        hang(skeleton, found, "lumbar", turned(-angles.trunk))
        return found

    def balanced(self, angles: Angles, over: float, carried: Sequence[Carried]) -> Angles:
        """The same with ankles that put the centre of mass, with what is carried, over a line across the feet: at rest the
        ground would act there. over: m before the ankles.

        All but the feet turns about the ankles by a: with r and b length and lean of its first moment about them,
        r sin(a + b) = over m - what feet and reach have."""
        poses, segments = self.poses(angles), self.skeleton.segments
        ankles = np.array([0.0, 0.0, ANKLE_HEIGHT * self.subject.height])
        turning, wanted = np.zeros((len(angles.knee), 3)), np.full(len(angles.knee), over * self.subject.mass)
        for name, one in segments.items():
            place = poses[name][0] + poses[name][1] @ one.centre
            if name.endswith("foot"):
                wanted -= one.mass * place[:, 0]
            else:
                turning += one.mass * (place - ankles)
        for one in carried:
            origin, rotation = poses["trunk"]
            turning += one.mass[:, None] * (origin + rotation @ one.local - ankles)
            wanted += one.mass * (over - one.reach[:, 0])
        x, _, z = turning.T
        return replace(angles, ankle=angles.ankle + np.arcsin(wanted / np.hypot(x, z)) - np.arctan2(x, z))

    def forces(self, motion: Motion, whole: Wrench, notes: Sequence[str] = ()) -> GroundForces:
        """Half of it on either foot."""
        centre = np.stack([motion.origin(f"{side}_foot") * [0.0, 1.0, 0.0] for side in FEET], axis=1)
        share = np.full(centre.shape[:2], 0.5)
        return on_feet(motion.times, whole, centre, share, notes=tuple(notes))

    def inside(self, whole: Wrench) -> tuple[float, float]:
        """m: how far the ground's force stays before the heels and behind the toes, at least; negative: outside."""
        ahead = acting_at(whole)[:, 0]
        return float(ahead.min() - self.heel), float(self.toe - ahead.max())
