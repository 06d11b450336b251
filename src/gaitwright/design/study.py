"""Compromise between several goals: variants of a model over some parameters, their Pareto front, limits, and the nearest sizes
in stock.

result = gw.study(orthosis, {"stiffness": (100, 600)}, maximise=["right_ankle.share_of_peak"], minimise=["right_calf.force"],
                 limits={"right_calf.force": 350}, stock={"stiffness": (120, 180, 270, 400, 600)},
                 analysis=gw.wear.device_analysis(walk))
print(result); result.report("out/study.html")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright._core.errors import ModelError
from gaitwright.design.evaluation import AnalysisInput
from gaitwright.design.question import DesignQuestion, Execution
from gaitwright.design.requested_numbers import MeasuresInput
from gaitwright.design.study_result import StudyResult
from gaitwright.design.sweep import sample_grid, sweep_numbers
from gaitwright.model.model import Model


def study(
    model: Model,
    parameters: Mapping[str, Any],
    *,
    minimise: Sequence[str] = (),
    maximise: Sequence[str] = (),
    measures: MeasuresInput = None,
    limits: Mapping[str, Any] | None = None,
    allow: Sequence[str] = (),
    stock: Mapping[str, Sequence[float]] | None = None,
    samples: int = 9,
    analysis: AnalysisInput | None = None,
    workers: int | None = None,
    client: Any = None,
    store: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> StudyResult:
    """Analyse variants of a model and select the best and the Pareto front.

    parameters: {name: (low, high)}; `samples` values of each, at equal ratios if the ends are far apart; or {name: list of
        values}. Every combination is analysed.
    maximise, minimise: lists of goals, those to maximise first, the most important first: outputs with their reduction over
        time such as "crank.torque.max" (final, max, min, max_abs, mean, range, end, sample_90; without one, final), scalar
        results of the analysis, such as those of gw.wear.device_analysis(walk), numbers of `measures`, or expressions.
    measures: further numbers to report, as in `sweep`. limits: {name: largest size}, or {name: (low, high)} with None for a
        free side; an output must keep its limit all the time.
    stock: {name: available sizes}; those within the range are analysed, too.
    analysis, workers, client, store, progress: as in `sweep`; by default "static" for a model without an analysis.
    allow: rules that variants may break, by name or "all". An analysis may have rules, as gw.LegTurns() has; they act as
        limits.

    Raises ModelError for invalid input, and if no variant has one of the numbers.
    """
    question = DesignQuestion(
        "study", model, parameters, measures=measures, minimise=minimise, maximise=maximise, limits=limits, allow=allow,
        analysis=analysis, default_analysis="static",
    )  # fmt: skip
    at = ErrorContext("study")
    if not question.goals:
        at.fail("has no goal", expected="a name in minimise or maximise")
    sold = {name: _read_stock(name, sizes) for name, sizes in (stock or {}).items()}
    for name in sold:
        at["stock"].one_of(name, parameters, "is no parameter of the study")
    grid = sample_grid(question, samples)
    for name, sizes in sold.items():
        axis = question.box[name]
        grid[name] = np.union1d(grid[name], [one for one in sizes if axis.low <= one <= axis.high])
    data = sweep_numbers(question, grid, Execution(workers, client, store, progress))
    missing = [name for name in data.data_vars if name != "failure" and bool(data[name].isnull().all())]
    if missing and data["failure"].values.ravel()[0]:  # no variant has this number
        raise ModelError(str(data["failure"].values.ravel()[0]))
    return StudyResult(question, data, sold)


def _read_stock(name: str, sizes: Sequence[float]) -> tuple[float, ...]:
    """Available sizes without duplicates, sorted. Raises ModelError."""
    good = isinstance(sizes, (list, tuple, np.ndarray)) and len(sizes) > 0 and all(is_number(one) for one in sizes)
    if not good:
        ErrorContext("study", f"stock['{name}']").fail(
            "is no list of sizes", sizes, "numbers, such as [0.0015, 0.002, 0.0025]"
        )
    return tuple(sorted({float(one) for one in sizes}))
