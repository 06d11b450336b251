"""A soft body on a rigid core that is pressed against an obstacle: contact forces from compliances alone.

The solid is linear and has no inertia; nodes of its core move as one rigid frame, r + R X; the rest is condensed to the nodes
that may touch (fem/condensation.py). C = K*^-1 gives their displacements under forces on them, in the frame of the core: so
the core may turn by any angle. Contact has no friction. A pose requires the solution of a complementarity problem for the
touching nodes (contact/active_set.py), much less than a millisecond for some hundreds of them.

    foot = CompliantSolid.of_mesh(mesh, gw.materials.LinearElastic(youngs_modulus=1e6, poissons_ratio=0.3), core="top",
    touching="sole")
    state = foot.press(position, rotation, (0, 0, 1), level=0.0)        # solid ground below z = level
    state.force, state.moment, state.centre_of_pressure, state.tangent

position: of the origin of the mesh, m; rotation: the matrix R (in the plane also an angle, rad). Forces and moments (about
the position) act on the core, in the ground frame. They have a potential, the minimum elastic energy allowed by the gaps: so
moments refer to deformed positions. Each call is warm-started by the previous one: pass poses in the order of time.
`foot.touch(position, rotation, gap)` does the same with any surface, given by its distance function.

Force and moment as functions of the pose, z = (position, rotation), with v_i = sum_j f_j (C_ij + C_ij^T) / 2 and n' = R^T n:

    A df_a = -G dz        G_i = (n, lever_i x n)        lever_i = R (X_i + 2 v_i n')
    d(F, M) = G^T df + (0, (dtheta x P) x n + n x (R V R^T (dtheta x n)))
    V = sum f_i v_i        P = R (sum f_i X_i + V n')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import DidNotConverge
from gaitwright.contact.active_set import (
    ACTIVE_COUNT,
    VALID_FACTOR_ROWS,
    find_active_set,
    new_compliance_state,
    normal_compliance,
    solve_active,
    sum_compliances,
)
from gaitwright.fem.condensation import Condensation
from gaitwright.fem.element_geometry import HELD_COORDINATE, build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES
from gaitwright.fem.kernel_modules import needs_mean_dilatation
from gaitwright.fem.side_loads import traction_shares
from gaitwright.fem.solid_part import MaterialRegion
from gaitwright.jit import jit_compile
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import NamedRegionSelector, RegionSelector
from gaitwright.physics.materials.base import Material

Array = np.ndarray
Vector = Sequence[float] | Array
GapFunction = Callable[[Array], tuple[Array, Array]]
"""Callback: positions (n, d), m, ground frame, to distances (n,), m, negative inside the obstacle, and outward normals (n,
d)."""
ROTATION_COMPONENTS = {2: np.array([5]), 3: np.array([3, 4, 5])}
MAX_TANGENT_PLANE_ROUNDS, DISPLACEMENT_RTOL = 50, 1e-12
"""For curved surfaces: maximum number of updates of the tangent planes, and convergence tolerance of the displacements,
relative to the size of the solid."""
PRESS_WRENCH, PRESS_CENTRE, PRESS_ENERGY, PRESS_TANGENT, PRESS_SIZE = 0, 6, 9, 10, 46
"""Layout of the output of `press_on_plane`: force and moment (6), centre of pressure (3), energy, tangent (6 x 6); its size."""
DIFFERENCE_STEP, ORTHOGONALITY_ATOL = 1e-6, 1e-6
"""DIFFERENCE_STEP: relative to the size of the solid, and in rad, for the difference quotients of the tangent on a curved
surface. ORTHOGONALITY_ATOL: tolerance of R R^T - I for a rotation matrix given with few digits."""


class PressedSolidState(NamedTuple):
    """Response of a soft body to a pose, in the ground frame unless noted."""

    force: Array
    """Force on the core, (d,), N."""
    moment: Array
    """Moment on the core about its position: (3,), in the plane (1,), N m."""
    centre_of_pressure: Array
    """Centre of pressure, (d,), m; NaN without contact."""
    normal_forces: Array
    """Normal forces of the nodes that may touch, (nodes,), N."""
    normals: Array
    """Normals of the surface at these nodes, in the frame of the core, (nodes, d)."""
    energy: float
    """Elastic energy, J."""
    tangent: Array
    """d (force, moment) / d (position, rotation), (6, 6), in the plane (3, 3); the rotation is added in the ground frame."""
    rounds: int
    """Number of sets of touching nodes that were tried."""

    @property
    def touching(self) -> Array:
        """Mask of the touching nodes."""
        return self.normal_forces > 0.0


class CompliantSolid:
    """Soft body given by its compliance. compliance: C, (nodes, nodes, d, d), m/N, positive definite. places: X, (nodes, d),
    m, in the frame of the core. areas: of the surface around each node, m^2 (NaN if unknown), for pressures."""

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
        self._soft, self._out = new_compliance_state(self.compliance, self.places), np.zeros(PRESS_SIZE)

    @classmethod
    def of_mesh(
        cls,
        mesh: Mesh,
        material: Material,
        core: RegionSelector | str,
        touching: RegionSelector | str,
        thickness: float = 1.0,
    ) -> CompliantSolid:
        """Condense a mesh. core, touching: nodes that move with the frame, and nodes that may touch the obstacle. thickness:
        of a planar solid, m. Raises ModelError if the core does not hold the solid."""
        shape = ELEMENT_TYPES[mesh.kind.name]
        geometry = build_element_geometry(shape, mesh.nodes, mesh.cells, thickness)
        uses_mean_dilatation = needs_mean_dilatation(type(material), material.numbers(), shape)
        filling = MaterialRegion(
            np.arange(len(mesh.cells)), geometry, type(material), material.numbers(), 0.0, None, uses_mean_dilatation
        )  # fmt: skip
        core_nodes = _select_nodes(core, mesh, ErrorContext("core"))
        touching_nodes = _select_nodes(touching, mesh, ErrorContext("touching"))
        condensation = np.repeat(core_nodes[:, None], mesh.dimension, axis=1)
        condensation = Condensation(
            mesh.nodes,
            [filling],
            condensation,
            np.flatnonzero(touching_nodes & ~core_nodes),
            at=ErrorContext("touching"),
        )
        return cls.of_condensation(condensation, mesh, thickness)

    @classmethod
    def of_condensation(cls, condensation: Condensation, mesh: Mesh, thickness: float = 1.0) -> CompliantSolid:
        """Create a solid from a condensation with a held core: its kept nodes may touch."""
        from scipy.linalg import cho_factor, cho_solve

        nodes = condensation.nodes[(condensation.number != HELD_COORDINATE).all(axis=1)]
        order = condensation.number[np.isin(condensation.nodes, nodes)].ravel()
        try:
            factors = cho_factor(condensation.stiffness)
        except np.linalg.LinAlgError:
            ErrorContext("core").fail(
                "does not hold the solid", expected="at least three nodes that do not lie on a line"
            )
        C = cho_solve(factors, np.eye(condensation.size))[np.ix_(order, order)]
        n, d = len(nodes), mesh.dimension
        blocks = (0.5 * (C + C.T)).reshape(n, d, n, d).transpose(0, 2, 1, 3)
        is_kept = np.zeros(len(mesh.nodes), dtype=bool)
        is_kept[condensation.nodes] = True
        sides = mesh.boundary[is_kept[mesh.boundary].all(axis=1)]
        areas = traction_shares(mesh.nodes, sides, thickness)[nodes] if len(sides) else None
        solid = cls(blocks, mesh.nodes[nodes], areas)
        solid.condensation, solid.nodes = condensation, nodes
        return solid

    # in a pose -------------------------------------------------------------------------------------------------------

    def press(self, position: Vector, rotation: Any, normal: Vector, level: float = 0.0) -> PressedSolidState:
        """Press against a plane n . x = level (in the plane: a line); n points out of the obstacle.

        position: of the origin of the mesh, (d,), m. rotation: matrix (d, d), in the plane also an angle, rad. normal: (d,), of
        any length. level: m. Returns force and moment on the core, see PressedSolidState. Raises ModelError if `rotation` is
        not a rotation, and DidNotConverge."""
        r, R, n = np.asarray(position, dtype=float), self._rotation_matrix(rotation), np.asarray(normal, dtype=float)
        n = n / np.linalg.norm(n)
        rounds = press_on_plane(self._soft, r, R, n, float(level), self._out)
        out, use = self._out, np.r_[np.arange(self.dimension), ROTATION_COMPONENTS[self.dimension]]
        self._require_convergence(rounds)
        wrench, middle = out[use], out[PRESS_CENTRE : PRESS_CENTRE + self.dimension].copy()
        tangent = out[PRESS_TANGENT:].reshape(6, 6)[np.ix_(use, use)]
        return self._pressed_state(wrench, middle, float(out[PRESS_ENERGY]), tangent, rounds)

    def touch(self, position: Vector, rotation: Any, gap: GapFunction, tangent: bool = True) -> PressedSolidState:
        """Press against any surface with a distance function. The tangent is computed by differences; with tangent=False, it is
        NaN, and a call costs only a few times one of `press`.

        position, rotation, result and exceptions as in `press`. gap: positions (n, d), m, to gaps (n,), m, negative inside the
        obstacle, and outward unit normals (n, d), ground frame."""
        r, R = np.asarray(position, dtype=float), self._rotation_matrix(rotation)
        wrench, middle, energy, rounds = self._iterate_tangent_planes(r, R, gap)
        size = wrench.size
        matrix = np.full((size, size), np.nan)
        if tangent:
            warm_start = self._soft.force.copy(), self._soft.n.copy()
            for k in range(size):
                ends = []
                for sign in (1.0, -1.0):
                    r_, R_ = self._shifted_pose(r, R, k, sign * DIFFERENCE_STEP)
                    ends.append(self._iterate_tangent_planes(r_, R_, gap)[0])
                step = DIFFERENCE_STEP * (self._size if k < self.dimension else 1.0)
                matrix[:, k] = (ends[0] - ends[1]) / (2.0 * step)
            self._soft.force[:], self._soft.n[:] = warm_start
        return self._pressed_state(wrench, middle, energy, matrix, rounds)

    def displaced(self, state: PressedSolidState) -> Array:
        """Displacements of all nodes that may touch, in the frame of the core, (nodes, d), m."""
        loaded = np.flatnonzero(state.normal_forces)
        node_forces = state.normal_forces[loaded, None] * state.normals[loaded]
        return np.einsum("ijab,jb->ia", self.compliance[:, loaded], node_forces)

    def everywhere(self, state: PressedSolidState) -> Array:
        """Displacements of all nodes of the mesh, in the frame of the core, (nodes of the mesh, d), m."""
        if self.condensation is None:
            raise ValueError("this solid was made of compliances alone: displacements inside it are not available")
        condensation = self.condensation
        u = np.zeros(condensation.size)
        u[condensation.number[np.isin(condensation.nodes, self.nodes)]] = self.displaced(state)
        return condensation.displacements(u)

    def pressures(self, state: PressedSolidState) -> Array:
        """Pressures at the nodes, Pa: forces per undeformed area."""
        return state.normal_forces / self.areas

    # inside ----------------------------------------------------------------------------------------------------------

    def _pressed_state(
        self, wrench: Array, middle: Array, energy: float, tangent: Array, rounds: int
    ) -> PressedSolidState:
        d = self.dimension
        return PressedSolidState(
            wrench[:d], wrench[d:], middle, self._soft.force.copy(), self._soft.n.copy(), energy, tangent, int(rounds)
        )  # fmt: skip

    def _rotation_matrix(self, rotation: Any) -> Array:
        R = np.array(rotation, dtype=float, order="C")
        if self.dimension == 2 and R.ndim == 0:
            c, s = np.cos(R), np.sin(R)
            R = np.array([[c, -s], [s, c]])
        d = self.dimension
        if R.shape != (d, d) or not np.allclose(R @ R.T, np.eye(d), atol=ORTHOGONALITY_ATOL):
            ErrorContext("rotation").fail("is no rotation", np.shape(R), f"an orthogonal {d} x {d} matrix")
        return R

    def _require_convergence(self, rounds: int) -> int:
        if rounds < 0:
            raise DidNotConverge(
                "no set of nodes in contact was found",
                suggestion="look at the compliance: it has to be symmetric and positive definite",
            )
        return rounds

    def _shifted_pose(self, r: Array, R: Array, k: int, by: float) -> tuple[Array, Array]:
        d = self.dimension
        if k < d:
            return r + by * self._size * np.eye(d)[k], R
        if d == 2:
            return r, self._rotation_matrix(by) @ R
        from scipy.spatial.transform import Rotation

        return r, Rotation.from_rotvec(by * np.eye(3)[k - d]).as_matrix() @ R

    def _iterate_tangent_planes(self, r: Array, R: Array, gap: GapFunction) -> tuple[Array, Array, float, int]:
        """Iterate with the tangent planes of the obstacle at the nodes until the displacements converge."""
        s, d, rounds = self._soft, self.dimension, 0
        own = np.einsum("iiab->iab", self.compliance)
        u = self._last_displacements()
        for _ in range(MAX_TANGENT_PLANE_ROUNDS):
            g, n = gap(r + (self.places + u) @ R.T)
            s.n[:] = n @ R
            s.g0[:] = g - np.einsum("id,id->i", s.n, u)
            s.own_compliance[:] = np.einsum("ia,iab,ib->i", s.n, own, s.n)
            s.sizes[VALID_FACTOR_ROWS] = 0
            rounds += self._require_convergence(find_active_set(s, False))
            before, u = u, self._last_displacements()
            if np.abs(u - before).max() <= DISPLACEMENT_RTOL * self._size:
                break
        else:
            raise DidNotConverge(
                "contact with a curved surface did not converge", suggestion="use smaller steps between poses"
            )
        s.sizes[VALID_FACTOR_ROWS] = 0  # the factors belong to the normals of the last iteration
        f = s.force
        push, arms = (f[:, None] * s.n) @ R.T, (self.places + u) @ R.T
        arms_, push_ = (np.pad(x, ((0, 0), (0, 3 - d))) for x in (arms, push))
        wrench = np.r_[push.sum(axis=0), np.cross(arms_, push_).sum(axis=0)[ROTATION_COMPONENTS[d] - 3]]
        middle = r + f @ arms / f.sum() if f.any() else np.full(d, np.nan)
        return wrench, middle, 0.5 * float(np.sum(f[:, None] * s.n * u)), rounds

    def _last_displacements(self) -> Array:
        """Displacements due to the last forces."""
        s = self._soft
        loaded = np.flatnonzero(s.force)
        return np.einsum("ijab,jb->ia", self.compliance[:, loaded], (s.force[:, None] * s.n)[loaded])


def _select_nodes(region: RegionSelector | str, mesh: Mesh, at: ErrorContext) -> Array:
    selected = (NamedRegionSelector(region) if isinstance(region, str) else region).nodes(mesh)
    if not selected.any():
        at.fail("holds no node of the mesh", region, "a place with some nodes")
    return selected


@jit_compile
def press_on_plane(s, r, R, n, level, out):
    """Press against a plane: see CompliantSolid.press. s: ComplianceState. out: see PRESS_WRENCH. Return the
    number of rounds, or -1 if the compliance cannot be factorised."""
    X, normals, rows, x = s.X, s.n, s.rows, s.x
    nodes, d = X.shape
    normal_changed, base = s.sizes[VALID_FACTOR_ROWS] == 0, -level
    for a in range(d):
        component = 0.0
        for b in range(d):
            component += R[b, a] * n[b]
        normal_changed = normal_changed or component != normals[0, a] or component != normals[nodes - 1, a]
        normals[0, a] = component
        base += n[a] * r[a]
    for i in range(nodes):
        s.g0[i] = base
        for a in range(d):
            normals[i, a] = normals[0, a]
            s.g0[i] += normals[0, a] * X[i, a]
    if normal_changed:
        s.sizes[VALID_FACTOR_ROWS] = 0
        for a in range(d):
            s.normal_products[a] = normals[0, a] * normals[0, a]
        for a in range(s.normal_products.size - d):
            s.normal_products[d + a] = normals[0, a] * normals[0, (a + 1) % d]
        for i in range(nodes):
            s.own_compliance[i] = normal_compliance(s, True, i, i)
    out[:] = 0.0
    rounds = find_active_set(s, True)
    count = s.sizes[ACTIVE_COUNT]
    if rounds < 0 or count == 0:
        out[PRESS_CENTRE:PRESS_ENERGY] = np.nan
        return rounds
    normal, first, second, arm, middle = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    V, v, lever = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3)
    normal[:d] = n
    perpendicular_vectors(normal, first, second)
    total = 0.0
    for c in range(count):
        i = s.active[c]
        sum_compliances(s, i, s.compliance_sums[i])
        fill_symmetric_matrix(s.compliance_sums[i], v, d)
        total += x[c]
        out[PRESS_ENERGY] -= 0.5 * x[c] * s.g0[i]
        lever[:] = 0.0
        for a in range(d):
            place = X[i, a]
            middle[a] += x[c] * place
            for b in range(d):
                V[a, b] += x[c] * v[a, b]
                place += 2.0 * v[a, b] * normals[0, b]
            for b in range(d):
                lever[b] += R[b, a] * place
        rows[0, c], rows[1, c], rows[2, c] = 1.0, 0.0, 0.0
        for a in range(3):
            rows[1, c] += lever[a] * first[a]
            rows[2, c] += lever[a] * second[a]
    for a in range(d):
        for b in range(d):
            middle[a] += V[a, b] * normals[0, b]
    for a in range(d):
        for b in range(d):
            arm[a] += R[a, b] * middle[b]
        out[PRESS_CENTRE + a] = arm[a] / total + r[a]
    for a in range(3):
        out[PRESS_WRENCH + a] = total * normal[a]
    cross_product(arm, normal, out[PRESS_WRENCH + 3 : PRESS_CENTRE])
    _compute_tangent(s, R, normal, first, second, arm, V, out[PRESS_TANGENT:].reshape((6, 6)))
    return rounds


@jit_compile
def _compute_tangent(s, R, normal, first, second, arm, V, tangent):
    """Compute the tangent. lever x n = (lever . first) (first x n) + (lever . second) (second x n): three solutions
    suffice."""
    d, count, x, rows = s.X.shape[1], s.sizes[ACTIVE_COUNT], s.x, s.rows
    basis, inner = np.zeros((3, 6)), np.zeros((3, 3))
    basis[0, :3] = normal
    cross_product(first, normal, basis[1, 3:])
    cross_product(second, normal, basis[2, 3:])
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
    axis, product, second_product, compliance_product = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    for k in range(3):
        axis[:] = 0.0
        axis[k] = 1.0
        cross_product(axis, arm, product)
        cross_product(product, normal, second_product)
        cross_product(axis, normal, product)
        compliance_product[:] = 0.0
        for a in range(d):
            for b in range(d):
                for e in range(d):
                    for j in range(d):
                        compliance_product[a] += R[a, b] * V[b, e] * R[j, e] * product[j]
        cross_product(normal, compliance_product, product)
        for a in range(3):
            tangent[3 + a, 3 + k] += second_product[a] + product[a]


@jit_compile
def fill_symmetric_matrix(packed, out, d):
    """Fill the symmetric matrix from packed entries xx, yy, zz, xy + yx, ... (in the plane xx, yy, xy + yx)."""
    for a in range(d):
        out[a, a] = packed[a]
    for a in range(packed.size - d):
        out[a, (a + 1) % d] = out[(a + 1) % d, a] = 0.5 * packed[d + a]


@jit_compile
def perpendicular_vectors(n, first, second):
    """Return two unit vectors perpendicular to n and to each other."""
    smallest = 0
    for a in range(3):
        if abs(n[a]) < abs(n[smallest]):
            smallest = a
    second[:] = 0.0
    second[smallest] = 1.0
    cross_product(n, second, first)
    first /= np.sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2])
    cross_product(n, first, second)


@jit_compile
def cross_product(a, b, out):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
