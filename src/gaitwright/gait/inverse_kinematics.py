"""Inverse kinematics: segment poses that fit the markers best, in every frame.

method      objective                                                            residual
segments    each segment separately: least squares over its own markers          skin motion and noise of one segment
joints      all segments: least squares over all markers, with joint constraints the same, and motion that joints exclude

Segments: R = argmin sum w |o + R l - x|^2, by the singular values of the weighted covariance (I. Soederkvist, P. A. Wedin,
J. Biomech. 26 (1993) 1473). With fewer than three visible markers of a segment, or with all on a line, the centre of its
upper joint, from the pose of the segment above, counts as one, and if that is not enough a point beside it, which moves with
the segment above. Joints: multibody_fit.py (T.-W. Lu, J. J. O'Connor, J. Biomech. 32 (1999) 129).

The filter acts on poses, after the fit, so that a marker that appears or disappears leaves no kink. Joints stay connected:
with the method joints, the joint rotations are filtered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.filters import low_pass
from gaitwright.gait.motion import AXIS_NAMES, SkeletonMotion, matrices_from_quaternions, quaternions_from_matrices
from gaitwright.gait.segment_frames import UPRIGHT_AXES
from gaitwright.gait.skeleton import HumanSkeleton, MissingMarkerError, SkeletonSegment

if TYPE_CHECKING:
    from gaitwright.gait.trial import GaitTrial

Array = np.ndarray
INVERSE_KINEMATICS_METHODS = ("joints", "segments")
POSE_CUTOFF_HZ = 6.0
"""Hz: nearly all the content of walking is below (Winter 2009, section 2.2.4), and noise in accelerations grows with the
square of the frequency. Forces get the same cut-off; otherwise the impact would be in the forces but not in the
accelerations, and appear as a spurious moment (A. J. van den Bogert, J. J. de Koning 1996)."""
MIN_MARKER_SPREAD_M = 0.01
"""m: minimum RMS distance of markers from their common line for a segment frame."""
SUPPORT_POINT_M, SUPPORT_WEIGHT = np.array([0.0, 0.0, 0.1]), 0.05
"""Point to the right of the upper joint of a segment, m, and its weight: where markers and joint of a segment are on a line,
this point moves with the segment above, so that the rotation about the line is that of the rest position of the joint."""
UPRIGHT_POINT_M = np.array([0.0, 0.1, 0.0])
"""The same for a pelvis whose markers are on a line: this point stays above them."""


def follow(
    trial: GaitTrial,
    skeleton: HumanSkeleton,
    method: str = "joints",
    *,
    cutoff: float | None = POSE_CUTOFF_HZ,
    weights: Mapping[str, float] | None = None,
) -> SkeletonMotion:
    """Motion of a skeleton that follows the markers of a trial.

    method: 'joints' or 'segments'. cutoff: Hz, of the zero-lag filter on poses; None for none. weights: by label, default
    1; 0 excludes a marker. Raises ModelError for unknown names and for a segment without enough markers."""
    at = ErrorContext("follow")
    at["method"].one_of(method, INVERSE_KINEMATICS_METHODS, "is no method")
    labels = [label for one in skeleton.segments.values() for label in one.markers if label in trial.labels]
    for label in weights or {}:
        at["weights"].one_of(label, labels, "there is no such marker on the skeleton")
    measured = trial.markers.to_numpy()[:, [trial.labels.index(label) for label in labels]]
    weight = np.array([(weights or {}).get(label, 1.0) for label in labels])
    position, rotation, weak = fit_segment_poses(skeleton, labels, measured, weight)
    _place_carried_trunk(skeleton, position, rotation)
    _check_segments_followed(trial, skeleton, position)
    if method == "joints":
        from gaitwright.gait.multibody_fit import fit_markers

        more = _add_support_points(skeleton, labels, measured, weight, position, rotation, weak)
        position, rotation = fit_markers(*more, position, rotation)
    residual = np.linalg.norm(marker_positions(skeleton, labels, position, rotation) - measured, axis=2)
    if cutoff is not None:
        position, rotation = _filter_poses(skeleton, position, rotation, trial.rate, cutoff, method)
    _place_carried_trunk(skeleton, position, rotation)
    time = {"time": trial.times}
    names = {**time, "segment": list(skeleton.segments)}
    motion = SkeletonMotion(
        skeleton,
        xr.DataArray(position, {**names, "axis": AXIS_NAMES}, ("time", "segment", "axis"), "position", {"units": "m"}),
        xr.DataArray(rotation, names, ("time", "segment", "row", "column"), "rotation", {"units": "1"}),
        xr.DataArray(residual, {**time, "marker": labels}, ("time", "marker"), "residual", {"units": "m"}),
        trial.rate, method, cutoff or 0.0,
    )  # fmt: skip
    return motion


def marker_owners(skeleton: HumanSkeleton, labels: list[str]) -> tuple[Array, Array]:
    """Index of the segment of each marker, and its local position, (markers, 3)."""
    owners = {
        label: (k, local) for k, one in enumerate(skeleton.segments.values()) for label, local in one.markers.items()
    }
    return np.array([owners[label][0] for label in labels], dtype=int), np.array([owners[label][1] for label in labels])


def marker_positions(skeleton: HumanSkeleton, labels: list[str], position: Array, rotation: Array) -> Array:
    """Marker positions of the skeleton, (time, marker, 3)."""
    owner, local = marker_owners(skeleton, labels)
    return position[:, owner] + np.einsum("tmij,mj->tmi", rotation[:, owner], local)


def fit_segment_poses(
    skeleton: HumanSkeleton, labels: list[str], measured: Array, weight: Array
) -> tuple[Array, Array, Array]:
    """Origins (time, segment, 3) and rotations (time, segment, 3, 3), each segment separately; NaN if undetermined. weak:
    (time, segment), True where a support point defines the rotation about the line of its markers."""
    owner, local = marker_owners(skeleton, labels)
    names = list(skeleton.segments)
    position = np.full((len(measured), len(names), 3), np.nan)
    rotation = np.full((len(measured), len(names), 3, 3), np.nan)
    weak = np.zeros((len(measured), len(names)), dtype=bool)
    above = {joint.child: joint for joint in skeleton.joints.values()}
    for k, name in enumerate(names):
        own = np.flatnonzero((owner == k) & (weight > 0))
        places, seen = local[own], measured[:, own]
        w = np.isfinite(seen).all(axis=2) * weight[own]
        if name in above:
            joint = above[name]
            p = names.index(joint.parent)
            centre = position[:, p] + rotation[:, p] @ skeleton.segments[joint.parent].joints[joint.name]
            usual = float(weight[own].mean() if len(own) else 1.0)
            few = (marker_spread(places, w) < MIN_MARKER_SPREAD_M) & np.isfinite(centre).all(axis=1)
            places = np.vstack([places, skeleton.segments[name].joints[joint.name]])
            seen = np.concatenate([seen, centre[:, None]], axis=1)
            weak[:, k] = few & (w > 0).any(axis=1)
            w = np.column_stack([w, few * usual])
            weak[:, k] &= marker_spread(places, w) < MIN_MARKER_SPREAD_M
            places = np.vstack([places, skeleton.segments[name].joints[joint.name] + SUPPORT_POINT_M])
            support = centre + rotation[:, p] @ joint.rest @ SUPPORT_POINT_M
            seen = np.concatenate([seen, support[:, None]], axis=1)
            w = np.column_stack([w, weak[:, k] * SUPPORT_WEIGHT * usual])
        elif len(own) and _markers_are_on_a_line(skeleton.segments[name]):  # key points of the hips
            weak[:, k] = (w > 0).sum(axis=1) == len(own)
            places = np.vstack([places, local[own].mean(axis=0) + UPRIGHT_POINT_M])
            seen = np.concatenate([seen, seen.mean(axis=1, keepdims=True) + UPRIGHT_AXES @ UPRIGHT_POINT_M], axis=1)
            w = np.column_stack([w, weak[:, k] * SUPPORT_WEIGHT])
        position[:, k], rotation[:, k] = fit_pose(places, np.nan_to_num(seen), w)
    return position, rotation, weak


def _add_support_points(
    skeleton: HumanSkeleton, labels: list[str], measured: Array, weight: Array, position: Array, rotation: Array, weak: Array
) -> tuple[HumanSkeleton, list[str], Array, Array]:  # fmt: skip
    """Skeleton, labels, measured positions and weights with one more marker on each segment that is weak in some frames, at
    its place in the pose of the segment by itself."""
    segments, labels = dict(skeleton.segments), list(labels)
    for k, (name, segment) in enumerate(skeleton.segments.items()):
        if not weak[:, k].any():
            continue
        label, point = f"support of {name}", UPRIGHT_POINT_M if name == "pelvis" else SUPPORT_POINT_M
        segments[name] = replace(segment, markers={**segment.markers, label: point})
        at = np.where(weak[:, k, None], position[:, k] + rotation[:, k] @ point, np.nan)
        labels.append(label)
        measured = np.concatenate([measured, at[:, None]], axis=1)
        weight = np.append(weight, SUPPORT_WEIGHT)
    return replace(skeleton, segments=segments), labels, measured, weight


def _markers_are_on_a_line(segment: SkeletonSegment) -> bool:
    local = np.array(list(segment.markers.values()))
    return bool(marker_spread(local, np.ones((1, len(local))))[0] < MIN_MARKER_SPREAD_M)


def marker_spread(local: Array, weight: Array) -> Array:
    """RMS distance (time,) of markers (markers, 3) from the line that fits them best, m; weight: (time, markers). 0 with fewer
    than three."""
    total = np.maximum(weight.sum(axis=1, keepdims=True), 1e-12)
    share = weight / total
    away = local - (share @ local)[:, None]
    spread = (
        np.linalg.eigvalsh(np.einsum("tm,tmi,tmj->tij", share, away, away))[:, 1] if len(local) else 0 * total[:, 0]
    )
    return np.where((weight > 0).sum(axis=1) < 3, 0.0, np.sqrt(np.maximum(0.0, spread)))


def fit_pose(local: Array, seen: Array, weight: Array) -> tuple[Array, Array]:
    """Poses (time, 3) and (time, 3, 3) that map local positions (markers, 3) as close as possible to measured ones (time,
    markers, 3); weight: (time, markers), 0 for invisible markers. NaN with fewer than three markers, or with all on a
    line."""
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
    lost = marker_spread(local, np.asarray(weight > 0, dtype=float)) < MIN_MARKER_SPREAD_M
    position[lost], rotation[lost] = np.nan, np.nan
    return position, rotation


def _place_carried_trunk(skeleton: HumanSkeleton, position: Array, rotation: Array) -> None:
    """Place a trunk without markers upright above the midpoint of the hips, at the height of the navel."""
    if skeleton.carried:
        names = list(skeleton.segments)
        trunk = names.index("trunk")
        lumbar = np.linalg.norm(skeleton.segments["pelvis"].joints["lumbar"])
        position[:, trunk] = position[:, names.index("pelvis")] + np.array([0.0, 0.0, lumbar])
        rotation[:, trunk] = UPRIGHT_AXES


def _check_segments_followed(trial: GaitTrial, skeleton: HumanSkeleton, position: Array) -> None:
    """Raise ModelError if the pelvis is never followed: all other segments hang on it."""
    name = "pelvis"
    if not np.isfinite(position[:, list(skeleton.segments).index(name)]).any():
        here = [label for label in skeleton.segments[name].markers if label in trial.labels]
        raise MissingMarkerError(
            f"has too few markers on the {name}: {', '.join(here) or 'none'}",
            element=f"trial '{trial.name}'",
            expected="three that are not on a line, at the same time; a further one by --markers with a line such as "
            f"`{name}_2: label`",
        )


def _filter_poses(
    skeleton: HumanSkeleton, position: Array, rotation: Array, rate: float, cutoff: float, method: str
) -> tuple[Array, Array]:
    names = list(skeleton.segments)
    if method == "segments":
        return low_pass(position, rate, cutoff), matrices_from_quaternions(
            low_pass(quaternions_from_matrices(rotation), rate, cutoff)
        )
    smooth_position, smooth = np.empty_like(position), np.empty_like(rotation)
    root = names.index("pelvis")
    smooth_position[:, root] = low_pass(position[:, root], rate, cutoff)
    smooth[:, root] = matrices_from_quaternions(low_pass(quaternions_from_matrices(rotation[:, root]), rate, cutoff))
    for joint in skeleton.joints.values():
        p, c = names.index(joint.parent), names.index(joint.child)
        relative = np.swapaxes(rotation[:, p], 1, 2) @ rotation[:, c]
        smooth[:, c] = smooth[:, p] @ matrices_from_quaternions(
            low_pass(quaternions_from_matrices(relative), rate, cutoff)
        )
        centre = skeleton.segments[joint.parent].joints[joint.name]
        smooth_position[:, c] = smooth_position[:, p] + smooth[:, p] @ centre
    return smooth_position, smooth
