"""Solids as facets, for the software renderer: quadrilaterals with outward normals, in the frame of the solid."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gaitwright.report.figures.style import PALETTE
from gaitwright.report.scenes.spatial_scene import UNIT_BOX_CORNERS, SceneSolid, SpatialScene

CIRCLE_SIDES = 28
"""Sides of a circle in a picture of few solids."""


def body_colours(scene: SpatialScene) -> dict[str, str]:
    """One colour per body: the palette in turn, the same for bodies of a group; or the common colour of all solids of a
    group."""
    groups = scene.groups()
    palette = {name: PALETTE[k % len(PALETTE)] for k, name in enumerate(dict.fromkeys(groups.values()))}
    own: dict[str, set[str | None]] = {}
    for body in scene.bodies:
        own.setdefault(groups[body.name], set()).update(solid.painted(None) for solid in body.solids)
    palette |= {name: colour for name, colours in own.items() if len(colours) == 1 and (colour := next(iter(colours)))}
    return {name: palette[group] for name, group in groups.items()}


def compute_facets(solid: SceneSolid, piece: float, sides: int = CIRCLE_SIDES) -> np.ndarray:
    """Facets (n, 4, 3), m, counter-clockwise from outside; a triangle has its last corner twice.

    piece: approximate maximum length of a facet, m: the renderer sorts facets by the depth of their centres, which fails for
    long ones."""
    return _FACET_FUNCTIONS[solid.kind](solid, piece, sides)


def solid_edges(solid: SceneSolid) -> np.ndarray:
    """Lines (n, 2, 3), m, drawn on a solid: the edges of a box, and lines that show the rotation of a round solid."""
    return _EDGE_FUNCTIONS.get(solid.kind, _no_edges)(solid)


def mesh_lines(solid: SceneSolid) -> np.ndarray:
    """Lines (n, 2, 3), m, of a mesh: two sides of every face, without the longest, which is the diagonal if the faces come
    from a grid, such as a terrain."""
    corners = solid.vertices[solid.faces]
    sides = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2)
    order = np.linalg.norm(sides[:, :, 1] - sides[:, :, 0], axis=2).argsort(axis=1)[:, :2]
    return np.take_along_axis(sides, order[:, :, None, None], axis=1).reshape(-1, 2, 3)


def _box_facets(solid: SceneSolid, piece: float, sides: int) -> np.ndarray:
    half = np.array(solid.size) / 2
    facets = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        counts = [_count_pieces(2 * half[k], piece) for k in (u, v)]
        face = np.zeros((counts[0] + 1, counts[1] + 1, 3))
        face[..., u] = np.linspace(-half[u], half[u], counts[0] + 1)[:, None]
        face[..., v] = np.linspace(-half[v], half[v], counts[1] + 1)
        for side in (1.0, -1.0):
            face[..., axis] = side * half[axis]
            quads = _grid_quads(face)
            facets.append(quads if side > 0 else quads[:, ::-1])
    return np.concatenate(facets)


def _revolve_profile(radii: np.ndarray, heights: np.ndarray, sides: int) -> np.ndarray:
    """Surface of revolution about z of a profile, given from bottom to top."""
    angle = np.linspace(0.0, 2.0 * np.pi, sides + 1)
    grid = np.zeros((sides + 1, radii.size, 3))
    grid[..., 0], grid[..., 1] = np.outer(np.cos(angle), radii), np.outer(np.sin(angle), radii)
    grid[..., 2] = heights
    return _grid_quads(grid)


def _sphere_facets(solid: SceneSolid, piece: float, sides: int) -> np.ndarray:
    angle = np.linspace(-np.pi / 2, np.pi / 2, max(sides // 2, 4) + 1)
    return _revolve_profile(solid.size[0] * np.cos(angle), solid.size[0] * np.sin(angle), sides)


def _cylinder_facets(solid: SceneSolid, piece: float, sides: int) -> np.ndarray:
    radius, length = solid.size
    along = np.linspace(-length / 2, length / 2, _count_pieces(length, piece) + 1)
    radii = np.concatenate([[0.0], np.full(along.size, radius), [0.0]])
    return _revolve_profile(radii, np.concatenate([along[:1], along, along[-1:]]), sides)


def _cone_facets(solid: SceneSolid, piece: float, sides: int) -> np.ndarray:
    radius, length = solid.size
    along = np.linspace(0.0, 1.0, _count_pieces(length, piece) + 1)
    return _revolve_profile(np.r_[0.0, radius * (1 - along)], length * (np.r_[0.0, along] - 0.5), sides)


def _capsule_facets(solid: SceneSolid, piece: float, sides: int) -> np.ndarray:
    radius, length = solid.size
    angle = np.linspace(0.0, np.pi / 2, max(sides // 4, 2) + 1)
    between = np.linspace(-length / 2, length / 2, _count_pieces(length, piece) + 1)[1:-1]
    radii = np.concatenate([radius * np.sin(angle), np.full(between.size, radius), radius * np.cos(angle)])
    low, high = -length / 2 - radius * np.cos(angle), length / 2 + radius * np.sin(angle)
    return _revolve_profile(radii, np.concatenate([low, between, high]), sides)


def _mesh_facets(solid: SceneSolid, piece: float, sides: int) -> np.ndarray:
    return solid.vertices[solid.faces[:, [0, 1, 2, 2]]]


def _no_facets(solid: SceneSolid, piece: float, sides: int) -> np.ndarray:
    return np.zeros((0, 4, 3))


def _count_pieces(length: float, piece: float) -> int:
    return int(np.clip(np.ceil(length / piece), 1, 40)) if piece > 0 else 1


def _grid_quads(grid: np.ndarray) -> np.ndarray:
    """Cells (n, 4, 3) of a grid of points."""
    cells = np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=2)
    return cells.reshape(-1, 4, 3)


def _no_edges(solid: SceneSolid) -> np.ndarray:
    return np.zeros((0, 2, 3))


def _box_edges(solid: SceneSolid) -> np.ndarray:
    corners = UNIT_BOX_CORNERS * np.array(solid.size) / 2
    pairs = [(i, j) for i in range(8) for j in range(i) if (UNIT_BOX_CORNERS[i] != UNIT_BOX_CORNERS[j]).sum() == 1]
    return corners[np.array(pairs)]


def _ring_segments(*rings: np.ndarray) -> np.ndarray:
    return np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1) for ring in rings])


def _circle_at_height(radius: float, height: float = 0.0) -> np.ndarray:
    angle = np.linspace(0.0, 2.0 * np.pi, 2 * CIRCLE_SIDES + 1)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(angle.size, height)], axis=1)


def _sphere_edges(solid: SceneSolid) -> np.ndarray:
    ring = _circle_at_height(solid.size[0])
    return _ring_segments(ring, ring[:, [0, 2, 1]])


def _cylinder_edges(solid: SceneSolid) -> np.ndarray:
    r, half = solid.size[0], solid.size[1] / 2
    round_about = _ring_segments(_circle_at_height(r, -half), _circle_at_height(r, half))
    spokes = [[(-r, 0, z), (r, 0, z)] for z in (-half, half)] + [[(0, -r, z), (0, r, z)] for z in (-half, half)]
    sides = [[(x, y, -half), (x, y, half)] for x, y in ((r, 0), (-r, 0), (0, r), (0, -r))]
    return np.concatenate([round_about, np.array(spokes + sides)])


def _cone_edges(solid: SceneSolid) -> np.ndarray:
    r, half = solid.size[0], solid.size[1] / 2
    sides = [[(x, y, -half), (0, 0, half)] for x, y in ((r, 0), (-r, 0), (0, r), (0, -r))]
    return np.concatenate([_ring_segments(_circle_at_height(r, -half)), np.array(sides)])


_FACET_FUNCTIONS: dict[str, Callable[[SceneSolid, float, int], np.ndarray]] = {
    "box": _box_facets,
    "sphere": _sphere_facets,
    "cylinder": _cylinder_facets,
    "cone": _cone_facets,
    "capsule": _capsule_facets,
    "mesh": _mesh_facets,
    "frame": _no_facets,
}
_EDGE_FUNCTIONS: dict[str, Callable[[SceneSolid], np.ndarray]] = {
    "box": _box_edges,
    "sphere": _sphere_edges,
    "cylinder": _cylinder_edges,
    "cone": _cone_edges,
}
