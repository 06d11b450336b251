"""Soft tissue that stiffens exponentially: Fung's law for isotropic tissue."""

from typing import Any, ClassVar

from gaitwright.physics.declarations import Number, Parameter
from gaitwright.physics.materials.base import LAME_PARAMETER, SHEAR_MODULUS_PARAMETER, Isotropic, lame_constants
from gaitwright.physics.materials.deformation import Deformation
from gaitwright.physics.symbolic import exp, log, power_change

MAX_STIFFENING = 100.0


class Fung(Isotropic):
    """W = mu/(2 b) (exp(b (I1 - 3 - 2 ln J)) - 1) + lambda/2 (ln J)^2.

    For small strains it is Hooke's law; its shear modulus is mu exp(b (I1 - 3 - 2 ln J)), so that tissue cannot be squeezed out
    between bone and ground as neo-Hookean tissue can, which is the limit b = 0. Compressed with free sides to half its length,
    without change of volume, its stress is exp(1.25 b) times the neo-Hookean one. b up to 100; tissue has about 1 (below the
    heel) and more.
    Source: Y. C. Fung, Am. J. Physiol. 213 (1967) 1532-1544 (one dimension); H. Demiray, J. Biomech. 5 (1972) 309-311 (I1)."""

    name = "fung"
    parameters: ClassVar[dict[str, Parameter]] = {
        "lame": LAME_PARAMETER,
        "shear_modulus": SHEAR_MODULUS_PARAMETER,
        "stiffening": Number("1", "b, how fast it stiffens"),
    }

    @staticmethod
    def energy(deformation: Deformation, lame: Any, shear_modulus: Any, stiffening: Any) -> Any:
        ln_J = log(deformation.J)
        grown = power_change(exp(1), stiffening * (deformation.I1 - 3 - 2 * ln_J))
        return shear_modulus / (2 * stiffening) * grown + lame / 2 * ln_J**2

    @classmethod
    def constants(cls, **fields: float) -> tuple[float, ...]:
        at = cls.place()
        cls.require_known(fields)
        stiffening = at["stiffening"].given(fields.pop("stiffening", None), "a number; without it, neo-hookean")
        if not 0.0 < at["stiffening"].finite(stiffening, "a number") <= MAX_STIFFENING:
            at["stiffening"].fail(
                "is out of range", stiffening, f"above 0, up to {MAX_STIFFENING:g}; at 0, neo-hookean"
            )
        return *lame_constants(at, **fields), float(stiffening)
