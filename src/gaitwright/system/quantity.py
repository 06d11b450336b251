"""A quantity that a model defines from its outputs, ready to be evaluated along a motion."""

from __future__ import annotations

from typing import NamedTuple

from gaitwright.system.signals import Op
from gaitwright.system.splines import Spline


class Quantity(NamedTuple):
    """items: in postfix order: numbers, names of outputs, operations, and splines, which take one argument. The value is in
    SI, and `factor` times it in `unit`."""

    name: str
    unit: str
    description: str
    items: tuple[float | str | Op | Spline, ...]
    factor: float = 1.0
