"""Designs analysed one after another by a user-defined function of the model that returns numbers by name."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.codegen.measures import DesignMeasures, MeasureRequest
from gaitwright.design.batch.results import DesignResults, ResultCollector
from gaitwright.design.evaluation import failure_reason, run_variant
from gaitwright.design.executors.dask_executor import SchedulerLost
from gaitwright.design.executors.jobs import run_jobs
from gaitwright.design.executors.process_pool import JobCrashed
from gaitwright.design.requested_numbers import evaluate_expressions
from gaitwright.model.model import Model, make_variant


class FunctionTask(NamedTuple):
    """Task shared by all designs."""

    model: Model
    analyse: Callable[[Any], Any]
    measures: Mapping[str, str]


def measure_design(task: FunctionTask, values: dict[str, float]) -> tuple[dict[str, float], str]:
    """Numbers of a design and an empty string, or the reason of the failure."""
    try:
        result = run_variant(task.analyse, make_variant(task.model, values))
        numbers = evaluate_expressions(task.measures, result)
    except Exception as error:  # a user-defined function may raise anything
        return {}, failure_reason(error)
    undefined = [name for name, value in numbers.items() if math.isnan(value)]
    return numbers, f"the measure '{undefined[0]}' is not a finite number" if undefined else ""


def analyse_by_function(
    model: Model,
    analyse: Callable[[Any], Any],
    names: Sequence[str],
    P: np.ndarray,
    question: MeasureRequest,
    gathered: ResultCollector,
    workers: int | None,
    client: Any,
    progress: Callable[[float], None] | None,
) -> DesignResults:
    """Analyse designs P (n_parameters, n_designs). The numbers of the returned DesignResults are the measures."""
    task = FunctionTask(model, analyse, question.texts)
    places = np.flatnonzero(gathered.waiting)
    jobs = [dict(zip(names, P[:, k].tolist(), strict=True)) for k in places]

    def tell() -> None:
        if progress is not None:
            progress(gathered.fraction())

    try:
        for k, answer in run_jobs(measure_design, task, jobs, workers, client, tell):
            place = places[k : k + 1]
            if isinstance(answer, JobCrashed):
                gathered.give_up(place, answer.reason)
                continue
            numbers, failure = answer
            if failure:
                gathered.fail(place, failure)
                continue
            measures = DesignMeasures({name: np.array([value]) for name, value in numbers.items()}, {})
            gathered.take(place, np.zeros(1, dtype=np.int32), np.full(1, np.nan), np.zeros(1, dtype=int), measures)
            tell()
    except KeyboardInterrupt:
        pass
    except SchedulerLost as lost:
        gathered.lost = True
        warnings.warn(f"{lost}; what was computed is kept", stacklevel=4)
    results = gathered.found(question, [], names)
    size = P.shape[1]
    numbers = {name: results.numbers.get(name, np.full(size, np.nan)) for name in question.expressions}
    return results._replace(numbers=numbers)
