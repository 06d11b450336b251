"""Quantity that a model defines from its outputs, ready for evaluation along a motion."""

from __future__ import annotations

from typing import NamedTuple

from gaitwright.mechanism.signals import SignalOperation
from gaitwright.mechanism.splines import SignalSpline


class OutputExpression(NamedTuple):
    """Expression in postfix order. items: numbers, names of outputs, operations, and splines, which take one argument. The
    value is in SI units; `factor` times the value is in `unit`."""

    name: str
    unit: str
    description: str
    items: tuple[float | str | SignalOperation | SignalSpline, ...]
    factor: float = 1.0
