"""Traced numbers, and the detection of lost terms."""

import math

import pytest

import gaitwright as gw
from gaitwright.codegen.expression_terms import expression_to_term
from gaitwright.codegen.tracing import TracedNumber, TracedNumberReader, require_equal_numbers
from gaitwright.derive.term_graph import DESIGN_LEVEL, MOTION_LEVEL, TermGraph
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.mechanisms import klann_leg
from gaitwright.model.compiled_model import CompiledModel
from gaitwright.model.expressions import compile_program, evaluate, parse
from gaitwright.model.reader.mechanism_builder import MechanismBuilder


def test_arithmetic_is_traced():
    graph = TermGraph()
    p = TracedNumber(2.0, graph.input("p[0]", DESIGN_LEVEL))
    made = -(3.0 * p**2 / 12 + 1.0) - p / 4 + abs(-p)
    assert isinstance(made, TracedNumber) and made == -(3.0 * 4.0 / 12 + 1.0) - 0.5 + 2.0
    (value,) = graph.values([made.term], {"p[0]": 5.0})
    assert value == pytest.approx(-(3.0 * 25.0 / 12 + 1.0) - 5.0 / 4 + 5.0, rel=1e-15)


EXPRESSIONS = [
    "2*pi*a*t", "a^2 - b/3", "min(a, b, t)", "max(a, 0.5)*sin(t)", "if(t < 0.5, a, b)", "if(a > b and t > 0.2, 1, 2)",
    "atan2(a, b)", "7 % a", "abs(b - a)*exp(-t)", "sqrt(a)*tanh(t)", "not (a < b) + 3", "if(a != b or a == b, cosh(t), 0)",
    "(t <= 0.4)*log(a)",
]  # fmt: skip


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_of_model_files_become_terms(text):
    """Value and both time derivatives."""
    values = {"a": 1.7, "b": 0.6}
    parsed, graph = parse(text, list(values), {}), TermGraph()
    t = graph.input("t", MOTION_LEVEL)
    found = expression_to_term(parsed, graph, {name: graph.input(name, DESIGN_LEVEL) for name in values}, t)
    rate = graph.slope(found, t)
    for time in (0.1, 0.9):
        numbers = graph.values([found, rate, graph.slope(rate, t)], {**values, "t": time})
        wanted = (
            evaluate_program(compile_program(parsed, values), time)
            if "t" in parsed.names
            else (evaluate(parsed, values), 0.0, 0.0)
        )
        assert [float(x) for x in numbers] == pytest.approx([float(x) for x in wanted], rel=1e-13, abs=1e-13)


def test_a_drawn_length_is_traced():
    """The default length of a link is that of the drawn pose."""
    raw = {
        "gaitwright": 1, "parameters": {"x": 0.3},
        "ground": {"points": {"O": [0, 0]}}, "points": {"A": ["x", 0.4]},
        "links": [{"name": "bar", "from": "O", "to": "A", "mass": 1.0}],
        "drives": [{"type": "rotation", "body": "bar", "angle": "t"}],
    }  # fmt: skip
    section = {"type": "inverse", "until": 1, "step": 0.1}
    found = gw.designs(gw.Model.from_dict(raw), {"x": [0.5]}, measures=["bar.torque.max"], analysis=section)
    wanted = 9.81 * math.hypot(0.5, 0.4) / 2  # of its weight in a horizontal pose
    assert float(found["bar.torque.max"].values[0]) == pytest.approx(wanted, rel=1e-12)


def test_all_numbers_of_a_leg_are_traced():
    document, graph = klann_leg().document, TermGraph()
    varied = [name for name, value in document.parameters.items() if isinstance(value, float)]
    traced = TracedNumberReader(document, varied, graph)
    mechanism = MechanismBuilder(document, traced).read().touching([]).mechanism()
    design = {name: 1.01 * document.parameters[name] for name in varied}
    require_equal_numbers(CompiledModel(document), varied, mechanism, traced.signal_terms, graph, [design])
    assert math.isfinite(float(mechanism.parts["crank"].mass))
    assert isinstance(mechanism.parts["crank"].mass, TracedNumber)
