"""Meshes for drawing: faces and edges of elements, sharp and smooth edges, and the best-fit rigid motion of a deformation.

Quadratic elements (nodes at the middles of edges) are split into straight ones. Nodes are numbered as in VTK: the corners
first; in a triangle then the middles of 0-1, 1-2, 2-0, in a tetrahedron those of 0-1, 1-2, 2-0, 0-3, 1-3, 2-3.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np

FACE_PIECES = ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5))
CELL_PIECES = (
    (0, 4, 6, 7), (4, 1, 5, 8), (6, 5, 2, 9), (7, 8, 9, 3), (6, 4, 5, 8), (6, 4, 8, 7), (6, 5, 9, 8), (6, 7, 8, 9),
)  # fmt: skip
"""Four tetrahedra at the corners, and the octahedron between them about its diagonal 6-8."""
CELL_FACES = np.array([(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)])
"""Faces of a tetrahedron; face k is opposite to corner k."""
SHARP_EDGE_ANGLE_RAD = np.radians(35.0)
"""Angle between faces above which an edge is drawn between them."""


def split_faces(faces: np.ndarray) -> np.ndarray:
    """Split triangles with six nodes (m, 6) into triangles (4 m, 3)."""
    return faces[:, np.array(FACE_PIECES)].reshape(-1, 3)


def split_cells(cells: np.ndarray) -> np.ndarray:
    """Split tetrahedra with ten nodes (k, 10) into tetrahedra (8 k, 4)."""
    return cells[:, np.array(CELL_PIECES)].reshape(-1, 4)


def element_edges(faces: np.ndarray) -> np.ndarray:
    """Edges (n, 2) of the elements with faces (m, 3) or (m, 6), each once; a curved edge as two pieces."""
    ring = (0, 1, 2, 0) if faces.shape[1] == 3 else (0, 3, 1, 4, 2, 5, 0)
    edges = np.sort(_ring_edges(faces, ring).reshape(-1, 2), axis=1)
    return edges[np.unique(_pair_keys(edges), return_index=True)[1]]


def boundary_edges(faces: np.ndarray) -> np.ndarray:
    """Sides (n, 2) that belong to one face only: the outline of a planar mesh; empty for a closed surface."""
    sides = _ring_edges(faces, (0, 1, 2, 0)).reshape(-1, 2)
    _, first, count = np.unique(_pair_keys(np.sort(sides, axis=1)), return_index=True, return_counts=True)
    return sides[first[count == 1]]


@functools.cache
def outer_piece_faces() -> np.ndarray:
    """Flags of the faces (8, 4) of the pieces of a ten-node tetrahedron that lie on its own faces, not between two pieces."""
    faces = np.sort(np.array(CELL_PIECES)[:, CELL_FACES], axis=2).reshape(-1, 3)
    _, which, count = np.unique(faces, axis=0, return_inverse=True, return_counts=True)
    return (count[which.ravel()] == 1).reshape(-1, 4)


def split_sharp_corners(points: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Convert nodes to corners with one normal each: a node at a sharp edge becomes several corners. Returns the node of
    every corner, (v,), and the faces (m, 3) with corner indices."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    m = len(faces)
    normal = face_normals(points[faces])
    start, end = faces, np.roll(faces, -1, axis=1)
    at_start = np.arange(3 * m).reshape(m, 3)  # corners of faces, in the order of their sides
    at_end = np.roll(at_start, -1, axis=1)
    ahead = start < end
    low, high = np.where(ahead, at_start, at_end).ravel(), np.where(ahead, at_end, at_start).ravel()
    key = np.sort(np.stack([start.ravel(), end.ravel()], axis=1), axis=1)
    order = np.lexsort(key.T)
    corner, next_corner = order[:-1], order[1:]
    joined = (key[corner] == key[next_corner]).all(axis=1)
    joined &= (normal[corner // 3] * normal[next_corner // 3]).sum(axis=1) > np.cos(SHARP_EDGE_ANGLE_RAD)
    corner, next_corner = corner[joined], next_corner[joined]
    rows, columns = np.r_[low[corner], high[corner]], np.r_[low[next_corner], high[next_corner]]
    graph = coo_array((np.ones(len(rows), dtype=bool), (rows, columns)), shape=(3 * m, 3 * m))
    count, number = connected_components(graph, directed=False)
    node = np.zeros(count, dtype=np.int64)
    node[number] = faces.ravel()
    return node, number.reshape(m, 3)


def face_normals(triangles: np.ndarray) -> np.ndarray:
    """Unit normals (m, 3) of triangles (m, 3, 3); zero for a triangle without area."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    return np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)


def corner_normals(triangles: np.ndarray, faces: np.ndarray, count: int) -> np.ndarray:
    """Normals (count, 3) at corners: mean of the adjacent faces (m, 3), weighted by area."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    total = np.zeros((count, 3))
    for side in range(3):
        for axis in range(3):
            total[:, axis] += np.bincount(faces[:, side], normal[:, axis], count)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.divide(total, length, out=total, where=length > 0)


def subdivide_triangles(triangles: np.ndarray, pieces: int) -> np.ndarray:
    """Split triangles (n, 3, k), with numbers at their corners, into pieces^2 smaller ones each."""
    if pieces == 1:
        return triangles
    grid = [(i, j) for i in range(pieces) for j in range(pieces - i)]
    up = [((i, j), (i + 1, j), (i, j + 1)) for i, j in grid]
    down = [((i + 1, j), (i + 1, j + 1), (i, j + 1)) for i, j in grid if i + j < pieces - 1]
    local = np.array(up + down) / pieces
    weights = np.concatenate([1.0 - local.sum(axis=2, keepdims=True), local], axis=2)
    return np.einsum("pcw,nwk->npck", weights, triangles).reshape(-1, 3, triangles.shape[2])


def fit_rigid_motion(reference: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotations (n_times, d, d) and translations (n_times, d) that fit a reference (n, d) to points (n_times, n, d) by least
    squares (Kabsch 1976)."""
    middle, middles = reference.mean(axis=0), points.mean(axis=1)
    product = np.einsum("ni,tnj->tij", reference - middle, points - middles[:, None])
    u, _, vh = np.linalg.svd(product)
    turn = np.swapaxes(vh, 1, 2) @ np.swapaxes(u, 1, 2)
    mirrored = np.linalg.det(turn) < 0
    vh[mirrored, -1] *= -1.0
    turn = np.swapaxes(vh, 1, 2) @ np.swapaxes(u, 1, 2)
    return turn, middles - turn @ middle


def _ring_edges(faces: np.ndarray, ring: tuple[int, ...]) -> np.ndarray:
    return np.stack([faces[:, [a, b]] for a, b in itertools.pairwise(ring)], axis=1)


def _pair_keys(pairs: np.ndarray) -> np.ndarray:
    """One number for every pair of nodes, since comparing rows is slow."""
    return pairs[:, 0] * (pairs.max(initial=0) + 1) + pairs[:, 1]
