"""Kernels of every joint and drive compared with differences of their own residual, and the laws that hold for all of
them."""

import numpy as np
import pytest

from derive.differences import check_acceleration_tangents, check_hessian, check_jacobian, check_motion, dot
from derive.elements import CONSTRAINTS, ELEMENTS, LIBRARY, SEEDS, Batch, close_to, mp, turned

table = pytest.mark.parametrize("name", CONSTRAINTS)
seeds = pytest.mark.parametrize("seed", SEEDS)
FREE_OF_GROUND = [name for name in CONSTRAINTS if len(LIBRARY[name][0].attachments) > 1]
"""With one attachment the other side is the ground, which does not move with the rest of the world."""
relative = pytest.mark.parametrize("name", FREE_OF_GROUND)


def test_the_library_is_not_empty():
    assert len(CONSTRAINTS) >= 12 and len(FREE_OF_GROUND) >= 5


@seeds
@table
def test_jacobian(name, seed):
    assert np.abs(check_jacobian(Batch(name, seed))).sum(axis=1).min() > 0  # every row constrains some coordinate


@seeds
@table
def test_motion(name, seed):
    check_motion(Batch(name, seed))


@seeds
@table
def test_only_drives_depend_on_time(name, seed):
    batch = Batch(name, seed)
    phi_t = batch.motion(batch.q, batch.v, batch.u)[1]
    assert [value != 0 for value in phi_t] == [batch.k > 0] * batch.m


@seeds
@table
def test_hessian(name, seed):
    batch = Batch(name, seed)
    check_hessian(batch)
    assert batch.kernels["SYMMETRIC"]


@seeds
@table
def test_acceleration_tangents(name, seed):
    check_acceleration_tangents(Batch(name, seed))


@table
def test_with_floats(name):
    """Kernels in double precision agree with the same kernels in 60 digits, to rounding."""
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
