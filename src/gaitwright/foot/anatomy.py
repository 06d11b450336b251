"""What a foot is made of: tissue on a mesh, rigid cores inside it, and hinges between these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree

from gaitwright.checks import At
from gaitwright.foot.measures import Below, from_below
from gaitwright.foot.shape import FootShape
from gaitwright.foot.tissue import REGIONS, Tissue
from gaitwright.mesh.distance import SurfaceTree
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Region

CORE_DENSITY = 1200.0
"""Of what is rigid, kg/m^3: bone with cartilage, tendons and marrow, so that a foot has 1100 as a whole (Dempster 1955)."""
ANKLE = (0.25, 0.0)
"""Where the load comes in, in lengths of the foot and widths of its ball: below the malleoli."""

AS_NEAR = 8
"""How many places of a lattice can be as near to another: more only about a centre of symmetry."""


class Core(NamedTuple):
    """A rigid piece: its nodes in the mesh of the tissue; volume, m^3; mass, kg; centre of mass, m; inertia about it, kg m^2
    (xx, yy, zz, xy, xz, yz); all in the frame of the foot."""

    name: str
    nodes: Array
    volume: float
    mass: float
    centre: Array
    inertia: Array


class Hinge(NamedTuple):
    """Between two cores: a place, m, an axis, and what turns it back to its rest, rad, N m/rad and N m s/rad. Positive angles
    bend the toes down."""

    name: str
    a: str
    b: str
    at: Array
    axis: Array
    stiffness: float
    damping: float
    rest: float = 0.0


class Anatomy(NamedTuple):
    """What a foot is made of. mesh: of its tissue, with the regions sole, those of cores (nodes) and those of tissue (cells,
    tissue_heel, ...). whole: cores with the tissue that is nearest to them. clamped: the part of all nodes that is rigid.
    below: thickness of tissue under heel, ball and toes, m. notes: what was decided."""

    mesh: Mesh
    cores: tuple[Core, ...]
    hinges: tuple[Hinge, ...]
    whole: tuple[Core, ...]
    clamped: float
    below: Mapping[str, float]
    notes: tuple[str, ...]


def divided(
    shape: FootShape,
    mesh: Mesh,
    tissue: Tissue,
    owner: Array,
    names: Sequence[str],
    hinges: tuple[Hinge, ...],
    how: str,
) -> Anatomy:
    """A filled foot, divided into cores and tissue. owner: of each node, the core it belongs to, -1 for none."""
    at = At("foot")
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
    soft, number = kept(mesh, np.flatnonzero(~of_core))
    height = height_over_sole(mesh, mesh.centroids[~of_core])
    length = shape.measures.length
    along = mesh.centroids[~of_core, 0] / length
    zone = np.where(height > 1.5 * tissue.thickness(along, length), REGIONS.index("rest"), tissue.zone(along))
    for k, region in enumerate(REGIONS):
        if (zone == k).any():
            soft = soft.with_region(f"tissue_{region}", cells=np.flatnonzero(zone == k))
    density = np.full(len(mesh.cells), CORE_DENSITY)
    density[~of_core] = np.array([tissue[region].density for region in REGIONS])[zone]
    nearest = KDTree(mesh.nodes[rigid]).query(mesh.centroids)[1]
    belongs = np.where(of_core, belongs, owner[rigid][nearest])
    cores, whole = [], []
    for k, name in enumerate(names):
        nodes = number[owner == k]
        nodes = nodes[nodes >= 0]
        soft = soft.with_region(name, nodes=nodes, cells=[])
        points, own = mesh.nodes[owner == k], belongs == k
        cores.append(_core(name, nodes, mesh, np.flatnonzero(of_core & own), points, density))
        whole.append(_core(name, nodes, mesh, np.flatnonzero(own), points, density))
        if not (of_core & own).any():  # the shell of a clamped top
            whole[-1] = heavier(whole[-1], np.full(len(points), cores[-1].mass / len(points)), points)
    below = thickness_below(soft, rigid[number_of(number)], shape)
    said = ", ".join(f"{1e3 * value:.0f} mm under the {name}" for name, value in below.items())
    clamped = float(rigid.mean())
    notes = (f"{how}: {100 * clamped:.0f} % of the nodes are rigid; tissue is {said} thick",)
    return Anatomy(soft, tuple(cores), hinges, tuple(whole), clamped, below, notes)


def kept(mesh: Mesh, cells: Array) -> tuple[Mesh, Array]:
    """Some cells of a mesh with their nodes and regions, and the new number of each node, -1 where it is gone."""
    used, flat = np.unique(mesh.cells[cells], return_inverse=True)
    number, place = np.full(len(mesh.nodes), -1), np.full(len(mesh.cells), -1)
    number[used], place[cells] = np.arange(len(used)), np.arange(len(cells))
    regions = {}
    for name, region in mesh.regions.items():
        nodes, own = number[region.nodes], place[region.cells]
        nodes, own = nodes[nodes >= 0], own[own >= 0]
        if len(nodes) or len(own):
            regions[name] = Region(nodes, own)
    return Mesh(mesh.nodes[used], flat.reshape(-1, mesh.cells.shape[1]), regions, mesh.origin, mesh.notes), number


def number_of(number: Array) -> Array:
    """The old number of each node that is left."""
    return np.flatnonzero(number >= 0)


def _core(name: str, nodes: Array, mesh: Mesh, cells: Array, points: Array, density: Array) -> Core:
    """Of some cells; of points alone, as a clamped top has, a shell of 1 mm on them."""
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
        mass = CORE_DENSITY * volume
        second = mass * (np.cov(points.T, bias=True) + 1e-6 * np.eye(3))
    tensor = np.trace(second) * np.eye(3) - second
    inertia = np.array([*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]])
    return Core(name, nodes, volume, mass, centre, inertia)


def heavier(core: Core, mass: Array, places: Array) -> Core:
    """A core that carries more: masses, kg, at places, m."""
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


def thickness_over(soft: Mesh, rigid: Array, points: Array) -> Array:
    """Of tissue from points (p, 3) of the sole straight up to what is rigid, m; infinite where nothing is."""
    faces = soft.boundary[rigid[soft.boundary].all(axis=1)]
    used, flat = np.unique(faces[:, ::-1], return_inverse=True)
    above = from_below(Mesh(soft.nodes[used], flat.reshape(-1, 3)), soft.size / 260)
    return np.maximum(_looked_up(above, points) - points[:, 2], 0.0)


def thickness_below(soft: Mesh, rigid: Array, shape: FootShape) -> dict[str, float]:
    """Medians of the thickness of tissue under the lowest of heel, ball and toes, m, where something rigid is above."""
    length = shape.measures.length
    sole = soft.nodes[soft.region("sole").nodes]
    found = {}
    for name, (start, end) in {"heel": (0.08, 0.24), "ball": (0.66, 0.78), "toes": (0.88, 0.97)}.items():
        low = sole[(sole[:, 0] > start * length) & (sole[:, 0] < end * length)]
        thick = thickness_over(soft, rigid, low[low[:, 2] < low[:, 2].min() + 0.004]) if len(low) else low
        thick = thick[np.isfinite(thick)]
        if len(thick):
            found[name] = float(np.median(thick))
    return found


def depth_in_core(shape: FootShape, mesh: Mesh, tissue: Tissue) -> Array:
    """How far each node lies inside of what is rigid, m, negative in tissue: that is as thick as told from below, and half as
    thick from other sides."""
    length = shape.measures.length
    needed = tissue.thickness(mesh.nodes[:, 0] / length, length)
    return np.minimum(height_over_sole(mesh, mesh.nodes) - needed, depth(mesh) - 0.5 * needed)


def depth(mesh: Mesh) -> Array:
    """How deep each node lies below the skin, m: the surface without its cut, where the leg goes on."""
    sides = mesh.boundary[:, :3]
    if "cut" in mesh.regions:
        sides = sides[~np.isin(sides, mesh.region("cut").nodes).all(axis=1)]
    return np.abs(SurfaceTree(mesh.nodes, sides).query(mesh.nodes).distance)


def height_over_sole(mesh: Mesh, points: Array) -> Array:
    """How far each point (p, 3) lies over what of the surface is lowest below it, m."""
    seen = from_below(mesh.surface(), mesh.size / 260)
    return points[:, 2] - _looked_up(seen._replace(z=_spread(seen.z)), points)


def _spread(z: Array) -> Array:
    """Heights on a lattice, also where nothing is seen: those of the nearest place, the lowest of several that are as near, so
    that what is mirrored has the same."""
    there = np.isfinite(z)
    unseen = np.argwhere(~there)
    if not len(unseen):
        return z
    away, nearest = KDTree(np.argwhere(there)).query(unseen, k=min(AS_NEAR, int(there.sum())))
    away, heights = away.reshape(len(unseen), -1), z[there][nearest].reshape(len(unseen), -1)
    found = z.copy()
    found[tuple(unseen.T)] = np.where(away < away[:, :1] + 1e-6, heights, np.inf).min(axis=1)
    return found


def _looked_up(seen: Below, points: Array) -> Array:
    """Heights of what is seen from below at points (p, 3), m, between the middles of cells; infinite beside it."""
    place = (points[:, :2] - [seen.x[0], seen.y[0]]) / seen.cell
    most = np.array(seen.z.shape) - 1
    first = np.clip(np.floor(place).astype(int), 0, np.maximum(most - 1, 0))
    part = np.clip(place - first, 0.0, 1.0)
    found, total = np.zeros(len(points)), np.zeros(len(points))
    for corner in np.ndindex(2, 2):
        z = seen.z[tuple(np.minimum(first + corner, most).T)]
        weight = np.where(np.array(corner) == 1, part, 1.0 - part).prod(axis=1) * np.isfinite(z)
        total += weight
        found += weight * np.where(np.isfinite(z), z, 0.0)
    there = (np.abs(place - 0.5 * most) <= 0.5 * most + 1.0).all(axis=1) & (total > 0.0)
    return np.where(there, found / np.where(there, total, 1.0), np.inf)
