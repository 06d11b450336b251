"""Store of the results of a long computation: a computation that was killed at any time resumes from it.

The store is an append-only journal, and for a table of results one netCDF file, which replaces the journal at the end. The
journal is text: a head with the question (the identity of the computation), then one line of JSON per result. A line ends with
a checksum over its content and the question, so a damaged line affects only itself: its result is computed again. A damaged
head and damaged line breaks lose nothing if at least one other line is intact. A truncated last line is removed. Numbers and
arrays are stored without loss: a resumed computation gives exactly the result of an uninterrupted one. Nothing in the file is
executed. Only one process writes it, whichever processes compute.

SQLite was measured as an alternative and rejected; docs/architecture.md has the figures.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import time
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from gaitwright._core.errors import GaitwrightError, ModelError, NotSaved
from gaitwright._core.input_files import parse_json, parse_json_line, read_netcdf
from gaitwright._core.locking import lock_file
from gaitwright._core.output_files import REASON_BY_ERRNO
from gaitwright.design.fingerprint import engine_digest, fingerprint

if TYPE_CHECKING:
    from typing import Self

    import xarray as xr

JOURNAL_FORMAT = 1
HEAD_PREFIX = b'{"gaitwright": '
CHECKSUM_FIELD = b', "check": "'
"""Text before the checksum of a line."""
LINE_END_PATTERN = re.compile(rb'(?<=, "check": "[0-9a-f]{8}"\}).', re.DOTALL)
"""Character after a checksum: a line break, unless it is damaged."""
REPORTED_FIELD = "damaged lines reported"
"""Field of a line with the number of damaged lines that were already reported to the user."""
SHARED_FIELD = "shared arrays"
"""Field of a line with arrays that other lines use, by digest."""
ARRAY_FIELDS = {"type", "shape", "data"}
"""Fields of an array in JSON."""
SYNC_SECONDS = 5.0
"""Seconds between two flushes of the file to the disk: the most that a power failure may lose."""
_OPEN_PATHS: set[str] = set()
"""Paths of the stores that this process has open."""


class ResultStore:
    """Stored results (entries) by key, such as the values of the parameters. Use as a context manager, which locks the file.

    An entry maps names to numbers, text, None, arrays, and lists and mappings of these.

    path: journal; or a folder, in which every question has its own journal. kind: kind of the computation, in a word.
    question: its identity, by aspect, as plain data; a file with another one is refused. table: netCDF file of the finished
    table; the journal is then beside it, see `ResultStore.of_table`. shared: names of the arrays that are equal in nearly all
    entries. Each line identifies its array by a digest; the array itself is stored in the lines of its 1st, 2nd, 4th, 8th...
    use, so that the loss of one line makes no other one unreadable."""

    def __init__(
        self,
        path: str | Path,
        kind: str,
        question: Mapping[str, Any],
        *,
        table: Path | None = None,
        shared: Sequence[str] = (),
    ):
        self.question = json.loads(json.dumps({**question, "version of Gaitwright": engine_digest()}))
        self.path, self.kind, self.table, self.shared = Path(path), kind, table, shared
        if table is None and self.path.is_dir():
            self.path /= f"{kind}-{fingerprint(self.question)[:8]}.jsonl"
        self.seed = int(fingerprint((kind, self.question))[:8], 16)
        self.entries: dict[tuple[float, ...], dict[str, Any]] = {}
        self.uses: Counter[str] = Counter()
        """Number of lines that use a shared array, by its digest."""
        self.file: BinaryIO | None = None
        self.length, self.lines, self.begun = 0, 0, False
        self.synced, self.warned = time.monotonic(), False

    @classmethod
    def of_table(cls, table: str | Path, kind: str, question: Mapping[str, Any], shared: Sequence[str] = ()) -> Self:
        """Store of a netCDF table, with its journal beside it while the computation runs."""
        return cls(_journal_path(table), kind, question, table=Path(table), shared=shared)

    def __enter__(self) -> Self:
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
            raise NotSaved(self.path, _reason(error), error.errno or 0) from None
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

    # entries --------------------------------------------------------------------------------------------------------

    def get(self, key: tuple[float, ...]) -> dict[str, Any] | None:
        return self.entries.get(key)

    def take_entries(self) -> Iterator[dict[str, Any]]:
        """Yield the stored entries and remove them from memory."""
        while self.entries:
            yield self.entries.popitem()[1]

    def add(self, key: tuple[float, ...], entry: Mapping[str, Any]) -> bool:
        """Append an entry; True if it was written. The first failure to write issues a warning; the computation continues."""
        line: dict[str, Any] = {"at": list(key), **entry}
        digests = {name: _array_digest(entry[name]) for name in self.shared if entry[name] is not None}
        arrays = {}
        for name, digest in digests.items():
            line[name] = digest
            uses = self.uses[digest] + 1
            if uses & (uses - 1) == 0:  # a power of two
                arrays[digest] = entry[name]
        if arrays:
            line[SHARED_FIELD] = arrays
        written = self._write(line)
        self.lines += written
        if written:
            self.uses.update(digests.values())
        return written

    # the journal ----------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        assert self.file is not None
        self.file.seek(0)
        head: dict[str, Any] | None = None
        damaged = reported = length = 0
        terminated = True
        arrays: dict[str, np.ndarray] = {}
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
                    _require_same_question(f"the store '{self.path}'", self.kind, self.question, head)
                elif "at" in entry:
                    arrays.update(entry.pop(SHARED_FIELD, {}))
                    self.entries[tuple(entry.pop("at"))] = entry
                elif REPORTED_FIELD in entry:
                    reported = entry[REPORTED_FIELD]
        if length and head is None and not self.entries:
            _require_same_question(f"the store '{self.path}'", self.kind, self.question, {})
        self.length = length
        self.file.seek(0, os.SEEK_END)
        if self.file.tell() != self.length:
            self.file.truncate(self.length)
        self.lines = len(self.entries)
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
        self._restore_shared(arrays)

    def _restore_shared(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Replace digests by their arrays; remove entries whose array was only in damaged lines."""
        lost = 0
        for key, entry in list(self.entries.items()):
            digests = [entry[name] for name in self.shared if entry[name] is not None]
            if any(digest not in arrays for digest in digests):
                del self.entries[key]
                lost += 1
                continue
            self.uses.update(digests)
            entry.update({name: arrays[entry[name]] for name in self.shared if entry[name] is not None})
        if lost:
            results = "1 result has" if lost == 1 else f"{lost} results have"
            warnings.warn(
                f"in the store '{self.path}' {results} no {' or '.join(self.shared)}, stored in damaged lines: computed again",
                stacklevel=4,
            )

    def _write(self, entry: Mapping[str, Any]) -> bool:
        text = json.dumps(entry, default=_array_to_json)
        return self._append(_checksummed_line(text, 0 if "question" in entry else self.seed))

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
            warnings.warn(
                f"the store '{self.path}' cannot be written: {_reason(error)}; the work goes on, but its results are not "
                "kept",
                stacklevel=2,
            )

    # the table ------------------------------------------------------------------------------------------------------

    @property
    def _table_attribute(self) -> str:
        """Attribute of the netCDF file that contains the head."""
        return f"gaitwright_{self.kind.replace(' ', '_')}"

    def finished_table(self) -> xr.Dataset | None:
        """Table of a finished computation, else None. Raises StoreMismatch if the file belongs to another question."""
        if self.table is None or not self.table.exists():
            return None
        try:
            data = read_netcdf(self.table)
            head = parse_json(data.attrs.pop(self._table_attribute, ""), f"the head of '{self.table}'", finite=False)
        except GaitwrightError:  # not a file of this kind
            head, data = {}, None
        _require_same_question(
            f"the file '{self.table}'", self.kind, self.question, head if isinstance(head, dict) else {}
        )
        return data if head.get("finished") else None

    def write_table(self, data: xr.Dataset, finished: bool) -> None:
        """Write the netCDF file; remove the journal if `finished`. If the file cannot be written, warn and keep the journal."""
        from gaitwright.result.files.netcdf import write_dataset

        assert self.table is not None
        head = {
            "gaitwright": self.kind, "format": JOURNAL_FORMAT, "question": self.question, "finished": finished,
        }  # fmt: skip
        try:
            write_dataset(self.table, data.assign_attrs({self._table_attribute: json.dumps(head)}))
        except NotSaved as error:
            part = "a part of " if self.warned else ""
            there = f"{part}what was computed is in '{self.path}'" if self.lines else "nothing of it is kept"
            warnings.warn(f"{error}; {there}", stacklevel=3)
            return
        self.__exit__()
        if finished:
            self.path.unlink(missing_ok=True)


def remove_table_store(table: str | Path) -> None:
    """Delete the netCDF table of a store and its journal."""
    for path in (Path(table), _journal_path(table)):
        path.unlink(missing_ok=True)


def _journal_path(table: str | Path) -> Path:
    return Path(f"{table}.log")


class StoreMismatch(ModelError):
    """Raised if a file belongs to another question. problem: message without the suggestion."""

    def __init__(self, problem: str):
        self.problem = problem
        super().__init__(problem, expected="another path, or nothing there")


def _require_same_question(what: str, kind: str, question: Mapping[str, Any], head: Mapping[str, Any]) -> None:
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


def _reason(error: OSError) -> str:
    return REASON_BY_ERRNO.get(error.errno or 0) or (error.strerror or str(error)).lower()


# lines of the journal -----------------------------------------------------------------------------------------------


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
    body, _, rest = line.rpartition(CHECKSUM_FIELD)
    intact = [start for start in (0, seed) if rest == b'%08x"}\n' % zlib.crc32(body, start)]
    entry = parse_json_line(line, _array_from_json if seed in intact else None) if line.endswith(b"\n") else None
    if not isinstance(entry, dict):
        return None
    entry.pop("check", None)
    if "question" in entry:
        return entry if 0 in intact or CHECKSUM_FIELD not in line else None
    if isinstance(entry.get(REPORTED_FIELD), int):
        return entry if seed in intact else None
    key = entry.get("at")
    numeric = isinstance(key, list) and all(isinstance(x, (int, float)) for x in key)
    return entry if numeric and seed in intact else None


def _array_to_json(values: Any) -> dict[str, Any]:
    """Array as plain data without loss."""
    values = np.ascontiguousarray(values)
    data = base64.b64encode(values.tobytes()).decode("ascii")
    return {"type": values.dtype.str, "shape": list(values.shape), "data": data}


def _array_from_json(entry: dict[str, Any]) -> Any:
    """The array that a JSON object describes; else the object itself, such as numbers with these names."""
    if entry.keys() != ARRAY_FIELDS or not isinstance(entry["data"], str):
        return entry
    kind = np.dtype(entry["type"])
    return np.frombuffer(base64.b64decode(entry["data"]), dtype=kind).reshape(entry["shape"]).copy()


def _array_digest(values: np.ndarray) -> str:
    content = f"{values.dtype.str} {values.shape}".encode() + np.ascontiguousarray(values).tobytes()
    return hashlib.sha256(content).hexdigest()[:16]
