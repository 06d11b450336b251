"""Projection of a state onto its constraints by the smallest change, measured by the mass matrix.

    [ M     Phi_q^T ] [ dq ]   [ 0    ]            [ M     Phi_q^T ] [ dv ]   [ 0     ]
    [ Phi_q 0       ] [ mu ] = [ -Phi ]            [ Phi_q 0       ] [ mu ] = [ -Phi' ]

The mass metric limits the energy that the projection adds to light bodies. Other metrics, such as that of
mechanism/coordinate_partitioning.py, are a weight on the pattern of M.
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.mechanism.evaluation import evaluate_motion, evaluate_position, update_signals
from gaitwright.mechanism.kkt import factor_kkt, fill_kkt, fill_mass, solve_kkt

MAX_PROJECTION_ITERATIONS = 10
LAST_STEP_RESIDUAL = 1e-9
"""|Phi| below which one more Newton step reaches rounding, because the convergence is quadratic."""
MASS_METRIC = np.zeros(0)
"""Empty weight: changes are measured by M."""


@jit_compile
def fill_metric(s, w, kkt, weight):
    """Put the metric of changes and Phi_q into the matrix."""
    if weight.size == 0:
        fill_mass(s, w, kkt)
    else:
        fill_kkt(s, w, kkt, weight)


@jit_compile
def project_position(s, w, kkt, q):
    """Same as `restore_position`, with changes measured by M."""
    return restore_position(s, w, kkt, MASS_METRIC, q)


@jit_compile
def restore_position(s, w, kkt, weight, q):
    """Newton steps until Phi = 0 to rounding, with the signals in w. Returns the largest |Phi| before the last correction:
    below LAST_STEP_RESIDUAL if it converged, infinite if a coordinate is NaN."""
    worst = before = 1e300
    for _ in range(MAX_PROJECTION_ITERATIONS):
        evaluate_position(s, w, q)
        before, worst, total = worst, 0.0, 0.0
        for k in range(s.m):
            worst = max(worst, abs(w.phi[k]))
            total += abs(w.phi[k])
        if not math.isfinite(total):
            return math.inf
        if worst < 1e-15 or worst > 0.5 * before:
            break
        fill_metric(s, w, kkt, weight)
        kkt.rhs[: s.n] = 0.0
        for k in range(s.m):
            kkt.rhs[s.n + k] = -w.phi[k]
        if factor_kkt(kkt) >= 0:
            break
        solve_kkt(kkt)
        for i in range(s.n):
            q[i] += kkt.rhs[i]
        if worst < LAST_STEP_RESIDUAL:
            break
    return worst


@jit_compile
def project_velocity(s, w, kkt, q, v):
    """Same as `restore_velocity`, with changes measured by M."""
    return restore_velocity(s, w, kkt, MASS_METRIC, q, v)


@jit_compile
def restore_velocity(s, w, kkt, weight, q, v):
    """Solve Phi_q v + Phi_t = 0 by one linear solution for the smallest change of v; return False if the matrix is
    singular."""
    evaluate_motion(s, w, q, v)
    fill_metric(s, w, kkt, weight)
    kkt.rhs[: s.n] = 0.0
    for k in range(s.m):
        kkt.rhs[s.n + k] = -w.phi_t[k]
    for k in range(s.jac_row.size):
        if s.jac_row[k] < s.m:
            kkt.rhs[s.n + s.jac_row[k]] -= w.jac[k] * v[s.jac_col[k]]
    if factor_kkt(kkt) >= 0:
        return False
    solve_kkt(kkt)
    for i in range(s.n):
        v[i] += kkt.rhs[i]
    return True


@jit_compile
def project_state(s, w, kkt, weight, t, q, v):
    """Project position and velocity onto the constraints at time t; return the largest |Phi| before the last correction."""
    update_signals(s, w, t)
    gap = restore_position(s, w, kkt, weight, q)
    restore_velocity(s, w, kkt, weight, q, v)
    return gap
