"""Analysis of all combinations of parameter values on all cores, as one Dataset."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright.analysis.modes import Modes
from gaitwright.design.executors.dask_executor import SchedulerLost
from gaitwright.design.executors.jobs import run_jobs
from gaitwright.design.executors.process_pool import JobCrashed
from gaitwright.design.fingerprint import fingerprint, model_fingerprint
from gaitwright.design.measure_plan import plan_analysis
from gaitwright.design.result_store import ResultStore
from gaitwright.design.scalar_results import mode_scalars, read_scalars
from gaitwright.design.variant_result import VariantJob, VariantResult
from gaitwright.model.model import Model, make_variant, require_compilable, require_model
from gaitwright.result.reductions import REDUCTION_CHOICES
from gaitwright.result.result import Result

if TYPE_CHECKING:
    import xarray as xr

MeasureFunction = Callable[[Any], Mapping[str, float]]
"""Function of the Result, or of another return value of an analysis, that returns numbers by name."""
NOT_COMPUTED = "not computed"
INTERRUPTED_FAILURE = f"{NOT_COMPUTED}: interrupted"


class SweepTask(NamedTuple):
    """Task shared by all variants."""

    model: Model
    analyse: Callable[[Model], Any]
    outputs: Sequence[str] | None
    measure: MeasureFunction | None


def sweep(
    model: Model,
    parameters: Mapping[str, Iterable[float]],
    *,
    analysis: Mapping[str, Any] | Callable[[Model], Any] | None = None,
    outputs: Sequence[str] | None = None,
    measure: MeasureFunction | Mapping[str, str] | None = None,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    store: str | Path | None = None,
    client: Any = None,
    printed: bool | None = None,
) -> xr.Dataset:
    """Analyse every combination of parameter values.

    parameters: {name: values}; each becomes a dimension of the result. analysis: mapping like the section of a model file,
    for example {"type": "inverse", "until": 1}, or a function of the model such as gw.analyse_leg; default: the model's own
    section. outputs: names of series to keep; default: the outputs that the model names, or, if it names none, all of them,
    or none if there is a measure (all outputs of ten thousand variants do not fit into memory). measure: function of the
    Result, or of another return value of the analysis, that returns {name: number}, for numbers that are not outputs; or
    {name: expression} of outputs and parameters as in gw.designs, such as {"span": "P.x.max - P.x.min"}. workers: number of
    processes; default: all cores; 1 stays in this process. store: a netCDF file, "sweep.nc"; every finished variant is kept
    as soon as it is computed: the same call after an interruption resumes, and after the end returns the stored result. A
    store of another sweep is refused. client: a dask.distributed.Client: its workers then analyse the variants instead of
    local processes; this process writes the store. progress: callback with the fraction done.
    printed: True to generate and compile a program for the model, which analyses its variants at least ten times faster,
    with the same numbers up to rounding; False for the classic analysis. Default: use a program if that is possible (as in
    gw.designs: kinematic and inverse analyses of planar rigid mechanisms, with outputs, expressions or gw.measure_leg as
    numbers) and faster. With True also forward dynamics, with an energy residual of NaN; raises ModelError, with the reason,
    if it is not possible.

    A variant that fails is a row of NaN with its reason in `failure` and does not stop the sweep; after a crash of its
    process a variant is tried once more. After Ctrl-C or the loss of a scheduler the result contains the finished variants.
    A sweep of modes returns frequency_1 (Hz), damping_ratio_1, and so on; if the result of an analysis has `measures()`,
    such as gw.wear.device_analysis(walk), the sweep returns those. Series use the times of the first variant that
    succeeded; series with other times are interpolated linearly. Raises ModelError for invalid input."""
    require_model(model, "sweep")
    if not isinstance(parameters, Mapping):
        ErrorContext("sweep", "parameters").fail(
            "is not a mapping", parameters, "names with their values, such as {'L': [0.1, 0.2]}"
        )
    listed = {name: list(values) if isinstance(values, Iterable) else [values] for name, values in parameters.items()}
    grid = {name: ErrorContext("sweep", name).numbers(values, "a list of numbers") for name, values in listed.items()}
    unknown = sorted(set(grid) - set(model.document.parameters))
    if unknown or not grid or any(values.size == 0 for values in grid.values()):
        known = ", ".join(model.document.parameters) or "the model has none"
        ErrorContext(field=unknown[0] if unknown else "parameters").fail(
            "a sweep needs parameters of the model, each with at least one value", expected=f"some of: {known}"
        )
    expressed = None
    if measure is not None and not isinstance(measure, Mapping) and not callable(measure):
        ErrorContext("sweep", "measure").fail(
            "is neither a function of the Result nor a mapping", measure,
            f"{{name: expression}}, such as {{'load': 'crank.torque.max'}}, with the reductions {REDUCTION_CHOICES}",
        )  # fmt: skip
    if isinstance(measure, Mapping):
        from gaitwright.design.measure_expressions import MeasureExpressions

        analysis = plan_analysis(model, analysis, measure.values())
        measure = expressed = MeasureExpressions(measure)
    raw = model.to_dict()
    if analysis is not None and not callable(analysis):
        raw["analysis"] = dict(analysis)
    if outputs is None and measure is not None and not model.document.outputs:
        outputs = []
    # errors that apply to all variants are raised once, here
    prepared = require_compilable(Model.from_dict({**raw, "outputs": list(outputs)} if outputs is not None else raw))
    if expressed is not None and not callable(analysis):
        expressed.check(prepared)
    task = SweepTask(prepared, analysis if callable(analysis) else Model.analyse, outputs, measure)
    combinations = itertools.product(*(values.tolist() for values in grid.values()))
    jobs: list[VariantJob] = [(k, dict(zip(grid, values, strict=True))) for k, values in enumerate(combinations)]
    store_file = None
    if store is not None:
        question = _store_question(grid, raw, analysis, outputs, measure)
        store_file = ResultStore.of_table(store, "sweep", question, shared=["time"])
        if (whole := store_file.finished_table()) is not None:
            return whole
    with store_file or nullcontext():
        stored = [store_file.get(tuple(job[1].values())) if store_file else None for job in jobs]
        variants = [VariantResult(**entry) if entry is not None else None for entry in stored]
        done = sum(variant is not None for variant in variants)
        crashed: dict[int, VariantResult] = {}
        why = INTERRUPTED_FAILURE

        def tell() -> None:
            if progress is not None:
                progress(done / len(jobs))

        try:
            missing = [job for job in jobs if variants[job[0]] is None]
            for k, outcome in _run_variants(task, missing, workers, client, tell, printed):
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
                f"{lost}; what was computed is kept{', the same call goes on' if store_file else ''}", stacklevel=2
            )
        finished = not crashed and None not in variants
        rows = [variant or VariantResult(None, {}, {}, why) for variant in variants]
        data = _make_dataset(grid, rows)
        for name, unit in getattr(measure, "units", {}).items():
            if name in data:
                data[name].attrs["units"] = unit
        if store_file is not None:
            store_file.write_table(data, finished)
    if all(variant.failure for variant in rows):
        warnings.warn(f"none of {len(rows)} variants can be analysed; the first: {rows[0].failure}", stacklevel=2)
    return data


def _store_question(
    grid: dict[str, np.ndarray], raw: Mapping[str, Any], analysis: Any, outputs: Any, measure: Any
) -> Any:
    """Identity of the question in a store: two sweeps that agree in it give the same numbers."""
    model = {name: section for name, section in raw.items() if name not in ("analysis", "outputs")}
    return {
        "model": model_fingerprint(model),
        "parameters": {name: values.tolist() for name, values in grid.items()},
        "analysis": fingerprint(analysis if callable(analysis) else raw.get("analysis")),
        "outputs": list(raw.get("outputs", []) if outputs is None else outputs),
        "measure": fingerprint(measure),
    }


def _run_variants(
    task: SweepTask,
    jobs: Sequence[VariantJob],
    workers: int | None,
    client: Any,
    tick: Callable[[], None],
    printed: bool | None,
) -> Iterator[tuple[int, VariantResult | JobCrashed]]:
    """Yield (number, result) of variants as they end: by a generated program if possible, else by the classic analysis."""
    if printed and task.analyse is not Model.analyse:
        ErrorContext("sweep", "printed").fail(
            "an analysis that is a function cannot be printed", expected="a section or a name"
        )
    if jobs and printed is not False and task.analyse is Model.analyse:
        from gaitwright.design.codegen_sweep import CodegenSweepTask, run_codegen_variants  # imports SymPy

        program = CodegenSweepTask(task.model, list(jobs[0][1]), task.outputs, task.measure)
        jobs = yield from run_codegen_variants(
            program, jobs, partial(_run_variant, task), workers, client, tick, bool(printed)
        )
    yield from ((jobs[k][0], result) for k, result in run_jobs(_run_variant, task, jobs, workers, client, tick))


def _run_variant(task: SweepTask, job: VariantJob) -> VariantResult:
    _, values = job
    try:
        result = task.analyse(make_variant(task.model, values))
        if getattr(getattr(result, "evidence", None), "interrupted", False):
            raise KeyboardInterrupt
        return _extract_variant(result, task.outputs, task.measure)
    except GaitwrightError as error:
        return VariantResult(None, {}, {}, str(error))
    except Exception as error:  # a user-defined measure or element may raise anything
        return VariantResult(None, {}, {}, f"{type(error).__name__}: {error}")


def _extract_variant(result: Any, outputs: Sequence[str] | None, measure: MeasureFunction | None) -> VariantResult:
    """Series and numbers of a result that the sweep keeps."""
    if isinstance(result, Modes):
        return VariantResult(None, {}, mode_scalars(result, measure), "")
    measured = {name: float(value) for name, value in measure(result).items()} if measure else {}
    if not isinstance(result, Result):
        return VariantResult(None, {}, measured if measure else read_scalars(result) or {}, "")
    names = list(outputs) if outputs is not None else result.default_names()
    series = {name: result.array(name) for name in names}
    evidence = {
        "max_constraint_violation": result.evidence.max_position_violation,
        "max_energy_residual": result.evidence.max_energy_residual,
    }
    return VariantResult(result.time if series else None, series, {**evidence, **measured}, "")


def _make_dataset(grid: dict[str, np.ndarray], variants: list[VariantResult]) -> xr.Dataset:
    import xarray as xr

    shape = tuple(values.size for values in grid.values())
    good = next((v for v in variants if v.time is not None), None)
    data = xr.Dataset(coords=grid)
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
