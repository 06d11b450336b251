"""Region selectors in the form of a model file:

{plane: [a, b, c, d]}       a x + b y + c z + d = 0; in the plane three numbers. within: 1e-3, tolerance, m
{above: [a, b, c, d]}       half-space in which a x + b y + c z + d is not negative
{box: [[x, y, z], [x, y, z]]}
{sphere: {centre: [x, y, z], radius: r}}
{near: {file: bones.stl, distance: 0.002}}, or {near: {points: [[x, y, z], ...], distance: 0.002}}
{boundary: true}, {name: sole}
{all: [place, place]}, {any: [place, place]}, {not: place}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices, is_number
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.regions import (
    BoundarySelector,
    BoxSelector,
    ComplementSelector,
    DistanceSelector,
    HalfSpaceSelector,
    NamedRegionSelector,
    PlaneSelector,
    RegionSelector,
    SphereSelector,
)

MeshLoader = Callable[[str, str], Any]
"""Function that loads a mesh from a file name and its unit ('' if none is given)."""


def region_from(spec: Any, at: ErrorContext, dimension: int = 3, load: MeshLoader | None = None) -> RegionSelector:
    """Build the region selector that a mapping describes. Raises ModelError for an invalid mapping.

    load: reads the files that the mapping names."""
    if isinstance(spec, str):
        return NamedRegionSelector(spec)
    if not isinstance(spec, Mapping):
        at.fail(
            "is not a place on a mesh", spec, f"a mapping such as {{plane: [0, 0, 1, 0]}}; {_list_known_keys(None)}"
        )
    keys = [key for key in spec if key != "within"]
    if len(keys) != 1 or keys[0] not in _READERS:
        wrong = next((key for key in keys if key not in _READERS), None)
        at.fail("is not one place on a mesh", dict(spec), _list_known_keys(wrong))
    key = keys[0]
    if "within" in spec and key != "plane":
        at.fail("only a plane has 'within'", dict(spec), "'within' beside 'plane', or none")
    return _READERS[key](spec, spec[key], at, dimension, load)


def _list_known_keys(wrong: Any) -> str:
    return format_choices(wrong, list(_READERS)) if wrong is not None else f"one of {', '.join(_READERS)}"


def _read_numbers(value: Any, at: ErrorContext, count: int, expected: str) -> Array:
    is_valid = isinstance(value, (list, tuple, np.ndarray)) and len(value) == count and all(is_number(x) for x in value)
    return np.array([float(x) for x in value]) if is_valid else at.fail("is not a list of numbers", value, expected)


def _read_plane_equation(value: Any, at: ErrorContext, dimension: int) -> tuple[Array, Array]:
    letters, words = ("a, b, c, d", "a x + b y + c z + d") if dimension == 3 else ("a, b, c", "a x + b y + c")
    expected = f"{dimension + 1} numbers [{letters}] of {words} = 0"
    numbers = _read_numbers(value, at, dimension + 1, expected)
    normal, constant = numbers[:-1], numbers[-1]
    size = float(normal @ normal)
    if size == 0.0:
        at.fail("has no direction", value, expected)
    return -constant / size * normal, normal


def _read_plane(spec: Any, value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> RegionSelector:
    point, normal = _read_plane_equation(value, at["plane"], dimension)
    within = spec.get("within")
    if within is not None:
        within = float(at["within"].positive(at["within"].finite(within, "a distance in m"), "m"))
    return PlaneSelector(tuple(point), tuple(normal), within)


def _read_above(spec: Any, value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> RegionSelector:
    point, normal = _read_plane_equation(value, at["above"], dimension)
    return HalfSpaceSelector(tuple(point), tuple(normal))


def _read_box(spec: Any, value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> RegionSelector:
    at, expected = at["box"], f"two corners of {dimension} numbers each, the lower first"
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        at.fail("is not a pair of corners", value, expected)
    low, high = (_read_numbers(corner, at, dimension, expected) for corner in value)
    if (low > high).any():
        at.fail("its first corner is not the lower one", value, expected)
    return BoxSelector(tuple(low), tuple(high))


def _check_fields(value: Any, at: ErrorContext, needed: tuple[str, ...], allowed: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        at.fail("is not a mapping", value, f"a mapping with {', '.join(needed)}")
    for name in value:
        at[str(name)].one_of(name, allowed, "there is no such field")
    for name in needed:
        at[name].given(value.get(name), f"a mapping with {', '.join(needed)}")
    return value


def _read_length(value: Any, at: ErrorContext) -> float:
    return float(at.positive(at.finite(value, "a length in m"), "m"))


def _read_sphere(spec: Any, value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> RegionSelector:
    fields = _check_fields(value, at, ("centre", "radius"), ("centre", "radius"))
    centre = _read_numbers(fields["centre"], at["centre"], dimension, f"{dimension} numbers")
    return SphereSelector(tuple(centre), _read_length(fields["radius"], at["radius"]))


def _read_near(spec: Any, value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> RegionSelector:
    fields = _check_fields(value, at, ("distance",), ("file", "unit", "points", "distance", "inside"))
    distance = _read_length(fields["distance"], at["distance"])
    inside = fields.get("inside", True)
    if not isinstance(inside, bool):
        at["inside"].fail("is neither yes nor no", inside, "true or false")
    if ("file" in fields) == ("points" in fields):
        at["near"].fail("names no file and no points, or both", dict(fields), "either file or points")
    if "points" in fields:
        rows = fields["points"]
        if not isinstance(rows, (list, tuple)) or not rows:
            at["points"].fail("is not a list of points", rows, "a list such as [[x, y, z]]")
        points = [_read_numbers(row, at["points"], dimension, f"points of {dimension} numbers") for row in rows]
        return DistanceSelector(np.array(points), distance, called=f"{len(points)} points")
    name, unit = fields["file"], fields.get("unit", "")
    if not isinstance(name, str) or not isinstance(unit, str):
        at["file"].fail("is not a name", name if not isinstance(name, str) else unit, "the name of a file, and a unit")
    if load is None:
        at["file"].fail(
            "no files are read here", name, "points, or a mesh in Python: gw.mesh.DistanceSelector(mesh, distance)"
        )
    return DistanceSelector(load(name, unit), distance, inside, called=f"the surface in '{name}'")


def _read_boundary(spec: Any, value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> RegionSelector:
    return BoundarySelector() if value is True else at["boundary"].fail("is not true", value, "{boundary: true}")


def _read_name(spec: Any, value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> RegionSelector:
    return (
        NamedRegionSelector(value)
        if isinstance(value, str)
        else at["name"].fail("is not a name", value, "the name of a region")
    )


def _read_list(value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> list[RegionSelector]:
    if not isinstance(value, (list, tuple)) or not value:
        at.fail("is not a list of places", value, "a list such as [{boundary: true}, {plane: [0, 0, 1, 0]}]")
    return [region_from(place, at, dimension, load) for place in value]


def _read_all(spec: Any, value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> RegionSelector:
    return reduce(lambda a, b: a & b, _read_list(value, at["all"], dimension, load))


def _read_any(spec: Any, value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> RegionSelector:
    return reduce(lambda a, b: a | b, _read_list(value, at["any"], dimension, load))


def _read_not(spec: Any, value: Any, at: ErrorContext, dimension: int, load: MeshLoader | None) -> RegionSelector:
    return ComplementSelector(region_from(value, at["not"], dimension, load))


_READERS: dict[str, Callable[[Any, Any, ErrorContext, int, MeshLoader | None], RegionSelector]] = {
    "plane": _read_plane, "above": _read_above, "box": _read_box, "sphere": _read_sphere, "near": _read_near,
    "boundary": _read_boundary, "name": _read_name, "all": _read_all, "any": _read_any, "not": _read_not,
}  # fmt: skip
