"""Surfaces of triangles from files: STL, OBJ and PLY, read by trimesh."""

from __future__ import annotations

import io

import numpy as np

from gaitwright.checks import At
from gaitwright.isolation import cause_of
from gaitwright.mesh.extras import needed, version_of
from gaitwright.mesh.files import AGAIN, Raw, quietly


def read_surface_file(suffix: str, content: bytes, at: At) -> Raw:
    """Nodes and triangles. suffix: of the file. Called in the helper process."""
    trimesh = needed("trimesh", f"reading {suffix} files")
    kind = suffix.removeprefix(".")
    if kind == "stl":
        _check_stl(content, at)
    try:
        with quietly():
            loaded = trimesh.load_mesh(io.BytesIO(content), file_type=kind, process=False)
            parts = list(loaded.geometry.values()) if hasattr(loaded, "geometry") else [loaded]
            nodes, faces, count = [], [], 0
            for part in parts:
                nodes.append(np.asarray(part.vertices, dtype=float).reshape(-1, 3))
                faces.append(np.asarray(part.faces, dtype=np.int64).reshape(-1, 3) + count)
                count += len(nodes[-1])
    except Exception as error:  # its readers raise whatever their parsers do
        at.fail(f"cannot be read as .{kind}, perhaps because it is cut off ({cause_of(error)})", expected=AGAIN)
    if not nodes:
        at.fail("has no triangles", expected="a surface of triangles")
    count, named = sum(map(len, nodes)), np.concatenate(faces)
    if len(named) and not 0 <= named.min() <= named.max() < count:
        at.fail("has triangles between nodes that are not there, perhaps because it is cut off", expected=AGAIN)
    # An STL file has every node once per triangle, and others have it twice along seams of their pictures.
    x, number = np.unique(np.concatenate(nodes), axis=0, return_inverse=True)
    return Raw(x, number.reshape(-1)[named], reader=version_of(trimesh))


def _check_stl(content: bytes, at: At) -> None:
    """Whether all that it announces is there: half a surface would be read without a word."""
    if content[:5].lower() == b"solid" and b"facet" in content[:2000]:
        if b"endsolid" not in content[-2000:].lower():
            at.fail("is cut off: its text has no end ('endsolid')", expected=AGAIN)
        return
    if len(content) < 84:
        at.fail("is cut off: it is shorter than the head of an STL file", expected=AGAIN)
    count = int(np.frombuffer(content[80:84], dtype="<u4")[0])
    if len(content) < 84 + 50 * count:
        there = (len(content) - 84) // 50
        at.fail(f"is cut off: {there} of its {count} triangles are there", expected=AGAIN)
