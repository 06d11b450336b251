"""Force and moment of every cuff on the person, and its migration on the limb.

Rigid: the reaction of the joint. Bushing or pad: force f on the device in the frame of the segment, at the device's point; its
torque follows from the energy in e, the axis of the relative rotation R times the sine of its angle (physics/forces/bushing):

    tau = J^T g      J = de/dtheta = (tr R - R) / 2      g = -kappa e - c e'

The load on the person is the opposite, at the same point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.gait.motion import SkeletonMotion
from gaitwright.gait.segment_loads import Wrench
from gaitwright.result.result import Result
from gaitwright.wear.device_assembly import CuffAttachment, cuff_element_name
from gaitwright.wear.driven_segments import DrivenSegments

Array = np.ndarray


class CuffLoad(NamedTuple):
    """Load on the person, (frames, 3) each. force: N, and moment: N m, about the cuff's position on the limb, in the axes of
    the segment: x forward, y up, z to the right. migration: m, of the device's point on the limb, and turn: rad, in the same
    axes. wrench: about the origin of the trial."""

    force: Array
    moment: Array
    migration: Array
    turn: Array
    wrench: Wrench


def cuff_load(attachment: CuffAttachment, run: Result, driven: DrivenSegments, motion: SkeletonMotion) -> CuffLoad:
    """Cuff load at the frames of the motion that the run follows."""
    rotation = motion.turned(attachment.segment)[driven.frames]
    position = motion.place(attachment.segment, attachment.place)[driven.frames]

    def output(kind: str) -> Array:
        return np.column_stack(
            [run.array(f"{cuff_element_name(attachment.cuff.name)}.{kind}{axis}")[driven.first :] for axis in "xyz"]
        )

    if attachment.cuff.type == "rigid":
        force, moment = (-np.einsum("tji,tj->ti", rotation, output(kind)) for kind in "fm")
        shift = turn = np.zeros_like(force)
    else:
        shift, sines, force, torque = (output(kind) for kind in ("d", "e", "f", "m"))
        relative, turn = _rotations_from_sines(sines)
        force, moment = -force, -np.einsum("tji,tj->ti", rotation_sine_jacobian(relative), torque)
        moment = moment + np.cross(shift, force)
    ground_axes_load = np.einsum("tij,tj->ti", rotation, force), np.einsum("tij,tj->ti", rotation, moment)
    return CuffLoad(force, moment, shift, turn, Wrench.at(position, *ground_axes_load))


def rotation_sine_jacobian(relative: Array) -> Array:
    """(n, 3, 3): J = de/dtheta of rotations R, for small rotations about the axes of the segment."""
    return 0.5 * (np.trace(relative, axis1=1, axis2=2)[:, None, None] * np.eye(3) - relative)


def _rotations_from_sines(sines: Array) -> tuple[Array, Array]:
    """Rotations (n, 3, 3) and rotation vectors, rad, from axis times sine of the angle, for angles below a quarter turn."""
    from scipy.spatial.transform import Rotation

    size = np.linalg.norm(sines, axis=1, keepdims=True)
    vector = sines * np.where(size > 1e-12, np.arcsin(np.minimum(size, 1.0)) / np.maximum(size, 1e-300), 1.0)
    return Rotation.from_rotvec(vector).as_matrix(), vector
