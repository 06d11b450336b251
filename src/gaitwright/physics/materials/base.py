"""Base classes of materials: strain energy and material constants.

The energy W is per undeformed volume, J/m^3, and a function of the deformation alone; the stress is its derivative. Density
belongs to the solid, not to its material; damping is added to any material (viscous.py).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright.physics.declarations import Number, Parameter, UnattachedDeclaration
from gaitwright.physics.materials.deformation import Deformation

SHEAR_MODULUS_PARAMETER = Number("Pa", "shear modulus mu")
LAME_PARAMETER = Number("Pa", "Lame's first constant lambda")
BULK_MODULUS_PARAMETER = Number("Pa", "bulk modulus kappa")
YOUNGS_MODULUS_PARAMETER = Number("Pa", "Young's modulus E of small strains")
POISSONS_RATIO_PARAMETER = Number("1", "Poisson's ratio nu of small strains, below 0.5")


class Material(UnattachedDeclaration):
    """An elastic material. An instance is a choice with its values, such as
    `NeoHookean(youngs_modulus=1e6, poissons_ratio=0.3)`.

    `parameters` are the constants of the energy, `short_forms` alternative constants."""

    registry: ClassVar[dict[str, type[UnattachedDeclaration]]] = {}
    linear: ClassVar[bool] = False
    """True if its stress is linear in the displacements: for small strains and small rotations only."""

    @staticmethod
    def energy(deformation: Deformation, **parameters: Any) -> Any:
        """W, J/m^3, zero without deformation."""
        raise NotImplementedError

    @classmethod
    def constants(cls, **fields: float) -> tuple[float, ...]:
        """Constants of the energy, in the order of `parameters`, from fields with these or the short forms. Raises ModelError
        if they do not fit together."""
        at = cls.place()
        cls.require_known(fields)
        values = {
            name: number.default for name, number in cls.parameters.items() if number.default is not None
        } | fields
        for name, number in cls.parameters.items():
            at[name].finite(
                at[name].given(values.get(name), f"a number of {number.unit}"), f"a number of {number.unit}"
            )
        return tuple(float(values[name]) for name in cls.parameters)

    @classmethod
    def place(cls) -> ErrorContext:
        return ErrorContext(f"material '{cls.name}'")

    @classmethod
    def require_known(cls, fields: dict[str, Any]) -> None:
        for name in fields:
            cls.place()[name].one_of(name, [*cls.short_forms, *cls.parameters], "is not a parameter of this material")

    def numbers(self) -> tuple[float, ...]:
        """The constants of this choice."""
        return self.constants(**self.fields)


class Isotropic(Material):
    """A material with two constants: Lame's, or one of the usual pairs:

        lambda = E nu / ((1 + nu) (1 - 2 nu))        mu = E / (2 (1 + nu))        lambda = kappa - 2 mu / 3

    -1 < nu < 0.5: at 0.5 the volume cannot change and lambda is infinite. Rubber and soft tissue have 0.49 to 0.4999."""

    parameters: ClassVar[dict[str, Parameter]] = {"lame": LAME_PARAMETER, "shear_modulus": SHEAR_MODULUS_PARAMETER}
    short_forms: ClassVar[dict[str, Parameter]] = {
        "youngs_modulus": YOUNGS_MODULUS_PARAMETER,
        "poissons_ratio": POISSONS_RATIO_PARAMETER,
        "bulk_modulus": BULK_MODULUS_PARAMETER,
    }

    @classmethod
    def constants(cls, **fields: float) -> tuple[float, ...]:
        cls.require_known(fields)
        return lame_constants(cls.place(), **fields)


CONSTANT_PAIRS = (("youngs_modulus", "poissons_ratio"), ("shear_modulus", "bulk_modulus"), ("lame", "shear_modulus"))


def lame_constants(at: ErrorContext, **given: float) -> tuple[float, float]:
    """Return lambda and mu, Pa, from one of the CONSTANT_PAIRS."""
    pair = next((pair for pair in CONSTANT_PAIRS if set(pair) == set(given)), None)
    if pair is None:
        at.fail(
            f"is given by {' and '.join(given) or 'nothing'}",
            expected="youngs_modulus and poissons_ratio, shear_modulus and bulk_modulus, or lame and shear_modulus",
        )
    for name, value in given.items():
        at[name].finite(value, "a number")
    if "youngs_modulus" in given:
        young, nu = at["youngs_modulus"].positive(given["youngs_modulus"], "Pa"), given["poissons_ratio"]
        if not -1 < nu < 0.5:
            at["poissons_ratio"].fail(
                "the volume cannot change, or energy is gained by changing it",
                nu,
                "more than -1 and less than 0.5; nearly incompressible is 0.49 to 0.4999",
            )
        return young * nu / ((1 + nu) * (1 - 2 * nu)), young / (2 * (1 + nu))
    mu = at["shear_modulus"].positive(given["shear_modulus"], "Pa")
    if "bulk_modulus" in given:
        return at["bulk_modulus"].positive(given["bulk_modulus"], "Pa") - 2 * mu / 3, mu
    if not given["lame"] > -2 * mu / 3:
        at["lame"].fail("energy is gained by changing the volume", given["lame"], "more than -2/3 of the shear modulus")
    return given["lame"], mu


def bulk_modulus(at: ErrorContext, shear: float, given: dict[str, float]) -> float:
    """Return kappa, Pa, given as such or by Poisson's ratio, for a material with a known shear modulus at small strains."""
    named = [name for name in ("bulk_modulus", "poissons_ratio") if name in given]
    if len(named) != 1:
        at["bulk_modulus"].fail("is given twice" if named else "is missing", expected="bulk_modulus or poissons_ratio")
    if named == ["bulk_modulus"]:
        return at["bulk_modulus"].positive(given["bulk_modulus"], "Pa")
    nu = given["poissons_ratio"]
    if not is_number(nu) or not -1 < nu < 0.5:
        at["poissons_ratio"].fail("the volume cannot change", nu, "more than -1 and less than 0.5")
    return 2 * shear * (1 + nu) / (3 * (1 - 2 * nu))


def youngs_modulus(lame: float, shear: float) -> float:
    """E of small strains, Pa."""
    return shear * (3.0 * lame + 2.0 * shear) / (lame + shear)


def poissons_ratio(lame: float, shear: float) -> float:
    """nu of small strains."""
    return lame / (2 * (lame + shear)) if lame + shear else math.nan
