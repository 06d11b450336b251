"""Mesh files of other programs, read and written by meshio: cells of one kind; groups, sets and data become regions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import MAX_BINARY_BYTES, read_bytes
from gaitwright._core.isolation import failure_cause
from gaitwright.mesh.cell_kinds import KIND_BY_NODE_COUNT, KINDS, T3, T6, Array
from gaitwright.mesh.files import REGION_PREFIX, WHOLE_FILE_HINT, RawMesh, suppress_output, temporary_folder
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.optional_packages import import_package, package_version
from gaitwright.mesh.regions import MeshRegion

KIND_BY_FILE_NAME = {kind.file_name: kind for kind in KINDS.values()}
MAX_REGION_VALUES = 64
"""Upper bound of the number of different values; integer data with more values are measurements, not regions."""
WRITER_FORMATS = {".vtu": "vtu", ".vtk": "vtk", ".msh": "gmsh", ".inp": "abaqus", ".obj": "obj", ".ply": "ply"}
WRITER_OPTIONS: dict[str, dict[str, Any]] = {
    ".vtk": {"binary": False},
    ".ply": {"binary": False},  # in a binary file the comment would become part of the data
    ".inp": {"float_fmt": ".13e"},  # CalculiX refuses numbers longer than twenty characters
}
ABAQUS_ELEMENT_NAMES = {
    ("TET4", 3): b"C3D4", ("TET10", 3): b"C3D10", ("T3", 2): b"CPS3", ("T6", 2): b"CPE6", ("T3", 3): b"S3",
    ("T6", 3): b"STRI65",
}  # fmt: skip
"""Abaqus element names, by kind and dimension of space: meshio writes hybrid and rigid elements, which few programs
support."""
SURFACE_ONLY_SUFFIXES = (".obj", ".ply")


def read_meshio_file(name: str, at: ErrorContext) -> RawMesh:
    """Read nodes, cells and regions. name: path of the file. Runs in the helper process. Raises ModelError."""
    path = Path(name)
    meshio = import_package("meshio", f"reading {path.suffix} files")
    try:
        with suppress_output(), np.errstate(all="ignore"):
            content = meshio.read(path)
    except (Exception, SystemExit) as error:  # its readers raise arbitrary exceptions, or exit
        why = "" if isinstance(error, SystemExit) else f" ({failure_cause(error)})"
        at.fail(f"cannot be read as {path.suffix}, perhaps because it is cut off{why}", expected=WHOLE_FILE_HINT)
    blocks = [(block.type, np.asarray(block.data)) for block in content.cells]
    kind = _find_cell_type(blocks, at)
    chosen = [k for k, (name, _) in enumerate(blocks) if name == kind]
    offsets = dict(zip(chosen, np.cumsum([0, *(len(blocks[k][1]) for k in chosen)]), strict=False))
    cells = np.concatenate([blocks[k][1] for k in chosen]).astype(np.int64)
    nodes = np.asarray(content.points, dtype=float)
    if nodes.ndim != 2 or nodes.shape[1] not in (2, 3):
        at.fail(f"has nodes of shape {nodes.shape}", expected="two or three coordinates each")
    if len(cells) and (cells.min() < 0 or cells.max() >= len(nodes)):
        at.fail("has cells between nodes that are not there", expected=WHOLE_FILE_HINT)
    flat = KIND_BY_FILE_NAME[kind] in (T3, T6) and nodes.shape[1] == 3 and np.ptp(nodes[np.unique(cells), 2]) == 0.0
    raw = RawMesh(nodes[:, :2] if flat else nodes, cells, reader=package_version(meshio))
    if path.suffix.lower() == ".inp":
        raw.notes += _note_unread_surfaces(path)
    listed = getattr(content, "point_sets", None) or {}
    for read_regions in (_read_physical_groups, _read_sets, _read_integer_data):
        for name, (node_parts, cell_parts) in read_regions(content, blocks, offsets).items():
            raw.regions[name] = _build_region(
                node_parts,
                cell_parts,
                cells,
                with_cell_nodes=read_regions is not _read_integer_data and name not in listed,
            )
    return raw


def _note_unread_surfaces(path: Path) -> list[str]:
    """Note on surfaces of Abaqus (sides of elements), which meshio ignores."""
    text = read_bytes(path, largest=MAX_BINARY_BYTES).decode("latin-1")
    names = re.findall(r"^\*SURFACE\b[^\n]*?\bNAME\s*=\s*([^,\s]+)", text, flags=re.IGNORECASE | re.MULTILINE)
    return [f"*SURFACE {', '.join(names)} is not read: sets of nodes (*NSET) and elements are regions"] if names else []


def _find_cell_type(blocks: list[tuple[str, Array]], at: ErrorContext) -> str:
    """Find the type of the cells of the highest dimension. Raises ModelError for an unsupported type, or several types."""
    names = {name for name, data in blocks if len(data)}
    solid = names - {"vertex", "line", "line3"}
    space = solid - {"triangle", "triangle6", "quad", "quad8", "quad9"}
    main_types = space or solid
    if not main_types:
        at.fail("has no triangles or tetrahedra", list(names) or None, "a mesh of them")
    if len(main_types) > 1 or not main_types <= set(KIND_BY_FILE_NAME):
        counts = ", ".join(f"{sum(len(d) for n, d in blocks if n == name)} {name}" for name in sorted(main_types))
        at.fail(
            f"has unsupported cells, or several kinds: {counts}",
            expected=f"one of {', '.join(KIND_BY_FILE_NAME)}: mesh it again with these alone",
        )
    return main_types.pop()


RegionParts = dict[str, tuple[list[Array], list[Array]]]
"""Lists of nodes and lists of cells, by region name."""


def _build_region(nodes: list[Array], cells: list[Array], all_cells: Array, with_cell_nodes: bool) -> MeshRegion:
    """Build a region. with_cell_nodes: True if it includes the nodes of its cells besides the listed nodes; otherwise it
    includes them only without listed nodes."""
    own = np.concatenate([*cells, np.zeros(0, dtype=np.int64)]).astype(np.int64)
    cell_nodes = [np.unique(all_cells[own])] if with_cell_nodes or not nodes else []
    return MeshRegion(np.concatenate([*nodes, *cell_nodes, np.zeros(0, dtype=np.int64)]), own)


def _add_members(parts: RegionParts, name: str, k: int, own: Array, blocks: Any, offsets: dict[int, int]) -> None:
    """Add members of a cell block: as cells if the block has the kind of the mesh, otherwise as their nodes."""
    nodes, cells = parts.setdefault(name, ([], []))
    if k in offsets:
        cells.append(own + offsets[k])
    else:
        nodes.append(np.unique(blocks[k][1][own]))


def _read_physical_groups(meshio_mesh: Any, blocks: Any, offsets: dict[int, int]) -> RegionParts:
    """Read the physical groups of Gmsh, named by their names, or physical_3."""
    parts: RegionParts = {}
    names = {
        (int(value[0]), int(value[1])): name for name, value in meshio_mesh.field_data.items() if np.size(value) == 2
    }
    dimensions = {"vertex": 0, "line": 1, "line3": 1, "triangle": 2, "triangle6": 2, "tetra": 3, "tetra10": 3}
    for k, tags in enumerate(meshio_mesh.cell_data.get("gmsh:physical", [])):
        for tag in np.unique(tags):
            name = names.get((int(tag), dimensions.get(blocks[k][0], -1)), f"physical_{int(tag)}")
            if tag:
                _add_members(parts, name, k, np.flatnonzero(np.asarray(tags) == tag), blocks, offsets)
    return parts


def _read_sets(meshio_mesh: Any, blocks: Any, offsets: dict[int, int]) -> RegionParts:
    """Read sets of nodes and elements, as in Abaqus and CalculiX files."""
    parts: RegionParts = {}
    for name, own in (getattr(meshio_mesh, "point_sets", None) or {}).items():
        parts.setdefault(str(name), ([], []))[0].append(np.asarray(own, dtype=np.int64).reshape(-1))
    for name, lists in (getattr(meshio_mesh, "cell_sets", None) or {}).items():
        if not str(name).startswith("gmsh:"):
            for k, own in enumerate(lists):
                if own is not None and len(own):
                    _add_members(parts, str(name), k, np.asarray(own, dtype=np.int64), blocks, offsets)
    return parts


def _read_integer_data(meshio_mesh: Any, blocks: Any, offsets: dict[int, int]) -> RegionParts:
    """Read integer data of nodes and cells as regions: own data by region name, others with the value, such as
    MaterialIds_2."""
    parts: RegionParts = {}
    for name, values in meshio_mesh.point_data.items():
        for region, chosen in _split_by_value(name, [np.asarray(values)]):
            parts.setdefault(region, ([], []))[0].append(np.flatnonzero(chosen[0]))
    for name, lists in meshio_mesh.cell_data.items():
        if not name.startswith("gmsh:"):
            for region, chosen in _split_by_value(name, [np.asarray(values) for values in lists]):
                for k, mask in enumerate(chosen):
                    if mask.any():
                        _add_members(parts, region, k, np.flatnonzero(mask), blocks, offsets)
    return parts


def _split_by_value(name: str, lists: list[Array]) -> list[tuple[str, list[Array]]]:
    flat = [column.reshape(len(column), -1) for column in lists]
    if any(column.shape[1] != 1 for column in flat if len(column)):
        return []
    flat = [column[:, 0] if len(column) else np.zeros(0) for column in flat]
    values = np.concatenate(flat)
    if name.startswith(REGION_PREFIX):
        return [(name.removeprefix(REGION_PREFIX), [column > 0.5 for column in flat])]
    different = np.unique(values)
    is_integer = values.dtype.kind in "iu"
    if not is_integer or not 1 < len(different) <= MAX_REGION_VALUES:
        return []
    return [(f"{name}_{int(value)}", [column == value for column in flat]) for value in different]


def write_meshio_bytes(mesh: Mesh, suffix: str, metadata: str, fields: Mapping[str, Array] | None = None) -> bytes:
    """Write a mesh in another program's format and return the bytes, with the metadata as a comment. fields:
    quantities at the nodes, (nodes,) or (nodes, components), for formats that support them."""
    meshio = import_package("meshio", f"writing {suffix} files")
    nodes, cells = mesh.nodes, mesh.cells
    if suffix in SURFACE_ONLY_SUFFIXES:
        cells = mesh.triangles
    points = np.column_stack([nodes, np.zeros(len(nodes))]) if nodes.shape[1] == 2 else nodes
    extra: dict[str, Any] = {}
    if suffix == ".inp":
        extra["point_sets"] = {name: region.nodes for name, region in mesh.regions.items() if len(region.nodes)}
        extra["cell_sets"] = {name: [region.cells] for name, region in mesh.regions.items() if len(region.cells)}
    elif suffix not in SURFACE_ONLY_SUFFIXES:
        extra["point_data"] = {
            f"{REGION_PREFIX}{n}": _membership_mask(r.nodes, len(nodes)) for n, r in mesh.regions.items()
        }
        extra["point_data"] |= {name: _pad_to_space(values) for name, values in (fields or {}).items()}
        extra["cell_data"] = {
            f"{REGION_PREFIX}{n}": [_membership_mask(r.cells, len(cells))] for n, r in mesh.regions.items()
        }
    meshio_mesh = meshio.Mesh(
        np.array(points), [(KIND_BY_NODE_COUNT[cells.shape[1]].file_name, np.array(cells))], **extra
    )
    with temporary_folder(suffix) as folder, suppress_output():
        path = Path(folder) / f"mesh{suffix}"
        meshio.write(path, meshio_mesh, file_format=WRITER_FORMATS[suffix], **WRITER_OPTIONS.get(suffix, {}))
        data = path.read_bytes()
    if suffix == ".inp":
        data = re.sub(
            rb"(?i)(TYPE=)\w+", rb"\g<1>" + ABAQUS_ELEMENT_NAMES[mesh.kind.name, mesh.dimension], data, count=1
        )
    return _COMMENT_WRITERS[suffix](data, metadata.encode())


def _pad_to_space(values: Array) -> Array:
    """Plane vectors with a zero third component, as readers of such files expect."""
    return np.column_stack([values, np.zeros(len(values))]) if values.ndim == 2 and values.shape[1] == 2 else values


def _membership_mask(members: Array, count: int) -> Array:
    mask = np.zeros(count, dtype=np.int32)
    mask[members] = 1
    return mask


def _comment_after_lines(count: int, comment: bytes) -> Any:
    def put(data: bytes, metadata: bytes) -> bytes:
        lines = data.split(b"\n", count)
        return b"\n".join([*lines[:count], comment.replace(b"TOLD", metadata), lines[count]])

    return put


def _comment_at_end(comment: bytes) -> Any:
    return lambda data, metadata: data.rstrip(b"\n") + b"\n" + comment.replace(b"TOLD", metadata) + b"\n"


def _comment_in_title(data: bytes, metadata: bytes) -> bytes:
    """Replace the title of a legacy VTK file, its second line, which has at most 256 characters."""
    first, _, rest = data.partition(b"\n")
    _, _, rest = rest.partition(b"\n")
    title = metadata if len(metadata) < 256 else metadata[: metadata.index(b'"origin"')].rstrip(b", ") + b"}"
    return first + b"\n" + title + b"\n" + rest


_COMMENT_WRITERS: dict[str, Any] = {
    ".vtu": _comment_after_lines(1, b"<!-- TOLD -->"),
    ".inp": _comment_after_lines(0, b"** TOLD"),
    ".msh": _comment_at_end(b"$Comments\nTOLD\n$EndComments"),
    ".vtk": _comment_in_title,
    ".obj": _comment_after_lines(0, b"# TOLD"),
    ".ply": _comment_after_lines(2, b"comment TOLD"),
}
