"""Outlines of planar bodies from their meshes, seen along z, in the frame of the body."""

from __future__ import annotations

import functools
import importlib
import math
import warnings
from typing import Any

import numpy as np

from gaitwright.formats.mesh_file import MeshFileError, read_mesh
from gaitwright.mechanism.parts.base import Part

OUTLINE_TOL_RATIO = 2e-3
"""Largest deviation of a drawn outline from that of the mesh, relative to its size."""


def body_outlines(part: Part) -> list[np.ndarray]:
    """Outlines (n, 2), m, in the frame of a body; empty without a mesh, or with a warning if its mesh cannot be read."""
    outlines: list[np.ndarray] = []
    for shape in getattr(part, "shapes", ()):
        try:
            rings = mesh_outlines(shape["file"], tuple(shape["scale"]))
        except MeshFileError as error:
            warnings.warn(f"the mesh of '{part.name}' is not shown: {error}", stacklevel=2)
            continue
        c, s = math.cos(shape["angle"]), math.sin(shape["angle"])
        outlines += [ring @ np.array([[c, s], [-s, c]]) + np.asarray(shape["at"]) for ring in rings]
    return outlines


@functools.lru_cache(maxsize=64)
def mesh_outlines(file: str, scale: tuple[float, ...]) -> list[np.ndarray]:
    """Closed outlines of a mesh and of its holes; the longest first."""
    vertices, faces = read_mesh(file, scale)
    try:
        shapely: Any = importlib.import_module("shapely")
    except ImportError:
        raise MeshFileError("outlines require the package shapely: pip install 'gaitwright[cad]'") from None
    flat = vertices[faces][:, :, :2]
    area = np.abs(np.cross(np.append(flat[:, 1] - flat[:, 0], np.zeros((len(flat), 1)), 1),
                           np.append(flat[:, 2] - flat[:, 0], np.zeros((len(flat), 1)), 1))[:, 2])  # fmt: skip
    size = float(np.ptp(vertices[:, :2], axis=0).max())
    triangles = shapely.polygons(flat[area > 1e-9 * size**2])
    union = shapely.union_all(shapely.buffer(triangles, 1e-4 * size, join_style="mitre")).simplify(
        OUTLINE_TOL_RATIO * size
    )
    parts = [part for part in getattr(union, "geoms", [union]) if part.geom_type == "Polygon" and not part.is_empty]
    rings = [ring for part in parts for ring in (part.exterior, *part.interiors)]
    if not rings:
        raise MeshFileError(f"'{file}' has no extent in the plane")
    return [np.asarray(ring.coords, dtype=float)[:-1] for ring in sorted(rings, key=lambda ring: -ring.length)]
