"""The model document, version 1: what a model file contains and what the Python API writes. Validated by pydantic.

Numbers may be expressions of the parameters; they are parsed, never evaluated as Python. The fields of joints, drives,
forces, contact laws and frictions come from their declarations in physics/, so a new one needs nothing here: validate.py
reads them there.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field, PlainSerializer

from gaitwright.checks import did_you_mean
from gaitwright.model.fields import (
    THREE,
    TWO,
    Acceleration,
    Angle,
    Area,
    AxialStiffness,
    BendingStiffness,
    Curvature,
    Density,
    Expression,
    Inertia,
    Length,
    Mass,
    MassPerLength,
    Modulus,
    Name,
    Pair,
    Plain,
    PlainTriple,
    Rate,
    Reference,
    SecondMoment,
    Speed,
    Spin,
    Strict,
    Time,
    Title,
    Triple,
    TwoPoints,
    one_or_two,
)
from gaitwright.model.foundation_spec import Foundation
from gaitwright.model.mesh_surface_spec import MeshSurface, written_out
from gaitwright.model.motor_spec import MotorSpec
from gaitwright.model.part_types import PartType
from gaitwright.model.shown_spec import Chart, OutputName, Quantity
from gaitwright.model.spatial_beam_spec import SpatialBeam
from gaitwright.model.spatial_contact_spec import SpatialSurface, contact_class
from gaitwright.model.spatial_spec import SpatialBody, SpatialGround, SpatialLink
from gaitwright.model.worn_spec import Worn
from gaitwright.physics.declare import (
    Attached,
    Chosen,
    ContactLaw,
    Drive,
    Force,
    Friction,
    Joint,
)


class Ground(Strict):
    points: dict[Name, Pair] = {}


class Look(Strict):
    """What a body of the plane looks like in pictures: the outline of a mesh, seen along z."""

    mesh: Annotated[str, Field(max_length=4096)] = Field(description="a file: .stl, .obj, .ply or .dae")
    scale: PlainTriple | None = Field(None, description="how many times as large as in its file it is, along x, y, z")
    at: Pair = [0.0, 0.0]
    angle: Angle = 0.0


class Body(Strict):
    name: Name
    mass: Mass
    inertia: Inertia
    at: Pair = [0.0, 0.0]
    angle: Angle = 0.0
    velocity: Annotated[list[Speed], TWO] | None = None
    spin: Spin | None = None
    points: dict[Name, Pair] = {}
    shapes: list[Look] | None = None


class Link(Strict):
    name: Name
    from_: Name = Field(alias="from")
    to: Name
    length: Length | None = None
    mass: Mass
    inertia: Inertia | None = None
    points: dict[Name, Pair] = {}
    shapes: list[Look] | None = None


class Beam(Strict):
    name: Name
    from_: Name = Field(alias="from")
    to: Name
    length: Length | None = None
    elements: Plain = Field(8.0, description="a number of elements")
    youngs_modulus: Modulus | None = None
    density: Density | None = None
    width: Length | None = None
    height: Length | None = None
    diameter: Length | None = None
    area: Area | None = None
    second_moment: SecondMoment | None = None
    axial_stiffness: AxialStiffness | None = None
    bending_stiffness: BendingStiffness | None = None
    mass_per_length: MassPerLength | None = None
    formulation: Literal["continuum", "takahashi"] = "continuum"
    integration: Literal["full", "reduced"] | None = None
    damping: Time = 0.0
    curvature: Curvature = 0.0
    bow: Literal["left", "right"] | None = None
    prestress: Literal["none", "drawn"] | None = None
    points: dict[Name, Length] = {}


class QuasiStatic(Strict):
    """See quasi_static.py: of a solid that rests at every instant."""

    body: Name | None = None
    plane: Any = None
    line: Any = None
    region: Any = None
    stiffness: Expression | None = None
    copies: Expression = 1.0
    condensed: bool = False
    surface: SpatialSurface | None = None
    friction: Expression | None = None


class Condensed(Strict):
    """Of a solid: nodes that are kept, and whether cells between these stay nonlinear."""

    onto: Any = Field(description="a region, or several, whose nodes are kept")
    skin: bool = True


class Solid(Strict):
    """See solids.py: what a mesh, a place on it and a material are is read there."""

    name: Name
    mesh: Annotated[Any, PlainSerializer(written_out)] = Field(
        description="the name of a file, or a shape such as {box: {...}}"
    )
    unit: str | None = None
    elements: Literal["linear", "quadratic"] | None = None
    at: list[Expression] | None = None
    angle: Angle | None = None
    axis: list[Expression] | None = None
    material: Any = Field(
        description="a material such as {type: neo-hookean, youngs_modulus: 1e6, poissons_ratio: 0.3}"
    )
    density: Density | None = None
    thickness: Length | None = None
    fixed: Any = None
    regions: dict[Name, Any] = {}
    points: dict[Name, list[Expression]] = {}
    velocity: list[Speed] | None = None
    spin: Spin | list[Spin] | None = None
    lumped: bool = False
    quasi_static: QuasiStatic | None = None
    condensed: Condensed | None = None


class Circle(Strict):
    body: Reference = Field(description="its centre: a point, or a body for its centre of mass")
    radius: Length = Field(description="a number of m")


class Along(Strict):
    beam: Name = Field(description="a beam")
    radius: Length | None = Field(None, description="half of its thickness, a number of m")


class Surface(MeshSurface):
    line: Annotated[list[Expression], Field(min_length=3, max_length=3)] | None = None
    polyline: list[Pair] | None = None
    circle: Circle | None = None
    segment: TwoPoints | None = None
    face: TwoPoints | None = None
    velocity: Annotated[list[Speed], TWO] | None = None
    displacement: Pair | None = None


class Material(Strict):
    youngs_modulus: Annotated[Any, one_or_two("Pa")] = Field(description="Young's modulus in Pa")
    poissons_ratio: Annotated[Any, one_or_two("1")] = Field(description="Poisson's ratio")
    density: Annotated[Any, one_or_two("kg/m^3")] = None
    radius: Length | None = None


class Contact(Strict):
    name: Name | None = None
    point: Reference | None = None
    circle: Circle | None = None
    along: Along | None = None
    solid: Name | None = None
    region: Name | None = None
    foundation: Foundation | None = None
    surface: Surface = Field(description="what it touches, such as {line: [0, 1, 0]}")
    law: Any = None
    friction: Any = None
    restitution: Plain | None = None
    material: Material | None = None
    approach_speed: Speed | None = None
    slowest_approach: Speed | None = None


class ContactKind(NamedTuple):
    """What a contact may be, by dimension: its fields, what touches, surfaces, and those of the ground, which may move."""

    of: type[BaseModel]
    touching: tuple[str, ...]
    surfaces: tuple[str, ...]
    moving: tuple[str, ...]


CONTACTS = {
    2: ContactKind(
        Contact, ("point", "circle", "along", "solid", "foundation"),
        ("line", "polyline", "circle", "segment", "face", "mesh", "solid"),
        ("line", "polyline"),
    ),
    3: ContactKind(
        contact_class(Contact), ("point", "points", "sphere", "spheres", "solid", "foundation"),
        ("plane", "sphere", "heights", "mesh", "solid"), ("plane", "heights"),
    ),
}  # fmt: skip


def _method(value: Any) -> str:
    from gaitwright.integrate import load_all as load_methods

    methods = load_methods()
    if not isinstance(value, str) or value not in methods:
        known = sorted(methods)
        raise ValueError(f"is not known; expected one of {', '.join(known)}{did_you_mean(value, known)}")
    return value


class Analysis(Strict):
    type: Literal["kinematic", "forward", "inverse", "static", "modes"] = "forward"
    until: Time | None = None
    step: Time | None = None
    method: Annotated[str, BeforeValidator(_method)] | None = None
    stabilisation: Literal["none", "baumgarte", "projection", "partitioning"] | None = None
    alpha: Rate | None = None
    beta: Rate | None = None
    tolerance: Plain | None = None
    output_step: Time | None = None
    spectral_radius: Plain | None = None
    complementarity: Literal["lemke", "pgs"] | None = None
    joint_velocities: Literal["end", "midpoint"] | None = None
    formulation: Literal["augmented", "embedding"] | None = None
    steps: Plain | None = None
    control: Literal["time", "arc-length"] | None = None
    store: Literal["all"] | list[str] | None = None
    max_steps: Plain | None = None
    max_seconds: Time | None = None


class Gait(Strict):
    """What makes a mechanism a leg, for legs/: see there what the fields mean."""

    feet: Annotated[list[Reference], Field(min_length=1)] = Field(description="the points that touch the ground")
    drive: Name | None = None
    hip: Reference | None = None
    penetration: Length | None = None
    level: Length | None = None
    period: Time | None = None
    body_speed: Speed | None = None
    law: Any = None
    friction: Any = None
    motor: MotorSpec | None = None


class Document(Strict):
    """A whole model."""

    gaitwright: Literal[1] = 1
    name: Title = "mechanism"
    dimension: Literal[2] = Field(2, description="2 for the plane or 3 for space")
    gravity: Annotated[list[Acceleration], TWO] = [0.0, -9.81]
    parameters: dict[Name, Expression] = {}
    series: dict[str, Any] = {}
    ground: Ground = Ground()
    points: dict[Name, Pair] = {}
    velocities: dict[Reference, Annotated[list[Speed], TWO]] = {}
    bodies: list[Body] = []
    links: list[Link] = []
    beams: list[Beam] = []
    solids: list[Solid] = []
    parts: list[dict[str, Any]] = []
    joints: list[dict[str, Any]] = []
    drives: list[dict[str, Any]] = []
    forces: list[dict[str, Any]] = []
    contacts: list[Any] = []
    gait: Gait | None = None
    worn: Worn | None = None
    analysis: Analysis | None = None
    quantities: dict[OutputName, Quantity] = {}
    charts: list[Chart] = []
    outputs: list[OutputName] = []


class SpatialDocument(Document):
    """A whole model in space."""

    dimension: Literal[3] = 3  # type: ignore[assignment]
    gravity: Annotated[list[Acceleration], THREE] = [0.0, 0.0, -9.81]
    ground: SpatialGround = SpatialGround()  # type: ignore[assignment]
    points: dict[Name, Triple] = {}
    velocities: dict[Reference, Annotated[list[Speed], THREE]] = {}
    bodies: list[SpatialBody] = []  # type: ignore[assignment]
    links: list[SpatialLink] = []  # type: ignore[assignment]
    beams: list[SpatialBeam] = []  # type: ignore[assignment]


DOCUMENTS: dict[int, type[Document]] = {2: Document, 3: SpatialDocument}
REGISTRIES: dict[str, dict[int, dict[str, type[Attached]]]] = {
    "parts": PartType.registry,
    "joints": Joint.registry,
    "drives": Drive.registry,
    "forces": Force.registry,
}
CHOICES: dict[str, dict[str, type[Chosen]]] = {"law": ContactLaw.registry, "friction": Friction.registry}
"""What a contact chooses besides its geometry."""
SINGULAR = {"joints": "joint", "drives": "drive", "forces": "force", "bodies": "body", "links": "link",
            "beams": "beam", "solids": "solid", "parts": "part", "charts": "chart"}  # fmt: skip
PLACES = {"points": "point", "velocities": "velocity of", "quantities": "quantity"}
"""How the entries of the sections that map a name to a value are called in messages."""
SECTIONS: dict[str, type[BaseModel]] = {"analysis": Analysis, "ground": Ground, "gait": Gait, "worn": Worn}
"""Sections that are one mapping of fields."""
