"""Entries of element matrices that vanish because some parameters of the element are zero.

A point on the x axis of a spatial body does not depend on the body's other two axes, and a hinge about an axis of the body
depends on one axis instead of three. The pattern of a kernel does not show this, since it covers all parameters. This module
runs the kernel once per set of zero parameters, in Python, with symbolic numbers of which only "need not be zero" is known.
Entries that remain zero are zero in every pose and are left out of the tables; doubtful entries stay.

Measured on a chain of spatial hinges about axes of the bodies: 1600 multiply-subtracts per body instead of 6600.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from gaitwright.derive.kernel_interface import COUNT, INTS, KERNEL_ARGUMENTS

Array = np.ndarray


class StructuralNonzero:
    """Number that need not be zero; only a factor that is exactly zero makes a product with it vanish. Using its value or
    comparing it raises TypeError, because neither is known."""

    def _with(self, other: Any) -> StructuralNonzero:
        return self

    def _times(self, other: Any) -> Any:
        return self if isinstance(other, StructuralNonzero) or other != 0.0 else 0.0

    def _itself(self) -> StructuralNonzero:
        return self

    def _unknown(self, other: Any = None) -> Any:
        raise TypeError("a number that is not known")

    __add__ = __radd__ = __sub__ = __rsub__ = __truediv__ = __pow__ = __rpow__ = _with
    __mul__ = __rmul__ = __rtruediv__ = _times
    __neg__ = __pos__ = __abs__ = _itself
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _unknown
    __hash__ = None  # type: ignore[assignment]


STRUCTURAL_NONZERO = StructuralNonzero()


def find_nonzero_entries(module: ModuleType, kernel: str, matrices: tuple[str, ...], par: Array, size: int) -> Array:
    """Mask of the entries of matrices written by a kernel that can be non-zero, (n_elements, size), for elements with the
    parameters par, (n_elements, n_par)."""
    if getattr(module, "FULL", False):  # finite elements: a zero parameter makes nothing vanish
        return np.ones((len(par), size), dtype=bool)
    zero = par == 0.0
    if (zero == zero[:1]).all():  # the usual case
        nonzero = _nonzero_entries(module, kernel, matrices, size, tuple(zero[0].tolist()))
        return np.repeat(np.array([nonzero], dtype=bool).reshape(1, size), len(par), axis=0)
    rows = zero.view(f"V{zero.shape[1]}").ravel()  # each row as one value: six times as fast as np.unique along an axis
    _, first, which = np.unique(rows, return_index=True, return_inverse=True)
    each = [_nonzero_entries(module, kernel, matrices, size, tuple(kind)) for kind in zero[first].tolist()]
    return np.array(each, dtype=bool).reshape(first.size, size)[which]


@functools.cache
def _nonzero_entries(
    module: ModuleType, kernel: str, matrices: tuple[str, ...], size: int, zero: tuple[bool, ...]
) -> list[bool]:
    all_entries = [True] * size
    if not any(zero):
        return all_entries
    written: list[Any] = [0.0] * size
    count = max(size, module.N_DOF, getattr(module, "N_ROW", 0), 3 * module.N_SIG)
    default_arguments = {COUNT: 1, INTS: range(count)}
    known = {**dict.fromkeys(matrices, written), "par": [0.0 if none else STRUCTURAL_NONZERO for none in zero]}
    arguments = [
        known.get(name, default_arguments.get(kind, [STRUCTURAL_NONZERO] * count))
        for name, kind in KERNEL_ARGUMENTS[module.KIND][kernel]
    ]
    try:
        _symbolic_kernel(getattr(module, kernel))(*arguments)
    except (TypeError, ZeroDivisionError):  # a branch, or a division by a parameter that is zero: every entry stays
        return all_entries
    return [isinstance(value, StructuralNonzero) or value != 0.0 for value in written]


def _symbolic_kernel(kernel: Callable[..., None]) -> Callable[..., None]:
    """Return the kernel with math functions that accept StructuralNonzero."""
    names = kernel.__globals__
    math_functions = {
        name: _accept_structural_nonzero(f) for name, f in names.items() if getattr(math, name, None) is f
    }
    return FunctionType(kernel.__code__, {**names, **math_functions})


def _accept_structural_nonzero(function: Callable[..., float]) -> Callable[..., Any]:
    def applied(*arguments: Any) -> Any:
        return STRUCTURAL_NONZERO if any(isinstance(a, StructuralNonzero) for a in arguments) else function(*arguments)

    return applied
