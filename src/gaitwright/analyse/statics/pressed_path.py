"""Quasi-static paths on which surfaces of solids touch, or parts remember: equilibria at given times, each from the one before.

Forces with a kink in every point are no smooth curve that could be followed (path.py). From one load step to the next Newton's
steps go with the forces instead, shortened until these do work (search.py): that sees points come and go. A load step that
fails is halved. Contacts remember from step to step (pressing.py), so a path with friction depends on its steps.

Works are those of the mean force of begin and end of a load step along the straight way between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.budget import Budget
from gaitwright.analyse.reactions import minimum_norm
from gaitwright.analyse.statics.linearise import LEAST_STIFFNESS, NEWTON, AtRest
from gaitwright.analyse.statics.rubbing import remember
from gaitwright.analyse.statics.search import Search
from gaitwright.compiled import Stopwatch
from gaitwright.errors import AnalysisError, DidNotConverge, OutOfBudget, SingularPose
from gaitwright.result.catalogue import Catalogue
from gaitwright.result.evidence import Evidence
from gaitwright.result.outputs import Motion
from gaitwright.result.result import Result
from gaitwright.result.snapshots import Snapshot, offer_snapshot
from gaitwright.system.evaluate import motion as motion_at
from gaitwright.system.evaluate import powers
from gaitwright.system.remembering import keep_forces, remembering
from gaitwright.system.tables import Array

HALVINGS = 10
"""How many times a load step is halved before it is given up."""
AT_FIRST = 3
"""How many times before friction is followed through oil (rubbing.py), which takes ten times as long as half a step."""
SLOWLY = 1e-9
"""Speed at which powers are taken: forces that depend on speed must see rest."""
LOCATED = 1e-9
"""Part of a load step up to which a stop is located."""


class State(NamedTuple):
    """An equilibrium on a path: time, pose, multipliers, what contacts remember afterwards, works so far, iterations."""

    t: float
    q: Array
    lam: Array
    memory: Array
    work: Array
    iterations: int


class PressedPath:
    """Goes along a path from a result at rest, its last time being the begin."""

    def __init__(self, begin: Result, t: float, budget: Budget):
        motion = begin.motion
        self.rest = AtRest(begin.mechanism, t, motion.memory[-1], budget)
        self.states = [State(t, motion.q[-1], motion.lam[-1], motion.memory[-1], motion.work[-1], 0)]
        self.shown, self.halved = [0], 0
        # Results of parts that remember walk along what is shown, and know nothing of steps between: these come last.
        self.at_first = 0 if remembering(begin.mechanism) else AT_FIRST
        self.catalogue = Catalogue(begin.mechanism)

    @property
    def now(self) -> State:
        return self.states[-1]

    def to(self, t: float) -> None:
        """The equilibrium at a time, by shorter steps where one fails."""
        end, tries = t, 0
        while True:
            try:
                self.states.append(self.solve(end, nearby=tries < self.at_first))
            except (DidNotConverge, SingularPose):
                if tries == HALVINGS:
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

    def solve(self, t: float, nearby: bool = False) -> State:
        """The equilibrium at a time, from the last one in one step; nearby: unless that is far from its prediction."""
        rest, now = self.rest, self.now
        rest.w.memory[:] = now.memory
        rest.hold(t)
        search = Search(rest, self.predicted(t))
        search.nearby = nearby
        search.descend()
        found = State(t, search.q, search.now.lam, now.memory, now.work, search.iterations)
        remember(rest, found.q)
        found = found._replace(memory=rest.w.memory.copy())
        way = found.q - now.q
        mean = 0.5 * (self.power(now, way, t - now.t) + self.power(found, way, t - now.t))
        keep_forces(rest.s, rest.w, found.q, rest.still)
        return found._replace(work=now.work + mean)

    def predicted(self, t: float) -> Array:
        """A pose to begin with: straight on if that is nearer to balance, and with what drives prescribe."""
        rest, now = self.rest, self.now
        q = now.q
        if rest.s.m:
            seen = rest.imbalance(q, now.lam[: rest.s.m])
            if rest.latest is not None and not rest.matrix.few:
                found, unit = rest.latest
            else:
                stiffness = rest.stiffness(q, now.lam)
                unit = max(float(np.max(np.abs(stiffness), initial=0.0)), 1e-300)
                symmetric = rest.is_symmetric(stiffness)
                try:
                    found = rest.matrix.near(stiffness / unit, seen.jacobian, LEAST_STIFFNESS, NEWTON, symmetric)
                except RuntimeError:
                    raise SingularPose("some joints are dependent in this pose", time=t) from None
            q = q.copy()
            q[:-1] += found.solve(-seen.force / unit, -seen.gap)[0] * rest.scale
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

    def power(self, state: State, way: Array, time: float) -> Array:
        """Powers at a state along a way, times the time it takes."""
        rest, s, w = self.rest, self.rest.s, self.rest.w
        w.memory[:] = state.memory
        rest.hold(state.t)
        motion_at(s, w, state.q, SLOWLY * way)
        powers(s, w, state.q, SLOWLY * way, state.lam)
        power, drives = w.power.copy(), s.drive_rows.size
        power[:drives] *= time
        power[drives:] /= SLOWLY
        return power

    def stop_at(self, name: str, value: float) -> bool:
        """Whether an output passes a value in the last step, which then ends there."""
        before, after = self.states[-2:]
        low, high = self.output(before, name) - value, self.output(after, name) - value
        if low * high > 0.0 or low == 0.0:
            return False
        a, b, end = before.t, after.t, after
        while abs(b - a) > LOCATED * abs(after.t - before.t) and self.output(end, name) != value:
            self.states[-1:] = []
            middle = a - low * (b - a) / (high - low) if low != high else 0.5 * (a + b)
            end = self.solve(middle)
            self.states.append(end)
            f = self.output(end, name) - value
            if f * high > 0.0:
                b, high, low = middle, f, 0.5 * low
            else:
                a, low, high = middle, f, 0.5 * high
            if abs(f) <= LOCATED * abs(value):
                break
        return True

    def output(self, state: State, name: str) -> float:
        return float(self.catalogue[name].values(motion_of([state]))[0])

    def result(self, evidence: Evidence, document: dict[str, Any] | None) -> Result:
        motion, counts = self.shown_states()
        return Result(self.rest.mechanism, motion, evidence, document, **counts)

    def shown_states(self) -> tuple[Motion, dict[str, Any]]:
        """The states that a result shows, as a motion without speed; numbers of iterations and of unstable motions."""
        states = [self.states[k] for k in self.shown]
        counts = {"newton": [state.iterations for state in states], "unstable": [-1] * len(states)}
        return minimum_norm(self.rest.mechanism, motion_of(states)), counts


def motion_of(states: list[State]) -> Motion:
    """States as a motion without speed."""
    t, q, lam, memory, work, _ = (np.array(x) for x in zip(*states, strict=True))
    still = np.zeros_like(q)
    return Motion(t, q, still, still.copy(), lam, work, memory)


def press_along(
    begin: Result,
    times: Array,
    stop: Mapping[str, float],
    progress: Any,
    document: dict[str, Any] | None,
    budget: Budget,
) -> Result:
    """The equilibria at all times, from that which a result ends with; see Model.static_path."""
    stopwatch, path = Stopwatch(), PressedPath(begin, float(times[0]), budget)
    failure, done = None, False

    def evidence(complete: bool) -> Evidence:
        steps = np.abs(np.diff([state.t for state in path.states]))
        return Evidence(
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
