"""Contacts along a motion that the drives prescribe, which contacts cannot change: what they do between the samples, and
reactions, powers and works with their forces."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gaitwright.analyse.budget import Budget
from gaitwright.analyse.contact_memory import look, start_memory, touching
from gaitwright.analyse.reactions import refine
from gaitwright.compiled import compiled
from gaitwright.compiled.pace import Pace, first_steps
from gaitwright.contact.events import settle, watch
from gaitwright.contact.history import begin_episode, fetch_log, is_log_full, record
from gaitwright.errors import DidNotConverge
from gaitwright.integrate.base import T, new_run
from gaitwright.result.touches import Episode, episodes
from gaitwright.system.evaluate import copy, powers, workspace
from gaitwright.system.hermite import state_between
from gaitwright.system.kkt import accelerate, kkt
from gaitwright.system.library import raise_pending
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.project import BY_MASS, project
from gaitwright.system.tables import Array

ATTEMPTS = 20_000
"""Parts between samples, at the events of contacts, that are tried before Python has a look: some tenths of a second."""
ROUNDING = 1e-12
"""Of the time between samples: what is left then is a sum of parts that does not quite end."""


@compiled
def _exact(s, w, kkt, t, q, v, a, lam):
    """The state at time t that the drives prescribe, near the guess q."""
    project(s, w, kkt, BY_MASS, t, q, v)
    accelerate(s, w, kkt, t, q, v, 0.0, 0.0, a, lam)


@compiled
def _power(s, w, kkt, run, t, q, v, power):
    accelerate(s, w, kkt, t, q, v, 0.0, 0.0, run.aux[0], run.stage_lam[0])
    powers(s, w, q, v, run.stage_lam[0])
    copy(w.power, power)


@compiled
def touch_along(s, w, kkt, run, times, q, v, a, lam, power, work, memory, begin, stop, most):
    """Contacts along a motion that the drives prescribe, which they cannot change: their events between the samples, and
    reactions, powers and works with their forces. Fills the samples begin..stop-1. The index of one for whose history there
    was no room, or that `most` attempts did not reach, or -1; the next call goes on with it at run.clock[T]."""
    tries = 0
    for k in range(begin, stop):
        if k == 0:
            copy(w.memory, memory[0])
        else:
            t = run.clock[T]
            if t <= times[k - 1]:
                t = times[k - 1]
                copy(q[k - 1], run.q)
                copy(v[k - 1], run.v)
                copy(a[k - 1], run.a)
                copy(work[k - 1], run.work)
                copy(power[k - 1], run.power)
            h = times[k] - t
            while t < times[k]:
                tries += 1
                if is_log_full(run) or tries > most:
                    return k
                last = times[k] - t - h <= ROUNDING * (times[k] - times[k - 1])
                if last:
                    h = times[k] - t
                    copy(q[k], run.q1)
                    copy(v[k], run.v1)
                    copy(a[k], run.a1)
                _power(s, w, kkt, run, t + h, run.q1, run.v1, run.power1)
                state_between(s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, 0.5, h, run.stage_q[0], run.stage_v[0])
                _power(s, w, kkt, run, t + 0.5 * h, run.stage_q[0], run.stage_v[0], run.inner_power[0])
                for i in range(run.work.size):
                    mean = (run.power[i] + 4.0 * run.inner_power[0, i] + run.power1[i]) / 6.0
                    run.work1[i] = run.work[i] + h * mean
                part = watch(s, w, kkt, run, t, h, 0, 0.0)
                if part != 1.0:
                    state_between(
                        s.n, run.q, run.v, run.a, run.q1, run.v1, run.a1, part, h, run.stage_q[0], run.stage_v[0]
                    )
                    h *= part
                    copy(run.stage_q[0], run.q1)
                    copy(run.stage_v[0], run.v1)
                    _exact(s, w, kkt, t + h, run.q1, run.v1, run.a1, run.lam1)
                    continue
                record(s, w, run, t, h)
                settle(s, w, run, t + h, h)
                copy(run.q1, run.q)
                copy(run.v1, run.v)
                copy(run.a1, run.a)
                copy(run.work1, run.work)
                t = times[k] if last else t + h
                run.clock[T] = t
                h = times[k] - t
                if not last:  # at a sample it is computed below, with the reactions
                    _power(s, w, kkt, run, t, run.q, run.v, run.power)
            copy(run.work, work[k])
            copy(w.memory, memory[k])
        accelerate(s, w, kkt, times[k], q[k], v[k], 0.0, 0.0, run.aux[0], lam[k])
        refine(s, w, kkt, run.aux[0], lam[k])
        powers(s, w, q[k], v[k], lam[k])
        copy(w.power, power[k])
    return -1


class ContactsAlong:
    """Forces of contacts along a motion that comes block by block. Puts them into lam and power of its rows.

    times, q, v, a, lam, power: those of the whole motion, row by row as `Motion` has them; the first rows are filled before
    `advance`. work, memory: as in Motion, filled here. done: number of rows with their forces."""

    def __init__(self, mechanism: Mechanism, times: Array, q: Array, v: Array, a: Array, lam: Array, power: Array):
        s, w = mechanism.system, workspace(mechanism.system)
        self.mechanism, self.s, self.w, self.kkt = mechanism, s, w, kkt(s)
        self.times, self.rows = times, (q, v, a, lam, power)
        self.work, self.memory = np.zeros((times.size, power.shape[1])), np.zeros((times.size, w.memory.size))
        self.run = new_run(s, 1, 1, mechanism.scale)
        self.log: list[Array] = []
        self.done, self.pace = 0, Pace(first_steps(s.n))

    def _begin(self) -> None:
        s, w, run, t = self.s, self.w, self.run, float(self.times[0])
        q, v = self.rows[0][0], self.rows[1][0]
        w.memory[:] = start_memory(self.mechanism, w, t, q, v)
        run.seen[:] = run.seen1[:] = look(self.mechanism, w, t, q, v).ravel()
        run.clock[T] = t
        copy(q, run.q1)
        copy(v, run.v1)
        for c in touching(s, w):
            begin_episode(s, w, run, c, t)

    def advance(self, stop: int, budget: Budget, tell: Callable[[int], None]) -> None:
        """Forces of the rows before `stop`; of fewer when the wall time of the budget is used up.

        tell: called with the number of rows that are done."""
        if not self.done and stop:
            self._begin()
        while self.done < stop and not (self.done and budget.is_late()):
            end, before = min(self.done + self.pace.begin(), stop), (self.done, float(self.run.clock[T]))
            place = (self.times, *self.rows, self.work, self.memory, self.done, end, ATTEMPTS)
            late = touch_along(self.s, self.w, self.kkt, self.run, *place)
            self.pace.end()
            raise_pending()
            self.done = end if late < 0 else late
            self.log.append(fetch_log(self.run))
            if before == (self.done, float(self.run.clock[T])):
                raise DidNotConverge("an event of the contacts cannot be located", time=before[1],
                                     suggestion="look at the surfaces and at what touches them")  # fmt: skip
            tell(self.done)

    def episodes(self) -> list[Episode]:
        """Those of the contacts so far."""
        run = self.run
        return episodes(self.mechanism, np.concatenate([*self.log, run.episode[touching(self.s, self.w)]]))
