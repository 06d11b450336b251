"""Run a program on a chunk of designs: plan, chunk size and results."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.analysis.options import DEFAULT_END_TIME_S
from gaitwright.codegen.forward_dynamics import require_whole_steps
from gaitwright.codegen.gradients import differentiate_direct_parameters, differentiate_sources, make_seeds
from gaitwright.codegen.measures import DesignMeasures, DesignSeries, MeasureRequest
from gaitwright.codegen.program import GeneratedProgram
from gaitwright.derive.term_graph import NUMBER_LEVEL, Term
from gaitwright.model.spec.document import AnalysisSpec

MAX_OUTPUT_BYTES, MAX_GRADIENT_BYTES = 32e6, 160e6
"""Maximum bytes of outputs of one call (a chunk of designs), and of outputs, sample weights and states for derivatives. Smaller
chunks take twice the time, since only arrays of several MB are allocated in large pages."""
MIN_CHUNK_DESIGNS = 64
POSE_DIFFERENCE_STEP = 1e-5
"""Relative step of a parameter for finite differences of the start poses of free mechanisms: joint closure leaves 1e-14."""


class DesignPlan(NamedTuple):
    """Plan for all designs. P: parameters, (n_parameters, n_designs). span: end time of each run, s, (n_designs,). numbers,
    terms: quantities of measures that depend on the parameters alone, as values (n_designs,) and as terms. until: end
    time."""

    program: GeneratedProgram
    asked: MeasureRequest
    analysis: str
    samples: int
    P: np.ndarray
    span: np.ndarray
    numbers: dict[str, np.ndarray]
    terms: dict[str, Term]
    until: Term
    derived: list[str]
    """Basic measures for which derivatives are computed."""


def make_plan(
    section: AnalysisSpec, program: GeneratedProgram, question: MeasureRequest, P: np.ndarray, derived: list[str]
) -> DesignPlan:
    traced, graph = program.traced, program.graph

    def term(value: Any) -> Term:
        return traced.written(value) if isinstance(value, str) else graph.number(value)

    until = term(DEFAULT_END_TIME_S if section.until is None else section.until)
    step = until / 1000.0 if section.step is None else term(section.step)
    source_terms: dict[str, Term] = {}
    for source in question.sources:
        source_terms |= source.numbers(traced, program.mechanism)
    span, count, *numbers = graph.values([until, until / step, *source_terms.values()], parameter_inputs(P))
    size = P.shape[1]
    span, count = (np.broadcast_to(np.asarray(x, dtype=float), size) for x in (span, count))
    context = ErrorContext("analysis", "step")
    if not np.all(np.isfinite(count)) or np.any(count <= 0):
        ErrorContext("analysis", "until").fail(
            "is not positive and finite for all designs", section.until, "a positive number of s"
        )
    if program.march is not None:
        if derived and until.level > NUMBER_LEVEL:
            ErrorContext("designs", "gradient").fail(
                "of runs whose length is a parameter cannot be printed yet for forward dynamics", section.until,
                "an `until` that is a number",
            )  # fmt: skip
        require_whole_steps(count, section)
    samples = np.maximum(1, np.round(count)).astype(int)
    if np.ptp(samples):
        context.fail(
            f"gives from {samples.min()} to {samples.max()} samples", section.step,
            "as many for all designs, by a step that is a part of the run, such as '1/turns_per_second/360'",
        )  # fmt: skip
    numbers_by_name = {
        name: np.broadcast_to(np.asarray(x, dtype=float), size) for name, x in zip(source_terms, numbers, strict=True)
    }
    return DesignPlan(
        program,
        question,
        section.type,
        int(samples[0]),
        P,
        np.ascontiguousarray(span),
        numbers_by_name,
        source_terms,
        until,
        derived,
    )


def parameter_inputs(P: np.ndarray) -> dict[str, np.ndarray]:
    return {f"p[{k}]": row for k, row in enumerate(P)}


def max_chunk_designs(plan: DesignPlan, library: Any, device: str) -> int:
    """Maximum number of designs per call. library: the compiled program."""
    program = plan.program
    numbers = (
        len(program.outputs) * (1 + len(plan.derived)) + program.states
    )  # sample weights take as much memory as outputs
    if device == "cuda":
        outputs = len(program.outputs)
        return library.max_designs(plan.samples, outputs, numbers, program.drawn.size, len(program.varied))
    max_columns = min(MAX_OUTPUT_BYTES / max(len(program.outputs), 1), MAX_GRADIENT_BYTES / max(numbers, 1))
    return max(MIN_CHUNK_DESIGNS, int(max_columns / (8 * (plan.samples + 1))) // library.lanes * library.lanes)


def analyse_chunk(plan: DesignPlan, library: Any, indices: np.ndarray) -> tuple[Any, ...]:
    """Close, analyse and measure the designs with these indices. Returns their failure codes, end times (s), positions of the
    successful designs within `indices`, and the measures of these."""
    program, xp = plan.program, library.xp
    P = xp.asarray(plan.P[:, indices])
    Q, flag = library.close(P, program.drawn, program.size, program.closed)
    closable = xp.flatnonzero(flag == 0)
    codes, ends = flag.copy(), xp.zeros(indices.size)
    successful = closable
    span = xp.asarray(plan.span[indices])
    if closable.size:
        run = library.follow if program.march is None else library.march
        track, flag, failure_times, states, *_ = run(
            P[:, closable], Q[:, closable], span[closable], plan.samples, len(program.outputs), program.states
        )
        codes[closable], ends[closable] = flag, failure_times
        completed = xp.flatnonzero(flag == 0)
        successful = closable[completed]
        track = track if completed.size == closable.size else track[:, :, completed]
    else:
        track = states = xp.zeros((plan.samples + 1, len(program.outputs), 0))
        completed = closable
    successful_indices = indices[to_host(successful)]
    turn = DesignSeries(
        {name: track[:, k] for k, name in enumerate(program.outputs)}, span[successful],
        {name: xp.asarray(values[successful_indices]) for name, values in plan.numbers.items()}, xp,
    )  # fmt: skip
    measures = measure_designs(plan.asked, turn)
    if plan.derived and successful.size:
        source_derivatives = differentiate_sources(plan.asked, plan.derived, turn)
        seeds = make_seeds(plan.asked, plan.derived, program.outputs, track, xp, source_derivatives)
        arguments = P[:, successful], span[successful], plan.samples
        if program.states:
            derivatives = to_host(library.differentiate(arguments[0], states, completed, *arguments[1:], seeds))
            slopes = derivatives[:, :-1] + differentiate_direct_parameters(
                program,
                derivatives[:, -1],
                plan.P[:, successful_indices],
                plan.until,
                plan.terms,
                plan.derived,
                source_derivatives,
                to_host,
            )
        else:
            dQ = xp.asarray(differentiate_poses(plan, library, successful_indices))
            *_, derivatives = library.march(
                arguments[0], Q[:, successful], *arguments[1:], len(program.outputs), seeds=seeds, dQ=dQ
            )
            slopes = to_host(derivatives)
        measures = measures._replace(
            numbers={**measures.numbers, **{
                (basic, name): slopes[m, j] for m, basic in enumerate(plan.derived) for j, name in enumerate(program.varied)
            }}
        )  # fmt: skip
    return (*map(to_host, (codes, ends, successful)), measures)


def differentiate_poses(plan: DesignPlan, library: Any, indices: np.ndarray) -> np.ndarray:
    """Derivatives of closed poses with respect to the parameters, (n_parameters, n, n_designs), by central differences.
    They are needed only for free mechanisms, whose start pose depends on the path from the drawn pose to closed joints;
    otherwise zero, since the pose follows from the joints and is differentiated with the run."""
    program, P = plan.program, plan.P[:, indices]
    slopes = np.zeros((P.shape[0], program.drawn.size, indices.size))
    if not program.mechanism.degrees_of_freedom:
        return slopes
    for j in range(P.shape[0]):
        step = POSE_DIFFERENCE_STEP * np.maximum(np.abs(P[j]), 1e-3)
        ends = []
        for sign in (1.0, -1.0):
            varied = P.copy()
            varied[j] += sign * step
            closed = library.close(library.xp.asarray(varied), program.drawn, program.size, program.closed)
            Q, flag = map(to_host, closed)
            ends.append(np.where(flag == 0, Q, np.nan))  # no derivative next to a design that cannot be closed
        slopes[j] = (ends[0] - ends[1]) / (2.0 * step)
    return slopes


def measure_designs(question: MeasureRequest, turn: DesignSeries) -> DesignMeasures:
    if not turn.span.size:
        return DesignMeasures({}, {})
    measures = question.measure(turn)
    return DesignMeasures(*({name: to_host(values) for name, values in part.items()} for part in measures))


def to_host(values: Any) -> np.ndarray:
    """Convert an array to NumPy."""
    return values.get() if hasattr(values, "get") else np.asarray(values)
