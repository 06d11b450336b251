"""SDF, the model files of Gazebo and Drake (sdformat.org): links, joints and loops of the first model in a file.

Poses (also relative to named links, joints and frames), inertials, joints with axes, limits and damping, and shapes of visuals
are read. Nested models, includes, sensors and plugins are not."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import parse_xml
from gaitwright.formats.imported_assembly import Array, ImportedAssembly, ImportedBody, ImportedJoint
from gaitwright.formats.urdf_inertia import LinkInertia
from gaitwright.formats.urdf_tree import GROUND, MovingFrame
from gaitwright.formats.xml_text import parse_numbers, tag_name
from gaitwright.geometry.inertia import inertia_tensor
from gaitwright.geometry.orientation import rotation_from_angles

MODEL_JOINT_BY_SDF_TYPE = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "ball": "spherical",
    "fixed": "fixed",
    "universal": "universal",
}
MAX_JOINT_LIMIT = 1e10
"""Larger limits count as no limits."""


def sdf_assembly(text: str, source: str) -> ImportedAssembly:
    """Bodies and joints of an SDF file."""
    root = parse_xml(text, source)
    model = next((part for part in root.iter() if tag_name(part) == "model"), None)
    if tag_name(root) != "sdf" or model is None:
        raise ModelError(f"{source} has no model of SDF", expected="<sdf><model name=...>")
    gravity = next((part.text for part in root.iter() if tag_name(part) == "gravity" and part.text), "0 0 -9.81")
    if gravity.strip() in ("0", "1", "true", "false"):  # gravity flag of a link, not a vector
        gravity = "0 0 -9.81"
    return _SdfReader(model, source, np.array(parse_numbers(gravity, 3, ErrorContext(source, "gravity")))).assembly()


class _SdfReader:
    def __init__(self, model: Any, source: str, gravity: Array):
        self.model, self.at = model, ErrorContext(source)
        self.all = ImportedAssembly(model.get("name", "model"), gravity)
        self.parts: dict[str, Any] = {}
        for kind in ("link", "frame", "joint"):
            for part in model.findall(kind):
                name = part.get("name") or self.at[f"{kind}.name"].fail("is missing")
                ErrorContext(f"{kind} '{name}'").unused(name, self.parts)
                self.parts[name] = part
        self.frames: dict[str, MovingFrame] = {"__model__": _read_pose(model, self.at), "world": MovingFrame()}
        self.following: list[str] = []

    def assembly(self) -> ImportedAssembly:
        links = self.model.findall("link")
        if not links:
            self.at.fail("has no links", expected="at least one <link name=...>")
        for kind in ("model", "include"):
            for part in self.model.findall(kind):
                self.all.leave("models inside of the model are left out", part.get("name") or kind)
        for kind in ("plugin", "gripper"):
            for part in self.model.findall(kind):
                self.all.leave(f"{kind}s are left out", part.get("name") or kind)
        for part in links:
            self._link(part)
        for part in self.model.findall("joint"):
            self._joint(part)
        return self.all

    def _frame(self, name: str) -> MovingFrame:
        """Frame of a link, frame or joint by name, in the ground frame."""
        if name in self.frames:
            return self.frames[name]
        if name not in self.parts:
            self.at["relative_to"].fail(f"there is no '{name}'", name, format_choices(name, self.parts))
        if name in self.following:
            self.at["relative_to"].fail(f"'{name}' is defined relative to itself", name, "frames that end at the model")
        self.following.append(name)
        part = self.parts[name]
        pose = part.find("pose")
        above = None if pose is None else pose.get("relative_to") or pose.get("frame")
        if not above and tag_name(part) == "joint":
            above = _read_child_name(part, "child", self.at)
        elif not above and tag_name(part) == "frame":
            above = part.get("attached_to")
        base = self._frame(above or "__model__")
        self.following.pop()
        own = _read_pose(part, ErrorContext(f"{tag_name(part)} '{name}'"))
        self.frames[name] = MovingFrame(base.at + base.rotation @ own.at, base.rotation @ own.rotation)
        return self.frames[name]

    def _link(self, part: Any) -> None:
        name = part.get("name")
        at, own = ErrorContext(f"link '{name}'"), LinkInertia()
        inertial = part.find("inertial")
        if inertial is not None:
            pose = _read_pose(inertial, at)
            mass = _read_number(inertial, "mass", at, 1.0)
            entries = [_read_number(inertial, f"inertia/{key}", at, 1.0 if key[1] == key[2] else 0.0) for key in
                       ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]  # fmt: skip
            at["inertial.mass"].not_negative(mass, "a mass in kg")
            own = LinkInertia(mass, pose.at, pose.rotation @ inertia_tensor(entries) @ pose.rotation.T)
        piece = ImportedBody(name, self._frame(name), own)
        for visual in part.findall("visual"):
            pose = _read_pose(visual, at)
            for shape in visual.findall("geometry/*"):
                if tag_name(shape) in SHAPE_READERS:
                    piece.shapes.append(
                        {**SHAPE_READERS[tag_name(shape)](shape, at), "at": pose.at, "rotation": pose.rotation}
                    )
        for sensor in part.findall("sensor"):
            self.all.leave("sensors are left out", sensor.get("name") or name)
        if self.model.findtext("static", "").strip() in ("1", "true"):
            piece.holder = GROUND
        self.all.pieces[name] = piece

    def _joint(self, part: Any) -> None:
        name = part.get("name")
        at = ErrorContext(f"joint '{name}'")
        kind = at["type"].one_of(part.get("type"), MODEL_JOINT_BY_SDF_TYPE, "is not read")
        ends = []
        for side in ("parent", "child"):
            end = _read_child_name(part, side, at)
            if end != "world" and end not in self.all.pieces:
                at[side].fail(f"there is no link '{end}'", end, format_choices(end, self.all.pieces))
            ends.append(GROUND if end == "world" else end)
        frame = self._frame(name)
        tie = ImportedJoint(name, MODEL_JOINT_BY_SDF_TYPE[kind], ends[0], ends[1], frame.at)
        axis = part.find("axis")
        if MODEL_JOINT_BY_SDF_TYPE[kind] in ("revolute", "prismatic", "universal"):
            tie.axis = self._axis(axis, part, frame, at["axis"])
        if kind == "universal":
            tie.axis_b = self._axis(part.find("axis2"), part, frame, at["axis2"])
        if axis is not None and MODEL_JOINT_BY_SDF_TYPE[kind] in ("revolute", "prismatic"):
            low, high = (
                _read_number(axis, f"limit/{key}", at, sign * 1e16) for key, sign in (("lower", -1), ("upper", 1))
            )
            if abs(low) < MAX_JOINT_LIMIT and abs(high) < MAX_JOINT_LIMIT and kind != "continuous":
                tie.limits = (low, high)
            tie.damping = at["damping"].not_negative(_read_number(axis, "dynamics/damping", at, 0.0), "0 or more")
            tie.stiffness = _read_number(axis, "dynamics/spring_stiffness", at, 0.0)
            tie.rest = _read_number(axis, "dynamics/spring_reference", at, 0.0)
            if _read_number(axis, "dynamics/friction", at, 0.0):
                self.all.leave("friction of joints is left out", name)
        self.all.ties[name] = tie

    def _axis(self, axis: Any, joint: Any, frame: MovingFrame, at: ErrorContext) -> Array:
        text = "0 0 1" if axis is None else axis.findtext("xyz", "0 0 1")
        way = np.array(parse_numbers(text, 3, at))
        if not way.any():
            at.fail("has no direction", text, "a vector that is not zero")
        xyz = None if axis is None else axis.find("xyz")
        turn = frame.rotation
        if xyz is not None and (within := xyz.get("expressed_in")):
            turn = self._frame(within).rotation
        elif axis is not None and axis.findtext("use_parent_model_frame", "0").strip() in ("1", "true"):
            turn = self.frames["__model__"].rotation
        return turn @ way / np.linalg.norm(way)


def _read_child_name(part: Any, side: str, at: ErrorContext) -> str:
    return (part.findtext(side) or "").strip() or at[side].fail("is missing", expected="the name of a link")


def _read_pose(part: Any, at: ErrorContext) -> MovingFrame:
    """Pose x y z roll pitch yaw; angles in rad unless marked as degrees."""
    pose = part.find("pose")
    text = "0 0 0 0 0 0" if pose is None or not (pose.text or "").strip() else pose.text
    *place, roll, pitch, yaw = parse_numbers(text, 6, at["pose"])
    unit = np.pi / 180.0 if pose is not None and pose.get("degrees") in ("true", "1") else 1.0
    return MovingFrame(np.array(place), rotation_from_angles((unit * yaw, unit * pitch, unit * roll), "zyx"))


def _read_number(part: Any, path: str, at: ErrorContext, otherwise: float) -> float:
    text = part.findtext(path)
    if text is None:
        return otherwise
    if text.strip().lower().lstrip("+-") in ("inf", "infinity"):
        return -1e16 if text.strip().startswith("-") else 1e16
    return parse_numbers(text, 1, at[path.replace("/", ".")], "a number")[0]


def _read_sizes(part: Any, at: ErrorContext, *names: str) -> list[float]:
    sizes = [_read_number(part, name, at, 0.0) for name in names]
    return [float(at[f"{tag_name(part)}.{name}"].above_zero(x, "m")) for name, x in zip(names, sizes, strict=True)]


SHAPE_READERS = {
    "box": lambda part, at: {"box": parse_numbers(part.findtext("size"), 3, at["box.size"])},
    "sphere": lambda part, at: {"sphere": _read_sizes(part, at, "radius")[0]},
    "cylinder": lambda part, at: {"cylinder": _read_sizes(part, at, "radius", "length")},
    "capsule": lambda part, at: {"capsule": _read_sizes(part, at, "radius", "length")},
    "mesh": lambda part, at: (
        {"mesh": (part.findtext("uri") or "").strip()}
        | ({"scale": parse_numbers(part.findtext("scale"), 3, at["mesh.scale"])} if part.findtext("scale") else {})
    ),
}
