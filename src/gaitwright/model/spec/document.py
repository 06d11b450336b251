"""Model document, version 1: the content of a model file, also written by the Python API. Validated by pydantic.

Numbers may be expressions of the parameters; they are parsed, never evaluated as Python. The fields of joints, drives,
forces, contact laws and frictions come from their declarations in physics/, so a new one needs no change here: validation.py
reads the declarations.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field, PlainSerializer, create_model

from gaitwright._core.error_context import suggest_spelling
from gaitwright.analysis.options import ANALYSES, ANALYSIS_OPTIONS
from gaitwright.model.part_types import PartType
from gaitwright.model.spec.device import DeviceSpec
from gaitwright.model.spec.field_types import (
    THREE_ENTRIES,
    TWO_ENTRIES,
    Acceleration,
    Angle,
    AngularVelocity,
    Area,
    AxialStiffness,
    BendingStiffness,
    Curvature,
    Density,
    Dimensionless,
    DimensionlessTriple,
    ExpressionField,
    Inertia,
    Length,
    LengthPair,
    LengthTriple,
    Mass,
    MassPerLength,
    Modulus,
    Name,
    Reference,
    SecondMoment,
    Speed,
    StrictSpec,
    Time,
    Title,
    one_or_two_validator,
    serialise_mesh,
    unit_validator,
)
from gaitwright.model.spec.outputs import ChartSpec, OutputName, UserOutputField
from gaitwright.model.spec.spatial_beam import SpatialBeamSpec
from gaitwright.model.spec.spatial_bodies import SpatialBodySpec, SpatialGroundSpec, SpatialLinkSpec
from gaitwright.model.surfaces import (
    AlongSpec,
    CircleSpec,
    FoundationSpec,
    SphereSpec,
    SurfaceDescription,
    movable_surfaces,
    surface_fields,
)
from gaitwright.physics.declarations import (
    AttachedDeclaration,
    ContactLaw,
    Drive,
    Force,
    Friction,
    Joint,
    UnattachedDeclaration,
)


class GroundSpec(StrictSpec):
    points: dict[Name, LengthPair] = {}


class PlanarShapeSpec(StrictSpec):
    """Shape of a planar body in pictures: the outline of a mesh, seen along z."""

    mesh: Annotated[str, Field(max_length=4096)] = Field(description="a file: .stl, .obj, .ply or .dae")
    scale: DimensionlessTriple | None = Field(
        None, description="how many times as large as in its file it is, along x, y, z"
    )
    at: LengthPair = [0.0, 0.0]
    angle: Angle = 0.0


class BodySpec(StrictSpec):
    name: Name
    mass: Mass
    inertia: Inertia
    at: LengthPair = [0.0, 0.0]
    angle: Angle = 0.0
    velocity: Annotated[list[Speed], TWO_ENTRIES] | None = None
    spin: AngularVelocity | None = None
    points: dict[Name, LengthPair] = {}
    shapes: list[PlanarShapeSpec] | None = None


class LinkSpec(StrictSpec):
    name: Name
    from_: Name = Field(alias="from")
    to: Name
    length: Length | None = None
    mass: Mass
    inertia: Inertia | None = None
    points: dict[Name, LengthPair] = {}
    shapes: list[PlanarShapeSpec] | None = None


class BeamSpec(StrictSpec):
    name: Name
    from_: Name = Field(alias="from")
    to: Name
    length: Length | None = None
    elements: Dimensionless = Field(8.0, description="a number of elements")
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


_PlanarSurfaceFields: Any = create_model("_PlanarSurfaceFields", __base__=StrictSpec, **surface_fields(2))
_SpatialSurfaceFields: Any = create_model("_SpatialSurfaceFields", __base__=StrictSpec, **surface_fields(3))


class SurfaceSpec(_PlanarSurfaceFields):
    """Surface of a planar contact, with the fields of model/surfaces.py."""


class SpatialSurfaceSpec(_SpatialSurfaceFields):
    """Surface of a spatial contact, with the fields of model/surfaces.py."""


class QuasiStaticSpec(StrictSpec):
    """Quasi-static solid; see reader/quasi_static_solids.py."""

    body: Name | None = None
    plane: Any = None
    line: Any = None
    region: Any = None
    stiffness: ExpressionField | None = None
    copies: ExpressionField = 1.0
    condensed: bool = False
    surface: SpatialSurfaceSpec | None = None
    friction: ExpressionField | None = None


class CondensationSpec(StrictSpec):
    """Condensation of a solid: the retained nodes, and True if cells between them stay nonlinear."""

    onto: Any = Field(description="a region, or several, whose nodes are kept")
    skin: bool = True


class SolidSpec(StrictSpec):
    """Solid. Meshes, selectors and materials are validated in reader/solids.py."""

    name: Name
    mesh: Annotated[Any, PlainSerializer(serialise_mesh)] = Field(
        description="the name of a file, or a shape such as {box: {...}}"
    )
    unit: str | None = None
    elements: Literal["linear", "quadratic"] | None = None
    at: list[ExpressionField] | None = None
    angle: Angle | None = None
    axis: list[ExpressionField] | None = None
    material: Any = Field(
        description="a material such as {type: neo-hookean, youngs_modulus: 1e6, poissons_ratio: 0.3}"
    )
    density: Density | None = None
    thickness: Length | None = None
    fixed: Any = None
    regions: dict[Name, Any] = {}
    points: dict[Name, list[ExpressionField]] = {}
    velocity: list[Speed] | None = None
    spin: AngularVelocity | list[AngularVelocity] | None = None
    lumped: bool = False
    quasi_static: QuasiStaticSpec | None = None
    condensed: CondensationSpec | None = None


class ContactMaterialSpec(StrictSpec):
    youngs_modulus: Annotated[Any, one_or_two_validator("Pa")] = Field(description="Young's modulus in Pa")
    poissons_ratio: Annotated[Any, one_or_two_validator("1")] = Field(description="Poisson's ratio")
    density: Annotated[Any, one_or_two_validator("kg/m^3")] = None
    radius: Length | None = None


class ContactSpec(StrictSpec):
    name: Name | None = None
    point: Reference | None = None
    circle: CircleSpec | None = None
    along: AlongSpec | None = None
    solid: Name | None = None
    region: Name | None = None
    foundation: FoundationSpec | None = None
    surface: SurfaceSpec = Field(description="what it touches, such as {line: [0, 1, 0]}")
    law: Any = None
    friction: Any = None
    restitution: Dimensionless | None = None
    material: ContactMaterialSpec | None = None
    approach_speed: Speed | None = None
    slowest_approach: Speed | None = None


def _reject_along(value: Any) -> None:
    if value is not None:
        raise ValueError(
            "is for beams of the plane; expected points of the beam, such as points: [blade.node3, blade.end]"
        )


class SpatialContactSpec(ContactSpec):
    """Contact in space: spheres instead of circles, several touching points, no beams."""

    circle: None = Field(None, exclude=True)
    along: Annotated[None, BeforeValidator(_reject_along)] = Field(None, exclude=True)
    points: Annotated[list[Reference], Field(min_length=1)] | None = None
    sphere: SphereSpec | None = None
    spheres: Annotated[list[SphereSpec], Field(min_length=1)] | None = None
    surface: SpatialSurfaceSpec = Field(description="what it touches, such as {plane: [0, 0, 1, 0]}")  # type: ignore[assignment]


class ContactKind(NamedTuple):
    """Possible contacts by dimension: fields, kinds of touching sides, kinds of surfaces, and movable ground surfaces."""

    of: type[BaseModel]
    touching: tuple[str, ...]
    surfaces: tuple[str, ...]
    moving: tuple[str, ...]


CONTACT_KINDS = {
    2: ContactKind(
        ContactSpec, ("point", "circle", "along", "solid", "foundation"),
        tuple(SurfaceDescription.registry[2]), movable_surfaces(2),
    ),
    3: ContactKind(
        SpatialContactSpec, ("point", "points", "sphere", "spheres", "solid", "foundation"),
        tuple(SurfaceDescription.registry[3]), movable_surfaces(3),
    ),
}  # fmt: skip


def _validate_method(value: Any) -> str:
    from gaitwright.integrate import load_all as load_methods

    methods = load_methods()
    if not isinstance(value, str) or value not in methods:
        known = sorted(methods)
        raise ValueError(f"is not known; expected one of {', '.join(known)}{suggest_spelling(value, known)}")
    return value


def _analysis_fields() -> dict[str, Any]:
    """Fields of the section `analysis`, from the table of options."""
    fields: dict[str, Any] = {"type": (Literal[ANALYSES], "forward")}
    for name, option in ANALYSIS_OPTIONS.items():
        if option.choices:
            kind: Any = Literal[option.choices]
        elif option.unit is not None:
            kind = Annotated[float | str, unit_validator(option.unit)]
        else:
            kind = {"method": Annotated[str, BeforeValidator(_validate_method)], "store": Literal["all"] | list[str]}[
                name
            ]
        if option.in_files:
            fields[name] = (kind | None, Field(None, description=option.plain_text))
    return fields


_AnalysisFields: Any = create_model("_AnalysisFields", __base__=StrictSpec, **_analysis_fields())


class AnalysisSpec(_AnalysisFields):
    """Section `analysis`: the type of analysis, and its options from analysis/options.py."""


Torque = Annotated[float | str, unit_validator("N m")]
ElectricalValue = Dimensionless
"""V, A, ohm, N m/A: units that model files do not support."""


class MotorSpec(StrictSpec):
    """DC motor with its gear; see legs/motor.py for the fields."""

    voltage: ElectricalValue = Field(description="the supply voltage, V")
    stall_torque: Torque | None = None
    no_load_speed: AngularVelocity | None = None
    resistance: ElectricalValue | None = None
    torque_constant: ElectricalValue | None = None
    no_load_current: ElectricalValue = 0.0
    max_current: ElectricalValue | None = None
    continuous_torque: Torque | None = None
    rotor_inertia: Inertia = 0.0
    gear_ratio: Dimensionless = 1.0
    gear_efficiency: Dimensionless = 1.0
    backdrive_efficiency: Dimensionless | None = None


class GaitSpec(StrictSpec):
    """Declaration of a mechanism as a leg; legs/ defines the fields."""

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


class ModelDocument(StrictSpec):
    """Whole planar model, and base of the spatial one."""

    gaitwright: Literal[1] = 1
    name: Title = "mechanism"
    dimension: Literal[2] = Field(2, description="2 for the plane or 3 for space")
    gravity: Annotated[list[Acceleration], TWO_ENTRIES] = [0.0, -9.81]
    parameters: dict[Name, ExpressionField] = {}
    series: dict[str, Any] = {}
    ground: GroundSpec = GroundSpec()
    points: dict[Name, LengthPair] = {}
    velocities: dict[Reference, Annotated[list[Speed], TWO_ENTRIES]] = {}
    bodies: list[BodySpec] = []
    links: list[LinkSpec] = []
    beams: list[BeamSpec] = []
    solids: list[SolidSpec] = []
    parts: list[dict[str, Any]] = []
    joints: list[dict[str, Any]] = []
    drives: list[dict[str, Any]] = []
    forces: list[dict[str, Any]] = []
    contacts: list[Any] = []
    gait: GaitSpec | None = None
    worn: DeviceSpec | None = None
    analysis: AnalysisSpec | None = None
    quantities: dict[OutputName, UserOutputField] = {}
    charts: list[ChartSpec] = []
    outputs: list[OutputName] = []


class SpatialModelDocument(ModelDocument):
    """Whole spatial model."""

    dimension: Literal[3] = 3  # type: ignore[assignment]
    gravity: Annotated[list[Acceleration], THREE_ENTRIES] = [0.0, 0.0, -9.81]
    ground: SpatialGroundSpec = SpatialGroundSpec()  # type: ignore[assignment]
    points: dict[Name, LengthTriple] = {}
    velocities: dict[Reference, Annotated[list[Speed], THREE_ENTRIES]] = {}
    bodies: list[SpatialBodySpec] = []  # type: ignore[assignment]
    links: list[SpatialLinkSpec] = []  # type: ignore[assignment]
    beams: list[SpatialBeamSpec] = []  # type: ignore[assignment]


DOCUMENT_TYPES: dict[int, type[ModelDocument]] = {2: ModelDocument, 3: SpatialModelDocument}
ELEMENT_REGISTRIES: dict[str, dict[int, dict[str, type[AttachedDeclaration]]]] = {
    "parts": PartType.registry,
    "joints": Joint.registry,
    "drives": Drive.registry,
    "forces": Force.registry,
}
CONTACT_CHOICE_REGISTRIES: dict[str, dict[str, type[UnattachedDeclaration]]] = {
    "law": ContactLaw.registry,
    "friction": Friction.registry,
}
"""Choices of a contact besides its geometry."""
SECTION_NOUNS = {"joints": "joint", "drives": "drive", "forces": "force", "bodies": "body", "links": "link",
            "beams": "beam", "solids": "solid", "parts": "part", "charts": "chart"}  # fmt: skip
MAPPING_ENTRY_NOUNS = {"points": "point", "velocities": "velocity of", "quantities": "quantity"}
"""Nouns in messages for the entries of sections that map a name to a value."""
SECTION_SPECS: dict[str, type[BaseModel]] = {
    "analysis": AnalysisSpec,
    "ground": GroundSpec,
    "gait": GaitSpec,
    "worn": DeviceSpec,
}
"""Sections that consist of one mapping of fields."""
