"""What all elements of one declaration on the same families share: their variables, in terms of what their markers consist
of, and which entries of matrices follow from which. See chain_tables.py for what becomes of it."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from gaitwright.derive.library import kernel_module
from gaitwright.physics.declare import Declaration, Family
from gaitwright.system.tables import Array

ALONE = -1
"""In place of the second factor of a product: there is none."""
Key = tuple[Any, ...]
Entry = tuple[int, int]
"""An attachment, and which of its coordinates; (-1, -1) for one that the attachment does not have."""


class Component(NamedTuple):
    """A multiple of what a marker consists of: factor, or number of the parameter that is it."""

    attachment: int
    key: Key
    factor: float = 1.0
    parameter: int | None = None

    def size(self, par: Array) -> Any:
        return self.factor if self.parameter is None else self.factor * par[:, self.parameter]


class Template(NamedTuple):
    """What all elements of a declaration on the same families share. Variables are counted within an element, entries are
    those of their rows of N one after another."""

    module: ModuleType
    linear: tuple[tuple[Component, ...], ...]
    curved: tuple[int, ...]  # attachments, each with all rows of its marking
    products: tuple[tuple[float, tuple[tuple[Any, int, int], ...]], ...]  # constant; factor or Component, first, second
    dof: tuple[int, ...]  # variables in the order of the kernel
    rows: tuple[tuple[Entry, ...], ...]
    first_entry: Array
    variable: Array  # of each entry
    grow: Array  # (k, 4): entry, source, by, term
    jac: Array  # (k, 2): entry of Phi_x, entry
    tangent: Array  # (k, 3): entry of K_x, two entries
    bend: Array  # (k, 3): term, two entries


def _components(meaning: Key, dimension: int) -> list[Component]:
    """What a variable that is linear in markers consists of."""
    kind, *rest = meaning
    if kind == "between":
        start, end, k = rest
        return [Component(end, ("position", k)), Component(start, ("position", k), -1.0)]
    if kind == "direction":
        attachment, numbers, k = rest
        return [
            component._replace(parameter=number)
            for m, number in enumerate(numbers)
            for component in _components(("axis", attachment, m, k), dimension)
        ]
    attachment, *place = rest
    if kind == "axis" and dimension == 2 and place[0] == 1:  # that of a planar marker, turned by 90 degrees
        return [Component(attachment, ("axis", 0, 1 - place[1]), (-1.0, 1.0)[place[1]])]
    return [Component(attachment, (kind, *place))]


def curves(family: type[Family], still: bool) -> bool:
    """Whether markers of a family go through its marking: those of the ground do not move."""
    return family.marking is not None and not still


def offered_by(family: type[Family], local: Any, still: bool) -> dict[Key, Any]:
    """What markers that do not go through a marking consist of."""
    if curves(family, still):
        return {}
    return family.components(*local) if family.marking is None else family.still(*local)


def linear_in(
    components: Iterable[Component], offered: Sequence[dict[Key, Any]], par: Array
) -> tuple[Any, dict[Entry, Any]]:
    """Constant and weights of a linear variable."""
    constant, weights = 0.0, {}
    for component in components:
        part, size = offered[component.attachment][component.key], component.size(par)
        constant = constant + size * part.constant
        for coordinate, weight in part.terms:
            place = (component.attachment, coordinate)
            weights[place] = weights.get(place, 0.0) + size * weight
    return constant, weights


class _Maker:
    """Collects the variables of a template."""

    def __init__(self, declaration: type[Declaration], families: tuple[type[Family], ...], still: tuple[bool, ...]):
        self.module = kernel_module(declaration, families)
        self.turning = [curves(family, rests) for family, rests in zip(families, still, strict=True)]
        self.still = still
        self.families, self.dimension = families, families[0].dimension
        self.kinds = [type(kind) for kind in declaration.attachments.values()]
        self.linear: dict[Any, tuple[Component, ...]] = {}
        self.curved: dict[int, None] = {}
        self.products: dict[Any, tuple[float, list[tuple[Any, Any, Any]]]] = {}

    def need(self, number: int) -> Any:
        """Make sure that a variable of the kernel is there; returns what it is known by."""
        meaning = self.module.VARIABLES[number]
        if meaning[0] != "quadratic":
            return self.need_linear(meaning, _components(meaning, self.dimension))
        if meaning not in self.products:
            terms = [(factor, self.need(i), ALONE if j == ALONE else self.need(j)) for factor, i, j in meaning[2]]
            self.products[meaning] = (meaning[1], terms)
        return meaning

    def need_linear(self, name: Any, components: Sequence[Component]) -> Any:
        if not any(self.turning[c.attachment] for c in components):
            self.linear.setdefault(name, tuple(components))
        elif name not in self.products:
            self.products[name] = (0.0, [(c, self.need_component(c), ALONE) for c in components])
        return name

    def need_component(self, component: Component) -> Any:
        attachment, key = component.attachment, component.key
        if not self.turning[attachment]:
            return self.need_linear(("component", attachment, key), [Component(attachment, key)])
        self.curved.setdefault(attachment)
        return ("curved", attachment, key)

    def finish(self, observed: bool) -> Template:
        names = [self.need(k) for k in range(len(self.module.VARIABLES) if observed else self.module.ACTING)]
        place: dict[Any, int] = {name: k for k, name in enumerate(self.linear)}
        rows = [self.pattern(components) for components in self.linear.values()]
        for attachment in self.curved:
            marking = self.families[attachment].marking
            assert marking is not None
            module = kernel_module(marking, (self.families[attachment],))
            for r, key in enumerate(CURVED):
                place["curved", attachment, key] = len(rows)
                rows.append(tuple((attachment, c) for row, c in module.JACOBIAN if row == r))
        products: list[tuple[float, tuple[tuple[Any, int, int], ...]]] = []
        grow: list[tuple[int, ...]] = []
        for name, (constant, terms) in self.products.items():
            place[name] = len(rows)
            found = [(factor, place[i], ALONE if j == ALONE else place[j]) for factor, i, j in terms]
            products.append((constant, tuple(found)))
            sources = [source for _, *pair in found for source in pair if source != ALONE]
            rows.append(tuple(dict.fromkeys(entry for source in sources for entry in rows[source])))
        first = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        term = 0
        for k, (_, terms) in enumerate(products, len(rows) - len(products)):
            where = {entry: int(first[k]) + at for at, entry in enumerate(rows[k])}
            for _, i, j in terms:
                for source, by in [(i, j), (j, i)]:
                    if source != ALONE:
                        grow += [(where[e], int(first[source]) + at, by, term) for at, e in enumerate(rows[source])]
                term += 1

        def of(variable: int) -> range:
            return range(int(first[variable]), int(first[variable + 1]))

        dof = tuple(place[name] for name in names)
        constraint = self.module.KIND == "constraint"
        jacobian: Any = self.module.JACOBIAN if constraint else ()
        pairs = self.module.HESSIAN if constraint else self.module.TANGENT
        return Template(
            module=self.module, linear=tuple(self.linear.values()), curved=tuple(self.curved), products=tuple(products),
            dof=dof, rows=tuple(rows), first_entry=first,
            variable=np.repeat(np.arange(len(rows)), [len(row) for row in rows]),
            grow=_table(grow, 4),
            jac=_table([(g, e) for g, (_, i) in enumerate(jacobian) for e in of(dof[i])], 2),
            tangent=_table([(k, a, b) for k, (i, j) in enumerate(pairs) for a in of(dof[i]) for b in of(dof[j])], 3),
            bend=_table(
                [
                    (k, *pair)
                    for k, (_, i, j) in enumerate(term for _, terms in products for term in terms)
                    if j != ALONE
                    for a in of(i)
                    for b in of(j)
                    for pair in ((a, b), (b, a))
                ],
                3,
            ),
        )  # fmt: skip

    def pattern(self, components: Sequence[Component]) -> tuple[Entry, ...]:
        offered = [
            offered_by(family, np.ones(len(family.markers[kind].parameters)), rests)
            for kind, family, rests in zip(self.kinds, self.families, self.still, strict=True)
        ]
        return tuple(linear_in(components, offered, np.ones((1, self.module.N_PAR)))[1])


CURVED: tuple[Key, ...] = (("position", 0), ("position", 1), ("axis", 0, 0), ("axis", 0, 1))
"""Rows of a marking."""


@functools.cache
def template(
    declaration: type[Declaration], families: tuple[type[Family], ...], still: tuple[bool, ...], observed: bool = False
) -> Template:
    """still: which of the attachments are on the ground. observed: with the variables of what results show besides."""
    return _Maker(declaration, families, still).finish(observed)


def _table(rows: Sequence[tuple[int, ...]], width: int) -> Array:
    return np.array(rows, dtype=np.int64).reshape(-1, width)
