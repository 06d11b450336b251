"""Many designs of one model, analysed by a program that is generated for it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright.codegen.accuracy_terms import add_energy_balance
from gaitwright.codegen.c_library import find_compiler, load_library
from gaitwright.codegen.chunk_runner import (
    MIN_CHUNK_DESIGNS,
    DesignPlan,
    analyse_chunk,
    make_plan,
    max_chunk_designs,
    measure_designs,
    parameter_inputs,
)
from gaitwright.codegen.contact_outputs import CONTACT_OUTPUTS
from gaitwright.codegen.cuda_library import load_cuda_library
from gaitwright.codegen.forward_dynamics import IntegrationSettings, read_integration_settings
from gaitwright.codegen.gradients import measure_gradients, require_derivable
from gaitwright.codegen.measures import DesignMeasures, DesignSeries, MeasureRequest, MeasureSource, read_measures
from gaitwright.codegen.program import GeneratedProgram, generate_program
from gaitwright.codegen.tracing import TermLimit, require_equal_numbers
from gaitwright.design.batch import fallback
from gaitwright.design.batch.cluster_blocks import RemoteTask, analyse_on_cluster
from gaitwright.design.batch.design_table import (
    DesignGoals,
    judge_again,
    judge_designs,
    make_dataset,
    read_design_goals,
)
from gaitwright.design.batch.function_analysis import analyse_by_function
from gaitwright.design.batch.results import FAILURE_REASONS, DesignResults, ResultCollector
from gaitwright.design.executors.process_pool import JobCrashed, ProcessPool
from gaitwright.design.executors.thread_pool import run_in_threads
from gaitwright.design.fingerprint import fingerprint, model_fingerprint
from gaitwright.design.question import DesignQuestion, Execution
from gaitwright.design.result_store import ResultStore
from gaitwright.jit.precompilation import count_available_cores
from gaitwright.model.model import Model, compile_model, model_of_compiled
from gaitwright.model.spec.document import AnalysisSpec

if TYPE_CHECKING:
    import xarray as xr

ANALYSES = ("inverse", "kinematic", "forward")
DEVICES = ("cpu", "cuda")
CHECKED_DESIGNS = 3
"""Designs for which traced numbers are compared with those of a mechanism built without tracing (require_equal_numbers)."""
MAX_CACHED_PROGRAMS = 4
"""Size of the cache of generated programs: a search uses the same one repeatedly."""
_PROGRAM_CACHE: dict[tuple[Any, ...], GeneratedProgram] = {}


def analyse_designs(
    question: DesignQuestion,
    values: Mapping[str, np.ndarray],
    *,
    gradient: Sequence[str] = (),
    device: str = "cpu",
    sources: Sequence[MeasureSource] = (),
    execution: Execution | None = None,
) -> xr.Dataset:
    """Analyse designs of a model and judge them by the goals and limits of a question. values: of each parameter,
    (n_designs,). sources: further sources of measures, besides outputs. Without a section and a function, the analysis is
    inverse dynamics. Raises ModelError for invalid input, and with the reason for unsupported models."""
    workers, client, store, progress = execution or Execution()
    P, names, model = np.stack([values[name] for name in question.box]), question.parameters, question.model
    ErrorContext("designs", "device").one_of(device, DEVICES)
    if workers is not None:
        ErrorContext("designs", "workers").whole(
            workers, "is not a number of cores", "a whole number of at least 1, or None for all"
        )
    if isinstance(gradient, (str, bool)) or not isinstance(gradient, Iterable):
        ErrorContext("designs", "gradient").fail(
            "is not a list of measures", gradient, "for example ['crank.torque.max_abs']"
        )
    section: Any = question.analysis or _require_section(model.document.analysis or AnalysisSpec(type="inverse"))
    prepared = model_of_compiled(compile_model(model).variant(outputs=[]))
    mechanism = prepared.mechanism()
    measures = question.numbers.expressions(mechanism)
    request = read_measures(measures, mechanism, list(model.document.parameters), sources)
    derived = require_derivable(request, gradient)
    goals = read_design_goals(question)
    store_file = None
    if store is not None:
        identity = question.identity(
            parameters=[names, P.shape[1], fingerprint(P)], measures=measures, gradient=list(gradient)
        )
        store_file = ResultStore.of_table(store, "set of designs", identity)
        if (whole := store_file.finished_table()) is not None:
            return judge_again(whole, goals)
    if question.analysis is not None:
        if gradient:
            ErrorContext("designs", "gradient").fail(
                "needs an analysis for which a program can be generated, not a function", list(gradient), "none"
            )
        with store_file or nullcontext():
            outcome = analyse_by_function(
                prepared,
                section,
                names,
                P,
                request,
                ResultCollector(np.zeros(P.shape[1], dtype=np.int32), [*FAILURE_REASONS], store_file),
                workers,
                client,
                progress,
            )
            data = _judge_designs(model, names, P, request, outcome, {}, goals)
            if store_file is not None:
                store_file.write_table(data, outcome.finished)
        return data
    request = add_energy_balance(request, section, prepared)
    plan, codes, limits = plan_designs(prepared, section, names, request, P, derived)
    program = plan.program
    task = RemoteTask(prepared, names, section, measures, list(sources), derived, device)
    with store_file or nullcontext():
        outcome = _analyse_plan(
            plan,
            prepared,
            task,
            ResultCollector(codes, [*FAILURE_REASONS, *limits], store_file),
            workers,
            client,
            progress,
        )
        own = model.document.parameters
        known = {name: None if name in own else outcome.numbers.get(name) for name in request.basic.values()}
        for name in known:
            if known[name] is None:
                term = program.traced.terms[name]
                known[name] = np.broadcast_to(program.graph.values([term], parameter_inputs(P))[0], P.shape[1:])
        with np.errstate(all="ignore"):  # undefined results are reported in the table
            results = request.results(known)  # pyright: ignore[reportArgumentType]
        for problem, wrong in request.undefined(known, results).items():  # pyright: ignore[reportArgumentType]
            outcome.codes[wrong & (outcome.codes == 0)] = len(outcome.reasons)
            outcome.reasons.append(problem)
        results = {name: np.where(outcome.codes == 0, values, np.nan) for name, values in results.items()}
        slopes = measure_gradients(request, gradient, program, P, known, outcome.numbers)  # pyright: ignore[reportArgumentType]
        data = _judge_designs(model, names, P, request, outcome._replace(numbers=results), slopes, goals)
        if store_file is not None:
            store_file.write_table(data, outcome.finished)
    return data


def _judge_designs(
    model: Model,
    names: Sequence[str],
    P: np.ndarray,
    question: MeasureRequest,
    found: DesignResults,
    slopes: Mapping[str, np.ndarray],
    goals: DesignGoals,
) -> xr.Dataset:
    """Dataset of designs with verdicts. found: results with the measures as numbers."""
    data = make_dataset(
        dict(zip(names, P, strict=True)), found.numbers, question.units, found.codes, found.ends, found.reasons, slopes,
        name=model.document.name,
    )  # fmt: skip
    return judge_designs(data, goals)


def _analyse_plan(
    plan: DesignPlan,
    prepared: Model,
    task: RemoteTask,
    gathered: ResultCollector,
    workers: int | None,
    client: Any,
    progress: Any,
) -> DesignResults:
    """Run the plan on a cluster, on this machine, or, without a compiler, one design after another."""
    if client is not None:
        return analyse_on_cluster(plan, task, client, gathered, progress)
    if task.device == "cpu" and find_compiler() is None:
        if plan.derived:
            ErrorContext("designs", "gradient").fail(
                "needs a C compiler on this machine", expected="one such as gcc or clang"
            )
        warnings.warn(
            "there is no C compiler on this machine: designs are analysed one after another, with the same results but about a "
            "hundred times slower (a compiler such as gcc or clang, named by GAITWRIGHT_CC, helps)", stacklevel=4,
        )  # fmt: skip
        return _run_fallback(plan, prepared, gathered, workers, progress)
    return _run_program(plan, task.device, gathered, workers, progress)


def plan_designs(
    prepared: Model,
    section: AnalysisSpec,
    names: Sequence[str],
    question: MeasureRequest,
    P: np.ndarray,
    derived: list[str],
) -> tuple[DesignPlan, np.ndarray, list[str]]:
    """Plan of a generated program, failure codes of designs without a valid mechanism (n_designs,), and their messages. Raises
    ModelError, with the reason, if no program can be generated."""
    _require_printable_outputs(prepared, question)
    march = read_integration_settings(section, compile_model(prepared), names)
    program = _cached_program(prepared, names, question.series, bool(derived), march)
    plan = make_plan(section, program, question, P, derived)
    picked = np.random.default_rng(0).choice(P.shape[1], min(CHECKED_DESIGNS, P.shape[1]), replace=False)
    some = [dict(zip(names, P[:, k].tolist(), strict=True)) for k in picked]
    mechanism, traced = program.mechanism, program.traced
    drawn = traced.drawn if mechanism.degrees_of_freedom else {}
    require_equal_numbers(compile_model(prepared), names, mechanism, traced.signal_terms, program.graph, some, drawn)
    return plan, *_check_limits(program, P)


def _require_printable_outputs(prepared: Model, question: MeasureRequest) -> None:
    """Raise ModelError for an output of a contact that has no terms, such as one that is summed over steps."""
    contacts = {names.name for names in prepared.mechanism().contact_names}
    for name in question.series:
        owner, _, what = name.rpartition(".")
        if owner in contacts and what not in CONTACT_OUTPUTS:
            ErrorContext("designs", name).fail(
                "is an output that cannot be printed yet",
                expected=f"of a contact {', '.join(CONTACT_OUTPUTS)}, or gw.sweep",
            )


def _cached_program(
    model: Model, names: Sequence[str], outputs: Sequence[str], gradient: bool, march: IntegrationSettings | None
) -> GeneratedProgram:
    """Generated program of a model, from the cache of the most recent ones if possible."""
    key = model_fingerprint(model.to_dict()), tuple(names), tuple(outputs), gradient, march
    program = _PROGRAM_CACHE.pop(key, None) or generate_program(compile_model(model), names, outputs, gradient, march)
    _PROGRAM_CACHE[key] = program
    while len(_PROGRAM_CACHE) > MAX_CACHED_PROGRAMS:
        _PROGRAM_CACHE.pop(next(iter(_PROGRAM_CACHE)))
    return program


def _require_section(section: AnalysisSpec) -> AnalysisSpec:
    """The analysis section if a program can be generated for it."""
    if section.type not in ANALYSES:
        expected = f"{' or '.join(ANALYSES)}; gw.sweep does the others"
        ErrorContext("designs", "analysis").fail("cannot be printed yet", section.type, expected)
    if is_number(section.step) and is_number(section.until) and section.step > section.until:
        ErrorContext("analysis", "step").fail(
            "is longer than the run", section.step, f"at most until, {section.until:g} s"
        )
    return section


def _check_limits(program: GeneratedProgram, P: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Failure codes (n_designs,) of designs with numbers that no mechanism can have, and the messages of the codes."""
    codes = np.zeros(P.shape[1], dtype=np.int32)
    messages: list[str] = []
    distinct: dict[Any, TermLimit] = {(limit.term, limit.least): limit for limit in program.limits}
    values = program.graph.values([limit.term for limit in distinct.values()], parameter_inputs(P))
    for limit, value in zip(distinct.values(), values, strict=True):
        value = np.broadcast_to(np.asarray(value, dtype=float), codes.shape)
        low = np.zeros_like(codes, dtype=bool) if limit.least is None else ~(value >= limit.least)
        for bad, what in (
            (low, "must be greater than zero"),
            (~(np.abs(value) <= limit.most), "is too large to compute with"),
        ):
            bad = bad & (codes == 0)
            if bad.any():
                codes[bad] = len(FAILURE_REASONS) + len(messages)
                messages.append(f"{limit.where}: {what}")
    return codes, messages


def _run_program(
    plan: DesignPlan, device: str, gathered: ResultCollector, workers: int | None, progress: Any
) -> DesignResults:
    """Analyse the waiting designs by the generated program, in chunks; threads on a CPU."""
    program = plan.program
    made: Any = load_cuda_library(program.text) if device == "cuda" else load_library(program.text)
    size = max_chunk_designs(plan, made, device)
    threads = 1
    if device == "cpu":
        threads = workers or count_available_cores()
        share = -(-int(gathered.waiting.sum()) // threads)
        size = max(MIN_CHUNK_DESIGNS, min(size, -(-share // made.lanes) * made.lanes))
    places = np.flatnonzero(gathered.waiting)
    chunks = [places[first : first + size] for first in range(0, places.size, size)]
    answers = run_in_threads(lambda place: analyse_chunk(plan, made, place), chunks, threads)
    try:
        for place, answer in answers:
            gathered.take(place, *answer)
            if progress is not None:
                progress(gathered.fraction())
    except KeyboardInterrupt:
        answers.close()
    return gathered.found(plan.asked, plan.derived, program.varied)


def _run_fallback(
    plan: DesignPlan, model: Model, gathered: ResultCollector, workers: int | None, progress: Any
) -> DesignResults:
    """Analyse the waiting designs by the classic analyses, in worker processes."""
    program = plan.program
    task = fallback.FallbackTask(model, plan.analysis, program.outputs, plan.samples, program.march)
    places = np.flatnonzero(gathered.waiting)
    jobs = [(dict(zip(program.varied, plan.P[:, k].tolist(), strict=True)), float(plan.span[k])) for k in places]
    count = min(workers or count_available_cores(), len(jobs))

    def results() -> Iterator[tuple[int, Any]]:
        if count <= 1:
            yield from ((k, fallback.analyse_design(task, job)) for k, job in enumerate(jobs))
            return
        yield 0, fallback.analyse_design(task, jobs[0])  # in this process: forked workers inherit its compiled code
        with ProcessPool(count, fallback.analyse_design, task) as pool:
            yield from ((k + 1, outcome) for k, outcome in pool.results(jobs[1:], lambda: None))

    try:
        for k, result in results():
            place = places[k : k + 1]
            if isinstance(result, JobCrashed):
                gathered.give_up(place, result.reason)
                continue
            if result.code == fallback.CODE_NO_MODEL:
                gathered.fail(place, result.reason)
                continue
            good = np.arange(int(result.track is not None))
            measures = DesignMeasures({}, {})
            if result.track is not None:
                numbers = {name: values[place] for name, values in plan.numbers.items()}
                series = {name: result.track[:, j : j + 1] for j, name in enumerate(program.outputs)}
                measures = measure_designs(plan.asked, DesignSeries(series, plan.span[place], numbers, np))
            gathered.take(place, np.array([result.code]), np.array([np.nan]), good, measures)
            if progress is not None:
                progress(gathered.fraction())
    except KeyboardInterrupt:
        pass
    return gathered.found(plan.asked, plan.derived, program.varied)
