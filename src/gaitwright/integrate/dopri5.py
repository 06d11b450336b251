"""Dormand and Prince's explicit method of order 5 with an embedded method of order 4; adaptive.

Source: J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19-26; coefficients as in Hairer, Norsett & Wanner,
Solving Ordinary Differential Equations I, Table II.5.2. For motions that are not stiff.
"""

import numpy as np

from gaitwright.integrate.base import IntegrationMethod, register_method
from gaitwright.integrate.explicit_runge_kutta import explicit_step
from gaitwright.integrate.step_loops import march_adaptive
from gaitwright.jit import jit_compile

A = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1 / 5, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3 / 40, 9 / 40, 0.0, 0.0, 0.0, 0.0],
        [44 / 45, -56 / 15, 32 / 9, 0.0, 0.0, 0.0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0, 0.0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0.0],
    ]
)
B = np.array([35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84])
C = np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0])
ESTIMATE_ORDER = 4
"""Order of the embedded solution; its difference from the result is proportional to h^5."""
ERROR_WEIGHTS = np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


@jit_compile
def step(s, w, kkt, stages, run, t, h, options):
    return explicit_step(s, w, kkt, run, t, h, options, A, B, C, ERROR_WEIGHTS)


@jit_compile
def advance(s, w, kkt, stages, run, options, t_end, output_step, h_max, max_steps):
    return march_adaptive(step, s, w, kkt, stages, run, options, t_end, output_step, ESTIMATE_ORDER, h_max, max_steps)


register_method(
    IntegrationMethod("dopri5", 5, True, "explicit, adaptive", advance, stages=B.size, estimate_order=ESTIMATE_ORDER)
)
