"""Finite elements of solids against exact solutions: orders of convergence, Lame's sphere, and locking at nu = 0.4999."""

import numpy as np
import pytest

import gaitwright as gw
from finite_elements import coordinates, solid, solve
from gaitwright.fem.element_geometry import build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES
from gaitwright.fem.stress import evaluate_point_fields, extrapolate_to_nodes
from gaitwright.physics.materials.linear_elastic import LinearElastic
from gaitwright.physics.materials.neo_hookean import NeoHookean
from verification.solid_solutions import Sphere, Wave, body_load, cook, distance, eighth

SIZES = {"T3": (8, 16), "T6": (4, 8), "TET4": (5, 10), "TET10": (3, 6)}
ORDERS = {"T3": 2, "T6": 3, "TET4": 2, "TET10": 3}


def wave_error(kind, n, mean=False):
    order = 2 if kind in ("T6", "TET10") else 1
    mesh = gw.mesh.rectangle((1, 1), (n, n), order=order) if kind[1] != "E" else gw.mesh.box((1, 1, 1), n, order=order)
    material = LinearElastic(youngs_modulus=1.0, poissons_ratio=0.3)
    wave = Wave(mesh.nodes.shape[1], *material.numbers())
    rim = coordinates(mesh)[np.unique(mesh.boundary)].ravel()
    wanted = wave.displacement(mesh.nodes).ravel()[rim]
    load = body_load(mesh, wave.body_force)
    return distance(mesh, solve([solid(mesh, material, mean)], rim, wanted, load, tolerance=1e-9), wave.displacement)


@pytest.mark.parametrize("kind", [pytest.param(k, marks=() if k[1] != "E" else pytest.mark.slow) for k in SIZES])
def test_orders(kind):
    """Displacements in the mean, in a linear solid under a body force: second and third order."""
    coarse, fine = (wave_error(kind, n) for n in SIZES[kind])
    assert np.log2(coarse / fine) > ORDERS[kind] - 0.25
    assert fine < 0.01


@pytest.mark.slow
def test_the_mean_dilatation_costs_an_order_where_nothing_locks():
    """One pressure per element: second order. So it is taken near incompressibility alone."""
    coarse, fine = (wave_error("T6", n, mean=True) for n in SIZES["T6"])
    assert 1.75 < np.log2(coarse / fine) < 2.6


def sphere(nu, size, order, mean):
    """Errors of a thick sphere under pressure: radial displacement inside, displacements in the mean, radial stress at the
    points and at the nodes, in the mean."""
    material, exact = LinearElastic(youngs_modulus=1.0, poissons_ratio=nu), Sphere(0.5, 1.0, 1e-3, 1.0, nu)
    mesh, fixed, share = eighth(size, order)
    q = solve([solid(mesh, material, mean)], fixed, load=1e-3 * share, tolerance=1e-8)
    u, shape = q.reshape(-1, 3), ELEMENT_TYPES[mesh.kind.name]
    parts = build_element_geometry(shape, mesh.nodes, mesh.cells)
    stress = evaluate_point_fields(LinearElastic, np.array(material.numbers()), parts, u, mean).stress
    x = np.einsum("pa,eai->epi", shape.values(), mesh.nodes[mesh.cells])

    def radial_error(x, stress, weights):
        r = np.linalg.norm(x, axis=-1)
        wrong = np.einsum("...i,...ij,...j->...", x, stress, x) / r**2 - exact.radial_stress(r)
        return np.sqrt((weights * wrong**2).sum() / (weights * exact.radial_stress(r) ** 2).sum())

    around = np.bincount(mesh.cells.ravel(), np.repeat(parts.volumes, mesh.kind.nodes))
    inner = np.isclose(np.linalg.norm(mesh.nodes, axis=1), 0.5)
    return (
        np.linalg.norm(u[inner], axis=1).mean() / exact.radial(0.5) - 1,
        distance(mesh, q, exact.displacement),
        radial_error(x, stress, parts.weights),
        radial_error(mesh.nodes, extrapolate_to_nodes(parts, stress, len(mesh.nodes)), around),
    )


def test_a_nearly_incompressible_sphere_with_mean_dilatation():
    """nu = 0.4999 against Lame: displacements as good as at 0.3, stresses at nodes to a few per cent."""
    inside, displacement, _, nodal = sphere(0.4999, 0.2, 2, True)
    assert abs(inside) < 2e-3 and displacement < 6e-3 and nodal < 0.06


@pytest.mark.slow
def test_locking_of_element_types_in_sphere():
    """TET4 is a quarter too stiff, TET10 without the remedy has meaningless stresses; at 0.3 both are well."""
    inside, *_ = sphere(0.4999, 0.2, 1, False)
    assert inside < -0.2
    inside, _, stress, _ = sphere(0.4999, 0.2, 2, False)
    assert abs(inside) < 5e-3 and stress > 1.0
    inside, displacement, stress, _ = sphere(0.3, 0.2, 2, False)
    assert abs(inside) < 3e-3 and displacement < 5e-3 and stress < 0.05


COOK = 7.77
"""Rise of the corner at E = 250, nu = 0.4999, F = 100, plane strain, between T6 from below and with mean dilatation from above
(32 x 32: 7.735 and 7.824)."""


def risen(n, order, mean, material=LinearElastic):
    mesh, fixed, load, corner = cook(n, order)
    elements = solid(mesh, material(youngs_modulus=250.0, poissons_ratio=0.4999), mean)
    q = np.zeros(elements.n)
    for part in (1.0,) if material.linear else np.linspace(0.1, 1, 10):
        q = solve([elements], fixed, load=100 * part * load, start=q, tolerance=1e-8)
    return q[corner]


def test_cooks_membrane():
    """The mean dilatation converges from above, plain T6 from below; T3 locks."""
    plain, mean = ([risen(n, 2, which) for n in (4, 8)] for which in (False, True))
    assert plain[0] < plain[1] < COOK < mean[1] < mean[0]
    assert mean[1] - plain[1] < 0.5 * (mean[0] - plain[0]) and mean[1] == pytest.approx(COOK, rel=0.035)
    assert risen(8, 1, False) < 0.8 * COOK


@pytest.mark.slow
def test_cooks_membrane_of_rubber():
    """The same with a neo-Hookean solid, with a corner that rises by a seventh of the width: the load stiffens it."""
    coarse, fine = (risen(n, 2, True, NeoHookean) for n in (8, 16))
    assert 0.8 * COOK < fine < COOK and fine == pytest.approx(coarse, rel=0.02)
