"""Default classes of MJCF: default attributes of elements, inherited from class to class."""

from __future__ import annotations

from typing import Any

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.formats.xml_text import tag_name

ElementAttributes = dict[str, str]
MAIN_CLASS = "main"


class MjcfDefaults:
    """by_class: attributes by class and kind of element."""

    def __init__(self, root: Any):
        self.by_class: dict[str, dict[str, ElementAttributes]] = {MAIN_CLASS: {}}
        for part in root.findall("default"):
            name = part.get("class", MAIN_CLASS)
            self.by_class.setdefault(name, self.by_class[MAIN_CLASS])
            self._read(part, name, self.by_class[MAIN_CLASS])
            if name != MAIN_CLASS:  # the top class may have a different name
                self.by_class[MAIN_CLASS] = self.by_class[name]

    def _read(self, part: Any, name: str, above: dict[str, ElementAttributes]) -> None:
        mine = {kind: dict(attributes) for kind, attributes in above.items()}
        for child in part:
            if tag_name(child) and tag_name(child) != "default":
                mine[tag_name(child)] = mine.get(tag_name(child), {}) | dict(child.attrib)
        self.by_class[name] = mine
        for child in part:
            if tag_name(child) == "default":
                self._read(child, child.get("class", MAIN_CLASS), mine)

    def applied(self, element: Any, kind: str, childclass: str, at: ErrorContext) -> ElementAttributes:
        """Attributes of an element, completed by those of its class or of the class of its body."""
        name = element.get("class") or childclass or MAIN_CLASS
        if name not in self.by_class:
            at["class"].fail(f"there is no default class '{name}'", name, format_choices(name, self.by_class))
        attributes = dict(element.attrib)
        usual = self.by_class[name].get(kind, {})
        ways = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
        if any(
            notation in attributes for notation in ways
        ):  # an orientation in one notation replaces a default in another
            usual = {key: value for key, value in usual.items() if key not in ways}
        return {key: value for key, value in (usual | attributes).items() if key != "class"}
