"""Mesh files of a saved model: written beside the model file, which refers to them, so that both can be moved together.

A mesh created in Python is written with its regions and its origin; one from a file elsewhere is copied. Results, which are
one file, contain their meshes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gaitwright._core.input_files import MAX_BINARY_BYTES, read_bytes
from gaitwright._core.output_files import save_bytes
from gaitwright.mesh.files import save_mesh
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.spec.document import ModelDocument


def write_mesh_files(document: ModelDocument, path: Path) -> ModelDocument:
    """Write the meshes of a document to files beside `path`; return the document with their names."""
    writer = _MeshFileWriter(path)
    solids = [
        solid.model_copy(update={"mesh": writer.named(solid.mesh, solid.name, f"solid '{solid.name}'")})
        for solid in document.solids
    ]
    contacts = []
    for k, entry in enumerate(document.contacts):
        name = entry["name"] or f"contact{k + 1}"
        for field in ("surface", "foundation"):
            side = entry.get(field) or {}
            if side.get("mesh") is not None:
                entry = {**entry, field: {**side, "mesh": writer.named(side["mesh"], name, f"contact '{name}'")}}
        contacts.append(entry)
    return document.model_copy(update={"solids": solids, "contacts": contacts})


class _MeshFileWriter:
    """Writer of mesh files beside a model file."""

    def __init__(self, path: Path):
        self.folder, self.stem = path.parent, path.stem
        self.written: dict[int, tuple[str, Mesh]] = {}  # by id: several solids may share a mesh

    def named(self, mesh: Any, owner: str, label: str) -> Any:
        """Value of a mesh field in the model file: a file name, or the shape with its sizes."""
        if isinstance(mesh, Mapping) and "nodes" in mesh:  # written out
            mesh = Mesh.from_dict(mesh)
        if isinstance(mesh, Mesh):
            if id(mesh) not in self.written:
                name = f"{self.stem}-{re.sub(r'[^A-Za-z0-9_.-]', '_', owner)}.npz"
                save_mesh(mesh, self.folder / name)
                self.written[id(mesh)] = name, mesh
            return self.written[id(mesh)][0]
        return self._of_file(Path(mesh), label) if isinstance(mesh, str) else mesh

    def _of_file(self, source: Path, label: str) -> str:
        """Relative name of a file below the folder of the model; another file is copied there."""
        folder, target = self.folder.resolve(), source.resolve()
        if folder in target.parents:
            return target.relative_to(folder).as_posix()
        content = read_bytes(source, label, "mesh", MAX_BINARY_BYTES)
        copy = self.folder / source.name
        if copy.exists() and read_bytes(copy, label, "mesh", MAX_BINARY_BYTES) != content:
            copy = copy.with_stem(f"{source.stem}-{hashlib.sha256(content).hexdigest()[:8]}")
        save_bytes(copy, content)
        return copy.name
