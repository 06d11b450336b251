"""Gauss collocation with three stages, order 6; no numerical damping. Paper 001 Table 4, with the signs of
Kuntzmann and Butcher.

Symplectic for free bodies. With joints it solves the index-1 form in dependent coordinates, where the energy error is
small but does grow with time.
"""

import numpy as np

from gaitwright.integrate.base import IntegrationMethod, register_method
from gaitwright.integrate.implicit_runge_kutta import implicit_step
from gaitwright.integrate.step_loops import finish_step, march_fixed
from gaitwright.jit import jit_compile

SQRT_15 = 15.0**0.5
A = np.array(
    [
        [5 / 36, 2 / 9 - SQRT_15 / 15, 5 / 36 - SQRT_15 / 30],
        [5 / 36 + SQRT_15 / 24, 2 / 9, 5 / 36 - SQRT_15 / 24],
        [5 / 36 + SQRT_15 / 30, 2 / 9 + SQRT_15 / 15, 5 / 36],
    ]
)
B = np.array([5 / 18, 4 / 9, 5 / 18])
C = np.array([0.5 - SQRT_15 / 10, 0.5, 0.5 + SQRT_15 / 10])
A2, BA = A @ A, B @ A


@jit_compile
def step(s, w, kkt, stages, run, t, h, options):
    return implicit_step(s, w, stages, run, t, h, options, A, A2, B, BA, C)


@jit_compile
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    return march_fixed(step, finish_step, 6, s, w, kkt, kkt, stages, run, options, t_start, t_end, h, every, max_steps)


register_method(
    IntegrationMethod("gauss3", 6, False, "implicit, undamped", advance, stages=3, coupled_stages=3, default_step=1e-2)
)
