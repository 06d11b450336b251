"""St Venant-Kirchhoff: Hooke's law with Green's strain."""

from typing import Any

from gaitwright.physics.materials.base import Isotropic
from gaitwright.physics.materials.deformation import Deformation


class StVenantKirchhoff(Isotropic):
    """W = lambda/2 tr(E)^2 + mu E:E with E = (F^T F - I) / 2.

    For large rotations and small strains. It softens in compression: at a stretch below 1/sqrt(3) = 0.58 along one axis
    the stiffness is negative, and it can be compressed to zero with finite energy; neo-hookean cannot."""

    name = "st-venant-kirchhoff"

    @staticmethod
    def energy(deformation: Deformation, lame: Any, shear_modulus: Any) -> Any:
        E = deformation.E
        trace = E[0][0] + E[1][1] + E[2][2]
        return lame / 2 * trace**2 + shear_modulus * sum(x**2 for row in E for x in row)
