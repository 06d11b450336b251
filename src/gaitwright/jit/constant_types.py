"""Compile-time constants: replace known numbers by their values before type inference.

A record type may fix the values of some of its fields (jit/pointer_records.py): the same source then yields planar and
spatial code, in which loops have fixed lengths. Since the value replaces the field before types are inferred, Numba can
remove whole branches and all their calls. An argument of a literal type is a constant, too.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import GuardException, get_definition


@register_pass(mutates_CFG=False, analysis_only=False)
class ConstantFieldPass(FunctionPass):
    """Replace arguments and `record.field` by their values where the types define them."""

    _name = "put_in_known_fields"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        code, changed = state.func_ir, False
        for block in code.blocks.values():
            for statement in block.find_insts(ir.Assign):
                value = find_constant(code, state.args, statement.value)
                if isinstance(value, int):
                    number = ir.Const(value, statement.loc)
                    definitions = code._definitions[statement.target.name]
                    definitions[definitions.index(statement.value)] = number
                    statement.value = number
                    changed = True
        return changed


def find_constant(code: Any, arguments: Any, expression: Any) -> Any:
    """Compile-time value of an expression: a number, the type of a record, or None."""
    if isinstance(expression, ir.Var):
        try:
            expression = get_definition(code, expression)
        except GuardException:  # it may have several values
            return None
    if isinstance(expression, ir.Arg):
        kind = arguments[expression.index]
        return getattr(kind, "literal_value", kind)
    if isinstance(expression, ir.Expr) and expression.op == "getattr":
        return getattr(find_constant(code, arguments, expression.value), "known", {}).get(expression.attr)
    return None
