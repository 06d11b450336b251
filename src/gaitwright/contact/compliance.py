"""A soft body on a rigid core that is pressed against something: contact forces from compliances alone.

The solid is linear and has no inertia; nodes of its core move as one rigid frame, r + R X; nodes that may touch are all that is
left of the rest (system/solids/condensation.py). C = K*^-1 says how these move under forces on them, in the frame of the
core, which turns with it: so the core may turn by any angle. Contact has no friction. What a pose costs is the solution of a
complementarity problem for the nodes that touch (active_set.py), much less than a millisecond for some hundreds of them.

    foot = CompliantSolid.of_mesh(mesh, gw.LinearElastic(youngs_modulus=1e6, poissons_ratio=0.3), core="top", touching="sole")
    found = foot.press(position, rotation, (0, 0, 1), level=0.0)        # solid ground below z = level
    found.force, found.moment, found.centre_of_pressure, found.tangent

position: where the origin of the mesh is, m; rotation: the matrix R (in the plane also an angle, rad). Forces and moments
(about the position) act on the core, in the ground frame. They have a potential, the least elastic energy that the gaps allow:
so moments are those of deformed places. Calls are warm-started by the one before: give poses in the order of time.
`foot.touch(position, rotation, gap)` does the same with any surface, by its distance.

Force and moment in dependence on the pose, z = (position, turn), with v_i = sum_j f_j (C_ij + C_ij^T) / 2 and n' = R^T n:

    A df_a = -G dz        G_i = (n, lever_i x n)        lever_i = R (X_i + 2 v_i n')
    d(F, M) = G^T df + (0, (dtheta x P) x n + n x (R V R^T (dtheta x n)))
    V = sum f_i v_i        P = R (sum f_i X_i + V n')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.compiled import compiled
from gaitwright.contact.active_set import COUNT, READY, entry, soft, solve_active, swayed, touching
from gaitwright.errors import DidNotConverge
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Named, Where
from gaitwright.physics.materials.base import Material
from gaitwright.system.parts.solid import Filling
from gaitwright.system.solids.condensation import Condensation
from gaitwright.system.solids.geometry import HELD, geometry
from gaitwright.system.solids.kernels import needs_mean
from gaitwright.system.solids.shapes import SOLIDS
from gaitwright.system.solids.sides import traction_shares

Array = np.ndarray
Vector = Sequence[float] | Array
Gap = Callable[[Array], tuple[Array, Array]]
"""Distances (n,), m, negative inside of the obstacle, and outward normals (n, d), of places (n, d), ground frame."""
TURNS = {2: np.array([5]), 3: np.array([3, 4, 5])}
ROUNDS, STEADY = 50, 1e-12
"""Of a surface that is not flat: how often its tangent planes are taken, and the change of displacements, by the size of the
solid, that counts as none."""
NUDGE, ORTHOGONAL = 1e-6, 1e-6
"""Of the size of the solid, and rad: differences by which the tangent on a surface that is not flat is found. Difference of
R R^T from the identity up to which a matrix that was written with few digits counts as a rotation."""


class Pressed(NamedTuple):
    """What a soft body answers to a pose. All of it in the ground frame."""

    force: Array
    """On the core, (d,), N."""
    moment: Array
    """On the core about its position: (3,), in the plane (1,), N m."""
    centre_of_pressure: Array
    """(d,), m; not a number if nothing touches."""
    normal_forces: Array
    """Of the nodes that may touch, (nodes,), N."""
    normals: Array
    """Of the surface at these nodes, in the frame of the core, (nodes, d)."""
    energy: float
    """J."""
    tangent: Array
    """d (force, moment) / d (position, turn), (6, 6), in the plane (3, 3); the turn is added in the ground frame."""
    rounds: int
    """Sets of touching nodes that were tried."""

    @property
    def touching(self) -> Array:
        """Which nodes, true or false."""
        return self.normal_forces > 0.0


class CompliantSolid:
    """compliance: C, (nodes, nodes, d, d), m/N, positive definite. places: X, (nodes, d), m, in the frame of the core. areas:
    of the surface around each node, m^2 (NaN where it is not known): for pressures."""

    dimension: int
    places: Array
    compliance: Array
    areas: Array
    nodes: Array

    def __init__(self, compliance: Array, places: Array, areas: Array | None = None):
        count, self.dimension = places.shape
        self.places = np.ascontiguousarray(places, dtype=float)
        self.compliance = np.ascontiguousarray(compliance, dtype=float)
        self.areas = np.full(count, np.nan) if areas is None else areas
        self.condensation: Condensation | None = None
        self.nodes = np.arange(count)
        self._size = float(np.linalg.norm(np.ptp(self.places, axis=0)))
        self._soft, self._out = soft(self.compliance, self.places), np.zeros(46)

    @classmethod
    def of_mesh(
        cls, mesh: Mesh, material: Material, core: Where | str, touching: Where | str, thickness: float = 1.0
    ) -> CompliantSolid:
        """core, touching: nodes that move with the frame, and those that may touch something."""
        shape = SOLIDS[mesh.kind.name]
        parts = geometry(shape, mesh.nodes, mesh.cells, thickness)
        mean = needs_mean(type(material), material.numbers(), shape)
        filling = Filling(
            np.arange(len(mesh.cells)), parts, type(material), material.numbers(), 0.0, None, mean
        )  # fmt: skip
        inner, outer = _nodes(core, mesh, At("core")), _nodes(touching, mesh, At("touching"))
        held = np.repeat(inner[:, None], mesh.dimension, axis=1)
        condensation = Condensation(mesh.nodes, [filling], held, np.flatnonzero(outer & ~inner), at=At("touching"))
        return cls.of_condensation(condensation, mesh, thickness)

    @classmethod
    def of_condensation(cls, condensation: Condensation, mesh: Mesh, thickness: float = 1.0) -> CompliantSolid:
        """A solid whose core is held: its kept nodes may touch."""
        from scipy.linalg import cho_factor, cho_solve

        nodes = condensation.nodes[(condensation.number != HELD).all(axis=1)]
        order = condensation.number[np.isin(condensation.nodes, nodes)].ravel()
        try:
            factors = cho_factor(condensation.stiffness)
        except np.linalg.LinAlgError:
            At("core").fail("does not hold the solid", expected="at least three nodes that do not lie on a line")
        C = cho_solve(factors, np.eye(condensation.size))[np.ix_(order, order)]
        n, d = len(nodes), mesh.dimension
        blocks = (0.5 * (C + C.T)).reshape(n, d, n, d).transpose(0, 2, 1, 3)
        chosen = np.zeros(len(mesh.nodes), dtype=bool)
        chosen[condensation.nodes] = True
        sides = mesh.boundary[chosen[mesh.boundary].all(axis=1)]
        areas = traction_shares(mesh.nodes, sides, thickness)[nodes] if len(sides) else None
        found = cls(blocks, mesh.nodes[nodes], areas)
        found.condensation, found.nodes = condensation, nodes
        return found

    # in a pose -------------------------------------------------------------------------------------------------------

    def press(self, position: Vector, rotation: Any, normal: Vector, level: float = 0.0) -> Pressed:
        """Against a plane n . x = level (in the plane: a line); n points out of what is solid."""
        r, R, n = np.asarray(position, dtype=float), self._matrix(rotation), np.asarray(normal, dtype=float)
        n = n / np.linalg.norm(n)
        rounds = pressed(self._soft, r, R, n, float(level), self._out)
        out, use = self._out, np.r_[np.arange(self.dimension), TURNS[self.dimension]]
        self._checked(rounds)
        wrench, middle = out[:6][use], out[6 : 6 + self.dimension].copy()
        tangent = out[10:].reshape(6, 6)[np.ix_(use, use)]
        return self._answer(wrench, middle, float(out[9]), tangent, rounds)

    def touch(self, position: Vector, rotation: Any, gap: Gap, tangent: bool = True) -> Pressed:
        """Against anything that has a distance. Its tangent is found by differences: without it, a call is as quick as a few of
        `press`."""
        r, R = np.asarray(position, dtype=float), self._matrix(rotation)
        wrench, middle, energy, rounds = self._touched(r, R, gap)
        size = wrench.size
        matrix = np.full((size, size), np.nan)
        if tangent:
            kept = self._soft.force.copy(), self._soft.n.copy()
            for k in range(size):
                ends = []
                for sign in (1.0, -1.0):
                    r_, R_ = self._nudged(r, R, k, sign * NUDGE)
                    ends.append(self._touched(r_, R_, gap)[0])
                step = NUDGE * (self._size if k < self.dimension else 1.0)
                matrix[:, k] = (ends[0] - ends[1]) / (2.0 * step)
            self._soft.force[:], self._soft.n[:] = kept
        return self._answer(wrench, middle, energy, matrix, rounds)

    def displaced(self, found: Pressed) -> Array:
        """Displacements of all nodes that may touch, in the frame of the core, (nodes, d), m."""
        loaded = np.flatnonzero(found.normal_forces)
        push = found.normal_forces[loaded, None] * found.normals[loaded]
        return np.einsum("ijab,jb->ia", self.compliance[:, loaded], push)

    def everywhere(self, found: Pressed) -> Array:
        """Displacements of all nodes of the mesh, in the frame of the core, (nodes of the mesh, d), m."""
        if self.condensation is None:
            raise ValueError("this solid was made of compliances alone: nothing is known of its inside")
        held = self.condensation
        u = np.zeros(held.size)
        u[held.number[np.isin(held.nodes, self.nodes)]] = self.displaced(found)
        return held.displacements(u)

    def pressures(self, found: Pressed) -> Array:
        """Of the nodes, Pa: forces by undeformed area."""
        return found.normal_forces / self.areas

    # inside ----------------------------------------------------------------------------------------------------------

    def _answer(self, wrench: Array, middle: Array, energy: float, tangent: Array, rounds: int) -> Pressed:
        d = self.dimension
        return Pressed(
            wrench[:d], wrench[d:], middle, self._soft.force.copy(), self._soft.n.copy(), energy, tangent, int(rounds)
        )  # fmt: skip

    def _matrix(self, rotation: Any) -> Array:
        R = np.array(rotation, dtype=float, order="C")
        if self.dimension == 2 and R.ndim == 0:
            c, s = np.cos(R), np.sin(R)
            R = np.array([[c, -s], [s, c]])
        d = self.dimension
        if R.shape != (d, d) or not np.allclose(R @ R.T, np.eye(d), atol=ORTHOGONAL):
            At("rotation").fail("is no rotation", np.shape(R), f"an orthogonal {d} x {d} matrix")
        return R

    def _checked(self, rounds: int) -> int:
        if rounds < 0:
            raise DidNotConverge(
                "no set of nodes in contact was found",
                suggestion="look at the compliance: it has to be symmetric and positive definite",
            )
        return rounds

    def _nudged(self, r: Array, R: Array, k: int, by: float) -> tuple[Array, Array]:
        d = self.dimension
        if k < d:
            return r + by * self._size * np.eye(d)[k], R
        if d == 2:
            return r, self._matrix(by) @ R
        from scipy.spatial.transform import Rotation

        return r, Rotation.from_rotvec(by * np.eye(3)[k - d]).as_matrix() @ R

    def _touched(self, r: Array, R: Array, gap: Gap) -> tuple[Array, Array, float, int]:
        """Tangent planes of the obstacle where the nodes are, until these stay."""
        s, d, rounds = self._soft, self.dimension, 0
        own = np.einsum("iiab->iab", self.compliance)
        u = self._displaced()
        for _ in range(ROUNDS):
            g, n = gap(r + (self.places + u) @ R.T)
            s.n[:] = n @ R
            s.g0[:] = g - np.einsum("id,id->i", s.n, u)
            s.own[:] = np.einsum("ia,iab,ib->i", s.n, own, s.n)
            s.sizes[READY] = 0
            rounds += self._checked(touching(s, False))
            before, u = u, self._displaced()
            if np.abs(u - before).max() <= STEADY * self._size:
                break
        else:
            raise DidNotConverge("contact with a curved surface was not found", suggestion="press less at once")
        s.sizes[READY] = 0  # the factors are those of these normals
        f = s.force
        push, arms = (f[:, None] * s.n) @ R.T, (self.places + u) @ R.T
        arms_, push_ = (np.pad(x, ((0, 0), (0, 3 - d))) for x in (arms, push))
        wrench = np.r_[push.sum(axis=0), np.cross(arms_, push_).sum(axis=0)[TURNS[d] - 3]]
        middle = r + f @ arms / f.sum() if f.any() else np.full(d, np.nan)
        return wrench, middle, 0.5 * float(np.sum(f[:, None] * s.n * u)), rounds

    def _displaced(self) -> Array:
        """Displacements by the forces that were found last."""
        s = self._soft
        loaded = np.flatnonzero(s.force)
        return np.einsum("ijab,jb->ia", self.compliance[:, loaded], (s.force[:, None] * s.n)[loaded])


def _nodes(where: Where | str, mesh: Mesh, at: At) -> Array:
    chosen = (Named(where) if isinstance(where, str) else where).nodes(mesh)
    if not chosen.any():
        at.fail("holds no node of the mesh", where, "a place with some nodes")
    return chosen


@compiled
def pressed(s, r, R, n, level, out):
    """Against a plane: see CompliantSolid.press. s: Soft. out: force and moment (6), centre of pressure (3), energy, tangent
    (36)."""
    X, own, rows, x = s.X, s.n, s.rows, s.x
    nodes, d = X.shape
    turned, base = s.sizes[READY] == 0, -level
    for a in range(d):
        along = 0.0
        for b in range(d):
            along += R[b, a] * n[b]
        turned = turned or along != own[0, a] or along != own[nodes - 1, a]
        own[0, a] = along
        base += n[a] * r[a]
    for i in range(nodes):
        s.g0[i] = base
        for a in range(d):
            own[i, a] = own[0, a]
            s.g0[i] += own[0, a] * X[i, a]
    if turned:
        s.sizes[READY] = 0
        for a in range(d):
            s.square[a] = own[0, a] * own[0, a]
        for a in range(s.square.size - d):
            s.square[d + a] = own[0, a] * own[0, (a + 1) % d]
        for i in range(nodes):
            s.own[i] = entry(s, True, i, i)
    out[:] = 0.0
    rounds = touching(s, True)
    count = s.sizes[COUNT]
    if rounds < 0 or count == 0:
        out[6:9] = np.nan
        return rounds
    normal, first, second, arm, middle = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    V, v, lever = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3)
    normal[:d] = n
    across(normal, first, second)
    total = 0.0
    for c in range(count):
        i = s.active[c]
        swayed(s, i, s.sway[i])
        matrix(s.sway[i], v, d)
        total += x[c]
        out[9] -= 0.5 * x[c] * s.g0[i]
        lever[:] = 0.0
        for a in range(d):
            place = X[i, a]
            middle[a] += x[c] * place
            for b in range(d):
                V[a, b] += x[c] * v[a, b]
                place += 2.0 * v[a, b] * own[0, b]
            for b in range(d):
                lever[b] += R[b, a] * place
        rows[0, c], rows[1, c], rows[2, c] = 1.0, 0.0, 0.0
        for a in range(3):
            rows[1, c] += lever[a] * first[a]
            rows[2, c] += lever[a] * second[a]
    for a in range(d):
        for b in range(d):
            middle[a] += V[a, b] * own[0, b]
    for a in range(d):
        for b in range(d):
            arm[a] += R[a, b] * middle[b]
        out[6 + a] = arm[a] / total + r[a]
    for a in range(3):
        out[a] = total * normal[a]
    cross(arm, normal, out[3:6])
    _tangent(s, R, normal, first, second, arm, V, out[10:].reshape((6, 6)))
    return rounds


@compiled
def _tangent(s, R, normal, first, second, arm, V, tangent):
    """lever x n = (lever . first) (first x n) + (lever . second) (second x n): three solutions are all."""
    d, count, x, rows = s.X.shape[1], s.sizes[COUNT], s.x, s.rows
    basis, inner = np.zeros((3, 6)), np.zeros((3, 3))
    basis[0, :3] = normal
    cross(first, normal, basis[1, 3:])
    cross(second, normal, basis[2, 3:])
    for k in range(3):
        for c in range(count):
            x[c] = -rows[k, c]
        solve_active(s, x)
        for j in range(3):
            for c in range(count):
                inner[j, k] += rows[j, c] * x[c]
    for c in range(count):
        x[c] = s.force[s.active[c]]
    for a in range(6):
        for b in range(6):
            for j in range(3):
                for k in range(3):
                    tangent[a, b] += basis[j, a] * inner[j, k] * basis[k, b]
    unit, one, two, three = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    for k in range(3):
        unit[:] = 0.0
        unit[k] = 1.0
        cross(unit, arm, one)
        cross(one, normal, two)
        cross(unit, normal, one)
        three[:] = 0.0
        for a in range(d):
            for b in range(d):
                for e in range(d):
                    for j in range(d):
                        three[a] += R[a, b] * V[b, e] * R[j, e] * one[j]
        cross(normal, three, one)
        for a in range(3):
            tangent[3 + a, 3 + k] += two[a] + one[a]


@compiled
def matrix(packed, out, d):
    """The symmetric matrix of entries xx, yy, zz, xy + yx, ... (in the plane xx, yy, xy + yx)."""
    for a in range(d):
        out[a, a] = packed[a]
    for a in range(packed.size - d):
        out[a, (a + 1) % d] = out[(a + 1) % d, a] = 0.5 * packed[d + a]


@compiled
def across(n, first, second):
    """Two unit vectors across n and each other."""
    least = 0
    for a in range(3):
        if abs(n[a]) < abs(n[least]):
            least = a
    second[:] = 0.0
    second[least] = 1.0
    cross(n, second, first)
    first /= np.sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2])
    cross(n, first, second)


@compiled
def cross(a, b, out):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
