"""Calls of kernels through their address.

A table of addresses is used instead of Numba function arguments: the solvers are compiled once, for every model and every
element type, including user-defined types at run time.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def _call_address(typingctx: Any, address: Any, arguments: Any) -> Any:
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


call_address: Any = _call_address


@intrinsic
def _pointer_to(typingctx: Any, array: Any, first: Any) -> Any:
    """Address of array[first], for kernels. Accepts an array or a pointer; avoids the bounds handling of array[first:]."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = values[0]
        if isinstance(array, types.Array):
            data = cgutils.create_struct_proxy(array)(context, builder, value=data).data
        return builder.gep(data, [values[1]])

    return types.CPointer(array.dtype)(array, types.int64), codegen


pointer_to: Any = _pointer_to


def record_from_address(kind: Any) -> Any:
    """Return a compiled function that converts an address to a PointerRecord of this type."""

    @intrinsic
    def view(typingctx: Any, address: Any) -> Any:
        return kind(types.int64), lambda context, builder, signature, arguments: arguments[0]

    return view
