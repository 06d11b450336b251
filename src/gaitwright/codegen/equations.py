"""Equations of a whole mechanism as terms: Phi, Phi_q, Phi_t, gamma, Q, M, and outputs of results.

Every expression comes from a kernel form (derive/) or from the catalogue of outputs (result/); this module contains no
mechanics.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.codegen.accuracy_terms import ACCURACY_OUTPUTS
from gaitwright.codegen.branch_sign import determinant_sign
from gaitwright.codegen.contact_outputs import ContactOutputs
from gaitwright.codegen.contacts import ContactEquations
from gaitwright.codegen.elimination import TermElimination, TermFactors
from gaitwright.codegen.kinematic_solver import MAX_BLOCK_ROWS, KinematicSolver
from gaitwright.codegen.measures import POWER_SUFFIX
from gaitwright.codegen.tracing import TracedNumberReader
from gaitwright.derive.form_terms import LoadPlace, form_to_terms
from gaitwright.derive.kernel_form import DerivedKernels, KernelForm
from gaitwright.derive.kernel_library import derive_kernels
from gaitwright.derive.term_graph import MOTION_LEVEL, NotPrintable, Term
from gaitwright.jit.numba_names import NumbaError
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.parts.planar_body import PlanarBodyPart
from gaitwright.mechanism.tables import GROUND
from gaitwright.physics.declarations import Declaration, Family
from gaitwright.result.catalogue import OutputCatalogue
from gaitwright.result.outputs import StateHistory

TermSequence = Sequence[Term]


class DeclarationKernels(NamedTuple):
    """Kernel forms of a declaration by name, and the (row, column) entries of its matrix Phi_q."""

    forms: Mapping[str, KernelForm]
    jacobian: Sequence[tuple[int, int]]


@functools.cache
def derive_declaration(declaration: type[Declaration], families: tuple[type[Family], ...]) -> DeclarationKernels:
    """Derive the kernels of a declaration in coordinates of bodies, even if the tables use markers for its elements."""
    kernels: DerivedKernels = derive_kernels(declaration, families)
    head = dict(line.split(" = ", 1) for line in kernels.head if line.startswith("JACOBIAN = "))
    return DeclarationKernels({form.name: form for form in kernels.forms}, ast.literal_eval(head.get("JACOBIAN", "()")))


class PositionTerms(NamedTuple):
    """Phi by row of the system, and the entries of Phi_q by (row, column)."""

    phi: list[Term]
    jac: dict[tuple[int, int], Term]


class MotionTerms(NamedTuple):
    """Phi_t and gamma by row of the system, and the entries of Phi_q by (row, column)."""

    phi_t: list[Term]
    gamma: list[Term]
    jac: dict[tuple[int, int], Term]


class MechanismEquations:
    """Equations of one mechanism as terms. traced: numbers of the mechanism. forward: True for forward dynamics."""

    def __init__(self, traced: TracedNumberReader, mechanism: Mechanism, forward: bool = False):
        require_printable(mechanism, forward)
        self.graph, self.traced, self.mechanism = traced.graph, traced, mechanism
        self.n, self.m = mechanism.system.n, mechanism.system.m
        self.zero = self.graph.number(0.0)
        term = self.graph.term
        self.mass: list[Term] = [self.zero] * self.n
        for part in mechanism.parts.values():
            assert isinstance(part, PlanarBodyPart)
            for coordinate, value in zip(part.index, (part.mass, part.mass, part.inertia), strict=True):
                self.mass[int(coordinate)] = term(value)
        self.drives: dict[str, list[int]] = {}
        for names in mechanism.constraint_names:
            if names.kind == "drive":  # one drive may be several elements
                self.drives.setdefault(names.name, []).extend(int(mechanism.row_position[row]) for row in names.rows)
        self.contacts = ContactEquations(traced.graph, mechanism, traced.signal_terms)
        self._directly: bool | None = None

    def state(self, name: str) -> list[Term]:
        """Input terms of coordinates, velocities or accelerations (name "q", "v" or "a")."""
        return [self.graph.input(f"{name}[{i}]", MOTION_LEVEL) for i in range(self.n)]

    def of_element(self, element: Any, kernel: str, state: Mapping[str, TermSequence]) -> list[tuple[str, int, Term]]:
        dofs = np.concatenate(element.coordinates)

        def load(place: LoadPlace) -> Term:
            if place.array == "par":
                return self.graph.term(element.parameters[place.entry])
            if place.array == "u":
                return self.traced.signal_terms[element.signals[place.entry]][place.rate]
            column = int(dofs[place.entry])
            return self.zero if column == GROUND else state[place.array][column]

        return form_to_terms(derive_declaration(element.declaration, element.families).forms[kernel], self.graph, load)

    def _constraints(
        self, kernel: str, state: Mapping[str, TermSequence]
    ) -> tuple[dict[str, list[Term]], dict[Any, Term]]:
        rows: dict[str, list[Term]] = {}
        jac: dict[tuple[int, int], Term] = {}
        for names, element in self.mechanism.attached():
            dofs, pattern = (
                np.concatenate(element.coordinates),
                derive_declaration(element.declaration, element.families).jacobian,
            )
            system_rows = [int(self.mechanism.row_position[row]) for row in names.rows]
            for array, k, term in self.of_element(element, kernel, state):
                row = system_rows[pattern[k][0] if array == "jac" else k]
                if row >= self.m:
                    continue  # redundant row
                if array == "jac":
                    column = int(dofs[pattern[k][1]])
                    if column != GROUND:
                        jac[row, column] = jac.get((row, column), self.zero) + term
                else:
                    rows.setdefault(array, [self.zero] * self.m)[row] = term
        return rows, {key: term for key, term in jac.items() if term is not self.zero}

    def position(self, q: TermSequence) -> PositionTerms:
        rows, jac = self._constraints("position", {"q": q})
        return PositionTerms(rows.get("phi", []), jac)

    def motion(self, q: TermSequence, v: TermSequence) -> MotionTerms:
        rows, jac = self._constraints("motion", {"q": q, "v": v})
        return MotionTerms(rows.get("phi_t", []), rows.get("gamma", []), jac)

    def factors(self, jac: Mapping[tuple[int, int], Term]) -> KinematicSolver | TermFactors:
        """Factors of the equations of motion, with the masses as W; the shorter of two solvers if Phi_q is square."""
        if self.n == self.m:
            solver = KinematicSolver(self.graph, self.mass, jac, self.mechanism.scale, self.mechanism.size)
            if not solver.regular:
                ErrorContext(f"model '{self.mechanism.name}'").fail(
                    "has redundant joints or drives, and a motion that none of them determines",
                    expected="drives that determine the motion",
                )
            if self._directly is None:
                self._directly = solver.largest <= MAX_BLOCK_ROWS and self._length(solver) < self._length(
                    self._eliminated(jac)
                )
            if self._directly:
                return solver
        return self._eliminated(jac)

    def side(self, factors: KinematicSolver | TermFactors) -> Term:
        """Side of singular poses on which a fully driven mechanism is: see branch_sign.py."""
        if isinstance(factors, KinematicSolver):
            return factors.side
        return determinant_sign(self.graph, self.position(self.state("q")).jac, self.n)

    def _eliminated(self, jac: Mapping[tuple[int, int], Term]) -> TermFactors:
        return TermElimination(self.mechanism.system, self.graph).factors(self.mass, jac)

    def _length(self, factors: KinematicSolver | TermFactors) -> int:
        """Number of operations of a factorisation and a solution."""
        right_sides = [
            [self.graph.input(f"{name}[{i}]", MOTION_LEVEL) for i in range(self.n)] for name in ("top", "bottom")
        ]
        x, lam = factors.solve(right_sides[0], right_sides[1])
        return len(self.graph.needed([*x, *lam]))

    def forces(self, q: TermSequence, v: TermSequence) -> list[Term]:
        """Generalized forces Q, including closed contacts."""
        total = [self.zero] * self.n
        for _, element in self.mechanism.acting():
            dofs = np.concatenate(element.coordinates)
            for _, k, term in self.of_element(element, "force", {"q": q, "v": v}):
                if dofs[k] != GROUND:
                    total[int(dofs[k])] += term
        for column, term in self.contacts.forces(q, v, self.traced.time).items():
            total[column] += term
        return total

    def requested_velocities(self, q: TermSequence) -> tuple[dict[tuple[int, int], Term], list[Term]]:
        """Requested start velocities: entries of their linear conditions by (row, column), and their values."""
        pose = np.empty(self.n, dtype=object)
        pose[:] = q
        entries: dict[tuple[int, int], Term] = {}
        values: list[Term] = []
        for request in self.mechanism.wanted:
            rows = request.rows(pose[request.index])
            value = request.value(pose[request.index]) if callable(request.value) else request.value
            for i, row in enumerate(rows):
                for column, entry in zip(request.index, row, strict=True):
                    if (term := self.graph.term(entry)) is not self.zero:
                        entries[len(values) + i, int(column)] = term
            values += [self.graph.term(x) for x in value]
        return entries, values

    def outputs(
        self,
        names: Sequence[str],
        q: TermSequence,
        v: TermSequence,
        a: TermSequence,
        lam: TermSequence,
        phi_t: TermSequence,
    ) -> list[Term]:
        """Terms of outputs by name: those of results, accuracy outputs and the power of a drive."""
        q_row, v_row, a_row = (_row_matrix([*x, self.zero]) for x in (q, v, a))
        none = _row_matrix([])
        motion = StateHistory(np.array([self.traced.time]), q_row, v_row, a_row, _row_matrix(lam), none, none)
        catalogue = OutputCatalogue(self._with_terms())
        terms = []
        of_contacts = ContactOutputs(self.contacts, q, v, self.traced.time)
        for name in names:
            if name in ACCURACY_OUTPUTS:
                terms.append(ACCURACY_OUTPUTS[name](self, q, v, lam, phi_t))
                continue
            drive = name.removesuffix(POWER_SUFFIX)
            if drive in self.drives and name.endswith(POWER_SUFFIX):
                terms.append(sum((lam[row] * phi_t[row] for row in self.drives[drive] if row < self.m), self.zero))
                continue
            if (term := of_contacts.get(name)) is not None:
                terms.append(term)
                continue
            try:
                (value,) = np.ravel(catalogue[name].values(motion))
            except (
                TypeError,
                AttributeError,
                ValueError,
                IndexError,
                NumbaError,
            ):  # a formula that needs arrays of numbers
                ErrorContext("designs", name).fail(
                    "is an output that cannot be printed yet",
                    expected="places, velocities, angles, reactions, torques, forces of contacts; or gw.sweep, which has all",
                )
            terms.append(self.graph.term(value))
        return terms

    def _with_terms(self) -> Mechanism:
        """Copy of the mechanism with terms as points: NumPy arrays would convert traced numbers to plain ones."""
        parts = {
            name: replace(part, points={point: tuple(map(self.graph.term, at)) for point, at in part.points.items()})
            for name, part in self.mechanism.parts.items()
        }
        return replace(self.mechanism, parts=parts)


def _row_matrix(values: Sequence[Any]) -> np.ndarray:
    row = np.empty((1, len(values)), dtype=object)
    row[0, :] = values
    return row


def require_printable(mechanism: Mechanism, forward: bool = False) -> None:
    """Raise ModelError for the first part of a mechanism that generated programs do not support. forward: True if the program
    integrates in time; False if drives must determine the motion."""
    at = ErrorContext(f"model '{mechanism.name}'")
    if mechanism.dimension != 2:
        at.fail("is a model in space, which cannot be printed yet", expected="a model in the plane, or gw.sweep")
    for part in mechanism.parts.values():
        if not isinstance(part, PlanarBodyPart):
            at.fail(f"{part.kind} '{part.name}' cannot be printed yet", expected="rigid bodies and links, or gw.sweep")
    for names in mechanism.contact_names:
        contact = mechanism.contact_of(names)
        if not forward:
            at.fail(
                f"contact '{names.name}' cannot be printed for an analysis without steps in time",
                expected="analysis={'type': 'forward', 'until': 1, 'step': 1e-3}, a model without contacts, or gw.sweep",
            )
        if contact.by_gap or contact.field is not None or not isinstance(contact.geometry, MechanismElement):
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
        if not isinstance(element, MechanismElement) or element.declaration.kernels is not None:
            at.fail(
                f"{kind} '{name}' ({element.declaration.name}) cannot be printed yet",
                expected="other elements, or gw.sweep",
            )
        try:
            derive_declaration(element.declaration, element.families)
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
