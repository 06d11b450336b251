"""What surfaces look up by the place of what touches: the cell of a terrain, what of a mesh is nearest.

A table of a surface (blocks.Table) is one array of numbers, and the name of the function here that reads it. It fills the
last parameters of the shape, for one place. Called through addresses: what no surface of a model needs is not compiled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.np.numpy_support import carray

from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.mesh.buckets import bucket_along, distance_in, find_cell
from gaitwright.mesh.nearest import DEPTH, EDGES, FACE, search, signed

REALS = types.CPointer(types.float64)
SIGNATURE = types.void(REALS, REALS, REALS)
"""table, place, parameters to be filled"""
ENDS = 6
"""Numbers before the tree of a line with two ends."""
EVEN = 1.0 - 1e-12
"""Cosine of the angle between the normals of a face and of its edge or vertex, above which the surface is even there."""


def _heights(table, place, patch):
    """The cell of a terrain at (x, y): its corner and its coefficients. Beyond the grid, the nearest."""
    nx, ny = int(table[0]), int(table[1])
    i, j = bucket_along((place[0] - table[2]) / table[4], nx), bucket_along((place[1] - table[3]) / table[5], ny)
    patch[0], patch[1] = table[2] + i * table[4], table[3] + j * table[5]
    first = 6 + 16 * (ny * i + j)
    for k in range(16):
        patch[2 + k] = table[first + k]


@compiled
def nearest_feature(table, d, place, patch):
    """What of a surface is nearest to a place: the parameters of MeshShape behind the radius; which triangle, -1 for none, and
    what of it. table: numbers of triangles and of boxes, then boxes, corners and normals of the tree (mesh/distance.py); in the
    plane, d = 2, of walls on its edges."""
    count, boxes = int(table[0]), int(table[1])
    tree = table[2 : 2 + 6 * boxes].reshape((boxes, 6))
    corners = table[2 + 6 * boxes : 2 + 6 * boxes + 9 * count].reshape((count, 3, 3))
    normals = table[2 + 6 * boxes + 9 * count : 2 + 6 * boxes + 30 * count].reshape((count, 7, 3))
    p, trial, found, direction = np.zeros(3), np.empty(3), np.empty(3), np.zeros(3)
    for k in range(d):
        p[k] = patch[k] = place[k]
    best, which, feature = search(
        p, -1, math.inf, tree, corners, trial, found, np.empty(DEPTH, np.int64), np.empty(DEPTH)
    )
    for k in range(2 * d):
        patch[d + k] = 0.0
    patch[3 * d], patch[3 * d + 1] = math.inf, 0.0
    if which < 0:  # the place is not a number
        patch[2 * d - 1] = 1.0
        return which, feature
    size, on_it = signed(p, corners[which], normals[which, feature], math.sqrt(best), found, direction)
    straight = 0.0
    for k in range(3):
        straight += normals[which, feature, k] * normals[which, FACE, k]
    if straight > EVEN or on_it:  # the normal is more exact than a small difference
        height = 0.0
        for k in range(3):
            direction[k] = normals[which, feature, k]
            height += direction[k] * (p[k] - corners[which, 0, k])
        patch[3 * d] = height if straight > EVEN else size
    else:
        patch[3 * d], patch[3 * d + 1] = size, 1.0 / size
        if d == 3 and feature >= EDGES:
            k = feature - EDGES
            length = 0.0
            for axis in range(3):
                patch[6 + axis] = corners[which, (k + 1) % 3, axis] - corners[which, k, axis]
                length += patch[6 + axis] ** 2
            for axis in range(3):
                patch[6 + axis] /= math.sqrt(length)
    for k in range(d):
        patch[d + k] = direction[k]
    return which, feature


@compiled
def whole(table):
    """The table of a tree as an array."""
    return carray(table, 2 + 6 * int(table[1]) + 30 * int(table[0]))


def _faces(table, place, patch):
    nearest_feature(whole(table), 3, place, patch)


def _outline(table, place, patch):
    nearest_feature(whole(table), 2, place, patch)


def _open_line(table, place, patch):
    """As of an outline, of a line with two ends. What is beyond an end is outside, on whichever side. table: how long it is,
    the seam, m, and both ends; then as of an outline."""
    numbers = carray(table, int(table[0]))
    which, feature = nearest_feature(numbers[ENDS:], 2, place, patch)
    if which < 0 or feature < EDGES or feature == FACE:
        return
    k, first = feature - EDGES, ENDS + 2 + 6 * int(numbers[ENDS + 1]) + 9 * which
    one, two = first + 3 * k, first + 3 * ((k + 1) % 3)
    x, y = numbers[one], numbers[one + 1]
    if numbers[two] != x or numbers[two + 1] != y:
        return  # an edge inside of a wall
    for end in range(2, ENDS, 2):
        if numbers[end] == x and numbers[end + 1] == y:
            u, v = place[0] - x, place[1] - y
            size = math.sqrt(u * u + v * v)
            if abs(u * patch[3] - v * patch[2]) > numbers[1]:
                patch[2], patch[3], patch[6], patch[7] = u / size, v / size, size, 1.0 / size


@compiled
def approximate_depth(table, d, place, patch):
    """The parameters of ApproximateShape behind the radius, by the cell that a place lies in; outside the distance, and its
    gradient, exactly. table: how long it is, where that of the cells begins (mesh/approximate.py), and that of the faces."""
    numbers, start, gradient = carray(table, int(table[0])), int(table[1]), np.zeros(3)
    exact = np.empty(11)
    cell, at = find_cell(numbers, start, d, place)
    if cell >= 0:
        patch[2 * d], patch[2 * d + 1] = distance_in(numbers, start, d, at, place, gradient), 1.0 / numbers[start + 2]
    # Outside; and where all corners of a cell lie on the boundary, so that nothing tells where the inside is.
    if cell < 0 or gradient[0] == gradient[1] == gradient[2] == 0.0:
        nearest_feature(numbers[2:], d, place, exact)
        patch[2 * d], patch[2 * d + 1] = exact[3 * d] if cell < 0 else 0.0, 0.0
        for k in range(d):
            gradient[k] = exact[d + k]
    for k in range(d):
        patch[k], patch[d + k] = place[k], gradient[k]


def _cells(table, place, patch):
    approximate_depth(table, 3, place, patch)


def _flat_cells(table, place, patch):
    approximate_depth(table, 2, place, patch)


LOOK_UPS: dict[str, Callable[..., None]] = {
    "heights": _heights, "faces": _faces, "outline": _outline, "open line": _open_line,
    "cells": _cells, "flat cells": _flat_cells,
}  # fmt: skip
_kept: dict[str, Any] = {}


def look_up_address(name: str) -> int:
    """Of the function that reads a table."""
    if name not in _kept:  # in memory as long as its address may be in use
        _kept[name] = compiled_pointer(LOOK_UPS[name], SIGNATURE)
    return _kept[name].address
