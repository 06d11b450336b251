"""Deforming bodies, as plain arrays: meshes with moving nodes, in the plane or in space, with quantities on them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gaitwright.report.array_checks import check_finite, check_indices, check_shape
from gaitwright.report.scenes.mesh_faces import (
    boundary_edges,
    element_edges,
    fit_rigid_motion,
    outer_piece_faces,
    split_cells,
    split_faces,
    split_sharp_corners,
)
from gaitwright.report.scenes.nodal_field import FieldScale, NodalField, shared_field_scale

CutAxis = Literal["x", "y", "z"]


@dataclass
class DeformingBody:
    """A mesh with moving nodes. points: (n_times, n, 2) in the plane or (n_times, n, 3) in space, m.

    faces: (m, 3), in the plane the triangles, in space those of the surface, counter-clockwise from outside. Faces of
    quadratic elements (nodes at the middles of edges): (m, 6), numbered as in VTK; they are split into straight ones. cells:
    (k, 4) or (k, 10), tetrahedra, needed to show the section of a cut body in space; inner nodes are stored only with cells.
    edges: (e, 2), lines between nodes that are drawn; default: those of the elements. fields: quantities at the nodes.

    reference: (n, d), m, positions of the nodes without displacement, required to exaggerate displacements. carried: True if
    the reference moves with the body (best-fit rotation and translation), so that only its deformation is exaggerated;
    otherwise the whole displacement is exaggerated, as for a clamped body. colour: #rrggbb; default: from the palette."""

    name: str
    points: Any
    faces: Any
    fields: Sequence[NodalField] = ()
    cells: Any = None
    edges: Any = None
    reference: Any = None
    carried: bool = False
    colour: str | None = None
    cell_sides: np.ndarray = dataclasses.field(init=False, repr=False)
    """Flags of the faces of the tetrahedra that are faces of elements, (k, 4)."""

    def __post_init__(self) -> None:
        label = f"deforming body '{self.name}'"
        self.points = check_finite(self.points, f"the points of {label}")
        if self.points.ndim != 3 or self.points.shape[2] not in (2, 3) or not self.points.size:
            shape = self.points.shape
            raise ValueError(f"the points of {label} have shape {shape}; expected (n_times, n, 2) or (n_times, n, 3)")
        n_times, n, d = self.points.shape
        self.faces = check_indices(self.faces, (3, 6), n, f"the faces of {label}")
        edges = element_edges(self.faces) if self.edges is None else self.edges
        self.edges = (
            check_indices(edges, (2,), n, f"the edges of {label}") if np.size(edges) else np.zeros((0, 2), np.int64)
        )
        if self.faces.shape[1] == 6:
            self.faces = split_faces(self.faces)
        self._check_cells(label, n, d)
        if self.reference is not None:
            self.reference = check_shape(self.reference, (n, d), f"the reference of {label}")
        self.fields = list(self.fields)
        for field in self.fields:
            if field.values.shape != (n_times, n):
                shape, expected = field.values.shape, (n_times, n)
                raise ValueError(
                    f"field '{field.name}' of {label} has shape {shape}; expected {expected}, one per node"
                )
        names = [field.name for field in self.fields]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"{label} has two fields '{min(twice)}'; expected a name of its own for each")

    def _check_cells(self, label: str, n: int, d: int) -> None:
        if self.cells is None or not np.size(self.cells):
            self.cells = None
            self.cell_sides = np.zeros((0, 4), dtype=bool)
            return
        if d == 2:
            raise ValueError(f"{label} lies in the plane and has cells; expected faces alone")
        self.cells = check_indices(self.cells, (4, 10), n, f"the cells of {label}")
        self.cell_sides = np.ones((len(self.cells), 4), dtype=bool)
        if self.cells.shape[1] == 10:
            self.cell_sides = np.tile(outer_piece_faces(), (len(self.cells), 1))
            self.cells = split_cells(self.cells)

    @property
    def n_frames(self) -> int:
        return len(self.points)

    @property
    def dimension(self) -> int:
        return self.points.shape[2]

    @functools.cached_property
    def outline(self) -> np.ndarray:
        """Sides (n, 2) of the outline of a planar body."""
        return boundary_edges(self.faces)

    @functools.cached_property
    def closed(self) -> bool:
        """True if the surface is closed."""
        return not len(self.outline)

    @functools.cached_property
    def surface(self) -> np.ndarray:
        """Nodes that faces and edges use, in order."""
        return np.unique(np.concatenate([self.faces.ravel(), self.edges.ravel()]))

    @functools.cached_property
    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Its surface at rest as corners with one normal each; see mesh_faces.split_sharp_corners."""
        return split_sharp_corners(self.rest, self.faces)

    @functools.cached_property
    def rest(self) -> np.ndarray:
        """Reference positions of displacements, (n, d), m: the reference, or the first frame."""
        return self.points[0] if self.reference is None else self.reference

    @functools.cached_property
    def motion(self) -> tuple[np.ndarray, np.ndarray]:
        """Rotation (n_times, d, d) and translation (n_times, d) of `rest`; identity and zero for a fixed reference."""
        if self.reference is None or self.carried:
            return fit_rigid_motion(self.rest, self.points)
        d = self.dimension
        return np.tile(np.eye(d), (self.n_frames, 1, 1)), np.zeros((self.n_frames, d))

    def offsets(self, frame: int) -> np.ndarray:
        """Displacements (n, d), m, in one frame, relative to the moved reference."""
        turn, shift = (part[frame] for part in self.motion)
        return self.points[frame] - self.rest @ turn.T - shift

    def at(self, frame: int, exaggeration: float = 1.0) -> np.ndarray:
        """Drawn positions (n, d), m, in one frame."""
        if exaggeration == 1.0 or self.reference is None:
            return self.points[frame]
        return self.points[frame] + (exaggeration - 1.0) * self.offsets(frame)

    @functools.cached_property
    def box(self) -> np.ndarray:
        """Extent without exaggeration."""
        return self._extent(1.0)

    def extent(self, exaggeration: float = 1.0) -> np.ndarray:
        """Lowest and highest corner of its box in every frame, (n_times, 2, d), m."""
        return self.box if exaggeration == 1.0 or self.reference is None else self._extent(exaggeration)

    def _extent(self, exaggeration: float) -> np.ndarray:
        drawn = (self.at(frame, exaggeration)[self.surface] for frame in range(self.n_frames))
        return np.array([[points.min(axis=0), points.max(axis=0)] for points in drawn])

    def quantity(self, name: str | None) -> NodalField | None:
        return next((field for field in self.fields if field.name == name), None)


@dataclass
class CutPlane:
    """A plane normal to an axis of the ground frame, at a coordinate (m; default: the centre of the bodies). The part
    between it and the camera is removed from bodies with cells."""

    axis: CutAxis
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
class DeformationDisplay:
    """Display of deforming bodies: in a picture, and initially in a page.

    field: field for the colours; default: the first one, "" for none. exaggeration: factor of displacements, 1 for the true
    ones. edges: draw those of the elements. cut: show the inside, in space."""

    field: str | None = None
    exaggeration: float = 1.0
    edges: bool = True
    cut: CutPlane | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.exaggeration < np.inf:
            raise ValueError(f"displacements are exaggerated by {self.exaggeration}; expected 0 or more, 1 for true")


def check_deforming_bodies(
    bodies: Iterable[DeformingBody], showing: DeformationDisplay, n_times: int, dimension: int
) -> None:
    """Raise ValueError if bodies do not fit into a scene with this number of times."""
    for body in bodies:
        if body.n_frames != n_times:
            raise ValueError(f"'{body.name}' has {body.n_frames} frame(s) but the scene has {n_times} times")
        if body.dimension != dimension:
            raise ValueError(f"'{body.name}' has points of {body.dimension} coordinates; expected {dimension}")
    scales = field_scales(bodies)
    if showing.field and showing.field not in scales:
        raise ValueError(f"there is no field '{showing.field}' to show; expected one of {', '.join(scales) or 'none'}")
    if showing.exaggeration != 1.0 and all(body.reference is None for body in bodies):
        raise ValueError("displacements cannot be exaggerated: no deforming body has a reference to count them from")
    if showing.cut is not None and all(body.cells is None for body in bodies):
        raise ValueError("nothing can be cut: no deforming body has cells (tetrahedra), which fill its inside")


def field_scales(bodies: Iterable[DeformingBody]) -> dict[str, FieldScale]:
    """Colour scales of all fields, by name, in the order of their first appearance."""
    fields_by_name: dict[str, list[NodalField]] = {}
    for body in bodies:
        for field in body.fields:
            fields_by_name.setdefault(field.name, []).append(field)
    return {name: shared_field_scale(fields) for name, fields in fields_by_name.items()}


def displayed_field_scale(bodies: Iterable[DeformingBody], showing: DeformationDisplay) -> FieldScale | None:
    """The scale of the displayed field; None if no field is displayed."""
    scales = field_scales(bodies)
    return scales.get(next(iter(scales), "") if showing.field is None else showing.field)


def cut_coordinate(bodies: Iterable[DeformingBody], cut: CutPlane) -> float:
    """Coordinate of a cut, m."""
    if cut.at is not None:
        return cut.at
    box = np.concatenate([body.box[..., cut.number].ravel() for body in bodies if body.cells is not None])
    return float((box.min() + box.max()) / 2)


def peak_field_frame(bodies: Iterable[DeformingBody], showing: DeformationDisplay) -> int:
    """Index of the frame in which the displayed field is largest; 0 without field."""
    scale = displayed_field_scale(bodies, showing)
    fields = [body.quantity(scale.name) for body in bodies] if scale is not None else []
    largest = [np.abs(field.values).max(axis=1) for field in fields if field is not None]
    return int(np.max(largest, axis=0).argmax()) if largest else 0
