"""Finite elements as blocks in the tables: the same forces and tangents as for separate calls of each element."""

import numpy as np
import pytest

from finite_elements import coordinates, solid
from gaitwright.fem.kernel_modules import declare_force
from gaitwright.fem.mass import element_masses, expand_to_coordinates, mass_entries, weight_module, weight_parameters
from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.mechanism.evaluation import evaluate_energies, evaluate_forces, evaluate_tangents, new_workspace
from gaitwright.mechanism.table_builder import build_tables, compile_tangents
from gaitwright.mechanism.tables import GROUND
from gaitwright.mesh.solid_shapes import box
from solids import FIELDS, MATERIALS


@pytest.mark.parametrize("order, mean", [(1, False), (2, True)], ids=["TET4", "TET10 mean"])
def test_a_held_solid_in_the_tables(order, mean):
    """Held nodes are the ground: they have no coordinates, and nothing is written for them."""
    mesh = box((1.0, 0.5, 0.5), (2, 1, 1), order=order)
    held = np.isclose(mesh.nodes[:, 0], -0.5)
    where = np.full(mesh.nodes.shape, GROUND)
    n = 3 * int((~held).sum())
    where[~held] = np.arange(n).reshape(-1, 3)
    alone = solid(mesh, MATERIALS["neo-hookean"](**FIELDS["neo-hookean"]), mean)
    weights = element_masses(mesh.kind, mesh.nodes, mesh.cells, 3.0)
    mass = expand_to_coordinates(mass_entries(weights, mesh.cells), where)
    blocks = [
        ElementBlock(declare_force(alone.module), (), where[mesh.cells].reshape(len(mesh.cells), -1), alone.par),
        ElementBlock(
            declare_force(weight_module(3)), (), where, weight_parameters(np.ones(len(held)), [0, 0, -2.0], mesh.nodes)
        ),
    ]
    s = build_tables(n, mass, [], blocks, [])
    compile_tangents(s, stages=False)
    assert s.symmetric and not s.damped
    random = np.random.default_rng(0)
    q = np.append(0.01 * random.normal(size=n), 0.0)
    v = np.zeros(n + 1)
    w = new_workspace(s)
    evaluate_forces(s, w, q, v)
    evaluate_tangents(s, w, q, v, np.zeros(0))
    evaluate_energies(s, w, q, v)
    whole = np.zeros(mesh.nodes.size)
    free = coordinates(mesh)[~held].ravel()
    whole[free] = q[:-1]
    weight = np.tile([0.0, 0.0, -2.0], len(free) // 3)
    assert np.allclose(w.force[:-1], alone.force(whole)[free] + weight, rtol=0, atol=1e-13)
    K = np.zeros((n, n))
    K[s.k_row, s.k_col] = w.kq[:-1]
    assert np.allclose(K, alone.tangent(whole)[free][:, free].toarray(), rtol=0, atol=1e-12)
    stored = w.energy.reshape(-1, 3)[:, 0]
    high = 2.0 * (mesh.nodes[:, 2].sum() + whole[2::3].sum())
    assert stored.sum() == pytest.approx(alone.energy(whole)[:, 0].sum() + high, rel=1e-12)
