"""Elements with nodes tied to spatial bodies, built from the kernels of elements with free nodes.

A point of a spatial body is linear in its coordinates (physics/bodies/spatial.py), so the displacement of a node a tied to it
is linear, too:

    u_a = c_a + r + s_x d_1 + s_y d_2 + s_z d_3        c_a = s_a - X_a

    u = c + T q        Q = T^T f(u, T v)        K = T^T K_u T        likewise for damping; T is constant

An element has the coordinates of its own nodes, then the twelve of each body that it is tied to. The coordinates of its tied
nodes are those of the ground: nothing is read or written there. Its parameters are the address of the record of the free
element, the parameters of the free element, then for each node the index of its body (NO_BODY for none), s and c.

The kernel of the free element is called through its address, one element at a time, and sizes are read from its record: so
these functions are compiled once for all materials, shapes and numbers of bodies. Few elements of a solid are tied to a bone.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

import numpy as np

from gaitwright.fem.element_loops import ForceKernels, clear_values
from gaitwright.fem.kernel_modules import force_module
from gaitwright.jit import force_inline
from gaitwright.jit.address_calls import call_address, pointer_to, record_from_address
from gaitwright.jit.pointer_records import Flag, Integer, Ints, Longs, PointerRecord
from gaitwright.jit.stack_memory import scratch
from gaitwright.mechanism.batches import compiled_kernel

NO_BODY = -1.0
BODY_COORDINATE_COUNT = 12
"""Coordinates of a spatial body."""
NUMBERS_PER_NODE = 7
"""Parameters per node: index of its body, s, c."""
MAX_ELEMENT_NODES = 10
"""Maximum number of nodes of an element; it is tied to no more bodies than it has nodes."""
DISPLACEMENT_SCRATCH_SIZE = 3 * MAX_ELEMENT_NODES
STIFFNESS_SCRATCH_SIZE = 9 * MAX_ELEMENT_NODES**2
PRODUCT_SCRATCH_SIZE = 3 * BODY_COORDINATE_COUNT * MAX_ELEMENT_NODES**2


class FreeElementRecord(PointerRecord):
    """Element with free nodes, and the number of bodies of the tied one."""

    calls: Longs
    """Addresses of its kernels in the order of ForceKernels, 0 before they are compiled."""
    own: Ints
    """Its coordinates, and the entries of its matrix: consecutive numbers."""
    n: Integer
    n_par: Integer
    n_sig: Integer
    wide: Integer
    """Number of coordinates of the bodies."""
    has_tangent: Flag
    damped: Flag


as_free_element = record_from_address(FreeElementRecord.packed_type)


@force_inline
def element_stride(free):
    """Number of parameters of a tied element."""
    return 1 + free.n_par + NUMBERS_PER_NODE * (free.n // 3)


@force_inline
def gather_displacements(free, q, dof, first, par, numbers, moved, x):
    """Compute the displacements of the nodes, or their rates (moved = 0). first, numbers: start of the element's coordinates,
    and of the parameters of its nodes."""
    for a in range(free.n // 3):
        at = numbers + NUMBERS_PER_NODE * a
        body = int(par[at])
        of_body = first + free.n + BODY_COORDINATE_COUNT * body
        for i in range(3):
            value = q[dof[first + 3 * a + i]]
            if body >= 0:
                value += moved * par[at + 4 + i] + q[dof[of_body + i]]
                for m in range(3):
                    value += par[at + 1 + m] * q[dof[of_body + 3 + 3 * m + i]]
            x[3 * a + i] = value


@force_inline
def scatter_tied_stiffness(free, k, slot, first, par, numbers, y, values):
    """Add T^T k T. first: start of the slots of the element."""
    n, wide = free.n, free.wide
    n_all = n + wide
    for r in range(n):
        for c in range(n):
            values[slot[first + n_all * r + c]] += k[n * r + c]
    clear_values(n * wide, y)
    for b in range(n // 3):  # y = k T, and its transpose for the rows of the bodies
        at = numbers + NUMBERS_PER_NODE * b
        body = int(par[at])
        if body >= 0:
            for m in range(4):
                t = 1.0 if m == 0 else par[at + m]
                for r in range(n):
                    for i in range(3):
                        y[wide * r + BODY_COORDINATE_COUNT * body + 3 * m + i] += t * k[n * r + 3 * b + i]
    for r in range(n):
        for c in range(wide):
            values[slot[first + n_all * r + n + c]] += y[wide * r + c]
    for b in range(n // 3):
        at = numbers + NUMBERS_PER_NODE * b
        body = int(par[at])
        if body >= 0:
            for m in range(4):
                t = 1.0 if m == 0 else par[at + m]
                for i in range(3):
                    row = first + n_all * (n + BODY_COORDINATE_COUNT * body + 3 * m + i)
                    for c in range(n):
                        values[slot[row + c]] += t * k[n * (3 * b + i) + c]
                    for c in range(wide):
                        values[slot[row + n + c]] += t * y[wide * (3 * b + i) + c]


def force(count, dof, par, sig, q, v, u, total):
    x = scratch(DISPLACEMENT_SCRATCH_SIZE)
    x_v = scratch(DISPLACEMENT_SCRATCH_SIZE)
    f = scratch(DISPLACEMENT_SCRATCH_SIZE)
    free = as_free_element(int(par[0]))
    n, n_all, stride = free.n, free.n + free.wide, element_stride(free)
    for e in range(count):
        numbers = stride * e + 1 + free.n_par
        gather_displacements(free, q, dof, n_all * e, par, numbers, 1.0, x)
        gather_displacements(free, v, dof, n_all * e, par, numbers, 0.0, x_v)
        clear_values(n, f)
        own, element_par = pointer_to(free.own, 0), pointer_to(par, stride * e + 1)
        element_sig = pointer_to(sig, free.n_sig * e)
        call_address(free.calls[0], (1, own, element_par, element_sig, x, x_v, u, f))
        for a in range(n // 3):
            at = numbers + NUMBERS_PER_NODE * a
            body = int(par[at])
            of_body = n_all * e + n + BODY_COORDINATE_COUNT * body
            for i in range(3):
                total[dof[n_all * e + 3 * a + i]] += f[3 * a + i]
                if body >= 0:
                    total[dof[of_body + i]] += f[3 * a + i]
                    for m in range(3):
                        total[dof[of_body + 3 + 3 * m + i]] += par[at + 1 + m] * f[3 * a + i]


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    x = scratch(DISPLACEMENT_SCRATCH_SIZE)
    x_v = scratch(DISPLACEMENT_SCRATCH_SIZE)
    k = scratch(STIFFNESS_SCRATCH_SIZE)
    k_v = scratch(STIFFNESS_SCRATCH_SIZE)
    y = scratch(PRODUCT_SCRATCH_SIZE)
    free = as_free_element(int(par[0]))
    n, n_all, stride = free.n, free.n + free.wide, element_stride(free)
    for e in range(count if free.has_tangent else 0):
        numbers = stride * e + 1 + free.n_par
        gather_displacements(free, q, dof, n_all * e, par, numbers, 1.0, x)
        gather_displacements(free, v, dof, n_all * e, par, numbers, 0.0, x_v)
        clear_values(n * n, k)
        clear_values(n * n, k_v)
        own, element_par = pointer_to(free.own, 0), pointer_to(par, stride * e + 1)
        element_sig = pointer_to(sig, free.n_sig * e)
        call_address(free.calls[1], (1, own, element_par, element_sig, own, x, x_v, u, k, k_v))
        scatter_tied_stiffness(free, k, slot, n_all * n_all * e, par, numbers, y, kq)
        if free.damped:
            scatter_tied_stiffness(free, k_v, slot, n_all * n_all * e, par, numbers, y, kv)


def energy(count, dof, par, sig, q, v, u, energy):
    x, x_v, out = scratch(DISPLACEMENT_SCRATCH_SIZE), scratch(DISPLACEMENT_SCRATCH_SIZE), scratch(3)
    free = as_free_element(int(par[0]))
    n_all, stride = free.n + free.wide, element_stride(free)
    for e in range(count):
        numbers = stride * e + 1 + free.n_par
        gather_displacements(free, q, dof, n_all * e, par, numbers, 1.0, x)
        gather_displacements(free, v, dof, n_all * e, par, numbers, 0.0, x_v)
        own, element_par = pointer_to(free.own, 0), pointer_to(par, stride * e + 1)
        element_sig = pointer_to(sig, free.n_sig * e)
        call_address(free.calls[2], (1, own, element_par, element_sig, x, x_v, u, out))
        for k in range(3):
            energy[3 * e + k] = out[k]


@functools.cache
def tied_module(module: ModuleType, bodies: int) -> ModuleType:
    """Build the module of the same force for elements that are tied to this number of spatial bodies."""
    n, wide, has_tangent = module.N_DOF, BODY_COORDINATE_COUNT * bodies, len(module.TANGENT) > 0
    if n > DISPLACEMENT_SCRATCH_SIZE:
        raise ValueError(f"{module.__name__} has {n // 3} nodes, but tied elements support at most {MAX_ELEMENT_NODES}")
    free = FreeElementRecord(
        calls=np.zeros(len(ForceKernels._fields), dtype=np.int64), own=np.arange(n * n, dtype=np.int32),
        n=n, n_par=module.N_PAR, n_sig=module.N_SIG, wide=wide, has_tangent=has_tangent, damped=module.DAMPED,
    )  # fmt: skip

    def prepare(kernel: str) -> None:
        """Compile the kernel of the free element that the tied kernel of the same name calls."""
        if kernel != "tangent" or has_tangent:
            free.calls[ForceKernels._fields.index(kernel)] = compiled_kernel(module, kernel).address

    return force_module(
        f"{module.__name__.rpartition('.')[2]}__tied_{bodies}", ForceKernels(force, tangent, energy), n + wide,
        1 + module.N_PAR + NUMBERS_PER_NODE * (n // 3), n_sig=module.N_SIG,
        symmetric=module.SYMMETRIC, tangent=has_tangent, potential=module.POTENTIAL, dissipates=module.DISSIPATES,
        loads=module.LOADS, FREE=free, prepare=prepare,
    )  # fmt: skip


def tied_parameters(
    module: ModuleType, par: np.ndarray, body: np.ndarray, local: np.ndarray, offset: np.ndarray
) -> np.ndarray:
    """Return the parameters of elements of a tied module. par: those of free ones, (elements, n_par); body: (elements,
    nodes), NO_BODY for none; local, offset: s and c, (elements, nodes, 3)."""
    of_nodes: Any = np.concatenate((body[:, :, None], local, offset), axis=2)
    address = np.full((len(par), 1), float(module.FREE.address))
    return np.concatenate((address, par, of_nodes.reshape(len(par), -1)), axis=1)
