"""A solid at rest on a plane from compliances, compared with Newton's method on all its nodes."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.fem.condensed_contact import CondensedContactSolid
from gaitwright.fem.element_geometry import build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES
from gaitwright.fem.kernel_modules import declare_force, element_module
from gaitwright.fem.penalty_sides import PenaltySides
from gaitwright.fem.plane_equilibrium import PlaneEquilibrium
from gaitwright.fem.solid_part import MaterialRegion
from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.physics import load_all
from gaitwright.physics.materials.base import Material

load_all()
SIDE = 0.2
MESHES = {
    "T3": lambda: gw.mesh.rectangle((SIDE, SIDE), (4, 4)),
    "TET4": lambda: gw.mesh.box((SIDE, SIDE, SIDE), (3, 3, 3)),
    "TET10": lambda: gw.mesh.box((SIDE, SIDE, SIDE), (2, 2, 2), order=2),
}


def both(kind, penalty):
    """The condensed model, and the one with all nodes; of a block with fixed top, and one side on a plane of symmetry."""
    mesh = MESHES[kind]()
    up = mesh.dimension - 1
    held = np.zeros(mesh.nodes.shape, dtype=bool)
    held[mesh.nodes[:, up] > 0.5 * SIDE - 1e-9] = True
    held[mesh.nodes[:, 0] < -0.5 * SIDE + 1e-9, 0] = True
    number = np.full(mesh.nodes.shape, -1)
    number[~held] = np.arange((~held).sum())
    law, shape = Material.registry["linear-elastic"], ELEMENT_TYPES[mesh.kind.name]
    constants = law.constants(youngs_modulus=1e6, poissons_ratio=0.3)
    cells = build_element_geometry(shape, mesh.nodes, mesh.cells)
    sides = mesh.boundary[(mesh.nodes[mesh.boundary][..., up] < -0.5 * SIDE + 1e-9).all(axis=1)]
    filling = MaterialRegion(np.arange(len(mesh.cells)), cells, law, constants, 1.0)
    condensed = CondensedContactSolid(mesh, [filling], number, sides, copies=2.0)
    elastic = ElementBlock(
        declare_force(element_module(law, shape)), (), cells.dof(number), cells.parameters(np.array(constants))
    )
    whole = PlaneEquilibrium(
        [elastic], PenaltySides(mesh.kind, mesh.nodes, sides, penalty, 1.0), mesh.nodes, number, 2.0
    )
    return condensed, whole


def plane(d, depth=4e-3):
    return np.array([0.5 * SIDE - depth, *[0.03, 0.01][: d - 1], 1.0])


@pytest.mark.parametrize("kind", ["T3", "TET4"])
def test_matches_the_whole_solid_on_a_rigid_plane(kind):
    """Linear elements touch at their nodes in both. The penalty leaves E / (penalty side) = 5e-7 of the depth; a higher one
    would show the rounding of gaps."""
    condensed, whole = both(kind, 1e13)
    x = plane(condensed.dimension)
    one, other = condensed.evaluate(x), whole.evaluate(x)
    assert one.energy == pytest.approx(other.energy, rel=5e-6)
    assert one.slope == pytest.approx(other.slope, rel=5e-6, abs=5e-6 * np.abs(other.slope).max())
    assert one.stiffness == pytest.approx(other.stiffness, rel=1e-5, abs=1e-5 * np.abs(other.stiffness).max())
    inside, moved = condensed.displacements(x), whole.displacements(x)
    assert np.abs(inside - moved).max() < 5e-6 * np.abs(moved).max()
    assert (condensed.pressures(x) > 0.0).sum() == (whole.pressures(x) > 0.0).sum() < len(condensed.nodes)


@pytest.mark.parametrize("kind", MESHES)
def test_force_and_tangent_are_derivatives_of_the_energy(kind):
    condensed, _ = both(kind, 1e12)
    x, h = plane(condensed.dimension), 1e-6
    found = condensed.evaluate(x)
    for k in range(x.size):
        step = h * np.eye(x.size)[k]
        more, less = condensed.evaluate(x + step), condensed.evaluate(x - step)
        assert (more.energy - less.energy) / (2 * h) == pytest.approx(found.slope[k], rel=1e-6)
        slope = (more.slope - less.slope) / (2 * h)
        assert slope == pytest.approx(found.stiffness[k], rel=1e-6, abs=1e-8 * np.abs(found.stiffness).max())


def test_no_force_without_contact():
    condensed, _ = both("TET4", 1e12)
    condensed.evaluate(plane(3))
    found = condensed.evaluate(plane(3, -0.1))
    assert found.energy == 0.0 and not found.slope.any() and not found.stiffness.any()
    assert not condensed.displacements(plane(3, -0.1)).any()
