"""Append-only journal of results: a computation that was killed at any time resumes from it.

The file is text: a head with the question (the identity of the computation), then one line of JSON per result. A line ends with
a checksum over its content and the question, so a damaged line affects only itself: its result is computed again. A damaged
head and damaged line breaks lose nothing if at least one other line is intact. A truncated last line is removed. Floats are
stored without loss, series as base64 of their bytes: a resumed computation gives exactly the result of an uninterrupted one.
Nothing in the file is executed. Only one process writes it, whichever processes compute.
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

from gaitwright._core.errors import ModelError, NotSaved
from gaitwright._core.input_files import parse_json_line
from gaitwright._core.locking import lock_file
from gaitwright._core.output_files import REASON_BY_ERRNO
from gaitwright.design.fingerprint import engine_digest, fingerprint

JOURNAL_FORMAT = 1
HEAD_PREFIX = b'{"gaitwright": '
CHECKSUM_FIELD = b', "check": "'
"""Text before the checksum of a line."""
LINE_END_PATTERN = re.compile(rb'(?<=, "check": "[0-9a-f]{8}"\}).', re.DOTALL)
"""Character after a checksum: a line break, unless it is damaged."""
REPORTED_FIELD = "damaged lines reported"
"""Field of a line with the number of damaged lines that were already reported to the user."""
SYNC_SECONDS = 5.0
"""Seconds between two flushes of the file to the disk: the most that a power failure may lose."""
_OPEN_PATHS: set[str] = set()
"""Paths of the stores that this process has open."""


class JournalStore:
    """Stored results by key (the values of the parameters). Use as a context manager, which locks the file.

    path: file; or a folder, in which every question has its own file.
    kind: kind of the computation, in a word. question: its identity, by aspect, as plain data; a file with another one is
    refused. found: entries by key."""

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
        self.question = json.loads(json.dumps({**question, "version of Gaitwright": engine_digest()}))
        self.path, self.kind = Path(path), kind
        if self.path.is_dir():
            self.path /= f"{kind}-{fingerprint(self.question)[:8]}.jsonl"
        self.seed = int(fingerprint((kind, self.question))[:8], 16)
        self.found: dict[tuple[float, ...], dict[str, Any]] = {}
        self.file: BinaryIO | None = None
        self.length, self.lines, self.begun = 0, 0, False
        self.synced, self.warned = time.monotonic(), False

    def __enter__(self) -> JournalStore:
        """Lock and read the file, and prepare it for appending. Raises ModelError if it is in use, belongs to another question
        or cannot be created."""
        name = os.path.realpath(self.path)
        busy = ModelError(f"the store '{self.path}' is in use", expected="one sweep or search at a time for each store")
        if name in _OPEN_PATHS:
            raise busy
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = self.path.open("a+b")
        except OSError as error:
            why = REASON_BY_ERRNO.get(error.errno or 0) or (error.strerror or str(error)).lower()
            raise NotSaved(self.path, why, error.errno or 0) from None
        if not lock_file(file):
            file.close()
            raise busy
        self.file = file
        _OPEN_PATHS.add(name)
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
            _OPEN_PATHS.discard(os.path.realpath(self.path))
            if self.begun and not self.lines:  # remove a new file without entries
                self.path.unlink(missing_ok=True)

    def _read(self) -> None:
        assert self.file is not None
        self.file.seek(0)
        head: dict[str, Any] | None = None
        damaged = reported = length = 0
        terminated = True
        for number, line in enumerate(self.file):
            if not line.endswith(b"\n"):  # the process was killed while it wrote the line
                ends = [match.end() for match in LINE_END_PATTERN.finditer(line)]
                if not ends and (number > 0 or line[: len(HEAD_PREFIX)] == HEAD_PREFIX[: len(line)]):
                    break
                terminated, line = False, line[: ends[-1]] if ends else line
            length += len(line)
            for entry in _split_entries(line, self.seed):
                if entry is None:
                    damaged += 1
                elif "question" in entry and head is None:
                    head = entry
                    require_same_question(f"the store '{self.path}'", self.kind, self.question, head)
                elif "at" in entry:
                    self.found[tuple(entry["at"])] = entry
                elif REPORTED_FIELD in entry:
                    reported = entry[REPORTED_FIELD]
        if length and head is None and not self.found:
            require_same_question(f"the store '{self.path}'", self.kind, self.question, {})
        self.length = length
        self.file.seek(0, os.SEEK_END)
        if self.file.tell() != self.length:
            self.file.truncate(self.length)
        self.lines = len(self.found)
        self.begun = not self.length
        if not terminated:
            self._append(b"\n")
        if self.begun:
            self._write({"gaitwright": self.kind, "format": JOURNAL_FORMAT, "question": self.question})
        if damaged > reported:
            lines = "1 line is" if damaged - reported == 1 else f"{damaged - reported} lines are"
            warnings.warn(
                f"in the store '{self.path}' {lines} damaged: what was held there is computed again, all others are used",
                stacklevel=3,
            )
            self._write({REPORTED_FIELD: damaged})

    def get(self, at: tuple[float, ...]) -> dict[str, Any] | None:
        return self.found.get(at)

    def add(self, at: tuple[float, ...], entry: Mapping[str, Any]) -> bool:
        """Append an entry; True if it was written. The first failure to write issues a warning; the computation continues."""
        written = self._write({"at": list(at), **entry})
        self.lines += written
        return written

    def _write(self, entry: Mapping[str, Any]) -> bool:
        return self._append(
            _checksummed_line(json.dumps(entry, allow_nan=False), 0 if "question" in entry else self.seed)
        )

    def _append(self, line: bytes) -> bool:
        assert self.file is not None
        try:
            self.file.write(line)
            self.file.flush()
            if time.monotonic() - self.synced > SYNC_SECONDS:
                os.fsync(self.file.fileno())
                self.synced = time.monotonic()
        except OSError as error:
            self._give_up(error)
            return False
        self.length += len(line)
        return True

    def _give_up(self, error: OSError) -> None:
        """Remove a partly written line, so that an entry added later, when there is space again, starts on a new line."""
        assert self.file is not None
        with suppress(OSError):
            self.file.close()  # discards the buffer, which would otherwise be written again
        self.file = self.path.open("a+b")
        lock_file(self.file)
        with suppress(OSError):
            self.file.truncate(self.length)
        if not self.warned:
            self.warned = True
            why = REASON_BY_ERRNO.get(error.errno or 0) or (error.strerror or str(error)).lower()
            text = f"the store '{self.path}' cannot be written: {why}; the work goes on, but its results are not kept"
            warnings.warn(text, stacklevel=2)


class StoreMismatch(ModelError):
    """Raised if a file belongs to another question. problem: message without the suggestion."""

    def __init__(self, problem: str):
        self.problem = problem
        super().__init__(problem, expected="another path, or nothing there")


def require_same_question(what: str, kind: str, question: Mapping[str, Any], head: Mapping[str, Any]) -> None:
    """Raise StoreMismatch if the head of a file has another kind, format or question. what: the file, for the message."""
    if (
        head.get("gaitwright") != kind
        or head.get("format") != JOURNAL_FORMAT
        or not isinstance(head.get("question"), dict)
    ):
        raise StoreMismatch(f"{what} is no store of {kind} of this kind; nothing was changed")
    there = head["question"]
    other = [aspect for aspect in {**question, **there} if question.get(aspect) != there.get(aspect)]
    if other:
        raise StoreMismatch(f"{what} belongs to another {kind}; what differs: {', '.join(other)}")


def _checksummed_line(text: str, seed: int) -> bytes:
    """Line of an entry: its JSON, with the CRC-32 of all preceding text as its last field. seed: initial value of the CRC, from
    the question, so that lines identify their question even if the head is damaged; 0 for the head itself."""
    body = text[:-1].encode()
    return body + CHECKSUM_FIELD + b"%08x" % zlib.crc32(body, seed) + b'"}\n'


def _split_entries(line: bytes, seed: int) -> list[dict[str, Any] | None]:
    """Entries in a line: one, or several if a line break is damaged; None for each damaged entry."""
    entry = _parse_entry(line, seed)
    if entry is not None:
        return [entry]
    return [_parse_entry(part + b"\n", seed) for part in LINE_END_PATTERN.split(line) if part != b"\n" and part]


def _parse_entry(line: bytes, seed: int) -> dict[str, Any] | None:
    """Entry in a line; None if the line is damaged. A head without a checksum was written by an earlier version."""
    entry = parse_json_line(line) if line.endswith(b"\n") else None
    if not isinstance(entry, dict):
        return None
    body, _, rest = line.rpartition(CHECKSUM_FIELD)
    whole = rest == b'%08x"}\n' % zlib.crc32(body, 0 if "question" in entry else seed)
    entry.pop("check", None)
    if "question" in entry:
        return entry if whole or CHECKSUM_FIELD not in line else None
    if isinstance(entry.get(REPORTED_FIELD), int):
        return entry if whole else None
    at = entry.get("at")
    return entry if whole and isinstance(at, list) and all(isinstance(x, (int, float)) for x in at) else None


# numbers and series as plain data -----------------------------------------------------------------------------------


def pack_array(values: np.ndarray) -> dict[str, Any]:
    """Encode an array as plain data without loss."""
    values = np.ascontiguousarray(values)
    data = base64.b64encode(values.tobytes()).decode("ascii")
    return {"type": values.dtype.str, "shape": list(values.shape), "data": data}


def unpack_array(entry: Mapping[str, Any]) -> np.ndarray:
    kind = np.dtype(entry["type"])
    return np.frombuffer(base64.b64decode(entry["data"]), dtype=kind).reshape(entry["shape"]).copy()


def encode_numbers(numbers: Mapping[str, float]) -> dict[str, float | str]:
    """Encode numbers for JSON: values that are not finite, which JSON does not support, become text."""
    return {name: value if math.isfinite(value) else repr(value) for name, value in numbers.items()}


def decode_numbers(entry: Mapping[str, float | str]) -> dict[str, float]:
    return {name: float(value) for name, value in entry.items()}
