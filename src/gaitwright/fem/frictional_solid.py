"""Quasi-static solid with friction: from the pose of the body that carries it to the forces of the nodes that can touch, with
sticking, creeping, sliding and history (frictional_nodes.py).

Strains are small in the frame of the body b, which may turn by any angle. The touched object is any surface in a frame a: a
plane, a sphere, a height field, a mesh. The pose is c, the origin of b in the frame of a, and m, its axes as columns: x = (c,
m).

    position of node i = c + m (X_i + u_i)        u = C f        F_i = m f_i

    Q_c = sum F_i        Q_m = sum F_i (X_i + u_i)^T

A curved surface is replaced by its tangent planes at the nodes, repeatedly until they converge. The history consists of the
sticking points of the nodes on the surface at the end of the last step, in the frame of a, so that a belt moves them along.
The solid has an elastic energy; the loss is the work of sliding nodes.

The tangent on a plane is exact for the current sets of sticking and sliding nodes: the residuals r of the touching nodes
(frictional_nodes.py) stay zero as the pose changes, with each node kept sticking or sliding:

    (r_e C + r_f) df/dx = -r_x        dF = dm f + m df        dQ_c = sum dF        dQ_m = sum dF (X + u)^T + F (C df)^T

r_x involves one node at a time, through its normal and its sticking point in the frame of the body: computed by central
differences. On curved surfaces the whole tangent is computed by differences.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.contact.surface_lookup import lookup_address
from gaitwright.derive.kernel_library import kernel_module
from gaitwright.fem.frictional_nodes import (
    CLOSED_NODE_COUNT,
    NODE_SET_SIZE,
    FrictionalNodes,
    compute_node_residual,
    factorise_node_set,
    gather_compliances,
    new_frictional_nodes,
    solve_friction,
    update_node_states,
    update_node_stiffness,
)
from gaitwright.fem.plane_equilibrium import (
    FLOAT64_POINTER,
    REQUEST_COMMIT,
    REQUEST_FORCE,
    REQUEST_GAP,
    REQUEST_LOSS,
    REQUEST_RESTART,
    REQUEST_STIFFNESS,
    TALLY_EVALUATIONS,
    TALLY_FAILURES,
    TALLY_NAMES,
    TALLY_SOLVED,
    EquilibriumModel,
)
from gaitwright.jit import compile_cfunc, jit_compile
from gaitwright.jit.address_calls import call_address, record_from_address
from gaitwright.jit.numba_names import types
from gaitwright.jit.pointer_records import Integer, Longs, PointerRecord, Reals, Reals2
from gaitwright.linalg.dense_lu import solve_dense_lu
from gaitwright.mechanism.batches import compiled_kernel
from gaitwright.mechanism.tables import Array
from gaitwright.physics.declarations import ContactShape, Family

SURFACE_ADDRESS, LOOKUP_ADDRESS, IS_PLANE, OWN_NUMBER_COUNT = range(4)
"""Indices into FrictionalSolidState.surface: addresses of the surface kernel and of its lookup function; 1 if it is a plane;
number of its own parameters."""
DIFFERENCE_STEP = 1e-6
"""Relative to the size of the solid, or absolute for a direction: difference step of tangents and of the loss."""
MAX_TANGENT_PLANE_ROUNDS, DISPLACEMENT_RTOL = 60, 1e-11
"""Maximum number of updates of the tangent planes, and convergence tolerance of the displacements, relative to the size of
the solid."""


class FrictionalSolidState(PointerRecord):
    """State of a solid with friction, and its cached results."""

    soft: FrictionalNodes
    d: Integer
    size: Reals  # of the solid, m
    friction: Reals  # mu
    surface: Longs
    shape: Reals  # parameters of the surface, with space for looked-up ones
    field: Reals  # lookup table
    position: Reals  # scratch: a position
    surface_values: Reals  # scratch: output of the surface kernel
    sticking_points: Reals2  # (nodes, d) sticking points at the start of the step, in the frame of a
    start_gaps: Reals  # gaps at the start of the step
    answer: Reals  # pose, then V, V_x and V_xx there
    valid_request: Longs
    previous_displacements: Reals2  # scratch: displacements
    saved: Reals2  # scratch: forces
    tally: Longs
    friction_loss: Reals  # J, since the start
    trial_answer: Reals


state_from_address = record_from_address(FrictionalSolidState.packed_type)


@jit_compile
def evaluate_surface(p, x, i, moved):
    """Evaluate the surface at node i, displaced or undeformed, and write the result to p.seen."""
    d, X, u = p.d, p.soft.X, p.soft.u
    for k in range(d):
        p.position[k] = x[k]
        for l in range(d):
            p.position[k] += x[d + d * k + l] * (X[i, l] + (u[i, l] if moved else 0.0))
    if p.surface[LOOKUP_ADDRESS] != 0:
        call_address(p.surface[LOOKUP_ADDRESS], (p.field, p.position, p.shape[p.surface[OWN_NUMBER_COUNT] :]))
    call_address(p.surface[SURFACE_ADDRESS], (1, p.shape, p.position, p.surface_values))


@jit_compile
def update_tangent_plane(p, x, i):
    """Update the tangent plane at a node: its normal, and the distance of the node from its sticking point."""
    s, d = p.soft, p.d
    evaluate_surface(p, x, i, True)
    gap, distance, size = p.surface_values[0], 0.0, 0.0
    for a in range(d):
        s.n[i, a], sticking_point = 0.0, 0.0
        for k in range(d):
            s.n[i, a] += x[d + d * k + a] * p.surface_values[2 + k]
            sticking_point += x[d + d * k + a] * (p.sticking_points[i, k] - x[k])
        s.e0[i, a] = s.X[i, a] - sticking_point
        size += s.n[i, a] * s.n[i, a]
    size = math.sqrt(size)
    for a in range(d):  # axes of an iteration need not be orthogonal: normalise
        s.n[i, a] /= size
        distance += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
    for a in range(d):
        s.e0[i, a] += (gap - distance) * s.n[i, a]
    s.G[i] = p.start_gaps[i]


@jit_compile
def update_tangent_planes(p, x):
    """Update the tangent planes at all nodes."""
    for i in range(p.soft.X.shape[0]):
        update_tangent_plane(p, x, i)


@jit_compile
def solve_at_pose(p, x):
    """Solve for the forces at a pose; return False if the iteration fails."""
    s, nodes, d = p.soft, p.soft.X.shape[0], p.d
    for _ in range(MAX_TANGENT_PLANE_ROUNDS):
        for i in range(nodes):
            for a in range(d):
                p.previous_displacements[i, a] = s.u[i, a]
        update_tangent_planes(p, x)
        if solve_friction(s, p.friction[0]) < 0:
            return False
        change = 0.0
        for i in range(nodes):
            for a in range(d):
                change = max(change, abs(s.u[i, a] - p.previous_displacements[i, a]))
        if p.surface[IS_PLANE] != 0 or change <= DISPLACEMENT_RTOL * p.size[0]:
            return True
    return False


@jit_compile
def compute_answer(p, x, out):
    """Compute V and V_x at the current forces."""
    s, d = p.soft, p.d
    for k in range(1 + d + d * d):
        out[k] = 0.0
    for c in range(s.counters[NODE_SET_SIZE]):
        i = s.active[c]
        for k in range(d):
            out[0] += 0.5 * s.f[i, k] * s.u[i, k]
            force = 0.0
            for a in range(d):
                force += x[d + d * k + a] * s.f[i, a]
            out[1 + k] -= force
            for l in range(d):
                out[1 + d + d * k + l] -= force * (s.X[i, l] + s.u[i, l])


@jit_compile
def compute_sliding_work(p):
    """Return the work of sliding nodes since the start of the step, with the current forces, J."""
    s, d, total = p.soft, p.d, 0.0
    for c in range(s.counters[NODE_SET_SIZE]):
        i = s.active[c]
        gap, push = 0.0, 0.0
        for a in range(d):
            gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
            push += s.n[i, a] * s.f[i, a]
        for a in range(d):
            along = s.e0[i, a] + s.u[i, a] - gap * s.n[i, a]
            total -= (s.f[i, a] - push * s.n[i, a]) * along
    return total


# Stiffness and loss ---------------------------------------------------------------------------------------------------


@jit_compile
def compute_plane_stiffness(p, x, out):
    """Compute V_xx at the current forces; return False if the matrix of the touching nodes is singular."""
    s, d = p.soft, p.d
    n_x = d + d * d
    mu = p.friction[0]
    force_change = s.unknowns
    displacement_change = s.previous_forces
    closed = s.closed_nodes
    out[: n_x * n_x] = 0.0
    if s.counters[NODE_SET_SIZE] == 0:
        return True
    gather_compliances(s)
    update_node_states(s, mu)
    count = s.counters[CLOSED_NODE_COUNT]
    if not factorise_node_set(s, mu):
        return False
    for j in range(n_x):
        step, component = DIFFERENCE_STEP * (p.size[0] if j < d else 1.0), x[j]
        for r in range(count):
            i = s.active[closed[r]]
            for side in range(2):
                x[j] = component + (step if side == 0 else -step)
                update_tangent_plane(p, x, i)
                update_node_stiffness(s, i)
                compute_node_residual(s, i, mu, s.e if side == 0 else s.t)
            for a in range(d):
                force_change[d * r + a] = (s.t[a] - s.e[a]) / (2.0 * step)
            x[j] = component
            update_tangent_plane(p, x, i)
            update_node_stiffness(s, i)
        solve_dense_lu(s.J, s.pivots, d * count, force_change)
        for r in range(count):
            for a in range(d):
                total, row = 0.0, s.M[d * closed[r] + a]
                for c in range(count):
                    for b in range(d):
                        total += row[d * closed[c] + b] * force_change[d * c + b]
                displacement_change[d * r + a] = total
        for r in range(count):
            i = s.active[closed[r]]
            for k in range(d):
                force, rotated_change = 0.0, 0.0
                for a in range(d):
                    force += x[d + d * k + a] * s.f[i, a]
                    rotated_change += x[d + d * k + a] * force_change[d * r + a]
                    if j == d + d * k + a:
                        rotated_change += s.f[i, a]
                out[n_x * k + j] -= rotated_change
                for l in range(d):
                    out[n_x * (d + d * k + l) + j] -= (
                        rotated_change * (s.X[i, l] + s.u[i, l]) + force * displacement_change[d * r + l]
                    )
    return True


@jit_compile
def save_or_restore(p, restore):
    """Save forces and displacements, or restore them."""
    s = p.soft
    for i in range(s.f.shape[0]):
        for a in range(p.d):
            if restore:
                s.f[i, a], s.u[i, a] = p.saved[i, a], p.saved[i, p.d + a]
            else:
                p.saved[i, a], p.saved[i, p.d + a] = s.f[i, a], s.u[i, a]


@jit_compile
def compute_difference_stiffness(p, x, out):
    """Compute V_xx by differences, around the current forces; return False if these cannot be restored."""
    d, n_x, start_answer, trial_answer = p.d, p.d + p.d * p.d, p.answer[p.d + p.d * p.d :], p.trial_answer
    save_or_restore(p, False)
    for j in range(n_x):
        step = DIFFERENCE_STEP * (p.size[0] if j < d else 1.0)
        component = x[j]
        x[j] = component + step
        converged = solve_at_pose(p, x)
        compute_answer(p, x, trial_answer)
        x[j] = component
        for r in range(n_x):
            out[n_x * r + j] = (trial_answer[1 + r] - start_answer[1 + r]) / step if converged else math.nan
        save_or_restore(p, True)
    return solve_at_pose(p, x)


@jit_compile
def compute_power_loss(p, x, out):
    """Return the power loss, W, from the sliding in a short time. x: pose, then its rate."""
    s, d = p.soft, p.d
    n_x, largest_rate = d + d * d, 0.0
    for k in range(n_x):
        largest_rate = max(largest_rate, abs(x[n_x + k]) / (p.size[0] if k < d else 1.0))
    if largest_rate == 0.0 or s.counters[NODE_SET_SIZE] == 0:
        return 0.0
    duration, total = DIFFERENCE_STEP / largest_rate, 0.0
    save_or_restore(p, False)
    tangential_forces = p.previous_displacements  # along the surface
    for i in range(s.f.shape[0]):
        push, gap = 0.0, 0.0
        for a in range(d):
            push += s.n[i, a] * s.f[i, a]
            gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
        for a in range(d):
            tangential = s.f[i, a] - push * s.n[i, a]
            total += tangential * (s.e0[i, a] + s.u[i, a] - gap * s.n[i, a])
            tangential_forces[i, a] = tangential
    for k in range(n_x):
        out[k] = x[k] + duration * x[n_x + k]
    update_tangent_planes(p, out)
    converged = solve_friction(s, p.friction[0]) >= 0
    for i in range(s.f.shape[0]):
        gap = 0.0
        for a in range(d):
            gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
        for a in range(d):
            total -= tangential_forces[i, a] * (s.e0[i, a] + s.u[i, a] - gap * s.n[i, a])
    save_or_restore(p, True)
    return total / duration if converged else math.nan


@jit_compile
def store_node_places(p, x, moved):
    """Store the positions of the nodes at the start of a step."""
    s, d = p.soft, p.d
    for i in range(s.X.shape[0]):
        evaluate_surface(p, x, i, moved)
        size = 0.0
        for a in range(d):
            size += abs(s.f[i, a])
        gap = p.surface_values[0]
        for k in range(d):
            p.sticking_points[i, k] = p.position[k] - gap * p.surface_values[2 + k]
        p.start_gaps[i] = 0.0 if size > 0.0 else max(gap, 0.0)


@jit_compile
def find_nearest_node(p, x, out):
    """Compute the smallest gap of the undeformed solid, its derivatives in the pose, and the size of the solid."""
    d, best = p.d, math.inf
    for i in range(p.soft.X.shape[0]):
        evaluate_surface(p, x, i, False)
        if p.surface_values[0] < best:
            best = out[0] = p.surface_values[0]
            for k in range(d):
                out[1 + k] = p.surface_values[2 + d + k]
                for l in range(d):
                    out[1 + d + d * k + l] = p.surface_values[2 + d + k] * p.soft.X[i, l]
    out[1 + d + d * d] = p.size[0]
    return best


def solve_frictional_solid(request, data, x, out):
    """Equilibrium function of a solid with friction: see REQUEST_FORCE and following."""
    p = state_from_address(data)
    d, answer, s = p.d, p.answer, p.soft
    n_x = d + d * d
    if request == REQUEST_GAP:
        find_nearest_node(p, x, out)
        return
    if request == REQUEST_RESTART:
        for i in range(s.f.shape[0]):
            for a in range(d):
                s.f[i, a] = s.u[i, a] = 0.0
        store_node_places(p, x, False)
        p.valid_request[0], p.friction_loss[0] = -1, 0.0
        return
    p.tally[TALLY_EVALUATIONS] += 1
    same_pose = p.valid_request[0] >= REQUEST_FORCE
    for k in range(n_x):
        same_pose = same_pose and answer[k] == x[k]
        answer[k] = x[k]
    if not same_pose:
        p.tally[TALLY_SOLVED] += 1
        converged = solve_at_pose(p, x)
        p.valid_request[0] = REQUEST_FORCE if converged else -1
        if converged:
            compute_answer(p, x, answer[n_x:])
        else:
            p.tally[TALLY_FAILURES] += 1
            answer[n_x:] = math.nan
            s.f[:] = 0.0
            s.u[:] = 0.0
    if request == REQUEST_COMMIT:
        if p.valid_request[0] >= REQUEST_FORCE:
            p.friction_loss[0] += compute_sliding_work(p)
            store_node_places(p, x, True)
        return
    if request == REQUEST_STIFFNESS and p.valid_request[0] == REQUEST_FORCE:
        matrix = answer[2 * n_x + 1 :]
        converged = p.surface[IS_PLANE] != 0 and compute_plane_stiffness(p, x, matrix)
        p.valid_request[0] = REQUEST_STIFFNESS if converged or compute_difference_stiffness(p, x, matrix) else -1
    if request == REQUEST_LOSS:
        out[1] = compute_power_loss(p, x, out)
        for k in range(d):
            out[2 + k] = answer[n_x + 1 + k]
        out[0] = answer[n_x]
        update_tangent_planes(p, x)
        return
    for k in range(1 + n_x + (n_x * n_x if request == REQUEST_STIFFNESS else 0)):
        out[k] = answer[n_x + k]


@functools.cache
def compiled_frictional_solver() -> Any:
    """Compile the function; it stays in memory as long as its address may be in use."""
    return compile_cfunc(solve_frictional_solid, types.void(types.int64, types.int64, FLOAT64_POINTER, FLOAT64_POINTER))


class TouchedGround(NamedTuple):
    """Touched surface: kind, parameters (the radius of the touching points is zero), and its lookup table."""

    shape: type[ContactShape]
    numbers: Sequence[float]
    family: type[Family]
    field: Any = None


class FrictionalSolid(EquilibriumModel):
    """Solid with friction, given by its compliance C, (nodes, nodes, d, d), m/N. places: X, (nodes, d), m. areas: of the
    surface around each node, m^2."""

    def __init__(self, compliance: Array, places: Array, areas: Array, ground: TouchedGround, friction: float):
        n, d = places.shape
        n_x = d + d * d
        module = kernel_module(ground.shape, (ground.family,))
        looked = 0 if ground.field is None else lookup_address(ground.field.look_up)
        address = compiled_kernel(module, "surface").address
        self.dimension, self.areas, self.friction = d, areas, friction
        self.record = FrictionalSolidState(
            soft=new_frictional_nodes(compliance, np.ascontiguousarray(places, dtype=float)), d=d,
            size=np.array([float(np.linalg.norm(np.ptp(places, axis=0)))]), friction=np.array([friction]),
            surface=np.array([address, looked, ground.shape.name == "plane", len(ground.numbers)]),
            shape=np.pad(np.array(ground.numbers, dtype=float), (0, max(module.N_PAR - len(ground.numbers), 0))),
            field=np.zeros(1) if ground.field is None else np.ascontiguousarray(ground.field.numbers),
            position=d, surface_values=2 + 2 * d, sticking_points=np.zeros((n, d)), start_gaps=np.zeros(n),
            answer=2 * n_x + 1 + n_x**2, valid_request=np.array([-1]),
            previous_displacements=np.zeros((n, d)), saved=np.zeros((n, 2 * d)), tally=len(TALLY_NAMES), friction_loss=1,
            trial_answer=1 + n_x,
        )  # fmt: skip

    def call(self) -> Any:
        return compiled_frictional_solver()

    @property
    def width(self) -> int:
        return self.dimension + self.dimension**2

    @property
    def forces(self) -> Array:
        """Forces of the nodes that can touch, in the frame of the body, at the last evaluated pose, (nodes, d), N."""
        return self.record.soft.f

    @property
    def moved(self) -> Array:
        """Displacements of these nodes, (nodes, d), m."""
        return self.record.soft.u
