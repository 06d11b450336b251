"""The tree that the links and joints of a URDF file form: what belongs to which body, and where everything is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gaitwright.errors import ModelError
from gaitwright.model.urdf_file import Array, Robot, UrdfJoint, UrdfLink

ROTATING = ("revolute", "continuous")
MOVING = (*ROTATING, "prismatic")
"""Joints that have one position: rad, or m."""
GROUND = ""
"""Stands for the ground among names of links, which are never empty."""
Values = dict[str, float]
"""By the name of the joint."""


def _zero() -> Array:
    return np.zeros(3)


def _identity() -> Array:
    return np.eye(3)


@dataclass
class Frame:
    """A frame in the drawn pose, and how it moves, in the ground frame."""

    at: Array = field(default_factory=_zero)
    rotation: Array = field(default_factory=_identity)
    velocity: Array = field(default_factory=_zero)
    spin: Array = field(default_factory=_zero)

    def point_velocity(self, arm: Array) -> Array:
        """Of a point of this frame, m/s."""
        return self.velocity + np.cross(self.spin, self.rotation @ arm)


@dataclass
class Carrier:
    """Whose body a link belongs to, its own or that of another link or the ground, and where its frame is in that body's."""

    body: str
    at: Array = field(default_factory=_zero)
    rotation: Array = field(default_factory=_identity)

    def place(self, local: Array) -> list[float]:
        """A point of the link in the frame of the body."""
        return plain(self.at + self.rotation @ local)

    def direction(self, local: Array) -> list[float]:
        return plain(self.rotation @ local)

    def further(self, joint: UrdfJoint) -> Carrier:
        """The carrier of the child of a fixed joint."""
        return Carrier(self.body, self.at + self.rotation @ joint.at, self.rotation @ joint.rotation)

    def back(self, joint: UrdfJoint) -> Carrier:
        """The carrier of the parent of a fixed joint."""
        rotation = self.rotation @ joint.rotation.T
        return Carrier(self.body, self.at - rotation @ joint.at, rotation)


def plain(vector: Array) -> list[float]:
    return [float(x) + 0.0 for x in vector]  # no -0.0


class Tree:
    """A robot from its root on.

    order: links, parents before children. to: the joint that leads to a link. carriers, frames: by link."""

    def __init__(self, robot: Robot, base: str, positions: Values, speeds: Values):
        self.robot, self.base, self.positions, self.speeds = robot, base, positions, speeds
        self.to: dict[str, UrdfJoint] = {}
        self.below: dict[str, list[UrdfJoint]] = {name: [] for name in robot.links}
        for joint in robot.joints.values():
            if joint.child in self.to:
                raise ModelError(
                    f"the link '{joint.child}' has two parents, '{self.to[joint.child].parent}' and '{joint.parent}'",
                    element=f"joint '{joint.name}'", field="child", value=joint.child,
                    expected="a tree: one joint that leads to each link",
                )  # fmt: skip
            self.to[joint.child] = joint
            self.below[joint.parent].append(joint)
        self.root = self._root()
        self.order = self._order()
        self.carriers: dict[str, Carrier] = {}
        for link in self.order:
            self.carriers[link.name] = self._carrier(link)
        self.frames = {self.root: Frame()}
        for link in self.order[1:]:
            self.frames[link.name] = self._moved(self.to[link.name])

    def _root(self) -> str:
        roots = [name for name in self.robot.links if name not in self.to]
        if len(roots) == 1:
            return roots[0]
        if not roots:
            raise ModelError("the joints form a loop: every link has a parent", expected="a tree with one first link")
        raise ModelError(f"there are {len(roots)} first links, '{roots[0]}' and '{roots[1]}'",
                         expected="a tree: every link but one is the child of a joint")  # fmt: skip

    def _order(self) -> list[UrdfLink]:
        order = [self.root]
        for name in order:
            order += [joint.child for joint in self.below[name]]
        if len(order) < len(self.robot.links):
            looped = min(set(self.robot.links) - set(order))
            raise ModelError("the joints to it form a loop", element=f"link '{looped}'",
                             expected=f"a tree that starts at '{self.root}'")  # fmt: skip
        return [self.robot.links[name] for name in order]

    def _carrier(self, link: UrdfLink) -> Carrier:
        """Its own body if it has a mass; otherwise that of the parent that it is fixed to, or of a child fixed to it."""
        if link.mass:
            return Carrier(link.name)
        joint = self.to.get(link.name)
        if joint is not None and joint.kind == "fixed":
            return self.carriers[joint.parent].further(joint)
        if joint is None and (self.base == "fixed" or all(j.kind == "floating" for j in self.below[link.name])):
            return Carrier(GROUND)
        way = self._way_to_mass(link.name)
        if not way:
            how = f"moves by joint '{joint.name}'" if joint else "is a free base"
            raise ModelError(f"has no mass and {how}", element=f"link '{link.name}'", field="inertial",
                             expected="a mass and inertia, or a fixed joint to a link that has them")  # fmt: skip
        carrier = Carrier(way[-1].child)
        for fixed in reversed(way):
            carrier = carrier.back(fixed)
        return carrier

    def _way_to_mass(self, name: str) -> list[UrdfJoint]:
        """Fixed joints, one after the other, down to the first link that has a mass; none if there is no such link."""
        ways: list[tuple[str, list[UrdfJoint]]] = [(name, [])]
        for end, way in ways:
            further = [[*way, joint] for joint in self.below[end] if joint.kind == "fixed"]
            for longer in further:
                if self.robot.links[longer[-1].child].mass:
                    return longer
            ways += [(longer[-1].child, longer) for longer in further]
        return []

    def _moved(self, joint: UrdfJoint) -> Frame:
        """The frame of a child from that of its parent, at the drawn position of the joint."""
        parent = self.frames[joint.parent]
        position, speed = self.positions.get(joint.name, 0.0), self.speeds.get(joint.name, 0.0)
        turns = joint.kind in ROTATING
        along, angle = (0.0, position) if turns else (position, 0.0)
        arm = joint.at + joint.rotation @ joint.axis * along
        rotation = parent.rotation @ joint.rotation
        speed = rotation @ joint.axis * speed
        velocity, spin = parent.point_velocity(arm), parent.spin
        velocity, spin = (velocity, spin + speed) if turns else (velocity + speed, spin)
        return Frame(parent.at + parent.rotation @ arm, rotation @ _about(joint.axis, angle), velocity, spin)


def _about(axis: Array, angle: float) -> Array:
    """Rotation about a unit vector (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
