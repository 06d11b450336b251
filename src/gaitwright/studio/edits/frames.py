"""Frame of a bar between two points of the plane: origin in its middle, x towards its end."""

from __future__ import annotations

import math

PlanePoint = tuple[float, ...]
"""x and y, m."""


def to_local(at: PlanePoint, start: PlanePoint, end: PlanePoint) -> tuple[float, float]:
    """Transform a point from the ground frame to the frame of the bar."""
    cos, sin = _unit_direction(start, end)
    dx, dy = at[0] - (start[0] + end[0]) / 2, at[1] - (start[1] + end[1]) / 2
    return cos * dx + sin * dy, cos * dy - sin * dx


def to_ground(local: PlanePoint, start: PlanePoint, end: PlanePoint) -> tuple[float, float]:
    """Transform a point from the frame of the bar to the ground frame."""
    cos, sin = _unit_direction(start, end)
    x, y = local
    return (start[0] + end[0]) / 2 + cos * x - sin * y, (start[1] + end[1]) / 2 + sin * x + cos * y


def reflect(at: PlanePoint, through: PlanePoint, direction: float) -> tuple[float, float]:
    """Reflect a point at a line through a point with a direction, rad."""
    cos, sin = math.cos(2 * direction), math.sin(2 * direction)
    dx, dy = at[0] - through[0], at[1] - through[1]
    return through[0] + cos * dx + sin * dy, through[1] + sin * dx - cos * dy


def _unit_direction(start: PlanePoint, end: PlanePoint) -> tuple[float, float]:
    length = math.dist(start, end)
    return (1.0, 0.0) if length == 0.0 else ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
