"""What printed digits leave open of everything that follows from rounded lengths of a leg of paper 003 chapter 4.

BANDS are kept in walking_legs_bands.yaml, which `table` writes; a test recomputes a part. Units as in `measures`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gaitwright.design.variants import Prepared
from gaitwright.input_files import packaged_yaml
from gaitwright.legs.leg import in_air, turn_in_air
from gaitwright.legs.settings import read_settings
from gaitwright.papers.walking_legs_data import LEGS, Printed

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


BANDS = {
    leg: {number: Band(*values) for number, values in bands.items()}
    for leg, bands in packaged_yaml(Path(__file__).with_name("walking_legs_bands.yaml")).items()
}


def drawn_lengths(lengths: Mapping[str, float], draws: int, seed: int) -> Iterator[dict[str, float]]:
    """Lengths that a table would print alike, m: each off by up to half a millimetre (uniformly). O2_x follows from the
    distance of O1 and O2, which is what the thesis prints; O2_y is kept."""
    random = np.random.default_rng(seed)
    offset = lengths.get("O2_y", 0.0)
    for _ in range(draws):
        free = [name for name in lengths if name not in ("O2_x", "O2_y")]
        new = {name: lengths[name] + random.uniform(-0.5, 0.5) * MILLIMETRE for name in free}
        base = math.hypot(lengths["O2_x"], offset) + random.uniform(-0.5, 0.5) * MILLIMETRE
        yield {**new, "O2_x": -math.sqrt(base**2 - offset**2)}


def rounding_bands(leg: Printed, draws: int = DRAWS, seed: int = 0) -> dict[str, Band]:
    """Bands of what is measured, from legs whose lengths are drawn."""
    from gaitwright.papers.walking_legs_runs import measures

    model = leg.make()
    settings, prepared = read_settings(model), Prepared(in_air(model))
    found = [
        measures(turn_in_air(prepared.variant(values), settings, samples=SAMPLES))
        for values in drawn_lengths(leg.lengths, draws, seed)
    ]
    table = {name: np.array([row[name] for row in found]) for name in found[0]}
    return {
        name: Band(*(float(v) for v in (*np.percentile(values, INNER), values.min(), values.max())))
        for name, values in table.items()
    }


def table() -> str:
    """The file with the bands, computed again: 10 s per leg."""
    lines = ["# low, high, least, most; printed by rounding.table()"]
    for name, leg in LEGS.items():
        bands = rounding_bands(leg).items()
        lines += [f"{name}:", *(f"  {number}: [{', '.join(f'{v:.5g}' for v in band)}]" for number, band in bands)]
    return "\n".join(lines) + "\n"
