"""Mirrored person: a device on the left is put on the right leg of the mirrored person, and the result mirrored back.

The mirror plane is the plane x, z of the trial. A segment's frame has z to the right on both sides, so the mirrored
rotation of the other side's segment is R' = S R T with S = diag(1, -1, 1) and T = diag(1, 1, -1); local positions p become
T p.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitwright.gait.ground_reaction import GroundForces
from gaitwright.gait.motion import SkeletonMotion
from gaitwright.gait.segment_loads import Wrench
from gaitwright.gait.skeleton import HumanSkeleton, SkeletonJoint, SkeletonSegment

Array = np.ndarray
TRIAL_MIRROR_SIGNS, SEGMENT_MIRROR_SIGNS = np.array([1.0, -1.0, 1.0]), np.array([1.0, 1.0, -1.0])
"""Signs of mirrored coordinates: of the trial's axes, and of those of a segment."""


def opposite_side_name(name: str) -> str:
    """Name for the other side: right_knee -> left_knee; names without a side stay."""
    side, _, rest = name.partition("_")
    return {"right": f"left_{rest}", "left": f"right_{rest}"}.get(side, name)


def mirror_motion(motion: SkeletonMotion) -> SkeletonMotion:
    names = [motion.segments.index(opposite_side_name(name)) for name in motion.segments]
    position = motion.position.copy(data=motion.position.to_numpy()[:, names] * TRIAL_MIRROR_SIGNS)
    turned = motion.rotation.to_numpy()[:, names] * TRIAL_MIRROR_SIGNS[:, None] * SEGMENT_MIRROR_SIGNS
    return replace(
        motion,
        skeleton=mirror_skeleton(motion.skeleton),
        position=position,
        rotation=motion.rotation.copy(data=turned),
    )


def mirror_skeleton(skeleton: HumanSkeleton) -> HumanSkeleton:
    segments = {name: _mirror_segment(skeleton.segments[opposite_side_name(name)], name) for name in skeleton.segments}
    joints = {name: _mirror_joint(skeleton.joints[opposite_side_name(name)], name) for name in skeleton.joints}
    return replace(skeleton, segments=segments, joints=joints)


def _mirror_segment(of: SkeletonSegment, name: str) -> SkeletonSegment:
    return replace(
        of,
        name=name,
        centre=SEGMENT_MIRROR_SIGNS * of.centre,
        inertia=of.inertia * np.outer(SEGMENT_MIRROR_SIGNS, SEGMENT_MIRROR_SIGNS),
        joints={opposite_side_name(joint): SEGMENT_MIRROR_SIGNS * place for joint, place in of.joints.items()},
        markers={label: SEGMENT_MIRROR_SIGNS * place for label, place in of.markers.items()},
    )


def _mirror_joint(of: SkeletonJoint, name: str) -> SkeletonJoint:
    parent, child = opposite_side_name(of.parent), opposite_side_name(of.child)
    return replace(
        of, name=name, parent=parent, child=child, rest=of.rest * np.outer(SEGMENT_MIRROR_SIGNS, SEGMENT_MIRROR_SIGNS)
    )


def mirror_forces(forces: GroundForces) -> GroundForces:
    """Forces on the mirrored person: sides are exchanged, moments are axial vectors."""
    return replace(
        forces,
        force=forces.force[:, ::-1] * TRIAL_MIRROR_SIGNS,
        moment=-forces.moment[:, ::-1] * TRIAL_MIRROR_SIGNS,
        height=forces.height[:, ::-1],
        known=forces.known[:, ::-1],
    )


def mirror_wrench(wrench: Wrench) -> Wrench:
    return Wrench(wrench.force * TRIAL_MIRROR_SIGNS, -wrench.moment * TRIAL_MIRROR_SIGNS)
