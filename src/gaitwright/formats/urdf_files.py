"""Files that URDF names or is made from: meshes of visuals, and macros of xacro."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from gaitwright.errors import ModelError
from gaitwright.formats.mesh_file import INSTALL, SUFFIXES, MeshError, read_mesh, write_stl

PREFIXES = ("package://", "file://", "model://")


def mesh_path(named: str, folder: Path) -> Path | None:
    """Where a mesh is that a URDF file in `folder` names; None if it is not there.

    package://NAME/rest is looked for below the folder and those above it, as NAME/rest and as rest: the package is the folder
    that the robot came in. Other names are taken as they are, and only from there or from a folder beside it."""
    rest = named
    for prefix in PREFIXES:
        rest = rest.removeprefix(prefix)
    rest = unquote(rest).replace("\\", "/")
    if "\0" in rest or not rest.lower().endswith(SUFFIXES):
        return None
    own = folder.absolute()
    homes = [home for home in (own, *own.parents) if home.parent != home]  # not the root of the disk
    if not named.startswith(("package://", "model://")):  # as it is, in a folder beside that of the file at most
        return _regular(own / rest, homes[min(2, len(homes) - 1)]) if homes else None
    parts = [part for part in rest.split("/") if part not in ("", ".", "..")]
    tails = [Path(*parts[k:]) for k in (0, 1) if parts[k:]]
    found = (_regular(home / tail, home) for home in homes for tail in tails)
    return next((path for path in found if path is not None), None)


def _regular(path: Path, home: Path) -> Path | None:
    try:
        return path if path.is_file() and home.resolve() in path.resolve().parents else None
    except (OSError, RuntimeError, ValueError):
        return None


def is_xacro(text: str, path: Path) -> bool:
    """Whether there are macros in it: an expanded file often still names the language, or has them in comments."""
    return path.suffix.lower() == ".xacro" or "<xacro:" in re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def expanded(path: Path) -> str:
    """The URDF that the package xacro makes of a file. It evaluates the expressions of the file as Python, with little to hold
    them back, and reads the files that it includes: for files that are trusted, so only where a robot was asked for."""
    try:
        xacro: Any = importlib.import_module("xacro")
        finder: Any = importlib.import_module("xacro.substitution_args")
    except ImportError:
        raise ModelError(
            f"the file '{path}' contains macros of xacro, and the package that expands them is not there",
            expected=f"{INSTALL}, or the URDF that the program xacro makes of it",
        ) from None
    before = finder._eval_find
    finder._eval_find = lambda package: str(_package(package, path))
    try:
        return xacro.process_file(str(path)).toxml()
    except Exception as error:  # of the macros, of their expressions, of files that they include
        said = " ".join(str(error).split())[:200]
        raise ModelError(
            f"the macros of the file '{path}' cannot be expanded: {said or type(error).__name__}",
            expected="a file that the program xacro can expand by itself",
        ) from None
    finally:
        finder._eval_find = before


def _package(name: str, path: Path) -> Path:
    """The folder of a package: one of this name among those that the file lies in, or beside them."""
    for home in path.absolute().parents:
        if home.name == name:
            return home
        if (home / name).is_dir():
            return home / name
    raise ModelError(f"there is no package '{name}' in the folders above '{path}'")


def keep_meshes(document: dict[str, Any], folder: Path, name: str) -> list[str]:
    """Write the meshes that a document shows into a folder `name` beside its model file, thinned, and let it name these.
    Sentences about those that could not be."""
    kept: dict[str, str] = {}
    lost: dict[str, str] = {}
    for shapes in _shapes(document):
        for shape in [shape for shape in shapes if "mesh" in shape]:
            key = f"{shape['mesh']} {shape.get('scale')}"
            if key not in kept and key not in lost:
                try:
                    mesh = read_mesh(shape["mesh"], shape.get("scale", (1.0, 1.0, 1.0)))
                except MeshError as error:
                    lost[key] = str(error)
                else:
                    (folder / name).mkdir(parents=True, exist_ok=True)
                    file = f"{len(kept) + 1:02d}-{Path(shape['mesh']).stem}.stl"
                    write_stl(folder / name / file, *mesh)
                    kept[key] = f"{name}/{file}"
            if key in lost:
                shapes.remove(shape)
            else:
                shape["mesh"] = kept[key]
                shape.pop("scale", None)
    return [f"meshes that cannot be shown are left out: {', '.join(dict.fromkeys(lost.values()))}"] if lost else []


def _shapes(document: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    for body in (*document.get("bodies", ()), *document.get("links", ()), document.get("ground", {})):
        if "shapes" in body:
            yield body["shapes"]
