"""System: a mechanism as tables of numbers, without names, dimension or body types.

    M q'' + Phi_q^T lambda = Q(q, q', t)        M constant, sparse
    Phi(q, t) = 0

Elements of one type form a batch: one call of its kernel handles them all. All coordinates of the ground are one entry
of q behind the last free one; it is zero and stays zero, and what kernels write for it is never read. So a kernel does
not know whether it touches the ground. The value arrays of Phi_q and of the tangents have such an entry, too.

These are the records that compiled code reads; build.py fills them.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from gaitwright.system.packed import Flag, Integer, Ints, Longs, Longs2, Packed, Reals
from gaitwright.system.signals import SignalTable

FIRST_KERNEL = 7
"""Column of Batches.table in which the addresses begin."""

GROUND = -1
"""Index of a body's coordinates that means: the ground."""

RIGID, BEAM_POSITION, BEAM_SLOPE = range(3)
DISSIPATED, LOADED = 1, 2
"""Kinds of power, and their places in the three numbers that each force has in the table of energies."""

Array = np.ndarray


class Batches(Packed):
    """Elements grouped by type. Each row of `table`: count, then where the batch starts in dof, par, sig, row, slot
    and slot2, then the addresses of its kernels in the order of derive.interface (0: not compiled yet)."""

    modules: tuple[ModuleType, ...] = ()  # the kernel module behind each row; known to Python only
    table: Longs2
    dof: Ints
    par: Reals
    sig: Ints
    row: Ints
    slot: Ints
    slot2: Ints


class Contacts(Packed):
    """Contacts grouped by the families of their bodies. Rows of `table`: see system/touch.py. Entries of the others are per
    contact, in the order of the batches; `batch` and `place` say where a contact is in the table."""

    modules: tuple[ModuleType, ...] = ()  # as in Batches
    shapes: tuple[tuple[ModuleType, slice], ...] = ()  # kernel modules of surfaces, and which contacts have them
    count: Integer
    dimension: Integer  # 2 or 3
    twist: Integer  # numbers of a velocity and a spin
    placed: Integer  # 1 if any pose is in the variables of markers, see system/placing.py
    deforms: Integer  # 1 if any surface does, see system/meeting.py
    rolls: Integer  # 1 if anything round touches: then turns count
    memory: Integer  # numbers that a contact remembers
    table: Longs2
    dof: Ints
    par: Reals
    sig: Ints
    slot: Ints
    map: Ints  # of poses in the variables of markers: see system/placing.py
    batch: Longs
    place: Longs
    pose: Longs  # the first contact with the same pose, of those that follow each other
    law: Longs  # addresses, 0 if there is none
    law_start: Longs
    law_par: Reals
    friction: Longs
    friction_start: Longs
    friction_par: Reals
    next_piece: Longs  # of the same surface, in a circle: pieces hand a contact on to each other
    weight: Reals  # of its force and energy: 1, -1 where two pieces would count the same ground twice, or an area, m^2
    radius: Reals  # of what touches, m
    bristled: Longs  # whether friction depends on the stretch of bristles
    by_gap: Longs  # whether it touches wherever its gap is closed, without an event
    slowest: Reals  # m/s: approach speeds below it count as this one
    restitution: Reals  # for methods that compute impulses
    coefficient: Reals  # of friction, for the same
    grain: Reals  # one number: gaps below it count as closed, m
    shape: Longs2  # addresses of the kernels of the surface
    shape_start: Longs
    shape_par: Reals
    shape_size: Longs  # how many of its parameters are in shape_par; the rest is looked up
    look_up: Longs  # addresses of what fills in the rest, 0 if there is none: system/look_up.py
    field_start: Longs  # where the table that it reads begins in `field`, -1 if it has none
    field: Reals
    meeting: Longs2  # of surfaces that deform, as the three that follow: see system/meeting.py
    faces: Longs
    face_places: Reals
    meet: Longs  # two addresses, 0 if there are none
    calls: Longs  # addresses of system/touch_forces.py and touch_tangents.py


class Chain(Packed):
    """All elements on markers, and the variables that they are functions of: see system/chain_tables.py. count: of variables;
    the one behind the last is 1 and stays so."""

    count: Integer
    n_linear: Integer
    n_curved: Integer
    bent: Flag  # whether there are others than linear ones
    constant: Reals  # of linear variables and products
    start: Longs  # where the row of each variable begins in the two that follow
    column: Ints
    weight: Reals
    markers: Batches  # of curved variables: row is the variable, slot the place in N, slot2 that in the tangents
    term_of: Ints  # products: the variable, its factor, and the two that are multiplied
    term_factor: Reals
    term_first: Ints
    term_second: Ints
    grow_slot: Ints  # rows of products: N[slot] += factor x[by] N[source]
    grow_source: Ints
    grow_by: Ints
    grow_factor: Reals
    constraints: Batches
    forces: Batches
    driven: Longs  # batches that depend on time, or dissipate or do work, as in System
    powered: Longs
    first_energy: Integer  # where the forces begin in the table of energies
    n_tangent: Integer  # entries of the elements' own tangents
    own_row: Ints  # entries of Phi_x: row of Phi and variable
    own_variable: Ints
    jac_slot: Ints  # Phi_q[slot] += N[weight] Phi_x[entry]
    jac_weight: Ints
    jac_entry: Ints
    k_slot: (
        Ints  # K[slot] += N[first] N[second] K_x[entry]; behind the entries of elements one for each term of a product
    )
    k_first: Ints
    k_second: Ints
    k_entry: Ints
    damped: Flag  # whether any of the forces depends on velocities
    calls: Longs  # addresses of system/chain.py


class System(Packed):
    """Tables of one mechanism. Rows of Phi: the `m` independent ones first, then redundant ones up to `m_all`, which
    are watched but take no part in the solution."""

    n: Integer
    m: Integer
    m_all: Integer
    symmetric: Flag  # whether the tangents are
    symmetric_at_rest: Flag  # whether they are but for what damping adds in motion
    nature: Ints  # what each coordinate is: RIGID, BEAM_POSITION or BEAM_SLOPE
    flexible: Flag  # whether there are beams
    damped: Flag  # whether any force depends on velocities: else kv is neither set nor read
    mass_start: Longs  # where the entries of each row of M begin
    mass_row: Ints
    mass_col: Ints
    mass: Reals
    jac_row: Ints
    jac_col: Ints
    k_row: Ints
    k_col: Ints
    coupling: Ints  # entries of the tangents that nothing but the curvature of joints between two bodies fills
    constraints: Batches
    forces: Batches
    contacts: Contacts
    chain: Chain
    signals: SignalTable
    drive_rows: Ints  # rows of Phi that depend on time
    driven: Longs  # batches of constraints that have such rows
    powered: Longs  # batches of forces that dissipate or do work
    power_force: (
        Longs  # powers of forces, one for each kind that a block has: which of the blocks, as given, and the kind
    )
    power_kind: Longs
    power_entry: Longs  # entries of the energy table, and to which of these powers each is added
    power_of: Longs
    # what keeps the factorisation regular where M is not, see system/brace.py:
    brace_row: Ints  # rows of rigidity, ascending, and their W
    brace_weight: Reals
    rod_row: Ints  # of bodies without inertia about an axis: three rows, the lengths of their axes
    rod_axis: Reals  # three numbers each, in the body frame
    rod_weight: Reals
