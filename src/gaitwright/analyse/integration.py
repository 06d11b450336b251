"""One run of a compiled method, piece by piece, and the words for its failures."""

from __future__ import annotations

import math
import time as clock
from typing import Any

import numpy as np

from gaitwright.analyse.budget import Budget
from gaitwright.analyse.contact_memory import look, start_memory, touching
from gaitwright.analyse.dead_points import find_dead_point
from gaitwright.analyse.start import Start, loose_body
from gaitwright.compiled.pace import first_steps
from gaitwright.contact.force_events import begin_and_end
from gaitwright.contact.history import begin_episode, fetch_log
from gaitwright.errors import AnalysisError, DidNotConverge, SingularPose
from gaitwright.integrate import through_contact
from gaitwright.integrate.base import (
    DIVERGED,
    NO_IMPULSE,
    NOT_FINITE,
    OUTPUTS,
    REJECTED,
    SINGULAR,
    START,
    STATUS,
    STEPS,
    STORED,
    UNPROJECTED,
    WHERE,
    H,
    Method,
    Options,
    Run,
    T,
    new_run,
)
from gaitwright.result.outputs import Motion
from gaitwright.result.result import Result
from gaitwright.system.evaluate import workspace
from gaitwright.system.kkt import kkt
from gaitwright.system.library import raise_pending
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.stages import stages
from gaitwright.system.tables import System

EXPLODED = 1e8
"""Coordinates this many times the size of the mechanism are no pose: the motion has exploded."""


class Integration:
    """One run of a compiled method, chunk by chunk."""

    def __init__(
        self,
        mechanism: Mechanism,
        method: Method,
        options: Options,
        begin: Start,
        rows: int,
        budget: Budget,
        partitioned: bool = False,
    ):
        s: System = mechanism.system
        self.budget = budget
        self.s, self.method, self.options = s, method, options
        self.work = workspace(s)
        self.kkt = (kkt(s, tangent=True), kkt(s)) if method.tangent else kkt(s)
        self.stages = self._stages()
        self.t_start = begin.t
        self.run: Run = new_run(s, method.stages, rows, mechanism.scale, partitioned)
        self.run.q1[:], self.run.v1[:] = begin.q, begin.v
        self.log: list[Any] = []
        if method.workspace is None and (s.contacts.count or begin_and_end(s)):
            self.run.calls[:] = [
                call.address for call in through_contact.calls(begin_and_end(s), bool(self.run.crowds))
            ]
        if s.contacts.count:
            self._begin_contacts(mechanism, begin)

    def _begin_contacts(self, mechanism: Mechanism, begin: Start) -> None:
        run, w, t = self.run, self.work, begin.t
        if self.method.workspace is not None:
            return  # rigid contacts are found at every step anew
        w.memory[:] = start_memory(mechanism, w, t, begin.q, begin.v)
        run.seen[:] = run.seen1[:] = look(mechanism, w, t, begin.q, begin.v).ravel()
        for c in touching(self.s, w):
            begin_episode(self.s, w, run, c, t)

    def history(self) -> Any:
        """Episodes of the contacts so far, (n, columns of contact/events.py)."""
        if not self.s.contacts.count:
            return self.run.log
        self.log.append(fetch_log(self.run))
        return np.concatenate([*self.log, self.run.episode[touching(self.s, self.work)]])

    def _stages(self) -> Any:
        count = self.method.coupled_stages
        if self.method.workspace is not None:
            return self.method.workspace(self.s)
        if count == 0:
            return 0
        if self.method.adaptive:
            one = stages(self.s, 1)
            return (stages(self.s, count) if count > 1 else one, one)
        return stages(self.s, count)

    def chunks(self, until: float, h: float, every: int, output_step: float | None, max_step: float | None) -> Any:
        """Yield (Motion, (step sizes, Newton counts)) until the end is reached or a step fails."""
        run, s = self.run, self.s
        run.clock[T] = self.t_start
        patience, done = first_steps(s.n), False  # steps until Python has a look
        span = until - self.t_start
        run.clock[H] = min(span / 100.0, 1e-4) if span > 0 else 0.0
        interval = span / 1000.0 if output_step is None else min(output_step, span)
        run.clock[START] = self.t_start
        # A last interval shorter than a billionth of the others is rounding of their number.
        run.count[OUTPUTS] = max(1, math.ceil(span / interval - 1e-9)) if interval > 0 else 0
        while not done:
            before = clock.perf_counter()
            patience = max(1, min(patience, self.budget.steps_left))
            common = (s, self.work, self.kkt, self.stages, run, self.options)
            if self.method.adaptive:
                largest = min(max_step or span, span)
                if interval > 0:
                    # so that the outputs inside a step fit into the buffer
                    largest = min(largest, interval * (run.out_t.size // 2))
                done = self.method.advance(*common, until, interval, largest, patience)
            else:
                done = self.method.advance(*common, self.t_start, until, h, every, patience)
            raise_pending()
            took = clock.perf_counter() - before
            patience = int(min(max(patience * min(4.0, 0.2 / max(took, 1e-6)), 1), 10_000_000))
            self.budget.steps = int(run.count[STEPS] + run.count[REJECTED])
            yield self.empty_buffer()
            done = done or bool(self.budget.spent())

    def empty_buffer(self) -> Any:
        run, k = self.run, int(self.run.count[STORED])
        if k > run.out_t.size:
            raise RuntimeError(f"{k} outputs for a buffer of {run.out_t.size}: a mistake in Gaitwright")
        run.count[STORED] = 0
        if self.s.contacts.count:
            self.log.append(fetch_log(run))
        motion = Motion(
            run.out_t[:k].copy(), run.out_q[:k].copy(), run.out_v[:k].copy(), run.out_a[:k].copy(),
            run.out_lam[:k].copy(), run.out_work[:k].copy(), run.out_memory[:k].copy(),
        )  # fmt: skip
        return motion, (run.out_h[:k].copy(), run.out_newton[:k].copy())

    def stable_step(self, mechanism: Mechanism, partial: Result, step: float | None) -> str:
        """What to say about the largest step that an explicit method can take, if the one taken was longer."""
        if self.method.stable is None or step is None or not partial.motion.t.size:
            return ""
        from gaitwright.analyse.stability import largest_stable_step

        most = largest_stable_step(mechanism, partial.motion.q[0], float(partial.motion.t[0]), self.method.stable)
        if self.method.stable[0] == 0.0 and (most is None or most > step):
            return f" ({self.method.name} lets every vibration without damping grow)"
        if most is None or most > 2.0 * step:
            return ""
        return f" (the fastest vibration of this model asks for at most {most:.2g} s with {self.method.name})"

    def raise_failure(self, mechanism: Mechanism, partial: Result, step: float | None) -> None:
        """Turn the status of the run into an error that carries the partial result."""
        status, t = int(self.run.count[STATUS]), float(self.run.clock[T])
        if status == 0:
            return
        if undefined := mechanism.undefined_signal(t, t + 2.0 * float(step or self.run.clock[H])):
            # A load that is not a number makes every matrix after it look singular: it is the cause whatever the status.
            raise DidNotConverge(
                f"{undefined} has no finite value or rate from about here on", time=t, partial=partial,
                suggestion="change its expression or end the run earlier",
            )  # fmt: skip
        smaller = "take a smaller step" if step is not None else "loosen or tighten the tolerance"
        far = np.abs(partial.motion.q[-1:, : mechanism.n]) / mechanism.scale
        if status == SINGULAR and np.max(far, initial=0.0) > EXPLODED:
            status = NOT_FINITE  # the pivots are noise by now
        row, torn = int(self.run.count[WHERE]), ""
        if status == SINGULAR and row < 0 and _has_mass(mechanism, row + mechanism.system.n):
            # Newton's way led through a pose in which the energy of a solid has no value.
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
                why = loose_body(mechanism, row - mechanism.system.m)
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
                NO_IMPULSE: "no impulses of the rigid contacts were found: what touches may be jammed or unable to give way"
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
    """Whether M has an entry on the diagonal there."""
    s = mechanism.system
    return bool(np.any(s.mass[(s.mass_row == coordinate) & (s.mass_col == coordinate)] > 0.0))
