"""A solid at rest on a plane: its energy and its derivatives in the pose, and poses without equilibrium."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.fem.element_geometry import build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES
from gaitwright.fem.kernel_modules import declare_force, element_module
from gaitwright.fem.penalty_sides import PenaltySides
from gaitwright.fem.plane_equilibrium import REQUEST_FORCE, PlaneEquilibrium
from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.physics import load_all
from gaitwright.physics.materials.base import Material

load_all()
E, NU, SIDE, PENALTY = 1e6, 0.0, 0.2, 1e9
MESHES = {
    "T3": lambda: gw.mesh.rectangle((SIDE, SIDE), (4, 4)),
    "T6": lambda: gw.mesh.rectangle((SIDE, SIDE), (3, 3), order=2),
    "TET4": lambda: gw.mesh.box((SIDE, SIDE, SIDE), (3, 3, 3)),
    "TET10": lambda: gw.mesh.box((SIDE, SIDE, SIDE), (2, 2, 2), order=2),
}


def block(kind, material="linear-elastic", penalty=PENALTY, copies=1.0):
    """A block with fixed top and a bottom that can touch."""
    mesh = MESHES[kind]()
    up = mesh.dimension - 1
    held = mesh.nodes[:, up] > 0.5 * SIDE - 1e-9
    number = np.full(mesh.nodes.shape, -1)
    number[~held] = np.arange((~held).sum() * mesh.dimension).reshape(-1, mesh.dimension)
    law, shape = Material.registry[material], ELEMENT_TYPES[mesh.kind.name]
    constants = np.array(law.constants(youngs_modulus=E, poissons_ratio=NU))
    cells = build_element_geometry(shape, mesh.nodes, mesh.cells)
    elastic = ElementBlock(
        declare_force(element_module(law, shape)), (), cells.dof(number), cells.parameters(constants)
    )
    low = (mesh.nodes[mesh.boundary][..., up] < -0.5 * SIDE + 1e-9).all(axis=1)
    sides = PenaltySides(mesh.kind, mesh.nodes, mesh.boundary[low], penalty, 1.0)
    return PlaneEquilibrium([elastic], sides, mesh.nodes, number, copies), mesh, number


def plane(mesh, depth, *tilt):
    """A plane at `depth` inside the block, slightly rotated."""
    normal = np.array([*tilt, 1.0])
    return [0.5 * SIDE - depth, *normal]


@pytest.mark.parametrize("kind", MESHES)
def test_pressed_bar_matches_its_closed_form(kind):
    """Without lateral strain (nu = 0): bar and penalty are two springs in series."""
    solid, mesh, _ = block(kind)
    depth, area = 2e-3, SIDE ** (mesh.dimension - 1)
    springs = 1.0 / (SIDE / (E * area) + 1.0 / (PENALTY * area))
    found = solid.evaluate(plane(mesh, depth, *[0.0] * (mesh.dimension - 1)))
    assert found.energy == pytest.approx(0.5 * springs * depth**2, rel=1e-10)
    assert found.slope[0] == pytest.approx(-springs * depth, rel=1e-10)
    assert found.stiffness[0, 0] == pytest.approx(springs, rel=1e-10)
    moved = solid.displacements(plane(mesh, depth, *[0.0] * (mesh.dimension - 1)))
    low = mesh.nodes[:, -1] < -0.5 * SIDE + 1e-9
    assert moved[low, -1] == pytest.approx(springs * depth * SIDE / (E * area), rel=1e-9)
    doubled, *_ = block(kind, copies=2.0)
    assert doubled.evaluate(plane(mesh, depth, *[0.0] * (mesh.dimension - 1))).energy == pytest.approx(2 * found.energy)


@pytest.mark.parametrize("kind", MESHES)
@pytest.mark.parametrize("material", ["linear-elastic", "neo-hookean"])
def test_force_and_tangent_are_derivatives_of_the_energy(kind, material):
    """Also with an edge that does not touch; by differences of Newton's solutions."""
    solid, mesh, _ = block(kind, material)
    x = np.array(plane(mesh, 4e-3, *[0.03, 0.01][: mesh.dimension - 1]))
    found, h = solid.evaluate(x), 1e-6
    for k in range(x.size):
        step = h * np.eye(x.size)[k]
        more, less = solid.evaluate(x + step), solid.evaluate(x - step)
        assert (more.energy - less.energy) / (2 * h) == pytest.approx(found.slope[k], rel=1e-6)
        slope = (more.slope - less.slope) / (2 * h)
        assert slope == pytest.approx(found.stiffness[k], rel=1e-5, abs=1e-7 * np.abs(found.stiffness).max())


def test_pose_without_contact_needs_no_solution():
    solid, mesh, _ = block("TET4")
    found = solid.evaluate(plane(mesh, -1e-6, 0.0, 0.0))
    assert found.energy == 0.0 and not found.slope.any() and not found.stiffness.any()
    assert solid.tally == {"evaluations": 1, "solved": 0, "newton": 0, "factorisations": 0, "failures": 0}
    solid.evaluate(plane(mesh, 1e-3, 0.0, 0.0))
    assert not solid.displacements(plane(mesh, -1e-6, 0.0, 0.0)).any()


def test_the_last_pose_is_not_solved_again_and_the_next_is_begun_from_it():
    solid, mesh, _ = block("TET4", "neo-hookean")
    solid.evaluate(plane(mesh, 1e-2, 0.0, 0.0), REQUEST_FORCE)
    first = solid.tally["newton"]
    solid.evaluate(plane(mesh, 1e-2, 0.0, 0.0), REQUEST_FORCE)
    assert solid.tally["solved"] == 1
    solid.evaluate(plane(mesh, 1.0001e-2, 0.0, 0.0), REQUEST_FORCE)
    assert solid.tally["newton"] - first < first


def test_without_an_equilibrium_there_are_no_numbers_and_the_next_pose_is_found():
    """Pressed flat by a rigid plane: every element would have to be inverted."""
    solid, mesh, _ = block("TET4", "neo-hookean", penalty=1e18)
    assert np.isnan(solid.evaluate(plane(mesh, 1.2 * SIDE, 0.0, 0.0)).energy)
    assert solid.tally["failures"] == 1
    assert solid.evaluate(plane(mesh, 0.05 * SIDE, 0.0, 0.0)).energy > 0.0
