"""Tree of fronts of a sparse symmetric pattern (multifrontal.py): unknowns, parent and storage places of each front.

Columns of L with the same pattern, except for the columns' own unknowns, form a front; small fronts are merged with their
parents, at the price of a few zeros.

Retained unknowns (schur_complement.py) come last and have no fronts: the roots of the tree pass their updates to them.

Sources: J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11 (1990) 134-172 (elimination trees); C. Ashcraft, R. Grimes, ACM Trans.
Math. Softw. 15 (1989) 291-309 (merging fronts).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.jit import jit_compile

Array = np.ndarray

NARROW_FRONT_UNKNOWNS, MAX_ZERO_FRACTION = 8, 0.15
"""Fronts with at most this many unknowns are merged with their parent if at most this fraction of the result is zeros;
wider ones if it is at most a tenth of that."""


class FrontTree(NamedTuple):
    """Fronts in the order of elimination, children first. order: the unknown eliminated k-th, followed by the retained
    unknowns."""

    order: Array
    own: Array  # (fronts + 1,) start of the own unknowns of each front in the order of elimination
    row: Array  # positions of all unknowns of the fronts, front by front, ascending
    row_start: Array
    parent: Array  # of each front, -1 for roots
    inside: Array  # for each unknown passed on: its place in the parent front, or (roots) among those retained; own ones unused
    panel: Array  # (fronts + 1,) start of the panels
    take: Array  # entries of the matrix, by fronts
    take_start: Array
    at: Array  # place of each in the panel
    children: Array  # number of children of each front
    stack: int  # maximum size of the stack of update matrices
    work: float  # multiplications of a factorisation


def build_front_tree(size: int, start: Array, index: Array, order: Array, retained: int = 0) -> FrontTree:
    """Build the fronts of a symmetric pattern by columns (both triangles, sorted) for a given elimination order. retained:
    number of unknowns, at the end, that are not eliminated."""
    inner, stay = size - retained, order[size - retained :]
    parent = _parents_among_eliminated(elimination_tree_parents(start, index, order, np.argsort(order)), inner)
    order = np.r_[order[_postorder(parent)], stay]
    position = np.argsort(order)
    parent = _parents_among_eliminated(elimination_tree_parents(start, index, order, position), inner)
    count = _column_counts(start, index, order, position, parent)
    front = _merge_fronts(parent, count)
    # Own unknowns of a front are consecutive; fronts are ordered by their last one, which comes after all children's.
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
    row, row_start = _front_rows(start, index, order, position, own, above)
    inside = _positions_in_parent(row, row_start, own, above, inner)
    wide, width = np.diff(row_start), np.diff(own)
    panel = np.concatenate(([0], np.cumsum(width * wide)))
    take, take_start, at = _panel_positions(start, index, position, own, row, row_start, panel)
    children = np.bincount(above[above >= 0], minlength=last.size)
    stack = _stack_size(above, children, wide - width)
    work = float(np.sum(width * wide * wide - width * width * wide + width**3 / 3.0) / 2.0)
    return FrontTree(
        order, own, row, row_start, above, inside, panel, take, take_start, at, children, max(stack, 1), work
    )  # fmt: skip


def _parents_among_eliminated(parent: Array, inner: int) -> Array:
    """Parents of the eliminated unknowns: an unknown with a retained parent is a root."""
    parents = parent[:inner]
    return np.where(parents < inner, parents, -1)


@jit_compile
def elimination_tree_parents(start, index, order, position):
    """Elimination tree: for each position the first later position in its column of L, -1 if none."""
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


@jit_compile
def _postorder(parent):
    """Postorder: children directly before their parents."""
    size = parent.size
    first, following = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    for k in range(size - 1, -1, -1):
        if parent[k] >= 0:
            following[k] = first[parent[k]]
            first[parent[k]] = k
    order, waiting = np.empty(size, np.int64), np.empty(size, np.int64)
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
                order[at] = k
                at += 1
                top -= 1
    return order


@jit_compile
def _column_counts(start, index, order, position, parent):
    """Number of entries in each column of L, including the diagonal."""
    size = parent.size
    count, marked = np.ones(size, np.int64), np.full(size, -1, np.int64)
    for k in range(order.size):
        if k < size:
            marked[k] = k
        before = min(k, size)
        for entry in range(start[order[k]], start[order[k] + 1]):
            i = position[index[entry]]
            while 0 <= i < before and marked[i] != k:
                count[i] += 1
                marked[i] = k
                i = parent[i]
    return count


@jit_compile
def _merge_fronts(parent, count):
    """Front number of each position, unordered: columns with the same pattern form a front; small fronts join their parents."""
    size = parent.size
    only = np.zeros(size, np.int64)
    for k in range(size):
        if parent[k] >= 0:
            only[parent[k]] += 1
    # top: a front is represented by its last position.
    top = np.arange(size)
    width, height, zeros = np.ones(size, np.int64), count.copy(), np.zeros(size, np.int64)
    for k in range(size):
        above = parent[k]
        if above < 0:
            continue
        parent_height, wide = height[above], width[k]
        # Parents are visited after all their children: above is still a single column, possibly with merged fronts.
        empty = zeros[k] + zeros[above] + wide * (parent_height - (height[k] - wide))
        length = wide + parent_height
        columns = wide + width[above]
        all_of_it = columns * length - columns * (columns - 1) // 2
        same_pattern = only[above] == 1 and empty == zeros[k]
        if (
            same_pattern
            or (wide <= NARROW_FRONT_UNKNOWNS and empty <= MAX_ZERO_FRACTION * all_of_it)
            or empty <= 0.1 * MAX_ZERO_FRACTION * all_of_it
        ):
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


@jit_compile
def _shell_sort(values, begin, end):
    """Shell sort in place: NumPy's sort takes three seconds to compile."""
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


@jit_compile
def _front_rows(start, index, order, position, own, above):
    """Positions of all unknowns of each front, and the start of each front."""
    size, fronts = order.size, above.size
    front = np.empty(size, np.int64)
    for f in range(fronts):
        for k in range(own[f], own[f + 1]):
            front[k] = f
    first, following = np.full(fronts, -1, np.int64), np.full(fronts, -1, np.int64)
    row_start = np.zeros(fronts + 1, np.int64)
    rows = np.empty(2 * index.size + size, np.int64)
    marked = np.full(size, -1, np.int64)
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
            larger = np.empty(2 * rows.size + need, np.int64)
            for entry in range(top):
                larger[entry] = rows[entry]
            rows = larger
        for k in range(own[f], own[f + 1]):
            marked[k] = f
            rows[top] = k
            top += 1
        behind = top
        for k in range(own[f], own[f + 1]):
            for entry in range(start[order[k]], start[order[k] + 1]):
                i = position[index[entry]]
                if i >= own[f + 1] and marked[i] != f:
                    marked[i] = f
                    rows[top] = i
                    top += 1
        child = first[f]
        while child >= 0:
            for entry in range(row_start[child], row_start[child + 1]):
                i = rows[entry]
                if i >= own[f + 1] and marked[i] != f:
                    marked[i] = f
                    rows[top] = i
                    top += 1
            child = following[child]
        _shell_sort(rows, behind, top)
        if above[f] >= 0:
            following[f] = first[above[f]]
            first[above[f]] = f
    row_start[fronts] = top
    return rows[:top].copy(), row_start


@jit_compile
def _positions_in_parent(row, row_start, own, above, inner):
    """Places of the unknowns that a front passes on in the front of its parent."""
    place = np.zeros(row.size, np.int32)
    for f in range(above.size):
        if above[f] < 0:
            for entry in range(row_start[f] + own[f + 1] - own[f], row_start[f + 1]):
                place[entry] = row[entry] - inner
            continue
        begin = row_start[above[f]]
        at = begin
        for entry in range(row_start[f] + own[f + 1] - own[f], row_start[f + 1]):
            while row[at] != row[entry]:
                at += 1
            place[entry] = at - begin
    return place


@jit_compile
def _locate_entries(start, index, position, own, row, row_start, panel, front_of):
    """Front of every entry in the lower triangle (-1 for others), and its place in the panel."""
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


def _panel_positions(
    start: Array, index: Array, position: Array, own: Array, row: Array, row_start: Array, panel: Array
) -> tuple[Array, Array, Array]:
    front_of = np.repeat(np.arange(own.size - 1), np.diff(own))
    owner, at = _locate_entries(start, index, position, own, row, row_start, panel, front_of)
    inside = np.flatnonzero(owner >= 0)
    take = inside[np.argsort(owner[inside], kind="stable")]
    return take, np.searchsorted(owner[take], np.arange(own.size)), at[take]


@jit_compile
def _stack_size(above, children, passed):
    """Maximum size of the stack: a front is built on top of the updates of its children."""
    sizes, count, top, maximum = np.zeros(above.size, np.int64), 0, 0, 0
    for f in range(above.size):
        maximum = max(maximum, top + passed[f] ** 2)
        for _ in range(children[f]):
            count -= 1
            top -= sizes[count]
        sizes[count] = passed[f] ** 2
        top += sizes[count]
        count += 1
    return maximum
