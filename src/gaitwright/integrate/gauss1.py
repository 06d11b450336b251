"""Gauss collocation with one stage (implicit midpoint rule), order 2; no numerical damping.

Symplectic for free bodies. With joints it solves the index-1 form in dependent coordinates, where the energy error is
small but does grow with time.
"""

import numpy as np

from gaitwright.integrate.base import IntegrationMethod, register_method
from gaitwright.integrate.implicit_runge_kutta import implicit_step
from gaitwright.integrate.step_loops import finish_step, march_fixed
from gaitwright.jit import jit_compile

A = np.array([[0.5]])
B = np.array([1.0])
C = np.array([0.5])
A2, BA = A @ A, B @ A


@jit_compile
def step(s, w, kkt, stages, run, t, h, options):
    return implicit_step(s, w, stages, run, t, h, options, A, A2, B, BA, C)


@jit_compile
def advance(s, w, kkt, stages, run, options, t_start, t_end, h, every, max_steps):
    return march_fixed(step, finish_step, 2, s, w, kkt, kkt, stages, run, options, t_start, t_end, h, every, max_steps)


register_method(
    IntegrationMethod("gauss1", 2, False, "implicit, undamped", advance, stages=1, coupled_stages=1, default_step=1e-3)
)
