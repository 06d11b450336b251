"""Condensation of a solid to some of its nodes, as one dense matrix (paper 004, section 4.2.1).

    K* = K_bb - K_ba K_aa^-1 K_ab        (Eq 4.6)        f* = f_b - K_ba K_aa^-1 f_a

Nodes a are inside, b and c are kept. Cells with a node inside (alpha) are condensed with their undeformed stiffness; cells
between kept nodes alone (beta) may remain as nonlinear elements: Eq 4.4 and 4.5. For a linear material this has no advantage,
and all of its cells are condensed. b are kept nodes that belong to cells alpha, c the others, which have no entries in K*.

The factors of K_aa are stored (linalg/schur_complement.py), so that displacements inside, and with them stresses, follow from
those of the kept nodes by one backward substitution: exact in the linear case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

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
        stays = np.zeros(len(held), dtype=bool)
        stays[kept] = True
        self.nodes = np.flatnonzero(stays)
        self.inside: list[Array] = [np.ones(len(f.cells), dtype=bool) for f in fillings]
        if skin:
            for filling, inside in zip(fillings, self.inside, strict=True):
                inside[:] = filling.material.linear | ~stays[filling.geometry.cells].all(axis=1)
        used = np.zeros(len(held), dtype=bool)
        for filling, inside in zip(fillings, self.inside, strict=True):
            used[filling.geometry.cells[inside]] = True
        # Kept nodes that belong to no condensed cell (c) have no unknowns here.
        free = ~held & used[:, None]
        self.coordinates = np.full(held.shape, HELD_COORDINATE)
        self.coordinates[free] = np.arange(int(free.sum()))
        own = self.coordinates[self.nodes]
        chosen = own[own != HELD_COORDINATE]
        if not chosen.size:
            at["onto"].fail("keeps no node that can move", expected="a region that is not held")
        if not _prevents_rigid_motion(places, held | stays[:, None]):
            at["onto"].fail(
                "keeps too few nodes: the rest can move without being deformed",
                expected="at least three nodes that do not lie on a line, or something that is held",
            )
        linear = [select_cells(f, inside) for f, inside in zip(fillings, self.inside, strict=True) if inside.any()]
        self.matrix = stiffness_matrix(linear, self.coordinates, int(free.sum()))
        try:
            self.schur = SchurComplement(self.matrix, chosen)
        except SingularMatrix:
            at["onto"].fail("leaves a piece of the mesh without support", expected="nodes of each piece of the mesh")
        self._made: dict[Any, Any] = {}
        self.number = np.full(own.shape, HELD_COORDINATE)
        self.number[own != HELD_COORDINATE] = np.arange(chosen.size)

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
        everything = np.zeros(int(free.sum()))
        everything[self.coordinates[free]] = forces[free]
        return self.schur.condensed(everything)

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

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
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
    g = filling.geometry
    part = g._replace(cells=g.cells[cells], gradients=g.gradients[cells], weights=g.weights[cells])
    return filling._replace(cells=filling.cells[cells], geometry=part)
