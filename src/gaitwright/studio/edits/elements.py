"""Commands that draw elements: bars, plates, beams, sliders, springs, drives, grounds, loads; and any other by its
fields."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from gaitwright._core.error_context import ErrorContext
from gaitwright.studio.draft import ELEMENT_SECTIONS, DocumentDraft, distance
from gaitwright.studio.edits.frames import to_local
from gaitwright.studio.edits.lengths import set_number
from gaitwright.studio.edits.pivots import carried_points, link_at_pivot, require_undriven
from gaitwright.studio.edits.points import (
    DEFAULT_CONTACT_LAW,
    DEFAULT_FRICTION,
    DirectionInPlane,
    LineInPlane,
    OptionalName,
    PlaceInPlane,
    add_point,
)

NumberOrExpression = Annotated[float | str | None, "a number, or an expression of the parameters"]
SPRING_STIFFNESS_N_PER_M = 1000.0
"""Default stiffness of a drawn spring, N/m."""
DEFAULT_BEAM_FIELDS = {"elements": 8, "youngs_modulus": 70e9, "density": 1600, "width": 0.02, "height": 0.003}
"""Default fields of a drawn beam: a strip of carbon fibre, SI."""
MAX_LINK_POINTS = 50


def add_link(
    draft: DocumentDraft,
    from_: Annotated[str, "point where it begins"],
    to: Annotated[str, "point where it ends"],
    points: Annotated[list[str], "more points of a plate"] = [],  # noqa: B006
    name: OptionalName = None,
    mass: NumberOrExpression = None,
    length: NumberOrExpression = None,
) -> None:
    """Draw a bar between two points, or a plate with more; points of the same name are pinned together."""
    if len({from_, to, *points}) < 2 + len(points):
        ErrorContext("link").fail("has the same point twice", [from_, to, *points], "different points")
    start, end = draft.shown(0.0), draft.shown(0.0)
    for point in (from_, to, *points):
        draft.point_path(point)
    a, b = start[from_], end[to]
    span = distance(a, b)
    if span == 0.0:
        ErrorContext("link").fail(
            f"its ends '{from_}' and '{to}' are in the same place", list(a), "two different places"
        )
    name = draft.new_name(name, "link")
    (drawn_length,) = draft.rounded(span)
    entry: dict[str, Any] = {
        "name": name,
        "from": from_,
        "to": to,
        "length": drawn_length if length is None else length,
    }
    entry["mass"] = draft.mass_of(span) if mass is None else mass
    if points:
        entry["points"] = {point: draft.rounded(*to_local(start[point], a, b)) for point in points}
    draft.append("links", entry)
    draft.made.append(name)


def add_body(
    draft: DocumentDraft,
    points: Annotated[list[str], "two or more points; the first two are its ends"],
    name: OptionalName = None,
    mass: NumberOrExpression = None,
) -> None:
    """Draw a rigid body through several points."""
    if not 2 <= len(points) <= MAX_LINK_POINTS:
        ErrorContext("body").fail(f"has {len(points)} points", expected=f"2 to {MAX_LINK_POINTS} points")
    add_link(draft, points[0], points[1], points[2:], name, mass)


def add_beam(
    draft: DocumentDraft,
    from_: str,
    to: str,
    name: OptionalName = None,
    fields: Annotated[dict[str, Any], "of a beam"] = {},  # noqa: B006
) -> None:
    """Draw a flexible beam between two points."""
    shown = draft.shown(0.0)
    for point in (from_, to):
        draft.point_path(point)
    name = draft.new_name(name, "beam")
    (length,) = draft.rounded(distance(shown[from_], shown[to]))
    draft.append("beams", {"name": name, "from": from_, "to": to, "length": length, **DEFAULT_BEAM_FIELDS, **fields})
    draft.made.append(name)


def add_slider(
    draft: DocumentDraft,
    point: Annotated[str, "the point that slides"],
    axis: Annotated[
        DirectionInPlane | None, "direction as seen; along the link, or level on the ground, unless given"
    ] = None,
    type: Annotated[Literal["slot", "prismatic"], "slot: it may turn; prismatic: a block that does not turn"] = "slot",
    through: Annotated[PlaceInPlane | None, "a place on the line; the point's own unless given"] = None,
    on: Annotated[str, "ground, or the link with the slot"] = "ground",
    name: OptionalName = None,
) -> None:
    """Let a point slide along a line of the ground or of a link."""
    position = draft.shown(0.0)[point] if through is None else through
    if on == "ground":
        axis = [1.0, 0.0] if axis is None else axis
        add_point(draft, list(position), ground=True)
        line, axis = f"ground.{draft.made[-1]}", draft.rounded(*axis)
    else:
        _, k, link = draft.named(on, "links")
        if point in carried_points(draft, on):
            ErrorContext("slider", "point").fail(
                f"'{point}' is a point of link '{on}' itself", expected="a point of another link"
            )
        a, b = (draft.shown(0.0)[link[end]] for end in ("from", "to"))
        inner = draft.new_name(None, "S")
        draft.set(["links", k, "points", inner], draft.rounded(*to_local(tuple(position), a, b)))
        line = f"{on}.{inner}"
        link_angle = math.atan2(b[1] - a[1], b[0] - a[0])
        x, y = (math.cos(link_angle), math.sin(link_angle)) if axis is None else axis
        axis = draft.rounded(
            math.cos(link_angle) * x + math.sin(link_angle) * y, math.cos(link_angle) * y - math.sin(link_angle) * x
        )
        draft.made.append(inner)
    name = draft.new_name(name, "slider")
    if type == "slot":
        draft.append("joints", {"type": "slot", "name": name, "a": line, "b": point, "axis": axis})
    else:
        block = draft.new_name(None, "block")
        draft.append(
            "bodies", {"name": block, "mass": 0.1, "inertia": 1e-4, "at": draft.rounded(*draft.shown(0.0)[point])}
        )
        draft.append("joints", {"type": "revolute", "name": draft.new_name(None, "pin"), "a": point, "b": block})
        draft.append("joints", {"type": "prismatic", "name": name, "a": line, "b": block, "axis": axis})
        draft.made.append(block)
    draft.made.append(name)


def add_spring(
    draft: DocumentDraft,
    a: str,
    b: str,
    stiffness: NumberOrExpression = SPRING_STIFFNESS_N_PER_M,
    damping: NumberOrExpression = None,
    rest_length: NumberOrExpression = None,
    name: OptionalName = None,
) -> None:
    """Draw a spring, with or without a damper, between two points; it is at rest as drawn unless a length is given."""
    name = draft.new_name(name, "spring")
    entry = {"type": "spring-damper", "name": name, "a": a, "b": b, "stiffness": stiffness, "damping": damping}
    draft.append("forces", {**entry, "rest_length": rest_length})
    draft.made.append(name)


def add_drive(
    draft: DocumentDraft,
    body: Annotated[str | None, "the link that turns"] = None,
    point: Annotated[str | None, "instead: the ground point about which it turns"] = None,
    turns_per_second: Annotated[float, "counter-clockwise positive"] = 1.0,
    fields: Annotated[
        dict[str, Any] | None, "another drive by its fields: {type: distance, a: ..., b: ..., length: ...}"
    ] = None,
    name: OptionalName = None,
) -> None:
    """Drive a link with constant speed, from the angle at which it is drawn."""
    if fields is not None:
        draft.append("drives", {**fields, **({"name": name} if name else {})})
        return
    if body is None:
        if point is None:
            ErrorContext("drive", "body").fail("is missing", expected="the name of a link")
        body = link_at_pivot(draft, point)
    require_undriven(draft, body)
    _, _, link = draft.named(body, "links", "bodies")
    turn = "2*pi" if abs(turns_per_second) == 1 else f"{2 * abs(turns_per_second):g}*pi"
    sign, angle = "-" if turns_per_second < 0 else "", 0.0
    if "from" in link:
        shown = draft.shown(0.0)
        a, b = shown[link["from"]], shown[link["to"]]
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
    angle_expression = f"{angle:.6g} {sign or '+'} {turn}*t" if abs(angle) > 1e-6 else f"{sign}{turn}*t"
    draft.append("drives", {"type": "rotation", "name": name, "body": body, "angle": angle_expression})
    draft.made.append(name or body)
    if draft.data.get("analysis") is None and turns_per_second:
        period = float(f"{1 / abs(turns_per_second):.9g}")
        draft.set(["analysis"], {"type": "inverse", "until": period, "step": float(f"{period / 500:.9g}")})


def add_contact(
    draft: DocumentDraft,
    point: Annotated[str, "the point that touches"],
    level: Annotated[float | None, "of a level ground, m"] = None,
    line: Annotated[
        LineInPlane | None, "two places on the ground, solid on the right on the way from the first"
    ] = None,
    law: dict[str, Any] = DEFAULT_CONTACT_LAW,
    friction: dict[str, Any] | None = DEFAULT_FRICTION,
    name: OptionalName = None,
) -> None:
    """Put a ground below a point."""
    if (level is None) == (line is None):
        ErrorContext("contact").fail("needs a level or a line", expected="one of the two")
    a, b = line if line is not None else [[0.0, level], [1.0, level]]
    span = math.dist(a, b)
    if span == 0.0:
        ErrorContext("contact", "line").fail("has no direction", line, "two different places")
    x, y = -(b[1] - a[1]) / span, (b[0] - a[0]) / span
    surface = [*(round(value, 9) + 0.0 for value in (x, y)), *draft.rounded(-(x * a[0] + y * a[1]))]
    name = draft.new_name(name, "contact")
    draft.append(
        "contacts", {"name": name, "point": point, "surface": {"line": surface}, "law": law, "friction": friction}
    )
    draft.made.append(name)


def add_force(
    draft: DocumentDraft, at: str, value: list[float | str], frame: str | None = None, name: OptionalName = None
) -> None:
    """Apply a force at a point: N, numbers or expressions of t."""
    name = draft.new_name(name, "load")
    draft.append("forces", {"type": "force", "name": name, "at": at, "value": value, "frame": frame})
    draft.made.append(name)


def add(draft: DocumentDraft, section: str, fields: dict[str, Any]) -> None:
    """Add an element of any section by its fields."""
    ErrorContext(field="section").one_of(section, (*ELEMENT_SECTIONS, "charts"))
    if isinstance(fields.get("name"), str) and section in ELEMENT_SECTIONS:
        draft.new_name(fields["name"])
    draft.append(section, fields)
    draft.made.append(str(fields.get("name") or ""))


def set_field(
    draft: DocumentDraft,
    path: Annotated[list[str | int], "place: [links, 0, mass]"],
    value: Annotated[Any, "null removes it"],
) -> None:
    """Set the value of a field, or remove it."""
    if not path:
        ErrorContext("path").fail("is empty", expected="a place such as ['links', 0, 'mass']")
    if value is None:
        draft.remove(path)
    else:
        draft.set(path, value)


def set_parameter(draft: DocumentDraft, name: str, value: float | str) -> None:
    """Set the value of a parameter, or create one."""
    draft.set(["parameters", name], value)


def set_length(draft: DocumentDraft, name: Annotated[str, "a link or beam"], length: float) -> None:
    """Change the length of a link or beam; through its parameter, where it is one."""
    section, k, entry = draft.named(name, "links", "beams")
    if not length > 0:
        ErrorContext(f"{section[:-1]} '{name}'", "length").fail(
            "must be greater than zero", length, "a positive number of m"
        )
    if entry.get("length") is None:
        draft.set([section, k, "length"], length)
    elif not set_number(draft, [section, k, "length"], length, f"{section[:-1]} '{name}'"):
        ErrorContext(f"{section[:-1]} '{name}'", "length").fail(
            "is an expression of several values", entry["length"], "a change of these, or a number in its place"
        )
