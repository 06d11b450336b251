"""Shapes of space without a file: box, ball, hollow ball, cylinder, pipe, pad; and anything flat, extruded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.curves import Round
from gaitwright.mesh.flat_shapes import On, Point, cut_planes, fan, radii_of, ring_grid
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.lattices import grid_cells, in_octants, octant_cells, octant_triangles, prism_cells
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Plane, Where
from gaitwright.mesh.shapes import (
    affordable,
    cut_sides,
    divisions_of,
    finished,
    lengths,
    octants,
    order_of,
    parts_of,
    said_call,
)

UP = (0.0, 0.0, 1.0)


def grid(x: Sequence[float], y: Sequence[float], z: Sequence[float] | None = None) -> Mesh:
    """Bricks between coordinates along each axis, m, ascending, each cut into six tetrahedra (without z: into two
    triangles)."""
    at, axes = At("grid"), []
    for name, values in zip("xyz", (x, y) if z is None else (x, y, z), strict=False):
        axis = np.asarray(values, dtype=float)
        if axis.ndim != 1 or axis.size < 2 or not np.isfinite(axis).all() or (np.diff(axis) <= 0.0).any():
            at[name].fail("is not an axis", values, "at least two numbers, ascending, m")
        axes.append(axis)
    affordable(6.0 * math.prod(axis.size for axis in axes), at)
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
    cells = grid_cells(tuple(axis.size - 1 for axis in axes))
    return Mesh(nodes, cells, origin=f"gaitwright.mesh.grid of {' x '.join(str(a.size - 1) for a in axes)} bricks")


def box(
    sides: Sequence[float], divisions: int | Sequence[int] | None = None, *, size: float | None = None, order: int = 1,
    towards: Point | None = None, finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A box of three sides, m, with `divisions` bricks per side or bricks of a size, m, each of six tetrahedra. Regions:
    left and right (x), front and back (y), bottom and top (z). towards, finest: a place, m, and the size of cells there;
    they grow away from it. order: 2 for TET10."""
    at = At("box")
    sides = lengths(sides, 3, at["sides"], "three sides, m")
    counts = divisions_of(sides, divisions, size, at)
    affordable(6.0 * math.prod(counts), at)
    mesh = grid(*(np.linspace(-0.5 * s, 0.5 * s, n + 1).tolist() for s, n in zip(sides, counts, strict=True)))
    regions: dict[str, Where] = {}
    for axis, names in enumerate((("left", "right"), ("front", "back"), ("bottom", "top"))):
        for name, sign in zip(names, (-0.5, 0.5), strict=True):
            unit = np.eye(3)[axis]
            regions[name] = Plane(tuple(sign * sides[axis] * unit), tuple(unit))
    origin = said_call("box", sides=sides, divisions=counts, order=order, towards=towards, finest=finest)
    return finished(mesh, regions, origin, order=order_of(order, at), towards=towards, finest=finest, at=at)


def _directions(points: Array) -> Array:
    """Unit vectors of whole numbers (p, 3): on an octahedron, its edges become circles with equal steps, and what is between
    them nearly equal ones (normalised sines; plain projection would make triangles in the middle five times as large)."""
    size = np.abs(points).sum(axis=1, keepdims=True)
    sines = np.sin(0.5 * np.pi * points / np.maximum(size, 1))
    return sines / np.maximum(np.linalg.norm(sines, axis=1, keepdims=True), 1e-300)


def ball(
    radius: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1, towards: Point | None = None,
    finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A ball with cells of a size, m; order 2 has curved faces. cut: axes at which it is cut for symmetry, of which the
    positive half stays: ('x', 'y', '-z') is the eighth that stands on its pole. towards, finest: a place, such as (0, 0,
    -radius), and the size of cells there, m: they grow away from it, as a small contact needs. Regions: surface, cut_x,
    cut_y, cut_z.

    Shells of an octahedron: every octant has n^3 tetrahedra, n = radius / size."""
    at = At("ball")
    radius = at["radius"].positive(radius, "m")
    n = parts_of(radius, size, at["size"])
    sides = cut_sides(cut, 3, at)
    affordable(float(len(octants(sides)) * n**3), at)
    points, cells = in_octants(*octant_cells(n), octants(sides))
    nodes = radius / n * np.abs(points).sum(axis=1, keepdims=True) * _directions(points)
    curve = Round(radius)
    regions = {"surface": On(curve), **cut_planes(sides, 3)}
    origin = said_call("ball", radius=radius, size=size, cut=cut, order=order, towards=towards, finest=finest)
    return finished(
        Mesh(nodes, cells),
        regions,
        origin,
        order=order_of(order, at),
        onto=[curve],
        towards=towards,
        finest=finest,
        at=at,
    )


def hollow_ball(inner: float, outer: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1) -> Mesh:
    """What is between two spheres of radii inner and outer, m. Shells become thicker outwards, as their cells become wider.
    Regions: inner, outer, cut_x, cut_y, cut_z. Else as ball."""
    at = At("hollow_ball")
    inner, outer = radii_of(inner, outer, at)
    n = parts_of(0.5 * math.pi * math.sqrt(inner * outer), size, at["size"], least=2)
    sides = cut_sides(cut, 3, at)
    layers = max(1, math.ceil(math.log(outer / inner) / (0.5 * math.pi / n) - 1e-9))
    affordable(3.0 * len(octants(sides)) * n**2 * layers, at)
    points, triangles = in_octants(*octant_triangles(n), octants(sides))
    radii = np.geomspace(inner, outer, layers + 1)
    nodes = (radii[:, None, None] * _directions(points)).reshape(-1, 3)
    cells = prism_cells(triangles, layers, len(points))
    curves = [Round(inner), Round(outer)]
    regions = {"inner": On(curves[0]), "outer": On(curves[1]), **cut_planes(sides, 3)}
    origin = said_call("hollow_ball", inner=inner, outer=outer, size=size, cut=cut, order=order)
    return finished(Mesh(nodes, cells), regions, origin, order=order_of(order, at), onto=curves, at=at)


def extruded(flat: Mesh, heights: Sequence[float]) -> Mesh:
    """A mesh of triangles in the plane, drawn out along z through heights, m, ascending; regions of nodes go with it."""
    at = At("extruded")
    z = np.asarray(heights, dtype=float)
    if flat.dimension != 2 or flat.kind.order != 1:
        at["flat"].fail(
            "is not a plane mesh of straight triangles", flat, "T3 with nodes (n, 2); quadratic() afterwards"
        )
    if z.ndim != 1 or z.size < 2 or not (np.diff(z) > 0).all():
        at["heights"].fail("is not an axis", heights, "at least two numbers, ascending, m")
    count, layers = len(flat.nodes), z.size - 1
    affordable(3.0 * len(flat.cells) * layers, at)
    nodes = np.concatenate([np.column_stack([flat.nodes, np.full(count, h)]) for h in z])
    mesh = Mesh(nodes, prism_cells(flat.cells, layers, count), origin=f"extruded: {flat.origin}")
    for name, region in flat.regions.items():
        mesh = mesh.with_region(name, nodes=(np.arange(z.size)[:, None] * count + region.nodes).reshape(-1))
    return mesh


def _layers(height: float, size: float, at: At) -> Array:
    return np.linspace(-0.5 * height, 0.5 * height, parts_of(height, size, at["size"]) + 1)


def _ends(height: float) -> dict[str, Where]:
    return {"bottom": Plane((0.0, 0.0, -0.5 * height), UP), "top": Plane((0.0, 0.0, 0.5 * height), UP)}


def cylinder(
    radius: float, height: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1,
    towards: Point | None = None, finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A cylinder about the z axis. cut: by x and y. Regions: side, bottom, top, cut_x, cut_y. Else as ball."""
    at = At("cylinder")
    radius, height = at["radius"].positive(radius, "m"), at["height"].positive(height, "m")
    sides = cut_sides(cut, 3, at)
    if "z" in sides:
        at["cut"].fail("a cylinder is cut by x and y", cut, "half the height instead of a cut by z")
    rings = parts_of(radius, size, at["size"])
    affordable(18.0 * rings**2 * height / size, at)
    mesh = extruded(Mesh(*fan(radius, rings, sides)), _layers(height, size, at).tolist())
    curve = Round(radius, axis=UP)
    regions = {"side": On(curve), **_ends(height), **cut_planes(sides, 3)}
    origin = said_call(
        "cylinder", radius=radius, height=height, size=size, cut=cut, order=order, towards=towards, finest=finest
    )
    return finished(
        mesh, regions, origin, order=order_of(order, at), onto=[curve], towards=towards, finest=finest, at=at
    )


def pipe(
    inner: float, outer: float, height: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1
) -> Mesh:
    """What is between two cylinders about the z axis. Regions: inner, outer, bottom, top, cut_x, cut_y. Else as cylinder."""
    at = At("pipe")
    inner, outer = radii_of(inner, outer, at)
    height = at["height"].positive(height, "m")
    sides = cut_sides(cut, 3, at)
    if "z" in sides:
        at["cut"].fail("a pipe is cut by x and y", cut, "half the height instead of a cut by z")
    mesh = extruded(Mesh(*ring_grid(inner, outer, size, sides, at)), _layers(height, size, at).tolist())
    curves = [Round(inner, axis=UP), Round(outer, axis=UP)]
    regions = {"inner": On(curves[0]), "outer": On(curves[1]), **_ends(height), **cut_planes(sides, 3)}
    origin = said_call("pipe", inner=inner, outer=outer, height=height, size=size, cut=cut, order=order)
    return finished(mesh, regions, origin, order=order_of(order, at), onto=curves, at=at)


def pad(
    sides: Sequence[float], thickness: float, size: float, *, rounding: float = 0.0, order: int = 1,
    towards: Point | None = None, finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A plate of sides (length, width) and a thickness, m, for example a heel pad; `rounding` is the radius of its four
    upright edges, m. Regions: side, bottom, top. Else as box."""
    at = At("pad")
    a, b = lengths(sides, 2, at["sides"], "length and width, m")
    thickness = at["thickness"].positive(thickness, "m")
    if not 0.0 <= rounding <= 0.5 * min(a, b):
        at["rounding"].fail("is not a radius that fits", rounding, f"from 0 to {0.5 * min(a, b):g} m")
    axes = [_rounded_axis(side, rounding, size, at) for side in (a, b)]
    affordable(6.0 * math.prod(axis.size for axis in axes) * thickness / size, at)
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    flat = Mesh(_rounded(nodes, (a, b), rounding), _pointing_out(axes))
    flat = flat.with_region("side", nodes=np.unique(flat.boundary))
    mesh = extruded(flat, _layers(thickness, size, at).tolist())
    middles = [(x * (0.5 * a - rounding), y * (0.5 * b - rounding), 0.0) for x in (-1, 1) for y in (-1, 1)]
    curves = [_Corner(rounding, middle) for middle in middles] if rounding else []
    origin = said_call(
        "pad",
        sides=(a, b),
        thickness=thickness,
        size=size,
        rounding=rounding,
        order=order,
        towards=towards,
        finest=finest,
    )
    return finished(
        mesh, _ends(thickness), origin, order=order_of(order, at), onto=curves, towards=towards, finest=finest, at=at
    )


class _Corner:
    """The quarter of a cylinder at a corner of a pad; what is not there lies nowhere on it."""

    def __init__(self, radius: float, middle: tuple[float, float, float]):
        self.round = Round(radius, middle, UP)
        self.middle: Array = np.array(middle[:2])

    def __call__(self, points: Array) -> Array:
        inside = np.all(points[:, :2] * np.sign(self.middle) >= np.abs(self.middle) - 1e-12, axis=1, keepdims=True)
        return np.where(inside, self.round(points), np.inf)


def _rounded_axis(side: float, rounding: float, size: float, at: At) -> Array:
    """Coordinates along a side, with a line where the rounding begins."""
    half = 0.5 * side
    straight = np.linspace(
        -(half - rounding), half - rounding, parts_of(max(side - 2.0 * rounding, 1e-9 * side), size, at["size"]) + 1
    )
    if not rounding:
        return straight
    corner = np.linspace(half - rounding, half, parts_of(0.25 * math.pi * rounding, size, at["size"]) + 1)[1:]
    if half - rounding < 1e-9 * side:
        straight = np.zeros(1)
    return np.concatenate([-corner[::-1], straight, corner])


def _rounded(nodes: Array, sides: tuple[float, float], rounding: float) -> Array:
    """Squares at the corners become quarters of discs: u sqrt(1 - v^2 / 2), v sqrt(1 - u^2 / 2)."""
    if not rounding:
        return nodes
    inner = 0.5 * np.array(sides) - rounding
    beyond = np.maximum(np.abs(nodes) - inner, 0.0) / rounding
    u, v = beyond.T
    mapped = np.stack([u * np.sqrt(1.0 - 0.5 * v**2), v * np.sqrt(1.0 - 0.5 * u**2)], axis=1)
    at_corner = (u > 0.0) & (v > 0.0)
    return np.where(at_corner[:, None], np.sign(nodes) * (inner + rounding * mapped), nodes)


def _pointing_out(axes: list[Array]) -> Array:
    """Triangles of a grid whose diagonals point to the nearest corner: a triangle with two sides on a rounding would be
    flat."""
    (nx, ny) = (axis.size - 1 for axis in axes)
    i, j = (a.reshape(-1) for a in np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij"))
    a = i * (ny + 1) + j
    b, c, d = a + ny + 1, a + ny + 2, a + 1
    same = ((i < nx / 2) == (j < ny / 2))[:, None]
    first = np.where(same, np.stack([a, b, c], axis=1), np.stack([a, b, d], axis=1))
    second = np.where(same, np.stack([a, c, d], axis=1), np.stack([b, c, d], axis=1))
    return np.concatenate([first, second])
