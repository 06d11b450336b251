"""The force of a solid that rests at every instant (settling.py), on the body that carries it and on that of the plane.

The plane is on a, with the normal n in its frame; the solid is in a frame that b carries. What it sees of both is a few
products of variables of markers, and these alone act:

    c = n . (r_b - r_a)        m_k = n . e_k        e_k: axes of the frame

    Q = -V_x x_q               -Q_q = x_q^T V_xx x_q + V_x x_qq

(of a solid that rubs, c and m of all axes of a: the pose of b as a sees it). So the element fits whatever bodies have axes, in
the plane and in space. V and its derivatives come through an address, which the parameters
hold together with that of the solid's own memory: `settle(what, data, x, out)`.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from gaitwright.compiled import put_inside as inlined
from gaitwright.derive.scratch import scratch
from gaitwright.physics.declare import Force, Point
from gaitwright.system.invoke import invoke
from gaitwright.system.solids.kernels import force_module
from gaitwright.system.solids.loops import Kernels
from gaitwright.system.solids.settling import FORCE, GAP, KEEP, LOSS, STIFFNESS

LANDED = 1e-8
"""Gaps that count as none, in sizes of the solid."""


def variables(d: int, seen: int) -> tuple[Any, ...]:
    """In the order of the kernel: directions of a, r_b - r_a, the axes of the frame; then c and m. seen: directions of a that
    count: the normal of a plane, or all axes."""
    mine = [("direction", 0, tuple(range(d * i, d * i + d)), k) for i in range(seen) for k in range(d)]
    between = [("between", 0, 1, k) for k in range(d)]
    first = d * seen
    axes = [("direction", 1, tuple(range(first + d * j, first + d * j + d)), k) for j in range(d) for k in range(d)]

    def product(i: int, other: int) -> Any:
        return ("quadratic", 0.0, tuple((1.0, d * i + k, other + k) for k in range(d)))

    c = [product(i, first) for i in range(seen)]
    m = [product(i, first + d + d * j) for i in range(seen) for j in range(d)]
    return (*mine, *between, *axes, *c, *m)


@functools.cache
def settled_module(d: int, seen: int = 1) -> ModuleType:
    """par: directions of a in its frame, the axes of the solid in the frame of b, address of `settle`, address of its data.
    With all axes seen, it rubs: it remembers, and loses; sig: how far what it touches
    has moved, in the frame of a."""
    n_x, first, call, rubs = seen * (1 + d), d * seen + d + d * d, d * seen + d * d, seen == d
    n_dof, n_par, n_slot, n_out, n_both = first + n_x, call + 2, n_x**2, 1 + n_x + n_x**2, 2 * n_x
    moves = d if rubs else 0

    @inlined
    def look(dof, sig, q, u, e, x):
        """c and m of an element."""
        for k in range(n_x):
            x[k] = q[dof[n_dof * e + first + k]]
        for k in range(moves):
            x[k] -= u[3 * sig[moves * e + k]]

    @inlined
    def ask(what, par, e, x, out):
        invoke(int(par[n_par * e + call]), (what, int(par[n_par * e + call + 1]), x, out))

    def force(count, dof, par, sig, q, v, u, total):
        x, out = scratch(n_x), scratch(n_out)
        for e in range(count):
            look(dof, sig, q, u, e, x)
            ask(FORCE, par, e, x, out)
            for k in range(n_x):
                total[dof[n_dof * e + first + k]] -= out[1 + k]

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        x, out = scratch(n_x), scratch(n_out)
        for e in range(count):
            look(dof, sig, q, u, e, x)
            ask(STIFFNESS, par, e, x, out)
            for k in range(n_slot):
                kq[slot[n_slot * e + k]] += out[1 + n_x + k]

    def energy(count, dof, par, sig, q, v, u, energy):
        x, out = scratch(n_both), scratch(n_out)
        for e in range(count):
            look(dof, sig, q, u, e, x)
            for k in range(n_x):
                x[n_x + k] = v[dof[n_dof * e + first + k]]
            for k in range(moves):
                x[n_x + k] -= u[3 * sig[moves * e + k] + 1]
            ask(LOSS if rubs else FORCE, par, e, x, out)
            energy[3 * e] = out[0]
            energy[3 * e + 1] = out[1] if rubs else 0.0
            energy[3 * e + 2] = 0.0
            for k in range(moves):  # what a surface that moves does
                energy[3 * e + 2] -= out[2 + k] * u[3 * sig[moves * e + k] + 1]

    def gap(count, dof, par, sig, q, v, u, out):
        x, found = scratch(n_x), scratch(n_out)
        for e in range(count):
            look(dof, sig, q, u, e, x)
            ask(GAP, par, e, x, found)
            rate = 0.0
            for k in range(n_x):
                rate += found[1 + k] * v[dof[n_dof * e + first + k]]
            for k in range(moves):
                rate -= found[1 + k] * u[3 * sig[moves * e + k] + 1]
            out[3 * e] = found[0]
            out[3 * e + 1] = rate
            out[3 * e + 2] = LANDED * found[1 + n_x]

    def keep(count, dof, par, sig, q, v, u, out):
        x, found = scratch(n_x), scratch(n_out)
        for e in range(count):
            look(dof, sig, q, u, e, x)
            ask(KEEP, par, e, x, found)

    # It loses by what it remembers, not by speed: there is no damping, and what is not symmetric is so at rest, too.
    more: dict[str, Any] = {
        "SYMMETRIC_AT_REST": not rubs,
        "DAMPED": False,
        "ACTING": n_dof,
        "VARIABLES": variables(d, seen),
    }
    more |= {"gap": gap} | ({"keep": keep} if rubs else {})
    return force_module(
        f"{'rubbing' if rubs else 'settled'}__{d}d", Kernels(force, tangent, energy), n_dof, n_par, n_sig=moves, first=first,
        symmetric=not rubs, potential=True, dissipates=rubs, loads=rubs, **more,
    )  # fmt: skip


@functools.cache
def settled_force(d: int, seen: int = 1) -> type[Force]:
    """The declaration for a Block."""
    name = "rubbing" if seen == d else "settled"
    members = {
        "name": f"{name}-solid-{d}d", "__doc__": "Force of a solid that rests at every instant.", "dimensions": (d,),
        "attachments": {"a": Point("of the plane"), "b": Point("origin of the solid's frame")}, "implied": True, "fused": False,
        "kernels": settled_module(d, seen), "registries": classmethod(lambda cls: []),
    }  # fmt: skip
    return type("RubbingSolid" if seen == d else "SettledSolid", (Force,), members)
