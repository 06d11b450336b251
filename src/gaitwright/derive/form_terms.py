"""Forms as terms: the expressions of SymPy with terms in place of their symbols."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gaitwright.derive.form import Form
from gaitwright.derive.symbols import Named
from gaitwright.derive.terms import FUNCTIONS, Graph, NotPrintable, Term

LOADS = [
    re.compile(pattern)
    for pattern in (
        r"(q|v|a)\[dof\[\d+ \* e \+ (\d+)\]\]",
        r"(par|coef|given)\[\d+ \* e \+ (\d+)\]",
        r"(u)\[3 \* sig\[\d+ \* e \+ (\d+)\](?: \+ (\d))?\]",
        r"(lam)\[row\[\d+ \* e \+ (\d+)\]\]",
    )
]
TARGET = re.compile(r"(\w+)\[(?:\w+\[)?\d+ \* e \+ (\d+)\]+")


class Place(NamedTuple):
    """What a symbol of a form stands for: entry of an array of the element (q, v, a, par, u, lam); of a signal u also how
    often it is differentiated."""

    array: str
    entry: int
    rate: int = 0


def place_of(load: str) -> Place:
    """Where a symbol is loaded from."""
    for pattern in LOADS:
        found = pattern.fullmatch(load)
        if found:
            parts = found.groups()
            return Place(str(parts[0]), int(parts[1]), int(parts[2] or 0) if len(parts) > 2 else 0)
    raise NotPrintable(f"the load {load}")


def form_terms(form: Form, graph: Graph, given: Callable[[Place], Term]) -> list[tuple[str, int, Term]]:
    """The outputs of a form for one element: the array that each goes to, which entry of it (in the element's own counting),
    and its term. given: the term of what is loaded."""
    known: dict[Any, Term] = {}
    for symbol in form.inputs:
        known[symbol] = (
            term_of(symbol.value, graph, known) if isinstance(symbol, Named) else given(place_of(symbol.load))
        )
    for name, value in form.shared:
        known[name] = term_of(value, graph, known)
    found = []
    for target, _, value in form.outputs:
        where = TARGET.fullmatch(target)
        assert where is not None, target
        found.append((where[1], int(where[2]), term_of(value, graph, known)))
    return found


def term_of(expression: Any, graph: Graph, known: dict[Any, Term]) -> Term:
    """An expression of SymPy. known: terms of symbols; what was met is added."""
    if expression not in known:
        known[expression] = _made(expression, graph, known)
    return known[expression]


def _made(expression: Any, graph: Graph, known: dict[Any, Term]) -> Term:
    if expression.is_number and not expression.free_symbols:
        return graph.number(float(expression))
    name = type(expression).__name__
    args = [term_of(arg, graph, known) for arg in expression.args]
    if name in _MADE:
        return _MADE[name](graph, args)
    if name in FUNCTIONS:
        return graph.call(name, *args)
    raise NotPrintable(f"{name}({', '.join(map(str, expression.args))})" if args else str(expression))


def _sum(graph: Graph, args: Sequence[Term]) -> Term:
    total = graph.number(0.0)
    for arg in args:
        total = graph.add(total, arg)
    return total


def _product(graph: Graph, args: Sequence[Term]) -> Term:
    total = graph.number(1.0)
    for arg in args:
        total = graph.mul(total, arg)
    return total


def _pairs(op: str) -> Callable[[Graph, Sequence[Term]], Term]:
    def made(graph: Graph, args: Sequence[Term]) -> Term:
        found, *rest = args
        for arg in rest:
            found = graph.call(op, found, arg)
        return found

    return made


def _sign(graph: Graph, args: Sequence[Term]) -> Term:
    (x,) = args
    return graph.call("select", x, graph.number(1.0), graph.call("select", -x, graph.number(-1.0), graph.number(0.0)))


def _within_a_turn(graph: Graph, args: Sequence[Term]) -> Term:
    (x,) = args
    turn = 2.0 * math.pi
    return x - turn * graph.call("floor", x / turn + 0.5)


_MADE: dict[str, Callable[[Graph, Sequence[Term]], Term]] = {
    "Add": _sum,
    "Mul": _product,
    "Pow": lambda graph, args: graph.power(*args),
    "Max": _pairs("max"),
    "Min": _pairs("min"),
    "Abs": lambda graph, args: abs(args[0]),
    "sign": _sign,
    "Heaviside": lambda graph, args: graph.call("select", args[0], graph.number(1.0), graph.number(0.0)),
    # Derivative of a jump: programs are evaluated on either side of it, never on it.
    "DiracDelta": lambda graph, args: graph.number(0.0),
    "atan2": lambda graph, args: graph.call("atan2", *args),
    "Wrapped": _within_a_turn,
    "PowerChange": lambda graph, args: graph.call("expm1", args[1] * graph.call("log", args[0])),
}
"""By class of SymPy (and of physics/symbolic.py): the term from those of its arguments."""
