"""Whether an expression with units is what a field asks for.

Plain numbers, parameters and t have whatever dimension is needed: they are in SI. So only what units alone determine is
checked: `240 mm`, `0.1 + 20 mm`, `12 N*30 mm`; `2*120 mm` may be a length, and with 2 kg/m something else.
"""

from __future__ import annotations

from collections.abc import Mapping

from gaitwright.errors import ModelError
from gaitwright.model.grammar import Expression, Lookup, clip
from gaitwright.model.units import NONE, Dimension, dimension_of, name_of
from gaitwright.system.signals import Op, arity

_ALIKE = {Op.ADD: "added", Op.SUBTRACT: "subtracted", Op.MIN: "compared", Op.MAX: "compared", Op.LESS: "compared",
          Op.LESS_EQUAL: "compared", Op.GREATER: "compared", Op.GREATER_EQUAL: "compared", Op.EQUAL: "compared",
          Op.NOT_EQUAL: "compared"}  # fmt: skip
_KEEPING = {Op.ADD, Op.SUBTRACT, Op.MIN, Op.MAX}
_OF_ANGLES = {Op.SIN, Op.COS, Op.TAN}
ANGLE = dimension_of("rad")
Known = Dimension | None


def dimension_in(expression: Expression, named: Mapping[str, Known] | None = None) -> Known:
    """The dimension that the units in an expression give to it; None if they leave it open. ModelError if they contradict
    each other. named: that of names, as far as it is known."""
    given: dict[int, Known] = dict(expression.units)
    stack: list[Known] = []
    for k, item in enumerate(expression.items):
        if isinstance(item, Lookup):
            stack[-1] = None
        elif isinstance(item, Op):
            arguments = stack[-arity(item) :]
            del stack[-arity(item) :]
            stack.append(_combined(item, arguments, expression.text))
        else:
            stack.append(named.get(item) if named and isinstance(item, str) else given.get(k))
    return stack[0]


def _combined(op: Op, of: list[Known], text: str) -> Known:
    if op in _ALIKE:
        return _same(of, f"cannot be {_ALIKE[op]}", text) if op in _KEEPING else _checked(of, _ALIKE[op], text)
    if op == Op.IF:
        return _same(of[1:], "cannot stand for one another", text)
    if op in (Op.MULTIPLY, Op.DIVIDE):
        a, b = of
        sign = 1.0 if op == Op.MULTIPLY else -1.0
        if a is None or b is None:
            return None
        m, kg, s, rad = (x + sign * y for x, y in zip(a, b, strict=True))
        return m, kg, s, rad
    if op in (Op.NEGATE, Op.ABS, Op.MODULO):
        return of[0]
    if op == Op.POWER and of[1] not in (None, NONE):
        raise ModelError("an exponent has no unit", value=clip(text))
    if op in _OF_ANGLES and of[0] not in (None, NONE, ANGLE):
        raise ModelError(f"{op.name.lower()} wants an angle, not {name_of(of[0] or NONE)}", value=clip(text))
    return None


def _same(of: list[Known], problem: str, text: str) -> Known:
    known = [dimension for dimension in of if dimension is not None]
    if len(set(known)) > 1:
        raise ModelError(f"{name_of(known[0])} and {name_of(known[1])} {problem}", value=clip(text))
    return known[0] if known else None


def _checked(of: list[Known], how: str, text: str) -> None:
    _same(of, f"cannot be {how}", text)
