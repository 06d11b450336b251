"""Mooney-Rivlin: rubber up to stretches of about two."""

from typing import Any, ClassVar

from gaitwright.physics.declarations import Number, Parameter
from gaitwright.physics.materials.base import BULK_MODULUS_PARAMETER, POISSONS_RATIO_PARAMETER, Material, bulk_modulus
from gaitwright.physics.materials.deformation import Deformation, shape_change


class MooneyRivlin(Material):
    """W = C10 (J^(-2/3) I1 - 3) + C01 (J^(-4/3) I2 - 3) + kappa/2 (J - 1)^2.

    mu = 2 (C10 + C01); D1 = 2/kappa in CalculiX and Abaqus. With C01 = 0 it is neo-hookean-split. kappa may be given by
    Poisson's ratio of small strains. A negative C01, which can result from fits to few data, is unstable in compression.
    Source: M. Mooney, J. Appl. Phys. 11 (1940) 582-592; R. S. Rivlin, Phil. Trans. R. Soc. A 241 (1948) 379-397."""

    name = "mooney-rivlin"
    parameters: ClassVar[dict[str, Parameter]] = {
        "c10": Number("Pa", "C10"),
        "c01": Number("Pa", "C01"),
        "bulk_modulus": BULK_MODULUS_PARAMETER,
    }
    short_forms: ClassVar[dict[str, Parameter]] = {"poissons_ratio": POISSONS_RATIO_PARAMETER}

    @staticmethod
    def energy(deformation: Deformation, c10: Any, c01: Any, bulk_modulus: Any) -> Any:
        J = deformation.J
        first, second = shape_change(deformation.I1, J, 2), shape_change(deformation.I2, J, 4)
        return c10 * first + c01 * second + bulk_modulus / 2 * (J - 1) ** 2

    @classmethod
    def constants(cls, **fields: float) -> tuple[float, ...]:
        at = cls.place()
        cls.require_known(fields)
        c10, c01 = (at[name].finite(fields.get(name), "a number of Pa") for name in ("c10", "c01"))
        if not c10 + c01 > 0:
            at["c10"].fail("has no stiffness in shear, 2 (C10 + C01)", 2 * (c10 + c01), "C10 + C01 above 0")
        return c10, c01, bulk_modulus(at, 2 * (c10 + c01), fields)
