"""Choose a parameter, such as a stiffness, so that an output has a target value: a root of the whole nonlinear model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright._core.errors import DidNotConverge
from gaitwright.design.choose_result import Chosen, OutOfReach
from gaitwright.design.evaluation import (
    AnalysisInput,
    OutputInput,
    ParameterEvaluation,
    ParameterEvaluator,
    failure_reason,
    read_scan_values,
)
from gaitwright.design.fingerprint import fingerprint, model_fingerprint
from gaitwright.design.measure_plan import plan_analysis
from gaitwright.design.result_store import ResultStore
from gaitwright.design.root_search import RootSearch
from gaitwright.design.rules import active_rules, rule_limits, rule_names
from gaitwright.model.model import Model

LIMIT_EDGE_RTOL = 1e-4
"""Tolerance of the parameter value at which a limit is reached, relative to the parameter."""


def choose(
    model: Model,
    parameter: str,
    *,
    output: OutputInput,
    target: float,
    bounds: Sequence[float],
    analysis: AnalysisInput | None = None,
    measure: str | Callable[[np.ndarray], float] = "final",
    limits: Mapping[str, Any] | None = None,
    samples: int = 9,
    tolerance: float = 1e-8,
    progress: Callable[[float], None] | None = None,
    store: str | Path | None = None,
    allow: Sequence[str] = (),
) -> Chosen:
    """Find the value of a parameter, within bounds, for which an output has the value `target`.

        chosen = gw.choose(support, "thickness", output="assist.moment", target=20, bounds=(0.001, 0.005),
                           limits={"blade.max_strain": 0.006})
        print(chosen)
        chosen.model.save("chosen.yaml")

    Every evaluation is an analysis of the whole model. The bounds are scanned at `samples` values (in equal ratios if they
    are far apart), and wherever neighbours lie on both sides of the target, the root between them is found to `tolerance`,
    relative to the parameter. The output need not rise or fall all the way: of several roots the lowest that keeps the
    limits is chosen, the others are reported. Roots closer together than the scan may be missed: take more samples.

    output: a name, or a function of the Result that returns a number. measure: reduction of an output over time: final,
        max, min, max_abs, mean, range, end, sample_90 (value at sample 90), or a function of its values (n_samples,). All
        but the values at one time ignore NaN samples.
    target: value of the output, in its unit. bounds: (low, high), in the unit of the parameter.
    analysis: "static", or a mapping like the section of a model file, such as {"until": 2, "step": 1e-3}; default: the
        model's own section, static if it has none. Or a function of the model: lambda m: m.static(time=0.5).
    limits: largest allowed size of other outputs, such as {"blade.max_strain": 0.006}, or {name: (low, high)} with None for
        a free side. The result reports them; if they are exceeded, it also reports the evaluation that is closest to the
        target and keeps them.
    samples: number of values of the scan. progress: callback with the fraction done.
    allow: rules that the choice may break, by name or "all". An analysis may have rules, as gw.LegTurns() has; they act as
        limits.
    store: a file (or a folder for one) that keeps every evaluation as soon as it is computed: the same call after an
        interruption, or a call with another target or other bounds, reads them instead of computing them again. A store
        of another question is refused.

    A value that cannot be analysed is skipped with a note. Raises OutOfReach, with the range that can be reached, if no
    value gives the target, and DidNotConverge if no value can be analysed."""
    ErrorContext(field="target").finite(target, "the value the output shall take")
    if not is_number(tolerance) or not 0.0 < tolerance < 0.1:
        ErrorContext(field="tolerance").fail("is no relative tolerance", tolerance, "such as 1e-8")
    name = (
        output if isinstance(output, str) else getattr(output, "__name__", "<lambda>").replace("<lambda>", "the output")
    )
    analysis = plan_analysis(model, analysis, [output, *(limits or {})])
    rules = active_rules(analysis, allow, list(limits or {}))
    question = ParameterEvaluator(
        model, parameter, {name: output}, analysis, measure, {**(limits or {}), **rule_limits(rules)}
    )
    question.rules = rule_names(rules)
    values = read_scan_values(bounds, samples)
    question.check(float(values[values.size // 2]))
    report_progress = progress or (lambda fraction: None)
    with _open_store(store, question, name, output, analysis, measure) as question.kept:
        return _search_value(question, values, name, float(target), tolerance, report_progress)


def _open_store(store: str | Path | None, question: ParameterEvaluator, name: str, *asked: Any) -> Any:
    """Journal of evaluations, or a null context. asked: inputs of evaluations besides model and limits."""
    if store is None:
        return nullcontext()
    about = {
        "model": model_fingerprint(question.model.to_dict()),
        "parameter": question.parameter,
        "output": name,
        "output, analysis or measure": fingerprint([part if callable(part) else repr(part) for part in asked]),
        "limits": question.plain_limits,
    }
    return ResultStore(store, "choice", about)


def _search_value(
    question: ParameterEvaluator,
    values: np.ndarray,
    name: str,
    target: float,
    tolerance: float,
    told: Callable[[float], None],
) -> Chosen:
    """Scan the values, then find the roots between neighbours."""
    parameter, samples, journal = question.parameter, values.size, question.kept
    tried: dict[float, ParameterEvaluation] = {}
    runs: dict[float, Any] = {}

    def evaluate(value: float) -> ParameterEvaluation:
        entry = journal.get((value,)) if journal is not None and value not in tried else None
        if entry is not None:
            tried[value] = ParameterEvaluation(value, **entry)
        if value not in tried:
            fraction = len(tried) / (len(tried) + max(samples - len(tried), 4) + 4)
            question.tell = lambda part: told(fraction + 0.05 * part)
            question.tell(0.0)
            try:
                runs[value] = question.run(value)
            except Exception as error:  # a user-defined function may raise anything
                tried[value] = ParameterEvaluation(value, math.nan, {}, failure_reason(error))
            else:
                tried[value] = question.evaluation(value, runs[value])
            if journal is not None:
                entry = tried[value]._asdict()
                journal.add((entry.pop("value"),), entry)
        return tried[value]

    near = tolerance * abs(target)
    roots = RootSearch(lambda value: evaluate(value).achieved, target, max(tolerance, 1e-15), (near, near))
    roots.search(map(float, values))
    if not roots.good():
        first = next(iter(tried.values()))
        raise DidNotConverge(
            f"none of the {len(tried)} values of {parameter} from {values[0]:.6g} to {values[-1]:.6g} could be analysed; "
            f"{parameter} = {first.value:.6g}: {first.failure}"
        )
    if not roots.found:
        raise OutOfReach(question, sorted(tried.values(), key=lambda e: e.value), name, target, roots)
    keeping = [root for root in roots.found if _limit_excess(question, evaluate(root)) <= 0.0]
    root = (keeping or roots.found)[0]
    closest = None if keeping else _closest_within_limits(question, evaluate, tried, root, target)
    notes = [
        f"between {parameter} = {low:.6g} and {high:.6g} {name} passes over {target:.6g}"
        + (": the analyses there fail" if failed else ": it jumps there")
        for low, high, failed in roots.jumps
    ]
    others = [other for other in roots.found if other != root]
    if roots.is_flat() and len(roots.good()) > 1:
        others = []
        notes.append(f"{name} does not depend on {parameter}: it is the same at every value; choose another parameter")
    if root not in runs:  # the evaluation came from the store
        runs[root] = question.run(root)
        question.numbers(runs[root])  # sets question.units
    evaluations = sorted(tried.values(), key=lambda e: e.value)
    return Chosen(question, evaluations, name, target, evaluate(root), runs[root], others, closest, notes)


def _limit_excess(question: ParameterEvaluator, evaluation: ParameterEvaluation) -> float:
    """Largest relative excess over the limits, negative if all are kept; NaN if the analysis failed."""
    if evaluation.failure:
        return math.nan
    return max((-limit.room(evaluation.limits[name]) for name, limit in question.limits.items()), default=-1.0)


def _closest_within_limits(
    question: ParameterEvaluator,
    evaluate: Callable[[float], ParameterEvaluation],
    tried: dict[float, ParameterEvaluation],
    root: float,
    target: float,
) -> ParameterEvaluation | None:
    """Evaluation closest to the target that keeps the limits, on either side of a root that exceeds them, or None."""
    edges: list[ParameterEvaluation] = []
    for side in (-1.0, 1.0):
        allowed = [x for x, e in tried.items() if side * (x - root) > 0.0 and _limit_excess(question, e) <= 0.0]
        if not allowed:
            continue
        edge = RootSearch(lambda x: _limit_excess(question, evaluate(x)), 0.0, LIMIT_EDGE_RTOL, (LIMIT_EDGE_RTOL, 0.0))
        edge.search((min(allowed, key=lambda x: abs(x - root)), root))
        allowed = [x for x in edge.good() if edge.known[x] <= 0.0]
        edges.append(evaluate(min(allowed, key=lambda x: abs(x - root))))
    return min(edges, key=lambda e: abs(e.achieved - target), default=None)
