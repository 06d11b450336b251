"""Elements some of whose nodes move with spatial bodies, made of the kernels of elements whose nodes are free.

A point of a spatial body is linear in its coordinates (physics/bodies/spatial.py), so the displacement of a node a that is tied
to it is, too:

    u_a = c_a + r + s_x d_1 + s_y d_2 + s_z d_3        c_a = s_a - X_a

    u = c + T q        Q = T^T f(u, T v)        K = T^T K_u T        likewise for damping; T is constant

An element has the coordinates of its own nodes, then the twelve of each body that it touches. Those of its tied nodes are the
ground's: nothing is read or written there. Its numbers are the address of what is known of the free element, the numbers of
that one, then for each node which of its bodies it is tied to (FREE for none), s and c.

The kernel of the free element is called by its address, for one element at a time, and sizes are read from its record: what is
here is compiled once for all materials, shapes and numbers of bodies. Few elements of a solid touch a bone.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

import numpy as np

from gaitwright.compiled import put_inside
from gaitwright.derive.scratch import scratch
from gaitwright.system.batches import compiled_kernel
from gaitwright.system.invoke import behind, invoke, viewer
from gaitwright.system.packed import Flag, Integer, Ints, Longs, Packed
from gaitwright.system.solids.kernels import force_module
from gaitwright.system.solids.loops import Kernels, clear

FREE = -1.0
BODY = 12
"""Coordinates of a spatial body."""
OF_NODE = 7
"""Numbers per node: which body, s, c."""
NODES = 10
"""At most, in an element; it touches no more bodies than it has nodes."""
N_X, N_K, N_Y = 3 * NODES, 9 * NODES**2, 3 * BODY * NODES**2


class Free(Packed):
    """An element whose nodes are free, and how many bodies the tied one touches."""

    calls: Longs
    """Addresses of its kernels in the order of Kernels, 0 before they are compiled."""
    own: Ints
    """Its coordinates, and the entries of its matrix: one after the other."""
    n: Integer
    n_par: Integer
    n_sig: Integer
    wide: Integer
    """Coordinates of the bodies."""
    has_tangent: Flag
    damped: Flag


as_free = viewer(Free.packed_type)


@put_inside
def numbers_per_element(free):
    return 1 + free.n_par + OF_NODE * (free.n // 3)


@put_inside
def gather(free, q, dof, first, par, numbers, moved, x):
    """Displacements of the nodes, or their rates (moved = 0). first, numbers: where the coordinates of the element begin, and
    the numbers of its nodes."""
    for a in range(free.n // 3):
        at = numbers + OF_NODE * a
        body = int(par[at])
        of_body = first + free.n + BODY * body
        for i in range(3):
            value = q[dof[first + 3 * a + i]]
            if body >= 0:
                value += moved * par[at + 4 + i] + q[dof[of_body + i]]
                for m in range(3):
                    value += par[at + 1 + m] * q[dof[of_body + 3 + 3 * m + i]]
            x[3 * a + i] = value


@put_inside
def scatter(free, k, slot, first, par, numbers, y, values):
    """Add T^T k T. first: where the slots of the element begin."""
    n, wide = free.n, free.wide
    n_all = n + wide
    for r in range(n):
        for c in range(n):
            values[slot[first + n_all * r + c]] += k[n * r + c]
    clear(n * wide, y)
    for b in range(n // 3):  # y = k T, and its transpose for the rows of the bodies
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
            values[slot[first + n_all * r + n + c]] += y[wide * r + c]
    for b in range(n // 3):
        at = numbers + OF_NODE * b
        body = int(par[at])
        if body >= 0:
            for m in range(4):
                t = 1.0 if m == 0 else par[at + m]
                for i in range(3):
                    row = first + n_all * (n + BODY * body + 3 * m + i)
                    for c in range(n):
                        values[slot[row + c]] += t * k[n * (3 * b + i) + c]
                    for c in range(wide):
                        values[slot[row + n + c]] += t * y[wide * (3 * b + i) + c]


def force(count, dof, par, sig, q, v, u, total):
    x, x_v, f = scratch(N_X), scratch(N_X), scratch(N_X)
    free = as_free(int(par[0]))
    n, n_all, stride = free.n, free.n + free.wide, numbers_per_element(free)
    for e in range(count):
        numbers = stride * e + 1 + free.n_par
        gather(free, q, dof, n_all * e, par, numbers, 1.0, x)
        gather(free, v, dof, n_all * e, par, numbers, 0.0, x_v)
        clear(n, f)
        invoke(free.calls[0], (
            1, behind(free.own, 0), behind(par, stride * e + 1), behind(sig, free.n_sig * e), x, x_v, u, f,
        ))  # fmt: skip
        for a in range(n // 3):
            at = numbers + OF_NODE * a
            body = int(par[at])
            of_body = n_all * e + n + BODY * body
            for i in range(3):
                total[dof[n_all * e + 3 * a + i]] += f[3 * a + i]
                if body >= 0:
                    total[dof[of_body + i]] += f[3 * a + i]
                    for m in range(3):
                        total[dof[of_body + 3 + 3 * m + i]] += par[at + 1 + m] * f[3 * a + i]


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    x, x_v, k, k_v, y = scratch(N_X), scratch(N_X), scratch(N_K), scratch(N_K), scratch(N_Y)
    free = as_free(int(par[0]))
    n, n_all, stride = free.n, free.n + free.wide, numbers_per_element(free)
    for e in range(count if free.has_tangent else 0):
        numbers = stride * e + 1 + free.n_par
        gather(free, q, dof, n_all * e, par, numbers, 1.0, x)
        gather(free, v, dof, n_all * e, par, numbers, 0.0, x_v)
        clear(n * n, k)
        clear(n * n, k_v)
        invoke(free.calls[1], (
            1, behind(free.own, 0), behind(par, stride * e + 1), behind(sig, free.n_sig * e), behind(free.own, 0),
            x, x_v, u, k, k_v,
        ))  # fmt: skip
        scatter(free, k, slot, n_all * n_all * e, par, numbers, y, kq)
        if free.damped:
            scatter(free, k_v, slot, n_all * n_all * e, par, numbers, y, kv)


def energy(count, dof, par, sig, q, v, u, energy):
    x, x_v, out = scratch(N_X), scratch(N_X), scratch(3)
    free = as_free(int(par[0]))
    n_all, stride = free.n + free.wide, numbers_per_element(free)
    for e in range(count):
        numbers = stride * e + 1 + free.n_par
        gather(free, q, dof, n_all * e, par, numbers, 1.0, x)
        gather(free, v, dof, n_all * e, par, numbers, 0.0, x_v)
        invoke(free.calls[2], (
            1, behind(free.own, 0), behind(par, stride * e + 1), behind(sig, free.n_sig * e), x, x_v, u, out,
        ))  # fmt: skip
        for k in range(3):
            energy[3 * e + k] = out[k]


@functools.cache
def tied_module(module: ModuleType, bodies: int) -> ModuleType:
    """The same force on elements that touch so many bodies of space."""
    n, wide, has_tangent = module.N_DOF, BODY * bodies, len(module.TANGENT) > 0
    if n > N_X:
        raise ValueError(
            f"{module.__name__} has {n // 3} nodes, more than the {NODES} that tied elements have room for"
        )
    free = Free(
        calls=np.zeros(len(Kernels._fields), dtype=np.int64), own=np.arange(n * n, dtype=np.int32),
        n=n, n_par=module.N_PAR, n_sig=module.N_SIG, wide=wide, has_tangent=has_tangent, damped=module.DAMPED,
    )  # fmt: skip

    def prepare(kernel: str) -> None:
        """The kernel of the free element, which the one of the same name calls."""
        if kernel != "tangent" or has_tangent:
            free.calls[Kernels._fields.index(kernel)] = compiled_kernel(module, kernel).address

    return force_module(
        f"{module.__name__.rpartition('.')[2]}__tied_{bodies}", Kernels(force, tangent, energy), n + wide,
        1 + module.N_PAR + OF_NODE * (n // 3), n_sig=module.N_SIG,
        symmetric=module.SYMMETRIC, tangent=has_tangent, potential=module.POTENTIAL, dissipates=module.DISSIPATES,
        loads=module.LOADS, FREE=free, prepare=prepare,
    )  # fmt: skip


def tied_numbers(
    module: ModuleType, par: np.ndarray, body: np.ndarray, local: np.ndarray, offset: np.ndarray
) -> np.ndarray:
    """Numbers of elements of a tied module. par: those of free ones, (elements, n_par); body: (elements, nodes), FREE for none;
    local, offset: s and c, (elements, nodes, 3)."""
    of_nodes: Any = np.concatenate((body[:, :, None], local, offset), axis=2)
    address = np.full((len(par), 1), float(module.FREE.address))
    return np.concatenate((address, par, of_nodes.reshape(len(par), -1)), axis=1)
