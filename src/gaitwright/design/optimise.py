"""Improving a model: values of its parameters, within bounds, for which a number is smallest or largest and limits are kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.checks import At, did_you_mean, is_number
from gaitwright.design.cluster import Lost
from gaitwright.design.fingerprint import fingerprint, model_fingerprint
from gaitwright.design.minimisers import METHODS
from gaitwright.design.number_limits import read_limit
from gaitwright.design.optimised import INTERRUPTED, NothingFeasible, Optimised
from gaitwright.design.question import MEASURES, WIDE, Analysis, output_over_time, read_analysis
from gaitwright.design.rules import active_rules, rule_limits, rule_names
from gaitwright.design.search import STARTS, Aim, Axis, Box, Search, Spent, assess
from gaitwright.design.store import Store
from gaitwright.design.told import told, unit_told
from gaitwright.design.variants import Prepared
from gaitwright.errors import ModelError
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.model import Model
from gaitwright.model.series import splines
from gaitwright.result.catalogue import unknown_output

Measure = str | Mapping[str, str] | Callable[[Any], Mapping[str, float]]
OTHERWISE = "differential-evolution"
"""The method where there are no gradients."""
GRADIENT, AUTOMATIC = "gradient", "automatic"
PER_PARAMETER = 150
"""Variants per parameter unless a budget is given."""


def optimise(
    model: Model,
    parameters: Mapping[str, Sequence[float]],
    *,
    objective: str | Callable[[Any], float],
    measure: Measure = "final",
    maximise: bool = False,
    constraints: Mapping[str, Any] | None = None,
    analysis: Analysis | None = None,
    method: str = AUTOMATIC,
    start: Mapping[str, float] | None = None,
    starts: int = STARTS,
    budget: int | None = None,
    workers: int | None = None,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
    store: str | Path | None = None,
    client: Any = None,
    allow: Sequence[str] = (),
) -> Optimised:
    """Find the values of parameters, within bounds, for which the objective is smallest (or largest).

        better = gw.optimise(leg, {"L2": (0.32, 0.35), "L6": (0.40, 0.43)}, objective="energy", measure=numbers,
                             constraints={"step_length": ("95%", None)}, analysis={"type": "inverse", "until": 1})
        print(better); better.plot("better.png"); better.model.save("better.yaml")

    parameters: {name: (low, high)}. objective: an output, of which `measure` takes one number over time (final, max, min
        or max_abs); a number by name, where `measure` is a function of the Result that gives {name: number}, as in
        `sweep`, or {name: expression} as in `designs`; or a function of the Result that gives a number.
    constraints: {name: (low, high)}, either may be None; or {name: largest size}. A name is an output, which keeps within
        its limits all the time, or a number of `measure`; or {name: (function of the Result, low, high)}. A limit such as
        "95%" is a part of what the start has.
    analysis: as in `choose`; the model's own unless given. method: gradient (exact gradients of a program printed for the
        model, from several starts at once); differential-evolution (looks everywhere, then nearby), cobyqa (looks nearby,
        with few variants) or nelder-mead (nearby, for what is not smooth). Unless given it is gradient where model and
        numbers can be printed with derivatives (`designs`), otherwise differential-evolution; `notes` tell which and why.
    start: values to begin at; the model's unless given. Outside the bounds they are what `before` shows, the search begins at
        the nearest bound, and `notes` tell it. starts: of gradient: that one, and the best of a sweep, which 1 goes
        without. budget: most variants to analyse, those of the sweep not counted. workers: processes of
        differential-evolution, or threads of gradient; all cores unless given. seed: the same one gives the same answer,
        whatever the workers.
    store: a file in which every trial is kept as it comes (or a folder for one). The same call after an interruption,
        however that came about, looks them up instead of computing them again and goes on where it was; so does one with
        another budget, method, seed, start or other bounds. A store of another model or other numbers is refused.

    allow: rules that designs may break, by name or "all". A measure or an analysis may have some: gw.measure_leg, gw.LegTurns()
        have those of legs, `foot-below-hip`, `step`, `scuffing` and `locking`. They hold like limits; a limit of your own
        on the same number takes the place of a rule.

    client: a dask.distributed.Client, whose workers analyse the populations of differential-evolution in place of processes;
        that is then the method, unless another is given.

    A variant that cannot be analysed, because it cannot be assembled over the whole turn or for any other reason, is never the
    answer nor the end: `failures` counts them by reason. Ctrl-C returns the best so far, and so does a scheduler that is
    lost. Raises NothingFeasible, with all
    trials, if no variant keeps the limits."""
    box = read_box(model, parameters)
    At(field="method").one_of(method, (*METHODS, GRADIENT, AUTOMATIC))
    At(field="starts").whole(starts, "is no number of starts", "at least 1")
    if isinstance(measure, Mapping):
        from gaitwright.design.expressed import Expressed

        measure = Expressed(measure)
    budget = PER_PARAMETER * len(box) if budget is None else budget
    At(field="budget").whole(budget, "is no number of variants", "at least 1")
    if start is not None and (set(start) != set(box) or not all(is_number(x) for x in start.values())):
        At(field="start").fail("is not a value for each parameter", dict(start), ", ".join(box))
    rules = active_rules(measure if hasattr(measure, "rules") else analysis, allow, list(constraints or {}))
    constraints = {**(constraints or {}), **rule_limits(rules)}
    prepared, run = read_analysis(model, analysis)
    named, what = read_numbers(objective, measure, constraints)
    aim = Aim(Prepared(prepared), lambda variant: run(variant, None), what)
    given = start or resolve_parameters(model.document.parameters, splines(model.document.series))
    began = {name: float(given[name]) for name in box}
    tell = progress or (lambda fraction: None)
    sign, cores = -1.0 if maximise else 1.0, workers or os.cpu_count() or 1
    with ExitStack() as stack:
        kept = None
        if store is not None:
            question = _question(prepared, box, analysis, objective, measure, constraints)
            kept = stack.enter_context(Store(store, "search", question))
        search = Search(aim, box, sign=sign, budget=int(budget), workers=cores, tell=tell, store=kept, client=client)
        stack.enter_context(search)
        numbers, failure = assess(aim, began, strict=True)  # the model as it is, even outside the bounds
        search.limits = {n: read_limit(n, _sides(limit), numbers) for n, limit in constraints.items()}
        search.rules = rule_names(rules)
        first = search.trial(began, numbers, failure)
        outside = [name for name, axis in box.items() if not axis.low <= began[name] <= axis.high]
        if not outside:
            search.add(first)
        descent, notes = None, []
        if method in (GRADIENT, AUTOMATIC):
            from gaitwright.design.descent import Descent  # which derives, and so imports SymPy
            from gaitwright.design.printed_question import PrintedQuestion

            try:
                if client is not None:
                    At(field="client").fail("has workers for populations, which gradients do not need", expected="none")
                printed = PrintedQuestion(prepared, box, objective, measure, constraints, analysis, workers)
                descent = Descent(search, printed, first, starts)
                notes = [f"method: {GRADIENT}, as the numbers can be printed with their derivatives"]
            except ModelError as error:
                if method == GRADIENT:
                    raise
                notes = [f"method: {OTHERWISE}, as there are no exact gradients: {str(error).partition(';')[0]}"]
            notes, method = notes if method == AUTOMATIC else [], GRADIENT if descent else OTHERWISE
        notes += [
            f"{name} begins outside its bounds, at {began[name]:.6g}: that is 'before'; the search begins at the nearest bound"
            for name in outside
        ]
        ended = f"{method} ended: it found no design better than this one"
        try:
            if descent is not None:
                descent.run(box.unit(began), seed)
            else:
                METHODS[method](search, box.unit(began), seed)
        except Spent:
            ended = f"ended after {len(search.trials)} variants, as the budget says"
        except KeyboardInterrupt:
            ended = INTERRUPTED
        except Lost as lost:
            ended = f"{INTERRUPTED}: {lost}"
        best = search.best if descent is None else descent.best()
        if best is None:
            raise NothingFeasible(search)
        if descent is not None:
            descent.check(best)
        found = Optimised(search, first, best, prepared, named, ended, descent, notes)
        units = getattr(measure, "units", {})
        found.units |= {name: units[name] for name in best.numbers if name in units}
        told_here = told(found.after) or {}
        found.units |= {name: unit_told(found.after, name) for name in best.numbers if name in told_here}
        return found


def _question(model: Model, box: Box, analysis: Any, *numbers: Any) -> dict[str, Any]:
    """What trials are about: two searches that agree in this find the same numbers for the same values."""
    return {
        "model": model_fingerprint(model.to_dict()),
        "parameters": list(box),
        "analysis": fingerprint(analysis if callable(analysis) else None),
        "objective, measure and limits": fingerprint(numbers),
    }


def read_box(model: Model, parameters: Mapping[str, Sequence[float]]) -> Box:
    """The bounds, checked."""
    known = model.document.parameters
    if not parameters:
        At(field="parameters").fail("are missing", expected=f"some of: {', '.join(known) or 'the model has none'}")
    box = Box()
    for name, bounds in parameters.items():
        if name not in known:
            expected = f"some of: {', '.join(known) or '(the model has none)'}{did_you_mean(name, list(known))}"
            At(field="parameters").fail(f"'{name}' is not a parameter of this model", expected=expected)
        pair = list(bounds) if isinstance(bounds, (tuple, list, np.ndarray)) else []
        if len(pair) != 2 or not all(is_number(x) for x in pair) or not pair[0] < pair[1]:
            At(field=f"parameters['{name}']").fail(
                "must be two finite numbers, the lower one first", bounds, "for example (0.3, 0.4)"
            )
        low, high = float(pair[0]), float(pair[1])
        box[name] = Axis(low, high, high > WIDE * low > 0.0)
    return box


def read_numbers(
    objective: Any, measure: Any, constraints: Mapping[str, Any]
) -> tuple[str, Callable[[Any], dict[str, float]]]:
    """The name of the objective, and the function of a result that gives it and the limited numbers."""
    if not callable(measure) and measure not in MEASURES:
        expected = f"{', '.join(MEASURES)}, or a function of the Result that gives {{name: number}}"
        expected += did_you_mean(measure, list(MEASURES))
        At(field="measure").fail("is not known", measure, expected)
    unnamed = getattr(objective, "__name__", "<lambda>").replace("<lambda>", "the objective")
    named = objective if isinstance(objective, str) else unnamed

    def numbers(result: Any) -> dict[str, float]:
        measured: Any = measure(result) if callable(measure) else {}
        if callable(objective):
            value: Any = objective(result)
            found = {named: float(value)}
        elif objective in measured:
            found = {named: float(measured[objective])}
        elif callable(measure):
            raise unknown_output(named, list(measured))
        else:
            found = {named: float(MEASURES[measure](output_over_time(result, objective)[0]))}
        for name, limit in constraints.items():
            if name in measured:
                found[name] = float(measured[name])
            elif _sides(limit) is not limit:
                found[name] = float(limit[0](result))
            elif name != named:
                found[name] = _extreme(name, output_over_time(result, name)[0], limit)
        return found

    return named, numbers


def _sides(limit: Any) -> Any:
    """What is left of a limit without its function."""
    has_function = isinstance(limit, (tuple, list)) and len(limit) > 0 and callable(limit[0])
    return tuple(limit[1:]) if has_function else limit


def _extreme(name: str, values: np.ndarray, sides: Any) -> float:
    """The number of an output over time that a limit is about: its largest size, least or greatest value, or the one that is
    farthest from the middle between two limits."""
    values = values[~np.isnan(values)]
    if not values.size:  # what exists in contact only, in the air
        return 0.0
    if not isinstance(sides, (tuple, list)):
        return float(np.abs(values).max())
    if None in sides:
        return float(values.min() if sides[0] is not None else values.max())
    if not all(is_number(side) for side in sides):
        At(field=f"constraints['{name}']").fail(
            "are parts of two different numbers", sides, "two numbers, or one part and None"
        )
    return float(values[np.argmax(np.abs(values - 0.5 * (sides[0] + sides[1])))])
