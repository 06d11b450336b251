"""Import of files of other programs: detection by suffix and first element, and conversion to a model.

.urdf .xacro (robots), .xml (MuJoCo, or URDF), .sdf .world (Gazebo), .osim (OpenSim), .dxf .svg (drawings of links), .stl .obj
.ply (a body by its shape), .yaml .json (model files of Gaitwright)."""

from __future__ import annotations

import functools
import inspect
import re
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import contained_path, decode_text, parse_xml, read_bytes, read_start
from gaitwright.formats.xml_text import tag_name
from gaitwright.model.io.assembly_import import convert_assembly
from gaitwright.model.io.files import read_model_text, read_raw_document
from gaitwright.model.model import Model

if TYPE_CHECKING:
    from gaitwright.formats.urdf_conversion_table import UrdfTableRow
    from gaitwright.model.io.urdf_import import UrdfConversion

SCANNED_BYTES = 20_000
"""Bytes scanned for the first element of a file, after its comments."""
FIRST_ELEMENT_PATTERN = re.compile(
    r"(?:\xef\xbb\xbf)?\s*(?:(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*>)\s*)*<(?:\w+:)?(\w+)", re.DOTALL
)
"""Matches the name of the first element. A URDF file may contain <mujoco>, and macros that must not be expanded."""


class ImportedModel(NamedTuple):
    """document: of a model. notes: sentences about omissions and assumptions. kind: type of the file. table: result for each
    link and joint of a URDF file; empty for other types."""

    document: dict[str, Any]
    notes: list[str]
    kind: str
    table: Sequence[UrdfTableRow] = ()


def import_model(path: str | Path, **options: Any) -> Model:
    """Import a file of another program, by its suffix or its first element: URDF (also with macros of xacro), MJCF
    (MuJoCo), SDF, .osim, DXF or SVG lines, STL. Robots become spatial models with gravity along -z.

    Options of robots (URDF, MJCF; SDF: stops, merge, repair; .osim: positions, merge, repair):
    base: of URDF, fixed (its first link is fixed to the ground) or free. key: keyframe of MJCF for the start pose.
    positions: drawn positions of joints by name, rad or m, default zero. speeds: start rates, rad/s or m/s.
    stops: stiffness of bumpers at the limits of hinges, N m/rad; without it limits are left out.
    merge: if True, all links fixed to each other become one body, which is faster; otherwise only those that cannot be bodies
        on their own are merged.
    repair: if True, a moving body with impossible mass or inertia is changed as little as needed, with a warning; otherwise the
        file is rejected.

    Options of drawings: unit, ground (layer of fixed marks, or "circles"), tolerance (m), mass_per_length (kg/m), crank (link
    that turns once per second). Options of shapes: density (kg/m^3), unit.

    Omissions, such as friction, are reported in warnings; `robot_table` lists the conversion of a URDF file. Raises ModelError
    for an unknown option or an invalid file."""
    imported = import_document(path, **options)
    for note in imported.notes:
        warnings.warn(note, stacklevel=2)
    return Model.from_dict(imported.document)


def import_document(path: str | Path, **options: Any) -> ImportedModel:
    path = Path(path)
    kind = detect_file_kind(path)
    reader = IMPORT_READERS[kind]
    option_names = [
        name
        for name, parameter in inspect.signature(reader).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    for name in options:
        if name not in option_names:
            ErrorContext(field=name).fail(
                f"is no option of {kind}", options[name], format_choices(name, option_names, "(none)")
            )
    try:
        document, notes, *table = reader(path, f"the file '{path}'", **options)
    except RecursionError:
        raise ModelError(f"the file '{path}' is nested too deeply", expected="fewer bodies inside each other") from None
    return ImportedModel(document, notes, kind, *table)


def is_importable(path: Path) -> bool:
    """True for a file of another program, except URDF, which is read without expanding macros if a model is expected."""
    ending = path.suffix.lower()
    if ending in (".urdf", *MODEL_FILE_SUFFIXES):
        return False
    if ending in KIND_BY_SUFFIX and ending != ".xacro":
        return True
    first = FIRST_ELEMENT_PATTERN.match(
        read_start(path, SCANNED_BYTES).decode("latin-1")
    )  # unreadable files give nothing here; the reader reports them
    return first is not None and first[1] in KIND_BY_FIRST_ELEMENT and first[1] != "robot"


def detect_file_kind(path: Path) -> str:
    """Type of a file by its suffix, or by the first element of an XML file: most of them end in .xml."""
    ending = path.suffix.lower()
    if ending in KIND_BY_SUFFIX:
        return KIND_BY_SUFFIX[ending]
    text = decode_text(read_bytes(path), f"the file '{path}'")
    if text is not None and text.content.lstrip().startswith("<"):
        first = tag_name(parse_xml(text.content, f"the file '{path}'", doctype=True))
        if first not in KIND_BY_FIRST_ELEMENT:
            known = ", ".join(f"<{name}>" for name in KIND_BY_FIRST_ELEMENT)
            ErrorContext(f"the file '{path}'").fail(
                f"contains <{first}>, which is not supported", expected=f"one of {known}"
            )
        return KIND_BY_FIRST_ELEMENT[first]
    if ending in MODEL_FILE_SUFFIXES and text is not None:
        return "a model file"
    known = ", ".join(dict.fromkeys([*KIND_BY_SUFFIX, ".xml", *MODEL_FILE_SUFFIXES]))
    return ErrorContext(f"the file '{path}'").fail("has an unsupported type", ending or path.name, f"one of {known}")


def _import_urdf(
    path: Path, source: str, *, base: str = "fixed", positions: Any = None, speeds: Any = None, stops: float | None = None,
    merge: bool = False, repair: bool = False,
) -> UrdfConversion:  # fmt: skip
    from gaitwright.model.io.urdf_import import read_urdf

    return read_urdf(path, base=base, positions=positions, speeds=speeds, stops=stops, merge=merge, repair=repair)


def _import_mjcf(
    path: Path, source: str, *, positions: Any = None, speeds: Any = None, key: str | None = None, stops: float | None = None,
    merge: bool = False, repair: bool = False,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    return convert_mjcf(
        read_model_text(path), source, path.parent, positions=positions, speeds=speeds, key=key, stops=stops, merge=merge,
        repair=repair,
    )  # fmt: skip


def convert_mjcf(
    text: str, source: str, folder: Path | None = None, *, stops: float | None = None, merge: bool = False,
    repair: bool = False, **pose: Any,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    """Document of a text in MJCF. folder: base folder of the files that it refers to; without it, none are read."""
    from gaitwright.formats.mjcf_assembly import mjcf_assembly
    from gaitwright.formats.mjcf_file import parse_mjcf

    include = None if folder is None else functools.partial(_read_included_file, folder, source)
    assembly = mjcf_assembly(parse_mjcf(text, source, include), repair=repair, **pose)
    _resolve_mesh_paths(assembly, folder)
    return convert_assembly(assembly, source, merge=merge, repair=repair, stops=stops)


def _read_included_file(folder: Path, source: str, name: str) -> str:
    path = contained_path(folder, name, (), source, "include.file")
    text = decode_text(read_bytes(path, source, "include.file"), f"the file '{path}'")
    return ErrorContext(source, "include.file").fail(f"'{name}' is not a text file") if text is None else text.content


def _resolve_mesh_paths(assembly: Any, folder: Path | None) -> None:
    """Replace names of mesh files by paths; shapes whose file is missing are omitted, with a note."""
    from gaitwright.formats.urdf_resources import find_mesh_file

    for piece in (assembly.ground, *assembly.pieces.values()):
        shapes = []
        for shape in piece.shapes:
            path = find_mesh_file(shape["mesh"], folder) if folder is not None and "mesh" in shape else None
            if "mesh" not in shape:
                shapes.append(shape)
            elif path is not None:
                shapes.append(shape | {"mesh": str(path)})
            else:
                assembly.leave("missing meshes are left out", shape["mesh"])
        piece.shapes = shapes


def _import_sdf(
    path: Path, source: str, *, stops: float | None = None, merge: bool = False, repair: bool = False
) -> tuple[dict[str, Any], list[str]]:
    from gaitwright.formats.sdf_file import sdf_assembly

    assembly = sdf_assembly(read_model_text(path), source)
    _resolve_mesh_paths(assembly, path.parent)
    return convert_assembly(assembly, source, merge=merge, repair=repair, stops=stops)


def _import_osim(
    path: Path, source: str, *, positions: Any = None, merge: bool = False, repair: bool = False
) -> tuple[dict[str, Any], list[str]]:
    from gaitwright.formats.osim_file import osim_assembly

    assembly = osim_assembly(read_model_text(path), source, positions)
    _resolve_mesh_paths(assembly, path.parent)
    return convert_assembly(assembly, source, merge=merge, repair=repair)


def _import_drawing(
    path: Path, source: str, *, unit: str | None = None, ground: str | None = None, tolerance: float | None = None,
    mass_per_length: float = 1.0, crank: str | None = None,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    from gaitwright.model.io.drawing_import import convert_drawing

    if path.suffix.lower() == ".dxf":
        from gaitwright.formats.dxf_file import read_dxf

        drawing = read_dxf(read_bytes(path), source, unit)
    else:
        from gaitwright.formats.svg_file import read_svg

        drawing = read_svg(read_model_text(path), source, unit)
    options = {"ground": ground, "tolerance": tolerance, "mass_per_length": mass_per_length, "crank": crank}
    return convert_drawing(drawing, source, name=path.stem, **options)


def _import_shape(
    path: Path, source: str, *, density: float = 1000.0, unit: str | None = None
) -> tuple[dict[str, Any], list[str]]:
    from gaitwright.model.io.cad_bodies import convert_shape

    return convert_shape(path, source, density, unit)


def _import_model_file(path: Path, source: str) -> tuple[dict[str, Any], list[str]]:
    return read_raw_document(path), []


ImportReader = Callable[..., tuple[Any, ...]]
"""Function that returns document and notes, and for URDF its table."""
IMPORT_READERS: dict[str, ImportReader] = {
    "URDF": _import_urdf,
    "MJCF": _import_mjcf,
    "SDF": _import_sdf,
    "a model of OpenSim": _import_osim,
    "a drawing": _import_drawing,
    "a shape": _import_shape,
    "a model file": _import_model_file,
}
KIND_BY_FIRST_ELEMENT = {
    "robot": "URDF", "mujoco": "MJCF", "sdf": "SDF", "OpenSimDocument": "a model of OpenSim", "svg": "a drawing",
}  # fmt: skip
KIND_BY_SUFFIX = {
    ".urdf": "URDF", ".xacro": "URDF", ".sdf": "SDF", ".world": "SDF", ".osim": "a model of OpenSim", ".dxf": "a drawing",
    ".svg": "a drawing", ".stl": "a shape", ".obj": "a shape", ".ply": "a shape",
}  # fmt: skip
MODEL_FILE_SUFFIXES = (".yaml", ".yml", ".json")
