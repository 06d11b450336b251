"""Inverse dynamics: moments, powers and forces of the joints, and what is left over at the pelvis.

Everything beyond a joint needs, about the origin of the trial,

    force  F = sum m (a - g)      moment  M = sum c x m (a - g) + d/dt (R J R^T omega)

and gets it from the ground, from loads (loads.py: a pack, a seat, a device) and through the joint. So that is the difference,
for all frames at once, and about the centre p of the joint the moment is M - p x F. That is what the engine solves for bodies
that are driven, without its drives: poses of segments that are followed one by one leave gaps at the joints, which no mechanism
has. At the pelvis, where no joint is left, what remains is the residual: zero if motion, masses and forces belonged together.

Moments are INTERNAL, of muscles and ligaments on the segment below, and plus is what works against the plus of the angle:
extensors and plantar flexors, abductors and evertors, external rotators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from gaitwright.checks import At
from gaitwright.gait.filters import derivative
from gaitwright.gait.forces import FEET, GroundForces
from gaitwright.gait.loads import Wrench, checked
from gaitwright.gait.quality import GRAVITY

if TYPE_CHECKING:
    from gaitwright.gait.poses import Motion
    from gaitwright.gait.skeleton import Joint, Segment, Skeleton

Array = np.ndarray
PLUS = {
    "hip": ("extensors", "abductors", "external rotators"), "knee": ("extensors", "abductors", "external rotators"),
    "ankle": ("plantar flexors", "evertors", "external rotators"),
    "lumbar": ("extensors", "benders to the left", "rotators to the right"),
}  # fmt: skip
"""What a positive moment is of, about the axes of the joint."""
AGAINST = {"hip": -1.0, "knee": 1.0, "ankle": -1.0, "lumbar": 1.0}
"""Sign of plus about z, to the right, of the segment above: hips bend and toes rise about +z, knees and trunk bend about -z."""
OUTWARDS = {"right": -1.0, "left": 1.0, "lumbar": -1.0}
"""Sign of plus about the floating axis and the long one."""
PLANES = ("", "_frontal", "_transverse")


@dataclass(frozen=True)
class Moving:
    """A segment over time, in the frame of the trial: origin and centre of mass (time, 3), m, acceleration of the latter,
    rotation (time, 3, 3), angular velocity, rad/s, and its derivative, rad/s^2."""

    segment: Segment
    origin: Array
    rotation: Array
    centre: Array
    acceleration: Array
    spin: Array
    spin_rate: Array

    def place(self, local: Array) -> Array:
        return self.origin + self.rotation @ local

    def needed(self, gravity: float) -> tuple[Array, Array]:
        """Force (time, 3), N, and moment about the origin of the trial, N m, that its motion asks for besides its weight."""
        force = self.segment.mass * (self.acceleration + np.array([0.0, 0.0, gravity]))
        inertia = self.rotation @ self.segment.inertia @ np.swapaxes(self.rotation, 1, 2)
        momentum = np.einsum("tij,tj->ti", inertia, self.spin)
        turning = np.einsum("tij,tj->ti", inertia, self.spin_rate) + np.cross(self.spin, momentum)
        return force, np.cross(self.centre, force) + turning


def moving(motion: Motion) -> dict[str, Moving]:
    """Segments by name, with derivatives of their filtered poses."""
    acceleration = derivative(motion.centres.to_numpy(), motion.rate, 2)
    spins = (motion.angular_velocity.to_numpy(), motion.angular_acceleration.to_numpy())
    found = {}
    for k, name in enumerate(motion.segments):
        rotation, segment = motion.turned(name), motion.skeleton.segments[name]
        spin, spin_rate = (np.einsum("tij,tj->ti", rotation, values[:, k]) for values in spins)
        centre = motion.place(name, segment.centre)
        found[name] = Moving(segment, motion.origin(name), rotation, centre, acceleration[:, k], spin, spin_rate)
    return found


def joint_moments(
    motion: Motion, forces: GroundForces, gravity: float = GRAVITY, loads: Mapping[str, Wrench] | None = None
) -> xr.Dataset:
    """Over time: `right_knee_moment`, `.._moment_frontal`, `.._moment_transverse`, N m/kg; `right_knee_power`, W/kg;
    `right_knee_force`, N, the net intersegmental force on the segment below in its axes (from gravity, ground and inertia;
    without the compression by muscles, so it is not the load of the joint surfaces); `residual_force`, N, and
    `residual_moment`, N m, about the middle
    of the hips. NaN where the force of a foot is not known. kg: of the whole person. loads: what else acts, by segment."""
    if len(forces.time) != len(motion.times) or not np.allclose(forces.time, motion.times, atol=1e-6):
        At("forces").fail(
            f"are at {len(forces.time)} other instants than the {len(motion.times)} of the motion",
            expected="gw.gait.measured(trial, times=motion.times)",
        )
    return inverse_dynamics(motion.skeleton, moving(motion), forces, gravity, loads)


def inverse_dynamics(
    skeleton: Skeleton,
    segments: dict[str, Moving],
    forces: GroundForces,
    gravity: float = GRAVITY,
    loads: Mapping[str, Wrench] | None = None,
) -> xr.Dataset:
    """The same of segments whose derivatives are given."""
    wrench = {name: list(one.needed(gravity)) for name, one in segments.items()}
    for name, load in checked(loads, segments, len(forces.time)).items():
        force, moment = wrench[name]
        wrench[name] = [force - load.force, moment - load.moment]
    for k, side in enumerate(FEET):
        force, moment = wrench[f"{side}_foot"]
        wrench[f"{side}_foot"] = [force - forces.force[:, k], moment - forces.moment[:, k]]
    mass = skeleton.subject.mass
    found: dict[str, tuple] = {}
    for joint in reversed(skeleton.joints.values()):  # children first
        force, moment = wrench[joint.child]
        wrench[joint.parent] = [wrench[joint.parent][0] + force, wrench[joint.parent][1] + moment]
        if joint.child == "trunk" and skeleton.carried:
            continue  # what bends a trunk that nobody saw is not known
        side = FEET.index(joint.name.partition("_")[0]) if joint.name.startswith(FEET) else None
        known = np.ones(len(forces.time), dtype=bool) if side is None else forces.known[:, side]
        found |= _of_joint(joint, segments, np.where(known[:, None], force, np.nan), moment, mass)
    force, moment = wrench["pelvis"]
    known = np.all(forces.known, axis=1, keepdims=True)
    turning = moment - np.cross(segments["pelvis"].origin, force)
    found["residual_force"] = (("time", "axis"), np.where(known, force, np.nan), {"units": "N"})
    found["residual_moment"] = (("time", "axis"), np.where(known, turning, np.nan), {"units": "N m"})
    attrs = {"moments": "internal", "forces": forces.source, "mass": mass}
    return xr.Dataset(found, {"time": forces.time, "axis": ["x", "y", "z"]}, attrs)


def _of_joint(
    joint: Joint, segments: dict[str, Moving], force: Array, moment: Array, mass: float
) -> dict[str, tuple[tuple[str, ...], Array, dict[str, str]]]:
    """Where the poses of two segments leave a gap between them, the joint is where the lower one has it."""
    above, below = segments[joint.parent], segments[joint.child]
    kind = joint.name.rpartition("_")[2]
    about = moment - np.cross(below.place(below.segment.joints[joint.name]), force)
    signs = (AGAINST[kind], *2 * (OUTWARDS[joint.name.partition("_")[0]],))
    found = {}
    for plane, axis, sign, plus in zip(PLANES, joint_axes(above, below), signs, PLUS[kind], strict=True):
        values = sign * np.einsum("ti,ti->t", about, axis) / mass
        found[f"{joint.name}_moment{plane}"] = (
            ("time",),
            values,
            {"units": "N m/kg", "plus": plus, "kind": "internal"},
        )
    power = np.einsum("ti,ti->t", about, below.spin - above.spin) / mass
    found[f"{joint.name}_power"] = (("time",), power, {"units": "W/kg", "plus": "generation"})
    own = np.einsum("tji,tj->ti", below.rotation, force)
    found[f"{joint.name}_force"] = (
        ("time", "axis"),
        own,
        {"units": "N", "frame": joint.child, "kind": "net intersegmental"},
    )
    return found


def joint_axes(above: Moving, below: Moving) -> tuple[Array, Array, Array]:
    """Of Grood and Suntay: z of the segment above, the floating axis forward, and y of the segment below."""
    first, third = above.rotation[:, :, 2], below.rotation[:, :, 1]
    floating = np.cross(third, first)
    return first, floating / np.linalg.norm(floating, axis=1, keepdims=True), third
