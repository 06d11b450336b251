"""Evaluation of a mechanism at a state, as compiled functions of tables and arrays.

Every function reads `s` (MechanismTables) and writes into `w` (EvaluationWorkspace); nothing is allocated. Coordinates,
velocities and forces have length n + 1: the last entry represents the ground.
"""

from __future__ import annotations

import weakref

import numpy as np

from gaitwright.derive.kernel_interface import LAW_SIZE, friction_size, pose_size, surface_size
from gaitwright.jit import jit_compile
from gaitwright.jit.address_calls import call_address, pointer_to
from gaitwright.jit.pointer_records import Longs, PointerRecord, Reals
from gaitwright.mechanism.batch_kernels import (
    COUNT_COLUMN,
    DOF_COLUMN,
    ENERGY_KERNEL,
    MOTION_KERNEL,
    PAR_COLUMN,
    ROW_COLUMN,
    SIG_COLUMN,
    SLOT_COLUMN,
    evaluate_batch_accelerations,
    evaluate_batch_energies,
    evaluate_batch_forces,
    evaluate_batch_hessians,
    evaluate_batch_motions,
    evaluate_batch_positions,
    evaluate_batch_residuals,
    evaluate_batch_tangents,
    require_kernel,
)
from gaitwright.mechanism.signals import evaluate_signals
from gaitwright.mechanism.tables import MechanismTables

CONTACT_N_DOF_COLUMN, CONTACT_N_VARIABLES_COLUMN = 5, 11  # columns of ContactTables.table
# Functions of mechanism/marker_chain.py in MarkerChainTables.calls
(
    CHAIN_RESIDUAL, CHAIN_POSITION, CHAIN_MOTION, CHAIN_FORCES, CHAIN_ENERGIES, CHAIN_TANGENTS, CHAIN_ACCELERATION,
) = range(7)  # fmt: skip
# Addresses in ContactTables.calls (contact/forces.py, contact/tangents.py), and the requests that the first of them serves
CONTACT_CALL, CONTACT_TANGENTS_CALL = range(2)
FORCES_REQUEST, POWERS_REQUEST = range(2)
UNSIGNED_ONE = np.uint64(1)
CONTACT_POWER_COUNT = 3  # powers per contact, as laid out in contact/state.py


class EvaluationWorkspace(PointerRecord):
    """Scratch memory of one run."""

    u: Reals  # signals with derivatives, at the last evaluated time
    stack: Reals
    phi: Reals  # Phi, m
    phi_t: Reals  # its partial derivative in time
    phi_dot: Reals  # its total derivative in time
    gamma: Reals  # right-hand side of Phi_q q'' = gamma
    jac: Reals  # values of Phi_q
    force: Reals  # Q
    kq: Reals  # values of d(Phi_q^T lambda - Q)/dq
    kv: Reals  # values of -dQ/dv
    gq: Reals  # values of dPhi''/dq
    gv: Reals  # values of dPhi''/dv
    energy: Reals  # per force: potential, dissipated power, power of the loads
    power: Reals  # of drives, then of dissipation and loads, then of contacts
    memory: Reals  # memory of contacts
    elastic: Reals  # energy of each contact
    clock: Reals  # last evaluated time, s
    # scratch for one contact, see contact/state.py:
    asked: Longs  # request to the contacts: kind, index of the contact, index of the other contact
    part: Reals  # factor of the contact force
    frame: Reals  # gap and further values, see contact/state.py
    pose: Reals  # pose of b in the frame of a
    surface: Reals  # surface at that place
    patch: Reals  # its parameters
    meeting: Reals  # nearest place of a deforming surface, see contact/closest_face.py
    slip: Reals
    stretch: Reals  # of bristles
    mean: Reals  # mean normal over the step
    # variables of the contact's markers, their rates, and entries of matrices in them, see contact/marker_kinematics.py
    place: Reals
    place_v: Reals
    place_twist: Reals
    place_bent: Reals
    turn: Reals  # rotation of b since the start of the step, and its estimate from the angular velocities
    meant: Reals
    given: Reals  # inputs and outputs of laws
    law: Reals
    friction: Reals
    along: Reals  # friction along the tangent of the plane
    wrench: Reals  # force and moment on b in the frame of a
    bend: Reals  # derivatives of gradient and normal
    by_place: Reals  # changes of the normal force with place and velocity
    by_velocity: Reals
    by_normal: Reals  # changes of the normal, slip, stretch and force
    by_slip: Reals
    by_stretch: Reals
    by_force: Reals
    slope: Reals  # derivatives of the wrench
    twist: Reals  # derivatives of the twist in v and in q
    twist_q: Reals
    change: Reals  # those of the wrench in coordinates
    # of elements on markers, see mechanism/marker_chain.py:
    x: Reals  # variables, with x', x'' and the part of x'' due to velocities alone
    x_v: Reals
    x_a: Reals
    x_g: Reals
    pull: Reals  # force on each
    weight: Reals  # N, N' and M
    weight_v: Reals
    weight_a: Reals
    unused: Reals  # output that is never read
    jac_x: Reals  # element matrices: Phi_x, dPhi''/dx and dPhi''/dx', K_x
    gq_x: Reals
    gv_x: Reals
    k_x: Reals
    kv_x: Reals


def contact_memory_size(s: MechanismTables) -> int:
    """Number of stored values of all contacts."""
    return s.contacts.memory * s.contacts.count


def power_count(s: MechanismTables) -> int:
    """Number of powers: of drives, of dissipating and load forces, and of contacts."""
    return s.drive_rows.size + s.power_kind.size + CONTACT_POWER_COUNT * s.contacts.count


_FIRST_WORKSPACES: weakref.WeakKeyDictionary[MechanismTables, EvaluationWorkspace] = weakref.WeakKeyDictionary()


def new_workspace(s: MechanismTables) -> EvaluationWorkspace:
    """Return scratch memory for one run or one evaluation; starting an analysis takes several."""
    if s not in _FIRST_WORKSPACES:
        _FIRST_WORKSPACES[s] = _allocate_workspace(s)
    w = _FIRST_WORKSPACES[s].fresh()
    if s.chain.count:
        w.weight[:] = s.chain.weight
        w.x[s.chain.count] = 1.0
    return w


def _allocate_workspace(s: MechanismTables) -> EvaluationWorkspace:
    c = s.chain
    n_forces = int(s.forces.table[:, COUNT_COLUMN].sum() + c.forces.table[:, COUNT_COLUMN].sum())
    jac, k = s.jac_row.size + 1, s.k_row.size + 1
    sizes = {
        "u": 3 * (s.signals.starts.size - 1), "stack": s.signals.stack_size,
        "phi": s.m_all, "phi_t": s.m_all, "phi_dot": s.m_all, "gamma": s.m_all, "jac": jac, "force": s.n + 1,
        "kq": k, "kv": k, "gq": jac, "gv": jac, "energy": 3 * n_forces,
        "power": power_count(s), "memory": contact_memory_size(s), "elastic": s.contacts.count, "clock": 1,
    }  # fmt: skip
    d, twist, n = s.contacts.dimension, s.contacts.twist, int(max(s.contacts.table[:, CONTACT_N_DOF_COLUMN], default=0))
    m = int(max(s.contacts.table[:, CONTACT_N_VARIABLES_COLUMN], default=0))
    sizes |= {
        "asked": 3, "part": 1,
        "frame": 7, "pose": pose_size(d), "surface": surface_size(d), "patch": 32, "meeting": 27, "given": 2 * d + 1,
        "turn": twist - d, "meant": twist - d, "place": m, "place_v": m, "place_twist": 2 * twist * m, "place_bent": m * m,
        "law": LAW_SIZE, "friction": friction_size(d), "along": LAW_SIZE, "wrench": twist, "bend": 2 * d * d,
        "slope": 2 * twist * twist, "twist": twist * n, "twist_q": twist * n, "change": 2 * twist * n,
        **dict.fromkeys(("slip", "stretch", "mean", "by_place", "by_velocity"), d),
        **dict.fromkeys(("by_normal", "by_slip", "by_stretch", "by_force"), d),
    }  # fmt: skip
    sizes |= dict.fromkeys(("x", "x_v", "x_a", "x_g", "pull"), c.count + 1)
    sizes |= dict.fromkeys(("weight", "weight_v", "weight_a"), c.weight.size)
    sizes["unused"] = max(c.weight.size, s.m_all) if c.count else 0
    sizes |= dict.fromkeys(("jac_x", "gq_x", "gv_x"), c.own_row.size)
    sizes |= dict.fromkeys(("k_x", "kv_x"), c.n_tangent + c.term_of.size)
    return EvaluationWorkspace(**sizes)


@jit_compile
def copy_values(source, target):
    """target[:] = source. NumPy's assignment checks shapes and would make Numba compile its text formatting: 3 s."""
    for i in range(source.size):
        target[i] = source[i]


@jit_compile
def zero_values(target):
    """target[:] = 0; compiles in a tenth of the time of NumPy's assignment."""
    for i in range(target.size):
        target[i] = 0.0


@jit_compile
def update_signals(s, w, t):
    """Evaluate u(t), u'(t), u''(t) of all signals."""
    w.clock[0] = t
    evaluate_signals(s.signals, t, w.u, w.stack)


# Whole mechanism --------------------------------------------------------------------------------------------------


@jit_compile
def evaluate_residual(s, w, q):
    """Evaluate Phi."""
    evaluate_batch_residuals(s.constraints, q, w.u, w.phi)
    if s.chain.count > 0:
        call_address(s.chain.calls[CHAIN_RESIDUAL], (s, w, q))


@jit_compile
def evaluate_position(s, w, q):
    """Evaluate Phi and Phi_q."""
    zero_values(w.jac)
    evaluate_batch_positions(s.constraints, q, w.u, w.phi, w.jac)
    if s.chain.count > 0:
        call_address(s.chain.calls[CHAIN_POSITION], (s, w, q))


@jit_compile
def evaluate_motion(s, w, q, v):
    """Evaluate Phi, Phi_t, Phi', gamma and Phi_q."""
    zero_values(w.jac)
    evaluate_batch_motions(s.constraints, q, v, w.u, w.phi, w.phi_t, w.phi_dot, w.gamma, w.jac)
    if s.chain.count > 0:
        call_address(s.chain.calls[CHAIN_MOTION], (s, w, q, v))


@jit_compile
def evaluate_drive_motion(s, w, q, v):
    """Same as `evaluate_motion`, for the constraints that depend on time alone; leaves Phi_q unusable."""
    b = s.constraints
    for k in s.driven:
        e = b.table[k]
        call_address(
            e[MOTION_KERNEL],
            (
                e[COUNT_COLUMN],
                pointer_to(b.dof, e[DOF_COLUMN]),
                pointer_to(b.par, e[PAR_COLUMN]),
                pointer_to(b.sig, e[SIG_COLUMN]),
                pointer_to(b.row, e[ROW_COLUMN]),
                pointer_to(b.slot, e[SLOT_COLUMN]),
                q,
                v,
                w.u,
                w.phi,
                w.phi_t,
                w.phi_dot,
                w.gamma,
                w.jac,
            ),
        )
    if s.chain.driven.size > 0:
        call_address(s.chain.calls[CHAIN_MOTION], (s, w, q, v))


@jit_compile
def call_contacts(s, w, request, c, argument, q, v, out):
    """Evaluate a request for contact c, or for all contacts. The request is stored in w: a call with more arguments than the
    processor has registers took 5 ns longer, a tenth of the evaluation of one contact."""
    w.asked[0], w.asked[1], w.asked[2] = request, c, argument
    call_address(s.contacts.calls[CONTACT_CALL], (s, w, q, v, out))


@jit_compile
def evaluate_forces(s, w, q, v):
    """Evaluate Q."""
    zero_values(w.force)
    evaluate_batch_forces(s.forces, q, v, w.u, w.force)
    if s.chain.forces.table.shape[0] > 0:
        call_address(s.chain.calls[CHAIN_FORCES], (s, w, q, v))
    if s.contacts.count > 0:
        call_contacts(s, w, FORCES_REQUEST, 0, 0, q, v, w.force)


@jit_compile
def add_inertia(s, factor, a, total):
    """Add factor M a to total."""
    mass, start, col = s.mass, s.mass_start, s.mass_col  # read once: stores below might alias the record
    k = np.uint64(0)
    for i in range(np.uint64(s.n)):
        inertia, last = 0.0, np.uint64(start[i + UNSIGNED_ONE])
        while k < last:
            inertia += mass[k] * a[np.uint32(col[k])]
            k += UNSIGNED_ONE
        total[i] += factor * inertia


@jit_compile
def evaluate_tangents(s, w, q, v, lam):
    """Evaluate kq = d(Phi_q^T lambda - Q)/dq and kv = -dQ/dv."""
    zero_values(w.kq)
    if s.damped:
        zero_values(w.kv)
    evaluate_batch_hessians(s.constraints, q, w.u, lam, w.kq)
    evaluate_batch_tangents(s.forces, q, v, w.u, w.kq, w.kv)
    if s.chain.count > 0:
        require_kernel(s.chain.calls[CHAIN_TANGENTS])
        call_address(s.chain.calls[CHAIN_TANGENTS], (s, w, q, v, lam))
    if s.contacts.count > 0:
        require_kernel(s.contacts.calls[CONTACT_TANGENTS_CALL])
        call_address(s.contacts.calls[CONTACT_TANGENTS_CALL], (s, w, q, v))
    w.kq[s.k_row.size] = w.kv[s.k_row.size] = 0.0  # clear the entry of the ground


@jit_compile
def evaluate_acceleration_tangents(s, w, q, v, a, damp, stiff):
    """Evaluate gq, gv: derivatives of Phi'' + damp Phi' + stiff Phi in q and v."""
    zero_values(w.gq)
    zero_values(w.gv)
    evaluate_batch_accelerations(s.constraints, q, v, a, w.u, damp, stiff, w.gq, w.gv)
    if s.chain.count > 0:
        require_kernel(s.chain.calls[CHAIN_ACCELERATION])
        call_address(s.chain.calls[CHAIN_ACCELERATION], (s, w, q, v, a, damp, stiff))


@jit_compile
def evaluate_energies(s, w, q, v):
    """Evaluate potential energy, dissipated power and power of the loads of every force."""
    evaluate_batch_energies(s.forces, q, v, w.u, w.energy)
    if s.chain.forces.table.shape[0] > 0:
        call_address(s.chain.calls[CHAIN_ENERGIES], (s, w, q, v))


@jit_compile
def evaluate_powers(s, w, q, v, lam):
    """Evaluate the power of each drive (lambda Phi_t) and of each block of dissipating or load forces. `evaluate_motion` must
    be called before."""
    n_drives = s.drive_rows.size
    for k in range(n_drives):
        row = s.drive_rows[k]
        w.power[k] = lam[row] * w.phi_t[row]
    if s.contacts.count > 0:
        own = pointer_to(w.power, w.power.size - CONTACT_POWER_COUNT * s.contacts.count)
        call_contacts(s, w, POWERS_REQUEST, 0, 0, q, v, own)
    if s.chain.powered.size > 0:
        call_address(s.chain.calls[CHAIN_ENERGIES], (s, w, q, v))
    if s.power_kind.size == 0:
        return
    b = s.forces
    start = 0
    powered = 0
    for k in range(b.table.shape[0]):
        e = b.table[k]
        if powered < s.powered.size and s.powered[powered] == k:
            powered += 1
            call_address(
                e[ENERGY_KERNEL],
                (
                    e[COUNT_COLUMN],
                    pointer_to(b.dof, e[DOF_COLUMN]),
                    pointer_to(b.par, e[PAR_COLUMN]),
                    pointer_to(b.sig, e[SIG_COLUMN]),
                    q,
                    v,
                    w.u,
                    pointer_to(w.energy, 3 * start),
                ),
            )
        start += e[COUNT_COLUMN]
    power, energy, entry, power_of = w.power, w.energy, s.power_entry, s.power_of
    for k in range(s.power_kind.size):
        power[n_drives + k] = 0.0
    for k in range(entry.size):
        power[n_drives + power_of[k]] += energy[entry[k]]
