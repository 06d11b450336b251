"""Many variants of one model on all cores, in one Dataset."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.analyse.modes import Modes
from gaitwright.checks import At
from gaitwright.design.cluster import Lost
from gaitwright.design.fingerprint import fingerprint, model_fingerprint
from gaitwright.design.hands import results_of
from gaitwright.design.kept import Kept
from gaitwright.design.told import mode_numbers, told
from gaitwright.design.variant import Job, Variant
from gaitwright.design.variants import Prepared
from gaitwright.design.workers import Died
from gaitwright.errors import GaitwrightError
from gaitwright.model.model import Model, require_model
from gaitwright.result.result import Result

if TYPE_CHECKING:
    import xarray as xr

Measure = Callable[[Any], Mapping[str, float]]
"""Function of the Result, or of what else an analysis returns, that gives numbers by name."""
NOT_COMPUTED = "not computed"
INTERRUPTED = f"{NOT_COMPUTED}: interrupted"


class Task(NamedTuple):
    """What is done with every variant."""

    model: Prepared
    analyse: Callable[[Model], Any]
    outputs: Sequence[str] | None
    measure: Measure | None


def sweep(
    model: Model,
    parameters: Mapping[str, Iterable[float]],
    *,
    analysis: Mapping[str, Any] | Callable[[Model], Any] | None = None,
    outputs: Sequence[str] | None = None,
    measure: Measure | Mapping[str, str] | None = None,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    store: str | Path | None = None,
    client: Any = None,
    printed: bool | None = None,
) -> xr.Dataset:
    """Analyse every combination of parameter values.

    parameters: {name: values}; each becomes a dimension of the result. analysis: as the section of a model file, for
    example {"type": "inverse", "until": 1}, or a function of the model such as gw.analyse_leg; the model's own section
    unless given. outputs: names of series to keep; unless given those that the model names, and if it names none: all of
    them, or none where there is a measure (ten thousand variants of everything do not fit into memory). measure: function
    of the Result, or of what the analysis returns, that gives {name: number}, for what is not an output; or {name: expression}
    of outputs and parameters as in gw.designs, such as {"span": "P.x.max - P.x.min"}. workers:
    processes; all cores unless given, 1 stays in this process. store: a netCDF file, "sweep.nc", in which every finished
    variant is kept as it comes: the same call after an interruption, however that came about, goes on where it was, and
    after the end gives what it gave. A store of another sweep is refused. client: a dask.distributed.Client, whose workers
    then analyse the variants instead of processes of this machine; this process writes the store.
    printed: whether a program is printed and compiled for the model, which analyses its variants ten times and more as
    fast, with the same numbers to rounding: unless given where that can be done (as in gw.designs: kinematic and
    inverse analyses of rigid mechanisms in the plane, of which outputs, expressions or gw.measure_leg are asked) and
    takes less time. True: forward dynamics, too, with an energy residual of NaN; a ModelError tells why it cannot be
    done.

    A variant that fails is a row of NaN with its reason in `failure`, never the end of the sweep; one whose process dies is
    tried once more before that. Ctrl-C keeps what was computed, and so does a scheduler that is lost. A sweep of modes gives
    frequency_1 (Hz), damping_ratio_1, and so on; one by an analysis whose result has `measures()`, as that of
    gw.wear.on(walk), gives those. Series lie on the times of the first variant that succeeded; others are interpolated
    linearly if theirs differ."""
    require_model(model, "sweep")
    if not isinstance(parameters, Mapping):
        At("sweep", "parameters").fail(
            "is not a mapping", parameters, "names with their values, such as {'L': [0.1, 0.2]}"
        )
    listed = {name: list(values) if isinstance(values, Iterable) else [values] for name, values in parameters.items()}
    grid = {name: At("sweep", name).numbers(values, "a list of numbers") for name, values in listed.items()}
    unknown = sorted(set(grid) - set(model.document.parameters))
    if unknown or not grid or any(values.size == 0 for values in grid.values()):
        known = ", ".join(model.document.parameters) or "the model has none"
        At(field=unknown[0] if unknown else "parameters").fail(
            "a sweep needs parameters of the model, each with at least one value", expected=f"some of: {known}"
        )
    expressed = None
    if isinstance(measure, Mapping):
        from gaitwright.design.expressed import Expressed

        measure = expressed = Expressed(measure)
    raw = model.to_dict()
    if analysis is not None and not callable(analysis):
        raw["analysis"] = dict(analysis)
    if outputs is None and measure is not None and not model.document.outputs:
        outputs = []
    # what is wrong for all variants is said once, now
    prepared = Prepared(Model.from_dict({**raw, "outputs": list(outputs)} if outputs is not None else raw))
    if expressed is not None and not callable(analysis):
        expressed.check(prepared)
    task = Task(prepared, analysis if callable(analysis) else Model.analyse, outputs, measure)
    combinations = itertools.product(*(values.tolist() for values in grid.values()))
    jobs: list[Job] = [(k, dict(zip(grid, values, strict=True))) for k, values in enumerate(combinations)]
    kept = Kept(store, _question(grid, raw, analysis, outputs, measure)) if store is not None else None
    if kept is not None and (whole := kept.whole()) is not None:
        return whole
    with kept or nullcontext():
        variants = [kept.variant(tuple(job[1].values())) if kept else None for job in jobs]
        done = sum(variant is not None for variant in variants)
        given_up: dict[int, Variant] = {}
        why = INTERRUPTED

        def tell() -> None:
            if progress is not None:
                progress(done / len(jobs))

        try:
            missing = [job for job in jobs if variants[job[0]] is None]
            for k, found in _results(task, missing, workers, client, tell, printed):
                done += 1
                if isinstance(found, Died):
                    variants[k] = given_up[k] = Variant(None, {}, {}, found.reason)
                else:
                    variants[k] = found
                    if kept is not None:
                        kept.add(tuple(jobs[k][1].values()), found)
                tell()
        except KeyboardInterrupt:
            pass
        except Lost as lost:
            why = f"{NOT_COMPUTED}: {lost}"
            warnings.warn(f"{lost}; what was computed is kept{', the same call goes on' if kept else ''}", stacklevel=2)
        finished = not given_up and None not in variants
        rows = [variant or Variant(None, {}, {}, why) for variant in variants]
        data = _dataset(grid, rows)
        for name, unit in getattr(measure, "units", {}).items():
            if name in data:
                data[name].attrs["units"] = unit
        if kept is not None:
            kept.close(data, finished)
    if all(variant.failure for variant in rows):
        warnings.warn(f"none of {len(rows)} variants can be analysed; the first: {rows[0].failure}", stacklevel=2)
    return data


def _question(grid: dict[str, np.ndarray], raw: Mapping[str, Any], analysis: Any, outputs: Any, measure: Any) -> Any:
    """What a sweep is about: two that agree in this give the same numbers."""
    model = {name: section for name, section in raw.items() if name not in ("analysis", "outputs")}
    return {
        "model": model_fingerprint(model),
        "parameters": {name: values.tolist() for name, values in grid.items()},
        "analysis": fingerprint(analysis if callable(analysis) else raw.get("analysis")),
        "outputs": list(raw.get("outputs", []) if outputs is None else outputs),
        "measure": fingerprint(measure),
    }


def _results(
    task: Task, jobs: Sequence[Job], workers: int | None, client: Any, tick: Callable[[], None], printed: bool | None
) -> Iterator[tuple[int, Variant | Died]]:
    """Variants as they finish, by their number: by a printed program where it can be, the others by the analyses."""
    if printed and task.analyse is not Model.analyse:
        At("sweep", "printed").fail("an analysis that is a function cannot be printed", expected="a section or a name")
    if jobs and printed is not False and task.analyse is Model.analyse:
        from gaitwright.design.printed_sweep import PrintedTask, printed_variants  # SymPy, for those who print

        program = PrintedTask(task.model, list(jobs[0][1]), task.outputs, task.measure)
        jobs = yield from printed_variants(program, jobs, partial(_run, task), workers, client, tick, bool(printed))
    yield from ((jobs[k][0], found) for k, found in results_of(_run, task, jobs, workers, client, tick))


def _run(task: Task, job: Job) -> Variant:
    _, values = job
    try:
        result = task.analyse(task.model.variant(values))
        if getattr(getattr(result, "evidence", None), "interrupted", False):
            raise KeyboardInterrupt
        return _kept(result, task.outputs, task.measure)
    except GaitwrightError as error:
        return Variant(None, {}, {}, str(error))
    except Exception as error:  # a measure or an element of the user's own may raise anything
        return Variant(None, {}, {}, f"{type(error).__name__}: {error}")


def _kept(result: Any, outputs: Sequence[str] | None, measure: Measure | None) -> Variant:
    """What is kept of a result."""
    if isinstance(result, Modes):
        return Variant(None, {}, mode_numbers(result, measure), "")
    measured = {name: float(value) for name, value in measure(result).items()} if measure else {}
    if not isinstance(result, Result):
        return Variant(None, {}, measured if measure else told(result) or {}, "")
    names = list(outputs) if outputs is not None else result.default_names()
    series = {name: result.values(name) for name in names}
    evidence = {
        "max_constraint_violation": result.evidence.max_position_violation,
        "max_energy_residual": result.evidence.max_energy_residual,
    }
    return Variant(result.time if series else None, series, {**evidence, **measured}, "")


def _dataset(grid: dict[str, np.ndarray], variants: list[Variant]) -> xr.Dataset:
    import xarray as xr

    shape = tuple(values.size for values in grid.values())
    good = next((v for v in variants if v.time is not None), None)
    data = xr.Dataset(coords=grid)
    data["failure"] = (tuple(grid), np.array([v.failure for v in variants], dtype=object).reshape(shape))
    if good is not None and good.time is not None:
        data = data.assign_coords(time=xr.Variable("time", good.time, {"units": "s"}))
        for name in good.series:
            rows = [_on(good.time, v, name) for v in variants]
            data[name] = ((*grid, "time"), np.array(rows).reshape(*shape, good.time.size))
    for name in dict.fromkeys(name for v in variants for name in v.numbers):
        data[name] = (tuple(grid), np.array([v.numbers.get(name, np.nan) for v in variants]).reshape(shape))
    return data


def _on(time: np.ndarray, variant: Variant, name: str) -> np.ndarray:
    """A series on the common times."""
    if variant.time is None or name not in variant.series:
        return np.full(time.size, np.nan)
    if variant.time.shape == time.shape and np.array_equal(variant.time, time):
        return variant.series[name]
    return np.interp(time, variant.time, variant.series[name], left=np.nan, right=np.nan)
