"""Equilibria of surfaces with friction: bristles that stick, give way and remember, on the way to rest.

The forces of friction have no potential, depend on the way, and vanish where nothing presses yet, so that what stands free on
the ground is held by nothing at first. Two ways lead to balance.

Newton's own, from an equilibrium that is near: what bristles are stretched to is mapped back to their limit at every iteration,
with the tangent of that (not symmetric where they slide), and what they remember stays that of the begin. A step is good if it
leaves less force, or if the step that the same factors want next is shorter: points that begin to touch or to stick are stiff,
and their force grows while their place gets better.

And where that fails, the way of a mechanism without mass in thick oil:

    Phi_q^T lambda - Q(q, memory) + drag (q - q_before) = 0,   Phi = 0

Each step is solved by Newton's method, and only then do contacts remember; drag falls from step to step. So something that is
drawn above the ground comes down, tilts, rolls and slides until friction holds it, and a pressure is there before it is asked
to hold. What goes on for ever finds no balance.

Sources: J. C. Simo, T. A. Laursen, Comput. Struct. 42 (1992) 97-116 (return mapping). C. T. Kelley, D. E. Keyes, SIAM J. Numer.
Anal. 35 (1998) 508-523 (pseudo-transient continuation). P. Deuflhard, Newton Methods for Nonlinear Problems (2004), section 3.3
(the next step by the same factors as a measure of the error).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.analyse.statics.local_balance import settle
from gaitwright.analyse.statics.records import Forces
from gaitwright.compiled import compiled
from gaitwright.errors import DidNotConverge
from gaitwright.system.tables import Array
from gaitwright.system.touch import advance, touch

if TYPE_CHECKING:
    from gaitwright.analyse.statics.search import Search

BALANCED, LAST_STEP, ROUNDING = 1e-10, 1e-8, 1e-15
"""As in search.py, which comes after this."""
REACH, FAR = 0.5, 0.3
"""Largest change of a coordinate, in its scale, in one of Newton's steps, and in one step through oil."""
FIRST = 0.02
"""How far what is pushed most may go in the first step through oil, in its scale."""
NEAR = 0.01
"""Length of a step through oil, in scales, after which Newton's own is tried."""
CLOSE = 1e-4
"""Unbalanced force, relative to the largest, from which on steps need not go with the forces: sliding has no potential."""
LEFT = 0.01
"""Part of the forces at its begin that a step through oil may leave."""
MOST, QUICK, LOST = 12, 4, 3
"""Newton's iterations for a step; how many are few; and how many may gain nothing."""
LESS, SLOWER, FASTER = 0.9, 0.5, 0.1
"""What a step must leave at most, of the forces or of the next step by the same factors; the same of one by kept factors; and
what it leaves where those factors will do for the next one, too: unless there are so few unknowns that they cost nothing."""
ALONE = 1e-6
"""Unbalanced force, relative to the largest, down to which few points are left to themselves (local_balance.py)."""
FINE = 1e-12
"""Unbalanced force, relative to the largest, beyond which kept factors need not go."""
MAX_STEPS = 200
"""Steps through oil, found or not."""
MAX_FAILURES_IN_A_ROW = 15
"""Of steps through oil, each with four times the drag of the one before: with a billion times the drag nothing moves, and what
is not found then never will be."""
SLID = 4.0
"""How far something may go on in touch, in its scale, until it is said to slide."""


@compiled
def _advance(s, w, q, still):
    for c in range(s.contacts.count):
        if s.contacts.by_gap[c] != 0 and s.contacts.friction[c] != 0:
            advance(s, w, c, q, still)


@compiled
def _pressing(s, w, q, still, out):
    for c in range(s.contacts.count):
        out[c] = touch(s, w, c, q, still) if s.contacts.by_gap[c] != 0 else 0.0


def remember(rest: AtRest, q: Array) -> None:
    """Bristles of skins are from now on what they are stretched to in the pose q."""
    _advance(rest.s, rest.w, q, rest.still)


def is_rough(rest: AtRest) -> bool:
    """Whether bristles of surfaces of solids hold anything."""
    return bool(np.any((rest.s.contacts.by_gap != 0) & (rest.s.contacts.bristled != 0)))


class Found(NamedTuple):
    """A pose with its forces, and the iterations it took."""

    q: Array
    now: Forces
    iterations: int


def rub(search: Search) -> None:
    """Find the balance with friction from where the search is."""
    rest = search.rest
    found = _balance(search, Found(search.q, search.now, 0), 0.0)
    if found is not None:
        _adopt(search, found)
        return
    if search.nearby:
        raise search.stalled("Newton's method finds no balance with friction next to the pose")
    drag = float(np.max(np.abs(search.now.free), initial=0.0)) / FIRST
    slid, way, failures, in_a_row = 0.0, 0.0, 0, 0
    for _ in range(MAX_STEPS):
        begin = Found(search.q, search.now, 0)
        found = _balance(search, begin, drag)
        way = _length(rest, begin.q, found.q) if found is not None else np.inf
        if found is None or way > FAR:
            drag, failures, in_a_row = 4.0 * drag, failures + 1, in_a_row + 1
            if in_a_row == MAX_FAILURES_IN_A_ROW:
                raise search.stalled(
                    f"Newton's method finds no balance of the surfaces that touch, in {failures} attempts with growing drag"
                )
            continue
        in_a_row = 0
        _adopt(search, found)
        slid += way if _in_touch(rest, search.q) else 0.0
        if slid > SLID or (search.tired and slid > FAR):
            raise _slides(search)
        search.watch()
        if way < NEAR and found.iterations <= QUICK:
            last = _balance(search, Found(search.q, search.now, 0), 0.0)
            if last is not None:
                _adopt(search, last)
                return
        falls = 0.1 if found.iterations <= QUICK else 0.3
        drag *= max(falls, way / FAR)
    if 2 * failures > MAX_STEPS:
        raise search.stalled(
            f"Newton's method found no balance in {failures} of {MAX_STEPS} steps of the surfaces that touch"
        )
    raise _slides(search)


def _adopt(search: Search, found: Found) -> None:
    search.iterations += found.iterations
    search.adopt(found.q, found.now)
    remember(search.rest, found.q)


def _balance(search: Search, begin: Found, drag: float) -> Found | None:
    """The pose in which forces and drag balance, next to one; None where Newton's method does not find it."""
    rest, origin, q, now = search.rest, begin.q, begin.q, begin.now
    left = dragged(rest, q, now, origin, drag)
    enough, lost, kept = LEFT * _size(left), 0, None
    if drag == 0.0:
        q, now, left = _settled(search, q, now, left)
    for iteration in range(MOST if drag > 0.0 else 2 * MOST):
        if drag > 0.0 and _size(left) <= enough and iteration:
            return Found(q, now, iteration)
        if drag == 0.0 and now.unbalanced <= (ROUNDING if kept is None else FINE):
            return Found(q, now, iteration)
        step = _again(search, q, left, origin, drag, kept) if kept is not None else None
        if step is None and kept is not None and drag == 0.0 and now.unbalanced <= BALANCED:
            return Found(q, now, iteration)
        step = step or _step(search, q, now, left, origin, drag)
        if step is None and iteration == 0 and q is not begin.q:  # few that balanced at first did not help
            q, now, left = begin.q, begin.now, begin.now
            step = _step(search, q, now, left, origin, drag)
        if step is None:
            return None
        end, then, after, kept = step.end, step.then, step.after, step.kept
        if drag == 0.0 and now.unbalanced <= BALANCED:
            length = _length(rest, q, end)
            last = (length <= LAST_STEP and kept is None) or then.unbalanced > 0.5 * now.unbalanced
            if then.unbalanced < now.unbalanced:
                q, now = end, then
            if last:
                return Found(q, now, iteration + 1)
        lost += not step.gains
        if not step.gains and left.unbalanced <= CLOSE and _length(rest, q, end) <= LAST_STEP:
            return Found(
                q, now, iteration + 1
            )  # between both is a jump, such as that of a point from a face to the next
        if lost > LOST:
            return None
        q, now, left = end, then, after
        if drag == 0.0 and kept is None:
            q, now, left = _settled(search, q, now, left)
    return None


def _settled(search: Search, q: Array, now: Forces, left: Forces) -> tuple[Array, Forces, Forces]:
    """Pose and forces after few points have found their balance by themselves, if that gains."""
    rest = search.rest
    alone = settle(rest, q, left.free) if left.unbalanced > ALONE and not rest.matrix.few else None
    then = search.forces(alone, now.size) if alone is not None else None
    if alone is None or then is None or _size(then) > LESS * _size(left):
        return q, now, left
    return alone, then, then


class Kept(NamedTuple):
    """What the factors of a step answer to free forces, and what they answered to those at its end."""

    answer: Callable[[Array], Array | None]
    direction: Array


class Step(NamedTuple):
    """The pose after a step of Newton's, its forces, and with drag; whether it gains. kept: for a step by the same factors."""

    end: Array
    then: Forces
    after: Forces
    gains: bool
    kept: Kept | None


def _step(search: Search, q: Array, now: Forces, left: Forces, origin: Array, drag: float) -> Step | None:
    """A step of Newton's, shortened where it leads away from balance. The best of those tried if none gains; None if there is
    none."""
    rest, best = search.rest, None
    stiffness = rest.stiffness(q, now.lam)
    answer = rest.answers(stiffness, left, drag)
    rest.tissue = stiffness - rest.touching_stiffness(q)
    direction = answer(left.free) if answer is not None else None
    if answer is None or direction is None or np.max(np.abs(direction), initial=0.0) > REACH:
        return None
    if left.unbalanced > CLOSE and direction @ left.free < 0.0:  # it leads to what the slightest push would upset
        return None
    for part in (1.0, 0.5, 0.25, 0.1):
        found = _tried(search, q, part * direction, origin, drag, now.size)
        if found is None:
            continue
        end, then, after = found
        size = _size(after) / max(_size(left), 1e-300)
        if size < LESS:
            again = part == 1.0 and size < FASTER and not rest.matrix.few
            following = answer(after.free) if again else None
            return Step(end, then, after, True, _kept(answer, direction, following))
        following = answer(after.free)
        if following is not None and np.linalg.norm(following) < LESS * np.linalg.norm(direction):
            return Step(end, then, after, True, None)
        if best is None or _size(after) < _size(best.after):
            best = Step(end, then, after, False, None)
    return best


def _again(search: Search, q: Array, left: Forces, origin: Array, drag: float, kept: Kept) -> Step | None:
    """The next step by kept factors; None where it gains too little. Where it does not gain much, it is the last by them."""
    found = _tried(search, q, kept.direction, origin, drag, left.size)
    gain = _size(found[2]) / max(_size(left), 1e-300) if found is not None else np.inf
    if found is None or gain > SLOWER:
        return None
    following = kept.answer(found[2].free) if gain <= FASTER else None
    return Step(*found, True, _kept(kept.answer, kept.direction, following))


def _kept(answer: Callable[[Array], Array | None], direction: Array, following: Array | None) -> Kept | None:
    if following is None or np.linalg.norm(following) > FASTER * np.linalg.norm(direction):
        return None
    return Kept(answer, following)


def _tried(
    search: Search, q: Array, way: Array, origin: Array, drag: float, size: float
) -> tuple[Array, Forces, Forces] | None:
    rest = search.rest
    end = rest.moved(q, way)
    then = search.forces(end, size) if end is not None else None
    return None if end is None or then is None else (end, then, dragged(rest, end, then, origin, drag))


def dragged(rest: AtRest, q: Array, now: Forces, origin: Array, drag: float) -> Forces:
    """The forces in a pose with what the oil adds on the way from an origin."""
    if drag == 0.0:
        return now
    against = drag * (q - origin)[: rest.s.n] / rest.scale
    free = now.free - against
    if rest.s.m:
        np.add.at(free, rest.jac_col, now.jacobian * rest.matrix.held(now.jacobian, against)[rest.jac_row])
    return now._replace(free=free)


def _size(forces: Forces) -> float:
    with np.errstate(over="ignore"):
        return float(np.linalg.norm(forces.free))


def _length(rest: AtRest, q: Array, end: Array) -> float:
    return float(np.max(np.abs(end - q)[: rest.s.n] / rest.scale, initial=0.0))


def pressing(rest: AtRest, q: Array) -> Array:
    """Normal forces of all points of skins, N, in the order of the tables."""
    found = np.zeros(rest.s.contacts.count)
    _pressing(rest.s, rest.w, q, rest.still, found)
    return found


def _in_touch(rest: AtRest, q: Array) -> bool:
    return bool(np.any(pressing(rest, q) > 0.0))


def _slides(search: Search) -> DidNotConverge:
    rest = search.rest
    body = rest.body_of(int(np.argmax(np.abs(search.now.free))))
    normal, place = pressing(rest, search.q), rest.mechanism.contact_place
    rough = [
        f"'{names.name}'" for names in rest.mechanism.contact_names
        if rest.mechanism.contact_of(names).by_gap and np.any(normal[place[list(names.pieces)]] > 0.0)
    ]  # fmt: skip
    where = f" in contact {', '.join(rough)}" if rough else ""
    return DidNotConverge(
        f"{body} finds no rest{where}: friction does not hold it, and it slides or rolls on", time=rest.t,
        suggestion="raise the coefficient of friction, hold it by a spring, a joint or a drive, or let it move by simulate",
    )  # fmt: skip
