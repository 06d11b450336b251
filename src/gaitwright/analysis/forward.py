"""Forward dynamics: the motion that forces, drives and the start state produce."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright.analysis.budget import Budget, require_result_memory
from gaitwright.analysis.embedding import EmbeddedIntegration, require_embeddable
from gaitwright.analysis.initial_contact_state import require_contacts
from gaitwright.analysis.integration import Integration
from gaitwright.analysis.options import ANALYSIS_OPTIONS, BAUMGARTE_RATE_PER_S, options_of
from gaitwright.analysis.precompile import precompile_forward
from gaitwright.analysis.reactions import minimise_reaction_norm
from gaitwright.analysis.spring_directions import require_spring_directions
from gaitwright.analysis.start_state import StartState, find_start, require_regular_start
from gaitwright.contact.history import LOCATED_EVENTS, OBSERVED_STATES, allows_simultaneous_events
from gaitwright.integrate import load_all
from gaitwright.integrate.base import (
    EVALUATION_COUNT,
    FACTORISATION_COUNT,
    MAX_STEP_SIZE,
    MIN_STEP_SIZE,
    NEWTON_COUNT,
    REJECTED_COUNT,
    STEP_COUNT,
    TIME,
    IntegrationMethod,
    IntegrationOptions,
)
from gaitwright.jit import Stopwatch
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.result.contact_episodes import approach_speed_warnings, build_episodes
from gaitwright.result.evidence import RunEvidence
from gaitwright.result.files.snapshots import Snapshot, offer_snapshot
from gaitwright.result.outputs import StateHistory
from gaitwright.result.result import Result
from gaitwright.result.state_storage import PIECE_BYTES, join_pieces, select_recorder, state_width

ProgressCallback = Callable[[float], None]
"""Called at intervals with the completed fraction of the run (0 to 1)."""

MAX_BUFFERED_OUTPUTS = 2048
"""Maximum number of output times in the compiled buffer before control returns to Python."""

DEFAULT_EMBEDDING_METHOD = "rk4"
"""Default method of the embedding technique."""
DEFAULT_TOLERANCE, NEWTON_RTOL = 1e-8, 1e-12
"""Tolerance of adaptive methods and contacts, and of the Newton iteration in generalized-alpha, relative to the scale. With
1e-9 the motion of beams is as accurate and a step a fifth cheaper, but reactions of stiff beams may be off by 1e-4 at single
steps."""
MIN_STIFFNESS_WARNING_STEPS = 50_000
"""Number of steps of an explicit adaptive method above which a warning suspects a stiff model."""
MAX_DAMPED_SPECTRAL_RADIUS = 0.95
"""Spectral radius above which generalized-alpha hardly damps oscillating joint reactions: 1.0 was unstable in every trial."""


def simulate(
    mechanism: Mechanism,
    until: float,
    *,
    method: str | None = None,
    step: float | None = None,
    tolerance: float | None = None,
    stabilisation: str | None = None,
    alpha: float = BAUMGARTE_RATE_PER_S,
    beta: float | None = None,
    spectral_radius: float = 0.8,
    complementarity: str = "lemke",
    joint_velocities: str | None = None,
    formulation: str = "augmented",
    every: int = 1,
    output_step: float | None = None,
    max_step: float | None = None,
    progress: ProgressCallback | None = None,
    begin: StartState | None = None,
    document: dict[str, Any] | None = None,
    budget: Budget | None = None,
    store: Any = None,
) -> Result:
    """Integrate from the start pose to `until` (s). See Model.simulate for the meaning of the options."""
    embedded = require_choice("formulation", formulation) == "embedding"
    chosen, budget = choose_method(method or (DEFAULT_EMBEDDING_METHOD if embedded else None), step), budget or Budget()
    check_option_values(until, step, tolerance, every, output_step, spectral_radius, alpha, beta, max_step)
    until = float(until)
    if chosen.adaptive and step is not None:
        ErrorContext(field="step").fail(
            f"{chosen.name} chooses its own steps", step, "tolerance and, for the spacing of outputs, output_step"
        )
    if embedded:
        require_embeddable(mechanism, chosen, stabilisation)
    else:
        precompile_forward(
            chosen, mechanism.system.contacts.count > 0, allows_simultaneous_events(mechanism.system.contacts)
        )
    begin = begin or find_start(mechanism)
    mechanism = begin.mechanism
    require_regular_start(mechanism, begin)
    require_spring_directions(mechanism, begin.q, begin.t)
    options, stabilisation = _read_options(
        chosen, stabilisation, complementarity, joint_velocities, tolerance, spectral_radius, alpha, beta
    )
    require_contacts(mechanism, rigid=chosen.workspace is not None)
    stopwatch, warnings, interrupted = Stopwatch(), [*mechanism.warnings, *begin.warnings], False
    if chosen.tangent and spectral_radius > MAX_DAMPED_SPECTRAL_RADIUS:
        warnings.append(
            f"spectral_radius {spectral_radius:g}: above {MAX_DAMPED_SPECTRAL_RADIUS} reactions of joints may ring without end"
        )
    h = step or chosen.default_step
    span = until - begin.t
    samples = span / (output_step or span / 1000.0) if chosen.adaptive else span / h / max(every, 1)
    keeper = select_recorder(mechanism, store, samples, begin.t, until, document, warnings)
    rows = int(min(MAX_BUFFERED_OUTPUTS, max(2.0, PIECE_BYTES / 8.0 / state_width(mechanism.system))))
    if not chosen.adaptive and every > 0:  # no more than the run will store, and its first and last state
        rows = int(min(rows, samples + 8))
    loop = EmbeddedIntegration if embedded else Integration
    integration = loop(mechanism, chosen, options, begin, rows, budget, stabilisation == "partitioning")
    require_output_memory(keeper.width, chosen.adaptive, span, h, every, output_step)

    name = "embedding" if embedded else "index-3" if chosen.tangent else stabilisation
    record = _ForwardRecord(begin, chosen, name, integration, keeper, h, until, document, warnings, stopwatch)
    try:
        for piece, steps in integration.chunks(until, h, every, output_step, max_step):
            record.take(piece, steps, budget)
            if keeper.filled:
                offer_snapshot(record.snapshot)
            if progress is not None:
                progress(min(1.0, float(integration.run.clock[TIME] - begin.t) / span))
    except KeyboardInterrupt:
        piece, steps = integration.empty_buffer()
        record.take(piece, steps, budget)
        if not any(sizes.size for sizes, _ in record.steps):
            raise
        interrupted = True
        warnings.append(f"interrupted at t = {integration.run.clock[TIME]:.6g} s; what was computed is kept")
    result = record.result(interrupted)
    integration.raise_failure(mechanism, result, step)
    if not interrupted and integration.run.clock[TIME] < until and budget.spent():
        raise budget.failure(float(integration.run.clock[TIME]), result)
    return result


def _read_options(
    method: IntegrationMethod,
    stabilisation: str | None,
    complementarity: str,
    joint_velocities: str | None,
    tolerance: float | None,
    spectral_radius: float,
    alpha: float,
    beta: float | None,
) -> tuple[IntegrationOptions, str]:
    """Options of the integration loop, and the stabilisation of the constraints, from the options of `simulate`."""
    midpoint = is_midpoint(joint_velocities, method, stabilisation)
    stabilisation = stabilisation or ("none" if method.tangent or midpoint else "projection")
    require_choice("stabilisation", stabilisation)
    require_choice("complementarity", complementarity)
    baumgarte = stabilisation == "baumgarte"
    options = IntegrationOptions(
        damp=2.0 * alpha if baumgarte else 0.0,
        stiff=float(alpha if beta is None else beta) ** 2 if baumgarte else 0.0,
        project=stabilisation in ("projection", "partitioning") and not method.tangent,
        tolerance=DEFAULT_TOLERANCE if tolerance is None else float(tolerance),
        newton=NEWTON_RTOL if tolerance is None else float(tolerance),
        spectral_radius=float(spectral_radius),
        lemke=complementarity == "lemke",
        midpoint=midpoint,
    )
    return options, stabilisation


class _ForwardRecord:
    """Stored states of a run, their step sizes, and the evidence of its accuracy. warnings: of the run, extended by its end."""

    def __init__(
        self, begin: StartState, method: IntegrationMethod, stabilisation: str, integration: Integration, keeper: Any,
        h: float, until: float, document: dict[str, Any] | None, warnings: list[str], stopwatch: Stopwatch,
    ):  # fmt: skip
        self.begin, self.mechanism, self.method, self.stabilisation = begin, begin.mechanism, method, stabilisation
        self.integration, self.keeper, self.h, self.until = integration, keeper, h, until
        self.document, self.warnings, self.stopwatch = document, warnings, stopwatch
        self.steps: list[tuple[Any, Any]] = []

    def take(self, piece: StateHistory, steps: tuple[Any, Any], budget: Budget) -> None:
        """Store a piece of the motion with its step sizes and numbers of Newton iterations."""
        self.keeper.take(minimise_reaction_norm(self.mechanism, piece))
        budget.kept += 8 * self.keeper.width * piece.t.size
        self.steps.append(steps)

    def evidence(self, warnings: list[str], interrupted: bool = False) -> RunEvidence:
        run, adaptive = self.integration.run, self.method.adaptive
        count, ticks = run.count, run.clock
        return RunEvidence(
            analysis="forward",
            method=self.method.name,
            stabilisation=self.stabilisation,
            steps=int(count[STEP_COUNT]),
            rejected=int(count[REJECTED_COUNT]),
            newton_iterations=int(count[NEWTON_COUNT]),
            factorisations=int(count[FACTORISATION_COUNT]),
            evaluations=int(count[EVALUATION_COUNT]),
            smallest_step=float(ticks[MIN_STEP_SIZE]) if adaptive else float(min(ticks[MIN_STEP_SIZE], self.h)),
            largest_step=float(ticks[MAX_STEP_SIZE]) if adaptive else float(self.h),
            wall_seconds=self.stopwatch.seconds(),
            redundant=list(self.begin.redundant),
            initial_strains=self.begin.initial_strains(),
            interrupted=interrupted,
            events=int(run.touch_count[LOCATED_EVENTS]),
            event_evaluations=int(run.touch_count[OBSERVED_STATES]),
            warnings=warnings,
        )

    def snapshot(self) -> Snapshot:
        """The run so far, for an observer."""
        motion, stored = self.keeper.result()
        closed = build_episodes(self.mechanism, self.integration.history())
        sizes, newton = join_pieces(self.steps)
        evidence, steps = self.evidence(list(self.warnings)), {"step_sizes": sizes, "newton": newton}
        return Snapshot(self.mechanism, motion, evidence, self.document, self.until, stored, closed, steps)

    def result(self, interrupted: bool) -> Result:
        """The result of the run, with warnings about contact laws and stiffness."""
        motion, stored = self.keeper.result()
        evidence = self.evidence(self.warnings, interrupted)
        closed = build_episodes(self.mechanism, self.integration.history())
        self.warnings += approach_speed_warnings(self.mechanism, closed)
        explicit = self.method.adaptive and self.method.coupled_stages == 0
        if explicit and evidence.steps > MIN_STIFFNESS_WARNING_STEPS:
            self.warnings.append(
                f"{self.method.name} took {evidence.steps} steps: the model is probably stiff, radau5 may be much faster"
            )
        step_sizes, newton = join_pieces(self.steps)
        return Result(
            self.mechanism, motion, evidence, self.document, closed, step_sizes=step_sizes, newton=newton, stored=stored
        )


def require_output_memory(
    width: int, adaptive: bool, span: float, h: float, every: int, output_step: float | None
) -> None:
    """Raise ModelError if the outputs, as far as their number is known in advance, do not fit into memory. width: numbers per
    time."""
    if adaptive and output_step:
        require_result_memory(span / output_step, width, "output_step", output_step)
    elif not adaptive:
        require_result_memory(span / h / max(every, 1), width, "step", h)


def check_option_names(options: Iterable[str], analysis: str) -> None:
    """Raise ModelError for names that are not options of forward dynamics."""
    known = [*options_of("forward"), "progress"]
    for name in options:
        ErrorContext(analysis).one_of(name, known, "there is no such option")


def require_choice(option: str, value: Any) -> Any:
    """Return the value of an option with names as values; ModelError if it is none of them."""
    return ErrorContext(field=option).one_of(value, ANALYSIS_OPTIONS[option].choices, "is unknown")


def choose_method(name: str | None, step: float | None) -> IntegrationMethod:
    """Return the named method; without a name, adaptive dopri5, or generalized-alpha if a step is given."""
    methods = load_all()
    name = name or ("dopri5" if step is None else "generalized-alpha")
    return methods[ErrorContext(field="method").one_of(name, sorted(methods), "is not a known method")]


def is_midpoint(joint_velocities: str | None, method: IntegrationMethod, stabilisation: str | None) -> bool:
    """True if velocities shall satisfy the joints at the midpoint of a step; ModelError if the method does not support it."""
    if joint_velocities is None:
        return False
    at = ErrorContext(field="joint_velocities")
    midpoint = require_choice("joint_velocities", joint_velocities) == "midpoint"
    if method.name != "moreau":
        at.fail(f"has no meaning for {method.name}", joint_velocities, "the method moreau, or no joint_velocities")
    if midpoint and stabilisation in ("projection", "partitioning"):
        at.fail(
            f"cannot be combined with the stabilisation {stabilisation}, which halves the centripetal accelerations",
            joint_velocities, "the stabilisation none or baumgarte",
        )  # fmt: skip
    return midpoint


def check_option_values(
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
    """Raise ModelError for option values out of range."""
    at = ErrorContext("analysis")
    at["until"].positive(until, "s")
    numbers = {"step": step, "tolerance": tolerance, "max_step": max_step, "alpha": alpha, "beta": beta}
    numbers |= {"output_step": output_step or None, "every": every or None}  # 0: every step
    for field, value in numbers.items():
        if value is not None:
            at[field].positive(value, ANALYSIS_OPTIONS[field].unit_text)
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
