"""Soft bodies with friction: frictionless, sticking and sliding; Coulomb's law at every node; on all surfaces."""

import functools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gaitwright as gw
from gaitwright.contact.height_field import height_table
from gaitwright.fem.compliant_solid import CompliantSolid
from gaitwright.fem.frictional_nodes import NODE_SET_SIZE, NODE_SLIDES, NODE_STICKS, ROUND_COUNT
from gaitwright.fem.frictional_solid import FrictionalSolid, TouchedGround
from gaitwright.fem.plane_equilibrium import REQUEST_COMMIT, REQUEST_FORCE, REQUEST_RESTART, REQUEST_STIFFNESS
from gaitwright.physics import load_all
from gaitwright.physics.bodies.interpolated_point import NODE_FAMILIES
from gaitwright.physics.contact_geometry.height_field import HeightFieldShape
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_geometry.sphere import SphereShape

load_all()
SOFT = gw.materials.LinearElastic(youngs_modulus=1e6, poissons_ratio=0.4)
MESHES = {2: gw.mesh.rectangle((0.2, 0.06), (16, 5)), 3: gw.mesh.box((0.2, 0.1, 0.04), (8, 4, 2))}
SPHERE = 5.0


@functools.cache
def body(d):
    return CompliantSolid.of_mesh(MESHES[d], SOFT, "top", "bottom")


def rubbing(d, mu, ground=None):
    soft, up = body(d), np.eye(d)[-1]
    ground = ground or TouchedGround(PlaneShape, [*up, 0.0], NODE_FAMILIES[d])
    return FrictionalSolid(soft.compliance, soft.places, soft.areas, ground, mu)


def pose(d, tilt=0.0, depth=1e-3, along=0.0):
    R = Rotation.from_rotvec([0.0, 0.0, tilt] if d == 2 else [0.3 * tilt, tilt, 0.0]).as_matrix()[:d, :d]
    place = -(depth + (body(d).places @ R.T)[:, -1].min()) * np.eye(d)[-1]
    place[0] += along
    return np.r_[place, R.ravel()]


def wrench(found, d):
    return -found.slope[:d]


@pytest.mark.parametrize("d", [2, 3])
def test_frictionless_result_matches_the_active_set(d):
    x = pose(d, 0.02, 2e-3)
    rubs = rubbing(d, 0.0)
    rubs.evaluate(x, REQUEST_RESTART)
    found = rubs.evaluate(x, REQUEST_FORCE)
    pressed = body(d).press(x[:d], x[d:].reshape(d, d), np.eye(d)[-1])
    assert wrench(found, d) == pytest.approx(pressed.force, rel=1e-8, abs=1e-8 * pressed.force[-1])
    assert found.energy == pytest.approx(pressed.energy, rel=1e-8)
    assert (rubs.forces @ x[d:].reshape(d, d).T)[:, -1] == pytest.approx(pressed.normal_forces, abs=1e-7)


@pytest.mark.parametrize("d", [2, 3])
def test_every_node_obeys_coulomb_along_a_path(d):
    """Pressed, dragged back and forth, and lifted: no penetration, no tension; nodes below their limit stick, others slide
    against their friction; and the loss never decreases."""
    mu, rubs, before, lost = 0.5, rubbing(d, 0.5), None, 0.0
    rubs.evaluate(pose(d, 0.01, 1e-4), REQUEST_RESTART)
    both = set()
    for k in range(40):
        x = pose(d, 0.01, 2e-3 * np.sin(0.08 * (k + 1)), 1.2e-3 * np.sin(0.3 * k))
        R = x[d:].reshape(d, d)
        rubs.evaluate(x, REQUEST_FORCE)
        f = rubs.forces @ R.T
        places = x[:d] + (body(d).places + rubs.moved) @ R.T
        N, T, on = f[:, -1], f[:, :-1], f[:, -1] > 0.0
        assert places[:, -1].min() > -1e-11 and np.abs(places[on, -1]).max(initial=0.0) < 1e-11
        assert N.min() >= 0.0 and (np.linalg.norm(T, axis=1) <= mu * N * (1 + 1e-9)).all()
        if before is not None:
            stood, was_on = before
            slip = (places - stood)[:, :-1]
            stuck = on & was_on & (np.linalg.norm(T, axis=1) < (1 - 1e-6) * mu * N)
            assert np.abs(slip[stuck]).max(initial=0.0) < 1e-11
            slides = on & was_on & (np.linalg.norm(slip, axis=1) > 1e-9)
            assert (np.sum(T * slip, axis=1)[slides] < 0.0).all()
            both |= {"stuck"} if stuck.any() else set()
            both |= {"slides"} if slides.any() else set()
        rubs.evaluate(x, REQUEST_COMMIT)
        assert rubs.record.friction_loss[0] >= lost - 1e-10  # forces are exact to 1e-11
        before, lost = (places, on), rubs.record.friction_loss[0]
    assert both == {"stuck", "slides"} and lost > 0.0


def test_full_sliding_force_is_mu_times_normal_force():
    rubs = rubbing(3, 0.3)
    rubs.evaluate(pose(3), REQUEST_RESTART)
    for k in range(60):
        found = rubs.evaluate(pose(3, along=2e-4 * k), REQUEST_FORCE)
        rubs.evaluate(pose(3, along=2e-4 * k), REQUEST_COMMIT)
    F = wrench(found, 3)
    assert F[0] == pytest.approx(-0.3 * F[2], rel=1e-9)


def test_return_to_a_pose_gives_the_same_force():
    """An evaluation at another pose in between changes nothing: the history is that of the start of the step."""
    rubs = rubbing(3, 0.5)
    rubs.evaluate(pose(3), REQUEST_RESTART)
    rubs.evaluate(pose(3, 0.005), REQUEST_COMMIT)
    first = rubs.evaluate(pose(3, 0.006, along=1e-4), REQUEST_FORCE).slope
    rubs.evaluate(pose(3, -0.02, 2e-3, along=-3e-3), REQUEST_FORCE)
    again = rubs.evaluate(pose(3, 0.006, along=1e-4), REQUEST_FORCE).slope
    assert again == pytest.approx(first, rel=1e-7, abs=1e-7 * np.abs(first).max())


TANGENTS = {  # dimension, friction, depth, along -> states of the nodes
    "smooth": (3, 0.0, 2e-4, 1.5e-4, {NODE_SLIDES}),
    "in the plane": (2, 0.3, 1e-3, 1.5e-4, {NODE_STICKS, NODE_SLIDES}),
    "in space": (3, 0.3, 2e-4, 1.5e-4, {NODE_STICKS, NODE_SLIDES}),
}


def springs(d, mu):
    """Positions of a flat sole with a compliance in closed form, without condensation."""
    a = np.linspace(-0.1, 0.1, 8)
    grid = [a] if d == 2 else [g.ravel() for g in np.meshgrid(a, 0.5 * a)]
    X = np.stack([*grid, np.zeros(grid[0].size)], axis=1)
    apart = np.linalg.norm(X[:, None] - X[None], axis=2)
    C = 1e-5 * np.exp(-apart / 0.05)[:, :, None, None] * (np.eye(d) + 0.2)
    return FrictionalSolid(
        C, X, np.ones(len(X)), TouchedGround(PlaneShape, [*np.eye(d)[-1], 0.0], NODE_FAMILIES[d]), mu
    )


def tilted(d, tilt, depth, along=0.0):
    R = Rotation.from_rotvec([0.0, 0.0, tilt] if d == 2 else [0.3 * tilt, tilt, 0.0]).as_matrix()[:d, :d]
    return np.r_[along * np.eye(d)[0] - depth * np.eye(d)[-1], R.ravel()]


@pytest.mark.parametrize("case", TANGENTS)
def test_tangent_is_the_derivative_of_the_force(case):
    """With open, sticking and sliding nodes, some of which made contact in this step."""
    d, mu, depth, along, states = TANGENTS[case]
    rubs = springs(d, mu)
    rubs.evaluate(tilted(d, 0.01, -1e-4), REQUEST_RESTART)
    rubs.evaluate(tilted(d, 0.01, 0.0), REQUEST_COMMIT)
    x = tilted(d, 0.012, depth, along)
    K, soft = rubs.evaluate(x, REQUEST_STIFFNESS).stiffness, rubs.record.soft
    assert K is not None
    on = soft.active[: soft.counters[NODE_SET_SIZE]]
    assert set(soft.state[on]) == states and 0 < on.size < len(soft.n) and (soft.G[on] > 0.0).any()
    for j in range(x.size):
        nudge = 1e-7 * np.eye(x.size)[j]
        ends = [rubs.evaluate(x + way * nudge, REQUEST_FORCE).slope for way in (1, -1)]
        assert (ends[0] - ends[1]) / 2e-7 == pytest.approx(K[:, j], rel=1e-5, abs=1e-5 * np.abs(K).max())


def test_newton_reduces_the_number_of_rounds():
    """Many strongly coupled nodes: hundreds of rounds without Newton's method, and the laws of friction hold either way."""
    rubs = springs(3, 0.5)
    rubs.evaluate(tilted(3, 0.0, -1e-5), REQUEST_RESTART)
    x = tilted(3, 0.001, 2e-3, 1e-3)
    rubs.evaluate(x, REQUEST_FORCE)
    s = rubs.record.soft
    assert 0 < s.counters[ROUND_COUNT] < 150  # rounds alone: 361
    e = s.e0 + np.einsum("ijab,jb->ia", s.C.reshape(64, 64, 3, 3), s.f)
    N, gap = np.sum(s.n * s.f, axis=1), np.sum(s.n * e, axis=1)
    T, along, on = s.f - N[:, None] * s.n, e - gap[:, None] * s.n, N > 0.0
    assert N.min() == 0.0 and gap.min() > -1e-15 and np.abs(gap[on]).max() < 1e-15 and on.sum() == 40
    slides = -0.5 * N[on, None] * along[on] / np.linalg.norm(along[on], axis=1)[:, None]
    assert T[on] == pytest.approx(slides, abs=1e-10 * N.max())


@pytest.mark.parametrize("mu", [0.0, 0.4])
def test_surfaces_that_are_nearly_flat_are_like_planes(mu):
    """A sphere of 5 m, and a height field of the same shape: equal to each other, and close to the plane."""
    n = np.linspace(-0.2, 0.2, 21)
    z = np.sqrt(SPHERE**2 - n[:, None] ** 2 - n[None] ** 2) - SPHERE
    table = height_table((-0.2, -0.2), (0.02, 0.02), z)
    grounds = {
        "sphere": TouchedGround(SphereShape, [SPHERE, 0.0], NODE_FAMILIES[3]),
        "heights": TouchedGround(HeightFieldShape, [0.0, -0.2, 0.2, -0.2, 0.2], NODE_FAMILIES[3], table),
        "plane": None,
    }
    found = {}
    for name, ground in grounds.items():
        rubs = rubbing(3, mu, ground)
        shift = np.r_[0.0, 0.0, SPHERE if name == "sphere" else 0.0, np.zeros(9)]
        rubs.evaluate(pose(3, depth=1e-5) + shift, REQUEST_RESTART)
        found[name] = wrench(rubs.evaluate(pose(3, depth=3e-3, along=1e-3) + shift, REQUEST_FORCE), 3)
    assert found["heights"] == pytest.approx(found["sphere"], rel=1e-4, abs=1e-4 * found["sphere"][2])
    assert found["sphere"][2] == pytest.approx(found["plane"][2], rel=0.2)
