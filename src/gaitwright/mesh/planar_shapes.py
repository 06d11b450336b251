"""Parametric shapes of the plane: rectangle, disc, ring."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.lattices import fan_cells, grid_cells
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import PlaneSelector, RegionSelector
from gaitwright.mesh.shape_construction import (
    check_cell_count,
    count_cells_along,
    count_divisions,
    finish_shape,
    format_call,
    read_cut_sides,
    read_lengths,
    read_order,
)
from gaitwright.mesh.smooth_surfaces import SphereOrCylinder

PointLike = Sequence[float]


def symmetry_regions(sides: dict[str, int], dimension: int) -> dict[str, RegionSelector]:
    """Regions on the planes of symmetry: cut_x lies in x = 0."""
    unit = np.eye(dimension)
    return {f"cut_{axis}": PlaneSelector((0.0,) * dimension, tuple(unit["xyz".index(axis)])) for axis in sides}


class OnCurveSelector(RegionSelector):
    """Points on a curve: those that its projection leaves unchanged."""

    def __init__(self, curve: SphereOrCylinder):
        self.curve = curve

    def holds(self, points: Array, size: float) -> Array:
        return np.linalg.norm(self.curve(points) - points, axis=1) <= 1e-6 * size


def rectangle(
    sides: Sequence[float], divisions: int | Sequence[int] | None = None, *, size: float | None = None, order: int = 1,
    towards: PointLike | None = None, finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A rectangle of sides (width, height), m, with `divisions` cells per side or cells of a size, m. Regions: left, right,
    bottom, top. towards, finest: a point, m, and the cell size there, m; cells grow away from it. order: 2 for T6. Raises
    ModelError for invalid arguments."""
    at = ErrorContext("rectangle")
    width, height = read_lengths(sides, 2, at["sides"], "width and height, m")
    counts = count_divisions((width, height), divisions, size, at)
    check_cell_count(2.0 * math.prod(counts), at)
    axes = [np.linspace(-0.5 * s, 0.5 * s, n + 1) for s, n in zip((width, height), counts, strict=True)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    regions: dict[str, RegionSelector] = {
        "left": PlaneSelector((-0.5 * width, 0.0), (1.0, 0.0)), "right": PlaneSelector((0.5 * width, 0.0), (1.0, 0.0)),
        "bottom": PlaneSelector((0.0, -0.5 * height), (0.0, 1.0)), "top": PlaneSelector((0.0, 0.5 * height), (0.0, 1.0)),
    }  # fmt: skip
    origin = format_call(
        "rectangle", sides=(width, height), divisions=counts, order=order, towards=towards, finest=finest
    )
    return finish_shape(
        Mesh(nodes, grid_cells(counts)),
        regions,
        origin,
        order=read_order(order, at),
        towards=towards,
        finest=finest,
        at=at,
    )


def mesh_disc_sectors(radius: float, rings: int, sides: dict[str, int]) -> tuple[Array, Array]:
    """Nodes and triangles of a disc, or of its part after cuts: six sectors in a full disc, three in a half, two in a
    quarter."""
    angle = 2.0 * math.pi / 2 ** len(sides)
    sectors = {0: 6, 1: 3, 2: 2}[len(sides)]
    x, y = sides.get("x", 0), sides.get("y", 0)
    start = {(0, 0): 0.0, (1, 0): -0.5, (-1, 0): 0.5, (0, 1): 0.0, (0, -1): 1.0, (1, 1): 0.0, (-1, 1): 0.5,
             (-1, -1): 1.0, (1, -1): 1.5}[x, y] * math.pi  # fmt: skip
    ring, step, cells = fan_cells(rings, sectors, whole=not sides)
    turn = start + angle * step / np.maximum(sectors * ring, 1)
    nodes = (radius * ring / rings)[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    for axis, column in (("x", 0), ("y", 1)):
        if axis in sides:  # exactly on the plane of symmetry
            nodes[np.abs(nodes[:, column]) < 1e-12 * radius, column] = 0.0
    return nodes, cells


def disc(
    radius: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1, towards: PointLike | None = None,
    finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A disc of a radius, m, with cells of a size, m; order 2 has curved edges. cut: symmetry planes through the centre;
    the positive half remains: 'x', ('x', '-y'). Regions: rim, cut_x, cut_y. towards, finest: as in rectangle. Raises
    ModelError for invalid arguments."""
    at = ErrorContext("disc")
    radius = at["radius"].positive(radius, "m")
    rings = count_cells_along(radius, size, at["size"])
    check_cell_count(6.0 * rings**2, at)
    sides = read_cut_sides(cut, 2, at)
    curve = SphereOrCylinder(radius)
    regions = {"rim": OnCurveSelector(curve), **symmetry_regions(sides, 2)}
    origin = format_call("disc", radius=radius, size=size, cut=cut, order=order, towards=towards, finest=finest)
    return finish_shape(
        Mesh(*mesh_disc_sectors(radius, rings, sides)),
        regions,
        origin,
        order=read_order(order, at),
        onto=[curve],
        towards=towards,
        finest=finest,
        at=at,
    )


def mesh_ring_sectors(
    inner: float, outer: float, size: float, sides: dict[str, int], at: ErrorContext
) -> tuple[Array, Array]:
    """Nodes and triangles between two circles."""
    is_closed = not sides
    angle = 2.0 * math.pi / 2 ** len(sides)
    rows = count_cells_along(outer - inner, size, at["size"])
    around = count_cells_along(angle * 0.5 * (inner + outer), size, at["size"], minimum=4)
    around += around % 2 if is_closed else 0  # bricks alternate in orientation, so a closed ring needs an even number
    check_cell_count(2.0 * rows * around, at)
    x, y = sides.get("x", 0), sides.get("y", 0)
    start = {(0, 0): 0.0, (1, 0): -0.5, (-1, 0): 0.5, (0, 1): 0.0, (0, -1): 1.0, (1, 1): 0.0, (-1, 1): 0.5,
             (-1, -1): 1.0, (1, -1): 1.5}[x, y] * math.pi  # fmt: skip
    radii = np.linspace(inner, outer, rows + 1)
    turn = start + angle * np.arange(around + 1) / around
    nodes = (radii[:, None, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)).reshape(-1, 2)
    cells = grid_cells((rows, around))
    if is_closed:
        cells = cells - cells // (around + 1) - np.where(cells % (around + 1) == around, around, 0)
        nodes = nodes.reshape(rows + 1, around + 1, 2)[:, :-1].reshape(-1, 2)
    for axis, column in (("x", 0), ("y", 1)):
        if axis in sides:
            nodes[np.abs(nodes[:, column]) < 1e-12 * outer, column] = 0.0
    return nodes, cells


def check_radii(inner: float, outer: float, at: ErrorContext) -> tuple[float, float]:
    inner, outer = at["inner"].positive(inner, "m"), at["outer"].positive(outer, "m")
    if inner >= outer:
        at["inner"].fail("is not smaller than the outer radius", inner, f"less than {outer:g} m")
    return inner, outer


def ring(inner: float, outer: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1) -> Mesh:
    """The area between two circles of radii inner and outer, m. Regions: inner, outer, cut_x, cut_y. Else as disc."""
    at = ErrorContext("ring")
    inner, outer = check_radii(inner, outer, at)
    sides = read_cut_sides(cut, 2, at)
    curves = [SphereOrCylinder(inner), SphereOrCylinder(outer)]
    regions = {"inner": OnCurveSelector(curves[0]), "outer": OnCurveSelector(curves[1]), **symmetry_regions(sides, 2)}
    origin = format_call("ring", inner=inner, outer=outer, size=size, cut=cut, order=order)
    mesh = Mesh(*mesh_ring_sectors(inner, outer, size, sides, at))
    return finish_shape(mesh, regions, origin, order=read_order(order, at), onto=curves, at=at)
