"""The frame of a bar between two points of the plane: its middle, x towards its end."""

from __future__ import annotations

import math

Pair = tuple[float, ...]
"""x and y."""


def to_local(at: Pair, start: Pair, end: Pair) -> tuple[float, float]:
    """A place of the ground in the frame of the bar."""
    cos, sin = _direction(start, end)
    dx, dy = at[0] - (start[0] + end[0]) / 2, at[1] - (start[1] + end[1]) / 2
    return cos * dx + sin * dy, cos * dy - sin * dx


def to_ground(local: Pair, start: Pair, end: Pair) -> tuple[float, float]:
    """A place in the frame of the bar, of the ground."""
    cos, sin = _direction(start, end)
    x, y = local
    return (start[0] + end[0]) / 2 + cos * x - sin * y, (start[1] + end[1]) / 2 + sin * x + cos * y


def reflected(at: Pair, through: Pair, direction: float) -> tuple[float, float]:
    """A place in a mirror, a line through a point with a direction, rad."""
    cos, sin = math.cos(2 * direction), math.sin(2 * direction)
    dx, dy = at[0] - through[0], at[1] - through[1]
    return through[0] + cos * dx + sin * dy, through[1] + sin * dx - cos * dy


def _direction(start: Pair, end: Pair) -> tuple[float, float]:
    length = math.dist(start, end)
    return (1.0, 0.0) if length == 0.0 else ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
