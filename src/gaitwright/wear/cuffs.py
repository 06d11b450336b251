"""Force and moment of every cuff on the person, and how far it has moved on the limb.

Rigid: the reaction of the joint. Bushing or pad: force f on the device in the frame of the segment, at the device's point; its
torque follows from the energy in e, the axis of the relative rotation R times the sine of its angle (physics/forces/bushing):

    tau = J^T g      J = de/dtheta = (tr R - R) / 2      g = -kappa e - c e'

What acts on the person is the opposite, at the same point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.gait.loads import Wrench
from gaitwright.gait.motion import Motion
from gaitwright.result.result import Result
from gaitwright.wear.driven import Driven
from gaitwright.wear.wearing import Bound, element_of

Array = np.ndarray


class CuffLoad(NamedTuple):
    """On the person, (frames, 3) each. force: N, and moment: N m, about the cuff's place on the limb, in the axes of the
    segment: x forward, y up, z to the right. migration: m, of the device's point on the limb, and turn: rad, in the same.
    wrench: about the origin of the trial."""

    force: Array
    moment: Array
    migration: Array
    turn: Array
    wrench: Wrench


def cuff_load(one: Bound, run: Result, along: Driven, motion: Motion) -> CuffLoad:
    """At the frames of the motion that the run followed."""
    rotation = motion.turned(one.segment)[along.frames]
    place = motion.place(one.segment, one.place)[along.frames]

    def output(kind: str) -> Array:
        return np.column_stack(
            [run.values(f"{element_of(one.cuff.name)}.{kind}{axis}")[along.first :] for axis in "xyz"]
        )

    if one.cuff.type == "rigid":
        force, moment = (-np.einsum("tji,tj->ti", rotation, output(kind)) for kind in "fm")
        shift = turn = np.zeros_like(force)
    else:
        shift, sines, force, torque = (output(kind) for kind in ("d", "e", "f", "m"))
        relative, turn = _turned(sines)
        force, moment = -force, -np.einsum("tji,tj->ti", sine_slope(relative), torque)
        moment = moment + np.cross(shift, force)
    outside = np.einsum("tij,tj->ti", rotation, force), np.einsum("tij,tj->ti", rotation, moment)
    return CuffLoad(force, moment, shift, turn, Wrench.at(place, *outside))


def sine_slope(relative: Array) -> Array:
    """(n, 3, 3): J = de/dtheta of rotations R, by small turns in the axes of the segment."""
    return 0.5 * (np.trace(relative, axis1=1, axis2=2)[:, None, None] * np.eye(3) - relative)


def _turned(sines: Array) -> tuple[Array, Array]:
    """Rotations (n, 3, 3) and their vectors, rad, of axes times sines of angles below a quarter turn."""
    from scipy.spatial.transform import Rotation

    size = np.linalg.norm(sines, axis=1, keepdims=True)
    vector = sines * np.where(size > 1e-12, np.arcsin(np.minimum(size, 1.0)) / np.maximum(size, 1e-300), 1.0)
    return Rotation.from_rotvec(vector).as_matrix(), vector
