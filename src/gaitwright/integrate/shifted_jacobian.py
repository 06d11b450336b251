"""Solutions with I - g J, where J is the Jacobian of the index-1 equations q' = v, v' = a(t, q, v).

    (I - g J) (x_q, x_v) = (r_q, r_v)        x_q = r_q + g x_v,   x_v = r_v + d

    ([M Phi^T; Phi 0] + g [Kv 0; Gv 0] + g^2 [Kq 0; Gq 0]) [d; mu] = -g ([Kv; Gv] r_v + [Kq; Gq] (r_q + g r_v))

The matrix is the stage system of a one-stage method with coefficient 1 and step g; it is never inverted or formed densely.
"""

from __future__ import annotations

import numpy as np

from gaitwright.integrate.base import FACTORISATION_COUNT, FAILED_ROW, OK, SINGULAR
from gaitwright.jit import jit_compile
from gaitwright.mechanism.coupled_stages import add_stage, factor_stages, solve_stages
from gaitwright.mechanism.evaluation import (
    evaluate_acceleration_tangents,
    evaluate_motion,
    evaluate_tangents,
    update_signals,
)

UNIT_TABLEAU = np.ones((1, 1))


@jit_compile
def factor_shifted(s, w, stage, run, t, q, v, a, lam, g, options):
    """Linearise at a state and factorise I - g J; the tangents remain in w for `solve_shifted`. Returns a status."""
    update_signals(s, w, t)
    evaluate_motion(s, w, q, v)
    evaluate_tangents(s, w, q, v, lam)
    evaluate_acceleration_tangents(s, w, q, v, a, options.damp, options.stiff)
    stage.K[:] = 0.0
    add_stage(s, w, stage, 0, UNIT_TABLEAU, UNIT_TABLEAU, g)
    run.count[FACTORISATION_COUNT] += 1
    pivot = factor_stages(stage)
    if pivot >= 0:
        run.count[FAILED_ROW] = stage.elimination.order[pivot] - s.n
        return SINGULAR
    return OK


@jit_compile
def solve_shifted(s, w, stage, g, r_q, r_v, x_q, x_v):
    """Compute (x_q, x_v) = (I - g J)^-1 (r_q, r_v)."""
    stage.rhs[:] = 0.0
    for k in range(s.k_row.size):
        col = s.k_col[k]
        stage.rhs[s.k_row[k]] -= g * (w.kv[k] * r_v[col] + w.kq[k] * (r_q[col] + g * r_v[col]))
    for k in range(s.jac_row.size):
        row, col = s.jac_row[k], s.jac_col[k]
        if row < s.m:
            stage.rhs[s.n + row] -= g * (w.gv[k] * r_v[col] + w.gq[k] * (r_q[col] + g * r_v[col]))
    solve_stages(stage)
    for k in range(s.n):
        x_v[k] = r_v[k] + stage.rhs[k]
        x_q[k] = r_q[k] + g * x_v[k]
