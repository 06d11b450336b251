"""A model file as text with places: what stands where, and changes that leave everything else letter by letter as it is.

The text is parsed into the nodes of YAML, which know where they begin and end. A change replaces, adds or removes a piece of
the text; comments, order, quotes, line breaks and the way numbers are written stay, because nothing is written again. (A round
trip through ruamel.yaml joins the lines of bracketed lists: it changes 10 of the 23 examples of this project.)
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import Any, NamedTuple, cast

import yaml

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.input_files import yaml_events
from gaitwright.model.files import LARGEST_FILE, read_nodes
from gaitwright.model.spec import Document as ModelDocument
from gaitwright.studio.printing import number, written

Path_ = Sequence[str | int]
"""A place in a document: ["links", 0, "length"]."""
INDENT = "  "
LINES = ("parameters", "ground", "points", "gait")
"""Mappings that are written with a line for each entry when they are made."""
ANCHOR = re.compile(r"[&!]\S+\s+")
ANCHORED = re.compile(r"(?:^|[\s,\[{])[&!]\S", re.MULTILINE)
"""A text that may have anchors or tags; of those without any, some are taken for one, which only costs time."""
MAX_VALUES = 100_000
"""Of a text in the studio; larger models are for `gaitwright run`."""


class Patch(NamedTuple):
    """A piece of text in place of another: characters of the text before."""

    start: int
    end: int
    text: str


class Replacement(NamedTuple):
    """A tree with other values at some of its places."""

    tree: Tree
    values: dict[tuple[str | int, ...], Any]


class Tree:
    """A text that is YAML, with its nodes. data: the document as plain values, not validated."""

    def __init__(self, text: str, folder: Path = Path(), source: str = "the text"):
        if len(text) > LARGEST_FILE:
            raise ModelError(f"{source} has more than {LARGEST_FILE / 1e6:g} MB", expected="a smaller model")
        _require_few_values(text, source)
        self.text, self.folder, self.source = text, folder, source
        self._origin: Replacement | None = None
        self.data, self._root = read_nodes(text, source, folder)

    @property
    def root(self) -> yaml.Node:
        """The nodes of the text. Where only values were replaced, the text is read again when they are asked for."""
        if self._root is None:
            self.data, self._root = read_nodes(self.text, self.source, self.folder)
            self._origin = None
        return self._root

    def patched(self, *patches: Patch) -> Tree:
        """The tree of the text with pieces replaced."""
        text = self.text
        for patch in sorted(patches, reverse=True):
            text = text[: patch.start] + patch.text + text[patch.end :]
        return Tree(text, self.folder, self.source)

    # places ----------------------------------------------------------------------------------------------------------

    def node(self, path: Path_) -> yaml.Node | None:
        """The value at a place; None if there is none."""
        found: Any = self.root
        for key in path:
            pair = _entry(found, key)
            if pair is None:
                return None
            found = pair[1]
        return found

    def line(self, path: Path_) -> tuple[int, int] | None:
        """Line and column, from 1, of a place or, where there is none, of what it would belong to."""
        found: Any = self.root
        mark = None
        for key in path:
            pair = _entry(found, key)
            if pair is None:
                break
            mark, found = (pair[0] or pair[1]).start_mark, pair[1]
        return None if mark is None else (mark.line + 1, mark.column + 1)

    def written(self, path: Path_) -> str | None:
        """What stands at a place, as it is written."""
        node = self.node(path)
        return None if node is None else self.text[node.start_mark.index : _end(node)]

    @functools.cached_property
    def as_json(self) -> bool:
        """Whether new pieces are written as JSON: names in quotes."""
        root: Any = self.root
        return bool(root.flow_style and root.value and root.value[0][0].style == '"')

    @functools.cached_property
    def has_anchors(self) -> bool:
        """Whether a value may stand for several places (&name, *name, <<) or has a tag."""
        return ANCHORED.search(self.text) is not None

    # changes ---------------------------------------------------------------------------------------------------------

    def set(self, path: Path_, value: Any) -> Tree:
        """The tree with a value at a place, which is made if it is not there."""
        *above, last = path
        holder = self.node(above)
        pair = None if holder is None else _entry(holder, last)
        if pair is None:
            return self._added(above, last, value)
        return self.patched(self._other_value(holder, pair, path, value))

    def _other_value(self, holder: Any, pair: Any, path: Path_, value: Any) -> Patch:
        self._own(holder, pair, path)
        begin, end = pair[1].start_mark.index, _end(pair[1])
        anchor = ANCHOR.match(self.text, begin, end)
        begin = anchor.end() if anchor else begin
        text = written(value, self.as_json)
        if begin == end and self.text[begin - 1 : begin] not in (" ", ""):
            text = f" {text}"
        below = pair[0] is not None and pair[1].start_mark.line > pair[0].end_mark.line
        if below and pair[1].start_mark.column <= pair[0].start_mark.column:  # entries '- ' may begin below their name
            text = INDENT + text
        return Patch(begin, end, text)

    def replaced(self, values: Mapping[tuple[str | int, ...], Any]) -> Tree:
        """The tree with other values at places that are there: many at once, with one reading of the text."""
        return self.patched(*self._patches(values))

    def _patches(self, values: Mapping[tuple[str | int, ...], Any]) -> list[Patch]:
        patches = []
        for path, value in values.items():
            holder = self.node(path[:-1])
            pair = None if holder is None else _entry(holder, path[-1])
            if pair is None:
                At(_said(path)).fail("is not there", expected="something that is in the text")
            patches.append(self._other_value(holder, pair, path, value))
        return patches

    def can_replace(self, path: tuple[str | int, ...]) -> bool:
        """Whether `with_values` can write to a place: one that is there, in a text without anchors, and that neither holds nor
        is held by one written before."""
        if not _is_there(self.data, path):
            return False
        tree, values = self._origin or Replacement(self, {})
        if any(path != one and path[: len(one)] == one[: len(path)] for one in values):
            return False
        return not tree.has_anchors and tree.node(path) is not None

    def with_values(self, values: Mapping[tuple[str | int, ...], Any]) -> Tree:
        """The tree with other numbers and texts, or lists of them, at places of which `can_replace` holds. It does not read
        the text again, which took a third of the time of a frame of a drag: the places of the tree that was read last
        serve for all frames."""
        tree, known = self._origin or Replacement(self, {})
        known = {**known, **values}
        text = tree.text
        for patch in sorted(tree._patches(known), reverse=True):
            text = text[: patch.start] + patch.text + text[patch.end :]
        data: Any = self.data
        for path, value in values.items():
            data = _with_value(data, path, _as_read(value))
        new = copy(self)
        new.text, new.data, new._root, new._origin = text, data, None, Replacement(tree, known)
        return new

    def append(self, section: Path_, value: Any) -> Tree:
        """The tree with one entry more in a list, which is made if it is not there."""
        node: Any = self.node(section)
        if node is None:
            return self._added(section[:-1], section[-1], [value])
        if not isinstance(node, yaml.SequenceNode) and not _is_empty(node):
            At(_said(section)).fail("is not a list", expected="entries that begin with '-'")
        text = written(value, self.as_json)
        if isinstance(node, yaml.SequenceNode) and node.value:
            last = _end(node.value[-1])
            if node.flow_style:
                return self.patched(Patch(last, last, f", {text}"))
            return self._new_line(last, f"{' ' * node.start_mark.column}- {text}")
        begin, end = node.start_mark.index, _end(node)
        if len(section) > 1 or self.as_json:
            return self.patched(Patch(begin, end, f"{'' if begin < end else ' '}[{text}]"))
        begin = len(self.text[:begin].rstrip(" "))
        return self.patched(Patch(begin, end, f"\n{INDENT}- {text}"))

    def remove(self, path: Path_) -> Tree:
        """The tree without a place. A list or mapping at the top that is empty then goes, too."""
        *above, last = path
        holder: Any = self.node(above)
        pair = None if holder is None else _entry(holder, last)
        if pair is None:
            At(_said(path)).fail("is not there", expected="something that is in the text")
        self._own(holder, pair, path)
        assert holder is not None
        mapping = isinstance(holder, yaml.MappingNode)
        entries: list[Any] = holder.value if mapping else [(None, item) for item in holder.value]
        place = next(k for k, entry in enumerate(entries) if entry[1] is pair[1])
        if len(entries) == 1:
            if len(above) == 1 and not self.as_json:
                return self.remove(above)
            empty = "{}" if mapping else "[]"
            return self.patched(Patch(holder.start_mark.index, _end(holder), empty)) if above else self
        begin, end = (pair[0] or pair[1]).start_mark.index, _end(pair[1])
        later = entries[place + 1] if place + 1 < len(entries) else (None, None)
        following: Any = later[0] or later[1]
        if holder.flow_style:
            if following is not None:
                return self.patched(Patch(begin, following.start_mark.index, ""))
            return self.patched(Patch(_end(entries[place - 1][1]), end, ""))
        line = self.text.rfind("\n", 0, begin) + 1
        before = self.text[line:begin].strip()
        if before and not (before == "-" and pair[0] is None):  # the first field of an entry, behind its dash
            return self.patched(Patch(begin, following.start_mark.index, ""))
        return self.patched(Patch(line, self._line_end(end), ""))

    def rename(self, path: Path_, name: str) -> Tree:
        """The tree with another name for a field."""
        *above, last = path
        pair = _entry(self.node(above), last)
        if pair is None or pair[0] is None:
            At(_said(path)).fail("is not there", expected="a field that is in the text")
        self._own(self.node(above), pair, path)
        return self.patched(Patch(pair[0].start_mark.index, pair[0].end_mark.index, written(name, self.as_json)))

    def _added(self, above: Path_, key: str | int, value: Any) -> Tree:
        """With a field more in a mapping, which is made if it is not there."""
        holder: Any = self.node(above)
        fits = holder is None or isinstance(holder, yaml.MappingNode) or _is_empty(holder)
        if not isinstance(key, str) or not fits:
            At(_said([*above, key])).fail("is not there", expected="a place in the text")
        if holder is None:
            return self._added(above[:-1], above[-1], {key: value})
        field = f"{written(key, self.as_json)}: {written(value, self.as_json)}"
        if _is_empty(holder) or not holder.value:
            begin, end = holder.start_mark.index, _end(holder)
            if len(above) == 1 and not self.as_json:
                begin = len(self.text[:begin].rstrip(" "))
                return self.patched(Patch(begin, end, f"\n{INDENT}{field}"))
            return self.patched(Patch(begin, end, f"{'' if begin < end else ' '}{{{field}}}"))
        if not above:
            return self._new_section(key, value)
        last = _end(holder.value[-1][1])
        if holder.flow_style:
            return self.patched(Patch(last, last, f", {field}"))
        return self._new_line(last, f"{' ' * holder.value[0][0].start_mark.column}{field}")

    def _new_section(self, key: str, value: Any) -> Tree:
        """A section where the format has it: before the first that comes after it. Lists of elements get a line for each."""
        root: Any = self.root
        order = list(ModelDocument.model_fields)
        later = set(order[order.index(key) + 1 :]) if key in order else set()
        place = next((k for k, (name, _) in enumerate(root.value) if name.value in later), None)
        if root.flow_style:
            field = f"{written(key, self.as_json)}: {written(value, self.as_json)}"
            last = _end(root.value[-1][1])
            return self.patched(Patch(last, last, f", {field}"))
        text = f"{key}: {written(value)}"
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = f"{key}:" + "".join(f"\n{INDENT}- {written(entry)}" for entry in value)
        elif isinstance(value, dict) and value and key in LINES:
            text = f"{key}:" + "".join(f"\n{INDENT}{written(k)}: {written(entry)}" for k, entry in value.items())
        if place in (None, 0):
            return self._new_line(_end(root.value[-1][1]), text)
        return self._new_line(_end(root.value[place - 1][1]), text)

    def _new_line(self, after: int, text: str) -> Tree:
        """With a line below the one in which a place is."""
        end = self._line_end(after)
        ending = "\r\n" if "\r\n" in self.text else "\n"
        text = text.replace("\n", ending)
        begin = "" if end == 0 or self.text[end - 1] == "\n" else ending
        return self.patched(Patch(end, end, f"{begin}{text}{ending}"))

    def _line_end(self, place: int) -> int:
        """Where the line after the one of a place begins."""
        if place > 0 and self.text[place - 1] == "\n":  # behind a text of several lines
            return place
        found = self.text.find("\n", place)
        return len(self.text) if found < 0 else found + 1

    def _own(self, holder: Any, pair: Any, path: Path_) -> None:
        """ModelError if a value stands elsewhere: an alias, or something merged by <<."""
        begin = (pair[0] or pair[1]).start_mark.index
        inside = holder.start_mark.index <= begin <= pair[1].start_mark.index
        if not inside:
            At(_said(path)).fail(
                "is an alias (*name or <<) of what stands elsewhere in the file", expected="a change in the text itself"
            )


def _require_few_values(text: str, source: str) -> None:
    """Refuse a text with too many values before its nodes are made, which takes ten seconds per million characters. Only long
    texts are looked at: every value takes a character at least."""
    if len(text) <= MAX_VALUES:
        return
    count = 0
    with suppress(yaml.YAMLError):  # which is reported where the text is read
        for event in yaml_events(text):
            count += isinstance(event, yaml.NodeEvent)
            if count > 2 * MAX_VALUES:  # keys are not counted as values later on
                raise ModelError(f"{source} has more than {MAX_VALUES} values", expected="a smaller one in the studio")


def _entry(holder: Any, key: str | int) -> tuple[Any, Any] | None:
    """The key node, None in a list, and the value node of an entry."""
    if isinstance(holder, yaml.MappingNode):
        found = [pair for pair in holder.value if pair[0].value == str(key)]
        return found[-1] if found else None  # what is merged comes before
    if isinstance(holder, yaml.SequenceNode) and isinstance(key, int) and 0 <= key < len(holder.value):
        return None, holder.value[key]
    return None


def _end(node: Any) -> int:
    """Where a value ends: of what is indented, where the last of it does, without the comments behind it."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return node.end_mark.index
    last = node.value[-1]
    end = _end(last[1] if isinstance(node, yaml.MappingNode) else last)
    return max(end, last[0].end_mark.index) if isinstance(node, yaml.MappingNode) else end


def _is_there(data: Any, path: tuple[str | int, ...]) -> bool:
    """Whether data have a place under the very keys of a path: a name such as 1 is read as a number."""
    held: Any = data
    for key in path:
        if (isinstance(held, list) and isinstance(key, int) and 0 <= key < len(held)) or (
            isinstance(held, dict) and key in held
        ):
            held = held[cast(Any, key)]
        else:
            return False
    return bool(path)


def _with_value(data: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """The same data with another value at a place; what is not on the way there is shared."""
    if not path:
        return value
    new: Any = dict(data) if isinstance(data, dict) else list(data)
    new[path[0]] = _with_value(data[path[0]], path[1:], value)
    return new


def _as_read(value: Any) -> Any:
    """A value as it is read back: 2.0 is written as 2."""
    if isinstance(value, list):
        return [_as_read(entry) for entry in value]
    return int(value) if isinstance(value, float) and number(value).lstrip("-").isdigit() else value


def _is_empty(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"


def _said(path: Path_) -> str:
    return f"'{'.'.join(map(str, path))}'"
