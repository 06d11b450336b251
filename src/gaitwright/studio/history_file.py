"""The undo history of a model file, kept in the user's cache folder, so that it outlives the studio, also one that was killed.

A file of JSON lines: first a text with the steps before it and after it, then an entry for each change, which is in the hands
of the operating system before the page hears of the change. Each process writes a file of its own, named after the model's
path and the process; the next process that opens the model continues the newest one, up to the last entry whose text is the
text of the model as it is found. So a history never mixes with the text of another file of the same name."""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from gaitwright.compiled.folder import user_cache
from gaitwright.errors import GaitwrightError
from gaitwright.input_files import MAX_TABLE_BYTES, parse_json_line, read_text
from gaitwright.saving import save_text
from gaitwright.studio.history import History, Step
from gaitwright.studio.processes import is_running

SUFFIX = ".history"
MAX_HISTORY_BYTES = 4_000_000
"""Of a file, above which it is written anew with the newest steps, half as many bytes."""
MAX_AGE_S = 90 * 24 * 3600.0
"""Histories that nobody has continued for so long are removed."""


class HistoryFile:
    """Where one process keeps the history of one model file. file: path of the model."""

    def __init__(self, file: Path):
        digest = hashlib.sha256(os.fsencode(os.path.realpath(file))).hexdigest()[:32]
        self.folder, self.digest = user_cache() / "studio", digest
        self.path = self.folder / f"{digest}.{os.getpid()}{SUFFIX}"
        self._stream: Any = None
        self._disabled = False

    def restored(self, text: str) -> History | None:
        """The history in which this text is the present one, of a process that has ended or a sheet that was closed."""
        for path in sorted(self._others(), key=_changed, reverse=True):
            found = _replayed(path, text)
            if found is not None:
                return found
        return None

    def note(self, entry: list[Any], history: History, text: str) -> None:
        """Write an entry down. history, text: after it. Where the folder cannot be written there is no history later."""
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

    def _begin(self, history: History, text: str) -> None:
        """A new file with all steps, or the newest ones; those that it continues go."""
        again = self._stream is not None
        self.close()
        past, left = [], MAX_HISTORY_BYTES / 2 if again else float("inf")
        for step in reversed(history.past):
            left -= len(step.before) + len(step.after) + 40
            if left < 0:
                break
            past.append(step)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = {"text": text, "past": past[::-1], "future": history.future}
        save_text(self.path, json.dumps(state) + "\n")
        self._stream = self.path.open("a", encoding="utf-8", newline="\n")
        for path in (*self._others(), *self._forgotten()):
            if path != self.path:
                with suppress(OSError):
                    path.unlink()

    def _others(self) -> list[Path]:
        """Histories of this model that no process writes any more, and our own one of before."""
        return [path for path in self.folder.glob(f"{self.digest}.*{SUFFIX}") if not _is_written(path)]

    def _forgotten(self) -> list[Path]:
        oldest = time.time() - MAX_AGE_S
        return [path for path in self.folder.glob(f"*{SUFFIX}") if _changed(path) < oldest and not _is_written(path)]


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _is_written(path: Path) -> bool:
    """Whether another process may still write to a history."""
    number = path.name.removesuffix(SUFFIX).rpartition(".")[2]
    return number.isdigit() and int(number) != os.getpid() and is_running(int(number))


def _replayed(path: Path, wanted: str) -> History | None:
    """The history after the last entry at which the text is the wanted one; None where it never is."""
    entries: list[Any] = []
    with suppress(GaitwrightError):
        for line in read_text(path, largest=MAX_TABLE_BYTES).content.split("\n"):
            entry = parse_json_line(line)
            if entry is None:
                break  # cut off by the end of the process
            entries.append(entry)
    try:
        found = None
        for k, text in _texts(entries, History()):
            if text == wanted:
                found = k
        if found is None:
            return None
        history = History()
        for _ in _texts(entries[: found + 1], history):
            pass
        return history
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return None


def _texts(entries: list[Any], history: History) -> Any:
    """Every entry done on a history, in order: its place, and the text after it."""
    text = ""
    for k, entry in enumerate(entries):
        if isinstance(entry, dict):
            text = str(entry["text"])
            history.past = [Step(*step) for step in entry["past"]]
            history.future = [Step(*step) for step in entry["future"]]
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
