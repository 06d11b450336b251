"""Outputs that a model defines by expressions of others, evaluated along a motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gaitwright.result.outputs import Motion, Output
from gaitwright.system.quantity import Quantity
from gaitwright.system.signals import Op, Program, arity, evaluate_program
from gaitwright.system.splines import Spline

ON_ARRAYS: dict[Op, Callable[..., Any]] = {
    Op.NEGATE: np.negative, Op.NOT: lambda x: x == 0.0, Op.ABS: np.abs, Op.SQRT: np.sqrt, Op.EXP: np.exp, Op.LOG: np.log,
    Op.SIN: np.sin, Op.COS: np.cos, Op.TAN: np.tan, Op.ASIN: np.arcsin, Op.ACOS: np.arccos, Op.ATAN: np.arctan,
    Op.SINH: np.sinh, Op.COSH: np.cosh, Op.TANH: np.tanh, Op.ADD: np.add, Op.SUBTRACT: np.subtract,
    Op.MULTIPLY: np.multiply, Op.DIVIDE: np.divide, Op.MODULO: np.mod, Op.POWER: np.power, Op.ATAN2: np.arctan2,
    Op.MIN: np.minimum, Op.MAX: np.maximum, Op.LESS: np.less, Op.LESS_EQUAL: np.less_equal, Op.GREATER: np.greater,
    Op.GREATER_EQUAL: np.greater_equal, Op.EQUAL: np.equal, Op.NOT_EQUAL: np.not_equal,
    Op.AND: lambda x, y: (x != 0.0) & (y != 0.0), Op.OR: lambda x, y: (x != 0.0) | (y != 0.0),
    Op.IF: lambda x, y, z: np.where(x != 0.0, y, z),
}  # fmt: skip


class Quantities:
    """The quantities of a model. outputs: all others by name, and these."""

    by_name: dict[str, Quantity]
    outputs: Mapping[str, Output]

    def __init__(self, quantities: list[Quantity], outputs: Mapping[str, Output]):
        self.by_name, self.outputs = {quantity.name: quantity for quantity in quantities}, outputs
        self.motion: Motion | None = None
        self.known: dict[str, np.ndarray] = {}  # of that motion: one quantity may be asked for by many

    def section(self) -> dict[str, Output]:
        """For the catalogue."""
        return {name: Output(q.unit, q.description, self._shown(q)) for name, q in self.by_name.items()}

    def _shown(self, quantity: Quantity) -> Callable[[Motion], np.ndarray]:
        return lambda motion: quantity.factor * self.along(quantity.name, motion)

    def along(self, name: str, motion: Motion) -> np.ndarray:
        """In SI, (n_times,); NaN where an expression has no finite value."""
        if motion is not self.motion:
            self.motion, self.known = motion, {}
        if name not in self.known:
            quantity = self.by_name.get(name)
            found = self.outputs[name].values(motion) if quantity is None else self._evaluated(quantity, motion)
            self.known[name] = np.asarray(found, dtype=float)
        return self.known[name]

    def _evaluated(self, quantity: Quantity, motion: Motion) -> np.ndarray:
        stack: list[Any] = []
        with np.errstate(all="ignore"):
            for item in quantity.items:
                if isinstance(item, str):
                    stack.append(self.along(item, motion))
                elif isinstance(item, Spline):
                    stack.append(_looked_up(item, np.broadcast_to(stack.pop(), motion.t.shape)))
                elif item is Op.TIME:
                    stack.append(motion.t)
                elif isinstance(item, Op):
                    arguments = stack[-arity(item) :]
                    del stack[-arity(item) :]
                    stack.append(ON_ARRAYS[item](*arguments))
                else:
                    stack.append(item)
        (found,) = stack
        values = np.array(np.broadcast_to(found, motion.t.shape), dtype=float)
        values[~np.isfinite(values)] = np.nan
        return values


def _looked_up(spline: Spline, at: np.ndarray) -> np.ndarray:
    series = Program(np.array([Op.TIME, Op.SERIES], dtype=np.int32), np.zeros(0), (spline,))
    return evaluate_program(series, at)[0]
