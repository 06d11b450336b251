"""Regularisation of the mass matrix for bodies without thickness.

A plate has no inertia along its normal, a thin rod none across its axis and none about it: M is singular, although the whole
system is not, because rigidity and joints determine the motion that has no inertia. An elimination without pivoting needs a
positive definite M. Two changes make it so and leave the solution unchanged for any right-hand side:

1. A row operation with the rigidity r of each such body. Only the massless rotation of a rod about itself remains then.

    [ A  B^T ] [ x ]   [ f ]            [ A + B_r^T W B_r  B^T ] [ x ]   [ f + B_r^T W g_r ]
    [ B  0   ] [ y ] = [ g ]    <=>     [ B                0   ] [ y ] = [ g               ]

2. An additional unknown for each rod, s = z.x, its rotation about itself (z.x = p.x_r - r.x_p with p and r across it). The
block of the coordinates then contains W z z^T, the missing term, and eliminating s removes it again:

    [ A + W z z^T  -W z ] [ x ]   [ f ]
    [ -W z^T        W   ] [ s ] = [ 0 ]        s is eliminated after all joints and drives on the rod, which constrain it

A counter (physics/bodies/counter.py) has no mass at all; the row that ties it to its joint regularises it as in 1.

W > 0 is arbitrary; it has the size of the inertias so that no digits are lost to rounding. The pivot of s is W / (1 + W a),
where a is the mobility of the rotation left by the joints: it vanishes if and only if nothing constrains the rotation. Both
changes are local to the body. (Regularising a rod by the rows of its joints instead couples neighbours: chains became fifty
times slower.) Models without such bodies have no entries here: all loops are empty.

Source: the row operation is the first step of augmented Lagrangian methods, taken exactly; M. Benzi, G. H. Golub, J. Liesen,
Acta Numerica 14 (2005) 1-137, section 3.5. It is not a penalty: W has no influence on the motion.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.jit import jit_compile
from gaitwright.jit.pointer_records import Integer, PointerRecord, Reals, Reals2, Slots, Slots3
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.table_builder import row_ends
from gaitwright.mechanism.tables import Array, MechanismTables
from gaitwright.physics.declarations import Rigidity

MASSLESS_INERTIA_RATIO = 1e-6
"""Ratio of the smallest to the largest moment of inertia below which a body counts as having no inertia about an axis."""
LOOSE_AXIS_PIVOT_RATIO = 1e-12
"""Minimum pivot of a rotation, relative to W; below it the rotation is unconstrained."""


class MasslessAxis(NamedTuple):
    """Body without inertia about an axis (in its own frame): the first of its rows of rigidity as given, and W."""

    body: Any
    row: int
    axis: Array
    weight: float


class MassRegularisation(PointerRecord):
    """Terms added to the matrix: products of entries of Phi_q in regularised rows, and of z and -1 of each rod."""

    entry: Slots  # entries of Phi_q in regularised rows, with their unknowns and W
    row: Slots
    col: Slots
    value: Reals  # Phi_q there, then z and -1 of the rods
    weight: Reals  # of each value
    term: Slots  # z is a sum of entries of Phi_q: value that each term belongs to, its entry and its factor
    term_entry: Slots
    term_factor: Reals
    first: Slots  # pairs of values in the same row: of regularised rows, then of rods
    second: Slots
    in_rows: Integer  # number of pairs of regularised rows
    slot: Slots3  # (stages, stages, pairs) slots of the products
    scaled: Reals2  # (stages, entries) W B_r of the matrix as last filled
    turn: Slots  # (stages * rods) positions of the pivots of the rotations
    turn_weight: Reals


def find_massless_axes(
    braced: Sequence[tuple[int, float]], constraints: Sequence[MechanismElement | ElementBlock], bodies: Iterable[Any]
) -> list[MasslessAxis]:
    """Return those of the bodies with regularised rigidity that can rotate about an axis without inertia.

    bodies: objects with at least coordinates (index) and inertia tensor (inertia)."""
    massless_axes: list[MasslessAxis] = []
    if braced:
        ends = row_ends(constraints)
        owner = {int(i): body for body in bodies for i in body.index}
        braced = sorted(braced)
        constrained = np.searchsorted(ends, [row for row, _ in braced], side="right").tolist()
        for (row, weight), at in zip(braced, constrained, strict=True):
            declaration: Any = constraints[at].declaration
            back, place = divmod(int(ends[at]) - 1 - row, len(declaration.rows))
            if not issubclass(declaration, Rigidity) or place != len(declaration.rows) - 1:
                continue  # a counter, or not the first row of a body
            body = owner[int(constraints[at].block().coordinates[-1 - back, 0])]
            if getattr(body, "inertia", None) is None:
                continue  # a node of a beam: constrained by its neighbours
            if (axis := inertia_free_axis(body.inertia)) is not None:
                massless_axes.append(MasslessAxis(body, row, axis, weight))
    return massless_axes


def inertia_free_axis(inertia: Array) -> Array | None:
    """Return the axis about which a body has no inertia, in the frame of its tensor (3, 3); None if there is none."""
    moments, axes = np.linalg.eigh(inertia)
    return axes[:, 0] if moments[0] <= MASSLESS_INERTIA_RATIO * moments[2] else None


def regularisation_tables(s: MechanismTables) -> dict[str, Any]:
    """Return entries, terms and pairs of a system: the fields of MassRegularisation that do not depend on the layout, and the
    unknowns of all values ("unknown"; that of rod k is n + m + k)."""
    if not (s.brace_row.size or s.rod_weight.size):
        return dict(EMPTY_REGULARISATION_TABLES)
    place = np.minimum(np.searchsorted(s.brace_row, s.jac_row), max(s.brace_row.size - 1, 0))
    entry = np.flatnonzero(s.brace_row[place] == s.jac_row) if s.brace_row.size else np.zeros(0, dtype=np.int64)
    row, col = s.jac_row[entry], s.jac_col[entry]  # sorted by row, like Phi_q
    first, second = _ordered_pairs(row)
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
    rod_pairs = _ordered_pairs(np.repeat(np.arange(s.rod_weight.size), 10))
    term = np.array(terms, dtype=float).reshape(-1, 3).T
    return {
        "entry": entry, "row": s.n + row, "col": col, "weight": np.array(weight), "in_rows": first.size,
        "term": term[0].astype(np.uint32), "term_entry": term[1].astype(np.uint32), "term_factor": term[2],
        "first": np.r_[first, entry.size + rod_pairs[0]], "second": np.r_[second, entry.size + rod_pairs[1]],
        "unknown": np.array(unknown, dtype=np.int64),
    }  # fmt: skip


_NO_INDICES = np.zeros(0, dtype=np.int64)
EMPTY_REGULARISATION_TABLES: dict[str, Any] = {
    **dict.fromkeys(("entry", "row", "col", "term", "term_entry", "first", "second", "unknown"), _NO_INDICES),
    **dict.fromkeys(("weight", "term_factor"), np.zeros(0)), "in_rows": 0,
}  # fmt: skip
"""Tables of a system without thin bodies, the usual case."""


def _ordered_pairs(group: Array) -> tuple[Array, Array]:
    """Return all ordered pairs of positions in the same group; group is sorted."""
    begin, end = np.searchsorted(group, group, side="left"), np.searchsorted(group, group, side="right")
    count = end - begin
    first = np.repeat(np.arange(group.size), count)
    return first, np.arange(first.size) - np.repeat(np.cumsum(count) - count - begin, count)


def regularisation_pattern(
    s: MechanismTables, tables: dict[str, Any]
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Entries of the matrix: those of the products, and those between the rotation of each rod and the multipliers on it,
    which must be eliminated first."""
    unknown = tables["unknown"]
    if not unknown.size:
        return (_NO_INDICES, _NO_INDICES), (_NO_INDICES, _NO_INDICES)
    turn = np.full(s.n, -1)
    for k in range(s.rod_weight.size):
        turn[unknown[tables["entry"].size + 10 * k :][:9]] = s.n + s.m + k
    mine = (s.jac_row < s.m) & (turn[s.jac_col] >= 0)
    return (unknown[tables["first"]], unknown[tables["second"]]), (turn[s.jac_col[mine]], s.n + s.jac_row[mine])


def build_regularisation(tables: dict[str, Any], slot: Array, turn: Array, rod_weight: Array) -> MassRegularisation:
    """tables: from regularisation_tables; slot: (stages, stages, pairs); turn: positions of the pivots of the rotations,
    (stages * rods)."""
    count = slot.shape[0]
    if not tables["weight"].size:
        return _empty_regularisation(count)
    fields = {name: table for name, table in tables.items() if name != "unknown"}
    scratch = {"value": tables["weight"].size, "scaled": (count, tables["entry"].size)}
    return new_regularisation(
        MassRegularisation(
            **fields, **scratch, slot=slot, turn=turn, turn_weight=np.tile(np.asarray(rod_weight), count)
        )
    )


def new_regularisation(brace: MassRegularisation) -> MassRegularisation:
    """Return a copy with its own scratch memory."""
    new = brace.fresh()
    new.value[:] = -1.0
    return new


@functools.cache
def _empty_regularisation(count: int) -> MassRegularisation:
    """Regularisation of a system without thin bodies: it has no data, so runs can share it safely."""
    empty = {name: table for name, table in EMPTY_REGULARISATION_TABLES.items() if name != "unknown"}
    return MassRegularisation(**empty, value=0, slot=(count, count, 0), scaled=(count, 0), turn=0, turn_weight=0)


@jit_compile
def add_regularisation(brace, K, i, jac):
    """Add both changes to the block of stage i, for the Phi_q of this stage; a KktSystem has one stage."""
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


@jit_compile
def disable_regularisation(brace, K):
    """Leave the matrix of a KktSystem unchanged; the rotations are decoupled from it."""
    scaled, turn = brace.scaled[0], brace.turn
    for k in range(scaled.size):
        scaled[k] = 0.0
    for k in range(turn.size):
        K[turn[k]] = 1.0


@jit_compile
def regularise_block(brace, K, i, j, c1, gv, c2, gq):
    """Apply the row operation to the second row of block (i, j) without Phi_q: c1 Gv + c2 Gq."""
    entry, first, second = brace.entry, brace.first, brace.second
    scaled, slot = brace.scaled[i], brace.slot[i, j]
    for k in range(brace.in_rows):
        at = entry[second[k]]
        K[slot[k]] += scaled[first[k]] * (c1 * gv[at] + c2 * gq[at])


@jit_compile
def regularise_rhs(brace, rhs):
    """Compute f + B_r^T W g_r in place in all stages, and 0 for the rotations, which come after them."""
    row, col, count, turns = brace.row, brace.col, brace.scaled.shape[0], brace.turn.size
    size = (rhs.size - turns) // count
    for i in range(count):
        part, scaled = rhs[i * size : (i + 1) * size], brace.scaled[i]
        for k in range(row.size):
            part[col[k]] += scaled[k] * part[row[k]]
    for k in range(rhs.size - turns, rhs.size):
        rhs[k] = 0.0


@jit_compile
def find_loose_axis(brace, K):
    """Return -1, or the rod with an unconstrained rotation about itself; K: a factorised KktSystem."""
    turn, weight = brace.turn, brace.turn_weight
    for k in range(turn.size):
        if not abs(K[turn[k]]) * weight[k] * LOOSE_AXIS_PIVOT_RATIO < 1.0:
            return k
    return -1
