"""Contact forces of many nodes: a complementarity problem with compliances, solved by an active-set method.

    g = g0 + A f >= 0        f >= 0        g_i f_i = 0        A_ij = n_i . C_ij n_j

g0 are gaps of the undeformed solid, n_i normals, C the compliance: C_ij f is the displacement of node i by a force f at
node j. Nodes of the active set are in contact: A_aa f_a = -g0_a. Nodes with tensile force leave it, others that penetrate
enter it, all at once as long as their number decreases, then one by one (block principal pivoting): as A is positive
definite, this terminates. The active set and the factors of A_aa of the last call are the initial guess, so that a step
without changes costs one solution.

Distant nodes need not be examined. With known forces f_, for which A f_ is stored,

    |(A f)_i - (A f_)_i| <= sqrt(A_ii (f - f_)^T A (f - f_))

and the last product is known. Nothing is allocated.

If all normals are equal (flat), only the symmetric part of C_ij counts, the same for ij and ji: S, with the entries xx,
yy, zz, xy + yx, yz + zy, zx + xz (in the plane xx, yy, xy + yx). Then

    A_ij = S_ij . (n_x^2, n_y^2, n_z^2, n_x n_y, n_y n_z, n_z n_x)

Source: L. F. Portugal, J. J. Judice, L. N. Vicente, Math. Comp. 63 (1994) 625-643 (block principal pivoting).
"""

from __future__ import annotations

import numpy as np

from gaitwright.jit import force_inline as inlined
from gaitwright.jit import jit_compile
from gaitwright.jit.pointer_records import Longs, PointerRecord, Reals, Reals2, Reals3

MAX_STALLED_ROUNDS = 3
"""Number of rounds in which the number of wrong nodes may fail to decrease."""
MAX_ROUNDS = 10_000
"""Maximum number of rounds, as a safeguard: no set of nodes occurs twice."""
ACTIVE_SET_RTOL = 1e-13
"""Tolerance relative to the deepest penetration and to the largest force."""
ACTIVE_COUNT, VALID_FACTOR_ROWS, EXAMINED_COUNT = 0, 1, 2
"""Indices in `sizes`: number of nodes in the active set, of valid leading rows of its factors, and of other examined nodes."""
MAX_EXAMINED_FRACTION = 0.1
"""Fraction of all nodes that may be examined in a call before the known forces are updated."""


class ComplianceState(PointerRecord):
    """Contact data of a soft body, with the state kept between calls."""

    C: Reals3  # (nodes, nodes, d d), m/N
    S: Reals3  # (nodes, nodes, d (d + 1) / 2), see above
    X: Reals2  # (nodes, d), undeformed places
    n: Reals2  # (nodes, d), normals; code that changes them must set sizes[VALID_FACTOR_ROWS] to zero
    normal_products: Reals  # products of the first normal's components, for equal normals
    g0: Reals
    own_compliance: Reals  # A_ii
    active: Longs  # nodes of the set
    set_index: Longs  # index of each node in it, or -1
    sizes: Longs
    L: Reals2  # factors of A_aa
    x: Reals  # work array
    force: Reals  # f of all nodes
    wrong_nodes: Longs  # work array
    known_forces: Reals  # f_
    known_compliance_sums: Reals2  # sum_j S_ij f_j
    known_displacements: Reals  # A f_
    compliance_sums: Reals2  # sum_j S_ij f_j of the nodes in contact, for equal normals
    rows: Reals2  # work array


def new_compliance_state(C: np.ndarray, X: np.ndarray) -> ComplianceState:
    """State of a soft body with the compliance C: (nodes, nodes, d, d), m/N, and the node positions X: (nodes, d), m."""
    m, d = X.shape
    pairs = [(k, k) for k in range(d)] + [(0, 1), (1, 2), (2, 0)][: d * (d - 1) // 2]
    S = np.stack([C[..., a, b] if a == b else C[..., a, b] + C[..., b, a] for a, b in pairs], axis=-1)
    p = len(pairs)
    return ComplianceState(
        C=C.reshape(m, m, d * d), S=S, X=X, n=np.zeros((m, d)), normal_products=np.zeros(p), g0=np.zeros(m),
        own_compliance=np.zeros(m), active=np.zeros(m, np.int64), set_index=np.full(m, -1), sizes=np.zeros(3, np.int64),
        L=np.zeros((m, m)), x=np.zeros(m), force=np.zeros(m), wrong_nodes=np.zeros(m, np.int64), known_forces=np.zeros(m),
        known_compliance_sums=np.zeros((m, p)), known_displacements=np.zeros(m),
        compliance_sums=np.zeros((m, p)), rows=np.zeros((3, m)),
    )  # fmt: skip


@inlined
def normal_compliance(s, flat, i, j):
    """Entry A_ij."""
    C, S, n, q = s.C, s.S, s.n, s.normal_products
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


@jit_compile
def normal_displacement(s, flat, i):
    """Entry i of A f."""
    total, active, x = 0.0, s.active, s.x
    for c in range(s.sizes[ACTIVE_COUNT]):
        total += normal_compliance(s, flat, i, active[c]) * x[c]
    return total


@jit_compile
def sum_compliances(s, i, out):
    """out = sum_j S_ij f_j."""
    S, active, x, count = s.S, s.active, s.x, s.sizes[ACTIVE_COUNT]
    if S.shape[2] == 6:
        a, b, c, d, e, f = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(count):
            j, force = active[k], x[k]
            a += force * S[i, j, 0]
            b += force * S[i, j, 1]
            c += force * S[i, j, 2]
            d += force * S[i, j, 3]
            e += force * S[i, j, 4]
            f += force * S[i, j, 5]
        out[0], out[1], out[2], out[3], out[4], out[5] = a, b, c, d, e, f
    else:
        a, b, c = 0.0, 0.0, 0.0
        for k in range(count):
            j, force = active[k], x[k]
            a += force * S[i, j, 0]
            b += force * S[i, j, 1]
            c += force * S[i, j, 2]
        out[0], out[1], out[2] = a, b, c


@jit_compile
def extend_factors(s, flat):
    """Compute the invalid rows of the factors A_aa = L L^T; False if a pivot is not positive. The diagonal of L holds
    1 / L_rr."""
    active, L, sizes = s.active, s.L, s.sizes
    for r in range(sizes[VALID_FACTOR_ROWS], sizes[ACTIVE_COUNT]):
        i, row = active[r], L[r]
        for c in range(r + 1):
            row[c] = normal_compliance(s, flat, i, active[c])
        for c in range(r):
            previous_row, total = L[c], 0.0
            for k in range(c):
                total += row[k] * previous_row[k]
            row[c] = (row[c] - total) * previous_row[c]
        total = row[r]
        for c in range(r):
            total -= row[c] * row[c]
        if not total > 0.0:
            return False
        row[r] = 1.0 / np.sqrt(total)
        sizes[VALID_FACTOR_ROWS] = r + 1
    return True


@jit_compile
def solve_active(s, x):
    """Replace x by A_aa^-1 x."""
    L, count = s.L, s.sizes[ACTIVE_COUNT]
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


@jit_compile
def find_active_set(s, flat):
    """Find the forces; return the number of rounds, or -1 if the compliance cannot be factorised. s.x holds the forces of the
    active set."""
    nodes = s.g0.size
    sizes = s.sizes
    set_index = s.set_index
    g0 = s.g0
    x = s.x
    force = s.force
    wrong_nodes = s.wrong_nodes
    deepest = 0.0
    sizes[EXAMINED_COUNT] = 0
    for i in range(nodes):
        force[i] = 0.0
        deepest = max(deepest, -g0[i])
    if deepest == 0.0:
        for i in range(nodes):
            set_index[i] = -1
        sizes[ACTIVE_COUNT] = sizes[VALID_FACTOR_ROWS] = 0
        return 0
    if sizes[ACTIVE_COUNT] == 0:
        for i in range(nodes):
            if g0[i] < 0.0:
                _add_node(s, i)
    known_energy = _apply_known_forces(s, flat)
    fewest_wrong, stalled_rounds_left = nodes + 1, MAX_STALLED_ROUNDS
    for round_number in range(1, MAX_ROUNDS):
        if not extend_factors(s, flat):
            return -1
        count = sizes[ACTIVE_COUNT]
        for c in range(count):
            x[c] = -g0[s.active[c]]
        solve_active(s, x)
        # (f - f_)^T A (f - f_) with A f = -g0 where f is not zero
        energy, change, largest_force, wrong_count = 0.0, known_energy, 0.0, 0
        for c in range(count):
            i = s.active[c]
            energy -= x[c] * g0[i]
            change -= 2.0 * x[c] * s.known_displacements[i]
            largest_force = max(largest_force, abs(x[c]))
        change = max(change + energy, 0.0) + ACTIVE_SET_RTOL * energy
        for c in range(count):
            if x[c] < -ACTIVE_SET_RTOL * largest_force:
                wrong_nodes[wrong_count] = s.active[c]
                wrong_count += 1
        for i in range(nodes):
            gap = g0[i] + s.known_displacements[i]
            if set_index[i] < 0 and gap * abs(gap) <= s.own_compliance[i] * change:
                sizes[EXAMINED_COUNT] += 1
                if g0[i] + normal_displacement(s, flat, i) < -ACTIVE_SET_RTOL * deepest:
                    wrong_nodes[wrong_count] = i
                    wrong_count += 1
        if wrong_count == 0:
            for c in range(count):
                x[c] = max(x[c], 0.0)
                force[s.active[c]] = x[c]
            if flat and sizes[EXAMINED_COUNT] > MAX_EXAMINED_FRACTION * nodes:
                _store_known_forces(s)
            return round_number
        if wrong_count < fewest_wrong:
            fewest_wrong, stalled_rounds_left = wrong_count, MAX_STALLED_ROUNDS
        elif stalled_rounds_left > 0:
            stalled_rounds_left -= 1
        else:
            for k in range(1, wrong_count):
                wrong_nodes[0] = max(wrong_nodes[0], wrong_nodes[k])
            wrong_count = 1
        for k in range(wrong_count):
            if set_index[wrong_nodes[k]] < 0:
                _add_node(s, wrong_nodes[k])
            else:
                set_index[wrong_nodes[k]] = -2
        _remove_nodes(s)
    return -1


@jit_compile
def _apply_known_forces(s, flat):
    """Compute A f_ with the current normals; return f_^T A f_. All zero unless the surface is flat."""
    total = 0.0
    for i in range(s.g0.size):
        displacement = 0.0
        if flat:
            for k in range(s.normal_products.size):
                displacement += s.known_compliance_sums[i, k] * s.normal_products[k]
        s.known_displacements[i] = displacement
        total += displacement * s.known_forces[i]
    return total


@jit_compile
def _store_known_forces(s):
    """Store the current forces as the known forces of the next calls."""
    for i in range(s.g0.size):
        s.known_forces[i] = s.force[i]
        sum_compliances(s, i, s.known_compliance_sums[i])


@jit_compile
def _add_node(s, i):
    s.active[s.sizes[ACTIVE_COUNT]], s.set_index[i] = i, s.sizes[ACTIVE_COUNT]
    s.sizes[ACTIVE_COUNT] += 1


@jit_compile
def _remove_nodes(s):
    """Remove the nodes with place -2; the factors stay valid up to the first of them."""
    count = 0
    for c in range(s.sizes[ACTIVE_COUNT]):
        i = s.active[c]
        if s.set_index[i] == -2:
            s.set_index[i] = -1
            s.sizes[VALID_FACTOR_ROWS] = min(s.sizes[VALID_FACTOR_ROWS], count)
        else:
            s.active[count], s.set_index[i] = i, count
            count += 1
    s.sizes[ACTIVE_COUNT] = count
