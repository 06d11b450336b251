"""Variants of a sweep by a program that is generated for the model, many at once, if that is possible and faster.

The results equal those of the analyses up to rounding. A variant that fails in the program is analysed again by the classic
analysis, which gives the reason. Two successful variants are analysed both ways; if they differ, all variants are left to the
classic analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import cached_property
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.codegen import forward_dynamics
from gaitwright.codegen.accuracy_terms import (
    CONSTRAINT_VIOLATION_OUTPUT,
    ENERGY_OUTPUT,
    SUPPLY_OUTPUT,
    accuracy_numbers,
)
from gaitwright.codegen.c_library import find_compiler, is_compiled, load_library
from gaitwright.codegen.chunk_runner import (
    MIN_CHUNK_DESIGNS,
    DesignPlan,
    analyse_chunk,
    max_chunk_designs,
    parameter_inputs,
)
from gaitwright.codegen.measures import DesignMeasures, DesignSeries, MeasureRequest, MeasureSource, read_measures
from gaitwright.derive.term_graph import TermGraph
from gaitwright.design.batch.analysis import ANALYSES, plan_designs
from gaitwright.design.executors.dask_executor import DaskExecutor
from gaitwright.design.executors.process_pool import JobCrashed
from gaitwright.design.executors.thread_pool import run_in_threads
from gaitwright.design.requested_numbers import RequestedNumbers
from gaitwright.design.variant_result import VariantJob, VariantResult
from gaitwright.jit.precompilation import count_available_cores
from gaitwright.model.model import Model
from gaitwright.model.spec.document import AnalysisSpec

ACCURACY_NAMES = ("max_constraint_violation", "max_energy_residual")
"""Accuracy numbers that a sweep reports."""
TIMED_VARIANTS = 2
"""Variants that are analysed first, to measure the time of one variant."""
MIN_SWEEP_SECONDS = 1.0
"""Seconds that the whole sweep must take before a program is generated, which takes some tenths of a second."""
MIN_SWEEP_VARIANTS = 50
"""Sweeps with fewer variants than this never use generated code, unless it is requested."""
COMPILE_SECONDS_PER_CHARACTER = 1e-5
"""Assumed compile time in seconds per character of the program: three times the measured value, as machines may be slow."""
AGREEMENT_RTOL = 1e-6
"""Relative tolerance for comparing numbers and series of both ways: rounding is amplified near dead points."""
AGREEMENT_ATOL = 1e-10
"""Absolute tolerance (SI units) for that comparison."""
BLOCK_VARIANTS = 1024
"""Variants per job of a cluster."""
AUTOMATIC_ANALYSES = ("inverse", "kinematic")
"""Analyses for which programs report the same accuracy numbers as the classic ones; others need printed=True."""
UNSUPPORTED_OPTIONS = ("max_seconds", "max_steps", "store")
"""Options of analyses that generated programs do not support."""


class SeriesRequest(NamedTuple):
    """Request for an output over time, used as a key in place of the name of a number."""

    output: str


class CodegenSweepTask:
    """Task for many variants at once, on this machine or on a worker of a cluster; can be pickled."""

    def __init__(self, model: Model, names: Sequence[str], outputs: Sequence[str] | None,
                 measure: RequestedNumbers | None):  # fmt: skip
        """names: varied parameters. outputs: series to keep; default: those of the model."""
        self.model, self.names, self.outputs, self.measure = model, list(names), outputs, measure

    def __reduce__(self) -> Any:
        return CodegenSweepTask, (self.model, self.names, self.outputs, self.measure)

    @cached_property
    def section(self) -> AnalysisSpec:
        """Analysis section of the model. Raises ModelError if no program can be generated for it."""
        section = self.model.document.analysis or AnalysisSpec()
        own = [name for name in UNSUPPORTED_OPTIONS if getattr(section, name) is not None]
        if section.type not in ANALYSES or own:
            what = f"an analysis with {own[0]}" if own else f"an analysis of type {section.type}"
            ErrorContext().fail(f"{what} cannot be printed yet", expected=" or ".join(ANALYSES))
        return section

    @cached_property
    def question(self) -> MeasureRequest:
        """Requested measures, and the series and accuracy numbers to keep."""
        series_names = list(self.model.document.outputs if self.outputs is None else self.outputs)
        if not series_names and self.outputs is None:
            ErrorContext().fail("all outputs cannot be printed yet", expected="some of them, as outputs=[...]")
        request = self._measured()

        def keep(turn: DesignSeries) -> DesignMeasures:
            series: dict[Any, Any] = {SeriesRequest(name): turn.series[name] for name in series_names}
            return DesignMeasures({**series, **accuracy_numbers(turn.series, turn.span)}, {})

        accuracy_outputs = (
            (CONSTRAINT_VIOLATION_OUTPUT, ENERGY_OUTPUT, SUPPLY_OUTPUT)
            if self.section.type in AUTOMATIC_ANALYSES
            else (CONSTRAINT_VIOLATION_OUTPUT,)
        )
        keeping = MeasureSource({}, (*series_names, *accuracy_outputs), lambda *_: {}, keep)
        series = tuple(dict.fromkeys([*request.series, *keeping.series]))
        return request._replace(series=series, sources=(*request.sources, keeping))

    def _measured(self) -> MeasureRequest:
        if self.measure is None:
            return MeasureRequest({}, TermGraph(), {}, {}, (), (), ())
        if self.measure.limits:
            ErrorContext().fail(
                f"the limit of '{next(iter(self.measure.limits))}' over time cannot be printed",
                expected="a number with its reduction, such as crank.torque.max",
            )
        sources = self.measure.sources(self.model)
        mechanism = self.model.mechanism()
        named = {name: name for source in sources for name in source.gives} | self.measure.expressions(mechanism)
        parameters = list(self.model.document.parameters)
        return (
            read_measures(named, mechanism, parameters, sources)
            if named
            else MeasureRequest({}, TermGraph(), {}, {}, (), (), ())
        )

    def planned(self, P: np.ndarray) -> tuple[DesignPlan, np.ndarray]:
        """Plan for variants P (n_parameters, n_variants), and a failure code per variant, nonzero if its numbers give no valid
        mechanism. Raises ModelError, with the reason, if no program can be generated."""
        plan, codes, _ = plan_designs(self.model, self.section, self.names, self.question, P, [])
        return plan, codes

    def variants(self, plan: DesignPlan, made: Any, place: np.ndarray) -> list[VariantResult | None]:
        """Analyse the variants with indices `place`; None for a variant that is left to the classic analysis. made: compiled
        program."""
        codes, _, good, measures = analyse_chunk(plan, made, place)
        fine = codes[good] == 0
        for mask in measures.wrong.values():
            fine &= ~mask
        rows: list[VariantResult | None] = [None] * place.size
        if not good.size:
            return rows
        here = place[good]
        numbers_by_name = {
            name: values for name, values in measures.numbers.items() if not isinstance(name, SeriesRequest)
        }
        accuracy = {name: numbers_by_name.pop(name) for name in ACCURACY_NAMES}
        for name in self.question.basic.values():
            if name not in numbers_by_name:
                term = plan.program.traced.terms[name]
                numbers_by_name[name] = np.broadcast_to(
                    plan.program.graph.values([term], parameter_inputs(plan.P[:, here]))[0], here.shape
                )
        numbers = {**accuracy, **(self.question.results(numbers_by_name) if self.question.expressions else {})}
        series = {name.output: values for name, values in measures.numbers.items() if isinstance(name, SeriesRequest)}
        for name, values in numbers.items():
            if name not in ACCURACY_NAMES:
                # the classic measures ignore NaN of outputs that exist in contact only: such a variant is left to them
                fine &= ~np.isnan(values)
        for k in np.flatnonzero(fine):
            time = np.linspace(0.0, plan.span[here[k]], plan.samples + 1) if series else None
            variant_series = {name: values[:, k].copy() for name, values in series.items()}
            rows[good[k]] = VariantResult(
                time, variant_series, {name: float(values[k]) for name, values in numbers.items()}, ""
            )
        return rows


class CodegenSweep:
    """Sweep by a generated program. rows: parameter values of each variant. Raises ModelError, with the reason, if no program
    can be generated."""

    def __init__(self, task: CodegenSweepTask, rows: Sequence[Mapping[str, float]]):
        if find_compiler() is None:
            ErrorContext().fail("needs a C compiler on this machine", expected="one such as gcc or clang")
        self.task = task
        self.P = np.array([[row[name] for row in rows] for name in task.names])
        self.plan, self.codes = task.planned(self.P)

    def pays(self, seconds: float, count: int) -> bool:
        """True if compiling is faster than analysing `count` variants that take `seconds` each, or is already done."""
        text = self.plan.program.text
        return is_compiled(text) or seconds * count > COMPILE_SECONDS_PER_CHARACTER * len(text)

    def compile(self, client: Any) -> None:
        """Compile the program here, unless the workers of a cluster do it."""
        if client is None:
            load_library(self.plan.program.text)

    def blocks(self, workers: int | None, client: Any, tick: Any) -> Iterator[list[tuple[int, VariantResult | None]]]:
        """Yield blocks of (index, result) of variants; None for a variant that is left to the classic analysis."""
        yield [(int(k), None) for k in np.flatnonzero(self.codes)]
        places = np.flatnonzero(self.codes == 0)
        if client is None:
            yield from self._here(places, workers)
            return
        parts = [places[first : first + BLOCK_VARIANTS] for first in range(0, places.size, BLOCK_VARIANTS)]
        with DaskExecutor(client, _run_block, self.task) as cluster:
            for j, outcome in cluster.results([self.P[:, part] for part in parts], tick):
                rows = [None] * parts[j].size if isinstance(outcome, JobCrashed) else outcome
                yield list(zip(parts[j].tolist(), rows, strict=True))

    def _here(self, places: np.ndarray, workers: int | None) -> Iterator[list[tuple[int, VariantResult | None]]]:
        made, threads = load_library(self.plan.program.text), workers or count_available_cores()
        share = -(-places.size // (4 * threads))  # at least four chunks per thread, for progress and Ctrl-C
        size = max(
            MIN_CHUNK_DESIGNS, min(max_chunk_designs(self.plan, made, "cpu"), -(-share // made.lanes) * made.lanes)
        )
        parts = [places[first : first + size] for first in range(0, places.size, size)]
        answers = run_in_threads(lambda place: self.task.variants(self.plan, made, place), parts, threads)
        try:
            for place, rows in answers:
                yield list(zip(place.tolist(), rows, strict=True))
        finally:
            answers.close()


def _run_block(task: CodegenSweepTask, P: np.ndarray) -> list[VariantResult | None]:
    """Compile the program and analyse one block of variants, on a worker of a cluster."""
    plan, codes = task.planned(P)
    rows: list[VariantResult | None] = [None] * codes.size
    places = np.flatnonzero(codes == 0)
    if find_compiler() is None or not places.size:
        return rows
    made = load_library(plan.program.text)
    size = max_chunk_designs(plan, made, "cpu")
    for first in range(0, places.size, size):
        place = places[first : first + size]
        for k, row in zip(place, task.variants(plan, made, place), strict=True):
            rows[k] = row
    return rows


def describe_disagreement(here: VariantResult, there: VariantResult, agree: float = AGREEMENT_RTOL) -> str:
    """Describe the first difference between a variant of the generated program (here) and of the analysis (there); empty if
    they agree. agree: relative tolerance."""
    if there.failure:
        return f"the analysis fails: {there.failure}"
    if [*here.series, *here.numbers] != [*there.series, *there.numbers]:
        return f"it gives {[*here.series, *here.numbers]} instead of {[*there.series, *there.numbers]}"
    pairs: list[tuple[str, Any, Any]] = [(name, here.series[name], there.series[name]) for name in there.series]
    pairs += [(name, here.numbers[name], there.numbers[name]) for name in there.numbers if name not in ACCURACY_NAMES]
    if there.time is not None:
        pairs.append(("time", here.time, there.time))
    for name, a, b in pairs:
        a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        finite = b[np.isfinite(b)]
        room = agree * np.abs(finite).max(initial=0.0) + AGREEMENT_ATOL
        if a.shape != b.shape or not np.allclose(a, b, rtol=0.0, atol=room, equal_nan=True):
            return f"'{name}' differs from that of the analysis"
    return ""


def run_codegen_variants(
    task: CodegenSweepTask,
    jobs: Sequence[VariantJob],
    run: Callable[[VariantJob], VariantResult],
    workers: int | None,
    client: Any,
    tick: Callable[[], None],
    forced: bool,
) -> Generator[tuple[int, VariantResult], None, Sequence[VariantJob]]:
    """Yield (number, result) of variants as they end; return the jobs that are left to the classic analysis. run: classic
    analysis of one job. forced: raise ModelError, with the reason, if there is no program, instead of leaving all jobs."""
    try:
        if not forced:
            if len(jobs) < MIN_SWEEP_VARIANTS or find_compiler() is None:
                return jobs
            if task.section.type not in AUTOMATIC_ANALYSES:
                return jobs
            _ = task.question
            cores = sum(client.nthreads().values()) if client is not None else workers or count_available_cores()
            seconds = 0.0
            for job in jobs[:TIMED_VARIANTS]:  # the first may include compilation: the last time counts
                start = perf_counter()
                variant = run(job)
                seconds = (perf_counter() - start) / max(cores, 1)
                yield job[0], variant
            jobs = jobs[TIMED_VARIANTS:]
            if seconds * len(jobs) < MIN_SWEEP_SECONDS:
                return jobs
        whole = CodegenSweep(task, [values for _, values in jobs])
        if not forced and not whole.pays(seconds, len(jobs)):  # pyright: ignore[reportPossiblyUnboundVariable]
            return jobs
        whole.compile(client)
    except (ModelError, RuntimeError) as error:
        if forced:
            raise ModelError(f"this sweep cannot be printed: {error}") from None
        return jobs
    left: list[VariantJob] = []
    checked = False
    for block in whole.blocks(workers, client, tick):
        good = [(k, variant) for k, variant in block if variant is not None]
        if good and not checked:
            checked = True
            for k, variant in (good[len(good) // 3], good[2 * len(good) // 3]):
                why = describe_disagreement(
                    variant,
                    run(jobs[k]),
                    forward_dynamics.FORWARD_AGREEMENT_RTOL if task.section.type == "forward" else AGREEMENT_RTOL,
                )
                if why and forced:
                    raise ModelError(f"this sweep cannot be printed: {why}")
                if why:
                    return jobs
        left += [jobs[k] for k, variant in block if variant is None]
        yield from ((jobs[k][0], variant) for k, variant in good)
    return left
