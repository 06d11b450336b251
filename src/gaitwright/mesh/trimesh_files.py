"""Surfaces of triangles from files: STL, OBJ and PLY, read by trimesh."""

from __future__ import annotations

import io

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.isolation import failure_cause
from gaitwright.mesh.files import WHOLE_FILE_HINT, RawMesh, suppress_output
from gaitwright.mesh.optional_packages import import_package, package_version


def read_surface_file(suffix: str, content: bytes, at: ErrorContext) -> RawMesh:
    """Read nodes and triangles. suffix: of the file. Runs in the helper process. Raises ModelError for invalid content."""
    trimesh = import_package("trimesh", f"reading {suffix} files")
    kind = suffix.removeprefix(".")
    if kind == "stl":
        _check_stl_size(content, at)
    try:
        with suppress_output():
            loaded = trimesh.load_mesh(io.BytesIO(content), file_type=kind, process=False)
            parts = list(loaded.geometry.values()) if hasattr(loaded, "geometry") else [loaded]
            nodes, faces, count = [], [], 0
            for part in parts:
                nodes.append(np.asarray(part.vertices, dtype=float).reshape(-1, 3))
                faces.append(np.asarray(part.faces, dtype=np.int64).reshape(-1, 3) + count)
                count += len(nodes[-1])
    except Exception as error:  # its readers raise arbitrary exceptions
        at.fail(
            f"cannot be read as .{kind}, perhaps because it is cut off ({failure_cause(error)})",
            expected=WHOLE_FILE_HINT,
        )
    if not nodes:
        at.fail("has no triangles", expected="a surface of triangles")
    count, named = sum(map(len, nodes)), np.concatenate(faces)
    if len(named) and not 0 <= named.min() <= named.max() < count:
        at.fail(
            "has triangles between nodes that are not there, perhaps because it is cut off", expected=WHOLE_FILE_HINT
        )
    # An STL file repeats nodes in every triangle, and other files duplicate them along texture seams.
    x, number = np.unique(np.concatenate(nodes), axis=0, return_inverse=True)
    return RawMesh(x, number.reshape(-1)[named], reader=package_version(trimesh))


def _check_stl_size(content: bytes, at: ErrorContext) -> None:
    """Refuse an STL file shorter than it declares: otherwise half a surface would be read without a warning."""
    if content[:5].lower() == b"solid" and b"facet" in content[:2000]:
        if b"endsolid" not in content[-2000:].lower():
            at.fail("is cut off: its text has no end ('endsolid')", expected=WHOLE_FILE_HINT)
        return
    if len(content) < 84:
        at.fail("is cut off: it is shorter than the head of an STL file", expected=WHOLE_FILE_HINT)
    count = int(np.frombuffer(content[80:84], dtype="<u4")[0])
    if len(content) < 84 + 50 * count:
        present = (len(content) - 84) // 50
        at.fail(f"is cut off: {present} of its {count} triangles are there", expected=WHOLE_FILE_HINT)
