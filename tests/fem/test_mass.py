"""Mass matrices and weight of solids."""

import numpy as np
import pytest
from scipy.sparse import coo_array

import gaitwright as gw
from finite_elements import Batch, coordinates
from gaitwright.fem.mass import (
    element_masses,
    expand_to_coordinates,
    mass_entries,
    node_masses,
    weight_module,
    weight_parameters,
)

MESHES = {
    "T3": lambda: gw.mesh.rectangle((1.0, 0.7), (3, 2)),
    "T6": lambda: gw.mesh.rectangle((1.0, 0.7), (3, 2), order=2),
    "TET4": lambda: gw.mesh.box((1.0, 0.7, 0.4), (2, 2, 1)),
    "TET10": lambda: gw.mesh.box((1.0, 0.7, 0.4), (2, 2, 1), order=2),
    "TET10 curved": lambda: gw.mesh.ball(0.5, 0.25, order=2),
}
DENSITY, THICKNESS = 800.0, 0.3


def whole(mesh, lumped):
    matrices = element_masses(mesh.kind, mesh.nodes, mesh.cells, DENSITY, THICKNESS)
    row, col, values = mass_entries(matrices, mesh.cells, lumped)
    return coo_array((values, (row, col)), shape=(len(mesh.nodes),) * 2).tocsr()


def volume(mesh):
    return mesh.volume * (THICKNESS if mesh.nodes.shape[1] == 2 else 1.0)


@pytest.mark.parametrize("lumped", [False, True], ids=["consistent", "lumped"])
@pytest.mark.parametrize("kind", MESHES)
def test_mass(kind, lumped):
    """Symmetric and positive; its sum is the mass; a lumped one is a diagonal of positive numbers."""
    mesh = MESHES[kind]()
    M = whole(mesh, lumped)
    assert M.sum() == pytest.approx(DENSITY * volume(mesh), rel=1e-12)
    assert np.linalg.eigvalsh(M.toarray())[0] > 0
    assert np.abs(M - M.T).max() < 1e-14
    if lumped:
        assert M.nnz == len(mesh.nodes)


@pytest.mark.parametrize("kind", ["T3", "T6", "TET4", "TET10"])
def test_consistent_mass_has_the_moment_of_inertia(kind):
    """Of a rectangle, or box, about its centre: exact for linear functions of position, with quadratic elements also for
    x^2."""
    mesh = MESHES[kind]()
    M, x = whole(mesh, False), mesh.nodes[:, 0]
    assert x @ M @ x == pytest.approx(DENSITY * volume(mesh) * 1.0 / 12, rel=1e-12)
    assert np.abs(M.sum(axis=0) @ x) < 1e-12
    if mesh.kind.order == 2:
        assert x**2 @ M @ x**2 == pytest.approx(DENSITY * volume(mesh) / 80, rel=1e-12)


def test_masses_of_single_elements():
    """Straight elements compared with their closed forms: rho V (1 + delta) / ((d + 1) (d + 2))."""
    nodes = np.array([[0, 0, 0], [2, 0, 0], [0, 1, 0], [0.3, 0.2, 1.5]])
    kind = gw.mesh.Mesh(nodes, [[0, 1, 2, 3]]).kind
    M = element_masses(kind, nodes, np.array([[0, 1, 2, 3]]), 1.0)[0]
    assert np.allclose(M, 0.5 * (np.ones((4, 4)) + np.eye(4)) / 20, rtol=1e-13)


def test_several_densities():
    mesh = MESHES["TET4"]()
    density = np.linspace(1, 2, len(mesh.cells))
    matrices = element_masses(mesh.kind, mesh.nodes, mesh.cells, density)
    assert matrices.sum() == pytest.approx(density @ mesh.volumes)


def test_in_coordinates():
    """The same in every direction; held coordinates are left out."""
    where = np.array([[0, 1], [-1, -1], [2, -1]])
    row, col, values = expand_to_coordinates(
        (np.array([0, 0, 2, 1]), np.array([0, 2, 0, 1]), np.array([1.0, 2.0, 3.0, 4.0])), where
    )
    found = coo_array((values, (row, col)), shape=(3, 3)).toarray()
    assert np.array_equal(found, [[1, 0, 2], [0, 1, 0], [3, 0, 0]])


@pytest.mark.parametrize("kind", MESHES)
def test_weight(kind):
    """Its force and its moment equal those of the whole; its energy is that of the height of the centre."""
    mesh = MESHES[kind]()
    d = mesh.nodes.shape[1]
    gravity = np.array([1.0, -9.0, 3.0][:d])
    matrices = element_masses(mesh.kind, mesh.nodes, mesh.cells, DENSITY, THICKNESS)
    masses = node_masses(matrices, mesh.cells, len(mesh.nodes))
    batch = Batch(weight_module(d), coordinates(mesh), weight_parameters(masses, gravity, mesh.nodes), mesh.nodes.size)
    q = np.tile([0.1, 0.2, 0.3][:d], len(mesh.nodes))
    force = batch.force(q).reshape(-1, d)
    whole_mass = DENSITY * volume(mesh)
    assert force.sum(axis=0) == pytest.approx(whole_mass * gravity)
    centre = masses @ mesh.nodes / whole_mass
    assert np.allclose(centre, 0, atol=1e-12)
    assert batch.energy(q)[:, 0].sum() == pytest.approx(-whole_mass * gravity @ q[:d])
