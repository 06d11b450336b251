"""Snapping of mesh nodes to the surface of a core, so that tissue thickness follows the anatomy and not the cell size.

The nearer end of each edge that crosses the surface moves there along the edge, as in isosurface stuffing (F. Labelle,
J. R. Shewchuk, ACM Trans. Graph. 26 (2007) 57). Skin nodes do not move, nor do nodes that would flatten a cell.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.cell_measures import volumes
from gaitwright.mesh.mesh import Mesh

MIN_CELL_VOLUME_RATIO = 0.15
"""Minimum volume of a cell after snapping, relative to its original volume."""


def snap_to_level(mesh: Mesh, level: Array) -> tuple[Mesh, Array]:
    """Return a mesh with nodes on the surface level = 0, and a mask of its nodes on or inside it (n,). level: per
    node, positive inside, approximately the signed distance, m."""
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
        flat = mesh.cells[volumes(nodes, mesh.cells, mesh.kind) < MIN_CELL_VOLUME_RATIO * mesh.volumes]
        # In each flat cell, the node with the largest displacement moves back; the others may stay.
        way = np.linalg.norm(nodes - mesh.nodes, axis=1)[flat]
        back = np.unique(flat[(way > 0.0) & (way > (1.0 - 1e-9) * way.max(axis=1, keepdims=True))])
        if not len(back):
            return replace(mesh, nodes=nodes), inside | on
        nodes[back], on[back] = mesh.nodes[back], False
