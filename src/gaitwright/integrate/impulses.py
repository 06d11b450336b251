"""The complementarity problem of a step of Moreau's method: impulses of the contacts that are closed, from their matrix G and
their free relative velocities.

In space a contact has two tangents, across its normal. Gauss-Seidel projects onto the cone itself. Pivoting needs a cone
with flat sides: it has FACETS of them, one along the slip; friction that holds is up to 1 - cos(pi / FACETS) = 8 % too small.

Source: the complementarity form of friction in D. Stewart, J. Trinkle, Int. J. Numer. Methods Eng. 39 (1996) 2673-2691.
"""

from __future__ import annotations

import math

from gaitwright.compiled import compiled
from gaitwright.contact.cones import cone_gauss_seidel
from gaitwright.contact.gauss_seidel import projected_gauss_seidel
from gaitwright.contact.lemke import SOLVED, WORK_ROWS, lemke, lemke_workspace
from gaitwright.system.packed import Longs, Packed, Reals, Reals2
from gaitwright.system.tables import System

FACETS = 8
"""Sides of the cone of friction in space for pivoting."""
SWEEPS = 50_000
"""Of Gauss-Seidel, before it is given up."""
IMMOBILE = 1e-13
"""Mobility of a tangent, relative to that of the normal, below which it is rounding."""
SETTLED, STILL = 1e-12, 1e-15
"""Largest change of a relative velocity in a sweep that counts as the solution: relative to the fastest, and in m/s."""


class Impulses(Packed):
    """Scratch of the method. Directions, as many per contact as dimensions: the normal of each active contact, then the tangent
    of each, in space then another."""

    active: Longs  # contacts that take part
    direction: Reals2  # (d count, n + 1) W
    response: Reals2  # (d count, n + m) K^-1 W: velocities, and reactions of the joints
    drift: Reals  # (d count,) part of gamma that the surface's own motion makes
    before: Reals  # (d count,) gamma at the begin
    after: Reals  # (d count,) gamma at the end
    tangent: Reals2  # (d count, d) the tangents in the frame of a
    matrix: Reals  # G, then the matrix of the complementarity problem
    delassus: Reals
    offset: Reals
    solution: Reals
    impulse: Reals  # (d count,)
    low: Reals
    high: Reals
    normal_of: Longs
    tableau: Reals
    basis: Longs


def impulses(s: System) -> Impulses:
    count, wide = s.contacts.count, s.contacts.dimension
    unknowns = 2 + (FACETS if wide == 3 else 2)  # per contact, for pivoting
    tableau, basis = lemke_workspace(unknowns * count)
    return Impulses(
        active=count,
        direction=(wide * count, s.n + 1),
        response=(wide * count, s.n + s.m),
        tangent=(wide * count, wide),
        matrix=(unknowns * count) ** 2,
        delassus=(wide * count) ** 2,
        offset=unknowns * count,
        solution=unknowns * count,
        normal_of=wide * count,
        tableau=tableau.ravel(),
        basis=basis,
        **dict.fromkeys(("drift", "before", "after", "impulse", "low", "high"), wide * count),
    )


@compiled
def side(k, facets):
    """Direction of side k of the cone of friction, in the two tangents; in the plane only the first counts."""
    if facets == 2:
        return 1.0 - 2.0 * k, 0.0
    angle = 2.0 * math.pi * k / facets
    return math.cos(angle), math.sin(angle)


@compiled
def along(G, i, j, count, k, facets, n):
    """Entry of G between direction i and side k of the friction of contact j."""
    x, y = side(k, facets)
    value = x * G[i, count + j]
    if n > 2 * count:
        value += y * G[i, 2 * count + j]
    return value


@compiled
def _pivot(s, im, count):
    """Impulses by pivoting; (status, pivots).

    Unknowns are L_N, the sides of friction L_T = sum d L_k (in the plane two, d = 1 and -1), and the speed of slip: Stewart and
    Trinkle's form, whose matrix is copositive. One unknown less per contact suffices in the plane, but pivoting then ended on
    rays in heaps of discs."""
    b = s.contacts
    n = b.dimension * count
    G = im.delassus[: n * n].reshape(n, n)
    facets = FACETS if b.dimension == 3 else 2
    size = (2 + facets) * count
    A = im.matrix[: size * size].reshape(size, size)
    A[:, :] = 0.0
    for i in range(count):
        slip = (1 + facets) * count + i
        A[slip, i], im.offset[slip] = b.coefficient[im.active[i]], 0.0
        for j in range(count):
            A[i, j] = G[i, j]
            for k in range(facets):
                A[i, (1 + k) * count + j] = along(G, i, j, count, k, facets, n)
        im.offset[i] = im.after[i]
        for k in range(facets):
            row = (1 + k) * count + i
            x, y = side(k, facets)
            A[row, slip], A[slip, row] = 1.0, -1.0
            im.offset[row] = x * im.after[count + i] + (y * im.after[2 * count + i] if n > 2 * count else 0.0)
            for j in range(count):
                A[row, j] = x * G[count + i, j] + (y * G[2 * count + i, j] if n > 2 * count else 0.0)
                for l in range(facets):
                    A[row, (1 + l) * count + j] = x * along(G, count + i, j, count, l, facets, n)
                    if n > 2 * count:
                        A[row, (1 + l) * count + j] += y * along(G, 2 * count + i, j, count, l, facets, n)
    rows = size + WORK_ROWS
    tableau = im.tableau[: rows * (size + 1)].reshape(rows, size + 1)
    status, pivots = lemke(A, im.offset[:size], im.solution[:size], tableau, im.basis[:size], 50 * size)
    if status == SOLVED:
        for i in range(count):
            im.impulse[i] = im.solution[i]
            for d in range(1, n // count):
                im.impulse[d * count + i] = 0.0
                for k in range(facets):
                    im.impulse[d * count + i] += side(k, facets)[d - 1] * im.solution[(1 + k) * count + i]
    return status, pivots


@compiled
def _sweep(s, im, count, fastest):
    """Impulses by projected Gauss-Seidel from those in im.impulse; (status, sweeps)."""
    b = s.contacts
    n = b.dimension * count
    G = im.delassus[: n * n].reshape(n, n)
    if b.dimension == 3:
        for i in range(count):
            im.high[i] = b.coefficient[im.active[i]]
        return cone_gauss_seidel(G, im.after[:n], im.high[:count], im.impulse[:n], SETTLED * fastest + STILL, SWEEPS)
    for i in range(count):
        im.low[i], im.high[i], im.normal_of[i] = 0.0, math.inf, -1
        # A tangent along which the joints let nothing move has no say, nor has one without friction.
        moves = G[count + i, count + i] > IMMOBILE * G[i, i]
        mu = b.coefficient[im.active[i]] if moves else 0.0
        im.low[count + i], im.high[count + i], im.normal_of[count + i] = -mu, mu, i
    return projected_gauss_seidel(
        G, im.after[:n], im.low[:n], im.high[:n], im.normal_of[:n], im.impulse[:n], SETTLED * fastest + STILL, SWEEPS
    )


@compiled
def solve_impulses(s, im, count, lemke_first):
    """Impulses of the active contacts from G and the free velocities in im.after; (status, iterations).

    Where sweeps find nothing, pivoting does: in the plane the impulses themselves, in space those of a cone with flat sides,
    from which the sweeps try once more."""
    b = s.contacts
    n = b.dimension * count
    fastest = 0.0
    for k in range(n):
        fastest = max(fastest, abs(im.before[k]), abs(im.after[k]))
    for i in range(count):
        im.after[i] += b.restitution[im.active[i]] * im.before[i]  # gamma' + e gamma, gamma' for the normals yet free
    if lemke_first:
        return _pivot(s, im, count)
    im.impulse[:n] = 0.0
    status, iterations = _sweep(s, im, count, fastest)
    if status != SOLVED:
        status, pivots = _pivot(s, im, count)
        iterations += pivots
        if status == SOLVED and b.dimension == 3:
            status, sweeps = _sweep(s, im, count, fastest)
            iterations += sweeps
    return status, iterations
