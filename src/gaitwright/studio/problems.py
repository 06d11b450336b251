"""Location of a model problem in its text: line, element and field named by a message."""

from __future__ import annotations

import re
from typing import Any

from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright.model.spec.document import MAPPING_ENTRY_NOUNS, SECTION_NOUNS
from gaitwright.studio.yaml_tree import YamlTree

SECTION_OF_KIND = {kind: section for section, kind in {**SECTION_NOUNS, "contacts": "contact"}.items()}
"""Sections by the noun of their elements in messages."""
_NAMED_PATTERN = re.compile(r"(ground point|velocity of|[a-z]+) '([^']*)'")
_NUMBERED_PATTERN = re.compile(r"([a-z]+) (\d+)\b")
_PIN_PATTERN = re.compile(r"pin '([^']*)' of (\S+) and (\S+)")
_LINE_PATTERN = re.compile(r" at line (\d+), column (\d+)")
_PATH_PART_PATTERN = re.compile(r"[^.\[\]]+")


def locate_problem(error: GaitwrightError, tree: YamlTree | None) -> dict[str, Any]:
    """Problem as data: message, line and column (from 1), element, field, path, kind. tree: of the text with the
    problem; None if it is not valid YAML."""
    problem: dict[str, Any] = {"message": str(error), "line": None, "column": None, "element": None, "field": None,
                             "path": None, "kind": "model"}  # fmt: skip
    at_line = _LINE_PATTERN.search(str(error))
    if tree is None:
        if at_line:
            problem |= {"line": int(at_line.group(1)), "column": int(at_line.group(2))}
        return problem | {"kind": "yaml"}
    if not isinstance(error, ModelError):
        return problem
    path = find_labelled_place(error.element, tree.data)
    if path is None and error.field:
        path = []
    if path is None:
        path = _find_mentioned(str(error), tree.data)
    if path is None:
        return problem
    problem["element"] = element_at(path, tree.data)
    path = [*path, *_field_path(error.field, tree, path)]
    where = tree.line(path)
    problem |= {"field": error.field or None, "path": path}
    return problem | ({"line": where[0], "column": where[1]} if where else {})


def find_labelled_place(label: str, data: dict[str, Any]) -> list[str | int] | None:
    """Path of an element that messages call `link 'crank'`, `joint 3 (slot)`, `point 'A'` or `analysis`."""
    if label in data:
        return [label]
    if match := _NAMED_PATTERN.match(label):
        kind, name = match.groups()
        if kind == "ground point":
            return ["ground", "points", name]
        for section, called in MAPPING_ENTRY_NOUNS.items():
            if called == kind and isinstance(data.get(section), dict):
                return [section, name]
        if kind in SECTION_OF_KIND:
            return _find_in_section(SECTION_OF_KIND[kind], name, data)
        if kind == "series":
            return ["series", name]
    if (match := _NUMBERED_PATTERN.match(label)) and match.group(1) in SECTION_OF_KIND:
        section, place = SECTION_OF_KIND[match.group(1)], int(match.group(2)) - 1
        entries = data.get(section)
        if isinstance(entries, list) and place < len(entries):
            return [section, place]
    if match := _PIN_PATTERN.match(label):
        return find_named_place(match.group(3), data)
    return None


def find_named_place(name: str, data: dict[str, Any]) -> list[str | int] | None:
    """Path of an element by its name in results: a part, joint, drive, force or contact, or the point of a pin (`A`,
    `A:L3`)."""
    for section in ("links", "bodies", "beams", "solids", "parts", "joints", "drives", "forces", "contacts"):
        if place := _find_in_section(section, name, data):
            return place
    counted = re.fullmatch(r"(.+)-(\d+)", name)  # unnamed elements: type and number
    if counted:
        for section in ("joints", "forces", "contacts"):
            entries, place = data.get(section), int(counted.group(2)) - 1
            if isinstance(entries, list) and place < len(entries):
                entry = entries[place]
                kind = "contact" if section == "contacts" else isinstance(entry, dict) and entry.get("type")
                if kind == counted.group(1):
                    return [section, place]
    for k, entry in enumerate(_section_entries(data, "drives")):
        driven = entry.get("joint") or entry.get("body") or entry.get("b") or entry.get("a") or entry.get("point")
        if isinstance(driven, str) and driven.partition(".")[0] == name:
            return ["drives", k]
    point = name.partition(":")[0]
    for place in (["points"], ["ground", "points"]):
        holder: Any = data
        for key in place:
            holder = holder.get(key) if isinstance(holder, dict) else None
        if isinstance(holder, dict) and point in holder:
            return [*place, point]
    return None


def element_at(path: list[str | int], data: dict[str, Any]) -> dict[str, Any] | None:
    """Element that a path belongs to, as data: section, index, name, label."""
    if not path:
        return None
    section, *rest = path
    if section == "points" and rest:
        return {"section": "points", "index": None, "name": rest[0], "label": f"point '{rest[0]}'"}
    if section == "ground" and len(rest) > 1:
        return {"section": "ground", "index": None, "name": rest[1], "label": f"ground point '{rest[1]}'"}
    if not rest or not isinstance(rest[0], int):
        name = rest[0] if rest else None
        return {"section": section, "index": None, "name": name, "label": f"{section} '{name}'" if name else section}
    entries = data.get(str(section))
    if not isinstance(entries, list) or rest[0] >= len(entries):
        return None
    entry = entries[rest[0]]
    name = entry.get("name") if isinstance(entry, dict) else None
    kind = {**SECTION_NOUNS, "contacts": "contact"}.get(str(section), str(section))
    label = f"{kind} '{name}'" if name else f"{kind} {rest[0] + 1}"
    return {"section": section, "index": rest[0], "name": name, "label": label}


def _find_in_section(section: str, name: str, data: dict[str, Any]) -> list[str | int] | None:
    indices = [k for k, entry in enumerate(_section_entries(data, section)) if str(entry.get("name")) == name]
    return [section, indices[-1]] if indices else None  # of a name used twice, the second


def _section_entries(data: dict[str, Any], section: str) -> list[dict[str, Any]]:
    entries = data.get(section)
    return [e if isinstance(e, dict) else {} for e in entries] if isinstance(entries, list) else []


def _find_mentioned(message: str, data: dict[str, Any]) -> list[str | int] | None:
    """Path of the first element that a message mentions."""
    for match in (*_NAMED_PATTERN.finditer(message), *_NUMBERED_PATTERN.finditer(message)):
        if place := find_labelled_place(match.group(), data):
            return place
    return None


def _field_path(field: str, tree: YamlTree, path: list[str | int]) -> list[str | int]:
    """Convert `law.stiffness` and `points.A[0]` to keys, as far as they exist in the text; x, y and z are entries of
    a position."""
    keys: list[str | int] = []
    for part in _PATH_PART_PATTERN.findall(field or ""):
        key: str | int = int(part) if part.isdigit() else part
        if tree.node([*path, *keys, key]) is None and part in ("x", "y", "z"):
            key = "xyz".index(part)
        if keys and tree.node([*path, *keys, key]) is None:
            break
        keys.append(key)
    return keys
