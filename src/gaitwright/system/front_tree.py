"""The fronts of a sparse symmetric pattern (fronts.py): which unknowns each has, whom it passes on to, where all entries go.

Columns of L with the same pattern, but for what is eliminated on the way, form a front; small ones are joined with their
parents, at the price of a few zeros.

Unknowns that are kept (schur.py) come last and have no fronts: the roots of the tree pass on to them.

Sources: J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11 (1990) 134-172 (elimination trees); C. Ashcraft, R. Grimes, ACM Trans.
Math. Softw. 15 (1989) 291-309 (joining fronts).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.compiled import compiled

Array = np.ndarray

NARROW, WASTE = 8, 0.15
"""Fronts with so few unknowns are joined with their parent if at most WASTE of the result is zeros; wider ones for a tenth."""


class Tree(NamedTuple):
    """Fronts in the order of elimination, children first. order: the unknown that is eliminated k-th; then those that are
    kept."""

    order: Array
    own: Array  # (fronts + 1,) where the own unknowns of each begin in the order of elimination
    row: Array  # positions of all unknowns of the fronts, one front behind the other, ascending
    row_start: Array
    parent: Array  # of each front, -1 for roots
    inside: Array  # for each unknown of a front: its place in the parent's, of a root among those kept; of the own ones nothing
    panel: Array  # (fronts + 1,) where the panels begin
    take: Array  # entries of the matrix, by fronts
    take_start: Array
    at: Array  # where each goes: within the panel
    children: Array  # number of each
    stack: int  # largest size of what waits to be taken on
    work: float  # multiplications of a factorisation


def tree(size: int, start: Array, index: Array, order: Array, kept: int = 0) -> Tree:
    """The fronts of a symmetric pattern by columns (both triangles, sorted) for unknowns eliminated in a given order. kept: how
    many of them, the last, are not eliminated."""
    inner, stay = size - kept, order[size - kept :]
    parent = _below(parents(start, index, order, np.argsort(order)), inner)
    order = np.r_[order[_postorder(parent)], stay]
    position = np.argsort(order)
    parent = _below(parents(start, index, order, position), inner)
    count = _counts(start, index, order, position, parent)
    front = _joined(parent, count)
    # Own unknowns of a front behind one another, fronts in the order of their last one, which is behind all children's.
    last = np.zeros(front.max(initial=-1) + 1, dtype=np.int64)
    np.maximum.at(last, front, np.arange(inner))
    place = np.argsort(np.argsort(last))[front]
    moved = np.argsort(place, kind="stable")
    order, parent_of = np.r_[order[moved], stay], parent
    position = np.argsort(order)
    own = np.searchsorted(place[moved], np.arange(last.size + 1))
    above = np.full(last.size, -1, dtype=np.int64)
    tops = np.sort(last)
    above[:] = np.where(parent_of[tops] >= 0, place[parent_of[tops]], -1)
    row, row_start = _rows(start, index, order, position, own, above)
    inside = _inside(row, row_start, own, above, inner)
    wide, width = np.diff(row_start), np.diff(own)
    panel = np.concatenate(([0], np.cumsum(width * wide)))
    take, take_start, at = _places(start, index, position, own, row, row_start, panel)
    children = np.bincount(above[above >= 0], minlength=last.size)
    stack = _stack(above, children, wide - width)
    work = float(np.sum(width * wide * wide - width * width * wide + width**3 / 3.0) / 2.0)
    return Tree(
        order, own, row, row_start, above, inside, panel, take, take_start, at, children, max(stack, 1), work
    )  # fmt: skip


def _below(parent: Array, inner: int) -> Array:
    """Of those that are eliminated: whoever passes on to one that is kept is a root."""
    found = parent[:inner]
    return np.where(found < inner, found, -1)


@compiled
def parents(start, index, order, position):
    """The elimination tree: for each position the first one that its column of L touches, -1 if none."""
    size = order.size
    parent, ancestor = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    for k in range(size):
        for entry in range(start[order[k]], start[order[k] + 1]):
            i = position[index[entry]]
            while i < k:
                following = ancestor[i]
                ancestor[i] = k
                if following == -1:
                    parent[i] = k
                    break
                i = following
    return parent


@compiled
def _postorder(parent):
    """Children directly before their parents."""
    size = parent.size
    first, following = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    for k in range(size - 1, -1, -1):
        if parent[k] >= 0:
            following[k] = first[parent[k]]
            first[parent[k]] = k
    found, waiting = np.empty(size, np.int64), np.empty(size, np.int64)
    at = 0
    for root in range(size):
        if parent[root] >= 0:
            continue
        top = 0
        waiting[0] = root
        while top >= 0:
            k = waiting[top]
            child = first[k]
            if child >= 0:
                first[k] = following[child]
                top += 1
                waiting[top] = child
            else:
                found[at] = k
                at += 1
                top -= 1
    return found


@compiled
def _counts(start, index, order, position, parent):
    """Entries in each column of L, the diagonal included."""
    size = parent.size
    count, seen = np.ones(size, np.int64), np.full(size, -1, np.int64)
    for k in range(order.size):
        if k < size:
            seen[k] = k
        before = min(k, size)
        for entry in range(start[order[k]], start[order[k] + 1]):
            i = position[index[entry]]
            while 0 <= i < before and seen[i] != k:
                count[i] += 1
                seen[i] = k
                i = parent[i]
    return count


@compiled
def _joined(parent, count):
    """The front of each position, numbered at will: columns with the same pattern; small fronts join their parents."""
    size = parent.size
    only = np.zeros(size, np.int64)
    for k in range(size):
        if parent[k] >= 0:
            only[parent[k]] += 1
    # top: the last position of a front stands for it.
    top = np.arange(size)
    width, height, zeros = np.ones(size, np.int64), count.copy(), np.zeros(size, np.int64)
    for k in range(size):
        above = parent[k]
        if above < 0:
            continue
        whole, wide = height[above], width[k]
        # Parents are visited after all their children: above is still a single column that fronts may have joined.
        empty = zeros[k] + zeros[above] + wide * (whole - (height[k] - wide))
        length = wide + whole
        columns = wide + width[above]
        all_of_it = columns * length - columns * (columns - 1) // 2
        same = only[above] == 1 and empty == zeros[k]
        if same or (wide <= NARROW and empty <= WASTE * all_of_it) or empty <= 0.1 * WASTE * all_of_it:
            top[k] = above
            width[above], height[above], zeros[above] = columns, length, empty
    front = np.empty(size, np.int64)
    number = 0
    for k in range(size - 1, -1, -1):
        if top[k] == k:
            front[k] = number
            number += 1
        else:
            front[k] = front[top[k]]
    return front


@compiled
def _sort(values, begin, end):
    """Shell's way, in place: NumPy's takes three seconds to compile."""
    gap = 1
    while 3 * gap < end - begin:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(begin + gap, end):
            value, i = values[k], k
            while i >= begin + gap and values[i - gap] > value:
                values[i] = values[i - gap]
                i -= gap
            values[i] = value
        gap //= 3


@compiled
def _rows(start, index, order, position, own, above):
    """Positions of all unknowns of each front, and where they begin."""
    size, fronts = order.size, above.size
    front = np.empty(size, np.int64)
    for f in range(fronts):
        for k in range(own[f], own[f + 1]):
            front[k] = f
    first, following = np.full(fronts, -1, np.int64), np.full(fronts, -1, np.int64)
    row_start = np.zeros(fronts + 1, np.int64)
    rows = np.empty(2 * index.size + size, np.int64)
    seen = np.full(size, -1, np.int64)
    top = 0
    for f in range(fronts):
        row_start[f] = top
        need = own[f + 1] - own[f]
        for k in range(own[f], own[f + 1]):
            need += start[order[k] + 1] - start[order[k]]
        child = first[f]
        while child >= 0:
            need += row_start[child + 1] - row_start[child]
            child = following[child]
        if top + need > rows.size:
            more = np.empty(2 * rows.size + need, np.int64)
            for entry in range(top):
                more[entry] = rows[entry]
            rows = more
        for k in range(own[f], own[f + 1]):
            seen[k] = f
            rows[top] = k
            top += 1
        behind = top
        for k in range(own[f], own[f + 1]):
            for entry in range(start[order[k]], start[order[k] + 1]):
                i = position[index[entry]]
                if i >= own[f + 1] and seen[i] != f:
                    seen[i] = f
                    rows[top] = i
                    top += 1
        child = first[f]
        while child >= 0:
            for entry in range(row_start[child], row_start[child + 1]):
                i = rows[entry]
                if i >= own[f + 1] and seen[i] != f:
                    seen[i] = f
                    rows[top] = i
                    top += 1
            child = following[child]
        _sort(rows, behind, top)
        if above[f] >= 0:
            following[f] = first[above[f]]
            first[above[f]] = f
    row_start[fronts] = top
    return rows[:top].copy(), row_start


@compiled
def _inside(row, row_start, own, above, inner):
    """Where the unknowns that a front passes on are in the front of its parent."""
    found = np.zeros(row.size, np.int32)
    for f in range(above.size):
        if above[f] < 0:
            for entry in range(row_start[f] + own[f + 1] - own[f], row_start[f + 1]):
                found[entry] = row[entry] - inner
            continue
        begin = row_start[above[f]]
        at = begin
        for entry in range(row_start[f] + own[f + 1] - own[f], row_start[f + 1]):
            while row[at] != row[entry]:
                at += 1
            found[entry] = at - begin
    return found


@compiled
def _entries(start, index, position, own, row, row_start, panel, front_of):
    """The front of every entry in the lower triangle, -1 for others, and its place in the panel."""
    owner, at = np.full(index.size, -1, np.int64), np.zeros(index.size, np.int64)
    for column in range(position.size):
        j = position[column]
        if j >= front_of.size:
            continue
        f = front_of[j]
        begin, wide = row_start[f], row_start[f + 1] - row_start[f]
        for entry in range(start[column], start[column + 1]):
            i = position[index[entry]]
            if i < j:
                continue
            low, high = begin, row_start[f + 1]
            while low < high:
                middle = (low + high) // 2
                if row[middle] < i:
                    low = middle + 1
                else:
                    high = middle
            owner[entry], at[entry] = f, (j - own[f]) * wide + low - begin
    return owner, at


def _places(
    start: Array, index: Array, position: Array, own: Array, row: Array, row_start: Array, panel: Array
) -> tuple[Array, Array, Array]:
    front_of = np.repeat(np.arange(own.size - 1), np.diff(own))
    owner, at = _entries(start, index, position, own, row, row_start, panel, front_of)
    inside = np.flatnonzero(owner >= 0)
    take = inside[np.argsort(owner[inside], kind="stable")]
    return take, np.searchsorted(owner[take], np.arange(own.size)), at[take]


@compiled
def _stack(above, children, passed):
    """Numbers on the stack, at most: a front is built on top of what its children left there."""
    sizes, count, top, most = np.zeros(above.size, np.int64), 0, 0, 0
    for f in range(above.size):
        most = max(most, top + passed[f] ** 2)
        for _ in range(children[f]):
            count -= 1
            top -= sizes[count]
        sizes[count] = passed[f] ** 2
        top += sizes[count]
        count += 1
    return most
