"""Hooke's law for small strains and small rotations."""

from typing import Any

from gaitwright.physics.materials.base import Isotropic
from gaitwright.physics.materials.deformation import Deformation


class LinearElastic(Isotropic):
    """W = lambda/2 tr(e)^2 + mu e:e with e = (H + H^T) / 2.

    The stress is not invariant under rotations: a rigid rotation by the angle a gives a strain of 1 - cos a, so that a
    solid that rotates by 5 degrees needs another material (st-venant-kirchhoff is the same with the strain of large
    rotations)."""

    name = "linear-elastic"
    linear = True

    @staticmethod
    def energy(deformation: Deformation, lame: Any, shear_modulus: Any) -> Any:
        e = deformation.strain
        trace = e[0][0] + e[1][1] + e[2][2]
        return lame / 2 * trace**2 + shear_modulus * sum(x**2 for row in e for x in row)
