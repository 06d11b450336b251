"""Compiled search for the cell that contains a point, by buckets of a grid, and distance in that cell. See
approximate_distance.py."""

from __future__ import annotations

import math

from gaitwright.jit import jit_compile

CELL_COUNT, ENTRY_COUNT, DECAY_LENGTH, AXIS_COUNTS, GRID_ORIGIN, BUCKET_SIZE, TABLE_HEADER_SIZE = 0, 1, 2, 3, 6, 9, 10
"""Header of a table: number of cells, number of bucket entries, sqrt(c_L), buckets along the axes (3), origin of the grid (3)
and bucket size; its length. Then follow the starts of the buckets, their cells, and the linear functions of the cells."""
BARYCENTRIC_TOL = 1e-10
"""Tolerance on barycentric coordinates, so that no point falls between two cells."""
MIN_PHI = 1e-300
"""Lower bound of phi in its logarithm."""


@jit_compile
def find_bucket(u, count):
    """Bucket index of a coordinate u, in bucket sizes, clamped to 0 ... count - 1. The comparison precedes the conversion
    to an integer, because NaN would become an arbitrary index."""
    if u >= count:
        return count - 1
    return int(u) if u > 0.0 else 0


@jit_compile
def find_cell(numbers, start, d, place):
    """Index of the cell that contains a point, and start of its linear functions in the table, which starts at `start`;
    -1, -1 if no cell contains the point."""
    bucket, buckets = 0, 1
    for axis in range(d):
        count = int(numbers[start + AXIS_COUNTS + axis])
        buckets *= count
        u = (place[axis] - numbers[start + GRID_ORIGIN + axis]) / numbers[start + BUCKET_SIZE]
        bucket = bucket * count + find_bucket(u, count)
    begins = start + TABLE_HEADER_SIZE
    listed = begins + buckets + 1
    first = listed + int(numbers[start + ENTRY_COUNT])
    own = (d + 2) * (d + 1)
    for k in range(int(numbers[begins + bucket]), int(numbers[begins + bucket + 1])):
        cell = int(numbers[listed + k])
        at = first + own * cell
        smallest = math.inf
        for corner in range(d + 1):
            weight = numbers[at + (d + 1) * corner]
            for axis in range(d):
                weight += numbers[at + (d + 1) * corner + 1 + axis] * place[axis]
            smallest = min(smallest, weight)
        if smallest >= -BARYCENTRIC_TOL:
            return cell, at
    return -1, -1


@jit_compile
def evaluate_cell_distance(numbers, start, d, at, place, gradient):
    """Distance, m, at most zero, and its gradient, from the linear functions of a cell that start at `at`."""
    length, level = numbers[start + DECAY_LENGTH], at + (d + 1) * (d + 1)
    phi = numbers[level]
    for axis in range(d):
        phi += numbers[level + 1 + axis] * place[axis]
    phi = max(phi, MIN_PHI)
    for axis in range(d):
        gradient[axis] = length * numbers[level + 1 + axis] / phi
    return min(length * math.log(phi), 0.0)
