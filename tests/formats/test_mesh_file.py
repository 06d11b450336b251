"""Mesh files for pictures: read, decimated, written, and invalid ones rejected."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gaitwright.formats.mesh_file import MAX_PICTURE_FACES, MeshFileError, decimate, read_mesh, write_stl

pytest.importorskip("trimesh", reason="trimesh is not installed: pip install 'gaitwright[robots]'")
CORNERS = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)])
FACES = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
                  (1, 5, 7), (1, 7, 3)])  # fmt: skip


def volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Positive if the triangles are counter-clockwise seen from outside."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def as_text(suffix: str) -> str:
    points = [" ".join(map(str, p)) for p in CORNERS]
    if suffix == ".obj":
        return "\n".join([*(f"v {p}" for p in points), *("f " + " ".join(str(i + 1) for i in f) for f in FACES)])
    head = (
        f"ply\nformat ascii 1.0\nelement vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
    )
    head += f"element face {len(FACES)}\nproperty list uchar int vertex_indices\nend_header\n"
    return head + "\n".join([*points, *("3 " + " ".join(map(str, f)) for f in FACES)]) + "\n"


@pytest.mark.parametrize("suffix", [".stl", ".obj", ".ply"])
def test_box_is_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"box{suffix}"
    if suffix == ".stl":
        write_stl(path, CORNERS, FACES)
    else:
        path.write_text(as_text(suffix))
    vertices, faces = read_mesh(path)
    assert len(faces) == 12 and np.ptp(vertices, axis=0) == pytest.approx([1, 2, 3])
    assert abs(volume(vertices, faces)) == pytest.approx(6)


def test_scale_and_mirror(tmp_path: Path) -> None:
    path = write_stl(tmp_path / "box.STL", CORNERS, FACES)
    size = volume(*read_mesh(path))
    assert volume(*read_mesh(path, (0.001, 0.001, 0.001))) == pytest.approx(1e-9 * size)
    assert volume(*read_mesh(path, (1.0, -1.0, 1.0))) == pytest.approx(size)


def test_fine_meshes_are_decimated() -> None:
    """A sphere of 20,000 triangles is decimated and keeps its volume."""
    u, v = np.meshgrid(np.linspace(0, np.pi, 101), np.linspace(0, 2 * np.pi, 101), indexing="ij")
    points = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    n = np.arange(101 * 101).reshape(101, 101)
    a, b, c, d = (part.ravel() for part in (n[:-1, :-1], n[1:, :-1], n[1:, 1:], n[:-1, 1:]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    for most in (MAX_PICTURE_FACES, 300):
        vertices, kept = decimate(points, faces, most)
        assert most / 4 < len(kept) <= most
        assert volume(vertices, kept) == pytest.approx(4 / 3 * np.pi, rel=60 / most)  # chords: error ~ length squared


def test_invalid_mesh_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "text.stl").write_text("this is no mesh")
    (tmp_path / "empty.obj").write_text("")
    (tmp_path / "folder.stl").mkdir()
    for name in ("text.stl", "empty.obj", "folder.stl", "none.stl", "secret.txt", "a\0b.stl"):
        with pytest.raises(MeshFileError):
            read_mesh(tmp_path / name)
