"""Reactions of redundant joints: of all distributions that give the same motion, the one of minimum norm.

Rows of Phi that were set aside have zero multipliers. Adding any N with Phi_q^T N = 0 changes nothing but the
distribution; the multipliers of minimum norm are orthogonal to all such N.
"""

from __future__ import annotations

import numpy as np

from gaitwright.result.outputs import Motion
from gaitwright.system.evaluate import position, signals_at, workspace
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
