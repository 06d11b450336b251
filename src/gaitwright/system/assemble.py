"""From the drawn pose to a consistent start: closing the joints, start velocities, and which joints are redundant.

Closing is damped Gauss-Newton (Levenberg-Marquardt) on |Phi|^2 by smallest changes, so the branch follows the drawing:

    [ W      Phi_q^T ] [ dq ]   [ 0    ]
    [ Phi_q  -mu I   ] [ nu ] = [ -Phi ]        W = 1 / scale^2: a change counts relative to the size of the coordinate

Redundancy is read off the pivots of the same matrix with mu = 0: the pivot of a row of Phi_q that depends on rows
eliminated before it vanishes (a small one is looked at more closely). In large systems, whose solver shows no pivots, it is
read off the smallest singular values (redundancy.py). It is redundant only if it stays so in poses nearby; otherwise the
pose is singular.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.system.elimination import factor_symmetric, pivots
from gaitwright.system.evaluate import Work, motion, position, residual, signals_at, workspace
from gaitwright.system.factors import factorised
from gaitwright.system.kkt import Kkt, fill, kkt, solve
from gaitwright.system.library import raise_pending
from gaitwright.system.redundancy import dependent
from gaitwright.system.tables import Array, System

CLOSED = 1e-10
"""Largest |Phi| (m or rad, relative to the size of the mechanism) at which the joints count as closed."""
DEPENDENT = 1e-10
"""Ratio of a pivot to the squared length of its row below which the row counts as dependent on others."""
DOUBTFUL = 1e-5
"""Ratio below which a pivot alone does not tell: the rows are then orthogonalised, if there are not too many."""
DENSE = 2_000_000
"""Entries of Phi_q up to which it may be dense."""
FEW_ROWS = 1500
SAME = 1e-12
"""Part of the terms of a condition below which what is left of it is rounding."""
MAX_TURN = 0.5
"""Largest change of a coordinate, in its scale, in one iteration: keeps the iteration on the drawn branch."""


class Assembly(NamedTuple):
    """Result of closing the joints: pose, remaining Phi, iterations; and the strains of beams in it where they are known."""

    q: Array
    phi: Array
    iterations: int
    strains: dict[str, Any] | None = None

    @property
    def gap(self) -> float:
        return float(np.max(np.abs(self.phi), initial=0.0))


def middle(values: Array) -> float:
    """The median. NumPy's takes twenty times as long for a mechanism, and every start asks twice."""
    ordered = np.sort(values)
    return float(ordered[(ordered.size - 1) // 2] + ordered[ordered.size // 2]) / 2.0


def length(vector: Array) -> float:
    return math.sqrt(vector @ vector)


def scaled_weight(s: System, scale: Array) -> Array:
    """W on the pattern of the mass matrix."""
    return np.where(s.mass_row == s.mass_col, 1.0 / scale[s.mass_row] ** 2, 0.0)


@compiled
def _damped_step(s, w, kkt, weight, mu):
    """Solve the damped system for the Phi, Phi_q in w; the step lies in kkt.rhs."""
    fill(s, w, kkt, weight)
    for k in range(s.m):
        kkt.K[kkt.elimination.position[s.n + k]] -= mu
    kkt.rhs[: s.n] = 0.0
    for k in range(s.m):
        kkt.rhs[s.n + k] = -w.phi[k]
    factor_symmetric(kkt.elimination, kkt.K)
    solve(kkt)


class Moves(Protocol):
    """A way to move a pose other than by all its coordinates: steps in coordinates of its own, with a scale each."""

    scale: Array

    def step(self, q: Array, phi: Array, jac: Array, mu: float) -> Array: ...

    def moved(self, q: Array, step: Array) -> Array: ...


class _Coordinates:
    """The plain way: by all coordinates, with the weight W."""

    def __init__(self, s: System, w: Work, system: Kkt, scale: Array, weight: Array):
        self.s, self.w, self.system, self.scale, self.weight = s, w, system, scale, weight

    def step(self, q: Array, phi: Array, jac: Array, mu: float) -> Array:
        _damped_step(self.s, self.w, self.system, self.weight, mu)
        return self.system.rhs[: self.s.n]

    def moved(self, q: Array, step: Array) -> Array:
        q = q.copy()
        q[: self.s.n] += step
        return q


def close(
    s: System, w: Work, system: Kkt | None, q: Array, scale: Array, t: float, weight: Array | None = None,
    moves: Moves | None = None,
) -> Assembly:  # fmt: skip
    """Close all joints from the pose q, with the drives at time t. weight: W, 1 / scale^2 unless given. moves: how the pose
    is moved, by all coordinates unless given."""
    q = q.copy()
    if moves is None:
        assert system is not None
        moves = _Coordinates(s, w, system, scale, scaled_weight(s, scale) if weight is None else weight)
    signals_at(s, w, t)
    position(s, w, q)
    mu, size = 1e-4, middle(scale[: s.n]) ** 2 if s.n else 1.0
    norm = length(w.phi)
    best_since = iteration = 0
    for iteration in range(200):  # noqa: B007 (reported)
        if not np.isfinite(norm) or np.max(np.abs(w.phi), initial=0.0) < 1e-14 or best_since > 3:
            break
        step = moves.step(q, w.phi, w.jac[:-1], mu * size)
        raise_pending()
        largest = np.max(np.abs(step) / moves.scale, initial=0.0)
        shorten = min(1.0, MAX_TURN / largest) if largest > 0 else 1.0
        trial = moves.moved(q, shorten * step)
        residual(s, w, trial)
        trial_norm = length(w.phi)
        if trial_norm < norm:
            best_since = best_since + 1 if trial_norm > 0.999 * norm and largest < 1e-6 else 0
            q, norm, mu = trial, trial_norm, max(mu * 0.1, 1e-14)
        elif mu > 1e6 or (norm < 1e-12 and mu > 1e-10):
            break
        else:
            mu *= 10.0
        position(s, w, q)
    residual(s, w, q)
    return Assembly(q, w.phi.copy(), iteration)


def dependent_rows(s: System, w: Work, system: Kkt, q: Array, scale: Array, t: float) -> tuple[list[int], Array]:
    """Rows of Phi whose gradient depends on that of others in the pose q, and for each the weights of the rows it
    depends on, so that sum of weights times gradients vanishes: (rows, (len(rows), m))."""
    signals_at(s, w, t)
    position(s, w, q)
    weight = scaled_weight(s, scale)
    squared = np.zeros(s.m_all)
    np.add.at(squared, s.jac_row, (w.jac[:-1] * scale[s.jac_col]) ** 2)
    reference = np.maximum(squared[: s.m], 1e-30)
    if system.elimination.direct is not None and s.m * s.n <= DENSE:  # a factorisation of what is large would cost more
        few = np.zeros((s.m_all, s.n))
        np.add.at(few, (s.jac_row, s.jac_col), w.jac[:-1] * scale[s.jac_col])
        return _dependent_in_order(few[: s.m])
    if system.elimination.direct is not None:
        active, length = s.jac_row < s.m, np.sqrt(reference)
        at, to = s.jac_row[active], s.jac_col[active]
        found, weights = dependent(at, to, w.jac[:-1][active] * scale[to] / length[at], (s.m, s.n))
        return found, weights * length[found][:, None] / length
    _damped_step(s, w, system, weight, 1e-13 * middle(reference) if s.m else 0.0)
    pivot = np.zeros(system.elimination.order.size)
    pivots(system.elimination, system.K, pivot)
    ratio = np.abs(pivot[s.n : s.n + s.m]) / reference
    if np.all(ratio > DOUBTFUL):
        return [], np.zeros((0, s.m))
    if s.m <= FEW_ROWS:
        jacobian = np.zeros((s.m_all, s.n))
        np.add.at(jacobian, (s.jac_row, s.jac_col), w.jac[:-1] * scale[s.jac_col])
        return _dependent_in_order(jacobian[: s.m])
    rows = np.flatnonzero(ratio < DEPENDENT)
    weights = np.zeros((len(rows), s.m))
    for k, row in enumerate(rows):
        # Phi_I^T y = Phi_r^T, by the factorised matrix: the damping keeps the dependent pivots usable.
        system.rhs[:] = 0.0
        mine = s.jac_row == row
        np.add.at(system.rhs, s.jac_col[mine], w.jac[:-1][mine])
        solve(system)
        y = system.rhs[s.n : s.n + s.m].copy()
        y[rows] = 0.0
        y[row] = -1.0
        weights[k] = y
    return [int(row) for row in rows], weights


def _dependent_in_order(jacobian: Array) -> tuple[list[int], Array]:
    """Rows that depend on rows before them, by Gram-Schmidt done twice, and their weights. Slower than the pivots but
    exact near a singular pose, where rounding makes the pivots of dependent rows as large as those of others."""
    m, n = jacobian.shape
    basis, independent, dependent = np.zeros((min(m, n), n)), [], []
    for k, row in enumerate(jacobian):
        known, rest = basis[: len(independent)], row.copy()
        for _ in range(2):
            rest -= (known @ rest) @ known
        size = float(np.linalg.norm(rest))
        if len(independent) == n or size <= DEPENDENT**0.5 * np.linalg.norm(row):
            dependent.append(k)
        else:
            basis[len(independent)] = rest / size
            independent.append(k)
    weights = np.zeros((len(dependent), m))
    if dependent:
        weights[:, independent] = np.linalg.lstsq(jacobian[independent].T, jacobian[dependent].T, rcond=None)[0].T
        weights[np.arange(len(dependent)), dependent] = -1.0
    return dependent, weights


def redundant_rows(s: System, joints: System, q: Array, scale: Array, t: float) -> tuple[list[int], Array, bool]:
    """Rows of Phi that follow from the others, with their weights; and whether the pose itself is singular.

    `joints` is the same mechanism without its drives, rows in the same order, used to move it to poses nearby."""
    if not s.m:
        return [], np.zeros((0, 0)), False
    w, system = workspace(s), kkt(s)
    here, weights = dependent_rows(s, w, system, q, scale, t)
    if not here:
        return [], weights, False
    w_joints, kkt_joints = workspace(joints), kkt(joints)
    generator = np.random.default_rng(0)
    always, looked = here, 0
    for _ in range(12):
        nearby = q.copy()
        nearby[: s.n] += 0.02 * scale * generator.standard_normal(s.n)
        moved = close(joints, w_joints, kkt_joints, nearby, scale, t)
        if moved.gap > CLOSED * min(scale.min(), 1.0):
            continue  # near a singular pose the joints need not close from everywhere; an open pose has no say
        rows, there = dependent_rows(s, w, system, moved.q, scale, t)
        if looked == 0 or len(rows) < len(always):
            always, weights = rows, there
        looked += 1
        if looked == 3:
            break
    return always, weights, len(always) < len(here)


def start_velocity(
    s: System, q: Array, t: float, rows: tuple[Array, Array, Array], wanted: Array,
    calm: Callable[[Array], Any] | None = None,
) -> tuple[Array, Array]:  # fmt: skip
    """Velocities that satisfy joints and drives, come closest to `rows` v = `wanted` (row, column and value of their entries)
    and, for what is left free, have the least kinetic energy. calm: gives rows, columns and values of a matrix that counts
    besides M there, in a pose. Returns v (n + 1) and the wanted values that could not be met (residual)."""
    w = workspace(s)
    signals_at(s, w, t)
    motion(s, w, q, np.zeros(s.n + 1))
    if not (w.phi_t[: s.m].any() or wanted.any()):  # nothing moves and nothing is asked to
        return np.zeros(s.n + 1), np.zeros(wanted.size)
    import scipy.sparse as sparse

    active = s.jac_row < s.m
    jacobian = sparse.csr_matrix((w.jac[:-1][active], (s.jac_row[active], s.jac_col[active])), shape=(s.m, s.n))
    mass = sparse.csr_matrix((s.mass, (s.mass_row, s.mass_col)), shape=(s.n, s.n))
    target = sparse.csr_matrix((rows[2], rows[:2]), shape=(wanted.size, s.n))
    v, drift = np.zeros(s.n + 1), -w.phi_t[: s.m]
    given = _given(rows, wanted, s.n)
    if given is not None and _fits(jacobian, drift, mass, given, calm, q):
        v[: s.n] = np.nan_to_num(given)
        return v, np.zeros(wanted.size)
    if wanted.size or calm is None:
        least = mass * (1e-6 if wanted.size else 1.0)
        give_way = np.full(wanted.size, 1.0 / mass.diagonal().mean())
        v[: s.n] = _least(least, jacobian, drift, target, wanted, give_way)
    missed = target @ v[: s.n] - wanted
    if calm is not None:
        # What can be met of the wishes is known now, and holds as joints do.
        row, col, values = calm(q)
        least = mass + sparse.csr_matrix((values, (row, col)), shape=(s.n, s.n))
        met, none = wanted + missed, sparse.csr_matrix((0, s.n))
        v[: s.n] = _least(
            least, sparse.vstack([jacobian, target], format="csr"), np.r_[drift, met], none, np.zeros(0), np.zeros(0)
        )
    return v, missed


def _given(rows: tuple[Array, Array, Array], wanted: Array, n: int) -> Array | None:
    """The velocities (n) that wishes for single coordinates ask for, not a number where there is none; None if some wish is for
    more than one of them, or two for the same."""
    row, col, entry = rows
    if not wanted.size or not np.array_equal(row, np.arange(wanted.size)) or np.unique(col).size < col.size:
        return None
    given = np.full(n, np.nan)
    given[col] = wanted / entry
    return given if np.isfinite(given[col]).all() else None


def _fits(jacobian: Any, drift: Array, mass: Any, given: Array, calm: Callable[[Array], Any] | None, q: Array) -> bool:
    """Whether wishes for coordinates satisfy joints and drives, and what is not asked for stays at rest beside them: a solid
    that is thrown needs no equations to be solved."""
    import scipy.sparse as sparse

    v = np.nan_to_num(given)
    if np.any(np.abs(jacobian @ v - drift) > SAME * (abs(jacobian) @ np.abs(v) + np.abs(drift))):
        return False
    free = np.isnan(given)
    if not free.any():
        return True
    if calm is not None:
        row, col, values = calm(q)
        mass = mass + sparse.csr_matrix((values, (row, col)), shape=mass.shape)
    pulled = mass[free]
    return not np.any(np.abs(pulled @ v) > SAME * (abs(pulled) @ np.abs(v)))


def _least(least: Any, hard: Any, drift: Array, target: Any, wanted: Array, give_way: Array) -> Array:
    """The v with hard v = drift that comes closest to target v = wanted, with the least v^T least v."""
    import scipy.sparse as sparse

    m, n = hard.shape
    v, multipliers, rounds = np.zeros(n), np.zeros(m), 4 if wanted.size else 1
    conditions = sparse.vstack([hard, target])
    # In a singular pose joints and drives give way by 1e-12 of their own compliance; otherwise not at all.
    heavy = least.diagonal()
    compliance = hard.multiply(hard) @ (1.0 / np.where(heavy > 0.0, heavy, np.inf))  # thin bodies have zeros there
    for soft in (0.0, 1e-12 * float(np.min(compliance[compliance > 0], initial=1.0))):
        try:
            compliances = sparse.diags(-np.r_[np.full(m, soft), give_way])
            matrix = sparse.bmat([[least, conditions.T], [conditions, compliances]], format="csc")
            factors = factorised(matrix, symmetric=True)
            break
        except RuntimeError:  # exactly singular
            rounds = 20
    # Proximal iterations: the small weight on the kinetic energy no longer holds back what the wanted values ask for,
    # and joints and drives no longer give way.
    for _ in range(rounds):
        rhs = np.concatenate([least @ v, drift - soft * multipliers, wanted])
        solution = factors.solve(rhs)  # refined: light links and conditions differ by 1e10
        v, multipliers = solution[:n], solution[n : n + m]
    return v
