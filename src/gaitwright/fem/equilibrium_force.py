"""Force of a quasi-static solid (plane_equilibrium.py, frictional_solid.py) on the body that carries it and on that of the
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
from gaitwright.fem.plane_equilibrium import REQUEST_COMMIT, REQUEST_FORCE, REQUEST_GAP, REQUEST_LOSS, REQUEST_STIFFNESS
from gaitwright.jit import force_inline as inlined
from gaitwright.jit.address_calls import call_address
from gaitwright.jit.stack_memory import scratch
from gaitwright.physics.attachments import Point
from gaitwright.physics.declarations import Force

CLOSED_GAP_RTOL = 1e-8
"""Gaps below this count as closed, relative to the size of the solid."""


def list_pose_variables(d: int, direction_count: int) -> tuple[Any, ...]:
    """Return the variables in the order of the kernel: directions of a, r_b - r_a, the axes of the frame; then c and m.
    direction_count: number of directions of a: 1 (the normal of a plane), or d (all axes)."""

    def component(body: int, start: int, k: int) -> Any:
        return ("direction", body, tuple(range(start, start + d)), k)

    offset_start = d * direction_count
    directions_a = [component(0, d * i, k) for i in range(direction_count) for k in range(d)]
    offset = [("between", 0, 1, k) for k in range(d)]
    axes = [component(1, offset_start + d * j, k) for j in range(d) for k in range(d)]

    def product(i: int, second_start: int) -> Any:
        return ("quadratic", 0.0, tuple((1.0, d * i + k, second_start + k) for k in range(d)))

    c = [product(i, offset_start) for i in range(direction_count)]
    m = [product(i, offset_start + d + d * j) for i in range(direction_count) for j in range(d)]
    return (*directions_a, *offset, *axes, *c, *m)


@functools.cache
def equilibrium_module(d: int, direction_count: int = 1) -> ModuleType:
    """Build the kernel module. par: directions of a in its frame, the axes of the solid in the frame of b, address of the
    equilibrium function, address of its data. With all axes of a (direction_count == d) the solid has friction: it has a
    history and dissipates; sig: displacement of the touched surface, in the frame of a."""
    n_x, has_friction = direction_count * (1 + d), direction_count == d
    first_force, address_at = d * direction_count + d + d * d, d * direction_count + d * d
    n_dof, n_par, n_slot, n_out, n_both = first_force + n_x, address_at + 2, n_x**2, 1 + n_x + n_x**2, 2 * n_x
    n_shift = d if has_friction else 0

    @inlined
    def load_pose(dof, sig, q, u, e, x):
        """Write c and m of an element to x."""
        for k in range(n_x):
            x[k] = q[dof[n_dof * e + first_force + k]]
        for k in range(n_shift):
            x[k] -= u[3 * sig[n_shift * e + k]]

    @inlined
    def call_model(request, par, e, x, out):
        """Call the equilibrium function of an element."""
        call_address(int(par[n_par * e + address_at]), (request, int(par[n_par * e + address_at + 1]), x, out))

    def force(count, dof, par, sig, q, v, u, total):
        x, out = scratch(n_x), scratch(n_out)
        for e in range(count):
            load_pose(dof, sig, q, u, e, x)
            call_model(REQUEST_FORCE, par, e, x, out)
            for k in range(n_x):
                total[dof[n_dof * e + first_force + k]] -= out[1 + k]

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        x, out = scratch(n_x), scratch(n_out)
        for e in range(count):
            load_pose(dof, sig, q, u, e, x)
            call_model(REQUEST_STIFFNESS, par, e, x, out)
            for k in range(n_slot):
                kq[slot[n_slot * e + k]] += out[1 + n_x + k]

    def energy(count, dof, par, sig, q, v, u, energy):
        x, out = scratch(n_both), scratch(n_out)
        for e in range(count):
            load_pose(dof, sig, q, u, e, x)
            for k in range(n_x):
                x[n_x + k] = v[dof[n_dof * e + first_force + k]]
            for k in range(n_shift):
                x[n_x + k] -= u[3 * sig[n_shift * e + k] + 1]
            call_model(REQUEST_LOSS if has_friction else REQUEST_FORCE, par, e, x, out)
            energy[3 * e] = out[0]
            energy[3 * e + 1] = out[1] if has_friction else 0.0
            energy[3 * e + 2] = 0.0
            for k in range(n_shift):  # work done by a moving surface
                energy[3 * e + 2] -= out[2 + k] * u[3 * sig[n_shift * e + k] + 1]

    def gap(count, dof, par, sig, q, v, u, out):
        x, answer = scratch(n_x), scratch(n_out)
        for e in range(count):
            load_pose(dof, sig, q, u, e, x)
            call_model(REQUEST_GAP, par, e, x, answer)
            rate = 0.0
            for k in range(n_x):
                rate += answer[1 + k] * v[dof[n_dof * e + first_force + k]]
            for k in range(n_shift):
                rate -= answer[1 + k] * u[3 * sig[n_shift * e + k] + 1]
            out[3 * e] = answer[0]
            out[3 * e + 1] = rate
            out[3 * e + 2] = CLOSED_GAP_RTOL * answer[1 + n_x]

    def keep(count, dof, par, sig, q, v, u, out):
        x, answer = scratch(n_x), scratch(n_out)
        for e in range(count):
            load_pose(dof, sig, q, u, e, x)
            call_model(REQUEST_COMMIT, par, e, x, answer)

    # Dissipation comes from the stored friction state, not from velocity: there is no damping matrix, and the stiffness is
    # unsymmetric even at rest.
    members: dict[str, Any] = {
        "SYMMETRIC_AT_REST": not has_friction,
        "DAMPED": False,
        "ACTING": n_dof,
        "VARIABLES": list_pose_variables(d, direction_count),
    }
    members |= {"gap": gap} | ({"keep": keep} if has_friction else {})
    return force_module(
        f"{'rubbing' if has_friction else 'settled'}__{d}d",
        ForceKernels(force, tangent, energy),
        n_dof,
        n_par,
        n_sig=n_shift,
        first=first_force,
        symmetric=not has_friction,
        potential=True,
        dissipates=has_friction,
        loads=has_friction,
        **members,
    )


@functools.cache
def declare_equilibrium_force(d: int, direction_count: int = 1) -> type[Force]:
    """Return the declaration for an ElementBlock."""
    name = "rubbing" if direction_count == d else "settled"
    members = {
        "name": f"{name}-solid-{d}d", "__doc__": "Force of a solid that rests at every instant.", "dimensions": (d,),
        "attachments": {"a": Point("of the plane"), "b": Point("origin of the solid's frame")}, "implied": True, "fused": False,
        "kernels": equilibrium_module(d, direction_count), "registries": classmethod(lambda cls: []),
    }  # fmt: skip
    return type("RubbingSolid" if direction_count == d else "SettledSolid", (Force,), members)
