"""Scratch memory on the stack for kernels and element loops, and helper functions that become part of a kernel.

The definition of an overloaded function is known only to Numba, so the machine code of a function that calls `scratch` depends
on this whole file (cache_key.py)."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable

register_inlined: Any = register_jitable(forceinline=True)
"""Decorator of a function that a kernel calls: compiled as part of the kernel, and callable from plain Python as it is."""


def scratch(size):
    """Memory for a few numbers: on the stack in compiled code, a list of zeros in plain Python. The compiler can see that no
    other array uses it, so that it may compute several elements at once."""
    return [0.0] * size


@intrinsic
def _allocate_on_stack(typingctx: Any, size: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        with builder.goto_entry_block():
            memory = builder.alloca(ir.ArrayType(ir.DoubleType(), size.literal_value))
        return builder.bitcast(memory, ir.DoubleType().as_pointer())

    # None makes Numba try again with the value of the size in place of its type.
    is_literal = isinstance(size, types.IntegerLiteral)
    return (types.CPointer(types.float64)(size), codegen) if is_literal else None


@overload(scratch, prefer_literal=True, inline="always")
def _compiled_scratch(size):  # Numba compares this signature with that of the lambda, so it has no annotations
    is_literal = isinstance(size, types.IntegerLiteral)
    return (lambda size: _allocate_on_stack(size)) if is_literal else None  # pyright: ignore[reportCallIssue]
