# Copied from derive/scratch.py, because kernels import nothing of ours.
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable

inlined = register_jitable(forceinline=True)


def scratch(size):
    """Room for a few numbers: on the stack, a list in plain Python. The compiler knows that no other array lies there,
    so that it may compute several elements at once."""
    return [0.0] * size


@intrinsic
def on_stack(typing, size):
    def codegen(context, builder, signature, arguments):
        with builder.goto_entry_block():
            room = builder.alloca(ir.ArrayType(ir.DoubleType(), size.literal_value))
        return builder.bitcast(room, ir.DoubleType().as_pointer())

    # None makes Numba try again with the value of the size in place of its type.
    known = isinstance(size, types.IntegerLiteral)
    return (types.CPointer(types.float64)(size), codegen) if known else None


@overload(scratch, prefer_literal=True, inline="always")
def compiled_scratch(size):
    known = isinstance(size, types.IntegerLiteral)
    return (lambda size: on_stack(size)) if known else None  # pyright: ignore[reportCallIssue]
