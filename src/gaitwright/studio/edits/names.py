"""Renaming and deletion, including references to the names."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.grammar import IDENTIFIER_PATTERN
from gaitwright.model.spec.field_types import NAME_PATTERN
from gaitwright.studio.draft import ELEMENT_SECTIONS, PART_SECTIONS, DocumentDraft, as_mapping
from gaitwright.studio.edits.references import (
    OUTPUT_NAME_SECTIONS,
    is_expression,
    is_reference,
    iterate_texts,
    leading_names,
    split_reference,
)
from gaitwright.studio.message_models import ElementPlace


def rename(
    draft: DocumentDraft,
    kind: Literal["point", "element", "parameter"],
    name: str,
    to: str,
    section: Annotated[str | None, "of an element, where several have the name"] = None,
) -> None:
    """Rename a point, an element or a parameter, and update all references to it."""
    if name == to:
        return
    if not (IDENTIFIER_PATTERN if kind == "parameter" else NAME_PATTERN).fullmatch(to):
        ErrorContext().fail(f"'{to}' cannot be a name", expected="a letter, then letters, digits, _ or -")
    if kind == "parameter":
        _rename_parameter(draft, name, to)
        return
    draft.new_name(to)
    if kind == "point":
        _rename_point(draft, name, to)
    else:
        _rename_element(draft, name, to, section)
    draft.made.append(to)


def _rename_parameter(draft: DocumentDraft, name: str, to: str) -> None:
    parameters = as_mapping(draft.data.get("parameters"))
    if name not in parameters:
        ErrorContext(f"parameter '{name}'").fail("is not there", expected=f"one of {', '.join(parameters) or '(none)'}")
    if to in parameters:
        ErrorContext(f"parameter '{to}'").fail("is there already", expected="another name")
    name_pattern = re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.(])")
    expressions = {
        p: text for p, text in iterate_texts(draft.data) if is_expression(p, draft.data) and name_pattern.search(text)
    }
    draft.replace({path: name_pattern.sub(to, text) for path, text in expressions.items()})
    draft.tree = draft.tree.rename(["parameters", name], to)


def _rename_point(draft: DocumentDraft, name: str, to: str) -> None:
    owner, point = split_reference(name)
    inner = [
        (s, k) for s, k, entry in draft.entries("links", "bodies", "beams") if point in as_mapping(entry.get("points"))
    ]
    if owner:  # a point of a body is renamed only there
        section, k, _ = draft.named(owner, "bodies", "links")
        inner = [(section, k)]
    elif not inner:
        draft.point_path(name)
    changed: dict[tuple[str | int, ...], Any] = {}
    for path, text in iterate_texts(draft.data):
        if is_reference(path, draft.data):
            reference_owner, reference_point = split_reference(text)
            if reference_point == point and (
                reference_owner == owner or (not owner and reference_owner not in _body_names(draft))
            ):
                changed[path] = f"{reference_owner}.{to}" if reference_owner else to
        elif path[0] in OUTPUT_NAME_SECTIONS:
            old_pattern = rf"(?<![\w.-]){re.escape(owner)}\.{re.escape(point)}(?![\w-])" if owner else (
                rf"(?<![\w.-]){re.escape(point)}(?=[.:])|(?<=\.){re.escape(point)}(?=\.)"
            )  # fmt: skip
            replaced = re.sub(old_pattern, f"{owner}.{to}" if owner else to, text)
            if replaced != text:
                changed[path] = replaced
    draft.replace(changed)
    point_paths = [[*path, "points", point] for path in inner]
    point_paths += [] if owner else [["points", point], ["ground", "points", point], ["velocities", point]]
    for path in point_paths:
        if draft.tree.node(path) is not None:
            draft.tree = draft.tree.rename(path, to)


def _body_names(draft: DocumentDraft) -> set[str]:
    """Names of bodies whose points are local: not pinned by name."""
    return {str(entry.get("name")) for *_, entry in draft.entries("bodies")}


def _rename_element(draft: DocumentDraft, name: str, to: str, section: str | None) -> None:
    found_section, k, _ = draft.named(name, *([section] if section else ELEMENT_SECTIONS))
    changed: dict[tuple[str | int, ...], Any] = {(found_section, k, "name"): to}
    name_pattern = re.compile(rf"(?<![\w.:-]){re.escape(name)}(?=\.)|(?<=:){re.escape(name)}(?=\.)")
    for path, text in iterate_texts(draft.data):
        if is_reference(path, draft.data) and (
            found_section in PART_SECTIONS or path[-1] in ("joint", "a", "b", "drive")
        ):
            if text == name or (found_section in PART_SECTIONS and text.startswith(f"{name}.")):
                changed[path] = to + text[len(name) :]
        elif path[0] in OUTPUT_NAME_SECTIONS and name_pattern.search(text):
            changed[path] = name_pattern.sub(to, text)
    draft.replace(changed)


def delete(
    draft: DocumentDraft,
    points: Annotated[list[str], "points and ground points"] = [],  # noqa: B006
    elements: Annotated[list[ElementPlace], "places such as [links, 0]"] = [],  # noqa: B006
    parameters: list[str] = [],  # noqa: B006
) -> None:
    """Delete points, elements and parameters with everything that depends on them; `made` lists the deleted names."""
    for name in points:
        draft.point_path(name)
    for section, k in elements:
        draft.entry(section, k)
    removed = {(section, k) for section, k in elements}
    deleted_points = set(points)
    while True:  # until no more elements depend on deleted ones
        parts = {str(draft.entry(*element).get("name")) for element in removed}
        remaining = [(s, k, e) for s, k, e in draft.entries(*ELEMENT_SECTIONS) if (s, k) not in removed]
        carried = {
            *draft.ground,
            *(p for s, _, e in remaining if s in ("links", "beams") for p in _carried_points(e)),
        } - deleted_points
        dependents = {
            (s, k) for s, k, e in remaining if _depends_on_removed(draft, s, k, e, deleted_points, parts, carried)
        }
        if not dependents:
            break
        removed |= dependents
    _remove_plate_points(draft, deleted_points, removed)
    _remove_references(draft, deleted_points, parts, carried)
    for section, k in sorted(removed, reverse=True):
        draft.made.append(str(draft.entry(section, k).get("name") or f"{section} {k + 1}"))
        draft.remove([section, k])
    for name in points:
        for path in (["velocities", name], draft.point_path(name)):
            if draft.tree.node(path) is not None:
                draft.remove(path)
        draft.made.append(name)
    for name in parameters:
        draft.remove(["parameters", name])


def _carried_points(entry: dict[str, Any]) -> list[str]:
    return [entry.get("from", ""), entry.get("to", ""), *as_mapping(entry.get("points"))]


def _depends_on_removed(
    draft: DocumentDraft,
    section: str,
    k: int,
    entry: dict[str, Any],
    dead: set[str],
    parts: set[str],
    carried: set[str],
) -> bool:
    """True if an element depends on a deleted name."""
    if section in ("links", "beams"):
        return entry.get("from") in dead or entry.get("to") in dead
    for path, text in iterate_texts(entry, (section, k)):
        if not is_reference(path, draft.data):
            continue
        owner, point = split_reference(text)
        if owner in parts or text in parts or (owner in ("", "ground") and point in dead):
            return True
        bodies = {str(e.get("name")) for *_, e in draft.entries(*PART_SECTIONS, "joints")} - parts
        if owner and point in dead and owner not in _body_names(draft):
            return True
        if not owner and point in draft.points and point not in carried and point not in bodies:
            return True  # a point without a link
    return False


def _remove_plate_points(draft: DocumentDraft, dead: set[str], gone: set[tuple[str, int]]) -> None:
    """Remove deleted points from plates that remain."""
    for section, k, entry in list(draft.entries("links")):
        for point in [p for p in as_mapping(entry.get("points")) if p in dead and (section, k) not in gone]:
            is_only_point = len(draft.entry(section, k)["points"]) == 1
            draft.remove([section, k, "points"] if is_only_point else [section, k, "points", point])


def _remove_references(draft: DocumentDraft, dead: set[str], parts: set[str], carried: set[str]) -> None:
    """Remove feet, hip and outputs that refer to deleted names."""
    gait = draft.data.get("gait")
    if isinstance(gait, dict):
        feet = gait.get("feet")
        lost_feet = [
            f for f in (feet if isinstance(feet, list) else ()) if _refers_to_removed(f, dead, parts, carried, draft)
        ]
        if lost_feet and len(lost_feet) == len(gait["feet"]):
            draft.remove(["gait"])
        else:
            for foot in lost_feet:
                draft.remove(["gait", "feet", draft.data["gait"]["feet"].index(foot)])
            if isinstance(gait.get("hip"), str) and _refers_to_removed(gait["hip"], dead, parts, carried, draft):
                draft.remove(["gait", "hip"])
    outputs = draft.data.get("outputs")
    for k in reversed(range(len(outputs) if isinstance(outputs, list) else 0)):
        output = str(outputs[k])  # type: ignore[index]
        inner = output.split(".")[1:2]
        if (
            any(head in parts | dead for head in (*leading_names(output), *inner))
            or output.partition(".")[0] in parts | dead
        ):
            draft.remove(["outputs", k])


def _refers_to_removed(
    reference: str, dead: set[str], parts: set[str], carried: set[str], draft: DocumentDraft
) -> bool:
    owner, point = split_reference(str(reference).removeprefix("ground."))
    return owner in parts or point in dead or (not owner and point not in carried)
