"""Sampling of parameter values for many designs within bounds."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.design.parameter_bounds import read_parameter_bounds
from gaitwright.model.model import Model, require_model

SAMPLINGS = ("sobol", "grid", "random")


def sample_designs(
    model: Model, bounds: Mapping[str, tuple[float, float]], count: int, *, sampling: str = "sobol", seed: int = 0
) -> dict[str, np.ndarray]:
    """Sample values of parameters for many designs: {name: (n_designs,)}.

    bounds: {name: (low, high)}, around the model's own values. count: number of designs. sampling: "sobol" fills the box
    evenly, also in many dimensions; "grid" is all combinations of n equidistant values per parameter, with the largest n for
    which these are at most count; "random" is uniform. seed: the same seed gives the same designs. Raises ModelError for
    invalid bounds, counts and samplings."""
    require_model(model, "designs")
    at = ErrorContext("designs")
    read = read_parameter_bounds(model, bounds)
    count = at["count"].whole(count, "is not a number of designs", "a whole number of at least 1", 1, 10**9)
    at["sampling"].one_of(sampling, SAMPLINGS)
    low, high = (np.array(side) for side in zip(*read.values(), strict=True))
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
    return {name: np.ascontiguousarray(row) for name, row in zip(read, values, strict=True)}


def unit_points(sampling: str, dimensions: int, count: int, seed: int) -> np.ndarray:
    """Points in the unit cube, (count, dimensions); Sobol points unless sampling is "random"."""
    if sampling == "random":
        return np.random.default_rng(seed).random((count, dimensions))
    from scipy.stats import qmc

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # warning that Sobol points are balanced only for powers of two
        return qmc.Sobol(dimensions, scramble=True, rng=seed).random(count)
