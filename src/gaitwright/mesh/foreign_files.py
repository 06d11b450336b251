"""Mesh files of other programs, read and written by meshio: cells of one kind, and groups, sets and data as regions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.input_files import MAX_BINARY_BYTES, read_bytes
from gaitwright.isolation import cause_of
from gaitwright.mesh.extras import needed, version_of
from gaitwright.mesh.files import AGAIN, REGION, Raw, beside, quietly
from gaitwright.mesh.kinds import BY_NODES, KINDS, T3, T6, Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Region

FILE_NAMES = {kind.file_name: kind for kind in KINDS.values()}
MOST_VALUES = 64
"""Data of whole numbers that have more different values are measurements, not names of regions."""
WRITERS = {".vtu": "vtu", ".vtk": "vtk", ".msh": "gmsh", ".inp": "abaqus", ".obj": "obj", ".ply": "ply"}
OPTIONS: dict[str, dict[str, Any]] = {
    ".vtk": {"binary": False},
    ".ply": {"binary": False},  # a comment would end in the data otherwise
    ".inp": {"float_fmt": ".13e"},  # CalculiX refuses numbers of more than twenty letters
}
ABAQUS = {
    ("TET4", 3): b"C3D4", ("TET10", 3): b"C3D10", ("T3", 2): b"CPS3", ("T6", 2): b"CPE6", ("T3", 3): b"S3",
    ("T6", 3): b"STRI65",
}  # fmt: skip
"""What elements are called there, by kind and dimension of space: meshio writes hybrid and rigid ones, which few know."""
SURFACE_ONLY = (".obj", ".ply")


def read_foreign(name: str, at: At) -> Raw:
    """Nodes, cells and regions. name: path of the file. Called in the helper process."""
    path = Path(name)
    meshio = needed("meshio", f"reading {path.suffix} files")
    try:
        with quietly(), np.errstate(all="ignore"):
            found = meshio.read(path)
    except (Exception, SystemExit) as error:  # its readers raise whatever their parsers do, or leave
        why = "" if isinstance(error, SystemExit) else f" ({cause_of(error)})"
        at.fail(
            f"cannot be read as {path.suffix}, perhaps because it is cut off{why}",
            expected=AGAIN,
        )
    blocks = [(block.type, np.asarray(block.data)) for block in found.cells]
    kind = _kind(blocks, at)
    chosen = [k for k, (name, _) in enumerate(blocks) if name == kind]
    offsets = dict(zip(chosen, np.cumsum([0, *(len(blocks[k][1]) for k in chosen)]), strict=False))
    cells = np.concatenate([blocks[k][1] for k in chosen]).astype(np.int64)
    nodes = np.asarray(found.points, dtype=float)
    if nodes.ndim != 2 or nodes.shape[1] not in (2, 3):
        at.fail(f"has nodes of shape {nodes.shape}", expected="two or three coordinates each")
    if len(cells) and (cells.min() < 0 or cells.max() >= len(nodes)):
        at.fail("has cells between nodes that are not there", expected=AGAIN)
    flat = FILE_NAMES[kind] in (T3, T6) and nodes.shape[1] == 3 and np.ptp(nodes[np.unique(cells), 2]) == 0.0
    raw = Raw(nodes[:, :2] if flat else nodes, cells, reader=version_of(meshio))
    if path.suffix.lower() == ".inp":
        raw.notes += _left_out(path)
    listed = getattr(found, "point_sets", None) or {}
    for read_regions in (_physical, _sets, _data):
        for name, (node_parts, cell_parts) in read_regions(found, blocks, offsets).items():
            raw.regions[name] = _region(
                node_parts, cell_parts, cells, whole=read_regions is not _data and name not in listed
            )
    return raw


def _left_out(path: Path) -> list[str]:
    """Surfaces of Abaqus, made of sides of elements, which meshio passes over."""
    text = read_bytes(path, largest=MAX_BINARY_BYTES).decode("latin-1")
    names = re.findall(r"^\*SURFACE\b[^\n]*?\bNAME\s*=\s*([^,\s]+)", text, flags=re.IGNORECASE | re.MULTILINE)
    return [f"*SURFACE {', '.join(names)} is not read: sets of nodes (*NSET) and elements are regions"] if names else []


def _kind(blocks: list[tuple[str, Array]], at: At) -> str:
    """What its cells of the highest dimension are, if that can be calculated with."""
    names = {name for name, data in blocks if len(data)}
    solid = names - {"vertex", "line", "line3"}
    space = solid - {"triangle", "triangle6", "quad", "quad8", "quad9"}
    wanted = space or solid
    if not wanted:
        at.fail("has no triangles or tetrahedra", list(names) or None, "a mesh of them")
    if len(wanted) > 1 or not wanted <= set(FILE_NAMES):
        counts = ", ".join(f"{sum(len(d) for n, d in blocks if n == name)} {name}" for name in sorted(wanted))
        at.fail(
            f"has cells that are not computed with, or several kinds: {counts}",
            expected=f"one of {', '.join(FILE_NAMES)}: mesh it again with these alone",
        )
    return wanted.pop()


Parts = dict[str, tuple[list[Array], list[Array]]]
"""By the name of a region: lists of nodes and of cells."""


def _region(nodes: list[Array], cells: list[Array], all_cells: Array, whole: bool) -> Region:
    """whole: nodes of its cells belong to it, besides those that are listed; otherwise only if none are listed."""
    own = np.concatenate([*cells, np.zeros(0, dtype=np.int64)]).astype(np.int64)
    more = [np.unique(all_cells[own])] if whole or not nodes else []
    return Region(np.concatenate([*nodes, *more, np.zeros(0, dtype=np.int64)]), own)


def _put(parts: Parts, name: str, k: int, own: Array, blocks: Any, offsets: dict[int, int]) -> None:
    """Members of a block of cells: as cells if they are of the kind that is kept, otherwise as their nodes."""
    nodes, cells = parts.setdefault(name, ([], []))
    if k in offsets:
        cells.append(own + offsets[k])
    else:
        nodes.append(np.unique(blocks[k][1][own]))


def _physical(found: Any, blocks: Any, offsets: dict[int, int]) -> Parts:
    """Physical groups of Gmsh, by their names, or as physical_3."""
    parts: Parts = {}
    names = {(int(value[0]), int(value[1])): name for name, value in found.field_data.items() if np.size(value) == 2}
    dimensions = {"vertex": 0, "line": 1, "line3": 1, "triangle": 2, "triangle6": 2, "tetra": 3, "tetra10": 3}
    for k, tags in enumerate(found.cell_data.get("gmsh:physical", [])):
        for tag in np.unique(tags):
            name = names.get((int(tag), dimensions.get(blocks[k][0], -1)), f"physical_{int(tag)}")
            if tag:
                _put(parts, name, k, np.flatnonzero(np.asarray(tags) == tag), blocks, offsets)
    return parts


def _sets(found: Any, blocks: Any, offsets: dict[int, int]) -> Parts:
    """Sets of nodes and of elements, as Abaqus and CalculiX have them."""
    parts: Parts = {}
    for name, own in (getattr(found, "point_sets", None) or {}).items():
        parts.setdefault(str(name), ([], []))[0].append(np.asarray(own, dtype=np.int64).reshape(-1))
    for name, lists in (getattr(found, "cell_sets", None) or {}).items():
        if not str(name).startswith("gmsh:"):
            for k, own in enumerate(lists):
                if own is not None and len(own):
                    _put(parts, str(name), k, np.asarray(own, dtype=np.int64), blocks, offsets)
    return parts


def _data(found: Any, blocks: Any, offsets: dict[int, int]) -> Parts:
    """Data of nodes and cells that are whole numbers: those of ours by name, others as MaterialIds_2."""
    parts: Parts = {}
    for name, values in found.point_data.items():
        for region, chosen in _values(name, [np.asarray(values)]):
            parts.setdefault(region, ([], []))[0].append(np.flatnonzero(chosen[0]))
    for name, lists in found.cell_data.items():
        if not name.startswith("gmsh:"):
            for region, chosen in _values(name, [np.asarray(values) for values in lists]):
                for k, mask in enumerate(chosen):
                    if mask.any():
                        _put(parts, region, k, np.flatnonzero(mask), blocks, offsets)
    return parts


def _values(name: str, lists: list[Array]) -> list[tuple[str, list[Array]]]:
    flat = [values.reshape(len(values), -1) for values in lists]
    if any(values.shape[1] != 1 for values in flat if len(values)):
        return []
    flat = [values[:, 0] if len(values) else np.zeros(0) for values in flat]
    everything = np.concatenate(flat)
    if name.startswith(REGION):
        return [(name.removeprefix(REGION), [values > 0.5 for values in flat])]
    different = np.unique(everything)
    whole = everything.dtype.kind in "iu"
    if not whole or not 1 < len(different) <= MOST_VALUES:
        return []
    return [(f"{name}_{int(value)}", [values == value for values in flat]) for value in different]


def written(mesh: Mesh, suffix: str, told: str, fields: Mapping[str, Array] | None = None) -> bytes:
    """The bytes of a file of another program's format, with what is told of the mesh as a comment. fields: quantities at its
    nodes, (nodes,) or (nodes, components), where the format has such."""
    meshio = needed("meshio", f"writing {suffix} files")
    nodes, cells = mesh.nodes, mesh.cells
    if suffix in SURFACE_ONLY:
        cells = mesh.triangles
    points = np.column_stack([nodes, np.zeros(len(nodes))]) if nodes.shape[1] == 2 else nodes
    extra: dict[str, Any] = {}
    if suffix == ".inp":
        extra["point_sets"] = {name: region.nodes for name, region in mesh.regions.items() if len(region.nodes)}
        extra["cell_sets"] = {name: [region.cells] for name, region in mesh.regions.items() if len(region.cells)}
    elif suffix not in SURFACE_ONLY:
        extra["point_data"] = {f"{REGION}{n}": _mask(r.nodes, len(nodes)) for n, r in mesh.regions.items()}
        extra["point_data"] |= {name: _in_space(values) for name, values in (fields or {}).items()}
        extra["cell_data"] = {f"{REGION}{n}": [_mask(r.cells, len(cells))] for n, r in mesh.regions.items()}
    made = meshio.Mesh(np.array(points), [(BY_NODES[cells.shape[1]].file_name, np.array(cells))], **extra)
    with beside(suffix) as folder, quietly():
        path = Path(folder) / f"mesh{suffix}"
        meshio.write(path, made, file_format=WRITERS[suffix], **OPTIONS.get(suffix, {}))
        data = path.read_bytes()
    if suffix == ".inp":
        data = re.sub(rb"(?i)(TYPE=)\w+", rb"\g<1>" + ABAQUS[mesh.kind.name, mesh.dimension], data, count=1)
    return _COMMENT[suffix](data, told.encode())


def _in_space(values: Array) -> Array:
    """Vectors of the plane with a third component, as those who read such files want them."""
    return np.column_stack([values, np.zeros(len(values))]) if values.ndim == 2 and values.shape[1] == 2 else values


def _mask(members: Array, count: int) -> Array:
    mask = np.zeros(count, dtype=np.int32)
    mask[members] = 1
    return mask


def _after_lines(count: int, comment: bytes) -> Any:
    def put(data: bytes, told: bytes) -> bytes:
        lines = data.split(b"\n", count)
        return b"\n".join([*lines[:count], comment.replace(b"TOLD", told), lines[count]])

    return put


def _last(comment: bytes) -> Any:
    return lambda data, told: data.rstrip(b"\n") + b"\n" + comment.replace(b"TOLD", told) + b"\n"


def _second_line(data: bytes, told: bytes) -> bytes:
    """Of a legacy VTK file, the second line is a title of at most 256 letters."""
    first, _, rest = data.partition(b"\n")
    _, _, rest = rest.partition(b"\n")
    title = told if len(told) < 256 else told[: told.index(b'"origin"')].rstrip(b", ") + b"}"
    return first + b"\n" + title + b"\n" + rest


_COMMENT: dict[str, Any] = {
    ".vtu": _after_lines(1, b"<!-- TOLD -->"),
    ".inp": _after_lines(0, b"** TOLD"),
    ".msh": _last(b"$Comments\nTOLD\n$EndComments"),
    ".vtk": _second_line,
    ".obj": _after_lines(0, b"# TOLD"),
    ".ply": _after_lines(2, b"comment TOLD"),
}
