"""Outputs of contacts as terms, by the names of results (result/contact_episodes.py), at the state and memory of a sample.

Outputs that are summed over steps (slip, dissipated) are not available."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gaitwright.codegen.contacts import MEMORY_TOUCHING, ContactEquations, ContactTerms
from gaitwright.derive.term_graph import Term

FORCE_RANK_OFFSET = 1e9
"""Offset that is larger than any force, N, for ranking pieces, as in result/contact_episodes.py."""


class ContactOutputs:
    """Outputs of all contacts at one state; terms are made only on request."""

    def __init__(self, contacts: ContactEquations, q: Sequence[Term], v: Sequence[Term], t: Term):
        self.contacts, self.state, self.graph = contacts, (q, v, t), contacts.graph
        mechanism = contacts.mechanism
        self.pieces = {names.name: list(names.pieces) for names in mechanism.contact_names}
        grounded = [names for names in mechanism.contact_names if names.bodies[0] == "ground"]
        self.ground = [k for names in grounded for k in names.pieces]
        self._touches: dict[int, ContactTerms] = {}

    def get(self, name: str) -> Term | None:
        """Term of an output; None if it is not an output of a contact with terms."""
        owner, _, output = name.rpartition(".")
        if owner == "ground_reaction" and self.ground and output in ("fx", "fy", "x", "y"):
            return CONTACT_OUTPUTS[output](self, self.ground)
        return (
            CONTACT_OUTPUTS[output](self, self.pieces[owner])
            if owner in self.pieces and output in CONTACT_OUTPUTS
            else None
        )

    def touch(self, k: int) -> ContactTerms:
        if k not in self._touches:
            self._touches[k] = self.contacts.touch(k, *self.state)
        return self._touches[k]

    def acting(self, k: int, value: Callable[[ContactTerms], Term]) -> Term:
        return self.contacts.acts(k, self.touch(k), value(self.touch(k)))

    def summed(self, pieces: Sequence[int], value: Callable[[ContactTerms], Term]) -> Term:
        return sum((self.acting(k, value) for k in pieces), self.contacts.zero)

    def of_main(self, pieces: Sequence[int], value: Callable[[int], Term]) -> Term:
        """Value of the piece that carries the force, or of the nearest piece if none does."""
        graph, select = self.graph, self.graph.call
        best, result = graph.number(-2.0 * FORCE_RANK_OFFSET), self.contacts.zero
        for k in pieces:
            touch = self.touch(k)
            loaded_rank = FORCE_RANK_OFFSET + self.acting(k, lambda touch: touch.normal)
            rank = select("select", self.contacts.remembered(k, MEMORY_TOUCHING), loaded_rank, -abs(touch.gap))
            if self.contacts.contacts[k].weight < 0.0:  # pyright: ignore[reportOperatorIssue]
                rank = graph.number(-FORCE_RANK_OFFSET)
            rank = select("select", -touch.region, graph.number(-FORCE_RANK_OFFSET), rank)
            result = value(k) if len(pieces) == 1 else select("select", rank - best, value(k), result)
            best = select("max", rank, best)
        return result

    def touching(self, pieces: Sequence[int]) -> Term:
        closed = self.contacts.zero
        for k in pieces:
            closed = self.graph.call("max", closed, self.contacts.remembered(k, MEMORY_TOUCHING))
        return closed

    def force(self, pieces: Sequence[int], axis: int) -> Term:
        return self.summed(
            pieces, lambda touch: touch.wrench[0] * touch.axes[0][axis] + touch.wrench[1] * touch.axes[1][axis]
        )

    def place(self, pieces: Sequence[int], axis: int) -> Term:
        """Coordinate of the contact point, m: mean over the pieces, weighted by their forces; NaN in the air."""

        def coordinate(k: int) -> Term:
            touch, radius = self.touch(k), self.contacts.radius(k)
            n = touch.direction
            return touch.place[axis] - radius * (n[0] * touch.axes[0][axis] + n[1] * touch.axes[1][axis])

        forces = [self.acting(k, lambda touch: touch.normal) for k in pieces]
        weighted = sum((force * coordinate(k) for k, force in zip(pieces, forces, strict=True)), self.contacts.zero)
        return weighted / sum(forces, self.contacts.zero)


CONTACT_OUTPUTS: dict[str, Callable[[ContactOutputs, Sequence[int]], Term]] = {
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
"""Outputs by the part of the name after the contact's name."""
