"""Inverse dynamics: moments, powers and forces of the joints, and the residuals at the pelvis.

All segments distal to a joint together need, about the origin of the trial,

    force  F = sum m (a - g)      moment  M = sum c x m (a - g) + d/dt (R J R^T omega)

supplied by the ground, by loads (segment_loads.py: a pack, a seat, a device) and by the joint. So the joint force and
moment are the difference, for all frames at once, and about the joint centre p the moment is M - p x F. For driven bodies
the solver of the mechanism computes the same, but it needs joints without gaps, and poses of segments tracked
independently leave gaps at the joints. At the pelvis, the root, the remainder is the residual: zero if motion, masses and
forces are consistent.

Moments are INTERNAL, of muscles and ligaments on the segment below, and a positive moment opposes a positive angle:
extensors and plantar flexors, abductors and evertors, external rotators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.filters import derivative
from gaitwright.gait.ground_reaction import FOOT_SIDES, GroundForces
from gaitwright.gait.segment_loads import Wrench, validate_loads
from gaitwright.gait.trial_quality import GRAVITY_M_PER_S2

if TYPE_CHECKING:
    from gaitwright.gait.inverse_kinematics import SkeletonMotion
    from gaitwright.gait.skeleton import HumanSkeleton, SkeletonJoint, SkeletonSegment

Array = np.ndarray
POSITIVE_MOMENT_MEANINGS = {
    "hip": ("extensors", "abductors", "external rotators"), "knee": ("extensors", "abductors", "external rotators"),
    "ankle": ("plantar flexors", "evertors", "external rotators"),
    "lumbar": ("extensors", "benders to the left", "rotators to the right"),
}  # fmt: skip
"""Muscle group of a positive moment, for each axis of the joint."""
SAGITTAL_MOMENT_SIGNS = {"hip": -1.0, "knee": 1.0, "ankle": -1.0, "lumbar": 1.0}
"""Sign of a positive moment about z (to the right) of the segment above: hip flexion and dorsiflexion are about +z, knee and
trunk flexion about -z."""
SIDE_MOMENT_SIGNS = {"right": -1.0, "left": 1.0, "lumbar": -1.0}
"""Sign of a positive moment about the floating axis and the long axis."""
MOMENT_PLANE_SUFFIXES = ("", "_frontal", "_transverse")


@dataclass(frozen=True)
class SegmentMotion:
    """Motion of a segment over time, in the frame of the trial: origin and centre of mass (time, 3), m, acceleration of
    the centre, m/s^2, rotation (time, 3, 3), angular velocity, rad/s, and its derivative, rad/s^2."""

    segment: SkeletonSegment
    origin: Array
    rotation: Array
    centre: Array
    acceleration: Array
    spin: Array
    spin_rate: Array

    def place(self, local: Array) -> Array:
        return self.origin + self.rotation @ local

    def needed(self, gravity: float) -> tuple[Array, Array]:
        """Force (time, 3), N, and moment about the origin of the trial, N m, that the segment needs for its motion against
        gravity."""
        force = self.segment.mass * (self.acceleration + np.array([0.0, 0.0, gravity]))
        inertia = self.rotation @ self.segment.inertia @ np.swapaxes(self.rotation, 1, 2)
        momentum = np.einsum("tij,tj->ti", inertia, self.spin)
        turning = np.einsum("tij,tj->ti", inertia, self.spin_rate) + np.cross(self.spin, momentum)
        return force, np.cross(self.centre, force) + turning


def segment_motions(motion: SkeletonMotion) -> dict[str, SegmentMotion]:
    """Motions of the segments by name, from their filtered poses and derivatives."""
    acceleration = derivative(motion.centres.to_numpy(), motion.rate, 2)
    spins = (motion.angular_velocity.to_numpy(), motion.angular_acceleration.to_numpy())
    motions = {}
    for k, name in enumerate(motion.segments):
        rotation, segment = motion.turned(name), motion.skeleton.segments[name]
        spin, spin_rate = (np.einsum("tij,tj->ti", rotation, values[:, k]) for values in spins)
        centre = motion.place(name, segment.centre)
        motions[name] = SegmentMotion(
            segment, motion.origin(name), rotation, centre, acceleration[:, k], spin, spin_rate
        )
    return motions


def joint_moments(
    motion: SkeletonMotion,
    forces: GroundForces,
    gravity: float = GRAVITY_M_PER_S2,
    loads: Mapping[str, Wrench] | None = None,
) -> xr.Dataset:
    """Joint moments over time: `right_knee_moment`, `.._moment_frontal`, `.._moment_transverse`, N m/kg;
    `right_knee_power`, W/kg; `right_knee_force`, N, the net intersegmental force on the segment below in its axes (from
    gravity, ground and inertia; without the compression by muscles, so it is not the load of the joint surfaces);
    `residual_force`, N, and `residual_moment`, N m, about the midpoint of the hips. NaN while the force of a foot is
    unknown. kg refers to the whole person. loads: other loads, by segment. Internal moments; for signs see
    POSITIVE_MOMENT_MEANINGS. Raises ModelError for forces at other instants."""
    if len(forces.time) != len(motion.times) or not np.allclose(forces.time, motion.times, atol=1e-6):
        ErrorContext("forces").fail(
            f"are at {len(forces.time)} other instants than the {len(motion.times)} of the motion",
            expected="gw.gait.ground_forces_from_plates(trial, times=motion.times)",
        )
    return inverse_dynamics(motion.skeleton, segment_motions(motion), forces, gravity, loads)


def inverse_dynamics(
    skeleton: HumanSkeleton,
    segments: dict[str, SegmentMotion],
    forces: GroundForces,
    gravity: float = GRAVITY_M_PER_S2,
    loads: Mapping[str, Wrench] | None = None,
) -> xr.Dataset:
    """The same as joint_moments, for segments with given derivatives."""
    wrench = {name: list(one.needed(gravity)) for name, one in segments.items()}
    for name, load in validate_loads(loads, segments, len(forces.time)).items():
        force, moment = wrench[name]
        wrench[name] = [force - load.force, moment - load.moment]
    for k, side in enumerate(FOOT_SIDES):
        force, moment = wrench[f"{side}_foot"]
        wrench[f"{side}_foot"] = [force - forces.force[:, k], moment - forces.moment[:, k]]
    mass = skeleton.subject.mass
    outputs: dict[str, tuple] = {}
    for joint in reversed(skeleton.joints.values()):  # children first
        force, moment = wrench[joint.child]
        wrench[joint.parent] = [wrench[joint.parent][0] + force, wrench[joint.parent][1] + moment]
        if joint.child == "trunk" and skeleton.carried:
            continue  # without trunk markers its moment is unknown
        side = FOOT_SIDES.index(joint.name.partition("_")[0]) if joint.name.startswith(FOOT_SIDES) else None
        known = np.ones(len(forces.time), dtype=bool) if side is None else forces.known[:, side]
        outputs |= _joint_outputs(joint, segments, np.where(known[:, None], force, np.nan), moment, mass)
    force, moment = wrench["pelvis"]
    known = np.all(forces.known, axis=1, keepdims=True)
    turning = moment - np.cross(segments["pelvis"].origin, force)
    outputs["residual_force"] = (("time", "axis"), np.where(known, force, np.nan), {"units": "N"})
    outputs["residual_moment"] = (("time", "axis"), np.where(known, turning, np.nan), {"units": "N m"})
    attrs = {"moments": "internal", "forces": forces.source, "mass": mass}
    return xr.Dataset(outputs, {"time": forces.time, "axis": ["x", "y", "z"]}, attrs)


def _joint_outputs(
    joint: SkeletonJoint, segments: dict[str, SegmentMotion], force: Array, moment: Array, mass: float
) -> dict[str, tuple[tuple[str, ...], Array, dict[str, str]]]:
    """Moments, power and force of a joint. If the poses of its segments leave a gap, the joint position is that of the lower
    segment."""
    above, below = segments[joint.parent], segments[joint.child]
    kind = joint.name.rpartition("_")[2]
    about = moment - np.cross(below.place(below.segment.joints[joint.name]), force)
    signs = (SAGITTAL_MOMENT_SIGNS[kind], *2 * (SIDE_MOMENT_SIGNS[joint.name.partition("_")[0]],))
    outputs = {}
    for plane, axis, sign, plus in zip(
        MOMENT_PLANE_SUFFIXES, joint_axes(above, below), signs, POSITIVE_MOMENT_MEANINGS[kind], strict=True
    ):
        values = sign * np.einsum("ti,ti->t", about, axis) / mass
        outputs[f"{joint.name}_moment{plane}"] = (
            ("time",),
            values,
            {"units": "N m/kg", "plus": plus, "kind": "internal"},
        )
    power = np.einsum("ti,ti->t", about, below.spin - above.spin) / mass
    outputs[f"{joint.name}_power"] = (("time",), power, {"units": "W/kg", "plus": "generation"})
    own = np.einsum("tji,tj->ti", below.rotation, force)
    outputs[f"{joint.name}_force"] = (
        ("time", "axis"),
        own,
        {"units": "N", "frame": joint.child, "kind": "net intersegmental"},
    )
    return outputs


def joint_axes(above: SegmentMotion, below: SegmentMotion) -> tuple[Array, Array, Array]:
    """Axes of Grood and Suntay: z of the segment above, the floating axis forward, and y of the segment below."""
    first, third = above.rotation[:, :, 2], below.rotation[:, :, 1]
    floating = np.cross(third, first)
    return first, floating / np.linalg.norm(floating, axis=1, keepdims=True), third
