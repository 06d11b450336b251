"""What contacts know at the start of an analysis: which of them touch, and how fast they came."""

from __future__ import annotations

import numpy as np

from gaitwright.checks import At
from gaitwright.compiled import compiled
from gaitwright.contact.events import LAND
from gaitwright.derive.interface import CONTACT
from gaitwright.system.evaluate import MEMORY_IN_SPACE, Work, memory_size, signals_at, workspace
from gaitwright.system.invoke import invoke
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import Array
from gaitwright.system.touch import (
    APPROACH,
    BY_LAW,
    GAP,
    MEMORY,
    RATE,
    REGION,
    SLIDE,
    SLIDE_BEGIN,
    TOUCHING,
    observe_contacts,
)
from gaitwright.system.touch import BEGIN as BEGIN_IN_SPACE
from gaitwright.system.touch_in_space import (
    AT_REST,
    TIME_BEGIN,
)


@compiled
def _look(s, w, t, q, v, out):
    signals_at(s, w, t)
    observe_contacts(s, w, q, v, out)


def look(mechanism: Mechanism, w: Work, t: float, q: Array, v: Array) -> Array:
    """Gap, rate, slide, slip and region of every contact, (n_pieces, 5), in the order of the tables."""
    seen = np.zeros(CONTACT * mechanism.system.contacts.count)
    _look(mechanism.system, w, t, q, v, seen)
    return seen.reshape(-1, CONTACT)


def require_contacts(mechanism: Mechanism, rigid: bool) -> None:
    """ModelError if a contact lacks what the method needs: a restitution if it treats contacts as rigid, or a law."""
    for names in mechanism.contact_names:
        contact = mechanism.contacts[names.pieces[0]]
        if rigid and not np.isfinite(contact.restitution):
            At(f"contact '{names.name}'", "restitution").fail(
                "has no restitution, which the method moreau needs", expected="a number from 0 to 1"
            )
        if not rigid and contact.law is None:
            At(f"contact '{names.name}'", "law").fail(
                "is missing; only the method moreau does without",
                expected="a law such as {type: hunt-crossley, stiffness: 1e5, restitution: 0.5}",
            )


def touching(w: Work) -> list[int]:
    """Contacts that touch now, as numbers of the tables."""
    return [int(c) for c in np.flatnonzero(w.memory[: MEMORY * w.elastic.size].reshape(-1, MEMORY)[:, TOUCHING])]


def start_memory(mechanism: Mechanism, w: Work, t: float, q: Array, v: Array) -> Array:
    """Memory of the contacts at the start: those that are closed touch. One that starts inside needs an approach speed."""
    seen, place, land = look(mechanism, w, t, q, v), mechanism.contact_place, LAND * mechanism.system.contacts.grain[0]
    everything = np.zeros(w.memory.size)
    memory = everything[: MEMORY * seen.shape[0]].reshape(-1, MEMORY)
    for names in mechanism.contact_names:
        inside = {
            k: seen[place[k], GAP] for k in names.pieces if seen[place[k], REGION] >= 0 and seen[place[k], GAP] < 0
        }
        if any(gap >= -land for gap in inside.values()):
            inside = {k: gap for k, gap in inside.items() if gap >= -land}
        for piece, gap in inside.items():
            contact, here = mechanism.contacts[piece], int(place[piece])
            approach = max(-seen[here, RATE], 0.0)
            if gap < -land:
                if contact.approach is None and contact.law is not None and contact.law[0].remembers:
                    At(f"contact '{names.name}'", "approach_speed").fail(
                        f"starts {-1000 * gap:.3g} mm inside the surface",
                        expected="the approach speed at which it touched down, in m/s, or a start outside",
                    )
                approach = contact.approach if contact.approach is not None else approach
            elif seen[here, RATE] > 0.0:
                continue
            memory[here, [TOUCHING, APPROACH, SLIDE_BEGIN]] = BY_LAW, approach, seen[here, SLIDE]
    if mechanism.system.contacts.space:
        w.memory[:] = everything
        _begin(mechanism.system, w, q, v)
        everything[:] = w.memory
    return everything


@compiled
def _begin(s, w, q, v):
    """Bristles of all contacts in space stand straight now."""
    for c in range(s.contacts.count):
        invoke(s.contacts.calls[BEGIN_IN_SPACE], (s, w, c, -1, q, v))


def resting_memory(mechanism: Mechanism, t: float, q: Array) -> Array:
    """Memory for states at rest: every contact acts where it is closed, without damping; bristles stand straight in the
    pose q."""
    s = mechanism.system
    everything, count = np.zeros(memory_size(s)), s.contacts.count
    memory = everything[: MEMORY * count].reshape(count, MEMORY)
    if count:
        memory[:, TOUCHING] = BY_LAW
        memory[:, SLIDE_BEGIN] = look(mechanism, workspace(s), t, q, np.zeros(s.n + 1))[:, SLIDE]
    if s.contacts.space:
        more = everything[MEMORY * count : -(s.n + 1)].reshape(count, MEMORY_IN_SPACE)
        more[:, TIME_BEGIN] = AT_REST
        everything[-(s.n + 1) :] = q
    return everything
