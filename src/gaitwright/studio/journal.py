"""Recovery journal: unsaved changes of a file, stored beside it, so that they survive a crash of page, server or machine.

A journal is a text file of JSON lines: first the initial text, then one patch per change. A line cut off by the crash is
ignored. Each process writes its own journal, named by its process id, so that two processes do not mix their changes."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from gaitwright._core.errors import GaitwrightError
from gaitwright._core.input_files import MAX_TABLE_BYTES, parse_json_line, read_text
from gaitwright._core.output_files import save_text
from gaitwright.studio.processes import is_running

JOURNAL_SUFFIX = ".studio"
MAX_JOURNAL_BYTES = 2_000_000
"""Size, bytes, above which a journal is restarted with the present text."""


_open_journals: set[Path] = set()
"""Journals that this process writes."""


class RecoveryJournal:
    """Journal of one file, written by this process."""

    def __init__(self, file: Path):
        self.path = file.with_name(f".{file.name}.{os.getpid()}{JOURNAL_SUFFIX}")
        self._stream: Any = None

    def note(self, before: str, patches: list[list[Any]], after: str) -> None:
        """Append a change. On return it is flushed to the operating system."""
        stream = self._stream
        if stream is not None and stream.tell() > MAX_JOURNAL_BYTES:
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
        _open_journals.add(self.path)
        return self._stream

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None
            _open_journals.discard(self.path)

    def forget(self) -> None:
        """Delete the journal after everything is saved."""
        self.close()
        with suppress(OSError):
            self.path.unlink()


def recover_unsaved_text(file: Path) -> str | None:
    """Unsaved text of a process that has ended, or of a closed editor of this process; of several, the latest.
    `remove_stale_journals` removes their journals."""
    paths = [path for path in _journal_files(file) if not _is_active(path)]
    for path in sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True):
        text = replay_journal(path)
        if text is not None:
            return text
    return None


def remove_stale_journals(file: Path) -> None:
    """Remove the journals of ended processes. Their changes are in a journal of this process, or saved."""
    for path in _journal_files(file):
        if not _is_active(path):
            with suppress(OSError):
                path.unlink()


def is_edited_elsewhere(file: Path) -> bool:
    """True if another running process has unsaved changes of the file."""
    return any(_is_active(path) and _process_id(path) != os.getpid() for path in _journal_files(file))


def replay_journal(path: Path) -> str | None:
    """Text at the end of a journal; None if it has none."""
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


def _journal_files(file: Path) -> list[Path]:
    begin = f".{file.name}."
    with suppress(OSError):
        return [
            p
            for p in file.parent.iterdir()
            if p.name.startswith(begin) and p.suffix == JOURNAL_SUFFIX and _process_id(p)
        ]
    return []


def _process_id(path: Path) -> int:
    number = path.name.removesuffix(JOURNAL_SUFFIX).rpartition(".")[2]
    return int(number) if number.isdigit() else 0


def _is_active(path: Path) -> bool:
    """True if a process still writes to a journal, as far as can be determined."""
    number = _process_id(path)
    if number == os.getpid():
        return path in _open_journals
    return is_running(number)
