"""Edits that add joints: guides, gears, racks, welds, and any other joint by its type."""

from __future__ import annotations

import math
from typing import Annotated, Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.studio.draft import DocumentDraft, Position
from gaitwright.studio.edits.elements import NumberOrExpression
from gaitwright.studio.edits.pivots import body_names, carried_points
from gaitwright.studio.edits.points import DirectionInPlane, OptionalName, add_point


def add_joint(
    draft: DocumentDraft,
    type: str,
    a: str,
    b: str,
    name: OptionalName = None,
    fields: dict[str, Any] = {},  # noqa: B006
) -> None:
    """Join two points: revolute, fixed, prismatic, slot, distance, ..."""
    name = draft.new_name(name, type.replace("revolute", "pin"))
    draft.append("joints", {"type": type, "name": name, "a": a, "b": b, **fields})
    draft.made.append(name)


def add_guide(
    draft: DocumentDraft,
    body: Annotated[str, "the link or body that slides and does not turn"],
    axis: Annotated[DirectionInPlane | None, "direction; along the link unless given"] = None,
    name: OptionalName = None,
) -> None:
    """Let a link slide along a line of the ground without turning."""
    point, link_direction = _link_line(draft, body)
    existing_guide = _find_guide(draft, body)
    if existing_guide is not None:
        ErrorContext("guide", "body").fail(
            f"'{body}' slides on joint '{existing_guide.get('name')}' already", expected="another link"
        )
    axis = list(link_direction) if axis is None else axis
    if not math.hypot(*axis) > 0.0:
        ErrorContext("guide", "axis").fail("has no direction", axis, "two numbers that are not both 0")
    add_point(draft, list(draft.shown(0.0)[point]), ground=True)
    support = f"ground.{draft.made[-1]}"
    name = draft.new_name(name, "guide")
    guided_point = f"{body}.{point}" if point in carried_points(draft, body) else point
    draft.append(
        "joints", {"type": "prismatic", "name": name, "a": support, "b": guided_point, "axis": draft.rounded(*axis)}
    )
    draft.made.append(name)


def add_gear(
    draft: DocumentDraft,
    a: Annotated[str, "the link that drives"],
    b: Annotated[str, "the link that follows"],
    ratio: Annotated[
        NumberOrExpression, "turns of b per turn of a, negative for external gears; -1 unless given"
    ] = None,
    name: OptionalName = None,
) -> None:
    """Gear two links that turn on the ground or on one common link."""
    carrier = _common_carrier(draft, a, b)
    name = draft.new_name(name, "gear")
    entry = {"type": "gear", "name": name, "a": a, "b": b, "ratio": -1 if ratio is None else ratio}
    draft.append("joints", entry | ({} if carrier == "ground" else {"carrier": carrier}))
    draft.made.append(name)


def add_rack(
    draft: DocumentDraft,
    rack: Annotated[str, "the link that slides; it gets a guide along itself unless it has one"],
    pinion: Annotated[str, "the link that rolls on it and turns about a ground point"],
    radius: Annotated[NumberOrExpression, "travel of the rack per rad of the pinion, m; as drawn unless given"] = None,
    name: OptionalName = None,
) -> None:
    """Let a link roll on a rack: the rack slides as the pinion turns."""
    if rack == pinion:
        ErrorContext("rack").fail("its rack and its pinion are the same link", rack, "two links")
    pivots = [point for point in carried_points(draft, pinion) if point in draft.ground]
    if not pivots:
        ErrorContext("rack", "pinion").fail(
            f"'{pinion}' does not turn about a ground point", expected="a link with a ground point"
        )
    if _find_guide(draft, rack) is None:
        add_guide(draft, rack)
    guide = _find_guide(draft, rack)
    assert guide is not None
    if str(guide["a"]).removeprefix("ground.") not in draft.ground:
        ErrorContext("rack", "rack").fail(
            f"'{rack}' slides on a moving link", expected="a rack that slides on the ground"
        )
    x, y = (draft.number(value) for value in guide["axis"])
    if radius is None:
        size = math.hypot(x, y) or 1.0
        shown = draft.shown(0.0)
        rack_point, centre = shown[_link_line(draft, rack)[0]], shown[pivots[0]]
        (radius,) = draft.rounded(((rack_point[0] - centre[0]) * y - (rack_point[1] - centre[1]) * x) / size)
        if radius == 0.0:
            ErrorContext("rack", "radius").fail(
                "would be 0: the pivot of the pinion is on the rack", expected="a pivot beside it"
            )
    name = draft.new_name(name, "rack")
    fields = {"a": guide["a"], "b": guide["b"], "axis": guide["axis"], "pinion": pinion, "radius": radius}
    draft.append("joints", {"type": "rack", "name": name, **fields})
    draft.made.append(name)


def add_weld(
    draft: DocumentDraft,
    a: Annotated[str, "a link"],
    b: Annotated[str, "another link with which it shares a point"],
    name: OptionalName = None,
) -> None:
    """Weld two links at the point that they share, in the angle of the drawing."""
    shared = [point for point in carried_points(draft, a) if point in carried_points(draft, b)]
    if a == b or not shared:
        ErrorContext("weld").fail(f"links '{a}' and '{b}' share no point", expected="two links that meet in a point")
    point, name = shared[0], draft.new_name(name, "weld")
    others = [link for link in body_names(draft) if link not in (a, b) and point in carried_points(draft, link)]
    fields: dict[str, Any] = {"type": "fixed", "name": name, "a": f"{a}.{point}", "b": f"{b}.{point}"}
    if others or point in draft.ground:
        # Pins already hold the point together: a gear with ratio 1 constrains only the angle.
        fields |= {"type": "gear", "a": a, "b": b, "ratio": 1}
    draft.append("joints", fields)
    draft.made.append(name)


def _common_carrier(draft: DocumentDraft, a: str, b: str) -> str:
    """Common carrier of two links: the ground, or the link on which both turn."""
    if a == b:
        ErrorContext("gear").fail("its two links are the same", a, "two links")
    first, second = carried_points(draft, a), carried_points(draft, b)
    if any(point in draft.ground for point in first) and any(point in draft.ground for point in second):
        return "ground"
    for link in body_names(draft):
        points = carried_points(draft, link)
        if link not in (a, b) and any(p in points for p in first) and any(p in points for p in second):
            return link
    reason = "they only share a point" if set(first) & set(second) else "they turn on different links"
    ErrorContext("gear").fail(
        f"links '{a}' and '{b}' have no common carrier: {reason}",
        expected="two links that turn on the ground, or on one link",
    )


def _link_line(draft: DocumentDraft, body: str) -> tuple[str, Position]:
    """First point of a link, and its direction in the drawing as a unit vector."""
    _, _, link = draft.named(body, "links")
    shown = draft.shown(0.0)
    a, b = (shown[link[end]] for end in ("from", "to"))
    size = math.dist(a, b) or 1.0
    return str(link["from"]), ((b[0] - a[0]) / size, (b[1] - a[1]) / size)


def _find_guide(draft: DocumentDraft, body: str) -> dict[str, Any] | None:
    """The prismatic joint on which a link slides; None if there is none."""
    for _, _, joint in draft.entries("joints"):
        guided = str(joint.get("b"))
        if joint.get("type") == "prismatic" and (
            guided == body or guided.startswith(f"{body}.") or guided in carried_points(draft, body)
        ):
            return joint
    return None
