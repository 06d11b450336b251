"""System: a mechanism as tables of numbers, without names, dimension or body types.

    M q'' + Phi_q^T lambda = Q(q, q', t)        M constant, sparse
    Phi(q, t) = 0

Elements of one type form a batch: one call of its kernel handles them all. All coordinates of the ground are one entry
of q behind the last free one; it is zero and stays zero, and what kernels write for it is never read. So a kernel does
not know whether it touches the ground. The value arrays of Phi_q and of the tangents have such an entry, too.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from gaitwright.compiled import compiled_pointer
from gaitwright.derive.interface import ARGUMENTS, signature
from gaitwright.derive.library import kernel_module
from gaitwright.physics.declare import Constraint, ContactLaw, Declaration, Family, Friction, Shape
from gaitwright.system.packed import Flag, Integer, Ints, Longs, Longs2, Packed, Reals
from gaitwright.system.signals import Program, SignalTable, signal_table
from gaitwright.system.sparsity import entries

FIRST_KERNEL = 7
"""Column of Batches.table in which the addresses begin."""

GROUND = -1
"""Index of a body's coordinates that means: the ground."""

RIGID, BEAM_POSITION, BEAM_SLOPE = range(3)

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
    """Contacts grouped by geometry, in space by the pose of two bodies. Rows of `table`: see system/touch.py. Entries of the
    others are per contact, in the order of the batches; `batch` and `place` say where a contact is in the table."""

    modules: tuple[ModuleType, ...] = ()  # as in Batches
    shapes: tuple[ModuleType, ...] = ()  # in space, the kernel module of each surface
    count: Integer
    table: Longs2
    dof: Ints
    par: Reals
    sig: Ints
    slot: Ints
    batch: Longs
    place: Longs
    law: Longs  # addresses, 0 if there is none
    law_start: Longs
    law_par: Reals
    friction: Longs
    friction_start: Longs
    friction_par: Reals
    next_piece: Longs  # of the same surface, in a circle: pieces hand a contact on to each other
    weight: Reals  # of its force and energy: 1, or -1 where two pieces would count the same ground twice
    period: Reals  # of the slide, m; 0 if it has none
    slowest: Reals  # m/s: approach speeds below it count as this one
    restitution: Reals  # for methods that compute impulses
    coefficient: Reals  # of friction, for the same
    grain: Reals  # one number: gaps below it count as closed, m
    space: Integer  # 1 in space, 0 in the plane; the rest is for space alone:
    shape: Longs2  # addresses of the kernels of the surface
    shape_start: Longs
    shape_par: Reals
    shape_size: Longs  # how many of its parameters are in shape_par; the rest is looked up
    field_start: Longs  # where the table of its heights begins in `field`, -1 if it has none
    field: Reals
    calls: Longs  # addresses of system/touch.py


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
    power_index: Longs  # entries of the energy table that they fill (potential, dissipated, power of loads per force)
    # what keeps the factorisation regular where M is not, see system/brace.py:
    brace_row: Ints  # rows of rigidity, ascending, and their W
    brace_weight: Reals
    rod_row: Ints  # of bodies without inertia about an axis: three rows, the lengths of their axes
    rod_axis: Reals  # three numbers each, in the body frame
    rod_weight: Reals


class Element(NamedTuple):
    """One element to be put into the tables: coordinates per attachment (GROUND for the ground), numbers, signals."""

    declaration: type[Declaration]
    families: tuple[type[Family], ...]
    coordinates: tuple[Array, ...]
    parameters: Sequence[float]
    signals: Sequence[int]


class HeightTable(NamedTuple):
    """A terrain as polynomials over the cells of a grid; equal tables of several contacts are the same object.

    coefficients: (nx, ny, 4, 4), of (x - x0)^i (y - y0)^j in the cell that begins at (x0, y0)."""

    origin: tuple[float, float]
    spacing: tuple[float, float]
    coefficients: Array


class Contact(NamedTuple):
    """One contact to be put into the tables: its geometry, and law and friction with their numbers."""

    geometry: Element
    law: tuple[type[ContactLaw], Sequence[float]] | None
    friction: tuple[type[Friction], Sequence[float]] | None
    group: int
    period: float
    slowest: float
    restitution: float
    coefficient: float
    weight: float = 1.0
    """Of its force and energy: see contact/surface_pieces.py."""
    approach: float | None = None
    """Approach speed of a contact that is closed at the start, m/s."""
    shape: tuple[type[Shape], Sequence[float]] | None = None
    """In space: the surface with its numbers."""
    field: HeightTable | None = None
    """In space: the heights that the surface looks up."""


TANGENTS = ("hessian", "acceleration", "tangent")
"""Kernels that only implicit methods and statics need. They are the long ones, so they are compiled on demand."""


@functools.cache
def compiled_kernel(module: ModuleType, kernel: str) -> Any:
    """Compile (or load) a kernel; the cache keeps it in memory as long as its address may be in use."""
    return compiled_pointer(getattr(module, kernel), signature(module.KIND, kernel))


def compile_tangents(s: System, stages: bool = True) -> None:
    """Make the kernels of the tangents available to compiled code; those of accelerations only if there are stages, which
    saves a tenth of the time to a first result."""
    for batches in (s.constraints, s.forces, s.chain.markers, s.chain.constraints, s.chain.forces):
        for k, module in enumerate(batches.modules):
            for place, kernel in enumerate(ARGUMENTS[module.KIND]):
                if kernel in TANGENTS and (stages or kernel != "acceleration" or batches is s.chain.markers):
                    batches.table[k, FIRST_KERNEL + place] = compiled_kernel(module, kernel).address
    if s.chain.count:
        from gaitwright.system.chain import compile_chain_tangents

        compile_chain_tangents(s.chain, stages)
    if s.contacts.count:
        from gaitwright.system.contact_tables import compile_contact_tangents

        compile_contact_tangents(s.contacts)


class Grouped(NamedTuple):
    """Elements in batches, with slots still to be numbered: fields of Batches, and entries of the two patterns per batch."""

    modules: tuple[ModuleType, ...]
    fields: dict[str, Array]
    first: list[tuple[Array, Array]]
    second: list[tuple[Array, Array]]
    symmetric: bool

    def batches(self, slot: Sequence[Array], slot2: Sequence[Array] = ()) -> Batches:
        found = Batches(**self.fields, slot=join(slot, np.int32), slot2=join(slot2, np.int32))
        found.modules = self.modules
        return found


def _grouped(elements: Sequence[Element], n: int, rows: Sequence[Array] | None) -> Grouped:
    groups: dict[str, list[int]] = {}
    modules: dict[str, ModuleType] = {}
    for index, element in enumerate(elements):
        module = kernel_module(element.declaration, element.families)
        modules.setdefault(module.__name__, module)
        groups.setdefault(module.__name__, []).append(index)
    table, dofs, pars, sigs, row_list, first, second = [], [], [], [], [], [], []
    sizes = np.zeros(6, dtype=np.int64)
    symmetric = True
    for name, members in groups.items():
        module = modules[name]
        dof = np.array([np.concatenate(elements[i].coordinates) for i in members], dtype=np.int32)
        dof[dof == GROUND] = n
        par = np.array([elements[i].parameters for i in members], dtype=float).reshape(len(members), module.N_PAR)
        sig = np.array([elements[i].signals for i in members], dtype=np.int32).reshape(len(members), module.N_SIG)
        row = np.array([rows[i] for i in members], dtype=np.int32) if rows is not None else np.zeros((0, 0), np.int32)
        kernels = [0 if k in TANGENTS else compiled_kernel(module, k).address for k in ARGUMENTS[module.KIND]]
        table.append([len(members), *sizes, *kernels])
        dofs.append(dof.ravel())
        pars.append(par.ravel())
        sigs.append(sig.ravel())
        row_list.append(row.ravel())
        if rows is not None:
            # What vanishes because of zero parameters goes where the entries of the ground go.
            k, i = np.array(module.JACOBIAN, dtype=np.int64).reshape(-1, 2).T
            first.append((row[:, k], np.where(entries(module, "position", ("jac",), par, k.size), dof[:, i], n)))
            i, j = np.array(module.HESSIAN, dtype=np.int64).reshape(-1, 2).T
            second.append((dof[:, i], np.where(entries(module, "hessian", ("kq",), par, i.size), dof[:, j], n)))
        else:
            i, j = np.array(module.TANGENT, dtype=np.int64).reshape(-1, 2).T
            first.append((dof[:, i], np.where(entries(module, "tangent", ("kq", "kv"), par, i.size), dof[:, j], n)))
            second.append((dof[:, :0], dof[:, :0]))
        symmetric &= module.SYMMETRIC
        sizes += [dof.size, par.size, sig.size, row.size, first[-1][0].size, second[-1][0].size]
    width = FIRST_KERNEL + max(len(kernels) for kernels in ARGUMENTS.values())
    full = np.zeros((len(table), width), dtype=np.int64)
    for k, line in enumerate(table):
        full[k, : len(line)] = line
    parts = {"dof": join(dofs, np.int32), "par": join(pars, float), "sig": join(sigs, np.int32)}
    fields = {"table": full, **parts, "row": join(row_list, np.int32)}
    return Grouped(tuple(modules.values()), fields, first, second, symmetric)


def _symmetric_at_rest(module: Any) -> bool:
    return getattr(module, "SYMMETRIC_AT_REST", module.SYMMETRIC)


def join(parts: Sequence[Array], dtype: Any) -> Array:
    return np.concatenate([np.zeros(0, dtype), *parts]).astype(dtype)


def pattern_slots(entries: Sequence[tuple[Array, Array]], n_rows: int, n: int) -> tuple[Array, Array, list[Array]]:
    """Number the distinct entries inside n_rows x n, sorted by row; entries on the ground go to a slot behind the last.

    Returns row and column of each slot and, per batch, the slots of its entries."""
    rows = join([r.ravel() for r, _ in entries], np.int64)
    cols = join([c.ravel() for _, c in entries], np.int64)
    inside = (rows < n_rows) & (cols < n)
    key = np.where(inside, rows * (n + 1) + cols, -1)
    distinct, inverse = np.unique(key[inside], return_inverse=True)
    slots = np.full(key.size, distinct.size, dtype=np.int32)
    slots[inside] = inverse
    ends = np.cumsum([r.size for r, _ in entries])
    return (
        (distinct // (n + 1)).astype(np.int32),
        (distinct % (n + 1)).astype(np.int32),
        np.split(slots, ends[:-1]) if len(entries) else [],
    )


def build(
    n: int,
    mass: tuple[Array, Array, Array],
    constraints: Sequence[Element],
    forces: Sequence[Element],
    signals: Sequence[Program],
    redundant: Sequence[int] = (),
    contacts: Sequence[Contact] = (),
    grain: float = 0.0,
    nature: Array | None = None,
    braced: Sequence[tuple[int, float]] = (),
    rods: Sequence[tuple[int, Array, float]] = (),
) -> System:
    """Put elements into tables.

    mass: rows, columns and values of M. redundant: rows of Phi (counted in the order of `constraints`) that follow
    from the others and take no part in the solution. grain: gaps of contacts below it count as closed, m. nature: see
    System; all rigid unless given. braced: rows of Phi (counted likewise) and their weights;
    rods: the first of three rows, axis and weight; see system/brace.py."""
    from gaitwright.system.chain_tables import chained, on_markers
    from gaitwright.system.contact_tables import contact_tables

    counts = [len(_rows(element)) for element in constraints]
    m_all = int(sum(counts))
    position = row_positions(m_all, redundant)
    ends = np.cumsum(counts)
    rows: Any = [position[end - count : end] for end, count in zip(ends, counts, strict=True)]

    plain = [i for i, element in enumerate(constraints) if not on_markers(element)]
    c = _grouped([constraints[i] for i in plain], n, [rows[i] for i in plain])
    own = [force for force in forces if not on_markers(force)]
    f = _grouped(own, n, None)
    linked = chained(constraints, forces, rows, n, len(own))
    jac_row, jac_col, (*jac_slots, linked_jac) = pattern_slots([*c.first, linked.jac], m_all, n)
    touching, t_tangent = contact_tables(contacts, n, grain)
    k_row, k_col, k_slots = pattern_slots([*c.second, *f.first, linked.tangent, *t_tangent], n, n)
    n_batches, n_forces = len(c.first), len(c.first) + len(f.first)
    mass = _with_diagonal(n, mass)
    by_row = np.lexsort((mass[1], mass[0]))
    mass_row, mass_col, mass_values = (part[by_row] for part in mass)
    braces = sorted((int(position[row]), w) for row, w in braced if position[row] < m_all - len(redundant))
    return System(
        n=n,
        m=m_all - len(redundant),
        m_all=m_all,
        symmetric=c.symmetric and f.symmetric and linked.symmetric and not contacts,
        symmetric_at_rest=not contacts and all(map(_symmetric_at_rest, (*f.modules, *linked.fields["forces"].modules))),
        nature=np.zeros(n) if nature is None else nature,
        flexible=nature is not None and bool(np.any(nature != RIGID)),
        damped=bool(contacts) or linked.damped or any(module.DAMPED for module in f.modules),
        mass_start=np.searchsorted(mass_row, np.arange(n + 1)),
        mass_row=mass_row,
        mass_col=mass_col,
        mass=mass_values,
        jac_row=jac_row,
        jac_col=jac_col,
        k_row=k_row,
        k_col=k_col,
        coupling=_coupling(constraints, c.modules, k_slots, k_row.size, linked.couples, n_forces),
        constraints=c.batches(jac_slots, k_slots[:n_batches]),
        forces=f.batches(k_slots[n_batches:n_forces]),
        contacts=touching.replaced(slot=join(k_slots[n_forces + 1 :], np.int32)) if contacts else touching,
        chain=linked.chain(linked_jac, k_slots[n_forces]),
        signals=signal_table(list(signals)),
        drive_rows=join([r for r, e in zip(rows, constraints, strict=True) if len(e.signals)], np.int32),
        driven=np.flatnonzero([module.N_SIG > 0 for module in c.modules]),
        powered=np.flatnonzero([module.DISSIPATES or module.LOADS for module in f.modules]),
        power_index=np.array(_power_index(forces), dtype=np.int64),
        brace_row=np.array([row for row, _ in braces], dtype=np.int32),
        brace_weight=np.array([weight for _, weight in braces], dtype=float),
        rod_row=join([position[row : row + 3] for row, _, _ in rods], np.int32),
        rod_axis=join([axis for _, axis, _ in rods], float),
        rod_weight=np.array([weight for _, _, weight in rods], dtype=float),
    )


def _with_diagonal(n: int, mass: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
    """M with all entries of its diagonal, zeros too: weights of coordinates are given on its pattern."""
    row, col, values = mass
    there = np.zeros(n, dtype=bool)
    there[row[row == col]] = True
    if there.all():
        return mass
    missing = np.flatnonzero(~there)
    return np.r_[row, missing], np.r_[col, missing], np.r_[values, np.zeros(missing.size)]


def _coupling(
    constraints: Sequence[Element], modules: tuple[ModuleType, ...], slots: Sequence[Array], size: int, couples: Array,
    linked: int,
) -> Array:  # fmt: skip
    """Entries that only Hessians of constraints fill, in the rows of one body and the columns of another. linked: which of
    the slots are those of elements on markers, of which `couples` says it."""
    families = {kernel_module(e.declaration, e.families).__name__: e for e in constraints}
    alone = np.ones(size + 1, dtype=bool)
    for module, filled in zip(modules, slots, strict=False):
        coordinates = families[module.__name__].coordinates
        owner = np.repeat(np.arange(len(coordinates)), [len(index) for index in coordinates])
        i, j = np.array(module.HESSIAN, dtype=np.int64).reshape(-1, 2).T
        if i.size:
            alone[filled.reshape(-1, i.size)[:, owner[i] == owner[j]]] = False
    for k, filled in enumerate(slots[len(modules) :], len(modules)):
        alone[filled[~couples] if k == linked else filled] = False
    return np.flatnonzero(alone[:-1]).astype(np.int32)


def _rows(element: Element) -> dict[str, tuple[str, str]]:
    assert issubclass(element.declaration, Constraint)
    return element.declaration.rows


def row_positions(m_all: int, redundant: Sequence[int]) -> Array:
    """Where each row of Phi, counted as given, stands in the system: independent ones first, redundant ones last."""
    last = np.zeros(m_all, dtype=bool)
    last[list(redundant)] = True
    position = np.empty(m_all, dtype=np.int32)
    position[np.argsort(last, kind="stable")] = np.arange(m_all)
    return position


def batch_order(elements: Sequence[Element]) -> Array:
    """Position of each element when they are sorted by batches, as in the table of energies: those on markers last."""
    from gaitwright.system.chain_tables import alike, on_markers

    groups: dict[ModuleType, list[int]] = {}
    for index, element in enumerate(elements):
        if not on_markers(element):
            groups.setdefault(kernel_module(element.declaration, element.families), []).append(index)
    order = np.empty(len(elements), dtype=np.int64)
    order[[i for members in (*groups.values(), *alike(elements)) for i in members]] = np.arange(len(elements))
    return order


def _power_index(forces: Sequence[Element]) -> list[int]:
    """Entries of the energy table that forces fill which dissipate or do work."""
    index = []
    for place, element in zip(batch_order(forces), forces, strict=True):
        module = kernel_module(element.declaration, element.families)
        index += [3 * int(place) + k for k in [1] * module.DISSIPATES + [2] * module.LOADS]
    return sorted(index)
