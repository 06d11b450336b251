"""Putting a state back onto its constraints by the smallest change, measured by the mass matrix.

    [ M     Phi_q^T ] [ dq ]   [ 0    ]            [ M     Phi_q^T ] [ dv ]   [ 0     ]
    [ Phi_q 0       ] [ mu ] = [ -Phi ]            [ Phi_q 0       ] [ mu ] = [ -Phi' ]

The mass as measure keeps the projection from feeding energy into light bodies more than needed. Other measures, such as that of
system/partition.py, are a weight on the pattern of M.
"""

from __future__ import annotations

import math

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.system.evaluate import motion, position, signals_at
from gaitwright.system.kkt import factor, fill, fill_mass, solve

ITERATIONS = 10
NEARLY = 1e-9
"""|Phi| from which one more Newton step leads to rounding, because it converges quadratically."""
BY_MASS = np.zeros(0)
"""In place of a weight: changes are measured by M."""


@compiled
def measure(s, w, kkt, weight):
    """Put the measure of changes and Phi_q into the matrix."""
    if weight.size == 0:
        fill_mass(s, w, kkt)
    else:
        fill(s, w, kkt, weight)


@compiled
def project_position(s, w, kkt, q):
    """`restore_position` with changes measured by M."""
    return restore_position(s, w, kkt, BY_MASS, q)


@compiled
def restore_position(s, w, kkt, weight, q):
    """Newton steps until Phi = 0 to rounding, with the signals as they are in w; the largest |Phi| before the last
    correction: below NEARLY if it converged, infinite if a coordinate is not a number."""
    worst = before = 1e300
    for _ in range(ITERATIONS):
        position(s, w, q)
        before, worst, total = worst, 0.0, 0.0
        for k in range(s.m):
            worst = max(worst, abs(w.phi[k]))
            total += abs(w.phi[k])
        if not math.isfinite(total):
            return math.inf
        if worst < 1e-15 or worst > 0.5 * before:
            break
        measure(s, w, kkt, weight)
        kkt.rhs[: s.n] = 0.0
        for k in range(s.m):
            kkt.rhs[s.n + k] = -w.phi[k]
        if factor(kkt) >= 0:
            break
        solve(kkt)
        for i in range(s.n):
            q[i] += kkt.rhs[i]
        if worst < NEARLY:
            break
    return worst


@compiled
def project_velocity(s, w, kkt, q, v):
    """`restore_velocity` with changes measured by M."""
    return restore_velocity(s, w, kkt, BY_MASS, q, v)


@compiled
def restore_velocity(s, w, kkt, weight, q, v):
    """One linear solution makes Phi_q v + Phi_t = 0."""
    motion(s, w, q, v)
    measure(s, w, kkt, weight)
    kkt.rhs[: s.n] = 0.0
    for k in range(s.m):
        kkt.rhs[s.n + k] = -w.phi_t[k]
    for k in range(s.jac_row.size):
        if s.jac_row[k] < s.m:
            kkt.rhs[s.n + s.jac_row[k]] -= w.jac[k] * v[s.jac_col[k]]
    if factor(kkt) >= 0:
        return False
    solve(kkt)
    for i in range(s.n):
        v[i] += kkt.rhs[i]
    return True


@compiled
def project(s, w, kkt, weight, t, q, v):
    """Position and velocity onto the constraints at time t; the largest |Phi| before the last correction."""
    signals_at(s, w, t)
    gap = restore_position(s, w, kkt, weight, q)
    restore_velocity(s, w, kkt, weight, q, v)
    return gap
