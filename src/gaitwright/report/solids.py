"""Solids as facets, for pictures without a graphics card: quadrilaterals with outward normals, in the frame of the solid."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gaitwright.report.plots import PALETTE
from gaitwright.report.spatial_scene import CORNERS, Solid, SpaceScene

SIDES = 28
"""Of a circle in a picture of few solids."""


def body_colours(scene: SpaceScene) -> dict[str, str]:
    """One colour per body: the palette in turn, the same for bodies of a group; or the one that all solids of a group have."""
    groups = scene.groups()
    palette = {name: PALETTE[k % len(PALETTE)] for k, name in enumerate(dict.fromkeys(groups.values()))}
    own: dict[str, set[str | None]] = {}
    for body in scene.bodies:
        own.setdefault(groups[body.name], set()).update(solid.painted(None) for solid in body.solids)
    palette |= {name: one for name, some in own.items() if len(some) == 1 and (one := next(iter(some)))}
    return {name: palette[group] for name, group in groups.items()}


def facets(solid: Solid, piece: float, sides: int = SIDES) -> np.ndarray:
    """Facets (n, 4, 3), m, counter-clockwise seen from outside; a triangle has its last corner twice.

    piece: about how long a facet may be, m: a painter sorts them by the depth of their middles, which fails for long ones."""
    return _FACETS[solid.kind](solid, piece, sides)


def edges(solid: Solid) -> np.ndarray:
    """Lines (n, 2, 3), m, that are drawn on a solid: the edges of a box, and what shows how a round one turns."""
    return _EDGES.get(solid.kind, _no_edges)(solid)


def mesh_lines(solid: Solid) -> np.ndarray:
    """Lines (n, 2, 3), m, of a mesh: two sides of every face, without its longest, which is the diagonal where the faces came
    from a grid, as those of a terrain."""
    corners = solid.vertices[solid.faces]
    sides = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2)
    order = np.linalg.norm(sides[:, :, 1] - sides[:, :, 0], axis=2).argsort(axis=1)[:, :2]
    return np.take_along_axis(sides, order[:, :, None, None], axis=1).reshape(-1, 2, 3)


def _box(solid: Solid, piece: float, sides: int) -> np.ndarray:
    half = np.array(solid.size) / 2
    found = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        counts = [_pieces(2 * half[k], piece) for k in (u, v)]
        face = np.zeros((counts[0] + 1, counts[1] + 1, 3))
        face[..., u] = np.linspace(-half[u], half[u], counts[0] + 1)[:, None]
        face[..., v] = np.linspace(-half[v], half[v], counts[1] + 1)
        for side in (1.0, -1.0):
            face[..., axis] = side * half[axis]
            quads = _quads(face)
            found.append(quads if side > 0 else quads[:, ::-1])
    return np.concatenate(found)


def _round(radii: np.ndarray, heights: np.ndarray, sides: int) -> np.ndarray:
    """The surface of a profile, walked from below to above, turned about z."""
    angle = np.linspace(0.0, 2.0 * np.pi, sides + 1)
    grid = np.zeros((sides + 1, radii.size, 3))
    grid[..., 0], grid[..., 1] = np.outer(np.cos(angle), radii), np.outer(np.sin(angle), radii)
    grid[..., 2] = heights
    return _quads(grid)


def _sphere(solid: Solid, piece: float, sides: int) -> np.ndarray:
    angle = np.linspace(-np.pi / 2, np.pi / 2, max(sides // 2, 4) + 1)
    return _round(solid.size[0] * np.cos(angle), solid.size[0] * np.sin(angle), sides)


def _cylinder(solid: Solid, piece: float, sides: int) -> np.ndarray:
    radius, length = solid.size
    along = np.linspace(-length / 2, length / 2, _pieces(length, piece) + 1)
    radii = np.concatenate([[0.0], np.full(along.size, radius), [0.0]])
    return _round(radii, np.concatenate([along[:1], along, along[-1:]]), sides)


def _cone(solid: Solid, piece: float, sides: int) -> np.ndarray:
    radius, length = solid.size
    along = np.linspace(0.0, 1.0, _pieces(length, piece) + 1)
    return _round(np.r_[0.0, radius * (1 - along)], length * (np.r_[0.0, along] - 0.5), sides)


def _capsule(solid: Solid, piece: float, sides: int) -> np.ndarray:
    radius, length = solid.size
    angle = np.linspace(0.0, np.pi / 2, max(sides // 4, 2) + 1)
    between = np.linspace(-length / 2, length / 2, _pieces(length, piece) + 1)[1:-1]
    radii = np.concatenate([radius * np.sin(angle), np.full(between.size, radius), radius * np.cos(angle)])
    low, high = -length / 2 - radius * np.cos(angle), length / 2 + radius * np.sin(angle)
    return _round(radii, np.concatenate([low, between, high]), sides)


def _mesh(solid: Solid, piece: float, sides: int) -> np.ndarray:
    return solid.vertices[solid.faces[:, [0, 1, 2, 2]]]


def _nothing(solid: Solid, piece: float, sides: int) -> np.ndarray:
    return np.zeros((0, 4, 3))


def _pieces(length: float, piece: float) -> int:
    return int(np.clip(np.ceil(length / piece), 1, 40)) if piece > 0 else 1


def _quads(grid: np.ndarray) -> np.ndarray:
    """Cells (n, 4, 3) of a grid of points."""
    cells = np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=2)
    return cells.reshape(-1, 4, 3)


def _no_edges(solid: Solid) -> np.ndarray:
    return np.zeros((0, 2, 3))


def _box_edges(solid: Solid) -> np.ndarray:
    corners = CORNERS * np.array(solid.size) / 2
    pairs = [(i, j) for i in range(8) for j in range(i) if (CORNERS[i] != CORNERS[j]).sum() == 1]
    return corners[np.array(pairs)]


def _rings(*rings: np.ndarray) -> np.ndarray:
    return np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1) for ring in rings])


def _turned(radius: float, height: float = 0.0) -> np.ndarray:
    angle = np.linspace(0.0, 2.0 * np.pi, 2 * SIDES + 1)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(angle.size, height)], axis=1)


def _sphere_edges(solid: Solid) -> np.ndarray:
    ring = _turned(solid.size[0])
    return _rings(ring, ring[:, [0, 2, 1]])


def _cylinder_edges(solid: Solid) -> np.ndarray:
    r, half = solid.size[0], solid.size[1] / 2
    round_about = _rings(_turned(r, -half), _turned(r, half))
    spokes = [[(-r, 0, z), (r, 0, z)] for z in (-half, half)] + [[(0, -r, z), (0, r, z)] for z in (-half, half)]
    sides = [[(x, y, -half), (x, y, half)] for x, y in ((r, 0), (-r, 0), (0, r), (0, -r))]
    return np.concatenate([round_about, np.array(spokes + sides)])


def _cone_edges(solid: Solid) -> np.ndarray:
    r, half = solid.size[0], solid.size[1] / 2
    sides = [[(x, y, -half), (0, 0, half)] for x, y in ((r, 0), (-r, 0), (0, r), (0, -r))]
    return np.concatenate([_rings(_turned(r, -half)), np.array(sides)])


_FACETS: dict[str, Callable[[Solid, float, int], np.ndarray]] = {
    "box": _box, "sphere": _sphere, "cylinder": _cylinder, "cone": _cone, "capsule": _capsule, "mesh": _mesh,
    "frame": _nothing,
}  # fmt: skip
_EDGES: dict[str, Callable[[Solid], np.ndarray]] = {
    "box": _box_edges, "sphere": _sphere_edges, "cylinder": _cylinder_edges, "cone": _cone_edges,
}  # fmt: skip
