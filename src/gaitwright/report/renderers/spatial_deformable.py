"""Deforming bodies in spatial pictures: facets coloured by a field, sections and edges for the renderer.

Cuts by a plane: the section of tetrahedra (marching tetrahedra), and the parts of triangles and lines on one side of it.
`height` is the distance of nodes or corners from the plane, m, positive on the removed side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitwright.report.renderers.software_renderer import Camera, PolygonBuffer, hex_to_rgb, split_lines
from gaitwright.report.scenes.deformable_body import DeformingBody, cut_coordinate
from gaitwright.report.scenes.mesh_faces import corner_normals, subdivide_triangles
from gaitwright.report.scenes.nodal_field import FieldScale

MAX_FACETS = 40_000
"""Maximum number of facets of a body after subdivision; a finer mesh is drawn unchanged."""
SECTION_COLOUR = "#c9ced6"
"""Colour of a section without field."""


def paint_deforming_body(
    paint: PolygonBuffer, camera: Camera, body: DeformingBody, frame: int, colour: str, scale: FieldScale | None, *,
    pale: float = 0.0,
) -> None:  # fmt: skip
    """Paint one frame of a body: its visible surface, its section if it is cut, and the edges of elements."""
    showing = camera.scene.showing
    nodes, field = body.at(frame, showing.exaggeration), body.quantity(scale.name) if scale else None
    values = np.zeros(len(nodes)) if field is None else field.values[frame]
    height = _node_cut_distance(camera, body, nodes)
    facets = _surface_triangles(camera, body, nodes, values)
    if height is not None:
        facets = clip_triangles(facets, _cut_distance(camera, facets[..., :3]))
    else:
        facets = facets[:, [0, 1, 2, 2]]
    shape, inner = facets[..., :3], facets[..., 3:].mean(axis=1)
    flat = np.cross(shape[:, 2] - shape[:, 0], shape[:, 3] - shape[:, 1])
    triangle = np.cross(shape[:, 1] - shape[:, 0], shape[:, 2] - shape[:, 0])
    flat = np.where(np.abs(flat).max(axis=1, keepdims=True) > 0, flat, triangle)
    toward = flat @ camera.back
    front = toward > 0 if body.closed else toward != 0
    shape, normal, inner = shape[front], inner[front, :3], inner[front, 3]
    normal = np.where((toward[front] < 0)[:, None], -normal, normal)
    plain = np.broadcast_to(hex_to_rgb(colour), (len(shape), 3))
    fill = plain if scale is None or field is None else scale.rgb(inner)
    _add_polygons(paint, camera, shape, fill, _brightness(camera, normal, coloured=field is not None), pale)
    if height is not None and body.cells is not None:
        section_scale = scale if field is not None and not field.on_surface else None
        _paint_section(
            paint, camera, cut_tetrahedra(body.cells, height, body.cell_sides), nodes, values, section_scale, pale
        )
    if showing.edges and not pale:
        _paint_edges(paint, camera, body, nodes, height)


def shadow_polygons(camera: Camera, body: DeformingBody, frame: int) -> np.ndarray:
    """Polygons (n, 4, 3), m, that cast its shadow."""
    nodes = body.at(frame, camera.scene.showing.exaggeration)
    height = _node_cut_distance(camera, body, nodes)
    shape = nodes[body.faces]
    return shape[:, [0, 1, 2, 2]] if height is None else clip_triangles(shape, height[body.faces])


def _node_cut_distance(camera: Camera, body: DeformingBody, nodes: np.ndarray) -> np.ndarray | None:
    """Distance of the nodes from the cut, positive on the side of the camera; None if the body is not cut."""
    cut = camera.scene.showing.cut
    return None if cut is None or body.cells is None else _cut_distance(camera, nodes)


def _cut_distance(camera: Camera, points: np.ndarray) -> np.ndarray:
    scene = camera.scene
    assert scene.showing.cut is not None
    axis = scene.showing.cut.number
    return np.sign(camera.back[axis]) * (points[..., axis] - cut_coordinate(scene.deforming, scene.showing.cut))


def _surface_triangles(camera: Camera, body: DeformingBody, nodes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Small triangles (n, 3, 7) of the surface: position, normal and value at their corners."""
    node, faces = body.corners
    normals = corner_normals(nodes[body.faces], faces, len(node))
    data = np.concatenate([nodes[body.faces], normals[faces], values[body.faces][..., None]], axis=2)
    return subdivide_triangles(data, _count_pieces(camera, nodes[body.faces]))


def _count_pieces(camera: Camera, triangles: np.ndarray) -> int:
    """Number of pieces for each side of the triangles."""
    long = float(np.quantile(np.linalg.norm(triangles[:, 1] - triangles[:, 0], axis=1), 0.9))
    maximum = np.sqrt(MAX_FACETS / len(triangles))
    return int(np.clip(np.ceil(long / camera.grain), 1, max(maximum, 1)))


def _brightness(camera: Camera, normal: np.ndarray, *, coloured: bool) -> np.ndarray:
    """Brightness of facets; with less contrast if colours show a field."""
    length = np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
    light = np.clip(normal @ camera.light / length, 0.0, 1.0)
    toward = np.clip(normal @ camera.back / length, 0.0, 1.0)
    return 0.76 + 0.22 * light + 0.08 * toward if coloured else 0.62 + 0.40 * light + 0.05 * toward


def _add_polygons(
    paint: PolygonBuffer, camera: Camera, shape: np.ndarray, fill: np.ndarray, bright: np.ndarray | float, pale: float
) -> None:
    shaded = np.clip(fill * np.reshape(bright, (-1, 1)), 0.0, 1.0)
    shaded = shaded + (1.0 - shaded) * pale
    paint.add(camera.project(shape), shape.mean(axis=1) @ camera.back, shaded, shaded, 0.35)


def _paint_section(
    paint: PolygonBuffer, camera: Camera, cut: CutPolygons, nodes: np.ndarray, values: np.ndarray, scale: FieldScale | None,
    pale: float,
) -> None:  # fmt: skip
    data = np.concatenate([cut.interpolate(nodes), cut.interpolate(values)[..., None]], axis=2)
    if not len(data):
        return
    halves = np.concatenate([data[:, [0, 1, 2]], data[:, [0, 2, 3]]])
    small = subdivide_triangles(halves, _count_pieces(camera, halves[..., :3]))[:, [0, 1, 2, 2]]
    fill = (
        np.broadcast_to(hex_to_rgb(SECTION_COLOUR), (len(small), 3))
        if scale is None
        else scale.rgb(small[:, :3, 3].mean(axis=1))
    )
    _add_polygons(paint, camera, small[..., :3], fill, 1.0, pale)
    if camera.scene.showing.edges and not pale:
        sides = np.stack([data[..., :3], np.roll(data[..., :3], -1, axis=1)], axis=2)[cut.drawn]
        _paint_dark_lines(paint, camera, sides)


def _paint_edges(
    paint: PolygonBuffer, camera: Camera, body: DeformingBody, nodes: np.ndarray, height: np.ndarray | None
) -> None:
    """Paint the edges of elements on visible faces; those at the back are hidden by the body."""
    drawn = body.edges
    if body.closed and len(drawn):
        shape = nodes[body.faces]
        front = np.cross(shape[:, 1] - shape[:, 0], shape[:, 2] - shape[:, 0]) @ camera.back > 0
        visible = body.faces[front]
        sides = np.sort(np.concatenate([visible[:, [0, 1]], visible[:, [1, 2]], visible[:, [2, 0]]]), axis=1)
        n = len(nodes)
        drawn = drawn[np.isin(np.sort(drawn, axis=1) @ (n, 1), sides @ (n, 1))]
    ends = nodes[drawn]
    _paint_dark_lines(paint, camera, ends if height is None else clip_lines(ends, height[drawn]))


def _paint_dark_lines(paint: PolygonBuffer, camera: Camera, ends: np.ndarray) -> None:
    """Paint thin dark lines, thinner and paler where they are dense."""
    ends = ends[np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > 1e-6 * camera.size]
    # Two cells share a side: draw it once.
    middles = np.round(ends.mean(axis=1) / (1e-6 * camera.size)).astype(np.int64)
    ends = ends[np.unique(middles, axis=0, return_index=True)[1]]
    if not len(ends):
        return
    (left, _), (right, _) = camera.frame
    typical = (
        6.7 * 72 * float(np.median(np.linalg.norm(np.diff(camera.project(ends), axis=1), axis=2))) / (right - left)
    )
    ends = split_lines(ends, camera.grain)
    strength = float(np.clip((typical - 1.0) / 9.0, 0.0, 1.0))  # typical: printer's points
    if not strength:
        return
    dark = np.tile([0.06, 0.08, 0.11, 0.10 + 0.28 * strength], (len(ends), 1))
    depth = ends.mean(axis=1) @ camera.back + 0.010 * camera.size
    paint.add(camera.project(ends)[:, [0, 1, 1, 1]], depth, dark, dark, 0.25 + 0.3 * strength)


# Cuts by a plane ------------------------------------------------------------------------------------------------------


@dataclass
class CutPolygons:
    """Section of tetrahedra by a plane: polygons with four corners; a triangle has its last corner twice.

    ends: (p, 4, 2), the nodes of the edge that contains a corner. weight: (p, 4), relative position of the corner from the
    first to the second node. drawn: (p, 4), True if the side from a corner to the next lies on a face of an element."""

    ends: np.ndarray
    weight: np.ndarray
    drawn: np.ndarray

    def interpolate(self, values: np.ndarray) -> np.ndarray:
        """Interpolate nodal values (n, ...) to the corners (p, 4, ...)."""
        weight = self.weight.reshape(*self.weight.shape, *(1,) * (values.ndim - 1))
        first, second = values[self.ends[..., 0]], values[self.ends[..., 1]]
        return first + weight * (second - first)


def cut_tetrahedra(cells: np.ndarray, height: np.ndarray, sides: np.ndarray) -> CutPolygons:
    """Cut tetrahedra. cells: (k, 4); height: (n,), of nodes; sides: (k, 4), True if the face opposite to a corner is a face
    of an element."""
    above = height[cells] > 0.0
    count = above.sum(axis=1)
    ends, drawn = [np.zeros((0, 4, 2), dtype=np.int64)], [np.zeros((0, 4), dtype=bool)]
    for lone_side, corner_count in ((True, 1), (False, 3)):  # one corner on its side of the plane: a triangle
        cut = np.flatnonzero(count == corner_count)
        a = (above[cut] == lone_side).argmax(axis=1)
        b, c, d = (a + 1) % 4, (a + 2) % 4, (a + 3) % 4
        ends.append(_cut_edges(cells[cut], [(a, b), (a, c), (a, d), (a, d)]))
        flags = [_take_column(sides[cut], k) for k in (d, b, c)]
        drawn.append(np.stack([flags[0], flags[1], np.zeros(len(cut), dtype=bool), flags[2]], axis=1))
    cut = np.flatnonzero(count == 2)  # two on each side: a quadrilateral
    order = np.argsort(~above[cut], axis=1, kind="stable")
    a, b, c, d = order.T
    ends.append(_cut_edges(cells[cut], [(a, c), (a, d), (b, d), (b, c)]))
    drawn.append(np.stack([_take_column(sides[cut], k) for k in (b, c, a, d)], axis=1))
    together = np.concatenate(ends)
    first, second = height[together[..., 0]], height[together[..., 1]]
    return CutPolygons(together, first / (first - second), np.concatenate(drawn))


def clip_triangles(triangles: np.ndarray, height: np.ndarray) -> np.ndarray:
    """Parts of triangles (n, 3, k), with any numbers at their corners, below the plane: polygons (m, 4, k); a triangle has
    its last corner twice. height: (n, 3)."""
    above = height > 0.0
    count = above.sum(axis=1)
    polygons = [triangles[count == 0][:, [0, 1, 2, 2]]]
    for corner_count in (1, 2):
        cut = count == corner_count
        turn = (above[cut] == (corner_count == 1)).argmax(axis=1)  # the corner that is alone on its side comes first
        order = (turn[:, None] + np.arange(3)) % 3
        corners = np.take_along_axis(triangles[cut], order[:, :, None], axis=1)
        level = np.take_along_axis(height[cut], order, axis=1)
        share = (level[:, :1] / (level[:, :1] - level[:, 1:]))[:, :, None]
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        ab, ac = a + share[:, 0] * (b - a), a + share[:, 1] * (c - a)
        polygons.append(np.stack([ab, b, c, ac] if corner_count == 1 else [a, ab, ac, ac], axis=1))
    return np.concatenate(polygons)


def clip_lines(lines: np.ndarray, height: np.ndarray) -> np.ndarray:
    """Parts of lines (n, 2, k) below the plane. height: (n, 2)."""
    above = height > 0.0
    kept_lines = lines[~above.any(axis=1)]
    cut = above.sum(axis=1) == 1
    first, second = height[cut].T
    share = (first / (first - second))[:, None]
    place = lines[cut, 0] + share * (lines[cut, 1] - lines[cut, 0])
    inner_end = np.where(above[cut, 0][:, None], lines[cut, 1], lines[cut, 0])
    return np.concatenate([kept_lines, np.stack([inner_end, place], axis=1)])


def _take_column(rows: np.ndarray, column: np.ndarray) -> np.ndarray:
    return np.take_along_axis(rows, column[:, None], axis=1)[:, 0]


def _cut_edges(cells: np.ndarray, pairs: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Edges between two corners of each of the cells, (p, 4, 2)."""
    return np.stack([np.stack([_take_column(cells, a), _take_column(cells, b)], axis=1) for a, b in pairs], axis=1)
