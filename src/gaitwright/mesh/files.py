"""Input and output of mesh files, with regions, unit and origin.

Files from other programs are read by meshio (.msh, .vtu, .vtk, .inp and more) and trimesh (.stl, .obj, .ply). Our own .npz
format needs neither. Files written here are in metres; a comment in them states unit and origin, so that reading needs no
guess."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, suggest_spelling
from gaitwright._core.errors import GaitwrightError
from gaitwright._core.input_files import MAX_BINARY_BYTES, contained_path, parse_json_line, read_arrays, read_bytes
from gaitwright._core.isolation import run_isolated
from gaitwright._core.output_files import save_bytes
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.length_units import find_length_unit
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.optional_packages import gaitwright_version, require_installed
from gaitwright.mesh.regions import MeshRegion
from gaitwright.mesh.validation import check_arrays

SURFACE_SUFFIXES = (".stl", ".obj", ".ply")
VOLUME_SUFFIXES = (".msh", ".vtu", ".vtk", ".inp", ".mesh", ".bdf", ".med", ".xdmf", ".e", ".vol", ".ele", ".off")
MESH_SUFFIXES = (".npz", *SURFACE_SUFFIXES, *VOLUME_SUFFIXES)
METADATA_MARK = "gaitwright-mesh "
"""Text before the metadata of a mesh in a comment."""
LINE_BASED_SUFFIXES = (".inp", ".obj", ".bdf", ".off")
"""Text formats that do not state the size of their content."""
WHOLE_FILE_HINT = "a whole file; write it again"
REGION_PREFIX = "region:"
"""Prefix of region names among the data of nodes and cells."""


@dataclass
class RawMesh:
    """Content of a file: nodes (n, 3) in its unit, cells, regions, notes on its content, and name of the reading package."""

    nodes: Array
    cells: Array
    regions: dict[str, MeshRegion] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    reader: str = ""


def read(path: str | Path, unit: str | float | None = None, *, weld: float | None = None) -> Mesh:
    """Read the mesh in a file: tetrahedra, triangles of the plane (if all nodes have the same z), or a surface of triangles.

    unit: of its lengths (mm, cm, in, ..., or metres per unit); by default the file's own statement, else guessed from its
    size, which `notes` state, as well as reoriented or removed cells, pieces and holes. weld: nodes closer than this, m,
    are merged; nodes of surfaces at exactly the same position always are. Physical groups, sets and integer data become
    regions. Raises ModelError for unreadable files, and GaitwrightError if the reading package is missing."""
    path = Path(path)
    at = ErrorContext(f"file '{path.name}'")
    suffix = path.suffix.lower()
    if path.is_dir():
        at.fail(f"'{path}' is a folder", expected="a mesh file in it")
    if suffix not in MESH_SUFFIXES:
        at.fail(
            f"'{suffix or path.name}' is not known as a suffix of a mesh file",
            expected=f"one of {', '.join(MESH_SUFFIXES)}{suggest_spelling(suffix, MESH_SUFFIXES)}",
        )
    content = _read_content(path, at)
    if suffix == ".npz":
        return _read_npz(content, at)
    metadata = _read_metadata(content)
    if suffix in SURFACE_SUFFIXES:
        from gaitwright.mesh.trimesh_files import read_surface_file

        require_installed("trimesh", f"reading {suffix} files")
        raw = run_isolated(read_surface_file, suffix, content, at, source=at.element, size=len(content))
    else:
        from gaitwright.mesh.meshio_files import read_meshio_file

        require_installed("meshio", f"reading {suffix} files")
        _require_contained(path, content, at)
        raw = run_isolated(read_meshio_file, os.path.abspath(path), at, source=at.element, size=len(content))
    return _build_mesh(raw, unit if unit is not None else metadata.get("unit"), metadata, path, content, weld, at)


def _build_mesh(
    raw: RawMesh, unit: Any, metadata: dict[str, Any], path: Path, content: bytes, weld: float | None, at: ErrorContext
) -> Mesh:
    from gaitwright.mesh.cleanup import tidied
    from gaitwright.mesh.surface_repair import repaired

    if not len(raw.nodes) or not len(raw.cells):
        at.fail("has no triangles or tetrahedra", expected="a mesh of them; check its export")
    if metadata.get("cells", len(raw.cells)) != len(raw.cells):
        at.fail(f"is cut off: {len(raw.cells)} of its {metadata['cells']} cells are there", expected=WHOLE_FILE_HINT)
    check_arrays(raw.nodes, raw.cells, at)
    size = float(np.ptp(raw.nodes, axis=0).max())
    if size == 0.0:
        at.fail("has no size: all its nodes lie at one place", expected="a mesh")
    length_unit = find_length_unit(unit, size, at)
    digest = hashlib.sha256(content).hexdigest()[:12]
    origin = (
        f"file '{path.name}' (sha256 {digest}), unit {length_unit.name}, read by {raw.reader}, {gaitwright_version()}"
    )
    notes = [*([] if metadata.get("unit") else [length_unit.note]), *raw.notes]
    if path.suffix.lower() in LINE_BASED_SUFFIXES and not content.endswith(b"\n"):
        notes.append("its last line has no end: check that it is complete")
    mesh = tidied(
        raw.nodes * length_unit.scale, raw.cells, raw.regions, weld=weld, origin=metadata.get("origin") or origin,
        notes=[*metadata.get("notes", []), *notes], called=at.element,
    )  # fmt: skip
    if mesh.is_surface:
        return repaired(mesh, weld=0.0 if weld is None else weld)
    duplicates = len(mesh.nodes) - len(np.unique(mesh.nodes, axis=0))
    notes = []
    if duplicates:
        notes.append(
            f"{duplicates} nodes lie exactly where another one does, so that cells there are not joined (weld=1e-9 joins them)"
        )
    if mesh.piece_count > 1:
        notes.append(f"it is made of {mesh.piece_count} pieces that share no node")
    if len(mesh._sides.crowded):
        notes.append(f"{len(mesh._sides.crowded)} faces are shared by more than two cells: cells overlap there")
    return replace(mesh, notes=(*mesh.notes, *notes))


def _read_content(path: Path, at: ErrorContext) -> bytes:
    content = read_bytes(path, at.element, "", MAX_BINARY_BYTES)
    if not content.strip():
        at.fail("is empty", expected="a mesh; write it again")
    return content


def _read_metadata(content: bytes) -> dict[str, Any]:
    """Metadata in a file that Gaitwright wrote; empty for other files."""
    for part in (content[:65536], content[-65536:]):
        match = re.search(re.escape(METADATA_MARK.encode()) + rb"(\{[^\n]*\})", part)
        if match:
            stored = parse_json_line(match.group(1))
            if isinstance(stored, dict) and stored.get("unit") == "m":
                notes, count = stored.get("notes", []), stored.get("cells")
                metadata = {
                    "unit": "m",
                    "origin": str(stored.get("origin", "")),
                    "notes": [str(note) for note in notes],
                }
                return {**metadata, "cells": count} if isinstance(count, int) else metadata
    return {}


def _require_contained(path: Path, content: bytes, at: ErrorContext) -> None:
    """Refuse a mesh that names files outside its folder: the arrays of XDMF, and the file TetGen writes beside its cells."""
    named = []
    if path.suffix.lower() == ".xdmf":
        named = [
            name.decode(errors="replace")
            for name in re.findall(rb">\s*([^<>]*?\.(?:h5|hdf5?|bin|xml|xmf|xdmf)\b)", content)
        ]
        named += [name.decode(errors="replace") for name in re.findall(rb"href\s*=\s*[\"']([^\"'#]+)", content)]
    if path.suffix.lower() == ".ele":
        named = [path.with_suffix(".node").name]
    for name in named:
        contained_path(path.parent, name.strip(), (), at.element)


def states_unit(path: str | Path) -> bool:
    """True if a file states its unit: one that Gaitwright wrote."""
    path = Path(path)
    at = ErrorContext(f"file '{path.name}'")
    return path.suffix.lower() == ".npz" or bool(_read_metadata(_read_content(path, at)))


def _metadata_comment(mesh: Mesh) -> str:
    metadata = {"unit": "m", "cells": len(mesh.cells), "origin": mesh.origin, "notes": list(mesh.notes)}
    return METADATA_MARK + json.dumps(metadata).replace("--", "-\\u002d")  # "--" would end an XML comment


def save_mesh(mesh: Mesh, path: str | Path) -> Path:
    """Write a mesh, nodes in m: .npz (own format), .vtu, .vtk, .msh, .inp; .stl, .obj and .ply get only its surface. Raises
    ModelError for another suffix."""
    path = Path(path)
    suffix = path.suffix.lower()
    at = ErrorContext(f"file '{path.name}'")
    if suffix == ".npz":
        return save_bytes(path, _npz_bytes(mesh))
    if suffix == ".stl":
        return save_bytes(path, _stl_bytes(mesh))
    from gaitwright.mesh.meshio_files import WRITER_FORMATS, write_meshio_bytes

    if suffix not in WRITER_FORMATS:
        can = (".npz", ".stl", *WRITER_FORMATS)
        at.fail(f"'{suffix}' cannot be written", expected=f"one of {', '.join(can)}{suggest_spelling(suffix, can)}")
    written = mesh if suffix not in SURFACE_SUFFIXES or mesh.is_surface else mesh.surface()
    return save_bytes(path, write_meshio_bytes(written, suffix, _metadata_comment(written)))


def _npz_bytes(mesh: Mesh) -> bytes:
    arrays: dict[str, Any] = {"nodes": mesh.nodes, "cells": mesh.cells, "told": np.array(_metadata_comment(mesh))}
    for name, region in mesh.regions.items():
        arrays[f"{REGION_PREFIX}{name}/nodes"], arrays[f"{REGION_PREFIX}{name}/cells"] = region.nodes, region.cells
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def _read_npz(content: bytes, at: ErrorContext) -> Mesh:
    problem = "is not a mesh that Gaitwright wrote, or it is cut off"
    expected = "a file of mesh.save('name.npz')"
    arrays = read_arrays(content, at, expected, problem)
    try:
        metadata = _read_metadata(str(arrays["told"]).encode())
        names = dict.fromkeys(
            n.removeprefix(REGION_PREFIX).rpartition("/")[0] for n in arrays if n.startswith(REGION_PREFIX)
        )
        regions = {
            n: MeshRegion(arrays[f"{REGION_PREFIX}{n}/nodes"], arrays[f"{REGION_PREFIX}{n}/cells"]) for n in names
        }
        return Mesh(arrays["nodes"], arrays["cells"], regions, metadata.get("origin", ""), metadata.get("notes", ()))
    except GaitwrightError:
        raise
    except (LookupError, ValueError, TypeError):
        at.fail(problem, expected=expected)


def _stl_bytes(mesh: Mesh) -> bytes:
    """A binary STL file; its header states the unit."""
    faces = mesh.triangles
    triangles = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    triangles["corners"] = mesh.nodes[faces]
    header = (METADATA_MARK + '{"unit": "m"}\n').encode().ljust(80, b" ")
    return header + np.uint32(len(faces)).tobytes() + triangles.tobytes()


@contextlib.contextmanager
def suppress_output() -> Any:
    """Context manager that discards the standard output and standard error of libraries."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def temporary_folder(suffix: str) -> Any:
    """Temporary folder for libraries that can only write to a path."""
    return tempfile.TemporaryDirectory(prefix=f"gaitwright-{suffix.removeprefix('.')}-")
