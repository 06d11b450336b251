"""Contacts of a model: their tables, invalid input, and agreement of Python API and files."""

from __future__ import annotations

import copy
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from documents import drop, leaves, parsed, put
from gaitwright.contact.material import fastest_approach, hertz_stiffness
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.mechanism.tables import GROUND
from gaitwright.model.io.files import apply_override, load
from gaitwright.model.model import Model
from gaitwright.model.spec.document import CONTACT_CHOICE_REGISTRIES
from gaitwright.physics import load_all
from gaitwright.physics.contact_geometry.corner import CornerShape
from gaitwright.physics.contact_geometry.face import FaceShape
from gaitwright.physics.contact_geometry.notch import NotchShape
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_geometry.pose import RelativePose
from gaitwright.physics.contact_geometry.sphere import SphereShape
from gaitwright.physics.declarations import LIBRARY_PREFIX, Number
from gaitwright.physics.parameters import Components

_DOCUMENT = """
gaitwright: 1
parameters: {k: 2e4, e: 0.5, R: 0.1}
ground: {points: {O: [0, 0], P: [1, 0]}}
points: {A: [0, -0.5]}
links:
  - {name: leg, from: O, to: A, mass: 1}
bodies:
  - {name: ball, mass: 1, inertia: 0.01, at: [2, 1], points: {rim: [0.1, 0]}}
  - {name: block, mass: 2, inertia: 0.1, at: [3, 0], points: {L: [-0.2, 0.1], M: [0.2, 0.1]}}
drives:
  - {type: rotation, name: motor, body: leg, angle: t}
forces:
  - {type: torque, name: load, body: leg, value: 0}
contacts:
  - name: toe
    point: A
    surface: {line: [0, 1, 0.606]}
    law: {type: lankarani-nikravesh, stiffness: k, restitution: e}
    friction: {type: coulomb, coefficient: 0.4, v0: 0.001, v1: 0.01}
"""

EVERYTHING = """
- name: toe
  point: leg.A
  surface: {line: [0, 1, 0.606], velocity: [0.1, 0]}
  law: {type: lankarani-nikravesh, stiffness: k, exponent: 1.5, restitution: 0.0}
  friction: {type: coulomb, coefficient: 0.4, v0: 0.001, v1: 0.01}
  restitution: 0.2
  approach_speed: 0.1
  slowest_approach: 1e-2
- name: rolling
  circle: {body: ball, radius: R}
  surface: {polyline: [[-1, 0], [0, 0], [1, 0.5]], displacement: [0.1*sin(t), 0*t]}
  law: {type: hertz}
  material: {youngs_modulus: [1e6, 2e6], poissons_ratio: 0.3, density: [1000, 7800], radius: 0.2}
- {name: balls, circle: {body: ball, radius: R}, surface: {circle: {body: block, radius: 0.2}}, restitution: e}
- {name: bar, circle: {body: ball, radius: R}, surface: {segment: [block.L, block.M]}, restitution: e}
- {name: side, point: ball.rim, surface: {face: [block.L, block.M]}, restitution: e}
"""


def document(**contact: Any) -> dict[str, Any]:
    """A leg, a ball and a block; fields of the contact `toe` are replaced, or omitted if None."""
    raw = parsed(_DOCUMENT)
    raw["contacts"][0] = {key: v for key, v in {**raw["contacts"][0], **contact}.items() if v is not None}
    return raw


def everything() -> dict[str, Any]:
    """Every field of a contact and every kind of surface."""
    return {**parsed(_DOCUMENT), "contacts": parsed(EVERYTHING)}


BALL = {"body": "ball", "radius": 0.1}


def ball(surface: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return document(point=None, circle=BALL, surface=surface, **fields)


# Touching side, surface, and its pieces with the position of each on the body of the surface.
SURFACES: dict[str, tuple[dict[str, Any], str, list[tuple[type, tuple[float, float]]]]] = {
    "point on a line": (document(), "ground", [(PlaneShape, (0, -0.606))]),
    "circle on a line": (ball({"line": ["0", "2", "k/1e4"]}), "ground", [(PlaneShape, (0, -1))]),
    "point on a terrain": (
        document(surface={"polyline": [[0, 0], [1, 0], [2, -1]]}),
        "ground",
        [(FaceShape, (0, 0)), (FaceShape, (1, 0))],
    ),
    "circle on a terrain": (
        ball({"polyline": [[0, 0], [1, 0], [2, -1]]}),
        "ground",
        [
            (FaceShape, (0, 0)),
            (FaceShape, (1, 0)),
            (CornerShape, (1, 0)),
            (CornerShape, (0, 0)),
            (CornerShape, (2, -1)),
        ],
    ),
    "circle in a valley": (
        ball({"polyline": [[0, 0], [1, 0], [2, "2*e"]]}),
        "ground",
        [
            (FaceShape, (0, 0)),
            (FaceShape, (1, 0)),
            (NotchShape, (1, 0)),
            (CornerShape, (1, 0)),
            (CornerShape, (0, 0)),
            (CornerShape, (2, 1)),
        ],
    ),
    "point on a circle": (document(surface={"circle": BALL}), "ball", [(SphereShape, (0, 0))]),
    "point on a circle about a point": (
        document(surface={"circle": {"body": "ball.rim", "radius": 0.1}}),
        "ball",
        [(SphereShape, (0.1, 0))],
    ),
    "circle on a circle": (ball({"circle": {"body": "block", "radius": 0}}), "block", [(SphereShape, (0, 0))]),
    "circle on a fixed circle": (
        ball({"circle": {"body": "ground.P", "radius": 0.2}}),
        "ground",
        [(SphereShape, (1, 0))],
    ),
    "circle on a bar": (
        ball({"segment": ["block.L", "block.M"]}),
        "block",
        [(FaceShape, (-0.2, 0.1)), (FaceShape, (0.2, 0.1)), (CornerShape, (-0.2, 0.1)), (CornerShape, (0.2, 0.1))],
    ),
    "circle on a link": (
        ball({"segment": ["leg.O", "leg.A"]}),
        "leg",
        [(FaceShape, (-0.25, 0)), (FaceShape, (0.25, 0)), (CornerShape, (-0.25, 0)), (CornerShape, (0.25, 0))],
    ),
    "point on a face": (document(surface={"face": ["block.L", "block.M"]}), "block", [(FaceShape, (-0.2, 0.1))]),
    "circle on a face": (
        ball({"face": ["block.L", "block.M"]}),
        "block",
        [(FaceShape, (-0.2, 0.1)), (CornerShape, (-0.2, 0.1)), (CornerShape, (0.2, 0.1))],
    ),
    "point on a face of the ground": (
        document(surface={"face": ["ground.O", "ground.P"]}),
        "ground",
        [(FaceShape, (0, 0))],
    ),
}


@pytest.mark.parametrize("what", SURFACES)
def test_pieces_of_a_surface(what: str):
    raw, carrier, pieces = SURFACES[what]
    mechanism = Model.from_dict(raw).mechanism()
    on_ball = "circle" in raw["contacts"][0]
    (names,) = mechanism.contact_names
    owner = "ball" if on_ball else "leg"
    assert names.name == "toe" and names.bodies == (carrier, owner) and names.law == "lankarani-nikravesh"
    assert names.radius == (0.1 if on_ball else 0.0)
    assert names.outline.shape[1] == 2 and len(names.outline) > 1
    assert names.pieces == tuple(range(len(pieces))) == tuple(range(len(mechanism.contacts)))
    for contact, (shape, at) in zip(mechanism.contacts, pieces, strict=True):
        element = contact.geometry
        assert element.declaration is RelativePose and contact.shape[0] is shape and contact.group == 0
        assert element.parameters[:2] == pytest.approx(at)
        assert element.parameters[2:4] == pytest.approx((0, 0) if on_ball else (0.25, 0))
        ground = [GROUND] * 3
        assert element.coordinates[0].tolist() == (
            ground if carrier == "ground" else mechanism.body_names[carrier].index.tolist()
        )
        assert element.coordinates[1].tolist() == mechanism.body_names[owner].index.tolist()
        sizes = {Components: 2, Number: 1}
        assert len(contact.shape[1]) == sum(sizes[type(p)] for p in shape.parameters.values())
        assert len(element.parameters) == 4 and len(element.signals) == 2


def test_normal_and_radius_are_in_order():
    """Solid below a line given with any factor; the normal points upwards."""
    (contact,) = Model.from_dict(ball({"line": [0, 3, 0]})).mechanism().contacts
    assert list(contact.geometry.parameters) == [0, 0, 0, 0] and list(contact.shape[1]) == [0, 1, 0.1]
    (contact,) = Model.from_dict(ball({"line": [-1, 1, 0]})).mechanism().contacts
    assert contact.shape[1] == pytest.approx([-math.sqrt(0.5), math.sqrt(0.5), 0.1])


def test_law_and_friction_in_the_order_of_their_parameters():
    (contact,) = Model.from_dict(document()).mechanism().contacts
    assert contact.law == (gw.laws.LankaraniNikravesh, [2e4, 0.5, 1.5])
    assert contact.friction == (gw.friction.Coulomb, [0.4, 1e-3, 1e-2])
    assert (contact.restitution, contact.coefficient, contact.slowest, contact.approach) == (0.5, 0.4, 1e-3, None)


@pytest.mark.parametrize("field", CONTACT_CHOICE_REGISTRIES)
def test_every_law_and_friction(field: str):
    """With all its fields, from a document and from Python; each one is exported by the package."""
    load_all()
    namespace = {"law": gw.laws, "friction": gw.friction}[field]
    for name, declaration in CONTACT_CHOICE_REGISTRIES[field].items():
        if not declaration.__module__.startswith(LIBRARY_PREFIX):
            continue
        assert getattr(namespace, declaration.__name__) is declaration and declaration.__name__ in namespace.__all__
        values = {
            key: p.default if isinstance(getattr(p, "default", None), float) else _GUESS.get(key, 0.5)
            for key, p in declaration.parameters.items()
        }
        (contact,) = Model.from_dict(document(**{field: {"type": name, **values}})).mechanism().contacts
        assert getattr(contact, field) == (declaration, list(values.values()))
        model = Model.from_dict(document(name="first"))
        chosen: Any = declaration(**values)  # type: ignore[call-arg]
        model.contact("A", gw.surfaces.LineGround(), **{"law": gw.laws.Hertz(1e4), field: chosen})
        assert model.document.contacts[1][field] == {"type": name, **values}


_GUESS = {"stiffness": 1e4, "static_coefficient": 0.6, "kinetic_coefficient": 0.4}


@pytest.mark.parametrize(
    ("fields", "restitution", "coefficient"),
    [
        ({}, 0.5, 0.4),
        ({"restitution": 0.1}, 0.1, 0.4),
        ({"restitution": "e/2", "law": None}, 0.25, 0.4),
        ({"law": {"type": "hertz", "stiffness": 1e4}}, math.nan, 0.4),
        ({"friction": None}, 0.5, 0.0),
        ({"friction": {"type": "stribeck", "static_coefficient": 0.6, "kinetic_coefficient": 0.3}}, 0.5, 0.3),
        ({"friction": {"type": "brown-mcphee", "static_coefficient": 0.6, "kinetic_coefficient": 0.3}}, 0.5, 0.3),
    ],
)
def test_parameters_of_the_nonsmooth_method(fields: dict[str, Any], restitution: float, coefficient: float):
    (contact,) = Model.from_dict(document(**fields)).mechanism().contacts
    assert contact.restitution == pytest.approx(restitution, nan_ok=True)
    assert contact.coefficient == coefficient
    if fields.get("law", "") is None:
        assert contact.law is None


def test_speeds():
    (contact,) = Model.from_dict(document(approach_speed="2*e", slowest_approach=0.1)).mechanism().contacts
    assert (contact.approach, contact.slowest) == (1.0, 0.1)


def test_names_and_groups():
    """Contacts without a name are numbered; pieces of one contact form one group."""
    raw = document(surface={"polyline": [[0, 0], [1, 0], [2, -1]]})
    for _ in range(2):
        raw["contacts"].append({key: v for key, v in document()["contacts"][0].items() if key != "name"})
    mechanism = Model.from_dict(raw).mechanism()
    assert [names.name for names in mechanism.contact_names] == ["toe", "contact-2", "contact-3"]
    assert [names.pieces for names in mechanism.contact_names] == [(0, 1), (2,), (3,)]
    assert [contact.group for contact in mechanism.contacts] == [0, 0, 1, 2]


def test_moving_surfaces():
    """A velocity v is the displacement v t; all fixed surfaces share one signal."""
    raw = document(surface={"line": [0, 1, 0], "velocity": ["2*e", 0]})
    for surface in (
        {"line": [0, 1, 0]},
        {"polyline": [[0, 0], [1, 0], [2, -1]]},
        {"line": [0, 1, 0], "velocity": [0, 0]},
        {"line": [0, 1, 0], "displacement": ["0.1*sin(t)", 0]},
        {"line": [0, 1, 0], "velocity": [1, -2e-7]},
    ):
        raw["contacts"].append({**document()["contacts"][0], "name": None, "surface": surface})
    mechanism = Model.from_dict(raw).mechanism()
    signals = [contact.geometry.signals for contact in mechanism.contacts]
    zero = signals[1][0]
    assert signals[1:5] == [[zero, zero]] * 4
    assert signals[0] == [signals[6][0], zero] and signals[5][1] == zero
    assert evaluate_program(mechanism.signals[signals[0][0]], 2.0)[:2] == pytest.approx([2.0, 1.0])
    assert evaluate_program(mechanism.signals[signals[6][1]], 2.0)[:2] == pytest.approx([-4e-7, -2e-7])
    assert evaluate_program(mechanism.signals[signals[5][0]], 0.5)[0] == pytest.approx(0.1 * math.sin(0.5))
    assert len(mechanism.signals) == 5 - 1 + 1  # motor and load (the same 0 as fixed surfaces), velocities, sine


# material -----------------------------------------------------------------------------------------------------------

STEEL = {"youngs_modulus": 207e9, "poissons_ratio": 0.3}


@pytest.mark.parametrize(
    ("surface", "material", "expected"),
    [
        ({"line": [0, 1, 0]}, STEEL, (math.inf, 0.1, 207e9, 207e9, 0.3, 0.3)),
        ({"line": [0, 1, 0]}, {**STEEL, "radius": 0.3}, (math.inf, 0.3, 207e9, 207e9, 0.3, 0.3)),
        (
            {"circle": {"body": "block", "radius": 0.2}},
            {"youngs_modulus": [1e6, "k"], "poissons_ratio": [0.4, 0.3]},
            (0.2, 0.1, 1e6, 2e4, 0.4, 0.3),
        ),
        ({"segment": ["block.L", "block.M"]}, STEEL, (math.inf, 0.1, 207e9, 207e9, 0.3, 0.3)),
    ],
)
def test_stiffness_of_a_material(surface: dict[str, Any], material: dict[str, Any], expected: Any):
    for law in ({"type": "hertz"}, {"type": "hertz", "exponent": 1.5}, {"type": "tsuji", "damping": 1}):
        contact, *_ = Model.from_dict(ball(surface, law=law, material=material)).mechanism().contacts
        assert contact.law is not None and contact.law[1][0] == pytest.approx(hertz_stiffness(*expected))


def test_given_stiffness_overrides_the_material():
    raw = ball({"line": [0, 1, 0]}, law={"type": "hertz", "stiffness": 5.0}, material=STEEL)
    (contact,) = Model.from_dict(raw).mechanism().contacts
    assert contact.law == (gw.laws.Hertz, [5.0, 1.5])


def test_a_point_with_a_rounded_end():
    raw = document(law={"type": "hertz"}, material={**STEEL, "radius": 0.02})
    (contact,) = Model.from_dict(raw).mechanism().contacts
    stiffness = hertz_stiffness(math.inf, 0.02, 207e9, 207e9, 0.3, 0.3)
    assert contact.law is not None and contact.law[1][0] == pytest.approx(stiffness)


def test_fastest_approach_of_the_slower_material():
    def fastest(**material: Any) -> float | None:
        names = Model.from_dict(document(material={**STEEL, **material})).mechanism().contact_names
        return names[0].fastest

    assert fastest() is None
    assert fastest(density=7800) == pytest.approx(fastest_approach(207e9, 7800))
    assert fastest(density=[7800, 1e6]) == pytest.approx(fastest_approach(207e9, 1e6))
    assert fastest(youngs_modulus=[1e6, 207e9], density=1000) == pytest.approx(fastest_approach(1e6, 1000))


# invalid input -------------------------------------------------------------------------------------------------------

LAW = {"type": "lankarani-nikravesh", "stiffness": 1e4, "restitution": 0.5}
HERTZ = {"type": "hertz"}

# Fields of the contact, and what the message must contain besides "contact 'toe'".
WRONG: dict[str, tuple[dict[str, Any], list[str]]] = {
    "zero normal": ({"surface": {"line": [0, "e - e", 1]}}, ["'surface.line'", "normal", "zero", "[0.0, 0.0, 1.0]"]),
    "line with two numbers": ({"surface": {"line": [0, 1]}}, ["'surface.line'", "too few", "[a, b, c]"]),
    "line with four numbers": ({"surface": {"line": [0, 1, 0, 0]}}, ["'surface.line'", "too many", "[a, b, c]"]),
    "line that is a word": ({"surface": {"line": "flat"}}, ["'surface.line'", "not a list", "[a, b, c]"]),
    "line that moves in its numbers": ({"surface": {"line": [0, 1, "t"]}}, ["'surface.line[2]'", "time"]),
    "one point": ({"surface": {"polyline": [[0, 0]]}}, ["'surface.polyline'", "too few points", "at least two"]),
    "no point": ({"surface": {"polyline": []}}, ["'surface.polyline'", "too few points"]),
    "coincident points": (
        {"surface": {"polyline": [[0, 0], [1, 0], [1, 0]]}},
        ["'surface.polyline'", "same place", "[1.0, 0.0]"],
    ),
    "terrain back on itself": (
        {"surface": {"polyline": [[0, 0], [1, 0], [0.5, 0]]}},
        ["surface.polyline", "turns back"],
    ),
    "point in space": ({"surface": {"polyline": [[0, 0], [1, 0, 0]]}}, ["'surface.polyline[1]'", "too many", "[x, y]"]),
    "terrain of numbers": ({"surface": {"polyline": [0, 1]}}, ["'surface.polyline[0]'", "not a list", "[x, y]"]),
    "unknown point": ({"point": "Z"}, ["'point'", "no point 'Z'", "leg.A"]),
    "unknown body": ({"point": "K9.Z"}, ["'point'", "no body or link 'K9'"]),
    "unknown point of a body": ({"point": "ball.Z"}, ["'point'", "'ball' has no point 'Z'", "rim"]),
    "unknown body of a circle": ({"point": None, "circle": {"body": "Z", "radius": 1}}, ["'circle.body'", "'Z'"]),
    "unknown body of a surface": (
        {"surface": {"circle": {"body": "Z", "radius": 1}}},
        ["'surface.circle.body'", "'Z'"],
    ),
    "unknown point of a face": ({"surface": {"face": ["block.L", "block.Z"]}}, ["'surface.face[1]'", "no point 'Z'"]),
    "point and circle": ({"circle": BALL}, ["given as point and as circle", "one of point, circle"]),
    "neither point nor circle": ({"point": None}, ["what touches is not given", "one of point, circle"]),
    "no surface": ({"surface": None}, ["'surface'", "is missing"]),
    "empty surface": ({"surface": {}}, ["'surface'", "not given", "line, polyline, circle, segment, face"]),
    "two kinds of surface": (
        {"surface": {"line": [0, 1, 0], "face": ["block.L", "block.M"]}},
        ["'surface'", "as line and as face"],
    ),
    "surface that is a word": ({"surface": "floor"}, ["'surface'", "not a mapping", "'floor'"]),
    "unknown surface": ({"surface": {"lin": [0, 1, 0]}}, ["'surface.lin'", "no such field", "did you mean 'line'?"]),
    "unknown field": ({"frction": 1}, ["'frction'", "no such field", "did you mean 'friction'?"]),
    "unknown field of a circle": (
        {"point": None, "circle": {"body": "ball", "radus": 1}},
        ["'circle.radus'", "did you mean 'radius'?"],
    ),
    "circle without radius": ({"point": None, "circle": {"body": "ball"}}, ["'circle.radius'", "missing", "m"]),
    "velocity and displacement": (
        {"surface": {"line": [0, 1, 0], "velocity": [1, 0], "displacement": ["t", 0]}},
        ["'surface.displacement'", "velocity", "one of the two"],
    ),
    "velocity of a body's surface": (
        {"surface": {"circle": BALL, "velocity": [1, 0]}},
        ["'surface.velocity'", "moves with its body"],
    ),
    "velocity of one number": ({"surface": {"line": [0, 1, 0], "velocity": 1}}, ["'surface.velocity'", "[x, y]"]),
    "velocity of three numbers": (
        {"surface": {"line": [0, 1, 0], "velocity": [1, 0, 0]}},
        ["'surface.velocity'", "too many", "[x, y]"],
    ),
    "velocity that changes": ({"surface": {"line": [0, 1, 0], "velocity": ["t", 0]}}, ["surface.velocity[0]", "time"]),
    "displacement of nothing known": (
        {"surface": {"line": [0, 1, 0], "displacement": ["sine(t)", 0]}},
        ["'surface.displacement[0]'", "'sin'"],
    ),
    "segment of two bodies": (
        {"point": None, "circle": BALL, "surface": {"segment": ["block.L", "A"]}},
        ["'surface.segment'", "'block' and to 'leg'", "one body"],
    ),
    "face of two bodies": ({"surface": {"face": ["block.L", "ball.rim"]}}, ["'surface.face'", "'block' and to 'ball'"]),
    "face of one point": ({"surface": {"face": ["block.L", "block.L"]}}, ["'surface.face'", "same place"]),
    "face of three points": ({"surface": {"face": ["block.L", "block.M", "block.L"]}}, ["surface.face", "two points"]),
    "point on a bar": (
        {"surface": {"segment": ["block.L", "block.M"]}},
        ["'surface.segment'", "a circle", "or a face"],
    ),
    "body with itself": (
        {"point": "block.L", "surface": {"circle": {"body": "block", "radius": 1}}},
        ["'block'", "itself"],
    ),
    "ball with itself": ({"point": None, "circle": BALL, "surface": {"circle": BALL}}, ["'ball' cannot touch itself"]),
    "ground with ground": ({"point": "ground.O"}, ["'point'", "the ground cannot touch itself", "a link or body"]),
    "circle of the ground with ground": (
        {"point": None, "circle": {"body": "ground.O", "radius": 1}},
        ["'circle.body'", "the ground cannot touch itself"],
    ),
    "negative radius": (
        {"point": None, "circle": {"body": "ball", "radius": "-R"}},
        ["'circle.radius'", "negative", "m"],
    ),
    "negative radius of a surface": (
        {"surface": {"circle": {"body": "ball", "radius": -1}}},
        ["'surface.circle.radius'", "negative"],
    ),
    "two points": ({"surface": {"circle": {"body": "ball", "radius": 0}}}, ["'surface.circle'", "two points"]),
    "neither law nor restitution": ({"law": None}, ["'law'", "is missing, and so is a restitution", "moreau"]),
    "law that is a word": ({"law": "hertz"}, ["'law'", "not a mapping", "{type: ...", "'hertz'"]),
    "unknown law": ({"law": {**LAW, "type": "herz"}}, ["'law.type'", "no such law", "did you mean 'hertz'?"]),
    "law without type": ({"law": {"stiffness": 1}}, ["'law.type'", "is missing", "flores"]),
    "unknown friction": ({"friction": {"type": "columb"}}, ["'friction.type'", "did you mean 'coulomb'?"]),
    "unknown field of a law": ({"law": {**LAW, "stifness": 1}}, ["'law.stifness'", "did you mean 'stiffness'?"]),
    "name of a law": ({"law": {**LAW, "name": "x"}}, ["'law.name'", "no such field"]),
    "negative stiffness": ({"law": {**LAW, "stiffness": -1}}, ["'law.stiffness'", "negative", "-1.0"]),
    "no stiffness at all": ({"law": {**LAW, "stiffness": 0}}, ["'law.stiffness'", "0.0", "above 0"]),
    "stiffness missing": ({"law": HERTZ}, ["'law.stiffness'", "is missing", "N/m^n", "material"]),
    "stiffness left empty": ({"law": {**HERTZ, "stiffness": None}}, ["'law.stiffness'", "is missing"]),
    "restitution missing": ({"law": {**HERTZ, "type": "flores", "stiffness": 1}}, ["'law.restitution'", "is missing"]),
    "restitution above 1": ({"law": {**LAW, "restitution": 1.1}}, ["'law.restitution'", "1.1", "from 0 to 1"]),
    "restitution below 0": ({"law": {**LAW, "restitution": -0.1}}, ["'law.restitution'", "-0.1"]),
    "flores at 0": (
        {"law": {**LAW, "type": "flores", "restitution": 0}},
        ["'law.restitution'", "infinite", "hunt-crossley"],
    ),
    "exponent of the misprint": ({"law": {**LAW, "exponent": "2/3"}}, ["'law.exponent'", "0.666"]),
    "stiffness in circles": ({"law": {**LAW, "stiffness": "kk"}}, ["'law.stiffness'", "'kk'", "did you mean 'k'?"]),
    "stiffness that changes": ({"law": {**LAW, "stiffness": "k*t"}}, ["'law.stiffness'", "time"]),
    "NaN stiffness": ({"law": {**LAW, "stiffness": math.nan}}, ["'law.stiffness'", "nan", "finite"]),
    "NaN line": ({"surface": {"line": [0, 1, math.nan]}}, ["'surface.line[2]'", "nan", "finite"]),
    "NaN radius": ({"point": None, "circle": {"body": "ball", "radius": math.nan}}, ["'circle.radius'", "nan"]),
    "NaN restitution": ({"restitution": math.nan}, ["'restitution'", "nan"]),
    "NaN coefficient": ({"friction": {"type": "coulomb", "coefficient": math.nan}}, ["'friction.coefficient'", "nan"]),
    "negative coefficient": (
        {"friction": {"type": "coulomb", "coefficient": -1}},
        ["'friction.coefficient'", "negative"],
    ),
    "coefficient missing": ({"friction": {"type": "coulomb"}}, ["'friction.coefficient'", "missing"]),
    "stiffness of bristles missing": (
        {"friction": {"type": "bristle", "coefficient": 1}},
        ["'friction.stiffness'", "missing", "bristles"],
    ),
    "friction velocities in the wrong order": (
        {"friction": {"type": "coulomb", "coefficient": 0.4, "v0": 1e-2, "v1": 1e-3}},
        ["'friction.v1'", "0.001", "above v0 = 0.01 m/s"],
    ),
    "restitution of the contact": ({"restitution": 2}, ["'restitution'", "2.0", "from 0 to 1"]),
    "restitution of the contact below 0": ({"restitution": "-e"}, ["'restitution'", "-0.5"]),
    "approach of the wrong sign": ({"approach_speed": -1}, ["'approach_speed'", "negative", "m/s"]),
    "slowest approach of zero": ({"slowest_approach": 0}, ["'slowest_approach'", "greater than zero", "m/s"]),
    "material of a point": ({"law": HERTZ, "material": STEEL}, ["'material.radius'", "a point has no radius"]),
    "material without stiffness": (
        {"law": HERTZ, "material": {**STEEL, "radius": 1, "youngs_modulus": [1, 0]}},
        ["'material.youngs_modulus'", "0.0", "Pa"],
    ),
    "impossible Poisson's ratio": (
        {"law": HERTZ, "material": {**STEEL, "radius": 1, "poissons_ratio": 0.6}},
        ["'material.poissons_ratio'", "0.6"],
    ),
    "material of three bodies": (
        {"material": {**STEEL, "poissons_ratio": [0.3, 0.3, 0.3]}},
        ["'material.poissons_ratio'", "not a pair"],
    ),
    "material without modulus": ({"material": {"poissons_ratio": 0.3}}, ["'material.youngs_modulus'", "missing", "Pa"]),
    "negative density": ({"material": {**STEEL, "density": -1}}, ["'material.density'", "-1.0", "kg/m^3"]),
    "radius of a material": ({"law": HERTZ, "material": {**STEEL, "radius": 0}}, ["'material.radius'", "0.0"]),
    "material for another exponent": (
        {"law": {**HERTZ, "exponent": 2}, "material": STEEL},
        ["'law.exponent'", "2.0", "1.5"],
    ),
    "material for a linear spring": (
        {"law": {"type": "kelvin-voigt", "damping": 1}, "material": STEEL},
        ["'law.type'", "kelvin-voigt", "1.5"],
    ),
    "a name with a space": ({"name": "big toe"}, ["'name'", "letters"]),
}


@pytest.mark.parametrize("what", WRONG)
def test_invalid_contact_has_a_message(what: str):
    fields, named = WRONG[what]
    with pytest.raises(gw.ModelError) as caught:
        Model.from_dict(document(**fields)).mechanism()
    text = str(caught.value)
    assert text.startswith(f"contact '{fields.get('name', 'toe')}'") and "\n" not in text and len(text) < 600, text
    assert text.count("contact '") == 1 and text.count("; expected") <= 1, text
    for part in named:
        assert part in text, f"{part} is not in: {text}"


def test_error_has_parts():
    """Also for errors detected by a law or a surface."""
    for fields, field, value in (
        ({"law": {**LAW, "restitution": 1.1}}, "law.restitution", 1.1),
        ({"surface": {"line": [0, 0, 1]}}, "surface.line", [0.0, 0.0, 1.0]),
        ({"friction": {"type": "coulomb", "coefficient": 1, "v0": 1, "v1": 0.5}}, "friction.v1", 0.5),
    ):
        with pytest.raises(gw.ModelError) as caught:
            Model.from_dict(document(**fields)).mechanism()
        error = caught.value
        assert (error.element, error.field, error.value) == ("contact 'toe'", field, value) and error.expected


@pytest.mark.parametrize(
    ("name", "also"),
    [
        ("motor", "a drive"),
        ("load", "a force"),
        ("ball", "a body"),
        ("O", "the pin at point 'O'"),
        ("ground_reaction", "what every result has"),
    ],
)
def test_duplicate_names_are_rejected(name: str, also: str):
    with pytest.raises(gw.ModelError, match=f"contact '{name}' field 'name': .* used twice, also for {also}"):
        Model.from_dict(document(name=name)).mechanism()


def test_two_contacts_of_one_name():
    raw = document()
    raw["contacts"].append(copy.deepcopy(raw["contacts"][0]))
    with pytest.raises(gw.ModelError, match=r"contact 'toe' .* used twice, also for a contact"):
        Model.from_dict(raw).mechanism()


def test_unnamed_contact_is_numbered_in_messages():
    with pytest.raises(gw.ModelError, match=r"^contact 1 field 'law.stiffness': is negative"):
        Model.from_dict(document(name=None, law={**LAW, "stiffness": -1})).mechanism()


ATTACK = "__import__('os').system('touch attacked')"


@pytest.mark.parametrize("path", leaves(everything()["contacts"]), ids=lambda path: ".".join(map(str, path)))
def test_code_is_rejected_in_every_field(path: tuple[Any, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(gw.ModelError):
        Model.from_dict(put(everything(), ("contacts", *path), ATTACK)).mechanism()
    assert not (tmp_path / "attacked").exists()


PARTS = sorted(
    {path[:k] for path in leaves(everything()["contacts"]) for k in range(1, len(path)) if path[k] != 0}, key=str
)


@pytest.mark.parametrize("path", PARTS, ids=lambda path: ".".join(map(str, path)))
@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [[]], True])
def test_arbitrary_values_are_accepted_or_rejected_with_a_message(path: tuple[Any, ...], value: Any):
    """Rejected with one sentence, or valid: never another exception."""
    try:
        Model.from_dict(put(everything(), ("contacts", *path), value)).mechanism()
    except gw.ModelError as error:
        assert "\n" not in str(error)


# Python, documents and files ----------------------------------------------------------------------------------------


def leg() -> Model:
    return Model.from_dict(drop(document(), ("contacts",)))


def test_python_and_file_give_the_same_document():
    model = leg().contact(
        "A",
        gw.surfaces.LineGround(level=-0.606),
        law=gw.laws.LankaraniNikravesh(stiffness="k", restitution="e"),
        friction=gw.friction.Coulomb(0.4, v0=1e-3, v1=1e-2),
        name="toe",
    )
    assert model.to_dict() == Model.from_dict(document()).to_dict()


@pytest.mark.parametrize(
    ("surface", "entry"),
    [
        (gw.surfaces.LineGround(), {"line": [0.0, 1.0, 0.0]}),
        (gw.surfaces.LineGround(0.2), {"line": [0.0, 1.0, -0.2]}),
        (gw.surfaces.LineGround("k"), {"line": ["-sin(0.0)", "cos(0.0)", "-(k)*cos(0.0)"]}),
        (gw.surfaces.LineGround(velocity=(1, 0)), {"line": [0.0, 1.0, 0.0], "velocity": [1, 0]}),
        (gw.surfaces.LineGround(displacement=("t", 0)), {"line": [0.0, 1.0, 0.0], "displacement": ["t", 0]}),
        (gw.surfaces.Line(1, 2, "k"), {"line": [1, 2, "k"]}),
        (gw.surfaces.Polyline([(0, 0), (1, 1)], velocity=(1, 0)), {"polyline": [[0, 0], [1, 1]], "velocity": [1, 0]}),
        (gw.surfaces.Circle("block", 0.2), {"circle": {"body": "block", "radius": 0.2}}),
        (gw.surfaces.Segment("block.L", "block.M"), {"segment": ["block.L", "block.M"]}),
        (gw.surfaces.Face("block.L", "block.M"), {"face": ["block.L", "block.M"]}),
    ],
)
def test_surfaces_in_python(surface: Any, entry: dict[str, Any]):
    assert surface.entry() == entry
    model = leg().contact(gw.surfaces.Circle("ball", radius=0.1), surface, law={"type": "hertz", "stiffness": 1})
    again = leg().contact(gw.surfaces.Circle("ball", radius=0.1), entry, law=gw.laws.Hertz(1))
    assert model.to_dict() == again.to_dict()
    assert model.mechanism().contact_names[0].radius == 0.1


@pytest.mark.parametrize("slope", [0.0, 0.4, -1.0, "0.4", "atan(e)"])
def test_ground_with_a_slope(slope: Any):
    """Through (0, level), rising towards positive x, solid below."""
    (contact,) = leg().contact("A", gw.surfaces.LineGround(-0.3, slope), restitution=0).mechanism().contacts
    angle = {"0.4": 0.4, "atan(e)": math.atan(0.5)}.get(slope, slope)
    x, y, *_ = contact.geometry.parameters
    assert contact.shape[1][:2] == pytest.approx([-math.sin(angle), math.cos(angle)])
    assert y == pytest.approx(-0.3 + x * math.tan(angle))


def test_law_given_by_its_class():
    (contact,) = (
        leg()
        .contact(gw.surfaces.Circle("ball", 0.1), gw.surfaces.Line(0, 1, 0), law=gw.laws.Hertz, material=STEEL)
        .mechanism()
        .contacts
    )  # type: ignore[arg-type]
    assert contact.law is not None and contact.law[0] is gw.laws.Hertz


def test_python_api_rejects_invalid_contacts_immediately():
    model = leg()
    with pytest.raises(gw.ModelError, match=r"contact 1 field 'law.stifness': there is no such field"):
        model.contact("A", gw.surfaces.LineGround(), law=gw.laws.Hertz(stifness=1))
    with pytest.raises(gw.ModelError, match=r"contact 'x': what touches is not given"):
        model.contact(None, gw.surfaces.LineGround(), law=gw.laws.Hertz(1), name="x")  # type: ignore[arg-type]
    assert model.document.contacts == []


def test_user_defined_law():
    class Sponge(gw.extend.ContactLaw):
        name = "test-sponge"
        valid = "Sponges."
        parameters = {"stiffness": gw.extend.Number("N/m^2", "K", minimum=0.0)}

        @staticmethod
        def force(penetration: Any, rate: Any, approach: Any, stiffness: Any) -> Any:
            return stiffness * penetration**2

        @staticmethod
        def energy(penetration: Any, stiffness: Any) -> Any:
            return stiffness * penetration**3 / 3

    try:
        (contact,) = leg().contact("A", gw.surfaces.LineGround(), law=Sponge(stiffness="k")).mechanism().contacts
        assert contact.law == (Sponge, [2e4])
    finally:
        del gw.extend.ContactLaw.registry["test-sponge"]


@pytest.mark.parametrize("ending", [".yaml", ".json"])
def test_contacts_are_read_back(ending: str, tmp_path: Path):
    model = Model.from_dict(everything())
    again = load(model.save(tmp_path / f"model{ending}"))
    assert again.to_dict() == model.to_dict()
    first, second = model.mechanism(), again.mechanism()
    for a, b in zip(first.contacts, second.contacts, strict=True):
        assert a.geometry.declaration is b.geometry.declaration
        assert list(a.geometry.parameters) == list(b.geometry.parameters) and a.shape == b.shape
        assert (a.law, a.friction, a.group, a.approach, a.slowest) == (
            b.law,
            b.friction,
            b.group,
            b.approach,
            b.slowest,
        )


def test_omitted_fields_stay_omitted():
    """The document contains only the given fields."""
    assert Model.from_dict(document()).to_dict()["contacts"] == [
        {
            "name": "toe",
            "point": "A",
            "surface": {"line": [0.0, 1.0, 0.606]},
            "law": {"type": "lankarani-nikravesh", "stiffness": "k", "restitution": "e"},
            "friction": {"type": "coulomb", "coefficient": 0.4, "v0": 0.001, "v1": 0.01},
        }
    ]


@pytest.mark.parametrize(
    ("setting", "path"),
    [
        ("contacts.0.law.stiffness=5", ("law", "stiffness")),
        ("contacts.toe.law.stiffness=5", ("law", "stiffness")),
        ("contacts.toe.friction.coefficient=5", ("friction", "coefficient")),
        ("contacts.toe.surface.line.2=5", ("surface", "line", 2)),
        ("contacts.toe.slowest_approach=5", ("slowest_approach",)),
    ],
)
def test_set_reaches_contacts(setting: str, path: tuple[Any, ...]):
    raw = document()
    apply_override(raw, setting)
    place: Any = raw["contacts"][0]
    for key in path:
        place = place[key]
    assert place == 5
    assert Model.from_dict(raw).mechanism().contacts


def test_parameters_of_a_copy_reach_contacts():
    (contact,) = Model.from_dict(document()).copy(k=5.0, e=0.25).mechanism().contacts
    assert contact.law == (gw.laws.LankaraniNikravesh, [5.0, 0.25, 1.5])


def test_outline_of_a_line_is_around_the_mechanism():
    (names,) = Model.from_dict(document()).mechanism().contact_names
    assert np.all(names.outline[:, 1] == -0.606)
    assert names.outline[0, 0] < 0 < names.outline[1, 0]
