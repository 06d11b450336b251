"""Conversion of kernel forms to terms: the expressions of SymPy with terms in place of their symbols."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gaitwright.derive.kernel_form import KernelForm
from gaitwright.derive.symbols import NamedExpression
from gaitwright.derive.term_graph import UNARY_FUNCTIONS, NotPrintable, Term, TermGraph

LOAD_PATTERNS = [
    re.compile(pattern)
    for pattern in (
        r"(q|v|a)\[dof\[\d+ \* e \+ (\d+)\]\]",
        r"(par|coef|given)\[\d+ \* e \+ (\d+)\]",
        r"(u)\[3 \* sig\[\d+ \* e \+ (\d+)\](?: \+ (\d))?\]",
        r"(lam)\[row\[\d+ \* e \+ (\d+)\]\]",
    )
]
TARGET_PATTERN = re.compile(r"(\w+)\[(?:\w+\[)?\d+ \* e \+ (\d+)\]+")


class LoadPlace(NamedTuple):
    """Source of a symbol of a form: entry of an array of the element (q, v, a, par, u, lam); for a signal u also the order of
    its derivative."""

    array: str
    entry: int
    rate: int = 0


def read_load(load: str) -> LoadPlace:
    """Parse the array entry from which a symbol is loaded."""
    for pattern in LOAD_PATTERNS:
        match = pattern.fullmatch(load)
        if match:
            parts = match.groups()
            return LoadPlace(str(parts[0]), int(parts[1]), int(parts[2] or 0) if len(parts) > 2 else 0)
    raise NotPrintable(f"the load {load}")


def form_to_terms(
    form: KernelForm, graph: TermGraph, term_of_load: Callable[[LoadPlace], Term]
) -> list[tuple[str, int, Term]]:
    """Return the outputs of a form for one element: the array of each output, its entry (in the numbering of the element),
    and its term. term_of_load: callback for the term of a loaded value."""
    terms: dict[Any, Term] = {}
    for symbol in form.inputs:
        terms[symbol] = (
            sympy_to_term(symbol.value, graph, terms)
            if isinstance(symbol, NamedExpression)
            else term_of_load(read_load(symbol.load))
        )
    for name, value in form.shared:
        terms[name] = sympy_to_term(value, graph, terms)
    outputs = []
    for target, _, value in form.outputs:
        where = TARGET_PATTERN.fullmatch(target)
        assert where is not None, target
        outputs.append((where[1], int(where[2]), sympy_to_term(value, graph, terms)))
    return outputs


def sympy_to_term(expression: Any, graph: TermGraph, terms: dict[Any, Term]) -> Term:
    """Convert an expression of SymPy. terms: of symbols; converted expressions are added to it."""
    if expression not in terms:
        terms[expression] = _convert_expression(expression, graph, terms)
    return terms[expression]


def _convert_expression(expression: Any, graph: TermGraph, terms: dict[Any, Term]) -> Term:
    if expression.is_number and not expression.free_symbols:
        return graph.number(float(expression))
    name = type(expression).__name__
    args = [sympy_to_term(arg, graph, terms) for arg in expression.args]
    if name in _CONVERTERS:
        return _CONVERTERS[name](graph, args)
    if name in UNARY_FUNCTIONS:
        return graph.call(name, *args)
    raise NotPrintable(f"{name}({', '.join(map(str, expression.args))})" if args else str(expression))


def _sum_terms(graph: TermGraph, args: Sequence[Term]) -> Term:
    total = graph.number(0.0)
    for arg in args:
        total = graph.add(total, arg)
    return total


def _multiply_terms(graph: TermGraph, args: Sequence[Term]) -> Term:
    total = graph.number(1.0)
    for arg in args:
        total = graph.mul(total, arg)
    return total


def _fold_pairs(op: str) -> Callable[[TermGraph, Sequence[Term]], Term]:
    def fold(graph: TermGraph, args: Sequence[Term]) -> Term:
        total, *rest = args
        for arg in rest:
            total = graph.call(op, total, arg)
        return total

    return fold


def _sign_term(graph: TermGraph, args: Sequence[Term]) -> Term:
    (x,) = args
    return graph.call("select", x, graph.number(1.0), graph.call("select", -x, graph.number(-1.0), graph.number(0.0)))


def _wrap_angle(graph: TermGraph, args: Sequence[Term]) -> Term:
    (x,) = args
    turn = 2.0 * math.pi
    return x - turn * graph.call("floor", x / turn + 0.5)


_CONVERTERS: dict[str, Callable[[TermGraph, Sequence[Term]], Term]] = {
    "Add": _sum_terms,
    "Mul": _multiply_terms,
    "Pow": lambda graph, args: graph.power(*args),
    "Max": _fold_pairs("max"),
    "Min": _fold_pairs("min"),
    "Abs": lambda graph, args: abs(args[0]),
    "sign": _sign_term,
    "Heaviside": lambda graph, args: graph.call("select", args[0], graph.number(1.0), graph.number(0.0)),
    # Derivative of a jump: programs are evaluated on either side of it, never on it.
    "DiracDelta": lambda graph, args: graph.number(0.0),
    "atan2": lambda graph, args: graph.call("atan2", *args),
    "Wrapped": _wrap_angle,
    "PowerChange": lambda graph, args: graph.call("expm1", args[1] * graph.call("log", args[0])),
}
"""Converters by class of SymPy (and of physics/symbolic.py): the term from those of its arguments."""
