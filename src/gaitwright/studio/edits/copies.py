"""Copies of a part of a drawing: beside it, or in a mirror. Points that are not copied are shared."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

from annotated_types import Len

from gaitwright.checks import At
from gaitwright.studio.draft import Draft
from gaitwright.studio.edits.frames import reflected
from gaitwright.studio.edits.points import LineInPlane
from gaitwright.studio.edits.references import is_reference, owner_and_point, texts
from gaitwright.studio.signatures import ElementPlace

Chosen = Annotated[list[ElementPlace], "places of elements such as [links, 0]"]


def copy(
    draft: Draft,
    by: Annotated[list[float], Len(2, 2), "how far, [x, y], m"],
    points: list[str] = [],  # noqa: B006
    elements: Chosen = [],  # noqa: B006
) -> None:
    """Copy points and elements, moved."""
    draft.place(by, "copy")
    _copied(draft, points, elements, lambda at: (at[0] + by[0], at[1] + by[1]), None)


def mirror(
    draft: Draft,
    points: list[str] = [],  # noqa: B006
    elements: Chosen = [],  # noqa: B006
    x: Annotated[float | None, "of an upright mirror, m"] = None,
    y: Annotated[float | None, "of a level mirror, m"] = None,
    line: Annotated[LineInPlane | None, "two places of the mirror"] = None,
) -> None:
    """Copy points and elements in a mirror; points on it are shared."""
    given = [name for name, value in (("x", x), ("y", y), ("line", line)) if value is not None]
    if len(given) != 1 or (line is not None and line[0] == line[1]):
        At("mirror").fail("is not one line", expected="x, y, or a line by two different places")
    through, towards = line or ([[x, 0.0], [x, 1.0]] if x is not None else [[0.0, y or 0.0], [1.0, y or 0.0]])
    angle = math.atan2(towards[1] - through[1], towards[0] - through[0])
    size = draft.size()
    kept = []
    for name in points:
        at: Any = draft.drawn(name)
        if math.dist(at, reflected(at, tuple(through), angle)) > 1e-9 * size:
            kept.append(name)
    _copied(draft, kept, elements, lambda at: reflected(at, tuple(through), angle), angle)


def _copied(
    draft: Draft, points: list[str], elements: Chosen, moved: Callable[[Any], tuple[float, float]], angle: float | None
) -> None:
    """angle: of the mirror, rad; None if it is a copy that is moved."""
    names: dict[str, str] = {}
    for name in dict.fromkeys(points):
        path = draft.point_path(name)
        names[name] = draft.new_name(None, f"{name.rstrip('0123456789') if name in draft.ground else name}")
        draft.set([*path[:-1], names[name]], draft.rounded(*moved(draft.drawn(name))))
    chosen = [(section, k, draft.entry(section, k)) for section, k in elements]
    for _, _, entry in chosen:
        if isinstance(entry.get("name"), str):
            names[entry["name"]] = draft.new_name(None, f"{entry['name']}-")
    for section, k, entry in chosen:
        made = _referring(draft, section, k, entry, names)
        draft.append(section, _reflected(draft, section, made, moved, angle))
    draft.made += names.values()


def _referring(draft: Draft, section: str, k: int, entry: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """An entry with the names of copies."""
    made = _deep(entry)
    if isinstance(entry.get("name"), str):
        made["name"] = names[entry["name"]]
    for path, text in texts(entry, (section, k)):
        if not is_reference(path, draft.data):
            continue
        owner, point = owner_and_point(text)
        new = f"{names.get(owner, owner)}.{names.get(point, point)}" if owner else names.get(point, point)
        holder = made
        for key in path[2:-1]:
            holder = holder[key]
        holder[path[-1]] = new
    if section == "links" and made.get("points"):
        made["points"] = {names.get(point, point): at for point, at in made["points"].items()}
    return made


def _reflected(
    draft: Draft, section: str, entry: dict[str, Any], moved: Callable[[Any], tuple[float, float]], angle: float | None
) -> dict[str, Any]:
    """An entry as it is after the move: places, directions and angles."""
    if section == "bodies":
        at = tuple(draft.number(value) for value in entry.get("at", (0.0, 0.0)))
        entry["at"] = draft.rounded(*moved(at))
    if angle is None:
        return entry
    if section == "bodies":
        entry["angle"] = round(2 * angle - draft.number(entry.get("angle", 0.0)), 9)
    if section in ("links", "bodies") and entry.get("points"):
        entry["points"] = {point: [at[0], _negative(at[1])] for point, at in entry["points"].items()}
    if entry.get("axis") is not None:
        on_ground = str(entry.get("a", "")).startswith("ground")
        x, y = (draft.number(value) for value in entry["axis"])
        entry["axis"] = draft.rounded(*(reflected((x, y), (0.0, 0.0), angle) if on_ground else (x, -y)))
    if section == "drives" and entry.get("type") == "rotation":
        entry["angle"] = f"{2 * angle:.9g} - ({entry['angle']})"
    if entry.get("type") in ("relative-rotation", "gear", "fixed", "torsion-spring", "torque", "moment"):
        for field in ("angle", "offset", "rest_angle", "value"):
            if entry.get(field) is not None:
                entry[field] = _negative(entry[field])
    if (
        section == "forces"
        and isinstance(entry.get("value"), list)
        and all(not isinstance(v, str) for v in entry["value"])
    ):
        x, y = entry["value"]
        body = entry.get("frame") == "body"
        entry["value"] = draft.rounded(*((x, -y) if body else reflected((x, y), (0.0, 0.0), angle)))
    return entry


def _negative(value: Any) -> Any:
    return f"-({value})" if isinstance(value, str) else -value


def _deep(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _deep(entry) for key, entry in value.items()}
    return [_deep(entry) for entry in value] if isinstance(value, list) else value
