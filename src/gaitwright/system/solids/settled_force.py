"""The force of a solid that rests at every instant (settling.py), on the body that carries it and on that of the plane.

The plane is on a, with the normal n in its frame; the solid is in a frame that b carries. What it sees of both is a few
products of variables of markers, and these alone act:

    c = n . (r_b - r_a)        m_k = n . e_k        e_k: axes of the frame

    Q = -V_x x_q               -Q_q = x_q^T V_xx x_q + V_x x_qq

so the element fits whatever bodies have axes, in the plane and in space. V and its derivatives come through an address,
which the parameters hold together with that of the solid's own memory: `settle(what, data, x, out)`.
"""

from __future__ import annotations

import functools
import itertools
from types import ModuleType
from typing import Any

from gaitwright.derive.scratch import scratch
from gaitwright.physics.declare import Force, Point
from gaitwright.system.invoke import invoke
from gaitwright.system.solids.settling import FORCE, GAP, STIFFNESS

LANDED = 1e-8
"""Gaps that count as none, in sizes of the solid."""


def variables(d: int) -> tuple[Any, ...]:
    """In the order of the kernel: n, r_b - r_a, the axes of the frame; then c and m."""
    normal = [("direction", 0, tuple(range(d)), k) for k in range(d)]
    between = [("between", 0, 1, k) for k in range(d)]
    axes = [("direction", 1, tuple(range(d + d * j, 2 * d + d * j)), k) for j in range(d) for k in range(d)]

    def product(first: int) -> Any:
        return ("quadratic", 0.0, tuple((1.0, k, first + k) for k in range(d)))

    return (*normal, *between, *axes, product(d), *(product(2 * d + d * j) for j in range(d)))


@functools.cache
def settled_module(d: int) -> ModuleType:
    """par: n in the frame of a, the axes of the solid in the frame of b, address of `settle`, address of its data."""
    n_x, first, call = d + 1, 2 * d + d * d, d + d * d
    n_dof, n_par, n_slot, n_out = first + n_x, call + 2, n_x**2, 1 + n_x + n_x**2

    def force(count, dof, par, sig, q, v, u, total):
        x, out = scratch(n_x), scratch(n_out)
        for e in range(count):
            for k in range(n_x):
                x[k] = q[dof[n_dof * e + first + k]]
            invoke(int(par[n_par * e + call]), (FORCE, int(par[n_par * e + call + 1]), x, out))
            for k in range(n_x):
                total[dof[n_dof * e + first + k]] -= out[1 + k]

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        x, out = scratch(n_x), scratch(n_out)
        for e in range(count):
            for k in range(n_x):
                x[k] = q[dof[n_dof * e + first + k]]
            invoke(int(par[n_par * e + call]), (STIFFNESS, int(par[n_par * e + call + 1]), x, out))
            for k in range(n_slot):
                kq[slot[n_slot * e + k]] += out[1 + n_x + k]

    def energy(count, dof, par, sig, q, v, u, energy):
        x, out = scratch(n_x), scratch(n_out)
        for e in range(count):
            for k in range(n_x):
                x[k] = q[dof[n_dof * e + first + k]]
            invoke(int(par[n_par * e + call]), (FORCE, int(par[n_par * e + call + 1]), x, out))
            energy[3 * e] = out[0]
            energy[3 * e + 1] = 0.0
            energy[3 * e + 2] = 0.0

    def gap(count, dof, par, sig, q, v, u, out):
        x, found = scratch(n_x), scratch(n_out)
        for e in range(count):
            for k in range(n_x):
                x[k] = q[dof[n_dof * e + first + k]]
            invoke(int(par[n_par * e + call]), (GAP, int(par[n_par * e + call + 1]), x, found))
            rate = 0.0
            for k in range(n_x):
                rate += found[1 + k] * v[dof[n_dof * e + first + k]]
            out[3 * e] = found[0]
            out[3 * e + 1] = rate
            out[3 * e + 2] = LANDED * found[1 + n_x]

    module = ModuleType(f"gaitwright.solid.settled__{d}d")
    acting = range(first, n_dof)
    members = {
        "KIND": "force", "N_DOF": n_dof, "N_PAR": n_par, "N_SIG": 0, "TANGENT": tuple(itertools.product(acting, repeat=2)),
        "FULL": True, "SYMMETRIC": True, "POTENTIAL": True, "DISSIPATES": False, "LOADS": False, "DAMPED": False,
        "ACTING": n_dof, "VARIABLES": variables(d), "force": force, "tangent": tangent, "energy": energy, "gap": gap,
    }  # fmt: skip
    for key, value in members.items():
        setattr(module, key, value)
    return module


@functools.cache
def settled_force(d: int) -> type[Force]:
    """The declaration for a Block."""
    members = {
        "name": f"settled-solid-{d}d", "__doc__": "Force of a solid that rests at every instant.", "dimensions": (d,),
        "attachments": {"a": Point("of the plane"), "b": Point("origin of the solid's frame")}, "implied": True, "fused": False,
        "kernels": settled_module(d), "registries": classmethod(lambda cls: []),
    }  # fmt: skip
    return type("SettledSolid", (Force,), members)
