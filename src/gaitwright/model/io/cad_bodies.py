"""Shapes of CAD programs (STL, OBJ, PLY): as a body with the mass of its volume, or as the shape of an existing body."""

from __future__ import annotations

import importlib
import io
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright._core.input_files import read_bytes, require_finite
from gaitwright._core.isolation import run_isolated
from gaitwright.formats.drawing import metres_per_unit
from gaitwright.formats.mesh_file import MAX_MESH_FILE_BYTES, MESH_SUFFIXES, MeshFileError, read_mesh
from gaitwright.model.model import Model

DEFAULT_LENGTH_UNIT = "mm"
"""Unit of a file without one: STL never has a unit, and CAD programs write mm."""


def convert_shape(path: Path, source: str, density: float, unit: str | None) -> tuple[dict[str, Any], list[str]]:
    """Spatial model with one body, with the mass of the shape at a density (kg/m^3)."""
    at = ErrorContext(source)
    try:
        read_mesh(path)  # for the messages of unreadable files
    except MeshFileError as error:
        at.fail(str(error))
    metres = metres_per_unit(unit or DEFAULT_LENGTH_UNIT)
    ErrorContext(field="density").positive(density, "kg/m^3")
    content = read_bytes(path, at.element, largest=MAX_MESH_FILE_BYTES)
    solid = run_isolated(_solid_properties, path.suffix, content, metres, density, source=source, size=len(content))
    if solid is None:
        at.fail(
            "is not a closed surface, so that no mass follows from it",
            expected="a closed one, or --look-of BODY as a picture",
        )
    name = _body_name(path.stem)
    body = {"name": name, "mass": solid.mass, "inertia": solid.inertia, "centre": solid.centre}
    require_finite(body, at, "a shape whose mass and inertia are finite in SI units")
    body["shapes"] = [{"mesh": str(path), "scale": [metres] * 3}]
    size = ", ".join(f"{1e3 * side:.4g}" for side in solid.sides)
    notes = [f"{name} is {size} mm large and has {solid.mass:.4g} kg at {density:g} kg/m^3"]
    if unit is None:
        notes.append(f"the file does not say its unit, and {DEFAULT_LENGTH_UNIT} is assumed; --unit says another")
    return {"gaitwright": 1, "name": path.stem, "dimension": 3, "bodies": [body]}, notes


class _SolidProperties(NamedTuple):
    """mass: kg. inertia: about the centre of mass, kg m^2: xx, yy, zz, xy, xz, yz. centre and sides: m."""

    mass: float
    inertia: list[float]
    centre: list[float]
    sides: list[float]


def _solid_properties(suffix: str, content: bytes, metres: float, density: float) -> _SolidProperties | None:
    """Properties of the inside of a surface, with its unit in m; None if it is not closed. Called in the helper process."""
    trimesh: Any = importlib.import_module("trimesh")
    try:
        mesh = trimesh.load_mesh(io.BytesIO(content), file_type=suffix.lower().removeprefix("."))
        if not (mesh.is_watertight and np.isfinite(mesh.volume) and mesh.volume):
            return None
    except MemoryError:
        raise
    except Exception:  # trimesh passes on any exception of its parsers
        return None
    mesh.apply_scale(metres)
    mesh.density = density
    if mesh.volume < 0:
        mesh.invert()
    tensor = np.asarray(mesh.moment_inertia)
    inertia = [float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    sides = [float(side) for side in np.ptp(mesh.bounds, axis=0)]
    return _SolidProperties(float(mesh.mass), inertia, [float(x) for x in mesh.center_mass], sides)


def give_look(
    model: Model, body: str, path: str | Path, *, unit: str | None = None, at: Any = None, angle: float | None = None
) -> Model:
    """Return the model with a mesh as the shape of one of its bodies or links; masses and motion are unchanged.

    unit: of the lengths in the file, default mm. at: m, position of its origin in the frame of the body (the middle of a
    link, x towards its end). angle: rad, rotation there, in the plane. In space, other orientations are set under `shapes`.
    Raises ModelError for an unreadable mesh or an unknown body."""
    path = Path(path)
    if path.suffix.lower() not in MESH_SUFFIXES:
        ErrorContext(field="look").fail("is no mesh", str(path), f"one of {', '.join(MESH_SUFFIXES)}")
    try:
        read_mesh(path)
    except MeshFileError as error:
        ErrorContext(field="look").fail(str(error))
    raw = model.to_dict()
    bodies = [*raw.get("bodies", ()), *(raw.get("links", ()) if model.dimension == 2 else ())]
    entry_by_name = {entry["name"]: entry for entry in bodies}
    if body not in entry_by_name:
        ErrorContext(field="body").fail(
            f"there is no body '{body}' that can have a look", body, format_choices(body, entry_by_name, "(none)")
        )
    shape: dict[str, Any] = {"mesh": str(path), "scale": [metres_per_unit(unit or DEFAULT_LENGTH_UNIT)] * 3}
    if at is not None:
        shape["at"] = [float(x) for x in at]
    if angle is not None:
        shape["angle"] = float(ErrorContext("look", "angle").radians(angle))
    entry_by_name[body].setdefault("shapes", []).append(shape)
    return Model.from_dict(raw)


def _body_name(stem: str) -> str:
    plain = "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in stem)
    return plain if plain[:1].isalpha() else f"part{plain}"
