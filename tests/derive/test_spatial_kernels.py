"""Kernels of every spatial joint, drive, force and of rigidity compared with differences of their own residual or energy, and
the laws that hold for all of them: the spatial version of test_constraint_kernels.py and test_force_kernels.py."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from derive.differences import check_acceleration_tangents, check_hessian, check_jacobian, check_motion, difference, dot
from derive.elements import ELEMENTS, MANY, close_to, gradient, mp
from derive.spatial_elements import CONSTRAINTS, FORCES, RIGIDITY, SPATIAL, SpatialBatch, any_rotation, precise
from gaitwright.mechanism.single_element import SingleElement
from gaitwright.physics.declarations import Joint

SEEDS = range(2)
seeds = pytest.mark.parametrize("seed", SEEDS)
constraints = pytest.mark.parametrize("name", CONSTRAINTS)
forces = pytest.mark.parametrize("name", FORCES)


def test_everything_in_space_is_in_the_tables():
    others = {name for name in SPATIAL if name.startswith(("contact", "friction"))}  # tested with the contacts
    assert set(CONSTRAINTS) | set(FORCES) | others == set(SPATIAL)
    # on one body with its axes; on places and on two bodies: test_marker_chain.py
    assert len(FORCES) >= 3 and len(RIGIDITY) == 1


# Constraints ---------------------------------------------------------------------------------------------------------


@seeds
@constraints
def test_jacobian(name, seed):
    assert (
        np.abs(check_jacobian(SpatialBatch(name, seed))).sum(axis=1).min() > 0
    )  # every row constrains some coordinate


@seeds
@constraints
def test_motion(name, seed):
    batch = SpatialBatch(name, seed)
    assert any(value != 0 for value in check_motion(batch)) == (batch.k > 0)  # only drives depend on time


@seeds
@constraints
def test_hessian(name, seed):
    batch = SpatialBatch(name, seed)
    check_hessian(batch)
    assert batch.kernels["SYMMETRIC"]


@seeds
@constraints
def test_acceleration_tangents(name, seed):
    check_acceleration_tangents(SpatialBatch(name, seed))


@pytest.mark.parametrize("name", [*CONSTRAINTS, *FORCES])
def test_with_floats(name):
    """Kernels in double precision agree with the same kernels in 60 digits, to rounding."""
    exact, plain = SpatialBatch(name, 3), SpatialBatch(name, 3, precise=False)
    kernel = "motion" if name in CONSTRAINTS else "force"
    found, wanted = (getattr(batch, kernel)(batch.q, batch.v, batch.u) for batch in (plain, exact))
    for x, y in zip(found, wanted, strict=True) if name in CONSTRAINTS else [(found, wanted)]:
        close_to(x, y)


def turned_rows(batch, values, rotation):
    """Rows called x, y, z are a vector of the ground frame and turn with the world; others stay."""
    rows, out = list(batch.declaration.rows), list(values)
    if "x" in rows:
        for e in range(ELEMENTS):
            index = [batch.row[e, rows.index(axis)] for axis in "xyz"]
            for i, value in zip(index, rotation @ np.array([values[i] for i in index]), strict=True):
                out[i] = value
    return out


SHIFT = [mp.mpf(0.4), mp.mpf(-1.1), mp.mpf(0.7)]


@seeds
@pytest.mark.parametrize("name", RIGIDITY)
def test_moving_the_world_changes_no_constraint(name, seed):
    batch = SpatialBatch(name, seed)
    rotation = precise(any_rotation(batch.rng))
    q = batch.moved(SHIFT, rotation)
    close_to(batch.phi(q, batch.u), turned_rows(batch, batch.phi(batch.q, batch.u), rotation))
    here = dot(batch.position(batch.q, batch.u)[1].T, batch.lam)
    there = dot(batch.position(q, batch.u)[1].T, turned_rows(batch, batch.lam, rotation))
    close_to(there, batch.turned_forces(here, rotation))


@seeds
@pytest.mark.parametrize("name", RIGIDITY)
def test_action_is_reaction_of_constraints(name, seed):
    """In a closed pose the reactions on the bodies add up to no force and no moment; so do those of rigidity."""
    batch = SpatialBatch(name, seed).close()
    reactions = dot(batch.position(batch.q, batch.u)[1].T, batch.lam)
    assert np.abs(reactions).max() > 1e-3
    for e in range(ELEMENTS):
        close_to(batch.resultant(reactions, e), np.zeros(6))


# Forces --------------------------------------------------------------------------------------------------------------


def total(rows, column):
    return sum(row[column] for row in rows)


@seeds
@forces
def test_force_at_rest_is_the_gradient_of_the_potential(name, seed):
    batch = SpatialBatch(name, seed)
    rest, off = batch.zeros(batch.n), batch.zeros(3 * batch.k)
    slope = gradient(lambda q: [total(batch.energy(q, rest, off), 0)], batch.q)[0]
    close_to(batch.force(batch.q, rest, off), -slope)


@seeds
@forces
def test_power(name, seed):
    """Q . v = -dV/dt - dissipated power + power of the loads; dissipated power is never negative."""
    batch = SpatialBatch(name, seed)
    energy = batch.energy(batch.q, batch.v, batch.u)
    rate = difference(lambda q: [total(batch.energy(q, batch.v, batch.u), 0)], batch.q, batch.v)[0]
    power = sum(f * v for f, v in zip(batch.force(batch.q, batch.v, batch.u), batch.v, strict=True))
    close_to(power, -rate - total(energy, 1) + total(energy, 2))
    assert all(row[1] >= 0 for row in energy)


@seeds
@forces
def test_tangents(name, seed):
    batch = SpatialBatch(name, seed)
    kq, kv = batch.tangents(batch.q, batch.v, batch.u)
    close_to(kq, -gradient(lambda q: batch.force(q, batch.v, batch.u), batch.q))
    close_to(kv, -gradient(lambda v: batch.force(batch.q, v, batch.u), batch.v))


@forces
def test_flags_match_the_energies(name):
    """POTENTIAL, DISSIPATES, LOADS and SYMMETRIC; and every force acts in some of the random states."""
    found, strongest, skew = np.zeros(3, dtype=bool), 0.0, 0.0
    for seed in MANY:
        batch = SpatialBatch(name, seed)
        found |= np.any(np.array(batch.energy(batch.q, batch.v, batch.u), dtype=float) != 0, axis=0)
        strongest = max(strongest, *(abs(f) for f in batch.force(batch.q, batch.v, batch.u)))
        for matrix in batch.tangents(batch.q, batch.v, batch.u):
            skew = max(skew, np.abs(matrix - matrix.T).max(initial=0.0))
    assert list(found) == [batch.kernels[flag] for flag in ("POTENTIAL", "DISSIPATES", "LOADS")]
    assert strongest > 1e-3
    assert batch.kernels["SYMMETRIC"] == (skew < 1e-12)


# Freedoms of joints --------------------------------------------------------------------------------------------------

FREE = {  # of b relative to a: all free motions, and how many independent rotations are among them
    "spherical": (3, 3), "revolute": (1, 1), "universal": (2, 2), "cylindrical": (2, 1), "prismatic": (1, 0),
    "planar": (3, 1), "fixed": (0, 0), "distance": (5, 3), "point-on-line": (4, 3), "point-on-plane": (5, 3),
}  # fmt: skip


def test_the_freedom_of_every_joint_is_known():
    own = {name: d for name, d in Joint.registry[3].items() if d.__module__.startswith("gaitwright.")}
    assert {name for name, d in own.items() if not d.stands_for_others} == set(FREE)  # gears tie joints, not bodies


@seeds
@pytest.mark.parametrize("name", FREE)
def test_freedom(name, seed):
    """By rank, for two bodies in random poses with the points that the joint requires."""
    rng = np.random.default_rng(seed)
    first, second = any_rotation(rng), any_rotation(rng)
    axis, arm_a, arm_b, at_a = (rng.normal(size=3) for _ in range(4))
    axis /= np.linalg.norm(axis)
    slid = {"cylindrical": axis, "prismatic": axis, "point-on-line": axis, "planar": np.cross(axis, arm_a),
            "point-on-plane": np.cross(axis, arm_a), "distance": arm_b}.get(name, np.zeros(3))  # fmt: skip
    at_b = at_a + first @ (arm_a + slid) - second @ arm_b
    model = gw.Model(name, dimension=3)
    for body, at, matrix, arm in (("a", at_a, first, arm_a), ("b", at_b, second, arm_b)):
        model.body(body, mass=1.0, inertia=[1, 1, 1], at=at, orientation={"axes": matrix.T}, points={"P": arm})
    fields = {} if name in ("spherical", "fixed", "distance") else {"axis": axis.tolist()}
    if name == "universal":
        fields["axis_b"] = (second.T @ np.cross(first @ axis, rng.normal(size=3))).tolist()
    mechanism = model.joint(name, "joint", a="a.P", b="b.P", **fields).mechanism()
    q = np.append(mechanism.drawn, 0.0)[None]
    rows = []
    for element in mechanism.constraints:
        alone, matrix = SingleElement(element, mechanism.n), np.zeros((len(element.declaration.rows), mechanism.n))
        for k, index in enumerate(element.coordinates):
            body = index[0] - index[0] % 12
            matrix[:, body : body + 12] += alone.slope(k, q, np.zeros((1, 0)))[0]
        rows.append(matrix)
    hold = np.eye(12, mechanism.n)  # body a stays where it is
    _, size, basis = np.linalg.svd(np.vstack([hold, *rows]))
    free = basis[int((size > 1e-9).sum()) :, 12:]  # of b
    spins = np.cross(second.T, free[:, 3:].reshape(-1, 3, 3)).sum(axis=1)
    assert (len(free), int(np.linalg.matrix_rank(spins, tol=1e-9)) if len(free) else 0) == FREE[name]
