"""Static equilibrium of a solid pressed by a plane: positions of its nodes, and the force on the plane.

The frame of the solid is fixed and the plane moves (Eq 5.13 to 5.18 of paper 004). Some nodes are held; the others minimise
the potential:

    V(x) = min_u W(u) + contact(u, x)        x = (c, m), the plane in the frame of the solid

By the envelope theorem V_x is that of the contact alone, and V_xx = contact_xx - contact_ux^T K^-1 contact_ux. So the force
of the solid on the body that carries it has a potential, and energy is balanced for any time steps.

Newton steps on u start from the last solution and are shortened until V decreases, which also prevents inverted elements. All
code is compiled and called through an address: `evaluate_equilibrium(what, data, x, out)` writes V, V_x and, if requested,
V_xx; NaN if there is no equilibrium, so that the integrator tries a shorter time step.
"""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.fem.kernel_modules import declare_force
from gaitwright.fem.penalty_sides import PenaltySides, add_pose_terms, penalty_module
from gaitwright.jit import compile_cfunc, jit_compile
from gaitwright.jit.address_calls import record_from_address
from gaitwright.jit.numba_names import types
from gaitwright.jit.pointer_records import Integer, Longs, PointerRecord, Reals
from gaitwright.mechanism.batch_kernels import evaluate_batch_energies, evaluate_batch_forces, evaluate_batch_tangents
from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.mechanism.evaluation import EvaluationWorkspace, new_workspace
from gaitwright.mechanism.kkt import KktSystem, build_kkt, factor_kkt, fill_tangent, solve_kkt
from gaitwright.mechanism.table_builder import build_tables
from gaitwright.mechanism.tables import Array, MechanismTables

REQUEST_FORCE, REQUEST_STIFFNESS, REQUEST_GAP, REQUEST_LOSS, REQUEST_COMMIT, REQUEST_RESTART = range(6)
"""Requests: V and V_x; also V_xx; or the distance of the undeformed solid from the plane, its derivatives in x, and the size
of the solid, m. For a solid with friction also V and the power loss, with x' after x; store x as the end of a step; and
restart at x without history."""
TALLY_EVALUATIONS, TALLY_SOLVED, TALLY_NEWTON_STEPS, TALLY_FACTORISATIONS, TALLY_FAILURES = range(5)
"""Counters: evaluations, those that needed a solution, Newton steps, factorisations, and poses without equilibrium."""
TALLY_NAMES = ("evaluations", "solved", "newton", "factorisations", "failures")
MAX_NEWTON_ITERATIONS = 40
"""Maximum number of Newton steps for one pose."""
NEWTON_STEP_RTOL = 1e-10
"""Last Newton step, relative to the size of the solid. Convergence is quadratic, so the remaining error is far smaller."""
POTENTIAL_RTOL = 1e-10
"""Decrease of V per step, relative to V, that rounding hides: gaps are differences of positions."""
PLANE_INCREMENTS = 8
"""Number of increments of the plane if a direct solution fails."""
MIN_STEP_FRACTION = 1e-4
"""Smallest fraction of a step that is tried."""
ARMIJO_FRACTION = 1e-4
"""Required decrease of V, relative to the work of the forces in the step: Armijo's condition, Nocedal and Wright, 3.1."""


class PlaneEquilibriumRecord(PointerRecord):
    """State of a solid on a plane. u: displacements, the last known equilibrium; plane: the current plane. copies: number of
    such solids."""

    system: MechanismTables
    work: EvaluationWorkspace
    kkt: KktSystem
    d: Integer
    n: Integer  # number of nodes of a side
    points: Integer
    sides: Integer
    shares: Reals
    dof: Longs
    par: Reals
    places: Reals  # of nodes that can touch, undeformed
    size: Reals  # one number: of the solid, m
    copies: Reals
    u: Reals
    trial: Reals
    zero_velocities: Reals
    plane: Reals
    answer: Reals  # plane, then V, V_x and V_xx for it
    valid_request: Longs  # results that are valid: -1 for none
    slope: Reals
    curvature: Reals
    mixed: Reals
    tally: Longs


as_equilibrium_record = record_from_address(PlaneEquilibriumRecord.packed_type)


@jit_compile
def find_lowest_node(p, x):
    """Return the smallest gap among the nodes that can touch, and the index of its node."""
    smallest_gap, lowest_node, d = math.inf, 0, p.d
    for k in range(p.places.size // d):
        g = x[0]
        for i in range(d):
            g += x[1 + i] * p.places[d * k + i]
        if g < smallest_gap:
            smallest_gap, lowest_node = g, k
    return smallest_gap, lowest_node


@jit_compile
def evaluate_potential(p, q):
    """Return V of displacements, J; infinite if an element is inverted."""
    w, total = p.work, 0.0
    evaluate_batch_energies(p.system.forces, q, p.zero_velocities, p.plane, w.energy)
    for k in range(w.energy.size // 3):
        total += w.energy[3 * k]
    return total if math.isfinite(total) else math.inf


@jit_compile
def factorise_stiffness(p):
    """Factorise K at u; return False if it is singular."""
    s, w = p.system, p.work
    w.kq[:] = 0.0
    evaluate_batch_tangents(s.forces, p.u, p.zero_velocities, p.plane, w.kq, w.kv)
    w.kq[s.k_row.size] = 0.0
    fill_tangent(s, w, p.kkt, 0.0, 1.0)
    p.tally[TALLY_FACTORISATIONS] += 1
    return factor_kkt(p.kkt) < 0


@jit_compile
def solve_equilibrium(p):
    """Take Newton steps to the equilibrium on the plane; return False if there is none."""
    s, w, n = p.system, p.work, p.system.n
    before = evaluate_potential(p, p.u)
    if before == math.inf:
        return False
    for _ in range(MAX_NEWTON_ITERATIONS):
        w.force[:] = 0.0
        evaluate_batch_forces(s.forces, p.u, p.zero_velocities, p.plane, w.force)
        if not factorise_stiffness(p):
            return False
        work = 0.0
        for i in range(n):
            p.kkt.rhs[i] = w.force[i]
        solve_kkt(p.kkt)
        length = 0.0
        for i in range(n):
            length = max(length, abs(p.kkt.rhs[i]))
            work += p.kkt.rhs[i] * w.force[i]
        p.tally[TALLY_NEWTON_STEPS] += 1
        if not math.isfinite(work):
            return False
        step_fraction, last_step = 1.0, length <= NEWTON_STEP_RTOL * p.size[0]
        near_rounding = last_step or abs(work) <= POTENTIAL_RTOL * abs(before)
        while True:
            for i in range(n):
                p.trial[i] = p.u[i] + step_fraction * p.kkt.rhs[i]
            after = evaluate_potential(p, p.trial)
            if after <= before - ARMIJO_FRACTION * step_fraction * work or (near_rounding and after < math.inf):
                break
            step_fraction *= 0.5
            if step_fraction < MIN_STEP_FRACTION:
                return False
        for i in range(n):
            p.u[i] = p.trial[i]
        before = after
        if last_step:
            return True
    return False


@jit_compile
def solve_on_plane(p, x):
    """Solve for the equilibrium on a plane that intersects the solid: from the last one, or with the plane moved in
    increments."""
    for k in range(p.d + 1):
        p.plane[k] = x[k]
    if solve_equilibrium(p):
        return True
    p.u[:] = 0.0
    depth, _ = find_lowest_node(p, x)
    for k in range(1, PLANE_INCREMENTS + 1):
        p.plane[0] = x[0] - depth * (PLANE_INCREMENTS - k) / PLANE_INCREMENTS
        if not solve_equilibrium(p):
            p.u[:] = 0.0
            p.tally[TALLY_FAILURES] += 1
            return False
    return True


@jit_compile
def update_pose_terms(p, stiffness):
    """Write V, V_x and, if requested, V_xx of the solid in equilibrium to p.known."""
    n_x, n, width = p.d + 1, p.system.n, p.system.n + 1
    p.slope[:] = 0.0
    p.curvature[:] = 0.0
    p.mixed[:] = 0.0
    add_pose_terms(
        p.d, p.n, p.points, p.sides, p.shares, p.dof, p.par, p.u, p.plane, p.slope, p.curvature, p.mixed, width
    )
    p.answer[n_x] = evaluate_potential(p, p.u)
    for r in range(n_x):
        p.answer[n_x + 1 + r] = p.slope[r]
    if stiffness:
        if not factorise_stiffness(p):
            return False
        for s in range(n_x):
            for i in range(n):
                p.kkt.rhs[i] = p.mixed[width * s + i]
            solve_kkt(p.kkt)
            for r in range(n_x):
                total = p.curvature[n_x * r + s]
                for i in range(n):
                    total -= p.mixed[width * r + i] * p.kkt.rhs[i]
                p.answer[2 * n_x + 1 + n_x * r + s] = total
    return True


@jit_compile
def is_same_plane(p, x):
    """True if the stored answer belongs to this plane."""
    equal = True
    for k in range(p.d + 1):
        equal = equal and p.answer[k] == x[k]
    return equal


def evaluate_equilibrium(request, data, x, out):
    """Equilibrium function of a solid with all its nodes: see REQUEST_FORCE and following."""
    p = as_equilibrium_record(data)
    n_x = p.d + 1
    if request == REQUEST_GAP:
        gap, node = find_lowest_node(p, x)
        out[0], out[1] = gap, 1.0
        for i in range(p.d):
            out[2 + i] = p.places[p.d * node + i]
        out[1 + n_x] = p.size[0]
        return
    p.tally[TALLY_EVALUATIONS] += 1
    if not (is_same_plane(p, x) and p.valid_request[0] >= request):
        known_plane = is_same_plane(p, x) and p.valid_request[0] >= REQUEST_FORCE
        converged = True
        for k in range(n_x):
            p.answer[k] = x[k]
        if not known_plane and find_lowest_node(p, x)[0] >= 0.0:
            p.u[:] = 0.0
            for k in range(n_x, p.answer.size):
                p.answer[k] = 0.0
            p.valid_request[0] = REQUEST_STIFFNESS
        else:
            if not known_plane:
                p.tally[TALLY_SOLVED] += 1
                converged = solve_on_plane(p, x)
            converged = converged and update_pose_terms(p, request == REQUEST_STIFFNESS)
            p.valid_request[0] = request if converged else -1
        if not converged:
            for k in range(n_x, p.answer.size):
                p.answer[k] = math.nan
    for k in range(p.answer.size - n_x):
        out[k] = p.copies[0] * p.answer[n_x + k]


FLOAT64_POINTER, _C_DOUBLE_POINTER = types.CPointer(types.float64), ctypes.POINTER(ctypes.c_double)


@functools.cache
def compile_equilibrium() -> Any:
    """Compile the function; it stays in memory as long as its address may be in use."""
    return compile_cfunc(evaluate_equilibrium, types.void(types.int64, types.int64, FLOAT64_POINTER, FLOAT64_POINTER))


class EquilibriumTerms(NamedTuple):
    """Equilibrium results. energy: V, J. slope: V_x, N and N m. stiffness: V_xx; None if not requested."""

    energy: float
    slope: Array
    stiffness: Array | None


class EquilibriumModel:
    """Base class of models evaluated through an address. dimension, record: see PlaneEquilibrium; areas: of the points that
    can touch, m^2."""

    dimension: int
    record: Any
    areas: Array

    def call(self) -> Any:
        """Return the compiled function."""
        raise NotImplementedError

    def displacements(self, x: Sequence[float] | Array) -> Array:
        """Return the displacements of the nodes in equilibrium on a plane, (nodes, d), m."""
        raise NotImplementedError

    def pressures(self, x: Sequence[float] | Array) -> Array:
        """Return the pressures at the points that can touch, Pa, per undeformed area."""
        raise NotImplementedError

    @property
    def width(self) -> int:
        """Number of components of a plane, or of the argument x of the model."""
        return self.dimension + 1

    @property
    def addresses(self) -> tuple[float, float]:
        """Addresses of the function and of its data, as parameters of an element. Exact as floats, since they are far below
        2^53."""
        return float(self.call().address), float(self.record.address)

    def evaluate(self, x: Sequence[float] | Array, request: int = REQUEST_STIFFNESS) -> EquilibriumTerms:
        """Evaluate V and its derivatives on a plane x = (c, m)."""
        n_x = self.width
        pose, out = np.ascontiguousarray(x, dtype=float), np.zeros(1 + n_x + n_x**2)
        self.call().ctypes(
            request, self.record.address, pose.ctypes.data_as(_C_DOUBLE_POINTER), out.ctypes.data_as(_C_DOUBLE_POINTER)
        )
        matrix = out[1 + n_x :].reshape(n_x, n_x).copy() if request == REQUEST_STIFFNESS else None
        return EquilibriumTerms(float(out[0]), out[1 : 1 + n_x].copy(), matrix)

    @property
    def tally(self) -> dict[str, int]:
        """Counters of the evaluations so far."""
        return dict(zip(TALLY_NAMES, map(int, self.record.tally), strict=True))


class PlaneEquilibrium(EquilibriumModel):
    """Equilibrium of a solid with all its nodes. at_nodes: (nodes, d), unknown of each displacement, -1 for held ones."""

    def __init__(
        self, blocks: Sequence[ElementBlock], sides: PenaltySides, places: Array, at_nodes: Array, copies: float = 1.0
    ):
        n, d = int(at_nodes.max()) + 1, places.shape[1]
        dof = at_nodes[sides.nodes].reshape(len(sides.nodes), -1)
        penalty_block = ElementBlock(declare_force(penalty_module(d, sides.values)), (), dof, sides.parameters)
        no_mass = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)
        s = build_tables(n, no_mass, [], [*blocks, penalty_block], [])
        self.dimension, self.n, self.sides = d, n, sides
        self.places, self.at_nodes, self.areas = places, at_nodes, sides.areas.ravel()
        can_touch = np.unique(sides.nodes)
        self.record = PlaneEquilibriumRecord(
            system=s,
            work=new_workspace(s),
            kkt=build_kkt(s, tangent=True),
            d=d,
            n=sides.nodes.shape[1],
            points=len(sides.values),
            sides=len(sides.nodes),
            shares=sides.points.ravel(),
            dof=np.where(dof < 0, n, dof).ravel(),
            par=np.ascontiguousarray(sides.parameters).ravel(),
            places=places[can_touch].ravel(),
            size=np.array([float(np.linalg.norm(np.ptp(places, axis=0)))]),
            copies=np.array([copies]),
            u=n + 1,
            trial=n + 1,
            zero_velocities=n + 1,
            plane=d + 1,
            answer=2 * (d + 1) + 1 + (d + 1) ** 2,
            valid_request=np.array([-1]),
            slope=d + 1,
            curvature=(d + 1) ** 2,
            mixed=(d + 1) * (n + 1),
            tally=len(TALLY_NAMES),
        )

    def call(self) -> Any:
        return compile_equilibrium()

    def displacements(self, x: Sequence[float] | Array) -> Array:
        self.evaluate(x, REQUEST_FORCE)
        return np.append(np.array(self.record.u[: self.n]), 0.0)[self.at_nodes]

    def pressures(self, x: Sequence[float] | Array) -> Array:
        moved = (self.places + self.displacements(x))[self.sides.nodes]
        gaps = x[0] + np.einsum("pa,sai,i->sp", self.sides.points, moved, np.asarray(x, dtype=float)[1:])
        weights = self.sides.parameters[:, : len(self.sides.values)]
        return (weights * np.maximum(-gaps, 0.0) / self.sides.areas).ravel()
