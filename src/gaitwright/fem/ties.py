"""Nodes of a solid that are tied to rigid spatial bodies, and the resulting changes of its elements and its mass.

A tied node moves with its body: u = (s - X) + r + s_x d_1 + s_y d_2 + s_z d_3 with the position s of the undeformed node X in
the frame of the body, both as drawn. So tied nodes have no coordinates of their own, and no constraint is needed.

While these bodies are moved, the free nodes get interpolated positions, an initial guess that is then relaxed:

    u = sum_b w_b (c_b + T_b q_b)        w_b = d_b^-2 / sum of these

with the distance d_b of a node from the nodes tied to body b: next to one body the node moves rigidly with it, in between the
motion changes smoothly. The ground, if it holds nodes along all axes, is a fixed body.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.fem.kernel_modules import declare_force
from gaitwright.fem.tied_element_loops import BODY_COORDINATE_COUNT, NO_BODY, tied_module, tied_parameters
from gaitwright.geometry.rotation import axes_of
from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.mechanism.parts.base import DependentCoordinates
from gaitwright.mechanism.tables import GROUND, Array

UNTIED_NODE = -1


class NodeTie(NamedTuple):
    """Nodes that move with a body. local: (nodes, 3), m, in its frame; offset: their positions if all coordinates of the body
    are zero, minus their undeformed positions."""

    body: Any
    nodes: Array
    local: Array
    offset: Array

    def displacements(self, q: Array) -> Array:
        """Return the displacements, (..., nodes, 3), in poses q (..., n + 1)."""
        return self.offset + self.rates(q)

    def rates(self, v: Array) -> Array:
        """Return their velocities or accelerations, from those of the coordinates."""
        own = v[..., self.body.index]
        own = own.reshape(*own.shape[:-1], 4, 3)
        return own[..., :1, :] + self.local @ own[..., 1:, :]


def tie_nodes(body: Any, nodes: Array, places: Array) -> NodeTie:
    """Tie nodes, given by their indices, to a body as drawn. places: of all undeformed nodes, m."""
    local = (places[nodes] - body.drawn[:3]) @ axes_of(body.drawn).T
    return NodeTie(body, nodes, local, local - places[nodes])


class TiedCellGroup(NamedTuple):
    """Cells tied to the same number of bodies. rows: indices of the cells; ids: (cells, bodies), ties; place: (cells, nodes),
    index in ids of the tie of each node, UNTIED_NODE for none."""

    rows: Array
    ids: Array
    place: Array


class SolidTies:
    """All ties of a solid. nodes: number of its nodes."""

    def __init__(self, ties: Sequence[NodeTie], nodes: int):
        self.ties = ties
        self.owner = np.full(nodes, UNTIED_NODE)
        self.local, self.offset = np.zeros((nodes, 3)), np.zeros((nodes, 3))
        self.index = np.array([tie.body.index for tie in ties]).reshape(-1, BODY_COORDINATE_COUNT)
        for k, (_, own, local, offset) in enumerate(ties):
            self.owner[own], self.local[own], self.offset[own] = k, local, offset

    def groups(self, cells: Array) -> Iterator[TiedCellGroup]:
        """Group cells, (cells, nodes), by the number of bodies that they are tied to."""
        owner = self.owner[cells]
        ordered = np.sort(owner, axis=1)
        is_first = np.diff(ordered, axis=1, prepend=UNTIED_NODE) != 0
        count = is_first.sum(axis=1)
        for bodies in np.unique(count).tolist():
            rows = np.flatnonzero(count == bodies)
            ids = ordered[rows][is_first[rows]].reshape(rows.size, bodies)
            matches = owner[rows][:, :, None] == ids[:, None, :]
            yield TiedCellGroup(
                rows, ids, np.where(matches.any(axis=2), matches.argmax(axis=2), UNTIED_NODE) if bodies else owner[rows]
            )

    def rigid(self, cells: Array) -> Array:
        """Mask of the cells with all their nodes on one body: nothing deforms them."""
        owner = self.owner[cells]
        return (owner[:, 0] != UNTIED_NODE) & (owner == owner[:, :1]).all(axis=1)

    def blocks(self, block: ElementBlock, at_nodes: Array) -> Iterator[ElementBlock]:
        """Convert a block on nodes to the tables. Its coordinates are numbers d a + axis of nodes a; at_nodes: (nodes, d),
        their coordinates in the tables."""
        if not self.ties:
            yield block._replace(coordinates=at_nodes.ravel()[block.coordinates])
            return
        nodes = block.coordinates[:, ::3] // 3
        for rows, ids, place in self.groups(nodes):
            block_nodes, dof = nodes[rows], at_nodes[nodes[rows]].reshape(len(rows), -1)
            if not ids.shape[1]:
                yield block._replace(coordinates=dof, parameters=block.parameters[rows])
                continue
            free: Any = block.declaration.kernels
            module = tied_module(free, ids.shape[1])
            body = np.where(place == UNTIED_NODE, NO_BODY, place)
            yield block._replace(
                declaration=declare_force(module),
                coordinates=np.concatenate((dof, self.index[ids].reshape(len(rows), -1)), axis=1),
                parameters=tied_parameters(
                    module, block.parameters[rows], body, self.local[block_nodes], self.offset[block_nodes]
                ),
            )

    def forms(self, cells: Array, forms: Array, at_nodes: Array) -> Iterator[tuple[Array, Array]]:
        """Convert quadratic forms of the displacements of cells, (cells, nodes, d, nodes, d), to the tables: coordinates and
        matrices, of cells tied to the same number of bodies."""
        for rows, ids, place in self.groups(cells):
            group_cells, size = cells[rows], at_nodes.shape[1] * cells.shape[1]
            dof, own = at_nodes[group_cells].reshape(len(rows), size), forms[rows]
            own_matrix = own.reshape(len(rows), size, size)
            if not ids.shape[1]:
                yield dof, own_matrix
                continue
            t = np.concatenate((np.ones((*group_cells.shape, 1)), self.local[group_cells]), axis=2)
            is_body = place[:, :, None] == np.arange(ids.shape[1])
            T = (is_body[..., None] * t[:, :, None, :]).reshape(*group_cells.shape, -1)
            across = np.einsum("eaibj,ebw->eaiwj", own, T)
            wide = BODY_COORDINATE_COUNT * ids.shape[1]
            bodies = np.einsum("eaw,eaizj->ewizj", T, across).reshape(len(rows), wide, wide)
            across = across.reshape(len(rows), size, wide)
            full = np.block([[own_matrix, across], [across.transpose(0, 2, 1), bodies]])
            yield np.concatenate((dof, self.index[ids].reshape(len(rows), -1)), axis=1), full

    def place(self, nodes: Array, weights: Array, places: Array, at_nodes: Array) -> tuple[Array, Array, Array]:
        """Express a weighted mean of nodes as a sum of points (physics/bodies/interpolated_point.py): coordinates in the
        tables, one per axis and point, the weight of each point, and a constant. The points of a body are r, d_1, d_2 and
        d_3. places: of all undeformed nodes, m."""
        owner = self.owner[nodes]
        free = owner == UNTIED_NODE
        start = weights @ (places + self.offset[:, : places.shape[1]])[nodes]
        index, parts = [at_nodes[nodes[free]].ravel()], [weights[free]]
        for k in np.unique(owner[~free]).tolist():
            is_own = owner == k
            index.append(self.index[k])
            parts += [weights[is_own].sum(keepdims=True), weights[is_own] @ self.local[nodes[is_own]]]
        return np.concatenate(index), np.concatenate(parts), start

    def points(
        self, nodes: Array, weights: Array, places: Array, at_nodes: Array
    ) -> Iterator[tuple[Array, Array, Array]]:
        """Express many weighted means, (means, k) each, in the same way, grouped by the number of bodies that they are tied
        to: rows, coordinates and parameters (weights, then constants). Tied nodes have zero weight themselves."""
        start = np.einsum("pk,pki->pi", weights, (places + self.offset[:, : places.shape[1]])[nodes])
        for rows, ids, place in self.groups(nodes):
            group_nodes, group_weights, count = nodes[rows], weights[rows], len(rows)
            is_body = place[:, :, None] == np.arange(ids.shape[1])  # (means, k, bodies)
            t = np.concatenate((np.ones((*group_nodes.shape, 1)), self.local[group_nodes]), axis=2)
            of_bodies = np.einsum("pk,pkb,pkm->pbm", group_weights, is_body, t).reshape(count, -1)
            dof = [at_nodes[group_nodes].reshape(count, -1), self.index[ids].reshape(count, -1)]
            parameters = [np.where(place == UNTIED_NODE, group_weights, 0.0), of_bodies, start[rows]]
            yield rows, np.concatenate(dof, axis=1), np.concatenate(parameters, axis=1)

    def columns(self, axis: int, at_nodes: Array) -> tuple[Array, Array, Array]:
        """Express the displacements of all nodes along an axis: nodes, coordinates in the tables and weights."""
        free = np.flatnonzero(at_nodes[:, axis] != GROUND)
        parts = [(free, at_nodes[free, axis], np.ones(free.size))]
        for k, (_, nodes, local, _) in enumerate(self.ties):
            for m, weight in enumerate((np.ones(nodes.size), *local.T)):
                parts.append((nodes, np.full(nodes.size, self.index[k, 3 * m + axis]), weight))
        node, column, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
        return node, column, weight


# Initial guess of the free nodes --------------------------------------------------------------------------------------


def interpolate_ties(ties: SolidTies, places: Array, number: Array, no_coordinate: int) -> DependentCoordinates:
    """Return the interpolation. places: of all undeformed nodes, m. number: (nodes, 3), coordinate of each displacement,
    `no_coordinate` if none."""
    from scipy.spatial import KDTree

    nodes = np.flatnonzero((number != no_coordinate).any(axis=1))
    fixed = np.flatnonzero((number == no_coordinate).all(axis=1) & (ties.owner < 0))
    groups = [*(tie.nodes for tie in ties.ties), *([fixed] if fixed.size else [])]
    inverse_squares = np.array([KDTree(places[group]).query(places[nodes])[0] for group in groups]) ** -2.0
    shares = inverse_squares / inverse_squares.sum(axis=0)
    constant, rows, columns, values = np.zeros(int(number.max()) + 1), [], [], []
    for tie, share in zip(ties.ties, shares, strict=False):
        frame = tie.body.drawn[3:].reshape(3, 3) + np.eye(3)
        local = (places[nodes] - tie.body.drawn[:3]) @ frame.T
        for axis in range(3):
            own = number[nodes, axis]
            free = own != no_coordinate
            own, s, w = own[free], local[free], share[free]
            constant[own] += w * (s[:, axis] - places[nodes[free], axis])
            for m, weight in enumerate((w, *(w[:, None] * s).T)):
                rows.append(own)
                columns.append(np.full(own.size, tie.body.index[3 * m + axis]))
                values.append(weight)
    return DependentCoordinates(constant, np.concatenate(rows), np.concatenate(columns), np.concatenate(values))
