"""A technical drawing as plain data, in metres: what is read of a DXF or SVG file, and written to one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.checks import At

UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "in": 0.0254, "ft": 0.3048, "um": 1e-6, "px": 0.0254 / 96, "pt": 0.0254 / 72}
"""Metres of a unit of length in drawings."""
LARGEST = 1e5
"""m: beyond it a coordinate is no drawing of a mechanism."""


@dataclass
class Path:
    """A line through points (n, 2). closed: its last point is joined to the first. dashed: how it is drawn."""

    points: Any
    layer: str
    closed: bool = False
    dashed: bool = False


@dataclass
class Circle:
    """centre (2,). radius: m."""

    centre: Any
    radius: float
    layer: str


@dataclass
class Mark:
    """A point (2,)."""

    at: Any
    layer: str


@dataclass
class Label:
    """A text with its lower left corner, or its middle, at a point. height: of its letters, m."""

    text: str
    at: Any
    height: float
    layer: str
    centred: bool = False


@dataclass
class Dimension:
    """The distance of two points, written beside the line between them, `off` m to its left on the way from a to b."""

    a: Any
    b: Any
    off: float
    height: float
    layer: str

    @property
    def length(self) -> float:
        """m."""
        return math.dist(self.a, self.b)

    def line(self) -> tuple[np.ndarray, np.ndarray]:
        """Ends of the dimension line."""
        a, b = np.asarray(self.a, dtype=float), np.asarray(self.b, dtype=float)
        along = (b - a) / max(self.length, 1e-300)
        shift = self.off * np.array([-along[1], along[0]])
        return a + shift, b + shift


@dataclass
class Drawing:
    """notes: sentences about what a reader left out or assumed."""

    title: str = ""
    paths: list[Path] = field(default_factory=list)
    circles: list[Circle] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    dimensions: list[Dimension] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def layers(self) -> list[str]:
        parts = (*self.paths, *self.circles, *self.marks, *self.labels, *self.dimensions)
        return list(dict.fromkeys(part.layer for part in parts))

    def points(self) -> np.ndarray:
        """Points (n, 2) that reach as far as the drawing does, m."""
        found = [np.asarray(path.points, dtype=float).reshape(-1, 2) for path in self.paths]
        corners = np.array([(-1.0, -1.0), (1.0, 1.0)])
        found += [np.asarray(c.centre, dtype=float) + c.radius * corners for c in self.circles]
        found += [np.asarray(mark.at, dtype=float).reshape(1, 2) for mark in self.marks]
        found += [np.stack(d.line()) + 2.0 * d.height * corners for d in self.dimensions]
        for label in self.labels:
            width, at = 0.6 * label.height * len(label.text), np.asarray(label.at, dtype=float)
            left = at - (width / 2 if label.centred else 0.0, 0.0)
            found.append(np.stack([left, left + np.array([width, label.height])]))
        return np.concatenate([np.zeros((0, 2)), *found])

    def checked(self, source: str) -> Drawing:
        """Itself, if all its numbers can be meant."""
        points = self.points()
        if not np.isfinite(points).all():
            At(source).fail("has a coordinate that is not a finite number", expected="numbers in all of its lines")
        if len(points) and np.abs(points).max() > LARGEST:
            far = float(np.abs(points).max())
            At(source).fail(
                f"reaches {far:.3g} m from its origin",
                expected=f"the unit that is meant (--unit), one of {listed_units()}",
            )
        return self


def layer_turns(layers: list[str]) -> dict[str, int]:
    """A number of a colour for each layer; the same for those whose names end in the same word: a part, alone and assembled."""
    words = list(dict.fromkeys(layer.rpartition(" ")[2] for layer in layers))
    return {layer: words.index(layer.rpartition(" ")[2]) for layer in layers}


def listed_units() -> str:
    return ", ".join(UNITS)


def metres(unit: str) -> float:
    """Metres of a unit that somebody named."""
    return UNITS[At(field="unit").one_of(unit, UNITS, "is no unit of length")]
