"""Expressions as source text: correct for random numbers, and without calls of pow if a product is sufficient."""

import math

import pytest
import sympy as sp

from gaitwright.derive.kernel_form import make_interface_form
from gaitwright.derive.numba_printer import NumbaPrinter, print_form
from gaitwright.derive.symbols import QuantitySymbol

x, y, z, n = sp.symbols("x y z n", real=True)
HERE = {x: 0.7, y: 1.3, z: -0.4, n: 2.5}
half, third = sp.Rational(1, 2), sp.Rational(1, 3)

VALUES = {
    "square": x**2,
    "cube": x**3,
    "fourth power": (x + y) ** 4,
    "float power": x**2.0,
    "root": sp.sqrt(x + y),
    "inverse": 1 / x,
    "float inverse": x ** (-1.0),
    "inverse square": x**-2,
    "inverse root": 1 / sp.sqrt(x),
    "root cubed": x ** (3 * half),
    "inverse root cubed": y ** (-3 * half),
    "quotient": x / y,
    "negative quotient": -x / y,
    "quotient of sums": (x + y) / (x - z),
    "quotient of products": x * z / (y * n),
    "quotient with a number": x / (2 * y),
    "third": x / 3,
    "minus two thirds": -2 * x / 3,
    "quotient of a quotient": x / (y / (z + n)),
    "sum of quotients": 1 + x / y - z / n,
    "product with an inverse sum": z * (1 / x + 1 / y),
    "difference inside": x - (y - z),
    "nested": sp.sqrt(x**2 + y**2) ** 3 / (1 + z**2),
    "sine and cosine": sp.sin(x) * sp.cos(y) ** 2 / sp.tan(x),
    "arcus": sp.asin(z) + sp.acos(z) + sp.atan(x) + sp.atan2(y, z),
    "hyperbolic": sp.sinh(x) + sp.cosh(y) * sp.tanh(z),
    "exponential": sp.exp(-x) * sp.log(y),
    "pi": sp.pi * x + sp.E,
    "absolute": sp.Abs(z) + sp.sign(z) + sp.sign(x),
    "larger": sp.Max(0, x) + sp.Max(0, z) + sp.Max(x, y, z),
    "smaller": sp.Min(x, y),
    "step": 3 * sp.Heaviside(z) + 2 * sp.Heaviside(x - y) + sp.Heaviside(x),
    "cases": sp.Piecewise((x, z > 0), (y, True)),
}
POWERS = {"fifth power": x**5, "inverse fifth": x**-5, "odd root": y**third, "symbol": x**n, "minus symbol": x ** (-n)}
"""Expressions that only pow can evaluate."""


def value_of(text):
    functions = {name: getattr(math, name) for name in dir(math) if callable(getattr(math, name))}
    return eval(text, {"__builtins__": {"abs": abs, "max": max, "min": min}}, {**functions, **names()})


def names():
    return {str(symbol): value for symbol, value in HERE.items()}


@pytest.mark.parametrize("case", [*VALUES, *POWERS])
def test_text_has_the_value_of_the_expression(case):
    expression = {**VALUES, **POWERS}[case]
    assert value_of(NumbaPrinter().doprint(expression)) == pytest.approx(float(expression.subs(HERE)), rel=1e-15)


@pytest.mark.parametrize("case", VALUES)
def test_no_call_of_pow(case):
    assert "**" not in NumbaPrinter().doprint(VALUES[case])


def test_divisions_are_divisions():
    assert NumbaPrinter().doprint(x / y).replace("(", "").replace(")", "") == "x / y"
    assert NumbaPrinter().doprint(1 / sp.sqrt(x)) == "(1.0 / sqrt((x)))"


def test_a_step_is_zero_at_its_edge_and_its_derivative_is_zero():
    """Max(x, 0) is continuous at 0 with the slope from below; kernels never evaluate the derivative of the jump."""
    text = NumbaPrinter().doprint(sp.Heaviside(x))
    assert [eval(text, {"x": value}) for value in (-1.0, 0.0, 1.0)] == [0.0, 0.0, 1.0]
    assert NumbaPrinter().doprint(sp.Max(x, 0).diff(x).diff(x)) == "0.0"


def test_an_unknown_function_is_refused():
    from gaitwright._core.errors import ModelError

    with pytest.raises(ModelError, match="mystery"):
        NumbaPrinter().doprint(sp.Function("mystery")(x))


def test_functions_load_what_they_use_and_add_only_what_is_not_zero():
    a, b = QuantitySymbol("a_1", "q[dof[0]]"), QuantitySymbol("b_1", "q[dof[1]]")
    lines = print_form(
        make_interface_form("force", "force", [("total[0]", "+=", a**2), ("total[1]", "+=", sp.Integer(0))], [a, b])
    )
    text = "\n".join(lines)
    assert "a_1 = q[dof[0]]" in text and "b_1" not in text and "total[1]" not in text
    lines = print_form(make_interface_form("force", "energy", [("energy[0]", "=", sp.Integer(0))], [a, b]))
    assert lines[-1].strip() == "energy[0] = 0.0"  # assigned, not added, so a zero is written
    assert (
        print_form(make_interface_form("force", "force", [("total[0]", "+=", sp.Integer(0))], [a]))[-1].strip()
        == "pass"
    )


def test_equal_values_are_set_together():
    """As many as fit in a line; targets of += get separate lines."""
    given = QuantitySymbol("x", "given[e]")
    outputs = [(f"out[20 * e + {k}]", "=", given if k == 3 else sp.Integer(0)) for k in range(20)]
    lines = print_form(make_interface_form("shape", "tangent", [*outputs, *[("kq[e]", "+=", given)] * 2], [given]))
    assert all(len(line) <= 120 for line in lines) and len(lines) == 10
    assert lines[-2:] == ["        kq[e] += x"] * 2
    count, out, kq = 1, [1.0] * 20, [0.0]
    exec("\n".join(lines).replace("tangent(count, par, given, out)", "tangent(count, given, out, kq)"), scope := {})
    scope["tangent"](count, [0.5], out, kq)
    assert out == [0.5 if k == 3 else 0.0 for k in range(20)] and kq == [1.0]
