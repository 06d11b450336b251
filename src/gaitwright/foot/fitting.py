"""Nodes of a mesh laid onto the surface of a core, so that the thickness of tissue is that of the anatomy and not of the cells.

Of each edge that crosses the surface, the end that is nearer goes there along the edge, as in isosurface stuffing (F. Labelle,
J. R. Shewchuk, ACM Trans. Graph. 26 (2007) 57). The skin stays where it is, and so does what would flatten a cell.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitwright.mesh.kinds import Array
from gaitwright.mesh.measure import volumes
from gaitwright.mesh.mesh import Mesh

FLATTEST = 0.15
"""The least volume of a cell after its nodes were moved, in parts of what it was."""


def fitted(mesh: Mesh, level: Array) -> tuple[Mesh, Array]:
    """A mesh with nodes on the surface level = 0, and which of its nodes are on it or inside (n,). level: of each node,
    positive inside, about as long as its distance, m."""
    inside = level >= 0.0
    a, b = mesh.edges.T
    crossing = inside[a] != inside[b]
    a, b = a[crossing], b[crossing]
    part = level[a] / (level[a] - level[b])
    mover = np.where(part < 0.5, a, b)
    to = mesh.nodes[a] + part[:, None] * (mesh.nodes[b] - mesh.nodes[a])
    free = ~np.isin(mover, mesh.surface_nodes)
    mover, to = mover[free], to[free]
    far = np.linalg.norm(to - mesh.nodes[mover], axis=1)
    order = np.argsort(far, kind="stable")
    moved, first = np.unique(mover[order], return_index=True)
    nodes, at = mesh.nodes.copy(), to[order][first]
    nodes[moved] = at
    on = np.zeros(len(nodes), dtype=bool)
    on[moved] = True
    while True:
        flat = mesh.cells[volumes(nodes, mesh.cells, mesh.kind) < FLATTEST * mesh.volumes]
        # Of each flat cell, what went farthest goes back: others may still stay.
        way = np.linalg.norm(nodes - mesh.nodes, axis=1)[flat]
        back = np.unique(flat[(way > 0.0) & (way > (1.0 - 1e-9) * way.max(axis=1, keepdims=True))])
        if not len(back):
            return replace(mesh, nodes=nodes), inside | on
        nodes[back], on[back] = mesh.nodes[back], False
