"""Conversion of robots in URDF to spatial models.

A link with a mass becomes a body with the frame of the link. A link without mass is a frame: it becomes a point of the
body that it is fixed to; so does a link with impossible mass and inertia, whose mass is added there. The base is fixed to the
ground, or free. Joint angles are those of the file, whatever the drawn pose."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices, suggest_spelling
from gaitwright.formats.urdf_conversion_table import UrdfTableRow, joint_row, link_row
from gaitwright.formats.urdf_file import (
    INERTIA_ATTRIBUTES,
    ROTATING_JOINT_TYPES,
    SINGLE_POSITION_JOINT_TYPES,
    Array,
    UrdfJoint,
    UrdfLink,
    UrdfRobot,
    parse_urdf,
)
from gaitwright.formats.urdf_resources import expand_xacro, find_mesh_file, is_xacro
from gaitwright.formats.urdf_tree import GROUND, LinkCarrier, UrdfJointValues, UrdfTree, to_float_list
from gaitwright.geometry.rotation import quaternion_of
from gaitwright.model.io.files import read_model_text
from gaitwright.model.reader.name_resolver import RESERVED_PART_NAMES

BASE_TYPES = ("fixed", "free")
MODEL_JOINT_BY_URDF_TYPE = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "planar": "planar",
}
"""Joint types of the model by those of the file; a floating joint restrains nothing."""
ANCHOR_OFFSET_M = 1.0
"""Distance of the anchor of a slider's damper behind the end of its travel, m, so that its direction is always defined."""


class UrdfConversion(NamedTuple):
    """document: of a model. notes: sentences about omissions and changes. table: result for each link and joint."""

    document: dict[str, Any]
    notes: list[str]
    table: list[UrdfTableRow]


def robot_table(path: str | Path, **options: Any) -> Any:
    """Conversion result of every link and joint of a URDF file, a pandas DataFrame. options: of `import_model` for URDF."""
    import pandas as pd

    return pd.DataFrame(read_urdf(path, **options).table).set_index("name")


def read_urdf(path: str | Path, **options: Any) -> UrdfConversion:
    """Convert a URDF file: document, notes and table. options: those of URDF in `import_model`."""
    path = Path(path)
    text = read_model_text(path)
    text = expand_xacro(path) if is_xacro(text, path) else text
    return convert_urdf(text, f"the file '{path}'", folder=path.parent, **options)


def convert_urdf(
    text: str,
    source: str,
    base: str = "fixed",
    positions: UrdfJointValues | None = None,
    speeds: UrdfJointValues | None = None,
    stops: float | None = None,
    merge: bool = False,
    repair: bool = False,
    folder: Path | None = None,
) -> UrdfConversion:
    """Same as read_urdf for a text. source: name of the text in messages. folder: of the file, where meshes are searched."""
    if base not in BASE_TYPES:
        ErrorContext(field="base").fail("is not known", base, f"one of {', '.join(BASE_TYPES)}")
    robot = parse_urdf(text, source)
    for values, field in ((positions or {}, "positions"), (speeds or {}, "speeds")):
        _require_joints(robot, values, field)
    return _UrdfDocumentWriter(
        UrdfTree(robot, base, positions or {}, speeds or {}, merge, repair), stops, merge, folder
    ).reading()


def urdf_document(text: str, source: str, **options: Any) -> tuple[dict[str, Any], list[str]]:
    """Document and notes of `convert_urdf`."""
    return convert_urdf(text, source, **options)[:2]


def _require_joints(robot: UrdfRobot, given: UrdfJointValues, field: str) -> None:
    joint_names = [
        joint.name
        for joint in robot.joints.values()
        if joint.kind in SINGLE_POSITION_JOINT_TYPES and joint.mimic is None
    ]
    at = ErrorContext(field=field)
    for name, value in given.items():
        mimic = robot.joints[name].mimic if name in robot.joints else None
        if mimic is not None:
            expected = f"one for '{mimic.follows}', which moves both"
            at.fail(f"the joint '{name}' follows '{mimic.follows}'", name, expected)
        if name not in joint_names:
            at.fail(f"there is no joint '{name}' that has one", name, format_choices(name, joint_names, "(none)"))
        ErrorContext(f"joint '{name}'", field).finite(value, "a plain number")


class _UrdfDocumentWriter:
    """Writer of a tree as a document. points, shapes: of every body, and of the ground, by the name of the link."""

    def __init__(self, tree: UrdfTree, stops: float | None, merge: bool, folder: Path | None):
        self.tree, self.stops, self.merge, self.folder = tree, stops, merge, folder
        self.lost: list[str] = []
        self.names = _assign_names(tree.robot, tree.root)
        self.points: dict[str, dict[str, list[float]]] = {GROUND: {}}
        self.points |= {name: {} for name in tree.bodies}
        self.shapes: dict[str, list[dict[str, Any]]] = {name: [] for name in self.points}
        self.joints: list[dict[str, Any]] = []
        self.forces: list[dict[str, Any]] = []

    def reading(self) -> UrdfConversion:
        tree = self.tree
        if tree.base == "fixed" and tree.carriers[tree.root].body != GROUND:
            self._joint(self.names["base of", tree.root], "fixed", LinkCarrier(GROUND), np.zeros(3), tree.root)
        for link in tree.order:
            self._connect(link)
        self._gears()
        bodies = [self._body(link) for link in tree.order if link.name in tree.bodies]
        title = " ".join(re.sub(r"[^\w .,:+/-]", " ", tree.robot.name).split())
        document: dict[str, Any] = {"gaitwright": 1, "name": title, "dimension": 3}
        ground = {"points": self.points[GROUND]} | ({"shapes": self.shapes[GROUND]} if self.shapes[GROUND] else {})
        document |= {"ground": ground, "bodies": bodies}
        document |= {"joints": self.joints, "forces": self.forces}
        rows = [link_row(tree, link, self.names) for link in tree.order]
        rows += [joint_row(tree, joint, self._has_stops(joint), self.names) for joint in tree.robot.joints.values()]
        return UrdfConversion(document, self._notes(), rows)

    def _connect(self, link: UrdfLink) -> None:
        """Add a frame as a point of its body, or the joint that leads to a body, with its damper and stops; and shapes."""
        carrier, joint = self.tree.carriers[link.name], self.tree.to.get(link.name)
        for shape in link.shapes:
            placed = {"at": carrier.place(shape.at), **_orientation_fields(carrier.rotation @ shape.rotation)}
            size = dict(shape.size)
            if "mesh" in size:
                path = None if self.folder is None else find_mesh_file(size["mesh"], self.folder)
                if path is None:
                    self.lost.append(f"{link.name} ({size['mesh'] or 'no name'})")
                    continue
                size["mesh"] = str(path)
            colour = {} if shape.colour is None else {"colour": shape.colour}
            self.shapes[carrier.body].append({**size, **colour, **placed})
        if carrier.body not in (GROUND, link.name):
            self.points[carrier.body][self.names["link", link.name]] = carrier.place(np.zeros(3))
        if (
            joint is None
            or joint.kind not in MODEL_JOINT_BY_URDF_TYPE
            or self.tree.carriers[joint.parent].body == carrier.body
        ):
            return
        parent, name = self.tree.carriers[joint.parent], self.names["joint", joint.name]
        entry = self._joint(name, MODEL_JOINT_BY_URDF_TYPE[joint.kind], parent, joint.at, link.name)
        if joint.kind != "fixed":
            entry["axis"] = parent.direction(joint.rotation @ joint.axis)
        if joint.kind in ROTATING_JOINT_TYPES and joint.name in self.tree.positions:
            entry["drawn_angle"] = float(self.tree.positions[joint.name])
        if joint.damping and joint.kind in SINGLE_POSITION_JOINT_TYPES:
            self.forces.append(self._damper(joint, entry, parent))
        if self._has_stops(joint):
            lower, upper = joint.limits or (0.0, 0.0)
            stops = {"lower": lower, "upper": upper, "stiffness": self.stops}
            self.forces.append({"type": "bumper", "name": f"{name}-stops", "joint": name, **stops})

    def _gears(self) -> None:
        """Add the gears of mimic joints."""
        for joint in self.tree.robot.joints.values():
            if joint.mimic is None:
                continue
            leading_joint = self.tree.robot.joints[joint.mimic.follows]
            a, b = (self.names["joint", name] for name in (leading_joint.name, joint.name))
            gear: dict[str, Any] = {"type": "gear", "name": f"{b}-mimic", "a": a, "b": b}
            if leading_joint.kind in ROTATING_JOINT_TYPES and joint.kind not in ROTATING_JOINT_TYPES:
                gear |= {"type": "rack", "radius": joint.mimic.multiplier}
            else:
                gear["ratio"] = joint.mimic.multiplier
            self.joints.append(gear | {"offset": joint.mimic.offset})

    def _joint(self, name: str, kind: str, parent: LinkCarrier, at: Array, child: str) -> dict[str, Any]:
        """Add a joint, and its points on both bodies, which have its name."""
        child_carrier = self.tree.carriers[child]
        self.points[parent.body][name] = parent.place(at)
        self.points[child_carrier.body][name] = child_carrier.place(np.zeros(3))
        a, b = (self._called(carrier.body) for carrier in (parent, child_carrier))
        self.joints.append({"type": kind, "name": name, "a": f"{a}.{name}", "b": f"{b}.{name}"})
        return self.joints[-1]

    def _called(self, body: str) -> str:
        return "ground" if body == GROUND else self.names["link", body]

    def _damper(self, joint: UrdfJoint, entry: dict[str, Any], parent: LinkCarrier) -> dict[str, Any]:
        """Damper entry: tau = -damping phi' about a hinge; on a slider a damper along its line, from a point behind it."""
        damper = {"name": f"{entry['name']}-damper", "stiffness": 0.0, "damping": joint.damping}
        if joint.kind in ROTATING_JOINT_TYPES:
            return {"type": "torsion-spring", **damper, "joint": entry["name"]}
        lowest = min(0.0, *(joint.limits or (0.0,)), self.tree.positions.get(joint.name, 0.0))
        anchor = f"{entry['name']}-anchor"
        behind = joint.at + joint.rotation @ joint.axis * (lowest - ANCHOR_OFFSET_M)
        self.points[parent.body][anchor] = parent.place(behind)
        return {"type": "spring-damper", **damper, "a": f"{self._called(parent.body)}.{anchor}", "b": entry["b"]}

    def _has_stops(self, joint: UrdfJoint) -> bool:
        """True if the joint gets bumpers; their angle range is half a turn to each side."""
        hinge = joint.kind == "revolute" and joint.limits is not None
        return self.stops is not None and hinge and max(map(abs, joint.limits or ())) < math.pi

    def _body(self, link: UrdfLink) -> dict[str, Any]:
        frame, inertia_properties = self.tree.frames[link.name], self.tree.bodies[link.name]
        inertia = [
            float(inertia_properties.inertia["xyz".index(key[1]), "xyz".index(key[2])]) for key in INERTIA_ATTRIBUTES
        ]
        body: dict[str, Any] = {"name": self.names["link", link.name], "mass": float(inertia_properties.mass)}
        body["inertia"] = inertia if any(inertia[3:]) else inertia[:3]
        body |= {
            "centre": to_float_list(inertia_properties.centre),
            "at": to_float_list(frame.at),
            **_orientation_fields(frame.rotation),
        }
        body["points"] = self.points[link.name]
        if self.tree.speeds:
            body |= {
                "velocity": to_float_list(frame.point_velocity(inertia_properties.centre)),
                "spin": to_float_list(frame.spin),
            }
        return body | ({"shapes": self.shapes[link.name]} if self.shapes[link.name] else {})

    def _notes(self) -> list[str]:
        joints, links, carriers = self.tree.robot.joints.values(), self.tree.order, self.tree.carriers
        merged = [
            f"{k.name} into {carriers[k.name].body or 'the ground'}"
            for k in links if not (self.merge or k.own.nothing) and carriers[k.name].body != k.name
        ]  # fmt: skip
        repairs = [f"{name} ({remark})" for name, remark in self.tree.repairs.items()]
        renamed = [f"{old} is {new}" for (what, old), new in self.names.items() if what != "base of" and old != new]
        notes = {
            "impossible mass or inertia was repaired": repairs,
            "links that could not be bodies are merged": merged,
            "limits of joints are left out": [j.name for j in joints if j.limits and not self._has_stops(j)],
            "mimic names no joint of the file, so they move on their own": [
                f"{j.name} ({j.astray}{suggest_spelling(j.astray, self.tree.robot.joints)})" for j in joints if j.astray
            ],
            "friction of joints is left out": [j.name for j in joints if j.friction],
            "damping of joints is left out": [
                j.name for j in joints if j.damping and j.kind not in SINGLE_POSITION_JOINT_TYPES
            ],
            "missing meshes are left out": self.lost,
            "renamed": renamed,
        }
        return [f"{what}: {', '.join(names)}" for what, names in notes.items() if names]


def _orientation_fields(rotation: Array) -> dict[str, Any]:
    """Orientation as in a model file; empty for the identity."""
    if np.array_equal(rotation, np.eye(3)):
        return {}
    return {"orientation": {"quaternion": to_float_list(quaternion_of(rotation))}}


def _assign_names(robot: UrdfRobot, root: str) -> dict[tuple[str, str], str]:
    """Names in the model of links, joints and the joint of the base: unique, because outputs are named after them."""
    names = [("link", name) for name in robot.links] + [("joint", name) for name in robot.joints] + [("base of", root)]
    assigned: dict[tuple[str, str], str] = {}
    used = set(RESERVED_PART_NAMES)
    for what, name in names:
        ours = "base" if what == "base of" else re.sub(r"[^\w-]", "_", name)
        ours = ours if re.match(r"[^\W\d]", ours) else f"_{ours}"
        while ours in used:
            ours = f"{ours}_{what.split()[0]}"
        used.add(ours)
        assigned[what, name] = ours
    return assigned
