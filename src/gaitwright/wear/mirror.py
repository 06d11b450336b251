"""A person in a mirror: what is worn on the left is put on the right leg of the mirrored one, and the result mirrored back.

The mirror is the plane x, z of the trial. A segment's own frame has z to the right on both sides, so the mirrored rotation of
the other side's segment is R' = S R T with S = diag(1, -1, 1) and T = diag(1, 1, -1); places in it become T p.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitwright.gait.forces import GroundForces
from gaitwright.gait.loads import Wrench
from gaitwright.gait.motion import Motion
from gaitwright.gait.skeleton import Joint, Segment, Skeleton

Array = np.ndarray
WORLD, OWN = np.array([1.0, -1.0, 1.0]), np.array([1.0, 1.0, -1.0])
"""Of the trial's axes, and of those of a segment."""


def other_side(name: str) -> str:
    """right_knee -> left_knee; what has no side stays."""
    side, _, rest = name.partition("_")
    return {"right": f"left_{rest}", "left": f"right_{rest}"}.get(side, name)


def mirrored_motion(motion: Motion) -> Motion:
    names = [motion.segments.index(other_side(name)) for name in motion.segments]
    position = motion.position.copy(data=motion.position.to_numpy()[:, names] * WORLD)
    turned = motion.rotation.to_numpy()[:, names] * WORLD[:, None] * OWN
    return replace(
        motion, skeleton=mirrored_skeleton(motion.skeleton), position=position,
        rotation=motion.rotation.copy(data=turned),
    )  # fmt: skip


def mirrored_skeleton(skeleton: Skeleton) -> Skeleton:
    segments = {name: _segment(skeleton.segments[other_side(name)], name) for name in skeleton.segments}
    joints = {name: _joint(skeleton.joints[other_side(name)], name) for name in skeleton.joints}
    return replace(skeleton, segments=segments, joints=joints)


def _segment(of: Segment, name: str) -> Segment:
    return replace(
        of, name=name, centre=OWN * of.centre, inertia=of.inertia * np.outer(OWN, OWN),
        joints={other_side(joint): OWN * place for joint, place in of.joints.items()},
        markers={label: OWN * place for label, place in of.markers.items()},
    )  # fmt: skip


def _joint(of: Joint, name: str) -> Joint:
    parent, child = other_side(of.parent), other_side(of.child)
    return replace(of, name=name, parent=parent, child=child, rest=of.rest * np.outer(OWN, OWN))


def mirrored_forces(forces: GroundForces) -> GroundForces:
    """Of the mirrored person: sides change places, moments are axial."""
    return replace(
        forces, force=forces.force[:, ::-1] * WORLD, moment=-forces.moment[:, ::-1] * WORLD,
        height=forces.height[:, ::-1], known=forces.known[:, ::-1],
    )  # fmt: skip


def mirrored_wrench(wrench: Wrench) -> Wrench:
    return Wrench(wrench.force * WORLD, -wrench.moment * WORLD)
