"""Gauss collocation with two stages, order 4; no numerical damping. Paper 001 Table 3.

Symplectic for free bodies. With joints it solves the index-1 form in dependent coordinates, where the energy error is
small but does grow with time.
"""

import numpy as np

from gaitwright.integrate.base import IntegrationMethod, register_method
from gaitwright.integrate.implicit_runge_kutta import implicit_step
from gaitwright.integrate.step_loops import finish_step, march_fixed
from gaitwright.jit import jit_compile

SQRT_3_OVER_6 = 3.0**0.5 / 6
A = np.array([[0.25, 0.25 - SQRT_3_OVER_6], [0.25 + SQRT_3_OVER_6, 0.25]])
B = np.array([0.5, 0.5])
C = np.array([0.5 - SQRT_3_OVER_6, 0.5 + SQRT_3_OVER_6])
A2, BA = A @ A, B @ A


@jit_compile
def step(s, w, kkt, stages, run, t, h, options):
    return implicit_step(s, w, stages, run, t, h, options, A, A2, B, BA, C)


@jit_compile
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    return march_fixed(step, finish_step, 4, s, w, kkt, kkt, stages, run, options, t_start, t_end, h, every, max_steps)


register_method(
    IntegrationMethod("gauss2", 4, False, "implicit, undamped", advance, stages=2, coupled_stages=2, default_step=1e-2)
)
