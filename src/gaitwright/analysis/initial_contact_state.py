"""Initial contact state: which contacts are closed, and their approach speeds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.contact.events import LANDING_ZONE_GRAINS
from gaitwright.contact.state import (
    MEMORY_APPROACH_SPEED,
    MEMORY_TOUCHING,
    STATE_GAP,
    STATE_GAP_RATE,
    STATE_REGION,
    STATE_SIZE,
    TOUCHING_BY_LAW,
    begin_contact,
    observe_contacts,
)
from gaitwright.jit import jit_compile
from gaitwright.mechanism.evaluation import EvaluationWorkspace, contact_memory_size, new_workspace, update_signals
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import Array, MechanismTables


@jit_compile
def _observe(s, w, t, q, v, out):
    update_signals(s, w, t)
    observe_contacts(s, w, q, v, out)


def observe_contacts_at(mechanism: Mechanism, w: EvaluationWorkspace, t: float, q: Array, v: Array) -> Array:
    """Observed state of every contact (contact/state.py): (n_contacts, STATE_SIZE), in the order of the tables."""
    states = np.zeros(STATE_SIZE * mechanism.system.contacts.count)
    _observe(mechanism.system, w, t, q, v, states)
    return states.reshape(-1, STATE_SIZE)


def require_contacts(mechanism: Mechanism, rigid: bool) -> None:
    """Raise ModelError if a contact lacks a property that the method needs: a restitution for rigid contacts, otherwise a
    law."""
    for names in mechanism.contact_names:
        contact = mechanism.contact_of(names)
        if rigid and contact.by_gap:
            ErrorContext(f"contact '{names.name}'").fail(
                "is with the surface of a solid, which the method moreau does not support",
                expected="another method, such as generalized-alpha",
            )
        if rigid and not np.isfinite(contact.restitution):
            ErrorContext(f"contact '{names.name}'", "restitution").fail(
                "has no restitution, which the method moreau needs", expected="a number from 0 to 1"
            )
        if not rigid and contact.law is None:
            ErrorContext(f"contact '{names.name}'", "law").fail(
                "is missing; only the method moreau does without",
                expected="a law such as {type: hunt-crossley, stiffness: 1e5, restitution: 0.5}",
            )


def find_touching_contacts(s: MechanismTables, w: EvaluationWorkspace) -> list[int]:
    """Table indices of the contacts that touch now and that have episodes."""
    count = w.elastic.size
    if not count:
        return []
    return [
        int(c)
        for c in np.flatnonzero((w.memory.reshape(count, -1)[:, MEMORY_TOUCHING] != 0.0) & (s.contacts.by_gap == 0))
    ]


def make_initial_memory(mechanism: Mechanism, w: EvaluationWorkspace, t: float, q: Array, v: Array) -> Array:
    """Memory of the contacts at the start. Closed contacts touch; one that starts with penetration needs an approach speed."""
    states = observe_contacts_at(mechanism, w, t, q, v)
    place = mechanism.contact_place
    land = LANDING_ZONE_GRAINS * mechanism.system.contacts.grain[0]
    for name, depth in find_deep_penetrations(mechanism, states):
        ErrorContext(f"contact '{name}'").fail(
            f"starts {1000 * depth:.3g} mm inside the surface, deeper than the sides of its mesh are long",
            expected="a solid or a surface that is drawn outside of it, or a start from static(), which moves it out",
        )
    w.memory[:] = 0.0
    _reset_bristles(mechanism.system, w, q, v)
    all_memory = w.memory.copy()
    memory = all_memory.reshape(states.shape[0], -1) if states.size else all_memory
    for names in mechanism.contact_names:
        contact = mechanism.contact_of(names)
        if contact.by_gap:
            memory[place[list(names.pieces)], MEMORY_TOUCHING] = TOUCHING_BY_LAW
            continue
        inside = {
            k: states[place[k], STATE_GAP]
            for k in names.pieces
            if states[place[k], STATE_REGION] >= 0 and states[place[k], STATE_GAP] < 0
        }
        if any(gap >= -land for gap in inside.values()):
            inside = {k: gap for k, gap in inside.items() if gap >= -land}
        for piece, gap in inside.items():
            row = int(place[piece])
            approach = max(-states[row, STATE_GAP_RATE], 0.0)
            if gap < -land:
                if contact.approach is None and contact.law is not None and contact.law[0].remembers:
                    ErrorContext(f"contact '{names.name}'", "approach_speed").fail(
                        f"starts {-1000 * gap:.3g} mm inside the surface",
                        expected="the approach speed at which it touched down, in m/s, or a start outside",
                    )
                approach = contact.approach if contact.approach is not None else approach
            elif states[row, STATE_GAP_RATE] > 0.0:
                continue
            memory[row, [MEMORY_TOUCHING, MEMORY_APPROACH_SPEED]] = TOUCHING_BY_LAW, approach
    return all_memory


def find_deep_penetrations(mechanism: Mechanism, states: Array) -> Iterator[tuple[str, float]]:
    """Contacts with surfaces of solids that penetrate deeper than the side length of the surface mesh, which would turn
    elements inside out: name and depth (m). states: observed states of all contacts (see `observe_contacts_at`)."""
    for names in mechanism.contact_names:
        faces = mechanism.contact_of(names).faces
        if names.skin is not None and names.skin.carried is None:
            solid: Any = mechanism.parts[names.bodies[1]]
            corners = solid.mesh.nodes[names.skin.sides[:, : mechanism.dimension]]
        elif faces is not None:
            corners = faces.places
        else:  # on rigid bodies nothing turns inside out
            continue
        side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).mean())
        points = states[mechanism.contact_place[list(names.pieces)]]
        deep = -float(np.min(points[:, STATE_GAP], initial=0.0, where=points[:, STATE_REGION] >= 0.0))
        if deep > side:
            yield names.name, deep


@jit_compile
def _reset_bristles(s, w, q, v):
    """Set the bristles of all contacts to zero deflection."""
    for c in range(s.contacts.count):
        begin_contact(s, w, c, -1, q, v)


def make_resting_memory(mechanism: Mechanism, t: float, q: Array) -> Array:
    """Memory for states at rest: every closed contact acts, without damping; bristles have zero deflection in the pose q."""
    s = mechanism.system
    if not s.contacts.count:
        return np.zeros(contact_memory_size(s))
    w = new_workspace(s)
    observe_contacts_at(mechanism, w, t, q, np.zeros(s.n + 1))
    _reset_bristles(s, w, q, np.zeros(s.n + 1))
    memory = w.memory.reshape(s.contacts.count, -1).copy()
    memory[:, MEMORY_TOUCHING] = TOUCHING_BY_LAW
    return memory.ravel()
