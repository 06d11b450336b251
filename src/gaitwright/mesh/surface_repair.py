"""Repair of triangle surfaces from scans and drawings before filling: welding, orientation, closing of holes, cutting; and a
report of defects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.jit import jit_compile
from gaitwright.mesh.cell_kinds import T3, Array
from gaitwright.mesh.cleanup import tidied
from gaitwright.mesh.distance import SurfaceTree
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.nearest_triangle import MAX_WAITING_BOXES
from gaitwright.mesh.optional_packages import import_package, package_version
from gaitwright.mesh.regions import MeshRegion, PlaneSelector, format_point
from gaitwright.mesh.topology import group_rows, label_pieces

MAX_NESTED_PIECES = 50
"""Upper bound of the pieces for which nesting is checked."""


class SurfaceReport(NamedTuple):
    """Defects of a surface. pieces: number of pieces connected by edges. holes: rim lengths of its holes, m. open_edges,
    crowded_edges: number of edges of only one triangle, and of more than two. crossing: number of triangles that intersect
    others.
    orientable: True if its triangles can be oriented consistently."""

    pieces: int
    holes: tuple[float, ...]
    open_edges: int
    crowded_edges: int
    crossing: int
    orientable: bool

    @property
    def closed(self) -> bool:
        return not self.open_edges and not self.crowded_edges and self.orientable

    def sentences(self) -> list[str]:
        """The report as sentences; the first states whether the surface is closed."""
        if self.closed:
            lines = ["the surface is closed"]
        else:
            lines = ["the surface is not closed"] if self.open_edges else ["the surface has no clear inside"]
        if self.holes:
            count = f"{len(self.holes)} hole{'' if len(self.holes) == 1 else 's'}"
            lines.append(f"{count} with {self.open_edges} edges, the longest rim {max(self.holes):.3g} m")
        if self.crowded_edges:
            lines.append(f"{self.crowded_edges} edges belong to more than two triangles")
        if not self.orientable:
            lines.append("its triangles have no consistent orientation, like a Moebius strip")
        if self.crossing:
            lines.append(f"{self.crossing} triangles go through others")
        if self.pieces > 1:
            lines.append(f"it is made of {self.pieces} pieces")
        return lines


def surface_report(surface: Mesh, crossings: bool = True) -> SurfaceReport:
    """Examine a surface of triangles. crossings: True to search for intersecting triangles. Raises ModelError unless the
    mesh is a surface of flat triangles."""
    _require_surface(surface, ErrorContext("surface_report"))
    orientations = _orient_triangles(surface.cells)
    rims = find_hole_rims(surface)
    crossing = len(find_crossing_triangles(SurfaceTree(surface.nodes, surface.cells))) if crossings else 0
    lengths = tuple(sorted((rim.length for rim in rims), reverse=True))
    return SurfaceReport(
        int(orientations.piece.max()) + 1,
        lengths,
        len(surface.boundary),
        len(surface._sides.crowded),
        crossing,
        orientations.orientable,
    )


class TriangleOrientations(NamedTuple):
    """Orientation of triangles. turn: (t,) mask of the triangles to be reversed so that all of a piece agree. piece: (t,)
    index of the piece connected by edges. orientable: False if no consistent orientation exists."""

    turn: Array
    piece: Array
    orientable: bool


def _orient_triangles(faces: Array) -> TriangleOrientations:
    """Neighbours agree if their triangles pass the common edge in opposite directions.

    The graph contains every triangle twice, as given and reversed; agreeing pairs are linked to the same state, others to the
    opposite state. The component of the first triangle of a piece then defines the orientation of the piece."""
    count = len(faces)
    rows = faces[:, np.array(T3.edges)].reshape(-1, 2)
    groups = group_rows(rows)
    order = np.argsort(groups.number, kind="stable")
    paired = order[groups.count[groups.number[order]] == 2].reshape(-1, 2)
    first, second = paired[:, 0] // 3, paired[:, 1] // 3
    against = (rows[paired[:, 0], 0] == rows[paired[:, 1], 0]) * count
    links = np.concatenate(
        [np.stack([first, second + against], axis=1), np.stack([first + count, second + count - against], axis=1)]
    )
    label = label_pieces(links, 2 * count)
    piece = label_pieces(np.stack([first, second], axis=1), count)
    leader = np.full(int(piece.max()) + 1, count)
    np.minimum.at(leader, piece, np.arange(count))
    turn = label[:count] != label[leader[piece]]
    return TriangleOrientations(turn, piece, bool((label[:count] != label[count:]).all()))


def oriented(surface: Mesh) -> Mesh:
    """The surface with all triangles counter-clockwise seen from outside. A closed piece inside another counts as a
    cavity."""
    _require_surface(surface, ErrorContext("oriented"))
    orientations = _orient_triangles(surface.cells)
    faces = np.where(orientations.turn[:, None], surface.cells[:, [1, 0, 2]], surface.cells)
    x = surface.nodes - surface.nodes.mean(axis=0)
    six = np.einsum("ti,ti->t", x[faces[:, 0]], np.cross(x[faces[:, 1]], x[faces[:, 2]]))
    inward = np.bincount(orientations.piece, six) < 0.0
    pieces = len(inward)
    cavities = []
    if 1 < pieces <= MAX_NESTED_PIECES:
        trees = [SurfaceTree(x, faces[orientations.piece == k]) for k in range(pieces)]
        for k in range(pieces):
            # The tree of an inverted piece returns distances of the opposite sign.
            point = x[faces[orientations.piece == k][:1, 0]]
            around = [
                (tree.query(point).distance[0] < 0.0) != inward[j]
                for j, tree in enumerate(trees)
                if j != k and tree.closed
            ]
            if sum(around) % 2:
                cavities.append(k)
        inward[cavities] = ~inward[cavities]
    faces = np.where(inward[orientations.piece][:, None], faces[:, [1, 0, 2]], faces)
    turned = int((faces != surface.cells).any(axis=1).sum())
    notes = list(surface.notes)
    if turned:
        notes.append(f"{turned} of {len(faces)} triangles were turned to be seen from outside")
    if cavities:
        notes.append(f"{len(cavities)} of its pieces lie inside another one and are taken as cavities")
    return replace(surface, cells=faces, notes=tuple(notes)) if turned or cavities else surface


class HoleRim(NamedTuple):
    """Rim of a hole: edges (k, 2) in the direction of their triangles, and length, m."""

    edges: Array
    length: float


def find_hole_rims(surface: Mesh) -> list[HoleRim]:
    """Rims of connected open edges."""
    edges = surface.boundary[:, :2]
    if not len(edges):
        return []
    used, local = np.unique(edges, return_inverse=True)
    label = label_pieces(local.reshape(-1, 2), len(used))[local.reshape(-1, 2)[:, 0]]
    length = np.linalg.norm(surface.nodes[edges[:, 1]] - surface.nodes[edges[:, 0]], axis=1)
    return [HoleRim(edges[label == k], float(length[label == k].sum())) for k in range(int(label.max()) + 1)]


def repaired(surface: Mesh, *, weld: float = 0.0, holes: float = 0.0) -> Mesh:
    """The surface with nodes at the same position merged (closer than weld, m), without flat and duplicate triangles,
    oriented, and with holes closed that have rims of at most `holes`, m: by a fan of triangles about the centre of the
    rim. The notes state all changes."""
    _require_surface(surface, ErrorContext("repaired"))
    mesh = tidied(surface.nodes, surface.cells, surface.regions, weld=weld, origin=surface.origin, notes=surface.notes)
    first = np.sort(group_rows(mesh.cells).first)
    double = len(mesh.cells) - len(first)
    if double:
        regions = {
            name: MeshRegion(r.nodes, np.flatnonzero(np.isin(first, r.cells))) for name, r in mesh.regions.items()
        }
        notes = (*mesh.notes, f"{double} triangles were there twice and dropped")
        mesh = tidied(mesh.nodes, mesh.cells[first], regions, origin=mesh.origin, notes=notes)
    mesh = oriented(mesh)
    closed = [rim for rim in find_hole_rims(mesh) if rim.length <= holes]
    if closed:
        mesh = oriented(_close_holes(mesh, closed))
        origin = f"{mesh.origin}; holes up to {holes:g} m closed"
        mesh = replace(mesh, origin=origin, notes=(*mesh.notes, f"{len(closed)} holes were closed"))
    return mesh


def _close_holes(mesh: Mesh, rims: list[HoleRim]) -> Mesh:
    nodes, cells = [mesh.nodes], [mesh.cells]
    count = len(mesh.nodes)
    for rim in rims:
        inside = rim.edges[:, ::-1]
        corners = np.unique(inside)
        if len(corners) == len(inside) == 3:
            cells.append(np.array([[*inside[0], np.setdiff1d(corners, inside[0])[0]]]))
            continue
        nodes.append(mesh.nodes[corners].mean(axis=0)[None])
        cells.append(np.column_stack([inside, np.full(len(inside), count)]))
        count += 1
    return replace(mesh, nodes=np.concatenate(nodes), cells=np.concatenate(cells))


def cut(surface: Mesh, point: Sequence[float], normal: Sequence[float], name: str = "cut") -> Mesh:
    """The part of a closed surface on the side of a plane to which its normal points, with a cap on the plane, which
    becomes a region. point: on the plane, m. name: of the region. Raises ModelError for an open surface, an invalid plane,
    or if no part remains."""
    at = ErrorContext("cut")
    _require_surface(surface, at)
    centre, direction = np.asarray(point, dtype=float), np.asarray(normal, dtype=float)
    if (
        centre.shape != (3,)
        or direction.shape != (3,)
        or not np.isfinite([*centre, *direction]).all()
        or not direction.any()
    ):
        at["normal"].fail("is not a plane", (point, normal), "a point and a direction of three numbers each")
    direction = direction / np.linalg.norm(direction)
    height = (surface.nodes - centre) @ direction
    if height.max() <= 0.0:
        at.fail(
            f"nothing is left on the side {format_point(direction)} of the plane through {format_point(centre)} m",
            expected=(
                f"a plane through it: it reaches from {format_point(surface.bounds[0])} to "
                f"{format_point(surface.bounds[1])} m"
            ),
        )
    if height.min() >= 0.0:
        return replace(surface, notes=(*surface.notes, "the plane does not cut the surface: all of it is kept"))
    report = surface_report(surface, crossings=False)
    if not report.closed:
        at.fail(
            f"cannot be capped: {', '.join(report.sentences())}",
            expected="a closed surface; gw.mesh.repaired(surface, holes=...)",
        )
    trimesh = import_package("trimesh", "cutting")
    for package in ("mapbox_earcut", "shapely", "networkx", "rtree"):  # the last two for caps of several rims
        import_package(package, "capping a cut")
    original = trimesh.Trimesh(np.array(surface.nodes), np.array(surface.cells), process=False)
    try:
        half = original.slice_plane(centre, direction, cap=True)
    except Exception as error:  # it triangulates an arbitrary polygon, which can fail
        at.fail(f"cannot be capped here ({str(error).splitlines()[0][:100] if str(error) else type(error).__name__})",
                expected="a plane that does not touch nodes: move it a little")  # fmt: skip
    mesh = tidied(np.asarray(half.vertices), np.asarray(half.faces), weld=1e-7 * surface.size)
    origin = f"{surface.origin}; cut at {format_point(centre)} m across {format_point(direction)} by {package_version(trimesh)}"
    mesh = replace(oriented(mesh), origin=origin, notes=surface.notes)
    on = PlaneSelector(tuple(centre), tuple(direction)).nodes(mesh)
    regions = {
        old: new_region
        for old, region in surface.regions.items()
        if (new_region := _transfer_region(surface, region, mesh))
    }
    return replace(mesh, regions=regions).with_region(name, nodes=on)


def _transfer_region(old: Mesh, region: MeshRegion, mesh: Mesh) -> MeshRegion | None:
    """Transfer a region of a surface to the nodes of another mesh that lie on its triangles; None if there are none."""
    if not len(region.cells):
        return None
    tree = SurfaceTree(old.nodes, old.cells[region.cells])
    on_surface = np.abs(tree.query(mesh.nodes).distance) <= 1e-6 * old.size
    return mesh._region(np.flatnonzero(on_surface), None) if on_surface.any() else None


def _require_surface(mesh: Mesh, at: ErrorContext) -> None:
    if not mesh.is_surface or mesh.kind is not T3:
        at.fail("is not a surface of flat triangles", mesh, "a surface, or mesh.surface()")


# Intersecting triangles, compiled, with the tree of boxes of nearest_triangle.py --------------------------------------


VOLUME_RTOL = 1e-12
"""Smallest significant volume, relative to the cube of the size of two triangles."""


@jit_compile
def _six_times_volume(a, b, c, d):
    """Six times the volume of a tetrahedron."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    wx, wy, wz = d[0] - a[0], d[1] - a[1], d[2] - a[2]
    return ux * (vy * wz - vz * wy) - uy * (vx * wz - vz * wx) + uz * (vx * wy - vy * wx)


@jit_compile
def _pierces(p, q, corners):
    """True if the line from p to q intersects a triangle: its ends lie on different sides by more than rounding, which
    could put coplanar neighbours there, and it passes all edges on the same side, or through one of them."""
    a, b, c = corners[0], corners[1], corners[2]
    size = 0.0
    for axis in range(3):
        size = max(size, abs(b[axis] - a[axis]), abs(c[axis] - a[axis]), abs(q[axis] - p[axis]))
    tolerance = VOLUME_RTOL * size**3
    volume_p, volume_q = _six_times_volume(a, b, c, p), _six_times_volume(a, b, c, q)
    if not ((volume_p > tolerance and volume_q < -tolerance) or (volume_p < -tolerance and volume_q > tolerance)):
        return False
    first, second, third = _six_times_volume(p, q, a, b), _six_times_volume(p, q, b, c), _six_times_volume(p, q, c, a)
    lowest, highest = min(first, second, third), max(first, second, third)
    return lowest > -tolerance or highest < tolerance


@jit_compile
def _mark_crossing(triangles, corners, boxes, crossing):
    """Mark triangles (t,) that intersect a triangle with which they share no node."""
    count, leaves = corners.shape[0], (boxes.shape[0] + 1) // 2
    waiting = np.empty(MAX_WAITING_BOXES, np.int64)
    low, high = np.empty(3), np.empty(3)
    for i in range(count):
        for axis in range(3):
            low[axis] = min(corners[i, 0, axis], corners[i, 1, axis], corners[i, 2, axis])
            high[axis] = max(corners[i, 0, axis], corners[i, 1, axis], corners[i, 2, axis])
        waiting[0], height = 0, 1
        while height > 0:
            height -= 1
            k = waiting[height]
            is_separate = False
            for axis in range(3):
                is_separate |= boxes[k, axis] > high[axis] or boxes[k, 3 + axis] < low[axis]
            if is_separate:
                continue
            if k < leaves - 1:
                waiting[height], waiting[height + 1] = 2 * k + 1, 2 * k + 2
                height += 2
                continue
            leaf = k - (leaves - 1)
            for j in range(leaf * count // leaves, (leaf + 1) * count // leaves):
                shared = False
                for a in range(3):
                    for b in range(3):
                        shared |= triangles[i, a] == triangles[j, b]
                if shared:
                    continue
                for a in range(3):
                    if _pierces(corners[i, a], corners[i, (a + 1) % 3], corners[j]):
                        crossing[i] = crossing[j] = True


def find_crossing_triangles(tree: SurfaceTree) -> Array:
    """Numbers of triangles that intersect others; pairs that only touch, or share a node, do not count."""
    crossing = np.zeros(len(tree.triangles), dtype=np.bool_)
    _mark_crossing(tree.triangles, tree._corners, tree._boxes, crossing)
    return np.sort(tree.order[crossing])
