"""Soft bodies on rigid cores, pressed against obstacles: they agree with the full linear model, and forces have a
potential."""

import functools

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve
from scipy.spatial.transform import Rotation

import gaitwright as gw
from gaitwright.fem.compliant_solid import CompliantSolid

SOFT = gw.materials.LinearElastic(youngs_modulus=1e6, poissons_ratio=0.3)
MESHES = {
    "block": (gw.mesh.box((0.2, 0.1, 0.06), (8, 4, 3)), "top", "bottom"),
    "quadratic": (gw.mesh.box((0.1, 0.1, 0.06), (3, 3, 2), order=2), "top", "bottom"),
    "section": (gw.mesh.rectangle((0.2, 0.06), (16, 5)), "top", "bottom"),
    "cylinder, everywhere": (
        gw.mesh.disc(0.05, 0.01),
        gw.mesh.SphereSelector((0, 0), 0.015),
        gw.mesh.BoundarySelector(),
    ),
}


@functools.cache
def body(name):
    mesh, core, touching = MESHES[name]
    return CompliantSolid.of_mesh(mesh, SOFT, core, touching)


def pose(name, tilt, depth, about=0.4):
    """A rotation, and a position in which the lowest node is below the ground y = 0 (z = 0 in space)."""
    soft = body(name)
    if soft.dimension == 2:
        R, normal = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]]), np.array([0.0, 1.0])
    else:
        R, normal = Rotation.from_rotvec([0.5 * tilt, tilt, about]).as_matrix(), np.array([0.0, 0.0, 1.0])
    return (-depth - (soft.places @ R.T @ normal).min()) * normal, R, normal


@pytest.mark.parametrize("tilt, depth", [(0.0, 1e-3), (0.03, 1e-3), (-0.06, 4e-3)])
@pytest.mark.parametrize("name", MESHES)
def test_the_full_linear_model_gives_the_same(name, tilt, depth):
    soft, (r, R, n) = body(name), pose(name, tilt, depth)
    found = soft.press(r, R, n)
    assert found.touching.any()
    everywhere = soft.everywhere(found)
    free = soft.condensation.coordinates
    load = np.zeros(int((free >= 0).sum()))
    load[free[soft.nodes]] = found.normal_forces[:, None] * (R.T @ n)
    full = np.zeros(free.shape)
    full[free >= 0] = spsolve(soft.condensation.matrix, load)[free[free >= 0]]
    size = np.abs(full).max()
    np.testing.assert_allclose(everywhere, full, atol=1e-10 * size)
    gap = (r + (soft.places + full[soft.nodes]) @ R.T) @ n
    assert gap.min() > -1e-10 * size
    np.testing.assert_allclose(gap[found.touching], 0.0, atol=1e-10 * size)
    np.testing.assert_allclose(soft.displaced(found), full[soft.nodes], atol=1e-10 * size)
    energy = 0.5 * load @ full[free >= 0][np.argsort(free[free >= 0])]
    np.testing.assert_allclose(found.energy, energy, rtol=1e-10)
    np.testing.assert_allclose(found.force, found.normal_forces.sum() * n, rtol=1e-12)
    arms = found.centre_of_pressure - r
    turn = np.cross(arms, found.force) if soft.dimension == 3 else [arms[0] * found.force[1] - arms[1] * found.force[0]]
    np.testing.assert_allclose(found.moment, turn, atol=1e-12 * np.abs(found.force).max())


@pytest.mark.parametrize("name", MESHES)
def test_force_and_tangent_are_derivatives(name):
    soft, (r, R, n) = body(name), pose(name, 0.05, 3e-3)
    found, d = soft.press(r, R, n), soft.dimension
    size, h = found.tangent.shape[0], 1e-6
    for k in range(size):
        wrench, energy = [], []
        for step in (h, -h):
            e = step * np.eye(size)[k]
            turn = Rotation.from_rotvec(e[3:] if d == 3 else [0, 0, e[2]]).as_matrix()[:d, :d]
            one = soft.press(r + e[:d], turn @ R, n)
            wrench.append(np.r_[one.force, one.moment])
            energy.append(one.energy)
        scale = np.abs(found.tangent).max()
        np.testing.assert_allclose((wrench[0] - wrench[1]) / (2 * h), found.tangent[:, k], atol=1e-7 * scale)
        np.testing.assert_allclose(
            -(energy[0] - energy[1]) / (2 * h), np.r_[found.force, found.moment][k], atol=1e-6 * found.force @ n
        )


@pytest.mark.parametrize("angle", [0.3, 2.0, -3.1])
@pytest.mark.parametrize("name", MESHES)
def test_turned_together_with_the_ground_forces_are_turned(name, angle):
    soft, (r, R, n) = body(name), pose(name, 0.05, 3e-3)
    d = soft.dimension
    Q = Rotation.from_rotvec(angle * np.array([0, 0, 1.0]) if d == 2 else angle * np.array([0.6, 0.0, 0.8])).as_matrix()
    Q = Q[:d, :d]
    before, after = soft.press(r, R, n), soft.press(Q @ r, Q @ R, Q @ n)
    np.testing.assert_allclose(after.force, Q @ before.force, atol=1e-12 * np.linalg.norm(before.force))
    turned = Q @ before.moment if d == 3 else before.moment
    np.testing.assert_allclose(after.moment, turned, atol=1e-12 * np.linalg.norm(before.force))


def test_result_does_not_depend_on_earlier_calls():
    """A walk over many poses, warm-started, compared with each pose alone; including lift-off."""
    soft = body("block")
    for k, tilt in enumerate(np.sin(np.linspace(0.0, 12.0, 40))):
        r, R, n = pose("block", 0.05 * tilt, 2e-3 * np.cos(0.4 * k), about=0.1 * k)
        warm = soft.press(r, R, n)
        alone = CompliantSolid(soft.compliance, soft.places).press(r, R, n)
        np.testing.assert_allclose(warm.normal_forces, alone.normal_forces, atol=1e-10 * (1 + alone.force.max()))
        assert warm.touching.any() == (np.cos(0.4 * k) > 0)
        assert np.isnan(warm.centre_of_pressure).all() != warm.touching.any()


@pytest.mark.parametrize("name", MESHES)
def test_a_surface_by_its_distance(name):
    soft, (r, R, n) = body(name), pose(name, 0.04, 2e-3)
    flat = soft.press(r, R, n)
    also = soft.touch(r, R, lambda x: (x @ n, np.tile(n, (len(x), 1))))
    np.testing.assert_allclose(also.normal_forces, flat.normal_forces, atol=1e-10 * flat.force.max())
    np.testing.assert_allclose(also.moment, flat.moment, atol=1e-12 * flat.force.max())
    np.testing.assert_allclose(also.tangent, flat.tangent, atol=1e-5 * np.abs(flat.tangent).max())
    # a large ball below: at the contact no node is inside it, and forces point away from its centre
    radius = 0.3
    centre = soft.touch(r, R, lambda x: (x @ n, np.tile(n, (len(x), 1)))).centre_of_pressure - radius * n

    def ball(x):
        out = x - centre
        distance = np.linalg.norm(out, axis=1)
        return distance - radius, out / distance[:, None]

    found = soft.touch(r, R, ball)
    x = r + (soft.places + soft.displaced(found)) @ R.T
    gap, normals = ball(x)
    assert found.touching.any() and gap.min() > -1e-9
    np.testing.assert_allclose(gap[found.touching], 0.0, atol=1e-9)
    np.testing.assert_allclose(found.force, found.normal_forces @ normals, atol=1e-6 * found.normal_forces.sum())


def test_pressures_are_forces_by_area():
    soft, (r, R, n) = body("block"), pose("block", 0.0, 1e-3)
    found = soft.press(r, R, n)
    np.testing.assert_allclose(soft.areas.sum(), 0.2 * 0.1)
    np.testing.assert_allclose((soft.pressures(found) * soft.areas).sum(), found.force[2])


WRONG = {
    "no core": (dict(core=gw.mesh.SphereSelector((9, 9, 9), 0.1)), "core.*holds no node"),
    "all is core": (dict(core=gw.mesh.HalfSpaceSelector((0, 0, -1), (0, 0, 1))), "keeps no node that can move"),
    "a core of one node": (dict(core=gw.mesh.SphereSelector((0.1, 0.05, 0.03), 1e-4)), "core.*does not hold"),
}


@pytest.mark.parametrize("case", WRONG)
def test_invalid_input_is_refused(case):
    fields, message = WRONG[case]
    with pytest.raises(gw.ModelError, match=message):
        CompliantSolid.of_mesh(MESHES["block"][0], SOFT, **{"touching": "bottom", **fields})


def test_a_matrix_that_does_not_turn_is_refused():
    with pytest.raises(gw.ModelError, match="no rotation"):
        body("block").press((0, 0, 0), 2 * np.eye(3), (0, 0, 1))
