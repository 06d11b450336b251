"""Pressure below the sole of a foot that follows the person's motion, in one of three loading modes.

    kinematic    the pose comes from the markers alone, as in paper 004: a millimetre is hundreds of newtons
    balanced     height, pitch and roll of the rearfoot are corrected in each frame, so that the vertical force and its point of
                 application are those of the plate; the corrections are the measure of quality (foot/step_balance.py)
    predicted    the same, with the force from the dynamics of the whole body

The foot is scaled to the person by its markers (foot_registration.py). Its pose is that of the foot's own markers; the
sole is level while the foot is flat (a quarter to nearly half of the stance), at the height of a sole that carries the
weight there. One foot model serves both sides: the other side is mirrored. Balanced poses are computed with the sole as
springs; finite-element tissue then repeats the step with this motion, and corrects it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.ankle_motion import AnkleMotion
from gaitwright.foot.reference_pressure import walking_values
from gaitwright.foot.rigid_parts import FOOT_JOINTS, Cores
from gaitwright.foot.sole_springs import SolePose, SoleSprings, make_sole_springs
from gaitwright.foot.step_balance import (
    CORRECTION_NAMES,
    MIN_CENTRE_LOAD_N,
    FootTrack,
    StepBalance,
    StepLoad,
    balance_step,
    correction_axes,
    tilt_towards_target,
)
from gaitwright.gait.analysis import LOADING_MODES
from gaitwright.gait.foot_registration import FootRegistration, register_foot
from gaitwright.gait.ground_reaction import FOOT_SIDES, GroundForces

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.foot.pressure import FootPressure
    from gaitwright.foot.rolling import RollingResult
    from gaitwright.gait.events import GaitEvent
    from gaitwright.gait.motion import SkeletonMotion

Array = np.ndarray
ANGLE_CORRECTIONS = ("pitch", "roll")
FOOT_POSE_CUTOFF_HZ, FOOT_FORCE_CUTOFF_HZ = 12.0, 25.0
"""Cut-off frequencies of the pose of a foot and of its ground force, Hz: contact is faster than the motion of the
body."""
MIN_STEP_LOAD_N = 20.0
"""Load, N, below which a foot hardly touches."""
FLAT_FOOT_STANCE_RANGE = (0.25, 0.45)
"""Fractions of a stance between which a foot is flat."""
BALANCE_PASSES = {"foundation": 0, "condensed": 3, "full": 3}
"""Number of steps computed by tissue method to balance it: the springs of the balance are those of the foundation."""
WALKING_FRICTION = 0.6
MAX_FORCE_TO_SOLE_DISTANCE_M, MAX_FLAT_FOOT_SLIP_M = 0.05, 0.08
"""Median distance of a force from the sole, and motion of a flat foot (its ankle advances by 20 to 40 mm), above which
a step is refused."""
WALKING_JOINT_STIFFNESS = {"midtarsal": 1500.0, "tarsometatarsal": 3000.0, "toe": 18.0}
"""N m/rad, with the muscles of walking. Chosen on six steps of two people so that the foot bends as little as its
markers show (heel and metatarsal heads keep their distance from the ankle within 2 to 4 mm) and the toes carry what the
plates measure at push-off; of the order of Kern et al. (PeerJ 7 (2019) e7487: midtarsal, two and a half times the
ankle)."""


@dataclass(frozen=True, eq=False)
class WalkingStep:
    """A step of a person on a foot model. side; mode: of LOADING_MODES; tissue: method. registration: of the model.
    balance: poses, corrections, and forces of the sole as springs, over the frames of the markers. rolled: the step of
    the tissue method, with pressure. foundation: the same step as an elastic foundation. stance: start and end, s.
    reference: load for comparison, of `source`: plate or predicted. All in a frame with z = 0 on the ground, mirrored
    if the model is of the other side."""

    side: str
    mode: str
    tissue: str
    registration: FootRegistration
    balance: StepBalance
    rolled: RollingResult
    foundation: RollingResult
    stance: tuple[float, float]
    reference: StepLoad
    source: str

    @property
    def pressure(self) -> FootPressure:
        """Pressure per sensor cell in the frame of the foot."""
        return self.rolled.pressure

    @property
    def foot(self) -> Foot:
        return self.registration.foot

    @cached_property
    def computed(self) -> StepLoad:
        """Ground force of the tissue method, its point of application and free moment, at the frames of the balance."""
        rolled = self.rolled
        return StepLoad(rolled.force, rolled.centre_of_pressure, rolled.pressure.free_moment)

    @cached_property
    def compared(self) -> Array:
        """(n,): True for frames in which points of application are compared."""
        return self.reference.centre_defined & self.computed.centre_defined

    def ankle_moment(self, load: StepLoad) -> Array:
        """Moment of the ground about the ankle centre of the markers (n,), N m, that pushes the toes up, in the frame
        of the foot's direction."""
        moment = load.moment(self.balance.track.ankle)
        left = np.array([correction_axes(rotation)[0] for rotation in self.balance.track.rotation])
        return -np.einsum("nx,nx->n", moment, left)

    @cached_property
    def tissue_difference(self) -> dict[str, tuple[float, float]]:
        """Largest pressures of the foundation and of the tissue method, Pa, by area group and for the hallux."""
        ours, springs = (walking_values(one.pressure) for one in (self.rolled, self.foundation))
        return {name: (springs[name], ours[name]) for name in ours if name.startswith("peak pressure")}

    @cached_property
    def differences(self) -> dict[str, float]:
        """RMS and peak differences of computed and reference loads: forces, N, centre, m, free moment and ankle moment,
        N m, and the ankle moment also relative to its peak. Empty without contact."""
        if not self.compared.any():
            return {}
        on, computed, truth = self.compared, self.computed, self.reference
        rows: dict[str, float] = {}
        pairs = {
            "forward": (computed.force[:, 0], truth.force[:, 0]), "left": (computed.force[:, 1], truth.force[:, 1]),
            "up": (computed.force[:, 2], truth.force[:, 2]), "free_moment": (computed.free_moment, truth.free_moment),
            "ankle_moment": (self.ankle_moment(computed), self.ankle_moment(truth)),
        }  # fmt: skip
        for name, (ours, theirs) in pairs.items():
            rows[f"{name}_rms"] = float(np.sqrt(np.mean((ours - theirs)[on] ** 2)))
            rows[f"{name}_peak"] = float(ours[on].max())
            rows[f"{name}_reference_peak"] = float(theirs[on].max())
        apart = (computed.centre - truth.centre)[on]
        rows["centre_rms"] = float(np.sqrt(np.mean(np.sum(apart**2, axis=1))))
        rows["centre_largest"] = float(np.linalg.norm(apart, axis=1).max())
        rows["ankle_moment_relative"] = rows["ankle_moment_rms"] / abs(rows["ankle_moment_reference_peak"])
        return rows

    def to_dict(self) -> dict[str, object]:
        """Numbers for files, SI; angles in degrees."""
        stiffness = np.median(self.balance.stiffness, axis=0)
        units = np.where(np.isin(CORRECTION_NAMES, ANGLE_CORRECTIONS), np.degrees(1.0), 1.0)
        sizes = {"rms": self.balance.correction_rms, "largest": np.abs(self.balance.corrections).max(axis=0)}
        corrections = {
            kind: dict(zip(CORRECTION_NAMES, (units * values).tolist(), strict=True)) for kind, values in sizes.items()
        }
        return {
            "mode": self.mode, "tissue": self.tissue, "stance": list(self.stance), "compared_with": self.source,
            "frames": len(self.rolled.time),
            "registration": self.registration.to_dict(),
            "corrections": {**corrections, "flagged_frames": int(self.balance.flagged.sum())},
            "conditioning": {
                "force_per_height": float(stiffness[0]), "moment_per_degree": float(np.radians(stiffness[1])),
            },
            "differences": self.differences,
        }  # fmt: skip


def find_whole_stance(
    events: Sequence[GaitEvent], forces: GroundForces, side: str, weight: float
) -> tuple[float, float] | None:
    """First stance, from strike to off, s, with a known force throughout and a load that carries the person; None
    without one."""
    k = FOOT_SIDES.index(side)
    own = [event for event in events if event.side == side]
    for one, other in pairwise(own):
        on = (forces.time >= one.time) & (forces.time <= other.time)
        carries = on.sum() > 20 and forces.known[on, k].all() and forces.force[on, k, 2].max() > 0.6 * weight
        if (one.kind, other.kind) == ("strike", "off") and carries:
            return one.time, other.time
    return None


def simulate_step(
    foot: Foot, motion: SkeletonMotion, forces: GroundForces, side: str, stance: tuple[float, float], weight: float,
    tissue: str = "foundation", mode: str = "balanced", plates: GroundForces | None = None, belt: float = 0.0,
) -> WalkingStep:  # fmt: skip
    """Simulate one stance of the foot; pressure maps are of the foot model itself, also for the other, mirrored side.
    forces: given load. stance: start and end, s. weight: N, of the body. tissue: method, as in `Foot.roll`. mode: of
    LOADING_MODES. plates: measured forces for the comparison, if they are not the given ones. belt: backward speed of a
    treadmill, m/s."""
    at = ErrorContext("step")
    at["mode"].one_of(mode, LOADING_MODES, "is no loading mode")
    k = FOOT_SIDES.index(side)
    on = (forces.time >= stance[0]) & (forces.time <= stance[1]) & (forces.force[:, k, 2] > MIN_STEP_LOAD_N)
    frames = np.flatnonzero(on)
    if len(frames) < 10:
        at.fail(f"has {len(frames)} loaded frames of the {side} foot", expected="a stance of 10 frames or more")
    ground = float(forces.height[on, k].mean())
    load = _step_load(forces, on, k)
    measured = plates is not None and bool(plates.known[on, k].all()) and plates.force[on, k, 2].max() > 0.6 * weight
    reference = _step_load(plates, on, k) if plates is not None and measured else load
    source = "plate" if measured or forces.source == "plates" else forces.source
    track, ankle_height = _level_track(motion, side, frames, ground)
    registration = register_foot(foot, motion.skeleton, side, -ankle_height)
    track, load, reference = (
        _on_belt(track, belt),
        _load_on_belt(load, track.time, belt),
        _load_on_belt(reference, track.time, belt),
    )
    if side != foot.shape.side:
        track, load, reference = track.mirrored(), load.mirrored(), reference.mirrored()
    registration = replace(registration, foot=_with_walking_joints(registration.foot))
    scaled = registration.foot
    springs = make_sole_springs(scaled, WALKING_FRICTION, registration.ankle)
    track = replace(track, ankle=track.ankle - [0.0, 0.0, _standing_depth(springs, weight)])
    _check_force_below_foot(springs, track, load, side)
    target = None if mode == "kinematic" else load
    balance = balance_step(springs, track, target)
    foundation = _roll(scaled, registration.ankle, balance, "foundation")
    if tissue == "foundation":
        rolled = foundation
    elif target is None:
        rolled = _roll(scaled, registration.ankle, balance, tissue)
    else:
        balance, rolled = _balance_tissue(scaled, registration.ankle, balance, tissue)
    return WalkingStep(side, mode, tissue, registration, balance, rolled, foundation, stance, reference, source)


def _step_load(forces: GroundForces, on: Array, k: int) -> StepLoad:
    """Load of the frames of a step; the point of application is that of the nearest frame with a load."""
    load, centre = forces.force[on, k], forces.centre(MIN_STEP_LOAD_N)[on, k, :2]
    seen = np.isfinite(centre[:, 0])
    rows = np.arange(len(centre))
    if seen.any():
        centre = np.column_stack([np.interp(rows, rows[seen], column[seen]) for column in centre.T])
    return StepLoad(load, centre, np.nan_to_num(forces.free_moment(MIN_STEP_LOAD_N)[on, k]))


def _on_belt(track: FootTrack, belt: float) -> FootTrack:
    """Track in the frame of a belt that moves backward, m/s."""
    return replace(track, ankle=track.ankle + np.outer(track.time - track.time[0], [belt, 0.0, 0.0]))


def _load_on_belt(load: StepLoad, time: Array, belt: float) -> StepLoad:
    return replace(load, centre=load.centre + np.outer(time - time[0], [belt, 0.0]))


def _check_force_below_foot(springs: SoleSprings, track: FootTrack, load: StepLoad, side: str) -> None:
    """Raise an error if the force acts far beside the sole in most frames, or if the flat foot slides."""
    at = ErrorContext("step", side)
    on = np.flatnonzero(load.centre_defined)
    if not len(on):
        at.fail("has no frame with a point of application", expected=f"a force above {MIN_CENTRE_LOAD_N:g} N")
    local = np.einsum(
        "nji,nj->ni", track.rotation[on], np.column_stack([load.centre[on], np.zeros(len(on))]) - track.ankle[on]
    )
    low, high = springs.points[:, :2].min(axis=0), springs.points[:, :2].max(axis=0)
    place = local[:, :2] + springs.ankle[:2]
    apart = float(np.median(np.linalg.norm(np.maximum(np.maximum(low - place, place - high), 0.0), axis=1)))
    if apart > MAX_FORCE_TO_SOLE_DISTANCE_M:
        at.fail(
            f"has a force that acts {1e3 * apart:.0f} mm beside the foot: plate and foot are apart",
            expected="a registered plate, or --loading predicted",
        )
    flat = slice(*(int(part * len(track.time)) for part in FLAT_FOOT_STANCE_RANGE))
    slid = float(np.linalg.norm(np.ptp(track.ankle[flat, :2], axis=0)))
    if slid > MAX_FLAT_FOOT_SLIP_M:
        at.fail(f"slides by {1e3 * slid:.0f} mm while it is flat", expected="a foot that stands: is it on a belt?")


def _with_walking_joints(foot: Foot) -> Foot:
    """The foot with the joints of walking, unless they were given; a clamped foot has none."""
    inside = foot.inside
    if not isinstance(inside, Cores):
        return foot
    for joint, stiffness in WALKING_JOINT_STIFFNESS.items():
        if inside.joints[joint] == FOOT_JOINTS[joint]:
            inside = inside.stiffer(joint, stiffness)
    return foot.with_inside(inside)


def _level_track(motion: SkeletonMotion, side: str, frames: Array, ground: float) -> tuple[FootTrack, float]:
    """Track of the foot, level while it is flat, and the height of its ankle over the ground then, m."""
    turned = motion.turned(f"{side}_foot")[frames]
    axes = np.stack([turned[:, :, 0], -turned[:, :, 2], turned[:, :, 1]], axis=2)  # forward, left, up
    ankle = motion.origin(f"{side}_foot")[frames] - [0.0, 0.0, ground]
    flat = slice(*(int(part * len(frames)) for part in FLAT_FOOT_STANCE_RANGE))
    up = axes[flat, 2].mean(axis=0)  # the vertical in the axes of the foot
    up = up / np.linalg.norm(up)
    forward = np.array([1.0, 0.0, 0.0]) - up[0] * up
    forward = forward / np.linalg.norm(forward)
    level = np.stack([forward, np.cross(up, forward), up], axis=1)
    return FootTrack(motion.times[frames], ankle, axes @ level), float(ankle[flat, 2].mean())


def _standing_depth(springs: SoleSprings, weight: float) -> float:
    """Depth, m, by which a level sole on which a person stands on one foot sinks into the ground."""
    from scipy.optimize import root_scalar

    axes = np.eye(2, 3)

    def carried(depth: float) -> float:
        pose = SolePose(springs.ankle - [0.0, 0.0, depth], np.eye(3), springs.hinge_rest * 0.0)
        return springs.forces(pose, springs.unloaded(), axes, springs.ankle).force[2] - weight

    return float(root_scalar(carried, bracket=(0.0, 0.03)).root)


def _balance_tissue(foot: Foot, ankle: Array, balance: StepBalance, tissue: str) -> tuple[StepBalance, RollingResult]:
    """Balance of finite-element tissue: its height follows from the force, and the tilt of the springs is corrected by
    the remaining distance between the points of application. Its centre may move by another amount than that of the
    springs: the best of the passes is returned."""
    assert balance.target is not None
    target, results = balance.target, []
    for _ in range(BALANCE_PASSES[tissue]):
        rolled = _roll(foot, ankle, balance, tissue, target.force)
        load = StepLoad(rolled.force, rolled.centre_of_pressure, rolled.pressure.free_moment)
        apart = np.linalg.norm(load.centre - target.centre, axis=1)[target.centre_defined]
        # the ankle of the model, at the corrected pitch and roll
        place = balance.corrected.ankle + balance.corrected.rotation @ (foot.ankle - ankle)
        height = balance.corrections[:, 0] + rolled.ankle[:, 2] - place[:, 2]
        corrections = np.column_stack([height, balance.corrections[:, 1:]])
        results.append((float(np.nanmean(apart**2)), replace(balance, corrections=corrections, load=load), rolled))
        balance = tilt_towards_target(balance, load, height)
    _, balance, rolled = min(results, key=lambda one: one[0])
    return balance, rolled


def _roll(foot: Foot, ankle: Array, balance: StepBalance, tissue: str, force: Array | None = None) -> RollingResult:
    """Step of the tissue method with the motion of a balance. ankle: of the person, m, in the frame of the foot. force:
    (n, 3), N, which determines the height of the ankle; default: the height of the balance."""
    track = balance.corrected
    yaw, pitch, roll = _angles(track.rotation)
    # the ankle of the person is not that of the model
    x, y, z = (track.ankle + track.rotation @ (foot.ankle - ankle)).T
    time = track.time - track.time[0]
    motion = AnkleMotion(time, pitch, x, y, z if force is None else None, roll, yaw)
    return foot.roll(motion, len(time), load=force, speed=tissue, friction=WALKING_FRICTION)


def _angles(rotation: Array) -> tuple[Array, Array, Array]:
    """Yaw, pitch (toes up) and roll, rad, of rotations (n, 3, 3)."""
    yaw = np.unwrap(np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0]))
    pitch = np.arcsin(np.clip(rotation[:, 2, 0], -1.0, 1.0))
    return yaw, pitch, np.arctan2(rotation[:, 2, 1], rotation[:, 2, 2])
