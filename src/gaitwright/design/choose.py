"""Choose a parameter, such as a stiffness, so that an output has a target value: a root of the whole nonlinear model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright._core.errors import DidNotConverge, ModelError
from gaitwright.design.choose_result import ChoiceResult, OutOfReach, ParameterEvaluation
from gaitwright.design.evaluation import AnalysisInput, failure_reason
from gaitwright.design.parameter_ranges import read_sample_count
from gaitwright.design.question import DesignQuestion, Execution
from gaitwright.design.requested_numbers import MeasuresInput
from gaitwright.design.result_store import ResultStore
from gaitwright.design.root_search import RootSearch
from gaitwright.model.model import Model

LIMIT_EDGE_RTOL = 1e-4
"""Tolerance of the parameter value at which a limit is reached, relative to the parameter."""


def choose(
    model: Model,
    parameters: Mapping[str, Any],
    *,
    target: Mapping[str, float],
    measures: MeasuresInput = None,
    limits: Mapping[str, Any] | None = None,
    allow: Sequence[str] = (),
    samples: int = 9,
    tolerance: float = 1e-8,
    analysis: AnalysisInput | None = None,
    store: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> ChoiceResult:
    """Find the value of a parameter, within a range, for which a number has a target value.

        chosen = gw.choose(support, {"thickness": (0.001, 0.005)}, target={"assist.moment": 20},
                           limits={"blade.max_strain": 0.006})
        print(chosen)
        chosen.model.save("chosen.yaml")

    Every evaluation is an analysis of the whole model. The range is scanned at `samples` values (in equal ratios if its ends
    are far apart), and wherever neighbours lie on both sides of the target, the root between them is found to `tolerance`,
    relative to the parameter. The output need not rise or fall all the way: of several roots the lowest that keeps the
    limits is chosen, the others are reported. Roots closer together than the scan may be missed: take more samples.

    parameters: {name: (low, high)} of one parameter, in its unit, or a list of values to scan.
    target: {name: value}: an output, whose value at the end counts, or an output with its reduction over time such as
        "mass.vx.max" (final, max, min, max_abs, mean, range, end, sample_90; all but the values at one time ignore NaN
        samples); a number of `measures`, or an expression such as "ratio=energy/step_length".
    measures: as in `sweep`, such as {"load": function of the Result}.
    limits: largest allowed size of other outputs, such as {"blade.max_strain": 0.006}, or {name: (low, high)} with None for
        a free side. An output must keep its limit all the time. The result reports limits; if they are exceeded, it also
        reports the evaluation that is closest to the target and keeps them.
    allow: rules that the choice may break, by name or "all". An analysis may have rules, as gw.LegTurns() has; they act as
        limits.
    analysis: "static", or a mapping like the section of a model file, such as {"until": 2, "step": 1e-3}; default: the
        model's own section, static if it has none. Or a function of the model: lambda m: m.static(time=0.5).
    samples: number of values of the scan. progress: callback with the fraction done.
    store: a file (or a folder for one) that keeps every evaluation as soon as it is computed: the same call after an
        interruption, or a call with another target or another range, reads them instead of computing them again. A store
        of another question is refused.

    A value that cannot be analysed is skipped with a note. Raises OutOfReach, with the range that can be reached, if no
    value gives the target, and DidNotConverge if no value can be analysed."""
    at = ErrorContext("choose")
    if not isinstance(target, Mapping) or len(target) != 1:
        at["target"].fail("is not one number with its value", target, "such as {'assist.moment': 20}")
    ((text, value),) = target.items()
    at["target"].finite(value, "the value the output shall take")
    if not is_number(tolerance) or not 0.0 < tolerance < 0.1:
        at["tolerance"].fail("is no relative tolerance", tolerance, "such as 1e-8")
    question = DesignQuestion(
        "choose", model, parameters, measures=measures, minimise=[text], limits=limits, allow=allow, analysis=analysis,
        default_analysis="static",
    )  # fmt: skip
    if len(question.box) != 1:
        at["parameters"].fail("has several parameters", question.parameters, "one; gw.optimise varies several")
    ((parameter, axis),) = question.box.items()
    values = axis.samples(read_sample_count("choose", samples))
    (output,) = question.goals
    question.check()
    execution = Execution(None, None, store, progress)
    journal_context = nullcontext()
    if store is not None:
        identity = question.identity(parameter=parameter, output=output, limits=question.limits)
        journal_context = ResultStore(store, "choice", identity)
    with journal_context as journal:
        search = ChoiceSearch(question, float(value), values.size, tolerance, journal, execution)
        return search.search(sorted(values.tolist()))


class ChoiceSearch:
    """Search for the value of a parameter. samples: number of values of the scan. tried: evaluations by value."""

    def __init__(
        self, question: DesignQuestion, target: float, samples: int, tolerance: float, journal: ResultStore | None,
        execution: Execution,
    ):  # fmt: skip
        self.question, self.target, self.samples, self.tolerance = question, target, samples, tolerance
        self.journal, self.execution = journal, execution
        ((self.parameter, _),), (self.output,) = question.box.items(), question.goals
        self.limits = question.number_limits()
        self.tried: dict[float, ParameterEvaluation] = {}
        self.runs: dict[float, Any] = {}

    def search(self, values: Sequence[float]) -> ChoiceResult:
        """Scan the values, then find the roots between neighbours."""
        tried, parameter, name, target = self.tried, self.parameter, self.output, self.target
        near = self.tolerance * abs(target)
        roots = RootSearch(
            lambda value: self.evaluate(value).achieved, target, max(self.tolerance, 1e-15), (near, near)
        )
        roots.search(values)
        if not roots.good():
            first = next(iter(tried.values()))
            raise DidNotConverge(
                f"none of the {len(tried)} values of {parameter} from {values[0]:.6g} to {values[-1]:.6g} could be "
                f"analysed; {parameter} = {first.value:.6g}: {first.failure}"
            )
        if not roots.found:
            raise OutOfReach(self.question, self._evaluations(), name, target, roots)
        keeping = [root for root in roots.found if self._limit_excess(self.evaluate(root)) <= 0.0]
        root = (keeping or roots.found)[0]
        closest = None if keeping else self._closest_within_limits(root)
        notes = [
            f"between {parameter} = {low:.6g} and {high:.6g} {name} passes over {target:.6g}"
            + (": the analyses there fail" if failed else ": it jumps there")
            for low, high, failed in roots.jumps
        ]
        others = [other for other in roots.found if other != root]
        if roots.is_flat() and len(roots.good()) > 1:
            others = []
            notes.append(
                f"{name} does not depend on {parameter}: it is the same at every value; choose another parameter"
            )
        if root not in self.runs:  # the evaluation came from the store
            self.runs[root] = self._run(root)
        self.question.learn_units(self.runs[root])
        chosen, run, evaluations = self.evaluate(root), self.runs[root], self._evaluations()
        result = ChoiceResult(self.question, evaluations, name, target, chosen, run, others, closest, notes)
        result.store = self.journal
        return result

    def _run(self, value: float, progress: Callable[[float], None] | None = None) -> Any:
        return self.question.run(self.question.variant({self.parameter: value}), progress)

    def _evaluations(self) -> list[ParameterEvaluation]:
        return sorted(self.tried.values(), key=lambda e: e.value)

    def evaluate(self, value: float) -> ParameterEvaluation:
        """Evaluation of a value: known, from the store, or computed."""
        entry = self.journal.get((value,)) if self.journal is not None and value not in self.tried else None
        if entry is not None:
            self.tried[value] = ParameterEvaluation(value, **entry)
        if value not in self.tried:
            self.tried[value] = self._compute(value)
            if self.journal is not None:
                entry = self.tried[value]._asdict()
                self.journal.add((entry.pop("value"),), entry)
        return self.tried[value]

    def _compute(self, value: float) -> ParameterEvaluation:
        fraction = len(self.tried) / (len(self.tried) + max(self.samples - len(self.tried), 4) + 4)
        self.execution.report(fraction)
        try:
            run = self._run(value, lambda part: self.execution.report(fraction + 0.05 * part))
        except Exception as error:  # a user-defined function may raise anything
            return ParameterEvaluation(value, math.nan, {}, failure_reason(error))
        self.runs[value] = run
        try:
            numbers = self.question.numbers(run)
        except ModelError:  # an unknown name is an error for every value
            raise
        except Exception as error:
            return ParameterEvaluation(value, math.nan, {}, failure_reason(error))
        if self.output not in self.question.units:
            self.question.learn_units(run)
        achieved = numbers[self.output]
        sizes = {name: numbers[name] for name in self.limits}
        if not math.isfinite(achieved):
            return ParameterEvaluation(value, math.nan, sizes, f"{self.output} is not a finite number")
        return ParameterEvaluation(value, achieved, sizes)

    def _limit_excess(self, evaluation: ParameterEvaluation) -> float:
        """Largest relative excess over the limits, negative if all are kept; NaN if the analysis failed."""
        if evaluation.failure:
            return math.nan
        return max((-limit.room(evaluation.limits[name]) for name, limit in self.limits.items()), default=-1.0)

    def _closest_within_limits(self, root: float) -> ParameterEvaluation | None:
        """Evaluation closest to the target that keeps the limits, on either side of a root that exceeds them, or None."""
        edges: list[ParameterEvaluation] = []
        for side in (-1.0, 1.0):
            allowed = [x for x, e in self.tried.items() if side * (x - root) > 0.0 and self._limit_excess(e) <= 0.0]
            if not allowed:
                continue
            tolerances = (LIMIT_EDGE_RTOL, 0.0)
            edge = RootSearch(lambda x: self._limit_excess(self.evaluate(x)), 0.0, LIMIT_EDGE_RTOL, tolerances)
            edge.search((min(allowed, key=lambda x: abs(x - root)), root))
            allowed = [x for x in edge.good() if edge.known[x] <= 0.0]
            edges.append(self.evaluate(min(allowed, key=lambda x: abs(x - root))))
        return min(edges, key=lambda e: abs(e.achieved - self.target), default=None)
