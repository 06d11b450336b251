"""Contacts along a motion that drives prescribe and contacts cannot change: contact events between the samples, and reactions,
powers and works that include the contact forces."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gaitwright._core.errors import DidNotConverge
from gaitwright.analysis.budget import Budget
from gaitwright.analysis.initial_contact_state import find_touching_contacts, make_initial_memory, observe_contacts_at
from gaitwright.analysis.reactions import refine_reactions
from gaitwright.contact.events import check_contact_events, commit_contact_events
from gaitwright.contact.history import begin_episode, fetch_log, is_log_full, record_step
from gaitwright.integrate.base import TIME, new_integration_state
from gaitwright.jit import jit_compile
from gaitwright.jit.call_pacing import CallPacer, initial_step_count
from gaitwright.linalg.large_systems import raise_pending_exception
from gaitwright.mechanism.evaluation import copy_values, evaluate_powers, new_workspace
from gaitwright.mechanism.hermite_interpolation import interpolate_step_state
from gaitwright.mechanism.kkt import build_kkt, solve_accelerations
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.projection import MASS_METRIC, project_state
from gaitwright.mechanism.tables import Array
from gaitwright.result.contact_episodes import ContactEpisode, build_episodes

MAX_SUBSTEPS_PER_CALL = 20_000
"""Maximum number of sub-steps between samples, at contact events, before control returns to Python: some tenths of a second."""
INTERVAL_END_RTOL = 1e-12
"""Rest of a sampling interval, relative to its length, that counts as rounding error of the sum of its sub-steps."""


@jit_compile
def _compute_prescribed_state(s, w, kkt, t, q, v, a, lam):
    """State at time t that the drives prescribe, near the initial guess q."""
    project_state(s, w, kkt, MASS_METRIC, t, q, v)
    solve_accelerations(s, w, kkt, t, q, v, 0.0, 0.0, a, lam)


@jit_compile
def _compute_powers(s, w, kkt, run, t, q, v, power):
    solve_accelerations(s, w, kkt, t, q, v, 0.0, 0.0, run.aux[0], run.stage_lam[0])
    evaluate_powers(s, w, q, v, run.stage_lam[0])
    copy_values(w.power, power)


@jit_compile
def advance_prescribed_contacts(s, w, kkt, run, times, q, v, a, lam, power, work, memory, begin, stop, max_tries):
    """Advance contacts along a motion that the drives prescribe: locate their events between the samples, and compute
    reactions, powers and works with the contact forces. Fills the samples begin..stop-1. Returns -1, or the index of a sample
    whose history did not fit into the log or that `max_tries` attempts did not reach; the next call continues with it at
    run.clock[TIME]."""
    tries = 0
    for k in range(begin, stop):
        if k == 0:
            copy_values(w.memory, memory[0])
        else:
            t = run.clock[TIME]
            if t <= times[k - 1]:
                t = times[k - 1]
                copy_values(q[k - 1], run.q)
                copy_values(v[k - 1], run.v)
                copy_values(a[k - 1], run.a)
                copy_values(work[k - 1], run.work)
                copy_values(power[k - 1], run.power)
            h = times[k] - t
            while t < times[k]:
                tries += 1
                if is_log_full(run) or tries > max_tries:
                    return k
                last = times[k] - t - h <= INTERVAL_END_RTOL * (times[k] - times[k - 1])
                if last:
                    h = times[k] - t
                    copy_values(q[k], run.q1)
                    copy_values(v[k], run.v1)
                    copy_values(a[k], run.a1)
                _compute_powers(s, w, kkt, run, t + h, run.q1, run.v1, run.power1)
                interpolate_step_state(
                    s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, 0.5, h, run.stage_q[0], run.stage_v[0]
                )
                _compute_powers(s, w, kkt, run, t + 0.5 * h, run.stage_q[0], run.stage_v[0], run.inner_power[0])
                for i in range(run.work.size):
                    mean = (run.power[i] + 4.0 * run.inner_power[0, i] + run.power1[i]) / 6.0
                    run.work1[i] = run.work[i] + h * mean
                part = check_contact_events(s, w, kkt, run, t, h, 0, 0.0)
                if part != 1.0:
                    interpolate_step_state(
                        s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, part, h, run.stage_q[0], run.stage_v[0]
                    )
                    h *= part
                    copy_values(run.stage_q[0], run.q1)
                    copy_values(run.stage_v[0], run.v1)
                    _compute_prescribed_state(s, w, kkt, t + h, run.q1, run.v1, run.a1, run.lam1)
                    continue
                record_step(s, w, run, t, h)
                commit_contact_events(s, w, run, t + h, h)
                copy_values(run.q1, run.q)
                copy_values(run.v1, run.v)
                copy_values(run.a1, run.a)
                copy_values(run.work1, run.work)
                t = times[k] if last else t + h
                run.clock[TIME] = t
                h = times[k] - t
                if not last:  # at a sample the powers are computed below, with the reactions
                    _compute_powers(s, w, kkt, run, t, run.q, run.v, run.power)
            copy_values(run.work, work[k])
            copy_values(w.memory, memory[k])
        solve_accelerations(s, w, kkt, times[k], q[k], v[k], 0.0, 0.0, run.aux[0], lam[k])
        refine_reactions(s, w, kkt, run.aux[0], lam[k])
        evaluate_powers(s, w, q[k], v[k], lam[k])
        copy_values(w.power, power[k])
    return -1


class PrescribedContacts:
    """Contact forces along a motion that is supplied block by block. Adds them to the rows of lam and power.

    times, q, v, a, lam, power: arrays of the whole motion, as in `StateHistory`; the first rows are filled before `advance`.
    work, memory: as in `StateHistory`, filled here. done: number of rows with contact forces."""

    def __init__(self, mechanism: Mechanism, times: Array, q: Array, v: Array, a: Array, lam: Array, power: Array):
        s, w = mechanism.system, new_workspace(mechanism.system)
        self.mechanism, self.s, self.w, self.kkt = mechanism, s, w, build_kkt(s)
        self.times, self.rows = times, (q, v, a, lam, power)
        self.work, self.memory = np.zeros((times.size, power.shape[1])), np.zeros((times.size, w.memory.size))
        self.run = new_integration_state(s, 1, 1, mechanism.scale)
        self.log: list[Array] = []
        self.done, self.pace = 0, CallPacer(initial_step_count(s.n))

    def _begin(self) -> None:
        s, w, run, t = self.s, self.w, self.run, float(self.times[0])
        q, v = self.rows[0][0], self.rows[1][0]
        w.memory[:] = make_initial_memory(self.mechanism, w, t, q, v)
        run.seen[:] = run.seen1[:] = observe_contacts_at(self.mechanism, w, t, q, v).ravel()
        run.clock[TIME] = t
        copy_values(q, run.q1)
        copy_values(v, run.v1)
        for c in find_touching_contacts(s, w):
            begin_episode(s, w, run, c, t)

    def advance(self, stop: int, budget: Budget, tell: Callable[[int], None]) -> None:
        """Compute the contact forces of the rows before `stop`, or of fewer if the wall time of the budget is used up.

        tell: callback, called with the number of complete rows."""
        if not self.done and stop:
            self._begin()
        while self.done < stop and not (self.done and budget.is_late()):
            end, before = min(self.done + self.pace.begin(), stop), (self.done, float(self.run.clock[TIME]))
            place = (self.times, *self.rows, self.work, self.memory, self.done, end, MAX_SUBSTEPS_PER_CALL)
            late = advance_prescribed_contacts(self.s, self.w, self.kkt, self.run, *place)
            self.pace.end()
            raise_pending_exception()
            self.done = end if late < 0 else late
            self.log.append(fetch_log(self.run))
            if before == (self.done, float(self.run.clock[TIME])):
                raise DidNotConverge("an event of the contacts cannot be located", time=before[1],
                                     suggestion="check the surfaces and the parts that touch them")  # fmt: skip
            tell(self.done)

    def episodes(self) -> list[ContactEpisode]:
        """Contact episodes so far."""
        run = self.run
        return build_episodes(
            self.mechanism, np.concatenate([*self.log, run.episode[find_touching_contacts(self.s, self.w)]])
        )
