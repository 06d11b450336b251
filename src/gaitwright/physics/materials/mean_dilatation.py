"""Deformations with the volume change replaced by its mean over an element: the remedy for locking near incompressibility
(fem/mean_dilatation_loops.py)."""

from __future__ import annotations

from typing import Any

from gaitwright.physics.materials.deformation import Deformation, Matrix, PowerSum, QuantityLookup


class MeanDilatationDeformation(Deformation):
    """Deformation with its volume replaced by the mean over an element: F_ = (J_/J)^(1/d) F with J_ = 1 + t in d dimensions.

    t: mean of J - 1 over the undeformed element. In the plane the third direction keeps its length."""

    def __init__(self, dimension: int, named: QuantityLookup, power: PowerSum, t: Any):
        super().__init__(dimension, named, power)
        self.own, self.t = Deformation(dimension, named, power), t

    @property
    def inner(self) -> Matrix:
        s = self.scale(1)
        return tuple(
            tuple(s * h + (s - 1) * int(i == j) for j, h in enumerate(row)) for i, row in enumerate(self.own.inner)
        )

    def scale(self, power: Any) -> Any:
        """(J_/J)^(power/d): a power of the scale factor of all lengths."""
        import sympy

        exponent = sympy.sympify(power) / self.dimension
        return self.J**exponent * self.own.J ** (-exponent)

    def scaled(self, invariant: Any, power: Any) -> Any:
        """Scale an invariant that is a sum of powers of stretches; in the plane one of these stays 1."""
        third = 3 - self.dimension
        return self.scale(power) * (invariant - third) + third

    @property
    def J(self) -> Any:
        return 1 + self.t

    @property
    def E(self) -> Matrix:
        s = self.scale(2)
        inside = range(self.dimension)
        return tuple(
            tuple(s * e + (s - 1) / 2 if i == j and i in inside else s * e for j, e in enumerate(row))
            for i, row in enumerate(self.own.E)
        )

    @property
    def I1(self) -> Any:
        return self.scaled(self.own.I1, 2)

    @property
    def I2(self) -> Any:
        return self.scaled(self.own.I2, 4) if self.dimension == 3 else self.I1 - 1 + self.J**2

    def power_sum(self, alpha: Any) -> Any:
        return self.scaled(self.own.power_sum(alpha), alpha)


class LinearMeanDilatationDeformation(Deformation):
    """The same for materials of small strains: the trace of the strain is replaced by its mean t over the element."""

    def __init__(self, dimension: int, named: QuantityLookup, power: PowerSum, t: Any):
        super().__init__(dimension, named, power, linear=True)
        self.t = t

    @property
    def inner(self) -> Matrix:
        return self._mean(super().inner)

    def _strains(self) -> Matrix:
        return self._mean(super()._strains())

    def _mean(self, matrix: Matrix) -> Matrix:
        inside = range(self.dimension)
        correction = (self.t - sum(matrix[i][i] for i in inside)) / self.dimension
        return tuple(
            tuple(x + correction if i == j and i in inside else x for j, x in enumerate(row))
            for i, row in enumerate(matrix)
        )
