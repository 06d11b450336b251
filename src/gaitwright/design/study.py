"""Compromise between several goals: variants of a model over some parameters, their Pareto front, limits, and the nearest sizes
in stock.

found = gw.study(orthosis, {"stiffness": (100, 600)}, maximise="right_ankle.share_of_peak", minimise="right_calf.force",
                 limits={"right_calf.force": 350}, stock={"stiffness": (120, 180, 270, 400, 600)},
                 analysis=gw.wear.device_analysis(walk))
print(found); found.report("out")
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright._core.errors import ModelError
from gaitwright.design.evaluation import (
    AnalysisInput,
    OutputReduction,
    output_over_time,
    read_analysis,
    read_scan_values,
)
from gaitwright.design.measure_plan import plan_analysis
from gaitwright.design.number_limits import read_limit
from gaitwright.design.rules import active_rules, rule_limits, rule_names
from gaitwright.design.study_result import Study
from gaitwright.design.sweep import sweep
from gaitwright.model.model import Model, make_variant, require_model
from gaitwright.result.reductions import read_reduction


def study(
    model: Model,
    parameters: Mapping[str, Sequence[float]],
    *,
    maximise: str | Sequence[str] = (),
    minimise: str | Sequence[str] = (),
    limits: Mapping[str, Any] | None = None,
    stock: Mapping[str, Sequence[float]] | None = None,
    outputs: Sequence[str] = (),
    analysis: AnalysisInput | None = None,
    measure: str = "final",
    samples: int = 9,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    store: str | Path | None = None,
    allow: Sequence[str] = (),
) -> Study:
    """Analyse variants of a model and select the best and the Pareto front.

    parameters: {name: (low, high)}; `samples` values of each, at equal ratios if the bounds are far apart; every
        combination is analysed.
    maximise, minimise: goals, the most important first: outputs, which `measure` reduces to one number (final, max, min,
        max_abs, mean, range, end, sample_90, as in `choose`), or scalar results of the analysis, such as those of
        gw.wear.device_analysis(walk).
    limits: {name: largest size}, or {name: (low, high)} with None for a free side. outputs: further numbers to report.
    stock: {name: available sizes}; those within the bounds are analysed, too.
    analysis, workers, progress, store: as in `sweep`; also an analysis by name, such as "static".
    allow: rules that variants may break, by name or "all". An analysis may have rules, as gw.LegTurns() has; they act as
        limits.

    Raises ModelError for invalid input, and if no variant has one of the numbers.
    """
    require_model(model, "study")
    goals = {**dict.fromkeys(_list_names(maximise), True), **dict.fromkeys(_list_names(minimise), False)}
    at = ErrorContext("study")
    if not goals:
        at.fail("has no aim", expected="something to maximise or to minimise")
    both = [name for name in _list_names(maximise) if name in _list_names(minimise)]
    if both:
        at["minimise"].fail("is to be made large, too", both[0], "one of both")
    read_reduction(measure, at["measure"])
    analysis = plan_analysis(model, analysis, [*goals, *(limits or {}), *outputs])
    sold = {name: read_stock(name, sizes) for name, sizes in (stock or {}).items()}
    for name in sold:
        at["stock"].one_of(name, parameters, "is no parameter of the study")
    grid = {name: _scan_values(bounds, samples, sold.get(name)) for name, bounds in parameters.items()}
    rules = active_rules(analysis, allow, list(limits or {}))
    allowed = {name: read_limit(name, limit, {}) for name, limit in {**(limits or {}), **rule_limits(rules)}.items()}
    number_names = list(dict.fromkeys([*goals, *allowed, *outputs]))

    whole: Any = analysis
    if not callable(analysis):
        model, _ = read_analysis(model, analysis)
        whole = None
    options: dict[str, Any] = {"workers": workers, "progress": progress, "store": store}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "none of .* variants can be analysed")  # reported by Study
        data = sweep(model, grid, analysis=whole, outputs=[], measure=OutputReduction(number_names, measure), **options)
    missing = [name for name in number_names if name not in data]
    if missing:  # no variant has this number
        raise ModelError(str(data["failure"].values.ravel()[0]))
    units = _number_units(model, data, whole, number_names)
    return Study(model, data[[*number_names, "failure"]], goals, allowed, sold, units, whole, rule_names(rules))


def _number_units(model: Model, data: Any, analysis: Any, names: Sequence[str]) -> dict[str, str]:
    """Units of numbers, from an analysis of the first variant without failure: stores and worker processes do not return
    units."""
    good = np.argwhere(data["failure"].values == "")[0]
    values = {str(name): float(data[name].values[k]) for name, k in zip(data["failure"].dims, good, strict=True)}
    result = (analysis or Model.analyse)(make_variant(model, values))
    return {name: output_over_time(result, name)[1] for name in names}


def read_stock(name: str, sizes: Sequence[float]) -> tuple[float, ...]:
    """Available sizes without duplicates, sorted. Raises ModelError."""
    good = isinstance(sizes, (list, tuple, np.ndarray)) and len(sizes) > 0 and all(is_number(one) for one in sizes)
    if not good:
        ErrorContext("study", f"stock['{name}']").fail(
            "is no list of sizes", sizes, "numbers, such as [0.0015, 0.002, 0.0025]"
        )
    return tuple(sorted({float(one) for one in sizes}))


def _scan_values(bounds: Sequence[float], samples: int, sold: tuple[float, ...] | None) -> np.ndarray:
    values = read_scan_values(bounds, samples)
    inside = [one for one in sold or () if values[0] <= one <= values[-1]]
    return np.union1d(values, inside)


def _list_names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
