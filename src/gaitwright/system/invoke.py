"""Calling a kernel through its address.

A table of addresses instead of Numba function arguments: the solvers are compiled once, for every model and every
element type, including those a user defines at run time.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def _invoke(typingctx: Any, address: Any, arguments: Any) -> Any:
    """Call the C function at `address` with a tuple of arguments; arrays are passed as pointers to their data."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        target, packed = values
        plain = []
        for index, kind in enumerate(arguments.types):
            value = builder.extract_value(packed, index)
            if isinstance(kind, types.Array):
                value = cgutils.create_struct_proxy(kind)(context, builder, value=value).data
            plain.append(value)
        function = ir.FunctionType(ir.VoidType(), [value.type for value in plain])
        builder.call(builder.inttoptr(target, function.as_pointer()), plain)
        return context.get_dummy_value()

    return types.void(types.int64, arguments), codegen


invoke: Any = _invoke


@intrinsic
def _behind(typingctx: Any, array: Any, first: Any) -> Any:
    """The address of array[first], of an array or of what a pointer leads to, for kernels: without the looks at the bounds that
    array[first:] takes."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = values[0]
        if isinstance(array, types.Array):
            data = cgutils.create_struct_proxy(array)(context, builder, value=data).data
        return builder.gep(data, [values[1]])

    return types.CPointer(array.dtype)(array, types.int64), codegen


behind: Any = _behind


def viewer(kind: Any) -> Any:
    """A compiled function that takes the address of a Packed record of this type and gives the record."""

    @intrinsic
    def view(typingctx: Any, address: Any) -> Any:
        return kind(types.int64), lambda context, builder, signature, arguments: arguments[0]

    return view
