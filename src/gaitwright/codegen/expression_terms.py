"""Conversion of model expressions of parameters and time to terms."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from gaitwright.derive.term_graph import NotPrintable, Term, TermGraph
from gaitwright.mechanism.signals import SignalOperation, arity
from gaitwright.model.grammar import Expression, SeriesLookup


def expression_to_term(
    expression: Expression, graph: TermGraph, values: Mapping[str, Term], time: Term | None = None
) -> Term:
    """Convert an expression to a term. values: terms of the parameters. time: term of t, if t may occur. Raises
    NotPrintable for a series."""
    stack: list[Term] = []
    for item in expression.items:
        if isinstance(item, SignalOperation):
            args = stack[-arity(item) :]
            del stack[-arity(item) :]
            stack.append(
                _TERM_OPERATIONS[item](*args) if item in _TERM_OPERATIONS else graph.call(item.name.lower(), *args)
            )
        elif isinstance(item, SeriesLookup):
            raise NotPrintable(f"the series '{item.name}'")
        elif item == "t":
            assert time is not None
            stack.append(time)
        else:
            stack.append(values[item] if isinstance(item, str) else graph.number(item))
    (result,) = stack
    return result


def _select_term(condition: Term, yes: Any, no: Any) -> Term:
    graph = condition.graph
    return graph.call("select", condition, graph.term(yes), graph.term(no))


def _truth_term(x: Term) -> Term:
    """1 if a number is not zero, else 0."""
    return _select_term(abs(x), 1.0, 0.0)


_TERM_OPERATIONS: dict[SignalOperation, Callable[..., Any]] = {
    SignalOperation.NEGATE: operator.neg,
    SignalOperation.ADD: operator.add,
    SignalOperation.SUBTRACT: operator.sub,
    SignalOperation.MULTIPLY: operator.mul,
    SignalOperation.DIVIDE: operator.truediv,
    SignalOperation.POWER: operator.pow,
    SignalOperation.ABS: abs,
    SignalOperation.MODULO: lambda x, y: x.graph.call("fmod", x, y),
    SignalOperation.NOT: lambda x: 1.0 - _truth_term(x),
    SignalOperation.LESS: lambda x, y: _select_term(y - x, 1.0, 0.0),
    SignalOperation.GREATER: lambda x, y: _select_term(x - y, 1.0, 0.0),
    SignalOperation.LESS_EQUAL: lambda x, y: _select_term(x - y, 0.0, 1.0),
    SignalOperation.GREATER_EQUAL: lambda x, y: _select_term(y - x, 0.0, 1.0),
    SignalOperation.EQUAL: lambda x, y: 1.0 - _truth_term(x - y),
    SignalOperation.NOT_EQUAL: lambda x, y: _truth_term(x - y),
    SignalOperation.AND: lambda x, y: _truth_term(x) * _truth_term(y),
    SignalOperation.OR: lambda x, y: _select_term(_truth_term(x) + _truth_term(y), 1.0, 0.0),
    SignalOperation.IF: lambda x, yes, no: _select_term(abs(x), yes, no),
}
"""Operations that are not functions of the same name."""
