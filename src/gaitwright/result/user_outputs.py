"""Outputs that a model defines by expressions of other outputs, evaluated along a motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gaitwright.mechanism.output_expression import OutputExpression
from gaitwright.mechanism.signals import SignalOperation, SignalProgram, arity, evaluate_program
from gaitwright.mechanism.splines import SignalSpline
from gaitwright.result.outputs import ResultOutput, StateHistory

ARRAY_OPERATIONS: dict[SignalOperation, Callable[..., Any]] = {
    SignalOperation.NEGATE: np.negative,
    SignalOperation.NOT: lambda x: x == 0.0,
    SignalOperation.ABS: np.abs,
    SignalOperation.SQRT: np.sqrt,
    SignalOperation.EXP: np.exp,
    SignalOperation.LOG: np.log,
    SignalOperation.SIN: np.sin,
    SignalOperation.COS: np.cos,
    SignalOperation.TAN: np.tan,
    SignalOperation.ASIN: np.arcsin,
    SignalOperation.ACOS: np.arccos,
    SignalOperation.ATAN: np.arctan,
    SignalOperation.SINH: np.sinh,
    SignalOperation.COSH: np.cosh,
    SignalOperation.TANH: np.tanh,
    SignalOperation.ADD: np.add,
    SignalOperation.SUBTRACT: np.subtract,
    SignalOperation.MULTIPLY: np.multiply,
    SignalOperation.DIVIDE: np.divide,
    SignalOperation.MODULO: np.mod,
    SignalOperation.POWER: np.power,
    SignalOperation.ATAN2: np.arctan2,
    SignalOperation.MIN: np.minimum,
    SignalOperation.MAX: np.maximum,
    SignalOperation.LESS: np.less,
    SignalOperation.LESS_EQUAL: np.less_equal,
    SignalOperation.GREATER: np.greater,
    SignalOperation.GREATER_EQUAL: np.greater_equal,
    SignalOperation.EQUAL: np.equal,
    SignalOperation.NOT_EQUAL: np.not_equal,
    SignalOperation.AND: lambda x, y: (x != 0.0) & (y != 0.0),
    SignalOperation.OR: lambda x, y: (x != 0.0) | (y != 0.0),
    SignalOperation.IF: lambda x, y, z: np.where(x != 0.0, y, z),
}


class UserOutputs:
    """User-defined quantities of a model. outputs: all outputs by name, including these."""

    by_name: dict[str, OutputExpression]
    outputs: Mapping[str, ResultOutput]

    def __init__(self, quantities: Sequence[OutputExpression], outputs: Mapping[str, ResultOutput]):
        self.by_name, self.outputs = {quantity.name: quantity for quantity in quantities}, outputs
        self.motion: StateHistory | None = None
        self.cached_values: dict[str, np.ndarray] = {}  # values for that motion: several outputs may use one quantity

    def section(self) -> dict[str, ResultOutput]:
        """Section of these outputs for the catalogue."""
        return {name: ResultOutput(q.unit, q.description, self._displayed(q)) for name, q in self.by_name.items()}

    def _displayed(self, quantity: OutputExpression) -> Callable[[StateHistory], np.ndarray]:
        return lambda motion: quantity.factor * self.along(quantity.name, motion)

    def along(self, name: str, motion: StateHistory) -> np.ndarray:
        """Values in SI units, (n_times,); NaN where an expression has no finite value."""
        if motion is not self.motion:
            self.motion, self.cached_values = motion, {}
        if name not in self.cached_values:
            quantity = self.by_name.get(name)
            values = self.outputs[name].values(motion) if quantity is None else self._evaluated(quantity, motion)
            self.cached_values[name] = np.asarray(values, dtype=float)
        return self.cached_values[name]

    def _evaluated(self, quantity: OutputExpression, motion: StateHistory) -> np.ndarray:
        stack: list[Any] = []
        with np.errstate(all="ignore"):
            for item in quantity.items:
                if isinstance(item, str):
                    stack.append(self.along(item, motion))
                elif isinstance(item, SignalSpline):
                    stack.append(_evaluate_spline(item, np.broadcast_to(stack.pop(), motion.t.shape)))
                elif item is SignalOperation.TIME:
                    stack.append(motion.t)
                elif isinstance(item, SignalOperation):
                    arguments = stack[-arity(item) :]
                    del stack[-arity(item) :]
                    stack.append(ARRAY_OPERATIONS[item](*arguments))
                else:
                    stack.append(item)
        (value,) = stack
        values = np.array(np.broadcast_to(value, motion.t.shape), dtype=float)
        values[~np.isfinite(values)] = np.nan
        return values


def _evaluate_spline(spline: SignalSpline, at: np.ndarray) -> np.ndarray:
    series = SignalProgram(
        np.array([SignalOperation.TIME, SignalOperation.SERIES], dtype=np.int32), np.zeros(0), (spline,)
    )
    return evaluate_program(series, at)[0]
