"""Condensation of a solid to some of its nodes, as one dense matrix (paper 004, section 4.2.1), and its mass.

    K* = K_bb - K_ba K_aa^-1 K_ab        (Eq 4.6)        f* = f_b - K_ba K_aa^-1 f_a

Nodes a are inside, b and c are kept. Cells with a node inside (alpha) are condensed with their undeformed stiffness; cells
between kept nodes alone (beta) may remain as nonlinear elements: Eq 4.4 and 4.5. For a linear material this has no advantage,
and all of its cells are condensed. b are kept nodes that belong to cells alpha, c the others, which have no entries in K*.

The factors of K_aa are stored (linalg/schur_complement.py), so that displacements inside, and with them stresses, follow from
those of the kept nodes by one backward substitution: exact in the linear case.

The mass of a condensed solid is that of all its nodes, which move with the kept nodes:

    u_i = sum_b T_ib u_b        M* = T^T M T        sum_b T_ib = 1        sum_b T_ib X_b = X_i

T weights nodes, equally in each direction, so that M* stays constant when the solid turns. Guyan's M*, with static
displacements instead of T, is more accurate, but would turn with the solid: it is used for held solids. T maps linear
functions to linear functions: so all rigid motions have the correct momentum, angular momentum and kinetic energy. In between
it is smooth: radial functions r^3 and a linear one. Kept nodes in a plane do not determine the motion out of it: then only
the mass and the centre along the plane are correct. Source of T: R. L. Harder, R. N. Desmarais, J. Aircraft 9 (1972) 189-191
(such splines transfer loads and motions of wings).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.element_geometry import HELD_COORDINATE
from gaitwright.fem.mass import expand_to_coordinates
from gaitwright.fem.stiffness import stiffness_matrix
from gaitwright.linalg.backends import SingularMatrix
from gaitwright.linalg.schur_complement import SchurComplement
from gaitwright.mechanism.tables import Array

if TYPE_CHECKING:
    from gaitwright.fem.solid_part import MaterialRegion

RIGID_MOTION_RTOL = 1e-6
"""Smallest admissible singular value of the rigid motions of the held displacements, relative to the largest."""


class Condensation:
    """Condensed solid. places: of all nodes, (nodes, d), m. fillings: cells and their materials. held: (nodes, d), mask of
    displacements that are zero. kept: nodes. skin: if true, cells of nonlinear materials between kept nodes alone are not
    condensed.

    nodes: the kept nodes. number: (kept, d), index of each displacement in K*, HELD_COORDINATE if it is zero. stiffness: K*,
    N/m. inside: for each filling, mask of the condensed cells; the caller adds the others."""

    nodes: Array
    coordinates: Array
    matrix: Any
    schur: SchurComplement
    number: Array

    def __init__(
        self, places: Array, fillings: Sequence[MaterialRegion], held: Array, kept: Array, skin: bool = False,
        at: ErrorContext | None = None,
    ):  # fmt: skip
        at = at or ErrorContext("condensation")
        is_kept = np.zeros(len(held), dtype=bool)
        is_kept[kept] = True
        self.nodes = np.flatnonzero(is_kept)
        self.inside: list[Array] = [np.ones(len(f.cells), dtype=bool) for f in fillings]
        if skin:
            for filling, inside in zip(fillings, self.inside, strict=True):
                inside[:] = filling.material.linear | ~is_kept[filling.geometry.cells].all(axis=1)
        is_used = np.zeros(len(held), dtype=bool)
        for filling, inside in zip(fillings, self.inside, strict=True):
            is_used[filling.geometry.cells[inside]] = True
        # Kept nodes that belong to no condensed cell (c) have no unknowns here.
        free = ~held & is_used[:, None]
        self.coordinates = np.full(held.shape, HELD_COORDINATE)
        self.coordinates[free] = np.arange(int(free.sum()))
        kept_coordinates = self.coordinates[self.nodes]
        unknowns = kept_coordinates[kept_coordinates != HELD_COORDINATE]
        if not unknowns.size:
            at["onto"].fail("keeps no node that can move", expected="a region that is not held")
        if not _prevents_rigid_motion(places, held | is_kept[:, None]):
            at["onto"].fail(
                "keeps too few nodes: the rest can move without being deformed",
                expected="at least three nodes that do not lie on a line, or something that is held",
            )
        linear = [select_cells(f, inside) for f, inside in zip(fillings, self.inside, strict=True) if inside.any()]
        self.matrix = stiffness_matrix(linear, self.coordinates, int(free.sum()))
        try:
            self.schur = SchurComplement(self.matrix, unknowns)
        except SingularMatrix:
            at["onto"].fail("leaves a piece of the mesh without support", expected="nodes of each piece of the mesh")
        self._made: dict[Any, Any] = {}
        self.number = np.full(kept_coordinates.shape, HELD_COORDINATE)
        self.number[kept_coordinates != HELD_COORDINATE] = np.arange(unknowns.size)

    @property
    def stiffness(self) -> Array:
        return self.schur.stiffness

    @property
    def size(self) -> int:
        """Number of unknowns of K*."""
        return len(self.stiffness)

    def loads(self, forces: Array) -> tuple[Array, Array]:
        """Return f* (size,), N, of forces on all nodes, (nodes, d), and the data that `displacements` needs to include
        them."""
        free = self.coordinates != HELD_COORDINATE
        loads = np.zeros(int(free.sum()))
        loads[self.coordinates[free]] = forces[free]
        return self.schur.condensed(loads)

    def displacements(self, u: Array, loaded: Array | None = None) -> Array:
        """Return the displacements of all nodes, (nodes, d), m, from those of the unknowns of K*, (size,), by static
        equilibrium inside. loaded: load data from `loads`. Kept nodes without unknowns get zero here."""
        displaced = np.zeros(self.coordinates.shape)
        free = self.coordinates != HELD_COORDINATE
        displaced[free] = self.schur.all_of(u, loaded)[self.coordinates[free]]
        return displaced

    @property
    def mass_work(self) -> float:
        """Number of multiplications of `mass`."""
        return 2.0 * float(self.schur.tree.panel[-1]) * self.size

    def mass(self, entries: tuple[Array, Array, Array]) -> Array:
        """Guyan's mass matrix, (size, size), kg, with all nodes moving statically with the unknowns of K*. entries: rows,
        columns and values between nodes."""
        from scipy.sparse import coo_matrix

        row, col, values = expand_to_coordinates(entries, self.coordinates)
        M = coo_matrix((values, (row, col)), shape=self.matrix.shape).tocsr()
        modes = self.schur.modes()
        reduced = modes.T @ (M @ modes)
        return 0.5 * (reduced + reduced.T)

    def cached(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return the cached value of a key, or make it: a model is read for each of its analyses, but condensed once."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]


def _prevents_rigid_motion(places: Array, held: Array) -> bool:
    """Return True if no rigid motion leaves these displacements zero."""
    x, d = places - places.mean(axis=0), places.shape[1]
    turns = [np.stack((-x[:, 1], x[:, 0]), axis=1)] if d == 2 else [np.cross(e, x) for e in np.eye(3)]
    motions = [np.tile(np.abs(x).max() * e, (len(x), 1)) for e in np.eye(d)] + turns
    singular_values = np.linalg.svd(np.array([motion[held] for motion in motions]), compute_uv=False)
    return bool(len(singular_values) == len(motions) and singular_values[-1] > RIGID_MOTION_RTOL * singular_values[0])


def select_cells(filling: MaterialRegion, cells: Array) -> Any:
    """Select some cells of a filling."""
    geometry = filling.geometry
    part = geometry._replace(
        cells=geometry.cells[cells], gradients=geometry.gradients[cells], weights=geometry.weights[cells]
    )
    return filling._replace(cells=filling.cells[cells], geometry=part)


# Mass of a condensed solid that may turn ------------------------------------------------------------------------------


PLANARITY_RTOL = 1e-6
"""Distance from a plane, relative to the size, below which kept nodes count as lying in it."""


class CondensedMassWeights(NamedTuple):
    """Weights by which the nodes of a solid move with the kept nodes."""

    weights: Array
    """T, (nodes, kept)."""
    flat: bool
    """True if the kept nodes lie in a plane (on a line)."""

    def mass(self, M: Any) -> Array:
        """Return M*, (kept, kept), kg. M: sparse, (nodes, nodes)."""
        reduced = self.weights.T @ (M @ self.weights)
        return 0.5 * (reduced + reduced.T)


def condense_mass(places: Array, kept: Array) -> CondensedMassWeights:
    """Compute the weights T. places: of all nodes, (nodes, d), m; kept: indices of the kept nodes."""
    from scipy.linalg import solve
    from scipy.spatial.distance import cdist

    x = (places - places[kept].mean(axis=0)) / np.ptp(places, axis=0).max()
    _, spread, axes = np.linalg.svd(x[kept], full_matrices=False)
    along = axes[spread > PLANARITY_RTOL * np.sqrt(len(kept))]
    linear = np.column_stack((np.ones(len(x)), x @ along.T))
    radial, count = cdist(x, x[kept]) ** 3, linear.shape[1]
    system = np.block([[radial[kept], linear[kept]], [linear[kept].T, np.zeros((count, count))]])
    unit = np.vstack((np.eye(len(kept)), np.zeros((count, len(kept)))))
    weights = np.hstack((radial, linear)) @ solve(system, unit, assume_a="sym")
    weights[kept] = np.eye(len(kept))
    return CondensedMassWeights(weights, len(along) < places.shape[1])
