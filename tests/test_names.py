"""Rules for names: unique classes, constants that name a quantity, modules that are nouns."""

from __future__ import annotations

import ast
import collections
import re
from pathlib import Path

import gaitwright
import gaitwright_apps

SOURCES = [
    path
    for package in (gaitwright, gaitwright_apps)
    for path in Path(package.__file__ or "").parent.rglob("*.py")
    if "kernels" not in path.parts
]
VAGUE_CONSTANTS = re.compile(
    r"_?(MOST|LEAST|FAR|NEAR|FEW|MANY|ENOUGH|TINY|SMALL|LARGE|LARGEST|CLOSE|APART|ROUNDING|KEEP|SLOW|FAST|SURE|OFTEN|RARE|WORTH|"
    r"PATIENCE|LONG|SHORT|ALIKE|ROOM|SHARE|SAME|NOTHING)"
)
VAGUE_MODULES = {
    "told", "taken", "kept", "filed", "alive", "alone", "known", "later", "ahead", "asked", "opened", "listed", "chosen",
    "written", "stored", "shown", "drawn", "worn", "placing", "meeting", "touching",
}  # fmt: skip


def test_class_names_are_unique() -> None:
    places = collections.defaultdict(list)
    for path in SOURCES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_constants_name_a_quantity() -> None:
    vague = [
        f"{path.name}: {target.id}"
        for path in SOURCES
        for node in ast.parse(path.read_text()).body
        for target in (node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)])
        if isinstance(target, ast.Name) and VAGUE_CONSTANTS.fullmatch(target.id)
    ]
    assert vague == []


def test_modules_are_named_by_nouns() -> None:
    assert [str(path) for path in SOURCES if path.stem in VAGUE_MODULES] == []
