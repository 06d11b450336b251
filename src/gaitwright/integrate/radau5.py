"""Radau IIA with three stages, order 5, stiffly accurate and L-stable; adaptive.

Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section IV.8: coefficients (Table IV.5.6),
error estimate Eq (8.17) to (8.19). Here it runs on the index-1 form, so its full order 5 holds for positions and
velocities; on the index-3 form it would drop to 3 and 2.
"""

import numpy as np

from gaitwright.integrate.base import EVALUATION_COUNT, OK, IntegrationMethod, register_method
from gaitwright.integrate.implicit_runge_kutta import (
    CONVERGED_RTOL,
    finish_implicit,
    guess_stages,
    solve_stage_equations,
)
from gaitwright.integrate.shifted_jacobian import factor_shifted, solve_shifted
from gaitwright.integrate.step_loops import error_norm, march_adaptive
from gaitwright.jit import jit_compile
from gaitwright.mechanism.kkt import solve_accelerations

ESTIMATE_ORDER = 3
"""Order of the embedded solution; its difference from the result is proportional to h^4."""
SQRT_6 = 6.0**0.5
A = np.array(
    [
        [(88 - 7 * SQRT_6) / 360, (296 - 169 * SQRT_6) / 1800, (-2 + 3 * SQRT_6) / 225],
        [(296 + 169 * SQRT_6) / 1800, (88 + 7 * SQRT_6) / 360, (-2 - 3 * SQRT_6) / 225],
        [(16 - SQRT_6) / 36, (16 + SQRT_6) / 36, 1 / 9],
    ]
)
B = A[2].copy()
C = np.array([(4 - SQRT_6) / 10, (4 + SQRT_6) / 10, 1.0])
A2, BA = A @ A, B @ A
GAMMA = float(next(value.real for value in np.linalg.eigvals(A) if abs(value.imag) < 1e-12))
"""Real eigenvalue of A: weight of the start of the step in the embedded formula."""
ERROR_WEIGHTS = GAMMA / 3 * np.array([-13 - 7 * SQRT_6, -13 + 7 * SQRT_6, -1.0])


@jit_compile
def embedded_error(s, run, h, v0, a0, error_q, error_v):
    """y_hat - y of the embedded formula of order 3, Eq (8.18), from slopes (v0, a0) and stage increments."""
    for k in range(s.n):
        error_q[k] = GAMMA * h * v0[k]
        error_v[k] = GAMMA * h * a0[k]
        for i in range(3):
            error_q[k] += ERROR_WEIGHTS[i] * (run.stage_q[i, k] - run.q[k])
            error_v[k] += ERROR_WEIGHTS[i] * (run.stage_v[i, k] - run.v[k])


@jit_compile
def step(s, w, kkt, stages, run, t, h, options):
    coupled, shifted = stages
    guess_stages(s, run, 3)
    # far below the tolerance, so that the remaining error of Newton's method does not affect the error estimate
    enough = min(1e-10, max(CONVERGED_RTOL, 1e-4 * options.tolerance))
    status = solve_stage_equations(s, w, coupled, run, t, h, options, A, A2, C, enough)
    if status != OK:
        return status, 0.0
    finish_implicit(s, w, run, t, h, B, BA, C)
    raw_q, raw_v, error_q, error_v = run.aux[0], run.aux[1], run.aux[2], run.aux[3]
    status = factor_shifted(s, w, shifted, run, t, run.q, run.v, run.a, run.lam, GAMMA * h, options)
    if status != OK:
        return status, 0.0
    embedded_error(s, run, h, run.v, run.a, raw_q, raw_v)
    solve_shifted(s, w, shifted, GAMMA * h, raw_q, raw_v, error_q, error_v)
    error = error_norm(s, run, error_q, error_v, options.tolerance)
    if error > 1.0:
        # Eq (8.19): the estimate of a stiff component is too pessimistic; evaluate the slope once at y + error.
        for k in range(s.n):
            run.stage_q[0, k], raw_q[k] = run.q[k] + error_q[k], run.stage_q[0, k]
            run.stage_v[0, k], raw_v[k] = run.v[k] + error_v[k], run.stage_v[0, k]
        solve_accelerations(s, w, kkt, t, run.stage_q[0], run.stage_v[0], options.damp, options.stiff, run.a1, run.lam1)
        run.count[EVALUATION_COUNT] += 1
        for k in range(s.n):
            error_v[k] = run.stage_v[0, k]
            run.stage_q[0, k] = raw_q[k]
            run.stage_v[0, k] = raw_v[k]
        embedded_error(s, run, h, error_v, run.a1, raw_q, raw_v)
        solve_shifted(s, w, shifted, GAMMA * h, raw_q, raw_v, error_q, error_v)
        error = error_norm(s, run, error_q, error_v, options.tolerance)
    return OK, error


@jit_compile
def advance(s, w, kkt, stages, run, options, t_end, output_step, h_max, max_steps):
    return march_adaptive(step, s, w, kkt, stages, run, options, t_end, output_step, ESTIMATE_ORDER, h_max, max_steps)


register_method(
    IntegrationMethod(
        "radau5",
        5,
        True,
        "implicit, adaptive, stiff",
        advance,
        stages=3,
        coupled_stages=3,
        estimate_order=ESTIMATE_ORDER,
    )
)
