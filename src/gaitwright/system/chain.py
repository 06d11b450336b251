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
from gaitwright.system.batch_calls import (
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
    acceleration_of,
    energies_of,
    forces_of,
    hessians_of,
    motion_of,
    position_of,
    tangents_of,
)
from gaitwright.system.evaluate import Work
from gaitwright.system.invoke import invoke, viewer
from gaitwright.system.tables import Chain, System

as_system, as_work = viewer(System.packed_type), viewer(Work.packed_type)


# Arrays are read from their records once, before loops: what is stored in a loop might change a record, for all that the
# compiler knows.


@compiled
def products(c, w):
    """Variables that are made of others."""
    x, of, factor, first, second = w.x, c.term_of, c.term_factor, c.term_first, c.term_second
    for i in range(c.n_linear + c.n_curved, c.count):
        x[i] = c.constant[i]
    for k in range(of.size):
        x[of[k]] += factor[k] * x[first[k]] * x[second[k]]


@compiled
def linear(c, w, q):
    x, constant, start, column, weight = w.x, c.constant, c.start, c.column, c.weight
    for i in range(c.n_linear):
        value = constant[i]
        for k in range(start[i], start[i + 1]):
            value += weight[k] * q[column[k]]
        x[i] = value


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
def zero(values, first, end):
    for k in range(first, end):
        values[k] = 0.0


@compiled
def slopes(s, w, q):
    """x and N."""
    c = s.chain
    linear(c, w, q)
    x, weight, b = w.x, w.weight, c.markers
    zero(weight, c.start[c.n_linear], c.start[c.count])
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(
            e[POSITION],
            (
                e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], b.row[e[ROW] :], b.slot[e[SLOT] :],
                q, w.u, x, weight,
            ),
        )  # fmt: skip
    products(c, w)
    slot, source, by, factor = c.grow_slot, c.grow_source, c.grow_by, c.grow_factor
    for k in range(slot.size):
        weight[slot[k]] += factor[k] * x[by[k]] * weight[source[k]]


@compiled
def rates(c, w, v, out):
    """N v."""
    start, column, weight = c.start, c.column, w.weight
    for i in range(c.count):
        value = 0.0
        for k in range(start[i], start[i + 1]):
            value += weight[k] * v[column[k]]
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
    x, x_v, x_g, b = w.x, w.x_v, w.x_g, c.markers
    zero(x_g, 0, c.count)
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(
            e[MOTION],
            (
                e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], b.row[e[ROW] :], b.slot[e[SLOT] :],
                q, v, w.u, x, w.pull, x_v, x_g, w.unused,
            ),
        )  # fmt: skip
    for i in range(c.n_linear, c.n_linear + c.n_curved):
        x_g[i] = -x_g[i]
    of, factor, first, second = c.term_of, c.term_factor, c.term_first, c.term_second
    for k in range(of.size):
        i, j = first[k], second[k]
        x_g[of[k]] += factor[k] * (x[i] * x_g[j] + 2.0 * x_v[i] * x_v[j] + x_g[i] * x[j])


@compiled
def rows_change(s, w, q, v, a):
    """N' and M."""
    c = s.chain
    x, x_v, x_a, n, n_v, n_a, b = w.x, w.x_v, w.x_a, w.weight, w.weight_v, w.weight_a, c.markers
    bent, made, end = c.start[c.n_linear], c.start[c.n_linear + c.n_curved], c.start[c.count]
    zero(n_v, bent, end)
    zero(n_a, bent, end)
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(
            e[ACCELERATION],
            (
                e[COUNT], b.dof[e[DOF] :], b.par[e[PAR] :], b.sig[e[SIG] :], b.row[e[ROW] :], b.slot[e[SLOT] :],
                q, v, a, w.u, 0.0, 0.0, n_a, n_v,
            ),
        )  # fmt: skip
    for k in range(bent, made):
        n_v[k] *= 0.5  # dx''/dv = 2 N'
    slot, source, by, factor = c.grow_slot, c.grow_source, c.grow_by, c.grow_factor
    for k in range(slot.size):
        to, i, j, f = slot[k], by[k], source[k], factor[k]
        n_v[to] += f * (x_v[i] * n[j] + x[i] * n_v[j])
        n_a[to] += f * (x_a[i] * n[j] + 2.0 * x_v[i] * n_v[j] + x[i] * n_a[j])


@compiled
def spread_jacobian(c, w):
    """Phi_q from Phi_x."""
    jac, weight, own, slot, at, entry = w.jac, w.weight, w.jac_x, c.jac_slot, c.jac_weight, c.jac_entry
    for k in range(slot.size):
        jac[slot[k]] += weight[at[k]] * own[entry[k]]


@compiled
def pull_of(s, w, lam):
    """p of all variables, and what the products of the tangents are multiplied with."""
    c = s.chain
    x, pull, own, k_x, row, variable = w.x, w.pull, w.jac_x, w.k_x, c.own_row, c.own_variable
    zero(pull, 0, pull.size)
    forces_of(c.forces, x, w.x_v, w.u, pull)
    for i in range(c.count):
        pull[i] = -pull[i]
    zero(own, 0, own.size)
    position_of(c.constraints, x, w.u, w.unused, own)
    for k in range(row.size):
        pull[variable[k]] += own[k] * lam[row[k]]
    of, factor, first, second = c.term_of, c.term_factor, c.term_first, c.term_second
    for k in range(of.size - 1, -1, -1):
        i, j, p = first[k], second[k], factor[k] * pull[of[k]]
        pull[i] += p * x[j]
        pull[j] += p * x[i]
        k_x[c.n_tangent + k] = p


# What evaluate.py calls ---------------------------------------------------------------------------------------------


def chain_residual(system, work, q):
    s, w = as_system(system), as_work(work)
    variables(s, w, q)
    position_of(s.chain.constraints, w.x, w.u, w.phi, w.jac_x)  # nobody reads the second


def chain_position(system, work, q):
    s, w = as_system(system), as_work(work)
    slopes(s, w, q)
    zero(w.jac_x, 0, w.jac_x.size)
    position_of(s.chain.constraints, w.x, w.u, w.phi, w.jac_x)
    spread_jacobian(s.chain, w)


def chain_motion(system, work, q, v):
    s, w = as_system(system), as_work(work)
    c = s.chain
    moving(s, w, q, v)
    zero(w.jac_x, 0, w.jac_x.size)
    motion_of(c.constraints, w.x, w.x_v, w.u, w.phi, w.phi_t, w.phi_dot, w.gamma, w.jac_x)
    spread_jacobian(c, w)
    if c.bent:
        bend(s, w, q, v)
        gamma, own, x_g, row, variable = w.gamma, w.jac_x, w.x_g, c.own_row, c.own_variable
        for k in range(row.size):
            gamma[row[k]] -= own[k] * x_g[variable[k]]


def chain_forces(system, work, q, v):
    s, w = as_system(system), as_work(work)
    c = s.chain
    moving(s, w, q, v)
    zero(w.pull, 0, w.pull.size)
    forces_of(c.forces, w.x, w.x_v, w.u, w.pull)
    force, pull, weight, start, column = w.force, w.pull, w.weight, c.start, c.column
    for i in range(c.count):
        f = pull[i]
        if f != 0.0:
            for k in range(start[i], start[i + 1]):
                force[column[k]] += weight[k] * f


def chain_energies(system, work, q, v):
    s, w = as_system(system), as_work(work)
    c = s.chain
    moving(s, w, q, v)
    energies_of(c.forces, w.x, w.x_v, w.u, w.energy[3 * c.first_energy :])


def chain_tangents(system, work, q, v, lam):
    s, w = as_system(system), as_work(work)
    c = s.chain
    if c.k_slot.size == 0 and c.n_curved == 0:
        return
    moving(s, w, q, v)
    zero(w.k_x, 0, w.k_x.size)
    zero(w.kv_x, 0, w.kv_x.size)
    hessians_of(c.constraints, w.x, w.u, lam, w.k_x)
    tangents_of(c.forces, w.x, w.x_v, w.u, w.k_x, w.kv_x)
    kq, n, k_x, kv_x, slot, first, second, entry = (
        w.kq,
        w.weight,
        w.k_x,
        w.kv_x,
        c.k_slot,
        c.k_first,
        c.k_second,
        c.k_entry,
    )
    if c.bent:
        pull_of(s, w, lam)
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
            n_v = w.weight_v
            for k in range(slot.size):
                kq[slot[k]] += n[first[k]] * n_v[second[k]] * kv_x[entry[k]]
    for k in range(slot.size):
        kq[slot[k]] += n[first[k]] * n[second[k]] * k_x[entry[k]]
    if c.damped:
        kv = w.kv
        for k in range(slot.size):
            kv[slot[k]] += n[first[k]] * n[second[k]] * kv_x[entry[k]]


def chain_acceleration(system, work, q, v, a, damp, stiff):
    s, w = as_system(system), as_work(work)
    c = s.chain
    moving(s, w, q, v)
    bend(s, w, q, v)
    rates(c, w, a, w.x_a)
    for i in range(c.count):
        w.x_a[i] += w.x_g[i]
    rows_change(s, w, q, v, a)
    zero(w.jac_x, 0, w.jac_x.size)
    zero(w.gq_x, 0, w.gq_x.size)
    zero(w.gv_x, 0, w.gv_x.size)
    position_of(c.constraints, w.x, w.u, w.unused, w.jac_x)
    acceleration_of(c.constraints, w.x, w.x_v, w.x_a, w.u, damp, stiff, w.gq_x, w.gv_x)
    gq, gv, gq_x, gv_x, own, n, n_v, n_a = w.gq, w.gv, w.gq_x, w.gv_x, w.jac_x, w.weight, w.weight_v, w.weight_a
    slot, at, entry = c.jac_slot, c.jac_weight, c.jac_entry
    for k in range(slot.size):
        to, i, e = slot[k], at[k], entry[k]
        gq[to] += n[i] * gq_x[e] + n_v[i] * gv_x[e] + n_a[i] * own[e]
        gv[to] += n[i] * gv_x[e] + 2.0 * n_v[i] * own[e]


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
"""In the order of evaluate.CHAIN_RESIDUAL and so on, with their signatures."""
OF_FORCES = (chain_forces, chain_energies)
ON_DEMAND = (chain_tangents, chain_acceleration)
_kept: dict[Any, Any] = {}


def _address(function: Any, signature: Any) -> int:
    if function not in _kept:  # in memory as long as its address may be in use
        _kept[function] = compiled_pointer(function, signature)
    return _kept[function].address


def addresses(forces: bool) -> list[int]:
    """forces: whether there are any on markers."""
    unneeded = ON_DEMAND if forces else (*OF_FORCES, *ON_DEMAND)
    return [0 if function in unneeded else _address(function, signature) for function, signature in CALLS]


def compile_chain_tangents(chain: Chain, stages: bool) -> None:
    for k, (function, signature) in enumerate(CALLS):
        if function is chain_tangents or (stages and function is chain_acceleration):
            chain.calls[k] = _address(function, signature)
