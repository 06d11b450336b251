"""Schema of a spatial contact: spheres instead of circles; planes, spheres and terrains as surfaces."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from gaitwright.model.spec.field_types import (
    THREE_ENTRIES,
    DimensionlessTriple,
    Length,
    LengthPair,
    LengthTriple,
    Reference,
    Speed,
    StrictSpec,
    validate_number,
)
from gaitwright.model.spec.mesh_surface import MeshSurfaceSpec

PLANE_TEXT = "[a, b, c, d] of a x + b y + c z + d = 0, or {point: block.A, normal: [0, 0, 1]}"


class SphereSpec(StrictSpec):
    body: Reference = Field(description="its centre: a point, or a body for its centre of mass")
    radius: Length = Field(description="a number of m")


class PlaneOfBodySpec(StrictSpec):
    point: Reference = Field(description="a point of the plane, which moves with the body of the point")
    normal: DimensionlessTriple = Field(description="outward normal in the frame of the body, three numbers [x, y, z]")


class HeightFieldSpec(StrictSpec):
    origin: LengthPair = Field([0.0, 0.0], description="where the grid begins, [x, y] in m")
    spacing: LengthPair = Field(description="of the grid, [dx, dy] in m")
    z: list[list[Length]] = Field(description="heights in m: one list for each x, with one number for each y")


def _validate_plane(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 4:
        return [validate_number(entry) for entry in value]
    if isinstance(value, (dict, PlaneOfBodySpec)):
        return value
    raise ValueError(f"is not a plane; expected {PLANE_TEXT}")


class SpatialSurfaceSpec(MeshSurfaceSpec):
    plane: Annotated[PlaneOfBodySpec | list[Any], BeforeValidator(_validate_plane)] | None = None
    sphere: SphereSpec | None = None
    heights: HeightFieldSpec | None = None
    velocity: Annotated[list[Speed], THREE_ENTRIES] | None = None
    displacement: LengthTriple | None = None


def _reject_along(value: Any) -> None:
    if value is not None:
        raise ValueError(
            "is for beams of the plane; expected points of the beam, such as points: [blade.node3, blade.end]"
        )


def make_spatial_contact_spec(base: Any) -> Any:
    """Class of a spatial contact, derived from the planar one."""

    class SpatialContact(base):
        circle: None = Field(None, exclude=True)
        along: Annotated[None, BeforeValidator(_reject_along)] = Field(None, exclude=True)
        points: Annotated[list[Reference], Field(min_length=1)] | None = None
        sphere: SphereSpec | None = None
        spheres: Annotated[list[SphereSpec], Field(min_length=1)] | None = None
        surface: SpatialSurfaceSpec = Field(description="what it touches, such as {plane: [0, 0, 1, 0]}")

    return SpatialContact
