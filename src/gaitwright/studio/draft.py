"""A text while a command changes it: places and values of what is drawn, free names, and changes one after the other."""

from __future__ import annotations

import math
import string
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from gaitwright.checks import At, did_you_mean
from gaitwright.errors import ModelError
from gaitwright.messages import VECTORS
from gaitwright.model.expressions import evaluate, parse, resolve_parameters
from gaitwright.studio.printing import rounded
from gaitwright.studio.tree import Path_, Tree

Place = tuple[float, ...]
Shown = Callable[[float], Mapping[str, Place]]
"""Where points are in the assembled pose at a time, s."""
REFERENCES = frozenset({
    "a", "b", "body", "at", "point", "points", "line", "joint", "beam", "carrier", "pinion", "reaction", "of", "relative_to",
    "segment", "face", "feet", "hip", "drive", "from", "to", "solid", "sphere",
})  # fmt: skip
"""Fields whose texts name points, bodies and joints. All other texts but these and OTHER_TEXTS are expressions."""
OTHER_TEXTS = frozenset({
    "name", "type", "formulation", "integration", "bow", "prestress", "frame", "sequence", "method", "control", "stabilisation",
    "complementarity", "joint_velocities", "file", "mesh", "unit", "outputs", "segments", "side",
})  # fmt: skip
PARTS = ("links", "bodies", "beams", "solids", "parts")
ELEMENTS = (*PARTS, "joints", "drives", "forces", "contacts")
MASS_PER_METRE = 0.25
"""kg/m of bars and plates drawn without a mass: those of the papers' legs."""


class Places(dict[str, Place]):
    """Where points are; asking for one that has no place is a ModelError."""

    def __missing__(self, name: str) -> Place:
        At(f"point '{name}'").fail("has no place", expected=f"one of {', '.join(self) or '(none)'}, with numbers")


class Draft:
    """made: names that a command chose. notes: sentences about what it left as it was. shown: where points are in the
    assembled pose, if that is known."""

    def __init__(self, tree: Tree, shown: Shown | None = None):
        self._tree, self._shown = tree, shown
        self._size: float | None = None
        self._parameters: dict[str, float] | None = None
        self.made: list[str] = []
        self.notes: list[str] = []
        self._seen: dict[float, dict[str, Place]] = {}
        self.promised: set[str] = set()  # names that were given, but do not stand in the text yet

    @property
    def data(self) -> dict[str, Any]:
        return self.tree.data

    @property
    def tree(self) -> Tree:
        """The text with all changes so far."""
        return self._tree

    @tree.setter
    def tree(self, tree: Tree) -> None:
        self._tree = tree
        self._size = self._parameters = None

    # changes ---------------------------------------------------------------------------------------------------------

    def set(self, path: Path_, value: Any) -> None:
        """Write a value at a place, which is made if it is not there."""
        place = tuple(path)
        if not isinstance(value, (int, float, str, list)) or not self._tree.can_replace(place):
            self.tree = self._tree.set(path, value)
            return
        self._tree = self._tree.with_values({place: value})
        if place[0] == "parameters":
            self._parameters = None

    def append(self, section: str, entry: dict[str, Any]) -> int:
        """Add an element; its place in the section."""
        self.tree = self.tree.append([section], {key: value for key, value in entry.items() if value is not None})
        return len(self.data[section]) - 1

    def remove(self, path: Path_) -> None:
        self.tree = self.tree.remove(path)

    def replace(self, values: Mapping[tuple[str | int, ...], Any]) -> None:
        if values:
            self.tree = self.tree.replaced(values)

    # what there is ---------------------------------------------------------------------------------------------------

    def entries(self, *sections: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
        """Elements with their place."""
        for section in sections:
            listed = self.data.get(section)
            for k, entry in enumerate(listed if isinstance(listed, list) else ()):
                if isinstance(entry, dict):
                    yield section, k, entry

    def entry(self, section: str, index: int) -> dict[str, Any]:
        listed = self.data.get(section)
        if not isinstance(listed, list) or not isinstance(index, int) or not 0 <= index < len(listed):
            At(section).fail(f"has no entry {index}", expected="the place of an element that is there")
        if not isinstance(listed[index], dict):
            At(section).fail(f"entry {index} is no element", listed[index], "a mapping of fields")
        return listed[index]

    def named(self, name: str, *sections: str) -> tuple[str, int, dict[str, Any]]:
        """The element of a name."""
        known = {}
        for section, k, entry in self.entries(*sections):
            if entry.get("name") == name:
                return section, k, entry
            known[str(entry.get("name"))] = True
        At().fail(
            f"there is no element '{name}'",
            expected=f"one of {', '.join(known) or '(none)'}{did_you_mean(name, known)}",
        )

    @property
    def ground(self) -> dict[str, Any]:
        return mapping(mapping(self.data.get("ground")).get("points"))

    @property
    def points(self) -> dict[str, Any]:
        return mapping(self.data.get("points"))

    def point_path(self, name: str) -> list[str | int]:
        """Where a ground point or a drawn point stands."""
        if name in self.ground:
            return ["ground", "points", name]
        if name in self.points:
            return ["points", name]
        known = [*self.ground, *self.points]
        At(f"point '{name}'").fail(
            "is not there", expected=f"one of {', '.join(known) or '(none)'}{did_you_mean(name, known)}"
        )

    # numbers ---------------------------------------------------------------------------------------------------------

    def number(self, value: Any) -> float:
        """What a number or an expression stands for, without functions of time and series."""
        if isinstance(value, (int, float)):
            if not abs(value) <= sys.float_info.max:
                raise ModelError("is not a finite number", value=value, expected="a finite number")
            return float(value)
        if not isinstance(value, str):
            raise ModelError("is not a number", value=value, expected="a number or an expression")
        if self._parameters is None:
            given = mapping(self.data.get("parameters")).items()
            plain = {name: held for name, held in given if isinstance(held, (int, float, str))}
            self._parameters = resolve_parameters(plain)
        return evaluate(parse(str(value), frozenset(self._parameters)), self._parameters)

    def drawn(self, name: str) -> Place:
        """Where a point is drawn, m."""
        node: Any = self.data
        for key in self.point_path(name):
            node = node[key]
        if not isinstance(node, list):
            raise ModelError(f"point '{name}' has no place", value=node, expected="[x, y]")
        return self.place(tuple(self.number(entry) for entry in node), f"point '{name}'")

    @property
    def dimension(self) -> int:
        return 3 if self.data.get("dimension") == 3 else 2

    def place(self, at: Sequence[float], label: str) -> Place:
        """A place with as many numbers as the model has dimensions, each finite."""
        if len(at) != self.dimension or not all(math.isfinite(value) for value in at):
            At(label).fail("is no place", list(at), VECTORS[self.dimension])
        return tuple(at)

    def shown(self, time: float = 0.0) -> Places:
        """Where points are seen: in the assembled pose at a time, before anything was changed, or drawn where there is none."""
        if self._shown is not None and time not in self._seen:
            self._seen[time] = dict(self._shown(time))
        return Places(self._all_drawn() | self._seen.get(time, {}))

    def _all_drawn(self) -> dict[str, Place]:
        found = {}
        for name in (*self.ground, *self.points):
            with suppress(ModelError):
                found[name] = self.drawn(name)
        return found

    def size(self) -> float:
        """Of what is drawn, m, as it was before points were moved."""
        if self._size is None:
            places = list(self._all_drawn().values())
            spans = [max(axis) - min(axis) for axis in zip(*places, strict=True)] if len(places) > 1 else [1.0]
            self._size = max(spans) or 1.0
        return self._size

    def rounded(self, *values: float) -> list[float]:
        size = self.size()
        return [rounded(value, size) for value in values]

    # names -----------------------------------------------------------------------------------------------------------

    def taken(self) -> set[str]:
        names = {str(entry.get("name")) for *_, entry in self.entries(*ELEMENTS)}
        inner = {str(name) for *_, entry in self.entries("links") for name in mapping(entry.get("points"))}
        return (
            names
            | inner
            | self.promised
            | {*self.ground, *self.points, "ground", "energy", "evidence", "ground_reaction"}
        )

    def new_name(self, wanted: str | None, stem: str = "", letters: bool = False) -> str:
        """The wanted name, which must be free; or a free one: a letter, or the stem and a number."""
        taken = self.taken()
        if wanted is not None:
            if wanted in taken:
                At().fail(f"the name '{wanted}' is used already", expected="another name")
            return wanted
        free = [letter for letter in string.ascii_uppercase if letter not in taken and letter != "O"] if letters else []
        name = free[0] if free else next(name for k in range(1, 10**6) if (name := f"{stem}{k}") not in taken)
        self.promised.add(name)
        return name

    def mass_of(self, length: float) -> float:
        return max(float(f"{MASS_PER_METRE * length:.3g}"), 1e-3)


def mapping(value: Any) -> dict[str, Any]:
    """A mapping, or an empty one in place of whatever else stands in a text that was typed by hand."""
    return value if isinstance(value, dict) else {}


def distance(a: Place, b: Place) -> float:
    return math.dist(a, b)
