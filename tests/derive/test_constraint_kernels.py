"""Kernels of every joint and drive against differences of their own residual, and the laws that all of them keep."""

import numpy as np
import pytest

from derive.elements import CONSTRAINTS, ELEMENTS, LIBRARY, SEEDS, STEP, Batch, close_to, gradient, mp, turned

table = pytest.mark.parametrize("name", CONSTRAINTS)
seeds = pytest.mark.parametrize("seed", SEEDS)
FREE_OF_GROUND = [name for name in CONSTRAINTS if len(LIBRARY[name][0].attachments) > 1]
"""With one attachment the other side is the ground, which does not move with the rest of the world."""
relative = pytest.mark.parametrize("name", FREE_OF_GROUND)


def along(batch, dt):
    """Phi a moment dt later, on a motion with constant acceleration."""
    q = [q + dt * v + dt * dt / 2 * a for q, v, a in zip(batch.q, batch.v, batch.a, strict=True)]
    u = list(batch.u)
    for k in range(batch.k):
        f, df, ddf = batch.u[3 * k : 3 * k + 3]
        u[3 * k] = f + dt * df + dt * dt / 2 * ddf
    return batch.phi(q, u)


def dot(matrix, x):
    return matrix @ np.array(x, dtype=float)


def test_the_library_is_not_empty():
    assert len(CONSTRAINTS) >= 12 and len(FREE_OF_GROUND) >= 5


@seeds
@table
def test_jacobian(name, seed):
    batch = Batch(name, seed)
    phi, jacobian = batch.position(batch.q, batch.u)
    close_to(phi, batch.phi(batch.q, batch.u), 1e-15)
    close_to(jacobian, gradient(lambda q: batch.phi(q, batch.u), batch.q))
    assert np.abs(jacobian).sum(axis=1).min() > 0  # every row restrains something


@seeds
@table
def test_motion(name, seed):
    """Phi, Phi', Phi_t and gamma from Phi along a motion."""
    batch = Batch(name, seed)
    phi, phi_t, phi_dot, gamma, jacobian = batch.motion(batch.q, batch.v, batch.u)
    before, now, after = along(batch, -STEP), along(batch, mp.mpf(0)), along(batch, STEP)
    close_to(phi, now)
    close_to(phi_dot, [(p - m) / (2 * STEP) for p, m in zip(after, before, strict=True)])
    second = [(p - 2 * z + m) / STEP**2 for p, z, m in zip(after, now, before, strict=True)]
    close_to(dot(jacobian, batch.a) - np.array(gamma, dtype=float), second)
    close_to(phi_t, np.array(phi_dot, dtype=float) - dot(jacobian, batch.v))
    close_to(jacobian, batch.position(batch.q, batch.u)[1], 1e-15)


@seeds
@table
def test_only_drives_depend_on_time(name, seed):
    batch = Batch(name, seed)
    phi_t = batch.motion(batch.q, batch.v, batch.u)[1]
    assert [value != 0 for value in phi_t] == [batch.k > 0] * batch.m


@seeds
@table
def test_hessian(name, seed):
    """(Phi_q^T lambda)_q, and its symmetry."""
    batch = Batch(name, seed)

    def reactions(q):
        above = [batch.phi(_shifted(q, i, +1), batch.u) for i in range(batch.n)]
        below = [batch.phi(_shifted(q, i, -1), batch.u) for i in range(batch.n)]
        return [
            sum(l * (p - m) for l, p, m in zip(batch.lam, a, b, strict=True)) / (2 * STEP)
            for a, b in zip(above, below, strict=True)
        ]

    hessian = batch.hessian(batch.q, batch.u, batch.lam)
    close_to(hessian, gradient(reactions, batch.q))
    close_to(hessian, hessian.T, 1e-15)
    assert batch.kernels["SYMMETRIC"]


def _shifted(q, i, sign):
    q = list(q)
    q[i] = q[i] + sign * STEP
    return q


@pytest.mark.slow
@seeds
@table
def test_acceleration_tangents(name, seed):
    """gq and gv of Phi'' + damp Phi' + stiff Phi."""
    batch = Batch(name, seed)
    damp, stiff = mp.mpf(1.7), mp.mpf(2.3)

    def stabilised(q, v):
        phi, _, phi_dot, gamma, _ = batch.motion(q, v, batch.u)
        accelerated = [mp.mpf(0)] * batch.m
        for i, a in enumerate(batch.a):
            above, below = batch.phi(_shifted(q, i, 1), batch.u), batch.phi(_shifted(q, i, -1), batch.u)
            for k in range(batch.m):
                accelerated[k] += (above[k] - below[k]) / (2 * STEP) * a
        return [x - g + damp * d + stiff * p for x, g, d, p in zip(accelerated, gamma, phi_dot, phi, strict=True)]

    gq, gv = batch.acceleration(batch.q, batch.v, batch.a, batch.u, damp, stiff)
    close_to(gq, gradient(lambda q: stabilised(q, batch.v), batch.q))
    close_to(gv, gradient(lambda v: stabilised(batch.q, v), batch.v))


@table
def test_with_floats(name):
    """What runs is double precision: as the same kernel with 60 digits, to rounding."""
    exact, plain = Batch(name, 3), Batch(name, 3, precise=False)
    for x, y in zip(exact.motion(exact.q, exact.v, exact.u), plain.motion(plain.q, plain.v, plain.u), strict=True):
        close_to(y, x, 1e-13)


def turned_rows(batch, values, angle):
    """Rows called fx, fy are a vector of the ground frame and turn with the world; others stay."""
    rows, out = list(batch.declaration.rows), list(values)
    if "fx" in rows:
        for e in range(ELEMENTS):
            x, y = batch.row[e, rows.index("fx")], batch.row[e, rows.index("fy")]
            out[x], out[y] = turned(values[x], values[y], angle)
    return out


@seeds
@relative
def test_moving_the_world_changes_nothing(name, seed):
    batch, angle = Batch(name, seed), mp.mpf(0.83)
    q = batch.moved((mp.mpf(0.4), mp.mpf(-1.1)), angle)
    close_to(batch.phi(q, batch.u), turned_rows(batch, batch.phi(batch.q, batch.u), angle))
    here = dot(batch.position(batch.q, batch.u)[1].T, batch.lam)
    there = dot(batch.position(q, batch.u)[1].T, turned_rows(batch, batch.lam, angle))
    close_to(there, batch.turned_forces(here, angle))


@seeds
@relative
def test_action_is_reaction(name, seed):
    """In a closed pose the reactions of a joint on its bodies add up to no force and no moment."""
    batch = Batch(name, seed).close()
    reactions = dot(batch.position(batch.q, batch.u)[1].T, batch.lam)
    assert np.abs(reactions).max() > 1e-3
    for e in range(ELEMENTS):
        close_to(batch.resultant(reactions, e), [0, 0, 0])
