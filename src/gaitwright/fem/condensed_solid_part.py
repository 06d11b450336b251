"""CondensedSolidPart: a solid reduced to some kept nodes, a super-element that is a part like any other.

Its coordinates are the displacements of the kept nodes. Its mass is that of all nodes, which follow the kept ones
(fem/condensation.py), or Guyan's mass for a held solid that is not too large. Between the nodes acts one dense stiffness
(condensation.py): in a co-rotating frame (super_element.py) if nothing is held, or as a linear element (super_element.py) if
something is held, so that it cannot turn. Cells of a nonlinear material between kept nodes may remain in addition. All other
displacements are recovered from the kept nodes on demand.

The weight of a held solid is condensed exactly. That of a free one is distributed like its mass, so that it falls without
strain.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaitwright.fem.condensation import Condensation, CondensedMassWeights, condense_mass
from gaitwright.fem.element_geometry import HELD_COORDINATE
from gaitwright.fem.kernel_modules import declare_force, lame_constants
from gaitwright.fem.mass import expand_to_coordinates, mass_entries, weight_module, weight_parameters
from gaitwright.fem.rigid_pieces import RigidSolidPiece, nearest_rotation
from gaitwright.fem.solid_part import MaterialRegion, SolidPart
from gaitwright.fem.super_element import dense_module, dense_parameters, super_element_module, super_element_parameters
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.element_matrices import find_unique_entries
from gaitwright.mechanism.parts.base import PartStrain, PlaceCoordinates
from gaitwright.mechanism.tables import Array

MAX_MODE_MULTIPLICATIONS = 1e10
"""Maximum number of multiplications for a mass by static modes, some seconds."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CondensedSolidPart(SolidPart):
    """Condensed solid. kept: nodes, ascending. fixed: (nodes, d), mask of displacements that are zero. fillings: the
    condensed ones, linear, then those between kept nodes that are not condensed, nonlinear. damping: beta, s, of the
    condensed cells."""

    condensation: Condensation
    kept: Array
    fixed: Array
    nonlinear: tuple[MaterialRegion, ...] = ()
    damping: float = 0.0

    @property
    def free(self) -> bool:
        return not self.fixed.any()

    # displacements ---------------------------------------------------------------------------------------------------

    @functools.cached_property
    def usable(self) -> Array:
        """Mask of the nodes, (nodes,), that attachments may use: kept or held."""
        return self.fixed.all(axis=1) | np.isin(np.arange(len(self.fixed)), self.kept)

    @functools.cached_property
    def _unknown_coordinates(self) -> Array:
        """Coordinate of the part for each unknown of K*, (N,)."""
        number = self.condensation.number
        own = np.empty(self.condensation.size, dtype=int)
        own[number[number != HELD_COORDINATE]] = self.number[self.condensation.nodes][number != HELD_COORDINATE]
        return own

    @functools.cached_property
    def _frame_nodes(self) -> Array:
        """Nodes that define the co-rotating frame: those with unknowns in K*."""
        return self.condensation.nodes[(self.condensation.number != HELD_COORDINATE).all(axis=1)]

    @functools.cached_property
    def _condensed_weight(self) -> tuple[Array, Array]:
        """Its condensed weight, and the data to recover the displacements inside under it."""
        pull = self.node_masses[:, None] * np.array(self.gravity or np.zeros(self.dimension))
        return self.condensation.loads(pull)

    def frame(self, displacements: Array) -> tuple[Array, Array, Array]:
        """Return R, and the mean positions of the nodes of the frame, undeformed and current. displacements: of all nodes, or
        of all kept nodes."""
        X = self.mesh.nodes[self._frame_nodes]
        x = X + displacements[self._frame_nodes]
        before, after = X.mean(axis=0), x.mean(axis=0)
        if not self.free:
            return np.eye(self.dimension), before, before
        return nearest_rotation(X - before, x - after), before, after

    def displacements(self, q: Array) -> Array:
        u = q[..., self.at_nodes]
        flat = u.reshape(-1, *u.shape[-2:])
        return np.array([self._recover_all(displacement) for displacement in flat]).reshape(u.shape)

    def _recover_all(self, u: Array) -> Array:
        """Displacements of all nodes, in static equilibrium with the kept ones."""
        if not self.free:
            return self._recover_inside(u, self._condensed_weight[1])
        R, before, after = self.frame(u)
        places = self.mesh.nodes
        local = (places + u - after) @ R - (places - before)
        displaced = after + (places - before + self._recover_inside(local, None)) @ R.T - places
        displaced[self.kept] = u[self.kept]
        return displaced

    def _recover_inside(self, u: Array, loaded: Array | None) -> Array:
        number, nodes = self.condensation.number, self.condensation.nodes
        own = np.empty(self.condensation.size)
        own[number[number != HELD_COORDINATE]] = u[nodes][number != HELD_COORDINATE]
        displaced = self.condensation.displacements(own, loaded)
        displaced[self.kept] = u[self.kept]
        return displaced

    def rates(self, v: Array) -> Array:
        v = v[..., self.at_nodes]
        return np.array([self._interpolate_rates(velocity) for velocity in v.reshape(-1, *v.shape[-2:])]).reshape(
            v.shape
        )

    def _interpolate_rates(self, v: Array) -> Array:
        if self.free:
            return self.carried_by.weights @ v[self.usable]
        return self._recover_inside(v, None)

    # mass and forces -------------------------------------------------------------------------------------------------

    @functools.cached_property
    def carried_by(self) -> CondensedMassWeights:
        return self.condensation.cached("carried", lambda: condense_mass(self.mesh.nodes, np.flatnonzero(self.usable)))

    @functools.cached_property
    def carried_mass(self) -> Array:
        """Mass matrix M* between the usable nodes, kg."""
        from scipy.sparse import coo_matrix

        def reduce_mass() -> Array:
            row, col, values = mass_entries(self.element_masses, self.mesh.cells)
            count = len(self.mesh.nodes)
            return self.carried_by.mass(coo_matrix((values, (row, col)), shape=(count, count)).tocsr())

        return self.condensation.cached(("carried", self._densities), reduce_mass)

    @property
    def _densities(self) -> tuple[float, ...]:
        return tuple(filling.density for filling in self.fillings)

    @property
    def by_static_modes(self) -> bool:
        """True if its mass is Guyan's: for a solid that cannot turn, unless it takes too long."""
        return not self.free and not self.nonlinear and self.condensation.mass_work <= MAX_MODE_MULTIPLICATIONS

    def mass_entries(self) -> tuple[Array, Array, Array]:
        if self.by_static_modes:
            entries = mass_entries(self.element_masses, self.mesh.cells)
            M = self.condensation.cached(("static", self._densities), lambda: self.condensation.mass(entries))
            where = self.index[self._unknown_coordinates]
            row, col = np.indices(M.shape).reshape(2, -1)
            return _sum_duplicate_entries(where[row], where[col], M.ravel())
        M, nodes = self.carried_mass, np.flatnonzero(self.usable)
        row, col = np.indices(M.shape).reshape(2, -1)
        return _sum_duplicate_entries(*expand_to_coordinates((nodes[row], nodes[col], M.ravel()), self.at_nodes))

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, MechanismElement | ElementBlock]]:
        K, d, where = self.condensation.stiffness, self.dimension, self.index[self._unknown_coordinates]
        beside = self.filling_blocks(self.nonlinear)
        blocks = [block for own in beside for block in self.ties.blocks(own, self.at_nodes)]
        if self.free:
            places = self.mesh.nodes[self._frame_nodes]
            module = super_element_module(d, len(places), self.damping > 0.0)
            par = super_element_parameters(np.ones(len(places)), places, K, self.damping)
        else:
            module, par = dense_module(len(K), self.damping > 0.0), dense_parameters(K, self.damping)
        blocks.append(ElementBlock(declare_force(module), (), where[None], par))
        if any(gravity):
            par = weight_parameters(*self._weights(gravity), self.mesh.nodes[self.usable])
            blocks.append(ElementBlock(declare_force(weight_module(d)), (), self.at_nodes[self.usable], par))
        return [(self.name, block) for block in blocks]

    def _weights(self, gravity: Sequence[float]) -> tuple[Array, Array]:
        """Return the masses of the usable nodes and the acceleration applied to them: their product is the force."""
        if self.free:
            return self.carried_mass.sum(axis=1), np.array(gravity)
        pull = np.zeros(self.number.shape)
        number = self.condensation.number
        pull[self.condensation.nodes] = np.where(number == HELD_COORDINATE, 0.0, self._condensed_weight[0][number])
        # Of the skin, without unknowns in K*.
        outside = self.condensation.nodes[(number == HELD_COORDINATE).all(axis=1)]
        pull[outside] = self.node_masses[outside, None] * np.array(gravity)
        return np.ones(int(self.usable.sum())), pull[self.usable]

    # places ----------------------------------------------------------------------------------------------------------

    def place(self, name: str) -> PlaceCoordinates | None:
        local = super().place(name)
        return local if local is None or self.usable[np.array(local[::2], dtype=int)].all() else None

    @property
    def attachable(self) -> list[str]:
        """Names of places with all nodes kept."""
        return [name for name in (*self.points, *self.mesh.regions) if self.place(name) is not None]

    def known_places(self) -> str:
        named = ", ".join([*self.attachable, f"node{self.kept[0] + 1}"])
        return f"a place whose nodes are all kept (onto), not condensed: one of {named}, ..."

    def examples(self) -> str:
        return " or ".join(f"{self.name}.{place}" for place in [*self.attachable, f"node{self.kept[0] + 1}"][:2])

    # strain ----------------------------------------------------------------------------------------------------------

    def strain_form(self, q: Array) -> list[tuple[Array, Array]]:
        """K* instead of the strains inside, divided by the shear modulus and the volume; cells of the skin are not treated
        separately."""
        R, *_ = self.frame(q[..., self.at_nodes])
        _, shear = lame_constants(self.fillings[0].material, self.fillings[0].constants)
        K, d = self.condensation.stiffness / (2.0 * shear * self.mesh.volume), self.dimension
        if self.free:
            n = len(K) // d
            K = np.einsum("ij,ajbl,kl->aibk", R, K.reshape(n, d, n, d), R, optimize=True).reshape(K.shape)
        return [(self.index[self._unknown_coordinates][None], K[None])]

    def strain(self, q: Array) -> PartStrain:
        """Strain due to deformation, excluding that of its weight alone, which does not appear in the pose."""
        return super().strain(q) if q[self.at_nodes].any() else PartStrain(0.0, 0.0)

    def fields(self, filling: MaterialRegion, displacements: Array) -> Any:
        """Fields inside, in the co-rotating frame of the kept nodes; the skin like any solid."""
        if not self.free or any(filling is region for region in self.nonlinear):
            return super().fields(filling, displacements)
        R, before, after = self.frame(displacements)
        local = (self.mesh.nodes + displacements - after) @ R - (self.mesh.nodes - before)
        local_fields = super().fields(filling, local)
        turn = np.eye(3)
        turn[: self.dimension, : self.dimension] = R
        return local_fields._replace(gradient=turn @ local_fields.gradient, stress=turn @ local_fields.stress @ turn.T)

    def piece(self) -> RigidSolidPiece | None:
        is_complete = self.free and len(self.drawn) == self.kept.size * self.dimension
        return RigidSolidPiece(self.mesh.nodes[self.kept]) if is_complete else None


def _sum_duplicate_entries(row: Array, col: Array, values: Array) -> tuple[Array, Array, Array]:
    """Sum duplicate entries of a matrix: coordinates that a drive moves alike are one."""
    size = int(row.max()) + 1
    row, col, place = find_unique_entries(row, col, size, size)
    return row, col, np.bincount(place, values, minlength=row.size)
