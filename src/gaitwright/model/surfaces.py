"""Surfaces of contacts for the Python API. Each only stores what it is given and says it as a model file does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Number = float | int | str
Pair = Sequence[Number]


class Surface:
    """Base of all surfaces."""

    def entry(self) -> dict[str, Any]:
        """The surface as a model file says it."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Moving(Surface):
    """A surface of the ground that may move: with a constant velocity [vx, vy], m/s, or by a displacement [x, y], m,
    expressions of t. It does not turn."""

    velocity: Pair | None = None
    displacement: Pair | None = None

    def motion(self) -> dict[str, Any]:
        given = {"velocity": self.velocity, "displacement": self.displacement}
        return {name: list(value) for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class LineGround(Moving):
    """A straight ground, solid below: at height `level` (m) where x = 0, rising by `slope` (rad) towards positive x."""

    level: Number = 0.0
    slope: Number = 0.0

    def entry(self) -> dict[str, Any]:
        level, slope = self.level, self.slope
        if isinstance(level, str) or isinstance(slope, str):
            line = [f"-sin({slope})", f"cos({slope})", f"-({level})*cos({slope})"]
        else:
            line = [0.0 - math.sin(slope), math.cos(slope), 0.0 - level * math.cos(slope)]
        return {"line": line, **self.motion()}


@dataclass(frozen=True)
class Line(Moving):
    """The line a x + b y + c = 0 of the ground, solid where a x + b y + c is negative."""

    a: Number
    b: Number
    c: Number

    def entry(self) -> dict[str, Any]:
        return {"line": [self.a, self.b, self.c], **self.motion()}


@dataclass(frozen=True)
class Polyline(Moving):
    """A terrain of the ground through points [x, y], m, walked with the solid on its right: from left to right when it
    lies below. One that ends where it starts is an obstacle (clockwise) or a room."""

    points: Sequence[Pair]

    def entry(self) -> dict[str, Any]:
        return {"polyline": [list(point) for point in self.points], **self.motion()}


@dataclass(frozen=True)
class Circle(Surface):
    """A circle of `radius` (m) about a point (`foot.F`, `ground.O`) or about the centre of mass of a body (`ball`)."""

    body: str
    radius: Number

    def fields(self) -> dict[str, Any]:
        return {"body": self.body, "radius": self.radius}

    def entry(self) -> dict[str, Any]:
        return {"circle": self.fields()}


@dataclass(frozen=True)
class Along:
    """All nodes of a beam, as what touches. radius: half of its thickness, m; that of its section unless given."""

    beam: str
    radius: Number | None = None

    def fields(self) -> dict[str, Any]:
        return {"beam": self.beam, "radius": self.radius}


@dataclass(frozen=True)
class Segment(Surface):
    """A thin bar between two points of one body, touched by circles from both sides."""

    a: str
    b: str

    def entry(self) -> dict[str, Any]:
        return {"segment": [self.a, self.b]}


@dataclass(frozen=True)
class Face(Surface):
    """A side of a body between two of its points, solid on the right when walking from a to b."""

    a: str
    b: str

    def entry(self) -> dict[str, Any]:
        return {"face": [self.a, self.b]}
