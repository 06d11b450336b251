"""Traction: force by undeformed area that keeps its direction; an element is a node."""

from __future__ import annotations

import functools
from types import ModuleType

from gaitwright.system.solids.kernels import force_module
from gaitwright.system.solids.loops import Kernels


@functools.cache
def traction_module(d: int) -> ModuleType:
    """par: the share of a node, m^2 (sides.py). Signals: the components, Pa."""

    def force(count, dof, par, sig, q, v, u, total):
        for e in range(count):
            for i in range(d):
                total[dof[d * e + i]] += par[e] * u[3 * sig[d * e + i]]

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        pass

    def energy(count, dof, par, sig, q, v, u, energy):
        for e in range(count):
            power = 0.0
            for i in range(d):
                power += par[e] * u[3 * sig[d * e + i]] * v[dof[d * e + i]]
            energy[3 * e] = 0.0
            energy[3 * e + 1] = 0.0
            energy[3 * e + 2] = power

    return force_module(f"traction__{d}d", Kernels(force, tangent, energy), d, 1, n_sig=d, tangent=False, loads=True)
