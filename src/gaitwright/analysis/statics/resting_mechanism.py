"""A mechanism at rest: its forces, their derivative with respect to the pose, and Newton steps towards equilibrium.

    free force   Q(q, 0, t) - Phi_q^T lambda        lambda by least squares: joints and drives hold all they can
    stiffness    K = d(Phi_q^T lambda - Q)/dq       exact, with the curvature of the constraints
    step         [ K + mu W  Phi_q^T ] [ dq      ]   [ Q - Phi_q^T lambda ]
                 [ Phi_q     0       ] [ dlambda ] = [ 0                  ]        W = 1 / scale^2

Coordinates are measured in their scale (the size of the mechanism, 1 rad), so all forces and stiffnesses are in J.
Statics uses the steps to find equilibria; modes.py reduces the matrices to the free motions about an equilibrium.

Source: Nocedal and Wright, Numerical Optimization (2006), ch. 16 (KKT matrix, its inertia), 18.3 (multipliers).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright._core.errors import DidNotConverge, SingularPose
from gaitwright.analysis.budget import Budget
from gaitwright.analysis.statics.records import NewtonDirection, ReducedMotions, StaticForces, StaticImbalance
from gaitwright.analysis.statics.saddle_point import (
    FactorisedSaddlePoint,
    find_active_entries,
    make_saddle_point,
    make_sparse_matrix,
)
from gaitwright.contact.state import POWERS_PER_CONTACT, evaluate_contact_powers
from gaitwright.derive.kernel_library import kernel_module
from gaitwright.linalg.large_systems import raise_pending_exception
from gaitwright.mechanism.batch_kernels import COUNT_COLUMN
from gaitwright.mechanism.evaluation import (
    evaluate_energies,
    evaluate_forces,
    evaluate_position,
    evaluate_residual,
    evaluate_tangents,
    new_workspace,
    update_signals,
)
from gaitwright.mechanism.kkt import KktSystem, build_kkt
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.pose_assembly import CLOSED_JOINT_RTOL, assemble_pose
from gaitwright.mechanism.projection import project_position
from gaitwright.mechanism.table_builder import compile_tangents
from gaitwright.mechanism.tables import LOAD_POWER, Array, BatchTables

MIN_REGULARISATION, FIRST_REGULARISATION, MAX_REGULARISATION = 1e-10, 1e-6, 1e8
"""mu relative to the largest stiffness: the minimum, needed because motions without any stiffness would make the matrix
singular; the first larger value; and the maximum: if not even such a small step follows the force, there is none."""
NEWTON_STEP_RTOL, SOLUTION_RTOL = 1e-6, 1e-10
"""Error of a Newton step with reused factors, and of other solutions with unsymmetric matrices."""
QUASI_STATIC_SPEED = 1e-9
"""Speed per displacement for the evaluation of powers: so small that loads and friction have their value at rest."""
REFINEMENT_IMBALANCE_RATIO = 1e-4
"""Unbalanced force, relative to the largest one, above which the largest force need not be known exactly."""
WORK_RTOL = 1e-14
"""Rounding error of a sum of energies, relative to their sizes."""
NEUTRAL_STIFFNESS_RTOL = 5e-15
"""Stiffness of a free motion, relative to the sum of its terms, below which it counts as zero. Rounding leaves 5e-16; the
softest motion of a thin beam (EA L^2 = 1e8 EI, 1000 elements) has 7e-14."""


class RestingMechanism:
    """A mechanism at rest, with drives and loads held at time t. memory: contact memory; without it no contact acts. share:
    acting share of loads and gravity, 0 to 1; faded: forces (J) that are subtracted in proportion to the missing share of the
    loads."""

    def __init__(self, mechanism: Mechanism, t: float, memory: Array | None = None, budget: Budget | None = None):
        s = mechanism.system
        self.budget = budget or Budget()
        self.mechanism, self.s, self.t, self.scale = mechanism, s, t, mechanism.scale
        self.share, self.faded = 1.0, np.zeros(s.n)
        compile_tangents(s)
        self.w = new_workspace(s)
        self.w.memory[:] = 0.0 if memory is None else memory
        self.still = np.zeros(s.n + 1)
        self.has_loads = bool(np.any(s.power_kind == LOAD_POWER))
        self.factorisations = self.evaluations = 0
        update_signals(s, self.w, t)
        self.active = s.jac_row < s.m
        self.jac_row, self.jac_col = find_active_entries(s)
        self.k_scale = self.scale[s.k_row] * self.scale[s.k_col]
        self.matrix = make_saddle_point(s, self._spend)
        self.latest: tuple[FactorisedSaddlePoint, float] | None = (
            None  # of the last Newton step: factors, and the unit of their stiffness
        )
        self.tissue: Array | None = None  # stiffness without contacts, of a pose nearby (friction_equilibrium.py)
        # Every force on its own coordinates: forces of single springs, which may cancel in the sum.
        own = np.arange(s.forces.dof.size, dtype=np.int32)
        unlinked = s.chain.replaced(forces=s.chain.forces.replaced(table=s.chain.forces.table[:0]))
        self.singly = s.replaced(
            forces=s.forces.replaced(dof=own), contacts=s.contacts.replaced(count=0), chain=unlinked
        )
        self.w_singly = self.w.replaced(force=np.zeros(own.size + 1))
        self.w_touching = self.w_singly.replaced(force=self.w.force)
        none = s.forces.table[:0]
        self.touching = s.replaced(forces=s.forces.replaced(table=none), chain=unlinked)
        self.single_scale = np.append(self.scale, 0.0)[s.forces.dof]
        # Loads and gravity alone.
        weights = {
            kernel_module(e.declaration, e.families) for e in mechanism.forces if e.declaration.name == "gravity"
        }
        none = s.constraints.table[:0]
        self.loads = s.replaced(
            forces=_select_loads(s.forces, weights), contacts=s.contacts.replaced(count=0),
            constraints=s.constraints.replaced(table=none),
            chain=s.chain.replaced(
                forces=_select_loads(s.chain.forces, weights), constraints=s.chain.constraints.replaced(table=none)
            ),
        )  # fmt: skip
        self.w_loads = self.w.replaced(
            force=np.zeros_like(self.w.force), kq=np.zeros_like(self.w.kq), kv=np.zeros_like(self.w.kv)
        )

    @functools.cached_property
    def kkt(self) -> KktSystem:
        return build_kkt(self.s)

    # forces ----------------------------------------------------------------------------------------------------------

    def hold(self, t: float) -> None:
        """Hold drives and loads at time t from now on."""
        self.t = t
        update_signals(self.s, self.w, t)

    def acting(self, q: Array) -> Array:
        """Q in scaled coordinates, J."""
        evaluate_forces(self.s, self.w, q, self.still)
        acting = self.w.force[: self.s.n] * self.scale
        return acting if self.share == 1.0 else acting - (1.0 - self.share) * (self.loading(q) + self.faded)

    def loading(self, q: Array) -> Array:
        """Contribution of full loads and gravity to Q, J."""
        evaluate_forces(self.loads, self.w_loads, q, self.still)
        return self.w_loads.force[: self.s.n] * self.scale

    def imbalance(self, q: Array, lam: Array) -> StaticImbalance:
        """Unbalanced forces in the pose q with the multipliers lam (of the independent rows), and gaps of the joints."""
        jacobian, length = self.jacobian(q)
        gap = self.w.phi[: self.s.m] / length
        reactions = jacobian * (lam * length)[self.jac_row]
        force = np.bincount(self.jac_col, reactions, minlength=self.s.n) - self.acting(q)
        return StaticImbalance(force, gap, jacobian, length, float(np.max(np.abs(reactions), initial=0.0)))

    def largest(self, q: Array) -> float:
        """The largest force of a single element on a coordinate, J: in the sum they may cancel."""
        s, w, c = self.s, self.w, self.s.chain
        evaluate_forces(self.singly, self.w_singly, q[s.forces.dof], np.zeros(s.forces.dof.size))
        single = self.w_singly.force[:-1] * self.single_scale
        if c.count:  # their single forces act on the variables of markers
            evaluate_forces(s, w, q, self.still)
            single = np.r_[
                single, w.weight * np.repeat(w.pull[:-1], np.diff(c.start)) * np.append(self.scale, 0.0)[c.column]
            ]
        if s.contacts.count:  # summed by coordinate: forces on one body may cancel
            evaluate_forces(self.touching, self.w_touching, q, self.still)
            single = np.r_[single, w.force[: s.n] * self.scale]
        return float(np.max(np.abs(single), initial=0.0))

    def forces(self, q: Array, size: float = 0.0) -> StaticForces:
        """The forces in the pose q, split into held and free forces. size: known estimate of the largest force, sufficient far
        from equilibrium."""
        s = self.s
        jacobian, length = self.jacobian(q)
        acting = self.acting(q)
        if not np.all(np.isfinite(acting)):
            body = self.body_of(int(np.flatnonzero(~np.isfinite(acting))[0]))
            raise DidNotConverge(
                f"a force on {body} is not a finite number", time=self.t,
                suggestion="look for a spring whose ends coincide, a load that is undefined at this time, or a solid that a "
                "drive turns inside out (J <= 0): let it grow with t in static_path",
            )  # fmt: skip
        try:
            reactions_scaled = self.matrix.reactions(jacobian, acting)
        except RuntimeError:
            raise SingularPose(
                "some joints are dependent in this pose, so that it does not determine their reactions", time=self.t,
                suggestion="draw the mechanism away from its dead point",
            ) from None  # fmt: skip
        reactions = jacobian * reactions_scaled[self.jac_row]
        free = acting.copy()
        np.subtract.at(free, self.jac_col, reactions)
        lam = np.zeros(s.m_all)
        lam[: s.m] = reactions_scaled / length
        if float(np.max(np.abs(free), initial=0.0)) <= REFINEMENT_IMBALANCE_RATIO * size or size == 0.0:
            size = max(float(np.max(np.abs(reactions), initial=0.0)), self.largest(q))
        return StaticForces(free, lam, jacobian, size)

    def work(self, q: Array, end: Array) -> tuple[float, float]:
        """Work of all forces on the straight path from q to end, J, and its expected rounding error.

        It is the loss of potential energy, plus the work of the loads by Gauss quadrature of F . dr. The joints are closed at
        both ends, so their reactions do no work."""
        s, w = self.s, self.w
        before, after = self.stored(q), self.stored(end)
        work, size = float(np.sum(before - after)), float(np.sum(np.abs(before) + np.abs(after)))
        slowly = QUASI_STATIC_SPEED * (end - q)
        along = [(0.5 * (1.0 + x), 0.5 * weight) for x, weight in zip(*np.polynomial.legendre.leggauss(8), strict=True)]
        if self.has_loads:
            # The kernel gives F . r'.
            for x, weight in along:
                evaluate_energies(s, w, q + x * (end - q), slowly)
                part = weight / QUASI_STATIC_SPEED * w.energy[2::3]
                work += float(part.sum())
                size += float(np.abs(part).sum())
        if s.contacts.count:
            power = np.zeros(POWERS_PER_CONTACT * s.contacts.count)
            for x, weight in along:
                evaluate_contact_powers(s, w, q + x * (end - q), slowly, power)
                work -= weight / QUASI_STATIC_SPEED * float(power[1::POWERS_PER_CONTACT].sum())  # work of friction
        return work, WORK_RTOL * size

    def stored(self, q: Array) -> Array:
        """Potential energy of every force and contact in the pose q, J."""
        evaluate_energies(self.s, self.w, q, self.still)
        if self.s.contacts.count:
            evaluate_contact_powers(self.s, self.w, q, self.still, np.zeros(POWERS_PER_CONTACT * self.s.contacts.count))
        return np.r_[self.w.energy[0::3], self.w.elastic]

    def stiffness(self, q: Array, lam: Array) -> Array:
        """Values of K on its pattern, J."""
        evaluate_tangents(self.s, self.w, q, self.still, lam)
        values = self.w.kq[:-1]
        if self.share != 1.0:
            evaluate_tangents(self.loads, self.w_loads, q, self.still, lam)
            values = values - (1.0 - self.share) * self.w_loads.kq[:-1]
        return values * self.k_scale

    def touching_stiffness(self, q: Array) -> Array:
        """Contribution of contacts to K in the pose q, J, without joints."""
        evaluate_tangents(self.touching, self.w, q, self.still, np.zeros(self.s.m_all))
        return self.w.kq[:-1] * self.k_scale

    def is_symmetric(self, stiffness: Array) -> bool:
        """False under follower loads, which have no potential."""
        return self.s.symmetric_at_rest or self.matrix.is_symmetric(stiffness)

    def reduced(self, q: Array, lam: Array) -> ReducedMotions:
        """Mass, damping and stiffness of the free motions about the pose q. Dense: for up to a few thousand coordinates."""
        from scipy.linalg import qr

        s = self.s
        jacobian = make_sparse_matrix(self.jac_row, self.jac_col, self.jacobian(q)[0], (s.m, s.n)).toarray()
        return self.on_basis(np.asarray(qr(jacobian.T)[0])[:, s.m :] if s.m else np.eye(s.n), q, lam)

    def matrices(self, q: Array, lam: Array) -> tuple[Any, Any, Any, bool]:
        """Mass, damping and stiffness about the pose q in scaled coordinates, sparse; True if the stiffness is symmetric."""
        s, scale = self.s, self.scale
        values = self.stiffness(q, lam)
        damping = self._on_pattern(self.w.kv[:-1] * self.k_scale)
        mass = make_sparse_matrix(s.mass_row, s.mass_col, s.mass * scale[s.mass_row] * scale[s.mass_col], (s.n, s.n))
        return mass, damping, self._on_pattern(values), self.is_symmetric(values)

    def on_basis(self, basis: Array, q: Array, lam: Array) -> ReducedMotions:
        """The same on free motions (n, f), orthonormal in scaled coordinates."""
        *matrices, symmetric = self.matrices(q, lam)
        M, C, K = (basis.T @ (matrix @ basis) for matrix in matrices)
        touched = np.sum(np.abs(basis) * (abs(matrices[2]) @ np.abs(basis)), axis=0)
        noise, shapes = NEUTRAL_STIFFNESS_RTOL * float(touched.max(initial=0.0)), basis * self.scale[:, None]
        return ReducedMotions((M + M.T) / 2, C, (K + K.T) / 2 if symmetric else K, shapes, symmetric, noise)

    def noise(self, stiffness: Array, shapes: Array) -> Array:
        """Stiffness that counts as zero, J, for motions of length 1 in scaled coordinates, one per row (m, rad)."""
        z = np.abs(shapes / self.scale)
        rounding = self.matrix.rounding * np.finfo(float).eps * np.max(np.abs(stiffness), initial=0.0)
        return NEUTRAL_STIFFNESS_RTOL * np.sum(z * (abs(self._on_pattern(stiffness)) @ z.T).T, axis=1) + rounding

    # steps -----------------------------------------------------------------------------------------------------------

    def step(self, q: Array, now: StaticForces, mu: float) -> NewtonDirection | None:
        """The step that follows the forces, with the least sufficient mu; None if there is none.

        mu: value of the previous step."""
        stiffness = self.stiffness(q, now.lam)
        unit = self.unit(stiffness, now)
        if not np.isfinite(unit):
            return None
        smallest = trial = MIN_REGULARISATION * unit
        if self.matrix.knows_the_way:  # with existing factors; the direction of the forces is checked
            direction = self.newton(stiffness, now, trial)
            if direction is not None and direction @ now.free > 0.0:
                return NewtonDirection(direction, 0.0, stiffness)
        while trial <= MAX_REGULARISATION * unit:
            if self.matrix.is_positive(stiffness / unit, now.jacobian, trial / unit):
                direction = self.newton(stiffness, now, trial)
                if direction is not None and direction @ now.free > 0.0:
                    return NewtonDirection(direction, trial if trial > smallest else 0.0, stiffness)
            trial = max(4.0 * trial, 0.25 * mu, FIRST_REGULARISATION * unit)
        return None

    def newton(self, stiffness: Array, now: StaticForces, mu: float) -> Array | None:
        """Solve for the step with a given mu, at least the minimum; None if the matrix is singular."""
        answer = self.answers(stiffness, now, mu)
        return answer(now.free) if answer is not None else None

    def answers(self, stiffness: Array, now: StaticForces, mu: float) -> Callable[[Array], Array | None] | None:
        """The same as a function of the free forces, with the same factors."""
        unit = self.unit(stiffness, now)
        symmetric, smallest = self.is_symmetric(stiffness), max(mu / unit, MIN_REGULARISATION)
        try:
            factors = self.matrix.approximate_factors(
                stiffness / unit, now.jacobian, smallest, NEWTON_STEP_RTOL, symmetric
            )
        except RuntimeError:
            return None

        self.latest = factors, unit
        return self.answering(factors, unit)

    def answering(self, factors: FactorisedSaddlePoint, unit: float) -> Callable[[Array], Array | None]:
        def answer(free: Array) -> Array | None:
            direction, _ = factors.solve(free / unit, np.zeros(self.s.m))
            return direction if np.all(np.isfinite(direction)) else None

        return answer

    def unit(self, stiffness: Array, now: StaticForces) -> float:
        """Reference stiffness, J."""
        return max(float(np.max(np.abs(stiffness), initial=0.0)), now.size, 1e-300)

    def moved(self, q: Array, by: Array) -> Array | None:
        """The pose q displaced by `by` (scaled coordinates) and closed again; None if the joints cannot be closed."""
        end = q.copy()
        end[: self.s.n] += by * self.scale
        if not self.s.m:
            return end
        open_end = end.copy()
        self.close(end)
        evaluate_residual(self.s, self.w, end)
        gap = float(np.max(np.abs(self.w.phi[: self.s.m]), initial=0.0))
        largest_gap = CLOSED_JOINT_RTOL * float(self.scale.min(initial=1.0))
        if not gap <= largest_gap:
            # Long chains need more than plain Newton iterations to close after a large step.
            closed = assemble_pose(self.s, self.w, self.kkt, open_end, self.scale, self.t)
            end, gap = closed.q, float(np.max(np.abs(closed.phi[: self.s.m]), initial=0.0))
        # Closing is a second-order correction; one that is larger than the step itself has changed to another branch.
        closing = np.max(np.abs(end - open_end)[: self.s.n] / self.scale, initial=0.0)
        return end if gap <= largest_gap and closing <= np.max(np.abs(by), initial=0.0) else None

    def close(self, q: Array) -> None:
        """Project the pose q onto joints and drives, by Newton's method."""
        rows = self.matrix.rows
        if rows is None:
            project_position(self.s, self.w, self.kkt, q)
            raise_pending_exception()
            return
        rows.close(q, self.scale, self._open)

    def body_of(self, coordinate: int) -> str:
        """Kind and name of the body that a coordinate belongs to."""
        return self.mechanism.body_of(coordinate)

    # matrices --------------------------------------------------------------------------------------------------------

    def _spend(self) -> None:
        self.factorisations += 1
        self.budget.spend(1, self.t)

    def _on_pattern(self, values: Array) -> Any:
        return make_sparse_matrix(self.s.k_row, self.s.k_col, values, (self.s.n, self.s.n))

    def jacobian(self, q: Array) -> tuple[Array, Array]:
        """Entries of Phi_q in scaled coordinates with normalised rows, and the original row lengths."""
        self.evaluations += 1
        self.budget.spend(0, self.t)
        return self._jacobian(q)

    def _open(self, q: Array) -> tuple[Array, Array, Array]:
        """Phi in the pose q, entries of Phi_q, and the lengths of its rows."""
        jacobian, length = self._jacobian(q)
        return self.w.phi[: self.s.m], jacobian, length

    def _jacobian(self, q: Array) -> tuple[Array, Array]:
        evaluate_position(self.s, self.w, q)
        values = self.w.jac[:-1][self.active] * self.scale[self.jac_col]
        length = np.sqrt(np.bincount(self.jac_row, values**2, minlength=self.s.m))
        length[length == 0.0] = 1.0
        return values / length[self.jac_row], length

    def factor(self, block: Any, q: Array) -> Callable[[Array], tuple[Array, Array]]:
        """Return a solver for [block Phi_q^T; Phi_q 0] [x; y] = [force; 0] in the pose q; block: symmetric."""
        factors = self.matrix.factor_block(block, self.jacobian(q)[0], symmetric=True)
        return lambda force: factors.solve(force, np.zeros(self.s.m))


def _select_loads(batches: BatchTables, weights: set[Any]) -> BatchTables:
    """Batches with loads and gravity only (weights: the modules of gravity)."""
    table = batches.table.copy()
    table[[not module.LOADS and module not in weights for module in batches.modules], COUNT_COLUMN] = 0
    return batches.replaced(table=table)
