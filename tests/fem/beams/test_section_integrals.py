"""Elements of spatial beams: forces are derivatives of energies, matrices of forces, and rigid motions change nothing."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitwright.fem.beams.section_integrals import N_ELEMENT_COORDINATES, build_damping_module, build_elastic_module
from gaitwright.fem.beams.spatial_beam import DAMPING_RULES, ELASTIC_RULES
from gaitwright.fem.beams.spatial_beam_strain import (
    compute_strains,
    element_parameters,
    element_vectors,
    evaluate_elements,
)

LENGTH = np.array([0.7])
RNG = np.random.default_rng(3)
RULES = {"elastic": ELASTIC_RULES, "damping": DAMPING_RULES}
MODULES = {"elastic": build_elastic_module(6), "damping": build_damping_module(8)}


def element():
    """An element in an arbitrary strained state, its velocities and its parameters: all strains coupled, at all points."""
    drawn = np.zeros((8, 3))
    drawn[[1, 3], 0], drawn[2, 0] = 1.0, LENGTH[0]
    q, v = drawn + 0.2 * RNG.normal(size=(8, 3)), RNG.normal(size=(8, 3))
    par: Any = {}
    for kind, rules in RULES.items():
        roots = [RNG.normal(size=(1, len(rule), 4, 4)) for rule in rules]
        rest = [0.1 * RNG.normal(size=(1, len(rule), 4)) for rule in rules]
        stiffness = (roots[0] @ np.swapaxes(roots[0], -1, -2), roots[1] @ np.swapaxes(roots[1], -1, -2))
        par[kind] = element_parameters(LENGTH, rules, stiffness, (rest[0], rest[1]))
    return q.ravel(), v.ravel(), par


Q, V, PAR = element()


def call(kind, kernel, q, v, size):
    return evaluate_elements(MODULES[kind], kernel, PAR[kind], q[None], v[None], size)[0]


def slope(values, x, step=1e-5):
    return np.array([(values(x + d) - values(x - d)) / (2 * step) for d in step * np.eye(N_ELEMENT_COORDINATES)]).T


def test_the_force_is_the_slope_of_the_energy():
    wanted = slope(lambda q: call("elastic", "energy", q, V, 3)[0], Q)
    np.testing.assert_allclose(
        -call("elastic", "force", Q, V, N_ELEMENT_COORDINATES), wanted, atol=1e-7 * np.abs(wanted).max()
    )


def test_the_dissipated_power_is_that_of_the_damping_forces():
    lost = call("damping", "energy", Q, V, 3)[1]
    assert lost > 0.0 and lost == pytest.approx(-call("damping", "force", Q, V, N_ELEMENT_COORDINATES) @ V, rel=1e-12)


@pytest.mark.parametrize("kind", MODULES)
def test_the_matrix_is_the_slope_of_the_force(kind):
    found = call(kind, "tangent", Q, V, N_ELEMENT_COORDINATES * N_ELEMENT_COORDINATES).reshape(
        N_ELEMENT_COORDINATES, N_ELEMENT_COORDINATES
    )
    wanted = -slope(lambda q: call(kind, "force", q, V, N_ELEMENT_COORDINATES), Q)
    np.testing.assert_allclose(found, wanted, atol=1e-7 * np.abs(wanted).max())


@pytest.mark.parametrize("kind", MODULES)
def test_stretch_only_points_match_the_full_evaluation(kind):
    """If only EA is given, forces, matrices and energies equal those of the full evaluation with the same parameters."""
    sizes = [len(rule) for rule in RULES[kind]]
    stretch = [np.zeros((1, size, 4, 4)) for size in sizes]
    stretch[1][..., 0, 0] = 5.0
    rest = np.zeros((1, sizes[0], 4)), np.zeros((1, sizes[1], 4))
    short = element_parameters(LENGTH, RULES[kind], (stretch[0], stretch[1]), rest)
    whole = short.copy().reshape(sum(sizes), -1)
    whole[:, 1] = 1.0
    for kernel, size in (
        ("force", N_ELEMENT_COORDINATES),
        ("tangent", N_ELEMENT_COORDINATES * N_ELEMENT_COORDINATES),
        ("energy", 3),
    ):
        a, b = (
            evaluate_elements(MODULES[kind], kernel, par.reshape(1, -1), Q[None], V[None], size)
            for par in (short, whole)
        )
        np.testing.assert_allclose(a, b, atol=1e-12 * max(1.0, np.abs(b).max()))


def test_a_rigid_motion_changes_no_strain():
    """v2 and v3 are stored relative to the axes of the ground: they turn with these."""
    xi = np.array([0.0, 0.3, 1.0])
    turn, shift = Rotation.from_rotvec([0.4, -1.1, 0.7]).as_matrix(), np.array([0.3, -2.0, 1.0])
    upright = np.zeros((8, 3))
    upright[4:6, 1] = upright[6:8, 2] = 1.0
    moved = (Q.reshape(8, 3) + upright) @ turn.T - upright
    moved[[0, 2]] += shift
    strains = [
        compute_strains(element_vectors(q.reshape(1, N_ELEMENT_COORDINATES), xi, LENGTH[:, None]))[0]
        for q in (Q, moved)
    ]
    np.testing.assert_allclose(strains[0], strains[1], atol=1e-12)
    energies = [call("elastic", "energy", q.ravel(), V, 3)[0] for q in (Q, moved)]
    assert energies[1] == pytest.approx(energies[0], rel=1e-12)
    forces = call("elastic", "force", Q, V, N_ELEMENT_COORDINATES).reshape(8, 3)
    assert np.abs(forces[0] + forces[2]).max() < 1e-11 * np.abs(forces).max()
    about = np.cross(Q.reshape(8, 3) + upright, forces).sum(axis=0)
    assert np.abs(about).max() < 1e-11 * np.abs(forces).max()
