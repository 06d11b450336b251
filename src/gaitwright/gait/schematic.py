"""A walk without a laboratory: motion and forces of the ground of a person of whom only mass, height and sex are known.

walk = gw.gait.schematic_walk(gw.gait.Subject(73, 1.74))
walk.motion, walk.forces          # as `follow` and `measured` have them
walk.trial(noise=5e-4)            # as a laboratory would hand it over: markers, and a plate for every step

SCHEMATIC: curves that go through the middle of what is usual (normal/schematic_walk.yaml), the trunk upright. Forces follow
from the motion. Where one foot stands, all of it is on that foot, at the point at which nothing is left to balance. Where both
stand, each has its own point between heel and toes, and its share is such that together they act where they must; what is left
aside is shared, and so is the moment about the vertical; and they push against each other, as feet do. Residuals are zero by
construction: that they are small proves no method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gaitwright.checks import At
from gaitwright.gait.drawn_skeleton import BALL, HEEL, TOE, drawn_skeleton
from gaitwright.gait.forces import FEET, GroundForces
from gaitwright.gait.moments import GRAVITY
from gaitwright.gait.motion import Motion
from gaitwright.gait.normal import schematic_curves
from gaitwright.gait.plates import Plate
from gaitwright.gait.schematic_motion import (
    Poses,
    SchematicMotion,
    acting_at,
    from_ground,
    hang,
    instants,
    motion_of,
    on_feet,
    plate,
    turned,
)
from gaitwright.gait.segment_frames import SIDES, UPRIGHT
from gaitwright.gait.subject import ANKLE_HEIGHT, Subject

Array = np.ndarray
STRIDE = 1.1
"""s, of the walk that was fitted; others have other forces, and other points where they act."""
STANCE, BOTH = 0.62, 0.12
"""Fractions of a stride that a foot stands, and that both do, twice."""
LATE = {"right": 0.0, "left": 0.5}
EVEN, ODD = (2, 4, 6), (1, 3, 5)
"""Harmonics of what both legs do alike, and of what they do in turn."""
ROLLING, LAST = 0.40, 0.7
"""Fraction of a stride until which the force has gone from heel to ball, at first quickly; and how far it gets to the toes."""
OBLIQUITY, ROTATION, WHEN = np.radians(4.0), np.radians(5.0), 0.12
"""Of the pelvis: right side up over the right foot, at WHEN; right side ahead at its strike."""
PUSH, INWARDS = 0.10, 0.02
"""Of the weight, at most: with which the foot behind pushes forward and that ahead back, and both inwards."""


@dataclass(frozen=True, repr=False)
class SchematicWalk(SchematicMotion):
    """phases: stances by side and number. stride: s."""

    stride: float

    @property
    def plates(self) -> list[Plate]:
        """One below each step, in the order in which they are trodden on."""
        found = []
        for k, side in enumerate(FEET):
            turn = self.motion.times / self.stride + LATE[side]
            number = np.round(turn - _phase(turn))
            for step in np.unique(number):
                on = (number == step) & (_phase(turn) < STANCE)
                if on.any() and self.forces.force[on, k, 2].max() > 0:
                    found.append((self.motion.times[on][0], k, on))
        plates = []
        for number, (_, k, on) in enumerate(sorted(found, key=lambda one: one[0]), 1):
            force, moment = (
                np.where(on[:, None], values[:, k], 0.0) for values in (self.forces.force, self.forces.moment)
            )
            plates.append(
                plate(number, force, moment, self.motion.rate, np.nanmean(self.forces.centre()[on, k], axis=0))
            )
        return plates


def schematic_walk(
    subject: Subject, seconds: float = 4.0, rate: float = 100.0, *, stride: float = STRIDE, gravity: float = GRAVITY
) -> SchematicWalk:
    """A person of this mass, height and sex, who walks along x on the ground z = 0, from a strike of the right foot on.

    seconds: how long. rate: frames a second. stride: s; with another than 1.1 the motion is the same and slower or faster, and
    its forces are what that needs, which far from it no foot could give."""
    at = At("schematic_walk")
    times = instants(at, seconds, rate)
    at["stride"].positive(stride, "s")
    walk = _Walk(subject, times, stride)
    motion = motion_of(walk.skeleton, times, rate, walk.poses)
    notes = ["SCHEMATIC: nobody's walk, by gw.gait.schematic_walk"]
    return SchematicWalk(motion, walk.forces(motion, gravity), {}, walk.stances(), notes, stride)


def _phase(turn: Array) -> Array:
    """From 0 to below 1: what is left of strides. Rounded, for frames on a strike or a toe-off to be on the same side of it in
    every stride: forces jump there."""
    return np.round(turn % 1, 9) % 1


class _Walk:
    def __init__(self, subject: Subject, times: Array, stride: float) -> None:
        self.subject, self.height = subject, subject.height
        self.turn, self.times = times / stride, times
        self.curves = schematic_curves()
        self.skeleton = drawn_skeleton(subject)

    def wave(self, parts: Sequence[float], harmonics: Sequence[int], late: float = 0.0) -> Array:
        phase = 2 * np.pi * (self.turn + late)
        pairs = zip(harmonics, parts[::2], parts[1::2], strict=False)
        return sum((a * np.cos(k * phase) + b * np.sin(k * phase) for k, a, b in pairs), np.zeros(len(phase)))

    def angle(self, name: str, side: str) -> Array:
        """rad."""
        mean, *parts = self.curves["angles"][name]
        return np.radians(mean + self.wave(parts, range(1, 7), LATE[side]))

    @cached_property
    def poses(self) -> Poses:
        """Origin and rotation of every segment over time, x forward, y left, z up."""
        curves = self.curves
        ahead = curves["stride_length"] * self.turn + self.wave(curves["pelvis_ahead"], EVEN)
        up = curves["hip_height"] + self.wave(curves["pelvis_up"], EVEN)
        right = self.wave(curves["pelvis_right"], ODD)
        still = np.zeros(len(self.turn))
        oblique = -OBLIQUITY * np.cos(2 * np.pi * (self.turn - WHEN))
        rotated = ROTATION * np.cos(2 * np.pi * self.turn)
        pelvis = UPRIGHT @ turned(still, oblique, rotated)
        found: Poses = {"pelvis": (self.height * np.column_stack([ahead, -right, up]), pelvis)}
        for side, sign in SIDES.items():
            flexion, adduction, rotation, knee, ankle = (
                self.angle(name, side)
                for name in ("hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_dorsiflexion")
            )
            relative = {
                f"{side}_hip": turned(flexion, sign * adduction, sign * rotation),
                f"{side}_knee": turned(-knee), f"{side}_ankle": turned(ankle),
            }  # fmt: skip
            for name, turn in relative.items():
                hang(self.skeleton, found, name, turn)
            origin, foot = found[f"{side}_foot"]
            # soles are level across
            lean = np.arctan2(foot[:, 2, 2], foot[:, 2, 1])
            found[f"{side}_foot"] = origin, foot @ turned(still, lean, still)
        hang(self.skeleton, found, "lumbar", np.swapaxes(pelvis, 1, 2) @ UPRIGHT)
        return found

    def forces(self, motion: Motion, gravity: float) -> GroundForces:
        whole, standing, centre = from_ground(motion, gravity, {}), self._standing(), self._points(motion)
        share = self._shares(centre, acting_at(whole), standing)
        return on_feet(self.times, whole, centre, share, self._pushes(standing, self.subject.mass * gravity))

    def stances(self) -> dict[str, tuple[float, float]]:
        """From and to, s, as far as they are in it."""
        found = {}
        for side in FEET:
            stride = float(self.times[1] / self.turn[1])
            last = float(self.times[-1])
            starts = stride * (np.arange(-1.0, last / stride + 1) - LATE[side])
            inside = [(max(0.0, start), min(last, start + STANCE * stride)) for start in starts]
            inside = [one for one in inside if one[1] > one[0]]
            found |= {f"{side} stance {number}": (float(a), float(b)) for number, (a, b) in enumerate(inside, 1)}
        return found

    def _standing(self) -> Array:
        """(time, side)."""
        return np.stack([_phase(self.turn + LATE[side]) < STANCE for side in FEET], axis=1)

    def _pushes(self, standing: Array, weight: float) -> Array:
        """(time, side, 3): forces with which feet push against each other, N; none together."""
        found = np.zeros((*standing.shape, 3))
        for k, side in enumerate(FEET):
            late = _phase(self.turn + LATE[side]) / BOTH  # of its double support, if it is ahead
            push = weight * np.where(standing.all(axis=1) & (late < 1), 16 * late**2 * (1 - late) ** 2, 0.0)
            found[:, k, 0] -= PUSH * push
            found[:, 1 - k, 0] += PUSH * push
            found[:, 0, 1] += INWARDS * push
            found[:, 1, 1] -= INWARDS * push
        return found

    def _shares(self, centre: Array, where: Array, standing: Array) -> Array:
        """(time, side), of the whole force: where both stand, so that both act together at `where` along the walk."""
        apart = centre[:, 0, 0] - centre[:, 1, 0]
        with np.errstate(invalid="ignore", divide="ignore"):
            right = np.clip((where[:, 0] - centre[:, 1, 0]) / apart, 0.0, 1.0)
        right = np.where(standing.all(axis=1), right, standing[:, 0].astype(float))
        return np.column_stack([right, 1 - right])

    def _points(self, motion: Motion) -> Array:
        """(time, side, 3): where the force of either foot acts, on its line from heel to toes."""
        found = np.zeros((len(self.times), len(FEET), 3))
        for k, side in enumerate(FEET):
            phase = _phase(self.turn + LATE[side])
            flat, risen = np.clip(phase / ROLLING, 0, 1), np.clip((phase - ROLLING) / (STANCE - ROLLING), 0, 1)
            along = HEEL + (BALL - HEEL) * (1 - (1 - flat) ** 2) + LAST * (TOE - BALL) * (3 * risen**2 - 2 * risen**3)
            foot = motion.skeleton.segments[f"{side}_foot"]
            local = np.column_stack([along * foot.length, np.full(len(phase), -ANKLE_HEIGHT * self.height), 0 * phase])
            name = f"{side}_foot"
            found[:, k] = motion.origin(name) + np.einsum("tij,tj->ti", motion.turned(name), local)
        found[..., 2] = 0.0
        return found
