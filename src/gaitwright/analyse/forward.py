"""Forward dynamics: the motion that forces, drives and the start state produce."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from gaitwright.analyse.ahead import prepare_forward
from gaitwright.analyse.budget import Budget, require_room
from gaitwright.analyse.contact_memory import require_contacts
from gaitwright.analyse.directions import require_directions
from gaitwright.analyse.embedding import EmbeddedIntegration, require_embeddable
from gaitwright.analyse.integration import Integration
from gaitwright.analyse.reactions import minimum_norm
from gaitwright.analyse.start import Start, require_regular, start
from gaitwright.checks import At, is_number
from gaitwright.compiled import Stopwatch
from gaitwright.contact.history import LOCATED, LOOKED, has_crowds
from gaitwright.integrate import load_all
from gaitwright.integrate.base import (
    EVALUATIONS,
    FACTORISATIONS,
    LARGEST,
    NEWTON,
    REJECTED,
    SMALLEST,
    STEPS,
    Method,
    Options,
    T,
)
from gaitwright.result.evidence import Evidence
from gaitwright.result.outputs import Motion
from gaitwright.result.result import Result
from gaitwright.result.snapshots import Snapshot, offer_snapshot
from gaitwright.result.stored import PIECE, joined, keeper_of, state_width
from gaitwright.result.touches import episodes, too_fast
from gaitwright.system.mechanism import Mechanism

Progress = Callable[[float], None]
"""Called now and then with the fraction that is done."""

BUFFER = 2048
"""Output times kept in the compiled buffer between two looks by Python."""

UNITS = {"step": "s", "max_step": "s", "output_step": "s", "alpha": "1/s", "beta": "1/s"}
FORMULATIONS = ("augmented", "embedding")
EMBEDDED_METHOD = "rk4"
"""Of the embedding technique, unless another is asked for."""
STABILISATIONS = ("none", "baumgarte", "projection", "partitioning")
COMPLEMENTARITY = ("lemke", "pgs")
JOINT_VELOCITIES = ("end", "midpoint")
BAUMGARTE = 15.0
"""Default alpha and beta, 1/s: the thesis's alpha (003 Table 4.1), and beta = alpha, which damps a violation
critically: it decays within about 1/15 s, slow against steps of 1 ms, so that explicit methods stay stable."""


TOLERANCE, CONVERGED = 1e-8, 1e-12
"""Of adaptive methods and contacts, and of Newton's iteration in generalized-alpha, relative to the scale. With 1e-9 the motion
of beams is as good, and a step a fifth cheaper, but reactions of stiff ones may be off by 1e-4 at single steps."""
OURS = ("mechanism", "until", "begin", "document", "budget")
"""What `simulate` is not asked for by its options."""
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
    joint_velocities: str | None = None,
    formulation: str = "augmented",
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
    embedded = At(field="formulation").one_of(formulation, FORMULATIONS, "is unknown") == "embedding"
    chosen, budget = choose_method(method or (EMBEDDED_METHOD if embedded else None), step), budget or Budget()
    check_numbers(until, step, tolerance, every, output_step, spectral_radius, alpha, beta, max_step)
    until = float(until)
    if chosen.adaptive and step is not None:
        At(field="step").fail(
            f"{chosen.name} chooses its own steps", step, "tolerance and, for the spacing of outputs, output_step"
        )
    if embedded:
        require_embeddable(mechanism, chosen, stabilisation)
    else:
        prepare_forward(chosen, mechanism.system.contacts.count > 0, has_crowds(mechanism.system.contacts))
    begin = begin or start(mechanism)
    require_regular(mechanism, begin)
    require_directions(mechanism, begin.q, begin.t)
    midpoint = is_midpoint(joint_velocities, chosen, stabilisation)
    stabilisation = stabilisation or ("none" if chosen.tangent or midpoint else "projection")
    At(field="stabilisation").one_of(stabilisation, STABILISATIONS, "is unknown")
    At(field="complementarity").one_of(complementarity, COMPLEMENTARITY, "is unknown")
    require_contacts(mechanism, rigid=chosen.workspace is not None)
    baumgarte = stabilisation == "baumgarte"
    beta = alpha if beta is None else beta
    options = Options(
        damp=2.0 * alpha if baumgarte else 0.0,
        stiff=float(beta) ** 2 if baumgarte else 0.0,
        project=stabilisation in ("projection", "partitioning") and not chosen.tangent,
        tolerance=TOLERANCE if tolerance is None else float(tolerance),
        newton=CONVERGED if tolerance is None else float(tolerance),
        spectral_radius=float(spectral_radius),
        lemke=complementarity == "lemke",
        midpoint=midpoint,
    )
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
    keeper = keeper_of(mechanism, store, samples, begin.t, until, document, warnings)
    rows = int(min(BUFFER, max(2.0, PIECE / 8.0 / state_width(mechanism.system))))
    if not chosen.adaptive and every > 0:  # no more than the run will store, and its begin and end
        rows = int(min(rows, samples + 8))
    loop = EmbeddedIntegration if embedded else Integration
    integration = loop(mechanism, chosen, options, begin, rows, budget, stabilisation == "partitioning")
    require_stored(keeper.width, chosen.adaptive, span, h, every, output_step)

    def keep(piece: Motion, steps: tuple[Any, Any]) -> None:
        keeper.take(minimum_norm(mechanism, piece))
        budget.kept += 8 * keeper.width * piece.t.size
        extra.append(steps)

    def evidence(warnings: list[str], interrupted: bool = False) -> Evidence:
        count, ticks = integration.run.count, integration.run.clock
        return Evidence(
            analysis="forward",
            method=chosen.name,
            stabilisation="embedding" if embedded else "index-3" if chosen.tangent else stabilisation,
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

    def snapshot() -> Snapshot:
        motion, stored = keeper.result()
        closed = episodes(mechanism, integration.history())
        sizes, newton = joined(extra)
        steps = {"step_sizes": sizes, "newton": newton}
        return Snapshot(mechanism, motion, evidence(list(warnings)), document, until, stored, closed, steps)

    try:
        for piece in integration.chunks(until, h, every, output_step, max_step):
            keep(*piece)
            if keeper.filled:
                offer_snapshot(snapshot)
            if progress is not None:
                progress(min(1.0, float(integration.run.clock[T] - begin.t) / span))
    except KeyboardInterrupt:
        keep(*integration.empty_buffer())
        if not any(sizes.size for sizes, _ in extra):
            raise
        interrupted = True
        warnings.append(f"interrupted at t = {integration.run.clock[T]:.6g} s; what was computed is kept")
    motion, stored = keeper.result()
    told = evidence(warnings, interrupted)
    closed = episodes(mechanism, integration.history())
    warnings += too_fast(mechanism, closed)
    if chosen.adaptive and chosen.coupled_stages == 0 and told.steps > STIFF_STEPS:
        warnings.append(
            f"{chosen.name} took {told.steps} steps: the model is probably stiff, radau5 may be much faster"
        )
    step_sizes, newton = joined(extra)
    result = Result(mechanism, motion, told, document, closed, step_sizes=step_sizes, newton=newton, stored=stored)
    integration.raise_failure(mechanism, result, step)
    if not interrupted and integration.run.clock[T] < until and budget.spent():
        raise budget.failure(float(integration.run.clock[T]), result)
    return result


def require_stored(width: int, adaptive: bool, span: float, h: float, every: int, output_step: float | None) -> None:
    """Refuse more outputs than there is room for, as far as their number is known before. width: numbers at one time."""
    if adaptive and output_step:
        require_room(span / output_step, width, "output_step", output_step)
    elif not adaptive:
        require_room(span / h / max(every, 1), width, "step", h)


def check_options(options: Iterable[str], analysis: str) -> None:
    """Reject names that `simulate` does not know."""
    known = [name for name in inspect.signature(simulate).parameters if name not in OURS]
    for name in options:
        At(analysis).one_of(name, known, "there is no such option")


def choose_method(name: str | None, step: float | None) -> Method:
    """The method asked for; without a name, adaptive dopri5, or generalized-alpha when a step is given."""
    methods = load_all()
    name = name or ("dopri5" if step is None else "generalized-alpha")
    return methods[At(field="method").one_of(name, sorted(methods), "is not a known method")]


def is_midpoint(joint_velocities: str | None, method: Method, stabilisation: str | None) -> bool:
    """Whether velocities are to satisfy the joints at the midpoint of a step; ModelError where that has no meaning."""
    if joint_velocities is None:
        return False
    at = At(field="joint_velocities")
    midpoint = at.one_of(joint_velocities, JOINT_VELOCITIES, "is unknown") == "midpoint"
    if method.name != "moreau":
        at.fail(f"has no meaning for {method.name}", joint_velocities, "the method moreau, or no joint_velocities")
    if midpoint and stabilisation in ("projection", "partitioning"):
        at.fail(
            f"cannot be combined with the stabilisation {stabilisation}, which halves the centripetal accelerations",
            joint_velocities, "the stabilisation none or baumgarte",
        )  # fmt: skip
    return midpoint


def check_numbers(
    until: Any,
    step: Any,
    tolerance: Any,
    every: Any,
    output_step: Any,
    spectral_radius: Any,
    alpha: Any,
    beta: Any,
    max_step: Any = None,
) -> None:
    """Reject options that cannot be meant."""
    at = At("analysis")
    at["until"].positive(until, "s")
    numbers = {"step": step, "tolerance": tolerance, "max_step": max_step, "alpha": alpha, "beta": beta}
    numbers |= {"output_step": output_step or None, "every": every or None}  # 0: every step
    for field, value in numbers.items():
        if value is not None:
            at[field].positive(value, UNITS.get(field, ""))
    if step is not None and step > until:
        at["step"].fail("is longer than the run", step, f"less than until, {until:g} s")
    if output_step and output_step < 1e-12 * until:
        at["output_step"].fail(
            "is lost in rounding beside the end of the run",
            output_step,
            f"at least {1e-12 * until:g} s, or 0 for every step",
        )
    if not is_number(spectral_radius) or not 0.0 <= spectral_radius <= 1.0:
        at["spectral_radius"].fail("is outside [0, 1]", spectral_radius, "0 to 1")
