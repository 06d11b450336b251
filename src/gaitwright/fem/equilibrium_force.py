"""Force of a quasi-static solid (plane_equilibrium.py, friction_solid.py) on the body that carries it and on that of the
plane.

The plane belongs to body a, with the normal n in its frame; the solid is in a frame carried by b. The solid depends on both
through a few products of marker variables, and the force acts on these alone:

    c = n . (r_b - r_a)        m_k = n . e_k        e_k: axes of the frame

    Q = -V_x x_q               -Q_q = x_q^T V_xx x_q + V_x x_qq

(for a solid with friction, c and m with all axes of a: the pose of b relative to a). So the element works for any bodies with
axes, planar and spatial. V and its derivatives are computed by a function called through an address, which is stored in the
parameters together with the address of the solid's data: `evaluate_equilibrium(what, data, x, out)`.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from gaitwright.fem.element_loops import ForceKernels
from gaitwright.fem.kernel_modules import force_module
from gaitwright.fem.plane_equilibrium import (
    REQUEST_COMMIT,
    REQUEST_FORCE,
    REQUEST_GAP,
    REQUEST_LOSS,
    REQUEST_STIFFNESS,
)
from gaitwright.jit import force_inline as inlined
from gaitwright.jit.address_calls import call_address
from gaitwright.jit.stack_memory import scratch
from gaitwright.physics.attachments import Point
from gaitwright.physics.declarations import Force

CLOSED_GAP_RTOL = 1e-8
"""Gaps below this count as closed, relative to the size of the solid."""


def list_pose_variables(d: int, seen: int) -> tuple[Any, ...]:
    """Variables in the order of the kernel: directions of a, r_b - r_a, the axes of the frame; then c and m. seen: number of
    directions of a that are used: 1 (the normal of a plane), or all axes."""
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
def equilibrium_module(d: int, seen: int = 1) -> ModuleType:
    """Build the kernel module. par: directions of a in its frame, the axes of the solid in the frame of b, address of the
    equilibrium function, address of its data. With all axes (seen == d) the solid has friction: it has a history and
    dissipates; sig: displacement of the touched surface, in the frame of a."""
    n_x, first, call, rubs = seen * (1 + d), d * seen + d + d * d, d * seen + d * d, seen == d
    n_dof, n_par, n_slot, n_out, n_both = first + n_x, call + 2, n_x**2, 1 + n_x + n_x**2, 2 * n_x
    moves = d if rubs else 0

    @inlined
    def look(dof, sig, q, u, e, x):
        """Write c and m of an element to x."""
        for k in range(n_x):
            x[k] = q[dof[n_dof * e + first + k]]
        for k in range(moves):
            x[k] -= u[3 * sig[moves * e + k]]

    @inlined
    def ask(what, par, e, x, out):
        call_address(int(par[n_par * e + call]), (what, int(par[n_par * e + call + 1]), x, out))

    def force(count, dof, par, sig, q, v, u, total):
        x, out = scratch(n_x), scratch(n_out)
        for e in range(count):
            look(dof, sig, q, u, e, x)
            ask(REQUEST_FORCE, par, e, x, out)
            for k in range(n_x):
                total[dof[n_dof * e + first + k]] -= out[1 + k]

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        x, out = scratch(n_x), scratch(n_out)
        for e in range(count):
            look(dof, sig, q, u, e, x)
            ask(REQUEST_STIFFNESS, par, e, x, out)
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
            ask(REQUEST_LOSS if rubs else REQUEST_FORCE, par, e, x, out)
            energy[3 * e] = out[0]
            energy[3 * e + 1] = out[1] if rubs else 0.0
            energy[3 * e + 2] = 0.0
            for k in range(moves):  # work done by a moving surface
                energy[3 * e + 2] -= out[2 + k] * u[3 * sig[moves * e + k] + 1]

    def gap(count, dof, par, sig, q, v, u, out):
        x, answer = scratch(n_x), scratch(n_out)
        for e in range(count):
            look(dof, sig, q, u, e, x)
            ask(REQUEST_GAP, par, e, x, answer)
            rate = 0.0
            for k in range(n_x):
                rate += answer[1 + k] * v[dof[n_dof * e + first + k]]
            for k in range(moves):
                rate -= answer[1 + k] * u[3 * sig[moves * e + k] + 1]
            out[3 * e] = answer[0]
            out[3 * e + 1] = rate
            out[3 * e + 2] = CLOSED_GAP_RTOL * answer[1 + n_x]

    def keep(count, dof, par, sig, q, v, u, out):
        x, answer = scratch(n_x), scratch(n_out)
        for e in range(count):
            look(dof, sig, q, u, e, x)
            ask(REQUEST_COMMIT, par, e, x, answer)

    # Dissipation comes from the stored friction state, not from velocity: there is no damping matrix, and the stiffness is
    # unsymmetric even at rest.
    more: dict[str, Any] = {
        "SYMMETRIC_AT_REST": not rubs,
        "DAMPED": False,
        "ACTING": n_dof,
        "VARIABLES": list_pose_variables(d, seen),
    }
    more |= {"gap": gap} | ({"keep": keep} if rubs else {})
    return force_module(
        f"{'rubbing' if rubs else 'settled'}__{d}d",
        ForceKernels(force, tangent, energy),
        n_dof,
        n_par,
        n_sig=moves,
        first=first,
        symmetric=not rubs,
        potential=True,
        dissipates=rubs,
        loads=rubs,
        **more,
    )


@functools.cache
def declare_equilibrium_force(d: int, seen: int = 1) -> type[Force]:
    """Return the declaration for an ElementBlock."""
    name = "rubbing" if seen == d else "settled"
    members = {
        "name": f"{name}-solid-{d}d", "__doc__": "Force of a solid that rests at every instant.", "dimensions": (d,),
        "attachments": {"a": Point("of the plane"), "b": Point("origin of the solid's frame")}, "implied": True, "fused": False,
        "kernels": equilibrium_module(d, seen), "registries": classmethod(lambda cls: []),
    }  # fmt: skip
    return type("RubbingSolid" if seen == d else "SettledSolid", (Force,), members)
