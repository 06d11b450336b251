"""Outputs of contacts as terms, by the names that results have (result/touches.py), at the sample's own state and memory.

Not there: what is summed over steps (slip, dissipated)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gaitwright.derive.terms import Term
from gaitwright.design.many.contacts import TOUCHING, Contacts, Touch

FAR = 1e9
"""What counts more than any force, as in result/touches.py."""


class ContactOutputs:
    """Of all contacts at one state; what is not asked for is not made."""

    def __init__(self, contacts: Contacts, q: Sequence[Term], v: Sequence[Term], t: Term):
        self.contacts, self.state, self.graph = contacts, (q, v, t), contacts.graph
        mechanism = contacts.mechanism
        self.pieces = {names.name: list(names.pieces) for names in mechanism.contact_names}
        grounded = [names for names in mechanism.contact_names if names.bodies[0] == "ground"]
        self.ground = [k for names in grounded for k in names.pieces]
        self._touches: dict[int, Touch] = {}

    def get(self, name: str) -> Term | None:
        """None if it is no output of a contact that can be printed."""
        owner, _, what = name.rpartition(".")
        if owner == "ground_reaction" and self.ground and what in ("fx", "fy", "x", "y"):
            return OUTPUTS[what](self, self.ground)
        return OUTPUTS[what](self, self.pieces[owner]) if owner in self.pieces and what in OUTPUTS else None

    def touch(self, k: int) -> Touch:
        if k not in self._touches:
            self._touches[k] = self.contacts.touch(k, *self.state)
        return self._touches[k]

    def acting(self, k: int, value: Callable[[Touch], Term]) -> Term:
        return self.contacts.acts(k, self.touch(k), value(self.touch(k)))

    def summed(self, pieces: Sequence[int], value: Callable[[Touch], Term]) -> Term:
        return sum((self.acting(k, value) for k in pieces), self.contacts.zero)

    def of_main(self, pieces: Sequence[int], value: Callable[[int], Term]) -> Term:
        """Of the piece that carries the force, or the nearest while none does."""
        graph, select = self.graph, self.graph.call
        best, found = graph.number(-2.0 * FAR), self.contacts.zero
        for k in pieces:
            touch = self.touch(k)
            carried = FAR + self.acting(k, lambda touch: touch.normal)
            rank = select("select", self.contacts.remembered(k, TOUCHING), carried, -abs(touch.gap))
            if self.contacts.contacts[k].weight < 0.0:  # pyright: ignore[reportOperatorIssue]
                rank = graph.number(-FAR)
            rank = select("select", -touch.region, graph.number(-FAR), rank)
            found = value(k) if len(pieces) == 1 else select("select", rank - best, value(k), found)
            best = select("max", rank, best)
        return found

    def touching(self, pieces: Sequence[int]) -> Term:
        found = self.contacts.zero
        for k in pieces:
            found = self.graph.call("max", found, self.contacts.remembered(k, TOUCHING))
        return found

    def force(self, pieces: Sequence[int], axis: int) -> Term:
        return self.summed(
            pieces, lambda touch: touch.wrench[0] * touch.axes[0][axis] + touch.wrench[1] * touch.axes[1][axis]
        )

    def place(self, pieces: Sequence[int], axis: int) -> Term:
        """Mean of the pieces weighted by their forces; not a number in the air."""

        def at(k: int) -> Term:
            touch, radius = self.touch(k), self.contacts.radius(k)
            n = touch.direction
            return touch.place[axis] - radius * (n[0] * touch.axes[0][axis] + n[1] * touch.axes[1][axis])

        forces = [self.acting(k, lambda touch: touch.normal) for k in pieces]
        weighted = sum((force * at(k) for k, force in zip(pieces, forces, strict=True)), self.contacts.zero)
        return weighted / sum(forces, self.contacts.zero)


OUTPUTS: dict[str, Callable[[ContactOutputs, Sequence[int]], Term]] = {
    "gap": lambda s, pieces: s.of_main(pieces, lambda k: s.touch(k).gap),
    "penetration": lambda s, pieces: s.graph.call(
        "select", s.touching(pieces),
        s.graph.call("max", -s.of_main(pieces, lambda k: s.touch(k).gap), s.contacts.zero), s.contacts.zero,
    ),
    "penetration_rate": lambda s, pieces: -s.of_main(pieces, lambda k: s.touch(k).rate),
    "normal_force": lambda s, pieces: s.summed(pieces, lambda touch: touch.normal),
    "tangential_force": lambda s, pieces: s.of_main(pieces, lambda k: s.acting(k, lambda touch: touch.tangential)),
    "slip_velocity": lambda s, pieces: s.of_main(pieces, lambda k: s.touch(k).slip),
    "fx": lambda s, pieces: s.force(pieces, 0),
    "fy": lambda s, pieces: s.force(pieces, 1),
    "x": lambda s, pieces: s.place(pieces, 0),
    "y": lambda s, pieces: s.place(pieces, 1),
}  # fmt: skip
"""By the name behind the contact's."""
