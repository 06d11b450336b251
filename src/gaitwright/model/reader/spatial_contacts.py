"""Contacts of a spatial document: touching sides and surfaces."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.contact.height_field import height_table, offset_heights
from gaitwright.mechanism.blocks import HeightTable
from gaitwright.model.limits import require_within_limits
from gaitwright.model.reader.contact_parameters import read_non_negative
from gaitwright.model.reader.contact_sides import (
    ElementarySurface,
    PartPlace,
    SurfaceReader,
    TouchedSurface,
    TouchingSide,
)
from gaitwright.physics.contact_geometry.height_field import HeightFieldShape
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.physics.parameters import ZERO_DIRECTION_TOL

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder
    from gaitwright.model.spec.contact_entry import ContactEntry

EMPTY_OUTLINE = np.zeros((0, 3))


def read_spatial_touching(builder: MechanismBuilder, entry: ContactEntry, label: str) -> list[tuple[str, TouchingSide]]:
    """Touching sides, points or spheres, each with the suffix of its name."""
    sides = _iterate_touching(builder, entry, label)
    return [(str(k + 1) if len(sides) > 1 else "", side) for k, side in enumerate(sides)]


def _iterate_touching(builder: MechanismBuilder, entry: ContactEntry, label: str) -> list[TouchingSide]:
    points = entry["points"] or ([entry["point"]] if entry["point"] else [])
    field = "points" if entry["points"] else "point"
    if points:
        return [TouchingSide(builder.names.point(p, label, field), 0.0, field, p) for p in points]
    field = "spheres" if entry["spheres"] else "sphere"
    sides = []
    for sphere in entry["spheres"] or ([entry["sphere"]] if entry["sphere"] else []):
        radius = read_non_negative(builder, sphere["radius"], label, f"{field}.radius", "m")
        sides.append(
            TouchingSide(
                builder.names.point(sphere["body"], label, f"{field}.body"), radius, f"{field}.body", sphere["body"]
            )
        )
    return sides


# Surfaces -----------------------------------------------------------------------------------------------------------


class SpatialSurfaceReader(SurfaceReader):
    """Reader of spatial surfaces; height tables are computed once per radius."""

    def __init__(self, builder: MechanismBuilder, given: dict[str, Any], label: str):
        super().__init__(builder, given, label, SPATIAL_SURFACE_READERS)
        self.fields: dict[float, HeightTable] = {}

    def read(self, touching: TouchingSide) -> TouchedSurface:
        return SPATIAL_SURFACE_READERS[self.kind](self, self.given[self.kind], touching)

    def field(self, radius: float, grid: tuple[Any, Any, np.ndarray]) -> HeightTable:
        if radius not in self.fields:
            table = height_table(*grid)
            self.fields[radius] = offset_heights(table, radius) if radius > 0.0 else table
        return self.fields[radius]


def _unit_vector(values: tuple[float, ...], label: str, field: str, expected: str) -> np.ndarray:
    size = math.hypot(*values)
    if size < ZERO_DIRECTION_TOL:
        ErrorContext(label, field).fail("the normal is zero", list(values), expected)
    return np.array(values) / size + 0.0


def _read_plane(surface: SpatialSurfaceReader, given: Any, touching: TouchingSide) -> TouchedSurface:
    builder, label = surface.builder, surface.label
    if isinstance(given, list):
        *normal, d = (builder.numbers.number(value, label, f"surface.plane[{k}]") for k, value in enumerate(given))
        n = _unit_vector(
            tuple(normal), label, "surface.plane", "[a, b, c, d] of a x + b y + c z + d = 0 with a normal [a, b, c]"
        )
        offset = require_within_limits(-d / math.hypot(*normal), "m", label, "surface.plane[3]")
        place: PartPlace = ("ground", tuple((offset * n + 0.0).tolist()))
    else:
        place = builder.names.point(given["point"], label, "surface.plane.point")
        normal = builder.numbers.vector(given["normal"], label, "surface.plane.normal")
        n = _unit_vector(normal, label, "surface.plane.normal", "a direction such as [0, 0, 1]")
    return TouchedSurface(
        [ElementarySurface(place, PlaneShape, [*n.tolist(), touching.radius])], np.array([place[1], n])
    )


def _read_sphere(surface: SpatialSurfaceReader, given: Any, touching: TouchingSide) -> TouchedSurface:
    builder, label = surface.builder, surface.label
    radius = read_non_negative(builder, given["radius"], label, "surface.sphere.radius", "m")
    if radius == 0.0 and touching.radius == 0.0:
        ErrorContext(label, "surface.sphere.radius").fail(
            "two points cannot touch: there is no direction between them", radius, "a radius above 0 m for one of them"
        )
    place = builder.names.point(given["body"], label, "surface.sphere.body")
    return TouchedSurface([ElementarySurface(place, SphereShape, [radius, touching.radius])], EMPTY_OUTLINE, radius)


def _read_heights(surface: SpatialSurfaceReader, given: Any, touching: TouchingSide) -> TouchedSurface:
    builder, label, rows = surface.builder, surface.label, given["z"]
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        ErrorContext(label, "surface.heights.z").fail(
            "is not a grid of heights",
            [len(row) for row in rows],
            "a list for each x, at least two, of equal length, with a number for each y, at least two",
        )
    z = np.array([builder.numbers.vector(row, label, f"surface.heights.z[{k}]") for k, row in enumerate(rows)])
    origin = builder.numbers.pair(given["origin"], label, "surface.heights.origin")
    dx, dy = (
        builder.numbers.positive(v, label, f"surface.heights.spacing[{k}]", "m") for k, v in enumerate(given["spacing"])
    )
    table = surface.field(touching.radius, (origin, (dx, dy), z))
    x, y = origin[0] + dx * np.arange(z.shape[0]), origin[1] + dy * np.arange(z.shape[1])
    outline = np.stack([*np.meshgrid(x, y, indexing="ij"), z], axis=2)
    numbers = [touching.radius, float(x[0]), float(x[-1]), float(y[0]), float(y[-1])]
    return TouchedSurface(
        [ElementarySurface(("ground", (0.0, 0.0, 0.0)), HeightFieldShape, numbers, field=table)], outline
    )


SPATIAL_SURFACE_READERS: dict[str, Callable[[SpatialSurfaceReader, Any, TouchingSide], TouchedSurface]] = {
    "plane": _read_plane, "sphere": _read_sphere, "heights": _read_heights,
}  # fmt: skip
