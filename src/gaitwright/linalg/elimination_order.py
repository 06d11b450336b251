"""Elimination order of the unknowns of a large sparse symmetric matrix: minimum degree or nested dissection.

Minimum degree (SuperLU's) takes milliseconds and is hard to beat for nets. If it needs more than ORDER_SEARCH_MULTIPLICATIONS,
nested dissection is computed as well, and the cheaper order is used.

A small set of unknowns, the separator, cuts the graph of the matrix into two halves without common edges. It is eliminated
last; the halves are cut recursively, until they are so small that minimum degree is as good. Spatial meshes then need half of
the multiplications.

Cuts are straight. A graph has no coordinates, but it has distances between nodes, from which coordinates are computed:
distances to a few landmarks far from each other, in principal axes (classical scaling). A half ends at the middle of an axis,
the best axis is used, and the separator is reduced by moving single nodes out of it as long as that gains something.

Multipliers ("late" unknowns) directly follow the last unknown that they are connected to, see elimination.py; the unknowns
connected to one multiplier count as neighbours for the cuts.

Sources: A. George, SIAM J. Numer. Anal. 10 (1973) 345-363; C. M. Fiduccia, R. M. Mattheyses, Proc. 19th Design Automation Conf.
(1982) 175-181 (moves); V. de Silva, J. B. Tenenbaum, Sparse multidimensional scaling using landmark points (Stanford 2004);
C. Ashcraft, SIAM J. Sci. Comput. 16 (1995) 1404-1411 (unknowns with the same neighbours are one node).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.linalg.front_tree import elimination_tree_parents

Array = np.ndarray

ORDER_SEARCH_MULTIPLICATIONS = 5e7
"""Multiplications (about 10 ms of a factorisation) above which nested dissection is tried: the search costs ten times as
much, but only once."""
LANDMARK_COUNT = 8
LANDMARK_AXES = 3
MIN_HUB_NEIGHBOURS = 64
"""Neighbours above which an unknown is eliminated last, provided they also exceed 4 times the root of the number of nodes. A
body with a thousand tied mesh nodes is close to all of them, which makes graph distances useless."""
MAX_LEAF_NODES = 80
"""Nodes of a piece that is not cut further."""
MAX_HALF_FRACTION = 0.62
"""Maximum fraction of a piece in one half."""
MAX_MOVES_WITHOUT_GAIN = 60
"""Moves without gain after which the best separator so far is accepted."""


def find_elimination_order(size: int, start: Array, index: Array, late: Array) -> Array:
    """Elimination order of the unknowns of a symmetric pattern by columns (both triangles): (size,) unknowns."""
    import scipy.sparse as sparse

    pattern: Any = sparse.csr_matrix((np.ones(index.size, dtype=np.int8), index, start), shape=(size, size))
    waits = np.flatnonzero(late)
    if not waits.size:
        return _order_graph(pattern)
    first = np.flatnonzero(late == 0)
    touched = pattern[first][:, waits].astype(np.int32)
    ordered = first[_order_graph((pattern[first][:, first].astype(np.int32) + touched @ touched.T).tocsr())]
    position = np.full(size, -1.0)
    position[ordered] = np.arange(ordered.size)
    for level in range(1, int(late.max()) + 1):
        for k in np.flatnonzero(late == level):
            neighbours = index[start[k] : start[k + 1]]
            last = position[neighbours[late[neighbours] < level]].max(initial=-1.0)
            position[k] = last if last >= 0.0 else size
    return np.lexsort((late, position))


def _order_graph(pattern: Any) -> Array:
    """Elimination order of the unknowns of a pattern by rows."""
    import scipy.sparse as sparse

    size = pattern.shape[0]
    # Unknowns with the same neighbours that are neighbours of each other are merged into one node.
    pattern = (pattern + sparse.identity(size, format="csr")).tocsr()
    pattern.sort_indices()
    marks = np.random.default_rng(0).integers(1, 2**62, size, dtype=np.int64).astype(np.uint64)
    sums = np.add.reduceat(marks[pattern.indices], pattern.indptr[:-1])
    _, representative, node = np.unique(sums, return_index=True, return_inverse=True)
    # Nodes in the order of their unknowns, which is usually a good one.
    node = np.argsort(np.argsort(representative))[node]
    representative = np.sort(representative)
    graph = pattern[representative][:, representative].tocsr()
    weight = np.bincount(node, minlength=representative.size)
    degree = np.diff(graph.indptr)
    is_hub = degree > max(MIN_HUB_NEIGHBOURS, MIN_HUB_NEIGHBOURS / 16.0 * len(degree) ** 0.5)
    hubs = np.flatnonzero(is_hub)
    if not is_hub.all():
        others = np.flatnonzero(~is_hub)
        hubs = np.concatenate(
            (others[_cheaper_order(graph[others][:, others].tocsr() if hubs.size else graph, weight[others])], hubs)
        )
    return np.argsort(np.argsort(hubs)[node], kind="stable")


def _cheaper_order(graph: Any, weight: Array) -> Array:
    """Nodes of a graph in the cheaper order of minimum degree and nested dissection."""
    start, neighbours = graph.indptr.astype(np.int64), graph.indices.astype(np.int64)
    best = _minimum_degree_order(graph)
    work = _count_multiplications(start, neighbours, weight, best, np.argsort(best))
    if work > ORDER_SEARCH_MULTIPLICATIONS:
        dissected = _nested_dissection_order(graph, start, neighbours, weight)
        if _count_multiplications(start, neighbours, weight, dissected, np.argsort(dissected)) < work:
            best = dissected
    return best


def _minimum_degree_order(graph: Any) -> Array:
    """Minimum degree order, taken from SuperLU's incomplete factorisation of a matrix where all but the diagonal is dropped."""
    import scipy.sparse as sparse
    from scipy.sparse.linalg import spilu

    off = sparse.csc_matrix((np.full(graph.nnz, -1e-3), graph.indices, graph.indptr), shape=graph.shape)
    matrix = (off + 2.0 * sparse.identity(graph.shape[0], format="csc")).tocsc()
    factors = spilu(
        matrix, drop_tol=1.0, fill_factor=1.0, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )  # fmt: skip
    return np.argsort(factors.perm_c)


@jit_compile
def _count_multiplications(start, neighbours, weight, order, position):
    """Approximate multiplications of a factorisation in a given order."""
    parent = elimination_tree_parents(start, neighbours, order, position)
    count, marked = weight.copy(), np.full(order.size, -1, np.int64)
    for k in range(order.size):
        marked[k] = k
        count[k] = weight[order[k]]
    for k in range(order.size):
        for entry in range(start[order[k]], start[order[k] + 1]):
            i = position[neighbours[entry]]
            while i < k and marked[i] != k:
                count[i] += weight[order[k]]
                marked[i] = k
                i = parent[i]
    total = 0.0
    for k in range(order.size):
        total += 0.5 * weight[order[k]] * count[k] * count[k]
    return total


def _nested_dissection_order(graph: Any, start: Array, neighbours: Array, weight: Array) -> Array:
    """Nested dissection order of all connected components."""
    from scipy.sparse.csgraph import connected_components

    components, label = connected_components(graph, directed=False)
    by_label = np.argsort(label, kind="stable")
    pieces = np.split(by_label, np.cumsum(np.bincount(label, minlength=components))[:-1])
    nowhere = np.full(start.size - 1, -1, dtype=np.int64)
    return np.concatenate(
        [
            _dissect_piece(start, neighbours, weight, piece, nowhere)
            if piece.size > MAX_LEAF_NODES
            else _order_leaf(start, neighbours, piece, nowhere)
            for piece in pieces
        ]
    )


def _dissect_piece(start: Array, neighbours: Array, weight: Array, piece: Array, nowhere: Array) -> Array:
    """Nodes of a connected piece in elimination order."""
    at = _landmark_coordinates(start, neighbours, piece)
    side = np.full(start.size - 1, -1, dtype=np.int64)  # 0 and 1: halves, 2: separator, -1: elsewhere
    order: list[Array] = []  # from last to first
    waiting = [piece]
    while waiting:
        piece = waiting.pop()
        cut = (
            _find_separator(start, neighbours, weight, piece, at[piece], side) if piece.size > MAX_LEAF_NODES else None
        )
        if cut is None:
            order.append(_order_leaf(start, neighbours, piece, nowhere)[::-1])
            continue
        order.append(piece[cut == 2][::-1])
        waiting += [piece[cut == 0], piece[cut == 1]]
    return np.concatenate(order)[::-1]


def _landmark_coordinates(start: Array, neighbours: Array, piece: Array) -> Array:
    """Coordinates (nodes, LANDMARK_AXES) of the nodes of a piece, from distances to landmarks."""
    count = start.size - 1
    distance = np.empty((LANDMARK_COUNT, piece.size))
    nearest, mark = np.full(piece.size, np.inf), int(piece[0])
    for k in range(-1, LANDMARK_COUNT):  # the distances from the first node only select the first landmark
        distances = _graph_distances(start, neighbours, mark, np.full(count, -1, dtype=np.int64))[piece].astype(float)
        if k >= 0:
            distance[k] = distances * distances
            nearest = np.minimum(nearest, distances)
        mark = int(piece[np.argmax(distances if k < 0 else nearest)])
    coordinates = np.zeros((count, LANDMARK_AXES))
    centred = distance - distance.mean(axis=1, keepdims=True)
    _, vectors = np.linalg.eigh(centred @ centred.T)
    axes = (vectors[:, ::-1][:, :LANDMARK_AXES].T @ centred).T
    coordinates[piece] = axes / np.sqrt(np.maximum(np.abs(axes).max(axis=0), 1e-300))
    return coordinates


@jit_compile
def _graph_distances(start, neighbours, begin, distance):
    """Number of edges from a node to all others, breadth-first; distance: -1 for nodes that may be visited."""
    queue = np.empty(distance.size, np.int64)
    queue[0], distance[begin] = begin, 0
    head, tail = 0, 1
    while head < tail:
        i = queue[head]
        head += 1
        for entry in range(start[i], start[i + 1]):
            j = neighbours[entry]
            if distance[j] < 0:
                distance[j] = distance[i] + 1
                queue[tail] = j
                tail += 1
    return distance


def _find_separator(
    start: Array, neighbours: Array, weight: Array, piece: Array, at: Array, side: Array
) -> Array | None:
    """For each node of a piece 0 or 1 (its half) or 2 (separator); None if no cut leaves two halves."""
    total, best, cut = int(weight[piece].sum()), np.inf, None
    centred = at - at.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    for axis in (centred @ axes).T[::-1]:
        along = np.argsort(axis, kind="stable")
        half = np.searchsorted(np.cumsum(weight[piece[along]]), total / 2.0)
        side[piece[along]] = np.arange(piece.size) > half
        size, uneven = _refine_separator(start, neighbours, weight, piece, side, int(MAX_HALF_FRACTION * total))
        cost = size * (1.0 + uneven / total)
        if cost < best and uneven < 2.0 * MAX_HALF_FRACTION * total:
            best, cut = cost, side[piece].copy()
    side[piece] = -1
    return cut if cut is not None and min(np.sum(cut == 0), np.sum(cut == 1)) > 0 else None


@jit_compile
def _refine_separator(start, neighbours, weight, piece, side, max_half):
    """Create a separator between two halves and reduce it; return its weight and the difference of the halves."""
    part_weight = np.zeros(3, np.int64)
    edge = np.zeros(2, np.int64)
    for half in range(2):
        for i in piece:
            if side[i] == half:
                for entry in range(start[i], start[i + 1]):
                    if side[neighbours[entry]] == 1 - half:
                        edge[half] += weight[i]
                        break
    thin = 0 if edge[0] <= edge[1] else 1
    for i in piece:
        if side[i] == thin:
            for entry in range(start[i], start[i + 1]):
                if side[neighbours[entry]] == 1 - thin:
                    side[i] = 2 + thin  # preliminary mark: its half is still needed by other nodes
                    break
    count = 0
    for i in piece:
        if side[i] >= 2:
            side[i] = 2
            count += 1
        part_weight[side[i]] += weight[i]
    inside = np.empty(piece.size, np.int64)  # nodes of the separator
    at = np.full(side.size, -1, np.int64)  # their index in that list
    moved = np.zeros(side.size, np.uint8)
    log, before = np.empty(4 * piece.size, np.int64), np.empty(4 * piece.size, np.int64)
    for _ in range(6):
        count = 0
        for i in piece:
            moved[i] = 0
            if side[i] == 2:
                inside[count], at[i] = i, count
                count += 1
        began = best = part_weight[2] * 1.0 + 1e-3 * abs(part_weight[0] - part_weight[1])
        logged = best_log = idle = 0
        while count > 0 and idle < MAX_MOVES_WITHOUT_GAIN and logged < 3 * piece.size:
            gain, chosen, to = -1e300, -1, -1
            for c in range(count):
                i = inside[c]
                if moved[i]:
                    continue
                for half in range(2):
                    pulled = 0
                    for entry in range(start[i], start[i + 1]):
                        if side[neighbours[entry]] == 1 - half:
                            pulled += weight[neighbours[entry]]
                    if part_weight[half] + weight[i] > max_half:
                        continue
                    even = 1e-3 * (part_weight[1 - half] - pulled - part_weight[half] - weight[i])
                    value = weight[i] - pulled + (even if part_weight[half] < part_weight[1 - half] else 0.0)
                    if value > gain:
                        gain, chosen, to = value, i, half
            if chosen < 0:
                break
            moved[chosen] = 1
            log[logged], before[logged] = chosen, 2
            logged += 1
            side[chosen] = to
            part_weight[2] -= weight[chosen]
            part_weight[to] += weight[chosen]
            count -= 1
            inside[at[chosen]] = inside[count]
            at[inside[count]] = at[chosen]
            for entry in range(start[chosen], start[chosen + 1]):
                j = neighbours[entry]
                if side[j] == 1 - to:
                    log[logged], before[logged] = j, 1 - to
                    logged += 1
                    side[j] = 2
                    part_weight[1 - to] -= weight[j]
                    part_weight[2] += weight[j]
                    inside[count], at[j] = j, count
                    count += 1
            idle += 1
            now = part_weight[2] * 1.0 + 1e-3 * abs(part_weight[0] - part_weight[1])
            if now < best:
                best, best_log, idle = now, logged, 0
        while logged > best_log:
            logged -= 1
            i = log[logged]
            part_weight[side[i]] -= weight[i]
            side[i] = before[logged]
            part_weight[side[i]] += weight[i]
        if not best < began:
            break
    return part_weight[2], abs(part_weight[0] - part_weight[1])


def _order_leaf(start: Array, neighbours: Array, piece: Array, nowhere: Array) -> Array:
    """Nodes of a small piece by minimum degree, including their outside neighbours, which come later."""
    return piece[_minimum_degree_by_bits(start, neighbours, piece, nowhere)]


@jit_compile
def _minimum_degree_by_bits(start, neighbours, piece, place):
    """Minimum degree with a dense adjacency matrix: indices into the piece, in order. place: -1 for every node, before and
    after. (A dictionary would take longer to compile than all the rest.)"""
    size = total_size = piece.size
    for k in range(size):
        place[piece[k]] = k
    for k in range(size):
        for entry in range(start[piece[k]], start[piece[k] + 1]):
            if place[neighbours[entry]] < 0:
                place[neighbours[entry]] = total_size
                total_size += 1
    joined = np.zeros((size, total_size), np.uint8)
    for k in range(size):
        for entry in range(start[piece[k]], start[piece[k] + 1]):
            joined[k, place[neighbours[entry]]] = 1
        joined[k, k] = 0
    degree = np.zeros(size, np.int64)
    for k in range(size):
        for column in range(total_size):
            degree[k] += joined[k, column]
        place[piece[k]] = -1
        for entry in range(start[piece[k]], start[piece[k] + 1]):
            place[neighbours[entry]] = -1
    order, is_eliminated = np.empty(size, np.int64), np.zeros(size, np.uint8)
    for step in range(size):
        smallest = -1
        for k in range(size):
            if not is_eliminated[k] and (smallest < 0 or degree[k] < degree[smallest]):
                smallest = k
        order[step], is_eliminated[smallest] = smallest, 1
        for k in range(size):
            if joined[smallest, k] and not is_eliminated[k]:
                count = 0
                for column in range(total_size):
                    joined[k, column] |= joined[smallest, column]
                joined[k, k] = joined[k, smallest] = 0
                for column in range(total_size):
                    count += joined[k, column]
                degree[k] = count
    return order
