"""YAML tree: a model file as text with node positions, and edits that leave all other text unchanged.

The text is parsed into YAML nodes with start and end positions. An edit replaces, adds or removes a piece of the text;
comments, order, quotes, line breaks and number formats stay, because nothing else is rewritten. (A round trip through
ruamel.yaml joins the lines of bracketed lists: it changes 10 of the 23 examples of this project.)
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

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import yaml_events
from gaitwright.model.io.files import MAX_MODEL_FILE_BYTES, read_document_nodes
from gaitwright.model.spec.document import ModelDocument
from gaitwright.studio.value_formatting import format_number, format_value

DocumentPath = Sequence[str | int]
"""Path in a document: ["links", 0, "length"]."""
INDENT = "  "
MULTILINE_SECTIONS = ("parameters", "ground", "points", "gait")
"""Mappings that are created with one line per entry."""
ANCHOR_PATTERN = re.compile(r"[&!]\S+\s+")
ANCHORED_TEXT_PATTERN = re.compile(r"(?:^|[\s,\[{])[&!]\S", re.MULTILINE)
"""Pattern of texts that may have anchors or tags. False positives only cost time."""
MAX_VALUES = 100_000
"""Maximum number of values of a text in the studio; larger models are for `gaitwright run`."""


class TextPatch(NamedTuple):
    """Replacement of a piece of text; character indices refer to the text before."""

    start: int
    end: int
    text: str


class TreeReplacement(NamedTuple):
    """A tree with changed values at some of its paths."""

    tree: YamlTree
    values: dict[tuple[str | int, ...], Any]


class YamlTree:
    """A YAML text with its nodes. data: the document as plain values, not validated."""

    def __init__(self, text: str, folder: Path = Path(), source: str = "the text"):
        if len(text) > MAX_MODEL_FILE_BYTES:
            raise ModelError(f"{source} has more than {MAX_MODEL_FILE_BYTES / 1e6:g} MB", expected="a smaller model")
        _require_few_values(text, source)
        self.text, self.folder, self.source = text, folder, source
        self._origin: TreeReplacement | None = None
        self.data, self._root = read_document_nodes(text, source, folder)

    @property
    def root(self) -> yaml.Node:
        """Nodes of the text. After value replacements, the text is parsed again on access."""
        if self._root is None:
            self.data, self._root = read_document_nodes(self.text, self.source, self.folder)
            self._origin = None
        return self._root

    def patched(self, *patches: TextPatch) -> YamlTree:
        """Return the tree of the text with pieces replaced."""
        text = self.text
        for patch in sorted(patches, reverse=True):
            text = text[: patch.start] + patch.text + text[patch.end :]
        return YamlTree(text, self.folder, self.source)

    # places ----------------------------------------------------------------------------------------------------------

    def node(self, path: DocumentPath) -> yaml.Node | None:
        """Value node at a path; None if there is none."""
        node: Any = self.root
        for key in path:
            pair = _find_entry(node, key)
            if pair is None:
                return None
            node = pair[1]
        return node

    def line(self, path: DocumentPath) -> tuple[int, int] | None:
        """Line and column, from 1, of a path or, if it does not exist, of its nearest existing parent."""
        node: Any = self.root
        mark = None
        for key in path:
            pair = _find_entry(node, key)
            if pair is None:
                break
            mark, node = (pair[0] or pair[1]).start_mark, pair[1]
        return None if mark is None else (mark.line + 1, mark.column + 1)

    def written(self, path: DocumentPath) -> str | None:
        """Text at a path, as written."""
        node = self.node(path)
        return None if node is None else self.text[node.start_mark.index : _value_end(node)]

    @functools.cached_property
    def as_json(self) -> bool:
        """True if new pieces are written as JSON: quoted names."""
        root: Any = self.root
        return bool(root.flow_style and root.value and root.value[0][0].style == '"')

    @functools.cached_property
    def has_anchors(self) -> bool:
        """True if a value may be used at several paths (&name, *name, <<) or has a tag."""
        return ANCHORED_TEXT_PATTERN.search(self.text) is not None

    # changes ---------------------------------------------------------------------------------------------------------

    def set(self, path: DocumentPath, value: Any) -> YamlTree:
        """Return the tree with a value at a path; missing entries are created."""
        *above, last = path
        holder = self.node(above)
        pair = None if holder is None else _find_entry(holder, last)
        if pair is None:
            return self._added(above, last, value)
        return self.patched(self._other_value(holder, pair, path, value))

    def _other_value(self, holder: Any, pair: Any, path: DocumentPath, value: Any) -> TextPatch:
        self._own(holder, pair, path)
        begin, end = pair[1].start_mark.index, _value_end(pair[1])
        anchor = ANCHOR_PATTERN.match(self.text, begin, end)
        begin = anchor.end() if anchor else begin
        text = format_value(value, self.as_json)
        if begin == end and self.text[begin - 1 : begin] not in (" ", ""):
            text = f" {text}"
        is_below_key = pair[0] is not None and pair[1].start_mark.line > pair[0].end_mark.line
        if (
            is_below_key and pair[1].start_mark.column <= pair[0].start_mark.column
        ):  # entries '- ' may begin at the column of their key
            text = INDENT + text
        return TextPatch(begin, end, text)

    def replaced(self, values: Mapping[tuple[str | int, ...], Any]) -> YamlTree:
        """Return the tree with other values at existing paths: many at once, with one parse of the text."""
        return self.patched(*self._patches(values))

    def _patches(self, values: Mapping[tuple[str | int, ...], Any]) -> list[TextPatch]:
        patches = []
        for path, value in values.items():
            holder = self.node(path[:-1])
            pair = None if holder is None else _find_entry(holder, path[-1])
            if pair is None:
                ErrorContext(_format_path(path)).fail("is not there", expected="something that is in the text")
            patches.append(self._other_value(holder, pair, path, value))
        return patches

    def can_replace(self, path: tuple[str | int, ...]) -> bool:
        """True if `with_values` can write to a path: it exists, the text has no anchors, and it is neither inside
        nor around a path written before."""
        if not _has_path(self.data, path):
            return False
        tree, values = self._origin or TreeReplacement(self, {})
        if any(
            path != written_path and path[: len(written_path)] == written_path[: len(path)] for written_path in values
        ):
            return False
        return not tree.has_anchors and tree.node(path) is not None

    def with_values(self, values: Mapping[tuple[str | int, ...], Any]) -> YamlTree:
        """Return the tree with other numbers and texts, or lists of them, at paths for which `can_replace` is true.
        The text is not parsed again, which took a third of the time of a drag frame: the positions of the tree
        parsed last serve for all frames."""
        tree, all_values = self._origin or TreeReplacement(self, {})
        all_values = {**all_values, **values}
        text = tree.text
        for patch in sorted(tree._patches(all_values), reverse=True):
            text = text[: patch.start] + patch.text + text[patch.end :]
        data: Any = self.data
        for path, value in values.items():
            data = _replace_value(data, path, _normalise_value(value))
        tree_copy = copy(self)
        tree_copy.text, tree_copy.data, tree_copy._root, tree_copy._origin = (
            text,
            data,
            None,
            TreeReplacement(tree, all_values),
        )
        return tree_copy

    def append(self, section: DocumentPath, value: Any) -> YamlTree:
        """Return the tree with one more entry in a list, which is created if missing."""
        node: Any = self.node(section)
        if node is None:
            return self._added(section[:-1], section[-1], [value])
        if not isinstance(node, yaml.SequenceNode) and not _is_empty(node):
            ErrorContext(_format_path(section)).fail("is not a list", expected="entries that begin with '-'")
        text = format_value(value, self.as_json)
        if isinstance(node, yaml.SequenceNode) and node.value:
            last = _value_end(node.value[-1])
            if node.flow_style:
                return self.patched(TextPatch(last, last, f", {text}"))
            return self._new_line(last, f"{' ' * node.start_mark.column}- {text}")
        begin, end = node.start_mark.index, _value_end(node)
        if len(section) > 1 or self.as_json:
            return self.patched(TextPatch(begin, end, f"{'' if begin < end else ' '}[{text}]"))
        begin = len(self.text[:begin].rstrip(" "))
        return self.patched(TextPatch(begin, end, f"\n{INDENT}- {text}"))

    def remove(self, path: DocumentPath) -> YamlTree:
        """Return the tree without a path. A top-level list or mapping that becomes empty is removed as well."""
        *above, last = path
        holder: Any = self.node(above)
        pair = None if holder is None else _find_entry(holder, last)
        if pair is None:
            ErrorContext(_format_path(path)).fail("is not there", expected="something that is in the text")
        self._own(holder, pair, path)
        assert holder is not None
        mapping = isinstance(holder, yaml.MappingNode)
        entries: list[Any] = holder.value if mapping else [(None, item) for item in holder.value]
        entry_index = next(k for k, entry in enumerate(entries) if entry[1] is pair[1])
        if len(entries) == 1:
            if len(above) == 1 and not self.as_json:
                return self.remove(above)
            empty = "{}" if mapping else "[]"
            return self.patched(TextPatch(holder.start_mark.index, _value_end(holder), empty)) if above else self
        begin, end = (pair[0] or pair[1]).start_mark.index, _value_end(pair[1])
        next_entry = entries[entry_index + 1] if entry_index + 1 < len(entries) else (None, None)
        next_node: Any = next_entry[0] or next_entry[1]
        if holder.flow_style:
            if next_node is not None:
                return self.patched(TextPatch(begin, next_node.start_mark.index, ""))
            return self.patched(TextPatch(_value_end(entries[entry_index - 1][1]), end, ""))
        line = self.text.rfind("\n", 0, begin) + 1
        before = self.text[line:begin].strip()
        if before and not (before == "-" and pair[0] is None):  # the first field of an entry, after its dash
            return self.patched(TextPatch(begin, next_node.start_mark.index, ""))
        return self.patched(TextPatch(line, self._line_end(end), ""))

    def rename(self, path: DocumentPath, name: str) -> YamlTree:
        """Return the tree with a renamed field."""
        *above, last = path
        pair = _find_entry(self.node(above), last)
        if pair is None or pair[0] is None:
            ErrorContext(_format_path(path)).fail("is not there", expected="a field that is in the text")
        self._own(self.node(above), pair, path)
        return self.patched(
            TextPatch(pair[0].start_mark.index, pair[0].end_mark.index, format_value(name, self.as_json))
        )

    def _added(self, above: DocumentPath, key: str | int, value: Any) -> YamlTree:
        """Return the tree with one more field in a mapping, which is created if missing."""
        holder: Any = self.node(above)
        is_mapping = holder is None or isinstance(holder, yaml.MappingNode) or _is_empty(holder)
        if not isinstance(key, str) or not is_mapping:
            ErrorContext(_format_path([*above, key])).fail("is not there", expected="a place in the text")
        if holder is None:
            return self._added(above[:-1], above[-1], {key: value})
        field = f"{format_value(key, self.as_json)}: {format_value(value, self.as_json)}"
        if _is_empty(holder) or not holder.value:
            begin, end = holder.start_mark.index, _value_end(holder)
            if len(above) == 1 and not self.as_json:
                begin = len(self.text[:begin].rstrip(" "))
                return self.patched(TextPatch(begin, end, f"\n{INDENT}{field}"))
            return self.patched(TextPatch(begin, end, f"{'' if begin < end else ' '}{{{field}}}"))
        if not above:
            return self._new_section(key, value)
        last = _value_end(holder.value[-1][1])
        if holder.flow_style:
            return self.patched(TextPatch(last, last, f", {field}"))
        return self._new_line(last, f"{' ' * holder.value[0][0].start_mark.column}{field}")

    def _new_section(self, key: str, value: Any) -> YamlTree:
        """Return the tree with a new section, in the order of the format: before the first later one. Lists of
        elements get a line per entry."""
        root: Any = self.root
        order = list(ModelDocument.model_fields)
        later_sections = set(order[order.index(key) + 1 :]) if key in order else set()
        next_index = next((k for k, (name, _) in enumerate(root.value) if name.value in later_sections), None)
        if root.flow_style:
            field = f"{format_value(key, self.as_json)}: {format_value(value, self.as_json)}"
            last = _value_end(root.value[-1][1])
            return self.patched(TextPatch(last, last, f", {field}"))
        text = f"{key}: {format_value(value)}"
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = f"{key}:" + "".join(f"\n{INDENT}- {format_value(entry)}" for entry in value)
        elif isinstance(value, dict) and value and key in MULTILINE_SECTIONS:
            text = f"{key}:" + "".join(
                f"\n{INDENT}{format_value(k)}: {format_value(entry)}" for k, entry in value.items()
            )
        if next_index in (None, 0):
            return self._new_line(_value_end(root.value[-1][1]), text)
        return self._new_line(_value_end(root.value[next_index - 1][1]), text)

    def _new_line(self, after: int, text: str) -> YamlTree:
        """Return the tree with a new line below that of a position."""
        end = self._line_end(after)
        ending = "\r\n" if "\r\n" in self.text else "\n"
        text = text.replace("\n", ending)
        prefix = "" if end == 0 or self.text[end - 1] == "\n" else ending
        return self.patched(TextPatch(end, end, f"{prefix}{text}{ending}"))

    def _line_end(self, position: int) -> int:
        """Start of the line after that of a position."""
        if position > 0 and self.text[position - 1] == "\n":  # after a multi-line text
            return position
        newline = self.text.find("\n", position)
        return len(self.text) if newline < 0 else newline + 1

    def _own(self, holder: Any, pair: Any, path: DocumentPath) -> None:
        """Raise ModelError if a value is defined elsewhere: an alias, or merged by <<."""
        begin = (pair[0] or pair[1]).start_mark.index
        inside = holder.start_mark.index <= begin <= pair[1].start_mark.index
        if not inside:
            ErrorContext(_format_path(path)).fail(
                "is an alias (*name or <<) of what stands elsewhere in the file", expected="a change in the text itself"
            )


def _require_few_values(text: str, source: str) -> None:
    """Refuse a text with too many values before its nodes are made, which takes ten seconds per million characters.
    Only long texts are checked: every value takes at least one character."""
    if len(text) <= MAX_VALUES:
        return
    count = 0
    with suppress(yaml.YAMLError):  # reported when the text is parsed
        for event in yaml_events(text):
            count += isinstance(event, yaml.NodeEvent)
            if count > 2 * MAX_VALUES:  # nodes include keys, which are not values
                raise ModelError(f"{source} has more than {MAX_VALUES} values", expected="a smaller one in the studio")


def _find_entry(holder: Any, key: str | int) -> tuple[Any, Any] | None:
    """Key node (None in a list) and value node of an entry."""
    if isinstance(holder, yaml.MappingNode):
        pairs = [pair for pair in holder.value if pair[0].value == str(key)]
        return pairs[-1] if pairs else None  # merged entries come first
    if isinstance(holder, yaml.SequenceNode) and isinstance(key, int) and 0 <= key < len(holder.value):
        return None, holder.value[key]
    return None


def _value_end(node: Any) -> int:
    """End index of a value; for block style, that of its last node, without trailing comments."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return node.end_mark.index
    last = node.value[-1]
    end = _value_end(last[1] if isinstance(node, yaml.MappingNode) else last)
    return max(end, last[0].end_mark.index) if isinstance(node, yaml.MappingNode) else end


def _has_path(data: Any, path: tuple[str | int, ...]) -> bool:
    """True if data have a value at exactly these keys: a name such as 1 is read as a number."""
    value: Any = data
    for key in path:
        if (isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value)) or (
            isinstance(value, dict) and key in value
        ):
            value = value[cast(Any, key)]
        else:
            return False
    return bool(path)


def _replace_value(data: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Copy of the data with another value at a path; everything off the path is shared."""
    if not path:
        return value
    new: Any = dict(data) if isinstance(data, dict) else list(data)
    new[path[0]] = _replace_value(data[path[0]], path[1:], value)
    return new


def _normalise_value(value: Any) -> Any:
    """Value as it is read back: 2.0 is written as 2."""
    if isinstance(value, list):
        return [_normalise_value(entry) for entry in value]
    return int(value) if isinstance(value, float) and format_number(value).lstrip("-").isdigit() else value


def _is_empty(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"


def _format_path(path: DocumentPath) -> str:
    return f"'{'.'.join(map(str, path))}'"
