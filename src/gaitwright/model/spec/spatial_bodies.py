"""Schema of spatial bodies, links and ground: orientation, centre of mass, inertia tensor and shapes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from gaitwright.model.spec.field_types import (
    THREE_ENTRIES,
    TWO_ENTRIES,
    AnglesInDegrees,
    AngularVelocity,
    Dimensionless,
    DimensionlessTriple,
    Length,
    LengthTriple,
    Mass,
    Name,
    Speed,
    StrictSpec,
    validate_number,
)
from gaitwright.physics.drives.orientation import AXIS_SEQUENCES

Quaternion = Annotated[list[Dimensionless], Field(min_length=4, max_length=4)]
INERTIA_TEXT = "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] about the centre of mass in the body frame, kg m^2"


def _validate_inertia(value: Any) -> Any:
    if not isinstance(value, list) or len(value) not in (3, 6) or any(isinstance(entry, list) for entry in value):
        raise ValueError(f"is not a tensor of inertia; expected {INERTIA_TEXT}")
    return [validate_number(entry, "kg m^2") for entry in value]


class OrientationSpec(StrictSpec):
    """Orientation of a frame: one of quaternion, angles (degrees) or axes."""

    quaternion: Quaternion | None = Field(None, description="four numbers [w, x, y, z]")
    angles: AnglesInDegrees | None = Field(None, description="three angles in degrees")
    sequence: Literal[AXIS_SEQUENCES] | None = None  # type: ignore[valid-type]
    axes: Annotated[list[DimensionlessTriple], THREE_ENTRIES] | None = None


class BodyShapeSpec(StrictSpec):
    """Shape of a body in pictures: one of box, sphere, cylinder, capsule, cone, mesh; long shapes lie along z."""

    box: LengthTriple | None = Field(None, description="its three sides, m")
    sphere: Length | None = Field(None, description="its radius, m")
    cylinder: Annotated[list[Length], TWO_ENTRIES] | None = None
    capsule: Annotated[list[Length], TWO_ENTRIES] | None = None
    cone: Annotated[list[Length], TWO_ENTRIES] | None = None
    mesh: Annotated[str, Field(max_length=4096)] | None = Field(None, description="a file: .stl, .obj, .ply or .dae")
    scale: DimensionlessTriple | None = Field(
        None, description="how many times as large as in its file a mesh is, along x, y, z"
    )
    colour: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")] | None = Field(
        None, description="a colour such as '#a0b0c0'; that of its body unless given"
    )
    at: LengthTriple = [0.0, 0.0, 0.0]
    orientation: OrientationSpec | None = None


BODY_SHAPE_KINDS = ("box", "sphere", "cylinder", "capsule", "cone", "mesh")


class SpatialGroundSpec(StrictSpec):
    points: dict[Name, LengthTriple] = {}
    shapes: list[BodyShapeSpec] = []


class SpatialBodySpec(StrictSpec):
    name: Name
    mass: Mass
    inertia: Annotated[list[Any], BeforeValidator(_validate_inertia)] = Field(description=INERTIA_TEXT)
    centre: LengthTriple = [0.0, 0.0, 0.0]
    at: LengthTriple = [0.0, 0.0, 0.0]
    orientation: OrientationSpec | None = None
    velocity: Annotated[list[Speed], THREE_ENTRIES] | None = None
    spin: Annotated[list[AngularVelocity], THREE_ENTRIES] | None = None
    points: dict[Name, LengthTriple] = {}
    shapes: list[BodyShapeSpec] = []


class SpatialLinkSpec(StrictSpec):
    name: Name
    from_: Name = Field(alias="from")
    to: Name
    length: Length | None = None
    mass: Mass
    radius: Length = Field(description="its radius, a number of m")
    points: dict[Name, LengthTriple] = {}
