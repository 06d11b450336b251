"""Damping of solids by the rate of their strain, on top of any elastic material.

    R = eta dev(E'):dev(E') + zeta/2 tr(E')^2        S_v = 2 eta dev(E') + zeta tr(E') I        P_v = F S_v

Kelvin-Voigt: the stress S_v is added to the elastic one. The dissipated power 2 R is never negative, and zero in every rigid
motion, because Green's strain is invariant under rotations.

Stiffness-proportional damping is the same with eta = beta mu and zeta = beta kappa of small strains: S_v = beta C : E'. In the
undeformed solid the damping matrix is then beta times the stiffness matrix, and a vibration of the angular frequency omega has
the damping ratio beta omega / 2. (Rejected: beta K with the current K, which would add energy if K is negative; and beta K of
the undeformed solid, which would damp the rigid motion of a rotated one.)
"""

from __future__ import annotations

from typing import Any, ClassVar

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.declarations import Number, Parameter, UnattachedDeclaration
from gaitwright.physics.materials.deformation import Matrix


class Viscosity(UnattachedDeclaration):
    """Viscosities eta and zeta, Pa s, for the rate of Green's strain."""

    registry: ClassVar[dict[str, type[UnattachedDeclaration]]] = {}
    name = "viscosity"
    linear: ClassVar[bool] = False
    """True for the rate of small strains."""
    parameters: ClassVar[dict[str, Parameter]] = {
        "shear_viscosity": Number("Pa s", "eta, of changes of shape", minimum=0.0),
        "bulk_viscosity": Number("Pa s", "zeta, of changes of volume", 0.0, minimum=0.0),
    }

    @staticmethod
    def dissipation(rate: Matrix, shear_viscosity: Any, bulk_viscosity: Any) -> Any:
        """R, W/m^3. rate: strain rate, 3 x 3."""
        trace = rate[0][0] + rate[1][1] + rate[2][2]
        shape = sum(x**2 for row in rate for x in row) - trace**2 / 3
        return shear_viscosity * shape + bulk_viscosity / 2 * trace**2

    @classmethod
    def constants(cls, shear_viscosity: float, bulk_viscosity: float = 0.0) -> tuple[float, ...]:
        at = ErrorContext("damping")
        for name, value in (("shear_viscosity", shear_viscosity), ("bulk_viscosity", bulk_viscosity)):
            at[name].not_negative(at[name].finite(value, "a number of Pa s"), "a number of Pa s that is not negative")
        return float(shear_viscosity), float(bulk_viscosity)


class SmallViscosity(Viscosity):
    """The same with the rate of small strains, for linear materials."""

    name = "small-viscosity"
    linear = True


def proportional_viscosity(beta: float, lame: float, shear: float) -> tuple[float, float]:
    """Return eta and zeta, Pa s, of stiffness-proportional damping. beta: s; lame, shear: of small strains, Pa."""
    ErrorContext("damping", "beta").not_negative(beta, "a number of s that is not negative")
    return beta * shear, beta * (lame + 2 * shear / 3)
