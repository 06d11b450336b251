"""The one door for files of other programs: which they are, by their ending and first element, and the model that they become.

.urdf .xacro (robots), .xml (MuJoCo, or URDF), .sdf .world (Gazebo), .osim (OpenSim), .dxf .svg (drawings of links), .stl .obj
.ply (a body by its shape), .yaml .json (our own)."""

from __future__ import annotations

import functools
import inspect
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from gaitwright.checks import At, offer
from gaitwright.errors import ModelError
from gaitwright.formats.xml_text import tag
from gaitwright.input_files import contained_path, decoded, parse_xml, read_bytes, read_start
from gaitwright.model.assemblies import assembly_document
from gaitwright.model.files import read_raw, read_text
from gaitwright.model.model import Model

LOOK = 20_000
"""Bytes in which the first element of a file stands, after its comments."""
FIRST = re.compile(r"(?:\xef\xbb\xbf)?\s*(?:(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*>)\s*)*<(?:\w+:)?(\w+)", re.DOTALL)
"""The name of the first element. A URDF file may have <mujoco> inside, and macros that must not be expanded."""


class Imported(NamedTuple):
    """document: of a model. notes: sentences about what it leaves out or assumes. kind: what the file was."""

    document: dict[str, Any]
    notes: list[str]
    kind: str


def import_model(path: str | Path, **options: Any) -> Model:
    """The model of a file of another program, by its ending: URDF, MJCF (MuJoCo), SDF, .osim, DXF or SVG lines, STL.

    Options are those of its format: base, positions, speeds, stops, merge, repair (robots), key (keyframe of MJCF), ground,
    tolerance, unit, mass_per_length, crank (drawings), density, unit (STL). What is left out is said in warnings."""
    found = read_foreign(path, **options)
    for note in found.notes:
        warnings.warn(note, stacklevel=2)
    return Model.from_dict(found.document)


def read_foreign(path: str | Path, **options: Any) -> Imported:
    path = Path(path)
    kind = kind_of(path)
    reader = READERS[kind]
    known = [name for name, one in inspect.signature(reader).parameters.items() if one.kind is one.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            At(field=name).fail(f"is no option of {kind}", options[name], offer(name, known, "(none)"))
    try:
        document, notes = reader(path, f"the file '{path}'", **options)
    except RecursionError:
        raise ModelError(f"the file '{path}' is nested too deeply", expected="fewer bodies inside each other") from None
    return Imported(document, notes, kind)


def is_foreign(path: Path) -> bool:
    """Whether a file is of another program, but for URDF, which is read without expanding macros where a model is asked for."""
    ending = path.suffix.lower()
    if ending in (".urdf", *OURS):
        return False
    if ending in BY_ENDING and ending != ".xacro":
        return True
    first = FIRST.match(
        read_start(path, LOOK).decode("latin-1")
    )  # nothing of what cannot be read: said where it is read
    return first is not None and first[1] in BY_ELEMENT and first[1] != "robot"


def kind_of(path: Path) -> str:
    """Of an XML file by its first element: most of them end in .xml."""
    ending = path.suffix.lower()
    if ending in BY_ENDING:
        return BY_ENDING[ending]
    text = decoded(read_bytes(path), f"the file '{path}'")
    if text is not None and text.content.lstrip().startswith("<"):
        first = tag(parse_xml(text.content, f"the file '{path}'", doctype=True))
        if first not in BY_ELEMENT:
            known = ", ".join(f"<{name}>" for name in BY_ELEMENT)
            At(f"the file '{path}'").fail(
                f"contains <{first}>, which is nothing that is read", expected=f"one of {known}"
            )
        return BY_ELEMENT[first]
    if ending in OURS and text is not None:
        return "a model file"
    known = ", ".join(dict.fromkeys([*BY_ENDING, ".xml", *OURS]))
    return At(f"the file '{path}'").fail("is of no kind that is read", ending or path.name, f"one of {known}")


def _urdf(
    path: Path, source: str, *, base: str = "fixed", positions: Any = None, speeds: Any = None, stops: float | None = None,
    merge: bool = False, repair: bool = False,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    from gaitwright.model.robots import read_urdf

    return read_urdf(path, base=base, positions=positions, speeds=speeds, stops=stops, merge=merge, repair=repair)[:2]


def _mjcf(
    path: Path, source: str, *, positions: Any = None, speeds: Any = None, key: str | None = None, stops: float | None = None,
    merge: bool = False, repair: bool = False,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    return mjcf_document(
        read_text(path), source, path.parent, positions=positions, speeds=speeds, key=key, stops=stops, merge=merge,
        repair=repair,
    )  # fmt: skip


def mjcf_document(
    text: str, source: str, folder: Path | None = None, *, stops: float | None = None, merge: bool = False,
    repair: bool = False, **pose: Any,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    """The document of a text in MJCF. folder: from which files that it names are read."""
    from gaitwright.formats.mjcf_assembly import mjcf_assembly
    from gaitwright.formats.mjcf_file import parse_mjcf

    include = None if folder is None else functools.partial(_included, folder, source)
    assembly = mjcf_assembly(parse_mjcf(text, source, include), repair=repair, **pose)
    _find_meshes(assembly, folder)
    return assembly_document(assembly, source, merge=merge, repair=repair, stops=stops)


def _included(folder: Path, source: str, name: str) -> str:
    path = contained_path(folder, name, (), source, "include.file")
    text = decoded(read_bytes(path, source, "include.file"), f"the file '{path}'")
    return At(source, "include.file").fail(f"'{name}' is not a text file") if text is None else text.content


def _find_meshes(assembly: Any, folder: Path | None) -> None:
    """Names of mesh files as paths; shapes whose file is not there are left out, and said."""
    from gaitwright.formats.urdf_files import mesh_path

    for piece in (assembly.ground, *assembly.pieces.values()):
        kept = []
        for shape in piece.shapes:
            found = mesh_path(shape["mesh"], folder) if folder is not None and "mesh" in shape else None
            if "mesh" not in shape:
                kept.append(shape)
            elif found is not None:
                kept.append(shape | {"mesh": str(found)})
            else:
                assembly.leave("meshes that are not there are left out", shape["mesh"])
        piece.shapes = kept


def _sdf(
    path: Path, source: str, *, stops: float | None = None, merge: bool = False, repair: bool = False
) -> tuple[dict[str, Any], list[str]]:
    from gaitwright.formats.sdf_file import sdf_assembly

    assembly = sdf_assembly(read_text(path), source)
    _find_meshes(assembly, path.parent)
    return assembly_document(assembly, source, merge=merge, repair=repair, stops=stops)


def _osim(
    path: Path, source: str, *, positions: Any = None, merge: bool = False, repair: bool = False
) -> tuple[dict[str, Any], list[str]]:
    from gaitwright.formats.osim_file import osim_assembly

    assembly = osim_assembly(read_text(path), source, positions)
    _find_meshes(assembly, path.parent)
    return assembly_document(assembly, source, merge=merge, repair=repair)


def _drawing(
    path: Path, source: str, *, unit: str | None = None, ground: str | None = None, tolerance: float | None = None,
    mass_per_length: float = 1.0, crank: str | None = None,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    from gaitwright.model.drawn_links import drawn_document

    if path.suffix.lower() == ".dxf":
        from gaitwright.formats.dxf_file import read_dxf

        drawing = read_dxf(read_bytes(path), source, unit)
    else:
        from gaitwright.formats.svg_file import read_svg

        drawing = read_svg(read_text(path), source, unit)
    options = {"ground": ground, "tolerance": tolerance, "mass_per_length": mass_per_length, "crank": crank}
    return drawn_document(drawing, source, name=path.stem, **options)


def _stl(
    path: Path, source: str, *, density: float = 1000.0, unit: str | None = None
) -> tuple[dict[str, Any], list[str]]:
    from gaitwright.model.shaped_bodies import shape_document

    return shape_document(path, source, density, unit)


def _own(path: Path, source: str) -> tuple[dict[str, Any], list[str]]:
    return read_raw(path), []


Reader = Callable[..., tuple[dict[str, Any], list[str]]]
READERS: dict[str, Reader] = {
    "URDF": _urdf,
    "MJCF": _mjcf,
    "SDF": _sdf,
    "a model of OpenSim": _osim,
    "a drawing": _drawing,
    "a shape": _stl,
    "a model file": _own,
}
BY_ELEMENT = {
    "robot": "URDF", "mujoco": "MJCF", "sdf": "SDF", "OpenSimDocument": "a model of OpenSim", "svg": "a drawing",
}  # fmt: skip
BY_ENDING = {
    ".urdf": "URDF", ".xacro": "URDF", ".sdf": "SDF", ".world": "SDF", ".osim": "a model of OpenSim", ".dxf": "a drawing",
    ".svg": "a drawing", ".stl": "a shape", ".obj": "a shape", ".ply": "a shape",
}  # fmt: skip
OURS = (".yaml", ".yml", ".json")
