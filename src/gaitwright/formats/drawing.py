"""Technical drawing as plain data, in metres: read from a DXF or SVG file, or written to one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext

METRES_BY_UNIT = {
    "mm": 1e-3,
    "cm": 1e-2,
    "m": 1.0,
    "in": 0.0254,
    "ft": 0.3048,
    "um": 1e-6,
    "px": 0.0254 / 96,
    "pt": 0.0254 / 72,
}
"""Metres per unit of length in drawings."""
MAX_COORDINATE_M = 1e5
"""Largest plausible coordinate of a mechanism drawing, m."""


@dataclass
class DrawingPath:
    """Polyline through points (n, 2), m. closed: the last point is joined to the first. dashed: line style."""

    points: Any
    layer: str
    closed: bool = False
    dashed: bool = False


@dataclass
class DrawingCircle:
    """Circle. centre: (2,), m. radius: m."""

    centre: Any
    radius: float
    layer: str


@dataclass
class DrawingPoint:
    """Point. at: (2,), m."""

    at: Any
    layer: str


@dataclass
class DrawingLabel:
    """Text with its lower left corner, or the middle of its lower edge, at a point. height: of the letters, m."""

    text: str
    at: Any
    height: float
    layer: str
    centred: bool = False


@dataclass
class DrawingDimension:
    """Dimension between two points; its line lies `off` m to the left of the direction from a to b."""

    a: Any
    b: Any
    off: float
    height: float
    layer: str

    @property
    def length(self) -> float:
        """Distance of the points, m."""
        return math.dist(self.a, self.b)

    def line(self) -> tuple[np.ndarray, np.ndarray]:
        """Ends of the dimension line."""
        a, b = np.asarray(self.a, dtype=float), np.asarray(self.b, dtype=float)
        along = (b - a) / max(self.length, 1e-300)
        shift = self.off * np.array([-along[1], along[0]])
        return a + shift, b + shift


@dataclass
class TechnicalDrawing:
    """Drawing. notes: sentences about omissions and assumptions of a reader."""

    title: str = ""
    paths: list[DrawingPath] = field(default_factory=list)
    circles: list[DrawingCircle] = field(default_factory=list)
    marks: list[DrawingPoint] = field(default_factory=list)
    labels: list[DrawingLabel] = field(default_factory=list)
    dimensions: list[DrawingDimension] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def layers(self) -> list[str]:
        parts = (*self.paths, *self.circles, *self.marks, *self.labels, *self.dimensions)
        return list(dict.fromkeys(part.layer for part in parts))

    def points(self) -> np.ndarray:
        """Points (n, 2), m, that span the extent of the drawing."""
        parts = [np.asarray(path.points, dtype=float).reshape(-1, 2) for path in self.paths]
        corners = np.array([(-1.0, -1.0), (1.0, 1.0)])
        parts += [np.asarray(c.centre, dtype=float) + c.radius * corners for c in self.circles]
        parts += [np.asarray(mark.at, dtype=float).reshape(1, 2) for mark in self.marks]
        parts += [np.stack(d.line()) + 2.0 * d.height * corners for d in self.dimensions]
        for label in self.labels:
            width, at = 0.6 * label.height * len(label.text), np.asarray(label.at, dtype=float)
            lower_left = at - (width / 2 if label.centred else 0.0, 0.0)
            parts.append(np.stack([lower_left, lower_left + np.array([width, label.height])]))
        return np.concatenate([np.zeros((0, 2)), *parts])

    def checked(self, source: str) -> TechnicalDrawing:
        """Return the drawing itself; ModelError if its coordinates are not finite or implausibly large."""
        points = self.points()
        if not np.isfinite(points).all():
            ErrorContext(source).fail(
                "has a coordinate that is not a finite number", expected="numbers in all of its lines"
            )
        if len(points) and np.abs(points).max() > MAX_COORDINATE_M:
            largest = float(np.abs(points).max())
            ErrorContext(source).fail(
                f"reaches {largest:.3g} m from its origin",
                expected=f"the unit that is meant (--unit), one of {format_units()}",
            )
        return self


def layer_colour_indices(layers: list[str]) -> dict[str, int]:
    """Colour index of each layer; layers with names that end in the same word share one: a part, single and assembled."""
    words = list(dict.fromkeys(layer.rpartition(" ")[2] for layer in layers))
    return {layer: words.index(layer.rpartition(" ")[2]) for layer in layers}


def format_units() -> str:
    return ", ".join(METRES_BY_UNIT)


def metres_per_unit(unit: str) -> float:
    """Metres per unit given by a user; ModelError for an unknown unit."""
    return METRES_BY_UNIT[ErrorContext(field="unit").one_of(unit, METRES_BY_UNIT, "is no unit of length")]
