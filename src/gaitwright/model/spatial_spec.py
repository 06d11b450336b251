"""What differs in the document of a model in space: bodies with orientation, centre of mass and inertia tensor."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from gaitwright.model.fields import (
    THREE,
    TWO,
    Degrees,
    Length,
    Mass,
    Name,
    Plain,
    PlainTriple,
    Speed,
    Spin,
    Strict,
    Triple,
    number,
)
from gaitwright.physics.drives.orientation import SEQUENCES

Four = Annotated[list[Plain], Field(min_length=4, max_length=4)]
INERTIA = "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] about the centre of mass in the body frame, kg m^2"


def _inertia(value: Any) -> Any:
    if not isinstance(value, list) or len(value) not in (3, 6) or any(isinstance(entry, list) for entry in value):
        raise ValueError(f"is not a tensor of inertia; expected {INERTIA}")
    return [number(entry, "kg m^2") for entry in value]


class Orientation(Strict):
    """How a frame is turned: one of quaternion, angles (degrees) or axes."""

    quaternion: Four | None = Field(None, description="four numbers [w, x, y, z]")
    angles: Degrees | None = Field(None, description="three angles in degrees")
    sequence: Literal[SEQUENCES] | None = None  # type: ignore[valid-type]
    axes: Annotated[list[PlainTriple], THREE] | None = None


class Shape(Strict):
    """What a body looks like in pictures: one of box, sphere, cylinder, capsule, cone, mesh; what is long lies along z."""

    box: Triple | None = Field(None, description="its three sides, m")
    sphere: Length | None = Field(None, description="its radius, m")
    cylinder: Annotated[list[Length], TWO] | None = None
    capsule: Annotated[list[Length], TWO] | None = None
    cone: Annotated[list[Length], TWO] | None = None
    mesh: Annotated[str, Field(max_length=4096)] | None = Field(None, description="a file: .stl, .obj, .ply or .dae")
    scale: PlainTriple | None = Field(
        None, description="how many times as large as in its file a mesh is, along x, y, z"
    )
    colour: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")] | None = Field(
        None, description="a colour such as '#a0b0c0'; that of its body unless given"
    )
    at: Triple = [0.0, 0.0, 0.0]
    orientation: Orientation | None = None


SHAPES = ("box", "sphere", "cylinder", "capsule", "cone", "mesh")


class SpatialGround(Strict):
    points: dict[Name, Triple] = {}
    shapes: list[Shape] = []


class SpatialBody(Strict):
    name: Name
    mass: Mass
    inertia: Annotated[list[Any], BeforeValidator(_inertia)] = Field(description=INERTIA)
    centre: Triple = [0.0, 0.0, 0.0]
    at: Triple = [0.0, 0.0, 0.0]
    orientation: Orientation | None = None
    velocity: Annotated[list[Speed], THREE] | None = None
    spin: Annotated[list[Spin], THREE] | None = None
    points: dict[Name, Triple] = {}
    shapes: list[Shape] = []


class SpatialLink(Strict):
    name: Name
    from_: Name = Field(alias="from")
    to: Name
    length: Length | None = None
    mass: Mass
    radius: Length = Field(description="its radius, a number of m")
    points: dict[Name, Triple] = {}
