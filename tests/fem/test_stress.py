"""Stresses at points and nodes."""

import numpy as np
import pytest

import gaitwright as gw
from finite_elements import solid
from gaitwright.fem.element_geometry import build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES
from gaitwright.fem.stress import evaluate_point_fields, extrapolate_to_nodes
from solids import FIELDS, FINITE, MATERIALS, constants, energy, random_rotation, stress

BOXES = {
    "T3": lambda: gw.mesh.rectangle((1.0, 0.7), (2, 2)),
    "T6": lambda: gw.mesh.rectangle((1.0, 0.7), (2, 2), order=2),
    "TET4": lambda: gw.mesh.box((1.0, 0.7, 0.4), (2, 2, 1)),
    "TET10": lambda: gw.mesh.box((1.0, 0.7, 0.4), (2, 2, 1), order=2),
}


@pytest.mark.parametrize("mean", [False, True])
@pytest.mark.parametrize("kind", BOXES)
@pytest.mark.parametrize("name", ["linear-elastic", "neo-hookean"])
def test_a_uniform_deformation(name, kind, mean):
    """The stress of the material, everywhere; in the plane also across it."""
    mesh = BOXES[kind]()
    d = mesh.nodes.shape[1]
    way = np.zeros((3, 3))
    way[:d, :d] = 0.1 * np.random.default_rng(0).normal(size=(d, d))
    parts = build_element_geometry(ELEMENT_TYPES[kind], mesh.nodes, mesh.cells)
    u = mesh.nodes @ way[:d, :d].T
    fields = evaluate_point_fields(MATERIALS[name], np.array(constants(name)), parts, u, mean)
    F = np.eye(3) + way
    P = stress(name, F)
    cauchy = P if MATERIALS[name].linear else P @ F.T / np.linalg.det(F)
    assert np.allclose(fields.stress, cauchy, rtol=0, atol=1e-13)
    assert np.allclose(fields.gradient, F, rtol=0, atol=1e-13)
    assert np.allclose(fields.energy_density, energy(name, F), rtol=0, atol=1e-14)
    assert np.allclose(fields.principal_stretches, np.linalg.svd(F)[1], rtol=0, atol=1e-13)
    assert np.allclose(fields.volume_ratio, np.linalg.det(F))
    assert np.allclose(extrapolate_to_nodes(parts, fields.stress, len(mesh.nodes)), cauchy, rtol=0, atol=1e-13)
    if d == 2:
        assert np.abs(cauchy[2, 2]) > 1e-3


@pytest.mark.parametrize("name", FINITE)
def test_the_energy_of_the_points_is_that_of_the_elements(name):
    mesh = BOXES["TET4"]()
    material = MATERIALS[name](**FIELDS[name])
    u = 0.02 * np.random.default_rng(1).normal(size=mesh.nodes.shape)
    parts = build_element_geometry(ELEMENT_TYPES["TET4"], mesh.nodes, mesh.cells)
    fields = evaluate_point_fields(type(material), np.array(material.numbers()), parts, u)
    total = (fields.energy_density * parts.weights).sum()
    assert total == pytest.approx(solid(mesh, material).energy(u.ravel())[:, 0].sum(), rel=1e-13)


def test_a_turned_solid_has_turned_stresses():
    mesh, name = BOXES["TET10"](), "neo-hookean"
    parts = build_element_geometry(ELEMENT_TYPES["TET10"], mesh.nodes, mesh.cells)
    u = 0.02 * np.random.default_rng(2).normal(size=mesh.nodes.shape)
    Q = random_rotation(4)
    numbers = np.array(constants(name))
    one, two = (
        evaluate_point_fields(MATERIALS[name], numbers, parts, x, True)
        for x in (u, (mesh.nodes + u) @ Q.T - mesh.nodes)
    )
    assert np.allclose(two.stress, Q @ one.stress @ Q.T, rtol=0, atol=1e-12)
    for what in ("von_mises", "pressure", "principal_stresses", "principal_stretches"):
        assert np.allclose(getattr(one, what), getattr(two, what), rtol=0, atol=1e-12)


def test_von_mises_of_pure_tension_and_of_pressure():
    from gaitwright.fem.stress import PointFields

    def fields(sigma):
        return PointFields(np.eye(3), np.diag(sigma).astype(float), np.zeros(()))

    assert fields((5, 0, 0)).von_mises == pytest.approx(5)
    assert fields((-2, -2, -2)).von_mises == pytest.approx(0) and fields((-2, -2, -2)).pressure == 2
    assert list(fields((1, 3, -2)).principal_stresses) == [3, 1, -2]


@pytest.mark.parametrize("kind", ["T6", "TET10"])
def test_linear_field_is_exact_at_the_nodes(kind):
    """Extrapolated from the points, it is exact."""
    mesh = BOXES[kind]()
    parts = build_element_geometry(ELEMENT_TYPES[kind], mesh.nodes, mesh.cells)
    places = np.einsum("pa,eai->epi", ELEMENT_TYPES[kind].values(), mesh.nodes[mesh.cells])
    field = places @ np.arange(1.0, 1 + mesh.nodes.shape[1]) + 2
    assert np.allclose(
        extrapolate_to_nodes(parts, field, len(mesh.nodes)), mesh.nodes @ np.arange(1.0, 1 + mesh.nodes.shape[1]) + 2
    )
