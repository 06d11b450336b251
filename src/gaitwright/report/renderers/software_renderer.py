"""Software renderer of spatial pictures: a camera that looks from a corner, and polygons that are painted from back to
front.

It replaces matplotlib's renderer, which sorts whole bodies, so that two bodies that reach around each other are drawn
wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.report.scenes.spatial_scene import SpatialScene


@dataclass
class Camera:
    """Camera that looks at a scene from a corner, from far away. right, above, back: (3,), directions of the picture and out
    of it."""

    scene: SpatialScene
    right: np.ndarray = field(init=False)
    above: np.ndarray = field(init=False)
    back: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        up = self.scene.up
        across = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
        across = across - (across @ up) * up
        across /= np.linalg.norm(across)
        self.across, self.deep = across, np.cross(up, across)
        back = 0.62 * across - self.deep + 0.52 * up  # the same initial view as in the page
        self.back = back / np.linalg.norm(back)
        self.right = np.cross(up, self.back)
        self.right /= np.linalg.norm(self.right)
        self.above = np.cross(self.back, self.right)
        self.size, self.floor = self.scene.size(), self.scene.floor_level()
        # Facets of solids beside a mesh have about the size of its faces: the renderer sorts by the depths of their
        # centres.
        self.piece = (0.035 if self.scene.deforming else 0.12) * self.size
        self.grain = 0.018 * self.size  # approximate size of a facet with one colour of a field
        light = up + 0.35 * self.back - 0.35 * self.right
        self.light = light / np.linalg.norm(light)
        low, high = self.scene.bounds()
        self.middle, self.half = (low + high) / 2, (high - low) / 2
        hull = self.scene.hull()
        projected = self.project(np.concatenate([hull, self.on_floor(hull)]))
        margin = 0.05 * np.ptp(projected, axis=0).max() + 1e-12
        self.frame = projected.min(axis=0) - margin, projected.max(axis=0) + margin

    def project(self, points: np.ndarray) -> np.ndarray:
        """Coordinates in the picture, (..., 2), m."""
        return np.stack([points @ self.right, points @ self.above], axis=-1)

    def on_floor(self, points: np.ndarray) -> np.ndarray:
        """Shadow of points on the floor, for light from straight above."""
        return points - ((points @ self.scene.up) - self.floor)[..., None] * self.scene.up


@dataclass
class PolygonBuffer:
    """Polygons to paint: (n, 4, 2), m in the picture, with depths, colours (n, 3 or 4) and line widths (points)."""

    polygons: list[np.ndarray] = field(default_factory=list)
    depths: list[np.ndarray] = field(default_factory=list)
    fills: list[np.ndarray] = field(default_factory=list)
    strokes: list[np.ndarray] = field(default_factory=list)
    widths: list[np.ndarray] = field(default_factory=list)

    def add(self, polygons: np.ndarray, depths: np.ndarray, fill: np.ndarray, stroke: np.ndarray, width: float) -> None:
        for parts, values in (
            (self.polygons, polygons),
            (self.depths, depths),
            (self.fills, _with_alpha(fill)),
            (self.strokes, _with_alpha(stroke)),
        ):
            parts.append(values)
        self.widths.append(np.full(len(polygons), width))

    def put(self, ax: Any, zorder: float) -> None:
        """Paint the polygons onto the axes, the farthest first."""
        from matplotlib.collections import PolyCollection

        if not self.depths:
            return
        order = np.argsort(np.concatenate(self.depths), kind="stable")
        parts: Any = (self.polygons, self.fills, self.strokes, self.widths)
        # Arrays, since matplotlib reads lists element by element, which took half the time.
        every: list[Any] = [np.concatenate(part)[order] for part in parts]
        polygons, fills, strokes, widths = every
        ax.add_collection(
            PolyCollection(
                polygons, facecolors=fills, edgecolors=strokes, linewidths=widths, zorder=zorder,
                joinstyle="round", capstyle="round",
            ),
            autolim=False,
        )  # fmt: skip


def _with_alpha(colours: np.ndarray) -> np.ndarray:
    return colours if colours.shape[1] == 4 else np.column_stack([colours, np.ones(len(colours))])


def add_lines(paint: PolygonBuffer, camera: Camera, ends: np.ndarray, colour: np.ndarray, width: float) -> None:
    """Add lines (n, 2, 3), slightly in front of the surface that they lie on."""
    quads = camera.project(ends)[:, [0, 1, 1, 1]]
    rgb = np.broadcast_to(colour, (len(ends), 3))
    paint.add(quads, ends.mean(axis=1) @ camera.back + 0.004 * camera.size, rgb, rgb, width)


def split_lines(ends: np.ndarray, piece: float) -> np.ndarray:
    """Split lines (n, 2, 3) into pieces."""
    count = int(np.clip(np.ceil(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).max() / piece), 1, 24))
    share = np.linspace(0.0, 1.0, count + 1)[:, None]
    points = ends[:, :1] + share * (ends[:, 1:] - ends[:, :1])
    return np.stack([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 2, 3)


def round_up_step(rough: float) -> float:
    """The next larger of 1, 2, 5, 10, 20, ..."""
    unit = 10.0 ** np.floor(np.log10(rough)) if rough > 0 else 1.0
    return float(next(unit * m for m in (1, 2, 5, 10) if unit * m >= 0.999 * rough))


def hex_to_rgb(colour: str) -> np.ndarray:
    """Red, green and blue, 0 to 1, of a colour such as #0072B2."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
