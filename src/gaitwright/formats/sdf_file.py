"""SDF, the model files of Gazebo and Drake (sdformat.org): links, joints and loops of the first model in a file.

Read are poses (also relative to named links, joints and frames), inertials, joints with axes, limits and damping, and shapes
of visuals. Nested models, includes, sensors and plugins are not."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.errors import ModelError
from gaitwright.formats.assembly import Array, Assembly, Piece, Tie
from gaitwright.formats.urdf_inertia import Inertial
from gaitwright.formats.urdf_tree import GROUND, Frame
from gaitwright.formats.xml_text import numbers, tag
from gaitwright.geometry.inertia import tensor
from gaitwright.geometry.orientation import from_angles
from gaitwright.input_files import parse_xml

JOINTS = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "ball": "spherical", "fixed": "fixed",
          "universal": "universal"}  # fmt: skip
ENDLESS = 1e10
"""Limits beyond it are none."""


def sdf_assembly(text: str, source: str) -> Assembly:
    root = parse_xml(text, source)
    model = next((part for part in root.iter() if tag(part) == "model"), None)
    if tag(root) != "sdf" or model is None:
        raise ModelError(f"{source} has no model of SDF", expected="<sdf><model name=...>")
    gravity = next((part.text for part in root.iter() if tag(part) == "gravity" and part.text), "0 0 -9.81")
    if gravity.strip() in ("0", "1", "true", "false"):  # of a link: whether it has a weight
        gravity = "0 0 -9.81"
    return _Reader(model, source, np.array(numbers(gravity, 3, At(source, "gravity")))).assembly()


class _Reader:
    def __init__(self, model: Any, source: str, gravity: Array):
        self.model, self.at = model, At(source)
        self.all = Assembly(model.get("name", "model"), gravity)
        self.parts: dict[str, Any] = {}
        for kind in ("link", "frame", "joint"):
            for part in model.findall(kind):
                name = part.get("name") or self.at[f"{kind}.name"].fail("is missing")
                At(f"{kind} '{name}'").unused(name, self.parts)
                self.parts[name] = part
        self.frames: dict[str, Frame] = {"__model__": _pose(model, self.at), "world": Frame()}
        self.following: list[str] = []

    def assembly(self) -> Assembly:
        links = self.model.findall("link")
        if not links:
            self.at.fail("has no links", expected="at least one <link name=...>")
        for kind in ("model", "include"):
            for part in self.model.findall(kind):
                self.all.leave("models inside of the model are left out", part.get("name") or kind)
        for kind in ("plugin", "gripper"):
            for part in self.model.findall(kind):
                self.all.leave(f"what a {kind} does is left out", part.get("name") or kind)
        for part in links:
            self._link(part)
        for part in self.model.findall("joint"):
            self._joint(part)
        return self.all

    def _frame(self, name: str) -> Frame:
        """Of a link, frame or joint by name, in the ground frame."""
        if name in self.frames:
            return self.frames[name]
        if name not in self.parts:
            self.at["relative_to"].fail(f"there is no '{name}'", name, offer(name, self.parts))
        if name in self.following:
            self.at["relative_to"].fail(f"'{name}' stands relative to itself", name, "frames that end at the model")
        self.following.append(name)
        part = self.parts[name]
        pose = part.find("pose")
        above = None if pose is None else pose.get("relative_to") or pose.get("frame")
        if not above and tag(part) == "joint":
            above = _child(part, "child", self.at)
        elif not above and tag(part) == "frame":
            above = part.get("attached_to")
        base = self._frame(above or "__model__")
        self.following.pop()
        own = _pose(part, At(f"{tag(part)} '{name}'"))
        self.frames[name] = Frame(base.at + base.rotation @ own.at, base.rotation @ own.rotation)
        return self.frames[name]

    def _link(self, part: Any) -> None:
        name = part.get("name")
        at, own = At(f"link '{name}'"), Inertial()
        inertial = part.find("inertial")
        if inertial is not None:
            pose = _pose(inertial, at)
            mass = _number(inertial, "mass", at, 1.0)
            entries = [_number(inertial, f"inertia/{key}", at, 1.0 if key[1] == key[2] else 0.0) for key in
                       ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]  # fmt: skip
            at["inertial.mass"].not_negative(mass, "a mass in kg")
            own = Inertial(mass, pose.at, pose.rotation @ tensor(entries) @ pose.rotation.T)
        piece = Piece(name, self._frame(name), own)
        for visual in part.findall("visual"):
            pose = _pose(visual, at)
            for shape in visual.findall("geometry/*"):
                if tag(shape) in SHAPES:
                    piece.shapes.append({**SHAPES[tag(shape)](shape, at), "at": pose.at, "rotation": pose.rotation})
        for sensor in part.findall("sensor"):
            self.all.leave("sensors are left out", sensor.get("name") or name)
        if self.model.findtext("static", "").strip() in ("1", "true"):
            piece.holder = GROUND
        self.all.pieces[name] = piece

    def _joint(self, part: Any) -> None:
        name = part.get("name")
        at = At(f"joint '{name}'")
        kind = at["type"].one_of(part.get("type"), JOINTS, "is not read")
        ends = []
        for side in ("parent", "child"):
            end = _child(part, side, at)
            if end != "world" and end not in self.all.pieces:
                at[side].fail(f"there is no link '{end}'", end, offer(end, self.all.pieces))
            ends.append(GROUND if end == "world" else end)
        frame = self._frame(name)
        tie = Tie(name, JOINTS[kind], ends[0], ends[1], frame.at)
        axis = part.find("axis")
        if JOINTS[kind] in ("revolute", "prismatic", "universal"):
            tie.axis = self._axis(axis, part, frame, at["axis"])
        if kind == "universal":
            tie.axis_b = self._axis(part.find("axis2"), part, frame, at["axis2"])
        if axis is not None and JOINTS[kind] in ("revolute", "prismatic"):
            low, high = (_number(axis, f"limit/{key}", at, sign * 1e16) for key, sign in (("lower", -1), ("upper", 1)))
            if abs(low) < ENDLESS and abs(high) < ENDLESS and kind != "continuous":
                tie.limits = (low, high)
            tie.damping = at["damping"].not_negative(_number(axis, "dynamics/damping", at, 0.0), "0 or more")
            tie.stiffness = _number(axis, "dynamics/spring_stiffness", at, 0.0)
            tie.rest = _number(axis, "dynamics/spring_reference", at, 0.0)
            if _number(axis, "dynamics/friction", at, 0.0):
                self.all.leave("friction of joints is left out", name)
        self.all.ties[name] = tie

    def _axis(self, axis: Any, joint: Any, frame: Frame, at: At) -> Array:
        text = "0 0 1" if axis is None else axis.findtext("xyz", "0 0 1")
        way = np.array(numbers(text, 3, at))
        if not way.any():
            at.fail("has no direction", text, "a vector that is not zero")
        said = None if axis is None else axis.find("xyz")
        turn = frame.rotation
        if said is not None and (within := said.get("expressed_in")):
            turn = self._frame(within).rotation
        elif axis is not None and axis.findtext("use_parent_model_frame", "0").strip() in ("1", "true"):
            turn = self.frames["__model__"].rotation
        return turn @ way / np.linalg.norm(way)


def _child(part: Any, side: str, at: At) -> str:
    return (part.findtext(side) or "").strip() or at[side].fail("is missing", expected="the name of a link")


def _pose(part: Any, at: At) -> Frame:
    """x y z roll pitch yaw, rad unless it says degrees."""
    pose = part.find("pose")
    text = "0 0 0 0 0 0" if pose is None or not (pose.text or "").strip() else pose.text
    *place, roll, pitch, yaw = numbers(text, 6, at["pose"])
    unit = np.pi / 180.0 if pose is not None and pose.get("degrees") in ("true", "1") else 1.0
    return Frame(np.array(place), from_angles((unit * yaw, unit * pitch, unit * roll), "zyx"))


def _number(part: Any, path: str, at: At, otherwise: float) -> float:
    text = part.findtext(path)
    if text is None:
        return otherwise
    if text.strip().lower().lstrip("+-") in ("inf", "infinity"):
        return -1e16 if text.strip().startswith("-") else 1e16
    return numbers(text, 1, at[path.replace("/", ".")], "a number")[0]


def _sizes(part: Any, at: At, *names: str) -> list[float]:
    found = [_number(part, name, at, 0.0) for name in names]
    return [float(at[f"{tag(part)}.{name}"].above_zero(x, "m")) for name, x in zip(names, found, strict=True)]


SHAPES = {
    "box": lambda part, at: {"box": numbers(part.findtext("size"), 3, at["box.size"])},
    "sphere": lambda part, at: {"sphere": _sizes(part, at, "radius")[0]},
    "cylinder": lambda part, at: {"cylinder": _sizes(part, at, "radius", "length")},
    "capsule": lambda part, at: {"capsule": _sizes(part, at, "radius", "length")},
    "mesh": lambda part, at: (
        {"mesh": (part.findtext("uri") or "").strip()}
        | ({"scale": numbers(part.findtext("scale"), 3, at["mesh.scale"])} if part.findtext("scale") else {})
    ),
}
