"""Dense elements in a co-rotating frame: no force from rigid motion, rotated forces, a potential, its tangent."""

import functools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from finite_elements import Batch
from gaitwright.fem.super_element import dense_module, dense_parameters, super_element_module, super_element_parameters

COUNT, BETA = 7, 0.1
CASES = {
    "plane": (2, False),
    "space": (3, False),
    "space, damped": (3, True),
    "plane, damped": pytest.param((2, True), marks=pytest.mark.slow),
}
SOME = [pytest.param(*case.values, id=name, marks=case.marks) if hasattr(case, "marks") else pytest.param(case, id=name)
        for name, case in CASES.items()]  # fmt: skip
rng = np.random.default_rng(0)
STATE = 0.2 * rng.standard_normal((2, COUNT * 3))


@functools.cache
def element(d, damped):
    """A batch of one element, positions and stiffness: positive except for rigid motions."""
    rng = np.random.default_rng(d)
    X = rng.standard_normal((COUNT, d))
    size, arms = COUNT * d, X - X.mean(axis=0)
    turns = [np.stack((-arms[:, 1], arms[:, 0]), axis=1)] if d == 2 else [np.cross(e, arms) for e in np.eye(3)]
    rigid = np.array([*(np.tile(e, (COUNT, 1)).ravel() for e in np.eye(d)), *(turn.ravel() for turn in turns)]).T
    basis, _ = np.linalg.qr(rigid)
    A, off = rng.standard_normal((size, size)), np.eye(size) - basis @ basis.T
    K = off @ A @ A.T @ off
    par = super_element_parameters(rng.uniform(0.5, 1.0, COUNT), X, K, BETA if damped else 0.0)
    return Batch(super_element_module(d, COUNT, damped), np.arange(size)[None], par, size), X, K


def rotation(d):
    return Rotation.from_rotvec([0, 0, 2.5] if d == 2 else [1.0, 2.0, -0.5]).as_matrix()[:d, :d]


def turned(X, u, R, shift=0.7):
    return ((X + u.reshape(X.shape)) @ R.T + shift - X).ravel()


@pytest.mark.parametrize("case", SOME)
def test_rigid_motion_causes_no_force(case):
    batch, X, K = element(*case)
    q = turned(X, np.zeros(X.size), rotation(case[0]))
    np.testing.assert_allclose(batch.force(q), 0.0, atol=1e-14 * np.abs(K).max())
    assert batch.energy(q)[0, 0] < 1e-28 * np.abs(K).max()


@pytest.mark.parametrize("case", SOME)
def test_turned_nodes_have_turned_forces_without_resultant(case):
    batch, X, _ = element(*case)
    d, R = case[0], rotation(case[0])
    u, v = STATE[:, : X.size]
    f = batch.force(u, v).reshape(X.shape)
    after = batch.force(turned(X, u, R), (v.reshape(X.shape) @ R.T).ravel()).reshape(X.shape)
    np.testing.assert_allclose(after, f @ R.T, atol=1e-12 * np.abs(f).max())
    np.testing.assert_allclose(f.sum(axis=0), 0.0, atol=1e-13 * np.abs(f).max())
    x = X + u.reshape(X.shape)
    moment = np.cross(x, f).sum(axis=0) if d == 3 else np.sum(x[:, 0] * f[:, 1] - x[:, 1] * f[:, 0])
    np.testing.assert_allclose(moment, 0.0, atol=1e-13 * np.abs(f).max())


@pytest.mark.parametrize("case", SOME)
def test_force_and_tangent_are_derivatives(case):
    batch, X, _ = element(*case)
    q, v = STATE[:, : X.size]
    h, unit = 1e-6, np.eye(X.size)
    f, (kq, kv) = batch.force(q), batch.blocks(q)
    slope = [(batch.energy(q + h * e)[0, 0] - batch.energy(q - h * e)[0, 0]) / (2 * h) for e in unit]
    np.testing.assert_allclose(f, -np.array(slope), atol=1e-8 * np.abs(f).max())
    columns = np.array([(batch.force(q + h * e) - batch.force(q - h * e)) / (2 * h) for e in unit]).T
    np.testing.assert_allclose(kq[0], -columns, atol=1e-8 * np.abs(kq).max())
    np.testing.assert_allclose(kq[0], kq[0].T, atol=1e-14 * np.abs(kq).max())
    if case[1]:
        by_v = np.array([(batch.force(q, v + h * e) - batch.force(q, v - h * e)) / (2 * h) for e in unit]).T
        np.testing.assert_allclose(batch.blocks(q, v)[1][0], -by_v, atol=1e-8 * np.abs(kv).max())
        lost = batch.energy(q, v)[0, 1]
        assert lost > 0.0
        np.testing.assert_allclose(lost, (f - batch.force(q, v)) @ v, rtol=1e-12)


def test_small_displacements_are_those_of_the_stiffness():
    batch, X, K = element(3, False)
    u = 1e-7 * STATE[0]
    np.testing.assert_allclose(batch.force(u), -K @ u, atol=1e-6 * np.abs(K @ u).max())
    np.testing.assert_allclose(batch.blocks(np.zeros(X.size))[0][0], K, atol=1e-13 * np.abs(K).max())


def test_two_elements_of_one_size_are_one_batch():
    one, X, K = element(3, False)
    size = X.size
    par = np.concatenate((one.par, super_element_parameters(np.ones(COUNT), X[::-1], 2.0 * K)))
    both = Batch(one.module, np.arange(2 * size).reshape(2, size), par, 2 * size)
    other = Batch(one.module, np.arange(size)[None], par[1:], size)
    u, v = STATE
    np.testing.assert_allclose(both.force(np.r_[u, v]), np.r_[one.force(u), other.force(v)])
    np.testing.assert_allclose(both.energy(np.r_[u, v])[:, 0], [one.energy(u)[0, 0], other.energy(v)[0, 0]])
    for k, (alone, q) in enumerate(((one, u), (other, v))):
        np.testing.assert_allclose(both.blocks(np.r_[u, v])[0][k], alone.blocks(q)[0][0])


@pytest.mark.parametrize("damped", [False, True])
def test_linear_elements(damped):
    _, X, K = element(3, False)
    beta, size = BETA if damped else 0.0, X.size
    par = np.repeat(dense_parameters(K, beta), 2, axis=0)
    batch = Batch(dense_module(size, damped), np.arange(2 * size).reshape(2, size), par, 2 * size)
    u, v = STATE
    found = batch.force(np.r_[u, v], np.r_[v, u]).reshape(2, size)
    np.testing.assert_allclose(found, -np.array([u + beta * v, v + beta * u]) @ K, atol=1e-12 * np.abs(K).max())
    energy = batch.energy(np.r_[u, v], np.r_[v, u])
    np.testing.assert_allclose(energy[0, :2], [0.5 * u @ K @ u, beta * v @ K @ v])
    kq, kv = batch.blocks(np.r_[u, v], np.r_[v, u])
    np.testing.assert_array_equal(kq, [K, K])
    np.testing.assert_allclose(kv, [beta * K, beta * K])
