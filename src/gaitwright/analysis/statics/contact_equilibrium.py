"""Equilibria with surfaces of solids in contact, and the contact state that is kept from one to the next.

Friction sticks, slides and depends on its history (friction_equilibrium.py). Contacts without penetration (augmented-lagrange)
get their pressures in rounds: the surface at each point is moved outwards by the penetration of the point, until no penetration
exceeds the tolerance and no point is held from further outside than that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright._core.errors import DidNotConverge, SingularPose
from gaitwright.analysis.initial_contact_state import observe_contacts_at
from gaitwright.analysis.statics.friction_equilibrium import has_bristles, solve_friction_equilibrium
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.contact.state import MEMORY_SURFACE_SHIFT, STATE_GAP, STATE_REGION
from gaitwright.mechanism.history_parts import parts_with_history
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import Array
from gaitwright.physics.contact_laws.augmented_lagrange import AugmentedLagrange

if TYPE_CHECKING:
    from gaitwright.analysis.statics.equilibrium_search import EquilibriumSearch

MAX_AUGMENTATION_ROUNDS = 40
"""Maximum number of rounds for the pressures of contacts without penetration."""


def has_deformable_contacts(mechanism: Mechanism) -> bool:
    """True if surfaces of solids are in contact, or a solid has frictional history at rest (fem/frictional_solid.py)."""
    return any(contact.by_gap for contact in mechanism.contacts) or bool(parts_with_history(mechanism))


class PenetrationFreeContacts(NamedTuple):
    """Contacts without penetration: their indices in the tables, and their penetration tolerance, m."""

    which: Array
    tolerance: Array


def find_penetration_free_contacts(mechanism: Mechanism) -> PenetrationFreeContacts:
    """Contacts with an augmented law, which end without penetration, and their tolerances, m."""
    which, tolerance, first = [np.zeros(0, dtype=np.int64)], [np.zeros(0)], 0
    place = list(AugmentedLagrange.parameters).index("tolerance")
    for contact in mechanism.contacts:
        if contact.by_gap and contact.law is not None and contact.law[0] is AugmentedLagrange:
            which.append(mechanism.contact_place[first : first + contact.count])
            tolerance.append(np.full(contact.count, contact.law[1][place]))
        first += contact.count
    return PenetrationFreeContacts(np.concatenate(which), np.concatenate(tolerance))


def augment_pressures(rest: RestingMechanism, exact: PenetrationFreeContacts, q: Array) -> float:
    """Return the largest error of the contacts without penetration, relative to their tolerance. If it exceeds 1, move their
    surfaces by the penetration."""
    if not exact.which.size:
        return 0.0
    states = observe_contacts_at(rest.mechanism, rest.w, rest.t, q, rest.still)[exact.which]
    memory = rest.w.memory.reshape(rest.s.contacts.count, -1)
    shift = memory[exact.which, MEMORY_SURFACE_SHIFT]
    gap = np.where(states[:, STATE_REGION] >= 0.0, states[:, STATE_GAP], np.inf)
    off = np.maximum(-gap, np.minimum(gap, shift)) / np.maximum(exact.tolerance, 1e-300)
    worst = float(np.max(off, initial=0.0))
    if worst > 1.0:
        memory[exact.which, MEMORY_SURFACE_SHIFT] = np.maximum(shift - gap, 0.0)
    return worst


def solve_contact_equilibrium(search: EquilibriumSearch) -> None:
    """Find an equilibrium with surfaces of solids in contact.

    Without friction: steps along the forces from the current pose, since these detect points that close and open, and a curve
    of loads would have a corner at each of them. With friction, and between two solids, where the normal is no gradient of
    the gap (contact/closest_face.py) and steps along the forces end in cycles: friction_equilibrium.py. In rounds for
    contacts without penetration."""
    exact = find_penetration_free_contacts(search.rest.mechanism)
    for _ in range(MAX_AUGMENTATION_ROUNDS):
        search.now = search.rest.forces(search.q)
        if has_bristles(search.rest) or parts_with_history(search.rest.mechanism) or search.rest.s.contacts.deforms:
            solve_friction_equilibrium(search)
        else:
            _descend_or_ramp(search)
        if augment_pressures(search.rest, exact, search.q) <= 1.0:
            return
        search.begin, search.now = search.q, search.rest.forces(search.q)
    raise search.stalled(
        f"after {MAX_AUGMENTATION_ROUNDS} rounds contacts without penetration are not as exact as their tolerance"
    )


def _descend_or_ramp(search: EquilibriumSearch) -> None:
    try:
        search.step_down()
    except (DidNotConverge, SingularPose):
        search.q, search.now = search.begin.copy(), search.rest.forces(search.begin)
        if not search.ramp():
            raise
