"""Everything the analyses need to know about a system at a state, as compiled functions of tables and numbers.

Every function reads `s` (System) and writes into `w` (Work); nothing is allocated. Coordinates, velocities and forces
have length n + 1: the last entry stands for the ground.
"""

from __future__ import annotations

import weakref

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.derive.interface import LAW, friction_size, pose_size, surface_size
from gaitwright.system.batch_calls import (
    COUNT,
    DOF,
    ENERGY,
    MOTION,
    PAR,
    ROW,
    SIG,
    SLOT,
    acceleration_of,
    demand,
    energies_of,
    forces_of,
    hessians_of,
    motion_of,
    position_of,
    residual_of,
    tangents_of,
)
from gaitwright.system.invoke import behind, invoke
from gaitwright.system.packed import Longs, Packed, Reals
from gaitwright.system.signals import evaluate_signals
from gaitwright.system.tables import System

N_DOF, N_VARIABLES = 5, 11  # columns of Contacts.table
# Functions of system/chain.py in Chain.calls
(
    CHAIN_RESIDUAL, CHAIN_POSITION, CHAIN_MOTION, CHAIN_FORCES, CHAIN_ENERGIES, CHAIN_TANGENTS, CHAIN_ACCELERATION,
) = range(7)  # fmt: skip
# Addresses in Contacts.calls (system/touch_forces.py, touch_tangents.py), and what the first of them is asked for
CONTACT, CONTACT_TANGENTS = range(2)
CONTACT_FORCES, CONTACT_POWERS = range(2)
ONE = np.uint64(1)
POWER_COUNT = 3  # powers per contact, as laid out in system/touch.py


class Work(Packed):
    """Scratch of one run."""

    u: Reals  # signals with derivatives, at the last time asked for
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
    memory: Reals  # of contacts
    elastic: Reals  # energy of each contact
    clock: Reals  # the last time asked for, s
    # scratch for one contact, see system/touch.py:
    asked: Longs  # what is asked of contacts, of which, and of which other
    part: Reals  # of their force
    frame: Reals  # gap and so on
    pose: Reals  # where b is in the frame of a
    surface: Reals  # the surface there
    patch: Reals  # its parameters
    meeting: Reals  # the nearest place of a surface that deforms, see system/meeting.py
    slip: Reals
    stretch: Reals  # of bristles
    mean: Reals  # normal between begin and end
    place: Reals  # variables of its markers, their rates, and entries of matrices in them, see system/placing.py
    place_v: Reals
    place_twist: Reals
    place_bent: Reals
    turn: Reals  # of b since the begin of the step, and as its spins say it
    meant: Reals
    given: Reals  # what laws are given and what they give
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
    # of elements on markers, see system/chain.py:
    x: Reals  # variables, with x', x'' and what velocities alone do to x''
    x_v: Reals
    x_a: Reals
    x_g: Reals
    pull: Reals  # force on each
    weight: Reals  # N, N' and M
    weight_v: Reals
    weight_a: Reals
    unused: Reals  # what nobody reads
    jac_x: Reals  # the elements' own matrices: Phi_x, dPhi''/dx and dPhi''/dx', K_x
    gq_x: Reals
    gv_x: Reals
    k_x: Reals
    kv_x: Reals


def memory_size(s: System) -> int:
    """Numbers that all contacts remember."""
    return s.contacts.memory * s.contacts.count


def power_count(s: System) -> int:
    """Number of powers: of drives, of forces that dissipate or are loads, and of contacts."""
    return s.drive_rows.size + s.power_kind.size + POWER_COUNT * s.contacts.count


_FIRST: weakref.WeakKeyDictionary[System, Work] = weakref.WeakKeyDictionary()


def workspace(s: System) -> Work:
    """Scratch for one run, or for a look in between: a start takes several."""
    if s not in _FIRST:
        _FIRST[s] = _workspace(s)
    w = _FIRST[s].fresh()
    if s.chain.count:
        w.weight[:] = s.chain.weight
        w.x[s.chain.count] = 1.0
    return w


def _workspace(s: System) -> Work:
    c = s.chain
    n_forces = int(s.forces.table[:, COUNT].sum() + c.forces.table[:, COUNT].sum())
    jac, k = s.jac_row.size + 1, s.k_row.size + 1
    sizes = {
        "u": 3 * (s.signals.starts.size - 1), "stack": s.signals.stack_size,
        "phi": s.m_all, "phi_t": s.m_all, "phi_dot": s.m_all, "gamma": s.m_all, "jac": jac, "force": s.n + 1,
        "kq": k, "kv": k, "gq": jac, "gv": jac, "energy": 3 * n_forces,
        "power": power_count(s), "memory": memory_size(s), "elastic": s.contacts.count, "clock": 1,
    }  # fmt: skip
    d, twist, n = s.contacts.dimension, s.contacts.twist, int(max(s.contacts.table[:, N_DOF], default=0))
    m = int(max(s.contacts.table[:, N_VARIABLES], default=0))
    sizes |= {
        "asked": 3, "part": 1,
        "frame": 7, "pose": pose_size(d), "surface": surface_size(d), "patch": 32, "meeting": 27, "given": 2 * d + 1,
        "turn": twist - d, "meant": twist - d, "place": m, "place_v": m, "place_twist": 2 * twist * m, "place_bent": m * m,
        "law": LAW, "friction": friction_size(d), "along": LAW, "wrench": twist, "bend": 2 * d * d,
        "slope": 2 * twist * twist, "twist": twist * n, "twist_q": twist * n, "change": 2 * twist * n,
        **dict.fromkeys(("slip", "stretch", "mean", "by_place", "by_velocity"), d),
        **dict.fromkeys(("by_normal", "by_slip", "by_stretch", "by_force"), d),
    }  # fmt: skip
    sizes |= dict.fromkeys(("x", "x_v", "x_a", "x_g", "pull"), c.count + 1)
    sizes |= dict.fromkeys(("weight", "weight_v", "weight_a"), c.weight.size)
    sizes["unused"] = max(c.weight.size, s.m_all) if c.count else 0
    sizes |= dict.fromkeys(("jac_x", "gq_x", "gv_x"), c.own_row.size)
    sizes |= dict.fromkeys(("k_x", "kv_x"), c.n_tangent + c.term_of.size)
    return Work(**sizes)


@compiled
def copy(source, target):
    """target[:] = source. NumPy's assignment checks shapes and would make Numba compile its text formatting: 3 s."""
    for i in range(source.size):
        target[i] = source[i]


@compiled
def clear(target):
    """target[:] = 0, in a tenth of the time to compile."""
    for i in range(target.size):
        target[i] = 0.0


@compiled
def signals_at(s, w, t):
    """u(t), u'(t), u''(t) of all signals."""
    w.clock[0] = t
    evaluate_signals(s.signals, t, w.u, w.stack)


# Of the whole system ----------------------------------------------------------------------------------------------


@compiled
def residual(s, w, q):
    """Phi."""
    residual_of(s.constraints, q, w.u, w.phi)
    if s.chain.count > 0:
        invoke(s.chain.calls[CHAIN_RESIDUAL], (s, w, q))


@compiled
def position(s, w, q):
    """Phi and Phi_q."""
    clear(w.jac)
    position_of(s.constraints, q, w.u, w.phi, w.jac)
    if s.chain.count > 0:
        invoke(s.chain.calls[CHAIN_POSITION], (s, w, q))


@compiled
def motion(s, w, q, v):
    """Phi, Phi_t, Phi', gamma and Phi_q."""
    clear(w.jac)
    motion_of(s.constraints, q, v, w.u, w.phi, w.phi_t, w.phi_dot, w.gamma, w.jac)
    if s.chain.count > 0:
        invoke(s.chain.calls[CHAIN_MOTION], (s, w, q, v))


@compiled
def motion_of_drives(s, w, q, v):
    """As `motion`, for the constraints that depend on time alone; leaves Phi_q unusable."""
    b = s.constraints
    for k in s.driven:
        e = b.table[k]
        invoke(e[MOTION], (
            e[COUNT], behind(b.dof, e[DOF]), behind(b.par, e[PAR]), behind(b.sig, e[SIG]),
            behind(b.row, e[ROW]), behind(b.slot, e[SLOT]), q, v, w.u, w.phi, w.phi_t, w.phi_dot, w.gamma, w.jac,
        ))  # fmt: skip
    if s.chain.driven.size > 0:
        invoke(s.chain.calls[CHAIN_MOTION], (s, w, q, v))


@compiled
def ask_contacts(s, w, what, c, other, q, v, out):
    """Something of contact c, or of all contacts. What is asked stands in w: a call with more arguments than the processor
    has registers took 5 ns longer, a tenth of a look at a contact."""
    w.asked[0], w.asked[1], w.asked[2] = what, c, other
    invoke(s.contacts.calls[CONTACT], (s, w, q, v, out))


@compiled
def forces(s, w, q, v):
    """Q."""
    clear(w.force)
    forces_of(s.forces, q, v, w.u, w.force)
    if s.chain.forces.table.shape[0] > 0:
        invoke(s.chain.calls[CHAIN_FORCES], (s, w, q, v))
    if s.contacts.count > 0:
        ask_contacts(s, w, CONTACT_FORCES, 0, 0, q, v, w.force)


@compiled
def add_inertia(s, factor, a, total):
    """Add factor M a to total."""
    mass, start, col = s.mass, s.mass_start, s.mass_col  # read once: what is stored below might change the record
    k = np.uint64(0)
    for i in range(np.uint64(s.n)):
        inertia, last = 0.0, np.uint64(start[i + ONE])
        while k < last:
            inertia += mass[k] * a[np.uint32(col[k])]
            k += ONE
        total[i] += factor * inertia


@compiled
def tangents(s, w, q, v, lam):
    """kq = d(Phi_q^T lambda - Q)/dq and kv = -dQ/dv."""
    clear(w.kq)
    if s.damped:
        clear(w.kv)
    hessians_of(s.constraints, q, w.u, lam, w.kq)
    tangents_of(s.forces, q, v, w.u, w.kq, w.kv)
    if s.chain.count > 0:
        demand(s.chain.calls[CHAIN_TANGENTS])
        invoke(s.chain.calls[CHAIN_TANGENTS], (s, w, q, v, lam))
    if s.contacts.count > 0:
        demand(s.contacts.calls[CONTACT_TANGENTS])
        invoke(s.contacts.calls[CONTACT_TANGENTS], (s, w, q, v))
    w.kq[s.k_row.size] = w.kv[s.k_row.size] = 0.0  # what was written for the ground


@compiled
def acceleration_tangents(s, w, q, v, a, damp, stiff):
    """gq, gv: derivatives of Phi'' + damp Phi' + stiff Phi in q and v."""
    clear(w.gq)
    clear(w.gv)
    acceleration_of(s.constraints, q, v, a, w.u, damp, stiff, w.gq, w.gv)
    if s.chain.count > 0:
        demand(s.chain.calls[CHAIN_ACCELERATION])
        invoke(s.chain.calls[CHAIN_ACCELERATION], (s, w, q, v, a, damp, stiff))


@compiled
def energies(s, w, q, v):
    """Potential energy, dissipated power and power of the loads of every force."""
    energies_of(s.forces, q, v, w.u, w.energy)
    if s.chain.forces.table.shape[0] > 0:
        invoke(s.chain.calls[CHAIN_ENERGIES], (s, w, q, v))


@compiled
def powers(s, w, q, v, lam):
    """Power of each drive (lambda Phi_t) and of each block of forces that dissipate or are loads. Needs `motion` before."""
    n_drives = s.drive_rows.size
    for k in range(n_drives):
        row = s.drive_rows[k]
        w.power[k] = lam[row] * w.phi_t[row]
    if s.contacts.count > 0:
        own = behind(w.power, w.power.size - POWER_COUNT * s.contacts.count)
        ask_contacts(s, w, CONTACT_POWERS, 0, 0, q, v, own)
    if s.chain.powered.size > 0:
        invoke(s.chain.calls[CHAIN_ENERGIES], (s, w, q, v))
    if s.power_kind.size == 0:
        return
    b = s.forces
    start = 0
    powered = 0
    for k in range(b.table.shape[0]):
        e = b.table[k]
        if powered < s.powered.size and s.powered[powered] == k:
            powered += 1
            invoke(e[ENERGY], (
                e[COUNT], behind(b.dof, e[DOF]), behind(b.par, e[PAR]), behind(b.sig, e[SIG]),
                q, v, w.u, behind(w.energy, 3 * start),
            ))  # fmt: skip
        start += e[COUNT]
    power, energy, entry, of = w.power, w.energy, s.power_entry, s.power_of
    for k in range(s.power_kind.size):
        power[n_drives + k] = 0.0
    for k in range(entry.size):
        power[n_drives + of[k]] += energy[entry[k]]
