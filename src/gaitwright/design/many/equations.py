"""The equations of a whole mechanism as terms: Phi, Phi_q, Phi_t, gamma, Q, M, and outputs of results.

Every expression is that of a form (derive/) or of the catalogue of outputs (result/): nothing of mechanics is written here.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError

from gaitwright.checks import At
from gaitwright.derive.form import Derived, Form
from gaitwright.derive.form_terms import Place, form_terms
from gaitwright.derive.library import derive
from gaitwright.derive.terms import MOVING, NotPrintable, Term
from gaitwright.design.many.contact_outputs import ContactOutputs
from gaitwright.design.many.contacts import Contacts
from gaitwright.design.many.direct import LARGEST, Direct
from gaitwright.design.many.evidence_terms import EVIDENCE
from gaitwright.design.many.lowering import TracedLowering
from gaitwright.design.many.replay import Factors, Replay
from gaitwright.design.many.sense import side_of
from gaitwright.physics.declare import Declaration, Family
from gaitwright.result.catalogue import Catalogue
from gaitwright.result.outputs import Motion
from gaitwright.system.blocks import Element
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.planar_body import PlanarBody
from gaitwright.system.tables import GROUND

POWER = ".power"
"""Of a drive: what it does, W, as an output of a printed program."""
State = Sequence[Term]


class Kernels(NamedTuple):
    """The forms of a declaration by name, and which entries its matrix Phi_q has."""

    forms: Mapping[str, Form]
    jacobian: Sequence[tuple[int, int]]


@functools.cache
def kernels(declaration: type[Declaration], families: tuple[type[Family], ...]) -> Kernels:
    """Derived on coordinates of bodies, also where elements of tables go through markers."""
    found: Derived = derive(declaration, families)
    head = dict(line.split(" = ", 1) for line in found.head if line.startswith("JACOBIAN = "))
    return Kernels({form.name: form for form in found.forms}, ast.literal_eval(head.get("JACOBIAN", "()")))


class Position(NamedTuple):
    """Phi by row of the system, and the entries (row, column) of Phi_q."""

    phi: list[Term]
    jac: dict[tuple[int, int], Term]


class Moving(NamedTuple):
    """The same with Phi_t and gamma."""

    phi_t: list[Term]
    gamma: list[Term]
    jac: dict[tuple[int, int], Term]


class Equations:
    """Of one mechanism. lowering: what it was made from."""

    def __init__(self, lowering: TracedLowering, mechanism: Mechanism, forward: bool = False):
        require_printable(mechanism, forward)
        self.graph, self.lowering, self.mechanism = lowering.graph, lowering, mechanism
        self.n, self.m = mechanism.system.n, mechanism.system.m
        self.zero = self.graph.number(0.0)
        term = self.graph.term
        self.mass: list[Term] = [self.zero] * self.n
        for part in mechanism.parts.values():
            assert isinstance(part, PlanarBody)
            for place, value in zip(part.index, (part.mass, part.mass, part.inertia), strict=True):
                self.mass[int(place)] = term(value)
        self.drives: dict[str, list[int]] = {}
        for names in mechanism.constraint_names:
            if names.kind == "drive":  # one drive may be several elements
                self.drives.setdefault(names.name, []).extend(int(mechanism.row_position[row]) for row in names.rows)
        self.contacts = Contacts(lowering.graph, mechanism, lowering.signal_terms)
        self._directly: bool | None = None

    def state(self, name: str) -> list[Term]:
        """Coordinates, velocities or accelerations that a function is given."""
        return [self.graph.input(f"{name}[{i}]", MOVING) for i in range(self.n)]

    def of_element(self, element: Any, kernel: str, state: Mapping[str, State]) -> list[tuple[str, int, Term]]:
        dofs = np.concatenate(element.coordinates)

        def given(place: Place) -> Term:
            if place.array == "par":
                return self.graph.term(element.parameters[place.entry])
            if place.array == "u":
                return self.lowering.signal_terms[element.signals[place.entry]][place.rate]
            column = int(dofs[place.entry])
            return self.zero if column == GROUND else state[place.array][column]

        return form_terms(kernels(element.declaration, element.families).forms[kernel], self.graph, given)

    def _constraints(self, kernel: str, state: Mapping[str, State]) -> tuple[dict[str, list[Term]], dict[Any, Term]]:
        rows: dict[str, list[Term]] = {}
        jac: dict[tuple[int, int], Term] = {}
        for names, element in self.mechanism.attached():
            dofs, pattern = np.concatenate(element.coordinates), kernels(element.declaration, element.families).jacobian
            own = [int(self.mechanism.row_position[row]) for row in names.rows]
            for array, k, term in self.of_element(element, kernel, state):
                row = own[pattern[k][0] if array == "jac" else k]
                if row >= self.m:
                    continue  # redundant: it follows from others
                if array == "jac":
                    column = int(dofs[pattern[k][1]])
                    if column != GROUND:
                        jac[row, column] = jac.get((row, column), self.zero) + term
                else:
                    rows.setdefault(array, [self.zero] * self.m)[row] = term
        return rows, {key: term for key, term in jac.items() if term is not self.zero}

    def position(self, q: State) -> Position:
        rows, jac = self._constraints("position", {"q": q})
        return Position(rows.get("phi", []), jac)

    def motion(self, q: State, v: State) -> Moving:
        rows, jac = self._constraints("motion", {"q": q, "v": v})
        return Moving(rows.get("phi_t", []), rows.get("gamma", []), jac)

    def factors(self, jac: Mapping[tuple[int, int], Term]) -> Direct | Factors:
        """Of the equations of motion, W being the masses."""
        if self.n == self.m:
            found = Direct(self.graph, self.mass, jac, self.mechanism.scale, self.mechanism.size)
            if not found.regular:
                At(f"model '{self.mechanism.name}'").fail(
                    "has joints or drives that hold the same twice, and something that none of them holds",
                    expected="drives that determine the motion",
                )
            if self._directly is None:
                self._directly = found.largest <= LARGEST and self._length(found) < self._length(self._replayed(jac))
            if self._directly:
                return found
        return self._replayed(jac)

    def side(self, factors: Direct | Factors) -> Term:
        """On which side of singular poses a mechanism is that drives determine: see sense.py."""
        if isinstance(factors, Direct):
            return factors.side
        return side_of(self.graph, self.position(self.state("q")).jac, self.n)

    def _replayed(self, jac: Mapping[tuple[int, int], Term]) -> Factors:
        return Replay(self.mechanism.system, self.graph).factors(self.mass, jac)

    def _length(self, factors: Direct | Factors) -> int:
        """Operations of a factorisation and a solution."""
        given = [[self.graph.input(f"{name}[{i}]", MOVING) for i in range(self.n)] for name in ("top", "bottom")]
        x, lam = factors.solve(given[0], given[1])
        return len(self.graph.needed([*x, *lam]))

    def forces(self, q: State, v: State) -> list[Term]:
        """Q, with what contacts that touch add to it."""
        total = [self.zero] * self.n
        for _, element in self.mechanism.acting():
            dofs = np.concatenate(element.coordinates)
            for _, k, term in self.of_element(element, "force", {"q": q, "v": v}):
                if dofs[k] != GROUND:
                    total[int(dofs[k])] += term
        for column, term in self.contacts.forces(q, v, self.lowering.time).items():
            total[column] += term
        return total

    def wanted(self, q: State) -> tuple[dict[tuple[int, int], Term], list[Term]]:
        """Entries of the conditions on velocities at the start that somebody wishes for, and their values."""
        pose = np.empty(self.n, dtype=object)
        pose[:] = q
        entries: dict[tuple[int, int], Term] = {}
        values: list[Term] = []
        for want in self.mechanism.wanted:
            rows = want.rows(pose[want.index])
            value = want.value(pose[want.index]) if callable(want.value) else want.value
            for i, row in enumerate(rows):
                for column, entry in zip(want.index, row, strict=True):
                    if (term := self.graph.term(entry)) is not self.zero:
                        entries[len(values) + i, int(column)] = term
            values += [self.graph.term(x) for x in value]
        return entries, values

    def outputs(self, names: Sequence[str], q: State, v: State, a: State, lam: State, phi_t: State) -> list[Term]:
        """Outputs by name: those of results, and the power of a drive."""
        q_row, v_row, a_row = (_row([*x, self.zero]) for x in (q, v, a))
        none = _row([])
        motion = Motion(np.array([self.lowering.time]), q_row, v_row, a_row, _row(lam), none, none)
        catalogue = Catalogue(self._with_terms())
        found = []
        of_contacts = ContactOutputs(self.contacts, q, v, self.lowering.time)
        for name in names:
            if name in EVIDENCE:
                found.append(EVIDENCE[name](self, q, v, lam, phi_t))
                continue
            drive = name.removesuffix(POWER)
            if drive in self.drives and name.endswith(POWER):
                found.append(sum((lam[row] * phi_t[row] for row in self.drives[drive] if row < self.m), self.zero))
                continue
            if (term := of_contacts.get(name)) is not None:
                found.append(term)
                continue
            try:
                (value,) = np.ravel(catalogue[name].values(motion))
            except (TypeError, AttributeError, ValueError, IndexError, NumbaError):  # a formula of arrays
                At("designs", name).fail(
                    "is an output that cannot be printed yet",
                    expected="places, velocities, angles, reactions, torques, forces of contacts; or gw.sweep, which has all",
                )
            found.append(self.graph.term(value))
        return found

    def _with_terms(self) -> Mechanism:
        """The mechanism whose points are terms: arrays of NumPy would take traced numbers for plain ones."""
        made = copy(self.mechanism)
        made.parts = {
            name: replace(part, points={point: tuple(map(self.graph.term, at)) for point, at in part.points.items()})
            for name, part in self.mechanism.parts.items()
        }
        return made


def _row(values: Sequence[Any]) -> np.ndarray:
    row = np.empty((1, len(values)), dtype=object)
    row[0, :] = values
    return row


def require_printable(mechanism: Mechanism, forward: bool = False) -> None:
    """ModelError that names the first thing that a printed program cannot have yet. forward: whether it integrates, or drives
    determine the motion."""
    at = At(f"model '{mechanism.name}'")
    if mechanism.dimension != 2:
        at.fail("is a model in space, which cannot be printed yet", expected="a model in the plane, or gw.sweep")
    for part in mechanism.parts.values():
        if not isinstance(part, PlanarBody):
            at.fail(f"{part.kind} '{part.name}' cannot be printed yet", expected="rigid bodies and links, or gw.sweep")
    for names in mechanism.contact_names:
        contact = mechanism.contact_of(names)
        if not forward:
            at.fail(
                f"contact '{names.name}' cannot be printed for an analysis without steps in time",
                expected="analysis={'type': 'forward', 'until': 1, 'step': 1e-3}, a model without contacts, or gw.sweep",
            )
        if contact.by_gap or contact.field is not None or not isinstance(contact.geometry, Element):
            at.fail(
                f"contact '{names.name}' is that of many points, a mesh or a field of heights, which cannot be printed yet",
                expected="a point or circle on lines, circles, faces, bars or a polyline, or gw.sweep",
            )
        if contact.law is None:
            at.fail(f"contact '{names.name}' has no law", expected="a law such as hunt-crossley")
    for kind, name, element in (
        *((n.kind, n.name, e) for n, e in zip(mechanism.constraint_names, mechanism.constraints, strict=True)),
        *(("force", n.name, n.element) for n in mechanism.force_names),
    ):
        if not isinstance(element, Element) or element.declaration.kernels is not None:
            at.fail(
                f"{kind} '{name}' ({element.declaration.name}) cannot be printed yet",
                expected="other elements, or gw.sweep",
            )
        try:
            kernels(element.declaration, element.families)
        except NotPrintable as error:
            at.fail(
                f"{kind} '{name}' uses {error}, which cannot be printed yet", expected="other elements, or gw.sweep"
            )
    free = mechanism.degrees_of_freedom
    if free and not forward:
        at.fail(
            f"the drives leave {free} degree{'s' if free > 1 else ''} of freedom, which this analysis cannot have",
            expected="drives that determine the motion, or analysis={'type': 'forward', 'until': 1, 'step': 1e-3}",
        )
