"""What printed digits leave open of everything that follows from rounded lengths of a leg."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from gaitwright.design.variants import Prepared
from gaitwright.legs.leg import Turn, in_air, turn_in_air
from gaitwright.legs.settings import Settings, read_settings
from gaitwright.model.model import Model

MILLIMETRE = 1e-3
DRAWS, SAMPLES = 200, 400
"""Legs that are drawn, and samples of each turn: with 400 instead of 1000 no band moves by 1 % of its width."""
INNER = (5.0, 95.0)
"""Percentiles of low and high: all lengths at their worst at once is possible, but not what rounding usually does."""


class Band(NamedTuple):
    """Where a number lies in the drawn legs: between low and high in nine of ten, between least and most in all."""

    low: float
    high: float
    least: float
    most: float

    def room(self, published: float, computed: float, *, all_legs: bool = False) -> float:
        """How far a published number may be from a computed one and still lie in the band: for `judge`. None, if the computed
        one is not in the band itself: a number that is none of this leg gets no room from it."""
        low, high = (self.least, self.most) if all_legs else (self.low, self.high)
        if not low <= computed <= high:
            return 0.0
        return high - computed if published > computed else computed - low


def drawn_lengths(lengths: Mapping[str, float], draws: int, seed: int) -> Iterator[dict[str, float]]:
    """Lengths that a table would print alike, m: each off by up to half a millimetre (uniformly). O2_x follows from the
    distance of O1 and O2, which is what the thesis prints; O2_y is kept."""
    random = np.random.default_rng(seed)
    offset = lengths.get("O2_y", 0.0)
    for _ in range(draws):
        new = {
            name: length + random.uniform(-0.5, 0.5) * MILLIMETRE
            for name, length in lengths.items()
            if name not in ("O2_x", "O2_y")
        }
        base = math.hypot(lengths["O2_x"], offset) + random.uniform(-0.5, 0.5) * MILLIMETRE
        yield {**new, "O2_x": -math.sqrt(base**2 - offset**2)}


def rounding_bands(
    leg: Model,
    lengths: Mapping[str, float],
    measure: Callable[[Turn, Settings], Mapping[str, float]],
    draws: int = 0,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Band]:
    """Bands of what is measured, from legs whose lengths are drawn. lengths: m, by the names of the leg's parameters."""
    settings = read_settings(leg)
    prepared = Prepared(in_air(leg))
    found: list[Mapping[str, float]] = []
    draws = draws or DRAWS
    for k, values in enumerate(drawn_lengths(lengths, draws, seed)):
        found.append(measure(turn_in_air(prepared.variant(values), settings, samples=SAMPLES), settings))
        if progress is not None:
            progress((k + 1) / draws)
    table = {name: np.array([row[name] for row in found]) for name in found[0]}
    return {
        name: Band(*(float(v) for v in (*np.percentile(values, INNER), values.min(), values.max())))
        for name, values in table.items()
    }
