"""A mechanism in space as MuJoCo wants it: a tree of bodies, and what closes its loops.

MuJoCo closes loops by balls, hinges, welds and rods alone, so all other joints are taken into the tree first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.geometry.rotation import matrix_of, spin_of
from gaitwright.model.element_numbers import element_numbers
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.body import Body

Array = np.ndarray
GROUND = "ground"
IN_TREE = (
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
"""Joints that can lead to a body, those first that can do nothing else."""
CLOSING = ("fixed", "revolute", "spherical", "distance")
"""Joints that can close a loop."""


@dataclass
class Pose:
    """Of a body: place and rotation matrix, and how it moves, ground frame."""

    at: Array
    rotation: Array
    velocity: Array
    spin: Array


@dataclass
class Link:
    """A joint between two bodies. places: in their frames. numbers: axis and the like."""

    name: str
    kind: str
    bodies: tuple[str, str]
    places: dict[str, Array]
    numbers: dict[str, Any]


@dataclass
class BodyTree:
    """to: the joint that leads to a body; none for one that is free. parent: of each body, or the ground. loops: the others."""

    mechanism: Mechanism
    poses: dict[str, Pose]
    to: dict[str, Link] = field(default_factory=dict)
    parent: dict[str, str] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    loops: list[Link] = field(default_factory=list)


def body_tree(mechanism: Mechanism, q: Array, v: Array) -> BodyTree:
    """The tree of a mechanism in a pose."""
    bodies = mechanism.body_names
    for name, part in mechanism.parts.items():
        if not isinstance(part, Body) and part.kind != "counter":
            At(f"part '{name}'").fail("cannot be written as MJCF", expected="a model of rigid bodies")
    still = Pose(np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3))
    poses = {GROUND: still}
    for name, body in bodies.items():
        x, dx = q[body.index], v[body.index]
        poses[name] = Pose(x[:3], matrix_of(x), dx[:3], spin_of(x, dx))
    links = []
    for names, element in mechanism.attached():
        if names.kind == "joint" and len(names.bodies) == 2:
            places, numbers = element_numbers(element)
            links.append(Link(names.name, names.type, (names.bodies[0], names.bodies[1]), places, numbers))
    tree = BodyTree(mechanism, poses)
    chosen = _spanning(links, [GROUND, *bodies])
    tree.loops = [link for link in links if link not in chosen]
    for link in tree.loops:
        if link.kind not in CLOSING:
            At(f"joint '{link.name}'").fail(
                f"a {link.kind} joint that closes a loop has no counterpart in MJCF",
                expected=f"one of {', '.join(CLOSING)}",
            )
    _orient(tree, chosen)
    return tree


def _spanning(links: list[Link], bodies: list[str]) -> list[Link]:
    """Joints that lead to every body they can reach, each once."""
    group = {name: name for name in bodies}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    chosen = []
    for kind in IN_TREE:
        for link in (link for link in links if link.kind == kind):
            a, b = map(root, link.bodies)
            if a != b:
                group[b] = a
                chosen.append(link)
    return chosen


def _orient(tree: BodyTree, chosen: list[Link]) -> None:
    """From the ground on, then from the first of every group that is free."""
    for start in (GROUND, *tree.mechanism.body_names):
        if start != GROUND and start in tree.parent:
            continue
        if start != GROUND:
            tree.parent[start] = GROUND
            tree.order.append(start)
        waiting = [start]
        while waiting:
            here = waiting.pop(0)
            for link in chosen:
                if here not in link.bodies:
                    continue
                other = link.bodies[1 - link.bodies.index(here)]
                if other != GROUND and other not in tree.parent:
                    tree.parent[other], tree.to[other] = here, link
                    tree.order.append(other)
                    waiting.append(other)
