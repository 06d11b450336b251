"""Local equilibrium of few unbalanced points while all others are held.

Points that begin to slide, change their direction of sliding, or touch down hamper a global Newton method: their forces have
kinks, and a step that suits all other points is shortened because of them. For few points it is cheap to follow the kinks: the
stiffness of the tissue is kept, that of the contacts is evaluated anew at each of their small steps.

Source: P. J. Lanzkron, D. J. Rose, J. T. Wilkes, SIAM J. Sci. Comput. 17 (1996) 538-559 (nonlinear elimination).
"""

from __future__ import annotations

import numpy as np

from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.mechanism.tables import Array

MIN_IMBALANCE_RATIO, MAX_LOCAL_COORDINATES = 0.03, 150
"""Force ratio to the largest unbalanced force above which a coordinate takes part; maximum number of such coordinates."""
MAX_LOCAL_STEPS, LOCAL_BALANCE_RTOL = 10, 0.05
"""Maximum number of small steps, and their target residual ratio."""


def balance_locally(rest: RestingMechanism, q: Array, free: Array) -> Array | None:
    """The pose q in which the most unbalanced coordinates, by `free` (J), are balanced; None if they are many or this fails."""
    if rest.tissue is None:
        return None
    large = np.abs(free) > MIN_IMBALANCE_RATIO * np.max(np.abs(free), initial=0.0)
    touching = rest.touching_stiffness(q)
    s, coupled = rest.s, touching != 0.0
    inside = large.copy()
    inside[s.k_col[coupled & large[s.k_row]]] = True
    inside[rest.jac_col] = False
    unbalanced = np.flatnonzero(inside)
    if not 0 < unbalanced.size <= MAX_LOCAL_COORDINATES or np.linalg.norm(free[unbalanced]) < 0.5 * np.linalg.norm(
        free
    ):
        return None
    place = np.full(s.n, -1)
    place[unbalanced] = np.arange(unbalanced.size)
    entries = np.flatnonzero(inside[s.k_row] & inside[s.k_col])
    row, col = place[s.k_row[entries]], place[s.k_col[entries]]
    tissue = rest.tissue[entries]
    end, residual = q.copy(), free[unbalanced]
    first = size = float(np.linalg.norm(residual))
    for _ in range(MAX_LOCAL_STEPS):
        K = np.zeros((unbalanced.size, unbalanced.size))
        np.add.at(K, (row, col), tissue + touching[entries])
        try:
            step = np.linalg.solve(K, residual) * rest.scale[unbalanced]
        except np.linalg.LinAlgError:
            return None
        for part in (1.0, 0.5, 0.25, 0.1):
            tried = end.copy()
            tried[unbalanced] += part * step
            then = rest.acting(tried)[unbalanced]
            with np.errstate(over="ignore"):  # exponentially stiffening tissue, compressed to zero in a trial
                better = np.linalg.norm(then) < (1.0 - 0.1 * part) * size
            if better:
                break
        else:
            break
        end, residual, size = tried, then, float(np.linalg.norm(then))
        if size <= LOCAL_BALANCE_RTOL * first:
            break
        touching = rest.touching_stiffness(end)
    return end if size <= 0.5 * first else None
