"""What was drawn and not yet saved, beside the file: after a crash of page, server or machine it is still there.

A journal is a text file of JSON lines: first the text it begins with, then one patch per change. A line that was cut off by the
crash is not read. Each process has one of its own, called after its number, so that two of them do not mix theirs."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from gaitwright.errors import GaitwrightError
from gaitwright.input_files import MAX_TABLE_BYTES, parse_json_line, read_text
from gaitwright.saving import save_text
from gaitwright.studio.processes import is_running

SUFFIX = ".studio"
LARGEST = 2_000_000
"""Bytes, above which a journal is begun anew with the text as it is."""


_open: set[Path] = set()
"""Journals of this process that are written to."""


class Journal:
    """Of one file, by this process."""

    def __init__(self, file: Path):
        self.path = file.with_name(f".{file.name}.{os.getpid()}{SUFFIX}")
        self._stream: Any = None

    def note(self, before: str, patches: list[list[Any]], after: str) -> None:
        """Write a change down; it is in the hands of the machine when this returns."""
        stream = self._stream
        if stream is not None and stream.tell() > LARGEST:
            self._begin(after)
            return
        stream = self._begin(before) if stream is None else stream
        for patch in patches:
            stream.write(json.dumps(patch) + "\n")
        stream.flush()

    def _begin(self, text: str) -> Any:
        self.close()
        save_text(self.path, json.dumps({"text": text}) + "\n")
        self._stream = self.path.open("a", encoding="utf-8", newline="\n")
        _open.add(self.path)
        return self._stream

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None
            _open.discard(self.path)

    def forget(self) -> None:
        """Everything is saved."""
        self.close()
        with suppress(OSError):
            self.path.unlink()


def left_behind(file: Path) -> str | None:
    """The text that a process which is no more had not saved, or a sheet of ours that was closed: of several, the last one's.
    Their journals are removed by `clean`."""
    found = [path for path in _journals(file) if not _alive(path)]
    for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True):
        text = replayed(path)
        if text is not None:
            return text
    return None


def clean(file: Path) -> None:
    """Remove the journals of processes that are no more: what they held is in a journal of ours, or saved."""
    for path in _journals(file):
        if not _alive(path):
            with suppress(OSError):
                path.unlink()


def elsewhere(file: Path) -> bool:
    """Whether another process that is running has unsaved changes of the file."""
    return any(_alive(path) and _process(path) != os.getpid() for path in _journals(file))


def replayed(path: Path) -> str | None:
    """The text at the end of a journal; None if it has none."""
    text = None
    with suppress(GaitwrightError):
        for line in read_text(path, largest=MAX_TABLE_BYTES).content.split("\n"):
            try:
                entry = parse_json_line(line)
                if isinstance(entry, dict):
                    text = str(entry["text"])
                elif text is not None:
                    start, removed, inserted = entry
                    text = text[:start] + inserted + text[start + removed :]
            except (ValueError, TypeError, KeyError):
                break  # cut off
    return text


def _journals(file: Path) -> list[Path]:
    begin = f".{file.name}."
    with suppress(OSError):
        return [p for p in file.parent.iterdir() if p.name.startswith(begin) and p.suffix == SUFFIX and _process(p)]
    return []


def _process(path: Path) -> int:
    number = path.name.removesuffix(SUFFIX).rpartition(".")[2]
    return int(number) if number.isdigit() else 0


def _alive(path: Path) -> bool:
    """Whether somebody still writes to a journal, as far as that can be known."""
    number = _process(path)
    if number == os.getpid():
        return path in _open
    return is_running(number)
