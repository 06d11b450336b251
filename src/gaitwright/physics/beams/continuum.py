"""Beam element with the strain and curvature of the continuum along it.

J. Gerstmayr, H. Irschik, "On the correct representation of bending and axial deformation in the absolute nodal
coordinate formulation with an elastic line approach", Journal of Sound and Vibration 318 (2008) 461-487.
"""

from gaitwright.physics.beams.quadrature import GAUSS3, GAUSS5, LOBATTO3
from gaitwright.physics.declarations import DistributedElasticity, Effect, Number
from gaitwright.physics.symbolic import cross, dot, norm


def strain(r_x):
    """Axial strain of the centre line, 1."""
    return norm(r_x) - 1


def curvature(r_x, r_xx):
    """Rotation of the tangent per unstressed length, 1/m."""
    return cross(r_x, r_xx) / dot(r_x, r_x)


class Continuum(DistributedElasticity):
    """V = int EA (strain - strain_0)^2 / 2 + EI (curvature - curvature_0)^2 / 2 dx, where strain_0 and curvature_0 are
    those of the unstressed shape.

    A bent cubic cannot keep its length everywhere, and the five axial points resolve that: few elements of a thin beam are
    much too stiff (membrane locking). `ContinuumReduced` is not."""

    name = "continuum"
    rules = {"axial": GAUSS5, "bending": GAUSS3}
    sections = {
        "axial": {
            "axial_stiffness": Number("N", "axial stiffness E A"),
            "reference_strain": Number("1", "axial strain of the element in its unstressed shape"),
        },
        "bending": {
            "bending_stiffness": Number("N m^2", "bending stiffness E I"),
            "reference_curvature": Number("1/m", "curvature of the element in its unstressed shape"),
        },
    }

    @staticmethod
    def axial(r_x, r_xx, axial_stiffness, reference_strain):
        return Effect(potential=axial_stiffness * (strain(r_x) - reference_strain) ** 2 / 2)

    @staticmethod
    def bending(r_x, r_xx, bending_stiffness, reference_curvature):
        return Effect(potential=bending_stiffness * (curvature(r_x, r_xx) - reference_curvature) ** 2 / 2)


class ContinuumReduced(Continuum):
    """The same with the axial strain only at both nodes and in the middle, which relieves membrane locking.

    Neighbours share the points at the nodes, so that each element has two length conditions for its four new coordinates, and
    two are left for bending. Fewer points would leave deformations without stiffness; three or four Gauss points still lock
    under a tip load."""

    name = "continuum-reduced"
    rules = {"axial": LOBATTO3, "bending": GAUSS3}
