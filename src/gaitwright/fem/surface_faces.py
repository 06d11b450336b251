"""Contact surface of a deformable solid: faces with moving nodes (contact/closest_face.py)."""

from __future__ import annotations

import numpy as np

from gaitwright.mechanism.blocks import DeformingFaces
from gaitwright.mesh.cell_kinds import KIND_BY_NODE_COUNT, Array


def build_surface_faces(nodes: Array, sides: Array, at_nodes: Array) -> DeformingFaces:
    """Build the faces of sides (sides, nodes of a side). nodes: undeformed positions (n, d), m; at_nodes: coordinates of
    their displacements (n, d), GROUND if held; none may be tied. Quadratic sides are represented by flat pieces between their
    nodes."""
    d = nodes.shape[1]
    if d == 3:
        faces = sides[:, KIND_BY_NODE_COUNT[sides.shape[1]].parts].reshape(-1, 3)
        ends = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
        _, edge = np.unique(ends, axis=0, return_inverse=True)
        rims = np.bincount(edge.ravel())[edge.ravel()].reshape(-1, 3) == 1
    else:
        middle = sides[:, 2:3] if sides.shape[1] == 3 else sides[:, :0]
        line = np.concatenate([sides[:, :1], middle, sides[:, 1:2]], axis=1)
        faces = np.stack([line[:, :-1], line[:, 1:]], axis=2).reshape(-1, 2)
        rims = np.bincount(faces.ravel())[faces] == 1
    return DeformingFaces(
        at_nodes[faces], nodes[faces], np.unique(faces, return_inverse=True)[1].reshape(faces.shape), rims
    )
