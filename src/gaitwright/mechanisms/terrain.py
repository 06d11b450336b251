"""Terrain for a walking machine, as points of a polyline from left to right: bumps, a step, stairs, rough ground, or a table.

The generated kinds are level at y = 0 around the start, so that the machine starts on flat ground, and have level ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import MAX_TABLE_BYTES, read_text
from gaitwright.model.units import parse_number_with_unit

TerrainPoints = list[list[float]]
LEVEL_HALF_WIDTH_M, UNEVEN_HALF_WIDTH_M = 0.6, 4.0
"""Half widths, m, of the level ground around x = 0, and of the uneven ground."""
LEVEL_END_LENGTH_M = 50.0
"""Length of the level ends, m."""
POINTS_PER_WAVE = 8
"""Points per wave; few, because every polyline segment is a contact of every foot."""
TERRAIN_CONTEXT = ErrorContext("walking machine", "terrain")
TERRAIN_FORMATS = (
    "bumps:HEIGHT:LENGTH, step:HEIGHT[:AT], stairs:HEIGHT:LENGTH, rough:HEIGHT:LENGTH[:SEED], or a table of x and y"
)


def bumps(height: float, length: float) -> TerrainPoints:
    """Waves: y = height (1 - cos(2 pi x/length))/2, m."""
    _check_sizes(height, length)
    x = np.arange(LEVEL_HALF_WIDTH_M, UNEVEN_HALF_WIDTH_M, length / POINTS_PER_WAVE)
    y = 0.5 * height * (1.0 - np.cos(2.0 * np.pi * (x - LEVEL_HALF_WIDTH_M) / length))
    return _mirror_profile(x, y)


def single_step(height: float, at: float = LEVEL_HALF_WIDTH_M) -> TerrainPoints:
    """Single step, up or down, m, at x = at and at x = -at; 1 mm wide, as a polyline cannot be vertical."""
    _check_sizes(abs(height), at)
    return _mirror_profile(np.array([at, at + 1e-3]), np.array([0.0, height]))


def stairs(height: float, length: float) -> TerrainPoints:
    """Stairs upward to both sides, with steps of the same height and length, m."""
    _check_sizes(height, length)
    edges = np.arange(LEVEL_HALF_WIDTH_M, UNEVEN_HALF_WIDTH_M, length)
    x = np.stack([edges, edges + 1e-3], axis=1).ravel()
    return _mirror_profile(x, np.repeat(height * np.arange(len(edges) + 1), 2)[1:-1])


def rough_ground(height: float, length: float, seed: int = 0) -> TerrainPoints:
    """Random heights from 0 to height, m, every length, m. The same seed gives the same ground."""
    _check_sizes(height, length)
    x = np.arange(LEVEL_HALF_WIDTH_M + length, UNEVEN_HALF_WIDTH_M, length)
    rng = np.random.default_rng(int(seed))
    left, right = (rng.uniform(0.0, height, x.size) for _ in "lr")
    x, left, right = np.r_[LEVEL_HALF_WIDTH_M, x], np.r_[0.0, left], np.r_[0.0, right]
    return _join_points(-x[::-1], left[::-1], x, right)


def read_terrain(terrain: Any) -> TerrainPoints | None:
    """Read terrain points: given as points; or as a kind with sizes, such as `bumps:20 mm:0.5`; or as the name of a
    table with x and y, m."""
    if terrain is None:
        return None
    if isinstance(terrain, (str, Path)):
        kind, *sizes = str(terrain).split(":")
        make_points = {"bumps": bumps, "step": single_step, "stairs": stairs, "rough": rough_ground}.get(kind.strip())
        if make_points is None:
            return _close_polyline(_read_table(Path(terrain)))
        try:
            return make_points(*(parse_number_with_unit(size) for size in sizes))
        except (ValueError, TypeError):
            TERRAIN_CONTEXT.fail("is not understood", terrain, TERRAIN_FORMATS)
    points = TERRAIN_CONTEXT.numbers(terrain, "points [[x, y], ...] from left to right, m")
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2 or not np.isfinite(points).all():
        TERRAIN_CONTEXT.fail("is no list of points", np.shape(terrain), "at least two points [x, y], m")
    return _close_polyline(points)


def terrain_height(points: Sequence[Sequence[float]], x: float) -> float:
    """Height of the ground at x, m."""
    table = np.asarray(points, dtype=float)
    return float(np.interp(x, table[:, 0], table[:, 1]))


def _close_polyline(points: np.ndarray) -> TerrainPoints:
    if (np.diff(points[:, 0]) <= 0.0).any():
        k = int(np.flatnonzero(np.diff(points[:, 0]) <= 0.0)[0]) + 1
        TERRAIN_CONTEXT.fail(
            "goes back at a point", points[k].tolist(), "points from left to right, each farther than the one before"
        )
    ends = [[points[0, 0] - LEVEL_END_LENGTH_M, points[0, 1]]], [[points[-1, 0] + LEVEL_END_LENGTH_M, points[-1, 1]]]
    return [[float(x), float(y)] for x, y in np.concatenate([ends[0], points, ends[1]])]


def _read_table(path: Path) -> np.ndarray:
    """Two columns with or without a header, separated by commas, semicolons or blanks."""
    try:
        text = read_text(path, largest=MAX_TABLE_BYTES).content
    except ModelError:
        raise ModelError(
            f"the terrain '{path}' is no kind of ground and no table that can be read", expected=TERRAIN_FORMATS
        ) from None
    rows = [line.replace(";", " ").replace(",", " ").split() for line in text.splitlines() if line.strip()]
    try:
        return np.array([[float(a), float(b)] for a, b in rows], dtype=float)
    except ValueError:
        try:
            return np.array([[float(a), float(b)] for a, b in rows[1:]], dtype=float)
        except ValueError:
            raise ModelError(
                f"the terrain '{path}' is no table of x and y", expected="two numbers in every line, m"
            ) from None


def _check_sizes(*sizes: float) -> None:
    for size in sizes:
        TERRAIN_CONTEXT.positive(size, "m")


def _mirror_profile(x: np.ndarray, y: np.ndarray) -> TerrainPoints:
    return _join_points(-x[::-1], y[::-1], x, y)


def _join_points(*parts: np.ndarray) -> TerrainPoints:
    return _close_polyline(np.column_stack([np.concatenate(parts[::2]), np.concatenate(parts[1::2])]))
