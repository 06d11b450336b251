"""What long work has found so far, in a file that only grows: killed at any instant, it goes on where it was.

The file is text: a head that says what was asked, then a line of JSON for each result. A line ends with a checksum over its
content and what was asked, so a damaged line affects only itself: its result is computed again. A damaged head and damaged line
breaks cost nothing, as long as one other line is intact. A last line that was cut is removed. Floats are written so that they
come back to the last bit, and series as base64 of their bytes: work that goes on gives exactly what it would have
given without the interruption. Nothing in it is executed. One process writes it, whoever computes.
"""

from __future__ import annotations

import base64
import json
import math
import os
import re
import time
import warnings
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from gaitwright.design.fingerprint import engine, fingerprint
from gaitwright.errors import ModelError, NotSaved
from gaitwright.input_files import parse_json_line
from gaitwright.locking import lock_file
from gaitwright.saving import REASONS

FORMAT = 1
BEGINS = b'{"gaitwright": '
CHECK = b', "check": "'
"""Before the checksum of a line."""
LINE_END = re.compile(rb'(?<=, "check": "[0-9a-f]{8}"\}).', re.DOTALL)
"""The character after a checksum: a line break, unless it is damaged."""
REPORTED = "damaged lines reported"
"""Field of a line that counts the damaged lines before it: the user knows them."""
SYNC = 5.0
"""Seconds between two times at which the file is forced onto the disk: what a failure of the power may cost."""
_open: set[str] = set()
"""Stores that this process has open."""


class Store:
    """What was found, by a key (the values of the parameters). Use as a context: it locks the file.

    path: of the file; or a folder, in which every question has a file of its own.
    kind: of the work, in a word. question: what was asked, by aspect, as plain data; a file with another one is refused."""

    question: Any
    path: Path
    kind: str
    seed: int
    length: int
    lines: int
    begun: bool
    synced: float
    warned: bool

    def __init__(self, path: str | Path, kind: str, question: Mapping[str, Any]):
        self.question = json.loads(json.dumps({**question, "version of Gaitwright": engine()}))
        self.path, self.kind = Path(path), kind
        if self.path.is_dir():
            self.path /= f"{kind}-{fingerprint(self.question)[:8]}.jsonl"
        self.seed = int(fingerprint((kind, self.question))[:8], 16)
        self.found: dict[tuple[float, ...], dict[str, Any]] = {}
        self.file: BinaryIO | None = None
        self.length, self.lines, self.begun = 0, 0, False
        self.synced, self.warned = time.monotonic(), False

    def __enter__(self) -> Store:
        """Read what is there, and be ready to add to it."""
        name = os.path.realpath(self.path)
        busy = ModelError(f"the store '{self.path}' is in use", expected="one sweep or search at a time for each store")
        if name in _open:
            raise busy
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = self.path.open("a+b")
        except OSError as error:
            why = REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()
            raise NotSaved(self.path, why, error.errno or 0) from None
        if not lock_file(file):
            file.close()
            raise busy
        self.file = file
        _open.add(name)
        try:
            self._read()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.file is not None:
            self.file.close()
            self.file = None
            _open.discard(os.path.realpath(self.path))
            if self.begun and not self.lines:  # an empty one is of no use to anybody
                self.path.unlink(missing_ok=True)

    def _read(self) -> None:
        assert self.file is not None
        self.file.seek(0)
        head: dict[str, Any] | None = None
        damaged = reported = length = 0
        terminated = True
        for number, line in enumerate(self.file):
            if not line.endswith(b"\n"):  # the process was killed while it wrote the line
                ends = [match.end() for match in LINE_END.finditer(line)]
                if not ends and (number > 0 or line[: len(BEGINS)] == BEGINS[: len(line)]):
                    break
                terminated, line = False, line[: ends[-1]] if ends else line
            length += len(line)
            for entry in _entries(line, self.seed):
                if entry is None:
                    damaged += 1
                elif "question" in entry and head is None:
                    head = entry
                    refuse(f"the store '{self.path}'", self.kind, self.question, head)
                elif "at" in entry:
                    self.found[tuple(entry["at"])] = entry
                elif REPORTED in entry:
                    reported = entry[REPORTED]
        if length and head is None and not self.found:
            refuse(f"the store '{self.path}'", self.kind, self.question, {})
        self.length = length
        self.file.seek(0, os.SEEK_END)
        if self.file.tell() != self.length:
            self.file.truncate(self.length)
        self.lines = len(self.found)
        self.begun = not self.length
        if not terminated:
            self._append(b"\n")
        if self.begun:
            self._write({"gaitwright": self.kind, "format": FORMAT, "question": self.question})
        if damaged > reported:
            lines = "1 line is" if damaged - reported == 1 else f"{damaged - reported} lines are"
            warnings.warn(
                f"in the store '{self.path}' {lines} damaged: what was held there is computed again, all others are used",
                stacklevel=3,
            )
            self._write({REPORTED: damaged})

    def get(self, at: tuple[float, ...]) -> dict[str, Any] | None:
        return self.found.get(at)

    def add(self, at: tuple[float, ...], entry: Mapping[str, Any]) -> bool:
        """Keep what was found. Where it cannot be written, a warning says so once, and the work goes on."""
        written = self._write({"at": list(at), **entry})
        self.lines += written
        return written

    def _write(self, entry: Mapping[str, Any]) -> bool:
        return self._append(_checked(json.dumps(entry, allow_nan=False), 0 if "question" in entry else self.seed))

    def _append(self, line: bytes) -> bool:
        assert self.file is not None
        try:
            self.file.write(line)
            self.file.flush()
            if time.monotonic() - self.synced > SYNC:
                os.fsync(self.file.fileno())
                self.synced = time.monotonic()
        except OSError as error:
            self._give_up(error)
            return False
        self.length += len(line)
        return True

    def _give_up(self, error: OSError) -> None:
        """Leave no half line: what is added later, when there is room again, must stand on a line of its own."""
        assert self.file is not None
        with suppress(OSError):
            self.file.close()  # what it holds back would be tried again
        self.file = self.path.open("a+b")
        lock_file(self.file)
        with suppress(OSError):
            self.file.truncate(self.length)
        if not self.warned:
            self.warned = True
            why = REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()
            text = f"the store '{self.path}' cannot be written: {why}; the work goes on, but what it finds is not kept"
            warnings.warn(text, stacklevel=2)


class OtherStore(ModelError):
    """A file belongs to something else. problem: the sentence, without the way out."""

    def __init__(self, problem: str):
        self.problem = problem
        super().__init__(problem, expected="another path, or nothing there")


def refuse(what: str, kind: str, question: Mapping[str, Any], head: Mapping[str, Any]) -> None:
    """Raise a sentence if what is there belongs to something else."""
    if head.get("gaitwright") != kind or head.get("format") != FORMAT or not isinstance(head.get("question"), dict):
        raise OtherStore(f"{what} is no store of {kind} of this kind; nothing was changed")
    there = head["question"]
    other = [aspect for aspect in {**question, **there} if question.get(aspect) != there.get(aspect)]
    if other:
        raise OtherStore(f"{what} belongs to another {kind}; what differs: {', '.join(other)}")


def _checked(text: str, seed: int) -> bytes:
    """The line of an entry: its JSON, with the CRC-32 of all that stands before as its last field. seed: start of the CRC, from
    what was asked, so that lines identify their question even if the head is damaged; 0 for the head itself."""
    body = text[:-1].encode()
    return body + CHECK + b"%08x" % zlib.crc32(body, seed) + b'"}\n'


def _entries(line: bytes, seed: int) -> list[dict[str, Any] | None]:
    """The entries in a line: one, or several if a line break is damaged; None for what is damaged."""
    entry = _parsed(line, seed)
    if entry is not None:
        return [entry]
    return [_parsed(part + b"\n", seed) for part in LINE_END.split(line) if part != b"\n" and part]


def _parsed(line: bytes, seed: int) -> dict[str, Any] | None:
    """The entry in a line; None if the line is not as it was written. A head without checksum is of an earlier version."""
    entry = parse_json_line(line) if line.endswith(b"\n") else None
    if not isinstance(entry, dict):
        return None
    body, _, rest = line.rpartition(CHECK)
    whole = rest == b'%08x"}\n' % zlib.crc32(body, 0 if "question" in entry else seed)
    entry.pop("check", None)
    if "question" in entry:
        return entry if whole or CHECK not in line else None
    if isinstance(entry.get(REPORTED), int):
        return entry if whole else None
    at = entry.get("at")
    return entry if whole and isinstance(at, list) and all(isinstance(x, (int, float)) for x in at) else None


# numbers and series as plain data -----------------------------------------------------------------------------------


def packed(values: np.ndarray) -> dict[str, Any]:
    """An array, to the last bit."""
    values = np.ascontiguousarray(values)
    data = base64.b64encode(values.tobytes()).decode("ascii")
    return {"type": values.dtype.str, "shape": list(values.shape), "data": data}


def unpacked(entry: Mapping[str, Any]) -> np.ndarray:
    kind = np.dtype(entry["type"])
    return np.frombuffer(base64.b64decode(entry["data"]), dtype=kind).reshape(entry["shape"]).copy()


def plain_numbers(numbers: Mapping[str, float]) -> dict[str, float | str]:
    """What is not finite, which JSON does not know, as text."""
    return {name: value if math.isfinite(value) else repr(value) for name, value in numbers.items()}


def real_numbers(entry: Mapping[str, float | str]) -> dict[str, float]:
    return {name: float(value) for name, value in entry.items()}
