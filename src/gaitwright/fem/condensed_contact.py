"""Quasi-static solid condensed to the nodes that can touch: the same equilibrium as fem/plane_equilibrium.py, which iterates
by Newton's method on all nodes, here from compliances alone. Strains are small in the frame of the body that carries the
solid; this frame may turn by any angle.

    V(x) = max_f -f . g0 - f . A f / 2,  f >= 0        g0_i = c + m . X_i        A_ij = m . C_ij m        x = (c, m)

with the forces f of the nodes by an active set (contact/active_set.py). With v_i = sum_j f_j (C_ij + C_ij^T) / 2 and V' = sum
f_i v_i

    V_c = -sum f_i        V_m = -sum f_i X_i - V' m        V_xx = G^T A_aa^-1 G - (0, V')        G_i = (1, X_i + 2 v_i m)

There is no penetration. Both models have the same interface, so the force between bodies works with either.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.contact.active_set import (
    ACTIVE_COUNT,
    VALID_FACTOR_ROWS,
    ComplianceState,
    find_active_set,
    new_compliance_state,
    normal_compliance,
    solve_active,
    sum_compliances,
)
from gaitwright.fem.condensation import Condensation
from gaitwright.fem.element_geometry import HELD_COORDINATE
from gaitwright.fem.plane_equilibrium import (
    FLOAT64_POINTER,
    REQUEST_FORCE,
    REQUEST_GAP,
    REQUEST_STIFFNESS,
    TALLY_EVALUATIONS,
    TALLY_FAILURES,
    TALLY_NAMES,
    TALLY_SOLVED,
    EquilibriumModel,
)
from gaitwright.fem.solid_part import MaterialRegion
from gaitwright.jit import compile_cfunc, jit_compile
from gaitwright.jit.address_calls import record_from_address
from gaitwright.jit.numba_names import types
from gaitwright.jit.pointer_records import Integer, Longs, PointerRecord, Reals, Reals2
from gaitwright.mechanism.tables import Array
from gaitwright.mesh.cell_measures import side_shares, sum_by_index
from gaitwright.mesh.mesh import Mesh


class CondensedContactState(PointerRecord):
    """A condensed solid on a plane, and its cached results."""

    soft: ComplianceState
    d: Integer
    size: Reals
    copies: Reals
    answer: Reals  # plane, then V, V_x and V_xx there
    valid_request: Longs
    rows: Reals2  # G by columns, (d + 1, nodes)
    column: Reals
    compliance_sum: Reals  # V'
    tally: Longs


state_from_address = record_from_address(CondensedContactState.packed_type)


@jit_compile
def update_plane(s, x):
    """Update normals and gaps for a plane; return the smallest gap and its node."""
    nodes, d = s.X.shape
    turned = s.sizes[VALID_FACTOR_ROWS] == 0
    for a in range(d):
        turned = turned or x[1 + a] != s.n[0, a]
    smallest_gap, nearest_node = math.inf, 0
    for i in range(nodes):
        gap = x[0]
        for a in range(d):
            s.n[i, a] = x[1 + a]
            gap += x[1 + a] * s.X[i, a]
        s.g0[i] = gap
        if gap < smallest_gap:
            smallest_gap, nearest_node = gap, i
    if turned:
        s.sizes[VALID_FACTOR_ROWS] = 0
        for a in range(d):
            s.normal_products[a] = x[1 + a] * x[1 + a]
        for a in range(s.normal_products.size - d):
            s.normal_products[d + a] = x[1 + a] * x[1 + (a + 1) % d]
        for i in range(nodes):
            s.own_compliance[i] = normal_compliance(s, True, i, i)
    return smallest_gap, nearest_node


@jit_compile
def symmetric_entry(sums, d, a, b):
    """Entry of v from the sums of active_set.sum_compliances."""
    if a == b:
        return sums[a]
    if d == 2:
        return 0.5 * sums[2]
    return 0.5 * sums[3 + (a if (a + 1) % 3 == b else b)]


@jit_compile
def compute_answer(p, x, stiffness):
    """Write V, V_x and, if requested, V_xx to p.known; return False if no active set is found."""
    s, d, n_x = p.soft, p.d, p.d + 1
    answer, compliance_sum, rows, column = p.answer, p.compliance_sum, p.rows, p.column
    answer[n_x:] = 0.0
    compliance_sum[:] = 0.0
    if find_active_set(s, True) < 0:
        return False
    count = s.sizes[ACTIVE_COUNT]
    for k in range(count):
        i, f = s.active[k], s.x[k]
        sum_compliances(s, i, s.compliance_sums[i])
        answer[n_x] -= 0.5 * f * s.g0[i]
        answer[n_x + 1] -= f
        rows[0, k] = 1.0
        for a in range(d):
            answer[n_x + 2 + a] -= f * s.X[i, a]
            lever = s.X[i, a]
            for b in range(d):
                v = symmetric_entry(s.compliance_sums[i], d, a, b)
                compliance_sum[d * a + b] += f * v
                lever += 2.0 * v * x[1 + b]
            rows[1 + a, k] = lever
    for a in range(d):
        for b in range(d):
            answer[n_x + 2 + a] -= compliance_sum[d * a + b] * x[1 + b]
    if stiffness:
        first = 2 * n_x + 1
        for r in range(n_x):
            for k in range(count):
                column[k] = rows[r, k]
            solve_active(s, column)
            for q in range(n_x):
                total = 0.0
                for k in range(count):
                    total += rows[q, k] * column[k]
                answer[first + n_x * r + q] = total - (compliance_sum[d * (r - 1) + q - 1] if r > 0 and q > 0 else 0.0)
    return True


def solve_condensed(request, data, x, out):
    """Equilibrium function of a condensed solid: see REQUEST_FORCE and following."""
    p = state_from_address(data)
    n_x, answer, same_plane = p.d + 1, p.answer, True
    if request == REQUEST_GAP:
        gap, node = update_plane(p.soft, x)
        p.valid_request[0] = -1  # the gaps of the active set now belong to this plane
        out[0], out[1] = gap, 1.0
        for a in range(p.d):
            out[2 + a] = p.soft.X[node, a]
        out[1 + n_x] = p.size[0]
        return
    p.tally[TALLY_EVALUATIONS] += 1
    for k in range(n_x):
        same_plane = same_plane and answer[k] == x[k]
        answer[k] = x[k]
    if not (same_plane and p.valid_request[0] >= request):
        gap, _ = update_plane(p.soft, x)
        if gap < 0.0:
            p.tally[TALLY_SOLVED] += 1
        p.valid_request[0] = request
        if not compute_answer(p, x, request == REQUEST_STIFFNESS):
            p.valid_request[0] = -1
            p.tally[TALLY_FAILURES] += 1
            answer[n_x:] = math.nan
    for k in range(answer.size - n_x):
        out[k] = p.copies[0] * answer[n_x + k]


@functools.cache
def compiled_condensed_solver() -> Any:
    """Compile the function; it stays in memory as long as its address may be in use."""
    return compile_cfunc(solve_condensed, types.void(types.int64, types.int64, FLOAT64_POINTER, FLOAT64_POINTER))


class CondensedContactSolid(EquilibriumModel):
    """Condensed solid pressed by a plane. number: (nodes, d), HELD_COORDINATE for a held displacement. sides: of the surface
    that can touch."""

    def __init__(
        self,
        mesh: Mesh,
        fillings: Sequence[MaterialRegion],
        number: Array,
        sides: Array,
        thickness: float = 1.0,
        copies: float = 1.0,
    ):
        from scipy.linalg import cho_factor, cho_solve

        is_held = number == HELD_COORDINATE
        surface_nodes = np.unique(sides)
        self.nodes = surface_nodes[~is_held[surface_nodes].all(axis=1)]
        at = ErrorContext("quasi_static.condensed")
        self.condensation = Condensation(mesh.nodes, fillings, is_held, self.nodes, at=at)
        unknown, d = self.condensation.number, mesh.dimension
        C = cho_solve(cho_factor(self.condensation.stiffness), np.eye(self.condensation.size))
        padded = np.pad(0.5 * (C + C.T), (0, 1))  # HELD_COORDINATE selects the last row, which is zero
        self.compliance = padded[unknown[:, None, :, None], unknown[None, :, None, :]]
        self.dimension, self.places = d, mesh.nodes[self.nodes]
        shares = sum_by_index(sides.ravel(), side_shares(mesh.nodes, sides).ravel(), len(mesh.nodes))[self.nodes]
        self.areas = shares * (thickness if d == 2 else 1.0)
        n, n_x = len(self.nodes), d + 1
        self.record = CondensedContactState(
            soft=new_compliance_state(np.ascontiguousarray(self.compliance), np.ascontiguousarray(self.places)), d=d,
            size=np.array([float(np.linalg.norm(np.ptp(mesh.nodes, axis=0)))]), copies=np.array([copies]),
            answer=2 * n_x + 1 + n_x**2, valid_request=np.array([-1]), rows=(n_x, n), column=n,
            compliance_sum=d * d, tally=len(TALLY_NAMES),
        )  # fmt: skip

    def call(self) -> Any:
        return compiled_condensed_solver()

    def displacements(self, x: Sequence[float] | Array) -> Array:
        """Displacements of all nodes, including the recovered ones inside, m."""
        node_forces = self.forces(x)[:, None] * np.asarray(x, dtype=float)[1:]
        displacements = np.einsum("ijab,jb->ia", self.compliance, node_forces)
        unknown = self.condensation.number
        u = np.zeros(self.condensation.size)
        u[unknown[unknown != HELD_COORDINATE]] = displacements[unknown != HELD_COORDINATE]
        return self.condensation.displacements(u)

    def forces(self, x: Sequence[float] | Array) -> Array:
        """Normal forces of the nodes that can touch, N."""
        self.evaluate(x, REQUEST_FORCE)
        self.record.valid_request[0] = -1
        self.evaluate(x, REQUEST_FORCE)
        return self.record.soft.force.copy()

    def pressures(self, x: Sequence[float] | Array) -> Array:
        return self.forces(x) / np.where(self.areas > 0.0, self.areas, np.nan)
