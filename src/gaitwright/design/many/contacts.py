"""Contacts of a mechanism as terms: the chain of system/touch_forces.py (pose, surface, slip, law, friction, wrench), printed.

A surface of several pieces is as many contacts here, as in the tables. What a contact remembers is `mem`, MEMORY numbers each:

    touching   approach   [stretch (2)   place (2)   normal (2)   axis (2)   spin   time]        in brackets: of bristles alone

and what is looked at to find events is `seen`, SEEN numbers each: gap, its rate, region, speed of the slip, and slip along the
stretch of the bristles. march.h uses the same places.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from gaitwright.derive.form_terms import Place, form_terms
from gaitwright.derive.library import Markers, derive
from gaitwright.derive.terms import DESIGN, MOVING, Graph, Term
from gaitwright.system.blocks import Contact, Element
from gaitwright.system.bristles import FLAT, FULL, OPPOSITE
from gaitwright.system.contact_tables import is_bristled, radius_of
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import GROUND
from gaitwright.system.touch import TINY

TOUCHING, APPROACH, STRETCH, AT, NORMAL, AXIS, SPIN, TIME = 0, 1, 2, 4, 6, 8, 10, 11
PLAIN, WITH_BRISTLES = 2, 12
"""Numbers that a contact remembers."""
SEEN = 5
TWIST = 3
Vector = tuple[Term, Term]


class Touch(NamedTuple):
    """A contact at a state. wrench: force and moment on b in the frame of a. stretch: of bristles, before they give way, and
    `limit`, how far they can be stretched. place, axes: of b and of a in the ground frame."""

    gap: Term
    rate: Term
    region: Term
    slip: Term
    normal: Term
    tangential: Term
    wrench: tuple[Term, Term, Term]
    twist: dict[tuple[int, int], Term]
    at: Vector
    direction: Vector
    gradient: Vector
    slip_vector: Vector
    stretch: Vector
    limit: Term
    axis: Vector
    spin: Term
    place: Vector
    axes: tuple[Vector, Vector]


@functools.cache
def _forms(declaration: Any, basis: Any) -> dict[str, Any]:
    return {form.name: form for form in derive(declaration, basis).forms}


class Contacts:
    """Of one mechanism. memory: numbers that each remembers in this program."""

    def __init__(self, graph: Graph, mechanism: Mechanism, signals: Sequence[Sequence[Term]]):
        self.graph, self.mechanism, self.signals = graph, mechanism, signals
        self.contacts: list[Contact] = mechanism.contacts
        self.count = len(self.contacts)
        self.zero = graph.number(0.0)
        self.bristled = [is_bristled(contact) for contact in self.contacts]
        self.memory = WITH_BRISTLES if any(self.bristled) else PLAIN
        self.grain = float(mechanism.system.contacts.grain[0]) if self.count else 0.0

    def remembered(self, k: int, what: int) -> Term:
        return self.graph.input(f"mem[{self.memory * k + what}]", MOVING)

    def radius(self, k: int) -> Term:
        """Of what touches, m."""
        return self.graph.term(radius_of(self.contacts[k]))

    def next_piece(self) -> list[int]:
        """For each contact the next of its surface, for the last the first."""
        groups: dict[int, list[int]] = {}
        for k, contact in enumerate(self.contacts):
            groups.setdefault(contact.group, []).append(k)
        following = list(range(self.count))
        for members in groups.values():
            for k, other in zip(members, [*members[1:], members[0]], strict=True):
                following[k] = other
        return following

    # one contact ---------------------------------------------------------------------------------------------------------

    def touch(self, k: int, q: Sequence[Term], v: Sequence[Term], t: Term) -> Touch:
        """As if it were touching; what it does while it is: `forces`."""
        graph, contact = self.graph, self.contacts[k]
        assert isinstance(contact.geometry, Element)
        pose, twist = self._pose(contact.geometry, q, v)
        at, velocity, spin = (pose[0], pose[1]), (pose[2], pose[3]), pose[4]
        axis, place = (pose[7], pose[8]), (pose[9], pose[10])
        axes = (pose[11], pose[12]), (pose[13], pose[14])
        shape, numbers = contact.shape
        gap, region, n0, n1, g0, g1 = self._chosen(shape, Markers(2), "surface", numbers, at)
        n, gradient = (n0, n1), (g0, g1)
        rate = _dot(gradient, velocity)
        radius = self.radius(k)
        across = _dot(n, velocity)
        slip = (
            velocity[0] - across * n0 + radius * spin * n1,
            velocity[1] - across * n1 - radius * spin * n0,
        )
        stretch = self._stretch(k, at, n, axis, spin, radius, t) if self.bristled[k] else (self.zero, self.zero)
        tangent = (n1, -n0)
        along = _dot(tangent, slip)
        force = tangential = self.zero
        limit = graph.number(-1.0)
        if contact.law is not None:
            slowest = graph.term(contact.slowest)
            given = (
                graph.call("max", -gap, graph.number(TINY)), -rate,
                graph.call("max", self.remembered(k, APPROACH), slowest),
            )  # fmt: skip
            force = self._chosen(*_law(contact), given)[0]
            if contact.friction is not None:
                law, par = contact.friction
                tangential, *_, limit = self._chosen(law, (), "force", par, (along, _dot(tangent, stretch), force))
        weight = graph.term(contact.weight)
        force, tangential = weight * force, weight * tangential
        wrench = (
            force * g0 + tangential * tangent[0],
            force * g1 + tangential * tangent[1],
            -(radius * (n0 * tangential * tangent[1] - n1 * tangential * tangent[0])),
        )
        return Touch(
            gap, rate, region, along, force, tangential, wrench, twist, at, n, gradient, slip, stretch, limit, axis, spin,
            place, axes,
        )  # fmt: skip

    def acts(self, k: int, touch: Touch, value: Term) -> Term:
        """A number while the contact touches, closed and on its piece of the surface; otherwise zero."""
        select, zero = functools.partial(self.graph.call, "select"), self.zero
        closed = select(touch.gap - self.grain, zero, value)
        held = closed if touch.region.level < MOVING else select(-touch.region, zero, closed)
        return select(self.remembered(k, TOUCHING), held, zero)

    def _pose(self, element: Element, q: Sequence[Term], v: Sequence[Term]) -> tuple[list[Term], dict[Any, Term]]:
        dofs = [int(d) for part in element.coordinates for d in part]

        def given(place: Place) -> Term:
            if place.array == "par":
                return self.graph.term(element.parameters[place.entry])
            if place.array == "u":
                return self.signals[element.signals[place.entry]][place.rate]
            column = dofs[place.entry]
            return self.zero if column == GROUND else {"q": q, "v": v}[place.array][column]

        pose: dict[int, Term] = {}
        twist: dict[tuple[int, int], Term] = {}
        frame = _forms(element.declaration, element.families)["frame"]
        for array, entry, term in form_terms(frame, self.graph, given):
            if array == "out":
                pose[entry] = term
            else:
                row, column = entry // len(dofs), dofs[entry % len(dofs)]
                if column != GROUND and term is not self.zero:
                    twist[row, column] = twist.get((row, column), self.zero) + term
        return [pose[i] for i in range(len(pose))], twist

    def _chosen(self, declaration: Any, basis: Any, kernel: str, numbers: Any, inputs: Sequence[Term]) -> list[Term]:
        """A surface, law or friction: a function of its numbers and of what it is given."""

        def given(place: Place) -> Term:
            return self.graph.term(numbers[place.entry]) if place.array == "par" else inputs[place.entry]

        found = {k: term for _, k, term in form_terms(_forms(declaration, basis)[kernel], self.graph, given)}
        return [found[k] for k in range(len(found))]

    def begins_steeply(self, k: int) -> bool:
        """Whether its force grows faster than any multiple of the penetration, as damping with its root does: no step
        resolves the derivatives of such a touchdown."""
        declaration, basis, kernel, numbers = _law(self.contacts[k])
        plain = [float(x) for x in numbers]
        slopes = [
            self._chosen(declaration, basis, kernel, plain, [self.graph.number(x) for x in (depth, 1.0, 1.0)])[1].value
            for depth in (1e-12, 1e-6)
        ]
        return not abs(slopes[0]) < 10.0 * abs(slopes[1]) + 1e-300

    # bristles ------------------------------------------------------------------------------------------------------------

    def _stretch(self, k: int, at: Vector, n: Vector, axis: Vector, spin: Term, radius: Term, t: Term) -> Vector:
        """As system/bristles.py has it, in the plane."""
        graph = self.graph

        def before(what: int) -> Vector:
            return self.remembered(k, what), self.remembered(k, what + 1)

        z, at0, n0, axis0 = before(STRETCH), before(AT), before(NORMAL), before(AXIS)
        moved = at[0] - at0[0], at[1] - at0[1]
        straight = max(n[0].level, n[1].level) <= DESIGN  # a line: its normal never turns
        bend = graph.number(-1.0)
        arc, mean = graph.number(1.0), n
        if not straight:
            bend = (n[0] - n0[0]) * (n[0] - n0[0]) + (n[1] - n0[1]) * (n[1] - n0[1]) - FLAT
            half = graph.call("min", 0.5 * graph.call("max", bend, graph.number(FLAT)).sqrt(), graph.number(1.0))
            size = graph.call("max", (1.0 - half * half).sqrt(), graph.number(OPPOSITE))
            arc = graph.call("select", bend, graph.call("asin", half) / half, graph.number(1.0))
            size = graph.call("select", bend, size, graph.number(1.0))
            mean = 0.5 * (n[0] + n0[0]) / size, 0.5 * (n[1] + n0[1]) / size
        across = _dot(mean, moved)
        way = [arc * (moved[i] - across * mean[i]) for i in range(2)]
        if radius is not self.zero:
            sine = axis0[0] * axis[1] - axis0[1] * axis[0]
            angle = graph.call("atan2", sine, _dot(axis0, axis))
            meant = 0.5 * (t - self.remembered(k, TIME)) * (self.remembered(k, SPIN) + spin)
            turn = angle + FULL * graph.call("floor", (meant - angle) / FULL + 0.5)
            way = [way[0] + radius * turn * mean[1], way[1] - radius * turn * mean[0]]
        plain = way[0] + z[0], way[1] + z[1]
        if straight:
            return plain
        first, second = self._carried(mean, n, (way[0], way[1])), self._carried(n0, n, z)
        return (
            graph.call("select", bend, first[0] + second[0], plain[0]),
            graph.call("select", bend, first[1] + second[1], plain[1]),
        )

    def _carried(self, old: Vector, n: Vector, vector: Vector) -> Vector:
        """A vector across `old`, turned with the normal."""
        factor = _dot(vector, n) / self.graph.call("max", 1.0 + _dot(old, n), self.graph.number(OPPOSITE))
        return vector[0] - factor * (old[0] + n[0]), vector[1] - factor * (old[1] + n[1])

    def advanced(self, k: int, touch: Touch, t: Term) -> list[Term]:
        """What bristles remember at the end of a step, from STRETCH on: what gave way is lost."""
        graph = self.graph
        size = (_dot(touch.stretch, touch.stretch)).sqrt()
        part = graph.call("min", graph.number(1.0), touch.limit / graph.call("max", size, graph.number(TINY)))
        part = graph.call("select", -touch.region, graph.number(1.0), part)
        return [
            *(part * z for z in touch.stretch), *touch.at, *touch.direction, *touch.axis, touch.spin, t,
        ]  # fmt: skip

    # all contacts --------------------------------------------------------------------------------------------------------

    def forces(self, q: Sequence[Term], v: Sequence[Term], t: Term) -> dict[int, Term]:
        """What all contacts that touch do to the coordinates, by coordinate."""
        total: dict[int, Term] = {}
        for k in range(self.count):
            touch = self.touch(k, q, v, t)
            wrench = [self.acts(k, touch, part) for part in touch.wrench]
            for (row, column), entry in touch.twist.items():
                total[column] = total.get(column, self.zero) + entry * wrench[row]
        return total

    def seen(self, q: Sequence[Term], v: Sequence[Term], t: Term) -> list[Term]:
        """SEEN numbers of each contact, touching or not."""
        found: list[Term] = []
        for k in range(self.count):
            touch = self.touch(k, q, v, t)
            speed = along = self.zero
            if self.bristled[k]:
                speed = abs(touch.slip)
                z = self.remembered(k, STRETCH), self.remembered(k, STRETCH + 1)
                size = _dot(z, z)
                by_stretch = _dot(z, touch.slip_vector) / self.graph.call("max", size, self.graph.number(TINY)).sqrt()
                along = self.graph.call("select", size, by_stretch, touch.slip)
            found += [touch.gap, touch.rate, touch.region, speed, along]
        return found

    def limits(self, q: Sequence[Term], v: Sequence[Term], t: Term) -> list[Term]:
        """How far bristles of each contact are stretched beyond what they can be, m; negative where they hold."""
        found = []
        for k in range(self.count):
            touch = self.touch(k, q, v, t)
            found.append(_dot(touch.stretch, touch.stretch).sqrt() - touch.limit if self.bristled[k] else self.zero)
        return found


def _dot(a: Sequence[Term], b: Sequence[Term]) -> Term:
    return a[0] * b[0] + a[1] * b[1]


def _law(contact: Contact) -> tuple[Any, Any, str, Any]:
    assert contact.law is not None
    law, numbers = contact.law
    return law, (), "force", numbers
