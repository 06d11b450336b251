"""Gears and racks in space: two joints on one counter, which has moved as far as the first (physics/joints/travel.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.physics.declare import Attachment, Coupling, Place
from gaitwright.physics.joints.travel import HingeTravel, SliderTravel
from gaitwright.physics.symbolic import dot, minus
from gaitwright.system.parts.counter import CounterPart

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

COUPLINGS: dict[str, type[Coupling]] = {"revolute": HingeTravel, "prismatic": SliderTravel}
"""By type of joint: what ties it to a counter."""
WORDS = {"rad": "a hinge", "m": "a slider", "": "a hinge or slider"}


class Travelling(NamedTuple):
    """A joint as a gear sees it: the ends of its coupling, and how far it has moved in the drawn pose."""

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
    s: Lowering, attachments: dict[str, Attachment], fields: dict[str, Any], name: str, kind: str, label: str
) -> None:
    """Add the rows of a gear. attachments: those that were asked for, which say what kinds of joints there may be."""
    if fields["a"] == fields["b"]:
        At(label, "b").fail(f"connects the joint '{fields['a']}' with itself", fields["b"], "another joint than a")
    ratio = s.number(fields["ratio"], label, "ratio")
    a, b = (_travelling(s, attachments[side], fields[side], label, side) for side in "ab")
    counter = _counter(s, fields["a"], a, label)
    offset = b.drawn - ratio * a.drawn if fields["offset"] is None else s.number(fields["offset"], label, "offset")
    element = _coupled(s, b, counter, ratio, offset, label)
    s.add_rows(b.coupling, element, (*b.bodies, counter), name, kind)


def _travelling(s: Lowering, attachment: Any, joint: str, label: str, side: str) -> Travelling:
    named: dict[str, str] = {
        entry["name"] or f"{entry['type']}-{k + 1}": entry["type"] for k, entry in enumerate(s.document.joints)
    }
    units = {type_: next(iter(coupling.rows.values()))[1] for type_, coupling in COUPLINGS.items()}
    wanted: str = attachment.unit
    fit = [name for name, type_ in named.items() if type_ in units and wanted in ("", units[type_])]
    if joint not in fit:
        problem = f"there is no joint '{joint}'"
        if joint in named:
            problem = f"the joint '{joint}' is {named[joint]}, not {WORDS[wanted]}"
        At(label, side).fail(problem, joint, offer(joint, fit, "(there is none)"))
    coupling = COUPLINGS[named[joint]]
    fields = s.of_joint(coupling, joint, label)
    ends = {end: attachment for end, attachment in coupling.attachments.items() if end in fields}
    places = [
        (s.point if isinstance(kind, Place) else s.orientation)(fields[end], label, end) for end, kind in ends.items()
    ]
    markers = {end: s.drawn_marker(place) for end, place in zip(ends, places, strict=True)}
    if "drawn_angle" in fields:
        drawn = s.number(fields["drawn_angle"] or 0.0, label, side)
    else:
        axis = s.constants(coupling, "axis", fields["axis"], markers, label, "")
        a, b = markers.values()
        drawn = float(dot(a.direction(axis), minus(b.position, a.position)))
    return Travelling(coupling, fields, places, markers, drawn, units[named[joint]])


def _counter(s: Lowering, joint: str, of: Travelling, label: str) -> str:
    """The counter of a joint: a coordinate, and the row that ties it to the joint, which is braced as it has no mass."""
    name = f"{joint}.counter"
    if name not in s.parts:
        s.add(CounterPart(name=name, drawn=np.array([of.drawn]), unit=of.unit))
        body: Any = s.parts[next(owner for owner in reversed(of.bodies) if owner != "ground")]
        s.braced.append((s.rows, body.mass if of.unit == "m" else float(np.trace(body.inertia))))
        s.add_rows(of.coupling, _coupled(s, of, name, 1.0, 0.0, label), (*of.bodies, name), name, "body")
    return name


def _coupled(s: Lowering, joint: Travelling, counter: str, ratio: float, offset: float, label: str) -> Any:
    fields = {**joint.fields, "ratio": ratio, "offset": offset}
    numbers = s.numbers(joint.coupling, fields, label, joint.markers)
    return s.table_entry(joint.coupling, [*joint.places, (counter, ())], numbers, [])
