"""What differs in a contact of a model in space: spheres instead of circles; planes, spheres and terrains as surfaces."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from gaitwright.model.fields import THREE, Length, Pair, PlainTriple, Reference, Speed, Strict, Triple, number
from gaitwright.model.mesh_surface_spec import MeshSurface

PLANE = "[a, b, c, d] of a x + b y + c z + d = 0, or {point: block.A, normal: [0, 0, 1]}"


class Sphere(Strict):
    body: Reference = Field(description="its centre: a point, or a body for its centre of mass")
    radius: Length = Field(description="a number of m")


class PlaneOfBody(Strict):
    point: Reference = Field(description="a point of the plane, which moves with the body of the point")
    normal: PlainTriple = Field(description="outward normal in the frame of the body, three numbers [x, y, z]")


class Heights(Strict):
    origin: Pair = Field([0.0, 0.0], description="where the grid begins, [x, y] in m")
    spacing: Pair = Field(description="of the grid, [dx, dy] in m")
    z: list[list[Length]] = Field(description="heights in m: one list for each x, with one number for each y")


def _plane(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 4:
        return [number(entry) for entry in value]
    if isinstance(value, (dict, PlaneOfBody)):
        return value
    raise ValueError(f"is not a plane; expected {PLANE}")


class SpatialSurface(MeshSurface):
    plane: Annotated[PlaneOfBody | list[Any], BeforeValidator(_plane)] | None = None
    sphere: Sphere | None = None
    heights: Heights | None = None
    velocity: Annotated[list[Speed], THREE] | None = None
    displacement: Triple | None = None


def _not_along(value: Any) -> None:
    if value is not None:
        raise ValueError(
            "is for beams of the plane; expected points of the beam, such as points: [blade.node3, blade.end]"
        )


def contact_class(base: Any) -> Any:
    """The class of a contact in space, with the fields that it shares with one of the plane."""

    class SpatialContact(base):
        circle: None = Field(None, exclude=True)
        along: Annotated[None, BeforeValidator(_not_along)] = Field(None, exclude=True)
        points: Annotated[list[Reference], Field(min_length=1)] | None = None
        sphere: Sphere | None = None
        spheres: Annotated[list[Sphere], Field(min_length=1)] | None = None
        surface: SpatialSurface = Field(description="what it touches, such as {plane: [0, 0, 1, 0]}")

    return SpatialContact
