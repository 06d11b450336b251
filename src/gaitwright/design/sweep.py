"""Analysis of all combinations of parameter values on all cores."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright.analysis.modes import Modes
from gaitwright.design.evaluation import AnalysisInput, failure_reason, mode_scalars, read_scalars, run_variant
from gaitwright.design.executors.dask_executor import SchedulerLost
from gaitwright.design.executors.jobs import run_jobs
from gaitwright.design.executors.process_pool import JobCrashed
from gaitwright.design.parameter_ranges import read_sample_count
from gaitwright.design.question import DesignQuestion, Execution
from gaitwright.design.requested_numbers import MeasuresInput, RequestedNumbers
from gaitwright.design.result import EVIDENCE_NAMES, DesignResult
from gaitwright.design.result_store import ResultStore
from gaitwright.design.variant_result import VariantJob, VariantResult
from gaitwright.model.model import Model, make_variant, require_compilable
from gaitwright.result.result import Result

if TYPE_CHECKING:
    import xarray as xr

NOT_COMPUTED = "not computed"
INTERRUPTED_FAILURE = f"{NOT_COMPUTED}: interrupted"


class SweepTask(NamedTuple):
    """Task shared by all variants. analyse: function of the model, or None for its section. outputs: series to keep."""

    model: Model
    analyse: Callable[[Model], Any] | None
    outputs: Sequence[str] | None
    measure: RequestedNumbers | None


def sweep(
    model: Model,
    parameters: Mapping[str, Any],
    *,
    measures: MeasuresInput = None,
    series: Sequence[str] | None = None,
    samples: int = 9,
    analysis: AnalysisInput | None = None,
    workers: int | None = None,
    client: Any = None,
    store: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
    printed: bool | None = None,
) -> DesignResult:
    """Analyse every combination of parameter values.

        result = gw.sweep(leg, {"L3": (0.26, 0.29), "L6": [0.39, 0.40, 0.41]}, analysis=gw.one_turn(), measures=gw.measure_leg)
        result["energy"]; result.plot("map.png")

    parameters: {name: list of values}, or {name: (low, high)}, of which `samples` values are analysed, at equal ratios if the
        ends are far apart. Each becomes a dimension of the result.
    measures: numbers of each variant: names such as "crank.torque.max" (an output and its reduction over time: final, max,
        min, max_abs, mean, range, end, sample_90; without one, final) and expressions such as
        "span=P.x.max - P.x.min", as a list or as {name: expression}; or functions of the Result (or of another return value
        of the analysis) that return {name: number}, such as gw.measure_leg, or as {name: function} one number.
    series: names of outputs to keep over time; default: the outputs that the model names, or, if it names none, all of them,
        or none if there are measures (all outputs of ten thousand variants do not fit into memory).
    analysis: name, or mapping like the section of a model file, for example {"type": "inverse", "until": 1}, or a function of
        the model such as gw.analyse_leg; default: the model's own section.
    workers: number of processes; default: all cores; 1 stays in this process. client: a dask.distributed.Client: its workers
        then analyse the variants instead of local processes; this process writes the store.
    store: a netCDF file, "sweep.nc"; every finished variant is kept as soon as it is computed: the same call after an
        interruption resumes, and after the end returns the stored result. A store of another sweep is refused.
    progress: callback with the fraction done.
    printed: True to generate and compile a program for the model, which analyses its variants at least ten times faster,
        with the same numbers up to rounding; False for the classic analysis. Default: use a program if that is possible (as
        in gw.designs: kinematic and inverse analyses of planar rigid mechanisms, with outputs, expressions or gw.measure_leg
        as numbers) and faster. With True also forward dynamics, with an energy residual of NaN; raises ModelError, with the
        reason, if it is not possible.

    A variant that fails is a row of NaN with its reason in `failure` and does not stop the sweep; after a crash of its
    process a variant is tried once more. After Ctrl-C or the loss of a scheduler the result contains the finished variants.
    A sweep of modes returns frequency_1 (Hz), damping_ratio_1, and so on; if the result of an analysis has `measures()`,
    such as gw.wear.device_analysis(walk), a sweep without measures returns those. Series use the times of the first variant
    that succeeded; series with other times are interpolated linearly. Raises ModelError for invalid input."""
    question = DesignQuestion(
        "sweep", model, parameters, measures=measures, analysis=analysis, known_rules={}, printed=True
    )
    if series is None and question.numbers and not model.document.outputs:
        series = []
    execution = Execution(workers, client, store, progress)
    grid = sample_grid(question, samples)
    data = sweep_grid(question, grid, execution, series=series, printed=printed)
    failures = [str(reason) for reason in data["failure"].values.ravel()]
    if all(failures):
        hint = describe_unit_slip(question.variant({name: float(values[0]) for name, values in grid.items()}))
        text = f"none of {len(failures)} variants can be analysed; {hint}the first: {failures[0]}"
        warnings.warn(text, stacklevel=2)
    return DesignResult(question, data)


def describe_unit_slip(model: Model) -> str:
    """The warning that a number of a variant looks like one of another unit, such as millimetres; empty without one.
    Variants are not checked for it, so the model is read again."""
    with suppress(GaitwrightError):
        sentences = Model.from_dict(model.to_dict()).mechanism().warnings
        return next((f"{text}; " for text in sentences if "looks like" in text), "")
    return ""


def sample_grid(question: DesignQuestion, samples: int) -> dict[str, np.ndarray]:
    """Values of every parameter: the given ones, or `samples` values within its range."""
    count = read_sample_count(question.method, samples)
    return {name: axis.samples(count) for name, axis in question.box.items()}


def sweep_grid(
    question: DesignQuestion,
    grid: Mapping[str, np.ndarray],
    execution: Execution,
    *,
    series: Sequence[str] | None,
    printed: bool | None = None,
) -> xr.Dataset:
    """Analyse all combinations of the values of a grid. series: outputs to keep; default: those of the model."""
    raw = question.model.to_dict()
    # errors that apply to all variants are raised once, here
    prepared = require_compilable(Model.from_dict({**raw, "outputs": list(series)} if series is not None else raw))
    question.check()
    task = SweepTask(prepared, question.analysis, series, question.numbers or None)
    combinations = itertools.product(*(values.tolist() for values in grid.values()))
    jobs: list[VariantJob] = [(k, dict(zip(grid, values, strict=True))) for k, values in enumerate(combinations)]
    store = execution.store
    outputs = list(raw.get("outputs", []) if series is None else series)
    values = {name: points.tolist() for name, points in grid.items()}
    store_file = None
    if store is not None:
        identity = question.identity(parameters=values, series=outputs)
        store_file = ResultStore.of_table(store, "sweep", identity, shared=["time"])
        if (whole := store_file.finished_table()) is not None:
            return whole
    with store_file or nullcontext():
        stored = [store_file.get(tuple(job[1].values())) if store_file else None for job in jobs]
        variants = [VariantResult(**entry) if entry is not None else None for entry in stored]
        done = sum(variant is not None for variant in variants)
        crashed: dict[int, VariantResult] = {}
        why = INTERRUPTED_FAILURE

        def tell() -> None:
            execution.report(done / len(jobs))

        try:
            missing = [job for job in jobs if variants[job[0]] is None]
            for k, outcome in _run_variants(task, missing, execution, tell, printed):
                done += 1
                if isinstance(outcome, JobCrashed):
                    variants[k] = crashed[k] = VariantResult(None, {}, {}, outcome.reason)
                else:
                    variants[k] = outcome
                    if store_file is not None:
                        store_file.add(tuple(jobs[k][1].values()), outcome._asdict())
                tell()
        except KeyboardInterrupt:
            pass
        except SchedulerLost as lost:
            why = f"{NOT_COMPUTED}: {lost}"
            warnings.warn(
                f"{lost}; what was computed is kept{', the same call goes on' if store_file else ''}", stacklevel=3
            )
        finished = not crashed and None not in variants
        rows = [variant or VariantResult(None, {}, {}, why) for variant in variants]
        data = _make_dataset(grid, rows)
        for name, unit in question.units.items():
            if name in data and unit:
                data[name].attrs["units"] = unit
        if store_file is not None:
            store_file.write_table(data, finished)
    return data


def sweep_numbers(question: DesignQuestion, grid: Mapping[str, np.ndarray], execution: Execution) -> xr.Dataset:
    """Numbers of a question over a grid, without series and evidence: goals, further measures, limited numbers; NaN for those
    that no variant has. Completes the units of the question."""
    data = sweep_grid(question, grid, execution, series=[])
    numbers, shape = question.numbers, data["failure"].shape
    own = [str(name) for name in data.data_vars if name not in EVIDENCE_NAMES] if numbers.functions else []
    free = [name for name in [*numbers.texts, *numbers.single, *own] if name not in question.limits]
    names = list(dict.fromkeys([*question.goals, *free, *question.limits]))
    for name in [name for name in names if name not in data]:
        data[name] = (tuple(grid), np.full(shape, np.nan))
    good = np.argwhere(data["failure"].values == "")
    if good.size and any(name not in question.units for name in names):  # stores and worker processes return no units
        values = {name: float(grid[name][k]) for name, k in zip(grid, good[0], strict=True)}
        question.learn_units(question.run(question.variant(values)))
    for name in names:
        data[name].attrs["units"] = question.units.get(name, "")
    return data[[*names, "failure"]]


def _run_variants(
    task: SweepTask,
    jobs: Sequence[VariantJob],
    execution: Execution,
    tick: Callable[[], None],
    printed: bool | None,
) -> Iterator[tuple[int, VariantResult | JobCrashed]]:
    """Yield (number, result) of variants as they end: by a generated program if possible, else by the classic analysis."""
    workers, client = execution.workers, execution.client
    if printed and task.analyse is not None:
        ErrorContext("sweep", "printed").fail(
            "an analysis that is a function cannot be printed", expected="a section or a name"
        )
    if jobs and printed is not False and task.analyse is None:
        from gaitwright.design.codegen_sweep import CodegenSweepTask, run_codegen_variants  # imports SymPy

        program = CodegenSweepTask(task.model, list(jobs[0][1]), task.outputs, task.measure)
        jobs = yield from run_codegen_variants(
            program, jobs, partial(_run_variant, task), workers, client, tick, bool(printed)
        )
    yield from ((jobs[k][0], result) for k, result in run_jobs(_run_variant, task, jobs, workers, client, tick))


def _run_variant(task: SweepTask, job: VariantJob) -> VariantResult:
    _, values = job
    try:
        return _extract_variant(run_variant(task.analyse, make_variant(task.model, values)), task.outputs, task.measure)
    except Exception as error:  # a user-defined measure or element may raise anything
        return VariantResult(None, {}, {}, failure_reason(error))


def _extract_variant(result: Any, outputs: Sequence[str] | None, measure: RequestedNumbers | None) -> VariantResult:
    """Series and numbers of a result that the sweep keeps."""
    numbers = measure(result) if measure else mode_scalars(result) if isinstance(result, Modes) else None
    if not isinstance(result, Result):
        return VariantResult(None, {}, (read_scalars(result) or {}) if numbers is None else numbers, "")
    names = list(outputs) if outputs is not None else result.default_names()
    series = {name: result.array(name) for name in names}
    evidence = {
        "max_constraint_violation": result.evidence.max_position_violation,
        "max_energy_residual": result.evidence.max_energy_residual,
    }
    return VariantResult(result.time if series else None, series, {**evidence, **(numbers or {})}, "")


def _make_dataset(grid: Mapping[str, np.ndarray], variants: list[VariantResult]) -> xr.Dataset:
    import xarray as xr

    shape = tuple(values.size for values in grid.values())
    good = next((v for v in variants if v.time is not None), None)
    data = xr.Dataset(coords=dict(grid))
    data["failure"] = (tuple(grid), np.array([v.failure for v in variants], dtype=object).reshape(shape))
    if good is not None and good.time is not None:
        data = data.assign_coords(time=xr.Variable("time", good.time, {"units": "s"}))
        for name in good.series:
            rows = [_resample_series(good.time, v, name) for v in variants]
            data[name] = ((*grid, "time"), np.array(rows).reshape(*shape, good.time.size))
    for name in dict.fromkeys(name for v in variants for name in v.numbers):
        data[name] = (tuple(grid), np.array([v.numbers.get(name, np.nan) for v in variants]).reshape(shape))
    return data


def _resample_series(time: np.ndarray, variant: VariantResult, name: str) -> np.ndarray:
    """Series of a variant on the common times (n_times,); NaN if it has none."""
    if variant.time is None or name not in variant.series:
        return np.full(time.size, np.nan)
    if variant.time.shape == time.shape and np.array_equal(variant.time, time):
        return variant.series[name]
    return np.interp(time, variant.time, variant.series[name], left=np.nan, right=np.nan)
