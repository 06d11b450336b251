"""Gill's fourth-order Runge-Kutta method (Gill 1951), used in papers 000 and 001."""

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.integrate.base import Method, register
from gaitwright.integrate.explicit import explicit_step
from gaitwright.integrate.march import finish_step, march_fixed

ROOT = 2.0**0.5

A = np.array(
    [
        [0.0, 0.0, 0.0, 0.0],
        [0.5, 0.0, 0.0, 0.0],
        [(ROOT - 1) / 2, 1 - ROOT / 2, 0.0, 0.0],
        [0.0, -ROOT / 2, 1 + ROOT / 2, 0.0],
    ]
)
B = np.array([1 / 6, (2 - ROOT) / 6, (2 + ROOT) / 6, 1 / 6])
C = np.array([0.0, 0.5, 0.5, 1.0])
NO_ERROR = np.zeros(0)


@compiled
def step(s, w, kkt, stages, run, t, h, options):
    return explicit_step(s, w, kkt, run, t, h, options, A, B, C, NO_ERROR)


@compiled
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    return march_fixed(step, finish_step, 4, s, w, kkt, kkt, stages, run, options, t_start, t_end, h, every, max_steps)


register(Method("gill", 4, False, "explicit", advance, stages=B.size, stable=(2.828, 2.785)))
