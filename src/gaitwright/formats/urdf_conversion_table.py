"""Result of the conversion of a robot, a row for each link and joint: the table that `gaitwright import` prints."""

from __future__ import annotations

from typing import NamedTuple

from gaitwright.formats.urdf_file import ROTATING_JOINT_TYPES, SINGLE_POSITION_JOINT_TYPES, UrdfJoint, UrdfLink
from gaitwright.formats.urdf_tree import GROUND, UrdfTree

ModelNames = dict[tuple[str, str], str]
"""Names in the model, by kind and name in the file."""


class UrdfTableRow(NamedTuple):
    """name: in the file. file: description in the file. model: what it is converted to. called: its name in the model, as a
    body, point or joint. remark: changes and further information."""

    name: str
    file: str
    model: str
    called: str
    remark: str = ""


def link_row(tree: UrdfTree, link: UrdfLink, names: ModelNames) -> UrdfTableRow:
    """Row of a link."""
    carrier, own = tree.carriers[link.name].body, link.own
    if own.nothing:
        description = "link without mass"
    elif own.mass == 0.0:
        description = "link with inertia, without mass"
    else:
        description = f"link of {own.mass:.4g} kg"
    if carrier == link.name:
        merged = [name for name, c in tree.carriers.items() if c.body == link.name and name != link.name]
        gained = sum(tree.robot.links[name].own.mass for name in merged)
        model = f"body, with {gained:.4g} kg of others" if gained else "body"
    elif carrier == GROUND:
        model = "the ground"
    else:
        model = f"{'point' if own.nothing else 'merged into, and point'} of {carrier}"
    mine, owner = names["link", link.name], names.get(("link", carrier), "ground")
    remark = f"repaired: {tree.repairs[carrier]}" if carrier == link.name in tree.repairs else ""
    return UrdfTableRow(
        link.name, description, model, mine if carrier in (link.name, GROUND) else f"{owner}.{mine}", remark
    )


def joint_row(tree: UrdfTree, joint: UrdfJoint, stops: bool, names: ModelNames) -> UrdfTableRow:
    """Row of a joint."""
    same_body = tree.carriers[joint.parent].body == tree.carriers[joint.child].body
    ours = {"continuous": "revolute", "floating": "none: free"}
    model = "none: both are one body" if same_body else ours.get(joint.kind, joint.kind)
    remarks = []
    unit = "rad" if joint.kind in ROTATING_JOINT_TYPES else "m"
    if joint.mimic is not None:
        remarks.append(f"= {joint.mimic.multiplier:g} {joint.mimic.follows} {joint.mimic.offset:+g} {unit} (mimic)")
    if joint.astray:
        remarks.append(f"follows '{joint.astray}' (mimic), which is no joint of the file: moves on its own")
    if joint.limits is not None:
        remarks.append(f"{joint.limits[0]:.4g} to {joint.limits[1]:.4g} {unit}" + (", bumpers" if stops else ""))
    if joint.damping:
        suffix = "" if joint.kind in SINGLE_POSITION_JOINT_TYPES else ", left out"
        remarks.append(f"damping {joint.damping:g}{suffix}")
    if joint.friction:
        remarks.append(f"friction {joint.friction:g}, left out")
    called = "" if model.startswith("none") else names["joint", joint.name]
    return UrdfTableRow(joint.name, f"joint {joint.kind}", model, called, "; ".join(remarks))
