"""Spatial mechanism in MuJoCo's form: a tree of bodies, and loop-closing joints.

MuJoCo closes loops only by balls, hinges, welds and rods, so all other joints are put into the tree first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.geometry.rotation import angular_rate_of, matrix_of
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.parts.rigid_body import RigidBodyPart
from gaitwright.model.element_parameters import read_element_parameters

Array = np.ndarray
GROUND = "ground"
TREE_JOINT_TYPES = (
    "prismatic",
    "cylindrical",
    "planar",
    "universal",
    "point-on-line",
    "point-on-plane",
    "fixed",
    "revolute",
    "spherical",
)
"""Joints that can lead to a body, in order of preference: those that cannot close a loop first."""
LOOP_JOINT_TYPES = ("fixed", "revolute", "spherical", "distance")
"""Joints that can close a loop."""


@dataclass
class MjcfBodyPose:
    """Pose and motion of a body in the ground frame: position (m), rotation matrix, velocity (m/s), spin (rad/s)."""

    at: Array
    rotation: Array
    velocity: Array
    spin: Array


@dataclass
class MjcfTreeJoint:
    """Joint between two bodies. places: in their frames, m. numbers: axis and other parameters."""

    name: str
    kind: str
    bodies: tuple[str, str]
    places: dict[str, Array]
    numbers: dict[str, Any]


@dataclass
class MjcfBodyTree:
    """to: joint that leads to each body; none for a free body. parent: of each body, or the ground. loops: remaining joints."""

    mechanism: Mechanism
    poses: dict[str, MjcfBodyPose]
    to: dict[str, MjcfTreeJoint] = field(default_factory=dict)
    parent: dict[str, str] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    loops: list[MjcfTreeJoint] = field(default_factory=list)


def build_body_tree(mechanism: Mechanism, q: Array, v: Array) -> MjcfBodyTree:
    """Body tree of a mechanism in the pose q with velocities v; ModelError without a counterpart in MJCF."""
    bodies = mechanism.body_names
    for name, part in mechanism.parts.items():
        if not isinstance(part, RigidBodyPart) and part.kind != "counter":
            ErrorContext(f"part '{name}'").fail("cannot be written as MJCF", expected="a model of rigid bodies")
    still = MjcfBodyPose(np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3))
    poses = {GROUND: still}
    for name, body in bodies.items():
        x, dx = q[body.index], v[body.index]
        poses[name] = MjcfBodyPose(x[:3], matrix_of(x), dx[:3], angular_rate_of(x, dx))
    links = []
    for names, element in mechanism.attached():
        if names.kind == "joint" and len(names.bodies) == 2:
            places, numbers = read_element_parameters(element)
            links.append(MjcfTreeJoint(names.name, names.type, (names.bodies[0], names.bodies[1]), places, numbers))
    tree = MjcfBodyTree(mechanism, poses)
    chosen = _spanning_joints(links, [GROUND, *bodies])
    tree.loops = [link for link in links if link not in chosen]
    for link in tree.loops:
        if link.kind not in LOOP_JOINT_TYPES:
            ErrorContext(f"joint '{link.name}'").fail(
                f"a {link.kind} joint that closes a loop has no counterpart in MJCF",
                expected=f"one of {', '.join(LOOP_JOINT_TYPES)}",
            )
    _orient_joints(tree, chosen)
    return tree


def _spanning_joints(links: list[MjcfTreeJoint], bodies: list[str]) -> list[MjcfTreeJoint]:
    """Joints of a spanning tree: one that leads to every reachable body."""
    group = {name: name for name in bodies}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    chosen = []
    for kind in TREE_JOINT_TYPES:
        for link in (link for link in links if link.kind == kind):
            a, b = map(root, link.bodies)
            if a != b:
                group[b] = a
                chosen.append(link)
    return chosen


def _orient_joints(tree: MjcfBodyTree, chosen: list[MjcfTreeJoint]) -> None:
    """Orient the tree joints from the ground, then from the first body of every free group."""
    for start in (GROUND, *tree.mechanism.body_names):
        if start != GROUND and start in tree.parent:
            continue
        if start != GROUND:
            tree.parent[start] = GROUND
            tree.order.append(start)
        pending = [start]
        while pending:
            parent = pending.pop(0)
            for link in chosen:
                if parent not in link.bodies:
                    continue
                child = link.bodies[1 - link.bodies.index(parent)]
                if child != GROUND and child not in tree.parent:
                    tree.parent[child], tree.to[child] = parent, link
                    tree.order.append(child)
                    pending.append(child)
