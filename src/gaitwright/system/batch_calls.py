"""The kernels of batches of elements, one call each, through their addresses. q, v, a: of coordinates, or of the variables of
elements on markers."""

from __future__ import annotations

from gaitwright.compiled import compiled
from gaitwright.system.invoke import behind, invoke
from gaitwright.system.tables import FIRST_KERNEL

# Columns of Batches.table
COUNT, DOF, PAR, SIG, ROW, SLOT, SLOT2 = range(FIRST_KERNEL)
# Kernels in the order of derive.interface
RESIDUAL, POSITION, MOTION, HESSIAN, ACCELERATION = range(FIRST_KERNEL, FIRST_KERNEL + 5)
FORCE, TANGENT, ENERGY, GAP, KEEP = range(FIRST_KERNEL, FIRST_KERNEL + 5)


@compiled
def demand(address):
    if address == 0:
        raise RuntimeError("compile_tangents(system) must come before the tangents are evaluated")


@compiled
def residual_of(b, q, u, phi):
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(e[RESIDUAL], (
            e[COUNT], behind(b.dof, e[DOF]), behind(b.par, e[PAR]), behind(b.sig, e[SIG]),
            behind(b.row, e[ROW]), q, u, phi,
        ))  # fmt: skip


@compiled
def position_of(b, q, u, phi, jac):
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(e[POSITION], (
            e[COUNT], behind(b.dof, e[DOF]), behind(b.par, e[PAR]), behind(b.sig, e[SIG]),
            behind(b.row, e[ROW]), behind(b.slot, e[SLOT]), q, u, phi, jac,
        ))  # fmt: skip


@compiled
def motion_of(b, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(e[MOTION], (
            e[COUNT], behind(b.dof, e[DOF]), behind(b.par, e[PAR]), behind(b.sig, e[SIG]),
            behind(b.row, e[ROW]), behind(b.slot, e[SLOT]), q, v, u, phi, phi_t, phi_dot, gamma, jac,
        ))  # fmt: skip


@compiled
def forces_of(b, q, v, u, total):
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(
            e[FORCE], (e[COUNT], behind(b.dof, e[DOF]), behind(b.par, e[PAR]), behind(b.sig, e[SIG]), q, v, u, total)
        )


@compiled
def hessians_of(b, q, u, lam, kq):
    for k in range(b.table.shape[0]):
        e = b.table[k]
        demand(e[HESSIAN])
        invoke(e[HESSIAN], (
            e[COUNT], behind(b.dof, e[DOF]), behind(b.par, e[PAR]), behind(b.sig, e[SIG]),
            behind(b.row, e[ROW]), behind(b.slot2, e[SLOT2]), q, u, lam, kq,
        ))  # fmt: skip


@compiled
def tangents_of(b, q, v, u, kq, kv):
    for k in range(b.table.shape[0]):
        e = b.table[k]
        demand(e[TANGENT])
        invoke(e[TANGENT], (
            e[COUNT], behind(b.dof, e[DOF]), behind(b.par, e[PAR]), behind(b.sig, e[SIG]),
            behind(b.slot, e[SLOT]), q, v, u, kq, kv,
        ))  # fmt: skip


@compiled
def acceleration_of(b, q, v, a, u, damp, stiff, gq, gv):
    for k in range(b.table.shape[0]):
        e = b.table[k]
        demand(e[ACCELERATION])
        invoke(e[ACCELERATION], (
            e[COUNT], behind(b.dof, e[DOF]), behind(b.par, e[PAR]), behind(b.sig, e[SIG]),
            behind(b.row, e[ROW]), behind(b.slot, e[SLOT]), q, v, a, u, damp, stiff, gq, gv,
        ))  # fmt: skip


@compiled
def energies_of(b, q, v, u, energy):
    start = 0
    for k in range(b.table.shape[0]):
        e = b.table[k]
        invoke(e[ENERGY], (
            e[COUNT], behind(b.dof, e[DOF]), behind(b.par, e[PAR]), behind(b.sig, e[SIG]),
            q, v, u, behind(energy, 3 * start),
        ))  # fmt: skip
        start += e[COUNT]
