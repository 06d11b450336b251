"""The surface of a solid as others touch it: faces whose nodes move (system/meeting.py)."""

from __future__ import annotations

import numpy as np

from gaitwright.mesh.kinds import BY_NODES, Array
from gaitwright.system.blocks import Faces


def faces_of(nodes: Array, sides: Array, at_nodes: Array) -> Faces:
    """Of sides (sides, nodes of a side) between undeformed nodes (n, d), m, whose displacements are the coordinates at_nodes
    (n, d), GROUND where they are held; none of them may be tied. Quadratic sides are taken as flat pieces between their
    nodes."""
    d = nodes.shape[1]
    if d == 3:
        faces = sides[:, BY_NODES[sides.shape[1]].parts].reshape(-1, 3)
        ends = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
        _, edge = np.unique(ends, axis=0, return_inverse=True)
        rims = np.bincount(edge.ravel())[edge.ravel()].reshape(-1, 3) == 1
    else:
        middle = sides[:, 2:3] if sides.shape[1] == 3 else sides[:, :0]
        line = np.concatenate([sides[:, :1], middle, sides[:, 1:2]], axis=1)
        faces = np.stack([line[:, :-1], line[:, 1:]], axis=2).reshape(-1, 2)
        rims = np.bincount(faces.ravel())[faces] == 1
    return Faces(at_nodes[faces], nodes[faces], np.unique(faces, return_inverse=True)[1].reshape(faces.shape), rims)
