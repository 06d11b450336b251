"""Force and moment of joints in space.

joint.fx  .fy  .fz  .mx  .my  .mz               force and moment of the joint on b, at the point of b, ground frame
joint.fx_in_a ..  joint.mz_in_b                 the same in the frame of body a or b
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from gaitwright.geometry.rotation import matrix_of
from gaitwright.physics.bodies.spatial import Spatial
from gaitwright.physics.declare import Frame, Place
from gaitwright.result.outputs import Motion, Output
from gaitwright.system.alone import Alone
from gaitwright.system.blocks import Element
from gaitwright.system.mechanism import ConstraintNames, Mechanism
from gaitwright.system.parts.spatial_body import column, once, seen_from
from gaitwright.system.signals import evaluate_program
from gaitwright.system.tables import GROUND, Array

AXES = "xyz"


def spatial_reactions(mechanism: Mechanism) -> Iterator[tuple[str, Output]]:
    """Force and moment of every joint on b, at the point where b is attached."""
    for names, element in mechanism.attached():
        if names.kind != "joint" or len(names.bodies) != 2:
            continue
        bodies = [_turning(element, k) for k in range(2)]
        # Seen from b; but from a where b stands still, or is no body that turns.
        side = next((k for k in (1, 0) if bodies[k] is not None and names.bodies[k] != "ground"), None)
        if side is None:
            continue
        force, moment = _wrench(mechanism, names, element, side)
        for label, body, frame in (
            ("", "", None),
            ("_in_a", names.bodies[0], bodies[0]),
            ("_in_b", names.bodies[1], bodies[1]),
        ):
            if label and frame is None:
                continue
            where = f"frame of {body}" if label else "ground frame"
            for what, unit, text, vector in (("f", "N", "force", force), ("m", "N m", "moment", moment)):
                for k, axis in enumerate(AXES):
                    values = column(vector if frame is None else _turned(vector, frame), k)
                    described = f"joint {names.name}: {text} on {names.bodies[1]} along {axis}, {where}"
                    yield f"{names.name}.{what}{axis}{label}", Output(unit, described, values)


class Turning(NamedTuple):
    """What an attachment turns with, a body or the section of a beam: its twelve coordinates in the tables."""

    index: Array

    def rotation(self, motion: Motion) -> Array:
        """Rotation matrices (n_times, 3, 3)."""
        return matrix_of(motion.q[:, self.index])

    def position(self, motion: Motion, local: list[float]) -> Array:
        """Of a point in its frame, (n_times, 3), m."""
        return motion.q[:, self.index[:3]] + self.rotation(motion) @ np.array(local)


def _turning(element: Element, side: int) -> Turning | None:
    """None where there is no body: a place without axes."""
    index = element.coordinates[side]
    if element.families[side] is not Spatial:
        return None
    return Turning(index if len(index) == 12 else np.concatenate([np.full(3, GROUND), index]))


def _turned(vector: Callable[[Motion], Array], body: Turning) -> Callable[[Motion], Array]:
    return lambda motion: seen_from(body.rotation(motion), vector(motion))


def _wrench(
    mechanism: Mechanism, names: ConstraintNames, element: Element, side: int
) -> tuple[Callable[[Motion], Array], Callable[[Motion], Array]]:
    """Force and moment on b from the generalised forces of the joint on one side, that of a moving body."""
    body, other = _turning(element, side), _turning(element, 1 - side)
    assert body is not None

    def at_b(motion: Motion) -> Array:
        found = (1.0 if side else -1.0) * _on_body(mechanism, names, element, side, body, motion)
        if not side:  # computed at the point of a
            local, part = _local(element, 1), mechanism.part(names.bodies[1])
            there = part.motion_at(motion, tuple(local))[0] if other is None else other.position(motion, local)
            arm = body.position(motion, _local(element, 0)) - there
            found[:, 3:] += np.cross(arm, found[:, :3])
        return found

    both = once(at_b)
    return (lambda motion: both(motion)[:, :3]), (lambda motion: both(motion)[:, 3:])


def _on_body(
    mechanism: Mechanism, names: ConstraintNames, element: Element, side: int, body: Turning, motion: Motion
) -> Array:
    """Force and moment at the attached point, (n_times, 6), ground frame, of a joint on one of its bodies."""
    reactions = motion.lam[:, mechanism.row_position[names.rows]]
    slope = Alone(element, mechanism.n).slope(side, motion.q, signals_of(mechanism, element, motion))
    generalised = -np.einsum("trc,tr->tc", slope, reactions)
    force = generalised[:, :3]
    axes = np.swapaxes(body.rotation(motion), -1, -2)
    about_origin = np.cross(axes, generalised[:, 3:].reshape(-1, 3, 3)).sum(axis=1)
    arm = np.einsum("k,tkc->tc", np.array(_local(element, side)), axes)
    return np.hstack([force, about_origin - np.cross(arm, force)])


def _local(element: Element, side: int) -> list[float]:
    """Where an element is attached to one of its bodies, in the body frame."""
    first = 0
    for k, (kind, family) in enumerate(zip(element.declaration.attachments.values(), element.families, strict=True)):
        count = len(family.markers[type(kind)].parameters)
        if k == side:
            return list(element.parameters[first : first + count]) if isinstance(kind, (Place, Frame)) else [0.0] * 3
        first += count
    raise IndexError(side)


def signals_of(mechanism: Mechanism, element: Element, motion: Motion) -> Array:
    """The signals of an element with their derivatives at all times, (n_times, 3 n_signals)."""
    signals = [np.stack(evaluate_program(mechanism.signals[k], motion.t), axis=1) for k in element.signals]
    return np.concatenate(signals, axis=1) if signals else np.zeros((motion.t.size, 0))
