"""Outcome of a search for a parameter: Chosen (a value that gives the target) or OutOfReach."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.errors import AnalysisError
from gaitwright.design.evaluation import ParameterEvaluation, ParameterEvaluator, is_logarithmic
from gaitwright.design.root_search import RootSearch

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.model.model import Model


class ChooseOutcome:
    """Evaluations of a search as a table and as a figure; base of Chosen and OutOfReach."""

    question: ParameterEvaluator
    tried: Sequence[ParameterEvaluation]
    output: str
    target: float

    @property
    def parameter(self) -> str:
        return self.question.parameter

    @property
    def evaluations(self) -> pd.DataFrame:
        """All analysed values in order: columns parameter, output, limited outputs and failure (reason, or empty)."""
        import pandas as pd

        rows = [
            {self.parameter: e.value, self.output: e.achieved,
             **{name: e.limits.get(name, math.nan) for name in self.question.limits}, "failure": e.failure}
            for e in self.tried
        ]  # fmt: skip
        return pd.DataFrame(rows)

    def plot(self, path: str | Path | None = None, *, label: str = "", title: str = "") -> Any:
        """Plot the output and the limited outputs over the parameter, with target, limits and choice.

        label: axis label of the parameter with its unit, such as "thickness (m)"; default: its name. path: file to write.
        Returns a matplotlib Figure."""
        from gaitwright.report.figures.trade_off_plot import plot_trade_off

        x = np.array([e.value for e in self.tried])
        panels = {self.output: ([e.achieved for e in self.tried], self.question.units.get(self.output, ""))}
        for name in self.question.limits:
            sizes = [e.limits.get(name, math.nan) for e in self.tried]
            panels.setdefault(name, (sizes, self.question.units.get(name, "")))
        target_text = f"{self.output} = {self.target:.6g}{self.question.unit(self.output)}"
        return plot_trade_off(
            title or f"{self.question.model.document.name}: {self.parameter} for {target_text}", label or self.parameter, x,
            panels, limits=self.question.plain_limits, targets={self.output: self.target},
            marked=getattr(self, "value", None), allowed=getattr(getattr(self, "closest", None), "value", None),
            logarithmic=is_logarithmic(x), path=path,
        )  # fmt: skip

    def _repr_html_(self) -> str | None:
        """HTML for notebooks; None if it cannot be shown."""
        from gaitwright.report.views.notebook_cards import choice_card

        return choice_card(self)

    def _said(self, evaluation: ParameterEvaluation) -> str:
        return (
            f"{evaluation.achieved:.6g}{self.question.unit(self.output)} at {self.parameter} = {evaluation.value:.6g}"
        )

    def _counted(self) -> str:
        failed = [e for e in self.tried if e.failure]
        text = f"{len(self.tried)} values of {self.parameter} analysed"
        if failed:
            text += f", {len(failed)} of them failed; {self.parameter} = {failed[0].value:.6g}: {failed[0].failure}"
        return text


class OutOfReach(AnalysisError, ChooseOutcome):
    """Raised if no value within the bounds gives the target. lowest, highest: evaluations with least and greatest output."""

    question: ParameterEvaluator
    tried: list[ParameterEvaluation]
    output: str
    target: float
    lowest: ParameterEvaluation
    highest: ParameterEvaluation

    def __init__(
        self,
        question: ParameterEvaluator,
        tried: list[ParameterEvaluation],
        output: str,
        target: float,
        roots: RootSearch,
    ):
        self.question, self.tried, self.output, self.target = question, tried, output, target
        good = [e for e in tried if not e.failure]
        self.lowest, self.highest = (pick(good, key=lambda e: e.achieved) for pick in (min, max))
        values = [e.value for e in tried]
        flat = roots.is_flat() and len(good) > 1
        target_text, reached = format_distinct(target, self.lowest.achieved)
        cause = (
            f"no {question.parameter} from {min(values):.6g} to {max(values):.6g} gives {output} = "
            f"{target_text}{question.unit(output)}: "
        )
        if self.lowest.achieved <= target <= self.highest.achieved and roots.jumps:
            cause += self._jumped(roots)
        elif flat:
            cause += (
                f"it does not depend on {question.parameter} and is {reached}{question.unit(output)} at every value"
            )
        elif len(good) == 1:
            cause += f"it is {self._said(self.lowest)}"
        else:
            cause += f"it reaches from {self._said(self.lowest)} to {self._said(self.highest)}"
        failed = [e for e in tried if e.failure]
        if failed:
            cause += (
                f" ({len(failed)} of {len(tried)} values could not be analysed, the first because {failed[0].failure})"
            )
        remedy = "change another parameter" if flat else "widen the bounds, aim elsewhere or change another parameter"
        suggestion = "" if roots.jumps else remedy
        super().__init__(cause, suggestion=suggestion)

    def _jumped(self, roots: RootSearch) -> str:
        jump = roots.jumps[0]
        sides = [next(e for e in self.tried if e.value == x) for x in (jump.low, jump.high)]
        why = "where the analyses between fail" if jump.failed else "where it jumps"
        return f"it passes over this value from {self._said(sides[0])} to {self._said(sides[1])}, {why}"


def format_distinct(first: float, second: float) -> tuple[str, str]:
    """Format two numbers with the fewest significant digits (at least 6) at which their texts differ."""
    pairs = ((f"{first:.{digits}g}", f"{second:.{digits}g}") for digits in range(6, 18))
    return next((pair for pair in pairs if pair[0] != pair[1]), (repr(first), repr(second)))


class Chosen(ChooseOutcome):
    """Value of a parameter that gives an output its target value, and all evaluations of the search.

    value: value of the parameter. achieved: output at this value. model, run: model and analysis result for this value.
    limits: by limit, the limited number of the run, such as the largest size of the output. within_limits: True if all
    limits are kept. closest: otherwise the evaluation within the limits that is closest to the target, or None. others:
    further values that give the target."""

    question: ParameterEvaluator
    tried: list[ParameterEvaluation]
    output: str
    target: float
    value: float
    achieved: float
    limits: dict[str, float]
    run: Any
    model: Model
    others: list[float]
    closest: ParameterEvaluation | None
    notes: list[str]

    def __init__(
        self,
        question: ParameterEvaluator,
        tried: list[ParameterEvaluation],
        output: str,
        target: float,
        chosen: ParameterEvaluation,
        run: Any,
        others: list[float],
        closest: ParameterEvaluation | None,
        notes: list[str],
    ):
        self.question, self.tried, self.output, self.target = question, tried, output, target
        self.value, self.achieved, self.limits, self.run = chosen.value, chosen.achieved, chosen.limits, run
        self.model = question.variant(chosen.value)
        self.others, self.closest, self.notes = others, closest, notes

    @property
    def within_limits(self) -> bool:
        return all(self.question.limits[name].keeps(size) for name, size in self.limits.items())

    def lines(self) -> list[str]:
        """Result as sentences."""
        question, unit = self.question, self.question.unit(self.output)
        exact = abs(self.achieved - self.target) <= 1e-6 * max(abs(self.target), abs(self.achieved))
        qualifier = "as asked" if exact else f"asked for {self.target:.6g}{unit}"
        lines = [f"{self.parameter} = {self.value:.6g} gives {self.output} = {self.achieved:.6g}{unit}, {qualifier}"]
        for name, size in self.limits.items():
            limit, rule = question.limits[name], question.rules.get(name)
            if rule and limit.keeps(size):
                continue
            verdict = "within" if limit.keeps(size) else "EXCEEDS" if size > limit.high else "is BELOW"
            of = f"limit {limit.high:.6g}" if limit.is_size else f"limits, {limit}"
            lines.append(
                f"{name} = {size:.6g}{question.unit(name)} {verdict} its {of}" + (f" (rule '{rule}')" if rule else "")
            )
        if not self.within_limits:
            closest_text = (
                "within the limits the closest is" if self.closest else "no value within the bounds keeps the limits"
            )
            lines.append(f"{closest_text} {self._said(self.closest)}" if self.closest else closest_text)
        if self.others:
            lines.append(f"the same is reached at {self.parameter} = {', '.join(f'{x:.6g}' for x in self.others)}")
        return [*lines, *self.notes, self._counted()]

    def summary(self) -> dict[str, Any]:
        """Result and all evaluations as JSON-ready data."""
        from gaitwright._core.json_types import to_json_types

        limits = {
            name: {
                "value": size,
                "limit": self.question.limits[name].plain,
                "kept": self.question.limits[name].keeps(size),
            }
            for name, size in self.limits.items()
        }
        data = {
            "name": self.model.document.name, "parameter": self.parameter, "value": self.value, "output": self.output,
            "target": self.target, "achieved": self.achieved, "unit": self.question.units.get(self.output, ""),
            "within_limits": self.within_limits, "limits": limits,
            "closest": self.closest._asdict() if self.closest else None, "others": self.others, "notes": self.notes,
            "evaluations": self.evaluations.to_dict("records"),
        }  # fmt: skip
        return to_json_types(data)

    def __repr__(self) -> str:
        first, *rest = self.lines()
        return "\n".join([f"<Chosen: {first}", *(f"  {line}" for line in rest)]) + ">"
