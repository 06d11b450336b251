"""Gauss collocation with one stage (implicit midpoint rule), order 2; no numerical damping.

Symplectic for free bodies. With joints it solves the index-1 form in dependent coordinates, where the energy error is
small but does grow with time.
"""

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.integrate.base import Method, register
from gaitwright.integrate.implicit import implicit_step
from gaitwright.integrate.march import finish_step, march_fixed

A = np.array([[0.5]])
B = np.array([1.0])
C = np.array([0.5])
A2, BA = A @ A, B @ A


@compiled
def step(s, w, kkt, stages, run, t, h, options):
    return implicit_step(s, w, stages, run, t, h, options, A, A2, B, BA, C)


@compiled
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    return march_fixed(step, finish_step, 2, s, w, kkt, kkt, stages, run, options, t_start, t_end, h, every, max_steps)


register(Method("gauss1", 2, False, "implicit, undamped", advance, stages=1, coupled_stages=1, default_step=1e-3))
