"""Step of an explicit Runge-Kutta method on the index-1 form, for any tableau.

    q_i = q + h c_i v + h^2 sum (A A)_ij a_j ...      written as the textbook pair q' = v, v' = a(t, q, v)

The works of drives, loads and dissipation are integrated with the same weights, so that the energy balance has the
order of the method.
"""

from __future__ import annotations

from gaitwright.integrate.base import EVALUATION_COUNT, FAILED_ROW, OK, SINGULAR
from gaitwright.integrate.step_loops import error_norm
from gaitwright.jit import jit_compile
from gaitwright.mechanism.evaluation import copy_values, evaluate_powers
from gaitwright.mechanism.kkt import solve_accelerations


@jit_compile
def explicit_step(s, w, kkt, run, t, h, options, A, b, c, error_weights):
    """One step; the first stage is the acceleration that the loop has stored in run.a.

    A, b, c: tableau. error_weights: b - b_hat of an embedded method, with one more entry for the acceleration at the end (as
    in FSAL methods), or empty."""
    n, count = s.n, b.size
    copy_values(run.v, run.stage_v[0])
    copy_values(run.a, run.stage_a[0])
    copy_values(run.work, run.work1)
    for k in range(run.work1.size):
        run.work1[k] += h * b[0] * run.power[k]
    for i in range(1, count):
        for k in range(n):
            dq, dv = 0.0, 0.0
            for j in range(i):
                dq += A[i, j] * run.stage_v[j, k]
                dv += A[i, j] * run.stage_a[j, k]
            run.stage_q[i, k] = run.q[k] + h * dq
            run.stage_v[i, k] = run.v[k] + h * dv
        unknown = solve_accelerations(
            s, w, kkt, t + c[i] * h, run.stage_q[i], run.stage_v[i], options.damp, options.stiff,
            run.stage_a[i], run.stage_lam[i],
        )  # fmt: skip
        run.count[EVALUATION_COUNT] += 1
        if unknown >= 0:
            run.count[FAILED_ROW] = unknown - n
            return SINGULAR, 0.0
        evaluate_powers(s, w, run.stage_q[i], run.stage_v[i], run.stage_lam[i])
        for k in range(run.work1.size):
            run.work1[k] += h * b[i] * w.power[k]
    for k in range(n):
        dq, dv = 0.0, 0.0
        for i in range(count):
            dq += b[i] * run.stage_v[i, k]
            dv += b[i] * run.stage_a[i, k]
        run.q1[k] = run.q[k] + h * dq
        run.v1[k] = run.v[k] + h * dv
    if error_weights.size == 0:
        return OK, 0.0
    error_q, error_v = run.aux[0], run.aux[1]
    solve_accelerations(s, w, kkt, t + h, run.q1, run.v1, options.damp, options.stiff, run.a1, run.lam1)
    run.count[EVALUATION_COUNT] += 1
    for k in range(n):
        error_q[k] = h * error_weights[count] * run.v1[k]
        error_v[k] = h * error_weights[count] * run.a1[k]
        for i in range(count):
            error_q[k] += h * error_weights[i] * run.stage_v[i, k]
            error_v[k] += h * error_weights[i] * run.stage_a[i, k]
    return OK, error_norm(s, run, error_q, error_v, options.tolerance)
