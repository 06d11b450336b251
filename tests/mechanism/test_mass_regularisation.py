"""Bodies without thickness: the regularised factorisation compared with dense linear algebra on the original matrices."""

from types import SimpleNamespace

import numpy as np
import pytest

from gaitwright.geometry.inertia import mass_matrix, second_moments
from gaitwright.geometry.inertia import thin_body_inertia as brace_of
from gaitwright.linalg.elimination import write_pivots
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.coupled_stages import add_stage, build_coupled_stages, factor_stages, solve_stages
from gaitwright.mechanism.evaluation import (
    evaluate_acceleration_tangents,
    evaluate_position,
    evaluate_tangents,
    new_workspace,
    update_signals,
)
from gaitwright.mechanism.kkt import (
    build_kkt,
    factor_kkt,
    fill_kkt,
    fill_mass,
    fill_tangent,
    find_singular_row,
    solve_kkt,
    store_reference_pivots,
)
from gaitwright.mechanism.mass_regularisation import find_massless_axes, inertia_free_axis
from gaitwright.mechanism.table_builder import build_tables, compile_tangents
from gaitwright.mechanism.tables import GROUND
from gaitwright.mechanisms import four_bar
from gaitwright.model.expressions import compile_program, parse
from gaitwright.physics.bodies.rigidity import OrthonormalAxes
from gaitwright.physics.bodies.spatial import SpatialRigidBody
from gaitwright.physics.forces.force import FollowerForce
from gaitwright.physics.joints.revolute import SpatialRevolute
from gaitwright.physics.joints.spherical import Spherical
from gaitwright.physics.joints.universal import Universal
from mechanism.systems import Dense, stored_matrix

ROD, PLATE, SOLID = np.diag([0.0, 0.2, 0.2]), np.diag([0.3, 0.1, 0.4]), np.diag([0.2, 0.3, 0.25])
PARTS = ((ROD, (0.4, 0.0, 0.0)), (PLATE, (0.0, 0.0, 0.0)), (SOLID, (0.1, -0.2, 0.05)))
MASS = 1.3
T = 0.4
NOWHERE = np.full(12, GROUND)


def at(body):
    return NOWHERE if body < 0 else 12 * body + np.arange(12)


def joint(declaration, a, b, parameters):
    return MechanismElement(declaration, (SpatialRigidBody, SpatialRigidBody), (at(a), at(b)), parameters, [])


def thin_parts():
    """A thin rod on the ground, a plate hinged to it and a solid on a ball joint: mass, constraints, bodies, rows of rigidity
    and their weights."""
    values = [mass_matrix(MASS, np.array(c), second_moments(inertia, "body")) for inertia, c in PARTS]
    row, col = (np.concatenate([12 * k + part.ravel() for k in range(3)]) for part in np.indices((12, 12)))
    mass = row, col, np.concatenate([value.ravel() for value in values])
    constraints = [MechanismElement(OrthonormalAxes, (SpatialRigidBody,), (at(k)[3:],), [], []) for k in range(3)]
    ends = [0.1, 0.2, 0.3, 0.0, 0.0, 0.0]
    constraints.append(joint(Universal, -1, 0, [*ends, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0]))
    hinge = [0.0, 0.6, 0.8, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -0.8, 0.6, 0.0, 0.0, 1.0]
    constraints.append(joint(SpatialRevolute, 0, 1, [0.8, 0.0, 0.0, -0.3, 0.1, 0.0, *hinge]))
    constraints.append(joint(Spherical, 1, 2, [0.3, 0.2, 0.0, 0.0, 0.1, 0.2]))
    bodies = [SimpleNamespace(name=f"body {k}", index=at(k), inertia=inertia) for k, (inertia, _) in enumerate(PARTS)]
    weights = [brace_of(MASS, np.array(c), second_moments(inertia, "body")) for inertia, c in PARTS]
    braced = [(6 * k + i, weight) for k, weight in enumerate(weights) if weight for i in range(6)]
    return mass, constraints, bodies, braced


def follower():
    """A force that turns with the plate, which makes the tangent unsymmetric."""
    return MechanismElement(FollowerForce, (SpatialRigidBody,), (at(1),), [0.1, 0.2, 0.3, 1.0], [0, 1, 2])


def thin_system(braced=True, redundant=(), loads=()):
    mass, constraints, bodies, rows = thin_parts()
    thin = [(rod.row, rod.axis, rod.weight) for rod in find_massless_axes(rows, constraints, bodies)] if braced else ()
    signals = [compile_program(parse(text, {}), {}) for text in ("1", "2*t", "3")] if loads else []
    s = build_tables(36, mass, constraints, loads, signals, redundant, braced=rows if braced else (), rods=thin)
    rng = np.random.default_rng(3)
    axes = [np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(3)]
    q = np.concatenate([np.r_[rng.normal(size=3), (A - np.eye(3)).T.ravel()] for A in axes] + [np.zeros(1)])
    v, a = (np.append(rng.normal(size=36), 0.0) for _ in range(2))
    return s, q, v, a, rng.normal(size=s.m_all)


def close_to(x, truth, tolerance=1e-12):
    assert np.abs(x - truth).max() <= tolerance * np.abs(truth).max()


def test_rods():
    """The rigidity of rod and plate is regularised; the rod has an axis about which it turns without inertia."""
    _, constraints, bodies, rigidity = thin_parts()
    assert {row for row, _ in rigidity} == set(range(12))
    (rod,) = find_massless_axes(rigidity, constraints, bodies)
    assert (rod.body, rod.row, rod.weight) == (bodies[0], 0, rigidity[0][1])
    assert np.abs(rod.axis).tolist() == [1.0, 0.0, 0.0]
    assert [inertia_free_axis(body.inertia) is not None for body in bodies] == [True, False, False]
    assert find_massless_axes([], constraints, bodies) == []


@pytest.mark.parametrize("redundant", [(), (23,)])
def test_solution_matches_the_original_matrix(redundant):
    s, q, *_ = thin_system(redundant=redundant)
    system, dense = build_kkt(s), Dense(s, 0.0)
    J = dense.jacobian(q)[: s.m]
    truth = np.block([[dense.M, J.T], [J, np.zeros((s.m, s.m))]])
    assert np.linalg.matrix_rank(dense.M) == 36 - 6 - 3 and np.linalg.cond(truth) < 1e4
    fill_mass(s, dense.w, system)
    assert factor_kkt(system) == -1
    found = np.zeros(s.n + s.m + 1)
    write_pivots(system.elimination, system.K, found)
    assert np.all(found[: s.n] > 1e-3) and np.all(found[s.n : -1] < 0) and 1e-3 < found[-1] < s.rod_weight[0]
    for seed in range(3):
        rhs = np.random.default_rng(seed).normal(size=s.n + s.m)
        system.rhs[: rhs.size] = rhs
        solve_kkt(system)
        close_to(system.rhs[: rhs.size], np.linalg.solve(truth, rhs))


@pytest.mark.parametrize("loads", [(), (follower(),)], ids=["symmetric", "general"])
def test_tangent(loads):
    """The matrix of generalized-alpha, with a second right-hand side for a stored factorisation."""
    s, q, v, _, lam = thin_system(loads=loads)
    system, dense = build_kkt(s, tangent=True), Dense(s, T)
    J = dense.jacobian(q)
    evaluate_tangents(s, dense.w, q, v, lam)
    dense.w.kq[s.coupling] = 0.0  # left out of the matrix
    kq, kv = dense.square(dense.w.kq), dense.square(dense.w.kv)
    fill_tangent(s, dense.w, system, 0.07, 0.02)
    assert system.general == bool(loads) and factor_kkt(system) == -1
    truth = np.block([[dense.M + 0.07 * kv + 0.02 * kq, J.T], [J, np.zeros((s.m, s.m))]])
    dense.jacobian(-q)  # the Phi_q of another pose does not change the factorised matrix
    system.rhs[: s.n + s.m] = rhs = np.arange(1.0, s.n + s.m + 1)
    solve_kkt(system)
    close_to(system.rhs[: rhs.size], np.linalg.solve(truth, rhs))


@pytest.mark.parametrize("count", [1, 2])
def test_stages(count):
    """The coupling of constraint rows between the stages is included."""
    A = np.array([[0.3, -0.1], [0.4, 0.2]])[:count, :count]
    (s, q, v, a, lam), bare = thin_system(loads=(follower(),)), thin_system(False, loads=(follower(),))[0]
    braced, plain, w = build_coupled_stages(s, count), build_coupled_stages(bare, count), new_workspace(s)
    compile_tangents(bare)
    update_signals(s, w, T)
    for i in range(count):
        turned = np.append(q[:-1] + 0.1 * i * v[:-1], 0.0)
        evaluate_position(s, w, turned)
        evaluate_tangents(s, w, turned, v, lam)
        evaluate_acceleration_tangents(s, w, turned, v, a, 2.0, 5.0)
        add_stage(s, w, braced, i, A, A @ A, 0.1)
        add_stage(bare, w, plain, i, A, A @ A, 0.1)
    truth = stored_matrix(plain.elimination, plain.K, True)
    assert factor_stages(braced) == -1
    rhs = np.random.default_rng(1).normal(size=truth.shape[0])
    braced.rhs[:] = np.r_[rhs, np.full(count, np.nan)]
    solve_stages(braced)
    close_to(braced.rhs[:-count], np.linalg.solve(truth, rhs))


def test_without_braces_the_elimination_fails_and_weights_need_none():
    """A positive definite weight remains unchanged, also right after a regularised matrix."""
    (s, q, *_), bare = thin_system(), thin_system(False)[0]
    w, system, plain = new_workspace(s), build_kkt(s), build_kkt(bare)
    evaluate_position(s, w, q)
    fill_mass(bare, w, plain)
    assert factor_kkt(plain) >= 0
    fill_mass(s, w, system)
    weight = np.where(s.mass_row == s.mass_col, 2.0, 0.0)
    fill_kkt(s, w, system, weight)
    J = Dense(s, 0.0).jacobian(q)
    truth = np.block([[2.0 * np.eye(s.n), J.T], [J, np.zeros((s.m, s.m))]])
    close_to(stored_matrix(system.elimination, system.K, False)[:-1, :-1], truth, 1e-15)
    system.rhs[: s.n + s.m] = rhs = np.arange(1.0, s.n + s.m + 1)
    assert factor_kkt(system) == -1
    solve_kkt(system)
    close_to(system.rhs[: rhs.size], np.linalg.solve(truth, rhs))


def test_unconstrained_rod_is_detected_by_its_pivot():
    """In the pose in which the axes of the universal joint and the rod's own lie in one plane, its rotation is not
    constrained."""
    mass, constraints, bodies, rows = thin_parts()
    constraints = [constraints[0], constraints[3]]
    keep = mass[0] < 12
    mass = tuple(part[keep] for part in mass)
    (rod,) = find_massless_axes(rows[:6], constraints, bodies[:1])
    s = build_tables(12, mass, constraints, [], [], braced=rows[:6], rods=[(rod.row, rod.axis, rod.weight)])
    w, system = new_workspace(s), build_kkt(s)

    def look(angle):
        """Rod along v1, turned up from the ground by an angle about y; Phi = z . v2, whose derivative in the rotation is z .
        v3."""
        c, si = np.cos(angle), np.sin(angle)
        axes = np.array([[c, 0.0, si], [0.0, 1.0, 0.0], [-si, 0.0, c]])
        evaluate_position(s, w, np.r_[0.1, 0.2, 0.3, (axes - np.eye(3)).ravel(), 0.0])
        assert np.abs(w.phi).max() < 1e-15
        fill_mass(s, w, system)
        return factor_kkt(system)

    assert look(0.1) == -1
    store_reference_pivots(s, system)
    assert find_singular_row(s, system) == -1
    assert look(np.pi / 2 - 1e-4) == -1 and find_singular_row(s, system) == -1
    assert look(np.pi / 2 - 1e-8) == -1 and find_singular_row(s, system) == s.m


def test_nothing_changes_for_models_without_such_bodies():
    system = build_kkt(four_bar().mechanism().system)
    assert system.brace.entry.size == system.brace.first.size == system.brace.turn.size == 0


def test_two_systems_of_one_mechanism_share_no_scratch():
    s, q, *_ = thin_system()
    w, first = new_workspace(s), build_kkt(s)
    evaluate_position(s, w, q)
    fill_mass(s, w, first)
    assert factor_kkt(first) == -1
    rhs = first.rhs[: s.n + s.m] = np.arange(1.0, s.n + s.m + 1)
    second = build_kkt(s)
    evaluate_position(s, w, -q)
    fill_mass(s, w, second)
    second.rhs[:] = np.nan
    solve_kkt(first)
    J = Dense(s, 0.0).jacobian(q)
    truth = np.block([[Dense(s, 0.0).M, J.T], [J, np.zeros((s.m, s.m))]])
    close_to(first.rhs[: rhs.size], np.linalg.solve(truth, rhs))
