"""Many variants of one model on all cores, in one Dataset."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import signal
import time as clock
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.analyse.modes import Modes
from gaitwright.analyse.result import Result
from gaitwright.errors import GaitwrightError, ModelError
from gaitwright.model.model import Model
from gaitwright.model.variants import Prepared

if TYPE_CHECKING:
    import xarray as xr

Measure = Callable[[Any], Mapping[str, float]]
"""Function of the Result, or of what else an analysis returns, that gives numbers by name."""
CHUNK_SECONDS = 0.2
"""How long a process works on what it is handed at once: long against the handing over, short against a person's patience."""


class Variant(NamedTuple):
    """What one variant left behind: series over time, single numbers, and the reason if it failed."""

    time: np.ndarray | None
    series: dict[str, np.ndarray]
    numbers: dict[str, float]
    failure: str


class Task(NamedTuple):
    """What is done with every variant."""

    model: Prepared
    analyse: Callable[[Model], Any]
    outputs: Sequence[str] | None
    measure: Measure | None


Job = tuple[int, dict[str, float]]
"""Number of a variant and the values of its parameters."""


def sweep(
    model: Model,
    parameters: Mapping[str, Iterable[float]],
    *,
    analysis: Mapping[str, Any] | Callable[[Model], Any] | None = None,
    outputs: Sequence[str] | None = None,
    measure: Measure | None = None,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> xr.Dataset:
    """Analyse every combination of parameter values.

    parameters: {name: values}; each becomes a dimension of the result. analysis: as the section of a model file, for
    example {"type": "inverse", "until": 1}, or a function of the model such as gw.analyse_leg; the model's own section
    unless given. outputs: names of series to keep; unless given those that the model names, and if it names none: all of
    them, or none where there is a measure (ten thousand variants of everything do not fit into memory). measure: function
    of the Result, or of what the analysis returns, that gives {name: number}, for what is not an output. workers:
    processes; all cores unless given, 1 stays in this process.

    A variant that fails is a row of NaN with its reason in `failure`, never the end of the sweep. Ctrl-C keeps what was
    computed. A sweep of modes gives frequency_1 (Hz), damping_ratio_1, and so on. Series lie on the times of the first
    variant that succeeded; others are interpolated linearly if theirs differ."""
    grid = {name: np.asarray(list(values), dtype=float) for name, values in parameters.items()}
    unknown = sorted(set(grid) - set(model.document.parameters))
    if unknown or not grid or any(values.size == 0 for values in grid.values()):
        known = ", ".join(model.document.parameters) or "the model has none"
        raise ModelError(
            "a sweep needs parameters of the model, each with at least one value",
            field=unknown[0] if unknown else "parameters", expected=f"some of: {known}",
        )  # fmt: skip
    raw = model.to_dict()
    if analysis is not None and not callable(analysis):
        raw["analysis"] = dict(analysis)
    if outputs is None and measure is not None and not model.document.outputs:
        outputs = []
    # what is wrong for all variants is said once, now
    prepared = Prepared(Model.from_dict({**raw, "outputs": list(outputs)} if outputs is not None else raw))
    task = Task(prepared, analysis if callable(analysis) else Model.analyse, outputs, measure)
    combinations = itertools.product(*(values.tolist() for values in grid.values()))
    jobs: list[Job] = [(k, dict(zip(grid, values, strict=True))) for k, values in enumerate(combinations)]
    variants: list[Variant | None] = [None] * len(jobs)
    try:
        for done, (k, variant) in enumerate(_results(task, jobs, workers), start=1):
            variants[k] = variant
            if progress is not None:
                progress(done / len(jobs))
    except KeyboardInterrupt:
        pass
    found = [v or Variant(None, {}, {}, "not computed: interrupted") for v in variants]
    if all(variant.failure for variant in found):
        warnings.warn(f"none of {len(found)} variants can be analysed; the first: {found[0].failure}", stacklevel=2)
    return _dataset(grid, found)


def _results(task: Task, jobs: list[Job], workers: int | None) -> Iterator[tuple[int, Variant]]:
    """Variants as they finish. The first runs here: the processes then inherit its compiled code and the declarations
    of the user's script, which is why they are forked where that is possible."""
    yield _run(task, jobs[0])
    workers = workers or os.cpu_count() or 1
    if workers == 1 or len(jobs) <= 2:
        yield from (_run(task, job) for job in jobs[1:])
        return
    with process_pool(workers, _set_task, task) as pool:
        try:
            yield from _in_chunks(pool, jobs[1:], 2 * workers)
        except (KeyboardInterrupt, GeneratorExit):
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def process_pool(workers: int, initializer: Callable[[Any], None], argument: Any) -> ProcessPoolExecutor:
    """Processes that know what is to be done. Forked where that is possible: a function written in place could not be sent
    to them."""
    kind = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(kind)
    return ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(initializer, argument))


def _begin(initializer: Callable[[Any], None], argument: Any) -> None:
    """The begin of a process: Ctrl-C ends it at once, whatever the command line made of it, and what it inherited is no
    garbage to look for."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.freeze()
    initializer(argument)


def _in_chunks(pool: ProcessPoolExecutor, jobs: list[Job], ahead: int) -> Iterator[tuple[int, Variant]]:
    """Jobs handed to the processes in chunks that grow with how fast they come back. ahead: chunks in waiting."""
    waiting: dict[Future[Any], list[Job]] = {}
    begin, size, death = 0, 1, ""
    while waiting or begin < len(jobs):
        while not death and len(waiting) < ahead and begin < len(jobs):
            chunk = jobs[begin : begin + size]
            try:
                waiting[pool.submit(_run_chunk, chunk)] = chunk
            except BrokenProcessPool as broken:
                death = f"process died: {broken}"
                break
            begin += len(chunk)
        if death and not waiting:
            yield from ((k, Variant(None, {}, {}, death)) for k, _ in jobs[begin:])
            return
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            chunk = waiting.pop(future)
            broken = future.exception()
            if isinstance(broken, KeyboardInterrupt):
                raise broken
            if broken is not None:
                yield from ((k, Variant(None, {}, {}, f"process died: {broken}")) for k, _ in chunk)
                continue
            seconds, found = future.result()
            size = max(1, int(CHUNK_SECONDS * len(chunk) / max(seconds, 1e-6)))
            yield from found


_task: Task | None = None


def _set_task(task: Task) -> None:
    """Known to this process."""
    global _task
    _task = task


def _run_chunk(jobs: list[Job]) -> tuple[float, list[tuple[int, Variant]]]:
    """Variants of the task of this process, and the seconds that they took."""
    assert _task is not None
    began = clock.perf_counter()
    found = [_run(_task, job) for job in jobs]
    return clock.perf_counter() - began, found


def _run(task: Task, job: Job) -> tuple[int, Variant]:
    k, values = job
    try:
        result = task.analyse(task.model.variant(values))
        if getattr(getattr(result, "evidence", None), "interrupted", False):
            raise KeyboardInterrupt
        return k, _kept(result, task.outputs, task.measure)
    except GaitwrightError as error:
        return k, Variant(None, {}, {}, str(error))
    except Exception as error:  # a measure or an element of the user's own may raise anything
        return k, Variant(None, {}, {}, f"{type(error).__name__}: {error}")


def _kept(result: Any, outputs: Sequence[str] | None, measure: Measure | None) -> Variant:
    """What is kept of a result."""
    if isinstance(result, Modes):
        return Variant(None, {}, _of_modes(result, measure), "")
    measured = {name: float(value) for name, value in measure(result).items()} if measure else {}
    if not isinstance(result, Result):
        return Variant(None, {}, measured, "")
    names = list(outputs) if outputs is not None else result.default_names()
    series = {name: result.values(name) for name in names}
    evidence = {
        "max_constraint_violation": result.evidence.max_position_violation,
        "max_energy_residual": result.evidence.max_energy_residual,
    }
    return Variant(result.time if series else None, series, {**evidence, **measured}, "")


def _of_modes(modes: Modes, measure: Any) -> dict[str, float]:
    """Frequencies (Hz) and damping ratios, counted from 1, and what is measured."""
    numbers = {f"frequency_{k}": float(f) for k, f in enumerate(modes.frequencies, start=1)}
    numbers |= {f"damping_ratio_{k}": float(d) for k, d in enumerate(modes.damping_ratios, start=1)}
    return {**numbers, **({name: float(value) for name, value in measure(modes).items()} if measure else {})}


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
