"""What a search asks, put to a program that is printed for the model: numbers of many designs at once, with exact gradients."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.design.many import forward
from gaitwright.design.many.designs import analyse_designs
from gaitwright.design.many.gathered import CODE_INTERRUPTED
from gaitwright.design.many.library import compiler
from gaitwright.design.many.measures import Source
from gaitwright.design.many.sources import SOURCES
from gaitwright.design.number_limits import Limit
from gaitwright.design.search import Box
from gaitwright.model.model import Model

AGREE = 1e-8
"""How far numbers of the printed program and of the analysis may differ, relative to their size."""


class Design(NamedTuple):
    """What the printed program tells about a design. measured: printed measures by name. slopes: their derivatives in the
    parameters. failure: empty where all is well."""

    measured: dict[str, float]
    slopes: dict[str, np.ndarray]
    failure: str


class PrintedQuestion:
    """asked: for the objective and every limited number, the printed measures behind it: one, or for an output between two
    limits its least and its greatest value. measures: as `gw.designs` takes them."""

    model: Model
    box: Box
    workers: int | None
    asked: dict[Any, list[str]]

    def __init__(
        self, model: Model, box: Box, objective: Any, measure: Any, constraints: Mapping[str, Any], analysis: Any,
        workers: int | None = None,
    ):  # fmt: skip
        """ModelError tells why it cannot be put to a printed program."""
        at = At(field="method")
        if callable(analysis):
            at.fail("gradients need an analysis that can be printed, not a function", expected="a section or a name")
        functions = [
            objective,
            *(limit[0] for limit in constraints.values() if isinstance(limit, (tuple, list)) and limit),
        ]
        if any(callable(one) for one in functions):
            at.fail(
                "gradients need names or expressions: a function of the Result has none",
                expected="as `measure` a mapping",
            )
        behind = getattr(measure, "source", measure)
        expressions = getattr(measure, "measures", None)
        if callable(measure) and expressions is None and behind not in SOURCES:
            named = getattr(measure, "__name__", "the measure")
            at.fail(f"gradients of '{named}' are not known, which is a function of the Result", expected="a mapping")
        if compiler() is None:
            at.fail("gradients need a C compiler on this machine", expected="one such as gcc or clang")
        self.model, self.box, self.workers = model, box, workers
        self.sources: list[Source] = [SOURCES[known](model) for known in SOURCES if known is behind]
        named = {n: n for source in self.sources for n in source.gives}
        named |= expressions or {}
        self.measures: dict[str, str] = {}
        self.asked = {objective: [self._measure(named, objective, measure)]}
        for name, limit in constraints.items():
            if name not in self.asked:
                whats = _whats(limit)
                self.asked[name] = list(dict.fromkeys(self._measure(named, name, what) for what in whats))

    def _measure(self, named: Mapping[str, str], name: str, what: Any) -> str:
        """A number by name, or what is taken of an output."""
        found = name if name in named else f"{name}.{what if isinstance(what, str) else 'final'}"
        self.measures[found] = named.get(name, found)
        return found

    def designs(self, values: Sequence[Mapping[str, float]], slopes: bool = True) -> list[Design]:
        """What comes of several sets of values, computed together. Raises KeyboardInterrupt."""
        wanted = list(self.measures) if slopes else []
        columns = {name: np.array([one[name] for one in values]) for name in self.box}
        table = analyse_designs(
            self.model, columns, measures=self.measures, gradient=wanted, workers=self.workers, sources=self.sources
        )
        codes = table["failure"].values
        if np.any(codes == CODE_INTERRUPTED):
            raise KeyboardInterrupt
        reasons = dict(zip(table["code"].values.tolist(), table["reason"].values.tolist(), strict=True))
        numbers = {name: table[name].values for name in self.measures}
        by = {name: table[f"{name}.gradient"].values for name in wanted}
        found = []
        for k, code in enumerate(codes.tolist()):
            measured = {} if code else {name: float(column[k]) for name, column in numbers.items()}
            wrong = [name for name, value in measured.items() if not math.isfinite(value)]
            failure = str(reasons[code]) if code else f"{wrong[0]} is not a finite number" if wrong else ""
            found.append(Design(measured, {name: column[k] for name, column in by.items()}, failure))
        return found

    def numbers(self, design: Design, limits: Mapping[str, Limit]) -> dict[str, float]:
        """The objective and the limited numbers, as the analysis gives them: of an output between two limits, what is farthest
        from their middle."""
        found = {}
        for name, behind in self.asked.items() if design.measured else ():
            values = [design.measured[one] for one in behind]
            if len(values) > 1:
                middle = 0.5 * (limits[name].low + limits[name].high)
                values.sort(key=lambda value: -abs(value - middle))
            found[name] = values[0]
        return found

    def disagreement(self, here: Mapping[str, float], there: Mapping[str, float], sizes: Mapping[str, float]) -> str:
        """How numbers of the printed program differ from those of the analysis; empty if they agree."""
        section = self.model.document.analysis
        agree = forward.AGREE if section is not None and section.type == "forward" else AGREE
        for name, value in there.items():
            if name in here and not abs(here[name] - value) <= agree * max(abs(value), sizes.get(name, 0.0)):
                return f"the printed program gives {name} = {here[name]:.12g}, the analysis {value:.12g}"
        return ""


def _whats(limit: Any) -> list[str]:
    """What a limit is about where it limits an output over time."""
    if not isinstance(limit, (tuple, list)):
        return ["max_abs"]
    sides = zip(limit, ("min", "max"), strict=False)
    return [what for side, what in sides if side is not None] or ["max"]
