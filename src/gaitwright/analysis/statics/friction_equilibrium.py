"""Equilibria of surfaces with friction: bristles that stick, slip and keep their state, on the way to rest.

Friction forces have no potential, depend on the path, and vanish before there is pressure, so nothing holds a body that stands
freely on the ground at first. Two methods lead to equilibrium.

Newton's method, from an equilibrium nearby: the bristle deflection is mapped back to its limit at every iteration, with the
consistent tangent (unsymmetric if bristles slide), and the stored bristle state stays that of the beginning. A step is accepted
if it reduces the force, or if the next step with the same factors is shorter: points that begin to touch or to stick are stiff,
and their force grows while their position improves.

If that fails, the motion of a massless mechanism with artificial drag (pseudo-transient continuation):

    Phi_q^T lambda - Q(q, memory) + drag (q - q_before) = 0,   Phi = 0

Each step is solved by Newton's method, and the contact state is updated only afterwards; drag decreases from step to step. So a
body that is drawn above the ground comes down, tilts, rolls and slides until friction holds it, and there is pressure before
friction is needed. A motion that never ends has no equilibrium.

Sources: J. C. Simo, T. A. Laursen, Comput. Struct. 42 (1992) 97-116 (return mapping). C. T. Kelley, D. E. Keyes, SIAM J. Numer.
Anal. 35 (1998) 508-523 (pseudo-transient continuation). P. Deuflhard, Newton Methods for Nonlinear Problems (2004), section 3.3
(the next step with the same factors as a measure of the error). P. J. Lanzkron, D. J. Rose, J. T. Wilkes, SIAM J. Sci.
Comput. 17 (1996) 538-559 (nonlinear elimination: local balance).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright._core.errors import DidNotConverge
from gaitwright.analysis.statics.records import StaticForces
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.contact.state import advance_contact, evaluate_contact_force
from gaitwright.jit import jit_compile
from gaitwright.mechanism.tables import Array

if TYPE_CHECKING:
    from gaitwright.analysis.statics.equilibrium_search import EquilibriumSearch


BALANCE_RTOL, LAST_STEP_TOL, BALANCE_ROUNDING_RTOL = 1e-10, 1e-8, 1e-15
"""Values of equilibrium_search.py, which imports this module."""
MAX_NEWTON_CHANGE, MAX_DRAG_STEP_CHANGE = 0.5, 0.3
"""Largest change of a coordinate, in its scale, in one Newton step, and in one step with drag."""
FIRST_DRAG_STEP_CHANGE = 0.02
"""Displacement of the coordinate with the largest force in the first step with drag, in its scale."""
MAX_DRAG_FREE_TRIAL_CHANGE = 0.01
"""Length of a step with drag, in scales, below which Newton's method without drag is tried."""
MAX_NONPOTENTIAL_IMBALANCE = 1e-4
"""Unbalanced force, relative to the largest, below which steps need not follow the forces: sliding has no potential."""
DRAG_STEP_RTOL = 0.01
"""Residual of a step with drag, relative to the forces at its beginning."""
MAX_NEWTON_ITERATIONS, MAX_QUICK_ITERATIONS, MAX_ITERATIONS_WITHOUT_GAIN = 12, 4, 3
"""Maximum number of Newton iterations of a step; number that counts as few; maximum number without improvement."""
MAX_STEP_RESIDUAL_RATIO, MAX_REUSED_STEP_RESIDUAL_RATIO, MAX_FACTOR_REUSE_RATIO = 0.9, 0.5, 0.1
"""Largest accepted residual ratio of a step (of the forces, or of the next step with the same factors); the same for a step
with reused factors; and the ratio below which factors are used again for the next step, unless there are so few unknowns
that new factors cost nothing."""
MIN_LOCAL_BALANCE_IMBALANCE = 1e-6
"""Unbalanced force, relative to the largest, down to which few points are balanced locally."""
REUSED_FACTORS_BALANCE_RTOL = 1e-12
"""Unbalanced force, relative to the largest, at which iterations with reused factors stop."""
MAX_DRAG_STEPS = 200
"""Maximum number of steps with drag, including failed ones."""
MAX_CONSECUTIVE_FAILURES = 15
"""Limit of consecutive failed steps with drag, each with four times the drag of the one before: with 1e9 times the drag nothing
moves, and further steps would not succeed either."""
MAX_CONTACT_TRAVEL = 4.0
"""Total displacement in contact, in its scale, after which a body counts as sliding."""


@jit_compile
def _advance_bristles(s, w, q, still):
    for c in range(s.contacts.count):
        if s.contacts.by_gap[c] != 0 and s.contacts.friction[c] != 0:
            advance_contact(s, w, c, q, still)


@jit_compile
def _fill_normal_forces(s, w, q, still, out):
    for c in range(s.contacts.count):
        out[c] = evaluate_contact_force(s, w, c, q, still) if s.contacts.by_gap[c] != 0 else 0.0


def commit_bristles(rest: RestingMechanism, q: Array) -> None:
    """Store the bristle deflections of skins in the pose q as their new state."""
    _advance_bristles(rest.s, rest.w, q, rest.still)


def has_bristles(rest: RestingMechanism) -> bool:
    """True if surfaces of solids have bristles."""
    return bool(np.any((rest.s.contacts.by_gap != 0) & (rest.s.contacts.bristled != 0)))


class BalancedPose(NamedTuple):
    """A pose with its forces and the number of iterations."""

    q: Array
    now: StaticForces
    iterations: int


def solve_friction_equilibrium(search: EquilibriumSearch) -> None:
    """Find the equilibrium with friction from the current pose of the search."""
    rest = search.rest
    pose = _find_balance(search, BalancedPose(search.q, search.now, 0), 0.0)
    if pose is not None:
        _adopt_pose(search, pose)
        return
    if search.nearby:
        raise search.stalled("Newton's method finds no balance with friction next to the pose")
    drag = float(np.max(np.abs(search.now.free), initial=0.0)) / FIRST_DRAG_STEP_CHANGE
    slid, distance, failures, in_a_row = 0.0, 0.0, 0, 0
    for _ in range(MAX_DRAG_STEPS):
        begin = BalancedPose(search.q, search.now, 0)
        pose = _find_balance(search, begin, drag)
        distance = _step_length(rest, begin.q, pose.q) if pose is not None else np.inf
        if pose is None or distance > MAX_DRAG_STEP_CHANGE:
            drag, failures, in_a_row = 4.0 * drag, failures + 1, in_a_row + 1
            if in_a_row == MAX_CONSECUTIVE_FAILURES:
                raise search.stalled(
                    f"Newton's method finds no balance of the surfaces that touch, in {failures} attempts with growing drag"
                )
            continue
        in_a_row = 0
        _adopt_pose(search, pose)
        slid += distance if _is_in_contact(rest, search.q) else 0.0
        if slid > MAX_CONTACT_TRAVEL or (search.tired and slid > MAX_DRAG_STEP_CHANGE):
            raise _make_sliding_error(search)
        search.watch()
        if distance < MAX_DRAG_FREE_TRIAL_CHANGE and pose.iterations <= MAX_QUICK_ITERATIONS:
            last = _find_balance(search, BalancedPose(search.q, search.now, 0), 0.0)
            if last is not None:
                _adopt_pose(search, last)
                return
        falls = 0.1 if pose.iterations <= MAX_QUICK_ITERATIONS else 0.3
        drag *= max(falls, distance / MAX_DRAG_STEP_CHANGE)
    if 2 * failures > MAX_DRAG_STEPS:
        raise search.stalled(
            f"Newton's method found no balance in {failures} of {MAX_DRAG_STEPS} steps of the surfaces that touch"
        )
    raise _make_sliding_error(search)


def _adopt_pose(search: EquilibriumSearch, balanced: BalancedPose) -> None:
    search.iterations += balanced.iterations
    search.adopt(balanced.q, balanced.now)
    commit_bristles(search.rest, balanced.q)


def _find_balance(search: EquilibriumSearch, begin: BalancedPose, drag: float) -> BalancedPose | None:
    """The pose near `begin` in which forces and drag balance; None if Newton's method does not converge."""
    rest, origin, q, now = search.rest, begin.q, begin.q, begin.now
    dragged = add_drag(rest, q, now, origin, drag)
    tolerance, lost, factors = DRAG_STEP_RTOL * _force_norm(dragged), 0, None
    if drag == 0.0:
        q, now, dragged = _balance_locally(search, q, now, dragged)
    for iteration in range(MAX_NEWTON_ITERATIONS if drag > 0.0 else 2 * MAX_NEWTON_ITERATIONS):
        if drag > 0.0 and _force_norm(dragged) <= tolerance and iteration:
            return BalancedPose(q, now, iteration)
        if drag == 0.0 and now.unbalanced <= (
            BALANCE_ROUNDING_RTOL if factors is None else REUSED_FACTORS_BALANCE_RTOL
        ):
            return BalancedPose(q, now, iteration)
        step = _reused_factors_step(search, q, dragged, origin, drag, factors) if factors is not None else None
        if step is None and factors is not None and drag == 0.0 and now.unbalanced <= BALANCE_RTOL:
            return BalancedPose(q, now, iteration)
        step = step or _newton_step(search, q, now, dragged, origin, drag)
        if step is None and iteration == 0 and q is not begin.q:  # the initial local balance did not help
            q, now, dragged = begin.q, begin.now, begin.now
            step = _newton_step(search, q, now, dragged, origin, drag)
        if step is None:
            return None
        end, then, after, factors = step.end, step.then, step.after, step.kept
        if drag == 0.0 and now.unbalanced <= BALANCE_RTOL:
            length = _step_length(rest, q, end)
            last = (length <= LAST_STEP_TOL and factors is None) or then.unbalanced > 0.5 * now.unbalanced
            if then.unbalanced < now.unbalanced:
                q, now = end, then
            if last:
                return BalancedPose(q, now, iteration + 1)
        lost += not step.gains
        if (
            not step.gains
            and dragged.unbalanced <= MAX_NONPOTENTIAL_IMBALANCE
            and _step_length(rest, q, end) <= LAST_STEP_TOL
        ):
            # There is a jump between both poses, such as that of a point from one face to the next.
            return BalancedPose(q, now, iteration + 1)
        if lost > MAX_ITERATIONS_WITHOUT_GAIN:
            return None
        q, now, dragged = end, then, after
        if drag == 0.0 and factors is None:
            q, now, dragged = _balance_locally(search, q, now, dragged)
    return None


def _balance_locally(
    search: EquilibriumSearch, q: Array, now: StaticForces, dragged: StaticForces
) -> tuple[Array, StaticForces, StaticForces]:
    """Pose and forces after local balancing of few points, if that improves the equilibrium."""
    rest = search.rest
    balanced = (
        balance_locally(rest, q, dragged.free)
        if dragged.unbalanced > MIN_LOCAL_BALANCE_IMBALANCE and not rest.matrix.is_small
        else None
    )
    balanced_forces = search.forces(balanced, now.size) if balanced is not None else None
    if (
        balanced is None
        or balanced_forces is None
        or _force_norm(balanced_forces) > MAX_STEP_RESIDUAL_RATIO * _force_norm(dragged)
    ):
        return q, now, dragged
    return balanced, balanced_forces, balanced_forces


class ReusedFactors(NamedTuple):
    """Solver of a step: answer solves for free forces; direction is its solution for the forces at the end of the step."""

    answer: Callable[[Array], Array | None]
    direction: Array


class FrictionStep(NamedTuple):
    """Pose at the end of a Newton step, its forces, and those with drag; gains: True if it improves. kept: factors to reuse."""

    end: Array
    then: StaticForces
    after: StaticForces
    gains: bool
    kept: ReusedFactors | None


def _newton_step(
    search: EquilibriumSearch, q: Array, now: StaticForces, dragged: StaticForces, origin: Array, drag: float
) -> FrictionStep | None:
    """A Newton step, shortened if it leads away from equilibrium. Returns the best trial if none improves; None if there is
    none."""
    rest, best = search.rest, None
    stiffness = rest.stiffness(q, now.lam)
    answer = rest.answers(stiffness, dragged, drag)
    rest.tissue = stiffness - rest.touching_stiffness(q)
    direction = answer(dragged.free) if answer is not None else None
    if answer is None or direction is None or np.max(np.abs(direction), initial=0.0) > MAX_NEWTON_CHANGE:
        return None
    # It leads to an unstable equilibrium.
    if dragged.unbalanced > MAX_NONPOTENTIAL_IMBALANCE and direction @ dragged.free < 0.0:
        return None
    for part in (1.0, 0.5, 0.25, 0.1):
        trial = _try_step(search, q, part * direction, origin, drag, now.size)
        if trial is None:
            continue
        end, then, after = trial
        size = _force_norm(after) / max(_force_norm(dragged), 1e-300)
        if size < MAX_STEP_RESIDUAL_RATIO:
            reuse = part == 1.0 and size < MAX_FACTOR_REUSE_RATIO and not rest.matrix.is_small
            following = answer(after.free) if reuse else None
            return FrictionStep(end, then, after, True, _select_reused_factors(answer, direction, following))
        following = answer(after.free)
        if following is not None and np.linalg.norm(following) < MAX_STEP_RESIDUAL_RATIO * np.linalg.norm(direction):
            return FrictionStep(end, then, after, True, None)
        if best is None or _force_norm(after) < _force_norm(best.after):
            best = FrictionStep(end, then, after, False, None)
    return best


def _reused_factors_step(
    search: EquilibriumSearch, q: Array, dragged: StaticForces, origin: Array, drag: float, factors: ReusedFactors
) -> FrictionStep | None:
    """The next step with reused factors; None if it improves too little. After a small improvement they are not kept."""
    trial = _try_step(search, q, factors.direction, origin, drag, dragged.size)
    gain = _force_norm(trial[2]) / max(_force_norm(dragged), 1e-300) if trial is not None else np.inf
    if trial is None or gain > MAX_REUSED_STEP_RESIDUAL_RATIO:
        return None
    following = factors.answer(trial[2].free) if gain <= MAX_FACTOR_REUSE_RATIO else None
    return FrictionStep(*trial, True, _select_reused_factors(factors.answer, factors.direction, following))


def _select_reused_factors(
    answer: Callable[[Array], Array | None], direction: Array, following: Array | None
) -> ReusedFactors | None:
    if following is None or np.linalg.norm(following) > MAX_FACTOR_REUSE_RATIO * np.linalg.norm(direction):
        return None
    return ReusedFactors(answer, following)


def _try_step(
    search: EquilibriumSearch, q: Array, direction: Array, origin: Array, drag: float, size: float
) -> tuple[Array, StaticForces, StaticForces] | None:
    rest = search.rest
    end = rest.moved(q, direction)
    then = search.forces(end, size) if end is not None else None
    return None if end is None or then is None else (end, then, add_drag(rest, end, then, origin, drag))


def add_drag(rest: RestingMechanism, q: Array, now: StaticForces, origin: Array, drag: float) -> StaticForces:
    """The forces in a pose with the drag force for the displacement from an origin."""
    if drag == 0.0:
        return now
    against = drag * (q - origin)[: rest.s.n] / rest.scale
    free = now.free - against
    if rest.s.m:
        np.add.at(free, rest.jac_col, now.jacobian * rest.matrix.reactions(now.jacobian, against)[rest.jac_row])
    return now._replace(free=free)


def _force_norm(forces: StaticForces) -> float:
    with np.errstate(over="ignore"):
        return float(np.linalg.norm(forces.free))


def _step_length(rest: RestingMechanism, q: Array, end: Array) -> float:
    return float(np.max(np.abs(end - q)[: rest.s.n] / rest.scale, initial=0.0))


def compute_normal_forces(rest: RestingMechanism, q: Array) -> Array:
    """Normal forces of all skin points, N, in the order of the tables."""
    normal_forces = np.zeros(rest.s.contacts.count)
    _fill_normal_forces(rest.s, rest.w, q, rest.still, normal_forces)
    return normal_forces


def _is_in_contact(rest: RestingMechanism, q: Array) -> bool:
    return bool(np.any(compute_normal_forces(rest, q) > 0.0))


def _make_sliding_error(search: EquilibriumSearch) -> DidNotConverge:
    rest = search.rest
    body = rest.body_of(int(np.argmax(np.abs(search.now.free))))
    normal, place = compute_normal_forces(rest, search.q), rest.mechanism.contact_place
    rough = [
        f"'{names.name}'" for names in rest.mechanism.contact_names
        if rest.mechanism.contact_of(names).by_gap and np.any(normal[place[list(names.pieces)]] > 0.0)
    ]  # fmt: skip
    where = f" in contact {', '.join(rough)}" if rough else ""
    return DidNotConverge(
        f"{body} finds no rest{where}: friction does not hold it, and it slides or rolls on", time=rest.t,
        suggestion="raise the coefficient of friction, hold it by a spring, a joint or a drive, or let it move by simulate",
    )  # fmt: skip


# Local balance of few points ------------------------------------------------------------------------------------------


MIN_IMBALANCE_RATIO, MAX_LOCAL_COORDINATES = 0.03, 150
"""Force ratio to the largest unbalanced force above which a coordinate takes part; maximum number of such coordinates."""
MAX_LOCAL_STEPS, LOCAL_BALANCE_RTOL = 10, 0.05
"""Maximum number of small steps, and their target residual ratio."""


def balance_locally(rest: RestingMechanism, q: Array, free: Array) -> Array | None:
    """The pose q in which the most unbalanced coordinates, by `free` (J), are balanced; None if they are many or this fails.

    Points that begin to slide, change their direction of sliding, or touch down hamper a global Newton method: their forces
    have kinks, and a step that suits all other points is shortened because of them. For few points it is cheap to follow the
    kinks: the stiffness of the tissue is kept, that of the contacts is evaluated anew at each of their small steps."""
    if rest.tissue is None:
        return None
    large = np.abs(free) > MIN_IMBALANCE_RATIO * np.max(np.abs(free), initial=0.0)
    touching = rest.touching_stiffness(q)
    s, coupled = rest.s, touching != 0.0
    inside = large.copy()
    inside[s.k_col[coupled & large[s.k_row]]] = True
    inside[rest.jac_col] = False
    unbalanced = np.flatnonzero(inside)
    if not 0 < unbalanced.size <= MAX_LOCAL_COORDINATES or np.linalg.norm(free[unbalanced]) < 0.5 * np.linalg.norm(
        free
    ):
        return None
    place = np.full(s.n, -1)
    place[unbalanced] = np.arange(unbalanced.size)
    entries = np.flatnonzero(inside[s.k_row] & inside[s.k_col])
    row, col = place[s.k_row[entries]], place[s.k_col[entries]]
    tissue = rest.tissue[entries]
    end, residual = q.copy(), free[unbalanced]
    first = size = float(np.linalg.norm(residual))
    for _ in range(MAX_LOCAL_STEPS):
        K = np.zeros((unbalanced.size, unbalanced.size))
        np.add.at(K, (row, col), tissue + touching[entries])
        try:
            step = np.linalg.solve(K, residual) * rest.scale[unbalanced]
        except np.linalg.LinAlgError:
            return None
        for part in (1.0, 0.5, 0.25, 0.1):
            tried = end.copy()
            tried[unbalanced] += part * step
            then = rest.acting(tried)[unbalanced]
            with np.errstate(over="ignore"):  # exponentially stiffening tissue, compressed to zero in a trial
                better = np.linalg.norm(then) < (1.0 - 0.1 * part) * size
            if better:
                break
        else:
            break
        end, residual, size = tried, then, float(np.linalg.norm(then))
        if size <= LOCAL_BALANCE_RTOL * first:
            break
        touching = rest.touching_stiffness(end)
    return end if size <= 0.5 * first else None
