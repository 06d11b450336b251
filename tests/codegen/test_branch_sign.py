"""Branch of a mechanism near a change point, selected by the sign of det Phi_q, in the analyses and in generated programs."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.codegen.branch_sign import determinant_sign
from gaitwright.codegen.c_library import find_compiler
from gaitwright.codegen.equations import MechanismEquations
from gaitwright.codegen.tracing import TracedNumberReader
from gaitwright.derive.term_graph import TermGraph
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.model.model import make_variant, require_compilable
from gaitwright.model.reader.mechanism_builder import MechanismBuilder

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@pytest.mark.parametrize("name", ["four-bar", "slider-crank", "jansen-leg", "klann-leg"])
def test_the_side_is_the_sign_of_the_determinant(name: str) -> None:
    """Up to a constant sign."""
    document = CATALOGUE[name].model().document
    graph = TermGraph()
    traced = TracedNumberReader(document, [], graph)
    equations = MechanismEquations(traced, MechanismBuilder(document, traced).read().mechanism())
    jac = equations.position(equations.state("q")).jac
    side = determinant_sign(graph, jac, equations.n)
    poses = np.random.default_rng(3).uniform(-3.0, 3.0, (equations.n, 40))
    inputs = {f"q[{i}]": row for i, row in enumerate(poses)} | {"t": 0.3}
    found = np.broadcast_to(graph.values([side], inputs)[0], 40)
    matrix = np.zeros((40, equations.n, equations.n))
    for (row, column), values in zip(jac, graph.values(jac.values(), inputs), strict=True):
        matrix[:, row, column] = values
    product = found * np.linalg.slogdet(matrix)[0]
    assert abs(product.sum()) == 40


def bars() -> gw.Model:
    """Four-bar. With c = 0.15 crank and ground are as long as the other two links: the branches meet at an angle of pi."""
    model = gw.Model("bars", parameters={"c": 0.15, "begin": 0.3})
    model.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", 0.1, 0).point("B", 0.28, 0.15)
    for name, a, b, length in (("crank", "O", "A", 0.1), ("coupler", "A", "B", 0.25), ("rocker", "C", "B", "c")):
        model.link(name, a, b, length=length, mass=0.1)
    return model.drive.rotation("crank", "2*pi*t + begin")


def parallelogram() -> gw.Model:
    """Parallelogram with branches that cross: the motion continues without a change of direction."""
    model = gw.Model("parallelogram", parameters={"begin": 0.3})
    model.ground_point("O", 0, 0).ground_point("C", 0.3, 0)
    model.point("A", "0.1*cos(begin)", "0.1*sin(begin)").point("B", "0.3 + 0.1*cos(begin)", "0.1*sin(begin)")
    for name, a, b, length in (("crank", "O", "A", 0.1), ("coupler", "A", "B", 0.3), ("rocker", "C", "B", 0.1)):
        model.link(name, a, b, length=length, mass=0.1)
    return model.drive.rotation("crank", "2*pi*t + begin")


def both(model: gw.Model, values: dict[str, np.ndarray], samples: int, output: str) -> tuple[np.ndarray, np.ndarray]:
    """Largest and last values of an output, by the analyses and by the program, (n_designs, 2)."""
    times, prepared = np.linspace(0.0, 1.0, samples + 1), require_compilable(model)
    classic = []
    for k in range(len(next(iter(values.values())))):
        run = make_variant(prepared, {name: row[k] for name, row in values.items()}).kinematics(times=times)
        classic.append((run.array(output).max(), run.array(output)[-1]))
    section = {"type": "kinematic", "until": 1.0, "step": 1.0 / samples}
    table = gw.designs(model, values, measures=[f"{output}.max", f"{output}.final"], analysis=section)
    return np.array(classic), np.stack([table[f"{output}.max"], table[f"{output}.final"]], axis=1)


@needs_compiler
@pytest.mark.parametrize("samples", [24, 60])
@pytest.mark.parametrize("near", [1e-3, 1e-4, 1e-5])
def test_the_branch_is_kept_near_a_change_point(samples: int, near: float) -> None:
    """After a turn the rocker is back at its start; on the other branch it is not."""
    rng = np.random.default_rng(int(1 / near))
    values = {"c": 0.15 + near * rng.uniform(0.3, 1.0, 30), "begin": rng.uniform(0.2, 0.8, 30)}
    classic, printed = both(bars(), values, samples, "rocker.angle")
    np.testing.assert_allclose(printed, classic, atol=1e-7)
    begins, _ = both(bars(), {name: row[:1] for name, row in values.items()}, 1440, "rocker.angle")
    np.testing.assert_allclose(classic[0, 1], begins[0, 1], atol=1e-7)


@needs_compiler
@pytest.mark.parametrize("samples", [24, 100])
def test_the_motion_continues_through_an_exact_change_point(samples: int) -> None:
    begin = np.random.default_rng(samples).uniform(0.2, 3.0, 40)
    classic, printed = both(parallelogram(), {"begin": begin}, samples, "coupler.angle")
    np.testing.assert_allclose(classic, 0.0, atol=1e-6)
    np.testing.assert_allclose(printed, 0.0, atol=1e-6)


@needs_compiler
@pytest.mark.parametrize("step", [1e-3, 2e-2])
def test_forward_dynamics_continue_where_branches_cross(step: float) -> None:
    """The rocker of a parallelogram turns with its crank, through both poses in which all links lie in one line."""
    section = {"type": "forward", "until": 1.0, "step": step, "method": "rk4"}
    measures = ["crank.angle.final", "rocker.angle.final"]
    table = gw.designs(parallelogram(), {"begin": [0.3, 0.5, 1.0]}, measures=measures, analysis=section)
    assert not table["failure"].any()
    np.testing.assert_allclose(table["rocker.angle.final"], table["crank.angle.final"], atol=1e-9)


@needs_compiler
def test_forward_dynamics_do_not_step_over_a_dead_point_onto_another_branch() -> None:
    """With a hundred steps per turn the motion of a leg is lost, or equals that with a thousand; once one of five hundred legs
    did neither."""
    leg, lengths = CATALOGUE["jansen-leg"].model(), ("L3", "L5", "L7", "L9")
    leg = gw.Model.from_dict({**leg.to_dict(), "outputs": []})
    rng = np.random.default_rng(12)
    given = {name: float(leg.document.parameters[name]) * rng.uniform(0.95, 1.05, 3000) for name in lengths}
    fine, coarse = (
        gw.designs(leg, given, measures=["F.x.final", "F.y.min"],
                   analysis={"type": "forward", "until": 1.0, "step": step, "method": "rk4"})
        for step in (1e-3, 1e-2)
    )  # fmt: skip
    good = (fine["failure"].values == 0) & (coarse["failure"].values == 0)
    off = np.abs(fine["F.x.final"].values - coarse["F.x.final"].values)[good]
    assert good.sum() > 1000 and np.count_nonzero(off > 1e-6) <= 1
    assert not np.any((fine["failure"].values == 0) & (coarse["failure"].values != 0))
