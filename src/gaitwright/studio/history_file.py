"""The undo history of a model file, stored in the user's cache folder, so that it survives the end or a crash of the studio.

Format: JSON lines. The first line holds a text of the model with its undo and redo steps; each further line holds one change
and is flushed to the operating system before the page is informed of the change. Each process writes its own file, named after
the model's path and the process id. The next process that opens the model restores the newest history that contains the
present text of the model, up to the last entry with this text. Therefore a history is never applied to the text of another
file of the same name."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from gaitwright._core.errors import GaitwrightError
from gaitwright._core.input_files import MAX_TABLE_BYTES, parse_json_line, read_text
from gaitwright._core.output_files import save_text
from gaitwright.jit.cache_folder import user_cache
from gaitwright.studio.history import UndoHistory, UndoStep
from gaitwright.studio.processes import is_running

HISTORY_SUFFIX = ".history"
MAX_HISTORY_BYTES = 4_000_000
"""Size above which a file is rewritten with its newest steps, at most half as many bytes."""
MAX_HISTORY_AGE_S = 90 * 24 * 3600.0
"""Time since the last change after which a history is removed."""


class HistoryFile:
    """History of one model file, written by one process. file: path of the model. If the folder cannot be written, the history
    is not stored; this raises no exception."""

    def __init__(self, file: Path):
        digest = hashlib.sha256(os.fsencode(os.path.realpath(file))).hexdigest()[:32]
        self.folder, self.digest = user_cache() / "studio", digest
        self.path = self.folder / f"{digest}.{os.getpid()}{HISTORY_SUFFIX}"
        self._stream: Any = None
        self._disabled = False

    def restored(self, text: str) -> UndoHistory | None:
        """The newest stored history that contains this text, with the text as its present state; None if there is none.
        Histories of other running processes are not read."""
        for path in sorted(self._inactive(), key=_modification_time, reverse=True):
            history = _replay(path, text)
            if history is not None:
                return history
        return None

    def append(self, entry: list[Any], history: UndoHistory, text: str) -> None:
        """Append an entry. history, text: state after the entry."""
        if self._disabled:
            return
        try:
            if self._stream is None or self._stream.tell() > MAX_HISTORY_BYTES:
                self._begin(history, text)
            else:
                self._stream.write(json.dumps(entry) + "\n")
                self._stream.flush()
        except (OSError, GaitwrightError):
            self._disabled = True

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _begin(self, history: UndoHistory, text: str) -> None:
        """Start a new file with all steps, or with the newest ones if the present file is full. Delete other files of this
        model that no process writes, and outdated files of all models."""
        full = self._stream is not None
        self.close()
        past, remaining = [], MAX_HISTORY_BYTES / 2 if full else float("inf")
        for step in reversed(history.past):
            remaining -= len(step.before) + len(step.after) + 40
            if remaining < 0:
                break
            past.append(step)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = {"text": text, "past": past[::-1], "future": history.future}
        save_text(self.path, json.dumps(state) + "\n")
        self._stream = self.path.open("a", encoding="utf-8", newline="\n")
        for path in (*self._inactive(), *self._outdated()):
            if path != self.path:
                with suppress(OSError):
                    path.unlink()

    def _inactive(self) -> list[Path]:
        """Histories of this model that no other running process writes; an earlier one of this process is included."""
        return [path for path in self.folder.glob(f"{self.digest}.*{HISTORY_SUFFIX}") if not _is_active(path)]

    def _outdated(self) -> list[Path]:
        """Inactive histories of all models that are older than MAX_HISTORY_AGE_S."""
        oldest = time.time() - MAX_HISTORY_AGE_S
        return [
            path
            for path in self.folder.glob(f"*{HISTORY_SUFFIX}")
            if _modification_time(path) < oldest and not _is_active(path)
        ]


def _modification_time(path: Path) -> float:
    """Time of the last modification, s since the epoch; 0 if the file does not exist."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _is_active(path: Path) -> bool:
    """True if the process that writes a history is running and is not this one."""
    number = path.name.removesuffix(HISTORY_SUFFIX).rpartition(".")[2]
    return number.isdigit() and int(number) != os.getpid() and is_running(int(number))


def _replay(path: Path, present: str) -> UndoHistory | None:
    """The history of a file up to the last entry whose text equals `present`; None if there is no such entry or the file is
    damaged."""
    entries: list[Any] = []
    with suppress(GaitwrightError):
        for line in read_text(path, largest=MAX_TABLE_BYTES).content.split("\n"):
            entry = parse_json_line(line)
            if entry is None:
                break  # cut off by a crash
            entries.append(entry)
    try:
        last = None
        for k, text in _apply_entries(entries, UndoHistory()):
            if text == present:
                last = k
        if last is None:
            return None
        history = UndoHistory()
        for _ in _apply_entries(entries[: last + 1], history):
            pass
        return history
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return None


def _apply_entries(entries: list[Any], history: UndoHistory) -> Iterator[tuple[int, str]]:
    """Apply the entries to a history in order. Yields the index of each entry and the text after it."""
    text = ""
    for k, entry in enumerate(entries):
        if isinstance(entry, dict):
            text = str(entry["text"])
            history.past = [UndoStep(*step) for step in entry["past"]]
            history.future = [UndoStep(*step) for step in entry["future"]]
        elif entry[0] == "undo":
            text = history.undo(text)
        elif entry[0] == "redo":
            text = history.redo(text)
        else:
            _, start, before, after, drag = entry
            changed = text[:start] + after + text[start + len(before) :]
            history.add(text, changed, drag)
            text = changed
        yield k, text
