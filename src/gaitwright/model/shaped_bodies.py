"""Shapes of CAD programs (STL, OBJ, PLY): as a body with the mass of its volume, or as the look of a body that is there."""

from __future__ import annotations

import importlib
import io
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.formats.drawing import metres
from gaitwright.formats.mesh_file import LARGEST, SUFFIXES, MeshError, read_mesh
from gaitwright.input_files import read_bytes, require_finite
from gaitwright.isolation import isolated
from gaitwright.model.model import Model

UNIT = "mm"
"""Of a file that says none: STL never does, and CAD programs write mm."""


def shape_document(path: Path, source: str, density: float, unit: str | None) -> tuple[dict[str, Any], list[str]]:
    """A model in space of one body, as heavy as the shape is in a material of a density, kg/m^3."""
    at = At(source)
    try:
        read_mesh(path)  # the sentences of what cannot be read
    except MeshError as error:
        at.fail(str(error))
    length = metres(unit or UNIT)
    At(field="density").positive(density, "kg/m^3")
    content = read_bytes(path, at.element, largest=LARGEST)
    solid = isolated(_solid_properties, path.suffix, content, length, density, source=source, size=len(content))
    if solid is None:
        at.fail(
            "is not a closed surface, so that no mass follows from it",
            expected="a closed one, or --look-of BODY as a picture",
        )
    name = _name(path.stem)
    body = {"name": name, "mass": solid.mass, "inertia": solid.inertia, "centre": solid.centre}
    require_finite(body, at, "a shape whose mass and inertia are finite in SI units")
    body["shapes"] = [{"mesh": str(path), "scale": [length] * 3}]
    size = ", ".join(f"{1e3 * side:.4g}" for side in solid.sides)
    notes = [f"{name} is {size} mm large and has {solid.mass:.4g} kg at {density:g} kg/m^3"]
    if unit is None:
        notes.append(f"the file does not say its unit, and {UNIT} is assumed; --unit says another")
    return {"gaitwright": 1, "name": path.stem, "dimension": 3, "bodies": [body]}, notes


class _Solid(NamedTuple):
    """mass: kg. inertia: about the centre of mass, kg m^2: xx, yy, zz, xy, xz, yz. centre and sides: m."""

    mass: float
    inertia: list[float]
    centre: list[float]
    sides: list[float]


def _solid_properties(suffix: str, content: bytes, length: float, density: float) -> _Solid | None:
    """Of the inside of a surface whose unit has a length, m; None of one that is not closed. Called in the helper process."""
    trimesh: Any = importlib.import_module("trimesh")
    try:
        mesh = trimesh.load_mesh(io.BytesIO(content), file_type=suffix.lower().removeprefix("."))
        if not (mesh.is_watertight and np.isfinite(mesh.volume) and mesh.volume):
            return None
    except MemoryError:
        raise
    except Exception:  # its readers raise whatever their parsers do
        return None
    mesh.apply_scale(length)
    mesh.density = density
    if mesh.volume < 0:
        mesh.invert()
    tensor = np.asarray(mesh.moment_inertia)
    inertia = [float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    sides = [float(side) for side in np.ptp(mesh.bounds, axis=0)]
    return _Solid(float(mesh.mass), inertia, [float(x) for x in mesh.center_mass], sides)


def give_look(
    model: Model, body: str, path: str | Path, *, unit: str | None = None, at: Any = None, angle: float | None = None
) -> Model:
    """The model with a mesh as the look of one of its bodies or links; masses and motion stay as they are.

    unit: of the lengths in the file, mm unless given. at: m, where its origin stands in the frame of the body (the middle of a
    link, x towards its end). angle: rad, by which it is turned there, in the plane. Bodies of space with another orientation
    name it under `shapes`."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        At(field="look").fail("is no mesh", str(path), f"one of {', '.join(SUFFIXES)}")
    try:
        read_mesh(path)
    except MeshError as error:
        At(field="look").fail(str(error))
    raw = model.to_dict()
    bodies = [*raw.get("bodies", ()), *(raw.get("links", ()) if model.dimension == 2 else ())]
    known = {entry["name"]: entry for entry in bodies}
    if body not in known:
        At(field="body").fail(f"there is no body '{body}' that can have a look", body, offer(body, known, "(none)"))
    shape: dict[str, Any] = {"mesh": str(path), "scale": [metres(unit or UNIT)] * 3}
    if at is not None:
        shape["at"] = [float(x) for x in at]
    if angle is not None:
        shape["angle"] = float(At("look", "angle").radians(angle))
    known[body].setdefault("shapes", []).append(shape)
    return Model.from_dict(raw)


def _name(stem: str) -> str:
    plain = "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in stem)
    return plain if plain[:1].isalpha() else f"part{plain}"
