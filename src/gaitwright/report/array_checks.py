"""Checks of arrays for drawing: expected shape, finite values, order. They raise ValueError."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_finite(values: Any, name: str) -> np.ndarray:
    """Convert to a float array; raise ValueError with this name if a value is not finite."""
    array = np.asarray(values, dtype=float)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} contains NaN or infinity; expected finite numbers")
    return array


def check_shape(values: Any, shape: tuple[int | None, ...], name: str) -> np.ndarray:
    """Convert to a finite array of this shape, where None is any number but zero; raise ValueError with this name."""
    array = check_finite(values, name)
    fits = (
        array.ndim == len(shape) and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True)) and array.size
    )
    if not fits:
        expected = ", ".join("n" if n is None else str(n) for n in shape)
        raise ValueError(f"{name} has shape {array.shape}; expected ({expected}{',' if len(shape) == 1 else ''})")
    return array


def check_times(values: Any, name: str) -> np.ndarray:
    """Convert to an array of times that never decrease; raise ValueError with this name."""
    time = check_finite(values, name)
    if time.ndim != 1 or not len(time):
        raise ValueError(f"{name} has shape {time.shape}; expected one row of at least one instant")
    if (np.diff(time) < 0).any():
        raise ValueError(f"{name} runs backwards; expected times that never decrease")
    return time


def check_indices(values: Any, wide: tuple[int, ...], count: int, name: str) -> np.ndarray:
    """Convert to rows of node indices below `count`, with a row length out of `wide`; raise ValueError with this name."""
    array = np.asarray(values)
    if array.ndim != 2 or array.shape[1] not in wide or not len(array):
        expected = " or ".join(f"(n, {n})" for n in wide)
        raise ValueError(f"{name} have shape {array.shape}; expected {expected}")
    indices = array.astype(np.int64)
    if (indices != array).any() or indices.min() < 0 or indices.max() >= count:
        raise ValueError(f"{name} name a node that does not exist; there are {count}, counted from 0")
    return indices


def round_times(time: np.ndarray, span: float) -> tuple[np.ndarray, np.ndarray]:
    """Round times as a page stores them, and return the indices of the distinct ones: two times of short adaptive steps can
    round to the same number, between which interpolation is impossible."""
    return np.unique(round_to_size(time, span), return_index=True)


def round_to_size(values: np.ndarray, size: float) -> np.ndarray:
    """Round to six digits relative to `size`."""
    decimals = min(300, 5 - int(np.floor(np.log10(size)))) if size > 0 else 6
    return np.round(values, decimals) + 0.0  # the sum turns -0.0 into 0.0
