"""A mechanism at rest: what acts on it, how that changes with its pose, and Newton's steps towards balance.

    free force   Q(q, 0, t) - Phi_q^T lambda        lambda by least squares: what joints and drives can hold is held
    stiffness    K = d(Phi_q^T lambda - Q)/dq       exact, with the curvature of the constraints
    step         [ K + mu W  Phi_q^T ] [ dq      ]   [ Q - Phi_q^T lambda ]
                 [ Phi_q     0       ] [ dlambda ] = [ 0                  ]        W = 1 / scale^2

Coordinates are measured in their scale (the size of the mechanism, 1 rad), so all forces and stiffnesses are in J.
Statics follows the steps to equilibrium; modes reduces the matrices to the free motions about it.

Source: Nocedal and Wright, Numerical Optimization (2006), ch. 16 (KKT matrix, its inertia), 18.3 (multipliers).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.analyse.budget import Budget
from gaitwright.analyse.statics.records import Forces, Imbalance, Reduced, Step
from gaitwright.analyse.statics.saddle import Factored, active, matrices, sparse_matrix
from gaitwright.derive.library import kernel_module
from gaitwright.errors import DidNotConverge, SingularPose
from gaitwright.system.assemble import CLOSED, close
from gaitwright.system.batch_calls import COUNT
from gaitwright.system.build import compile_tangents
from gaitwright.system.evaluate import energies, forces, position, residual, signals_at, tangents, workspace
from gaitwright.system.kkt import Kkt, kkt
from gaitwright.system.library import raise_pending
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.project import project_position
from gaitwright.system.tables import LOADED, Array, Batches
from gaitwright.system.touch import POWERS, contact_powers

LEAST_STIFFNESS, FIRST_STIFFNESS, MOST_STIFFNESS = 1e-10, 1e-6, 1e8
"""mu relative to the largest stiffness: the smallest, as motions without any stiffness would make the matrix singular; the
first that is tried where this does not do; and the largest: a step so small that does not go with the force either is none."""
NEWTON, EXACT = 1e-6, 1e-10
"""Error of a Newton step that kept factors give, and of other solutions with matrices that are not symmetric."""
SLOWLY = 1e-9
"""Of the way, by which speeds are taken for powers: loads and friction that depend on speed must see rest."""
FAR = 1e-4
"""Unbalanced force, in the largest one, above which that need not be known exactly."""
WORK_ERROR = 1e-14
"""Rounding of a sum of energies, relative to their sizes."""
NEUTRAL = 5e-15
"""Stiffness of a free motion, relative to the sum of what it is the difference of, below which it counts as zero. Rounding
leaves 5e-16; the softest motion of a thin beam (EA L^2 = 1e8 EI, 1000 elements) has 7e-14."""


class AtRest:
    """A mechanism at rest, with drives and loads held as at time t. memory: of its contacts; none
    of them acts unless given. share: of the loads and of gravity that acts, 0 to 1; faded: forces (J) that are taken
    off in the measure in which the loads do not act."""

    def __init__(self, mechanism: Mechanism, t: float, memory: Array | None = None, budget: Budget | None = None):
        s = mechanism.system
        self.budget = budget or Budget()
        self.mechanism, self.s, self.t, self.scale = mechanism, s, t, mechanism.scale
        self.share, self.faded = 1.0, np.zeros(s.n)
        compile_tangents(s)
        self.w = workspace(s)
        self.w.memory[:] = 0.0 if memory is None else memory
        self.still = np.zeros(s.n + 1)
        self.has_loads = bool(np.any(s.power_kind == LOADED))
        self.factorisations = self.evaluations = 0
        signals_at(s, self.w, t)
        self.active = s.jac_row < s.m
        self.jac_row, self.jac_col = active(s)
        self.k_scale = self.scale[s.k_row] * self.scale[s.k_col]
        self.matrix = matrices(s, self._spend)
        self.latest: tuple[Factored, float] | None = None  # of a Newton step: factors, and the unit of their stiffness
        self.tissue: Array | None = None  # stiffness without that of contacts, of a pose nearby (local_balance.py)
        # Every force on coordinates of its own: what single springs do, which may cancel in the sum.
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
            forces=_loads_of(s.forces, weights), contacts=s.contacts.replaced(count=0),
            constraints=s.constraints.replaced(table=none),
            chain=s.chain.replaced(
                forces=_loads_of(s.chain.forces, weights), constraints=s.chain.constraints.replaced(table=none)
            ),
        )  # fmt: skip
        self.w_loads = self.w.replaced(
            force=np.zeros_like(self.w.force), kq=np.zeros_like(self.w.kq), kv=np.zeros_like(self.w.kv)
        )

    @functools.cached_property
    def kkt(self) -> Kkt:
        return kkt(self.s)

    # what acts -------------------------------------------------------------------------------------------------------

    def hold(self, t: float) -> None:
        """Hold drives and loads as at time t from now on."""
        self.t = t
        signals_at(self.s, self.w, t)

    def acting(self, q: Array) -> Array:
        """Q in scaled coordinates, J."""
        forces(self.s, self.w, q, self.still)
        acting = self.w.force[: self.s.n] * self.scale
        return acting if self.share == 1.0 else acting - (1.0 - self.share) * (self.loading(q) + self.faded)

    def loading(self, q: Array) -> Array:
        """What loads and gravity contribute to Q when all of them act, J."""
        forces(self.loads, self.w_loads, q, self.still)
        return self.w_loads.force[: self.s.n] * self.scale

    def imbalance(self, q: Array, lam: Array) -> Imbalance:
        """What the multipliers lam (of the independent rows) leave unbalanced in the pose q, and open joints."""
        jacobian, length = self.jacobian(q)
        gap = self.w.phi[: self.s.m] / length
        reactions = jacobian * (lam * length)[self.jac_row]
        force = np.bincount(self.jac_col, reactions, minlength=self.s.n) - self.acting(q)
        return Imbalance(force, gap, jacobian, length, float(np.max(np.abs(reactions), initial=0.0)))

    def largest(self, q: Array) -> float:
        """The largest force of a single element on a coordinate, J: in the sum they may cancel."""
        s, w, c = self.s, self.w, self.s.chain
        forces(self.singly, self.w_singly, q[s.forces.dof], np.zeros(s.forces.dof.size))
        single = self.w_singly.force[:-1] * self.single_scale
        if c.count:  # one by one they are what acts on the variables of markers
            forces(s, w, q, self.still)
            single = np.r_[
                single, w.weight * np.repeat(w.pull[:-1], np.diff(c.start)) * np.append(self.scale, 0.0)[c.column]
            ]
        if s.contacts.count:  # by coordinate: those of one body may cancel
            forces(self.touching, self.w_touching, q, self.still)
            single = np.r_[single, w.force[: s.n] * self.scale]
        return float(np.max(np.abs(single), initial=0.0))

    def forces(self, q: Array, size: float = 0.0) -> Forces:
        """The forces in the pose q, split into what is held and what is free. size: the largest one as far as it is known,
        which is good enough as long as there is no balance."""
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
            held = self.matrix.held(jacobian, acting)
        except RuntimeError:
            raise SingularPose(
                "some joints are dependent in this pose, so that it does not determine their reactions", time=self.t,
                suggestion="draw the mechanism away from its dead point",
            ) from None  # fmt: skip
        reactions = jacobian * held[self.jac_row]
        free = acting.copy()
        np.subtract.at(free, self.jac_col, reactions)
        lam = np.zeros(s.m_all)
        lam[: s.m] = held / length
        if float(np.max(np.abs(free), initial=0.0)) <= FAR * size or size == 0.0:
            size = max(float(np.max(np.abs(reactions), initial=0.0)), self.largest(q))
        return Forces(free, lam, jacobian, size)

    def work(self, q: Array, end: Array) -> tuple[float, float]:
        """Work of all forces on the straight way from q to end, J, and the rounding error to expect in it.

        The loss of potential energy, plus the loads by Gauss quadrature of F . dr. The joints are closed at both ends,
        so their reactions do no work."""
        s, w = self.s, self.w
        before, after = self.stored(q), self.stored(end)
        work, size = float(np.sum(before - after)), float(np.sum(np.abs(before) + np.abs(after)))
        slowly = SLOWLY * (end - q)
        along = [(0.5 * (1.0 + x), 0.5 * weight) for x, weight in zip(*np.polynomial.legendre.leggauss(8), strict=True)]
        if self.has_loads:
            # The kernel gives F . r'.
            for x, weight in along:
                energies(s, w, q + x * (end - q), slowly)
                part = weight / SLOWLY * w.energy[2::3]
                work += float(part.sum())
                size += float(np.abs(part).sum())
        if s.contacts.count:
            power = np.zeros(POWERS * s.contacts.count)
            for x, weight in along:
                contact_powers(s, w, q + x * (end - q), slowly, power)
                work -= weight / SLOWLY * float(power[1::POWERS].sum())  # of friction
        return work, WORK_ERROR * size

    def stored(self, q: Array) -> Array:
        """Potential energy of every force and contact in the pose q, J."""
        energies(self.s, self.w, q, self.still)
        if self.s.contacts.count:
            contact_powers(self.s, self.w, q, self.still, np.zeros(POWERS * self.s.contacts.count))
        return np.r_[self.w.energy[0::3], self.w.elastic]

    def stiffness(self, q: Array, lam: Array) -> Array:
        """K on its pattern, J."""
        tangents(self.s, self.w, q, self.still, lam)
        values = self.w.kq[:-1]
        if self.share != 1.0:
            tangents(self.loads, self.w_loads, q, self.still, lam)
            values = values - (1.0 - self.share) * self.w_loads.kq[:-1]
        return values * self.k_scale

    def touching_stiffness(self, q: Array) -> Array:
        """The part of K that contacts have in the pose q, J; what joints hold is left out."""
        tangents(self.touching, self.w, q, self.still, np.zeros(self.s.m_all))
        return self.w.kq[:-1] * self.k_scale

    def is_symmetric(self, stiffness: Array) -> bool:
        """False under follower loads, which have no potential."""
        return self.s.symmetric_at_rest or self.matrix.is_symmetric(stiffness)

    def reduced(self, q: Array, lam: Array) -> Reduced:
        """Mass, damping and stiffness of the free motions about the pose q. Dense: for up to a few thousand."""
        from scipy.linalg import qr

        s = self.s
        jacobian = sparse_matrix(self.jac_row, self.jac_col, self.jacobian(q)[0], (s.m, s.n)).toarray()
        return self.on_basis(np.asarray(qr(jacobian.T)[0])[:, s.m :] if s.m else np.eye(s.n), q, lam)

    def matrices(self, q: Array, lam: Array) -> tuple[Any, Any, Any, bool]:
        """Mass, damping and stiffness about the pose q in scaled coordinates, sparse, and whether the last is symmetric."""
        s, scale = self.s, self.scale
        values = self.stiffness(q, lam)
        damping = self._on_pattern(self.w.kv[:-1] * self.k_scale)
        mass = sparse_matrix(s.mass_row, s.mass_col, s.mass * scale[s.mass_row] * scale[s.mass_col], (s.n, s.n))
        return mass, damping, self._on_pattern(values), self.is_symmetric(values)

    def on_basis(self, basis: Array, q: Array, lam: Array) -> Reduced:
        """The same on free motions (n, f), orthonormal in scaled coordinates."""
        *matrices, symmetric = self.matrices(q, lam)
        M, C, K = (basis.T @ (matrix @ basis) for matrix in matrices)
        touched = np.sum(np.abs(basis) * (abs(matrices[2]) @ np.abs(basis)), axis=0)
        noise, shapes = NEUTRAL * float(touched.max(initial=0.0)), basis * self.scale[:, None]
        return Reduced((M + M.T) / 2, C, (K + K.T) / 2 if symmetric else K, shapes, symmetric, noise)

    def noise(self, stiffness: Array, shapes: Array) -> Array:
        """What counts as no stiffness, J, of motions of length 1 in scaled coordinates, one per row (m, rad)."""
        z = np.abs(shapes / self.scale)
        rounding = self.matrix.rounding * np.finfo(float).eps * np.max(np.abs(stiffness), initial=0.0)
        return NEUTRAL * np.sum(z * (abs(self._on_pattern(stiffness)) @ z.T).T, axis=1) + rounding

    # steps -----------------------------------------------------------------------------------------------------------

    def step(self, q: Array, now: Forces, mu: float) -> Step | None:
        """The step that goes with the forces, with the least mu that makes it so; None where there is none.

        mu: what the step before took."""
        stiffness = self.stiffness(q, now.lam)
        unit = self.unit(stiffness, now)
        if not np.isfinite(unit):
            return None
        least = trial = LEAST_STIFFNESS * unit
        if self.matrix.knows_the_way:  # by factors that are there; whether it goes with the forces is seen
            direction = self.newton(stiffness, now, trial)
            if direction is not None and direction @ now.free > 0.0:
                return Step(direction, 0.0, stiffness)
        while trial <= MOST_STIFFNESS * unit:
            if self.matrix.is_positive(stiffness / unit, now.jacobian, trial / unit):
                direction = self.newton(stiffness, now, trial)
                if direction is not None and direction @ now.free > 0.0:
                    return Step(direction, trial if trial > least else 0.0, stiffness)
            trial = max(4.0 * trial, 0.25 * mu, FIRST_STIFFNESS * unit)
        return None

    def newton(self, stiffness: Array, now: Forces, mu: float) -> Array | None:
        """Solve for the step with a given mu, at least the smallest; None where the matrix is singular."""
        answer = self.answers(stiffness, now, mu)
        return answer(now.free) if answer is not None else None

    def answers(self, stiffness: Array, now: Forces, mu: float) -> Callable[[Array], Array | None] | None:
        """The same for any free forces, by the same factors."""
        unit = self.unit(stiffness, now)
        symmetric, least = self.is_symmetric(stiffness), max(mu / unit, LEAST_STIFFNESS)
        try:
            found = self.matrix.near(stiffness / unit, now.jacobian, least, NEWTON, symmetric)
        except RuntimeError:
            return None

        self.latest = found, unit
        return self.answering(found, unit)

    def answering(self, found: Factored, unit: float) -> Callable[[Array], Array | None]:
        def answer(free: Array) -> Array | None:
            direction, _ = found.solve(free / unit, np.zeros(self.s.m))
            return direction if np.all(np.isfinite(direction)) else None

        return answer

    def unit(self, stiffness: Array, now: Forces) -> float:
        """What stiffnesses are compared with, J."""
        return max(float(np.max(np.abs(stiffness), initial=0.0)), now.size, 1e-300)

    def moved(self, q: Array, by: Array) -> Array | None:
        """The pose q changed by `by` (scaled coordinates) and closed again; None where the joints cannot be closed."""
        end = q.copy()
        end[: self.s.n] += by * self.scale
        if not self.s.m:
            return end
        open_end = end.copy()
        self.close(end)
        residual(self.s, self.w, end)
        gap = float(np.max(np.abs(self.w.phi[: self.s.m]), initial=0.0))
        largest_gap = CLOSED * float(self.scale.min(initial=1.0))
        if not gap <= largest_gap:
            # Long chains need more than plain Newton to close after a large step.
            closed = close(self.s, self.w, self.kkt, open_end, self.scale, self.t)
            end, gap = closed.q, float(np.max(np.abs(closed.phi[: self.s.m]), initial=0.0))
        # Closing is of second order in the step; where it takes more than the step itself, it went to another branch.
        closing = np.max(np.abs(end - open_end)[: self.s.n] / self.scale, initial=0.0)
        return end if gap <= largest_gap and closing <= np.max(np.abs(by), initial=0.0) else None

    def close(self, q: Array) -> None:
        """Put the pose q back onto joints and drives, by Newton's method."""
        rows = self.matrix.rows
        if rows is None:
            project_position(self.s, self.w, self.kkt, q)
            raise_pending()
            return
        rows.close(q, self.scale, self._open)

    def body_of(self, coordinate: int) -> str:
        """The kind and name of the body that a coordinate belongs to."""
        return self.mechanism.body_of(coordinate)

    # matrices --------------------------------------------------------------------------------------------------------

    def _spend(self) -> None:
        self.factorisations += 1
        self.budget.spend(1, self.t)

    def _on_pattern(self, values: Array) -> Any:
        return sparse_matrix(self.s.k_row, self.s.k_col, values, (self.s.n, self.s.n))

    def jacobian(self, q: Array) -> tuple[Array, Array]:
        """Entries of Phi_q in scaled coordinates with rows made unit vectors, and the lengths the rows had."""
        self.evaluations += 1
        self.budget.spend(0, self.t)
        return self._jacobian(q)

    def _open(self, q: Array) -> tuple[Array, Array, Array]:
        """Phi in the pose q, entries of Phi_q, and the lengths of its rows."""
        jacobian, length = self._jacobian(q)
        return self.w.phi[: self.s.m], jacobian, length

    def _jacobian(self, q: Array) -> tuple[Array, Array]:
        position(self.s, self.w, q)
        values = self.w.jac[:-1][self.active] * self.scale[self.jac_col]
        length = np.sqrt(np.bincount(self.jac_row, values**2, minlength=self.s.m))
        length[length == 0.0] = 1.0
        return values / length[self.jac_row], length

    def factor(self, block: Any, q: Array) -> Callable[[Array], tuple[Array, Array]]:
        """A function that solves [block Phi_q^T; Phi_q 0] [x; y] = [force; 0] for a force, in the pose q; block: symmetric."""
        found = self.matrix.factor_block(block, self.jacobian(q)[0], symmetric=True)
        return lambda force: found.solve(force, np.zeros(self.s.m))


def _loads_of(batches: Batches, weights: set[Any]) -> Batches:
    """Of the forces only loads and gravity (their modules: weights)."""
    table = batches.table.copy()
    table[[not module.LOADS and module not in weights for module in batches.modules], COUNT] = 0
    return batches.replaced(table=table)
