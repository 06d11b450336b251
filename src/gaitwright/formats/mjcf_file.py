"""MJCF, the model files of MuJoCo (mujoco.readthedocs.io, XML reference), as plain data: bodies with masses, joints, sites and
geoms, with the default classes and the compiler's settings applied. mjcf_assembly.py puts them together.

Numbers are those of the file in SI and rad. What is left out, such as actuators and sensors, is listed by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.checks import At, is_number
from gaitwright.errors import ModelError
from gaitwright.formats.mjcf_defaults import Defaults
from gaitwright.formats.mjcf_geoms import Geom, read_geom, summed
from gaitwright.formats.urdf_inertia import Inertial
from gaitwright.formats.xml_text import numbers, tag
from gaitwright.geometry.inertia import tensor
from gaitwright.geometry.orientation import about, from_quaternion
from gaitwright.geometry.quaternions import along
from gaitwright.input_files import parse_xml

Array = np.ndarray
JOINTS = ("hinge", "slide", "ball", "free")
LISTED = ("actuator", "sensor", "contact", "deformable", "skin", "extension")
"""Sections whose entries are left out and named."""
SILENT = (
    "asset",
    "statistic",
    "visual",
    "size",
    "custom",
    "compiler",
    "option",
    "default",
    "worldbody",
    "equality",
    "tendon",
)
REFUSED = {"composite": "bodies of a composite", "flexcomp": "flexible bodies", "replicate": "replicated bodies"}
Include = Callable[[str], str]
"""From the name of a file to what it contains."""


@dataclass
class MjcfJoint:
    """at: m, and axis: unit vector, in the frame of its body. ref: position in the pose of the file."""

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
    """at, rotation: in the frame of its parent, whose name is empty for the world."""

    name: str
    parent: str
    at: Array
    rotation: Array
    own: Inertial
    joints: list[MjcfJoint] = field(default_factory=list)
    sites: dict[str, Array] = field(default_factory=dict)
    geoms: list[Geom] = field(default_factory=list)
    lifted: float = 0.0
    """Part of its weight that is compensated (gravcomp)."""


@dataclass
class Mjcf:
    """sections: elements of equality, tendon and keyframe, with defaults applied."""

    name: str
    gravity: Array
    bodies: dict[str, MjcfBody]
    world: MjcfBody
    equality: list[tuple[str, dict[str, str]]]
    tendons: list[tuple[str, dict[str, str], list[tuple[str, dict[str, str]]]]]
    keys: list[dict[str, str]]
    left_out: dict[str, list[str]]


def parse_mjcf(text: str, source: str, include: Include | None = None) -> Mjcf:
    """include: reads files that the text includes; none are read without it."""
    root = parse_xml(text, source)
    if tag(root) != "mujoco":
        raise ModelError(f"{source} is XML but not MJCF: it contains <{tag(root)}>", expected="<mujoco>")
    return _Reader(_with_includes(root, source, include, 0), source).read()


def _with_includes(root: Any, source: str, include: Include | None, depth: int) -> Any:
    """The same with the contents of included files in the place of their names."""
    for parent in list(root.iter()):
        for k, child in reversed(list(enumerate(parent))):
            if tag(child) != "include":
                continue
            at = At(source, "include")
            if include is None or depth > 8:
                at.fail("names other files" if include is None else "files include each other", child.get("file"))
            inner = parse_xml(include(at["include.file"].given(child.get("file"), "a file")), f"'{child.get('file')}'")
            parent.remove(child)
            for j, part in enumerate(_with_includes(inner, source, include, depth + 1)):
                parent.insert(k + j, part)
    return root


class _Reader:
    def __init__(self, root: Any, source: str):
        self.root, self.source = root, source
        self.compiler: dict[str, str] = {}
        for part in root.findall("compiler"):
            self.compiler |= part.attrib
        self.degrees = self.compiler.get("angle", "degree") == "degree"
        self.sequence = self.compiler.get("eulerseq", "xyz")
        if self.compiler.get("coordinate", "local") != "local":
            At("compiler", "coordinate").fail(
                "is not local", self.compiler["coordinate"], "local, as MuJoCo 2.3 and later"
            )
        self.defaults = Defaults(root)
        self.meshes = self._meshes()
        self.left_out: dict[str, list[str]] = {}
        self.bodies: dict[str, MjcfBody] = {}
        self.joints: set[str] = set()

    def read(self) -> Mjcf:
        world = MjcfBody("world", "", np.zeros(3), np.eye(3), Inertial())
        for part in self.root.findall("worldbody"):
            self._body_parts(part, world, "", np.zeros(3), np.eye(3))
        if not self.bodies:
            raise ModelError(f"{self.source} has no bodies", expected="at least one <body> in <worldbody>")
        self._bound()
        option: dict[str, str] = {}
        for part in self.root.findall("option"):
            option |= part.attrib
        gravity = np.array(numbers(option.get("gravity", "0 0 -9.81"), 3, At("option", "gravity")))
        flags: dict[str, str] = {}
        for part in self.root.findall("option/flag"):
            flags |= part.attrib
        if flags.get("gravity") == "disable":
            gravity = np.zeros(3)
        for key in ("equality", "constraint", "passive", "spring", "damper"):
            if flags.get(key) == "disable":
                self._leave("flags that switch something off are not followed", key)
        for key in ("wind", "density", "viscosity"):
            if any(float(word) for word in option.get(key, "0").split() if _is_number(word)):
                self._leave("the medium around the bodies is left out", key)
        for section in self.root:
            for entry in section if tag(section) in LISTED else ():
                if tag(entry):
                    self._leave(f"{tag(section)} is left out", entry.get("name") or tag(entry))
        equality = [(tag(e), self._with(e)) for s in self.root.findall("equality") for e in s if tag(e)]
        tendons = [
            (tag(e), self._with(e, "tendon"), [(tag(w), dict(w.attrib)) for w in e if tag(w)])
            for s in self.root.findall("tendon") for e in s if tag(e)
        ]  # fmt: skip
        keys = [dict(k.attrib) for s in self.root.findall("keyframe") for k in s if tag(k) == "key"]
        name = self.root.get("model", "MuJoCo Model")
        return Mjcf(name, gravity, self.bodies, world, equality, tendons, keys, self.left_out)

    def _leave(self, what: str, name: str) -> None:
        names = self.left_out.setdefault(what, [])
        if name not in names:
            names.append(name)

    def _with(self, element: Any, kind: str | None = None, childclass: str = "") -> dict[str, str]:
        return self.defaults.applied(element, kind or tag(element), childclass, At(self.source))

    def _meshes(self) -> dict[str, dict[str, str]]:
        found = {}
        for part in self.root.findall("asset/mesh"):
            given = self.defaults.applied(part, "mesh", "", At(self.source))
            file = given.get("file", "")
            name = given.get("name") or file.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
            folder = self.compiler.get("meshdir", self.compiler.get("assetdir", ""))
            found[name] = given | {"file": f"{folder}/{file}" if folder and file else file}
        return found

    # bodies ----------------------------------------------------------------------------------------------------------

    def _body(self, part: Any, parent: MjcfBody, childclass: str, at: Array, rotation: Array) -> None:
        name = part.get("name") or f"body{len(self.bodies) + 1}"
        label = At(f"body '{name}'")
        label.unused(name, self.bodies)
        if part.get("mocap") == "true":
            label["mocap"].fail("is moved from outside", expected="a body with joints, or none")
        here, turn = self._pose(dict(part.attrib), label)
        body = MjcfBody(
            name, parent.name if parent.name != "world" else "", at + rotation @ here, rotation @ turn, Inertial()
        )
        body.lifted = numbers(part.get("gravcomp", "0"), 1, label["gravcomp"])[0]
        self.bodies[name] = body
        self._body_parts(part, body, part.get("childclass") or childclass, np.zeros(3), np.eye(3))

    def _body_parts(self, part: Any, body: MjcfBody, childclass: str, at: Array, rotation: Array) -> None:
        """What a body, or a frame inside of it, contains; at, rotation: of the frame in the body."""
        label, inertial = At(f"body '{body.name}'"), None
        for child in part:
            kind = tag(child)
            if kind in REFUSED:
                label[kind].fail(f"{REFUSED[kind]} are not read", expected="bodies written out (MuJoCo's 'save xml')")
            elif kind == "body":
                self._body(child, body, childclass, at, rotation)
            elif kind == "frame":
                here, turn = self._pose(dict(child.attrib), label)
                inner = child.get("childclass") or childclass
                self._body_parts(child, body, inner, at + rotation @ here, rotation @ turn)
            elif kind in ("joint", "freejoint"):
                self._joint(child, body, childclass, at, rotation)
            elif kind == "geom":
                given = self._with(child, "geom", childclass)
                here, turn = self._pose(given, label, "geom")
                geom = read_geom(given, at + rotation @ here, rotation @ turn, label, self.meshes)
                geom.name = geom.name or f"a {geom.kind} of {body.name}"
                body.geoms.append(geom)
            elif kind == "site":
                given = self._with(child, "site", childclass)
                here, _ = self._pose(given, label, "site")
                body.sites[given.get("name") or f"site{len(body.sites) + 1}"] = at + rotation @ here
            elif kind == "inertial":
                inertial = child
        if tag(part) == "frame":
            return
        if body.name != "world":
            body.own = self._mass(body, inertial, label)

    def _mass(self, body: MjcfBody, inertial: Any, label: At) -> Inertial:
        """Of the inertial that is given, or of the geoms, as the compiler is told."""
        way = self.compiler.get("inertiafromgeom", "auto")
        if inertial is not None and way != "true":
            given = dict(inertial.attrib)
            at, turn = self._pose(given, label, "inertial")
            mass = numbers(given.get("mass"), 1, label["inertial.mass"], "a mass in kg")[0]
            label["inertial.mass"].not_negative(mass, "a mass in kg")
            full = given.get("fullinertia")
            values = (
                numbers(full, 6, label["inertial.fullinertia"])
                if full
                else numbers(given.get("diaginertia", "0 0 0"), 3, label["inertial.diaginertia"])
            )
            return Inertial(mass, at, turn @ tensor(values) @ turn.T)
        if way == "false":
            return Inertial()
        low, high = numbers(self.compiler.get("inertiagrouprange", "0 5"), 2, At("compiler", "inertiagrouprange"))
        return summed([geom for geom in body.geoms if low <= geom.group <= high], label)

    def _bound(self) -> None:
        """boundmass, boundinertia, balanceinertia and settotalmass of the compiler."""
        at = At("compiler")
        least, thin, total = (
            numbers(self.compiler.get(key, otherwise), 1, at[key])[0]
            for key, otherwise in (("boundmass", "0"), ("boundinertia", "0"), ("settotalmass", "-1"))
        )
        balance = self.compiler.get("balanceinertia") == "true"
        for body in self.bodies.values():
            own = body.own
            size, axes = np.linalg.eigh(own.inertia)
            size = np.maximum(size, thin)
            if balance and 2 * size.max() > size.sum():
                size = np.full(3, size.mean())
            if least or thin or balance:
                body.own = Inertial(max(own.mass, least), own.centre, (axes * size) @ axes.T)
        whole = sum(body.own.mass for body in self.bodies.values())
        if total > 0.0 and whole > 0.0:
            for body in self.bodies.values():
                own = body.own
                body.own = Inertial(own.mass * total / whole, own.centre, own.inertia * total / whole)

    def _joint(self, child: Any, body: MjcfBody, childclass: str, at: Array, rotation: Array) -> None:
        free = tag(child) == "freejoint"
        given = {"type": "free", "name": child.get("name", "")} if free else self._with(child, "joint", childclass)
        name = given.get("name") or f"{body.name}-joint" + (str(len(body.joints) + 1) if body.joints else "")
        label = At(f"joint '{name}'")
        label.unused(name, self.joints)
        self.joints.add(name)
        kind = label["type"].one_of(given.get("type", "hinge"), JOINTS, "there is no such joint")
        if body.name == "world":
            label.fail("belongs to the world, which does not move", expected="joints inside of a <body>")
        unit = math.pi / 180.0 if self.degrees and kind in ("hinge", "ball") else 1.0
        axis = np.array(numbers(given.get("axis", "0 0 1"), 3, label["axis"]))
        if kind in ("hinge", "slide") and not axis.any():
            label["axis"].fail("has no direction", axis.tolist(), "a vector that is not zero")
        place = np.array(numbers(given.get("pos", "0 0 0"), 3, label["pos"]))
        size = float(np.linalg.norm(axis)) or 1.0
        joint = MjcfJoint(name, kind, at + rotation @ place, rotation @ axis / size)
        for key, way in (
            ("stiffness", "stiffness"),
            ("damping", "damping"),
            ("armature", "armature"),
            ("frictionloss", "friction"),
        ):
            words = given.get(key, "0").split()
            first = numbers(words[0] if words else None, 1, label[key])[0]
            if any(_is_number(word) and float(word) for word in words[1:]):
                self._leave("higher powers of stiffness and damping are left out", name)
            setattr(joint, way, label[key].not_negative(first, "0 or more"))
        joint.ref = unit * numbers(given.get("ref", "0"), 1, label["ref"])[0]
        joint.rest = unit * numbers(given.get("springref", "0"), 1, label["springref"])[0]
        if any(float(word) for word in given.get("springdamper", "0 0").split() if _is_number(word)):
            self._leave("springs given by time constant and damping ratio are left out", name)
        limited, span = given.get("limited", "auto"), given.get("range")
        auto = self.compiler.get("autolimits", "true") == "true"
        if span is not None and (limited == "true" or (limited == "auto" and auto)) and kind != "free":
            low, high = (unit * value for value in numbers(span, 2, label["range"]))
            joint.limits = (low, high)
        body.joints.append(joint)

    # places ----------------------------------------------------------------------------------------------------------

    def _pose(self, given: dict[str, str], at: At, what: str = "") -> tuple[Array, Array]:
        """Place and rotation matrix of an element with pos and one of the ways to say an orientation."""
        field = at if not what else At(f"{at.element} {what}")
        place = np.array(numbers(given.get("pos", "0 0 0"), 3, field["pos"]))
        for key, read in self._orientations().items():
            if key in given:
                return place, read(given[key], field[key])
        return place, np.eye(3)

    def _orientations(self) -> dict[str, Callable[[str, At], Array]]:
        unit = math.pi / 180.0 if self.degrees else 1.0

        def quaternion(text: str, at: At) -> Array:
            values = numbers(text, 4, at)
            return from_quaternion(values) if any(values) else at.fail("is zero, which is no rotation", values)

        def axis_angle(text: str, at: At) -> Array:
            *axis, angle = numbers(text, 4, at)
            size = math.hypot(*axis) or at.fail("has no direction", axis)
            half = unit * angle / 2
            return from_quaternion([math.cos(half), *(math.sin(half) * x / size for x in axis)])

        def euler(text: str, at: At) -> Array:
            matrix = np.eye(3)
            for angle, letter in zip(numbers(text, 3, at), self.sequence, strict=True):
                turn = about("xyz".index(letter.lower()), unit * angle)
                matrix = matrix @ turn if letter.islower() else turn @ matrix  # capitals: about axes that stand still
            return matrix

        def two_axes(text: str, at: At) -> Array:
            x, y = np.array(numbers(text, 6, at)).reshape(2, 3)
            x = x / (np.linalg.norm(x) or at.fail("has no direction", text))
            y = y - (x @ y) * x
            y = y / (np.linalg.norm(y) or at.fail("has two parallel axes", text))
            return np.stack([x, y, np.cross(x, y)], axis=1)

        def one_axis(text: str, at: At) -> Array:
            way = np.array(numbers(text, 3, at))
            return from_quaternion(along(way)) if way.any() else at.fail("has no direction", text)

        return {"quat": quaternion, "axisangle": axis_angle, "euler": euler, "xyaxes": two_axes, "zaxis": one_axis}


def _is_number(word: str) -> bool:
    try:
        return is_number(float(word))
    except ValueError:
        return False


def elements(mjcf: Mjcf) -> Iterator[MjcfBody]:
    """The world, and all bodies after it."""
    yield mjcf.world
    yield from mjcf.bodies.values()
