"""Foot anatomy: tissue on a mesh, rigid cores inside it, and hinges between the cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.measures import SoleHeightMap, map_heights_from_below
from gaitwright.foot.shape import FootShape
from gaitwright.foot.tissue import TISSUE_REGIONS, Tissue
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.distance import SurfaceTree
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import MeshRegion

CORE_DENSITY_KG_M3 = 1200.0
"""Density of rigid cores, kg/m^3: bone with cartilage, tendons and marrow. The whole foot then has about 1100
(Dempster 1955)."""
ANKLE_POSITION_RATIOS = (0.25, 0.0)
"""Point of load application, in foot lengths (x) and ball widths (y): below the malleoli."""

MAX_EQUIDISTANT_CELLS = 8
"""Maximum number of lattice cells at equal distance from another; more occur only around a centre of symmetry."""


class FootCore(NamedTuple):
    """A rigid piece: its nodes in the tissue mesh; volume, m^3; mass, kg; centre of mass, m; inertia about it, kg
    m^2 (xx, yy, zz, xy, xz, yz); all in the frame of the foot."""

    name: str
    nodes: Array
    volume: float
    mass: float
    centre: Array
    inertia: Array


class FootHinge(NamedTuple):
    """A hinge between two cores: position, m; axis; stiffness, N m/rad, and damping, N m s/rad, towards the rest
    angle, rad. Positive angles bend the toes down."""

    name: str
    a: str
    b: str
    at: Array
    axis: Array
    stiffness: float
    damping: float
    rest: float = 0.0


class FootAnatomy(NamedTuple):
    """Tissue mesh, cores and hinges of a foot. mesh: of the tissue, with the regions sole, one per core (nodes) and
    one per tissue region (cells, tissue_heel, ...). whole: cores including the tissue nearest to them. clamped:
    fraction of all nodes that is rigid. below: thickness of tissue under heel, ball and toes, m. notes: decisions
    made during the division."""

    mesh: Mesh
    cores: tuple[FootCore, ...]
    hinges: tuple[FootHinge, ...]
    whole: tuple[FootCore, ...]
    clamped: float
    below: Mapping[str, float]
    notes: tuple[str, ...]


def divide_foot(
    shape: FootShape,
    mesh: Mesh,
    tissue: Tissue,
    owner: Array,
    names: Sequence[str],
    hinges: tuple[FootHinge, ...],
    how: str,
) -> FootAnatomy:
    """Divide a filled foot into cores and tissue. owner: core index of each node, -1 for none."""
    at = ErrorContext("foot")
    mesh.region("sole")
    for k, name in enumerate(names):
        if not (owner == k).any():
            at["inside"].fail(
                f"the core '{name}' holds no node of the mesh", expected="smaller cells, thinner tissue or a clamp"
            )
    rigid = owner >= 0
    if (skin := int(rigid[mesh.region("sole").nodes].sum())) and len(names) > 1:
        at["inside"].fail(f"{skin} nodes of the sole lie in cores", expected="cores that lie inside the skin")
    corners = mesh.cells[:, : mesh.kind.corners]
    of_core = rigid[corners].all(axis=1)
    if of_core.all():
        at["inside"].fail("leaves no tissue", expected="a clamp or cores that are smaller")
    # A cell between two cores counts for the one that has more of its corners.
    belongs = np.argmax([(owner[corners] == k).sum(axis=1) for k in range(len(names))], axis=0)
    soft, number = extract_cells(mesh, np.flatnonzero(~of_core))
    height = height_over_sole(mesh, mesh.centroids[~of_core])
    length = shape.measures.length
    along = mesh.centroids[~of_core, 0] / length
    zone = np.where(height > 1.5 * tissue.thickness(along, length), TISSUE_REGIONS.index("rest"), tissue.zone(along))
    for k, region in enumerate(TISSUE_REGIONS):
        if (zone == k).any():
            soft = soft.with_region(f"tissue_{region}", cells=np.flatnonzero(zone == k))
    density = np.full(len(mesh.cells), CORE_DENSITY_KG_M3)
    density[~of_core] = np.array([tissue[region].density for region in TISSUE_REGIONS])[zone]
    nearest = KDTree(mesh.nodes[rigid]).query(mesh.centroids)[1]
    belongs = np.where(of_core, belongs, owner[rigid][nearest])
    cores, whole = [], []
    for k, name in enumerate(names):
        nodes = number[owner == k]
        nodes = nodes[nodes >= 0]
        soft = soft.with_region(name, nodes=nodes, cells=[])
        points, own = mesh.nodes[owner == k], belongs == k
        cores.append(_make_core(name, nodes, mesh, np.flatnonzero(of_core & own), points, density))
        whole.append(_make_core(name, nodes, mesh, np.flatnonzero(own), points, density))
        if not (of_core & own).any():  # the shell of a clamped top
            whole[-1] = add_point_masses(whole[-1], np.full(len(points), cores[-1].mass / len(points)), points)
    below = median_sole_thickness(soft, rigid[original_node_numbers(number)], shape)
    thicknesses = ", ".join(f"{1e3 * value:.0f} mm under the {name}" for name, value in below.items())
    clamped = float(rigid.mean())
    notes = (f"{how}: {100 * clamped:.0f} % of the nodes are rigid; tissue is {thicknesses} thick",)
    return FootAnatomy(soft, tuple(cores), hinges, tuple(whole), clamped, below, notes)


def extract_cells(mesh: Mesh, cells: Array) -> tuple[Mesh, Array]:
    """Extract some cells of a mesh with their nodes and regions. Also return the new number of each node, -1 if it
    is removed."""
    used, flat = np.unique(mesh.cells[cells], return_inverse=True)
    number, place = np.full(len(mesh.nodes), -1), np.full(len(mesh.cells), -1)
    number[used], place[cells] = np.arange(len(used)), np.arange(len(cells))
    regions = {}
    for name, region in mesh.regions.items():
        nodes, own = number[region.nodes], place[region.cells]
        nodes, own = nodes[nodes >= 0], own[own >= 0]
        if len(nodes) or len(own):
            regions[name] = MeshRegion(nodes, own)
    return Mesh(mesh.nodes[used], flat.reshape(-1, mesh.cells.shape[1]), regions, mesh.origin, mesh.notes), number


def original_node_numbers(number: Array) -> Array:
    """Return the original number of each node that remains."""
    return np.flatnonzero(number >= 0)


def _make_core(name: str, nodes: Array, mesh: Mesh, cells: Array, points: Array, density: Array) -> FootCore:
    """Make a core from cells; without cells (a clamped top has only points), a shell of 1 mm on the points."""
    if len(cells):
        volume = float(mesh.volumes[cells].sum())
        masses = density[cells] * mesh.volumes[cells]
        x = mesh.nodes[mesh.cells[cells][:, :4]]
        mass, first = float(masses.sum()), x.sum(axis=1)
        centre = np.einsum("c,ci->i", masses, first) / (4.0 * mass)
        second = np.einsum("c,cki,ckj->ij", masses / 20.0, x, x) + np.einsum("c,ci,cj->ij", masses / 20.0, first, first)
        second = second - mass * np.outer(centre, centre)
    else:
        centre = points.mean(axis=0)
        volume = 1e-3 * float(np.prod(np.ptp(points[:, :2], axis=0)))
        mass = CORE_DENSITY_KG_M3 * volume
        second = mass * (np.cov(points.T, bias=True) + 1e-6 * np.eye(3))
    tensor = np.trace(second) * np.eye(3) - second
    inertia = np.array([*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]])
    return FootCore(name, nodes, volume, mass, centre, inertia)


def add_point_masses(core: FootCore, mass: Array, places: Array) -> FootCore:
    """Add point masses, kg, at places, m, to a core."""
    total = core.mass + float(mass.sum())
    centre = (core.mass * core.centre + mass @ places) / total

    def about(m: Array, x: Array) -> Array:
        """Inertia of masses about the new centre."""
        r = x - centre
        second = np.einsum("c,ci,cj->ij", m, r, r)
        tensor = np.trace(second) * np.eye(3) - second
        return np.array([*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]])

    inertia = core.inertia + about(np.array([core.mass]), core.centre[None]) + about(mass, places)
    return core._replace(mass=total, centre=centre, inertia=inertia)


def tissue_thickness_over_sole(soft: Mesh, rigid: Array, points: Array) -> Array:
    """Thickness of tissue from points (p, 3) of the sole straight up to the rigid parts, m; infinite where there are
    none."""
    faces = soft.boundary[rigid[soft.boundary].all(axis=1)]
    used, flat = np.unique(faces[:, ::-1], return_inverse=True)
    above = map_heights_from_below(Mesh(soft.nodes[used], flat.reshape(-1, 3)), soft.size / 260)
    return np.maximum(_look_up_heights(above, points) - points[:, 2], 0.0)


def median_sole_thickness(soft: Mesh, rigid: Array, shape: FootShape) -> dict[str, float]:
    """Median thickness of tissue under the lowest nodes of heel, ball and toes, m, where a rigid part lies above."""
    length = shape.measures.length
    sole = soft.nodes[soft.region("sole").nodes]
    thicknesses = {}
    for name, (start, end) in {"heel": (0.08, 0.24), "ball": (0.66, 0.78), "toes": (0.88, 0.97)}.items():
        low = sole[(sole[:, 0] > start * length) & (sole[:, 0] < end * length)]
        thick = tissue_thickness_over_sole(soft, rigid, low[low[:, 2] < low[:, 2].min() + 0.004]) if len(low) else low
        thick = thick[np.isfinite(thick)]
        if len(thick):
            thicknesses[name] = float(np.median(thick))
    return thicknesses


def depth_in_core(shape: FootShape, mesh: Mesh, tissue: Tissue) -> Array:
    """Depth of each node inside the rigid parts, m, negative in tissue. Tissue has its nominal thickness measured
    from below and half of it from the other sides."""
    length = shape.measures.length
    needed = tissue.thickness(mesh.nodes[:, 0] / length, length)
    return np.minimum(height_over_sole(mesh, mesh.nodes) - needed, depth_below_skin(mesh) - 0.5 * needed)


def depth_below_skin(mesh: Mesh) -> Array:
    """Depth of each node below the skin, m. The skin excludes the cut, where the leg continues."""
    sides = mesh.boundary[:, :3]
    if "cut" in mesh.regions:
        sides = sides[~np.isin(sides, mesh.region("cut").nodes).all(axis=1)]
    return np.abs(SurfaceTree(mesh.nodes, sides).query(mesh.nodes).distance)


def height_over_sole(mesh: Mesh, points: Array) -> Array:
    """Height of each point (p, 3) over the lowest surface point below it, m."""
    seen = map_heights_from_below(mesh.surface(), mesh.size / 260)
    return points[:, 2] - _look_up_heights(seen._replace(z=_fill_height_gaps(seen.z)), points)


def _fill_height_gaps(z: Array) -> Array:
    """Fill gaps of a height map with the value of the nearest cell; of several equidistant cells, with the lowest,
    so that mirrored shapes give equal heights."""
    there = np.isfinite(z)
    unseen = np.argwhere(~there)
    if not len(unseen):
        return z
    away, nearest = KDTree(np.argwhere(there)).query(unseen, k=min(MAX_EQUIDISTANT_CELLS, int(there.sum())))
    away, heights = away.reshape(len(unseen), -1), z[there][nearest].reshape(len(unseen), -1)
    filled = z.copy()
    filled[tuple(unseen.T)] = np.where(away < away[:, :1] + 1e-6, heights, np.inf).min(axis=1)
    return filled


def _look_up_heights(seen: SoleHeightMap, points: Array) -> Array:
    """Interpolate a height map at points (p, 3), m, between cell centres; infinite outside the map."""
    place = (points[:, :2] - [seen.x[0], seen.y[0]]) / seen.cell
    most = np.array(seen.z.shape) - 1
    first = np.clip(np.floor(place).astype(int), 0, np.maximum(most - 1, 0))
    part = np.clip(place - first, 0.0, 1.0)
    heights, total = np.zeros(len(points)), np.zeros(len(points))
    for corner in np.ndindex(2, 2):
        z = seen.z[tuple(np.minimum(first + corner, most).T)]
        weight = np.where(np.array(corner) == 1, part, 1.0 - part).prod(axis=1) * np.isfinite(z)
        total += weight
        heights += weight * np.where(np.isfinite(z), z, 0.0)
    there = (np.abs(place - 0.5 * most) <= 0.5 * most + 1.0).all(axis=1) & (total > 0.0)
    return np.where(there, heights / np.where(there, total, 1.0), np.inf)
