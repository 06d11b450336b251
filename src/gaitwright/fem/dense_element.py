"""A dense stiffness K* as one linear element: a condensed solid that is held, so that it cannot turn.

    f = -K* (u + beta u')        W = 1/2 u^T K* u

par: number of coordinates; beta, s; K*. The kernels are the same for all sizes.
"""

from __future__ import annotations

import functools
from types import ModuleType

import numpy as np

from gaitwright.fem.element_loops import ForceKernels
from gaitwright.fem.kernel_modules import force_module

Array = np.ndarray
HEADER_SIZE = 2


def dense_parameters(stiffness: Array, damping: float = 0.0) -> Array:
    """Return par of one element, (1, numbers). stiffness: (n, n), N/m."""
    return np.concatenate(([len(stiffness), damping], stiffness.ravel()))[None]


@functools.cache
def dense_module(n: int, damped: bool) -> ModuleType:
    """Return the kernel module of a dense element with n coordinates."""
    name = f"dense_element_{n}" + ("_damped" if damped else "")
    return force_module(name, _dense_kernels(damped), n, HEADER_SIZE + n * n, potential=True, dissipates=damped)


@functools.cache
def _dense_kernels(damped: bool) -> ForceKernels:
    def force(count, dof, par, sig, q, v, u, total):
        n = int(par[0])
        x = np.empty(n)
        for e in range(count):
            start, first = e * (HEADER_SIZE + n * n), n * e
            for r in range(n):
                x[r] = q[dof[first + r]]
                if damped:
                    x[r] += par[start + 1] * v[dof[first + r]]
            for r in range(n):
                pull, row = 0.0, start + HEADER_SIZE + n * r
                for c in range(n):
                    pull -= par[row + c] * x[c]
                total[dof[first + r]] += pull

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        n = int(par[0])
        for e in range(count):
            start = e * (HEADER_SIZE + n * n)
            for k in range(n * n):
                value = par[start + HEADER_SIZE + k]
                kq[slot[n * n * e + k]] += value
                if damped:
                    kv[slot[n * n * e + k]] += par[start + 1] * value

    def energy(count, dof, par, sig, q, v, u, energy):
        n = int(par[0])
        for e in range(count):
            start, first = e * (HEADER_SIZE + n * n), n * e
            stored, lost = 0.0, 0.0
            for r in range(n):
                row, pull, drag = start + HEADER_SIZE + n * r, 0.0, 0.0
                for c in range(n):
                    pull += par[row + c] * q[dof[first + c]]
                    if damped:
                        drag += par[row + c] * v[dof[first + c]]
                stored += 0.5 * q[dof[first + r]] * pull
                lost += par[start + 1] * drag * v[dof[first + r]]
            energy[3 * e] = stored
            energy[3 * e + 1] = lost
            energy[3 * e + 2] = 0.0

    return ForceKernels(force, tangent, energy)
