"""Surfaces of triangles as scans and drawings give them, made fit to be filled: joined, oriented, closed, cut; and what is
wrong with them, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.crossings import crossing_triangles
from gaitwright.mesh.distance import SurfaceTree
from gaitwright.mesh.extras import needed, version_of
from gaitwright.mesh.kinds import T3, Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Plane, Region, said
from gaitwright.mesh.tidy import tidied
from gaitwright.mesh.topology import groups_of, pieces_of

HOLE = 0.1
"""Of the size of a surface: holes whose rim is not longer are small."""
NESTED = 50
"""Pieces up to which it is looked whether one lies inside another."""


class SurfaceReport(NamedTuple):
    """What is to be known of a surface. pieces: how many hang together by edges. holes: lengths of the rims of its holes, m.
    open_edges, crowded_edges: edges of one triangle alone, and of more than two. crossing: triangles that go through others.
    orientable: whether its triangles can all be seen from outside."""

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
        """For people; the first says whether it is closed."""
        if self.closed:
            found = ["the surface is closed"]
        else:
            found = ["the surface is not closed"] if self.open_edges else ["the surface has no clear inside"]
        if self.holes:
            count = f"{len(self.holes)} hole{'' if len(self.holes) == 1 else 's'}"
            found.append(f"{count} with {self.open_edges} edges, the longest rim {max(self.holes):.3g} m")
        if self.crowded_edges:
            found.append(f"{self.crowded_edges} edges belong to more than two triangles")
        if not self.orientable:
            found.append("its triangles cannot all be seen from outside, as a Moebius strip's cannot")
        if self.crossing:
            found.append(f"{self.crossing} triangles go through others")
        if self.pieces > 1:
            found.append(f"it is made of {self.pieces} pieces")
        return found


def surface_report(surface: Mesh, crossings: bool = True) -> SurfaceReport:
    """Look at a surface of triangles. crossings: whether triangles that go through each other are looked for."""
    _is_surface(surface, At("surface_report"))
    found = _fitted(surface.cells)
    rims = holes_of(surface)
    crossing = len(crossing_triangles(SurfaceTree(surface.nodes, surface.cells))) if crossings else 0
    lengths = tuple(sorted((rim.length for rim in rims), reverse=True))
    return SurfaceReport(
        int(found.piece.max()) + 1,
        lengths,
        len(surface.boundary),
        len(surface._sides.crowded),
        crossing,
        found.orientable,
    )


class Fitted(NamedTuple):
    """turn: (t,) triangles to be turned so that all of a piece agree. piece: (t,) to which each belongs by its edges."""

    turn: Array
    piece: Array
    orientable: bool


def _fitted(faces: Array) -> Fitted:
    """Neighbours agree if they pass their common edge in opposite directions.

    Every triangle stands in the graph twice, as it is and turned; agreeing pairs are linked like to like, others
    crosswise. What then hangs together with the first triangle of a piece is how all of it should be."""
    count = len(faces)
    rows = faces[:, np.array(T3.edges)].reshape(-1, 2)
    groups = groups_of(rows)
    order = np.argsort(groups.number, kind="stable")
    paired = order[groups.count[groups.number[order]] == 2].reshape(-1, 2)
    first, second = paired[:, 0] // 3, paired[:, 1] // 3
    against = (rows[paired[:, 0], 0] == rows[paired[:, 1], 0]) * count
    links = np.concatenate(
        [np.stack([first, second + against], axis=1), np.stack([first + count, second + count - against], axis=1)]
    )
    label = pieces_of(links, 2 * count)
    piece = pieces_of(np.stack([first, second], axis=1), count)
    leader = np.full(int(piece.max()) + 1, count)
    np.minimum.at(leader, piece, np.arange(count))
    turn = label[:count] != label[leader[piece]]
    return Fitted(turn, piece, bool((label[:count] != label[count:]).all()))


def oriented(surface: Mesh) -> Mesh:
    """With all triangles counter-clockwise seen from outside. A closed piece inside another one is taken as a cavity."""
    _is_surface(surface, At("oriented"))
    found = _fitted(surface.cells)
    faces = np.where(found.turn[:, None], surface.cells[:, [1, 0, 2]], surface.cells)
    x = surface.nodes - surface.nodes.mean(axis=0)
    six = np.einsum("ti,ti->t", x[faces[:, 0]], np.cross(x[faces[:, 1]], x[faces[:, 2]]))
    inward = np.bincount(found.piece, six) < 0.0
    pieces = len(inward)
    cavities = []
    if 1 < pieces <= NESTED:
        trees = [SurfaceTree(x, faces[found.piece == k]) for k in range(pieces)]
        for k in range(pieces):
            # A tree of a piece that is inside out tells everything the other way round.
            point = x[faces[found.piece == k][:1, 0]]
            around = [
                (tree.query(point).distance[0] < 0.0) != inward[j]
                for j, tree in enumerate(trees)
                if j != k and tree.closed
            ]
            if sum(around) % 2:
                cavities.append(k)
        inward[cavities] = ~inward[cavities]
    faces = np.where(inward[found.piece][:, None], faces[:, [1, 0, 2]], faces)
    turned = int((faces != surface.cells).any(axis=1).sum())
    notes = list(surface.notes)
    if turned:
        notes.append(f"{turned} of {len(faces)} triangles were turned to be seen from outside")
    if cavities:
        notes.append(f"{len(cavities)} of its pieces lie inside another one and are taken as cavities")
    return replace(surface, cells=faces, notes=tuple(notes)) if turned or cavities else surface


class Rim(NamedTuple):
    """Of a hole: edges (k, 2) as their triangles pass them, and its length, m."""

    edges: Array
    length: float


def holes_of(surface: Mesh) -> list[Rim]:
    """Rims of open edges that hang together."""
    edges = surface.boundary[:, :2]
    if not len(edges):
        return []
    used, local = np.unique(edges, return_inverse=True)
    label = pieces_of(local.reshape(-1, 2), len(used))[local.reshape(-1, 2)[:, 0]]
    length = np.linalg.norm(surface.nodes[edges[:, 1]] - surface.nodes[edges[:, 0]], axis=1)
    return [Rim(edges[label == k], float(length[label == k].sum())) for k in range(int(label.max()) + 1)]


def repaired(surface: Mesh, *, weld: float = 0.0, holes: float = 0.0) -> Mesh:
    """A surface whose nodes at one place are joined (nearer than weld, m), without flat and double triangles, oriented,
    and with holes closed whose rims are not longer than `holes`, m: by a fan of triangles about the middle of the rim. Its
    notes say what was done, and what is still wrong."""
    _is_surface(surface, At("repaired"))
    mesh = tidied(surface.nodes, surface.cells, surface.regions, weld=weld, origin=surface.origin, notes=surface.notes)
    first = np.sort(groups_of(mesh.cells).first)
    double = len(mesh.cells) - len(first)
    if double:
        regions = {name: Region(r.nodes, np.flatnonzero(np.isin(first, r.cells))) for name, r in mesh.regions.items()}
        notes = (*mesh.notes, f"{double} triangles were there twice and dropped")
        mesh = tidied(mesh.nodes, mesh.cells[first], regions, origin=mesh.origin, notes=notes)
    mesh = oriented(mesh)
    closed = [rim for rim in holes_of(mesh) if rim.length <= holes]
    if closed:
        mesh = oriented(_closed(mesh, closed))
        origin = f"{mesh.origin}; holes up to {holes:g} m closed"
        mesh = replace(mesh, origin=origin, notes=(*mesh.notes, f"{len(closed)} holes were closed"))
    return mesh


def _closed(mesh: Mesh, rims: list[Rim]) -> Mesh:
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
    """What lies on the side of a plane to which its normal points, with a cap where the plane cuts it, which becomes a
    region. point: on the plane, m. The surface has to be closed."""
    at = At("cut")
    _is_surface(surface, at)
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
            f"nothing is left on the side {said(direction)} of the plane through {said(centre)} m",
            expected=f"a plane through it: it reaches from {said(surface.bounds[0])} to {said(surface.bounds[1])} m",
        )
    if height.min() >= 0.0:
        return replace(surface, notes=(*surface.notes, "the plane does not cut the surface: all of it is kept"))
    report = surface_report(surface, crossings=False)
    if not report.closed:
        at.fail(
            f"cannot be capped: {', '.join(report.sentences())}",
            expected="a closed surface; gw.mesh.repaired(surface, holes=...)",
        )
    trimesh = needed("trimesh", "cutting")
    for package in ("mapbox_earcut", "shapely", "networkx", "rtree"):  # the last two for caps of several rims
        needed(package, "capping a cut")
    whole = trimesh.Trimesh(np.array(surface.nodes), np.array(surface.cells), process=False)
    try:
        kept = whole.slice_plane(centre, direction, cap=True)
    except Exception as error:  # it triangulates a polygon, which may be any
        at.fail(f"cannot be capped here ({str(error).splitlines()[0][:100] if str(error) else type(error).__name__})",
                expected="a plane that does not touch nodes: move it a little")  # fmt: skip
    mesh = tidied(np.asarray(kept.vertices), np.asarray(kept.faces), weld=1e-7 * surface.size)
    origin = f"{surface.origin}; cut at {said(centre)} m across {said(direction)} by {version_of(trimesh)}"
    mesh = replace(oriented(mesh), origin=origin, notes=surface.notes)
    on = Plane(tuple(centre), tuple(direction)).nodes(mesh)
    regions = {
        old: kept_region for old, region in surface.regions.items() if (kept_region := _again(surface, region, mesh))
    }
    return replace(mesh, regions=regions).with_region(name, nodes=on)


def _again(old: Mesh, region: Region, mesh: Mesh) -> Region | None:
    """A region of a surface on another one that follows it: what lies on its triangles."""
    if not len(region.cells):
        return None
    tree = SurfaceTree(old.nodes, old.cells[region.cells])
    near = np.abs(tree.query(mesh.nodes).distance) <= 1e-6 * old.size
    return mesh._region(np.flatnonzero(near), None) if near.any() else None


def _is_surface(mesh: Mesh, at: At) -> None:
    if not mesh.is_surface or mesh.kind is not T3:
        at.fail("is not a surface of flat triangles", mesh, "a surface, or mesh.surface()")
