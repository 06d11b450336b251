"""Files related to a URDF file: meshes of its visuals, and xacro macros from which it is generated."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from gaitwright._core.errors import ModelError
from gaitwright.formats.mesh_file import INSTALL_COMMAND, MESH_SUFFIXES, MeshFileError, read_mesh, write_stl

URI_PREFIXES = ("package://", "file://", "model://")


def find_mesh_file(named: str, folder: Path) -> Path | None:
    """Path of a mesh named in a URDF file in `folder`; None if it does not exist.

    package://NAME/rest is searched below the folder and its parents, as NAME/rest and as rest: the package is the folder
    of the robot. Other names are used unchanged, and only in this folder or in a folder beside it."""
    rest = named
    for prefix in URI_PREFIXES:
        rest = rest.removeprefix(prefix)
    rest = unquote(rest).replace("\\", "/")
    if "\0" in rest or not rest.lower().endswith(MESH_SUFFIXES):
        return None
    own = folder.absolute()
    homes = [home for home in (own, *own.parents) if home.parent != home]  # without the file system root
    if not named.startswith(("package://", "model://")):  # unchanged, at most in a folder beside that of the file
        return _file_below(own / rest, homes[min(2, len(homes) - 1)]) if homes else None
    parts = [part for part in rest.split("/") if part not in ("", ".", "..")]
    tails = [Path(*parts[k:]) for k in (0, 1) if parts[k:]]
    candidates = (_file_below(home / tail, home) for home in homes for tail in tails)
    return next((path for path in candidates if path is not None), None)


def _file_below(path: Path, home: Path) -> Path | None:
    try:
        return path if path.is_file() and home.resolve() in path.resolve().parents else None
    except (OSError, RuntimeError, ValueError):
        return None


def is_xacro(text: str, path: Path) -> bool:
    """True if the file contains macros. Expanded files often still declare the xacro namespace, or have macros in comments."""
    return path.suffix.lower() == ".xacro" or "<xacro:" in re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def expand_xacro(path: Path) -> str:
    """URDF text that the package xacro generates from a file. xacro evaluates expressions of the file as Python, nearly without
    restrictions, and reads the files that it includes: for trusted files only, so it is only called when a user loads a
    robot."""
    try:
        xacro: Any = importlib.import_module("xacro")
        finder: Any = importlib.import_module("xacro.substitution_args")
    except ImportError:
        raise ModelError(
            f"the file '{path}' contains macros of xacro, and the package that expands them is not there",
            expected=f"{INSTALL_COMMAND}, or the URDF that the program xacro makes of it",
        ) from None
    before = finder._eval_find
    finder._eval_find = lambda package: str(_find_package(package, path))
    try:
        return xacro.process_file(str(path)).toxml()
    except Exception as error:  # from the macros, their expressions, or included files
        cause = " ".join(str(error).split())[:200]
        raise ModelError(
            f"the macros of the file '{path}' cannot be expanded: {cause or type(error).__name__}",
            expected="a file that the program xacro can expand by itself",
        ) from None
    finally:
        finder._eval_find = before


def _find_package(name: str, path: Path) -> Path:
    """Folder of a package: one of this name among the parents of the file, or beside them."""
    for home in path.absolute().parents:
        if home.name == name:
            return home
        if (home / name).is_dir():
            return home / name
    raise ModelError(f"there is no package '{name}' in the folders above '{path}'")


def write_shown_meshes(document: dict[str, Any], folder: Path, name: str) -> list[str]:
    """Write the meshes that a document shows, decimated, into a folder `name` beside its model file, and make the document
    refer to them. Returns sentences about meshes that could not be written."""
    written: dict[str, str] = {}
    errors: dict[str, str] = {}
    for shapes in _iterate_shapes(document):
        for shape in [shape for shape in shapes if "mesh" in shape]:
            key = f"{shape['mesh']} {shape.get('scale')}"
            if key not in written and key not in errors:
                try:
                    mesh = read_mesh(shape["mesh"], shape.get("scale", (1.0, 1.0, 1.0)))
                except MeshFileError as error:
                    errors[key] = str(error)
                else:
                    (folder / name).mkdir(parents=True, exist_ok=True)
                    file = f"{len(written) + 1:02d}-{Path(shape['mesh']).stem}.stl"
                    write_stl(folder / name / file, *mesh)
                    written[key] = f"{name}/{file}"
            if key in errors:
                shapes.remove(shape)
            else:
                shape["mesh"] = written[key]
                shape.pop("scale", None)
    return [f"meshes that cannot be shown are left out: {', '.join(dict.fromkeys(errors.values()))}"] if errors else []


def _iterate_shapes(document: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    for body in (*document.get("bodies", ()), *document.get("links", ()), document.get("ground", {})):
        if "shapes" in body:
            yield body["shapes"]
