"""Neo-Hookean material split into shape and volume, as CalculiX, Abaqus and Ansys have it."""

from typing import Any, ClassVar

from gaitwright.physics.declare import Parameter
from gaitwright.physics.materials.base import BULK, LAME, POISSON, SHEAR, YOUNG, Isotropic
from gaitwright.physics.materials.deformation import Deformation, shape_change


class NeoHookeanSplit(Isotropic):
    """W = mu/2 (J^(-2/3) I1 - 3) + kappa/2 (J - 1)^2.

    CalculiX, Abaqus: C10 = mu/2, D1 = 2/kappa. The pressure depends on the volume alone, so it suits what is nearly
    incompressible; but the energy stays finite where the volume vanishes."""

    name = "neo-hookean-split"
    parameters: ClassVar[dict[str, Parameter]] = {"bulk_modulus": BULK, "shear_modulus": SHEAR}
    short_forms: ClassVar[dict[str, Parameter]] = {"youngs_modulus": YOUNG, "poissons_ratio": POISSON, "lame": LAME}

    @staticmethod
    def energy(deformation: Deformation, bulk_modulus: Any, shear_modulus: Any) -> Any:
        J = deformation.J
        return shear_modulus / 2 * shape_change(deformation.I1, J, 2) + bulk_modulus / 2 * (J - 1) ** 2

    @classmethod
    def constants(cls, **fields: float) -> tuple[float, ...]:
        lame, mu = super().constants(**fields)
        return lame + 2 * mu / 3, mu
