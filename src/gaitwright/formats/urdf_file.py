"""Links and joints of a URDF file (the robots' XML: wiki.ros.org/urdf/XML) as it has them; urdf.py makes a model of them.

Read are inertial, shapes of visual, and joints with origin, axis, limit, dynamics and mimic. What the file says besides, for
controllers, collisions or other programs, is passed over. Numbers are taken as they are: whether a body can have them is
decided where bodies are made (urdf_tree.py)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.checks import At, did_you_mean
from gaitwright.errors import ModelError
from gaitwright.formats.urdf_inertia import Inertial
from gaitwright.geometry.inertia import tensor
from gaitwright.geometry.orientation import from_angles
from gaitwright.input_files import parse_xml

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
    root = parse_xml(text, source)
    if root.tag != "robot":
        raise ModelError(f"{source} is XML but not URDF: it contains <{root.tag}>", expected="<robot name=...>")
    if any("xacro" in part.tag or any("${" in value for value in part.attrib.values()) for part in root.iter()):
        raise ModelError(
            f"{source} contains macros of xacro",
            expected="the URDF that the program xacro makes of it, "
            "or gw.load_urdf or `gaitwright urdf` on a .xacro file, which expand it",
        )
    robot = Robot(root.get("name", "robot"), {}, {})
    colours = {part.get("name"): colour for part in root.findall("material") if (colour := _colour(part))}
    for part in root.findall("link"):
        link = _link(part, colours)
        At(f"link '{link.name}'").unused(link.name, robot.links)
        robot.links[link.name] = link
    for part in root.findall("joint"):
        joint = _joint(part, robot.links)
        At(f"joint '{joint.name}'").unused(joint.name, robot.joints)
        robot.joints[joint.name] = joint
    if not robot.links:
        raise ModelError(f"{source} has no links", expected="at least one <link name=...>")
    _follow(robot)
    return robot


def _link(part: Any, colours: dict[Any, str]) -> UrdfLink:
    link = UrdfLink(_name(part, "link"))
    at = At(f"link '{link.name}'")
    inertial = part.find("inertial")
    if inertial is not None:
        _read_inertial(link, inertial, at)
    for k, visual in enumerate(part.findall("visual")):
        material = visual.find("material")
        colour = None if material is None else _colour(material) or colours.get(material.get("name"))
        here = At(f"{at.element} visual {k + 1}")
        known = [_SHAPES[s.tag](s, here) for s in visual.findall("geometry/*") if s.tag in _SHAPES]
        link.shapes += [UrdfShape(size, *_origin(visual, at, f"visual {k + 1}"), colour) for size in known]
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


def _read_inertial(link: UrdfLink, inertial: Any, at: At) -> None:
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    if mass is None or mass.get("value") is None:
        at["inertial.mass"].fail("is missing", expected='<mass value="..."/> in kg')
    kilograms = at["inertial.mass"].not_negative(_number(mass, "value", at, "inertial.mass"), "a mass in kg")
    if inertia is None and kilograms == 0:
        return
    at["inertial.inertia"].given(inertia, "<inertia ixx=... />, kg m^2")
    numbers = [_number(inertia, key, at, "inertial.inertia", 0.0 if k > 2 else None) for k, key in enumerate(INERTIA)]
    centre, turned = _origin(inertial, at, "inertial")
    link.own = Inertial(kilograms, centre, turned @ tensor(numbers) @ turned.T)


def _joint(part: Any, links: dict[str, UrdfLink]) -> UrdfJoint:
    name = _name(part, "joint")
    at, kind = At(f"joint '{name}'"), part.get("type")
    at["type"].one_of(kind, JOINTS, "there is no such joint" if "type" in part.attrib else "is missing")
    ends = []
    for side in ("parent", "child"):
        end = part.find(side)
        ends.append("" if end is None else end.get("link", ""))
        if ends[-1] not in links:
            problem = f"there is no link '{ends[-1]}'" if ends[-1] else "is missing"
            at[side].fail(problem, ends[-1] or None, f"a link of the file{did_you_mean(ends[-1], links)}")
    axis = np.array([1.0, 0.0, 0.0])
    if kind in WITH_AXIS and (given := part.find("axis")) is not None:
        axis = _triple(given, "xyz", at, "axis")
        if not axis.any():
            at["axis"].fail("has no direction", axis.tolist(), "a vector that is not zero")
    # 0 0 1 stays as it is; 1 1 1 becomes a unit vector.
    size = float(np.linalg.norm(axis))
    place, rotation = _origin(part, at)
    dynamics, limit = part.find("dynamics"), part.find("limit")
    damping, friction = (_number(dynamics, key, at, "dynamics", 0.0) for key in ("damping", "friction"))
    for key, value in (("damping", damping), ("friction", friction)):
        at[f"dynamics.{key}"].not_negative(value, "0 or more")
    limits = None
    if limit is not None and kind in ("revolute", "prismatic"):
        limits = (_number(limit, "lower", at, "limit", 0.0), _number(limit, "upper", at, "limit", 0.0))
        if limits[0] > limits[1]:
            at["limit"].fail("the lower limit is above the upper one", list(limits), "lower, then upper")
    mimic = _mimic(part.find("mimic"), at) if kind in MOVING else None
    return UrdfJoint(name, kind, ends[0], ends[1], place, rotation, axis / size, limits, damping, friction, mimic)


def _mimic(part: Any, at: At) -> Mimic | None:
    if part is None:
        return None
    if not part.get("joint"):
        at["mimic.joint"].fail("is missing", expected="the joint that it follows")
    numbers = (_number(part, key, at, "mimic", default) for key, default in (("multiplier", 1.0), ("offset", 0.0)))
    return Mimic(part.get("joint"), *numbers)


def _follow(robot: Robot) -> None:
    """Let every joint that follows another follow one that does not, directly."""
    first = {name: joint.mimic for name, joint in robot.joints.items()}
    for name, joint in robot.joints.items():
        passed = [name]
        while joint.mimic is not None:
            at, ahead = At(f"joint '{name}'", "mimic.joint"), joint.mimic.follows
            if ahead not in first:
                joint.mimic, joint.astray = None, ahead
                break
            if robot.joints[ahead].kind not in MOVING:
                at.fail(f"'{ahead}' does not turn or slide", ahead, "a joint of one of the types " + ", ".join(MOVING))
            if ahead in passed:
                at.fail(
                    f"follows itself, by way of {', '.join(passed)}", ahead, "a joint that moves on its own in the end"
                )
            passed.append(ahead)
            if (further := first[ahead]) is None:
                break
            mine = joint.mimic
            offset = mine.multiplier * further.offset + mine.offset
            joint.mimic = Mimic(further.follows, mine.multiplier * further.multiplier, offset)


# what parts are made of ----------------------------------------------------------------------------------------------


def _name(part: Any, what: str) -> str:
    if not part.get("name"):
        At(f"a {what}", "name").fail("is missing", expected=f'<{what} name="...">')
    return part.get("name")


def _number(part: Any, key: str, at: At, place: str, default: float | None = None) -> float:
    text = None if part is None else part.get(key)
    if text is None and default is not None:
        return default
    return _numbers(text, 1, at, f"{place}.{key}" if key != "value" else place, "a number")[0]


def _triple(part: Any, key: str, at: At, place: str) -> Array:
    text = None if part is None else part.get(key)
    return np.zeros(3) if text is None else np.array(_numbers(text, 3, at, f"{place}.{key}", "three numbers"))


def _numbers(text: str | None, count: int, at: At, place: str, expected: str) -> list[float]:
    try:
        found = [float(word) for word in at[place].given(text, expected).split()]
    except ValueError:
        found = []
    if len(found) != count or not all(map(math.isfinite, found)):
        problem = f"is not {'a finite number' if count == 1 else f'a list of {count} finite numbers'}"
        at[place].fail(problem, text, expected)
    return found


def _origin(part: Any, at: At, prefix: str = "") -> tuple[Array, Array]:
    """Place and rotation matrix. rpy are turns about the fixed axes x, y, z: about z, y, x of the body."""
    origin, place = part.find("origin"), f"{prefix}.origin".removeprefix(".")
    roll, pitch, yaw = _triple(origin, "rpy", at, place)
    return _triple(origin, "xyz", at, place), from_angles((yaw, pitch, roll), "zyx")


def _positive(part: Any, keys: tuple[str, ...], at: At) -> Iterator[float]:
    for key in keys:
        size = _number(part, key, at, part.tag)
        yield at[f"{part.tag}.{key}"].above_zero(size, "a positive number of m")


def _box(part: Any, at: At) -> dict[str, Any]:
    sides = _numbers(part.get("size"), 3, at, "box.size", "three sides in m")
    return {"box": at["box.size"].above_zero(sides, "positive numbers of m")}


def _mesh(part: Any, at: At) -> dict[str, Any]:
    scale = part.get("scale")
    mesh: dict[str, Any] = {"mesh": part.get("filename", "")}
    return mesh if scale is None else mesh | {"scale": _numbers(scale, 3, at, "mesh.scale", "three factors")}


_SHAPES = {
    "mesh": _mesh,
    "box": _box,
    "sphere": lambda part, at: {"sphere": next(_positive(part, ("radius",), at))},
    "cylinder": lambda part, at: {"cylinder": list(_positive(part, ("radius", "length"), at))},
}
