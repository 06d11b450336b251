"""Shapes of the plane without a file: rectangle, disc, ring."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.curves import Round
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.lattices import fan_cells, grid_cells
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Plane, Where
from gaitwright.mesh.shapes import affordable, cut_sides, divisions_of, finished, lengths, order_of, parts_of, said_call

Point = Sequence[float]


def cut_planes(sides: dict[str, int], dimension: int) -> dict[str, Where]:
    """Regions on the planes of symmetry: cut_x lies in x = 0."""
    unit = np.eye(dimension)
    return {f"cut_{axis}": Plane((0.0,) * dimension, tuple(unit["xyz".index(axis)])) for axis in sides}


class On(Where):
    """Where a projection leaves points as they are."""

    def __init__(self, curve: Round):
        self.curve = curve

    def holds(self, points: Array, size: float) -> Array:
        return np.linalg.norm(self.curve(points) - points, axis=1) <= 1e-6 * size


def rectangle(
    sides: Sequence[float], divisions: int | Sequence[int] | None = None, *, size: float | None = None, order: int = 1,
    towards: Point | None = None, finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A rectangle of sides (width, height), m, with `divisions` cells per side or cells of a size, m. Regions: left, right,
    bottom, top. towards, finest: a place, m, and the size of cells there; they grow away from it. order: 2 for T6."""
    at = At("rectangle")
    width, height = lengths(sides, 2, at["sides"], "width and height, m")
    counts = divisions_of((width, height), divisions, size, at)
    affordable(2.0 * math.prod(counts), at)
    axes = [np.linspace(-0.5 * s, 0.5 * s, n + 1) for s, n in zip((width, height), counts, strict=True)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    regions: dict[str, Where] = {
        "left": Plane((-0.5 * width, 0.0), (1.0, 0.0)), "right": Plane((0.5 * width, 0.0), (1.0, 0.0)),
        "bottom": Plane((0.0, -0.5 * height), (0.0, 1.0)), "top": Plane((0.0, 0.5 * height), (0.0, 1.0)),
    }  # fmt: skip
    origin = said_call(
        "rectangle", sides=(width, height), divisions=counts, order=order, towards=towards, finest=finest
    )
    return finished(
        Mesh(nodes, grid_cells(counts)),
        regions,
        origin,
        order=order_of(order, at),
        towards=towards,
        finest=finest,
        at=at,
    )


def fan(radius: float, rings: int, sides: dict[str, int]) -> tuple[Array, Array]:
    """Nodes and triangles of a disc, or of what is left of it: six sectors, where two cuts ask for it eight."""
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
    radius: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1, towards: Point | None = None,
    finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A disc with cells of a size, m; order 2 has curved edges. cut: axes at which it is cut for symmetry, of which the
    positive half stays: 'x', ('x', '-y'). Regions: rim, cut_x, cut_y. towards, finest: as in rectangle."""
    at = At("disc")
    radius = at["radius"].positive(radius, "m")
    rings = parts_of(radius, size, at["size"])
    affordable(6.0 * rings**2, at)
    sides = cut_sides(cut, 2, at)
    curve = Round(radius)
    regions = {"rim": On(curve), **cut_planes(sides, 2)}
    origin = said_call("disc", radius=radius, size=size, cut=cut, order=order, towards=towards, finest=finest)
    return finished(
        Mesh(*fan(radius, rings, sides)), regions, origin, order=order_of(order, at), onto=[curve], towards=towards,
        finest=finest, at=at,
    )  # fmt: skip


def ring_grid(inner: float, outer: float, size: float, sides: dict[str, int], at: At) -> tuple[Array, Array]:
    """Nodes and triangles between two circles."""
    whole = not sides
    angle = 2.0 * math.pi / 2 ** len(sides)
    rows = parts_of(outer - inner, size, at["size"])
    around = parts_of(angle * 0.5 * (inner + outer), size, at["size"], least=4)
    around += around % 2 if whole else 0  # bricks are mirrored in turn, so that ends fit together
    affordable(2.0 * rows * around, at)
    x, y = sides.get("x", 0), sides.get("y", 0)
    start = {(0, 0): 0.0, (1, 0): -0.5, (-1, 0): 0.5, (0, 1): 0.0, (0, -1): 1.0, (1, 1): 0.0, (-1, 1): 0.5,
             (-1, -1): 1.0, (1, -1): 1.5}[x, y] * math.pi  # fmt: skip
    radii = np.linspace(inner, outer, rows + 1)
    turn = start + angle * np.arange(around + 1) / around
    nodes = (radii[:, None, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)).reshape(-1, 2)
    cells = grid_cells((rows, around))
    if whole:
        cells = cells - cells // (around + 1) - np.where(cells % (around + 1) == around, around, 0)
        nodes = nodes.reshape(rows + 1, around + 1, 2)[:, :-1].reshape(-1, 2)
    for axis, column in (("x", 0), ("y", 1)):
        if axis in sides:
            nodes[np.abs(nodes[:, column]) < 1e-12 * outer, column] = 0.0
    return nodes, cells


def radii_of(inner: float, outer: float, at: At) -> tuple[float, float]:
    inner, outer = at["inner"].positive(inner, "m"), at["outer"].positive(outer, "m")
    if inner >= outer:
        at["inner"].fail("is not smaller than the outer radius", inner, f"less than {outer:g} m")
    return inner, outer


def ring(inner: float, outer: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1) -> Mesh:
    """What is between two circles of radii inner and outer, m. Regions: inner, outer, cut_x, cut_y. Else as disc."""
    at = At("ring")
    inner, outer = radii_of(inner, outer, at)
    sides = cut_sides(cut, 2, at)
    curves = [Round(inner), Round(outer)]
    regions = {"inner": On(curves[0]), "outer": On(curves[1]), **cut_planes(sides, 2)}
    origin = said_call("ring", inner=inner, outer=outer, size=size, cut=cut, order=order)
    mesh = Mesh(*ring_grid(inner, outer, size, sides, at))
    return finished(mesh, regions, origin, order=order_of(order, at), onto=curves, at=at)
