"""Rosenbrock method of order 2 with an error estimate of order 3 (ode23s); adaptive, L-stable, one factorisation a step.

Source: L. F. Shampine, M. W. Reichelt, The MATLAB ODE Suite, SIAM J. Sci. Comput. 18 (1997) 1-22, section 3.1. Cheap and
robust for stiff springs and dampers at loose tolerances; radau5 needs fewer steps at tight ones.
"""

import math

from gaitwright.integrate.base import EVALUATION_COUNT, FAILED_ROW, OK, SINGULAR, IntegrationMethod, register_method
from gaitwright.integrate.shifted_jacobian import factor_shifted, solve_shifted
from gaitwright.integrate.step_loops import error_norm, march_adaptive
from gaitwright.jit import jit_compile
from gaitwright.mechanism.evaluation import evaluate_powers
from gaitwright.mechanism.kkt import solve_accelerations

ESTIMATE_ORDER = 2
"""Order of the result; the difference from a solution of order 3 is proportional to h^3."""
D = 1.0 / (2.0 + math.sqrt(2.0))
E32 = 6.0 + math.sqrt(2.0)


@jit_compile
def step(s, w, kkt, stages, run, t, h, options):
    """k1, k2, k3 are the rows 0, 1, 2 of (stage_q, stage_v); a slope f is (velocity, acceleration)."""
    shifted, g, n = stages[1], h * D, s.n
    r_q, r_v, a_t, q2 = run.aux[0], run.aux[1], run.aux[2], run.aux[3]
    k_q, k_v, f_a, lam = run.stage_q, run.stage_v, run.stage_a, run.stage_lam[0]
    # Explicit dependence on time, by a difference quotient: the error is far below that of the method.
    dt = 1e-4 * h
    if s.signals.starts.size > 1:
        solve_accelerations(s, w, kkt, t + dt, run.q, run.v, options.damp, options.stiff, f_a[0], lam)
        run.count[EVALUATION_COUNT] += 1
        for k in range(n):
            a_t[k] = (f_a[0, k] - run.a[k]) / dt
    status = factor_shifted(s, w, shifted, run, t, run.q, run.v, run.a, run.lam, g, options)
    if status != OK:
        return status, 0.0
    for k in range(n):
        r_q[k] = run.v[k]
        r_v[k] = run.a[k] + g * a_t[k]
    solve_shifted(s, w, shifted, g, r_q, r_v, k_q[0], k_v[0])
    # second stage at the middle
    for k in range(n):
        q2[k] = run.q[k] + 0.5 * h * k_q[0, k]
        k_v[3, k] = run.v[k] + 0.5 * h * k_v[0, k]
    unknown = solve_accelerations(s, w, kkt, t + 0.5 * h, q2, k_v[3], options.damp, options.stiff, f_a[0], lam)
    if unknown >= 0:
        run.count[FAILED_ROW] = unknown - n
        return SINGULAR, 0.0
    evaluate_powers(s, w, q2, k_v[3], lam)
    for k in range(run.work1.size):
        run.work1[k] = run.work[k] + h * w.power[k]
    for k in range(n):
        r_q[k] = k_v[3, k] - k_q[0, k]
        r_v[k] = f_a[0, k] - k_v[0, k]
    solve_shifted(s, w, shifted, g, r_q, r_v, k_q[1], k_v[1])
    for k in range(n):
        k_q[1, k] += k_q[0, k]
        k_v[1, k] += k_v[0, k]
        run.q1[k] = run.q[k] + h * k_q[1, k]
        run.v1[k] = run.v[k] + h * k_v[1, k]
    # third stage only for the error
    solve_accelerations(s, w, kkt, t + h, run.q1, run.v1, options.damp, options.stiff, f_a[1], lam)
    run.count[EVALUATION_COUNT] += 2
    for k in range(n):
        r_q[k] = run.v1[k] - E32 * (k_q[1, k] - k_v[3, k]) - 2.0 * (k_q[0, k] - run.v[k])
        r_v[k] = f_a[1, k] - E32 * (k_v[1, k] - f_a[0, k]) - 2.0 * (k_v[0, k] - run.a[k]) + g * a_t[k]
    solve_shifted(s, w, shifted, g, r_q, r_v, k_q[2], k_v[2])
    for k in range(n):
        r_q[k] = h / 6.0 * (k_q[0, k] - 2.0 * k_q[1, k] + k_q[2, k])
        r_v[k] = h / 6.0 * (k_v[0, k] - 2.0 * k_v[1, k] + k_v[2, k])
    return OK, error_norm(s, run, r_q, r_v, options.tolerance)


@jit_compile
def advance(s, w, kkt, stages, run, options, t_end, output_step, h_max, max_steps):
    return march_adaptive(step, s, w, kkt, stages, run, options, t_end, output_step, ESTIMATE_ORDER, h_max, max_steps)


register_method(
    IntegrationMethod(
        "rosenbrock23",
        2,
        True,
        "linearly implicit, adaptive, stiff",
        advance,
        stages=4,
        coupled_stages=1,
        estimate_order=ESTIMATE_ORDER,
    )
)
