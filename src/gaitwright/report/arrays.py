"""Arrays that can be drawn: of the shape that is expected, finite, in order; or an error about what is not."""

from __future__ import annotations

from typing import Any

import numpy as np


def finite(values: Any, what: str) -> np.ndarray:
    """The numbers as an array, or an error about `what`."""
    array = np.asarray(values, dtype=float)
    if not np.isfinite(array).all():
        raise ValueError(f"{what} contains NaN or infinity; expected finite numbers")
    return array


def shaped(values: Any, shape: tuple[int | None, ...], what: str) -> np.ndarray:
    """Finite numbers of this shape, where None is any number but zero, or an error about `what`."""
    array = finite(values, what)
    fits = (
        array.ndim == len(shape) and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True)) and array.size
    )
    if not fits:
        wanted = ", ".join("n" if n is None else str(n) for n in shape)
        raise ValueError(f"{what} has shape {array.shape}; expected ({wanted}{',' if len(shape) == 1 else ''})")
    return array


def times(values: Any, what: str) -> np.ndarray:
    """Instants that never decrease, or an error about `what`."""
    time = finite(values, what)
    if time.ndim != 1 or not len(time):
        raise ValueError(f"{what} has shape {time.shape}; expected one row of at least one instant")
    if (np.diff(time) < 0).any():
        raise ValueError(f"{what} runs backwards; expected times that never decrease")
    return time


def indices(values: Any, wide: tuple[int, ...], count: int, what: str) -> np.ndarray:
    """Rows of numbers of nodes, as many in a row as one of `wide` says, each below `count`; or an error about `what`."""
    array = np.asarray(values)
    if array.ndim != 2 or array.shape[1] not in wide or not len(array):
        wanted = " or ".join(f"(n, {n})" for n in wide)
        raise ValueError(f"{what} have shape {array.shape}; expected {wanted}")
    whole = array.astype(np.int64)
    if (whole != array).any() or whole.min() < 0 or whole.max() >= count:
        raise ValueError(f"{what} name a node that does not exist; there are {count}, counted from 0")
    return whole


def rounded_times(time: np.ndarray, span: float) -> tuple[np.ndarray, np.ndarray]:
    """Times as a page stores them, and which of them are distinct: adaptive steps can be so short that two times round to the
    same number, between which nothing can be interpolated."""
    return np.unique(rounded_to(time, span), return_index=True)


def rounded_to(values: np.ndarray, size: float) -> np.ndarray:
    """Rounded to six digits of `size`."""
    decimals = min(300, 5 - int(np.floor(np.log10(size)))) if size > 0 else 6
    return np.round(values, decimals) + 0.0  # the sum turns -0.0 into 0.0
