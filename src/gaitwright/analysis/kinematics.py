"""Kinematic analysis: position, velocity and acceleration of a mechanism with completely prescribed motion; and inverse
dynamics: the drive torques and joint reactions that this motion needs.

    Phi(q, t) = 0,   Phi_q v = -Phi_t,   Phi_q a = gamma,   Phi_q^T lambda = Q - M a

No integration: every instant is exact to the tolerance of the Newton iteration. Source: paper 003 Eq 2.6 to 2.10, 2.17, 2.18.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import DidNotConverge, SingularPose
from gaitwright.analysis.budget import Budget, require_result_memory
from gaitwright.analysis.dead_points import find_dead_point
from gaitwright.analysis.initial_contact_state import require_contacts
from gaitwright.analysis.precompile import precompile_kinematics
from gaitwright.analysis.prescribed_contacts import PrescribedContacts
from gaitwright.analysis.reactions import minimise_reaction_norm, refine_reactions
from gaitwright.analysis.start_state import StartState, find_start, require_regular_start
from gaitwright.jit import Stopwatch, jit_compile
from gaitwright.jit.call_pacing import CallPacer, initial_step_count
from gaitwright.linalg.large_systems import raise_pending_exception
from gaitwright.mechanism.evaluation import (
    copy_values,
    evaluate_position,
    evaluate_powers,
    new_workspace,
    update_signals,
)
from gaitwright.mechanism.history_parts import parts_with_history, record_step_end
from gaitwright.mechanism.kkt import (
    build_kkt,
    factor_kkt,
    fill_kkt,
    find_singular_row,
    solve_accelerations,
    solve_kkt,
    store_reference_pivots,
)
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.pose_assembly import scaled_weight
from gaitwright.mechanism.projection import LAST_STEP_RESIDUAL, project_position, project_velocity
from gaitwright.mechanism.tables import Array
from gaitwright.result.contact_episodes import ContactEpisode, approach_speed_warnings
from gaitwright.result.energy_balance import spline_scales
from gaitwright.result.evidence import RunEvidence
from gaitwright.result.files.snapshots import Snapshot, offer_snapshot
from gaitwright.result.outputs import StateHistory
from gaitwright.result.result import Result
from gaitwright.result.state_storage import PIECE_BYTES, OutputRecorder, StateRecorder, StoredOutputs, select_recorder

SINGULAR_VALUE_WARNING_RATIO = 0.01
"""A pose is flagged when the smallest singular value of Phi_q falls below this fraction of its largest in the run."""
MAX_PREDICTOR_CORRECTION = 0.2
"""Largest correction of a predicted coordinate, in its scale; after a larger one the sample may be on another branch."""
MAX_VELOCITY_CHANGE_RATIO = 0.25
"""Relative change of velocities in a part of an interval above which the motion may have changed to another branch."""
MIN_INTERVAL_PART = 2.0**-12
"""Smallest part of a sampling interval that is tried in a step towards the next sample."""


@jit_compile
def smallest_singular_value(s, w, kkt, weight, x):
    """Smallest singular value of Phi_q in scaled coordinates, by inverse iteration on Phi_q W^-1 Phi_q^T."""
    fill_kkt(s, w, kkt, weight)
    if factor_kkt(kkt) >= 0:
        return 0.0
    value = 0.0
    for _ in range(8):
        norm = 0.0
        for k in range(s.m):
            norm += x[k] * x[k]
        norm = np.sqrt(norm)
        kkt.rhs[: s.n] = 0.0
        for k in range(s.m):
            kkt.rhs[s.n + k] = x[k] / norm
        solve_kkt(kkt)
        growth = 0.0
        for k in range(s.m):
            x[k] = -kkt.rhs[s.n + k]
            growth += x[k] * x[k]
        before, value = value, 1.0 / np.sqrt(np.sqrt(growth))
        if abs(value - before) < 1e-3 * value:
            break
    return value


@jit_compile
def determinant_sign(s, w, A):
    """Sign of det Phi_q, with the Phi_q in w: it differs between two branches that nearly meet, as next to a change point.
    A: (n, n), work matrix of the elimination, which skips zeros (most entries)."""
    n = s.n
    A[:] = 0.0
    for k in range(s.jac_row.size):
        if s.jac_row[k] < n and s.jac_col[k] < n:
            A[s.jac_row[k], s.jac_col[k]] += w.jac[k]
    sign = 1.0
    for k in range(n):
        best = k
        for r in range(k + 1, n):
            if abs(A[r, k]) > abs(A[best, k]):
                best = r
        if A[best, k] == 0.0:
            return 0.0
        if best != k:
            sign = -sign
            for c in range(k, n):
                A[k, c], A[best, c] = A[best, c], A[k, c]
        if A[k, k] < 0.0:
            sign = -sign
        for r in range(k + 1, n):
            if A[r, k] != 0.0:
                factor = A[r, k] / A[k, k]
                for c in range(k + 1, n):
                    A[r, c] -= factor * A[k, c]
    return sign


@jit_compile
def _follow_samples(s, w, kkt, weight, scale, times, q, v, a, lam, power, sigma, begin, stop, side):
    """Fill the samples begin..stop-1, each from the previous one; return the index of a failed sample, or -1."""
    x = np.ones(s.m)
    previous_pose = np.empty(s.n + 1)
    speed = np.empty(s.n + 1)
    rise = np.empty(s.n + 1)
    trial = np.zeros(s.n + 1)
    room = np.empty((s.n, s.n))
    last = np.empty(s.n + 1)
    last_rise = np.empty(s.n + 1)
    for k in range(begin, stop):
        copy_values(q[max(k - 1, 0)], previous_pose)
        copy_values(v[max(k - 1, 0)], speed)
        copy_values(a[max(k - 1, 0)], rise)
        t = times[max(k - 1, 0)]
        part = 1.0
        span = times[k] - t
        # A change of side next to a change point means another branch, which smaller parts avoid. At an exact change point,
        # where branches cross, it changes however small the parts are: then the sample is repeated, straight on.
        doubtful, straight, before = False, False, side[0]
        while True:
            # predict from the motion so far, correct by Newton; use smaller parts if that jumps or fails
            dt = min(part * span, times[k] - t)
            for i in range(s.n):
                trial[i] = previous_pose[i] + dt * (speed[i] + 0.5 * dt * rise[i])
            update_signals(s, w, t + dt)
            gap = project_position(s, w, kkt, trial)
            jump = 0.0
            for i in range(s.n):
                jump = max(jump, abs(trial[i] - previous_pose[i] - dt * speed[i] - 0.5 * dt * dt * rise[i]) / scale[i])
            accepted = gap < LAST_STEP_RESIDUAL and (jump < MAX_PREDICTOR_CORRECTION or k == 0)
            turned = False
            if accepted:
                evaluate_position(s, w, trial)
                now = determinant_sign(s, w, room)
                turned = k > 0 and not straight and now * side[0] < 0.0
                doubtful = doubtful or turned
            if not accepted or turned:
                part *= 0.5
                if part >= MIN_INTERVAL_PART:
                    continue
            else:
                copy_values(speed, last)
                copy_values(rise, last_rise)
                # The second solution refines the first, as `refine_reactions` does: it removes rounding errors of an
                # elimination without pivoting.
                accepted = project_velocity(s, w, kkt, trial, speed) and project_velocity(s, w, kkt, trial, speed)
                accepted = accepted and solve_accelerations(s, w, kkt, t + dt, trial, speed, 0.0, 0.0, rise, lam[k]) < 0
                refine_reactions(s, w, kkt, rise, lam[k])
                total = 0.0
                for i in range(s.n):
                    total += abs(trial[i]) + abs(speed[i]) + abs(rise[i])
                accepted = accepted and total < math.inf  # False for NaN
                change, size = 0.0, 0.0
                for i in range(s.n):
                    change = max(change, abs(speed[i] - last[i]) / scale[i])
                    size = max(size, (abs(speed[i]) + abs(last[i])) / scale[i])
                if accepted and doubtful and not straight and change > MAX_VELOCITY_CHANGE_RATIO * size:
                    # changed to a crossing branch: no part is small enough for its corner
                    part *= 0.5
                    turned = True
                    if part >= MIN_INTERVAL_PART:
                        copy_values(last, speed)
                        copy_values(last_rise, rise)
                        continue
                elif now != 0.0:
                    side[0] = now
            if accepted and not turned:
                copy_values(trial, previous_pose)
                t += dt
                if t >= times[k] - 1e-12 * abs(span):
                    break
                part = min(2.0 * part, 1.0)
            elif doubtful and not straight:
                copy_values(q[k - 1], previous_pose)
                copy_values(v[k - 1], speed)
                copy_values(a[k - 1], rise)
                t, part, straight, side[0] = times[k - 1], 1.0, True, before
            else:
                return k
        if k == 0:
            store_reference_pivots(s, kkt)
        elif find_singular_row(s, kkt) >= 0:
            return k
        copy_values(previous_pose, q[k])
        copy_values(speed, v[k])
        copy_values(rise, a[k])
        evaluate_powers(s, w, q[k], v[k], lam[k])
        copy_values(w.power, power[k])
        sigma[k] = smallest_singular_value(s, w, kkt, weight, x)
    return -1


def follow_drives(
    mechanism: Mechanism,
    times: Any,
    *,
    analysis: str = "kinematic",
    begin: StartState | None = None,
    progress: Any = None,
    document: dict[str, Any] | None = None,
    budget: Budget | None = None,
    store: Any = None,
    along: Result | None = None,
) -> Result:
    """Motion and reactions at the given times (s, increasing; the start pose is that of the first).

    store: outputs to store, as in forward dynamics. along: a result of the same mechanism at the same times; its contacts
    may have other laws: the prescribed motion is taken from it if it stored all states."""
    times = _check_times(times)
    precompile_kinematics(mechanism.system.contacts.count > 0)
    begin = begin or find_start(mechanism, float(times[0]))
    mechanism = begin.mechanism
    _require_no_freedom(mechanism)
    require_regular_start(mechanism, begin)
    stopwatch, budget, count = Stopwatch(), budget or Budget(), times.size
    motion = _DrivenMotion(begin, times, analysis, document, stopwatch)
    motion.q[0] = begin.q
    keeper = select_recorder(mechanism, store, count, begin.t, float(times[-1]), document, motion.warnings)
    if along is not None and along.stored is None:
        motion.copy(along)
    if mechanism.system.contacts.count:
        require_contacts(mechanism, rigid=False)
        motion.follow_contacts()
    failed, interrupted, one_by_one = -1, False, bool(parts_with_history(mechanism))

    def report_progress(complete: int) -> None:
        offer_snapshot(motion.snapshot)
        if progress is not None:
            progress(complete / count)

    try:
        while failed < 0 and motion.complete < count and not budget.spent():
            if motion.followed < count:
                stop = min(motion.followed + min(1 if one_by_one else motion.pace.begin(), budget.steps_left), count)
                failed = motion.follow(stop)
                if one_by_one and failed < 0:
                    record_step_end(mechanism, motion.q[stop - 1], float(times[stop - 1]))
                elif not one_by_one:
                    motion.pace.end()
                raise_pending_exception()
                motion.followed = budget.steps = stop if failed < 0 else failed
            if motion.contacts is not None:
                motion.contacts.advance(motion.followed, budget, report_progress)
            else:
                report_progress(motion.followed)
    except KeyboardInterrupt:
        interrupted = True
    if motion.contacts is not None and motion.complete < motion.followed:
        failed = -1  # the motion is computed further than its contact forces
    complete = motion.complete
    if interrupted and not complete and motion.contacts is not None:
        raise KeyboardInterrupt
    result = motion.result(keeper, interrupted)
    partial = result if complete else None
    if failed < 0 and complete < count and not interrupted:
        raise budget.failure(float(times[max(complete - 1, 0)]), partial)
    if failed >= 0:
        motion.raise_failure(failed, partial)
    return result


def _check_times(times: Any) -> Array:
    """The times as an array. Raises ModelError unless they are finite and increase."""
    times = np.ascontiguousarray(ErrorContext(field="times").numbers(times, "increasing times, s"))
    if times.ndim != 1 or times.size == 0 or not np.all(np.isfinite(times)) or np.any(np.diff(times) <= 0):
        ErrorContext(field="times").fail("the times of a kinematic analysis must be finite and increase")
    return times


def _require_no_freedom(mechanism: Mechanism) -> None:
    """Raise ModelError if the drives do not determine the motion."""
    free = mechanism.system.n - mechanism.system.m
    if free > 0:
        ErrorContext(f"model '{mechanism.name}'").fail(
            f"the drives leave {free} degree{'s' if free > 1 else ''} of freedom free",
            expected=f"{free} more drive{'s' if free > 1 else ''} for a kinematic analysis, or a forward analysis",
        )


class _DrivenMotion:
    """Motion that the drives determine, at given times. q, v, a, lam, power: rows of all times, as in `StateHistory`. sigma:
    smallest singular values of Phi_q. followed: number of rows with a motion; complete: also with contact forces."""

    def __init__(
        self, begin: StartState, times: Array, analysis: str, document: dict[str, Any] | None, stopwatch: Stopwatch
    ):
        mechanism, count = begin.mechanism, times.size
        s = mechanism.system
        self.begin, self.mechanism, self.s, self.times = begin, mechanism, s, times
        self.analysis, self.document, self.stopwatch = analysis, document, stopwatch
        self.w, self.kkt = new_workspace(s), build_kkt(s)
        require_result_memory(count, 3 * s.n + s.m_all + 2 * self.w.power.size + self.w.memory.size, "times", count)
        self.q, self.v, self.a = (np.zeros((count, s.n + 1)) for _ in range(3))
        self.lam, self.power = np.zeros((count, s.m_all)), np.zeros((count, self.w.power.size))
        self.sigma, self.side = np.zeros(count), np.zeros(1)
        self.weight = scaled_weight(s, mechanism.scale)
        self.warnings = [*mechanism.warnings, *begin.warnings]
        self.followed, self.pace = 0, CallPacer(initial_step_count(s.n))
        self.contacts: PrescribedContacts | None = None

    def copy(self, along: Result) -> None:
        """Take the motion of a result with all states; call it before `follow_contacts`, which keeps references."""
        (self.q, self.v, self.a), self.sigma = along.motion[1:4], along.steps["sigma"]
        self.followed = self.times.size

    def follow_contacts(self) -> None:
        """Compute contact forces along the motion."""
        rows = self.q, self.v, self.a, self.lam, self.power
        self.contacts = PrescribedContacts(self.mechanism, self.times, *rows)

    def follow(self, stop: int) -> int:
        """Compute the motion up to a row; return the index of a failed sample, or -1."""
        rows = self.q, self.v, self.a, self.lam, self.power, self.sigma
        return _follow_samples(
            self.s,
            self.w,
            self.kkt,
            self.weight,
            self.mechanism.scale,
            self.times,
            *rows,
            self.followed,
            stop,
            self.side,
        )

    @property
    def complete(self) -> int:
        """Number of complete rows."""
        return self.followed if self.contacts is None else min(self.followed, self.contacts.done)

    def states(self, count: int) -> StateHistory:
        """The first rows as states."""
        rows = slice(0, count)
        times, power = self.times[rows], self.power[rows]
        if self.contacts is None:
            work, memory = _integrate_powers(times, power), np.zeros((count, 0))
        else:
            work, memory = self.contacts.work[rows], self.contacts.memory[rows]
        columns = self.q[rows], self.v[rows], self.a[rows], self.lam[rows]
        return minimise_reaction_norm(self.mechanism, StateHistory(times, *columns, work, memory))

    def evidence(self, count: int, warnings: list[str], interrupted: bool = False) -> RunEvidence:
        return RunEvidence(
            analysis=self.analysis,
            method="newton",
            stabilisation="exact",
            steps=count,
            wall_seconds=self.stopwatch.seconds(),
            redundant=list(self.begin.redundant),
            initial_strains=self.begin.initial_strains(),
            smallest_singular_value=float(self.sigma[:count].min()) if count else None,
            interrupted=interrupted,
            warnings=warnings,
        )

    def episodes(self) -> list[ContactEpisode]:
        return self.contacts.episodes() if self.contacts is not None and self.contacts.done else []

    def snapshot(self) -> Snapshot:
        """The motion so far, for an observer."""
        count, end = self.complete, float(self.times[-1])
        evidence, steps = self.evidence(count, list(self.warnings)), {"sigma": self.sigma[:count]}
        return Snapshot(
            self.mechanism, self.states(count), evidence, self.document, end, episodes=self.episodes(), steps=steps
        )

    def result(self, keeper: StateRecorder | OutputRecorder, interrupted: bool) -> Result:
        """The result of the complete rows, with warnings about contacts and nearly singular poses."""
        count, closed = self.complete, self.episodes()
        self.warnings += approach_speed_warnings(self.mechanism, closed)
        if interrupted:
            time = self.times[max(count - 1, 0)]
            self.warnings.append(f"interrupted at t = {time:.6g} s; what was computed is kept")
        motion, sigma = self.states(count), self.sigma[:count]
        self.warnings += find_near_singular_poses(self.mechanism, self.times[:count], self.q[:count], sigma)
        evidence = self.evidence(count, self.warnings, interrupted)
        motion, stored = _pass_to_keeper(motion, keeper)
        return Result(self.mechanism, motion, evidence, self.document, closed, sigma=sigma, stored=stored)

    def raise_failure(self, failed: int, partial: Result | None) -> None:
        """Raise the exception for a failed row: an undefined signal or a dead point."""
        mechanism, time, before = self.mechanism, float(self.times[failed]), float(self.times[max(failed - 1, 0)])
        if undefined := mechanism.undefined_signal(before, time):
            raise DidNotConverge(
                f"{undefined} has no finite value or rate here", time=time, partial=partial,
                suggestion="change its expression or end the run earlier",
            )  # fmt: skip
        dead_point = find_dead_point(mechanism, self.q[max(failed - 1, 0)], before)
        row = find_singular_row(self.s, self.kkt)
        names = tuple(dead_point.joints) if dead_point else ()
        if not names and 0 <= row < self.s.m:
            names = (mechanism.constraint_of_row(row).name,)
        raise SingularPose(
            "the mechanism cannot follow its drives beyond this time: it reaches a dead point or the end of its range"
            + (f"; {dead_point.sentence()}" if dead_point else ""),
            time=time, joints=names, partial=partial,
            suggestion="check the range of the drives against the lengths of these links",
        )  # fmt: skip


def _pass_to_keeper(
    motion: StateHistory, keeper: StateRecorder | OutputRecorder
) -> tuple[StateHistory, StoredOutputs | None]:
    """Pass a motion to the recorder and return the stored data."""
    if isinstance(keeper, StateRecorder) or not motion.t.size:
        return motion, None
    rows = max(int(PIECE_BYTES / 8.0 / sum(x[0].size for x in motion)), 2)
    for first in range(0, motion.t.size, rows):
        keeper.take(StateHistory(*(x[first : first + rows] for x in motion)))
    return keeper.result()


def _integrate_powers(t: Any, power: Any) -> Any:
    """Works: integrals of a cubic spline through the powers."""
    from scipy.interpolate import CubicSpline

    if t.size < 4 or power.shape[1] == 0:
        steps = 0.5 * (power[1:] + power[:-1]) * np.diff(t)[:, None]
        return np.concatenate([np.zeros((min(t.size, 1), power.shape[1])), np.cumsum(steps, axis=0)])
    span, size = spline_scales(t, power)
    return CubicSpline(t / span, power / size).antiderivative()(t / span) * (size * span)


def find_near_singular_poses(mechanism: Mechanism, t: Any, q: Any, sigma: Any) -> list[str]:
    """A warning for each passage near a singular pose: its time, its loop and links, and the smallest singular value of Phi_q
    there relative to its largest value in the run."""
    if sigma.size == 0:
        return []
    low = sigma < SINGULAR_VALUE_WARNING_RATIO * sigma.max()
    edges = np.flatnonzero(np.diff(np.r_[False, low, False].astype(int)))
    warnings = []
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        k = first + int(np.argmin(sigma[first:last]))
        dead_point = find_dead_point(mechanism, q[k], float(t[k]))
        loop = f": {dead_point.sentence()}" if dead_point else ""
        warnings.append(
            f"nearly singular pose at t = {t[k]:.6g} s{loop} (smallest singular value {sigma[k]:.3g}, at most "
            f"{sigma.max():.3g} in the run)"
        )
    return warnings
