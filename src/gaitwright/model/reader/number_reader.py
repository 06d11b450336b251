"""Numbers of a document: values of parameters, expressions and functions of time."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, Self

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.mechanism.signals import SignalProgram
from gaitwright.model import expressions
from gaitwright.model.limits import require_above_minimum, require_within_limits
from gaitwright.model.series import build_splines
from gaitwright.model.spec.document import ModelDocument


@functools.lru_cache(maxsize=10_000)
def _parse_cached(text: str, known: frozenset[str], series: tuple[str, ...]) -> expressions.Expression:
    """Cached, because variants of a model contain the same expressions with other numbers."""
    return expressions.parse(text, known, series)


def require_known_parameters(document: ModelDocument, names: Iterable[str]) -> None:
    """ModelError for a name that is not a parameter of the document."""
    for name in sorted(set(names) - set(document.parameters)):
        ErrorContext(field=name).fail(
            "is not a parameter of this model",
            expected=f"one of {', '.join(document.parameters) or '(the model has no parameters)'}",
        )


class NumberReader:
    """Reader of the numbers of a document. parameters: values that replace those of the document. signals: functions of time
    read so far; elements refer to them by index."""

    def __init__(self, document: ModelDocument, parameters: dict[str, float] | None = None):
        self.document = document
        require_known_parameters(document, parameters or {})
        self.series = build_splines(document.series)
        self.values = expressions.resolve_parameters({**document.parameters, **(parameters or {})}, self.series)
        self.known = frozenset(self.values)
        self.signals: list[SignalProgram] = []
        self.known_signals: dict[tuple[Any, ...], int] = {}

    def fork(self) -> Self:
        """Reader with the same numbers, to which functions of time can be added separately."""
        fork = copy(self)
        fork.signals, fork.known_signals = list(self.signals), dict(self.known_signals)
        return fork

    def angle(self, y: float, x: float) -> float:
        """Angle of a direction against the x axis, rad."""
        return math.atan2(y, x)

    def distance(self, start: Sequence[float], end: Sequence[float]) -> float:
        """Distance of two drawn points, m."""
        return math.dist(start, end)

    def drawn_pose(self, name: str, pose: Sequence[float]) -> np.ndarray:
        """Coordinates of a planar body as drawn."""
        return np.array(pose, dtype=float)

    def expression(self, value: float | str) -> expressions.Expression:
        return (
            _parse_cached(value, self.known, tuple(self.series)) if isinstance(value, str) else expressions.parse(value)
        )

    def parameters_of(self, value: float | str) -> frozenset[str]:
        """Parameters on which a number depends, directly or by the expressions of other parameters."""
        names: set[str] = set()
        pending = list(self.expression(value).names & self.known)
        while pending:
            name = pending.pop()
            if name not in names:
                names.add(name)
                pending += self.expression(self.document.parameters[name]).names & self.known
        return frozenset(names)

    def formula(self, value: float | str, variables: tuple[str, ...]) -> expressions.Expression:
        """Expression that may also contain variables of an element."""
        if conflicting := sorted(self.known & set(variables)):
            raise ModelError(f"the parameter '{conflicting[0]}' of the model has the name of a variable of this expression",
                             expected="another name for the parameter")  # fmt: skip
        return expressions.parse(value, self.known | set(variables), self.series)

    def number(self, value: float | str, element: str, field: str, unit: str = "") -> float:
        """Evaluate a number; ModelError outside the limits of double precision (limits.py)."""
        if not (type(value) is float and math.isfinite(value)):
            try:
                value = expressions.evaluate(self.expression(value), self.values, self.series)
            except ModelError as error:
                ErrorContext(element, field).fail(str(error))
        return require_within_limits(value, unit, element, field)

    def vector(self, value: Any, element: str, field: str, unit: str = "m") -> tuple[float, ...]:
        names = [f"{field}[{k}]" if field else "xyz"[k] for k in range(len(value))]
        return tuple(self.number(entry, element, name, unit) for entry, name in zip(value, names, strict=True))

    def pair(self, value: Any, element: str, field: str, unit: str = "m") -> tuple[float, float]:
        x, y = self.vector(value, element, field, unit)
        return x, y

    def positive(self, value: float | str, element: str, field: str, unit: str) -> float:
        number = self.number(value, element, field, unit)
        if number <= 0:
            ErrorContext(element, field).fail("must be greater than zero", number, f"a positive number of {unit}")
        return require_above_minimum(number, unit, element, field)

    def signal(self, value: float | str, element: str, field: str) -> int:
        """Index of the signal for this expression; identical expressions share one index."""
        try:
            program = expressions.compile_program(self.expression(value), self.values, self.series)
        except ModelError as error:
            ErrorContext(element, field).fail(str(error))
        return self.number_of(program)

    def number_of(self, program: SignalProgram) -> int:
        index = self.known_signals.setdefault(program.identity, len(self.signals))
        if index == len(self.signals):
            self.signals.append(program)
        return index
