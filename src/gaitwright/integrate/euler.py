"""Euler's method: the thesis's own scheme (003 section 4.1). For comparison only."""

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.integrate.base import Method, register
from gaitwright.integrate.explicit import explicit_step
from gaitwright.integrate.march import finish_step, march_fixed

A = np.array([[0.0]])
B = np.array([1.0])
C = np.array([0.0])
NO_ERROR = np.zeros(0)


@compiled
def step(s, w, kkt, stages, run, t, h, options):
    return explicit_step(s, w, kkt, run, t, h, options, A, B, C, NO_ERROR)


@compiled
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    return march_fixed(step, finish_step, 1, s, w, kkt, kkt, stages, run, options, t_start, t_end, h, every, max_steps)


register(Method("euler", 1, False, "explicit", advance, stages=B.size, stable=(0.0, 2.0)))
