"""Robots in URDF as models in space.

A link with a mass becomes a body whose frame is that of the link. A link without mass is a frame: it becomes a point of the
body that it is fixed to; so does one whose mass and inertia no body has, and its mass counts there. The base stands on the
ground, or is free. Angles of joints count as in the file, whatever the drawn pose is."""

from __future__ import annotations

import math
import re
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At, did_you_mean, offer
from gaitwright.formats.urdf_file import INERTIA, MOVING, ROTATING, Array, Robot, UrdfJoint, UrdfLink, parse_robot
from gaitwright.formats.urdf_files import expanded, is_xacro, mesh_path
from gaitwright.formats.urdf_table import Row, joint_row, link_row
from gaitwright.formats.urdf_tree import GROUND, Carrier, Tree, Values, plain
from gaitwright.geometry.rotation import quaternion_of
from gaitwright.model.files import read_text
from gaitwright.model.model import Model
from gaitwright.model.scope import RESERVED

BASES = ("fixed", "free")
OURS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "planar": "planar",
}
"""Joints of the file that are joints here; a floating one holds nothing."""
BEHIND = 1.0
"""m, how far behind the end of its travel the damper of a slider is anchored: never where it would have no direction."""


class Reading(NamedTuple):
    """document: of a model. notes: sentences about what it leaves out of the robot or changes. table: what became of what."""

    document: dict[str, Any]
    notes: list[str]
    table: list[Row]


def load_urdf(
    path: str | Path,
    *,
    base: str = "fixed",
    positions: Values | None = None,
    speeds: Values | None = None,
    stops: float | None = None,
    merge: bool = False,
    repair: bool = False,
) -> Model:
    """The robot of a URDF file as a model in space, gravity along -z.

    base: fixed, its first link is fixed to the ground, or free. positions: drawn positions of joints, rad or m, zero unless
    given. speeds: rates at which they start, rad/s or m/s. stops: N m/rad, stiffness of bumpers at the limits of hinges;
    without it limits are left out. merge: all links that are fixed to each other become one body, which is faster; without it
    only those that no body could be on their own. repair: a moving body with a mass or inertia that no body has is changed as
    little as needed, and that is said; without it the file is refused. Damping becomes dampers, joints that follow others
    (mimic) get gears. What is left out, such as friction, is said in warnings. The table of `gaitwright urdf` is
    `robot_table`."""
    found = read_urdf(path, base=base, positions=positions, speeds=speeds, stops=stops, merge=merge, repair=repair)
    for note in found.notes:
        warnings.warn(note, stacklevel=2)
    return Model.from_dict(found.document)


def robot_table(path: str | Path, **options: Any) -> Any:
    """What becomes of every link and joint of a URDF file, a table of pandas. options: those of `load_urdf`."""
    import pandas as pd

    return pd.DataFrame(read_urdf(path, **options).table).set_index("name")


def read_urdf(path: str | Path, **options: Any) -> Reading:
    """The document of a model, and what was done. options: those of `load_urdf`."""
    path = Path(path)
    text = read_text(path)
    text = expanded(path) if is_xacro(text, path) else text
    return urdf_reading(text, f"the file '{path}'", folder=path.parent, **options)


def urdf_reading(
    text: str,
    source: str,
    base: str = "fixed",
    positions: Values | None = None,
    speeds: Values | None = None,
    stops: float | None = None,
    merge: bool = False,
    repair: bool = False,
    folder: Path | None = None,
) -> Reading:
    """As read_urdf. source: how messages call the text. folder: that of the file, from where meshes are looked for."""
    if base not in BASES:
        At(field="base").fail("is not known", base, f"one of {', '.join(BASES)}")
    robot = parse_robot(text, source)
    for given, what in ((positions or {}, "positions"), (speeds or {}, "speeds")):
        _require_joints(robot, given, what)
    return _Writing(Tree(robot, base, positions or {}, speeds or {}, merge, repair), stops, merge, folder).reading()


def urdf_document(text: str, source: str, **options: Any) -> tuple[dict[str, Any], list[str]]:
    """Document and notes of `urdf_reading`."""
    return urdf_reading(text, source, **options)[:2]


def _require_joints(robot: Robot, given: Values, what: str) -> None:
    known = [joint.name for joint in robot.joints.values() if joint.kind in MOVING and joint.mimic is None]
    at = At(field=what)
    for name, value in given.items():
        follows = robot.joints[name].mimic if name in robot.joints else None
        if follows is not None:
            expected = f"one for '{follows.follows}', which moves both"
            at.fail(f"the joint '{name}' follows '{follows.follows}'", name, expected)
        if name not in known:
            at.fail(f"there is no joint '{name}' that has one", name, offer(name, known, "(none)"))
        At(f"joint '{name}'", what).finite(value, "a plain number")


class _Writing:
    """A tree as a document. points, shapes: of every body, and of the ground, by the name of the link."""

    def __init__(self, tree: Tree, stops: float | None, merge: bool, folder: Path | None):
        self.tree, self.stops, self.merge, self.folder = tree, stops, merge, folder
        self.lost: list[str] = []
        self.names = _names(tree.robot, tree.root)
        self.points: dict[str, dict[str, list[float]]] = {GROUND: {}}
        self.points |= {name: {} for name in tree.bodies}
        self.shapes: dict[str, list[dict[str, Any]]] = {name: [] for name in self.points}
        self.joints: list[dict[str, Any]] = []
        self.forces: list[dict[str, Any]] = []

    def reading(self) -> Reading:
        tree = self.tree
        if tree.base == "fixed" and tree.carriers[tree.root].body != GROUND:
            self._joint(self.names["base of", tree.root], "fixed", Carrier(GROUND), np.zeros(3), tree.root)
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
        return Reading(document, self._notes(), rows)

    def _connect(self, link: UrdfLink) -> None:
        """A frame as a point of its body, or the joint that leads to a body, with its damper and stops; and shapes."""
        carrier, joint = self.tree.carriers[link.name], self.tree.to.get(link.name)
        for shape in link.shapes:
            placed = {"at": carrier.place(shape.at), **_turned(carrier.rotation @ shape.rotation)}
            size = dict(shape.size)
            if "mesh" in size:
                path = None if self.folder is None else mesh_path(size["mesh"], self.folder)
                if path is None:
                    self.lost.append(f"{link.name} ({size['mesh'] or 'no name'})")
                    continue
                size["mesh"] = str(path)
            look = {} if shape.colour is None else {"colour": shape.colour}
            self.shapes[carrier.body].append({**size, **look, **placed})
        if carrier.body not in (GROUND, link.name):
            self.points[carrier.body][self.names["link", link.name]] = carrier.place(np.zeros(3))
        if joint is None or joint.kind not in OURS or self.tree.carriers[joint.parent].body == carrier.body:
            return
        parent, name = self.tree.carriers[joint.parent], self.names["joint", joint.name]
        entry = self._joint(name, OURS[joint.kind], parent, joint.at, link.name)
        if joint.kind != "fixed":
            entry["axis"] = parent.direction(joint.rotation @ joint.axis)
        if joint.kind in ROTATING and joint.name in self.tree.positions:
            entry["drawn_angle"] = float(self.tree.positions[joint.name])
        if joint.damping and joint.kind in MOVING:
            self.forces.append(self._damper(joint, entry, parent))
        if self._has_stops(joint):
            lower, upper = joint.limits or (0.0, 0.0)
            stops = {"lower": lower, "upper": upper, "stiffness": self.stops}
            self.forces.append({"type": "bumper", "name": f"{name}-stops", "joint": name, **stops})

    def _gears(self) -> None:
        """What makes joints follow others."""
        for joint in self.tree.robot.joints.values():
            if joint.mimic is None:
                continue
            ahead = self.tree.robot.joints[joint.mimic.follows]
            a, b = (self.names["joint", name] for name in (ahead.name, joint.name))
            gear: dict[str, Any] = {"type": "gear", "name": f"{b}-mimic", "a": a, "b": b}
            if ahead.kind in ROTATING and joint.kind not in ROTATING:
                gear |= {"type": "rack", "radius": joint.mimic.multiplier}
            else:
                gear["ratio"] = joint.mimic.multiplier
            self.joints.append(gear | {"offset": joint.mimic.offset})

    def _joint(self, name: str, kind: str, parent: Carrier, at: Array, child: str) -> dict[str, Any]:
        """A joint, and its points on both bodies, which have its name."""
        mine = self.tree.carriers[child]
        self.points[parent.body][name] = parent.place(at)
        self.points[mine.body][name] = mine.place(np.zeros(3))
        a, b = (self._called(carrier.body) for carrier in (parent, mine))
        self.joints.append({"type": kind, "name": name, "a": f"{a}.{name}", "b": f"{b}.{name}"})
        return self.joints[-1]

    def _called(self, body: str) -> str:
        return "ground" if body == GROUND else self.names["link", body]

    def _damper(self, joint: UrdfJoint, entry: dict[str, Any], parent: Carrier) -> dict[str, Any]:
        """tau = -damping phi' about a hinge. On a slider a damper along its line, from a point behind it."""
        damper = {"name": f"{entry['name']}-damper", "stiffness": 0.0, "damping": joint.damping}
        if joint.kind in ROTATING:
            return {"type": "torsion-spring", **damper, "joint": entry["name"]}
        lowest = min(0.0, *(joint.limits or (0.0,)), self.tree.positions.get(joint.name, 0.0))
        anchor = f"{entry['name']}-anchor"
        behind = joint.at + joint.rotation @ joint.axis * (lowest - BEHIND)
        self.points[parent.body][anchor] = parent.place(behind)
        return {"type": "spring-damper", **damper, "a": f"{self._called(parent.body)}.{anchor}", "b": entry["b"]}

    def _has_stops(self, joint: UrdfJoint) -> bool:
        """A bumper knows its angle up to half a turn."""
        hinge = joint.kind == "revolute" and joint.limits is not None
        return self.stops is not None and hinge and max(map(abs, joint.limits or ())) < math.pi

    def _body(self, link: UrdfLink) -> dict[str, Any]:
        frame, own = self.tree.frames[link.name], self.tree.bodies[link.name]
        inertia = [float(own.inertia["xyz".index(key[1]), "xyz".index(key[2])]) for key in INERTIA]
        body: dict[str, Any] = {"name": self.names["link", link.name], "mass": float(own.mass)}
        body["inertia"] = inertia if any(inertia[3:]) else inertia[:3]
        body |= {"centre": plain(own.centre), "at": plain(frame.at), **_turned(frame.rotation)}
        body["points"] = self.points[link.name]
        if self.tree.speeds:
            body |= {"velocity": plain(frame.point_velocity(own.centre)), "spin": plain(frame.spin)}
        return body | ({"shapes": self.shapes[link.name]} if self.shapes[link.name] else {})

    def _notes(self) -> list[str]:
        joints, links, carriers = self.tree.robot.joints.values(), self.tree.order, self.tree.carriers
        merged = [
            f"{k.name} into {carriers[k.name].body or 'the ground'}"
            for k in links if not (self.merge or k.own.nothing) and carriers[k.name].body != k.name
        ]  # fmt: skip
        repairs = [f"{name} ({said})" for name, said in self.tree.repairs.items()]
        renamed = [f"{old} is {new}" for (what, old), new in self.names.items() if what != "base of" and old != new]
        found = {
            "mass or inertia that no body has was repaired": repairs,
            "links that could not be bodies are merged": merged,
            "limits of joints are left out": [j.name for j in joints if j.limits and not self._has_stops(j)],
            "mimic names no joint of the file, so they move on their own": [
                f"{j.name} ({j.astray}{did_you_mean(j.astray, self.tree.robot.joints)})" for j in joints if j.astray
            ],
            "friction of joints is left out": [j.name for j in joints if j.friction],
            "damping of joints is left out": [j.name for j in joints if j.damping and j.kind not in MOVING],
            "meshes that are not there are left out": self.lost,
            "renamed": renamed,
        }
        return [f"{what}: {', '.join(names)}" for what, names in found.items() if names]


def _turned(rotation: Array) -> dict[str, Any]:
    """The orientation as a model file says it; nothing where it is not turned."""
    if np.array_equal(rotation, np.eye(3)):
        return {}
    return {"orientation": {"quaternion": plain(quaternion_of(rotation))}}


def _names(robot: Robot, root: str) -> dict[tuple[str, str], str]:
    """Our names of links, joints and the joint of the base: outputs are called after them, so all differ."""
    wanted = [("link", name) for name in robot.links] + [("joint", name) for name in robot.joints] + [("base of", root)]
    found: dict[tuple[str, str], str] = {}
    used = set(RESERVED)
    for what, name in wanted:
        ours = "base" if what == "base of" else re.sub(r"[^\w-]", "_", name)
        ours = ours if re.match(r"[^\W\d]", ours) else f"_{ours}"
        while ours in used:
            ours = f"{ours}_{what.split()[0]}"
        used.add(ours)
        found[what, name] = ours
    return found
