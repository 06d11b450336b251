"""Reading of a model with numbers that carry their expression in the parameters of a design.

A document is lowered to the tables of a mechanism by ordinary arithmetic. Here the varied parameters are floats with a term
(`TracedNumber`), and so are all numbers computed from them. Numbers that pass through an array or a function of `math` lose
their term silently; `require_equal_numbers` therefore lowers some designs without tracing, too, and compares every number.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.codegen.expression_terms import expression_to_term
from gaitwright.derive.term_graph import DESIGN_LEVEL, MOTION_LEVEL, NUMBER_LEVEL, NotPrintable, Term, TermGraph
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.model import expressions
from gaitwright.model.compiled_model import CompiledModel
from gaitwright.model.limits import DEFAULT_MAX_VALUE, DEFAULT_MIN_POSITIVE, MAX_VALUE_BY_UNIT, MIN_POSITIVE_BY_UNIT
from gaitwright.model.reader.number_reader import NumberReader
from gaitwright.model.spec.document import ModelDocument

TRACED_RTOL = 1e-12
"""Relative tolerance for comparing traced with plain numbers: rounding by another order of operations."""
GENERIC_PARAMETER_VALUE = 1.2345678e-3
"""Value that replaces a zero of a varied parameter while tables are made, so that entries that vanish with it exist."""
COMPARISON_TIMES_S = (0.0, 0.137, 0.731)
"""Times at which functions of time are compared, s."""


class TracedNumber(float):
    """Float that carries its term."""

    term: Term

    def __new__(cls, value: float, term: Term) -> TracedNumber:
        number = float.__new__(cls, value)
        number.term = term
        return number

    def __neg__(self) -> TracedNumber:
        return TracedNumber(-float(self), -self.term)

    def __abs__(self) -> TracedNumber:
        return TracedNumber(abs(float(self)), abs(self.term))


def _traced_operator(name: str, swapped: bool) -> Any:
    operation = getattr(operator, name)

    def method(self: TracedNumber, other: Any) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        a, b = (other, self) if swapped else (self, other)
        graph = self.term.graph
        return TracedNumber(operation(float(a), float(b)), operation(graph.term(a), graph.term(b)))

    return method


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(TracedNumber, f"__{_name}__", _traced_operator(_name, False))
    setattr(TracedNumber, f"__r{_name}__", _traced_operator(_name, True))


class TermLimit(NamedTuple):
    """Validity condition for a parameter-dependent number. least: lower bound, or None. most: upper bound of the absolute
    value. where: location in the model, for messages."""

    term: Term
    least: float | None
    most: float
    where: str


class TracedNumberReader(NumberReader):
    """Reader of traced numbers, for a MechanismBuilder. varied: names of the parameters that become p[0], p[1], ..."""

    def __init__(self, document: ModelDocument, varied: Sequence[str], graph: TermGraph):
        self.graph, self.time = graph, graph.input("t", MOTION_LEVEL)
        self.terms: dict[str, Term] = {}
        self.signal_terms: list[tuple[Term, Term, Term]] = []
        self.limits: list[TermLimit] = []
        self.drawn: dict[str, Sequence[float]] = {}
        plain = expressions.resolve_parameters(document.parameters)
        generic = {name: GENERIC_PARAMETER_VALUE for name in varied if plain[name] == 0.0}
        super().__init__(document, {name: plain[name] or generic[name] for name in varied})
        input_by_name = {name: graph.input(f"p[{k}]", DESIGN_LEVEL) for k, name in enumerate(varied)}
        for name in self.values:
            self._resolve(name, input_by_name)
        numbers = self.values
        self.values = {name: self.remembered(numbers[name], term) for name, term in self.terms.items()}

    def _resolve(self, name: str, input_by_name: Mapping[str, Term]) -> Term:
        if name not in self.terms:
            value = self.document.parameters[name]
            if name in input_by_name:
                self.terms[name] = input_by_name[name]
            elif isinstance(value, str):
                parsed = self.expression(value)
                for used in parsed.names - {"t"}:
                    self._resolve(used, input_by_name)
                self.terms[name] = expression_to_term(parsed, self.graph, self.terms)
            else:
                self.terms[name] = self.graph.number(value)
        return self.terms[name]

    def remembered(self, value: float, term: Term) -> float:
        return value if term.level == NUMBER_LEVEL else TracedNumber(value, term)

    def number(self, value: Any, element: str, field: str, unit: str = "") -> float:
        if isinstance(value, TracedNumber):
            return value
        number = super().number(value, element, field, unit)
        if not isinstance(value, str):
            return number
        term = self.written(value)
        if term.level > NUMBER_LEVEL:
            self.limits.append(
                TermLimit(term, None, MAX_VALUE_BY_UNIT.get(unit, DEFAULT_MAX_VALUE), _field_location(element, field))
            )
        return self.remembered(number, term)

    def written(self, text: str) -> Term:
        """Term of an expression of the document."""
        return expression_to_term(self.expression(text), self.graph, self.terms, self.time)

    def angle(self, y: float, x: float) -> float:
        angle = super().angle(y, x)
        if isinstance(y, TracedNumber) or isinstance(x, TracedNumber):
            return self.remembered(angle, self.graph.call("atan2", self.graph.term(y), self.graph.term(x)))
        return angle

    def distance(self, start: Sequence[float], end: Sequence[float]) -> float:
        length = super().distance(start, end)
        if not any(isinstance(x, TracedNumber) for x in (*start, *end)):
            return length
        squares = (self.graph.term(a) - self.graph.term(b) for a, b in zip(start, end, strict=True))
        return self.remembered(length, sum((x * x for x in squares), self.graph.number(0.0)).sqrt())

    def drawn_pose(self, name: str, pose: Sequence[float]) -> np.ndarray:
        self.drawn[name] = pose
        return super().drawn_pose(name, pose)

    def positive(self, value: Any, element: str, field: str, unit: str) -> float:
        number = super().positive(value, element, field, unit)
        if isinstance(number, TracedNumber):
            self.limits.append(
                TermLimit(
                    number.term,
                    MIN_POSITIVE_BY_UNIT.get(unit, DEFAULT_MIN_POSITIVE),
                    MAX_VALUE_BY_UNIT.get(unit, DEFAULT_MAX_VALUE),
                    _field_location(element, field),
                )
            )
        return number

    def signal(self, value: Any, element: str, field: str) -> int:
        # Equal signals are not merged: they may differ for other values of the parameters.
        try:
            program = expressions.compile_program(self.expression(value), self.values, self.series)
            term = self.written(value) if isinstance(value, str) else self.graph.number(value)
            rate = self.graph.slope(term, self.time)
            self.signal_terms.append((term, rate, self.graph.slope(rate, self.time)))
        except (ModelError, NotPrintable) as error:
            ErrorContext(element, field).fail(
                str(error) if isinstance(error, ModelError) else f"uses {error}, which cannot be printed yet", value
            )
        self.signals.append(program)
        return len(self.signals) - 1


def _field_location(element: str, field: str) -> str:
    return f"{element}, field '{field}'" if field else element


class MechanismNumbers(NamedTuple):
    """All numbers of a mechanism in a fixed order. values: terms or floats. names: descriptions."""

    values: list[Any]
    names: list[str]


def collect_numbers(mechanism: Mechanism, wishes: Sequence[tuple[str, int]]) -> MechanismNumbers:
    """Collect the parameters of all elements, masses, inertias, points and requested start velocities. wishes: labels and sizes
    of the start velocities; a missing one is zero."""
    values: list[Any] = []
    names: list[str] = []
    pairs = [
        (f"{n.kind} '{n.name}'", e) for n, e in zip(mechanism.constraint_names, mechanism.constraints, strict=True)
    ]
    pairs += [(f"force '{n.name}'", n.element) for n in mechanism.force_names]
    pairs += [
        (f"contact '{n.name}'", mechanism.contacts[k].geometry) for n in mechanism.contact_names for k in n.pieces
    ]
    for label, element in pairs:
        parameters = (
            list(np.ravel(element.parameters)) if isinstance(element.parameters, np.ndarray) else element.parameters
        )
        values += parameters
        names += [f"a number of {label}"] * len(parameters)
    for name, part in mechanism.parts.items():
        numbers_of_element = [part.mass, getattr(part, "inertia", 0.0)]
        values += numbers_of_element
        names += [f"the mass of '{name}'", f"the inertia of '{name}'"]
        for point, position in part.points.items():
            values += position
            names += [f"the point '{name}.{point}'"] * len(position)
    for contact_names in mechanism.contact_names:
        for k in contact_names.pieces:
            contact = mechanism.contacts[k]
            laws = [numbers for part in (contact.law, contact.friction) if part is not None for numbers in part[1]]
            numbers_of_element = [*contact.shape[1], *laws, contact.slowest, contact.weight, contact.approach or 0.0]
            values += numbers_of_element
            names += [f"a number of contact '{contact_names.name}'"] * len(numbers_of_element)
    start_velocities = {request.label: request.value for request in mechanism.wanted if not callable(request.value)}
    for label, size in wishes:
        values += list(start_velocities.get(label, [0.0] * size))
        names += [f"the {label} at the start"] * size
    return MechanismNumbers(values, names)


def require_equal_numbers(
    model: CompiledModel, varied: Sequence[str], mechanism: Mechanism, signals: Sequence[Sequence[Term]], graph: TermGraph,
    designs: Sequence[Mapping[str, float]], drawn: Mapping[str, Sequence[float]] | None = None,
) -> None:  # fmt: skip
    """Raise ModelError unless traced numbers and functions of time equal those read without tracing for some designs.
    drawn: drawn poses of bodies, if they affect the start."""
    wishes = [(request.label, len(request.value)) for request in mechanism.wanted if not callable(request.value)]
    numbers = collect_numbers(mechanism, wishes)
    terms = [graph.term(value) for value in numbers.values]
    drawn = drawn or {}
    drawn_terms = [(name, graph.term(value)) for name, pose in drawn.items() for value in pose]
    for design in designs:
        try:
            plain = model.mechanism(design)
        except ModelError:
            continue  # an invalid design: see TermLimit
        inputs = {f"p[{k}]": float(design[name]) for k, name in enumerate(varied)}
        traced_values = graph.values([*terms, *(term for _, term in drawn_terms)], inputs)
        expected = [*collect_numbers(plain, wishes).values, *(x for name in drawn for x in plain.parts[name].drawn)]
        names = [*numbers.names, *(f"where '{name}' is drawn" for name, _ in drawn_terms)]
        for name, a, b in zip(names, traced_values, expected, strict=True):
            if not abs(float(a) - float(b)) <= TRACED_RTOL * max(1.0, abs(float(b))):
                _fail_different(name, float(a), float(b), design)
        pairs = [
            (element, plain_element)
            for traced_items, others in ((mechanism.constraints, plain.constraints), (mechanism.forces, plain.forces))
            for element, plain_element in zip(traced_items, others, strict=True)
        ]
        for element, plain_element in pairs:
            for traced_items, plain_signal in zip(element.signals, plain_element.signals, strict=True):
                for t in COMPARISON_TIMES_S:
                    a = np.array(graph.values(signals[traced_items], {**inputs, "t": t}), dtype=float)
                    b = np.array([float(x) for x in evaluate_program(plain.signals[plain_signal], t)])
                    if not np.all(np.abs(a - b) <= 1e-9 * np.maximum(1.0, np.abs(b))):
                        _fail_different(f"a function of time of '{element.declaration.name}'", a[0], b[0], design)


def _fail_different(description: str, traced_value: float, plain_value: float, design: Mapping[str, float]) -> None:
    parameter_text = ", ".join(f"{name} = {value:.6g}" for name, value in design.items())
    ErrorContext("designs").fail(
        f"{description} depends on the parameters in a way that cannot be printed yet ({traced_value:.9g} instead of "
        f"{plain_value:.9g} for {parameter_text})",
        expected="other parameters to vary, or gw.sweep",
    )
