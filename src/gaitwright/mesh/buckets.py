"""The cell of a mesh that a place lies in, by buckets of a grid, and a distance in it, compiled. See approximate.py."""

from __future__ import annotations

import math

from gaitwright.compiled import compiled

HEAD = 10
"""Numbers before the buckets in a table: cells, entries of the buckets, sqrt(c_L), buckets along the axes, begin of the grid
and size of a bucket."""
HAIR = 1e-10
"""By how much a cell is larger than it is, in weights of its corners: nothing falls between two cells."""
LEAST = 1e-300


@compiled
def bucket_along(u, count):
    """Compared before it becomes an integer: NaN would become any index."""
    if u >= count:
        return count - 1
    return int(u) if u > 0.0 else 0


@compiled
def find_cell(numbers, start, d, place):
    """The cell that a place lies in, and where its linear functions begin in the table, which begins at `start`; -1 if it
    lies in none."""
    bucket, buckets = 0, 1
    for axis in range(d):
        count = int(numbers[start + 3 + axis])
        buckets *= count
        bucket = bucket * count + bucket_along((place[axis] - numbers[start + 6 + axis]) / numbers[start + 9], count)
    begins = start + HEAD
    listed = begins + buckets + 1
    first = listed + int(numbers[start + 1])
    own = (d + 2) * (d + 1)
    for k in range(int(numbers[begins + bucket]), int(numbers[begins + bucket + 1])):
        cell = int(numbers[listed + k])
        at = first + own * cell
        least = math.inf
        for corner in range(d + 1):
            weight = numbers[at + (d + 1) * corner]
            for axis in range(d):
                weight += numbers[at + (d + 1) * corner + 1 + axis] * place[axis]
            least = min(least, weight)
        if least >= -HAIR:
            return cell, at
    return -1, -1


@compiled
def distance_in(numbers, start, d, at, place, gradient):
    """Distance, m, negative, and its gradient, in the cell whose functions begin at `at`."""
    length, level = numbers[start + 2], at + (d + 1) * (d + 1)
    phi = numbers[level]
    for axis in range(d):
        phi += numbers[level + 1 + axis] * place[axis]
    phi = max(phi, LEAST)
    for axis in range(d):
        gradient[axis] = length * numbers[level + 1 + axis] / phi
    return min(length * math.log(phi), 0.0)
