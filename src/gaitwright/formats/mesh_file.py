"""Triangles of mesh files (STL, OBJ, PLY, COLLADA) for pictures: read by trimesh, thinned to what a picture needs."""

from __future__ import annotations

import functools
import importlib.util
import io
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.input_files import read_bytes
from gaitwright.isolation import isolated
from gaitwright.saving import save_bytes

SUFFIXES = (".stl", ".obj", ".ply", ".dae")
LARGEST = 60_000_000
"""Bytes of a file that is read."""
MOST_FACES = 4000
"""Triangles of a mesh that are kept: a robot of twenty such parts is a page of 4 MB."""
INSTALL = "pip install 'gaitwright[robots]'"


class MeshError(Exception):
    """Why a mesh cannot be shown, in one sentence."""


def read_mesh(path: str | Path, scale: Any = (1.0, 1.0, 1.0), most: int = MOST_FACES) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3), m, and triangles (m, 3) of a file, `scale` times as large as they are there."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise MeshError(f"'{path.name}' is not one of {', '.join(SUFFIXES)}")
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        raise MeshError(f"there is no file '{path}'") from None
    vertices, faces = _read(str(path), found.st_mtime_ns, found.st_size, most)
    with np.errstate(over="ignore"):
        vertices = vertices * np.asarray(scale, dtype=float)
    if not np.isfinite(vertices).all():
        raise MeshError(f"'{path.name}' has vertices that are not finite at the scale {list(np.ravel(scale))}")
    # A mirror image is seen from outside with its corners the other way round.
    return vertices, faces[:, ::-1] if np.prod(scale) < 0 else faces


@functools.lru_cache(maxsize=256)
def _read(path: str, changed: int, size: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    if importlib.util.find_spec("trimesh") is None:
        raise MeshError(f"meshes are read by the package trimesh: {INSTALL}")
    try:
        content = read_bytes(path, largest=LARGEST)
        vertices, faces = isolated(
            _parsed, Path(path).suffix, content, source=f"'{Path(path).name}'", size=len(content)
        )
    except ModelError as error:
        raise MeshError(str(error)) from None
    sound: Any = np.isfinite(vertices).all(axis=1)
    faces = faces[sound[faces].all(axis=1)] if len(faces) else faces
    if not len(faces):
        raise MeshError(f"'{Path(path).name}' has no triangles")
    return thinned(np.where(sound[:, None], vertices, 0.0), faces, most)


def _parsed(suffix: str, content: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of all meshes in a file together; files that it names are not read.
    Called in the helper process."""
    trimesh: Any = importlib.import_module("trimesh")
    try:
        scene: Any = trimesh.load_scene(io.BytesIO(content), file_type=suffix.lower().removeprefix("."), process=False)
        mesh: Any = scene.to_mesh()
        vertices, faces = np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces, dtype=np.int64)
    except MemoryError:
        raise
    except ImportError:
        raise ModelError(f"a mesh in {suffix} cannot be read as a mesh ({INSTALL})") from None
    except Exception:  # its readers raise whatever their parsers do
        raise ModelError(f"a mesh in {suffix} cannot be read as a mesh, it may be cut off") from None
    vertices, faces = vertices.reshape(-1, 3), faces.reshape(-1, 3)
    if len(faces) and not 0 <= faces.min() <= faces.max() < len(vertices):
        raise ModelError("a mesh has triangles between vertices that are not there")
    return vertices, faces


def thinned(vertices: np.ndarray, faces: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """At most so many triangles: vertices in the same cell of a grid become one, their mean; the finest grid that does."""
    used, faces = np.unique(faces, return_inverse=True)
    vertices, faces = vertices[used], faces.reshape(-1, 3)
    low, size = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max()) or 1.0
    cells = 4096
    while True:
        grid = np.floor((vertices - low) / size * cells).astype(np.int64)
        _, group = np.unique(grid, axis=0, return_inverse=True)
        group = group.reshape(-1)
        kept = group[faces]
        kept = kept[(kept[:, 0] != kept[:, 1]) & (kept[:, 1] != kept[:, 2]) & (kept[:, 2] != kept[:, 0])]
        first = kept[np.arange(len(kept))[:, None], (np.argmin(kept, axis=1)[:, None] + np.arange(3)) % 3]
        kept = np.unique(first, axis=0)  # the same triangle only once, from whichever corner it begins
        if len(kept) <= most or cells == 1:
            break
        cells = max(1, int(cells * min(0.8, (most / len(kept)) ** 0.5)))
    count = np.bincount(group)
    centre = np.stack([np.bincount(group, vertices[:, k]) / count for k in range(3)], axis=1)
    return (centre, kept) if len(kept) else (vertices, faces[:most])


def write_stl(path: Path, vertices: np.ndarray, faces: np.ndarray) -> Path:
    """A binary STL file; normals are left to the reader."""
    triangles = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    triangles["corners"] = vertices[faces]
    return save_bytes(path, b"\0" * 80 + struct.pack("<I", len(faces)) + triangles.tobytes())
