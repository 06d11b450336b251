"""Elements in tables: assembled values compared with differences of the assembled residual, on the ground, on one body,
duplicated."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.derive.kernel_library import kernel_module, kernel_name
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.evaluation import evaluate_energies, evaluate_powers, evaluate_tangents, new_workspace
from gaitwright.mechanism.table_builder import build_tables
from gaitwright.mechanism.tables import GROUND
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.declarations import Constraint, Drive, Force
from mechanism.systems import (
    SIZE,
    WIDTH,
    Dense,
    differences,
    planar,
    random_element,
    random_mass,
    random_parts,
    random_state,
)

SEEDS = range(4)
EVERY = {kernel_name(d, f): (d, f) for d, f in planar() if issubclass(d, (Constraint, Force))}
RIGID = {name: (d, f) for name, (d, f) in EVERY.items() if all(family is PlanarRigidBody for family in f)}
"""Joints, drives and forces; contacts have their own tables, see tests/contact."""


def random_system(seed):
    rng, constraints, loads, signals = random_parts(seed)
    s = build_tables(SIZE, random_mass(rng), constraints, loads, signals)
    return s, random_state(rng, s)


def one_element(which, bodies, seed=0):
    """A system with one element between the given bodies, and a random state."""
    declaration, families = EVERY[which]
    rng, signals = np.random.default_rng(seed), []
    element = random_element(declaration, families, rng, bodies, signals)
    constraint = issubclass(declaration, Constraint)
    n = 2 * WIDTH
    mass = (np.arange(n), np.arange(n), np.ones(n))
    s = build_tables(n, mass, [element] if constraint else [], [] if constraint else [element], signals)
    return s, random_state(rng, s), constraint


def check_derivatives(s, state, constraints=True):
    """Compare Phi_q, tangents and acceleration tangents with differences; the entry of the ground is never changed."""
    q, v, a, lam = state
    dense = Dense(s)

    def near(matrix, truth):
        assert np.abs(matrix - truth).max(initial=0.0) < 1e-8 * (1 + np.abs(truth).max(initial=0.0))

    def moved(x):
        return np.append(x, 0.0)

    J = dense.jacobian(q)
    near(J, differences(lambda x: dense.phi(moved(x)), q[:-1]).reshape(J.shape))
    _, phi_t, phi_dot, _ = dense.motion(q, v)
    near(phi_dot, J @ v[:-1] + phi_t)
    kq, kv = dense.tangents(q, v, lam)
    near(kq, differences(lambda x: dense.jacobian(moved(x)).T @ lam - dense.force(moved(x), v), q[:-1]))
    near(kv, differences(lambda x: -dense.force(q, moved(x)), v[:-1]))

    def stabilised(q, v):
        phi, _, phi_dot, gamma = dense.motion(q, v)
        return dense.jacobian(q) @ a[:-1] - gamma + 1.3 * phi_dot + 0.7 * phi

    gq, gv = dense.acceleration_tangents(q, v, a, 1.3, 0.7)
    near(gq, differences(lambda x: stabilised(moved(x), v), q[:-1]).reshape(gq.shape))
    near(gv, differences(lambda x: stabilised(q, moved(x)), v[:-1]).reshape(gv.shape))


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_at_once(seed):
    s, state = random_system(seed)
    assert s.m == s.m_all == sum(len(d.rows) for d, _ in EVERY.values() if issubclass(d, Constraint))
    check_derivatives(s, state)


@pytest.mark.parametrize("which", EVERY)
def test_on_the_ground(which):
    """Every attachment in turn on the ground: exactly the entries of the ground are outside of all patterns."""
    attachments = len(EVERY[which][1])
    rigid = [k for k, family in enumerate(EVERY[which][1]) if family is PlanarRigidBody]
    for grounded in rigid if attachments > 1 else []:
        bodies = [0, 1, 0][:attachments]
        bodies[grounded] = GROUND
        s, state, _ = one_element(which, bodies)
        assert max(s.jac_col, default=0) < s.n and max(s.k_col, default=0) < s.n and max(s.k_row, default=0) < s.n
        check_derivatives(s, state)


@pytest.mark.parametrize("which", [name for name, (_, families) in RIGID.items() if len(families) > 1])
def test_both_ends_on_one_body(which):
    """Entries with the same row and column are added: the element is stored once per position, not twice."""
    s, state, constraint = one_element(which, [1] * len(EVERY[which][1]))
    pairs = list(zip(s.jac_row, s.jac_col, strict=True)) if constraint else list(zip(s.k_row, s.k_col, strict=True))
    assert len(pairs) == len(set(pairs))
    check_derivatives(s, state)


@pytest.mark.parametrize("which", [name for name, (d, f) in RIGID.items() if len(f) > 1 and issubclass(d, Force)])
def test_a_force_inside_one_body_does_nothing(which):
    s, (q, v, _, _), _ = one_element(which, [1] * len(EVERY[which][1]))
    assert np.abs(Dense(s).force(q, v)).max() < 1e-13


def test_duplicate_element_counts_twice():
    """Two equal springs pull twice as hard; their tangents share their slots."""
    declaration, families = EVERY["force_spring_damper__planar_planar"]
    rng = np.random.default_rng(1)
    element = random_element(declaration, families, rng, [0, 1], [])
    n = 2 * WIDTH
    mass = (np.arange(n), np.arange(n), np.ones(n))
    once, twice = build_tables(n, mass, [], [element], []), build_tables(n, mass, [], [element, element], [])
    q, v, _, lam = random_state(rng, once)
    assert once.k_row.size == twice.k_row.size
    assert np.allclose(Dense(twice).force(q, v), 2 * Dense(once).force(q, v), rtol=1e-14, atol=0)
    for two, one in zip(Dense(twice).tangents(q, v, lam), Dense(once).tangents(q, v, lam), strict=True):
        assert np.allclose(two, 2 * one, rtol=1e-14, atol=0)


def test_redundant_rows_come_last_and_are_watched():
    rng, constraints, loads, signals = random_parts(3)
    mass = random_mass(rng)
    plain = build_tables(SIZE, mass, constraints, loads, signals)
    moved = build_tables(SIZE, mass, constraints, loads, signals, redundant=[7, 2])
    q, v, *_ = random_state(rng, plain)
    order = [k for k in range(plain.m_all) if k not in (2, 7)] + [2, 7]
    assert (moved.m, moved.m_all) == (plain.m - 2, plain.m_all)
    assert np.array_equal(Dense(moved).phi(q), Dense(plain).phi(q)[order])
    assert np.array_equal(Dense(moved).jacobian(q), Dense(plain).jacobian(q)[order])
    for mine, theirs in zip(Dense(moved).motion(q, v), Dense(plain).motion(q, v), strict=True):
        assert np.array_equal(mine, theirs[order])


def test_batches_group_by_type_and_energies_keep_their_place():
    """Elements of a type form one batch in any order, and each keeps its own power."""
    rng, _, loads, signals = random_parts(5)
    shuffled = [loads[i] for i in rng.permutation(len(loads))] + loads[:3]
    n = SIZE
    mass = (np.arange(n), np.arange(n), np.ones(n))
    s = build_tables(n, mass, [], shuffled, signals)
    kernels = {kernel_module(load.declaration, load.families) for load in loads}
    assert len(s.forces.table) + len(s.chain.forces.table) == len(kernels) < len(loads)
    q, v, *_ = random_state(rng, s)
    dense = Dense(s)
    evaluate_powers(s, dense.w, q, v, np.zeros(0))
    for k, element in enumerate(shuffled):
        alone = Dense(build_tables(n, mass, [], [element], signals))
        evaluate_powers(alone.s, alone.w, q, v, np.zeros(0))
        assert np.array_equal(dense.w.power[s.power_force == k], alone.w.power)
        assert np.array_equal(s.power_kind[s.power_force == k], alone.s.power_kind)


@pytest.mark.parametrize("seed", SEEDS)
def test_powers_match_the_change_of_energy(seed):
    """Power of each drive is minus its reaction times Phi_t; dissipation and loads are those of the energy table."""
    s, (q, v, _, lam) = random_system(seed)
    dense = Dense(s)
    _, phi_t, *_ = dense.motion(q, v)
    evaluate_energies(s, dense.w, q, v)
    table = dense.w.energy.copy()
    evaluate_powers(s, dense.w, q, v, lam)
    n_drives = s.drive_rows.size
    assert np.allclose(dense.w.power[:n_drives], lam[s.drive_rows] * phi_t[s.drive_rows], rtol=1e-15, atol=0)
    assert np.array_equal(dense.w.power[n_drives:], table[s.power_entry])  # single elements, each with its own power
    assert np.array_equal(s.power_entry % 3, s.power_kind)
    unlisted = np.setdiff1d(np.arange(table.size), s.power_entry)
    assert np.all(table[unlisted[unlisted % 3 > 0]] == 0)  # all forces that do work are included
    rows = {int(row) for row in s.drive_rows}
    assert rows == {int(k) for k in np.flatnonzero(phi_t)}


def test_rows_that_depend_on_time_are_those_of_drives():
    _, constraints, _, signals = random_parts(0)
    s = build_tables(SIZE, (np.arange(0),) * 3, constraints, [], signals)
    expected = sum(len(e.declaration.rows) for e in constraints if issubclass(e.declaration, Drive))
    assert s.drive_rows.size == expected


def test_an_empty_system_is_allowed():
    """A free body: no constraints, no forces, no signals."""
    s = build_tables(3, (np.arange(3), np.arange(3), np.ones(3)), [], [], [])
    assert (s.n, s.m, s.m_all) == (3, 0, 0) and s.symmetric
    w = new_workspace(s)
    assert w.phi.size == 0 and w.jac.size == 1 and w.force.size == 4


def test_symmetry_of_the_whole_follows_from_its_forces():
    def system(kind):
        force = MechanismElement(Force.registry[2][kind], (PlanarRigidBody,), (np.arange(3),), [0.1, 0.0, 0.0], [0, 1])
        _, _, _, signals = random_parts(0)
        return build_tables(3, (np.arange(3),) * 2 + (np.ones(3),), [], [force], signals)

    assert system("force").symmetric and not system("follower-force").symmetric
    assert gw.Model().body("b", mass=1, inertia=1).mechanism().system.symmetric


def test_tangents_that_were_not_compiled_are_refused_instead_of_called():
    """A kernel that is not compiled has the address 0; calling it would end the process."""
    s, _ = random_system(0)
    w, zero = new_workspace(s), np.zeros(SIZE + 1)
    with pytest.raises(RuntimeError, match="compile_tangents"):
        evaluate_tangents(s, w, zero, zero, np.zeros(s.m_all))
