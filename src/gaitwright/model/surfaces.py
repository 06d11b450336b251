"""Surfaces of contacts for the Python API. Each only stores what it is given and says it as a model file does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from gaitwright.checks import At

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
    expressions of t; in space three numbers. It does not turn."""

    velocity: Pair | None = None
    displacement: Pair | None = None

    def motion(self) -> dict[str, Any]:
        given = {"velocity": self.velocity, "displacement": self.displacement}
        return {name: list(value) for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class LineGround(Moving):
    """A straight ground, solid below: at height `level` (m) where x = 0, rising by `slope` (rad, or a text with a
    unit: "10 deg") towards positive x, less than a right angle."""

    level: Number = 0.0
    slope: Number = 0.0

    def entry(self) -> dict[str, Any]:
        level, slope = self.level, self.slope
        if isinstance(level, str) or isinstance(slope, str):
            line = [f"-sin({slope})", f"cos({slope})", f"-({level})*cos({slope})"]
        else:
            At("LineGround", "slope").slope(slope)  # the file has a line, which shows no slip
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
class Skin:
    """The surface of a solid, or of a region of it, as what touches: with a pressure at many points."""

    solid: str
    region: str | None = None


@dataclass(frozen=True)
class Foundation:
    """A soft layer on a rigid body as what touches: each facet of a surface presses by itself, like a spring of its area.

    mesh: a gw.mesh.Mesh, a file or a shape as the model file says it, of which the surface (in the plane: the outline), or a
    region of it, carries the layer; in the frame of `body`, or from a point of it (`foot.heel`) on. at, angle, axis, unit: as
    of gw.MeshSurface. Or points: (facets, dimension), m, middles of facets, with their areas, m^2. thickness: of the layer, m;
    modulus: Young's, Pa; poisson: Poisson's ratio; each of them a number, or one for each facet. width: m, across a model of
    the plane, 1 unless given.

    The law is gw.Winkler unless another is named: p = K d/t with K = E (1 - nu) / ((1 + nu) (1 - 2 nu)). Bristles have the
    stiffness of the layer in shear, G/t, unless given."""

    body: str
    mesh: Any = None
    region: Any = None
    points: Any = None
    areas: Any = None
    thickness: Any = None
    modulus: Any = None
    poisson: Any = 0.0
    at: Sequence[Number] | None = None
    angle: Number | None = None
    axis: Sequence[Number] | None = None
    unit: str | None = None
    width: Number | None = None

    def fields(self) -> dict[str, Any]:
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        if given["region"] is not None and not isinstance(given["region"], str):
            from gaitwright.model.solid_entries import with_regions

            given["mesh"] = with_regions(self.mesh, self.unit, {"foundation": self.region})
            given["region"] = "foundation"
        return {name: value if name == "mesh" else _listed(value) for name, value in given.items() if value is not None}


def _listed(value: Any) -> Any:
    """Arrays and tuples as lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [_listed(part) for part in value] if isinstance(value, (list, tuple)) else value


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


@dataclass(frozen=True)
class MeshSurface(Surface):
    """The surface of a mesh (in the plane: its outline), carried by a rigid body, solid behind its faces.

    mesh: a gw.mesh.Mesh, a file, or a shape as the model file says it; in the frame of `body`, or from a point of it
    (`shoe.heel`) on; of the ground unless given. at: m, where its origin stands there; angle (rad), axis: turned there first.
    unit: of the file. distance: "exact", or "approximate" as in paper 004, for points."""

    mesh: Any
    body: str | None = None
    at: Sequence[Number] | None = None
    angle: Number | None = None
    axis: Sequence[Number] | None = None
    unit: str | None = None
    distance: str | None = None

    def entry(self) -> dict[str, Any]:
        given = {"mesh": self.mesh, "body": self.body, "at": self.at, "angle": self.angle, "axis": self.axis}
        given |= {"unit": self.unit, "distance": self.distance}
        return {key: list(v) if key in ("at", "axis") else v for key, v in given.items() if v is not None}


@dataclass(frozen=True)
class SolidSurface(Surface):
    """The surface of a solid, or of a region of it, which deforms; touched by gw.Skin of another solid, by points, and by
    gw.Foundation of a rigid body.

    both_ways: each of two solids touches the other, with half of the pressure, instead of the points of the one the faces of
    the other alone."""

    solid: str
    region: str | None = None
    both_ways: bool = False

    def entry(self) -> dict[str, Any]:
        given = {"solid": self.solid, "region": self.region, "both_ways": self.both_ways or None}
        return {key: value for key, value in given.items() if value is not None}


# In space -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlaneGround(Moving):
    """A level ground in space, solid below the height `level` (m)."""

    level: Number = 0.0

    def entry(self) -> dict[str, Any]:
        level = f"-({self.level})" if isinstance(self.level, str) else 0.0 - self.level
        return {"plane": [0.0, 0.0, 1.0, level], **self.motion()}


@dataclass(frozen=True)
class Plane(Moving):
    """The plane a x + b y + c z + d = 0 of the ground, solid where it is negative."""

    a: Number
    b: Number
    c: Number
    d: Number

    def entry(self) -> dict[str, Any]:
        return {"plane": [self.a, self.b, self.c, self.d], **self.motion()}


@dataclass(frozen=True)
class PlaneOfBody(Surface):
    """A plane through a point of a body (`block.A`) that moves with it; normal: outward, in the frame of the body."""

    point: str
    normal: Sequence[Number]

    def entry(self) -> dict[str, Any]:
        return {"plane": {"point": self.point, "normal": list(self.normal)}}


@dataclass(frozen=True)
class Sphere(Surface):
    """A sphere of `radius` (m) about a point (`foot.heel`, `ground.O`) or about the centre of mass of a body (`ball`)."""

    body: str
    radius: Number

    def fields(self) -> dict[str, Any]:
        return {"body": self.body, "radius": self.radius}

    def entry(self) -> dict[str, Any]:
        return {"sphere": self.fields()}


@dataclass(frozen=True)
class HeightField(Moving):
    """A terrain of the ground, solid below: z[i][j], m, is its height at (x0 + i dx, y0 + j dy), with origin (x0, y0) and
    spacing (dx, dy), m; a smooth surface goes through them."""

    z: Sequence[Sequence[Number]]
    spacing: Pair
    origin: Pair = (0.0, 0.0)

    def entry(self) -> dict[str, Any]:
        z = [[value if isinstance(value, str) else float(value) for value in row] for row in self.z]
        return {"heights": {"origin": list(self.origin), "spacing": list(self.spacing), "z": z}, **self.motion()}


def touched(touching: Any) -> dict[str, Any]:
    """What touches, as a model file says it."""
    if isinstance(touching, (list, tuple)):
        spheres = [part.fields() for part in touching if isinstance(part, Sphere)]
        points = [part for part in touching if not isinstance(part, Sphere)]
        return ({"points": points} if points else {}) | ({"spheres": spheres} if spheres else {})
    if isinstance(touching, Skin):
        return {"solid": touching.solid, "region": touching.region}
    kinds = {Circle: "circle", Along: "along", Sphere: "sphere", Foundation: "foundation"}
    return {kinds[type(touching)]: touching.fields()} if type(touching) in kinds else {"point": touching}
