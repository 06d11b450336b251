"""Draft: a text during a command, with positions, values, free names and successive changes."""

from __future__ import annotations

import math
import string
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from gaitwright._core.error_context import ErrorContext, suggest_spelling
from gaitwright._core.errors import ModelError
from gaitwright._core.validation_messages import VECTOR_DESCRIPTIONS
from gaitwright.model.expressions import evaluate, parse, resolve_parameters
from gaitwright.studio.value_formatting import round_length
from gaitwright.studio.yaml_tree import DocumentPath, YamlTree

Position = tuple[float, ...]
PositionsAtTime = Callable[[float], Mapping[str, Position]]
"""Positions of points in the assembled pose at a time, s."""
REFERENCE_FIELDS = frozenset({
    "a", "b", "body", "at", "point", "points", "line", "joint", "beam", "carrier", "pinion", "reaction", "of", "relative_to",
    "segment", "face", "feet", "hip", "drive", "from", "to", "solid", "sphere",
})  # fmt: skip
"""Fields whose texts name points, bodies and joints. Texts of all other fields, except LITERAL_TEXT_FIELDS, are
expressions."""
LITERAL_TEXT_FIELDS = frozenset({
    "name", "type", "formulation", "integration", "bow", "prestress", "frame", "sequence", "method", "control", "stabilisation",
    "complementarity", "joint_velocities", "file", "mesh", "unit", "outputs", "segments", "side",
})  # fmt: skip
PART_SECTIONS = ("links", "bodies", "beams", "solids", "parts")
ELEMENT_SECTIONS = (*PART_SECTIONS, "joints", "drives", "forces", "contacts")
DEFAULT_MASS_KG_PER_M = 0.25
"""Default mass per length of bars and plates, kg/m: that of the legs in the papers."""


class PointPositions(dict[str, Position]):
    """Positions of points; access to a point without a position raises ModelError."""

    def __missing__(self, name: str) -> Position:
        ErrorContext(f"point '{name}'").fail(
            "has no place", expected=f"one of {', '.join(self) or '(none)'}, with numbers"
        )


class DocumentDraft:
    """made: names created by a command. notes: sentences about values that were not changed. shown: positions of
    points in the assembled pose, if available."""

    def __init__(self, tree: YamlTree, shown: PositionsAtTime | None = None):
        self._tree, self._shown = tree, shown
        self._size: float | None = None
        self._parameters: dict[str, float] | None = None
        self.made: list[str] = []
        self.notes: list[str] = []
        self._seen: dict[float, dict[str, Position]] = {}
        self.promised: set[str] = set()  # assigned names that are not in the text yet

    @property
    def data(self) -> dict[str, Any]:
        return self.tree.data

    @property
    def tree(self) -> YamlTree:
        """The text with all changes so far."""
        return self._tree

    @tree.setter
    def tree(self, tree: YamlTree) -> None:
        self._tree = tree
        self._size = self._parameters = None

    # changes ---------------------------------------------------------------------------------------------------------

    def set(self, path: DocumentPath, value: Any) -> None:
        """Write a value at a path; missing entries are created."""
        key = tuple(path)
        if not isinstance(value, (int, float, str, list)) or not self._tree.can_replace(key):
            self.tree = self._tree.set(path, value)
            return
        self._tree = self._tree.with_values({key: value})
        if key[0] == "parameters":
            self._parameters = None

    def append(self, section: str, entry: dict[str, Any]) -> int:
        """Append an element. Return its index in the section."""
        self.tree = self.tree.append([section], {key: value for key, value in entry.items() if value is not None})
        return len(self.data[section]) - 1

    def remove(self, path: DocumentPath) -> None:
        self.tree = self.tree.remove(path)

    def replace(self, values: Mapping[tuple[str | int, ...], Any]) -> None:
        if values:
            self.tree = self.tree.replaced(values)

    # contents ------------------------------------------------------------------------------------------------------

    def entries(self, *sections: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
        """Elements with their section and index."""
        for section in sections:
            listed = self.data.get(section)
            for k, entry in enumerate(listed if isinstance(listed, list) else ()):
                if isinstance(entry, dict):
                    yield section, k, entry

    def entry(self, section: str, index: int) -> dict[str, Any]:
        listed = self.data.get(section)
        if not isinstance(listed, list) or not isinstance(index, int) or not 0 <= index < len(listed):
            ErrorContext(section).fail(f"has no entry {index}", expected="the place of an element that is there")
        if not isinstance(listed[index], dict):
            ErrorContext(section).fail(f"entry {index} is no element", listed[index], "a mapping of fields")
        return listed[index]

    def named(self, name: str, *sections: str) -> tuple[str, int, dict[str, Any]]:
        """Find an element by name."""
        names = {}
        for section, k, entry in self.entries(*sections):
            if entry.get("name") == name:
                return section, k, entry
            names[str(entry.get("name"))] = True
        ErrorContext().fail(
            f"there is no element '{name}'",
            expected=f"one of {', '.join(names) or '(none)'}{suggest_spelling(name, names)}",
        )

    @property
    def ground(self) -> dict[str, Any]:
        return as_mapping(as_mapping(self.data.get("ground")).get("points"))

    @property
    def points(self) -> dict[str, Any]:
        return as_mapping(self.data.get("points"))

    def point_path(self, name: str) -> list[str | int]:
        """Path of a ground point or a drawn point."""
        if name in self.ground:
            return ["ground", "points", name]
        if name in self.points:
            return ["points", name]
        names = [*self.ground, *self.points]
        ErrorContext(f"point '{name}'").fail(
            "is not there", expected=f"one of {', '.join(names) or '(none)'}{suggest_spelling(name, names)}"
        )

    # numbers ---------------------------------------------------------------------------------------------------------

    def number(self, value: Any) -> float:
        """Value of a number or an expression without functions of time and series."""
        if isinstance(value, (int, float)):
            if not abs(value) <= sys.float_info.max:
                raise ModelError("is not a finite number", value=value, expected="a finite number")
            return float(value)
        if not isinstance(value, str):
            raise ModelError("is not a number", value=value, expected="a number or an expression")
        if self._parameters is None:
            entries = as_mapping(self.data.get("parameters")).items()
            numbers = {name: number for name, number in entries if isinstance(number, (int, float, str))}
            self._parameters = resolve_parameters(numbers)
        return evaluate(parse(str(value), frozenset(self._parameters)), self._parameters)

    def drawn(self, name: str) -> Position:
        """Drawn position of a point, m."""
        node: Any = self.data
        for key in self.point_path(name):
            node = node[key]
        if not isinstance(node, list):
            raise ModelError(f"point '{name}' has no place", value=node, expected="[x, y]")
        return self.place(tuple(self.number(entry) for entry in node), f"point '{name}'")

    @property
    def dimension(self) -> int:
        return 3 if self.data.get("dimension") == 3 else 2

    def place(self, position: Sequence[float], label: str) -> Position:
        """Validate a position: one finite number per dimension of the model."""
        if len(position) != self.dimension or not all(math.isfinite(value) for value in position):
            ErrorContext(label).fail("is no place", list(position), VECTOR_DESCRIPTIONS[self.dimension])
        return tuple(position)

    def shown(self, time: float = 0.0) -> PointPositions:
        """Displayed point positions before the command: in the assembled pose at a time, or drawn where no pose
        exists."""
        if self._shown is not None and time not in self._seen:
            self._seen[time] = dict(self._shown(time))
        return PointPositions(self._all_drawn() | self._seen.get(time, {}))

    def _all_drawn(self) -> dict[str, Position]:
        positions = {}
        for name in (*self.ground, *self.points):
            with suppress(ModelError):
                positions[name] = self.drawn(name)
        return positions

    def size(self) -> float:
        """Size of the drawing, m, before points were moved."""
        if self._size is None:
            positions = list(self._all_drawn().values())
            spans = [max(axis) - min(axis) for axis in zip(*positions, strict=True)] if len(positions) > 1 else [1.0]
            self._size = max(spans) or 1.0
        return self._size

    def rounded(self, *values: float) -> list[float]:
        size = self.size()
        return [round_length(value, size) for value in values]

    # names -----------------------------------------------------------------------------------------------------------

    def taken(self) -> set[str]:
        names = {str(entry.get("name")) for *_, entry in self.entries(*ELEMENT_SECTIONS)}
        inner = {str(name) for *_, entry in self.entries("links") for name in as_mapping(entry.get("points"))}
        return (
            names
            | inner
            | self.promised
            | {*self.ground, *self.points, "ground", "energy", "evidence", "ground_reaction"}
        )

    def new_name(self, requested: str | None, stem: str = "", letters: bool = False) -> str:
        """Check that the wanted name is free, or create a free name: a letter, or the stem and a number."""
        used_names = self.taken()
        if requested is not None:
            if requested in used_names:
                ErrorContext().fail(f"the name '{requested}' is used already", expected="another name")
            return requested
        free_letters = (
            [letter for letter in string.ascii_uppercase if letter not in used_names and letter != "O"]
            if letters
            else []
        )
        name = (
            free_letters[0]
            if free_letters
            else next(name for k in range(1, 10**6) if (name := f"{stem}{k}") not in used_names)
        )
        self.promised.add(name)
        return name

    def mass_of(self, length: float) -> float:
        return max(float(f"{DEFAULT_MASS_KG_PER_M * length:.3g}"), 1e-3)


def as_mapping(value: Any) -> dict[str, Any]:
    """Return a mapping, or an empty one for any other value in hand-typed text."""
    return value if isinstance(value, dict) else {}


def distance(a: Position, b: Position) -> float:
    return math.dist(a, b)
