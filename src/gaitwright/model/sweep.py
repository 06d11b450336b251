"""Many variants of one model on all cores, in one Dataset."""

from __future__ import annotations

import itertools
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.analyse.modes import Modes
from gaitwright.errors import GaitwrightError, ModelError
from gaitwright.model.model import Model

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.analyse.result import Result

Measure = Callable[["Result"], Mapping[str, float]]


class Variant(NamedTuple):
    """What one variant left behind: series over time, single numbers, and the reason if it failed."""

    time: np.ndarray | None
    series: dict[str, np.ndarray]
    numbers: dict[str, float]
    failure: str


def sweep(
    model: Model,
    parameters: Mapping[str, Iterable[float]],
    *,
    analysis: Mapping[str, Any] | None = None,
    outputs: Sequence[str] | None = None,
    measure: Measure | None = None,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> xr.Dataset:
    """Analyse every combination of parameter values.

    parameters: {name: values}; each becomes a dimension of the result. analysis: as the section of a model file, for
    example {"type": "inverse", "until": 1}; the model's own unless given. outputs: names of series to keep; the model's
    outputs unless given. measure: function of the Result that returns {name: number}, for what is not an output.
    workers: processes; all cores unless given, 1 stays in this process.

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
    if analysis is not None:
        raw["analysis"] = dict(analysis)
    # what is wrong for all variants is said once, now
    common = Model.from_dict({**raw, "outputs": list(outputs)} if outputs is not None else raw)
    common.mechanism()
    jobs = [
        (k, raw, dict(zip(grid, map(float, values), strict=True)), outputs)
        for k, values in enumerate(itertools.product(*grid.values()))
    ]
    variants: list[Variant | None] = [None] * len(jobs)
    _set_measure(measure)
    try:
        for done, (k, variant) in enumerate(_results(jobs, workers or os.cpu_count() or 1), start=1):
            variants[k] = variant
            if progress is not None:
                progress(done / len(jobs))
    except KeyboardInterrupt:
        pass
    return _dataset(grid, [v or Variant(None, {}, {}, "not computed: interrupted") for v in variants])


def _results(jobs: list[Any], workers: int) -> Iterator[tuple[int, Variant]]:
    """Variants as they finish. The first runs here: the processes then inherit its compiled code and the declarations
    of the user's script, which is why they are forked where that is possible."""
    yield _run(jobs[0])
    if workers == 1 or len(jobs) <= 2:
        yield from map(_run, jobs[1:])
        return
    kind = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(kind)
    with ProcessPoolExecutor(workers, context, initializer=_set_measure, initargs=(_measure,)) as pool:
        waiting = {pool.submit(_run, job): job[0] for job in jobs[1:]}
        try:
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    k = waiting.pop(future)
                    broken = future.exception()
                    yield future.result() if broken is None else (k, Variant(None, {}, {}, f"process died: {broken}"))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_measure: Measure | None = None


def _set_measure(measure: Measure | None) -> None:
    """Known to this process and to those forked from it: a function written in place could not be sent to them."""
    global _measure
    _measure = measure


def _run(job: Any) -> tuple[int, Variant]:
    k, raw, values, outputs = job
    measure = _measure
    try:
        result = Model.from_dict(raw).copy(**values).analyse()
        if isinstance(result, Modes):
            return k, Variant(None, {}, _of_modes(result, measure), "")
        if result.evidence.interrupted:
            raise KeyboardInterrupt
        names = list(outputs) if outputs is not None else result.default_names()
        series = {name: result.values(name) for name in names}
        numbers = {
            "max_constraint_violation": result.evidence.max_position_violation,
            "max_energy_residual": result.evidence.max_energy_residual,
            **({name: float(value) for name, value in measure(result).items()} if measure else {}),
        }
        return k, Variant(result.time, series, numbers, "")
    except GaitwrightError as error:
        return k, Variant(None, {}, {}, str(error))
    except Exception as error:  # a measure or an element of the user's own may raise anything
        return k, Variant(None, {}, {}, f"{type(error).__name__}: {error}")


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
