"""The same forces and stiffness from scikit-fem's assembly, of solids that are deformed at random.

T. Gustafsson, G. D. McBain, scikit-fem: a Python package for finite element assembly, JOSS 5 (2020) 2369."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial import cKDTree

import gaitwright as gw
from finite_elements import solid
from gaitwright.fem.mass import element_masses, mass_entries
from gaitwright.physics.materials.linear_elastic import LinearElastic
from gaitwright.physics.materials.neo_hookean import NeoHookean
from gaitwright_apps.benchmarks.scikit_fem_peer import ScikitFemAssembly

skfem: Any = pytest.importorskip("skfem", reason="scikit-fem is not installed: pip install 'gaitwright[test]'")
pytestmark = pytest.mark.peer

MESHES = {
    "T3": lambda: gw.mesh.rectangle((1.0, 0.7), (3, 2)),
    "T6": lambda: gw.mesh.rectangle((1.0, 0.7), (3, 2), order=2),
    "TET4": lambda: gw.mesh.box((1.0, 0.7, 0.4), (2, 2, 1)),
    "TET10": lambda: gw.mesh.box((1.0, 0.7, 0.4), (2, 2, 1), order=2),
}
MATERIALS = {"linear-elastic": LinearElastic, "neo-hookean": NeoHookean}


def numbering(assembly, mesh):
    """Our coordinate of each of theirs."""
    places, axis = assembly.places()
    return mesh.nodes.shape[1] * cKDTree(mesh.nodes).query(places)[1] + axis


@pytest.mark.parametrize("kind", MESHES)
@pytest.mark.parametrize("name", MATERIALS)
def test_forces_and_stiffness(name, kind):
    mesh = MESHES[kind]()
    material = MATERIALS[name](youngs_modulus=2.0, poissons_ratio=0.3)
    assembly = ScikitFemAssembly(mesh.linear(), mesh.kind.order, name, *material.numbers())
    ours = solid(mesh, material)
    q = 0.02 * np.random.default_rng(0).normal(size=mesh.nodes.size)
    where = numbering(assembly, mesh)
    force, K = assembly.at(q[where])
    assert np.abs(ours.force(q)[where] + force).max() < 1e-13
    assert np.abs(ours.tangent(q)[where][:, where] - K).max() < 1e-12


@pytest.mark.parametrize("kind", MESHES)
def test_mass(kind):
    mesh = MESHES[kind]()
    assembly = ScikitFemAssembly(mesh.linear(), mesh.kind.order, "neo-hookean", 1.0, 1.0)
    where = numbering(assembly, mesh)
    from scipy.sparse import coo_array

    row, col, values = mass_entries(element_masses(mesh.kind, mesh.nodes, mesh.cells, 3.0), mesh.cells)
    d = mesh.nodes.shape[1]
    ours = coo_array((values, (row, col)), shape=(len(mesh.nodes),) * 2).toarray()
    assert np.allclose(np.kron(ours, np.eye(d))[np.ix_(where, where)], 3.0 * assembly.mass().toarray(), atol=1e-14)
