"""Surfaces and touching sides of contacts. Each class declares the fields, units and descriptions from which its schema in
model files, the help of the studio and the tables of docs/model-file.md are made, and converts its arguments to an entry.

A new surface is a class here and its reader (reader/planar_contacts.py, reader/spatial_contacts.py), which selects a gap
function of physics/contact_geometry. `python -m gaitwright.model.surfaces` prints the tables.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, get_type_hints

from pydantic import BeforeValidator, Field, PlainSerializer, create_model

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.spec.field_types import (
    THREE_ENTRIES,
    TWO_ENTRIES,
    Angle,
    DimensionlessTriple,
    ExpressionField,
    Length,
    LengthPair,
    LengthTriple,
    Name,
    Reference,
    Speed,
    StrictSpec,
    TwoPoints,
    per_facet_validator,
    serialise_mesh,
    validate_number,
)

NumberLike = float | int | str
VectorLike = Sequence[NumberLike]
MESH_TYPE = Annotated[Any, PlainSerializer(serialise_mesh)]
MESH_TEXT = "the name of a file, or a shape such as {box: {...}}"
PLANE_TEXT = "[a, b, c, d] of a x + b y + c z + d = 0, or {point: block.A, normal: [0, 0, 1]}"


class FileField(NamedTuple):
    """Field of a model file that stores an argument. kind: type with its unit. description: for help texts."""

    kind: Any
    description: str = ""


@functools.cache
def file_fields(cls: Any) -> dict[str, Any]:
    """Type and default of the fields of a class in a model file, by name."""
    hints, result = get_type_hints(cls, include_extras=True), {}
    for class_field in fields(cls):
        for extra in getattr(hints[class_field.name], "__metadata__", ()):
            if isinstance(extra, FileField):
                default: Any = ... if class_field.default is MISSING else class_field.default
                default = list(default) if isinstance(default, tuple) else default
                kind = extra.kind | None if default is None else extra.kind
                result[class_field.name] = (kind, Field(default, description=extra.description or None))
    return result


@functools.cache
def fields_spec(cls: Any) -> Any:
    """Schema of a class whose fields are a mapping in a model file."""
    return create_model(f"_{cls.__name__}Fields", __base__=StrictSpec, **file_fields(cls))


class SurfaceDescription:
    """Base class of all surfaces.

    file_field: name of the surface in model files. file_type: type of its value there; None if its fields are direct fields of
    the surface. dimensions: 2 for the plane, 3 for space. in_files, meaning: row of the table in docs/model-file.md."""

    registry: ClassVar[dict[int, dict[str, type[SurfaceDescription]]]] = {2: {}, 3: {}}
    """Surfaces by dimension and name in model files."""
    file_field: ClassVar[str] = ""
    file_type: ClassVar[Any] = None
    dimensions: ClassVar[tuple[int, ...]] = ()
    in_files: ClassVar[str] = ""
    meaning: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "file_field" in cls.__dict__:
            for dimension in cls.dimensions:
                cls.registry[dimension][cls.file_field] = cls

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
        motion = {"velocity": self.velocity, "displacement": self.displacement}
        return {name: list(value) for name, value in motion.items() if value is not None}


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

    file_field = "line"
    file_type = Annotated[list[ExpressionField], THREE_ENTRIES]
    dimensions = (2,)
    in_files = "line: [a, b, c]"
    meaning = "a x + b y + c = 0 of the ground, without ends; solid where a x + b y + c is negative"
    a: NumberLike
    b: NumberLike
    c: NumberLike

    def entry(self) -> dict[str, Any]:
        return {"line": [self.a, self.b, self.c], **self.motion()}


@dataclass(frozen=True)
class Polyline(MovableGround):
    """Terrain of the ground through points [x, y], m, traversed with the solid on the right: from left to right for a solid
    below. A closed polyline is an obstacle (clockwise) or a room."""

    file_field = "polyline"
    file_type = list[LengthPair]
    dimensions = (2,)
    in_files = "polyline: [[x, y], ...]"
    meaning = "a terrain of the ground. A closed one is an obstacle (clockwise) or a room"
    points: Sequence[VectorLike]

    def entry(self) -> dict[str, Any]:
        return {"polyline": [list(point) for point in self.points], **self.motion()}


@dataclass(frozen=True)
class Circle(SurfaceDescription):
    """Circle of `radius` (m) about a point (`foot.F`, `ground.O`) or about the centre of mass of a body (`ball`)."""

    file_field = "circle"
    dimensions = (2,)
    in_files = "`circle: {body, radius}`"
    meaning = "a circle on another body, or on the ground (`body: ground.O`)"
    body: Annotated[str, FileField(Reference, "its centre: a point, or a body for its centre of mass")]
    radius: Annotated[NumberLike, FileField(Length, "a number of m")]

    def fields(self) -> dict[str, Any]:
        return {"body": self.body, "radius": self.radius}

    def entry(self) -> dict[str, Any]:
        return {"circle": self.fields()}


class CircleSpec(fields_spec(Circle)):
    """Schema of the class Circle in model files."""


Circle.file_type = CircleSpec


@dataclass(frozen=True)
class Along:
    """All nodes of a beam, as the touching side. radius: half of its thickness, m; default that of its section."""

    beam: Annotated[str, FileField(Name, "a beam")]
    radius: Annotated[NumberLike | None, FileField(Length, "half of its thickness, a number of m")] = None

    def fields(self) -> dict[str, Any]:
        return {"beam": self.beam, "radius": self.radius}


class AlongSpec(fields_spec(Along)):
    """Schema of the class Along in model files."""


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

    body: Annotated[
        str, FileField(Reference, "carrier of the layer: a rigid body, or a point of it for the origin of the mesh")
    ]
    mesh: Annotated[Any, FileField(MESH_TYPE, MESH_TEXT)] = None
    region: Annotated[Any, FileField(Name, "of the surface of the mesh; all of it unless given")] = None
    points: Annotated[Any, FileField(list[list[Length]], "middles of facets in the frame of the body, m")] = None
    areas: Annotated[Any, FileField(Annotated[Any, per_facet_validator("m^2")], "of these facets, m^2")] = None
    thickness: Annotated[
        Any, FileField(Annotated[Any, per_facet_validator("m")], "of the layer: a number of m, or one for each facet")
    ] = None
    modulus: Annotated[
        Any, FileField(Annotated[Any, per_facet_validator("Pa")], "Young's modulus in Pa, or one for each facet")
    ] = None
    poisson: Annotated[
        Any, FileField(Annotated[Any, per_facet_validator("1")], "Poisson's ratio, below 1/2, or one for each facet")
    ] = 0.0
    at: Annotated[Sequence[NumberLike] | None, FileField(list[ExpressionField])] = None
    angle: Annotated[NumberLike | None, FileField(Angle)] = None
    axis: Annotated[Sequence[NumberLike] | None, FileField(list[ExpressionField])] = None
    unit: Annotated[str | None, FileField(str)] = None
    width: Annotated[
        NumberLike | None, FileField(Length, "of a foundation in the plane, across it; 1 m unless given")
    ] = None

    def fields(self) -> dict[str, Any]:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        if values["region"] is not None and not isinstance(values["region"], str):
            from gaitwright.model.solid_serialisation import mesh_with_regions

            values["mesh"] = mesh_with_regions(self.mesh, self.unit, {"foundation": self.region})
            values["region"] = "foundation"
        return {
            name: value if name == "mesh" else _to_lists(value) for name, value in values.items() if value is not None
        }


class FoundationSpec(fields_spec(Foundation)):
    """Schema of the class Foundation in model files."""


def _to_lists(value: Any) -> Any:
    """Convert arrays and tuples to lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [_to_lists(part) for part in value] if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True)
class Segment(SurfaceDescription):
    """Thin bar between two points of one body, touched by circles from both sides."""

    file_field = "segment"
    file_type = TwoPoints
    dimensions = (2,)
    in_files = "segment: [A, B]"
    meaning = "a thin bar between two points of one body, touched from both sides; by circles only"
    a: str
    b: str

    def entry(self) -> dict[str, Any]:
        return {"segment": [self.a, self.b]}


@dataclass(frozen=True)
class Face(SurfaceDescription):
    """Side of a body between two of its points, solid on the right of the direction from a to b."""

    file_field = "face"
    file_type = TwoPoints
    dimensions = (2,)
    in_files = "face: [A, B]"
    meaning = (
        "a side of a body between two of its points, solid on the right on the way from A to B, as deep as it is long"
    )
    a: str
    b: str

    def entry(self) -> dict[str, Any]:
        return {"face": [self.a, self.b]}


# In space -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlaneGround(MovableGround):
    """Level ground in space, solid below the height `level` (m)."""

    level: NumberLike = 0.0

    def entry(self) -> dict[str, Any]:
        level = f"-({self.level})" if isinstance(self.level, str) else 0.0 - self.level
        return {"plane": [0.0, 0.0, 1.0, level], **self.motion()}


@dataclass(frozen=True)
class PlaneOfBody(SurfaceDescription):
    """Plane through a point of a body (`block.A`) that moves with it; normal: outward, in the body frame."""

    point: Annotated[str, FileField(Reference, "a point of the plane, which moves with the body of the point")]
    normal: Annotated[
        Sequence[NumberLike],
        FileField(DimensionlessTriple, "outward normal in the frame of the body, three numbers [x, y, z]"),
    ]

    def entry(self) -> dict[str, Any]:
        return {"plane": {"point": self.point, "normal": list(self.normal)}}


class PlaneOfBodySpec(fields_spec(PlaneOfBody)):
    """Schema of the class PlaneOfBody in model files."""


def _validate_plane(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 4:
        return [validate_number(entry) for entry in value]
    if isinstance(value, (dict, PlaneOfBodySpec)):
        return value
    raise ValueError(f"is not a plane; expected {PLANE_TEXT}")


@dataclass(frozen=True)
class Plane(MovableGround):
    """Plane a x + b y + c z + d = 0 of the ground, solid where the expression is negative."""

    file_field = "plane"
    file_type = Annotated[PlaneOfBodySpec | list[Any], BeforeValidator(_validate_plane)]
    dimensions = (3,)
    in_files = "plane: [a, b, c, d], or `{point: block.A, normal: [x, y, z]}`"
    meaning = (
        "a x + b y + c z + d = 0 of the ground, without ends, solid where it is negative; or a plane through a point of a "
        "body, which moves with it, with the outward normal in its frame"
    )
    a: NumberLike
    b: NumberLike
    c: NumberLike
    d: NumberLike

    def entry(self) -> dict[str, Any]:
        return {"plane": [self.a, self.b, self.c, self.d], **self.motion()}


@dataclass(frozen=True)
class Sphere(SurfaceDescription):
    """Sphere of `radius` (m) about a point (`foot.heel`, `ground.O`) or about the centre of mass of a body (`ball`)."""

    file_field = "sphere"
    dimensions = (3,)
    in_files = "`sphere: {body, radius}`"
    meaning = "a sphere on another body, or on the ground (`body: ground.O`)"
    body: Annotated[str, FileField(Reference, "its centre: a point, or a body for its centre of mass")]
    radius: Annotated[NumberLike, FileField(Length, "a number of m")]

    def fields(self) -> dict[str, Any]:
        return {"body": self.body, "radius": self.radius}

    def entry(self) -> dict[str, Any]:
        return {"sphere": self.fields()}


class SphereSpec(fields_spec(Sphere)):
    """Schema of the class Sphere in model files."""


Sphere.file_type = SphereSpec


@dataclass(frozen=True)
class HeightField(MovableGround):
    """Terrain of the ground, solid below: z[i][j], m, is its height at (x0 + i dx, y0 + j dy), with origin (x0, y0) and
    spacing (dx, dy), m; a smooth surface interpolates the heights."""

    file_field = "heights"
    dimensions = (3,)
    in_files = "`heights: {origin: [x0, y0], spacing: [dx, dy], z: [[...], ...]}`"
    meaning = (
        "a terrain of the ground: `z[i][j]` is the height at (x0 + i dx, y0 + j dy); a smooth surface interpolates the points, "
        "and there is no surface beyond them"
    )
    z: Annotated[
        Sequence[Sequence[NumberLike]],
        FileField(list[list[Length]], "heights in m: one list for each x, with one number for each y"),
    ]
    spacing: Annotated[VectorLike, FileField(LengthPair, "of the grid, [dx, dy] in m")]
    origin: Annotated[VectorLike, FileField(LengthPair, "where the grid begins, [x, y] in m")] = (0.0, 0.0)

    def entry(self) -> dict[str, Any]:
        z = [[value if isinstance(value, str) else float(value) for value in row] for row in self.z]
        return {"heights": {"origin": list(self.origin), "spacing": list(self.spacing), "z": z}, **self.motion()}


class HeightFieldSpec(fields_spec(HeightField)):
    """Schema of the class HeightField in model files."""


HeightField.file_type = HeightFieldSpec


# In the plane and in space -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeshSurface(SurfaceDescription):
    """Surface of a mesh (in the plane: its outline), fixed to a rigid body, solid behind its faces.

    mesh: a gw.mesh.Mesh, a file, or a shape as in a model file; in the frame of `body`, or with the origin at a point of it
    (`shoe.heel`); default on the ground. at: m, position of its origin there; angle (rad), axis: rotation before that.
    unit: of the file. distance: "exact", or "approximate" as in paper 004, for points."""

    file_field = "mesh"
    dimensions = (2, 3)
    in_files = "`mesh: ...`"
    meaning = "the surface of a mesh; in the plane its outline, see [meshes](#meshes-as-surfaces)"
    mesh: Annotated[Any, FileField(MESH_TYPE, MESH_TEXT)]
    body: Annotated[str | None, FileField(Reference, "carrier of the mesh; the ground unless given")] = None
    at: Annotated[Sequence[NumberLike] | None, FileField(list[ExpressionField])] = None
    angle: Annotated[NumberLike | None, FileField(Angle)] = None
    axis: Annotated[Sequence[NumberLike] | None, FileField(list[ExpressionField])] = None
    unit: Annotated[str | None, FileField(str)] = None
    distance: Annotated[str | None, FileField(Literal["exact", "approximate"])] = None

    def entry(self) -> dict[str, Any]:
        values = {"mesh": self.mesh, "body": self.body, "at": self.at, "angle": self.angle, "axis": self.axis}
        values |= {"unit": self.unit, "distance": self.distance}
        return {key: list(v) if key in ("at", "axis") else v for key, v in values.items() if v is not None}


@dataclass(frozen=True)
class SolidSurface(SurfaceDescription):
    """Surface of a deformable solid, or of a region of it; touched by gw.surfaces.Skin of another solid, by points, and by
    gw.surfaces.Foundation of a rigid body.

    both_ways: if True, each of two solids touches the other, with half of the pressure; otherwise only the points of the
    one touch the faces of the other."""

    file_field = "solid"
    dimensions = (2, 3)
    in_files = "solid, region, both_ways"
    meaning = "the surface of a solid, or a region of it, see [contact of solids](theory/contact.md)"
    solid: Annotated[str, FileField(Name, "a solid, which deforms")]
    region: Annotated[str | None, FileField(Name, "of its surface")] = None
    both_ways: Annotated[bool, FileField(bool)] = False

    def entry(self) -> dict[str, Any]:
        values = {"solid": self.solid, "region": self.region, "both_ways": self.both_ways or None}
        return {key: value for key, value in values.items() if value is not None}


def surface_fields(dimension: int) -> dict[str, Any]:
    """Type and default of all fields of a surface in model files: those of every surface, and its motion."""
    result: dict[str, Any] = {}
    for name, kind in SurfaceDescription.registry[dimension].items():
        if kind.file_type is None:
            for field, (value, default) in file_fields(kind).items():
                result[field] = (value | None, Field(None, description=default.description))
        else:
            result[name] = (kind.file_type | None, None)
    entries, length = (TWO_ENTRIES, LengthPair) if dimension == 2 else (THREE_ENTRIES, LengthTriple)
    velocity: Any = Annotated[list[Speed], entries]
    displacement: Any = length
    return result | {"velocity": (velocity | None, None), "displacement": (displacement | None, None)}


def movable_surfaces(dimension: int) -> tuple[str, ...]:
    """Names of the surfaces of the ground that may move."""
    kinds = SurfaceDescription.registry[dimension].items()
    return tuple(name for name, kind in kinds if issubclass(kind, MovableGround))


SURFACE_BY_FIELD = {
    field: name
    for kinds in SurfaceDescription.registry.values()
    for name, kind in kinds.items()
    if kind.file_type is None
    for field in file_fields(kind)
    if field != name
}
"""Surface to which a field belongs that is a direct field of the surface in model files."""


def surface_table(dimension: int) -> str:
    """Table of the surfaces in Markdown, for the documentation."""
    rows = [f"| {kind.in_files} | {kind.meaning} |" for kind in SurfaceDescription.registry[dimension].values()]
    return "\n".join(["| surface | meaning |", "| --- | --- |", *rows])


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


if __name__ == "__main__":
    print(surface_table(2), surface_table(3), sep="\n\n")
