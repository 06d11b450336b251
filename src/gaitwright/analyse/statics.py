"""Static equilibrium: the pose in which springs, weights and loads balance, with drives and loads held as at one time.

    Q(q, 0, t) - Phi_q^T lambda = 0,   Phi(q, t) = 0

From the assembled pose the mechanism slides down its potential energy until it rests. Every step solves

    [ K + mu W  Phi_q^T ] [ dq     ]   [ Q - Phi_q^T lambda ]      K = d(Phi_q^T lambda - Q)/dq, exact
    [ Phi_q     0       ] [ dlambda] = [ 0                  ]      W = 1 / scale^2, lambda by least squares

with mu just large enough that K + mu W is positive definite on the free motions: dq then goes with the forces, towards
a stable equilibrium, never up to a saddle. Signs of the pivots of LDL^T tell (the KKT matrix must have one negative
pivot per constraint). The step is shortened until the forces did work along it, then the joints are closed again. Near
the end mu is 0: Newton's method, quadratic. The work is the loss of potential energy plus the work of the loads, so it
also serves where no potential exists (a follower load turns with its body).

A drawn pose that is in equilibrium already is kept, stable or not: a pendulum drawn exactly upright stays upright, with
a warning. From any other pose the search ends in a stable equilibrium: it leaves a saddle that it may run into.

Sources: Nocedal and Wright, Numerical Optimization (2006), ch. 16.2 (reduced stiffness, inertia of the KKT matrix) and
3.4 (regularisation); least-squares multipliers and projection: ch. 18.3.
"""

from __future__ import annotations

import time as clock
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.outputs import Motion
from gaitwright.analyse.reactions import minimum_norm
from gaitwright.analyse.result import Evidence, Result
from gaitwright.analyse.start import Start, start
from gaitwright.errors import DidNotConverge, ModelError, SingularPose
from gaitwright.system import elimination
from gaitwright.system.assemble import CLOSED
from gaitwright.system.evaluate import energies, forces, position, residual, signals_at, tangents, workspace
from gaitwright.system.kkt import kkt
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.project import project_position
from gaitwright.system.tables import Array

ALREADY = 1e-9
"""Unbalanced force, relative to the largest force, up to which the drawn pose counts as an equilibrium."""
BALANCED = 1e-10
"""Relative unbalanced force that every result must reach; Newton's last step brings it to rounding, about 1e-15."""
ROUNDING = 1e-14
"""Relative unbalanced force below which nothing is left to gain."""
LAST_STEP = 1e-8
"""A Newton step of this size, in the scale of the coordinates, is the last: the next would be its square."""
LEAST_STIFFNESS = 1e-10
"""Smallest mu, relative to the largest stiffness: keeps neutral motions from making the matrix singular."""
NEUTRAL = 1e-11
"""Stiffness of a free motion, relative to that of the springs it moves, below which it counts as zero."""
FIRST_REACH = 0.5
"""Largest change of a coordinate in one step, in its scale, until the steps prove to be predicted well."""
RUNAWAY = 1e3
"""Way from the start, in the scale of the coordinates, at which a body counts as running away."""
MAX_ITERATIONS = 400
MAX_ESCAPES = 8
DENSE = 4000
"""Largest number of coordinates for which the free motions are examined one by one (dense matrices)."""

_GAUSS_POINTS, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(8)


@dataclass
class Equilibrium:
    """An equilibrium and how it was found. lam: multipliers, independent rows only are non-zero.

    unbalanced: largest |Q - Phi_q^T lambda| relative to the largest force. stable: None if it was not examined; neutral
    motions do not make an equilibrium unstable. history: unbalanced after every iteration."""

    q: Array
    lam: Array
    t: float
    unbalanced: float
    stable: bool | None = None
    neutral: int = 0
    iterations: int = 0
    factorisations: int = 0
    evaluations: int = 0
    warnings: list[str] = field(default_factory=list)
    history: list[float] = field(default_factory=list)


class Reduced(NamedTuple):
    """Matrices of small motions q + Z y about a pose, on the free motions that joints and drives leave.

    M y'' + C y' + K y = 0.  basis Z: (n, f), orthonormal in coordinates measured by their scale.
    symmetric: K is; it is not under follower loads. noise: what counts as zero in K, J."""

    M: Array
    C: Array
    K: Array
    basis: Array
    symmetric: bool
    noise: float


class Forces(NamedTuple):
    """Forces in a pose. Coordinates are measured in their scale, so that all components are energies, J.

    free: the part that joints and drives do not hold, Q - Phi_q^T lambda. size: the largest force."""

    free: Array
    lam: Array
    jacobian: Any
    size: float

    @property
    def unbalanced(self) -> float:
        return float(np.max(np.abs(self.free), initial=0.0)) / self.size if self.size > 0 else 0.0


class Step(NamedTuple):
    """A direction (in scaled coordinates), the regularisation mu that it took and the stiffness it was computed with."""

    direction: Array
    mu: float
    stiffness: Any


class Statics:
    """A mechanism at rest at one time: its forces, its tangent, and steps towards equilibrium."""

    def __init__(self, mechanism: Mechanism, t: float):
        self.mechanism, self.s, self.t = mechanism, mechanism.system, t
        self.scale = mechanism.scale
        self.w, self.kkt = workspace(self.s), kkt(self.s)
        self.rest = np.zeros(self.s.n + 1)
        self.active = self.s.jac_row < self.s.m
        self.has_loads = bool(np.any(self.s.power_index % 3 == 2))
        self.factorisations = self.evaluations = 0
        signals_at(self.s, self.w, t)
        self._prepare_inertia()

    # what acts ---------------------------------------------------------------------------------------------------------

    def forces(self, q: Array) -> Forces:
        """The forces in the pose q, split into what the joints hold and what is free."""
        s, w = self.s, self.w
        position(s, w, q)
        forces(s, w, q, self.rest)
        self.evaluations += 1
        acting = w.force[: s.n] * self.scale
        if not np.all(np.isfinite(acting)):
            raise self._not_finite(acting)
        jacobian, length = self._jacobian()
        _, held = self._solve(_identity(s.n), jacobian, acting, np.zeros(s.m))
        reactions = jacobian.T @ held
        size = max(float(np.max(np.abs(acting), initial=0.0)), float(np.max(np.abs(reactions), initial=0.0)))
        lam = np.zeros(s.m_all)
        lam[: s.m] = held / length
        return Forces(acting - reactions, lam, jacobian, size)

    def stiffness(self, q: Array, lam: Array) -> Any:
        """K = d(Phi_q^T lambda - Q)/dq in scaled coordinates, J, sparse."""
        tangents(self.s, self.w, q, self.rest, lam)
        return self._matrix(self.s.k_row, self.s.k_col, self.w.kq[:-1])

    def reduced(self, q: Array, lam: Array) -> Reduced:
        """Mass, damping and stiffness of the free motions about the pose q."""
        from scipy.linalg import qr

        s, w = self.s, self.w
        position(s, w, q)
        jacobian, _ = self._jacobian()
        stiffness = self.stiffness(q, lam)
        damping = self._matrix(s.k_row, s.k_col, w.kv[:-1])
        mass = self._matrix(s.mass_row, s.mass_col, s.mass)
        basis = np.asarray(qr(jacobian.T.toarray(), mode="full")[0])[:, s.m :] if s.m else np.eye(s.n)
        touched = np.einsum("if,if->f", np.abs(basis), abs(stiffness) @ np.abs(basis)) if basis.size else np.zeros(0)
        M, C, K = (basis.T @ (matrix @ basis) for matrix in (mass, damping, stiffness))
        symmetric = _is_symmetric(stiffness)
        if symmetric:
            K = (K + K.T) / 2
        return Reduced(
            (M + M.T) / 2, C, K, basis * self.scale[:, None], symmetric, NEUTRAL * float(touched.max(initial=0.0))
        )

    def work(self, q: Array, end: Array) -> tuple[float, float]:
        """Work of all forces on the straight way from q to end, J, and the rounding error to expect of it.

        Loss of potential energy, plus the loads by Gauss quadrature of F . dr. Joints do not work: both ends are closed.
        """
        s, w = self.s, self.w
        energies(s, w, q, self.rest)
        before = w.energy[0::3].copy()
        energies(s, w, end, self.rest)
        after = w.energy[0::3]
        work, size = float(np.sum(before - after)), float(np.sum(np.abs(before) + np.abs(after)))
        if self.has_loads:
            # The kernel gives F . r'; with a tiny velocity along the way, loads that depend on speed see almost rest.
            slow = 1e-9 * (end - q)
            for x, weight in zip(_GAUSS_POINTS, _GAUSS_WEIGHTS, strict=True):
                energies(s, w, q + 0.5 * (1.0 + x) * (end - q), slow)
                part = 0.5e9 * weight * w.energy[2::3]
                work += float(part.sum())
                size += float(np.abs(part).sum())
        return work, 1e-14 * size

    # steps -------------------------------------------------------------------------------------------------------------

    def step(self, q: Array, now: Forces, mu: float) -> Step | None:
        """The regularised Newton step in the pose q; `mu` is what the step before took."""
        stiffness = self.stiffness(q, now.lam)
        unit = max(float(np.max(np.abs(stiffness.data), initial=0.0)), now.size)
        relative = LEAST_STIFFNESS
        while relative < 1e8:
            if self._goes_downhill(stiffness / unit, now.jacobian, relative):
                direction = self.newton(stiffness, now, relative * unit)
                if direction is not None and (direction @ now.free > 0.0 or not direction.any()):
                    return Step(direction, relative * unit if relative > LEAST_STIFFNESS else 0.0, stiffness)
            relative = max(4.0 * relative, 0.25 * mu / unit, 1e-6)
        return None

    def newton(self, stiffness: Any, now: Forces, mu: float) -> Array | None:
        """Solve the KKT system; None if it is singular."""
        unit = max(float(np.max(np.abs(stiffness.data), initial=0.0)), mu, 1e-300)
        matrix = (stiffness + mu * _identity(self.s.n)) / unit
        try:
            direction, _ = self._solve(matrix, now.jacobian, now.free / unit, np.zeros(self.s.m))
        except RuntimeError:
            return None
        return direction if np.all(np.isfinite(direction)) else None

    def moved(self, q: Array, by: Array) -> Array | None:
        """The pose q changed by `by` (in scaled coordinates), joints closed again; None where they cannot be closed."""
        end = q.copy()
        end[: self.s.n] += by * self.scale
        project_position(self.s, self.w, self.kkt, end)
        residual(self.s, self.w, end)
        self.evaluations += 1
        gap = np.max(np.abs(self.w.phi[: self.s.m]), initial=0.0)
        closed = np.all(np.isfinite(end)) and gap <= CLOSED * float(self.scale.max(initial=1e-300))
        return end if closed else None

    def _solve(self, block: Any, jacobian: Any, top: Array, bottom: Array) -> tuple[Array, Array]:
        """[block J^T; J 0] [x; y] = [top; bottom] by sparse LU with one step of iterative refinement."""
        import scipy.sparse as sparse
        from scipy.sparse.linalg import splu

        matrix = sparse.bmat([[block, jacobian.T], [jacobian, None]] if self.s.m else [[block]], format="csc")
        self.factorisations += 1
        factors, rhs = splu(matrix), np.concatenate([top, bottom])
        x = factors.solve(rhs)
        x += factors.solve(rhs - matrix @ x)
        return x[: self.s.n], x[self.s.n :]

    def _jacobian(self) -> tuple[Any, Array]:
        """Phi_q of the independent rows in scaled coordinates, each row made a unit vector, and the lengths they had."""
        import scipy.sparse as sparse

        s = self.s
        rows, cols = s.jac_row[self.active], s.jac_col[self.active]
        values = self.w.jac[:-1][self.active] * self.scale[cols]
        length = np.sqrt(np.bincount(rows, values**2, minlength=s.m))
        length[length == 0.0] = 1.0
        return sparse.csr_matrix((values / length[rows], (rows, cols)), shape=(s.m, s.n)), length

    def _matrix(self, rows: Array, cols: Array, values: Array) -> Any:
        import scipy.sparse as sparse

        scaled = values * self.scale[rows] * self.scale[cols]
        return sparse.csr_matrix((scaled, (rows, cols)), shape=(self.s.n, self.s.n))

    # which way is down -------------------------------------------------------------------------------------------------

    def _prepare_inertia(self) -> None:
        """Elimination program for the symmetric part of the KKT matrix."""
        s = self.s
        rows, cols = s.jac_row[self.active] + s.n, s.jac_col[self.active]
        size = s.n + s.m
        pattern = np.r_[s.k_row, rows], np.r_[s.k_col, cols]
        self.program = elimination.analyse(size, *pattern, np.arange(size) >= s.n)
        self.k_slots = elimination.slots(self.program, s.k_row, s.k_col, False)
        self.k_mirror = elimination.slots(self.program, s.k_col, s.k_row, False)
        self.jac_slots = elimination.slots(self.program, rows, cols, False)
        self.diagonal = self.program.position[: s.n]

    def _goes_downhill(self, stiffness: Any, jacobian: Any, mu: float) -> bool:
        """Is the symmetric part of stiffness + mu positive definite on the free motions? By the signs of the pivots of
        LDL^T: one negative per constraint (Nocedal and Wright, theorem 16.3). Without pivoting this is blind below
        about 1e-8 of the stiffness; whoever asks tests the direction, too."""
        s = self.s
        values = np.zeros(elimination.storage_size(self.program)[0])
        entries = np.asarray(stiffness[s.k_row, s.k_col]).ravel() / 2.0 if s.k_row.size else np.zeros(0)
        np.add.at(values, self.k_slots, entries)
        np.add.at(values, self.k_mirror, entries)
        if s.m:
            rows, cols = s.jac_row[self.active], s.jac_col[self.active]
            np.add.at(values, self.jac_slots, np.asarray(jacobian[rows, cols]).ravel())
        values[self.diagonal] += max(mu, 1e-8)
        if elimination.factor_symmetric(self.program, values) >= 0:
            return False
        return int(np.sum(values[: s.n + s.m] < 0.0)) == s.m

    # errors ------------------------------------------------------------------------------------------------------------

    def body_of(self, coordinate: int) -> str:
        """The kind and name of the body that a coordinate belongs to."""
        found = (b for b in self.mechanism.body_names.values() if coordinate in b.index)
        return next((f"{body.kind} '{body.name}'" for body in found), "the mechanism")

    def _not_finite(self, acting: Array) -> DidNotConverge:
        worst = int(np.flatnonzero(~np.isfinite(acting))[0])
        return DidNotConverge(
            f"a force on {self.body_of(worst)} is not a finite number", time=self.t,
            suggestion="look for a spring whose ends coincide, or a load that is undefined at this time",
        )  # fmt: skip


def _identity(n: int) -> Any:
    import scipy.sparse as sparse

    return sparse.identity(n, format="csr")


def _is_symmetric(matrix: Any) -> bool:
    largest = np.max(np.abs(matrix.data), initial=0.0)
    return bool(np.max(np.abs((matrix - matrix.T).data), initial=0.0) <= 1e-10 * largest)
