"""Parametric shapes of space: box, ball, hollow ball, cylinder, pipe, pad; and extrusion of plane meshes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.lattices import grid_cells, mirror_octants, octant_cells, octant_triangles, prism_cells
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.planar_shapes import (
    OnCurveSelector,
    PointLike,
    check_radii,
    mesh_disc_sectors,
    mesh_ring_sectors,
    symmetry_regions,
)
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
    remaining_octants,
)
from gaitwright.mesh.smooth_surfaces import SphereOrCylinder

Z_AXIS = (0.0, 0.0, 1.0)


def grid(x: Sequence[float], y: Sequence[float], z: Sequence[float] | None = None) -> Mesh:
    """Bricks between coordinates along each axis, m, ascending, each divided into six tetrahedra (without z: into two
    triangles). Raises ModelError for invalid coordinates."""
    at, axes = ErrorContext("grid"), []
    for name, values in zip("xyz", (x, y) if z is None else (x, y, z), strict=False):
        axis = np.asarray(values, dtype=float)
        if axis.ndim != 1 or axis.size < 2 or not np.isfinite(axis).all() or (np.diff(axis) <= 0.0).any():
            at[name].fail("is not an axis", values, "at least two numbers, ascending, m")
        axes.append(axis)
    check_cell_count(6.0 * math.prod(axis.size for axis in axes), at)
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
    cells = grid_cells(tuple(axis.size - 1 for axis in axes))
    return Mesh(nodes, cells, origin=f"gaitwright.mesh.grid of {' x '.join(str(a.size - 1) for a in axes)} bricks")


def box(
    sides: Sequence[float], divisions: int | Sequence[int] | None = None, *, size: float | None = None, order: int = 1,
    towards: PointLike | None = None, finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A box of three sides, m, with `divisions` bricks per side or bricks of a size, m, each of six tetrahedra. Regions:
    left and right (x), front and back (y), bottom and top (z). towards, finest: a point, m, and the cell size there, m;
    cells grow away from it. order: 2 for TET10. Raises ModelError for invalid arguments."""
    at = ErrorContext("box")
    sides = read_lengths(sides, 3, at["sides"], "three sides, m")
    counts = count_divisions(sides, divisions, size, at)
    check_cell_count(6.0 * math.prod(counts), at)
    mesh = grid(*(np.linspace(-0.5 * s, 0.5 * s, n + 1).tolist() for s, n in zip(sides, counts, strict=True)))
    regions: dict[str, RegionSelector] = {}
    for axis, names in enumerate((("left", "right"), ("front", "back"), ("bottom", "top"))):
        for name, sign in zip(names, (-0.5, 0.5), strict=True):
            unit = np.eye(3)[axis]
            regions[name] = PlaneSelector(tuple(sign * sides[axis] * unit), tuple(unit))
    origin = format_call("box", sides=sides, divisions=counts, order=order, towards=towards, finest=finest)
    return finish_shape(mesh, regions, origin, order=read_order(order, at), towards=towards, finest=finest, at=at)


def _sphere_directions(points: Array) -> Array:
    """Unit vectors of integer points (p, 3): the edges of an octahedron become circles with equal steps, and the steps
    between them are nearly equal (normalised sines; plain projection would make triangles in the middle five times as
    large)."""
    size = np.abs(points).sum(axis=1, keepdims=True)
    sines = np.sin(0.5 * np.pi * points / np.maximum(size, 1))
    return sines / np.maximum(np.linalg.norm(sines, axis=1, keepdims=True), 1e-300)


def ball(
    radius: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1, towards: PointLike | None = None,
    finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A ball of a radius, m, with cells of a size, m; order 2 has curved faces. cut: symmetry planes through the centre;
    the positive half remains: ('x', 'y', '-z') is the eighth that stands on its pole. towards, finest: a point, such as
    (0, 0, -radius), and the cell size there, m; cells grow away from it, which suits small contacts. Regions: surface,
    cut_x, cut_y, cut_z. Raises ModelError for invalid arguments.

    Shells of an octahedron: every octant has n^3 tetrahedra, n = radius / size."""
    at = ErrorContext("ball")
    radius = at["radius"].positive(radius, "m")
    n = count_cells_along(radius, size, at["size"])
    sides = read_cut_sides(cut, 3, at)
    check_cell_count(float(len(remaining_octants(sides)) * n**3), at)
    points, cells = mirror_octants(*octant_cells(n), remaining_octants(sides))
    nodes = radius / n * np.abs(points).sum(axis=1, keepdims=True) * _sphere_directions(points)
    curve = SphereOrCylinder(radius)
    regions = {"surface": OnCurveSelector(curve), **symmetry_regions(sides, 3)}
    origin = format_call("ball", radius=radius, size=size, cut=cut, order=order, towards=towards, finest=finest)
    return finish_shape(
        Mesh(nodes, cells),
        regions,
        origin,
        order=read_order(order, at),
        onto=[curve],
        towards=towards,
        finest=finest,
        at=at,
    )


def hollow_ball(inner: float, outer: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1) -> Mesh:
    """The space between two spheres of radii inner and outer, m. Layers become thicker outwards, as their cells become wider.
    Regions: inner, outer, cut_x, cut_y, cut_z. Else as ball."""
    at = ErrorContext("hollow_ball")
    inner, outer = check_radii(inner, outer, at)
    n = count_cells_along(0.5 * math.pi * math.sqrt(inner * outer), size, at["size"], minimum=2)
    sides = read_cut_sides(cut, 3, at)
    layers = max(1, math.ceil(math.log(outer / inner) / (0.5 * math.pi / n) - 1e-9))
    check_cell_count(3.0 * len(remaining_octants(sides)) * n**2 * layers, at)
    points, triangles = mirror_octants(*octant_triangles(n), remaining_octants(sides))
    radii = np.geomspace(inner, outer, layers + 1)
    nodes = (radii[:, None, None] * _sphere_directions(points)).reshape(-1, 3)
    cells = prism_cells(triangles, layers, len(points))
    curves = [SphereOrCylinder(inner), SphereOrCylinder(outer)]
    regions = {"inner": OnCurveSelector(curves[0]), "outer": OnCurveSelector(curves[1]), **symmetry_regions(sides, 3)}
    origin = format_call("hollow_ball", inner=inner, outer=outer, size=size, cut=cut, order=order)
    return finish_shape(Mesh(nodes, cells), regions, origin, order=read_order(order, at), onto=curves, at=at)


def extruded(flat: Mesh, heights: Sequence[float]) -> Mesh:
    """Extrude a mesh of triangles in the plane along z through heights, m, ascending; regions of nodes are extruded too.
    Raises ModelError for another mesh or invalid heights."""
    at = ErrorContext("extruded")
    z = np.asarray(heights, dtype=float)
    if flat.dimension != 2 or flat.kind.order != 1:
        at["flat"].fail(
            "is not a plane mesh of straight triangles", flat, "T3 with nodes (n, 2); quadratic() afterwards"
        )
    if z.ndim != 1 or z.size < 2 or not (np.diff(z) > 0).all():
        at["heights"].fail("is not an axis", heights, "at least two numbers, ascending, m")
    count, layers = len(flat.nodes), z.size - 1
    check_cell_count(3.0 * len(flat.cells) * layers, at)
    nodes = np.concatenate([np.column_stack([flat.nodes, np.full(count, h)]) for h in z])
    mesh = Mesh(nodes, prism_cells(flat.cells, layers, count), origin=f"extruded: {flat.origin}")
    for name, region in flat.regions.items():
        mesh = mesh.with_region(name, nodes=(np.arange(z.size)[:, None] * count + region.nodes).reshape(-1))
    return mesh


def _layer_heights(height: float, size: float, at: ErrorContext) -> Array:
    return np.linspace(-0.5 * height, 0.5 * height, count_cells_along(height, size, at["size"]) + 1)


def _end_regions(height: float) -> dict[str, RegionSelector]:
    return {
        "bottom": PlaneSelector((0.0, 0.0, -0.5 * height), Z_AXIS),
        "top": PlaneSelector((0.0, 0.0, 0.5 * height), Z_AXIS),
    }


def cylinder(
    radius: float, height: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1,
    towards: PointLike | None = None, finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A cylinder about the z axis. radius, height, size: m. cut: by x and y. Regions: side, bottom, top, cut_x, cut_y.
    Else as ball."""
    at = ErrorContext("cylinder")
    radius, height = at["radius"].positive(radius, "m"), at["height"].positive(height, "m")
    sides = read_cut_sides(cut, 3, at)
    if "z" in sides:
        at["cut"].fail("a cylinder is cut by x and y", cut, "half the height instead of a cut by z")
    rings = count_cells_along(radius, size, at["size"])
    check_cell_count(18.0 * rings**2 * height / size, at)
    mesh = extruded(Mesh(*mesh_disc_sectors(radius, rings, sides)), _layer_heights(height, size, at).tolist())
    curve = SphereOrCylinder(radius, axis=Z_AXIS)
    regions = {"side": OnCurveSelector(curve), **_end_regions(height), **symmetry_regions(sides, 3)}
    origin = format_call(
        "cylinder", radius=radius, height=height, size=size, cut=cut, order=order, towards=towards, finest=finest
    )
    return finish_shape(
        mesh, regions, origin, order=read_order(order, at), onto=[curve], towards=towards, finest=finest, at=at
    )


def pipe(
    inner: float, outer: float, height: float, size: float, *, cut: str | Iterable[str] = (), order: int = 1
) -> Mesh:
    """The space between two cylinders about the z axis. inner, outer, height, size: m. Regions: inner, outer, bottom,
    top, cut_x, cut_y. Else as cylinder."""
    at = ErrorContext("pipe")
    inner, outer = check_radii(inner, outer, at)
    height = at["height"].positive(height, "m")
    sides = read_cut_sides(cut, 3, at)
    if "z" in sides:
        at["cut"].fail("a pipe is cut by x and y", cut, "half the height instead of a cut by z")
    mesh = extruded(Mesh(*mesh_ring_sectors(inner, outer, size, sides, at)), _layer_heights(height, size, at).tolist())
    curves = [SphereOrCylinder(inner, axis=Z_AXIS), SphereOrCylinder(outer, axis=Z_AXIS)]
    regions = {
        "inner": OnCurveSelector(curves[0]),
        "outer": OnCurveSelector(curves[1]),
        **_end_regions(height),
        **symmetry_regions(sides, 3),
    }
    origin = format_call("pipe", inner=inner, outer=outer, height=height, size=size, cut=cut, order=order)
    return finish_shape(mesh, regions, origin, order=read_order(order, at), onto=curves, at=at)


def pad(
    sides: Sequence[float], thickness: float, size: float, *, rounding: float = 0.0, order: int = 1,
    towards: PointLike | None = None, finest: float | None = None,
) -> Mesh:  # fmt: skip
    """A plate of sides (length, width) and a thickness, m, for example a heel pad; `rounding` is the radius of its four
    upright edges, m. Regions: side, bottom, top. Else as box."""
    at = ErrorContext("pad")
    a, b = read_lengths(sides, 2, at["sides"], "length and width, m")
    thickness = at["thickness"].positive(thickness, "m")
    if not 0.0 <= rounding <= 0.5 * min(a, b):
        at["rounding"].fail("is not a radius that fits", rounding, f"from 0 to {0.5 * min(a, b):g} m")
    axes = [_rounded_coordinates(side, rounding, size, at) for side in (a, b)]
    check_cell_count(6.0 * math.prod(axis.size for axis in axes) * thickness / size, at)
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    flat = Mesh(_round_corners(nodes, (a, b), rounding), _outward_triangles(axes))
    flat = flat.with_region("side", nodes=np.unique(flat.boundary))
    mesh = extruded(flat, _layer_heights(thickness, size, at).tolist())
    middles = [(x * (0.5 * a - rounding), y * (0.5 * b - rounding), 0.0) for x in (-1, 1) for y in (-1, 1)]
    curves = [_RoundedPadEdge(rounding, middle) for middle in middles] if rounding else []
    origin = format_call(
        "pad",
        sides=(a, b),
        thickness=thickness,
        size=size,
        rounding=rounding,
        order=order,
        towards=towards,
        finest=finest,
    )
    return finish_shape(
        mesh,
        _end_regions(thickness),
        origin,
        order=read_order(order, at),
        onto=curves,
        towards=towards,
        finest=finest,
        at=at,
    )


class _RoundedPadEdge:
    """A quarter of a cylinder at a corner of a pad; points outside that corner are projected to infinity."""

    def __init__(self, radius: float, middle: tuple[float, float, float]):
        self.round = SphereOrCylinder(radius, middle, Z_AXIS)
        self.middle: Array = np.array(middle[:2])

    def __call__(self, points: Array) -> Array:
        inside = np.all(points[:, :2] * np.sign(self.middle) >= np.abs(self.middle) - 1e-12, axis=1, keepdims=True)
        return np.where(inside, self.round(points), np.inf)


def _rounded_coordinates(side: float, rounding: float, size: float, at: ErrorContext) -> Array:
    """Coordinates along a side, with a grid line at the start of the rounding."""
    half = 0.5 * side
    straight = np.linspace(
        -(half - rounding),
        half - rounding,
        count_cells_along(max(side - 2.0 * rounding, 1e-9 * side), size, at["size"]) + 1,
    )
    if not rounding:
        return straight
    corner = np.linspace(half - rounding, half, count_cells_along(0.25 * math.pi * rounding, size, at["size"]) + 1)[1:]
    if half - rounding < 1e-9 * side:
        straight = np.zeros(1)
    return np.concatenate([-corner[::-1], straight, corner])


def _round_corners(nodes: Array, sides: tuple[float, float], rounding: float) -> Array:
    """Map squares at the corners to quarter discs: u sqrt(1 - v^2 / 2), v sqrt(1 - u^2 / 2)."""
    if not rounding:
        return nodes
    inner = 0.5 * np.array(sides) - rounding
    beyond = np.maximum(np.abs(nodes) - inner, 0.0) / rounding
    u, v = beyond.T
    mapped = np.stack([u * np.sqrt(1.0 - 0.5 * v**2), v * np.sqrt(1.0 - 0.5 * u**2)], axis=1)
    at_corner = (u > 0.0) & (v > 0.0)
    return np.where(at_corner[:, None], np.sign(nodes) * (inner + rounding * mapped), nodes)


def _outward_triangles(axes: list[Array]) -> Array:
    """Triangles of a grid with diagonals that point to the nearest corner: a triangle with two sides on a rounding would be
    flat."""
    (nx, ny) = (axis.size - 1 for axis in axes)
    i, j = (a.reshape(-1) for a in np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij"))
    a = i * (ny + 1) + j
    b, c, d = a + ny + 1, a + ny + 2, a + 1
    same_half = ((i < nx / 2) == (j < ny / 2))[:, None]
    first = np.where(same_half, np.stack([a, b, c], axis=1), np.stack([a, b, d], axis=1))
    second = np.where(same_half, np.stack([a, c, d], axis=1), np.stack([b, c, d], axis=1))
    return np.concatenate([first, second])
