"""Triangles of mesh files (STL, OBJ, PLY, COLLADA) for pictures: read by trimesh, decimated to the resolution of a picture."""

from __future__ import annotations

import functools
import importlib.util
import io
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import read_bytes
from gaitwright._core.isolation import run_isolated
from gaitwright._core.output_files import save_bytes

MESH_SUFFIXES = (".stl", ".obj", ".ply", ".dae")
MAX_MESH_FILE_BYTES = 60_000_000
"""Maximum size of a mesh file, bytes."""
MAX_PICTURE_FACES = 4000
"""Maximum number of triangles of a mesh: a robot of twenty such parts is a page of 4 MB."""
INSTALL_COMMAND = "pip install 'gaitwright[robots]'"


class MeshFileError(Exception):
    """Exception: a mesh cannot be shown; the message is one sentence with the reason."""


def read_mesh(
    path: str | Path, scale: Any = (1.0, 1.0, 1.0), max_triangles: int = MAX_PICTURE_FACES
) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3), m, and triangles (m, 3) of a file. scale: factors on its coordinates. max_triangles: upper bound."""
    path = Path(path)
    if path.suffix.lower() not in MESH_SUFFIXES:
        raise MeshFileError(f"'{path.name}' is not one of {', '.join(MESH_SUFFIXES)}")
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        raise MeshFileError(f"there is no file '{path}'") from None
    vertices, faces = _read_triangles(str(path), status.st_mtime_ns, status.st_size, max_triangles)
    with np.errstate(over="ignore"):
        vertices = vertices * np.asarray(scale, dtype=float)
    if not np.isfinite(vertices).all():
        raise MeshFileError(f"'{path.name}' has vertices that are not finite at the scale {list(np.ravel(scale))}")
    # A reflection reverses the orientation of the triangles.
    return vertices, faces[:, ::-1] if np.prod(scale) < 0 else faces


@functools.lru_cache(maxsize=256)
def _read_triangles(path: str, changed: int, size: int, max_triangles: int) -> tuple[np.ndarray, np.ndarray]:
    if importlib.util.find_spec("trimesh") is None:
        raise MeshFileError(f"meshes are read by the package trimesh: {INSTALL_COMMAND}")
    try:
        content = read_bytes(path, largest=MAX_MESH_FILE_BYTES)
        vertices, faces = run_isolated(
            _parse_triangles, Path(path).suffix, content, source=f"'{Path(path).name}'", size=len(content)
        )
    except ModelError as error:
        raise MeshFileError(str(error)) from None
    sound: Any = np.isfinite(vertices).all(axis=1)
    faces = faces[sound[faces].all(axis=1)] if len(faces) else faces
    if not len(faces):
        raise MeshFileError(f"'{Path(path).name}' has no triangles")
    return decimate(np.where(sound[:, None], vertices, 0.0), faces, max_triangles)


def _parse_triangles(suffix: str, content: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of all meshes in a file together; files that it refers to are not read.
    Called in the helper process."""
    trimesh: Any = importlib.import_module("trimesh")
    try:
        scene: Any = trimesh.load_scene(io.BytesIO(content), file_type=suffix.lower().removeprefix("."), process=False)
        mesh: Any = scene.to_mesh()
        vertices, faces = np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces, dtype=np.int64)
    except MemoryError:
        raise
    except ImportError:
        raise ModelError(f"a mesh in {suffix} cannot be read as a mesh ({INSTALL_COMMAND})") from None
    except Exception:  # trimesh passes on any exception of its parsers
        raise ModelError(f"a mesh in {suffix} cannot be read as a mesh, it may be cut off") from None
    vertices, faces = vertices.reshape(-1, 3), faces.reshape(-1, 3)
    if len(faces) and not 0 <= faces.min() <= faces.max() < len(vertices):
        raise ModelError("a mesh has triangles between vertices that are not there")
    return vertices, faces


def decimate(vertices: np.ndarray, faces: np.ndarray, max_triangles: int) -> tuple[np.ndarray, np.ndarray]:
    """Reduce a mesh to at most `max_triangles`: vertices in one cell of a grid are merged into their mean, on the finest grid
    that suffices."""
    used, faces = np.unique(faces, return_inverse=True)
    vertices, faces = vertices[used], faces.reshape(-1, 3)
    low, size = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max()) or 1.0
    cells = 4096
    while True:
        grid = np.floor((vertices - low) / size * cells).astype(np.int64)
        _, group = np.unique(grid, axis=0, return_inverse=True)
        group = group.reshape(-1)
        merged = group[faces]
        merged = merged[
            (merged[:, 0] != merged[:, 1]) & (merged[:, 1] != merged[:, 2]) & (merged[:, 2] != merged[:, 0])
        ]
        first = merged[np.arange(len(merged))[:, None], (np.argmin(merged, axis=1)[:, None] + np.arange(3)) % 3]
        merged = np.unique(first, axis=0)  # remove duplicates, independent of the first corner
        if len(merged) <= max_triangles or cells == 1:
            break
        cells = max(1, int(cells * min(0.8, (max_triangles / len(merged)) ** 0.5)))
    count = np.bincount(group)
    centre = np.stack([np.bincount(group, vertices[:, k]) / count for k in range(3)], axis=1)
    return (centre, merged) if len(merged) else (vertices, faces[:max_triangles])


def write_stl(path: Path, vertices: np.ndarray, faces: np.ndarray) -> Path:
    """Write a binary STL file; normals are zero, readers compute them."""
    triangles = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    triangles["corners"] = vertices[faces]
    return save_bytes(path, b"\0" * 80 + struct.pack("<I", len(faces)) + triangles.tobytes())
