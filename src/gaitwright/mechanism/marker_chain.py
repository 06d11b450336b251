"""Elements on markers, from coordinates to matrices and back: x(q), element(x), and the chain rule.

    x' = N v        x'' = N a + g                      of the variables x, see marker_chain_tables.py
    Phi_q = Phi_x N        gamma = gamma_x - Phi_x g
    Q = N^T F              K = N^T K_x N + sum of p x_qq        p = Phi_x^T lambda - F

N, its rate N' = dx'/dq and M = dx''/dq of products z = f x_i x_j follow from those of their factors:

    N_z = f (x_i N_j + x_j N_i)       N'_z, M_z likewise        z_qq = f (N_i^T N_j + N_j^T N_i) + ...

These functions are called through addresses, so that models without such elements need not compile them.
"""

from __future__ import annotations

from typing import Any

from gaitwright.jit import compile_cfunc, jit_compile
from gaitwright.jit.address_calls import call_address, record_from_address
from gaitwright.jit.numba_names import types
from gaitwright.mechanism.batch_kernels import (
    ACCELERATION_KERNEL,
    COUNT_COLUMN,
    DOF_COLUMN,
    HESSIAN_KERNEL,
    MOTION_KERNEL,
    PAR_COLUMN,
    POSITION_KERNEL,
    RESIDUAL_KERNEL,
    ROW_COLUMN,
    SIG_COLUMN,
    SLOT2_COLUMN,
    SLOT_COLUMN,
    evaluate_batch_accelerations,
    evaluate_batch_energies,
    evaluate_batch_forces,
    evaluate_batch_hessians,
    evaluate_batch_motions,
    evaluate_batch_positions,
    evaluate_batch_tangents,
)
from gaitwright.mechanism.evaluation import EvaluationWorkspace
from gaitwright.mechanism.tables import MarkerChainTables, MechanismTables

tables_from_address = record_from_address(MechanismTables.packed_type)
workspace_from_address = record_from_address(EvaluationWorkspace.packed_type)


# Arrays are read from their records once, before loops: stores in a loop might alias a record, so the compiler would reload
# them.


@jit_compile
def compute_product_variables(c, w):
    """Compute the variables that are products of others."""
    x, product, factor, first, second = w.x, c.term_of, c.term_factor, c.term_first, c.term_second
    for i in range(c.n_linear + c.n_curved, c.count):
        x[i] = c.constant[i]
    for k in range(product.size):
        x[product[k]] += factor[k] * x[first[k]] * x[second[k]]


@jit_compile
def compute_linear_variables(c, w, q):
    x, constant, start, column, weight = w.x, c.constant, c.start, c.column, c.weight
    for i in range(c.n_linear):
        value = constant[i]
        for k in range(start[i], start[i + 1]):
            value += weight[k] * q[column[k]]
        x[i] = value


@jit_compile
def compute_variables(s, w, q):
    """Compute x."""
    c = s.chain
    compute_linear_variables(c, w, q)
    b = c.markers
    for k in range(b.table.shape[0]):
        e = b.table[k]
        dof, par = b.dof[e[DOF_COLUMN] :], b.par[e[PAR_COLUMN] :]
        sig, row = b.sig[e[SIG_COLUMN] :], b.row[e[ROW_COLUMN] :]
        call_address(e[RESIDUAL_KERNEL], (e[COUNT_COLUMN], dof, par, sig, row, q, w.u, w.x))
    compute_product_variables(c, w)


@jit_compile
def zero_range(values, first, end):
    for k in range(first, end):
        values[k] = 0.0


@jit_compile
def compute_variable_jacobian(s, w, q):
    """Compute x and N."""
    c = s.chain
    compute_linear_variables(c, w, q)
    x, weight, b = w.x, w.weight, c.markers
    zero_range(weight, c.start[c.n_linear], c.start[c.count])
    for k in range(b.table.shape[0]):
        e = b.table[k]
        dof, par = b.dof[e[DOF_COLUMN] :], b.par[e[PAR_COLUMN] :]
        sig, row = b.sig[e[SIG_COLUMN] :], b.row[e[ROW_COLUMN] :]
        slot_at = b.slot[e[SLOT_COLUMN] :]
        call_address(e[POSITION_KERNEL], (e[COUNT_COLUMN], dof, par, sig, row, slot_at, q, w.u, x, weight))
    compute_product_variables(c, w)
    slot, source, by, factor = c.grow_slot, c.grow_source, c.grow_by, c.grow_factor
    for k in range(slot.size):
        weight[slot[k]] += factor[k] * x[by[k]] * weight[source[k]]


@jit_compile
def compute_variable_rates(c, w, v, out):
    """Compute N v."""
    start, column, weight = c.start, c.column, w.weight
    for i in range(c.count):
        value = 0.0
        for k in range(start[i], start[i + 1]):
            value += weight[k] * v[column[k]]
        out[i] = value


@jit_compile
def compute_variable_motion(s, w, q, v):
    """Compute x, N and x'."""
    compute_variable_jacobian(s, w, q)
    compute_variable_rates(s.chain, w, v, w.x_v)


@jit_compile
def compute_variable_bias(s, w, q, v):
    """Compute g: the part of x'' due to velocities alone."""
    c = s.chain
    x, x_v, x_g, b = w.x, w.x_v, w.x_g, c.markers
    zero_range(x_g, 0, c.count)
    for k in range(b.table.shape[0]):
        e = b.table[k]
        dof, par = b.dof[e[DOF_COLUMN] :], b.par[e[PAR_COLUMN] :]
        sig, row = b.sig[e[SIG_COLUMN] :], b.row[e[ROW_COLUMN] :]
        slot = b.slot[e[SLOT_COLUMN] :]
        call_address(
            e[MOTION_KERNEL], (e[COUNT_COLUMN], dof, par, sig, row, slot, q, v, w.u, x, w.pull, x_v, x_g, w.unused)
        )
    for i in range(c.n_linear, c.n_linear + c.n_curved):
        x_g[i] = -x_g[i]
    product, factor, first, second = c.term_of, c.term_factor, c.term_first, c.term_second
    for k in range(product.size):
        i, j = first[k], second[k]
        x_g[product[k]] += factor[k] * (x[i] * x_g[j] + 2.0 * x_v[i] * x_v[j] + x_g[i] * x[j])


@jit_compile
def compute_jacobian_rates(s, w, q, v, a):
    """Compute N' and M."""
    c = s.chain
    x, x_v, x_a, n, n_v, n_a, b = w.x, w.x_v, w.x_a, w.weight, w.weight_v, w.weight_a, c.markers
    curved_start, product_start, end = c.start[c.n_linear], c.start[c.n_linear + c.n_curved], c.start[c.count]
    zero_range(n_v, curved_start, end)
    zero_range(n_a, curved_start, end)
    for k in range(b.table.shape[0]):
        e = b.table[k]
        dof, par = b.dof[e[DOF_COLUMN] :], b.par[e[PAR_COLUMN] :]
        sig, row = b.sig[e[SIG_COLUMN] :], b.row[e[ROW_COLUMN] :]
        slot_at = b.slot[e[SLOT_COLUMN] :]
        call_address(
            e[ACCELERATION_KERNEL], (e[COUNT_COLUMN], dof, par, sig, row, slot_at, q, v, a, w.u, 0.0, 0.0, n_a, n_v)
        )
    for k in range(curved_start, product_start):
        n_v[k] *= 0.5  # dx''/dv = 2 N'
    slot, source, by, factor = c.grow_slot, c.grow_source, c.grow_by, c.grow_factor
    for k in range(slot.size):
        to, i, j, f = slot[k], by[k], source[k], factor[k]
        n_v[to] += f * (x_v[i] * n[j] + x[i] * n_v[j])
        n_a[to] += f * (x_a[i] * n[j] + 2.0 * x_v[i] * n_v[j] + x[i] * n_a[j])


@jit_compile
def spread_jacobian(c, w):
    """Add Phi_x N to Phi_q."""
    jac, weight, own, slot, at, entry = w.jac, w.weight, w.jac_x, c.jac_slot, c.jac_weight, c.jac_entry
    for k in range(slot.size):
        jac[slot[k]] += weight[at[k]] * own[entry[k]]


@jit_compile
def compute_variable_forces(s, w, lam):
    """Compute p of all variables, and the factors of the second derivatives of products in the tangents."""
    c = s.chain
    x, pull, own, k_x, row, variable = w.x, w.pull, w.jac_x, w.k_x, c.own_row, c.own_variable
    zero_range(pull, 0, pull.size)
    evaluate_batch_forces(c.forces, x, w.x_v, w.u, pull)
    for i in range(c.count):
        pull[i] = -pull[i]
    zero_range(own, 0, own.size)
    evaluate_batch_positions(c.constraints, x, w.u, w.unused, own)
    for k in range(row.size):
        pull[variable[k]] += own[k] * lam[row[k]]
    product, factor, first, second = c.term_of, c.term_factor, c.term_first, c.term_second
    for k in range(product.size - 1, -1, -1):
        i, j, p = first[k], second[k], factor[k] * pull[product[k]]
        pull[i] += p * x[j]
        pull[j] += p * x[i]
        k_x[c.n_tangent + k] = p


# Functions called by evaluation.py ----------------------------------------------------------------------------------


def chain_residual(system, work, q):
    s, w = tables_from_address(system), workspace_from_address(work)
    compute_variables(s, w, q)
    evaluate_batch_positions(s.chain.constraints, w.x, w.u, w.phi, w.jac_x)  # w.jac_x is not used


def chain_position(system, work, q):
    s, w = tables_from_address(system), workspace_from_address(work)
    compute_variable_jacobian(s, w, q)
    zero_range(w.jac_x, 0, w.jac_x.size)
    evaluate_batch_positions(s.chain.constraints, w.x, w.u, w.phi, w.jac_x)
    spread_jacobian(s.chain, w)


def chain_motion(system, work, q, v):
    s, w = tables_from_address(system), workspace_from_address(work)
    c = s.chain
    compute_variable_motion(s, w, q, v)
    zero_range(w.jac_x, 0, w.jac_x.size)
    evaluate_batch_motions(c.constraints, w.x, w.x_v, w.u, w.phi, w.phi_t, w.phi_dot, w.gamma, w.jac_x)
    spread_jacobian(c, w)
    if c.bent:
        compute_variable_bias(s, w, q, v)
        gamma, own, x_g, row, variable = w.gamma, w.jac_x, w.x_g, c.own_row, c.own_variable
        for k in range(row.size):
            gamma[row[k]] -= own[k] * x_g[variable[k]]


def chain_forces(system, work, q, v):
    s, w = tables_from_address(system), workspace_from_address(work)
    c = s.chain
    compute_variable_motion(s, w, q, v)
    zero_range(w.pull, 0, w.pull.size)
    evaluate_batch_forces(c.forces, w.x, w.x_v, w.u, w.pull)
    force, pull, weight, start, column = w.force, w.pull, w.weight, c.start, c.column
    for i in range(c.count):
        f = pull[i]
        if f != 0.0:
            for k in range(start[i], start[i + 1]):
                force[column[k]] += weight[k] * f


def chain_energies(system, work, q, v):
    s, w = tables_from_address(system), workspace_from_address(work)
    c = s.chain
    compute_variable_motion(s, w, q, v)
    evaluate_batch_energies(c.forces, w.x, w.x_v, w.u, w.energy[3 * c.first_energy :])


def chain_tangents(system, work, q, v, lam):
    s, w = tables_from_address(system), workspace_from_address(work)
    c = s.chain
    if c.k_slot.size == 0 and c.n_curved == 0:
        return
    compute_variable_motion(s, w, q, v)
    zero_range(w.k_x, 0, w.k_x.size)
    zero_range(w.kv_x, 0, w.kv_x.size)
    evaluate_batch_hessians(c.constraints, w.x, w.u, lam, w.k_x)
    evaluate_batch_tangents(c.forces, w.x, w.x_v, w.u, w.k_x, w.kv_x)
    kq = w.kq
    n = w.weight
    k_x = w.k_x
    kv_x = w.kv_x
    slot = c.k_slot
    first = c.k_first
    second = c.k_second
    entry = c.k_entry
    if c.bent:
        compute_variable_forces(s, w, lam)
        b = c.markers
        for k in range(b.table.shape[0]):
            e = b.table[k]
            dof, par = b.dof[e[DOF_COLUMN] :], b.par[e[PAR_COLUMN] :]
            sig, row = b.sig[e[SIG_COLUMN] :], b.row[e[ROW_COLUMN] :]
            slot2 = b.slot2[e[SLOT2_COLUMN] :]
            call_address(e[HESSIAN_KERNEL], (e[COUNT_COLUMN], dof, par, sig, row, slot2, q, w.u, w.pull, w.kq))
        if c.damped:
            compute_jacobian_rates(s, w, q, v, v)
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
    s, w = tables_from_address(system), workspace_from_address(work)
    c = s.chain
    compute_variable_motion(s, w, q, v)
    compute_variable_bias(s, w, q, v)
    compute_variable_rates(c, w, a, w.x_a)
    for i in range(c.count):
        w.x_a[i] += w.x_g[i]
    compute_jacobian_rates(s, w, q, v, a)
    zero_range(w.jac_x, 0, w.jac_x.size)
    zero_range(w.gq_x, 0, w.gq_x.size)
    zero_range(w.gv_x, 0, w.gv_x.size)
    evaluate_batch_positions(c.constraints, w.x, w.u, w.unused, w.jac_x)
    evaluate_batch_accelerations(c.constraints, w.x, w.x_v, w.x_a, w.u, damp, stiff, w.gq_x, w.gv_x)
    gq, gv, gq_x, gv_x, own, n, n_v, n_a = w.gq, w.gv, w.gq_x, w.gv_x, w.jac_x, w.weight, w.weight_v, w.weight_a
    slot, at, entry = c.jac_slot, c.jac_weight, c.jac_entry
    for k in range(slot.size):
        to, i, e = slot[k], at[k], entry[k]
        gq[to] += n[i] * gq_x[e] + n_v[i] * gv_x[e] + n_a[i] * own[e]
        gv[to] += n[i] * gv_x[e] + 2.0 * n_v[i] * own[e]


_REALS_POINTER = types.CPointer(types.float64)
_RECORD_ADDRESSES = (types.int64, types.int64)
CHAIN_FUNCTIONS: tuple[tuple[Any, Any], ...] = (
    (chain_residual, types.void(*_RECORD_ADDRESSES, _REALS_POINTER)),
    (chain_position, types.void(*_RECORD_ADDRESSES, _REALS_POINTER)),
    (chain_motion, types.void(*_RECORD_ADDRESSES, _REALS_POINTER, _REALS_POINTER)),
    (chain_forces, types.void(*_RECORD_ADDRESSES, _REALS_POINTER, _REALS_POINTER)),
    (chain_energies, types.void(*_RECORD_ADDRESSES, _REALS_POINTER, _REALS_POINTER)),
    (chain_tangents, types.void(*_RECORD_ADDRESSES, _REALS_POINTER, _REALS_POINTER, _REALS_POINTER)),
    (chain_acceleration, types.void(*_RECORD_ADDRESSES, *[_REALS_POINTER] * 3, types.float64, types.float64)),
)
"""Functions with their signatures, in the order of evaluation.CHAIN_RESIDUAL and so on."""
FORCE_FUNCTIONS = (chain_forces, chain_energies)
ON_DEMAND_FUNCTIONS = (chain_tangents, chain_acceleration)
_COMPILED_FUNCTIONS: dict[Any, Any] = {}


def _function_address(function: Any, signature: Any) -> int:
    if function not in _COMPILED_FUNCTIONS:  # kept in memory as long as its address may be in use
        _COMPILED_FUNCTIONS[function] = compile_cfunc(function, signature)
    return _COMPILED_FUNCTIONS[function].address


def function_addresses(forces: bool) -> list[int]:
    """Addresses of the functions, 0 for those not needed yet. forces: True if there are forces on markers."""
    unneeded = ON_DEMAND_FUNCTIONS if forces else (*FORCE_FUNCTIONS, *ON_DEMAND_FUNCTIONS)
    return [
        0 if function in unneeded else _function_address(function, signature) for function, signature in CHAIN_FUNCTIONS
    ]


def compile_chain_tangents(chain: MarkerChainTables, stages: bool) -> None:
    for k, (function, signature) in enumerate(CHAIN_FUNCTIONS):
        if function is chain_tangents or (stages and function is chain_acceleration):
            chain.calls[k] = _function_address(function, signature)
