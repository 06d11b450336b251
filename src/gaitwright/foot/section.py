"""Section of a foot along its length: plane-strain finite elements of the section through the heel-toe line.

    outline      intersection of a plane y = const with the skin; columns of nodes between its lowest and its highest point
    rigid parts  cores and hinges, or a clamp, by the same rules as in space (rigid_parts.py, anatomy.py), with depths
                 below the outline
    depth        m, across; default: mean width of the sole, so that forces are about those of the whole foot. With 1, forces,
                 masses and hinge springs are per metre: those of the foot, times depth by width

A section has the same depth at heel, arch and ball; the load distribution between them therefore differs from that in space.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.anatomy import CORE_DENSITY_KG_M3, FootCore, extract_cells
from gaitwright.foot.mesh_snapping import snap_to_level
from gaitwright.foot.rigid_parts import Clamp
from gaitwright.foot.shape import FootShape
from gaitwright.foot.tissue import TISSUE_REGIONS
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.distance import OutlineTree
from gaitwright.mesh.lattices import grid_cells
from gaitwright.mesh.mesh import Mesh

MIN_SOLE_NORMAL_DOWN = 0.5
"""Minimum downward component of the outward normal of a sole facet, as in parametric_shape.py."""
COLUMNS_PER_CELL = 2.0
"""Columns of a section per cell of the foot: plane elements are cheap."""
END_COLUMN_HEIGHT_RATIO = 0.4
"""Height of the first and last column, relative to the column next to it: at its ends, a round foot has zero height."""
MIN_LAYERS = 6
"""Minimum number of layers from sole to back; they are thinner towards the sole, by LAYER_GRADING."""
LAYER_GRADING = 1.25
SHELL_THICKNESS_M = 1e-3
"""Thickness of a core that consists only of a clamped border, m."""


class FootSection(NamedTuple):
    """Section of a foot. mesh: triangles of the tissue, (x, z) of the foot, m, with the regions sole, of cores
    (nodes) and of tissue (cells). cores: their masses, kg, and inertias about y, kg m^2. depth: m; share: depth
    divided by the mean width of the sole."""

    mesh: Mesh
    cores: tuple[FootCore, ...]
    depth: float
    share: float


def make_foot_section(foot: Any, depth: float | None = None, line: float = 0.0) -> FootSection:
    """Make the section of a foot at y = line, m, in its frame."""
    at, shape, tissue = ErrorContext("foot", "section"), foot.shape, foot.tissue
    if foot.worn:
        at.fail("wears layers, and a section has none", expected="a bare foot, or speed='foundation'")
    measures = shape.measures
    width = measures.sole_area / measures.length
    across = width if depth is None else float(ErrorContext("foot", "depth").positive(depth, "m"))
    side = foot.mesh.side_areas[foot.mesh.sides_in("sole")]
    whole, low = mesh_outline(shape, float(np.sqrt(2.0 * side.mean())), line, at)
    clamp = isinstance(foot.inside, Clamp)
    if clamp:
        above = measures.height * (1.0 - 1e-9) if foot.inside.above is None else foot.inside.above
        rigid = whole.nodes[:, 1] >= above
    else:
        whole, rigid = snap_to_level(whole, _depth_in_core(foot, whole, low, line))
    owner = np.zeros(len(whole.nodes), dtype=int)
    for k, hinge in enumerate(foot.anatomy.hinges):
        owner[whole.nodes[:, 0] > hinge.at[0] + hinge.axis[0] / hinge.axis[1] * (line - hinge.at[1])] = k + 1
    owner = np.where(rigid, owner, -1)
    names = [core.name for core in foot.anatomy.cores]
    for k, name in enumerate(names):
        if not (owner == k).any():
            at.fail(f"at y = {line:g} m holds nothing of the core '{name}'", expected="smaller cells, or another line")
    corners = whole.cells[:, :3]
    of_core = rigid[corners].all(axis=1)
    if of_core.all():
        at.fail("has no tissue", expected="a clamp or cores that are smaller")
    soft, number = extract_cells(whole, np.flatnonzero(~of_core))
    middles = whole.centroids[~of_core]
    along = middles[:, 0] / measures.length
    high = middles[:, 1] - np.interp(middles[:, 0], *low) > 1.5 * tissue.thickness(along, measures.length)
    zone = np.where(high, TISSUE_REGIONS.index("rest"), tissue.zone(along))
    for k, region in enumerate(TISSUE_REGIONS):
        if (zone == k).any():
            soft = soft.with_region(f"tissue_{region}", cells=np.flatnonzero(zone == k))
    belongs = np.argmax([(owner[corners] == k).sum(axis=1) for k in range(len(names))], axis=0)
    cores = []
    for k, name in enumerate(names):
        nodes = number[owner == k]
        soft = soft.with_region(name, nodes=nodes[nodes >= 0], cells=[])
        cells = np.flatnonzero(of_core & (belongs == k))
        cores.append(_make_section_core(name, nodes[nodes >= 0], whole, cells, whole.nodes[owner == k], across, line))
    mesh = soft.quadratic() if foot.quadratic else soft
    return FootSection(mesh, tuple(cores), across, across / width)


def mesh_outline(shape: FootShape, spacing: float, line: float, at: ErrorContext) -> tuple[Mesh, tuple[Array, Array]]:
    """Mesh of triangles (x, z) of a section, m, with the region sole; and its lower border, x and z."""
    ends = _plane_cut_segments(shape.surface, line)
    if not len(ends):
        at.fail(
            f"at y = {line:g} m does not cut the foot", expected="a line through it: 0 is from the heel to the toes"
        )
    first, last = float(ends[..., 0].min()), float(ends[..., 0].max())
    fine = np.linspace(first, last, 2001)
    low, high = _section_borders(ends, fine)
    columns = max(8, round(COLUMNS_PER_CELL * (last - first) / spacing))
    tall, step = high - low, len(fine) // columns
    begin = int(np.argmax(tall[:-step] >= END_COLUMN_HEIGHT_RATIO * tall[step:]))
    end = (
        len(fine)
        - 1
        - int(np.argmax(tall[:step:-1] >= END_COLUMN_HEIGHT_RATIO * tall[-step - 1 :: -1][: len(tall) - step - 1]))
    )
    x = np.linspace(fine[begin], fine[end], columns + 1)
    bottom, top = (np.interp(x, fine, border) for border in (low, high))
    layers = max(MIN_LAYERS, round(0.5 * COLUMNS_PER_CELL * float((top - bottom).max()) / spacing))
    part = (np.arange(layers + 1) / layers) ** LAYER_GRADING
    z = bottom[:, None] + (top - bottom)[:, None] * part
    nodes = np.stack([np.repeat(x, layers + 1), z.ravel()], axis=1)
    mesh = Mesh(nodes, grid_cells((columns, layers)), origin=f"section of a foot at y = {line:g} m")
    lowest = np.arange(columns + 1) * (layers + 1)
    down = np.diff(x) / np.hypot(np.diff(x), np.diff(bottom)) >= MIN_SOLE_NORMAL_DOWN
    touching = np.zeros(columns + 1, dtype=bool)
    touching[:-1] |= down
    touching[1:] |= down
    return mesh.with_region("sole", nodes=lowest[touching], cells=[]), (x, bottom)


def _plane_cut_segments(surface: Mesh, line: float) -> Array:
    """End points (segments, 2, 2) of the intersection of a surface with the plane y = line: x and z, m."""
    y = surface.nodes[:, 1] - line
    above = y >= 0.0  # no node lies in the plane
    corners = surface.cells[:, :3]
    many = above[corners].sum(axis=1)
    crossed, many = corners[(many == 1) | (many == 2)], many[(many == 1) | (many == 2)]
    # The corner alone on its side comes first: the plane cuts its edges to the other two.
    alone = np.argmax(above[crossed] == (many == 1)[:, None], axis=1)
    tip, *others = (np.take_along_axis(crossed, (alone[:, None] + k) % 3, axis=1)[:, 0] for k in range(3))
    ends = []
    for other in others:
        part = y[tip] / (y[tip] - y[other])
        ends.append((surface.nodes[tip] + part[:, None] * (surface.nodes[other] - surface.nodes[tip]))[:, [0, 2]])
    return np.stack(ends, axis=1)


def _section_borders(ends: Array, x: Array) -> tuple[Array, Array]:
    """Lowest and highest z of segments at positions x (p,), m."""
    low, high = np.full(x.size, np.inf), np.full(x.size, -np.inf)
    near = 1e-9 * float(np.ptp(x))
    for a, b in ends:
        a, b = (a, b) if a[0] <= b[0] else (b, a)
        begin, end = np.searchsorted(x, a[0] - near), np.searchsorted(x, b[0] + near)
        over = slice(int(begin), int(end))
        z = np.interp(x[over], [a[0], b[0]], [a[1], b[1]]) if b[0] > a[0] else np.full(end - begin, min(a[1], b[1]))
        top = z if b[0] > a[0] else np.full(end - begin, max(a[1], b[1]))
        low[over], high[over] = np.minimum(low[over], z), np.maximum(high[over], top)
    return low, high


def _depth_in_core(foot: Any, mesh: Mesh, low: tuple[Array, Array], line: float) -> Array:
    """Depth of each node inside the rigid parts, m, negative in tissue, as in anatomy.depth_in_core."""
    x, z = mesh.nodes.T
    if foot.inside.bones is not None:
        return -foot.inside.bones.distance(np.stack([x, np.full(x.size, line), z], axis=1))
    measures, sides = foot.shape.measures, mesh.boundary[:, :2]
    needed = foot.tissue.thickness(x / measures.length, measures.length)
    skin = sides[~(z[sides] >= measures.height * (1.0 - 1e-6)).all(axis=1)]  # without the cut, where the leg continues
    away = np.abs(OutlineTree(mesh.nodes, skin).query(mesh.nodes).distance)
    return np.minimum(z - np.interp(x, *low) - needed, away - 0.5 * needed)


def _make_section_core(
    name: str, nodes: Array, mesh: Mesh, cells: Array, points: Array, depth: float, line: float
) -> FootCore:
    """Make a core from cells, with the depth of the section; without cells (a clamped border), a shell on its
    points."""
    if len(cells):
        corners = mesh.nodes[mesh.cells[cells][:, :3]]
        masses = CORE_DENSITY_KG_M3 * depth * mesh.volumes[cells]
        mass, middles = float(masses.sum()), corners.mean(axis=1)
        centre = masses @ middles / mass
        # The second moment of a triangle about its centroid is m/36 times the sum of the squares of its sides.
        own = sum(np.sum((corners[:, a] - corners[:, b]) ** 2, axis=1) for a, b in ((0, 1), (1, 2), (2, 0))) / 36.0
        about = float(masses @ (own + np.sum((middles - centre) ** 2, axis=1)))
    else:
        centre, long = points.mean(axis=0), float(np.ptp(points[:, 0]))
        mass = CORE_DENSITY_KG_M3 * SHELL_THICKNESS_M * long * depth
        about = mass * long**2 / 12.0
    place = np.array([centre[0], line, centre[1]])
    return FootCore(name, nodes, mass / CORE_DENSITY_KG_M3, mass, place, np.array([0.0, about, 0.0, 0.0, 0.0, 0.0]))
