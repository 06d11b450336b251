"""Common base of planar and spatial beams: nodes along an arc length, and elements between them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gaitwright.mechanism.parts.base import Part, PlaceCoordinates
from gaitwright.mechanism.tables import Array

ArcLengthFunction = Callable[[Array], Array]
"""Quantity along a beam, as a function of the arc length s of the unstressed shape, m."""
GAUSS_POINTS, GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(5)
UNIT_GAUSS_POINTS, UNIT_GAUSS_WEIGHTS = (GAUSS_POINTS + 1.0) / 2.0, GAUSS_WEIGHTS / 2.0
MASS_GAUSS_RULE = np.polynomial.legendre.leggauss(8)
"""Points and weights on -1 <= x <= 1 for masses: their density may vary along an element."""
STRAIN_PLACES = np.r_[0.0, UNIT_GAUSS_POINTS, 1.0]
"""Positions (0 to 1) in every element at which strains are evaluated."""
MAX_START_STRAIN = 0.1
"""Axial strain at the start above which the model is considered wrong."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NodedBeamPart(Part):
    """Beam with nodes. Points are nodes, counted from 0 here and from 1 in names (node1, ...).

    stations: (nodes,) arc length of the nodes in the unstressed shape, m. across: components of a place on the centre line
    after its arc length."""

    kind: str = "beam"
    stations: Array
    damping: float = 0.0
    flexible: ClassVar[bool] = True
    place_word: ClassVar[str] = "node"
    across: ClassVar[tuple[float, ...]]

    @functools.cached_property
    def lengths(self) -> Array:
        """Lengths of the elements in the unstressed shape, m."""
        return np.diff(self.stations)

    @property
    def length(self) -> float:
        """Length of the unstressed shape, m."""
        return float(self.stations[-1])

    def sampled(self, along: ArcLengthFunction, xi: Array) -> Array:
        """Evaluate a quantity at the positions xi (0 to 1) of every element, (elements, len(xi), ...)."""
        return along(self.stations[:-1, None] + self.lengths[:, None] * xi)

    # places ----------------------------------------------------------------------------------------------------------

    @property
    def centre(self) -> PlaceCoordinates | None:
        return None

    @property
    def shared(self) -> Sequence[str]:
        return [point for point in self.points if point not in ("start", "end")]

    def node_called(self, name: str) -> int | None:
        """Return the number of the node named start, end, a named point or node1, node2, ..., or None."""
        number = name.removeprefix("node")
        if name not in self.points and number != name and number.isdecimal() and 1 <= int(number) <= self.stations.size:
            return int(number) - 1
        return self.points.get(name)

    def place(self, name: str) -> PlaceCoordinates | None:
        node = self.node_called(name)
        return None if node is None else self.place_of(node)

    def place_of(self, node: int) -> PlaceCoordinates:
        """Place of a node: its arc length, and zero across the beam."""
        return (float(self.stations[node]), *self.across)

    def known_places(self) -> str:
        return f"one of {', '.join(self.points)}, or node1 to node{self.stations.size}"

    def examples(self) -> str:
        return f"{self.name}.start, {self.name}.end or {self.name}.node2"

    def node_at(self, s: float) -> int:
        """Return the node nearest to an arc length."""
        return int(np.argmin(np.abs(self.stations - s)))

    def name_of(self, local: PlaceCoordinates) -> str:
        """Return the shortest name of a node: that of a named point, if there is one."""
        node = self.node_at(local[0])
        return next((point for point, at in self.points.items() if at == node), f"node{node + 1}")
