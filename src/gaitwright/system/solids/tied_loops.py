"""Elements some of whose nodes move with spatial bodies, made of the kernels of elements whose nodes are free.

A point of a spatial body is linear in its coordinates (physics/bodies/spatial.py), so the displacement of a node a that is tied
to it is, too:

    u_a = c_a + r + s_x d_1 + s_y d_2 + s_z d_3        c_a = s_a - X_a

    u = c + T q        Q = T^T f(u, T v)        K = T^T K_u T        likewise for damping; T is constant

An element has the coordinates of its own nodes, then the twelve of each body that it touches. Those of its tied nodes are the
ground's: nothing is read or written there. Its numbers are those of the free element, then for each node which of its bodies it
is tied to (FREE for none), s and c.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from gaitwright.compiled import put_inside
from gaitwright.derive.scratch import scratch
from gaitwright.system.solids.kernels import force_module
from gaitwright.system.solids.loops import Kernels, clear

FREE = -1.0
BODY = 12
"""Coordinates of a spatial body."""
OF_NODE = 7
"""Numbers per node: which body, s, c."""


def shifted(values, count):
    """Values from `count` on, of an array or where a pointer leads to."""
    return values[count:]


@intrinsic
def _pointer_shifted(typing, pointer, count):
    def codegen(context, builder, signature, arguments):
        return builder.gep(arguments[0], [arguments[1]])

    return pointer(pointer, types.int64), codegen


@overload(shifted, inline="always")
def compiled_shifted(values, count):
    if isinstance(values, types.CPointer):
        return lambda values, count: _pointer_shifted(values, count)  # pyright: ignore[reportCallIssue]
    return lambda values, count: values[count:]


@functools.cache
def tied_module(module: ModuleType, bodies: int) -> ModuleType:
    """The same force on elements that touch so many bodies of space."""
    n, n_par, n_sig = module.N_DOF, module.N_PAR, module.N_SIG
    nodes, wide = n // 3, BODY * bodies
    n_all, stride = n + wide, n_par + OF_NODE * (n // 3)
    n_k, n_y, n_slot = n * n, n * wide, n_all**2
    has_tangent, damped = len(module.TANGENT) > 0, module.DAMPED
    own_force, own_tangent, own_energy = (put_inside(getattr(module, name)) for name in Kernels._fields)
    own, own_slot = np.arange(n, dtype=np.int32), np.arange(n_k, dtype=np.int32)

    def gather(q, dof, par, e, moved, x):
        """Displacements of the nodes, or their rates (moved = 0)."""
        for a in range(nodes):
            at = stride * e + n_par + OF_NODE * a
            body = int(par[at])
            first = n_all * e + n + BODY * body
            for i in range(3):
                value = q[dof[n_all * e + 3 * a + i]]
                if body >= 0:
                    value += moved * par[at + 4 + i] + q[dof[first + i]]
                    for m in range(3):
                        value += par[at + 1 + m] * q[dof[first + 3 + 3 * m + i]]
                x[3 * a + i] = value

    def scatter(k, slot, par, e, y, values):
        """Add T^T k T."""
        numbers = stride * e + n_par
        for r in range(n):
            for c in range(n):
                values[slot[n_slot * e + n_all * r + c]] += k[n * r + c]
        clear(n_y, y)
        for b in range(nodes):  # y = k T, and its transpose for the rows of the bodies
            at = numbers + OF_NODE * b
            body = int(par[at])
            if body >= 0:
                for m in range(4):
                    t = 1.0 if m == 0 else par[at + m]
                    for r in range(n):
                        for i in range(3):
                            y[wide * r + BODY * body + 3 * m + i] += t * k[n * r + 3 * b + i]
        for r in range(n):
            for c in range(wide):
                values[slot[n_slot * e + n_all * r + n + c]] += y[wide * r + c]
        for b in range(nodes):
            at = numbers + OF_NODE * b
            body = int(par[at])
            if body >= 0:
                for m in range(4):
                    t = 1.0 if m == 0 else par[at + m]
                    for i in range(3):
                        row = n_slot * e + n_all * (n + BODY * body + 3 * m + i)
                        for c in range(n):
                            values[slot[row + c]] += t * k[n * (3 * b + i) + c]
                        for c in range(wide):
                            values[slot[row + n + c]] += t * y[wide * (3 * b + i) + c]

    gather_, scatter_ = put_inside(gather), put_inside(scatter)

    def force(count, dof, par, sig, q, v, u, total):
        x, x_v, f = scratch(n), scratch(n), scratch(n)
        for e in range(count):
            gather_(q, dof, par, e, 1.0, x)
            gather_(v, dof, par, e, 0.0, x_v)
            clear(n, f)
            own_force(1, own, shifted(par, stride * e), shifted(sig, n_sig * e), x, x_v, u, f)
            for a in range(nodes):
                at = stride * e + n_par + OF_NODE * a
                body = int(par[at])
                first = n_all * e + n + BODY * body
                for i in range(3):
                    total[dof[n_all * e + 3 * a + i]] += f[3 * a + i]
                    if body >= 0:
                        total[dof[first + i]] += f[3 * a + i]
                        for m in range(3):
                            total[dof[first + 3 + 3 * m + i]] += par[at + 1 + m] * f[3 * a + i]

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        if has_tangent:
            x, x_v, k, k_v, y = scratch(n), scratch(n), scratch(n_k), scratch(n_k), scratch(n_y)
            for e in range(count):
                gather_(q, dof, par, e, 1.0, x)
                gather_(v, dof, par, e, 0.0, x_v)
                clear(n_k, k)
                clear(n_k, k_v)
                own_tangent(1, own, shifted(par, stride * e), shifted(sig, n_sig * e), own_slot, x, x_v, u, k, k_v)
                scatter_(k, slot, par, e, y, kq)
                if damped:
                    scatter_(k_v, slot, par, e, y, kv)

    def energy(count, dof, par, sig, q, v, u, energy):
        x, x_v, out = scratch(n), scratch(n), scratch(3)
        for e in range(count):
            gather_(q, dof, par, e, 1.0, x)
            gather_(v, dof, par, e, 0.0, x_v)
            own_energy(1, own, shifted(par, stride * e), shifted(sig, n_sig * e), x, x_v, u, out)
            for k in range(3):
                energy[3 * e + k] = out[k]

    return force_module(
        f"{module.__name__.rpartition('.')[2]}__tied_{bodies}", Kernels(force, tangent, energy), n_all, stride, n_sig=n_sig,
        symmetric=module.SYMMETRIC, tangent=has_tangent, potential=module.POTENTIAL, dissipates=module.DISSIPATES,
        loads=module.LOADS,
    )  # fmt: skip


def tied_numbers(par: np.ndarray, body: np.ndarray, local: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Numbers of tied elements: those of free ones, (elements, n_par); body: (elements, nodes), FREE for none; local, offset: s
    and c, (elements, nodes, 3)."""
    of_nodes: Any = np.concatenate((body[:, :, None], local, offset), axis=2)
    return np.concatenate((par, of_nodes.reshape(len(par), -1)), axis=1)
