"""Bodies that deform, in plain arrays: meshes whose nodes move, in the plane or in space, with quantities on them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gaitwright.report.arrays import finite, indices, shaped
from gaitwright.report.fields import Field, FieldScale, scale_of
from gaitwright.report.mesh_faces import (
    boundary,
    corners,
    edges_of_faces,
    nearest_rigid,
    piece_sides,
    split_cells,
    split_faces,
)

Axis = Literal["x", "y", "z"]


@dataclass
class DeformingBody:
    """A mesh whose nodes move. points: (n_times, n, 2) in the plane or (n_times, n, 3) in space, m.

    faces: (m, 3) in the plane the triangles, in space those of the surface, counter-clockwise seen from outside. Of elements
    with nodes at the middles of their edges (m, 6), numbered as in VTK; they are split into straight ones. cells: (k, 4) or
    (k, 10) tetrahedra, without which a cut through a body in space would show nothing; nodes inside are kept only then.
    edges: (e, 2), lines between nodes that are drawn; those of the elements unless given. fields: quantities at the nodes.

    reference: (n, d), m, where the nodes are without displacement, without which displacements cannot be exaggerated.
    carried: the reference goes with the body, turned and moved to fit it best, so that its deformation alone is exaggerated;
    otherwise the whole displacement is, as of a body that is clamped somewhere. colour: #rrggbb; the palette's unless given."""

    name: str
    points: Any
    faces: Any
    fields: Sequence[Field] = ()
    cells: Any = None
    edges: Any = None
    reference: Any = None
    carried: bool = False
    colour: str | None = None
    cell_sides: np.ndarray = dataclasses.field(init=False, repr=False)
    """Which faces of the tetrahedra are those of elements, (k, 4)."""

    def __post_init__(self) -> None:
        what = f"deforming body '{self.name}'"
        self.points = finite(self.points, f"the points of {what}")
        if self.points.ndim != 3 or self.points.shape[2] not in (2, 3) or not self.points.size:
            got = self.points.shape
            raise ValueError(f"the points of {what} have shape {got}; expected (n_times, n, 2) or (n_times, n, 3)")
        n_times, n, d = self.points.shape
        self.faces = indices(self.faces, (3, 6), n, f"the faces of {what}")
        given = edges_of_faces(self.faces) if self.edges is None else self.edges
        self.edges = indices(given, (2,), n, f"the edges of {what}") if np.size(given) else np.zeros((0, 2), np.int64)
        if self.faces.shape[1] == 6:
            self.faces = split_faces(self.faces)
        self._check_cells(what, n, d)
        if self.reference is not None:
            self.reference = shaped(self.reference, (n, d), f"the reference of {what}")
        self.fields = list(self.fields)
        for one in self.fields:
            if one.values.shape != (n_times, n):
                got, expected = one.values.shape, (n_times, n)
                raise ValueError(f"field '{one.name}' of {what} has shape {got}; expected {expected}, one per node")
        names = [one.name for one in self.fields]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"{what} has two fields '{min(twice)}'; expected a name of its own for each")

    def _check_cells(self, what: str, n: int, d: int) -> None:
        if self.cells is None or not np.size(self.cells):
            self.cells = None
            self.cell_sides = np.zeros((0, 4), dtype=bool)
            return
        if d == 2:
            raise ValueError(f"{what} lies in the plane and has cells; expected faces alone")
        self.cells = indices(self.cells, (4, 10), n, f"the cells of {what}")
        self.cell_sides = np.ones((len(self.cells), 4), dtype=bool)
        if self.cells.shape[1] == 10:
            self.cell_sides = np.tile(piece_sides(), (len(self.cells), 1))
            self.cells = split_cells(self.cells)

    @property
    def n_frames(self) -> int:
        return len(self.points)

    @property
    def dimension(self) -> int:
        return self.points.shape[2]

    @functools.cached_property
    def outline(self) -> np.ndarray:
        """Sides (n, 2) of its outline in the plane."""
        return boundary(self.faces)

    @functools.cached_property
    def closed(self) -> bool:
        """Whether its surface has an inside."""
        return not len(self.outline)

    @functools.cached_property
    def surface(self) -> np.ndarray:
        """Nodes that faces and edges use, in order."""
        return np.unique(np.concatenate([self.faces.ravel(), self.edges.ravel()]))

    @functools.cached_property
    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Its surface at rest as corners with one normal each; see mesh_faces.corners."""
        return corners(self.rest, self.faces)

    @functools.cached_property
    def rest(self) -> np.ndarray:
        """What displacements count from, (n, d), m: the reference, or the first frame."""
        return self.points[0] if self.reference is None else self.reference

    @functools.cached_property
    def motion(self) -> tuple[np.ndarray, np.ndarray]:
        """Rotation (n_times, d, d) and shift (n_times, d) that carry `rest` along; none of a reference that stands still."""
        if self.reference is None or self.carried:
            return nearest_rigid(self.rest, self.points)
        d = self.dimension
        return np.tile(np.eye(d), (self.n_frames, 1, 1)), np.zeros((self.n_frames, d))

    def offsets(self, frame: int) -> np.ndarray:
        """Displacements (n, d), m, in one frame, from where the reference is carried to."""
        turn, shift = (part[frame] for part in self.motion)
        return self.points[frame] - self.rest @ turn.T - shift

    def at(self, frame: int, exaggeration: float = 1.0) -> np.ndarray:
        """Points (n, d), m, as they are drawn in one frame."""
        if exaggeration == 1.0 or self.reference is None:
            return self.points[frame]
        return self.points[frame] + (exaggeration - 1.0) * self.offsets(frame)

    @functools.cached_property
    def box(self) -> np.ndarray:
        """Its extent without exaggeration."""
        return self._extent(1.0)

    def extent(self, exaggeration: float = 1.0) -> np.ndarray:
        """Lowest and highest corner of its box in every frame, (n_times, 2, d), m."""
        return self.box if exaggeration == 1.0 or self.reference is None else self._extent(exaggeration)

    def _extent(self, exaggeration: float) -> np.ndarray:
        drawn = (self.at(frame, exaggeration)[self.surface] for frame in range(self.n_frames))
        return np.array([[points.min(axis=0), points.max(axis=0)] for points in drawn])

    def quantity(self, name: str | None) -> Field | None:
        return next((one for one in self.fields if one.name == name), None)


@dataclass
class Cut:
    """A plane across an axis of the ground, at a coordinate (m; the middle of the bodies unless given). What lies between it
    and the eye is taken away from bodies that have cells."""

    axis: Axis
    at: float | None = None

    def __post_init__(self) -> None:
        if self.axis not in ("x", "y", "z"):
            raise ValueError(f"a cut is across axis '{self.axis}'; expected x, y or z")
        if self.at is not None and not np.isfinite(self.at):
            raise ValueError(f"a cut is at {self.at}; expected a coordinate, m")

    @property
    def number(self) -> int:
        return "xyz".index(self.axis)


@dataclass
class Showing:
    """How bodies that deform are shown: in a picture, and in a page at first.

    field: what colours them; the first one unless given, "" for none. exaggeration: of their displacements, 1 for the true
    ones. edges: draw those of the elements. cut: see inside, in space."""

    field: str | None = None
    exaggeration: float = 1.0
    edges: bool = True
    cut: Cut | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.exaggeration < np.inf:
            raise ValueError(f"displacements are exaggerated by {self.exaggeration}; expected 0 or more, 1 for true")


def check_deforming(bodies: Iterable[DeformingBody], showing: Showing, n_times: int, dimension: int) -> None:
    """Whether bodies fit into a scene of so many times."""
    for body in bodies:
        if body.n_frames != n_times:
            raise ValueError(f"'{body.name}' has {body.n_frames} frame(s) but the scene has {n_times} times")
        if body.dimension != dimension:
            raise ValueError(f"'{body.name}' has points of {body.dimension} coordinates; expected {dimension}")
    known = scales(bodies)
    if showing.field and showing.field not in known:
        raise ValueError(f"there is no field '{showing.field}' to show; expected one of {', '.join(known) or 'none'}")
    if showing.exaggeration != 1.0 and all(body.reference is None for body in bodies):
        raise ValueError("displacements cannot be exaggerated: no deforming body has a reference to count them from")
    if showing.cut is not None and all(body.cells is None for body in bodies):
        raise ValueError("nothing can be cut: no deforming body has cells (tetrahedra), which fill its inside")


def scales(bodies: Iterable[DeformingBody]) -> dict[str, FieldScale]:
    """What the colours of every field mean, by its name, in the order of their first appearance."""
    found: dict[str, list[Field]] = {}
    for body in bodies:
        for one in body.fields:
            found.setdefault(one.name, []).append(one)
    return {name: scale_of(fields) for name, fields in found.items()}


def shown_scale(bodies: Iterable[DeformingBody], showing: Showing) -> FieldScale | None:
    """The scale of the field that colours them, if one does."""
    known = scales(bodies)
    return known.get(next(iter(known), "") if showing.field is None else showing.field)


def cut_place(bodies: Iterable[DeformingBody], cut: Cut) -> float:
    """The coordinate of a cut, m."""
    if cut.at is not None:
        return cut.at
    box = np.concatenate([body.box[..., cut.number].ravel() for body in bodies if body.cells is not None])
    return float((box.min() + box.max()) / 2)


def telling_frame(bodies: Iterable[DeformingBody], showing: Showing) -> int:
    """The frame in which the field that colours them is largest; the first where there is none."""
    scale = shown_scale(bodies, showing)
    fields = [body.quantity(scale.name) for body in bodies] if scale is not None else []
    largest = [np.abs(field.values).max(axis=1) for field in fields if field is not None]
    return int(np.max(largest, axis=0).argmax()) if largest else 0
