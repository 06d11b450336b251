"""Solid elements assembled and solved directly from their kernels, as a short reference for the tables."""

from __future__ import annotations

import ctypes

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import splu

from gaitwright.fem.element_geometry import build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES
from gaitwright.fem.kernel_modules import element_module
from gaitwright.mechanism.batches import compiled_kernel


class Batch:
    """Elements of one module: dof (elements, N_DOF), par (elements, N_PAR)."""

    def __init__(self, module, dof, par, n, signals=(0.0,)):
        self.module, self.n = module, n
        self.dof = np.ascontiguousarray(dof, dtype=np.int32)
        self.par = np.ascontiguousarray(par, dtype=float)
        assert self.dof.shape == (len(dof), module.N_DOF) and self.par.shape == (len(dof), module.N_PAR)
        self.sig = np.zeros((len(dof), max(module.N_SIG, 1)), dtype=np.int32)
        self.u = np.ravel([(s, 0.0, 0.0) for s in signals])
        self.slot = np.arange(len(dof) * len(module.TANGENT), dtype=np.int32)

    def _call(self, kernel, *arrays):
        function = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * len(arrays))
        function(compiled_kernel(self.module, kernel).address)(len(self.dof), *(a.ctypes.data for a in arrays))

    def force(self, q, v=None):
        v, total = np.zeros(self.n) if v is None else v, np.zeros(self.n)
        self._call("force", self.dof, self.par, self.sig, np.array(q), np.array(v), self.u, total)
        return total

    def energy(self, q, v=None):
        """(elements, 3)."""
        v, out = np.zeros(self.n) if v is None else v, np.zeros((len(self.dof), 3))
        self._call("energy", self.dof, self.par, self.sig, np.array(q), np.array(v), self.u, out)
        return out

    def blocks(self, q, v=None):
        """-dQ/dq and -dQ/dv of the elements, (elements, N_DOF, N_DOF)."""
        v = np.zeros(self.n) if v is None else v
        kq, kv = (np.zeros((len(self.dof), self.module.N_DOF, self.module.N_DOF)) for _ in range(2))
        self._call(
            "tangent", self.dof, self.par, self.sig, self.slot, np.array(q), np.array(v), self.u, kq, kv
        )  # fmt: skip
        return kq, kv

    def tangent(self, q, v=None, which=0):
        """Sparse (n, n)."""
        k = self.module.N_DOF
        rows, cols = np.repeat(self.dof, k, axis=1).ravel(), np.tile(self.dof, (1, k)).ravel()
        return coo_array((self.blocks(q, v)[which].ravel(), (rows, cols)), shape=(self.n, self.n)).tocsc()


def coordinates(mesh):
    """Of the nodes, (nodes, d)."""
    return np.arange(mesh.nodes.size).reshape(mesh.nodes.shape)


def solid(mesh, material, mean=False, thickness=1.0, module=None, par=None):
    """A mesh of one material: `material` is a choice with its values."""
    shape = ELEMENT_TYPES[mesh.kind.name]
    parts = build_element_geometry(shape, mesh.nodes, mesh.cells, thickness)
    module = module or element_module(type(material), shape, mean)
    numbers = material.numbers() if par is None else par
    return Batch(module, parts.dof(coordinates(mesh)), parts.parameters(np.array(numbers)), mesh.nodes.size)


def solve(batches, fixed, values=0.0, load=None, start=None, steps=60, tolerance=1e-12):
    """Return displacements at rest, by Newton's method. fixed: prescribed coordinates, with `values`; load: dead
    forces."""
    n = batches[0].n
    q = np.zeros(n) if start is None else start.copy()
    free = np.setdiff1d(np.arange(n), fixed)
    wanted = np.zeros(n)
    wanted[fixed] = values
    load = np.zeros(n) if load is None else load
    for _ in range(steps):
        K = sum(batch.tangent(q) for batch in batches if len(batch.module.TANGENT)).tocsc()
        rest = load + sum(batch.force(q) for batch in batches)
        # prescribed displacements enter through the tangent
        rest = rest - K @ np.where(np.isin(np.arange(n), fixed), wanted - q, 0.0)
        dq = np.zeros(n)
        dq[fixed] = (wanted - q)[fixed]
        dq[free] = splu(K[free][:, free]).solve(rest[free])
        q = q + dq
        if np.abs(dq).max() <= tolerance * max(np.abs(q).max(), 1e-300):
            return q
    raise AssertionError(f"no equilibrium after {steps} steps")
