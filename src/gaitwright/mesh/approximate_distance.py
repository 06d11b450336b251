"""Approximate distance inside a mesh by the screened Poisson equation, as in paper 004 (Eq 4.18 and 4.19).

    c_L phi_xx - phi = 0 inside, phi = 1 on the boundary        d = sqrt(c_L) log(phi), negative inside

The printed Eq 4.19 lacks the root: far from corners phi = exp(d / sqrt(c_L)). phi is linear in each cell, with a lumped mass
matrix; the consistent one makes phi negative in cells larger than sqrt(c_L). The cell of a point is found by sorting cells
into the buckets of a grid. The exact distance (distance.py) is better and about as fast: this one serves for comparison
with the thesis.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.jit import jit_compile
from gaitwright.mesh.bucket_grid import BARYCENTRIC_TOL, MIN_PHI, TABLE_HEADER_SIZE, evaluate_cell_distance, find_cell
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.mesh import Mesh

SCREENING_LENGTH_IN_EDGES = 0.75
"""Default of sqrt(c_L), in mean edge lengths: the distance is most accurate from 0.5 to 1."""


class ApproximateDistances(NamedTuple):
    """Result for each point: distance (p,), m, negative inside and infinite outside; its cell (p,), -1 outside; the
    gradient of the distance (p, d), which is not a unit vector."""

    distance: Array
    cell: Array
    gradient: Array


class ApproximateDistance:
    """Approximate distance inside a mesh with cells. length: sqrt(c_L), m; default: 0.75 mean edge lengths.

    near = gw.mesh.ApproximateDistance(mesh).query(points)
    """

    length: float
    phi: Array
    numbers: Array
    dimension: int

    def __init__(self, mesh: Mesh, length: float | None = None):
        at = ErrorContext("approximate distance")
        if mesh.is_surface:
            at.fail("needs a mesh with cells inside", expected="a filled one: gw.mesh.fill(surface, size)")
        linear = mesh.linear()
        self.length = (
            SCREENING_LENGTH_IN_EDGES * float(linear.edge_lengths.mean())
            if length is None
            else at["length"].positive(length, "m")
        )
        self.phi = solve_screened_poisson(linear, self.length)
        self.numbers = build_lookup_table(linear, self.phi, self.length)
        self.dimension = mesh.dimension

    def query(self, points: Any) -> ApproximateDistances:
        """Distances for points (p, d), m. Raises ModelError for another shape."""
        points = np.array(points, dtype=float)
        if points.ndim != 2 or points.shape[1] != self.dimension:
            ErrorContext("approximate distance", "points").fail(
                f"has the shape {points.shape}", expected=f"(p, {self.dimension}), m"
            )
        count = len(points)
        distances = ApproximateDistances(np.full(count, math.inf), np.empty(count, np.int64), np.zeros(points.shape))
        _query_points(self.numbers, points, *distances)
        return distances


def solve_screened_poisson(mesh: Mesh, length: float) -> Array:
    """Return phi at the nodes of a mesh of straight cells; length: sqrt(c_L), m."""
    from scipy.sparse import coo_array
    from scipy.sparse.linalg import splu

    count, (slopes, volumes) = len(mesh.nodes), _weight_gradients(mesh)
    stiffness = np.einsum("mia,mja,m->mij", slopes, slopes, length**2 * volumes)
    k = mesh.cells.shape[1]
    rows, columns = np.repeat(mesh.cells, k, axis=1).ravel(), np.tile(mesh.cells, (1, k)).ravel()
    matrix = coo_array((stiffness.ravel(), (rows, columns)), shape=(count, count)).tocsc()
    lumped = np.bincount(mesh.cells.ravel(), np.repeat(volumes / k, k), minlength=count)
    free = np.ones(count, dtype=bool)
    free[mesh.surface_nodes] = False
    phi = np.ones(count)
    if free.any():
        inside = matrix[free]
        inner = inside[:, free].tolil()
        inner.setdiag(inner.diagonal() + lumped[free])
        phi[free] = splu(inner.tocsc()).solve(-np.asarray(inside[:, ~free].sum(axis=1)).ravel())
    # With obtuse cells it can become negative deep inside, close to zero.
    return np.clip(phi, MIN_PHI, 1.0)


def _weight_gradients(mesh: Mesh) -> tuple[Array, Array]:
    """Gradients of the barycentric coordinates (m, d + 1, d), 1/m, and volumes of cells (m,)."""
    d, corners = mesh.dimension, mesh.nodes[mesh.cells]
    sides = corners[:, 1:] - corners[:, :1]
    last = np.linalg.inv(sides).transpose(0, 2, 1)
    return np.concatenate([-last.sum(axis=1, keepdims=True), last], axis=1), np.abs(
        np.linalg.det(sides)
    ) / math.factorial(d)


# Buckets ------------------------------------------------------------------------------------------------------------


def build_lookup_table(mesh: Mesh, phi: Array, length: float) -> Array:
    """Look-up table as one array: TABLE_HEADER_SIZE numbers, start index of each bucket, cells of the buckets, and for
    each cell its barycentric coordinates as linear functions of the position (constant, then slopes), then phi in the same
    form."""
    d, cells = mesh.dimension, mesh.nodes[mesh.cells]
    low, high = mesh.bounds
    size = max(float(np.max(high - low)) / 200, float(np.prod(high - low) / len(cells)) ** (1 / d))
    counts = np.maximum(1, np.ceil((high - low) / size)).astype(int)
    first = np.clip(np.floor((cells.min(axis=1) - low) / size - BARYCENTRIC_TOL), 0, counts - 1).astype(int)
    last = np.clip(np.floor((cells.max(axis=1) - low) / size + BARYCENTRIC_TOL), 0, counts - 1).astype(int)
    cell, bucket = _pair_cells_with_buckets(first, last, counts)
    order = np.argsort(bucket, kind="stable")
    begins = np.concatenate([[0], np.cumsum(np.bincount(bucket, minlength=int(np.prod(counts))))])
    slopes, _ = _weight_gradients(mesh)
    constants = -np.einsum("mia,ma->mi", slopes, cells[:, 0])
    constants[:, 0] += 1.0
    weights = np.concatenate([constants[:, :, None], slopes], axis=2)
    own = np.concatenate([weights, np.einsum("mi,mia->ma", phi[mesh.cells], weights)[:, None]], axis=1)
    head = np.zeros(TABLE_HEADER_SIZE)
    head[:3] = len(cells), len(order), length
    head[3 : 3 + d], head[6 : 6 + d], head[9] = counts, low, size
    return np.concatenate([head, begins, cell[order], own.ravel()])


def _pair_cells_with_buckets(first: Array, last: Array, counts: Array) -> tuple[Array, Array]:
    """Pairs of a cell and a bucket that overlaps the bounding box of the cell."""
    spans = last - first + 1
    bucket_count = np.prod(spans, axis=1)
    cell = np.repeat(np.arange(len(first)), bucket_count)
    rest = np.arange(len(cell)) - np.repeat(np.cumsum(bucket_count) - bucket_count, bucket_count)
    bucket = np.zeros(len(cell), dtype=int)
    for axis in range(first.shape[1]):
        bucket = bucket * counts[axis] + first[cell, axis] + rest % spans[cell, axis]
        rest //= spans[cell, axis]
    return cell, bucket


@jit_compile
def _query_points(numbers, points, distance, cells, gradient):
    for i in range(len(points)):
        cells[i], at = find_cell(numbers, 0, points.shape[1], points[i])
        if at >= 0:
            distance[i] = evaluate_cell_distance(numbers, 0, points.shape[1], at, points[i], gradient[i])
