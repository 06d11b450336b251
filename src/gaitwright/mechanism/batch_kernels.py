"""Kernels of batches of elements, called through their addresses, one call per batch. q, v, a: of coordinates, or of the
variables of elements on markers."""

from __future__ import annotations

from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address, pointer_to
from gaitwright.mechanism.tables import FIRST_KERNEL_COLUMN

# Columns of BatchTables.table
COUNT_COLUMN, DOF_COLUMN, PAR_COLUMN, SIG_COLUMN, ROW_COLUMN, SLOT_COLUMN, SLOT2_COLUMN = range(FIRST_KERNEL_COLUMN)
# Kernels in the order of derive/kernel_interface.py
RESIDUAL_KERNEL, POSITION_KERNEL, MOTION_KERNEL, HESSIAN_KERNEL, ACCELERATION_KERNEL = range(
    FIRST_KERNEL_COLUMN, FIRST_KERNEL_COLUMN + 5
)
FORCE_KERNEL, TANGENT_KERNEL, ENERGY_KERNEL, GAP_KERNEL, KEEP_KERNEL = range(
    FIRST_KERNEL_COLUMN, FIRST_KERNEL_COLUMN + 5
)


@jit_compile
def require_kernel(address):
    if address == 0:
        raise RuntimeError("compile_tangents(system) must come before the tangents are evaluated")


@jit_compile
def evaluate_batch_residuals(b, q, u, phi):
    """Write Phi of all batches."""
    for k in range(b.table.shape[0]):
        e = b.table[k]
        dof, par = pointer_to(b.dof, e[DOF_COLUMN]), pointer_to(b.par, e[PAR_COLUMN])
        sig, row = pointer_to(b.sig, e[SIG_COLUMN]), pointer_to(b.row, e[ROW_COLUMN])
        call_address(e[RESIDUAL_KERNEL], (e[COUNT_COLUMN], dof, par, sig, row, q, u, phi))


@jit_compile
def evaluate_batch_positions(b, q, u, phi, jac):
    """Write Phi and the entries of Phi_q of all batches."""
    for k in range(b.table.shape[0]):
        e = b.table[k]
        dof, par = pointer_to(b.dof, e[DOF_COLUMN]), pointer_to(b.par, e[PAR_COLUMN])
        sig, row = pointer_to(b.sig, e[SIG_COLUMN]), pointer_to(b.row, e[ROW_COLUMN])
        slot = pointer_to(b.slot, e[SLOT_COLUMN])
        call_address(e[POSITION_KERNEL], (e[COUNT_COLUMN], dof, par, sig, row, slot, q, u, phi, jac))


@jit_compile
def evaluate_batch_motions(b, q, v, u, phi, phi_t, phi_dot, gamma, jac):
    for k in range(b.table.shape[0]):
        e = b.table[k]
        dof, par = pointer_to(b.dof, e[DOF_COLUMN]), pointer_to(b.par, e[PAR_COLUMN])
        sig, row = pointer_to(b.sig, e[SIG_COLUMN]), pointer_to(b.row, e[ROW_COLUMN])
        slot = pointer_to(b.slot, e[SLOT_COLUMN])
        call_address(
            e[MOTION_KERNEL], (e[COUNT_COLUMN], dof, par, sig, row, slot, q, v, u, phi, phi_t, phi_dot, gamma, jac)
        )


@jit_compile
def evaluate_batch_forces(b, q, v, u, total):
    """Add Q of all batches to total."""
    for k in range(b.table.shape[0]):
        e = b.table[k]
        dof, par = pointer_to(b.dof, e[DOF_COLUMN]), pointer_to(b.par, e[PAR_COLUMN])
        sig = pointer_to(b.sig, e[SIG_COLUMN])
        call_address(e[FORCE_KERNEL], (e[COUNT_COLUMN], dof, par, sig, q, v, u, total))


@jit_compile
def evaluate_batch_hessians(b, q, u, lam, kq):
    """Add d(Phi_q^T lambda)/dq of all batches to kq."""
    for k in range(b.table.shape[0]):
        e = b.table[k]
        require_kernel(e[HESSIAN_KERNEL])
        dof, par = pointer_to(b.dof, e[DOF_COLUMN]), pointer_to(b.par, e[PAR_COLUMN])
        sig, row = pointer_to(b.sig, e[SIG_COLUMN]), pointer_to(b.row, e[ROW_COLUMN])
        slot2 = pointer_to(b.slot2, e[SLOT2_COLUMN])
        call_address(e[HESSIAN_KERNEL], (e[COUNT_COLUMN], dof, par, sig, row, slot2, q, u, lam, kq))


@jit_compile
def evaluate_batch_tangents(b, q, v, u, kq, kv):
    """Add -Q_q and -Q_v of all batches to kq and kv."""
    for k in range(b.table.shape[0]):
        e = b.table[k]
        require_kernel(e[TANGENT_KERNEL])
        dof, par = pointer_to(b.dof, e[DOF_COLUMN]), pointer_to(b.par, e[PAR_COLUMN])
        sig, slot = pointer_to(b.sig, e[SIG_COLUMN]), pointer_to(b.slot, e[SLOT_COLUMN])
        call_address(e[TANGENT_KERNEL], (e[COUNT_COLUMN], dof, par, sig, slot, q, v, u, kq, kv))


@jit_compile
def evaluate_batch_accelerations(b, q, v, a, u, damp, stiff, gq, gv):
    for k in range(b.table.shape[0]):
        e = b.table[k]
        require_kernel(e[ACCELERATION_KERNEL])
        dof, par = pointer_to(b.dof, e[DOF_COLUMN]), pointer_to(b.par, e[PAR_COLUMN])
        sig, row = pointer_to(b.sig, e[SIG_COLUMN]), pointer_to(b.row, e[ROW_COLUMN])
        slot = pointer_to(b.slot, e[SLOT_COLUMN])
        call_address(
            e[ACCELERATION_KERNEL], (e[COUNT_COLUMN], dof, par, sig, row, slot, q, v, a, u, damp, stiff, gq, gv)
        )


@jit_compile
def evaluate_batch_energies(b, q, v, u, energy):
    """Write potential, dissipated power and power of loads of every element."""
    start = 0
    for k in range(b.table.shape[0]):
        e = b.table[k]
        dof, par = pointer_to(b.dof, e[DOF_COLUMN]), pointer_to(b.par, e[PAR_COLUMN])
        sig, y = pointer_to(b.sig, e[SIG_COLUMN]), pointer_to(energy, 3 * start)
        call_address(e[ENERGY_KERNEL], (e[COUNT_COLUMN], dof, par, sig, q, v, u, y))
        start += e[COUNT_COLUMN]
