"""Where on a mesh: by plane, half-space, box, sphere, distance, boundary or name, and by what these have in common.

sole = gw.mesh.Plane((0, 0, 0), (0, 0, 1), within=1e-3) & gw.mesh.Boundary()
mesh = mesh.with_region("sole", sole)

A place chooses nodes by where they are, and cells by where their middles are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.mesh.kinds import Array

if TYPE_CHECKING:
    from gaitwright.mesh.mesh import Mesh

NEAR = 1e-6
"""Of the size of a mesh: how far from a plane, box or sphere a node may be and still lie on it, unless told."""


@dataclass(frozen=True, eq=False)
class Region:
    """A named part of a mesh: numbers of its nodes and of its cells, ascending. Either may be none: a face has no cells."""

    nodes: Array
    cells: Array

    def __post_init__(self) -> None:
        for name in ("nodes", "cells"):
            value = np.unique(np.asarray(getattr(self, name), dtype=np.int64))
            value.flags.writeable = False
            object.__setattr__(self, name, value)


class Where:
    """A place. `a & b` is where both are, `a | b` where one is, `a - b` where b is not, `~a` everything else."""

    def nodes(self, mesh: Mesh) -> Array:
        """Which nodes: (n,), true or false."""
        return self.holds(mesh.nodes, mesh.size)

    def cells(self, mesh: Mesh) -> Array:
        """Which cells: (m,), true or false."""
        return self.holds(mesh.centroids, mesh.size)

    def holds(self, points: Array, size: float) -> Array:
        """Which points (n, d), m, of something of that size, m."""
        raise NotImplementedError

    def missed(self, mesh: Mesh) -> str:
        """How far a mesh is from it, none of whose nodes it holds; as an end of a sentence, where that helps."""
        return ""

    def __and__(self, other: Where) -> Where:
        return Both(self, other)

    def __or__(self, other: Where) -> Where:
        return Either(self, other)

    def __invert__(self) -> Where:
        return Not(self)

    def __sub__(self, other: Where) -> Where:
        return Both(self, Not(other))


def _vector(value: Any) -> Array:
    return np.asarray(value, dtype=float)


def said(value: Any) -> str:
    """A point in words, m."""
    return "(" + ", ".join(f"{x:.4g}" for x in np.atleast_1d(_vector(value)) + 0.0) + ")"  # no -0


@dataclass(frozen=True)
class Plane(Where):
    """Nearer than `within`, m, to a plane (in the plane: to a line)."""

    point: Sequence[float]
    normal: Sequence[float]
    within: float | None = None

    def holds(self, points: Array, size: float) -> Array:
        within = NEAR * size if self.within is None else self.within
        return np.abs(_height(self, points)) <= within

    def missed(self, mesh: Mesh) -> str:
        return f"; its nearest node is {np.abs(_height(self, mesh.nodes)).min():.4g} m off (within: how far it may be)"

    def __str__(self) -> str:
        near = "" if self.within is None else f"within {self.within:.4g} m of "
        return f"{near}the plane through {said(self.point)} m with normal {said(self.normal)}"


@dataclass(frozen=True)
class Above(Where):
    """On the side of a plane to which its normal points, and on the plane."""

    point: Sequence[float]
    normal: Sequence[float]

    def holds(self, points: Array, size: float) -> Array:
        return _height(self, points) >= -NEAR * size

    def __str__(self) -> str:
        return f"the side {said(self.normal)} of the plane through {said(self.point)} m"


def _height(plane: Plane | Above, points: Array) -> Array:
    normal = _vector(plane.normal)
    return (points - _vector(plane.point)) @ (normal / np.linalg.norm(normal))


@dataclass(frozen=True)
class Box(Where):
    """Between two corners, m; its sides are in it."""

    low: Sequence[float]
    high: Sequence[float]

    def holds(self, points: Array, size: float) -> Array:
        near = NEAR * size
        inside = np.logical_and(points >= _vector(self.low) - near, points <= _vector(self.high) + near)
        return np.all(inside, axis=1)

    def __str__(self) -> str:
        return f"the box from {said(self.low)} to {said(self.high)} m"


@dataclass(frozen=True)
class Sphere(Where):
    """No farther than the radius, m, from the centre."""

    centre: Sequence[float]
    radius: float

    def holds(self, points: Array, size: float) -> Array:
        away = np.linalg.norm(points - _vector(self.centre), axis=1)
        return np.less_equal(away, self.radius + NEAR * size)

    def __str__(self) -> str:
        return f"the sphere about {said(self.centre)} m with radius {self.radius:.4g} m"


@dataclass(frozen=True, eq=False)
class Near(Where):
    """No farther than the distance, m, from points (n, d), or from the surface of another mesh; what lies inside
    that is near, too, if it is closed (`inside=False`: only what lies at its surface). called: what the other is, for
    messages."""

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

        away = KDTree(np.atleast_2d(_vector(self.other))).query(points)[0]
        return np.less_equal(away, self.distance)

    def __str__(self) -> str:
        return f"within {self.distance:.4g} m of {self.called}"


@dataclass(frozen=True)
class Boundary(Where):
    """The boundary of the mesh: its nodes there, and the cells that have a side there."""

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
class Named(Where):
    """A region that the mesh has already."""

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
class Both(Where):
    first: Where
    second: Where

    def nodes(self, mesh: Mesh) -> Array:
        return self.first.nodes(mesh) & self.second.nodes(mesh)

    def cells(self, mesh: Mesh) -> Array:
        return self.first.cells(mesh) & self.second.cells(mesh)

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"


@dataclass(frozen=True)
class Either(Where):
    first: Where
    second: Where

    def nodes(self, mesh: Mesh) -> Array:
        return self.first.nodes(mesh) | self.second.nodes(mesh)

    def cells(self, mesh: Mesh) -> Array:
        return self.first.cells(mesh) | self.second.cells(mesh)

    def __str__(self) -> str:
        return f"{self.first} or {self.second}"


@dataclass(frozen=True)
class Not(Where):
    other: Where

    def nodes(self, mesh: Mesh) -> Array:
        return ~self.other.nodes(mesh)

    def cells(self, mesh: Mesh) -> Array:
        return ~self.other.cells(mesh)

    def __str__(self) -> str:
        return f"what is not {self.other}"
