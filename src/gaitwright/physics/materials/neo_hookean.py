"""Neo-Hookean material with the logarithm of the volume. Paper 004."""

from typing import Any

from gaitwright.physics.materials.base import Isotropic
from gaitwright.physics.materials.deformation import Deformation
from gaitwright.physics.symbolic import log


class NeoHookean(Isotropic):
    """W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2.

    Shape and volume are not split: see NeoHookeanSplit, which CalculiX, Abaqus and Ansys call neo-Hookean; the two
    agree for small strains only. Infinite energy for vanishing volume. In pure swelling the pressure
    -lambda ln J / J is largest at J = e, so use the split form for rubber under tension from all sides.
    Source: T. Belytschko, W. K. Liu, B. Moran, *Nonlinear Finite Elements*, Wiley 2000, Eq 5.4.54."""

    name = "neo-hookean"

    @staticmethod
    def energy(deformation: Deformation, lame: Any, shear_modulus: Any) -> Any:
        ln_J = log(deformation.J)
        return shear_modulus / 2 * (deformation.I1 - 3) - shear_modulus * ln_J + lame / 2 * ln_J**2
