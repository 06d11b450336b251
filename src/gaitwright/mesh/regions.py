"""Region selectors on a mesh: plane, half-space, box, sphere, distance, boundary, name, and combinations of these.

sole = gw.mesh.PlaneSelector((0, 0, 0), (0, 0, 1), within=1e-3) & gw.mesh.BoundarySelector()
mesh = mesh.with_region("sole", sole)

A selector selects nodes by their position, and cells by the position of their centroid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.mesh.cell_kinds import Array

if TYPE_CHECKING:
    from gaitwright.mesh.mesh import Mesh

POSITION_RTOL = 1e-6
"""Default tolerance of a plane, box or sphere, relative to the size of the mesh."""


@dataclass(frozen=True, eq=False)
class MeshRegion:
    """A named part of a mesh: numbers of its nodes and of its cells, ascending. Either may be empty: a face has no cells."""

    nodes: Array
    cells: Array

    def __post_init__(self) -> None:
        for name in ("nodes", "cells"):
            value = np.unique(np.asarray(getattr(self, name), dtype=np.int64))
            value.flags.writeable = False
            object.__setattr__(self, name, value)


class RegionSelector:
    """Base class of selectors. `a & b` is the intersection, `a | b` the union, `a - b` the difference, `~a` the
    complement."""

    def nodes(self, mesh: Mesh) -> Array:
        """Mask (n,) of the selected nodes."""
        return self.holds(mesh.nodes, mesh.size)

    def cells(self, mesh: Mesh) -> Array:
        """Mask (m,) of the selected cells."""
        return self.holds(mesh.centroids, mesh.size)

    def holds(self, points: Array, size: float) -> Array:
        """Mask of the selected points (n, d), m. size: of the mesh, m, for tolerances."""
        raise NotImplementedError

    def missed(self, mesh: Mesh) -> str:
        """Hint for an error message: distance of a mesh without selected nodes, as the end of a sentence; '' without a
        hint."""
        return ""

    def __and__(self, other: RegionSelector) -> RegionSelector:
        return IntersectionSelector(self, other)

    def __or__(self, other: RegionSelector) -> RegionSelector:
        return UnionSelector(self, other)

    def __invert__(self) -> RegionSelector:
        return ComplementSelector(self)

    def __sub__(self, other: RegionSelector) -> RegionSelector:
        return IntersectionSelector(self, ComplementSelector(other))


def _as_vector(value: Any) -> Array:
    return np.asarray(value, dtype=float)


def format_point(value: Any) -> str:
    """A point as text, m."""
    return "(" + ", ".join(f"{x:.4g}" for x in np.atleast_1d(_as_vector(value)) + 0.0) + ")"  # no -0


@dataclass(frozen=True)
class PlaneSelector(RegionSelector):
    """Points within a distance `within`, m, of a plane (in the plane: of a line)."""

    point: Sequence[float]
    normal: Sequence[float]
    within: float | None = None

    def holds(self, points: Array, size: float) -> Array:
        within = POSITION_RTOL * size if self.within is None else self.within
        return np.abs(_height_above_plane(self, points)) <= within

    def missed(self, mesh: Mesh) -> str:
        return (
            f"; its nearest node is {np.abs(_height_above_plane(self, mesh.nodes)).min():.4g} m off (within: its "
            f"tolerance)"
        )

    def __str__(self) -> str:
        prefix = "" if self.within is None else f"within {self.within:.4g} m of "
        return f"{prefix}the plane through {format_point(self.point)} m with normal {format_point(self.normal)}"


@dataclass(frozen=True)
class HalfSpaceSelector(RegionSelector):
    """Points on the side of a plane to which its normal points, the plane included."""

    point: Sequence[float]
    normal: Sequence[float]

    def holds(self, points: Array, size: float) -> Array:
        return _height_above_plane(self, points) >= -POSITION_RTOL * size

    def __str__(self) -> str:
        return f"the side {format_point(self.normal)} of the plane through {format_point(self.point)} m"


def _height_above_plane(plane: PlaneSelector | HalfSpaceSelector, points: Array) -> Array:
    normal = _as_vector(plane.normal)
    return (points - _as_vector(plane.point)) @ (normal / np.linalg.norm(normal))


@dataclass(frozen=True)
class BoxSelector(RegionSelector):
    """Points between two corners, m; the sides of the box are included."""

    low: Sequence[float]
    high: Sequence[float]

    def holds(self, points: Array, size: float) -> Array:
        tolerance = POSITION_RTOL * size
        inside = np.logical_and(points >= _as_vector(self.low) - tolerance, points <= _as_vector(self.high) + tolerance)
        return np.all(inside, axis=1)

    def __str__(self) -> str:
        return f"the box from {format_point(self.low)} to {format_point(self.high)} m"


@dataclass(frozen=True)
class SphereSelector(RegionSelector):
    """Points within the radius, m, of the centre."""

    centre: Sequence[float]
    radius: float

    def holds(self, points: Array, size: float) -> Array:
        away = np.linalg.norm(points - _as_vector(self.centre), axis=1)
        return np.less_equal(away, self.radius + POSITION_RTOL * size)

    def __str__(self) -> str:
        return f"the sphere about {format_point(self.centre)} m with radius {self.radius:.4g} m"


@dataclass(frozen=True, eq=False)
class DistanceSelector(RegionSelector):
    """Points within a distance, m, of given points (n, d), or of the surface of another mesh; for a closed surface also
    all points inside it (`inside=False`: only those near the surface). called: description of the other mesh in messages."""

    other: Any
    distance: float
    inside: bool = True
    called: str = field(default="the other")

    def holds(self, points: Array, size: float) -> Array:
        tree = getattr(self.other, "tree", None)
        if tree is not None:
            away = tree.query(points, within=math.inf if self.inside else 2.0 * self.distance).distance
            return np.less_equal(away if self.inside and tree.closed else np.abs(away), self.distance)
        from scipy.spatial import KDTree

        away = KDTree(np.atleast_2d(_as_vector(self.other))).query(points)[0]
        return np.less_equal(away, self.distance)

    def __str__(self) -> str:
        return f"within {self.distance:.4g} m of {self.called}"


@dataclass(frozen=True)
class BoundarySelector(RegionSelector):
    """The boundary of the mesh: its nodes, and the cells with a side on it."""

    def nodes(self, mesh: Mesh) -> Array:
        chosen = np.zeros(len(mesh.nodes), dtype=bool)
        chosen[mesh.boundary] = True
        return chosen

    def cells(self, mesh: Mesh) -> Array:
        chosen = np.zeros(len(mesh.cells), dtype=bool)
        chosen[mesh.boundary_cells] = True
        return chosen

    def __str__(self) -> str:
        return "the boundary"


@dataclass(frozen=True)
class NamedRegionSelector(RegionSelector):
    """A region that already exists in the mesh."""

    name: str

    def nodes(self, mesh: Mesh) -> Array:
        chosen = np.zeros(len(mesh.nodes), dtype=bool)
        chosen[mesh.region(self.name).nodes] = True
        return chosen

    def cells(self, mesh: Mesh) -> Array:
        chosen = np.zeros(len(mesh.cells), dtype=bool)
        chosen[mesh.region(self.name).cells] = True
        return chosen

    def __str__(self) -> str:
        return f"the region '{self.name}'"


@dataclass(frozen=True)
class IntersectionSelector(RegionSelector):
    """Nodes and cells in both selections."""

    first: RegionSelector
    second: RegionSelector

    def nodes(self, mesh: Mesh) -> Array:
        return self.first.nodes(mesh) & self.second.nodes(mesh)

    def cells(self, mesh: Mesh) -> Array:
        return self.first.cells(mesh) & self.second.cells(mesh)

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"


@dataclass(frozen=True)
class UnionSelector(RegionSelector):
    """Nodes and cells in either selection."""

    first: RegionSelector
    second: RegionSelector

    def nodes(self, mesh: Mesh) -> Array:
        return self.first.nodes(mesh) | self.second.nodes(mesh)

    def cells(self, mesh: Mesh) -> Array:
        return self.first.cells(mesh) | self.second.cells(mesh)

    def __str__(self) -> str:
        return f"{self.first} or {self.second}"


@dataclass(frozen=True)
class ComplementSelector(RegionSelector):
    """Nodes and cells outside a selection."""

    other: RegionSelector

    def nodes(self, mesh: Mesh) -> Array:
        return ~self.other.nodes(mesh)

    def cells(self, mesh: Mesh) -> Array:
        return ~self.other.cells(mesh)

    def __str__(self) -> str:
        return f"the complement of {self.other}"
