"""What the energy of a material may be written in: the deformation at one point.

    F = I + H        deformation gradient, H = du/dX the gradient of the displacement
    E = (F^T F - I) / 2

Everything is kept as its difference from the undeformed state (J - 1, I1 - 3, ...), so that energies of small strains keep
their digits. In the plane (plane strain) the third direction keeps its length: F33 = 1, F13 = F23 = F31 = F32 = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gaitwright.physics.symbolic import power_change

Matrix = tuple[tuple[Any, ...], ...]
Named = Callable[[str, Any], Any]
"""Gives a quantity of its own to an invariant of H: its name and its expression in, its symbol out."""
Power = Callable[[Any], Any]
"""The sum of lambda_i^alpha - 1 over the stretches of the dimension, as a quantity of its own: see derive/spectral.py."""


def determinant_change(H: Sequence[Sequence[Any]]) -> Any:
    """det(I + H) - 1."""
    if len(H) == 2:
        (a, b), (c, d) = H
        return a + d + (a * d - b * c)
    (a, b, c), (d, e, f), (g, h, i) = H
    pairs = (a * e - b * d) + (a * i - c * g) + (e * i - f * h)
    return a + e + i + pairs + (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))


def shape_change(invariant: Any, J: Any, degree: Any) -> Any:
    """J^(-degree/3) invariant - 3: what is left of a sum of three powers of stretches when the volume is scaled to 1. Energies
    of small strains keep their digits."""
    import sympy

    exponent = -sympy.sympify(degree) / 3
    return J**exponent * (invariant - 3) + 3 * power_change(J, exponent)


class Deformation:
    """At a point of a solid; all dimensions see three-by-three matrices.

    H: gradient of the displacement, of the dimension of the solid."""

    def __init__(self, H: Sequence[Sequence[Any]], named: Named, power: Power):
        self.inner = tuple(tuple(row) for row in H)
        self.dimension = len(H)
        self.named, self.power = named, power

    @property
    def H(self) -> Matrix:
        """Gradient of the displacement, 3 x 3."""
        if self.dimension == 3:
            return self.inner
        return (*((*row, 0) for row in self.inner), (0, 0, 0))

    @property
    def F(self) -> Matrix:
        """Deformation gradient, 3 x 3."""
        return tuple(tuple(h + int(i == j) for j, h in enumerate(row)) for i, row in enumerate(self.H))

    @property
    def E(self) -> Matrix:
        """Green's strain, 3 x 3: (H + H^T + H^T H) / 2, zero in a rigid motion."""
        n = range(self.dimension)
        H = self.inner
        found = [[0] * 3 for _ in range(3)]
        for i in n:
            for j in range(i, self.dimension):
                value = (H[i][j] + H[j][i] + sum(H[k][i] * H[k][j] for k in n)) / 2
                found[i][j] = found[j][i] = self.named(f"e{i + 1}{j + 1}", value)
        return tuple(map(tuple, found))

    @property
    def strain(self) -> Matrix:
        """Strain of small deformations, (H + H^T) / 2: not zero in a rotation."""
        H = self.H
        return tuple(tuple((H[i][j] + H[j][i]) / 2 for j in range(3)) for i in range(3))

    @property
    def J(self) -> Any:
        """Volume by undeformed volume, det F."""
        return 1 + self._swelling

    @property
    def I1(self) -> Any:
        """lambda_1^2 + lambda_2^2 + lambda_3^2."""
        return 3 + self._first

    @property
    def I2(self) -> Any:
        """(lambda_1 lambda_2)^2 + (lambda_2 lambda_3)^2 + (lambda_3 lambda_1)^2."""
        if self.dimension == 2:  # with lambda_3 = 1
            return 3 + self._first + (self._swelling * (2 + self._swelling))
        return 3 + self._second

    def power_sum(self, alpha: Any) -> Any:
        """lambda_1^alpha + lambda_2^alpha + lambda_3^alpha, of the principal stretches, for any number alpha."""
        return 3 + self.power(alpha)

    @property
    def _swelling(self) -> Any:
        return self.named("j", determinant_change(self.inner))

    @property
    def _first(self) -> Any:
        n = range(self.dimension)
        trace = sum(2 * self.inner[i][i] for i in n)
        return self.named("k1", trace + sum(self.inner[i][j] ** 2 for i in n for j in n))

    @property
    def _second(self) -> Any:
        E = self.E
        e1 = E[0][0] + E[1][1] + E[2][2]
        squares = sum(E[i][j] ** 2 for i in range(3) for j in range(3))
        return self.named("k2", 4 * e1 + 2 * (e1**2 - squares))
