"""Quadrature rules on 0 <= xi <= 1, and what depends on sections that change along an element.

The rules are written in closed form: printed kernels must not depend on the rounding of a library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any

from gaitwright.physics.bodies.beam import shape
from gaitwright.physics.declare import Elasticity

Rule = tuple[tuple[float, float], ...]
Along = Callable[[Any], Any]
"""A quantity along an element: a function of xi, 0 to 1."""


def _symmetric(*points: tuple[float, float]) -> Rule:
    """The rule with the given points and weights on -1 <= x <= 1, each point with its mirror image."""
    both = {x: weight / 2 for y, weight in points for x in (y, -y)}
    return tuple(((1 + x) / 2, both[x]) for x in sorted(both))


GAUSS3 = _symmetric((0.0, 8 / 9), (sqrt(3 / 5), 5 / 9))
GAUSS5 = _symmetric(
    (0.0, 128 / 225),
    (sqrt(5 - 2 * sqrt(10 / 7)) / 3, (322 + 13 * sqrt(70)) / 900),
    (sqrt(5 + 2 * sqrt(10 / 7)) / 3, (322 - 13 * sqrt(70)) / 900),
)
LOBATTO3 = _symmetric((0.0, 4 / 3), (1.0, 1 / 3))


def parameters_of(declaration: type[Elasticity], length: float, along: Mapping[str, Along]) -> list[float]:
    """The parameters of one element, in the order of its kernels.

    along: for every quantity of the declaration its value as function of xi, 0 to 1 in this element."""
    return [length, *(float(along[quantity](xi)) for quantity, xi in declaration.along.values())]


def mass_matrix(length: float, rho_a_at: Along) -> Any:
    """int rho A S^T S dx for the four shape functions (paper 002 Eq 7): (4, 4), kg times m^0, m^1 or m^2. The matrix of
    the eight coordinates is its Kronecker product with the unit matrix of the plane.

    rho_a_at: mass per length, kg/m, at an array of xi. Exact for polynomials up to degree 3."""
    s, weights = _masses(length, rho_a_at)
    return (s * weights) @ s.T


def centre_weights(length: float, rho_a_at: Along) -> Any:
    """int rho A S dx / m: the weights n of the centre of mass, n_0 r_0 + n_1 r_x0 + n_2 r_1 + n_3 r_x1."""
    s, weights = _masses(length, rho_a_at)
    return s @ weights / weights.sum()


def _masses(length: float, rho_a_at: Along) -> tuple[Any, Any]:
    """The shape functions at five points, (4, 5), and the masses that the points stand for."""
    import numpy as np

    xi, weight = np.array(GAUSS5).T
    return np.array(shape(xi, length)), length * weight * rho_a_at(xi)
