"""MJCF, the model files of MuJoCo (mujoco.readthedocs.io, XML reference), as plain data: bodies with masses, joints, sites and
geoms, with default classes and compiler settings applied. mjcf_assembly.py assembles them.

Numbers are those of the file in SI and rad. Omitted elements, such as actuators and sensors, are listed by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices, is_number
from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import parse_xml
from gaitwright.formats.mjcf_geoms import MjcfGeom, read_geom, sum_geom_inertia
from gaitwright.formats.urdf_inertia import LinkInertia
from gaitwright.formats.xml_text import parse_numbers, tag_name
from gaitwright.geometry.inertia import inertia_tensor
from gaitwright.geometry.orientation import rotation_about_axis, rotation_from_quaternion
from gaitwright.geometry.rotation import quaternion_from_direction

ElementAttributes = dict[str, str]
MAIN_CLASS = "main"


class MjcfDefaults:
    """Default attributes of elements, inherited from class to class. by_class: attributes by class and kind of element."""

    def __init__(self, root: Any):
        self.by_class: dict[str, dict[str, ElementAttributes]] = {MAIN_CLASS: {}}
        for part in root.findall("default"):
            name = part.get("class", MAIN_CLASS)
            self.by_class.setdefault(name, self.by_class[MAIN_CLASS])
            self._read(part, name, self.by_class[MAIN_CLASS])
            if name != MAIN_CLASS:  # the top class may have a different name
                self.by_class[MAIN_CLASS] = self.by_class[name]

    def _read(self, part: Any, name: str, above: dict[str, ElementAttributes]) -> None:
        mine = {kind: dict(attributes) for kind, attributes in above.items()}
        for child in part:
            if tag_name(child) and tag_name(child) != "default":
                mine[tag_name(child)] = mine.get(tag_name(child), {}) | dict(child.attrib)
        self.by_class[name] = mine
        for child in part:
            if tag_name(child) == "default":
                self._read(child, child.get("class", MAIN_CLASS), mine)

    def applied(self, element: Any, kind: str, childclass: str, at: ErrorContext) -> ElementAttributes:
        """Attributes of an element, completed by those of its class or of the class of its body."""
        name = element.get("class") or childclass or MAIN_CLASS
        if name not in self.by_class:
            at["class"].fail(f"there is no default class '{name}'", name, format_choices(name, self.by_class))
        attributes = dict(element.attrib)
        usual = self.by_class[name].get(kind, {})
        notations = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
        if any(notation in attributes for notation in notations):  # it replaces a default in another notation
            usual = {key: value for key, value in usual.items() if key not in notations}
        return {key: value for key, value in (usual | attributes).items() if key != "class"}


Array = np.ndarray
JOINT_TYPES = ("hinge", "slide", "ball", "free")
REPORTED_SECTIONS = ("actuator", "sensor", "contact", "deformable", "skin", "extension")
"""Sections that are omitted, with their entries listed."""
UNSUPPORTED_ELEMENTS = {
    "composite": "bodies of a composite",
    "flexcomp": "flexible bodies",
    "replicate": "replicated bodies",
}
IncludeReader = Callable[[str], str]
"""Function from the name of a file to its content."""


@dataclass
class MjcfJoint:
    """Joint. at: m, and axis: unit vector, in the frame of its body. ref: position in the pose of the file, rad or m."""

    name: str
    kind: str
    at: Array
    axis: Array
    ref: float = 0.0
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    limits: tuple[float, float] | None = None
    armature: float = 0.0
    friction: float = 0.0


@dataclass
class MjcfBody:
    """Body. at: m, and rotation: in the frame of its parent. parent: name, empty for the world."""

    name: str
    parent: str
    at: Array
    rotation: Array
    own: LinkInertia
    joints: list[MjcfJoint] = field(default_factory=list)
    sites: dict[str, Array] = field(default_factory=dict)
    geoms: list[MjcfGeom] = field(default_factory=list)
    lifted: float = 0.0
    """Fraction of its weight that is compensated (gravcomp)."""


@dataclass
class MjcfModel:
    """Model. equality, tendons, keys: elements of these sections, with defaults applied. left_out: omitted elements by kind."""

    name: str
    gravity: Array
    bodies: dict[str, MjcfBody]
    world: MjcfBody
    equality: list[tuple[str, dict[str, str]]]
    tendons: list[tuple[str, dict[str, str], list[tuple[str, dict[str, str]]]]]
    keys: list[dict[str, str]]
    left_out: dict[str, list[str]]


def parse_mjcf(text: str, source: str, include: IncludeReader | None = None) -> MjcfModel:
    """Parse the text of an MJCF file. include: reads included files; without it, an include is an error."""
    root = parse_xml(text, source)
    if tag_name(root) != "mujoco":
        raise ModelError(f"{source} is XML but not MJCF: it contains <{tag_name(root)}>", expected="<mujoco>")
    return _MjcfReader(_resolve_includes(root, source, include, 0), source).read()


def _resolve_includes(root: Any, source: str, include: IncludeReader | None, depth: int) -> Any:
    """Replace include elements by the content of their files."""
    for parent in list(root.iter()):
        for k, child in reversed(list(enumerate(parent))):
            if tag_name(child) != "include":
                continue
            at = ErrorContext(source, "include")
            if include is None or depth > 8:
                at.fail("names other files" if include is None else "files include each other", child.get("file"))
            inner = parse_xml(include(at["include.file"].given(child.get("file"), "a file")), f"'{child.get('file')}'")
            parent.remove(child)
            for j, part in enumerate(_resolve_includes(inner, source, include, depth + 1)):
                parent.insert(k + j, part)
    return root


class _MjcfReader:
    def __init__(self, root: Any, source: str):
        self.root, self.source = root, source
        self.compiler: dict[str, str] = {}
        for part in root.findall("compiler"):
            self.compiler |= part.attrib
        self.degrees = self.compiler.get("angle", "degree") == "degree"
        self.sequence = self.compiler.get("eulerseq", "xyz")
        if self.compiler.get("coordinate", "local") != "local":
            ErrorContext("compiler", "coordinate").fail(
                "is not local", self.compiler["coordinate"], "local, as MuJoCo 2.3 and later"
            )
        self.defaults = MjcfDefaults(root)
        self.meshes = self._meshes()
        self.left_out: dict[str, list[str]] = {}
        self.bodies: dict[str, MjcfBody] = {}
        self.joints: set[str] = set()

    def read(self) -> MjcfModel:
        world = MjcfBody("world", "", np.zeros(3), np.eye(3), LinkInertia())
        for part in self.root.findall("worldbody"):
            self._body_parts(part, world, "", np.zeros(3), np.eye(3))
        if not self.bodies:
            raise ModelError(f"{self.source} has no bodies", expected="at least one <body> in <worldbody>")
        self._bound()
        option: dict[str, str] = {}
        for part in self.root.findall("option"):
            option |= part.attrib
        gravity = np.array(parse_numbers(option.get("gravity", "0 0 -9.81"), 3, ErrorContext("option", "gravity")))
        flags: dict[str, str] = {}
        for part in self.root.findall("option/flag"):
            flags |= part.attrib
        if flags.get("gravity") == "disable":
            gravity = np.zeros(3)
        for key in ("equality", "constraint", "passive", "spring", "damper"):
            if flags.get(key) == "disable":
                self._leave("flags that disable features are ignored", key)
        for key in ("wind", "density", "viscosity"):
            if any(float(word) for word in option.get(key, "0").split() if _is_number(word)):
                self._leave("the medium around the bodies is left out", key)
        for section in self.root:
            for entry in section if tag_name(section) in REPORTED_SECTIONS else ():
                if tag_name(entry):
                    self._leave(f"{tag_name(section)} is left out", entry.get("name") or tag_name(entry))
        equality = [(tag_name(e), self._with(e)) for s in self.root.findall("equality") for e in s if tag_name(e)]
        tendons = [
            (tag_name(e), self._with(e, "tendon"), [(tag_name(w), dict(w.attrib)) for w in e if tag_name(w)])
            for s in self.root.findall("tendon") for e in s if tag_name(e)
        ]  # fmt: skip
        keys = [dict(k.attrib) for s in self.root.findall("keyframe") for k in s if tag_name(k) == "key"]
        name = self.root.get("model", "MuJoCo Model")
        return MjcfModel(name, gravity, self.bodies, world, equality, tendons, keys, self.left_out)

    def _leave(self, reason: str, name: str) -> None:
        names = self.left_out.setdefault(reason, [])
        if name not in names:
            names.append(name)

    def _with(self, element: Any, kind: str | None = None, childclass: str = "") -> dict[str, str]:
        return self.defaults.applied(element, kind or tag_name(element), childclass, ErrorContext(self.source))

    def _meshes(self) -> dict[str, dict[str, str]]:
        meshes = {}
        for part in self.root.findall("asset/mesh"):
            attributes = self.defaults.applied(part, "mesh", "", ErrorContext(self.source))
            file = attributes.get("file", "")
            name = attributes.get("name") or file.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
            folder = self.compiler.get("meshdir", self.compiler.get("assetdir", ""))
            meshes[name] = attributes | {"file": f"{folder}/{file}" if folder and file else file}
        return meshes

    # bodies ----------------------------------------------------------------------------------------------------------

    def _body(self, part: Any, parent: MjcfBody, childclass: str, at: Array, rotation: Array) -> None:
        name = part.get("name") or f"body{len(self.bodies) + 1}"
        label = ErrorContext(f"body '{name}'")
        label.unused(name, self.bodies)
        if part.get("mocap") == "true":
            label["mocap"].fail("is moved from outside", expected="a body with joints, or none")
        place, turn = self._pose(dict(part.attrib), label)
        body = MjcfBody(
            name, parent.name if parent.name != "world" else "", at + rotation @ place, rotation @ turn, LinkInertia()
        )
        body.lifted = parse_numbers(part.get("gravcomp", "0"), 1, label["gravcomp"])[0]
        self.bodies[name] = body
        self._body_parts(part, body, part.get("childclass") or childclass, np.zeros(3), np.eye(3))

    def _body_parts(self, part: Any, body: MjcfBody, childclass: str, at: Array, rotation: Array) -> None:
        """Read the content of a body, or of a frame inside it; at, rotation: of the frame in the body."""
        label, inertial = ErrorContext(f"body '{body.name}'"), None
        for child in part:
            kind = tag_name(child)
            if kind in UNSUPPORTED_ELEMENTS:
                label[kind].fail(
                    f"{UNSUPPORTED_ELEMENTS[kind]} are not read", expected="bodies written out (MuJoCo's 'save xml')"
                )
            elif kind == "body":
                self._body(child, body, childclass, at, rotation)
            elif kind == "frame":
                place, turn = self._pose(dict(child.attrib), label)
                inner = child.get("childclass") or childclass
                self._body_parts(child, body, inner, at + rotation @ place, rotation @ turn)
            elif kind in ("joint", "freejoint"):
                self._joint(child, body, childclass, at, rotation)
            elif kind == "geom":
                attributes = self._with(child, "geom", childclass)
                place, turn = self._pose(attributes, label, "geom")
                geom = read_geom(attributes, at + rotation @ place, rotation @ turn, label, self.meshes)
                geom.name = geom.name or f"a {geom.kind} of {body.name}"
                body.geoms.append(geom)
            elif kind == "site":
                attributes = self._with(child, "site", childclass)
                place, _ = self._pose(attributes, label, "site")
                body.sites[attributes.get("name") or f"site{len(body.sites) + 1}"] = at + rotation @ place
            elif kind == "inertial":
                inertial = child
        if tag_name(part) == "frame":
            return
        if body.name != "world":
            body.own = self._mass(body, inertial, label)

    def _mass(self, body: MjcfBody, inertial: Any, label: ErrorContext) -> LinkInertia:
        """Mass and inertia from the inertial element or from the geoms, depending on the compiler settings."""
        inertia_source = self.compiler.get("inertiafromgeom", "auto")
        if inertial is not None and inertia_source != "true":
            attributes = dict(inertial.attrib)
            at, turn = self._pose(attributes, label, "inertial")
            mass = parse_numbers(attributes.get("mass"), 1, label["inertial.mass"], "a mass in kg")[0]
            label["inertial.mass"].not_negative(mass, "a mass in kg")
            full = attributes.get("fullinertia")
            values = (
                parse_numbers(full, 6, label["inertial.fullinertia"])
                if full
                else parse_numbers(attributes.get("diaginertia", "0 0 0"), 3, label["inertial.diaginertia"])
            )
            return LinkInertia(mass, at, turn @ inertia_tensor(values) @ turn.T)
        if inertia_source == "false":
            return LinkInertia()
        low, high = parse_numbers(
            self.compiler.get("inertiagrouprange", "0 5"), 2, ErrorContext("compiler", "inertiagrouprange")
        )
        return sum_geom_inertia([geom for geom in body.geoms if low <= geom.group <= high], label)

    def _bound(self) -> None:
        """Apply boundmass, boundinertia, balanceinertia and settotalmass of the compiler."""
        at = ErrorContext("compiler")
        min_mass, min_inertia, total = (
            parse_numbers(self.compiler.get(key, otherwise), 1, at[key])[0]
            for key, otherwise in (("boundmass", "0"), ("boundinertia", "0"), ("settotalmass", "-1"))
        )
        balance = self.compiler.get("balanceinertia") == "true"
        for body in self.bodies.values():
            own = body.own
            size, axes = np.linalg.eigh(own.inertia)
            size = np.maximum(size, min_inertia)
            if balance and 2 * size.max() > size.sum():
                size = np.full(3, size.mean())
            if min_mass or min_inertia or balance:
                body.own = LinkInertia(max(own.mass, min_mass), own.centre, (axes * size) @ axes.T)
        total_mass = sum(body.own.mass for body in self.bodies.values())
        if total > 0.0 and total_mass > 0.0:
            for body in self.bodies.values():
                own = body.own
                body.own = LinkInertia(own.mass * total / total_mass, own.centre, own.inertia * total / total_mass)

    def _joint(self, child: Any, body: MjcfBody, childclass: str, at: Array, rotation: Array) -> None:
        free = tag_name(child) == "freejoint"
        attributes = {"type": "free", "name": child.get("name", "")} if free else self._with(child, "joint", childclass)
        name = attributes.get("name") or f"{body.name}-joint" + (str(len(body.joints) + 1) if body.joints else "")
        label = ErrorContext(f"joint '{name}'")
        label.unused(name, self.joints)
        self.joints.add(name)
        kind = label["type"].one_of(attributes.get("type", "hinge"), JOINT_TYPES, "there is no such joint")
        if body.name == "world":
            label.fail("belongs to the world, which does not move", expected="joints inside of a <body>")
        unit = math.pi / 180.0 if self.degrees and kind in ("hinge", "ball") else 1.0
        axis = np.array(parse_numbers(attributes.get("axis", "0 0 1"), 3, label["axis"]))
        if kind in ("hinge", "slide") and not axis.any():
            label["axis"].fail("has no direction", axis.tolist(), "a vector that is not zero")
        place = np.array(parse_numbers(attributes.get("pos", "0 0 0"), 3, label["pos"]))
        size = float(np.linalg.norm(axis)) or 1.0
        joint = MjcfJoint(name, kind, at + rotation @ place, rotation @ axis / size)
        for key, attribute in (
            ("stiffness", "stiffness"),
            ("damping", "damping"),
            ("armature", "armature"),
            ("frictionloss", "friction"),
        ):
            words = attributes.get(key, "0").split()
            first = parse_numbers(words[0] if words else None, 1, label[key])[0]
            if any(_is_number(word) and float(word) for word in words[1:]):
                self._leave("higher powers of stiffness and damping are left out", name)
            setattr(joint, attribute, label[key].not_negative(first, "0 or more"))
        joint.ref = unit * parse_numbers(attributes.get("ref", "0"), 1, label["ref"])[0]
        joint.rest = unit * parse_numbers(attributes.get("springref", "0"), 1, label["springref"])[0]
        if any(float(word) for word in attributes.get("springdamper", "0 0").split() if _is_number(word)):
            self._leave("springs given by time constant and damping ratio are left out", name)
        limited, span = attributes.get("limited", "auto"), attributes.get("range")
        auto = self.compiler.get("autolimits", "true") == "true"
        if span is not None and (limited == "true" or (limited == "auto" and auto)) and kind != "free":
            low, high = (unit * value for value in parse_numbers(span, 2, label["range"]))
            joint.limits = (low, high)
        body.joints.append(joint)

    # places ----------------------------------------------------------------------------------------------------------

    def _pose(self, attributes: dict[str, str], at: ErrorContext, part_name: str = "") -> tuple[Array, Array]:
        """Position and rotation matrix of an element with pos and one of the orientation attributes."""
        field = at if not part_name else ErrorContext(f"{at.element} {part_name}")
        place = np.array(parse_numbers(attributes.get("pos", "0 0 0"), 3, field["pos"]))
        for key, read in self._orientations().items():
            if key in attributes:
                return place, read(attributes[key], field[key])
        return place, np.eye(3)

    def _orientations(self) -> dict[str, Callable[[str, ErrorContext], Array]]:
        unit = math.pi / 180.0 if self.degrees else 1.0

        def quaternion(text: str, at: ErrorContext) -> Array:
            values = parse_numbers(text, 4, at)
            return rotation_from_quaternion(values) if any(values) else at.fail("is zero, which is no rotation", values)

        def axis_angle(text: str, at: ErrorContext) -> Array:
            *axis, angle = parse_numbers(text, 4, at)
            size = math.hypot(*axis) or at.fail("has no direction", axis)
            half = unit * angle / 2
            return rotation_from_quaternion([math.cos(half), *(math.sin(half) * x / size for x in axis)])

        def euler(text: str, at: ErrorContext) -> Array:
            matrix = np.eye(3)
            for angle, letter in zip(parse_numbers(text, 3, at), self.sequence, strict=True):
                turn = rotation_about_axis("xyz".index(letter.lower()), unit * angle)
                matrix = matrix @ turn if letter.islower() else turn @ matrix  # capitals: about fixed axes
            return matrix

        def two_axes(text: str, at: ErrorContext) -> Array:
            x, y = np.array(parse_numbers(text, 6, at)).reshape(2, 3)
            x = x / (np.linalg.norm(x) or at.fail("has no direction", text))
            y = y - (x @ y) * x
            y = y / (np.linalg.norm(y) or at.fail("has two parallel axes", text))
            return np.stack([x, y, np.cross(x, y)], axis=1)

        def one_axis(text: str, at: ErrorContext) -> Array:
            direction = np.array(parse_numbers(text, 3, at))
            return (
                rotation_from_quaternion(quaternion_from_direction(direction))
                if direction.any()
                else at.fail("has no direction", text)
            )

        return {"quat": quaternion, "axisangle": axis_angle, "euler": euler, "xyaxes": two_axes, "zaxis": one_axis}


def _is_number(word: str) -> bool:
    try:
        return is_number(float(word))
    except ValueError:
        return False


def iterate_bodies(mjcf: MjcfModel) -> Iterator[MjcfBody]:
    """The world, followed by all bodies."""
    yield mjcf.world
    yield from mjcf.bodies.values()
