"""Bodies and what connects them, as files of other engines have it: frames in the drawn pose, masses, joints between any two of
them, loops included. Readers of MJCF, SDF and .osim make one; model/assemblies.py makes a model of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.formats.urdf_inertia import Inertial
from gaitwright.formats.urdf_tree import GROUND, Frame

Array = np.ndarray
MOST = 30
"""Names that a note lists."""


@dataclass
class Piece:
    """A frame with what is fixed to it. frame: in the ground frame, as drawn, with its start velocity. own: mass and inertia in
    the frame. points: m, in the frame. shapes: as in a model file. holder: the piece that it is fixed to, if any; GROUND for
    the ground; None for a piece that moves."""

    name: str
    frame: Frame
    own: Inertial = field(default_factory=Inertial)
    points: dict[str, Array] = field(default_factory=dict)
    shapes: list[dict[str, Any]] = field(default_factory=list)
    holder: str | None = None


@dataclass
class Tie:
    """A joint. kind: as a model file calls it. a, b: pieces, or GROUND. at: m, ground frame, where both have it as drawn; at_b:
    where b has it, if elsewhere. axis: unit vector, ground frame, as drawn; axis_b: that of b. drawn: what the drawn pose
    counts as, rad. stiffness, damping: of its one freedom, N m/rad or N/m; rest: where the spring is at rest, rad or m; travel:
    position as drawn, rad or m. limits: rad or m. length: of a distance, m."""

    name: str
    kind: str
    a: str
    b: str
    at: Array
    at_b: Array | None = None
    axis: Array | None = None
    axis_b: Array | None = None
    travel: float = 0.0
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    limits: tuple[float, float] | None = None
    length: float | None = None


@dataclass
class Geared:
    """Travel of tie b = ratio * travel of tie a + offset."""

    name: str
    a: str
    b: str
    ratio: float
    offset: float


@dataclass
class Line:
    """A spring with a damper between two points: of pieces, in their frames."""

    name: str
    a: str
    at_a: Array
    b: str
    at_b: Array
    stiffness: float
    damping: float
    rest_length: float


@dataclass
class Assembly:
    """What a file says. notes: sentences about what was left out or changed."""

    name: str
    gravity: Array
    pieces: dict[str, Piece] = field(default_factory=dict)
    ties: dict[str, Tie] = field(default_factory=dict)
    gears: list[Geared] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    ground: Piece = field(default_factory=lambda: Piece("ground", Frame()))
    left_out: dict[str, list[str]] = field(default_factory=dict)
    """What is not in the model, by kind: names of it."""

    def leave(self, what: str, name: str) -> None:
        names = self.left_out.setdefault(what, [])
        if name not in names:
            names.append(name)

    def piece(self, name: str) -> Piece:
        return self.ground if name == GROUND else self.pieces[name]

    def notes(self) -> list[str]:
        """Sentences; of very many names the first, and how many more."""
        return [f"{what}: {_listed(names)}" if any(names) else what for what, names in self.left_out.items()]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + more
