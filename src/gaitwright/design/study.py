"""A choice between several aims: variants of a model over some parameters, those that no other beats in everything, what limits
leave of them, and which sizes that can be bought come next.

found = gw.study(orthosis, {"stiffness": (100, 600)}, maximise="right_ankle.share_of_peak", minimise="right_calf.force",
                 limits={"right_calf.force": 350}, stock={"stiffness": (120, 180, 270, 400, 600)}, analysis=gw.wear.on(walk))
print(found); found.report("out")
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.checks import At, is_number
from gaitwright.design.number_limits import read_limit
from gaitwright.design.question import MEASURES, Analysis, output_over_time, read_analysis, read_bounds
from gaitwright.design.rules import active_rules, rule_limits, rule_names
from gaitwright.design.studied import Study
from gaitwright.design.sweep import sweep
from gaitwright.design.taken import Taken
from gaitwright.design.variants import Prepared
from gaitwright.errors import ModelError
from gaitwright.model.model import Model, require_model


def study(
    model: Model,
    parameters: Mapping[str, Sequence[float]],
    *,
    maximise: str | Sequence[str] = (),
    minimise: str | Sequence[str] = (),
    limits: Mapping[str, Any] | None = None,
    stock: Mapping[str, Sequence[float]] | None = None,
    outputs: Sequence[str] = (),
    analysis: Analysis | None = None,
    measure: str = "final",
    samples: int = 9,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    store: str | Path | None = None,
    allow: Sequence[str] = (),
) -> Study:
    """Analyse variants of a model and say which are worth having.

    parameters: {name: (low, high)}, of each of which `samples` values are taken, at equal ratios if the bounds are far apart;
        every combination is analysed.
    maximise, minimise: what shall be large or small, the most important first: outputs, of which `measure` takes one number
        over time (final, max, min, max_abs), or numbers that the analysis tells, as gw.wear.on(walk) does.
    limits: {name: largest size}, or {name: (low, high)} with None for a side that is free. outputs: what else to tell.
    stock: {name: sizes that can be bought}; those within the bounds are analysed, too.
    analysis, workers, progress, store: as in `sweep`; an analysis by name, such as "static", too.
    allow: rules that variants may break, by name or "all": an analysis may have some, as gw.LegTurns() has, which hold like
    limits.
    """
    require_model(model, "study")
    goals = {**dict.fromkeys(_names(maximise), True), **dict.fromkeys(_names(minimise), False)}
    at = At("study")
    if not goals:
        at.fail("has no aim", expected="something to maximise or to minimise")
    both = [name for name in _names(maximise) if name in _names(minimise)]
    if both:
        at["minimise"].fail("is to be made large, too", both[0], "one of both")
    if measure not in MEASURES:
        at["measure"].one_of(measure, MEASURES)
    sold = {name: read_stock(name, sizes) for name, sizes in (stock or {}).items()}
    for name in sold:
        at["stock"].one_of(name, parameters, "is no parameter of the study")
    grid = {name: _values(bounds, samples, sold.get(name)) for name, bounds in parameters.items()}
    rules = active_rules(analysis, allow, list(limits or {}))
    allowed = {name: read_limit(name, limit, {}) for name, limit in {**(limits or {}), **rule_limits(rules)}.items()}
    wanted = list(dict.fromkeys([*goals, *allowed, *outputs]))

    whole: Any = analysis
    if not callable(analysis):
        model, _ = read_analysis(model, analysis)
        whole = None
    options: dict[str, Any] = {"workers": workers, "progress": progress, "store": store}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "none of .* variants can be analysed")  # the answer says so
        data = sweep(model, grid, analysis=whole, outputs=[], measure=Taken(wanted, measure), **options)
    missing = [name for name in wanted if name not in data]
    if missing:  # not one variant has it
        raise ModelError(str(data["failure"].values.ravel()[0]))
    units = _units(model, data, whole, wanted)
    return Study(model, data[[*wanted, "failure"]], goals, allowed, sold, units, whole, rule_names(rules))


def _units(model: Model, data: Any, analysis: Any, names: Sequence[str]) -> dict[str, str]:
    """Of numbers, by a variant that can be analysed: they are neither in a store nor told by other processes."""
    good = np.argwhere(data["failure"].values == "")[0]
    values = {str(name): float(data[name].values[k]) for name, k in zip(data["failure"].dims, good, strict=True)}
    result = (analysis or Model.analyse)(Prepared(model).variant(values))
    return {name: output_over_time(result, name)[1] for name in names}


def read_stock(name: str, sizes: Sequence[float]) -> tuple[float, ...]:
    """Sizes that can be bought, in order."""
    good = isinstance(sizes, (list, tuple, np.ndarray)) and len(sizes) > 0 and all(is_number(one) for one in sizes)
    if not good:
        At("study", f"stock['{name}']").fail("is no list of sizes", sizes, "numbers, such as [0.0015, 0.002, 0.0025]")
    return tuple(sorted({float(one) for one in sizes}))


def _values(bounds: Sequence[float], samples: int, sold: tuple[float, ...] | None) -> np.ndarray:
    values = read_bounds(bounds, samples)
    inside = [one for one in sold or () if values[0] <= one <= values[-1]]
    return np.union1d(values, inside)


def _names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
