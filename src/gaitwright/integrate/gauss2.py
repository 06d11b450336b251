"""Gauss collocation with two stages, order 4; no numerical damping. Paper 001 Table 3.

Symplectic for free bodies. With joints it solves the index-1 form in dependent coordinates, where the energy error is
small but does grow with time.
"""

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.integrate.base import Method, register
from gaitwright.integrate.implicit import implicit_step
from gaitwright.integrate.march import finish_step, march_fixed

ROOT = 3.0**0.5 / 6
A = np.array([[0.25, 0.25 - ROOT], [0.25 + ROOT, 0.25]])
B = np.array([0.5, 0.5])
C = np.array([0.5 - ROOT, 0.5 + ROOT])
A2, BA = A @ A, B @ A


@compiled
def step(s, w, kkt, stages, run, t, h, options):
    return implicit_step(s, w, stages, run, t, h, options, A, A2, B, BA, C)


@compiled
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    return march_fixed(step, finish_step, 4, s, w, kkt, kkt, stages, run, options, t_start, t_end, h, every, max_steps)


register(Method("gauss2", 4, False, "implicit, undamped", advance, stages=2, coupled_stages=2, default_step=1e-2))
