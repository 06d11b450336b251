"""In what order the unknowns of a large sparse symmetric matrix are eliminated: minimum degree, or nested dissection.

Minimum degree (SuperLU's) is found in milliseconds and hardly to be beaten for nets. Where it would take more than WORTH
multiplications, nested dissection is tried, too, and the cheaper of both is taken.

A small set of unknowns, the separator, cuts the graph of the matrix into two halves that do not touch. It is eliminated last;
the halves are cut in the same way, until they are so small that minimum degree is as good. Meshes in space then take half
of the multiplications.

Cuts are straight. A graph has no coordinates, but distances between its nodes, which give some: those of a few landmarks far
from each other, turned to principal axes (classical scaling). A half ends where the middle of an axis is, the best of the axes
is taken, and the separator is made smaller by moving single nodes out of it as long as that gains something.

Multipliers ("late" unknowns) follow directly on the last unknown that they touch, see elimination.py; those unknowns belong
together for the purpose of cutting.

Sources: A. George, SIAM J. Numer. Anal. 10 (1973) 345-363; C. M. Fiduccia, R. M. Mattheyses, Proc. 19th Design Automation Conf.
(1982) 175-181 (moves); V. de Silva, J. B. Tenenbaum, Sparse multidimensional scaling using landmark points (Stanford 2004);
C. Ashcraft, SIAM J. Sci. Comput. 16 (1995) 1404-1411 (unknowns with the same neighbours are one node).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.system.front_tree import parents

Array = np.ndarray

WORTH = 5e7
"""Multiplications, about 10 ms of a factorisation: what a search for a better order costs ten times, but once."""
LANDMARKS = 8
AXES = 3
HUB = 64
"""Neighbours from which on an unknown is eliminated last, if they are 4 times the root of the number of nodes, too: a body
with a thousand nodes of a mesh tied to it is near to all of them, and nothing is far from anything any more."""
SMALL = 80
"""Nodes of a piece that is not cut any more."""
UNEVEN = 0.62
"""Largest part of a piece that one half may have."""
PATIENCE = 60
"""Moves without gain after which the best separator so far is taken."""


def order(size: int, start: Array, index: Array, late: Array) -> Array:
    """The unknowns of a symmetric pattern by columns (both triangles) in the order of their elimination."""
    import scipy.sparse as sparse

    pattern: Any = sparse.csr_matrix((np.ones(index.size, dtype=np.int8), index, start), shape=(size, size))
    waits = np.flatnonzero(late)
    if not waits.size:
        return _ordered(pattern)
    first = np.flatnonzero(late == 0)
    touched = pattern[first][:, waits].astype(np.int32)
    found = first[_ordered((pattern[first][:, first].astype(np.int32) + touched @ touched.T).tocsr())]
    position = np.full(size, -1.0)
    position[found] = np.arange(found.size)
    for level in range(1, int(late.max()) + 1):
        for k in np.flatnonzero(late == level):
            near = index[start[k] : start[k + 1]]
            behind = position[near[late[near] < level]].max(initial=-1.0)
            position[k] = behind if behind >= 0.0 else size
    return np.lexsort((late, position))


def _ordered(pattern: Any) -> Array:
    """The unknowns of a pattern by rows in the order of their elimination."""
    import scipy.sparse as sparse

    size = pattern.shape[0]
    # Unknowns with the same neighbours, and neighbours of each other, are one node.
    pattern = (pattern + sparse.identity(size, format="csr")).tocsr()
    pattern.sort_indices()
    marks = np.random.default_rng(0).integers(1, 2**62, size, dtype=np.int64).astype(np.uint64)
    sums = np.add.reduceat(marks[pattern.indices], pattern.indptr[:-1])
    _, representative, node = np.unique(sums, return_index=True, return_inverse=True)
    node = np.argsort(np.argsort(representative))[
        node
    ]  # nodes in the order of their unknowns, which is mostly a good one
    representative = np.sort(representative)
    graph = pattern[representative][:, representative].tocsr()
    weight = np.bincount(node, minlength=representative.size)
    degree = np.diff(graph.indptr)
    many = degree > max(HUB, HUB / 16.0 * len(degree) ** 0.5)
    best = np.flatnonzero(many)
    if not many.all():
        few = np.flatnonzero(~many)
        best = np.concatenate((few[_best(graph[few][:, few].tocsr() if best.size else graph, weight[few])], best))
    return np.argsort(np.argsort(best)[node], kind="stable")


def _best(graph: Any, weight: Array) -> Array:
    """The nodes of a graph in the cheaper order of both."""
    start, near = graph.indptr.astype(np.int64), graph.indices.astype(np.int64)
    best = _by_degree(graph)
    work = _multiplications(start, near, weight, best, np.argsort(best))
    if work > WORTH:
        other = _by_cuts(graph, start, near, weight)
        if _multiplications(start, near, weight, other, np.argsort(other)) < work:
            best = other
    return best


def _by_degree(graph: Any) -> Array:
    """Minimum degree: that of SuperLU, which tells it with factors, here of a matrix of which it drops all but the diagonal."""
    import scipy.sparse as sparse
    from scipy.sparse.linalg import spilu

    off = sparse.csc_matrix((np.full(graph.nnz, -1e-3), graph.indices, graph.indptr), shape=graph.shape)
    matrix = (off + 2.0 * sparse.identity(graph.shape[0], format="csc")).tocsc()
    factors = spilu(
        matrix, drop_tol=1.0, fill_factor=1.0, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )  # fmt: skip
    return np.argsort(factors.perm_c)


@compiled
def _multiplications(start, near, weight, order, position):
    """Of a factorisation in a given order, nearly."""
    parent = parents(start, near, order, position)
    count, seen = weight.copy(), np.full(order.size, -1, np.int64)
    for k in range(order.size):
        seen[k] = k
        count[k] = weight[order[k]]
    for k in range(order.size):
        for entry in range(start[order[k]], start[order[k] + 1]):
            i = position[near[entry]]
            while i < k and seen[i] != k:
                count[i] += weight[order[k]]
                seen[i] = k
                i = parent[i]
    total = 0.0
    for k in range(order.size):
        total += 0.5 * weight[order[k]] * count[k] * count[k]
    return total


def _by_cuts(graph: Any, start: Array, near: Array, weight: Array) -> Array:
    """Nested dissection."""
    from scipy.sparse.csgraph import connected_components

    components, label = connected_components(graph, directed=False)
    by_label = np.argsort(label, kind="stable")
    pieces = np.split(by_label, np.cumsum(np.bincount(label, minlength=components))[:-1])
    nowhere = np.full(start.size - 1, -1, dtype=np.int64)
    return np.concatenate([
        _dissected(start, near, weight, piece, nowhere) if piece.size > SMALL else _leaf(start, near, piece, nowhere)
        for piece in pieces
    ])  # fmt: skip


def _dissected(start: Array, near: Array, weight: Array, piece: Array, nowhere: Array) -> Array:
    """The nodes of a connected piece in order."""
    at = _coordinates(start, near, piece)
    side = np.full(start.size - 1, -1, dtype=np.int64)  # 0 and 1: halves, 2: separator, -1: elsewhere
    order: list[Array] = []  # from the last one on
    waiting = [piece]
    while waiting:
        piece = waiting.pop()
        cut = _cut(start, near, weight, piece, at[piece], side) if piece.size > SMALL else None
        if cut is None:
            order.append(_leaf(start, near, piece, nowhere)[::-1])
            continue
        order.append(piece[cut == 2][::-1])
        waiting += [piece[cut == 0], piece[cut == 1]]
    return np.concatenate(order)[::-1]


def _coordinates(start: Array, near: Array, piece: Array) -> Array:
    """Coordinates (nodes, AXES) of the nodes of a piece, from distances to landmarks."""
    count = start.size - 1
    distance = np.empty((LANDMARKS, piece.size))
    nearest, mark = np.full(piece.size, np.inf), int(piece[0])
    for k in range(-1, LANDMARKS):  # the first node is far from nothing: it only finds a first landmark
        far = _distances(start, near, mark, np.full(count, -1, dtype=np.int64))[piece].astype(float)
        if k >= 0:
            distance[k] = far * far
            nearest = np.minimum(nearest, far)
        mark = int(piece[np.argmax(far if k < 0 else nearest)])
    found = np.zeros((count, AXES))
    centred = distance - distance.mean(axis=1, keepdims=True)
    _, vectors = np.linalg.eigh(centred @ centred.T)
    axes = (vectors[:, ::-1][:, :AXES].T @ centred).T
    found[piece] = axes / np.sqrt(np.maximum(np.abs(axes).max(axis=0), 1e-300))
    return found


@compiled
def _distances(start, near, begin, distance):
    """Numbers of edges from a node to all others; distance: -1 where they may go."""
    queue = np.empty(distance.size, np.int64)
    queue[0], distance[begin] = begin, 0
    head, tail = 0, 1
    while head < tail:
        i = queue[head]
        head += 1
        for entry in range(start[i], start[i + 1]):
            j = near[entry]
            if distance[j] < 0:
                distance[j] = distance[i] + 1
                queue[tail] = j
                tail += 1
    return distance


def _cut(start: Array, near: Array, weight: Array, piece: Array, at: Array, side: Array) -> Array | None:
    """For each node of a piece 0 or 1 (its half) or 2 (separator); None if there is no cut that leaves two halves."""
    total, best, found = int(weight[piece].sum()), np.inf, None
    centred = at - at.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    for axis in (centred @ axes).T[::-1]:
        along = np.argsort(axis, kind="stable")
        half = np.searchsorted(np.cumsum(weight[piece[along]]), total / 2.0)
        side[piece[along]] = np.arange(piece.size) > half
        size, uneven = _refined(start, near, weight, piece, side, int(UNEVEN * total))
        cost = size * (1.0 + uneven / total)
        if cost < best and uneven < 2.0 * UNEVEN * total:
            best, found = cost, side[piece].copy()
    side[piece] = -1
    return found if found is not None and min(np.sum(found == 0), np.sum(found == 1)) > 0 else None


@compiled
def _refined(start, near, weight, piece, side, most):
    """Put a separator between two halves and make it small; its weight, and how much the halves differ."""
    held = np.zeros(3, np.int64)
    edge = np.zeros(2, np.int64)
    for half in range(2):
        for i in piece:
            if side[i] == half:
                for entry in range(start[i], start[i + 1]):
                    if side[near[entry]] == 1 - half:
                        edge[half] += weight[i]
                        break
    thin = 0 if edge[0] <= edge[1] else 1
    for i in piece:
        if side[i] == thin:
            for entry in range(start[i], start[i + 1]):
                if side[near[entry]] == 1 - thin:
                    side[i] = 2 + thin  # for now: others must see it where it was
                    break
    count = 0
    for i in piece:
        if side[i] >= 2:
            side[i] = 2
            count += 1
        held[side[i]] += weight[i]
    inside = np.empty(piece.size, np.int64)  # nodes of the separator
    at = np.full(side.size, -1, np.int64)  # where they are in that list
    moved = np.zeros(side.size, np.uint8)
    log, before = np.empty(4 * piece.size, np.int64), np.empty(4 * piece.size, np.int64)
    for _ in range(6):
        count = 0
        for i in piece:
            moved[i] = 0
            if side[i] == 2:
                inside[count], at[i] = i, count
                count += 1
        began = best = held[2] * 1.0 + 1e-3 * abs(held[0] - held[1])
        logged = kept = idle = 0
        while count > 0 and idle < PATIENCE and logged < 3 * piece.size:
            gain, chosen, to = -1e300, -1, -1
            for c in range(count):
                i = inside[c]
                if moved[i]:
                    continue
                for half in range(2):
                    pulled = 0
                    for entry in range(start[i], start[i + 1]):
                        if side[near[entry]] == 1 - half:
                            pulled += weight[near[entry]]
                    if held[half] + weight[i] > most:
                        continue
                    even = 1e-3 * (held[1 - half] - pulled - held[half] - weight[i])
                    value = weight[i] - pulled + (even if held[half] < held[1 - half] else 0.0)
                    if value > gain:
                        gain, chosen, to = value, i, half
            if chosen < 0:
                break
            moved[chosen] = 1
            log[logged], before[logged] = chosen, 2
            logged += 1
            side[chosen] = to
            held[2] -= weight[chosen]
            held[to] += weight[chosen]
            count -= 1
            inside[at[chosen]] = inside[count]
            at[inside[count]] = at[chosen]
            for entry in range(start[chosen], start[chosen + 1]):
                j = near[entry]
                if side[j] == 1 - to:
                    log[logged], before[logged] = j, 1 - to
                    logged += 1
                    side[j] = 2
                    held[1 - to] -= weight[j]
                    held[2] += weight[j]
                    inside[count], at[j] = j, count
                    count += 1
            idle += 1
            now = held[2] * 1.0 + 1e-3 * abs(held[0] - held[1])
            if now < best:
                best, kept, idle = now, logged, 0
        while logged > kept:
            logged -= 1
            i = log[logged]
            held[side[i]] -= weight[i]
            side[i] = before[logged]
            held[side[i]] += weight[i]
        if not best < began:
            break
    return held[2], abs(held[0] - held[1])


def _leaf(start: Array, near: Array, piece: Array, nowhere: Array) -> Array:
    """The nodes of a small piece by minimum degree, with their neighbours outside, which come later."""
    return piece[_least_first(start, near, piece, nowhere)]


@compiled
def _least_first(start, near, piece, place):
    """Minimum degree on bits: places in the piece, in order. place: -1 for every node, before and after. (A dictionary would
    take longer to compile than all the rest.)"""
    size = whole = piece.size
    for k in range(size):
        place[piece[k]] = k
    for k in range(size):
        for entry in range(start[piece[k]], start[piece[k] + 1]):
            if place[near[entry]] < 0:
                place[near[entry]] = whole
                whole += 1
    joined = np.zeros((size, whole), np.uint8)
    for k in range(size):
        for entry in range(start[piece[k]], start[piece[k] + 1]):
            joined[k, place[near[entry]]] = 1
        joined[k, k] = 0
    degree = np.zeros(size, np.int64)
    for k in range(size):
        for other in range(whole):
            degree[k] += joined[k, other]
        place[piece[k]] = -1
        for entry in range(start[piece[k]], start[piece[k] + 1]):
            place[near[entry]] = -1
    found, done = np.empty(size, np.int64), np.zeros(size, np.uint8)
    for step in range(size):
        least = -1
        for k in range(size):
            if not done[k] and (least < 0 or degree[k] < degree[least]):
                least = k
        found[step], done[least] = least, 1
        for k in range(size):
            if joined[least, k] and not done[k]:
                count = 0
                for other in range(whole):
                    joined[k, other] |= joined[least, other]
                joined[k, k] = joined[k, least] = 0
                for other in range(whole):
                    count += joined[k, other]
                degree[k] = count
    return found
