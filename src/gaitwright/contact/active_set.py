"""Which of many nodes touch, and with what forces: a complementarity problem on compliances, by an active set.

    g = g0 + A f >= 0        f >= 0        g_i f_i = 0        A_ij = n_i . C_ij n_j

g0 are gaps of the undeformed solid, n_i normals, C the compliance: C_ij f is the displacement of node i by a force f at node j.
Nodes of the active set touch: A_aa f_a = -g0_a. Those that pull leave it, others that penetrate enter it, all at once as long
as their number shrinks, then one by one (block principal pivoting): as A is positive definite, this ends. The set and the
factors of A_aa of the call before are the start, so that a step in which nobody comes or goes is one solution.

Nodes far away need not be looked at. With forces f_ known, for which A f_ was computed,

    |(A f)_i - (A f_)_i| <= sqrt(A_ii (f - f_)^T A (f - f_))

and the last product is one of known numbers. Nothing is allocated.

Where all normals are the same (flat), only the symmetric part of C_ij counts, the same for ij and ji: S, with the entries xx,
yy, zz, xy + yx, yz + zy, zx + xz (in the plane xx, yy, xy + yx). Then

    A_ij = S_ij . (n_x^2, n_y^2, n_z^2, n_x n_y, n_y n_z, n_z n_x)

Source: L. F. Portugal, J. J. Judice, L. N. Vicente, Math. Comp. 63 (1994) 625-643 (block principal pivoting).
"""

from __future__ import annotations

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.compiled import put_inside as inlined
from gaitwright.system.packed import Longs, Packed, Reals, Reals2, Reals3

PATIENCE = 3
"""Rounds in which the number of nodes that are wrong may fail to shrink."""
ROUNDS = 10_000
"""No set of nodes comes twice; more are not seen."""
ROUNDING = 1e-13
"""Of the deepest penetration and of the largest force: what counts as nothing."""
COUNT, READY, LOOKED = 0, 1, 2
"""Of the numbers of a set: nodes in it, how many of the first rows of its factors hold, and how many others were looked at."""
OFTEN = 0.1
"""Part of all nodes that may be looked at in a call before the known forces are taken anew."""


class Soft(Packed):
    """A soft body as contact sees it, and what is kept between calls."""

    C: Reals3  # (nodes, nodes, d d), m/N
    S: Reals3  # (nodes, nodes, d (d + 1) / 2), see above
    X: Reals2  # (nodes, d), undeformed places
    n: Reals2  # (nodes, d), normals; who changes them sets sizes[READY] to zero
    square: Reals  # products of the first normal, where all are the same
    g0: Reals
    own: Reals  # A_ii
    active: Longs  # nodes of the set
    place: Longs  # of each node in it, or -1
    sizes: Longs
    L: Reals2  # factors of A_aa
    x: Reals  # room
    force: Reals  # f of all nodes
    push: Reals2  # f n
    wrong: Longs  # room
    known: Reals  # f_
    known_sway: Reals2  # sum_j S_ij f_j
    known_gap: Reals  # A f_
    sway: Reals2  # sum_j S_ij f_j of the nodes that touch, where all normals are the same
    rows: Reals2  # room


def soft(C: np.ndarray, X: np.ndarray) -> Soft:
    """C: (nodes, nodes, d, d)."""
    m, d = X.shape
    pairs = [(k, k) for k in range(d)] + [(0, 1), (1, 2), (2, 0)][: d * (d - 1) // 2]
    S = np.stack([C[..., a, b] if a == b else C[..., a, b] + C[..., b, a] for a, b in pairs], axis=-1)
    p = len(pairs)
    return Soft(
        C=C.reshape(m, m, d * d), S=S, X=X, n=np.zeros((m, d)), square=np.zeros(p), g0=np.zeros(m), own=np.zeros(m),
        active=np.zeros(m, np.int64), place=np.full(m, -1), sizes=np.zeros(3, np.int64), L=np.zeros((m, m)),
        x=np.zeros(m), force=np.zeros(m), push=np.zeros((m, d)), wrong=np.zeros(m, np.int64), known=np.zeros(m),
        known_sway=np.zeros((m, p)), known_gap=np.zeros(m), sway=np.zeros((m, p)), rows=np.zeros((3, m)),
    )  # fmt: skip


@inlined
def entry(s, flat, i, j):
    """A_ij."""
    C, S, n, q = s.C, s.S, s.n, s.square
    if n.shape[1] == 3:
        if flat:
            return (
                S[i, j, 0] * q[0] + S[i, j, 1] * q[1] + S[i, j, 2] * q[2]
                + S[i, j, 3] * q[3] + S[i, j, 4] * q[4] + S[i, j, 5] * q[5]
            )  # fmt: skip
        return (
            n[i, 0] * (C[i, j, 0] * n[j, 0] + C[i, j, 1] * n[j, 1] + C[i, j, 2] * n[j, 2])
            + n[i, 1] * (C[i, j, 3] * n[j, 0] + C[i, j, 4] * n[j, 1] + C[i, j, 5] * n[j, 2])
            + n[i, 2] * (C[i, j, 6] * n[j, 0] + C[i, j, 7] * n[j, 1] + C[i, j, 8] * n[j, 2])
        )
    if flat:
        return S[i, j, 0] * q[0] + S[i, j, 1] * q[1] + S[i, j, 2] * q[2]
    return n[i, 0] * (C[i, j, 0] * n[j, 0] + C[i, j, 1] * n[j, 1]) + n[i, 1] * (
        C[i, j, 2] * n[j, 0] + C[i, j, 3] * n[j, 1]
    )


@compiled
def moved(s, flat, i):
    """(A f)_i."""
    total, active, x = 0.0, s.active, s.x
    for c in range(s.sizes[COUNT]):
        total += entry(s, flat, i, active[c]) * x[c]
    return total


@compiled
def swayed(s, i, out):
    """out = sum_j S_ij f_j."""
    S, active, x, count = s.S, s.active, s.x, s.sizes[COUNT]
    if S.shape[2] == 6:
        a, b, c, d, e, f = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(count):
            j, by = active[k], x[k]
            a += by * S[i, j, 0]
            b += by * S[i, j, 1]
            c += by * S[i, j, 2]
            d += by * S[i, j, 3]
            e += by * S[i, j, 4]
            f += by * S[i, j, 5]
        out[0], out[1], out[2], out[3], out[4], out[5] = a, b, c, d, e, f
    else:
        a, b, c = 0.0, 0.0, 0.0
        for k in range(count):
            j, by = active[k], x[k]
            a += by * S[i, j, 0]
            b += by * S[i, j, 1]
            c += by * S[i, j, 2]
        out[0], out[1], out[2] = a, b, c


@compiled
def extend(s, flat):
    """Rows of the factors A_aa = L L^T that do not hold yet; whether all have a pivot. The diagonal of L holds 1 / L_rr."""
    active, L, sizes = s.active, s.L, s.sizes
    for r in range(sizes[READY], sizes[COUNT]):
        i, row = active[r], L[r]
        for c in range(r + 1):
            row[c] = entry(s, flat, i, active[c])
        for c in range(r):
            other, total = L[c], 0.0
            for k in range(c):
                total += row[k] * other[k]
            row[c] = (row[c] - total) * other[c]
        total = row[r]
        for c in range(r):
            total -= row[c] * row[c]
        if not total > 0.0:
            return False
        row[r] = 1.0 / np.sqrt(total)
        sizes[READY] = r + 1
    return True


@compiled
def solve_active(s, x):
    """x becomes A_aa^-1 x."""
    L, count = s.L, s.sizes[COUNT]
    for r in range(count):
        row, total = L[r], x[r]
        for c in range(r):
            total -= row[c] * x[c]
        x[r] = total * row[r]
    for r in range(count - 1, -1, -1):
        row, value = L[r], x[r] * L[r, r]
        x[r] = value
        for c in range(r):
            x[c] -= row[c] * value


@compiled
def touching(s, flat):
    """Find the forces; how many sets were tried, or -1 if the compliance has no factors. s.x has the forces of the set."""
    nodes, sizes, place, g0, x, force, wrong = s.g0.size, s.sizes, s.place, s.g0, s.x, s.force, s.wrong
    deepest = 0.0
    sizes[LOOKED] = 0
    for i in range(nodes):
        force[i] = 0.0
        deepest = max(deepest, -g0[i])
    if deepest == 0.0:
        for i in range(nodes):
            place[i] = -1
        sizes[COUNT] = sizes[READY] = 0
        return 0
    if sizes[COUNT] == 0:
        for i in range(nodes):
            if g0[i] < 0.0:
                _enter(s, i)
    again = _known(s, flat)
    least, patience = nodes + 1, PATIENCE
    for tried in range(1, ROUNDS):
        if not extend(s, flat):
            return -1
        count = sizes[COUNT]
        for c in range(count):
            x[c] = -g0[s.active[c]]
        solve_active(s, x)
        # (f - f_)^T A (f - f_) with A f = -g0 where f is not zero
        energy, change, strongest, bad = 0.0, again, 0.0, 0
        for c in range(count):
            i = s.active[c]
            energy -= x[c] * g0[i]
            change -= 2.0 * x[c] * s.known_gap[i]
            strongest = max(strongest, abs(x[c]))
        change = max(change + energy, 0.0) + ROUNDING * energy
        for c in range(count):
            if x[c] < -ROUNDING * strongest:
                wrong[bad] = s.active[c]
                bad += 1
        for i in range(nodes):
            gap = g0[i] + s.known_gap[i]
            if place[i] < 0 and gap * abs(gap) <= s.own[i] * change:
                sizes[LOOKED] += 1
                if g0[i] + moved(s, flat, i) < -ROUNDING * deepest:
                    wrong[bad] = i
                    bad += 1
        if bad == 0:
            for c in range(count):
                x[c] = max(x[c], 0.0)
                force[s.active[c]] = x[c]
            if flat and sizes[LOOKED] > OFTEN * nodes:
                _learn(s)
            return tried
        if bad < least:
            least, patience = bad, PATIENCE
        elif patience > 0:
            patience -= 1
        else:
            for k in range(1, bad):
                wrong[0] = max(wrong[0], wrong[k])
            bad = 1
        for k in range(bad):
            if place[wrong[k]] < 0:
                _enter(s, wrong[k])
            else:
                place[wrong[k]] = -2
        _leave(s)
    return -1


@compiled
def _known(s, flat):
    """A f_ under the normals of now; f_^T A f_. Without a flat surface nothing is known."""
    total = 0.0
    for i in range(s.g0.size):
        gap = 0.0
        if flat:
            for k in range(s.square.size):
                gap += s.known_sway[i, k] * s.square[k]
        s.known_gap[i] = gap
        total += gap * s.known[i]
    return total


@compiled
def _learn(s):
    """The forces that were found are those that are known from now on."""
    for i in range(s.g0.size):
        s.known[i] = s.force[i]
        swayed(s, i, s.known_sway[i])


@compiled
def _enter(s, i):
    s.active[s.sizes[COUNT]], s.place[i] = i, s.sizes[COUNT]
    s.sizes[COUNT] += 1


@compiled
def _leave(s):
    """Those whose place is -2; rows of the factors hold up to the first of them."""
    kept = 0
    for c in range(s.sizes[COUNT]):
        i = s.active[c]
        if s.place[i] == -2:
            s.place[i] = -1
            s.sizes[READY] = min(s.sizes[READY], kept)
        else:
            s.active[kept], s.place[i] = i, kept
            kept += 1
    s.sizes[COUNT] = kept
