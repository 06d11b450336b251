"""Meshes from files and into files, with their regions, their unit and their origin.

Files that others wrote are read by meshio (.msh, .vtu, .vtk, .inp and more) and trimesh (.stl, .obj, .ply). Our own .npz
needs neither. What we write is in metres, and says so and where it comes from in a comment, so that it is read without a
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

from gaitwright.checks import At, did_you_mean
from gaitwright.errors import GaitwrightError
from gaitwright.input_files import MAX_BINARY_BYTES, contained_path, parse_json_line, read_arrays, read_bytes
from gaitwright.isolation import isolated
from gaitwright.mesh.extras import own_version, require_installed
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Region
from gaitwright.mesh.sound import checked_arrays
from gaitwright.mesh.units import unit_of
from gaitwright.saving import save_bytes

SURFACES = (".stl", ".obj", ".ply")
VOLUMES = (".msh", ".vtu", ".vtk", ".inp", ".mesh", ".bdf", ".med", ".xdmf", ".e", ".vol", ".ele", ".off")
KNOWN = (".npz", *SURFACES, *VOLUMES)
MARK = "gaitwright-mesh "
"""Before what we tell of a mesh in a comment."""
LINES = (".inp", ".obj", ".bdf", ".off")
"""Text that tells nowhere how much of it there should be."""
AGAIN = "a whole file; write it again"
REGION = "region:"
"""Before the name of a region among the data of nodes and cells."""


@dataclass
class Raw:
    """What a file has: nodes (n, 3) in its unit, cells, regions, what it tells of itself, and who read it."""

    nodes: Array
    cells: Array
    regions: dict[str, Region] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    reader: str = ""


def read(path: str | Path, unit: str | float | None = None, *, weld: float | None = None) -> Mesh:
    """The mesh in a file: tetrahedra, triangles of the plane (if all nodes have one z), or a surface of triangles.

    unit: of its lengths (mm, cm, in, ..., or metres per unit); guessed from its size unless told, which `notes` say, as
    all that was noticed: cells turned or dropped, pieces, holes. weld: nodes nearer than this, m, become one; those of
    surfaces at exactly the same place always do. Physical groups, sets, and data of whole numbers become regions."""
    path = Path(path)
    at = At(f"file '{path.name}'")
    suffix = path.suffix.lower()
    if path.is_dir():
        at.fail(f"'{path}' is a folder", expected="a mesh file in it")
    if suffix not in KNOWN:
        at.fail(
            f"'{suffix or path.name}' is not known as the end of a mesh file",
            expected=f"one of {', '.join(KNOWN)}{did_you_mean(suffix, KNOWN)}",
        )
    content = _content(path, at)
    if suffix == ".npz":
        return _read_own(content, at)
    told = _told(content)
    if suffix in SURFACES:
        from gaitwright.mesh.surface_files import read_surface_file

        require_installed("trimesh", f"reading {suffix} files")
        raw = isolated(read_surface_file, suffix, content, at, source=at.element, size=len(content))
    else:
        from gaitwright.mesh.foreign_files import read_foreign

        require_installed("meshio", f"reading {suffix} files")
        _require_contained(path, content, at)
        raw = isolated(read_foreign, os.path.abspath(path), at, source=at.element, size=len(content))
    return _made(raw, unit if unit is not None else told.get("unit"), told, path, content, weld, at)


def _made(raw: Raw, unit: Any, told: dict[str, Any], path: Path, content: bytes, weld: float | None, at: At) -> Mesh:
    from gaitwright.mesh.surfaces import repaired
    from gaitwright.mesh.tidy import tidied

    if not len(raw.nodes) or not len(raw.cells):
        at.fail("has no triangles or tetrahedra", expected="a mesh of them; see what wrote it")
    if told.get("cells", len(raw.cells)) != len(raw.cells):
        at.fail(f"is cut off: {len(raw.cells)} of its {told['cells']} cells are there", expected=AGAIN)
    checked_arrays(raw.nodes, raw.cells, at)
    size = float(np.ptp(raw.nodes, axis=0).max())
    if size == 0.0:
        at.fail("has no size: all its nodes lie at one place", expected="a mesh")
    found = unit_of(unit, size, at)
    digest = hashlib.sha256(content).hexdigest()[:12]
    origin = f"file '{path.name}' (sha256 {digest}), unit {found.name}, read by {raw.reader}, {own_version()}"
    notes = [*([] if told.get("unit") else [found.note]), *raw.notes]
    if path.suffix.lower() in LINES and not content.endswith(b"\n"):
        notes.append("its last line has no end: see whether it is whole")
    mesh = tidied(
        raw.nodes * found.scale, raw.cells, raw.regions, weld=weld, origin=told.get("origin") or origin,
        notes=[*told.get("notes", []), *notes], called=at.element,
    )  # fmt: skip
    if mesh.is_surface:
        return repaired(mesh, weld=0.0 if weld is None else weld)
    same = len(mesh.nodes) - len(np.unique(mesh.nodes, axis=0))
    more = []
    if same:
        more.append(
            f"{same} nodes lie exactly where another one does, so that cells there are not joined (weld=1e-9 joins them)"
        )
    if mesh.piece_count > 1:
        more.append(f"it is made of {mesh.piece_count} pieces that share no node")
    if len(mesh._sides.crowded):
        more.append(f"{len(mesh._sides.crowded)} faces are shared by more than two cells: cells overlap there")
    return replace(mesh, notes=(*mesh.notes, *more))


def _content(path: Path, at: At) -> bytes:
    content = read_bytes(path, at.element, "", MAX_BINARY_BYTES)
    if not content.strip():
        at.fail("is empty", expected="a mesh; write it again")
    return content


def _told(content: bytes) -> dict[str, Any]:
    """What a file of ours tells of itself; nothing of others'."""
    for part in (content[:65536], content[-65536:]):
        found = re.search(re.escape(MARK.encode()) + rb"(\{[^\n]*\})", part)
        if found:
            told = parse_json_line(found.group(1))
            if isinstance(told, dict) and told.get("unit") == "m":
                notes, count = told.get("notes", []), told.get("cells")
                found = {"unit": "m", "origin": str(told.get("origin", "")), "notes": [str(note) for note in notes]}
                return {**found, "cells": count} if isinstance(count, int) else found
    return {}


def _require_contained(path: Path, content: bytes, at: At) -> None:
    """Refuse a mesh that names files outside of its folder: the arrays of XDMF, and what TetGen writes beside its cells."""
    named = []
    if path.suffix.lower() == ".xdmf":
        named = [
            one.decode(errors="replace")
            for one in re.findall(rb">\s*([^<>]*?\.(?:h5|hdf5?|bin|xml|xmf|xdmf)\b)", content)
        ]
        named += [one.decode(errors="replace") for one in re.findall(rb"href\s*=\s*[\"']([^\"'#]+)", content)]
    if path.suffix.lower() == ".ele":
        named = [path.with_suffix(".node").name]
    for name in named:
        contained_path(path.parent, name.strip(), (), at.element)


def told_unit(path: str | Path) -> bool:
    """Whether a file says itself what its unit is: one that we wrote."""
    path = Path(path)
    at = At(f"file '{path.name}'")
    return path.suffix.lower() == ".npz" or bool(_told(_content(path, at)))


def _telling(mesh: Mesh) -> str:
    told = {"unit": "m", "cells": len(mesh.cells), "origin": mesh.origin, "notes": list(mesh.notes)}
    return MARK + json.dumps(told).replace("--", "-\\u002d")  # two of them would end a comment of XML


def save_mesh(mesh: Mesh, path: str | Path) -> Path:
    """Write a mesh, nodes in m: .npz (ours), .vtu, .vtk, .msh, .inp; .stl, .obj and .ply have its surface alone."""
    path = Path(path)
    suffix = path.suffix.lower()
    at = At(f"file '{path.name}'")
    if suffix == ".npz":
        return save_bytes(path, _own(mesh))
    if suffix == ".stl":
        return save_bytes(path, _stl(mesh))
    from gaitwright.mesh.foreign_files import WRITERS, written

    if suffix not in WRITERS:
        can = (".npz", ".stl", *WRITERS)
        at.fail(f"'{suffix}' cannot be written", expected=f"one of {', '.join(can)}{did_you_mean(suffix, can)}")
    shown = mesh if suffix not in SURFACES or mesh.is_surface else mesh.surface()
    return save_bytes(path, written(shown, suffix, _telling(shown)))


def _own(mesh: Mesh) -> bytes:
    arrays: dict[str, Any] = {"nodes": mesh.nodes, "cells": mesh.cells, "told": np.array(_telling(mesh))}
    for name, region in mesh.regions.items():
        arrays[f"{REGION}{name}/nodes"], arrays[f"{REGION}{name}/cells"] = region.nodes, region.cells
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def _read_own(content: bytes, at: At) -> Mesh:
    problem = "is not a mesh that Gaitwright wrote, or it is cut off"
    expected = "a file of mesh.save('name.npz')"
    arrays = read_arrays(content, at, expected, problem)
    try:
        told = _told(str(arrays["told"]).encode())
        names = dict.fromkeys(n.removeprefix(REGION).rpartition("/")[0] for n in arrays if n.startswith(REGION))
        regions = {n: Region(arrays[f"{REGION}{n}/nodes"], arrays[f"{REGION}{n}/cells"]) for n in names}
        return Mesh(arrays["nodes"], arrays["cells"], regions, told.get("origin", ""), told.get("notes", ()))
    except GaitwrightError:
        raise
    except (LookupError, ValueError, TypeError):
        at.fail(problem, expected=expected)


def _stl(mesh: Mesh) -> bytes:
    """A binary STL file; its header tells the unit."""
    faces = mesh.triangles
    triangles = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    triangles["corners"] = mesh.nodes[faces]
    header = (MARK + '{"unit": "m"}\n').encode().ljust(80, b" ")
    return header + np.uint32(len(faces)).tobytes() + triangles.tobytes()


@contextlib.contextmanager
def quietly() -> Any:
    """Libraries that print what they notice on stdout do so into nothing."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def beside(suffix: str) -> Any:
    """A folder of our own for what a library insists on writing to a path."""
    return tempfile.TemporaryDirectory(prefix=f"gaitwright-{suffix.removeprefix('.')}-")
