"""Expressions of a model as terms: of parameters, and of time."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from gaitwright.derive.terms import Graph, NotPrintable, Term
from gaitwright.model.grammar import Expression, Lookup
from gaitwright.system.signals import Op, arity


def term_of(expression: Expression, graph: Graph, values: Mapping[str, Term], time: Term | None = None) -> Term:
    """The term of an expression. values: of the parameters. time: of t, where it may occur."""
    stack: list[Term] = []
    for item in expression.items:
        if isinstance(item, Op):
            args = stack[-arity(item) :]
            del stack[-arity(item) :]
            stack.append(_ON_TERMS[item](*args) if item in _ON_TERMS else graph.call(item.name.lower(), *args))
        elif isinstance(item, Lookup):
            raise NotPrintable(f"the series '{item.name}'")
        elif item == "t":
            assert time is not None
            stack.append(time)
        else:
            stack.append(values[item] if isinstance(item, str) else graph.number(item))
    (found,) = stack
    return found


def _select(condition: Term, yes: Any, no: Any) -> Term:
    graph = condition.graph
    return graph.call("select", condition, graph.term(yes), graph.term(no))


def _true(x: Term) -> Term:
    """1 where a number is not zero."""
    return _select(abs(x), 1.0, 0.0)


_ON_TERMS: dict[Op, Callable[..., Any]] = {
    Op.NEGATE: operator.neg,
    Op.ADD: operator.add,
    Op.SUBTRACT: operator.sub,
    Op.MULTIPLY: operator.mul,
    Op.DIVIDE: operator.truediv,
    Op.POWER: operator.pow,
    Op.ABS: abs,
    Op.MODULO: lambda x, y: x.graph.call("fmod", x, y),
    Op.NOT: lambda x: 1.0 - _true(x),
    Op.LESS: lambda x, y: _select(y - x, 1.0, 0.0),
    Op.GREATER: lambda x, y: _select(x - y, 1.0, 0.0),
    Op.LESS_EQUAL: lambda x, y: _select(x - y, 0.0, 1.0),
    Op.GREATER_EQUAL: lambda x, y: _select(y - x, 0.0, 1.0),
    Op.EQUAL: lambda x, y: 1.0 - _true(x - y),
    Op.NOT_EQUAL: lambda x, y: _true(x - y),
    Op.AND: lambda x, y: _true(x) * _true(y),
    Op.OR: lambda x, y: _select(_true(x) + _true(y), 1.0, 0.0),
    Op.IF: lambda x, yes, no: _select(abs(x), yes, no),
}
"""What is not a function of the same name."""
