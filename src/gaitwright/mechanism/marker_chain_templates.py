"""Templates shared by all elements of one declaration on the same families: their variables in terms of marker components,
and the dependence between entries of matrices. Used by marker_chain_tables.py."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from gaitwright.derive.kernel_library import kernel_module
from gaitwright.mechanism.tables import Array
from gaitwright.physics.declarations import Declaration, Family

NO_SECOND_FACTOR = -1
"""Index used for a product without second factor."""
ComponentKey = tuple[Any, ...]
CoordinateEntry = tuple[int, int]
"""Index of an attachment and of one of its coordinates; (-1, -1) for a coordinate that the attachment does not have."""


class MarkerComponent(NamedTuple):
    """Multiple of a marker component: a constant factor, times a parameter if its number is given."""

    attachment: int
    key: ComponentKey
    factor: float = 1.0
    parameter: int | None = None

    def size(self, par: Array) -> Any:
        return self.factor if self.parameter is None else self.factor * par[:, self.parameter]


class ElementTemplate(NamedTuple):
    """Structure shared by all elements of a declaration on the same families. Variables are numbered within an element;
    entries are those of their rows of N in sequence."""

    module: ModuleType
    linear: tuple[tuple[MarkerComponent, ...], ...]
    curved: tuple[int, ...]  # attachments, each with all rows of its marking
    # Constant; factor or MarkerComponent, first, second.
    products: tuple[tuple[float, tuple[tuple[Any, int, int], ...]], ...]
    dof: tuple[int, ...]  # variables in the order of the kernel
    rows: tuple[tuple[CoordinateEntry, ...], ...]
    first_entry: Array
    variable: Array  # of each entry
    grow: Array  # (k, 4): entry, source, by, term
    jac: Array  # (k, 2): entry of Phi_x, entry
    tangent: Array  # (k, 3): entry of K_x, two entries
    bend: Array  # (k, 3): term, two entries


def _marker_components(meaning: ComponentKey, dimension: int) -> list[MarkerComponent]:
    """Components of a variable that is linear in markers."""
    kind, *rest = meaning
    if kind == "between":
        start, end, k = rest
        return [MarkerComponent(end, ("position", k)), MarkerComponent(start, ("position", k), -1.0)]
    if kind == "direction":
        attachment, numbers, k = rest
        return [
            component._replace(parameter=number)
            for m, number in enumerate(numbers)
            for component in _marker_components(("axis", attachment, m, k), dimension)
        ]
    attachment, *place = rest
    # Second axis of a planar marker: the first turned by 90 degrees.
    if kind == "axis" and dimension == 2 and place[0] == 1:
        return [MarkerComponent(attachment, ("axis", 0, 1 - place[1]), (-1.0, 1.0)[place[1]])]
    return [MarkerComponent(attachment, (kind, *place))]


def is_curved(family: type[Family], still: bool) -> bool:
    """True if markers of a family need its marking; markers on the ground are constant."""
    return family.marking is not None and not still


def linear_marker_components(family: type[Family], local: Any, still: bool) -> dict[ComponentKey, Any]:
    """Components of markers that need no marking."""
    if is_curved(family, still):
        return {}
    return family.components(*local) if family.marking is None else family.still(*local)


def combine_components(
    components: Iterable[MarkerComponent], offered: Sequence[dict[ComponentKey, Any]], par: Array
) -> tuple[Any, dict[CoordinateEntry, Any]]:
    """Return constant and weights of a linear variable."""
    constant, weights = 0.0, {}
    for component in components:
        part, size = offered[component.attachment][component.key], component.size(par)
        constant = constant + size * part.constant
        for coordinate, weight in part.terms:
            place = (component.attachment, coordinate)
            weights[place] = weights.get(place, 0.0) + size * weight
    return constant, weights


class _TemplateBuilder:
    """Builder of a template: collects its variables."""

    def __init__(self, declaration: type[Declaration], families: tuple[type[Family], ...], still: tuple[bool, ...]):
        self.module = kernel_module(declaration, families)
        self.turning = [is_curved(family, rests) for family, rests in zip(families, still, strict=True)]
        self.still = still
        self.families, self.dimension = families, families[0].dimension
        self.kinds = [type(kind) for kind in declaration.attachments.values()]
        self.linear: dict[Any, tuple[MarkerComponent, ...]] = {}
        self.curved: dict[int, None] = {}
        self.products: dict[Any, tuple[float, list[tuple[Any, Any, Any]]]] = {}

    def need(self, number: int) -> Any:
        """Add a variable of the kernel if it is missing; return its key."""
        meaning = self.module.VARIABLES[number]
        if meaning[0] != "quadratic":
            return self.need_linear(meaning, _marker_components(meaning, self.dimension))
        if meaning not in self.products:
            terms = [
                (factor, self.need(i), NO_SECOND_FACTOR if j == NO_SECOND_FACTOR else self.need(j))
                for factor, i, j in meaning[2]
            ]
            self.products[meaning] = (meaning[1], terms)
        return meaning

    def need_linear(self, name: Any, components: Sequence[MarkerComponent]) -> Any:
        if not any(self.turning[c.attachment] for c in components):
            self.linear.setdefault(name, tuple(components))
        elif name not in self.products:
            self.products[name] = (0.0, [(c, self.need_component(c), NO_SECOND_FACTOR) for c in components])
        return name

    def need_component(self, component: MarkerComponent) -> Any:
        attachment, key = component.attachment, component.key
        if not self.turning[attachment]:
            return self.need_linear(("component", attachment, key), [MarkerComponent(attachment, key)])
        self.curved.setdefault(attachment)
        return ("curved", attachment, key)

    def finish(self, observed: bool) -> ElementTemplate:
        names = [self.need(k) for k in range(len(self.module.VARIABLES) if observed else self.module.ACTING)]
        place: dict[Any, int] = {name: k for k, name in enumerate(self.linear)}
        rows = [self.pattern(components) for components in self.linear.values()]
        for attachment in self.curved:
            marking = self.families[attachment].marking
            assert marking is not None
            module = kernel_module(marking, (self.families[attachment],))
            for r, key in enumerate(MARKING_ROWS):
                place["curved", attachment, key] = len(rows)
                rows.append(tuple((attachment, c) for row, c in module.JACOBIAN if row == r))
        products: list[tuple[float, tuple[tuple[Any, int, int], ...]]] = []
        grow: list[tuple[int, ...]] = []
        for name, (constant, terms) in self.products.items():
            place[name] = len(rows)
            placed_terms = [
                (factor, place[i], NO_SECOND_FACTOR if j == NO_SECOND_FACTOR else place[j]) for factor, i, j in terms
            ]
            products.append((constant, tuple(placed_terms)))
            sources = [source for _, *pair in placed_terms for source in pair if source != NO_SECOND_FACTOR]
            rows.append(tuple(dict.fromkeys(entry for source in sources for entry in rows[source])))
        first = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        term = 0
        for k, (_, terms) in enumerate(products, len(rows) - len(products)):
            where = {entry: int(first[k]) + at for at, entry in enumerate(rows[k])}
            for _, i, j in terms:
                for source, by in [(i, j), (j, i)]:
                    if source != NO_SECOND_FACTOR:
                        grow += [(where[e], int(first[source]) + at, by, term) for at, e in enumerate(rows[source])]
                term += 1

        def entries_of(variable: int) -> range:
            return range(int(first[variable]), int(first[variable + 1]))

        dof = tuple(place[name] for name in names)
        constraint = self.module.KIND == "constraint"
        jacobian: Any = self.module.JACOBIAN if constraint else ()
        pairs = self.module.HESSIAN if constraint else self.module.TANGENT
        return ElementTemplate(
            module=self.module, linear=tuple(self.linear.values()), curved=tuple(self.curved), products=tuple(products),
            dof=dof, rows=tuple(rows), first_entry=first,
            variable=np.repeat(np.arange(len(rows)), [len(row) for row in rows]),
            grow=_integer_table(grow, 4),
            jac=_integer_table([(g, e) for g, (_, i) in enumerate(jacobian) for e in entries_of(dof[i])], 2),
            tangent=_integer_table(
                [(k, a, b) for k, (i, j) in enumerate(pairs) for a in entries_of(dof[i]) for b in entries_of(dof[j])], 3
            ),
            bend=_integer_table(
                [
                    (k, *pair)
                    for k, (_, i, j) in enumerate(term for _, terms in products for term in terms)
                    if j != NO_SECOND_FACTOR
                    for a in entries_of(i)
                    for b in entries_of(j)
                    for pair in ((a, b), (b, a))
                ],
                3,
            ),
        )  # fmt: skip

    def pattern(self, components: Sequence[MarkerComponent]) -> tuple[CoordinateEntry, ...]:
        offered = [
            linear_marker_components(family, np.ones(len(family.markers[kind].parameters)), rests)
            for kind, family, rests in zip(self.kinds, self.families, self.still, strict=True)
        ]
        return tuple(combine_components(components, offered, np.ones((1, self.module.N_PAR)))[1])


MARKING_ROWS: tuple[ComponentKey, ...] = (("position", 0), ("position", 1), ("axis", 0, 0), ("axis", 0, 1))
"""Rows of a marking."""


@functools.cache
def element_template(
    declaration: type[Declaration], families: tuple[type[Family], ...], still: tuple[bool, ...], observed: bool = False
) -> ElementTemplate:
    """Return the template of a declaration on families. still: True for attachments on the ground. observed: include the
    variables that only results show."""
    return _TemplateBuilder(declaration, families, still).finish(observed)


def _integer_table(rows: Sequence[tuple[int, ...]], width: int) -> Array:
    return np.array(rows, dtype=np.int64).reshape(-1, width)
