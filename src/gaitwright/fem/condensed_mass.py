"""Mass of a condensed solid: that of all its nodes, which move with the kept nodes.

    u_i = sum_b T_ib u_b        M* = T^T M T        sum_b T_ib = 1        sum_b T_ib X_b = X_i

T weights nodes, equally in each direction, so that M* stays constant when the solid turns. Guyan's M*, with static
displacements instead of T, is more accurate, but would turn with the solid: it is used for held solids. T maps linear
functions to linear functions: so all rigid motions have the correct momentum, angular momentum and kinetic energy. In between
it is smooth: radial functions r^3 and a linear one. Kept nodes in a plane do not determine the motion out of it: then only
the mass and the centre along the plane are correct.

Source: R. L. Harder, R. N. Desmarais, J. Aircraft 9 (1972) 189-191 (such splines transfer loads and motions of wings).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright.mechanism.tables import Array

PLANARITY_RTOL = 1e-6
"""Distance from a plane, relative to the size, below which kept nodes count as lying in it."""


class CondensedMassWeights(NamedTuple):
    weights: Array
    """T, (nodes, kept)."""
    flat: bool
    """True if the kept nodes lie in a plane (on a line)."""

    def mass(self, M: Any) -> Array:
        """Return M*, (kept, kept), kg. M: sparse, (nodes, nodes)."""
        reduced = self.weights.T @ (M @ self.weights)
        return 0.5 * (reduced + reduced.T)


def condense_mass(places: Array, kept: Array) -> CondensedMassWeights:
    """Compute the weights T. places: of all nodes, (nodes, d), m; kept: indices of the kept nodes."""
    from scipy.linalg import solve
    from scipy.spatial.distance import cdist

    x = (places - places[kept].mean(axis=0)) / np.ptp(places, axis=0).max()
    _, spread, axes = np.linalg.svd(x[kept], full_matrices=False)
    along = axes[spread > PLANARITY_RTOL * np.sqrt(len(kept))]
    linear = np.column_stack((np.ones(len(x)), x @ along.T))
    radial, count = cdist(x, x[kept]) ** 3, linear.shape[1]
    system = np.block([[radial[kept], linear[kept]], [linear[kept].T, np.zeros((count, count))]])
    unit = np.vstack((np.eye(len(kept)), np.zeros((count, len(kept)))))
    weights = np.hstack((radial, linear)) @ solve(system, unit, assume_a="sym")
    weights[kept] = np.eye(len(kept))
    return CondensedMassWeights(weights, len(along) < places.shape[1])
