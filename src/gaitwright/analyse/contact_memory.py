"""What contacts know at the start of an analysis: which of them touch, and how fast they came."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.compiled import compiled
from gaitwright.contact.events import LAND
from gaitwright.system.evaluate import Work, memory_size, signals_at, workspace
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import Array, System
from gaitwright.system.touch import (
    APPROACH,
    BY_LAW,
    GAP,
    RATE,
    REGION,
    SEEN,
    TOUCHING,
    begin,
    observe_contacts,
)


@compiled
def _look(s, w, t, q, v, out):
    signals_at(s, w, t)
    observe_contacts(s, w, q, v, out)


def look(mechanism: Mechanism, w: Work, t: float, q: Array, v: Array) -> Array:
    """What is seen of every contact (system/touch.py), (n_pieces, SEEN), in the order of the tables."""
    seen = np.zeros(SEEN * mechanism.system.contacts.count)
    _look(mechanism.system, w, t, q, v, seen)
    return seen.reshape(-1, SEEN)


def require_contacts(mechanism: Mechanism, rigid: bool) -> None:
    """ModelError if a contact lacks what the method needs: a restitution if it treats contacts as rigid, or a law."""
    for names in mechanism.contact_names:
        contact = mechanism.contact_of(names)
        if rigid and contact.by_gap:
            At(f"contact '{names.name}'").fail(
                "is that of the surface of a solid, which the method moreau does not know",
                expected="another method, such as generalized-alpha",
            )
        if rigid and not np.isfinite(contact.restitution):
            At(f"contact '{names.name}'", "restitution").fail(
                "has no restitution, which the method moreau needs", expected="a number from 0 to 1"
            )
        if not rigid and contact.law is None:
            At(f"contact '{names.name}'", "law").fail(
                "is missing; only the method moreau does without",
                expected="a law such as {type: hunt-crossley, stiffness: 1e5, restitution: 0.5}",
            )


def touching(s: System, w: Work) -> list[int]:
    """Contacts with episodes that touch now, as numbers of the tables."""
    count = w.elastic.size
    if not count:
        return []
    return [
        int(c) for c in np.flatnonzero((w.memory.reshape(count, -1)[:, TOUCHING] != 0.0) & (s.contacts.by_gap == 0))
    ]


def start_memory(mechanism: Mechanism, w: Work, t: float, q: Array, v: Array) -> Array:
    """Memory of the contacts at the start: those that are closed touch. One that starts inside needs an approach speed."""
    seen, place, land = look(mechanism, w, t, q, v), mechanism.contact_place, LAND * mechanism.system.contacts.grain[0]
    for name, deep in drawn_inside(mechanism, seen):
        At(f"contact '{name}'").fail(
            f"starts {1000 * deep:.3g} mm inside the surface, deeper than the sides of its mesh are long",
            expected="a solid or a surface that is drawn outside of it, or a start from static(), which lets it out",
        )
    w.memory[:] = 0.0
    _begin(mechanism.system, w, q, v)
    everything = w.memory.copy()
    memory = everything.reshape(seen.shape[0], -1) if seen.size else everything
    for names in mechanism.contact_names:
        contact = mechanism.contact_of(names)
        if contact.by_gap:
            memory[place[list(names.pieces)], TOUCHING] = BY_LAW
            continue
        inside = {
            k: seen[place[k], GAP] for k in names.pieces if seen[place[k], REGION] >= 0 and seen[place[k], GAP] < 0
        }
        if any(gap >= -land for gap in inside.values()):
            inside = {k: gap for k, gap in inside.items() if gap >= -land}
        for piece, gap in inside.items():
            here = int(place[piece])
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
            memory[here, [TOUCHING, APPROACH]] = BY_LAW, approach
    return everything


def drawn_inside(mechanism: Mechanism, seen: Array) -> Iterator[tuple[str, float]]:
    """Contacts of surfaces of solids that are deeper inside than the sides of these are long, with how deep, m: elements would
    turn inside out. seen: of all contacts (see `look`)."""
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
        points = seen[mechanism.contact_place[list(names.pieces)]]
        deep = -float(np.min(points[:, GAP], initial=0.0, where=points[:, REGION] >= 0.0))
        if deep > side:
            yield names.name, deep


@compiled
def _begin(s, w, q, v):
    """Bristles of all contacts stand straight now."""
    for c in range(s.contacts.count):
        begin(s, w, c, -1, q, v)


def resting_memory(mechanism: Mechanism, t: float, q: Array) -> Array:
    """Memory for states at rest: every contact acts where it is closed, without damping; bristles stand straight in the
    pose q."""
    s = mechanism.system
    if not s.contacts.count:
        return np.zeros(memory_size(s))
    w = workspace(s)
    look(mechanism, w, t, q, np.zeros(s.n + 1))
    _begin(s, w, q, np.zeros(s.n + 1))
    memory = w.memory.reshape(s.contacts.count, -1).copy()
    memory[:, TOUCHING] = BY_LAW
    return memory.ravel()
