"""The model document, version 1: what a model file contains and what the Python API writes. Validated by pydantic.

Numbers may be expressions of the parameters; they are parsed, never evaluated as Python. The fields of joints, drives,
forces, contact laws and frictions come from their declarations in physics/, so a new one needs nothing here.
"""

from __future__ import annotations

import functools
import re
from typing import Annotated, Any, Literal, NamedTuple, Optional, get_args

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, create_model

from gaitwright.checks import At, did_you_mean, offer
from gaitwright.errors import ModelError
from gaitwright.messages import explain
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
    matching,
    numbers,
    of,
    one_or_two,
)
from gaitwright.model.part_types import PartType
from gaitwright.model.series import read_series
from gaitwright.model.spatial_contact_spec import contact_class
from gaitwright.model.spatial_spec import SpatialBody, SpatialGround, SpatialLink
from gaitwright.physics import load_all
from gaitwright.physics.declare import (
    DRAWN,
    VECTORS,
    Attached,
    Choice,
    Chosen,
    Computed,
    ContactLaw,
    Declaration,
    Drive,
    Force,
    Frame,
    Friction,
    Joint,
    Number,
    Place,
    Point,
    Span,
    Travel,
)


class Ground(Strict):
    points: dict[Name, Pair] = {}


class Body(Strict):
    name: Name
    mass: Mass
    inertia: Inertia
    at: Pair = [0.0, 0.0]
    angle: Angle = 0.0
    velocity: Annotated[list[Speed], TWO] | None = None
    spin: Spin | None = None
    points: dict[Name, Pair] = {}


class Link(Strict):
    name: Name
    from_: Name = Field(alias="from")
    to: Name
    length: Length | None = None
    mass: Mass
    inertia: Inertia | None = None
    points: dict[Name, Pair] = {}


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


class Circle(Strict):
    body: Reference = Field(description="its centre: a point, or a body for its centre of mass")
    radius: Length = Field(description="a number of m")


class Along(Strict):
    beam: Name = Field(description="a beam")
    radius: Length | None = Field(None, description="half of its thickness, a number of m")


class Surface(Strict):
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
        Contact, ("point", "circle", "along"), ("line", "polyline", "circle", "segment", "face"), ("line", "polyline")
    ),
    3: ContactKind(
        contact_class(Contact), ("point", "points", "sphere", "spheres"), ("plane", "sphere", "heights"),
        ("plane", "heights"),
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
    stabilisation: Literal["none", "baumgarte", "projection"] | None = None
    alpha: Rate | None = None
    beta: Rate | None = None
    tolerance: Plain | None = None
    output_step: Time | None = None
    spectral_radius: Plain | None = None
    complementarity: Literal["lemke", "pgs"] | None = None
    steps: Plain | None = None
    control: Literal["time", "arc-length"] | None = None
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
    parts: list[dict[str, Any]] = []
    joints: list[dict[str, Any]] = []
    drives: list[dict[str, Any]] = []
    forces: list[dict[str, Any]] = []
    contacts: list[Any] = []
    gait: Gait | None = None
    analysis: Analysis | None = None
    outputs: list[Annotated[str, matching(re.compile(r"[\w.:-]+"), "an output, such as crank.torque")]] = []


class SpatialDocument(Document):
    """A whole model in space."""

    dimension: Literal[3] = 3  # type: ignore[assignment]
    gravity: Annotated[list[Acceleration], THREE] = [0.0, 0.0, -9.81]
    ground: SpatialGround = SpatialGround()  # type: ignore[assignment]
    points: dict[Name, Triple] = {}
    velocities: dict[Reference, Annotated[list[Speed], THREE]] = {}
    bodies: list[SpatialBody] = []  # type: ignore[assignment]
    links: list[SpatialLink] = []  # type: ignore[assignment]


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
            "beams": "beam", "parts": "part"}  # fmt: skip
PLACES = {"points": "point", "velocities": "velocity of", "parameters": "parameters"}
"""How the entries of the sections that map a name to a value are called in messages."""


SECTIONS: dict[str, type[BaseModel]] = {"analysis": Analysis, "ground": Ground, "gait": Gait}
"""Sections that are one mapping of fields."""


def _field(parameter: Any, dimension: int) -> Any:
    required = ... if parameter.default is None else None
    if isinstance(parameter, Choice):
        return Literal[tuple(parameter.options)], parameter.default  # type: ignore[valid-type]
    count = len(getattr(parameter, "parts", ()))
    if count or isinstance(parameter, VECTORS) or getattr(parameter, "vector", False):
        kind = numbers(parameter.unit, count or dimension)
        drawn = parameter.default is DRAWN or not parameter.default
        given = required if drawn else list(parameter.default or ())
        return (kind if required is ... else Optional[kind]), given  # noqa: UP045
    default = required if required is ... or isinstance(parameter, Number) else (parameter.default or None)
    single = Annotated[float | str, of(parameter.unit)]
    return (single if required is ... else Optional[single]), default  # noqa: UP045


@functools.cache
def element_class(
    declaration: type[Declaration], computed: tuple[str, ...] = (), dimension: int = 2
) -> type[BaseModel]:
    """The pydantic class with the fields of a declaration; those that are `computed` may be left out."""
    fields: dict[str, Any] = {"type": (str, ...)}
    if issubclass(declaration, Attached):
        fields["name"] = (Optional[Name], None)  # noqa: UP045
        computed = (*computed, *declaration.of_joint)
        if declaration.of_joint:
            fields["joint"] = (Optional[Name], Field(None, description="a joint"))  # noqa: UP045
    for label, kind in declaration.attachments.items():
        default = getattr(kind, "default", None)
        nouns = {Place: "a point", Point: "a point", Frame: "a point", Span: "a beam", Travel: "a joint"}
        noun = nouns.get(type(kind), "a body or link")
        what = f"{kind.doc} ({noun})"
        of = Optional[Reference] if label in computed else Reference  # noqa: UP045
        fields[label] = (of, Field(None if label in computed else default or ..., description=what))
    for label, parameter in {**declaration.parameters, **declaration.short_forms}.items():
        if isinstance(parameter, Computed):
            continue
        of, default = _field(parameter, dimension)
        if label in computed:
            of, default = Optional[of], None  # noqa: UP045
        unit = "" if parameter.unit == "1" else f", in {parameter.unit}"
        fields[label] = (of, Field(default, description=f"{parameter.doc}{unit}"))
    return create_model(declaration.name, __base__=Strict, **fields)


def _type(
    registry: dict[str, Any], entry: Any, what: str, label: str, prefix: str = "", elsewhere: Any = ()
) -> type[Declaration]:
    """The declaration that an entry asks for; prefix: the field of a larger entry that it is, and a dot. elsewhere: names
    that models of the other dimension know."""
    if not isinstance(entry, dict):
        At(label, prefix.rstrip(".")).fail("is not a mapping of fields", entry, "{type: ..., ...}")
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in registry:
        problem = "is missing" if kind is None else f"there is no such {what}"
        if isinstance(kind, str) and kind in elsewhere:
            problem = f"there is no such {what} in models of this dimension"
        At(label, f"{prefix}type").fail(
            problem, kind, offer(kind, sorted(registry), "(none is defined in this process)")
        )
    return registry[kind]


def _label(what: str, entry: Any, place: str) -> str:
    named = entry.get("name") if isinstance(entry, dict) else None
    return f"{what} '{named}'" if isinstance(named, str) else place


def validate_element(section: str, entry: Any, place: str, dimension: int = 2) -> dict[str, Any]:
    """Check one joint, drive or force against its declaration; the fields with defaults filled in."""
    load_all()
    what = SINGULAR[section]
    known = REGISTRIES[section]
    declaration: Any = _type(known[dimension], entry, what, _label(what, entry, place), elsewhere=known[5 - dimension])
    entry = {declaration.aliases.get(key, key): value for key, value in entry.items()}
    label = _label(what, entry, f"{place} ({declaration.name})")
    checked = _dumped(element_class(declaration, (), dimension), entry, label, dimension=dimension)
    if declaration.of_joint:
        _require_joint_or_fields(declaration, checked, label)
    if section == "parts" and checked["name"] is None:
        At(label, "name").fail("is missing", expected="the name of the part")
    return checked


def _require_joint_or_fields(declaration: type[Attached], checked: dict[str, Any], label: str) -> None:
    """What acts about the axis of a joint names the joint, or says the same by fields of its own."""
    required = [name for name in ("a", "b", "axis") if name in declaration.of_joint]
    if checked["joint"] is None:
        missing = [name for name in required if checked[name] is None]
        if missing:
            At(label, "joint" if len(missing) == len(required) else missing[0]).fail(
                "is missing", expected=f"the name of a joint, or {', '.join(required)}"
            )
        return
    twice = [name for name in declaration.of_joint if checked[name] is not None]
    if twice:
        At(label, twice[0]).fail(
            "is given besides the joint, which has it already",
            checked[twice[0]],
            f"joint alone, or {', '.join(required)}",
        )


def _dumped(
    kind: type[BaseModel], entry: dict[str, Any], label: str, prefix: str = "", dimension: int = 2
) -> dict[str, Any]:
    try:
        return kind.model_validate(entry).model_dump()
    except ValidationError as error:
        raise explain(error, label, kind, prefix=prefix, dimension=dimension) from None


def validate_contact(entry: Any, place: str, dimension: int = 2) -> dict[str, Any]:
    """Check one contact, its law and its friction; the fields with defaults filled in."""
    load_all()
    label = _label("contact", entry, place)
    if not isinstance(entry, dict):
        At(label).fail("is not a mapping of fields", entry, "{point: ..., surface: ..., law: ...}")
    known = CONTACTS[dimension]
    given = _dumped(known.of, entry, label, dimension=dimension)
    surface = given["surface"]
    _one_of(known.touching, given, label, "what touches")
    kind = _one_of(known.surfaces, surface, label, "the surface", "surface")
    moving = [name for name in ("velocity", "displacement") if surface[name] is not None]
    if len(moving) == 2:
        At(label, "surface.displacement").fail("is given besides a velocity", surface["displacement"], "one of the two")
    if moving and (kind not in known.moving or (isinstance(surface[kind], dict) and "point" in surface[kind])):
        At(label, f"surface.{moving[0]}").fail(
            f"a {kind} moves with its body",
            surface[moving[0]],
            f"a {' or a '.join(known.moving)} of the ground to go with it",
        )
    if given["law"] is None and given["restitution"] is None:
        At(label, "law").fail(
            "is missing, and so is a restitution",
            expected="a law such as {type: hertz, stiffness: 1e6}, or a restitution for the method moreau",
        )
    for field in CHOICES:
        if given[field] is not None:
            given[field] = _validate_chosen(field, given[field], label, given["material"] is not None)
    return given


def _validate_chosen(field: str, chosen: Any, label: str, has_material: bool) -> dict[str, Any]:
    """Check the law or the friction of a contact against its declaration."""
    declaration = _type(CHOICES[field], chosen, field, label, f"{field}.")
    fields = {str(declaration.aliases.get(key, key)): value for key, value in chosen.items()}
    computed = ("stiffness",) if field == "law" and "stiffness" in declaration.parameters else ()
    checked = _dumped(element_class(declaration, computed), fields, label, f"{field}.")
    for name in computed:
        needed = declaration.parameters[name]
        if checked[name] is None and needed.default is None and not has_material:
            At(label, f"{field}.{name}").fail(
                "is missing",
                expected=f"a number of {needed.unit}, or a material of the contact from which it is computed",
            )
    return checked


def _one_of(names: tuple[str, ...], given: dict[str, Any], label: str, what: str, field: str = "") -> str:
    """Which one of several fields is given."""
    found = [name for name in names if given[name] is not None]
    if len(found) != 1:
        problem = f"{what} is not given" if not found else f"{what} is given as {' and as '.join(found)}"
        At(label, field).fail(problem, expected=f"one of {', '.join(names)}")
    return found[0]


def validate_document(raw: Any) -> Document:
    """Check a whole document; ModelError names element, field, value and expectation of the first problem."""
    if not isinstance(raw, dict):
        raise ModelError("a model file is a mapping that starts with 'gaitwright: 1'", value=type(raw).__name__)
    given = {key: value for key, value in raw.items() if value is not None}  # a section left empty is one left out
    version = given.get("gaitwright")
    if version is None:
        At(field="gaitwright").fail("the line 'gaitwright: 1' is missing", expected="the version of the format, 1")
    if isinstance(version, bool) or version != 1:
        At(field="gaitwright").fail("this version of the format is not known", version, "1, or a newer Gaitwright")
    dimension = given.get("dimension", 2)
    if not isinstance(dimension, (int, float)) or isinstance(dimension, bool) or dimension not in DOCUMENTS:
        At(field="dimension").fail("is not known", dimension, "2 for the plane or 3 for space")
    kind = DOCUMENTS[dimension]
    try:
        document = kind.model_validate(given)
    except ValidationError as error:
        raise explain(error, "", whose=lambda path: _whose(path, given, kind), dimension=dimension) from None
    if dimension == 3 and (document.beams or document.gait):
        section = "beams" if document.beams else "gait"
        At(field=section).fail("is for models in the plane", expected="dimension: 2, or a model without it")
    for section in REGISTRIES:
        entries = getattr(document, section)
        entries[:] = [
            validate_element(section, e, f"{SINGULAR[section]} {k + 1}", dimension) for k, e in enumerate(entries)
        ]
    document.series.update({name: read_series(name, entry) for name, entry in document.series.items()})
    document.contacts[:] = [validate_contact(e, f"contact {k + 1}", dimension) for k, e in enumerate(document.contacts)]
    if document.gait is not None:
        validate_gait(document.gait)
    return document


def validate_gait(gait: Gait) -> Gait:
    """Check the law and the friction of a leg's feet."""
    load_all()
    for field in CHOICES:
        if getattr(gait, field) is not None:
            setattr(gait, field, _validate_chosen(field, getattr(gait, field), "gait", False))
    return gait


def validate_part(kind: type[BaseModel], label: str, fields: dict[str, Any], dimension: int = 2) -> Any:
    """Check one body, link, ... given through the Python API."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise explain(error, label, kind, dimension=dimension) from None


def _whose(
    path: list[Any], raw: dict[str, Any], document: type[Document]
) -> tuple[str, list[Any], type[BaseModel] | None]:
    """The element that a place in the document belongs to, the place within it, and the class with its fields."""
    section, *rest = path
    if section in SINGULAR and rest:
        entry = raw[section][rest[0]]
        named = entry.get("name") if isinstance(entry, dict) else None
        label = f"{SINGULAR[section]} " + (f"'{named}'" if isinstance(named, str) else f"{int(rest[0]) + 1}")
        of = get_args(document.model_fields[section].annotation)[0]
        return label, rest[1:], of if isinstance(of, type) and issubclass(of, BaseModel) else None
    if section == "ground" and len(rest) > 1:
        return f"ground point '{rest[1]}'", rest[2:], None
    if section in PLACES and rest:
        if section == "parameters":
            return section, rest, None
        return f"{PLACES[section]} '{rest[0]}'", rest[1:], None
    if section in SECTIONS and rest:
        return section, rest, SECTIONS[section]
    return "", path, document
