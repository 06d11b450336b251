"""A mechanism as numeric tables, without names, dimension or body types.

    M q'' + Phi_q^T lambda = Q(q, q', t)        M constant, sparse
    Phi(q, t) = 0

Elements of one type form a batch: one call of its kernel handles them all. All coordinates of the ground share one entry of q
after the last free one; it stays zero, and values that kernels write for it are never read. So kernels need no special case
for the ground. The value arrays of Phi_q and of the tangents have such an entry, too.

These are the records that compiled code reads; table_builder.py fills them.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from gaitwright.jit.pointer_records import Flag, Integer, Ints, Longs, Longs2, PointerRecord, Reals
from gaitwright.mechanism.signals import SignalTable

FIRST_KERNEL_COLUMN = 7
"""First column of BatchTables.table that holds kernel addresses."""

GROUND = -1
"""Coordinate index that represents the ground."""

RIGID_COORDINATE, BEAM_POSITION_COORDINATE, BEAM_SLOPE_COORDINATE = range(3)
"""Kinds of coordinates (MechanismTables.nature); nodes of solids count as positions of beams."""
DISSIPATED_POWER, LOAD_POWER = 1, 2
"""Kinds of power, and their positions in the three numbers of each force in the table of energies."""

Array = np.ndarray


class BatchTables(PointerRecord):
    """Elements grouped by type. Each row of `table`: count, start of the batch in dof, par, sig, row, slot and slot2, then
    the addresses of its kernels in the order of derive/kernel_interface.py (0: not compiled yet)."""

    modules: tuple[ModuleType, ...] = ()  # kernel module of each row; used in Python only
    table: Longs2
    dof: Ints
    par: Reals
    sig: Ints
    row: Ints
    slot: Ints
    slot2: Ints


class ContactTables(PointerRecord):
    """Contacts grouped by the families of their bodies. Rows of `table`: see contact/state.py. The other arrays have entries
    per contact, in the order of the batches; `batch` and `place` give the position of a contact in the table."""

    modules: tuple[ModuleType, ...] = ()  # as in BatchTables
    shapes: tuple[tuple[ModuleType, slice], ...] = ()  # kernel modules of surfaces, and the contacts that use them
    count: Integer
    dimension: Integer  # 2 or 3
    twist: Integer  # size of a velocity with angular velocity
    placed: Integer  # 1 if any pose is in the variables of markers (contact/marker_kinematics.py)
    deforms: Integer  # 1 if any surface deforms (contact/closest_face.py)
    rolls: Integer  # 1 if any touching body is round: then rotations count
    memory: Integer  # stored numbers per contact
    table: Longs2
    dof: Ints
    par: Reals
    sig: Ints
    slot: Ints
    map: Ints  # of poses in the variables of markers (contact/marker_kinematics.py)
    batch: Longs
    place: Longs
    pose: Longs  # first contact of consecutive ones with the same pose
    law: Longs  # addresses, 0 if there is none
    law_start: Longs
    law_par: Reals
    friction: Longs
    friction_start: Longs
    friction_par: Reals
    next_piece: Longs  # of the same surface, as a cycle: a contact moves from piece to piece
    # Factor of its force and energy: 1; -1 for an overlap that two pieces would count twice; or an area, m^2:
    weight: Reals
    radius: Reals  # of the touching circle or sphere, m
    bristled: Longs  # 1 if friction depends on the stretch of bristles
    by_gap: Longs  # 1 if the contact acts whenever its gap is closed, without an event
    slowest: Reals  # m/s: lower bound of the approach speed
    restitution: Reals  # coefficient of restitution, for methods that compute impulses
    coefficient: Reals  # coefficient of friction, for the same methods
    grain: Reals  # one number: gaps below it count as closed, m
    shape: Longs2  # addresses of the kernels of the surface
    shape_start: Longs
    shape_par: Reals
    shape_size: Longs  # number of its parameters in shape_par; the others are looked up
    look_up: Longs  # addresses of the lookup functions for the others, 0 if there is none: contact/surface_lookup.py
    field_start: Longs  # start of their lookup table in `field`, -1 if there is none
    field: Reals
    meeting: Longs2  # of deforming surfaces, like the next three (contact/closest_face.py)
    faces: Longs
    face_places: Reals
    meet: Longs  # two addresses, 0 if there are none: contact/closest_face.py
    calls: Longs  # addresses of contact/forces.py and contact/tangents.py


class MarkerChainTables(PointerRecord):
    """All elements on markers, and the variables that they are functions of: see mechanism/marker_chain_tables.py. count: of
    variables; the entry after the last is always 1."""

    count: Integer
    n_linear: Integer
    n_curved: Integer
    bent: Flag  # true if not all variables are linear
    constant: Reals  # of linear variables and products
    start: Longs  # start of the row of each variable in the next two arrays
    column: Ints
    weight: Reals
    markers: BatchTables  # of curved variables: row is the variable, slot the position in N, slot2 that in the tangents
    term_of: Ints  # products: the variable, its factor, and its two factors x_i, x_j
    term_factor: Reals
    term_first: Ints
    term_second: Ints
    grow_slot: Ints  # rows of products: N[slot] += factor x[by] N[source]
    grow_source: Ints
    grow_by: Ints
    grow_factor: Reals
    constraints: BatchTables
    forces: BatchTables
    driven: Longs  # batches that depend on time, or dissipate or do work, as in MechanismTables
    powered: Longs
    first_energy: Integer  # start of the forces in the table of energies
    n_tangent: Integer  # number of entries of the element tangents
    own_row: Ints  # entries of Phi_x: row of Phi and variable
    own_variable: Ints
    jac_slot: Ints  # Phi_q[slot] += N[weight] Phi_x[entry]
    jac_weight: Ints
    jac_entry: Ints
    # K[slot] += N[first] N[second] K_x[entry]; behind the entries of elements one for each term of a product:
    k_slot: Ints
    k_first: Ints
    k_second: Ints
    k_entry: Ints
    damped: Flag  # true if any of the forces depends on velocities
    calls: Longs  # addresses of mechanism/marker_chain.py


class MechanismTables(PointerRecord):
    """Tables of one mechanism. Rows of Phi: the `m` independent ones first, then redundant ones up to `m_all`, which are
    monitored but take no part in the solution."""

    n: Integer
    m: Integer
    m_all: Integer
    symmetric: Flag  # true if the tangents are symmetric
    symmetric_at_rest: Flag  # true if they are symmetric without the damping terms of motion
    nature: Ints  # type code of each coordinate: RIGID_COORDINATE, BEAM_POSITION_COORDINATE or BEAM_SLOPE_COORDINATE
    flexible: Flag  # true if there are coordinates other than rigid ones
    damped: Flag  # true if any force depends on velocities: otherwise kv is neither set nor read
    mass_start: Longs  # start of the entries of each row of M
    mass_row: Ints
    mass_col: Ints
    mass: Reals
    jac_row: Ints
    jac_col: Ints
    k_row: Ints
    k_col: Ints
    coupling: Ints  # entries of the tangents filled only by the curvature of joints between two bodies
    constraints: BatchTables
    forces: BatchTables
    contacts: ContactTables
    chain: MarkerChainTables
    signals: SignalTable
    drive_rows: Ints  # rows of Phi that depend on time
    driven: Longs  # batches of constraints that have such rows
    powered: Longs  # batches of forces that dissipate or do work
    # Powers of forces, one for each kind that a block has: index of the block, as given, and the kind:
    power_force: Longs
    power_kind: Longs
    power_entry: Longs  # entries of the energy table, and the power that each is added to
    power_of: Longs
    # terms that keep the factorisation regular if M is singular, see mechanism/mass_regularisation.py:
    brace_row: Ints  # rows of rigidity, ascending, and their W
    brace_weight: Reals
    rod_row: Ints  # of bodies without inertia about an axis: three rows, the lengths of their axes
    rod_axis: Reals  # three numbers each, in the body frame
    rod_weight: Reals
