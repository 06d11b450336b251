"""Inverse kinematics: the poses of segments that come nearest to the markers, in every frame.

method      what is sought                                                      residual
segments    each segment by itself: least squares over its own markers          skin and noise of one segment
joints      all at once: least squares over all markers, joints kept together   the same, and what joints do not allow

Segments: R = argmin sum w |o + R l - x|^2, by the singular values of the weighted covariance (I. Soederkvist, P. A. Wedin,
J. Biomech. 26 (1993) 1473). Where fewer than three markers of a segment are seen, the centre of its upper joint, as the segment
above has it, counts as one. Joints: chain_fit.py (T.-W. Lu, J. J. O'Connor, J. Biomech. 32 (1999) 129).

Filter: over poses, after the fit, so that a marker that comes or goes does not leave a corner. Joints stay together: with the
method joints it is the turns of the joints that are filtered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from gaitwright.checks import At
from gaitwright.gait.filters import low_pass
from gaitwright.gait.motion import AXES, Motion, matrices, quaternions
from gaitwright.gait.segment_frames import UPRIGHT
from gaitwright.gait.skeleton import Skeleton

if TYPE_CHECKING:
    from gaitwright.gait.trial import Trial

Array = np.ndarray
METHODS = ("joints", "segments")
CUTOFF = 6.0
"""Hz: nearly all of walking is below (Winter 2009, section 2.2.4), and noise grows with the square of the frequency in
accelerations. Forces get the same one, or the impact would be in the forces and not in the accelerations, and show as a moment
that nobody made (A. J. van den Bogert, J. J. de Koning 1996)."""
THIN = 0.01
"""m: how far, by root mean square, markers must spread beside their line for it to be a frame."""


def follow(
    trial: Trial,
    skeleton: Skeleton,
    method: str = "joints",
    *,
    cutoff: float | None = CUTOFF,
    weights: Mapping[str, float] | None = None,
) -> Motion:
    """The motion of a skeleton that follows the markers of a trial.

    method: 'joints' or 'segments'. cutoff: Hz, of the zero-lag filter over poses; None for none. weights: by label, 1 unless
    given; 0 leaves a marker out."""
    at = At("follow")
    at["method"].one_of(method, METHODS, "is no method")
    labels = [label for one in skeleton.segments.values() for label in one.markers if label in trial.labels]
    for label in weights or {}:
        at["weights"].one_of(label, labels, "there is no such marker on the skeleton")
    measured = trial.markers.to_numpy()[:, [trial.labels.index(label) for label in labels]]
    weight = np.array([(weights or {}).get(label, 1.0) for label in labels])
    position, rotation = segment_poses(skeleton, labels, measured, weight)
    _carry(skeleton, position, rotation)
    _all_followed(trial, skeleton, position)
    if method == "joints":
        from gaitwright.gait.chain_fit import fit

        position, rotation = fit(skeleton, labels, measured, weight, position, rotation)
    residual = np.linalg.norm(marker_places(skeleton, labels, position, rotation) - measured, axis=2)
    if cutoff is not None:
        position, rotation = _filtered(skeleton, position, rotation, trial.rate, cutoff, method)
    _carry(skeleton, position, rotation)
    time = {"time": trial.times}
    names = {**time, "segment": list(skeleton.segments)}
    motion = Motion(
        skeleton,
        xr.DataArray(position, {**names, "axis": AXES}, ("time", "segment", "axis"), "position", {"units": "m"}),
        xr.DataArray(rotation, names, ("time", "segment", "row", "column"), "rotation", {"units": "1"}),
        xr.DataArray(residual, {**time, "marker": labels}, ("time", "marker"), "residual", {"units": "m"}),
        trial.rate, method, cutoff or 0.0,
    )  # fmt: skip
    return motion


def owner_of(skeleton: Skeleton, labels: list[str]) -> tuple[Array, Array]:
    """Number of the segment of each marker, and its place in it, (markers, 3)."""
    found = {
        label: (k, local) for k, one in enumerate(skeleton.segments.values()) for label, local in one.markers.items()
    }
    return np.array([found[label][0] for label in labels], dtype=int), np.array([found[label][1] for label in labels])


def marker_places(skeleton: Skeleton, labels: list[str], position: Array, rotation: Array) -> Array:
    """Where the skeleton has its markers, (time, marker, 3)."""
    owner, local = owner_of(skeleton, labels)
    return position[:, owner] + np.einsum("tmij,mj->tmi", rotation[:, owner], local)


def segment_poses(skeleton: Skeleton, labels: list[str], measured: Array, weight: Array) -> tuple[Array, Array]:
    """Origins (time, segment, 3) and rotations (time, segment, 3, 3), each segment by itself; NaN where it cannot be told."""
    owner, local = owner_of(skeleton, labels)
    names = list(skeleton.segments)
    position = np.full((len(measured), len(names), 3), np.nan)
    rotation = np.full((len(measured), len(names), 3, 3), np.nan)
    above = {joint.child: joint for joint in skeleton.joints.values()}
    for k, name in enumerate(names):
        own = np.flatnonzero((owner == k) & (weight > 0))
        places, seen = local[own], measured[:, own]
        w = np.isfinite(seen).all(axis=2) * weight[own]
        if name in above:
            joint = above[name]
            p = names.index(joint.parent)
            centre = position[:, p] + rotation[:, p] @ skeleton.segments[joint.parent].joints[joint.name]
            places = np.vstack([places, skeleton.segments[name].joints[joint.name]])
            seen = np.concatenate([seen, centre[:, None]], axis=1)
            few = ((w > 0).sum(axis=1) < 3) & np.isfinite(centre).all(axis=1)
            w = np.column_stack([w, few * float(weight[own].mean() if len(own) else 1.0)])
        position[:, k], rotation[:, k] = nearest_pose(places, np.nan_to_num(seen), w)
    return position, rotation


def nearest_pose(local: Array, seen: Array, weight: Array) -> tuple[Array, Array]:
    """Poses (time, 3) and (time, 3, 3) that take places (markers, 3) nearest to (time, markers, 3); weight: (time, markers), 0
    where a marker is not seen. NaN with fewer than three, or with all on a line."""
    total = weight.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = weight / total[:, None]
    share = np.nan_to_num(share)
    middle_local, middle_seen = share @ local, np.einsum("tm,tmi->ti", share, seen)
    there, here = local - middle_local[:, None], seen - middle_seen[:, None]
    u, _, vt = np.linalg.svd(np.einsum("tm,tmi,tmj->tij", share, here, there))
    mirror = np.sign(np.linalg.det(u @ vt))
    u[:, :, 2] *= mirror[:, None]
    rotation = u @ vt
    position = middle_seen - np.einsum("tij,tj->ti", rotation, middle_local)
    spread = np.linalg.eigvalsh(np.einsum("tm,tmi,tmj->tij", share, there, there))
    lost = ((weight > 0).sum(axis=1) < 3) | (spread[:, 1] < THIN**2)
    position[lost], rotation[lost] = np.nan, np.nan
    return position, rotation


def _carry(skeleton: Skeleton, position: Array, rotation: Array) -> None:
    """A trunk without markers: upright above the middle of the hips, at the height of the navel."""
    if skeleton.carried:
        names = list(skeleton.segments)
        trunk = names.index("trunk")
        lumbar = np.linalg.norm(skeleton.segments["pelvis"].joints["lumbar"])
        position[:, trunk] = position[:, names.index("pelvis")] + np.array([0.0, 0.0, lumbar])
        rotation[:, trunk] = UPRIGHT


def _all_followed(trial: Trial, skeleton: Skeleton, position: Array) -> None:
    for k, (name, segment) in enumerate(skeleton.segments.items()):
        if not np.isfinite(position[:, k]).any():
            here = [label for label in segment.markers if label in trial.labels]
            At(f"trial '{trial.name}'").fail(
                f"has too few markers on the {name.replace('_', ' ')}: {', '.join(here) or 'none'}",
                expected="three that are not on a line, the joint above counted as one; a further one by "
                f"load(..., markers={{'{name}_2': label}})",
            )


def _filtered(
    skeleton: Skeleton, position: Array, rotation: Array, rate: float, cutoff: float, method: str
) -> tuple[Array, Array]:
    names = list(skeleton.segments)
    if method == "segments":
        return low_pass(position, rate, cutoff), matrices(low_pass(quaternions(rotation), rate, cutoff))
    smooth_position, smooth = np.empty_like(position), np.empty_like(rotation)
    root = names.index("pelvis")
    smooth_position[:, root] = low_pass(position[:, root], rate, cutoff)
    smooth[:, root] = matrices(low_pass(quaternions(rotation[:, root]), rate, cutoff))
    for joint in skeleton.joints.values():
        p, c = names.index(joint.parent), names.index(joint.child)
        relative = np.swapaxes(rotation[:, p], 1, 2) @ rotation[:, c]
        smooth[:, c] = smooth[:, p] @ matrices(low_pass(quaternions(relative), rate, cutoff))
        centre = skeleton.segments[joint.parent].joints[joint.name]
        smooth_position[:, c] = smooth_position[:, p] + smooth[:, p] @ centre
    return smooth_position, smooth
