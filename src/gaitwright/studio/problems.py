"""Where a problem of a model stands in its text: the line, the element and the field that a message names."""

from __future__ import annotations

import re
from typing import Any

from gaitwright.errors import GaitwrightError, ModelError
from gaitwright.model.spec import PLACES, SINGULAR
from gaitwright.studio.tree import Tree

SECTIONS = {kind: section for section, kind in {**SINGULAR, "contacts": "contact"}.items()}
"""By what an element is called in messages."""
_NAMED = re.compile(r"(ground point|velocity of|[a-z]+) '([^']*)'")
_COUNTED = re.compile(r"([a-z]+) (\d+)\b")
_PIN = re.compile(r"pin '([^']*)' of (\S+) and (\S+)")
_AT_LINE = re.compile(r" at line (\d+), column (\d+)")
_PART = re.compile(r"[^.\[\]]+")


def problem_of(error: GaitwrightError, tree: Tree | None) -> dict[str, Any]:
    """A problem as data: message, line and column (from 1), element, field, path, kind. tree: of the text it was found in;
    None if that is not even YAML."""
    found: dict[str, Any] = {"message": str(error), "line": None, "column": None, "element": None, "field": None,
                             "path": None, "kind": "model"}  # fmt: skip
    at_line = _AT_LINE.search(str(error))
    if tree is None:
        if at_line:
            found |= {"line": int(at_line.group(1)), "column": int(at_line.group(2))}
        return found | {"kind": "yaml"}
    if not isinstance(error, ModelError):
        return found
    path = place_of(error.element, tree.data)
    if path is None and error.field:
        path = []
    if path is None:
        path = _mentioned(str(error), tree.data)
    if path is None:
        return found
    found["element"] = element_at(path, tree.data)
    path = [*path, *_field(error.field, tree, path)]
    where = tree.line(path)
    found |= {"field": error.field or None, "path": path}
    return found | ({"line": where[0], "column": where[1]} if where else {})


def place_of(label: str, data: dict[str, Any]) -> list[str | int] | None:
    """Where an element stands that messages call `link 'crank'`, `joint 3 (slot)`, `point 'A'` or `analysis`."""
    if label in data:
        return [label]
    if found := _NAMED.match(label):
        kind, name = found.groups()
        if kind == "ground point":
            return ["ground", "points", name]
        for section, called in PLACES.items():
            if called == kind and isinstance(data.get(section), dict):
                return [section, name]
        if kind in SECTIONS:
            return _named(SECTIONS[kind], name, data)
        if kind == "series":
            return ["series", name]
    if (found := _COUNTED.match(label)) and found.group(1) in SECTIONS:
        section, place = SECTIONS[found.group(1)], int(found.group(2)) - 1
        entries = data.get(section)
        if isinstance(entries, list) and place < len(entries):
            return [section, place]
    if found := _PIN.match(label):
        return place_called(found.group(3), data)
    return None


def place_called(name: str, data: dict[str, Any]) -> list[str | int] | None:
    """Where something stands that results call by this name: a part, joint, drive, force or contact, or the point of a pin
    (`A`, `A:L3`)."""
    for section in ("links", "bodies", "beams", "solids", "parts", "joints", "drives", "forces", "contacts"):
        if place := _named(section, name, data):
            return place
    counted = re.fullmatch(r"(.+)-(\d+)", name)  # without a name: type and number
    if counted:
        for section in ("joints", "forces", "contacts"):
            entries, place = data.get(section), int(counted.group(2)) - 1
            if isinstance(entries, list) and place < len(entries):
                entry = entries[place]
                kind = "contact" if section == "contacts" else isinstance(entry, dict) and entry.get("type")
                if kind == counted.group(1):
                    return [section, place]
    for k, entry in enumerate(_list(data, "drives")):
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
    """The element that a place belongs to, as data: section, index, name, label."""
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
    kind = {**SINGULAR, "contacts": "contact"}.get(str(section), str(section))
    label = f"{kind} '{name}'" if name else f"{kind} {rest[0] + 1}"
    return {"section": section, "index": rest[0], "name": name, "label": label}


def _named(section: str, name: str, data: dict[str, Any]) -> list[str | int] | None:
    found = [k for k, entry in enumerate(_list(data, section)) if str(entry.get("name")) == name]
    return [section, found[-1]] if found else None  # of a name used twice, the second


def _list(data: dict[str, Any], section: str) -> list[dict[str, Any]]:
    entries = data.get(section)
    return [e if isinstance(e, dict) else {} for e in entries] if isinstance(entries, list) else []


def _mentioned(message: str, data: dict[str, Any]) -> list[str | int] | None:
    """The first element that a message names somewhere within."""
    for found in (*_NAMED.finditer(message), *_COUNTED.finditer(message)):
        if place := place_of(found.group(), data):
            return place
    return None


def _field(field: str, tree: Tree, path: list[str | int]) -> list[str | int]:
    """`law.stiffness` and `points.A[0]` as keys, as far as the text has them; x, y and z are entries of a place."""
    keys: list[str | int] = []
    for part in _PART.findall(field or ""):
        key: str | int = int(part) if part.isdigit() else part
        if tree.node([*path, *keys, key]) is None and part in ("x", "y", "z"):
            key = "xyz".index(part)
        if keys and tree.node([*path, *keys, key]) is None:
            break
        keys.append(key)
    return keys
