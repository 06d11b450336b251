"""Gears and racks in space: two joints coupled to one counter, whose value is the travel of the first joint
(physics/joints/travel.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.mechanism.parts.massless_coordinates import CounterPart
from gaitwright.physics.attachments import Place
from gaitwright.physics.declarations import Attachment, Coupling
from gaitwright.physics.joints.travel import HingeTravel, SliderTravel
from gaitwright.physics.symbolic import dot, minus

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder

TRAVEL_COUPLINGS: dict[str, type[Coupling]] = {"revolute": HingeTravel, "prismatic": SliderTravel}
"""Coupling between a joint and a counter, by joint type."""
JOINT_NOUN_BY_UNIT = {"rad": "a hinge", "m": "a slider", "": "a hinge or slider"}


class GearJoint(NamedTuple):
    """Joint of a gear: attachments and fields of its coupling, and its travel in the drawn pose."""

    coupling: type[Coupling]
    fields: dict[str, Any]
    places: list[Any]
    markers: dict[str, Any]
    drawn: float
    unit: str

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(owner for owner, _ in self.places)


def read_gear(
    builder: MechanismBuilder,
    attachments: dict[str, Attachment],
    fields: dict[str, Any],
    name: str,
    kind: str,
    label: str,
) -> None:
    """Add the rows of a gear. attachments: declared attachments of the gear, which define the permitted kinds of joints."""
    if fields["a"] == fields["b"]:
        ErrorContext(label, "b").fail(
            f"connects the joint '{fields['a']}' with itself", fields["b"], "another joint than a"
        )
    ratio = builder.numbers.number(fields["ratio"], label, "ratio")
    a, b = (_read_gear_joint(builder, attachments[side], fields[side], label, side) for side in "ab")
    counter = _add_counter(builder, fields["a"], a, label)
    offset = (
        b.drawn - ratio * a.drawn
        if fields["offset"] is None
        else builder.numbers.number(fields["offset"], label, "offset")
    )
    element = _coupling_entry(builder, b, counter, ratio, offset, label)
    builder.add_rows(b.coupling, element, (*b.bodies, counter), name, kind)


def _read_gear_joint(builder: MechanismBuilder, attachment: Any, joint: str, label: str, side: str) -> GearJoint:
    type_by_joint: dict[str, str] = {
        entry["name"] or f"{entry['type']}-{k + 1}": entry["type"] for k, entry in enumerate(builder.document.joints)
    }
    units = {type_: next(iter(coupling.rows.values()))[1] for type_, coupling in TRAVEL_COUPLINGS.items()}
    unit: str = attachment.unit
    fitting_joints = [name for name, type_ in type_by_joint.items() if type_ in units and unit in ("", units[type_])]
    if joint not in fitting_joints:
        problem = f"there is no joint '{joint}'"
        if joint in type_by_joint:
            problem = f"the joint '{joint}' is {type_by_joint[joint]}, not {JOINT_NOUN_BY_UNIT[unit]}"
        ErrorContext(label, side).fail(problem, joint, format_choices(joint, fitting_joints, "(there is none)"))
    coupling = TRAVEL_COUPLINGS[type_by_joint[joint]]
    fields = builder.of_joint(coupling, joint, label)
    attachment_by_end = {end: attachment for end, attachment in coupling.attachments.items() if end in fields}
    places = [
        (builder.names.point if isinstance(kind, Place) else builder.names.orientation)(fields[end], label, end)
        for end, kind in attachment_by_end.items()
    ]
    markers = {end: builder.elements.drawn_marker(place) for end, place in zip(attachment_by_end, places, strict=True)}
    if "drawn_angle" in fields:
        drawn_travel = builder.numbers.number(fields["drawn_angle"] or 0.0, label, side)
    else:
        axis = builder.elements.constants(coupling, "axis", fields["axis"], markers, label, "")
        a, b = markers.values()
        drawn_travel = float(dot(a.direction(axis), minus(b.position, a.position)))
    return GearJoint(coupling, fields, places, markers, drawn_travel, units[type_by_joint[joint]])


def _add_counter(builder: MechanismBuilder, joint: str, joint_data: GearJoint, label: str) -> str:
    """Counter of a joint: a coordinate, and the row that couples it to the joint, which is regularised as the counter has no
    mass."""
    name = f"{joint}.counter"
    if name not in builder.names.parts:
        builder.names.add(CounterPart(name=name, drawn=np.array([joint_data.drawn]), unit=joint_data.unit))
        body: Any = builder.names.parts[next(owner for owner in reversed(joint_data.bodies) if owner != "ground")]
        builder.braced.append((builder.rows, body.mass if joint_data.unit == "m" else float(np.trace(body.inertia))))
        builder.add_rows(
            joint_data.coupling,
            _coupling_entry(builder, joint_data, name, 1.0, 0.0, label),
            (*joint_data.bodies, name),
            name,
            "body",
        )
    return name


def _coupling_entry(
    builder: MechanismBuilder, joint: GearJoint, counter: str, ratio: float, offset: float, label: str
) -> Any:
    fields = {**joint.fields, "ratio": ratio, "offset": offset}
    numbers = builder.elements.parameter_values(joint.coupling, fields, label, joint.markers)
    return builder.elements.table_entry(joint.coupling, [*joint.places, (counter, ())], numbers, [])
