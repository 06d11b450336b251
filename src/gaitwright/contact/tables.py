"""Tables of contacts, from elements to addresses and numbers."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from gaitwright.contact.closest_face import deforming_surface_tables, possible_tangent_entries
from gaitwright.contact.dispatch import forces_address, tangents_address
from gaitwright.contact.marker_kinematics import NOT_ON_MARKERS, marker_pose_tables
from gaitwright.contact.surface_lookup import lookup_address
from gaitwright.derive.kernel_interface import rotation_size, twist_size
from gaitwright.derive.kernel_library import kernel_module
from gaitwright.mechanism.batches import compiled_kernel, concatenate_as
from gaitwright.mechanism.blocks import ContactBlock
from gaitwright.mechanism.evaluation import CONTACT_TANGENTS_CALL
from gaitwright.mechanism.tables import GROUND, Array, ContactTables
from gaitwright.physics.declarations import Family, Friction
from gaitwright.physics.parameters import VECTOR_PARAMETERS

CONTACT_TABLE_COLUMNS = 14
TANGENT_KERNEL_COLUMN = 10
"""Column of the tangent kernel, which is compiled on demand."""
NO_COORDINATE = -2
"""Value instead of the ground coordinate, for contacts in which no coordinate may count as fixed."""
SURFACE_KERNELS = ("surface", "tangent")


def contact_order(contacts: Sequence[ContactBlock]) -> Array:
    """Position of each contact in the tables, which are sorted by families; contacts of a block stay together."""
    counts = np.array([contact.count for contact in contacts], dtype=np.int64)
    first = np.cumsum(counts) - counts
    sorted_ones = [i for members in _group_by_families(contacts).values() for i in members]
    order = np.empty(int(counts.sum()), dtype=np.int64)
    order[_concatenate_indices([np.arange(first[i], first[i] + counts[i]) for i in sorted_ones])] = np.arange(
        order.size
    )
    return order


def _concatenate_indices(parts: Sequence[Array]) -> Array:
    return np.concatenate(parts) if len(parts) else np.zeros(0, dtype=np.int64)


def _group_by_families(contacts: Sequence[ContactBlock]) -> dict[Any, list[int]]:
    """Contacts by the families of their bodies."""
    groups: dict[Any, list[int]] = {}
    for index, contact in enumerate(contacts):
        groups.setdefault((contact.geometry.declaration, contact.geometry.families), []).append(index)
    return groups


def contact_tables(contacts: Sequence[ContactBlock], n: int, grain: float) -> tuple[ContactTables, list[Any]]:
    """The tables with slots still to be numbered, and the pattern entries of the tangents per batch, followed by entries that
    deformable surfaces may need later."""
    if not contacts:
        return _empty_contact_tables(), []
    ordered: list[ContactBlock] = []
    modules: list[ModuleType] = []
    table, dofs, pars, sigs, maps, tangents, sizes_of, other_pose = [], [], [], [], [], [], [], []
    starts = np.zeros(4, dtype=np.int64)
    for (declaration, connected), indices in _group_by_families(contacts).items():
        members = [contacts[i] for i in indices]
        blocks = [contact.geometry.block() for contact in members]
        module = kernel_module(declaration, connected)
        dof = np.concatenate([block.coordinates for block in blocks]).astype(np.int32)
        dof[dof == GROUND] = n
        count, variables, first, pressing = len(dof), 0, NOT_ON_MARKERS, 0
        if hasattr(module, "VARIABLES"):
            # a deformable surface may take the coordinates of another place at any time
            deforming = any(contact.faces is not None for contact in members)
            numbers, par, dof = marker_pose_tables(module, blocks, dof, NO_COORDINATE if deforming else n)
            variables, first = len(module.VARIABLES), sum(part.size for part in maps)
            maps.append(numbers)
            pressing = compiled_kernel(module, "press").address
        else:
            par = np.concatenate([block.parameters for block in blocks])
        signals = np.array([block.signals for block in blocks], dtype=np.int32).reshape(len(blocks), module.N_SIG)
        sig = signals.repeat([block.count for block in blocks], axis=0)
        i, j = np.indices((dof.shape[1], dof.shape[1])).reshape(2, -1)
        tangents.append((dof[:, i], dof[:, j]))
        sizes = [dof.shape[1], par.shape[1], module.N_SIG, i.size]
        frame = compiled_kernel(module, "frame").address
        table.append([count, *starts, *sizes, frame, 0, variables, first, pressing])
        starts += [dof.size, par.size, sig.size, tangents[-1][0].size]
        dofs.append(dof.ravel())
        pars.append(par.ravel())
        sigs.append(sig.ravel())
        sizes_of.append(count)
        other_pose.append(_changed_rows(dof, par, sig))
        modules.append(module)
        ordered += members
    families = contacts[0].geometry.families[:1]
    counts = np.array([contact.count for contact in ordered])

    def each(values: Any, kind: Any = float) -> Array:
        """One number per contact."""
        return np.repeat(np.array(values, dtype=kind), counts)

    dimension, radius = families[0].dimension, each([contact_radius(c) for c in ordered])
    rolls, deforms = bool(radius.any()), each([c.faces is not None for c in ordered], bool)
    law, law_start, law_par = _law_tables([c.law for c in ordered], counts)
    of_space = families if dimension == 3 else ()
    friction, friction_start, friction_par = _law_tables([c.friction for c in ordered], counts, of_space)
    tables = ContactTables(
        count=int(counts.sum()),
        dimension=dimension,
        twist=twist_size(dimension),
        placed=int(bool(maps)),
        deforms=int(deforms.any()),
        rolls=int(rolls),
        memory=memory_size_per_contact(dimension, rolls),
        table=np.array(table, dtype=np.int64).reshape(-1, CONTACT_TABLE_COLUMNS),
        dof=concatenate_as(dofs, np.int32),
        par=concatenate_as(pars, float),
        sig=concatenate_as(sigs, np.int32),
        slot=np.zeros(0, dtype=np.int32),
        map=concatenate_as(maps, np.int32),
        batch=np.repeat(np.arange(len(sizes_of)), sizes_of),
        place=np.concatenate([np.arange(size) for size in sizes_of]),
        pose=np.maximum.accumulate(np.where(np.concatenate(other_pose) | deforms, np.arange(counts.sum()), 0)),
        law=law,
        law_start=law_start,
        law_par=law_par,
        friction=friction,
        friction_start=friction_start,
        friction_par=friction_par,
        next_piece=_piece_cycles(ordered, counts),
        weight=np.concatenate([np.broadcast_to(np.asarray(c.weight, dtype=float), c.count) for c in ordered]),
        radius=radius,
        bristled=each([has_bristle_friction(c) for c in ordered], np.int64),
        by_gap=each([c.by_gap for c in ordered], np.int64),
        slowest=each([c.slowest for c in ordered]),
        restitution=each([c.restitution for c in ordered]),
        coefficient=each([c.coefficient for c in ordered]),
        grain=np.array([grain]),
        **_surface_tables(ordered, families, counts),
        **deforming_surface_tables(ordered, counts, n),
        calls=np.array([forces_address(dimension, bool(maps), bool(deforms.any())), 0], dtype=np.int64),
    )
    tables.modules = tuple(modules)
    ends = np.cumsum(counts)
    tables.shapes = tuple(
        (kernel_module(c.shape[0], families), slice(end - c.count, end)) for c, end in zip(ordered, ends, strict=True)
    )
    return tables, [*tangents, *possible_tangent_entries(contacts, n)]


def _changed_rows(*arrays: Array) -> Array:
    """Mask of rows that differ from the previous row in any of the arrays."""
    changed = np.any([np.any(array[1:] != array[:-1], axis=1) for array in arrays], axis=0)
    return np.concatenate(([True], changed))


def _piece_cycles(contacts: Sequence[ContactBlock], counts: Array) -> Array:
    """Index of the next contact of the group for each contact, for the last the first. Contacts that depend on their gap alone
    are not transferred between pieces."""
    following, first, last = np.arange(counts.sum()), {}, {}
    for contact, k in zip(contacts, np.cumsum(counts) - counts, strict=True):
        if contact.by_gap:
            continue
        following[last.get(contact.group, k)] = k
        last[contact.group] = k
        following[k] = first.setdefault(contact.group, k)
    return following


@functools.cache
def _empty_contact_tables() -> ContactTables:
    """Shared tables of models without contacts."""
    sizes = {name: 0 for name in ContactTables.packed_type.fields}
    tables = ContactTables(
        **sizes
        | {
            "table": (0, CONTACT_TABLE_COLUMNS),
            "shape": (0, len(SURFACE_KERNELS)),
            "meeting": (0, 3),
            "grain": 1,
            "calls": 1,
        }
    )
    tables.modules, tables.shapes = (), ()
    return tables


def memory_size_per_contact(dimension: int, rolls: bool) -> int:
    """Number of memory entries per contact, laid out as in contact/state.py. rolls: True if any touching part is round."""
    return 4 + 4 * dimension + (dimension * (dimension - 1) + rotation_size(dimension) + 1 if rolls else 0)


def contact_radius(contact: ContactBlock) -> float:
    """Radius of the touching part, m."""
    (declaration, numbers), dimension = contact.shape, contact.geometry.families[0].dimension
    at = 0
    for name, parameter in declaration.parameters.items():
        if name == "radius":
            break
        at += dimension if isinstance(parameter, VECTOR_PARAMETERS) else 1
    return numbers[at]


def has_bristle_friction(contact: ContactBlock) -> bool:
    """True if the friction depends on a bristle deflection, which then has a limit."""
    return contact.friction is not None and contact.friction[0].limit is not Friction.limit


def _surface_tables(
    contacts: Sequence[ContactBlock], families: tuple[type[Family], ...], counts: Array
) -> dict[str, Array]:
    """Surfaces with their numbers, and their lookup tables, each stored once; a block has one."""
    address, starts, sizes, numbers, fields, places = [], [], [], [], [np.zeros(0)], {}
    for contact in contacts:
        declaration, values = contact.shape
        address.append([compiled_kernel(kernel_module(declaration, families), SURFACE_KERNELS[0]).address, 0])
        starts.append(len(numbers))
        sizes.append(len(values))
        numbers += list(values)
        table = contact.field
        if table is not None and id(table) not in places:
            places[id(table)] = sum(part.size for part in fields)
            fields.append(table.numbers)
        if contact.faces is not None:  # all of its numbers depend on the place
            sizes[-1], places[id(contact.faces)] = 0, 0
    field_start = [-1 if table is None else places[id(table)] for table in (c.field or c.faces for c in contacts)]
    look_up = [lookup_address(c.field.look_up) if c.field else 0 for c in contacts]
    return {
        "shape": np.repeat(np.array(address, dtype=np.int64), counts, axis=0),
        "shape_start": np.repeat(np.array(starts, dtype=np.int64), counts),
        "shape_size": np.repeat(np.array(sizes, dtype=np.int64), counts),
        "shape_par": np.array(numbers, dtype=float),
        "look_up": np.repeat(np.array(look_up, dtype=np.int64), counts),
        "field_start": np.repeat(np.array(field_start, dtype=np.int64), counts),
        "field": np.concatenate(fields),
    }


def _law_tables(
    choices: Sequence[Any], counts: Array, families: tuple[type[Family], ...] = ()
) -> tuple[Array, Array, Array]:
    """Kernel addresses, starts and numbers of laws (or frictions), one per contact; a block may have a row per contact."""
    address, starts, numbers, size = [], [], [np.zeros(0)], 0
    for choice, count in zip(choices, counts.tolist(), strict=True):
        kernel = 0
        own: Array = np.zeros(0)
        if choice is not None:
            kernel = compiled_kernel(kernel_module(choice[0], families), "force").address
            own = np.asarray(choice[1], dtype=float)
        address.append(np.full(count, kernel, dtype=np.int64))
        starts.append(size + np.arange(count) * (own.shape[1] if own.ndim == 2 else 0))
        numbers.append(own.ravel())
        size += own.size
    return np.concatenate(address), np.concatenate(starts), np.concatenate(numbers)


def compile_contact_tangents(contacts: ContactTables) -> None:
    """Make the tangent kernels available to compiled code."""
    for k, module in enumerate(contacts.modules):
        contacts.table[k, TANGENT_KERNEL_COLUMN] = compiled_kernel(module, "tangent").address
    contacts.calls[CONTACT_TANGENTS_CALL] = tangents_address(
        contacts.dimension, bool(contacts.placed), bool(contacts.deforms)
    )
    for module, which in contacts.shapes:
        contacts.shape[which, len(SURFACE_KERNELS) - 1] = compiled_kernel(module, "tangent").address
