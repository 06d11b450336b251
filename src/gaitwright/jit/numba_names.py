"""Public names of Numba that other packages use: `carray` (array at a pointer), `typeof` (type of a value), `types` and
`NumbaError` (failed compilation). Only the package jit imports Numba itself."""

from __future__ import annotations

from numba import typeof, types
from numba.core.errors import NumbaError
from numba.np.numpy_support import carray

__all__ = ["NumbaError", "carray", "typeof", "types"]
