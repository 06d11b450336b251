"""Bodies without thickness: what makes the elimination possible when the mass matrix is singular.

A plate has no inertia along its normal, a thin rod none across its axis and none about it: M is singular, although the
whole system is not, because rigidity and joints determine what has no inertia. An elimination without pivoting needs M to
be positive definite. A row operation makes it so and leaves the solution as it is, whatever the right-hand side:

    [ A  B^T ] [ x ]   [ f ]            [ A + B_r^T W B_r  B^T ] [ x ]   [ f + B_r^T W g_r ]
    [ B  0   ] [ y ] = [ g ]    <=>     [ B                0   ] [ y ] = [ g               ]

W > 0 is arbitrary, and of the size of the inertias so that nothing is lost to rounding. r are the braced rows of Phi: of a
plate its rigidity; of a rod also all joints and drives on it, since only they can keep it from turning about itself. A
motion without inertia moves thin bodies alone, so no other row knows of it, and A + B_r^T W B_r is positive definite if and
only if the whole matrix is regular. Models without such bodies have no braced rows: all loops here are empty.

Source: the first step of augmented Lagrangian methods, taken exactly; M. Benzi, G. H. Golub, J. Liesen, Acta Numerica 14
(2005) 1-137, section 3.5. Not a penalty: W has no influence on the motion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.system.packed import Packed, Reals, Reals2, Slots, Slots3
from gaitwright.system.tables import Array, Element, System

Braced = tuple[int, float]
"""A row of Phi as given, and its W."""
MASSLESS = 1e-6
"""Ratio of the smallest to the largest moment of inertia below which a body counts as one without inertia about an axis."""


class Brace(Packed):
    """Which products of entries of Phi_q go where. One stage, or all stages of an implicit method."""

    entry: Slots  # the entries of Phi_q in braced rows, with their unknowns and W
    row: Slots
    col: Slots
    weight: Reals
    first: Slots  # pairs of them in the same row, counted as in `entry`
    second: Slots
    slot: Slots3  # (stages, stages, pairs) where the products go
    scaled: Reals2  # (stages, entries) W B_r of the matrix as it was filled
    coordinate: Slots  # all that braced rows touch
    reference: Reals  # size of their pivots in the start pose


def brace_tables(s: System) -> dict[str, Array]:
    """Entries and pairs of the braced rows of a system: the fields of Brace that do not depend on the layout."""
    place = np.searchsorted(s.brace_row, s.jac_row)
    place[place == s.brace_row.size] = 0
    entry = np.flatnonzero(s.brace_row[place] == s.jac_row) if s.brace_row.size else np.zeros(0, dtype=np.int64)
    row = s.jac_row[entry]  # sorted, as the slots of Phi_q are
    begin, end = np.searchsorted(row, row, side="left"), np.searchsorted(row, row, side="right")
    count = end - begin
    first = np.repeat(np.arange(entry.size), count)
    second = np.arange(first.size) - np.repeat(np.cumsum(count) - count - begin, count)
    col = s.jac_col[entry]
    weight = s.brace_weight[place[entry]]
    return {"entry": entry, "row": s.n + row, "col": col, "weight": weight, "first": first, "second": second}


def brace(tables: dict[str, Array], slot: Array) -> Brace:
    """tables: from brace_tables; slot: (stages, stages, pairs)."""
    coordinate = np.unique(tables["col"])
    scaled = np.zeros((slot.shape[0], tables["entry"].size))
    return Brace(**tables, slot=slot, scaled=scaled, coordinate=coordinate, reference=np.zeros(coordinate.size))


@compiled
def no_brace(brace):
    """Leave the matrix as it is."""
    scaled = brace.scaled[0]
    for k in range(scaled.size):
        scaled[k] = 0.0


@compiled
def add_brace(brace, K, i, jac):
    """Add B_r^T W B_r to the block of stage i; there is one stage in a Kkt."""
    entry, weight, first, second = brace.entry, brace.weight, brace.first, brace.second
    scaled, slot = brace.scaled[i], brace.slot[i, i]
    for k in range(entry.size):
        scaled[k] = weight[k] * jac[entry[k]]
    for k in range(first.size):
        K[slot[k]] += scaled[first[k]] * jac[entry[second[k]]]


@compiled
def brace_block(brace, K, i, j, c1, gv, c2, gq):
    """Its product with what the second row of block (i, j) has besides: c1 Gv + c2 Gq."""
    entry, first, second = brace.entry, brace.first, brace.second
    scaled, slot = brace.scaled[i], brace.slot[i, j]
    for k in range(first.size):
        at = entry[second[k]]
        K[slot[k]] += scaled[first[k]] * (c1 * gv[at] + c2 * gq[at])


@compiled
def brace_rhs(brace, rhs):
    """f + B_r^T W g_r in place, in all stages."""
    row, col, count = brace.row, brace.col, brace.scaled.shape[0]
    size = rhs.size // count
    for i in range(count):
        part, scaled = rhs[i * size : (i + 1) * size], brace.scaled[i]
        for k in range(row.size):
            part[col[k]] += scaled[k] * part[row[k]]


def with_joints(braced: Sequence[Braced], constraints: Sequence[Element], bodies: Iterable[Any]) -> list[Braced]:
    """The braced rows of rigidity and, of bodies that turn about an axis without inertia, those of their joints and drives.

    bodies: with their coordinates (index), mass (kg) and tensor of inertia. The W of a row in m is a mass, of all others as
    that of the rigidity: a moment of inertia."""
    if not braced:
        return []
    ends = np.cumsum([len(_units(element)) for element in constraints])
    touched = [np.concatenate(element.coordinates) for element in constraints]
    owner = {int(i): body for body in bodies for i in body.index}
    rods: dict[int, tuple[float, float]] = {}  # of each coordinate of a rod: its W of rows in m, and of others
    for row, weight in braced:
        body = owner[int(touched[int(np.searchsorted(ends, row, side="right"))][0])]
        if free_axis(body.inertia) is not None:
            rods |= {int(i): (body.mass, weight) for i in body.index}
    found = dict(braced)
    for element, coordinates, end in zip(constraints, touched, ends, strict=True):
        weights = [rods[int(i)] for i in coordinates if int(i) in rods]
        for k, unit in enumerate(_units(element)):
            row = int(end) - len(_units(element)) + k
            if weights and row not in found:
                found[row] = min(w[0 if unit == "m" else 1] for w in weights)
    return sorted(found.items())


def free_axis(inertia: Array) -> Array | None:
    """The axis about which a body has no inertia, in the frame of its tensor (3, 3); None if there is none."""
    moments, axes = np.linalg.eigh(inertia)
    return axes[:, 0] if moments[0] <= MASSLESS * moments[2] else None


def _units(element: Element) -> list[str]:
    declaration: Any = element.declaration
    return [unit for _, unit in declaration.rows.values()]
