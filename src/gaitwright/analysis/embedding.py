"""The embedding technique: equations of motion in independent coordinates, without constraint forces.

    v = B v_i + c_v      a = B a_i + c      B = [1; -Phi_qd^-1 Phi_qi]      c = [0; Phi_qd^-1 gamma]
    (B^T M B) a_i = B^T (Q - M c)

Independent coordinates q_i are as many as there are degrees of freedom; the dependent ones q_d follow from Phi = 0 at every
evaluation, so joints cannot drift. Reactions are not unknowns; Phi_qd^T lambda = (Q - M a)_d gives them afterwards for the
results. Coordinates are partitioned by QR of Phi_q with column pivoting, and again when an entry of B exceeds
MAX_TRANSMISSION_RATIO.

All other methods use the augmented form, with lambda as unknowns and a sparse matrix. Here the matrices are dense and NumPy
solves them: an evaluation of a slider-crank takes 0.4 ms instead of 3 us, and larger mechanisms take more. Purpose:
comparison, teaching, and verification by independent algebra. Limitations: explicit methods with fixed steps, no contacts.

Source: A. A. Shabana, Dynamics of Multibody Systems, section 3.5 (embedding technique); R. A. Wehage, E. J. Haug, J. Mech. Des.
104 (1982) 247-255; paper 003 Table 2.1.
"""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.analysis.integration import Integration
from gaitwright.analysis.start_state import StartState
from gaitwright.integrate.base import (
    EVALUATION_COUNT,
    FACTORISATION_COUNT,
    FAILED_ROW,
    NOT_FINITE,
    RUN_STATUS,
    SINGULAR,
    STEP_COUNT,
    TIME,
    IntegrationMethod,
)
from gaitwright.mechanism.evaluation import (
    evaluate_forces,
    evaluate_motion,
    evaluate_position,
    evaluate_powers,
    update_signals,
)
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.projection import LAST_STEP_RESIDUAL
from gaitwright.mechanism.tables import Array
from gaitwright.result.outputs import StateHistory

EMBEDDING_METHODS = ("euler", "gill", "rk4")
"""Explicit Runge-Kutta methods with fixed steps, which a tableau defines completely."""
MAX_TRANSMISSION_RATIO = 2.0
"""Largest entry of B, in units of the scales of the coordinates, before they are partitioned again. Errors of a method grow
with its powers: a mass on a rod, turning freely, lost 1000 times as much energy with 10."""
MAX_NEWTON_ITERATIONS = 20
SINGULAR_PIVOT_RATIO = 1e-9
"""Smallest over largest pivot of Phi_q in a pose that counts as singular."""
STEPS_PER_CHUNK = 200
"""Steps between two checks of the budget."""


class EmbeddedState(NamedTuple):
    """State that follows from the independent coordinates and velocities. q, v, a: positions, velocities and accelerations of
    all coordinates. lam: multipliers. power: powers, as of `evaluate_powers`."""

    q: Array
    v: Array
    a: Array
    lam: Array
    power: Array


def require_embeddable(mechanism: Mechanism, method: IntegrationMethod, stabilisation: str | None) -> None:
    """Raise ModelError if the embedding technique does not support the method, stabilisation or contacts."""
    at = ErrorContext(field="formulation")
    if method.name not in EMBEDDING_METHODS:
        at.fail(
            f"cannot take the method {method.name}", "embedding", f"one of the methods {', '.join(EMBEDDING_METHODS)}"
        )
    if stabilisation is not None:
        at.fail("needs no stabilisation", stabilisation, "no stabilisation, as constraints hold at every evaluation")
    if mechanism.system.contacts.count:
        at.fail("cannot take contacts", "embedding", "the formulation augmented")


class SingularEmbedding(Exception):
    """Phi_q is singular, so that coordinates cannot be partitioned. row: row of Phi_q that depends on the others."""

    def __init__(self, row: int):
        self.row = row


class EmbeddedIntegration(Integration):
    """One run in independent coordinates, step by step in Python."""

    def __init__(self, mechanism: Mechanism, method: IntegrationMethod, *arguments: Any):
        super().__init__(mechanism, method, *arguments)
        s, begin = self.s, next(argument for argument in arguments if isinstance(argument, StartState))
        tableau = importlib.import_module(f"gaitwright.integrate.{method.name}")
        self.A, self.b, self.c = tableau.A, tableau.B, tableau.C
        self.active = np.flatnonzero(s.jac_row < s.m)
        self.M = np.zeros((s.n, s.n))
        np.add.at(self.M, (s.mass_row, s.mass_col), s.mass)
        self.q, self.v = np.array(begin.q), np.array(begin.v)
        self.free = self.bound = np.zeros(0, dtype=int)

    def _jacobian(self) -> Array:
        """Phi_q of the workspace as a dense matrix."""
        s, J = self.s, np.zeros((self.s.m, self.s.n))
        np.add.at(J, (s.jac_row[self.active], s.jac_col[self.active]), self.work.jac[self.active])
        return J

    def _partition(self, t: float) -> None:
        """Choose the independent coordinates in the pose self.q. Raises SingularEmbedding."""
        from scipy.linalg import qr

        s, w = self.s, self.work
        update_signals(s, w, t)
        evaluate_position(s, w, self.q)
        J, scale = self._jacobian(), self.run.scale[: s.n]
        factors: Any = qr(J * scale, mode="r", pivoting=True)
        triangle, order = factors
        pivots = np.abs(np.diag(triangle[:, : s.m]))
        if s.m and not pivots[-1] > SINGULAR_PIVOT_RATIO * pivots[0]:
            raise SingularEmbedding(int(np.argmax(np.abs(np.linalg.svd((J * scale).T)[2][-1]))))
        self.bound, self.free = np.sort(order[: s.m]), np.sort(order[s.m :])
        self.run.count[FACTORISATION_COUNT] += 1

    def _evaluate(self, t: float, independent: Array, rates: Array) -> EmbeddedState:
        """Dependent coordinates, velocities, accelerations and reactions for given independent coordinates and velocities."""
        s, w, m, n = self.s, self.work, self.s.m, self.s.n
        q, v = self.q.copy(), np.zeros(n + 1)
        q[self.free], v[self.free] = independent, rates
        update_signals(s, w, t)
        for _ in range(MAX_NEWTON_ITERATIONS):
            evaluate_position(s, w, q)
            worst = float(np.abs(w.phi[:m]).max(initial=0.0))
            if worst > 0.0:
                q[self.bound] -= np.linalg.solve(self._jacobian()[:, self.bound], w.phi[:m])
            if not np.isfinite(worst) or worst < LAST_STEP_RESIDUAL:
                break
        evaluate_motion(s, w, q, v)
        J = self._jacobian()
        # columns: dependent velocities per unit of each independent one, and those due to prescribed motion
        right_side = np.column_stack([-J[:, self.free], -w.phi_t[:m]])
        dependent = np.linalg.solve(J[:, self.bound], right_side)
        B = np.zeros((n, self.free.size))
        B[self.free, np.arange(self.free.size)], B[self.bound] = 1.0, dependent[:, :-1]
        v[self.bound] = dependent[:, :-1] @ rates + dependent[:, -1]
        evaluate_motion(s, w, q, v)
        evaluate_forces(s, w, q, v)
        c, Q = np.zeros(n), w.force[:n].copy()
        c[self.bound] = np.linalg.solve(J[:, self.bound], w.gamma[:m])
        reduced = np.linalg.solve(B.T @ self.M @ B, B.T @ (Q - self.M @ c))
        a, lam = np.zeros(n + 1), np.zeros(s.m_all)
        a[:n] = B @ reduced + c
        lam[:m] = np.linalg.solve(J[:, self.bound].T, (Q - self.M @ a[:n])[self.bound])
        evaluate_powers(s, w, q, v, lam)
        self.run.count[EVALUATION_COUNT] += 1
        scale = self.run.scale
        if np.any(np.abs(B[self.bound] * scale[self.free] / scale[self.bound, None]) > MAX_TRANSMISSION_RATIO):
            self.must_repartition = True
        return EmbeddedState(q, v, a, lam, w.power.copy())

    def _step(self, t: float, h: float, now: EmbeddedState, work: Array) -> Array:
        """One step of the tableau from state `now`. Stores the independent coordinates and velocities at its end in x and u;
        returns the works."""
        x, u = now.q[self.free], now.v[self.free]
        stages = [now]
        for i in range(1, self.b.size):
            place = x + h * sum(self.A[i, j] * stages[j].v[self.free] for j in range(i))
            rates = u + h * sum(self.A[i, j] * stages[j].a[self.free] for j in range(i))
            stages.append(self._evaluate(t + self.c[i] * h, place, rates))
        self.x = x + h * sum(b * stage.v[self.free] for b, stage in zip(self.b, stages, strict=True))
        self.u = u + h * sum(b * stage.a[self.free] for b, stage in zip(self.b, stages, strict=True))
        return work + h * sum(b * stage.power for b, stage in zip(self.b, stages, strict=True))

    def chunks(self, until: float, h: float, every: int, output_step: float | None, max_step: float | None) -> Any:
        """Integrate until the end time; yields chunks of the motion with their step sizes, as Integration.chunks."""
        run, t, k = self.run, self.t_start, 0
        rows: list[tuple[Any, ...]] = []
        sizes: list[float] = []

        def take_chunk() -> Any:
            times, q, v, a, reactions, powers = (np.array(column) for column in zip(*rows, strict=True))
            steps = np.array(sizes), np.zeros(len(sizes), dtype=np.int64)
            memory = np.zeros((len(rows), self.work.memory.size))
            rows.clear()
            sizes.clear()
            return StateHistory(times, q, v, a, reactions, powers, memory), steps

        def store(size: float) -> None:
            rows.append((t, now.q, now.v, now.a, now.lam, work))
            sizes.append(size)

        try:
            self._partition(t)
            self.must_repartition = False
            now = self._evaluate(t, self.q[self.free], self.v[self.free])
            work = np.zeros_like(now.power)
            store(0.0)
            while t < until - 1e-9 * h:
                if self.must_repartition:
                    self.q = now.q
                    self._partition(t)
                    self.must_repartition = False
                k += 1
                after = min(self.t_start + k * h, until)
                after = until if until - after < 0.01 * h else after
                work = self._step(t, after - t, now, work)
                now, size, t = self._evaluate(after, self.x, self.u), after - t, after
                self.q = now.q
                run.clock[TIME], run.count[STEP_COUNT] = t, k
                self.budget.steps = k
                if not np.all(np.isfinite(now.q) & np.isfinite(now.v) & np.isfinite(now.a)):
                    run.count[RUN_STATUS] = NOT_FINITE
                    break
                if every == 0 or k % every == 0 or t == until:
                    store(size)
                if k % STEPS_PER_CHUNK == 0:
                    if rows:
                        yield take_chunk()
                    if self.budget.spent():
                        break
        except SingularEmbedding as error:
            run.count[RUN_STATUS], run.count[FAILED_ROW] = SINGULAR, error.row
        except np.linalg.LinAlgError:
            run.count[RUN_STATUS] = NOT_FINITE
        if rows:
            yield take_chunk()
