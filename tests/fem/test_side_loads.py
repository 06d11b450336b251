"""Pressure and other loads on the sides of solids."""

import numpy as np
import pytest

import gaitwright as gw
from finite_elements import Batch, coordinates
from gaitwright.fem.element_types import SIDE_TYPES
from gaitwright.fem.side_loads import (
    dead_load_module,
    dead_pressure_shares,
    pressure_module,
    pressure_parameters,
    traction_shares,
)

MESHES = {
    "T3": lambda: gw.mesh.disc(0.5, 0.2),
    "T6": lambda: gw.mesh.disc(0.5, 0.25, order=2),
    "TET4": lambda: gw.mesh.ball(0.5, 0.3),
    "TET10": lambda: gw.mesh.ball(0.5, 0.3, order=2),
}
P, THICKNESS = 3.0, 0.4


def pressed(mesh, sides=None, pressure=P):
    sides = mesh.boundary if sides is None else sides
    par = pressure_parameters(mesh.nodes, sides, THICKNESS if mesh.nodes.shape[1] == 2 else 1.0)
    where = coordinates(mesh)[sides].reshape(len(sides), -1)
    return Batch(pressure_module(SIDE_TYPES[mesh.kind.name]), where, par, mesh.nodes.size, signals=(pressure,))


def volume_change(mesh, q):
    """Return dV/dq and V of the deformed solid, from its cells."""

    def volume(q):
        moved = mesh.nodes + q.reshape(mesh.nodes.shape)
        return gw.mesh.Mesh(moved, mesh.cells).volume * (THICKNESS if mesh.nodes.shape[1] == 2 else 1.0)

    return volume


@pytest.mark.parametrize("kind", MESHES)
def test_pressure_works_on_the_volume(kind):
    """On a closed surface f = -p dV/dq: by differences of the volume, which is cubic in q."""
    mesh = MESHES[kind]()
    batch, random = pressed(mesh), np.random.default_rng(0)
    q = 0.01 * random.normal(size=mesh.nodes.size)
    volume = volume_change(mesh, q)
    force = batch.force(q)
    for _ in range(3):
        way, h = random.normal(size=q.size), 1e-3
        one, two = (volume(q + k * h * way) - volume(q - k * h * way) for k in (1, 2))
        assert force @ way == pytest.approx(-P * (8 * one - two) / (12 * h), rel=1e-8, abs=1e-9)
    # no force and no moment as a whole
    d = mesh.nodes.shape[1]
    f, x = force.reshape(-1, d), mesh.nodes + q.reshape(-1, d)
    assert np.abs(f.sum(axis=0)).max() < 1e-14
    assert np.abs(np.einsum("ai,aj->ij", x, f) - np.einsum("ai,aj->ji", x, f)).max() < 1e-14


@pytest.mark.parametrize("kind", MESHES)
def test_the_tangent_of_pressure(kind):
    """Compared with differences, for a part of the surface; on all of it the tangent is symmetric."""
    mesh = MESHES[kind]()
    random = np.random.default_rng(1)
    q, way = 0.01 * random.normal(size=mesh.nodes.size), random.normal(size=mesh.nodes.size)
    some = pressed(mesh, mesh.boundary[::3])
    h = 1e-3  # forces are at most quadratic in q
    slope = (some.force(q + h * way) - some.force(q - h * way)) / (2 * h)
    K = some.tangent(q)
    assert np.abs(K @ way + slope).max() < 1e-11
    assert np.abs(K - K.T).max() > 1e-3 and not some.module.SYMMETRIC
    closed = pressed(mesh).tangent(q)
    assert np.abs(closed - closed.T).max() < 1e-13


@pytest.mark.parametrize("kind", MESHES)
def test_the_power_of_pressure(kind):
    mesh = MESHES[kind]()
    random = np.random.default_rng(2)
    q, v = 0.01 * random.normal(size=mesh.nodes.size), random.normal(size=mesh.nodes.size)
    batch = pressed(mesh)
    power = batch.energy(q, v)
    assert power[:, 2].sum() == pytest.approx(batch.force(q) @ v) and not power[:, :2].any() and batch.module.LOADS


@pytest.mark.parametrize("kind", MESHES)
def test_loads_that_keep_their_direction(kind):
    """Undeformed, they are equal to pressure; traction on all sides is traction times area."""
    mesh = MESHES[kind]()
    d = mesh.nodes.shape[1]
    thickness = THICKNESS if d == 2 else 1.0
    dead = dead_pressure_shares(SIDE_TYPES[mesh.kind.name], mesh.nodes, mesh.boundary, thickness)
    batch = Batch(dead_load_module(d), coordinates(mesh), dead, mesh.nodes.size, signals=(P,))
    still, v = np.zeros(mesh.nodes.size), np.ones(mesh.nodes.size)
    assert np.allclose(batch.force(still), pressed(mesh).force(still), rtol=0, atol=1e-14)
    assert batch.energy(still, v)[:, 2].sum() == pytest.approx(batch.force(still) @ v)
    shares = traction_shares(mesh.nodes, mesh.boundary, thickness)
    area = 2 * np.pi * 0.5 * THICKNESS if d == 2 else 4 * np.pi * 0.25
    assert shares.sum() == pytest.approx(area, rel={"T3": 0.05, "TET4": 0.2, "T6": 1e-3, "TET10": 0.02}[kind])
