"""All file input: which files are read, up to which size, in which encoding, and how deeply their content may be nested.

Every file may come from somebody else. So this module, and no other one, opens files and parses their text:

- regular files only, since a device or a pipe may never end, up to a size;
- files that another file names only from below its folder, links followed, or from folders that the user allows;
- YAML and JSON as plain data, not nested deeper than `MAX_DEPTH`, aliases counted as what they stand for;
- XML without entities; NPZ without pickles, its arrays not larger than announced; netCDF checked (see `read_netcdf`);
- converted to declared types by `typed`, which refuses numbers that are not finite.

Whatever is wrong with a file is a ModelError of one sentence. Parsers of other packages run in a process of their own:
see isolation.py. `packaged_yaml` and `packaged_text` read what is part of the package itself.
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

from gaitwright.checks import At
from gaitwright.errors import GaitwrightError, ModelError
from gaitwright.isolation import cause_of, isolated

T = TypeVar("T")
MAX_TABLE_BYTES = 100_000_000
"""Of a table: an hour of forty columns at 100 Hz."""
MAX_TEXT_BYTES = 5_000_000
"""Of a YAML, JSON or XML file: a leg has three thousand, a chain of a thousand links two hundred thousand."""
MAX_BINARY_BYTES = 2_000_000_000
"""Of a mesh, a C3D trial or a result."""
MAX_ARRAY_BYTES = 4_000_000_000
"""Of all arrays of an NPZ file together, once they are unpacked."""
MAX_UNPACKING = 1000
"""Times that the arrays of an NPZ file may be as large as the file."""
SEAL = b"\ngaitwright sha256 "
"""Before the checksum at the end of an HDF5 file that this package wrote."""
MAX_XML_DEPTH = 1000
"""Elements of XML inside of each other: a chain of bodies in MJCF is nested as deeply as it is long."""
MAX_DEPTH = 100
"""Lists and mappings inside of each other. libyaml builds nodes by recursion on the C stack, which 25,000 levels overflow."""
MAX_ENTRIES = 1_000_000
"""Values in a YAML document with every alias (*name) written out. A few lines of aliases of aliases would make billions."""
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_CONTROL = {*range(32), 127} - {9, 10, 12, 13}


# files --------------------------------------------------------------------------------------------------------------


def contained_path(
    folder: Path, named: str, allowed: Iterable[str | Path], label: str, field: str = "file", option: str = ""
) -> Path:
    """Path of a file that another file in `folder` names: below it, or below one of the `allowed` folders (or one of them
    itself). Links are followed before that is decided. option: how the user allows another folder, for the message."""
    path = folder / named
    try:
        target = path.resolve()
        homes = [folder.resolve(), *(Path(home).resolve() for home in allowed)]
    except (OSError, RuntimeError, ValueError):  # links in a circle; a name with a zero byte
        At(label, field).fail("is not the name of a file", named, "a file beside the one that names it")
    if not any(target == home or home in target.parents for home in homes):
        problem, way_out = "is outside the folder of the file that names it", ""
        if option:
            problem += ", and what is there is read only if you allow it"
            way_out = f", or {option.format(folder=path.parent)}"
        At(label, field).fail(problem, named, f"a file below '{folder}'{way_out}")
    return path


def read_bytes(path: str | Path, label: str = "", field: str = "file", largest: int = MAX_TABLE_BYTES) -> bytes:
    """The bytes of a regular file of limited size; ModelError for everything else."""
    path, at = Path(path), At(label, field if label else "")
    try:
        # Asked before it is opened: opening alone makes some devices act, and waits for the other end of a pipe.
        if not stat.S_ISREG(os.stat(path).st_mode):
            what = "a folder" if path.is_dir() else "a device, pipe or socket"
            at.fail(f"'{path}' is {what}", expected="a regular file")
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(opened, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                at.fail(f"'{path}' is no regular file any more", expected="a regular file")
            content = file.read(largest + 1) if found.st_size <= largest else None
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
    """The first bytes of a regular file; none of anything else."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with Path(path).open("rb") as file:
            return file.read(count)
    except (OSError, ValueError):
        return b""


def read_end(path: str | Path, count: int) -> bytes:
    """The last bytes of a regular file; none of anything else."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with Path(path).open("rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - count, 0))
            return file.read(count)
    except (OSError, ValueError):
        return b""


def regular_size(path: str | Path, label: str = "", field: str = "file") -> int:
    """Bytes of a regular file; ModelError for everything else."""
    at = At(label, field if label else "")
    try:
        found = os.stat(path)
    except FileNotFoundError:
        at.fail(f"there is no file '{path}'")
    except (OSError, ValueError) as error:
        at.fail(f"the file '{path}' cannot be read: {getattr(error, 'strerror', None) or error}")
    if not stat.S_ISREG(found.st_mode):
        at.fail(
            f"'{path}' is {'a folder' if stat.S_ISDIR(found.st_mode) else 'a device, pipe or socket'}",
            expected="a regular file",
        )
    return found.st_size


def digest_of_file(path: str | Path) -> str:
    """The SHA-256 of a regular file, as hexadecimal digits."""
    return hashlib.sha256(read_bytes(path, largest=MAX_BINARY_BYTES)).hexdigest()


# text ---------------------------------------------------------------------------------------------------------------


class Text(NamedTuple):
    """Content of a file. note: how it was read, if not as UTF-8; otherwise empty."""

    content: str
    note: str = ""


def read_text(
    path: str | Path, label: str = "", field: str = "file", largest: int = MAX_TEXT_BYTES, expected: str = "a text file"
) -> Text:
    """The text of a regular file of limited size, in UTF-8, UTF-16 or Windows-1252."""
    text = decoded(read_bytes(path, label, field, largest), f"the file '{path}'")
    if text is None:
        At(label, field if label else "").fail(f"the file '{path}' is not a text file", expected=expected)
    return text


def decoded(content: bytes, name: str) -> Text | None:
    """Bytes as text: UTF-8, with or without a byte order mark; UTF-16; and what is neither but looks like text as
    Windows-1252, of which Latin-1 is a part, with a note. None for what is no text."""
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return _as(encoding, content)
    if 0 in content:
        return _unmarked_utf16(content, name)
    found = _as("utf-8", content)
    if found is not None:
        return found
    found = _as("cp1252", content)
    if found is None or any(byte in _CONTROL for byte in content):
        return None
    line = 1 + content[: _first_wrong(content)].count(b"\n")
    note = f"{name} is not UTF-8 (line {line}) and is read as Windows-1252 (Latin-1): save it as UTF-8 to be sure"
    return found._replace(note=note)


def _as(encoding: str, content: bytes) -> Text | None:
    try:
        return Text(content.decode(encoding))
    except UnicodeDecodeError:
        return None


def _unmarked_utf16(content: bytes, name: str) -> Text | None:
    """UTF-16 that does not say so: every other byte of plain text is zero."""
    half = len(content) / 2
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros = content[first::2].count(0)
        if zeros > 0.9 * half and content.count(0) == zeros:
            found = _as(encoding, content)
            return found and found._replace(note=f"{name} is read as UTF-16, though it has no byte order mark")
    return None


def _first_wrong(content: bytes) -> int:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return 0


def table_rows(text: str, separator: str = ",", at: At | None = None) -> list[list[str]]:
    """Cells of the lines of a CSV text; lines without any are left out. Quotes may not go beyond the end of a line."""
    try:
        rows = csv.reader(text.splitlines(), delimiter=separator, skipinitialspace=True)
        return [[cell.strip() for cell in row] for row in rows if row]
    except csv.Error as error:
        return (at or At()).fail(f"is no table: {error}", expected="cells between separators, in lines")


def line_cells(line: str, separator: str) -> list[str]:
    """Cells of one line of a CSV text; none where it cannot be one."""
    try:
        rows = csv.reader([line.strip("\r\n")], delimiter=separator, skipinitialspace=True)
        return [cell.strip() for cell in next(rows, [])]
    except csv.Error:  # a cell of more than 131,072 letters
        return []


# YAML and JSON ------------------------------------------------------------------------------------------------------


def read_yaml(path: str | Path, label: str = "", expected: str = "", largest: int = MAX_TEXT_BYTES) -> Any:
    """The plain data in a YAML file (of which JSON is a part). label: how messages call the file."""
    source = label or f"the file '{path}'"
    text = read_text(path, label, "", largest, expected or "a text file in YAML")
    return parse_yaml(text.content, source, expected)


def parse_yaml(text: str, source: str, expected: str = "") -> Any:
    """The plain data in a text. source: how messages call it. expected: what it should be, for messages."""
    return parse_yaml_nodes(text, source, expected)[0]


def parse_yaml_nodes(text: str, source: str, expected: str = "") -> tuple[Any, yaml.Node | None]:
    """Plain data, and its nodes, which know their places; None and None of an empty text.

    Parsed by libyaml where PyYAML has it, which takes a tenth of the time. What is wrong is said by the parser in Python,
    whose words are the same everywhere."""
    try:
        require_depth(text, source)
        found = _with_nodes(text, _FastUniqueKeys)
    except (yaml.YAMLError, ValueError, RecursionError):
        found = _explained(text, source, expected)
    _count_entries(found[0], source, {})
    return found


def require_depth(text: str, source: str, deepest: int = MAX_DEPTH) -> None:
    """Refuse a YAML text whose lists and mappings are nested deeper: the events of the parser are counted before anything is
    built from them, which takes a tenth of the time of reading."""
    depth = 0
    for event in yaml_events(text):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > deepest:
                mark = event.start_mark
                raise ModelError(
                    f"{source} is nested too deeply, at line {mark.line + 1}, column {mark.column + 1}",
                    expected=f"at most {deepest} lists and mappings inside of each other",
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def yaml_events(text: str) -> Iterator[yaml.Event]:
    """The events of the parser, from which nothing is built; raises yaml.YAMLError."""
    return yaml.parse(text, Loader=_Quick)


def _explained(text: str, source: str, expected: str) -> tuple[Any, yaml.Node | None]:
    try:
        return _with_nodes(text, _UniqueKeys)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be parsed"
        ends = "<stream end>" in problem or "end of stream" in problem
        hint = "; is it complete?" if ends else ""
        problem = problem.replace("'<stream end>'", "the end")
        if "recursive" in problem:
            problem = "it contains itself, by an alias of something around it"
        if "'\\t'" in problem:
            problem = "there is a tab, but YAML is indented with spaces"
        raise ModelError(f"{source} is not valid YAML{where}: {problem}{hint}", expected=expected) from None
    except (ValueError, OverflowError) as error:  # of a date that does not exist, for example
        raise ModelError(f"{source} contains a value that cannot be read: {error}") from None
    except RecursionError:
        raise ModelError(f"{source} is nested too deeply", expected=expected) from None


def _with_nodes(text: str, kind: Any) -> tuple[Any, yaml.Node | None]:
    loader = kind(text)
    try:
        node = loader.get_single_node()
        return (None if node is None else loader.construct_document(node)), node
    finally:
        loader.dispose()


def _count_entries(value: Any, source: str, counts: dict[int, int]) -> int:
    """How many values a part of a document stands for; what an alias stands for is looked at once. Refuses too many."""
    if not isinstance(value, (dict, list)):
        return 1
    if id(value) not in counts:
        parts = value.values() if isinstance(value, dict) else value
        counts[id(value)] = 1 + sum(_count_entries(part, source, counts) for part in parts)
        if counts[id(value)] > MAX_ENTRIES:
            raise ModelError(
                f"{source} has more than {MAX_ENTRIES} values, those that aliases stand for included",
                expected="a smaller file",
            )
    return counts[id(value)]


class _FewMerged(yaml.constructor.SafeConstructor):
    def flatten_mapping(self, node: Any) -> None:
        super().flatten_mapping(node)
        if len(node.value) > MAX_ENTRIES:  # merged from merged mappings, it doubles in every line
            raise yaml.constructor.ConstructorError(None, None, "too many fields are merged", node.start_mark)


class _UniqueKeys(_FewMerged, yaml.SafeLoader):
    """Safe YAML in which a key given twice is an error, not a silent overwrite; 1e-3 is a number."""


_Quick: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _FastUniqueKeys(_FewMerged, _Quick):
    """The same, parsed by libyaml."""


def _mapping(loader: Any, node: Any) -> dict[Any, Any]:
    given: set[Any] = set()
    before: Any = None
    for key_node, value_node in node.value:
        if key_node.tag == "tag:yaml.org,2002:merge":
            continue  # what `<<` brings along may be given again, to change it
        key = _key(loader, key_node)
        if not isinstance(key, (str, int, float)):
            raise yaml.constructor.ConstructorError(None, None, "a field has no plain name", key_node.start_mark)
        if key in given:
            raise yaml.constructor.ConstructorError(None, None, f"'{key}' is given twice", key_node.start_mark)
        if _decimal_comma(before, key_node, value_node):
            meant = (
                f"{before.value},{key_node.value} is two entries; write {before.value}.{key_node.value}, with a point"
            )
            raise yaml.constructor.ConstructorError(None, None, meant, key_node.start_mark)
        before = value_node
        given.add(key)
    loader.flatten_mapping(node)
    return {_key(loader, key): loader.construct_object(value, deep=True) for key, value in node.value}


def _key(loader: Any, node: Any) -> Any:
    """The name of a field, which is never a truth value: YAML 1.1 would read `on:` of a pressure as true."""
    return node.value if node.tag == "tag:yaml.org,2002:bool" else loader.construct_object(node, deep=True)


def _decimal_comma(before: Any, key: Any, value: Any) -> bool:
    """Whether {length: 0,24, mass: 1} was meant as one number: YAML reads length: 0 and an empty field called 24."""
    digits = [node.value for node in (before, key) if isinstance(node, yaml.ScalarNode)]
    return len(digits) == 2 and all(re.fullmatch(r"[-+]?\d+", text) for text in digits) and value.value == ""


# YAML 1.1 wants a point and a sign in 1.0e-6; JSON and people write 1e-6.
SCIENTIFIC = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$")
for _loader in (_UniqueKeys, _FastUniqueKeys):
    _loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
    _loader.add_implicit_resolver("tag:yaml.org,2002:float", SCIENTIFIC, list("-+.0123456789"))


def read_json(path: str | Path, label: str = "", expected: str = "", largest: int = MAX_TEXT_BYTES) -> Any:
    """The plain data in a JSON file. label: how messages call the file."""
    text = read_text(path, label, "", largest, expected or "a text file in JSON")
    return parse_json(text.content, label or f"the file '{path}'", expected)


def parse_json(text: str | bytes, source: str, expected: str = "", finite: bool = True) -> Any:
    """The plain data in a JSON text. finite: NaN and Infinity, which JSON does not have, are refused."""
    try:
        return json.loads(text, parse_constant=_no_number if finite else None)
    except RecursionError:
        raise ModelError(f"{source} is nested too deeply", expected=expected) from None
    except json.JSONDecodeError as error:
        where = f"at line {error.lineno}, column {error.colno}"
        said = error.msg[:1].lower() + error.msg[1:]
        raise ModelError(f"{source} is not valid JSON {where}: {said}", expected=expected) from None
    except (ValueError, TypeError) as error:
        said = "its encoding is not UTF-8" if isinstance(error, UnicodeError) else str(error)
        raise ModelError(f"{source} is not valid JSON: {said}", expected=expected) from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number of JSON")


def parse_json_line(line: str | bytes) -> Any:
    """The plain data in a line of a log that this package appends to; None of a line that is damaged or cut off."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


# XML ----------------------------------------------------------------------------------------------------------------


class _NoDoctype(ElementTree.TreeBuilder):
    """A document type may define entities that grow without end or name other files. Nothing that is read here needs one."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ModelError("the file has a DOCTYPE, which is not read", expected="XML that starts with its first element")


class _AnyDoctype(ElementTree.TreeBuilder):
    """Passes over a document type: its entities are not defined then, and what uses one is refused by the parser."""


def parse_xml(text: str, source: str, doctype: bool = False) -> Any:
    """The first element of an XML text. source: how messages call it. doctype: whether it may have one, as SVG often does;
    entities that it defines are refused in any case."""
    if doctype and "<!ENTITY" in text:
        raise ModelError(f"{source} defines entities of XML, which are not read", expected="plain XML")
    try:
        target = _AnyDoctype() if doctype else _NoDoctype()
        root = ElementTree.fromstring(text, ElementTree.XMLParser(target=target))
    except ElementTree.ParseError as error:
        line, column = error.position
        problem = str(error).partition(":")[0]
        hint = "; is it complete?" if "no element" in problem or "unclosed" in problem else ""
        raise ModelError(f"{source} is not valid XML at line {line}, column {column + 1}: {problem}{hint}") from None
    except ValueError as error:  # of an encoding that the first line names
        raise ModelError(f"{source} is not valid XML: {error}") from None
    level, depth = [root], 0
    while level:
        depth += 1
        if depth > MAX_XML_DEPTH:
            raise ModelError(
                f"{source} is nested too deeply", expected=f"at most {MAX_XML_DEPTH} elements inside of each other"
            )
        level = [child for element in level for child in element]
    return root


# arrays -------------------------------------------------------------------------------------------------------------


def read_arrays(
    content: bytes, at: At, expected: str, problem: str = "is not a file of arrays, or it is cut off"
) -> dict[str, np.ndarray]:
    """The arrays in an NPZ file, by name. Pickled objects, and arrays that are larger than their data, are refused."""
    import zipfile  # what few commands need

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [one for one in archive.infolist() if one.filename.endswith(".npy")]
            size = sum(one.file_size for one in members)
            if size > min(MAX_ARRAY_BYTES, MAX_UNPACKING * len(content)):
                at.fail(
                    f"has arrays of {size / 1e6:.3g} MB, more than a file of this size is expected to have",
                    expected=expected,
                )
            return {one.filename.removesuffix(".npy"): _array(archive.read(one)) for one in members}
    except GaitwrightError:
        raise
    except Exception:  # the parsers of archives and of the heads of arrays raise whatever theirs do
        at.fail(problem, expected=expected)


def _array(data: bytes) -> np.ndarray:
    file = io.BytesIO(data)
    readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    shape, fortran, dtype = readers[np.lib.format.read_magic(file)](file)
    if dtype.hasobject:
        raise ValueError("pickled objects")
    values = np.frombuffer(data, dtype, offset=file.tell())
    if any(length < 0 for length in shape) or values.size != math.prod(shape):
        raise ValueError("more or fewer values than its shape has")
    return values.reshape(shape, order="F" if fortran else "C").copy()


def seal(content: bytes | memoryview) -> bytes:
    """What the package appends to an HDF5 file that it writes: the SHA-256 of the file. HDF5 ignores what follows its end."""
    return SEAL + hashlib.sha256(content).hexdigest().encode() + b"\n"


def is_sealed(path: str | Path) -> bool:
    """Whether a file is, byte by byte, what this package wrote: it ends with its own checksum."""
    digest, length = hashlib.sha256(), len(SEAL) + 65
    with Path(path).open("rb") as file:
        left = file.seek(0, os.SEEK_END) - length
        if left < 0:
            return False
        file.seek(left)
        last = file.read()
        if not last.startswith(SEAL):
            return False
        file.seek(0)
        while left > 0 and (block := file.read(min(left, 1 << 20))):
            digest.update(block)
            left -= len(block)
    return last == SEAL + digest.hexdigest().encode() + b"\n"


def read_netcdf(
    path: str | Path, take: Callable[[Any], T] | None = None, label: str = "", problem: str = "cannot be read"
) -> T | Any:
    """The Dataset in a netCDF file, or what the function `take` makes of it, which must be one of a module.

    HDF5 may not return from a damaged file, or end the process. So a file is read in this process only if it is sealed
    (see `seal`), otherwise in one with limits. problem: what the message says of a file that cannot be read."""
    source = label or f"the file '{path}'"
    size = regular_size(path, label)
    if size > MAX_BINARY_BYTES * 10:
        At(source).fail(f"has {size / 1e9:.3g} GB", expected=f"at most {MAX_BINARY_BYTES / 1e8:g} GB")
    where = os.path.abspath(path)
    if is_sealed(path):
        return _opened_netcdf(where, take, source, problem)
    return isolated(_opened_netcdf, where, take, source, problem, source=source, size=size)


def _opened_netcdf(path: str, take: Callable[[Any], Any] | None, source: str, problem: str) -> Any:
    import xarray as xr

    try:
        with xr.open_dataset(path, engine="h5netcdf") as data:
            return data.load() if take is None else take(data)
    except GaitwrightError:
        raise
    except MemoryError:
        raise
    except Exception as error:  # HDF5, h5netcdf and xarray raise whatever their parsers do
        raise ModelError(f"{source} {problem}: {cause_of(error)}") from None


# values -------------------------------------------------------------------------------------------------------------


def require_finite(values: Any, at: At, expected: str = "finite numbers") -> Any:
    """The same values, an array or plain data, if all their numbers are finite, also after the conversion to SI units;
    otherwise a ModelError with the place of the first that is not."""
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "fc" and not (good := np.isfinite(values)).all():
            place = np.unravel_index(int(np.argmin(good)), values.shape)
            where = f"[{', '.join(map(str, place))}]" if place else ""
            At(at.element, f"{at.field}{where}").fail("is not a finite number", float(values[place].real), expected)
        return values
    stack: list[tuple[str, Any]] = [("", values)]
    while stack:
        where, value = stack.pop()
        if isinstance(value, dict):
            stack += [(f"{where}.{key}" if where else str(key), part) for key, part in reversed(value.items())]
        elif isinstance(value, (list, tuple)):
            stack += [(f"{where}[{k}]", part) for k, part in reversed(list(enumerate(value)))]
        elif (isinstance(value, float) and not math.isfinite(value)) or _huge(value):
            name = f"{at.field}{'.' if at.field and not where.startswith('[') else ''}{where}" if where else at.field
            At(at.element, name).fail("is not a finite number", value, expected)
    return values


def _huge(value: Any) -> bool:
    """A whole number that is no float: YAML and JSON write them with any number of digits."""
    return isinstance(value, int) and value.bit_length() > 1023


def typed(kind: type[T], value: Any, at: At, finite: bool = True) -> T:
    """Plain data of a file as a dataclass or another annotated type: unknown and missing fields, other types and numbers that
    are not finite are ModelErrors that name the field."""
    from pydantic import ValidationError

    if finite:
        require_finite(value, at)
    names = {one.name for one in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else None
    if names is not None:
        if not isinstance(value, dict):
            at.fail("is not a mapping", value, f"fields such as {', '.join(sorted(names))}")
        for name in value:
            at[f"{at.field}.{name}" if at.field else str(name)].one_of(name, sorted(names), "there is no such field")
    try:
        return _adapter(kind).validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(map(str, (*([at.field] if at.field else []), *first["loc"])))
        if first["type"] == "missing":
            At(at.element, path).fail("is missing")
        said = first["msg"][:1].lower() + first["msg"][1:]
        return At(at.element, path).fail("is not valid", first["input"], said.removeprefix("input should be "))


@functools.cache
def _adapter(kind: Any) -> Any:
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
    """The data in a YAML file that is part of this package: trusted, and so not looked through first."""
    return yaml.load(packaged_text(path), Loader=_Quick)
