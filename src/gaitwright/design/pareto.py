"""The Pareto front of several goals."""

from __future__ import annotations

import numpy as np


def pareto(costs: np.ndarray) -> np.ndarray:
    """Which rows (n, goals) no other row dominates: places, in the order of the first goal. Of equal rows all count."""
    if not len(costs):
        return np.zeros(0, dtype=int)
    order = np.lexsort(costs.T[::-1])
    if costs.shape[1] == 1:
        return order[costs[order, 0] == costs[order[0], 0]]
    kept: list[int] = []
    front = np.zeros((0, costs.shape[1]))
    for k in order:  # in this order none that comes later dominates one that came before
        worse = np.all(front <= costs[k], axis=1) & np.any(front < costs[k], axis=1)
        if not worse.any():
            kept.append(int(k))
            front = np.vstack([front, costs[k]])
    return np.array(kept)
