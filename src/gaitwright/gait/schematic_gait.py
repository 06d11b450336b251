"""A walk without laboratory data: motion and ground forces of a person of given mass, height and sex.

walk = gw.gait.schematic_walk(gw.gait.Subject(73, 1.74))
walk.motion, walk.forces          # as from `follow` and `ground_forces_from_plates`
walk.trial(noise=5e-4)            # as from a laboratory: markers, and a plate for every step

SCHEMATIC: curves through the middle of usual values (normative_data/schematic_walk.yaml), the trunk upright. Forces follow
from the motion. In single support, the stance foot carries the whole force, at the point with zero horizontal moment. In
double support, each foot has its own point of application between heel and toes, and the shares give the required common
point; the remaining sideways offset and the moment about the vertical are shared; and the feet push against each other, as
real feet do. Residuals are zero by construction: small residuals here validate no method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.force_plates import ForcePlate
from gaitwright.gait.generic_skeleton import (
    BALL_OFFSET_PER_FOOT_LENGTH,
    TOE_OFFSET_PER_FOOT_LENGTH,
    build_generic_skeleton,
)
from gaitwright.gait.ground_reaction import FOOT_SIDES, GroundForces
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2
from gaitwright.gait.motion import SkeletonMotion
from gaitwright.gait.normative_data import schematic_walk_curves
from gaitwright.gait.schematic_motion import (
    SchematicMotion,
    SegmentPoseSeries,
    attach_segment,
    build_motion,
    build_plate,
    distribute_to_feet,
    joint_rotations,
    point_of_application,
    required_ground_wrench,
    sample_times,
)
from gaitwright.gait.segment_frames import HEEL_OFFSET_PER_FOOT_LENGTH, SIDE_SIGNS, UPRIGHT_AXES
from gaitwright.gait.subject import ANKLE_HEIGHT_PER_BODY_HEIGHT, Subject

Array = np.ndarray
SCHEMATIC_STRIDE_SECONDS = 1.1
"""s: stride time of the fitted walk; other stride times have other forces and points of application."""
STANCE_STRIDE_FRACTION, DOUBLE_SUPPORT_STRIDE_FRACTION = 0.62, 0.12
"""Fractions of a stride: stance of a foot, and each of the two double supports."""
SIDE_STRIDE_OFFSETS = {"right": 0.0, "left": 0.5}
SYMMETRIC_HARMONICS, ALTERNATING_HARMONICS = (2, 4, 6), (1, 3, 5)
"""Harmonics of symmetric motion of the legs, and of alternating motion."""
HEEL_TO_BALL_STRIDE_FRACTION, TOE_REACH_FRACTION = 0.40, 0.7
"""Fraction of a stride at which the force reaches the ball from the heel, at first quickly; and its reach from ball to
toe."""
PELVIS_OBLIQUITY_RAD, PELVIS_ROTATION_RAD, PELVIS_OBLIQUITY_STRIDE_PHASE = np.radians(4.0), np.radians(5.0), 0.12
"""Pelvis amplitudes: obliquity, right side up over the right foot at the given phase; rotation, right side ahead at its
strike."""
PUSH_FORCE_PER_WEIGHT, INWARD_FORCE_PER_WEIGHT = 0.10, 0.02
"""Largest mutual push over the weight: the rear foot forward and the front foot back; both inwards."""


@dataclass(frozen=True, repr=False)
class SchematicWalk(SchematicMotion):
    """Result of schematic_walk. phases: stances by side and number. stride: s."""

    stride: float

    @property
    def plates(self) -> list[ForcePlate]:
        """Plates, one below each step, in the order of the steps."""
        contacts = []
        for k, side in enumerate(FOOT_SIDES):
            turn = self.motion.times / self.stride + SIDE_STRIDE_OFFSETS[side]
            number = np.round(turn - _stride_phase(turn))
            for step in np.unique(number):
                on = (number == step) & (_stride_phase(turn) < STANCE_STRIDE_FRACTION)
                if on.any() and self.forces.force[on, k, 2].max() > 0:
                    contacts.append((self.motion.times[on][0], k, on))
        plates = []
        for number, (_, k, on) in enumerate(sorted(contacts, key=lambda one: one[0]), 1):
            force, moment = (
                np.where(on[:, None], values[:, k], 0.0) for values in (self.forces.force, self.forces.moment)
            )
            plates.append(
                build_plate(number, force, moment, self.motion.rate, np.nanmean(self.forces.centre()[on, k], axis=0))
            )
        return plates


def schematic_walk(
    subject: Subject,
    seconds: float = 4.0,
    rate: float = 100.0,
    *,
    stride: float = SCHEMATIC_STRIDE_SECONDS,
    gravity: float = GRAVITY_M_PER_S2,
) -> SchematicWalk:
    """A person of given mass, height and sex who walks along x on the ground z = 0, starting with a strike of the right foot.

    seconds: duration. rate: frames per second. stride: s; a value other than 1.1 scales the motion in time, and the forces
    follow, which far from 1.1 no foot could provide. Raises ModelError for invalid numbers."""
    at = ErrorContext("schematic_walk")
    times = sample_times(at, seconds, rate)
    at["stride"].positive(stride, "s")
    walk = _SchematicWalkCurves(subject, times, stride)
    motion = build_motion(walk.skeleton, times, rate, walk.poses)
    notes = ["SCHEMATIC: walk of no real person, by gw.gait.schematic_walk"]
    return SchematicWalk(motion, walk.forces(motion, gravity), {}, walk.stances(), notes, stride)


def _stride_phase(turn: Array) -> Array:
    """Stride phase from 0 to below 1. Rounded, so that frames on a strike or a toe-off are on the same side of it in every
    stride, because forces jump there."""
    return np.round(turn % 1, 9) % 1


class _SchematicWalkCurves:
    def __init__(self, subject: Subject, times: Array, stride: float) -> None:
        self.subject, self.height = subject, subject.height
        self.turn, self.times = times / stride, times
        self.curves = schematic_walk_curves()
        self.skeleton = build_generic_skeleton(subject)

    def wave(self, parts: Sequence[float], harmonics: Sequence[int], late: float = 0.0) -> Array:
        phase = 2 * np.pi * (self.turn + late)
        pairs = zip(harmonics, parts[::2], parts[1::2], strict=False)
        return sum((a * np.cos(k * phase) + b * np.sin(k * phase) for k, a, b in pairs), np.zeros(len(phase)))

    def angle(self, name: str, side: str) -> Array:
        """Angle of a joint over time, rad."""
        mean, *parts = self.curves["angles"][name]
        return np.radians(mean + self.wave(parts, range(1, 7), SIDE_STRIDE_OFFSETS[side]))

    @cached_property
    def poses(self) -> SegmentPoseSeries:
        """Origin and rotation of every segment over time, x forward, y left, z up."""
        curves = self.curves
        ahead = curves["stride_length"] * self.turn + self.wave(curves["pelvis_ahead"], SYMMETRIC_HARMONICS)
        up = curves["hip_height"] + self.wave(curves["pelvis_up"], SYMMETRIC_HARMONICS)
        right = self.wave(curves["pelvis_right"], ALTERNATING_HARMONICS)
        still = np.zeros(len(self.turn))
        oblique = -PELVIS_OBLIQUITY_RAD * np.cos(2 * np.pi * (self.turn - PELVIS_OBLIQUITY_STRIDE_PHASE))
        rotated = PELVIS_ROTATION_RAD * np.cos(2 * np.pi * self.turn)
        pelvis = UPRIGHT_AXES @ joint_rotations(still, oblique, rotated)
        poses: SegmentPoseSeries = {"pelvis": (self.height * np.column_stack([ahead, -right, up]), pelvis)}
        for side, sign in SIDE_SIGNS.items():
            flexion, adduction, rotation, knee, ankle = (
                self.angle(name, side)
                for name in ("hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_dorsiflexion")
            )
            relative = {
                f"{side}_hip": joint_rotations(flexion, sign * adduction, sign * rotation),
                f"{side}_knee": joint_rotations(-knee), f"{side}_ankle": joint_rotations(ankle),
            }  # fmt: skip
            for name, turn in relative.items():
                attach_segment(self.skeleton, poses, name, turn)
            origin, foot = poses[f"{side}_foot"]
            # keep soles level across the foot
            lean = np.arctan2(foot[:, 2, 2], foot[:, 2, 1])
            poses[f"{side}_foot"] = origin, foot @ joint_rotations(still, lean, still)
        attach_segment(self.skeleton, poses, "lumbar", np.swapaxes(pelvis, 1, 2) @ UPRIGHT_AXES)
        return poses

    def forces(self, motion: SkeletonMotion, gravity: float) -> GroundForces:
        whole, standing, centre = required_ground_wrench(motion, gravity, {}), self._standing(), self._points(motion)
        share = self._shares(centre, point_of_application(whole), standing)
        return distribute_to_feet(self.times, whole, centre, share, self._pushes(standing, self.subject.mass * gravity))

    def stances(self) -> dict[str, tuple[float, float]]:
        """Stances by name: start and end, s, limited to the duration of the motion."""
        stances = {}
        for side in FOOT_SIDES:
            stride = float(self.times[1] / self.turn[1])
            last = float(self.times[-1])
            starts = stride * (np.arange(-1.0, last / stride + 1) - SIDE_STRIDE_OFFSETS[side])
            inside = [(max(0.0, start), min(last, start + STANCE_STRIDE_FRACTION * stride)) for start in starts]
            inside = [one for one in inside if one[1] > one[0]]
            stances |= {f"{side} stance {number}": (float(a), float(b)) for number, (a, b) in enumerate(inside, 1)}
        return stances

    def _standing(self) -> Array:
        """Mask of the standing feet, (time, side)."""
        return np.stack(
            [_stride_phase(self.turn + SIDE_STRIDE_OFFSETS[side]) < STANCE_STRIDE_FRACTION for side in FOOT_SIDES],
            axis=1,
        )

    def _pushes(self, standing: Array, weight: float) -> Array:
        """Forces with which the feet push against each other, (time, side, 3), N; their sum is zero."""
        forces = np.zeros((*standing.shape, 3))
        for k, side in enumerate(FOOT_SIDES):
            late = (
                _stride_phase(self.turn + SIDE_STRIDE_OFFSETS[side]) / DOUBLE_SUPPORT_STRIDE_FRACTION
            )  # phase in its own first double support, if it is the front foot
            push = weight * np.where(standing.all(axis=1) & (late < 1), 16 * late**2 * (1 - late) ** 2, 0.0)
            forces[:, k, 0] -= PUSH_FORCE_PER_WEIGHT * push
            forces[:, 1 - k, 0] += PUSH_FORCE_PER_WEIGHT * push
            forces[:, 0, 1] += INWARD_FORCE_PER_WEIGHT * push
            forces[:, 1, 1] -= INWARD_FORCE_PER_WEIGHT * push
        return forces

    def _shares(self, centre: Array, where: Array, standing: Array) -> Array:
        """Shares of the force, (time, side): in double support such that both together act at `where` along the walk."""
        apart = centre[:, 0, 0] - centre[:, 1, 0]
        with np.errstate(invalid="ignore", divide="ignore"):
            right = np.clip((where[:, 0] - centre[:, 1, 0]) / apart, 0.0, 1.0)
        right = np.where(standing.all(axis=1), right, standing[:, 0].astype(float))
        return np.column_stack([right, 1 - right])

    def _points(self, motion: SkeletonMotion) -> Array:
        """Point of application of each foot, (time, side, 3), m, on its line from heel to toes."""
        points = np.zeros((len(self.times), len(FOOT_SIDES), 3))
        for k, side in enumerate(FOOT_SIDES):
            phase = _stride_phase(self.turn + SIDE_STRIDE_OFFSETS[side])
            flat, risen = (
                np.clip(phase / HEEL_TO_BALL_STRIDE_FRACTION, 0, 1),
                np.clip(
                    (phase - HEEL_TO_BALL_STRIDE_FRACTION) / (STANCE_STRIDE_FRACTION - HEEL_TO_BALL_STRIDE_FRACTION),
                    0,
                    1,
                ),
            )
            along = (
                HEEL_OFFSET_PER_FOOT_LENGTH
                + (BALL_OFFSET_PER_FOOT_LENGTH - HEEL_OFFSET_PER_FOOT_LENGTH) * (1 - (1 - flat) ** 2)
                + TOE_REACH_FRACTION
                * (TOE_OFFSET_PER_FOOT_LENGTH - BALL_OFFSET_PER_FOOT_LENGTH)
                * (3 * risen**2 - 2 * risen**3)
            )
            foot = motion.skeleton.segments[f"{side}_foot"]
            local = np.column_stack(
                [along * foot.length, np.full(len(phase), -ANKLE_HEIGHT_PER_BODY_HEIGHT * self.height), 0 * phase]
            )
            name = f"{side}_foot"
            points[:, k] = motion.origin(name) + np.einsum("tij,tj->ti", motion.turned(name), local)
        points[..., 2] = 0.0
        return points
