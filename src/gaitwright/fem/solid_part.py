"""Solid: a deformable part, on a mesh of finite elements.

Its coordinates are the displacements of its nodes from their undeformed positions, axis by axis; displacements that are held,
or tied to a spatial body (fem/ties.py), have none. Elements, mass and weight are sums over cells, so that its mass matrix is
constant. Its places have no axes: nodes, the middles of its regions, and its named points.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gaitwright.fem.element_geometry import HELD_COORDINATE, ElementGeometry
from gaitwright.fem.element_types import SIDE_TYPES
from gaitwright.fem.kernel_modules import damping_module, declare_force, element_module
from gaitwright.fem.mass import element_masses, mass_entries, node_masses, weight_module, weight_parameters
from gaitwright.fem.rigid_pieces import RigidSolidPiece
from gaitwright.fem.side_loads import dead_load_module, pressure_module, pressure_parameters, traction_shares
from gaitwright.fem.solid_outputs import solid_outputs
from gaitwright.fem.ties import NodeTie, SolidTies, interpolate_ties
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.parts.base import (
    DeformedMesh,
    DependentCoordinates,
    Part,
    PartOutput,
    PartStrain,
    PlaceCoordinates,
    PlacedMarker,
    RequestedVelocity,
)
from gaitwright.mechanism.tables import BEAM_POSITION_COORDINATE, GROUND, Array
from gaitwright.mesh.contact_points import ContactPoints, build_contact_points
from gaitwright.mesh.mesh import Mesh
from gaitwright.physics.bodies.interpolated_point import NODE_FAMILIES, interpolated_point_family
from gaitwright.physics.declarations import Joint
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.viscous import Viscosity
from gaitwright.physics.symbolic import rotate


class MaterialRegion(NamedTuple):
    """Cells of one material. constants: of its energy; density: kg/m^3; viscosity: its damping law with constants, if any;
    mean: True for the mean dilatation of each element."""

    cells: Array
    geometry: ElementGeometry
    material: type[Material]
    constants: tuple[float, ...]
    density: float
    viscosity: tuple[type[Viscosity], tuple[float, ...]] | None = None
    mean: bool = False


class PinnedNodes(NamedTuple):
    """Nodes of a planar solid that move with a body, each by a pin, because points of a planar body are not linear in its
    angle."""

    body: Any
    nodes: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class SolidPart(Part):
    """Deformable solid. mesh: undeformed. number: (nodes, d), coordinate of each displacement, HELD_COORDINATE if it has
    none; nodes that move alike share one. supports: by name, (nodes, d), mask of displacements held by ground or a body.
    tied, pinned: nodes that move with spatial and with planar bodies. loads: those on its surface, in the coordinates
    `numbers`, with their functions of time. thickness: of a planar solid, m.

    Places are pairs of a node and its weight, in sequence."""

    kind: str = "solid"
    mesh: Mesh
    number: Array
    fillings: tuple[MaterialRegion, ...]
    supports: Mapping[str, Array] = field(default_factory=dict)
    tied: tuple[NodeTie, ...] = ()
    pinned: tuple[PinnedNodes, ...] = ()
    loads: list[tuple[ElementBlock, list[Any]]] = field(default_factory=list)
    gravity: tuple[float, ...] = ()
    thickness: float = 1.0
    lumped: bool = False
    flexible: ClassVar[bool] = True
    meshed: ClassVar[bool] = True
    place_word: ClassVar[str] = "place"

    # coordinates -----------------------------------------------------------------------------------------------------

    @functools.cached_property
    def at_nodes(self) -> Array:
        """Coordinates in the tables, (nodes, d), GROUND for held or tied displacements."""
        return np.where(self.number == HELD_COORDINATE, GROUND, self.index[self.number])

    @functools.cached_property
    def ties(self) -> SolidTies:
        return SolidTies(self.tied, len(self.mesh.nodes))

    @property
    def carriers(self) -> Sequence[Part]:
        return [tie.body for tie in self.tied]

    @property
    def held_by(self) -> Sequence[str]:
        is_held = np.any([*self.supports.values(), np.zeros(self.number.shape, dtype=bool)], axis=0).any(axis=1)
        for body in (bodies := [*self.tied, *self.pinned]):
            is_held[body.nodes] = False
        return [*(["ground"] if is_held.any() else []), *(body.body.name for body in bodies)]

    @property
    def dimension(self) -> int:
        return self.mesh.dimension

    def own_pressures(self, motion: Any) -> Array | float:
        """Pressures at all nodes, (times, nodes), Pa per undeformed area, from surfaces touched without a declared
        contact."""
        return 0.0

    def displacements(self, q: Array) -> Array:
        """Return the displacements of all nodes, (..., nodes, d), m, in poses q (..., n + 1)."""
        nodal = q[..., self.at_nodes]
        for tie in self.tied:
            nodal[..., tie.nodes, :] = tie.displacements(q)
        return nodal

    def rates(self, v: Array) -> Array:
        """Return velocities or accelerations of all nodes, (..., nodes, d), from those of the coordinates (..., n + 1)."""
        nodal = v[..., self.at_nodes]
        for tie in self.tied:
            nodal[..., tie.nodes, :] = tie.rates(v)
        return nodal

    @property
    def free(self) -> bool:
        """True if nothing holds it."""
        return not (self.number == HELD_COORDINATE).any()

    def coordinates(self) -> list[tuple[str, str]]:
        node, axis = np.nonzero(self.number != HELD_COORDINATE)
        _, first = np.unique(self.number[node, axis], return_index=True)
        return [(f"{self.name}.node{node[k] + 1}.{'xyz'[axis[k]]}", "m") for k in first]

    def natures(self) -> Array:
        return np.full(len(self.drawn), BEAM_POSITION_COORDINATE)

    def scale(self, size: float) -> Array:
        return np.full(len(self.drawn), size)

    def translation(self, axis: int) -> Array:
        moved = np.zeros(len(self.drawn))
        own = self.number[:, axis]
        moved[own[own != HELD_COORDINATE]] = 1.0
        return moved

    # mass and elements of its own ------------------------------------------------------------------------------------

    @functools.cached_property
    def element_masses(self) -> Array:
        """Consistent mass matrices of the cells, (cells, k, k), kg."""
        density = np.zeros(len(self.mesh.cells))
        for filling in self.fillings:
            density[filling.cells] = filling.density
        return element_masses(self.mesh.kind, self.mesh.nodes, self.mesh.cells, density, self.thickness)

    @functools.cached_property
    def node_masses(self) -> Array:
        return node_masses(self.element_masses, self.mesh.cells, len(self.mesh.nodes))

    def mass_entries(self) -> tuple[Array, Array, Array]:
        """Return M = T^T M_nodes T, the same along each axis."""
        import scipy.sparse as sparse

        node_row, node_col, values = mass_entries(self.element_masses, self.mesh.cells, self.lumped)
        count, size = len(self.mesh.nodes), 1 + max(int(part.index.max()) for part in (self, *self.carriers))
        of_nodes = sparse.csr_matrix((values, (node_row, node_col)), shape=(count, count))
        matrices = []
        for axis in range(self.dimension):
            node, column, weight = self.ties.columns(axis, self.at_nodes)
            T = sparse.csr_matrix((weight, (node, column)), shape=(count, size))
            matrices.append((T.T @ of_nodes @ T).tocoo())
        return tuple(np.concatenate([getattr(M, part) for M in matrices]) for part in ("row", "col", "data"))  # pyright: ignore[reportReturnType]

    def conditions(self) -> list[tuple[MechanismElement | ElementBlock, float]]:
        """Return the pins between nodes and planar bodies."""
        pin: Any = Joint.registry[2]["revolute"]
        pins: list[tuple[MechanismElement | ElementBlock, float]] = []
        for body, nodes in self.pinned:
            places = self.mesh.nodes[nodes]
            x, y = rotate((places - body.drawn[:2]).T, -body.drawn[2])
            par = np.column_stack((x, y, np.ones(len(nodes)), places))
            index = np.broadcast_to(body.index, (len(nodes), 3))
            coordinates = np.concatenate((index, self.at_nodes[nodes]), axis=1)
            pins.append((ElementBlock(pin, (body.family, NODE_FAMILIES[2]), coordinates, par), 0.0))
        return pins

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, MechanismElement | ElementBlock]]:
        return [(self.name, block) for own in self.blocks(gravity) for block in self.ties.blocks(own, self.at_nodes)]

    @functools.cached_property
    def numbers(self) -> Array:
        """Indices of the displacements of all nodes, (nodes, d), held or not."""
        return np.arange(self.number.size).reshape(self.number.shape)

    def blocks(self, gravity: Sequence[float]) -> list[ElementBlock]:
        """Return elastic forces, damping and weight. Coordinates are `numbers`."""
        all_blocks = self.filling_blocks(self.fillings)
        if any(gravity):
            par = weight_parameters(self.node_masses, np.array(gravity), self.mesh.nodes)
            all_blocks.append(ElementBlock(declare_force(weight_module(self.dimension)), (), self.numbers, par))
        return all_blocks

    def filling_blocks(self, fillings: Sequence[MaterialRegion]) -> list[ElementBlock]:
        """Return elastic forces and damping of some of its cells."""
        filled_blocks: list[ElementBlock] = []
        for filling in fillings:
            geometry = filling.geometry.without(self.ties.rigid(filling.geometry.cells))
            shape, dof = geometry.shape, geometry.dof(self.numbers)
            module = element_module(filling.material, shape, filling.mean)
            par = geometry.parameters(np.array(filling.constants))
            filled_blocks.append(ElementBlock(declare_force(module), (), dof, par))
            if filling.viscosity is not None:
                law, constants = filling.viscosity
                par = geometry.parameters(np.array(constants))
                filled_blocks.append(ElementBlock(declare_force(damping_module(law, shape)), (), dof, par))
        return filled_blocks

    @functools.cached_property
    def _sides(self) -> dict[str | None, Array]:
        return {}

    @property
    def areas(self) -> Sequence[str]:
        """Regions that have sides on the boundary."""
        return [name for name in self.mesh.regions if len(self.sides_of(name))]

    def sides_of(self, region: str | None) -> Array:
        """Return the sides of the boundary that contacts may use, (sides, nodes of a side): all, or those with all nodes in a
        region."""
        if region not in self._sides:
            boundary, inside = self.mesh.boundary, self.usable.copy()
            if region is not None:
                inside &= np.isin(np.arange(len(inside)), self.mesh.regions[region].nodes)
            self._sides[region] = boundary[inside[boundary].all(axis=1)]
        return self._sides[region]

    @functools.cached_property
    def usable(self) -> Array:
        """Mask of the nodes, (nodes,), that attachments may use."""
        return np.ones(len(self.mesh.nodes), dtype=bool)

    def skin(self, region: str | None = None) -> ContactPoints:
        """Return the contact points of its surface, or of that of a region."""
        return build_contact_points(self.mesh.nodes, self.sides_of(region), self.thickness)

    def loaded(self, load: str, region: str, signals: Sequence[int], programs: Sequence[Any]) -> list[ElementBlock]:
        """Apply a pressure or traction to a region. signals: indices of its functions of time in programs."""
        sides, places, d = self.sides_of(region), self.mesh.nodes, self.dimension
        if load == "pressure":
            declaration = declare_force(pressure_module(SIDE_TYPES[self.mesh.kind.name]))
            dof, par = self.numbers[sides].reshape(len(sides), -1), pressure_parameters(places, sides, self.thickness)
        else:
            shares = traction_shares(places, sides, self.thickness)
            nodes = np.flatnonzero(shares)
            declaration = declare_force(dead_load_module(d))
            dof = self.numbers[nodes]
            par = shares[nodes, None].repeat(d, axis=1)
        block = ElementBlock(declaration, (), dof, par, tuple(signals))
        # For reactions: those of held nodes are not in the tables.
        self.loads.append((block, [programs[k] for k in signals]))
        return list(self.ties.blocks(block, self.at_nodes))

    # places ----------------------------------------------------------------------------------------------------------

    @property
    def centre(self) -> PlaceCoordinates | None:
        return None

    def place(self, name: str) -> PlaceCoordinates | None:
        number = name.removeprefix("node")
        if name in self.points:
            return self.points[name]
        if name in self.mesh.regions:
            return self.middle(name)
        if number != name and number.isdecimal() and 1 <= int(number) <= len(self.mesh.nodes):
            return (float(number) - 1.0, 1.0)
        return None

    def middle(self, region: str) -> PlaceCoordinates:
        """Middle of a region: of its surface by area, if it has one, otherwise of its nodes. A force there is distributed
        evenly."""
        nodes, sides = self.mesh.regions[region].nodes, self.sides_of(region)
        shares = traction_shares(self.mesh.nodes, sides)[nodes] if len(sides) else np.ones(len(nodes))
        pairs = zip(nodes, shares / shares.sum(), strict=True)
        return tuple(x for node, share in pairs for x in (float(node), float(share)))

    def known_places(self) -> str:
        named = [*self.points, *self.mesh.regions]
        return f"one of {', '.join([*named, ''])}node1 to node{len(self.mesh.nodes)}"

    def examples(self) -> str:
        return " or ".join(f"{self.name}.{place}" for place in [*self.points, *self.mesh.regions, "node1"][:2])

    def name_of(self, local: PlaceCoordinates) -> str | None:
        if len(local) == 2:
            return f"node{int(local[0]) + 1}"
        return next((name for name in (*self.points, *self.mesh.regions) if self.place(name) == local), None)

    def at(self, local: PlaceCoordinates) -> PlacedMarker:
        nodes, weights = np.array(local[::2], dtype=int), np.array(local[1::2])
        index, parts, start = self.ties.place(nodes, weights, self.mesh.nodes, self.at_nodes)
        return PlacedMarker(
            interpolated_point_family(self.dimension, parts.size), index, (*parts.tolist(), *start.tolist())
        )

    def request_motion(self, label: str, velocity: Sequence[float], spin: Sequence[float]) -> RequestedVelocity:
        """Request a velocity of its centre of mass, m/s, and an angular velocity about it, rad/s, of the whole solid at the
        start: one row per coordinate."""
        moving = self.number != HELD_COORDINATE
        own, shares = self.number[moving], self.node_masses / self.node_masses.sum()

        def values(pose: Array) -> Array:
            u = np.zeros(self.number.shape)
            u[moving] = pose[own]
            arm = self.mesh.nodes + u - shares @ (self.mesh.nodes + u)
            turned = np.cross(spin, arm) if self.dimension == 3 else spin[0] * np.stack([-arm[:, 1], arm[:, 0]], axis=1)
            velocities = np.zeros(pose.size)
            velocities[own] = (np.array(velocity) + turned)[moving]
            return velocities

        return RequestedVelocity(label, self.index, lambda pose: np.ones(pose.size), values)

    @property
    def length(self) -> float:
        return float(np.linalg.norm(np.ptp(self.mesh.nodes, axis=0)))

    def drawn_places(self) -> list[Any]:
        low, high = self.mesh.bounds
        return [low, high]

    # strain ----------------------------------------------------------------------------------------------------------

    def strain_form(self, q: Array) -> list[tuple[Array, Array]]:
        """Return int |sym(R^T grad du)|^2 dV / V, with the rotation R of each element."""
        forms, volume = [], self.mesh.volume
        for filling in self.fillings:
            geometry = filling.geometry.without(self.ties.rigid(filling.geometry.cells))
            g, w = geometry.gradients, geometry.weights
            u = self.displacements(q)[geometry.cells]
            F = np.eye(self.dimension) + np.einsum("eai,epaj->epij", u, g).mean(axis=1)
            left, _, right = np.linalg.svd(F)
            R = left @ right
            # R^T grad du = sum_a (R^T du_a) g_a: in the frame of the element.
            turned = np.einsum("eij,epaj->epai", R, g)
            products = np.einsum("ep,epaj,epbj->eab", w, g, g)
            form = 0.5 * np.einsum("eab,ij->eaibj", products, np.eye(self.dimension))
            form += 0.5 * np.einsum("ep,epbi,epaj->eaibj", w, turned, turned)
            forms += self.ties.forms(geometry.cells, form / volume, self.at_nodes)
        return forms

    def strain(self, q: Array) -> PartStrain:
        u = self.displacements(q)
        if not u.any():
            return PartStrain(0.0, 0.0)
        largest_strain, stress = 0.0, 0.0
        for filling in self.fillings:
            fields = self.fields(filling, u)
            largest_strain = max(largest_strain, float(np.abs(fields.principal_stretches - 1.0).max()))
            stress = max(stress, float(fields.von_mises.max()))
        return PartStrain(largest_strain, stress)

    def fields(self, filling: MaterialRegion, displacements: Array) -> Any:
        from gaitwright.fem.stress import evaluate_point_fields

        return evaluate_point_fields(
            filling.material, np.array(filling.constants), filling.geometry, displacements, filling.mean
        )

    def piece(self) -> RigidSolidPiece | None:
        """Return the rigid piece if no node is held or shares coordinates; its coordinates are then in the order of its
        nodes."""
        return RigidSolidPiece(self.mesh.nodes) if self.number.size == len(self.drawn) else None

    def following(self) -> DependentCoordinates | None:
        return interpolate_ties(self.ties, self.mesh.nodes, self.number, HELD_COORDINATE) if self.tied else None

    # results ---------------------------------------------------------------------------------------------------------

    def outputs(self) -> Iterator[PartOutput]:
        return solid_outputs(self)

    def deforming(self, motion: Any) -> DeformedMesh:
        from gaitwright.fem.nodal_fields import evaluate_nodal_field as field_of

        moved = field_of(self, motion, "displacement")
        fields = [
            ("von Mises stress", "Pa", field_of(self, motion, "von_mises")),
            ("displacement", "m", np.linalg.norm(moved, axis=2)),
        ]
        return DeformedMesh(self.mesh, self.mesh.nodes + moved, fields, self.free)
