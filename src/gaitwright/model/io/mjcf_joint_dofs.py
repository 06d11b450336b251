"""Degrees of freedom of a joint as MuJoCo's joints in series: hinges, slides and balls."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.model.io.mjcf_tree import Array, MjcfBodyTree, MjcfTreeJoint
from gaitwright.physics.axis import perpendiculars

JointDof = tuple[str, str, Array, Array, float]
"""Suffix of its name, kind, position and axis in the body frame, and joint position in the start pose."""
Z_AXIS = np.array([0.0, 0.0, 1.0])


def _local_point_and_axis(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str) -> tuple[Array, Array]:
    """Position and axis of the joint that leads to a body, in its frame; the sign of the axis gives the same joint position in
    MuJoCo, also if the body is side a of the joint."""
    side, sign = ("b", 1.0) if link.bodies[1] == name else ("a", -1.0)
    turn = tree.poses[name].rotation.T @ tree.poses[link.bodies[0]].rotation
    return link.places[side], sign * turn @ link.numbers.get("axis", Z_AXIS)


def _revolute_dofs(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str) -> list[JointDof]:
    at, axis = _local_point_and_axis(tree, link, name)
    a, b = (tree.poses[body].rotation for body in link.bodies)
    return [("", "hinge", at, axis, relative_angle(a, b, link.numbers))]


def _prismatic_dofs(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str) -> list[JointDof]:
    at, axis = _local_point_and_axis(tree, link, name)
    a, b = (tree.poses[body] for body in link.bodies)
    displacement = b.at + b.rotation @ link.places["b"] - a.at - a.rotation @ link.places["a"]
    return [("", "slide", at, axis, float(displacement @ (a.rotation @ link.numbers["axis"])))]


def _spherical_dofs(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str) -> list[JointDof]:
    return [("", "ball", _local_point_and_axis(tree, link, name)[0], Z_AXIS, 0.0)]


def _universal_dofs(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str) -> list[JointDof]:
    """Two hinges, the axis of the parent first."""
    position, _ = _local_point_and_axis(tree, link, name)
    pose = tree.poses[name].rotation
    axes = [
        pose.T @ tree.poses[body].rotation @ link.numbers[key]
        for body, key in zip(link.bodies, ("axis", "axis_b"), strict=True)
    ]
    first, second = axes if link.bodies[1] == name else axes[::-1]
    return [("-1", "hinge", position, first, 0.0), ("-2", "hinge", position, second, 0.0)]


def _cylindrical_dofs(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str) -> list[JointDof]:
    at, axis = _local_point_and_axis(tree, link, name)
    return [("-slide", "slide", at, axis, 0.0), ("-turn", "hinge", at, axis, 0.0)]


def _planar_dofs(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str) -> list[JointDof]:
    at, axis = _local_point_and_axis(tree, link, name)
    return [*_plane_slide_dofs(tree, link, name), ("-turn", "hinge", at, axis, 0.0)]


def _plane_slide_dofs(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str) -> list[JointDof]:
    turn = tree.poses[name].rotation.T @ tree.poses[link.bodies[0]].rotation
    directions = perpendiculars(tuple(link.numbers["axis"]))
    return [
        (f"-{k}", "slide", np.zeros(3), turn @ np.array(direction), 0.0) for k, direction in enumerate(directions, 1)
    ]


def _point_on_line_dofs(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str) -> list[JointDof]:
    _, axis = _local_point_and_axis(tree, link, name)
    return _sliding_ball_dofs(tree, link, name, [("-slide", "slide", np.zeros(3), axis, 0.0)])


def _point_on_plane_dofs(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str) -> list[JointDof]:
    return _sliding_ball_dofs(tree, link, name, _plane_slide_dofs(tree, link, name))


def _sliding_ball_dofs(tree: MjcfBodyTree, link: MjcfTreeJoint, name: str, slides: list[JointDof]) -> list[JointDof]:
    """The point belongs to b; if the line is fixed in the child, the ball comes first."""
    pose, b = tree.poses[name], tree.poses[link.bodies[1]]
    at = pose.rotation.T @ (b.at + b.rotation @ link.places["b"] - pose.at)
    ball: JointDof = ("-ball", "ball", at, Z_AXIS, 0.0)
    return [*slides, ball] if link.bodies[1] == name else [ball, *slides]


def relative_angle(a: Array, b: Array, numbers: dict[str, Any]) -> float:
    """Joint angle about an axis between two bodies with these rotation matrices, rad."""
    reference = b @ numbers["across_b"]
    return math.atan2(float(reference @ (a @ numbers["third"])), float(reference @ (a @ numbers["across"])))


DOFS_BY_JOINT_TYPE: dict[str, Callable[[MjcfBodyTree, MjcfTreeJoint, str], list[JointDof]]] = {
    "revolute": _revolute_dofs,
    "prismatic": _prismatic_dofs,
    "spherical": _spherical_dofs,
    "universal": _universal_dofs,
    "cylindrical": _cylindrical_dofs,
    "planar": _planar_dofs,
    "point-on-line": _point_on_line_dofs,
    "point-on-plane": _point_on_plane_dofs,
    "fixed": lambda tree, link, name: [],
}
