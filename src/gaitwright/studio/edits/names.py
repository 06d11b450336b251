"""Renaming and deleting: what refers to a name follows it, or goes with it."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from gaitwright.checks import At
from gaitwright.model.fields import NAME
from gaitwright.model.grammar import IDENTIFIER
from gaitwright.studio.draft import ELEMENTS, PARTS, Draft, mapping
from gaitwright.studio.edits.references import NAMING, heads, is_expression, is_reference, owner_and_point, texts
from gaitwright.studio.signatures import ElementPlace


def rename(
    draft: Draft,
    kind: Literal["point", "element", "parameter"],
    name: str,
    to: str,
    section: Annotated[str | None, "of an element, where several have the name"] = None,
) -> None:
    """Give a point, an element or a parameter another name, wherever it is named."""
    if name == to:
        return
    if not (IDENTIFIER if kind == "parameter" else NAME).fullmatch(to):
        At().fail(f"'{to}' cannot be a name", expected="a letter, then letters, digits, _ or -")
    if kind == "parameter":
        _rename_parameter(draft, name, to)
        return
    draft.new_name(to)
    if kind == "point":
        _rename_point(draft, name, to)
    else:
        _rename_element(draft, name, to, section)
    draft.made.append(to)


def _rename_parameter(draft: Draft, name: str, to: str) -> None:
    parameters = mapping(draft.data.get("parameters"))
    if name not in parameters:
        At(f"parameter '{name}'").fail("is not there", expected=f"one of {', '.join(parameters) or '(none)'}")
    if to in parameters:
        At(f"parameter '{to}'").fail("is there already", expected="another name")
    named = re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.(])")
    found = {p: text for p, text in texts(draft.data) if is_expression(p, draft.data) and named.search(text)}
    draft.replace({path: named.sub(to, text) for path, text in found.items()})
    draft.tree = draft.tree.rename(["parameters", name], to)


def _rename_point(draft: Draft, name: str, to: str) -> None:
    owner, point = owner_and_point(name)
    inner = [
        (s, k) for s, k, entry in draft.entries("links", "bodies", "beams") if point in mapping(entry.get("points"))
    ]
    if owner:  # of a body: only there
        section, k, _ = draft.named(owner, "bodies", "links")
        inner = [(section, k)]
    elif not inner:
        draft.point_path(name)
    changed: dict[tuple[str | int, ...], Any] = {}
    for path, text in texts(draft.data):
        if is_reference(path, draft.data):
            of, named = owner_and_point(text)
            if named == point and (of == owner or (not owner and of not in _bodies(draft))):
                changed[path] = f"{of}.{to}" if of else to
        elif path[0] in NAMING:
            before = rf"(?<![\w.-]){re.escape(owner)}\.{re.escape(point)}(?![\w-])" if owner else (
                rf"(?<![\w.-]){re.escape(point)}(?=[.:])|(?<=\.){re.escape(point)}(?=\.)"
            )  # fmt: skip
            after = re.sub(before, f"{owner}.{to}" if owner else to, text)
            if after != text:
                changed[path] = after
    draft.replace(changed)
    places = [[*place, "points", point] for place in inner]
    places += [] if owner else [["points", point], ["ground", "points", point], ["velocities", point]]
    for place in places:
        if draft.tree.node(place) is not None:
            draft.tree = draft.tree.rename(place, to)


def _bodies(draft: Draft) -> set[str]:
    """Whose points are their own: not pinned by name."""
    return {str(entry.get("name")) for *_, entry in draft.entries("bodies")}


def _rename_element(draft: Draft, name: str, to: str, section: str | None) -> None:
    where, k, _ = draft.named(name, *([section] if section else ELEMENTS))
    changed: dict[tuple[str | int, ...], Any] = {(where, k, "name"): to}
    named = re.compile(rf"(?<![\w.:-]){re.escape(name)}(?=\.)|(?<=:){re.escape(name)}(?=\.)")
    for path, text in texts(draft.data):
        if is_reference(path, draft.data) and (where in PARTS or path[-1] in ("joint", "a", "b", "drive")):
            if text == name or (where in PARTS and text.startswith(f"{name}.")):
                changed[path] = to + text[len(name) :]
        elif path[0] in NAMING and named.search(text):
            changed[path] = named.sub(to, text)
    draft.replace(changed)


def delete(
    draft: Draft,
    points: Annotated[list[str], "points and ground points"] = [],  # noqa: B006
    elements: Annotated[list[ElementPlace], "places such as [links, 0]"] = [],  # noqa: B006
    parameters: list[str] = [],  # noqa: B006
) -> None:
    """Delete points, elements and parameters, and what cannot be without them; `made` lists all that went."""
    for name in points:
        draft.point_path(name)
    for section, k in elements:
        draft.entry(section, k)
    gone = {(section, k) for section, k in elements}
    dead = set(points)
    while True:  # until nothing more hangs on what goes
        parts = {str(draft.entry(*place).get("name")) for place in gone}
        kept = [(s, k, e) for s, k, e in draft.entries(*ELEMENTS) if (s, k) not in gone]
        carried = {*draft.ground, *(p for s, _, e in kept if s in ("links", "beams") for p in _carried(e))} - dead
        more = {(s, k) for s, k, e in kept if _hangs(draft, s, k, e, dead, parts, carried)}
        if not more:
            break
        gone |= more
    _remove_inner(draft, dead, gone)
    _remove_naming(draft, dead, parts, carried)
    for section, k in sorted(gone, reverse=True):
        draft.made.append(str(draft.entry(section, k).get("name") or f"{section} {k + 1}"))
        draft.remove([section, k])
    for name in points:
        for path in (["velocities", name], draft.point_path(name)):
            if draft.tree.node(path) is not None:
                draft.remove(path)
        draft.made.append(name)
    for name in parameters:
        draft.remove(["parameters", name])


def _carried(entry: dict[str, Any]) -> list[str]:
    return [entry.get("from", ""), entry.get("to", ""), *mapping(entry.get("points"))]


def _hangs(
    draft: Draft, section: str, k: int, entry: dict[str, Any], dead: set[str], parts: set[str], carried: set[str]
) -> bool:
    """Whether an element cannot be without what goes."""
    if section in ("links", "beams"):
        return entry.get("from") in dead or entry.get("to") in dead
    for path, text in texts(entry, (section, k)):
        if not is_reference(path, draft.data):
            continue
        owner, point = owner_and_point(text)
        if owner in parts or text in parts or (owner in ("", "ground") and point in dead):
            return True
        bodies = {str(e.get("name")) for *_, e in draft.entries(*PARTS, "joints")} - parts
        if owner and point in dead and owner not in _bodies(draft):
            return True
        if not owner and point in draft.points and point not in carried and point not in bodies:
            return True  # a point that no link has any more
    return False


def _remove_inner(draft: Draft, dead: set[str], gone: set[tuple[str, int]]) -> None:
    """Points of plates that go, while the plate stays."""
    for section, k, entry in list(draft.entries("links")):
        for point in [p for p in mapping(entry.get("points")) if p in dead and (section, k) not in gone]:
            alone = len(draft.entry(section, k)["points"]) == 1
            draft.remove([section, k, "points"] if alone else [section, k, "points", point])


def _remove_naming(draft: Draft, dead: set[str], parts: set[str], carried: set[str]) -> None:
    """Feet, hip and outputs that name what goes."""
    gait = draft.data.get("gait")
    if isinstance(gait, dict):
        feet = gait.get("feet")
        lost = [f for f in (feet if isinstance(feet, list) else ()) if _lost(f, dead, parts, carried, draft)]
        if lost and len(lost) == len(gait["feet"]):
            draft.remove(["gait"])
        else:
            for foot in lost:
                draft.remove(["gait", "feet", draft.data["gait"]["feet"].index(foot)])
            if isinstance(gait.get("hip"), str) and _lost(gait["hip"], dead, parts, carried, draft):
                draft.remove(["gait", "hip"])
    outputs = draft.data.get("outputs")
    for k in reversed(range(len(outputs) if isinstance(outputs, list) else 0)):
        named = str(outputs[k])  # type: ignore[index]
        inner = named.split(".")[1:2]
        if any(head in parts | dead for head in (*heads(named), *inner)) or named.partition(".")[0] in parts | dead:
            draft.remove(["outputs", k])


def _lost(reference: str, dead: set[str], parts: set[str], carried: set[str], draft: Draft) -> bool:
    owner, point = owner_and_point(str(reference).removeprefix("ground."))
    return owner in parts or point in dead or (not owner and point not in carried)
