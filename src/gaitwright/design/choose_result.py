"""Outcome of `choose`: ChoiceResult (a value that gives the target) or the exception OutOfReach."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.errors import AnalysisError
from gaitwright.design.evaluation import find_motion
from gaitwright.design.number_limits import NumberLimit
from gaitwright.design.parameter_ranges import is_logarithmic
from gaitwright.design.question import DesignQuestion
from gaitwright.design.result import DesignResult, require_folder, trials_dataset
from gaitwright.design.result_store import ResultStore
from gaitwright.design.root_search import RootSearch

if TYPE_CHECKING:
    import pandas as pd


class ParameterEvaluation(NamedTuple):
    """Evaluation of one value of the parameter. achieved: output, or NaN if the analysis failed, with the reason in `failure`.
    limits: by limit, the reduced number of its output that the limit applies to, such as the largest size."""

    value: float
    achieved: float
    limits: dict[str, float]
    failure: str = ""


class ChoiceOutcome:
    """Evaluations of a search as a table and as a figure; base of ChoiceResult and OutOfReach."""

    question: DesignQuestion
    tried: Sequence[ParameterEvaluation]
    output: str
    target: float

    @property
    def parameter(self) -> str:
        return self.question.parameters[0]

    @cached_property
    def bounds(self) -> dict[str, NumberLimit]:
        """Limits by the name of the number."""
        return self.question.number_limits()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """All analysed values in order: parameter, output, limited outputs and failure (reason, or empty)."""
        return [
            {self.parameter: e.value, self.output: e.achieved,
             **{name: e.limits.get(name, math.nan) for name in self.bounds}, "failure": e.failure}
            for e in self.tried
        ]  # fmt: skip

    @property
    def table(self) -> pd.DataFrame:
        """`rows` as a table."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def plot(self, path: str | Path | None = None, *, label: str = "", title: str = "") -> Any:
        """Plot the output and the limited outputs over the parameter, with target, limits and choice.

        label: axis label of the parameter with its unit, such as "thickness (m)"; default: its name. path: file to write.
        Returns a matplotlib Figure."""
        from gaitwright.report.figures.trade_off_plot import plot_trade_off

        units, rows = self.question.units, self.rows
        x = np.array([e.value for e in self.tried])
        names = dict.fromkeys([self.output, *self.bounds])
        panels = {name: ([row[name] for row in rows], units.get(name, "")) for name in names}
        target_text = f"{self.output} = {self.target:.6g}{self.question.unit(self.output)}"
        return plot_trade_off(
            title or f"{self.question.name}: {self.parameter} for {target_text}", label or self.parameter, x,
            panels, limits={name: limit.plain for name, limit in self.bounds.items()}, targets={self.output: self.target},
            marked=getattr(self, "value", None), allowed=getattr(getattr(self, "closest", None), "value", None),
            logarithmic=is_logarithmic(x), path=path,
        )  # fmt: skip

    def _repr_html_(self) -> str | None:
        """HTML for notebooks; None if it cannot be shown."""
        from gaitwright.report.views.notebook_cards import design_card

        return design_card(self)

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


class OutOfReach(AnalysisError, ChoiceOutcome):
    """Raised if no value within the bounds gives the target. lowest, highest: evaluations with least and greatest output."""

    lowest: ParameterEvaluation
    highest: ParameterEvaluation

    def __init__(
        self,
        question: DesignQuestion,
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
            f"no {self.parameter} from {min(values):.6g} to {max(values):.6g} gives {output} = "
            f"{target_text}{question.unit(output)}: "
        )
        if self.lowest.achieved <= target <= self.highest.achieved and roots.jumps:
            cause += self._jumped(roots)
        elif flat:
            cause += f"it does not depend on {self.parameter} and is {reached}{question.unit(output)} at every value"
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


class ChoiceResult(ChoiceOutcome, DesignResult):
    """Result of `choose`: the value of a parameter that gives a number its target value, and all evaluations of the search.

    value: value of the parameter. achieved: output at this value. model, run: model and analysis result for this value.
    limits: by limit, the limited number of the run, such as the largest size of the output. within_limits: True if all
    limits are kept. closest: otherwise the evaluation within the limits that is closest to the target, or None. others:
    further values that give the target."""

    value: float
    achieved: float
    limits: dict[str, float]
    run: Any
    others: list[float]
    closest: ParameterEvaluation | None
    notes: list[str]
    store: ResultStore | None = None

    def __init__(
        self,
        question: DesignQuestion,
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
        super().__init__(question, trials_dataset(question.parameters, self.rows))
        self.value, self.achieved, self.limits, self.run = chosen.value, chosen.achieved, chosen.limits, run
        self.others, self.closest, self.notes = others, closest, notes

    @property
    def values(self) -> dict[str, float]:
        return {self.parameter: self.value}

    @property
    def numbers(self) -> dict[str, float]:
        return {**self.limits, self.output: self.achieved}

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys([self.output, *self.bounds]))

    @property
    def targets(self) -> dict[str, float]:
        return {self.output: self.target}

    @property
    def marked(self) -> float:
        """Value of the parameter that charts mark."""
        return self.value

    @property
    def within_limits(self) -> bool:
        return all(self.bounds[name].keeps(size) for name, size in self.limits.items())

    def lines(self) -> list[str]:
        """Result as sentences."""
        question, unit = self.question, self.question.unit(self.output)
        exact = abs(self.achieved - self.target) <= 1e-6 * max(abs(self.target), abs(self.achieved))
        qualifier = "as asked" if exact else f"asked for {self.target:.6g}{unit}"
        lines = [f"{self.parameter} = {self.value:.6g} gives {self.output} = {self.achieved:.6g}{unit}, {qualifier}"]
        for name, size in self.limits.items():
            limit, rule = self.bounds[name], question.rules.get(name)
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
                "limit": self.bounds[name].plain,
                "kept": self.bounds[name].keeps(size),
            }
            for name, size in self.limits.items()
        }
        data = {
            "name": self.model.document.name, "parameter": self.parameter, "value": self.value, "output": self.output,
            "target": self.target, "achieved": self.achieved, "unit": self.question.units.get(self.output, ""),
            "within_limits": self.within_limits, "limits": limits,
            "closest": self.closest._asdict() if self.closest else None, "others": self.others, "notes": self.notes,
            "evaluations": self.rows,
        }  # fmt: skip
        return to_json_types(data)

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write one web page with a chart of each number over the parameter, and all evaluations. Returns the written files."""
        from gaitwright.report.views.pages.trade_off_page import trade_off_report

        return trade_off_report(self).save(Path(path))

    def save(self, folder: str | Path) -> dict[str, Path]:
        """Write chosen.yaml, result.nc (if the analysis has a result that can be saved) and summary.json. Returns the written
        files."""
        from gaitwright._core.json_types import write_json

        folder, run = require_folder(folder), find_motion(self.run) or self.run
        files = {"model": self.model.save(folder / "chosen.yaml")}
        if hasattr(run, "save"):
            files["result"] = run.save(folder / "result.nc")
        return {**files, "summary": write_json(self.summary(), folder / "summary.json")}
