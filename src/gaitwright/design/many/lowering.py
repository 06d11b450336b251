"""Lowering with numbers that remember their expression in the parameters of a design.

A document becomes the tables of a mechanism through ordinary arithmetic. Here the parameters that designs vary are floats that
carry a term along (`Traced`), and so does what is computed from them. What goes through an array or a function of `math` loses
it silently; so `require_same` lowers some designs the plain way, too, and compares every number.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.derive.terms import DESIGN, MOVING, NUMBER, Graph, NotPrintable, Term
from gaitwright.design.many.expressions import term_of
from gaitwright.errors import ModelError
from gaitwright.model import expressions
from gaitwright.model.limits import LARGEST, OTHERWISE, SMALLEST, TINY
from gaitwright.model.lower import Lowering, lower
from gaitwright.model.spec import Document
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.signals import evaluate_program

SAME = 1e-12
"""How far, relative to its size, a remembered number may be from the plain one: rounding of another order of operations."""
GENERIC = 1.2345678e-3
"""In place of a varied parameter that is zero in the model while tables are made: what vanishes with it has a place in them."""
TIMES = (0.0, 0.137, 0.731)
"""s, at which functions of time are compared."""


class Traced(float):
    """A number that remembers its term."""

    term: Term

    def __new__(cls, value: float, term: Term) -> Traced:
        made = float.__new__(cls, value)
        made.term = term
        return made

    def __neg__(self) -> Traced:
        return Traced(-float(self), -self.term)

    def __abs__(self) -> Traced:
        return Traced(abs(float(self)), abs(self.term))


def _both(name: str, swapped: bool) -> Any:
    on_numbers = getattr(operator, name)

    def method(self: Traced, other: Any) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        a, b = (other, self) if swapped else (self, other)
        graph = self.term.graph
        return Traced(on_numbers(float(a), float(b)), on_numbers(graph.term(a), graph.term(b)))

    return method


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(Traced, f"__{_name}__", _both(_name, False))
    setattr(Traced, f"__r{_name}__", _both(_name, True))


class Limit(NamedTuple):
    """What a number has to be for a design to be one. least: None if any size will do."""

    term: Term
    least: float | None
    most: float
    where: str


class TracedLowering(Lowering):
    """Lowering that remembers. varied: names of parameters, which become p[0], p[1], ..."""

    def __init__(self, document: Document, varied: Sequence[str], graph: Graph):
        self.graph, self.time = graph, graph.input("t", MOVING)
        self.terms: dict[str, Term] = {}
        self.signal_terms: list[tuple[Term, Term, Term]] = []
        self.limits: list[Limit] = []
        self.drawn: dict[str, Sequence[float]] = {}
        plain = expressions.resolve_parameters(document.parameters)
        generic = {name: GENERIC for name in varied if plain[name] == 0.0}
        super().__init__(document, {name: plain[name] or generic[name] for name in varied})
        given = {name: graph.input(f"p[{k}]", DESIGN) for k, name in enumerate(varied)}
        for name in self.values:
            self._resolve(name, given)
        numbers = self.values
        self.values = {name: self.remembered(numbers[name], term) for name, term in self.terms.items()}

    def _resolve(self, name: str, given: Mapping[str, Term]) -> Term:
        if name not in self.terms:
            value = self.document.parameters[name]
            if name in given:
                self.terms[name] = given[name]
            elif isinstance(value, str):
                parsed = self.expression(value)
                for other in parsed.names - {"t"}:
                    self._resolve(other, given)
                self.terms[name] = term_of(parsed, self.graph, self.terms)
            else:
                self.terms[name] = self.graph.number(value)
        return self.terms[name]

    def remembered(self, value: float, term: Term) -> float:
        return value if term.level == NUMBER else Traced(value, term)

    def number(self, value: Any, element: str, field: str, unit: str = "") -> float:
        if isinstance(value, Traced):
            return value
        number = super().number(value, element, field, unit)
        if not isinstance(value, str):
            return number
        term = self.written(value)
        if term.level > NUMBER:
            self.limits.append(Limit(term, None, LARGEST.get(unit, OTHERWISE), _where(element, field)))
        return self.remembered(number, term)

    def written(self, text: str) -> Term:
        """The term of an expression of the document."""
        return term_of(self.expression(text), self.graph, self.terms, self.time)

    def angle(self, y: float, x: float) -> float:
        found = super().angle(y, x)
        if isinstance(y, Traced) or isinstance(x, Traced):
            return self.remembered(found, self.graph.call("atan2", self.graph.term(y), self.graph.term(x)))
        return found

    def distance(self, start: Sequence[float], end: Sequence[float]) -> float:
        found = super().distance(start, end)
        if not any(isinstance(x, Traced) for x in (*start, *end)):
            return found
        squares = (self.graph.term(a) - self.graph.term(b) for a, b in zip(start, end, strict=True))
        return self.remembered(found, sum((x * x for x in squares), self.graph.number(0.0)).sqrt())

    def drawn_pose(self, name: str, pose: Sequence[float]) -> np.ndarray:
        self.drawn[name] = pose
        return super().drawn_pose(name, pose)

    def positive(self, value: Any, element: str, field: str, unit: str) -> float:
        number = super().positive(value, element, field, unit)
        if isinstance(number, Traced):
            self.limits.append(
                Limit(number.term, SMALLEST.get(unit, TINY), LARGEST.get(unit, OTHERWISE), _where(element, field))
            )
        return number

    def signal(self, value: Any, element: str, field: str) -> int:
        # Not merged with an equal one: what is the same function for these parameters need not be it for others.
        try:
            program = expressions.program(self.expression(value), self.values, self.series)
            found = self.written(value) if isinstance(value, str) else self.graph.number(value)
            rate = self.graph.slope(found, self.time)
            self.signal_terms.append((found, rate, self.graph.slope(rate, self.time)))
        except (ModelError, NotPrintable) as error:
            At(element, field).fail(
                str(error) if isinstance(error, ModelError) else f"uses {error}, which cannot be printed yet", value
            )
        self.signals.append(program)
        return len(self.signals) - 1


def _where(element: str, field: str) -> str:
    return f"{element}, field '{field}'" if field else element


class Numbers(NamedTuple):
    """All numbers behind a mechanism, in one order: terms or floats, and what each is."""

    values: list[Any]
    names: list[str]


def numbers_of(mechanism: Mechanism, wishes: Sequence[tuple[str, int]]) -> Numbers:
    """The parameters of all elements, masses, inertias and points; start velocities that are wished for. wishes: labels and
    sizes of these; one that is not there is zero, which nobody has to wish for."""
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
        given = [part.mass, getattr(part, "inertia", 0.0)]
        values += given
        names += [f"the mass of '{name}'", f"the inertia of '{name}'"]
        for point, at in part.points.items():
            values += at
            names += [f"the point '{name}.{point}'"] * len(at)
    for contact_names in mechanism.contact_names:
        for k in contact_names.pieces:
            contact = mechanism.contacts[k]
            laws = [numbers for part in (contact.law, contact.friction) if part is not None for numbers in part[1]]
            given = [*contact.shape[1], *laws, contact.slowest, contact.weight, contact.approach or 0.0]
            values += given
            names += [f"a number of contact '{contact_names.name}'"] * len(given)
    wanted = {want.label: want.value for want in mechanism.wanted if not callable(want.value)}
    for label, size in wishes:
        values += list(wanted.get(label, [0.0] * size))
        names += [f"the {label} at the start"] * size
    return Numbers(values, names)


def require_same(
    document: Document, varied: Sequence[str], mechanism: Mechanism, signals: Sequence[Sequence[Term]], graph: Graph,
    designs: Sequence[Mapping[str, float]], drawn: Mapping[str, Sequence[float]] | None = None,
) -> None:  # fmt: skip
    """ModelError unless the numbers that were remembered are those that plain lowering gives for some designs. drawn: poses
    that bodies are drawn in, where these count."""
    wishes = [(want.label, len(want.value)) for want in mechanism.wanted if not callable(want.value)]
    found = numbers_of(mechanism, wishes)
    terms = [graph.term(value) for value in found.values]
    drawn = drawn or {}
    places = [(name, graph.term(value)) for name, pose in drawn.items() for value in pose]
    for design in designs:
        try:
            plain = lower(document, dict(design))
        except ModelError:
            continue  # no design at all: see Limit
        inputs = {f"p[{k}]": float(design[name]) for k, name in enumerate(varied)}
        got = graph.values([*terms, *(term for _, term in places)], inputs)
        wanted = [*numbers_of(plain, wishes).values, *(x for name in drawn for x in plain.parts[name].drawn)]
        names = [*found.names, *(f"where '{name}' is drawn" for name, _ in places)]
        for name, a, b in zip(names, got, wanted, strict=True):
            if not abs(float(a) - float(b)) <= SAME * max(1.0, abs(float(b))):
                _differs(name, float(a), float(b), design)
        pairs = [
            (element, other)
            for mine, others in ((mechanism.constraints, plain.constraints), (mechanism.forces, plain.forces))
            for element, other in zip(mine, others, strict=True)
        ]
        for element, other in pairs:
            for mine, its in zip(element.signals, other.signals, strict=True):
                for t in TIMES:
                    a = np.array(graph.values(signals[mine], {**inputs, "t": t}), dtype=float)
                    b = np.array([float(x) for x in evaluate_program(plain.signals[its], t)])
                    if not np.all(np.abs(a - b) <= 1e-9 * np.maximum(1.0, np.abs(b))):
                        _differs(f"a function of time of '{element.declaration.name}'", a[0], b[0], design)


def _differs(what: str, got: float, wanted: float, design: Mapping[str, float]) -> None:
    shown = ", ".join(f"{name} = {value:.6g}" for name, value in design.items())
    At("designs").fail(
        f"{what} depends on the parameters in a way that cannot be printed yet ({got:.9g} instead of {wanted:.9g} for {shown})",
        expected="other parameters to vary, or gw.sweep",
    )
