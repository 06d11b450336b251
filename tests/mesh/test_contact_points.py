"""Contact points on surfaces of solids: areas, and the nodal forces of a uniform pressure."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.fem.side_loads import traction_shares
from gaitwright.mesh.contact_points import build_contact_points
from gaitwright.mesh.mesh import Mesh

MESHES = {
    "T3": gw.mesh.rectangle((0.2, 0.1), (3, 2)),
    "T6": gw.mesh.rectangle((0.2, 0.1), (3, 2)).quadratic(),
    "TET4": gw.mesh.box((0.2, 0.1, 0.1), (3, 2, 2)),
    "TET10": gw.mesh.box((0.2, 0.1, 0.1), (3, 2, 2)).quadratic(),
    "round": gw.mesh.ball(0.1, 0.02, order=2),
}
meshes = pytest.mark.parametrize("mesh", MESHES.values(), ids=MESHES)


@meshes
def test_uniform_pressure_gives_consistent_forces_and_areas_are_not_negative(mesh: Mesh):
    skin = build_contact_points(mesh.nodes, mesh.boundary)
    assert skin.areas.min() > 0.0
    nodal = np.bincount(skin.nodes.ravel(), (skin.shares * skin.areas[:, None]).ravel(), minlength=len(mesh.nodes))
    truth = traction_shares(mesh.nodes, mesh.boundary)
    # the rule of three points is exact on flat sides
    flat = mesh is not MESHES["round"]
    assert np.abs(nodal - truth).max() < (1e-14 if flat else 0.02) * truth.max()
    assert skin.areas.sum() == pytest.approx(truth.sum(), rel=1e-13 if flat else 1e-3)
    assert np.allclose(np.bincount(skin.members.ravel(), skin.portions.ravel()), skin.areas, rtol=1e-14)


@meshes
def test_positions_and_nodal_values_are_exact_for_linear_fields(mesh: Mesh):
    skin, slope = build_contact_points(mesh.nodes, mesh.boundary), np.arange(1.0, 1.0 + mesh.dimension)
    on = np.unique(mesh.boundary)
    values = skin.places(mesh.nodes) @ slope + 5.0
    flat = mesh is not MESHES["round"]
    found = skin.at_nodes(values[None], len(mesh.nodes))[0]
    assert np.abs(found[on] - mesh.nodes[on] @ slope - 5.0).max() < (1e-13 if flat else 0.02)
    assert not found[np.setdiff1d(np.arange(len(mesh.nodes)), on)].any()


@meshes
def test_stretches_equal_the_area_ratio(mesh: Mesh):
    skin = build_contact_points(mesh.nodes, mesh.boundary)
    assert np.allclose(skin.stretches(1.3 * mesh.nodes, mesh.nodes), 1.3 ** (mesh.dimension - 1), rtol=1e-12)


def test_stretches_exceed_one_only_on_stretched_sides():
    """A stretch along x does not affect the sides across it. Each point belongs to one side."""
    mesh = MESHES["TET10"]
    skin = build_contact_points(mesh.nodes, mesh.boundary)
    ends = mesh.nodes[skin.sides]
    across = np.ptp(ends[..., 0], axis=1) < 1e-12
    found = skin.stretches(mesh.nodes * [1.3, 1.0, 1.0], mesh.nodes)[skin.members]
    assert across.any() and np.allclose(found, np.where(across, 1.0, 1.3)[:, None], rtol=1e-12)


def test_reordering_keeps_the_points():
    mesh = MESHES["TET10"]
    skin = build_contact_points(mesh.nodes, mesh.boundary)
    order = np.random.default_rng(0).permutation(skin.count)
    other = skin.reordered(order)
    assert np.array_equal(other.places(mesh.nodes), skin.places(mesh.nodes)[order])
    values = np.random.default_rng(1).uniform(size=(2, skin.count))
    assert np.allclose(other.at_nodes(values[:, order], len(mesh.nodes)), skin.at_nodes(values, len(mesh.nodes)))
