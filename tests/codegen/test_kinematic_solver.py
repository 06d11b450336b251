"""Solutions with a square Phi_q against NumPy: library mechanisms and random matrices."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.codegen.elimination import TermFactors
from gaitwright.codegen.equations import MechanismEquations
from gaitwright.codegen.kinematic_solver import MAX_BLOCK_ROWS, KinematicSolver
from gaitwright.codegen.tracing import TracedNumberReader
from gaitwright.derive.term_graph import MOTION_LEVEL, TermGraph
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.model.reader.mechanism_builder import MechanismBuilder

POSES = 30


def equations_of(name: str) -> MechanismEquations:
    document = CATALOGUE[name].model().document
    traced = TracedNumberReader(document, [], TermGraph())
    mechanism = MechanismBuilder(traced.document, traced).read().touching(document.contacts).mechanism()
    return MechanismEquations(traced, mechanism, True)


def is_determined(mechanism: Mechanism) -> bool:
    """Return whether a planar mechanism has as many constraints as coordinates."""
    return mechanism.dimension == 2 and mechanism.system.n == mechanism.system.m


DRIVEN = [name for name, entry in CATALOGUE.items() if is_determined(entry.model().mechanism())]


def compared(direct: KinematicSolver, matrix: np.ndarray, inputs: dict[str, np.ndarray]) -> None:
    """Compare solutions with matrices (n_poses, n, n) and their transposes, to rounding times the condition number."""
    graph, n = direct.graph, matrix.shape[1]
    weight = np.array([float(term.value) for term in direct.weight])
    rng = np.random.default_rng(7)
    top, bottom = rng.normal(size=(n, POSES)), rng.normal(size=(n, POSES))
    given = [[graph.input(f"{name}{i}", MOTION_LEVEL) for i in range(n)] for name in ("top", "bottom")]
    inputs = (
        inputs | {f"top{i}": row for i, row in enumerate(top)} | {f"bottom{i}": row for i, row in enumerate(bottom)}
    )
    x, lam = direct.solve(given[0], given[1])
    found = [np.broadcast_to(value, POSES) for value in graph.values([*x, *lam, direct.side], inputs)]
    sides = found[-1] * np.linalg.slogdet(matrix)[0]
    assert abs(sides.sum()) == POSES  # up to a constant sign
    for pose in range(POSES):
        A = matrix[pose]
        near = 1e-12 * np.linalg.cond(A)
        wanted = np.linalg.solve(A, bottom[:, pose])
        got = np.array([value[pose] for value in found[:n]])
        assert np.abs(got - wanted).max() <= near * np.abs(wanted).max()
        forces = top[:, pose] - weight * wanted
        wanted = np.linalg.solve(A.T, forces)
        got = np.array([value[pose] for value in found[n : 2 * n]])
        assert np.abs(got - wanted).max() <= near * max(np.abs(wanted).max(), np.abs(forces).max())


@pytest.mark.parametrize("name", DRIVEN)
def test_ready_mechanisms(name: str) -> None:
    """Most have blocks of two rows, which are dyads; the horse's leg has a triad."""
    equations = equations_of(name)
    graph, n = equations.graph, equations.n
    jac = equations.position(equations.state("q")).jac
    direct = equations.factors(jac)
    assert isinstance(direct, KinematicSolver) and direct.determines
    assert direct.largest == {"horse-leg": 3}.get(name, min(direct.largest, 2))
    poses = np.random.default_rng(3).uniform(-2.0, 2.0, (n, POSES))
    inputs = {f"q[{i}]": row for i, row in enumerate(poses)} | {"t": np.full(POSES, 0.3)}
    matrix = np.zeros((POSES, n, n))
    for (row, column), values in zip(jac, graph.values(jac.values(), inputs), strict=True):
        matrix[:, row, column] = values
    compared(direct, matrix, inputs)


def test_legs_are_among_the_driven_mechanisms() -> None:
    assert {"jansen-leg", "klann-leg", "horse-leg", "slider-crank"} <= set(DRIVEN)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
def test_one_block_of_any_size(size: int) -> None:
    """With a border of plain numbers, with entries on both sides of it."""
    graph, n = TermGraph(), size + 3
    rng = np.random.default_rng(size)
    values = rng.normal(size=(POSES, n, n)) + 2.0 * np.eye(n)
    values[:, size:, size:] = np.eye(3) + np.tril(np.ones((3, 3)), -1)
    entries = {
        (i, j): graph.number(values[0, i, j]) if min(i, j) >= size else graph.input(f"a{i}_{j}", MOTION_LEVEL)
        for i in range(n)
        for j in range(n)
        if values[0, i, j] != 0.0
    }
    inputs = {f"a{i}_{j}": values[:, i, j] for i, j in entries}
    weight = [graph.number(x) for x in rng.uniform(0.5, 2.0, n)]
    direct = KinematicSolver(graph, weight, entries, np.ones(n), 1.0)
    assert direct.largest == size and len(direct.numbers) == 3
    compared(direct, values, inputs)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_pivots_grow_near_singular_poses(size: int) -> None:
    """Pivots grow with the inverse square of the small quantity, for any cause and scale: about 1e8 for 1e-4."""
    for way in ("row", "column", "corner", "alike"):
        small = []
        for factor in (1.0, 1e-4):
            graph = TermGraph()
            A = np.eye(size) + 0.3 * np.random.default_rng(2).normal(size=(size, size))
            if way == "row" or size == 1:
                A[0] *= factor
            elif way == "column":
                A[:, -1] *= factor
            elif way == "corner":
                A = np.diag([factor, *[1.0] * (size - 1)])
            if way == "alike" and size > 1:
                A[0] = A[1] + factor * A[0]
            entries = {(i, j): graph.input(f"a{i}_{j}", MOTION_LEVEL) for i in range(size) for j in range(size)}
            direct = KinematicSolver(graph, [graph.number(1.0)] * size, entries, np.ones(size), 1.0)
            inputs = {f"a{i}_{j}": 0.01 * A[i, j] for i, j in entries}
            small.append(max(float(x) for x in graph.values(direct.inverse_pivots, inputs)))
        assert small[1] > 1e5 * small[0]


def test_a_block_near_a_singular_pose_is_detected() -> None:
    """Also if rounding makes the last pivot of its Gram matrix negative, as for about a third of matrices of condition 1e9. The
    product of all pivots is det^2 and the first is at most 1, so the least is at most |det|: its inverse, times a third of
    the trace, is at least 7e8."""
    graph, size = TermGraph(), 3
    jac = {(i, j): graph.input(f"x[{size * i + j}]", MOTION_LEVEL) for i in range(size) for j in range(size)}
    factors = KinematicSolver(graph, [graph.number(1.0)] * size, jac, np.ones(size), 1.0)
    rng = np.random.default_rng(0)
    left, right = (np.linalg.qr(rng.normal(size=(400, size, size)))[0] for _ in range(2))
    entries = (left * [1.0, 0.7, 1e-9] @ right).reshape(400, -1)
    (near,) = graph.values(factors.inverse_pivots, {f"x[{k}]": row for k, row in enumerate(entries.T)})
    assert np.abs(near).min() > 1e8


@pytest.mark.parametrize("count", [2, 4, 5])
def test_large_full_blocks_are_eliminated_with_masses(count: int) -> None:
    """The shorter of both solvers is used; library mechanisms are all solved directly."""
    traced = TracedNumberReader(rafts(count).document, [], TermGraph())
    equations = MechanismEquations(traced, MechanismBuilder(traced.document, traced).read().mechanism())
    assert isinstance(equations.factors(equations.position(equations.state("q")).jac), TermFactors)


def rafts(count: int) -> gw.Model:
    """Row of bodies between two banks. Struts connect each body with its neighbours and the next but one, so that no body
    can be placed before the others. The length of one strut varies by `stroke`."""
    rng = np.random.default_rng(4)
    corners = {"P": (-0.2, -0.1), "Q": (0.2, -0.1), "R": (0.05, 0.2)}
    at = {f"raft{k}": (0.8 * k, 0.1 * rng.normal()) for k in range(1, count + 1)}
    banks = {"A": (0.0, -0.2), "B": (0.0, 0.3), "C": (0.8 * (count + 1), -0.2), "D": (0.8 * (count + 1), 0.3)}

    def place(name: str) -> np.ndarray:
        body, _, corner = name.rpartition(".")
        return np.array(banks[corner]) if body == "ground" else np.add(at[body], corners[corner])

    pairs = [
        ("ground.A", "raft1.P"),
        ("ground.B", "raft1.R"),
        (f"raft{count}.Q", "ground.C"),
        (f"raft{count}.R", "ground.D"),
    ]
    for k in range(1, count):
        pairs += [(f"raft{k}.Q", f"raft{k + 1}.P"), (f"raft{k}.R", f"raft{k + 1}.R")]
    pairs += [(f"raft{k}.R", f"raft{k + 2}.P") for k in range(1, count - 1)]
    lengths = [float(np.hypot(*(place(a) - place(b)))) for a, b in pairs]
    joints = [
        {"type": "distance", "a": a, "b": b, "length": x} for (a, b), x in zip(pairs[1:], lengths[1:], strict=True)
    ]
    bodies = [
        {"name": name, "mass": 2.0, "inertia": 0.03, "at": list(xy), "points": {c: list(p) for c, p in corners.items()}}
        for name, xy in at.items()
    ]
    drive = {"type": "distance", "name": "strut", "a": pairs[0][0], "b": pairs[0][1]}
    drive["length"] = f"{lengths[0]} + stroke*sin(2*pi*t)"
    return gw.Model.from_dict({
        "gaitwright": 1, "name": "rafts", "parameters": {"stroke": 0.002}, "gravity": [0, -9.81], "bodies": bodies,
        "ground": {"points": {name: list(xy) for name, xy in banks.items()}}, "joints": joints, "drives": [drive],
    })  # fmt: skip


@pytest.mark.parametrize("kind", [KinematicSolver, TermFactors])
def test_a_large_block_agrees_with_the_analysis(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of twelve rows, solved directly and by elimination with masses: both agree with the analysis of a single
    model."""
    model, stroke = rafts(4), [0.001, 0.002, 0.003]
    monkeypatch.setattr(MechanismEquations, "_length", lambda _, factors: int(not isinstance(factors, kind)))
    traced = TracedNumberReader(model.document, [], TermGraph())
    equations = MechanismEquations(traced, MechanismBuilder(traced.document, traced).read().mechanism())
    jac = equations.position(equations.state("q")).jac
    assert isinstance(equations.factors(jac), kind)
    assert (
        KinematicSolver(equations.graph, equations.mass, jac, equations.mechanism.scale, 1.0).largest
        == MAX_BLOCK_ROWS
        == 12
    )
    names = ["strut.force.max_abs", "raft3.y.final", "raft2.angle.mean"]
    section = {"type": "inverse", "until": 1.0, "step": 0.02}
    table = gw.designs(model, {"stroke": stroke}, measures=names, gradient=names, analysis=section)
    assert not table["failure"].any()
    for k, value in enumerate(stroke):
        run = model.copy(stroke=value).inverse(until=1.0, step=0.02)
        force, height = (np.asarray(run[name]) for name in ("strut.force", "raft3.y"))
        assert float(table["strut.force.max_abs"][k]) == pytest.approx(np.abs(force).max(), rel=1e-9)
        assert float(table["raft3.y.final"][k]) == pytest.approx(height[-1], abs=1e-12)
    step = 1e-6
    near = gw.designs(model, {"stroke": [0.002 - step, 0.002 + step]}, measures=names, analysis=section)
    for name in names:
        slope = float(near[name][1] - near[name][0]) / (2 * step)
        assert float(table[f"{name}.gradient"][1, 0]) == pytest.approx(slope, rel=1e-5, abs=1e-8)
