"""Equilibria in which surfaces of solids touch: what their points remember from one to the next.

After each load step, bristles have become what they are stretched to, so that friction sticks, slides and remembers. Contacts
without penetration (augmented-lagrange) get their pressures in rounds: the surface of each point is moved outwards by as much
as the point is inside, until none is further inside than the tolerance, nor held from further outside.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.analyse.contact_memory import look
from gaitwright.analyse.statics.linearise import AtRest, Forces
from gaitwright.compiled import compiled
from gaitwright.derive.library import kernel_module
from gaitwright.errors import DidNotConverge, SingularPose
from gaitwright.physics.contact_laws.augmented_lagrange import AugmentedLagrange
from gaitwright.physics.friction.bristle import Bristle
from gaitwright.physics.friction.no_slip import NoSlip
from gaitwright.system.batches import compiled_kernel
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import Array
from gaitwright.system.touch import GAP, REGION, SHIFT, advance

if TYPE_CHECKING:
    from gaitwright.analyse.statics.search import Search

REACH, BALANCED, LAST_STEP, ROUNDING = 0.5, 1e-10, 1e-8, 1e-15
"""As in search.py and relax.py, which come after this."""
HELD_BACK = (0.0, 1e-7, 1e-5)
"""Stiffnesses, relative to the largest, that hold a step back."""
MAX_SLIPS = 40
"""Newton's steps until it is known what sticks and what slides."""
ROUNDS = 40
"""Most rounds in which pressures of contacts without penetration are found."""


def has_skins(mechanism: Mechanism) -> bool:
    """Whether surfaces of solids touch."""
    return any(contact.by_gap for contact in mechanism.contacts)


@compiled
def _advance(s, w, q, still):
    for c in range(s.contacts.count):
        if s.contacts.by_gap[c] != 0 and s.contacts.friction[c] != 0:
            advance(s, w, c, q, still)


def remember(rest: AtRest, q: Array) -> None:
    """Bristles of skins are from now on what they are stretched to in the pose q."""
    _advance(rest.s, rest.w, q, rest.still)


@contextlib.contextmanager
def sticking(rest: AtRest) -> Iterator[bool]:
    """While it lasts, bristles of skins do not give way: at a pressure that is still unknown, nothing would hold what they
    hold in the end. Whether there are any."""
    b, contacts = rest.s.contacts, rest.mechanism.contacts
    basis = contacts[0].geometry.families[:1] if rest.mechanism.dimension == 3 else ()
    slipping, held = (compiled_kernel(kernel_module(kind, basis), "force").address for kind in (Bristle, NoSlip))
    which = np.flatnonzero((b.by_gap != 0) & (b.friction == slipping))
    skipped = list(Bristle.parameters).index("stiffness")  # the parameters of both end alike
    try:
        b.friction[which], b.friction_start[which] = held, b.friction_start[which] + skipped
        yield bool(which.size)
    finally:
        b.friction[which], b.friction_start[which] = slipping, b.friction_start[which] - skipped


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
    a curve of loads would have a corner at each; in rounds where nothing may be inside."""
    exact = exact_contacts(search.rest.mechanism)
    for _ in range(ROUNDS):
        with sticking(search.rest) as any_bristles:
            search.now = search.rest.forces(search.q)
            try:
                search.step_down()
            except (DidNotConverge, SingularPose):
                search.q, search.now = search.begin.copy(), search.rest.forces(search.begin)
                if not search.ramp():
                    raise
        if any_bristles:
            search.now = search.rest.forces(search.q)
            slip(search)
        if augment(search.rest, exact, search.q) <= 1.0:
            return
        search.begin, search.now = search.q, search.rest.forces(search.q)
    raise search.stalled(f"after {ROUNDS} rounds contacts without penetration are not as exact as their tolerance")


def slip(search: Search) -> None:
    """Newton's own steps, since the forces of friction have no potential, from where nothing has given way yet."""
    for _ in range(MAX_SLIPS):
        if search.now.unbalanced <= ROUNDING:
            return
        before = search.now.unbalanced
        search.iterations += 1
        found = _nearer(search)
        if found is None:
            break
        length = float(np.max(np.abs(found[0] - search.q)[:-1] / search.rest.scale, initial=0.0))
        search.adopt(*found)
        if before <= BALANCED and (length <= LAST_STEP or search.now.unbalanced > 0.5 * before):
            return
    raise search.stalled("friction finds no balance: what touches may slide")


def _nearer(search: Search) -> tuple[np.ndarray, Forces] | None:
    """The pose after a step of Newton's, shortened or held back where it leads away from balance: what rolls on a point has
    hardly any stiffness. The best of those tried if none gains; None if there is none."""
    rest, best = search.rest, None
    stiffness = rest.stiffness(search.q, search.now.lam)
    for held in HELD_BACK:
        direction = rest.newton(stiffness, search.now, held * rest.unit(stiffness, search.now))
        if direction is None:
            continue
        whole = min(1.0, REACH / max(float(np.max(np.abs(direction), initial=0.0)), 1e-300))
        for part in (1.0, 0.5, 0.25):
            end = rest.moved(search.q, part * whole * direction)
            then = search.forces(end) if end is not None else None
            if end is None or then is None:
                continue
            if then.unbalanced < 0.9 * search.now.unbalanced:
                return end, then
            if best is None or then.unbalanced < best[1].unbalanced:
                best = end, then
    return best
