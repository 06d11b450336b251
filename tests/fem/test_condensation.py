"""A solid condensed to some of its nodes equals the full linear solid in terms of these nodes."""

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

import gaitwright as gw
from gaitwright.fem.condensation import Condensation
from gaitwright.fem.element_geometry import HELD_COORDINATE, build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES
from gaitwright.fem.solid_part import MaterialRegion

SOFT = gw.materials.LinearElastic(youngs_modulus=1e6, poissons_ratio=0.3)
RUBBER = gw.materials.NeoHookean(youngs_modulus=2e6, poissons_ratio=0.4)


def filled(mesh, material, cells=None):
    cells = np.arange(len(mesh.cells)) if cells is None else np.flatnonzero(cells)
    parts = build_element_geometry(ELEMENT_TYPES[mesh.kind.name], mesh.nodes, mesh.cells[cells])
    return MaterialRegion(cells, parts, type(material), material.numbers(), 1000.0)


CASES = {
    "block": gw.mesh.box((0.2, 0.1, 0.06), (6, 4, 3)),
    "quadratic block": gw.mesh.box((0.2, 0.1, 0.06), (3, 2, 2), order=2),
    "section": gw.mesh.rectangle((0.2, 0.06), (12, 5)),
    "quadratic section": gw.mesh.rectangle((0.2, 0.06), (6, 3), order=2),
}


@pytest.mark.parametrize("on", ["held", "free"])
@pytest.mark.parametrize("name", CASES)
def test_the_full_linear_solid_gives_the_same(name, on):
    mesh = CASES[name]
    left = np.zeros(len(mesh.nodes), dtype=bool)
    left[mesh.regions["left"].nodes] = True
    cells = mesh.centroids[:, 0] < 0.0
    fillings = [filled(mesh, SOFT, cells), filled(mesh, RUBBER, ~cells)]
    kept = np.union1d(mesh.regions["bottom"].nodes, mesh.regions["top"].nodes)
    held = np.repeat((left & (on == "held"))[:, None], mesh.dimension, axis=1)
    found = Condensation(mesh.nodes, fillings, held, kept)
    forces = np.random.default_rng(0).standard_normal(mesh.nodes.shape)
    free = found.coordinates
    load = np.zeros(int((free != HELD_COORDINATE).sum()))
    load[free[free != HELD_COORDINATE]] = forces[free != HELD_COORDINATE]
    loads, loaded = found.loads(forces)
    if on == "held":
        full = spsolve(found.matrix, load)
        u = np.linalg.solve(found.stiffness, loads)
    else:  # rigid motions are free: any displacement of the kept nodes, with the inside in equilibrium
        u = np.random.default_rng(1).standard_normal(found.size)
        full = found.displacements(u, loaded)[free != HELD_COORDINATE][np.argsort(free[free != HELD_COORDINATE])]
        residual = found.matrix @ full - load
        own = found.coordinates[found.nodes]
        pull = found.stiffness @ u - loads
        np.testing.assert_allclose(residual[own.ravel()], pull, atol=1e-10 * np.abs(pull).max())
        inner = np.setdiff1d(np.arange(load.size), own)
        np.testing.assert_allclose(residual[inner], 0.0, atol=1e-10 * np.abs(found.matrix @ full).max())
    everywhere = found.displacements(u, loaded)
    np.testing.assert_allclose(
        everywhere[free != HELD_COORDINATE], full[free[free != HELD_COORDINATE]], atol=1e-10 * np.abs(full).max()
    )
    np.testing.assert_allclose(
        everywhere[found.nodes][found.number != HELD_COORDINATE], u[found.number[found.number != HELD_COORDINATE]]
    )


@pytest.mark.parametrize("name", CASES)
def test_rigid_motion_of_the_kept_nodes_moves_all_nodes_without_force(name):
    mesh, d = CASES[name], CASES[name].dimension
    kept = np.union1d(mesh.regions["bottom"].nodes, mesh.regions["top"].nodes)
    found = Condensation(mesh.nodes, [filled(mesh, SOFT)], np.zeros(mesh.nodes.shape, dtype=bool), kept)
    spins = [np.array([[0.0, -1.0], [1.0, 0.0]])] if d == 2 else [np.cross(np.eye(3), e) for e in np.eye(3)]
    for motion in (*(np.tile(e, (len(mesh.nodes), 1)) for e in np.eye(d)), *(mesh.nodes @ spin.T for spin in spins)):
        u = motion[found.nodes].ravel()
        np.testing.assert_allclose(found.stiffness @ u, 0.0, atol=1e-12 * np.abs(found.stiffness).max())
        np.testing.assert_allclose(found.displacements(u), motion, atol=1e-11)


def test_cells_between_kept_nodes_may_stay_nonlinear():
    """alpha and beta of Eq 4.4: the condensed cells and the remaining cells together form the whole solid."""
    mesh = CASES["block"]
    kept = np.flatnonzero(mesh.nodes[:, 2] < 0.0)  # two layers of nodes
    held = np.repeat(np.isin(np.arange(len(mesh.nodes)), mesh.regions["top"].nodes)[:, None], 3, axis=1)
    rubber = filled(mesh, RUBBER)
    split, whole = (
        Condensation(mesh.nodes, [rubber], held, kept, skin=True),
        Condensation(mesh.nodes, [rubber], held, kept),
    )
    (inside,) = split.inside
    between = np.isin(mesh.cells, kept).all(axis=1)
    assert np.array_equal(~inside, between) and between.any()
    only = mesh.nodes[split.nodes][:, 2] < -0.02  # c: the lowest nodes have no unknowns
    assert np.array_equal((split.number == HELD_COORDINATE).all(axis=1), only)
    skin = Condensation(mesh.nodes, [filled(mesh, RUBBER, between)], np.zeros_like(held), kept)
    total = skin.stiffness.copy()
    b = skin.number[split.number != HELD_COORDINATE]
    total[np.ix_(b, b)] += split.stiffness
    np.testing.assert_allclose(total, whole.stiffness, atol=1e-12 * np.abs(total).max())
    assert Condensation(mesh.nodes, [filled(mesh, SOFT)], held, kept, skin=True).inside[0].all()


WRONG = {
    "one node": ([0], "too few nodes"),
    "a line": (np.flatnonzero(np.isclose(CASES["block"].nodes[:, 1:], [-0.05, -0.03]).all(axis=1)), "too few nodes"),
}


@pytest.mark.parametrize("case", WRONG)
def test_too_few_nodes_are_refused(case):
    mesh, (kept, message) = CASES["block"], WRONG[case]
    with pytest.raises(gw.ModelError, match=message):
        Condensation(mesh.nodes, [filled(mesh, SOFT)], np.zeros(mesh.nodes.shape, dtype=bool), kept)
