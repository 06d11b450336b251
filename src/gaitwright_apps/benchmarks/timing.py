"""Alternating timing: slow moments of the machine affect peer and ours alike, and the minimum excludes them."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping, Sequence

TimedCall = Callable[[], float]
"""Does its work and returns the measured seconds."""


def time_call(work: Callable[[], object]) -> TimedCall:
    """Time the whole call."""

    def timed() -> float:
        begin = time.perf_counter()
        work()
        return time.perf_counter() - begin

    return timed


def time_alternately(candidates: Mapping[str, TimedCall], repeats: int) -> dict[str, float]:
    """Run all candidates in turn, `repeats` times. Return the minimum time of each, s."""
    best = dict.fromkeys(candidates, math.inf)
    gc.collect()
    gc.freeze()  # excludes existing objects from garbage collection, before and during each run
    for _ in range(repeats):
        for name, timed in candidates.items():
            gc.collect()
            best[name] = min(best[name], timed())
    return best


def cost_exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Exponent p of cost ~ size^p, by least squares in the logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum((a - mean_x) ** 2 for a in x)
