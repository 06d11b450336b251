"""The surface of a solid as points that can touch, each with its part of the area.

A pressure p_i at point i is the force p_i A_i on a place x_i = sum_a s_ia x_a of nodes. A uniform pressure must give the forces
int N_a p dA, or a block between plates would not be under uniform stress; and no area may be negative, or a contact would pull.
Nodes with A_a = int N_a dA have both on straight triangles (a third of the area each) and on sides in the plane (Simpson's rule
where they are quadratic). On a quadratic triangle that gives nothing at its corners, which could then pass through the ground;
so the points there are the three of the rule that is exact for polynomials of degree 2, s_ia = N_a(x_i), each with a third.

Areas are undeformed, as those of a weak form on the undeformed surface: what a law gives is a pressure by undeformed area.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.mesh.kinds import T6, Array
from gaitwright.mesh.measure import shape_functions, shape_gradients, side_shares, summed

RULE = np.array([[4.0, 1.0, 1.0], [1.0, 4.0, 1.0], [1.0, 1.0, 4.0]]) / 6.0
"""Barycentric coordinates of the points of a quadratic triangle, which all weigh the same."""


class Skin(NamedTuple):
    """Points of the surface of a region. sides: (sides, nodes of a side). nodes, shares: (points, k), the place of each is the
    sum of nodes with shares. areas: (points,), undeformed, m^2. members: (sides, m), the points of each side; portions: (sides,
    m), what it gives to their areas; local: (m, corners), where they are in it. thickness: of a solid of the plane, m. carried:
    (nodes, d), m, where the nodes are in the frame of a rigid body; None for those of a solid. layer: (points,), m, how thick
    what is soft on that body is, if it is known."""

    sides: Array
    nodes: Array
    shares: Array
    areas: Array
    members: Array
    portions: Array
    local: Array
    thickness: float
    carried: Array | None = None
    layer: Array | None = None

    @property
    def count(self) -> int:
        return len(self.areas)

    def reordered(self, order: Array) -> Skin:
        """The same with point order[k] in the place k."""
        place = np.empty(self.count, dtype=np.int64)
        place[order] = np.arange(self.count)
        new = {name: getattr(self, name)[order] for name in ("nodes", "shares", "areas")}
        return self._replace(members=place[self.members], **new)

    def places(self, nodes: Array) -> Array:
        """Of the points, (..., points, d), from those of all nodes of the mesh, (..., nodes, d)."""
        return np.einsum("pk,...pki->...pi", self.shares, nodes[..., self.nodes, :])

    def stretches(self, nodes: Array, undeformed: Array) -> Array:
        """Deformed by undeformed area at each point, (points,), from the places of all nodes, (nodes, d)."""
        ratio = side_shares(nodes, self.sides).sum(axis=1) / side_shares(undeformed, self.sides).sum(axis=1)
        deformed = summed(self.members.ravel(), (self.portions * ratio[:, None]).ravel(), self.count)
        return deformed / self.areas

    def at_nodes(self, values: Array, count: int) -> Array:
        """Values at the points (times, points) at all nodes of the mesh, (times, count); 0 where there is no skin. Where points
        are not nodes: of the plane through the points of a side, in the mean of the sides that share a node."""
        if self.nodes.shape[1] == 1:
            found = np.zeros((len(values), count))
            found[:, self.nodes[:, 0]] = values
            return found
        corners = values[:, self.members] @ np.linalg.inv(self.local).T  # (times, sides, corners)
        middles = 0.5 * (corners + np.roll(corners, -1, axis=2))
        every = np.maximum(np.concatenate([corners, middles], axis=2), 0.0).reshape(len(values), -1)
        total = np.stack([np.bincount(self.sides.ravel(), row, minlength=count) for row in every])
        return total / np.maximum(np.bincount(self.sides.ravel(), minlength=count), 1)


def skin_of(places: Array, sides: Array, thickness: float = 1.0) -> Skin:
    """The points of sides (sides, nodes of a side) between undeformed places (nodes, d)."""
    d = places.shape[1]
    thickness = thickness if d == 2 else 1.0
    if d == 3 and sides.shape[1] == T6.nodes:
        shares, slopes = shape_functions(T6, RULE), shape_gradients(T6, RULE)
        along = np.einsum("pak,sai->spki", slopes, places[sides])
        portions = np.linalg.norm(np.cross(along[:, :, 0], along[:, :, 1]), axis=2) / 6.0
        members = np.arange(portions.size).reshape(portions.shape)
        nodes, shares = np.repeat(sides, len(RULE), axis=0), np.tile(shares, (len(sides), 1))
        return Skin(sides, nodes, shares, portions.ravel(), members, portions, RULE, thickness)
    used, members = np.unique(sides, return_inverse=True)
    members, portions = members.reshape(sides.shape), side_shares(places, sides) * thickness
    areas = summed(members.ravel(), portions.ravel(), used.size)
    local = np.vstack([np.eye(d), np.full((sides.shape[1] - d, d), 0.5)])  # corners, in the plane perhaps a middle
    return Skin(sides, used[:, None], np.ones((used.size, 1)), areas, members, portions, local, thickness)


def facets_of(places: Array, sides: Array, thickness: float = 1.0) -> Skin:
    """One point in the middle of each side (sides, d) between places (nodes, d) in the frame of a rigid body: a plane pressure
    there is exact in its resultant, and its moment to the second order."""
    d = places.shape[1]
    areas = side_shares(places, sides).sum(axis=1) * (thickness if d == 2 else 1.0)
    members, middle = np.arange(len(sides))[:, None], np.full((1, d), 1.0 / d)
    return Skin(sides, sides, np.repeat(middle, len(sides), axis=0), areas, members, areas[:, None], middle,
                thickness if d == 2 else 1.0, places)  # fmt: skip


def loose_facets(middles: Array, areas: Array, thickness: float = 1.0) -> Skin:
    """Facets of which only middles and areas are known."""
    sides, one = np.arange(len(middles))[:, None], np.ones((len(middles), 1))
    return Skin(sides, sides, one, areas, sides, areas[:, None], one[:1], thickness, middles)
