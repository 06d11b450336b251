"""Optimise a model: values of its parameters, within bounds, that minimise or maximise a number and keep limits."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number, suggest_spelling
from gaitwright._core.errors import ModelError
from gaitwright.design.evaluation import (
    LOGARITHMIC_RATIO,
    AnalysisInput,
    output_over_time,
    read_analysis,
)
from gaitwright.design.executors.dask_executor import SchedulerLost
from gaitwright.design.fingerprint import fingerprint, model_fingerprint
from gaitwright.design.measure_plan import plan_analysis
from gaitwright.design.minimisers import MINIMISERS
from gaitwright.design.number_limits import read_limit
from gaitwright.design.optimise_result import INTERRUPTED_NOTE, NothingFeasible, Optimised
from gaitwright.design.result_store import ResultStore
from gaitwright.design.rules import active_rules, rule_limits, rule_names
from gaitwright.design.scalar_results import read_scalars, scalar_unit
from gaitwright.design.trial_search import (
    DEFAULT_STARTS,
    BudgetExhausted,
    OptimiseTask,
    ParameterAxis,
    ParameterBox,
    TrialSearch,
    assess_trial,
)
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.model import Model, require_compilable
from gaitwright.model.series import build_splines
from gaitwright.result.catalogue import unknown_output_error
from gaitwright.result.reductions import read_reduction

MeasureInput = str | Mapping[str, str] | Callable[[Any], Mapping[str, float]]
FALLBACK_METHOD = "differential-evolution"
"""Method used if there are no exact gradients."""
GRADIENT_METHOD, AUTOMATIC_METHOD = "gradient", "automatic"
TRIALS_PER_PARAMETER = 150
"""Default budget per parameter."""


def optimise(
    model: Model,
    parameters: Mapping[str, Sequence[float]],
    *,
    objective: str | Callable[[Any], float],
    measure: MeasureInput = "final",
    maximise: bool = False,
    constraints: Mapping[str, Any] | None = None,
    analysis: AnalysisInput | None = None,
    method: str = AUTOMATIC_METHOD,
    start: Mapping[str, float] | None = None,
    starts: int = DEFAULT_STARTS,
    budget: int | None = None,
    workers: int | None = None,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
    store: str | Path | None = None,
    client: Any = None,
    allow: Sequence[str] = (),
) -> Optimised:
    """Find the values of parameters, within bounds, that minimise (or maximise) the objective.

        better = gw.optimise(leg, {"L2": (0.32, 0.35), "L6": (0.40, 0.43)}, objective="energy", measure=numbers,
                             constraints={"step_length": ("95%", None)}, analysis={"type": "inverse", "until": 1})
        print(better); better.plot("better.png"); better.model.save("better.yaml")

    parameters: {name: (low, high)}. maximise: True to maximise. objective: an output, which `measure` reduces to one number
        (final, max, min, max_abs, mean, range, end, sample_90, as in `choose`); the name of a number, if `measure` is a
        function of the Result that returns {name: number}, as in `sweep`, or {name: expression} as in `designs`; or a
        function of the Result that returns a number.
    constraints: {name: (low, high)} with None for a free side, or {name: largest size}. A name is an output, which must stay
        within its limits all the time, or a number of `measure`. Or {name: (function of the Result, low, high)}. A limit
        such as "95%" is a percentage of the start's number.
    analysis: as in `choose`; default: the model's own. method: gradient (exact gradients of a program generated for the
        model, from several starts at once); differential-evolution (global, then local), cobyqa (local, with few variants)
        or nelder-mead (local, for functions that are not smooth). Default: gradient if a program with derivatives can be
        generated for model and numbers (`designs`), otherwise differential-evolution; `notes` name the method and the
        reason.
    start: start values; default: those of the model. If they are outside the bounds, `before` shows them, the search starts
        at the nearest bound, and `notes` report it. starts: number of starts of gradient: the given one and the best of a
        sweep; 1 skips the sweep. budget: maximum number of analysed variants, without those of the sweep. workers: processes
        of differential-evolution, or threads of gradient; default: all cores. seed: the same seed gives the same answer for
        any number of workers.
    store: a file (or a folder for one) that keeps every trial as soon as it is computed. The same call after an interruption
        reads them instead of computing them again and resumes; so does a call with another budget, method, seed, start or
        other bounds. A store of another model or other numbers is refused.
    allow: rules that designs may break, by name or "all". A measure or an analysis may have rules: gw.measure_leg and
        gw.LegTurns() have those of legs, `foot-below-hip`, `step`, `scuffing` and `locking`. They act as limits; a
        constraint on the same number replaces a rule.
    client: a dask.distributed.Client: its workers analyse the populations of differential-evolution instead of local
        processes; that is then the method, unless another is given. progress: callback with the fraction done.

    A variant that cannot be analysed, because it cannot be assembled over the whole turn or for any other reason, is never
    the answer and does not stop the search: `failures` counts such variants by reason. Ctrl-C and a lost scheduler return
    the best result so far. Raises NothingFeasible, with all trials, if no variant keeps the limits."""
    box = read_box(model, parameters)
    ErrorContext(field="method").one_of(method, (*MINIMISERS, GRADIENT_METHOD, AUTOMATIC_METHOD))
    ErrorContext(field="starts").whole(starts, "is no number of starts", "at least 1")
    if not callable(measure):
        expressions = dict(measure) if isinstance(measure, Mapping) else {}
        names = [name for name in (objective, *(constraints or {})) if name not in expressions]
        analysis = plan_analysis(model, analysis, [*expressions.values(), *names])
    if isinstance(measure, Mapping):
        from gaitwright.design.measure_expressions import MeasureExpressions

        measure = MeasureExpressions(measure)
    budget = TRIALS_PER_PARAMETER * len(box) if budget is None else budget
    ErrorContext(field="budget").whole(budget, "is no number of variants", "at least 1")
    if start is not None and (set(start) != set(box) or not all(is_number(x) for x in start.values())):
        ErrorContext(field="start").fail("is not a value for each parameter", dict(start), ", ".join(box))
    rules = active_rules(measure if hasattr(measure, "rules") else analysis, allow, list(constraints or {}))
    constraints = {**(constraints or {}), **rule_limits(rules)}
    prepared, run = read_analysis(model, analysis)
    named, what = read_numbers(objective, measure, constraints)
    aim = OptimiseTask(require_compilable(prepared), lambda variant: run(variant, None), what)
    given = start or resolve_parameters(model.document.parameters, build_splines(model.document.series))
    start_values = {name: float(given[name]) for name in box}
    tell = progress or (lambda fraction: None)
    sign, cores = -1.0 if maximise else 1.0, workers or os.cpu_count() or 1
    with ExitStack() as stack:
        journal = None
        if store is not None:
            question = _store_question(prepared, box, analysis, objective, measure, constraints)
            journal = stack.enter_context(ResultStore(store, "search", question))
        search = TrialSearch(
            aim, box, sign=sign, budget=int(budget), workers=cores, tell=tell, store=journal, client=client
        )
        stack.enter_context(search)
        numbers, failure = assess_trial(aim, start_values, strict=True)  # the start itself, even outside the bounds
        search.limits = {n: read_limit(n, _limit_sides(limit), numbers) for n, limit in constraints.items()}
        search.rules = rule_names(rules)
        first = search.trial(start_values, numbers, failure)
        outside = [name for name, axis in box.items() if not axis.low <= start_values[name] <= axis.high]
        if not outside:
            search.add(first)
        descent, notes = None, []
        if method in (GRADIENT_METHOD, AUTOMATIC_METHOD):
            from gaitwright.design.codegen_objective import CodegenObjective
            from gaitwright.design.gradient_search import GradientSearch  # imports SymPy

            try:
                if client is not None:
                    ErrorContext(field="client").fail(
                        "has workers for populations, which gradients do not need", expected="none"
                    )
                printed = CodegenObjective(prepared, box, objective, measure, constraints, analysis, workers)
                descent = GradientSearch(search, printed, first, starts)
                notes = [f"method: {GRADIENT_METHOD}, as the numbers can be printed with their derivatives"]
            except ModelError as error:
                if method == GRADIENT_METHOD:
                    raise
                notes = [f"method: {FALLBACK_METHOD}, as there are no exact gradients: {str(error).partition(';')[0]}"]
            notes, method = notes if method == AUTOMATIC_METHOD else [], GRADIENT_METHOD if descent else FALLBACK_METHOD
        notes += [
            f"{name} begins outside its bounds, at {start_values[name]:.6g}: "
            "that is 'before'; the search begins at the nearest bound"
            for name in outside
        ]
        ended = f"{method} ended: it found no design better than this one"
        try:
            if descent is not None:
                descent.run(box.unit(start_values), seed)
            else:
                MINIMISERS[method](search, box.unit(start_values), seed)
        except BudgetExhausted:
            ended = f"ended after {len(search.trials)} variants, as the budget says"
        except KeyboardInterrupt:
            ended = INTERRUPTED_NOTE
        except SchedulerLost as lost:
            ended = f"{INTERRUPTED_NOTE}: {lost}"
        best = search.best if descent is None else descent.best()
        if best is None:
            raise NothingFeasible(search)
        if descent is not None:
            descent.check(best)
        result = Optimised(search, first, best, prepared, named, ended, descent, notes)
        units = getattr(measure, "units", {})
        result.units |= {name: units[name] for name in best.numbers if name in units}
        scalars = read_scalars(result.after) or {}
        result.units |= {name: scalar_unit(result.after, name) for name in best.numbers if name in scalars}
        return result


def _store_question(model: Model, box: ParameterBox, analysis: Any, *numbers: Any) -> dict[str, Any]:
    """Identity of the question in a store: two searches that agree in it find the same numbers for the same values."""
    return {
        "model": model_fingerprint(model.to_dict()),
        "parameters": list(box),
        "analysis": fingerprint(analysis if callable(analysis) else None),
        "objective, measure and limits": fingerprint(numbers),
    }


def read_box(model: Model, parameters: Mapping[str, Sequence[float]]) -> ParameterBox:
    """Read and validate the bounds of parameters. Raises ModelError."""
    known = model.document.parameters
    if not parameters:
        ErrorContext(field="parameters").fail(
            "are missing", expected=f"some of: {', '.join(known) or 'the model has none'}"
        )
    box = ParameterBox()
    for name, bounds in parameters.items():
        if name not in known:
            expected = f"some of: {', '.join(known) or '(the model has none)'}{suggest_spelling(name, list(known))}"
            ErrorContext(field="parameters").fail(f"'{name}' is not a parameter of this model", expected=expected)
        pair = list(bounds) if isinstance(bounds, (tuple, list, np.ndarray)) else []
        if len(pair) != 2 or not all(is_number(x) for x in pair) or not pair[0] < pair[1]:
            ErrorContext(field=f"parameters['{name}']").fail(
                "must be two finite numbers, the lower one first", bounds, "for example (0.3, 0.4)"
            )
        low, high = float(pair[0]), float(pair[1])
        box[name] = ParameterAxis(low, high, high > LOGARITHMIC_RATIO * low > 0.0)
    return box


def read_numbers(
    objective: Any, measure: Any, constraints: Mapping[str, Any]
) -> tuple[str, Callable[[Any], dict[str, float]]]:
    """Name of the objective, and a function of a result that returns it and the limited numbers by name."""
    reduction = None
    if not callable(measure):
        reduction = read_reduction(
            measure, ErrorContext(field="measure"), "a function of the Result that returns {name: number}"
        )
    unnamed = getattr(objective, "__name__", "<lambda>").replace("<lambda>", "the objective")
    named = objective if isinstance(objective, str) else unnamed

    def numbers(result: Any) -> dict[str, float]:
        measured: Any = measure(result) if callable(measure) else {}
        if callable(objective):
            value: Any = objective(result)
            values_by_name = {named: float(value)}
        elif objective in measured:
            values_by_name = {named: float(measured[objective])}
        elif reduction is None:
            raise unknown_output_error(named, list(measured))
        else:
            values_by_name = {named: reduction.of_series(output_over_time(result, objective)[0])}
        for name, limit in constraints.items():
            if name in measured:
                values_by_name[name] = float(measured[name])
            elif _limit_sides(limit) is not limit:
                values_by_name[name] = float(limit[0](result))
            elif name != named:
                values_by_name[name] = _limited_value(name, output_over_time(result, name)[0], limit)
        return values_by_name

    return named, numbers


def _limit_sides(limit: Any) -> Any:
    """Limit without its function, if it has one."""
    has_function = isinstance(limit, (tuple, list)) and len(limit) > 0 and callable(limit[0])
    return tuple(limit[1:]) if has_function else limit


def _limited_value(name: str, values: np.ndarray, sides: Any) -> float:
    """Reduce an output over time (n,) to the number that a limit applies to: its largest size, least or greatest value, or the
    value that is farthest from the middle of two limits."""
    values = values[~np.isnan(values)]
    if not values.size:  # an output that only exists in contact
        return 0.0
    if not isinstance(sides, (tuple, list)):
        return float(np.abs(values).max())
    if None in sides:
        return float(values.min() if sides[0] is not None else values.max())
    if not all(is_number(side) for side in sides):
        ErrorContext(field=f"constraints['{name}']").fail(
            "are parts of two different numbers", sides, "two numbers, or one part and None"
        )
    return float(values[np.argmax(np.abs(values - 0.5 * (sides[0] + sides[1])))])
