# Copied from derive/beam_functions.py: kernels import only the package jit.
from gaitwright.jit.stack_memory import register_inlined, scratch  # noqa: F401


@register_inlined
def shape_of(q, dof, first, inverse):
    """Chord d and bends s, t of the element whose coordinates begin at `first`, see derive/beam.py."""
    dx, dy = (q[dof[first + 4]] - q[dof[first]]) * inverse, (q[dof[first + 5]] - q[dof[first + 1]]) * inverse
    return dx, dy, q[dof[first + 2]] - dx, q[dof[first + 3]] - dy, q[dof[first + 6]] - dx, q[dof[first + 7]] - dy


@register_inlined
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
