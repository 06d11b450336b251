"""The door through which model files and the tables that they name come in: which files are read, how much of them, and in
which encoding.

A model file may come from somebody else. So what it names is read only from below its own folder, or from folders that whoever
runs it allows; regular files only, since a device or a pipe may never end; and messages show nothing of what is in it.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from gaitwright.checks import At

LARGEST = 100_000_000
"""Bytes of a table: an hour of forty columns at 100 Hz."""
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_CONTROL = {*range(32), 127} - {9, 10, 12, 13}


class Text(NamedTuple):
    """What a file contains. note: how it was read, if not as UTF-8; otherwise empty."""

    content: str
    note: str = ""


def allowed_path(folder: Path, named: str, allowed: Iterable[str | Path], label: str, field: str = "file") -> Path:
    """Where a file is that a model file in `folder` names: below it, or below one of the `allowed` folders (or one of them
    itself). Links are followed before that is decided."""
    path = folder / named
    try:
        target = path.resolve()
        homes = [folder.resolve(), *(Path(home).resolve() for home in allowed)]
    except (OSError, RuntimeError, ValueError):  # links in a circle; a name with a zero byte
        At(label, field).fail("is not the name of a file", named, "a file beside the model file")
    if not any(target == home or home in target.parents for home in homes):
        At(label, field).fail(
            "is outside the folder of the model file, and what is there is read only if you allow it",
            named,
            f"a file below '{folder}', or --allow-files {path.parent} (in Python: gw.load(..., allow_files=[...]))",
        )
    return path


def read_regular(path: Path, label: str = "", field: str = "file", largest: int = LARGEST) -> bytes:
    """The bytes of a regular file of limited size; ModelError for everything else."""
    at = At(label, field if label else "")
    try:
        # Asked before it is opened: opening alone makes some devices act, and waits for the other end of a pipe.
        if not stat.S_ISREG(os.stat(path).st_mode):
            what = "a folder" if path.is_dir() else "a device, pipe or socket"
            at.fail(f"'{path}' is {what}", expected="a regular file")
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(opened, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                at.fail(f"'{path}' is no regular file any more", expected="a regular file")
            content = file.read(largest + 1)
    except FileNotFoundError:
        at.fail(f"there is no file '{path}'")
    except (OSError, ValueError) as error:
        at.fail(f"the file '{path}' cannot be read: {getattr(error, 'strerror', None) or error}")
    if len(content) > largest:
        at.fail(
            f"the file '{path}' is larger than {largest / 1e6:g} MB",
            expected="a table with the columns that are needed, at the rate that is needed",
        )
    return content


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
