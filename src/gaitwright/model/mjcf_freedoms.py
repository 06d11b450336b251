"""The freedoms that a joint leaves to a body of the tree, as MuJoCo has them: hinges, slides and balls, one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.model.mjcf_tree import Array, BodyTree, Link
from gaitwright.physics.axis import perpendiculars

Freedom = tuple[str, str, Array, Array, float]
"""End of its name, kind, place and axis in the frame of the body, and position in the start pose."""
ALONG_Z = np.array([0.0, 0.0, 1.0])


def _local(tree: BodyTree, link: Link, name: str) -> tuple[Array, Array]:
    """Point and axis of the joint that leads to a body, in its frame; the axis so that MuJoCo counts as we do, also where
    the body is a of the joint."""
    side, sign = ("b", 1.0) if link.bodies[1] == name else ("a", -1.0)
    turn = tree.poses[name].rotation.T @ tree.poses[link.bodies[0]].rotation
    return link.places[side], sign * turn @ link.numbers.get("axis", ALONG_Z)


def _revolute(tree: BodyTree, link: Link, name: str) -> list[Freedom]:
    at, axis = _local(tree, link, name)
    a, b = (tree.poses[body].rotation for body in link.bodies)
    return [("", "hinge", at, axis, angle_of(a, b, link.numbers))]


def _prismatic(tree: BodyTree, link: Link, name: str) -> list[Freedom]:
    at, axis = _local(tree, link, name)
    a, b = (tree.poses[body] for body in link.bodies)
    way = b.at + b.rotation @ link.places["b"] - a.at - a.rotation @ link.places["a"]
    return [("", "slide", at, axis, float(way @ (a.rotation @ link.numbers["axis"])))]


def _spherical(tree: BodyTree, link: Link, name: str) -> list[Freedom]:
    return [("", "ball", _local(tree, link, name)[0], ALONG_Z, 0.0)]


def _universal(tree: BodyTree, link: Link, name: str) -> list[Freedom]:
    """The axis of the parent first."""
    at, _ = _local(tree, link, name)
    pose = tree.poses[name].rotation
    ways = [
        pose.T @ tree.poses[body].rotation @ link.numbers[key]
        for body, key in zip(link.bodies, ("axis", "axis_b"), strict=True)
    ]
    first, second = ways if link.bodies[1] == name else ways[::-1]
    return [("-1", "hinge", at, first, 0.0), ("-2", "hinge", at, second, 0.0)]


def _cylindrical(tree: BodyTree, link: Link, name: str) -> list[Freedom]:
    at, axis = _local(tree, link, name)
    return [("-slide", "slide", at, axis, 0.0), ("-turn", "hinge", at, axis, 0.0)]


def _planar(tree: BodyTree, link: Link, name: str) -> list[Freedom]:
    at, axis = _local(tree, link, name)
    return [*_plane_slides(tree, link, name), ("-turn", "hinge", at, axis, 0.0)]


def _plane_slides(tree: BodyTree, link: Link, name: str) -> list[Freedom]:
    turn = tree.poses[name].rotation.T @ tree.poses[link.bodies[0]].rotation
    ways = perpendiculars(tuple(link.numbers["axis"]))
    return [(f"-{k}", "slide", np.zeros(3), turn @ np.array(way), 0.0) for k, way in enumerate(ways, 1)]


def _point_on_line(tree: BodyTree, link: Link, name: str) -> list[Freedom]:
    _, axis = _local(tree, link, name)
    return _sliding_ball(tree, link, name, [("-slide", "slide", np.zeros(3), axis, 0.0)])


def _point_on_plane(tree: BodyTree, link: Link, name: str) -> list[Freedom]:
    return _sliding_ball(tree, link, name, _plane_slides(tree, link, name))


def _sliding_ball(tree: BodyTree, link: Link, name: str, slides: list[Freedom]) -> list[Freedom]:
    """The point is of b; where the line is fixed in the child, the ball comes first."""
    pose, b = tree.poses[name], tree.poses[link.bodies[1]]
    at = pose.rotation.T @ (b.at + b.rotation @ link.places["b"] - pose.at)
    ball: Freedom = ("-ball", "ball", at, ALONG_Z, 0.0)
    return [*slides, ball] if link.bodies[1] == name else [ball, *slides]


def angle_of(a: Array, b: Array, numbers: dict[str, Any]) -> float:
    """Of what turns about an axis, between two bodies with these rotation matrices, rad."""
    shown = b @ numbers["across_b"]
    return math.atan2(float(shown @ (a @ numbers["third"])), float(shown @ (a @ numbers["across"])))


FREEDOMS: dict[str, Callable[[BodyTree, Link, str], list[Freedom]]] = {
    "revolute": _revolute, "prismatic": _prismatic, "spherical": _spherical, "universal": _universal,
    "cylindrical": _cylindrical, "planar": _planar, "point-on-line": _point_on_line, "point-on-plane": _point_on_plane,
    "fixed": lambda tree, link, name: [],
}  # fmt: skip
