"""Coordinate partitioning: only as many coordinates as the mechanism has degrees of freedom keep their integrated values;
after each step the others follow from the constraints.

    q = (q_i, q_d)      Phi(q_d; q_i, t) = 0      Phi_qd v_d = -Phi_t - Phi_qi v_i

Elimination of Phi_q with complete pivoting (columns in units of the scale of their coordinate) chooses the dependent
coordinates q_d: the pivot columns, so that Phi_qd is well conditioned. They are chosen again when a pivot of the multipliers
is not above MIN_PIVOT_RATIO times its size at the last choice.

The correction is a projection (projection.py) with a diagonal weight instead of M. The weight of independent coordinates,
INDEPENDENT_WEIGHT_RATIO, is finite, but so large that their change is below rounding.

Source: R. A. Wehage, E. J. Haug, J. Mech. Des. 104 (1982) 247-255; paper 003 Table 2.1. Compared with the projection by M:
the error of the method in the independent coordinates does not change. However, the correction changes only the dependent
coordinates, regardless of their mass, which changes the energy, and the result depends on the choice of coordinates.
"""

from __future__ import annotations

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.mechanism.evaluation import evaluate_motion, update_signals
from gaitwright.mechanism.kkt import factor_kkt, fill_kkt
from gaitwright.mechanism.projection import project_state

INDEPENDENT_WEIGHT_RATIO = 1e40
"""Weight of an independent coordinate, relative to that of a dependent one."""
MIN_PIVOT_RATIO = 0.05
"""Pivot over its size at the last partitioning below which coordinates are partitioned again."""


@jit_compile
def restore_state(s, w, kkt, run, t, q, v):
    """Correct q and v so that they satisfy the constraints at time t, with the weight of the run, or M if it has none. Returns
    the largest |Phi| before the last correction."""
    if run.weight.size == 0:
        return project_state(s, w, kkt, run.weight, t, q, v)
    update_signals(s, w, t)
    evaluate_motion(s, w, q, v)
    if run.pivots.size > 0 and needs_partition(s, w, kkt, run):
        partition_coordinates(s, w, run)
        fill_kkt(s, w, kkt, run.weight)
        factor_kkt(kkt)
        for k in range(s.m):
            run.pivots[k] = multiplier_pivot(s, kkt, k)
    return project_state(s, w, kkt, run.weight, t, q, v)


@jit_compile
def multiplier_pivot(s, kkt, k):
    """Magnitude of the pivot of multiplier k in the factorised matrix."""
    return abs(1.0 / kkt.K[kkt.elimination.position[s.n + k]])


@jit_compile
def needs_partition(s, w, kkt, run):
    """Return True if coordinates must be partitioned again for the Phi_q in w; always True at the first call."""
    if run.pivots[0] == 0.0:
        return True
    fill_kkt(s, w, kkt, run.weight)
    if factor_kkt(kkt) >= 0:
        return True
    worn = False
    for k in range(s.m):
        worn = worn or not multiplier_pivot(s, kkt, k) > MIN_PIVOT_RATIO * run.pivots[k]
    return worn


@jit_compile
def partition_coordinates(s, w, run):
    """Choose the dependent coordinates for the Phi_q in w, and set the weight of all coordinates."""
    A = np.zeros((s.m, s.n))
    for k in range(s.jac_row.size):
        if s.jac_row[k] < s.m:
            A[s.jac_row[k], s.jac_col[k]] += w.jac[k] * run.scale[s.jac_col[k]]
    for r in range(s.m):
        largest = 0.0
        for c in range(s.n):
            largest = max(largest, abs(A[r, c]))
        if largest > 0.0:
            for c in range(s.n):
                A[r, c] /= largest
    dependent = np.zeros(s.n)
    for k in range(s.m):
        row, col, largest = k, -1, 0.0
        for r in range(k, s.m):
            for c in range(s.n):
                if dependent[c] == 0.0 and abs(A[r, c]) > largest:
                    row, col, largest = r, c, abs(A[r, c])
        if col < 0:
            break  # a singular pose: the factorisation reports the joint
        dependent[col] = 1.0
        for c in range(s.n):
            A[k, c], A[row, c] = A[row, c], A[k, c]
        for r in range(k + 1, s.m):
            factor_r = A[r, col] / A[k, col]
            if factor_r != 0.0:
                for c in range(s.n):
                    A[r, c] -= factor_r * A[k, c]
    for k in range(s.mass_row.size):
        c = s.mass_row[k]
        run.weight[k] = 0.0
        if c == s.mass_col[k]:
            run.weight[k] = (1.0 if dependent[c] != 0.0 else INDEPENDENT_WEIGHT_RATIO) / run.scale[c] ** 2
