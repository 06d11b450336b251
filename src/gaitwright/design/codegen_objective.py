"""Objective and limits of a search, evaluated by a generated program for many designs at once, with exact gradients."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.codegen import forward_dynamics
from gaitwright.codegen.c_library import find_compiler
from gaitwright.codegen.measures import MeasureSource
from gaitwright.design.batch.analysis import analyse_designs
from gaitwright.design.batch.results import CODE_INTERRUPTED
from gaitwright.design.number_limits import NumberLimit, limit_reductions
from gaitwright.design.question import DesignQuestion, Execution
from gaitwright.model.model import Model

AGREEMENT_RTOL = 1e-8
"""Relative tolerance for comparing numbers of the generated program with those of the analysis."""


class ProgramEvaluation(NamedTuple):
    """Evaluation of one design by the generated program. measured: measures by name. slopes: by name, their derivatives with
    respect to the parameters, (n_parameters,). failure: reason, empty on success."""

    measured: dict[str, float]
    slopes: dict[str, np.ndarray]
    failure: str


class CodegenObjective:
    """Objective and limited numbers of a search as measures of a generated program.

    asked: for the objective and every limited number, the names of its measures: one, or the least and the greatest value
    for an output between two limits. measures: expressions by name, as in `gw.designs`."""

    model: Model
    workers: int | None
    asked: dict[str, list[str]]

    def __init__(self, question: DesignQuestion, workers: int | None = None):
        """Raise ModelError, with the reason, if the search cannot use a generated program."""
        at, numbers = ErrorContext(field="method"), question.numbers
        if question.analysis is not None:
            at.fail(
                "gradients need an analysis for which a program can be generated, not a function",
                expected="a section or a name",
            )
        if numbers.single:
            at.fail(
                "gradients need names or expressions: a function of the Result has none",
                expected="as `measures` names, expressions or gw.measure_leg",
            )
        for one in numbers.functions:
            if not hasattr(one, "make_source"):
                named = getattr(one, "__name__", "the measure")
                expected = "names, expressions or gw.measure_leg"
                at.fail(f"gradients of '{named}' are not known, which is a function of the Result", expected=expected)
        if find_compiler() is None:
            at.fail("gradients need a C compiler on this machine", expected="one such as gcc or clang")
        self.model, self.workers = question.model, workers
        self.sources: list[MeasureSource] = numbers.sources(question.model)
        named = {n: n for source in self.sources for n in source.gives} | numbers.expressions(
            question.model.mechanism()
        )
        self.measures: dict[str, str] = {}
        self.asked = {}
        for name in [*question.goals, *question.limits]:
            whats = [""] if name in named else limit_reductions(question.limits[name])
            self.asked.setdefault(name, [self._measure(named, name, what) for what in dict.fromkeys(whats)])
        ranges = {name: (axis.low, axis.high) for name, axis in question.box.items()}
        self.question = DesignQuestion(
            "designs", question.model, ranges, measures=self.measures, known_rules={}, plan=False
        )

    def _measure(self, named: Mapping[str, str], name: str, what: str) -> str:
        """Register the measure of a number or of a reduced output, and return its name."""
        measure = f"{name}.{what}" if what else name
        self.measures[measure] = named.get(name, measure)
        return measure

    def designs(self, values: Sequence[Mapping[str, float]], slopes: bool = True) -> list[ProgramEvaluation]:
        """Evaluate several designs in one call. slopes: compute derivatives, too. Raises KeyboardInterrupt after Ctrl-C."""
        gradient = list(self.measures) if slopes else []
        columns = {name: np.array([one[name] for one in values]) for name in self.question.box}
        execution = Execution(self.workers)
        table = analyse_designs(self.question, columns, gradient=gradient, sources=self.sources, execution=execution)
        codes = table["failure"].values
        if np.any(codes == CODE_INTERRUPTED):
            raise KeyboardInterrupt
        reasons = dict(zip(table["code"].values.tolist(), table["reason"].values.tolist(), strict=True))
        numbers = {name: table[name].values for name in self.measures}
        slopes_by_name = {name: table[f"{name}.gradient"].values for name in gradient}
        evaluations = []
        for k, code in enumerate(codes.tolist()):
            measured = {} if code else {name: float(column[k]) for name, column in numbers.items()}
            nonfinite = [name for name, value in measured.items() if not math.isfinite(value)]
            failure = str(reasons[code]) if code else f"{nonfinite[0]} is not a finite number" if nonfinite else ""
            evaluations.append(
                ProgramEvaluation(measured, {name: column[k] for name, column in slopes_by_name.items()}, failure)
            )
        return evaluations

    def numbers(self, design: ProgramEvaluation, limits: Mapping[str, NumberLimit]) -> dict[str, float]:
        """Objective and limited numbers as the analysis returns them; for an output between two limits the value that is
        farthest from the middle of the limits."""
        numbers = {}
        for name, behind in self.asked.items() if design.measured else ():
            values = [design.measured[one] for one in behind]
            if len(values) > 1:
                middle = 0.5 * (limits[name].low + limits[name].high)
                values.sort(key=lambda value: -abs(value - middle))
            numbers[name] = values[0]
        return numbers

    def disagreement(self, here: Mapping[str, float], there: Mapping[str, float], sizes: Mapping[str, float]) -> str:
        """Describe the first difference between numbers of the generated program (here) and of the analysis (there); empty if
        they agree. sizes: reference magnitudes by name, for numbers near zero."""
        section = self.model.document.analysis
        agree = (
            forward_dynamics.FORWARD_AGREEMENT_RTOL
            if section is not None and section.type == "forward"
            else AGREEMENT_RTOL
        )
        for name, value in there.items():
            if name in here and not abs(here[name] - value) <= agree * max(abs(value), sizes.get(name, 0.0)):
                return f"the printed program gives {name} = {here[name]:.12g}, the analysis {value:.12g}"
        return ""
