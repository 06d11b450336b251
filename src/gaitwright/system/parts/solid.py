"""Solid: a part that deforms, on a mesh of finite elements (system/solids/).

Its coordinates are the displacements of its nodes from where they are undeformed, axis by axis; those that are held, or tied to
a body of space (system/solids/ties.py), have none. Elements, mass and weight are sums over cells, so that its mass matrix is
constant. It offers places, without axes: nodes, the middles of its regions, and points that are named in it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gaitwright.mesh.mesh import Mesh
from gaitwright.physics.bodies.nodes import NODE, weighted
from gaitwright.physics.declare import Joint
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.viscous import Viscosity
from gaitwright.physics.symbolic import rotate
from gaitwright.system.blocks import Block, Element
from gaitwright.system.parts.base import Deformed, Following, Local, Marked, OutputOf, Part, Strain, WantedVelocity
from gaitwright.system.parts.solid_outputs import solid_outputs
from gaitwright.system.parts.solid_piece import SolidPiece
from gaitwright.system.solids.follow import follows
from gaitwright.system.solids.geometry import HELD, Geometry
from gaitwright.system.solids.kernels import damping_module, element_module, force_of
from gaitwright.system.solids.mass import (
    element_masses,
    mass_entries,
    node_masses,
    weight_module,
    weight_parameters,
)
from gaitwright.system.solids.shapes import SIDES
from gaitwright.system.solids.sides import load_module, pressure_module, pressure_parameters, traction_shares
from gaitwright.system.solids.skin import Skin, skin_of
from gaitwright.system.solids.ties import Tie, Ties
from gaitwright.system.tables import BEAM_POSITION, GROUND, Array


class Filling(NamedTuple):
    """Cells of one material. constants: of its energy; density: kg/m^3; viscosity: its damping with its constants, if any;
    mean: with the mean dilatation of each element."""

    cells: Array
    geometry: Geometry
    material: type[Material]
    constants: tuple[float, ...]
    density: float
    viscosity: tuple[type[Viscosity], tuple[float, ...]] | None = None
    mean: bool = False


class Pinned(NamedTuple):
    """Nodes of a solid of the plane that move with a body, whose points are not linear in its angle: by a pin each."""

    body: Any
    nodes: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class SolidPart(Part):
    """mesh: where it is undeformed. number: (nodes, d), which of its coordinates each displacement is, HELD if it is none;
    nodes that move alike share one. supports: by name, (nodes, d), which displacements something holds, ground or body. tied,
    pinned: nodes that move with bodies of space and of the plane. loads: those on its surface, on `numbers`, with their
    functions of time. thickness: of a solid of the plane, m.

    Places are pairs of a node and its weight, one after the other."""

    kind: str = "solid"
    mesh: Mesh
    number: Array
    fillings: tuple[Filling, ...]
    supports: Mapping[str, Array] = field(default_factory=dict)
    tied: tuple[Tie, ...] = ()
    pinned: tuple[Pinned, ...] = ()
    loads: list[tuple[Block, list[Any]]] = field(default_factory=list)
    gravity: tuple[float, ...] = ()
    thickness: float = 1.0
    lumped: bool = False
    flexible: ClassVar[bool] = True
    meshed: ClassVar[bool] = True
    place_word: ClassVar[str] = "place"

    # coordinates -----------------------------------------------------------------------------------------------------

    @functools.cached_property
    def at_nodes(self) -> Array:
        """(nodes, d): coordinates in the tables, GROUND where they are held or tied."""
        return np.where(self.number == HELD, GROUND, self.index[self.number])

    @functools.cached_property
    def ties(self) -> Ties:
        return Ties(self.tied, len(self.mesh.nodes))

    @property
    def carriers(self) -> Sequence[Part]:
        return [tie.body for tie in self.tied]

    @property
    def held_by(self) -> Sequence[str]:
        held = np.any([*self.supports.values(), np.zeros(self.number.shape, dtype=bool)], axis=0).any(axis=1)
        for body in (bodies := [*self.tied, *self.pinned]):
            held[body.nodes] = False
        return [*(["ground"] if held.any() else []), *(body.body.name for body in bodies)]

    @property
    def dimension(self) -> int:
        return self.mesh.dimension

    def own_pressures(self, motion: Any) -> Array | float:
        """At all nodes, (times, nodes), Pa by undeformed area, of what it touches without a contact being declared."""
        return 0.0

    def displacements(self, q: Array) -> Array:
        """Of all nodes, (..., nodes, d), m, in poses q (..., n + 1)."""
        found = q[..., self.at_nodes]
        for tie in self.tied:
            found[..., tie.nodes, :] = tie.displacements(q)
        return found

    def rates(self, v: Array) -> Array:
        """Velocities or accelerations of all nodes, (..., nodes, d), from those of the coordinates (..., n + 1)."""
        found = v[..., self.at_nodes]
        for tie in self.tied:
            found[..., tie.nodes, :] = tie.rates(v)
        return found

    @property
    def free(self) -> bool:
        """Whether nothing holds it."""
        return not (self.number == HELD).any()

    def coordinates(self) -> list[tuple[str, str]]:
        node, axis = np.nonzero(self.number != HELD)
        _, first = np.unique(self.number[node, axis], return_index=True)
        return [(f"{self.name}.node{node[k] + 1}.{'xyz'[axis[k]]}", "m") for k in first]

    def natures(self) -> Array:
        return np.full(len(self.drawn), BEAM_POSITION)

    def scale(self, size: float) -> Array:
        return np.full(len(self.drawn), size)

    def translation(self, axis: int) -> Array:
        moved = np.zeros(len(self.drawn))
        own = self.number[:, axis]
        moved[own[own != HELD]] = 1.0
        return moved

    # mass and elements of its own ------------------------------------------------------------------------------------

    @functools.cached_property
    def element_masses(self) -> Array:
        """(cells, k, k), kg."""
        density = np.zeros(len(self.mesh.cells))
        for filling in self.fillings:
            density[filling.cells] = filling.density
        return element_masses(self.mesh.kind, self.mesh.nodes, self.mesh.cells, density, self.thickness)

    @functools.cached_property
    def node_masses(self) -> Array:
        return node_masses(self.element_masses, self.mesh.cells, len(self.mesh.nodes))

    def mass_entries(self) -> tuple[Array, Array, Array]:
        """M = T^T M_nodes T, the same along each axis."""
        import scipy.sparse as sparse

        node_row, node_col, values = mass_entries(self.element_masses, self.mesh.cells, self.lumped)
        count, size = len(self.mesh.nodes), 1 + max(int(part.index.max()) for part in (self, *self.carriers))
        of_nodes = sparse.csr_matrix((values, (node_row, node_col)), shape=(count, count))
        found = []
        for axis in range(self.dimension):
            node, column, weight = self.ties.columns(axis, self.at_nodes)
            T = sparse.csr_matrix((weight, (node, column)), shape=(count, size))
            found.append((T.T @ of_nodes @ T).tocoo())
        return tuple(np.concatenate([getattr(M, part) for M in found]) for part in ("row", "col", "data"))  # pyright: ignore[reportReturnType]

    def conditions(self) -> list[tuple[Element | Block, float]]:
        """Pins between nodes and bodies of the plane."""
        pin: Any = Joint.registry[2]["revolute"]
        found: list[tuple[Element | Block, float]] = []
        for body, nodes in self.pinned:
            places = self.mesh.nodes[nodes]
            x, y = rotate((places - body.drawn[:2]).T, -body.drawn[2])
            par = np.column_stack((x, y, np.ones(len(nodes)), places))
            index = np.broadcast_to(body.index, (len(nodes), 3))
            coordinates = np.concatenate((index, self.at_nodes[nodes]), axis=1)
            found.append((Block(pin, (body.family, NODE[2]), coordinates, par), 0.0))
        return found

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, Element | Block]]:
        return [(self.name, block) for own in self.blocks(gravity) for block in self.ties.blocks(own, self.at_nodes)]

    @functools.cached_property
    def numbers(self) -> Array:
        """(nodes, d): of the displacements of all nodes, held or not."""
        return np.arange(self.number.size).reshape(self.number.shape)

    def blocks(self, gravity: Sequence[float]) -> list[Block]:
        """Elastic forces, damping, weight. Coordinates are `numbers`."""
        found = self.filling_blocks(self.fillings)
        if any(gravity):
            par = weight_parameters(self.node_masses, np.array(gravity), self.mesh.nodes)
            found.append(Block(force_of(weight_module(self.dimension)), (), self.numbers, par))
        return found

    def filling_blocks(self, fillings: Sequence[Filling]) -> list[Block]:
        """Elastic forces and damping of some of its cells."""
        found: list[Block] = []
        for filling in fillings:
            geometry = filling.geometry.without(self.ties.rigid(filling.geometry.cells))
            shape, dof = geometry.shape, geometry.dof(self.numbers)
            module = element_module(filling.material, shape, filling.mean)
            par = geometry.parameters(np.array(filling.constants))
            found.append(Block(force_of(module), (), dof, par))
            if filling.viscosity is not None:
                law, constants = filling.viscosity
                par = geometry.parameters(np.array(constants))
                found.append(Block(force_of(damping_module(law, shape)), (), dof, par))
        return found

    @functools.cached_property
    def _sides(self) -> dict[str | None, Array]:
        return {}

    @property
    def areas(self) -> Sequence[str]:
        """Regions that have sides on the boundary."""
        return [name for name in self.mesh.regions if len(self.sides_of(name))]

    def sides_of(self, region: str | None) -> Array:
        """Sides of the boundary where others may touch, (sides, nodes of a side): all, or those all nodes of which are in a
        region."""
        if region not in self._sides:
            boundary, inside = self.mesh.boundary, self.usable.copy()
            if region is not None:
                inside &= np.isin(np.arange(len(inside)), self.mesh.regions[region].nodes)
            self._sides[region] = boundary[inside[boundary].all(axis=1)]
        return self._sides[region]

    @functools.cached_property
    def usable(self) -> Array:
        """(nodes,): where others may attach."""
        return np.ones(len(self.mesh.nodes), dtype=bool)

    def skin(self, region: str | None = None) -> Skin:
        """The points at which its surface, or that of a region, touches."""
        return skin_of(self.mesh.nodes, self.sides_of(region), self.thickness)

    def loaded(self, load: str, region: str, signals: Sequence[int], programs: Sequence[Any]) -> list[Block]:
        """Pressure or traction on a region, by functions of time: their numbers, and all there are."""
        sides, places, d = self.sides_of(region), self.mesh.nodes, self.dimension
        if load == "pressure":
            declaration = force_of(pressure_module(SIDES[self.mesh.kind.name]))
            dof, par = self.numbers[sides].reshape(len(sides), -1), pressure_parameters(places, sides, self.thickness)
        else:
            shares = traction_shares(places, sides, self.thickness)
            nodes = np.flatnonzero(shares)
            declaration, dof, par = force_of(load_module(d)), self.numbers[nodes], shares[nodes, None].repeat(d, axis=1)
        block = Block(declaration, (), dof, par, tuple(signals))
        self.loads.append(
            (block, [programs[k] for k in signals])
        )  # for reactions: those of held nodes are nowhere else
        return list(self.ties.blocks(block, self.at_nodes))

    # places ----------------------------------------------------------------------------------------------------------

    @property
    def centre(self) -> Local | None:
        return None

    def place(self, name: str) -> Local | None:
        number = name.removeprefix("node")
        if name in self.points:
            return self.points[name]
        if name in self.mesh.regions:
            return self.middle(name)
        if number != name and number.isdecimal() and 1 <= int(number) <= len(self.mesh.nodes):
            return (float(number) - 1.0, 1.0)
        return None

    def middle(self, region: str) -> Local:
        """Of a region: of its surface by area, where it has one, otherwise of its nodes. A force there is spread evenly."""
        nodes, sides = self.mesh.regions[region].nodes, self.sides_of(region)
        shares = traction_shares(self.mesh.nodes, sides)[nodes] if len(sides) else np.ones(len(nodes))
        pairs = zip(nodes, shares / shares.sum(), strict=True)
        return tuple(x for node, share in pairs for x in (float(node), float(share)))

    def known_places(self) -> str:
        named = [*self.points, *self.mesh.regions]
        return f"one of {', '.join([*named, ''])}node1 to node{len(self.mesh.nodes)}"

    def examples(self) -> str:
        return " or ".join(f"{self.name}.{place}" for place in [*self.points, *self.mesh.regions, "node1"][:2])

    def name_of(self, local: Local) -> str | None:
        if len(local) == 2:
            return f"node{int(local[0]) + 1}"
        return next((name for name in (*self.points, *self.mesh.regions) if self.place(name) == local), None)

    def at(self, local: Local) -> Marked:
        nodes, weights = np.array(local[::2], dtype=int), np.array(local[1::2])
        index, parts, start = self.ties.place(nodes, weights, self.mesh.nodes, self.at_nodes)
        return Marked(weighted(self.dimension, parts.size), index, (*parts.tolist(), *start.tolist()))

    def wanted_motion(self, label: str, velocity: Sequence[float], spin: Sequence[float]) -> WantedVelocity:
        """The wish for a velocity of its centre of mass, m/s, and a spin about it, rad/s, of the whole solid as it is at the
        start: one row per coordinate."""
        moving = self.number != HELD
        own, shares = self.number[moving], self.node_masses / self.node_masses.sum()

        def values(pose: Array) -> Array:
            u = np.zeros(self.number.shape)
            u[moving] = pose[own]
            arm = self.mesh.nodes + u - shares @ (self.mesh.nodes + u)
            turned = np.cross(spin, arm) if self.dimension == 3 else spin[0] * np.stack([-arm[:, 1], arm[:, 0]], axis=1)
            wanted = np.zeros(pose.size)
            wanted[own] = (np.array(velocity) + turned)[moving]
            return wanted

        return WantedVelocity(label, self.index, lambda pose: np.ones(pose.size), values)

    @property
    def length(self) -> float:
        return float(np.linalg.norm(np.ptp(self.mesh.nodes, axis=0)))

    def drawn_places(self) -> list[Any]:
        low, high = self.mesh.bounds
        return [low, high]

    # strain ----------------------------------------------------------------------------------------------------------

    def strain_form(self, q: Array) -> list[tuple[Array, Array]]:
        """int |sym(R^T grad du)|^2 dV / V, with the rotation R of each element."""
        found, volume = [], self.mesh.volume
        for filling in self.fillings:
            geometry = filling.geometry.without(self.ties.rigid(filling.geometry.cells))
            g, w = geometry.gradients, geometry.weights
            u = self.displacements(q)[geometry.cells]
            F = np.eye(self.dimension) + np.einsum("eai,epaj->epij", u, g).mean(axis=1)
            left, _, right = np.linalg.svd(F)
            R = left @ right
            turned = np.einsum(
                "eij,epaj->epai", R, g
            )  # R^T grad du = sum_a (R^T du_a) g_a: in the frame of the element
            same = np.einsum("ep,epaj,epbj->eab", w, g, g)
            form = 0.5 * np.einsum("eab,ij->eaibj", same, np.eye(self.dimension))
            form += 0.5 * np.einsum("ep,epbi,epaj->eaibj", w, turned, turned)
            found += self.ties.forms(geometry.cells, form / volume, self.at_nodes)
        return found

    def strain(self, q: Array) -> Strain:
        u = self.displacements(q)
        if not u.any():
            return Strain(0.0, 0.0)
        found, stress = 0.0, 0.0
        for filling in self.fillings:
            fields = self.fields(filling, u)
            found = max(found, float(np.abs(fields.principal_stretches - 1.0).max()))
            stress = max(stress, float(fields.von_mises.max()))
        return Strain(found, stress)

    def fields(self, filling: Filling, displacements: Array) -> Any:
        from gaitwright.system.solids.stress import point_fields

        return point_fields(
            filling.material, np.array(filling.constants), filling.geometry, displacements, filling.mean
        )

    def piece(self) -> SolidPiece | None:
        """Where nothing of it is held or moves alike; its coordinates are then in the order of its nodes."""
        return SolidPiece(self.mesh.nodes) if self.number.size == len(self.drawn) else None

    def following(self) -> Following | None:
        return follows(self.ties, self.mesh.nodes, self.number, HELD) if self.tied else None

    # results ---------------------------------------------------------------------------------------------------------

    def outputs(self) -> Iterator[OutputOf]:
        return solid_outputs(self)

    def deforming(self, motion: Any) -> Deformed:
        from gaitwright.system.solids.fields import field as field_of

        moved = field_of(self, motion, "displacement")
        fields = [
            ("von Mises stress", "Pa", field_of(self, motion, "von_mises")),
            ("displacement", "m", np.linalg.norm(moved, axis=2)),
        ]
        return Deformed(self.mesh, self.mesh.nodes + moved, fields, self.free)
