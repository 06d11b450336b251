"""Results that were stored before contacts of the plane and of space were one thing: what their contacts remembered.

In the plane a contact had 7 numbers, with the stretch of its bristles along the tangent and a slide, a coordinate along the
surface, at the begin of the step; in space 10 more, with slip and time at the begin of the step, and behind all of them the
coordinates in which bristles at rest stood straight. They become the memory of today (system/touch.py) with a step that
begins at the very instant: what was slipped and stretched since its begin is part of it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright.physics.contact_geometry.corner import Corner
from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.result.outputs import Motion
from gaitwright.system.blocks import Contact
from gaitwright.system.evaluate import memory_size, signals_at, workspace
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import Array
from gaitwright.system.touch import APPROACH, NORMAL, NORMAL_FORCE, POWERS, SLIPPED, STRETCH, TOUCHING, begin, touch

OLD_TOUCHING, OLD_APPROACH, OLD_STRETCH, OLD_SLIDE, OLD_SLIPPED, OLD_NORMAL, OLD_TANGENTIAL = range(7)
NUMBERS, MORE = 7, 10


def of_today(mechanism: Mechanism, motion: Motion) -> Motion:
    """The motion with what contacts remember today; itself if it has that."""
    s = mechanism.system
    count = s.contacts.count
    plane = NUMBERS * count
    widths = {plane: 2, plane + MORE * count + s.n + 1: 3}
    width = motion.memory.shape[1]
    if count == 0 or width == memory_size(s) or widths.get(width) != s.contacts.dimension:
        return motion
    old, new = _old_order(mechanism.contacts), mechanism.contact_place
    work = motion.work.copy()
    contacts = work[:, work.shape[1] - POWERS * count :].reshape(motion.t.size, count, POWERS)
    contacts[:, new] = contacts[:, old].copy()
    w, memory = workspace(s), np.zeros((motion.t.size, memory_size(s)))
    for k, t in enumerate(motion.t):
        signals_at(s, w, float(t))
        for i, contact in enumerate(mechanism.contacts):
            c, before = int(new[i]), motion.memory[k, NUMBERS * int(old[i]) :][:NUMBERS]
            q, v = motion.q[k], motion.v[k]
            begin(s, w, c, -1, q, v)
            own = w.memory[s.contacts.memory * c :][: s.contacts.memory]
            own[[TOUCHING, APPROACH, SLIPPED, NORMAL_FORCE]] = before[
                [OLD_TOUCHING, OLD_APPROACH, OLD_SLIPPED, OLD_NORMAL]
            ]
            if s.contacts.dimension == 2:
                n0, n1 = w.surface[NORMAL : NORMAL + 2]
                tangent, moved = np.array([n1, -n0]), _moved(contact, w.pose, q, before)
                own[STRETCH : STRETCH + 2] = (before[OLD_STRETCH] + moved) * tangent
                own[STRETCH + 2 : STRETCH + 4] = before[OLD_TANGENTIAL] * tangent
                own[SLIPPED] += contact.weight * abs(moved) if before[OLD_TOUCHING] == 1.0 else 0.0
            else:
                more = motion.memory[k, plane + MORE * c :][:MORE]
                moved = _moved_in_space(s, w, c, t, q, v, more, motion.memory[k, plane + MORE * count :])
                own[STRETCH : STRETCH + 3], own[STRETCH + 3 : STRETCH + 6] = more[:3] + moved, more[7:]
                own[SLIPPED] += math.hypot(*moved) if before[OLD_TOUCHING] == 1.0 and np.isfinite(more[6]) else 0.0
        memory[k] = w.memory
    return motion._replace(work=work, memory=memory)


def _old_order(contacts: list[Contact]) -> Array:
    """Where each contact was in the tables: in the plane they were sorted by shape, too."""
    groups: dict[Any, list[int]] = {}
    for i, contact in enumerate(contacts):
        flat = contact.geometry.families[0].dimension == 2
        groups.setdefault((contact.shape[0] if flat else None, contact.geometry.families), []).append(i)
    order = np.empty(len(contacts), dtype=np.int64)
    order[[i for members in groups.values() for i in members]] = np.arange(len(contacts))
    return order


def _moved(contact: Contact, pose: Array, q: Array, before: Array) -> float:
    """How far b has slid along the tangent since the slide that was remembered, m."""
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
    if shape in (SphereShape, Corner):
        both = radius + (by_name["radius_a"][0] if shape is SphereShape else 0.0)
        slide, period = -both * math.atan2(y, x) + radius * angle, 2.0 * math.pi * both
    else:
        n = by_name.get("direction")
        along = (n[1], -n[0]) if n is not None else by_name["along" if "along" in by_name else "tangent"]
        slide = along[0] * x + along[1] * y + radius * angle
    moved = slide - before[OLD_SLIDE]
    return moved - period * round(moved / period) if period else moved


def _moved_in_space(s: Any, w: Any, c: int, t: float, q: Array, v: Array, more: Array, straight: Array) -> Array:
    """The slip since the begin of the step by the trapezoidal rule, or at rest that of the displacement, m."""
    if np.isfinite(more[6]):
        touch(s, w, c, q, v)
        return 0.5 * (t - more[6]) * (more[3:6] + w.slip)
    touch(s, w, c, q, q - straight)
    moved = w.slip.copy()
    touch(s, w, c, q, v)
    return moved
