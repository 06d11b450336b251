"""Complementarity problem of a step of Moreau's method: impulses of the closed contacts, from their matrix G and their free
relative velocities.

In space a contact has two tangents perpendicular to its normal. Gauss-Seidel projects onto the exact cone. Pivoting needs a
polyhedral cone with CONE_FACETS facets, one along the slip; static friction is up to 1 - cos(pi / CONE_FACETS) = 8 % too
small.

Source: the complementarity form of friction in D. Stewart, J. Trinkle, Int. J. Numer. Methods Eng. 39 (1996) 2673-2691.
"""

from __future__ import annotations

import math

from gaitwright.contact.gauss_seidel import cone_gauss_seidel, projected_gauss_seidel
from gaitwright.contact.lemke import STATUS_SOLVED, WORK_ROWS, lemke, lemke_workspace
from gaitwright.jit import jit_compile
from gaitwright.jit.pointer_records import Longs, PointerRecord, Reals, Reals2
from gaitwright.mechanism.tables import MechanismTables

CONE_FACETS = 8
"""Number of facets of the friction cone in space for pivoting."""
MAX_SWEEPS = 50_000
"""Maximum number of Gauss-Seidel sweeps."""
TANGENT_MOBILITY_RTOL = 1e-13
"""Mobility of a tangent, relative to that of the normal, below which it counts as zero."""
SWEEP_RTOL, SWEEP_ATOL_M_PER_S = 1e-12, 1e-15
"""Tolerance of the sweeps: largest change of a relative velocity, relative to the largest velocity, and in m/s."""


class ImpulseWorkspace(PointerRecord):
    """Work arrays of the method. Each active contact has as many directions as dimensions: first the normals of all contacts,
    then their tangents, in space then their second tangents."""

    active: Longs  # indices of the active contacts
    direction: Reals2  # (d count, n + 1) W
    response: Reals2  # (d count, n + m) K^-1 W: velocities, and reactions of the joints
    drift: Reals  # (d count,) part of gamma due to the motion of the surface
    before: Reals  # (d count,) gamma at the start
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


def new_impulse_workspace(s: MechanismTables) -> ImpulseWorkspace:
    count, wide = s.contacts.count, s.contacts.dimension
    unknowns = 2 + (CONE_FACETS if wide == 3 else 2)  # per contact, for pivoting
    tableau, basis = lemke_workspace(unknowns * count)
    return ImpulseWorkspace(
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


@jit_compile
def facet_direction(k, facets):
    """Direction of facet k of the friction cone in the two tangents; in the plane only the first component is used."""
    if facets == 2:
        return 1.0 - 2.0 * k, 0.0
    angle = 2.0 * math.pi * k / facets
    return math.cos(angle), math.sin(angle)


@jit_compile
def facet_response(G, i, j, count, k, facets, n):
    """Entry of G between direction i and facet k of the friction of contact j."""
    x, y = facet_direction(k, facets)
    value = x * G[i, count + j]
    if n > 2 * count:
        value += y * G[i, 2 * count + j]
    return value


@jit_compile
def _solve_by_pivoting(s, im, count):
    """Solve for the impulses by pivoting; returns (status, pivots).

    Unknowns are L_N, the facet components of friction L_T = sum d L_k (two in the plane, d = 1 and -1), and the slip speed:
    Stewart and Trinkle's form, with a copositive matrix. In the plane one unknown less per contact is sufficient, but
    pivoting then ended on rays for heaps of discs."""
    b = s.contacts
    n = b.dimension * count
    G = im.delassus[: n * n].reshape(n, n)
    facets = CONE_FACETS if b.dimension == 3 else 2
    size = (2 + facets) * count
    A = im.matrix[: size * size].reshape(size, size)
    A[:, :] = 0.0
    for i in range(count):
        slip = (1 + facets) * count + i
        A[slip, i], im.offset[slip] = b.coefficient[im.active[i]], 0.0
        for j in range(count):
            A[i, j] = G[i, j]
            for k in range(facets):
                A[i, (1 + k) * count + j] = facet_response(G, i, j, count, k, facets, n)
        im.offset[i] = im.after[i]
        for k in range(facets):
            row = (1 + k) * count + i
            x, y = facet_direction(k, facets)
            A[row, slip], A[slip, row] = 1.0, -1.0
            im.offset[row] = x * im.after[count + i] + (y * im.after[2 * count + i] if n > 2 * count else 0.0)
            for j in range(count):
                A[row, j] = x * G[count + i, j] + (y * G[2 * count + i, j] if n > 2 * count else 0.0)
                for l in range(facets):
                    A[row, (1 + l) * count + j] = x * facet_response(G, count + i, j, count, l, facets, n)
                    if n > 2 * count:
                        A[row, (1 + l) * count + j] += y * facet_response(G, 2 * count + i, j, count, l, facets, n)
    rows = size + WORK_ROWS
    tableau = im.tableau[: rows * (size + 1)].reshape(rows, size + 1)
    status, pivots = lemke(A, im.offset[:size], im.solution[:size], tableau, im.basis[:size], 50 * size)
    if status == STATUS_SOLVED:
        for i in range(count):
            im.impulse[i] = im.solution[i]
            for d in range(1, n // count):
                im.impulse[d * count + i] = 0.0
                for k in range(facets):
                    im.impulse[d * count + i] += facet_direction(k, facets)[d - 1] * im.solution[(1 + k) * count + i]
    return status, pivots


@jit_compile
def _solve_by_sweeps(s, im, count, fastest):
    """Solve for the impulses by projected Gauss-Seidel, starting from im.impulse; returns (status, sweeps). fastest: largest
    relative velocity, m/s."""
    b = s.contacts
    n = b.dimension * count
    G = im.delassus[: n * n].reshape(n, n)
    if b.dimension == 3:
        for i in range(count):
            im.high[i] = b.coefficient[im.active[i]]
        return cone_gauss_seidel(
            G, im.after[:n], im.high[:count], im.impulse[:n], SWEEP_RTOL * fastest + SWEEP_ATOL_M_PER_S, MAX_SWEEPS
        )
    for i in range(count):
        im.low[i], im.high[i], im.normal_of[i] = 0.0, math.inf, -1
        # No friction for a tangent along which the joints allow no motion.
        moves = G[count + i, count + i] > TANGENT_MOBILITY_RTOL * G[i, i]
        mu = b.coefficient[im.active[i]] if moves else 0.0
        im.low[count + i], im.high[count + i], im.normal_of[count + i] = -mu, mu, i
    return projected_gauss_seidel(
        G,
        im.after[:n],
        im.low[:n],
        im.high[:n],
        im.normal_of[:n],
        im.impulse[:n],
        SWEEP_RTOL * fastest + SWEEP_ATOL_M_PER_S,
        MAX_SWEEPS,
    )


@jit_compile
def solve_impulses(s, im, count, lemke_first):
    """Solve for the impulses of the active contacts from G and the free velocities in im.after; returns (status, iterations).

    If the sweeps fail, pivoting is used: in the plane it gives the solution, in space that of the polyhedral cone, from which
    the sweeps start again."""
    b = s.contacts
    n = b.dimension * count
    fastest = 0.0
    for k in range(n):
        fastest = max(fastest, abs(im.before[k]), abs(im.after[k]))
    for i in range(count):
        # Gamma' + e gamma, with the free gamma' of the normals.
        im.after[i] += b.restitution[im.active[i]] * im.before[i]
    if lemke_first:
        return _solve_by_pivoting(s, im, count)
    im.impulse[:n] = 0.0
    status, iterations = _solve_by_sweeps(s, im, count, fastest)
    if status != STATUS_SOLVED:
        status, pivots = _solve_by_pivoting(s, im, count)
        iterations += pivots
        if status == STATUS_SOLVED and b.dimension == 3:
            status, sweeps = _solve_by_sweeps(s, im, count, fastest)
            iterations += sweeps
    return status, iterations
