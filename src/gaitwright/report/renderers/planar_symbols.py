"""Symbols of connecting elements in a picture: springs, rods, actuators, rails, gears, torsion springs.

`pen`: see planar_renderer.py; holds the axes, the size of the mechanism and the width of a bar."""

from __future__ import annotations

from typing import Any

import numpy as np


def paint_spring(pen: Any, points: np.ndarray, closed: bool, colour: str) -> None:
    pen.line(spring_zigzag(points[0], points[1], 0.022 * pen.size), colour, max(1.0, 0.2 * pen.bar), 7)


def paint_rod(pen: Any, points: np.ndarray, closed: bool, colour: str) -> None:
    pen.line(points, colour, max(1.4, 0.32 * pen.bar), 7)
    _paint_eyes(pen, points, colour)


def paint_actuator(pen: Any, points: np.ndarray, closed: bool, colour: str) -> None:
    """Draw a piston rod that comes out of a barrel."""
    pen.line(points[[0, 2]], colour, max(1.4, 0.34 * pen.bar), 6.8)
    pen.bar_with_edge(points[:2], colour, max(3.0, 0.85 * pen.bar), 7)
    _paint_eyes(pen, points[[0, 2]], colour)


def _paint_eyes(pen: Any, points: np.ndarray, colour: str) -> None:
    """Draw the eyes at both ends of a rod."""
    (eyes,) = pen.ax.plot(*points.T, "o", markersize=0.7 * pen.bar, color="white", zorder=7.2, alpha=pen.alpha)
    eyes.set(markeredgecolor=darken_colour(colour), markeredgewidth=1.0)


def paint_rail(pen: Any, points: np.ndarray, closed: bool, colour: str) -> None:
    pen.line(points, colour, 0.75 * pen.bar + 2.0, 3.4)
    pen.line(points, "white", 0.75 * pen.bar, 3.5)


def paint_gear(pen: Any, points: np.ndarray, closed: bool, colour: str) -> None:
    """Draw a pitch circle with teeth, which start at the spoke and so rotate with it."""
    centre, rim = points
    radius, angle = float(np.hypot(*(rim - centre))), float(np.arctan2(*(rim - centre)[::-1]))
    teeth = gear_tooth_count(radius, pen.size)
    turn = angle + 2.0 * np.pi * np.arange(8 * teeth + 1) / (8 * teeth)
    high = np.where(np.arange(8 * teeth + 1) % 8 < 4, 1.0, -1.0) * 0.25 * 2.0 * np.pi * radius / teeth
    edge = centre + (radius + high)[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
    pen.fill(edge, colour, 0.14, 3.8)
    pen.line(edge, colour, max(0.9, 0.16 * pen.bar), 3.9)
    pen.line(points, colour, max(0.9, 0.16 * pen.bar), 3.9)


def gear_tooth_count(radius: float, size: float) -> int:
    """Number of drawn teeth, for a mechanism of this size: chosen for visibility, not the number of the real gear."""
    return int(np.clip(round(90.0 * radius / size), 8, 80))


def paint_spiral(pen: Any, points: np.ndarray, closed: bool, colour: str) -> None:
    centre, rim = points
    radius, angle = float(np.hypot(*(rim - centre))), float(np.arctan2(*(rim - centre)[::-1]))
    part = np.linspace(0.3, 1.0, 80)
    turn = angle + 2.0 * np.pi * 2.5 * (part - 1.0)
    pen.line(centre + (radius * part)[:, None] * np.column_stack([np.cos(turn), np.sin(turn)]), colour, 1.3, 7.4)


def darken_colour(colour: str) -> str:
    return "#" + "".join(f"{int(int(colour[i : i + 2], 16) * 0.68):02x}" for i in (1, 3, 5))


def spring_zigzag(start: np.ndarray, end: np.ndarray, amplitude: float, coils: int = 6) -> np.ndarray:
    """Points of the drawn line of a spring, (n, 2): straight leads at both ends, `coils` turns of constant width between
    them."""
    along = np.concatenate([[0.0], np.linspace(0.15, 0.85, 2 * coils + 1), [1.0]])
    aside = np.concatenate([[0.0, 0.0], amplitude * np.resize([1.0, -1.0], 2 * coils - 1), [0.0, 0.0]])
    span = end - start
    length = float(np.hypot(*span)) or 1.0
    return start + along[:, None] * span + aside[:, None] * np.array([-span[1], span[0]]) / length
