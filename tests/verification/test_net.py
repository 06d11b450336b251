"""A net of point masses and springs: the same on the small and on the large path, and in balance by an own calculation."""

import numpy as np
import pytest
import scipy.sparse as sparse
from scipy.sparse.linalg import spsolve

import gaitwright as gw
from gaitwright.linalg import elimination
from gaitwright.mechanism.kkt import build_kkt
from gaitwright_apps.benchmarks.net import (
    GRAVITY_M_S2,
    NET_MASS_KG,
    NET_WIDTH_M,
    REST_LENGTH_RATIO,
    SPRING_STIFFNESS_N_PER_M,
    mass_spring_net,
)

METHODS = {"generalized-alpha": 1e-3, "gauss2": 1e-3, "radau5": None, "rosenbrock23": None}


@pytest.fixture
def by_library(monkeypatch):
    """Forces the large path."""

    def force():
        for name in elimination.MAX_PROGRAM_MULTIPLICATIONS:
            monkeypatch.setitem(elimination.MAX_PROGRAM_MULTIPLICATIONS, name, 0)

    return force


def jointed(rows, columns):
    """A net of rods instead of springs, hanging on springs: joints, and with them multipliers."""
    model = gw.Model(gravity=(0, -GRAVITY_M_S2))
    for j in range(columns + 1):
        model.ground_point(f"G{j}", j, 1.0)
    for i in range(rows):
        for j in range(columns):
            model.link(f"r{i}_{j}", f"P{i}_{j}", f"P{i}_{j + 1}", length=1.0, mass=0.1)
        for j in range(columns + 1):
            model.point(f"P{i}_{j}", j, -float(i))
    for i in range(rows):
        for j in range(columns + 1):
            bar = f"r{i}_{min(j, columns - 1)}.P{i}_{j}"
            above = f"ground.G{j}" if i == 0 else f"r{i - 1}_{min(j, columns - 1)}.P{i - 1}_{j}"
            model.force.spring_damper(bar, above, stiffness=50.0 + 7.0 * j, damping=0.3, rest_length=0.8)
    return model


def stretched(q, rows, columns):
    """Own formulas: forces on the masses (rows * columns, 2) at the places q, those on the ground, and the stiffness."""
    d = NET_WIDTH_M / columns
    index = np.arange(rows * columns).reshape(rows, columns)
    hung = np.stack([d * np.arange(columns), np.zeros(columns)], axis=1)
    ends = [(index[1:].ravel(), index[:-1].ravel()), (index[:, 1:].ravel(), index[:, :-1].ravel())]
    a, b = (np.concatenate(part) for part in zip(*ends, strict=True))
    places = np.concatenate([q, hung])
    a, b = np.concatenate([a, index[0]]), np.concatenate([b, rows * columns + np.arange(columns)])
    way = places[b] - places[a]
    length = np.linalg.norm(way, axis=1)
    unit = way / length[:, None]
    tension = SPRING_STIFFNESS_N_PER_M * (length - REST_LENGTH_RATIO * d)
    force = np.zeros((len(places), 2))
    np.add.at(force, a, tension[:, None] * unit)
    np.add.at(force, b, -tension[:, None] * unit)
    across = np.eye(2) - unit[:, :, None] * unit[:, None, :]
    blocks = SPRING_STIFFNESS_N_PER_M * unit[:, :, None] * unit[:, None, :] + (tension / length)[:, None, None] * across
    rows_, cols_, values = [], [], []
    for i, j, sign in ((a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)):
        r, c = np.indices((2, 2))
        rows_.append((2 * i[:, None, None] + r).ravel())
        cols_.append((2 * j[:, None, None] + c).ravel())
        values.append(sign * blocks.ravel())
    entries = np.concatenate(values), (np.concatenate(rows_), np.concatenate(cols_))
    free = 2 * rows * columns
    stiffness = sparse.csc_matrix(entries, shape=(2 * len(places),) * 2)[:free, :free]
    force[: rows * columns, 1] -= NET_MASS_KG * GRAVITY_M_S2 / (rows * columns)
    return force[: rows * columns], -force[rows * columns :], stiffness


def index_of(run):
    """Coordinates x and y of all masses."""
    return np.array([body.index[:2] for body in run.mechanism.body_names.values()])


def test_both_paths_find_the_same_equilibrium(by_library):
    small = mass_spring_net(10, 20).static()
    by_library()
    large = mass_spring_net(10, 20).static()
    assert build_kkt(large.mechanism.system, tangent=True).elimination.direct is not None
    np.testing.assert_allclose(large.motion.q, small.motion.q, atol=1e-10)
    assert large.evidence.warnings == small.evidence.warnings == []


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_both_paths_move_alike(by_library, method):
    options = {"method": method, "step": METHODS[method]} if METHODS[method] else {"method": method, "tolerance": 1e-6}
    small = mass_spring_net(10, 20).simulate(0.02, **options)
    by_library()
    large = mass_spring_net(10, 20).simulate(0.02, **options)
    assert large.evidence.steps == small.evidence.steps
    for name, atol in (("q", 1e-10), ("v", 1e-9), ("a", 1e-6)):
        one, other = getattr(small.motion, name), getattr(large.motion, name)
        np.testing.assert_allclose(other, one, atol=atol * max(1.0, np.abs(one).max()))
    np.testing.assert_allclose(large.array("energy.kinetic"), small.array("energy.kinetic"), rtol=1e-9, atol=1e-12)


def test_both_paths_hold_joints_alike(by_library):
    small, still = jointed(5, 12).simulate(0.1, step=2e-3), jointed(5, 12).static()
    by_library()
    large, rest = jointed(5, 12).simulate(0.1, step=2e-3), jointed(5, 12).static()
    assert build_kkt(large.mechanism.system).elimination.direct is not None
    np.testing.assert_allclose(large.motion.q, small.motion.q, atol=1e-10)
    np.testing.assert_allclose(large.motion.lam, small.motion.lam, atol=1e-8 * np.abs(small.motion.lam).max())
    np.testing.assert_allclose(rest.motion.q, still.motion.q, atol=1e-10)
    np.testing.assert_allclose(rest.motion.lam, still.motion.lam, atol=1e-9 * np.abs(still.motion.lam).max())


def test_unreachable_drive_is_named(by_library):
    """A four-bar that its crank stretches: coupler and rocker are in line when |BD| = 2, at cos(angle) = -1/4."""
    ends = []
    for force in (lambda: None, by_library):
        force()
        model = gw.Model()
        model.ground_point("A", 0, 0).ground_point("D", 1.5, 0).point("B", 0, 1).point("C", 1, 1.2)
        model.link("AB", "A", "B", length=1.0, mass=1).link("BC", "B", "C", length=1.0, mass=1)
        model.link("CD", "C", "D", length=1.0, mass=1).drive.rotation("AB", angle="pi/2 + t")
        with pytest.raises(gw.SingularPose, match="cannot follow its drives") as error:
            model.kinematics(1.0, step=0.01)
        ends.append(error.value.time)
    assert ends[0] == ends[1] == pytest.approx(np.arccos(-0.25) - np.pi / 2, abs=0.01)


def test_a_pose_that_becomes_singular_names_its_joint(by_library):
    """A rhombus with rods that fall onto one line: there the joints allow two continuations."""
    by_library()
    model = gw.Model(gravity=(0, -9.81))
    model.ground_point("A", 0, 0).ground_point("D", 1, 0).point("B", 0.6, 0.8).point("C", 1.6, 0.8)
    model.link("AB", "A", "B", length=1.0, mass=1).link("BC", "B", "C", length=1.0, mass=1)
    model.link("CD", "C", "D", length=1.0, mass=1).drive.rotation("AB", angle="0.9272952180016122*(1 - t)")
    with pytest.raises(gw.SingularPose) as error:
        model.inverse(times=np.linspace(0.0, 1.0, 11))
    assert error.value.time == 1.0 and set(error.value.joints) <= {"A", "B", "C", "D"} and error.value.joints


def test_unsupported_mass_is_named(by_library):
    by_library()
    model = mass_spring_net(4, 5)
    model.body("stray", mass=1.0, inertia=1.0, at=(3.0, 0.0))
    with pytest.raises(gw.DidNotConverge, match="body 'stray' runs away"):
        model.static()


def test_redundant_joints_of_a_large_system_are_set_aside(by_library, monkeypatch):
    """Two rods between the same points, found by the smallest singular values."""
    by_library()
    monkeypatch.setattr("gaitwright.mechanism.pose_assembly.MAX_ORTHOGONALISED_ROWS", 10)
    model = jointed(4, 8)
    model.link("again", "P0_0", "P0_1", length=1.0, mass=0.1)
    start = model.assemble()
    assert len(start.redundant) == 1 and "follows from P0_" in start.redundant[0]


@pytest.mark.slow
def test_five_thousand_masses(by_library):
    """Static equilibrium by formulas of our own, and a few steps that keep the energy."""
    rows, columns = 50, 100
    model = mass_spring_net(rows, columns)
    run = model.static()
    assert build_kkt(run.mechanism.system, tangent=True).elimination.direct is not None
    assert run.evidence.warnings == []
    force, hung, stiffness = stretched(run.motion.q[-1][index_of(run)], rows, columns)
    weight = NET_MASS_KG * GRAVITY_M_S2
    assert np.abs(force).max() < 1e-12 * weight
    assert hung[:, 1].sum() == pytest.approx(weight, rel=1e-12) and abs(hung[:, 0].sum()) < 1e-12 * weight
    assert np.abs(spsolve(stiffness, force.ravel())).max() < 1e-13 * NET_WIDTH_M
    moving = model.simulate(5e-4, step=1e-4)
    assert (
        moving.evidence.steps == 5 and moving.evidence.max_energy_residual < 1e-2 * moving.array("energy.kinetic")[-1]
    )
    begin, _, _ = stretched(moving.mechanism.drawn[index_of(moving)], rows, columns)
    np.testing.assert_allclose(moving.motion.a[0][index_of(moving)], begin * rows * columns / NET_MASS_KG, atol=1e-9)
