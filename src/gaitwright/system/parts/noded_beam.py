"""What beams of the plane and of space have in common: nodes along an arc length, and elements between them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gaitwright.system.parts.base import Local, Part
from gaitwright.system.tables import Array

Along = Callable[[Array], Array]
"""A quantity along a beam, as a function of the arc length s of the unstressed shape, m."""
GAUSS_X, GAUSS_W = np.polynomial.legendre.leggauss(5)
XI, WEIGHT = (GAUSS_X + 1.0) / 2.0, GAUSS_W / 2.0
FINE = np.polynomial.legendre.leggauss(8)
"""Points and weights on -1 <= x <= 1 for masses, whose density may change along an element."""
PLACES = np.r_[0.0, XI, 1.0]
"""Where strains are looked at, of every element."""
LARGEST_STRETCH = 0.1
"""Axial strain at the start above which it is taken for a mistake."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NodedBeam(Part):
    """Points are nodes, counted from 0 here and from 1 in names (node1, ...).

    stations: (nodes,) arc length of the nodes in the unstressed shape, m. across: of a place on the centre line, what follows
    its arc length."""

    kind: str = "beam"
    stations: Array
    damping: float = 0.0
    flexible: ClassVar[bool] = True
    place_word: ClassVar[str] = "node"
    across: ClassVar[tuple[float, ...]]

    @functools.cached_property
    def lengths(self) -> Array:
        """Of the elements in the unstressed shape, m."""
        return np.diff(self.stations)

    @property
    def length(self) -> float:
        """In the unstressed shape."""
        return float(self.stations[-1])

    def sampled(self, along: Along, xi: Array) -> Array:
        """A quantity at the places xi of every element, (elements, len(xi), ...)."""
        return along(self.stations[:-1, None] + self.lengths[:, None] * xi)

    # places ----------------------------------------------------------------------------------------------------------

    @property
    def centre(self) -> Local | None:
        return None

    @property
    def shared(self) -> Sequence[str]:
        return [point for point in self.points if point not in ("start", "end")]

    def node_called(self, name: str) -> int | None:
        """start, end, a named point or node1, node2, ..."""
        number = name.removeprefix("node")
        if name not in self.points and number != name and number.isdecimal() and 1 <= int(number) <= self.stations.size:
            return int(number) - 1
        return self.points.get(name)

    def place(self, name: str) -> Local | None:
        node = self.node_called(name)
        return None if node is None else self.place_of(node)

    def place_of(self, node: int) -> Local:
        """Its arc length, and nothing across the beam."""
        return (float(self.stations[node]), *self.across)

    def known_places(self) -> str:
        return f"one of {', '.join(self.points)}, or node1 to node{self.stations.size}"

    def examples(self) -> str:
        return f"{self.name}.start, {self.name}.end or {self.name}.node2"

    def node_at(self, s: float) -> int:
        """The node at an arc length."""
        return int(np.argmin(np.abs(self.stations - s)))

    def name_of(self, local: Local) -> str:
        """The shortest way to write a node: that of a named point, if there is one."""
        node = self.node_at(local[0])
        return next((point for point, at in self.points.items() if at == node), f"node{node + 1}")
