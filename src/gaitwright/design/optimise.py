"""Optimise a model: values of its parameters, within ranges, that minimise or maximise a number and keep limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright._core.errors import ModelError
from gaitwright.design.evaluation import AnalysisInput
from gaitwright.design.executors.dask_executor import SchedulerLost
from gaitwright.design.minimisers import MINIMISERS
from gaitwright.design.optimise_result import INTERRUPTED_NOTE, NothingFeasible, OptimisationResult
from gaitwright.design.parameter_ranges import require_ranges
from gaitwright.design.question import DesignQuestion, Execution
from gaitwright.design.requested_numbers import MeasuresInput
from gaitwright.design.result_store import ResultStore
from gaitwright.design.trial_search import DEFAULT_STARTS, BudgetExhausted, DesignTrial, TrialSearch, assess_trial
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.model import Model
from gaitwright.model.series import build_splines

if TYPE_CHECKING:
    from gaitwright.design.gradient_search import GradientSearch

FALLBACK_METHOD = "differential-evolution"
"""Method used if there are no exact gradients."""
GRADIENT_METHOD, AUTOMATIC_METHOD = "gradient", "automatic"
TRIALS_PER_PARAMETER = 150
"""Default budget per parameter."""


def optimise(
    model: Model,
    parameters: Mapping[str, Any],
    *,
    minimise: Sequence[str] = (),
    maximise: Sequence[str] = (),
    measures: MeasuresInput = None,
    limits: Mapping[str, Any] | None = None,
    allow: Sequence[str] = (),
    analysis: AnalysisInput | None = None,
    method: str = AUTOMATIC_METHOD,
    start: Mapping[str, float] | None = None,
    starts: int = DEFAULT_STARTS,
    budget: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    client: Any = None,
    store: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> OptimisationResult:
    """Find the values of parameters, within ranges, that minimise or maximise one number.

        better = gw.optimise(leg, {"L2": (0.32, 0.35), "L6": (0.40, 0.43)}, minimise=["energy"], measures=gw.measure_leg,
                             limits={"step_length": ("95%", None)}, analysis=gw.one_turn())
        print(better); better.plot("better.png"); better.model.save("better.yaml")

    parameters: {name: (low, high)}.
    minimise, maximise: the objective, a list with one name in one of both: an output, whose value at the end counts, or an
        output with its reduction over time such as "crank.torque.max" (final, max, min, max_abs, mean, range, end,
        sample_90), a number of `measures`, or an expression such as "ratio=energy/step_length".
    measures: as in `sweep`: names and expressions, {name: expression or function of the Result}, or functions of the Result
        that return {name: number}. limits: {name: (low, high)} with None for a free side, or {name: largest size}. A name is
        an output, which must stay within its limits all the time, or a number of `measures`. A side such as "95%" is a
        percentage of the start's number.
    allow: rules that designs may break, by name or "all". A measure or an analysis may have rules: gw.measure_leg and
        gw.LegTurns() have those of legs, `foot-below-hip`, `step`, `scuffing` and `locking`. They act as limits; a limit on
        the same number replaces a rule.
    analysis: as in `choose`; default: the model's own. method: gradient (exact gradients of a program generated for the
        model, from several starts at once); differential-evolution (global, then local), cobyqa (local, with few variants)
        or nelder-mead (local, for functions that are not smooth). Default: gradient if a program with derivatives can be
        generated for model and numbers (`designs`), otherwise differential-evolution; `notes` name the method and the
        reason.
    start: start values; default: those of the model. If they are outside the ranges, `before` shows them, the search starts
        at the nearest bound, and `notes` report it. starts: number of starts of gradient: the given one and the best of a
        sweep; 1 skips the sweep. budget: maximum number of analysed variants, without those of the sweep. seed: the same seed
        gives the same answer for any number of workers.
    workers: processes of differential-evolution, or threads of gradient; default: all cores. client: a
        dask.distributed.Client: its workers analyse the populations of differential-evolution instead of local processes;
        that is then the method, unless another is given. progress: callback with the fraction done.
    store: a file (or a folder for one) that keeps every trial as soon as it is computed. The same call after an interruption
        reads them instead of computing them again and resumes; so does a call with another budget, method, seed, start or
        other ranges. A store of another model or other numbers is refused.

    A variant that cannot be analysed, because it cannot be assembled over the whole turn or for any other reason, is never
    the answer and does not stop the search: `failures` counts such variants by reason. Ctrl-C and a lost scheduler return
    the best result so far. Raises NothingFeasible, with all trials, if no variant keeps the limits."""
    question = DesignQuestion(
        "optimise", model, parameters, measures=measures, minimise=minimise, maximise=maximise, limits=limits, allow=allow,
        analysis=analysis, default_analysis="static", relative=True, printed=True,
    )  # fmt: skip
    box, at = question.box, ErrorContext("optimise")
    require_ranges("optimise", box)
    question.check()
    if len(question.goals) != 1:
        at.fail(
            "needs exactly one goal", list(question.goals), "one name in minimise or maximise; gw.study weighs several"
        )
    at["method"].one_of(method, (*MINIMISERS, GRADIENT_METHOD, AUTOMATIC_METHOD))
    at["starts"].whole(starts, "is no number of starts", "at least 1")
    budget = TRIALS_PER_PARAMETER * len(box) if budget is None else budget
    at["budget"].whole(budget, "is no number of variants", "at least 1")
    if start is not None and (set(start) != set(box) or not all(is_number(x) for x in start.values())):
        at["start"].fail("is not a value for each parameter", dict(start), ", ".join(box))
    given = start or resolve_parameters(model.document.parameters, build_splines(model.document.series))
    start_values = {name: float(given[name]) for name in box}
    with ExitStack() as stack:
        journal = None
        if store is not None:
            names = [*question.goals, *question.limits]
            identity = question.identity(parameters=list(box), **{"goals and limits": names})
            journal = stack.enter_context(ResultStore(store, "search", identity))
        execution = Execution(workers, client, store, progress)
        search = stack.enter_context(TrialSearch(question, int(budget), execution, journal))
        first = _assess_start(search, start_values)
        descent, notes = None, []
        if method in (GRADIENT_METHOD, AUTOMATIC_METHOD):
            descent, notes = _prepare_gradients(search, first, starts, workers, forced=method == GRADIENT_METHOD)
            notes = notes if method == AUTOMATIC_METHOD else []
            method = GRADIENT_METHOD if descent else FALLBACK_METHOD
        notes += [
            f"{name} begins outside its bounds, at {start_values[name]:.6g}: "
            "that is 'before'; the search begins at the nearest bound"
            for name in _names_outside(search, start_values)
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
        return OptimisationResult(search, first, best, ended, descent, notes)


def _names_outside(search: TrialSearch, values: Mapping[str, float]) -> list[str]:
    return [name for name, axis in search.box.items() if not axis.low <= values[name] <= axis.high]


def _assess_start(search: TrialSearch, values: dict[str, float]) -> DesignTrial:
    """Trial of the start, even outside the ranges, whose numbers complete the limits of the search. Raises ModelError for
    unknown names."""
    numbers, failure = assess_trial(search.aim, values, strict=True)
    search.limits = search.question.number_limits(numbers)
    first = search.trial(values, numbers, failure)
    if not _names_outside(search, values):
        search.add(first)
    return first


def _prepare_gradients(
    search: TrialSearch, first: DesignTrial, starts: int, workers: int | None, *, forced: bool
) -> tuple[GradientSearch | None, list[str]]:
    """Search by gradients if they are available, and a note about the method. forced: raise ModelError, with the reason, if
    they are not."""
    from gaitwright.design.codegen_objective import CodegenObjective
    from gaitwright.design.gradient_search import GradientSearch  # imports SymPy

    try:
        if search.client is not None:
            ErrorContext(field="client").fail(
                "has workers for populations, which gradients do not need", expected="none"
            )
        descent = GradientSearch(search, CodegenObjective(search.question, workers), first, starts)
    except ModelError as error:
        if forced:
            raise
        return None, [f"method: {FALLBACK_METHOD}, as there are no exact gradients: {str(error).partition(';')[0]}"]
    return descent, [f"method: {GRADIENT_METHOD}, as a program can be generated for the numbers and their derivatives"]
