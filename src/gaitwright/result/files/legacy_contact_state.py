"""Contact states of stored results from before planar and spatial contacts had a common format.

In the plane a contact had 7 numbers, with the stretch of its bristles along the tangent and a slide, a coordinate along the
surface, at the start of the step; in space 10 more, with slip and time at the start of the step, followed by the coordinates
at which bristles at rest are unstretched. They are converted to the current memory (contact/state.py) of a step that starts
at the same instant: slip and stretch since the start of the old step are added.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright.contact.state import (
    MEMORY_APPROACH_SPEED,
    MEMORY_NORMAL_FORCE,
    MEMORY_SLIP_DISTANCE,
    MEMORY_STRETCH,
    MEMORY_TOUCHING,
    POWERS_PER_CONTACT,
    SURFACE_NORMAL,
    begin_contact,
    evaluate_contact_force,
)
from gaitwright.mechanism.blocks import ContactBlock
from gaitwright.mechanism.evaluation import contact_memory_size, new_workspace, update_signals
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import Array
from gaitwright.physics.contact_geometry.corner import CornerShape
from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.result.outputs import StateHistory

OLD_TOUCHING, OLD_APPROACH, OLD_STRETCH, OLD_SLIDE, OLD_SLIPPED, OLD_NORMAL, OLD_TANGENTIAL = range(7)
OLD_PLANAR_WIDTH, OLD_SPATIAL_WIDTH = 7, 10


def upgrade_contact_memory(mechanism: Mechanism, motion: StateHistory) -> StateHistory:
    """The motion with contact memory in the current format; the same object if it already has that format."""
    s = mechanism.system
    count = s.contacts.count
    plane = OLD_PLANAR_WIDTH * count
    widths = {plane: 2, plane + OLD_SPATIAL_WIDTH * count + s.n + 1: 3}
    width = motion.memory.shape[1]
    if count == 0 or width == contact_memory_size(s) or widths.get(width) != s.contacts.dimension:
        return motion
    old, new = _old_contact_order(mechanism.contacts), mechanism.contact_place
    work = motion.work.copy()
    contacts = work[:, work.shape[1] - POWERS_PER_CONTACT * count :].reshape(motion.t.size, count, POWERS_PER_CONTACT)
    contacts[:, new] = contacts[:, old].copy()
    w, memory = new_workspace(s), np.zeros((motion.t.size, contact_memory_size(s)))
    for k, t in enumerate(motion.t):
        update_signals(s, w, float(t))
        for i, contact in enumerate(mechanism.contacts):
            c, before = int(new[i]), motion.memory[k, OLD_PLANAR_WIDTH * int(old[i]) :][:OLD_PLANAR_WIDTH]
            q, v = motion.q[k], motion.v[k]
            begin_contact(s, w, c, -1, q, v)
            own = w.memory[s.contacts.memory * c :][: s.contacts.memory]
            own[[MEMORY_TOUCHING, MEMORY_APPROACH_SPEED, MEMORY_SLIP_DISTANCE, MEMORY_NORMAL_FORCE]] = before[
                [OLD_TOUCHING, OLD_APPROACH, OLD_SLIPPED, OLD_NORMAL]
            ]
            if s.contacts.dimension == 2:
                n0, n1 = w.surface[SURFACE_NORMAL : SURFACE_NORMAL + 2]
                tangent, moved = np.array([n1, -n0]), _planar_slip(contact, w.pose, q, before)
                own[MEMORY_STRETCH : MEMORY_STRETCH + 2] = (before[OLD_STRETCH] + moved) * tangent
                own[MEMORY_STRETCH + 2 : MEMORY_STRETCH + 4] = before[OLD_TANGENTIAL] * tangent
                own[MEMORY_SLIP_DISTANCE] += contact.weight * abs(moved) if before[OLD_TOUCHING] == 1.0 else 0.0
            else:
                old_state = motion.memory[k, plane + OLD_SPATIAL_WIDTH * c :][:OLD_SPATIAL_WIDTH]
                moved = _spatial_slip(
                    s, w, c, t, q, v, old_state, motion.memory[k, plane + OLD_SPATIAL_WIDTH * count :]
                )
                own[MEMORY_STRETCH : MEMORY_STRETCH + 3] = old_state[:3] + moved
                own[MEMORY_STRETCH + 3 : MEMORY_STRETCH + 6] = old_state[7:]
                own[MEMORY_SLIP_DISTANCE] += (
                    math.hypot(*moved) if before[OLD_TOUCHING] == 1.0 and np.isfinite(old_state[6]) else 0.0
                )
        memory[k] = w.memory
    return motion._replace(work=work, memory=memory)


def _old_contact_order(contacts: list[ContactBlock]) -> Array:
    """Index of each contact in the old tables: in the plane they were sorted by shape, too."""
    groups: dict[Any, list[int]] = {}
    for i, contact in enumerate(contacts):
        flat = contact.geometry.families[0].dimension == 2
        groups.setdefault((contact.shape[0] if flat else None, contact.geometry.families), []).append(i)
    order = np.empty(len(contacts), dtype=np.int64)
    order[[i for members in groups.values() for i in members]] = np.arange(len(contacts))
    return order


def _planar_slip(contact: ContactBlock, pose: Array, q: Array, before: Array) -> float:
    """Sliding distance of b along the tangent since the stored slide, m."""
    shape, numbers = contact.shape
    by_name: dict[str, Any] = {}
    for name, parameter in shape.parameters.items():
        size = 2 if parameter.unit == "1" and name in ("direction", "tangent", "along", "before", "after") else 1
        by_name[name], numbers = numbers[:size], numbers[size:]
    radius, (x, y) = by_name["radius"][0], pose[:2]
    a, b = (q[index] for index in contact.geometry.coordinates)
    turning = b[2] if b.size == 3 else math.atan2(b[3], b[2]) if b.size == 4 else 0.0
    angle = turning - a[2]
    period = 2.0 * math.pi * radius if b.size == 4 else 0.0
    if shape in (SphereShape, CornerShape):
        both = radius + (by_name["radius_a"][0] if shape is SphereShape else 0.0)
        slide, period = -both * math.atan2(y, x) + radius * angle, 2.0 * math.pi * both
    else:
        n = by_name.get("direction")
        along = (n[1], -n[0]) if n is not None else by_name["along" if "along" in by_name else "tangent"]
        slide = along[0] * x + along[1] * y + radius * angle
    moved = slide - before[OLD_SLIDE]
    return moved - period * round(moved / period) if period else moved


def _spatial_slip(s: Any, w: Any, c: int, t: float, q: Array, v: Array, old_state: Array, straight: Array) -> Array:
    """Slip since the start of the step by the trapezoidal rule, or, for bristles at rest, from the displacement, m."""
    if np.isfinite(old_state[6]):
        evaluate_contact_force(s, w, c, q, v)
        return 0.5 * (t - old_state[6]) * (old_state[3:6] + w.slip)
    evaluate_contact_force(s, w, c, q, q - straight)
    moved = w.slip.copy()
    evaluate_contact_force(s, w, c, q, v)
    return moved
