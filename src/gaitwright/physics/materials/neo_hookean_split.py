"""Neo-Hookean material split into shape and volume, as in CalculiX, Abaqus and Ansys."""

from typing import Any, ClassVar

from gaitwright.physics.declarations import Parameter
from gaitwright.physics.materials.base import (
    BULK_MODULUS_PARAMETER,
    LAME_PARAMETER,
    POISSONS_RATIO_PARAMETER,
    SHEAR_MODULUS_PARAMETER,
    YOUNGS_MODULUS_PARAMETER,
    Isotropic,
)
from gaitwright.physics.materials.deformation import Deformation, shape_change


class NeoHookeanSplit(Isotropic):
    """W = mu/2 (J^(-2/3) I1 - 3) + kappa/2 (J - 1)^2.

    CalculiX, Abaqus: C10 = mu/2, D1 = 2/kappa. The pressure depends on the volume alone, so it suits nearly incompressible
    solids; but the energy stays finite for vanishing volume."""

    name = "neo-hookean-split"
    parameters: ClassVar[dict[str, Parameter]] = {
        "bulk_modulus": BULK_MODULUS_PARAMETER,
        "shear_modulus": SHEAR_MODULUS_PARAMETER,
    }
    short_forms: ClassVar[dict[str, Parameter]] = {
        "youngs_modulus": YOUNGS_MODULUS_PARAMETER,
        "poissons_ratio": POISSONS_RATIO_PARAMETER,
        "lame": LAME_PARAMETER,
    }

    @staticmethod
    def energy(deformation: Deformation, bulk_modulus: Any, shear_modulus: Any) -> Any:
        J = deformation.J
        return shear_modulus / 2 * shape_change(deformation.I1, J, 2) + bulk_modulus / 2 * (J - 1) ** 2

    @classmethod
    def constants(cls, **fields: float) -> tuple[float, ...]:
        lame, mu = super().constants(**fields)
        return lame + 2 * mu / 3, mu
