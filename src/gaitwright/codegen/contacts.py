"""Contacts of a mechanism as terms: the computation of contact/forces.py (pose, surface, slip, law, friction, wrench).

As in the tables, each piece of a surface is a separate contact. The state of contacts is `mem`, MEMORY numbers each:

    touching   approach   [stretch (2)   place (2)   normal (2)   axis (2)   spin   time]        in brackets: of bristles alone

and the numbers observed to find events are `seen`, OBSERVED_SIZE each: gap, its rate, region, slip speed, and slip along the
stretch of the bristles. march.h uses the same indices.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from gaitwright.contact.bristles import FULL_TURN_RAD, MIN_MEAN_NORMAL_SIZE, MIN_NORMAL_CHANGE_SQUARED
from gaitwright.contact.state import MIN_PENETRATION_M
from gaitwright.contact.tables import contact_radius, has_bristle_friction
from gaitwright.derive.form_terms import LoadPlace, form_to_terms
from gaitwright.derive.kernel_library import MarkerBasis, derive_kernels
from gaitwright.derive.term_graph import DESIGN_LEVEL, MOTION_LEVEL, Term, TermGraph
from gaitwright.mechanism.blocks import ContactBlock, MechanismElement
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import GROUND

MEMORY_TOUCHING, MEMORY_APPROACH, MEMORY_STRETCH, MEMORY_PLACE, MEMORY_NORMAL, MEMORY_AXIS, MEMORY_SPIN, MEMORY_TIME = (
    0,
    1,
    2,
    4,
    6,
    8,
    10,
    11,
)
MEMORY_SIZE, BRISTLE_MEMORY_SIZE = 2, 12
"""Numbers of state per contact, without and with bristles."""
OBSERVED_SIZE = 5
TWIST_SIZE = 3
TermVector = tuple[Term, Term]


class ContactTerms(NamedTuple):
    """Terms of a contact at a state. wrench: force (N) and moment (N m) on b in the frame of a. stretch: bristle stretch before
    slipping, m, and `limit`, its maximum. place: of b; axes: of a; both in the ground frame."""

    gap: Term
    rate: Term
    region: Term
    slip: Term
    normal: Term
    tangential: Term
    wrench: tuple[Term, Term, Term]
    twist: dict[tuple[int, int], Term]
    at: TermVector
    direction: TermVector
    gradient: TermVector
    slip_vector: TermVector
    stretch: TermVector
    limit: Term
    axis: TermVector
    spin: Term
    place: TermVector
    axes: tuple[TermVector, TermVector]


@functools.cache
def _derive_forms(declaration: Any, basis: Any) -> dict[str, Any]:
    return {form.name: form for form in derive_kernels(declaration, basis).forms}


class ContactEquations:
    """Contacts of one mechanism as terms. memory: numbers of state per contact in this program."""

    def __init__(self, graph: TermGraph, mechanism: Mechanism, signals: Sequence[Sequence[Term]]):
        self.graph, self.mechanism, self.signals = graph, mechanism, signals
        self.contacts: list[ContactBlock] = mechanism.contacts
        self.count = len(self.contacts)
        self.zero = graph.number(0.0)
        self.bristled = [has_bristle_friction(contact) for contact in self.contacts]
        self.memory = BRISTLE_MEMORY_SIZE if any(self.bristled) else MEMORY_SIZE
        self.grain = float(mechanism.system.contacts.grain[0]) if self.count else 0.0

    def remembered(self, k: int, entry: int) -> Term:
        return self.graph.input(f"mem[{self.memory * k + entry}]", MOTION_LEVEL)

    def radius(self, k: int) -> Term:
        """Radius of the touching circle, m; 0 for a point."""
        return self.graph.term(contact_radius(self.contacts[k]))

    def next_piece(self) -> list[int]:
        """Indices, by contact, of the next piece of its surface; for the last piece, the first."""
        groups: dict[int, list[int]] = {}
        for k, contact in enumerate(self.contacts):
            groups.setdefault(contact.group, []).append(k)
        next_index = list(range(self.count))
        for members in groups.values():
            for k, next_member in zip(members, [*members[1:], members[0]], strict=True):
                next_index[k] = next_member
        return next_index

    # one contact ---------------------------------------------------------------------------------------------------------

    def touch(self, k: int, q: Sequence[Term], v: Sequence[Term], t: Term) -> ContactTerms:
        """Terms of contact k as if it were closed; `acts` and `forces` take its state into account."""
        graph, contact = self.graph, self.contacts[k]
        assert isinstance(contact.geometry, MechanismElement)
        pose, twist = self._pose(contact.geometry, q, v)
        position, velocity, spin = (pose[0], pose[1]), (pose[2], pose[3]), pose[4]
        axis, place = (pose[7], pose[8]), (pose[9], pose[10])
        axes = (pose[11], pose[12]), (pose[13], pose[14])
        shape, numbers = contact.shape
        gap, region, n0, n1, g0, g1 = self._chosen(shape, MarkerBasis(2), "surface", numbers, position)
        n, gradient = (n0, n1), (g0, g1)
        rate = _dot_product(gradient, velocity)
        radius = self.radius(k)
        normal_speed = _dot_product(n, velocity)
        slip = (
            velocity[0] - normal_speed * n0 + radius * spin * n1,
            velocity[1] - normal_speed * n1 - radius * spin * n0,
        )
        stretch = self._stretch(k, position, n, axis, spin, radius, t) if self.bristled[k] else (self.zero, self.zero)
        tangent = (n1, -n0)
        sliding_speed = _dot_product(tangent, slip)
        force = tangential = self.zero
        limit = graph.number(-1.0)
        if contact.law is not None:
            slowest = graph.term(contact.slowest)
            law_inputs = (
                graph.call("max", -gap, graph.number(MIN_PENETRATION_M)), -rate,
                graph.call("max", self.remembered(k, MEMORY_APPROACH), slowest),
            )  # fmt: skip
            force = self._chosen(*_normal_law(contact), law_inputs)[0]
            if contact.friction is not None:
                law, par = contact.friction
                tangential, *_, limit = self._chosen(
                    law, (), "force", par, (sliding_speed, _dot_product(tangent, stretch), force)
                )
        weight = graph.term(contact.weight)
        force, tangential = weight * force, weight * tangential
        wrench = (
            force * g0 + tangential * tangent[0],
            force * g1 + tangential * tangent[1],
            -(radius * (n0 * tangential * tangent[1] - n1 * tangential * tangent[0])),
        )
        return ContactTerms(
            gap, rate, region, sliding_speed, force, tangential, wrench, twist, position, n, gradient, slip, stretch, limit,
            axis, spin, place, axes,
        )  # fmt: skip

    def acts(self, k: int, touch: ContactTerms, value: Term) -> Term:
        """Value while the contact is closed and on its piece of the surface; otherwise zero."""
        select, zero = functools.partial(self.graph.call, "select"), self.zero
        closed = select(touch.gap - self.grain, zero, value)
        on_region = closed if touch.region.level < MOTION_LEVEL else select(-touch.region, zero, closed)
        return select(self.remembered(k, MEMORY_TOUCHING), on_region, zero)

    def _pose(
        self, element: MechanismElement, q: Sequence[Term], v: Sequence[Term]
    ) -> tuple[list[Term], dict[Any, Term]]:
        dofs = [int(d) for part in element.coordinates for d in part]

        def load(place: LoadPlace) -> Term:
            if place.array == "par":
                return self.graph.term(element.parameters[place.entry])
            if place.array == "u":
                return self.signals[element.signals[place.entry]][place.rate]
            column = dofs[place.entry]
            return self.zero if column == GROUND else {"q": q, "v": v}[place.array][column]

        pose: dict[int, Term] = {}
        twist: dict[tuple[int, int], Term] = {}
        frame = _derive_forms(element.declaration, element.families)["frame"]
        for array, entry, term in form_to_terms(frame, self.graph, load):
            if array == "out":
                pose[entry] = term
            else:
                row, column = entry // len(dofs), dofs[entry % len(dofs)]
                if column != GROUND and term is not self.zero:
                    twist[row, column] = twist.get((row, column), self.zero) + term
        return [pose[i] for i in range(len(pose))], twist

    def _chosen(self, declaration: Any, basis: Any, kernel: str, numbers: Any, inputs: Sequence[Term]) -> list[Term]:
        """Evaluate a kernel of a surface, law or friction for its numbers and inputs."""

        def load(place: LoadPlace) -> Term:
            return self.graph.term(numbers[place.entry]) if place.array == "par" else inputs[place.entry]

        outputs = {k: term for _, k, term in form_to_terms(_derive_forms(declaration, basis)[kernel], self.graph, load)}
        return [outputs[k] for k in range(len(outputs))]

    def begins_steeply(self, k: int) -> bool:
        """True if the force has an unbounded slope at zero penetration, such as damping with the root of the penetration: no
        step size resolves the derivatives of such a touchdown."""
        declaration, basis, kernel, numbers = _normal_law(self.contacts[k])
        plain = [float(x) for x in numbers]
        slopes = [
            self._chosen(declaration, basis, kernel, plain, [self.graph.number(x) for x in (depth, 1.0, 1.0)])[1].value
            for depth in (1e-12, 1e-6)
        ]
        return not abs(slopes[0]) < 10.0 * abs(slopes[1]) + 1e-300

    # bristles ------------------------------------------------------------------------------------------------------------

    def _stretch(
        self, k: int, position: TermVector, n: TermVector, axis: TermVector, spin: Term, radius: Term, t: Term
    ) -> TermVector:
        """Bristle stretch as in contact/bristles.py, in the plane, m."""
        graph = self.graph

        def stored(entry: int) -> TermVector:
            return self.remembered(k, entry), self.remembered(k, entry + 1)

        z, position0, n0, axis0 = (
            stored(MEMORY_STRETCH),
            stored(MEMORY_PLACE),
            stored(MEMORY_NORMAL),
            stored(MEMORY_AXIS),
        )
        displacement = position[0] - position0[0], position[1] - position0[1]
        is_straight = max(n[0].level, n[1].level) <= DESIGN_LEVEL  # a line: its normal never turns
        normal_change = graph.number(-1.0)
        arc, mean = graph.number(1.0), n
        if not is_straight:
            normal_change = (
                (n[0] - n0[0]) * (n[0] - n0[0]) + (n[1] - n0[1]) * (n[1] - n0[1]) - MIN_NORMAL_CHANGE_SQUARED
            )
            half = graph.call(
                "min",
                0.5 * graph.call("max", normal_change, graph.number(MIN_NORMAL_CHANGE_SQUARED)).sqrt(),
                graph.number(1.0),
            )
            size = graph.call("max", (1.0 - half * half).sqrt(), graph.number(MIN_MEAN_NORMAL_SIZE))
            arc = graph.call("select", normal_change, graph.call("asin", half) / half, graph.number(1.0))
            size = graph.call("select", normal_change, size, graph.number(1.0))
            mean = 0.5 * (n[0] + n0[0]) / size, 0.5 * (n[1] + n0[1]) / size
        normal_displacement = _dot_product(mean, displacement)
        sliding = [arc * (displacement[i] - normal_displacement * mean[i]) for i in range(2)]
        if radius is not self.zero:
            sine = axis0[0] * axis[1] - axis0[1] * axis[0]
            angle = graph.call("atan2", sine, _dot_product(axis0, axis))
            mean_turn = 0.5 * (t - self.remembered(k, MEMORY_TIME)) * (self.remembered(k, MEMORY_SPIN) + spin)
            turn = angle + FULL_TURN_RAD * graph.call("floor", (mean_turn - angle) / FULL_TURN_RAD + 0.5)
            sliding = [sliding[0] + radius * turn * mean[1], sliding[1] - radius * turn * mean[0]]
        sum_without_rotation = sliding[0] + z[0], sliding[1] + z[1]
        if is_straight:
            return sum_without_rotation
        rotated_sliding, rotated_stretch = self._carried(mean, n, (sliding[0], sliding[1])), self._carried(n0, n, z)
        return (
            graph.call("select", normal_change, rotated_sliding[0] + rotated_stretch[0], sum_without_rotation[0]),
            graph.call("select", normal_change, rotated_sliding[1] + rotated_stretch[1], sum_without_rotation[1]),
        )

    def _carried(self, old: TermVector, n: TermVector, vector: TermVector) -> TermVector:
        """Rotate a vector normal to `old` with the normal, from `old` to n."""
        factor = _dot_product(vector, n) / self.graph.call(
            "max", 1.0 + _dot_product(old, n), self.graph.number(MIN_MEAN_NORMAL_SIZE)
        )
        return vector[0] - factor * (old[0] + n[0]), vector[1] - factor * (old[1] + n[1])

    def advanced(self, k: int, touch: ContactTerms, t: Term) -> list[Term]:
        """State of the bristles at the end of a step, from MEMORY_STRETCH on: stretch beyond the limit is lost."""
        graph = self.graph
        size = (_dot_product(touch.stretch, touch.stretch)).sqrt()
        part = graph.call(
            "min", graph.number(1.0), touch.limit / graph.call("max", size, graph.number(MIN_PENETRATION_M))
        )
        part = graph.call("select", -touch.region, graph.number(1.0), part)
        return [
            *(part * z for z in touch.stretch), *touch.at, *touch.direction, *touch.axis, touch.spin, t,
        ]  # fmt: skip

    # all contacts --------------------------------------------------------------------------------------------------------

    def forces(self, q: Sequence[Term], v: Sequence[Term], t: Term) -> dict[int, Term]:
        """Generalized forces of all closed contacts, by coordinate."""
        total: dict[int, Term] = {}
        for k in range(self.count):
            touch = self.touch(k, q, v, t)
            wrench = [self.acts(k, touch, part) for part in touch.wrench]
            for (row, column), entry in touch.twist.items():
                total[column] = total.get(column, self.zero) + entry * wrench[row]
        return total

    def observed(self, q: Sequence[Term], v: Sequence[Term], t: Term) -> list[Term]:
        """OBSERVED_SIZE numbers of each contact, closed or open."""
        numbers: list[Term] = []
        for k in range(self.count):
            touch = self.touch(k, q, v, t)
            speed = stretch_rate = self.zero
            if self.bristled[k]:
                speed = abs(touch.slip)
                z = self.remembered(k, MEMORY_STRETCH), self.remembered(k, MEMORY_STRETCH + 1)
                size = _dot_product(z, z)
                by_stretch = (
                    _dot_product(z, touch.slip_vector)
                    / self.graph.call("max", size, self.graph.number(MIN_PENETRATION_M)).sqrt()
                )
                stretch_rate = self.graph.call("select", size, by_stretch, touch.slip)
            numbers += [touch.gap, touch.rate, touch.region, speed, stretch_rate]
        return numbers

    def limits(self, q: Sequence[Term], v: Sequence[Term], t: Term) -> list[Term]:
        """Bristle stretch of each contact minus its limit, m; negative if the bristles stick."""
        excess = []
        for k in range(self.count):
            touch = self.touch(k, q, v, t)
            excess.append(
                _dot_product(touch.stretch, touch.stretch).sqrt() - touch.limit if self.bristled[k] else self.zero
            )
        return excess


def _dot_product(a: Sequence[Term], b: Sequence[Term]) -> Term:
    return a[0] * b[0] + a[1] * b[1]


def _normal_law(contact: ContactBlock) -> tuple[Any, Any, str, Any]:
    assert contact.law is not None
    law, numbers = contact.law
    return law, (), "force", numbers
