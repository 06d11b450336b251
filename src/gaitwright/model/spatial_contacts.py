"""Contacts of a document in space: what touches, and surfaces."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.contact.height_field import height_table, moved_outwards
from gaitwright.model.contact_numbers import not_negative
from gaitwright.model.limits import within_limits
from gaitwright.model.touching import Carried, Surfaces, Touched, Touching, Where
from gaitwright.physics.contact_geometry.height_field import HeightFieldShape
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.physics.declare import NO_DIRECTION
from gaitwright.system.blocks import HeightTable

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

NOTHING = np.zeros((0, 3))


def spatial_touching(s: Lowering, entry: dict[str, Any], label: str) -> list[tuple[str, Touching]]:
    """Points or spheres."""
    found = _touching(s, entry, label)
    return [(str(k + 1) if len(found) > 1 else "", one) for k, one in enumerate(found)]


def _touching(s: Lowering, entry: dict[str, Any], label: str) -> list[Touching]:
    points = entry["points"] or ([entry["point"]] if entry["point"] else [])
    field = "points" if entry["points"] else "point"
    if points:
        return [Touching(s.point(p, label, field), 0.0, field, p) for p in points]
    field = "spheres" if entry["spheres"] else "sphere"
    found = []
    for sphere in entry["spheres"] or [entry["sphere"]]:
        radius = not_negative(s, sphere["radius"], label, f"{field}.radius", "m")
        found.append(Touching(s.point(sphere["body"], label, f"{field}.body"), radius, f"{field}.body", sphere["body"]))
    return found


# Surfaces -----------------------------------------------------------------------------------------------------------


class SpatialSurfaces(Surfaces):
    """Heights are computed once per radius."""

    def __init__(self, s: Lowering, given: dict[str, Any], label: str):
        super().__init__(s, given, label, SURFACES)
        self.fields: dict[float, HeightTable] = {}

    def read(self, touching: Touching) -> Carried:
        return SURFACES[self.kind](self, self.given[self.kind], touching)

    def field(self, radius: float, grid: tuple[Any, Any, np.ndarray]) -> HeightTable:
        if radius not in self.fields:
            table = height_table(*grid)
            self.fields[radius] = moved_outwards(table, radius) if radius > 0.0 else table
        return self.fields[radius]


def _unit(values: tuple[float, ...], label: str, field: str, expected: str) -> np.ndarray:
    size = math.hypot(*values)
    if size < NO_DIRECTION:
        At(label, field).fail("the normal is zero", list(values), expected)
    return np.array(values) / size + 0.0


def _plane(surface: SpatialSurfaces, given: Any, touching: Touching) -> Carried:
    s, label = surface.s, surface.label
    if isinstance(given, list):
        *normal, d = (s.number(value, label, f"surface.plane[{k}]") for k, value in enumerate(given))
        n = _unit(
            tuple(normal), label, "surface.plane", "[a, b, c, d] of a x + b y + c z + d = 0 with a normal [a, b, c]"
        )
        away = within_limits(-d / math.hypot(*normal), "m", label, "surface.plane[3]")
        place: Where = ("ground", tuple((away * n + 0.0).tolist()))
    else:
        place = s.point(given["point"], label, "surface.plane.point")
        normal = s.vector(given["normal"], label, "surface.plane.normal")
        n = _unit(normal, label, "surface.plane.normal", "a direction such as [0, 0, 1]")
    return Carried([Touched(place, PlaneShape, [*n.tolist(), touching.radius])], np.array([place[1], n]))


def _sphere(surface: SpatialSurfaces, given: Any, touching: Touching) -> Carried:
    s, label = surface.s, surface.label
    radius = not_negative(s, given["radius"], label, "surface.sphere.radius", "m")
    if radius == 0.0 and touching.radius == 0.0:
        At(label, "surface.sphere.radius").fail(
            "two points cannot touch: there is no direction between them", radius, "a radius above 0 m for one of them"
        )
    place = s.point(given["body"], label, "surface.sphere.body")
    return Carried([Touched(place, SphereShape, [radius, touching.radius])], NOTHING, radius)


def _heights(surface: SpatialSurfaces, given: Any, touching: Touching) -> Carried:
    s, label, rows = surface.s, surface.label, given["z"]
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        At(label, "surface.heights.z").fail(
            "is not a grid of heights",
            [len(row) for row in rows],
            "a list for each x, at least two, of equal length, with a number for each y, at least two",
        )
    z = np.array([s.vector(row, label, f"surface.heights.z[{k}]") for k, row in enumerate(rows)])
    origin = s.pair(given["origin"], label, "surface.heights.origin")
    dx, dy = (s.positive(v, label, f"surface.heights.spacing[{k}]", "m") for k, v in enumerate(given["spacing"]))
    table = surface.field(touching.radius, (origin, (dx, dy), z))
    x, y = origin[0] + dx * np.arange(z.shape[0]), origin[1] + dy * np.arange(z.shape[1])
    outline = np.stack([*np.meshgrid(x, y, indexing="ij"), z], axis=2)
    numbers = [touching.radius, float(x[0]), float(x[-1]), float(y[0]), float(y[-1])]
    return Carried([Touched(("ground", (0.0, 0.0, 0.0)), HeightFieldShape, numbers, field=table)], outline)


SURFACES: dict[str, Callable[[SpatialSurfaces, Any, Touching], Carried]] = {
    "plane": _plane, "sphere": _sphere, "heights": _heights,
}  # fmt: skip
