"""One run of a compiled method, chunk by chunk, and the messages for its failures."""

from __future__ import annotations

import math
import time as clock
import typing
from typing import Any

import numpy as np

from gaitwright._core.errors import AnalysisError, DidNotConverge, SingularPose
from gaitwright.analysis.budget import Budget
from gaitwright.analysis.dead_points import find_dead_point
from gaitwright.analysis.initial_contact_state import find_touching_contacts, make_initial_memory, observe_contacts_at
from gaitwright.analysis.start_state import StartState, describe_spinning_rod
from gaitwright.contact.force_events import has_force_events
from gaitwright.contact.history import begin_episode, fetch_log
from gaitwright.integrate import contact_callbacks
from gaitwright.integrate.base import (
    DIVERGED,
    FAILED_ROW,
    NO_IMPULSE,
    NOT_FINITE,
    OUTPUT_COUNT,
    REJECTED_COUNT,
    RUN_STATUS,
    SINGULAR,
    START_TIME,
    STEP_COUNT,
    STEP_SIZE,
    STORED_COUNT,
    TIME,
    UNPROJECTED,
    IntegrationMethod,
    IntegrationOptions,
    IntegrationState,
    new_integration_state,
)
from gaitwright.jit.call_pacing import initial_step_count
from gaitwright.linalg.large_systems import raise_pending_exception
from gaitwright.mechanism.coupled_stages import build_coupled_stages
from gaitwright.mechanism.evaluation import evaluate_position, evaluate_tangents, new_workspace, update_signals
from gaitwright.mechanism.kkt import build_kkt
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.table_builder import compile_tangents
from gaitwright.mechanism.tables import Array, MechanismTables
from gaitwright.result.outputs import StateHistory
from gaitwright.result.result import Result

MAX_COORDINATE_RATIO = 1e8
"""Ratio of a coordinate to the size of the mechanism above which the motion counts as exploded."""


class Integration:
    """One run of a compiled method, chunk by chunk."""

    def __init__(
        self,
        mechanism: Mechanism,
        method: IntegrationMethod,
        options: IntegrationOptions,
        begin: StartState,
        rows: int,
        budget: Budget,
        partitioned: bool = False,
    ):
        s: MechanismTables = mechanism.system
        self.budget = budget
        self.s, self.method, self.options = s, method, options
        self.work = new_workspace(s)
        self.kkt = (build_kkt(s, tangent=True), build_kkt(s)) if method.tangent else build_kkt(s)
        self.stages = self._stages()
        self.t_start = begin.t
        self.run: IntegrationState = new_integration_state(s, method.stages, rows, mechanism.scale, partitioned)
        self.run.q1[:], self.run.v1[:] = begin.q, begin.v
        self.log: list[Any] = []
        if method.workspace is None and (s.contacts.count or has_force_events(s)):
            self.run.calls[:] = [
                call.address for call in contact_callbacks.compile_callbacks(has_force_events(s), bool(self.run.crowds))
            ]
        if s.contacts.count:
            self._begin_contacts(mechanism, begin)

    def _begin_contacts(self, mechanism: Mechanism, begin: StartState) -> None:
        run, w, t = self.run, self.work, begin.t
        if self.method.workspace is not None:
            return  # rigid contacts are determined anew at every step
        w.memory[:] = make_initial_memory(mechanism, w, t, begin.q, begin.v)
        run.seen[:] = run.seen1[:] = observe_contacts_at(mechanism, w, t, begin.q, begin.v).ravel()
        for c in find_touching_contacts(self.s, w):
            begin_episode(self.s, w, run, c, t)

    def history(self) -> Any:
        """Episodes of the contacts so far, (n, columns of contact/history.py)."""
        if not self.s.contacts.count:
            return self.run.log
        self.log.append(fetch_log(self.run))
        return np.concatenate([*self.log, self.run.episode[find_touching_contacts(self.s, self.work)]])

    def _stages(self) -> Any:
        count = self.method.coupled_stages
        if self.method.workspace is not None:
            return self.method.workspace(self.s)
        if count == 0:
            return 0
        if self.method.adaptive:
            single_stage = build_coupled_stages(self.s, 1)
            return (build_coupled_stages(self.s, count) if count > 1 else single_stage, single_stage)
        return build_coupled_stages(self.s, count)

    def chunks(self, until: float, h: float, every: int, output_step: float | None, max_step: float | None) -> Any:
        """Yield (StateHistory, (step sizes, Newton counts)) until the end time is reached or a step fails."""
        run, s = self.run, self.s
        run.clock[TIME] = self.t_start
        patience, done = initial_step_count(s.n), False  # steps until control returns to Python
        span = until - self.t_start
        run.clock[STEP_SIZE] = min(span / 100.0, 1e-4) if span > 0 else 0.0
        interval = span / 1000.0 if output_step is None else min(output_step, span)
        run.clock[START_TIME] = self.t_start
        # A last interval shorter than 1e-9 of the others is rounding error of their number.
        run.count[OUTPUT_COUNT] = max(1, math.ceil(span / interval - 1e-9)) if interval > 0 else 0
        while not done:
            before = clock.perf_counter()
            patience = max(1, min(patience, self.budget.steps_left))
            common = (s, self.work, self.kkt, self.stages, run, self.options)
            if self.method.adaptive:
                largest = min(max_step or span, span)
                if interval > 0:
                    # limits the step so that its outputs fit into the buffer
                    largest = min(largest, interval * (run.out_t.size // 2))
                done = self.method.advance(*common, until, interval, largest, patience)
            else:
                done = self.method.advance(*common, self.t_start, until, h, every, patience)
            raise_pending_exception()
            took = clock.perf_counter() - before
            patience = int(min(max(patience * min(4.0, 0.2 / max(took, 1e-6)), 1), 10_000_000))
            self.budget.steps = int(run.count[STEP_COUNT] + run.count[REJECTED_COUNT])
            yield self.empty_buffer()
            done = done or bool(self.budget.spent())

    def empty_buffer(self) -> Any:
        run, k = self.run, int(self.run.count[STORED_COUNT])
        if k > run.out_t.size:
            raise RuntimeError(f"{k} outputs for a buffer of {run.out_t.size}: a mistake in Gaitwright")
        run.count[STORED_COUNT] = 0
        if self.s.contacts.count:
            self.log.append(fetch_log(run))
        motion = StateHistory(
            run.out_t[:k].copy(), run.out_q[:k].copy(), run.out_v[:k].copy(), run.out_a[:k].copy(),
            run.out_lam[:k].copy(), run.out_work[:k].copy(), run.out_memory[:k].copy(),
        )  # fmt: skip
        return motion, (run.out_h[:k].copy(), run.out_newton[:k].copy())

    def stable_step(self, mechanism: Mechanism, partial: Result, step: float | None) -> str:
        """Advice on the largest stable step of an explicit method; empty if the step taken was not longer."""
        if self.method.stable is None or step is None or not partial.motion.t.size:
            return ""
        largest = estimate_stable_step(mechanism, partial.motion.q[0], float(partial.motion.t[0]), self.method.stable)
        if self.method.stable[0] == 0.0 and (largest is None or largest > step):
            return f" ({self.method.name} lets every vibration without damping grow)"
        if largest is None or largest > 2.0 * step:
            return ""
        return (
            f" (the fastest vibration of this model requires steps of at most {largest:.2g} s with {self.method.name})"
        )

    def raise_failure(self, mechanism: Mechanism, partial: Result, step: float | None) -> None:
        """Raise the exception for the status of the run, with the partial result; return if the run succeeded."""
        status, t = int(self.run.count[RUN_STATUS]), float(self.run.clock[TIME])
        if status == 0:
            return
        if undefined := mechanism.undefined_signal(t, t + 2.0 * float(step or self.run.clock[STEP_SIZE])):
            # A load that is not finite makes every later matrix look singular: it is the cause, whatever the status.
            raise DidNotConverge(
                f"{undefined} has no finite value or rate from about here on", time=t, partial=partial,
                suggestion="change its expression or end the run earlier",
            )  # fmt: skip
        smaller = "take a smaller step" if step is not None else "loosen or tighten the tolerance"
        coordinate_ratio = np.abs(partial.motion.q[-1:, : mechanism.n]) / mechanism.scale
        if status == SINGULAR and np.max(coordinate_ratio, initial=0.0) > MAX_COORDINATE_RATIO:
            status = NOT_FINITE  # the pivots are only rounding errors
        row, torn = int(self.run.count[FAILED_ROW]), ""
        if status == SINGULAR and row < 0 and _has_mass(mechanism, row + mechanism.system.n):
            # The Newton iteration passed a pose in which the energy of a solid is undefined.
            status = DIVERGED
            torn = ", and on its way an element of a solid was turned inside out" if mechanism.flexible else ""
        if status == SINGULAR:
            names = mechanism.constraint_of_row(row) if 0 <= row < mechanism.system.m else None
            why = f"{mechanism.body_of(row + mechanism.system.n)} has no mass there and nothing holds it"
            if names:
                why = f"{names.kind} '{names.name}' no longer restrains the motion independently of the other joints"
                if partial is not None and (dead_point := find_dead_point(mechanism, partial.motion.q[-1], t)):
                    why += f"; {dead_point.sentence()}"
            if row >= mechanism.system.m:
                why = describe_spinning_rod(mechanism, row - mechanism.system.m)
            error: AnalysisError = SingularPose(
                f"the pose is singular: {why}",
                time=t, joints=(names.name,) if names else (), partial=partial,
                suggestion="look at the pose (run.draw), change the geometry, or step across it: with a fixed step (gauss3, "
                "generalized-alpha) or a looser tolerance",
            )  # fmt: skip
        else:
            cause = {
                DIVERGED: f"the Newton iteration of {self.method.name} did not converge{torn}",
                NOT_FINITE: "the motion exploded: a coordinate is beyond all bounds or no longer a number",
                NO_IMPULSE: "no impulses of the rigid contacts were found: the touching bodies may be jammed or immobile"
                if self.options.lemke
                else "projected Gauss-Seidel found no impulses of the rigid contacts",
                UNPROJECTED: "the state after the step is too far from the joints to be projected onto them",
            }.get(status, "no step is small enough for the tolerance")
            if status == NO_IMPULSE:
                advice = "give the contacts a law and take another method than moreau, or leave a drive free"
                advice = advice if self.options.lemke else "take complementarity='lemke'"
            elif self.method.coupled_stages or self.method.tangent:
                advice = smaller
            else:
                advice = f"{smaller}{self.stable_step(mechanism, partial, step)}, or use a method for stiff systems "
                advice += "(radau5, generalized-alpha)"
            error = DidNotConverge(cause, time=t, partial=partial, suggestion=advice)
        raise error


def _has_mass(mechanism: Mechanism, coordinate: int) -> bool:
    """True if the diagonal entry of M for this coordinate is positive."""
    s = mechanism.system
    return bool(np.any(s.mass[(s.mass_row == coordinate) & (s.mass_col == coordinate)] > 0.0))


# Largest stable step of an explicit method ----------------------------------------------------------------------------


def estimate_stable_step(mechanism: Mechanism, q: Array, t: float, reach: tuple[float, float]) -> float | None:
    """Estimate, s, for the pose q at rest; None if nothing vibrates or the estimate fails.

    reach: stability limits of the method along the imaginary axis (h omega, vibrations) and along the negative real axis
    (h mu, damping). Reactions are left out: they change the lowest frequencies, not the highest."""
    import scipy.sparse as sparse
    from scipy.sparse.linalg import splu

    s = mechanism.system
    w = new_workspace(s)
    compile_tangents(s)
    update_signals(s, w, t)
    evaluate_position(s, w, q)
    evaluate_tangents(s, w, q, np.zeros(s.n + 1), np.zeros(s.m_all))
    active = s.jac_row < s.m
    J = sparse.csr_matrix((w.jac[:-1][active], (s.jac_row[active], s.jac_col[active])), shape=(s.m, s.n))
    M = sparse.csr_matrix((s.mass, (s.mass_row, s.mass_col)), shape=(s.n, s.n))
    try:
        factors = splu(sparse.csc_matrix(sparse.bmat([[M, J.T], [J, None]]) if s.m else M))
    except RuntimeError:  # singular
        return None

    def largest(values: Array) -> float:
        """Largest |eigenvalue| of M^-1 times a matrix, over the motions that the joints allow."""
        matrix = sparse.csr_matrix((values, (s.k_row, s.k_col)), shape=(s.n, s.n))
        return _largest_eigenvalue(lambda x: factors.solve(np.concatenate([matrix @ x, np.zeros(s.m)]))[: s.n], s.n)

    omega = largest(w.kq[:-1]) ** 0.5
    mu = largest(w.kv[:-1]) if s.damped else 0.0
    limits = [r / rate for r, rate in zip(reach, (omega, mu), strict=True) if rate > 0.0 and r > 0.0]
    return min(limits, default=None)


def _largest_eigenvalue(apply: Any, n: int) -> float:
    from scipy.sparse.linalg import ArpackError, ArpackNoConvergence
    from scipy.sparse.linalg import LinearOperator as linear_operator
    from scipy.sparse.linalg import eigs as some_eigenvalues

    LinearOperator, eigs = typing.cast(Any, linear_operator), typing.cast(Any, some_eigenvalues)
    if n > 3:
        try:
            eigenvalues: Any = eigs(
                LinearOperator((n, n), matvec=apply, dtype=float), k=1, which="LM", tol=1e-3, return_eigenvectors=False,
                v0=np.random.default_rng(0).standard_normal(n),
            )  # fmt: skip
            return float(np.abs(eigenvalues[0]))
        except (ArpackError, ArpackNoConvergence):
            return 0.0
    return float(np.max(np.abs(np.linalg.eigvals(np.stack([apply(e) for e in np.eye(n)], axis=1)))))
