"""From the drawn pose to a consistent start: closing the joints, start velocities, and redundant joints.

Closing is damped Gauss-Newton (Levenberg-Marquardt) on |Phi|^2 by smallest changes, so the solution branch follows the
drawing:

    [ W      Phi_q^T ] [ dq ]   [ 0    ]
    [ Phi_q  -mu I   ] [ nu ] = [ -Phi ]        W = 1 / scale^2: a change counts relative to the size of the coordinate

Redundancy is detected from the pivots of the same matrix with mu = 0: the pivot of a row of Phi_q that depends on rows
eliminated before it vanishes (small pivots are examined further). In large systems, where the solver provides no pivots, it is
detected from the smallest singular values (linalg/dependent_rows.py). A row is redundant only if it stays dependent in nearby
poses; otherwise the pose is singular.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.linalg.dependent_rows import find_dependent_rows
from gaitwright.linalg.elimination import factor_symmetric, write_pivots
from gaitwright.linalg.large_systems import raise_pending_exception
from gaitwright.linalg.matrix_factors import factorise_sparse
from gaitwright.mechanism.evaluation import (
    EvaluationWorkspace,
    evaluate_motion,
    evaluate_position,
    evaluate_residual,
    new_workspace,
    update_signals,
)
from gaitwright.mechanism.kkt import KktSystem, build_kkt, fill_kkt, solve_kkt
from gaitwright.mechanism.tables import Array, MechanismTables

CLOSED_JOINT_RTOL = 1e-10
"""Largest |Phi| (m or rad, relative to the size of the mechanism) at which the joints count as closed."""
DEPENDENT_ROW_PIVOT_RATIO = 1e-10
"""Ratio of a pivot to the squared length of its row below which the row counts as dependent on others."""
UNCERTAIN_PIVOT_RATIO = 1e-5
"""Ratio below which a pivot alone is inconclusive: the rows are then orthogonalised, if there are not too many."""
MAX_DENSE_JACOBIAN_ENTRIES = 2_000_000
"""Maximum number of entries of Phi_q for dense storage."""
MAX_ORTHOGONALISED_ROWS = 1500
CONDITION_RTOL = 1e-12
"""Residual of a condition, relative to its terms, below which it is rounding."""
MAX_SCALED_STEP = 0.5
"""Largest change of a coordinate, in its scale, in one iteration: keeps the iteration on the drawn branch."""


class AssembledPose(NamedTuple):
    """Result of closing the joints: pose, remaining Phi, number of iterations, and the strains of beams if they are known."""

    q: Array
    phi: Array
    iterations: int
    strains: dict[str, Any] | None = None

    @property
    def gap(self) -> float:
        return float(np.max(np.abs(self.phi), initial=0.0))


def compute_median(values: Array) -> float:
    """Return the median. NumPy's takes twenty times as long for a mechanism, and every start needs two."""
    ordered = np.sort(values)
    return float(ordered[(ordered.size - 1) // 2] + ordered[ordered.size // 2]) / 2.0


def euclidean_length(vector: Array) -> float:
    return math.sqrt(vector @ vector)


def scaled_weight(s: MechanismTables, scale: Array) -> Array:
    """Return W on the pattern of the mass matrix."""
    return np.where(s.mass_row == s.mass_col, 1.0 / scale[s.mass_row] ** 2, 0.0)


@jit_compile
def _damped_step(s, w, kkt, weight, mu):
    """Solve the damped system for the Phi, Phi_q in w; the step is written to kkt.rhs."""
    fill_kkt(s, w, kkt, weight)
    for k in range(s.m):
        kkt.K[kkt.elimination.position[s.n + k]] -= mu
    kkt.rhs[: s.n] = 0.0
    for k in range(s.m):
        kkt.rhs[s.n + k] = -w.phi[k]
    factor_symmetric(kkt.elimination, kkt.K)
    solve_kkt(kkt)


class PoseCoordinates(Protocol):
    """Alternative to moving a pose by all its coordinates: steps in other coordinates, with a scale each."""

    scale: Array

    def step(self, q: Array, phi: Array, jac: Array, mu: float) -> Array: ...

    def moved(self, q: Array, step: Array) -> Array: ...


class _AllCoordinates:
    """Default: all coordinates, with the weight W."""

    def __init__(self, s: MechanismTables, w: EvaluationWorkspace, system: KktSystem, scale: Array, weight: Array):
        self.s, self.w, self.system, self.scale, self.weight = s, w, system, scale, weight

    def step(self, q: Array, phi: Array, jac: Array, mu: float) -> Array:
        _damped_step(self.s, self.w, self.system, self.weight, mu)
        return self.system.rhs[: self.s.n]

    def moved(self, q: Array, step: Array) -> Array:
        q = q.copy()
        q[: self.s.n] += step
        return q


def assemble_pose(
    s: MechanismTables,
    w: EvaluationWorkspace,
    system: KktSystem | None,
    q: Array,
    scale: Array,
    t: float,
    weight: Array | None = None,
    moves: PoseCoordinates | None = None,
) -> AssembledPose:
    """Close all joints from the pose q (n + 1), with the drives at time t, s. weight: W, default 1 / scale^2. moves:
    coordinates of the steps, by default all coordinates."""
    q = q.copy()
    if moves is None:
        assert system is not None
        moves = _AllCoordinates(s, w, system, scale, scaled_weight(s, scale) if weight is None else weight)
    update_signals(s, w, t)
    evaluate_position(s, w, q)
    mu, size = 1e-4, compute_median(scale[: s.n]) ** 2 if s.n else 1.0
    norm = euclidean_length(w.phi)
    best_since = iteration = 0
    for iteration in range(200):  # noqa: B007 (reported)
        if not np.isfinite(norm) or np.max(np.abs(w.phi), initial=0.0) < 1e-14 or best_since > 3:
            break
        step = moves.step(q, w.phi, w.jac[:-1], mu * size)
        raise_pending_exception()
        largest = np.max(np.abs(step) / moves.scale, initial=0.0)
        shorten = min(1.0, MAX_SCALED_STEP / largest) if largest > 0 else 1.0
        trial = moves.moved(q, shorten * step)
        evaluate_residual(s, w, trial)
        trial_norm = euclidean_length(w.phi)
        if trial_norm < norm:
            best_since = best_since + 1 if trial_norm > 0.999 * norm and largest < 1e-6 else 0
            q, norm, mu = trial, trial_norm, max(mu * 0.1, 1e-14)
        elif mu > 1e6 or (norm < 1e-12 and mu > 1e-10):
            break
        else:
            mu *= 10.0
        evaluate_position(s, w, q)
    evaluate_residual(s, w, q)
    return AssembledPose(q, w.phi.copy(), iteration)


def dependent_rows(
    s: MechanismTables, w: EvaluationWorkspace, system: KktSystem, q: Array, scale: Array, t: float
) -> tuple[list[int], Array]:
    """Return the rows of Phi with a gradient that depends on that of others in the pose q, and the weights of the rows they
    depend on, so that the sum of weights times gradients vanishes: (rows, (len(rows), m))."""
    update_signals(s, w, t)
    evaluate_position(s, w, q)
    weight = scaled_weight(s, scale)
    squared = np.zeros(s.m_all)
    np.add.at(squared, s.jac_row, (w.jac[:-1] * scale[s.jac_col]) ** 2)
    reference = np.maximum(squared[: s.m], 1e-30)
    large = system.elimination.direct is not None
    if large and s.m * s.n <= MAX_DENSE_JACOBIAN_ENTRIES:  # a factorisation of the large matrix would cost more
        return _dependent_rows_by_gram_schmidt(_scaled_jacobian(s, w, scale))
    if large:
        active, length = s.jac_row < s.m, np.sqrt(reference)
        at, to = s.jac_row[active], s.jac_col[active]
        rows_found, weights = find_dependent_rows(at, to, w.jac[:-1][active] * scale[to] / length[at], (s.m, s.n))
        return rows_found, weights * length[rows_found][:, None] / length
    _damped_step(s, w, system, weight, 1e-13 * compute_median(reference) if s.m else 0.0)
    pivot = np.zeros(system.elimination.order.size)
    write_pivots(system.elimination, system.K, pivot)
    ratio = np.abs(pivot[s.n : s.n + s.m]) / reference
    if np.all(ratio > UNCERTAIN_PIVOT_RATIO):
        return [], np.zeros((0, s.m))
    if s.m <= MAX_ORTHOGONALISED_ROWS:
        return _dependent_rows_by_gram_schmidt(_scaled_jacobian(s, w, scale))
    rows = np.flatnonzero(ratio < DEPENDENT_ROW_PIVOT_RATIO)
    weights = np.zeros((len(rows), s.m))
    for k, row in enumerate(rows):
        # Phi_I^T y = Phi_r^T, by the factorised matrix: the damping keeps the dependent pivots usable.
        system.rhs[:] = 0.0
        mine = s.jac_row == row
        np.add.at(system.rhs, s.jac_col[mine], w.jac[:-1][mine])
        solve_kkt(system)
        y = system.rhs[s.n : s.n + s.m].copy()
        y[rows] = 0.0
        y[row] = -1.0
        weights[k] = y
    return [int(row) for row in rows], weights


def _scaled_jacobian(s: MechanismTables, w: EvaluationWorkspace, scale: Array) -> Array:
    """Return Phi_q of the independent rows, dense, with its columns multiplied by the scale of the coordinates."""
    jacobian = np.zeros((s.m_all, s.n))
    np.add.at(jacobian, (s.jac_row, s.jac_col), w.jac[:-1] * scale[s.jac_col])
    return jacobian[: s.m]


def _dependent_rows_by_gram_schmidt(jacobian: Array) -> tuple[list[int], Array]:
    """Return the rows that depend on rows before them, by Gram-Schmidt applied twice, and their weights. Slower than the
    pivots but exact near a singular pose, where rounding makes the pivots of dependent rows as large as those of others."""
    m, n = jacobian.shape
    basis, independent, dependent = np.zeros((min(m, n), n)), [], []
    for k, row in enumerate(jacobian):
        previous, rest = basis[: len(independent)], row.copy()
        for _ in range(2):
            rest -= (previous @ rest) @ previous
        size = float(np.linalg.norm(rest))
        if len(independent) == n or size <= DEPENDENT_ROW_PIVOT_RATIO**0.5 * np.linalg.norm(row):
            dependent.append(k)
        else:
            basis[len(independent)] = rest / size
            independent.append(k)
    weights = np.zeros((len(dependent), m))
    if dependent:
        weights[:, independent] = np.linalg.lstsq(jacobian[independent].T, jacobian[dependent].T, rcond=None)[0].T
        weights[np.arange(len(dependent)), dependent] = -1.0
    return dependent, weights


def redundant_rows(
    s: MechanismTables, joints: MechanismTables, q: Array, scale: Array, t: float
) -> tuple[list[int], Array, bool]:
    """Return the rows of Phi that follow from the others, their weights, and True if the pose itself is singular.

    `joints`: the same mechanism without its drives, rows in the same order, used to move it to nearby poses."""
    if not s.m:
        return [], np.zeros((0, 0)), False
    w, system = new_workspace(s), build_kkt(s)
    rows_here, weights = dependent_rows(s, w, system, q, scale, t)
    if not rows_here:
        return [], weights, False
    w_joints, kkt_joints = new_workspace(joints), build_kkt(joints)
    generator = np.random.default_rng(0)
    common_rows, nearby_poses = rows_here, 0
    for _ in range(12):
        nearby = q.copy()
        nearby[: s.n] += 0.02 * scale * generator.standard_normal(s.n)
        moved = assemble_pose(joints, w_joints, kkt_joints, nearby, scale, t)
        if moved.gap > CLOSED_JOINT_RTOL * min(scale.min(), 1.0):
            continue  # near a singular pose the joints may not close from every start; open poses are ignored
        rows, moved_weights = dependent_rows(s, w, system, moved.q, scale, t)
        if nearby_poses == 0 or len(rows) < len(common_rows):
            common_rows, weights = rows, moved_weights
        nearby_poses += 1
        if nearby_poses == 3:
            break
    return common_rows, weights, len(common_rows) < len(rows_here)


def start_velocity(
    s: MechanismTables, q: Array, t: float, rows: tuple[Array, Array, Array], requested: Array,
    calm: Callable[[Array], Any] | None = None,
) -> tuple[Array, Array]:  # fmt: skip
    """Return start velocities that satisfy joints and drives, come closest to `rows` v = `requested` (row, column and value of
    their entries) and minimise the kinetic energy of the remaining freedoms. calm: callback that returns rows, columns and
    values of a matrix added to M in a pose. Returns v (n + 1) and the residual of the requested values."""
    w = new_workspace(s)
    update_signals(s, w, t)
    evaluate_motion(s, w, q, np.zeros(s.n + 1))
    if not (w.phi_t[: s.m].any() or requested.any()):  # nothing moves and no velocity is requested
        return np.zeros(s.n + 1), np.zeros(requested.size)
    import scipy.sparse as sparse

    active = s.jac_row < s.m
    jacobian = sparse.csr_matrix((w.jac[:-1][active], (s.jac_row[active], s.jac_col[active])), shape=(s.m, s.n))
    mass = sparse.csr_matrix((s.mass, (s.mass_row, s.mass_col)), shape=(s.n, s.n))
    target = sparse.csr_matrix((rows[2], rows[:2]), shape=(requested.size, s.n))
    v, drift = np.zeros(s.n + 1), -w.phi_t[: s.m]
    prescribed = _prescribed_velocities(rows, requested, s.n)
    if prescribed is not None and _satisfies_constraints(jacobian, drift, mass, prescribed, calm, q):
        v[: s.n] = np.nan_to_num(prescribed)
        return v, np.zeros(requested.size)
    if requested.size or calm is None:
        energy_weight = mass * (1e-6 if requested.size else 1.0)
        give_way = np.full(requested.size, 1.0 / mass.diagonal().mean())
        v[: s.n] = _solve_least_energy_velocity(energy_weight, jacobian, drift, target, requested, give_way)
    missed = target @ v[: s.n] - requested
    if calm is not None:
        # The velocities that can be reached are known now; they become constraints, like joints.
        row, col, values = calm(q)
        energy_weight = mass + sparse.csr_matrix((values, (row, col)), shape=(s.n, s.n))
        reached, no_target = requested + missed, sparse.csr_matrix((0, s.n))
        v[: s.n] = _solve_least_energy_velocity(
            energy_weight,
            sparse.vstack([jacobian, target], format="csr"),
            np.r_[drift, reached],
            no_target,
            np.zeros(0),
            np.zeros(0),
        )
    return v, missed


def _prescribed_velocities(rows: tuple[Array, Array, Array], requested: Array, n: int) -> Array | None:
    """Return the requested velocities (n) of single coordinates, NaN where none is requested; None if a request concerns
    several coordinates, or two requests the same one."""
    row, col, entry = rows
    if not requested.size or not np.array_equal(row, np.arange(requested.size)) or np.unique(col).size < col.size:
        return None
    prescribed = np.full(n, np.nan)
    prescribed[col] = requested / entry
    return prescribed if np.isfinite(prescribed[col]).all() else None


def _satisfies_constraints(
    jacobian: Any, drift: Array, mass: Any, prescribed: Array, calm: Callable[[Array], Any] | None, q: Array
) -> bool:
    """Return True if requested velocities satisfy joints and drives, and the other coordinates stay at rest: for example a
    thrown solid needs no solution of equations."""
    import scipy.sparse as sparse

    v = np.nan_to_num(prescribed)
    if np.any(np.abs(jacobian @ v - drift) > CONDITION_RTOL * (abs(jacobian) @ np.abs(v) + np.abs(drift))):
        return False
    free = np.isnan(prescribed)
    if not free.any():
        return True
    if calm is not None:
        row, col, values = calm(q)
        mass = mass + sparse.csr_matrix((values, (row, col)), shape=mass.shape)
    pulled = mass[free]
    return not np.any(np.abs(pulled @ v) > CONDITION_RTOL * (abs(pulled) @ np.abs(v)))


def _solve_least_energy_velocity(
    energy_weight: Any, constraints: Any, drift: Array, target: Any, requested: Array, give_way: Array
) -> Array:
    """Return the v with hard v = drift that comes closest to target v = wanted and minimises v^T least v."""
    import scipy.sparse as sparse

    m, n = constraints.shape
    v, multipliers, rounds = np.zeros(n), np.zeros(m), 4 if requested.size else 1
    conditions = sparse.vstack([constraints, target])
    # In a singular pose joints and drives get a compliance of 1e-12 of their own; otherwise none.
    heavy = energy_weight.diagonal()
    # Thin bodies have zeros there.
    compliance = constraints.multiply(constraints) @ (1.0 / np.where(heavy > 0.0, heavy, np.inf))
    for soft in (0.0, 1e-12 * float(np.min(compliance[compliance > 0], initial=1.0))):
        try:
            compliances = sparse.diags(-np.r_[np.full(m, soft), give_way])
            matrix = sparse.bmat([[energy_weight, conditions.T], [conditions, compliances]], format="csc")
            factors = factorise_sparse(matrix, symmetric=True)
            break
        except RuntimeError:  # exactly singular
            rounds = 20
    # Proximal iterations: remove the influence of the small weight on the kinetic energy on the wanted values, and the
    # compliance of joints and drives.
    for _ in range(rounds):
        rhs = np.concatenate([energy_weight @ v, drift - soft * multipliers, requested])
        solution = factors.solve(rhs)  # with iterative refinement: light links and conditions differ by 1e10
        v, multipliers = solution[:n], solution[n : n + m]
    return v
