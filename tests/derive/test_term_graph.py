"""Operations in single assignment: values, folding and derivatives."""

import math

import numpy as np
import pytest

from gaitwright.derive.term_graph import (
    ARRAY_FUNCTIONS,
    DERIVATIVE_RULES,
    DESIGN_LEVEL,
    MOTION_LEVEL,
    NUMBER_LEVEL,
    UNARY_FUNCTIONS,
    TermGraph,
)


@pytest.fixture
def graph():
    return TermGraph()


def test_equal_operations_share_one_term(graph):
    x, y = graph.input("x", MOTION_LEVEL), graph.input("y", MOTION_LEVEL)
    assert x * y + 1.0 is 1 + y * x
    assert x - y is -(y - x)
    assert (x * y - y * x).value == 0.0


def test_zeros_ones_and_signs_are_folded(graph):
    x = graph.input("x", MOTION_LEVEL)
    assert x + 0 is x and x * 1 is x and 0 * x is graph.number(0.0)
    minus = -x
    assert -minus is x and (-x) * (-x) is x * x and 1 / (1 / x) is x
    assert (x * -2.0).op == "neg"
    assert graph.number(-0.0) is graph.number(0.0)


def test_levels_of_terms(graph):
    x, p = graph.input("x", MOTION_LEVEL), graph.input("p", DESIGN_LEVEL)
    assert graph.number(2.0).level == NUMBER_LEVEL
    assert (1.0 / p).level == DESIGN_LEVEL
    assert (x / p).level == MOTION_LEVEL


def test_arrays_of_terms_are_numbers_to_numpy(graph):
    row = np.array([graph.input(f"q[{i}]", MOTION_LEVEL) for i in range(2)], dtype=object)
    found = np.sqrt((row * row).sum()) + np.hypot(row[:1], row[1:])[0] + np.cos(row)[0]
    (value,) = graph.values([found], {"q[0]": 3.0, "q[1]": 4.0})
    assert value == pytest.approx(10.0 + math.cos(3.0), rel=1e-15)


ARGUMENTS = {
    "asin": (0.3,),
    "acos": (0.3,),
    "atan2": (0.4, 0.7),
    "pow": (0.6, 1.7),
    "fmod": (2.3, 0.7),
    "select": (0.2, 0.5, 0.9),
}
OPERATIONS = sorted(set(ARRAY_FUNCTIONS) | set(UNARY_FUNCTIONS))


@pytest.mark.parametrize("op", OPERATIONS)
def test_every_operation_has_a_derivative(op, graph):
    """Compared with central differences, in each argument."""
    assert op in DERIVATIVE_RULES
    given = ARGUMENTS.get(op) or ((0.3, 0.8) if op in ("add", "sub", "mul", "max", "min") else (0.6,))
    inputs = [graph.input(f"x{k}", MOTION_LEVEL) for k in range(len(given))]
    term = graph._made(op, *inputs)

    def value(*numbers):
        return float(graph.values([term], {f"x{k}": x for k, x in enumerate(numbers)})[0])

    h = 1e-6
    for k, x in enumerate(inputs):
        up, down = (tuple(v + s * h * (j == k) for j, v in enumerate(given)) for s in (1, -1))
        (slope,) = graph.values([graph.slope(term, x)], {f"x{j}": v for j, v in enumerate(given)})
        assert float(slope) == pytest.approx((value(*up) - value(*down)) / (2 * h), abs=1e-8)


@pytest.mark.parametrize("op", sorted(UNARY_FUNCTIONS))
def test_scalar_functions_match_array_functions(op, graph):
    assert graph.call(op, graph.number(0.37)).value == pytest.approx(float(ARRAY_FUNCTIONS[op](0.37)), rel=1e-15)
