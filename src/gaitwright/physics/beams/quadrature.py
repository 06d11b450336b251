"""Quadrature rules on 0 <= xi <= 1, and parameters of sections that change along an element.

The rules are written in closed form: printed kernels must not depend on the rounding of a library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any

from gaitwright.physics.declarations import Elasticity

QuadratureRule = tuple[tuple[float, float], ...]
ElementFunction = Callable[[Any], Any]
"""A quantity along an element: a function of xi, 0 to 1."""


def _symmetric_rule(*points: tuple[float, float]) -> QuadratureRule:
    """The rule with the given points and weights on -1 <= x <= 1, each point with its mirror image."""
    both = {x: weight / 2 for y, weight in points for x in (y, -y)}
    return tuple(((1 + x) / 2, both[x]) for x in sorted(both))


GAUSS3 = _symmetric_rule((0.0, 8 / 9), (sqrt(3 / 5), 5 / 9))
GAUSS5 = _symmetric_rule(
    (0.0, 128 / 225),
    (sqrt(5 - 2 * sqrt(10 / 7)) / 3, (322 + 13 * sqrt(70)) / 900),
    (sqrt(5 + 2 * sqrt(10 / 7)) / 3, (322 - 13 * sqrt(70)) / 900),
)
LOBATTO3 = _symmetric_rule((0.0, 4 / 3), (1.0, 1 / 3))


def element_parameters(declaration: type[Elasticity], length: Any, along: Mapping[str, ElementFunction]) -> list[Any]:
    """The parameters of an element in the order of its kernels; or of many, with arrays.

    along: functions of xi, 0 to 1 in the element, for every quantity of the declaration."""
    return [length, *(along[quantity](xi) for quantity, xi in declaration.along.values())]
