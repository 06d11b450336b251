"""Deformation at one point: the quantities from which a material's energy is formed.

    F = I + H        deformation gradient, H = du/dX the gradient of the displacement
    E = (F^T F - I) / 2

All quantities are stored as differences from the undeformed state (J - 1, I1 - 3, ...), so that energies of small strains keep
their digits. In the plane (plane strain) the third direction keeps its length: F33 = 1, F13 = F23 = F31 = F32 = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gaitwright.physics.symbolic import power_change

Matrix = tuple[tuple[Any, ...], ...]
QuantityLookup = Callable[[str], Any]
"""Function that returns a quantity passed to a kernel: an entry of H (h12) or of the strain (e12), J - 1 (j), I1 - 3 (k1), E:E
(ee)."""
PowerSum = Callable[[Any], Any]
"""Function that returns the sum of lambda_i^alpha - 1 over the stretches of the dimension, another such quantity."""


def shape_change(invariant: Any, J: Any, degree: Any) -> Any:
    """J^(-degree/3) invariant - 3: the isochoric part of a sum of three powers of stretches. Energies of small strains keep
    their digits."""
    import sympy

    exponent = -sympy.sympify(degree) / 3
    return J**exponent * (invariant - 3) + 3 * power_change(J, exponent)


class Deformation:
    """Deformation at a point of a solid, with three-by-three matrices in all dimensions. Its quantities are passed to kernels
    (fem/invariants.py computes them), so that a kernel contains the energy alone.

    linear: True for a material of small strains, with these instead of Green's strain among the quantities."""

    dimension: int
    linear: bool
    named: QuantityLookup
    power: PowerSum

    def __init__(self, dimension: int, named: QuantityLookup, power: PowerSum, linear: bool = False):
        self.dimension, self.linear = dimension, linear
        self.named, self.power = named, power

    @property
    def inner(self) -> Matrix:
        """H, in the dimension of the solid."""
        n = range(1, self.dimension + 1)
        return tuple(tuple(self.named(f"h{i}{j}") for j in n) for i in n)

    @property
    def H(self) -> Matrix:
        """Gradient of the displacement, 3 x 3."""
        return self._whole(self.inner)

    @property
    def F(self) -> Matrix:
        """Deformation gradient, 3 x 3."""
        return tuple(tuple(h + int(i == j) for j, h in enumerate(row)) for i, row in enumerate(self.H))

    @property
    def E(self) -> Matrix:
        """Green's strain, 3 x 3: (H + H^T + H^T H) / 2, zero in a rigid motion."""
        if not self.linear:
            return self._strains()
        n, H = range(3), self.H
        return tuple(
            tuple((H[i][j] + H[j][i] + sum(H[k][i] * H[k][j] for k in n)) / 2 for j in n) for i in n
        )  # fmt: skip

    @property
    def strain(self) -> Matrix:
        """Strain of small deformations, (H + H^T) / 2: not zero in a rigid rotation."""
        if self.linear:
            return self._strains()
        H = self.H
        return tuple(tuple((H[i][j] + H[j][i]) / 2 for j in range(3)) for i in range(3))

    @property
    def J(self) -> Any:
        """Ratio of volume to undeformed volume, det F."""
        return 1 + self.named("j")

    @property
    def I1(self) -> Any:
        """lambda_1^2 + lambda_2^2 + lambda_3^2."""
        return 3 + self.named("k1")

    @property
    def I2(self) -> Any:
        """(lambda_1 lambda_2)^2 + (lambda_2 lambda_3)^2 + (lambda_3 lambda_1)^2."""
        k1 = self.named("k1")
        if self.dimension == 2:  # with lambda_3 = 1
            j = self.named("j")
            return 3 + k1 + j * (2 + j)
        return 3 + (2 * k1 + k1**2 / 2 - 2 * self.named("ee"))

    def power_sum(self, alpha: Any) -> Any:
        """lambda_1^alpha + lambda_2^alpha + lambda_3^alpha, of the principal stretches, for any number alpha."""
        return 3 + self.power(alpha)

    def _strains(self) -> Matrix:
        n = range(1, self.dimension + 1)
        return self._whole(tuple(tuple(self.named(f"e{min(i, j)}{max(i, j)}") for j in n) for i in n))

    def _whole(self, inner: Matrix) -> Matrix:
        return inner if self.dimension == 3 else (*((*row, 0) for row in inner), (0, 0, 0))
