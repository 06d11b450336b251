"""Contact points of a solid's surface, each with its share of the area.

A pressure p_i at point i is the force p_i A_i at the position x_i = sum_a s_ia x_a of nodes. A uniform pressure must give the
forces int N_a p dA, otherwise a block between plates is not under uniform stress; and no area may be negative, because such a
contact would pull. Nodes with A_a = int N_a dA satisfy both on straight triangles (a third of the area each) and on sides
in the plane (Simpson's rule for quadratic ones). On a quadratic triangle the area of the corners is zero, so they could
pass through the ground; there the points are the three of the rule that is exact for polynomials of degree 2, s_ia =
N_a(x_i), each with a third.

Areas are undeformed, as in a weak form on the undeformed surface: contact laws return pressure per undeformed area.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.mesh.cell_kinds import T6, Array
from gaitwright.mesh.cell_measures import shape_functions, shape_gradients, side_shares, sum_by_index

QUADRATIC_TRIANGLE_POINTS = np.array([[4.0, 1.0, 1.0], [1.0, 4.0, 1.0], [1.0, 1.0, 4.0]]) / 6.0
"""Barycentric coordinates of the contact points of a quadratic triangle; their weights are equal."""


class ContactPoints(NamedTuple):
    """Contact points on the surface of a region. sides: (sides, nodes of a side). nodes, shares: (points, k), each
    position is the sum of shares times node positions. areas: (points,), undeformed, m^2. members: (sides, m), the points
    of each side; portions: (sides, m), m^2, its contribution to their areas; local: (m, corners), their coordinates in the
    side. thickness: of a solid of the plane, m. carried: (nodes, d), m, node positions in the frame of a rigid body; None
    for the nodes of a solid.
    layer: (points,), m, thickness of the soft layer on that body, if known."""

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

    def reordered(self, order: Array) -> ContactPoints:
        """The same points in another order: index k gets point order[k]."""
        place = np.empty(self.count, dtype=np.int64)
        place[order] = np.arange(self.count)
        new = {name: getattr(self, name)[order] for name in ("nodes", "shares", "areas")}
        return self._replace(members=place[self.members], **new)

    def places(self, nodes: Array) -> Array:
        """Positions of the points, (..., points, d), from those of all nodes of the mesh, (..., nodes, d)."""
        return np.einsum("pk,...pki->...pi", self.shares, nodes[..., self.nodes, :])

    def stretches(self, nodes: Array, undeformed: Array) -> Array:
        """Ratio of deformed to undeformed area at each point, (points,), from the positions of all nodes, (nodes, d)."""
        ratio = side_shares(nodes, self.sides).sum(axis=1) / side_shares(undeformed, self.sides).sum(axis=1)
        deformed = sum_by_index(self.members.ravel(), (self.portions * ratio[:, None]).ravel(), self.count)
        return deformed / self.areas

    def at_nodes(self, values: Array, count: int) -> Array:
        """Values at the points (times, points) extrapolated to all nodes of the mesh, (times, count); 0 off the surface.
        If points are not nodes, the plane through the points of a side is evaluated at its nodes and averaged over
        adjacent sides."""
        if self.nodes.shape[1] == 1:
            values_at_nodes = np.zeros((len(values), count))
            values_at_nodes[:, self.nodes[:, 0]] = values
            return values_at_nodes
        corners = values[:, self.members] @ np.linalg.inv(self.local).T  # (times, sides, corners)
        middles = 0.5 * (corners + np.roll(corners, -1, axis=2))
        every = np.maximum(np.concatenate([corners, middles], axis=2), 0.0).reshape(len(values), -1)
        total = np.stack([np.bincount(self.sides.ravel(), row, minlength=count) for row in every])
        return total / np.maximum(np.bincount(self.sides.ravel(), minlength=count), 1)


def build_contact_points(places: Array, sides: Array, thickness: float = 1.0) -> ContactPoints:
    """Build the contact points of sides (sides, nodes of a side) between undeformed positions (nodes, d), m."""
    d = places.shape[1]
    thickness = thickness if d == 2 else 1.0
    if d == 3 and sides.shape[1] == T6.nodes:
        shares, slopes = shape_functions(T6, QUADRATIC_TRIANGLE_POINTS), shape_gradients(T6, QUADRATIC_TRIANGLE_POINTS)
        along = np.einsum("pak,sai->spki", slopes, places[sides])
        portions = np.linalg.norm(np.cross(along[:, :, 0], along[:, :, 1]), axis=2) / 6.0
        members = np.arange(portions.size).reshape(portions.shape)
        nodes, shares = np.repeat(sides, len(QUADRATIC_TRIANGLE_POINTS), axis=0), np.tile(shares, (len(sides), 1))
        return ContactPoints(
            sides, nodes, shares, portions.ravel(), members, portions, QUADRATIC_TRIANGLE_POINTS, thickness
        )
    used, members = np.unique(sides, return_inverse=True)
    members, portions = members.reshape(sides.shape), side_shares(places, sides) * thickness
    areas = sum_by_index(members.ravel(), portions.ravel(), used.size)
    # Corners; in the plane also the midpoint, if any.
    local = np.vstack([np.eye(d), np.full((sides.shape[1] - d, d), 0.5)])
    return ContactPoints(sides, used[:, None], np.ones((used.size, 1)), areas, members, portions, local, thickness)


def build_facets(places: Array, sides: Array, thickness: float = 1.0) -> ContactPoints:
    """Build one point in the middle of each side (sides, d) between positions (nodes, d) in the frame of a rigid body: for a
    linearly varying pressure the resultant is exact, and its moment of second order."""
    d = places.shape[1]
    areas = side_shares(places, sides).sum(axis=1) * (thickness if d == 2 else 1.0)
    members, middle = np.arange(len(sides))[:, None], np.full((1, d), 1.0 / d)
    return ContactPoints(sides, sides, np.repeat(middle, len(sides), axis=0), areas, members, areas[:, None], middle,
                thickness if d == 2 else 1.0, places)  # fmt: skip


def build_loose_facets(middles: Array, areas: Array, thickness: float = 1.0) -> ContactPoints:
    """Build facets from their midpoints and areas alone."""
    sides, ones = np.arange(len(middles))[:, None], np.ones((len(middles), 1))
    return ContactPoints(sides, sides, ones, areas, sides, areas[:, None], ones[:1], thickness, middles)
