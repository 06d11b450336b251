"""Timing in turn: a slow moment of the machine then hits peer and ours alike, and the minimum is free of it."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping, Sequence

Timed = Callable[[], float]
"""Does its work and returns the seconds that count."""


def seconds(work: Callable[[], object]) -> Timed:
    """Time the whole call."""

    def timed() -> float:
        begin = time.perf_counter()
        work()
        return time.perf_counter() - begin

    return timed


def alternate(candidates: Mapping[str, Timed], repeats: int) -> dict[str, float]:
    """Run all candidates in turn, `repeats` times; the smallest seconds of each."""
    best = dict.fromkeys(candidates, math.inf)
    gc.collect()
    gc.freeze()  # what is there by now is not looked through again, neither before each run nor in it
    for _ in range(repeats):
        for name, timed in candidates.items():
            gc.collect()
            best[name] = min(best[name], timed())
    return best


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The p of cost ~ size^p, by least squares in the logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum((a - mean_x) ** 2 for a in x)
