"""Force and moment of joints in space.

joint.fx  .fy  .fz  .mx  .my  .mz               force and moment of the joint on b, at the point of b, ground frame
joint.fx_in_a ..  joint.mz_in_b                 the same in the frame of body a or b
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from gaitwright.geometry.rotation import matrix_of
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import ConstraintNames, Mechanism
from gaitwright.mechanism.parts.spatial_body import cache_last_motion, rotate_into_frames, select_entry
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.mechanism.single_element import SingleElement
from gaitwright.mechanism.tables import GROUND, Array
from gaitwright.physics.attachments import BodyFrame, Place
from gaitwright.physics.bodies.spatial import SpatialRigidBody
from gaitwright.result.outputs import ResultOutput, StateHistory

AXIS_NAMES = "xyz"


def spatial_reactions(mechanism: Mechanism) -> Iterator[tuple[str, ResultOutput]]:
    """Force and moment of every joint on b, at the point where b is attached."""
    for names, element in mechanism.attached():
        if names.kind != "joint" or len(names.bodies) != 2:
            continue
        bodies = [_attachment_frame(element, k) for k in range(2)]
        # Computed from body b; from body a if b is the ground or has no frame.
        side = next((k for k in (1, 0) if bodies[k] is not None and names.bodies[k] != "ground"), None)
        if side is None:
            continue
        force, moment = _joint_wrench(mechanism, names, element, side)
        for label, body, frame in (
            ("", "", None),
            ("_in_a", names.bodies[0], bodies[0]),
            ("_in_b", names.bodies[1], bodies[1]),
        ):
            if label and frame is None:
                continue
            where = f"frame of {body}" if label else "ground frame"
            for symbol, unit, text, vector in (("f", "N", "force", force), ("m", "N m", "moment", moment)):
                for k, axis in enumerate(AXIS_NAMES):
                    values = select_entry(vector if frame is None else _in_body_frame(vector, frame), k)
                    described = f"joint {names.name}: {text} on {names.bodies[1]} along {axis}, {where}"
                    yield f"{names.name}.{symbol}{axis}{label}", ResultOutput(unit, described, values)


class AttachmentFrame(NamedTuple):
    """Frame of an attachment (a rigid body or the section of a beam): its twelve coordinates in the tables."""

    index: Array

    def rotation(self, motion: StateHistory) -> Array:
        """Rotation matrices (n_times, 3, 3)."""
        return matrix_of(motion.q[:, self.index])

    def position(self, motion: StateHistory, local: list[float]) -> Array:
        """Position of a point given in this frame, (n_times, 3), m."""
        return motion.q[:, self.index[:3]] + self.rotation(motion) @ np.array(local)


def _attachment_frame(element: MechanismElement, side: int) -> AttachmentFrame | None:
    """Frame of one attachment; None for a point without axes."""
    index = element.coordinates[side]
    if element.families[side] is not SpatialRigidBody:
        return None
    return AttachmentFrame(index if len(index) == 12 else np.concatenate([np.full(3, GROUND), index]))


def _in_body_frame(vector: Callable[[StateHistory], Array], body: AttachmentFrame) -> Callable[[StateHistory], Array]:
    return lambda motion: rotate_into_frames(body.rotation(motion), vector(motion))


def _joint_wrench(
    mechanism: Mechanism, names: ConstraintNames, element: MechanismElement, side: int
) -> tuple[Callable[[StateHistory], Array], Callable[[StateHistory], Array]]:
    """Force and moment on b, from the generalised forces of the joint on the given side, which must be a moving body."""
    body, other_body = _attachment_frame(element, side), _attachment_frame(element, 1 - side)
    assert body is not None

    def at_b(motion: StateHistory) -> Array:
        wrench = (1.0 if side else -1.0) * _wrench_on_body(mechanism, names, element, side, body, motion)
        if not side:  # so far computed at the attachment point of a
            local, part = _attachment_point(element, 1), mechanism.part(names.bodies[1])
            point = (
                part.motion_at(motion, tuple(local))[0] if other_body is None else other_body.position(motion, local)
            )
            arm = body.position(motion, _attachment_point(element, 0)) - point
            wrench[:, 3:] += np.cross(arm, wrench[:, :3])
        return wrench

    both = cache_last_motion(at_b)
    return (lambda motion: both(motion)[:, :3]), (lambda motion: both(motion)[:, 3:])


def _wrench_on_body(
    mechanism: Mechanism,
    names: ConstraintNames,
    element: MechanismElement,
    side: int,
    body: AttachmentFrame,
    motion: StateHistory,
) -> Array:
    """Force and moment at the attached point, (n_times, 6), ground frame, of a joint on one of its bodies."""
    reactions = motion.lam[:, mechanism.row_position[names.rows]]
    slope = SingleElement(element, mechanism.n).slope(side, motion.q, element_signals(mechanism, element, motion))
    generalised = -np.einsum("trc,tr->tc", slope, reactions)
    force = generalised[:, :3]
    axes = np.swapaxes(body.rotation(motion), -1, -2)
    about_origin = np.cross(axes, generalised[:, 3:].reshape(-1, 3, 3)).sum(axis=1)
    arm = np.einsum("k,tkc->tc", np.array(_attachment_point(element, side)), axes)
    return np.hstack([force, about_origin - np.cross(arm, force)])


def _attachment_point(element: MechanismElement, side: int) -> list[float]:
    """Attachment point of an element on one of its bodies, in the body frame."""
    first = 0
    for k, (kind, family) in enumerate(zip(element.declaration.attachments.values(), element.families, strict=True)):
        count = len(family.markers[type(kind)].parameters)
        if k == side:
            return (
                list(element.parameters[first : first + count]) if isinstance(kind, (Place, BodyFrame)) else [0.0] * 3
            )
        first += count
    raise IndexError(side)


def element_signals(mechanism: Mechanism, element: MechanismElement, motion: StateHistory) -> Array:
    """The signals of an element with their derivatives at all times, (n_times, 3 n_signals)."""
    signals = [np.stack(evaluate_program(mechanism.signals[k], motion.t), axis=1) for k in element.signals]
    return np.concatenate(signals, axis=1) if signals else np.zeros((motion.t.size, 0))
