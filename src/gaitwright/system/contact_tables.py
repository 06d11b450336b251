"""Tables of contacts, from elements to addresses and numbers."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from gaitwright.derive.interface import turns, twist_size
from gaitwright.derive.library import kernel_module
from gaitwright.physics.declare import VECTORS, Family, Friction
from gaitwright.system.batches import compiled_kernel, join
from gaitwright.system.blocks import Contact
from gaitwright.system.placing import NOT_PLACED, placing
from gaitwright.system.tables import GROUND, Array, Contacts

COLUMNS = 13
TANGENT = 10
"""The column of the kernel of the tangent, which is compiled on demand."""
SHAPE_KERNELS = ("surface", "tangent")


def contact_order(contacts: Sequence[Contact]) -> Array:
    """Position of each contact in the tables, which are sorted by families."""
    order = np.empty(len(contacts), dtype=np.int64)
    order[[index for members in _alike(contacts).values() for index in members]] = np.arange(len(contacts))
    return order


def _alike(contacts: Sequence[Contact]) -> dict[Any, list[int]]:
    """Contacts by the families of their bodies."""
    groups: dict[Any, list[int]] = {}
    for index, contact in enumerate(contacts):
        groups.setdefault((contact.geometry.declaration, contact.geometry.families), []).append(index)
    return groups


def contact_tables(contacts: Sequence[Contact], n: int, grain: float) -> tuple[Contacts, list[Any]]:
    """The tables with slots still to be numbered, and the pattern entries of the tangents per batch."""
    if not contacts:
        return _no_contacts(), []
    ordered: list[Contact] = []
    modules: list[ModuleType] = []
    table, dofs, pars, sigs, maps, tangents, batch, place = [], [], [], [], [], [], [], []
    starts = np.zeros(4, dtype=np.int64)
    for k, ((declaration, connected), which) in enumerate(_alike(contacts).items()):
        members = [contacts[i] for i in which]
        module = kernel_module(declaration, connected)
        dof = np.array([np.concatenate(c.geometry.coordinates) for c in members], dtype=np.int32)
        dof[dof == GROUND] = n
        par = np.array([c.geometry.parameters for c in members], dtype=float).reshape(len(members), -1)
        variables, first = 0, NOT_PLACED
        if hasattr(module, "VARIABLES"):
            numbers, par = placing(module, [c.geometry for c in members])
            variables, first = len(module.VARIABLES), sum(part.size for part in maps)
            maps.append(numbers)
        sig = np.array([c.geometry.signals for c in members], dtype=np.int32).reshape(len(members), module.N_SIG)
        i, j = np.indices((dof.shape[1], dof.shape[1])).reshape(2, -1)
        tangents.append((dof[:, i], dof[:, j]))
        sizes = [dof.shape[1], par.shape[1], module.N_SIG, i.size]
        frame = compiled_kernel(module, "frame").address
        table.append([len(members), *starts, *sizes, frame, 0, variables, first])
        starts += [dof.size, par.size, sig.size, tangents[-1][0].size]
        dofs.append(dof.ravel())
        pars.append(par.ravel())
        sigs.append(sig.ravel())
        batch += [k] * len(members)
        place += list(range(len(members)))
        modules.append(module)
        ordered += members
    families = contacts[0].geometry.families[:1]
    dimension, radius = families[0].dimension, np.array([_radius(c) for c in ordered], dtype=float)
    rolls = bool(radius.any())
    law, law_start, law_par = _chosen([c.law for c in ordered])
    friction, friction_start, friction_par = _chosen([c.friction for c in ordered], families if dimension == 3 else ())
    tables = Contacts(
        count=len(contacts),
        dimension=dimension,
        twist=twist_size(dimension),
        rolls=int(rolls),
        memory=remembered(dimension, rolls),
        table=np.array(table, dtype=np.int64).reshape(-1, COLUMNS),
        dof=join(dofs, np.int32),
        par=join(pars, float),
        sig=join(sigs, np.int32),
        slot=np.zeros(0, dtype=np.int32),
        map=join(maps, np.int32),
        batch=np.array(batch, dtype=np.int64),
        place=np.array(place, dtype=np.int64),
        law=law,
        law_start=law_start,
        law_par=law_par,
        friction=friction,
        friction_start=friction_start,
        friction_par=friction_par,
        next_piece=_circles([c.group for c in ordered]),
        weight=np.array([c.weight for c in ordered], dtype=float),
        radius=radius,
        bristled=np.array([_bristled(c) for c in ordered], dtype=np.int64),
        slowest=np.array([c.slowest for c in ordered], dtype=float),
        restitution=np.array([c.restitution for c in ordered], dtype=float),
        coefficient=np.array([c.coefficient for c in ordered], dtype=float),
        grain=np.array([grain]),
        **_surfaces(ordered, families),
        calls=np.array(_calls(), dtype=np.int64),
    )
    tables.modules = tuple(modules)
    tables.shapes = tuple(kernel_module(c.shape[0], families) for c in ordered)
    return tables, tangents


def _circles(groups: Sequence[int]) -> Array:
    """For each contact the next of its group, for the last the first."""
    following, first, last = np.zeros(len(groups), dtype=np.int64), {}, {}
    for k, group in enumerate(groups):
        following[last.get(group, k)] = k
        last[group] = k
        following[k] = first.setdefault(group, k)
    return following


@functools.cache
def _no_contacts() -> Contacts:
    """Of models without contacts, which all share it."""
    none = {name: 0 for name in Contacts.packed_type.fields}
    tables = Contacts(**none | {"table": (0, COLUMNS), "shape": (0, len(SHAPE_KERNELS)), "grain": 1, "calls": 1})
    tables.modules, tables.shapes = (), ()
    return tables


def remembered(dimension: int, rolls: bool) -> int:
    """Numbers that a contact remembers, as laid out in system/touch.py. rolls: whether anything round touches."""
    return 4 + 4 * dimension + (dimension * (dimension - 1) + turns(dimension) + 1 if rolls else 0)


def _radius(contact: Contact) -> float:
    """Of what touches, m."""
    (declaration, numbers), dimension = contact.shape, contact.geometry.families[0].dimension
    at = 0
    for name, parameter in declaration.parameters.items():
        if name == "radius":
            break
        at += dimension if isinstance(parameter, VECTORS) else 1
    return float(numbers[at])


def _bristled(contact: Contact) -> bool:
    """Whether its friction depends on a stretch, which then has a limit."""
    return contact.friction is not None and contact.friction[0].limit is not Friction.limit


def _calls() -> list[int]:
    from gaitwright.system.touch_forces import addresses

    return addresses()


def _surfaces(contacts: Sequence[Contact], families: tuple[type[Family], ...]) -> dict[str, Array]:
    """Surfaces with their numbers, and the terrains that they look up, each once."""
    address, starts, sizes, numbers, fields, places = [], [], [], [], [np.zeros(0)], {}
    for contact in contacts:
        declaration, values = contact.shape
        address.append([compiled_kernel(kernel_module(declaration, families), SHAPE_KERNELS[0]).address, 0])
        starts.append(len(numbers))
        sizes.append(len(values))
        numbers += list(values)
        table = contact.field
        if table is not None and id(table) not in places:
            places[id(table)] = sum(part.size for part in fields)
            head = [*table.coefficients.shape[:2], *table.origin, *table.spacing]
            fields += [np.array(head, dtype=float), table.coefficients.ravel()]
    return {
        "shape": np.array(address, dtype=np.int64),
        "shape_start": np.array(starts, dtype=np.int64),
        "shape_size": np.array(sizes, dtype=np.int64),
        "shape_par": np.array(numbers, dtype=float),
        "field_start": np.array([-1 if c.field is None else places[id(c.field)] for c in contacts], dtype=np.int64),
        "field": np.concatenate(fields),
    }


def _chosen(choices: Sequence[Any], families: tuple[type[Family], ...] = ()) -> tuple[Array, Array, Array]:
    """Kernel addresses, starts and numbers of laws (or frictions), one per contact."""
    address, start, numbers = [], [], []
    for choice in choices:
        start.append(len(numbers))
        address.append(0)
        if choice is not None:
            declaration, values = choice
            address[-1] = compiled_kernel(kernel_module(declaration, families), "force").address
            numbers += list(values)
    return np.array(address, dtype=np.int64), np.array(start, dtype=np.int64), np.array(numbers, dtype=float)


def compile_contact_tangents(contacts: Contacts) -> None:
    """Make the kernels of the tangents available to compiled code."""
    for k, module in enumerate(contacts.modules):
        contacts.table[k, TANGENT] = compiled_kernel(module, "tangent").address
    for k, module in enumerate(contacts.shapes):
        contacts.shape[k, len(SHAPE_KERNELS) - 1] = compiled_kernel(module, "tangent").address
