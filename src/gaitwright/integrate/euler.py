"""Euler's method: the thesis's own scheme (003 section 4.1). For comparison only."""

import numpy as np

from gaitwright.integrate.base import IntegrationMethod, register_method
from gaitwright.integrate.explicit_runge_kutta import explicit_step
from gaitwright.integrate.step_loops import finish_step, march_fixed
from gaitwright.jit import jit_compile

A = np.array([[0.0]])
B = np.array([1.0])
C = np.array([0.0])
NO_ERROR_WEIGHTS = np.zeros(0)


@jit_compile
def step(s, w, kkt, stages, run, t, h, options):
    return explicit_step(s, w, kkt, run, t, h, options, A, B, C, NO_ERROR_WEIGHTS)


@jit_compile
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    return march_fixed(step, finish_step, 1, s, w, kkt, kkt, stages, run, options, t_start, t_end, h, every, max_steps)


register_method(IntegrationMethod("euler", 1, False, "explicit", advance, stages=B.size, stable=(0.0, 2.0)))
