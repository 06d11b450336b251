"""Copies of a part of a drawing: translated or mirrored. Points that are not copied are shared."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

from annotated_types import Len

from gaitwright._core.error_context import ErrorContext
from gaitwright.studio.draft import DocumentDraft
from gaitwright.studio.edits.frames import reflect
from gaitwright.studio.edits.points import LineInPlane
from gaitwright.studio.edits.references import is_reference, iterate_texts, split_reference
from gaitwright.studio.message_models import ElementPlace

SelectedElements = Annotated[list[ElementPlace], "places of elements such as [links, 0]"]


def copy(
    draft: DocumentDraft,
    by: Annotated[list[float], Len(2, 2), "how far, [x, y], m"],
    points: list[str] = [],  # noqa: B006
    elements: SelectedElements = [],  # noqa: B006
) -> None:
    """Copy points and elements, moved."""
    draft.place(by, "copy")
    _copy_selection(draft, points, elements, lambda at: (at[0] + by[0], at[1] + by[1]), None)


def mirror(
    draft: DocumentDraft,
    points: list[str] = [],  # noqa: B006
    elements: SelectedElements = [],  # noqa: B006
    x: Annotated[float | None, "of an upright mirror, m"] = None,
    y: Annotated[float | None, "of a level mirror, m"] = None,
    line: Annotated[LineInPlane | None, "two places of the mirror"] = None,
) -> None:
    """Copy points and elements in a mirror; points on it are shared."""
    given_fields = [name for name, value in (("x", x), ("y", y), ("line", line)) if value is not None]
    if len(given_fields) != 1 or (line is not None and line[0] == line[1]):
        ErrorContext("mirror").fail("is not one line", expected="x, y, or a line by two different places")
    line_start, line_end = line or ([[x, 0.0], [x, 1.0]] if x is not None else [[0.0, y or 0.0], [1.0, y or 0.0]])
    angle = math.atan2(line_end[1] - line_start[1], line_end[0] - line_start[0])
    size = draft.size()
    copied_points = []
    for name in points:
        position: Any = draft.drawn(name)
        if math.dist(position, reflect(position, tuple(line_start), angle)) > 1e-9 * size:
            copied_points.append(name)
    _copy_selection(draft, copied_points, elements, lambda position: reflect(position, tuple(line_start), angle), angle)


def _copy_selection(
    draft: DocumentDraft,
    points: list[str],
    elements: SelectedElements,
    transform: Callable[[Any], tuple[float, float]],
    angle: float | None,
) -> None:
    """Copy points and elements. angle: of the mirror, rad; None for a translated copy."""
    names: dict[str, str] = {}
    for name in dict.fromkeys(points):
        path = draft.point_path(name)
        names[name] = draft.new_name(None, f"{name.rstrip('0123456789') if name in draft.ground else name}")
        draft.set([*path[:-1], names[name]], draft.rounded(*transform(draft.drawn(name))))
    selected_entries = [(section, k, draft.entry(section, k)) for section, k in elements]
    for _, _, entry in selected_entries:
        if isinstance(entry.get("name"), str):
            names[entry["name"]] = draft.new_name(None, f"{entry['name']}-")
    for section, k, entry in selected_entries:
        copied = _rename_references(draft, section, k, entry, names)
        draft.append(section, _transform_entry(draft, section, copied, transform, angle))
    draft.made += names.values()


def _rename_references(
    draft: DocumentDraft, section: str, k: int, entry: dict[str, Any], names: dict[str, str]
) -> dict[str, Any]:
    """Copy of an entry that refers to the copied names."""
    copied = _copy_deep(entry)
    if isinstance(entry.get("name"), str):
        copied["name"] = names[entry["name"]]
    for path, text in iterate_texts(entry, (section, k)):
        if not is_reference(path, draft.data):
            continue
        owner, point = split_reference(text)
        renamed = f"{names.get(owner, owner)}.{names.get(point, point)}" if owner else names.get(point, point)
        holder = copied
        for key in path[2:-1]:
            holder = holder[key]
        holder[path[-1]] = renamed
    if section == "links" and copied.get("points"):
        copied["points"] = {names.get(point, point): position for point, position in copied["points"].items()}
    return copied


def _transform_entry(
    draft: DocumentDraft,
    section: str,
    entry: dict[str, Any],
    transform: Callable[[Any], tuple[float, float]],
    angle: float | None,
) -> dict[str, Any]:
    """Transform the positions, directions and angles of an entry."""
    if section == "bodies":
        at = tuple(draft.number(value) for value in entry.get("at", (0.0, 0.0)))
        entry["at"] = draft.rounded(*transform(at))
    if angle is None:
        return entry
    if section == "bodies":
        entry["angle"] = round(2 * angle - draft.number(entry.get("angle", 0.0)), 9)
    if section in ("links", "bodies") and entry.get("points"):
        entry["points"] = {point: [at[0], _negate(at[1])] for point, at in entry["points"].items()}
    if entry.get("axis") is not None:
        on_ground = str(entry.get("a", "")).startswith("ground")
        x, y = (draft.number(value) for value in entry["axis"])
        entry["axis"] = draft.rounded(*(reflect((x, y), (0.0, 0.0), angle) if on_ground else (x, -y)))
    if section == "drives" and entry.get("type") == "rotation":
        entry["angle"] = f"{2 * angle:.9g} - ({entry['angle']})"
    if entry.get("type") in ("relative-rotation", "gear", "fixed", "torsion-spring", "torque", "moment"):
        for field in ("angle", "offset", "rest_angle", "value"):
            if entry.get(field) is not None:
                entry[field] = _negate(entry[field])
    if (
        section == "forces"
        and isinstance(entry.get("value"), list)
        and all(not isinstance(v, str) for v in entry["value"])
    ):
        x, y = entry["value"]
        in_body_frame = entry.get("frame") == "body"
        entry["value"] = draft.rounded(*((x, -y) if in_body_frame else reflect((x, y), (0.0, 0.0), angle)))
    return entry


def _negate(value: Any) -> Any:
    return f"-({value})" if isinstance(value, str) else -value


def _copy_deep(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy_deep(entry) for key, entry in value.items()}
    return [_copy_deep(entry) for entry in value] if isinstance(value, list) else value
