"""Check of the dimension of an expression with units against that of its field.

Plain numbers, parameters and t take any dimension that is needed: they are in SI. Only the dimension given by units alone is
checked: `240 mm`, `0.1 + 20 mm`, `12 N*30 mm`; `2*120 mm` may be a length, and with 2 kg/m something else.
"""

from __future__ import annotations

from collections.abc import Mapping

from gaitwright._core.errors import ModelError
from gaitwright.mechanism.signals import SignalOperation, arity
from gaitwright.model.grammar import Expression, SeriesLookup, clip_text
from gaitwright.model.units import DIMENSIONLESS, Dimension, dimension_name, dimension_of

_SAME_DIMENSION_VERBS = {
    SignalOperation.ADD: "added",
    SignalOperation.SUBTRACT: "subtracted",
    SignalOperation.MIN: "compared",
    SignalOperation.MAX: "compared",
    SignalOperation.LESS: "compared",
    SignalOperation.LESS_EQUAL: "compared",
    SignalOperation.GREATER: "compared",
    SignalOperation.GREATER_EQUAL: "compared",
    SignalOperation.EQUAL: "compared",
    SignalOperation.NOT_EQUAL: "compared",
}
_DIMENSION_PRESERVING_OPS = {SignalOperation.ADD, SignalOperation.SUBTRACT, SignalOperation.MIN, SignalOperation.MAX}
_ANGLE_FUNCTIONS = {SignalOperation.SIN, SignalOperation.COS, SignalOperation.TAN}
ANGLE_DIMENSION = dimension_of("rad")
KnownDimension = Dimension | None


def infer_dimension(expression: Expression, named: Mapping[str, KnownDimension] | None = None) -> KnownDimension:
    """Dimension of an expression from its units; None if undetermined. ModelError if units contradict each other. named: known
    dimensions of names."""
    dimension_by_index: dict[int, KnownDimension] = dict(expression.units)
    stack: list[KnownDimension] = []
    for k, item in enumerate(expression.items):
        if isinstance(item, SeriesLookup):
            stack[-1] = None
        elif isinstance(item, SignalOperation):
            arguments = stack[-arity(item) :]
            del stack[-arity(item) :]
            stack.append(_combine_dimensions(item, arguments, expression.text))
        else:
            stack.append(named.get(item) if named and isinstance(item, str) else dimension_by_index.get(k))
    return stack[0]


def _combine_dimensions(op: SignalOperation, operands: list[KnownDimension], text: str) -> KnownDimension:
    if op in _SAME_DIMENSION_VERBS:
        return (
            _require_same_dimension(operands, f"cannot be {_SAME_DIMENSION_VERBS[op]}", text)
            if op in _DIMENSION_PRESERVING_OPS
            else _require_comparable(operands, _SAME_DIMENSION_VERBS[op], text)
        )
    if op == SignalOperation.IF:
        return _require_same_dimension(operands[1:], "cannot stand for one another", text)
    if op in (SignalOperation.MULTIPLY, SignalOperation.DIVIDE):
        a, b = operands
        sign = 1.0 if op == SignalOperation.MULTIPLY else -1.0
        if a is None or b is None:
            return None
        m, kg, s, rad = (x + sign * y for x, y in zip(a, b, strict=True))
        return m, kg, s, rad
    if op in (SignalOperation.NEGATE, SignalOperation.ABS, SignalOperation.MODULO):
        return operands[0]
    if op == SignalOperation.POWER and operands[1] not in (None, DIMENSIONLESS):
        raise ModelError("an exponent has no unit", value=clip_text(text))
    if op in _ANGLE_FUNCTIONS and operands[0] not in (None, DIMENSIONLESS, ANGLE_DIMENSION):
        raise ModelError(
            f"{op.name.lower()} takes an angle, not {dimension_name(operands[0] or DIMENSIONLESS)}",
            value=clip_text(text),
        )
    return None


def _require_same_dimension(operands: list[KnownDimension], problem: str, text: str) -> KnownDimension:
    known_dimensions = [dimension for dimension in operands if dimension is not None]
    if len(set(known_dimensions)) > 1:
        raise ModelError(
            f"{dimension_name(known_dimensions[0])} and {dimension_name(known_dimensions[1])} {problem}",
            value=clip_text(text),
        )
    return known_dimensions[0] if known_dimensions else None


def _require_comparable(operands: list[KnownDimension], verb: str, text: str) -> None:
    _require_same_dimension(operands, f"cannot be {verb}", text)
