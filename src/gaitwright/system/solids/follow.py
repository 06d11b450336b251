"""Where the free nodes of a solid are put while the bodies that it is tied to are moved: a first guess, which is then relaxed.

    u = sum_b w_b (c_b + T_b q_b)        w_b = d_b^-2 / sum of these

with the distance d_b of a node from those that are tied to body b: on one body it moves as if it were rigid, between two it
changes smoothly from one to the other. The ground, where it holds nodes along all axes, is a body that stands still.
"""

from __future__ import annotations

import numpy as np

from gaitwright.system.parts.base import Following
from gaitwright.system.solids.ties import Ties
from gaitwright.system.tables import Array


def follows(ties: Ties, places: Array, number: Array, held: int) -> Following:
    """places: of all undeformed nodes, m. number: (nodes, 3), which coordinate each displacement is, `held` if none."""
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
    return Following(constant, np.concatenate(rows), np.concatenate(columns), np.concatenate(values))
