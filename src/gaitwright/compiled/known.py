"""Numbers that are known when a function is compiled: they are put into it.

A type of records may know the values of some of its fields (system/packed.py): one source text then gives code for the plane
and code for space, in which loops have fixed lengths. That the number is written in place of the field before types are
inferred lets Numba leave out whole branches, and all that they call. An argument whose type is a literal is known, too.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import GuardException, get_definition


@register_pass(mutates_CFG=False, analysis_only=False)
class PutInKnown(FunctionPass):
    """Replaces arguments and `record.field` by their values where types know them."""

    _name = "put_in_known_fields"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        code, changed = state.func_ir, False
        for block in code.blocks.values():
            for statement in block.find_insts(ir.Assign):
                value = known_value(code, state.args, statement.value)
                if isinstance(value, int):
                    number = ir.Const(value, statement.loc)
                    found = code._definitions[statement.target.name]
                    found[found.index(statement.value)] = number
                    statement.value = number
                    changed = True
        return changed


def known_value(code: Any, arguments: Any, expression: Any) -> Any:
    """What is known of an expression: a number, the type of a record, or nothing."""
    if isinstance(expression, ir.Var):
        try:
            expression = get_definition(code, expression)
        except GuardException:  # it may have several values
            return None
    if isinstance(expression, ir.Arg):
        kind = arguments[expression.index]
        return getattr(kind, "literal_value", kind)
    if isinstance(expression, ir.Expr) and expression.op == "getattr":
        return getattr(known_value(code, arguments, expression.value), "known", {}).get(expression.attr)
    return None
