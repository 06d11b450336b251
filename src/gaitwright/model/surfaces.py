"""Surfaces of contacts for the Python API. Each stores its arguments and converts them to an entry of a model file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from gaitwright._core.error_context import ErrorContext

NumberLike = float | int | str
VectorLike = Sequence[NumberLike]


class SurfaceDescription:
    """Base class of all surfaces."""

    def entry(self) -> dict[str, Any]:
        """Surface as an entry of a model file."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class MovableGround(SurfaceDescription):
    """Surface of the ground that may move: with a constant velocity [vx, vy], m/s, or by a displacement [x, y], m,
    expressions of t; in space three numbers. It does not rotate."""

    velocity: VectorLike | None = None
    displacement: VectorLike | None = None

    def motion(self) -> dict[str, Any]:
        given = {"velocity": self.velocity, "displacement": self.displacement}
        return {name: list(value) for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class LineGround(MovableGround):
    """Straight ground, solid below: at height `level` (m) at x = 0, rising by `slope` (rad, or a text with a
    unit: "10 deg") towards positive x, less than a right angle."""

    level: NumberLike = 0.0
    slope: NumberLike = 0.0

    def entry(self) -> dict[str, Any]:
        level, slope = self.level, self.slope
        if isinstance(level, str) or isinstance(slope, str):
            line = [f"-sin({slope})", f"cos({slope})", f"-({level})*cos({slope})"]
        else:
            ErrorContext("LineGround", "slope").slope(
                slope
            )  # the file contains a line, in which a wrong slope is not visible
            line = [0.0 - math.sin(slope), math.cos(slope), 0.0 - level * math.cos(slope)]
        return {"line": line, **self.motion()}


@dataclass(frozen=True)
class Line(MovableGround):
    """Line a x + b y + c = 0 of the ground, solid where a x + b y + c is negative."""

    a: NumberLike
    b: NumberLike
    c: NumberLike

    def entry(self) -> dict[str, Any]:
        return {"line": [self.a, self.b, self.c], **self.motion()}


@dataclass(frozen=True)
class Polyline(MovableGround):
    """Terrain of the ground through points [x, y], m, traversed with the solid on the right: from left to right for a solid
    below. A closed polyline is an obstacle (clockwise) or a room."""

    points: Sequence[VectorLike]

    def entry(self) -> dict[str, Any]:
        return {"polyline": [list(point) for point in self.points], **self.motion()}


@dataclass(frozen=True)
class Circle(SurfaceDescription):
    """Circle of `radius` (m) about a point (`foot.F`, `ground.O`) or about the centre of mass of a body (`ball`)."""

    body: str
    radius: NumberLike

    def fields(self) -> dict[str, Any]:
        return {"body": self.body, "radius": self.radius}

    def entry(self) -> dict[str, Any]:
        return {"circle": self.fields()}


@dataclass(frozen=True)
class Along:
    """All nodes of a beam, as the touching side. radius: half of its thickness, m; default that of its section."""

    beam: str
    radius: NumberLike | None = None

    def fields(self) -> dict[str, Any]:
        return {"beam": self.beam, "radius": self.radius}


@dataclass(frozen=True)
class Skin:
    """Surface of a solid, or of a region of it, as the touching side: a pressure at many points."""

    solid: str
    region: str | None = None


@dataclass(frozen=True)
class Foundation:
    """Soft layer on a rigid body as the touching side: each facet of a surface is an independent spring over its area.

    mesh: a gw.mesh.Mesh, a file or a shape as in a model file; its surface (in the plane: the outline), or a region of it,
    carries the layer; in the frame of `body`, or with the origin at a point of it (`foot.heel`). at, angle, axis, unit: as
    in gw.surfaces.MeshSurface. Or points: (facets, dimension), m, midpoints of facets, with their areas, m^2. thickness: of the
    layer, m; modulus: Young's, Pa; poisson: Poisson's ratio; each of them a number, or one for each facet. width: m, of a
    planar model, default 1.

    The default law is gw.laws.Winkler: p = K d/t with K = E (1 - nu) / ((1 + nu) (1 - 2 nu)). The default stiffness of bristles
    is that of the layer in shear, G/t."""

    body: str
    mesh: Any = None
    region: Any = None
    points: Any = None
    areas: Any = None
    thickness: Any = None
    modulus: Any = None
    poisson: Any = 0.0
    at: Sequence[NumberLike] | None = None
    angle: NumberLike | None = None
    axis: Sequence[NumberLike] | None = None
    unit: str | None = None
    width: NumberLike | None = None

    def fields(self) -> dict[str, Any]:
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        if given["region"] is not None and not isinstance(given["region"], str):
            from gaitwright.model.solid_serialisation import mesh_with_regions

            given["mesh"] = mesh_with_regions(self.mesh, self.unit, {"foundation": self.region})
            given["region"] = "foundation"
        return {
            name: value if name == "mesh" else _to_lists(value) for name, value in given.items() if value is not None
        }


def _to_lists(value: Any) -> Any:
    """Convert arrays and tuples to lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [_to_lists(part) for part in value] if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True)
class Segment(SurfaceDescription):
    """Thin bar between two points of one body, touched by circles from both sides."""

    a: str
    b: str

    def entry(self) -> dict[str, Any]:
        return {"segment": [self.a, self.b]}


@dataclass(frozen=True)
class Face(SurfaceDescription):
    """Side of a body between two of its points, solid on the right of the direction from a to b."""

    a: str
    b: str

    def entry(self) -> dict[str, Any]:
        return {"face": [self.a, self.b]}


@dataclass(frozen=True)
class MeshSurface(SurfaceDescription):
    """Surface of a mesh (in the plane: its outline), fixed to a rigid body, solid behind its faces.

    mesh: a gw.mesh.Mesh, a file, or a shape as in a model file; in the frame of `body`, or with the origin at a point of it
    (`shoe.heel`); default on the ground. at: m, position of its origin there; angle (rad), axis: rotation before that.
    unit: of the file. distance: "exact", or "approximate" as in paper 004, for points."""

    mesh: Any
    body: str | None = None
    at: Sequence[NumberLike] | None = None
    angle: NumberLike | None = None
    axis: Sequence[NumberLike] | None = None
    unit: str | None = None
    distance: str | None = None

    def entry(self) -> dict[str, Any]:
        given = {"mesh": self.mesh, "body": self.body, "at": self.at, "angle": self.angle, "axis": self.axis}
        given |= {"unit": self.unit, "distance": self.distance}
        return {key: list(v) if key in ("at", "axis") else v for key, v in given.items() if v is not None}


@dataclass(frozen=True)
class SolidSurface(SurfaceDescription):
    """Surface of a deformable solid, or of a region of it; touched by gw.surfaces.Skin of another solid, by points, and by
    gw.surfaces.Foundation of a rigid body.

    both_ways: if True, each of two solids touches the other, with half of the pressure; otherwise only the points of the
    one touch the faces of the other."""

    solid: str
    region: str | None = None
    both_ways: bool = False

    def entry(self) -> dict[str, Any]:
        given = {"solid": self.solid, "region": self.region, "both_ways": self.both_ways or None}
        return {key: value for key, value in given.items() if value is not None}


# In space -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlaneGround(MovableGround):
    """Level ground in space, solid below the height `level` (m)."""

    level: NumberLike = 0.0

    def entry(self) -> dict[str, Any]:
        level = f"-({self.level})" if isinstance(self.level, str) else 0.0 - self.level
        return {"plane": [0.0, 0.0, 1.0, level], **self.motion()}


@dataclass(frozen=True)
class Plane(MovableGround):
    """Plane a x + b y + c z + d = 0 of the ground, solid where the expression is negative."""

    a: NumberLike
    b: NumberLike
    c: NumberLike
    d: NumberLike

    def entry(self) -> dict[str, Any]:
        return {"plane": [self.a, self.b, self.c, self.d], **self.motion()}


@dataclass(frozen=True)
class PlaneOfBody(SurfaceDescription):
    """Plane through a point of a body (`block.A`) that moves with it; normal: outward, in the body frame."""

    point: str
    normal: Sequence[NumberLike]

    def entry(self) -> dict[str, Any]:
        return {"plane": {"point": self.point, "normal": list(self.normal)}}


@dataclass(frozen=True)
class Sphere(SurfaceDescription):
    """Sphere of `radius` (m) about a point (`foot.heel`, `ground.O`) or about the centre of mass of a body (`ball`)."""

    body: str
    radius: NumberLike

    def fields(self) -> dict[str, Any]:
        return {"body": self.body, "radius": self.radius}

    def entry(self) -> dict[str, Any]:
        return {"sphere": self.fields()}


@dataclass(frozen=True)
class HeightField(MovableGround):
    """Terrain of the ground, solid below: z[i][j], m, is its height at (x0 + i dx, y0 + j dy), with origin (x0, y0) and
    spacing (dx, dy), m; a smooth surface interpolates the heights."""

    z: Sequence[Sequence[NumberLike]]
    spacing: VectorLike
    origin: VectorLike = (0.0, 0.0)

    def entry(self) -> dict[str, Any]:
        z = [[value if isinstance(value, str) else float(value) for value in row] for row in self.z]
        return {"heights": {"origin": list(self.origin), "spacing": list(self.spacing), "z": z}, **self.motion()}


def touching_entry(touching: Any) -> dict[str, Any]:
    """Touching side as in a model file."""
    if isinstance(touching, (list, tuple)):
        spheres = [part.fields() for part in touching if isinstance(part, Sphere)]
        points = [part for part in touching if not isinstance(part, Sphere)]
        return ({"points": points} if points else {}) | ({"spheres": spheres} if spheres else {})
    if isinstance(touching, Skin):
        return {"solid": touching.solid, "region": touching.region}
    kinds = {Circle: "circle", Along: "along", Sphere: "sphere", Foundation: "foundation"}
    return {kinds[type(touching)]: touching.fields()} if type(touching) in kinds else {"point": touching}
