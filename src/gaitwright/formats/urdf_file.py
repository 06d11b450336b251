"""Links and joints of a URDF file (robots in XML: wiki.ros.org/urdf/XML) as plain data; model/io/urdf_import.py converts them.

Inertials, shapes of visuals, and joints with origin, axis, limit, dynamics and mimic are read. Other content, for controllers,
collisions or other programs, is skipped. Numbers are not judged here: urdf_tree.py checks whether a body with these values is
possible."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, suggest_spelling
from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import parse_xml
from gaitwright.formats.urdf_inertia import LinkInertia
from gaitwright.geometry.inertia import inertia_tensor
from gaitwright.geometry.orientation import rotation_from_angles

Array = np.ndarray
INERTIA_ATTRIBUTES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
JOINT_TYPES_WITH_AXIS = ("revolute", "continuous", "prismatic", "planar")
ROTATING_JOINT_TYPES = ("revolute", "continuous")
SINGLE_POSITION_JOINT_TYPES = (*ROTATING_JOINT_TYPES, "prismatic")
"""Types of joints with a single position, rad or m."""


@dataclass
class UrdfShape:
    """Shape of a visual. size: as in a model file, such as {"box": [x, y, z]}; for a mesh the file name in the URDF, and scale.
    at (m), rotation: in the link frame. colour: #rrggbb."""

    size: dict[str, Any]
    at: Array
    rotation: Array
    colour: str | None = None


@dataclass
class UrdfLink:
    """Link. own: mass and inertia in the file; zero for a frame without a body."""

    name: str
    own: LinkInertia = field(default_factory=LinkInertia)
    shapes: list[UrdfShape] = field(default_factory=list)


@dataclass
class UrdfMimic:
    """Mimic joint: position = multiplier * position of the joint `follows` + offset, rad or m."""

    follows: str
    multiplier: float
    offset: float


@dataclass
class UrdfJoint:
    """Joint. at (m), rotation: joint frame in the frame of its parent; the child frame coincides with it at joint position
    zero. axis: unit vector in the joint frame."""

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
    mimic: UrdfMimic | None = None
    astray: str = ""
    """Name of the joint that it should follow, if the file has no such joint."""


@dataclass
class UrdfRobot:
    name: str
    links: dict[str, UrdfLink]
    joints: dict[str, UrdfJoint]


def parse_urdf(text: str, source: str) -> UrdfRobot:
    """Parse the text of a URDF file. source: name of the file in messages."""
    root = parse_xml(text, source)
    if root.tag != "robot":
        raise ModelError(f"{source} is XML but not URDF: it contains <{root.tag}>", expected="<robot name=...>")
    if any("xacro" in part.tag or any("${" in value for value in part.attrib.values()) for part in root.iter()):
        raise ModelError(
            f"{source} contains macros of xacro",
            expected="the URDF that the program xacro makes of it, "
            "or gw.import_model or `gaitwright import` on a .xacro file, which expand it",
        )
    robot = UrdfRobot(root.get("name", "robot"), {}, {})
    colours = {part.get("name"): colour for part in root.findall("material") if (colour := _read_colour(part))}
    for part in root.findall("link"):
        link = _read_link(part, colours)
        ErrorContext(f"link '{link.name}'").unused(link.name, robot.links)
        robot.links[link.name] = link
    for part in root.findall("joint"):
        joint = _read_joint(part, robot.links)
        ErrorContext(f"joint '{joint.name}'").unused(joint.name, robot.joints)
        robot.joints[joint.name] = joint
    if not robot.links:
        raise ModelError(f"{source} has no links", expected="at least one <link name=...>")
    _resolve_mimic_chains(robot)
    return robot


def _read_link(part: Any, colours: dict[Any, str]) -> UrdfLink:
    link = UrdfLink(_read_name(part, "link"))
    at = ErrorContext(f"link '{link.name}'")
    inertial = part.find("inertial")
    if inertial is not None:
        _read_inertial(link, inertial, at)
    for k, visual in enumerate(part.findall("visual")):
        material = visual.find("material")
        colour = None if material is None else _read_colour(material) or colours.get(material.get("name"))
        context = ErrorContext(f"{at.element} visual {k + 1}")
        sizes = [_SHAPE_READERS[s.tag](s, context) for s in visual.findall("geometry/*") if s.tag in _SHAPE_READERS]
        link.shapes += [UrdfShape(size, *_read_origin(visual, at, f"visual {k + 1}"), colour) for size in sizes]
    return link


def _read_colour(material: Any) -> str | None:
    """Colour as #rrggbb, or None if it cannot be parsed: colours are only for pictures."""
    colour = material.find("color")
    try:
        parts = [float(word) for word in colour.get("rgba").split()][:3]
    except (AttributeError, ValueError):
        return None
    if len(parts) < 3 or not all(map(math.isfinite, parts)):
        return None
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in parts)


def _read_inertial(link: UrdfLink, inertial: Any, at: ErrorContext) -> None:
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    if mass is None or mass.get("value") is None:
        at["inertial.mass"].fail("is missing", expected='<mass value="..."/> in kg')
    kilograms = at["inertial.mass"].not_negative(_read_number(mass, "value", at, "inertial.mass"), "a mass in kg")
    if inertia is None and kilograms == 0:
        return
    at["inertial.inertia"].given(inertia, "<inertia ixx=... />, kg m^2")
    numbers = [
        _read_number(inertia, key, at, "inertial.inertia", 0.0 if k > 2 else None)
        for k, key in enumerate(INERTIA_ATTRIBUTES)
    ]
    centre, turned = _read_origin(inertial, at, "inertial")
    link.own = LinkInertia(kilograms, centre, turned @ inertia_tensor(numbers) @ turned.T)


def _read_joint(part: Any, links: dict[str, UrdfLink]) -> UrdfJoint:
    name = _read_name(part, "joint")
    at, kind = ErrorContext(f"joint '{name}'"), part.get("type")
    at["type"].one_of(kind, JOINT_TYPES, "there is no such joint" if "type" in part.attrib else "is missing")
    ends = []
    for side in ("parent", "child"):
        end = part.find(side)
        ends.append("" if end is None else end.get("link", ""))
        if ends[-1] not in links:
            problem = f"there is no link '{ends[-1]}'" if ends[-1] else "is missing"
            at[side].fail(problem, ends[-1] or None, f"a link of the file{suggest_spelling(ends[-1], links)}")
    axis = np.array([1.0, 0.0, 0.0])
    if kind in JOINT_TYPES_WITH_AXIS and (axis_element := part.find("axis")) is not None:
        axis = _read_triple(axis_element, "xyz", at, "axis")
        if not axis.any():
            at["axis"].fail("has no direction", axis.tolist(), "a vector that is not zero")
    # Exact for 0 0 1; 1 1 1 becomes a unit vector.
    size = float(np.linalg.norm(axis))
    place, rotation = _read_origin(part, at)
    dynamics, limit = part.find("dynamics"), part.find("limit")
    damping, friction = (_read_number(dynamics, key, at, "dynamics", 0.0) for key in ("damping", "friction"))
    for key, value in (("damping", damping), ("friction", friction)):
        at[f"dynamics.{key}"].not_negative(value, "0 or more")
    limits = None
    if limit is not None and kind in ("revolute", "prismatic"):
        limits = (_read_number(limit, "lower", at, "limit", 0.0), _read_number(limit, "upper", at, "limit", 0.0))
        if limits[0] > limits[1]:
            at["limit"].fail("the lower limit is above the upper one", list(limits), "lower, then upper")
    mimic = _read_mimic(part.find("mimic"), at) if kind in SINGLE_POSITION_JOINT_TYPES else None
    return UrdfJoint(name, kind, ends[0], ends[1], place, rotation, axis / size, limits, damping, friction, mimic)


def _read_mimic(part: Any, at: ErrorContext) -> UrdfMimic | None:
    if part is None:
        return None
    if not part.get("joint"):
        at["mimic.joint"].fail("is missing", expected="the joint that it follows")
    numbers = (_read_number(part, key, at, "mimic", default) for key, default in (("multiplier", 1.0), ("offset", 0.0)))
    return UrdfMimic(part.get("joint"), *numbers)


def _resolve_mimic_chains(robot: UrdfRobot) -> None:
    """Make every mimic joint follow an independent joint directly."""
    first = {name: joint.mimic for name, joint in robot.joints.items()}
    for name, joint in robot.joints.items():
        passed = [name]
        while joint.mimic is not None:
            at, ahead = ErrorContext(f"joint '{name}'", "mimic.joint"), joint.mimic.follows
            if ahead not in first:
                joint.mimic, joint.astray = None, ahead
                break
            if robot.joints[ahead].kind not in SINGLE_POSITION_JOINT_TYPES:
                at.fail(
                    f"'{ahead}' does not turn or slide",
                    ahead,
                    "a joint of one of the types " + ", ".join(SINGLE_POSITION_JOINT_TYPES),
                )
            if ahead in passed:
                at.fail(
                    f"follows itself, by way of {', '.join(passed)}", ahead, "a joint that moves on its own in the end"
                )
            passed.append(ahead)
            if (further := first[ahead]) is None:
                break
            mine = joint.mimic
            offset = mine.multiplier * further.offset + mine.offset
            joint.mimic = UrdfMimic(further.follows, mine.multiplier * further.multiplier, offset)


# what parts are made of ----------------------------------------------------------------------------------------------


def _read_name(part: Any, element: str) -> str:
    if not part.get("name"):
        ErrorContext(f"a {element}", "name").fail("is missing", expected=f'<{element} name="...">')
    return part.get("name")


def _read_number(part: Any, key: str, at: ErrorContext, place: str, default: float | None = None) -> float:
    text = None if part is None else part.get(key)
    if text is None and default is not None:
        return default
    return _read_numbers(text, 1, at, f"{place}.{key}" if key != "value" else place, "a number")[0]


def _read_triple(part: Any, key: str, at: ErrorContext, place: str) -> Array:
    text = None if part is None else part.get(key)
    return np.zeros(3) if text is None else np.array(_read_numbers(text, 3, at, f"{place}.{key}", "three numbers"))


def _read_numbers(text: str | None, count: int, at: ErrorContext, place: str, expected: str) -> list[float]:
    try:
        numbers = [float(word) for word in at[place].given(text, expected).split()]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        problem = f"is not {'a finite number' if count == 1 else f'a list of {count} finite numbers'}"
        at[place].fail(problem, text, expected)
    return numbers


def _read_origin(part: Any, at: ErrorContext, prefix: str = "") -> tuple[Array, Array]:
    """Position (m) and rotation matrix. rpy are rotations about the fixed axes x, y, z, or about z, y, x of the body."""
    origin, place = part.find("origin"), f"{prefix}.origin".removeprefix(".")
    roll, pitch, yaw = _read_triple(origin, "rpy", at, place)
    return _read_triple(origin, "xyz", at, place), rotation_from_angles((yaw, pitch, roll), "zyx")


def _read_positive_numbers(part: Any, keys: tuple[str, ...], at: ErrorContext) -> Iterator[float]:
    for key in keys:
        size = _read_number(part, key, at, part.tag)
        yield at[f"{part.tag}.{key}"].above_zero(size, "a positive number of m")


def _read_box(part: Any, at: ErrorContext) -> dict[str, Any]:
    sides = _read_numbers(part.get("size"), 3, at, "box.size", "three sides in m")
    return {"box": at["box.size"].above_zero(sides, "positive numbers of m")}


def _read_mesh(part: Any, at: ErrorContext) -> dict[str, Any]:
    scale = part.get("scale")
    mesh: dict[str, Any] = {"mesh": part.get("filename", "")}
    return mesh if scale is None else mesh | {"scale": _read_numbers(scale, 3, at, "mesh.scale", "three factors")}


_SHAPE_READERS = {
    "mesh": _read_mesh,
    "box": _read_box,
    "sphere": lambda part, at: {"sphere": next(_read_positive_numbers(part, ("radius",), at))},
    "cylinder": lambda part, at: {"cylinder": list(_read_positive_numbers(part, ("radius", "length"), at))},
}
