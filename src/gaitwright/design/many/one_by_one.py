"""Designs by an analysis that is a function of the model and tells numbers by name, one after another."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.design.cluster import Lost
from gaitwright.design.expressed import Expressed
from gaitwright.design.hands import results_of
from gaitwright.design.many.gathered import Found, Gathered
from gaitwright.design.many.measures import Asked, Measured
from gaitwright.design.question import reason
from gaitwright.design.variants import Prepared
from gaitwright.design.workers import Died


class OneByOne(NamedTuple):
    """What is done with every design."""

    model: Prepared
    analyse: Callable[[Any], Any]
    measures: Expressed


def assessed(task: OneByOne, values: dict[str, float]) -> tuple[dict[str, float], str]:
    """The numbers of a design, or why there are none."""
    try:
        result = task.analyse(task.model.variant(values))
        if getattr(getattr(result, "evidence", None), "interrupted", False):
            raise KeyboardInterrupt
        numbers = task.measures(result)
    except Exception as error:  # a function of the user's own may raise anything
        return {}, reason(error)
    wrong = [name for name, value in numbers.items() if math.isnan(value)]
    return numbers, f"the measure '{wrong[0]}' is not a finite number" if wrong else ""


def analysed_one_by_one(
    model: Prepared, analyse: Callable[[Any], Any], names: Sequence[str], P: np.ndarray, question: Asked, gathered: Gathered,
    workers: int | None, client: Any, progress: Callable[[float], None] | None,
) -> Found:  # fmt: skip
    """What comes of designs P (parameters, designs). The numbers of Found are the measures."""
    task = OneByOne(model, analyse, Expressed(question.texts))
    places = np.flatnonzero(gathered.waiting)
    jobs = [dict(zip(names, P[:, k].tolist(), strict=True)) for k in places]

    def tell() -> None:
        if progress is not None:
            progress(gathered.fraction())

    try:
        for k, answer in results_of(assessed, task, jobs, workers, client, tell):
            place = places[k : k + 1]
            if isinstance(answer, Died):
                gathered.give_up(place, answer.reason)
                continue
            numbers, failure = answer
            if failure:
                gathered.fail(place, failure)
                continue
            taken = Measured({name: np.array([value]) for name, value in numbers.items()}, {})
            gathered.take(place, np.zeros(1, dtype=np.int32), np.full(1, np.nan), np.zeros(1, dtype=int), taken)
            tell()
    except KeyboardInterrupt:
        pass
    except Lost as lost:
        gathered.lost = True
        warnings.warn(f"{lost}; what was computed is kept", stacklevel=4)
    found = gathered.found(question, [], names)
    size = P.shape[1]
    numbers = {name: found.numbers.get(name, np.full(size, np.nan)) for name in question.expressions}
    return found._replace(numbers=numbers)
