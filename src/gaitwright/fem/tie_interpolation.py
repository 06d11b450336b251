"""Interpolated positions of the free nodes of a solid while the bodies that it is tied to are moved: an initial guess that is
then relaxed.

    u = sum_b w_b (c_b + T_b q_b)        w_b = d_b^-2 / sum of these

with the distance d_b of a node from the nodes tied to body b: next to one body the node moves rigidly with it, in between the
motion changes smoothly. The ground, if it holds nodes along all axes, is a fixed body.
"""

from __future__ import annotations

import numpy as np

from gaitwright.fem.ties import SolidTies
from gaitwright.mechanism.parts.base import DependentCoordinates
from gaitwright.mechanism.tables import Array


def interpolate_ties(ties: SolidTies, places: Array, number: Array, held: int) -> DependentCoordinates:
    """Return the interpolation. places: of all undeformed nodes, m. number: (nodes, 3), coordinate of each displacement,
    `held` if none."""
    from scipy.spatial import KDTree

    nodes = np.flatnonzero((number != held).any(axis=1))
    fixed = np.flatnonzero((number == held).all(axis=1) & (ties.owner < 0))
    groups = [*(tie.nodes for tie in ties.ties), *([fixed] if fixed.size else [])]
    near = np.array([KDTree(places[group]).query(places[nodes])[0] for group in groups]) ** -2.0
    shares = near / near.sum(axis=0)
    constant, rows, columns, values = np.zeros(int(number.max()) + 1), [], [], []
    for tie, share in zip(ties.ties, shares, strict=False):
        frame = tie.body.drawn[3:].reshape(3, 3) + np.eye(3)
        local = (places[nodes] - tie.body.drawn[:3]) @ frame.T
        for axis in range(3):
            own = number[nodes, axis]
            free = own != held
            own, s, w = own[free], local[free], share[free]
            constant[own] += w * (s[:, axis] - places[nodes[free], axis])
            for m, weight in enumerate((w, *(w[:, None] * s).T)):
                rows.append(own)
                columns.append(np.full(own.size, tie.body.index[3 * m + axis]))
                values.append(weight)
    return DependentCoordinates(constant, np.concatenate(rows), np.concatenate(columns), np.concatenate(values))
