"""Damping of a beam element by its strain rates: rigid motions are not damped."""

from gaitwright.physics.beams.continuum import curvature, strain
from gaitwright.physics.beams.quadrature import GAUSS3, GAUSS5
from gaitwright.physics.declarations import DistributedElasticity, Effect, Number
from gaitwright.physics.symbolic import rate


class KelvinVoigtDamping(DistributedElasticity):
    """R = int eta EA strain'^2 / 2 + eta EI curvature'^2 / 2 dx, where eta, s, is the ratio of viscosity to Young's modulus."""

    name = "kelvin-voigt"
    rules = {"axial": GAUSS5, "bending": GAUSS3}
    sections = {
        "axial": {"axial_damping": Number("N s", "axial damping eta E A")},
        "bending": {"bending_damping": Number("N m^2 s", "bending damping eta E I")},
    }

    @staticmethod
    def axial(r_x, r_xx, axial_damping):
        return Effect(dissipation=axial_damping * rate(strain(r_x)) ** 2 / 2)

    @staticmethod
    def bending(r_x, r_xx, bending_damping):
        return Effect(dissipation=bending_damping * rate(curvature(r_x, r_xx)) ** 2 / 2)
