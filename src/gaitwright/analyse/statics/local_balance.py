"""Where few points are out of balance, they find it by themselves while all others stand still.

Points that begin to slide, turn the way they slide, or come down are what Newton's method of the whole stumbles over: their
forces have kinks, and a step that is right for all others is shortened for their sake. For the few it costs nothing to follow
the kinks: the stiffness of the tissue stays as it is, that of what touches is taken anew at each of their small steps.

Source: P. J. Lanzkron, D. J. Rose, J. T. Wilkes, SIAM J. Sci. Comput. 17 (1996) 538-559 (nonlinear elimination).
"""

from __future__ import annotations

import numpy as np

from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.system.tables import Array

OUT, MANY = 0.03, 150
"""Part of the largest unbalanced force from which on a coordinate takes part, and how many coordinates are no longer few."""
STEPS, ENOUGH = 10, 0.05
"""Most small steps, and what they may leave."""


def settle(rest: AtRest, q: Array, free: Array) -> Array | None:
    """The pose q with those that are most out of balance, by `free`, J, in theirs; None where they are many, or find none."""
    if rest.tissue is None:
        return None
    large = np.abs(free) > OUT * np.max(np.abs(free), initial=0.0)
    touching = rest.touching_stiffness(q)
    s, coupled = rest.s, touching != 0.0
    inside = large.copy()
    inside[s.k_col[coupled & large[s.k_row]]] = True
    inside[rest.jac_col] = False
    few = np.flatnonzero(inside)
    if not 0 < few.size <= MANY or np.linalg.norm(free[few]) < 0.5 * np.linalg.norm(free):
        return None
    place = np.full(s.n, -1)
    place[few] = np.arange(few.size)
    entries = np.flatnonzero(inside[s.k_row] & inside[s.k_col])
    row, col = place[s.k_row[entries]], place[s.k_col[entries]]
    tissue = rest.tissue[entries]
    end, left = q.copy(), free[few]
    first = size = float(np.linalg.norm(left))
    for _ in range(STEPS):
        K = np.zeros((few.size, few.size))
        np.add.at(K, (row, col), tissue + touching[entries])
        try:
            step = np.linalg.solve(K, left) * rest.scale[few]
        except np.linalg.LinAlgError:
            return None
        for part in (1.0, 0.5, 0.25, 0.1):
            tried = end.copy()
            tried[few] += part * step
            then = rest.acting(tried)[few]
            with np.errstate(over="ignore"):  # tissue that stiffens exponentially, squeezed to nothing on trial
                better = np.linalg.norm(then) < (1.0 - 0.1 * part) * size
            if better:
                break
        else:
            break
        end, left, size = tried, then, float(np.linalg.norm(then))
        if size <= ENOUGH * first:
            break
        touching = rest.touching_stiffness(end)
    return end if size <= 0.5 * first else None
