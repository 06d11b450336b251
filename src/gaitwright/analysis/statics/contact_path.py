"""Quasi-static paths with contacts of solids or history-dependent parts: equilibria at given times, each from the last.

Forces with a kink at every point form no smooth curve to follow (quasi_static_path.py). Newton steps along the forces lead from
one load step to the next instead, shortened until the forces do work (equilibrium_search.py); they detect points that close and
open. A load step that fails is halved. Contacts keep their state from step to step (contact_equilibrium.py), so a path with
friction depends on its steps.

Work is the mean of the forces at both ends of a load step, times the straight displacement between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.errors import AnalysisError, DidNotConverge, OutOfBudget, SingularPose
from gaitwright.analysis.budget import Budget
from gaitwright.analysis.reactions import minimise_reaction_norm
from gaitwright.analysis.statics.equilibrium_search import EquilibriumSearch
from gaitwright.analysis.statics.friction_equilibrium import commit_bristles
from gaitwright.analysis.statics.resting_mechanism import MIN_REGULARISATION, NEWTON_STEP_RTOL, RestingMechanism
from gaitwright.jit import Stopwatch
from gaitwright.mechanism.evaluation import evaluate_motion as motion_at
from gaitwright.mechanism.evaluation import evaluate_powers
from gaitwright.mechanism.history_parts import parts_with_history, store_force_histories
from gaitwright.mechanism.tables import Array
from gaitwright.result.catalogue import OutputCatalogue
from gaitwright.result.evidence import RunEvidence
from gaitwright.result.files.snapshots import Snapshot, offer_snapshot
from gaitwright.result.outputs import StateHistory
from gaitwright.result.result import Result

MAX_STEP_HALVINGS = 10
"""Maximum number of halvings of a load step."""
HALVINGS_BEFORE_DRAG = 3
"""Number of halvings before friction is followed with artificial drag (friction_equilibrium.py), which takes ten times as
long as half a step."""
QUASI_STATIC_SPEED = 1e-9
"""Speed for the evaluation of powers: so small that forces that depend on speed have their value at rest."""
STOP_LOCATION_RTOL = 1e-9
"""Tolerance of the location of a stop, relative to a load step."""


class ContactPathState(NamedTuple):
    """An equilibrium on a path: time, pose, multipliers, contact memory afterwards, works so far, iterations."""

    t: float
    q: Array
    lam: Array
    memory: Array
    work: Array
    iterations: int


class ContactPath:
    """Path of equilibria that starts from the last time of a static result."""

    def __init__(self, begin: Result, t: float, budget: Budget):
        motion = begin.motion
        self.rest = RestingMechanism(begin.mechanism, t, motion.memory[-1], budget)
        self.states = [ContactPathState(t, motion.q[-1], motion.lam[-1], motion.memory[-1], motion.work[-1], 0)]
        self.shown, self.halved = [0], 0
        # Results of history-dependent parts are computed along the shown states only, so steps between them come last.
        self.at_first = 0 if parts_with_history(begin.mechanism) else HALVINGS_BEFORE_DRAG
        self.catalogue = OutputCatalogue(begin.mechanism)

    @property
    def now(self) -> ContactPathState:
        return self.states[-1]

    def to(self, t: float) -> None:
        """Append the equilibrium at a time; use shorter steps if one fails."""
        end, tries = t, 0
        while True:
            try:
                self.states.append(self.solve(end, nearby=tries < self.at_first))
            except (DidNotConverge, SingularPose):
                if tries == MAX_STEP_HALVINGS:
                    raise
                end, tries = 0.5 * (self.now.t + end), tries + 1
                self.rest.latest = None
                self.halved += 1
                continue
            if end == t:
                return
            end = t if tries <= 1 else self.now.t + 2.0 * (end - self.states[-2].t)
            tries = max(tries - 1, 0)
            end = t if abs(end - self.now.t) >= abs(t - self.now.t) else end

    def solve(self, t: float, nearby: bool = False) -> ContactPathState:
        """The equilibrium at a time, in one step from the last one; nearby: fail if it is far from its prediction."""
        rest, now = self.rest, self.now
        rest.w.memory[:] = now.memory
        rest.hold(t)
        search = EquilibriumSearch(rest, self.predicted(t))
        search.nearby = nearby
        search.descend()
        state = ContactPathState(t, search.q, search.now.lam, now.memory, now.work, search.iterations)
        commit_bristles(rest, state.q)
        state = state._replace(memory=rest.w.memory.copy())
        displacement = state.q - now.q
        mean = 0.5 * (self.power(now, displacement, t - now.t) + self.power(state, displacement, t - now.t))
        store_force_histories(rest.s, rest.w, state.q, rest.still)
        return state._replace(work=now.work + mean)

    def predicted(self, t: float) -> Array:
        """Initial guess: linear extrapolation if it is nearer to equilibrium; with drives, a predictor step of theirs."""
        rest, now = self.rest, self.now
        q = now.q
        if rest.s.m:
            imbalance = rest.imbalance(q, now.lam[: rest.s.m])
            if rest.latest is not None and not rest.matrix.is_small:
                factors, unit = rest.latest
            else:
                stiffness = rest.stiffness(q, now.lam)
                unit = max(float(np.max(np.abs(stiffness), initial=0.0)), 1e-300)
                symmetric = rest.is_symmetric(stiffness)
                try:
                    factors = rest.matrix.approximate_factors(
                        stiffness / unit, imbalance.jacobian, MIN_REGULARISATION, NEWTON_STEP_RTOL, symmetric
                    )
                except RuntimeError:
                    raise SingularPose("some joints are dependent in this pose", time=t) from None
            q = q.copy()
            q[:-1] += factors.solve(-imbalance.force / unit, -imbalance.gap)[0] * rest.scale
            rest.close(q)
            return q
        if len(self.states) < 2 or self.states[-2].t == now.t:
            return q
        before = self.states[-2]
        ahead = q + (q - before.q) * ((t - now.t) / (now.t - before.t))
        try:
            return ahead if rest.forces(ahead).unbalanced < rest.forces(q).unbalanced else q
        except AnalysisError:
            return q

    def power(self, state: ContactPathState, displacement: Array, time: float) -> Array:
        """Powers at a state for a displacement, times its duration."""
        rest, s, w = self.rest, self.rest.s, self.rest.w
        w.memory[:] = state.memory
        rest.hold(state.t)
        motion_at(s, w, state.q, QUASI_STATIC_SPEED * displacement)
        evaluate_powers(s, w, state.q, QUASI_STATIC_SPEED * displacement, state.lam)
        power, drives = w.power.copy(), s.drive_rows.size
        power[:drives] *= time
        power[drives:] /= QUASI_STATIC_SPEED
        return power

    def stop_at(self, name: str, value: float) -> bool:
        """True if an output passes a value in the last step; the step then ends there."""
        before, after = self.states[-2:]
        low, high = self.output(before, name) - value, self.output(after, name) - value
        if low * high > 0.0 or low == 0.0:
            return False
        a, b, end = before.t, after.t, after
        while abs(b - a) > STOP_LOCATION_RTOL * abs(after.t - before.t) and self.output(end, name) != value:
            self.states[-1:] = []
            middle = a - low * (b - a) / (high - low) if low != high else 0.5 * (a + b)
            end = self.solve(middle)
            self.states.append(end)
            f = self.output(end, name) - value
            if f * high > 0.0:
                b, high, low = middle, f, 0.5 * low
            else:
                a, low, high = middle, f, 0.5 * high
            if abs(f) <= STOP_LOCATION_RTOL * abs(value):
                break
        return True

    def output(self, state: ContactPathState, name: str) -> float:
        return float(self.catalogue[name].values(make_motion([state]))[0])

    def result(self, evidence: RunEvidence, document: dict[str, Any] | None) -> Result:
        motion, counts = self.shown_states()
        return Result(self.rest.mechanism, motion, evidence, document, **counts)

    def shown_states(self) -> tuple[StateHistory, dict[str, Any]]:
        """The shown states as a motion without speed; numbers of iterations and of unstable motions."""
        states = [self.states[k] for k in self.shown]
        counts = {"newton": [state.iterations for state in states], "unstable": [-1] * len(states)}
        return minimise_reaction_norm(self.rest.mechanism, make_motion(states)), counts


def make_motion(states: list[ContactPathState]) -> StateHistory:
    """States as a motion without speed."""
    t, q, lam, memory, work, _ = (np.array(x) for x in zip(*states, strict=True))
    still = np.zeros_like(q)
    return StateHistory(t, q, still, still.copy(), lam, work, memory)


def follow_contact_path(
    begin: Result,
    times: Array,
    stop: Mapping[str, float],
    progress: Any,
    document: dict[str, Any] | None,
    budget: Budget,
) -> Result:
    """The equilibria at all times, from the last time of a result; see Model.static_path."""
    stopwatch, path = Stopwatch(), ContactPath(begin, float(times[0]), budget)
    failure, done = None, False

    def evidence(complete: bool) -> RunEvidence:
        steps = np.abs(np.diff([state.t for state in path.states]))
        return RunEvidence(
            analysis="static",
            method="load stepping",
            stabilisation="exact",
            steps=steps.size,
            rejected=path.halved,
            newton_iterations=sum(state.iterations for state in path.states) + begin.evidence.newton_iterations,
            factorisations=path.rest.factorisations + begin.evidence.factorisations,
            evaluations=path.rest.evaluations + begin.evidence.evaluations,
            smallest_step=float(steps.min(initial=np.inf)) if steps.size else 0.0,
            largest_step=float(steps.max(initial=0.0)),
            wall_seconds=stopwatch.seconds(),
            redundant=list(begin.evidence.redundant),
            initial_strains=dict(begin.evidence.initial_strains),
            complete=complete,
            warnings=list(begin.evidence.warnings),
        )

    def snapshot() -> Snapshot:
        motion, counts = path.shown_states()
        return Snapshot(begin.mechanism, motion, evidence(False), document, float(times[-1]), steps=counts)

    try:
        for t in times[1:].tolist():
            first = len(path.states)
            path.to(t)
            done = any(path.stop_at(name, value) for name, value in stop.items()) if first else False
            path.shown.append(len(path.states) - 1)
            offer_snapshot(snapshot)
            if progress is not None:
                progress((path.now.t - times[0]) / (times[-1] - times[0]))
            if done:
                break
    except (DidNotConverge, SingularPose, OutOfBudget) as error:
        failure = error
        path.shown = sorted({*path.shown, len(path.states) - 1})
    result = path.result(evidence(failure is None), document)
    if failure is not None:
        failure.partial = result
        raise failure
    return result
