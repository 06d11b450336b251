"""Elimination order with little fill-in: minimum degree, with some unknowns late.

Source: minimum degree on the elimination graph, A. George and J. W. H. Liu, SIAM Review 31 (1989) 1-19.
"""

from __future__ import annotations

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.jit.deferred_compilation import LazyCompiled


@LazyCompiled
def minimum_degree(start, neighbour, late, max_multiplications):
    """Constrained minimum degree on the explicit elimination graph, given as lists neighbour[start[i]:start[i + 1]].

    Eliminating p joins its neighbours pairwise. Its own list then stays unchanged: it is the column of L that belongs
    to p. Returns the order, and for each unknown the length of its column and all columns one after another; empty arrays if
    the program would have more than `max_multiplications` multiplications.

    Unknowns of equal degree wait in a queue, first in, first out, which makes the result deterministic.
    An unknown connected to all others costs a copy of its list in every step: quadratic, 0.6 s for 20,000 unknowns.
    """
    size = late.size
    begin, length = np.empty(size, np.int64), np.empty(size, np.int64)
    waiting = np.empty(size, np.int64)  # number of neighbours to be eliminated before this unknown
    marked = np.empty(size, np.int64)  # last step in which this unknown was a neighbour of the eliminated one
    # One ring per degree. The head of the ring of degree d is the extra member size + d.
    after, before = np.empty(2 * size, np.int64), np.empty(2 * size, np.int64)
    for i in range(2 * size):
        after[i] = before[i] = i
    for i in range(size):
        begin[i], length[i] = start[i], start[i + 1] - start[i]
        marked[i] = -1
        waiting[i] = 0
        if late[i] > 0:
            for a in range(start[i], start[i + 1]):
                waiting[i] += late[neighbour[a]] < late[i]
        if waiting[i] == 0:
            _enqueue(after, before, i, size + length[i])

    order = np.empty(size, np.int64)
    pool, top = neighbour, neighbour.size  # full, so that the first new list makes a copy of it
    degree = total = 0
    for k in range(size):
        while after[size + degree] == size + degree:
            degree += 1
        p = after[size + degree]
        _dequeue(after, before, p)
        order[k] = p
        if late[p] < 2:
            for a in range(start[p], start[p + 1]):
                if late[neighbour[a]] > late[p]:
                    waiting[neighbour[a]] -= 1

        need = length[p] * length[p]
        total += (need + length[p]) // 2
        if total > max_multiplications:
            return order[:0], length[:0], pool[:0]
        marked[p] = k
        for a in range(begin[p], begin[p] + length[p]):
            marked[pool[a]] = k
            need += length[pool[a]]
        if top + need > pool.size:
            pool, top = _repack(pool, begin, length, need)

        for a in range(begin[p], begin[p] + length[p]):
            i = pool[a]
            new = top
            for c in range(begin[i], begin[i] + length[i]):
                if marked[pool[c]] != k:
                    pool[top] = pool[c]
                    top += 1
            for c in range(begin[p], begin[p] + length[p]):
                if pool[c] != i:
                    pool[top] = pool[c]
                    top += 1
            begin[i], length[i] = new, top - new
            if waiting[i] == 0:
                _dequeue(after, before, i)
                _enqueue(after, before, i, size + length[i])
                degree = min(degree, length[i])
    pool, top = _repack(pool, begin, length, 0)
    return order, length, pool


@jit_compile
def _enqueue(after, before, i, ring):
    """Put i at the end of a ring."""
    before[i], after[i] = before[ring], ring
    after[before[i]] = i
    before[ring] = i


@jit_compile
def _dequeue(after, before, i):
    """Remove i from its ring; no effect for a multiplier that is in none yet."""
    after[before[i]] = after[i]
    before[after[i]] = before[i]


@jit_compile
def _repack(pool, begin, length, need):
    """Copy the lists in use to a new pool with as much free space again plus `need`, so that copying stays rare."""
    used = 0
    for i in range(length.size):
        used += length[i]
    new = np.empty(2 * used + need, np.int64)
    top = 0
    for i in range(length.size):
        for a in range(length[i]):
            new[top + a] = pool[begin[i] + a]
        begin[i] = top
        top += length[i]
    return new, top
