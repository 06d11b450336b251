"""Sampling of parameter values for many designs within ranges."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.design.parameter_ranges import ParameterBox, read_parameters, require_model_values_inside
from gaitwright.model.model import Model, require_model

SAMPLINGS = ("sobol", "grid", "random")


def sample_designs(
    model: Model, parameters: Mapping[str, Any], count: int, *, sampling: str = "sobol", seed: int = 0
) -> dict[str, np.ndarray]:
    """Sample values of parameters for many designs: {name: (n_designs,)}.

    parameters: {name: (low, high)}, around the model's own values. count: number of designs. sampling: "sobol" fills the box
    evenly, also in many dimensions; "grid" is all combinations of n equidistant values per parameter, with the largest n for
    which these are at most count; "random" is uniform. seed: the same seed gives the same designs. Raises ModelError for
    invalid ranges, counts and samplings."""
    require_model(model, "designs")
    return sample_box(model, read_parameters("designs", model, parameters), count, sampling, seed)


def sample_box(model: Model, box: ParameterBox, count: int, sampling: str, seed: int) -> dict[str, np.ndarray]:
    """Values of every design: the given ones, one of each parameter for every design, or samples of the ranges."""
    if any(axis.points is not None for axis in box.values()):
        return _given_designs(box)
    at = ErrorContext("designs")
    require_model_values_inside("designs", model, box)
    count = at["count"].whole(count, "is not a number of designs", "a whole number of at least 1", 1, 10**9)
    at["sampling"].one_of(sampling, SAMPLINGS)
    low, high = np.array([axis.low for axis in box.values()]), np.array([axis.high for axis in box.values()])
    if sampling == "grid":
        levels = max(1, int(np.floor(count ** (1.0 / low.size) + 1e-9)))
        if levels < 2 <= count:  # a single design in the middle is not a grid
            at["count"].fail(
                f"is too small for a grid of {low.size} parameters", count,
                f"at least {2**low.size}, two values of each, or sampling='sobol'",
            )  # fmt: skip
        axes = [
            np.linspace(a, b, levels) if levels > 1 else np.array([(a + b) / 2]) for a, b in zip(low, high, strict=True)
        ]
        values = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")])
    else:
        values = (low + (high - low) * unit_points(sampling, low.size, count, seed)).T
    return {name: np.ascontiguousarray(row) for name, row in zip(box, values, strict=True)}


def _given_designs(box: ParameterBox) -> dict[str, np.ndarray]:
    """Values given as lists. Raises ModelError for ranges among them, and for lists of different lengths."""
    at = ErrorContext("designs", "parameters")
    ranges = [name for name, axis in box.items() if axis.points is None]
    if ranges:
        at.fail(f"has ranges and lists of values: '{ranges[0]}' is a range", expected="only ranges, or only lists")
    values = {name: axis.points for name, axis in box.items() if axis.points is not None}
    if len({points.size for points in values.values()}) != 1:
        sizes = ", ".join(f"{name}: {points.size}" for name, points in values.items())
        at.fail(f"have different numbers of values ({sizes})", expected="one value of each for every design")
    return values


def unit_points(sampling: str, dimensions: int, count: int, seed: int) -> np.ndarray:
    """Points in the unit cube, (count, dimensions); Sobol points unless sampling is "random"."""
    if sampling == "random":
        return np.random.default_rng(seed).random((count, dimensions))
    from scipy.stats import qmc

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # warning that Sobol points are balanced only for powers of two
        return qmc.Sobol(dimensions, scramble=True, rng=seed).random(count)
