"""Fuzz expressions: each gives a number, a function of time or a one-sentence error; Python code never runs, the
stack never overflows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.mutation import TEXTS
from fuzz.trial import attempt, case, cases
from gaitwright._core.errors import ModelError
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.model.expressions import compile_program, evaluate, parse
from gaitwright.model.grammar import FUNCTIONS, INFIX_OPERATORS

pytestmark = pytest.mark.fuzz

RIGHT = ["-2*pi*t", "1.125*min(t, 4)", "if(t < a and not b > 1, 0, a*sin(b*t)^2)", "atan2(sin(t), cos(t)) % (2*pi)"]
VALUES = {"a": 1.5, "b": -2.0, "L3": 1e-3}
leaves = st.sampled_from(["t", "a", "b", "L3", "pi", "0", "1e308", "1e-308", "3", "0.5", "-7"])
nested = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(sorted(INFIX_OPERATORS)), inner).map(lambda parts: f"({' '.join(parts)})"),
        st.tuples(st.sampled_from(sorted(FUNCTIONS)), st.lists(inner, min_size=1, max_size=3)).map(
            lambda call: f"{call[0]}({', '.join(call[1])})"
        ),
    ),
    max_leaves=20,
)


def worked_out(text: str) -> None:
    """Evaluate the expression as a number and as a function of time; a non-finite function value must not give a
    finite number."""
    parsed = parse(text, VALUES)
    if parsed.is_constant:
        assert math.isfinite(evaluate(parsed, VALUES))
    values_over_time = evaluate_program(compile_program(parsed, VALUES), np.array([0.0, 0.3, 1e3]))
    assert len(values_over_time) == 3 and all(part.shape == (3,) for part in values_over_time)


@given(text=nested)
@cases(700)
def test_expressions_of_the_grammar(text: str) -> None:
    with case(text, ".txt"):
        attempt(lambda: worked_out(text))


@pytest.mark.parametrize(
    "text",
    [
        *TEXTS,
        "(" * 100_000,
        "(" * 4000 + "t" + ")" * 4000,
        "-" * 9000 + "1",
        "not " * 2000 + "1",
        "^".join(["2"] * 3000),
        "9" * 9000,
        "1" + "e9" * 4000,
        "sin(" * 2000 + "t" + ")" * 2000,
        "+".join(["t"] * 4999),
        "if(" * 1000 + "t" + ", 1, 2)" * 1000,
        "a" * 100_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_extremes(text: str) -> None:
    attempt(lambda: worked_out(text))


def test_python_names_are_unknown() -> None:
    for text in (
        "__import__('os').system('true')",
        "().__class__",
        "exec('1')",
        "lambda: 1",
        "a.__class__",
        "t if a else b",
    ):
        with pytest.raises(ModelError):
            parse(text, VALUES)
