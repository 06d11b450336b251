"""The tree that the links and joints of a URDF file form: what belongs to which body, and where everything is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.formats.urdf_file import ROTATING, Array, Robot, UrdfJoint, UrdfLink
from gaitwright.formats.urdf_inertia import Inertial, impossible, repaired

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

    merge: whether all links that are fixed to each other are one body; without it only those are merged into another that no
    body could be on its own, or a whole group of which one still could not. repair: whether bodies that are left and cannot
    be are changed, or refused.
    order: links, parents before children. to: the joint that leads to a link. carriers, frames: by link. bodies: mass and
    inertia, by the link that gives its name. repairs: what was done to bodies, likewise."""

    def __init__(
        self, robot: Robot, base: str, positions: Values, speeds: Values, merge: bool = False, repair: bool = False
    ):
        self.robot, self.base = robot, base
        self.positions, self.speeds = _with_followers(robot, positions), _with_followers(robot, speeds, rates=True)
        self.to: dict[str, UrdfJoint] = {}
        self.below: dict[str, list[UrdfJoint]] = {name: [] for name in robot.links}
        for joint in robot.joints.values():
            if joint.child in self.to:
                At(f"joint '{joint.name}'", "child").fail(
                    f"the link '{joint.child}' has two parents, '{self.to[joint.child].parent}' and '{joint.parent}'",
                    joint.child,
                    "a tree: one joint that leads to each link",
                )
            self.to[joint.child] = joint
            self.below[joint.parent].append(joint)
        self.root = self._root()
        self.order = self._order()
        self.able = {link.name for link in self.order if impossible(link.own, "") is None}
        self.group: dict[str, str] = {}  # of links that are fixed to each other: the first of them
        for link in self.order:
            joint = self.to.get(link.name)
            fixed = joint is not None and joint.kind == "fixed"
            self.group[link.name] = self.group[joint.parent] if joint is not None and fixed else link.name
        self.merged = set(self.group.values()) if merge else set[str]()
        self.carriers: dict[str, Carrier] = {}
        self.bodies: dict[str, Inertial] = {}
        self._make_bodies()
        # What no body has may yet be part of a larger one.
        wrong = {self.group[name] for name, body in self.bodies.items() if impossible(body, "") is not None}
        if wrong - self.merged:
            self.merged |= wrong
            self._make_bodies()
        self.repairs: dict[str, str] = {}
        self._make_possible(repair)
        self.frames = {self.root: Frame()}
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
            At(f"link '{looped}'").fail("the joints to it form a loop", expected=f"a tree that starts at '{self.root}'")
        return [self.robot.links[name] for name in order]

    def _make_bodies(self) -> None:
        self.carriers = {}
        for link in self.order:
            self.carriers[link.name] = self._carrier(link)
        self.bodies = {c.body: Inertial() for c in self.carriers.values() if c.body != GROUND}
        for link in self.order:
            carrier = self.carriers[link.name]
            if carrier.body != GROUND:
                own = link.own if carrier.body == link.name else link.own.placed(carrier.at, carrier.rotation)
                self.bodies[carrier.body] += own

    def _carrier(self, link: UrdfLink) -> Carrier:
        """Its own body, that of the parent that it is fixed to, or of a child fixed to it; or the ground."""
        joint = self.to.get(link.name)
        fixed = joint is not None and joint.kind == "fixed"
        whole = self.group[link.name] in self.merged and (fixed or self._on_ground(link))
        if link.name in self.able and not whole:
            return Carrier(link.name)
        if joint is not None and fixed:
            carrier = self.carriers[joint.parent]
            return Carrier(link.name) if carrier.body == link.name else carrier.further(joint)
        if self._on_ground(link):
            return Carrier(GROUND)
        way = self._way_to_able(link.name)
        carrier = Carrier(way[-1].child if way else link.name)
        for joint in reversed(way):
            carrier = carrier.back(joint)
        return carrier

    def _on_ground(self, link: UrdfLink) -> bool:
        """Whether it is a base that needs no body: fixed, or only the frame that a floating robot starts from."""
        if link.name in self.to:
            return False
        return self.base == "fixed" or (link.own.nothing and all(j.kind == "floating" for j in self.below[link.name]))

    def _way_to_able(self, name: str) -> list[UrdfJoint]:
        """Fixed joints, one after the other, down to the first link that can be a body; none if there is no such link."""
        ways: list[tuple[str, list[UrdfJoint]]] = [(name, [])]
        for end, way in ways:
            further = [[*way, joint] for joint in self.below[end] if joint.kind == "fixed"]
            for longer in further:
                if longer[-1].child in self.able:
                    return longer
            ways += [(longer[-1].child, longer) for longer in further]
        return []

    def _make_possible(self, repair: bool) -> None:
        """Refuse the first body that no body can be, or change all of them, as little as possible."""
        whole = sum(link.own.mass for link in self.order)
        for name, body in self.bodies.items():
            merged = [k for k, carrier in self.carriers.items() if carrier.body == name and k != name]
            label = f"link '{name}'" + (f" with {', '.join(merged)}" if any(self._massive(k) for k in merged) else "")
            problem = impossible(body, label)
            if problem is None:
                continue
            if repair:
                self.bodies[name], self.repairs[name] = repaired(body, whole)
                continue
            joint = self.to.get(name)
            how = f"moves by joint '{joint.name}'" if joint else "is a free base"
            said = str(problem).partition(": ")[2].partition(" (got")[0].partition("; expected")[0]
            said = f"{said} and {how}" if said.startswith("has") else f"{said}, and it {how}"
            At(label, problem.field).fail(
                said, problem.value, f"{problem.expected}, or repair=True (gaitwright urdf --repair)"
            )

    def _massive(self, name: str) -> bool:
        return not self.robot.links[name].own.nothing

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


def _with_followers(robot: Robot, given: Values, rates: bool = False) -> Values:
    """Positions or rates of the joints that follow others, too. Without a rate everything stands still."""
    followers = [joint for joint in robot.joints.values() if joint.mimic is not None]
    if rates and not given:
        return given
    found = dict(given)
    for joint in followers:
        assert joint.mimic is not None
        value = joint.mimic.multiplier * given.get(joint.mimic.follows, 0.0) + (0.0 if rates else joint.mimic.offset)
        if value:
            found[joint.name] = value
    return found
