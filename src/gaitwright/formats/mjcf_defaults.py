"""Default classes of MJCF: attributes that elements have unless they say otherwise, inherited from class to class."""

from __future__ import annotations

from typing import Any

from gaitwright.checks import At, offer
from gaitwright.formats.xml_text import tag

Attributes = dict[str, str]
MAIN = "main"


class Defaults:
    """by_class: for each class, for each kind of element, its attributes."""

    def __init__(self, root: Any):
        self.by_class: dict[str, dict[str, Attributes]] = {MAIN: {}}
        for part in root.findall("default"):
            name = part.get("class", MAIN)
            self.by_class.setdefault(name, self.by_class[MAIN])
            self._read(part, name, self.by_class[MAIN])
            if name != MAIN:  # the top class may have another name
                self.by_class[MAIN] = self.by_class[name]

    def _read(self, part: Any, name: str, above: dict[str, Attributes]) -> None:
        mine = {kind: dict(given) for kind, given in above.items()}
        for child in part:
            if tag(child) and tag(child) != "default":
                mine[tag(child)] = mine.get(tag(child), {}) | dict(child.attrib)
        self.by_class[name] = mine
        for child in part:
            if tag(child) == "default":
                self._read(child, child.get("class", MAIN), mine)

    def applied(self, element: Any, kind: str, childclass: str, at: At) -> Attributes:
        """Attributes of an element, with those of its class, or of the class of its body, where it has none."""
        name = element.get("class") or childclass or MAIN
        if name not in self.by_class:
            at["class"].fail(f"there is no default class '{name}'", name, offer(name, self.by_class))
        given = dict(element.attrib)
        usual = self.by_class[name].get(kind, {})
        ways = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
        if any(way in given for way in ways):  # one way to say an orientation takes the place of another
            usual = {key: value for key, value in usual.items() if key not in ways}
        return {key: value for key, value in (usual | given).items() if key != "class"}
