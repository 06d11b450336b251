"""A solid condensed to some of its nodes: what it is between them, as one dense matrix (paper 004, section 4.2.1).

    K* = K_bb - K_ba K_aa^-1 K_ab        (Eq 4.6)        f* = f_b - K_ba K_aa^-1 f_a

Nodes a are inside, b and c are kept. Cells that have a node inside (alpha) are condensed with the stiffness that they have
undeformed; cells between kept nodes alone (beta) may stay as they are, nonlinear: Eq 4.4 and 4.5. Of a linear material nothing
is gained by that, and all of its cells are condensed. b are kept nodes that alpha touches, c the others, of which K* knows
nothing.

The factors of K_aa are kept (schur.py), so that displacements inside, and with them stresses, come from those of the kept nodes
by one backward substitution: exact in the linear case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.system.schur import Schur
from gaitwright.system.solids.geometry import HELD
from gaitwright.system.solids.mass import of_coordinates
from gaitwright.system.solids.stiffness import stiffness_matrix
from gaitwright.system.solvers import Singular
from gaitwright.system.tables import Array

if TYPE_CHECKING:
    from gaitwright.system.parts.solid import Filling

LOOSE = 1e-6
"""Of the strongest: how well the most doubtful rigid motion has to be held."""


class Condensation:
    """places: of all nodes, (nodes, d), m. fillings: cells and their materials. held: (nodes, d), displacements that are zero.
    kept: nodes. skin: whether cells of nonlinear materials between kept nodes alone stay as they are.

    nodes: those that are kept. number: (kept, d), which unknown of K* each displacement is, HELD if it is zero. stiffness: K*,
    N/m. inside: for each filling which of its cells are condensed; the others are for who uses this to put beside it."""

    nodes: Array
    coordinates: Array
    matrix: Any
    schur: Schur
    number: Array

    def __init__(
        self, places: Array, fillings: Sequence[Filling], held: Array, kept: Array, skin: bool = False,
        at: At | None = None,
    ):  # fmt: skip
        at = at or At("condensation")
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
        # Kept nodes that no condensed cell touches (c) have no unknowns here.
        free = ~held & used[:, None]
        self.coordinates = np.full(held.shape, HELD)
        self.coordinates[free] = np.arange(int(free.sum()))
        own = self.coordinates[self.nodes]
        chosen = own[own != HELD]
        if not chosen.size:
            at["onto"].fail("keeps no node that can move", expected="a region that is not held")
        if not _holds(places, held | stays[:, None]):
            at["onto"].fail(
                "keeps too few nodes: the rest can move without being deformed",
                expected="at least three nodes that do not lie on a line, or something that is held",
            )
        linear = [only(f, inside) for f, inside in zip(fillings, self.inside, strict=True) if inside.any()]
        self.matrix = stiffness_matrix(linear, self.coordinates, int(free.sum()))
        try:
            self.schur = Schur(self.matrix, chosen)
        except Singular:
            at["onto"].fail("leaves something that nothing holds", expected="nodes of each piece of the mesh")
        self._made: dict[Any, Any] = {}
        self.number = np.full(own.shape, HELD)
        self.number[own != HELD] = np.arange(chosen.size)

    @property
    def stiffness(self) -> Array:
        return self.schur.stiffness

    @property
    def size(self) -> int:
        """Unknowns of K*."""
        return len(self.stiffness)

    def loads(self, forces: Array) -> tuple[Array, Array]:
        """f* (size,), N, of forces on all nodes, (nodes, d), and what `displacements` wants to know of them."""
        free = self.coordinates != HELD
        everything = np.zeros(int(free.sum()))
        everything[self.coordinates[free]] = forces[free]
        return self.schur.condensed(everything)

    def displacements(self, u: Array, loaded: Array | None = None) -> Array:
        """Of all nodes, (nodes, d), m, from those of the unknowns of K*, (size,), by static equilibrium inside. loaded: under
        these loads, see `loads`. Kept nodes that have no unknowns are at rest here."""
        found = np.zeros(self.coordinates.shape)
        free = self.coordinates != HELD
        found[free] = self.schur.all_of(u, loaded)[self.coordinates[free]]
        return found

    @property
    def mass_work(self) -> float:
        """Multiplications of `mass`."""
        return 2.0 * float(self.schur.tree.panel[-1]) * self.size

    def mass(self, entries: tuple[Array, Array, Array]) -> Array:
        """Guyan's mass matrix, (size, size), kg: of all nodes, as they move statically with the unknowns of K*. entries: rows,
        columns and values between nodes."""
        from scipy.sparse import coo_matrix

        row, col, values = of_coordinates(entries, self.coordinates)
        M = coo_matrix((values, (row, col)), shape=self.matrix.shape).tocsr()
        modes = self.schur.modes()
        found = modes.T @ (M @ modes)
        return 0.5 * (found + found.T)

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What was made under a key the last time: a model is read for each of its analyses, and condensed once."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]


def _holds(places: Array, held: Array) -> bool:
    """Whether no rigid motion leaves these displacements zero."""
    x, d = places - places.mean(axis=0), places.shape[1]
    turns = [np.stack((-x[:, 1], x[:, 0]), axis=1)] if d == 2 else [np.cross(e, x) for e in np.eye(3)]
    motions = [np.tile(np.abs(x).max() * e, (len(x), 1)) for e in np.eye(d)] + turns
    found = np.linalg.svd(np.array([motion[held] for motion in motions]), compute_uv=False)
    return bool(len(found) == len(motions) and found[-1] > LOOSE * found[0])


def only(filling: Filling, cells: Array) -> Any:
    """Some cells of a filling."""
    g = filling.geometry
    part = g._replace(cells=g.cells[cells], gradients=g.gradients[cells], weights=g.weights[cells])
    return filling._replace(cells=filling.cells[cells], geometry=part)
