"""Bodies without thickness: what makes the elimination possible when the mass matrix is singular.

A plate has no inertia along its normal, a thin rod none across its axis and none about it: M is singular, although the
whole system is not, because rigidity and joints determine what has no inertia. An elimination without pivoting needs M to
be positive definite. Two changes make it so, and leave the solution as it is, whatever the right-hand side:

1. A row operation with the rigidity r of each such body. A massless turn of a rod about itself is all that is left then.

    [ A  B^T ] [ x ]   [ f ]            [ A + B_r^T W B_r  B^T ] [ x ]   [ f + B_r^T W g_r ]
    [ B  0   ] [ y ] = [ g ]    <=>     [ B                0   ] [ y ] = [ g               ]

2. An unknown more for each rod, s = z.x, its turn about itself (z.x = p.x_r - r.x_p with p and r across it), so that the
   coordinates alone have W z z^T, which is what is missing, and s takes it away again:

    [ A + W z z^T  -W z ] [ x ]   [ f ]
    [ -W z^T        W   ] [ s ] = [ 0 ]        s is eliminated after all joints and drives on the rod, which hold it

A counter (physics/bodies/counter.py) has no mass at all; the row that ties it to its joint braces it in the same way as 1.

W > 0 is arbitrary, and of the size of the inertias so that nothing is lost to rounding. The pivot of s is W / (1 + W a),
where a is the mobility of the turn that the joints leave: it vanishes if and only if nothing holds it. Both are local to
the body. (To brace a rod by the rows of its joints instead couples neighbours: chains became fifty times slower.) Models
without such bodies have no entries here: all loops are empty.

Source: the row operation is the first step of augmented Lagrangian methods, taken exactly; M. Benzi, G. H. Golub,
J. Liesen, Acta Numerica 14 (2005) 1-137, section 3.5. Not a penalty: W has no influence on the motion.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.physics.declare import Rigidity
from gaitwright.system.blocks import Block, Element
from gaitwright.system.build import row_ends
from gaitwright.system.packed import Integer, Packed, Reals, Reals2, Slots, Slots3
from gaitwright.system.tables import Array, System

MASSLESS = 1e-6
"""Ratio of the smallest to the largest moment of inertia below which a body counts as one without inertia about an axis."""
LOOSE = 1e-12
"""Part of W that the pivot of a turn must be, or nothing holds it."""


class Rod(NamedTuple):
    """A body without inertia about an axis (of its own frame): the first of its rows of rigidity as given, and W."""

    body: Any
    row: int
    axis: Array
    weight: float


class Brace(Packed):
    """What is added to the matrix: products of entries of Phi_q in braced rows, and of z and -1 of each rod."""

    entry: Slots  # the entries of Phi_q in braced rows: their unknowns and W
    row: Slots
    col: Slots
    value: Reals  # Phi_q there, then z and -1 of the rods
    weight: Reals  # of each value
    term: Slots  # z is a sum of entries of Phi_q: to which value each term belongs, its entry and its factor
    term_entry: Slots
    term_factor: Reals
    first: Slots  # pairs of values in the same row: those of braced rows, then those of rods
    second: Slots
    in_rows: Integer  # how many of the pairs are of braced rows
    slot: Slots3  # (stages, stages, pairs) where the products go
    scaled: Reals2  # (stages, entries) W B_r of the matrix as it was filled
    turn: Slots  # (stages * rods) where the pivots of the turns are
    turn_weight: Reals


def rods(
    braced: Sequence[tuple[int, float]], constraints: Sequence[Element | Block], bodies: Iterable[Any]
) -> list[Rod]:
    """Those of the bodies with braced rigidity that turn about an axis without inertia.

    bodies: with their coordinates (index) and tensor of inertia (inertia), at least."""
    found: list[Rod] = []
    if braced:
        ends = row_ends(constraints)
        owner = {int(i): body for body in bodies for i in body.index}
        braced = sorted(braced)
        constrained = np.searchsorted(ends, [row for row, _ in braced], side="right").tolist()
        for (row, weight), at in zip(braced, constrained, strict=True):
            declaration: Any = constraints[at].declaration
            back, place = divmod(int(ends[at]) - 1 - row, len(declaration.rows))
            if not issubclass(declaration, Rigidity) or place != len(declaration.rows) - 1:
                continue  # of a counter, or not the first row of a body
            body = owner[int(constraints[at].block().coordinates[-1 - back, 0])]
            if getattr(body, "inertia", None) is None:
                continue  # a node of a beam: its neighbours hold it
            if (axis := free_axis(body.inertia)) is not None:
                found.append(Rod(body, row, axis, weight))
    return found


def free_axis(inertia: Array) -> Array | None:
    """The axis about which a body has no inertia, in the frame of its tensor (3, 3); None if there is none."""
    moments, axes = np.linalg.eigh(inertia)
    return axes[:, 0] if moments[0] <= MASSLESS * moments[2] else None


def brace_tables(s: System) -> dict[str, Any]:
    """Entries, terms and pairs of a system: the fields of Brace that do not depend on the layout, and the unknowns of all
    values ("unknown"; that of rod k is n + m + k)."""
    if not (s.brace_row.size or s.rod_weight.size):
        return dict(NOTHING)
    place = np.minimum(np.searchsorted(s.brace_row, s.jac_row), max(s.brace_row.size - 1, 0))
    entry = np.flatnonzero(s.brace_row[place] == s.jac_row) if s.brace_row.size else np.zeros(0, dtype=np.int64)
    row, col = s.jac_row[entry], s.jac_col[entry]  # sorted by row, as Phi_q is
    first, second = _pairs(row)
    terms, unknown, weight = [], [*col], [*s.brace_weight[place[entry]]]
    for k, rows in enumerate(s.rod_row.reshape(-1, 3)):
        # The gradient of the length of an axis is that axis: the entries of these rows are v_1, v_2, v_3.
        axes = np.searchsorted(s.jac_row, rows)[:, None] + np.arange(3)
        turn = np.cross(np.eye(3), s.rod_axis.reshape(-1, 3)[k])
        for i, c in np.ndindex(3, 3):
            terms += [(len(unknown), axes[j, c], turn[i, j]) for j in range(3)]
            unknown.append(s.jac_col[axes[i, c]])
        unknown.append(s.n + s.m + k)
        weight += [s.rod_weight[k]] * 10
    more = _pairs(np.repeat(np.arange(s.rod_weight.size), 10))
    term = np.array(terms, dtype=float).reshape(-1, 3).T
    return {
        "entry": entry, "row": s.n + row, "col": col, "weight": np.array(weight), "in_rows": first.size,
        "term": term[0].astype(np.uint32), "term_entry": term[1].astype(np.uint32), "term_factor": term[2],
        "first": np.r_[first, entry.size + more[0]], "second": np.r_[second, entry.size + more[1]],
        "unknown": np.array(unknown, dtype=np.int64),
    }  # fmt: skip


_NONE = np.zeros(0, dtype=np.int64)
NOTHING: dict[str, Any] = {
    **dict.fromkeys(("entry", "row", "col", "term", "term_entry", "first", "second", "unknown"), _NONE),
    **dict.fromkeys(("weight", "term_factor"), np.zeros(0)), "in_rows": 0,
}  # fmt: skip
"""The tables of a system without thin bodies, as nearly all are."""


def _pairs(group: Array) -> tuple[Array, Array]:
    """All ordered pairs of places in the same group; group is sorted."""
    begin, end = np.searchsorted(group, group, side="left"), np.searchsorted(group, group, side="right")
    count = end - begin
    first = np.repeat(np.arange(group.size), count)
    return first, np.arange(first.size) - np.repeat(np.cumsum(count) - count - begin, count)


def brace_pattern(s: System, tables: dict[str, Any]) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Entries of the matrix: where products go, and between the turn of each rod and the multipliers on it, for which it
    has to wait."""
    unknown = tables["unknown"]
    if not unknown.size:
        return (_NONE, _NONE), (_NONE, _NONE)
    turn = np.full(s.n, -1)
    for k in range(s.rod_weight.size):
        turn[unknown[tables["entry"].size + 10 * k :][:9]] = s.n + s.m + k
    mine = (s.jac_row < s.m) & (turn[s.jac_col] >= 0)
    return (unknown[tables["first"]], unknown[tables["second"]]), (turn[s.jac_col[mine]], s.n + s.jac_row[mine])


def brace(tables: dict[str, Any], slot: Array, turn: Array, rod_weight: Array) -> Brace:
    """tables: from brace_tables; slot: (stages, stages, pairs); turn: where the pivots of the turns are, (stages * rods)."""
    count = slot.shape[0]
    if not tables["weight"].size:
        return _no_brace(count)
    given = {name: table for name, table in tables.items() if name != "unknown"}
    scratch = {"value": tables["weight"].size, "scaled": (count, tables["entry"].size)}
    return fresh_brace(
        Brace(**given, **scratch, slot=slot, turn=turn, turn_weight=np.tile(np.asarray(rod_weight), count))
    )


def fresh_brace(brace: Brace) -> Brace:
    """The same with scratch of its own."""
    new = brace.fresh()
    new.value[:] = -1.0
    return new


@functools.cache
def _no_brace(count: int) -> Brace:
    """The brace of a system without thin bodies: there is nothing in it that runs could share by mistake."""
    empty = {name: table for name, table in NOTHING.items() if name != "unknown"}
    return Brace(**empty, value=0, slot=(count, count, 0), scaled=(count, 0), turn=0, turn_weight=0)


@compiled
def add_brace(brace, K, i, jac):
    """Add both to the block of stage i, for the Phi_q of this stage; there is one stage in a Kkt."""
    entry, weight, value, scaled = brace.entry, brace.weight, brace.value, brace.scaled[i]
    term, term_entry, term_factor = brace.term, brace.term_entry, brace.term_factor
    for k in range(entry.size):
        value[k] = jac[entry[k]]
        scaled[k] = weight[k] * value[k]
    for k in range(term.size):
        value[term[k]] = 0.0
    for k in range(term.size):
        value[term[k]] += term_factor[k] * jac[term_entry[k]]
    first, second, slot = brace.first, brace.second, brace.slot[i, i]
    for k in range(first.size):
        K[slot[k]] += weight[first[k]] * value[first[k]] * value[second[k]]


@compiled
def no_brace(brace, K):
    """Leave the matrix of a Kkt as it is; the turns stay out of it."""
    scaled, turn = brace.scaled[0], brace.turn
    for k in range(scaled.size):
        scaled[k] = 0.0
    for k in range(turn.size):
        K[turn[k]] = 1.0


@compiled
def brace_block(brace, K, i, j, c1, gv, c2, gq):
    """The row operation on what the second row of block (i, j) has besides Phi_q: c1 Gv + c2 Gq."""
    entry, first, second = brace.entry, brace.first, brace.second
    scaled, slot = brace.scaled[i], brace.slot[i, j]
    for k in range(brace.in_rows):
        at = entry[second[k]]
        K[slot[k]] += scaled[first[k]] * (c1 * gv[at] + c2 * gq[at])


@compiled
def brace_rhs(brace, rhs):
    """f + B_r^T W g_r in place in all stages, and 0 for the turns, which come behind them."""
    row, col, count, turns = brace.row, brace.col, brace.scaled.shape[0], brace.turn.size
    size = (rhs.size - turns) // count
    for i in range(count):
        part, scaled = rhs[i * size : (i + 1) * size], brace.scaled[i]
        for k in range(row.size):
            part[col[k]] += scaled[k] * part[row[k]]
    for k in range(rhs.size - turns, rhs.size):
        rhs[k] = 0.0


@compiled
def loose_turn(brace, K):
    """-1, or the rod whose turn about itself nothing holds; K: a factorised Kkt."""
    turn, weight = brace.turn, brace.turn_weight
    for k in range(turn.size):
        if not abs(K[turn[k]]) * weight[k] * LOOSE < 1.0:
            return k
    return -1
