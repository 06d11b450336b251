"""Elements on markers, from coordinates to matrices and back: y(q), element(y), and the chain rule.

    x' = N v        x'' = N a + g                      of the variables x, see chain_tables.py
    Phi_q = Phi_x N        gamma = gamma_x - Phi_x g
    Q = N^T F              K = N^T K_x N + sum of p x_qq        p = Phi_x^T lambda - F

N, its rate N' = dx'/dq and M = dx''/dq grow along products z = f x_i x_j:

    N_z = f (x_i N_j + x_j N_i)       N'_z, M_z likewise        z_qq = f (N_i^T N_j + N_j^T N_i) + ...

What is called here through addresses costs a model without such elements nothing, not even to compile.
"""

from __future__ import annotations

from typing import Any

from numba import types

from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.system.evaluate import (
    ACCELERATION,
    COUNT,
    DOF,
    HESSIAN,
    MOTION,
    PAR,
    POSITION,
    RESIDUAL,
    ROW,
    SIG,
    SLOT,
    SLOT2,
    Work,
    acceleration_of,
    energies_of,
    forces_of,
    hessians_of,
    motion_of,
    position_of,
    residual_of,
    tangents_of,
)
from gaitwright.system.invoke import invoke, viewer
from gaitwright.system.tables import Chain, System

as_system, as_work = viewer(System), viewer(Work)


@compiled
def products(c, w):
    """Variables that are made of others."""
    for i in range(c.n_linear + c.n_curved, c.count):
        w.x[i] = c.constant[i]
    for k in range(c.term_of.size):
        w.x[c.term_of[k]] += c.term_factor[k] * w.x[c.term_first[k]] * w.x[c.term_second[k]]


@compiled
def linear(c, w, q):
    for i in range(c.n_linear):
        value = c.constant[i]
        for k in range(c.start[i], c.start[i + 1]):
            value += c.weight[k] * q[c.column[k]]
        w.x[i] = value


@compiled
def variables(s, w, q):
    """x."""
    c = s.chain
    linear(c, w, q)
    b = c.markers
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(e[RESIDUAL], (e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], b.row[e[ROW] :], q, w.u, w.x))
    products(c, w)


@compiled
def grow(c, w):
    """Rows of N of the products."""
    for k in range(c.start[c.n_linear + c.n_curved], c.start[c.count]):
        w.weight[k] = 0.0
    for k in range(c.grow_slot.size):
        w.weight[c.grow_slot[k]] += c.grow_factor[k] * w.x[c.grow_by[k]] * w.weight[c.grow_source[k]]


@compiled
def slopes(s, w, q):
    """x and N."""
    c = s.chain
    linear(c, w, q)
    b = c.markers
    for k in range(c.start[c.n_linear], c.start[c.n_linear + c.n_curved]):
        w.weight[k] = 0.0
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(
            e[POSITION],
            (
                e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], b.row[e[ROW] :], b.slot[e[SLOT] :],
                q, w.u, w.x, w.weight,
            ),
        )  # fmt: skip
    products(c, w)
    grow(c, w)


@compiled
def rates(c, w, v, out):
    """N v."""
    for i in range(c.count):
        value = 0.0
        for k in range(c.start[i], c.start[i + 1]):
            value += w.weight[k] * v[c.column[k]]
        out[i] = value


@compiled
def moving(s, w, q, v):
    """x, N and x'."""
    slopes(s, w, q)
    rates(s.chain, w, v, w.x_v)


@compiled
def bend(s, w, q, v):
    """g: what velocities alone do to x''."""
    c = s.chain
    for i in range(c.count):
        w.x_g[i] = 0.0
    b = c.markers
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(
            e[MOTION],
            (
                e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], b.row[e[ROW] :], b.slot[e[SLOT] :],
                q, v, w.u, w.x, w.pull, w.x_v, w.x_g, w.unused,
            ),
        )  # fmt: skip
    for i in range(c.n_linear, c.n_linear + c.n_curved):
        w.x_g[i] = -w.x_g[i]
    for k in range(c.term_of.size):
        i, j = c.term_first[k], c.term_second[k]
        w.x_g[c.term_of[k]] += c.term_factor[k] * (w.x[i] * w.x_g[j] + 2.0 * w.x_v[i] * w.x_v[j] + w.x_g[i] * w.x[j])


@compiled
def rows_change(s, w, q, v, a):
    """N' and M."""
    c = s.chain
    for k in range(c.start[c.n_linear], c.start[c.count]):
        w.weight_v[k] = w.weight_a[k] = 0.0
    b = c.markers
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(
            e[ACCELERATION],
            (
                e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], b.row[e[ROW] :], b.slot[e[SLOT] :],
                q, v, a, w.u, 0.0, 0.0, w.weight_a, w.weight_v,
            ),
        )  # fmt: skip
    for k in range(c.start[c.n_linear], c.start[c.n_linear + c.n_curved]):
        w.weight_v[k] *= 0.5  # dx''/dv = 2 N'
    for k in range(c.grow_slot.size):
        to, by, source, f = c.grow_slot[k], c.grow_by[k], c.grow_source[k], c.grow_factor[k]
        w.weight_v[to] += f * (w.x_v[by] * w.weight[source] + w.x[by] * w.weight_v[source])
        w.weight_a[to] += f * (
            w.x_a[by] * w.weight[source] + 2.0 * w.x_v[by] * w.weight_v[source] + w.x[by] * w.weight_a[source]
        )


@compiled
def clear(values):
    for k in range(values.size):
        values[k] = 0.0


@compiled
def spread_jacobian(c, w):
    """Phi_q from Phi_x."""
    for k in range(c.jac_slot.size):
        w.jac[c.jac_slot[k]] += w.weight[c.jac_weight[k]] * w.jac_x[c.jac_entry[k]]


# What evaluate.py calls ---------------------------------------------------------------------------------------------


def chain_residual(system, work, q):
    s, w = as_system(system), as_work(work)
    variables(s, w, q)
    residual_of(s.chain.constraints, w.x, w.u, w.phi)


def chain_position(system, work, q):
    s, w = as_system(system), as_work(work)
    slopes(s, w, q)
    clear(w.jac_x)
    position_of(s.chain.constraints, w.x, w.u, w.phi, w.jac_x)
    spread_jacobian(s.chain, w)


def chain_motion(system, work, q, v):
    s, w = as_system(system), as_work(work)
    c = s.chain
    moving(s, w, q, v)
    clear(w.jac_x)
    motion_of(c.constraints, w.x, w.x_v, w.u, w.phi, w.phi_t, w.phi_dot, w.gamma, w.jac_x)
    spread_jacobian(c, w)
    if c.bent:
        bend(s, w, q, v)
        for k in range(c.own_row.size):
            w.gamma[c.own_row[k]] -= w.jac_x[k] * w.x_g[c.own_variable[k]]


def chain_forces(system, work, q, v):
    s, w = as_system(system), as_work(work)
    c = s.chain
    if c.forces.table.shape[0] == 0:
        return
    moving(s, w, q, v)
    clear(w.pull)
    forces_of(c.forces, w.x, w.x_v, w.u, w.pull)
    for i in range(c.count):
        f = w.pull[i]
        if f != 0.0:
            for k in range(c.start[i], c.start[i + 1]):
                w.force[c.column[k]] += w.weight[k] * f


def chain_energies(system, work, q, v):
    s, w = as_system(system), as_work(work)
    c = s.chain
    if c.forces.table.shape[0] > 0:
        moving(s, w, q, v)
        energies_of(c.forces, w.x, w.x_v, w.u, w.energy[3 * c.first_energy :])


def chain_tangents(system, work, q, v, lam):
    s, w = as_system(system), as_work(work)
    c = s.chain
    moving(s, w, q, v)
    clear(w.k_x)
    clear(w.kv_x)
    hessians_of(c.constraints, w.x, w.u, lam, w.k_x)
    tangents_of(c.forces, w.x, w.x_v, w.u, w.k_x, w.kv_x)
    if c.bent:
        clear(w.pull)
        forces_of(c.forces, w.x, w.x_v, w.u, w.pull)
        for i in range(c.count):
            w.pull[i] = -w.pull[i]
        clear(w.jac_x)
        position_of(c.constraints, w.x, w.u, w.unused, w.jac_x)
        for k in range(c.own_row.size):
            w.pull[c.own_variable[k]] += w.jac_x[k] * lam[c.own_row[k]]
        for k in range(c.term_of.size - 1, -1, -1):
            i, j, p = c.term_first[k], c.term_second[k], c.term_factor[k] * w.pull[c.term_of[k]]
            w.pull[i] += p * w.x[j]
            w.pull[j] += p * w.x[i]
            w.k_x[c.n_tangent + k] = p
        b = c.markers
        for k in range(b.table.shape[0]):
            e = b.table[k]
            invoke(
                e[HESSIAN],
                (
                    e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], b.row[e[ROW] :], b.slot2[e[SLOT2] :],
                    q, w.u, w.pull, w.kq,
                ),
            )  # fmt: skip
        if c.damped:
            rows_change(s, w, q, v, v)
            for k in range(c.k_slot.size):
                w.kq[c.k_slot[k]] += w.weight[c.k_first[k]] * w.weight_v[c.k_second[k]] * w.kv_x[c.k_entry[k]]
    for k in range(c.k_slot.size):
        w.kq[c.k_slot[k]] += w.weight[c.k_first[k]] * w.weight[c.k_second[k]] * w.k_x[c.k_entry[k]]
    if c.damped:
        for k in range(c.k_slot.size):
            w.kv[c.k_slot[k]] += w.weight[c.k_first[k]] * w.weight[c.k_second[k]] * w.kv_x[c.k_entry[k]]


def chain_acceleration(system, work, q, v, a, damp, stiff):
    s, w = as_system(system), as_work(work)
    c = s.chain
    moving(s, w, q, v)
    bend(s, w, q, v)
    rates(c, w, a, w.x_a)
    for i in range(c.count):
        w.x_a[i] += w.x_g[i]
    rows_change(s, w, q, v, a)
    clear(w.jac_x)
    clear(w.gq_x)
    clear(w.gv_x)
    position_of(c.constraints, w.x, w.u, w.unused, w.jac_x)
    acceleration_of(c.constraints, w.x, w.x_v, w.x_a, w.u, damp, stiff, w.gq_x, w.gv_x)
    for k in range(c.jac_slot.size):
        slot, n, e = c.jac_slot[k], c.jac_weight[k], c.jac_entry[k]
        w.gq[slot] += w.weight[n] * w.gq_x[e] + w.weight_v[n] * w.gv_x[e] + w.weight_a[n] * w.jac_x[e]
        w.gv[slot] += w.weight[n] * w.gv_x[e] + 2.0 * w.weight_v[n] * w.jac_x[e]


_REALS = types.CPointer(types.float64)
_RECORDS = (types.int64, types.int64)
CALLS: tuple[tuple[Any, Any], ...] = (
    (chain_residual, types.void(*_RECORDS, _REALS)),
    (chain_position, types.void(*_RECORDS, _REALS)),
    (chain_motion, types.void(*_RECORDS, _REALS, _REALS)),
    (chain_forces, types.void(*_RECORDS, _REALS, _REALS)),
    (chain_energies, types.void(*_RECORDS, _REALS, _REALS)),
    (chain_tangents, types.void(*_RECORDS, _REALS, _REALS, _REALS)),
    (chain_acceleration, types.void(*_RECORDS, *[_REALS] * 3, types.float64, types.float64)),
)
"""In the order of evaluate.CHAIN_RESIDUAL and so on, with their signatures; the last two are made on demand."""
ON_DEMAND = (chain_tangents, chain_acceleration)
_kept: dict[Any, Any] = {}


def _address(function: Any, signature: Any) -> int:
    if function not in _kept:  # in memory as long as its address may be in use
        _kept[function] = compiled_pointer(function, signature)
    return _kept[function].address


def addresses() -> list[int]:
    return [0 if function in ON_DEMAND else _address(function, signature) for function, signature in CALLS]


def compile_chain_tangents(chain: Chain, stages: bool) -> None:
    for k, (function, signature) in enumerate(CALLS):
        if function is chain_tangents or (stages and function is chain_acceleration):
            chain.calls[k] = _address(function, signature)
