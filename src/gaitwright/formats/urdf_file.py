"""Links and joints of a URDF file (the robots' XML: wiki.ros.org/urdf/XML) as it has them; urdf.py makes a model of them.

Read are inertial, shapes of visual, and joints with origin, axis, limit, dynamics and mimic. What the file says besides, for
controllers, collisions or other programs, is passed over. Numbers are taken as they are: whether a body can have them is
decided where bodies are made (urdf_tree.py)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.formats.urdf_inertia import Inertial
from gaitwright.geometry.inertia import tensor
from gaitwright.geometry.orientation import from_angles
from gaitwright.messages import did_you_mean

Array = np.ndarray
INERTIA = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
JOINTS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
WITH_AXIS = ("revolute", "continuous", "prismatic", "planar")
ROTATING = ("revolute", "continuous")
MOVING = (*ROTATING, "prismatic")
"""Joints that have one position: rad, or m."""


@dataclass
class UrdfShape:
    """size: as in a model file, such as {"box": [x, y, z]}; of a mesh its file as the URDF has it, and scale.
    at, rotation: in the frame of the link. colour: #rrggbb."""

    size: dict[str, Any]
    at: Array
    rotation: Array
    colour: str | None = None


@dataclass
class UrdfLink:
    """own: mass and inertia as the file has them; none for a frame without a body."""

    name: str
    own: Inertial = field(default_factory=Inertial)
    shapes: list[UrdfShape] = field(default_factory=list)


@dataclass
class Mimic:
    """position = multiplier * position of the joint `follows` + offset, rad or m."""

    follows: str
    multiplier: float
    offset: float


@dataclass
class UrdfJoint:
    """at, rotation: frame of the joint in that of its parent; the child is there when the joint is at zero. axis: unit
    vector in the frame of the joint."""

    name: str
    kind: str
    parent: str
    child: str
    at: Array
    rotation: Array
    axis: Array
    limits: tuple[float, float] | None
    damping: float
    friction: float
    mimic: Mimic | None = None
    astray: str = ""
    """The joint that it should follow, where the file has no such joint."""


@dataclass
class Robot:
    name: str
    links: dict[str, UrdfLink]
    joints: dict[str, UrdfJoint]


def parse_robot(text: str, source: str) -> Robot:
    """The robot in the text of a URDF file. source: how messages call it."""
    root = _parse(text, source)
    if root.tag != "robot":
        raise ModelError(f"{source} is XML but not URDF: it contains <{root.tag}>", expected="<robot name=...>")
    if any("xacro" in part.tag or any("${" in value for value in part.attrib.values()) for part in root.iter()):
        raise ModelError(f"{source} contains macros of xacro", expected="the URDF that the program xacro makes of it, "
                         "or gw.load_urdf or `gaitwright urdf` on a .xacro file, which expand it")  # fmt: skip
    robot = Robot(root.get("name", "robot"), {}, {})
    colours = {part.get("name"): colour for part in root.findall("material") if (colour := _colour(part))}
    for part in root.findall("link"):
        link = _link(part, colours)
        _unused(robot.links, link.name, "link")
        robot.links[link.name] = link
    for part in root.findall("joint"):
        joint = _joint(part, robot.links)
        _unused(robot.joints, joint.name, "joint")
        robot.joints[joint.name] = joint
    if not robot.links:
        raise ModelError(f"{source} has no links", expected="at least one <link name=...>")
    _follow(robot)
    return robot


class _NoDoctype(ElementTree.TreeBuilder):
    """A document type may define entities that grow without end or name other files. No robot needs one."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ModelError("the file has a DOCTYPE, which is not read", expected="XML that starts with <robot>")


def _parse(text: str, source: str) -> Any:
    try:
        return ElementTree.fromstring(text, ElementTree.XMLParser(target=_NoDoctype()))
    except ElementTree.ParseError as error:
        line, column = error.position
        problem = str(error).partition(":")[0]
        hint = "; is it complete?" if "no element" in problem or "unclosed" in problem else ""
        raise ModelError(f"{source} is not valid XML at line {line}, column {column + 1}: {problem}{hint}") from None


def _unused(known: Any, name: str, what: str) -> None:
    if name in known:
        raise ModelError(f"the name '{name}' is used twice", element=f"{what} '{name}'", expected="different names")


def _link(part: Any, colours: dict[Any, str]) -> UrdfLink:
    link = UrdfLink(_name(part, "link"))
    label = f"link '{link.name}'"
    inertial = part.find("inertial")
    if inertial is not None:
        _read_inertial(link, inertial, label)
    for k, visual in enumerate(part.findall("visual")):
        material = visual.find("material")
        colour = None if material is None else _colour(material) or colours.get(material.get("name"))
        known = [_SHAPES[s.tag](s, f"{label} visual {k + 1}") for s in visual.findall("geometry/*") if s.tag in _SHAPES]
        link.shapes += [UrdfShape(size, *_origin(visual, label, f"visual {k + 1}"), colour) for size in known]
    return link


def _colour(material: Any) -> str | None:
    """#rrggbb; only for pictures, so that one that cannot be understood is none."""
    colour = material.find("color")
    try:
        parts = [float(word) for word in colour.get("rgba").split()][:3]
    except (AttributeError, ValueError):
        return None
    if len(parts) < 3 or not all(map(math.isfinite, parts)):
        return None
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in parts)


def _read_inertial(link: UrdfLink, inertial: Any, label: str) -> None:
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    if mass is None or mass.get("value") is None:
        raise ModelError("is missing", element=label, field="inertial.mass", expected='<mass value="..."/> in kg')
    kilograms = _number(mass, "value", label, "inertial.mass")
    if kilograms < 0:
        raise ModelError("is negative", element=label, field="inertial.mass", value=kilograms, expected="a mass in kg")
    if inertia is None:
        if kilograms == 0:
            return
        raise ModelError("is missing", element=label, field="inertial.inertia", expected="<inertia ixx=... />, kg m^2")
    numbers = [
        _number(inertia, key, label, "inertial.inertia", 0.0 if k > 2 else None) for k, key in enumerate(INERTIA)
    ]
    centre, turned = _origin(inertial, label, "inertial")
    link.own = Inertial(kilograms, centre, turned @ tensor(numbers) @ turned.T)


def _joint(part: Any, links: dict[str, UrdfLink]) -> UrdfJoint:
    name = _name(part, "joint")
    label, kind = f"joint '{name}'", part.get("type")
    if kind not in JOINTS:
        problem = "is missing" if kind is None else "there is no such joint"
        raise ModelError(problem, element=label, field="type", value=kind,
                         expected=f"one of {', '.join(JOINTS)}{did_you_mean(kind, JOINTS)}")  # fmt: skip
    ends = []
    for side in ("parent", "child"):
        end = part.find(side)
        ends.append("" if end is None else end.get("link", ""))
        if ends[-1] not in links:
            problem = f"there is no link '{ends[-1]}'" if ends[-1] else "is missing"
            raise ModelError(problem, element=label, field=side, value=ends[-1] or None,
                             expected=f"a link of the file{did_you_mean(ends[-1], links)}")  # fmt: skip
    axis = np.array([1.0, 0.0, 0.0])
    if kind in WITH_AXIS and (given := part.find("axis")) is not None:
        axis = _triple(given, "xyz", label, "axis")
        if not axis.any():
            raise ModelError("has no direction", element=label, field="axis", value=axis.tolist(),
                             expected="a vector that is not zero")  # fmt: skip
    # 0 0 1 stays as it is; 1 1 1 becomes a unit vector.
    size = float(np.linalg.norm(axis))
    at, rotation = _origin(part, label)
    dynamics, limit = part.find("dynamics"), part.find("limit")
    damping, friction = (_number(dynamics, key, label, "dynamics", 0.0) for key in ("damping", "friction"))
    for key, value in (("damping", damping), ("friction", friction)):
        if value < 0:
            raise ModelError("is negative", element=label, field=f"dynamics.{key}", value=value, expected="0 or more")
    limits = None
    if limit is not None and kind in ("revolute", "prismatic"):
        limits = (_number(limit, "lower", label, "limit", 0.0), _number(limit, "upper", label, "limit", 0.0))
        if limits[0] > limits[1]:
            raise ModelError("the lower limit is above the upper one", element=label, field="limit", value=list(limits),
                             expected="lower, then upper")  # fmt: skip
    mimic = _mimic(part.find("mimic"), label) if kind in MOVING else None
    return UrdfJoint(name, kind, ends[0], ends[1], at, rotation, axis / size, limits, damping, friction, mimic)


def _mimic(part: Any, label: str) -> Mimic | None:
    if part is None:
        return None
    if not part.get("joint"):
        raise ModelError("is missing", element=label, field="mimic.joint", expected="the joint that it follows")
    numbers = (_number(part, key, label, "mimic", default) for key, default in (("multiplier", 1.0), ("offset", 0.0)))
    return Mimic(part.get("joint"), *numbers)


def _follow(robot: Robot) -> None:
    """Let every joint that follows another follow one that does not, directly."""
    first = {name: joint.mimic for name, joint in robot.joints.items()}
    for name, joint in robot.joints.items():
        passed = [name]
        while joint.mimic is not None:
            label, ahead = f"joint '{name}'", joint.mimic.follows
            if ahead not in first:
                joint.mimic, joint.astray = None, ahead
                break
            if robot.joints[ahead].kind not in MOVING:
                raise ModelError(f"'{ahead}' does not turn or slide", element=label, field="mimic.joint", value=ahead,
                                 expected="a joint of one of the types " + ", ".join(MOVING))  # fmt: skip
            if ahead in passed:
                raise ModelError(f"follows itself, by way of {', '.join(passed)}", element=label, field="mimic.joint",
                                 value=ahead, expected="a joint that moves on its own in the end")  # fmt: skip
            passed.append(ahead)
            if (further := first[ahead]) is None:
                break
            mine = joint.mimic
            offset = mine.multiplier * further.offset + mine.offset
            joint.mimic = Mimic(further.follows, mine.multiplier * further.multiplier, offset)


# what parts are made of ----------------------------------------------------------------------------------------------


def _name(part: Any, what: str) -> str:
    if not part.get("name"):
        raise ModelError("is missing", element=f"a {what}", field="name", expected=f'<{what} name="...">')
    return part.get("name")


def _number(part: Any, key: str, label: str, place: str, default: float | None = None) -> float:
    text = None if part is None else part.get(key)
    if text is None and default is not None:
        return default
    return _numbers(text, 1, label, f"{place}.{key}" if key != "value" else place, "a number")[0]


def _triple(part: Any, key: str, label: str, place: str) -> Array:
    text = None if part is None else part.get(key)
    return np.zeros(3) if text is None else np.array(_numbers(text, 3, label, f"{place}.{key}", "three numbers"))


def _numbers(text: str | None, count: int, label: str, place: str, expected: str) -> list[float]:
    if text is None:
        raise ModelError("is missing", element=label, field=place, expected=expected)
    try:
        found = [float(word) for word in text.split()]
    except ValueError:
        found = []
    if len(found) != count or not all(map(math.isfinite, found)):
        problem = f"is not {'a finite number' if count == 1 else f'a list of {count} finite numbers'}"
        raise ModelError(problem, element=label, field=place, value=text, expected=expected)
    return found


def _origin(part: Any, label: str, prefix: str = "") -> tuple[Array, Array]:
    """Place and rotation matrix. rpy are turns about the fixed axes x, y, z: about z, y, x of the body."""
    origin, place = part.find("origin"), f"{prefix}.origin".removeprefix(".")
    at, (roll, pitch, yaw) = _triple(origin, "xyz", label, place), _triple(origin, "rpy", label, place)
    return at, from_angles((yaw, pitch, roll), "zyx")


def _positive(part: Any, keys: tuple[str, ...], label: str) -> Iterator[float]:
    for key in keys:
        size = _number(part, key, label, part.tag)
        if size <= 0:
            raise ModelError("must be greater than zero", element=label, field=f"{part.tag}.{key}", value=size,
                             expected="a positive number of m")  # fmt: skip
        yield size


def _box(part: Any, label: str) -> dict[str, Any]:
    sides = _numbers(part.get("size"), 3, label, "box.size", "three sides in m")
    if min(sides) <= 0:
        raise ModelError("must be greater than zero", element=label, field="box.size", value=sides,
                         expected="positive numbers of m")  # fmt: skip
    return {"box": sides}


def _mesh(part: Any, label: str) -> dict[str, Any]:
    scale = part.get("scale")
    mesh: dict[str, Any] = {"mesh": part.get("filename", "")}
    return mesh if scale is None else mesh | {"scale": _numbers(scale, 3, label, "mesh.scale", "three factors")}


_SHAPES = {
    "mesh": _mesh,
    "box": _box,
    "sphere": lambda part, label: {"sphere": next(_positive(part, ("radius",), label))},
    "cylinder": lambda part, label: {"cylinder": list(_positive(part, ("radius", "length"), label))},
}
