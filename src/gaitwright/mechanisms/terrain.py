"""Ground for a machine that walks, as points of a polyline from left to right: bumps, a step, stairs, rough ground, or a table.

All begin level at y = 0 around the start, so that the machine is set down on flat ground, and end level.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.input_files import MAX_TABLE_BYTES, read_text
from gaitwright.model.units import plain_number

Points = list[list[float]]
START, END = 0.6, 4.0
"""m: how far the ground is level around x = 0, and how far it is uneven, to both sides."""
FAR = 50.0
"""m: how far the level ends go."""
PER_WAVE = 8
"""Points of a wave: every piece of ground is a contact of every foot."""
TERRAIN = At("walking machine", "terrain")
KINDS = "bumps:HEIGHT:LENGTH, step:HEIGHT[:AT], stairs:HEIGHT:LENGTH, rough:HEIGHT:LENGTH[:SEED], or a table of x and y"


def bumps(height: float, length: float) -> Points:
    """Waves: y = height (1 - cos(2 pi x/length))/2, m."""
    _sizes(height, length)
    x = np.arange(START, END, length / PER_WAVE)
    y = 0.5 * height * (1.0 - np.cos(2.0 * np.pi * (x - START) / length))
    return _both_ways(x, y)


def step(height: float, at: float = START) -> Points:
    """One step, up or down, m, at x = at and at x = -at; 1 mm wide, as a polyline cannot stand upright."""
    _sizes(abs(height), at)
    return _both_ways(np.array([at, at + 1e-3]), np.array([0.0, height]))


def stairs(height: float, length: float) -> Points:
    """Steps up, each as high and as long, m, to both sides."""
    _sizes(height, length)
    edges = np.arange(START, END, length)
    x = np.stack([edges, edges + 1e-3], axis=1).ravel()
    return _both_ways(x, np.repeat(height * np.arange(len(edges) + 1), 2)[1:-1])


def rough(height: float, length: float, seed: int = 0) -> Points:
    """Random heights from 0 to height, m, every length, m. The same seed gives the same ground."""
    _sizes(height, length)
    x = np.arange(START + length, END, length)
    rng = np.random.default_rng(int(seed))
    left, right = (rng.uniform(0.0, height, x.size) for _ in "lr")
    x, left, right = np.r_[START, x], np.r_[0.0, left], np.r_[0.0, right]
    return _joined(-x[::-1], left[::-1], x, right)


def read_terrain(given: Any) -> Points | None:
    """Points as they were given; or a kind and its sizes, as `bumps:20 mm:0.5`; or the name of a table with x and y, m."""
    if given is None:
        return None
    if isinstance(given, (str, Path)):
        kind, *sizes = str(given).split(":")
        made = {"bumps": bumps, "step": step, "stairs": stairs, "rough": rough}.get(kind.strip())
        if made is None:
            return _ordered(_table(Path(given)))
        try:
            return made(*(plain_number(size) for size in sizes))
        except (ValueError, TypeError):
            TERRAIN.fail("is not understood", given, KINDS)
    points = TERRAIN.numbers(given, "points [[x, y], ...] from left to right, m")
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2 or not np.isfinite(points).all():
        TERRAIN.fail("is no list of points", np.shape(given), "at least two points [x, y], m")
    return _ordered(points)


def height_at(points: Sequence[Sequence[float]], x: float) -> float:
    """Of the ground, m."""
    table = np.asarray(points, dtype=float)
    return float(np.interp(x, table[:, 0], table[:, 1]))


def _ordered(points: np.ndarray) -> Points:
    if (np.diff(points[:, 0]) <= 0.0).any():
        k = int(np.flatnonzero(np.diff(points[:, 0]) <= 0.0)[0]) + 1
        TERRAIN.fail(
            "goes back at a point", points[k].tolist(), "points from left to right, each farther than the one before"
        )
    ends = [[points[0, 0] - FAR, points[0, 1]]], [[points[-1, 0] + FAR, points[-1, 1]]]
    return [[float(x), float(y)] for x, y in np.concatenate([ends[0], points, ends[1]])]


def _table(path: Path) -> np.ndarray:
    """Two columns with or without a header, separated by commas, semicolons or blanks."""
    try:
        text = read_text(path, largest=MAX_TABLE_BYTES).content
    except ModelError:
        raise ModelError(
            f"the terrain '{path}' is no kind of ground and no table that can be read", expected=KINDS
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


def _sizes(*sizes: float) -> None:
    for size in sizes:
        TERRAIN.positive(size, "m")


def _both_ways(x: np.ndarray, y: np.ndarray) -> Points:
    return _joined(-x[::-1], y[::-1], x, y)


def _joined(*parts: np.ndarray) -> Points:
    return _ordered(np.column_stack([np.concatenate(parts[::2]), np.concatenate(parts[1::2])]))
