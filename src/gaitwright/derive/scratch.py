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


@inlined
def shape_of(q, dof, first, inverse):
    """Chord d and bends s, t of the element whose coordinates begin at `first`, see derive/beam.py."""
    dx, dy = (q[dof[first + 4]] - q[dof[first]]) * inverse, (q[dof[first + 5]] - q[dof[first + 1]]) * inverse
    return dx, dy, q[dof[first + 2]] - dx, q[dof[first + 3]] - dy, q[dof[first + 6]] - dx, q[dof[first + 7]] - dy


@inlined
def add_row(values, index, first, x0, y0, u0, v0, x1, y1, u1, v1):
    """Add to what belongs to the eight coordinates of an element."""
    values[index[first]] += x0
    values[index[first + 1]] += y0
    values[index[first + 2]] += u0
    values[index[first + 3]] += v0
    values[index[first + 4]] += x1
    values[index[first + 5]] += y1
    values[index[first + 6]] += u1
    values[index[first + 7]] += v1
