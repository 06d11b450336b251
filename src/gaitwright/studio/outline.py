"""Contents of a document, as lists for panels: elements, points, parameters, with their lines."""

from __future__ import annotations

import math
import sys
from typing import Any

from gaitwright._core.errors import ModelError, abbreviate
from gaitwright.model.spec.document import SECTION_NOUNS
from gaitwright.studio.draft import ELEMENT_SECTIONS, DocumentDraft, as_mapping
from gaitwright.studio.edits.references import is_reference, iterate_texts, split_reference
from gaitwright.studio.yaml_tree import YamlTree


def list_contents(tree: YamlTree) -> dict[str, Any]:
    """Elements, points and parameters of a document."""
    draft = DocumentDraft(tree)
    return {
        "elements": [_element_entry(tree, section, k, entry) for section, k, entry in draft.entries(*ELEMENT_SECTIONS)],
        "points": _point_entries(draft),
        "parameters": _parameter_entries(draft),
    }


def _element_entry(tree: YamlTree, section: str, k: int, entry: dict[str, Any]) -> dict[str, Any]:
    kind = {**SECTION_NOUNS, "contacts": "contact"}[section]
    name = entry.get("name")
    line = tree.line([section, k])
    named = {text for path, text in iterate_texts(entry, (section, k)) if is_reference(path, tree.data)}
    named = {split_reference(text)[1] if text.count(".") and section != "bodies" else text for text in named}
    ends = [end for end in (entry.get("from"), entry.get("to")) if isinstance(end, str)]
    points = [*dict.fromkeys([*ends, *sorted(named)])]
    inner = as_mapping(entry.get("points")) if section in ("links", "beams") else {}
    points += [point for point in inner if point not in points]
    return {
        "section": section, "index": k, "kind": kind, "type": entry.get("type"), "name": name,
        "label": f"{kind} '{name}'" if name else f"{kind} {k + 1}", "line": line and line[0], "path": [section, k],
        "points": points, "fields": _to_json_value(entry),
    }  # fmt: skip


def _to_json_value(written: Any) -> Any:
    """Value as written, with YAML spelling for numbers that JSON does not support: .inf, -.inf, .nan."""
    if isinstance(written, dict):
        return {str(key): _to_json_value(value) for key, value in written.items()}
    if isinstance(written, list):
        return [_to_json_value(value) for value in written]
    if isinstance(written, int) and abs(written) > sys.float_info.max:
        return abbreviate(written)
    if isinstance(written, float) and not math.isfinite(written):
        return ".nan" if math.isnan(written) else ".inf" if written > 0 else "-.inf"
    return written


def _point_entries(draft: DocumentDraft) -> list[dict[str, Any]]:
    points = []
    for ground, given, path in ((True, draft.ground, ["ground", "points"]), (False, draft.points, ["points"])):
        for name, written in given.items():
            line = draft.tree.line([*path, name])
            try:
                at: Any = list(draft.drawn(name))
            except ModelError:
                at = None
            points.append(
                {
                    "name": name,
                    "ground": ground,
                    "at": at,
                    "written": _to_json_value(written),
                    "line": line and line[0],
                    "path": [*path, name],
                    "owner": None,
                }
            )
    for section, k, entry in draft.entries("bodies", "links"):
        for name, written in as_mapping(entry.get("points")).items():
            place = [section, k, "points", name]
            line = draft.tree.line(place)
            points.append(
                {
                    "name": f"{entry.get('name')}.{name}",
                    "ground": False,
                    "at": None,
                    "written": _to_json_value(written),
                    "line": line and line[0],
                    "path": place,
                    "owner": entry.get("name"),
                }
            )
    return points


def _parameter_entries(draft: DocumentDraft) -> list[dict[str, Any]]:
    parameters = []
    for name, written in as_mapping(draft.data.get("parameters")).items():
        try:
            value: Any = draft.number(written)
        except ModelError:
            value = None
        plain = isinstance(written, (int, float)) and not isinstance(written, bool)
        value = value if value is not None and math.isfinite(value) else None
        low, high = sorted((0.5 * value, 2.0 * value)) if value else (-1.0, 1.0)
        shown = draft.tree.written(["parameters", name]) or ""
        line = draft.tree.line(["parameters", name])
        parameters.append({"name": name, "value": value, "written": shown, "line": line and line[0], "low": low, "high": high,
                      "plain": plain and value is not None})  # fmt: skip
    return parameters
