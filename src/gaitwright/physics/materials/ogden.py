"""Ogden's material: any powers of the principal stretches."""

from typing import Any, ClassVar

from gaitwright.physics.declarations import Number, Parameter
from gaitwright.physics.materials.base import BULK_MODULUS_PARAMETER, POISSONS_RATIO_PARAMETER, Material, bulk_modulus
from gaitwright.physics.materials.deformation import Deformation, shape_change

MAX_TERMS = 3


class Ogden(Material):
    """W = sum_p mu_p/alpha_p (J^(-alpha_p/3) (lambda_1^alpha_p + lambda_2^alpha_p + lambda_3^alpha_p) - 3) + kappa/2 (J - 1)^2.

    Up to three terms; 2 mu = sum mu_p alpha_p, each of them positive. CalculiX and Abaqus write 2 mu_p'/alpha_p^2 instead
    of mu_p/alpha_p, so mu_p' = mu_p alpha_p / 2, and D1 = 2/kappa. One term with alpha = 2 is neo-hookean-split. Equal
    stretches are no special case (fem/principal_stretches.py).
    Source: R. W. Ogden, Proc. R. Soc. A 326 (1972) 565-584."""

    name = "ogden"
    parameters: ClassVar[dict[str, Parameter]] = {
        "mu_1": Number("Pa", "mu_1"),
        "alpha_1": Number("1", "alpha_1"),
        "mu_2": Number("Pa", "mu_2", 0.0),
        "alpha_2": Number("1", "alpha_2", 2.0),
        "mu_3": Number("Pa", "mu_3", 0.0),
        "alpha_3": Number("1", "alpha_3", 2.0),
        "bulk_modulus": BULK_MODULUS_PARAMETER,
    }
    short_forms: ClassVar[dict[str, Parameter]] = {"poissons_ratio": POISSONS_RATIO_PARAMETER}

    @staticmethod
    def energy(deformation: Deformation, bulk_modulus: Any, **terms: Any) -> Any:
        J = deformation.J
        pairs = [(terms[f"mu_{p}"], terms[f"alpha_{p}"]) for p in range(1, MAX_TERMS + 1)]
        shape = sum(mu / alpha * shape_change(deformation.power_sum(alpha), J, alpha) for mu, alpha in pairs)
        return shape + bulk_modulus / 2 * (J - 1) ** 2

    @classmethod
    def constants(cls, **fields: float) -> tuple[float, ...]:
        at = cls.place()
        cls.require_known(fields)
        values = {name: number.default for name, number in cls.parameters.items()} | fields
        shear = 0.0
        for p in range(1, MAX_TERMS + 1):
            mu, alpha = (at[name].finite(values[name], "a number") for name in (f"mu_{p}", f"alpha_{p}"))
            if alpha == 0 or mu * alpha < 0:
                at[f"mu_{p}"].fail(f"mu_{p} alpha_{p} is not positive", mu * alpha, "both positive or both negative")
            shear += mu * alpha / 2
        at["mu_1"].above_zero(shear, "terms that resist shear")
        terms = (float(values[f"{symbol}_{p}"]) for p in range(1, MAX_TERMS + 1) for symbol in ("mu", "alpha"))
        return *terms, bulk_modulus(at, shear, fields)
