"""Forward dynamics: the motion that forces, drives and the start state produce."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.analyse.ahead import prepare_forward
from gaitwright.analyse.budget import Budget, require_room
from gaitwright.analyse.contact_memory import look, require_contacts, start_memory, touching
from gaitwright.analyse.reactions import minimum_norm
from gaitwright.analyse.start import Start, loose_body, require_directions, require_regular, start
from gaitwright.checks import At
from gaitwright.compiled import Stopwatch
from gaitwright.compiled.pace import first_steps
from gaitwright.contact.history import LOCATED, LOOKED, begin_episode, fetch_log
from gaitwright.errors import AnalysisError, DidNotConverge, SingularPose
from gaitwright.integrate import load_all, through_contact
from gaitwright.integrate.base import (
    DIVERGED,
    EVALUATIONS,
    FACTORISATIONS,
    LARGEST,
    NEWTON,
    NO_IMPULSE,
    NOT_FINITE,
    OUTPUTS,
    REJECTED,
    SINGULAR,
    SMALLEST,
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
from gaitwright.result.evidence import Evidence
from gaitwright.result.outputs import Motion
from gaitwright.result.result import Result
from gaitwright.result.stored import FRAMES, PIECE, ROOMY, Keeper
from gaitwright.result.touches import episodes, too_fast
from gaitwright.system.evaluate import memory_size, power_count, workspace
from gaitwright.system.kkt import kkt, stages
from gaitwright.system.library import raise_pending
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import System

Progress = Callable[[float], None]
"""Called now and then with the fraction that is done."""

BUFFER = 2048
"""Output times kept in the compiled buffer between two looks by Python."""

EXPLODED = 1e8
"""Coordinates this many times the size of the mechanism are no pose: the motion has exploded."""

STABILISATIONS = ("none", "baumgarte", "projection")
COMPLEMENTARITY = ("lemke", "pgs")
BAUMGARTE = 15.0
"""Default alpha and beta, 1/s: the thesis's alpha (003 Table 4.1), and beta = alpha, which damps a violation
critically: it decays within about 1/15 s, slow against steps of 1 ms, so that explicit methods stay stable."""


TOLERANCE, CONVERGED = 1e-8, 1e-12
"""Of adaptive methods and contacts, and of Newton's iteration in generalized-alpha, relative to the scale. With 1e-9 the motion
of beams is as good, and a step a fifth cheaper, but reactions of stiff ones may be off by 1e-4 at single steps."""
STIFF_STEPS = 50_000
"""Steps of an explicit adaptive method from which on stiffness is suspected."""
UNDAMPED = 0.95
"""Spectral radius above which generalized-alpha hardly damps what joints ring with: 1.0 was unstable in every trial."""


def simulate(
    mechanism: Mechanism,
    until: float,
    *,
    method: str | None = None,
    step: float | None = None,
    tolerance: float | None = None,
    stabilisation: str | None = None,
    alpha: float = BAUMGARTE,
    beta: float | None = None,
    spectral_radius: float = 0.8,
    complementarity: str = "lemke",
    every: int = 1,
    output_step: float | None = None,
    max_step: float | None = None,
    progress: Progress | None = None,
    begin: Start | None = None,
    document: dict[str, Any] | None = None,
    budget: Budget | None = None,
    store: Any = None,
) -> Result:
    """Integrate from the start pose to `until` (s). See Model.simulate for the meaning of the options."""
    chosen, budget = choose_method(method, step), budget or Budget()
    check_numbers(until, step, tolerance, every, output_step, spectral_radius, alpha, beta, max_step)
    if chosen.adaptive and step is not None:
        At(field="step").fail(
            f"{chosen.name} chooses its own steps", step, "tolerance and, for the spacing of outputs, output_step"
        )
    prepare_forward(chosen, mechanism.system.contacts.count > 0)
    begin = begin or start(mechanism)
    require_regular(begin)
    require_directions(mechanism, begin.q, begin.t)
    stabilisation = stabilisation or ("none" if chosen.tangent else "projection")
    if stabilisation not in STABILISATIONS:
        At(field="stabilisation").fail("is unknown", stabilisation, f"one of {', '.join(STABILISATIONS)}")
    if complementarity not in COMPLEMENTARITY:
        At(field="complementarity").fail("is unknown", complementarity, f"one of {', '.join(COMPLEMENTARITY)}")
    require_contacts(mechanism, rigid=chosen.workspace is not None)
    baumgarte = stabilisation == "baumgarte"
    beta = alpha if beta is None else beta
    options = Options(
        damp=2.0 * alpha if baumgarte else 0.0,
        stiff=float(beta) ** 2 if baumgarte else 0.0,
        project=stabilisation == "projection" and not chosen.tangent,
        tolerance=TOLERANCE if tolerance is None else float(tolerance),
        newton=CONVERGED if tolerance is None else float(tolerance),
        spectral_radius=float(spectral_radius),
        lemke=complementarity == "lemke",
    )
    pieces: list[Motion] = []
    extra: list[tuple[Any, Any]] = []
    stopwatch = Stopwatch()
    warnings, interrupted = [*mechanism.warnings, *begin.warnings], False
    if chosen.tangent and spectral_radius > UNDAMPED:
        warnings.append(
            f"spectral_radius {spectral_radius:g}: above {UNDAMPED} reactions of joints may ring without end"
        )
    h = step or chosen.default_step
    span = until - begin.t
    samples = span / (output_step or span / 1000.0) if chosen.adaptive else span / h / max(every, 1)
    keeper = chosen_outputs(mechanism, store, samples, begin.t, until, document, warnings)
    rows = int(min(BUFFER, max(2.0, PIECE / 8.0 / state_width(mechanism.system))))
    if not chosen.adaptive and every > 0:  # no more than the run will store, and its begin and end
        rows = int(min(rows, samples + 8))
    integration = Integration(mechanism, chosen, options, begin, rows, budget)
    width = state_width(mechanism.system) if keeper is None else keeper.width
    require_stored(width, chosen.adaptive, span, h, every, output_step)
    try:
        for piece, steps in integration.chunks(until, h, every, output_step, max_step):
            if keeper is None:
                pieces.append(piece)
                budget.kept += sum(part.nbytes for part in piece)
            else:
                keeper.take(minimum_norm(mechanism, piece))
                budget.kept += 8 * keeper.width * piece.t.size
            extra.append(steps)
            if progress is not None:
                progress(min(1.0, float(integration.run.clock[T] - begin.t) / (until - begin.t)))
    except KeyboardInterrupt:
        piece, steps = integration.empty_buffer()
        if keeper is None:
            pieces.append(piece)
        else:
            keeper.take(minimum_norm(mechanism, piece))
        extra.append(steps)
        if not any(sizes.size for sizes, _ in extra):
            raise
        interrupted = True
        warnings.append(f"interrupted at t = {integration.run.clock[T]:.6g} s; what was computed is kept")
    stored = None
    if keeper is None:
        motion = minimum_norm(mechanism, Motion(*joined(pieces)))
    else:
        motion, stored = keeper.result()
    count, ticks = integration.run.count, integration.run.clock
    evidence = Evidence(
        analysis="forward",
        method=chosen.name,
        stabilisation=stabilisation if not chosen.tangent else "index-3",
        steps=int(count[STEPS]),
        rejected=int(count[REJECTED]),
        newton_iterations=int(count[NEWTON]),
        factorisations=int(count[FACTORISATIONS]),
        evaluations=int(count[EVALUATIONS]),
        smallest_step=float(min(ticks[SMALLEST], h)) if not chosen.adaptive else float(ticks[SMALLEST]),
        largest_step=float(ticks[LARGEST]) if chosen.adaptive else float(h),
        wall_seconds=stopwatch.seconds(),
        redundant=list(begin.redundant),
        initial_strains=begin.initial_strains(),
        interrupted=interrupted,
        events=int(integration.run.touch_count[LOCATED]),
        event_evaluations=int(integration.run.touch_count[LOOKED]),
        warnings=warnings,
    )
    closed = episodes(mechanism, integration.history())
    warnings += too_fast(mechanism, closed)
    if chosen.adaptive and chosen.coupled_stages == 0 and count[STEPS] > STIFF_STEPS:
        warnings.append(
            f"{chosen.name} took {count[STEPS]} steps: the model is probably stiff, radau5 may be much faster"
        )
    step_sizes, newton = joined(extra)
    result = Result(mechanism, motion, evidence, document, closed, step_sizes=step_sizes, newton=newton, stored=stored)
    integration.raise_failure(mechanism, result, step)
    if not interrupted and integration.run.clock[T] < until and budget.spent():
        raise budget.failure(float(integration.run.clock[T]), result)
    return result


def joined(chunks: list[Any]) -> Any:
    """The arrays of all chunks, one after another."""
    return chunks[0] if len(chunks) == 1 else [np.concatenate(parts) for parts in zip(*chunks, strict=True)]


def state_width(s: System) -> int:
    """Numbers in a state that a run may keep."""
    return 3 * (s.n + 1) + s.m_all + power_count(s) + memory_size(s)


def chosen_outputs(
    mechanism: Mechanism, store: Any, samples: float, begin: float, until: float, document: Any, warnings: list[str]
) -> Keeper | None:
    """Who keeps outputs in place of states; None if all states are kept: see Model.simulate."""
    size = 8.0 * samples * state_width(mechanism.system)
    if store == "all" or (store is None and size <= ROOMY):
        return None
    if store is None:
        warnings.append(
            f"all states would take {1e-9 * size:.2g} GB: they are kept at {FRAMES} times, and at all times energies and the "
            "outputs of the model; name others in store, or ask for store='all'"
        )
        store = (document or {}).get("outputs") or []
    if isinstance(store, str) or not all(isinstance(name, str) for name in store):
        At("analysis", "store").fail(
            "is neither a list of outputs nor 'all'", store, "such as ['rod.end.x', 'energy.kinetic']"
        )
    return Keeper(mechanism, store, begin, until)


def require_stored(width: int, adaptive: bool, span: float, h: float, every: int, output_step: float | None) -> None:
    """Refuse more outputs than there is room for, as far as their number is known before. width: numbers at one time."""
    if adaptive and output_step:
        require_room(span / output_step, width, "output_step", output_step)
    elif not adaptive:
        require_room(span / h / max(every, 1), width, "step", h)


class Integration:
    """One run of a compiled method, chunk by chunk."""

    def __init__(self, mechanism: Mechanism, method: Method, options: Options, begin: Start, rows: int, budget: Budget):
        s: System = mechanism.system
        self.budget = budget
        self.s, self.method, self.options = s, method, options
        self.work = workspace(s)
        self.kkt = (kkt(s, tangent=True), kkt(s)) if method.tangent else kkt(s)
        self.stages = self._stages()
        self.t_start = begin.t
        self.run: Run = new_run(s, method.stages, rows, mechanism.scale)
        self.run.q1[:], self.run.v1[:] = begin.q, begin.v
        self.log: list[Any] = []
        if s.contacts.count:
            self._begin_contacts(mechanism, begin)

    def _begin_contacts(self, mechanism: Mechanism, begin: Start) -> None:
        run, w, t = self.run, self.work, begin.t
        if self.method.workspace is not None:
            return  # rigid contacts are found at every step anew
        w.memory[:] = start_memory(mechanism, w, t, begin.q, begin.v)
        run.calls[:] = [call.address for call in through_contact.calls()]
        run.seen[:] = run.seen1[:] = look(mechanism, w, t, begin.q, begin.v).ravel()
        for c in touching(w):
            begin_episode(self.s, w, run, c, t)

    def history(self) -> Any:
        """Episodes of the contacts so far, (n, columns of contact/events.py)."""
        if not self.s.contacts.count:
            return self.run.log
        self.log.append(fetch_log(self.run))
        return np.concatenate([*self.log, self.run.episode[touching(self.work)]])

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
        if status == SINGULAR:
            row = int(self.run.count[WHERE])
            names = mechanism.constraint_of_row(row) if 0 <= row < mechanism.system.m else None
            why = f"{mechanism.body_of(row + mechanism.system.n)} has no mass there and nothing holds it"
            if names:
                why = f"{names.kind} '{names.name}' no longer restrains the motion independently of the other joints"
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
                DIVERGED: f"the Newton iteration of {self.method.name} did not converge",
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


def choose_method(name: str | None, step: float | None) -> Method:
    """The method asked for; without a name, adaptive dopri5, or generalized-alpha when a step is given."""
    methods = load_all()
    name = name or ("dopri5" if step is None else "generalized-alpha")
    if name not in methods:
        At(field="method").fail("is not a known method", name, f"one of {', '.join(sorted(methods))}")
    return methods[name]


def check_numbers(
    until: float,
    step: Any,
    tolerance: float | None,
    every: int,
    output_step: Any,
    spectral_radius: float,
    alpha: float,
    beta: Any,
    max_step: Any = None,
) -> None:
    """Reject options that cannot be meant."""
    at = At("analysis")
    numbers = {"until": until, "step": step, "tolerance": tolerance, "max_step": max_step, "alpha": alpha, "beta": beta}
    numbers |= {"output_step": output_step or None, "every": every or None}  # 0: every step
    for field, value in numbers.items():
        if value is not None:
            at[field].positive(value)
    if step is not None and step > until:
        at["step"].fail("is longer than the run", step, f"less than until, {until:g} s")
    if output_step and output_step < 1e-12 * until:
        at["output_step"].fail(
            "is lost in rounding beside the end of the run",
            output_step,
            f"at least {1e-12 * until:g} s, or 0 for every step",
        )
    if not 0.0 <= spectral_radius <= 1.0:
        at["spectral_radius"].fail("is outside [0, 1]", spectral_radius, "0 to 1")
