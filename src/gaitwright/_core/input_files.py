"""All file input, with limits on location, size, encoding and nesting depth.

Every file is untrusted. Therefore only this module opens input files and parses their text:

- regular files only, since a device or a pipe may never end, up to a size;
- files that another file names only from below its folder, links followed, or from folders that the user allows;
- YAML and JSON as plain data, not nested deeper than `MAX_DOCUMENT_DEPTH`; each alias counts with the size of its target;
- XML without entities; NPZ without pickles, its arrays not larger than announced; netCDF checked (see `read_netcdf`);
- converted to declared types by `convert_to_type`, which refuses numbers that are not finite.

Invalid files raise a ModelError of one sentence. Parsers of other packages run in a helper process, see _core/isolation.py.
`packaged_yaml`, `packaged_text` and `packaged_bytes` read trusted files that are part of the package.
"""

from __future__ import annotations

import codecs
import csv
import dataclasses
import functools
import hashlib
import io
import json
import math
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar
from xml.etree import ElementTree

import numpy as np
import yaml

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright._core.isolation import failure_cause, run_isolated

T = TypeVar("T")
MAX_TABLE_BYTES = 100_000_000
"""Size of a table; sufficient for an hour of forty columns at 100 Hz."""
MAX_TEXT_BYTES = 5_000_000
"""Size of a YAML, JSON or XML file. A leg has 3,000 bytes, a chain of a thousand links 200,000."""
MAX_BINARY_BYTES = 2_000_000_000
"""Size of a mesh, a C3D trial or a result."""
MAX_ARRAY_BYTES = 4_000_000_000
"""Total size of the decompressed arrays of an NPZ file."""
MAX_COMPRESSION_RATIO = 1000
"""Decompressed size of the arrays of an NPZ file over the size of the file."""
SEAL_PREFIX = b"\ngaitwright sha256 "
"""Marker before the checksum at the end of an HDF5 file that this package wrote."""
MAX_XML_DEPTH = 1000
"""Nesting depth of XML elements. MJCF nests one level per body of a chain."""
MAX_DOCUMENT_DEPTH = 100
"""Nesting depth of lists and mappings. libyaml builds nodes by recursion on the C stack, which 25,000 levels overflow."""
MAX_DOCUMENT_VALUES = 1_000_000
"""Values in a YAML document with every alias (*name) expanded. A few lines of nested aliases would expand to billions."""
MAX_EXPLAINED_BYTES = 200_000
"""Size of an invalid YAML text that is parsed again for a better message, by a parser that is ten times slower."""
_ENCODING_BY_BYTE_ORDER_MARK = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CONTROL_BYTES = {*range(32), 127} - {9, 10, 12, 13}


# files --------------------------------------------------------------------------------------------------------------


def contained_path(
    folder: Path, named: str, allowed: Iterable[str | Path], label: str, field: str = "file", option: str = ""
) -> Path:
    """Path of a file that another file in `folder` names. It must be below `folder`, or equal to or below one of the `allowed`
    paths; symbolic links are resolved first. option: command-line option or argument that allows another folder, with the
    placeholder {folder}, for the message. Raises ModelError."""
    path = folder / named
    try:
        target = path.resolve()
        roots = [folder.resolve(), *(Path(root).resolve() for root in allowed)]
    except (OSError, RuntimeError, ValueError):  # a cycle of links; a name with a zero byte
        ErrorContext(label, field).fail("is not the name of a file", named, "a file beside the one that names it")
    if not any(target == root or root in target.parents for root in roots):
        problem, remedy = "is outside the folder of the file that names it", ""
        if option:
            problem += ", and files there are read only if you allow it"
            remedy = f", or {option.format(folder=path.parent)}"
        ErrorContext(label, field).fail(problem, named, f"a file below '{folder}'{remedy}")
    return path


def read_bytes(path: str | Path, label: str = "", field: str = "file", largest: int = MAX_TABLE_BYTES) -> bytes:
    """Read the bytes of a regular file of at most `largest` bytes. Raises ModelError otherwise."""
    path, at = Path(path), ErrorContext(label, field if label else "")
    try:
        # Checked before opening: opening a device may trigger an action, and opening a pipe waits for its other end.
        if not stat.S_ISREG(os.stat(path).st_mode):
            kind = "a folder" if path.is_dir() else "a device, pipe or socket"
            at.fail(f"'{path}' is {kind}", expected="a regular file")
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                at.fail(f"'{path}' is no regular file any more", expected="a regular file")
            content = file.read(largest + 1) if status.st_size <= largest else None
    except FileNotFoundError:
        at.fail(f"there is no file '{path}'")
    except (OSError, ValueError) as error:
        at.fail(f"the file '{path}' cannot be read: {getattr(error, 'strerror', None) or error}")
    if content is None or len(content) > largest:
        at.fail(
            f"the file '{path}' is larger than {largest / 1e6:g} MB", expected=f"a file of at most {largest / 1e6:g} MB"
        )
    return content


def read_start(path: str | Path, count: int) -> bytes:
    """The first `count` bytes of a regular file; empty if it cannot be read or is not a regular file."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with Path(path).open("rb") as file:
            return file.read(count)
    except (OSError, ValueError):
        return b""


def read_end(path: str | Path, count: int) -> bytes:
    """The last `count` bytes of a regular file; empty if it cannot be read or is not a regular file."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with Path(path).open("rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - count, 0))
            return file.read(count)
    except (OSError, ValueError):
        return b""


def regular_file_size(path: str | Path, label: str = "", field: str = "file") -> int:
    """Size of a regular file, bytes. Raises ModelError if there is none."""
    at = ErrorContext(label, field if label else "")
    try:
        status = os.stat(path)
    except FileNotFoundError:
        at.fail(f"there is no file '{path}'")
    except (OSError, ValueError) as error:
        at.fail(f"the file '{path}' cannot be read: {getattr(error, 'strerror', None) or error}")
    if not stat.S_ISREG(status.st_mode):
        at.fail(
            f"'{path}' is {'a folder' if stat.S_ISDIR(status.st_mode) else 'a device, pipe or socket'}",
            expected="a regular file",
        )
    return status.st_size


def file_digest(path: str | Path) -> str:
    """The SHA-256 of a regular file, as hexadecimal digits."""
    return hashlib.sha256(read_bytes(path, largest=MAX_BINARY_BYTES)).hexdigest()


# text ---------------------------------------------------------------------------------------------------------------


class DecodedText(NamedTuple):
    """Decoded text. note: sentence that names the encoding if it had to be guessed; otherwise empty."""

    content: str
    note: str = ""


def read_text(
    path: str | Path, label: str = "", field: str = "file", largest: int = MAX_TEXT_BYTES, expected: str = "a text file"
) -> DecodedText:
    """Read the text of a regular file of at most `largest` bytes, in UTF-8, UTF-16 or Windows-1252."""
    text = decode_text(read_bytes(path, label, field, largest), f"the file '{path}'")
    if text is None:
        ErrorContext(label, field if label else "").fail(f"the file '{path}' is not a text file", expected=expected)
    return text


def decode_text(content: bytes, name: str) -> DecodedText | None:
    """Decode bytes: as UTF-8, with or without a byte order mark, or UTF-16; other bytes without control characters as
    Windows-1252 (a superset of the printable part of Latin-1), with a note. None if the bytes are not text."""
    for mark, encoding in _ENCODING_BY_BYTE_ORDER_MARK.items():
        if content.startswith(mark):
            return _decode_as(encoding, content)
    if 0 in content:
        return _decode_unmarked_utf16(content, name)
    text = _decode_as("utf-8", content)
    if text is not None:
        return text
    text = _decode_as("cp1252", content)
    if text is None or any(byte in _CONTROL_BYTES for byte in content):
        return None
    line = 1 + content[: _first_invalid_byte(content)].count(b"\n")
    note = f"{name} is not UTF-8 (line {line}) and is read as Windows-1252 (Latin-1): save it as UTF-8 to be sure"
    return text._replace(note=note)


def _decode_as(encoding: str, content: bytes) -> DecodedText | None:
    try:
        return DecodedText(content.decode(encoding))
    except UnicodeDecodeError:
        return None


def _decode_unmarked_utf16(content: bytes, name: str) -> DecodedText | None:
    """UTF-16 without a byte order mark, detected by zeros in every other byte; None if there is no such pattern."""
    half = len(content) / 2
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros = content[first::2].count(0)
        if zeros > 0.9 * half and content.count(0) == zeros:
            text = _decode_as(encoding, content)
            return text and text._replace(note=f"{name} is read as UTF-16, though it has no byte order mark")
    return None


def _first_invalid_byte(content: bytes) -> int:
    """Index of the first byte that is not UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return 0


def table_rows(text: str, separator: str = ",", at: ErrorContext | None = None) -> list[list[str]]:
    """Cells of the lines of a CSV text, without empty lines. A quoted cell cannot extend over several lines."""
    try:
        rows = csv.reader(text.splitlines(), delimiter=separator, skipinitialspace=True)
        return [[cell.strip() for cell in row] for row in rows if row]
    except csv.Error as error:
        return (at or ErrorContext()).fail(f"is no table: {error}", expected="cells between separators, in lines")


def line_cells(line: str, separator: str) -> list[str]:
    """Cells of one line of a CSV text; an empty list if the line cannot be parsed."""
    try:
        rows = csv.reader([line.strip("\r\n")], delimiter=separator, skipinitialspace=True)
        return [cell.strip() for cell in next(rows, [])]
    except csv.Error:  # a cell of more than 131,072 letters
        return []


# YAML and JSON ------------------------------------------------------------------------------------------------------


def read_yaml(path: str | Path, label: str = "", expected: str = "", largest: int = MAX_TEXT_BYTES) -> Any:
    """Plain data of a YAML or JSON file. label: name of the file in messages."""
    source = label or f"the file '{path}'"
    text = read_text(path, label, "", largest, expected or "a text file in YAML")
    return parse_yaml(text.content, source, expected)


def parse_yaml(text: str, source: str, expected: str = "") -> Any:
    """Plain data of a YAML text. source: its name in messages. expected: description of valid content, for messages."""
    return parse_yaml_nodes(text, source, expected)[0]


def parse_yaml_nodes(text: str, source: str, expected: str = "") -> tuple[Any, yaml.Node | None]:
    """Plain data of a YAML text, and its nodes, which hold line and column; None and None for an empty text.

    The text is parsed by libyaml where PyYAML includes it, which takes a tenth of the time. An invalid text, unless it is
    long, is parsed again by PyYAML's parser in Python, so that messages do not depend on the installation."""
    try:
        require_depth(text, source)
        data, nodes = _construct_with_nodes(text, _CUniqueKeyLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if len(text) > MAX_EXPLAINED_BYTES:
            _raise_yaml_error(error, source, expected)
        try:
            data, nodes = _construct_with_nodes(text, _UniqueKeyLoader)
        except (yaml.YAMLError, ValueError, RecursionError) as own_error:
            _raise_yaml_error(own_error, source, expected)
    require_document_depth(data, source, MAX_DOCUMENT_VALUES)
    return data, nodes


def require_depth(text: str, source: str, deepest: int = MAX_DOCUMENT_DEPTH) -> None:
    """Raise ModelError if lists and mappings of a YAML text are nested deeper than `deepest`, or if it has more than
    MAX_DOCUMENT_VALUES values. The parser events are counted before nodes are built, which takes a tenth of the reading
    time."""
    depth = 0
    for count, event in enumerate(yaml_events(text)):
        if count > 2 * MAX_DOCUMENT_VALUES:  # each value of a mapping has two events
            raise _too_many_values(source)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > deepest:
                mark = event.start_mark
                raise ModelError(
                    f"{source} is nested too deeply, at line {mark.line + 1}, column {mark.column + 1}",
                    expected=f"at most {deepest} lists and mappings inside each other",
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def yaml_events(text: str) -> Iterator[yaml.Event]:
    """Events of the parser; no nodes are built. Raises yaml.YAMLError."""
    return yaml.parse(text, Loader=_SafeLoader)


def _raise_yaml_error(error: Exception, source: str, expected: str) -> NoReturn:
    """Raise the ModelError for an exception of a YAML parser."""
    if isinstance(error, yaml.YAMLError):
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be parsed"
        cut_off = "<stream end>" in problem or "end of stream" in problem
        hint = "; is it complete?" if cut_off else ""
        problem = problem.replace("'<stream end>'", "the end")
        if "recursive" in problem:
            problem = "it contains itself, by an alias inside its own anchor"
        if "'\\t'" in problem:
            problem = "there is a tab, but YAML is indented with spaces"
        raise ModelError(f"{source} is not valid YAML{where}: {problem}{hint}", expected=expected) from None
    if isinstance(error, RecursionError):
        raise ModelError(f"{source} is nested too deeply", expected=expected) from None
    raise ModelError(f"{source} contains a value that cannot be read", expected=expected) from None


def _construct_with_nodes(text: str, kind: Any) -> tuple[Any, yaml.Node | None]:
    loader = kind(text)
    try:
        node = loader.get_single_node()
        return (None if node is None else loader.construct_document(node)), node
    finally:
        loader.dispose()


def require_document_depth(value: Any, source: str, max_values: float = math.inf) -> None:
    """Raise ModelError if lists and mappings of plain data are nested deeper than MAX_DOCUMENT_DEPTH, or if the data has
    more than `max_values` values. An alias has the depth and the size of its target."""
    try:
        _, depth = _measure_document(value, source, max_values, {})
    except RecursionError:
        depth = MAX_DOCUMENT_DEPTH + 1
    if depth > MAX_DOCUMENT_DEPTH:
        raise ModelError(
            f"{source} is nested too deeply",
            expected=f"at most {MAX_DOCUMENT_DEPTH} lists and mappings inside each other",
        )


def _measure_document(
    value: Any, source: str, max_values: float, measured: dict[int, tuple[int, int]]
) -> tuple[int, int]:
    """Number of values and nesting depth of a part of a document. measured: results by id of the part, so that the target of an
    alias is counted once."""
    if not isinstance(value, (dict, list)):
        return 1, 0
    if id(value) not in measured:
        count, depth = 1, 0
        for part in value.values() if isinstance(value, dict) else value:
            if isinstance(part, (dict, list)):
                part_count, part_depth = _measure_document(part, source, max_values, measured)
                count, depth = count + part_count, max(depth, part_depth)
            else:
                count += 1
        if count > max_values:
            raise _too_many_values(source)
        measured[id(value)] = count, depth + 1
    return measured[id(value)]


def _too_many_values(source: str) -> ModelError:
    return ModelError(
        f"{source} has more than {MAX_DOCUMENT_VALUES} values with its aliases expanded", expected="a smaller file"
    )


class _LimitedMergeConstructor(yaml.constructor.SafeConstructor):
    """Constructor that limits the number of fields merged by `<<`."""

    def flatten_mapping(self, node: Any) -> None:
        super().flatten_mapping(node)
        if len(node.value) > MAX_DOCUMENT_VALUES:  # merges of merged mappings double the number in every line
            raise yaml.constructor.ConstructorError(None, None, "too many fields are merged", node.start_mark)


class _UniqueKeyLoader(_LimitedMergeConstructor, yaml.SafeLoader):
    """Loader of safe YAML. A duplicate key is an error instead of a silent overwrite; 1e-3 is a number."""


_SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _CUniqueKeyLoader(_LimitedMergeConstructor, _SafeLoader):
    """The same loader on libyaml, where it is installed."""


def _construct_mapping(loader: Any, node: Any) -> dict[Any, Any]:
    """Construct a mapping, without duplicate keys and decimal commas."""
    if not isinstance(node, yaml.MappingNode):
        raise yaml.constructor.ConstructorError(None, None, "a mapping is expected here", node.start_mark)
    keys: set[Any] = set()
    before: Any = None
    for key_node, value_node in node.value:
        if key_node.tag == "tag:yaml.org,2002:merge":
            continue  # fields merged by `<<` may be overridden
        key = _construct_key(loader, key_node)
        if not isinstance(key, (str, int, float)):
            raise yaml.constructor.ConstructorError(None, None, "a field has no plain name", key_node.start_mark)
        if key in keys:
            raise yaml.constructor.ConstructorError(None, None, f"'{key}' is given twice", key_node.start_mark)
        if _is_decimal_comma(before, key_node, value_node):
            problem = (
                f"{before.value},{key_node.value} is two entries; write {before.value}.{key_node.value}, with a point"
            )
            raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
        before = value_node
        keys.add(key)
    loader.flatten_mapping(node)
    return {_construct_key(loader, key): loader.construct_object(value, deep=True) for key, value in node.value}


def _construct_key(loader: Any, node: Any) -> Any:
    """Name of a field. Truth values stay texts: YAML 1.1 would read the field `on` of a pressure as true."""
    return node.value if node.tag == "tag:yaml.org,2002:bool" else loader.construct_object(node, deep=True)


def _is_decimal_comma(before: Any, key: Any, value: Any) -> bool:
    """True if a field results from a decimal comma: YAML reads {length: 0,24} as length: 0 and an empty field named 24."""
    digits = [node.value for node in (before, key) if isinstance(node, yaml.ScalarNode)]
    return len(digits) == 2 and all(re.fullmatch(r"[-+]?\d+", text) for text in digits) and value.value == ""


# YAML 1.1 requires a point and a signed exponent, as in 1.0e-6; JSON and many users write 1e-6.
SCIENTIFIC_NUMBER_PATTERN = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$")
_SCALAR_DESCRIPTIONS = {"int": "a whole number", "float": "a number", "bool": "true or false", "timestamp": "a date"}
"""Tags of scalars that may be invalid, and descriptions of their values."""
_OTHER_BASE_PATTERN = re.compile(r"[-+]?\d[\d_]*:|[-+]?0[\d_]+$")
"""Start of numbers that YAML 1.1 reads in another base, mostly not as meant: 1:30 would be 90, and 010 would be 8."""
_REFUSED_TAGS = ("binary", "set", "omap", "pairs")
"""Tags of YAML 1.1 for values that JSON does not have."""


def _make_scalar_constructor(tag: str) -> Callable[[Any, Any], Any]:
    """The constructor of a scalar; its exceptions, of several types of Python, become exceptions of YAML with a place."""
    construct = yaml.SafeLoader.yaml_constructors[f"tag:yaml.org,2002:{tag}"]

    def constructor(loader: Any, node: Any) -> Any:
        if tag in ("int", "float") and isinstance(node, yaml.ScalarNode) and _OTHER_BASE_PATTERN.match(node.value):
            problem = (
                f"'{node.value[:40]}' is a number in base 60 or 8 in YAML; write it in base 10, or a text in quotes"
            )
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
        try:
            return construct(loader, node)
        except yaml.YAMLError:
            raise
        except Exception:
            text = node.value if len(node.value) <= 40 else f"{node.value[:40]}..."
            problem = f"'{text}' is not {_SCALAR_DESCRIPTIONS[tag]} that can be read"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from None

    return constructor


def _refuse_tag(loader: Any, node: Any) -> NoReturn:
    name = node.tag.rpartition(":")[2]
    raise yaml.constructor.ConstructorError(None, None, f"a value of the type !!{name} is not read", node.start_mark)


for _loader in (_UniqueKeyLoader, _CUniqueKeyLoader):
    for _tag in _SCALAR_DESCRIPTIONS:
        _loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _make_scalar_constructor(_tag))
    for _tag in _REFUSED_TAGS:
        _loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _refuse_tag)
    _loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _construct_mapping)
    _loader.add_implicit_resolver("tag:yaml.org,2002:float", SCIENTIFIC_NUMBER_PATTERN, list("-+.0123456789"))


def read_json(path: str | Path, label: str = "", expected: str = "", largest: int = MAX_TEXT_BYTES) -> Any:
    """Plain data of a JSON file. label: name of the file in messages."""
    text = read_text(path, label, "", largest, expected or "a text file in JSON")
    return parse_json(text.content, label or f"the file '{path}'", expected)


def parse_json(text: str | bytes, source: str, expected: str = "", finite: bool = True) -> Any:
    """Plain data of a JSON text. source: its name in messages. finite: NaN and Infinity, which are not JSON, raise a
    ModelError."""
    try:
        value = json.loads(text, parse_constant=_refuse_constant if finite else None)
    except RecursionError:
        raise ModelError(f"{source} is nested too deeply", expected=expected) from None
    except json.JSONDecodeError as error:
        where = f"at line {error.lineno}, column {error.colno}"
        problem = error.msg[:1].lower() + error.msg[1:]
        raise ModelError(f"{source} is not valid JSON {where}: {problem}", expected=expected) from None
    except (ValueError, TypeError) as error:
        problem = "its encoding is not UTF-8" if isinstance(error, UnicodeError) else str(error)
        if "int_max_str_digits" in problem:
            problem = "it contains a whole number of more digits than can be read"
        raise ModelError(f"{source} is not valid JSON: {problem}", expected=expected) from None
    require_document_depth(value, source)
    return value


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")


def parse_json_line(line: str | bytes, object_hook: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """Plain data of one line of a JSON-lines log that this package writes; None if the line is damaged or cut off.
    object_hook: conversion of every JSON object."""
    try:
        return json.loads(line, object_hook=object_hook)
    except (ValueError, RecursionError):
        return None


# XML ----------------------------------------------------------------------------------------------------------------


class _DoctypeRejectingBuilder(ElementTree.TreeBuilder):
    """Builder that raises ModelError at a document type, which may define entities that grow without limit or name other
    files."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ModelError("the file has a DOCTYPE, which is not read", expected="XML that starts with its first element")


class _DoctypeIgnoringBuilder(ElementTree.TreeBuilder):
    """Builder that ignores a document type. Its entities stay undefined, and the parser raises an error where one is used."""


def parse_xml(text: str, source: str, doctype: bool = False) -> Any:
    """Root element of an XML text. source: its name in messages. doctype: True allows a document type, as in many SVG files;
    definitions of entities raise a ModelError in any case."""
    if doctype and "<!ENTITY" in text:
        raise ModelError(f"{source} defines XML entities, which are not read", expected="plain XML")
    try:
        target = _DoctypeIgnoringBuilder() if doctype else _DoctypeRejectingBuilder()
        root = ElementTree.fromstring(text, ElementTree.XMLParser(target=target))
    except ElementTree.ParseError as error:
        line, column = error.position
        problem = str(error).partition(":")[0]
        hint = "; is it complete?" if "no element" in problem or "unclosed" in problem else ""
        raise ModelError(f"{source} is not valid XML at line {line}, column {column + 1}: {problem}{hint}") from None
    except ValueError as error:  # an unknown encoding in the first line
        raise ModelError(f"{source} is not valid XML: {error}") from None
    level, depth = [root], 0
    while level:
        depth += 1
        if depth > MAX_XML_DEPTH:
            raise ModelError(
                f"{source} is nested too deeply", expected=f"at most {MAX_XML_DEPTH} elements inside each other"
            )
        level = [child for element in level for child in element]
    return root


# arrays -------------------------------------------------------------------------------------------------------------


def read_arrays(
    content: bytes, at: ErrorContext, expected: str, problem: str = "is not a file of arrays, or it is cut off"
) -> dict[str, np.ndarray]:
    """Arrays of an NPZ file, by name. Pickled objects, and arrays that do not match their shape, raise a ModelError.
    problem: text of the message for a file that cannot be parsed."""
    import zipfile  # slow to import, needed by few commands

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [member for member in archive.infolist() if member.filename.endswith(".npy")]
            size = sum(member.file_size for member in members)
            if size > min(MAX_ARRAY_BYTES, MAX_COMPRESSION_RATIO * len(content)):
                at.fail(
                    f"has arrays of {size / 1e6:.3g} MB, more than a file of this size is expected to have",
                    expected=expected,
                )
            return {member.filename.removesuffix(".npy"): _parse_npy(archive.read(member)) for member in members}
    except GaitwrightError:
        raise
    except Exception:  # zipfile and NumPy's header parser raise exceptions of many types
        at.fail(problem, expected=expected)


def _parse_npy(data: bytes) -> np.ndarray:
    """The array in the bytes of an NPY file."""
    file = io.BytesIO(data)
    readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    shape, fortran, dtype = readers[np.lib.format.read_magic(file)](file)
    if dtype.hasobject:
        raise ValueError("pickled objects")
    values = np.frombuffer(data, dtype, offset=file.tell())
    if any(length < 0 for length in shape) or values.size != math.prod(shape):
        raise ValueError("the number of values does not match the shape")
    return values.reshape(shape, order="F" if fortran else "C").copy()


def make_seal(content: bytes | memoryview) -> bytes:
    """Seal that the package appends to an HDF5 file that it writes: SEAL_PREFIX and the SHA-256 of the file. HDF5 ignores
    bytes after the end of its data."""
    return SEAL_PREFIX + hashlib.sha256(content).hexdigest().encode() + b"\n"


def is_sealed(path: str | Path) -> bool:
    """True if a file ends with a seal and matches its checksum: the file is unchanged since this package wrote it."""
    digest, length = hashlib.sha256(), len(SEAL_PREFIX) + 65
    with Path(path).open("rb") as file:
        remaining = file.seek(0, os.SEEK_END) - length
        if remaining < 0:
            return False
        file.seek(remaining)
        last = file.read()
        if not last.startswith(SEAL_PREFIX):
            return False
        file.seek(0)
        while remaining > 0 and (block := file.read(min(remaining, 1 << 20))):
            digest.update(block)
            remaining -= len(block)
    return last == SEAL_PREFIX + digest.hexdigest().encode() + b"\n"


def read_netcdf(
    path: str | Path, take: Callable[[Any], T] | None = None, label: str = "", problem: str = "cannot be read"
) -> T | Any:
    """The Dataset in a netCDF file, or take(dataset). take: a function at the top level of a module, as it may be pickled.

    HDF5 may hang or crash on a damaged file. A file is therefore read in this process only if it is sealed (see `make_seal`),
    otherwise in the helper process of _core/isolation.py. problem: text of the message for a file that cannot be read."""
    source = label or f"the file '{path}'"
    size = regular_file_size(path, label)
    if size > MAX_BINARY_BYTES * 10:
        ErrorContext(source).fail(f"has {size / 1e9:.3g} GB", expected=f"at most {MAX_BINARY_BYTES / 1e8:g} GB")
    absolute = os.path.abspath(path)
    if is_sealed(path):
        return _open_netcdf(absolute, take, source, problem)
    return run_isolated(_open_netcdf, absolute, take, source, problem, source=source, size=size)


def _open_netcdf(path: str, take: Callable[[Any], Any] | None, source: str, problem: str) -> Any:
    import xarray as xr

    try:
        with xr.open_dataset(path, engine="h5netcdf") as data:
            return data.load() if take is None else take(data)
    except GaitwrightError:
        raise
    except MemoryError:
        raise
    except Exception as error:  # HDF5, h5netcdf and xarray raise exceptions of many types
        raise ModelError(f"{source} {problem}: {failure_cause(error)}") from None


# values -------------------------------------------------------------------------------------------------------------


def require_finite(values: Any, at: ErrorContext, expected: str = "finite numbers") -> Any:
    """Return the values, an array or plain data, if all their numbers are finite; otherwise raise a ModelError with the index
    or field of the first that is not."""
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "fc" and not (finite := np.isfinite(values)).all():
            place = np.unravel_index(int(np.argmin(finite)), values.shape)
            where = f"[{', '.join(map(str, place))}]" if place else ""
            ErrorContext(at.element, f"{at.field}{where}").fail(
                "is not a finite number", float(values[place].real), expected
            )
        return values
    stack: list[tuple[str, Any]] = [("", values)]
    while stack:
        where, value = stack.pop()
        if isinstance(value, dict):
            stack += [(f"{where}.{key}" if where else str(key), part) for key, part in reversed(value.items())]
        elif isinstance(value, (list, tuple)):
            stack += [(f"{where}[{k}]", part) for k, part in reversed(list(enumerate(value)))]
        elif (isinstance(value, float) and not math.isfinite(value)) or _exceeds_float(value):
            name = f"{at.field}{'.' if at.field and not where.startswith('[') else ''}{where}" if where else at.field
            ErrorContext(at.element, name).fail("is not a finite number", value, expected)
    return values


def _exceeds_float(value: Any) -> bool:
    """True if a value is an integer outside the range of floats: integers of YAML and JSON have any number of digits."""
    return isinstance(value, int) and value.bit_length() > 1023


def convert_to_type(kind: type[T], value: Any, at: ErrorContext, finite: bool = True) -> T:
    """Convert plain data of a file to a dataclass or another annotated type. Unknown and missing fields, values of other types
    and numbers that are not finite raise a ModelError that names the field."""
    from pydantic import ValidationError

    if finite:
        require_finite(value, at)
    names = (
        {dataclass_field.name for dataclass_field in dataclasses.fields(kind)}
        if dataclasses.is_dataclass(kind)
        else None
    )
    if names is not None:
        if not isinstance(value, dict):
            at.fail("is not a mapping", value, f"fields such as {', '.join(sorted(names))}")
        for name in value:
            at[f"{at.field}.{name}" if at.field else str(name)].one_of(name, sorted(names), "there is no such field")
    try:
        return _type_adapter(kind).validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(map(str, (*([at.field] if at.field else []), *first["loc"])))
        if first["type"] == "missing":
            ErrorContext(at.element, path).fail("is missing")
        expected = first["msg"][:1].lower() + first["msg"][1:]
        return ErrorContext(at.element, path).fail(
            "is not valid", first["input"], expected.removeprefix("input should be ")
        )


@functools.cache
def _type_adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


# the package's own files --------------------------------------------------------------------------------------------


def packaged_bytes(path: str | Path) -> bytes:
    """The bytes of a file that is part of this package or of its sources: trusted."""
    return Path(path).read_bytes()


def packaged_text(path: str | Path) -> str:
    """The text of a file that is part of this package or of its sources: trusted, in UTF-8."""
    return Path(path).read_text(encoding="utf-8")


def packaged_yaml(path: str | Path) -> Any:
    """The data in a YAML file that is part of this package: trusted, so depth and number of values are not checked."""
    return yaml.load(packaged_text(path), Loader=_SafeLoader)
