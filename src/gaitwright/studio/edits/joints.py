"""Edits that add joints: guides, gears, racks, welds, and any other joint by its type."""

from __future__ import annotations

import math
from typing import Annotated, Any

from gaitwright.checks import At
from gaitwright.studio.draft import Draft, Place
from gaitwright.studio.edits.elements import Value
from gaitwright.studio.edits.pivots import bodies, carried
from gaitwright.studio.edits.points import DirectionInPlane, Named, add_point


def add_joint(draft: Draft, type: str, a: str, b: str, name: Named = None, fields: dict[str, Any] = {}) -> None:  # noqa: B006
    """Join two points: revolute, fixed, prismatic, slot, distance, ..."""
    name = draft.new_name(name, type.replace("revolute", "pin"))
    draft.append("joints", {"type": type, "name": name, "a": a, "b": b, **fields})
    draft.made.append(name)


def add_guide(
    draft: Draft,
    body: Annotated[str, "the link or body that slides and does not turn"],
    axis: Annotated[DirectionInPlane | None, "direction; along the link unless given"] = None,
    name: Named = None,
) -> None:
    """Let a link slide along a line of the ground without turning."""
    point, along = _line_of(draft, body)
    guided = _guide_of(draft, body)
    if guided is not None:
        At("guide", "body").fail(f"'{body}' slides on joint '{guided.get('name')}' already", expected="another link")
    axis = list(along) if axis is None else axis
    if not math.hypot(*axis) > 0.0:
        At("guide", "axis").fail("has no direction", axis, "two numbers that are not both 0")
    add_point(draft, list(draft.shown(0.0)[point]), ground=True)
    held = f"ground.{draft.made[-1]}"
    name = draft.new_name(name, "guide")
    moved = f"{body}.{point}" if point in carried(draft, body) else point
    draft.append("joints", {"type": "prismatic", "name": name, "a": held, "b": moved, "axis": draft.rounded(*axis)})
    draft.made.append(name)


def add_gear(
    draft: Draft,
    a: Annotated[str, "the link that drives"],
    b: Annotated[str, "the link that follows"],
    ratio: Annotated[Value, "turns of b per turn of a, negative for external gears; -1 unless given"] = None,
    name: Named = None,
) -> None:
    """Gear two links that turn on the ground or on one common link."""
    carrier = _carrier(draft, a, b)
    name = draft.new_name(name, "gear")
    entry = {"type": "gear", "name": name, "a": a, "b": b, "ratio": -1 if ratio is None else ratio}
    draft.append("joints", entry | ({} if carrier == "ground" else {"carrier": carrier}))
    draft.made.append(name)


def add_rack(
    draft: Draft,
    rack: Annotated[str, "the link that slides; it gets a guide along itself unless it has one"],
    pinion: Annotated[str, "the link that rolls on it and turns about a ground point"],
    radius: Annotated[Value, "travel of the rack per rad of the pinion, m; as drawn unless given"] = None,
    name: Named = None,
) -> None:
    """Let a link roll on a rack: the rack slides as the pinion turns."""
    if rack == pinion:
        At("rack").fail("its rack and its pinion are the same link", rack, "two links")
    pivots = [point for point in carried(draft, pinion) if point in draft.ground]
    if not pivots:
        At("rack", "pinion").fail(
            f"'{pinion}' does not turn about a ground point", expected="a link with a ground point"
        )
    if _guide_of(draft, rack) is None:
        add_guide(draft, rack)
    guide = _guide_of(draft, rack)
    assert guide is not None
    if str(guide["a"]).removeprefix("ground.") not in draft.ground:
        At("rack", "rack").fail(f"'{rack}' slides on a moving link", expected="a rack that slides on the ground")
    x, y = (draft.number(value) for value in guide["axis"])
    if radius is None:
        size = math.hypot(x, y) or 1.0
        shown = draft.shown(0.0)
        on, centre = shown[_line_of(draft, rack)[0]], shown[pivots[0]]
        (radius,) = draft.rounded(((on[0] - centre[0]) * y - (on[1] - centre[1]) * x) / size)
        if radius == 0.0:
            At("rack", "radius").fail(
                "would be 0: the pivot of the pinion is on the rack", expected="a pivot beside it"
            )
    name = draft.new_name(name, "rack")
    fields = {"a": guide["a"], "b": guide["b"], "axis": guide["axis"], "pinion": pinion, "radius": radius}
    draft.append("joints", {"type": "rack", "name": name, **fields})
    draft.made.append(name)


def add_weld(
    draft: Draft,
    a: Annotated[str, "a link"],
    b: Annotated[str, "another link with which it shares a point"],
    name: Named = None,
) -> None:
    """Weld two links at the point that they share, in the angle of the drawing."""
    shared = [point for point in carried(draft, a) if point in carried(draft, b)]
    if a == b or not shared:
        At("weld").fail(f"links '{a}' and '{b}' share no point", expected="two links that meet in a point")
    point, name = shared[0], draft.new_name(name, "weld")
    others = [link for link in bodies(draft) if link not in (a, b) and point in carried(draft, link)]
    fields: dict[str, Any] = {"type": "fixed", "name": name, "a": f"{a}.{point}", "b": f"{b}.{point}"}
    if others or point in draft.ground:
        # Pins hold the point together already: a gear of ratio 1 keeps the angle and nothing else.
        fields |= {"type": "gear", "a": a, "b": b, "ratio": 1}
    draft.append("joints", fields)
    draft.made.append(name)


def _carrier(draft: Draft, a: str, b: str) -> str:
    """The ground, or the link, on which two links turn."""
    if a == b:
        At("gear").fail("its two links are the same", a, "two links")
    first, second = carried(draft, a), carried(draft, b)
    if any(point in draft.ground for point in first) and any(point in draft.ground for point in second):
        return "ground"
    for link in bodies(draft):
        points = carried(draft, link)
        if link not in (a, b) and any(p in points for p in first) and any(p in points for p in second):
            return link
    meeting = "they only share a point" if set(first) & set(second) else "they turn on different links"
    At("gear").fail(
        f"links '{a}' and '{b}' have no common carrier: {meeting}",
        expected="two links that turn on the ground, or on one link",
    )


def _line_of(draft: Draft, body: str) -> tuple[str, Place]:
    """First point of a link, and its direction in the drawing as a unit vector."""
    _, _, link = draft.named(body, "links")
    shown = draft.shown(0.0)
    a, b = (shown[link[end]] for end in ("from", "to"))
    size = math.dist(a, b) or 1.0
    return str(link["from"]), ((b[0] - a[0]) / size, (b[1] - a[1]) / size)


def _guide_of(draft: Draft, body: str) -> dict[str, Any] | None:
    """The prismatic joint on which a link slides; None if there is none."""
    for _, _, joint in draft.entries("joints"):
        moved = str(joint.get("b"))
        if joint.get("type") == "prismatic" and (
            moved == body or moved.startswith(f"{body}.") or moved in carried(draft, body)
        ):
            return joint
    return None
