"""Saddle-point systems compared with dense linear algebra, for random systems with every joint, drive and force."""

import numpy as np
import pytest

from gaitwright.mechanism.coupled_stages import add_stage, build_coupled_stages, factor_stages, solve_stages
from gaitwright.mechanism.evaluation import (
    evaluate_motion,
    evaluate_position,
    evaluate_tangents,
    new_workspace,
    update_signals,
)
from gaitwright.mechanism.kkt import (
    build_kkt,
    factor_kkt,
    fill_kkt,
    fill_tangent,
    find_singular_row,
    solve_accelerations,
    solve_kkt,
    store_reference_pivots,
)
from gaitwright.mechanism.projection import MASS_METRIC, project_state, project_velocity
from gaitwright.mechanisms import four_bar
from mechanism.systems import Dense, differences, regular_system, stored_matrix

SEEDS = range(4)
T = 0.4


def close_to(x, truth, tolerance=1e-11):
    """Assert equality relative to the largest entry; the condition number of the samples is below 200^2."""
    assert np.abs(x - truth).max() <= tolerance * np.abs(truth).max()


@pytest.mark.parametrize("redundant", [(), (3, 11)])
@pytest.mark.parametrize("seed", SEEDS)
def test_accelerate(seed, redundant):
    s, (q, v, _, _) = regular_system(seed, redundant)
    w, system = new_workspace(s), build_kkt(s)
    a, lam = np.zeros(s.n + 1), np.zeros(s.m_all)
    for damp, stiff in ((0.0, 0.0), (30.0, 225.0)):
        assert solve_accelerations(s, w, system, T, q, v, damp, stiff, a, lam) == -1
        truth_a, truth_lam = Dense(s, T).accelerations(q, v, damp, stiff)
        close_to(a[:-1], truth_a)
        close_to(lam[: s.m], truth_lam)
        assert a[-1] == 0 and np.all(lam[s.m :] == 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_fill_and_tangent(seed):
    """The matrix of generalized-alpha: mass, tangents and Phi_q, in the layout that its symmetry allows."""
    s, (q, v, _, lam) = regular_system(seed)
    system, dense = build_kkt(s, tangent=True), Dense(s, T)
    evaluate_position(s, dense.w, q)
    J = dense.rectangle(dense.w.jac)
    evaluate_tangents(s, dense.w, q, v, lam)
    dense.w.kq[s.coupling] = 0.0  # left out of the matrix
    kq, kv = dense.square(dense.w.kq), dense.square(dense.w.kv)
    fill_tangent(s, dense.w, system, 0.7, 0.2)
    assert system.general  # there is a follower load
    expected = np.block([[dense.M + 0.7 * kv + 0.2 * kq, J.T], [J, np.zeros((s.m, s.m))]])
    close_to(stored_matrix(system.elimination, system.K, True), expected, 1e-14)
    rhs = np.arange(1.0, s.n + s.m + 1)
    system.rhs[:] = rhs
    assert factor_kkt(system) == -1
    solve_kkt(system)
    close_to(system.rhs, np.linalg.solve(expected, rhs), 1e-9)


def test_symmetric_layout_when_nothing_is_unsymmetric():
    s = four_bar().mechanism().system
    system = build_kkt(s, tangent=True)
    assert s.symmetric and not system.general
    w, q = new_workspace(s), np.append(np.linspace(0, 1, s.n), 0.0)
    update_signals(s, w, 0.0)
    evaluate_position(s, w, q)
    evaluate_tangents(s, w, q, q, np.ones(s.m))
    dense = Dense(s, 0.0)
    J, (kq, _) = dense.jacobian(q), dense.tangents(q, q, np.ones(s.m))
    fill_tangent(s, w, system, 0.0, 0.1)
    expected = np.block([[dense.M + 0.1 * kq, J.T], [J, np.zeros((s.m, s.m))]])
    close_to(stored_matrix(system.elimination, system.K, False), expected, 1e-14)


TABLEAUS = {
    "one stage": np.array([[0.5]]),
    "gauss2": np.array([[1 / 4, 1 / 4 - 3**0.5 / 6], [1 / 4 + 3**0.5 / 6, 1 / 4]]),
    "three stages": np.array([[0.2, -0.1, 0.05], [0.3, 0.3, -0.06], [0.4, 0.5, 0.1]]),
}


@pytest.mark.slow
@pytest.mark.parametrize("redundant", [(), (3, 11)])
@pytest.mark.parametrize("tableau", TABLEAUS)
def test_stages_are_the_derivative_of_the_stage_equations(tableau, redundant):
    """All blocks compared with differences of M a + Phi_q^T lambda - Q and Phi'' + damp Phi' + stiff Phi of all stages."""
    A = TABLEAUS[tableau]
    count, h, damp, stiff = len(A), 0.3, 2.0, 5.0
    s, (q, v, a, lam) = regular_system(1, redundant)
    rng, size = np.random.default_rng(7), s.n + s.m
    z = np.concatenate([np.r_[a[:-1], lam[: s.m]] + 0.3 * rng.normal(size=size) for _ in range(count)])
    node = A.sum(axis=1)
    dense = [Dense(s, T + node[i] * h) for i in range(count)]

    def states(z):
        a = z.reshape(count, size)[:, : s.n]
        for i in range(count):
            dq, dv = (A @ A)[i] @ a, A[i] @ a
            yield np.append(q[:-1] + node[i] * h * v[:-1] + h * h * dq, 0.0), np.append(v[:-1] + h * dv, 0.0)

    def equations(z):
        parts = []
        for i, (q_i, v_i) in enumerate(states(z)):
            a_i, lam_i = np.split(z.reshape(count, size)[i], [s.n])
            J = dense[i].jacobian(q_i)[: s.m]
            phi, _, phi_dot, gamma = (x[: s.m] for x in dense[i].motion(q_i, v_i))
            parts.append(dense[i].M @ a_i + J.T @ lam_i - dense[i].force(q_i, v_i))
            parts.append(J @ a_i - gamma + damp * phi_dot + stiff * phi)
        return np.concatenate(parts)

    system = build_coupled_stages(s, count)
    for i, (q_i, v_i) in enumerate(states(z)):
        a_i, lam_i = np.split(z.reshape(count, size)[i], [s.n])
        w = dense[i].w
        evaluate_position(s, w, q_i)
        dense[i].tangents(q_i, v_i, np.append(lam_i, np.zeros(s.m_all - s.m)))
        dense[i].acceleration_tangents(q_i, v_i, np.append(a_i, 0.0), damp, stiff)
        add_stage(s, w, system, i, A, A @ A, h)
    matrix = stored_matrix(system.elimination, system.K, True)
    close_to(matrix, differences(equations, z), 1e-8)
    rhs = rng.normal(size=z.size)
    system.rhs[:] = rhs
    assert factor_stages(system) == -1
    solve_stages(system)
    truth = np.linalg.solve(matrix, rhs)
    close_to(system.rhs, truth, 1e-13 * np.linalg.cond(matrix))


def closed_four_bar(crank=0.1):
    mechanism = four_bar(crank=crank).mechanism()
    from gaitwright.analysis.start_state import find_start

    return mechanism, find_start(mechanism)


@pytest.mark.parametrize("seed", SEEDS)
def test_project_restores_the_constraints(seed):
    mechanism, begin = closed_four_bar()
    s, rng = mechanism.system, np.random.default_rng(seed)
    w, system = new_workspace(s), build_kkt(s)
    q, v = begin.q.copy(), begin.v.copy()
    q[:-1] += 1e-2 * mechanism.scale * rng.normal(size=s.n)
    v[:-1] += rng.normal(size=s.n)
    dense = Dense(s, 0.0)
    assert np.abs(dense.phi(q)).max() > 1e-4
    project_state(s, w, system, MASS_METRIC, 0.0, q, v)
    phi, _, phi_dot, _ = dense.motion(q, v)
    # Newton ends at the rounding of q. Velocities are solved for once, by an elimination without pivoting: rounding relative
    # to their size, of order 1, times the growth by its pivots, about 1000 here [2e-13].
    assert np.abs(phi).max() < 1e-15 and np.abs(phi_dot).max() < 1e-12
    assert q[-1] == 0 and v[-1] == 0


@pytest.mark.parametrize("redundant", [(), (3, 11)])
@pytest.mark.parametrize("seed", SEEDS)
def test_velocities_change_by_reactions_alone(seed, redundant):
    """M (v+ - v-) lies in the range of Phi_q^T: an impact of the joints, so the change is the smallest in M."""
    s, (q, v, _, _) = regular_system(seed, redundant)
    w, system, before = new_workspace(s), build_kkt(s), v.copy()
    update_signals(s, w, T)
    assert project_velocity(s, w, system, q, v)
    dense = Dense(s, T)
    J = dense.jacobian(q)[: s.m]
    phi_t = dense.motion(q, v)[1][: s.m]
    assert np.abs(J @ v[:-1] + phi_t).max() < 1e-12 * (1 + np.abs(phi_t).max())
    impulse = dense.M @ (v - before)[:-1]
    left = impulse - J.T @ np.linalg.lstsq(J.T, impulse, rcond=None)[0]
    assert np.abs(left).max() < 1e-11 * np.abs(impulse).max()


def test_singular_pose_is_detected_by_its_pivot():
    """A parallelogram approaching its flat pose: one row of Phi becomes dependent."""
    mechanism = four_bar(crank=0.2, coupler=0.3, rocker=0.2, ground=0.3, speed=None).mechanism()
    s = mechanism.system
    w, system = new_workspace(s), build_kkt(s)

    def pose(angle):
        c, si = 0.1 * np.cos(angle), 0.1 * np.sin(angle)
        return np.array([c, si, angle, 2 * c + 0.15, 2 * si, 0.0, 0.3 + c, si, angle, 0.0])

    def look(angle):
        q = pose(angle)
        evaluate_motion(s, w, q, np.zeros(s.n + 1))
        assert np.abs(w.phi).max() < 1e-12
        fill_kkt(s, w, system, s.mass)
        return factor_kkt(system)

    assert look(1.2) == -1
    store_reference_pivots(s, system)
    assert find_singular_row(s, system) == -1
    assert look(0.1) == -1 and find_singular_row(s, system) == -1
    look(1e-8)
    assert find_singular_row(s, system) >= 0
