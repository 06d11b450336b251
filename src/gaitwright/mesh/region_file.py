"""Places on a mesh as a model file writes them:

{plane: [a, b, c, d]}       a x + b y + c z + d = 0; in the plane three numbers. within: 1e-3 beside it, m
{above: [a, b, c, d]}       where a x + b y + c z + d is not negative
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

from gaitwright.checks import At, is_number, offer
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.regions import Above, Boundary, Box, Named, Near, Not, Plane, Sphere, Where

Load = Callable[[str, str], Any]
"""A mesh from the name of a file and its unit ('' if it is not said)."""


def region_from(spec: Any, at: At, dimension: int = 3, load: Load | None = None) -> Where:
    """The place that a mapping describes; ModelError in one sentence where it describes none.

    load: reads the files that it may name."""
    if isinstance(spec, str):
        return Named(spec)
    if not isinstance(spec, Mapping):
        at.fail("is not a place on a mesh", spec, f"a mapping such as {{plane: [0, 0, 1, 0]}}; {_known(None)}")
    keys = [key for key in spec if key != "within"]
    if len(keys) != 1 or keys[0] not in _READERS:
        wrong = next((key for key in keys if key not in _READERS), None)
        at.fail("is not one place on a mesh", dict(spec), _known(wrong))
    key = keys[0]
    if "within" in spec and key != "plane":
        at.fail("only a plane has 'within'", dict(spec), "'within' beside 'plane', or none")
    return _READERS[key](spec, spec[key], at, dimension, load)


def _known(wrong: Any) -> str:
    return offer(wrong, list(_READERS)) if wrong is not None else f"one of {', '.join(_READERS)}"


def _numbers(value: Any, at: At, count: int, expected: str) -> Array:
    good = isinstance(value, (list, tuple, np.ndarray)) and len(value) == count and all(is_number(x) for x in value)
    return np.array([float(x) for x in value]) if good else at.fail("is not a list of numbers", value, expected)


def _plane(value: Any, at: At, dimension: int) -> tuple[Array, Array]:
    letters, words = ("a, b, c, d", "a x + b y + c z + d") if dimension == 3 else ("a, b, c", "a x + b y + c")
    expected = f"{dimension + 1} numbers [{letters}] of {words} = 0"
    numbers = _numbers(value, at, dimension + 1, expected)
    normal, constant = numbers[:-1], numbers[-1]
    size = float(normal @ normal)
    if size == 0.0:
        at.fail("has no direction", value, expected)
    return -constant / size * normal, normal


def _read_plane(spec: Any, value: Any, at: At, dimension: int, load: Load | None) -> Where:
    point, normal = _plane(value, at["plane"], dimension)
    within = spec.get("within")
    if within is not None:
        within = float(at["within"].positive(at["within"].finite(within, "a distance in m"), "m"))
    return Plane(tuple(point), tuple(normal), within)


def _read_above(spec: Any, value: Any, at: At, dimension: int, load: Load | None) -> Where:
    point, normal = _plane(value, at["above"], dimension)
    return Above(tuple(point), tuple(normal))


def _read_box(spec: Any, value: Any, at: At, dimension: int, load: Load | None) -> Where:
    at, expected = at["box"], f"two corners of {dimension} numbers each, the lower first"
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        at.fail("is not a pair of corners", value, expected)
    low, high = (_numbers(corner, at, dimension, expected) for corner in value)
    if (low > high).any():
        at.fail("its first corner is not the lower one", value, expected)
    return Box(tuple(low), tuple(high))


def _fields(value: Any, at: At, needed: tuple[str, ...], allowed: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        at.fail("is not a mapping", value, f"a mapping with {', '.join(needed)}")
    for name in value:
        at[str(name)].one_of(name, allowed, "there is no such field")
    for name in needed:
        at[name].given(value.get(name), f"a mapping with {', '.join(needed)}")
    return value


def _length(value: Any, at: At) -> float:
    return float(at.positive(at.finite(value, "a length in m"), "m"))


def _read_sphere(spec: Any, value: Any, at: At, dimension: int, load: Load | None) -> Where:
    fields = _fields(value, at, ("centre", "radius"), ("centre", "radius"))
    centre = _numbers(fields["centre"], at["centre"], dimension, f"{dimension} numbers")
    return Sphere(tuple(centre), _length(fields["radius"], at["radius"]))


def _read_near(spec: Any, value: Any, at: At, dimension: int, load: Load | None) -> Where:
    fields = _fields(value, at, ("distance",), ("file", "unit", "points", "distance", "inside"))
    distance = _length(fields["distance"], at["distance"])
    inside = fields.get("inside", True)
    if not isinstance(inside, bool):
        at["inside"].fail("is neither yes nor no", inside, "true or false")
    if ("file" in fields) == ("points" in fields):
        at["near"].fail("names no file and no points, or both", dict(fields), "either file or points")
    if "points" in fields:
        rows = fields["points"]
        if not isinstance(rows, (list, tuple)) or not rows:
            at["points"].fail("is not a list of points", rows, "a list such as [[x, y, z]]")
        points = [_numbers(row, at["points"], dimension, f"points of {dimension} numbers") for row in rows]
        return Near(np.array(points), distance, called=f"{len(points)} points")
    name, unit = fields["file"], fields.get("unit", "")
    if not isinstance(name, str) or not isinstance(unit, str):
        at["file"].fail("is not a name", name if not isinstance(name, str) else unit, "the name of a file, and a unit")
    if load is None:
        at["file"].fail("no files are read here", name, "points, or a mesh in Python: gw.mesh.Near(mesh, distance)")
    return Near(load(name, unit), distance, inside, called=f"the surface in '{name}'")


def _read_boundary(spec: Any, value: Any, at: At, dimension: int, load: Load | None) -> Where:
    return Boundary() if value is True else at["boundary"].fail("is not true", value, "{boundary: true}")


def _read_name(spec: Any, value: Any, at: At, dimension: int, load: Load | None) -> Where:
    return Named(value) if isinstance(value, str) else at["name"].fail("is not a name", value, "the name of a region")


def _list(value: Any, at: At, dimension: int, load: Load | None) -> list[Where]:
    if not isinstance(value, (list, tuple)) or not value:
        at.fail("is not a list of places", value, "a list such as [{boundary: true}, {plane: [0, 0, 1, 0]}]")
    return [region_from(place, at, dimension, load) for place in value]


def _read_all(spec: Any, value: Any, at: At, dimension: int, load: Load | None) -> Where:
    return reduce(lambda a, b: a & b, _list(value, at["all"], dimension, load))


def _read_any(spec: Any, value: Any, at: At, dimension: int, load: Load | None) -> Where:
    return reduce(lambda a, b: a | b, _list(value, at["any"], dimension, load))


def _read_not(spec: Any, value: Any, at: At, dimension: int, load: Load | None) -> Where:
    return Not(region_from(value, at["not"], dimension, load))


_READERS: dict[str, Callable[[Any, Any, At, int, Load | None], Where]] = {
    "plane": _read_plane, "above": _read_above, "box": _read_box, "sphere": _read_sphere, "near": _read_near,
    "boundary": _read_boundary, "name": _read_name, "all": _read_all, "any": _read_any, "not": _read_not,
}  # fmt: skip
