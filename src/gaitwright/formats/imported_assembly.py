"""Bodies and their connections as in files of other engines: frames in the drawn pose, masses, joints between any two of them,
loops included. The readers of MJCF, SDF and .osim create one; model/io/assembly_import.py converts it to a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.formats.urdf_inertia import LinkInertia
from gaitwright.formats.urdf_tree import GROUND, MovingFrame

Array = np.ndarray
MAX_LISTED_NAMES = 30
"""Maximum number of names listed in a note."""


@dataclass
class ImportedBody:
    """Body with its drawn frame. frame: in the ground frame, as drawn, with its start velocity. own: mass and inertia in the
    body frame. points: m, in the body frame. shapes: as in a model file. holder: the body that it is fixed to, if any; GROUND
    for the ground; None for a moving body."""

    name: str
    frame: MovingFrame
    own: LinkInertia = field(default_factory=LinkInertia)
    points: dict[str, Array] = field(default_factory=dict)
    shapes: list[dict[str, Any]] = field(default_factory=list)
    holder: str | None = None


@dataclass
class ImportedJoint:
    """Joint. kind: as in a model file. a, b: names of bodies, or GROUND. at: joint position, m, ground frame, as drawn; at_b:
    its position on b, if different. axis: unit vector, ground frame, as drawn; axis_b: that of b. stiffness, damping: of the
    single degree of freedom, N m/rad or N/m and N m s/rad or N s/m; rest: unstressed position of the spring, rad or m;
    travel: joint position as drawn, rad or m. limits: rad or m. length: of a distance joint, m."""

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
class ImportedGear:
    """Gear: travel of joint b = ratio * travel of joint a + offset."""

    name: str
    a: str
    b: str
    ratio: float
    offset: float


@dataclass
class ImportedSpring:
    """Spring with a damper between two points. at_a, at_b: m, in the body frames. stiffness: N/m, damping: N s/m,
    rest_length: m."""

    name: str
    a: str
    at_a: Array
    b: str
    at_b: Array
    stiffness: float
    damping: float
    rest_length: float


@dataclass
class ImportedAssembly:
    """Content of a file; pieces: bodies, ties: joints, lines: springs."""

    name: str
    gravity: Array
    pieces: dict[str, ImportedBody] = field(default_factory=dict)
    ties: dict[str, ImportedJoint] = field(default_factory=dict)
    gears: list[ImportedGear] = field(default_factory=list)
    lines: list[ImportedSpring] = field(default_factory=list)
    ground: ImportedBody = field(default_factory=lambda: ImportedBody("ground", MovingFrame()))
    left_out: dict[str, list[str]] = field(default_factory=dict)
    """Elements that are not converted, by kind: their names."""

    def leave(self, reason: str, name: str) -> None:
        names = self.left_out.setdefault(reason, [])
        if name not in names:
            names.append(name)

    def piece(self, name: str) -> ImportedBody:
        return self.ground if name == GROUND else self.pieces[name]

    def notes(self) -> list[str]:
        """Sentences about omitted elements; long lists of names are shortened."""
        return [f"{reason}: {_join_names(names)}" if any(names) else reason for reason, names in self.left_out.items()]


def _join_names(names: list[str]) -> str:
    rest = f" and {len(names) - MAX_LISTED_NAMES} more" if len(names) > MAX_LISTED_NAMES else ""
    return ", ".join(names[:MAX_LISTED_NAMES]) + rest
