"""Quasi-static solid with friction: from the pose of the body that carries it to the forces of the nodes that can touch, with
sticking, creeping, sliding and history (frictional_nodes.py).

Strains are small in the frame of the body b, which may turn by any angle. The touched object is any surface in a frame a: a
plane, a sphere, a height field, a mesh. The pose is c, the origin of b in the frame of a, and m, its axes as columns: x = (c,
m).

    position of node i = c + m (X_i + u_i)        u = C f        F_i = m f_i

    Q_c = sum F_i        Q_m = sum F_i (X_i + u_i)^T

A curved surface is replaced by its tangent planes at the nodes, repeatedly until they converge. The history consists of the
sticking points of the nodes on the surface at the end of the last step, in the frame of a, so that a belt moves them along.
The solid has an elastic energy; the loss is the work of sliding nodes. The tangent on a plane is exact (friction_faces.py)
for the current sets of sticking and sliding nodes; on curved surfaces it is computed by differences.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.contact.surface_lookup import lookup_address
from gaitwright.derive.kernel_library import kernel_module
from gaitwright.fem.friction_faces import (
    DIFFERENCE_STEP,
    IS_PLANE,
    compute_plane_stiffness,
    evaluate_surface,
    update_tangent_planes,
)
from gaitwright.fem.friction_newton import NODE_SET_SIZE
from gaitwright.fem.frictional_nodes import FrictionalNodes, new_frictional_nodes, solve_friction
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
from gaitwright.jit.address_calls import record_from_address
from gaitwright.jit.numba_names import types
from gaitwright.jit.pointer_records import Integer, Longs, PointerRecord, Reals, Reals2
from gaitwright.mechanism.batches import compiled_kernel
from gaitwright.mechanism.tables import Array
from gaitwright.physics.declarations import ContactShape, Family

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
    at: Reals  # scratch: a position
    seen: Reals  # scratch: output of the surface kernel
    stood: Reals2  # (nodes, d) sticking points at the start of the step, in the frame of a
    above: Reals  # gaps at the start of the step
    known: Reals  # pose, then V, V_x and V_xx there
    answered: Longs
    before: Reals2  # scratch: displacements
    held: Reals2  # scratch: forces
    tally: Longs
    lost: Reals  # J, since the start
    room: Reals


state_from_address = record_from_address(FrictionalSolidState.packed_type)


@jit_compile
def solve_at_pose(p, x):
    """Solve for the forces at a pose; return False if the iteration fails."""
    s, nodes, d = p.soft, p.soft.X.shape[0], p.d
    for _ in range(MAX_TANGENT_PLANE_ROUNDS):
        for i in range(nodes):
            for a in range(d):
                p.before[i, a] = s.u[i, a]
        update_tangent_planes(p, x)
        if solve_friction(s, p.friction[0]) < 0:
            return False
        change = 0.0
        for i in range(nodes):
            for a in range(d):
                change = max(change, abs(s.u[i, a] - p.before[i, a]))
        if p.surface[IS_PLANE] != 0 or change <= DISPLACEMENT_RTOL * p.size[0]:
            return True
    return False


@jit_compile
def compute_answer(p, x, out):
    """Compute V and V_x at the current forces."""
    s, d = p.soft, p.d
    for k in range(1 + d + d * d):
        out[k] = 0.0
    for c in range(s.count[NODE_SET_SIZE]):
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
    for c in range(s.count[NODE_SET_SIZE]):
        i = s.active[c]
        gap, push = 0.0, 0.0
        for a in range(d):
            gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
            push += s.n[i, a] * s.f[i, a]
        for a in range(d):
            along = s.e0[i, a] + s.u[i, a] - gap * s.n[i, a]
            total -= (s.f[i, a] - push * s.n[i, a]) * along
    return total


@jit_compile
def save_or_restore(p, back):
    """Save forces and displacements, or restore them."""
    s = p.soft
    for i in range(s.f.shape[0]):
        for a in range(p.d):
            if back:
                s.f[i, a], s.u[i, a] = p.held[i, a], p.held[i, p.d + a]
            else:
                p.held[i, a], p.held[i, p.d + a] = s.f[i, a], s.u[i, a]


@jit_compile
def compute_difference_stiffness(p, x, out):
    """Compute V_xx by differences, around the current forces; return False if these cannot be restored."""
    d, n_x, base, more = p.d, p.d + p.d * p.d, p.known[p.d + p.d * p.d :], p.room
    save_or_restore(p, False)
    for j in range(n_x):
        step = DIFFERENCE_STEP * (p.size[0] if j < d else 1.0)
        kept = x[j]
        x[j] = kept + step
        good = solve_at_pose(p, x)
        compute_answer(p, x, more)
        x[j] = kept
        for r in range(n_x):
            out[n_x * r + j] = (more[1 + r] - base[1 + r]) / step if good else math.nan
        save_or_restore(p, True)
    return solve_at_pose(p, x)


@jit_compile
def compute_power_loss(p, x, out):
    """Return the power loss, W, from the sliding in a short time. x: pose, then its rate."""
    s, d = p.soft, p.d
    n_x, fast = d + d * d, 0.0
    for k in range(n_x):
        fast = max(fast, abs(x[n_x + k]) / (p.size[0] if k < d else 1.0))
    if fast == 0.0 or s.count[NODE_SET_SIZE] == 0:
        return 0.0
    short, total = DIFFERENCE_STEP / fast, 0.0
    save_or_restore(p, False)
    pushes = p.before  # along the surface
    for i in range(s.f.shape[0]):
        push, gap = 0.0, 0.0
        for a in range(d):
            push += s.n[i, a] * s.f[i, a]
            gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
        for a in range(d):
            along = s.f[i, a] - push * s.n[i, a]
            total += along * (s.e0[i, a] + s.u[i, a] - gap * s.n[i, a])
            pushes[i, a] = along
    for k in range(n_x):
        out[k] = x[k] + short * x[n_x + k]
    update_tangent_planes(p, out)
    good = solve_friction(s, p.friction[0]) >= 0
    for i in range(s.f.shape[0]):
        gap = 0.0
        for a in range(d):
            gap += s.n[i, a] * (s.e0[i, a] + s.u[i, a])
        for a in range(d):
            total -= pushes[i, a] * (s.e0[i, a] + s.u[i, a] - gap * s.n[i, a])
    save_or_restore(p, True)
    return total / short if good else math.nan


@jit_compile
def store_node_places(p, x, moved):
    """Store the positions of the nodes at the start of a step."""
    s, d = p.soft, p.d
    for i in range(s.X.shape[0]):
        evaluate_surface(p, x, i, moved)
        size = 0.0
        for a in range(d):
            size += abs(s.f[i, a])
        gap = p.seen[0]
        for k in range(d):
            p.stood[i, k] = p.at[k] - gap * p.seen[2 + k]
        p.above[i] = 0.0 if size > 0.0 else max(gap, 0.0)


@jit_compile
def find_nearest_node(p, x, out):
    """Compute the smallest gap of the undeformed solid, its derivatives in the pose, and the size of the solid."""
    d, best = p.d, math.inf
    for i in range(p.soft.X.shape[0]):
        evaluate_surface(p, x, i, False)
        if p.seen[0] < best:
            best = out[0] = p.seen[0]
            for k in range(d):
                out[1 + k] = p.seen[2 + d + k]
                for l in range(d):
                    out[1 + d + d * k + l] = p.seen[2 + d + k] * p.soft.X[i, l]
    out[1 + d + d * d] = p.size[0]
    return best


def solve_frictional_solid(what, data, x, out):
    p = state_from_address(data)
    d, known, s = p.d, p.known, p.soft
    n_x = d + d * d
    if what == REQUEST_GAP:
        find_nearest_node(p, x, out)
        return
    if what == REQUEST_RESTART:
        for i in range(s.f.shape[0]):
            for a in range(d):
                s.f[i, a] = s.u[i, a] = 0.0
        store_node_places(p, x, False)
        p.answered[0], p.lost[0] = -1, 0.0
        return
    p.tally[TALLY_EVALUATIONS] += 1
    same = p.answered[0] >= REQUEST_FORCE
    for k in range(n_x):
        same = same and known[k] == x[k]
        known[k] = x[k]
    if not same:
        p.tally[TALLY_SOLVED] += 1
        good = solve_at_pose(p, x)
        p.answered[0] = REQUEST_FORCE if good else -1
        if good:
            compute_answer(p, x, known[n_x:])
        else:
            p.tally[TALLY_FAILURES] += 1
            known[n_x:] = math.nan
            s.f[:] = 0.0
            s.u[:] = 0.0
    if what == REQUEST_COMMIT:
        if p.answered[0] >= REQUEST_FORCE:
            p.lost[0] += compute_sliding_work(p)
            store_node_places(p, x, True)
        return
    if what == REQUEST_STIFFNESS and p.answered[0] == REQUEST_FORCE:
        matrix = known[2 * n_x + 1 :]
        good = p.surface[IS_PLANE] != 0 and compute_plane_stiffness(p, x, matrix)
        p.answered[0] = REQUEST_STIFFNESS if good or compute_difference_stiffness(p, x, matrix) else -1
    if what == REQUEST_LOSS:
        out[1] = compute_power_loss(p, x, out)
        for k in range(d):
            out[2 + k] = known[n_x + 1 + k]
        out[0] = known[n_x]
        update_tangent_planes(p, x)
        return
    for k in range(1 + n_x + (n_x * n_x if what == REQUEST_STIFFNESS else 0)):
        out[k] = known[n_x + k]


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
            field=np.zeros(1) if ground.field is None else np.ascontiguousarray(ground.field.numbers), at=d, seen=2 + 2 * d,
            stood=np.zeros((n, d)), above=np.zeros(n), known=2 * n_x + 1 + n_x**2, answered=np.array([-1]),
            before=np.zeros((n, d)), held=np.zeros((n, 2 * d)), tally=len(TALLY_NAMES), lost=1,
            room=1 + n_x,
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
