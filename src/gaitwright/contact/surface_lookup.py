"""Lookup functions of surfaces by the place of the touching point: cell of a terrain, nearest feature of a mesh.

A surface table (mechanism/blocks.LookupTable) is one array of numbers, and the name of the function in this module that
reads it. The function fills the last parameters of the shape, for one place. It is called through an address, so that only
the functions that a model needs are compiled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.jit import compile_cfunc, jit_compile
from gaitwright.jit.numba_names import carray, types
from gaitwright.mesh.bucket_grid import DECAY_LENGTH, evaluate_cell_distance, find_bucket, find_cell
from gaitwright.mesh.nearest_triangle import (
    FACE_INTERIOR,
    FIRST_EDGE,
    MAX_WAITING_BOXES,
    evaluate_signed_distance,
    search_nearest,
)

REALS_POINTER = types.CPointer(types.float64)
LOOKUP_SIGNATURE = types.void(REALS_POINTER, REALS_POINTER, REALS_POINTER)
"""Arguments: table, place, parameters to fill."""
LINE_HEADER_SIZE = 6
"""Number of header entries before the tree of a line with two ends."""
MIN_SMOOTH_COSINE = 1.0 - 1e-12
"""Cosine of the angle between the normals of a face and of its edge or vertex, above which the surface is smooth there."""


def _look_up_heights(table, place, patch):
    """The cell of a terrain at (x, y): its corner and its coefficients. Beyond the grid, the nearest cell."""
    nx, ny = int(table[0]), int(table[1])
    i, j = find_bucket((place[0] - table[2]) / table[4], nx), find_bucket((place[1] - table[3]) / table[5], ny)
    patch[0], patch[1] = table[2] + i * table[4], table[3] + j * table[5]
    first = 6 + 16 * (ny * i + j)
    for k in range(16):
        patch[2 + k] = table[first + k]


@jit_compile
def find_nearest_feature(table, d, place, patch):
    """Nearest feature of a surface to a place: fills the parameters of MeshShape after the radius; returns the triangle (-1 for
    none) and its feature. table: numbers of triangles and of boxes, then boxes, corners and normals of the tree
    (mesh/distance.py); in the plane, d = 2, of walls on its edges."""
    count, boxes = int(table[0]), int(table[1])
    tree = table[2 : 2 + 6 * boxes].reshape((boxes, 6))
    corners = table[2 + 6 * boxes : 2 + 6 * boxes + 9 * count].reshape((count, 3, 3))
    normals = table[2 + 6 * boxes + 9 * count : 2 + 6 * boxes + 30 * count].reshape((count, 7, 3))
    p, trial, foot, direction = np.zeros(3), np.empty(3), np.empty(3), np.zeros(3)
    for k in range(d):
        p[k] = patch[k] = place[k]
    best, triangle, feature = search_nearest(
        p, -1, math.inf, tree, corners, trial, foot, np.empty(MAX_WAITING_BOXES, np.int64), np.empty(MAX_WAITING_BOXES)
    )
    for k in range(2 * d):
        patch[d + k] = 0.0
    patch[3 * d], patch[3 * d + 1] = math.inf, 0.0
    if triangle < 0:  # the place is not finite
        patch[2 * d - 1] = 1.0
        return triangle, feature
    size, is_on_surface = evaluate_signed_distance(
        p, corners[triangle], normals[triangle, feature], math.sqrt(best), foot, direction
    )
    normal_cosine = 0.0
    for k in range(3):
        normal_cosine += normals[triangle, feature, k] * normals[triangle, FACE_INTERIOR, k]
    if normal_cosine > MIN_SMOOTH_COSINE or is_on_surface:  # the normal is more accurate than a small difference
        height = 0.0
        for k in range(3):
            direction[k] = normals[triangle, feature, k]
            height += direction[k] * (p[k] - corners[triangle, 0, k])
        patch[3 * d] = height if normal_cosine > MIN_SMOOTH_COSINE else size
    else:
        patch[3 * d], patch[3 * d + 1] = size, 1.0 / size
        if d == 3 and feature >= FIRST_EDGE:
            k = feature - FIRST_EDGE
            length = 0.0
            for axis in range(3):
                patch[6 + axis] = corners[triangle, (k + 1) % 3, axis] - corners[triangle, k, axis]
                length += patch[6 + axis] ** 2
            for axis in range(3):
                patch[6 + axis] /= math.sqrt(length)
    for k in range(d):
        patch[d + k] = direction[k]
    return triangle, feature


@jit_compile
def tree_array(table):
    """The table of a tree as an array."""
    return carray(table, 2 + 6 * int(table[1]) + 30 * int(table[0]))


def _look_up_faces(table, place, patch):
    find_nearest_feature(tree_array(table), 3, place, patch)


def _look_up_outline(table, place, patch):
    find_nearest_feature(tree_array(table), 2, place, patch)


def _look_up_open_line(table, place, patch):
    """Look up the nearest feature of a line with two ends. Places beyond an end are outside, on either side. table: its length,
    the seam, m, and both ends; then the table of an outline."""
    numbers = carray(table, int(table[0]))
    which, feature = find_nearest_feature(numbers[LINE_HEADER_SIZE:], 2, place, patch)
    if which < 0 or feature < FIRST_EDGE or feature == FACE_INTERIOR:
        return
    k, first = feature - FIRST_EDGE, LINE_HEADER_SIZE + 2 + 6 * int(numbers[LINE_HEADER_SIZE + 1]) + 9 * which
    corner, next_corner = first + 3 * k, first + 3 * ((k + 1) % 3)
    x, y = numbers[corner], numbers[corner + 1]
    if numbers[next_corner] != x or numbers[next_corner + 1] != y:
        return  # an edge inside of a wall
    for end in range(2, LINE_HEADER_SIZE, 2):
        if numbers[end] == x and numbers[end + 1] == y:
            u, v = place[0] - x, place[1] - y
            size = math.sqrt(u * u + v * v)
            if abs(u * patch[3] - v * patch[2]) > numbers[1]:
                patch[2], patch[3], patch[6], patch[7] = u / size, v / size, size, 1.0 / size


@jit_compile
def look_up_approximate_depth(table, d, place, patch):
    """Parameters of ApproximateShape after the radius, for the cell that contains a place; outside, the exact distance and its
    gradient. table: its length, start of the cells (mesh/approximate_distance.py), and then the faces."""
    numbers, start, gradient = carray(table, int(table[0])), int(table[1]), np.zeros(3)
    exact = np.empty(11)
    cell, at = find_cell(numbers, start, d, place)
    if cell >= 0:
        patch[2 * d] = evaluate_cell_distance(numbers, start, d, at, place, gradient)
        patch[2 * d + 1] = 1.0 / numbers[start + DECAY_LENGTH]
    # Outside; and if all corners of a cell lie on the boundary, so that the direction to the inside is unknown.
    if cell < 0 or gradient[0] == gradient[1] == gradient[2] == 0.0:
        find_nearest_feature(numbers[2:], d, place, exact)
        patch[2 * d], patch[2 * d + 1] = exact[3 * d] if cell < 0 else 0.0, 0.0
        for k in range(d):
            gradient[k] = exact[d + k]
    for k in range(d):
        patch[k], patch[d + k] = place[k], gradient[k]


def _look_up_cells(table, place, patch):
    look_up_approximate_depth(table, 3, place, patch)


def _look_up_flat_cells(table, place, patch):
    look_up_approximate_depth(table, 2, place, patch)


LOOKUP_FUNCTIONS: dict[str, Callable[..., None]] = {
    "heights": _look_up_heights, "faces": _look_up_faces, "outline": _look_up_outline, "open line": _look_up_open_line,
    "cells": _look_up_cells, "flat cells": _look_up_flat_cells,
}  # fmt: skip
_COMPILED_LOOKUPS: dict[str, Any] = {}


def lookup_address(name: str) -> int:
    """Address of the function that reads a table."""
    if name not in _COMPILED_LOOKUPS:  # in memory as long as its address may be in use
        _COMPILED_LOOKUPS[name] = compile_cfunc(LOOKUP_FUNCTIONS[name], LOOKUP_SIGNATURE)
    return _COMPILED_LOOKUPS[name].address
