"""Pareto front of several goals."""

from __future__ import annotations

import numpy as np


def find_pareto_front(costs: np.ndarray) -> np.ndarray:
    """Indices of the rows of costs (n, n_goals) that no other row dominates, sorted by the first goal. Lower costs are better;
    of equal rows all are included."""
    if not len(costs):
        return np.zeros(0, dtype=int)
    order = np.lexsort(costs.T[::-1])
    if costs.shape[1] == 1:
        return order[costs[order, 0] == costs[order[0], 0]]
    indices: list[int] = []
    front = np.zeros((0, costs.shape[1]))
    for k in order:  # in lexicographic order no later row dominates an earlier one
        worse = np.all(front <= costs[k], axis=1) & np.any(front < costs[k], axis=1)
        if not worse.any():
            indices.append(int(k))
            front = np.vstack([front, costs[k]])
    return np.array(indices)
