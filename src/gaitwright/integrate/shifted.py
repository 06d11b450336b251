"""Solving with I - g J, where J is the Jacobian of the index-1 equations q' = v, v' = a(t, q, v).

    (I - g J) (x_q, x_v) = (r_q, r_v)        x_q = r_q + g x_v,   x_v = r_v + d

    ([M Phi^T; Phi 0] + g [Kv 0; Gv 0] + g^2 [Kq 0; Gq 0]) [d; mu] = -g ([Kv; Gv] r_v + [Kq; Gq] (r_q + g r_v))

The matrix is the stage system of a one-stage method with coefficient 1 and step g; it is never inverted or formed densely.
"""

from __future__ import annotations

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.integrate.base import FACTORISATIONS, OK, SINGULAR, WHERE
from gaitwright.system.evaluate import acceleration_tangents, motion, signals_at, tangents
from gaitwright.system.stages import add_stage, factor_stages, solve_stages

ONE = np.ones((1, 1))


@compiled
def factor_shifted(s, w, one, run, t, q, v, a, lam, g, options):
    """Linearise at a state and factorise I - g J; the tangents stay in w for `solve_shifted`."""
    signals_at(s, w, t)
    motion(s, w, q, v)
    tangents(s, w, q, v, lam)
    acceleration_tangents(s, w, q, v, a, options.damp, options.stiff)
    one.K[:] = 0.0
    add_stage(s, w, one, 0, ONE, ONE, g)
    run.count[FACTORISATIONS] += 1
    bad = factor_stages(one)
    if bad >= 0:
        run.count[WHERE] = one.elimination.order[bad] - s.n
        return SINGULAR
    return OK


@compiled
def solve_shifted(s, w, one, g, r_q, r_v, x_q, x_v):
    """(x_q, x_v) = (I - g J)^-1 (r_q, r_v)."""
    one.rhs[:] = 0.0
    for k in range(s.k_row.size):
        col = s.k_col[k]
        one.rhs[s.k_row[k]] -= g * (w.kv[k] * r_v[col] + w.kq[k] * (r_q[col] + g * r_v[col]))
    for k in range(s.jac_row.size):
        row, col = s.jac_row[k], s.jac_col[k]
        if row < s.m:
            one.rhs[s.n + row] -= g * (w.gv[k] * r_v[col] + w.gq[k] * (r_q[col] + g * r_v[col]))
    solve_stages(one)
    for k in range(s.n):
        x_v[k] = r_v[k] + one.rhs[k]
        x_q[k] = r_q[k] + g * x_v[k]
