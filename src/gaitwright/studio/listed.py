"""What stands in a document, as lists for panels: elements, points, parameters, with their lines."""

from __future__ import annotations

import math
import sys
from typing import Any

from gaitwright.errors import ModelError, brief
from gaitwright.model.spec import SINGULAR
from gaitwright.studio.draft import ELEMENTS, Draft, mapping
from gaitwright.studio.edits.references import is_reference, owner_and_point, texts
from gaitwright.studio.tree import Tree


def listed(tree: Tree) -> dict[str, Any]:
    """elements, points and parameters of a document."""
    draft = Draft(tree)
    return {
        "elements": [_element(tree, section, k, entry) for section, k, entry in draft.entries(*ELEMENTS)],
        "points": _points(draft),
        "parameters": _parameters(draft),
    }


def _element(tree: Tree, section: str, k: int, entry: dict[str, Any]) -> dict[str, Any]:
    kind = {**SINGULAR, "contacts": "contact"}[section]
    name = entry.get("name")
    line = tree.line([section, k])
    named = {text for path, text in texts(entry, (section, k)) if is_reference(path, tree.data)}
    named = {owner_and_point(text)[1] if text.count(".") and section != "bodies" else text for text in named}
    ends = [end for end in (entry.get("from"), entry.get("to")) if isinstance(end, str)]
    points = [*dict.fromkeys([*ends, *sorted(named)])]
    inner = mapping(entry.get("points")) if section in ("links", "beams") else {}
    points += [point for point in inner if point not in points]
    return {
        "section": section, "index": k, "kind": kind, "type": entry.get("type"), "name": name,
        "label": f"{kind} '{name}'" if name else f"{kind} {k + 1}", "line": line and line[0], "path": [section, k],
        "points": points, "fields": _as_data(entry),
    }  # fmt: skip


def _as_data(written: Any) -> Any:
    """What stands in the text, with the spelling of YAML in place of numbers that JSON does not have: .inf, -.inf, .nan."""
    if isinstance(written, dict):
        return {str(key): _as_data(value) for key, value in written.items()}
    if isinstance(written, list):
        return [_as_data(value) for value in written]
    if isinstance(written, int) and abs(written) > sys.float_info.max:
        return brief(written)
    if isinstance(written, float) and not math.isfinite(written):
        return ".nan" if math.isnan(written) else ".inf" if written > 0 else "-.inf"
    return written


def _points(draft: Draft) -> list[dict[str, Any]]:
    found = []
    for ground, given, path in ((True, draft.ground, ["ground", "points"]), (False, draft.points, ["points"])):
        for name, written in given.items():
            line = draft.tree.line([*path, name])
            try:
                at: Any = list(draft.drawn(name))
            except ModelError:
                at = None
            found.append({"name": name, "ground": ground, "at": at, "written": _as_data(written), "line": line and line[0],
                          "path": [*path, name], "owner": None})  # fmt: skip
    for section, k, entry in draft.entries("bodies", "links"):
        for name, written in mapping(entry.get("points")).items():
            place = [section, k, "points", name]
            line = draft.tree.line(place)
            found.append({"name": f"{entry.get('name')}.{name}", "ground": False, "at": None, "written": _as_data(written),
                          "line": line and line[0], "path": place, "owner": entry.get("name")})  # fmt: skip
    return found


def _parameters(draft: Draft) -> list[dict[str, Any]]:
    found = []
    for name, written in mapping(draft.data.get("parameters")).items():
        try:
            value: Any = draft.number(written)
        except ModelError:
            value = None
        plain = isinstance(written, (int, float)) and not isinstance(written, bool)
        value = value if value is not None and math.isfinite(value) else None
        low, high = sorted((0.5 * value, 2.0 * value)) if value else (-1.0, 1.0)
        shown = draft.tree.written(["parameters", name]) or ""
        line = draft.tree.line(["parameters", name])
        found.append({"name": name, "value": value, "written": shown, "line": line and line[0], "low": low, "high": high,
                      "plain": plain and value is not None})  # fmt: skip
    return found
