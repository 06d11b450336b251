"""Tree of the links and joints of a URDF file: assignment of links to bodies, and the drawn pose."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.formats.urdf_file import ROTATING_JOINT_TYPES, Array, UrdfJoint, UrdfLink, UrdfRobot
from gaitwright.formats.urdf_inertia import LinkInertia, inertia_error, repair_inertia

GROUND = ""
"""Represents the ground among names of links, which are never empty."""
UrdfJointValues = dict[str, float]
"""Values by the name of the joint."""


def _zero_vector() -> Array:
    return np.zeros(3)


def _identity_matrix() -> Array:
    return np.eye(3)


@dataclass
class MovingFrame:
    """Frame in the drawn pose, and its motion, in the ground frame. at: m, velocity: m/s, spin: angular velocity, rad/s."""

    at: Array = field(default_factory=_zero_vector)
    rotation: Array = field(default_factory=_identity_matrix)
    velocity: Array = field(default_factory=_zero_vector)
    spin: Array = field(default_factory=_zero_vector)

    def point_velocity(self, arm: Array) -> Array:
        """Velocity of a point of this frame, m/s. arm: (3,), m, in this frame."""
        return self.velocity + np.cross(self.spin, self.rotation @ arm)


@dataclass
class LinkCarrier:
    """Body to which a link belongs (its own, another link's or the ground), and the position (m) and rotation of the link in
    the frame of that body."""

    body: str
    at: Array = field(default_factory=_zero_vector)
    rotation: Array = field(default_factory=_identity_matrix)

    def place(self, local: Array) -> list[float]:
        """Coordinates of a point of the link in the frame of the body, m."""
        return to_float_list(self.at + self.rotation @ local)

    def direction(self, local: Array) -> list[float]:
        return to_float_list(self.rotation @ local)

    def further(self, joint: UrdfJoint) -> LinkCarrier:
        """The carrier of the child of a fixed joint."""
        return LinkCarrier(self.body, self.at + self.rotation @ joint.at, self.rotation @ joint.rotation)

    def back(self, joint: UrdfJoint) -> LinkCarrier:
        """The carrier of the parent of a fixed joint."""
        rotation = self.rotation @ joint.rotation.T
        return LinkCarrier(self.body, self.at - rotation @ joint.at, rotation)


def to_float_list(vector: Array) -> list[float]:
    return [float(x) + 0.0 for x in vector]  # avoids -0.0


class UrdfTree:
    """Tree of a robot, starting at its root.

    merge: if True, all links fixed to each other form one body; otherwise a link is merged into another only if it cannot be a
    body on its own, or a whole group of links if one of its bodies still could not. repair: if True, the remaining impossible
    bodies are modified, otherwise they are rejected.
    order: links, parents before children. to: the joint that leads to a link. carriers, frames: by link. bodies: mass and
    inertia, by the link that gives its name. repairs: descriptions of modified bodies, likewise."""

    def __init__(
        self,
        robot: UrdfRobot,
        base: str,
        positions: UrdfJointValues,
        speeds: UrdfJointValues,
        merge: bool = False,
        repair: bool = False,
    ):
        self.robot, self.base = robot, base
        self.positions, self.speeds = (
            _with_mimic_joints(robot, positions),
            _with_mimic_joints(robot, speeds, rates=True),
        )
        self.to: dict[str, UrdfJoint] = {}
        self.below: dict[str, list[UrdfJoint]] = {name: [] for name in robot.links}
        for joint in robot.joints.values():
            if joint.child in self.to:
                ErrorContext(f"joint '{joint.name}'", "child").fail(
                    f"the link '{joint.child}' has two parents, '{self.to[joint.child].parent}' and '{joint.parent}'",
                    joint.child,
                    "a tree: one joint that leads to each link",
                )
            self.to[joint.child] = joint
            self.below[joint.parent].append(joint)
        self.root = self._root()
        self.order = self._order()
        self.able = {link.name for link in self.order if inertia_error(link.own, "") is None}
        self.group: dict[str, str] = {}  # of links fixed to each other: the first of them
        for link in self.order:
            joint = self.to.get(link.name)
            fixed = joint is not None and joint.kind == "fixed"
            self.group[link.name] = self.group[joint.parent] if joint is not None and fixed else link.name
        self.merged = set(self.group.values()) if merge else set[str]()
        self.carriers: dict[str, LinkCarrier] = {}
        self.bodies: dict[str, LinkInertia] = {}
        self._make_bodies()
        # An impossible body may become part of a possible larger one.
        wrong = {self.group[name] for name, body in self.bodies.items() if inertia_error(body, "") is not None}
        if wrong - self.merged:
            self.merged |= wrong
            self._make_bodies()
        self.repairs: dict[str, str] = {}
        self._make_possible(repair)
        self.frames = {self.root: MovingFrame()}
        for link in self.order[1:]:
            self.frames[link.name] = self._moved(self.to[link.name])

    def _root(self) -> str:
        roots = [name for name in self.robot.links if name not in self.to]
        if len(roots) == 1:
            return roots[0]
        if not roots:
            raise ModelError("the joints form a loop: every link has a parent", expected="a tree with one first link")
        raise ModelError(
            f"there are {len(roots)} first links, '{roots[0]}' and '{roots[1]}'",
            expected="a tree: every link but one is the child of a joint",
        )

    def _order(self) -> list[UrdfLink]:
        order = [self.root]
        for name in order:
            order += [joint.child for joint in self.below[name]]
        if len(order) < len(self.robot.links):
            looped = min(set(self.robot.links) - set(order))
            ErrorContext(f"link '{looped}'").fail(
                "the joints to it form a loop", expected=f"a tree that starts at '{self.root}'"
            )
        return [self.robot.links[name] for name in order]

    def _make_bodies(self) -> None:
        self.carriers = {}
        for link in self.order:
            self.carriers[link.name] = self._carrier(link)
        self.bodies = {c.body: LinkInertia() for c in self.carriers.values() if c.body != GROUND}
        for link in self.order:
            carrier = self.carriers[link.name]
            if carrier.body != GROUND:
                own = link.own if carrier.body == link.name else link.own.placed(carrier.at, carrier.rotation)
                self.bodies[carrier.body] += own

    def _carrier(self, link: UrdfLink) -> LinkCarrier:
        """Carrier of a link: its own body, that of the parent or child that it is fixed to, or the ground."""
        joint = self.to.get(link.name)
        fixed = joint is not None and joint.kind == "fixed"
        is_merged = self.group[link.name] in self.merged and (fixed or self._on_ground(link))
        if link.name in self.able and not is_merged:
            return LinkCarrier(link.name)
        if joint is not None and fixed:
            carrier = self.carriers[joint.parent]
            return LinkCarrier(link.name) if carrier.body == link.name else carrier.further(joint)
        if self._on_ground(link):
            return LinkCarrier(GROUND)
        chain = self._way_to_able(link.name)
        carrier = LinkCarrier(chain[-1].child if chain else link.name)
        for joint in reversed(chain):
            carrier = carrier.back(joint)
        return carrier

    def _on_ground(self, link: UrdfLink) -> bool:
        """True for a base that needs no body: fixed, or only the frame from which a floating robot starts."""
        if link.name in self.to:
            return False
        return self.base == "fixed" or (link.own.nothing and all(j.kind == "floating" for j in self.below[link.name]))

    def _way_to_able(self, name: str) -> list[UrdfJoint]:
        """Chain of fixed joints down to the first link that can be a body; empty if there is none."""
        ways: list[tuple[str, list[UrdfJoint]]] = [(name, [])]
        for end, chain in ways:
            further = [[*chain, joint] for joint in self.below[end] if joint.kind == "fixed"]
            for longer in further:
                if longer[-1].child in self.able:
                    return longer
            ways += [(longer[-1].child, longer) for longer in further]
        return []

    def _make_possible(self, repair: bool) -> None:
        """Reject the first impossible body, or repair all of them with minimal changes."""
        robot_mass = sum(link.own.mass for link in self.order)
        for name, body in self.bodies.items():
            merged = [k for k, carrier in self.carriers.items() if carrier.body == name and k != name]
            label = f"link '{name}'" + (f" with {', '.join(merged)}" if any(self._massive(k) for k in merged) else "")
            problem = inertia_error(body, label)
            if problem is None:
                continue
            if repair:
                self.bodies[name], self.repairs[name] = repair_inertia(body, robot_mass)
                continue
            joint = self.to.get(name)
            how = f"moves by joint '{joint.name}'" if joint else "is a free base"
            reason = str(problem).partition(": ")[2].partition(" (got")[0].partition("; expected")[0]
            reason = f"{reason} and {how}" if reason.startswith("has") else f"{reason}, and it {how}"
            ErrorContext(label, problem.field).fail(
                reason, problem.value, f"{problem.expected}, or repair=True (gaitwright import --repair)"
            )

    def _massive(self, name: str) -> bool:
        return not self.robot.links[name].own.nothing

    def _moved(self, joint: UrdfJoint) -> MovingFrame:
        """Frame of a child from that of its parent, at the drawn position of the joint."""
        parent = self.frames[joint.parent]
        position, speed = self.positions.get(joint.name, 0.0), self.speeds.get(joint.name, 0.0)
        turns = joint.kind in ROTATING_JOINT_TYPES
        along, angle = (0.0, position) if turns else (position, 0.0)
        arm = joint.at + joint.rotation @ joint.axis * along
        rotation = parent.rotation @ joint.rotation
        speed = rotation @ joint.axis * speed
        velocity, spin = parent.point_velocity(arm), parent.spin
        velocity, spin = (velocity, spin + speed) if turns else (velocity + speed, spin)
        return MovingFrame(
            parent.at + parent.rotation @ arm, rotation @ _rotation_about(joint.axis, angle), velocity, spin
        )


def _rotation_about(axis: Array, angle: float) -> Array:
    """Rotation matrix about a unit vector (Rodrigues); angle: rad."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def _with_mimic_joints(robot: UrdfRobot, joint_values: UrdfJointValues, rates: bool = False) -> UrdfJointValues:
    """Positions or rates, completed by those of mimic joints. Without any rate, mimic joints have none."""
    followers = [joint for joint in robot.joints.values() if joint.mimic is not None]
    if rates and not joint_values:
        return joint_values
    values = dict(joint_values)
    for joint in followers:
        assert joint.mimic is not None
        value = joint.mimic.multiplier * joint_values.get(joint.mimic.follows, 0.0) + (
            0.0 if rates else joint.mimic.offset
        )
        if value:
            values[joint.name] = value
    return values
