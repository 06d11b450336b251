"""Export to MJCF, the model files of MuJoCo: bodies, joints, loops as equality constraints, springs; elements without
counterpart are listed in notes. The pose of the file is the closed start pose; start velocities are a keyframe called
`start`."""

from __future__ import annotations

import math
from typing import Any
from xml.etree import ElementTree

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.geometry.inertia import second_moments
from gaitwright.geometry.rotation import quaternion_of
from gaitwright.model.element_parameters import read_element_parameters
from gaitwright.model.io.mjcf_joint_dofs import DOFS_BY_JOINT_TYPE, relative_angle
from gaitwright.model.io.mjcf_tree import GROUND, MjcfBodyTree, MjcfTreeJoint, build_body_tree
from gaitwright.model.model import Model, compile_model
from gaitwright.model.planar_to_spatial import in_space

Array = np.ndarray
RIGID_CONSTRAINT_ATTRIBUTES = {"solref": "0.002 1", "solimp": "0.9999 0.9999 0.001 0.5 2"}
"""Solver attributes that make MuJoCo's soft constraints nearly rigid."""
MIN_PRINCIPAL_MOMENT_RATIO = 1e-6
"""Smallest written principal moment relative to the largest: MuJoCo rejects rods without thickness."""


def mjcf_text(model: Model) -> tuple[str, list[str]]:
    """MJCF text of a model, and sentences about omitted elements. A planar model is converted to space (gw.in_space), in the
    plane of x and z."""
    plane = model.dimension == 2
    for section in ("beams", "solids", "parts"):
        for entry in getattr(model.document, section):
            name = entry["name"] if isinstance(entry, dict) else entry.name
            ErrorContext(f"{section[:-1]} '{name}'").fail(
                "cannot be written as MJCF", expected="a model of rigid bodies"
            )
    for entry in model.document.joints if plane else ():
        if entry["type"] in ("gear", "rack"):
            ErrorContext(f"joint '{entry['name'] or entry['type']}'", "type").fail(
                "planar gears couple angles of bodies, which MJCF does not support",
                entry["type"],
                "gears between joints in space",
            )
    omissions: dict[str, list[str]] = {}
    if plane:
        model = _drop_contacts(model, omissions)
        model = in_space(model)
    start = model.assemble()
    mechanism = model.mechanism()
    return _MjcfWriter(model, build_body_tree(mechanism, start.q, start.v), plane, omissions).text()


def _drop_contacts(model: Model, omissions: dict[str, list[str]]) -> Model:
    """Remove contacts, with a note, because in_space rejects them; also the sections that may refer to them."""
    if not model.document.contacts:
        return model
    omissions["contacts are left out"] = [
        c["name"] or f"contact-{k + 1}" for k, c in enumerate(model.document.contacts)
    ]
    raw = model.to_dict() | {"contacts": []}
    for section in ("gait", "outputs", "charts", "quantities"):
        raw.pop(section, None)
    return Model.from_dict(raw)


class _MjcfWriter:
    def __init__(self, model: Model, tree: MjcfBodyTree, plane: bool, omissions: dict[str, list[str]]):
        self.model, self.tree, self.plane, self.left = model, tree, plane, omissions
        self.elements: dict[str, Any] = {}
        self.hinges: dict[str, Any] = {}
        self.qpos: list[float] = []
        self.qvel: list[float] = []
        self.sites = 0
        self.root = ElementTree.Element("mujoco", model=model.document.name)
        self.equality = ElementTree.Element("equality")
        self.tendon = ElementTree.Element("tendon")

    def text(self) -> tuple[str, list[str]]:
        root, mechanism = self.root, self.tree.mechanism
        ElementTree.SubElement(root, "compiler", angle="radian", autolimits="false", inertiafromgeom="false")
        ElementTree.SubElement(root, "option", gravity=_format_numbers(mechanism.gravity), timestep="0.001")
        world = ElementTree.SubElement(root, "worldbody")
        self.elements[GROUND] = world
        self._sites(GROUND, mechanism.ground.points)
        self._geoms(GROUND, mechanism.ground.shapes)
        for name in self._depth_first():
            self._body(name)
        for link in self.tree.loops:
            LOOP_WRITERS[link.kind](self, link)
        self._document()
        if len(self.tendon):
            root.append(self.tendon)
        if len(self.equality):
            root.append(self.equality)
        if any(self.qvel):
            frame = ElementTree.SubElement(root, "keyframe")
            ElementTree.SubElement(
                frame, "key", name="start", qpos=_format_numbers(self.qpos), qvel=_format_numbers(self.qvel)
            )
        ElementTree.indent(root)
        return ElementTree.tostring(root, encoding="unicode") + "\n", [
            f"{k}: {', '.join(v)}" for k, v in self.left.items()
        ]

    def _leave(self, category: str, name: str) -> None:
        self.left.setdefault(category, []).append(name)

    def _depth_first(self) -> list[str]:
        """Bodies in the order in which MuJoCo counts positions: a body, then all below it."""
        below: dict[str, list[str]] = {name: [] for name in (GROUND, *self.tree.order)}
        for name in self.tree.order:
            below[self.tree.parent[name]].append(name)
        order, waiting = [], below[GROUND][::-1]
        while waiting:
            order.append(waiting.pop())
            waiting += below[order[-1]][::-1]
        return order

    def _body(self, name: str) -> None:
        part, pose = self.tree.mechanism.body_names[name], self.tree.poses[name]
        parent_pose = self.tree.poses[self.tree.parent[name]]
        position = parent_pose.rotation.T @ (pose.at - parent_pose.at)
        quat = quaternion_of(parent_pose.rotation.T @ pose.rotation)
        element = ElementTree.SubElement(
            self.elements[self.tree.parent[name]],
            "body",
            name=name,
            pos=_format_numbers(position),
            quat=_format_numbers(quat),
        )
        self.elements[name] = element
        self._joints(name, element)
        inertia = self._thick(name, np.asarray(part.inertia, dtype=float))
        components = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        ElementTree.SubElement(
            element,
            "inertial",
            pos=_format_numbers(part.middle),
            mass=_format_numbers([part.mass]),
            fullinertia=_format_numbers(components),
        )
        self._geoms(name, part.shapes)
        self._sites(name, part.points)

    def _thick(self, name: str, inertia: Array) -> Array:
        second_moments(inertia, name)
        size, axes = np.linalg.eigh(inertia)
        if size[0] > MIN_PRINCIPAL_MOMENT_RATIO * size[2]:
            return inertia
        self._leave("bodies without thickness got a thin one, a millionth of their inertia", name)
        size = np.maximum(size, MIN_PRINCIPAL_MOMENT_RATIO * size[2])
        size[1] = max(size[1], size[2] - size[0] * (1 - 1e-9))
        return (axes * size) @ axes.T

    def _joints(self, name: str, element: Any) -> None:
        link = self.tree.to.get(name)
        if link is None:
            ElementTree.SubElement(element, "freejoint", name=f"{name}-free")
            pose = self.tree.poses[name]
            self.qpos += [*pose.at, *quaternion_of(pose.rotation)]
            self.qvel += [*pose.velocity, *(pose.rotation.T @ pose.spin)]
            return
        dofs = DOFS_BY_JOINT_TYPE[link.kind](self.tree, link, name)
        columns = []
        for suffix, kind, position, axis, ref in dofs:
            attributes = {"name": link.name + suffix, "type": kind, "pos": _format_numbers(position)}
            attributes |= {} if kind == "ball" else {"axis": _format_numbers(axis)}
            attributes |= {"ref": _format_numbers([ref])} if ref else {}
            joint = ElementTree.SubElement(element, "joint", attributes)
            if kind in ("hinge", "slide") and len(dofs) == 1:
                self.hinges[link.name] = (joint, link, ref)
            columns += self._columns(name, kind, position, axis)
            self.qpos += [1.0, 0.0, 0.0, 0.0] if kind == "ball" else [ref]
        if columns:
            own_pose, parent_pose = self.tree.poses[name], self.tree.poses[self.tree.parent[name]]
            carried_velocity = parent_pose.velocity + np.cross(parent_pose.spin, own_pose.at - parent_pose.at)
            relative_velocity = np.r_[own_pose.velocity - carried_velocity, own_pose.spin - parent_pose.spin]
            self.qvel += np.linalg.lstsq(np.array(columns).T, relative_velocity, rcond=None)[0].round(15).tolist()

    def _columns(self, name: str, kind: str, at: Array, axis: Array) -> list[Array]:
        """Velocity of the origin of a body, and its angular velocity, per rate of each degree of freedom of a joint."""
        pose = self.tree.poses[name]
        axes = [pose.rotation @ axis] if kind != "ball" else list(pose.rotation.T)
        if kind == "slide":
            return [np.r_[direction, np.zeros(3)] for direction in axes]
        arm = -pose.rotation @ at
        return [np.r_[np.cross(direction, arm), direction] for direction in axes]

    def _sites(self, name: str, points: Any) -> None:
        for point, position in points.items():
            ElementTree.SubElement(
                self.elements[name], "site", name=self._site_name(name, point), pos=_format_numbers(position)
            )

    @staticmethod
    def _site_name(body: str, point: str) -> str:
        return f"{body}.{point}"

    def _site(self, body: str, at: Array) -> str:
        """Name of a site at a place of a body: an existing or a new one."""
        for element in self.elements[body].findall("site"):
            if np.allclose([float(x) for x in element.get("pos").split()], at, rtol=0, atol=1e-12):
                return element.get("name")
        self.sites += 1
        name = f"{body}.end{self.sites}"
        ElementTree.SubElement(self.elements[body], "site", name=name, pos=_format_numbers(at))
        return name

    def _geoms(self, name: str, shapes: Any) -> None:
        for shape in shapes:
            writer = GEOM_BY_SHAPE.get(shape["kind"])
            if writer is None:
                self._leave("shapes that are meshes or cones are left out", name)
                continue
            kind, size = writer(shape["size"])
            attributes = {"type": kind, "size": _format_numbers(size), "pos": _format_numbers(shape["at"])}
            attributes |= {
                "quat": _format_numbers(quaternion_of(shape["rotation"])),
                "contype": "0",
                "conaffinity": "0",
            }
            if colour := shape.get("colour"):
                attributes["rgba"] = " ".join([*(f"{int(colour[k : k + 2], 16) / 255:.3g}" for k in (1, 3, 5)), "1"])
            ElementTree.SubElement(self.elements[name], "geom", attributes)

    # loops ----------------------------------------------------------------------------------------------------------

    def connect(self, link: MjcfTreeJoint, offset: Array | None = None) -> None:
        """Add a constraint that two points coincide; offset: position of a second pair in the frame of a."""
        a, b = link.bodies
        first, second = (b, a) if a == GROUND else (a, b)
        local = link.places["b" if a == GROUND else "a"]
        attributes = {
            "name": link.name + ("" if offset is None else "-axis"),
            "body1": first,
            "anchor": _format_numbers(local),
        }
        if offset is not None:
            local_offset = self.tree.poses[first].rotation.T @ self.tree.poses[a].rotation @ offset
            attributes["anchor"] = _format_numbers(local + local_offset)
        attributes |= {} if second == GROUND else {"body2": second}
        ElementTree.SubElement(self.equality, "connect", attributes | RIGID_CONSTRAINT_ATTRIBUTES)

    def hinge_loop(self, link: MjcfTreeJoint) -> None:
        self.connect(link)
        if not self.plane:  # in a plane the rest of the loop fixes the axis
            self.connect(link, link.numbers["axis"] * self.tree.mechanism.size)

    def weld(self, link: MjcfTreeJoint) -> None:
        a, b = link.bodies
        first, second = (b, a) if a == GROUND else (a, b)
        attributes = {"name": link.name, "body1": first} | ({} if second == GROUND else {"body2": second})
        ElementTree.SubElement(self.equality, "weld", attributes | RIGID_CONSTRAINT_ATTRIBUTES)

    def rod(self, link: MjcfTreeJoint) -> None:
        """Add a distance constraint: a tendon of constant length."""
        name = self._line(link.name, link.bodies, link.places)
        ElementTree.SubElement(
            self.equality, "tendon", {"name": link.name, "tendon1": name} | RIGID_CONSTRAINT_ATTRIBUTES
        )

    def _line(self, name: str, bodies: Any, places: Any, **attributes: str) -> str:
        line = ElementTree.SubElement(self.tendon, "spatial", {"name": name, **attributes})
        for body, side in zip(bodies, "ab", strict=False):
            ElementTree.SubElement(line, "site", site=self._site(body, places[side]))
        return name

    # forces and drives ----------------------------------------------------------------------------------------------

    def _document(self) -> None:
        """Write gears, springs and dampers; list elements without counterpart in notes."""
        for entry in self.model.document.joints:
            if entry["type"] in ("gear", "rack"):
                self._gear(entry)
        for names, element in self.tree.mechanism.acting():
            if names.declaration.implied:
                continue
            writer = SPRING_WRITERS.get(names.type)
            if writer is None or not writer(self, names, *read_element_parameters(element)):
                self._leave("forces without a counterpart are left out", names.name)
        for names in self.tree.mechanism.constraint_names:
            if names.kind == "drive":
                self._leave("drives are left out: MuJoCo has actuators, not given motions", names.name)
        for names in self.tree.mechanism.contact_names:
            self._leave("contacts are left out", names.name)

    def _gear(self, entry: dict[str, Any]) -> None:
        name = entry["name"] or entry["type"]
        for side in "ab":
            if entry[side] not in self.hinges:
                ErrorContext(f"joint '{name}'", side).fail(
                    f"'{entry[side]}' closes a loop, and MuJoCo couples only joints of the tree",
                    expected="a hinge or slider of the tree",
                )
        field = "ratio" if entry["type"] == "gear" else "radius"
        ratio = compile_model(self.model).number(entry[field], f"joint '{name}'", field, "1")
        attributes = {
            "name": name,
            "joint1": entry["b"],
            "joint2": entry["a"],
            "polycoef": _format_numbers([0.0, ratio, 0.0, 0.0, 0.0]),
        }
        ElementTree.SubElement(self.equality, "joint", attributes | RIGID_CONSTRAINT_ATTRIBUTES)

    def torsion(self, names: Any, places: Any, numbers: dict[str, Any]) -> bool:
        """Add a spring about the axis of a hinge of the tree; False if there is no such hinge."""
        a, b = (self.tree.poses[name].rotation for name in names.bodies)
        for joint, link, ref in self.hinges.values():
            if joint.get("type") != "hinge" or set(link.bodies) != set(names.bodies):
                continue
            cosine = (a @ numbers["axis"]) @ (self.tree.poses[link.bodies[0]].rotation @ link.numbers["axis"])
            if abs(abs(cosine) - 1.0) > 1e-9:
                continue
            # phi grows with the position of the hinge, or against it
            sign = math.copysign(1.0, cosine) * (1.0 if link.bodies == tuple(names.bodies) else -1.0)
            wound_angle = math.remainder(relative_angle(a, b, numbers) - numbers["rest_angle"], 2.0 * math.pi)
            rest, stiffness = ref - sign * wound_angle, numbers["stiffness"]
            rest_before, stiffness_before = (float(joint.get(key, "0")) for key in ("springref", "stiffness"))
            if stiffness:
                joint.set(
                    "springref",
                    _format_numbers(
                        [(stiffness_before * rest_before + stiffness * rest) / (stiffness_before + stiffness)]
                    ),
                )
                joint.set("stiffness", _format_numbers([stiffness_before + stiffness]))
            joint.set("damping", _format_numbers([float(joint.get("damping", "0")) + numbers["damping"]]))
            return True
        return False

    def line(self, names: Any, places: Any, numbers: dict[str, Any]) -> bool:
        attributes = {key: _format_numbers([numbers[key]]) for key in ("stiffness", "damping")}
        self._line(
            names.name, names.bodies, places, **attributes, springlength=_format_numbers([numbers["rest_length"]])
        )
        return True


def _format_numbers(values: Any) -> str:
    """Numbers in full precision."""
    return " ".join(repr(float(value) + 0.0) for value in values)


SPRING_WRITERS = {"torsion-spring": _MjcfWriter.torsion, "spring-damper": _MjcfWriter.line}
LOOP_WRITERS = {
    "spherical": _MjcfWriter.connect,
    "revolute": _MjcfWriter.hinge_loop,
    "fixed": _MjcfWriter.weld,
    "distance": _MjcfWriter.rod,
}
GEOM_BY_SHAPE = {
    "box": lambda size: ("box", [x / 2 for x in size]),
    "sphere": lambda size: ("sphere", size),
    "cylinder": lambda size: ("cylinder", [size[0], size[1] / 2]),
    "capsule": lambda size: ("capsule", [size[0], size[1] / 2]),
}
