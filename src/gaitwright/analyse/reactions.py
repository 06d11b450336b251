"""Reactions: exact to rounding, and those of redundant joints. Of all distributions that give the same motion, these have the
one of minimum norm.

Rows of Phi that were set aside have zero multipliers. Adding any N with Phi_q^T N = 0 changes nothing but the
distribution; the multipliers of minimum norm are orthogonal to all such N.
"""

from __future__ import annotations

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.result.outputs import Motion
from gaitwright.system.evaluate import add_inertia, position, signals_at, workspace
from gaitwright.system.kkt import factor, fill_mass, kkt, solve
from gaitwright.system.library import raise_pending
from gaitwright.system.mechanism import Mechanism


def minimum_norm(mechanism: Mechanism, motion: Motion) -> Motion:
    """The same motion with multipliers of minimum norm (of forces in N and torques in N m, taken as they are)."""
    s = mechanism.system
    if s.m == s.m_all:
        return motion
    w, system = workspace(s), kkt(s)
    lam = motion.lam.copy()
    idle = range(s.m, s.m_all)
    for k in range(motion.t.size):
        signals_at(s, w, motion.t[k])
        position(s, w, motion.q[k])
        fill_mass(s, w, system)
        singular = factor(system) >= 0
        raise_pending()
        if singular:
            continue
        null = np.zeros((s.m_all, len(idle)))
        for column, row in enumerate(idle):
            system.rhs[:] = 0.0
            mine = s.jac_row == row
            np.add.at(system.rhs, s.jac_col[mine], w.jac[:-1][mine])
            solve(system)
            null[: s.m, column] = -system.rhs[s.n : s.n + s.m]
            null[row, column] = 1.0
        lam[k] -= null @ np.linalg.lstsq(null, lam[k], rcond=None)[0]
    return motion._replace(lam=lam)


@compiled
def refine(s, w, kkt, a, lam):
    """One iterative refinement of accelerations and multipliers, right after `accelerate` (without Baumgarte terms):
    solves again for what M a + Phi_q^T lambda = Q and Phi_q a = gamma still miss.

    Brings the drive torque of the Jansen leg from 7e-13 to 5e-14 of Eq 2.19, for a few per cent of the time."""
    n = s.n
    for i in range(n):
        kkt.rhs[i] = w.force[i]
    for k in range(s.m):
        kkt.rhs[n + k] = w.gamma[k]
    add_inertia(s, -1.0, a, kkt.rhs)
    for k in range(s.jac_row.size):
        row, col = s.jac_row[k], s.jac_col[k]
        if row < s.m:
            kkt.rhs[col] -= w.jac[k] * lam[row]
            kkt.rhs[n + row] -= w.jac[k] * a[col]
    solve(kkt)
    for i in range(n):
        a[i] += kkt.rhs[i]
    for k in range(s.m):
        lam[k] += kkt.rhs[n + k]
