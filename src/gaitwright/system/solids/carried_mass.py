"""The mass of a condensed solid: that of all its nodes, carried along by those that are kept.

    u_i = sum_b T_ib u_b        M* = T^T M T        sum_b T_ib = 1        sum_b T_ib X_b = X_i

T weighs nodes, the same in each direction, so that M* stays constant when the solid turns. Guyan's M*, with static
displacements in the place of T, is better, but would turn with the solid: it is for those that are held. T takes linear
functions to linear functions: so all rigid motions have the right momentum, angular momentum and kinetic energy. In between
it is smooth: radial functions r^3 and a linear one. Kept nodes that lie in a plane say nothing of what is beside it: then mass
and centre along the plane are right, and nothing else.

Source: R. L. Harder, R. N. Desmarais, J. Aircraft 9 (1972) 189-191 (such splines carry loads and motions of wings).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright.system.tables import Array

FLAT = 1e-6
"""Of the size: kept nodes nearer to a plane lie in it."""


class Carried(NamedTuple):
    weights: Array
    """T, (nodes, kept)."""
    flat: bool
    """Whether the kept nodes lie in a plane (on a line)."""

    def mass(self, M: Any) -> Array:
        """M*, (kept, kept), kg. M: sparse, (nodes, nodes)."""
        found = self.weights.T @ (M @ self.weights)
        return 0.5 * (found + found.T)


def carried(places: Array, kept: Array) -> Carried:
    """places: of all nodes, (nodes, d), m; kept: which of them."""
    from scipy.linalg import solve
    from scipy.spatial.distance import cdist

    x = (places - places[kept].mean(axis=0)) / np.ptp(places, axis=0).max()
    _, spread, axes = np.linalg.svd(x[kept], full_matrices=False)
    along = axes[spread > FLAT * np.sqrt(len(kept))]
    linear = np.column_stack((np.ones(len(x)), x @ along.T))
    radial, count = cdist(x, x[kept]) ** 3, linear.shape[1]
    system = np.block([[radial[kept], linear[kept]], [linear[kept].T, np.zeros((count, count))]])
    unit = np.vstack((np.eye(len(kept)), np.zeros((count, len(kept)))))
    weights = np.hstack((radial, linear)) @ solve(system, unit, assume_a="sym")
    weights[kept] = np.eye(len(kept))
    return Carried(weights, len(along) < places.shape[1])
