"""CondensedSolidPart: a solid of which some nodes are kept, a super-element that is a part like any other.

Its coordinates are the displacements of the kept nodes, its mass is what these carry (system/solids/carried_mass.py), of one
that is held and not too large, what their static displacements carry (Guyan). Between them acts one dense stiffness
(condensation.py): in a frame that turns with them (super_element.py) where nothing is held, as a linear element
(dense_element.py) where something is, which cannot turn. Cells of a nonlinear material between kept nodes may stay beside it.
Everything else is recovered from the kept nodes when it is asked for.

Weight of a solid that is held is condensed exactly. That of a free one is spread as its mass, so that it falls without strain.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaitwright.system.blocks import Block, Element
from gaitwright.system.distinct import distinct
from gaitwright.system.parts.base import Local, Strain
from gaitwright.system.parts.solid import Filling, SolidPart
from gaitwright.system.parts.solid_piece import SolidPiece, nearest_rotation
from gaitwright.system.solids.carried_mass import Carried, carried
from gaitwright.system.solids.condensation import Condensation
from gaitwright.system.solids.dense_element import dense_module, dense_parameters
from gaitwright.system.solids.geometry import HELD
from gaitwright.system.solids.kernels import force_of, small_strain
from gaitwright.system.solids.mass import mass_entries, of_coordinates, weight_module, weight_parameters
from gaitwright.system.solids.super_element import parameters, turning_module
from gaitwright.system.tables import Array

MOST_WORK = 1e10
"""Multiplications for a mass by static modes, some seconds."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CondensedSolidPart(SolidPart):
    """kept: nodes, ascending. fixed: (nodes, d), displacements that are zero. fillings: those that were condensed, linear, then
    those between kept nodes that stay as they are, nonlinear. damping: beta, s, of what was condensed."""

    condensation: Condensation
    kept: Array
    fixed: Array
    nonlinear: tuple[Filling, ...] = ()
    damping: float = 0.0

    @property
    def free(self) -> bool:
        return not self.fixed.any()

    # displacements ---------------------------------------------------------------------------------------------------

    @functools.cached_property
    def usable(self) -> Array:
        """(nodes,): where others may attach: kept or held."""
        return self.fixed.all(axis=1) | np.isin(np.arange(len(self.fixed)), self.kept)

    @functools.cached_property
    def _own(self) -> Array:
        """(N,): which coordinate of the part each unknown of K* is."""
        number = self.condensation.number
        own = np.empty(self.condensation.size, dtype=int)
        own[number[number != HELD]] = self.number[self.condensation.nodes][number != HELD]
        return own

    @functools.cached_property
    def _framing(self) -> Array:
        """Nodes that the frame turns with: those that K* knows."""
        return self.condensation.nodes[(self.condensation.number != HELD).all(axis=1)]

    @functools.cached_property
    def _loaded(self) -> tuple[Array, Array]:
        """Its weight, condensed, and what is needed to recover what is inside under it."""
        pull = self.node_masses[:, None] * np.array(self.gravity or np.zeros(self.dimension))
        return self.condensation.loads(pull)

    def frame(self, displacements: Array) -> tuple[Array, Array, Array]:
        """R, and the middles of the nodes that it turns with, undeformed and now. displacements: of all nodes, or of all
        that are kept."""
        X = self.mesh.nodes[self._framing]
        x = X + displacements[self._framing]
        before, after = X.mean(axis=0), x.mean(axis=0)
        if not self.free:
            return np.eye(self.dimension), before, before
        return nearest_rotation(X - before, x - after), before, after

    def displacements(self, q: Array) -> Array:
        u = q[..., self.at_nodes]
        flat = u.reshape(-1, *u.shape[-2:])
        return np.array([self._everywhere(one) for one in flat]).reshape(u.shape)

    def _everywhere(self, u: Array) -> Array:
        """Displacements of all nodes, in static equilibrium with those that are kept."""
        if not self.free:
            return self._recovered(u, self._loaded[1])
        R, before, after = self.frame(u)
        places = self.mesh.nodes
        local = (places + u - after) @ R - (places - before)
        found = after + (places - before + self._recovered(local, None)) @ R.T - places
        found[self.kept] = u[self.kept]
        return found

    def _recovered(self, u: Array, loaded: Array | None) -> Array:
        number, nodes = self.condensation.number, self.condensation.nodes
        own = np.empty(self.condensation.size)
        own[number[number != HELD]] = u[nodes][number != HELD]
        found = self.condensation.displacements(own, loaded)
        found[self.kept] = u[self.kept]
        return found

    def rates(self, v: Array) -> Array:
        v = v[..., self.at_nodes]
        return np.array([self._carried(one) for one in v.reshape(-1, *v.shape[-2:])]).reshape(v.shape)

    def _carried(self, v: Array) -> Array:
        if self.free:
            return self.carried_by.weights @ v[self.usable]
        return self._recovered(v, None)

    # mass and forces -------------------------------------------------------------------------------------------------

    @functools.cached_property
    def carried_by(self) -> Carried:
        return self.condensation.once("carried", lambda: carried(self.mesh.nodes, np.flatnonzero(self.usable)))

    @functools.cached_property
    def carried_mass(self) -> Array:
        """M*, between the nodes that are usable, kg."""
        from scipy.sparse import coo_matrix

        def made() -> Array:
            row, col, values = mass_entries(self.element_masses, self.mesh.cells)
            count = len(self.mesh.nodes)
            return self.carried_by.mass(coo_matrix((values, (row, col)), shape=(count, count)).tocsr())

        return self.condensation.once(("carried", self._densities), made)

    @property
    def _densities(self) -> tuple[float, ...]:
        return tuple(filling.density for filling in self.fillings)

    @property
    def by_static_modes(self) -> bool:
        """Whether its mass is Guyan's: that of a solid that cannot turn, unless it takes too long."""
        return not self.free and not self.nonlinear and self.condensation.mass_work <= MOST_WORK

    def mass_entries(self) -> tuple[Array, Array, Array]:
        if self.by_static_modes:
            entries = mass_entries(self.element_masses, self.mesh.cells)
            M = self.condensation.once(("static", self._densities), lambda: self.condensation.mass(entries))
            where = self.index[self._own]
            row, col = np.indices(M.shape).reshape(2, -1)
            return _summed(where[row], where[col], M.ravel())
        M, nodes = self.carried_mass, np.flatnonzero(self.usable)
        row, col = np.indices(M.shape).reshape(2, -1)
        return _summed(*of_coordinates((nodes[row], nodes[col], M.ravel()), self.at_nodes))

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, Element | Block]]:
        K, d, where = self.condensation.stiffness, self.dimension, self.index[self._own]
        beside = self.filling_blocks(self.nonlinear)
        blocks = [block for own in beside for block in self.ties.blocks(own, self.at_nodes)]
        if self.free:
            places = self.mesh.nodes[self._framing]
            module = turning_module(d, len(places), self.damping > 0.0)
            par = parameters(np.ones(len(places)), places, K, self.damping)
        else:
            module, par = dense_module(len(K), self.damping > 0.0), dense_parameters(K, self.damping)
        blocks.append(Block(force_of(module), (), where[None], par))
        if any(gravity):
            par = weight_parameters(*self._weights(gravity), self.mesh.nodes[self.usable])
            blocks.append(Block(force_of(weight_module(d)), (), self.at_nodes[self.usable], par))
        return [(self.name, block) for block in blocks]

    def _weights(self, gravity: Sequence[float]) -> tuple[Array, Array]:
        """Of the nodes that are usable, masses and what these are pulled by: their product is the force."""
        if self.free:
            return self.carried_mass.sum(axis=1), np.array(gravity)
        pull = np.zeros(self.number.shape)
        number = self.condensation.number
        pull[self.condensation.nodes] = np.where(number == HELD, 0.0, self._loaded[0][number])
        outside = self.condensation.nodes[(number == HELD).all(axis=1)]  # of the skin, unknown to K*
        pull[outside] = self.node_masses[outside, None] * np.array(gravity)
        return np.ones(int(self.usable.sum())), pull[self.usable]

    # places ----------------------------------------------------------------------------------------------------------

    def place(self, name: str) -> Local | None:
        found = super().place(name)
        return found if found is None or self.usable[np.array(found[::2], dtype=int)].all() else None

    @property
    def attachable(self) -> list[str]:
        """Names of places whose nodes are all kept."""
        return [name for name in (*self.points, *self.mesh.regions) if self.place(name) is not None]

    def known_places(self) -> str:
        named = ", ".join([*self.attachable, f"node{self.kept[0] + 1}"])
        return f"a place whose nodes are all kept (onto), not condensed: one of {named}, ..."

    def examples(self) -> str:
        return " or ".join(f"{self.name}.{place}" for place in [*self.attachable, f"node{self.kept[0] + 1}"][:2])

    # strain ----------------------------------------------------------------------------------------------------------

    def strain_form(self, q: Array) -> list[tuple[Array, Array]]:
        """K* in place of the strains inside, by the shear modulus and the volume; cells of the skin are looked at no closer."""
        R, *_ = self.frame(q[..., self.at_nodes])
        _, shear = small_strain(self.fillings[0].material, self.fillings[0].constants)
        K, d = self.condensation.stiffness / (2.0 * shear * self.mesh.volume), self.dimension
        if self.free:
            n = len(K) // d
            K = np.einsum("ij,ajbl,kl->aibk", R, K.reshape(n, d, n, d), R, optimize=True).reshape(K.shape)
        return [(self.index[self._own][None], K[None])]

    def strain(self, q: Array) -> Strain:
        """By what it is deformed, not by its weight alone, which the pose does not tell."""
        return super().strain(q) if q[self.at_nodes].any() else Strain(0.0, 0.0)

    def fields(self, filling: Filling, displacements: Array) -> Any:
        """Inside, in the frame that turns with the kept nodes; the skin as any solid."""
        if not self.free or any(filling is one for one in self.nonlinear):
            return super().fields(filling, displacements)
        R, before, after = self.frame(displacements)
        local = (self.mesh.nodes + displacements - after) @ R - (self.mesh.nodes - before)
        found = super().fields(filling, local)
        turn = np.eye(3)
        turn[: self.dimension, : self.dimension] = R
        return found._replace(gradient=turn @ found.gradient, stress=turn @ found.stress @ turn.T)

    def piece(self) -> SolidPiece | None:
        whole = self.free and len(self.drawn) == self.kept.size * self.dimension
        return SolidPiece(self.mesh.nodes[self.kept]) if whole else None


def _summed(row: Array, col: Array, values: Array) -> tuple[Array, Array, Array]:
    """Entries of a matrix, each once: coordinates that a drive moves alike are one."""
    size = int(row.max()) + 1
    row, col, place = distinct(row, col, size, size)
    return row, col, np.bincount(place, values, minlength=row.size)
