"""Equilibria in which surfaces of solids touch: what their points remember from one to the next.

Friction sticks, slides and remembers (rubbing.py). Contacts
without penetration (augmented-lagrange) get their pressures in rounds: the surface of each point is moved outwards by as much
as the point is inside, until none is further inside than the tolerance, nor held from further outside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.analyse.contact_memory import look
from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.analyse.statics.rubbing import is_rough, rub
from gaitwright.errors import DidNotConverge, SingularPose
from gaitwright.physics.contact_laws.augmented_lagrange import AugmentedLagrange
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.remembering import remembering
from gaitwright.system.tables import Array
from gaitwright.system.touch import GAP, REGION, SHIFT

if TYPE_CHECKING:
    from gaitwright.analyse.statics.search import Search

ROUNDS = 40
"""Most rounds in which pressures of contacts without penetration are found."""


def has_skins(mechanism: Mechanism) -> bool:
    """Whether surfaces of solids touch, or solids at rest that rub (contact/rubbing_solid.py)."""
    return any(contact.by_gap for contact in mechanism.contacts) or bool(remembering(mechanism))


class Exact(NamedTuple):
    """Contacts without penetration: their numbers in the tables, and how deep inside they may be, m."""

    which: Array
    tolerance: Array


def exact_contacts(mechanism: Mechanism) -> Exact:
    which, tolerance, first = [np.zeros(0, dtype=np.int64)], [np.zeros(0)], 0
    place = list(AugmentedLagrange.parameters).index("tolerance")
    for contact in mechanism.contacts:
        if contact.by_gap and contact.law is not None and contact.law[0] is AugmentedLagrange:
            which.append(mechanism.contact_place[first : first + contact.count])
            tolerance.append(np.full(contact.count, contact.law[1][place]))
        first += contact.count
    return Exact(np.concatenate(which), np.concatenate(tolerance))


def augment(rest: AtRest, exact: Exact, q: Array) -> float:
    """By how much the worst of the contacts without penetration is off, in its tolerance. If by more than that, their surfaces
    are moved by as much as they are inside."""
    if not exact.which.size:
        return 0.0
    seen = look(rest.mechanism, rest.w, rest.t, q, rest.still)[exact.which]
    memory = rest.w.memory.reshape(rest.s.contacts.count, -1)
    shift, gap = memory[exact.which, SHIFT], np.where(seen[:, REGION] >= 0.0, seen[:, GAP], np.inf)
    off = np.maximum(-gap, np.minimum(gap, shift)) / np.maximum(exact.tolerance, 1e-300)
    worst = float(np.max(off, initial=0.0))
    if worst > 1.0:
        memory[exact.which, SHIFT] = np.maximum(shift - gap, 0.0)
    return worst


def press(search: Search) -> None:
    """With surfaces of solids that touch: steps with the forces from where it is, since these see points come and go, and
    a curve of loads would have a corner at each; with friction by rubbing.py, and between two solids, whose normal is no
    gradient of the gap (system/meeting.py), so that steps with the forces end in cycles; in rounds where nothing may be
    inside."""
    exact = exact_contacts(search.rest.mechanism)
    for _ in range(ROUNDS):
        search.now = search.rest.forces(search.q)
        if is_rough(search.rest) or remembering(search.rest.mechanism) or search.rest.s.contacts.deforms:
            rub(search)
        else:
            _go_down(search)
        if augment(search.rest, exact, search.q) <= 1.0:
            return
        search.begin, search.now = search.q, search.rest.forces(search.q)
    raise search.stalled(f"after {ROUNDS} rounds contacts without penetration are not as exact as their tolerance")


def _go_down(search: Search) -> None:
    try:
        search.step_down()
    except (DidNotConverge, SingularPose):
        search.q, search.now = search.begin.copy(), search.rest.forces(search.begin)
        if not search.ramp():
            raise
